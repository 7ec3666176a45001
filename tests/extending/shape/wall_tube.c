/* SPDX-License-Identifier: MIT */
/**
 * @file wall_tube.c
 * Spheres inside a tube: overlap at rest against Hertz with R* of the pair, a sphere that rolls
 * to and fro against the pendulum, a collision's energy, a wall that moves, limits, a snapshot.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double YOUNG = 1e7, POISSON = 0.3, RADIUS = 0.02, TUBE = 0.1, GRAVITY = 10.0;

/** A world with a tube along y, whose axis is the origin, and one sphere in it. */
static dem_world *tube(double friction, double restitution, const double position[3],
                       dem_particle_handle *handle, uint64_t *wall_id)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.gravity[2] = -GRAVITY;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    dem_hertz hertz;
    OK(dem_hertz_init(&hertz));
    hertz.young[0] = YOUNG;
    hertz.poisson[0] = POISSON;
    hertz.restitution = restitution;
    dem_mindlin mindlin;
    OK(dem_mindlin_init(&mindlin));
    mindlin.friction = friction;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_hertz(&model, &hertz));
    OK(dem_contact_model_add_mindlin(&model, &mindlin));
    OK(dem_contact_model_set(world, 0, 0, &model));
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_TUBE;
    wall.normal[1] = 3.0;
    wall.normal[2] = 0.0;
    wall.size[0] = TUBE;
    OK(dem_wall_add(world, &wall, wall_id));
    dem_particle p = {.struct_size = sizeof p};
    OK(dem_particle_init(&p));
    p.radius = RADIUS;
    for (int c = 0; c < 3; ++c)
        p.position[c] = position[c];
    OK(dem_particle_add(world, &p, handle));
    return world;
}

static double mass(void)
{
    return 1000.0 * 4.0 / 3.0 * acos(-1.0) * RADIUS * RADIUS * RADIUS;
}

/** Overlap under the sphere's weight. */
static double overlap_at_rest(void)
{
    const double young = YOUNG / (2.0 * (1.0 - POISSON * POISSON));
    const double radius = 1.0 / sqrt(1.0 / RADIUS * (1.0 / RADIUS - 1.0 / TUBE));
    return pow(0.75 * mass() * GRAVITY / (young * sqrt(radius)), 2.0 / 3.0);
}

static void rest(void **state)
{
    (void)state;
    const double start[3] = {0.0, 0.3, -(TUBE - RADIUS) - overlap_at_rest()};
    dem_particle_handle handle;
    dem_world *world = tube(0.5, 0.3, start, &handle, NULL);
    OK(dem_step(world, 1e-5, 4000));
    dem_particle p = {.struct_size = sizeof p};
    dem_contact contact = {.struct_size = sizeof contact};
    uint64_t cursor = 0;
    OK(dem_particle_get(world, handle, &p));
    assert_true(fabs(p.position[2] - start[2]) < 1e-9 * RADIUS);
    OK(dem_world_contact_next(world, &cursor, &contact));
    assert_true(fabs(contact.overlap - overlap_at_rest()) < 1e-6 * overlap_at_rest());
    assert_true(fabs(fabs(contact.normal[2]) - 1.0) < 1e-12);
    dem_world_destroy(world);
}

/** Half a period of small oscillations, and the drift of the energy. */
static double half_period(double friction, double *energy)
{
    const double angle = 0.05, arm = TUBE - RADIUS + overlap_at_rest(), dt = 1e-5;
    const double start[3] = {arm * sin(angle), 0.0, -arm * cos(angle)};
    dem_particle_handle handle;
    dem_particle p = {.struct_size = sizeof p};
    dem_world *world = tube(friction, 1.0, start, &handle, NULL);
    dem_world_energies first = {.struct_size = sizeof first}, last = first;
    OK(dem_step(world, dt, 1));
    OK(dem_world_energies_get(world, &first));
    double before = start[0], time = 0.0, crossed[2] = {0.0, 0.0};
    for (int n = 0; n < 2;) {
        OK(dem_step(world, dt, 10));
        OK(dem_particle_get(world, handle, &p));
        const double x = p.position[0];
        time += 10.0 * dt;
        if ((x > 0.0) != (before > 0.0))
            crossed[n++] = time - 10.0 * dt * x / (x - before);
        before = x;
        assert_true(time < 10.0);
    }
    OK(dem_world_energies_get(world, &last));
    *energy =
        (last.kinetic_translation + last.kinetic_rotation + last.potential + last.elastic -
         first.kinetic_translation - first.kinetic_rotation - first.potential - first.elastic) /
        (0.5 * mass() * GRAVITY * arm * angle * angle);
    dem_world_destroy(world);
    return crossed[1] - crossed[0];
}

static void pendulum(void **state)
{
    (void)state;
    /* to first order in the angle's square */
    const double slow = 1.0 + 0.05 * 0.05 / 16.0;
    const double slide = acos(-1.0) * sqrt((TUBE - RADIUS) / GRAVITY) * slow;
    double energy;
    assert_true(fabs(half_period(0.0, &energy) / slide - 1.0) < 1e-3);
    assert_true(fabs(energy) < 1e-3);
    /* a sphere that rolls without slip has 7/5 of the inertia */
    assert_true(fabs(half_period(10.0, &energy) / (slide * sqrt(1.4)) - 1.0) < 3e-3);
    assert_true(fabs(energy) < 5e-3);
}

static void flight(void **state)
{
    (void)state;
    /* thrown about without gravity, losing nothing: it never leaves the tube */
    const double start[3] = {0.03, 0.0, 0.01}, zero[3] = {0.0, 0.0, 0.0};
    const double throw[3] = {3.0, 0.2, 1.7};
    dem_particle_handle handle;
    uint64_t id;
    dem_world *world = tube(0.0, 1.0, start, &handle, &id);
    OK(dem_world_gravity_set(world, zero));
    OK(dem_particle_set_motion(world, handle, NULL, throw, NULL));
    dem_particle p = {.struct_size = sizeof p};
    for (int n = 0; n < 200; ++n) {
        OK(dem_step(world, 1e-5, 100));
        OK(dem_particle_get(world, handle, &p));
        assert_true(hypot(p.position[0], p.position[2]) < TUBE - 0.8 * RADIUS);
    }
    assert_true(fabs(hypot(p.velocity[0], p.velocity[2]) / hypot(throw[0], throw[2]) - 1.0) < 0.01);
    /* a tube that comes along takes it along */
    OK(dem_particle_set_motion(world, handle, NULL, zero, NULL));
    const double along[3] = {1.0, 0.0, 0.0};
    OK(dem_wall_set_velocity(world, id, along));
    OK(dem_step(world, 1e-5, 50000));
    dem_wall wall = {.struct_size = sizeof wall};
    OK(dem_wall_get(world, id, &wall));
    OK(dem_particle_get(world, handle, &p));
    assert_int_equal(wall.shape, DEM_SHAPE_TUBE);
    assert_true(wall.size[0] == TUBE && fabs(wall.point[0] - 0.5) < 1e-9);
    assert_true(hypot(p.position[0] - wall.point[0], p.position[2]) < TUBE - 0.8 * RADIUS);
    dem_world_destroy(world);
}

static void snapshots(void **state)
{
    (void)state;
    const double start[3] = {0.03, 0.0, -0.02};
    dem_particle_handle handle;
    dem_world *world = tube(0.4, 0.8, start, &handle, NULL), *copy = NULL;
    OK(dem_step(world, 1e-5, 12000));
    uint64_t size = 0, hash[2];
    OK(dem_world_snapshot_size(world, &size));
    void *bytes = malloc(size);
    assert_non_null(bytes);
    OK(dem_world_snapshot(world, bytes, size, NULL));
    dem_world_config config;
    OK(dem_world_config_init(&config));
    OK(dem_world_create(&config, &copy, NULL));
    OK(dem_world_restore(copy, bytes, size));
    free(bytes);
    dem_world *const worlds[] = {world, copy};
    for (int k = 0; k < 2; ++k) {
        OK(dem_step(worlds[k], 1e-5, 5000));
        OK(dem_world_hash(worlds[k], &hash[k]));
        dem_world_destroy(worlds[k]);
    }
    assert_true(hash[0] == hash[1]);
}

static void refused(void **state)
{
    (void)state;
    const double start[3] = {0.0, 0.0, 0.0};
    dem_particle_handle handle;
    dem_world *world = tube(0.0, 1.0, start, &handle, NULL);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_TUBE;
    const double sizes[][3] = {{0.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, {NAN, 0.0, 0.0}, {1.0, 2.0, 0.0}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; ++k) {
        for (int c = 0; c < 3; ++c)
            wall.size[c] = sizes[k][c];
        assert_int_equal(dem_wall_add(world, &wall, NULL), DEM_ERROR_RANGE);
        assert_non_null(strstr(dem_world_error(world), "dem_wall.size"));
    }
    dem_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest),      cmocka_unit_test(pendulum), cmocka_unit_test(flight),
        cmocka_unit_test(snapshots), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("wall_tube", tests, NULL, NULL);
}
