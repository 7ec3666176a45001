/* SPDX-License-Identifier: MIT */
/**
 * @file turn.c
 * Fractions of a turn: cosine and sine against those of the C library, quarters that are exact,
 * and sums that have no round-off.
 */
#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/random.h"

#include "integrate/turn.h"

#include <math.h>

static const long double TURN = 6.283185307179586476925286766559L;

static void rotations(void **state)
{
    (void)state;
    test_real_processor();
    test_random random = {UINT64_C(0x9E3779B97F4A7C15)};
    double most = 0.0, radius = 0.0;
    for (int n = 0; n < 200000; ++n) {
        const uint64_t turn = (uint64_t)(test_uniform(&random, 0.0, 1.0) * 0x1p64);
        const long double angle = TURN * ((long double)turn * 0x1p-64L);
        double c, s;
        demi_turn_rotation(turn, &c, &s);
        most = fmax(most, fmax(fabs((double)(c - cosl(angle))), fabs((double)(s - sinl(angle)))));
        radius = fmax(radius, fabs(c * c + s * s - 1.0));
    }
    assert_true(most < 2.3e-16 && radius < 6e-16);
    /* the ends of the polynomials */
    for (uint64_t eighth = 1; eighth < 8; eighth += 2)
        for (uint64_t off = 0; off < 2; ++off) {
            const uint64_t turn = (eighth << 61) - off;
            double c, s;
            demi_turn_rotation(turn, &c, &s);
            assert_true(fabs(fabs(c) - sqrt(0.5)) < 2.3e-16 && fabs(fabs(s) - sqrt(0.5)) < 2.3e-16);
        }
}

static void quarters(void **state)
{
    (void)state;
    static const double want[4][2] = {{1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
    for (uint64_t k = 0; k < 4; ++k) {
        double c, s;
        demi_turn_rotation(k << 62, &c, &s);
        assert_true(c == want[k][0] && s == want[k][1]);
    }
}

static void angles(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0xD1B54A32D192ED03)};
    for (int n = 0; n < 1000; ++n) {
        const double angle = test_uniform(&random, -1.0, 1.0) * pow(10.0, -n % 12);
        const uint64_t turn = demi_turn_of(angle);
        const long double units = (long double)angle / TURN * 0x1p64L;
        assert_true(fabsl((long double)(int64_t)turn - units) < 0.51L + 2.3e-16L * fabsl(units));
        assert_true(demi_turn_of(-angle) == 0 - turn);
    }
    assert_true(demi_turn_of(0.0) == 0);
    /* the smallest steps are rounded, not cut */
    assert_true(demi_turn_of(0.6 / 2935890503282001226.0) == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations),
        cmocka_unit_test(quarters),
        cmocka_unit_test(angles),
    };
    return cmocka_run_group_tests_name("turn", tests, NULL, NULL);
}
