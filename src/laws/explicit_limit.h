/* SPDX-License-Identifier: MIT */
/* Which dt is unstable. */
#ifndef DEMI_EXPLICIT_LIMIT_H
#define DEMI_EXPLICIT_LIMIT_H

#include <dem/law.h>

/* Lowers dem_law_limits.timestep_limit to the largest stable dt of an explicit step for a spring
 * and a dashpot between bodies of this effective mass: it is stable where eta dt/m + (k/m) dt^2/4
 * < 1, eta times dashpot_weight. Where both are 0 there is no limit. */
void demi_explicit_limit(double stiffness, double damping, double mass, dem_law_limits *limits);

/* The part of m* that a tangential spring meets, since solid spheres also turn. */
#define DEMI_TANGENTIAL_MASS (2.0 / 7.0)

#endif
