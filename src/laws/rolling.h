/* SPDX-License-Identifier: MIT */
/* What rolling and twisting resistance compute with. */
#ifndef DEMI_ROLLING_H
#define DEMI_ROLLING_H

#include <dem/law_rolling.h>

/* "rolling-csds" and "twisting-csds"; "rolling-constant" has friction alone. */
typedef struct demi_rolling {
    double stiffness, friction;
    double damping, ratio; /* gamma = damping + 2 ratio sqrt(2/5 m* k) */
} demi_rolling;

typedef struct demi_marshall {
    double stiffness, friction, damping;
    double shear; /* 8 G*: k_t = 8 G* a in place of stiffness, where not 0 */
} demi_marshall;

#endif
