/* SPDX-License-Identifier: MIT */
/* Batches of Hooke's normal law. */
#include "base/isa.h"
#include "laws/hooke.h"
#include "laws/laws.h"
#include "laws/work.h"

#include <dem/kernels.h>

static DEMI_INLINE void DEMI_ISA(hooke_lane)(const dem_contact_batch *b, uint64_t k,
                                             const demi_hooke *c, int accounting)
{
    const double mass = b->mass[k], kn = c->stiffness;
    const double eta =
        dem_kernel_damping_linear(c->ratio, mass, kn) + c->coefficient + c->rate * mass;
    const int32_t attractive = c->attractive != 0.0;
    const int alive = b->alive[k] != 0.0, alive_before = b->alive_before[k] != 0.0;
    const double v_half = -b->overlap_rate[k], v = b->velocity_normal[k];
    const double overlap = dem_select(alive, b->overlap[k], 0.0);
    const double fn = dem_kernel_normal_linear(kn, eta, overlap, v, attractive);
    b->force_normal[k] = fn;
    b->force_elastic[k] = kn * overlap;
    b->force_friction[k] = demi_pressing(fn, c->absolute != 0.0);
    b->stiffness[k] = kn;
    b->damping[k] = eta;
    if (!accounting)
        return;
    const demi_normal_past past =
        demi_normal_recall(kn, eta, attractive, alive_before, b->overlap[k], v_half, v, b->dt);
    b->dissipated_normal[k] = demi_normal_loss(kn, &past, fn, overlap, v_half, b->dt);
    b->elastic_energy[k] = 0.5 * kn * overlap * overlap;
}

demi_evaluate DEMI_ISA(demi_hooke_batch);

dem_status DEMI_ISA(demi_hooke_batch)(void *user, uint64_t n, dem_contact_batch *batch,
                                      const void *combined)
{
    (void)user;
    const dem_contact_batch b = *batch;
    const demi_hooke c = *(const demi_hooke *)combined;
    if (b.accounting) {
        DEMI_SIMD
        for (uint64_t k = 0; k < DEMI_PADDED(n); ++k)
            DEMI_ISA(hooke_lane)(&b, k, &c, 1);
    } else {
        DEMI_SIMD
        for (uint64_t k = 0; k < DEMI_PADDED(n); ++k)
            DEMI_ISA(hooke_lane)(&b, k, &c, 0);
    }
    return DEM_OK;
}
