/* SPDX-License-Identifier: MIT */
/* What level 1 costs a host beside the contacts themselves: contacts that travel. Medians of some
 * turns. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

/* A cubic lattice cut to 5 contacts a particle: all 3 directions, but every eighth bond is left
 * out. */
enum { EDGE = 22, ROWS = EDGE * EDGE * EDGE, BATCH = 1000, TURNS = 21 };

typedef struct host {
    double x[ROWS][3], v[ROWS][3], w[ROWS][3], f[ROWS][3], t[ROWS][3], radius[ROWS], mass[ROWS];
    uint32_t pairs[3 * ROWS][2];
    uint64_t id[ROWS];
    dem_contacts_input input;
} host;

static void host_pair(host *h, uint32_t row, int direction)
{
    static const uint32_t step[3] = {1, EDGE, EDGE * EDGE};
    const uint32_t place = row / step[direction] % EDGE;
    if (place + 1 == EDGE || (row + (uint32_t)direction) % 8 == 0)
        return;
    h->pairs[h->input.pair_count][0] = row;
    h->pairs[h->input.pair_count++][1] = row + step[direction];
}

static void host_fill(host *h)
{
    uint64_t random = 1;
    bench_must(dem_contacts_input_init(&h->input), "input");
    for (uint32_t k = 0; k < ROWS; ++k) {
        h->radius[k] = 0.5;
        h->mass[k] = 0.5236;
        h->id[k] = (k * 7919u) % ROWS + 1;
        h->x[k][0] = 0.999 * (k % EDGE);
        h->x[k][1] = 0.999 * (k / EDGE % EDGE);
        h->x[k][2] = 0.999 * (k / EDGE / EDGE);
        for (int c = 0; c < 3; ++c) {
            h->w[k][c] = 0.1 * (bench_random(&random) - 0.5);
            host_pair(h, k, c);
        }
    }
    h->input.particle_count = ROWS;
    h->input.id = h->id;
    h->input.position = h->x[0];
    h->input.velocity = h->v[0];
    h->input.angular_velocity = h->w[0];
    h->input.radius = h->radius;
    h->input.mass = h->mass;
    h->input.pairs = h->pairs[0];
    h->input.force = h->f[0];
    h->input.torque = h->t[0];
    h->input.dt = 1e-4;
    h->input.velocity_lag = 0.5e-4;
}

static dem_contact_history *history_make(void)
{
    dem_contact_history *history = NULL;
    dem_contact_history_config config;
    bench_model m;
    bench_must(dem_contact_history_config_init(&config), "configuration");
    bench_must(dem_contact_history_create(&config, &history, NULL), "history");
    bench_model_fill(&m, "linear-csds", BENCH_DEFAULT);
    bench_must(dem_contact_history_model_set(history, 0, 0, &m.model),
               dem_contact_history_error(history));
    return history;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double median(double *values)
{
    qsort(values, TURNS, sizeof values[0], ascending);
    return values[TURNS / 2];
}

/* Contacts of the first particles go to an empty history, after an evaluation. */
static void bench_travel(host *h, dem_contact_history *from, dem_contact_history *to)
{
    double pack[TURNS], unpack[TURNS], one[TURNS];
    const uint64_t size = 8 * 1000 * 1000;
    void *buffer = malloc(size);
    uint64_t bytes = 0;
    if (buffer == NULL)
        bench_fail("level1", "no memory");
    for (int n = 0; n < TURNS; ++n) {
        bench_must(dem_contacts_evaluate(from, &h->input, NULL), "evaluation");
        const uint64_t *ids = h->id + (uint64_t)n % (ROWS / BATCH) * BATCH;
        const double start = bench_work();
        bench_must(dem_contact_history_pack(from, BATCH, ids, buffer, size, &bytes), "packing");
        const double packed = bench_work();
        bench_must(dem_contact_history_unpack(to, buffer, bytes), "unpacking");
        const double done = bench_work();
        pack[n] = packed - start;
        unpack[n] = done - packed;
        bench_must(dem_contact_history_clear(to), "clearing");
        const double begin = bench_work();
        for (uint64_t k = 0; k < BATCH; ++k) {
            bench_must(dem_contact_history_pack(from, 1, ids + k, buffer, size, &bytes), "packing");
            bench_must(dem_contact_history_unpack(to, buffer, bytes), "unpacking");
        }
        one[n] = bench_work() - begin;
        bench_must(dem_contact_history_clear(to), "clearing");
    }
    printf("level1=travel particles=%d contacts_per_particle=%.2f pack_us=%.2f unpack_us=%.2f "
           "both_us=%.2f one_by_one_us=%.2f\n",
           BATCH, 2.0 * (double)h->input.pair_count / ROWS, 1e6 * median(pack) / BATCH,
           1e6 * median(unpack) / BATCH, 1e6 * (median(pack) + median(unpack)) / BATCH,
           1e6 * median(one) / BATCH);
    free(buffer);
}

int bench_level1(void)
{
    host *h = calloc(1, sizeof *h);
    if (h == NULL)
        bench_fail("level1", "no memory");
    host_fill(h);
    dem_contact_history *from = history_make(), *to = history_make();
    bench_travel(h, from, to);
    dem_contact_history_destroy(from);
    dem_contact_history_destroy(to);
    free(h);
    return 0;
}
