/* SPDX-License-Identifier: MIT */
#include "laws/explicit_limit.h"

#include <dem/law_hertz.h>

#include <float.h>
#include <math.h>

#define TOUCH 1e-120 /* contact radius that stands for a touch, m */

void demi_explicit_limit(double stiffness, double damping, double mass, dem_law_limits *limits)
{
    if (!(stiffness > 0.0 || damping > 0.0))
        return;
    const double rate = limits->dashpot_weight * damping / mass,
                 square = rate * rate + stiffness / mass;
    /* stiff ones have no square, but a root */
    const double root =
        square <= DBL_MAX ? sqrt(square) : hypot(rate, sqrt(stiffness) / sqrt(mass));
    const double limit = fmax(2.0 / (rate + root), DBL_MIN); /* 0 means that there is none */
    if (limits->timestep_limit == 0.0 || limit < limits->timestep_limit)
        limits->timestep_limit = limit;
}

void demi_normal_limit(double stiffness, double damping, double mass, dem_law_limits *limits)
{
    limits->stiffness = stiffness;
    limits->damping = damping;
    demi_explicit_limit(stiffness, damping, mass, limits);
}

void demi_normal_limit_hertz(double effective_young, double alpha, double coefficient,
                             double contact_radius, double mass, dem_law_limits *limits)
{
    const double a = contact_radius, young = effective_young;
    const double eta = dem_kernel_damping_hertz(alpha, mass, young, a) + coefficient;
    demi_normal_limit(2.0 * young * a, eta, mass, limits);
    if (a == 0.0 && coefficient == 0.0) {
        limits->stiffness = 2.0 * young * TOUCH;
        limits->damping = dem_kernel_damping_hertz(alpha, mass, young, TOUCH);
    }
}

double demi_contact_radius_most(double effective_young, double radius, double mass, double speed,
                                const dem_law_limits *limits)
{
    if (limits->stiffness == 0.0) {
        const double overlap = dem_kernel_overlap_hertz(effective_young, radius, mass, speed);
        return dem_kernel_contact_radius_hertz(radius, overlap);
    }
    const double a = 0.5 * limits->stiffness / effective_young;
    return a > 2.0 * TOUCH ? a : 0.0;
}
