/* SPDX-License-Identifier: MIT */
/* Grains of the curves of curves.sh: a part of the bed, or a bed of two sizes. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A corner of the bed with about so many grains, in a box that is so much wider that nothing
 * overlaps across its sides; then it settles there. */
static void corner_keep(const char *folder, const char *file, int number)
{
    demo_grains grains;
    bench_grains_read(folder, BENCH_BED, 1, 1, &grains);
    const double share = sqrt((double)number / (double)grains.count);
    uint64_t kept = 0;
    for (int c = 0; c < 2; ++c)
        grains.high[c] = grains.low[c] + share * (grains.high[c] - grains.low[c]);
    for (uint64_t k = 0; k < grains.count; ++k) {
        demo_grain *g = &grains.grain[k];
        if (!(g->position[0] < grains.high[0] && g->position[1] < grains.high[1]))
            continue;
        grains.grain[kept] = *g;
        grains.grain[kept].id = kept + 1;
        ++kept;
    }
    grains.count = kept;
    for (int c = 0; c < 2; ++c)
        grains.high[c] += 1.0;
    bench_stretch_run(&grains, 1, &(bench_stretch){1.0, 0.0, 400.0, 0.97, 60}, BENCH_ON_FROZEN);
    bench_grains_write(folder, file, &grains);
    demo_grains_free(&grains);
}

int bench_grains(int count, char **arguments)
{
    const int value = count == 3 ? atoi(arguments[2]) : 0;
    const int ratio = value > 0 && strcmp(arguments[1], "ratio") == 0;
    if (value < 1 || (!ratio && strcmp(arguments[1], "number") != 0))
        bench_fail("grains", "a folder, `number` or `ratio`, and its value are wanted");
    char file[64];
    (void)snprintf(file, sizeof file, "data.%s-%d", arguments[1], value);
    if (bench_grains_there(arguments[0], file))
        return 0;
    if (ratio)
        bench_generate_ratio(arguments[0], file, value, 1);
    else
        corner_keep(arguments[0], file, value);
    return 0;
}
