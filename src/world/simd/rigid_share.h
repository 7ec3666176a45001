/* SPDX-License-Identifier: MIT */
/* How heavy bodies are in contacts. With the normal n at the arm d from the centre of mass a body
 * is as heavy as a particle of
 *
 *     m' = m/(1 + m t.I^-1 t),   t = d x n */
#ifndef DEMI_RIGID_SHARE_H
#define DEMI_RIGID_SHARE_H

#include "base/isa.h"
#include "world/world.h"

#include <dem/rotation.h>

/* What the rotation of a row's body adds to its inverse mass in a contact with this normal, 1/kg,
 * in the current state or in the next one; 0 for a particle. */
static DEMI_INLINE double demi_rigid_share(const dem_world *w, int next, uint64_t row,
                                           const double normal[3])
{
    const demi_body *body = &w->body.read[row];
    const demi_rigid *rigid = &w->rigid.read[body->rigid - (body->rigid != 0)];
    if (body->rigid == 0 || !(rigid->inverse_mass > 0.0) ||
        rigid->damping_mass == DEM_DAMPING_MASS_BODY)
        return 0.0;
    const demi_state *state = next ? &w->next : &w->current;
    const demi_pose *pose = &state->pose.read[body->rigid - 1];
    double arm[3];
    for (int c = 0; c < 3; ++c) {
        arm[c] = state->position.read[row][c] - pose->position[c];
        if (body->image[c] != pose->image[c])
            arm[c] +=
                (body->image[c] - pose->image[c]) * (w->config.box_high[c] - w->config.box_low[c]);
    }
    double turn[3] = {arm[1] * normal[2] - arm[2] * normal[1],
                      arm[2] * normal[0] - arm[0] * normal[2],
                      arm[0] * normal[1] - arm[1] * normal[0]};
    dem_kernel_rotation_to_body(pose->orientation, turn);
    double share = 0.0;
    for (int c = 0; c < 3; ++c)
        share += turn[c] * turn[c] * rigid->inverse_inertia[c];
    return share;
}

/* Fetches the body of a row. */
static DEMI_INLINE void demi_rigid_fetch(const dem_world *w, uint64_t row)
{
    const uint32_t place = w->body.read[row].rigid;
    if (place != 0) {
        __builtin_prefetch(&w->next.pose.read[place - 1]);
        __builtin_prefetch(w->rigid.read[place - 1].inverse_inertia);
    }
}

#endif
