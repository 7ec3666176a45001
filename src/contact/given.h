/* SPDX-License-Identifier: MIT */
/* Arms of contacts whose point the host gives, and the velocities and torques that they make. */
#ifndef DEMI_GIVEN_H
#define DEMI_GIVEN_H

#include "base/check.h"
#include "contact/call.h"

/* Torques of the whole force about centres that need not lie on the normal. */
static inline void demi_result_arms(demi_history_result *result, const demi_history_lane *lane)
{
    double on_i[3], on_j[3];
    demi_cross(lane->arm_i, result->force, on_i);
    demi_cross(lane->arm_j, result->force, on_j);
    for (int c = 0; c < 3; ++c) {
        result->torque_i[c] += on_i[c];
        result->torque_j[c] -= on_j[c];
    }
}

/* Makes relative velocities those of a given contact point: of the half step for the increment, and
 * of its end for dashpots. */
static inline void demi_gather_point(demi_lanes *b, uint64_t k, const demi_history_lane *lane,
                                     const double arm_i_half[3], const double arm_j_half[3])
{
    const double wi[3] = {b->angular_velocity_i[0][k], b->angular_velocity_i[1][k],
                          b->angular_velocity_i[2][k]};
    const double wj[3] = {b->angular_velocity_j[0][k], b->angular_velocity_j[1][k],
                          b->angular_velocity_j[2][k]};
    const double di[3] = {b->damping_angular_velocity_i[0][k], b->damping_angular_velocity_i[1][k],
                          b->damping_angular_velocity_i[2][k]};
    const double dj[3] = {b->damping_angular_velocity_j[0][k], b->damping_angular_velocity_j[1][k],
                          b->damping_angular_velocity_j[2][k]};
    double ui[3], uj[3], ti[3], tj[3];
    demi_cross(wi, arm_i_half, ui);
    demi_cross(wj, arm_j_half, uj);
    demi_cross(di, lane->arm_i, ti);
    demi_cross(dj, lane->arm_j, tj);
    for (int c = 0; c < 3; ++c) {
        b->velocity[c][k] += ui[c] - uj[c];
        b->damping_velocity[c][k] += ti[c] - tj[c];
    }
}

#endif
