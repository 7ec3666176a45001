/* SPDX-License-Identifier: MIT */
/* One contact of the hysteretic laws. */
#ifndef DEMI_HYSTERETIC_LANE_H
#define DEMI_HYSTERETIC_LANE_H

#include "laws/lane.h"

#include <dem/law_hysteretic.h>

/* Luding's law, and Walton and Braun's. */
typedef struct demi_hysteretic {
    double loading, unloading; /* k_1, and k_2 of a fresh contact */
    double cohesion, damping;
    double growth;   /* of k_2 with the greatest overlap, N/m2; Luding: of k_2 R* */
    double depth;    /* greatest overlap that is kept, over R*; 0: all are kept */
    double recovers; /* 1: Luding's */
} demi_hysteretic;

typedef struct demi_thornton {
    double effective_young, effective_shear, yield_pressure;
    double alpha; /* eta = alpha sqrt(4/3 m* E* a) */
} demi_thornton;

/* What a spring gives at one overlap. */
typedef struct yielding {
    double force, energy, damping, radius, stiffness;
} yielding;

/* The dashpot adds to the spring's force, but does not pull. */
static DEMI_INLINE double yielding_damped(double force, double damping, double velocity)
{
    const double sum = force - damping * velocity;
    const double least = dem_select(force < 0.0, force, 0.0);
    return dem_select(sum > least, sum, least);
}

/* Writes force and dissipation of one lane, given the spring now and at the step's start. */
static DEMI_INLINE void yielding_write(const dem_contact_batch *b, uint64_t k, const yielding *s,
                                       const yielding *old, double loss, double least,
                                       int energy_tracking)
{
    const int touching = b->touching[k] != 0.0, was = b->was_touching[k] != 0.0;
    const double v = b->velocity_normal[k];
    const double force = dem_select(touching, yielding_damped(s->force, s->damping, v), 0.0);
    const double pressed = force - least;
    b->force_normal[k] = force;
    b->force_elastic[k] = dem_select(touching, s->force, 0.0);
    b->force_coulomb[k] = dem_select(touching & (pressed > 0.0), pressed, 0.0);
    b->contact_radius[k] = dem_select(touching, s->radius, 0.0);
    b->stiffness[k] = dem_select(touching, s->stiffness, 0.0);
    b->damping[k] = dem_select(touching, s->damping, 0.0);
    if (!energy_tracking)
        return;
    const demi_normal_start start = demi_normal_begin(b, k);
    const double dashpot = force - dem_select(touching, s->force, 0.0);
    const double dashpot_old =
        yielding_damped(old->force, old->damping, start.velocity) - old->force;
    b->elastic_energy[k] = dem_select(touching, s->energy, 0.0);
    b->dissipated_normal[k] = dem_select((touching | was) & (b->dt > 0.0), loss, 0.0) +
                              demi_normal_work(start, dashpot, dem_select(was, dashpot_old, 0.0));
}

/* ------------------------------------------------------------------ piecewise linear */

static DEMI_INLINE void hysteretic_lane(const dem_contact_batch *b, uint64_t k,
                                        const demi_hysteretic *c, int energy_tracking)
{
    const double radius = b->radius[k], k1 = c->loading, k2 = c->unloading;
    const int32_t bounded = c->depth > 0.0, recovers = c->recovers != 0.0;
    const double growth = c->growth / dem_select(bounded, radius, 1.0);
    const double limit = dem_select(bounded, c->depth * radius, 1e300);
    const double overlap = dem_select(b->touching[k] != 0.0, b->overlap[k], 0.0);
    const double before = b->state[k];
    double m = before;
    yielding s = {.damping = c->damping}, old = {.damping = c->damping};
    s.force =
        dem_kernel_normal_hysteretic(k1, k2, growth, limit, c->cohesion, recovers, overlap, &m);
    s.stiffness = k2 + growth * m;
    s.energy = 0.5 * s.force * s.force / s.stiffness;
    b->state[k] = dem_select(b->touching[k] != 0.0, m, 0.0);
    double loss = 0.0;
    if (energy_tracking) {
        /* what the bodies overlapped by at the step's start without the contact knowing was put
         * there by the host, and is not counted */
        const double grown = demi_normal_begin(b, k).overlap;
        double from = before;
        old.force = dem_kernel_normal_hysteretic(k1, k2, growth, limit, c->cohesion, recovers,
                                                 grown, &from);
        const double begun = dem_select(from > before, from, before);
        loss = dem_kernel_hysteretic_loss(k1, k2, growth, c->cohesion, begun, m);
    }
    yielding_write(b, k, &s, &old, loss, -(c->cohesion * overlap), energy_tracking);
}

static DEMI_INLINE void luding_lane(const dem_contact_batch *b, uint64_t k,
                                    const demi_hysteretic *c, int energy_tracking)
{
    hysteretic_lane(b, k, c, energy_tracking);
}

static DEMI_INLINE void walton_braun_lane(const dem_contact_batch *b, uint64_t k,
                                          const demi_hysteretic *c, int energy_tracking)
{
    hysteretic_lane(b, k, c, energy_tracking);
}

/* ------------------------------------------------------------------ Thornton */

static DEMI_INLINE void thornton_lane(const dem_contact_batch *b, uint64_t k,
                                      const demi_thornton *c, int energy_tracking)
{
    const double radius = b->radius[k], mass = b->mass[k], young = c->effective_young;
    const double yield = c->yield_pressure;
    const double overlap = dem_select(b->touching[k] != 0.0, b->overlap[k], 0.0);
    const double before = b->state[k];
    double m = before;
    yielding s, old = {.force = 0.0};
    s.force = dem_kernel_normal_thornton(radius, young, yield, overlap, &m, &s.radius);
    s.energy = 0.3 * s.force * s.force / (young * dem_select(s.radius > 0.0, s.radius, 1.0));
    s.damping = dem_kernel_damping_hertz(c->alpha, mass, young, s.radius);
    s.stiffness = 2.0 * young * s.radius;
    b->state[k] = dem_select(b->touching[k] != 0.0, m, 0.0);
    double loss = 0.0;
    if (energy_tracking) {
        const double grown = demi_normal_begin(b, k).overlap;
        double from = before;
        old.force = dem_kernel_normal_thornton(radius, young, yield, grown, &from, &old.radius);
        old.damping = dem_kernel_damping_hertz(c->alpha, mass, young, old.radius);
        loss = dem_kernel_thornton_loss(radius, young, yield, m) -
               dem_kernel_thornton_loss(radius, young, yield, from);
    }
    yielding_write(b, k, &s, &old, loss, 0.0, energy_tracking);
}

#endif
