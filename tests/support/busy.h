/* SPDX-License-Identifier: MIT */
/**
 * @file busy.h
 * A world in which everything happens that a snapshot must keep: two materials under three models,
 * one of them with a long state and one that acts beyond touch, free, fixed and driven particles,
 * a still and a moving wall, a periodic axis, external forces. Needs cmocka.h before it.
 */
#ifndef DEM_TEST_BUSY_H
#define DEM_TEST_BUSY_H

#include "scene.h"
#include "snapshot.h"

#define BUSY_DT 2e-4
#define BUSY_PITCH 0.93

static inline void busy_model(dem_world *world, int32_t a, int32_t b, const char *first,
                              const void *parameters, const char *second, const void *more)
{
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    model.parts[0].law = first;
    model.parts[0].parameters = parameters;
    model.parts[1].law = second;
    model.parts[1].parameters = more;
    if (dem_contact_model_set(world, a, b, &model) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
}

static inline void busy_models(dem_world *world)
{
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_adhesion adhesion;
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    OK(dem_adhesion_init(&adhesion));
    hertz.young[0] = adhesion.young[0] = 2e4;
    hertz.restitution = adhesion.restitution = 0.6;
    adhesion.work_of_adhesion = 0.05;
    busy_model(world, 0, 1, DEM_LAW_HERTZ, &hertz, DEM_LAW_MINDLIN_DERESIEWICZ, &mindlin);
    busy_model(world, 1, 1, DEM_LAW_JKR, &adhesion, NULL, NULL);
}

/** A particle of the busy world. */
static inline dem_particle busy_particle(test_random *random, uint64_t n, uint64_t edge)
{
    const double pitch = BUSY_PITCH;
    dem_particle p =
        scene_particle(pitch * (double)(n % edge), pitch * (double)(n / edge % edge) + 0.5,
                       pitch * (double)(n / (edge * edge)) + 0.5);
    p.radius = test_uniform(random, 0.42, 0.5);
    p.material = (int32_t)(n % 3 == 0);
    for (int c = 0; c < 3; ++c) {
        p.position[c] += test_uniform(random, -0.04, 0.04);
        p.velocity[c] = test_uniform(random, -1.0, 1.0);
        p.angular_velocity[c] = test_uniform(random, -3.0, 3.0);
    }
    if (n % 29 == 3) {
        p.mobility = n % 2 ? DEM_MOBILITY_FIXED : DEM_MOBILITY_KINEMATIC;
        p.contact_mass = 0.3;
        for (int c = 0; c < 3; ++c)
            p.velocity[c] *= n % 2 ? 0.0 : 0.3, p.angular_velocity[c] *= n % 2 ? 0.0 : 0.3;
    }
    return p;
}

/** The world of edge * edge * layers particles; `how` gives hooks, threads and isa. */
static inline dem_world *busy_world(uint64_t edge, uint64_t layers, const dem_world_config *how)
{
    dem_world_config config = *how;
    config.gravity[2] = -10.0;
    config.material_count = 2;
    config.boundary[0] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = BUSY_PITCH * (double)edge;
    dem_world *world = scene_world(&config);
    busy_models(world);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    OK(dem_wall_add(world, &wall, NULL));
    wall.normal[1] = 1.0;
    wall.normal[2] = 0.02;
    wall.velocity[0] = 0.5;
    wall.velocity[1] = 0.4;
    wall.point[1] = 0.02;
    wall.material = 1;
    wall.id = 70000;
    OK(dem_wall_add(world, &wall, NULL));
    test_random random = {UINT64_C(0x2545F4914F6CDD1D)};
    for (uint64_t n = 0; n < edge * edge * layers; ++n) {
        const dem_particle p = busy_particle(&random, n, edge);
        dem_particle_handle handle;
        OK(dem_particle_add(world, &p, &handle));
        const double push[3] = {0.1, 0.0, 0.2};
        if (n % 17 == 0)
            OK(dem_particle_set_force(world, handle, push, n % 2 ? push : NULL));
    }
    return world;
}

/** The snapshot of a world, allocated. */
static inline unsigned char *busy_snapshot(const dem_world *world, uint64_t *size)
{
    uint64_t written = 0;
    OK(dem_world_snapshot_size(world, size));
    unsigned char *bytes = malloc((size_t)*size);
    assert_non_null(bytes);
    OK(dem_world_snapshot(world, bytes, *size, &written));
    assert_int_equal(written, *size);
    return bytes;
}

/** Whether all that can be read of two worlds is the same, bit by bit. */
static inline void busy_equal(const dem_world *a, const dem_world *b)
{
    assert_int_equal(scene_hash(a), scene_hash(b));
    const dem_world_energies e = scene_energies(a), f = scene_energies(b);
    assert_memory_equal(&e, &f, sizeof(e));
    dem_world_counts m = scene_counts(a), n = scene_counts(b);
    m.bytes = n.bytes = 0; /* of the hooks, too */
    assert_memory_equal(&m, &n, sizeof(m));
    snapshot c = snapshot_world(a), d = snapshot_world(b);
    assert_true(snapshot_equal(&c, &d));
    snapshot_free(&c);
    snapshot_free(&d);
}

#endif
