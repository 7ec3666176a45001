/* SPDX-License-Identifier: MIT */
/* What Hertz's law computes with. */
#ifndef DEMI_HERTZ_H
#define DEMI_HERTZ_H

typedef struct demi_hertz {
    double effective_young, effective_shear;
    /* eta = alpha sqrt(4/3 m* E* a) + coefficient: one of the two is zero */
    double alpha, coefficient;
    double attractive, absolute;
} demi_hertz;

#endif
