/* SPDX-License-Identifier: MIT */
/**
 * @file common_rebuild.c
 * Worlds that are domains of one system build their lists in the same step: who wants it tells so a
 * step before.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/scene.h"

#include <math.h>
#include <string.h>

#define DT 2e-3

/** A packing that goes in halves and waits for no ghosts. */
static dem_world *domain(double speed, int32_t sums)
{
    dem_world_config config = scene_config();
    config.sums = sums;
    if (sums == DEM_SUMS_EXACT)
        config.force_range = config.torque_range = 1e5;
    dem_world *world = scene_packing_config(6, 3, &config);
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
    for (uint64_t row = 0; row < view.count; ++row)
        for (int c = 0; c < 3; ++c)
            ((double *)(void *)((char *)view.data + row * view.stride))[c] *= speed;
    OK(dem_world_written_field(world, DEM_FIELD_VELOCITY));
    OK(dem_ghosts_set(world, 0, NULL, 1e6, NULL));
    OK(dem_step_begin(world, 0.0));
    OK(dem_step_end(world));
    return world;
}

static void step(dem_world *world)
{
    if (dem_step_begin(world, DT) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    OK(dem_step_end(world));
}

/** A list that is built was wanted before the step, and one that is wanted is built soon. */
static void test_wanted_a_step_before(void **state)
{
    (void)state;
    dem_world *world = domain(3.0, DEM_SUMS_FIXED_ORDER);
    int built = 0, unforeseen = 0, longest = 0, waiting = 0, steps_wanted = 0;
    for (int n = 0; n < 1000; ++n) {
        const uint64_t before = scene_counts(world).rebuilds;
        const int wanted = dem_world_rebuild_wanted(world);
        step(world);
        const int builds = scene_counts(world).rebuilds > before;
        waiting = wanted && !builds ? waiting + 1 : 0;
        longest = waiting > longest ? waiting : longest;
        steps_wanted += wanted;
        built += builds;
        unforeseen += builds && !wanted;
    }
    /* contacts push grains, so that a few lists end sooner than their pace said */
    assert_in_range(built, 20, 200);
    assert_true(unforeseen * 10 <= built);
    assert_true(longest <= 6);
    assert_true(steps_wanted < 4 * built);
    /* looking ahead has no list built sooner: exact sums, so that both move alike */
    dem_world *worlds[2] = {domain(3.0, DEM_SUMS_EXACT), domain(3.0, DEM_SUMS_EXACT)};
    OK(dem_ghosts_set(worlds[1], 0, NULL, (double)INFINITY, NULL));
    for (int n = 0; n < 300; ++n)
        step(worlds[0]);
    OK(dem_step(worlds[1], DT, 300));
    assert_in_range(scene_counts(worlds[0]).rebuilds, 10, scene_counts(worlds[1]).rebuilds);
    dem_world_destroy(worlds[0]);
    dem_world_destroy(worlds[1]);
    dem_world_destroy(world);
}

/** A slow world and a fast one build their lists together: as often, and in the same steps. */
static void test_together(void **state)
{
    (void)state;
    dem_world *world[2] = {domain(1.0, DEM_SUMS_FIXED_ORDER), domain(4.0, DEM_SUMS_FIXED_ORDER)};
    int together = 0, alone = 0;
    for (int n = 0; n < 600; ++n) {
        uint64_t before[2];
        if (dem_world_rebuild_wanted(world[0]) || dem_world_rebuild_wanted(world[1]))
            for (int k = 0; k < 2; ++k) {
                OK(dem_world_rebuild_order(world[k]));
                assert_int_equal(dem_world_rebuild_wanted(world[k]), 0);
            }
        for (int k = 0; k < 2; ++k)
            before[k] = scene_counts(world[k]).rebuilds;
        for (int k = 0; k < 2; ++k)
            step(world[k]);
        const int first = scene_counts(world[0]).rebuilds > before[0],
                  second = scene_counts(world[1]).rebuilds > before[1];
        together += first && second;
        alone += first != second;
    }
    assert_true(together > 20);
    assert_true(alone * 10 <= together);
    dem_world_destroy(world[0]);
    dem_world_destroy(world[1]);
}

/** With exact sums no bit tells when lists were built. */
static void test_bits(void **state)
{
    (void)state;
    dem_world *world[2] = {domain(2.0, DEM_SUMS_EXACT), domain(2.0, DEM_SUMS_EXACT)};
    for (int n = 0; n < 400; ++n) {
        if (n % 7 == 0)
            OK(dem_world_rebuild_order(world[1]));
        step(world[0]);
        step(world[1]);
    }
    assert_true(scene_counts(world[1]).rebuilds >= 57);
    assert_true(scene_counts(world[1]).rebuilds > scene_counts(world[0]).rebuilds);
    for (uint64_t id = 2; id <= 109; ++id) { /* the floor has 1 */
        dem_particle p[2];
        for (int k = 0; k < 2; ++k) {
            dem_particle_handle handle;
            OK(dem_particle_init(&p[k]));
            OK(dem_particle_find(world[k], id, &handle));
            OK(dem_particle_get(world[k], handle, &p[k]));
        }
        assert_memory_equal(p[0].velocity, p[1].velocity, sizeof p[0].velocity);
        assert_memory_equal(p[0].angular_velocity, p[1].angular_velocity, sizeof p[0].velocity);
    }
    dem_world_destroy(world[0]);
    dem_world_destroy(world[1]);
}

/** A step of a host that has the list built where it is wanted. */
static void wanted_step(dem_world *world)
{
    if (dem_world_rebuild_wanted(world))
        OK(dem_world_rebuild_order(world));
    step(world);
}

/** Steps that were taken back leave the answer, and so all bits of such a host, as they were. */
static void test_taken_back(void **state)
{
    (void)state;
    dem_world *world[2] = {domain(3.0, DEM_SUMS_FIXED_ORDER), domain(3.0, DEM_SUMS_FIXED_ORDER)};
    uint64_t hash[2];
    int wanted = 0;
    for (int n = 0; n < 300; ++n) {
        OK(dem_world_mark(world[1]));
        for (int k = 0; k < 3; ++k)
            wanted_step(world[1]);
        OK(dem_world_rewind(world[1]));
        for (int k = 0; k < 2; ++k) {
            const int before = dem_world_rebuild_wanted(world[k]);
            if (!before) { /* otherwise the step may build the list, which a cancel leaves there */
                OK(dem_step_begin(world[k], 2.0 * DT));
                OK(dem_step_cancel(world[k]));
            }
            assert_int_equal(dem_world_rebuild_wanted(world[k]), before);
            wanted += before;
            wanted_step(world[k]);
            OK(dem_world_hash(world[k], &hash[k]));
        }
        assert_true(hash[0] == hash[1]);
    }
    assert_in_range(wanted, 20, 400);
    dem_world_destroy(world[0]);
    dem_world_destroy(world[1]);
}

static void test_refused(void **state)
{
    (void)state;
    assert_int_equal(dem_world_rebuild_wanted(NULL), 0);
    assert_int_equal(dem_world_rebuild_order(NULL), DEM_ERROR_ARGUMENT);
    dem_world *world = domain(3.0, DEM_SUMS_FIXED_ORDER);
    OK(dem_step_begin(world, DT));
    assert_int_equal(dem_world_rebuild_order(world), DEM_ERROR_STATE);
    assert_non_null(strstr(dem_world_error(world), "a step has begun"));
    OK(dem_step_end(world));
    dem_world_destroy(world);
    /* a world that is alone builds its list as it likes */
    world = scene_packing(4, 2, NULL, NULL);
    for (int n = 0; n < 300; ++n) {
        OK(dem_step(world, DT, 1));
        assert_int_equal(dem_world_rebuild_wanted(world), 0);
    }
    assert_true(scene_counts(world).rebuilds > 2);
    dem_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wanted_a_step_before),
        cmocka_unit_test(test_together),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_taken_back),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
