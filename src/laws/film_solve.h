/* SPDX-License-Identifier: MIT */
/* The velocity that a film leaves, exact in velocity and gap. With the gap g, and c(g) =
 * 1/max(g, gap_min) - 1/gap_max in [0, gap_max), else 0, the velocity y after a step of dt solves
 *
 *     y - v + w (psi(g + dt y) - psi(g)) = 0,   psi the integral of c, w = 6 pi mu R*^2/m*
 *
 * so that a film which is crossed takes w ln(gap_max/gap_min) in any number of steps. The left side
 * rises with y: there is one root, between 0 and v, for any dt. Where the film has its next term,
 * c has `next` ln(gap_max/max(g, gap_min)) more. No function of libm is called. */
#ifndef DEMI_FILM_SOLVE_H
#define DEMI_FILM_SOLVE_H

#include "base/vector.h"
#include "laws/film_lane.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ln((1 + s)/(1 - s)) - 2 s for |s| up to 0.18. */
static inline double demi_film_log_rest(double s)
{
    const double q = s * s;
    double sum = 1.0 / 23.0;
    for (int k = 21; k > 1; k -= 2)
        sum = sum * q + 1.0 / k;
    return 2.0 * s * q * sum;
}

/* ln(b/a) for a, b > 0 whose ratio is normal; keeps all digits where both are close. */
static inline double demi_film_log(double a, double b)
{
    const double s = (b - a) / (b + a);
    if (fabs(s) < 0.17)
        return 2.0 * s + demi_film_log_rest(s);
    double x = b / a;
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    int64_t exponent = (int64_t)(bits >> 52) - 1023;
    bits = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x3ff0000000000000);
    memcpy(&x, &bits, sizeof x);
    if (x > 1.4142135623730951) {
        x *= 0.5;
        ++exponent;
    }
    const double t = (x - 1.0) / (x + 1.0);
    return (double)exponent * 0.69314718055994530942 + (2.0 * t + demi_film_log_rest(t));
}

/* A film between two bodies, as far as its gap goes. */
typedef struct demi_film_gap {
    double gap_min, gap_max;
    double next;  /* of the logarithm in c, 1/m */
    double slope; /* c from 0 to gap_min */
} demi_film_gap;

static inline demi_film_gap demi_film_gap_of(double gap_min, double gap_max, double next)
{
    demi_film_gap f = {gap_min, gap_max, next, 1.0 / gap_min - 1.0 / gap_max};
    if (next > 0.0)
        f.slope += next * demi_film_log(gap_min, gap_max);
    return f;
}

/* The integral of ln(gap_max/x) from a to b: (b - a) (1 + ln(gap_max/b)) - a ln(b/a). */
static inline double demi_film_rise_next(const demi_film_gap *f, double a, double b)
{
    const double s = (b - a) / (b + a);
    const double rest =
        s < 0.17 ? s * (b - a) - a * demi_film_log_rest(s) : (b - a) - a * demi_film_log(a, b);
    return (b - a) * demi_film_log(b, f->gap_max) + rest;
}

/* ln(b/a) - (b - a)/gap_max for gap_min <= a <= b <= gap_max, also where both terms are close. */
static inline double demi_film_rise_log(const demi_film_gap *f, double a, double b)
{
    const double most = f->gap_max, s = (b - a) / (b + a);
    if (s < 0.17)
        return s * (((most - b) + (most - a)) / most) + demi_film_log_rest(s);
    return demi_film_log(a, b) - (b - a) / most;
}

/* The integral of c from `from` to `to`, with from <= to. */
static inline double demi_film_rise(const demi_film_gap *f, double from, double to)
{
    const double low = from > 0.0 ? from : 0.0, high = to < f->gap_max ? to : f->gap_max;
    const double bend = f->gap_min;
    double sum = 0.0;
    if (low < bend && high > low)
        sum += f->slope * ((high < bend ? high : bend) - low);
    if (high > bend && high > low) {
        const double from_bend = low > bend ? low : bend;
        sum += demi_film_rise_log(f, from_bend, high);
        if (f->next > 0.0)
            sum += f->next * demi_film_rise_next(f, from_bend, high);
    }
    return sum;
}

/* psi(to) - psi(from). */
static inline double demi_film_difference(const demi_film_gap *f, double from, double to)
{
    return from <= to ? demi_film_rise(f, from, to) : -demi_film_rise(f, to, from);
}

/* c between gap_min and gap_max. */
static inline double demi_film_slope_log(const demi_film_gap *f, double gap)
{
    const double leading = 1.0 / gap - 1.0 / f->gap_max;
    return f->next > 0.0 ? leading + f->next * demi_film_log(gap, f->gap_max) : leading;
}

static inline double demi_film_slope(const demi_film_gap *f, double gap)
{
    if (!(gap >= 0.0) || gap >= f->gap_max)
        return 0.0;
    return gap > f->gap_min ? demi_film_slope_log(f, gap) : f->slope;
}

/* The left side, over dt, as a function of the gap at the end. */
static inline double demi_film_left(const demi_film_gap *f, double w, double gap, double velocity,
                                    double dt, double end)
{
    return (end - gap) / dt - velocity + w * demi_film_difference(f, gap, end);
}

/* Newton's method for an end between gap_min and gap_max. From below it rises to the root, since
 * the left side is concave there. */
static inline double demi_film_end(const demi_film_gap *f, double w, double gap, double velocity,
                                   double dt)
{
    enum { STEPS_MOST = 60 };
    const double free = gap + dt * velocity;
    double end = velocity < 0.0 ? free : gap;
    if (end < f->gap_min)
        end = f->gap_min;
    for (int k = 0; k < STEPS_MOST; ++k) {
        const double left = demi_film_left(f, w, gap, velocity, dt, end);
        const double next = end - left / (1.0 / dt + w * demi_film_slope_log(f, end));
        if (!(next > end))
            break;
        const int close = next - end <= 4e-16 * end;
        end = next < f->gap_max ? next : f->gap_max;
        if (close)
            break;
    }
    return end;
}

/* The velocity of the gap after the film, from `velocity` before. w: m/s; dt > 0. */
static inline double demi_film_velocity(const demi_film_gap *f, double w, double gap,
                                        double velocity, double dt)
{
    const double free = gap + dt * velocity;
    if (!(w > 0.0) || velocity == 0.0 || (gap >= f->gap_max && free >= f->gap_max) ||
        (gap <= 0.0 && free <= 0.0))
        return velocity;
    /* beyond either end of the film nothing depends on where */
    if (velocity > 0.0 && demi_film_left(f, w, gap, velocity, dt, f->gap_max) <= 0.0)
        return velocity - w * demi_film_difference(f, gap, f->gap_max);
    if (velocity < 0.0 && demi_film_left(f, w, gap, velocity, dt, 0.0) >= 0.0)
        return velocity - w * demi_film_difference(f, gap, 0.0);
    const double slope = f->slope;
    double end;
    if (demi_film_left(f, w, gap, velocity, dt, f->gap_min) >= 0.0) {
        if (gap >= 0.0 && gap <= f->gap_min)
            return velocity / (1.0 + dt * w * slope);
        /* a straight line from the touch or from gap_min on */
        if (gap < 0.0)
            return (velocity - w * slope * gap) / (1.0 + dt * w * slope);
        const double taken = w * demi_film_difference(f, gap, f->gap_min);
        end =
            gap + dt * (velocity - taken - w * slope * (gap - f->gap_min)) / (1.0 + dt * w * slope);
    } else
        end = demi_film_end(f, w, gap, velocity, dt);
    /* (end - gap)/dt would lose digits where the film is stiff */
    const double way = end - gap;
    const double mean =
        way != 0.0 ? demi_film_difference(f, gap, end) / way : demi_film_slope(f, gap);
    return velocity / (1.0 + dt * w * mean);
}

#endif
