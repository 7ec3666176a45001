/* SPDX-License-Identifier: MIT */
/* One contact of the adaptive collision time model. */
#ifndef DEMI_ACTM_LANE_H
#define DEMI_ACTM_LANE_H

#include "laws/lane.h"

#include <dem/law_actm.h>

#define S DEM_BATCH_SIZE

typedef struct demi_actm {
    double lambda, tau; /* of the restitution */
    double time, steps; /* contact time in s or in steps; the other is 0 */
    double speed_floor;
    double effective_young; /* bounds k from above */
    double load;            /* m/s2: bounds k from below, at the overlap ... */
    double overlap;         /* ... over R* */
} demi_actm;

/* Bounds of k. */
static DEMI_INLINE double demi_actm_lowest(const demi_actm *c, double mass, double radius)
{
    const double overlap = c->overlap * radius;
    return c->load * mass / (overlap * sqrt(overlap));
}

static DEMI_INLINE double demi_actm_highest(const demi_actm *c, double radius)
{
    return 4.0 / 3.0 * c->effective_young * sqrt(radius);
}

/* Fixes k and d of a contact that has none yet; forgets those of one that has ended. */
static DEMI_INLINE void actm_fix(const dem_contact_batch *b, uint64_t k, const demi_actm *c,
                                 double unit)
{
    const double rate = b->overlap_rate[k], mass = b->mass[k], radius = b->radius[k];
    const double speed = dem_select(rate > c->speed_floor, rate, c->speed_floor);
    const int touches = b->overlap[k] > 0.0, has = b->state[k] > 0.0;
    double stiffness, damping;
    (void)dem_kernel_actm(mass, speed, c->lambda, unit, demi_actm_lowest(c, mass, radius),
                          demi_actm_highest(c, radius), &stiffness, &damping);
    b->state[k] = dem_select(touches, dem_select(has, b->state[k], stiffness), 0.0);
    b->state[S + k] = dem_select(touches, dem_select(has, b->state[S + k], damping), 0.0);
}

static DEMI_INLINE void actm_lane(const dem_contact_batch *b, uint64_t k, const double *before,
                                  int energy_tracking)
{
    const double stiffness = b->state[k], damping = b->state[S + k];
    const double v = b->velocity_normal[k];
    const double overlap = dem_select(stiffness > 0.0, b->overlap[k], 0.0);
    const double elastic = dem_kernel_normal_actm(stiffness, 0.0, overlap, 0.0);
    const double force = dem_kernel_normal_actm(stiffness, damping, overlap, v);
    b->force_normal[k] = force;
    b->force_elastic[k] = elastic;
    b->force_coulomb[k] = dem_select(force > 0.0, force, 0.0);
    const double depth = dem_select(overlap > 0.0, overlap, 0.0);
    b->contact_radius[k] = sqrt(b->radius[k] * depth);
    b->stiffness[k] = 1.5 * stiffness * sqrt(depth);
    b->damping[k] = damping;
    if (!energy_tracking)
        return;

    const demi_normal_start start = demi_normal_begin(b, k);
    const double old = before[k], old_damping = before[S + k];
    const double overlap_old = dem_select((old > 0.0) & (start.overlap > 0.0), start.overlap, 0.0);
    const double elastic_old = dem_kernel_normal_actm(old, 0.0, overlap_old, 0.0);
    const double force_old = dem_kernel_normal_actm(old, old_damping, overlap_old, start.velocity);
    b->dissipated_normal[k] = demi_normal_work(start, force - elastic, force_old - elastic_old);
    b->elastic_energy[k] = 0.4 * elastic * depth;
}

static DEMI_INLINE void actm_lanes(uint64_t n, const dem_contact_batch *b, const demi_actm *c,
                                   int energy_tracking)
{
    /* a time in steps is not known where nothing advances */
    const double unit = (c->time + c->steps * b->dt) / c->tau;
    double before[2 * S];
    int changes = 0;
    for (uint64_t k = 0; k < DEMI_PADDED(n); ++k) {
        before[k] = b->state[k];
        before[S + k] = b->state[S + k];
        changes |= (b->overlap[k] > 0.0) != (b->state[k] > 0.0);
    }
    if (changes && unit > 0.0)
        DEMI_EACH_LANE(n, actm_fix(b, k, c, unit));
    DEMI_EACH_LANE(n, actm_lane(b, k, before, energy_tracking));
}

#undef S

#endif
