/* SPDX-License-Identifier: MIT */
/* Sums of doubles that do not depend on their order: each term is split into two integers, and
 * integers add without rounding (Demmel and Nguyen, 2013; the split is ExtractVector of Rump, Ogita
 * and Oishi, 2008).
 *
 * The units are 2^-48 and 2^-96 of a range, a power of two that no term exceeds. Integers wrap
 * around; only the whole sum must fit, 2^15 terms as large as the range. */
#ifndef DEMI_EXACT_SUM_H
#define DEMI_EXACT_SUM_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "libdem: -ffast-math reorders sums: compile without it"
#endif

/* A range, and the numbers that split a term. */
typedef struct demi_exact_range {
    double most;                  /* power of two */
    double unit_high, unit_low;   /* of the two integers */
    double round_high, round_low; /* 1.5 * 2^52 units: adding it rounds to a multiple of the unit */
} demi_exact_range;

/* The sum of no terms is {0, 0}. */
typedef struct demi_exact_sum {
    uint64_t high, low; /* two's complement, so that they wrap around */
} demi_exact_sum;

/* A high unit is two to this power low units. */
#define DEMI_EXACT_CARRY 48

/* Ranges of which every unit is a normal number, and 2^4 times them is finite. */
#define DEMI_EXACT_LEAST 0x1p-900
#define DEMI_EXACT_MOST 0x1p900

/* `range` in [DEMI_EXACT_LEAST, DEMI_EXACT_MOST] is rounded up to a power of two. */
static inline demi_exact_range demi_exact_range_of(double range)
{
    int exponent;
    const double half = frexp(range, &exponent);
    const double most = ldexp(1.0, half == 0.5 ? exponent - 1 : exponent);
    const double high = most * 0x1p-48, low = most * 0x1p-96;
    return (demi_exact_range){most, high, low, 0x1.8p52 * high, 0x1.8p52 * low};
}

static inline uint64_t demi_exact_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Splits abs(term) <= range->most. What is lost is at most half a low unit. */
static inline demi_exact_sum demi_exact_split(const demi_exact_range *range, double term)
{
    const double high = term + range->round_high;
    const double low = (term - (high - range->round_high)) + range->round_low;
    return (demi_exact_sum){demi_exact_bits(high) - demi_exact_bits(range->round_high),
                            demi_exact_bits(low) - demi_exact_bits(range->round_low)};
}

static inline void demi_exact_add(demi_exact_sum *sum, demi_exact_sum term)
{
    sum->high += term.high;
    sum->low += term.low;
}

static inline void demi_exact_subtract(demi_exact_sum *sum, demi_exact_sum term)
{
    sum->high -= term.high;
    sum->low -= term.low;
}

/* A function of the two integers alone. */
static inline double demi_exact_value(const demi_exact_range *range, demi_exact_sum sum)
{
    int64_t high, low;
    memcpy(&high, &sum.high, sizeof high);
    memcpy(&low, &sum.low, sizeof low);
    return (double)high * range->unit_high + (double)low * range->unit_low;
}

#endif
