/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include <stdlib.h>
#include <string.h>

dem_linear scene_linear(double stiffness)
{
    dem_linear linear;
    MUST(dem_linear_init(&linear));
    linear.stiffness_normal = stiffness;
    return linear;
}

dem_contact_model scene_linear_model(const dem_linear *linear)
{
    dem_contact_model model;
    MUST(dem_contact_model_init(&model));
    dem_contact_model_add_linear_csds(&model, linear);
    return model;
}

dem_world *scene_world_of(const dem_world_config *config, const dem_contact_model *model)
{
    dem_world *world = scene_world(config);
    MUST(dem_contact_model_set(world, 0, 0, model));
    return world;
}

dem_world *scene_simple(int32_t integrator, double gravity_z, const dem_contact_model *model)
{
    dem_world_config config;
    MUST(dem_world_config_init(&config));
    config.integrator = integrator;
    config.gravity[2] = gravity_z;
    return scene_world_of(&config, model);
}

dem_particle_handle scene_sphere(dem_world *world, const double position[3], double radius,
                                 double mass)
{
    dem_particle particle;
    dem_particle_handle handle;
    MUST(dem_particle_init(&particle));
    memcpy(particle.position, position, sizeof particle.position);
    particle.radius = radius;
    particle.mass = mass;
    MUST(dem_particle_add(world, &particle, &handle));
    return handle;
}

void scene_frozen(dem_world *world, const double position[3], double radius, double mass)
{
    dem_particle particle;
    MUST(dem_particle_init(&particle));
    memcpy(particle.position, position, sizeof particle.position);
    particle.radius = radius;
    particle.mobility = DEM_MOBILITY_FIXED;
    particle.contact_mass = mass;
    MUST(dem_particle_add(world, &particle, NULL));
}

dem_particle scene_get(const dem_world *world, dem_particle_handle handle)
{
    dem_particle particle;
    particle.struct_size = sizeof particle;
    MUST(dem_particle_get(world, handle, &particle));
    return particle;
}

double scene_balance(const dem_world_energies *e)
{
    return e->kinetic_translation + e->kinetic_rotation + e->potential + e->elastic +
           e->dissipated_normal + e->dissipated_dashpot + e->dissipated_slip +
           e->dissipated_rolling - e->work_external - e->work_boundary;
}

void scene_step(dem_world *world, double dt, uint64_t steps)
{
    if (dem_step(world, dt, steps) == DEM_OK)
        return;
    fprintf(stderr, "dem_step: %s\n", dem_world_error(world));
    exit(2);
}

double scene_random(uint64_t *seed, double low, double high)
{
    *seed ^= *seed >> 12;
    *seed ^= *seed << 25;
    *seed ^= *seed >> 27;
    const uint64_t bits = *seed * UINT64_C(2685821657736338717);
    return low + (high - low) * ((double)(bits >> 11) / 9007199254740992.0);
}
