/* SPDX-License-Identifier: MIT */
/* A kept list of level 1 over the pairs that LAMMPS lists for the same grains: those within the
 * skin, where a pair across a periodic face is listed once for each of its ends, with a ghost. The
 * grains keep their places, so that both compute the same contacts. */
#include "bench.h"

#include "base/pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SKIN 0.1
/* As wide as any pair of the list. */
#define CELL (1.0 + SKIN)

typedef struct list_host {
    uint64_t rows, own, pairs;
    uint64_t *id;
    double (*x)[3], (*v)[3], (*w)[3], (*f)[3], (*t)[3], *radius, *mass;
    uint32_t (*pair)[2];
    int *cell, cells[3];
    double low[3], period[3];
    uint32_t *first, *next; /* rows of a cell */
} list_host;

static void *list_room(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL)
        bench_fail("list", "no memory");
    return memory;
}

static int list_cell(const list_host *h, const double x[3])
{
    int at[3];
    for (int c = 0; c < 3; ++c) {
        at[c] = (int)((x[c] - h->low[c]) / CELL);
        at[c] = at[c] < 0 ? 0 : at[c] >= h->cells[c] ? h->cells[c] - 1 : at[c];
    }
    return (at[2] * h->cells[1] + at[1]) * h->cells[0] + at[0];
}

static const list_host *sorted_by; /* for qsort */

static int by_cell(const void *a, const void *b)
{
    const demo_grain *p = a, *q = b;
    return list_cell(sorted_by, p->position) - list_cell(sorted_by, q->position);
}

static uint64_t list_add(list_host *h, uint64_t id, const double x[3], const double v[3],
                         const double w[3], double radius, double mass)
{
    const uint64_t row = h->rows++;
    h->id[row] = id;
    memcpy(h->x[row], x, sizeof h->x[row]);
    memcpy(h->v[row], v, sizeof h->v[row]);
    memcpy(h->w[row], w, sizeof h->w[row]);
    h->radius[row] = radius;
    h->mass[row] = mass;
    h->cell[row] = list_cell(h, x);
    return row;
}

/* Images of the grains that are near a periodic face, as ghosts. */
static void list_ghosts(list_host *h)
{
    for (uint64_t k = 0; k < h->own; ++k)
        for (int sx = -1; sx <= 1; ++sx)
            for (int sy = -1; sy <= 1; ++sy) {
                const double x[3] = {h->x[k][0] + sx * h->period[0], h->x[k][1] + sy * h->period[1],
                                     h->x[k][2]};
                int near = sx != 0 || sy != 0;
                for (int c = 0; c < 2; ++c)
                    near =
                        near && x[c] > h->low[c] - CELL && x[c] < h->low[c] + h->period[c] + CELL;
                if (near)
                    list_add(h, h->id[k], x, h->v[k], h->w[k], h->radius[k], h->mass[k]);
            }
}

/* Pairs of row k with those of one cell: each pair of own rows once. */
static void list_pairs_of(list_host *h, uint32_t k, int cell)
{
    for (uint32_t m = h->first[cell]; m != UINT32_MAX; m = h->next[m]) {
        const double dx = h->x[k][0] - h->x[m][0], dy = h->x[k][1] - h->x[m][1],
                     dz = h->x[k][2] - h->x[m][2], reach = h->radius[k] + h->radius[m] + SKIN;
        if (m <= k || dx * dx + dy * dy + dz * dz >= reach * reach ||
            (h->mass[k] == 0.0 && h->mass[m] == 0.0))
            continue;
        h->pair[h->pairs][0] = k;
        h->pair[h->pairs++][1] = m;
    }
}

static void list_pairs(list_host *h)
{
    const int nx = h->cells[0], ny = h->cells[1], nz = h->cells[2];
    h->first = list_room((size_t)nx * (size_t)ny * (size_t)nz, sizeof *h->first);
    h->next = list_room(h->rows, sizeof *h->next);
    memset(h->first, 0xFF, sizeof *h->first * (size_t)nx * (size_t)ny * (size_t)nz);
    for (uint64_t k = h->rows; k-- > 0;) {
        h->next[k] = h->first[h->cell[k]];
        h->first[h->cell[k]] = (uint32_t)k;
    }
    for (uint32_t k = 0; k < h->own; ++k)
        for (int dz = -1; dz <= 1; ++dz)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dx = -1; dx <= 1; ++dx) {
                    const int x = h->cell[k] % nx + dx, y = h->cell[k] / nx % ny + dy,
                              z = h->cell[k] / nx / ny + dz;
                    if (x >= 0 && x < nx && y >= 0 && y < ny && z >= 0 && z < nz)
                        list_pairs_of(h, k, (z * ny + y) * nx + x);
                }
}

static void list_fill(list_host *h, demo_grains *grains)
{
    const size_t most = 2 * grains->count;
    memset(h, 0, sizeof *h);
    for (int c = 0; c < 3; ++c) { /* a layer of cells around the box for ghosts */
        h->period[c] = grains->high[c] - grains->low[c];
        h->low[c] = grains->low[c] - CELL;
        h->cells[c] = (int)((h->period[c] + 2.0 * CELL) / CELL) + 1;
    }
    h->id = list_room(most, sizeof *h->id);
    h->x = list_room(most, sizeof *h->x);
    h->v = list_room(most, sizeof *h->v);
    h->w = list_room(most, sizeof *h->w);
    h->f = list_room(most, sizeof *h->f);
    h->t = list_room(most, sizeof *h->t);
    h->radius = list_room(most, sizeof *h->radius);
    h->mass = list_room(most, sizeof *h->mass);
    h->cell = list_room(most, sizeof *h->cell);
    h->pair = list_room(16 * grains->count, sizeof *h->pair);
    sorted_by = h;
    qsort(grains->grain, grains->count, sizeof *grains->grain, by_cell);
    for (uint64_t k = 0; k < grains->count; ++k) {
        const demo_grain *g = &grains->grain[k];
        const double mass = g->type == 2 ? 0.0
                                         : 3.14159265358979324 / 6.0 * g->density * g->diameter *
                                               g->diameter * g->diameter;
        list_add(h, g->id, g->position, g->velocity, g->angular_velocity, 0.5 * g->diameter, mass);
    }
    h->own = h->rows;
    for (int c = 0; c < 3; ++c)
        h->low[c] = grains->low[c];
    list_ghosts(h);
    for (int c = 0; c < 3; ++c)
        h->low[c] -= CELL;
    for (uint64_t k = h->own; k < h->rows; ++k)
        h->cell[k] = list_cell(h, h->x[k]);
    list_pairs(h);
}

static void list_free(list_host *h)
{
    void *const all[] = {h->id,     h->x,    h->v,    h->w,    h->f,     h->t,
                         h->radius, h->mass, h->cell, h->pair, h->first, h->next};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k)
        free(all[k]);
}

static dem_contacts_input list_input(const list_host *h)
{
    dem_contacts_input in;
    bench_must(dem_contacts_input_init(&in), "input");
    in.particle_count = h->rows;
    in.ghost_count = h->rows - h->own;
    in.id = h->id;
    in.position = h->x[0];
    in.velocity = h->v[0];
    in.angular_velocity = h->w[0];
    in.radius = h->radius;
    in.mass = h->mass;
    in.pair_count = h->pairs;
    in.pairs = h->pair[0];
    in.dt = 1e-4;
    in.kinematics = DEM_KINEMATICS_STANDARD;
    in.force = h->f[0];
    in.torque = h->t[0];
    return in;
}

/* An executor of the threads of a pool. */
static void list_pool_run(void *user, void (*task)(void *argument, uint64_t k), void *argument,
                          uint64_t count)
{
    demi_pool_run(user, task, argument, count);
}

static demi_pool *list_pool(demi_context *context, int threads)
{
    const dem_allocator allocator = {0};
    const dem_log log = {0};
    bench_must(demi_context_init(context, &allocator, &log), "context");
    demi_pool *pool = demi_pool_create(context, threads);
    if (pool == NULL)
        bench_fail("list", "no thread");
    return pool;
}

int bench_list(int count, char **arguments)
{
    const int warm = count > 1 ? atoi(arguments[1]) : 100,
              steps = count > 2 ? atoi(arguments[2]) : 200,
              threads = count > 3 ? atoi(arguments[3]) : 1;
    if (count < 1 || warm < 0 || steps <= 0 || threads < 1 || threads > 64)
        bench_fail("list",
                   "a folder with grains, numbers of steps, and 1 to 64 threads are wanted");
    demo_grains grains;
    list_host h;
    bench_grains_read(arguments[0], BENCH_BED, 1, 1, &grains);
    list_fill(&h, &grains);
    demo_grains_free(&grains);
    dem_contact_history *history = NULL;
    dem_contact_history_config config;
    bench_model m;
    bench_must(dem_contact_history_config_init(&config), "configuration");
    demi_context context;
    demi_pool *pool = threads > 1 ? list_pool(&context, threads) : NULL;
    if (pool != NULL)
        config.executor = (dem_executor){pool, list_pool_run};
    bench_must(dem_contact_history_create(&config, &history, NULL), "history");
    bench_model_fill(&m, "linear", BENCH_MATCH);
    bench_must(dem_contact_history_model_set(history, 0, 0, &m.model),
               dem_contact_history_error(history));
    const dem_contacts_input in = list_input(&h);
    bench_must(dem_contacts_list_begin(history, &in), dem_contact_history_error(history));
    double seconds = 0.0, work = 0.0, squares = 0.0;
    for (int k = 0; k < warm + steps; ++k) {
        memset(h.f, 0, (size_t)h.own * sizeof *h.f);
        memset(h.t, 0, (size_t)h.own * sizeof *h.t);
        const double start = bench_seconds(), worked = bench_work();
        bench_must(dem_contacts_list_evaluate(history, &in, NULL),
                   dem_contact_history_error(history));
        seconds += k >= warm ? bench_seconds() - start : 0.0;
        work += k >= warm ? bench_work() - worked : 0.0;
    }
    for (uint64_t k = 0; k < h.own; ++k)
        for (int c = 0; c < 3 && h.mass[k] > 0.0; ++c)
            squares += h.f[k][c] * h.f[k][c];
    const double n = (double)h.pairs * (double)steps;
    printf("pairs=%llu contacts=%llu ns=%.2f share=%.2f cpu=%.2f squares=%.15g\n",
           (unsigned long long)h.pairs, (unsigned long long)dem_contact_history_count(history),
           1e9 * seconds / n, work / seconds / threads, 1e9 * work / n, squares);
    dem_contact_history_destroy(history);
    if (pool != NULL)
        demi_pool_destroy(&context, pool);
    list_free(&h);
    return 0;
}
