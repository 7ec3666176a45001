/* SPDX-License-Identifier: MIT */
/* Batches of the hysteretic laws. */
#include "base/isa.h"
#include "laws/hysteretic.h"
#include "laws/laws.h"

#include <dem/law_hysteretic.h>

/* What a spring gives at one overlap. */
typedef struct DEMI_ISA(yielding) {
    double force, energy, damping, radius, stiffness;
} DEMI_ISA(yielding);

/* The dashpot adds to the spring's force, but does not pull. */
static DEMI_INLINE double DEMI_ISA(yielding_damped)(double force, double damping, double velocity)
{
    const double sum = force - damping * velocity;
    const double least = dem_select(force < 0.0, force, 0.0);
    return dem_select(sum > least, sum, least);
}

/* Writes force and dissipation of one lane, given the spring now and at the step's start. */
static DEMI_INLINE void DEMI_ISA(yielding_write)(const dem_contact_batch *b, uint64_t k,
                                                 const DEMI_ISA(yielding) * s,
                                                 const DEMI_ISA(yielding) * old, double loss,
                                                 double least, int accounting)
{
    const int alive = b->alive[k] != 0.0, was = b->alive_before[k] != 0.0;
    const double v = b->velocity_normal[k];
    const double force = dem_select(alive, DEMI_ISA(yielding_damped)(s->force, s->damping, v), 0.0);
    const double pressed = force - least;
    b->force_normal[k] = force;
    b->force_elastic[k] = dem_select(alive, s->force, 0.0);
    b->force_friction[k] = dem_select(alive & (pressed > 0.0), pressed, 0.0);
    b->contact_radius[k] = dem_select(alive, s->radius, 0.0);
    b->stiffness[k] = dem_select(alive, s->stiffness, 0.0);
    b->damping[k] = dem_select(alive, s->damping, 0.0);
    if (!accounting)
        return;
    const double v_half = -b->overlap_rate[k];
    const double dashpot = force - dem_select(alive, s->force, 0.0);
    const double dashpot_old =
        DEMI_ISA(yielding_damped)(old->force, old->damping, 2.0 * v_half - v) - old->force;
    const double sum = dashpot + dem_select(was, dashpot_old, 0.0);
    b->elastic_energy[k] = dem_select(alive, s->energy, 0.0);
    b->dissipated_normal[k] =
        dem_select((alive | was) & (b->dt > 0.0), loss, 0.0) - 0.5 * sum * v_half * b->dt;
}

/* ------------------------------------------------------------------ piecewise linear */

static DEMI_INLINE void DEMI_ISA(hysteretic_lane)(const dem_contact_batch *b, uint64_t k,
                                                  const demi_hysteretic *c, int accounting)
{
    const double radius = b->radius[k], k1 = c->loading, k2 = c->unloading;
    const int32_t bounded = c->depth > 0.0, recovers = c->recovers != 0.0;
    const double growth = c->growth / dem_select(bounded, radius, 1.0);
    const double limit = dem_select(bounded, c->depth * radius, 1e300);
    const double overlap = dem_select(b->alive[k] != 0.0, b->overlap[k], 0.0);
    const double before = b->state[k];
    double m = before;
    DEMI_ISA(yielding) s = {.damping = c->damping}, old = {.damping = c->damping};
    s.force =
        dem_kernel_normal_hysteretic(k1, k2, growth, limit, c->cohesion, recovers, overlap, &m);
    s.stiffness = k2 + growth * m;
    s.energy = 0.5 * s.force * s.force / s.stiffness;
    b->state[k] = dem_select(b->alive[k] != 0.0, m, 0.0);
    double loss = 0.0;
    if (accounting) {
        /* what the bodies overlapped by at the step's start without the contact knowing was put
         * there by the host, and is not counted */
        const double grown = b->overlap[k] - b->overlap_rate[k] * b->dt;
        double from = before;
        old.force = dem_kernel_normal_hysteretic(k1, k2, growth, limit, c->cohesion, recovers,
                                                 grown, &from);
        const double begun = dem_select(from > before, from, before);
        loss = dem_kernel_hysteretic_loss(k1, k2, growth, c->cohesion, begun, m);
    }
    DEMI_ISA(yielding_write)(b, k, &s, &old, loss, -(c->cohesion * overlap), accounting);
}

/* ------------------------------------------------------------------ Thornton */

static DEMI_INLINE void DEMI_ISA(thornton_lane)(const dem_contact_batch *b, uint64_t k,
                                                const demi_thornton *c, int accounting)
{
    const double radius = b->radius[k], mass = b->mass[k], young = c->effective_young;
    const double yield = c->yield_pressure;
    const double overlap = dem_select(b->alive[k] != 0.0, b->overlap[k], 0.0);
    const double before = b->state[k];
    double m = before;
    DEMI_ISA(yielding) s, old = {.force = 0.0};
    s.force = dem_kernel_normal_thornton(radius, young, yield, overlap, &m, &s.radius);
    s.energy = 0.3 * s.force * s.force / (young * dem_select(s.radius > 0.0, s.radius, 1.0));
    s.damping = dem_kernel_damping_hertz(c->alpha, mass, young, s.radius);
    s.stiffness = 2.0 * young * s.radius;
    b->state[k] = dem_select(b->alive[k] != 0.0, m, 0.0);
    double loss = 0.0;
    if (accounting) {
        const double grown = b->overlap[k] - b->overlap_rate[k] * b->dt;
        double from = before;
        old.force = dem_kernel_normal_thornton(radius, young, yield, grown, &from, &old.radius);
        old.damping = dem_kernel_damping_hertz(c->alpha, mass, young, old.radius);
        loss = dem_kernel_thornton_loss(radius, young, yield, m) -
               dem_kernel_thornton_loss(radius, young, yield, from);
    }
    DEMI_ISA(yielding_write)(b, k, &s, &old, loss, 0.0, accounting);
}

demi_evaluate DEMI_ISA(demi_hysteretic_evaluate), DEMI_ISA(demi_thornton_evaluate);

/* One loop each with and without accounting. */
#define DEMI_YIELDING_EVALUATE(name, type, lane)                                                   \
    static DEMI_INLINE void DEMI_ISA(name##_lanes)(uint64_t n, const dem_contact_batch *batch,     \
                                                   const type *combined, int accounting)           \
    {                                                                                              \
        const dem_contact_batch b = *batch;                                                        \
        const type c = *combined;                                                                  \
        DEMI_SIMD                                                                                  \
        for (uint64_t k = 0; k < DEMI_PADDED(n); ++k)                                              \
            DEMI_ISA(lane)(&b, k, &c, accounting);                                                 \
    }                                                                                              \
    dem_status DEMI_ISA(name)(void *user, uint64_t n, dem_contact_batch *batch,                    \
                              const void *combined)                                                \
    {                                                                                              \
        (void)user;                                                                                \
        if (batch->accounting)                                                                     \
            DEMI_ISA(name##_lanes)(n, batch, combined, 1);                                         \
        else                                                                                       \
            DEMI_ISA(name##_lanes)(n, batch, combined, 0);                                         \
        return DEM_OK;                                                                             \
    }

DEMI_YIELDING_EVALUATE(demi_hysteretic_evaluate, demi_hysteretic, hysteretic_lane)
DEMI_YIELDING_EVALUATE(demi_thornton_evaluate, demi_thornton, thornton_lane)

#undef DEMI_YIELDING_EVALUATE
