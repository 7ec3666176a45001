/* SPDX-License-Identifier: MIT */
/* Batches of the adaptive collision time model. */
#include "laws/actm.h"
#include "laws/laws.h"

#include <dem/law_actm.h>

enum { DEMI_ISA(ACTM_S) = DEM_BATCH_SIZE };
#define S DEMI_ISA(ACTM_S)

/* Fixes k and d of a contact that has none yet; forgets those of one that has ended. */
static DEMI_INLINE void DEMI_ISA(actm_fix)(const dem_contact_batch *b, uint64_t k,
                                           const demi_actm *c, double unit)
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

static DEMI_INLINE void DEMI_ISA(actm_lane)(const dem_contact_batch *b, uint64_t k,
                                            const double *before, int accounting)
{
    const double stiffness = b->state[k], damping = b->state[S + k];
    const double v = b->velocity_normal[k];
    const double overlap = dem_select(stiffness > 0.0, b->overlap[k], 0.0);
    const double elastic = dem_kernel_normal_actm(stiffness, 0.0, overlap, 0.0);
    const double force = dem_kernel_normal_actm(stiffness, damping, overlap, v);
    b->force_normal[k] = force;
    b->force_elastic[k] = elastic;
    b->force_friction[k] = dem_select(force > 0.0, force, 0.0);
    const double depth = dem_select(overlap > 0.0, overlap, 0.0);
    b->contact_radius[k] = sqrt(b->radius[k] * depth);
    b->stiffness[k] = 1.5 * stiffness * sqrt(depth);
    b->damping[k] = damping;
    if (!accounting)
        return;

    /* the force of the step's start, as the half-step velocity recalls it: see linear.c */
    const double v_half = -b->overlap_rate[k], old = before[k], old_damping = before[S + k];
    const double grown = b->overlap[k] + v_half * b->dt;
    const double overlap_old = dem_select((old > 0.0) & (grown > 0.0), grown, 0.0);
    const double elastic_old = dem_kernel_normal_actm(old, 0.0, overlap_old, 0.0);
    const double force_old =
        dem_kernel_normal_actm(old, old_damping, overlap_old, 2.0 * v_half - v);
    const double loss = (force - elastic) + (force_old - elastic_old);
    b->dissipated_normal[k] = -0.5 * loss * v_half * b->dt;
    b->elastic_energy[k] = 0.4 * elastic * depth;
}

static DEMI_INLINE void DEMI_ISA(actm_lanes)(uint64_t n, const dem_contact_batch *batch,
                                             const demi_actm *combined, int accounting)
{
    const dem_contact_batch b = *batch;
    const demi_actm c = *combined;
    /* a time in steps is not known where nothing advances */
    const double unit = (c.time + c.steps * b.dt) / c.tau;
    const uint64_t padded = DEMI_PADDED(n);
    double before[2 * S];
    int changes = 0;
    for (uint64_t k = 0; k < padded; ++k) {
        before[k] = b.state[k];
        before[S + k] = b.state[S + k];
        changes |= (b.overlap[k] > 0.0) != (b.state[k] > 0.0);
    }
    if (changes && unit > 0.0) {
        DEMI_SIMD
        for (uint64_t k = 0; k < padded; ++k)
            DEMI_ISA(actm_fix)(&b, k, &c, unit);
    }
    DEMI_SIMD
    for (uint64_t k = 0; k < padded; ++k)
        DEMI_ISA(actm_lane)(&b, k, before, accounting);
}

demi_evaluate DEMI_ISA(demi_actm_evaluate);

dem_status DEMI_ISA(demi_actm_evaluate)(void *user, uint64_t n, dem_contact_batch *batch,
                                        const void *combined)
{
    (void)user;
    if (batch->accounting)
        DEMI_ISA(actm_lanes)(n, batch, combined, 1);
    else
        DEMI_ISA(actm_lanes)(n, batch, combined, 0);
    return DEM_OK;
}

#undef S
