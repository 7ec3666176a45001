/* SPDX-License-Identifier: MIT */
/* Arms of contacts whose point the host gives, and the velocities and torques that they make. */
#ifndef DEMI_GIVEN_H
#define DEMI_GIVEN_H

#include "base/check.h"
#include "contact/call.h"

#include <math.h>

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

/* Arms of the half step: from the middle of a centre's old and new place to the middle of the
 * contact point's. The old point is kept relative to the centre of i; that of a new contact went
 * along with the mean of both centres. */
static inline void demi_half_arms(const demi_lanes *b, uint64_t k, const demi_history_lane *lane,
                                  const demi_record *before, double dt, double arm_i_half[3],
                                  double arm_j_half[3])
{
    for (int c = 0; c < 3; ++c) {
        const double arm_t1 = lane->arm_i[c], v = b->velocity[c][k];
        if (before != NULL && !isnan(before->point[c])) {
            arm_i_half[c] = 0.5 * (before->point[c] + arm_t1);
            arm_j_half[c] = lane->arm_j[c] + (arm_i_half[c] - arm_t1) - v * (0.5 * dt);
        } else {
            arm_i_half[c] = arm_t1 + v * (0.25 * dt);
            arm_j_half[c] = lane->arm_j[c] - v * (0.25 * dt);
        }
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
