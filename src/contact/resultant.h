/* SPDX-License-Identifier: MIT */
/* Force and torques of a group of lanes from what laws gave, for files in simd/. */
#ifndef DEMI_RESULTANT_H
#define DEMI_RESULTANT_H

#include "base/group.h"
#include "contact/lanes.h"

/* Force on i, and the torques of the tangential force with those that laws added. */
DEMI_GROUP_INLINE void demi_group_resultant(const demi_lanes *b, uint64_t k, int torques,
                                            demi_group force[3], demi_group torque_i[3],
                                            demi_group torque_j[3])
{
    const demi_group fn = *(const demi_group *)&b->force_normal[k],
                     arm_i = *(const demi_group *)&b->arm_i[k],
                     arm_j = *(const demi_group *)&b->arm_j[k], zero = {0.0};
    demi_group n[3], t[3];
    for (int c = 0; c < 3; ++c) {
        n[c] = *(const demi_group *)&b->normal[c][k];
        t[c] = *(const demi_group *)&b->force_tangential[c][k];
    }
    const demi_group m[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2],
                             n[0] * t[1] - n[1] * t[0]};
    for (int c = 0; c < 3; ++c) {
        force[c] = fn * n[c] + t[c];
        torque_i[c] = (torques ? *(const demi_group *)&b->torque_i[c][k] : zero) - arm_i * m[c];
        torque_j[c] = (torques ? *(const demi_group *)&b->torque_j[c][k] : zero) - arm_j * m[c];
    }
}

#endif
