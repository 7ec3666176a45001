/* SPDX-License-Identifier: MIT */
/* Relative motion of the two ends of one contact, on its way into a lane: hosts' particles, and
 * contacts with walls in steps and in reading. bodies.h has the same for groups of spheres that lie
 * in rows. */
#ifndef DEMI_MOTION_H
#define DEMI_MOTION_H

#include "contact/lanes.h"

/* An end with its motion: velocity and angular velocity of the half step, and what they gain until
 * dashpots see them. */
typedef struct demi_motion {
    double radius, inverse_mass; /* 0 for a wall */
    const double *velocity, *gain, *angular_velocity, *angular_velocity_gain;
} demi_motion;

/* Fills lane k: relative velocities, angular velocities, radii and mass. The relative velocity
 * comes first, so that a velocity which both ends have leaves no round-off. */
static DEMI_INLINE void demi_motion_fill(demi_lanes *b, uint64_t k, const demi_motion i,
                                         const demi_motion j)
{
#pragma GCC unroll 3
    for (int c = 0; c < 3; ++c) {
        const double velocity = i.velocity[c] - j.velocity[c];
        b->velocity[c][k] = velocity;
        b->damping_velocity[c][k] = velocity + (i.gain[c] - j.gain[c]);
        b->angular_velocity_i[c][k] = i.angular_velocity[c];
        b->angular_velocity_j[c][k] = j.angular_velocity[c];
        b->damping_angular_velocity_i[c][k] = i.angular_velocity[c] + i.angular_velocity_gain[c];
        b->damping_angular_velocity_j[c][k] = j.angular_velocity[c] + j.angular_velocity_gain[c];
    }
    b->radius_i[k] = i.radius;
    b->radius_j[k] = j.radius;
    b->inverse_mass[k] = i.inverse_mass + j.inverse_mass;
}

#endif
