/* SPDX-License-Identifier: MIT */
/**
 * @file history.c
 * Level 1: contacts of particles that the host owns.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/law.h"
#include "../support/snapshot.h"
#include "../../src/base/first_sizes.h"

#include <dem/dem.h>
#include <float.h>
#include <math.h>

#define ROWS 4

/** A host with a few spheres. */
typedef struct host {
    uint64_t id[ROWS];
    double x[ROWS][3], v[ROWS][3], w[ROWS][3], f[ROWS][3], t[ROWS][3];
    double radius[ROWS], mass[ROWS];
    int32_t material[ROWS];
    uint32_t pairs[8][2];
    uint64_t pair_count;
    dem_contacts_input in;
} host;

static dem_contact_history *make_history(double friction, double restitution)
{
    dem_contact_history_config config;
    assert_int_equal(dem_contact_history_config_init(&config), DEM_OK);
    config.material_count = 2;
    dem_contact_history *history = NULL;
    assert_int_equal(dem_contact_history_create(&config, &history, NULL), DEM_OK);
    dem_linear linear;
    dem_linear_init(&linear);
    linear.stiffness_normal = 1000.0;
    linear.stiffness_tangential = 400.0;
    linear.friction = friction;
    linear.restitution = restitution;
    dem_contact_model model;
    dem_contact_model_init(&model);
    model.parts[0].law = DEM_LAW_LINEAR_CSDS;
    model.parts[0].parameters = &linear;
    assert_int_equal(dem_contact_history_model_set(history, 0, 0, &model), DEM_OK);
    return history;
}

/** A row of spheres along x with radius 1 and the given distance of centres; ids 10, 20, 30, 40. */
static void make_host(host *h, double distance)
{
    memset(h, 0, sizeof(*h));
    for (int n = 0; n < ROWS; ++n) {
        h->id[n] = 10u * (uint64_t)(n + 1);
        h->x[n][0] = distance * n;
        h->radius[n] = 1.0;
        h->mass[n] = 2.0;
    }
    for (uint32_t n = 0; n + 1 < ROWS; ++n) {
        h->pairs[n][0] = n;
        h->pairs[n][1] = n + 1;
    }
    h->pair_count = 1;
    dem_contacts_input_init(&h->in);
    h->in.dt = 1e-3;
    h->in.particle_count = ROWS;
}

/** Points the input at the host's arrays and evaluates; forces start at 0. */
static dem_status evaluate(dem_contact_history *history, host *h, dem_contact_totals *totals)
{
    memset(h->f, 0, sizeof(h->f));
    memset(h->t, 0, sizeof(h->t));
    h->in.id = h->id;
    h->in.position = h->x[0];
    h->in.velocity = h->v[0];
    h->in.angular_velocity = h->w[0];
    h->in.radius = h->radius;
    h->in.mass = h->mass;
    h->in.material = h->material;
    h->in.pairs = h->pairs[0];
    h->in.pair_count = h->pair_count;
    h->in.force = h->f[0];
    h->in.torque = h->t[0];
    return dem_contacts_evaluate(history, &h->in, totals);
}

static int near(double a, double b, double scale)
{
    return fabs(a - b) <= 16.0 * DBL_EPSILON * scale;
}

static void insertion_and_separation(void **state)
{
    (void)state;
    dem_contact_history *history = make_history(0.5, 1.0);
    host h;
    make_host(&h, 2.1);
    assert_int_equal(dem_contact_history_count(history), 0);
    OK(evaluate(history, &h, NULL));
    assert_int_equal(dem_contact_history_count(history), 0);
    for (int n = 0; n < ROWS; ++n)
        for (int c = 0; c < 3; ++c)
            assert_true(h.f[n][c] == 0.0);

    h.x[1][0] = 1.75; /* overlap 0.25: k_n delta = 250 N */
    dem_contact_totals totals = {.struct_size = sizeof(totals)};
    OK(evaluate(history, &h, &totals));
    assert_int_equal(dem_contact_history_count(history), 1);
    assert_int_equal(totals.contacts, 1);
    assert_true(totals.elastic_energy == 0.5 * 1000.0 * 0.0625);
    assert_true(totals.dissipated_normal == 0.0 && totals.dissipated_slip == 0.0);
    assert_true(h.f[0][0] == -250.0 && h.f[1][0] == 250.0 && h.f[2][0] == 0.0);
    snapshot s = snapshot_history(history);
    assert_int_equal(s.last, DEM_ERROR_RANGE);
    assert_int_equal(s.count, 1);
    assert_int_equal(s.rows[0].key.id_i, 10);
    assert_int_equal(s.rows[0].key.id_j, 20);
    assert_int_equal(s.rows[0].key.feature, 0);
    assert_true(s.rows[0].overlap == 0.25 && s.rows[0].normal[0] == -1.0);
    assert_true(s.rows[0].force_normal[0] == -250.0);
    assert_int_equal(s.rows[0].state_count, 3);
    snapshot_free(&s);

    h.x[1][0] = 2.0; /* touch is no overlap */
    OK(evaluate(history, &h, &totals));
    assert_int_equal(dem_contact_history_count(history), 0);
    assert_true(totals.contacts == 0 && totals.elastic_energy == 0.0);
    assert_true(h.f[0][0] == 0.0);
    dem_contact_history_destroy(history);
}

/* Sticking: the displacement is the sum of v_t dt, the force -k_t xi, the torque r x F. Centres
 * stand still and spins are across the normal, so nothing turns. */
static void sticking_and_sliding_forces(void **state)
{
    (void)state;
    dem_contact_history *history = make_history(0.5, 1.0);
    host h;
    make_host(&h, 1.75);
    h.w[0][2] = 3.0; /* v_t = n x r w, of i against j: +3 along y */
    double moved = 0.0;
    for (int n = 0; n < 100; ++n) {
        OK(evaluate(history, &h, NULL));
        moved += 3.0 * 1e-3;
        assert_true(near(h.f[0][1], -400.0 * moved, 400.0));
        assert_true(h.f[0][1] + h.f[1][1] == 0.0 && h.f[0][0] + h.f[1][0] == 0.0);
        /* arm of i is -r_i n = +x: torque z = x Fy */
        assert_true(near(h.t[0][2], h.f[0][1], 400.0) && h.t[0][2] == h.t[1][2]);
        assert_true(h.t[0][0] == 0.0 && h.t[0][1] == 0.0);
        snapshot s = snapshot_history(history);
        assert_true(near(s.rows[0].state[1], moved, 1.0));
        snapshot_free(&s);
    }
    /* until mu k_n delta = 125 N is reached: then the force is the limit */
    dem_contact_totals totals = {.struct_size = sizeof(totals)};
    for (int n = 0; n < 10; ++n)
        OK(evaluate(history, &h, &totals));
    assert_true(near(h.f[0][1], -125.0, 125.0));
    /* one step of pure sliding dissipates F v dt */
    assert_true(fabs(totals.dissipated_slip + totals.dissipated_dashpot - 125.0 * 3e-3) < 1e-12);
    /* like gears: no sliding */
    dem_contact_history_clear(history);
    h.w[0][2] = 1.0;
    h.w[1][2] = -1.0;
    OK(evaluate(history, &h, NULL));
    assert_true(h.f[0][1] == 0.0);
    h.w[1][2] = 1.0; /* both the same way: surfaces move at 2 r w */
    OK(evaluate(history, &h, NULL));
    assert_true(near(h.f[0][1], -400.0 * 2e-3, 1.0));
    dem_contact_history_destroy(history);
}

/** A contact with a sheared spring. */
static dem_contact_history *sheared(host *h)
{
    dem_contact_history *history = make_history(0.5, 0.8);
    make_host(h, 1.75);
    h->w[0][1] = 0.5;
    h->w[0][2] = 1.0;
    for (int n = 0; n < 20; ++n)
        OK(evaluate(history, h, NULL));
    return history;
}

static void absent_pairs(void **state)
{
    (void)state;
    host h;
    dem_contact_history *history = sheared(&h);
    snapshot before = snapshot_history(history);
    assert_true(before.rows[0].state[1] > 0.015 && before.rows[0].state[2] < -0.005);

    h.in.absent = DEM_ABSENT_KEEP;
    h.pair_count = 0;
    OK(evaluate(history, &h, NULL));
    snapshot after = snapshot_history(history);
    assert_true(after.count == 1);
    assert_memory_equal(after.rows[0].state, before.rows[0].state, sizeof(after.rows[0].state));
    snapshot_free(&after);
    /* it takes up where it stopped */
    h.pair_count = 1;
    OK(evaluate(history, &h, NULL));
    after = snapshot_history(history);
    assert_true(after.rows[0].state[1] > before.rows[0].state[1]);
    snapshot_free(&after);
    /* another pair listed alone keeps it, too */
    host other = h;
    other.pairs[0][0] = 2;
    other.pairs[0][1] = 3;
    OK(evaluate(history, &other, NULL));
    assert_int_equal(dem_contact_history_count(history), 2);

    h.in.absent = DEM_ABSENT_SEPARATED;
    h.pair_count = 0;
    OK(evaluate(history, &h, NULL));
    assert_int_equal(dem_contact_history_count(history), 0);
    h.pair_count = 1;
    OK(evaluate(history, &h, NULL));
    after = snapshot_history(history);
    /* new: one step of displacement only */
    assert_true(near(after.rows[0].state[1], 1e-3, 1.0));
    snapshot_free(&after);
    snapshot_free(&before);
    dem_contact_history_destroy(history);
}

static void forces_only_commits_nothing(void **state)
{
    (void)state;
    host h;
    dem_contact_history *history = sheared(&h);
    snapshot before = snapshot_history(history);
    host probe = h;
    probe.pair_count = 3; /* two contacts that the history does not know */
    probe.in.forces_only = 1;
    for (int n = 0; n < 3; ++n)
        OK(evaluate(history, &probe, NULL));
    snapshot after = snapshot_history(history);
    assert_true(after.count == before.count);
    for (uint64_t n = 0; n < after.count; ++n)
        assert_memory_equal(after.rows[n].state, before.rows[n].state, sizeof(after.rows[n].state));
    snapshot_free(&after);
    probe.in.dt = 0.0; /* an evaluation that advances nothing */
    OK(evaluate(history, &probe, NULL));
    assert_true(probe.f[0][0] < -200.0);
    probe.in.dt = 1e-3;
    OK(evaluate(history, &probe, NULL));

    /* the same call with a commit gives the same bits of force */
    host real = probe;
    real.in.forces_only = 0;
    OK(evaluate(history, &real, NULL));
    assert_memory_equal(real.f, probe.f, sizeof(real.f));
    assert_memory_equal(real.t, probe.t, sizeof(real.t));
    assert_int_equal(dem_contact_history_count(history), 3);
    snapshot_free(&before);
    dem_contact_history_destroy(history);
}

/** Moves rows n to rows `to[n]`, and turns the pairs round where `turn` is set. */
static host permuted(const host *h, const uint32_t to[ROWS], int turn)
{
    host p = *h;
    for (int n = 0; n < ROWS; ++n) {
        const uint32_t m = to[n];
        p.id[m] = h->id[n];
        memcpy(p.x[m], h->x[n], sizeof(p.x[m]));
        memcpy(p.v[m], h->v[n], sizeof(p.v[m]));
        memcpy(p.w[m], h->w[n], sizeof(p.w[m]));
        p.radius[m] = h->radius[n];
        p.mass[m] = h->mass[n];
    }
    for (uint64_t n = 0; n < h->pair_count; ++n) {
        p.pairs[n][turn] = to[h->pairs[n][0]];
        p.pairs[n][1 - turn] = to[h->pairs[n][1]];
    }
    return p;
}

/** Own explicit step, so that nothing but the evaluation is under test. */
static void move(host *h)
{
    for (int n = 0; n < ROWS; ++n)
        for (int c = 0; c < 3; ++c) {
            h->v[n][c] += h->f[n][c] / h->mass[n] * h->in.dt;
            h->x[n][c] += h->v[n][c] * h->in.dt;
            h->w[n][c] += h->t[n][c] / (0.4 * h->mass[n]) * h->in.dt;
        }
}

static void order_of_rows_does_not_matter(void **state)
{
    (void)state;
    for (int32_t kinematics = DEM_KINEMATICS_SYNCHRONIZED; kinematics <= DEM_KINEMATICS_STANDARD;
         ++kinematics) {
        host a;
        make_host(&a, 2.15);
        a.pair_count = 3;
        a.in.kinematics = kinematics;
        a.in.velocity_lag = 0.5e-3;
        for (int n = 0; n < ROWS; ++n) {
            a.radius[n] = 1.0 + 0.1 * n;
            a.mass[n] = 2.0 + n;
            a.v[n][1] = 0.3 * n * n - 1.0;
            a.v[n][2] = 1.0 - 0.7 * n;
            a.w[n][0] = 2.0 + n;
            a.w[n][1] = 1.0 - n;
            a.w[n][2] = 0.5;
        }
        const uint32_t to[ROWS] = {2, 0, 3, 1};
        host b = permuted(&a, to, 1);
        dem_contact_history *p = make_history(0.4, 0.7), *q = make_history(0.4, 0.7);
        uint64_t most = 0;
        for (int step = 0; step < 200; ++step) {
            OK(evaluate(p, &a, NULL));
            OK(evaluate(q, &b, NULL));
            for (int n = 0; n < ROWS; ++n) {
                assert_memory_equal(a.f[n], b.f[to[n]], sizeof(a.f[n]));
                assert_memory_equal(a.t[n], b.t[to[n]], sizeof(a.t[n]));
            }
            snapshot s = snapshot_history(p), t = snapshot_history(q);
            assert_true(snapshot_same(&s, &t));
            most = s.count > most ? s.count : most;
            snapshot_free(&s);
            snapshot_free(&t);
            move(&a);
            move(&b);
        }
        assert_int_equal(most, 3);
        dem_contact_history_destroy(p);
        dem_contact_history_destroy(q);
    }
}

/** Expects an error that leaves forces and contacts as they are and names `word`. */
static void expect_error(dem_contact_history *history, host *h, dem_status want, const char *word)
{
    snapshot before = snapshot_history(history);
    for (int n = 0; n < ROWS; ++n)
        for (int c = 0; c < 3; ++c) {
            h->f[n][c] = 7.0 + n + c;
            h->t[n][c] = 5.0 - n - c;
        }
    const host kept = *h;
    dem_contact_totals totals = {.struct_size = sizeof(totals), .contacts = 77};
    const dem_status got = dem_contacts_evaluate(history, &h->in, &totals);
    if (got != want)
        fail_msg("%s: status %d, not %d (%s)", word, (int)got, (int)want,
                 dem_contact_history_error(history));
    if (strstr(dem_contact_history_error(history), word) == NULL)
        fail_msg("message \"%s\" does not name %s", dem_contact_history_error(history), word);
    assert_int_equal(totals.contacts, 77);
    assert_memory_equal(h->f, kept.f, sizeof(kept.f));
    assert_memory_equal(h->t, kept.t, sizeof(kept.t));
    snapshot after = snapshot_history(history);
    assert_true(snapshot_equal(&before, &after));
    snapshot_free(&before);
    snapshot_free(&after);
}

static void errors_change_nothing(void **state)
{
    (void)state;
    host h;
    dem_contact_history *history = sheared(&h);
    h.pair_count = 3; /* the faults come last, when good contacts have been computed */
    OK(evaluate(history, &h, NULL));
    OK(evaluate(history, &h, NULL));

    host bad = h;
#define TRY(change, status, word)                                                                  \
    do {                                                                                           \
        bad = h;                                                                                   \
        bad.in.id = bad.id;                                                                        \
        bad.in.position = bad.x[0];                                                                \
        bad.in.velocity = bad.v[0];                                                                \
        bad.in.angular_velocity = bad.w[0];                                                        \
        bad.in.radius = bad.radius;                                                                \
        bad.in.mass = bad.mass;                                                                    \
        bad.in.material = bad.material;                                                            \
        bad.in.pairs = bad.pairs[0];                                                               \
        bad.in.force = bad.f[0];                                                                   \
        bad.in.torque = bad.t[0];                                                                  \
        change;                                                                                    \
        expect_error(history, &bad, status, word);                                                 \
    } while (0)
    TRY(bad.pairs[2][1] = ROWS, DEM_ERROR_RANGE, "pairs");
    TRY(bad.pairs[2][1] = 2, DEM_ERROR_RANGE, "row 2 twice"); /* without an image */
    TRY((bad.pairs[2][0] = 0, bad.pairs[2][1] = 1), DEM_ERROR_DUPLICATE, "twice");
    TRY((bad.pairs[2][0] = 1, bad.pairs[2][1] = 0), DEM_ERROR_DUPLICATE, "twice");
    TRY(bad.x[3][1] = NAN, DEM_ERROR_DIVERGED, "position");
    TRY(bad.x[3][1] = INFINITY, DEM_ERROR_DIVERGED, "position");
    TRY(bad.v[3][0] = NAN, DEM_ERROR_DIVERGED, "velocity");
    TRY(bad.w[3][2] = NAN, DEM_ERROR_DIVERGED, "angular_velocity");
    TRY(bad.x[3][0] = bad.x[2][0] + 1.4, DEM_ERROR_OVERLAP, "overlap");
    TRY(bad.x[3][0] = bad.x[2][0], DEM_ERROR_OVERLAP, "overlap"); /* no normal at all */
    TRY(bad.radius[3] = 0.0, DEM_ERROR_RANGE, "radius");
    TRY(bad.radius[3] = -1.0, DEM_ERROR_RANGE, "radius");
    TRY(bad.radius[3] = NAN, DEM_ERROR_RANGE, "radius");
    TRY(bad.mass[3] = -1.0, DEM_ERROR_RANGE, "mass");
    TRY(bad.mass[3] = NAN, DEM_ERROR_RANGE, "mass");
    TRY(bad.material[3] = 2, DEM_ERROR_RANGE, "material");
    TRY(bad.material[3] = -1, DEM_ERROR_RANGE, "material");
    TRY(bad.in.dt = 0.0, DEM_ERROR_RANGE, "dt");
    TRY(bad.in.dt = -1.0, DEM_ERROR_RANGE, "dt");
    TRY(bad.in.dt = NAN, DEM_ERROR_RANGE, "dt");
    TRY(bad.in.velocity_lag = 1e-3, DEM_ERROR_RANGE, "velocity_lag");
    TRY(bad.in.kinematics = 9, DEM_ERROR_UNKNOWN, "kinematics");
    TRY(bad.in.absent = -1, DEM_ERROR_UNKNOWN, "absent");
    TRY(bad.in.position = NULL, DEM_ERROR_ARGUMENT, "position");
    TRY(bad.in.velocity = NULL, DEM_ERROR_ARGUMENT, "velocity");
    TRY(bad.in.radius = NULL, DEM_ERROR_ARGUMENT, "radius");
    TRY(bad.in.mass = NULL, DEM_ERROR_ARGUMENT, "mass");
    TRY(bad.in.pairs = NULL, DEM_ERROR_ARGUMENT, "pairs");
    TRY(bad.in.force = NULL, DEM_ERROR_ARGUMENT, "force");
    TRY(bad.in.position_stride = 8, DEM_ERROR_RANGE, "stride");
    TRY(bad.in.struct_size = 0, DEM_ERROR_STRUCT_SIZE, "struct_size");
    TRY(bad.in.struct_size = DEMI_FIRST_SIZE(bad.in) - 1, DEM_ERROR_STRUCT_SIZE, "struct_size");
#undef TRY
    /* and it still works, and a good call forgets the message */
    OK(evaluate(history, &h, NULL));
    assert_int_equal(dem_contact_history_count(history), 3);
    dem_contact_history_destroy(history);
}

/* A law of the host that fails at its second batch: pairs of two materials make two batches. */
static void failing_law_changes_nothing(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    const dem_law law = test_law(&control);
    host h;
    dem_contact_history *history = sheared(&h);
    OK(dem_contact_history_law_register(history, &law));
    assert_int_equal(dem_contact_history_law_register(history, &law), DEM_ERROR_DUPLICATE);
    const test_spring spring = {500.0};
    dem_contact_model model;
    dem_contact_model_init(&model);
    model.parts[0].law = "test-spring";
    model.parts[0].parameters = &spring;
    OK(dem_contact_history_model_set(history, 0, 1, &model));
    h.material[3] = 1;
    h.pair_count = 3;
    OK(evaluate(history, &h, NULL));
    assert_true(h.f[3][0] == 125.0);
    OK(evaluate(history, &h, NULL));
    snapshot s = snapshot_history(history);
    assert_int_equal(s.count, 3);
    assert_true(snapshot_find(&s, 30, 40)->state[0] == 2.0);
    assert_int_equal(snapshot_find(&s, 30, 40)->state_count, 1);
    snapshot_free(&s);
    control.fail_at = control.calls;
    expect_error(history, &h, DEM_ERROR_CALLBACK, "test-spring");
    control.fail_at = -1;
    control.force = INFINITY; /* a law that gives no finite force */
    expect_error(history, &h, DEM_ERROR_DIVERGED, "force");
    control.force = 0.0;
    OK(evaluate(history, &h, NULL));
    dem_contact_history_destroy(history);
}

static void features_and_images_tell_contacts_apart(void **state)
{
    (void)state;
    dem_contact_history *history = make_history(0.5, 1.0);
    host h;
    make_host(&h, 1.75);
    h.pairs[1][0] = 0;
    h.pairs[1][1] = 1;
    h.pairs[2][0] = 1;
    h.pairs[2][1] = 0;
    h.pair_count = 3;
    const uint64_t features[3] = {0, 5, 6};
    h.in.features = features;
    OK(evaluate(history, &h, NULL));
    assert_int_equal(dem_contact_history_count(history), 3);
    assert_true(h.f[0][0] == -750.0);
    /* the second image of j lies on the other side of i: the forces cancel */
    dem_contact_history_clear(history);
    assert_int_equal(dem_contact_history_count(history), 0);
    h.in.features = NULL;
    h.pair_count = 2;
    const double shifts[2][3] = {{0.0, 0.0, 0.0}, {-3.5, 0.0, 0.0}};
    const int32_t images[2][3] = {{0, 0, 0}, {-1, 0, 0}};
    h.in.shifts = shifts[0];
    h.in.images = images[0];
    OK(evaluate(history, &h, NULL));
    assert_int_equal(dem_contact_history_count(history), 2);
    assert_true(h.f[0][0] == 0.0 && h.f[1][0] == 0.0);
    snapshot s = snapshot_history(history);
    assert_int_equal(s.rows[0].key.image[0], -1);
    assert_true(s.rows[0].normal[0] == 1.0 && s.rows[1].normal[0] == -1.0);
    snapshot_free(&s);
    /* listed from the other side, shift and image change their sign, and the contacts are known */
    h.pairs[1][0] = 1;
    h.pairs[1][1] = 0;
    const double back[2][3] = {{0.0, 0.0, 0.0}, {3.5, 0.0, 0.0}};
    const int32_t count_back[2][3] = {{0, 0, 0}, {1, 0, 0}};
    h.in.shifts = back[0];
    h.in.images = count_back[0];
    OK(evaluate(history, &h, NULL));
    s = snapshot_history(history);
    assert_true(s.count == 2 && s.rows[0].key.image[0] == -1 && s.rows[0].normal[0] == 1.0);
    snapshot_free(&s);
    dem_contact_history_destroy(history);
}

static void strides_and_packed_rows_agree(void **state)
{
    (void)state;
    host h;
    dem_contact_history *p = sheared(&h), *q = sheared(&h);
    OK(evaluate(p, &h, NULL));
    struct row {
        double x[3], v[3], w[3], f[3], t[3], more;
    } rows[ROWS];
    memset(rows, 0, sizeof(rows));
    for (int n = 0; n < ROWS; ++n) {
        memcpy(rows[n].x, h.x[n], sizeof(rows[n].x));
        memcpy(rows[n].v, h.v[n], sizeof(rows[n].v));
        memcpy(rows[n].w, h.w[n], sizeof(rows[n].w));
        rows[n].more = 11.0;
    }
    dem_contacts_input in = h.in;
    in.position = rows[0].x;
    in.velocity = rows[0].v;
    in.angular_velocity = rows[0].w;
    in.force = rows[0].f;
    in.torque = rows[0].t;
    in.position_stride = in.velocity_stride = in.angular_velocity_stride = sizeof(rows[0]);
    in.force_stride = in.torque_stride = sizeof(rows[0]);
    OK(dem_contacts_evaluate(q, &in, NULL));
    for (int n = 0; n < ROWS; ++n) {
        assert_memory_equal(rows[n].f, h.f[n], sizeof(h.f[n]));
        assert_memory_equal(rows[n].t, h.t[n], sizeof(h.t[n]));
        assert_true(rows[n].more == 11.0);
    }
    dem_contact_history_destroy(p);
    dem_contact_history_destroy(q);
}

static void iterator_and_model_change(void **state)
{
    (void)state;
    host h;
    dem_contact_history *history = sheared(&h);
    h.pair_count = 3;
    OK(evaluate(history, &h, NULL));
    dem_contact c = {.struct_size = sizeof(c)};
    uint64_t first[3], cursor = 0;
    for (int n = 0; n < 3; ++n) {
        OK(dem_contact_history_next(history, &cursor, &c));
        first[n] = c.key.id_i;
        assert_true(c.key.id_i < c.key.id_j);
    }
    assert_int_equal(dem_contact_history_next(history, &cursor, &c), DEM_ERROR_RANGE);
    assert_int_equal(dem_contact_history_next(history, &cursor, &c), DEM_ERROR_RANGE);
    cursor = 0;
    for (int n = 0; n < 3; ++n) {
        OK(dem_contact_history_next(history, &cursor, &c));
        assert_int_equal(c.key.id_i, first[n]);
    }
    assert_int_equal(dem_contact_history_next(NULL, &cursor, &c), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_next(history, NULL, &c), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_next(history, &cursor, NULL), DEM_ERROR_ARGUMENT);
    c.struct_size = 8;
    cursor = 0;
    assert_int_equal(dem_contact_history_next(history, &cursor, &c), DEM_ERROR_STRUCT_SIZE);
    assert_int_equal(cursor, 0);
    assert_int_equal(dem_contact_history_count(NULL), 0);
    assert_int_equal(dem_contact_history_clear(NULL), DEM_ERROR_ARGUMENT);

    /* the forces of the iterator are those of the arrays */
    snapshot s = snapshot_history(history);
    for (int k = 0; k < 3; ++k)
        assert_true(
            near(s.rows[0].force_normal[k] + s.rows[0].force_tangential[k], h.f[0][k], 250.0));
    snapshot_free(&s);

    /* a model set anew ends the history of the pair: the spring is one step long */
    dem_linear linear;
    dem_linear_init(&linear);
    linear.stiffness_normal = 1000.0;
    dem_contact_model model;
    dem_contact_model_init(&model);
    model.parts[0].law = DEM_LAW_LINEAR_CSDS;
    model.parts[0].parameters = &linear;
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    OK(evaluate(history, &h, NULL));
    s = snapshot_history(history);
    assert_true(near(s.rows[0].state[1], 1e-3, 1.0));
    snapshot_free(&s);
    /* and an empty one lets them pass through each other */
    dem_contact_model_init(&model);
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    OK(evaluate(history, &h, NULL));
    assert_true(h.f[0][0] == 0.0);
    assert_int_equal(dem_contact_history_count(history), 0);
    dem_contact_history_destroy(history);
    dem_contact_history_destroy(NULL);
}

/** While the normal force attracts, the surfaces rub only where that is asked for. */
static void friction_of_an_attractive_force(void **state)
{
    (void)state;
    static const int32_t forms[2] = {DEM_NORMAL_ATTRACTIVE, DEM_NORMAL_ATTRACTIVE_ABSOLUTE};
    static const char *const laws[2] = {DEM_LAW_LINEAR_CSDS, DEM_LAW_LINEAR_DSDS};
    for (int n = 0; n < 4; ++n) {
        dem_contact_history *history = make_history(0.5, 1.0);
        dem_linear linear;
        dem_linear_init(&linear);
        linear.stiffness_normal = 1000.0;
        linear.damping = DEM_DAMPING_COEFFICIENT;
        linear.damping_normal = 100.0;
        linear.damping_tangential = 0.0;
        linear.normal = forms[n / 2];
        dem_contact_model model;
        dem_contact_model_init(&model);
        model.parts[0] = (dem_contact_part){laws[n % 2], &linear};
        OK(dem_contact_history_model_set(history, 0, 0, &model));
        host h;
        make_host(&h, 1.9);
        h.v[1][0] = 3.0; /* 100 N of spring, -300 N of dashpot */
        h.v[1][1] = 1e3; /* slides at once */
        h.in.kinematics = DEM_KINEMATICS_STANDARD;
        OK(evaluate(history, &h, NULL));
        assert_true(near(h.f[1][0], -200.0, 300.0));
        assert_true(near(h.f[1][1], n / 2 == 0 ? 0.0 : -100.0, 100.0));
        OK(dem_contact_history_clear(history));
        h.v[1][0] = 0.0; /* pressing: the two forms are one */
        OK(evaluate(history, &h, NULL));
        assert_true(near(h.f[1][0], 100.0, 300.0) && near(h.f[1][1], -50.0, 100.0));
        dem_contact_history_destroy(history);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(insertion_and_separation),
        cmocka_unit_test(sticking_and_sliding_forces),
        cmocka_unit_test(absent_pairs),
        cmocka_unit_test(forces_only_commits_nothing),
        cmocka_unit_test(order_of_rows_does_not_matter),
        cmocka_unit_test(errors_change_nothing),
        cmocka_unit_test(failing_law_changes_nothing),
        cmocka_unit_test(features_and_images_tell_contacts_apart),
        cmocka_unit_test(strides_and_packed_rows_agree),
        cmocka_unit_test(iterator_and_model_change),
        cmocka_unit_test(friction_of_an_attractive_force),
    };
    return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
