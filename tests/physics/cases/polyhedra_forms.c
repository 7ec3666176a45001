/* SPDX-License-Identifier: MIT */
/* Laws for polyhedra against closed forms: what they give for shapes that have an exact solution,
 * deep lenses, faces and corners; boxes whose faces, edges and corners coincide; and what a pair
 * costs. */
#include "cases.h"
#include "polyhedra_rig.h"

#include <math.h>
#include <time.h>

static const double PI = 3.14159265358979323846;

/* The force of a law for E* 1 from volume and area. */
static double force_of(int32_t law, double radius, double volume, double area)
{
    const poly_hit h = poly_hit_of(law, 1.0, radius);
    dem_polyhedron_contact contact = {.struct_size = sizeof contact};
    dem_polyhedron_load load = {.struct_size = sizeof load};
    contact.state = DEM_POLYHEDRON_TOUCHING;
    contact.volume = volume;
    contact.area = area;
    contact.normal[2] = 1.0;
    MUST(dem_polyhedron_force(&h.law, &contact, 0.0, &load, NULL));
    dem_polyhedron_search_destroy(h.search);
    return load.elastic_force;
}

/* ------------------------------------------------------------------ punches */

/* The profile r^n on a half space (Sneddon 1965): the force for the overlap 1 over E*. */
static double punch_force(double n)
{
    const double turn = 0.5 * sqrt(PI) * n * tgamma(0.5 * n) / tgamma(0.5 * n + 0.5);
    return 2.0 * n / (n + 1.0) * pow(1.0 / turn, 1.0 / n);
}

/* DEPTH over the exact force of round punches; it is exact for r^2 alone. */
static void punches(ledger *l)
{
    static const struct {
        const char *name;
        double n, sheet;
    } profiles[3] = {{"depth_over_exact_cone", 1.0, 0.987},
                     {"depth_over_exact_r2", 2.0, 1.0},
                     {"depth_over_exact_r4", 4.0, 1.004}};
    for (int k = 0; k < 3; ++k) {
        const double n = profiles[k].n, volume = PI * n / (n + 2.0);
        ledger_near(l, SHEET, profiles[k].name,
                    force_of(DEM_POLYHEDRON_LAW_DEPTH, 1.0, volume, PI) / punch_force(n),
                    profiles[k].sheet, 6e-4);
    }
    /* F = 2 E* a d */
    ledger_near(l, SHEET, "depth_over_exact_flat",
                force_of(DEM_POLYHEDRON_LAW_DEPTH, 1.0, 1e-3 * PI, PI) / 2e-3, 0.943, 6e-4);
}

/* Complete elliptic integrals of the first and second kind of k^2 = m, by means. */
static void elliptic(double m, double *first, double *second)
{
    double a = 1.0, g = sqrt(1.0 - m), sum = 0.5 * m, power = 0.5;
    for (int n = 0; n < 40; ++n) {
        const double c = 0.5 * (a - g), root = sqrt(a * g);
        a = 0.5 * (a + g);
        g = root;
        power *= 2.0;
        sum += power * c * c;
    }
    *first = 0.5 * PI / a;
    *second = *first * (1.0 - sum);
}

/* A paraboloid A x^2 + B y^2 whose contact has the half axes 1 and 1/sqrt(1 - m), for p0/E* = 1
 * (Johnson, Contact Mechanics, Sec. 4.2). */
typedef struct ellipse {
    double ratio, mean; /* of the radii; their geometric mean */
    double overlap, force;
} ellipse;

static ellipse ellipse_of(double m)
{
    double first, second;
    elliptic(m, &first, &second);
    const double a = 1.0 / sqrt(1.0 - m);
    const double along = (first - second) / (m * a * a),
                 across = (a * a * second - first) / (m * a * a);
    return (ellipse){across / along, 0.5 / sqrt(along * across), first, 2.0 * PI * a / 3.0};
}

/* Hertz's ellipse: DEPTH over the exact force, and U(V) over DEPTH, which knows no curvature. */
static void ellipses(ledger *l)
{
    static const double ratio[4] = {2.0, 5.0, 10.0, 100.0}, sheet[4] = {0.990, 0.949, 0.902, 0.697};
    static char name[64];
    for (int k = 0; k < 4; ++k) {
        double low = 1e-9, high = 1.0 - 1e-9;
        for (int n = 0; n < 100; ++n) {
            const double m = 0.5 * (low + high);
            *(ellipse_of(m).ratio < ratio[k] ? &low : &high) = m;
        }
        const ellipse e = ellipse_of(low);
        const double area = 2.0 * PI * e.mean * e.overlap, volume = 0.5 * area * e.overlap;
        const double depth = force_of(DEM_POLYHEDRON_LAW_DEPTH, 1.0, volume, area);
        snprintf(name, sizeof name, "depth_over_exact_ellipse_%g", ratio[k]);
        ledger_near(l, SHEET, name, depth / e.force, sheet[k], 6e-4);
        snprintf(name, sizeof name, "volume_over_depth_ellipse_%g", ratio[k]);
        ledger_near(l, CLOSED_FORM, name,
                    force_of(DEM_POLYHEDRON_LAW_VOLUME, 3.0, volume, area) / depth,
                    pow(e.mean / 3.0, 0.75), 1e-9);
    }
}

/* ------------------------------------------------------------------ lenses, faces, corners */

/* The orientation of a body whose mesh is turned so: its axes are the principal ones. */
static void turned(const dem_polyhedron *shape, const double turn[4], double q[4])
{
    dem_polyhedron_properties is = {.struct_size = sizeof is};
    MUST(dem_polyhedron_properties_get(shape, &is));
    const double *p = is.orientation;
    q[0] = turn[0] * p[0] - turn[1] * p[1] - turn[2] * p[2] - turn[3] * p[3];
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        q[1 + c] = turn[0] * p[1 + c] + turn[1 + c] * p[0] + turn[1 + d] * p[1 + e] -
                   turn[1 + e] * p[1 + d];
    }
}

/* Two spheres of radius 1, over Hertz's law. */
static void lenses(ledger *l)
{
    static const double overlap[3] = {0.1, 0.4, 1.6}, volume_law[3] = {0.971, 0.885, 0.555},
                        depth_law[3] = {0.996, 0.984, 0.947};
    static char name[64];
    for (int k = 0; k < 3; ++k) {
        const double h = 0.5 * overlap[k], area = PI * h * (2.0 - h),
                     volume = 2.0 * PI * h * h * (3.0 - h) / 3.0,
                     hertz = 4.0 / 3.0 * sqrt(0.5) * pow(overlap[k], 1.5);
        snprintf(name, sizeof name, "volume_over_hertz_lens_%g", overlap[k]);
        ledger_near(l, SHEET, name, force_of(DEM_POLYHEDRON_LAW_VOLUME, 0.5, volume, area) / hertz,
                    volume_law[k], 6e-4);
        snprintf(name, sizeof name, "depth_over_hertz_lens_%g", overlap[k]);
        ledger_near(l, SHEET, name, force_of(DEM_POLYHEDRON_LAW_DEPTH, 0.5, volume, area) / hertz,
                    depth_law[k], 6e-4);
    }
}

/* The force of a body on the plane z = 0 by a law. */
static double on_plane(poly_hit *h, poly_body *b, double height)
{
    b->x[2] = height;
    h->peak = 0.0;
    poly_forces(h, b, NULL, 0.0);
    return h->peak;
}

/* How the force of a cube's face and corner grows with the overlap. */
static void powers_of_overlap(ledger *l)
{
    dem_polyhedron *cube = poly_box(1.0, 1.0, 1.0);
    poly_body b = poly_body_of(cube, 1.0);
    for (int corner = 0; corner < 2; ++corner) {
        /* (1, 1, 1) points down */
        const double height = corner ? sqrt(3.0) : 1.0,
                     half = corner ? 0.5 * (PI - acos(1.0 / sqrt(3.0))) : 0.0,
                     turn[4] = {cos(half), -sqrt(0.5) * sin(half), sqrt(0.5) * sin(half), 0.0};
        turned(cube, turn, b.q);
        for (int square = 0; square < 2; ++square) {
            static const char *const names[2][2] = {
                {"power_of_face", "power_of_corner"},
                {"power_of_face_volume_square", "power_of_corner_volume_square"}};
            static const double power[2][2] = {{0.25, 2.75}, {1.0, 5.0}};
            poly_hit h = poly_hit_of(
                square ? DEM_POLYHEDRON_LAW_VOLUME_SQUARE : DEM_POLYHEDRON_LAW_VOLUME, 1.0, 1.0);
            const double low = on_plane(&h, &b, height - 0.01),
                         high = on_plane(&h, &b, height - 0.02);
            ledger_near(l, CLOSED_FORM, names[square][corner], log2(high / low),
                        power[square][corner], 1e-9);
            dem_polyhedron_search_destroy(h.search);
        }
    }
    dem_polyhedron_destroy(cube);
}

/* A face that hangs over another by half: S is tilted by overlap/length of what they share. */
static void overhang(ledger *l)
{
    const double overlap = 0.01, length = 1.0;
    static const double none[4] = {1.0, 0.0, 0.0, 0.0};
    dem_polyhedron *shape[2] = {poly_box(1.0, 1.0, 1.0), poly_box(1.0, 0.8, 1.0)};
    poly_hit h = poly_hit_of(DEM_POLYHEDRON_LAW_VOLUME, 1.0, 1.0);
    poly_body a = poly_body_of(shape[0], 1.0), b = poly_body_of(shape[1], 1.0);
    turned(shape[0], none, a.q);
    turned(shape[1], none, b.q);
    b.x[0] = 2.0 - length;
    b.x[2] = 2.0 - overlap;
    poly_forces(&h, &a, &b, 0.0);
    ledger_near(l, CLOSED_FORM, "tilt_of_overhang", a.force[0] / a.force[2], overlap / length,
                1e-9);
    dem_polyhedron_search_destroy(h.search);
    dem_polyhedron_destroy(shape[0]);
    dem_polyhedron_destroy(shape[1]);
}

void case_polyhedra_forms(ledger *l)
{
    l->paper = "libdem";
    l->name = "polyhedra-forms";
    punches(l);
    ellipses(l);
    lenses(l);
    powers_of_overlap(l);
    overhang(l);
}

/* ------------------------------------------------------------------ aligned boxes */

/* Half a side, and the middle, on a grid of quarters. */
static double on_grid(test_random *random, uint64_t places, double first)
{
    return 0.25 * (first + (double)(test_random_bits(random) % places));
}

/* Boxes with parallel sides in 20,000 places, three of four on a grid where faces, edges and
 * corners coincide. */
void case_polyhedra_aligned(ledger *l)
{
    enum { PAIRS = 20000 };
    test_random random = {88172645463325252u};
    poly_hit h = poly_hit_of(DEM_POLYHEDRON_LAW_VOLUME, 1.0, 1.0);
    int repeats = 0, wrong = 0;
    double worst = 0.0;
    for (int k = 0; k < PAIRS; ++k) {
        double half[2][3], apart[3], both = 1.0;
        for (int c = 0; c < 3; ++c) {
            for (int b = 0; b < 2; ++b)
                half[b][c] = k % 4 < 3 ? on_grid(&random, 4, 1.0) : test_uniform(&random, 0.2, 1.0);
            apart[c] = k % 4 < 3 ? on_grid(&random, 9, -4.0) : test_uniform(&random, -1.0, 1.0);
            both *= fmax(0.0, fmin(half[0][c], apart[c] + half[1][c]) -
                                  fmax(-half[0][c], apart[c] - half[1][c]));
        }
        dem_polyhedron *shape[2];
        dem_polyhedron_motion m[2];
        dem_polyhedron_contact contact = {.struct_size = sizeof contact};
        double turn[4];
        poly_turn(&random, turn);
        for (int b = 0; b < 2; ++b) {
            shape[b] = poly_box(half[b][0], half[b][1], half[b][2]);
            MUST(dem_polyhedron_motion_init(&m[b]));
            m[b].shape = shape[b];
            m[b].id = (uint64_t)b + 1;
            turned(shape[b], turn, m[b].orientation);
        }
        for (int c = 0; c < 3; ++c)
            m[1].position[c] = apart[c];
        dem_kernel_rotation_to_space(turn, m[1].position);
        MUST(dem_polyhedron_search_pair(h.search, &m[0], &m[1], NULL, &contact));
        const double off = fabs(contact.volume - both);
        repeats += contact.repeats > 0;
        wrong += off > 1e-6;
        worst = fmax(worst, off);
        dem_polyhedron_destroy(shape[0]);
        dem_polyhedron_destroy(shape[1]);
    }
    l->paper = "libdem";
    l->name = "polyhedra-aligned";
    ledger_below(l, SHEET, "volume_error", worst, 1.2e-9);
    ledger_near(l, CLOSED_FORM, "wrong_volumes", wrong, 0.0, 0.0);
    /* without its check of areas the other program had 5 wrong */
    ledger_show(l, SHEET, "repeated_share", (double)repeats / PAIRS, 0.31);
    dem_polyhedron_search_destroy(h.search);
}

/* ------------------------------------------------------------------ costs */

/* Microseconds a pair of spheres of triangles, a new pair in each call: the least of some rounds.
 */
static double microseconds(dem_polyhedron_search *search, const dem_polyhedron *ball,
                           double overlap)
{
    enum { PAIRS = 100, ROUNDS = 5 };
    static dem_polyhedron_motion m[PAIRS][2];
    test_random random = {88172645463325252u};
    double best = 1e9;
    for (int k = 0; k < PAIRS; ++k) {
        double n[3];
        test_unit(&random, n);
        for (int b = 0; b < 2; ++b) {
            MUST(dem_polyhedron_motion_init(&m[k][b]));
            m[k][b].shape = ball;
            m[k][b].id = (uint64_t)b + 1;
            poly_turn(&random, m[k][b].orientation);
            for (int c = 0; c < 3; ++c)
                m[k][b].position[c] = b * (2.0 - overlap) * n[c];
        }
    }
    for (int round = 0; round < ROUNDS; ++round) {
        dem_polyhedron_contact contact = {.struct_size = sizeof contact};
        const clock_t begin = clock();
        for (int k = 0; k < PAIRS; ++k)
            MUST(dem_polyhedron_search_pair(search, &m[k][0], &m[k][1], NULL, &contact));
        best = fmin(best, (double)(clock() - begin) / CLOCKS_PER_SEC / PAIRS);
    }
    return 1e6 * best;
}

void case_polyhedra_costs(ledger *l)
{
    static const double overlap[4] = {-0.0005, 0.01, 0.02, 0.05},
                        sheet[2][4] = {{1.0, 11.0, 18.0, 36.0}, {0.0, 39.0, 62.0, 123.0}};
    poly_hit h = poly_hit_of(DEM_POLYHEDRON_LAW_VOLUME, 1.0, 1.0);
    static char name[64];
    l->paper = "libdem";
    l->name = "polyhedra-costs";
    for (int level = 3; level <= 4; ++level) {
        dem_polyhedron *ball = poly_ellipsoid(level, 1.0, 1.0, 1.0);
        for (int k = 0; k < 4; ++k) {
            if (k == 0)
                snprintf(name, sizeof name, "us_a_pair_%d_apart", 10 * (1 << 2 * level) + 2);
            else
                snprintf(name, sizeof name, "us_a_pair_%d_overlap_%g", 10 * (1 << 2 * level) + 2,
                         overlap[k]);
            ledger_show(l, SHEET, name, microseconds(h.search, ball, overlap[k]),
                        sheet[level - 3][k]);
        }
        dem_polyhedron_destroy(ball);
    }
    dem_polyhedron_search_destroy(h.search);
}
