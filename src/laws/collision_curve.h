/* SPDX-License-Identifier: MIT */
/* lambda(e) and tau(e) of dem_collision_inverse and what follows from them, for one value: inlined
 * into single calls, arrays and laws, so that all give the same bits. + - * / and sqrt alone. */
#ifndef DEMI_COLLISION_CURVE_H
#define DEMI_COLLISION_CURVE_H

#include "base/isa.h"
#include "laws/collision_fit.h"

#include <math.h>
#include <string.h>

/* -ln e of a normal number e > 0, to 2e-12 of it: e = 2^k m with m in [sqrt(1/2), sqrt(2)), and
 * ln m = 2 artanh((m - 1)/(m + 1)). Without a branch or a conversion that vector units lack. */
static DEMI_INLINE double demi_collision_log(double e)
{
    const uint64_t root = UINT64_C(0x3fe6a09e667f3bcd); /* sqrt(1/2) */
    const uint64_t bias = UINT64_C(1024) << 52;
    const uint64_t two52 = UINT64_C(0x4330000000000000);
    uint64_t bits, shifted;
    double m, k;
    memcpy(&bits, &e, sizeof bits);
    shifted = (bits - root + bias) >> 52; /* k + 1024 */
    bits -= (shifted << 52) - bias;
    memcpy(&m, &bits, sizeof m);
    shifted |= two52; /* 2^52 + k + 1024 */
    memcpy(&k, &shifted, sizeof k);
    k -= 4503599627370496.0 + 1024.0;
    const double f = (m - 1.0) / (m + 1.0), f2 = f * f, f4 = f2 * f2, f8 = f4 * f4;
    const double a = (1.0 / 3 + 1.0 / 5 * f2) + (1.0 / 7 + 1.0 / 9 * f2) * f4;
    const double b = 1.0 / 11 + 1.0 / 13 * f2;
    const double artanh = f + f * f2 * (a + b * f8);
    return 0.0 - (k * 0.69314718055994530942 + 2.0 * artanh);
}

/* lambda and tau for e in [1e-4, 1]: two polynomials of degree 20 side by side, in short chains. */
static DEMI_INLINE void demi_collision_curve(double e, double *lambda, double *tau)
{
    const double(*c)[2] = demi_collision_terms;
    const double l = demi_collision_log(e);
    const double t = l / (l + demi_collision_shift);
    const double x = demi_collision_scale * t - 1.0, x2 = x * x, x4 = x2 * x2, x8 = x4 * x4;
    double four[5][2], sum[2];
    for (int q = 0; q < 5; ++q)
        for (int f = 0; f < 2; ++f)
            four[q][f] =
                (c[4 * q][f] + c[4 * q + 1][f] * x) + (c[4 * q + 2][f] + c[4 * q + 3][f] * x) * x2;
    for (int f = 0; f < 2; ++f)
        sum[f] = (four[0][f] + four[1][f] * x4) +
                 ((four[2][f] + four[3][f] * x4) + (four[4][f] + c[20][f] * x4) * x8) * x8;
    *lambda = t * sum[0];
    *tau = demi_collision_tau0 + t * sum[1];
}

/* Stiffness and damping for a time unit t* (Ray et al., Eqs (53), (54)). */
static DEMI_INLINE void demi_collision_coefficients(double mass, double speed, double lambda,
                                                    double unit, double *stiffness, double *damping)
{
    *damping = 2.0 * lambda * mass / unit;
    *stiffness = mass / (unit * unit * sqrt(speed * unit));
}

/* Ranges, as 0 or 1 without a branch; quiet NaN does not trap in a comparison of integers. */
static DEMI_INLINE int demi_collision_within(double value, double low, double high)
{
    uint64_t bits, least, most;
    memcpy(&bits, &value, sizeof bits);
    memcpy(&least, &low, sizeof least);
    memcpy(&most, &high, sizeof most);
    return (bits - least) <= (most - least); /* numbers > 0 are ordered as their bits */
}

static DEMI_INLINE int demi_collision_restitution_ok(double e)
{
    return demi_collision_within(e, 1e-4, 1.0);
}

static DEMI_INLINE int demi_collision_scale_ok(double value)
{
    return demi_collision_within(value, 1e-50, 1e50);
}

#endif
