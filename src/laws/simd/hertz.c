/* SPDX-License-Identifier: MIT */
/* Batches of Hertz's normal force with a dashpot. */
#include "base/isa.h"
#include "laws/hertz.h"
#include "laws/laws.h"

#include <dem/law_hertz.h>

/* One lane. Dead lanes compute with the overlap 0, which gives zeroes throughout. */
static DEMI_INLINE void DEMI_ISA(hertz_lane)(const dem_contact_batch *b, uint64_t k,
                                             const demi_hertz *c, int accounting)
{
    const double young = c->effective_young, mass = b->mass[k], radius = b->radius[k];
    const int32_t attractive = c->attractive != 0.0;
    const double v = b->velocity_normal[k];
    const double overlap = dem_select(b->alive[k] != 0.0, b->overlap[k], 0.0);
    const double a = dem_kernel_contact_radius_hertz(radius, overlap);
    const double eta = dem_kernel_damping_hertz(c->alpha, mass, young, a) + c->coefficient;
    const double elastic = dem_kernel_normal_hertz(young, a, 0.0, overlap, 0.0, 0);
    const double force = dem_kernel_normal_hertz(young, a, eta, overlap, v, attractive);
    b->force_normal[k] = force;
    b->force_elastic[k] = elastic;
    b->force_friction[k] =
        dem_select(force > 0.0, force, dem_select(c->absolute != 0.0, -force, 0.0));
    b->contact_radius[k] = a;
    b->stiffness[k] = 2.0 * young * a;
    b->damping[k] = dem_select(overlap > 0.0, eta, 0.0);
    if (!accounting)
        return;

    /* the force of the step's start, as the half-step velocity recalls it: see linear.c */
    const double v_half = -b->overlap_rate[k];
    const double grown = b->overlap[k] + v_half * b->dt;
    const double overlap_old = dem_select((b->alive_before[k] != 0.0) & (grown > 0.0), grown, 0.0);
    const double a_old = dem_kernel_contact_radius_hertz(radius, overlap_old);
    const double eta_old = dem_kernel_damping_hertz(c->alpha, mass, young, a_old) + c->coefficient;
    const double elastic_old = dem_kernel_normal_hertz(young, a_old, 0.0, overlap_old, 0.0, 0);
    const double force_old =
        dem_kernel_normal_hertz(young, a_old, eta_old, overlap_old, 2.0 * v_half - v, attractive);
    const double loss = (force - elastic) + (force_old - elastic_old);
    b->dissipated_normal[k] = -0.5 * loss * v_half * b->dt;
    b->elastic_energy[k] = 0.4 * elastic * overlap;
}

static DEMI_INLINE void DEMI_ISA(hertz_lanes)(uint64_t n, const dem_contact_batch *batch,
                                              const demi_hertz *combined, int accounting)
{
    const dem_contact_batch b = *batch;
    const demi_hertz c = *combined;
    DEMI_SIMD
    for (uint64_t k = 0; k < DEMI_PADDED(n); ++k)
        DEMI_ISA(hertz_lane)(&b, k, &c, accounting);
}

demi_evaluate DEMI_ISA(demi_hertz_evaluate);

dem_status DEMI_ISA(demi_hertz_evaluate)(void *user, uint64_t n, dem_contact_batch *batch,
                                         const void *combined)
{
    (void)user;
    if (batch->accounting)
        DEMI_ISA(hertz_lanes)(n, batch, combined, 1);
    else
        DEMI_ISA(hertz_lanes)(n, batch, combined, 0);
    return DEM_OK;
}
