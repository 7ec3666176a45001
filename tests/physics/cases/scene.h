/* SPDX-License-Identifier: MIT */
/* Short ways to build worlds and models for the cases, beside those that all tests share. A failed
 * call ends the program. */
#ifndef PHYSICS_SCENE_H
#define PHYSICS_SCENE_H

#include "ledger.h"

#define OK(call) MUST(call)
#include "../../support/scene.h"

/* A linear law with the defaults of dem_linear_init and this stiffness. */
dem_linear scene_linear(double stiffness);

/* A model of one part, DEM_LAW_LINEAR_CSDS. It points at *linear. */
dem_contact_model scene_linear_model(const dem_linear *linear);

/* A world of one material whose pairs follow the model. */
dem_world *scene_world_of(const dem_world_config *config, const dem_contact_model *model);

/* The same with default configuration but for the integrator and gravity along an axis. */
dem_world *scene_simple(int32_t integrator, double gravity_z, const dem_contact_model *model);

/* Adds a sphere at rest; mass 0 is taken from the density. */
dem_particle_handle scene_sphere(dem_world *world, const double position[3], double radius,
                                 double mass);
/* Adds a frozen sphere whose mass enters m* of its contacts. */
void scene_frozen(dem_world *world, const double position[3], double radius, double mass);

dem_particle scene_get(const dem_world *world, dem_particle_handle handle);
/* The sum that a perfect scheme keeps; see dem_world_energies. */
double scene_balance(const dem_world_energies *e);

/* dem_step that must succeed. */
void scene_step(dem_world *world, double dt, uint64_t steps);

/* Uniform in [low, high), the same on every machine; advances the seed (xorshift64*). */
double scene_random(uint64_t *seed, double low, double high);

#endif
