/* SPDX-License-Identifier: MIT */
/**
 * @file snapshot_limits.c
 * What can be set and stepped can be saved and restored, and goes on with the same bits; what
 * cannot be is refused when it is set. Worlds at random, with all that can be set at its extremes.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/any_model.h"
#include "../support/busy.h"

#include <float.h>
#include <string.h>

/** Takes a world over into an empty one, which must have the same bytes. */
static dem_world *restored(const dem_world *world, test_law_control *control)
{
    uint64_t size, again;
    unsigned char *bytes = busy_snapshot(world, &size);
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *other = NULL;
    OK(dem_world_create(&config, &other, NULL));
    const dem_law law = test_law(control);
    OK(dem_world_law_register(other, &law));
    if (dem_world_restore(other, bytes, size) != DEM_OK)
        fail_msg("what was set is not restored: %s", dem_world_error(other));
    unsigned char *back = busy_snapshot(other, &again);
    assert_int_equal(again, size);
    assert_memory_equal(bytes, back, (size_t)size);
    free(bytes);
    free(back);
    return other;
}

static void models_of_materials_in_any_order(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    dem_world_config config = scene_config();
    config.material_count = 3;
    dem_world *world = scene_world(&config);
    for (int32_t a = 0; a < 3; ++a)
        for (int32_t b = 0; b < 3; ++b)
            scene_model(world, a, b, 1000.0 + 100.0 * a + 10.0 * b, 0.3, 0.8);
    for (int n = 0; n < 3; ++n) {
        dem_particle p = scene_particle(0.95 * n, 0.0, 0.0);
        p.material = (n + 1) % 3;
        OK(dem_particle_add(world, &p, NULL));
    }
    for (int turn = 0; turn < 3; ++turn) {
        dem_world *other = restored(world, &control);
        OK(dem_step(world, 1e-3, 10));
        OK(dem_step(other, 1e-3, 10));
        busy_equal(world, other);
        dem_world_destroy(other);
        scene_model(world, 2, 0, 900.0, 0.3, 0.8); /* once more, while they touch */
    }
    dem_world_destroy(world);
}

/* What a particle's mass is made of, and what is made of it, stays a number above 0. */
static void masses_that_round_away_are_refused(void **state)
{
    (void)state;
    static const struct {
        double radius, mass, contact_mass, density;
        int32_t mobility;
        const char *word; /* NULL: taken */
    } cases[] = {{1e-120, 0.0, 0.0, 1000.0, DEM_MOBILITY_FREE, "mass"},
                 {1e120, 0.0, 0.0, 1000.0, DEM_MOBILITY_FREE, "mass"},
                 {1e-120, 0.0, 0.0, 1000.0, DEM_MOBILITY_FIXED, "mass"},
                 {1e120, 0.0, 0.0, 1000.0, DEM_MOBILITY_KINEMATIC, "mass"},
                 {1.0, 1e-310, 0.0, 1000.0, DEM_MOBILITY_FREE, "mass"},
                 {1e-100, 1e-150, 0.0, 1000.0, DEM_MOBILITY_FREE, "moment of inertia"},
                 {1e100, 1e150, 0.0, 1000.0, DEM_MOBILITY_FREE, "moment of inertia"},
                 {1e-170, 1.0, 0.0, 1000.0, DEM_MOBILITY_FREE, "moment of inertia"},
                 {1.0, 1.0, 1e-310, 1000.0, DEM_MOBILITY_FIXED, "contact_mass"},
                 {1.0, 1.0, 1e-310, 1000.0, DEM_MOBILITY_FREE, NULL}, /* not used */
                 {1e-100, 1e-100, 0.0, 1000.0, DEM_MOBILITY_FREE, NULL},
                 {1e100, 1e100, 0.0, 1000.0, DEM_MOBILITY_FREE, NULL},
                 {1e-100, 0.0, 0.0, 1000.0, DEM_MOBILITY_FIXED, NULL},
                 {1e-60, 0.0, 0.0, 1000.0, DEM_MOBILITY_FREE, NULL},
                 {1.0, DBL_MAX, DBL_MAX, 1000.0, DEM_MOBILITY_FIXED, NULL},
                 {1e-100, 1e-310, 0.0, 1000.0, DEM_MOBILITY_FIXED, NULL}};
    test_law_control control = {0, -1, 0.0};
    for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); ++n) {
        const dem_world_config config = scene_config();
        dem_world *world = scene_world(&config);
        dem_material material;
        OK(dem_material_init(&material));
        material.density = cases[n].density;
        OK(dem_material_set(world, 0, &material));
        dem_particle p = scene_particle(0.0, 0.0, 0.0);
        p.radius = cases[n].radius;
        p.mass = cases[n].mass;
        p.contact_mass = cases[n].contact_mass;
        p.mobility = cases[n].mobility;
        const dem_status status = dem_particle_add(world, &p, NULL);
        if (cases[n].word == NULL && status != DEM_OK)
            fail_msg("case %d: %s", (int)n, dem_world_error(world));
        if (cases[n].word != NULL &&
            (status != DEM_ERROR_RANGE || strstr(dem_world_error(world), cases[n].word) == NULL))
            fail_msg("case %d: status %d, \"%s\"", (int)n, (int)status, dem_world_error(world));
        assert_int_equal(scene_counts(world).particles, status == DEM_OK);
        dem_world_destroy(restored(world, &control));
        dem_world_destroy(world);
    }
}

/* Steps so long that the time would be no number are refused, even where nothing moves. */
static void time_stays_a_number(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = scene_world(&config);
    static const double steps[] = {1e299, 3e299, 1e300, 1e307, DBL_MAX, 1.0};
    int refused = 0;
    for (size_t n = 0; n < sizeof(steps) / sizeof(steps[0]); ++n) {
        const double before = dem_world_time(world);
        const dem_status status = dem_step(world, steps[n], 2);
        assert_true(status == DEM_OK || status == DEM_ERROR_RANGE);
        assert_true(status == DEM_OK || dem_world_time(world) == before);
        assert_true(isfinite(dem_world_time(world)));
        refused += status != DEM_OK;
        dem_world_destroy(restored(world, &control));
    }
    assert_int_equal(refused, 3);
    dem_world_destroy(world);
}

/** A number of any size, or one that is special. */
static double extreme(test_random *random, double low, double high)
{
    static const double special[] = {0.0,       -0.0,        1.0,   DBL_MIN, DBL_MAX,
                                     0x1p-1074, DBL_EPSILON, 1e300, 1e-300,  -1.0,
                                     -DBL_MAX,  INFINITY,    NAN};
    const uint64_t bits = test_random_bits(random);
    if (bits % 8 == 0)
        return special[(bits >> 8) % (sizeof(special) / sizeof(special[0]))];
    const double value = test_decades(random, low, high);
    return (bits >> 8) % 16 == 0 ? -value : value;
}

static uint64_t calm; /* of the world at hand: 1, or more for fewer extremes */

/** Usual numbers, but for one in `odds`. */
static double seldom(test_random *random, double usual, uint64_t odds, double low, double high)
{
    return test_random_bits(random) % (odds * calm) == 0 ? extreme(random, low, high) : usual;
}

static uint64_t pick_one(void *user, uint64_t count)
{
    return test_random_bits(user) % count;
}

static double any_number(void *user, double usual)
{
    return seldom(user, usual, 16, -300.0, 300.0);
}

static void add_model(dem_world *world, test_random *random, int32_t a, int32_t b)
{
    const any_source source = {random, pick_one, any_number};
    any_parameters parameters;
    const dem_contact_model model = any_model(&source, &parameters);
    (void)dem_contact_model_set(world, a, b, &model);
}

static void change(dem_world *world, test_random *random, uint64_t materials)
{
    const uint64_t bits = test_random_bits(random);
    const int32_t a = (int32_t)(bits >> 8 & 1023) % (int32_t)materials,
                  b = (int32_t)(bits >> 18 & 1023) % (int32_t)materials;
    dem_particle_handle handle = {0, 0};
    const int found = dem_particle_find(world, 1 + (bits >> 32) % 12, &handle) == DEM_OK;
    double x[3], y[3];
    for (int c = 0; c < 3; ++c) {
        x[c] = seldom(random, test_uniform(random, -1.0, 4.0), 12, -320.0, 308.0);
        y[c] = seldom(random, test_uniform(random, -1.0, 1.0), 12, -320.0, 308.0);
    }
    dem_particle p = scene_particle(x[0], x[1], x[2]);
    dem_wall wall;
    dem_material material;
    OK(dem_wall_init(&wall));
    OK(dem_material_init(&material));
    switch (bits % 11) {
    case 0:
    case 1:
    case 2:
        p.radius = seldom(random, 0.5, 12, -200.0, 200.0);
        p.mass = seldom(random, 0.1, 4, -320.0, 308.0);
        p.contact_mass = seldom(random, 0.3, 4, -320.0, 308.0);
        p.material = a;
        p.mobility = (int32_t)(bits >> 40) % 3;
        p.id = (bits >> 44) % 8 == 0 ? UINT64_MAX - (bits >> 50) % 3 : 0;
        for (int c = 0; c < 3 && p.mobility != DEM_MOBILITY_FIXED; ++c)
            p.velocity[c] = y[c], p.angular_velocity[c] = y[2 - c];
        (void)dem_particle_add(world, &p, NULL);
        break;
    case 3:
        if (found)
            (void)dem_particle_remove(world, handle);
        break;
    case 4:
        if (found)
            (void)dem_particle_set_motion(world, handle, (bits >> 40) % 2 ? x : NULL,
                                          (bits >> 41) % 2 ? y : NULL, NULL);
        break;
    case 5:
        if (found)
            (void)dem_particle_set_force(world, handle, (bits >> 40) % 2 ? y : NULL,
                                         (bits >> 41) % 2 ? y : NULL);
        break;
    case 6:
        for (int c = 0; c < 3; ++c)
            wall.point[c] = x[c] - 4.0, wall.normal[c] = y[c], wall.velocity[c] = 0.1 * y[2 - c];
        wall.material = b;
        wall.id = 900 + (bits >> 40) % 4;
        if (dem_wall_add(world, &wall, NULL) == DEM_ERROR_DUPLICATE)
            (void)dem_wall_remove(world, wall.id);
        break;
    case 7:
        material.density = seldom(random, 1000.0, 2, -320.0, 308.0);
        (void)dem_material_set(world, a, &material);
        break;
    case 8:
        (void)dem_world_gravity_set(world, y);
        break;
    case 9:
        (void)dem_wall_set_velocity(world, 900 + (bits >> 40) % 4, y);
        break;
    default:
        add_model(world, random, a, b);
    }
}

static dem_world *random_world(test_random *random, test_law_control *control, uint64_t *materials)
{
    for (;;) { /* until a configuration is taken */
        const uint64_t bits = test_random_bits(random);
        dem_world_config config;
        OK(dem_world_config_init(&config));
        calm = UINT64_C(1) << (bits >> 40) % 4 * 3;
        *materials = 1 + bits % 4;
        config.material_count = (int32_t)*materials;
        config.integrator = (int32_t)(bits >> 8) % 5;
        config.energy_tracking = (int32_t)(bits >> 12) % 2;
        config.skin = seldom(random, 0.0, 6, -320.0, 308.0);
        config.overlap_limit = 1.0;
        for (int c = 0; c < 3; ++c) {
            config.boundary[c] = (int32_t)(bits >> (16 + c)) % 2;
            config.box_low[c] = seldom(random, 0.0, 30, -320.0, 308.0);
            config.box_high[c] = seldom(random, 5.0, 12, -320.0, 308.0);
            config.gravity[c] = seldom(random, 0.0, 6, -320.0, 308.0);
        }
        dem_world *world = NULL;
        if (dem_world_create(&config, &world, NULL) != DEM_OK)
            continue;
        const dem_law law = test_law(control);
        OK(dem_world_law_register(world, &law));
        for (int32_t a = 0; a < config.material_count; ++a)
            for (int32_t b = 0; b < config.material_count; ++b) {
                dem_contact_model none; /* where what follows is refused: a pair needs a model */
                OK(dem_contact_model_init(&none));
                OK(dem_contact_model_set(world, a, b, &none));
                add_model(world, random, a, b);
            }
        dem_particle p = scene_particle(0.0, 0.0, 0.0);
        for (int k = 0; k < 8; ++k) { /* which touch */
            for (int c = 0; c < 3; ++c) {
                p.position[c] = 0.5 + 0.97 * (k >> c & 1);
                p.velocity[c] = test_uniform(random, -1.0, 1.0);
                p.angular_velocity[c] = test_uniform(random, -1.0, 1.0);
            }
            p.material = k % config.material_count;
            (void)dem_particle_add(world, &p, NULL);
        }
        return world;
    }
}

static void what_can_be_set_and_stepped_can_be_kept(void **state)
{
    (void)state;
    enum { WORLDS = 400, TURNS = 8 };
    test_law_control control = {0, -1, 0.0};
    fenv_t traps; /* numbers of any size trap where they are computed with, as a host's would */
    assert_int_equal(feholdexcept(&traps), 0);
    test_random random = test_random_start("limits");
    uint64_t steps = 0, refused = 0, contacts = 0;
    for (int n = 0; n < WORLDS; ++n) {
        uint64_t materials;
        dem_world *world = random_world(&random, &control, &materials);
        for (int turn = 0; turn < TURNS; ++turn) {
            for (uint64_t k = test_random_bits(&random) % 6; k > 0; --k)
                change(world, &random, materials);
            dem_world *other = restored(world, &control);
            const double dt = seldom(&random, 1e-4, 12, -320.0, 308.0);
            const uint64_t many = test_random_bits(&random) % 5;
            const dem_status status = dem_step(world, dt, many);
            assert_int_equal(dem_step(other, dt, many), status);
            assert_int_equal(scene_hash(world), scene_hash(other));
            if (status == DEM_OK) /* a snapshot forgets contacts whose model was replaced since */
                busy_equal(world, other);
            steps += status == DEM_OK;
            refused += status != DEM_OK;
            contacts += scene_counts(world).contacts;
            dem_world_destroy(other);
        }
        dem_world_destroy(restored(world, &control));
        dem_world_destroy(world);
    }
    feclearexcept(FE_ALL_EXCEPT);
    assert_int_equal(fesetenv(&traps), 0);
    printf("# %llu calls stepped, %llu were refused, %llu contacts\n", (unsigned long long)steps,
           (unsigned long long)refused, (unsigned long long)contacts);
    assert_true(steps > 3 * WORLDS && contacts > 4 * WORLDS);
}

/** Forces that were written and are not finite stop a step, and leave nothing in rows that come. */
static void rows_that_come_hold_nothing_of_others(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    const dem_law law = test_law(&control);
    OK(dem_world_law_register(world, &law));
    dem_particle_handle handle[3];
    for (int k = 0; k < 3; ++k) {
        const dem_particle p = scene_particle(2.0 * k, 0.0, 0.0);
        OK(dem_particle_add(world, &p, &handle[k]));
    }
    OK(dem_step(world, 1e-4, 1));
    dem_view view = {.struct_size = sizeof(view)};
    OK(dem_world_view(world, DEM_FIELD_EXTERNAL_TORQUE, &view));
    for (uint64_t row = 0; row < view.count; ++row)
        *(double *)(void *)((char *)view.data + row * view.stride) = NAN;
    OK(dem_world_written_field(world, DEM_FIELD_EXTERNAL_TORQUE));
    OK(dem_particle_remove(world, handle[1]));
    assert_true(dem_step(world, 1e-4, 1) != DEM_OK);
    const dem_particle p = scene_particle(9.0, 0.0, 0.0);
    OK(dem_particle_add(world, &p, NULL));
    dem_world_destroy(restored(world, &control));
    dem_world_destroy(world);
}

/** What a step made too large is no value that the host wrote, in a restored world too: fields that
 * it did write are kept by name. */
static void what_the_host_wrote_is_kept_by_field(void **state)
{
    (void)state;
    static const int32_t fields[] = {DEM_FIELD_EXTERNAL_FORCE, DEM_FIELD_VELOCITY};
    static const dem_status expected[] = {DEM_ERROR_DIVERGED, DEM_ERROR_RANGE};
    static const char *const says[] = {
        "velocity is not finite, or beyond 1e150 m/s, at the end of step 2",
        "velocity written through a view"};
    test_law_control control = {0, -1, 0.0};
    for (int k = 0; k < 2; ++k) {
        dem_world_config config = scene_config();
        config.gravity[2] = -1.5e158;
        dem_world *world = scene_world(&config);
        const dem_law law = test_law(&control);
        OK(dem_world_law_register(world, &law));
        const dem_particle p = scene_particle(0.0, 0.0, 0.0);
        OK(dem_particle_add(world, &p, NULL));
        OK(dem_step(world, 1e-8, 1));
        OK(dem_world_written_field(world, fields[k]));
        dem_world *other = restored(world, &control);
        dem_world *const both[] = {world, other};
        for (int w = 0; w < 2; ++w) {
            assert_int_equal(dem_step(both[w], 1e-8, 1), expected[k]);
            assert_non_null(strstr(dem_world_error(both[w]), says[k]));
        }
        dem_world_destroy(other);
        dem_world_destroy(world);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_of_materials_in_any_order),
        cmocka_unit_test(masses_that_round_away_are_refused),
        cmocka_unit_test(time_stays_a_number),
        cmocka_unit_test(what_can_be_set_and_stepped_can_be_kept),
        cmocka_unit_test(rows_that_come_hold_nothing_of_others),
        cmocka_unit_test(what_the_host_wrote_is_kept_by_field),
    };
    return cmocka_run_group_tests_name("snapshot_limits", tests, NULL, NULL);
}
