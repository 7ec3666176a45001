/* SPDX-License-Identifier: MIT */
/* One contact of the adhesive laws: JKR, whose contact lives on beyond touch, and DMT. */
#ifndef DEMI_ADHESION_LANE_H
#define DEMI_ADHESION_LANE_H

#include "laws/lane.h"

#include <dem/law_adhesion.h>

typedef struct demi_adhesion {
    double effective_young, effective_shear, work_of_adhesion;
    double alpha; /* eta = alpha sqrt(4/3 m* E* a) */
} demi_adhesion;

/* One contact at one overlap. */
typedef struct adhesive {
    double radius, force, damping, energy; /* contact radius, elastic force, dashpot, energy */
} adhesive;

/* A contact that exists. `neck` is used by JKR alone. */
static DEMI_INLINE adhesive adhesive_at(const demi_adhesion *c, double radius, double mass,
                                        double neck, double overlap, int jkr)
{
    adhesive s;
    const double young = c->effective_young;
    if (jkr) {
        const double root = dem_kernel_jkr_root(radius, neck, overlap);
        s.radius = root * root;
        s.force = dem_kernel_jkr_force(radius, young, neck, root);
        s.energy = dem_kernel_jkr_energy(radius, young, neck, root);
    } else {
        const double pull = 6.283185307179586 * c->work_of_adhesion * radius;
        s.radius = dem_kernel_contact_radius_hertz(radius, overlap);
        s.force = dem_kernel_normal_dmt(radius, young, c->work_of_adhesion, overlap);
        s.energy = (8.0 / 15.0 * young * s.radius * overlap - pull) * overlap;
    }
    s.damping = dem_kernel_damping_hertz(c->alpha, mass, young, s.radius);
    return s;
}

static DEMI_INLINE void adhesive_lane(const dem_contact_batch *b, uint64_t k,
                                      const demi_adhesion *c, int jkr, int energy_tracking)
{
    const double radius = b->radius[k], mass = b->mass[k], dt = b->dt;
    const double young = c->effective_young,
                 pull = 3.141592653589793 * c->work_of_adhesion * radius;
    const double neck = jkr ? dem_kernel_jkr_neck(radius, young, c->work_of_adhesion) : 0.0;
    const int was = b->was_touching[k] != 0.0;
    /* made on touch; JKR's neck holds until the gap is too wide */
    const int held = jkr ? was & (b->overlap[k] + dem_kernel_jkr_gap(radius, neck) > 0.0) : 0;
    const int touching = (b->touching[k] != 0.0) | held;
    const double v = b->velocity_normal[k];
    const double overlap = dem_select(touching, b->overlap[k], 0.0);
    const adhesive s = adhesive_at(c, radius, mass, neck, overlap, jkr);
    const double elastic = dem_select(touching, s.force, 0.0);
    const double damping = dem_select(touching, s.damping, 0.0);
    const double force = elastic - damping * v;
    /* Coulomb's limit counts with the force that presses the areas in contact together */
    const double pressed = force + (jkr ? 3.0 : 2.0) * pull;
    b->touching[k] = dem_select(touching, 1.0, 0.0);
    b->force_normal[k] = force;
    b->force_elastic[k] = elastic;
    b->force_coulomb[k] = dem_select(touching & (pressed > 0.0), pressed, 0.0);
    b->contact_radius[k] = dem_select(touching, s.radius, 0.0);
    b->stiffness[k] = dem_select(touching, 2.0 * young * s.radius, 0.0);
    b->damping[k] = damping;
    if (!energy_tracking)
        return;

    /* the step's start, as the half-step velocity recalls it. A contact that is new though the
     * bodies overlapped before was put there by the host, with its energy */
    const demi_normal_start start = demi_normal_begin(b, k);
    const double grown = start.overlap;
    const double touch =
        jkr ? dem_kernel_jkr_energy(radius, young, neck, 1.5874010519681994 * neck) : 0.0;
    const double begun = dem_select(was & jkr, grown, dem_select(grown > 0.0, grown, 0.0));
    const adhesive o = adhesive_at(c, radius, mass, neck, begun, jkr);
    const int begins = was | (grown > 0.0);
    const double elastic_old = dem_select(begins, o.force, 0.0);
    const double damping_old = dem_select(begins, o.damping, 0.0);
    const double energy = dem_select(touching, s.energy, 0.0);
    const double energy_old = o.energy - dem_select(begins, 0.0, touch);
    /* what is set free when a neck forms, and what is lost when it snaps: all that the bodies do
     * not get */
    const double jump =
        energy_old - energy - 0.5 * (elastic + elastic_old) * -b->overlap_rate[k] * dt;
    b->elastic_energy[k] = energy;
    b->dissipated_normal[k] =
        demi_normal_work(start, -(damping * v), -(damping_old * start.velocity)) +
        dem_select((touching != begins) & (dt > 0.0), jump, 0.0);
}

static DEMI_INLINE void jkr_lane(const dem_contact_batch *b, uint64_t k, const demi_adhesion *c,
                                 int energy_tracking)
{
    adhesive_lane(b, k, c, 1, energy_tracking);
}

static DEMI_INLINE void dmt_lane(const dem_contact_batch *b, uint64_t k, const demi_adhesion *c,
                                 int energy_tracking)
{
    adhesive_lane(b, k, c, 0, energy_tracking);
}

#endif
