/* SPDX-License-Identifier: MIT */
/* Small predicates on input. They compare only after a finite check that raises no exception, so a
 * host that traps invalid operations gets an error, not a signal. */
#ifndef DEMI_CHECK_H
#define DEMI_CHECK_H

#include <math.h>

static inline int demi_finite3(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

/* The axes of a vector that are not finite, for a message: "x", "y and z", ... */
static inline const char *demi_not_finite_axes(const double v[3])
{
    static const char *const axes[] = {"no axis", "x",       "y",       "x and y",
                                       "z",       "x and z", "y and z", "x, y and z"};
    return axes[!isfinite(v[0]) + 2 * !isfinite(v[1]) + 4 * !isfinite(v[2])];
}

/* finite and > 0 */
static inline int demi_positive(double v)
{
    return isfinite(v) && v > 0.0;
}

/* finite and >= 0 */
static inline int demi_not_negative(double v)
{
    return isfinite(v) && v >= 0.0;
}

/* Places, velocities and lengths that are larger than this are taken for diverged: squares of
 * smaller ones, and sums of these, are numbers. */
#define DEMI_MOTION_MOST 1e150

static inline int demi_within3(const double v[3], double most)
{
    return demi_finite3(v) && fabs(v[0]) <= most && fabs(v[1]) <= most && fabs(v[2]) <= most;
}

static inline int demi_any3(const double v[3])
{
    return v[0] != 0.0 || v[1] != 0.0 || v[2] != 0.0;
}

static inline double demi_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void demi_cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
