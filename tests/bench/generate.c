/* SPDX-License-Identifier: MIT */
/* The grains of the scenes: 32,000 spheres of diameter 1 on a bumpy floor of 912 frozen ones, in a
 * box of 40 by 20 that is periodic in x and y.
 *
 * The bed falls from a loose, moving lattice and settles. The chute is the bed, made a little
 * looser, with the velocity profile of a flow down a slope of 26 degrees (Bagnold's), its shear and
 * its fluctuations as in the benchmark `chute` of LAMMPS; it flows on until contacts have formed.
 */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 32000, FLOOR_X = 38, FLOOR_Y = 24, FLOOR = FLOOR_X * FLOOR_Y, NX = 39, NY = 19 };

static double around(uint64_t *random, double width)
{
    return width * (bench_random(random) - 0.5);
}

/* Close to a normal distribution of deviation 1: the sum of twelve uniform numbers. */
static double normal(uint64_t *random)
{
    double sum = -6.0;
    for (int k = 0; k < 12; ++k)
        sum += bench_random(random);
    return sum;
}

static void lattice(demo_grains *grains)
{
    uint64_t random = 1;
    memset(grains, 0, sizeof *grains);
    grains->grain = calloc(COUNT, sizeof *grains->grain);
    if (grains->grain == NULL)
        bench_fail("generate", "no memory for the grains");
    grains->count = COUNT;
    grains->types = 2;
    grains->high[0] = 40.0;
    grains->high[1] = 20.0;
    grains->low[2] = -1.0;
    grains->high[2] = 60.0;
    for (int k = 0; k < COUNT; ++k) {
        demo_grain *g = &grains->grain[k];
        const int row = k < FLOOR ? k : k - FLOOR, nx = k < FLOOR ? FLOOR_X : NX,
                  ny = k < FLOOR ? FLOOR_Y : NY;
        g->id = (uint64_t)k + 1;
        g->type = k < FLOOR ? 2 : 1;
        g->diameter = g->density = 1.0;
        const double width = k < FLOOR ? 0.5 : 0.02;
        g->position[0] = (row % nx + 0.5) * 40.0 / nx + around(&random, width);
        g->position[1] = (row / nx % ny + 0.5) * 20.0 / ny + around(&random, width);
        g->position[2] = k < FLOOR ? 1.18 * bench_random(&random)
                                   : 2.2 + 1.05 * (row / (nx * ny)) + around(&random, width);
        for (int c = 0; c < 3 && k >= FLOOR; ++c)
            g->velocity[c] = around(&random, 4.0);
    }
}

static void run(demo_grains *grains, const bench_world *options, double stiffness, double rate,
                double dt, uint64_t steps)
{
    dem_world *world = bench_world_make(grains, options);
    bench_model m;
    bench_model_fill(&m, bench_law_find("linear"), BENCH_DEFAULT);
    dem_linear *p = &m.parameters[0].linear;
    p->stiffness_normal = stiffness;
    p->damping = DEM_DAMPING_RATE;
    p->damping_normal = rate;
    p->damping_tangential = 0.5 * rate;
    for (int32_t b = 0; b < 2; ++b)
        bench_must(dem_contact_model_set(world, 0, b, &m.model), dem_world_error(world));
    bench_must(dem_step(world, dt, steps), dem_world_error(world));
    bench_grains_update(world, grains);
    dem_world_destroy(world);
}

static void settle(demo_grains *grains, int threads)
{
    bench_world options = {.threads = threads, .materials = 1, .strength = 5.0};
    options.accounting = DEM_ACCOUNTING_OFF;
    /* soft grains first, which take a longer time step */
    run(grains, &options, 2e4, 50.0, 3e-4, 7000);
    run(grains, &options, 2e4, 200.0, 3e-4, 3000);
    options.strength = 1.0;
    run(grains, &options, 2e5, 200.0, 1e-4, 3000);
}

static void flow(demo_grains *grains, int threads)
{
    const double loose = 1.035, height = 37.0, fastest = 14.5;
    uint64_t random = 2;
    for (uint64_t k = FLOOR; k < grains->count; ++k) {
        demo_grain *g = &grains->grain[k];
        const double z = g->position[2] = loose * g->position[2];
        const double depth = z < height ? sqrt(1.0 - z / height) : 0.0;
        for (int c = 0; c < 3; ++c) {
            g->velocity[c] = 0.4 * depth * normal(&random);
            g->spin[c] = 1.1 * depth * normal(&random);
        }
        g->velocity[0] += fastest * (1.0 - depth * depth * depth);
        g->spin[1] += 0.75 * fastest / height * depth; /* half of the shear rate */
    }
    bench_world options = {.threads = threads, .materials = 1, .strength = 1.0, .angle = 26.0};
    options.accounting = DEM_ACCOUNTING_OFF;
    run(grains, &options, 2e5, 50.0, 1e-4, 5000);
}

static int there(const char *folder, const char *file)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", folder, file);
    return access(path, R_OK) == 0;
}

void bench_generate(const char *folder, int threads)
{
    demo_grains grains;
    if (there(folder, BENCH_BED)) {
        bench_grains_read(folder, BENCH_BED, 1, 1, &grains);
    } else {
        fprintf(stderr, "bench: making the bed in %s\n", folder);
        lattice(&grains);
        settle(&grains, threads);
        bench_grains_write(folder, BENCH_BED, &grains);
    }
    if (!there(folder, BENCH_CHUTE)) {
        fprintf(stderr, "bench: making the chute in %s\n", folder);
        flow(&grains, threads);
        bench_grains_write(folder, BENCH_CHUTE, &grains);
    }
    demo_grains_free(&grains);
}
