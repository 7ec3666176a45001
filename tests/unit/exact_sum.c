/* SPDX-License-Identifier: MIT */
/**
 * @file exact_sum.c
 * Sums of integers: any order gives the same bits, opposite terms cancel, and what is lost is below
 * the bound.
 */
#include "../support/fpe.h"

#include "base/exact_sum.h"

#include "../support/cmocka.h"

#include <stdlib.h>

enum { SETS = 20000, TERMS = 64, BINADES = 90 };

static uint64_t random_state = 88172645463325252u;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/** A number of either sign below 1, spread over many binades. */
static double random_term(void)
{
    const double fraction = (double)(random_bits() >> 12) * 0x1p-53 + 0.5;
    const double size = ldexp(fraction, -(int)(random_bits() % BINADES));
    return (random_bits() & 1024u) != 0 ? -size : size;
}

static void shuffle(double *terms, int n)
{
    for (int k = n - 1; k > 0; --k) {
        const int other = (int)(random_bits() % (uint64_t)(k + 1));
        const double kept = terms[k];
        terms[k] = terms[other];
        terms[other] = kept;
    }
}

static demi_exact_sum sum_of(const demi_exact_range *range, const double *terms, int n)
{
    demi_exact_sum sum = {0, 0};
    for (int k = 0; k < n; ++k)
        demi_exact_add(&sum, demi_exact_split(range, terms[k]));
    return sum;
}

static double plain(const double *terms, int n)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k)
        sum += terms[k];
    return sum;
}

static void order_changes_nothing(void **state)
{
    (void)state;
    const demi_exact_range range = demi_exact_range_of(1.0);
    int plain_differs = 0;
    for (int set = 0; set < SETS; ++set) {
        double terms[TERMS];
        const int n = 1 + (int)(random_bits() % TERMS);
        for (int k = 0; k < n; ++k)
            terms[k] = random_term();
        const double before = plain(terms, n);
        const demi_exact_sum first = sum_of(&range, terms, n);
        shuffle(terms, n);
        const demi_exact_sum second = sum_of(&range, terms, n);
        assert_true(first.high == second.high && first.low == second.low);
        plain_differs += before != plain(terms, n);
    }
    assert_true(plain_differs > SETS / 4);
}

/* Against long doubles where those are longer; a term loses half a low unit, the value a half of
 * its last place. */
static void loss_is_below_the_bound(void **state)
{
    (void)state;
    for (int e = -800; e <= 800; e += 100) {
        const demi_exact_range range = demi_exact_range_of(ldexp(1.0, e));
        for (int set = 0; set < 1000; ++set) {
            const double term = ldexp(random_term(), e);
            const double back = demi_exact_value(&range, sum_of(&range, &term, 1));
            assert_true(fabs(back - term) <= fabs(term) * 0x1p-53 + range.unit_low);
            const double pair[2] = {term, -term};
            const demi_exact_sum none = sum_of(&range, pair, 2);
            assert_true(none.high == 0 && none.low == 0);
        }
    }
}

/* 1 and 2^-60 of the range: one integer alone would lose the small one. */
static void small_terms_survive(void **state)
{
    (void)state;
    const demi_exact_range range = demi_exact_range_of(1.0);
    const double terms[3] = {1.0, 0x1p-60, -1.0};
    assert_true(demi_exact_value(&range, sum_of(&range, terms, 3)) == 0x1p-60);
}

static void ranges_are_powers_of_two(void **state)
{
    (void)state;
    assert_true(demi_exact_range_of(1.0).most == 1.0);
    assert_true(demi_exact_range_of(1.5).most == 2.0);
    assert_true(demi_exact_range_of(0.3).most == 0.5);
    assert_true(demi_exact_range_of(DEMI_EXACT_LEAST).most == DEMI_EXACT_LEAST);
    assert_true(isfinite(demi_exact_range_of(DEMI_EXACT_MOST).round_high));
    assert_true(isnormal(demi_exact_range_of(DEMI_EXACT_LEAST).unit_low));
}

/* 2^15 terms as large as the range fit; sums on the way may wrap around. */
static void large_sums_fit(void **state)
{
    (void)state;
    const demi_exact_range range = demi_exact_range_of(1.0);
    const demi_exact_sum one = demi_exact_split(&range, 1.0);
    demi_exact_sum sum = {0, 0};
    for (int k = 0; k < 32767; ++k)
        demi_exact_add(&sum, one);
    assert_true(demi_exact_value(&range, sum) == 32767.0);
    for (int k = 0; k < 1000; ++k)
        demi_exact_add(&sum, one);
    for (int k = 0; k < 1000; ++k)
        demi_exact_subtract(&sum, one);
    assert_true(demi_exact_value(&range, sum) == 32767.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_changes_nothing),    cmocka_unit_test(loss_is_below_the_bound),
        cmocka_unit_test(small_terms_survive),      cmocka_unit_test(large_sums_fit),
        cmocka_unit_test(ranges_are_powers_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
