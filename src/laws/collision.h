/* SPDX-License-Identifier: MIT */
/* Blocks of the array forms of collision.h. */
#ifndef DEMI_COLLISION_H
#define DEMI_COLLISION_H

#include <dem/base.h>

/* n <= 64 values in arrays with room for the next multiple of 8, where harmless values stand.
 * Inverse: first and second are lambda and tau, the last three inputs are not read. Parameters:
 * stiffness and damping. */
typedef void demi_collision_block(uint64_t n, const double *restitution, const double *mass,
                                  const double *speed, const double *time, double *first,
                                  double *second);

#endif
