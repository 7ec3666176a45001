/* SPDX-License-Identifier: MIT */
/* Grains on a plane: a few coarse ones among fines, sizes of a log-normal distribution, a lattice
 * with six contacts each, and a dilute gas. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double around(uint64_t *random, double width)
{
    return width * (bench_random(random) - 0.5);
}

/* A box on the plane with no grains yet, but with room for some. */
static void grains_make(demo_grains *grains, size_t room, double edge, double height)
{
    memset(grains, 0, sizeof *grains);
    grains->grain = calloc(room, sizeof *grains->grain);
    if (grains->grain == NULL)
        bench_fail("generate", "no memory for the grains");
    grains->types = 1;
    grains->high[0] = grains->high[1] = edge;
    grains->low[2] = -1.0;
    grains->high[2] = height;
}

static demo_grain *grain_add(demo_grains *grains, double diameter, int type)
{
    demo_grain *g = &grains->grain[grains->count++];
    g->id = grains->count;
    g->type = type;
    g->diameter = diameter;
    g->density = 1.0;
    return g;
}

static void bed_settle(demo_grains *grains, int threads)
{
    static const bench_stretch way[] = {
        {10.0, 0.0, 50.0, 1.0, 50},
        {10.0, 0.0, 400.0, 0.9, 70},
        {1.0, 0.0, 400.0, 0.95, 40},
    };
    for (size_t k = 0; k < sizeof way / sizeof way[0]; ++k)
        bench_stretch_run(grains, threads, &way[k], 1);
}

/* ------------------------------------------------------------------ two sizes */

/* Beds of 20,000 fines of diameter 1 and a few coarse grains on a plane. */
typedef struct mixture {
    const char *file;
    double diameter, edge; /* of the coarse ones, and of the box */
    int coarse;            /* along each side */
} mixture;

static const mixture mixtures[] = {
    {BENCH_RATIO10, 10.0, 32.0, 2},
    {BENCH_RATIO20, 20.0, 44.0, 1},
    {BENCH_RATIO100, 100.0, 112.0, 1},
    {BENCH_ONE10, 10.0, 112.0, 1},
};

/* The coarse grains lie on the plane, and the fines on a lattice around and above them. */
static void mixture_fill(const mixture *m, demo_grains *grains)
{
    enum { FINES = 20000 };
    const double pitch = 1.02;
    const int across = (int)(m->edge / pitch), coarse = m->coarse * m->coarse;
    const double step = m->edge / m->coarse;
    uint64_t random = 4;
    grains_make(grains, FINES + (size_t)coarse, m->edge, 200.0);
    grains->types = 2;
    for (int k = 0; k < coarse; ++k) {
        demo_grain *g = &grains->grain[grains->count++];
        g->diameter = m->diameter;
        g->position[0] = (k % m->coarse + 0.5) * step;
        g->position[1] = (k / m->coarse + 0.5) * step;
        g->position[2] = 0.5 * m->diameter;
    }
    for (int k = 0; grains->count < (uint64_t)(FINES + coarse); ++k) {
        const double x[3] = {(k % across + 0.5) * m->edge / across,
                             (k / across % across + 0.5) * m->edge / across,
                             (k / (across * across) + 0.5) * pitch};
        int free = 1;
        for (int c = 0; c < coarse; ++c) {
            double square = 0.0;
            for (int d = 0; d < 3; ++d)
                square +=
                    (x[d] - grains->grain[c].position[d]) * (x[d] - grains->grain[c].position[d]);
            free &= sqrt(square) > 0.5 * m->diameter + 0.52;
        }
        if (!free)
            continue;
        demo_grain *g = &grains->grain[grains->count++];
        g->diameter = 1.0;
        for (int c = 0; c < 3; ++c) {
            g->position[c] = x[c] + around(&random, 0.01);
            g->velocity[c] = around(&random, 6.0);
        }
    }
    for (uint64_t k = 0; k < grains->count; ++k) {
        grains->grain[k].id = k + 1;
        grains->grain[k].type = grains->grain[k].diameter > 1.0 ? 2 : 1;
        grains->grain[k].density = 1.0;
    }
}

/* ------------------------------------------------------------------ many sizes */

/* The sum of twelve uniform numbers is close to a normal distribution of deviation 1. */
static double normal(uint64_t *random)
{
    double sum = -6.0;
    for (int k = 0; k < 12; ++k)
        sum += bench_random(random);
    return fmin(fmax(sum, -3.0), 3.0);
}

static int larger_first(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

enum { SIZES = 20000, CELLS = 12, LEVELS = 24 };
static const double sizes_edge = 40.0, sizes_height = 80.0;

/* Which grains were placed in each cell of a coarse grid, as lists. */
typedef struct placed {
    int first[CELLS][CELLS][LEVELS], next[SIZES];
} placed;

static int cell_of(double x, double edge, int cells)
{
    const int cell = (int)(x / edge * cells);
    return cell < cells ? cell : cells - 1;
}

/* Whether a grain would overlap with one that is there. Cells are as large as the largest grain. */
static int occupied(const placed *p, const demo_grains *grains, const double x[3], double diameter)
{
    const int at[3] = {cell_of(x[0], sizes_edge, CELLS), cell_of(x[1], sizes_edge, CELLS),
                       cell_of(x[2], sizes_height, LEVELS)};
    for (int n = 0; n < 27; ++n) {
        const int level = at[2] + n / 9 - 1;
        if (level < 0 || level >= LEVELS)
            continue;
        int k = p->first[(at[0] + n % 3 - 1 + CELLS) % CELLS]
                        [(at[1] + n / 3 % 3 - 1 + CELLS) % CELLS][level];
        for (; k >= 0; k = p->next[k]) {
            double square = 0.0;
            for (int c = 0; c < 3; ++c) {
                double d = x[c] - grains->grain[k].position[c];
                if (c < 2)
                    d -= sizes_edge * rint(d / sizes_edge);
                square += d * d;
            }
            const double touch = 0.5 * (diameter + grains->grain[k].diameter);
            if (square < touch * touch)
                return 1;
        }
    }
    return 0;
}

/* Grains at random places, the large ones first; a class of sizes for each factor of root 2. */
static void sizes_fill(demo_grains *grains)
{
    static placed p;
    static double diameter[SIZES];
    uint64_t random = 5;
    memset(&p, -1, sizeof p);
    for (int k = 0; k < SIZES; ++k)
        diameter[k] = exp(0.4 * normal(&random));
    qsort(diameter, SIZES, sizeof diameter[0], larger_first);
    grains_make(grains, SIZES, sizes_edge, 200.0);
    for (int k = 0; k < SIZES; ++k) {
        double x[3];
        do {
            x[0] = sizes_edge * bench_random(&random);
            x[1] = sizes_edge * bench_random(&random);
            x[2] = 0.5 * diameter[k] + (sizes_height - diameter[k]) * bench_random(&random);
        } while (occupied(&p, grains, x, diameter[k]));
        const int type = 1 + (int)(2.0 * log2(diameter[0] / diameter[k]));
        demo_grain *g = grain_add(grains, diameter[k], type);
        memcpy(g->position, x, sizeof x);
        if (type > grains->types)
            grains->types = type;
        int *first = &p.first[cell_of(x[0], sizes_edge, CELLS)][cell_of(x[1], sizes_edge, CELLS)]
                             [cell_of(x[2], sizes_height, LEVELS)];
        p.next[k] = *first;
        *first = k;
    }
}

/* ------------------------------------------------------------------ one size */

/* A cube in balance: each layer is pressed by the weight of those above it, and touches its
 * neighbours on all sides a little. */
static void lattice_fill(demo_grains *grains)
{
    enum { EDGE = 32, LAYERS = 31 };
    const double stiffness = 2e5, weight = 3.14159265358979323846 / 6.0, pitch = 1.0 - 1e-4;
    uint64_t random = 6;
    grains_make(grains, (size_t)EDGE * EDGE * LAYERS, EDGE * pitch, 60.0);
    double z = 0.5;
    for (int layer = 0; layer < LAYERS; ++layer) {
        z += (layer == 0 ? 0.0 : 1.0) - weight * (LAYERS - layer) / stiffness;
        for (int k = 0; k < EDGE * EDGE; ++k) {
            demo_grain *g = grain_add(grains, 1.0, 1);
            g->position[0] = (k % EDGE + 0.5) * pitch;
            g->position[1] = (k / EDGE + 0.5) * pitch;
            g->position[2] = z;
            for (int c = 0; c < 3; ++c)
                g->velocity[c] = around(&random, 0.002);
        }
    }
}

/* One part in a hundred of the volume. */
static void gas_fill(demo_grains *grains)
{
    enum { EDGE = 32 };
    const double pitch = 3.74;
    uint64_t random = 7;
    grains_make(grains, (size_t)EDGE * EDGE * EDGE, EDGE * pitch, EDGE * pitch + 20.0);
    for (int k = 0; k < EDGE * EDGE * EDGE; ++k) {
        demo_grain *g = grain_add(grains, 1.0, 1);
        const int at[3] = {k % EDGE, k / EDGE % EDGE, k / (EDGE * EDGE)};
        for (int c = 0; c < 3; ++c) {
            g->position[c] = (at[c] + 0.5) * pitch + around(&random, pitch - 1.01);
            g->velocity[c] = around(&random, 20.0);
        }
    }
}

/* ------------------------------------------------------------------ files */

void bench_generate_ratio(const char *folder, const char *file, int ratio, int threads)
{
    demo_grains grains;
    /* coarse grains lie side by side as long as several fit into the box */
    const int fit = (int)(20.0 / ratio);
    const mixture m = {file, ratio, ratio > 16 ? 24.0 + 0.9 * ratio : 32.0, fit > 1 ? fit : 1};
    mixture_fill(&m, &grains);
    bed_settle(&grains, threads);
    bench_grains_write(folder, file, &grains);
    demo_grains_free(&grains);
}

static void keep(const char *folder, const char *file, demo_grains *grains)
{
    bench_grains_write(folder, file, grains);
    demo_grains_free(grains);
}

void bench_generate_on_plane(const char *folder, int threads)
{
    demo_grains grains;
    for (size_t k = 0; k < sizeof mixtures / sizeof mixtures[0]; ++k)
        if (!bench_grains_there(folder, mixtures[k].file)) {
            fprintf(stderr, "bench: making %s in %s\n", mixtures[k].file, folder);
            mixture_fill(&mixtures[k], &grains);
            bed_settle(&grains, threads);
            keep(folder, mixtures[k].file, &grains);
        }
    if (!bench_grains_there(folder, BENCH_LOG_NORMAL)) {
        fprintf(stderr, "bench: making %s in %s\n", BENCH_LOG_NORMAL, folder);
        sizes_fill(&grains);
        bench_stretch_run(&grains, threads, &(bench_stretch){10.0, 0.0, 50.0, 1.0, 240}, 1);
        bed_settle(&grains, threads);
        keep(folder, BENCH_LOG_NORMAL, &grains);
    }
    if (!bench_grains_there(folder, BENCH_LATTICE)) {
        lattice_fill(&grains);
        keep(folder, BENCH_LATTICE, &grains);
    }
    if (!bench_grains_there(folder, BENCH_GAS)) {
        gas_fill(&grains);
        keep(folder, BENCH_GAS, &grains);
    }
}
