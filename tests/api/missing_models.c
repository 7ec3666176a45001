/* SPDX-License-Identifier: MIT */
/**
 * @file missing_models.c
 * Two materials for which no model was set: a world refuses to step, a history warns. An empty
 * model says that they do not interact.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/log.h"
#include "../support/scene.h"

#include <stdlib.h>

/* What stands in a world of three materials, none of which has a model. */
typedef struct layout {
    const char *name;
    int32_t material[3], mobility[3]; /* of particles; mobility -1: none, -2: a wall */
    int missing;                      /* whether a step is refused */
    int32_t a, b;                     /* the pair that is named then */
} layout;

enum {
    NONE = -1,
    WALL = -2,
    FREE = DEM_MOBILITY_FREE,
    FIXED = DEM_MOBILITY_FIXED,
    KINEMATIC = DEM_MOBILITY_KINEMATIC
};

static const layout layouts[] = {
    {"nothing", {0, 0, 0}, {NONE, NONE, NONE}, 0, 0, 0},
    {"one free", {0, 0, 0}, {FREE, NONE, NONE}, 0, 0, 0},
    {"two free of one material", {1, 1, 0}, {FREE, FREE, NONE}, 1, 1, 1},
    {"two free of two", {2, 1, 0}, {FREE, FREE, NONE}, 1, 1, 2},
    {"free and fixed", {0, 0, 0}, {FREE, FIXED, NONE}, 1, 0, 0},
    {"fixed and free", {0, 2, 0}, {FIXED, FREE, NONE}, 1, 0, 2},
    {"fixed ones", {0, 0, 1}, {FIXED, FIXED, FIXED}, 0, 0, 0},
    {"fixed and a wall", {0, 0, 1}, {FIXED, WALL, WALL}, 0, 0, 0},
    {"kinematic and fixed", {0, 1, 0}, {KINEMATIC, FIXED, NONE}, 1, 0, 1},
    {"kinematic and a wall", {2, 2, 0}, {KINEMATIC, WALL, NONE}, 1, 2, 2},
    {"free and a wall", {1, 0, 0}, {FREE, WALL, NONE}, 1, 0, 1},
    {"walls", {0, 0, 1}, {WALL, WALL, WALL}, 0, 0, 0},
};

static dem_world *world_of(const layout *l)
{
    dem_world_config config = scene_config();
    config.material_count = 3;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    for (int k = 0; k < 3; ++k) {
        if (l->mobility[k] == NONE)
            continue;
        if (l->mobility[k] == WALL) {
            dem_wall wall;
            OK(dem_wall_init(&wall));
            wall.point[2] = -100.0 - k;
            wall.material = l->material[k];
            OK(dem_wall_add(world, &wall, NULL));
            continue;
        }
        dem_particle p = scene_particle(3.0 * k, 0.0, 0.0); /* far from each other */
        p.material = l->material[k];
        p.mobility = l->mobility[k];
        OK(dem_particle_add(world, &p, NULL));
    }
    return world;
}

static void empty_set(dem_world *world, int32_t a, int32_t b)
{
    dem_contact_model none;
    OK(dem_contact_model_init(&none));
    OK(dem_contact_model_set(world, a, b, &none));
}

/* A step is refused where something could meet, and nothing has moved. */
static void world_refuses(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof layouts / sizeof layouts[0]; ++k) {
        const layout *l = &layouts[k];
        dem_world *world = world_of(l);
        const uint64_t before = scene_hash(world);
        for (uint64_t steps = 0; steps < 3; ++steps) {
            const dem_status status = dem_step(world, 1e-3, steps);
            if (status != (l->missing ? DEM_ERROR_STATE : DEM_OK))
                fail_msg("%s, %d steps: %d %s", l->name, (int)steps, (int)status,
                         dem_world_error(world));
            if (!l->missing)
                continue;
            char wanted[64];
            const int turned = l->material[0] != l->a; /* ids count particles and walls */
            snprintf(wanted, sizeof wanted, "materials %d and %d (bodies %d and %d)", (int)l->a,
                     (int)l->b, 1 + turned, 2 - turned);
            assert_non_null(strstr(dem_world_error(world), wanted));
            assert_non_null(strstr(dem_world_error(world), "dem_contact_model_set"));
            assert_true(scene_hash(world) == before);
        }
        if (l->missing) { /* said that they do not interact, in the other order of materials */
            empty_set(world, l->b, l->a);
            OK(dem_step(world, 1e-3, 2));
        }
        dem_world_destroy(world);
    }
}

/* An empty model lets bodies pass through each other, and may be set in place of another. */
static void empty_model(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    config.gravity[2] = 0.0;
    dem_world *world = scene_world(&config);
    dem_particle p = scene_particle(0.0, 0.0, 0.0);
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, NULL));
    p.position[0] = 0.99;
    OK(dem_particle_add(world, &p, &handle));
    OK(dem_step(world, 1e-3, 1));
    assert_int_equal(scene_counts(world).contacts, 1);
    OK(dem_particle_get(world, handle, &p));
    const double speed = p.velocity[0];
    assert_true(speed > 0.0);
    empty_set(world, 0, 0);
    OK(dem_step(world, 1e-3, 100));
    assert_int_equal(scene_counts(world).contacts, 0);
    OK(dem_particle_get(world, handle, &p));
    assert_true(p.velocity[0] == speed);
    dem_pair_value value = {.struct_size = sizeof value};
    assert_int_equal(dem_world_pair_value(world, 0, 0, 0, &value), DEM_ERROR_RANGE);
    dem_world_destroy(world);
}

/* The check is made anew when bodies come and go. */
static void check_follows_changes(void **state)
{
    (void)state;
    const layout start = {"", {0, 0, 0}, {FREE, NONE, NONE}, 0, 0, 0};
    dem_world *world = world_of(&start);
    OK(dem_step(world, 1e-3, 1));
    dem_wall wall;
    uint64_t id;
    OK(dem_wall_init(&wall));
    wall.point[2] = -100.0;
    OK(dem_wall_add(world, &wall, &id));
    assert_int_equal(dem_step(world, 1e-3, 1), DEM_ERROR_STATE);
    OK(dem_wall_remove(world, id));
    OK(dem_step(world, 1e-3, 1));
    dem_particle p = scene_particle(5.0, 0.0, 0.0);
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    assert_int_equal(dem_step(world, 1e-3, 1), DEM_ERROR_STATE);
    OK(dem_particle_remove(world, handle));
    OK(dem_step(world, 1e-3, 1));
    dem_world_destroy(world);
}

/* A snapshot keeps what was said: an empty model stays one, and silence stays silence. */
static void snapshot_keeps_it(void **state)
{
    (void)state;
    for (int said = 0; said < 2; ++said) {
        dem_world *world = world_of(&layouts[3]), *copy = NULL;
        if (said)
            empty_set(world, 1, 2);
        uint64_t bytes = 0;
        OK(dem_world_snapshot_size(world, &bytes));
        void *buffer = malloc(bytes);
        assert_non_null(buffer);
        OK(dem_world_snapshot(world, buffer, bytes, NULL));
        dem_world_config config = scene_config();
        OK(dem_world_create(&config, &copy, NULL));
        OK(dem_world_restore(copy, buffer, bytes));
        uint64_t again = 0;
        OK(dem_world_snapshot_size(copy, &again));
        assert_int_equal(again, bytes);
        assert_int_equal(dem_step(copy, 1e-3, 5), said ? DEM_OK : DEM_ERROR_STATE);
        assert_int_equal(dem_step(world, 1e-3, 5), said ? DEM_OK : DEM_ERROR_STATE);
        assert_true(scene_hash(world) == scene_hash(copy));
        free(buffer);
        dem_world_destroy(world);
        dem_world_destroy(copy);
    }
}

/* A history warns once for each pair of materials, and an empty model is no reason to. */
static void history_warns(void **state)
{
    (void)state;
    test_log log;
    dem_contact_history_config config;
    dem_contact_history *history = NULL;
    OK(dem_contact_history_config_init(&config));
    config.material_count = 3;
    config.log = test_log_hook(&log);
    OK(dem_contact_history_create(&config, &history, NULL));
    dem_contact_model none;
    OK(dem_contact_model_init(&none));
    OK(dem_contact_history_model_set(history, 2, 2, &none));
    const double x[4][3] = {{0.0}, {0.9}, {1.8}, {2.7}}, v[4][3] = {{0.0}};
    const double radius[4] = {0.5, 0.5, 0.5, 0.5}, mass[4] = {1.0, 1.0, 1.0, 1.0};
    const int32_t material[4] = {1, 0, 2, 2};
    const uint32_t pairs[3][2] = {{0, 1}, {1, 2}, {2, 3}};
    double force[4][3] = {{0.0}};
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    in.particle_count = 4;
    in.position = x[0];
    in.velocity = v[0];
    in.radius = radius;
    in.mass = mass;
    in.material = material;
    in.pair_count = 3;
    in.pairs = pairs[0];
    in.force = force[0];
    in.dt = 1e-3;
    for (int k = 0; k < 3; ++k)
        OK(dem_contacts_evaluate(history, &in, NULL));
    assert_int_equal(log.count[DEM_LOG_WARNING], 2);
    assert_int_equal(test_log_warnings(&log, "materials 1 and 0 (ids 0 and 1)"), 1);
    assert_int_equal(test_log_warnings(&log, "materials 0 and 2 (ids 1 and 2)"), 1);
    assert_int_equal(test_log_warnings(&log, "dem_contact_history_model_set"), 2);
    OK(dem_contact_history_model_set(history, 0, 1, &none));
    OK(dem_contacts_evaluate(history, &in, NULL));
    assert_int_equal(log.count[DEM_LOG_WARNING], 2);
    dem_contact_history_destroy(history);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(world_refuses),         cmocka_unit_test(empty_model),
        cmocka_unit_test(check_follows_changes), cmocka_unit_test(snapshot_keeps_it),
        cmocka_unit_test(history_warns),
    };
    return cmocka_run_group_tests_name("missing_models", tests, NULL, NULL);
}
