/* SPDX-License-Identifier: MIT */
/* The kick of a rigid body that a fluid drags, see world/rigid_drag.h. */
#ifndef DEMI_SIMD_RIGID_DRAG_H
#define DEMI_SIMD_RIGID_DRAG_H

#include "base/check.h"
#include "base/isa.h"
#include "world/rigid_drag.h"
#include "world/world.h"

#include <dem/rotation.h>

#include <math.h>
#include <string.h>

/* A part that would make z larger than this by itself is held fast: next to nothing is left of its
 * slip, and more of round-off in soft directions would be seen. Bodies of which the trace of z is
 * above the second number are stiff. */
#define RIGID_DRAG_MOST 1e9
#define RIGID_DRAG_STIFF 64.0

/* ------------------------------------------------------------------ the parts of a body */

/* A body in a fluid, at one end of a step. */
typedef struct dragged {
    const dem_world *w;
    const demi_rigid *rigid;
    int at_end;
    double linear_most, angular_most; /* beyond these coefficients a part is held fast anyway */
} dragged;

typedef struct dragged_part {
    const demi_fluid *fluid;
    const double *centre, *arm; /* in the axes of the body, and in space */
    double linear, angular;     /* coefficients */
} dragged_part;

static DEMI_INLINE dragged dragged_of(const dem_world *w, const demi_rigid *rigid, int at_end,
                                      double time)
{
    const double most = RIGID_DRAG_MOST / (time > 1e-100 ? time : 1e-100);
    const dragged of = {w, rigid, at_end, most * rigid->mass, most / rigid->inverse_turning};
    return of;
}

static DEMI_INLINE dragged_part dragged_part_of(const dragged *of, uint64_t p)
{
    const uint64_t place = of->rigid->part_begin + p;
    const demi_rigid_part *part = &of->w->rigid_part.read[place];
    const demi_rigid_arms *arms = &of->w->rigid_arms.read[place];
    const demi_fluid *fluid = &of->w->fluid.read[demi_rigid_row(of->w, part)];
    const double linear = fluid->velocity[3], angular = fluid->angular_velocity[3];
    const dragged_part made = {fluid, part->centre, of->at_end ? arms->to : arms->from,
                               linear < of->linear_most ? linear : of->linear_most,
                               angular < of->angular_most ? angular : of->angular_most};
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

/* Rates of drag, 1/s, into drag->z, which become z with the time of a kick. */
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

static DEMI_INLINE void kick_factor(const demi_six_by_six *z, demi_six_by_six *factor)
{
    double column[DEMI_SIX] = {0.0}; /* L times diag */
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

/* ------------------------------------------------------------------ stiff bodies */

/* Turns rows p and q of a symmetric matrix and of the basis so that the matrix has 0 there. */
static void basis_turn(demi_six_by_six *a, demi_six_by_six *basis, int p, int q)
{
    const double off = a->at[p][q], half = 0.5 * (a->at[q][q] - a->at[p][p]),
                 t = (half < 0.0 ? -off : off) / (fabs(half) + sqrt(half * half + off * off)),
                 c = 1.0 / sqrt(1.0 + t * t), s = t * c;
    for (int k = 0; k < DEMI_SIX; ++k) {
        const double x = a->at[p][k], y = a->at[q][k], u = basis->at[p][k], v = basis->at[q][k];
        basis->at[p][k] = c * u - s * v;
        basis->at[q][k] = s * u + c * v;
        if (k == p || k == q)
            continue;
        a->at[p][k] = a->at[k][p] = c * x - s * y;
        a->at[q][k] = a->at[k][q] = s * x + c * y;
    }
    a->at[p][p] -= t * off;
    a->at[q][q] += t * off;
    a->at[p][q] = a->at[q][p] = 0.0;
}

/* Jacobi's method: the rows of the basis become eigenvectors, the diagonal of `a` eigenvalues. */
static void basis_find(demi_six_by_six *a, demi_six_by_six *basis)
{
    int left = 1;
    for (int sweep = 0; left && sweep < 12; ++sweep) {
        left = 0;
        for (int p = 0; p < DEMI_SIX; ++p)
            for (int q = p + 1; q < DEMI_SIX; ++q) {
                const double off = fabs(a->at[p][q]);
                if (off <= 1e-17 * sqrt(fabs(a->at[p][p] * a->at[q][q])) || off < 1e-250)
                    continue;
                basis_turn(a, basis, p, q);
                left = 1;
            }
    }
}

/* Velocity and angular velocity of a part, in the axes of the body, where the body moves as row k
 * of the basis says. */
static DEMI_INLINE void basis_field(const demi_rigid_drag *drag, const double centre[3], int k,
                                    double field[DEMI_SIX])
{
    const double *row = drag->factor.at[k];
    double along[3];
    for (int c = 0; c < 3; ++c)
        field[3 + c] = drag->root[3 + c] * row[3 + c];
    demi_cross(field + 3, centre, along);
    for (int c = 0; c < 3; ++c)
        field[c] = drag->root[c] * row[c] + along[c];
}

static DEMI_INLINE double six_dot(const double a[DEMI_SIX], const double b[DEMI_SIX])
{
    double sum = 0.0;
    for (int i = 0; i < DEMI_SIX; ++i)
        sum += a[i] * b[i];
    return sum;
}

/* What a part has of the matrix z in the basis. */
static void basis_rates_add(const demi_rigid_drag *drag, const dragged_part *part,
                            demi_six_by_six *rate)
{
    double field[DEMI_SIX][DEMI_SIX];
    for (int i = 0; i < DEMI_SIX; ++i) {
        basis_field(drag, part->centre, i, field[i]);
        for (int j = 0; j <= i; ++j)
            rate->at[i][j] += part->linear * demi_dot(field[i], field[j]) +
                              part->angular * demi_dot(field[i] + 3, field[j] + 3);
    }
}

/* Eigenvectors and eigenvalues of z. Its own entries have the round-off of the stiffest direction;
 * made anew in the basis of the first eigenvectors, soft ones have their own. */
static void stiff_prepare(const dragged *of, demi_rigid_drag *drag)
{
    demi_six_by_six rate = drag->z;
    memset(&drag->factor, 0, sizeof drag->factor);
    for (int i = 0; i < DEMI_SIX; ++i)
        drag->factor.at[i][i] = 1.0;
    basis_find(&rate, &drag->factor);
    memset(&rate, 0, sizeof rate);
    for (uint64_t p = 0; p < of->rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(of, p);
        basis_rates_add(drag, &part, &rate);
    }
    for (int i = 0; i < DEMI_SIX; ++i)
        for (int j = 0; j <= i; ++j)
            rate.at[j][i] = rate.at[i][j] *= drag->time;
    basis_find(&rate, &drag->factor);
    for (int i = 0; i < DEMI_SIX; ++i)
        drag->value[i] = rate.at[i][i] > 0.0 ? rate.at[i][i] : 0.0;
}

/* Whether the fluid drags a body, and if so what its kicks of so much time have in common. */
static DEMI_INLINE void rigid_drag_prepare(const dem_world *w, uint64_t body, double time,
                                           demi_rigid_drag *drag)
{
    const demi_rigid *rigid = &w->rigid.read[body];
    drag->drags = 0;
    if (!(rigid->inverse_mass > 0.0) || !(time > 0.0)) /* held, or an evaluation alone */
        return;
    const dragged of = dragged_of(w, rigid, 0, time);
    double trace = 0.0;
    for (uint64_t p = 0; !drag->drags && p < rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(&of, p);
        drag->drags = part.linear > 0.0 || part.angular > 0.0;
    }
    if (!drag->drags)
        return;
    for (int c = 0; c < 3; ++c) {
        drag->root[c] = sqrt(rigid->inverse_mass);
        drag->root[3 + c] = sqrt(rigid->inverse_inertia[c]);
    }
    drag->time = time;
    rates_of(&of, drag);
    for (int i = 0; i < DEMI_SIX; ++i) {
        for (int j = 0; j < DEMI_SIX; ++j)
            drag->z.at[i][j] *= time;
        trace += drag->z.at[i][i];
    }
    drag->stiff = !(trace <= RIGID_DRAG_STIFF);
    if (drag->stiff)
        stiff_prepare(&of, drag);
    else
        kick_factor(&drag->z, &drag->factor);
}

/* ------------------------------------------------------------------ a kick */

/* What a kick adds to velocity and angular momentum, in space. */
typedef struct dragged_change {
    double velocity[3], momentum[3];
    double glide[DEMI_SIX]; /* the same in a kick after this one */
    double mean[DEMI_SIX];  /* velocities of the body at which the fluid gives what it gives */
} dragged_change;

/* From the axes of the body to space, times root or over it. */
static DEMI_INLINE void to_space(const double orientation[4], const double scaled[3],
                                 const double root[3], int over, double out[3])
{
    for (int c = 0; c < 3; ++c)
        out[c] = over ? scaled[c] / root[c] : scaled[c] * root[c];
    dem_kernel_rotation_to_space(orientation, out);
}

/* From what changes in the axes of the body. */
static DEMI_INLINE void change_to_space(const double root[DEMI_SIX], const double orientation[4],
                                        const double kicked[DEMI_SIX], const double glide[DEMI_SIX],
                                        const double mean[DEMI_SIX], dragged_change *change)
{
    to_space(orientation, kicked, root, 0, change->velocity);
    to_space(orientation, kicked + 3, root + 3, 1, change->momentum);
    to_space(orientation, glide, root, 0, change->glide);
    to_space(orientation, glide + 3, root + 3, 1, change->glide + 3);
    to_space(orientation, mean, root, 0, change->mean);
    to_space(orientation, mean + 3, root + 3, 0, change->mean + 3);
}

/* A load in the axes of the body, over the roots. */
static DEMI_INLINE void load_scaled(const demi_rigid_drag *drag, const double orientation[4],
                                    const double load[DEMI_SIX], double scaled[DEMI_SIX])
{
    memcpy(scaled, load, DEMI_SIX * sizeof(double));
    dem_kernel_rotation_to_body(orientation, scaled);
    dem_kernel_rotation_to_body(orientation, scaled + 3);
    for (int i = 0; i < DEMI_SIX; ++i)
        scaled[i] *= drag->root[i];
}

/* others: all that acts at the beginning of the kick, but drag; before: velocities then. */
static DEMI_INLINE void change_of(const dragged *of, const demi_rigid_drag *drag,
                                  const double orientation[4], const double others[DEMI_SIX],
                                  const double before[DEMI_SIX], dragged_change *change)
{
    const double time = drag->time;
    double load[DEMI_SIX], scaled[DEMI_SIX], x[DEMI_SIX], kicked[DEMI_SIX], mean[DEMI_SIX],
        glide[DEMI_SIX];
    memcpy(load, others, sizeof load);
    for (uint64_t p = 0; p < of->rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(of, p);
        double at[DEMI_SIX];
        part_given(&part, before, 1.0, at);
        part_sum(&part, at, load);
    }
    load_scaled(drag, orientation, load, scaled);
    kick_solve(&drag->factor, scaled, x);
    for (int i = 0; i < DEMI_SIX; ++i) {
        const double y = six_dot(drag->z.at[i], x);
        kicked[i] = time * (x[i] + 0.5 * y);
        mean[i] = 0.5 * time * (x[i] + y);
    }
    kick_solve(&drag->factor, kicked, glide);
    change_to_space(drag->root, orientation, kicked, glide, mean, change);
}

/* The same of a stiff body, one eigenvector after the other. */
static void stiff_change_of(const dragged *of, const demi_rigid_drag *drag,
                            const double orientation[4], const double others[DEMI_SIX],
                            const double before[DEMI_SIX], dragged_change *change)
{
    const double time = drag->time;
    double scaled[DEMI_SIX], load[DEMI_SIX], kicked[DEMI_SIX] = {0.0}, mean[DEMI_SIX] = {0.0},
                                             glide[DEMI_SIX] = {0.0};
    load_scaled(drag, orientation, others, scaled);
    for (int k = 0; k < DEMI_SIX; ++k)
        load[k] = six_dot(drag->factor.at[k], scaled);
    for (uint64_t p = 0; p < of->rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(of, p);
        double at[DEMI_SIX], field[DEMI_SIX];
        part_given(&part, before, 1.0, at);
        dem_kernel_rotation_to_body(orientation, at);
        dem_kernel_rotation_to_body(orientation, at + 3);
        for (int k = 0; k < DEMI_SIX; ++k) {
            basis_field(drag, part.centre, k, field);
            load[k] += six_dot(field, at);
        }
    }
    for (int k = 0; k < DEMI_SIX; ++k) {
        const double z = drag->value[k], left = 1.0 / (1.0 + z + 0.5 * (z * z)), x = load[k] * left,
                     along = time * (x + 0.5 * (z * x)), of_mean = 0.5 * time * (x + z * x),
                     of_glide = along * left;
        for (int i = 0; i < DEMI_SIX; ++i) {
            kicked[i] += along * drag->factor.at[k][i];
            mean[i] += of_mean * drag->factor.at[k][i];
            glide[i] += of_glide * drag->factor.at[k][i];
        }
    }
    change_to_space(drag->root, orientation, kicked, glide, mean, change);
}

/* The velocities at which the drag of a stiff body gives `lacks` in a kick: those of its stiff
 * directions; in the soft ones nothing is lacking. */
static void stiff_velocities(const demi_rigid_drag *drag, const double orientation[4],
                             const double lacks[DEMI_SIX], double velocity[DEMI_SIX])
{
    double scaled[DEMI_SIX], sum[DEMI_SIX] = {0.0};
    load_scaled(drag, orientation, lacks, scaled);
    for (int k = 0; k < DEMI_SIX; ++k) {
        const double along =
            drag->value[k] > 1.0 ? six_dot(drag->factor.at[k], scaled) / drag->value[k] : 0.0;
        for (int i = 0; i < DEMI_SIX; ++i)
            sum[i] += along * drag->factor.at[k][i];
    }
    to_space(orientation, sum, drag->root, 0, velocity);
    to_space(orientation, sum + 3, drag->root + 3, 0, velocity + 3);
}

/* Adds to the parts of a stiff body what they lack of what it got, as drag would. */
static void stiff_complete(const dragged *of, const demi_rigid_drag *drag,
                           const double orientation[4], const double lacks[DEMI_SIX],
                           demi_impulse *given)
{
    double velocity[DEMI_SIX];
    stiff_velocities(drag, orientation, lacks, velocity);
    for (uint64_t p = 0; p < of->rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(of, p);
        double along[3];
        demi_cross(velocity + 3, part.arm, along);
        for (int c = 0; c < 3; ++c) {
            given[p].linear[c] += drag->time * (part.linear * (velocity[c] + along[c]));
            given[p].angular[c] += drag->time * (part.angular * velocity[3 + c]);
        }
    }
}

/* What coefficients and their sum are multiplied by before one is divided by the other: the inverse
 * of the smallest numbers is not finite. */
static DEMI_INLINE double scale_of_sum(double sum)
{
    return sum < 0x1p-900 ? 0x1p500 : 1.0;
}

/* Adds to the parts, by their coefficients, what the body got beyond the sum over them: a small
 * difference of large velocities. */
static DEMI_INLINE void parts_complete(const dragged *of, const demi_rigid_drag *drag,
                                       const double lacks[DEMI_SIX], demi_impulse *given)
{
    const double linear = scale_of_sum(drag->linear), angular = scale_of_sum(drag->angular),
                 per_linear = drag->linear > 0.0 ? 1.0 / (drag->linear * linear) : 0.0,
                 per_angular = drag->angular > 0.0 ? 1.0 / (drag->angular * angular) : 0.0;
    for (uint64_t p = 0; p < of->rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(of, p);
        for (int c = 0; c < 3; ++c) {
            given[p].linear[c] += lacks[c] * (part.linear * linear * per_linear);
            given[p].angular[c] += lacks[3 + c] * (part.angular * angular * per_angular);
        }
    }
}

/* Gives parts what the fluid gives at the velocities `mean`, so that it sums to what the body
 * got. */
static DEMI_INLINE void parts_give(const dragged *of, const demi_rigid_drag *drag,
                                   const double orientation[4], const double mean[DEMI_SIX],
                                   const double got[DEMI_SIX], demi_impulse *given)
{
    double sum[DEMI_SIX] = {0.0}, lacks[DEMI_SIX];
    for (uint64_t p = 0; p < of->rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(of, p);
        double at[DEMI_SIX];
        part_given(&part, mean, drag->time, at);
        part_sum(&part, at, sum);
        given[p] = (demi_impulse){{at[0], at[1], at[2], 0.0}, {at[3], at[4], at[5], 0.0}};
    }
    for (int i = 0; i < DEMI_SIX; ++i)
        lacks[i] = got[i] - sum[i];
    if (drag->stiff)
        stiff_complete(of, drag, orientation, lacks, given);
    else
        parts_complete(of, drag, lacks, given);
}

/* Works of it, by the velocities halfway between those before and after the kick. */
static DEMI_INLINE void parts_work(const dragged *of, const double halfway[DEMI_SIX],
                                   const demi_impulse *given, demi_rigid_drag *drag)
{
    drag->work = drag->dissipated = 0.0;
    for (uint64_t p = 0; p < of->rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(of, p);
        double slip[DEMI_SIX];
        part_slip(&part, halfway, slip);
        drag->work += demi_dot(given[p].linear, part.fluid->velocity) +
                      demi_dot(given[p].angular, part.fluid->angular_velocity);
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

/* Kicks velocity and momentum of a body that is dragged; given: [parts], what the fluid gives. */
static DEMI_INLINE void rigid_drag_kick(const dem_world *w, const demi_rigid_kick *kick,
                                        demi_pose *pose, demi_rigid_drag *drag, demi_impulse *given)
{
    const demi_rigid *rigid = &w->rigid.read[kick->body];
    const dragged of = dragged_of(w, rigid, kick->at_end, drag->time);
    double before[DEMI_SIX], mean[DEMI_SIX], after[DEMI_SIX], others[DEMI_SIX], got[DEMI_SIX];
    dragged_change change;
    velocities_of(rigid, pose, before);
    for (int c = 0; c < 3; ++c) {
        others[c] = kick->load[c] + rigid->mass * w->config.gravity[c];
        others[3 + c] = kick->load[3 + c];
    }
    if (drag->stiff)
        stiff_change_of(&of, drag, pose->orientation, others, before, &change);
    else
        change_of(&of, drag, pose->orientation, others, before, &change);
    for (int c = 0; c < 3; ++c) {
        const double v = pose->velocity[c], l = pose->momentum[c];
        pose->velocity[c] += change.velocity[c];
        pose->momentum[c] += change.momentum[c] * rigid->inverse_turning;
        got[c] = rigid->mass * (pose->velocity[c] - v) - others[c] * drag->time;
        got[3 + c] = (pose->momentum[c] - l) / rigid->inverse_turning - others[3 + c] * drag->time;
        drag->glide[c] = change.glide[c];
        drag->glide[3 + c] = change.glide[3 + c] * rigid->inverse_turning;
    }
    if (rigid->ghost)
        return; /* its owner shares out and books what it got */
    velocities_of(rigid, pose, after);
    for (int i = 0; i < DEMI_SIX; ++i) {
        mean[i] = before[i] + change.mean[i];
        after[i] = 0.5 * (before[i] + after[i]);
    }
    parts_give(&of, drag, pose->orientation, mean, got, given);
    parts_work(&of, after, given, drag);
}

#undef RIGID_DRAG_MOST
#undef RIGID_DRAG_STIFF

#endif
