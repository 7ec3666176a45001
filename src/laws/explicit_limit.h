/* SPDX-License-Identifier: MIT */
/* Which dt is unstable. */
#ifndef DEMI_EXPLICIT_LIMIT_H
#define DEMI_EXPLICIT_LIMIT_H

#include <dem/law.h>

/* Lowers dem_law_limits.timestep_limit to the largest stable dt of an explicit step for a spring
 * and a dashpot between bodies of this effective mass: it is stable where eta dt/m + (k/m) dt^2/4
 * < 1, eta times dashpot_weight. Where both are 0 there is no limit. */
void demi_explicit_limit(double stiffness, double damping, double mass, dem_law_limits *limits);

/* The same of a normal part, which also tells the parts after it its slope and its dashpot. */
void demi_normal_limit(double stiffness, double damping, double mass, dem_law_limits *limits);

/* The same where the slope is 2 E* a and the dashpot alpha sqrt(4/3 m* E* a) + coefficient, with
 * the contact radius a where it is greatest. At a touch, a = 0, the dashpot over the root of the
 * slope still has a value unless there is a coefficient, and friction needs just this: then both
 * are told of a contact radius too small for a limit of its own. */
void demi_normal_limit_hertz(double effective_young, double alpha, double coefficient,
                             double contact_radius, double mass, dem_law_limits *limits);

/* The greatest contact radius for parts after an elastic normal part: of the slope that it told, or
 * that of Hertz's contact where it told none. */
double demi_contact_radius_most(double effective_young, double radius, double mass, double speed,
                                const dem_law_limits *limits);

/* The part of m* that a tangential spring meets, since solid spheres also turn. */
#define DEMI_TANGENTIAL_MASS (2.0 / 7.0)

#endif
