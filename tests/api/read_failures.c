/* SPDX-License-Identifier: MIT */
/**
 * @file read_failures.c
 * A contact that is read has its own force, however deep it is; a law that fails is told, and
 * neither boxes nor particles get a part of a sum.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/law.h"
#include "../support/scene.h"

#include <math.h>
#include <string.h>

enum { PAIRS = 40, ROWS = 2 * PAIRS };

#define STIFFNESS 1e4

static void close_to(double value, double wanted, double within)
{
    if (!(fabs(value - wanted) <= within))
        fail_msg("%.17g instead of %.17g", value, wanted);
}

/** Pairs of a large and a small sphere, far from each other, that touch by 1e-4 of their radii. */
static dem_world *pairs_world(dem_law *law, dem_particle_handle small[PAIRS])
{
    dem_world_config config = scene_config();
    memset(config.gravity, 0, sizeof config.gravity);
    dem_world *world;
    dem_error error;
    OK(dem_world_create(&config, &world, &error));
    dem_contact_model model;
    dem_hooke hooke;
    test_spring spring = {STIFFNESS};
    OK(dem_contact_model_init(&model));
    OK(dem_hooke_init(&hooke));
    hooke.stiffness_normal = STIFFNESS;
    if (law != NULL) {
        OK(dem_world_law_register(world, law));
        OK(dem_contact_model_add(&model, law->name, &spring));
    } else {
        OK(dem_contact_model_add_hooke(&model, &hooke));
    }
    OK(dem_contact_model_set(world, 0, 0, &model));
    for (int k = 0; k < PAIRS; ++k) {
        dem_particle p = scene_particle(5.0 * k, 0.0, 0.0);
        p.radius = 1.0;
        OK(dem_particle_add(world, &p, NULL));
        p.position[0] += 1.25 * (1.0 - 1e-4);
        p.radius = 0.25;
        OK(dem_particle_add(world, &p, &small[k]));
    }
    OK(dem_step(world, 1e-6, 1));
    return world;
}

/** Moves the small sphere of pair k until they overlap so much. */
static void overlap(dem_world *world, dem_particle_handle small, int k, double depth)
{
    const double at[3] = {5.0 * k + 1.25 - depth, 0.0, 0.0}, zero[3] = {0.0, 0.0, 0.0};
    OK(dem_particle_set_motion(world, small, at, zero, zero));
}

static void deep_contacts_have_their_own_force(void **state)
{
    (void)state;
    dem_particle_handle small[PAIRS];
    dem_world *world = pairs_world(NULL, small);
    for (int k = 0; k < PAIRS; ++k)
        overlap(world, small[k], k, 1.24 * (k + 1.0) / PAIRS); /* beyond twice its radius, too */
    double overlaps[ROWS], force[ROWS][3], by_one[ROWS];
    dem_contact_arrays a;
    OK(dem_contact_arrays_init(&a));
    a.capacity = ROWS;
    a.overlap = overlaps;
    a.force_normal = force[0];
    uint64_t cursor = 0, count, n = 0;
    OK(dem_world_contacts_read(world, &cursor, &a, &count));
    assert_int_equal(count, PAIRS);
    dem_contact contact = {.struct_size = sizeof contact};
    for (cursor = 0; dem_world_contact_next(world, &cursor, &contact) == DEM_OK; ++n)
        by_one[n] = contact.force_normal[0];
    assert_int_equal(n, PAIRS);
    double deepest = 0.0, sum = 0.0;
    for (uint64_t k = 0; k < count; ++k) {
        close_to(fabs(force[k][0]), STIFFNESS * overlaps[k], 1e-9);
        close_to(by_one[k], force[k][0], 0.0);
        deepest = fmax(deepest, overlaps[k]);
        sum += fabs(force[k][0]) * (1.25 - overlaps[k]);
    }
    assert_true(deepest > 1.2);
    dem_analysis_grid grid;
    dem_analysis_box box = {.struct_size = sizeof box};
    OK(dem_analysis_grid_init(&grid));
    OK(dem_world_boxes_analyse(world, &grid, 1, &box));
    close_to(box.moment[0], -sum, 1e-9 * sum);
    dem_world_destroy(world);
}

/** Reads all, past contacts whose law fails; tells how many failed. */
static uint64_t read_past(const dem_world *world, dem_status wanted, uint64_t *good)
{
    uint64_t cursor = 0, failed = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    dem_status status;
    *good = 0;
    while ((status = dem_world_contact_next(world, &cursor, &contact)) != DEM_ERROR_RANGE) {
        if (status == DEM_OK) {
            close_to(fabs(contact.force_normal[0]), STIFFNESS * contact.overlap, 1e-9);
            ++*good;
            continue;
        }
        assert_int_equal(status, wanted);
        assert_non_null(strstr(dem_world_error(world), "test-spring"));
        ++failed;
    }
    return failed;
}

static void all_is_zero(const double *values, size_t count)
{
    for (size_t k = 0; k < count; ++k)
        assert_true(values[k] == 0.0);
}

static void analyses_fail(const dem_world *world, dem_status wanted)
{
    dem_analysis_grid grid;
    dem_analysis_box box = {.struct_size = sizeof box};
    OK(dem_analysis_grid_init(&grid));
    assert_int_equal(dem_world_boxes_analyse(world, &grid, 1, &box), wanted);
    assert_non_null(strstr(dem_world_error(world), "test-spring"));
    assert_true(box.struct_size == sizeof box && box.particles == 0 && box.contact_ends == 0);
    all_is_zero(&box.volume, (sizeof box - offsetof(dem_analysis_box, volume)) / sizeof(double));
    double moment[ROWS][9];
    uint64_t contacts[ROWS];
    dem_analysis_particles rows;
    OK(dem_analysis_particles_init(&rows));
    rows.capacity = ROWS;
    rows.moment = moment[0];
    rows.contacts = contacts;
    assert_int_equal(dem_world_particles_analyse(world, &rows, NULL), wanted);
    all_is_zero(moment[0], ROWS * 9);
    for (int k = 0; k < ROWS; ++k)
        assert_int_equal(contacts[k], 0);
}

/* One contact is too deep for the law, whose force is not finite there: all others are read. */
static dem_status overflowing(void *user, uint64_t n, dem_contact_batch *batch,
                              const void *combined)
{
    const dem_status status = test_law_evaluate(user, n, batch, combined);
    for (uint64_t k = 0; k < n; ++k)
        if (batch->overlap[k] > 0.05)
            batch->force_normal[k] = INFINITY;
    return status;
}

static dem_status refusing(void *user, uint64_t n, dem_contact_batch *batch, const void *combined)
{
    for (uint64_t k = 0; k < n; ++k)
        if (batch->overlap[k] > 0.05)
            return DEM_ERROR_MEMORY;
    return test_law_evaluate(user, n, batch, combined);
}

static void laws_that_fail_are_told(void **state)
{
    (void)state;
    for (int how = 0; how < 2; ++how) {
        test_law_control control = {.fail_at = -1};
        dem_law law = test_law(&control);
        law.evaluate = how == 0 ? overflowing : refusing;
        const dem_status wanted = how == 0 ? DEM_ERROR_DIVERGED : DEM_ERROR_CALLBACK;
        dem_particle_handle small[PAIRS];
        dem_world *world = pairs_world(&law, small);
        uint64_t good, hash, after;
        assert_int_equal(read_past(world, wanted, &good), 0);
        assert_int_equal(good, PAIRS);
        overlap(world, small[17], 17, 0.06);
        overlap(world, small[33], 33, 0.07);
        OK(dem_world_hash(world, &hash));
        assert_int_equal(read_past(world, wanted, &good), 2);
        assert_int_equal(good, PAIRS - 2);
        analyses_fail(world, wanted);
        OK(dem_world_hash(world, &after));
        assert_true(hash == after);
        assert_int_equal(dem_step(world, 1e-6, 1), wanted);
        dem_world_destroy(world);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_contacts_have_their_own_force),
        cmocka_unit_test(laws_that_fail_are_told),
    };
    return cmocka_run_group_tests_name("read_failures", tests, NULL, NULL);
}
