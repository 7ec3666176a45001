/* SPDX-License-Identifier: MIT */
/**
 * @file images.c
 * How often a particle went round a periodic box: counted, and refused before the count ends.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/random.h"
#include "../support/scene.h"

#include <math.h>
#include <string.h>

#define MOST 268435456.0 /* 2^28, of the manual */

static dem_world *periodic_world(void)
{
    dem_world_config config = scene_config();
    config.gravity[2] = 0.0;
    config.boundary[0] = DEM_BOUNDARY_PERIODIC;
    config.box_low[0] = -1.0;
    config.box_high[0] = 3.0;
    return scene_world(&config);
}

/** Positions are kept up to the limit, to the distance of neighbouring numbers; beyond it they are
 * refused, and nothing changes. */
static void positions_far_away_are_kept_or_refused(void **state)
{
    (void)state;
    dem_world *world = periodic_world();
    const double inside[] = {4.0 * (MOST - 2.0), -4.0 * (MOST - 2.0)};
    dem_particle_handle handle[2];
    for (int n = 0; n < 2; ++n) {
        dem_particle p = scene_particle(inside[n], 2.0 * n, 0.0);
        p.id = (uint64_t)(7 + n);
        OK(dem_particle_add(world, &p, &handle[n]));
    }
    OK(dem_step(world, 1e-3, 3));
    for (int n = 0; n < 2; ++n) {
        dem_particle p = {.struct_size = sizeof(p)};
        OK(dem_particle_get(world, handle[n], &p));
        assert_true(p.position[0] == inside[n]);
    }
    const uint64_t before = scene_hash(world);
    const double beyond[] = {4.0 * (MOST + 2.0), -4.0 * (MOST + 2.0), 1e18, -1e140};
    for (int k = 0; k < 4; ++k) {
        const dem_particle p = scene_particle(beyond[k], 9.0, 0.0);
        assert_int_equal(dem_particle_add(world, &p, NULL), DEM_ERROR_RANGE);
        assert_non_null(strstr(dem_world_error(world), "periods"));
        assert_int_equal(dem_particle_set_motion(world, handle[1], p.position, NULL, NULL),
                         DEM_ERROR_RANGE);
        assert_non_null(strstr(dem_world_error(world), "particle 8"));
        assert_int_equal(scene_hash(world), before);
    }
    dem_world_destroy(world);
}

/** A particle on its way round and round is refused before the count is full, with its id; the
 * world stands at the last complete step, and goes on when the particle was set back. */
static void a_traveller_is_refused_before_its_count_is_full(void **state)
{
    (void)state;
    dem_world *world = periodic_world();
    dem_particle p = scene_particle(4.0 * (MOST - 5.0), 0.0, 0.0),
                 other = scene_particle(0.0, 3.0, 0.0);
    p.id = 77;
    p.velocity[0] = 1e3;
    dem_particle_handle handle;
    OK(dem_particle_add(world, &other, NULL));
    OK(dem_particle_add(world, &p, &handle));
    dem_status status = DEM_OK;
    double last = 0.0;
    uint64_t before = 0;
    int steps = 0;
    for (; steps < 100 && status == DEM_OK; ++steps) {
        before = scene_hash(world);
        status = dem_step(world, 1e-3, 1);
        OK(dem_particle_get(world, handle, &p));
        assert_true(p.position[0] >= last); /* an overflow would throw it back */
        last = p.position[0];
    }
    assert_int_equal(status, DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_world_error(world), "particle 77"));
    assert_int_equal(scene_hash(world), before);
    /* four steps a period, and it may be a few periods outside of the box between rebuilds */
    assert_true(steps > 20 && steps < 40);
    const double home[3] = {0.0, 0.0, 0.0};
    OK(dem_particle_set_motion(world, handle, home, home, NULL));
    OK(dem_step(world, 1e-3, 3));
    dem_world_destroy(world);
}

/** Steps of a host that sets positions do not add up to more than the count holds. */
static void positions_that_are_set_do_not_overflow_the_count(void **state)
{
    (void)state;
    dem_world *world = periodic_world();
    const dem_particle p = scene_particle(0.0, 0.0, 0.0);
    dem_particle_handle handle;
    OK(dem_particle_add(world, &p, &handle));
    for (int n = 1; n <= 4; ++n) {
        const double x[3] = {4.0 * 9e8 * n, 0.0, 0.0};
        dem_particle now = {.struct_size = sizeof(now)};
        OK(dem_particle_get(world, handle, &now));
        const double was = now.position[0];
        const dem_status status = dem_particle_set_motion(world, handle, x, NULL, NULL);
        if (status == DEM_OK)
            OK(dem_step(world, 1e-3, 1));
        OK(dem_particle_get(world, handle, &now));
        assert_true(now.position[0] == (status == DEM_OK ? x[0] : was));
    }
    dem_world_destroy(world);
}

/** What is told of a wrapped particle and given back changes nothing, though its position is
 * rounded on the way. */
static void what_is_given_back_changes_nothing(void **state)
{
    (void)state;
    enum { COUNT = 200 };
    test_random random = test_random_start("positions that are given back");
    dem_world_config config = scene_config();
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = 0.3;
    config.box_high[1] = 0.7;
    dem_world *world = scene_world(&config);
    dem_particle_handle handle[COUNT];
    for (int k = 0; k < COUNT; ++k) {
        dem_particle p = scene_particle(test_uniform(&random, -1.0, 1.0),
                                        test_uniform(&random, -1.0, 1.0), 3.0 * k);
        p.radius = 0.01;
        p.velocity[0] = test_uniform(&random, -9.0, 9.0);
        p.velocity[1] = test_uniform(&random, -9.0, 9.0);
        OK(dem_particle_add(world, &p, &handle[k]));
    }
    OK(dem_step(world, 1e-3, 70));
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, DEM_FIELD_POSITION, &view));
    static double before[COUNT][3];
    assert_int_equal(view.count, COUNT);
    for (int turn = 0; turn < 2; ++turn)
        for (uint64_t k = 0; k < COUNT; ++k) {
            dem_particle p = {.struct_size = sizeof p};
            const char *row = (const char *)view.data + k * view.stride;
            if (turn == 0) {
                memcpy(before[k], row, sizeof before[k]);
                continue;
            }
            OK(dem_particle_get(world, handle[k], &p));
            OK(dem_particle_set_motion(world, handle[k], p.position, p.velocity,
                                       p.angular_velocity));
        }
    OK(dem_world_view(world, DEM_FIELD_POSITION, &view));
    for (uint64_t k = 0; k < COUNT; ++k)
        assert_memory_equal((const char *)view.data + k * view.stride, before[k], sizeof before[k]);
    dem_world_destroy(world);
}

/** With exact sums, whose grid ends a few periods from the box. */
static dem_world *exact_world(void)
{
    dem_world_config config = scene_config();
    config.gravity[2] = 0.0;
    config.sums = DEM_SUMS_EXACT;
    config.force_range = config.torque_range = 1e5;
    for (int c = 0; c < 3; ++c) {
        config.boundary[c] = DEM_BOUNDARY_PERIODIC;
        config.box_high[c] = 8.0;
    }
    return scene_world(&config);
}

/** One of two grains that touch, and slide on each other. */
static dem_particle one_of_two(int k)
{
    dem_particle p = scene_particle(1.0 / 3.0 + 0.9 * k, 0.1 * k, 0.2 * k);
    p.id = (uint64_t)k + 1;
    p.velocity[1] = k == 0 ? 0.3 : -0.3;
    return p;
}

/** A rewind takes back that a particle was set many periods away. */
static void rewinds_come_back_from_far(void **state)
{
    (void)state;
    for (int steps = 0; steps < 2; ++steps) {
        dem_world *world = exact_world();
        dem_particle_handle handle[2];
        for (int k = 0; k < 2; ++k) {
            const dem_particle p = one_of_two(k);
            OK(dem_particle_add(world, &p, &handle[k]));
        }
        OK(dem_step(world, 1e-4, 10));
        const uint64_t hash = scene_hash(world);
        dem_particle before = {.struct_size = sizeof before}, after = before;
        OK(dem_particle_get(world, handle[0], &before));
        OK(dem_world_mark(world));
        const double far[3] = {before.position[0] + 8.0 * 20.0, 4.0, 5.0};
        OK(dem_particle_set_motion(world, handle[0], far, NULL, NULL));
        OK(dem_step(world, 1e-4, (uint64_t)steps));
        OK(dem_world_rewind(world));
        OK(dem_particle_get(world, handle[0], &after));
        assert_memory_equal(before.position, after.position, sizeof before.position);
        assert_int_equal(scene_hash(world), hash);
        dem_world_destroy(world);
    }
}

/** Gives each of two worlds the grain of the other one as a ghost. */
static void exchange_ghosts(dem_world *const world[2], const dem_particle_handle handle[2],
                            dem_particle_handle ghost[2])
{
    for (int k = 0; k < 2; ++k) {
        dem_ghost of = {.struct_size = sizeof of};
        OK(dem_ghosts_get(world[k], 1, &handle[k], &of));
        OK(dem_ghosts_set(world[1 - k], 1, &of, 2.0, &ghost[1 - k]));
    }
}

/** A step, or an evaluation where dt is 0, in which owners tell the forces. */
static void step_both(dem_world *const world[2], const dem_particle_handle handle[2],
                      const dem_particle_handle ghost[2], double dt)
{
    for (int k = 0; k < 2; ++k)
        OK(dem_step_begin(world[k], dt));
    for (int k = 0; k < 2; ++k) {
        double force[6];
        OK(dem_particles_forces_get(world[k], 1, &handle[k], force));
        OK(dem_ghosts_forces_set(world[1 - k], 1, &ghost[1 - k], force));
    }
    for (int k = 0; k < 2; ++k)
        OK(dem_step_end(world[k]));
}

/** A particle is set many periods away, and its image touches as it did. The spring is the same
 * where it is owned and where it is a ghost: momentum is kept, to the bit, as in one world. */
static void ghosts_are_set_far_as_their_owners(void **state)
{
    (void)state;
    static const double periods[] = {3.0, 5.0, 20.0, -1000.0};
    for (size_t n = 0; n < sizeof periods / sizeof periods[0]; ++n) {
        dem_world *world[2] = {exact_world(), exact_world()}, *whole = exact_world();
        dem_particle_handle handle[2], same[2], ghost[2];
        for (int k = 0; k < 2; ++k) {
            const dem_particle p = one_of_two(k);
            OK(dem_particle_add(world[k], &p, &handle[k]));
            OK(dem_particle_add(whole, &p, &same[k]));
        }
        exchange_ghosts(world, handle, ghost);
        for (int step = 0; step < 60; ++step) {
            if (step == 30) {
                dem_particle p = {.struct_size = sizeof p};
                OK(dem_particle_get(whole, same[0], &p));
                p.position[0] += 8.0 * periods[n] + 1e-3;
                OK(dem_particle_set_motion(world[0], handle[0], p.position, NULL, NULL));
                OK(dem_particle_set_motion(whole, same[0], p.position, NULL, NULL));
                exchange_ghosts(world, handle, ghost);
            }
            const int evaluates = step == 0 || step == 30;
            for (int part = 1 - evaluates; part < 2; ++part) {
                step_both(world, handle, ghost, part * 1e-4);
                OK(dem_step(whole, 1e-4, (uint64_t)part));
            }
            for (int k = 0; k < 2; ++k) {
                dem_particle a = {.struct_size = sizeof a}, b = a;
                OK(dem_particle_get(world[k], handle[k], &a));
                OK(dem_particle_get(whole, same[k], &b));
                assert_memory_equal(a.velocity, b.velocity, sizeof a.velocity);
                assert_memory_equal(a.position, b.position, sizeof a.position);
            }
        }
        dem_particle p = {.struct_size = sizeof p};
        OK(dem_particle_get(whole, same[0], &p));
        assert_true(p.velocity[1] < 0.299); /* they touch */
        dem_world_destroy(world[0]);
        dem_world_destroy(world[1]);
        dem_world_destroy(whole);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_far_away_are_kept_or_refused),
        cmocka_unit_test(a_traveller_is_refused_before_its_count_is_full),
        cmocka_unit_test(positions_that_are_set_do_not_overflow_the_count),
        cmocka_unit_test(what_is_given_back_changes_nothing),
        cmocka_unit_test(rewinds_come_back_from_far),
        cmocka_unit_test(ghosts_are_set_far_as_their_owners),
    };
    return cmocka_run_group_tests_name("images", tests, NULL, NULL);
}
