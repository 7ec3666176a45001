/* SPDX-License-Identifier: MIT */
/**
 * @file rates.c
 * Kernels of integrators: the rate form of the continuous slider, and orientations.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/random.h"

#include <dem/dem.h>
#include <float.h>
#include <string.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Führer, Eq. (11): work of the force goes into the spring, the dashpot and the slip; slip only
 * takes energy; and the force keeps Coulomb's limit. */
static void rate_balances(void **state)
{
    (void)state;
    test_random random = test_random_start("rate_balances");
    for (int n = 0; n < 200000; ++n) {
        const double k = test_decades(&random, -3, 6), gamma = test_decades(&random, -3, 3);
        const double limit = n % 10 == 0 ? 0.0 : test_decades(&random, -4, 4);
        double v[3], xi[3], rate[3], force[3], slip[3];
        test_unit(&random, v);
        test_unit(&random, xi);
        const double speed = test_decades(&random, -4, 2), far = test_decades(&random, -6, 0);
        for (int c = 0; c < 3; ++c) {
            v[c] *= speed;
            xi[c] *= far;
        }
        dem_kernel_tangential_csds_rate(k, gamma, limit, v, xi, rate, force);
        for (int c = 0; c < 3; ++c)
            slip[c] = v[c] - rate[c];
        const double scale =
            (k * far + gamma * speed + limit) * (speed + (k * far + limit) / gamma);
        const double balance = k * dot(xi, rate) + gamma * dot(rate, rate) - dot(force, slip);
        assert_true(fabs(balance + dot(force, v)) <= 64.0 * DBL_EPSILON * scale);
        assert_true(-dot(force, slip) >= -64.0 * DBL_EPSILON * scale);
        assert_true(sqrt(dot(force, force)) <=
                    limit + 8.0 * DBL_EPSILON * (k * far + gamma * speed + limit));
    }
}

/* The return mapping with a short step gives the same force and, divided by dt, the same rate. */
static void rate_is_the_limit_of_the_mapping(void **state)
{
    (void)state;
    test_random random = test_random_start("rate_is_the_limit");
    int slid = 0;
    for (int n = 0; n < 20000; ++n) {
        const double k = test_decades(&random, 0, 2), gamma = test_decades(&random, 0, 1);
        const double limit = test_decades(&random, -1, 1), dt = 1e-9;
        double v[3], xi[3], rate[3], force[3], moved[3], mapped[3];
        test_unit(&random, v);
        test_unit(&random, xi);
        memcpy(moved, xi, sizeof moved);
        dem_kernel_tangential_csds_rate(k, gamma, limit, v, xi, rate, force);
        dem_kernel_tangential_csds(k, gamma, limit, dt, v, moved, mapped);
        slid += rate[0] != v[0];
        for (int c = 0; c < 3; ++c) {
            assert_true(fabs(mapped[c] - force[c]) < 1e-6);
            assert_true(fabs((moved[c] - xi[c]) / dt - rate[c]) < 2e-4);
        }
    }
    assert_true(slid > 1000 && slid < 19500);
    /* without a dashpot: sticks with v, and has no rate beyond the limit */
    const double v[3] = {1.0, 2.0, 0.0}, xi[3] = {0.0, 3.0, 0.0};
    double rate[3], force[3];
    dem_kernel_tangential_csds_rate(2.0, 0.0, 7.0, v, xi, rate, force);
    assert_memory_equal(rate, v, sizeof rate);
    dem_kernel_tangential_csds_rate(2.0, 0.0, 5.0, v, xi, rate, force);
    assert_true(rate[0] == 0.0 && rate[1] == 0.0 && force[1] == -5.0);
}

/* Turns a vector of the body into space. */
static void to_space(const double q[4], const double r[3], double out[3])
{
    const double u[3] = {q[1], q[2], q[3]};
    const double t[3] = {u[1] * r[2] - u[2] * r[1], u[2] * r[0] - u[0] * r[2],
                         u[0] * r[1] - u[1] * r[0]};
    const double s[3] = {u[1] * t[2] - u[2] * t[1], u[2] * t[0] - u[0] * t[2],
                         u[0] * t[1] - u[1] * t[0]};
    for (int c = 0; c < 3; ++c)
        out[c] = r[c] + 2.0 * (q[0] * t[c] + s[c]);
}

/* Against Rodrigues' rotation by 2 atan(w dt/2), as the kernel says; undone by -dt. */
static void orientation_turns(void **state)
{
    (void)state;
    /* a quarter turn about z takes x to y */
    double q[4] = {1.0, 0.0, 0.0, 0.0}, y[3];
    const double angular_velocity[3] = {0.0, 0.0, 2.0}, x[3] = {1.0, 0.0, 0.0};
    dem_kernel_rotate_orientation(angular_velocity, 1.0, q);
    to_space(q, x, y);
    assert_true(fabs(y[0]) < 1e-15 && fabs(y[1] - 1.0) < 1e-15 && y[2] == 0.0);

    test_random random = test_random_start("orientation");
    double walk[4] = {1.0, 0.0, 0.0, 0.0}, worst = 0.0;
    for (int n = 0; n < 200000; ++n) {
        double axis[3], w[3], body[3], before[3], after[3], start[4];
        test_unit(&random, axis);
        test_unit(&random, body);
        const double rate = test_uniform(&random, -20.0, 20.0), dt = test_decades(&random, -4, 0);
        for (int c = 0; c < 3; ++c)
            w[c] = rate * axis[c];
        memcpy(start, walk, sizeof start);
        to_space(walk, body, before);
        dem_kernel_rotate_orientation(w, dt, walk);
        to_space(walk, body, after);
        const double angle = 2.0 * atan(0.5 * rate * dt), along = dot(axis, before);
        const double side[3] = {axis[1] * before[2] - axis[2] * before[1],
                                axis[2] * before[0] - axis[0] * before[2],
                                axis[0] * before[1] - axis[1] * before[0]};
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(after[c] - (cos(angle) * before[c] + sin(angle) * side[c] +
                                         (1.0 - cos(angle)) * along * axis[c])) < 1e-14);
        worst = fmax(worst, fabs(walk[0] * walk[0] + dot(walk + 1, walk + 1) - 1.0));
        double back[4];
        memcpy(back, walk, sizeof back);
        dem_kernel_rotate_orientation(w, -dt, back);
        for (int c = 0; c < 4; ++c)
            assert_true(fabs(back[c] - start[c]) < 1e-15);
    }
    assert_true(worst < 1e-15);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_balances),
        cmocka_unit_test(rate_is_the_limit_of_the_mapping),
        cmocka_unit_test(orientation_turns),
    };
    return cmocka_run_group_tests_name("rates", tests, NULL, NULL);
}
