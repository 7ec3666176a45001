/* SPDX-License-Identifier: MIT */
/**
 * @file hysteretic.c
 * Kernels of the contacts that yield: over random parameters and paths the work put in is what is
 * stored and what is counted as lost, and the loss never is a gain.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/random.h"

#include <dem/dem.h>

typedef struct spring {
    double k1, k2, growth, limit, kc;
    int32_t recovers;
} spring;

static double stored(const spring *s, double force, double m)
{
    return 0.5 * force * force / (s->k2 + s->growth * m);
}

static spring random_spring(test_random *random)
{
    spring s;
    s.k1 = test_decades(random, -3.0, 6.0);
    const uint64_t kind = test_random_bits(random);
    s.k2 = kind % 3 == 0 ? s.k1 : s.k1 * test_uniform(random, 1.0, 30.0);
    s.growth = kind % 5 == 0 ? 0.0 : s.k1 * test_decades(random, -1.0, 1.5);
    s.limit = kind % 7 == 0 ? 1e300 : test_uniform(random, 0.1, 2.0);
    s.kc = kind % 11 == 0 ? 0.0 : s.k1 * test_decades(random, -2.0, 1.0);
    s.recovers = (int32_t)(kind >> 40 & 1);
    return s;
}

/* Overlaps are of size 1. Each move goes one way; the force has a few kinks at most, which is all
 * that the trapezoidal rule misses. */
static void springs_keep_accounts(void **state)
{
    (void)state;
    enum { MOVES = 30, PARTS = 64 };
    test_random random = test_random_start("hysteretic springs");
    double worst = 0.0;
    for (int n = 0; n < 3000; ++n) {
        const spring s = random_spring(&random);
        double m = 0.0, at = 0.0, force = 0.0, work = 0.0, lost = 0.0;
        for (int move = 0; move < MOVES; ++move) {
            const double to = test_uniform(&random, 0.0, 1.5), h = (to - at) / PARTS;
            const double m0 = m, e0 = stored(&s, force, m);
            double done = 0.0;
            for (int k = 1; k <= PARTS; ++k) {
                const double overlap = k == PARTS ? to : at + h * k, before = force;
                const double from = m;
                force = dem_kernel_normal_hysteretic(s.k1, s.k2, s.growth, s.limit, s.kc,
                                                     s.recovers, overlap, &m);
                const double loss = dem_kernel_hysteretic_loss(s.k1, s.k2, s.growth, s.kc, from, m);
                assert_true(loss >= -1e-13 * (s.k2 + s.growth * fmin(s.limit, 1.5) + s.kc));
                assert_true(force >= -s.kc * overlap * (1.0 + 1e-15));
                done += 0.5 * (force + before) * h;
                lost += loss;
            }
            const double whole = dem_kernel_hysteretic_loss(s.k1, s.k2, s.growth, s.kc, m0, m);
            const double rest = done - (stored(&s, force, m) - e0) - whole;
            const double kinks = (s.k2 + s.growth * fmin(s.limit, 1.5) + s.kc) * h * h;
            worst = fmax(worst, fabs(rest) / (kinks + 1e-12 * s.k1));
            work += done;
            at = to;
        }
        /* pulled off: nothing is left */
        double last = m;
        force = dem_kernel_normal_hysteretic(s.k1, s.k2, s.growth, s.limit, s.kc, s.recovers, 0.0,
                                             &last);
        const int elastic = s.k2 == s.k1 && s.growth == 0.0;
        assert_true(force == 0.0 && (!s.recovers || elastic || last == 0.0));
        assert_true(elastic ? lost == 0.0 : work > 0.0 && lost > 0.0);
    }
    print_message("# hysteretic springs: at most %.2g of what a kink explains\n", worst);
    assert_true(worst < 1.0);
}

/* Reloading after healing starts at once, and goes through the lower line. */
static void lower_line(void **state)
{
    (void)state;
    const double k1 = 1.0, k2 = 4.0, kc = 2.0;
    double m = 0.0;
    (void)dem_kernel_normal_hysteretic(k1, k2, 0.0, 1e300, kc, 1, 1.0, &m);
    assert_true(m == 1.0);
    /* meets -k_c x at (k2 - k1)/(k2 + kc) = 1/2 */
    const double low = dem_kernel_normal_hysteretic(k1, k2, 0.0, 1e300, kc, 1, 0.25, &m);
    assert_true(low == -0.5 && m == 0.5);
    const double up = dem_kernel_normal_hysteretic(k1, k2, 0.0, 1e300, kc, 1, 0.35, &m);
    assert_true(fabs(up - (-0.5 + 4.0 * 0.1)) < 1e-15 && m == 0.5);
    /* Walton and Braun: no force until where it left off */
    m = 0.0;
    (void)dem_kernel_normal_hysteretic(k1, k2, 0.0, 1e300, 0.0, 0, 1.0, &m);
    assert_true(dem_kernel_normal_hysteretic(k1, k2, 0.0, 1e300, 0.0, 0, 0.5, &m) == 0.0);
    assert_true(dem_kernel_normal_hysteretic(k1, k2, 0.0, 1e300, 0.0, 0, 0.74, &m) == 0.0);
    assert_true(fabs(dem_kernel_normal_hysteretic(k1, k2, 0.0, 1e300, 0.0, 0, 0.8, &m) - 0.2) <
                1e-15);
}

/* The plastic memory grows up to its limit and no further: from there on along the stiffest line.
 */
static void limit_of_memory(void **state)
{
    (void)state;
    double m = 0.0;
    assert_true(dem_kernel_normal_hysteretic(1.0, 4.0, 0.0, 0.5, 0.0, 1, 0.4, &m) == 0.4);
    assert_true(m == 0.4);
    assert_true(dem_kernel_normal_hysteretic(1.0, 4.0, 0.0, 0.5, 0.0, 1, 1.0, &m) == 2.5);
    assert_true(m == 0.5);
}

static void thornton_keeps_accounts(void **state)
{
    (void)state;
    enum { MOVES = 20, PARTS = 200 };
    test_random random = test_random_start("thornton");
    double worst = 0.0;
    for (int n = 0; n < 1000; ++n) {
        const double radius = test_decades(&random, -6.0, 0.0);
        const double young = test_decades(&random, 5.0, 12.0);
        const double pressure = young * test_decades(&random, -4.0, -1.0);
        const double yield = 0.5 * 3.14159265358979323846 * pressure * radius / young;
        const double size = yield * yield / radius * test_decades(&random, 0.0, 2.0);
        double m = 0.0, a = 0.0, at = 0.0, force = 0.0;
        for (int move = 0; move < MOVES; ++move) {
            const double to = size * test_uniform(&random, 0.0, 1.0), h = (to - at) / PARTS;
            const double from = m;
            double energy = -0.3 * force * force / (young * (a > 0.0 ? a : 1.0)), work = 0.0;
            for (int k = 1; k <= PARTS; ++k) {
                const double before = force,
                             loss = dem_kernel_thornton_loss(radius, young, pressure, m);
                force = dem_kernel_normal_thornton(radius, young, pressure, at + h * k, &m, &a);
                work += 0.5 * (force + before) * h;
                assert_true(force >= 0.0);
                const double lost = dem_kernel_thornton_loss(radius, young, pressure, m) - loss;
                assert_true(lost >= -1e-13 * loss);
            }
            energy += 0.3 * force * force / (young * (a > 0.0 ? a : 1.0));
            const double lost = dem_kernel_thornton_loss(radius, young, pressure, m) -
                                dem_kernel_thornton_loss(radius, young, pressure, from);
            const double slope = 2.0 * young * sqrt(radius * m);
            worst = fmax(worst, fabs(work - energy - lost) /
                                    (slope * h * h * 10.0 + 1e-11 * slope * size * size));
            at = to;
        }
        /* continuous where it yields, and where it turns */
        const double edge = yield * yield / radius;
        double m0 = 0.0, m1 = 0.0, a0, a1;
        const double f0 =
            dem_kernel_normal_thornton(radius, young, pressure, edge * (1.0 - 1e-9), &m0, &a0);
        const double f1 =
            dem_kernel_normal_thornton(radius, young, pressure, edge * (1.0 + 1e-9), &m1, &a1);
        assert_true(fabs(f1 / f0 - 1.0) < 1e-8 && fabs(a1 / a0 - 1.0) < 1e-8);
        m0 = size;
        const double f2 = dem_kernel_normal_thornton(radius, young, pressure, size, &m0, &a0);
        const double f3 =
            dem_kernel_normal_thornton(radius, young, pressure, size * (1.0 - 1e-12), &m0, &a1);
        assert_true(fabs(f3 / f2 - 1.0) < 1e-9 && fabs(a1 / a0 - 1.0) < 1e-9);
        assert_true(fabs(a0 / sqrt(radius * size) - 1.0) < 1e-9);
    }
    print_message("# thornton: %.2g of the rule's error\n", worst);
    assert_true(worst < 1.0);
}

/** Contacts without overlap, elastic and yielded ones raise no floating-point flag, whatever the
 * compiler makes of dem_select: a host may trap. */
static void thornton_raises_nothing(void **state)
{
    (void)state;
    static const double sizes[] = {-1e-3, 0.0, 1e-12, 1e-3};
    const int flags = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
    double sum = 0.0;
    feclearexcept(flags);
    for (int n = 0; n < 16; ++n) {
        double m = sizes[n % 4] > 0.0 ? sizes[n % 4] : 0.0, a = 0.0;
        sum += dem_kernel_normal_thornton(0.01, 1e9, 1e6, sizes[n / 4], &m, &a) + a;
    }
    assert_int_equal(fetestexcept(flags), 0);
    assert_true(sum > 0.0);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_keep_accounts),   cmocka_unit_test(lower_line),
        cmocka_unit_test(limit_of_memory),         cmocka_unit_test(thornton_keeps_accounts),
        cmocka_unit_test(thornton_raises_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
