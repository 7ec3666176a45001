/* SPDX-License-Identifier: MIT */
/* A packing to be: grains of three sizes on a jittered lattice above a floor of fixed spheres. */
#include "demo.h"

#include <stdlib.h>
#include <string.h>

/* SplitMix64: the same grains on every machine. */
static double uniform(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

int packing_generate(demo_grains *grains)
{
    enum { SIDE = 9, LAYERS = 18, FLOOR = 11 };
    const double box = 10.7, spacing = box / SIDE, tile = box / FLOOR;
    uint64_t random = 7;
    memset(grains, 0, sizeof *grains);
    grains->count = FLOOR * FLOOR + SIDE * SIDE * LAYERS;
    grains->grain = calloc((size_t)grains->count, sizeof *grains->grain);
    if (grains->grain == NULL) {
        fprintf(stderr, "packing: no memory for the grains\n");
        return -1;
    }
    grains->types = 2;
    grains->high[0] = grains->high[1] = box;
    grains->low[2] = -1.0;
    grains->high[2] = 1.0 + spacing * LAYERS;
    for (uint64_t k = 0; k < grains->count; ++k) {
        demo_grain *g = &grains->grain[k];
        const int floor = k < FLOOR * FLOOR;
        const uint64_t row = floor ? k : k - FLOOR * FLOOR;
        const uint64_t side = floor ? FLOOR : SIDE;
        const double cell = floor ? tile : spacing, jitter = floor ? 0.0 : 0.1;
        g->id = k + 1;
        g->type = floor ? 2 : 1;
        g->diameter = floor ? 1.0 : 0.8 + 0.1 * (double)(int)(3.0 * uniform(&random));
        g->density = 1.0;
        g->position[0] = cell * ((double)(row % side) + 0.5 + jitter * (uniform(&random) - 0.5));
        g->position[1] =
            cell * ((double)(row / side % side) + 0.5 + jitter * (uniform(&random) - 0.5));
        /* the floor is rough: its spheres stand a little higher or lower */
        g->position[2] =
            floor ? 0.4 * (uniform(&random) - 0.5)
                  : 1.2 + cell * ((double)(row / (side * side)) + 0.1 * (uniform(&random) - 0.5));
    }
    return 0;
}
