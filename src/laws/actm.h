/* SPDX-License-Identifier: MIT */
/* What the adaptive collision time model computes with. */
#ifndef DEMI_ACTM_H
#define DEMI_ACTM_H

#include "base/isa.h"

#include <math.h>

typedef struct demi_actm {
    double lambda, tau; /* of the restitution */
    double time, steps; /* contact time in s or in steps; the other is 0 */
    double speed_floor;
    double effective_young; /* bounds k from above */
    double load;            /* m/s2: bounds k from below, at the overlap ... */
    double overlap;         /* ... over R* */
} demi_actm;

/* Bounds of k. */
static DEMI_INLINE double demi_actm_lowest(const demi_actm *c, double mass, double radius)
{
    const double overlap = c->overlap * radius;
    return c->load * mass / (overlap * sqrt(overlap));
}

static DEMI_INLINE double demi_actm_highest(const demi_actm *c, double radius)
{
    return 4.0 / 3.0 * c->effective_young * sqrt(radius);
}

#endif
