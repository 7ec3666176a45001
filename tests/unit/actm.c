/* SPDX-License-Identifier: MIT */
/**
 * @file actm.c
 * Kernels of the adaptive collision time model.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/random.h"

#include <dem/dem.h>
#include <float.h>

static void root5(void **state)
{
    (void)state;
    test_random random = test_random_start("fifth root");
    double worst = 0.0;
    for (int k = 0; k < 100000; ++k) {
        const double x =
            k % 2 == 0 ? test_decades(&random, -300.0, 300.0) : test_decades(&random, -3.0, 3.0);
        const long double y = dem_kernel_root5(x);
        worst = fmax(worst, (double)fabsl(y * y * y * y * y / x - 1.0L) / 5.0);
    }
    printf("# fifth root: worst relative error %.2g\n", worst);
    assert_true(worst < 1e-15);
    assert_true(dem_kernel_root5(1.0) == 1.0 && dem_kernel_root5(32.0) == 2.0);
    assert_true(dem_kernel_root5(0x1p-50) == 0x1p-10);
}

static double relative(double a, double b)
{
    return fabs(a / b - 1.0);
}

static void coefficients(void **state)
{
    (void)state;
    test_random random = test_random_start("k and d within bounds");
    for (int n = 0; n < 20000; ++n) {
        const double m = test_decades(&random, -9.0, 3.0), u = test_decades(&random, -6.0, 2.0);
        const double e = test_decades(&random, -3.9, 0.0), time = test_decades(&random, -7.0, -1.0);
        double lambda, tau, k, d, wanted, damping;
        assert_int_equal(dem_collision_inverse(e, &lambda, &tau), DEM_OK);
        assert_int_equal(dem_collision_params(m, u, e, time, &wanted, &damping), DEM_OK);
        double s = dem_kernel_actm(m, u, lambda, time / tau, 0.0, 2.0 * wanted, &k, &d);
        assert_true(k == wanted && d == damping && s == time / tau);
        /* bounds: k is theirs, and lambda, so restitution, that of before */
        const double low = wanted * test_decades(&random, 0.0, 8.0);
        const double high = wanted * test_decades(&random, -8.0, 0.0);
        s = dem_kernel_actm(m, u, lambda, time / tau, low, 2.0 * low, &k, &d);
        assert_true(k == low);
        assert_true(relative(s, pow(m * m / (k * k * u), 0.2)) < 1e-13);
        assert_true(relative(0.5 * d * s / m, lambda) < 1e-14);
        s = dem_kernel_actm(m, u, lambda, time / tau, 0.0, high, &k, &d);
        assert_true(k == high);
        assert_true(relative(s, pow(m * m / (k * k * u), 0.2)) < 1e-13);
        assert_true(relative(0.5 * d * s / m, lambda) < 1e-14);
        (void)dem_kernel_actm(m, u, lambda, time / tau, low, high, &k, &d);
        assert_true(k == high); /* the upper one counts */
    }
}

static void force(void **state)
{
    (void)state;
    assert_true(dem_kernel_normal_actm(2.0, 3.0, 0.25, -1.0) == 0.25 + 3.0);
    assert_true(dem_kernel_normal_actm(2.0, 3.0, 0.25, 1.0) == 0.25 - 3.0); /* attracts */
    assert_true(dem_kernel_normal_actm(2.0, 3.0, 0.0, -1.0) == 0.0);
    assert_true(dem_kernel_normal_actm(2.0, 3.0, -1.0, -1.0) == 0.0);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(root5),
        cmocka_unit_test(coefficients),
        cmocka_unit_test(force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
