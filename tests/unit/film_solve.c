/* SPDX-License-Identifier: MIT */
/**
 * @file film_solve.c
 * The velocity that a film leaves: the logarithm, the equation that it solves, its bounds, and
 * films that are crossed in any number of steps.
 */
#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/random.h"

#include "laws/film_solve.h"

#include <math.h>
#include <stdlib.h>

static demi_film_gap film = {1e-6, 1e-4, 0.0, 1e6 - 1e4};

/** The film with a logarithm beside its leading term, in 1/m. */
static void next_term(double next)
{
    film = demi_film_gap_of(1e-6, 1e-4, next);
}

static void logarithm_has_all_digits(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x51C3)};
    for (int k = 0; k < 200000; ++k) {
        const double a = test_decades(&random, -8.0, 2.0);
        const double b = k % 2 == 0 ? test_decades(&random, -8.0, 2.0)
                                    : a * (1.0 + test_decades(&random, -12.0, -0.5));
        const double is = demi_film_log(a, b);
        const long double more = ((long double)b - a) / a;
        const double want = (double)(k % 2 == 0 ? logl((long double)b / a) : log1pl(more));
        assert_true(fabs(is - want) <= 1e-15 * fabs(want));
    }
}

/** Gaps at, near and between the ends of the film. */
static double some_gap(test_random *random)
{
    static const double ends[] = {0.0, 1e-6, 1e-4};
    const double r = test_uniform(random, 0.0, 1.0);
    if (r < 0.2)
        return ends[(int)(3.0 * test_uniform(random, 0.0, 1.0)) % 3];
    if (r < 0.4)
        return -test_decades(random, -9.0, -4.0);
    return test_decades(random, -8.0, -3.5);
}

static long double potential(long double gap)
{
    const long double low = film.gap_min, high = film.gap_max,
                      g = gap < 0.0L   ? 0.0L
                          : gap > high ? high
                                       : gap;
    return g < low ? (1.0L / low - 1.0L / high) * (g - low) : logl(g / low) - (g - low) / high;
}

/** The integral of ln(high/max(g, low)) from 0 to gap. */
static long double next_potential(long double gap)
{
    const long double low = film.gap_min, high = film.gap_max,
                      g = gap < 0.0L   ? 0.0L
                          : gap > high ? high
                                       : gap;
    return g < low ? logl(high / low) * g : g * (1.0L + logl(high / g)) - low;
}

/** Without cancellation where both ends are in one piece. */
static long double taken_leading(long double gap, long double way)
{
    const long double low = film.gap_min, high = film.gap_max, end = gap + way;
    if (gap >= low && gap <= high && end >= low && end <= high)
        return log1pl(way / gap) - way / high;
    if (gap >= 0.0L && gap <= low && end >= 0.0L && end <= low)
        return (1.0L / low - 1.0L / high) * way;
    return potential(end) - potential(gap);
}

static long double taken(long double gap, long double way)
{
    const long double low = film.gap_min, high = film.gap_max, end = gap + way;
    long double next = next_potential(end) - next_potential(gap);
    if (gap >= low && gap <= high && end >= low && end <= high) {
        const long double x = way / gap,
                          rest =
                              fabsl(x) < 1e-3L
                                  ? x * x *
                                        (0.5L - x * (1.0L / 3 - x * (0.25L - x * (0.2L - x / 6))))
                                  : x - log1pl(x);
        next = gap * rest - way * log1pl((end - high) / high);
    }
    if (gap >= 0.0L && gap <= low && end >= 0.0L && end <= low)
        next = way * logl(high / low);
    return taken_leading(gap, way) + film.next * next;
}

/** By bisection. */
static long double root_of(long double w, long double gap, long double v, long double dt)
{
    long double low = v < 0.0L ? v : 0.0L, high = v < 0.0L ? 0.0L : v;
    for (int k = 0; k < 120; ++k) {
        const long double y = 0.5L * (low + high), left = y - v + w * taken(gap, dt * y);
        *(left > 0.0L ? &high : &low) = y;
    }
    return 0.5L * (low + high);
}

/** x - ln(1 + x) without cancellation, for x >= 0. */
static long double log_lacks(long double x)
{
    if (x > 1e-3L)
        return x - log1pl(x);
    return x * x * (0.5L - x * (1.0L / 3 - x * (0.25L - x * (0.2L - x / 6))));
}

/** Integrals over a short way just below gap_max, where both have next to nothing left. */
static void integrals_have_all_digits(void **state)
{
    (void)state;
    test_real_processor();
    test_random random = {UINT64_C(0xD161)};
    next_term(1.0);
    for (int k = 0; k < 100000; ++k) {
        const double most = film.gap_max,
                     b = k % 2 == 0 ? most : most * (1.0 - test_decades(&random, -12.0, -0.5)),
                     a = b * (1.0 - test_decades(&random, -12.0, -0.3));
        const long double way = (long double)b - a, x = way / a,
                          next = way * log1pl(((long double)most - b) / b) + a * log_lacks(x),
                          leading = x * ((long double)most - a) / most - log_lacks(x);
        assert_true(fabsl(demi_film_rise_next(&film, a, b) - next) <= 2e-15L * next);
        assert_true(fabsl(demi_film_rise_log(&film, a, b) - leading) <= 4e-15L * leading);
    }
    next_term(0.0);
}

static void velocity_solves_the_equation(void **state)
{
    (void)state;
    test_real_processor(); /* valgrind computes long double as double */
    test_random random = {UINT64_C(0xF11A)};
    for (int k = 0; k < 50000; ++k) {
        next_term(k % 2 == 0 ? 0.0 : test_decades(&random, 0.0, 5.0));
        const double gap = some_gap(&random), w = test_decades(&random, -9.0, 9.0),
                     dt = test_decades(&random, -9.0, 0.0),
                     v = test_decades(&random, -6.0, 2.0) *
                         (test_uniform(&random, 0.0, 1.0) < 0.5 ? -1.0 : 1.0);
        const double y = demi_film_velocity(&film, w, gap, v, dt);
        assert_true(y * v >= 0.0 && fabs(y) <= fabs(v));
        const double want = (double)root_of(w, gap, v, dt);
        if (!(fabs(y - want) <= 1e-9 * fabs(want) + 1e-15 * fabs(v)))
            fail_msg("gap %g, next %g, w %g, dt %g, v %g: %.17g is not %.17g", gap, film.next, w,
                     dt, v, y, want);
    }
    next_term(0.0);
}

/** y/v is not lost where (end - gap)/dt would cancel. */
static void stiff_films_keep_digits(void **state)
{
    (void)state;
    const double gap = 3e-6, w = 1e9, dt = 1e-9, v = -1.0;
    const double y = demi_film_velocity(&film, w, gap, v, dt);
    const double slope = demi_film_slope(&film, gap);
    const double first = v / (1.0 + dt * w * slope);
    assert_true(fabs(y - first) <= 1e-8 * fabs(first));
    const double again = demi_film_velocity(&film, 1e6 * w, gap, v, dt);
    const double want = v / (1.0 + 1e6 * dt * w * slope);
    assert_true(fabs(again - want) <= 1e-13 * fabs(want));
}

/** In or out, a film takes w ln(gap_max/gap_min), and w (gap_max - gap_min) times the next term, in
 * steps of any length. */
static void crossed_film_takes_its_part(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0xC505)};
    for (int k = 0; k < 600; ++k) {
        next_term(k < 300 ? 0.0 : test_decades(&random, 0.0, 5.0));
        const double whole = log(1e2) + film.next * (1e-4 - 1e-6);
        const int out = k % 2;
        const double w = test_decades(&random, -3.0, -0.7),
                     v0 = (out ? 1.0 : -1.0) * w * (whole + 0.5);
        const double dt = test_decades(&random, -5.5, 1.0);
        double gap = out ? -1e-9 : 1.5e-4, v = v0;
        while (out ? gap < 1e-4 : gap > 0.0) {
            v = demi_film_velocity(&film, w, gap, v, dt);
            gap += dt * v;
        }
        assert_true(fabs(fabs(v0) - fabs(v) - w * whole) <= 1e-12 * fabs(v0));
    }
    next_term(0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithm_has_all_digits),     cmocka_unit_test(integrals_have_all_digits),
        cmocka_unit_test(velocity_solves_the_equation), cmocka_unit_test(stiff_films_keep_digits),
        cmocka_unit_test(crossed_film_takes_its_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
