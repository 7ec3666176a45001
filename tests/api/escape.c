/* SPDX-License-Identifier: MIT */
/**
 * @file escape.c
 * Grains that flew far away: contacts among them, with the others and with walls are all found, and
 * nobody else's trajectory changes.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/scene.h"

#include <math.h>
#include <string.h>

enum { EDGE = 10, DENSE = EDGE * EDGE * EDGE, ROOM = DENSE + 500 };

static dem_particle heap[ROOM];
static uint64_t count;

static void put(double x, double y, double z)
{
    heap[count] = scene_particle(x, y, z);
    heap[count].id = count + 1;
    ++count;
}

/** A heap that touches here and there, and what went away from it. */
static void build(int way)
{
    test_random random = {UINT64_C(5)};
    count = 0;
    for (int n = 0; n < DENSE; ++n)
        put(0.99 * (n % EDGE) + test_uniform(&random, -0.02, 0.02),
            0.99 * (n / EDGE % EDGE) + test_uniform(&random, -0.02, 0.02),
            0.99 * (n / EDGE / EDGE) + test_uniform(&random, -0.02, 0.02));
    for (int k = 0; k < 300; ++k) {
        const double x = 0.99 * (k % 7), y = 0.99 * (k / 7 % 7), z = 0.99 * (k / 49);
        if (way == 1) /* a heap far along the diagonal */
            put(1e5 + x, 1e5 + y, 1e5 + z);
        else if (way == 2) /* along an axis, and many */
            put(-1e6 - x, y, z);
        else if (way == 3 && k < 30) /* pairs, ever farther away */
            put(-20.0 - ldexp(2.0, k), 0.0, ldexp(2.0, k));
    }
    if (way == 3)
        for (int k = 0; k < 30; ++k)
            put(-20.0 - ldexp(2.0, k), 0.9, ldexp(2.0, k));
    if (way == 4) {
        put(1e100, 0.0, 0.0);
        put(1e100, 0.9, 0.0);
        put(0.0, -1e100, 1e100);
    }
}

/** Overlaps by looking at all pairs. */
static uint64_t overlaps(void)
{
    uint64_t found = 0;
    for (uint64_t a = 0; a < count; ++a)
        for (uint64_t b = 0; b < a; ++b) {
            double square = 0.0;
            for (int c = 0; c < 3; ++c) {
                const double d = heap[a].position[c] - heap[b].position[c];
                square += d * d;
            }
            found += square < 1.0;
        }
    return found;
}

static dem_world *world_of(int32_t threads)
{
    dem_world_config config = scene_config();
    config.gravity[2] = 0.0;
    config.threads = threads;
    dem_world *world = scene_world(&config);
    OK(dem_particles_add(world, count, heap, NULL));
    return world;
}

/** As many contacts as overlaps, each of them one, with the same bits for any number of threads. */
static void contacts_of_escaped_grains_are_found(void **state)
{
    (void)state;
    for (int way = 0; way < 5; ++way) {
        build(way);
        dem_world *world = world_of(1), *threads = world_of(3);
        OK(dem_step(world, 1e-3, 0));
        const uint64_t expected = overlaps();
        assert_true(expected > DENSE / 4);
        assert_int_equal(scene_counts(world).contacts, expected);
        dem_contact contact = {.struct_size = sizeof(contact)};
        uint64_t cursor = 0, seen = 0;
        while (dem_world_contact_next(world, &cursor, &contact) == DEM_OK) {
            double square = 0.0;
            for (int c = 0; c < 3; ++c) {
                const double d =
                    heap[contact.key.id_i - 1].position[c] - heap[contact.key.id_j - 1].position[c];
                square += d * d;
            }
            assert_true(fabs(1.0 - sqrt(square) - contact.overlap) < 1e-9);
            ++seen;
        }
        assert_int_equal(seen, expected);
        OK(dem_step(world, 1e-3, 20));
        OK(dem_step(threads, 1e-3, 20));
        assert_int_equal(scene_hash(world), scene_hash(threads));
        dem_world_destroy(world);
        dem_world_destroy(threads);
    }
}

/** Far from the origin a step goes from one number to the next, farther than velocity times dt. */
static void rounding_far_from_the_origin(void **state)
{
    (void)state;
    for (int sums = DEM_SUMS_FIXED_ORDER; sums <= DEM_SUMS_EXACT; ++sums) {
        const double far = 1e9, digit = 0x1p-23, radius = 1e-5, dt = 1e-3;
        dem_world_config config = scene_config();
        config.gravity[2] = 0.0;
        config.sums = sums;
        config.force_range = config.torque_range = sums == DEM_SUMS_EXACT ? 1.0 : 0.0;
        dem_world *world = scene_world(&config);
        dem_particle p[2];
        for (int k = 0; k < 2; ++k) {
            p[k] = scene_particle(far, 0.0, 0.0);
            p[k].radius = radius;
            p[k].mass = 1.0;
        }
        p[0].mobility = DEM_MOBILITY_FIXED;
        p[1].position[0] += ceil(2.3 * radius / digit) * digit;
        p[1].velocity[0] = -0.51 * digit / dt;
        dem_particle_handle handle[2];
        OK(dem_particles_add(world, 2, p, handle));
        double overlap = -1.0;
        for (int n = 0; n < 60 && overlap <= 0.0; ++n) {
            OK(dem_step(world, dt, 1));
            OK(dem_particle_get(world, handle[1], &p[1]));
            overlap = 2.0 * radius - (p[1].position[0] - far);
            assert_true(scene_counts(world).contacts == (overlap > 0.0));
        }
        assert_true(overlap > 0.0);
        dem_world_destroy(world);
    }
}

int main(void)
{
    /* no traps: squares of 1e200 are the test's own */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_of_escaped_grains_are_found),
        cmocka_unit_test(rounding_far_from_the_origin),
    };
    return cmocka_run_group_tests_name("escape", tests, NULL, NULL);
}
