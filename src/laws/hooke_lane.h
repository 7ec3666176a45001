/* SPDX-License-Identifier: MIT */
/* One contact of Hooke's normal law. */
#ifndef DEMI_HOOKE_LANE_H
#define DEMI_HOOKE_LANE_H

#include "laws/lane.h"

typedef struct demi_hooke {
    double stiffness;
    /* eta = 2 ratio sqrt(m* k_n) + coefficient + rate m*: two of the three are zero */
    double ratio, coefficient, rate;
    double attractive, absolute;
} demi_hooke;

/* What the dashpot took, and the normal force at the start of the step. */
static DEMI_INLINE double hooke_work(const dem_contact_batch *b, uint64_t k, double stiffness,
                                     double damping, int32_t attractive, int was_touching,
                                     double dashpot, double *force_old)
{
    const demi_normal_start start = demi_normal_begin(b, k);
    const double overlap = dem_select(was_touching & (start.overlap > 0.0), start.overlap, 0.0);
    *force_old = dem_kernel_normal_linear(stiffness, damping, overlap, start.velocity, attractive);
    return demi_normal_work(start, dashpot, *force_old - stiffness * overlap);
}

static DEMI_INLINE void hooke_lane(const dem_contact_batch *b, uint64_t k, const demi_hooke *c,
                                   int energy_tracking)
{
    const double mass = b->mass[k], kn = c->stiffness;
    const double eta =
        dem_kernel_damping_linear(c->ratio, mass, kn) + c->coefficient + c->rate * mass;
    const int32_t attractive = c->attractive != 0.0;
    const int touching = b->touching[k] != 0.0, was_touching = b->was_touching[k] != 0.0;
    const double v = b->velocity_normal[k];
    const double overlap = dem_select(touching, b->overlap[k], 0.0);
    const double fn = dem_kernel_normal_linear(kn, eta, overlap, v, attractive);
    b->force_normal[k] = fn;
    b->force_elastic[k] = kn * overlap;
    b->force_coulomb[k] = demi_pressing(fn, c->absolute != 0.0);
    b->stiffness[k] = kn;
    b->damping[k] = eta;
    if (!energy_tracking)
        return;
    double fn_old;
    b->dissipated_normal[k] =
        hooke_work(b, k, kn, eta, attractive, was_touching, fn - kn * overlap, &fn_old);
    b->elastic_energy[k] = 0.5 * kn * overlap * overlap;
}

#endif
