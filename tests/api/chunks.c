/* SPDX-License-Identifier: MIT */
/**
 * @file chunks.c
 * dem_world_config.chunk_rows: as many chunks as it says, the same physics, the same bits for any
 * threads and instruction set, and again after a restore.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/busy.h"
#include "../support/emulated.h"

#include <math.h>
#include <string.h>

enum { EDGE = 12, LAYERS = 9, GRAINS = EDGE * EDGE * LAYERS, STEPS = 300 };
#define DT 1e-3

static const uint64_t sizes[] = {8, 24, 256, 1000, 1024};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static dem_world_config config_of(uint64_t chunk_rows)
{
    dem_world_config config = scene_config();
    config.chunk_rows = chunk_rows;
    return config;
}

static dem_world *packing(const dem_world_config *config, uint64_t steps)
{
    dem_world *world = scene_packing_config(EDGE, LAYERS, config);
    if (dem_step(world, DT, steps) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    return world;
}

/** Position and angular velocity of each grain, by its id; the floor has the first one. */
static void motion_of(const dem_world *world, double motion[GRAINS][6])
{
    for (uint64_t k = 0; k < GRAINS; ++k) {
        dem_particle_handle handle;
        dem_particle p;
        OK(dem_particle_init(&p));
        OK(dem_particle_find(world, k + 2, &handle));
        OK(dem_particle_get(world, handle, &p));
        memcpy(motion[k], p.position, sizeof p.position);
        memcpy(motion[k] + 3, p.angular_velocity, sizeof p.angular_velocity);
    }
}

static void as_many_as_asked(void **state)
{
    (void)state;
    for (int s = 0; s < SIZES; ++s) {
        const dem_world_config config = config_of(sizes[s]);
        dem_world *world = packing(&config, 1);
        assert_int_equal(scene_counts(world).chunks, (GRAINS + sizes[s] - 1) / sizes[s]);
        dem_world_destroy(world);
    }
    /* by number: 256 is the least where there are no polyhedra */
    const dem_world_config config = config_of(0);
    dem_world *world = packing(&config, 1);
    assert_int_equal(scene_counts(world).chunks, (GRAINS + 255) / 256);
    dem_world_destroy(world);
}

static void same_physics(void **state)
{
    (void)state;
    static double wanted[GRAINS][6], motion[GRAINS][6];
    dem_world_config config = config_of(0);
    dem_world *world = packing(&config, STEPS);
    assert_true(scene_counts(world).contacts > GRAINS);
    motion_of(world, wanted);
    const double energy = scene_energies(world).elastic;
    dem_world_destroy(world);
    uint64_t differ = 0;
    for (int s = 0; s < SIZES; ++s) {
        config = config_of(sizes[s]);
        world = packing(&config, STEPS);
        motion_of(world, motion);
        differ += memcmp(motion, wanted, sizeof motion) != 0;
        for (uint64_t k = 0; k < GRAINS; ++k)
            for (int c = 0; c < 6; ++c)
                if (!(fabs(motion[k][c] - wanted[k][c]) <= 1e-11 * EDGE))
                    fail_msg("chunk_rows %d, id %d: %.17g, not %.17g", (int)sizes[s], (int)k + 2,
                             motion[k][c], wanted[k][c]);
        assert_true(fabs(scene_energies(world).elastic - energy) <= 1e-11 * energy);
        dem_world_destroy(world);
    }
    assert_int_equal(differ, SIZES - 1); /* the order of sums is another one, but for 256 */
}

static void same_bits(void **state)
{
    (void)state;
    dem_world_config config = config_of(24);
    dem_world *world = packing(&config, (uint64_t)test_rounds(STEPS));
    const uint64_t hash = scene_hash(world);
    dem_world_destroy(world);
    static const struct {
        int32_t threads, isa;
    } how[] = {{3, DEM_ISA_AUTO}, {1, DEM_ISA_BASELINE}, {7, DEM_ISA_BASELINE}};
    for (size_t k = 0; k < sizeof how / sizeof how[0]; ++k) {
        config.threads = how[k].threads;
        config.isa = how[k].isa;
        world = packing(&config, (uint64_t)test_rounds(STEPS));
        assert_int_equal(scene_hash(world), hash);
        dem_world_destroy(world);
    }
}

static void exact_sums(void **state)
{
    (void)state;
    static double wanted[GRAINS][6], motion[GRAINS][6];
    for (int s = 0; s < SIZES; ++s) {
        dem_world_config config = config_of(sizes[s]);
        config.sums = DEM_SUMS_EXACT;
        config.force_range = config.torque_range = 1e4;
        dem_world *world = packing(&config, (uint64_t)test_rounds(STEPS));
        motion_of(world, s == 0 ? wanted : motion);
        if (s > 0)
            assert_memory_equal(motion, wanted, sizeof motion);
        dem_world_destroy(world);
    }
}

/** A world goes on from another's snapshot with the chunks of that one, and its bits. */
static void restored(uint64_t chunk_rows, uint64_t of_the_other)
{
    const dem_world_config config = config_of(chunk_rows), other = config_of(of_the_other);
    dem_world *world = busy_world(8, 8, &config), *after = busy_world(2, 2, &other);
    uint64_t size;
    OK(dem_step(world, BUSY_DT, 50));
    unsigned char *bytes = busy_snapshot(world, &size);
    OK(dem_world_restore(after, bytes, size));
    free(bytes);
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(scene_counts(after).chunks, scene_counts(world).chunks);
        busy_equal(world, after);
        /* lists are built in these */
        OK(dem_step(world, BUSY_DT, 400));
        OK(dem_step(after, BUSY_DT, 400));
    }
    assert_true(scene_counts(world).rebuilds > 2);
    dem_world_destroy(world);
    dem_world_destroy(after);
}

static void snapshots(void **state)
{
    (void)state;
    restored(24, 0);
    restored(0, 24);
    restored(64, 8);
}

static void refused(void **state)
{
    (void)state;
    static const uint64_t wrong[] = {1, 7, 12, 1020, 1032, UINT64_MAX - 7};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
        const dem_world_config config = config_of(wrong[k]);
        dem_world *world = NULL;
        dem_error error;
        assert_int_equal(dem_world_create(&config, &world, &error), DEM_ERROR_RANGE);
        assert_null(world);
        assert_non_null(strstr(error.message, "dem_world_config.chunk_rows"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_as_asked), cmocka_unit_test(same_physics),
        cmocka_unit_test(same_bits),        cmocka_unit_test(exact_sums),
        cmocka_unit_test(snapshots),        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
