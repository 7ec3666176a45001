/* SPDX-License-Identifier: MIT */
/* Films along the surfaces of two bodies: sliding and rolling, with one coefficient
 * k = 2 pi mu R* ln(gap_max/max(gap, gap_min)) through a step. n points from the other to the own
 * body, the shares are c_i = r_i/(r_i + r_j) and c_j = 1 - c_i, the arms s_i = c_i d and s_j = c_j
 * d for the distance d. The surfaces slip by
 *
 *     x = c_i (v_i - v_j)_t - s_i w_i x n
 *     y = c_j (v_i - v_j)_t - s_j w_j x n
 *
 * x + y is the sliding velocity, x - y that of rolling. Impulses p and q, which take the velocities
 * after the step,
 *
 *     p = -dt k (8/5 x + 2/5 y)
 *     q = -dt k (2/5 x + 8/5 y)
 *
 * give c_i p + c_j q and -s_i n x p to the own body, -(c_i p + c_j q) and -s_j n x q to the other
 * one. So momentum and angular momentum stay, and the energy that is lost is
 * k ((x + y)^2 + 3/5 (x - y)^2) times the time. The surfaces are kept apart because one may be so
 * much faster than the other one that their sum would lose it. */
#ifndef DEMI_FILM_SLIP_H
#define DEMI_FILM_SLIP_H

#include "base/check.h"
#include "base/vector.h"
#include "world/film.h"

/* What velocities of the own body against the other one, and s_i w_i and s_j w_j, add to the slip
 * of both surfaces. */
static inline void demi_film_slip_add(const demi_film_pair *pair, const double velocity[3],
                                      const double own[3], const double other[3],
                                      demi_film_slip *slip)
{
    const double *n = pair->normal, along = demi_dot(velocity, n);
    double turned[3], turned_other[3];
    demi_cross(own, n, turned);
    demi_cross(other, n, turned_other);
    for (int c = 0; c < 3; ++c) {
        const double tangential = velocity[c] - along * n[c];
        slip->own[c] += pair->share_own * tangential - turned[c];
        slip->other[c] += pair->share_other * tangential - turned_other[c];
    }
}

/* The slip with the impulses of all films. */
static inline demi_film_slip demi_film_slip_now(const demi_film_pair *pair,
                                                const demi_impulse *change)
{
    const demi_impulse *i = &change[pair->ends.own],
                       *j = pair->ends.wall ? NULL : &change[pair->ends.other];
    demi_film_slip slip = pair->slip;
    double velocity[3], own[3], other[3];
    for (int c = 0; c < 3; ++c) {
        velocity[c] = i->linear[c] - (j != NULL ? j->linear[c] : 0.0);
        own[c] = pair->arm_own * i->angular[c];
        other[c] = j != NULL ? pair->arm_other * j->angular[c] : 0.0;
    }
    demi_film_slip_add(pair, velocity, own, other, &slip);
    return slip;
}

/* What impulses p and q are: a force on the own body, and torques on both. */
static inline void demi_film_slip_impulse(const demi_film_pair *pair, const demi_film_slip *impulse,
                                          double force[3], double own[3], double other[3])
{
    double p[3], q[3];
    for (int c = 0; c < 3; ++c) {
        force[c] = pair->share_own * impulse->own[c] + pair->share_other * impulse->other[c];
        p[c] = -pair->arm_own * impulse->own[c];
        q[c] = -pair->arm_other * impulse->other[c];
    }
    demi_cross(pair->normal, p, own);
    demi_cross(pair->normal, q, other);
}

/* B: what unit impulses p and q change of the slip, by the velocities of both bodies and by the
 * rotation of each. */
typedef struct demi_film_effect {
    double mass, turns_own, turns_other;
    double b11, b12, b22;
} demi_film_effect;

static inline demi_film_effect demi_film_effect_of(const demi_film_pair *pair)
{
    const double mass = pair->inverse_own + pair->inverse_other, own = pair->share_own,
                 other = pair->share_other,
                 turns_own = pair->arm_own * pair->arm_own * pair->inertia_own,
                 turns_other = pair->arm_other * pair->arm_other * pair->inertia_other;
    const demi_film_effect effect = {mass,
                                     turns_own,
                                     turns_other,
                                     mass * (own * own) + turns_own,
                                     mass * (own * other),
                                     mass * (other * other) + turns_other};
    return effect;
}

/* What impulses change of the slip. */
static inline demi_film_slip demi_film_slip_by(const demi_film_effect *effect,
                                               const demi_film_slip *impulse)
{
    demi_film_slip by;
    for (int c = 0; c < 3; ++c) {
        by.own[c] = effect->b11 * impulse->own[c] + effect->b12 * impulse->other[c];
        by.other[c] = effect->b12 * impulse->own[c] + effect->b22 * impulse->other[c];
    }
    return by;
}

/* The impulses where other films leave a slip: (p, q) = -K (x, y) with (x, y) = slip + B (p, q).
 * The determinant of B has no differences. */
static inline demi_film_slip demi_film_slip_solve(const demi_film_pair *pair,
                                                  const demi_film_effect *effect, double dt,
                                                  const demi_film_slip *slip)
{
    const double most = 1e100; /* a coefficient beyond it does what it does; its square is finite */
    const double sum = effect->b11 + effect->b22, held = dt * pair->drag,
                 k = held * sum < most ? held : most / sum;
    const double own = pair->share_own, other = pair->share_other, m = k * effect->mass,
                 a = k * effect->turns_own, b = k * effect->turns_other,
                 determinant = m * (a * (other * other) + b * (own * own)) + a * b;
    const double b11 = k * effect->b11, b12 = k * effect->b12, b22 = k * effect->b22;
    const double scale = -k / (1.0 + (1.6 * (b11 + b22) + 0.8 * b12) + 2.4 * determinant);
    demi_film_slip impulse;
    for (int c = 0; c < 3; ++c) {
        const double x = slip->own[c], y = slip->other[c];
        impulse.own[c] = ((1.6 + 2.4 * b22) * x + (0.4 - 2.4 * b12) * y) * scale;
        impulse.other[c] = ((0.4 - 2.4 * b12) * x + (1.6 + 2.4 * b11) * y) * scale;
    }
    return impulse;
}

#endif
