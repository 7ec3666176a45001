/* SPDX-License-Identifier: MIT */
/* What Hooke's normal law computes with; part of the linear laws, and a law by itself. */
#ifndef DEMI_HOOKE_H
#define DEMI_HOOKE_H

#include <dem/law_friction.h>

typedef struct demi_hooke {
    double stiffness;
    /* eta = 2 ratio sqrt(m* k_n) + coefficient + rate m*: two of the three are zero */
    double ratio, coefficient, rate;
    double attractive, absolute;
} demi_hooke;

/* Checks the parameters, fills `combined` and tells later parts what they may build on. */
dem_status demi_hooke_combine(const dem_hooke *parameters, dem_pair_properties *pair,
                              demi_hooke *combined, dem_error *error);

/* Contact time and limit on dt of the normal direction. */
void demi_hooke_scales(const demi_hooke *combined, double mass, dem_law_scales *scales);

/* Largest stable dt of an explicit step for a spring and a dashpot between effective masses: it is
 * stable where eta dt/m + (k/m) dt^2/4 < 1, eta times dem_law_scales.dashpot_weight. */
double demi_explicit_limit(double stiffness, double damping, double mass);

/* The same in the tangential direction, where spins make the mass 2/7 m* for solid spheres; lowers
 * the limit that is there already. */
void demi_tangential_limit(double stiffness, double damping, double mass, dem_law_scales *scales);

#endif
