/* SPDX-License-Identifier: MIT */
/* What lane headers share. A lane header, LAW_lane.h, has the arithmetic of one contact, number k
 * of a batch, as functions without branches that a loop over lanes can inline. Of the library it
 * names dem_contact_batch, the kernels and this header, so that a program for another processor can
 * include it, too; laws.def says which functions it has to have. */
#ifndef DEMI_LANE_H
#define DEMI_LANE_H

#include "base/isa.h"

#include <dem/law.h>
#include <dem/kernels.h>

#include <math.h>

/* Does something for each lane k of n: a loop that becomes vector code. */
#define DEMI_EACH_LANE(n, ...)                                                                     \
    do {                                                                                           \
        DEMI_SIMD                                                                                  \
        for (uint64_t k = 0; k < DEMI_PADDED(n); ++k)                                              \
            __VA_ARGS__;                                                                           \
    } while (0)

/* A choice that combined parameters keep as a double. A snapshot may bring any number, and to cast
 * one that no int holds is undefined; such a one is -1. */
static inline int demi_choice(double kept)
{
    return isgreaterequal(kept, 0.0) && isless(kept, 256.0) ? (int)kept : -1;
}

/* ------------------------------------------------------------------ work
 * Work of contact forces during a step. The mean of the forces at its two ends against the motion
 * between them is second order in dt; the force of the start is recalled from what is known at the
 * end. */

static DEMI_INLINE double demi_lane_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The normal force that Coulomb's limit counts with: an attractive one only where asked for. */
static DEMI_INLINE double demi_pressing(double force, int absolute)
{
    return dem_select((force > 0.0) | absolute, fabs(force), 0.0);
}

/* Normal motion at the start of the step, and how much the overlap shrank since. */
typedef struct demi_normal_start {
    double overlap, velocity, shrunk;
} demi_normal_start;

static DEMI_INLINE demi_normal_start demi_normal_begin(const dem_contact_batch *b, uint64_t k)
{
    const double velocity_half = -b->overlap_rate[k];
    const double shrunk = velocity_half * b->dt;
    const demi_normal_start start = {b->overlap[k] + shrunk,
                                     2.0 * velocity_half - b->velocity_normal[k], shrunk};
    return start;
}

/* What the normal dashpot took, given its forces at both ends of the step. */
static DEMI_INLINE double demi_normal_work(demi_normal_start start, double dashpot,
                                           double dashpot_t0)
{
    return -0.5 * (dashpot + dashpot_t0) * start.shrunk;
}

/* The relative velocity of the surfaces at the start of the step. */
static DEMI_INLINE void demi_tangential_begin(double dt, const double du[3],
                                              const double velocity[3], double velocity_t0[3])
{
    const double frequency = 1.0 / (dt > 0.0 ? dt : INFINITY);
    for (int a = 0; a < 3; ++a)
        velocity_t0[a] = 2.0 * du[a] * frequency - velocity[a];
}

/* Where the work of the tangential force went. */
typedef struct demi_tangential {
    double work, slip, dashpot;
} demi_tangential;

/* Mean force times displacement: of what does not stretch the spring to sliding, of what the mean
 * force of the spring does not bear to the dashpot. */
static DEMI_INLINE demi_tangential demi_tangential_work(const double force[3],
                                                        const double force_t0[3],
                                                        const double du[3],
                                                        const double stretched[3],
                                                        const double spring[3])
{
    demi_tangential sum = {0.0, 0.0, 0.0};
    for (int a = 0; a < 3; ++a) {
        const double mean = 0.5 * (force[a] + force_t0[a]);
        sum.work -= mean * du[a];
        sum.slip -= mean * (du[a] - stretched[a]);
        sum.dashpot -= (mean + spring[a]) * stretched[a];
    }
    return sum;
}

/* Tangential force at the start of the step, cut to the limit of that time where it may have
 * slipped. */
static DEMI_INLINE void demi_tangential_recall(double stiffness, double damping, double limit,
                                               int may_slip, int there, const double xi[3],
                                               const double velocity[3], double force[3])
{
    for (int a = 0; a < 3; ++a)
        force[a] = -(stiffness * xi[a]) - damping * velocity[a];
    const double square = force[0] * force[0] + force[1] * force[1] + force[2] * force[2];
    const int slips = may_slip & (square > limit * limit);
    const double scale = dem_select(slips, limit, 1.0) / sqrt(dem_select(slips, square, 1.0));
    const double kept = dem_select(there, scale, 0.0);
    for (int a = 0; a < 3; ++a)
        force[a] *= kept;
}

/* What a slider with a spring of constant stiffness takes. */
typedef struct demi_spring_work {
    double stored, slip, dashpot;
} demi_spring_work;

/* Of the work of a step, given the forces at both ends: the spring keeps what its energy grows by;
 * of the rest, what does not stretch the spring is sliding, the rest the dashpot's. `force_t0` is
 * `share` times what the spring and the dashpot wanted, `wanted`, against the motion. Without a
 * dashpot (`damped` 0) all that the spring does not keep is sliding. */
static DEMI_INLINE demi_spring_work demi_spring_dissipation(double stiffness, int damped,
                                                            const double force[3],
                                                            const double wanted[3], double share,
                                                            const double du[3], const double xi0[3],
                                                            const double xi1[3])
{
    double twice[3], stretched[3];
    for (int a = 0; a < 3; ++a) {
        twice[a] = force[a] - share * wanted[a];
        stretched[a] = damped ? xi1[a] - xi0[a] : 0.0;
    }
    const double motion = demi_lane_dot(twice, du),
                 stretch = damped ? demi_lane_dot(twice, stretched) : 0.0,
                 square0 = demi_lane_dot(xi0, xi0), square1 = demi_lane_dot(xi1, xi1);
    const double stored = 0.5 * stiffness * square1, grown = stored - 0.5 * stiffness * square0;
    const demi_spring_work undamped = {stored, -0.5 * motion - grown, 0.0},
                           both = {stored, 0.5 * (stretch - motion), -0.5 * stretch - grown};
    return damped ? both : undamped;
}

/* What the spring and the dashpot wanted against the motion at the start of the step. */
static DEMI_INLINE void demi_spring_wanted(double stiffness, double damping, int damped, double dt,
                                           const double du[3], const double velocity[3],
                                           const double xi0[3], double wanted[3])
{
    const double per_motion = 2.0 * damping * (1.0 / (dt > 0.0 ? dt : INFINITY));
    for (int a = 0; a < 3; ++a)
        wanted[a] = damped ? stiffness * xi0[a] + (per_motion * du[a] - damping * velocity[a])
                           : stiffness * xi0[a];
}

/* How much of it there was: up to the limit of that time, where it may have slipped. */
static DEMI_INLINE double demi_spring_share(const double wanted[3], double limit, int damped,
                                            int there)
{
    if (!damped)
        return dem_select(there, 1.0, 0.0);
    const double square = demi_lane_dot(wanted, wanted);
    const int slips = square > limit * limit;
    const double share = dem_select(slips, limit, 1.0) / sqrt(dem_select(slips, square, 1.0));
    return dem_select(there, share, 0.0);
}

#endif
