/* SPDX-License-Identifier: MIT */
/* The arithmetic of velocity-Verlet for one vector, shared by integrators and worlds. */
#ifndef DEMI_VERLET_H
#define DEMI_VERLET_H

/* velocity at t + dt/2 from that of t, or at t + dt from that of t + dt/2 */
static inline double demi_verlet_kick(double velocity, double acceleration, double dt)
{
    return velocity + acceleration * (0.5 * dt);
}

static inline double demi_verlet_drift(double position, double velocity, double dt)
{
    return position + velocity * dt;
}

#endif
