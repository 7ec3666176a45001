/* SPDX-License-Identifier: MIT */
/**
 * @file sizes.c
 * Worlds of spheres of very different sizes: forces, the same bits, snapshots, and a step undone.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/scene.h"

#include <string.h>

#define DT 2e-5
#define EDGE 6.0
#define STIFFNESS 1000.0

/** Coarse grains, two layers of fines a tenth as large, a giant, and a few that have escaped. */
enum { COARSE = 72, FINES = 1800, GIANT = 1, ESCAPED = 6, ALL = COARSE + FINES + GIANT + ESCAPED };

static dem_particle grain_of(uint64_t k, test_random *random, double speed)
{
    dem_particle p = scene_particle(0.0, 0.0, 0.0);
    double at[3], lattice;
    if (k < COARSE) {
        p.radius = 0.5;
        lattice = 1.0;
        const double place[3] = {(double)(k % 6), (double)(k / 6 % 6), (double)(k / 36)};
        for (int c = 0; c < 3; ++c)
            at[c] = 0.495 + 0.995 * place[c];
    } else if (k < COARSE + FINES) {
        const uint64_t n = k - COARSE;
        p.radius = test_uniform(random, 0.045, 0.05);
        lattice = 0.1;
        const double place[3] = {(double)(n % 30), (double)(n / 30 % 30), (double)(n / 900)};
        for (int c = 0; c < 3; ++c)
            at[c] = 0.02 + 0.098 * place[c] + (c == 2 ? 2.03 : 0.0);
    } else if (k < COARSE + FINES + GIANT) {
        p.radius = 2.5;
        lattice = 0.0;
        at[0] = at[1] = 1.0;
        at[2] = 4.686;
    } else {
        p.radius = 0.05;
        lattice = 0.0;
        at[0] = at[1] = 3.0;
        at[2] = 1e8 * (double)(k - COARSE - FINES);
    }
    p.mass = 0.8 * p.radius * p.radius * p.radius;
    for (int c = 0; c < 3; ++c) {
        p.position[c] = at[c] + test_uniform(random, -0.02, 0.02) * lattice;
        p.velocity[c] = speed * test_uniform(random, -1.0, 1.0);
    }
    p.id = k + 1;
    return p;
}

static dem_world *mixture(int32_t threads, int32_t isa, double speed)
{
    static dem_particle grain[ALL];
    test_random random = {77};
    dem_world_config config = scene_config();
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[1] = EDGE;
    config.threads = threads;
    config.isa = isa;
    dem_world *world = scene_world(&config);
    if (speed == 0.0)
        scene_model(world, 0, 0, STIFFNESS, 0.0, 1.0);
    for (uint64_t k = 0; k < ALL; ++k)
        grain[k] = grain_of(k, &random, speed);
    OK(dem_particles_add(world, ALL, grain, NULL));
    dem_wall floor;
    OK(dem_wall_init(&floor));
    OK(dem_wall_add(world, &floor, NULL));
    return world;
}

/** Force of the linear spring on a and b if they overlap. */
static uint64_t spring(const dem_particle *a, const dem_particle *b, double sum[2][3])
{
    double d[3], square = 0.0;
    for (int c = 0; c < 3; ++c) {
        d[c] = a->position[c] - b->position[c];
        if (c < 2)
            d[c] -= EDGE * nearbyint(d[c] / EDGE);
        square += d[c] * d[c];
    }
    const double overlap = a->radius + b->radius - sqrt(square);
    if (overlap <= 0.0)
        return 0;
    for (int c = 0; c < 3; ++c) {
        sum[0][c] += STIFFNESS * overlap * d[c] / sqrt(square);
        sum[1][c] -= STIFFNESS * overlap * d[c] / sqrt(square);
    }
    return 1;
}

/** The first forces are the sums over all pairs and the floor, which this test goes through. */
static void first_forces_are_the_sums(void **state)
{
    (void)state;
    static dem_particle grain[ALL];
    static double sum[ALL][3], given[ALL][3];
    dem_world *world = mixture(1, DEM_ISA_AUTO, 0.0);
    OK(dem_step(world, DT, 0));
    uint64_t contacts = 0, of_giant = 0;
    memset(sum, 0, sizeof(sum));
    dem_view force = {.struct_size = sizeof(force)};
    OK(dem_world_view(world, DEM_FIELD_FORCE, &force));
    for (uint64_t row = 0; row < ALL; ++row)
        memcpy(given[force.id[row] - 1], (const char *)force.data + row * force.stride,
               sizeof(given[0]));
    for (uint64_t k = 0; k < ALL; ++k) {
        dem_particle_handle handle;
        memset(&grain[k], 0, sizeof(grain[k]));
        grain[k].struct_size = sizeof(grain[k]);
        OK(dem_particle_find(world, k + 1, &handle));
        OK(dem_particle_get(world, handle, &grain[k]));
        const double overlap = grain[k].radius - grain[k].position[2];
        sum[k][2] += overlap > 0.0 ? STIFFNESS * overlap : 0.0;
        contacts += overlap > 0.0;
    }
    for (uint64_t a = 0; a < ALL; ++a)
        for (uint64_t b = 0; b < a; ++b) {
            double both[2][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
            const uint64_t touch = spring(&grain[a], &grain[b], both);
            contacts += touch;
            of_giant += touch && (a == COARSE + FINES || b == COARSE + FINES);
            for (int c = 0; c < 3; ++c) {
                sum[a][c] += both[0][c];
                sum[b][c] += both[1][c];
            }
        }
    printf("# %llu contacts, %llu of the giant\n", (unsigned long long)contacts,
           (unsigned long long)of_giant);
    assert_true(contacts > 500 && of_giant > 5);
    assert_int_equal(scene_counts(world).contacts, contacts);
    for (uint64_t k = 0; k < ALL; ++k)
        for (int c = 0; c < 3; ++c)
            if (!(fabs(sum[k][c] - given[k][c]) <= 1e-13 * STIFFNESS))
                fail_msg("grain %llu: %.17g, not %.17g", (unsigned long long)k, given[k][c],
                         sum[k][c]);
    dem_world_destroy(world);
}

/** Any number of threads and any instruction set give the same bits. */
static void same_bits(void **state)
{
    (void)state;
    uint64_t hash[4];
    static const int32_t threads[] = {1, 3, 1, 2},
                         isa[] = {DEM_ISA_AUTO, DEM_ISA_AUTO, DEM_ISA_BASELINE, DEM_ISA_BASELINE};
    for (int k = 0; k < 4; ++k) {
        dem_world *world = mixture(threads[k], isa[k], 1.0);
        OK(dem_step(world, DT, 400));
        hash[k] = scene_hash(world);
        assert_true(scene_counts(world).rebuilds > 2);
        dem_world_destroy(world);
        assert_int_equal(hash[k], hash[0]);
    }
}

/** A run from a snapshot goes on as one without. */
static void split_run(void **state)
{
    (void)state;
    dem_world *whole = mixture(1, DEM_ISA_AUTO, 1.0), *first = mixture(1, DEM_ISA_AUTO, 1.0);
    for (int k = 0; k < 4; ++k) {
        uint64_t size = 0;
        OK(dem_step(whole, DT, 90));
        OK(dem_step(first, DT, 90));
        OK(dem_world_snapshot_size(first, &size));
        void *bytes = malloc(size);
        assert_non_null(bytes);
        OK(dem_world_snapshot(first, bytes, size, NULL));
        dem_world *second = mixture(1, DEM_ISA_AUTO, 1.0);
        OK(dem_world_restore(second, bytes, size));
        free(bytes);
        dem_world_destroy(first);
        first = second;
        assert_int_equal(scene_hash(whole), scene_hash(first));
    }
    OK(dem_step(whole, DT, 300));
    OK(dem_step(first, DT, 300));
    assert_int_equal(scene_hash(whole), scene_hash(first));
    assert_int_equal(scene_counts(whole).rebuilds, scene_counts(first).rebuilds);
    dem_world_destroy(whole);
    dem_world_destroy(first);
}

/** The giant goes, and comes back: sizes are those of one level in between. */
static void giant_goes_and_returns(void **state)
{
    (void)state;
    dem_world *world = mixture(1, DEM_ISA_AUTO, 1e-3);
    dem_particle giant = {.struct_size = sizeof(giant)};
    dem_particle_handle handle;
    OK(dem_step(world, DT, 5));
    for (int k = 0; k < 3; ++k) {
        const uint64_t contacts = scene_counts(world).contacts;
        OK(dem_particle_find(world, COARSE + FINES + 1, &handle));
        OK(dem_particle_get(world, handle, &giant));
        OK(dem_particle_remove(world, handle));
        OK(dem_step(world, 1e-12, 1));
        assert_true(scene_counts(world).contacts < contacts);
        OK(dem_particle_add(world, &giant, &handle));
        OK(dem_step(world, 1e-12, 1));
        assert_int_equal(scene_counts(world).contacts, contacts);
        OK(dem_step(world, DT, 5));
    }
    dem_world_destroy(world);
}

/** A fine grain shot into a coarse one stops the step, which is undone. */
static void step_is_undone(void **state)
{
    (void)state;
    dem_world *world = mixture(1, DEM_ISA_AUTO, 1.0);
    dem_particle bullet = scene_particle(5.5, 5.5, 2.5);
    dem_particle_handle handle;
    bullet.radius = 0.05;
    bullet.mass = 1e-4;
    OK(dem_particle_add(world, &bullet, &handle));
    OK(dem_step(world, DT, 30));
    const double fast[3] = {0.0, 0.0, -3000.0};
    OK(dem_particle_set_motion(world, handle, NULL, fast, NULL));
    assert_int_equal(dem_step(world, DT, 1000), DEM_ERROR_OVERLAP);
    const uint64_t hash = scene_hash(world), steps = scene_counts(world).steps;
    for (int k = 0; k < 3; ++k) {
        assert_int_equal(dem_step(world, DT, 1), DEM_ERROR_OVERLAP);
        assert_int_equal(scene_hash(world), hash);
        assert_int_equal(scene_counts(world).steps, steps);
    }
    OK(dem_particle_remove(world, handle));
    OK(dem_step(world, DT, 30));
    dem_world_destroy(world);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_forces_are_the_sums),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(split_run),
        cmocka_unit_test(giant_goes_and_returns),
        cmocka_unit_test(step_is_undone),
    };
    return cmocka_run_group_tests_name("sizes", tests, NULL, NULL);
}
