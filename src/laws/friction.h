/* SPDX-License-Identifier: MIT */
/* What the tangential part "friction" computes with. */
#ifndef DEMI_FRICTION_H
#define DEMI_FRICTION_H

#include <dem/law_friction.h>

typedef struct demi_friction {
    double stiffness, friction;
    /* gamma = factor eta_n sqrt(k_t/k_n) + coefficient + rate m*: two of the three are zero */
    double factor, coefficient, rate;
    double slider; /* DEM_SLIDER_... */
} demi_friction;

#endif
