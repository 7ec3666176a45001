/* SPDX-License-Identifier: MIT */
/* Mindlin-Deresiewicz with displacements in two directions: against a fine row of springs written
 * here, and in frames turned at random. */
#include "cases.h"
#include "oblique.h"
#include "path.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* The same contact as 2000 springs whose spacing never changes, each at the middle of its cell. */
enum { FINE = 2000 };
typedef struct fine_row {
    double u[FINE][2];
} fine_row;

/* Force on i at this overlap after this increment; normal force without dashpot. */
static void fine_move(fine_row *row, const path_figures *f, double overlap, const double step[2],
                      double force[2])
{
    const double cell = sqrt(OBLIQUE_RADIUS * 2.0 * PATH_OVERLAP) / FINE;
    force[0] = force[1] = 0.0;
    for (int k = 0; k < FINE; ++k) {
        double *u = row->u[k];
        const double x = (k + 0.5) * cell, depth = overlap - x * x / OBLIQUE_RADIUS;
        if (depth <= 0.0) {
            u[0] = u[1] = 0.0;
            continue;
        }
        u[0] += step[0];
        u[1] += step[1];
        const double most = OBLIQUE_FRICTION / f->kappa * depth, length = hypot(u[0], u[1]);
        if (length > most) {
            u[0] *= most / length;
            u[1] *= most / length;
        }
        for (int c = 0; c < 2; ++c)
            force[c] -= 8.0 * f->shear * cell * u[c];
    }
}

/* Place on a path, in units of delta_s, and overlap in units of PATH_OVERLAP. */
typedef void path_place(double t, double x[2], double *overlap);

static void circle(double t, double x[2], double *overlap)
{
    const double out = fmin(t, 1.0), angle = 2.0 * PI * fmax(t - 1.0, 0.0);
    x[0] = 0.6 * out * cos(angle);
    x[1] = 0.6 * out * sin(angle);
    *overlap = 1.0;
}

static void square(double t, double x[2], double *overlap)
{
    const double side = fmod(4.0 * t, 4.0), part = side - floor(side);
    static const double corner[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
    const int k = (int)side;
    for (int c = 0; c < 2; ++c)
        x[c] = 0.7 * (corner[k][c] + part * (corner[k + 1][c] - corner[k][c]));
    *overlap = 1.0;
}

/* Pressed and let go while it goes round, twice as often. */
static void breathing(double t, double x[2], double *overlap)
{
    x[0] = 0.6 * sin(2.0 * PI * t);
    x[1] = 0.6 * (1.0 - cos(2.0 * PI * t));
    *overlap = 1.0 + 0.6 * sin(4.0 * PI * t);
}

static void open_row(path *p, const char *law)
{
    const dem_hertz hertz = oblique_hertz();
    dem_mindlin mindlin;
    MUST(dem_mindlin_init(&mindlin));
    mindlin.friction = OBLIQUE_FRICTION;
    path_open(p, &hertz, law, &mindlin);
    for (int k = 0; k < PATH_LANES; ++k)
        p->overlap[k] = PATH_OVERLAP;
    path_step(p);
}

static void follow(ledger *l, const char *name, path_place *place)
{
    static path p[2];
    static fine_row fine;
    const path_figures f = path_pair();
    enum { ROUNDS = 3, STEPS = 400 };
    const double none[2] = {0.0, 0.0};
    double sum[2] = {0.0, 0.0}, last[2] = {0.0, 0.0}, force[2], taken[2] = {0.0, 0.0};
    memset(&fine, 0, sizeof fine);
    open_row(&p[0], DEM_LAW_MINDLIN_DERESIEWICZ);
    open_row(&p[1], DEM_LAW_MINDLIN_DERESIEWICZ_32);
    fine_move(&fine, &f, PATH_OVERLAP, none, force);
    for (int s = 1; s <= ROUNDS * STEPS; ++s) {
        double x[2], overlap, step[2];
        place((double)s / STEPS, x, &overlap);
        for (int c = 0; c < 2; ++c) {
            step[c] = (x[c] - last[c]) * f.slip;
            last[c] = x[c];
        }
        fine_move(&fine, &f, overlap * PATH_OVERLAP, step, force);
        for (int r = 0; r < 2; ++r) {
            p[r].overlap[0] = overlap * PATH_OVERLAP;
            p[r].increment[0][0] = step[0];
            p[r].increment[1][0] = step[1];
            if (s == (ROUNDS - 1) * STEPS + 1)
                taken[r] = p[r].work[0];
            path_step(&p[r]);
            const double most = OBLIQUE_FRICTION * f.load;
            const double off[2] = {(p[r].force[0][0] - force[0]) / most,
                                   (p[r].force[1][0] - force[1]) / most};
            sum[r] += off[0] * off[0] + off[1] * off[1];
        }
    }
    char quantity[80];
    for (int r = 0; r < 2; ++r) {
        (void)snprintf(quantity, sizeof quantity, "%s_row%d_rms_over_mu_N", name, 16 << r);
        ledger_below(l, INTEGRATION, quantity, sqrt(sum[r] / (ROUNDS * STEPS)),
                     r == 0 ? 0.01 : 0.004);
        (void)snprintf(quantity, sizeof quantity, "%s_row%d_last_round_dissipates", name, 16 << r);
        ledger_above(l, BOUND, quantity,
                     (p[r].work[0] - taken[r]) / (OBLIQUE_FRICTION * f.load * f.slip), 0.01);
    }
    (void)snprintf(quantity, sizeof quantity, "%s_rms_row32_over_row16", name);
    ledger_below(l, ORDER, quantity, sqrt(sum[1] / sum[0]), 0.5);
}

void case_mindlin_plane(ledger *l)
{
    l->paper = "mindlin-deresiewicz";
    l->name = "two-directions";
    follow(l, "circle", circle);
    follow(l, "square", square);
    follow(l, "breathing", breathing);
}

/* A rotation: columns are the images of x, y and z. */
static void random_rotation(uint64_t *seed, double q[3][3])
{
    double a[4], square = 0.0;
    do {
        square = 0.0;
        for (int k = 0; k < 4; ++k) {
            a[k] = scene_random(seed, -1.0, 1.0);
            square += a[k] * a[k];
        }
    } while (square < 0.1 || square > 1.0);
    const double w = a[0] / sqrt(square), x = a[1] / sqrt(square), y = a[2] / sqrt(square),
                 z = a[3] / sqrt(square);
    const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    memcpy(q, m, sizeof m);
}

/* One path in 64 frames: lane 0 as it is, the others turned as a whole; of these the second half
 * also starts from a tangent frame of its own. */
static void turned(ledger *l, const char *law)
{
    static path p;
    const path_figures f = path_pair();
    const dem_hertz hertz = oblique_hertz();
    dem_mindlin mindlin;
    MUST(dem_mindlin_init(&mindlin));
    mindlin.friction = OBLIQUE_FRICTION;
    path_open(&p, &hertz, law, &mindlin);
    static double q[PATH_LANES][3][3];
    uint64_t seed = 4711;
    for (int k = 0; k < PATH_LANES; ++k) {
        random_rotation(&seed, q[k]);
        for (int r = 0; k == 0 && r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                q[k][r][c] = r == c ? 1.0 : 0.0;
        const double angle = scene_random(&seed, 0.0, 2.0 * PI);
        for (int r = 0; r < 3; ++r) {
            p.normal[r][k] = q[k][r][2];
            if (k >= PATH_LANES / 2 && strcmp(law, DEM_LAW_MINDLIN) != 0)
                p.state[r][k] = cos(angle) * q[k][r][0] + sin(angle) * q[k][r][1];
        }
    }
    double worst = 0.0, largest = 0.0;
    for (int s = 1; s <= 600; ++s) {
        const double overlap = (1.0 + 0.8 * sin(0.02 * s)) * PATH_OVERLAP;
        const double x = scene_random(&seed, -0.1, 0.1) * f.slip;
        const double y = scene_random(&seed, -0.1, 0.1) * f.slip;
        for (int k = 0; k < PATH_LANES; ++k) {
            p.overlap[k] = overlap;
            for (int r = 0; r < 3; ++r)
                p.increment[r][k] = x * q[k][r][0] + y * q[k][r][1];
        }
        path_step(&p);
        for (int k = 0; k < PATH_LANES; ++k)
            for (int c = 0; c < 3; ++c) {
                double back = 0.0;
                for (int r = 0; r < 3; ++r)
                    back += p.force[r][k] * q[k][r][c];
                worst = fmax(worst, fabs(back - p.force[c][0]));
                largest = fmax(largest, fabs(p.force[c][0]));
            }
    }
    char quantity[80];
    (void)snprintf(quantity, sizeof quantity, "%s_relative", law);
    ledger_below(l, CONSERVATION, quantity, worst / largest, 1e-12);
    (void)snprintf(quantity, sizeof quantity, "%s_acts", law);
    ledger_above(l, BOUND, quantity, largest / (OBLIQUE_FRICTION * f.load), 0.3);
}

void case_mindlin_frames(ledger *l)
{
    l->paper = "mindlin-deresiewicz";
    l->name = "turned-frames";
    turned(l, DEM_LAW_MINDLIN);
    turned(l, DEM_LAW_MINDLIN_DERESIEWICZ);
    turned(l, DEM_LAW_MINDLIN_DERESIEWICZ_32);
}

/* Two spinning spheres meet obliquely; `first` gets the lower id. Everything is turned so that no
 * axis is special. */
static void meet(const char *law, int swapped, double velocity[2][3], double angular_velocity[2][3],
                 double *balance)
{
    dem_hertz hertz = oblique_hertz();
    hertz.young[0] = hertz.young[1] = 1e9;
    hertz.restitution = 0.8;
    dem_mindlin mindlin;
    MUST(dem_mindlin_init(&mindlin));
    mindlin.friction = 0.3;
    dem_contact_model model;
    MUST(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = DEM_LAW_HERTZ, .parameters = &hertz};
    model.parts[1] = (dem_contact_part){.law = law, .parameters = &mindlin};
    model.lever_arm = DEM_ARM_CONTACT;
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, 0.0, &model);
    static const double x[2][3] = {{0.0, 0.0, 0.0}, {1.2e-3, 1.5e-3, 0.6e-3}};
    static const double v[2][3] = {{0.3, 0.1, -0.2}, {-0.5, -0.6, 0.4}};
    static const double w[2][3] = {{100.0, -50.0, 300.0}, {-200.0, 80.0, 120.0}};
    static const double r[2] = {1.2e-3, 0.8e-3};
    dem_particle_handle ball[2];
    for (int k = 0; k < 2; ++k) {
        const int b = swapped ? 1 - k : k;
        ball[b] = scene_sphere(world, x[b], r[b], 0.0);
        MUST(dem_particle_set_motion(world, ball[b], NULL, v[b], w[b]));
    }
    scene_step(world, 2e-8, 0);
    dem_world_energies e = scene_energies(world);
    const double before = scene_balance(&e);
    scene_step(world, 2e-8, 5000);
    e = scene_energies(world);
    *balance = scene_balance(&e) / before - 1.0;
    for (int b = 0; b < 2; ++b) {
        const dem_particle s = scene_get(world, ball[b]);
        memcpy(velocity[b], s.velocity, sizeof s.velocity);
        memcpy(angular_velocity[b], s.angular_velocity, sizeof s.angular_velocity);
    }
    dem_world_destroy(world);
}

void case_hertz_order_of_ids(ledger *l)
{
    static const char *const laws[4] = {DEM_LAW_MINDLIN, DEM_LAW_MINDLIN_DERESIEWICZ,
                                        DEM_LAW_MINDLIN_DERESIEWICZ_32, DEM_LAW_MINDLIN_THREE_CASE};
    l->paper = "libdem";
    l->name = "hertz-order-of-ids";
    for (int k = 0; k < 4; ++k) {
        double v[2][2][3], w[2][2][3], balance[2], off = 0.0, turned_by = 0.0;
        for (int s = 0; s < 2; ++s)
            meet(laws[k], s, v[s], w[s], &balance[s]);
        for (int b = 0; b < 2; ++b)
            for (int c = 0; c < 3; ++c) {
                off = fmax(off, fabs(v[0][b][c] - v[1][b][c]));
                off = fmax(off, 1e-3 * fabs(w[0][b][c] - w[1][b][c]));
                turned_by = fmax(turned_by, fabs(w[0][b][c]));
            }
        char quantity[80];
        (void)snprintf(quantity, sizeof quantity, "%s_m_s", laws[k]);
        ledger_below(l, CONSERVATION, quantity, off, 1e-11);
        (void)snprintf(quantity, sizeof quantity, "%s_energy", laws[k]);
        ledger_near(l, CONSERVATION, quantity, balance[0], 0.0, 1e-6);
        (void)snprintf(quantity, sizeof quantity, "%s_turns", laws[k]);
        ledger_above(l, BOUND, quantity, turned_by, 320.0);
    }
}
