/* SPDX-License-Identifier: MIT */
/**
 * @file advance.c
 * dem_world_advance: how many steps it makes, where it ends, and what it does where a step fails.
 */
#include "../support/cmocka.h"
#include "../support/scene.h"

#include <float.h>
#include <math.h>
#include <string.h>

static dem_world *lone(double height)
{
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    const dem_particle p = scene_particle(0.0, 0.0, height);
    OK(dem_particle_add(world, &p, NULL));
    dem_wall wall;
    OK(dem_wall_init(&wall));
    OK(dem_wall_add(world, &wall, NULL));
    return world;
}

/* Equal steps, none longer than the longest but for rounding, as few as that takes. */
static void counts_and_ends(void **state)
{
    (void)state;
    static const struct {
        double duration, dt_max;
        uint64_t steps;
    } cases[] = {{1e-2, 1e-3, 10},      {3e-3, 1e-3, 3}, {7e-3, 1e-3, 7}, {1.1e-2, 1e-3, 11},
                 {0.0105, 7e-4, 15}, /* 15.000000000000002 */
                 {1e-3, 1e-3 * 7.0, 1}, {1e-3, 1e-3, 1}, {1e-3, 9e-4, 2}, {2.0000001e-3, 1e-3, 3}};
    dem_world *world = lone(50.0);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        const double start = dem_world_time(world);
        const uint64_t before = scene_counts(world).steps;
        uint64_t steps = 0;
        OK(dem_world_advance(world, cases[k].duration, cases[k].dt_max, &steps));
        assert_true(steps == cases[k].steps && scene_counts(world).steps - before == steps);
        assert_true(dem_world_time(world) == start + cases[k].duration);
    }
    dem_world_destroy(world);
}

/* The steps are those of dem_step. */
static void same_bits_as_steps(void **state)
{
    (void)state;
    dem_world *one = scene_packing(5, 3, NULL, NULL), *other = scene_packing(5, 3, NULL, NULL);
    OK(dem_world_advance(one, 0.0625, 0.0625 / 127.5, NULL));
    OK(dem_step(other, 0.0625 / 128.0, 128)); /* 2^-11: times are exact */
    assert_true(scene_hash(one) == scene_hash(other));
    dem_world_destroy(one);
    dem_world_destroy(other);
}

/* Where a step fails, the steps before it count, and the time is theirs. */
static void failure_tells_the_steps_made(void **state)
{
    (void)state;
    dem_world *world = lone(0.8);
    dem_particle_handle handle;
    OK(dem_particle_find(world, 1, &handle));
    OK(dem_particle_set_motion(world, handle, NULL, (const double[3]){0.0, 0.0, -1000.0}, NULL));
    uint64_t steps = 77;
    assert_int_equal(dem_world_advance(world, 1e-2, 1e-4, &steps), DEM_ERROR_OVERLAP);
    assert_true(steps > 2 && steps < 10 && steps == scene_counts(world).steps);
    assert_true(dem_world_time(world) == (double)steps * 1e-4);
    dem_world_destroy(world);
}

/* A host that is told of contacts. */
typedef struct told {
    dem_world *world;
    double time; /* of the last contact that began */
} told;

static void begun(void *user, const dem_contact_key *key)
{
    (void)key;
    told *host = user;
    host->time = dem_world_time(host->world);
}

/* A ball touches the floor in the last step: the host is told at the time that it asked for. */
static void time_in_callbacks(void **state)
{
    (void)state;
    int summed = 0;
    for (int k = 1; k <= 20; ++k) {
        const double duration = 1e-3 * k + 3e-4, dt_max = duration / 99.5;
        told host = {NULL, 0.0};
        dem_world_config config = scene_config();
        config.gravity[2] = 0.0;
        config.contact_begin = begun;
        config.contact_user = &host;
        host.world = scene_world(&config);
        dem_wall wall;
        OK(dem_wall_init(&wall));
        OK(dem_wall_add(host.world, &wall, NULL));
        dem_particle p = scene_particle(0.0, 0.0, 0.5 + duration * 0.995);
        p.velocity[2] = -1.0;
        OK(dem_particle_add(host.world, &p, NULL));
        OK(dem_world_advance(host.world, duration, dt_max, NULL));
        assert_true(host.time == duration && dem_world_time(host.world) == duration);
        double sum = 0.0;
        for (int n = 0; n < 100; ++n)
            sum += duration / 100.0;
        summed += sum != duration;
        dem_world_destroy(host.world);
    }
    assert_true(summed > 5);
}

static void refused_times(void **state)
{
    (void)state;
    dem_world *world = lone(5.0);
    const double wrong[] = {0.0, -1e-3, NAN, INFINITY};
    for (int k = 0; k < 4; ++k) {
        uint64_t steps = 77;
        assert_int_equal(dem_world_advance(world, wrong[k], 1e-3, &steps), DEM_ERROR_RANGE);
        assert_non_null(strstr(dem_world_error(world), "duration"));
        assert_int_equal(dem_world_advance(world, 1e-3, wrong[k], &steps), DEM_ERROR_RANGE);
        assert_non_null(strstr(dem_world_error(world), "dt_max"));
        assert_true(steps == 77 && dem_world_time(world) == 0.0);
    }
    assert_int_equal(dem_world_advance(world, 1.0, 1e-300, NULL), DEM_ERROR_RANGE);
    uint64_t steps = 77;
    assert_int_equal(dem_world_advance(world, 2e300, 1e308, &steps), DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_world_error(world), "dem_world_advance duration: 2e+300 s"));
    assert_true(steps == 77);
    assert_int_equal(dem_world_advance(world, 9007199254740992.0, 1.0, NULL), DEM_ERROR_RANGE);
    assert_int_equal(dem_world_advance(NULL, 1.0, 1e-3, NULL), DEM_ERROR_ARGUMENT);
    dem_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_and_ends),
        cmocka_unit_test(same_bits_as_steps),
        cmocka_unit_test(failure_tells_the_steps_made),
        cmocka_unit_test(time_in_callbacks),
        cmocka_unit_test(refused_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
