/* SPDX-License-Identifier: MIT */
/* Work of contact forces during a step. The mean of the forces at its two ends against the motion
 * between them is second order in dt; the force of the start is recalled from what is known at the
 * end. Used inside loops over lanes, so there are no branches. */
#ifndef DEMI_WORK_H
#define DEMI_WORK_H

#include "base/isa.h"

#include <dem/kernels.h>

/* The normal force that Coulomb's limit counts with: an attractive one only where asked for. */
static DEMI_INLINE double demi_pressing(double force, int absolute)
{
    return dem_select(force > 0.0, force, dem_select(absolute & (force < 0.0), -force, 0.0));
}

/* Normal force of a linear spring and dashpot at the start of the step. */
typedef struct demi_normal_past {
    double force, overlap;
} demi_normal_past;

static DEMI_INLINE demi_normal_past demi_normal_recall(double stiffness, double damping,
                                                       int32_t attractive, int there,
                                                       double overlap, double velocity_half,
                                                       double velocity, double dt)
{
    const double grown = overlap + velocity_half * dt;
    demi_normal_past past;
    past.overlap = dem_select(there, grown, 0.0);
    past.force = dem_kernel_normal_linear(stiffness, damping, past.overlap,
                                          2.0 * velocity_half - velocity, attractive);
    return past;
}

/* What the normal dashpot took. */
static DEMI_INLINE double demi_normal_loss(double stiffness, const demi_normal_past *past,
                                           double force, double overlap, double velocity_half,
                                           double dt)
{
    const double overlap_old = dem_select(past->overlap > 0.0, past->overlap, 0.0);
    const double loss = (force - stiffness * overlap) + (past->force - stiffness * overlap_old);
    return -0.5 * loss * velocity_half * dt;
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

#endif
