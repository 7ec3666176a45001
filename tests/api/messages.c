/* SPDX-License-Identifier: MIT */
/**
 * @file messages.c
 * Messages name the remedy: what there is instead, which axis, what to change.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/law.h"
#include "../support/log.h"
#include "../support/scene.h"

#include <math.h>
#include <stdlib.h>
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

static dem_status combine_odd(void *user, const void *parameters, dem_pair_properties *pair,
                              void *combined, dem_error *error)
{
    (void)parameters;
    (void)pair;
    (void)combined;
    (void)error;
    return *(const int32_t *)user;
}

static dem_status evaluate_odd(void *user, uint64_t n, dem_contact_batch *batch,
                               const void *combined)
{
    (void)n;
    (void)batch;
    (void)combined;
    return *(const int32_t *)user;
}

static dem_status evaluate_infinite(void *user, uint64_t n, dem_contact_batch *batch,
                                    const void *combined)
{
    (void)user;
    (void)combined;
    for (uint64_t k = 0; k < n; ++k)
        batch->force_normal[k] += (double)INFINITY;
    return DEM_OK;
}

/* Forces are looked at when all parts of a model have added theirs: the message names them all. */
static void not_finite(void **state)
{
    (void)state;
    static const double nothing = 0.0;
    test_law_control control = {0, -1, 0.0};
    dem_law law = test_law(&control);
    law.name = "infinite";
    law.kind = DEM_LAW_FURTHER;
    law.slots = NULL;
    law.slot_count = 0;
    law.evaluate = evaluate_infinite;
    dem_hooke hooke;
    OK(dem_hooke_init(&hooke));
    hooke.stiffness_normal = 1e4;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_hooke(&model, &hooke));
    OK(dem_contact_model_add(&model, law.name, &nothing));
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    OK(dem_world_law_register(world, &law));
    OK(dem_contact_model_set(world, 0, 0, &model));
    const double x[2][3] = {{0.0, 0.0, 0.0}, {0.99, 0.0, 0.0}}, v[2][3] = {{0.0}};
    double force[2][3] = {{0.0}};
    for (int k = 0; k < 2; ++k) {
        const dem_particle p = scene_particle(x[k][0], x[k][1], x[k][2]);
        OK(dem_particle_add(world, &p, NULL));
    }
    assert_int_equal(dem_step(world, 1e-6, 1), DEM_ERROR_DIVERGED);
    says(world,
         "laws \"hooke\", \"infinite\" gave a force, torque or energy that is not finite, or "
         "beyond 1e+150, at step 1");
    dem_world_destroy(world);

    dem_contact_history_config plain;
    dem_contact_history *history = NULL;
    OK(dem_contact_history_config_init(&plain));
    OK(dem_contact_history_create(&plain, &history, NULL));
    OK(dem_contact_history_law_register(history, &law));
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    const double radius[2] = {0.5, 0.5}, mass[2] = {1.0, 1.0};
    const uint32_t pair[2] = {0, 1};
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    in.particle_count = 2;
    in.position = x[0];
    in.velocity = v[0];
    in.radius = radius;
    in.mass = mass;
    in.force = force[0];
    in.pair_count = 1;
    in.pairs = pair;
    in.dt = 1e-6;
    assert_int_equal(dem_contacts_evaluate(history, &in, NULL), DEM_ERROR_DIVERGED);
    assert_non_null(
        strstr(dem_contact_history_error(history), "laws \"hooke\", \"infinite\" gave"));
    dem_contact_history_destroy(history);
}

/* Of several particles the one that diverges is named, and by what, along every axis. */
static void diverged(void **state)
{
    (void)state;
    static const char *const what[] = {"particle 2: velocity is not finite, or beyond 1e150 m/s,",
                                       "particle 2: angular velocity is not finite, or beyond"};
    for (int k = 0; k < 6; ++k) {
        const dem_world_config config = scene_config();
        dem_world *world = scene_world(&config);
        dem_particle_handle handle[3];
        double load[2][3] = {{0.0}};
        load[k / 3][k % 3] = k % 2 ? -1e158 : 1e158; /* whose square is finite */
        for (int n = 0; n < 3; ++n) {
            const dem_particle p = scene_particle(2.0 * n, 0.0, 0.0);
            OK(dem_particle_add(world, &p, &handle[n]));
        }
        OK(dem_step(world, 1e-6, 1));
        OK(dem_particle_set_force(world, handle[1], load[0], load[1]));
        assert_int_equal(dem_step(world, 1e-6, 2), DEM_ERROR_DIVERGED);
        says(world, what[k / 3]);
        dem_world_destroy(world);
    }
}

/* What a callback of a law returned is told, with the law that did. */
static void callbacks(void **state)
{
    (void)state;
    static int32_t returned;
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    test_law_control control = {0, -1, 0.0};
    dem_law odd = test_law(&control);
    odd.name = "odd";
    odd.user = &returned;
    odd.kind = DEM_LAW_FURTHER;
    odd.combine = combine_odd;
    odd.evaluate = evaluate_odd;
    OK(dem_world_law_register(world, &odd));
    dem_hooke hooke;
    dem_contact_model model;
    const test_spring spring = {1.0};
    OK(dem_hooke_init(&hooke));
    hooke.stiffness_normal = 1e3;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_hooke(&model, &hooke));
    OK(dem_contact_model_add(&model, "odd", &spring));
    static const struct {
        int32_t returned;
        dem_status status;
        const char *text;
    } rows[] = {{12345, DEM_ERROR_CALLBACK, "\"odd\": combine returned 12345, which is no"},
                {-1, DEM_ERROR_CALLBACK, "\"odd\": combine returned -1, which is no"},
                {DEM_ERROR_RANGE, DEM_ERROR_RANGE, "odd: number out of range"}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; ++k) {
        returned = rows[k].returned;
        assert_int_equal(dem_contact_model_set(world, 0, 0, &model), rows[k].status);
        says(world, rows[k].text);
    }
    returned = DEM_OK;
    OK(dem_contact_model_set(world, 0, 0, &model));
    for (int k = 0; k < 2; ++k) {
        const dem_particle p = scene_particle(0.0, 0.0, 0.9 * k);
        OK(dem_particle_add(world, &p, NULL));
    }
    OK(dem_step(world, 1e-4, 1));
    returned = 77;
    assert_int_equal(dem_step(world, 1e-4, 1), DEM_ERROR_CALLBACK);
    says(world, "law \"odd\": evaluate returned 77 (unknown status) at step 2");
    dem_world_destroy(world);
}

/* A number beyond the last value is told, and no line of the log. */
static void values(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    test_log log = {{0}, {{0}}};
    config.log = test_log_hook(&log);
    dem_world *world = scene_world(&config);
    dem_pair_value value;
    memset(&value, 0, sizeof value);
    value.struct_size = sizeof value;
    uint64_t count = 0;
    while (dem_world_pair_value(world, 0, 0, count, &value) == DEM_OK)
        ++count;
    assert_true(count > 0);
    assert_int_equal(dem_world_pair_value(world, 0, 0, UINT64_MAX, &value), DEM_ERROR_RANGE);
    says(world, "index: 18446744073709551615, but the model of materials 0 and 0 has ");
    assert_int_equal(log.count[DEM_LOG_ERROR], 0);
    dem_world_destroy(world);
}

/* Objects that are not there have a text all the same. */
static void no_object(void **state)
{
    (void)state;
    assert_string_equal(dem_world_error(NULL), "world: must not be NULL");
    assert_string_equal(dem_contact_history_error(NULL), "history: must not be NULL");
    assert_string_equal(dem_integrator_error(NULL), "integrator: must not be NULL");
}

/* The limit that the message tells is one that may be taken, whatever its digits. */
static void limit_on_dt(void **state)
{
    (void)state;
    static const char before[] = "is not below ";
    for (int k = 1; k <= 40; ++k) {
        const dem_world_config config = scene_config();
        dem_world *world = NULL;
        OK(dem_world_create(&config, &world, NULL));
        dem_linear linear;
        dem_contact_model model;
        OK(dem_linear_init(&linear));
        linear.stiffness_normal = 1e5 * k / 7.0;
        OK(dem_contact_model_init(&model));
        OK(dem_contact_model_add_linear_csds(&model, &linear));
        OK(dem_contact_model_set(world, 0, 0, &model));
        for (int p = 0; p < 2; ++p) {
            const dem_particle particle = scene_particle(4.0 * p, 0.0, 0.0);
            OK(dem_particle_add(world, &particle, NULL));
        }
        assert_int_equal(dem_step(world, 10.0, 1), DEM_ERROR_RANGE);
        const char *told = strstr(dem_world_error(world), before);
        assert_non_null(told);
        const double limit = strtod(told + sizeof before - 1, NULL);
        assert_int_equal(dem_step(world, limit, 1), DEM_OK);
        /* and it is the limit, but for the digits that are not told */
        assert_int_equal(dem_step(world, limit * (1.0 + 2e-5), 1), DEM_ERROR_RANGE);
        dem_world_destroy(world);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_law), cmocka_unit_test(axes),      cmocka_unit_test(overlap),
        cmocka_unit_test(not_finite),  cmocka_unit_test(callbacks), cmocka_unit_test(values),
        cmocka_unit_test(no_object),   cmocka_unit_test(diverged),  cmocka_unit_test(limit_on_dt),
    };
    return cmocka_run_group_tests_name("messages", tests, NULL, NULL);
}
