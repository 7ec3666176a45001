/* SPDX-License-Identifier: MIT */
/**
 * @file messages.c
 * Messages name the remedy: what there is instead, which axis, what to change.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/law.h"
#include "../support/scene.h"

#include <math.h>
#include <string.h>

static void says(const dem_world *world, const char *part)
{
    if (strstr(dem_world_error(world), part) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", part, dem_world_error(world));
}

/* All laws are named, with those of the host. */
static void unknown_law(void **state)
{
    (void)state;
    static const char *const names[] = {DEM_LAW_LINEAR_CSDS,
                                        DEM_LAW_LINEAR_DSDS,
                                        DEM_LAW_HERTZ,
                                        DEM_LAW_MINDLIN,
                                        DEM_LAW_MINDLIN_DERESIEWICZ,
                                        DEM_LAW_MINDLIN_DERESIEWICZ_32,
                                        DEM_LAW_ACTM,
                                        DEM_LAW_JKR,
                                        DEM_LAW_DMT,
                                        DEM_LAW_LUDING,
                                        DEM_LAW_WALTON_BRAUN,
                                        DEM_LAW_THORNTON,
                                        DEM_LAW_HOOKE,
                                        DEM_LAW_FRICTION,
                                        DEM_LAW_MINDLIN_THREE_CASE,
                                        DEM_LAW_ROLLING_CSDS,
                                        DEM_LAW_ROLLING_CONSTANT,
                                        DEM_LAW_TWISTING_CSDS,
                                        DEM_LAW_TWISTING_MARSHALL};
    const dem_world_config config = scene_config();
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    test_law_control control = {0, -1, 0.0};
    const dem_law law = test_law(&control);
    const test_spring spring = {1.0};
    dem_contact_model model;
    for (int own = 0; own < 2; ++own) {
        if (own)
            OK(dem_world_law_register(world, &law));
        OK(dem_contact_model_init(&model));
        OK(dem_contact_model_add(&model, "hertzian", &spring));
        assert_int_equal(dem_contact_model_set(world, 0, 0, &model), DEM_ERROR_UNKNOWN);
        says(world, "no law \"hertzian\"");
        for (size_t k = 0; k < sizeof names / sizeof names[0]; ++k)
            says(world, names[k]);
        assert_int_equal(strstr(dem_world_error(world), "test-spring") != NULL, own);
    }
    dem_world_destroy(world);
}

/* The axes that are not finite are named. */
static void axes(void **state)
{
    (void)state;
    static const struct {
        int broken; /* bits of the axes */
        const char *text;
    } rows[] = {{1, "along x is"},         {2, "along y is"},       {3, "along x and y is"},
                {4, "along z is"},         {5, "along x and z is"}, {6, "along y and z is"},
                {7, "along x, y and z is"}};
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k)
        for (int field = 0; field < 3; ++field) {
            dem_particle p = scene_particle(0.0, 0.0, 0.0);
            double *const vectors[] = {p.position, p.velocity, p.angular_velocity};
            for (int c = 0; c < 3; ++c)
                if ((rows[k].broken >> c & 1) != 0)
                    vectors[field][c] = field == 0 ? (double)NAN : (double)INFINITY;
            assert_int_equal(dem_particle_add(world, &p, NULL), DEM_ERROR_RANGE);
            says(world, rows[k].text);
        }
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.point[1] = (double)NAN;
    assert_int_equal(dem_wall_add(world, &wall, NULL), DEM_ERROR_RANGE);
    says(world, "dem_wall.point: is not finite along y");
    dem_world_destroy(world);
}

/* An overlap that is too large: behind a wall the wall is turned, elsewhere the step is smaller. */
static void overlap(void **state)
{
    (void)state;
    for (int behind = 0; behind < 2; ++behind) {
        dem_world_config config = scene_config();
        dem_world *world = scene_world(&config);
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.normal[2] = behind ? -1.0 : 1.0;
        OK(dem_wall_add(world, &wall, NULL));
        const dem_particle p = scene_particle(0.0, 0.0, behind ? 2.0 : 0.2);
        OK(dem_particle_add(world, &p, NULL));
        assert_int_equal(dem_step(world, 1e-3, 1), DEM_ERROR_OVERLAP);
        says(world, behind ? "behind the wall" : "a smaller dt");
        dem_world_destroy(world);
    }
}

/* Objects that are not there have a text all the same. */
static void no_object(void **state)
{
    (void)state;
    assert_string_equal(dem_world_error(NULL), "world: must not be NULL");
    assert_string_equal(dem_contact_history_error(NULL), "history: must not be NULL");
    assert_string_equal(dem_integrator_error(NULL), "integrator: must not be NULL");
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_law),
        cmocka_unit_test(axes),
        cmocka_unit_test(overlap),
        cmocka_unit_test(no_object),
    };
    return cmocka_run_group_tests_name("messages", tests, NULL, NULL);
}
