/* SPDX-License-Identifier: MIT */
/**
 * @file scene.h
 * Small worlds that tests and physics cases share. Needs OK(call) before it, for a call that must
 * succeed.
 */
#ifndef DEM_TEST_SCENE_H
#define DEM_TEST_SCENE_H

#include "random.h"

#include <dem/dem.h>

#include <stdio.h>
#include <stdlib.h>

/** The linear law with friction for all pairs of materials a and b. */
static inline void scene_model(dem_world *world, int32_t a, int32_t b, double stiffness,
                               double friction, double restitution)
{
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = stiffness;
    linear.friction = friction;
    linear.restitution = restitution;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_model_set(world, a, b, &model));
}

/** A configuration with gravity along -z. */
static inline dem_world_config scene_config(void)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.gravity[2] = -10.0;
    return config;
}

/** A world from a configuration, with one frictional model for material 0. */
static inline dem_world *scene_world(const dem_world_config *config)
{
    dem_world *world = NULL;
    dem_error error;
    const dem_status status = dem_world_create(config, &world, &error);
    if (status != DEM_OK)
        fprintf(stderr, "dem_world_create: %s\n", error.message);
    OK(status);
    scene_model(world, 0, 0, 1000.0, 0.4, 0.7);
    return world;
}

/** A sphere of radius 0.5 and mass 0.1. */
static inline dem_particle scene_particle(double x, double y, double z)
{
    dem_particle p;
    OK(dem_particle_init(&p));
    p.position[0] = x;
    p.position[1] = y;
    p.position[2] = z;
    p.radius = 0.5;
    p.mass = 0.1;
    return p;
}

/** Spheres of mixed size on a lattice with random displacements, spins and speeds, in a box that
 * is periodic in x and y, above a floor. They touch soon. `how` holds all but the box. */
static inline dem_world *scene_packing_config(uint64_t edge, uint64_t layers,
                                              const dem_world_config *how)
{
    dem_world_config config = *how;
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[1] = (double)edge;
    dem_world *world = scene_world(&config);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    OK(dem_wall_add(world, &wall, NULL));
    test_random random = {UINT64_C(0x123456789ABCDEF)};
    const uint64_t count = edge * edge * layers;
    dem_particle *p = calloc(count, sizeof(*p));
    OK(p != NULL ? DEM_OK : DEM_ERROR_MEMORY);
    for (uint64_t n = 0; n < count; ++n) {
        p[n] = scene_particle((double)(n % edge) + 0.5, (double)(n / edge % edge) + 0.5,
                              (double)(n / (edge * edge)) * 0.98 + 0.5);
        p[n].radius = test_uniform(&random, 0.46, 0.5);
        for (int c = 0; c < 3; ++c) {
            p[n].position[c] += test_uniform(&random, -0.04, 0.04);
            p[n].velocity[c] = test_uniform(&random, -1.0, 1.0);
            p[n].angular_velocity[c] = test_uniform(&random, -3.0, 3.0);
        }
    }
    OK(dem_particles_add(world, count, p, NULL));
    free(p);
    return world;
}

/** The same with the host's threads and memory, either of which may be NULL. */
static inline dem_world *scene_packing(uint64_t edge, uint64_t layers, const dem_executor *executor,
                                       const dem_allocator *allocator)
{
    dem_world_config config = scene_config();
    if (executor != NULL)
        config.executor = *executor;
    if (allocator != NULL)
        config.allocator = *allocator;
    return scene_packing_config(edge, layers, &config);
}

/** The hash of a world. */
static inline uint64_t scene_hash(const dem_world *world)
{
    uint64_t hash = 0;
    OK(dem_world_hash(world, &hash));
    return hash;
}

/** The counters of a world. */
static inline dem_world_counts scene_counts(const dem_world *world)
{
    dem_world_counts counts = {.struct_size = sizeof(counts)};
    OK(dem_world_counts_get(world, &counts));
    return counts;
}

/** The energies of a world. */
static inline dem_world_energies scene_energies(const dem_world *world)
{
    dem_world_energies energies = {.struct_size = sizeof(energies)};
    OK(dem_world_energies_get(world, &energies));
    return energies;
}

#endif
