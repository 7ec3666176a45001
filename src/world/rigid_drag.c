/* SPDX-License-Identifier: MIT */
#include "world/rigid_drag.h"

#include "base/check.h"
#include "integrate/drag.h"
#include "world/world.h"

#include <dem/rotation.h>

#include <math.h>
#include <string.h>

enum { SIX = 6 };

dem_status demi_rigid_drag_reserve(dem_world *w)
{
    const dem_status status =
        demi_array_reserve(&w->context, &w->rigid_drag, w->rigids, 0, "drag on bodies");
    return status == DEM_OK ? demi_array_reserve(&w->context, &w->rigid_impulse, 2 * w->rigid_parts,
                                                 0, "drag on parts of bodies")
                            : status;
}

int demi_rigid_drags(const dem_world *w, uint64_t body)
{
    const demi_rigid *rigid = &w->rigid.read[body];
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    if (w->fluid.read == NULL || !(rigid->inverse_mass > 0.0))
        return 0;
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        const demi_fluid *fluid = &w->fluid.read[demi_rigid_row(w, &part[p])];
        if (fluid->velocity[3] > 0.0 || fluid->angular_velocity[3] > 0.0)
            return 1;
    }
    return 0;
}

/* ------------------------------------------------------------------ the parts of a body */

/* A body in a fluid, at one end of a step. */
typedef struct dragged {
    const dem_world *w;
    const demi_rigid *rigid;
    int at_end;
    double scale; /* of all coefficients, so that squares of rates stay finite */
} dragged;

typedef struct dragged_part {
    const demi_fluid *fluid;
    const double *centre, *arm; /* in the axes of the body, and in space */
    double linear, angular;     /* coefficients */
} dragged_part;

static dragged_part dragged_part_of(const dragged *of, uint64_t p)
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
static void part_slip(const dragged_part *part, const double velocity[SIX], double slip[SIX])
{
    double along[3];
    demi_cross(velocity + 3, part->arm, along);
    for (int c = 0; c < 3; ++c) {
        slip[c] = part->fluid->velocity[c] - (velocity[c] + along[c]);
        slip[3 + c] = part->fluid->angular_velocity[c] - velocity[3 + c];
    }
}

/* ------------------------------------------------------------------ six by six */

typedef struct six_by_six {
    double at[SIX][SIX];
} six_by_six;

/* Velocities, and then angular velocities, in the axes of the body and over these roots of the
 * inverses of mass and moments. */
static void roots_of(const demi_rigid *rigid, double root[SIX])
{
    for (int c = 0; c < 3; ++c) {
        root[c] = sqrt(rigid->inverse_mass);
        root[3 + c] = sqrt(rigid->inverse_inertia[c]);
    }
}

/* Rates of drag, 1/s. */
static void rates_of(const dragged *of, const double root[SIX], six_by_six *rate)
{
    memset(rate, 0, sizeof *rate);
    for (uint64_t p = 0; p < of->rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(of, p);
        const double *d = part.centre, beta = part.linear;
        for (int c = 0; c < 3; ++c) {
            const int next = (c + 1) % 3, last = (c + 2) % 3;
            rate->at[c][c] += beta;
            rate->at[3 + c][last] += beta * d[next]; /* of d x V */
            rate->at[3 + c][next] -= beta * d[last];
            rate->at[3 + c][3 + c] += beta * demi_dot(d, d) + part.angular;
            for (int e = 0; e <= c; ++e)
                rate->at[3 + c][3 + e] -= beta * d[c] * d[e];
        }
    }
    for (int i = 0; i < SIX; ++i)
        for (int j = 0; j <= i; ++j)
            rate->at[j][i] = rate->at[i][j] *= root[i] * root[j];
}

/* The same with coefficients so small that squares of rates stay finite: beyond that a velocity is
 * that of the fluid anyway. */
static void rates_within(dragged *of, double most, const double root[SIX], six_by_six *rate)
{
    for (int round = 0; round < 8; ++round) {
        double trace = 0.0;
        rates_of(of, root, rate);
        for (int i = 0; i < SIX; ++i)
            trace += rate->at[i][i];
        if (trace <= most)
            return;
        of->scale *= isfinite(trace) ? 0.5 * (most / trace) : 1e-100;
    }
}

/* D = 1 + z + z^2/2 as L diag L^T, by rows; L has ones on the diagonal, where `diag` is kept. */
static void kick_factor(const six_by_six *z, six_by_six *factor)
{
    for (int i = 0; i < SIX; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = 0.0;
            for (int k = 0; k < SIX; ++k)
                sum += z->at[i][k] * z->at[j][k];
            factor->at[i][j] = (i == j ? 1.0 : 0.0) + z->at[i][j] + 0.5 * sum;
        }
    for (int j = 0; j < SIX; ++j)
        for (int i = j; i < SIX; ++i) {
            double sum = factor->at[i][j];
            for (int k = 0; k < j; ++k)
                sum -= factor->at[i][k] * factor->at[j][k] * factor->at[k][k];
            factor->at[i][j] = i == j ? sum : sum / factor->at[j][j];
        }
}

static void kick_solve(const six_by_six *factor, const double right[SIX], double x[SIX])
{
    for (int i = 0; i < SIX; ++i) {
        x[i] = right[i];
        for (int k = 0; k < i; ++k)
            x[i] -= factor->at[i][k] * x[k];
    }
    for (int i = SIX - 1; i >= 0; --i) {
        x[i] /= factor->at[i][i];
        for (int k = i + 1; k < SIX; ++k)
            x[i] -= factor->at[k][i] * x[k];
    }
}

/* ------------------------------------------------------------------ a kick */

/* What a kick adds to velocity and angular momentum, in space. */
typedef struct dragged_change {
    double velocity[3], momentum[3];
    double glide[SIX]; /* the same in a kick after this one */
    double mean[SIX];  /* velocity and angular velocity at which the fluid gives what it gives */
} dragged_change;

/* From the axes of the body to space, times root or over it. */
static void to_space(const double orientation[4], const double scaled[3], const double root[3],
                     int over, double out[3])
{
    for (int c = 0; c < 3; ++c)
        out[c] = over ? scaled[c] / root[c] : scaled[c] * root[c];
    dem_kernel_rotation_to_space(orientation, out);
}

/* rate: of drag. load: all that acts at the beginning of the kick, with drag and gravity. */
static void change_of(const six_by_six *rate, const double root[SIX], const double orientation[4],
                      double time, const double of_space[SIX], dragged_change *change)
{
    six_by_six z, factor;
    double load[SIX], x[SIX], kicked[SIX], mean[SIX], glide[SIX];
    for (int i = 0; i < SIX; ++i)
        for (int j = 0; j < SIX; ++j)
            z.at[i][j] = rate->at[i][j] * time;
    kick_factor(&z, &factor);
    memcpy(load, of_space, sizeof load);
    dem_kernel_rotation_to_body(orientation, load);
    dem_kernel_rotation_to_body(orientation, load + 3);
    for (int i = 0; i < SIX; ++i)
        load[i] *= root[i];
    kick_solve(&factor, load, x);
    for (int i = 0; i < SIX; ++i) {
        double y = 0.0;
        for (int j = 0; j < SIX; ++j)
            y += z.at[i][j] * x[j];
        kicked[i] = time * (x[i] + 0.5 * y);
        mean[i] = 0.5 * time * (x[i] + y);
    }
    kick_solve(&factor, kicked, glide);
    to_space(orientation, kicked, root, 0, change->velocity);
    to_space(orientation, kicked + 3, root + 3, 1, change->momentum);
    to_space(orientation, glide, root, 0, change->glide);
    to_space(orientation, glide + 3, root + 3, 1, change->glide + 3);
    to_space(orientation, mean, root, 0, change->mean);
    to_space(orientation, mean + 3, root + 3, 0, change->mean + 3);
}

/* Adds what the fluid gives the parts in so much time at these velocities of the body to the sums
 * over them, about the centre of mass; given: of each part. */
static void parts_given(const dragged *of, const double velocity[SIX], double time,
                        demi_impulse *given, double sum[SIX])
{
    for (uint64_t p = 0; p < of->rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(of, p);
        double slip[SIX], moment[3];
        part_slip(&part, velocity, slip);
        memset(&given[p], 0, sizeof given[p]);
        for (int c = 0; c < 3; ++c) {
            given[p].linear[c] = time * (part.linear * slip[c]);
            given[p].angular[c] = time * (part.angular * slip[3 + c]);
        }
        demi_cross(part.arm, given[p].linear, moment);
        for (int c = 0; c < 3; ++c) {
            sum[c] += given[p].linear[c];
            sum[3 + c] += moment[c] + given[p].angular[c];
        }
    }
}

/* Adds to the parts, by their coefficients, what the body got more than they: with stiff drag they
 * have small differences of large velocities. */
static void parts_complete(const dragged *of, const double more[SIX], demi_impulse *given)
{
    double linear = 0.0, angular = 0.0, turning[3] = {more[3], more[4], more[5]};
    for (uint64_t p = 0; p < of->rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(of, p);
        linear += part.linear;
        angular += part.angular;
    }
    for (uint64_t p = 0; linear > 0.0 && p < of->rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(of, p);
        double share[3], moment[3];
        for (int c = 0; c < 3; ++c)
            share[c] = more[c] * (part.linear / linear);
        demi_cross(part.arm, share, moment);
        for (int c = 0; c < 3; ++c) {
            given[p].linear[c] += share[c];
            turning[c] -= moment[c];
        }
    }
    for (uint64_t p = 0; angular > 0.0 && p < of->rigid->parts; ++p)
        for (int c = 0; c < 3; ++c)
            given[p].angular[c] += turning[c] * (dragged_part_of(of, p).angular / angular);
}

/* Works of what parts were given, by the mean of the velocities before and after the kick. */
static void parts_work(const dragged *of, const double velocity[SIX], const demi_impulse *given,
                       double *work, double *dissipated)
{
    for (uint64_t p = 0; p < of->rigid->parts; ++p) {
        const dragged_part part = dragged_part_of(of, p);
        double slip[SIX];
        part_slip(&part, velocity, slip);
        *work += demi_dot(given[p].linear, part.fluid->velocity) +
                 demi_dot(given[p].angular, part.fluid->angular_velocity);
        *dissipated += demi_dot(given[p].linear, slip) + demi_dot(given[p].angular, slip + 3);
    }
}

/* Velocities of a body at one end of a step. */
static void velocities_of(const demi_rigid *rigid, const demi_pose *pose, double velocity[SIX])
{
    memcpy(velocity, pose->velocity, 3 * sizeof(double));
    dem_kernel_rotation_velocity(rigid->turning, pose->orientation, pose->momentum, velocity + 3);
}

void demi_rigid_drag_kick(const dem_world *w, const demi_rigid_kick *kick, demi_pose *pose,
                          demi_rigid_drag *drag, demi_impulse *given)
{
    const demi_rigid *rigid = &w->rigid.read[kick->body];
    dragged of = {w, rigid, kick->at_end, 1.0};
    six_by_six rate;
    double root[SIX], before[SIX], mean[SIX], after[SIX], load[SIX], others[SIX];
    dragged_change change;
    roots_of(rigid, root);
    rates_within(&of, demi_drag_rate_most(kick->time), root, &rate);
    velocities_of(rigid, pose, before);
    for (int c = 0; c < 3; ++c) {
        others[c] = kick->load[c] + rigid->mass * w->config.gravity[c];
        others[3 + c] = kick->load[3 + c];
    }
    memcpy(load, others, sizeof load);
    parts_given(&of, before, 1.0, given, load);
    change_of(&rate, root, pose->orientation, kick->time, load, &change);
    double more[SIX];
    for (int c = 0; c < 3; ++c) {
        const double v = pose->velocity[c], l = pose->momentum[c];
        pose->velocity[c] += change.velocity[c];
        pose->momentum[c] += change.momentum[c] * rigid->inverse_turning;
        more[c] = rigid->mass * (pose->velocity[c] - v) - others[c] * kick->time;
        more[3 + c] = (pose->momentum[c] - l) / rigid->inverse_turning - others[3 + c] * kick->time;
        drag->glide[c] = change.glide[c];
        drag->glide[3 + c] = change.glide[3 + c] * rigid->inverse_turning;
    }
    double sum[SIX] = {0.0};
    for (int i = 0; i < SIX; ++i)
        mean[i] = before[i] + change.mean[i];
    parts_given(&of, mean, kick->time, given, sum);
    for (int i = 0; i < SIX; ++i)
        more[i] -= sum[i];
    parts_complete(&of, more, given);
    velocities_of(rigid, pose, after);
    for (int i = 0; i < SIX; ++i)
        mean[i] = 0.5 * (before[i] + after[i]);
    drag->work = drag->dissipated = 0.0;
    parts_work(&of, mean, given, &drag->work, &drag->dissipated);
}

demi_impulse *demi_rigid_given(const dem_world *w, uint64_t body, int second)
{
    return w->rigid_impulse.data + w->rigid.read[body].part_begin + (second ? w->rigid_parts : 0);
}

void demi_rigid_drag_book(dem_world *w, uint64_t body, int second)
{
    const demi_rigid *rigid = &w->rigid.read[body];
    const demi_impulse *given = demi_rigid_given(w, body, second);
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    for (uint64_t p = 0; w->contact_impulse.read != NULL && p < rigid->parts; ++p) {
        demi_impulse *sum = &w->drag_impulse.data[demi_rigid_row(w, &part[p])];
        for (int c = 0; c < 3; ++c) {
            sum->linear[c] += given[p].linear[c];
            sum->angular[c] += given[p].angular[c];
        }
    }
}
