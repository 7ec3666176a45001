/* SPDX-License-Identifier: MIT */
/**
 * @file body_refusals.c
 * What the calls of body.h refuse: each refusal has its status, names what is wrong and the limit,
 * and leaves the world as it was, to the bit.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/scene.h"

#include <string.h>

enum { PARTS = 2 };

typedef struct offer {
    dem_body body;
    dem_body_part part[PARTS];
    uint64_t parts;
} offer;

/** A dumbbell that every world here takes. */
static offer good_offer(void)
{
    offer o;
    memset(&o, 0, sizeof(o));
    OK(dem_body_init(&o.body));
    o.body.mass = 0.1;
    o.body.inertia[0] = 0.01;
    o.body.inertia[1] = o.body.inertia[2] = 0.04;
    o.body.position[2] = 5.0;
    for (int k = 0; k < PARTS; ++k) {
        OK(dem_body_part_init(&o.part[k]));
        o.part[k].centre[0] = k - 0.5;
        o.part[k].radius = 0.5;
    }
    o.parts = PARTS;
    return o;
}

static dem_body_handle add_good(dem_world *world, int32_t mobility)
{
    offer o = good_offer();
    dem_body_handle handle;
    o.body.mobility = mobility;
    o.body.position[1] = 3.0 * mobility;
    OK(dem_body_add(world, &o.body, o.parts, o.part, &handle));
    return handle;
}

/** The status, words of the message, and a world that did not change. */
static void refused(const dem_world *world, uint64_t hash, dem_status status, dem_status expected,
                    const char *first, const char *second)
{
    const char *message = dem_world_error(world);
    if (status != expected)
        fail_msg("status %d, not %d, for \"%s\"", (int)status, (int)expected, first);
    if (strstr(message, first) == NULL || strstr(message, second) == NULL)
        fail_msg("\"%s\" has not \"%s\" and \"%s\"", message, first, second);
    assert_int_equal(scene_hash(world), hash);
}

/* ------------------------------------------------------------------ bodies to add */

typedef struct double_case {
    size_t at; /* of the double in an offer */
    double value;
    const char *first, *second; /* words of the message */
} double_case;

#define OF(field) offsetof(offer, field)

static void values_of_an_offer(void **state)
{
    (void)state;
    static const double_case cases[] = {
        {OF(body.position[0]), NAN, "position", "1e+150"},
        {OF(body.position[1]), 1e151, "position", "1e+150"},
        {OF(body.position[2]), -INFINITY, "position", "1e+150"},
        {OF(body.velocity[0]), INFINITY, "velocity", "1e+150"},
        {OF(body.velocity[2]), -2e150, "velocity", "1e+150"},
        {OF(body.angular_velocity[0]), NAN, "angular_velocity", "1e+150"},
        {OF(body.angular_velocity[1]), 1e300, "angular_velocity", "1e+150"},
        {OF(body.orientation[0]), 1.0 + 3e-6, "orientation", "length 1"},
        {OF(body.orientation[0]), 0.0, "orientation", "length 1"},
        {OF(body.orientation[1]), NAN, "orientation", "length 1"},
        {OF(body.orientation[2]), INFINITY, "orientation", "length 1"},
        {OF(body.orientation[3]), NAN, "orientation", "length 1"},
        {OF(body.orientation[3]), -1e200, "orientation", "length 1"},
        {OF(body.mass), 0.0, "dem_body.mass", "2^-1001"},
        {OF(body.mass), -1.0, "dem_body.mass", "2^1000"},
        {OF(body.mass), NAN, "dem_body.mass", "> 0"},
        {OF(body.mass), 1e-302, "dem_body.mass", "2^-1001"},
        {OF(body.mass), 1e302, "dem_body.mass", "2^1000"},
        {OF(body.inertia[0]), 0.0, "dem_body.inertia[0]", "> 0"},
        {OF(body.inertia[1]), -0.01, "dem_body.inertia[1]", "> 0"},
        {OF(body.inertia[2]), NAN, "dem_body.inertia[2]", "> 0"},
        {OF(body.inertia[0]), 1e302, "dem_body.inertia[0]", "2^1000"},
        {OF(body.inertia[0]), 0.0801, "dem_body.inertia[0]", "sum"},
        {OF(body.inertia[1]), 0.0501, "dem_body.inertia[1]", "sum"},
        {OF(body.inertia[2]), 0.0501, "dem_body.inertia[2]", "sum"},
        {OF(part[0].centre[0]), NAN, "part 0", "finite"},
        {OF(part[1].centre[2]), 1e151, "part 1", "centre"},
        {OF(part[0].radius), 0.0, "part 0", "radius"},
        {OF(part[1].radius), -0.5, "part 1", "radius"},
        {OF(part[1].radius), NAN, "part 1", "radius"},
        {OF(part[1].radius), INFINITY, "part 1", "radius"},
    };
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    const dem_body_handle there = add_good(world, DEM_MOBILITY_FREE);
    const uint64_t hash = scene_hash(world);
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); ++k) {
        offer o = good_offer();
        memcpy((char *)&o + cases[k].at, &cases[k].value, sizeof(double));
        dem_body_handle handle = there;
        refused(world, hash, dem_body_add(world, &o.body, o.parts, o.part, &handle),
                DEM_ERROR_RANGE, cases[k].first, cases[k].second);
        assert_memory_equal(&handle, &there, sizeof(handle));
        assert_int_equal(scene_counts(world).particles, PARTS);
    }
    dem_world_destroy(world);
}

/* What fits just so is taken: the limits are where the messages say. */
static void values_at_the_limits(void **state)
{
    (void)state;
    static const double_case cases[] = {
        {OF(body.position[0]), 1e150, NULL, NULL},
        {OF(body.velocity[0]), -1e150, NULL, NULL},
        {OF(body.orientation[0]), 1.0 - 9e-7, NULL, NULL},
        {OF(body.mass), 0x1p-1000, NULL, NULL},
        {OF(body.mass), 0x1p999, NULL, NULL},
        {OF(body.inertia[0]), 0.08, NULL, NULL},
        {OF(body.inertia[1]), 0.05, NULL, NULL},
        {OF(part[0].centre[0]), 0.0, NULL, NULL},
    };
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); ++k) {
        dem_world_config config = scene_config();
        dem_world *world = scene_world(&config);
        offer o = good_offer();
        memcpy((char *)&o + cases[k].at, &cases[k].value, sizeof(double));
        if (dem_body_add(world, &o.body, o.parts, o.part, NULL) != DEM_OK)
            fail_msg("case %d: %s", (int)k, dem_world_error(world));
        dem_world_destroy(world);
    }
}

static void words_of_an_offer(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    add_good(world, DEM_MOBILITY_FREE);
    const uint64_t hash = scene_hash(world);
    const offer good = good_offer();
    offer o = good;
    refused(world, hash, dem_body_add(world, NULL, o.parts, o.part, NULL), DEM_ERROR_ARGUMENT,
            "body", "NULL");
    refused(world, hash, dem_body_add(world, &o.body, o.parts, NULL, NULL), DEM_ERROR_ARGUMENT,
            "parts", "NULL");
    refused(world, hash, dem_body_add(world, &o.body, 0, o.part, NULL), DEM_ERROR_RANGE,
            "part_count", "2^20");
    assert_null(strstr(dem_world_error(world), "rows")); /* which are not to blame */
    refused(world, hash, dem_body_add(world, &o.body, (1 << 20) + 1, o.part, NULL), DEM_ERROR_RANGE,
            "part_count", "2^20");
    o.body.struct_size = 8;
    refused(world, hash, dem_body_add(world, &o.body, o.parts, o.part, NULL), DEM_ERROR_STRUCT_SIZE,
            "dem_body.struct_size", "8");
    o = good;
    o.part[0].struct_size = 4;
    refused(world, hash, dem_body_add(world, &o.body, o.parts, o.part, NULL), DEM_ERROR_STRUCT_SIZE,
            "dem_body_part", "part 0");
    o = good;
    o.part[1].struct_size += 8;
    refused(world, hash, dem_body_add(world, &o.body, o.parts, o.part, NULL), DEM_ERROR_STRUCT_SIZE,
            "dem_body_part", "part 1");
    o = good;
    o.part[1].reserved = -3;
    refused(world, hash, dem_body_add(world, &o.body, o.parts, o.part, NULL), DEM_ERROR_UNKNOWN,
            "dem_body_part.reserved", "-3");
    o = good;
    o.part[1].material = -1;
    refused(world, hash, dem_body_add(world, &o.body, o.parts, o.part, NULL), DEM_ERROR_RANGE,
            "material", "-1");
    for (int c = 1; c < 3; ++c) {
        o = good;
        o.part[0].centre[c] = o.part[1].centre[c] = c == 1 ? 0.51 : -0.51;
        refused(world, hash, dem_body_add(world, &o.body, o.parts, o.part, NULL), DEM_ERROR_RANGE,
                "centre of mass", c == 1 ? "axis 1" : "axis 2");
    }
    for (int32_t wrong = -1; wrong <= 4; wrong += 5) {
        o = good;
        o.body.mobility = wrong;
        refused(world, hash, dem_body_add(world, &o.body, o.parts, o.part, NULL), DEM_ERROR_UNKNOWN,
                "dem_body.mobility", "DEM_MOBILITY_");
        o = good;
        o.body.damping_mass = wrong < 0 ? -1 : 2;
        refused(world, hash, dem_body_add(world, &o.body, o.parts, o.part, NULL), DEM_ERROR_UNKNOWN,
                "dem_body.damping_mass", "DEM_DAMPING_MASS_");
    }
    o = good;
    o.body.id = 1;
    refused(world, hash, dem_body_add(world, &o.body, o.parts, o.part, NULL), DEM_ERROR_DUPLICATE,
            "dem_body.id", "1");
    dem_world_destroy(world);
}

/* A fixed body has no velocity; one that is not free may lack mass and inertia, and needs no centre
 * within its parts. */
static void bodies_that_are_not_free(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    const uint64_t hash = scene_hash(world);
    offer o = good_offer();
    o.body.mobility = DEM_MOBILITY_FIXED;
    o.body.velocity[1] = 1.0;
    refused(world, hash, dem_body_add(world, &o.body, o.parts, o.part, NULL), DEM_ERROR_RANGE,
            "velocity", "fixed");
    o.body.velocity[1] = 0.0;
    o.body.angular_velocity[2] = 1.0;
    refused(world, hash, dem_body_add(world, &o.body, o.parts, o.part, NULL), DEM_ERROR_RANGE,
            "velocity", "fixed");
    o.body.angular_velocity[2] = 0.0;
    o.body.mass = -1.0;
    refused(world, hash, dem_body_add(world, &o.body, o.parts, o.part, NULL), DEM_ERROR_RANGE,
            "dem_body.mass", ">= 0");
    o.body.mass = 0.0;
    o.body.inertia[2] = INFINITY;
    refused(world, hash, dem_body_add(world, &o.body, o.parts, o.part, NULL), DEM_ERROR_RANGE,
            "dem_body.inertia[2]", "finite");
    o.body.inertia[2] = -1.0;
    refused(world, hash, dem_body_add(world, &o.body, o.parts, o.part, NULL), DEM_ERROR_RANGE,
            "dem_body.inertia[2]", ">= 0");
    o.body.inertia[0] = o.body.inertia[1] = o.body.inertia[2] = 0.0;
    o.part[0].centre[1] = o.part[1].centre[1] = 3.0;
    OK(dem_body_add(world, &o.body, o.parts, o.part, NULL));
    dem_world_destroy(world);
}

static void worlds_that_have_no_bodies(void **state)
{
    (void)state;
    const offer o = good_offer();
    dem_world_config config = scene_config();
    config.integrator = DEM_INTEGRATOR_LEAPFROG;
    dem_world *world = scene_world(&config);
    refused(world, scene_hash(world), dem_body_add(world, &o.body, o.parts, o.part, NULL),
            DEM_ERROR_STATE, "scheme", "DEM_INTEGRATOR_VERLET_SYNC");
    dem_world_destroy(world);
    config = scene_config();
    world = scene_world(&config);
    dem_particle p = scene_particle(0.0, 0.0, 9.0);
    OK(dem_particle_add(world, &p, NULL));
    dem_view view = {.struct_size = sizeof(view)};
    OK(dem_world_view(world, DEM_FIELD_ADDED_MASS, &view));
    refused(world, scene_hash(world), dem_body_add(world, &o.body, o.parts, o.part, NULL),
            DEM_ERROR_STATE, "added masses", "DEM_FIELD_ADDED_MASS");
    dem_world_destroy(world);
    config = scene_config();
    config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[1] = 1.99;
    world = scene_world(&config);
    refused(world, scene_hash(world), dem_body_add(world, &o.body, o.parts, o.part, NULL),
            DEM_ERROR_RANGE, "reaches", "periodic axis 1, which is 0.995 m");
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ bodies that are there */

static void handles(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    const dem_body_handle live = add_good(world, DEM_MOBILITY_FREE),
                          gone = add_good(world, DEM_MOBILITY_KINEMATIC);
    OK(dem_body_remove(world, gone));
    const dem_body_handle wrong[] = {
        gone, {live.index, live.generation + 2}, {live.index, live.generation + 1}, {9, 1}, {0, 0}};
    const uint64_t hash = scene_hash(world);
    const double zero[4] = {0.0, 0.0, 0.0, 0.0};
    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); ++k) {
        dem_body body = {.struct_size = sizeof(body)};
        dem_particle_handle part;
        const dem_status statuses[] = {
            dem_body_remove(world, wrong[k]),
            dem_body_get(world, wrong[k], &body),
            dem_body_set_motion(world, wrong[k], zero, NULL, NULL, NULL),
            dem_body_set_force(world, wrong[k], zero, NULL),
            dem_body_part_find(world, wrong[k], 0, &part),
        };
        for (size_t s = 0; s < sizeof(statuses) / sizeof(statuses[0]); ++s)
            refused(world, hash, statuses[s], DEM_ERROR_HANDLE, "handle", "stale");
    }
    /* ids */
    dem_body_handle found = {5, 5};
    for (uint64_t id = 0; id < 4; ++id)
        if (id != 1)
            refused(world, hash, dem_body_find(world, id, &found), DEM_ERROR_HANDLE, "id",
                    "no body");
    assert_true(found.index == 5 && found.generation == 5);
    OK(dem_body_find(world, 1, &found));
    assert_memory_equal(&found, &live, sizeof(live));
    dem_world_destroy(world);
}

static void missing_arguments(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    const dem_body_handle live = add_good(world, DEM_MOBILITY_FREE);
    const uint64_t hash = scene_hash(world);
    dem_body body = {.struct_size = sizeof(body)};
    dem_body_arrays arrays;
    dem_particle_handle part;
    uint64_t cursor = 0, count = 77;
    OK(dem_body_arrays_init(&arrays));
    assert_int_equal(dem_body_init(NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_body_part_init(NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_body_arrays_init(NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_body_add(NULL, &body, 1, NULL, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_body_remove(NULL, live), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_body_get(NULL, live, &body), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_body_part_find(NULL, live, 0, &part), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_bodies_read(NULL, &cursor, &arrays, &count), DEM_ERROR_ARGUMENT);
    refused(world, hash, dem_body_find(world, 1, NULL), DEM_ERROR_ARGUMENT, "handle", "NULL");
    refused(world, hash, dem_body_get(world, live, NULL), DEM_ERROR_ARGUMENT, "body", "NULL");
    refused(world, hash, dem_body_part_find(world, live, 0, NULL), DEM_ERROR_ARGUMENT, "particle",
            "NULL");
    refused(world, hash, dem_body_part_find(world, live, PARTS, &part), DEM_ERROR_RANGE, "part",
            "[0, 2)");
    body.struct_size = 3;
    refused(world, hash, dem_body_get(world, live, &body), DEM_ERROR_STRUCT_SIZE,
            "dem_body.struct_size", "3");
    refused(world, hash, dem_world_bodies_read(world, NULL, &arrays, &count), DEM_ERROR_ARGUMENT,
            "cursor", "NULL");
    refused(world, hash, dem_world_bodies_read(world, &cursor, NULL, &count), DEM_ERROR_ARGUMENT,
            "arrays", "NULL");
    refused(world, hash, dem_world_bodies_read(world, &cursor, &arrays, NULL), DEM_ERROR_ARGUMENT,
            "count", "NULL");
    refused(world, hash, dem_world_bodies_read(world, &cursor, &arrays, &count), DEM_ERROR_RANGE,
            "dem_body_arrays.capacity", "at least 1");
    arrays.struct_size = 12;
    refused(world, hash, dem_world_bodies_read(world, &cursor, &arrays, &count),
            DEM_ERROR_STRUCT_SIZE, "dem_body_arrays", "12");
    assert_true(cursor == 0 && count == 77);
    dem_world_destroy(world);
}

static void motion_and_force(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    config.boundary[0] = DEM_BOUNDARY_PERIODIC;
    config.box_low[0] = -4.0;
    config.box_high[0] = 4.0;
    dem_world *world = scene_world(&config);
    const dem_body_handle live = add_good(world, DEM_MOBILITY_FREE),
                          fixed = add_good(world, DEM_MOBILITY_FIXED);
    const uint64_t hash = scene_hash(world);
    const double strange[] = {NAN, INFINITY, -1e151}, zero[3] = {0.0, 0.0, 0.0};
    static const char *const field[] = {"position", "orientation", "velocity", "angular_velocity"};
    dem_body of = {.struct_size = sizeof of};
    char name[4][64];
    OK(dem_body_get(world, live, &of));
    for (int k = 0; k < 4; ++k)
        snprintf(name[k], sizeof name[k], "body %llu: %s", (unsigned long long)of.id, field[k]);
    for (size_t k = 0; k < 3; ++k)
        for (int c = 0; c < 3; ++c) {
            double bad[4] = {0.0, 0.0, 0.0, 0.0};
            bad[c] = strange[k];
            refused(world, hash, dem_body_set_motion(world, live, bad, NULL, NULL, NULL),
                    DEM_ERROR_RANGE, name[0], "1e+150");
            refused(world, hash, dem_body_set_motion(world, live, NULL, bad, NULL, NULL),
                    DEM_ERROR_RANGE, name[1], "length 1");
            refused(world, hash, dem_body_set_motion(world, live, NULL, NULL, bad, NULL),
                    DEM_ERROR_RANGE, name[2], "1e+150");
            refused(world, hash, dem_body_set_motion(world, live, NULL, NULL, NULL, bad),
                    DEM_ERROR_RANGE, name[3], "1e+150");
            if (isfinite(bad[c]))
                continue;
            refused(world, hash, dem_body_set_force(world, live, bad, NULL), DEM_ERROR_RANGE,
                    "force", "finite");
            refused(world, hash, dem_body_set_force(world, live, zero, bad), DEM_ERROR_RANGE,
                    "torque", "finite");
        }
    refused(world, hash, dem_body_set_motion(world, fixed, NULL, NULL, zero, NULL), DEM_ERROR_STATE,
            "fixed", "NULL");
    refused(world, hash, dem_body_set_motion(world, fixed, NULL, NULL, NULL, zero), DEM_ERROR_STATE,
            "fixed", "NULL");
    const double far_off[3] = {1e13, 0.0, 0.0};
    refused(world, hash, dem_body_set_motion(world, live, far_off, NULL, NULL, NULL),
            DEM_ERROR_RANGE, "periods", "axis 0");
    /* nothing given, or what is there already: nothing changes */
    dem_body body = {.struct_size = sizeof(body)};
    OK(dem_body_get(world, live, &body));
    OK(dem_body_set_motion(world, live, NULL, NULL, NULL, NULL));
    OK(dem_body_set_motion(world, live, body.position, body.orientation, body.velocity,
                           body.angular_velocity));
    OK(dem_body_set_force(world, live, NULL, NULL));
    assert_int_equal(scene_hash(world), hash);
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ clumps */

static void clumps(void **state)
{
    (void)state;
    const offer good = good_offer();
    static const double_case cases[] = {
        {OF(part[0].centre[0]), NAN, "part 0", "1e50"},
        {OF(part[1].centre[1]), 1e51, "part 1", "1e50"},
        {OF(part[0].radius), 0.0, "part 0", "radius"},
        {OF(part[1].radius), 1e51, "part 1", "radius"},
        {OF(part[1].radius), 1e-51, "part 1", "radius"},
        {OF(part[1].radius), NAN, "part 1", "radius"},
    };
    dem_error error;
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); ++k) {
        offer o = good;
        memcpy((char *)&o + cases[k].at, &cases[k].value, sizeof(double));
        const offer before = o;
        assert_int_equal(dem_clump_measure(1e3, PARTS, o.part, &o.body, NULL, &error),
                         DEM_ERROR_RANGE);
        assert_non_null(strstr(error.message, cases[k].first));
        assert_non_null(strstr(error.message, cases[k].second));
        assert_memory_equal(&o, &before, sizeof(o));
        assert_int_equal(dem_clump_measure(1e3, PARTS, o.part, &o.body, NULL, NULL),
                         DEM_ERROR_RANGE);
    }
    offer o = good;
    static const double densities[] = {0.0, -1.0, NAN, INFINITY};
    for (size_t k = 0; k < sizeof(densities) / sizeof(densities[0]); ++k) {
        assert_int_equal(dem_clump_measure(densities[k], PARTS, o.part, &o.body, NULL, &error),
                         DEM_ERROR_RANGE);
        assert_non_null(strstr(error.message, "density"));
        assert_null(strstr(error.message, "part_count"));
    }
    for (uint64_t count = 0; count <= 257; count += 257) {
        assert_int_equal(dem_clump_measure(1.0, count, o.part, &o.body, NULL, &error),
                         DEM_ERROR_RANGE);
        assert_non_null(strstr(error.message, "part_count: "));
        assert_non_null(strstr(error.message, "[1, 256]"));
        assert_null(strstr(error.message, "density"));
    }
    assert_int_equal(dem_clump_measure(1.0, PARTS, NULL, &o.body, NULL, &error),
                     DEM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "parts"));
    assert_int_equal(dem_clump_measure(1.0, PARTS, o.part, NULL, NULL, &error), DEM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "body"));
    o.body.struct_size = 1;
    assert_int_equal(dem_clump_measure(1.0, PARTS, o.part, &o.body, NULL, &error),
                     DEM_ERROR_STRUCT_SIZE);
    assert_non_null(strstr(error.message, "dem_body"));
    o = good;
    o.part[1].struct_size = 1;
    assert_int_equal(dem_clump_measure(1.0, PARTS, o.part, &o.body, NULL, &error),
                     DEM_ERROR_STRUCT_SIZE);
    assert_non_null(strstr(error.message, "part 1: dem_body_part.struct_size: 1 "));
    o = good;
    o.part[1].reserved = 1;
    const offer before = o;
    assert_int_equal(dem_clump_measure(1.0, PARTS, o.part, &o.body, NULL, &error),
                     DEM_ERROR_UNKNOWN);
    assert_non_null(strstr(error.message, "part 1: dem_body_part.reserved: 1 "));
    assert_memory_equal(&o, &before, sizeof(o));
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_an_offer),
        cmocka_unit_test(values_at_the_limits),
        cmocka_unit_test(words_of_an_offer),
        cmocka_unit_test(bodies_that_are_not_free),
        cmocka_unit_test(worlds_that_have_no_bodies),
        cmocka_unit_test(handles),
        cmocka_unit_test(missing_arguments),
        cmocka_unit_test(motion_and_force),
        cmocka_unit_test(clumps),
    };
    return cmocka_run_group_tests_name("body_refusals", tests, NULL, NULL);
}
