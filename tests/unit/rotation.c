/* SPDX-License-Identifier: MIT */
/**
 * @file rotation.c
 * Rotation of rigid bodies: what is kept, the order, closed forms, the way back, and steps that
 * turn too far.
 */
#include "../support/cmocka.h"
#include "../support/random.h"
#include "../support/top.h"

#include <dem/rotation.h>

#include <math.h>
#include <string.h>

/* The length of the quaternion stays 1, and the energy of a free body what it was. */
static void free_body(void **state)
{
    (void)state;
    const double inertia[3] = {1.0, 2.0, 3.0}, w[3] = {0.6, 0.5, 0.6};
    top t = top_of(inertia, top_upright, w);
    const double e0 = top_energy(&t), l0[3] = {t.l[0], t.l[1], t.l[2]};
    double most = 0.0;
    for (int n = 0; n < 200000; ++n) {
        assert_int_equal(top_step(&t, 0.01), DEM_OK);
        most = fmax(most, fabs(top_energy(&t) / e0 - 1.0));
    }
    assert_true(most < 5e-14);
    assert_memory_equal(t.l, l0, sizeof l0);
    double length = 0.0;
    for (int c = 0; c < 4; ++c)
        length += t.q[c] * t.q[c];
    assert_true(fabs(length - 1.0) < 1e-15);
}

static void flips(void **state)
{
    (void)state;
    const double period = 33.1949970089;
    const double coarse = top_flip_period(period / 1000.0) / period - 1.0,
                 fine = top_flip_period(period / 4000.0) / period - 1.0;
    assert_true(fabs(coarse + 1.146e-5) < 2e-8 || fabs(coarse - 1.146e-5) < 2e-8);
    assert_true(fabs(coarse / fine - 16.0) < 0.2);
}

static void symmetric_top(void **state)
{
    (void)state;
    const double errors[3] = {top_symmetric_error(0.02), top_symmetric_error(0.01),
                              top_symmetric_error(0.005)};
    assert_true(errors[0] < 7e-4 && errors[0] > 5e-4);
    assert_true(fabs(errors[0] / errors[1] - 4.0) < 0.02 &&
                fabs(errors[1] / errors[2] - 4.0) < 0.02);
}

static void heavy_top_energy(void **state)
{
    (void)state;
    top t = top_heavy();
    const double e0 = top_energy(&t);
    double first = 0.0, second = 0.0;
    for (int n = 0; n < 200000; ++n) {
        assert_int_equal(top_step(&t, 0.01), DEM_OK);
        const double off = fabs(top_energy(&t) / e0 - 1.0);
        *(n < 100000 ? &first : &second) = fmax(n < 100000 ? first : second, off);
    }
    assert_true(fabs(e0 - 6.06) < 0.005);
    /* bounded, and no larger in the second half */
    assert_true(first < 2e-5 && second < 1.05 * first);
}

static void reversal(void **state)
{
    (void)state;
    top t = top_heavy();
    const top begin = t;
    for (int n = 0; n < 20000; ++n)
        assert_int_equal(top_step(&t, 0.005), DEM_OK);
    for (int n = 0; n < 20000; ++n)
        assert_int_equal(top_step(&t, -0.005), DEM_OK);
    for (int c = 0; c < 4; ++c)
        assert_true(fabs(t.q[c] - begin.q[c]) < 1e-12);
    for (int c = 0; c < 3; ++c)
        assert_true(fabs(t.l[c] - begin.l[c]) < 1e-12);
}

/* A body with equal moments has the bits of a sphere. */
static void sphere_bits(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x9E3779B97F4A7C15)};
    for (int n = 0; n < 1000; ++n) {
        double inertia[3], q[4], w[3], l[3], drift[3];
        inertia[0] = inertia[1] = inertia[2] = test_uniform(&random, 1e-9, 3.0);
        for (int c = 0; c < 4; ++c)
            q[c] = test_uniform(&random, -1.0, 1.0);
        dem_kernel_rotate_orientation((const double[3]){0.0, 0.0, 0.0}, 0.0, q);
        for (int c = 0; c < 3; ++c)
            w[c] = test_uniform(&random, -10.0, 10.0);
        double expected[4] = {q[0], q[1], q[2], q[3]};
        dem_kernel_rotate_orientation(w, 0.01, expected);
        dem_kernel_rotation_momentum(inertia, q, w, l);
        assert_memory_equal(l, w, sizeof w);
        assert_int_equal(dem_kernel_rotation_drift(inertia, 0.01, l, q, drift), DEM_OK);
        assert_memory_equal(drift, w, sizeof w);
        assert_memory_equal(q, expected, sizeof q);
    }
}

/* Angular velocity and momentum are each other's inverse, and a point moves along the chord. */
static void chord(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0xD1B54A32D192ED03)};
    for (int n = 0; n < 1000; ++n) {
        const double a = test_uniform(&random, 0.1, 2.0), b = test_uniform(&random, 0.1, 2.0);
        const double inertia[3] = {a, b, test_uniform(&random, fabs(a - b), a + b)};
        double q[4], w[3], l[3], back[3], half[3], d0[3], d1[3];
        for (int c = 0; c < 4; ++c)
            q[c] = test_uniform(&random, -1.0, 1.0);
        dem_kernel_rotate_orientation((const double[3]){0.0, 0.0, 0.0}, 0.0, q);
        for (int c = 0; c < 3; ++c) {
            w[c] = test_uniform(&random, -1.0, 1.0);
            d0[c] = d1[c] = test_uniform(&random, -1.0, 1.0);
        }
        dem_kernel_rotation_momentum(inertia, q, w, l);
        dem_kernel_rotation_velocity(inertia, q, l, back);
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(back[c] - w[c]) < 1e-12 * (1.0 + fabs(l[c]) * 20.0));
        const double dt = 0.1;
        dem_kernel_rotation_to_space(q, d0);
        assert_int_equal(dem_kernel_rotation_drift(inertia, dt, l, q, half), DEM_OK);
        dem_kernel_rotation_to_space(q, d1);
        for (int c = 0; c < 3; ++c) {
            const int x = (c + 1) % 3, y = (c + 2) % 3;
            const double arm_x = 0.5 * (d0[x] + d1[x]), arm_y = 0.5 * (d0[y] + d1[y]);
            assert_true(fabs(d0[c] + dt * (half[x] * arm_y - half[y] * arm_x) - d1[c]) < 1e-14);
        }
    }
}

/* A needle that turns by more than two radians in a step. */
static void too_far(void **state)
{
    (void)state;
    const double inertia[3] = {1.0, 0.9, 0.12}, w[3] = {1.0, 0.8, 1.5};
    top t = top_of(inertia, top_upright, w);
    const top begin = t;
    int refused = 0;
    for (double dt = 0.01; dt < 1e4; dt *= 1.5) {
        const dem_status status = dem_kernel_rotation_drift(t.inertia, dt, t.l, t.q, t.w);
        assert_true(status == DEM_OK || status == DEM_ERROR_RANGE);
        if (status == DEM_ERROR_RANGE)
            assert_memory_equal(&t, &begin, sizeof t);
        refused += status == DEM_ERROR_RANGE;
        t = begin;
    }
    assert_true(refused > 0);
    t.l[1] = NAN;
    assert_int_equal(dem_kernel_rotation_drift(t.inertia, 0.1, t.l, t.q, t.w), DEM_ERROR_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_body),     cmocka_unit_test(flips),
        cmocka_unit_test(symmetric_top), cmocka_unit_test(heavy_top_energy),
        cmocka_unit_test(reversal),      cmocka_unit_test(sphere_bits),
        cmocka_unit_test(chord),         cmocka_unit_test(too_far),
    };
    return cmocka_run_group_tests_name("rotation", tests, NULL, NULL);
}
