/* SPDX-License-Identifier: MIT */
/* The kick of a rigid body that a fluid drags, see world/rigid_drag.h. */
#ifndef DEMI_SIMD_RIGID_DRAG_H
#define DEMI_SIMD_RIGID_DRAG_H

#include "base/check.h"
#include "base/isa.h"
#include "integrate/drag.h"
#include "world/rigid_drag.h"
#include "world/world.h"

#include <dem/rotation.h>

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ the parts of a body */

/* A body in a fluid, at one end of a step. */
typedef struct dragged {
    const dem_world *w;
    const demi_rigid *rigid;
    int at_end;
    double scale; /* see demi_rigid_drag */
} dragged;

typedef struct dragged_part {
    const demi_fluid *fluid;
    const double *centre, *arm; /* in the axes of the body, and in space */
    double linear, angular;     /* coefficients */
} dragged_part;

static DEMI_INLINE dragged_part dragged_part_of(const dragged *of, uint64_t p)
{
    const uint64_t place = of->rigid->part_begin + p;
    const demi_rigid_part *part = &of->w->rigid_part.read[place];
    const demi_rigid_arms *arms = &of->w->rigid_arms.read[place];
    const demi_fluid *fluid = &of->w->fluid.read[demi_rigid_row(of->w, part)];
    const dragged_part made = {fluid, part->centre, of->at_end ? arms->to : arms->from,
                               of->scale * fluid->velocity[3],
                               of->scale * fluid->angular_velocity[3]};
    return made;
}

/* How much faster the fluid moves and turns than a part of a body with these velocities. */
static DEMI_INLINE void part_slip(const dragged_part *part, const double velocity[DEMI_SIX],
                                  double slip[DEMI_SIX])
{
    double along[3];
    demi_cross(velocity + 3, part->arm, along);
    for (int c = 0; c < 3; ++c) {
        slip[c] = part->fluid->velocity[c] - (velocity[c] + along[c]);
        slip[3 + c] = part->fluid->angular_velocity[c] - velocity[3 + c];
    }
}

/* What the fluid gives a part in so much time at these velocities of the body. */
static DEMI_INLINE void part_given(const dragged_part *part, const double velocity[DEMI_SIX],
                                   double time, double given[DEMI_SIX])
{
    double slip[DEMI_SIX];
    part_slip(part, velocity, slip);
    for (int c = 0; c < 3; ++c) {
        given[c] = time * (part->linear * slip[c]);
        given[3 + c] = time * (part->angular * slip[3 + c]);
    }
}

/* Adds it to the sums over the parts, about the centre of mass. */
static DEMI_INLINE void part_sum(const dragged_part *part, const double given[DEMI_SIX],
                                 double sum[DEMI_SIX])
{
    double moment[3];
    demi_cross(part->arm, given, moment);
    for (int c = 0; c < 3; ++c) {
        sum[c] += given[c];
        sum[3 + c] += moment[c] + given[3 + c];
    }
}

/* ------------------------------------------------------------------ six by six
 * Velocities, and then angular velocities, in the axes of the body and over roots of the inverses
 * of mass and moments. */

/* Rates of drag, 1/s, into drag->z. */
static DEMI_INLINE void rates_of(const dragged *of, demi_rigid_drag *drag)
{
    demi_six_by_six *rate = &drag->z;
    memset(rate, 0, sizeof *rate);
    drag->linear = drag->angular = 0.0;
    for (uint64_t p = 0; p < of->rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(of, p);
        const double *d = part.centre, beta = part.linear, square = beta * demi_dot(d, d);
        drag->linear += beta;
        drag->angular += part.angular;
        for (int c = 0; c < 3; ++c) {
            const int next = (c + 1) % 3, last = (c + 2) % 3;
            rate->at[3 + c][last] += beta * d[next]; /* of d x V */
            rate->at[3 + c][next] -= beta * d[last];
            rate->at[3 + c][3 + c] += square + part.angular;
            for (int e = 0; e <= c; ++e)
                rate->at[3 + c][3 + e] -= beta * d[c] * d[e];
        }
    }
    for (int i = 0; i < DEMI_SIX; ++i) {
        if (i < 3)
            rate->at[i][i] = drag->linear;
        for (int j = 0; j <= i; ++j)
            rate->at[j][i] = rate->at[i][j] *= drag->root[i] * drag->root[j];
    }
}

/* The same with coefficients so small that squares of rates stay finite: beyond that a velocity is
 * that of the fluid anyway. */
static DEMI_INLINE void rates_within(dragged *of, double most, demi_rigid_drag *drag)
{
    for (int round = 0; round < 8; ++round) {
        double trace = 0.0;
        rates_of(of, drag);
        for (int i = 0; i < DEMI_SIX; ++i)
            trace += drag->z.at[i][i];
        if (trace <= most)
            return;
        of->scale *= isfinite(trace) ? 0.5 * (most / trace) : 1e-100;
    }
}

static DEMI_INLINE void kick_factor(const demi_six_by_six *z, demi_six_by_six *factor)
{
    double column[DEMI_SIX]; /* L times diag */
    for (int i = 0; i < DEMI_SIX; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = 0.0;
            for (int k = 0; k < DEMI_SIX; ++k)
                sum += z->at[i][k] * z->at[j][k];
            factor->at[i][j] = (i == j ? 1.0 : 0.0) + z->at[i][j] + 0.5 * sum;
        }
    for (int j = 0; j < DEMI_SIX; ++j) {
        factor->at[j][j] = 1.0 / factor->at[j][j];
        for (int i = j + 1; i < DEMI_SIX; ++i) {
            column[i] = factor->at[i][j];
            factor->at[i][j] *= factor->at[j][j];
        }
        for (int i = j + 1; i < DEMI_SIX; ++i)
            for (int k = j + 1; k <= i; ++k)
                factor->at[i][k] -= factor->at[i][j] * column[k];
    }
}

static DEMI_INLINE void kick_solve(const demi_six_by_six *factor, const double right[DEMI_SIX],
                                   double x[DEMI_SIX])
{
    for (int i = 0; i < DEMI_SIX; ++i) {
        x[i] = right[i];
        for (int k = 0; k < i; ++k)
            x[i] -= factor->at[i][k] * x[k];
    }
    for (int i = DEMI_SIX - 1; i >= 0; --i) {
        x[i] *= factor->at[i][i];
        for (int k = i + 1; k < DEMI_SIX; ++k)
            x[i] -= factor->at[k][i] * x[k];
    }
}

static DEMI_INLINE void rigid_drag_prepare(const dem_world *w, uint64_t body, double time,
                                           demi_rigid_drag *drag)
{
    const demi_rigid *rigid = &w->rigid.read[body];
    dragged of = {w, rigid, 0, 1.0};
    drag->drags = 0;
    for (uint64_t p = 0; rigid->inverse_mass > 0.0 && !drag->drags && p < rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(&of, p);
        drag->drags = part.linear > 0.0 || part.angular > 0.0;
    }
    if (!drag->drags)
        return;
    for (int c = 0; c < 3; ++c) {
        drag->root[c] = sqrt(rigid->inverse_mass);
        drag->root[3 + c] = sqrt(rigid->inverse_inertia[c]);
    }
    rates_within(&of, demi_drag_rate_most(time), drag);
    for (int i = 0; i < DEMI_SIX; ++i)
        for (int j = 0; j < DEMI_SIX; ++j)
            drag->z.at[i][j] *= time;
    kick_factor(&drag->z, &drag->factor);
    drag->time = time;
    drag->scale = of.scale;
}

/* ------------------------------------------------------------------ a kick */

/* What a kick adds to velocity and angular momentum, in space. */
typedef struct dragged_change {
    double velocity[3], momentum[3];
    double glide[DEMI_SIX]; /* the same in a kick after this one */
    double
        mean[DEMI_SIX]; /* velocity and angular velocity at which the fluid gives what it gives */
} dragged_change;

/* From the axes of the body to space, times root or over it. */
static DEMI_INLINE void to_space(const double orientation[4], const double scaled[3],
                                 const double root[3], int over, double out[3])
{
    for (int c = 0; c < 3; ++c)
        out[c] = over ? scaled[c] / root[c] : scaled[c] * root[c];
    dem_kernel_rotation_to_space(orientation, out);
}

/* load: all that acts at the beginning of the kick, with drag and gravity. */
static DEMI_INLINE void change_of(const demi_rigid_drag *drag, const double orientation[4],
                                  double load[DEMI_SIX], dragged_change *change)
{
    const double *root = drag->root, time = drag->time;
    double x[DEMI_SIX], kicked[DEMI_SIX], mean[DEMI_SIX], glide[DEMI_SIX];
    dem_kernel_rotation_to_body(orientation, load);
    dem_kernel_rotation_to_body(orientation, load + 3);
    for (int i = 0; i < DEMI_SIX; ++i)
        load[i] *= root[i];
    kick_solve(&drag->factor, load, x);
    for (int i = 0; i < DEMI_SIX; ++i) {
        double y = 0.0;
        for (int j = 0; j < DEMI_SIX; ++j)
            y += drag->z.at[i][j] * x[j];
        kicked[i] = time * (x[i] + 0.5 * y);
        mean[i] = 0.5 * time * (x[i] + y);
    }
    kick_solve(&drag->factor, kicked, glide);
    to_space(orientation, kicked, root, 0, change->velocity);
    to_space(orientation, kicked + 3, root + 3, 1, change->momentum);
    to_space(orientation, glide, root, 0, change->glide);
    to_space(orientation, glide + 3, root + 3, 1, change->glide + 3);
    to_space(orientation, mean, root, 0, change->mean);
    to_space(orientation, mean + 3, root + 3, 0, change->mean + 3);
}

/* Gives parts what the fluid gives at the velocities `mean`, and, by their coefficients, what the
 * body got (`got`) beyond the sum of it: with stiff drag that is a small difference of large
 * velocities. Works are by the velocities `halfway` between those before and after the kick. */
static DEMI_INLINE void parts_give(const dragged *of, const double mean[DEMI_SIX],
                                   const double halfway[DEMI_SIX], double got[DEMI_SIX],
                                   demi_rigid_drag *drag, demi_impulse *given)
{
    double sum[DEMI_SIX] = {0.0};
    for (uint64_t p = 0; p < of->rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(of, p);
        double at[DEMI_SIX];
        part_given(&part, mean, drag->time, at);
        part_sum(&part, at, sum);
        given[p] = (demi_impulse){{at[0], at[1], at[2], 0.0}, {at[3], at[4], at[5], 0.0}};
    }
    const double per_linear = drag->linear > 0.0 ? 1.0 / drag->linear : 0.0,
                 per_angular = drag->angular > 0.0 ? 1.0 / drag->angular : 0.0;
    drag->work = drag->dissipated = 0.0;
    for (int i = 0; i < DEMI_SIX; ++i)
        got[i] -= sum[i];
    for (uint64_t p = 0; p < of->rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(of, p);
        const double *u = part.fluid->velocity, *turning = part.fluid->angular_velocity;
        double slip[DEMI_SIX];
        part_slip(&part, halfway, slip);
        for (int c = 0; c < 3; ++c) {
            given[p].linear[c] += got[c] * (part.linear * per_linear);
            given[p].angular[c] += got[3 + c] * (part.angular * per_angular);
        }
        drag->work += demi_dot(given[p].linear, u) + demi_dot(given[p].angular, turning);
        drag->dissipated += demi_dot(given[p].linear, slip) + demi_dot(given[p].angular, slip + 3);
    }
}

/* Velocities of a body at one end of a step. */
static DEMI_INLINE void velocities_of(const demi_rigid *rigid, const demi_pose *pose,
                                      double velocity[DEMI_SIX])
{
    memcpy(velocity, pose->velocity, 3 * sizeof(double));
    dem_kernel_rotation_velocity(rigid->turning, pose->orientation, pose->momentum, velocity + 3);
}

static DEMI_INLINE void rigid_drag_kick(const dem_world *w, const demi_rigid_kick *kick,
                                        demi_pose *pose, demi_rigid_drag *drag, demi_impulse *given)
{
    const demi_rigid *rigid = &w->rigid.read[kick->body];
    const dragged of = {w, rigid, kick->at_end, drag->scale};
    double before[DEMI_SIX], mean[DEMI_SIX], after[DEMI_SIX], load[DEMI_SIX], others[DEMI_SIX],
        got[DEMI_SIX];
    dragged_change change;
    velocities_of(rigid, pose, before);
    for (int c = 0; c < 3; ++c) {
        load[c] = others[c] = kick->load[c] + rigid->mass * w->config.gravity[c];
        load[3 + c] = others[3 + c] = kick->load[3 + c];
    }
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(&of, p);
        double at[DEMI_SIX];
        part_given(&part, before, 1.0, at);
        part_sum(&part, at, load);
    }
    change_of(drag, pose->orientation, load, &change);
    for (int c = 0; c < 3; ++c) {
        const double v = pose->velocity[c], l = pose->momentum[c];
        pose->velocity[c] += change.velocity[c];
        pose->momentum[c] += change.momentum[c] * rigid->inverse_turning;
        got[c] = rigid->mass * (pose->velocity[c] - v) - others[c] * drag->time;
        got[3 + c] = (pose->momentum[c] - l) / rigid->inverse_turning - others[3 + c] * drag->time;
        drag->glide[c] = change.glide[c];
        drag->glide[3 + c] = change.glide[3 + c] * rigid->inverse_turning;
    }
    velocities_of(rigid, pose, after);
    for (int i = 0; i < DEMI_SIX; ++i) {
        mean[i] = before[i] + change.mean[i];
        after[i] = 0.5 * (before[i] + after[i]);
    }
    parts_give(&of, mean, after, got, drag, given);
}

#endif
