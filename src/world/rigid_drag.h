/* SPDX-License-Identifier: MIT */
/* Drag on rigid bodies. With V and w the velocities of a body, d the arm of a part, beta, u, kappa
 * and w_f what the fluid has for its row, the part gets
 *
 *     force beta (u - V - w x d), torque kappa (w_f - w)
 *
 * and the body gets the sums of them. The kick is the rational one of integrate/drag.h with a
 * matrix of six rows in the place of z: in the axes of the body, with velocities times the roots of
 * mass and moments, it is symmetric and does not depend on how the body is turned. */
#ifndef DEMI_RIGID_DRAG_H
#define DEMI_RIGID_DRAG_H

#include "world/rigid.h"

/* Of a body, from its first kick in a step on. */
typedef struct demi_rigid_drag {
    int32_t drags, reserved; /* the fluid has a coefficient for one of its parts */
    /* by how much velocity and momentum (demi_pose) change in a second kick if forces stay: so far
     * beyond those of the half step is what dashpots see */
    double glide[6];
    double work, dissipated; /* of the fluid in the kick */
} demi_rigid_drag;

/* A kick of a free body. */
typedef struct demi_rigid_kick {
    uint64_t body;
    int at_end; /* of the step */
    double time;
    double load[6]; /* force and torque of contacts and host */
} demi_rigid_kick;

/* Room for the bodies of a world with a fluid. */
dem_status demi_rigid_drag_reserve(struct dem_world *w);
/* Whether the fluid drags a free body. */
int demi_rigid_drags(const struct dem_world *w, uint64_t body);
/* Where that is kept which the fluid gives to the parts of a body in the first or the second kick
 * of a step, [parts]. */
struct demi_impulse *demi_rigid_given(const struct dem_world *w, uint64_t body, int second);
/* Kicks velocity and momentum of a body that is dragged. */
void demi_rigid_drag_kick(const struct dem_world *w, const demi_rigid_kick *kick, demi_pose *pose,
                          demi_rigid_drag *drag, struct demi_impulse *given);
/* Adds what the fluid gave to the impulses of the parts, where a world sums them. */
void demi_rigid_drag_book(struct dem_world *w, uint64_t body, int second);
/* rigid_step.c: books what the fluid gave to all bodies in the first kick. */
void demi_rigids_drag_book(struct dem_world *w);

#endif
