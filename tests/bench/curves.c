/* SPDX-License-Identifier: MIT */
/* Grains of the curves of curves.sh: a part of the bed, or a bed of two sizes. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A corner of the bed with about so many grains, whose floor goes up to the sides of the box. Free
 * grains stay a diameter away from them, so that nothing overlaps across, and then settle. */
static void corner_keep(const char *folder, const char *file, int number)
{
    demo_grains grains;
    bench_grains_read(folder, BENCH_BED, 1, 1, &grains);
    const double share = sqrt((double)number / (double)grains.count);
    uint64_t kept = 0;
    for (int c = 0; c < 2; ++c)
        grains.high[c] = grains.low[c] + 2.0 + share * (grains.high[c] - grains.low[c]);
    for (uint64_t k = 0; k < grains.count; ++k) {
        demo_grain *g = &grains.grain[k];
        const double away = g->type == 2 ? 0.0 : 1.0;
        int inside = 1;
        for (int c = 0; c < 2; ++c)
            inside = inside && g->position[c] < grains.high[c] - away &&
                     g->position[c] >= grains.low[c] + away;
        if (!inside)
            continue;
        grains.grain[kept] = *g;
        grains.grain[kept].id = kept + 1;
        ++kept;
    }
    grains.count = kept;
    bench_settle(&grains, 1, BENCH_ON_FROZEN);
    /* the floor has a gap where its sides meet */
    kept = 0;
    for (uint64_t k = 0; k < grains.count; ++k)
        if (grains.grain[k].position[2] >= grains.low[2]) {
            grains.grain[kept] = grains.grain[k];
            grains.grain[kept].id = kept + 1;
            ++kept;
        }
    grains.count = kept;
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
