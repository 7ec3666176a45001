/* SPDX-License-Identifier: MIT */
/* What it costs to send particles with their contacts to another world: grains of a bed, packed in
 * batches, and unpacked in a world that has the others. A bed has 3.8 contacts a grain; of larger
 * diameters, 5. */
#include "bench.h"

#include <stdlib.h>

enum { TURNS = 21, WARM = 100, ROOM = 4 << 20 };

static const double diameters[] = {1.0, 1.01};

/* The memory that the host keeps for parcels. */
static unsigned char buffer[ROOM];

static dem_world *bed_world(demo_grains *grains, double diameter)
{
    for (uint64_t k = 0; k < grains->count; ++k)
        grains->grain[k].diameter *= diameter;
    const bench_world options = {
        .integrator = DEM_INTEGRATOR_VERLET_SYNC, .threads = 1, .materials = 1, .strength = 1.0};
    dem_world *world = bench_world_make(grains, &options);
    bench_model m;
    bench_model_fill(&m, "linear", BENCH_DEFAULT);
    for (int32_t b = 0; b <= 1; ++b)
        bench_must(dem_contact_model_set(world, 0, b, &m.model), dem_world_error(world));
    bench_must(dem_step(world, 1e-4, WARM), dem_world_error(world));
    return world;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Takes `count` grains out, every so many-th, and puts them back; seconds of packing and of
 * unpacking. */
static void there_and_back(dem_world *world, uint64_t grains, uint64_t count, uint64_t turn,
                           double seconds[2], uint64_t *bytes)
{
    dem_particle_handle *handle = malloc((size_t)count * sizeof *handle);
    if (handle == NULL)
        bench_fail("parcels", "there is no memory");
    for (uint64_t k = 0; k < count; ++k)
        bench_must(dem_particle_find(world, 1 + (k * 31 + turn * 97) % grains, &handle[k]),
                   dem_world_error(world));
    double start = bench_work();
    bench_must(dem_particles_pack(world, count, handle, NULL, 0, bytes), dem_world_error(world));
    bench_must(dem_particles_pack(world, count, handle, buffer, sizeof buffer, NULL),
               dem_world_error(world));
    seconds[0] = bench_work() - start;
    for (uint64_t k = 0; k < count; ++k)
        bench_must(dem_particle_remove(world, handle[k]), dem_world_error(world));
    start = bench_work();
    bench_must(dem_particles_unpack(world, buffer, *bytes, NULL), dem_world_error(world));
    seconds[1] = bench_work() - start;
    bench_must(dem_step(world, 1e-4, 2), dem_world_error(world));
    free(handle);
}

static void bed_bench(const char *folder, double diameter)
{
    static const uint64_t batches[] = {1, 10, 100, 1000};
    demo_grains grains;
    bench_grains_read(folder, BENCH_BED, 1, 1, &grains);
    dem_world *world = bed_world(&grains, diameter);
    dem_world_counts counts = {.struct_size = sizeof counts};
    bench_must(dem_world_counts_get(world, &counts), dem_world_error(world));
    for (size_t b = 0; b < sizeof batches / sizeof batches[0]; ++b) {
        double us[2][TURNS];
        uint64_t bytes = 0;
        for (uint64_t n = 0; n < TURNS; ++n) {
            double seconds[2];
            there_and_back(world, counts.particles, batches[b], n, seconds, &bytes);
            for (int k = 0; k < 2; ++k)
                us[k][n] = 1e6 * seconds[k] / (double)batches[b];
        }
        for (int k = 0; k < 2; ++k)
            qsort(us[k], TURNS, sizeof us[k][0], ascending);
        printf("parcels=%llu contacts=%.1f bytes=%.0f pack_us=%.2f unpack_us=%.2f sum_us=%.2f\n",
               (unsigned long long)batches[b],
               2.0 * (double)counts.contacts / (double)counts.particles,
               (double)bytes / (double)batches[b], us[0][TURNS / 2], us[1][TURNS / 2],
               us[0][TURNS / 2] + us[1][TURNS / 2]);
    }
    dem_world_destroy(world);
    demo_grains_free(&grains);
}

int bench_parcels(int count, char **arguments)
{
    if (count < 1)
        bench_fail("parcels", "a folder with grains is wanted");
    for (size_t k = 0; k < sizeof diameters / sizeof diameters[0]; ++k)
        bed_bench(arguments[0], diameters[k]);
    return 0;
}
