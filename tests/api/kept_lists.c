/* SPDX-License-Identifier: MIT */
/**
 * @file kept_lists.c
 * Kept lists have the bits of dem_contacts_evaluate: forces, torques, contacts, totals and errors.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/heap_short.h"
#include "../support/lattice.h"
#include "../support/law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = 5, ROWS = EDGE * EDGE * EDGE };

static test_law_control control = {0, -1, 0.0};
static short_heap heap = {0, UINT64_MAX, 0};

/** Materials 0 (linear), 1 (a law of the host's with 0), and 2, which meets nothing. */
static dem_contact_history *history_make(void)
{
    dem_contact_history_config config;
    OK(dem_contact_history_config_init(&config));
    config.material_count = 3;
    config.allocator = short_allocator(&heap);
    dem_contact_history *history = NULL;
    OK(dem_contact_history_create(&config, &history, NULL));
    const dem_law law = test_law(&control);
    OK(dem_contact_history_law_register(history, &law));
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1000.0;
    linear.restitution = 0.8;
    linear.friction = 0.3;
    const test_spring spring = {500.0};
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add(&model, law.name, &spring));
    OK(dem_contact_history_model_set(history, 0, 1, &model));
    model.lever_arm = DEM_ARM_CONTACT;
    OK(dem_contact_history_model_set(history, 1, 1, &model));
    return history;
}

/** Spheres of three materials, some of which are infinitely heavy. */
typedef lattice host;

static void host_list(host *h)
{
    h->in.pair_count = 0;
    for (uint32_t i = 0; i < h->spheres; ++i)
        lattice_pairs_of(h, i, 1.3, 0);
}

static void host_make(host *h)
{
    lattice_make(h, "kept lists", EDGE);
    for (uint32_t n = 0; n < h->spheres; ++n) {
        h->mass[n] = n % 11 == 0 ? 0.0 : 0.1;
        h->material[n] = n % 7 == 0 ? 2 : n % 5 == 0;
    }
    h->history = history_make();
    host_list(h);
}

static dem_status list(host *h)
{
    return dem_contacts_list_evaluate(h->history, &h->in, &h->totals);
}

/* Half of the rows may be ghosts. Contacts that were absent and ended do not come back. */
static void same_bits(void **state)
{
    (void)state;
    static host a, b;
    for (int32_t kinematics = 0; kinematics < 3; ++kinematics)
        for (int how = 0; how < 4; ++how) {
            host_make(&a);
            host_make(&b);
            a.in.ghost_count = b.in.ghost_count = how % 2 ? ROWS / 2 : 0;
            a.in.kinematics = b.in.kinematics = kinematics;
            for (int step = 0; step < 80; ++step) {
                lattice_drift(&a);
                lattice_drift(&b);
                a.in.absent = b.in.absent =
                    how / 2 && step % 20 / 5 != 2 ? DEM_ABSENT_KEEP : DEM_ABSENT_SEPARATED;
                if (step % 20 == 0) {
                    host_list(&a);
                    host_list(&b);
                    a.in.pair_count -= (uint64_t)(step / 20 % 2) * 40; /* some are absent */
                    b.in.pair_count = a.in.pair_count;
                    OK(dem_contacts_list_begin(b.history, &b.in));
                }
                OK(dem_contacts_evaluate(a.history, &a.in, &a.totals));
                OK(list(&b));
                lattice_equal(&a, &b);
            }
            assert_true(a.totals.contacts > 3);
            dem_contact_history_destroy(a.history);
            dem_contact_history_destroy(b.history);
        }
}

/* A contact that is listed twice, from both its ends, is one, even if it touches in the second
 * listing alone, because copies of a particle lie elsewhere. */
static void listed_from_both_ends(void **state)
{
    (void)state;
    static host h[2];
    for (int k = 0; k < 2; ++k) {
        host_make(&h[k]);
        lattice_copies(&h[k]);
        h[k].in.kinematics = DEM_KINEMATICS_STANDARD;
        h[k].x[2][0] = 1.5; /* the first listing is apart */
    }
    OK(dem_contacts_list_begin(h[1].history, &h[1].in));
    for (int step = 0; step < 6; ++step) {
        OK(dem_contacts_evaluate(h[0].history, &h[0].in, &h[0].totals));
        OK(list(&h[1]));
        assert_int_equal(dem_contact_history_count(h[1].history), step == 4 ? 0 : 1);
        assert_memory_equal(h[0].f, h[1].f, sizeof(h[0].f));
        assert_memory_equal(h[0].t, h[1].t, sizeof(h[0].t));
        lattice_same_bytes(&h[0], &h[1]);
        for (int k = 0; k < 2; ++k) {
            h[k].x[2][0] = step % 2 == 0 ? 0.9 : 1.5;
            h[k].x[3][0] = step % 3 == 0 ? -0.2 : 0.0;
        }
    }
    assert_true(h[0].f[0][1] != 0.0 && h[0].f[1][1] != 0.0);
    for (int k = 0; k < 2; ++k)
        dem_contact_history_destroy(h[k].history);
}

/* What the list keeps is not read again. */
static void what_is_kept(void **state)
{
    (void)state;
    static host a, b;
    host_make(&a);
    host_make(&b);
    OK(dem_contacts_list_begin(b.history, &b.in));
    b.in.pairs = NULL;
    b.in.shifts = NULL;
    b.in.images = NULL;
    b.in.radius = b.in.mass = NULL;
    b.in.id = NULL;
    b.in.material = NULL;
    b.in.pair_count = 3;
    for (int step = 0; step < 20; ++step) {
        lattice_drift(&a);
        lattice_drift(&b);
        OK(dem_contacts_evaluate(a.history, &a.in, &a.totals));
        OK(list(&b));
        lattice_equal(&a, &b);
    }
    dem_contact_history_destroy(a.history);
    dem_contact_history_destroy(b.history);
}

/* Forces alone, steps that are taken back, packing and reading: the list goes on. */
static void what_the_list_survives(void **state)
{
    (void)state;
    static host a, b;
    static unsigned char buffer[1 << 19];
    host_make(&a);
    host_make(&b);
    lattice_drift(&a);
    lattice_drift(&b);
    OK(dem_contacts_list_begin(b.history, &b.in));
    for (int step = 0; step < 40; ++step) {
        lattice_drift(&a);
        lattice_drift(&b);
        OK(dem_contacts_evaluate(a.history, &a.in, &a.totals));
        double f[2][LATTICE_ROWS][3];
        memcpy(f[0], b.f, sizeof(b.f));
        memcpy(f[1], b.t, sizeof(b.t));
        for (int again = 0; again < 3; ++again) {
            memcpy(b.f, f[0], sizeof(b.f));
            memcpy(b.t, f[1], sizeof(b.t));
            b.in.forces_only = again == 0;
            OK(list(&b));
            b.in.forces_only = 0;
            if (again == 1)
                OK(dem_contacts_undo(b.history));
        }
        lattice_equal(&a, &b);
        uint64_t bytes = 0;
        OK(dem_contact_history_pack(b.history, 9, b.id, buffer, sizeof(buffer), &bytes));
    }
    dem_contact_history_destroy(a.history);
    dem_contact_history_destroy(b.history);
}

static void ended(host *h)
{
    const snapshot before = snapshot_history(h->history);
    assert_int_equal(list(h), DEM_ERROR_STATE);
    assert_non_null(strstr(dem_contact_history_error(h->history), "dem_contacts_list_begin"));
    snapshot after = snapshot_history(h->history);
    assert_true(snapshot_equal(&before, &after));
    snapshot_free(&after);
    free(before.rows);
}

/* Whatever changes the history ends the list, and finds its contacts by key again. */
static void what_ends_a_list(void **state)
{
    (void)state;
    static host a, b;
    static unsigned char buffer[1 << 19];
    uint64_t bytes = 0;
    host_make(&a);
    host_make(&b);
    ended(&b);
    for (int what = 0; what < 6; ++what) {
        host *const both[2] = {&a, &b};
        for (int k = 0; k < 2; ++k) {
            host *h = both[k];
            if (k == 1)
                OK(dem_contacts_list_begin(h->history, &h->in));
            for (int step = 0; step < 5; ++step) {
                lattice_drift(h);
                OK(k == 1 ? list(h) : dem_contacts_evaluate(h->history, &h->in, &h->totals));
            }
            const test_spring spring = {600.0};
            dem_contact_model model;
            OK(dem_contact_model_init(&model));
            OK(dem_contact_model_add(&model, "test-spring", &spring));
            if (k == 0)
                OK(dem_contact_history_snapshot(h->history, buffer, sizeof(buffer), &bytes));
            if (what == 0)
                OK(dem_contact_history_model_set(h->history, 1, 1, &model));
            else if (what == 1)
                OK(dem_contact_history_forget(h->history, 20, h->id));
            else if (what == 2)
                OK(dem_contact_history_unpack(h->history, buffer, bytes));
            else if (what == 3)
                OK(dem_contact_history_add(h->history, 0, NULL));
            else if (what == 4)
                OK(dem_contact_history_restore(h->history, buffer, bytes));
            else
                lattice_drift(h);
            if (what == 5)
                OK(dem_contacts_evaluate(h->history, &h->in, &h->totals));
            if (k == 1)
                ended(h);
        }
        lattice_equal(&a, &b);
    }
    dem_contact_history_destroy(a.history);
    dem_contact_history_destroy(b.history);
}

static void refused(host *h, dem_status status, const char *word)
{
    const snapshot before = snapshot_history(h->history);
    memset(h->f, 0, sizeof(h->f));
    const dem_status got = list(h);
    if (got != status || strstr(dem_contact_history_error(h->history), word) == NULL)
        fail_msg("status %d, not %d; \"%s\" must name \"%s\"", (int)got, (int)status,
                 dem_contact_history_error(h->history), word);
    snapshot after = snapshot_history(h->history);
    assert_true(snapshot_equal(&before, &after));
    for (int n = 0; n < ROWS; ++n)
        for (int c = 0; c < 3; ++c)
            assert_true(h->f[n][c] == 0.0);
    snapshot_free(&after);
    free(before.rows);
}

static void errors(void **state)
{
    (void)state;
    static host h;
    host_make(&h);
    OK(dem_contacts_list_begin(h.history, &h.in));
    lattice_drift(&h);
    OK(list(&h));
    h.in.particle_count -= 1;
    refused(&h, DEM_ERROR_RANGE, "particles");
    h.in.particle_count += 1;
    h.in.ghost_count = 1;
    refused(&h, DEM_ERROR_RANGE, "ghosts");
    h.in.ghost_count = 0;
    const double x = h.x[17][1];
    h.x[17][1] = NAN;
    refused(&h, DEM_ERROR_DIVERGED, "position[17]");
    h.x[17][1] = x;
    h.in.dt = 0.0;
    refused(&h, DEM_ERROR_RANGE, "dt");
    h.in.dt = 1e-3;
    h.in.force = NULL;
    assert_int_equal(list(&h), DEM_ERROR_ARGUMENT);
    h.in.force = h.f[0];
    control.fail_at = control.calls;
    refused(&h, DEM_ERROR_CALLBACK, "test-spring");
    control.fail_at = -1;
    const uint32_t i = h.pairs[300][0], j = h.pairs[300][1];
    double kept[3];
    memcpy(kept, h.x[i], sizeof(kept));
    for (int c = 0; c < 3; ++c)
        h.x[i][c] = h.x[j][c] + h.shifts[300][c];
    refused(&h, DEM_ERROR_OVERLAP, "overlap");
    memcpy(h.x[i], kept, sizeof(kept));
    /* a list that is refused leaves the one that is there */
    const uint64_t p = h.in.pair_count++;
    memcpy(h.pairs[p], h.pairs[7], sizeof(h.pairs[p]));
    memcpy(h.images[p], h.images[7], sizeof(h.images[p]));
    assert_int_equal(dem_contacts_list_begin(h.history, &h.in), DEM_ERROR_DUPLICATE);
    h.pairs[p][0] = ROWS;
    assert_int_equal(dem_contacts_list_begin(h.history, &h.in), DEM_ERROR_RANGE);
    h.in.pair_count--;
    for (int k = 0; k < 20; ++k)
        h.shifts[k][1] = INFINITY;
    assert_int_equal(dem_contacts_list_begin(h.history, &h.in), DEM_ERROR_RANGE);
    OK(list(&h));
    assert_int_equal(dem_contacts_list_evaluate(h.history, NULL, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contacts_list_begin(NULL, &h.in), DEM_ERROR_ARGUMENT);
    dem_contact_history_destroy(h.history);
}

/* Rows whose pairs have no model are looked at as dem_contacts_evaluate looks at them, also where
 * the list has no other; their forces stay as they are. */
static void rows_without_models(void **state)
{
    (void)state;
    enum { ROW = 7 };
    static host h;
    for (int all = 0; all < 2; ++all) {
        host_make(&h);
        assert_int_equal(h.material[ROW], 2);
        for (int n = 0; all && n < ROWS; ++n)
            h.material[n] = 2;
        OK(dem_contacts_list_begin(h.history, &h.in));
        for (int c = 0; c < 3; ++c)
            h.f[ROW][c] = -0.0;
        OK(list(&h));
        assert_int_equal(h.totals.contacts == 0, all);
        for (int c = 0; c < 3; ++c)
            assert_true(h.f[ROW][c] == 0.0 && signbit(h.f[ROW][c]));
        double *const values[] = {&h.x[ROW][1], &h.v[ROW][1], &h.w[ROW][1]};
        static const char *const names[] = {"position[7]", "velocity[7]", "angular_velocity[7]"};
        for (int k = 0; k < 3; ++k) {
            const double value = *values[k];
            *values[k] = NAN;
            refused(&h, DEM_ERROR_DIVERGED, names[k]);
            h.in.forces_only = 1; /* which leaves the list */
            assert_int_equal(dem_contacts_evaluate(h.history, &h.in, NULL), DEM_ERROR_DIVERGED);
            h.in.forces_only = 0;
            *values[k] = value;
        }
        h.in.position = NULL;
        refused(&h, DEM_ERROR_ARGUMENT, "position");
        h.in.position = h.x[0];
        OK(list(&h));
        dem_contact_history_destroy(h.history);
    }
}

/* What starts a list or a step of stages adds no forces, and asks for no array of them. */
static void beginnings_need_no_forces(void **state)
{
    (void)state;
    static host h;
    host_make(&h);
    h.in.force = h.in.torque = NULL;
    OK(dem_contacts_list_begin(h.history, &h.in));
    assert_int_equal(list(&h), DEM_ERROR_ARGUMENT);
    h.in.force = h.f[0];
    OK(list(&h));
    for (int n = 0; n < ROWS; ++n)
        h.material[n] = 0; /* the law of the host's has no rate form */
    h.in.force = NULL;
    dem_contacts_stage stage = {.struct_size = sizeof(stage)};
    OK(dem_contacts_stage_begin(h.history, &h.in, &stage));
    assert_true(stage.count > 0);
    assert_int_equal(dem_contacts_stage_rate(h.history, &h.in, NULL), DEM_ERROR_ARGUMENT);
    h.in.force = h.f[0];
    OK(dem_contacts_stage_rate(h.history, &h.in, NULL));
    dem_contact_history_destroy(h.history);
}

/** Two rows of one id that are no ghosts are refused, whatever the order of ids; ghosts may have
 * the ids of other rows. */
static void ids_of_rows(void **state)
{
    (void)state;
    host h = {.history = NULL};
    uint64_t of[2] = {0, 0};
    host_make(&h);
    for (int ascend = 0; ascend < 2; ++ascend) {
        for (uint32_t n = 0; ascend && n < h.spheres; ++n)
            h.id[n] = n + 1;
        for (uint32_t first = 0; first < h.spheres; first += 4)
            for (int near = 0; near < 2; ++near) {
                const uint32_t second = (first + (near ? 1 : ROWS / 2)) % ROWS;
                const uint64_t id = h.id[first];
                h.id[first] = h.id[second];
                h.in.ghost_count = 0;
                const dem_status status = dem_contacts_list_begin(h.history, &h.in);
                of[status == DEM_ERROR_DUPLICATE]++;
                assert_true(status == DEM_ERROR_DUPLICATE || status == DEM_ERROR_ARGUMENT);
                h.id[first] = id;
                OK(dem_contacts_list_begin(h.history, &h.in));
            }
    }
    assert_true(of[1] > 40);
    dem_contact_history_destroy(h.history);
}

/* Rows that no pair names are not looked at, and keep what is in their arrays: they may share an
 * id, and be anything. */
static void rows_without_pairs(void **state)
{
    (void)state;
    static host h[2];
    for (int k = 0; k < 2; ++k) {
        host_make(&h[k]);
        uint64_t kept = 0;
        for (uint64_t p = 0; p < h[k].in.pair_count; ++p)
            if (h[k].pairs[p][0] % 13 != 4 && h[k].pairs[p][1] % 13 != 4)
                memcpy(h[k].pairs[kept++], h[k].pairs[p], sizeof h[k].pairs[0]);
        assert_true(kept > 10 && kept < h[k].in.pair_count);
        h[k].in.pair_count = kept;
        for (uint32_t n = 4; n < h[k].spheres; n += 13) {
            h[k].id[n] = h[k].id[4];
            h[k].radius[n] = h[k].mass[n] = -1.0;
            for (int c = 0; c < 3; ++c) {
                h[k].x[n][c] = h[k].v[n][c] = h[k].w[n][c] = NAN;
                h[k].f[n][c] = h[k].t[n][c] = -0.0;
            }
        }
    }
    OK(dem_contacts_list_begin(h[1].history, &h[1].in));
    OK(dem_contacts_evaluate(h[0].history, &h[0].in, &h[0].totals));
    OK(list(&h[1]));
    for (uint32_t n = 4; n < h[1].spheres; n += 13)
        assert_true(h[1].f[n][0] == 0.0 && signbit(h[1].f[n][0]));
    lattice_equal(&h[0], &h[1]);
    dem_contact_history_destroy(h[0].history);
    dem_contact_history_destroy(h[1].history);
}

/* Whichever allocation fails: the list is refused, and begins where there is memory again. */
static void beginnings_without_memory(void **state)
{
    (void)state;
    static host a, b;
    uint64_t failed = 0;
    for (int refused = 1; refused; failed += (uint64_t)refused) {
        host_make(&a);
        host_make(&b);
        heap.fail_at = heap.calls + failed;
        const dem_status status = dem_contacts_list_begin(b.history, &b.in);
        refused = heap.calls > heap.fail_at;
        heap.fail_at = UINT64_MAX;
        assert_int_equal(status, refused ? DEM_ERROR_MEMORY : DEM_OK);
        OK(dem_contacts_list_begin(b.history, &b.in));
        OK(dem_contacts_evaluate(a.history, &a.in, &a.totals));
        OK(list(&b));
        lattice_equal(&a, &b);
        dem_contact_history_destroy(a.history);
        dem_contact_history_destroy(b.history);
        assert_int_equal(heap.held, 0);
    }
    assert_true(failed > 10);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits),
        cmocka_unit_test(listed_from_both_ends),
        cmocka_unit_test(what_is_kept),
        cmocka_unit_test(what_the_list_survives),
        cmocka_unit_test(what_ends_a_list),
        cmocka_unit_test(errors),
        cmocka_unit_test(ids_of_rows),
        cmocka_unit_test(rows_without_models),
        cmocka_unit_test(rows_without_pairs),
        cmocka_unit_test(beginnings_without_memory),
        cmocka_unit_test(beginnings_need_no_forces),
    };
    return cmocka_run_group_tests_name("kept_lists", tests, NULL, NULL);
}
