/* SPDX-License-Identifier: MIT */
/**
 * @file kept_geometry.c
 * A kept list whose geometry the host gives has the bits of dem_contacts_evaluate_geometry: forces,
 * torques, contacts, totals and errors; with walls as rows, ghosts, images and exact sums.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/random.h"
#include "../support/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = 4, GRAINS = EDGE * EDGE * EDGE, WALLS = 2, ROWS = GRAINS + WALLS, PAIRS = 20 * ROWS };
#define PERIOD (0.97 * EDGE)

typedef struct host {
    double x[ROWS][3], v[ROWS][3], w[ROWS][3], a[ROWS][3], f[ROWS][3], t[ROWS][3];
    double radius[ROWS], mass[ROWS], shifts[PAIRS][3];
    int32_t images[PAIRS][3];
    uint64_t id[ROWS], features[PAIRS];
    uint32_t pairs[PAIRS][2];
    double overlap[PAIRS], normal[PAIRS][3], point[PAIRS][3], star[PAIRS];
    dem_contacts_input in;
    dem_contacts_geometry geometry;
    dem_contact_totals totals;
    dem_contact_history *history;
} host;

/** What differs from one run to the next. */
typedef struct scene {
    int m4, exact, absent;
    uint64_t ghosts;
    int spheres_every; /* steps of which one has no geometry; 0: none */
    int bare;          /* no walls */
    int twice;         /* each wall contact has a second feature, which ends with some lists */
} scene;

static dem_contact_history *history_make(const scene *s)
{
    dem_contact_history_config config;
    dem_contact_history *history = NULL;
    dem_contact_model model;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_linear linear;
    OK(dem_contact_history_config_init(&config));
    if (s->exact) {
        config.sums = DEM_SUMS_EXACT;
        config.force_range = config.torque_range = 1e4;
    }
    OK(dem_contact_history_create(&config, &history, NULL));
    OK(dem_contact_model_init(&model));
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    OK(dem_linear_init(&linear));
    hertz.young[0] = 2e4;
    hertz.poisson[0] = 0.3;
    hertz.restitution = linear.restitution = 0.8;
    mindlin.friction = linear.friction = 0.3;
    linear.stiffness_normal = 1000.0;
    if (s->m4) {
        OK(dem_contact_model_add_hertz(&model, &hertz));
        OK(dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin));
    } else {
        OK(dem_contact_model_add_linear_csds(&model, &linear));
    }
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    return history;
}

static void pair_add(host *h, uint32_t i, uint32_t j, int shift, uint64_t feature)
{
    const uint64_t p = h->in.pair_count++;
    const int turned = (i + j) % 2;
    assert_true(p < PAIRS);
    h->pairs[p][turned] = i;
    h->pairs[p][1 - turned] = j;
    h->images[p][0] = turned ? -shift : shift;
    h->shifts[p][0] = (turned ? -shift : shift) * PERIOD;
    h->features[p] = feature;
}

/** Grains that are near each other, and near the floor and the ceiling, which are rows. */
static void host_list(host *h, const scene *s, int n)
{
    h->in.pair_count = 0;
    for (uint32_t i = 0; i < GRAINS; ++i) {
        for (uint32_t j = 0; j < i; ++j)
            for (int shift = -1; shift <= 1; ++shift) {
                const double d[3] = {h->x[i][0] - h->x[j][0] - shift * PERIOD,
                                     h->x[i][1] - h->x[j][1], h->x[i][2] - h->x[j][2]};
                if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < 1.2 * 1.2)
                    pair_add(h, i, j, shift, 0);
            }
        for (uint32_t wall = 0; wall < WALLS && !s->bare; ++wall)
            if (fabs(h->x[i][2] - h->x[GRAINS + wall][2]) < 0.8) {
                pair_add(h, i, GRAINS + wall, 0, 1);
                if (s->twice && (n / 7 + (int)i) % 3 != 0)
                    pair_add(h, i, GRAINS + wall, 0, 2);
            }
    }
}

/** Of spheres, and of planes: the second feature of a grain at a wall is a little higher. */
static void geometry_make(host *h)
{
    for (uint64_t p = 0; p < h->in.pair_count; ++p) {
        const uint32_t i = h->pairs[p][0], j = h->pairs[p][1];
        double d[3], length = 0.0;
        const int wall = i >= GRAINS || j >= GRAINS;
        for (int c = 0; c < 3; ++c) {
            d[c] = wall && c < 2 ? 0.0 : h->x[i][c] - h->x[j][c] - h->shifts[p][c];
            length += d[c] * d[c];
        }
        length = sqrt(length);
        const double radius = i >= GRAINS ? h->radius[j] : h->radius[i];
        h->overlap[p] =
            (wall ? radius : h->radius[i] + h->radius[j]) - length - 0.01 * (double)h->features[p];
        h->star[p] = wall ? radius : 0.5 * radius;
        for (int c = 0; c < 3; ++c) {
            h->normal[p][c] = d[c] / length;
            h->point[p][c] = i >= GRAINS ? h->x[j][c] + radius * h->normal[p][c]
                                         : h->x[i][c] - radius * h->normal[p][c];
        }
    }
}

static void host_make(host *h, const scene *s)
{
    test_random random = test_random_start("kept geometry");
    memset(h, 0, sizeof *h);
    for (uint32_t n = 0; n < ROWS; ++n) {
        const double at[3] = {n % EDGE, n / EDGE % EDGE, n / EDGE / EDGE};
        for (int c = 0; c < 3; ++c) {
            h->x[n][c] = 0.97 * at[c] + test_uniform(&random, -0.03, 0.03);
            h->v[n][c] = test_uniform(&random, -0.5, 0.5);
            h->w[n][c] = test_uniform(&random, -1.0, 1.0);
        }
        h->radius[n] = test_uniform(&random, 0.45, 0.5);
        h->mass[n] = 0.1;
        h->id[n] = 3 * ((n * 29) % GRAINS);
    }
    for (uint32_t n = GRAINS; n < ROWS; ++n) {
        memset(h->v[n], 0, sizeof h->v[n]);
        memset(h->w[n], 0, sizeof h->w[n]);
        h->x[n][2] = n == GRAINS ? -0.47 : 0.97 * EDGE - 0.5;
        h->mass[n] = 0.0;
        h->radius[n] = 1.0;
        h->id[n] = 7 + 3 * (uint64_t)(n * 1000);
    }
    OK(dem_contacts_input_init(&h->in));
    dem_contacts_input *in = &h->in;
    in->particle_count = ROWS;
    in->ghost_count = s->ghosts;
    in->absent = s->absent;
    in->id = h->id;
    in->position = h->x[0];
    in->velocity = h->v[0];
    in->angular_velocity = h->w[0];
    in->acceleration = h->a[0];
    in->radius = h->radius;
    in->mass = h->mass;
    in->force = h->f[0];
    in->torque = h->t[0];
    in->pairs = h->pairs[0];
    in->shifts = h->shifts[0];
    in->images = h->images[0];
    in->features = h->features;
    in->dt = 1e-3;
    in->velocity_lag = 5e-4;
    h->totals.struct_size = sizeof h->totals;
    OK(dem_contacts_geometry_init(&h->geometry));
    h->geometry.overlap = h->overlap;
    h->geometry.normal = h->normal[0];
    h->geometry.point = h->point[0];
    h->geometry.radius = h->star;
    h->history = history_make(s);
}

static void drift(host *h)
{
    for (uint32_t n = 0; n < ROWS; ++n)
        for (int c = 0; c < 3; ++c) {
            h->a[n][c] = h->mass[n] > 0.0 ? h->f[n][c] / h->mass[n] : 0.0;
            h->v[n][c] += h->in.dt * h->a[n][c];
            h->x[n][c] += h->in.dt * h->v[n][c];
        }
    for (uint32_t n = 0; n < ROWS; ++n)
        for (int c = 0; c < 3; ++c)
            h->f[n][c] = h->t[n][c] = 0.01 * (n % 3); /* what is there already is added to */
}

static void equal(const host *a, const host *b)
{
    static unsigned char bytes[2][1 << 19];
    assert_memory_equal(a->f, b->f, sizeof a->f);
    assert_memory_equal(a->t, b->t, sizeof a->t);
    assert_memory_equal(&a->totals, &b->totals, sizeof a->totals);
    snapshot s = snapshot_history(a->history), t = snapshot_history(b->history);
    assert_true(s.count > 10 && snapshot_equal(&s, &t));
    snapshot_free(&s);
    snapshot_free(&t);
    memset(bytes, 0, sizeof bytes);
    OK(dem_contact_history_snapshot(a->history, bytes[0], sizeof bytes[0], NULL));
    OK(dem_contact_history_snapshot(b->history, bytes[1], sizeof bytes[1], NULL));
    assert_memory_equal(bytes[0], bytes[1], sizeof bytes[0]);
}

static dem_status plain(host *h)
{
    return dem_contacts_evaluate_geometry(h->history, &h->in, &h->geometry, &h->totals);
}

static dem_status list(host *h)
{
    return dem_contacts_list_evaluate_geometry(h->history, &h->in, &h->geometry, &h->totals);
}

static int is_spheres(const scene *s, int n)
{
    return s->spheres_every > 0 && n % s->spheres_every == s->spheres_every - 1;
}

/** Runs a scene with and without a list; the sum of what contacts lost normally. */
static double run(const scene *s, int steps)
{
    static host a, b;
    double lost = 0.0;
    host_make(&a, s);
    host_make(&b, s);
    for (int n = 0; n < steps; ++n) {
        drift(&a);
        drift(&b);
        if (n % 7 == 0) {
            host_list(&a, s, n);
            host_list(&b, s, n);
            OK(dem_contacts_list_begin(b.history, &b.in));
        }
        geometry_make(&a);
        geometry_make(&b);
        if (is_spheres(s, n)) {
            OK(dem_contacts_evaluate(a.history, &a.in, &a.totals));
            OK(dem_contacts_list_evaluate(b.history, &b.in, &b.totals));
        } else {
            OK(plain(&a));
            OK(list(&b));
        }
        if (n % 11 == 5) { /* once more */
            OK(dem_contacts_undo(a.history));
            OK(dem_contacts_undo(b.history));
            OK(plain(&a));
            OK(list(&b));
        }
        if (n % 13 == 6) { /* as things stand */
            a.in.forces_only = b.in.forces_only = 1;
            OK(plain(&a));
            OK(list(&b));
            a.in.forces_only = b.in.forces_only = 0;
        }
        lost += a.totals.dissipated_normal;
        if (n % 3 == 0 || n == steps - 1)
            equal(&a, &b);
    }
    dem_contact_history_destroy(a.history);
    dem_contact_history_destroy(b.history);
    return lost;
}

static void same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < 16; ++k) {
        const scene s = {.m4 = k & 1,
                         .exact = k >> 1 & 1,
                         .ghosts = k & 4 ? ROWS / 2 : 0,
                         .absent = k & 8 ? DEM_ABSENT_KEEP : DEM_ABSENT_SEPARATED};
        (void)run(&s, 60);
    }
}

/** Steps of spheres and of geometry in one list. */
static void in_turn(void **state)
{
    (void)state;
    const scene s = {.m4 = 1, .bare = 1, .spheres_every = 4},
                t = {.bare = 1, .spheres_every = 3, .ghosts = ROWS / 2};
    (void)run(&s, 60);
    (void)run(&t, 60);
}

/** Contacts that end when the next list has another one of the same bodies: their energy is lost.
 */
static void merging(void **state)
{
    (void)state;
    const scene s = {.twice = 1}, once = {.twice = 0};
    assert_true(run(&s, 80) > run(&once, 80));
    const scene with_m4 = {.twice = 1, .m4 = 1};
    (void)run(&with_m4, 80);
}

static void refused(host *h, dem_status status, const char *word)
{
    static host before;
    before = *h;
    assert_int_equal(list(h), status);
    if (strstr(dem_contact_history_error(h->history), word) == NULL)
        fail_msg("%s", dem_contact_history_error(h->history));
    assert_memory_equal(before.f, h->f, sizeof h->f);
    assert_memory_equal(before.t, h->t, sizeof h->t);
}

static void errors(void **state)
{
    (void)state;
    static host h, same;
    const scene s = {0};
    host_make(&h, &s);
    host_list(&h, &s, 0);
    geometry_make(&h);
    refused(&h, DEM_ERROR_STATE, "dem_contacts_list_begin");
    OK(dem_contacts_list_begin(h.history, &h.in));
    OK(list(&h));
    const uint64_t contacts = dem_contact_history_count(h.history);
    assert_true(contacts > 20);
    assert_int_equal(dem_contacts_list_evaluate_geometry(NULL, &h.in, &h.geometry, NULL),
                     DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contacts_list_evaluate_geometry(h.history, NULL, &h.geometry, NULL),
                     DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contacts_list_evaluate_geometry(h.history, &h.in, NULL, NULL),
                     DEM_ERROR_ARGUMENT);
    h.geometry.normal = NULL;
    refused(&h, DEM_ERROR_ARGUMENT, "normal");
    h.geometry.normal = h.normal[0];
    h.normal[3][0] += 0.1;
    refused(&h, DEM_ERROR_RANGE, "normal");
    geometry_make(&h);
    h.overlap[5] = 0.9;
    refused(&h, DEM_ERROR_OVERLAP, "overlap");
    geometry_make(&h);
    h.x[7][1] = (double)NAN;
    refused(&h, DEM_ERROR_DIVERGED, "finite");
    h.x[7][1] = 0.97;
    h.in.particle_count--;
    refused(&h, DEM_ERROR_RANGE, "dem_contacts_list_begin");
    h.in.particle_count++;
    /* what failed changed nothing: the step is that of a history where nothing failed */
    host_make(&same, &s);
    host_list(&same, &s, 0);
    geometry_make(&same);
    OK(plain(&same));
    memcpy(same.x, h.x, sizeof h.x);
    memcpy(same.f, h.f, sizeof h.f);
    memcpy(same.t, h.t, sizeof h.t);
    geometry_make(&same);
    geometry_make(&h);
    OK(plain(&same));
    OK(list(&h));
    equal(&same, &h);
    dem_contact_history_destroy(h.history);
    dem_contact_history_destroy(same.history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),
        cmocka_unit_test(in_turn),
        cmocka_unit_test(merging),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
