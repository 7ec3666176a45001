/* SPDX-License-Identifier: MIT */
/* When velocities are those of positions: what the kicks of the world's scheme advance, and
 * velocities for reading. */
#include "integrate/drag.h"
#include "world/added_mass.h"
#include "world/world.h"

#include <string.h>

/* Time by which the first kick of a step advances velocities. Late ones are brought to the time of
 * the positions first, and by that alone where there is no step. */
double demi_kick_first(const dem_world *w, double dt)
{
    return w->velocity_lag + w->scheme->kick_first * dt;
}

double demi_kick_second(const dem_world *w, double dt)
{
    return w->scheme->kick_second * dt;
}

double demi_kick_again(const dem_world *w, double dt)
{
    const double ahead = w->scheme->ahead * dt;
    if (ahead == 0.0)
        return 0.0;
    /* exactly 1 where velocities are not late */
    return ahead / demi_kick_first(w, dt);
}

double demi_lag_after(const dem_world *w, double dt)
{
    return w->scheme->lag * dt;
}

/* What a component of a late velocity lacks. The last places of velocity and fluid are the inverse
 * mass and the drag coefficient, or those of rotation; the fluid may be NULL. */
static double late_gain(double time, double acceleration, const double velocity[4],
                        const double *fluid, int c)
{
    if (fluid == NULL || !(fluid[3] > 0.0))
        return acceleration * time;
    const double rate = demi_drag_rate(fluid[3], velocity[3], demi_drag_rate_most(time));
    return (acceleration + rate * (fluid[c] - velocity[c])) * demi_drag_kick_of(rate, time).kick;
}

void demi_velocities_after(const dem_world *w, uint64_t row, double time, double velocity[3],
                           double angular_velocity[3])
{
    const demi_velocities *velocities = &w->current.velocity.data[row];
    const demi_force_torque *force_torque = &w->current.force_torque.data[row];
    memcpy(velocity, velocities->velocity, 3 * sizeof(double));
    memcpy(angular_velocity, velocities->angular_velocity, 3 * sizeof(double));
    if (time == 0.0 || !(velocities->angular_velocity[3] > 0.0))
        return;
    const double *outer_force = w->external_force.data != NULL ? w->external_force.data[row] : NULL;
    const double *outer_torque =
        w->external_torque.data != NULL ? w->external_torque.data[row] : NULL;
    const demi_fluid *fluid = w->fluid.read != NULL ? &w->fluid.read[row] : NULL;
    const double mass = w->particle.read[row].mass, added = demi_added_mass_written_of(w, row),
                 share =
                     added > 0.0 ? mass / (mass + added) : 1.0; /* parts of bodies have no mass */
    for (int c = 0; c < 3; ++c) {
        const double f = force_torque->force[c] + (outer_force != NULL ? outer_force[c] : 0.0);
        const double t = force_torque->torque[c] + (outer_torque != NULL ? outer_torque[c] : 0.0);
        velocity[c] += late_gain(time, f * velocities->velocity[3] + w->config.gravity[c] * share,
                                 velocities->velocity, fluid != NULL ? fluid->velocity : NULL, c);
        angular_velocity[c] +=
            late_gain(time, t * velocities->angular_velocity[3], velocities->angular_velocity,
                      fluid != NULL ? fluid->angular_velocity : NULL, c);
    }
}

void demi_velocities_now(const dem_world *w, uint64_t row, double velocity[3],
                         double angular_velocity[3])
{
    demi_velocities_after(w, row, w->velocity_lag, velocity, angular_velocity);
}
