/* SPDX-License-Identifier: MIT */
/* Force and torques of DEMI_WIDE lanes from what laws gave, and their way to rows, for files in
 * simd/. */
#ifndef DEMI_RESULTANT_H
#define DEMI_RESULTANT_H

#include "base/wide.h"
#include "contact/lanes.h"
#include "contact/pair.h"

/* Force on i, and the torques of the tangential force with those that laws added. */
DEMI_GROUP_INLINE void demi_wide_resultant(const demi_lanes *b, uint64_t k, int torques,
                                           demi_wide force[3], demi_wide torque_i[3],
                                           demi_wide torque_j[3])
{
    const demi_wide fn = *(const demi_wide *)&b->force_normal[k],
                    arm_i = *(const demi_wide *)&b->arm_i[k],
                    arm_j = *(const demi_wide *)&b->arm_j[k], zero = {0.0};
    demi_wide n[3], t[3];
    for (int c = 0; c < 3; ++c) {
        n[c] = *(const demi_wide *)&b->normal[c][k];
        t[c] = *(const demi_wide *)&b->force_tangential[c][k];
    }
    const demi_wide m[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2],
                            n[0] * t[1] - n[1] * t[0]};
    for (int c = 0; c < 3; ++c) {
        force[c] = fn * n[c] + t[c];
        torque_i[c] = (torques ? *(const demi_wide *)&b->torque_i[c][k] : zero) - arm_i * m[c];
        torque_j[c] = (torques ? *(const demi_wide *)&b->torque_j[c][k] : zero) - arm_j * m[c];
    }
}

/* Those of n lanes, and of what fills up the last vectors, into the lanes. */
static inline void demi_lanes_resultant(demi_lanes *b, uint64_t n, int torques)
{
    for (uint64_t k = 0; k < n; k += DEMI_WIDE) {
        demi_wide force[3], torque_i[3], torque_j[3];
        demi_wide_resultant(b, k, torques, force, torque_i, torque_j);
        for (int c = 0; c < 3; ++c) {
            *(demi_wide *)&b->force[c][k] = force[c];
            *(demi_wide *)&b->torque_i[c][k] = torque_i[c];
            *(demi_wide *)&b->torque_j[c][k] = torque_j[c];
        }
    }
}

/* Rows of DEMI_WIDE contacts: forces on i and on j, and torques. */
typedef struct demi_resultant_rows {
    demi_wide force_i[4], force_j[4], torque_i[4], torque_j[4];
} demi_resultant_rows;

DEMI_GROUP_INLINE void demi_wide_resultant_rows(const demi_lanes *b, uint64_t k, int torques,
                                                demi_resultant_rows *rows)
{
    demi_wide_resultant(b, k, torques, rows->force_i, rows->torque_i, rows->torque_j);
    rows->force_i[3] = rows->torque_i[3] = rows->torque_j[3] = (demi_wide){0.0};
    demi_wide_rows(rows->force_i);
    demi_wide_rows(rows->torque_i);
    demi_wide_rows(rows->torque_j);
    for (int s = 0; s < 4; ++s)
        rows->force_j[s] = -rows->force_i[s];
}

/* Adds row m of forces and torques to eight places. */
DEMI_GROUP_INLINE void demi_wide_add(const demi_wide force[4], const demi_wide torque[4], int m,
                                     double to[8])
{
    demi_vr row[DEMI_VR_PARTS];
    demi_wide_row(force, torque, m, row);
    for (int p = 0; p < DEMI_VR_PARTS; ++p)
        *(demi_vr *)(to + p * DEMI_VR_SIZE) += row[p];
}

/* Adds forces and torques of up to DEMI_WIDE contacts to the rows of both bodies. */
DEMI_GROUP_INLINE void demi_wide_scatter(const demi_lanes *b, uint64_t k, uint64_t count,
                                         int torques, const demi_pair *pair, double *to_i,
                                         double *to_j)
{
    demi_resultant_rows rows;
    demi_wide_resultant_rows(b, k, torques, &rows);
#pragma GCC unroll 8
    for (int m = 0; m < DEMI_WIDE; ++m) {
        if ((uint64_t)m >= count)
            break;
        demi_wide_add(rows.force_i, rows.torque_i, m, to_i + pair[m].i);
        demi_wide_add(rows.force_j, rows.torque_j, m, to_j + pair[m].j);
    }
}

#endif
