/* SPDX-License-Identifier: MIT */
/**
 * @file list_executors.c
 * Kept lists on the threads of an executor have the bits, and the errors, of one thread.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/heap_short.h"
#include "../support/law.h"
#include "../support/random.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = 14, ROWS = EDGE * EDGE * EDGE, GHOSTS = 150, PAIRS = 4 * ROWS, BYTES = 1 << 23 };

/* ------------------------------------------------------------------ executors */

enum { REVERSED, SHUFFLED, THREADS, KINDS };

typedef struct executor {
    int kind;
    uint64_t calls, tasks; /* of run, and the most of one call */
} executor;

typedef struct job {
    void (*task)(void *argument, uint64_t k);
    void *argument;
    uint64_t count;
    atomic_uint_fast64_t next;
} job;

static void *worker(void *argument)
{
    job *j = argument;
    for (uint64_t k; (k = atomic_fetch_add(&j->next, 1)) < j->count;)
        j->task(j->argument, k);
    return NULL;
}

static void run_tasks(void *user, void (*task)(void *, uint64_t), void *argument, uint64_t count)
{
    executor *e = user;
    e->calls++;
    e->tasks = count > e->tasks ? count : e->tasks;
    if (e->kind == THREADS) {
        job j = {.task = task, .argument = argument, .count = count};
        pthread_t thread[3];
        for (int n = 0; n < 3; ++n)
            assert_int_equal(pthread_create(&thread[n], NULL, worker, &j), 0);
        for (int n = 0; n < 3; ++n)
            assert_int_equal(pthread_join(thread[n], NULL), 0);
        return;
    }
    for (uint64_t k = 0; k < count; ++k) /* 7919 is a prime, and larger than any count */
        task(argument, e->kind == REVERSED ? count - 1 - k : (k * 7919 + 1) % count);
}

/* ------------------------------------------------------------------ hosts */

enum { LINEAR, M1, M4, JKR, ROLLING, LAWS };

static void model_fill(dem_contact_model *model, int law, double stiffness)
{
    static dem_linear linear;
    static dem_hertz hertz;
    static dem_mindlin mindlin;
    static dem_adhesion adhesion;
    static dem_hooke hooke;
    static dem_friction friction;
    static dem_rolling rolling;
    OK(dem_contact_model_init(model));
    OK(dem_linear_init(&linear));
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    OK(dem_adhesion_init(&adhesion));
    OK(dem_hooke_init(&hooke));
    OK(dem_friction_init(&friction));
    OK(dem_rolling_init(&rolling));
    linear.stiffness_normal = hooke.stiffness_normal = stiffness;
    linear.restitution = hooke.restitution = hertz.restitution = adhesion.restitution = 0.8;
    linear.friction = friction.friction = mindlin.friction = 0.3;
    friction.stiffness_tangential = rolling.stiffness = 0.3 * stiffness;
    rolling.friction = 0.1;
    hertz.young[0] = adhesion.young[0] = 20.0 * stiffness;
    adhesion.work_of_adhesion = 0.05;
    if (law == LINEAR)
        OK(dem_contact_model_add_linear_csds(model, &linear));
    else if (law == ROLLING) {
        OK(dem_contact_model_add_hooke(model, &hooke));
        OK(dem_contact_model_add_friction(model, &friction));
        OK(dem_contact_model_add_rolling_csds(model, &rolling));
    } else if (law == JKR) {
        OK(dem_contact_model_add_jkr(model, &adhesion));
        OK(dem_contact_model_add_mindlin(model, &mindlin));
    } else {
        OK(dem_contact_model_add_hertz(model, &hertz));
        if (law == M4)
            OK(dem_contact_model_add_mindlin_deresiewicz(model, &mindlin));
        else
            OK(dem_contact_model_add_mindlin(model, &mindlin));
    }
}

/** Spheres of two materials near a lattice, the last of which are ghosts. */
typedef struct host {
    double x[ROWS][3], v[ROWS][3], w[ROWS][3], a[ROWS][3], f[ROWS][3], t[ROWS][3];
    double radius[ROWS], mass[ROWS];
    int32_t material[ROWS];
    uint64_t id[ROWS];
    uint32_t pairs[PAIRS][2];
    double overlap[PAIRS], normal[PAIRS][3], point[PAIRS][3], star[PAIRS];
    dem_contacts_geometry geometry;
    dem_contacts_input in;
    dem_contact_totals totals;
    dem_contact_history *history;
} host;

static dem_contact_history_config config_of(executor *e)
{
    dem_contact_history_config config;
    OK(dem_contact_history_config_init(&config));
    config.material_count = 2;
    if (e != NULL)
        config.executor = (dem_executor){e, run_tasks};
    return config;
}

static host *host_make(const dem_contact_history_config *config, int law)
{
    test_random random = test_random_start("list executors");
    host *h = calloc(1, sizeof *h);
    assert_non_null(h);
    for (uint32_t n = 0; n < ROWS; ++n) {
        const double at[3] = {n % EDGE, n / EDGE % EDGE, n / EDGE / EDGE};
        for (int c = 0; c < 3; ++c) {
            h->x[n][c] = 0.97 * at[c] + test_uniform(&random, -0.03, 0.03);
            h->v[n][c] = test_uniform(&random, -0.5, 0.5);
            h->w[n][c] = test_uniform(&random, -1.0, 1.0);
        }
        h->radius[n] = n % 97 == 0 ? 0.6 : test_uniform(&random, 0.45, 0.5);
        h->mass[n] = n % 11 == 0 ? 0.0 : 0.1;
        h->material[n] = n % 5 == 0;
        h->id[n] = 3 * ((n * 29) % ROWS);
    }
    OK(dem_contacts_input_init(&h->in));
    dem_contacts_input *in = &h->in;
    in->particle_count = ROWS;
    in->ghost_count = GHOSTS;
    in->id = h->id;
    in->position = h->x[0];
    in->velocity = h->v[0];
    in->angular_velocity = h->w[0];
    in->acceleration = h->a[0];
    in->radius = h->radius;
    in->mass = h->mass;
    in->material = h->material;
    in->force = h->f[0];
    in->torque = h->t[0];
    in->pairs = h->pairs[0];
    in->dt = 1e-3;
    in->velocity_lag = 5e-4;
    for (uint32_t i = 0; i < ROWS; ++i)
        for (uint32_t j = 0; j < i; ++j) {
            const double d[3] = {h->x[i][0] - h->x[j][0], h->x[i][1] - h->x[j][1],
                                 h->x[i][2] - h->x[j][2]};
            if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > 1.3 * 1.3)
                continue;
            const uint64_t p = in->pair_count++;
            assert_true(p < PAIRS);
            h->pairs[p][(i + j) % 2] = i;
            h->pairs[p][1 - (i + j) % 2] = j;
        }
    OK(dem_contacts_geometry_init(&h->geometry));
    h->geometry.overlap = h->overlap;
    h->geometry.normal = h->normal[0];
    h->geometry.point = h->point[0];
    h->geometry.radius = h->star;
    h->totals.struct_size = sizeof h->totals;
    OK(dem_contact_history_create(config, &h->history, NULL));
    for (int32_t a = 0; a < 2; ++a)
        for (int32_t b = a; b < 2; ++b) {
            dem_contact_model model;
            model_fill(&model, (law + a + b) % LAWS, 1000.0 + 100.0 * (a + b));
            OK(dem_contact_history_model_set(h->history, a, b, &model));
        }
    return h;
}

static void host_free(host *h)
{
    dem_contact_history_destroy(h->history);
    free(h);
}

static void drift(host *h)
{
    for (uint32_t n = 0; n < ROWS; ++n)
        for (int c = 0; c < 3; ++c) {
            h->a[n][c] = h->mass[n] > 0.0 ? h->f[n][c] / h->mass[n] : 0.0;
            h->v[n][c] += h->in.dt * h->a[n][c];
            h->x[n][c] += h->mass[n] > 0.0 ? h->in.dt * h->v[n][c] : 0.0;
            h->f[n][c] = n % 3 == 2 ? -0.0 : 0.01 * (n % 3);
            h->t[n][c] = n % 2 ? -0.0 : 0.0;
        }
}

/** Surfaces that are bumpy: contact points beside the line of the centres. */
static void geometry_make(host *h)
{
    for (uint64_t p = 0; p < h->in.pair_count; ++p) {
        const uint32_t i = h->pairs[p][0], j = h->pairs[p][1];
        double d[3], square = 0.0;
        for (int c = 0; c < 3; ++c) {
            d[c] = h->x[i][c] - h->x[j][c];
            square += d[c] * d[c];
        }
        const double length = sqrt(square);
        h->overlap[p] = h->radius[i] + h->radius[j] - length;
        h->star[p] = 0.2 + 0.01 * (double)(p % 7);
        for (int c = 0; c < 3; ++c) {
            h->normal[p][c] = d[c] / length;
            h->point[p][c] =
                h->x[i][c] - h->radius[i] * h->normal[p][c] + 0.02 * h->normal[p][(c + 1) % 3];
        }
    }
}

static unsigned char *bytes_of(const host *h)
{
    unsigned char *bytes = calloc(1, BYTES);
    assert_non_null(bytes);
    OK(dem_contact_history_snapshot(h->history, bytes, BYTES, NULL));
    return bytes;
}

static void equal(const host *a, const host *b)
{
    assert_memory_equal(a->f, b->f, sizeof a->f);
    assert_memory_equal(a->t, b->t, sizeof a->t);
    assert_memory_equal(&a->totals, &b->totals, sizeof a->totals);
    unsigned char *one = bytes_of(a), *other = bytes_of(b);
    assert_memory_equal(one, other, BYTES);
    free(one);
    free(other);
}

/* ------------------------------------------------------------------ tests */

static void same_bits(void **state)
{
    (void)state;
    const int laws = test_slow() ? 1 : LAWS;
    for (int law = 0; law < laws; ++law)
        for (int kind = 0; kind < KINDS; ++kind) {
            executor e = {.kind = kind};
            const dem_contact_history_config alone = config_of(NULL), many = config_of(&e);
            host *one = host_make(&alone, law), *other = host_make(&many, law);
            host *const both[2] = {one, other};
            for (int k = 0; k < 2; ++k)
                OK(dem_contacts_list_begin(both[k]->history, &both[k]->in));
            for (int step = 0; step < 12; ++step) {
                for (int k = 0; k < 2; ++k) {
                    drift(both[k]);
                    both[k]->in.forces_only = step == 5;
                    OK(dem_contacts_list_evaluate(both[k]->history, &both[k]->in,
                                                  step % 3 == 2 ? NULL : &both[k]->totals));
                }
                equal(one, other);
            }
            assert_true(one->totals.contacts > 2000 && one->totals.dissipated_dashpot > 0.0);
            /* rows are read, pairs computed, forces added and written */
            assert_true(e.calls == 4 * 12 && e.tasks >= 7);
            host_free(one);
            host_free(other);
        }
}

/** One step of a list, with geometry or without. */
static dem_status list_step(host *h, int given, dem_contact_totals *totals)
{
    return given ? dem_contacts_list_evaluate_geometry(h->history, &h->in, &h->geometry, totals)
                 : dem_contacts_list_evaluate(h->history, &h->in, totals);
}

/** With geometry of the host, with ghosts and without; steps of spheres between them. */
static void same_bits_with_geometry(void **state)
{
    (void)state;
    const int laws = test_slow() ? 1 : LAWS;
    for (int law = LINEAR; law < laws; law += 2) {
        executor e = {.kind = (law + THREADS) % KINDS};
        const dem_contact_history_config alone = config_of(NULL), many = config_of(&e);
        host *one = host_make(&alone, law), *other = host_make(&many, law);
        host *const both[2] = {one, other};
        for (int k = 0; k < 2; ++k) {
            both[k]->in.ghost_count = law == M4 ? 0 : GHOSTS;
            OK(dem_contacts_list_begin(both[k]->history, &both[k]->in));
        }
        for (int step = 0; step < 12; ++step) {
            for (int k = 0; k < 2; ++k) {
                drift(both[k]);
                geometry_make(both[k]);
                both[k]->in.forces_only = step == 5;
                both[k]->in.torque = step == 6 ? NULL : both[k]->t[0];
                OK(list_step(both[k], step % 5 != 3, step % 3 == 2 ? NULL : &both[k]->totals));
                if (step == 8) {
                    OK(dem_contacts_undo(both[k]->history));
                    OK(list_step(both[k], 1, &both[k]->totals));
                }
            }
            equal(one, other);
        }
        assert_true(one->totals.contacts > 2000 && one->totals.elastic_energy > 0.0);
        /* with geometry forces are added where they are written; two of the 13 steps have none */
        assert_true(e.calls == 3 * 11 + 4 * 2 && e.tasks >= 7);
        host_free(one);
        host_free(other);
    }
}

/** What is wrong in the geometry is told as one thread tells it, and nothing has changed. */
static void same_errors_of_geometry(void **state)
{
    (void)state;
    test_long();
    for (int bad = 0; bad < 5; ++bad) {
        executor e = {.kind = SHUFFLED};
        const dem_contact_history_config alone = config_of(NULL), many = config_of(&e);
        host *one = host_make(&alone, M1), *other = host_make(&many, M1);
        host *const both[2] = {one, other};
        char text[2][512];
        for (int k = 0; k < 2; ++k) {
            host *h = both[k];
            const uint64_t late = h->in.pair_count * 3 / 4;
            OK(dem_contacts_list_begin(h->history, &h->in));
            geometry_make(h);
            OK(list_step(h, 1, &h->totals));
            if (bad == 0)
                h->overlap[late] = 0.9;
            else if (bad == 1)
                h->normal[late][1] += 0.5;
            else if (bad == 2)
                h->star[late] = -1.0;
            else if (bad == 3)
                h->point[late][2] = INFINITY;
            else /* two errors: the first of the list is told */
                h->overlap[late] = 0.9, h->star[100] = 0.0;
            unsigned char *before = bytes_of(h);
            static double f[ROWS][3];
            memcpy(f, h->f, sizeof f);
            assert_int_equal(list_step(h, 1, NULL), bad == 0 ? DEM_ERROR_OVERLAP : DEM_ERROR_RANGE);
            (void)snprintf(text[k], sizeof text[k], "%s", dem_contact_history_error(h->history));
            assert_memory_equal(f, h->f, sizeof f);
            unsigned char *after = bytes_of(h);
            assert_memory_equal(before, after, BYTES);
            free(before);
            free(after);
            geometry_make(h);
            OK(list_step(h, 1, &h->totals));
        }
        assert_true(strlen(text[0]) > 20);
        assert_string_equal(text[0], text[1]);
        equal(one, other);
        host_free(one);
        host_free(other);
    }
}

static int pair_touches(const host *h, const uint32_t *pair)
{
    double square = 0.0;
    for (int c = 0; c < 3; ++c) {
        const double d = h->x[pair[0]][c] - h->x[pair[1]][c];
        square += d * d;
    }
    const double touch = h->radius[pair[0]] + h->radius[pair[1]];
    return square < 1.01 * touch * touch;
}

/** A pair late in the list whose rows touch nothing in pairs before it. */
static const uint32_t *late_alone(const host *h)
{
    for (uint64_t p = h->in.pair_count * 3 / 4; p < h->in.pair_count; ++p) {
        const uint32_t *pair = h->pairs[p];
        int alone = 1;
        for (uint64_t q = 0; alone && q < p; ++q)
            for (int e = 0; e < 4; ++e)
                alone &= h->pairs[q][e / 2] != pair[e % 2] || !pair_touches(h, h->pairs[q]);
        if (alone)
            return pair;
    }
    fail_msg("each late pair has a row that touches another one");
    return NULL;
}

/** Two spheres at one place late in the list, a distance that is not finite, two errors, and a row
 * of the first task that is not finite. */
static void same_errors(void **state)
{
    (void)state;
    static const dem_status expected[] = {DEM_ERROR_OVERLAP, DEM_ERROR_RANGE, DEM_ERROR_OVERLAP,
                                          DEM_ERROR_DIVERGED};
    for (int bad = 0; bad < 4; ++bad) {
        executor e = {.kind = REVERSED};
        const dem_contact_history_config alone = config_of(NULL), many = config_of(&e);
        host *one = host_make(&alone, M1), *other = host_make(&many, M1);
        host *const both[2] = {one, other};
        char text[2][512];
        for (int k = 0; k < 2; ++k) {
            host *h = both[k];
            OK(dem_contacts_list_begin(h->history, &h->in));
            drift(h);
            OK(dem_contacts_list_evaluate(h->history, &h->in, &h->totals));
            drift(h);
            const uint32_t *pair = bad == 1 ? late_alone(h) : h->pairs[h->in.pair_count * 3 / 4],
                           *last = h->pairs[100];
            static double kept[ROWS][3];
            memcpy(kept, h->x, sizeof kept);
            if (bad == 0)
                memcpy(h->x[pair[0]], h->x[pair[1]], sizeof kept[0]);
            else if (bad == 1)
                h->x[pair[0]][1] = -(h->x[pair[1]][1] = 1.7e308);
            else if (bad == 3)
                h->x[h->pairs[0][0]][2] = NAN;
            else { /* two errors: the first of the list is told */
                memcpy(h->x[pair[0]], h->x[pair[1]], sizeof kept[0]);
                memcpy(h->x[last[0]], h->x[last[1]], sizeof kept[0]);
            }
            const dem_status status = dem_contacts_list_evaluate(h->history, &h->in, &h->totals);
            assert_int_equal(status, expected[bad]);
            (void)snprintf(text[k], sizeof text[k], "%s", dem_contact_history_error(h->history));
            memcpy(h->x, kept, sizeof kept);
            OK(dem_contacts_list_evaluate(h->history, &h->in, &h->totals));
        }
        assert_true(strlen(text[0]) > 20);
        assert_string_equal(text[0], text[1]);
        equal(one, other);
        host_free(one);
        host_free(other);
    }
}

/** A law that fails is called again by one thread, which tells the error. */
static void law_that_fails(void **state)
{
    (void)state;
    executor e = {.kind = SHUFFLED};
    test_law_control control = {0, -1, 0.0};
    const dem_law law = test_law(&control);
    const test_spring spring = {500.0};
    const dem_contact_history_config many = config_of(&e);
    dem_contact_model model;
    host *h = host_make(&many, LINEAR);
    OK(dem_contact_history_law_register(h->history, &law));
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add(&model, law.name, &spring));
    OK(dem_contact_history_model_set(h->history, 0, 1, &model));
    OK(dem_contacts_list_begin(h->history, &h->in));
    OK(dem_contacts_list_evaluate(h->history, &h->in, &h->totals));
    unsigned char *before = bytes_of(h), *after;
    drift(h);
    control.fail_at = control.calls + 20; /* it fails once: one thread finds all well */
    OK(dem_contacts_list_evaluate(h->history, &h->in, &h->totals));
    after = bytes_of(h);
    assert_true(memcmp(before, after, BYTES) != 0);
    free(before);
    free(after);
    host_free(h);
}

/** With exact sums one thread does all, and where memory is short nothing has changed. */
static void one_thread_and_memory(void **state)
{
    (void)state;
    executor e = {.kind = REVERSED};
    dem_contact_history_config exact = config_of(&e);
    exact.sums = DEM_SUMS_EXACT;
    exact.force_range = exact.torque_range = 1e6;
    host *h = host_make(&exact, LINEAR);
    OK(dem_contacts_list_begin(h->history, &h->in));
    OK(dem_contacts_list_evaluate(h->history, &h->in, &h->totals));
    assert_int_equal(e.calls, 0);
    host_free(h);
    short_heap heap = {.fail_at = UINT64_MAX};
    dem_contact_history_config short_of = config_of(&e);
    short_of.allocator = short_allocator(&heap);
    h = host_make(&short_of, LINEAR);
    const uint64_t first = heap.calls;
    uint64_t failed = 0;
    for (dem_status status = DEM_ERROR_MEMORY; status != DEM_OK; ++failed) {
        heap.fail_at = heap.calls + failed;
        status = dem_contacts_list_begin(h->history, &h->in);
        assert_true(status == DEM_OK || status == DEM_ERROR_MEMORY);
    }
    heap.fail_at = UINT64_MAX;
    assert_true(failed > 6 && heap.calls > first);
    OK(dem_contacts_list_evaluate(h->history, &h->in, &h->totals));
    assert_int_equal(e.calls, 4);
    host_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),      cmocka_unit_test(same_bits_with_geometry),
        cmocka_unit_test(same_errors),    cmocka_unit_test(same_errors_of_geometry),
        cmocka_unit_test(law_that_fails), cmocka_unit_test(one_thread_and_memory)};
    return cmocka_run_group_tests_name("list_executors", tests, NULL, NULL);
}
