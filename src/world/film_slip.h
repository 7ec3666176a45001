/* SPDX-License-Identifier: MIT */
/* Films along the surfaces of two bodies: sliding and rolling, with one coefficient
 * k = 2 pi mu R* ln(gap_max/max(gap, gap_min)) through a step. n points from the other to the own
 * body, the arms s add up to the distance, and chi = (r_i - r_j)/(r_i + r_j). With
 *
 *     slide = (v_i - v_j)_t - (s_i w_i + s_j w_j) x n
 *     roll = n x (s_i w_i - s_j w_j) + chi (v_i - v_j)_t
 *
 * and impulses p = -dt k slide, q = -dt 3/5 k roll, which take the velocities after the step, the
 * own body gets p + chi q and -s_i n x (p + q), the other one -(p + chi q) and -s_j n x (p - q).
 * So momentum and angular momentum stay, and the energy that is lost is k (slide^2 + 3/5 roll^2)
 * times the time. */
#ifndef DEMI_FILM_SLIP_H
#define DEMI_FILM_SLIP_H

#include "base/vector.h"
#include "world/film.h"

static inline void demi_film_cross(const double a[3], const double b[3], double out[3])
{
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        out[c] = a[d] * b[e] - a[e] * b[d];
    }
}

/* What velocities of the own body against the other one, and s_i w_i and s_j w_j, add to sliding
 * and rolling. */
static inline void demi_film_slip_add(const demi_film_pair *pair, const double velocity[3],
                                      const double own[3], const double other[3], double slide[3],
                                      double roll[3])
{
    const double *n = pair->normal, along = demi_dot(velocity, n);
    double sum[3], difference[3], turned[3], rolled[3];
    for (int c = 0; c < 3; ++c) {
        sum[c] = own[c] + other[c];
        difference[c] = own[c] - other[c];
    }
    demi_film_cross(sum, n, turned);
    demi_film_cross(n, difference, rolled);
    for (int c = 0; c < 3; ++c) {
        const double tangential = velocity[c] - along * n[c];
        slide[c] += tangential - turned[c];
        roll[c] += rolled[c] + pair->chi * tangential;
    }
}

/* Sliding and rolling with the impulses of all films. */
static inline void demi_film_slip_now(const demi_film_pair *pair, const demi_impulse *change,
                                      double slide[3], double roll[3])
{
    const demi_impulse *i = &change[pair->ends.own],
                       *j = pair->ends.wall ? NULL : &change[pair->ends.other];
    double velocity[3], own[3], other[3];
    for (int c = 0; c < 3; ++c) {
        velocity[c] = i->linear[c] - (j != NULL ? j->linear[c] : 0.0);
        own[c] = pair->arm_own * i->angular[c];
        other[c] = j != NULL ? pair->arm_other * j->angular[c] : 0.0;
        slide[c] = pair->slide[c];
        roll[c] = pair->roll[c];
    }
    demi_film_slip_add(pair, velocity, own, other, slide, roll);
}

/* Impulses of p and q: force on the own body, and the torques on both. */
static inline void demi_film_slip_impulse(const demi_film_pair *pair, const double p[3],
                                          const double q[3], double force[3], double own[3],
                                          double other[3])
{
    double sum[3], difference[3];
    for (int c = 0; c < 3; ++c) {
        force[c] = p[c] + pair->chi * q[c];
        sum[c] = -pair->arm_own * (p[c] + q[c]);
        difference[c] = -pair->arm_other * (p[c] - q[c]);
    }
    demi_film_cross(pair->normal, sum, own);
    demi_film_cross(pair->normal, difference, other);
}

/* (1 + B K) (slide, roll) = (free slide, free roll), B: what unit impulses p and q change. The
 * determinant of B has no differences: it is never negative. */
static inline void demi_film_slip_solve(const demi_film_pair *pair, double dt, double slide[3],
                                        double roll[3])
{
    const double mass = pair->inverse_own + pair->inverse_other, chi = pair->chi,
                 a = pair->arm_own * pair->arm_own * pair->inertia_own,
                 b = pair->arm_other * pair->arm_other * pair->inertia_other;
    const double k1 = dt * pair->drag, k2 = 0.6 * k1;
    const double b11 = mass + (a + b), b12 = chi * mass + (a - b), b22 = chi * chi * mass + (a + b);
    const double both =
        mass * (a * (1.0 - chi) * (1.0 - chi) + b * (1.0 + chi) * (1.0 + chi)) + 4.0 * (a * b);
    const double scale = 1.0 / (1.0 + (b11 * k1 + b22 * k2) + k1 * k2 * both);
    for (int c = 0; c < 3; ++c) {
        const double s = slide[c], r = roll[c];
        slide[c] = ((1.0 + b22 * k2) * s - b12 * k2 * r) * scale;
        roll[c] = ((1.0 + b11 * k1) * r - b12 * k1 * s) * scale;
    }
}

#endif
