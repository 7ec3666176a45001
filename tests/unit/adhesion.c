/* SPDX-License-Identifier: MIT */
/**
 * @file adhesion.c
 * Kernels of the adhesive laws: the cube root, and the JKR equation solved over many decades.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/random.h"

#include <dem/dem.h>

#define PI 3.14159265358979323846

static void cube_root(void **state)
{
    (void)state;
    test_random random = test_random_start("cube root");
    double worst = 0.0;
    for (int n = 0; n < 300000; ++n) {
        const double x = test_decades(&random, -90.0, 90.0), y = dem_kernel_cube_root(x);
        const long double exact = cbrtl((long double)x);
        worst = fmax(worst, (double)fabsl((long double)y / exact - 1.0L));
    }
    print_message("# cube root: relative error %.2g\n", worst);
    assert_true(worst < 1e-15);
    assert_true(fabs(dem_kernel_cube_root(27.0) - 3.0) < 1e-15);
    assert_true(dem_kernel_cube_root(0.0) == 0.0 && dem_kernel_cube_root(-1.0) == 0.0);
}

/* What is left of y^4 - 4 b^3 y = R overlap, over the size of its terms and the round-off with
 * which the overlap is known. */
static void jkr_equation(void **state)
{
    (void)state;
    test_random random = test_random_start("jkr equation");
    double worst = 0.0;
    for (int n = 0; n < 300000; ++n) {
        const double radius = test_decades(&random, -7.0, 1.0);
        const double young = test_decades(&random, 3.0, 12.0);
        const double work = n % 16 == 0 ? 0.0 : test_decades(&random, -6.0, 2.0);
        const double b = dem_kernel_jkr_neck(radius, young, work);
        const double gap = dem_kernel_jkr_gap(radius, b);
        const long double snap = cbrtl(PI * work * (long double)radius * radius / (8.0L * young));
        if (work > 0.0)
            assert_true(fabsl(b * (long double)b / snap - 1.0L) < 4e-15L);
        else
            assert_true(b == 0.0 && gap == 0.0);
        /* from the snap to where adhesion is nothing */
        const double scale = work > 0.0 ? gap : radius;
        const double overlap = -gap + scale * test_decades(&random, -14.0, 8.0);
        const long double y = dem_kernel_jkr_root(radius, b, overlap);
        assert_true(y >= b);
        const long double left =
            y * y * y * y - 4.0L * b * b * b * y - (long double)radius * overlap;
        const long double size = y * y * y * y + 4.0L * b * b * b * y;
        worst = fmax(worst, (double)(fabsl(left) / size));
    }
    print_message("# jkr equation: left over %.2g\n", worst);
    assert_true(worst < 4e-15);
}

/* The same where powers of the lengths leave the range of doubles: there the radius times the
 * overlap is known to the least double, as is the gap. */
static void jkr_equation_out_of_range(void **state)
{
    (void)state;
    test_random random = test_random_start("jkr equation out of range");
    for (int n = 0; n < 300000; ++n) {
        const double radius = test_decades(&random, -7.0, 1.0);
        const double b = n % 4 == 0 ? 0.0 : test_decades(&random, -85.0, 70.0);
        const double gap = dem_kernel_jkr_gap(radius, b);
        const double overlap = b == 0.0     ? test_decades(&random, -323.5, 300.0)
                               : n % 4 == 1 ? test_decades(&random, -323.5, 1.0)
                                            : gap * test_decades(&random, -14.0, 8.0) - gap;
        const long double y = dem_kernel_jkr_root(radius, b, overlap);
        if (!(y >= b && y < 1e80L))
            fail_msg("radius %g, b %g, overlap %g: root %Lg", radius, b, overlap, y);
        const long double fourth = y * y * y * y, pull = 4.0L * b * b * b * y;
        const long double left = fourth - pull - (long double)radius * overlap;
        if (!(fabsl(left) <= 4e-15L * (fourth + pull) + 1e-323L * (2.0L + radius)))
            fail_msg("radius %g, b %g, overlap %g: left over %Lg of %Lg", radius, b, overlap, left,
                     fourth + pull);
    }
    double a;
    const double least = dem_kernel_normal_jkr(1e-3, 1e9, 0.0, 0x1p-1074, &a);
    assert_true(least == 0.0 && a == 0.0);
    /* Hertz's force, 4/3 E* sqrt(R*) overlap^(3/2) */
    const double small = dem_kernel_normal_jkr(1.0, 1e9, 0.0, 1e-208, &a);
    assert_true(fabs(small / (4.0 / 3.0 * 1e-303) - 1.0) < 1e-14);
    assert_true(fabs(a / 1e-104 - 1.0) < 1e-14);
}

/* The force is the slope of the energy, and the limits have their closed forms. */
static void jkr_energy(void **state)
{
    (void)state;
    test_random random = test_random_start("jkr energy");
    for (int n = 0; n < 20000; ++n) {
        const double radius = test_decades(&random, -6.0, 0.0);
        const double young = test_decades(&random, 4.0, 11.0);
        const double work = test_decades(&random, -4.0, 1.0), pull = 1.5 * PI * work * radius;
        const double b = dem_kernel_jkr_neck(radius, young, work);
        const double gap = dem_kernel_jkr_gap(radius, b);
        const double at = gap * test_uniform(&random, -0.95, 5.0), h = 1e-4 * gap;
        const double up = dem_kernel_jkr_root(radius, b, at + h);
        const double down = dem_kernel_jkr_root(radius, b, at - h);
        const double slope = (dem_kernel_jkr_energy(radius, young, b, up) -
                              dem_kernel_jkr_energy(radius, young, b, down)) /
                             (2.0 * h);
        double a;
        const double force = dem_kernel_normal_jkr(radius, young, work, at, &a);
        assert_true(fabs(slope - force) < 1e-5 * pull);
        assert_true(force >= -pull * (1.0 + 1e-14));
        /* touch: -8/9 of the pull-off, energy -0.6 pi w a^2 */
        const double touch = dem_kernel_normal_jkr(radius, young, work, 0.0, &a);
        assert_true(fabs(touch / pull + 8.0 / 9.0) < 1e-13);
        const double energy = dem_kernel_jkr_energy(radius, young, b, sqrt(a));
        assert_true(fabs(energy / (PI * work * a * a) + 0.6) < 1e-13);
        /* equilibrium: a^3 = 9 pi w R^2/(2 E) */
        a = cbrt(4.5 * PI * work * radius * radius / young);
        const double rest = a * a / radius - sqrt(2.0 * PI * work * a / young);
        assert_true(fabs(dem_kernel_normal_jkr(radius, young, work, rest, &a)) < 1e-12 * pull);
        assert_true(dem_kernel_normal_jkr(radius, young, work, -1.0001 * gap, &a) == 0.0 &&
                    a == 0.0);
        /* far beyond adhesion, and without it: Hertz */
        const double deep = 0.1 * radius, hertz = 4.0 / 3.0 * young * sqrt(radius) * pow(deep, 1.5);
        const double bare = dem_kernel_normal_jkr(radius, young, 0.0, deep, &a);
        assert_true(fabs(bare / hertz - 1.0) < 1e-14);
        assert_true(fabs(a / sqrt(radius * deep) - 1.0) < 1e-14);
        const double dmt = dem_kernel_normal_dmt(radius, young, work, deep);
        assert_true(fabs(dmt + 2.0 * PI * work * radius - hertz) < 1e-13 * (hertz + pull));
        assert_true(dem_kernel_normal_dmt(radius, young, work, 0.0) == 0.0);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_root),
        cmocka_unit_test(jkr_equation),
        cmocka_unit_test(jkr_equation_out_of_range),
        cmocka_unit_test(jkr_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
