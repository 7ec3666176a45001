/* SPDX-License-Identifier: MIT */
/* Setup of Hooke's normal law, which is a law by itself and part of the linear laws. */
#ifndef DEMI_HOOKE_H
#define DEMI_HOOKE_H

#include "laws/hooke_lane.h"

#include <dem/law_linear.h>

/* Checks the parameters, fills `combined` and tells later parts what they may build on. */
dem_status demi_hooke_combine(const dem_hooke *parameters, dem_pair_properties *pair,
                              demi_hooke *combined, dem_error *error);

/* Contact time and limit on dt of the normal direction. */
void demi_hooke_limits(const demi_hooke *combined, double mass, dem_law_limits *limits);

/* Largest stable dt of an explicit step for a spring and a dashpot between effective masses: it is
 * stable where eta dt/m + (k/m) dt^2/4 < 1, eta times dem_law_limits.dashpot_weight. */
double demi_explicit_limit(double stiffness, double damping, double mass);

/* The same for a normal spring and its dashpot, as the limit of a law; none where both are 0. */
void demi_normal_limit(double stiffness, double damping, double mass, dem_law_limits *limits);
/* The same in the tangential direction, where angular velocities make the mass 2/7 m* for solid
 * spheres; lowers the limit that is there already. */
void demi_tangential_limit(double stiffness, double damping, double mass, dem_law_limits *limits);

#endif
