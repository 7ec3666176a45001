/* SPDX-License-Identifier: MIT */
/* What a contact costs at level 1, law by law, next to the linear law: pairs of spheres, each pair
 * on its own, that slide to and fro. The turns of the laws alternate; medians are compared. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { PAIRS = 4096, ROWS = 2 * PAIRS, TURNS = 15, MOST = 64 };

typedef struct host {
    double x[ROWS][3], v[ROWS][3], w[ROWS][3], f[ROWS][3], t[ROWS][3], radius[ROWS], mass[ROWS];
    uint32_t pairs[PAIRS][2];
    dem_contacts_input input;
} host;

static void host_fill(host *h)
{
    uint64_t random = 1;
    dem_contacts_input_init(&h->input);
    for (uint32_t k = 0; k < ROWS; ++k) {
        const uint32_t pair = k / 2;
        h->pairs[pair][k % 2] = k;
        h->radius[k] = 0.5;
        h->mass[k] = 0.5236;
        h->x[k][0] = 3.0 * (pair % 64) + 0.999 * (k % 2);
        h->x[k][1] = 3.0 * (pair / 64);
        for (int c = 0; c < 3; ++c)
            h->w[k][c] = 0.1 * (bench_random(&random) - 0.5);
    }
    h->input.particle_count = ROWS;
    h->input.position = h->x[0];
    h->input.velocity = h->v[0];
    h->input.angular_velocity = h->w[0];
    h->input.radius = h->radius;
    h->input.mass = h->mass;
    h->input.pair_count = PAIRS;
    h->input.pairs = h->pairs[0];
    h->input.force = h->f[0];
    h->input.torque = h->t[0];
    h->input.dt = 1e-4;
    h->input.velocity_lag = 0.5e-4;
}

/* Computing time of some evaluations, ns a contact. The speed is such that springs slide for half
 * of the time. */
static double turn(host *h, dem_contact_history *history, int evaluations)
{
    double seconds = 0.0;
    for (int n = 0; n < evaluations; ++n) {
        const double speed = n / 10 % 2 == 0 ? 1.0 : -1.0;
        for (uint32_t k = 0; k < ROWS; k += 2) {
            h->v[k][1] = speed;
            h->v[k][2] = 0.5 * speed;
        }
        memset(h->f, 0, sizeof h->f);
        memset(h->t, 0, sizeof h->t);
        const double start = bench_work();
        const dem_status status = dem_contacts_evaluate(history, &h->input, NULL);
        seconds += bench_work() - start;
        bench_must(status, dem_contact_history_error(history));
    }
    return 1e9 * seconds / ((double)evaluations * PAIRS);
}

/* A law that does nothing: what is left is the cost of a contact but for its law. */
static dem_status nothing_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                  void *combined, dem_error *error)
{
    (void)user, (void)parameters, (void)pair, (void)combined, (void)error;
    return DEM_OK;
}

static dem_status nothing_evaluate(void *user, uint64_t n, dem_contact_batch *batch,
                                   const void *combined)
{
    (void)user, (void)n, (void)batch, (void)combined;
    return DEM_OK;
}

static dem_contact_history *history_make(const char *names)
{
    dem_contact_history *history = NULL;
    dem_contact_history_config config;
    dem_error error = {0};
    dem_law nothing;
    bench_model m;
    bench_must(dem_contact_history_config_init(&config), "configuration");
    bench_must(dem_contact_history_create(&config, &history, &error), error.message);
    dem_law_init(&nothing);
    nothing.name = BENCH_NOTHING;
    nothing.kind = DEM_LAW_WHOLE;
    nothing.parameters_size = nothing.combined_size = sizeof(double);
    nothing.combine = nothing_combine;
    nothing.evaluate = nothing_evaluate;
    bench_must(dem_contact_history_law_register(history, &nothing),
               dem_contact_history_error(history));
    bench_model_fill(&m, names, BENCH_DEFAULT);
    bench_must(dem_contact_history_model_set(history, 0, 0, &m.model),
               dem_contact_history_error(history));
    return history;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

int bench_costs(int count, char **arguments)
{
    const int evaluations = count > 0 ? atoi(arguments[0]) : 40;
    dem_contact_history *history[MOST];
    double ns[MOST][TURNS];
    int laws = 0;
    host *h = calloc(1, sizeof *h);
    if (h == NULL || evaluations <= 0)
        bench_fail("costs", "no memory, or no evaluations");
    host_fill(h);
    for (; bench_models[laws] != NULL && laws < MOST; ++laws) {
        history[laws] = history_make(bench_models[laws]);
        (void)turn(h, history[laws], 20);
    }
    for (int n = 0; n < TURNS; ++n)
        for (int k = 0; k < laws; ++k)
            ns[k][n] = turn(h, history[k], evaluations);
    for (int k = 0; k < laws; ++k) {
        qsort(ns[k], TURNS, sizeof ns[k][0], ascending);
        const double median = ns[k][TURNS / 2], kinematics = ns[0][TURNS / 2],
                     linear = ns[1][TURNS / 2];
        printf("law=%s ns_per_contact=%.1f relative=%.2f law_ns=%.1f\n", bench_models[k], median,
               median / linear, median - kinematics);
        dem_contact_history_destroy(history[k]);
    }
    free(h);
    return 0;
}
