/* SPDX-License-Identifier: MIT */
/* One contact of rolling and twisting resistance. Springs load by the rotation of the half step,
 * turned with the contact, and dashpots see the angular velocities of the step's end, as tangential
 * parts do. So what a step yields or loses beside the law is of third order, and nothing adds up
 * while a contact turns; angular velocities of the half step with the normal of the end gave energy
 * at second order in each step. */
#ifndef DEMI_ROLLING_LANE_H
#define DEMI_ROLLING_LANE_H

#include "laws/lane.h"

#include <dem/law_rolling.h>

#define S DEM_BATCH_SIZE

/* "rolling-csds" and "twisting-csds"; "rolling-constant" has friction alone. */
typedef struct demi_rolling {
    double stiffness, friction;
    double damping, ratio; /* gamma = damping + 2 ratio sqrt(2/5 m* k) */
} demi_rolling;

typedef struct demi_marshall {
    double stiffness, friction, damping;
    double shear;         /* 8 G*: k_t = 8 G* a in place of stiffness, where not 0 */
    double young, normal; /* for limits: E* and k_n of the normal part, where it has them */
} demi_marshall;

/* Rotation over the step and angular velocity that dashpots see, of i against j. */
static DEMI_INLINE void rolling_rotation(const dem_contact_batch *b, uint64_t k, double normal[3],
                                         double increment[3], double velocity[3])
{
    for (uint64_t a = 0; a < 3; ++a) {
        normal[a] = b->normal[a * S + k];
        increment[a] = b->rotation_increment[a * S + k];
        velocity[a] = b->rotation_velocity[a * S + k];
    }
}

static DEMI_INLINE double rolling_along(const double normal[3], const double v[3])
{
    return v[0] * normal[0] + v[1] * normal[1] + v[2] * normal[2];
}

/* The continuous slider of one component; see dem_kernel_twisting_csds. */
static DEMI_INLINE double twisting_slide(double stiffness, double damping, double limit, double dt,
                                         double increment, double velocity, double *displacement)
{
    const double du[3] = {increment, 0.0, 0.0}, v[3] = {velocity, 0.0, 0.0};
    double xi[3] = {*displacement, 0.0, 0.0}, force[3];
    dem_kernel_tangential_csds_increment(stiffness, damping, limit, dt, du, v, xi, force);
    *displacement = xi[0];
    return force[0];
}

/* Adds the torque to what both bodies get, keeps it in the slots from `at` on, and counts what was
 * lost: the work of the mean of the torques at both ends of the step, less what is stored now. */
static DEMI_INLINE void rolling_finish(const dem_contact_batch *b, uint64_t k, double torque[3],
                                       uint64_t at, double stored_old, double stored,
                                       int energy_tracking)
{
    const int touching = b->touching[k] != 0.0, was_touching = b->was_touching[k] != 0.0;
    double work = 0.0, old[3];
    for (uint64_t a = 0; a < 3; ++a) {
        torque[a] = dem_select(touching, torque[a], 0.0);
        b->torque_i[a * S + k] += torque[a];
        b->torque_j[a * S + k] -= torque[a];
        old[a] = b->state[(at + a) * S + k];
        b->state[(at + a) * S + k] = torque[a];
    }
    if (!energy_tracking)
        return;
    /* a contact that was found touching has no torque of a step before */
    const int unknown = was_touching & (old[0] == 0.0) & (old[1] == 0.0) & (old[2] == 0.0);
    for (uint64_t a = 0; a < 3; ++a)
        work -= 0.5 * (torque[a] + dem_select(unknown, torque[a], old[a])) *
                (b->angular_velocity_i[a * S + k] - b->angular_velocity_j[a * S + k]) * b->dt;
    b->dissipated_rolling[k] += work - (stored - stored_old);
    b->elastic_energy[k] += stored;
}

static DEMI_INLINE void rolling_csds_lane(const dem_contact_batch *b, uint64_t k,
                                          const demi_rolling *c, int energy_tracking)
{
    const double dt = b->dt, radius = b->radius[k];
    const double gamma = c->damping + 2.0 * c->ratio * sqrt(0.4 * b->mass[k] * c->stiffness);
    const int advances = (b->touching[k] != 0.0) & (dt > 0.0), stays = dt == 0.0;
    static const double none[3] = {0.0, 0.0, 0.0};
    double n[3], turn[3], w[3], du[3], v[3], force[3], torque[3], before = 0.0, after = 0.0;
    rolling_rotation(b, k, n, turn, w);
    dem_kernel_rolling_velocity(radius, turn, none, n, du);
    dem_kernel_rolling_velocity(radius, w, none, n, v);
    const double xi0[3] = {b->state[k], b->state[S + k], b->state[2 * S + k]};
    double xi1[3] = {xi0[0], xi0[1], xi0[2]};
    dem_kernel_tangential_csds_increment(c->stiffness, gamma, c->friction * b->force_coulomb[k], dt,
                                         du, v, xi1, force);
    dem_kernel_rolling_torque(radius, n, force, torque);
    for (uint64_t a = 0; a < 3; ++a) {
        xi1[a] = dem_select(advances, xi1[a], dem_select(stays, xi0[a], 0.0));
        b->state[a * S + k] = xi1[a];
        before += xi0[a] * xi0[a];
        after += xi1[a] * xi1[a];
    }
    rolling_finish(b, k, torque, 3, 0.5 * c->stiffness * before, 0.5 * c->stiffness * after,
                   energy_tracking);
}

static DEMI_INLINE void rolling_constant_lane(const dem_contact_batch *b, uint64_t k,
                                              const double *friction, int energy_tracking)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    double n[3], turn[3], w[3], v[3], force[3], torque[3];
    rolling_rotation(b, k, n, turn, w);
    dem_kernel_rolling_velocity(b->radius[k], w, none, n, v);
    dem_kernel_rolling_constant(*friction * b->force_coulomb[k], b->mass[k], b->dt, v, force);
    dem_kernel_rolling_torque(b->radius[k], n, force, torque);
    rolling_finish(b, k, torque, 0, 0.0, 0.0, energy_tracking);
}

static DEMI_INLINE void twisting_csds_lane(const dem_contact_batch *b, uint64_t k,
                                           const demi_rolling *c, int energy_tracking)
{
    const double dt = b->dt, radius = b->radius[k];
    const double gamma = c->damping + 2.0 * c->ratio * sqrt(0.4 * b->mass[k] * c->stiffness);
    const int advances = (b->touching[k] != 0.0) & (dt > 0.0), stays = dt == 0.0;
    double n[3], turn[3], w[3];
    rolling_rotation(b, k, n, turn, w);
    const double xi0 = b->state[k];
    double xi1 = xi0;
    const double force =
        twisting_slide(c->stiffness, gamma, c->friction * b->force_coulomb[k], dt,
                       radius * rolling_along(n, turn), radius * rolling_along(n, w), &xi1);
    xi1 = dem_select(advances, xi1, dem_select(stays, xi0, 0.0));
    b->state[k] = xi1;
    double torque[3] = {radius * force * n[0], radius * force * n[1], radius * force * n[2]};
    rolling_finish(b, k, torque, 1, 0.5 * c->stiffness * xi0 * xi0, 0.5 * c->stiffness * xi1 * xi1,
                   energy_tracking);
}

/* The stiffness follows the contact area: what is kept is the elastic torque, which falls with it
 * and does not rise, so that no change of area yields energy. While it rises, a step loads by the
 * mean stiffness: with that of the end alone the law would be of first order. */
static DEMI_INLINE void twisting_marshall_lane(const dem_contact_batch *b, uint64_t k,
                                               const demi_marshall *c, int energy_tracking)
{
    const double dt = b->dt;
    const int advances = (b->touching[k] != 0.0) & (dt > 0.0), stays = dt == 0.0;
    const int touches = b->overlap[k] > 0.0;
    /* a linear law has no contact radius: that of Hertz's sphere of the same overlap */
    const double hertz = sqrt(b->radius[k] * dem_select(touches, b->overlap[k], 0.0));
    const double a = dem_select(b->contact_radius[k] > 0.0, b->contact_radius[k], hertz);
    const double area = 0.5 * a * a, now = area * (c->stiffness + c->shear * a);
    const int there = now > 0.0;
    const double stiffness = dem_select(there, now, 1.0);
    double n[3], turn[3], w[3];
    rolling_rotation(b, k, n, turn, w);
    const double kept = b->state[k], old = b->state[S + k];
    const int falls = (old > 0.0) & (now < old);
    const double scale = dem_select(falls, now, 1.0) / dem_select(falls, old, 1.0);
    double angle = dem_select(there, scale * kept, 0.0) / stiffness;
    const int rises = (old > 0.0) & (now > old);
    const double mean = dem_select(rises, 0.5 * (old + now), 1.0) / dem_select(rises, now, 1.0);
    const double moment = twisting_slide(
        stiffness, c->damping * area, 2.0 / 3.0 * c->friction * a * b->force_coulomb[k], dt,
        mean * rolling_along(n, turn), rolling_along(n, w), &angle);
    const int has = old > 0.0;
    const double stored_old =
        0.5 * kept * kept * dem_select(has, 1.0, 0.0) / dem_select(has, old, 1.0);
    const double elastic =
        dem_select(advances & there, stiffness * angle, dem_select(stays, kept, 0.0));
    const double slope = dem_select(advances & there, now, dem_select(stays, old, 0.0));
    b->state[k] = elastic;
    b->state[S + k] = slope;
    const double stored = dem_select(stays, stored_old, 0.5 * elastic * elastic / stiffness);
    double torque[3] = {moment * n[0], moment * n[1], moment * n[2]};
    rolling_finish(b, k, torque, 2, stored_old, stored, energy_tracking);
}

#undef S

#endif
