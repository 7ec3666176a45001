/* SPDX-License-Identifier: MIT */
/* What exact sums cost: the same grains with sums in a fixed order and with exact ones. The turns
 * of the two worlds alternate; the ratio is the median of those of neighbouring turns. */
#include "bench.h"

#include <stdlib.h>

enum { TURNS = 15, WARM = 100 };

static const struct {
    const char *name, *data, *law;
    double angle, dt;
} sums_scenes[] = {{"chute", BENCH_CHUTE, "linear", 26.0, 1e-4},
                   {"bed", BENCH_BED, "linear", 0.0, 1e-4},
                   {"hertz-bed", BENCH_BED, "hertz+mindlin", 0.0, 5e-5}};

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static dem_world *sums_world(const demo_grains *grains, size_t scene, int sums)
{
    const bench_world options = {.integrator = DEM_INTEGRATOR_VERLET_SYNC,
                                 .threads = 1,
                                 .materials = 1,
                                 .strength = 1.0,
                                 .angle = sums_scenes[scene].angle,
                                 .sums = sums};
    dem_world *world = bench_world_make(grains, &options);
    bench_model m;
    bench_model_fill(&m, sums_scenes[scene].law, BENCH_DEFAULT);
    for (int32_t b = 0; b <= 1; ++b)
        bench_must(dem_contact_model_set(world, 0, b, &m.model), dem_world_error(world));
    bench_must(dem_step(world, sums_scenes[scene].dt, WARM), dem_world_error(world));
    return world;
}

int bench_sums(int count, char **arguments)
{
    const int steps = count > 1 ? atoi(arguments[1]) : 50;
    if (count < 1 || steps <= 0)
        bench_fail("sums", "a folder with grains and a number of steps are wanted");
    for (size_t k = 0; k < sizeof sums_scenes / sizeof sums_scenes[0]; ++k) {
        demo_grains grains;
        dem_world *world[2];
        double ns[2], ratio[TURNS];
        bench_grains_read(arguments[0], sums_scenes[k].data, 1, 1, &grains);
        for (int sums = 0; sums < 2; ++sums)
            world[sums] = sums_world(&grains, k, sums);
        for (int n = 0; n < TURNS; ++n) {
            for (int sums = 0; sums < 2; ++sums) {
                const double start = bench_work();
                bench_must(dem_step(world[sums], sums_scenes[k].dt, (uint64_t)steps),
                           dem_world_error(world[sums]));
                ns[sums] = 1e9 * (bench_work() - start) / ((double)steps * (double)grains.count);
            }
            ratio[n] = ns[1] / ns[0];
        }
        qsort(ratio, TURNS, sizeof ratio[0], ascending);
        printf("scene=%s sums=exact ratio=%.3f quartiles=%.3f-%.3f ns_last=%.1f/%.1f\n",
               sums_scenes[k].name, ratio[TURNS / 2], ratio[TURNS / 4], ratio[TURNS * 3 / 4], ns[1],
               ns[0]);
        for (int sums = 0; sums < 2; ++sums)
            dem_world_destroy(world[sums]);
        demo_grains_free(&grains);
    }
    return 0;
}
