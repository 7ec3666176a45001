/* SPDX-License-Identifier: MIT */
/**
 * @file mesh_world.h
 * Worlds of spheres of RADIUS on meshes and planes. RADIUS has to be defined before, and OK(call)
 * for a call that must succeed.
 */
#ifndef DEM_TEST_MESH_WORLD_H
#define DEM_TEST_MESH_WORLD_H

#include "meshes.h"
#include "scene.h"

#include <string.h>

#define STIFFNESS 1e4
#define CONTACT_TIME 0.031415926535897931 /* pi sqrt(m/k) of a mass of 1 kg */
#define DEGREE 0.017453292519943295

/** A world without gravity, and how its contacts are. */
static inline dem_world *empty_world(const dem_world_config *config, double friction,
                                     double restitution)
{
    dem_world *world = NULL;
    OK(dem_world_create(config, &world, NULL));
    scene_model(world, 0, 0, STIFFNESS, friction, restitution);
    return world;
}

static inline dem_world *still_world(double friction, double restitution)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    return empty_world(&config, friction, restitution);
}

static inline dem_particle ball_at(double x, double y, double z)
{
    dem_particle p;
    OK(dem_particle_init(&p));
    p.radius = RADIUS;
    p.mass = 1.0;
    p.position[0] = x;
    p.position[1] = y;
    p.position[2] = z;
    return p;
}

/** Adds a mesh, which the world alone has then. */
static inline uint64_t add_mesh(dem_world *world, dem_mesh *mesh)
{
    uint64_t id = 0;
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_MESH;
    wall.mesh = mesh;
    if (dem_wall_add(world, &wall, &id) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    dem_mesh_destroy(mesh);
    return id;
}

static inline uint64_t add_plane(dem_world *world, const double normal[3])
{
    uint64_t id = 0;
    dem_wall wall;
    OK(dem_wall_init(&wall));
    memcpy(wall.normal, normal, sizeof(wall.normal));
    OK(dem_wall_add(world, &wall, &id));
    return id;
}

static inline void step(dem_world *world, double dt, uint64_t steps)
{
    if (dem_step(world, dt, steps) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
}

static inline dem_particle particle_of(const dem_world *world, dem_particle_handle handle)
{
    dem_particle p = {.struct_size = sizeof(p)};
    OK(dem_particle_get(world, handle, &p));
    return p;
}

static inline dem_wall wall_of(const dem_world *world, uint64_t id)
{
    dem_wall wall = {.struct_size = sizeof(wall)};
    OK(dem_wall_get(world, id, &wall));
    return wall;
}

static inline double energy_of(const dem_world *world)
{
    const dem_world_energies e = scene_energies(world);
    return e.kinetic_translation + e.kinetic_rotation + e.potential + e.elastic;
}

/** The energy with what was lost and what walls put in. */
static inline double balance_of(const dem_world *world)
{
    const dem_world_energies e = scene_energies(world);
    return energy_of(world) + e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip +
           e.dissipated_rolling - e.work_boundary;
}

#endif
