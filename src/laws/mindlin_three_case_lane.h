/* SPDX-License-Identifier: MIT */
/* One contact of the incremental Mindlin-Deresiewicz law with three cases (Thornton and Yin 1991;
 * Li et al. 2022, Sec. 2.2). For comparison: plain lanes, no vectors; see docs/law_mindlin.md for
 * what is wrong with it. */
#ifndef DEMI_MINDLIN_THREE_CASE_LANE_H
#define DEMI_MINDLIN_THREE_CASE_LANE_H

#include "laws/lane.h"
#include "laws/mindlin.h"

#include <dem/law_adhesion.h>
#include <dem/law_mindlin.h>

#define S DEM_BATCH_SIZE

/* One step of the force along the first direction, mirrored so that loading is positive.
 * `history` holds what DEMI_CASES_ALONG and the five after it say. */
static inline void cases_advance(double friction, double stiffness, double load, double step,
                                 double *history)
{
    double *const force = &history[0], *const turn = &history[S], *const back = &history[2 * S];
    double *const load_old = &history[3 * S], *const phase = &history[4 * S];
    double *const sign = &history[5 * S];
    const double rise = friction * (load - *load_old), top = friction * load;
    *load_old = load;
    if (*sign == 0.0)
        *sign = 1.0;
    double t = *sign * *force, d = *sign * step;
    /* the turning points move with Coulomb's limit */
    if (*phase >= 1.0)
        *turn += rise;
    if (*phase >= 2.0)
        *back -= rise;
    if (*phase == 0.0 && d < 0.0) {
        *phase = 1.0;
        *turn = t;
    } else if (*phase == 1.0 && d > 0.0) {
        *phase = 2.0;
        *back = t;
    } else if (*phase == 2.0 && d < 0.0) {
        *phase = 1.0;
    }
    double slipped = 0.0;
    if (top > 0.0)
        slipped = *phase == 0.0   ? (t + rise) / top
                  : *phase == 1.0 ? (*turn - t + 2.0 * rise) / (2.0 * top)
                                  : (t - *back + 2.0 * rise) / (2.0 * top);
    double theta = dem_kernel_cube_root(slipped < 0.0 ? 1.0 : slipped > 1.0 ? 0.0 : 1.0 - slipped);
    if (rise > 0.0 && stiffness * (d < 0.0 ? -d : d) < rise)
        theta = 1.0; /* the pressure outruns the shear: no slip */
    const double with_load = (1.0 - theta) * rise;
    t += stiffness * theta * d + (*phase == 1.0 ? -with_load : with_load);
    if (*phase == 2.0 && t >= *turn)
        *phase = 0.0;
    if (*phase == 1.0 && t <= -*turn) {
        *phase = 0.0;
        *sign = -*sign;
        t = -t;
    }
    *force = *sign * t;
}

static inline void cases_lane(const dem_contact_batch *b, uint64_t k, const demi_mindlin *c)
{
    double *const state = b->state + k;
    double *const along = state + DEMI_CASES_ALONG * S, *const across =
                                                            state + DEMI_CASES_ACROSS * S;
    if (b->touching[k] == 0.0 || !(b->contact_radius[k] > 0.0)) {
        double released = state[DEMI_CASES_ENERGY * S];
        for (uint64_t i = 0; i < 3; ++i)
            released -= 0.5 * state[(DEMI_CASES_FORCE + i) * S] * b->increment[i * S + k];
        for (uint64_t i = 0; i < DEMI_CASES_COUNT; ++i)
            state[i * S] = 0.0;
        b->dissipated_slip[k] = released;
        return;
    }
    const double n[3] = {b->normal[k], b->normal[S + k], b->normal[2 * S + k]};
    const double du[3] = {b->increment[k], b->increment[S + k], b->increment[2 * S + k]};
    const double vd[3] = {b->velocity[k], b->velocity[S + k], b->velocity[2 * S + k]};
    double e[3] = {state[0], state[S], state[2 * S]};
    const double moved = du[0] * du[0] + du[1] * du[1] + du[2] * du[2];
    if (e[0] == 0.0 && e[1] == 0.0 && e[2] == 0.0 && moved > 0.0)
        for (uint64_t i = 0; i < 3; ++i)
            state[i * S] = e[i] = du[i] / sqrt(moved);
    const double f[3] = {n[1] * e[2] - n[2] * e[1], n[2] * e[0] - n[0] * e[2],
                         n[0] * e[1] - n[1] * e[0]};
    const double stiffness = dem_kernel_stiffness_mindlin(c->effective_shear, b->contact_radius[k]);
    const double eta = dem_kernel_damping_mindlin(c->damping_ratio, b->mass[k], stiffness) +
                       c->damping_factor * b->damping[k];
    const double limit = c->friction * b->force_coulomb[k];
    cases_advance(c->friction, stiffness, b->force_coulomb[k],
                  du[0] * e[0] + du[1] * e[1] + du[2] * e[2], along);
    *across += stiffness * (du[0] * f[0] + du[1] * f[1] + du[2] * f[2]);

    double trial[3], square = 0.0;
    for (int i = 0; i < 3; ++i) {
        trial[i] = -(*along * e[i] + *across * f[i]) - eta * vd[i];
        square += trial[i] * trial[i];
    }
    const int slips = square > limit * limit;
    const double kept = slips ? limit / sqrt(square) : 1.0;
    if (slips) {
        /* gross sliding: the elastic force is reset as D-SDS does */
        double reset[3];
        for (int i = 0; i < 3; ++i)
            reset[i] = -(kept * trial[i]) - eta * vd[i];
        *along = reset[0] * e[0] + reset[1] * e[1] + reset[2] * e[2];
        *across = reset[0] * f[0] + reset[1] * f[1] + reset[2] * f[2];
    }
    const double elastic = *along * *along + *across * *across;
    double work = 0.0, dashpot = 0.0;
    for (uint64_t i = 0; i < 3; ++i) {
        const double force = kept * trial[i], old = state[(DEMI_CASES_FORCE + i) * S];
        work -= 0.5 * (force + old) * du[i];
        /* to first order in dt */
        dashpot += kept * eta * vd[i] * du[i];
        state[(DEMI_CASES_FORCE + i) * S] = force;
        b->force_tangential[i * S + k] = force;
    }
    /* what a contact without slip would store at this force; the rest of the work is gone */
    const double stored = 0.5 * elastic / stiffness;
    b->elastic_energy[k] += stored;
    b->dissipated_dashpot[k] = dashpot;
    b->dissipated_slip[k] = work - dashpot - (stored - state[DEMI_CASES_ENERGY * S]);
    state[DEMI_CASES_ENERGY * S] = stored;
}

/* It accounts for energies always: what its slots keep depends on them. */
static DEMI_INLINE void mindlin_three_case_lanes(uint64_t n, const dem_contact_batch *b,
                                                 const demi_mindlin *c, int energy_tracking)
{
    (void)energy_tracking;
    for (uint64_t k = 0; k < n; ++k)
        cases_lane(b, k, c);
}

#undef S

#endif
