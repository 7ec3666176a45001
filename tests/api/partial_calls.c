/* SPDX-License-Identifier: MIT */
/**
 * @file partial_calls.c
 * Pairs that are listed in many calls, each of which keeps the contacts of the others, have the
 * bits of one call; each of these calls can be taken back, or fail, and then changes nothing.
 */
#include "../support/cmocka.h"
#include "../support/lattice.h"

#include <dem/dem.h>

enum { EDGE = 5, BYTES = 1 << 19 };

typedef lattice host;

/** What a host says of its pairs, where it gives the geometry. */
typedef struct given {
    double overlap[LATTICE_PAIRS], normal[LATTICE_PAIRS][3], point[LATTICE_PAIRS][3];
} given;

/** Materials 0 (linear), 1 (whose contacts with 0 have a longer state), and 2, which meets nothing.
 */
static dem_contact_history *history_make(void)
{
    dem_contact_history_config config;
    dem_contact_history *history = NULL;
    dem_linear linear;
    dem_rolling rolling;
    dem_contact_model model;
    OK(dem_contact_history_config_init(&config));
    config.material_count = 3;
    OK(dem_contact_history_create(&config, &history, NULL));
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1000.0;
    linear.restitution = 0.8;
    linear.friction = 0.3;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    OK(dem_contact_history_model_set(history, 1, 1, &model));
    OK(dem_rolling_init(&rolling));
    rolling.friction = 0.1;
    OK(dem_contact_model_add_rolling_csds(&model, &rolling));
    OK(dem_contact_history_model_set(history, 0, 1, &model));
    return history;
}

static void host_make(host *h)
{
    lattice_make(h, "partial calls", EDGE);
    for (uint32_t n = 0; n < h->spheres; ++n) {
        h->mass[n] = n % 11 == 0 ? 0.0 : 0.1;
        h->material[n] = n % 7 == 0 ? 2 : n % 5 == 0;
    }
    h->history = history_make();
    h->in.absent = DEM_ABSENT_KEEP;
    for (uint32_t i = 0; i < h->spheres; ++i)
        lattice_pairs_of(h, i, 1.3, 0);
}

/** The pairs of a call from `begin` to `end` - 1. */
static dem_contacts_input part_of(const host *h, uint64_t begin, uint64_t end)
{
    dem_contacts_input in = h->in;
    in.pairs = h->pairs[begin];
    in.shifts = h->shifts[begin];
    in.images = h->images[begin];
    in.features = h->features + begin;
    in.pair_count = end - begin;
    return in;
}

/** Spheres again, but by their geometry. */
static void given_make(const host *h, given *g)
{
    for (uint64_t p = 0; p < h->in.pair_count; ++p) {
        const uint32_t i = h->pairs[p][0], j = h->pairs[p][1];
        double d[3], square = 0.0;
        for (int c = 0; c < 3; ++c) {
            d[c] = h->x[i][c] - h->x[j][c] - h->shifts[p][c];
            square += d[c] * d[c];
        }
        const double distance = sqrt(square);
        g->overlap[p] = h->radius[i] + h->radius[j] - distance;
        for (int c = 0; c < 3; ++c) {
            g->normal[p][c] = d[c] / distance;
            g->point[p][c] = h->x[i][c] - (h->radius[i] - 0.5 * g->overlap[p]) * g->normal[p][c];
        }
    }
}

/** Evaluates some of a host's pairs; g: as they are given, or NULL. */
static dem_status evaluate(host *h, const given *g, const dem_contacts_input *in,
                           dem_contact_totals *totals)
{
    dem_contacts_geometry geometry;
    if (g == NULL)
        return dem_contacts_evaluate(h->history, in, totals);
    const uint64_t first = (uint64_t)(in->features - h->features);
    OK(dem_contacts_geometry_init(&geometry));
    geometry.overlap = g->overlap + first;
    geometry.normal = g->normal[first];
    geometry.point = g->point[first];
    return dem_contacts_evaluate_geometry(h->history, in, &geometry, totals);
}

/** The contacts, in the order in which a history tells them, and all of their numbers. */
static void bytes_of(const host *h, unsigned char bytes[BYTES])
{
    memset(bytes, 0, BYTES);
    OK(dem_contact_history_snapshot(h->history, bytes, BYTES, NULL));
}

/** The keys, in the order in which a history tells its contacts. */
static uint64_t keys_of(const host *h, dem_contact_key keys[LATTICE_PAIRS])
{
    uint64_t cursor = 0, count = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    while (dem_contact_history_next(h->history, &cursor, &contact) == DEM_OK)
        keys[count++] = contact.key;
    return count;
}

/** Calls that are taken back, fail, or keep nothing change no contact. */
static void vain_calls(host *h, const given *g, uint64_t begin, uint64_t end)
{
    static unsigned char bytes[2][BYTES];
    static dem_contact_key keys[2][LATTICE_PAIRS];
    static host copy;
    memcpy(&copy, h, sizeof copy);
    bytes_of(h, bytes[0]);
    const uint64_t count = keys_of(h, keys[0]);
    for (int how = 0; how < 3; ++how) {
        dem_contacts_input in = part_of(h, begin, end);
        in.forces_only = how == 1;
        uint32_t before[2] = {h->pairs[end - 1][0], h->pairs[end - 1][1]};
        if (how == 2) /* a row that does not exist, behind all others of the call */
            h->pairs[end - 1][0] = LATTICE_ROWS;
        assert_int_equal(evaluate(h, g, &in, NULL), how == 2 ? DEM_ERROR_RANGE : DEM_OK);
        memcpy(h->pairs[end - 1], before, sizeof before);
        if (how == 0)
            OK(dem_contacts_undo(h->history));
        bytes_of(h, bytes[1]);
        assert_memory_equal(bytes[0], bytes[1], BYTES);
        assert_int_equal(keys_of(h, keys[1]), count);
        assert_memory_equal(keys[0], keys[1], (size_t)count * sizeof keys[0][0]);
    }
    memcpy(h->f, copy.f, sizeof h->f);
    memcpy(h->t, copy.t, sizeof h->t);
}

static void totals_add(dem_contact_totals *sum, const dem_contact_totals *part)
{
    sum->contacts += part->contacts;
    sum->elastic_energy += part->elastic_energy;
    sum->dissipated_normal += part->dissipated_normal;
    sum->dissipated_dashpot += part->dissipated_dashpot;
    sum->dissipated_slip += part->dissipated_slip;
    sum->dissipated_rolling += part->dissipated_rolling;
}

/** Lists all pairs in parts of random lengths, `most` at most. */
static void evaluate_parts(host *h, const given *g, uint64_t most, int vain, test_random *random)
{
    dem_contact_totals sum = {.struct_size = sizeof sum}, part = {.struct_size = sizeof part};
    for (uint64_t begin = 0, end; begin < h->in.pair_count; begin = end) {
        end = begin + 1 + test_random_bits(random) % most;
        end = end < h->in.pair_count ? end : h->in.pair_count;
        if (vain)
            vain_calls(h, g, begin, end);
        const dem_contacts_input in = part_of(h, begin, end);
        OK(evaluate(h, g, &in, &part));
        totals_add(&sum, &part);
    }
    h->totals = sum;
}

static int close_to(double a, double b)
{
    return fabs(a - b) <= 1e-12 * (fabs(a) + fabs(b)) + 1e-15;
}

static void expect_same(const host *a, const host *b)
{
    const dem_contact_totals *t = &a->totals, *u = &b->totals;
    assert_memory_equal(a->x, b->x, sizeof a->x);
    assert_memory_equal(a->f, b->f, sizeof a->f);
    assert_memory_equal(a->t, b->t, sizeof a->t);
    assert_int_equal(t->contacts, u->contacts);
    assert_true(close_to(t->elastic_energy, u->elastic_energy));
    assert_true(close_to(t->dissipated_normal, u->dissipated_normal));
    assert_true(close_to(t->dissipated_dashpot, u->dissipated_dashpot));
    assert_true(close_to(t->dissipated_slip, u->dissipated_slip));
    assert_true(close_to(t->dissipated_rolling, u->dissipated_rolling));
    snapshot s = snapshot_history(a->history), r = snapshot_history(b->history);
    assert_true(s.count > 3 && snapshot_equal(&s, &r));
    snapshot_free(&s);
    snapshot_free(&r);
}

/** Steps in which contacts begin and end, and particles change their material. */
static void parts_and_one(uint64_t most, int vain, int is_given)
{
    static host a, b;
    static given geometry;
    const given *g = is_given ? &geometry : NULL;
    test_random random = test_random_start("parts");
    uint64_t begun = 0, ended = 0, before = 0;
    host_make(&a);
    host_make(&b);
    a.in.absent = DEM_ABSENT_SEPARATED;
    for (int step = 0; step < 120; ++step) {
        lattice_drift(&a);
        lattice_drift(&b);
        if (step % 10 == 9) {
            const uint32_t row = (uint32_t)(test_random_bits(&random) % a.spheres);
            if (a.material[row] < 2)
                a.material[row] = b.material[row] = 1 - a.material[row];
        }
        given_make(&a, &geometry);
        if (evaluate(&a, g, &a.in, &a.totals) != DEM_OK)
            fail_msg("%s", dem_contact_history_error(a.history));
        evaluate_parts(&b, g, most, vain, &random);
        expect_same(&a, &b);
        begun += a.totals.contacts > before;
        ended += a.totals.contacts < before;
        before = a.totals.contacts;
    }
    assert_true(begun > 5 && ended > 5);
    dem_contact_history_destroy(a.history);
    dem_contact_history_destroy(b.history);
}

static void test_single_pairs(void **state)
{
    (void)state;
    parts_and_one(1, 0, 0);
}

static void test_some_pairs(void **state)
{
    (void)state;
    parts_and_one(60, 0, 0);
}

/** Parts around the size above which all contacts are made anew. */
static void test_many_pairs(void **state)
{
    (void)state;
    parts_and_one(300, 1, 0);
}

static void test_vain_calls(void **state)
{
    (void)state;
    parts_and_one(25, 1, 0);
}

/** Contacts whose geometry the host gives. */
static void test_given_geometry(void **state)
{
    (void)state;
    parts_and_one(25, 1, 1);
}

/** What a call took in place is no longer taken back once something else has changed the history.
 */
static void test_undo_once(void **state)
{
    (void)state;
    static host h;
    host_make(&h);
    memset(h.material, 0, sizeof h.material);
    lattice_drift(&h);
    OK(dem_contacts_evaluate(h.history, &h.in, &h.totals));
    const dem_contacts_input in = part_of(&h, 0, 10);
    OK(dem_contacts_evaluate(h.history, &in, NULL));
    OK(dem_contacts_undo(h.history));
    assert_int_equal(dem_contacts_undo(h.history), DEM_ERROR_STATE);
    OK(dem_contacts_evaluate(h.history, &in, NULL));
    OK(dem_contact_history_forget(h.history, 1, &h.id[20]));
    assert_int_equal(dem_contacts_undo(h.history), DEM_ERROR_STATE);
    /* a whole call after a part is taken back as a whole */
    static unsigned char bytes[2][BYTES];
    bytes_of(&h, bytes[0]);
    OK(dem_contacts_evaluate(h.history, &in, NULL));
    bytes_of(&h, bytes[0]);
    OK(dem_contacts_evaluate(h.history, &h.in, NULL));
    OK(dem_contacts_undo(h.history));
    bytes_of(&h, bytes[1]);
    assert_memory_equal(bytes[0], bytes[1], BYTES);
    /* as is a step of stages */
    OK(dem_contacts_evaluate(h.history, &in, NULL));
    bytes_of(&h, bytes[0]);
    dem_contacts_stage stage = {.struct_size = sizeof stage};
    OK(dem_contacts_stage_begin(h.history, &h.in, &stage));
    OK(dem_contacts_stage_rate(h.history, &h.in, NULL));
    OK(dem_contacts_stage_end(h.history));
    OK(dem_contacts_undo(h.history));
    bytes_of(&h, bytes[1]);
    assert_memory_equal(bytes[0], bytes[1], BYTES);
    dem_contact_history_destroy(h.history);
}

/** The last two spheres touch, and become ghosts: with the next call, which lists a few others,
 * their contact ends. */
static void test_ghosts(void **state)
{
    (void)state;
    static host h;
    host_make(&h);
    const uint32_t last = h.spheres - 1;
    memset(h.material, 0, sizeof h.material);
    memcpy(h.x[last], h.x[last - 1], sizeof h.x[last]);
    h.x[last][0] += h.radius[last] + h.radius[last - 1] - 0.01;
    OK(dem_contacts_evaluate(h.history, &h.in, NULL));
    snapshot before = snapshot_history(h.history);
    const uint64_t id[2] = {h.id[last - 1], h.id[last]};
    const uint64_t low = id[0] < id[1] ? id[0] : id[1], high = id[0] < id[1] ? id[1] : id[0];
    assert_non_null(snapshot_find(&before, low, high));
    dem_contacts_input in = part_of(&h, 0, 10);
    in.ghost_count = 2;
    OK(dem_contacts_evaluate(h.history, &in, NULL));
    snapshot after = snapshot_history(h.history);
    assert_null(snapshot_find(&after, low, high));
    assert_true(after.count > 40);
    snapshot_free(&before);
    snapshot_free(&after);
    dem_contact_history_destroy(h.history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_pairs),   cmocka_unit_test(test_some_pairs),
        cmocka_unit_test(test_many_pairs),     cmocka_unit_test(test_vain_calls),
        cmocka_unit_test(test_given_geometry), cmocka_unit_test(test_undo_once),
        cmocka_unit_test(test_ghosts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
