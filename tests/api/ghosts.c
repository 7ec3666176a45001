/* SPDX-License-Identifier: MIT */
/**
 * @file ghosts.c
 * Rows that another process owns: which forces, totals and contacts they have, and periodic images
 * that are ghosts of the same process.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4, PAIRS = 8, UNTOUCHED = 77 };

/** A host of spheres of radius 1 with a linear law. */
typedef struct host {
    double x[ROWS][3], v[ROWS][3], w[ROWS][3], f[ROWS][3], t[ROWS][3], radius[ROWS], mass[ROWS];
    uint64_t id[ROWS], features[PAIRS];
    uint32_t pairs[PAIRS][2];
    int32_t images[PAIRS][3];
    dem_contacts_input in;
    dem_contact_totals totals;
    dem_contact_history *history;
} host;

static void host_make(host *h, uint64_t rows, uint64_t ghosts)
{
    memset(h, 0, sizeof(*h));
    for (int k = 0; k < ROWS; ++k) {
        h->radius[k] = 1.0;
        h->mass[k] = 2.0;
        h->w[k][2] = 3.0;
        h->id[k] = 10 + (uint64_t)k;
    }
    dem_contacts_input *in = &h->in;
    OK(dem_contacts_input_init(in));
    assert_int_equal(in->ghost_count, 0);
    in->particle_count = rows;
    in->ghost_count = ghosts;
    in->id = h->id;
    in->position = h->x[0];
    in->velocity = h->v[0];
    in->angular_velocity = h->w[0];
    in->radius = h->radius;
    in->mass = h->mass;
    in->force = h->f[0];
    in->torque = h->t[0];
    in->pairs = h->pairs[0];
    in->images = h->images[0];
    in->features = h->features;
    in->dt = 1e-3;
    h->totals.struct_size = sizeof(h->totals);
    dem_contact_history_config config;
    OK(dem_contact_history_config_init(&config));
    OK(dem_contact_history_create(&config, &h->history, NULL));
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1000.0;
    linear.restitution = 0.8;
    linear.friction = 0.4;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_history_model_set(h->history, 0, 0, &model));
}

static void pair(host *h, uint32_t first, uint32_t second, int32_t image, uint64_t feature)
{
    const uint64_t p = h->in.pair_count++;
    h->pairs[p][0] = first;
    h->pairs[p][1] = second;
    h->images[p][0] = image;
    h->features[p] = feature;
}

static void clear_forces(host *h)
{
    for (int k = 0; k < ROWS; ++k)
        for (int c = 0; c < 3; ++c) {
            const int ghost = (uint64_t)k >= h->in.particle_count - h->in.ghost_count;
            h->f[k][c] = h->t[k][c] = ghost ? UNTOUCHED : 0.0;
        }
}

static dem_status evaluate(host *h)
{
    clear_forces(h);
    const dem_status status = dem_contacts_evaluate(h->history, &h->in, &h->totals);
    for (uint64_t k = h->in.particle_count - h->in.ghost_count; k < ROWS; ++k)
        for (int c = 0; c < 3; ++c)
            assert_true(h->f[k][c] == UNTOUCHED && h->t[k][c] == UNTOUCHED);
    return status;
}

static void refused(host *h, dem_status status, const char *word)
{
    const snapshot before = snapshot_history(h->history);
    assert_int_equal(evaluate(h), status);
    if (strstr(dem_contact_history_error(h->history), word) == NULL)
        fail_msg("\"%s\" does not name %s", dem_contact_history_error(h->history), word);
    const snapshot after = snapshot_history(h->history);
    assert_true(snapshot_equal(&before, &after));
    for (uint64_t k = 0; k < h->in.particle_count - h->in.ghost_count; ++k)
        for (int c = 0; c < 3; ++c)
            assert_true(h->f[k][c] == 0.0 && h->t[k][c] == 0.0);
    free(before.rows);
    free(after.rows);
}

static void numbers_are_checked(void **state)
{
    (void)state;
    host h;
    host_make(&h, 2, 1);
    h.x[1][0] = 1.9;
    pair(&h, 0, 1, 0, 0);
    OK(evaluate(&h));
    h.in.ghost_count = 2;
    OK(evaluate(&h));
    h.in.ghost_count = 3;
    h.in.particle_count = 2;
    clear_forces(&h);
    assert_int_equal(dem_contacts_evaluate(h.history, &h.in, NULL), DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_contact_history_error(h.history), "ghost_count"));
    h.in.ghost_count = 1;
    OK(evaluate(&h));
    h.in.id = NULL;
    refused(&h, DEM_ERROR_ARGUMENT, ".id");
    h.in.ghost_count = 0;
    OK(evaluate(&h));
    h.in.ghost_count = 1;
    h.in.pair_count = 0; /* nothing needs an id */
    OK(evaluate(&h));
    dem_contact_history_destroy(h.history);
}

/* Whatever the rows of two ghosts hold: the pair is another's. A row must be there all the same. */
static void ghosts_alone(void **state)
{
    (void)state;
    host h;
    host_make(&h, 3, 2);
    h.x[1][0] = 1.9;
    h.x[2][0] = 3.8;
    pair(&h, 0, 1, 0, 0);
    pair(&h, 1, 2, 0, 0);
    OK(evaluate(&h));
    assert_int_equal(dem_contact_history_count(h.history), 1);
    assert_int_equal(h.totals.contacts, 1);
    h.radius[2] = h.x[2][0] = NAN;
    OK(evaluate(&h));
    pair(&h, 0, 2, 0, 0);
    refused(&h, DEM_ERROR_RANGE, "radius[2]");
    h.in.pair_count = 2;
    h.pairs[1][1] = 3;
    refused(&h, DEM_ERROR_RANGE, "row 3");
    h.pairs[1][0] = 7;
    h.pairs[1][1] = 1;
    refused(&h, DEM_ERROR_RANGE, "row 7");
    dem_contact_history_destroy(h.history);
}

/* One pair whose ends two processes own: each has the force of its end, and one has the totals. */
static void a_pair_of_two_processes(void **state)
{
    (void)state;
    host whole, lower, higher;
    host_make(&whole, 2, 0);
    host_make(&lower, 2, 1);
    host_make(&higher, 2, 1);
    whole.v[0][1] = 0.3;
    whole.x[1][0] = 1.9;
    lower.v[0][1] = 0.3;
    lower.x[1][0] = 1.9;
    higher.v[1][1] = 0.3;
    higher.x[0][0] = 1.9;
    higher.id[0] = 11;
    higher.id[1] = 10;
    pair(&whole, 0, 1, 0, 0);
    pair(&lower, 0, 1, 0, 0);
    pair(&higher, 0, 1, 0, 0);
    for (int step = 0; step < 200; ++step) {
        OK(evaluate(&whole));
        OK(evaluate(&lower));
        OK(evaluate(&higher));
        assert_memory_equal(whole.f[0], lower.f[0], sizeof(whole.f[0]));
        assert_memory_equal(whole.f[1], higher.f[0], sizeof(whole.f[0]));
        assert_memory_equal(whole.t[0], lower.t[0], sizeof(whole.t[0]));
        assert_memory_equal(whole.t[1], higher.t[0], sizeof(whole.t[0]));
        assert_memory_equal(&whole.totals, &lower.totals, sizeof(whole.totals));
        dem_contact_totals none = {.struct_size = sizeof(none)};
        assert_memory_equal(&none, &higher.totals, sizeof(none));
    }
    assert_true(whole.totals.elastic_energy > 0.0 && whole.totals.dissipated_slip > 0.0);
    snapshot s[3] = {snapshot_history(whole.history), snapshot_history(lower.history),
                     snapshot_history(higher.history)};
    assert_true(s[0].count == 1 && snapshot_equal(&s[0], &s[1]) && snapshot_equal(&s[0], &s[2]));
    for (int k = 0; k < 3; ++k)
        snapshot_free(&s[k]);
    dem_contact_history_destroy(whole.history);
    dem_contact_history_destroy(lower.history);
    dem_contact_history_destroy(higher.history);
}

/* 0 and 1 touch across a period of 4 along x; 2 and 3 are their images. */
static void images_make(host *h)
{
    host_make(h, 4, 2);
    h->x[0][0] = 0.125;
    h->x[1][0] = 4.0 - 1.75;
    h->x[2][0] = h->x[0][0] + 4.0;
    h->x[3][0] = h->x[1][0] - 4.0;
    h->v[0][1] = h->v[2][1] = 0.25;
    h->id[2] = h->id[0];
    h->id[3] = h->id[1];
}

/* A half list with ghosts has (0, image of 1) and (1, image of 0). */
static void a_half_list_of_images(void **state)
{
    (void)state;
    host shifted, h;
    host_make(&shifted, 2, 0);
    memcpy(shifted.x[0], (double[3]){0.125, 0.0, 0.0}, sizeof(shifted.x[0]));
    shifted.x[1][0] = 2.25;
    shifted.v[0][1] = 0.25;
    static const double shift[3] = {-4.0, 0.0, 0.0};
    shifted.in.shifts = shift;
    pair(&shifted, 0, 1, -1, 0);
    images_make(&h);
    pair(&h, 0, 3, -1, 0);
    pair(&h, 1, 2, 1, 0);
    pair(&h, 2, 3, 0, 0);
    for (int step = 0; step < 200; ++step) {
        OK(evaluate(&shifted));
        OK(evaluate(&h));
        assert_memory_equal(shifted.f, h.f, 6 * sizeof(double));
        assert_memory_equal(shifted.t, h.t, 6 * sizeof(double));
        assert_memory_equal(&shifted.totals, &h.totals, sizeof(h.totals));
    }
    assert_true(h.f[0][0] > 0.0 && h.f[1][0] < 0.0 && h.totals.contacts == 1);
    snapshot a = snapshot_history(shifted.history), b = snapshot_history(h.history);
    assert_true(a.count == 1 && snapshot_equal(&a, &b));
    snapshot_free(&a);
    snapshot_free(&b);

    /* an end of the host's own twice is an error, in either order of the list */
    pair(&h, 3, 0, 1, 0);
    refused(&h, DEM_ERROR_DUPLICATE, "twice");
    h.pairs[3][0] = 2;
    h.pairs[3][1] = 1;
    h.images[3][0] = -1;
    refused(&h, DEM_ERROR_DUPLICATE, "twice");
    h.pairs[3][0] = 0; /* both ends at once */
    static const double shifts[4][3] = {{0.0}, {0.0}, {0.0}, {-4.0, 0.0, 0.0}};
    h.in.shifts = shifts[0];
    refused(&h, DEM_ERROR_DUPLICATE, "twice");
    /* without the ghosts it is one contact twice */
    h.in.pair_count = 2;
    h.in.ghost_count = 0;
    clear_forces(&h);
    assert_int_equal(dem_contacts_evaluate(h.history, &h.in, NULL), DEM_ERROR_DUPLICATE);
    dem_contact_history_destroy(shifted.history);
    dem_contact_history_destroy(h.history);
}

/* The same through a kept list: both listings go on with one history, also where it begins and ends
 * in between. */
static void a_kept_half_list(void **state)
{
    (void)state;
    host a, b;
    images_make(&a);
    images_make(&b);
    host *const both[2] = {&a, &b};
    int begun = 0, ended = 0;
    for (int k = 0; k < 2; ++k) {
        pair(both[k], 0, 3, -1, 0);
        pair(both[k], 2, 3, 0, 0);
        pair(both[k], 1, 2, 1, 0);
    }
    OK(dem_contacts_list_begin(b.history, &b.in));
    for (int step = 0; step < 60; ++step) {
        const double apart = step % 20 < 5 ? 0.25 : 0.0;
        for (int k = 0; k < 2; ++k) {
            both[k]->x[0][0] = 0.125 + apart;
            both[k]->x[2][0] = 4.125 + apart;
            clear_forces(both[k]);
        }
        const uint64_t before = dem_contact_history_count(b.history);
        OK(dem_contacts_evaluate(a.history, &a.in, &a.totals));
        OK(dem_contacts_list_evaluate(b.history, &b.in, &b.totals));
        assert_memory_equal(a.f, b.f, sizeof(a.f));
        assert_memory_equal(a.t, b.t, sizeof(a.t));
        assert_memory_equal(&a.totals, &b.totals, sizeof(a.totals));
        snapshot s = snapshot_history(a.history), t = snapshot_history(b.history);
        assert_true(snapshot_equal(&s, &t));
        begun += before < t.count;
        ended += before > t.count;
        snapshot_free(&s);
        snapshot_free(&t);
    }
    assert_true(begun == 3 && ended == 2);
    pair(&b, 3, 0, 1, 0);
    assert_int_equal(dem_contacts_list_begin(b.history, &b.in), DEM_ERROR_DUPLICATE);
    dem_contact_history_destroy(a.history);
    dem_contact_history_destroy(b.history);
}

/* With keys of their own they are two contacts, of which each has one end here. */
static void images_with_keys_of_their_own(void **state)
{
    (void)state;
    host one, two;
    images_make(&one);
    images_make(&two);
    pair(&one, 0, 3, -1, 0);
    pair(&one, 1, 2, 1, 0);
    pair(&two, 0, 3, -1, 0);
    pair(&two, 1, 2, 1, 5);
    for (int step = 0; step < 20; ++step) {
        OK(evaluate(&one));
        OK(evaluate(&two));
        assert_memory_equal(one.f, two.f, 6 * sizeof(double));
        assert_memory_equal(&one.totals, &two.totals, sizeof(one.totals));
    }
    assert_int_equal(dem_contact_history_count(one.history), 1);
    assert_int_equal(dem_contact_history_count(two.history), 2);
    dem_contact_history_destroy(one.history);
    dem_contact_history_destroy(two.history);
}

/* A sphere that touches its own images: one contact with both ends in one row. */
static void own_image(void **state)
{
    (void)state;
    host h;
    host_make(&h, 3, 2);
    h.x[1][0] = 1.9;
    h.x[2][0] = -1.9;
    h.id[1] = h.id[2] = h.id[0];
    pair(&h, 0, 1, 1, 0);
    pair(&h, 0, 2, -1, 0);
    for (int step = 0; step < 3; ++step)
        OK(evaluate(&h));
    assert_int_equal(dem_contact_history_count(h.history), 1);
    assert_int_equal(h.totals.contacts, 1);
    /* the springs of both surfaces turn it the same way */
    assert_true(h.f[0][0] == 0.0 && h.t[0][2] < 0.0);
    const double both = h.t[0][2];
    h.in.pair_count = 1;
    h.in.forces_only = 1;
    h.in.dt = 0.0;
    OK(evaluate(&h));
    assert_true(h.f[0][0] < 0.0 && h.t[0][2] < 0.4 * both && h.t[0][2] > 0.6 * both);
    dem_contact_history_destroy(h.history);
}

/* Contacts of a step of stages, likewise. */
static void stages(void **state)
{
    (void)state;
    host h;
    images_make(&h);
    pair(&h, 0, 3, -1, 0);
    pair(&h, 1, 2, 1, 0);
    pair(&h, 2, 3, 0, 0);
    clear_forces(&h);
    dem_contacts_stage stage = {.struct_size = sizeof(stage)};
    OK(dem_contacts_stage_begin(h.history, &h.in, &stage));
    assert_int_equal(stage.count, 3);
    OK(dem_contacts_stage_rate(h.history, &h.in, &h.totals));
    assert_true(h.totals.contacts == 1 && h.totals.elastic_energy > 0.0);
    for (int c = 0; c < 3; ++c)
        assert_true(h.f[0][c] == -h.f[1][c] && h.f[2][c] == UNTOUCHED && h.t[3][c] == UNTOUCHED);
    assert_true(h.f[0][0] > 0.0);
    OK(dem_contacts_stage_end(h.history));
    pair(&h, 3, 0, 1, 0);
    assert_int_equal(dem_contacts_stage_begin(h.history, &h.in, &stage), DEM_ERROR_DUPLICATE);
    dem_contact_history_destroy(h.history);
}

/* A contact of two ghosts ends, also where others that are not listed are kept. */
static void what_becomes_two_ghosts(void **state)
{
    (void)state;
    for (int32_t absent = 0; absent < 2; ++absent) {
        host h;
        host_make(&h, 2, 0);
        h.x[1][0] = 1.9;
        pair(&h, 0, 1, 0, 0);
        OK(evaluate(&h));
        h.in.ghost_count = 2;
        h.in.absent = absent;
        OK(evaluate(&h));
        assert_int_equal(dem_contact_history_count(h.history), 0);
        dem_contact_history_destroy(h.history);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_checked),
        cmocka_unit_test(ghosts_alone),
        cmocka_unit_test(a_pair_of_two_processes),
        cmocka_unit_test(a_half_list_of_images),
        cmocka_unit_test(a_kept_half_list),
        cmocka_unit_test(images_with_keys_of_their_own),
        cmocka_unit_test(own_image),
        cmocka_unit_test(stages),
        cmocka_unit_test(what_becomes_two_ghosts),
    };
    return cmocka_run_group_tests_name("ghosts", tests, NULL, NULL);
}
