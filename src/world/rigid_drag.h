/* SPDX-License-Identifier: MIT */
/* Drag on rigid bodies. With V and w the velocities of a body, d the arm of a part, beta, u, kappa
 * and w_f what the fluid has for its row, the part gets
 *
 *     force beta (u - V - w x d), torque kappa (w_f - w)
 *
 * and the body gets the sums of them. The kick is the rational one of integrate/drag.h with a
 * matrix of six rows in the place of z: in the axes of the body, with velocities times the roots of
 * mass and moments, it is symmetric and does not depend on how the body is turned.
 *
 * A body that the fluid holds fast at some parts turns freely about them. D = 1 + z + z^2/2 has
 * such soft directions to the round-off of z^2 alone. So stiff bodies take eigenvectors, and sum
 * over the parts in that basis, where a soft direction has no slip at a stiff part. */
#ifndef DEMI_RIGID_DRAG_H
#define DEMI_RIGID_DRAG_H

#include "world/rigid.h"

enum { DEMI_SIX = 6 };

typedef struct demi_six_by_six {
    double at[DEMI_SIX][DEMI_SIX];
} demi_six_by_six;

/* Of a body, from its first kick in a step on. */
typedef struct demi_rigid_drag {
    int32_t drags;          /* the fluid has a coefficient for one of its parts */
    int32_t stiff;          /* z is so large that its square would hide soft directions */
    double time;            /* of a kick */
    double linear, angular; /* sums of coefficients over parts */
    double root[DEMI_SIX];  /* of the inverses of mass and moments */
    demi_six_by_six z;      /* time times rates of drag */
    /* unless stiff: D = 1 + z + z^2/2 as L diag L^T, by rows; L has ones on the diagonal, where
     * 1/diag is kept. Stiff: the eigenvectors of z, and its eigenvalues */
    demi_six_by_six factor;
    double value[DEMI_SIX];
    /* of the last kick: by how much velocity and momentum (demi_pose) change in a further one if
     * forces stay; what dashpots see is so far beyond the half step */
    double glide[DEMI_SIX];
    double work, dissipated; /* of the fluid in the last kick */
} demi_rigid_drag;

/* A kick of a free body. */
typedef struct demi_rigid_kick {
    uint64_t body;
    int at_end;            /* of the step */
    double load[DEMI_SIX]; /* force and torque of contacts and host */
} demi_rigid_kick;

/* Room for the bodies of a world with a fluid. */
dem_status demi_rigid_drag_reserve(struct dem_world *w);
/* Where that is kept which the fluid gave to the parts of a body in the last kick, [parts]. */
struct demi_impulse *demi_rigid_given(const struct dem_world *w, uint64_t body);
/* Adds what the fluid gave to the impulses of the parts, where a world sums them. */
void demi_rigid_drag_book(struct dem_world *w, uint64_t body);
/* Books what the fluid gave to all bodies in the first kick, before the host's hook changed what it
 * does. */
void demi_rigids_drag_book(struct dem_world *w);

#endif
