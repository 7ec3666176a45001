/* SPDX-License-Identifier: MIT */
/* Sums and products in doubled precision: a number is the sum of two doubles. Dekker (1971). */
#ifndef DEMI_DOUBLED_H
#define DEMI_DOUBLED_H

typedef struct demi_doubled {
    double high, low;
} demi_doubled;

/* a + b where |a| >= |b|, or a is 0 */
static inline demi_doubled demi_doubled_fast_sum(double a, double b)
{
    const double high = a + b;
    return (demi_doubled){high, b - (high - a)};
}

static inline demi_doubled demi_doubled_sum(double a, double b)
{
    const double high = a + b, part = high - a;
    return (demi_doubled){high, (a - (high - part)) + (b - part)};
}

static inline demi_doubled demi_doubled_product(double a, double b)
{
    const double factor = 134217729.0; /* 2^27 + 1 */
    const double p = factor * a, q = factor * b, product = a * b;
    const double a_high = p - (p - a), b_high = q - (q - b);
    const double a_low = a - a_high, b_low = b - b_high;
    const double low =
        ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    return (demi_doubled){product, low};
}

static inline demi_doubled demi_doubled_add(demi_doubled a, demi_doubled b)
{
    const demi_doubled high = demi_doubled_sum(a.high, b.high);
    const demi_doubled low = demi_doubled_sum(a.low, b.low);
    const demi_doubled part = demi_doubled_fast_sum(high.high, high.low + low.high);
    return demi_doubled_fast_sum(part.high, part.low + low.low);
}

static inline demi_doubled demi_doubled_negative(demi_doubled a)
{
    return (demi_doubled){-a.high, -a.low};
}

static inline demi_doubled demi_doubled_multiply(demi_doubled a, demi_doubled b)
{
    const demi_doubled product = demi_doubled_product(a.high, b.high);
    return demi_doubled_fast_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

static inline demi_doubled demi_doubled_divide(demi_doubled a, demi_doubled b)
{
    const double first = a.high / b.high;
    const demi_doubled rest = demi_doubled_add(
        a, demi_doubled_negative(demi_doubled_multiply(b, (demi_doubled){first, 0.0})));
    return demi_doubled_fast_sum(first, rest.high / b.high);
}

#endif
