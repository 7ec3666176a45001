/* SPDX-License-Identifier: MIT */
/* One contact that creeps. */
#ifndef DEMI_MAXWELL_LANE_H
#define DEMI_MAXWELL_LANE_H

#include "laws/lane.h"

typedef struct demi_maxwell {
    double stiffness, viscosity;
} demi_maxwell;

/* The dashpot's length s moves implicitly: no step is too long for it. A contact does not pull. */
static DEMI_INLINE void maxwell_lane(const dem_contact_batch *b, uint64_t k, const demi_maxwell *c,
                                     int energy_tracking)
{
    const int touching = b->touching[k] != 0.0, was = b->was_touching[k] != 0.0;
    const double overlap = dem_select(touching, b->overlap[k], 0.0);
    const double rate = c->stiffness * b->dt / c->viscosity, before = b->state[k];
    const double crept = (before + rate * overlap) / (1.0 + rate);
    const double s = dem_select(touching, dem_select(crept < overlap, crept, overlap), 0.0);
    const double force = c->stiffness * (overlap - s);
    b->state[k] = s;
    b->force_normal[k] = force;
    b->force_elastic[k] = force;
    b->force_coulomb[k] = force;
    b->stiffness[k] = c->stiffness;
    if (!energy_tracking)
        return;
    const double grown = b->overlap[k] - b->overlap_rate[k] * b->dt;
    const double stretch = dem_select(was & (grown > before), grown - before, 0.0);
    const double mean = 0.5 * (force + c->stiffness * stretch);
    const double stored = 0.5 * force * (overlap - s);
    /* what the bodies put in and the spring does not keep */
    b->elastic_energy[k] = stored;
    b->dissipated_normal[k] =
        mean * b->overlap_rate[k] * b->dt - (stored - 0.5 * c->stiffness * stretch * stretch);
}

#endif
