/* SPDX-License-Identifier: MIT */
/* What the adhesive laws compute with. */
#ifndef DEMI_ADHESION_H
#define DEMI_ADHESION_H

typedef struct demi_adhesion {
    double effective_young, effective_shear, work_of_adhesion;
    double alpha; /* eta = alpha sqrt(4/3 m* E* a) */
} demi_adhesion;

#endif
