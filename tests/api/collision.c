/* SPDX-License-Identifier: MIT */
/**
 * @file collision.c
 * Collision parameters: what is out of range is refused and nothing is written; arrays give the
 * bits of single calls for any stride.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/random.h"

#include <dem/dem.h>
#include <string.h>

static const double POISON = -12345.5;

/* The call must fail so, and leave a, b and c alone. */
#define REFUSED(status, call)                                                                      \
    do {                                                                                           \
        double a = POISON, b = POISON, c = POISON;                                                 \
        (void)c;                                                                                   \
        assert_int_equal((call), (status));                                                        \
        assert_true(a == POISON && b == POISON && c == POISON);                                    \
    } while (0)

#define OUT_OF_RANGE(call) REFUSED(DEM_ERROR_RANGE, call)
#define NO_POINTER(call) REFUSED(DEM_ERROR_ARGUMENT, call)

static const double wrong_always[] = {NAN, -NAN, INFINITY, -INFINITY, -1.0, -0x1p-1074};

static void ranges(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof wrong_always / sizeof wrong_always[0]; ++n) {
        const double x = wrong_always[n];
        OUT_OF_RANGE(dem_collision_forward(x, &a, &b));
        OUT_OF_RANGE(dem_collision_inverse(x, &a, &b));
        OUT_OF_RANGE(dem_collision_series(x, &a, &b, &c));
        OUT_OF_RANGE(dem_collision_paper_forward(x, &a, &b));
        OUT_OF_RANGE(dem_collision_paper_inverse(x, &a, &b));
        OUT_OF_RANGE(dem_collision_params(x, 1.0, 0.5, 1.0, &a, &b));
        OUT_OF_RANGE(dem_collision_params(1.0, x, 0.5, 1.0, &a, &b));
        OUT_OF_RANGE(dem_collision_params(1.0, 1.0, x, 1.0, &a, &b));
        OUT_OF_RANGE(dem_collision_params(1.0, 1.0, 0.5, x, &a, &b));
        OUT_OF_RANGE(dem_collision_paper_params(x, 1.0, 0.5, 1.0, &a, &b));
        OUT_OF_RANGE(dem_collision_paper_params(1.0, x, 0.5, 1.0, &a, &b));
        OUT_OF_RANGE(dem_collision_paper_params(1.0, 1.0, x, 1.0, &a, &b));
        OUT_OF_RANGE(dem_collision_paper_params(1.0, 1.0, 0.5, x, &a, &b));
    }
    const double above = nextafter(1.0, 2.0);
    OUT_OF_RANGE(dem_collision_forward(DEM_COLLISION_LAMBDA_CRITICAL, &a, &b));
    OUT_OF_RANGE(dem_collision_forward(0.57, &a, &b));
    OUT_OF_RANGE(dem_collision_forward(1e300, &a, &b));
    OUT_OF_RANGE(dem_collision_series(DEM_COLLISION_LAMBDA_CRITICAL, &a, &b, &c));
    OUT_OF_RANGE(dem_collision_inverse(above, &a, &b));
    OUT_OF_RANGE(dem_collision_inverse(0.0, &a, &b));
    OUT_OF_RANGE(dem_collision_inverse(nextafter(1e-4, 0.0), &a, &b));
    OUT_OF_RANGE(dem_collision_paper_forward(0.7481, &a, &b));
    OUT_OF_RANGE(dem_collision_paper_inverse(0.01802, &a, &b));
    OUT_OF_RANGE(dem_collision_paper_inverse(above, &a, &b));
    OUT_OF_RANGE(dem_collision_params(0.99e-50, 1.0, 0.5, 1.0, &a, &b));
    OUT_OF_RANGE(dem_collision_params(1.0, 1.01e50, 0.5, 1.0, &a, &b));
    OUT_OF_RANGE(dem_collision_params(1.0, 1.0, 0.5, 0.0, &a, &b));
    double a, b;
    OK(dem_collision_inverse(1e-4, &a, &b));
    OK(dem_collision_paper_inverse(0.01804, &a, &b));
    OK(dem_collision_paper_forward(0.7480, &a, &b));
    /* the corners of what is taken give finite numbers > 0 */
    for (int n = 0; n < 16; ++n) {
        OK(dem_collision_params((n & 1) != 0 ? 1e50 : 1e-50, (n & 2) != 0 ? 1e50 : 1e-50,
                                (n & 4) != 0 ? 1e-4 : 0.9, (n & 8) != 0 ? 1e50 : 1e-50, &a, &b));
        assert_true(isnormal(a) && isnormal(b) && a > 0.0 && b > 0.0);
    }
    /* nothing damps: exactly */
    OK(dem_collision_inverse(1.0, &a, &b));
    assert_true(a == 0.0 && !signbit(a) && b == DEM_COLLISION_TIME_UNDAMPED);
    OK(dem_collision_forward(0.0, &a, &b));
    assert_true(fabs(a - 1.0) < 1e-15 && fabs(b - DEM_COLLISION_TIME_UNDAMPED) < 2e-15);
}

static void setup_ranges(void **state)
{
    (void)state;
    static const double wrong_more[] = {0.0, 0.9e-50, 1.1e50};
    for (size_t n = 0; n < 9; ++n) {
        const double x = n < 6 ? wrong_always[n] : wrong_more[n - 6];
        OUT_OF_RANGE(dem_collision_time_hooke(x, 1.0, &a));
        OUT_OF_RANGE(dem_collision_time_hooke(1.0, x, &a));
        OUT_OF_RANGE(dem_collision_time_hooke_damped(x, 1.0, 0.1, &a));
        OUT_OF_RANGE(dem_collision_time_hooke_damped(1.0, x, 0.1, &a));
        OUT_OF_RANGE(dem_collision_time_hertz(x, 1.0, 1.0, 1.0, &a));
        OUT_OF_RANGE(dem_collision_time_hertz(1.0, x, 1.0, 1.0, &a));
        OUT_OF_RANGE(dem_collision_time_hertz(1.0, 1.0, x, 1.0, &a));
        OUT_OF_RANGE(dem_collision_time_hertz(1.0, 1.0, 1.0, x, &a));
        OUT_OF_RANGE(dem_collision_overlap_hertz(x, 1.0, 1.0, 1.0, &a));
        OUT_OF_RANGE(dem_collision_overlap_hertz(1.0, x, 1.0, 1.0, &a));
        OUT_OF_RANGE(dem_collision_overlap_hertz(1.0, 1.0, x, 1.0, &a));
        OUT_OF_RANGE(dem_collision_overlap_hertz(1.0, 1.0, 1.0, x, &a));
        OUT_OF_RANGE(dem_collision_young_from_overlap(x, 1.0, 1.0, 1.0, &a));
        OUT_OF_RANGE(dem_collision_young_from_overlap(1.0, x, 1.0, 1.0, &a));
        OUT_OF_RANGE(dem_collision_young_from_overlap(1.0, 1.0, x, 1.0, &a));
        OUT_OF_RANGE(dem_collision_young_from_overlap(1.0, 1.0, 1.0, x, &a));
        OUT_OF_RANGE(dem_collision_stiffness_from_time(x, 1.0, 1.0, 1.0, &a));
        OUT_OF_RANGE(dem_collision_stiffness_from_time(1.0, x, 1.0, 1.0, &a));
        OUT_OF_RANGE(dem_collision_stiffness_from_time(1.0, 1.0, x, 1.0, &a));
        OUT_OF_RANGE(dem_collision_stiffness_from_time(1.0, 1.0, 1.0, x, &a));
        OUT_OF_RANGE(dem_collision_stiffness_from_overlap(x, 1.0, 1.0, &a));
        OUT_OF_RANGE(dem_collision_stiffness_from_overlap(1.0, x, 1.0, &a));
        OUT_OF_RANGE(dem_collision_stiffness_from_overlap(1.0, 1.0, x, &a));
        OUT_OF_RANGE(dem_collision_stiffness_ratio(0.3, x, 0.3, 1.0, &a));
        OUT_OF_RANGE(dem_collision_stiffness_ratio(0.3, 1.0, 0.3, x, &a));
        OUT_OF_RANGE(dem_collision_damping_hooke(x, 1.0, 0.5, DEM_NORMAL_CUT, &a));
        OUT_OF_RANGE(dem_collision_damping_hooke(1.0, x, 0.5, DEM_NORMAL_CUT, &a));
        OUT_OF_RANGE(dem_collision_damping_hertz(x, 1.0, 1.0, 0.5, DEM_NORMAL_CUT, &a));
        OUT_OF_RANGE(dem_collision_damping_hertz(1.0, x, 1.0, 0.5, DEM_NORMAL_CUT, &a));
        OUT_OF_RANGE(dem_collision_damping_hertz(1.0, 1.0, x, 0.5, DEM_NORMAL_CUT, &a));
        OUT_OF_RANGE(dem_collision_softening_step(x, &a));
        OUT_OF_RANGE(dem_collision_softening_factor(x, &a));
        OUT_OF_RANGE(dem_collision_step_rayleigh(x, 1.0, 1.0, 0.3, &a));
        OUT_OF_RANGE(dem_collision_step_rayleigh(1.0, x, 1.0, 0.3, &a));
        OUT_OF_RANGE(dem_collision_step_rayleigh(1.0, 1.0, x, 0.3, &a));
        OUT_OF_RANGE(dem_collision_size_ratio_critical(x, &a));
    }
    for (size_t n = 0; n < 6; ++n) {
        const double x = n == 4 ? -1.01 : n == 5 ? 0.51 : wrong_always[n];
        OUT_OF_RANGE(dem_collision_stiffness_ratio(x, 1.0, 0.3, 1.0, &a));
        OUT_OF_RANGE(dem_collision_stiffness_ratio(0.3, 1.0, x, 1.0, &a));
        OUT_OF_RANGE(dem_collision_step_rayleigh(1.0, 1.0, 1.0, x, &a));
    }
    OUT_OF_RANGE(dem_collision_time_hooke_damped(1.0, 1.0, 2.0, &a));
    OUT_OF_RANGE(dem_collision_time_hooke_damped(1.0, 1.0, -0.1, &a));
    OUT_OF_RANGE(dem_collision_time_hooke_damped(1.0, 1.0, NAN, &a));
    OUT_OF_RANGE(dem_collision_damping_hooke(1.0, 1.0, 0.0, DEM_NORMAL_ATTRACTIVE, &a));
    OUT_OF_RANGE(dem_collision_damping_hooke(1.0, 1.0, 1.5, DEM_NORMAL_CUT, &a));
    OUT_OF_RANGE(dem_collision_damping_hertz(1.0, 1.0, 1.0, NAN, DEM_NORMAL_CUT, &a));
    REFUSED(DEM_ERROR_UNKNOWN, dem_collision_damping_hooke(1.0, 1.0, 0.5, 2, &a));
    REFUSED(DEM_ERROR_UNKNOWN, dem_collision_damping_hertz(1.0, 1.0, 1.0, 0.5, -1, &a));
    OUT_OF_RANGE(dem_collision_softening_step(1.01, &a));
    OUT_OF_RANGE(dem_collision_softening_factor(0.99, &a));
    for (int k = 0; k < 2; ++k) { /* both ends of the range of Poisson's ratio */
        double a;
        const double nu = k == 0 ? -1.0 : 0.5;
        OK(dem_collision_stiffness_ratio(nu, 2.0, nu, 2.0, &a));
        assert_true(fabs(a - 2.0 * (1.0 - nu) / (2.0 - nu)) < 1e-15);
        OK(dem_collision_step_rayleigh(1.0, 1.0, 1.0, nu, &a));
        assert_true(fabs(a - 3.14159265358979323846 / (0.1631 * nu + 0.8766)) < 1e-14);
    }
}

static void pointers(void **state)
{
    (void)state;
    NO_POINTER(dem_collision_forward(0.1, NULL, &b));
    NO_POINTER(dem_collision_forward(0.1, &a, NULL));
    NO_POINTER(dem_collision_inverse(0.5, NULL, &b));
    NO_POINTER(dem_collision_inverse(0.5, &a, NULL));
    NO_POINTER(dem_collision_params(1.0, 1.0, 0.5, 1.0, NULL, &b));
    NO_POINTER(dem_collision_params(1.0, 1.0, 0.5, 1.0, &a, NULL));
    NO_POINTER(dem_collision_series(0.1, NULL, &b, &c));
    NO_POINTER(dem_collision_series(0.1, &a, NULL, &c));
    NO_POINTER(dem_collision_series(0.1, &a, &b, NULL));
    NO_POINTER(dem_collision_paper_forward(0.1, NULL, &b));
    NO_POINTER(dem_collision_paper_forward(0.1, &a, NULL));
    NO_POINTER(dem_collision_paper_inverse(0.5, NULL, &b));
    NO_POINTER(dem_collision_paper_inverse(0.5, &a, NULL));
    NO_POINTER(dem_collision_paper_params(1.0, 1.0, 0.5, 1.0, NULL, &b));
    NO_POINTER(dem_collision_paper_params(1.0, 1.0, 0.5, 1.0, &a, NULL));
    NO_POINTER(dem_collision_time_hooke(1.0, 1.0, NULL));
    NO_POINTER(dem_collision_time_hooke_damped(1.0, 1.0, 0.0, NULL));
    NO_POINTER(dem_collision_time_hertz(1.0, 1.0, 1.0, 1.0, NULL));
    NO_POINTER(dem_collision_overlap_hertz(1.0, 1.0, 1.0, 1.0, NULL));
    NO_POINTER(dem_collision_young_from_overlap(1.0, 1.0, 1.0, 1.0, NULL));
    NO_POINTER(dem_collision_stiffness_from_time(1.0, 1.0, 1.0, 1.0, NULL));
    NO_POINTER(dem_collision_stiffness_from_overlap(1.0, 1.0, 1.0, NULL));
    NO_POINTER(dem_collision_stiffness_ratio(0.3, 1.0, 0.3, 1.0, NULL));
    NO_POINTER(dem_collision_damping_hooke(1.0, 1.0, 0.5, DEM_NORMAL_CUT, NULL));
    NO_POINTER(dem_collision_damping_hertz(1.0, 1.0, 1.0, 0.5, DEM_NORMAL_CUT, NULL));
    NO_POINTER(dem_collision_softening_step(0.1, NULL));
    NO_POINTER(dem_collision_softening_factor(2.0, NULL));
    NO_POINTER(dem_collision_step_rayleigh(1.0, 1.0, 1.0, 0.3, NULL));
    NO_POINTER(dem_collision_size_ratio_critical(0.5, NULL));
}

/* ------------------------------------------------------------------ arrays */

enum { ROWS = 203 };

/* Numbers of one collision between other data of a host's. */
typedef struct row {
    double mass;
    int32_t other;
    int32_t more;
    double speed, restitution, time, first, second;
} row;

static void fill(row *rows, test_random *random)
{
    for (int k = 0; k < ROWS; ++k)
        rows[k] = (row){.mass = test_decades(random, -9.0, 3.0),
                        .speed = test_decades(random, -6.0, 2.0),
                        .restitution = test_decades(random, -4.0, 0.0),
                        .time = test_decades(random, -7.0, -1.0),
                        .first = POISON,
                        .second = POISON};
    rows[7].restitution = 1.0;
    rows[8].restitution = 1e-4;
    rows[9].restitution = nextafter(1.0, 0.0);
}

static void arrays(void **state)
{
    (void)state;
    test_random random = test_random_start("arrays of collisions");
    row rows[ROWS];
    fill(rows, &random);
    static const uint64_t counts[] = {1, 7, 8, 9, 63, 64, 65, 128, ROWS};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c) {
        const uint64_t n = counts[c], s = sizeof(row);
        double lambda[ROWS + 1], tau[ROWS + 1], packed[ROWS];
        for (int k = 0; k < ROWS; ++k) {
            packed[k] = rows[k].restitution;
            rows[k].first = rows[k].second = POISON;
        }
        lambda[n] = tau[n] = POISON;
        OK(dem_collision_inverse_array(n, packed, 0, lambda, 0, tau, 0, NULL));
        assert_true(lambda[n] == POISON && tau[n] == POISON);
        OK(dem_collision_params_array(n, &rows->mass, s, &rows->speed, s, &rows->restitution, s,
                                      &rows->time, s, &rows->first, s, &rows->second, s, NULL));
        for (uint64_t k = 0; k < n; ++k) {
            double a, b;
            OK(dem_collision_inverse(packed[k], &a, &b));
            assert_memory_equal(&a, &lambda[k], sizeof a);
            assert_memory_equal(&b, &tau[k], sizeof b);
            OK(dem_collision_params(rows[k].mass, rows[k].speed, rows[k].restitution, rows[k].time,
                                    &a, &b));
            assert_memory_equal(&a, &rows[k].first, sizeof a);
            assert_memory_equal(&b, &rows[k].second, sizeof b);
        }
        for (uint64_t k = n; k < ROWS; ++k)
            assert_true(rows[k].first == POISON && rows[k].second == POISON);
        /* in place */
        OK(dem_collision_inverse_array(n, packed, 0, packed, 0, tau, 0, NULL));
        assert_memory_equal(packed, lambda, n * sizeof(double));
    }
}

static void arrays_refuse(void **state)
{
    (void)state;
    test_random random = test_random_start("arrays of collisions, refused");
    row rows[ROWS];
    fill(rows, &random);
    const uint64_t s = sizeof(row);
    uint64_t bad = 999;
#define ALL(n)                                                                                     \
    dem_collision_params_array(n, &rows->mass, s, &rows->speed, s, &rows->restitution, s,          \
                               &rows->time, s, &rows->first, s, &rows->second, s, &bad)
    static const uint64_t places[] = {0, 5, 64, 100, ROWS - 1};
    for (size_t p = 0; p < sizeof places / sizeof places[0]; ++p)
        for (int field = 0; field < 4; ++field) {
            row *r = &rows[places[p]];
            double *const value = field == 0   ? &r->mass
                                  : field == 1 ? &r->speed
                                  : field == 2 ? &r->restitution
                                               : &r->time;
            const double kept = *value;
            *value = field == 2 ? 1.5 : NAN;
            bad = 999;
            assert_int_equal(ALL(ROWS), DEM_ERROR_RANGE);
            assert_int_equal(bad, places[p]);
            for (int k = 0; k < ROWS; ++k)
                assert_true(rows[k].first == POISON && rows[k].second == POISON);
            bad = 999;
            if (places[p] > 0) {
                OK(ALL(places[p])); /* what lies behind is not looked at */
                assert_int_equal(bad, 999);
                fill(rows, &random);
            } else {
                *value = kept;
            }
        }
#undef ALL
    double x[2] = {0.5, 0.0}, y[2] = {POISON, POISON}, z[2] = {POISON, POISON};
    assert_int_equal(dem_collision_inverse_array(2, x, 0, y, 0, z, 0, NULL), DEM_ERROR_RANGE);
    assert_int_equal(dem_collision_inverse_array(2, NULL, 0, y, 0, z, 0, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_collision_inverse_array(2, x, 0, NULL, 0, z, 0, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_collision_inverse_array(2, x, 0, y, 0, NULL, 0, NULL), DEM_ERROR_ARGUMENT);
    for (int n = 0; n < 6; ++n) {
        const double *in[4] = {x, x, x, x};
        double *out[2] = {y, z};
        if (n < 4)
            in[n] = NULL;
        else
            out[n - 4] = NULL;
        assert_int_equal(dem_collision_params_array(1, in[0], 0, in[1], 0, in[2], 0, in[3], 0,
                                                    out[0], 0, out[1], 0, NULL),
                         DEM_ERROR_ARGUMENT);
    }
    OK(dem_collision_inverse_array(0, NULL, 0, NULL, 0, NULL, 0, NULL));
    assert_true(y[0] == POISON && z[0] == POISON && y[1] == POISON && z[1] == POISON);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges), cmocka_unit_test(setup_ranges),  cmocka_unit_test(pointers),
        cmocka_unit_test(arrays), cmocka_unit_test(arrays_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
