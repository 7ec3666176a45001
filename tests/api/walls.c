/* SPDX-License-Identifier: MIT */
/**
 * @file walls.c
 * Walls are culled by boxes and by how far they are. No contact is missed for that: not in a crowd
 * of planes, nor where a wall comes from afar, starts, stops, or is removed.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLANES = 300, EDGE = 10, GRAINS = EDGE * EDGE * EDGE };

static double gap(const dem_wall *wall, const double *x)
{
    double sum = 0.0;
    for (int c = 0; c < 3; ++c)
        sum += (x[c] - wall->point[c]) * wall->normal[c];
    return sum;
}

/** Grains and walls that overlap, counted one by one. */
static uint64_t overlaps(dem_world *world, const uint64_t *ids, uint64_t count)
{
    dem_view view = {.struct_size = sizeof view}, radius = view;
    OK(dem_world_view(world, DEM_FIELD_POSITION, &view));
    OK(dem_world_view(world, DEM_FIELD_RADIUS, &radius));
    uint64_t sum = 0;
    for (uint64_t k = 0; k < count; ++k) {
        dem_wall wall = {.struct_size = sizeof wall};
        OK(dem_wall_get(world, ids[k], &wall));
        for (uint64_t n = 0; n < view.count; ++n) {
            const double *x = (const double *)((const char *)view.data + n * view.stride);
            const double *r = (const double *)((const char *)radius.data + n * radius.stride);
            sum += gap(&wall, x) < *r;
        }
    }
    return sum;
}

/** Contacts of the world that have a wall, whose ids are above those of grains. */
static uint64_t listed(const dem_world *world, uint64_t first_wall)
{
    dem_contact contact = {.struct_size = sizeof contact};
    uint64_t cursor = 0, sum = 0;
    while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK)
        sum += contact.key.id_j >= first_wall;
    return sum;
}

/** Grains that fly about. */
static dem_world *crowd(double speed, int32_t threads)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.threads = threads;
    dem_world *world = scene_world(&config);
    test_random random = {UINT64_C(0x2545F4914F6CDD1D)};
    static dem_particle grains[GRAINS];
    for (int n = 0; n < GRAINS; ++n) {
        const int at[3] = {n % EDGE, n / EDGE % EDGE, n / EDGE / EDGE};
        grains[n] = scene_particle(0.0, 0.0, 0.0);
        grains[n].id = (uint64_t)n + 1;
        for (int c = 0; c < 3; ++c) {
            grains[n].position[c] = 1.1 * (at[c] - 0.5 * (EDGE - 1));
            grains[n].velocity[c] = test_uniform(&random, -speed, speed);
        }
    }
    OK(dem_particles_add(world, GRAINS, grains, NULL));
    return world;
}

static uint64_t plane(dem_world *world, const double normal[3], double distance, double speed)
{
    dem_wall wall;
    uint64_t id = 0;
    OK(dem_wall_init(&wall));
    for (int c = 0; c < 3; ++c) {
        wall.normal[c] = normal[c];
        wall.point[c] = -distance * normal[c];
        wall.velocity[c] = speed * normal[c];
    }
    OK(dem_wall_add(world, &wall, &id));
    return id;
}

/** A cage of planes; some of them move, and some start and stop on the way. */
static void cage(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0x9E3779B97F4A7C15)};
    dem_world *world = crowd(4.0, 2);
    uint64_t ids[PLANES], met = 0;
    for (int k = 0; k < PLANES; ++k) {
        double n[3], square = 0.0;
        for (int c = 0; c < 3; ++c) {
            n[c] = test_uniform(&random, -1.0, 1.0);
            square += n[c] * n[c];
        }
        for (int c = 0; c < 3; ++c)
            n[c] /= sqrt(square);
        ids[k] = plane(world, n, 9.2 + 0.1 * (k % 40), k % 7 == 0 ? 1.0 : 0.0);
    }
    for (int step = 0; step < 400; ++step) {
        OK(dem_step(world, 2e-3, 1));
        const uint64_t expected = overlaps(world, ids, PLANES);
        assert_int_equal(listed(world, ids[0]), expected);
        met += expected;
        const double start[3] = {0.9, 0.6, 0.3}, still[3] = {0.0, 0.0, 0.0};
        OK(dem_wall_set_velocity(world, ids[step % PLANES], step % 3 == 0 ? start : still));
    }
    assert_true(met > 1000);
    dem_world_destroy(world);
}

/** A wall that comes from far beyond what is listed takes the grains along. */
static void from_afar(void **state)
{
    (void)state;
    const double up[3] = {0.0, 0.0, 1.0};
    dem_world *world = crowd(0.0, 1);
    uint64_t met = 0;
    const uint64_t id = plane(world, up, 30.0, 0.0);
    OK(dem_step(world, 2e-3, 3));
    const double velocity[3] = {0.0, 0.0, 10.0};
    OK(dem_wall_set_velocity(world, id, velocity));
    for (int step = 0; step < 1300; ++step) {
        OK(dem_step(world, 2e-3, 1));
        const uint64_t expected = overlaps(world, &id, 1);
        assert_int_equal(listed(world, id), expected);
        met += expected;
    }
    assert_true(met > 0);
    dem_world_destroy(world);
}

/** The force on a wall is that of the present: none is left when grains are gone. */
static void force_goes(void **state)
{
    (void)state;
    const double up[3] = {0.0, 0.0, 1.0};
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = scene_world(&config);
    const uint64_t id = plane(world, up, 0.0, 0.0);
    const dem_particle p = scene_particle(0.0, 0.0, 0.49);
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    dem_wall wall = {.struct_size = sizeof wall};
    OK(dem_step(world, 1e-3, 1));
    OK(dem_wall_get(world, id, &wall));
    assert_true(wall.force[2] < 0.0);
    /* taken away at once, so that the wall has a force and no pair when the list is built */
    const double away[3] = {0.0, 0.0, 20.0};
    OK(dem_particle_set_motion(world, handle, away, NULL, NULL));
    for (int n = 0; n < 3; ++n) {
        OK(dem_step(world, 1e-3, 1));
        OK(dem_wall_get(world, id, &wall));
        assert_true(wall.force[0] == 0.0 && wall.force[1] == 0.0 && wall.force[2] == 0.0);
    }
    dem_world_destroy(world);
}

/** Friction acts on a grain at the surface of the wall: its lever arm is the radius, or the
 * distance of the centre, as the model says. */
static void lever_arm(void **state)
{
    (void)state;
    static const double up[3] = {0.0, 0.0, 1.0}, angular_velocity[3] = {0.0, 1.0, 0.0};
    for (int contact = 0; contact < 2; ++contact) {
        dem_world_config config;
        OK(dem_world_config_init(&config));
        dem_world *world = NULL;
        OK(dem_world_create(&config, &world, NULL));
        dem_linear linear;
        OK(dem_linear_init(&linear));
        linear.stiffness_normal = 1.0;
        linear.friction = 1e6;
        linear.restitution = 1.0;
        dem_contact_model model;
        OK(dem_contact_model_init(&model));
        model.lever_arm = contact ? DEM_ARM_CONTACT : DEM_ARM_RADIUS;
        OK(dem_contact_model_add_linear_csds(&model, &linear));
        OK(dem_contact_model_set(world, 0, 0, &model));
        (void)plane(world, up, 0.0, 0.0);
        dem_particle p;
        OK(dem_particle_init(&p));
        p.radius = 0.5;
        p.mass = 1.0;
        p.position[2] = 0.4;
        for (int c = 0; c < 3; ++c)
            p.angular_velocity[c] = angular_velocity[c];
        dem_particle_handle handle;
        OK(dem_particle_add(world, &p, &handle));
        OK(dem_step(world, 1e-4, 20));
        OK(dem_particle_get(world, handle, &p));
        const double inertia = 0.4 * 0.5 * 0.5;
        const double arm = inertia * (angular_velocity[1] - p.angular_velocity[1]) / p.velocity[0];
        assert_true(fabs(p.velocity[0]) > 1e-8);
        assert_true(fabs(fabs(arm) - (contact ? 0.4 : 0.5)) < 1e-5);
        dem_world_destroy(world);
    }
}

/* Of grains that press a wall side by side, the one is named that is too deep, wherever it is
 * among them. */
static void too_deep(void **state)
{
    (void)state;
    static const int32_t shapes[] = {DEM_SHAPE_PLANE, DEM_SHAPE_CYLINDER}; /* flat and curved */
    enum { ROW = 12 };
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; ++s)
        for (int deep = 0; deep < ROW; ++deep) {
            const dem_world_config config = scene_config();
            dem_world *world = scene_world(&config);
            dem_wall wall;
            OK(dem_wall_init(&wall));
            wall.shape = shapes[s];
            wall.id = 99;
            if (wall.shape == DEM_SHAPE_CYLINDER) { /* along y, its top at 0 */
                wall.normal[1] = 1.0;
                wall.normal[2] = 0.0;
                wall.point[2] = -5.0;
                wall.size[0] = 5.0;
            }
            OK(dem_wall_add(world, &wall, NULL));
            for (int k = 0; k < ROW; ++k) {
                dem_particle p = scene_particle(0.0, 1.5 * k, k == deep ? 0.2 : 0.4);
                p.id = (uint64_t)(100 + k);
                OK(dem_particle_add(world, &p, NULL));
            }
            char wanted[80];
            snprintf(wanted, sizeof wanted, "particle %d and wall 99: overlap 0.3", 100 + deep);
            assert_int_equal(dem_step(world, 1e-6, 1), DEM_ERROR_OVERLAP);
            if (strstr(dem_world_error(world), wanted) == NULL)
                fail_msg("\"%s\" is not of %s", dem_world_error(world), wanted);
            dem_world_destroy(world);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cage),      cmocka_unit_test(from_afar), cmocka_unit_test(force_goes),
        cmocka_unit_test(lever_arm), cmocka_unit_test(too_deep),
    };
    return cmocka_run_group_tests_name("walls", tests, NULL, NULL);
}
