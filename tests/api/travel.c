/* SPDX-License-Identifier: MIT */
/**
 * @file travel.c
 * Contacts that leave a history and come to another: packed, forgotten, added, taken back, stored.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/law.h"
#include "../support/random.h"
#include "../support/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = 4, ROWS = EDGE * EDGE * EDGE, PAIRS = 13 * ROWS, FIRST_ID = 100 };

static test_law_control control = {0, -1, 0.0};

/** Laws of a history: how they differ from those of others. */
enum { SAME = 0, OTHER_LAW = 1, OTHER_VERSION = 2, NO_MODEL = 3, OTHER_PARTS = 4 };

/** A part that does nothing and keeps nothing. */
static dem_status nothing_evaluate(void *user, uint64_t n, dem_contact_batch *batch,
                                   const void *combined)
{
    (void)user, (void)n, (void)batch, (void)combined;
    return DEM_OK;
}

/** Material 0 with itself: "linear-csds"; with 1: a law of the host's with one double. */
static dem_contact_history *history_make(const dem_allocator *allocator, int how)
{
    dem_contact_history_config config;
    OK(dem_contact_history_config_init(&config));
    config.material_count = 2;
    if (allocator != NULL)
        config.allocator = *allocator;
    dem_contact_history *history = NULL;
    OK(dem_contact_history_create(&config, &history, NULL));
    dem_law law = test_law(&control);
    law.version += how == OTHER_VERSION;
    OK(dem_contact_history_law_register(history, &law));
    law.name = "test-sprint";
    OK(dem_contact_history_law_register(history, &law));
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1000.0;
    linear.restitution = 0.8;
    linear.friction = 0.3;
    const test_spring spring = {500.0};
    law.name = "test-nothing";
    law.kind = DEM_LAW_FURTHER;
    law.evaluate = nothing_evaluate;
    law.slots = NULL;
    law.slot_count = 0;
    OK(dem_contact_history_law_register(history, &law));
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    if (how == OTHER_PARTS)
        OK(dem_contact_model_add(&model, "test-nothing", &spring));
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    if (how == NO_MODEL)
        return history;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add(&model, how == OTHER_LAW ? "test-sprint" : "test-spring", &spring));
    OK(dem_contact_history_model_set(history, 0, 1, &model));
    OK(dem_contact_history_model_set(history, 1, 1, &model));
    return history;
}

/** Spheres of two materials near a lattice, which slide along each other. */
typedef struct host {
    double x[ROWS][3], v[ROWS][3], w[ROWS][3], f[ROWS][3], t[ROWS][3], radius[ROWS], mass[ROWS];
    int32_t material[ROWS];
    uint64_t id[ROWS];
    uint32_t pairs[PAIRS][2];
    dem_contacts_input in;
} host;

static void host_make(host *h, const char *name)
{
    test_random random = test_random_start(name);
    memset(h, 0, sizeof(*h));
    for (uint32_t n = 0; n < ROWS; ++n) {
        const double at[3] = {0.97 * (n % EDGE), 0.97 * (n / EDGE % EDGE),
                              0.97 * (n / EDGE / EDGE)};
        for (int c = 0; c < 3; ++c) {
            h->x[n][c] = at[c] + test_uniform(&random, -0.03, 0.03);
            h->v[n][c] = test_uniform(&random, -1.0, 1.0);
            h->w[n][c] = test_uniform(&random, -1.0, 1.0);
        }
        h->radius[n] = 0.5;
        h->mass[n] = 0.1;
        h->material[n] = n % 5 == 0;
        h->id[n] = FIRST_ID + (n * 29) % ROWS;
    }
    OK(dem_contacts_input_init(&h->in));
    dem_contacts_input *in = &h->in;
    in->particle_count = ROWS;
    in->id = h->id;
    in->position = h->x[0];
    in->velocity = h->v[0];
    in->angular_velocity = h->w[0];
    in->radius = h->radius;
    in->mass = h->mass;
    in->material = h->material;
    in->force = h->f[0];
    in->torque = h->t[0];
    in->pairs = h->pairs[0];
    in->dt = 1e-3;
    in->velocity_lag = 5e-4;
    for (uint32_t i = 0; i < ROWS; ++i)
        for (uint32_t j = 0; j < i; ++j)
            if (fabs(h->x[i][0] - h->x[j][0]) < 1.2 && fabs(h->x[i][1] - h->x[j][1]) < 1.2 &&
                fabs(h->x[i][2] - h->x[j][2]) < 1.2) {
                h->pairs[in->pair_count][0] = j;
                h->pairs[in->pair_count++][1] = i;
            }
}

static void evaluate(host *h, dem_contact_history *history)
{
    memset(h->f, 0, sizeof(h->f));
    memset(h->t, 0, sizeof(h->t));
    OK(dem_contacts_evaluate(history, &h->in, NULL));
}

/** Moves the spheres, evaluates. */
static void step(host *h, dem_contact_history *history)
{
    for (uint32_t n = 0; n < ROWS; ++n)
        for (int c = 0; c < 3; ++c) {
            h->v[n][c] += h->in.dt * h->f[n][c] / h->mass[n];
            h->x[n][c] += h->in.dt * h->v[n][c];
        }
    evaluate(h, history);
}

/** Bytes of packed contacts. */
typedef struct packed {
    unsigned char *bytes;
    uint64_t size;
} packed;

static packed pack(dem_contact_history *history, uint64_t count, const uint64_t *ids)
{
    packed p = {NULL, 0};
    OK(dem_contact_history_pack(history, count, ids, NULL, 0, &p.size));
    p.bytes = malloc((size_t)p.size + 1);
    assert_non_null(p.bytes);
    p.bytes[p.size] = 0xA5;
    uint64_t again = 0;
    OK(dem_contact_history_pack(history, count, ids, p.bytes, p.size, &again));
    assert_true(again == p.size && p.size % 8 == 0 && p.bytes[p.size] == 0xA5);
    return p;
}

static int touches(const snapshot_row *row, uint64_t count, const uint64_t *ids)
{
    for (uint64_t k = 0; k < count; ++k)
        if (row->key.id_i == ids[k] || row->key.id_j == ids[k])
            return 1;
    return 0;
}

/** Leaves those rows of a snapshot that touch one of the ids, or those that do not. */
static void keep(snapshot *s, uint64_t count, const uint64_t *ids, int which)
{
    uint64_t left = 0;
    for (uint64_t k = 0; k < s->count; ++k)
        if (touches(&s->rows[k], count, ids) == which)
            s->rows[left++] = s->rows[k];
    s->count = left;
}

static void expect(dem_contact_history *history, const snapshot *want)
{
    snapshot s = snapshot_history(history);
    assert_true(snapshot_equal(&s, want));
    snapshot_free(&s);
}

/* What is packed and unpacked goes on with the bits of what stayed. */
static void a_run_in_two_parts(void **state)
{
    (void)state;
    static host a, b;
    host_make(&a, "two parts");
    dem_contact_history *p = history_make(NULL, SAME), *q = history_make(NULL, SAME);
    evaluate(&a, p);
    for (int n = 0; n < 20; ++n)
        step(&a, p);
    b = a;
    b.in = a.in;
    b.in.id = b.id;
    b.in.position = b.x[0];
    b.in.velocity = b.v[0];
    b.in.angular_velocity = b.w[0];
    b.in.force = b.f[0];
    b.in.torque = b.t[0];
    packed all = pack(p, ROWS, a.id);
    OK(dem_contact_history_unpack(q, all.bytes, all.size));
    snapshot s = snapshot_history(p);
    assert_true(s.count > 60);
    expect(q, &s);
    snapshot_free(&s);
    for (int n = 0; n < 20; ++n) {
        step(&a, p);
        step(&b, q);
        assert_memory_equal(a.f, b.f, sizeof(a.f));
        assert_memory_equal(a.t, b.t, sizeof(a.t));
    }
    s = snapshot_history(p);
    expect(q, &s);
    snapshot_free(&s);
    free(all.bytes);
    dem_contact_history_destroy(p);
    dem_contact_history_destroy(q);
}

/* A contact whose ends both leave is packed once; ids may be unknown, and listed twice. */
static void chosen_ids(void **state)
{
    (void)state;
    static host h;
    host_make(&h, "chosen ids");
    dem_contact_history *p = history_make(NULL, SAME), *q = history_make(NULL, SAME);
    evaluate(&h, p);
    const uint64_t ids[] = {h.id[21], 7, h.id[22], h.id[21], h.id[40], UINT64_MAX};
    snapshot want = snapshot_history(p);
    const uint64_t whole = want.count;
    keep(&want, 6, ids, 1);
    assert_true(want.count > 5 && want.count < whole);
    packed some = pack(p, 6, ids);
    OK(dem_contact_history_unpack(q, some.bytes, some.size));
    expect(q, &want);
    /* twice, and with others that overlap */
    OK(dem_contact_history_unpack(q, some.bytes, some.size));
    expect(q, &want);
    packed all = pack(p, ROWS, h.id), none = pack(p, 1, &ids[1]), empty = pack(p, 0, NULL);
    assert_true(none.size == empty.size && none.size < some.size && some.size < all.size);
    OK(dem_contact_history_unpack(q, none.bytes, none.size));
    expect(q, &want);
    OK(dem_contact_history_unpack(q, all.bytes, all.size));
    snapshot_free(&want);
    want = snapshot_history(p);
    expect(q, &want);
    snapshot_free(&want);
    /* what is there stays as it is */
    for (int n = 0; n < 5; ++n)
        step(&h, q);
    want = snapshot_history(q);
    OK(dem_contact_history_unpack(q, some.bytes, some.size));
    snapshot after = snapshot_history(q);
    int found = 0;
    for (uint64_t k = 0; k < want.count; ++k) {
        const snapshot_row *row =
            snapshot_find(&after, want.rows[k].key.id_i, want.rows[k].key.id_j);
        assert_non_null(row);
        assert_memory_equal(row, &want.rows[k], sizeof(*row));
        found += touches(row, 6, ids);
    }
    assert_true(found > 3);
    snapshot_free(&after);
    snapshot_free(&want);

    /* states that grow where some were removed */
    OK(dem_contact_history_clear(q));
    dem_contact_history *r = history_make(NULL, SAME);
    OK(dem_contact_history_unpack(r, some.bytes, some.size));
    OK(dem_contact_history_forget(r, 1, &ids[2]));
    OK(dem_contact_history_unpack(r, all.bytes, all.size));
    want = snapshot_history(p);
    expect(r, &want);
    snapshot_free(&want);
    dem_contact_history_destroy(r);

    /* too small a buffer */
    memset(some.bytes, 0x11, (size_t)some.size);
    assert_int_equal(dem_contact_history_pack(p, 6, ids, some.bytes, some.size - 8, NULL),
                     DEM_ERROR_RANGE);
    assert_true(some.bytes[0] == 0x11);
    assert_non_null(strstr(dem_contact_history_error(p), "size"));
    assert_int_equal(dem_contact_history_pack(p, 6, NULL, NULL, 0, &some.size), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_pack(p, 6, ids, NULL, 0, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_forget(p, 6, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_unpack(p, NULL, 8), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_restore(p, NULL, 8), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_snapshot_size(p, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_snapshot(p, NULL, 8, NULL), DEM_ERROR_ARGUMENT);
    /* no history at all */
    assert_int_equal(dem_contact_history_pack(NULL, 6, ids, NULL, 0, &some.size),
                     DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_unpack(NULL, all.bytes, all.size), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_forget(NULL, 6, ids), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_restore(NULL, all.bytes, all.size), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_snapshot_size(NULL, &all.size), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_snapshot(NULL, all.bytes, 8, NULL), DEM_ERROR_ARGUMENT);
    free(all.bytes);
    free(some.bytes);
    free(none.bytes);
    free(empty.bytes);
    dem_contact_history_destroy(p);
    dem_contact_history_destroy(q);
}

/* Steps, packs, forgets and sets models at random, beside a list that is kept by hand. */
static void many_changes(void **state)
{
    (void)state;
    static host h;
    host_make(&h, "many changes");
    test_random random = test_random_start("many changes: choices");
    dem_contact_history *p = history_make(NULL, SAME), *q = history_make(NULL, SAME);
    h.in.absent = DEM_ABSENT_KEEP;
    evaluate(&h, p);
    evaluate(&h, q);
    uint64_t removed = 0, returned = 0;
    for (int round = 0; round < 600; ++round) {
        uint64_t ids[5];
        const uint64_t count = 1 + test_random_bits(&random) % 5;
        for (uint64_t k = 0; k < count; ++k)
            ids[k] = FIRST_ID + test_random_bits(&random) % (ROWS + 3);
        snapshot before = snapshot_history(q);
        const uint64_t choice = test_random_bits(&random) % 16;
        if (choice < 8) {
            OK(dem_contact_history_forget(q, count, ids));
            const uint64_t all = before.count;
            keep(&before, count, ids, 0);
            removed += all - before.count;
            expect(q, &before);
        } else if (choice < 15) {
            packed some = pack(p, count, ids);
            OK(dem_contact_history_unpack(q, some.bytes, some.size));
            free(some.bytes);
            snapshot all = snapshot_history(p);
            snapshot after = snapshot_history(q);
            for (uint64_t k = 0, at = 0; k < all.count; ++k) {
                const snapshot_row *row = &all.rows[k];
                const int there = snapshot_find(&before, row->key.id_i, row->key.id_j) != NULL,
                          comes = touches(row, count, ids);
                returned += (uint64_t)(comes && !there);
                if (!there && !comes)
                    continue;
                assert_true(at < after.count);
                assert_memory_equal(row, &after.rows[at++], sizeof(*row));
            }
            snapshot_free(&after);
            snapshot_free(&all);
        } else {
            step(&h, p);
            evaluate(&h, q); /* all contacts come again, some without history */
            OK(dem_contact_history_clear(q));
            packed all = pack(p, ROWS, h.id);
            OK(dem_contact_history_unpack(q, all.bytes, all.size));
            free(all.bytes);
            snapshot want = snapshot_history(p);
            expect(q, &want);
            snapshot_free(&want);
        }
        snapshot_free(&before);
    }
    assert_true(removed > 500 && returned > 300);
    dem_contact_history_destroy(p);
    dem_contact_history_destroy(q);
}

/** The checksum of the format, see docs/checkpoint.md. */
static void checksum_set(unsigned char *bytes, uint64_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint64_t k = 0; k + 8 < size; k += 8) {
        uint64_t word = 0;
        for (int b = 7; b >= 0; --b)
            word = word << 8 | bytes[k + (uint64_t)b];
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    for (int b = 0; b < 8; ++b)
        bytes[size - 8 + (uint64_t)b] = (unsigned char)(hash >> 8 * b);
}

static void refused(dem_contact_history *history, const packed *p, dem_status status,
                    const char *word)
{
    const snapshot before = snapshot_history(history);
    for (int restore = 0; restore < 2; ++restore) {
        const dem_status got = restore ? dem_contact_history_restore(history, p->bytes, p->size)
                                       : dem_contact_history_unpack(history, p->bytes, p->size);
        if (got != status || strstr(dem_contact_history_error(history), word) == NULL)
            fail_msg("status %d, not %d; \"%s\" must name \"%s\"", (int)got, (int)status,
                     dem_contact_history_error(history), word);
        expect(history, &before);
    }
    free(before.rows);
}

static void damage(void **state)
{
    (void)state;
    static host h;
    host_make(&h, "damage");
    dem_contact_history *p = history_make(NULL, SAME), *q = history_make(NULL, SAME);
    evaluate(&h, p);
    const uint64_t some[2] = {h.id[10], h.id[20]};
    packed good = pack(p, 2, some), other = pack(p, 1, &h.id[0]);
    OK(dem_contact_history_unpack(q, other.bytes, other.size));
    packed bad = {malloc((size_t)good.size + 8), good.size};
    assert_non_null(bad.bytes);
    for (uint64_t k = 0; k < good.size; ++k) {
        memcpy(bad.bytes, good.bytes, (size_t)good.size);
        bad.bytes[k] ^= (unsigned char)(1u << k % 8);
        refused(q, &bad, DEM_ERROR_FORMAT, "contacts");
    }
    for (bad.size = 0; bad.size < good.size; ++bad.size) {
        unsigned char *exact = malloc((size_t)bad.size + (bad.size == 0));
        assert_non_null(exact);
        memcpy(exact, good.bytes, (size_t)bad.size);
        const packed cut = {exact, bad.size};
        refused(q, &cut, DEM_ERROR_FORMAT, "contacts");
        free(exact);
    }
    memcpy(bad.bytes, good.bytes, (size_t)good.size);
    memset(bad.bytes + good.size, 0, 8);
    bad.size = good.size + 8;
    refused(q, &bad, DEM_ERROR_FORMAT, "contacts");
    bad.size = good.size;
    /* of another version */
    bad.bytes[8] = DEM_CONTACTS_VERSION + 1;
    checksum_set(bad.bytes, bad.size);
    refused(q, &bad, DEM_ERROR_FORMAT, "version 2");
    bad.bytes[8] = 0;
    checksum_set(bad.bytes, bad.size);
    refused(q, &bad, DEM_ERROR_FORMAT, "version 0");
    bad.bytes[8] = DEM_CONTACTS_VERSION;
    bad.bytes[16] ^= 8; /* another length */
    checksum_set(bad.bytes, bad.size);
    refused(q, &bad, DEM_ERROR_FORMAT, "were written");
    /* highest byte first, as a machine of that order would have it */
    for (uint64_t k = 0; k < good.size; ++k)
        bad.bytes[k] = good.bytes[k / 8 * 8 + (7 - k % 8)];
    refused(q, &bad, DEM_ERROR_FORMAT, "no packed contacts");
    memcpy(bad.bytes, good.bytes, 8);
    refused(q, &bad, DEM_ERROR_FORMAT, "version");
    free(bad.bytes);
    free(good.bytes);
    free(other.bytes);
    dem_contact_history_destroy(p);
    dem_contact_history_destroy(q);
}

/* Wrong numbers with a right checksum: refused whole, or taken and then as good as others. */
static void forged(void **state)
{
    (void)state;
    static host h;
    host_make(&h, "forged");
    test_random random = test_random_start("forged: bits");
    dem_contact_history *p = history_make(NULL, SAME), *q = history_make(NULL, SAME);
    evaluate(&h, p);
    const uint64_t some[2] = {h.id[10], h.id[20]};
    packed good = pack(p, 2, some), other = pack(p, 1, &h.id[0]);
    packed bad = {malloc((size_t)good.size), good.size};
    assert_non_null(bad.bytes);
    OK(dem_contact_history_unpack(q, other.bytes, other.size));
    const snapshot before = snapshot_history(q);
    int taken = 0, not_taken = 0;
    for (uint64_t k = 0; k < 40 * good.size; ++k) {
        memcpy(bad.bytes, good.bytes, (size_t)good.size);
        const uint64_t word = k / 40 / 8 * 8;
        if (k % 3 == 0)
            memset(bad.bytes + word, k % 2 ? 0xFF : 0, 8);
        else if (k % 3 == 1) {
            bad.bytes[word + 6] = 0xF0; /* a number that is not finite, or a large one */
            bad.bytes[word + 7] = (unsigned char)(k % 2 ? 0x7F : 0xFF);
        } else
            for (int b = 0; b < 8; ++b)
                bad.bytes[word + (uint64_t)b] ^=
                    (unsigned char)(test_random_bits(&random) % 16 == 0 ? 1u << k % 8 : 0u);
        checksum_set(bad.bytes, bad.size);
        const dem_status status = dem_contact_history_unpack(q, bad.bytes, bad.size);
        if (status == DEM_OK) {
            ++taken;
            OK(dem_contact_history_restore(q, other.bytes, other.size));
        } else {
            ++not_taken;
            assert_true(status == DEM_ERROR_FORMAT || status == DEM_ERROR_UNKNOWN);
        }
        expect(q, &before);
    }
    assert_true(taken > 1000 && not_taken > 1000);
    /* what was refused is not in what is packed later */
    memcpy(bad.bytes, good.bytes, (size_t)good.size);
    bad.bytes[bad.size - 16 + 6] = 0xF0;
    bad.bytes[bad.size - 16 + 7] = 0x7F;
    checksum_set(bad.bytes, bad.size);
    assert_int_equal(dem_contact_history_unpack(q, bad.bytes, bad.size), DEM_ERROR_FORMAT);
    packed later = pack(q, ROWS, h.id);
    OK(dem_contact_history_clear(p));
    OK(dem_contact_history_unpack(p, later.bytes, later.size));
    expect(p, &before);
    free(later.bytes);
    free(before.rows);
    free(bad.bytes);
    free(good.bytes);
    free(other.bytes);
    dem_contact_history_destroy(p);
    dem_contact_history_destroy(q);
}

/* A contact of materials that the table of laws leaves out, with a state of the same length. */
static void laws_left_out(void **state)
{
    (void)state;
    dem_contact_history *p = history_make(NULL, SAME), *q = history_make(NULL, SAME);
    const double steps = 3.0;
    dem_contact c;
    memset(&c, 0, sizeof(c));
    c.struct_size = sizeof(c);
    c.key.id_j = 1;
    c.normal[1] = 1.0;
    c.state = &steps;
    c.state_count = 1;
    c.material_j = 1;
    OK(dem_contact_history_add(p, 1, &c));
    packed one = pack(p, 1, &c.key.id_j);
    unsigned char *material = one.bytes + one.size - 8 * (1 + 1 + 11 + 1);
    assert_true(material[0] == 0 && material[4] == 1);
    material[0] = 1;
    checksum_set(one.bytes, one.size);
    refused(q, &one, DEM_ERROR_FORMAT, "not named");
    material[0] = 2;
    checksum_set(one.bytes, one.size);
    refused(q, &one, DEM_ERROR_FORMAT, "material");
    material[0] = 0;
    checksum_set(one.bytes, one.size);
    OK(dem_contact_history_unpack(q, one.bytes, one.size));
    assert_int_equal(dem_contact_history_count(q), 1);
    free(one.bytes);
    dem_contact_history_destroy(p);
    dem_contact_history_destroy(q);
}

static void other_laws(void **state)
{
    (void)state;
    static host h;
    host_make(&h, "other laws");
    static const char *const word[] = {"", "test-spring", "test-spring", "no contact model",
                                       "other parts"};
    dem_contact_history *p = history_make(NULL, SAME);
    evaluate(&h, p);
    packed all = pack(p, ROWS, h.id);
    for (int how = OTHER_LAW; how <= OTHER_PARTS; ++how) {
        dem_contact_history *q = history_make(NULL, how);
        refused(q, &all, DEM_ERROR_UNKNOWN, word[how]);
        dem_contact_history_destroy(q);
    }
    /* fewer materials */
    dem_contact_history_config config;
    OK(dem_contact_history_config_init(&config));
    dem_contact_history *q = NULL;
    OK(dem_contact_history_create(&config, &q, NULL));
    refused(q, &all, DEM_ERROR_UNKNOWN, "no contact model");
    dem_contact_history_destroy(q);
    free(all.bytes);
    dem_contact_history_destroy(p);
}

static void snapshots(void **state)
{
    (void)state;
    static host h;
    host_make(&h, "snapshots");
    dem_contact_history *p = history_make(NULL, SAME), *q = history_make(NULL, SAME);
    evaluate(&h, p);
    uint64_t size = 0, written = 0;
    OK(dem_contact_history_snapshot_size(p, &size));
    packed all = {malloc((size_t)size), size};
    assert_non_null(all.bytes);
    OK(dem_contact_history_snapshot(p, all.bytes, size, &written));
    assert_int_equal(size, written);
    assert_int_equal(dem_contact_history_snapshot(p, all.bytes, size - 1, NULL), DEM_ERROR_RANGE);
    assert_int_equal(dem_contact_history_snapshot(p, NULL, size, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_snapshot_size(p, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contact_history_restore(p, NULL, size), DEM_ERROR_ARGUMENT);
    const snapshot want = snapshot_history(p);
    /* it replaces what is there: contacts of other particles, and younger states */
    static host other;
    other = h;
    host_make(&other, "snapshots");
    for (uint32_t n = 0; n < ROWS; ++n)
        other.id[n] += n % 2 ? ROWS : 0;
    evaluate(&other, q);
    step(&other, q);
    OK(dem_contact_history_restore(q, all.bytes, all.size));
    expect(q, &want);
    packed one = pack(q, 1, &h.id[5]);
    OK(dem_contact_history_clear(q));
    OK(dem_contact_history_unpack(q, all.bytes, all.size));
    expect(q, &want);
    /* a step of stages that is open ends */
    h.in.velocity_lag = 0.0;
    OK(dem_contact_history_restore(q, one.bytes, one.size));
    snapshot few = snapshot_history(p);
    keep(&few, 1, &h.id[5], 1);
    expect(q, &few);
    snapshot_free(&few);
    free(one.bytes);
    free(want.rows);
    free(all.bytes);
    dem_contact_history_destroy(p);
    dem_contact_history_destroy(q);
}

static void taken_back(void **state)
{
    (void)state;
    static host h;
    host_make(&h, "taken back");
    dem_contact_history *p = history_make(NULL, SAME);
    assert_int_equal(dem_contacts_undo(p), DEM_ERROR_STATE);
    evaluate(&h, p);
    const snapshot first = snapshot_history(p);
    double f[ROWS][3];
    step(&h, p);
    memcpy(f, h.f, sizeof(f));
    const snapshot second = snapshot_history(p);
    assert_false(snapshot_equal(&first, &second));
    /* the same step again, and once more */
    for (int n = 0; n < 2; ++n) {
        OK(dem_contacts_undo(p));
        expect(p, &first);
        assert_int_equal(dem_contacts_undo(p), DEM_ERROR_STATE);
        expect(p, &first);
        evaluate(&h, p);
        expect(p, &second);
        assert_memory_equal(f, h.f, sizeof(f));
    }
    /* nothing to take back after what failed, what commits nothing, and what a host changes */
    h.in.dt = -1.0;
    assert_int_equal(dem_contacts_evaluate(p, &h.in, NULL), DEM_ERROR_RANGE);
    assert_int_equal(dem_contacts_undo(p), DEM_ERROR_STATE);
    h.in.dt = 1e-3;
    OK(dem_contacts_undo(p) == DEM_ERROR_STATE ? DEM_OK : DEM_ERROR_STATE);
    evaluate(&h, p);
    assert_int_equal(dem_contacts_evaluate(p, NULL, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_contacts_undo(p), DEM_ERROR_STATE);
    for (int call = 0; call < 5; ++call) { /* also where it fails at once */
        dem_contacts_geometry geometry;
        OK(dem_contacts_geometry_init(&geometry));
        evaluate(&h, p);
        if (call < 2)
            assert_int_equal(dem_contacts_evaluate_geometry(p, call == 0 ? &h.in : NULL,
                                                            call == 0 ? NULL : &geometry, NULL),
                             DEM_ERROR_ARGUMENT);
        else if (call == 2)
            assert_int_equal(dem_contacts_stage_begin(p, &h.in, NULL), DEM_ERROR_ARGUMENT);
        else if (call == 3)
            assert_int_equal(dem_contacts_stage_rate(p, &h.in, NULL), DEM_ERROR_STATE);
        else
            assert_int_equal(dem_contacts_stage_end(p), DEM_ERROR_STATE);
        assert_int_equal(dem_contacts_undo(p), DEM_ERROR_STATE);
    }
    evaluate(&h, p);
    h.in.forces_only = 1;
    OK(dem_contacts_evaluate(p, &h.in, NULL));
    h.in.forces_only = 0;
    assert_int_equal(dem_contacts_undo(p), DEM_ERROR_STATE);
    packed all = pack(p, ROWS, h.id);
    evaluate(&h, p);
    OK(dem_contact_history_forget(p, 1, h.id));
    assert_int_equal(dem_contacts_undo(p), DEM_ERROR_STATE);
    evaluate(&h, p);
    OK(dem_contact_history_unpack(p, all.bytes, all.size));
    assert_int_equal(dem_contacts_undo(p), DEM_ERROR_STATE);
    evaluate(&h, p);
    OK(dem_contact_history_restore(p, all.bytes, all.size));
    assert_int_equal(dem_contacts_undo(p), DEM_ERROR_STATE);
    evaluate(&h, p);
    OK(dem_contact_history_add(p, 0, NULL));
    assert_int_equal(dem_contacts_undo(p), DEM_ERROR_STATE);
    evaluate(&h, p);
    OK(dem_contact_history_clear(p));
    assert_int_equal(dem_contacts_undo(p), DEM_ERROR_STATE);
    /* packing does not stand in the way, and what is packed after it is what is there */
    OK(dem_contact_history_restore(p, all.bytes, all.size));
    const snapshot before = snapshot_history(p);
    step(&h, p);
    free(pack(p, ROWS, h.id).bytes);
    OK(dem_contacts_undo(p));
    expect(p, &before);
    packed again = pack(p, ROWS, h.id);
    dem_contact_history *q = history_make(NULL, SAME);
    OK(dem_contact_history_unpack(q, again.bytes, again.size));
    expect(q, &before);
    free(again.bytes);
    free(all.bytes);
    free(before.rows);
    free(first.rows);
    free(second.rows);
    dem_contact_history_destroy(p);
    dem_contact_history_destroy(q);
}

static uint64_t read_all(const dem_contact_history *history, dem_contact *to)
{
    uint64_t cursor = 0, count = 0;
    for (; count < PAIRS; ++count) {
        to[count].struct_size = sizeof(to[0]);
        if (dem_contact_history_next(history, &cursor, &to[count]) != DEM_OK)
            break;
    }
    return count;
}

static void added_by_hand(void **state)
{
    (void)state;
    static host h;
    static dem_contact all[PAIRS];
    host_make(&h, "added");
    dem_contact_history *p = history_make(NULL, SAME), *q = history_make(NULL, SAME);
    evaluate(&h, p);
    step(&h, p);
    const uint64_t count = read_all(p, all);
    assert_true(count > 60);
    OK(dem_contact_history_add(q, count / 2, all));
    OK(dem_contact_history_add(q, count, all)); /* those that are there stay */
    OK(dem_contact_history_add(p, count, all)); /* their own: nothing moves */
    assert_int_equal(dem_contact_history_count(q), count);
    step(&h, p);
    double f[ROWS][3];
    memcpy(f, h.f, sizeof(f));
    evaluate(&h, q);
    assert_memory_equal(f, h.f, sizeof(f));
    snapshot want = snapshot_history(p);
    expect(q, &want);
    snapshot_free(&want);

    /* what is wrong in one of them */
    OK(dem_contact_history_clear(q));
    (void)read_all(p, all);
    OK(dem_contact_history_add(q, 3, all));
    want = snapshot_history(q);
    const double nan_state[3] = {NAN, 0.0, 0.0};
    dem_contact *c = &all[7];
    const dem_contact good = *c;
#define TRY(change, status, word)                                                                  \
    do {                                                                                           \
        *c = good;                                                                                 \
        change;                                                                                    \
        assert_int_equal(dem_contact_history_add(q, 20, all), status);                             \
        if (strstr(dem_contact_history_error(q), word) == NULL)                                    \
            fail_msg("\"%s\" does not name %s", dem_contact_history_error(q), word);               \
        expect(q, &want);                                                                          \
    } while (0)
    TRY(c->struct_size = 8, DEM_ERROR_STRUCT_SIZE, "contacts[7]");
    TRY(c->key.id_i = c->key.id_j + 1, DEM_ERROR_RANGE, "id_i");
    TRY(c->key.reserved = 1, DEM_ERROR_UNKNOWN, "contacts[7]: dem_contact_key.reserved");
    TRY(c->key.image[1] = INT32_MIN, DEM_ERROR_RANGE, "image");
    TRY((c->key.id_i = c->key.id_j, c->key.image[2] = -1), DEM_ERROR_RANGE, "image");
    TRY(c->material_i = 2, DEM_ERROR_RANGE, "are not in [0, 2)");
    TRY(c->material_i = -1, DEM_ERROR_RANGE, "are not in [0, 2)");
    TRY(c->material_j = 2, DEM_ERROR_RANGE, "are not in [0, 2)");
    TRY(c->material_j = -1, DEM_ERROR_RANGE, "are not in [0, 2)");
    TRY(c->state_count += 1, DEM_ERROR_RANGE, "state_count");
    TRY(c->state = NULL, DEM_ERROR_ARGUMENT, "contacts[7].state: must not be NULL");
    TRY(c->state = nan_state, DEM_ERROR_RANGE, "state");
    TRY(c->normal[0] += 0.1, DEM_ERROR_RANGE, "normal");
    TRY(c->normal[0] = NAN, DEM_ERROR_RANGE, ": normal");
    TRY(c->overlap = INFINITY, DEM_ERROR_RANGE, "finite");
    TRY(c->force_tangential[2] = NAN, DEM_ERROR_RANGE, "finite");
    TRY(c->force_normal[0] = NAN, DEM_ERROR_RANGE, "finite");
    TRY(*c = all[6], DEM_ERROR_DUPLICATE, "twice");
#undef TRY
    *c = good;
    assert_int_equal(dem_contact_history_add(q, 1, NULL), DEM_ERROR_ARGUMENT);
    OK(dem_contact_history_add(q, 20, all));
    assert_int_equal(dem_contact_history_count(q), 20);
    snapshot_free(&want);
    dem_contact_history *r = history_make(NULL, NO_MODEL);
    assert_int_equal(dem_contact_history_add(r, count, all), DEM_ERROR_UNKNOWN);
    assert_int_equal(dem_contact_history_count(r), 0);
    dem_contact_history_destroy(p);
    dem_contact_history_destroy(q);
    dem_contact_history_destroy(r);
}

/* A contact that is added knows no contact point: with given geometry it goes on from the present
 * one, as a packed one goes on from the old. */
static void contact_points(void **state)
{
    (void)state;
    dem_contact_history *p = history_make(NULL, SAME), *q = history_make(NULL, SAME),
                        *r = history_make(NULL, SAME);
    double x[2][3] = {{0.0, 0.0, 0.0}, {0.9, 0.0, 0.0}}, v[2][3] = {{0.0, 1.0, 0.0}, {0.0}};
    double w[2][3] = {{0.0, 0.0, 2.0}, {0.0}}, f[3][2][3] = {{{0.0}}};
    const double radius[2] = {0.5, 0.5}, mass[2] = {1.0, 1.0}, overlap = 0.1;
    const double normal[3] = {-1.0, 0.0, 0.0};
    double point[3] = {0.45, 0.2, 0.0};
    const uint32_t pairs[2] = {0, 1};
    dem_contacts_geometry geometry;
    OK(dem_contacts_geometry_init(&geometry));
    geometry.overlap = &overlap;
    geometry.normal = normal;
    geometry.point = point;
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    in.particle_count = 2;
    in.position = x[0];
    in.velocity = v[0];
    in.angular_velocity = w[0];
    in.radius = radius;
    in.mass = mass;
    in.pair_count = 1;
    in.pairs = pairs;
    in.dt = 1e-3;
    in.force = f[0][0];
    OK(dem_contacts_evaluate_geometry(p, &in, &geometry, NULL));
    const uint64_t id = 0;
    packed one = pack(p, 1, &id);
    OK(dem_contact_history_unpack(q, one.bytes, one.size));
    dem_contact contact = {.struct_size = sizeof(contact)};
    uint64_t cursor = 0;
    OK(dem_contact_history_next(p, &cursor, &contact));
    OK(dem_contact_history_add(r, 1, &contact));
    free(one.bytes);
    /* it can be packed all the same */
    one = pack(r, 1, &id);
    OK(dem_contact_history_clear(r));
    OK(dem_contact_history_unpack(r, one.bytes, one.size));
    free(one.bytes);
    point[1] = 0.25;
    point[0] = 0.40;
    dem_contact_history *const each[3] = {p, q, r};
    memset(f, 0, sizeof(f));
    for (int k = 0; k < 3; ++k) {
        in.force = f[k][0];
        OK(dem_contacts_evaluate_geometry(each[k], &in, &geometry, NULL));
        dem_contact_history_destroy(each[k]);
    }
    assert_memory_equal(f[0], f[1], sizeof(f[0]));
    assert_true(f[2][0][1] != f[0][0][1] && fabs(f[2][0][1] - f[0][0][1]) < 0.1);
}

/** An allocator that gives memory a number of times. */
static void *scarce_allocate(void *user, uint64_t size, uint64_t alignment)
{
    int64_t *left = user;
    if (*left == 0)
        return NULL;
    --*left;
    void *p = NULL;
    const size_t whole = (size_t)((size + alignment - 1) / alignment * alignment);
    p = aligned_alloc((size_t)alignment, whole);
    return p;
}

static void scarce_release(void *user, void *pointer, uint64_t size)
{
    (void)user;
    (void)size;
    free(pointer);
}

/* Without memory nothing is changed; with it, the same call does its work. */
static void without_memory(void **state)
{
    (void)state;
    static host h;
    static dem_contact all[PAIRS];
    host_make(&h, "without memory");
    dem_contact_history *p = history_make(NULL, SAME);
    evaluate(&h, p);
    packed bytes = pack(p, ROWS, h.id);
    const uint64_t count = read_all(p, all);
    int failures = 0;
    for (int call = 0; call < 5; ++call)
        for (int64_t given = 0;; ++given) {
            int64_t left = -1;
            const dem_allocator allocator = {&left, scarce_allocate, scarce_release};
            dem_contact_history *q = history_make(&allocator, SAME);
            OK(dem_contact_history_add(q, 3, all));
            const snapshot before = snapshot_history(q);
            left = given;
            uint64_t size = 0;
            const dem_status status =
                call == 0   ? dem_contact_history_unpack(q, bytes.bytes, bytes.size)
                : call == 1 ? dem_contact_history_restore(q, bytes.bytes, bytes.size)
                : call == 2 ? dem_contact_history_add(q, count, all)
                : call == 3 ? dem_contact_history_forget(q, ROWS, h.id)
                            : dem_contact_history_pack(q, ROWS, h.id, NULL, 0, &size);
            left = -1;
            if (status != DEM_OK) {
                assert_int_equal(status, DEM_ERROR_MEMORY);
                ++failures;
                expect(q, &before);
                OK(dem_contact_history_unpack(q, bytes.bytes, bytes.size));
                assert_int_equal(dem_contact_history_count(q), count);
            }
            free(before.rows);
            dem_contact_history_destroy(q);
            if (status == DEM_OK)
                break;
        }
    assert_true(failures > 10);
    free(bytes.bytes);
    dem_contact_history_destroy(p);
}

/* ------------------------------------------------------------------ order */

enum { MANY = 400, OTHERS = 60 };

/** The ids of a contact's ends, and when each was entered. */
typedef struct ends {
    uint64_t id[2], entered[2];
} ends;

/** The contacts of a history in their order, looked through one by one. */
typedef struct plain_history {
    ends row[MANY];
    uint64_t count, entries;
} plain_history;

static void plain_enter(plain_history *p, uint64_t row)
{
    for (int k = 0; k < 2; ++k)
        p->row[row].entered[k] = ++p->entries;
}

/** The contact of an id that was entered last before `before`, which becomes when that was. */
static uint64_t plain_latest(const plain_history *p, uint64_t id, uint64_t *before)
{
    uint64_t row = UINT64_MAX, latest = 0;
    for (uint64_t n = 0; n < p->count; ++n)
        for (int k = 0; k < 2; ++k)
            if (p->row[n].id[k] == id && p->row[n].entered[k] < *before &&
                p->row[n].entered[k] > latest) {
                row = n;
                latest = p->row[n].entered[k];
            }
    *before = latest;
    return row;
}

static uint64_t plain_pick(const plain_history *p, uint64_t count, const uint64_t *ids,
                           ends *picked)
{
    uint64_t found = 0;
    for (uint64_t k = 0; k < count; ++k)
        for (uint64_t row, before = UINT64_MAX;
             (row = plain_latest(p, ids[k], &before)) != UINT64_MAX;) {
            int there = 0;
            for (uint64_t n = 0; n < found; ++n)
                there |= memcmp(picked[n].id, p->row[row].id, sizeof(picked[n].id)) == 0;
            if (!there)
                picked[found++] = p->row[row];
        }
    return found;
}

/** The last contact takes the place of one that goes. */
static void plain_forget(plain_history *p, uint64_t id)
{
    for (uint64_t row, before = UINT64_MAX; (row = plain_latest(p, id, &before)) != UINT64_MAX;
         before = UINT64_MAX) {
        p->row[row] = p->row[--p->count];
        if (row != p->count)
            plain_enter(p, row);
    }
}

static void expect_order(const dem_contact_history *history, const plain_history *want)
{
    static dem_contact all[PAIRS];
    assert_int_equal(dem_contact_history_count(history), want->count);
    assert_int_equal(read_all(history, all), want->count);
    for (uint64_t n = 0; n < want->count; ++n) {
        assert_true(all[n].key.id_i == want->row[n].id[0]);
        assert_true(all[n].key.id_j == want->row[n].id[1]);
    }
}

/* Contacts of a floor and of others keep their order while some are packed, forgotten and come
 * back. */
static void order_with_shift(int shift)
{
    static host h;
    static dem_contact all[PAIRS], given[MANY];
    static plain_history want;
    static ends picked[MANY];
    test_random random = test_random_start("order of the rest");
    host_make(&h, "order of the rest: contacts");
    dem_contact_history *p = history_make(NULL, SAME), *q = history_make(NULL, SAME);
    evaluate(&h, p);
    assert_true(read_all(p, all) > 0);
    memset(&want, 0, sizeof(want));
    for (uint64_t i = 1; i < OTHERS; ++i)
        for (uint64_t j = i + 1; j <= OTHERS && want.count < MANY; ++j)
            if (i == 1 || test_random_bits(&random) % 4 == 0) {
                given[want.count] = all[0];
                given[want.count].key.id_i = want.row[want.count].id[0] = i << shift;
                given[want.count].key.id_j = want.row[want.count].id[1] = j << shift;
                plain_enter(&want, want.count++);
            }
    assert_int_equal(want.count, MANY);
    OK(dem_contact_history_add(q, want.count, given));
    uint64_t forgotten = 0;
    for (int round = 0; round < 200; ++round) {
        uint64_t ids[4];
        const uint64_t count = 1 + test_random_bits(&random) % 4;
        for (uint64_t k = 0; k < count; ++k)
            ids[k] = (1 + (round % 8 == 0 ? k : test_random_bits(&random) % (OTHERS + 2))) << shift;
        packed some = pack(q, count, ids);
        const uint64_t found = plain_pick(&want, count, ids, picked);
        OK(dem_contact_history_forget(q, count, ids));
        for (uint64_t k = 0; k < count; ++k)
            plain_forget(&want, ids[k]);
        expect_order(q, &want);
        OK(dem_contact_history_unpack(q, some.bytes, some.size));
        for (uint64_t k = 0; k < found; ++k) {
            want.row[want.count] = picked[k];
            plain_enter(&want, want.count++);
        }
        expect_order(q, &want);
        forgotten += found;
        free(some.bytes);
    }
    assert_true(forgotten > 1000);
    dem_contact_history_destroy(p);
    dem_contact_history_destroy(q);
}

static void order_of_the_rest(void **state)
{
    (void)state;
    order_with_shift(0);
}

/* Ids that differ in their upper bits alone are ids like others. */
static void upper_bits(void **state)
{
    (void)state;
    enum { SHIFT = 44 };
    static host h, upper;
    order_with_shift(SHIFT);
    host_make(&h, "upper bits: ids that are low");
    host_make(&upper, "upper bits: ids that are high");
    for (int n = 0; n < ROWS; ++n)
        upper.id[n] = h.id[n] << SHIFT;
    dem_contact_history *p = history_make(NULL, SAME), *q = history_make(NULL, SAME);
    for (int n = 0; n < 20; ++n) {
        step(&h, p);
        step(&upper, q);
        if (n < 10)
            continue;
        OK(dem_contacts_list_begin(q, &upper.in));
        memset(upper.f, 0, sizeof(upper.f));
        memset(upper.t, 0, sizeof(upper.t));
        OK(dem_contacts_list_evaluate(q, &upper.in, NULL));
        evaluate(&h, p);
    }
    assert_memory_equal(h.f, upper.f, sizeof(h.f));
    assert_memory_equal(h.t, upper.t, sizeof(h.t));
    snapshot low = snapshot_history(p), high = snapshot_history(q);
    assert_true(low.count > 60);
    for (uint64_t k = 0; k < low.count; ++k) {
        low.rows[k].key.id_i <<= SHIFT;
        low.rows[k].key.id_j <<= SHIFT;
    }
    assert_true(snapshot_equal(&low, &high));
    upper.id[ROWS - 1] = upper.id[5];
    assert_int_equal(dem_contacts_list_begin(q, &upper.in), DEM_ERROR_DUPLICATE);
    snapshot_free(&low);
    snapshot_free(&high);
    dem_contact_history_destroy(p);
    dem_contact_history_destroy(q);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_in_two_parts),
        cmocka_unit_test(chosen_ids),
        cmocka_unit_test(many_changes),
        cmocka_unit_test(damage),
        cmocka_unit_test(forged),
        cmocka_unit_test(laws_left_out),
        cmocka_unit_test(other_laws),
        cmocka_unit_test(snapshots),
        cmocka_unit_test(taken_back),
        cmocka_unit_test(added_by_hand),
        cmocka_unit_test(contact_points),
        cmocka_unit_test(without_memory),
        cmocka_unit_test(order_of_the_rest),
        cmocka_unit_test(upper_bits),
    };
    return cmocka_run_group_tests_name("travel", tests, NULL, NULL);
}
