/* SPDX-License-Identifier: MIT */
/* Batches of rolling and twisting resistance. Increment and damping both see the spins of the half
 * step, the only ones at hand: then no step can yield energy. */
#include "base/isa.h"
#include "laws/laws.h"
#include "laws/rolling.h"

#include <dem/kernels.h>

enum { DEMI_ISA(ROLLING_S) = DEM_BATCH_SIZE };
#define S DEMI_ISA(ROLLING_S)

static DEMI_INLINE void DEMI_ISA(rolling_spins)(const dem_contact_batch *b, uint64_t k,
                                                double spin_i[3], double spin_j[3],
                                                double normal[3])
{
    for (uint64_t a = 0; a < 3; ++a) {
        spin_i[a] = b->spin_i[a * S + k];
        spin_j[a] = b->spin_j[a * S + k];
        normal[a] = b->normal[a * S + k];
    }
}

/* Relative spin about the normal. */
static DEMI_INLINE double DEMI_ISA(twisting_rate)(const double spin_i[3], const double spin_j[3],
                                                  const double normal[3])
{
    return (spin_i[0] - spin_j[0]) * normal[0] + (spin_i[1] - spin_j[1]) * normal[1] +
           (spin_i[2] - spin_j[2]) * normal[2];
}

/* Adds the torque to what both bodies get, keeps it in the slots from `at` on, and counts what was
 * lost: the work of the mean of the torques at both ends of the step, less what is stored now. */
static DEMI_INLINE void DEMI_ISA(rolling_finish)(const dem_contact_batch *b, uint64_t k,
                                                 const double spin_i[3], const double spin_j[3],
                                                 double torque[3], uint64_t at, double stored_old,
                                                 double stored, int accounting)
{
    const int alive = b->alive[k] != 0.0, alive_before = b->alive_before[k] != 0.0;
    double work = 0.0, old[3];
    for (uint64_t a = 0; a < 3; ++a) {
        torque[a] = dem_select(alive, torque[a], 0.0);
        b->torque_i[a * S + k] += torque[a];
        b->torque_j[a * S + k] -= torque[a];
        old[a] = b->state[(at + a) * S + k];
        b->state[(at + a) * S + k] = torque[a];
    }
    if (!accounting)
        return;
    /* a contact that was found touching has no torque of a step before */
    const int unknown = alive_before & (old[0] == 0.0) & (old[1] == 0.0) & (old[2] == 0.0);
    for (int a = 0; a < 3; ++a)
        work -= 0.5 * (torque[a] + dem_select(unknown, torque[a], old[a])) *
                (spin_i[a] - spin_j[a]) * b->dt;
    b->dissipated_rolling[k] += work - (stored - stored_old);
    b->elastic_energy[k] += stored;
}

static DEMI_INLINE void DEMI_ISA(rolling_csds_lane)(const dem_contact_batch *b, uint64_t k,
                                                    const demi_rolling *c, int accounting)
{
    const double dt = b->dt, radius = b->radius[k];
    const double gamma = c->damping + 2.0 * c->ratio * sqrt(0.4 * b->mass[k] * c->stiffness);
    const int advances = (b->alive[k] != 0.0) & (dt > 0.0), stays = dt == 0.0;
    double wi[3], wj[3], n[3], v[3], force[3], torque[3], before = 0.0, after = 0.0;
    DEMI_ISA(rolling_spins)(b, k, wi, wj, n);
    dem_kernel_rolling_velocity(radius, wi, wj, n, v);
    const double xi0[3] = {b->state[k], b->state[S + k], b->state[2 * S + k]};
    double xi1[3] = {xi0[0], xi0[1], xi0[2]};
    dem_kernel_tangential_csds(c->stiffness, gamma, c->friction * b->force_friction[k], dt, v, xi1,
                               force);
    dem_kernel_rolling_torque(radius, n, force, torque);
    for (uint64_t a = 0; a < 3; ++a) {
        xi1[a] = dem_select(advances, xi1[a], dem_select(stays, xi0[a], 0.0));
        b->state[a * S + k] = xi1[a];
        before += xi0[a] * xi0[a];
        after += xi1[a] * xi1[a];
    }
    DEMI_ISA(rolling_finish)
    (b, k, wi, wj, torque, 3, 0.5 * c->stiffness * before, 0.5 * c->stiffness * after, accounting);
}

static DEMI_INLINE void DEMI_ISA(rolling_constant_lane)(const dem_contact_batch *b, uint64_t k,
                                                        double friction, int accounting)
{
    double wi[3], wj[3], n[3], v[3], force[3], torque[3];
    DEMI_ISA(rolling_spins)(b, k, wi, wj, n);
    dem_kernel_rolling_velocity(b->radius[k], wi, wj, n, v);
    dem_kernel_rolling_constant(friction * b->force_friction[k], b->mass[k], b->dt, v, force);
    dem_kernel_rolling_torque(b->radius[k], n, force, torque);
    DEMI_ISA(rolling_finish)(b, k, wi, wj, torque, 0, 0.0, 0.0, accounting);
}

static DEMI_INLINE void DEMI_ISA(twisting_csds_lane)(const dem_contact_batch *b, uint64_t k,
                                                     const demi_rolling *c, int accounting)
{
    const double dt = b->dt, radius = b->radius[k];
    const double gamma = c->damping + 2.0 * c->ratio * sqrt(0.4 * b->mass[k] * c->stiffness);
    const int advances = (b->alive[k] != 0.0) & (dt > 0.0), stays = dt == 0.0;
    double wi[3], wj[3], n[3];
    DEMI_ISA(rolling_spins)(b, k, wi, wj, n);
    const double xi0 = b->state[k];
    double xi1 = xi0;
    const double force =
        dem_kernel_twisting_csds(c->stiffness, gamma, c->friction * b->force_friction[k], dt,
                                 radius * DEMI_ISA(twisting_rate)(wi, wj, n), &xi1);
    xi1 = dem_select(advances, xi1, dem_select(stays, xi0, 0.0));
    b->state[k] = xi1;
    double torque[3] = {radius * force * n[0], radius * force * n[1], radius * force * n[2]};
    DEMI_ISA(rolling_finish)
    (b, k, wi, wj, torque, 1, 0.5 * c->stiffness * xi0 * xi0, 0.5 * c->stiffness * xi1 * xi1,
     accounting);
}

/* The stiffness follows the contact area: what is kept is the elastic torque, which falls with it
 * and does not rise, so that no change of area yields energy. */
static DEMI_INLINE void DEMI_ISA(twisting_marshall_lane)(const dem_contact_batch *b, uint64_t k,
                                                         const demi_marshall *c, int accounting)
{
    const double dt = b->dt;
    const int advances = (b->alive[k] != 0.0) & (dt > 0.0), stays = dt == 0.0;
    const int touches = b->overlap[k] > 0.0;
    /* a linear law has no contact radius: that of Hertz's sphere of the same overlap */
    const double hertz = sqrt(b->radius[k] * dem_select(touches, b->overlap[k], 0.0));
    const double a = dem_select(b->contact_radius[k] > 0.0, b->contact_radius[k], hertz);
    const double area = 0.5 * a * a, now = area * (c->stiffness + c->shear * a);
    const int there = now > 0.0;
    const double stiffness = dem_select(there, now, 1.0);
    double wi[3], wj[3], n[3];
    DEMI_ISA(rolling_spins)(b, k, wi, wj, n);
    const double kept = b->state[k], old = b->state[S + k];
    const int falls = (old > 0.0) & (now < old);
    const double scale = dem_select(falls, now, 1.0) / dem_select(falls, old, 1.0);
    double angle = dem_select(there, scale * kept, 0.0) / stiffness;
    const double moment = dem_kernel_twisting_csds(
        stiffness, c->damping * area, 2.0 / 3.0 * c->friction * a * b->force_friction[k], dt,
        DEMI_ISA(twisting_rate)(wi, wj, n), &angle);
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
    DEMI_ISA(rolling_finish)(b, k, wi, wj, torque, 2, stored_old, stored, accounting);
}

demi_evaluate DEMI_ISA(demi_rolling_csds), DEMI_ISA(demi_rolling_constant),
    DEMI_ISA(demi_twisting_csds), DEMI_ISA(demi_twisting_marshall);

/* One function of the table: both loops over the lanes of its law. */
#define RESISTANCE_BATCH(NAME, TYPE, LANE, GIVEN)                                                  \
    dem_status DEMI_ISA(NAME)(void *user, uint64_t n, dem_contact_batch *batch,                    \
                              const void *combined)                                                \
    {                                                                                              \
        (void)user;                                                                                \
        const dem_contact_batch b = *batch;                                                        \
        const TYPE c = *(const TYPE *)combined;                                                    \
        if (b.accounting) {                                                                        \
            DEMI_SIMD                                                                              \
            for (uint64_t k = 0; k < DEMI_PADDED(n); ++k)                                          \
                DEMI_ISA(LANE)(&b, k, GIVEN, 1);                                                   \
        } else {                                                                                   \
            DEMI_SIMD                                                                              \
            for (uint64_t k = 0; k < DEMI_PADDED(n); ++k)                                          \
                DEMI_ISA(LANE)(&b, k, GIVEN, 0);                                                   \
        }                                                                                          \
        return DEM_OK;                                                                             \
    }

RESISTANCE_BATCH(demi_rolling_csds, demi_rolling, rolling_csds_lane, &c)
RESISTANCE_BATCH(demi_rolling_constant, double, rolling_constant_lane, c)
RESISTANCE_BATCH(demi_twisting_csds, demi_rolling, twisting_csds_lane, &c)
RESISTANCE_BATCH(demi_twisting_marshall, demi_marshall, twisting_marshall_lane, &c)

#undef RESISTANCE_BATCH
#undef S
