/* SPDX-License-Identifier: MIT */
/* What the Mindlin laws compute with. */
#ifndef DEMI_MINDLIN_H
#define DEMI_MINDLIN_H

#include <stdint.h>

typedef struct demi_mindlin {
    double friction;
    double stiffness_factor; /* k_t = stiffness_factor 8 G* a */
    double effective_young, effective_shear;
    /* eta_t = dem_kernel_damping_mindlin(ratio, ...) + factor eta_n: one of the two is zero */
    double damping_ratio, damping_factor;
    double form, slider; /* DEM_MINDLIN_..., DEM_MINDLIN_SLIDER_... */
} demi_mindlin;

/* State of the row of springs. Displacements and force are components along `direction`, which the
 * library turns with the contact, and along normal x direction. */
enum {
    DEMI_ROW_DIRECTION = 0, /* [3] unit, in the tangent plane */
    DEMI_ROW_SPACING = 3,   /* dx, m */
    DEMI_ROW_FORCE = 4,     /* [2] tangential force on i of the last step, N */
    DEMI_ROW_SPRINGS = 6    /* [springs][2] displacements, m */
};

#endif
