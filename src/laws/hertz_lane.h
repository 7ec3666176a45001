/* SPDX-License-Identifier: MIT */
/* One contact of Hertz's normal force with a dashpot. */
#ifndef DEMI_HERTZ_LANE_H
#define DEMI_HERTZ_LANE_H

#include "laws/lane.h"

#include <dem/law_hertz.h>

typedef struct demi_hertz {
    double effective_young, effective_shear;
    /* eta = alpha sqrt(4/3 m* E* a) + coefficient: one of the two is zero */
    double alpha, coefficient;
    double attractive, absolute;
} demi_hertz;

/* Damping at a contact radius; restitution: a dashpot of that sort, which wants a square root. */
static DEMI_INLINE double hertz_damping(const demi_hertz *c, int restitution, double mass, double a)
{
    return (restitution ? dem_kernel_damping_hertz(c->alpha, mass, c->effective_young, a) : 0.0) +
           c->coefficient;
}

/* One lane. Dead lanes compute with the overlap 0, which gives zeroes throughout. */
static DEMI_INLINE void hertz_lane(const dem_contact_batch *b, uint64_t k, const demi_hertz *c,
                                   int restitution, int energy_tracking)
{
    const double young = c->effective_young, mass = b->mass[k], radius = b->radius[k];
    const int32_t attractive = c->attractive != 0.0;
    const double v = b->velocity_normal[k];
    const double overlap = dem_select(b->touching[k] != 0.0, b->overlap[k], 0.0);
    const double a = dem_kernel_contact_radius_hertz(radius, overlap);
    const double eta = hertz_damping(c, restitution, mass, a);
    const double elastic = dem_kernel_normal_hertz(young, a, 0.0, overlap, 0.0, 0);
    const double force = dem_kernel_normal_hertz(young, a, eta, overlap, v, attractive);
    b->force_normal[k] = force;
    b->force_elastic[k] = elastic;
    b->force_coulomb[k] =
        dem_select(force > 0.0, force, dem_select(c->absolute != 0.0, -force, 0.0));
    b->contact_radius[k] = a;
    b->stiffness[k] = 2.0 * young * a;
    b->damping[k] = dem_select(overlap > 0.0, eta, 0.0);
    if (!energy_tracking)
        return;

    const demi_normal_start start = demi_normal_begin(b, k);
    const int was_touching = b->was_touching[k] != 0.0;
    const double overlap_old = dem_select(was_touching & (start.overlap > 0.0), start.overlap, 0.0);
    const double a_old = dem_kernel_contact_radius_hertz(radius, overlap_old);
    const double eta_old = hertz_damping(c, restitution, mass, a_old);
    const double elastic_old = dem_kernel_normal_hertz(young, a_old, 0.0, overlap_old, 0.0, 0);
    const double force_old =
        dem_kernel_normal_hertz(young, a_old, eta_old, overlap_old, start.velocity, attractive);
    b->dissipated_normal[k] = demi_normal_work(start, force - elastic, force_old - elastic_old);
    b->elastic_energy[k] = 0.4 * elastic * overlap;
}

static DEMI_INLINE void hertz_lanes(uint64_t n, const dem_contact_batch *b, const demi_hertz *c,
                                    int energy_tracking)
{
    if (c->alpha != 0.0)
        DEMI_EACH_LANE(n, hertz_lane(b, k, c, 1, energy_tracking));
    else
        DEMI_EACH_LANE(n, hertz_lane(b, k, c, 0, energy_tracking));
}

#endif
