/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedral.h
 * Worlds of polyhedra: their models, shapes and bodies, and what is read of them.
 */
#ifndef DEM_TEST_POLYHEDRAL_H
#define DEM_TEST_POLYHEDRAL_H

#include "scene.h"
#include "solids.h"

#include <math.h>
#include <string.h>

#define MODULUS 1e6

enum { PLAIN, M1, M3, M4, ROLLING, MODELS };
static const char *const model_names[MODELS] = {"plain", "M1", "M3", "M4", "rolling"};

/** Hertz's law with the effective modulus MODULUS, and a tangential part. */
static inline void model_set(dem_world *world, int which, double friction, double restitution)
{
    dem_contact_model model;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_rolling rolling;
    OK(dem_contact_model_init(&model));
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    OK(dem_rolling_init(&rolling));
    hertz.young[0] = 2.0 * MODULUS * (1.0 - 0.25 * 0.25);
    hertz.poisson[0] = 0.25;
    hertz.restitution = restitution;
    mindlin.friction = friction;
    mindlin.stiffness_factor = which == M3 ? 2.0 / 3.0 : mindlin.stiffness_factor;
    OK(dem_contact_model_add_hertz(&model, &hertz));
    if (which == M4)
        OK(dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin));
    else if (which != PLAIN)
        OK(dem_contact_model_add_mindlin(&model, &mindlin));
    if (which == ROLLING) {
        rolling.friction = 0.05;
        rolling.stiffness = 1e4;
        OK(dem_contact_model_add_rolling_csds(&model, &rolling));
    }
    if (dem_contact_model_set(world, 0, 0, &model) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
}

static inline dem_polyhedron *shape_of(dem_mesh *mesh)
{
    dem_polyhedron_config config;
    dem_polyhedron *shape = NULL;
    dem_error error;
    OK(dem_polyhedron_config_init(&config));
    if (dem_polyhedron_create(&config, mesh, &shape, &error) != DEM_OK)
        fail_msg("%s", error.message);
    dem_mesh_destroy(mesh);
    return shape;
}

static inline dem_polyhedron *box_shape(void)
{
    return shape_of(solid_box(0.5, 0.4, 0.3));
}

static inline dem_polyhedron *ellipsoid_shape(int level)
{
    return shape_of(solid_ellipsoid(level, 0.5, 0.4, 0.35));
}

/** A body of density 1000 at a place. */
static inline dem_body body_at(const dem_polyhedron *shape, double x, double y, double z)
{
    dem_body body;
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_body_init(&body));
    OK(dem_polyhedron_properties_get(shape, &is));
    body.mass = 1000.0 * is.volume;
    for (int c = 0; c < 3; ++c)
        body.inertia[c] = 1000.0 * is.inertia[c];
    body.position[0] = x;
    body.position[1] = y;
    body.position[2] = z;
    return body;
}

static inline dem_body_handle body_add(dem_world *world, const dem_body *body,
                                       dem_polyhedron *shape)
{
    dem_body_part part;
    dem_body_handle handle;
    OK(dem_body_part_init(&part));
    part.shape = shape;
    if (dem_body_add(world, body, 1, &part, &handle) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    return handle;
}

static inline void run(dem_world *world, double dt, uint64_t steps)
{
    if (dem_step(world, dt, steps) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
}

/** A world whose polyhedra have a law; `at` is its polyhedron_overlap. */
static inline dem_world *world_of_law(int32_t law, double at, double gravity, int32_t threads,
                                      int32_t isa)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.gravity[2] = -gravity;
    config.threads = threads;
    config.isa = isa;
    config.energy_tracking = DEM_ENERGY_TRACKING_FULL;
    config.overlap_limit = 1.0; /* deep contacts are compared, too */
    config.polyhedron_law = law;
    config.polyhedron_overlap = at;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    return world;
}

static inline dem_world *world_of(double gravity, int32_t threads, int32_t isa)
{
    return world_of_law(DEM_POLYHEDRON_LAW_VOLUME, 0.05, gravity, threads, isa);
}

static inline void plane_add(dem_world *world, const double normal[3], double away)
{
    dem_wall wall;
    OK(dem_wall_init(&wall));
    memcpy(wall.normal, normal, sizeof(wall.normal));
    for (int c = 0; c < 3; ++c)
        wall.point[c] = -away * normal[c];
    OK(dem_wall_add(world, &wall, NULL));
}

static inline void turn_at_random(test_random *random, dem_body *body)
{
    double length = 0.0;
    for (int c = 0; c < 4; ++c) {
        body->orientation[c] = test_uniform(random, -1.0, 1.0);
        length += body->orientation[c] * body->orientation[c];
    }
    for (int c = 0; c < 4; ++c)
        body->orientation[c] /= sqrt(length);
}

static inline dem_polyhedron_motion motion_of(const dem_world *world, dem_body_handle handle,
                                              const dem_polyhedron *shape)
{
    dem_body body = {.struct_size = sizeof(body)};
    dem_polyhedron_motion m;
    OK(dem_body_get(world, handle, &body));
    OK(dem_polyhedron_motion_init(&m));
    m.shape = shape;
    m.id = body.id;
    memcpy(m.position, body.position, sizeof(m.position));
    memcpy(m.orientation, body.orientation, sizeof(m.orientation));
    memcpy(m.velocity, body.velocity, sizeof(m.velocity));
    memcpy(m.angular_velocity, body.angular_velocity, sizeof(m.angular_velocity));
    return m;
}

/** Force and torque on a body. */
static inline void loads_of(const dem_world *world, dem_body_handle handle, double load[6])
{
    dem_body_arrays arrays;
    dem_body_handle handles[2];
    double force[2][3], torque[2][3];
    uint64_t cursor = 0, count = 0;
    OK(dem_body_arrays_init(&arrays));
    arrays.capacity = 2;
    arrays.handle = handles;
    arrays.force = force[0];
    arrays.torque = torque[0];
    OK(dem_world_bodies_read(world, &cursor, &arrays, &count));
    for (uint64_t k = 0; k < count; ++k)
        if (handles[k].index == handle.index) {
            memcpy(load, force[k], sizeof(force[k]));
            memcpy(load + 3, torque[k], sizeof(torque[k]));
        }
}

static inline void compare(const double load[6], const double force[3], const double moment[3])
{
    double size = 0.0;
    for (int c = 0; c < 3; ++c)
        size = fmax(size, fabs(force[c]));
    for (int c = 0; c < 3; ++c)
        if (fabs(load[c] - force[c]) > 1e-11 * size || fabs(load[3 + c] - moment[c]) > 1e-12 * size)
            fail_msg("force %g, torque %g; level 1 has %g, %g", load[c], load[3 + c], force[c],
                     moment[c]);
}

static inline double balance_of(const dem_world *world)
{
    const dem_world_energies e = scene_energies(world);
    return e.kinetic_translation + e.kinetic_rotation + e.potential + e.elastic +
           e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip + e.dissipated_rolling -
           e.work_external - e.work_boundary;
}

/** Momentum of the bodies with the ids 1 to `count`, and angular momentum about the origin. */
static inline void momenta_of_bodies(const dem_world *world, uint64_t count, double sum[6])
{
    memset(sum, 0, 6 * sizeof(double));
    for (uint64_t id = 1; id <= count; ++id) {
        dem_body_handle handle;
        dem_body b = {.struct_size = sizeof(b)};
        double spin[3];
        OK(dem_body_find(world, id, &handle));
        OK(dem_body_get(world, handle, &b));
        memcpy(spin, b.angular_velocity, sizeof(spin));
        dem_kernel_rotation_to_body(b.orientation, spin);
        for (int c = 0; c < 3; ++c)
            spin[c] *= b.inertia[c];
        dem_kernel_rotation_to_space(b.orientation, spin);
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            sum[c] += b.mass * b.velocity[c];
            sum[3 + c] +=
                spin[c] + b.mass * (b.position[d] * b.velocity[e] - b.position[e] * b.velocity[d]);
        }
    }
}

static inline unsigned char *snapshot_of(const dem_world *world, uint64_t *size)
{
    OK(dem_world_snapshot_size(world, size));
    unsigned char *bytes = malloc((size_t)*size);
    assert_non_null(bytes);
    if (dem_world_snapshot(world, bytes, *size, NULL) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    return bytes;
}

#endif
