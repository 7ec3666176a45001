/* SPDX-License-Identifier: MIT */
/* Where gross slip begins in the groove when contacts are springs of any stiffness.
 *
 * Three forces at each contact carry two loads, the radial one and the one along the path: the
 * friction that acts across the path is not given by balance. Appendix 1 of Vyas et al. sets it to
 * zero. Springs divide the load by k_t/k_n and by how the fine sphere came to rest, whatever their
 * stiffness; a friction that pulls inwards adds to the normal forces, and slip begins later. */
#ifndef PHYSICS_GROOVE_WEDGE_H
#define PHYSICS_GROOVE_WEDGE_H

#include "groove_exact.h"

typedef struct groove_springs {
    double tangential;         /* k_t/k_n */
    double damping;            /* eta_n/sqrt(m k_n), m of the fine sphere */
    double damping_tangential; /* likewise */
    int sunk;                  /* 1: starts at the overlap that carries its weight; 0: at zero */
} groove_springs;

typedef struct groove_wedge {
    double slip_angle; /* of gross slip, rad */
    double share;      /* friction across the path over the normal force where slip begins;
                          negative inwards */
} groove_wedge;

/* Of infinitely stiff springs: a small oscillation at the start, then quasi-static. */
groove_wedge groove_wedge_solve(const groove *g, const groove_springs *springs);

#endif
