/* SPDX-License-Identifier: MIT */
/* Kick and drift of one component, shared by integrators and worlds. */
#ifndef DEMI_VERLET_H
#define DEMI_VERLET_H

static inline double demi_verlet_kick(double velocity, double acceleration, double time)
{
    return velocity + acceleration * time;
}

static inline double demi_verlet_drift(double position, double velocity, double dt)
{
    return position + velocity * dt;
}

#endif
