/* SPDX-License-Identifier: MIT */
#include "integrate/turn.h"

#include <math.h>

uint64_t demi_turn_of(double angle)
{
    const double units = angle * 0x1.45f306dc9c883p+61; /* 2^64/(2 pi) */
    /* there are no halves above 2^52 */
    const double half = fabs(units) > 0x1p52 ? 0.0 : 0.5;
    return (uint64_t)(int64_t)(units + (units < 0.0 ? -half : half));
}

/* Taylor's polynomials: within an eighth of a turn what they leave out is below round-off. */
static double cosine_of(double square)
{
    static const double one_over[] = {
        1.0 / 20922789888000.0, -1.0 / 87178291200.0, 1.0 / 479001600.0, -1.0 / 3628800.0,
        1.0 / 40320.0,          -1.0 / 720.0,         1.0 / 24.0,        -1.0 / 2.0};
    double sum = 0.0;
    for (unsigned int k = 0; k < sizeof one_over / sizeof one_over[0]; ++k)
        sum = (sum + one_over[k]) * square;
    return 1.0 + sum;
}

static double sine_of(double angle, double square)
{
    static const double one_over[] = {
        1.0 / 355687428096000.0, -1.0 / 1307674368000.0, 1.0 / 6227020800.0, -1.0 / 39916800.0,
        1.0 / 362880.0,          -1.0 / 5040.0,          1.0 / 120.0,        -1.0 / 6.0};
    double sum = 0.0;
    for (unsigned int k = 0; k < sizeof one_over / sizeof one_over[0]; ++k)
        sum = (sum + one_over[k]) * square;
    return angle + angle * sum;
}

void demi_turn_rotation(uint64_t turn, double *cosine, double *sine)
{
    /* the nearest quarter, and what is left of the angle */
    const uint64_t quarter = (turn + (UINT64_C(1) << 61)) >> 62;
    const double angle = (double)(int64_t)(turn - (quarter << 62)) * 0x1.921fb54442d18p-62;
    const double square = angle * angle, c = cosine_of(square), s = sine_of(angle, square);
    *cosine = quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s;
    *sine = quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c;
}
