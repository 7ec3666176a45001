/* SPDX-License-Identifier: MIT */
/* The complete Mindlin-Deresiewicz contact as a row of springs (method of dimensionality
 * reduction).
 *
 * The springs live in a frame of their own, one unit vector of the state that the library turns
 * with the contact: so a row of any length costs one rotation, and two components instead of
 * three. Loops over springs are outside, loops over lanes inside. */
#ifndef DEMI_MINDLIN_DERESIEWICZ_LANE_H
#define DEMI_MINDLIN_DERESIEWICZ_LANE_H

#include "laws/lane.h"
#include "laws/mindlin.h"

#include <dem/law_hertz.h>
#include <dem/law_mindlin.h>

#define S DEM_BATCH_SIZE

/* What the passes over a batch hand on; a component c of a lane is at [c][lane]. */
typedef struct row_lanes {
    double direction[3][S], across[3][S]; /* frame of the springs */
    double overlap[S], a[S];              /* 0 in dead lanes */
    double spacing[S];                    /* dx before it grows */
    double slope[S];                      /* limit of a spring over its pressed depth h */
    double increment[2][S];
    double before[2][S], after[2][S];           /* sums of u */
    double squares_before[S], squares_after[S]; /* sums of u^2 */
    double sticking[S];                         /* number of springs that stick */
    double bearing[S];                          /* sum of the springs' limits */
    double averaged[S];                         /* energy lost by averaging springs, J */
} row_lanes;

/* A unit vector in the plane of n: branchless, and without a direction where it fails (Duff et al.
 * 2017). */
static DEMI_INLINE void row_any_direction(const double n[3], double e[3])
{
    const double sign = dem_select(n[2] < 0.0, -1.0, 1.0);
    const double p = -1.0 / (sign + n[2]);
    e[0] = 1.0 + sign * n[0] * n[0] * p;
    e[1] = sign * n[0] * n[1] * p;
    e[2] = -(sign * n[0]);
}

/* Frame, increment and limits of one lane. */
static DEMI_INLINE void row_begin(const dem_contact_batch *b, uint64_t k, const demi_mindlin *c,
                                  double springs, row_lanes *r)
{
    const double n[3] = {b->normal[k], b->normal[S + k], b->normal[2 * S + k]};
    const double du[3] = {b->increment[k], b->increment[S + k], b->increment[2 * S + k]};
    double e[3], fresh[3], along = 0.0, square = 0.0;
    for (uint64_t i = 0; i < 3; ++i) {
        e[i] = b->state[(DEMI_ROW_DIRECTION + i) * S + k];
        along += e[i] * n[i];
    }
    /* rounding must not add up over many steps: back into the plane, and to unit length */
    for (uint64_t i = 0; i < 3; ++i) {
        e[i] -= along * n[i];
        square += e[i] * e[i];
    }
    row_any_direction(n, fresh);
    const int old = square > 0.25;
    const double scale = 1.0 / sqrt(dem_select(old, square, 1.0));
    for (uint64_t i = 0; i < 3; ++i)
        e[i] = dem_select(old, e[i] * scale, fresh[i]);
    const double f[3] = {n[1] * e[2] - n[2] * e[1], n[2] * e[0] - n[0] * e[2],
                         n[0] * e[1] - n[1] * e[0]};
    for (uint64_t i = 0; i < 3; ++i) {
        r->direction[i][k] = e[i];
        r->across[i][k] = f[i];
    }
    r->increment[0][k] = du[0] * e[0] + du[1] * e[1] + du[2] * e[2];
    r->increment[1][k] = du[0] * f[0] + du[1] * f[1] + du[2] * f[2];

    const int touching = (b->touching[k] != 0.0) & (b->force_elastic[k] > 0.0);
    const double a = dem_select(touching, b->contact_radius[k], 0.0);
    const double spacing = b->state[DEMI_ROW_SPACING * S + k];
    r->overlap[k] = dem_select(touching, b->overlap[k], 0.0);
    r->a[k] = a;
    r->spacing[k] = dem_select(spacing > 0.0, spacing, a / springs);
    /* (mu/kappa) F_n/N: with less pressure than the overlap alone has, springs slip sooner */
    const double kappa = 4.0 * c->effective_shear / c->effective_young;
    r->slope[k] = c->friction / kappa * dem_select(touching, b->force_coulomb[k], 0.0) /
                  dem_select(touching, b->force_elastic[k], 1.0);
    for (uint64_t i = 0; i < 2; ++i)
        r->before[i][k] = r->after[i][k] = 0.0;
    r->squares_before[k] = r->squares_after[k] = r->averaged[k] = 0.0;
    r->sticking[k] = r->bearing[k] = 0.0;
}

/* Where the contact has outgrown its row, two springs become one. Rare: log2 of a/a_first times. */
static DEMI_INLINE void row_double(double *u, uint64_t k, uint64_t springs, double shear,
                                   row_lanes *r)
{
    u += k;
    while (r->a[k] > (double)springs * r->spacing[k]) {
        for (uint64_t i = 0; i < springs; ++i)
            for (uint64_t c = 0; c < 2; ++c) {
                const int inside = 2 * i < springs;
                const double p = inside ? u[(4 * i + c) * S] : 0.0;
                const double q = inside ? u[(4 * i + 2 + c) * S] : 0.0;
                u[(2 * i + c) * S] = 0.5 * (p + q);
                /* the force stays, the energy of the difference is lost */
                r->averaged[k] += 2.0 * shear * r->spacing[k] * (p - q) * (p - q);
            }
        r->spacing[k] *= 2.0;
    }
}

/* Spring number `s` of one lane. */
static DEMI_INLINE void row_spring(double *u, uint64_t k, double s, double inverse_radius,
                                   int energy_tracking, row_lanes *r)
{
    double moved[2] = {u[k], u[S + k]};
    const double step[2] = {r->increment[0][k], r->increment[1][k]};
    const double x = (s + 0.5) * r->spacing[k];
    const double depth = r->overlap[k] - x * x * inverse_radius;
    const int active = depth > 0.0;
    if (energy_tracking) {
        r->before[0][k] += moved[0];
        r->before[1][k] += moved[1];
        r->squares_before[k] += moved[0] * moved[0] + moved[1] * moved[1];
    }
    const double limit = dem_select(active, r->slope[k] * depth, 0.0);
    const int sticks = dem_kernel_mindlin_spring(limit, step, moved);
    r->bearing[k] += limit;
    for (uint64_t c = 0; c < 2; ++c) {
        u[c * S + k] = moved[c];
        r->after[c][k] += moved[c];
    }
    if (energy_tracking)
        r->squares_after[k] += moved[0] * moved[0] + moved[1] * moved[1];
    r->sticking[k] += dem_select(active & sticks, 1.0, 0.0);
}

/* Force, and where the work of the step went. */
static DEMI_INLINE void row_end(const dem_contact_batch *b, uint64_t k, const demi_mindlin *c,
                                int forces, int energy_tracking, row_lanes *r)
{
    const int touching = r->a[k] > 0.0;
    const double spring = dem_kernel_stiffness_mindlin(c->effective_shear, r->spacing[k]);
    const double limit = c->friction * dem_select(touching, b->force_coulomb[k], 0.0);
    const double eta =
        dem_kernel_damping_mindlin(c->damping_ratio, b->mass[k],
                                   dem_kernel_stiffness_mindlin(c->effective_shear, r->a[k])) +
        c->damping_factor * b->damping[k];
    const int gross = r->sticking[k] == 0.0;
    double elastic[2], force[2], square = 0.0, tension = 0.0;
    for (uint64_t i = 0; i < 2; ++i) {
        double(*e)[S] = i == 0 ? r->direction : r->across;
        const double v = b->velocity[k] * e[0][k] + b->velocity[S + k] * e[1][k] +
                         b->velocity[2 * S + k] * e[2][k];
        elastic[i] = spring * r->after[i][k];
        force[i] = -elastic[i] - eta * v;
        square += force[i] * force[i];
        tension += elastic[i] * elastic[i];
    }
    /* Where all springs slip the row's sum of limits is made the true one: a sphere that slides
     * straight on feels mu F_n exactly, and one that turns less, because its springs point
     * different ways. Elsewhere never beyond the limit. */
    const int slides = gross & (tension > 0.0);
    const double bearing = spring * r->bearing[k];
    const double exact = dem_select(slides, limit, 1.0) / dem_select(slides, bearing, 1.0);
    const int cut = (slides == 0) & (square > limit * limit);
    const double scale = dem_select(cut, limit, 1.0) / sqrt(dem_select(cut, square, 1.0));
    for (uint64_t i = 0; i < 2; ++i)
        force[i] =
            dem_select(touching, dem_select(slides, -exact * elastic[i], scale * force[i]), 0.0);
    for (uint64_t i = 0; i < 3; ++i) {
        b->force_tangential[i * S + k] = force[0] * r->direction[i][k] + force[1] * r->across[i][k];
        b->state[(DEMI_ROW_DIRECTION + i) * S + k] = dem_select(touching, r->direction[i][k], 0.0);
    }
    b->state[DEMI_ROW_SPACING * S + k] = dem_select(touching, r->spacing[k], 0.0);
    if (energy_tracking) {
        double work = 0.0, work_beside = 0.0;
        for (uint64_t i = 0; i < 2; ++i) {
            const double force_old = b->state[(DEMI_ROW_FORCE + i) * S + k];
            const double sum = force[i] + force_old;
            work -= 0.5 * sum * r->increment[i][k];
            /* what is not of the springs: dashpot and the cut to the limit */
            work_beside -= 0.5 * (sum + elastic[i] + spring * r->before[i][k]) * r->increment[i][k];
        }
        const double stored = 0.5 * spring * r->squares_after[k];
        const double released = 0.5 * spring * r->squares_before[k] + r->averaged[k] - stored;
        /* without a dashpot the cut is what slips */
        const double dashpot = dem_select(slides | (eta == 0.0), 0.0, work_beside);
        b->elastic_energy[k] += stored;
        b->dissipated_dashpot[k] = dashpot;
        b->dissipated_slip[k] = work - dashpot + released;
    }
    for (uint64_t i = 0; i < 2 && forces; ++i)
        b->state[(DEMI_ROW_FORCE + i) * S + k] = force[i];
}

/* forces: the state has those of the last step, which energies need. */
static DEMI_INLINE void row_batch(uint64_t n, const dem_contact_batch *b, const demi_mindlin *c,
                                  uint64_t springs, int forces, int energy_tracking)
{
    double *const first = b->state + (forces ? DEMI_ROW_SPRINGS : DEMI_ROW_LEAN_SPRINGS) * S;
    row_lanes r;
    double inverse_radius[S];
    DEMI_EACH_LANE(n, {
        row_begin(b, k, c, (double)springs, &r);
        inverse_radius[k] = 1.0 / b->radius[k];
    });
    for (uint64_t k = 0; k < DEMI_PADDED(n); ++k)
        if (r.a[k] > (double)springs * r.spacing[k] && r.spacing[k] > 0.0)
            row_double(first, k, springs, c->effective_shear, &r);
    for (uint64_t s = 0; s < springs; ++s) {
        double *const u = first + 2 * s * S;
        DEMI_EACH_LANE(n, row_spring(u, k, (double)s, inverse_radius[k], energy_tracking, &r));
    }
    DEMI_EACH_LANE(n, row_end(b, k, c, forces, energy_tracking, &r));
}

static DEMI_INLINE void mindlin_deresiewicz_lanes(uint64_t n, const dem_contact_batch *b,
                                                  const demi_mindlin *c, int energy_tracking)
{
    row_batch(n, b, c, 16, 1, energy_tracking);
}

static DEMI_INLINE void mindlin_deresiewicz_32_lanes(uint64_t n, const dem_contact_batch *b,
                                                     const demi_mindlin *c, int energy_tracking)
{
    row_batch(n, b, c, 32, 1, energy_tracking);
}

static DEMI_INLINE void mindlin_deresiewicz_lean_lanes(uint64_t n, const dem_contact_batch *b,
                                                       const demi_mindlin *c)
{
    row_batch(n, b, c, 16, 0, 0);
}

static DEMI_INLINE void mindlin_deresiewicz_32_lean_lanes(uint64_t n, const dem_contact_batch *b,
                                                          const demi_mindlin *c)
{
    row_batch(n, b, c, 32, 0, 0);
}

#undef S

#endif
