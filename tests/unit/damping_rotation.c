/* SPDX-License-Identifier: MIT */
/**
 * @file damping_rotation.c
 * The set-up kernels (damping ratios), the kernels that turn a contact's history, and what limits
 * the rate of a drag.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/random.h"

#include "integrate/drag.h"

#include <dem/dem.h>
#include <float.h>
#include <string.h>

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double length(const double a[3])
{
    return sqrt(dot(a, a));
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/** One classical Runge-Kutta step of x'' = -x - 2 zeta x'. */
static void oscillate(double zeta, double h, double y[2])
{
    double k[4][2], at[2] = {y[0], y[1]};
    for (int s = 0; s < 4; ++s) {
        k[s][0] = at[1];
        k[s][1] = -at[0] - 2.0 * zeta * at[1];
        const double w = s < 2 ? 0.5 * h : h;
        for (int c = 0; c < 2; ++c)
            at[c] = y[c] + w * k[s][c];
    }
    for (int c = 0; c < 2; ++c)
        y[c] += h / 6.0 * (k[0][c] + 2.0 * k[1][c] + 2.0 * k[2][c] + k[3][c]);
}

/** Positive while the contact acts: the force if it may not attract, else the overlap. */
static double acting(double zeta, const double y[2], int attractive)
{
    return attractive ? y[0] : y[0] + 2.0 * zeta * y[1];
}

/** Rebound over impact speed of a bounce with damping ratio zeta, by integration. */
static double bounce(double zeta, int attractive)
{
    const double h = 1e-3;
    double y[2] = {0.0, 1.0};
    oscillate(zeta, h, y); /* off the start, where the overlap is zero too */
    for (;;) {
        const double before[2] = {y[0], y[1]};
        oscillate(zeta, h, y);
        if (acting(zeta, y, attractive) > 0.0)
            continue;
        double low = 0.0, high = h;
        for (int n = 0; n < 60; ++n) {
            const double middle = 0.5 * (low + high);
            memcpy(y, before, sizeof(y));
            oscillate(zeta, middle, y);
            if (acting(zeta, y, attractive) > 0.0)
                low = middle;
            else
                high = middle;
        }
        return -y[1];
    }
}

static void ratio_gives_the_restitution(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int n = 0; n <= 98; ++n) {
        const double e = 0.02 + 0.01 * n > 1.0 ? 1.0 : 0.02 + 0.01 * n;
        double cut = -1.0, attractive = -1.0;
        assert_int_equal(dem_kernel_damping_ratio_cut(e, &cut), DEM_OK);
        assert_int_equal(dem_kernel_damping_ratio_attractive(e, &attractive), DEM_OK);
        assert_true(cut >= 0.0 && attractive >= 0.0);
        worst = fmax(worst, fabs(bounce(cut, 0) - e));
        worst = fmax(worst, fabs(bounce(attractive, 1) - e));
    }
    printf("# largest difference of a bounce from the restitution asked for: %.2g\n", worst);
    /* RK4 at h = 1e-3 is good to 1e-11 here */
    assert_true(worst < 1e-10);
}

/* Both sides of zeta = 1 (e = exp(-2)), where the solver changes its form: no step, no noise. */
static void ratio_is_smooth_at_critical_damping(void **state)
{
    (void)state;
    double before = 0.0;
    for (int n = -4000; n <= 4000; ++n) {
        const double l = 1.0 + n * 1e-6;
        const double e = exp(-2.0 * l);
        double zeta = 0.0;
        assert_int_equal(dem_kernel_damping_ratio_cut(e, &zeta), DEM_OK);
        /* the closed form backwards, through the series of phi cot(phi) at small phi */
        const double q = zeta < 1.0 ? acos(zeta) * acos(zeta) : -acosh(zeta) * acosh(zeta);
        const double back =
            1.0 - q * (1.0 / 3.0 + q * (1.0 / 45.0 + q * (2.0 / 945.0 + q / 4725.0)));
        assert_true(fabs(back - l) < 1e-12);
        /* d zeta/dL = 3/2 at L = 1: zeta grows evenly, one step to the next */
        if (n > -4000)
            assert_true(fabs((zeta - before) - 1.5e-6) < 1e-8);
        before = zeta;
    }
}

/* Relative to a ratio that becomes small as e comes to 1, by the closed form backwards. */
static void ratio_keeps_its_digits_near_1(void **state)
{
    (void)state;
    double worst = 0.0;
    for (double less = 0.5; less > 1e-15; less *= 0.93) {
        const double e = 1.0 - less;
        double zeta = 0.0;
        assert_int_equal(dem_kernel_damping_ratio_cut(e, &zeta), DEM_OK);
        const long double z = zeta, back = z * acosl(z) / sqrtl(1.0L - z * z),
                          l = -0.5L * log1pl((long double)e - 1.0L);
        worst = fmax(worst, (double)fabsl(back / l - 1.0L));
    }
    printf("# largest relative error of L near e = 1: %.2g\n", worst);
    assert_true(worst < 1e-12);
}

static void ratio_matches_figures(void **state)
{
    (void)state;
    const double e[6] = {0.9, 0.7, 0.5, 0.3, 0.1, 0.01};
    const double zeta[6] = {0.034265204, 0.122214748, 0.255275638,
                            0.497239395, 1.243187851, 4.806941802};
    for (int n = 0; n < 6; ++n) {
        double got = 0.0;
        assert_int_equal(dem_kernel_damping_ratio_cut(e[n], &got), DEM_OK);
        assert_true(fabs(got - zeta[n]) < 6e-10); /* the figures' last digit, rounded */
    }
    double one = 0.5;
    assert_int_equal(dem_kernel_damping_ratio_cut(1.0, &one), DEM_OK);
    assert_true(one == 0.0); /* no trace of damping where none was asked for */
    one = 0.5;
    assert_int_equal(dem_kernel_damping_ratio_attractive(1.0, &one), DEM_OK);
    assert_true(one == 0.0);
    /* far end: zeta ~ 1/(2 sqrt e), to first order in e */
    double small = 0.0;
    assert_int_equal(dem_kernel_damping_ratio_cut(1e-12, &small), DEM_OK);
    assert_true(fabs(small * 2e-6 - 1.0) < 1e-4);
    /* Vyas et al., Eq. (31): eta = sqrt(4 m k/(1 + (pi/ln e)^2)) */
    double ratio = 0.0;
    assert_int_equal(dem_kernel_damping_ratio_attractive(0.8, &ratio), DEM_OK);
    const double pi = 3.14159265358979323846;
    const double eta = sqrt(4.0 * 0.003 * 5e4 / (1.0 + pow(pi / log(0.8), 2.0)));
    assert_true(fabs(dem_kernel_damping_linear(ratio, 0.003, 5e4) - eta) < 1e-14 * eta);
}

/* e with the force cut at 0 and the damping of the attractive form: larger than asked for. The
 * figures come from MODELS-2 and are rounded to four digits. */
static void uncorrected_damping_rebounds_faster(void **state)
{
    (void)state;
    const double got[9] = {.9020, .8081, .7182, .6323, .5503, .4720, .3971, .3249, .2527};
    for (int n = 0; n < 9; ++n) {
        double zeta = 0.0;
        assert_int_equal(dem_kernel_damping_ratio_attractive(0.9 - 0.1 * n, &zeta), DEM_OK);
        assert_true(fabs(bounce(zeta, 0) - got[n]) < 5.1e-5);
    }
}

static void ratio_refuses(void **state)
{
    (void)state;
    dem_status (*const kernels[2])(double, double *) = {dem_kernel_damping_ratio_cut,
                                                        dem_kernel_damping_ratio_attractive};
    const double wrong[] = {0.0, -0.0, 1.1, -0.5, 1.0 + DBL_EPSILON, NAN, INFINITY, -INFINITY};
    for (int f = 0; f < 2; ++f) {
        assert_int_equal(kernels[f](0.5, NULL), DEM_ERROR_ARGUMENT);
        for (size_t n = 0; n < sizeof(wrong) / sizeof(wrong[0]); ++n) {
            double ratio = 42.0;
            assert_int_equal(kernels[f](wrong[n], &ratio), DEM_ERROR_RANGE);
            assert_true(ratio == 42.0);
        }
    }
}

static void minimal_rotation(void **state)
{
    (void)state;
    test_random random = test_random_start("minimal rotation");
    for (int n = 0; n < 200000; ++n) {
        double from[3], to[3], other[3], h[3], turned[3];
        test_unit(&random, from);
        test_unit(&random, other);
        /* from nearly parallel to nearly opposite */
        const double mix = n % 2 == 0 ? test_decades(&random, -12.0, 0.0) : 30.0;
        for (int c = 0; c < 3; ++c)
            to[c] = from[c] + mix * other[c];
        const double size = length(to);
        for (int c = 0; c < 3; ++c)
            to[c] /= size;
        test_unit(&random, other);
        cross(from, other, h);
        const double scale = test_decades(&random, -6.0, 6.0);
        for (int c = 0; c < 3; ++c)
            h[c] *= scale;
        memcpy(turned, h, sizeof(h));
        dem_kernel_rotate_minimal(from, to, turned);
        const double cosine = dot(from, to);
        /* near the opposite direction the rotation is ill-conditioned: as 1/(1 + cosine); h is
         * normal to `from` but for the rounding of a product of unit vectors */
        const double tolerance = 64.0 * DBL_EPSILON * scale / (1.0 + cosine);
        assert_true(fabs(length(turned) - length(h)) <= tolerance);
        assert_true(fabs(dot(turned, to)) <= tolerance);
        /* it takes from to to */
        double image[3] = {from[0], from[1], from[2]};
        dem_kernel_rotate_minimal(from, to, image);
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(image[c] - to[c]) <= 64.0 * DBL_EPSILON / (1.0 + cosine));
        /* minimal: the axis stays */
        double axis[3], kept[3];
        cross(from, to, axis);
        memcpy(kept, axis, sizeof(axis));
        dem_kernel_rotate_minimal(from, to, kept);
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(kept[c] - axis[c]) <= 64.0 * DBL_EPSILON / (1.0 + cosine));
        /* and back */
        dem_kernel_rotate_minimal(to, from, turned);
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(turned[c] - h[c]) <= 4.0 * tolerance);
    }
    const double up[3] = {0.0, 0.0, 1.0}, down[3] = {0.0, 0.0, -1.0};
    double h[3] = {0.25, -3.0, 0.0};
    dem_kernel_rotate_minimal(up, down, h);
    assert_true(h[0] == 0.25 && h[1] == -3.0 && h[2] == 0.0);
}

/* Between two planes at an angle, of the part along the way that the normal turns only the cosine
 * of the angle is left before the length is restored; the part across it stays. */
static void project_and_rescale(void **state)
{
    (void)state;
    test_random random = test_random_start("project and rescale");
    for (int k = 0; k < 200000; ++k) {
        double from[3], to[3], way[3], across[3], onward[3], h[3], turned[3];
        double size = 0.0;
        test_unit(&random, from);
        while (size < 0.1) { /* else rounding turns the plane */
            test_unit(&random, h);
            cross(from, h, across);
            size = length(across);
        }
        for (int c = 0; c < 3; ++c)
            across[c] /= size;
        cross(across, from, way);
        const double angle = test_uniform(&random, 0.0, 1.5);
        const double scale = test_decades(&random, -6.0, 6.0);
        const double a = scale * test_uniform(&random, -1.0, 1.0), b = scale;
        for (int c = 0; c < 3; ++c) {
            to[c] = cos(angle) * from[c] + sin(angle) * way[c];
            onward[c] = cos(angle) * way[c] - sin(angle) * from[c];
            h[c] = turned[c] = a * way[c] + b * across[c];
        }
        dem_kernel_rotate_rescale(to, turned);
        const double stretch = sqrt(a * a + b * b) / hypot(a * cos(angle), b);
        const double tolerance = 64.0 * DBL_EPSILON * length(h);
        for (int c = 0; c < 3; ++c) {
            const double exact = stretch * (a * cos(angle) * onward[c] + b * across[c]);
            assert_true(fabs(turned[c] - exact) <= tolerance);
        }
    }
    /* what lies in the plane stays bit by bit; what is normal to it is lost */
    const double z[3] = {0.0, 0.0, 1.0};
    double flat[3] = {0.1, -0.7, 0.0}, normal[3] = {0.0, 0.0, 3.0}, none[3] = {0.0, 0.0, 0.0};
    dem_kernel_rotate_rescale(z, flat);
    assert_true(flat[0] == 0.1 && flat[1] == -0.7 && flat[2] == 0.0);
    dem_kernel_rotate_rescale(z, normal);
    dem_kernel_rotate_rescale(z, none);
    for (int c = 0; c < 3; ++c)
        assert_true(normal[c] == 0.0 && none[c] == 0.0);
}

static void twist(void **state)
{
    (void)state;
    /* a quarter turn about z takes x to y */
    const double z[3] = {0.0, 0.0, 1.0};
    double x[3] = {2.0, 0.0, 0.0};
    dem_kernel_rotate_twist(z, 1.0, x);
    assert_true(fabs(x[0]) < 1e-15 && fabs(x[1] - 2.0) < 1e-15 && x[2] == 0.0);

    test_random random = test_random_start("twist");
    for (int k = 0; k < 200000; ++k) {
        double n[3], other[3], h[3], turned[3], side[3];
        test_unit(&random, n);
        test_unit(&random, other);
        cross(n, other, h);
        const double angle = test_uniform(&random, -3.0, 3.0);
        memcpy(turned, h, sizeof(h));
        dem_kernel_rotate_twist(n, tan(0.5 * angle), turned);
        const double size = length(h), t = tan(0.5 * angle);
        /* h is normal to n but for the rounding of a product of unit vectors */
        const double tolerance = 32.0 * DBL_EPSILON * (1.0 + fabs(t));
        assert_true(fabs(length(turned) - size) <= tolerance);
        assert_true(fabs(dot(turned, n)) <= tolerance);
        cross(n, h, side);
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(turned[c] - (cos(angle) * h[c] + sin(angle) * side[c])) <= tolerance);
        dem_kernel_rotate_twist(n, -t, turned);
        for (int c = 0; c < 3; ++c)
            assert_true(fabs(turned[c] - h[c]) <= tolerance);
    }
}

/** A kick of no time, as of an evaluation without a step, raises no floating-point flag, whatever
 * the compiler makes of choices: a host may trap. */
static void drag_of_no_time(void **state)
{
    (void)state;
    static const double times[] = {0.0, 1e-300, 1e-6, 1.0, 1e6};
    const int flags = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
    feclearexcept(flags);
    for (int k = 0; k < 5; ++k) {
        const double time = times[k], most = demi_drag_rate_most(time);
        const demi_drag_kick kick = demi_drag_kick_of(demi_drag_rate(1e307, 1.0, most), time);
        assert_true(kick.kick >= 0.0 && kick.left >= 0.0);
        if (time == 0.0)
            assert_true(kick.left == 1.0);
        else if (time > 1e-200)
            assert_true(kick.left < 1e-199);
    }
    assert_int_equal(fetestexcept(flags), 0);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratio_gives_the_restitution),
        cmocka_unit_test(ratio_is_smooth_at_critical_damping),
        cmocka_unit_test(ratio_keeps_its_digits_near_1),
        cmocka_unit_test(ratio_matches_figures),
        cmocka_unit_test(uncorrected_damping_rebounds_faster),
        cmocka_unit_test(ratio_refuses),
        cmocka_unit_test(minimal_rotation),
        cmocka_unit_test(project_and_rescale),
        cmocka_unit_test(twist),
        cmocka_unit_test(drag_of_no_time),
    };
    return cmocka_run_group_tests_name("damping and rotation", tests, NULL, NULL);
}
