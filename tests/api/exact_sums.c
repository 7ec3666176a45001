/* SPDX-License-Identifier: MIT */
/**
 * @file exact_sums.c
 * DEM_SUMS_EXACT at level 1: the bits of a cluster do not depend on the order of its pairs, on who
 * is listed first, on ghosts, or on which process evaluates a contact.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 4, ROWS = SIDE * SIDE * SIDE, PAIRS = ROWS * (ROWS - 1) / 2, STEPS = 50 };

typedef struct host {
    double x[ROWS][3], v[ROWS][3], w[ROWS][3], f[ROWS][3], t[ROWS][3], radius[ROWS], mass[ROWS];
    uint64_t id[ROWS];
    uint32_t pairs[PAIRS][2];
    double shifts[PAIRS][3];
    int64_t sums[ROWS][DEM_SUMS_SIZE];
    dem_contacts_input in;
    dem_contact_history *history;
} host;

static uint64_t random_state;

static double random_unit(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 11) * 0x1p-53;
}

static dem_contact_history *history_make(int32_t sums, double range)
{
    dem_contact_history_config config;
    OK(dem_contact_history_config_init(&config));
    assert_int_equal(config.sums, DEM_SUMS_FIXED_ORDER);
    config.sums = sums;
    config.force_range = config.torque_range = range;
    dem_contact_history *history;
    OK(dem_contact_history_create(&config, &history, NULL));
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1000.0;
    linear.restitution = 0.8;
    linear.friction = 0.4;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    return history;
}

/** A lattice of grains that overlap, with random sizes and velocities. */
static host *host_make(int32_t sums, double range)
{
    host *h = calloc(1, sizeof *h);
    assert_non_null(h);
    random_state = 7;
    for (int k = 0; k < ROWS; ++k) {
        const int at[3] = {k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE)};
        for (int c = 0; c < 3; ++c) {
            h->x[k][c] = 1.9 * at[c] + 0.05 * random_unit();
            h->v[k][c] = random_unit() - 0.5;
            h->w[k][c] = random_unit() - 0.5;
        }
        h->radius[k] = 0.95 + 0.1 * random_unit();
        h->mass[k] = 1.0 + random_unit();
        h->id[k] = 100 + (uint64_t)k;
    }
    dem_contacts_input *in = &h->in;
    OK(dem_contacts_input_init(in));
    in->particle_count = ROWS;
    in->id = h->id;
    in->position = h->x[0];
    in->velocity = h->v[0];
    in->angular_velocity = h->w[0];
    in->radius = h->radius;
    in->mass = h->mass;
    in->force = h->f[0];
    in->torque = h->t[0];
    in->pairs = h->pairs[0];
    in->shifts = h->shifts[0];
    in->dt = 1e-3;
    for (uint32_t i = 0; i < ROWS; ++i)
        for (uint32_t j = i + 1; j < ROWS; ++j) {
            h->pairs[in->pair_count][0] = i;
            h->pairs[in->pair_count++][1] = j;
        }
    h->history = history_make(sums, range);
    return h;
}

static void host_free(host *h)
{
    dem_contact_history_destroy(h->history);
    free(h);
}

static void clear_forces(host *h)
{
    memset(h->f, 0, sizeof h->f);
    memset(h->t, 0, sizeof h->t);
}

/** Pairs in another order, every other one turned. */
static void shuffle(host *h)
{
    for (int p = PAIRS - 1; p > 0; --p) {
        const int other = (int)(random_unit() * (p + 1));
        const uint32_t kept[2] = {h->pairs[p][0], h->pairs[p][1]};
        memcpy(h->pairs[p], h->pairs[other], sizeof kept);
        const int turn = random_unit() < 0.5;
        h->pairs[other][0] = kept[turn];
        h->pairs[other][1] = kept[!turn];
    }
}

static void move(host *h)
{
    for (int k = 0; k < ROWS; ++k)
        for (int c = 0; c < 3; ++c) {
            h->v[k][c] += h->f[k][c] / h->mass[k] * h->in.dt;
            h->w[k][c] += h->t[k][c] / h->mass[k] * h->in.dt;
            h->x[k][c] += h->v[k][c] * h->in.dt;
        }
}

/** What `step` makes of the cluster. */
static host *run(int32_t sums, void (*step)(host *h))
{
    host *h = host_make(sums, sums == DEM_SUMS_EXACT ? 1e5 : 0.0);
    for (int n = 0; n < STEPS; ++n) {
        clear_forces(h);
        step(h);
        move(h);
    }
    return h;
}

static int same(const host *a, const host *b)
{
    return memcmp(a->x, b->x, sizeof a->x) == 0 && memcmp(a->v, b->v, sizeof a->v) == 0 &&
           memcmp(a->w, b->w, sizeof a->w) == 0 && memcmp(a->f, b->f, sizeof a->f) == 0 &&
           memcmp(a->t, b->t, sizeof a->t) == 0;
}

static void step_plain(host *h)
{
    OK(dem_contacts_evaluate(h->history, &h->in, NULL));
}

static void step_shuffled(host *h)
{
    shuffle(h);
    OK(dem_contacts_evaluate(h->history, &h->in, NULL));
}

static void step_kept(host *h)
{
    shuffle(h);
    OK(dem_contacts_list_begin(h->history, &h->in));
    OK(dem_contacts_list_evaluate(h->history, &h->in, NULL));
}

/** The pairs in two parts, as two processes evaluate each contact once and send integers. */
static void step_sent(host *h)
{
    static uint32_t part[PAIRS][2];
    static int64_t sums[2][ROWS][DEM_SUMS_SIZE];
    shuffle(h);
    memset(sums, 0, sizeof sums);
    dem_contacts_input in = h->in;
    in.pairs = part[0];
    in.force = in.torque = NULL;
    in.absent = DEM_ABSENT_KEEP;
    for (int rank = 0; rank < 2; ++rank) {
        in.pair_count = 0;
        for (int p = 0; p < PAIRS; ++p)
            if ((h->pairs[p][0] * h->pairs[p][1]) % 2 == (uint32_t)rank)
                memcpy(part[in.pair_count++], h->pairs[p], sizeof part[0]);
        in.sums = sums[rank][0];
        OK(dem_contacts_evaluate(h->history, &in, NULL));
    }
    for (int k = 0; k < ROWS; ++k)
        for (int c = 0; c < DEM_SUMS_SIZE; ++c)
            sums[0][k][c] += sums[1][k][c];
    OK(dem_contact_history_sums_values(h->history, ROWS, sums[0][0], h->f[0], h->t[0]));
}

static void order_changes_nothing(void **state)
{
    (void)state;
    host *plain = run(DEM_SUMS_EXACT, step_plain);
    void (*const steps[])(host *) = {step_shuffled, step_kept, step_sent};
    for (int k = 0; k < 3; ++k) {
        host *other = run(DEM_SUMS_EXACT, steps[k]);
        if (!same(plain, other))
            fail_msg("way %d has other bits", k);
        host_free(other);
    }
    host_free(plain);
}

/* Sums of doubles show that the order matters in this cluster, and that the values are right. */
static void fixed_order_differs_in_the_last_digits(void **state)
{
    (void)state;
    host *plain = run(DEM_SUMS_FIXED_ORDER, step_plain);
    host *shuffled = run(DEM_SUMS_FIXED_ORDER, step_shuffled);
    host *exact = run(DEM_SUMS_EXACT, step_plain);
    assert_false(same(plain, shuffled));
    for (int k = 0; k < ROWS; ++k)
        for (int c = 0; c < 3; ++c) {
            assert_float_equal(plain->x[k][c], exact->x[k][c], 1e-13);
            assert_float_equal(plain->f[k][c], exact->f[k][c], 1e-9);
            assert_float_equal(plain->t[k][c], exact->t[k][c], 1e-9);
        }
    host_free(plain);
    host_free(shuffled);
    host_free(exact);
}

/* Both processes evaluate the contacts of their own rows. The halves of the rows take turns as
 * ghosts; forces of the own rows are those of the whole. */
static void ghosts_have_the_same_bits(void **state)
{
    (void)state;
    host *whole = host_make(DEM_SUMS_EXACT, 1e5), *part = host_make(DEM_SUMS_EXACT, 1e5);
    step_plain(whole);
    part->in.ghost_count = ROWS / 2;
    shuffle(part);
    step_plain(part);
    for (int k = 0; k < ROWS / 2; ++k)
        for (int c = 0; c < 3; ++c) {
            assert_true(part->f[k][c] == whole->f[k][c] && part->t[k][c] == whole->t[k][c]);
            assert_true(part->f[k + ROWS / 2][c] == 0.0);
        }
    host_free(whole);
    host_free(part);
}

/* A grain without contact gets nothing, so that a force of -0 stays one, whichever way sums go. */
static void zeros_keep_their_sign(void **state)
{
    (void)state;
    host *both[2];
    for (int sent = 0; sent < 2; ++sent) {
        host *h = both[sent] = host_make(DEM_SUMS_EXACT, 1e5);
        h->x[0][0] = 100.0;
        for (int k = 0; k < ROWS; ++k)
            for (int c = 0; c < 3; ++c)
                h->f[k][c] = h->t[k][c] = -0.0;
        h->in.sums = sent ? h->sums[0] : NULL;
        step_plain(h);
        if (sent)
            OK(dem_contact_history_sums_values(h->history, ROWS, h->sums[0], h->f[0], h->t[0]));
        for (int c = 0; c < 3; ++c)
            assert_true(h->f[0][c] == 0.0 && signbit(h->f[0][c]) && signbit(h->t[0][c]));
        assert_true(h->f[1][0] != 0.0);
    }
    assert_true(same(both[0], both[1]));
    host_free(both[0]);
    host_free(both[1]);
}

/* Each contact adds opposite integers. */
static void forces_sum_to_zero(void **state)
{
    (void)state;
    host *h = host_make(DEM_SUMS_EXACT, 1e5);
    h->in.sums = h->sums[0];
    step_plain(h);
    uint64_t sum[DEM_SUMS_SIZE / 2] = {0}, any = 0;
    for (int k = 0; k < ROWS; ++k)
        for (int c = 0; c < DEM_SUMS_SIZE / 2; ++c) {
            sum[c] += (uint64_t)h->sums[k][c];
            any |= (uint64_t)h->sums[k][c];
        }
    assert_true(any != 0);
    for (int c = 0; c < DEM_SUMS_SIZE / 2; ++c)
        assert_true(sum[c] == 0);
    for (int k = 0; k < ROWS; ++k)
        assert_true(h->f[k][0] == 0.0 && h->t[k][0] == 0.0);
    host_free(h);
}

static void refused(host *h, const char *word)
{
    const snapshot before = snapshot_history(h->history);
    clear_forces(h);
    assert_int_equal(dem_contacts_evaluate(h->history, &h->in, NULL), DEM_ERROR_RANGE);
    if (strstr(dem_contact_history_error(h->history), word) == NULL)
        fail_msg("\"%s\" does not name %s", dem_contact_history_error(h->history), word);
    const snapshot after = snapshot_history(h->history);
    assert_true(snapshot_equal(&before, &after));
    for (int k = 0; k < ROWS; ++k)
        assert_true(h->f[k][0] == 0.0 && h->f[k][1] == 0.0 && h->f[k][2] == 0.0);
    free(before.rows);
    free(after.rows);
}

static void beyond_the_range(void **state)
{
    (void)state;
    host *h = host_make(DEM_SUMS_EXACT, 16.0);
    h->in.pair_count = 1; /* rows 0 and 1 */
    memset(h->v, 0, sizeof h->v);
    memset(h->w, 0, sizeof h->w);
    memset(h->x, 0, sizeof h->x);
    h->radius[0] = h->radius[1] = 1.0;
    h->x[1][0] = 2.0 - 0.0159;
    step_plain(h); /* 15.9 N */
    assert_float_equal(h->f[0][0], -15.9, 1e-9);
    h->x[1][0] = 2.0 - 0.0161;
    refused(h, "100 and 101");
    refused(h, "force_range");
    OK(dem_contacts_list_begin(h->history, &h->in));
    assert_int_equal(dem_contacts_list_evaluate(h->history, &h->in, NULL), DEM_ERROR_RANGE);
    host_free(h);
}

static void create_refuses(int32_t sums, double force, double torque, dem_status status,
                           const char *word)
{
    dem_contact_history_config config;
    OK(dem_contact_history_config_init(&config));
    config.sums = sums;
    config.force_range = force;
    config.torque_range = torque;
    dem_contact_history *history;
    dem_error error;
    assert_int_equal(dem_contact_history_create(&config, &history, &error), status);
    assert_null(history);
    if (strstr(error.message, word) == NULL)
        fail_msg("\"%s\" does not name %s", error.message, word);
}

static void options_are_checked(void **state)
{
    (void)state;
    create_refuses(2, 0.0, 0.0, DEM_ERROR_UNKNOWN, "sums");
    create_refuses(DEM_SUMS_FIXED_ORDER, 1.0, 0.0, DEM_ERROR_RANGE, "force_range");
    create_refuses(DEM_SUMS_FIXED_ORDER, 0.0, 1.0, DEM_ERROR_RANGE, "torque_range");
    create_refuses(DEM_SUMS_EXACT, 0.0, 1.0, DEM_ERROR_RANGE, "force_range");
    create_refuses(DEM_SUMS_EXACT, 1.0, -1.0, DEM_ERROR_RANGE, "torque_range");
    create_refuses(DEM_SUMS_EXACT, 1e300, 1.0, DEM_ERROR_RANGE, "force_range");
    create_refuses(DEM_SUMS_EXACT, 1.0, 1e-300, DEM_ERROR_RANGE, "torque_range");
    create_refuses(DEM_SUMS_EXACT, (double)NAN, 1.0, DEM_ERROR_RANGE, "force_range");
    host *h = host_make(DEM_SUMS_FIXED_ORDER, 0.0);
    h->in.sums = h->sums[0];
    assert_int_equal(dem_contacts_evaluate(h->history, &h->in, NULL), DEM_ERROR_STATE);
    assert_int_equal(dem_contact_history_sums_values(h->history, 1, h->sums[0], h->f[0], NULL),
                     DEM_ERROR_STATE);
    host_free(h);
    h = host_make(DEM_SUMS_EXACT, 1.0);
    assert_int_equal(dem_contact_history_sums_values(h->history, 1, NULL, h->f[0], NULL),
                     DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_sums_values(h->history, 1, h->sums[0], NULL, NULL),
                     DEM_ERROR_ARGUMENT);
    OK(dem_contact_history_sums_values(h->history, 1, h->sums[0], h->f[0], NULL));
    host_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_changes_nothing),
        cmocka_unit_test(fixed_order_differs_in_the_last_digits),
        cmocka_unit_test(ghosts_have_the_same_bits),
        cmocka_unit_test(zeros_keep_their_sign),
        cmocka_unit_test(forces_sum_to_zero),
        cmocka_unit_test(beyond_the_range),
        cmocka_unit_test(options_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
