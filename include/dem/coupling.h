/* SPDX-License-Identifier: MIT */
/**
 * @file coupling.h
 * Level 2: a world inside the time loop of a fluid solver.
 *
 * **Drag.** Four fields of a world (dem_world_view, dem_world_field_set) say what a fluid does to
 * each particle. They keep their values until you write others; particles start with 0.
 *
 * | field | symbol | unit | range |
 * |---|---|---|---|
 * | DEM_FIELD_DRAG_COEFFICIENT | beta | kg/s | 0 to 1e150 |
 * | DEM_FIELD_FLUID_VELOCITY | u | m/s | each component within 1e150 |
 * | DEM_FIELD_ROTATIONAL_DRAG | kappa | N m s | 0 to 1e150 |
 * | DEM_FIELD_FLUID_ANGULAR_VELOCITY | w_f | rad/s | each component within 1e150 |
 *
 * The force on a particle of velocity v is beta (u - v), the torque on one of angular velocity w is
 * kappa (w_f - w). Both are implicit in every step, so no coefficient limits dt: with z the time of
 * a kick times beta/m,
 *
 *     D = 1 + z + z^2/2,  phi = (1 + z/2)/D,  kick: v <- v + time phi (a + beta/m (u - v))
 *
 * with a the acceleration by all other forces. The scheme keeps its order, 2 with
 * synchronized Verlet and leapfrog. A velocity at which drag and the other forces balance stays as
 * it is at any dt. For dt far above m/beta the scheme is of order 1, and stable. A particle with
 * coefficients of 0 moves with the bits that it has without the fields.
 *
 * **Added mass.** DEM_FIELD_ADDED_MASS m_a (kg, 0 to 1e150; particles start with 0) is the mass of
 * fluid that a particle takes along when it is accelerated: half of the mass of the fluid that it
 * displaces for a sphere far from others. It is inertia alone. Kicks, the effective mass m* of
 * contacts and the limits on dt have m + m_a in the place of m; the weight stays m g. Without it a
 * bubble is so light that an explicit force of the same meaning grows without bound wherever m_a
 * exceeds m.
 *
 * - DEM_FIELD_DRAG_IMPULSE has the opposite of m_a times the change of velocity in the steps, too:
 *   with it m times the change of velocity is the sum of impulses, weight and external force, and
 *   the opposite of the field is what the fluid gets. That m_a itself changes, or that the fluid
 *   accelerates, is a force of yours (DEM_FIELD_EXTERNAL_FORCE).
 * - The kinetic energy in dem_world_energies is that of m + m_a.
 * - Fixed and kinematic particles, and rotation, do not use it.
 * - Write it between two steps. If a value changes, the next step evaluates contact forces again.
 *
 * A world with bodies has no added masses, and the first view of DEM_FIELD_ADDED_MASS makes a world
 * one that has added masses.
 *
 * **Bodies.** The four fields of drag in the row of a part (body.h) say what the fluid does there.
 * With V and w the velocities of the body and d the arm from its centre of mass to the part's
 * centre, the part gets the force beta (u - V - w x d) and the torque kappa (w_f - w), and the body
 * gets the sums of the forces, and of the torques and moments. They are implicit as above, z being
 * a matrix of six rows then, so that no coefficient limits dt and the scheme keeps its order. A
 * part of which beta exceeds 1e9 times the mass over the time of a kick, dt/2, or kappa 1e9 times
 * the mean moment of inertia over that time, is dragged as with that value. To drag the body as a
 * whole, share the coefficient among the parts: the force acts at their centre, weighted by it.
 * What the fluid gave a part is in the impulses of its row, at the part's centre. A world has a
 * fluid from the first view of a field of drag on, and from ghosts or packed particles that bring
 * such fields.
 *
 * dem_world_energies has the work of the fluid and the dissipation by drag. A particle that is not
 * free keeps its velocity; what the fluid does to it is in these sums and in work_boundary.
 *
 * **Impulses.** dem_world_impulses_reset starts sums over the steps that follow: what the fluid and
 * what contacts give to each particle, and what particles give to each wall (dem_wall.impulse). The
 * fluid gets the opposite of DEM_FIELD_DRAG_IMPULSE back:
 *
 *     dem_world_impulses_reset(world);
 *     dem_world_advance(world, fluid_dt, dt_max, NULL);
 *     dem_world_view(world, DEM_FIELD_DRAG_IMPULSE, &impulse);
 *     ... momentum of the cell -= impulse of its particles ...
 *
 * Mass times the change of velocity of a free particle is the sum of both impulses, gravity times
 * the time and your external force times the time, to round-off. With leapfrog, whose kicks are
 * half a step behind, the time is longer by half of what dt became shorter since the reset; dt was
 * 0 before the first step, whose kick takes half of it. Steps that are undone are not in the sums.
 * Particles and walls that you add start with 0.
 *
 * **A hook in each step.** dem_world_config.before_forces is called in each step of dem_step and
 * dem_world_advance, on the calling thread, after the first kick and the drift, and before the
 * contact forces:
 *
 *     dem_status hook(void *user, dem_world *world, double dt)
 *     {
 *         dem_world_view(world, DEM_FIELD_VELOCITY, &velocity);
 *         dem_world_view(world, DEM_FIELD_DRAG_COEFFICIENT, &drag);
 *         ... reads velocity.data, writes drag.data ...
 *         return dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT);
 *     }
 *
 * - dem_world_time is that of the last complete step, t. Views show positions of t + dt, velocities
 *   of the middle of the step, and forces of t. They are stale when the hook returns.
 * - External forces and what the fluid does may be written. They act from the second kick of this
 *   step on, and in the first kick of the next one: a force that you compute for t + dt keeps the
 *   order of the scheme. Velocities are read only.
 * - A coefficient that depends on the velocity as viewed makes the scheme of order 1. With
 *   1.5 v - 0.5 (v of the hook before), and 2 v - v(0) in the first hook, order 2 stays while dt
 *   does. Keep the velocity of the hook before in DEM_FIELD_HOST.
 * - With symplectic Euler the hook sees v(t + dt), and what it writes acts from the next step on.
 * - The hook may call dem_world_view, dem_world_view_stale, dem_world_written_field,
 *   dem_world_time and dem_world_error. All other calls are refused. A field whose memory is not
 *   there yet is refused, too: open a view of it once before the step.
 * - It runs with rounding to nearest, and with your traps on, as laws of yours do (base.h).
 * - A step that fails takes back what the hook wrote in it, DEM_FIELD_HOST, too. If the hook
 *   returns a status other than DEM_OK, the step fails with DEM_ERROR_CALLBACK.
 * - It is not called when forces are evaluated without a step, as before the first one.
 *
 * **Data of your own.** DEM_FIELD_HOST has doubles of yours that stay with their particles, and
 * dem_view.index a number of each particle that stays, for arrays of yours.
 *
 * docs/coupling.md has the equations and what was tested.
 */
#ifndef DEM_COUPLING_H
#define DEM_COUPLING_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Sets all impulses of particles and walls to 0. The first call makes the world sum them from then
 * on, which costs memory, 192 bytes a particle or 128 where a fluid drags particles, and time in
 * each step. Views that are open stay so.
 * @param world the world
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _MEMORY */
DEM_API dem_status dem_world_impulses_reset(dem_world *world);

/** Advances the world by a duration. The steps have equal length, at most dt_max, and are as few as
 * that allows; where duration/dt_max is within 1e-12 of a whole number, that is the number of
 * steps. They are those of dem_step. Then dem_world_time is the time before plus the duration, not
 * a sum of steps.
 *
 * If a step fails, the world stands at the last complete one, and the time is that before plus the
 * time of the steps made.
 * @param world the world
 * @param duration > 0, s
 * @param dt_max > 0, s; duration/dt_max must be below 2^53
 * @param steps out: steps made, or NULL; unchanged where it refuses duration or dt_max
 * @return as dem_step */
DEM_API dem_status dem_world_advance(dem_world *world, double duration, double dt_max,
                                     uint64_t *steps);

#ifdef __cplusplus
}
#endif
#endif
