/* SPDX-License-Identifier: MIT */
/* Batches of the adhesive laws: JKR, whose contact lives on beyond touch, and DMT. */
#include "base/isa.h"
#include "laws/adhesion.h"
#include "laws/laws.h"

#include <dem/law_adhesion.h>

/* One contact at one overlap. */
typedef struct DEMI_ISA(adhesive) {
    double radius, force, damping, energy; /* contact radius, elastic force, dashpot, energy */
} DEMI_ISA(adhesive);

/* A contact that exists. `neck` is used by JKR alone. */
static DEMI_INLINE DEMI_ISA(adhesive)
    DEMI_ISA(adhesive_at)(const demi_adhesion *c, double radius, double mass, double neck,
                          double overlap, int jkr)
{
    DEMI_ISA(adhesive) s;
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

static DEMI_INLINE void DEMI_ISA(adhesive_lane)(const dem_contact_batch *b, uint64_t k,
                                                const demi_adhesion *c, int jkr, int accounting)
{
    const double radius = b->radius[k], mass = b->mass[k], dt = b->dt;
    const double young = c->effective_young,
                 pull = 3.141592653589793 * c->work_of_adhesion * radius;
    const double neck = jkr ? dem_kernel_jkr_neck(radius, young, c->work_of_adhesion) : 0.0;
    const int was = b->alive_before[k] != 0.0;
    /* made on touch; JKR's neck holds until the gap is too wide */
    const int held = jkr ? was & (b->overlap[k] + dem_kernel_jkr_gap(radius, neck) > 0.0) : 0;
    const int alive = (b->alive[k] != 0.0) | held;
    const double v = b->velocity_normal[k];
    const double overlap = dem_select(alive, b->overlap[k], 0.0);
    const DEMI_ISA(adhesive) s = DEMI_ISA(adhesive_at)(c, radius, mass, neck, overlap, jkr);
    const double elastic = dem_select(alive, s.force, 0.0);
    const double damping = dem_select(alive, s.damping, 0.0);
    const double force = elastic - damping * v;
    /* Coulomb's limit counts with the force that presses the areas in contact together */
    const double pressed = force + (jkr ? 3.0 : 2.0) * pull;
    b->alive[k] = dem_select(alive, 1.0, 0.0);
    b->force_normal[k] = force;
    b->force_elastic[k] = elastic;
    b->force_friction[k] = dem_select(alive & (pressed > 0.0), pressed, 0.0);
    b->contact_radius[k] = dem_select(alive, s.radius, 0.0);
    b->stiffness[k] = dem_select(alive, 2.0 * young * s.radius, 0.0);
    b->damping[k] = damping;
    if (!accounting)
        return;

    /* the step's start, as the half-step velocity recalls it. A contact that is new though the
     * bodies overlapped before was put there by the host, with its energy */
    const double v_half = -b->overlap_rate[k];
    const double grown = b->overlap[k] + v_half * dt;
    const double touch =
        jkr ? dem_kernel_jkr_energy(radius, young, neck, 1.5874010519681994 * neck) : 0.0;
    const double begun = dem_select(was & jkr, grown, dem_select(grown > 0.0, grown, 0.0));
    const DEMI_ISA(adhesive) o = DEMI_ISA(adhesive_at)(c, radius, mass, neck, begun, jkr);
    const double elastic_old = dem_select(was, o.force, 0.0);
    const double loss = damping * v + dem_select(was, o.damping, 0.0) * (2.0 * v_half - v);
    const double energy = dem_select(alive, s.energy, 0.0);
    const double energy_old = o.energy - dem_select(was, 0.0, touch);
    /* what is set free when a neck forms, and what is lost when it snaps: all that the bodies do
     * not get */
    const double jump = energy_old - energy - 0.5 * (elastic + elastic_old) * v_half * dt;
    b->elastic_energy[k] = energy;
    b->dissipated_normal[k] =
        0.5 * loss * v_half * dt + dem_select((alive != was) & (dt > 0.0), jump, 0.0);
}

static DEMI_INLINE void DEMI_ISA(adhesive_lanes)(uint64_t n, const dem_contact_batch *batch,
                                                 const demi_adhesion *combined, int jkr,
                                                 int accounting)
{
    const dem_contact_batch b = *batch;
    const demi_adhesion c = *combined;
    DEMI_SIMD
    for (uint64_t k = 0; k < DEMI_PADDED(n); ++k)
        DEMI_ISA(adhesive_lane)(&b, k, &c, jkr, accounting);
}

demi_evaluate DEMI_ISA(demi_jkr), DEMI_ISA(demi_dmt);

dem_status DEMI_ISA(demi_jkr)(void *user, uint64_t n, dem_contact_batch *batch,
                              const void *combined)
{
    (void)user;
    if (batch->accounting)
        DEMI_ISA(adhesive_lanes)(n, batch, combined, 1, 1);
    else
        DEMI_ISA(adhesive_lanes)(n, batch, combined, 1, 0);
    return DEM_OK;
}

dem_status DEMI_ISA(demi_dmt)(void *user, uint64_t n, dem_contact_batch *batch,
                              const void *combined)
{
    (void)user;
    if (batch->accounting)
        DEMI_ISA(adhesive_lanes)(n, batch, combined, 0, 1);
    else
        DEMI_ISA(adhesive_lanes)(n, batch, combined, 0, 0);
    return DEM_OK;
}
