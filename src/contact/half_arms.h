/* SPDX-License-Identifier: MIT */
/* Arms of the half step of a contact whose point is given: from the middle of a centre's old and
 * new place to the middle of the point's. */
#ifndef DEMI_HALF_ARMS_H
#define DEMI_HALF_ARMS_H

#include <stddef.h>

/* end_i, end_j: arms at the end; velocity: of i against j in the half step; old_i: the arm of i at
 * the beginning, or NULL for a new contact, whose point went along with the mean of both centres,
 * so that it does not depend on which of the two is i. */
static inline void demi_half_arms(const double end_i[3], const double end_j[3],
                                  const double velocity[3], const double *old_i, double dt,
                                  double half_i[3], double half_j[3])
{
    for (int c = 0; c < 3; ++c) {
        const double way = velocity[c] * (0.5 * dt);
        if (old_i != NULL) {
            half_i[c] = 0.5 * (old_i[c] + end_i[c]);
            half_j[c] = end_j[c] + (half_i[c] - end_i[c]) - way;
        } else {
            half_i[c] = end_i[c] + 0.5 * way;
            half_j[c] = end_j[c] - 0.5 * way;
        }
    }
}

#endif
