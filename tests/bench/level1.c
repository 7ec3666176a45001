/* SPDX-License-Identifier: MIT */
/* What level 1 costs a host: contacts that travel, and kept lists beside dem_contacts_evaluate and
 * a loop by hand. Medians of some turns. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cubic lattice cut to 5 contacts a particle: all 3 directions, but every eighth bond is left
 * out. */
enum { EDGE_TRAVEL = 22, EDGE = 35, ROWS = EDGE * EDGE * EDGE, BATCH = 1000, TURNS = 21 };

/* The law, for libdem and by hand: stiffness of both springs, N/m, normal dashpot, N s/m, and
 * Coulomb's friction. */
static const double spring_stiffness = 1e5, dashpot = 10.0, friction = 0.5;

typedef struct host {
    double x[ROWS][3], v[ROWS][3], w[ROWS][3], f[ROWS][3], t[ROWS][3], radius[ROWS], mass[ROWS];
    uint32_t pairs[3 * ROWS][2];
    uint64_t id[ROWS];
    dem_contacts_input input;
} host;

static void host_pair(host *h, uint32_t edge, uint32_t row, int direction)
{
    const uint32_t step[3] = {1, edge, edge * edge}, place = row / step[direction] % edge;
    if (place + 1 == edge || (row + (uint32_t)direction) % 8 == 0)
        return;
    h->pairs[h->input.pair_count][0] = row;
    h->pairs[h->input.pair_count++][1] = row + step[direction];
}

static void host_fill(host *h, uint32_t edge)
{
    const uint32_t rows = edge * edge * edge;
    uint64_t random = 1;
    bench_must(dem_contacts_input_init(&h->input), "input");
    for (uint32_t k = 0; k < rows; ++k) {
        h->radius[k] = 0.5;
        h->mass[k] = 0.5236;
        h->id[k] = (k * 7919u) % rows + 1;
        h->x[k][0] = 0.999 * (k % edge);
        h->x[k][1] = 0.999 * (k / edge % edge);
        h->x[k][2] = 0.999 * (k / edge / edge);
        for (int c = 0; c < 3; ++c) {
            h->w[k][c] = 0.1 * (bench_random(&random) - 0.5);
            host_pair(h, edge, k, c);
        }
    }
    h->input.particle_count = rows;
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
    dem_contact_model model;
    dem_linear law;
    bench_must(dem_linear_init(&law), "law");
    law.stiffness_normal = law.stiffness_tangential = spring_stiffness;
    law.damping = DEM_DAMPING_COEFFICIENT;
    law.damping_normal = dashpot;
    law.damping_tangential = 0.0;
    law.friction = friction;
    bench_must(dem_contact_model_init(&model), "model");
    bench_must(dem_contact_model_add_linear_dsds(&model, &law), "model");
    bench_must(dem_contact_history_config_init(&config), "configuration");
    bench_must(dem_contact_history_create(&config, &history, NULL), "history");
    bench_must(dem_contact_history_model_set(history, 0, 0, &model),
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
        const uint64_t *ids = h->id + (uint64_t)n % (h->input.particle_count / BATCH) * BATCH;
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
           BATCH, 2.0 * (double)h->input.pair_count / (double)h->input.particle_count,
           1e6 * median(pack) / BATCH, 1e6 * median(unpack) / BATCH,
           1e6 * (median(pack) + median(unpack)) / BATCH, 1e6 * median(one) / BATCH);
    free(buffer);
}

/* The law as one would write it by hand: spring and dashpot, and a tangential spring that is
 * projected and cut. */
static void by_hand(host *h, double (*spring)[3])
{
    const double stiffness = spring_stiffness, damping = dashpot, mu = friction, dt = h->input.dt;
    for (uint64_t p = 0; p < h->input.pair_count; ++p) {
        const uint32_t i = h->pairs[p][0], j = h->pairs[p][1];
        double n[3], v[3], w[3], squared = 0.0, vn = 0.0, along = 0.0, size = 0.0;
        for (int c = 0; c < 3; ++c) {
            n[c] = h->x[i][c] - h->x[j][c];
            squared += n[c] * n[c];
        }
        const double touch = h->radius[i] + h->radius[j];
        if (squared >= touch * touch) {
            memset(spring[p], 0, sizeof spring[p]);
            continue;
        }
        const double distance = sqrt(squared), overlap = touch - distance;
        for (int c = 0; c < 3; ++c) {
            n[c] /= distance;
            v[c] = h->v[i][c] - h->v[j][c];
            w[c] = h->radius[i] * h->w[i][c] + h->radius[j] * h->w[j][c];
            vn += v[c] * n[c];
            along += spring[p][c] * n[c];
        }
        const double normal = stiffness * overlap - damping * vn;
        const double push = normal > 0.0 ? normal : 0.0;
        double t[3];
        for (int c = 0; c < 3; ++c) {
            const int a = (c + 1) % 3, b = (c + 2) % 3;
            spring[p][c] += (v[c] - vn * n[c] + n[a] * w[b] - n[b] * w[a]) * dt - along * n[c];
            t[c] = -stiffness * spring[p][c];
            size += t[c] * t[c];
        }
        if (size > mu * push * mu * push)
            for (int c = 0; c < 3; ++c) {
                t[c] *= mu * push / sqrt(size);
                spring[p][c] = t[c] / -stiffness;
            }
        for (int c = 0; c < 3; ++c) {
            const int a = (c + 1) % 3, b = (c + 2) % 3;
            const double turn = n[a] * t[b] - n[b] * t[a];
            h->f[i][c] += push * n[c] + t[c];
            h->f[j][c] -= push * n[c] + t[c];
            h->t[i][c] -= h->radius[i] * turn;
            h->t[j][c] -= h->radius[j] * turn;
        }
    }
}

/* The largest difference between forces and torques of all rows, over the largest of them. */
static double apart(double (*a)[3], double (*b)[3])
{
    double most = 0.0, difference = 0.0;
    for (int k = 0; k < ROWS; ++k)
        for (int c = 0; c < 3; ++c) {
            most = fmax(most, fabs(b[k][c]));
            difference = fmax(difference, fabs(a[k][c] - b[k][c]));
        }
    return difference / most;
}

/* That of one more evaluation by a kept list and by hand: both compute the same law. */
static double kept_difference(host *h, dem_contact_history *kept, double (*spring)[3])
{
    const size_t size = sizeof h->f;
    double(*f)[3] = malloc(size), (*t)[3] = malloc(size);
    if (f == NULL || t == NULL)
        bench_fail("level1", "no memory");
    memset(h->f, 0, size);
    memset(h->t, 0, size);
    bench_must(dem_contacts_list_evaluate(kept, &h->input, NULL), "list");
    memcpy(f, h->f, size);
    memcpy(t, h->t, size);
    memset(h->f, 0, size);
    memset(h->t, 0, size);
    by_hand(h, spring);
    const double difference = fmax(apart(f, h->f), apart(t, h->t));
    free(f);
    free(t);
    return difference;
}

/* The same pairs by dem_contacts_evaluate, by a kept list, and by hand, in turn. */
static void bench_kept(host *h, dem_contact_history *plain, dem_contact_history *kept,
                       const char *name)
{
    double ns[3][TURNS];
    double(*spring)[3] = calloc((size_t)h->input.pair_count, sizeof *spring);
    if (spring == NULL)
        bench_fail("level1", "no memory");
    const int repeats = (int)(200000 / h->input.pair_count) + 1;
    bench_must(dem_contacts_list_begin(kept, &h->input), dem_contact_history_error(kept));
    for (int n = 0; n < TURNS; ++n)
        for (int what = 0; what < 3; ++what) {
            const double start = bench_work();
            for (int k = 0; k < repeats; ++k)
                if (what == 0)
                    bench_must(dem_contacts_evaluate(plain, &h->input, NULL), "evaluation");
                else if (what == 1)
                    bench_must(dem_contacts_list_evaluate(kept, &h->input, NULL), "list");
                else
                    by_hand(h, spring);
            ns[what][n] = 1e9 * (bench_work() - start) / repeats / (double)h->input.pair_count;
        }
    const double evaluate = median(ns[0]), list = median(ns[1]), hand = median(ns[2]);
    printf("level1=kept pairs=%s listed=%llu contacts=%llu evaluate_ns=%.1f kept_ns=%.1f "
           "by_hand_ns=%.1f kept/evaluate=%.2f kept/by_hand=%.2f difference=%.1e\n",
           name, (unsigned long long)h->input.pair_count,
           (unsigned long long)dem_contact_history_count(kept), evaluate, list, hand,
           list / evaluate, list / hand, kept_difference(h, kept, spring));
    free(spring);
}

/* The pairs listed in several calls, each of which keeps the contacts of the others. */
static void bench_parts(host *h, uint64_t parts)
{
    double ns[TURNS];
    dem_contact_history *history = history_make();
    dem_contacts_input in = h->input;
    const uint64_t pairs = h->input.pair_count;
    in.absent = parts > 1 ? DEM_ABSENT_KEEP : DEM_ABSENT_SEPARATED;
    for (int n = -1; n < TURNS; ++n) { /* contacts begin in the first turn */
        const double start = bench_work();
        for (uint64_t k = 0; k < parts; ++k) {
            const uint64_t begin = pairs * k / parts;
            in.pairs = h->pairs[begin];
            in.pair_count = pairs * (k + 1) / parts - begin;
            bench_must(dem_contacts_evaluate(history, &in, NULL), "evaluation");
        }
        if (n >= 0)
            ns[n] = 1e9 * (bench_work() - start) / (double)pairs;
    }
    printf("level1=parts listed=%llu calls=%llu evaluate_ns=%.1f\n", (unsigned long long)pairs,
           (unsigned long long)parts, median(ns));
    dem_contact_history_destroy(history);
}

/* The first pairs of the lattice. */
static void bench_pairs(host *h, uint64_t pairs, const char *name)
{
    dem_contact_history *plain = history_make(), *kept = history_make();
    h->input.pair_count = pairs;
    bench_kept(h, plain, kept, name);
    dem_contact_history_destroy(plain);
    dem_contact_history_destroy(kept);
}

int bench_level1(void)
{
    host *h = calloc(1, sizeof *h);
    if (h == NULL)
        bench_fail("level1", "no memory");
    host_fill(h, EDGE_TRAVEL);
    dem_contact_history *from = history_make(), *to = history_make();
    bench_travel(h, from, to);
    dem_contact_history_destroy(from);
    dem_contact_history_destroy(to);
    memset(h, 0, sizeof *h);
    host_fill(h, EDGE);
    h->input.kinematics = DEM_KINEMATICS_STANDARD;
    bench_pairs(h, 10, "all-touch");
    bench_pairs(h, 1000, "all-touch");
    bench_pairs(h, 100000, "all-touch");
    bench_parts(h, 1);
    bench_parts(h, 8);
    bench_parts(h, 128);
    for (uint32_t k = 0; k < ROWS; ++k) /* apart along x in the lower half */
        h->x[k][0] *= k < ROWS / 2 ? 1.01 : 1.0;
    bench_pairs(h, 100000, "some-apart");
    free(h);
    return 0;
}
