/* SPDX-License-Identifier: MIT */
/* What the linear laws compute with. */
#ifndef DEMI_LINEAR_H
#define DEMI_LINEAR_H

typedef struct demi_linear {
    double stiffness_normal, stiffness_tangential, friction;
    /* eta = 2 ratio sqrt(m* k_n) + coefficient + rate m*: two of the three are zero */
    double ratio, coefficient, rate;
    /* gamma, either as a factor on eta, or by itself */
    double tangential_factor, tangential_coefficient, tangential_rate;
    double attractive, absolute;
} demi_linear;

#endif
