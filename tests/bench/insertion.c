/* SPDX-License-Identifier: MIT */
/* Grains of a bed that come and go while it runs: some are added above it, and as many or fewer
 * taken from it. What the worst step costs, as no step should stall. */
#include "bench.h"

#include <stdlib.h>

/* Steps between two changes, grains that are added and removed in one, by the phase of the run. */
enum { CHANGE = 20, MOST = 64, PHASES = 3 };
static const struct {
    const char *name;
    uint64_t added, removed;
} phases[PHASES] = {{"grows", 64, 16}, {"steady", 40, 40}, {"shrinks", 16, 64}};

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Adds grains above all others, each of diameter 1, side by side in rows along x. */
static void add(dem_world *world, const demo_grains *grains, uint64_t change, uint64_t count,
                double height)
{
    dem_particle grain[MOST];
    const double length = grains->high[0] - grains->low[0],
                 width = grains->high[1] - grains->low[1];
    const uint64_t across = (uint64_t)(length / 1.1), along = (uint64_t)(width / 1.1);
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t place = change * MOST + k;
        bench_must(dem_particle_init(&grain[k]), "grain");
        grain[k].position[0] = grains->low[0] + 1.1 * (double)(place % across);
        grain[k].position[1] = grains->low[1] + 1.1 * (double)(place / across % along);
        grain[k].position[2] = height + 1.1 * (double)(place / (across * along));
        grain[k].radius = 0.5;
        grain[k].mass = 0.5235987755982988;
    }
    bench_must(dem_particles_add(world, count, grain, NULL), dem_world_error(world));
}

/* Takes grains out: ids from 1 on are those of the bed, in the order of its file. */
static void take(dem_world *world, uint64_t *next, uint64_t count)
{
    while (count > 0) {
        dem_particle_handle handle;
        dem_particle p = {.struct_size = sizeof p};
        bench_must(dem_particle_find(world, ++*next, &handle), dem_world_error(world));
        bench_must(dem_particle_get(world, handle, &p), dem_world_error(world));
        if (p.mobility != DEM_MOBILITY_FREE)
            continue;
        bench_must(dem_particle_remove(world, handle), dem_world_error(world));
        --count;
    }
}

static double step(dem_world *world)
{
    const double start = bench_work();
    bench_must(dem_step(world, 1e-4, 1), dem_world_error(world));
    return bench_work() - start;
}

/* What steps cost: the median of those without a change, and of those after one, which build the
 * list, with their worst; and the worst change itself. */
static void phase_run(dem_world *world, const demo_grains *grains, int phase, uint64_t changes,
                      double height, uint64_t *next)
{
    double *plain = malloc((size_t)(changes * CHANGE) * sizeof *plain),
           *changed = malloc((size_t)changes * sizeof *changed), call = 0.0;
    if (plain == NULL || changed == NULL)
        bench_fail("insertion", "there is no memory");
    uint64_t plains = 0;
    for (uint64_t k = 0; k < changes; ++k) {
        const double start = bench_work();
        add(world, grains, (uint64_t)phase * changes + k, phases[phase].added, height);
        take(world, next, phases[phase].removed);
        const double end = bench_work();
        call = end - start > call ? end - start : call;
        changed[k] = step(world);
        for (int n = 1; n < CHANGE; ++n)
            plain[plains++] = step(world);
    }
    qsort(plain, (size_t)plains, sizeof *plain, ascending);
    qsort(changed, (size_t)changes, sizeof *changed, ascending);
    dem_world_counts counts = {.struct_size = sizeof counts};
    bench_must(dem_world_counts_get(world, &counts), dem_world_error(world));
    const double median = plain[plains / 2];
    printf("insertion=%s particles=%llu bytes=%.0f step_us=%.0f worst=%.2f after_change=%.2f "
           "worst_after_change=%.2f worst_call=%.2f\n",
           phases[phase].name, (unsigned long long)counts.particles,
           (double)counts.bytes / (double)counts.particles, 1e6 * median,
           plain[plains - 1] / median, changed[changes / 2] / median, changed[changes - 1] / median,
           call / median);
    free(plain);
    free(changed);
}

int bench_insertion(int count, char **arguments)
{
    if (count < 1)
        bench_fail("insertion", "a folder is wanted");
    const uint64_t changes = count > 1 ? strtoull(arguments[1], NULL, 10) : 100;
    demo_grains grains;
    bench_grains_read(arguments[0], BENCH_BED, 1, 1, &grains);
    const bench_world options = {.integrator = DEM_INTEGRATOR_VERLET_STANDARD,
                                 .threads = 1,
                                 .materials = 1,
                                 .strength = 1.0,
                                 .energy_tracking = DEM_ENERGY_TRACKING_OFF};
    dem_world *world = bench_world_make(&grains, &options);
    bench_model m;
    bench_model_fill(&m, "linear", BENCH_MATCH);
    for (int32_t b = 0; b <= 1; ++b)
        bench_must(dem_contact_model_set(world, 0, b, &m.model), dem_world_error(world));
    double height = 0.0;
    for (uint64_t k = 0; k < grains.count; ++k)
        height = grains.grain[k].position[2] > height ? grains.grain[k].position[2] : height;
    bench_must(dem_step(world, 1e-4, 100), dem_world_error(world));
    uint64_t next = 0;
    for (int phase = 0; phase < PHASES; ++phase)
        phase_run(world, &grains, phase, changes, height + 2.0, &next);
    dem_world_destroy(world);
    demo_grains_free(&grains);
    return 0;
}
