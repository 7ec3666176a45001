/* SPDX-License-Identifier: MIT */
/**
 * @file flight.c
 * Many steps in one call, which fly while nothing is near anything, have the bits of as many calls
 * of one step: in random dilute scenes, with collisions in between, down to the bytes of a
 * snapshot.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/busy.h"
#include "../support/emulated.h"

#include <math.h>
#include <string.h>

/** Counts what the library hands out; a step in full needs two runs. */
static void count_run(void *user, void (*task)(void *, uint64_t), void *argument, uint64_t count)
{
    uint64_t *runs = user;
    ++*runs;
    for (uint64_t k = 0; k < count; ++k)
        task(argument, k);
}

static double between(test_random *random, double low, double high)
{
    return test_uniform(random, low, high);
}

static uint64_t below(test_random *random, uint64_t count)
{
    return test_random_bits(random) % count;
}

static void random_vector(test_random *random, double size, double v[3])
{
    for (int c = 0; c < 3; ++c)
        v[c] = between(random, -size, size);
}

/** A dilute scene, the same for the same state of the generator. */
static dem_world *scene_of(test_random random, uint64_t *runs, int32_t threads, int32_t isa)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    const int many = below(&random, 4) == 0;
    const uint64_t count = many ? 300 + below(&random, 400) : 1 + below(&random, 9);
    const double room = many ? 60.0 : between(&random, 3.1, 6.0);
    config.integrator = (int32_t)below(&random, 5);
    config.energy_tracking = (int32_t)below(&random, 2);
    config.threads = threads;
    config.isa = isa;
    if (runs != NULL)
        config.executor = (dem_executor){runs, count_run};
    if (below(&random, 2))
        random_vector(&random, 10.0, config.gravity);
    for (int c = 0; c < 3; ++c) {
        config.boundary[c] = (int32_t)below(&random, 2);
        config.box_low[c] = -0.5 * room;
        config.box_high[c] = 0.5 * room;
    }
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    scene_model(world, 0, 0, 2000.0, 0.4, 0.7);
    for (uint64_t k = below(&random, 3); k > 0; --k) {
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.normal[2] = k == 1 ? 1.0 : -1.0;
        wall.point[2] = -0.6 * room * wall.normal[2];
        if (below(&random, 2))
            random_vector(&random, 0.5, wall.velocity);
        OK(dem_wall_add(world, &wall, NULL));
    }
    const double flow = between(&random, 0.0, 3.0);
    const int push = below(&random, 2) == 0, twist = below(&random, 3) == 0;
    const uint64_t edge = many ? 9 : 3;
    for (uint64_t n = 0; n < count; ++n) {
        const double pitch = room / (double)edge;
        dem_particle p = scene_particle(pitch * ((double)(n % edge) + 0.5) - 0.5 * room,
                                        pitch * ((double)(n / edge % edge) + 0.5) - 0.5 * room,
                                        pitch * ((double)(n / edge / edge) + 0.5) - 0.5 * room);
        dem_particle_handle handle;
        double v[3];
        random_vector(&random, 0.45 * (pitch - 1.0), v);
        for (int c = 0; c < 3; ++c)
            p.position[c] += v[c];
        p.radius = between(&random, 0.2, 0.5);
        p.mobility = below(&random, 6) == 0 ? (int32_t)below(&random, 3) : DEM_MOBILITY_FREE;
        if (p.mobility != DEM_MOBILITY_FIXED) {
            random_vector(&random, many ? 2.0 : 4.0, p.velocity);
            random_vector(&random, 5.0, p.angular_velocity);
            p.velocity[0] += flow;
        }
        OK(dem_particle_add(world, &p, &handle));
        random_vector(&random, 0.2, v);
        if ((push || twist) && below(&random, 3) != 0)
            OK(dem_particle_set_force(world, handle, push ? v : NULL, twist ? v : NULL));
    }
    return world;
}

/** Whether two worlds have the same bytes. */
static void expect_same(const dem_world *a, const dem_world *b)
{
    uint64_t sizes[2];
    unsigned char *bytes[2] = {busy_snapshot(a, &sizes[0]), busy_snapshot(b, &sizes[1])};
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], (size_t)sizes[0]);
    free(bytes[0]);
    free(bytes[1]);
    busy_equal(a, b);
}

static void random_scenes(void **state)
{
    (void)state;
    test_long();
    test_random random = test_random_start("flight");
    uint64_t steps = 0, flown = 0, collided = 0, rebuilds = 0;
    for (int scene = 0; scene < 60; ++scene) {
        uint64_t runs = 0;
        const test_random start = random;
        for (int n = 0; n < 64; ++n)
            (void)test_random_bits(&random);
        /* some on threads, where nothing is counted */
        dem_world *together = scene_of(start, scene % 4 == 3 ? NULL : &runs, 3,
                                       scene % 2 == 0 ? DEM_ISA_AUTO : DEM_ISA_BASELINE);
        dem_world *single = scene_of(start, NULL, 1 + scene % 3, DEM_ISA_BASELINE);
        double dt = 1e-3;
        for (int turn = 0; turn < 8; ++turn) {
            const uint64_t before = runs, many = 1 + below(&random, turn % 2 ? 300 : 20);
            if (turn == 5)
                dt = 4e-4;
            const dem_status status = dem_step(together, dt, many);
            for (uint64_t k = 0; k < many; ++k) {
                const dem_status one = dem_step(single, dt, 1);
                if (one != DEM_OK) {
                    assert_int_equal(one, status);
                    break;
                }
            }
            expect_same(together, single);
            if (status != DEM_OK)
                break;
            steps += many;
            if (scene % 4 != 3 && runs - before < 2 * many)
                flown += 2 * many - (runs - before);
        }
        collided +=
            scene_counts(single).contacts > 0 || scene_energies(single).dissipated_normal > 0.0;
        rebuilds += scene_counts(single).rebuilds;
        dem_world_destroy(together);
        dem_world_destroy(single);
    }
    printf("# %llu steps, %llu runs saved, %llu rebuilds, %llu scenes with collisions\n",
           (unsigned long long)steps, (unsigned long long)flown, (unsigned long long)rebuilds,
           (unsigned long long)collided);
    /* most steps were not made in full, and still something happened */
    assert_true(2 * flown > steps && collided > 3 && rebuilds > 200);
}

/* A flight ends in a collision that is too deep: both worlds stand before it, wherever a call
 * begins, and a long call does not go beyond. */
static void a_flight_before_an_error(void **state)
{
    (void)state;
    dem_world *worlds[3];
    uint64_t done[3] = {0, 0, 0};
    static const uint64_t many[3] = {1, 1000, 77};
    for (int k = 0; k < 3; ++k) {
        const dem_world_config config = scene_config();
        worlds[k] = scene_world(&config);
        dem_particle p = scene_particle(0.0, 0.0, 0.0);
        OK(dem_particle_add(worlds[k], &p, NULL));
        p.position[0] = 20.0;
        p.velocity[0] = -500.0;
        OK(dem_particle_add(worlds[k], &p, NULL));
        dem_status status = DEM_OK;
        for (int calls = 0; status == DEM_OK && calls < 1000; ++calls)
            status = dem_step(worlds[k], 1e-4 * 7.0, many[k]);
        assert_int_equal(status, DEM_ERROR_OVERLAP);
        done[k] = scene_counts(worlds[k]).steps;
        assert_true(done[k] > 40 && done[k] == done[0]);
        expect_same(worlds[k], worlds[0]);
    }
    for (int k = 0; k < 3; ++k)
        dem_world_destroy(worlds[k]);
}

/* Walls come towards particles that rest, or leave them behind. */
static void walls_that_move(void **state)
{
    (void)state;
    for (int k = 0; k < 6; ++k) {
        uint64_t runs = 0;
        dem_world *worlds[2];
        for (int n = 0; n < 2; ++n) {
            dem_world_config config;
            dem_wall wall;
            OK(dem_world_config_init(&config));
            if (n == 0)
                config.executor = (dem_executor){&runs, count_run};
            worlds[n] = scene_world(&config);
            OK(dem_wall_init(&wall));
            wall.velocity[k % 2 == 0 ? 2 : 0] = k < 4 ? 3.0 + k : -3.0;
            wall.velocity[2] += 0.1;
            OK(dem_wall_add(worlds[n], &wall, NULL));
            for (int m = 0; m < 3; ++m) {
                const dem_particle p = scene_particle(2.0 * m, 0.0, 2.0 + m);
                OK(dem_particle_add(worlds[n], &p, NULL));
            }
            for (int m = 0; m < (n == 0 ? 1 : 700); ++m)
                OK(dem_step(worlds[n], 1e-3, n == 0 ? 700 : 1));
        }
        expect_same(worlds[0], worlds[1]);
        /* those that come do touch */
        assert_true((scene_energies(worlds[0]).dissipated_normal > 0.0) == (k == 0 || k == 2));
        assert_true(runs < 1000);
        dem_world_destroy(worlds[0]);
        dem_world_destroy(worlds[1]);
    }
}

/* Velocities as great as numbers get: no step is refused that single steps would make, and none is
 * made that they would refuse. */
static void great_numbers(void **state)
{
    (void)state;
    static const double sizes[] = {1e100, 1e140, 9e149, 1.1e150};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; ++n) {
        dem_world *worlds[2];
        dem_status status[2] = {DEM_OK, DEM_OK};
        for (int k = 0; k < 2; ++k) {
            const dem_world_config config = scene_config();
            dem_particle_handle handle;
            const double twist[3] = {0.0, sizes[n] * 1e-2, 0.0};
            worlds[k] = scene_world(&config);
            dem_particle p = scene_particle(0.0, 0.0, 0.0);
            p.angular_velocity[1] = 0.9 * sizes[n];
            OK(dem_particle_add(worlds[k], &p, &handle));
            OK(dem_particle_set_force(worlds[k], handle, NULL, twist));
            for (int m = 0; status[k] == DEM_OK && m < (k == 0 ? 300 : 1); ++m)
                status[k] = dem_step(worlds[k], 1e-3, k == 0 ? 1 : 300);
        }
        assert_int_equal(status[0], status[1]);
        assert_int_equal(status[0], n < 2 ? DEM_OK : DEM_ERROR_DIVERGED);
        expect_same(worlds[0], worlds[1]);
        dem_world_destroy(worlds[0]);
        dem_world_destroy(worlds[1]);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_scenes),
        cmocka_unit_test(a_flight_before_an_error),
        cmocka_unit_test(walls_that_move),
        cmocka_unit_test(great_numbers),
    };
    return cmocka_run_group_tests_name("flight", tests, NULL, NULL);
}
