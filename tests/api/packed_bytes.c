/* SPDX-License-Identifier: MIT */
/**
 * @file packed_bytes.c
 * Bytes that a host keeps or sends, attacked in the same ways, whatever they are: packed contacts,
 * stored contacts, packed particles, a snapshot. What is refused is refused whole: the status and
 * the message say so, what the object holds has the same bytes as before, and it goes on.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/bytes.h"
#include "../support/emulated.h"
#include "../support/law_tables.h"
#include "../support/random.h"
#include "../support/stream.h"

#include <dem/dem.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ objects */

static dem_contact_model linear_model(void)
{
    static dem_linear linear;
    dem_contact_model model;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1000.0;
    linear.friction = 0.3;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    return model;
}

enum { CONTACTS, STORED, PARTICLES, SNAPSHOT, KINDS };
static const char *const kind_name[KINDS] = {"packed contacts", "stored contacts",
                                             "packed particles", "a snapshot"};

typedef struct object {
    int kind;
    dem_contact_history *history; /* CONTACTS, STORED */
    dem_world *world;             /* PARTICLES, SNAPSHOT */
} object;

/** No call may ask for more than small objects need, whatever counts the bytes have. */
enum { MEMORY_MOST = 1 << 22 };
static uint64_t memory_asked;

static void *modest_allocate(void *user, uint64_t size, uint64_t alignment)
{
    (void)user;
    memory_asked = size > memory_asked ? size : memory_asked;
    if (size > MEMORY_MOST)
        return NULL;
    return aligned_alloc((size_t)alignment,
                         (size_t)((size + alignment - 1) / alignment * alignment));
}

static void modest_release(void *user, void *pointer, uint64_t size)
{
    (void)user, (void)size;
    free(pointer);
}

static const dem_allocator modest = {NULL, modest_allocate, modest_release};

static const char *object_error(const object *o)
{
    return o->history != NULL ? dem_contact_history_error(o->history) : dem_world_error(o->world);
}

static void object_law(object *o, const dem_law *law)
{
    const dem_status status = o->history != NULL ? dem_contact_history_law_register(o->history, law)
                                                 : dem_world_law_register(o->world, law);
    if (status != DEM_OK)
        fail_msg("%s", object_error(o));
}

static void object_model(object *o, int32_t a, int32_t b, const dem_contact_model *model)
{
    if (o->history != NULL)
        OK(dem_contact_history_model_set(o->history, a, b, model));
    else
        OK(dem_contact_model_set(o->world, a, b, model));
}

static object object_make(int kind, int table)
{
    object o = {.kind = kind};
    if (kind == CONTACTS || kind == STORED) {
        dem_contact_history_config config;
        OK(dem_contact_history_config_init(&config));
        config.material_count = 2;
        config.allocator = modest;
        OK(dem_contact_history_create(&config, &o.history, NULL));
    } else {
        dem_world_config config;
        OK(dem_world_config_init(&config));
        config.material_count = 2;
        config.allocator = modest;
        config.host_doubles = 2;
        config.boundary[0] = DEM_BOUNDARY_PERIODIC;
        config.box_high[0] = 4.0;
        config.sums = DEM_SUMS_EXACT;
        config.force_range = config.torque_range = 1e6;
        OK(dem_world_create(&config, &o.world, NULL));
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.id = 1000;
        wall.point[2] = -0.45;
        OK(dem_wall_add(o.world, &wall, NULL));
    }
    const int turned = table == REGISTERED_OTHERWISE;
    for (int k = 0; k < PARTS && table != NOT_THERE; ++k) {
        const int part = turned ? PARTS - 1 - k : k;
        const dem_law law = stiff_law(law_name[part], law_kind[part], table);
        object_law(&o, &law);
    }
    const dem_law third = stiff_law("test-third", DEM_LAW_TWISTING, SAME);
    object_law(&o, &third);
    const dem_contact_model linear = linear_model();
    object_model(&o, 0, 0, &linear);
    if (table == NOT_THERE)
        return o;
    const dem_contact_model of = stiff_model(table);
    object_model(&o, turned, !turned, &of);
    object_model(&o, 1, 1, &of);
    return o;
}

static void object_free(object *o)
{
    dem_contact_history_destroy(o->history);
    dem_world_destroy(o->world);
}

/** Spheres in a row, each of which touches the next; a new step each time. */
enum { GRAINS = 5, MINE = 1, OTHERS = 101 };

static dem_status history_step(dem_contact_history *history, uint64_t first)
{
    double x[GRAINS][3] = {{0.0}}, v[GRAINS][3] = {{0.0}}, f[GRAINS][3] = {{0.0}}, radius[GRAINS],
           mass[GRAINS];
    uint64_t id[GRAINS];
    int32_t material[GRAINS];
    uint32_t pairs[GRAINS - 1][2];
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    for (uint32_t k = 0; k < GRAINS; ++k) {
        x[k][0] = 0.95 * k;
        v[k][1] = k % 2 ? 1.0 : -1.0;
        radius[k] = 0.5;
        mass[k] = 0.1;
        id[k] = first + k;
        material[k] = k >= 2;
        if (k > 0)
            pairs[k - 1][0] = k, pairs[k - 1][1] = k - 1;
    }
    in.particle_count = GRAINS;
    in.id = id;
    in.position = x[0];
    in.velocity = v[0];
    in.radius = radius;
    in.mass = mass;
    in.material = material;
    in.force = f[0];
    in.pair_count = GRAINS - 1;
    in.pairs = pairs[0];
    in.dt = 1e-3;
    in.absent = DEM_ABSENT_KEEP;
    return dem_contacts_evaluate(history, &in, NULL);
}

static void world_fill(dem_world *world, uint64_t first, double y)
{
    for (int k = 0; k < GRAINS; ++k) {
        dem_particle p;
        OK(dem_particle_init(&p));
        p.id = first + (uint64_t)k;
        p.radius = k == 4 ? 0.3 : 0.5;
        p.mass = 0.1;
        p.material = k >= 2;
        p.position[0] = 0.95 * (k % 4) + 0.1;
        p.position[1] = y;
        p.position[2] = k == 4 ? 0.75 : 0.0;
        p.velocity[1] = k % 2 ? 0.1 : -0.1;
        OK(dem_particle_add(world, &p, NULL));
    }
    OK(dem_step(world, 1e-4, 3));
}

static void object_fill(object *o, uint64_t first)
{
    if (o->history != NULL) {
        for (int n = 0; n < 3; ++n)
            OK(history_step(o->history, first));
        assert_int_equal(dem_contact_history_count(o->history), GRAINS - 1);
    } else {
        world_fill(o->world, first, first == MINE ? 0.0 : 3.0);
    }
}

static bytes bytes_of(uint64_t size)
{
    const bytes b = {calloc(1, (size_t)size + 32), size};
    assert_non_null(b.at);
    return b;
}

/** What the object keeps or sends. */
static bytes object_write(const object *o)
{
    uint64_t ids[GRAINS], size = 0;
    dem_particle_handle handles[GRAINS];
    for (uint64_t k = 0; k < GRAINS; ++k) {
        ids[k] = MINE + k;
        if (o->kind == PARTICLES)
            OK(dem_particle_find(o->world, ids[k], &handles[k]));
    }
    bytes b = {NULL, 0};
    for (int write = 0; write < 2; ++write) {
        if (write)
            b = bytes_of(size);
        if (o->kind == CONTACTS)
            OK(dem_contact_history_pack(o->history, GRAINS, ids, b.at, b.size, &size));
        else if (o->kind == STORED && !write)
            OK(dem_contact_history_snapshot_size(o->history, &size));
        else if (o->kind == STORED)
            OK(dem_contact_history_snapshot(o->history, b.at, b.size, &size));
        else if (o->kind == PARTICLES)
            OK(dem_particles_pack(o->world, GRAINS, handles, b.at, b.size, &size));
        else if (!write)
            OK(dem_world_snapshot_size(o->world, &size));
        else
            OK(dem_world_snapshot(o->world, b.at, b.size, &size));
    }
    return b;
}

static dem_status object_read(object *o, const unsigned char *at, uint64_t size)
{
    switch (o->kind) {
    case CONTACTS:
        return dem_contact_history_unpack(o->history, at, size);
    case STORED:
        return dem_contact_history_restore(o->history, at, size);
    case PARTICLES:
        return dem_particles_unpack(o->world, at, size, NULL);
    default:
        return dem_world_restore(o->world, at, size);
    }
}

/** All that the object holds. */
static bytes picture(const object *o)
{
    object whole = *o;
    whole.kind = o->history != NULL ? STORED : SNAPSHOT;
    return object_write(&whole);
}

static int same_bytes(bytes a, bytes b)
{
    return a.size == b.size && memcmp(a.at, b.at, (size_t)a.size) == 0;
}

static void expect_picture(const object *o, bytes want, const char *what, uint64_t at)
{
    const bytes now = picture(o);
    if (!same_bytes(now, want))
        fail_msg("%s, %s at %llu: what was there has changed", kind_name[o->kind], what,
                 (unsigned long long)at);
    free(now.at);
}

/** The object goes on by a step: nothing is half-way in. */
static void expect_works(object *o)
{
    if (o->history != NULL)
        OK(history_step(o->history, OTHERS));
    else
        OK(dem_step(o->world, 1e-4, 2));
}

/** Refused whole, with that status and a message that has the word. */
static void refused(object *o, bytes want, bytes b, dem_status status, const char *word,
                    const char *what, uint64_t at)
{
    const dem_status got = object_read(o, b.at, b.size);
    if (got != status || strstr(object_error(o), word) == NULL)
        fail_msg("%s, %s at %llu: status %d, not %d; \"%s\" must name \"%s\"", kind_name[o->kind],
                 what, (unsigned long long)at, (int)got, (int)status, object_error(o), word);
    expect_picture(o, want, what, at);
}

/** A writer, a reader that has something else, and what both are. */
typedef struct pair_of {
    object from, to;
    bytes good, before;
} pair_of;

static pair_of pair_make(int kind)
{
    pair_of p = {object_make(kind, SAME), object_make(kind, SAME), {NULL, 0}, {NULL, 0}};
    object_fill(&p.from, MINE);
    object_fill(&p.to, OTHERS);
    p.good = object_write(&p.from);
    p.before = picture(&p.to);
    return p;
}

static void pair_free(pair_of *p)
{
    object_free(&p->from);
    object_free(&p->to);
    free(p->good.at);
    free(p->before.at);
}

static bytes copy_of(bytes b)
{
    const bytes copy = bytes_of(b.size);
    memcpy(copy.at, b.at, (size_t)b.size);
    return copy;
}

/* ------------------------------------------------------------------ damage on the way */

/* Every cut, in memory of that very size, and every length that is too long. */
static void every_length(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        pair_of p = pair_make(kind);
        for (uint64_t size = 0; size < p.good.size; ++size) {
            const bytes cut = {malloc((size_t)size + (size == 0)), size};
            assert_non_null(cut.at);
            memcpy(cut.at, p.good.at, (size_t)size);
            refused(&p.to, p.before, cut, DEM_ERROR_FORMAT, "bytes", "a cut", size);
            free(cut.at);
        }
        for (uint64_t more = 1; more <= 24; ++more) {
            const bytes longer = {p.good.at, p.good.size + more};
            refused(&p.to, p.before, longer, DEM_ERROR_FORMAT, "bytes", "more bytes", more);
        }
        expect_works(&p.to);
        pair_free(&p);
    }
}

/* Every byte is another one. */
static void every_byte(void **state)
{
    (void)state;
    test_random random = test_random_start("packed bytes: every byte");
    for (int kind = 0; kind < KINDS; ++kind) {
        pair_of p = pair_make(kind);
        for (uint64_t k = 0; k < p.good.size; ++k) {
            const unsigned char flip = (unsigned char)(1 + test_random_bits(&random) % 255);
            p.good.at[k] ^= flip;
            refused(&p.to, p.before, p.good, DEM_ERROR_FORMAT, ": ", "a flipped byte", k);
            p.good.at[k] ^= flip;
        }
        /* several at once, and bytes that change places */
        for (uint64_t n = 0; n < (uint64_t)test_rounds(2000); ++n) {
            bytes bad = copy_of(p.good);
            const uint64_t a = test_random_bits(&random) % bad.size,
                           b = test_random_bits(&random) % bad.size;
            if (n % 2) {
                bad.at[a] ^= (unsigned char)(1 + test_random_bits(&random) % 255);
                bad.at[b] ^= (unsigned char)(a == b ? 0 : 1 + test_random_bits(&random) % 255);
            } else {
                const unsigned char kept = bad.at[a];
                bad.at[a] = bad.at[b];
                bad.at[b] = kept;
            }
            if (!same_bytes(bad, p.good))
                refused(&p.to, p.before, bad, DEM_ERROR_FORMAT, ": ", "two bytes", n);
            free(bad.at);
        }
        expect_works(&p.to);
        pair_free(&p);
    }
}

static uint64_t turned_word(uint64_t word)
{
    uint64_t turned = 0;
    for (int b = 0; b < 8; ++b)
        turned = turned << 8 | (word >> 8 * b & 0xFF);
    return turned;
}

/* Other versions, with a checksum that fits, and what a machine with the other order of bytes would
 * have written: all of it, its head, all but the first word. */
static void versions_and_machines(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        pair_of p = pair_make(kind);
        /* particles without bodies have the bytes of the first version */
        const uint64_t version = stream_word(p.good.at, 1), words = p.good.size / 8,
                       newest = kind == PARTICLES ? DEM_PARTICLES_VERSION : version;
        const uint64_t others[] = {
            0,         newest + 1, newest + 2, version + (UINT64_C(1) << 32), turned_word(version),
            UINT64_MAX};
        for (size_t k = 0; k < sizeof others / sizeof others[0]; ++k) {
            bytes bad = copy_of(p.good);
            char number[32];
            (void)snprintf(number, sizeof number, " %llu ", (unsigned long long)others[k]);
            stream_word_set(bad.at, 1, others[k]);
            stream_sign(bad.at, bad.size);
            refused(&p.to, p.before, bad, DEM_ERROR_FORMAT, number, "a version", k);
            const char *remedy = k == 0 ? "take another copy" : "use a newer library";
            assert_non_null(strstr(object_error(&p.to), remedy));
            free(bad.at);
        }
        const uint64_t from[] = {0, 0, 1}, to[] = {words, 3, words};
        for (int k = 0; k < 3; ++k) {
            bytes bad = copy_of(p.good);
            for (uint64_t w = from[k]; w < to[k]; ++w)
                stream_word_set(bad.at, w, turned_word(stream_word(bad.at, w)));
            refused(&p.to, p.before, bad, DEM_ERROR_FORMAT, ": ", "the other order", (uint64_t)k);
            if (k > 0) {
                stream_sign(bad.at, bad.size);
                refused(&p.to, p.before, bad, DEM_ERROR_FORMAT, ": ", "the other order, signed",
                        (uint64_t)k);
            }
            free(bad.at);
        }
        expect_works(&p.to);
        pair_free(&p);
    }
}

/* Bytes of another kind, of which each checksum is right. */
static void other_kinds(void **state)
{
    (void)state;
    pair_of p[KINDS];
    for (int kind = 0; kind < KINDS; ++kind)
        p[kind] = pair_make(kind);
    for (int reader = 0; reader < KINDS; ++reader)
        for (int writer = 0; writer < KINDS; ++writer) {
            const int contacts = reader <= STORED && writer <= STORED; /* one format */
            if (writer == reader || contacts)
                continue;
            refused(&p[reader].to, p[reader].before, p[writer].good, DEM_ERROR_FORMAT, "bytes",
                    "another kind", (uint64_t)writer);
        }
    for (int kind = 0; kind < KINDS; ++kind)
        pair_free(&p[kind]);
}

/* ------------------------------------------------------------------ laws */

static void other_laws(void **state)
{
    (void)state;
    /* what is said; NULL: taken. Parameters of a law are in no packed bytes, and models are those
     * of a snapshot */
    static const char *const packed[TABLES] =
        {[PART_MISSING] = "other parts",   [PART_ADDED] = "other parts",
         [PARTS_EXCHANGED] = "test-first", [OTHER_VERSION] = "of version 7",
         [OTHER_STATE] = "other parts",    [NOT_THERE] = "no contact model"},
                             *const snapshot[TABLES] = {[OTHER_VERSION] = "version 7",
                                                        [OTHER_STATE] = "snapshot: ",
                                                        [OTHER_SIZE] = "size",
                                                        [NOT_THERE] = "register"};
    for (int kind = 0; kind < KINDS; ++kind) {
        pair_of p = pair_make(kind);
        for (int table = 0; table < TABLES; ++table) {
            const char *word = kind == SNAPSHOT ? snapshot[table] : packed[table];
            object to = object_make(kind, table);
            const bytes before = picture(&to);
            if (word != NULL) {
                /* a snapshot does not say how many doubles a law has: its lengths do not fit */
                const int lengths = kind == SNAPSHOT && table == OTHER_STATE;
                refused(&to, before, p.good, lengths ? DEM_ERROR_FORMAT : DEM_ERROR_UNKNOWN, word,
                        "other laws", (uint64_t)table);
            } else if (object_read(&to, p.good.at, p.good.size) != DEM_OK) {
                fail_msg("%s, laws %d: %s", kind_name[kind], table, object_error(&to));
            }
            if (table == PARTS_EXCHANGED && kind != SNAPSHOT)
                assert_non_null(strstr(object_error(&to), "test-second"));
            free(before.at);
            object_free(&to);
        }
        pair_free(&p);
    }
}

/* ------------------------------------------------------------------ forged with a right checksum
 */

/** A word of the bytes that says how many of something follow. */
typedef struct count {
    uint64_t word;
    const char *of;
} count;

/** The word where the content of a section of packed bytes begins; they have a shorter head. */
static uint64_t section_of(bytes b, const char *tag)
{
    for (uint64_t k = 3; k + 2 < b.size / 8; k += 2 + stream_word(b.at, k + 1))
        if (memcmp(b.at + 8 * k, tag, 8) == 0)
            return k + 2;
    fail_msg("no section %s", tag);
    return 0;
}

/* Counts whose product with the size of one overflows, and such as are merely too large: refused
 * before memory is asked for. */
static void counts_that_overflow(void **state)
{
    (void)state;
    for (int kind = 0; kind < SNAPSHOT; ++kind) {
        pair_of p = pair_make(kind);
        const uint64_t laws = section_of(p.good, "laws    "),
                       contacts = section_of(p.good, "contacts");
        count counts[12] = {{2, "written"},        {laws - 1, "laws"}, {laws, "law"},
                            {laws + 2, "part"},    {laws + 4, "law"},  {contacts - 1, "contacts"},
                            {contacts, "contacts"}};
        int number = 7;
        if (kind == PARTICLES) {
            const uint64_t particles = section_of(p.good, "particle");
            counts[number++] = (count){particles - 1, "particles"};
            counts[number++] = (count){particles, "particles"};
            counts[number++] = (count){contacts + 6, "contact"};
        }
        for (int c = 0; c < number; ++c) {
            const uint64_t old = stream_word(p.good.at, counts[c].word);
            const uint64_t values[] = {old + 1,
                                       old + (UINT64_C(1) << 32),
                                       UINT64_C(1) << 61,
                                       (UINT64_C(1) << 61) + old,
                                       UINT64_MAX / 22 + 1,
                                       UINT64_MAX / 17 + 1,
                                       UINT64_MAX / (8 * 22) + 1,
                                       UINT64_C(1) << 63,
                                       UINT64_MAX - 7,
                                       UINT64_MAX};
            for (size_t k = 0; k < sizeof values / sizeof values[0]; ++k) {
                bytes bad = copy_of(p.good);
                stream_word_set(bad.at, counts[c].word, values[k]);
                stream_sign(bad.at, bad.size);
                memory_asked = 0;
                const dem_status status = object_read(&p.to, bad.at, bad.size);
                if ((status != DEM_ERROR_FORMAT && status != DEM_ERROR_UNKNOWN) ||
                    strstr(object_error(&p.to), counts[c].of) == NULL)
                    fail_msg("%s: word %llu is %llu: status %d, \"%s\" must name \"%s\"",
                             kind_name[kind], (unsigned long long)counts[c].word,
                             (unsigned long long)values[k], (int)status, object_error(&p.to),
                             counts[c].of);
                assert_true(memory_asked < 1 << 20);
                expect_picture(&p.to, p.before, "a count", counts[c].word);
                free(bad.at);
            }
        }
        expect_works(&p.to);
        pair_free(&p);
    }
}

/** Memory with a line behind it that nobody may write. */
enum { LINE = 64, MARK = 0xA5 };

static void *lined_allocate(void *user, uint64_t size, uint64_t alignment)
{
    (void)user;
    assert_true(alignment <= LINE);
    const uint64_t all = (size + 3 * LINE - 1) / LINE * LINE;
    unsigned char *block = aligned_alloc(LINE, (size_t)all);
    if (block == NULL)
        return NULL;
    memset(block + LINE + size, MARK, (size_t)(all - LINE - size));
    return block + LINE;
}

static void lined_release(void *user, void *pointer, uint64_t size)
{
    (void)user;
    const unsigned char *at = pointer;
    for (int k = 0; k < LINE; ++k)
        assert_int_equal(at[size + (uint64_t)k], MARK);
    free((unsigned char *)pointer - LINE);
}

/** Many pairs of spheres that touch, each pair with a contact in a history. */
enum { MANY = 600 };

static dem_contact_history *many_contacts(void)
{
    dem_contact_history_config config;
    dem_contact_history *history = NULL;
    OK(dem_contact_history_config_init(&config));
    config.allocator = (dem_allocator){NULL, lined_allocate, lined_release};
    OK(dem_contact_history_create(&config, &history, NULL));
    const dem_contact_model linear = linear_model();
    OK(dem_contact_history_model_set(history, 0, 0, &linear));
    static double x[2 * MANY][3], v[2 * MANY][3], f[2 * MANY][3], radius[2 * MANY], mass[2 * MANY];
    static uint32_t pairs[MANY][2];
    for (uint32_t k = 0; k < 2 * MANY; ++k) {
        x[k][0] = 5.0 * (k / 2) + 0.95 * (k % 2);
        radius[k] = 0.5;
        mass[k] = 0.1;
        pairs[k / 2][k % 2] = k;
    }
    dem_contacts_input in;
    OK(dem_contacts_input_init(&in));
    in.particle_count = 2 * MANY;
    in.position = x[0];
    in.velocity = v[0];
    in.radius = radius;
    in.mass = mass;
    in.force = f[0];
    in.pair_count = MANY;
    in.pairs = pairs[0];
    in.dt = 1e-3;
    OK(dem_contacts_evaluate(history, &in, NULL));
    return history;
}

/** Bytes that claim more contacts than they have, as many as their length may have of the least:
 * refused, and no memory is written that is not there. */
static void more_contacts_than_there_are(void **state)
{
    (void)state;
    dem_contact_history *from = many_contacts(), *to = many_contacts();
    bytes good = {NULL, 0};
    OK(dem_contact_history_snapshot_size(from, &good.size));
    good = bytes_of(good.size);
    OK(dem_contact_history_snapshot(from, good.at, good.size, NULL));
    const uint64_t contacts = section_of(good, "contacts"),
                   words = stream_word(good.at, contacts - 1);
    assert_int_equal(stream_word(good.at, contacts), MANY);
    for (uint64_t least = 12; least < 24; ++least) {
        bytes bad = copy_of(good);
        const uint64_t count = (words - 1) / least;
        stream_word_set(bad.at, contacts, count);
        stream_sign(bad.at, bad.size);
        const dem_status want = count == MANY ? DEM_OK : DEM_ERROR_FORMAT;
        assert_int_equal(dem_contact_history_unpack(to, bad.at, bad.size), want);
        assert_int_equal(dem_contact_history_restore(to, bad.at, bad.size), want);
        assert_int_equal(dem_contact_history_count(to), MANY);
        free(bad.at);
    }
    free(good.at);
    dem_contact_history_destroy(from);
    dem_contact_history_destroy(to);
}

/* Every word is another one, at random: refused whole, or taken, and then it can be worked with. */
static void every_word(void **state)
{
    (void)state;
    test_random random = test_random_start("packed bytes: every word");
    fenv_t traps; /* numbers as they may be trap where they are computed with */
    assert_int_equal(feholdexcept(&traps), 0);
    uint64_t taken = 0, not_taken = 0;
    for (int kind = 0; kind < SNAPSHOT; ++kind) { /* api/snapshot_damage has these */
        pair_of p = pair_make(kind);
        const uint64_t words = p.good.size / 8;
        for (uint64_t n = 0; n < (uint64_t)test_rounds(10) * words; ++n) {
            bytes bad = copy_of(p.good);
            const uint64_t k = 3 + n % (words - 4), old = stream_word(bad.at, k),
                           bits = test_random_bits(&random);
            const uint64_t strange[] = {old + 1,
                                        old - 1,
                                        old ^ UINT64_C(1) << bits % 64,
                                        bits,
                                        turned_word(old),
                                        UINT64_C(0x7FF8000000000000),
                                        UINT64_C(0xFFF0000000000000),
                                        old ^ UINT64_C(1) << 63};
            stream_word_set(bad.at, k, strange[bits >> 32 & 7]);
            stream_sign(bad.at, bad.size);
            const dem_status status = object_read(&p.to, bad.at, bad.size);
            if (status != DEM_OK) {
                ++not_taken;
                if (status == DEM_ERROR_MEMORY || object_error(&p.to)[0] == 0)
                    fail_msg("%s, word %llu: %s", kind_name[kind], (unsigned long long)k,
                             object_error(&p.to));
                expect_picture(&p.to, p.before, "a word", k);
            } else {
                ++taken;
                if (p.to.world != NULL) /* it may not like what it got, but says so */
                    (void)dem_step(p.to.world, 1e-4, 2);
                const bytes whole = picture(&p.to);
                free(whole.at);
                object_free(&p.to);
                p.to = object_make(kind, SAME);
                object_fill(&p.to, OTHERS);
            }
            free(bad.at);
        }
        expect_works(&p.to);
        pair_free(&p);
    }
    feclearexcept(FE_ALL_EXCEPT);
    assert_int_equal(fesetenv(&traps), 0);
    assert_true(taken > 50 && not_taken > 50);
}

/** Writes the words `from` to `to` of a section once more at its end, and counts one more. */
static bytes doubled(bytes good, const char *tag, uint64_t from, uint64_t to)
{
    const uint64_t begin = section_of(good, tag), length = stream_word(good.at, begin - 1),
                   more = to - from, end = begin + length;
    const bytes bad = bytes_of(good.size + 8 * more);
    memcpy(bad.at, good.at, (size_t)(8 * end));
    memcpy(bad.at + 8 * end, good.at + 8 * (begin + from), (size_t)(8 * more));
    memcpy(bad.at + 8 * (end + more), good.at + 8 * end, (size_t)(good.size - 8 * end));
    stream_word_set(bad.at, 2, bad.size);
    stream_word_set(bad.at, begin - 1, length + more);
    stream_word_set(bad.at, begin, stream_word(bad.at, begin) + 1);
    stream_sign(bad.at, bad.size);
    return bad;
}

/* A particle or a contact that the bytes have twice, with all lengths and counts right. */
static void twice_in_the_bytes(void **state)
{
    (void)state;
    for (int kind = 0; kind < SNAPSHOT; ++kind) {
        pair_of p = pair_make(kind);
        /* the first contact: of the linear law, with three doubles of state */
        const uint64_t length = kind == PARTICLES ? 6 : 17;
        const uint64_t state_size =
            kind == PARTICLES ? stream_word(p.good.at, section_of(p.good, "contacts") + 6) : 3;
        bytes bad = doubled(p.good, "contacts", 1, 1 + length + state_size);
        refused(&p.to, p.before, bad, DEM_ERROR_FORMAT, "twice", "a contact twice", 0);
        free(bad.at);
        if (kind == PARTICLES) {
            const uint64_t begin = section_of(p.good, "particle"),
                           width = (stream_word(p.good.at, begin - 1) - 4) / GRAINS;
            bad = doubled(p.good, "particle", 4, 4 + width);
            refused(&p.to, p.before, bad, DEM_ERROR_DUPLICATE, "id 1", "a particle twice", 0);
            free(bad.at);
        }
        expect_works(&p.to);
        pair_free(&p);
    }
}

/* ------------------------------------------------------------------ the right bytes */

/* After all that the right bytes are taken; and once more, where they may be. */
static void the_right_ones(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; ++kind) {
        pair_of p = pair_make(kind);
        OK(object_read(&p.to, p.good.at, p.good.size));
        const bytes once = picture(&p.to);
        if (kind == CONTACTS)
            assert_int_equal(dem_contact_history_count(p.to.history), 2 * (GRAINS - 1));
        if (kind == PARTICLES) {
            refused(&p.to, once, p.good, DEM_ERROR_DUPLICATE, "id 1", "twice", 0);
        } else {
            OK(object_read(&p.to, p.good.at, p.good.size));
            expect_picture(&p.to, once, "twice", 0);
        }
        free(once.at);
        if (p.to.world != NULL)
            OK(dem_step(p.to.world, 1e-4, 3));
        pair_free(&p);
    }
}

/* Particles leave a world, and their new one cannot take them: the old owner takes them back and
 * goes on with the bits of a world that they never left. */
static void a_rank_that_cannot(void **state)
{
    (void)state;
    pair_of p = pair_make(PARTICLES);
    object stays = object_make(PARTICLES, SAME), other = object_make(PARTICLES, NOT_THERE);
    object_fill(&stays, MINE);
    dem_particle_handle handles[2];
    for (uint64_t k = 0; k < 2; ++k)
        OK(dem_particle_find(p.from.world, MINE + 1 + k, &handles[k]));
    bytes two = {NULL, 0};
    OK(dem_particles_pack(p.from.world, 2, handles, NULL, 0, &two.size));
    two = bytes_of(two.size);
    OK(dem_particles_pack(p.from.world, 2, handles, two.at, two.size, NULL));
    OK(dem_particles_release(p.from.world, 2, handles));
    const bytes before = picture(&other);
    refused(&other, before, two, DEM_ERROR_UNKNOWN, "no contact model", "a rank", 0);
    free(before.at);
    /* ghosts of nobody: it refuses what is its own ghost, and takes it when it is none */
    const bytes released = picture(&p.from);
    refused(&p.from, released, two, DEM_ERROR_DUPLICATE, "a ghost", "a rank", 1);
    free(released.at);
    OK(dem_ghosts_set(p.from.world, 0, NULL, INFINITY, NULL));
    OK(object_read(&p.from, two.at, two.size));
    for (int n = 0; n < 2; ++n) {
        for (uint64_t k = 0; k < GRAINS; ++k) {
            dem_particle a = {.struct_size = sizeof a}, b = a;
            dem_particle_handle handle;
            OK(dem_particle_find(p.from.world, MINE + k, &handle));
            OK(dem_particle_get(p.from.world, handle, &a));
            OK(dem_particle_find(stays.world, MINE + k, &handle));
            OK(dem_particle_get(stays.world, handle, &b));
            assert_memory_equal(&a, &b, sizeof a);
        }
        OK(dem_step(p.from.world, 1e-4, 50));
        OK(dem_step(stays.world, 1e-4, 50));
    }
    free(two.at);
    object_free(&stays);
    object_free(&other);
    pair_free(&p);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length),
        cmocka_unit_test(every_byte),
        cmocka_unit_test(versions_and_machines),
        cmocka_unit_test(other_kinds),
        cmocka_unit_test(other_laws),
        cmocka_unit_test(counts_that_overflow),
        cmocka_unit_test(more_contacts_than_there_are),
        cmocka_unit_test(every_word),
        cmocka_unit_test(twice_in_the_bytes),
        cmocka_unit_test(the_right_ones),
        cmocka_unit_test(a_rank_that_cannot),
    };
    return cmocka_run_group_tests_name("packed_bytes", tests, NULL, NULL);
}
