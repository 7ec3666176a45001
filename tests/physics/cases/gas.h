/* SPDX-License-Identifier: MIT */
/* A gas of equal spheres in a periodic box, in units of its own: diameter 1, mass 1, temperature 1.
 */
#ifndef PHYSICS_GAS_H
#define PHYSICS_GAS_H

#include "scene.h"

/* 8^3 spheres at this filled fraction; contacts of spheres that meet head on last GAS_CONTACT. */
enum { GAS_EDGE = 8, GAS_COUNT = GAS_EDGE * GAS_EDGE * GAS_EDGE };
#define GAS_FRACTION 0.2
#define GAS_CONTACT 0.02

typedef struct gas {
    dem_world *world;
    double stiffness; /* of the contacts */
} gas;

/* `law` without stiffness, which is filled in; spins get temperature 1 where it has friction.
 * slider: DEM_LAW_LINEAR_.... */
gas gas_make(const dem_linear *law, const char *slider, int32_t integrator, uint64_t seed);

typedef struct gas_state {
    double translation, rotation, elastic; /* energies */
    uint64_t contacts;
} gas_state;

gas_state gas_look(const gas *g);

/* Collisions of one sphere with others per time at temperature T, by Enskog's theory with Carnahan
 * and Starling's pair correlation at touch. */
double gas_frequency(double temperature);

#endif
