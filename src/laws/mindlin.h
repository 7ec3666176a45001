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
    double form, slider; /* DEM_MINDLIN_..., DEM_SLIDER_... */
} demi_mindlin;

/* State of Mindlin's spring. */
enum {
    DEMI_MINDLIN_DISPLACEMENT = 0, /* [3] m */
    DEMI_MINDLIN_STIFFNESS = 3,    /* k_t of the last step, N/m */
    DEMI_MINDLIN_FORCE = 4         /* [3] on i in the last step, N; only for energy tracking */
};

/* State of the row of springs. Displacements and force are components along `direction`, which the
 * library turns with the contact, and along normal x direction. */
enum {
    DEMI_ROW_DIRECTION = 0,   /* [3] unit, in the tangent plane */
    DEMI_ROW_SPACING = 3,     /* dx, m */
    DEMI_ROW_FORCE = 4,       /* [2] tangential force on i of the last step, N; only for energies */
    DEMI_ROW_SPRINGS = 6,     /* [springs][2] displacements, m */
    DEMI_ROW_LEAN_SPRINGS = 4 /* the same where there is no force */
};

/* State of the law with three cases. */
enum {
    DEMI_CASES_DIRECTION = 0, /* [3] unit, of the first movement */
    DEMI_CASES_ALONG = 3,     /* force along it, N; then where unloading and reloading began, N, the
                                 normal force, N, the case, 0 to 2, and the sign of loading */
    DEMI_CASES_ACROSS = 9,    /* force along normal x direction, N */
    DEMI_CASES_FORCE = 10,    /* [3] tangential force on i of the last step, N */
    DEMI_CASES_ENERGY = 13,   /* J */
    DEMI_CASES_COUNT = 14
};

#endif
