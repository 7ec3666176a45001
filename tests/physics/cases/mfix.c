/* SPDX-License-Identifier: MIT */
/* Verification cases of MFIX (tests/dem of its source tree; parameters and figures only). */
#include "cases.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846, GRAVITY = 9.80665;

static double sphere_mass(double radius, double density)
{
    return density * 4.0 / 3.0 * PI * radius * radius * radius;
}

static void add_floor(dem_world *world)
{
    dem_wall wall;
    MUST(dem_wall_init(&wall));
    MUST(dem_wall_add(world, &wall, NULL));
}

/* Constant gravity: velocity-Verlet is exact but for round-off. */
void case_mfix_free_flight(ledger *l)
{
    l->paper = "mfix";
    l->name = "free-flight";
    const dem_linear law = scene_linear(1e4);
    const dem_contact_model model = scene_linear_model(&law);
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, -GRAVITY, &model);
    const double start[3] = {0.0, 0.0, 0.5}, velocity[3] = {0.3, -0.2, 1.0};
    const double angular_velocity[3] = {1.0, 2.0, -3.0};
    const dem_particle_handle ball = scene_sphere(world, start, 0.1, 1.0);
    MUST(dem_particle_set_motion(world, ball, NULL, velocity, angular_velocity));
    scene_step(world, 1e-3, 250);
    const dem_particle p = scene_get(world, ball);
    const double t = 0.25;
    ledger_near(l, CLOSED_FORM, "x_m", p.position[0], velocity[0] * t, 1e-14);
    ledger_near(l, CLOSED_FORM, "z_m", p.position[2],
                start[2] + (velocity[2] - 0.5 * GRAVITY * t) * t, 1e-14);
    ledger_near(l, CLOSED_FORM, "vz_m_s", p.velocity[2], velocity[2] - GRAVITY * t, 1e-13);
    ledger_near(l, CLOSED_FORM, "spin_rad_s", p.angular_velocity[2], angular_velocity[2], 0.0);
    dem_world_destroy(world);
}

/* Velocity of the released sphere at t: fall, damped oscillator, flight; contact ends where the
 * overlap is zero (tail kept) or where the force is (cut). */
static double bounce_exact(double t, double restitution, int cut)
{
    const double radius = 0.1, mass = sphere_mass(radius, 2600.0), k = 1e4, drop = 0.4;
    double ratio;
    if (cut)
        must(dem_kernel_damping_ratio_cut(restitution, &ratio), "damping ratio");
    else
        ratio = -log(restitution) / hypot(PI, log(restitution));
    const double touch = sqrt(2.0 * drop / GRAVITY), v0 = GRAVITY * touch;
    if (t < touch)
        return -GRAVITY * t;
    const double omega = sqrt(k / mass), decay = ratio * omega;
    const double damped = omega * sqrt(1.0 - ratio * ratio), rest = GRAVITY / (omega * omega);
    /* overlap = rest + exp(-decay s)(a cos + b sin) */
    const double a = -rest, b = (v0 + decay * a) / damped;
    double low = 0.5 * PI / damped, high = 1.2 * PI / damped;
    for (int i = 0; i < 200; ++i) {
        const double s = 0.5 * (low + high), c = cos(damped * s), z = sin(damped * s);
        const double overlap = rest + exp(-decay * s) * (a * c + b * z);
        const double rate =
            exp(-decay * s) * ((b * damped - decay * a) * c - (a * damped + decay * b) * z);
        const double sign = cut ? omega * omega * overlap + 2.0 * decay * rate : overlap;
        if (sign > 0.0)
            low = s;
        else
            high = s;
    }
    const double end = 0.5 * (low + high), s = fmin(t - touch, end);
    const double rate = exp(-decay * s) * ((b * damped - decay * a) * cos(damped * s) -
                                           (a * damped + decay * b) * sin(damped * s));
    return -rate - GRAVITY * fmax(0.0, t - touch - end);
}

static void bounce(const double time[2], int32_t normal, double velocity[2])
{
    dem_linear law = scene_linear(1e4);
    law.restitution = 0.9;
    law.normal = normal;
    const dem_contact_model model = scene_linear_model(&law);
    dem_world_config config;
    MUST(dem_world_config_init(&config));
    config.gravity[2] = -GRAVITY;
    config.overlap_limit = 1.0; /* the case is so soft that the overlap comes near the radius */
    dem_world *world = scene_world_of(&config, &model);
    const double start[3] = {0.0, 0.0, 0.5};
    add_floor(world);
    const dem_particle_handle ball = scene_sphere(world, start, 0.1, sphere_mass(0.1, 2600.0));
    const double dt = 1e-6;
    scene_step(world, dt, (uint64_t)llround(time[0] / dt));
    velocity[0] = scene_get(world, ball).velocity[2];
    scene_step(world, dt, (uint64_t)llround((time[1] - time[0]) / dt));
    velocity[1] = scene_get(world, ball).velocity[2];
    dem_world_destroy(world);
}

void case_mfix_bounce(ledger *l)
{
    static const double time[2] = {0.28607, 0.40050};
    double v[2];
    l->paper = "mfix";
    l->name = "DEM01-bounce";
    ledger_near(l, PRINTED | OF_ORACLE, "closed_form_v1_m_s", bounce_exact(time[0], 0.9, 0),
                -2.80255, 5e-6);
    ledger_near(l, PRINTED | OF_ORACLE, "closed_form_v2_m_s", bounce_exact(time[1], 0.9, 0),
                2.44538, 5e-6);
    bounce(time, DEM_NORMAL_ATTRACTIVE, v);
    ledger_near(l, CLOSED_FORM, "tail_v1_m_s", v[0], bounce_exact(time[0], 0.9, 0), 1e-5);
    ledger_near(l, CLOSED_FORM, "tail_v2_m_s", v[1], bounce_exact(time[1], 0.9, 0), 1e-5);
    bounce(time, DEM_NORMAL_CUT, v);
    ledger_near(l, CLOSED_FORM, "cut_v2_m_s", v[1], bounce_exact(time[1], 0.9, 1), 1e-5);
    ledger_near(l, SHEET, "cut_v2_sheet_m_s", v[1], 2.44448, 1e-5);
}

/* ------------------------------------------------------------ DEM03: two spheres in a press */

enum { N = 5 }; /* y1, y2, v1, v2, 1 */

static void multiply(const double a[N][N], const double b[N][N], double out[N][N])
{
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            out[i][j] = 0.0;
            for (int k = 0; k < N; ++k)
                out[i][j] += a[i][k] * b[k][j];
        }
}

/* exp(a t) by its series on t/2^20, squared twenty times. */
static void exponential(double a[N][N], double t, double out[N][N])
{
    double term[N][N] = {{0}}, next[N][N];
    const double h = ldexp(t, -20);
    memset(out, 0, sizeof(double[N][N]));
    for (int i = 0; i < N; ++i)
        term[i][i] = out[i][i] = 1.0;
    for (int order = 1; order <= 8; ++order) {
        multiply(term, a, next);
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j) {
                term[i][j] = next[i][j] * h / order;
                out[i][j] += term[i][j];
            }
    }
    for (int square = 0; square < 20; ++square) {
        multiply(out, out, next);
        memcpy(out, next, sizeof next);
    }
}

void case_mfix_stack(ledger *l)
{
    l->paper = "mfix";
    l->name = "DEM03-press";
    const double r = 0.5e-3, height = 1.8e-3, k = 1e3, e = 0.9, end = 1e-3;
    const double m1 = sphere_mass(r, 2e4), m2 = sphere_mass(r, 1e4), pair = m1 * m2 / (m1 + m2);
    const double ratio = -log(e) / hypot(PI, log(e));
    const double low = 2.0 * ratio * sqrt(m1 * k), high = 2.0 * ratio * sqrt(m2 * k);
    const double mid = 2.0 * ratio * sqrt(pair * k);
    /* overlaps r - y1, 2 r - (y2 - y1), y2 + r - height stay positive: the equations are linear */
    double a[N][N] = {
        {0, 0, 1, 0, 0},
        {0, 0, 0, 1, 0},
        {-2 * k / m1, k / m1, -(low + mid) / m1, mid / m1, (k * r - 2 * k * r) / m1 - GRAVITY},
        {k / m2, -2 * k / m2, mid / m2, -(mid + high) / m2,
         (2 * k * r - k * (r - height)) / m2 - GRAVITY},
        {0, 0, 0, 0, 0}};
    const double y0[2] = {0.25 * height, 0.75 * height};
    dem_linear law = scene_linear(k);
    law.restitution = e;
    law.normal = DEM_NORMAL_ATTRACTIVE;
    const dem_contact_model model = scene_linear_model(&law);
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, -GRAVITY, &model);
    dem_wall lid;
    add_floor(world);
    MUST(dem_wall_init(&lid));
    lid.point[2] = height;
    lid.normal[2] = -1.0;
    MUST(dem_wall_add(world, &lid, NULL));
    const double start[2][3] = {{0, 0, y0[0]}, {0, 0, y0[1]}};
    const dem_particle_handle lower = scene_sphere(world, start[0], r, m1);
    const dem_particle_handle upper = scene_sphere(world, start[1], r, m2);
    const double dt = 2e-7;
    const uint64_t steps = (uint64_t)llround(end / dt / 4.0);
    double worst_y = 0.0, worst_v = 0.0, largest_v = 0.0, least = 1.0;
    for (int quarter = 1; quarter <= 4; ++quarter) {
        double map[N][N];
        scene_step(world, dt, steps);
        exponential(a, 0.25 * end * quarter, map);
        const dem_particle p[2] = {scene_get(world, lower), scene_get(world, upper)};
        double y[2];
        for (int i = 0; i < 2; ++i) {
            y[i] = map[i][0] * y0[0] + map[i][1] * y0[1] + map[i][4];
            const double v = map[2 + i][0] * y0[0] + map[2 + i][1] * y0[1] + map[2 + i][4];
            worst_y = fmax(worst_y, fabs(p[i].position[2] - y[i]));
            worst_v = fmax(worst_v, fabs(p[i].velocity[2] - v));
            largest_v = fmax(largest_v, fabs(v));
        }
        least = fmin(least, fmin(r - y[0], fmin(2 * r - y[1] + y[0], y[1] + r - height)));
    }
    const double swing = (0.2e-3 / 3.0) - 0.05e-3; /* start from the middle of the oscillation */
    ledger_above(l, BOUND, "least_overlap_m", least, 0.0);
    ledger_near(l, BOUND, "contacts", (double)scene_counts(world).contacts, 3.0, 0.0);
    ledger_below(l, CLOSED_FORM, "position_error_over_swing", worst_y / swing, 1e-4);
    ledger_below(l, CLOSED_FORM, "velocity_error_over_largest", worst_v / largest_v, 1e-4);
    dem_world_destroy(world);
}

/* ------------------------------------------------------------ DEM04: sliding turns into rolling */

void case_mfix_rolling(ledger *l)
{
    l->paper = "mfix";
    l->name = "DEM04-slide-to-roll";
    const double r = 0.5e-3, m = sphere_mass(r, 1e4), k = 1e4, u0 = 0.1, friction = 0.2;
    dem_linear law = scene_linear(k);
    law.stiffness_tangential = k;
    law.friction = friction;
    const dem_contact_model model = scene_linear_model(&law);
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, -GRAVITY, &model);
    const double start[3] = {0.0, 0.0, r - m * GRAVITY / k}, velocity[3] = {u0, 0.0, 0.0};
    add_floor(world);
    const dem_particle_handle ball = scene_sphere(world, start, r, m);
    MUST(dem_particle_set_motion(world, ball, NULL, velocity, NULL));
    const double dt = PI * sqrt(m / k) / 50.0, unit = u0 / (friction * GRAVITY);
    dem_particle p;
    do {
        scene_step(world, dt, 1);
        p = scene_get(world, ball);
    } while (p.velocity[0] > r * p.angular_velocity[1] && dem_world_time(world) < unit);
    ledger_near(l, CLOSED_FORM, "end_of_sliding", dem_world_time(world) / unit, 2.0 / 7.0, 1e-4);
    ledger_near(l, CLOSED_FORM, "velocity", p.velocity[0] / u0, 5.0 / 7.0, 1e-4);
    ledger_near(l, CLOSED_FORM, "angular-velocity", p.angular_velocity[1] * r / u0, 5.0 / 7.0,
                1e-4);
    /* it goes on rolling; the undamped spring swings by mu g sqrt(m/k_t) at most */
    scene_step(world, dt, (uint64_t)(0.5 * unit / dt));
    p = scene_get(world, ball);
    const double swing = friction * GRAVITY * sqrt(m / k) / u0;
    ledger_near(l, CLOSED_FORM, "velocity_later", p.velocity[0] / u0, 5.0 / 7.0, swing);
    ledger_near(l, CLOSED_FORM, "spin_later", p.angular_velocity[1] * r / u0, 5.0 / 7.0, swing);
    dem_world_destroy(world);
}

/* ------------------------------------------------------------ two spheres that spin in touch */

static const double PRESS = 0.1, SPIN = 1000.0, RUB = 0.2, SPHERE = 0.5e-3;

/* Presses two equal spheres together along x, spinning about z, and steps for a time. */
static void spin_pair(double angular_velocity_i, double angular_velocity_j, double time,
                      dem_particle out[2])
{
    const double k = 1e8, m = sphere_mass(SPHERE, 1e4); /* stiff: the spring loads at once */
    const double steps = ceil(time / (PI * sqrt(0.5 * m / k) / 200.0));
    dem_linear law = scene_linear(k);
    law.friction = RUB;
    const dem_contact_model model = scene_linear_model(&law);
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, 0.0, &model);
    dem_particle_handle ball[2];
    for (int i = 0; i < 2; ++i) {
        const double side = i == 0 ? 1.0 : -1.0;
        const double x[3] = {side * (SPHERE - 0.5 * PRESS / k), 0.0, 0.0};
        const double force[3] = {-side * PRESS, 0.0, 0.0};
        const double angular_velocity[3] = {0.0, 0.0,
                                            i == 0 ? angular_velocity_i : angular_velocity_j};
        ball[i] = scene_sphere(world, x, SPHERE, m);
        MUST(dem_particle_set_motion(world, ball[i], NULL, NULL, angular_velocity));
        MUST(dem_particle_set_force(world, ball[i], force, NULL));
    }
    scene_step(world, time / steps, (uint64_t)steps);
    for (int i = 0; i < 2; ++i)
        out[i] = scene_get(world, ball[i]);
    dem_world_destroy(world);
}

void case_mfix_spins(ledger *l)
{
    l->paper = "mfix";
    l->name = "two-spins";
    const double m = sphere_mass(SPHERE, 1e4), fall = 2.5 * RUB * PRESS / (m * SPHERE);
    const double time = 0.5 * SPIN / fall;
    dem_particle p[2];
    /* like spins rub: both fall by 5 mu F t/(2 m r), the centres are pushed apart sideways */
    spin_pair(SPIN, SPIN, time, p);
    ledger_near(l, CLOSED_FORM, "like_spins_fall_to", p[0].angular_velocity[2] / SPIN, 0.5, 5e-4);
    ledger_near(l, CLOSED_FORM, "like_spins_fall_alike",
                (p[0].angular_velocity[2] - p[1].angular_velocity[2]) / SPIN, 0.0, 1e-12);
    /* the press keeps its axis while the normal turns, so y'' = F (mu + y/r)/m */
    const double rate = sqrt(PRESS / (m * SPHERE));
    const double sideways = RUB * PRESS / m * sinh(rate * time) / rate;
    ledger_near(l, CLOSED_FORM, "sideways_velocity", p[0].velocity[1] / sideways, 1.0, 5e-4);
    ledger_near(l, CLOSED_FORM, "momentum",
                (p[0].velocity[1] + p[1].velocity[1]) / p[0].velocity[1], 0.0, 1e-12);
    /* opposite spins turn like gears: nothing rubs */
    spin_pair(SPIN, -SPIN, time, p);
    ledger_near(l, CLOSED_FORM, "opposite_spin_kept_i", p[0].angular_velocity[2] / SPIN, 1.0,
                1e-12);
    ledger_near(l, CLOSED_FORM, "opposite_spin_kept_j", p[1].angular_velocity[2] / SPIN, -1.0,
                1e-12);
    ledger_near(l, CLOSED_FORM, "opposite_no_side_force", p[0].velocity[1] / (SPIN * SPHERE), 0.0,
                1e-12);
}
