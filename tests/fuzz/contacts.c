/* SPDX-License-Identifier: MIT */
/**
 * @file contacts.c
 * Fuzzer of packed contacts: bytes as they are, or with a frame and a checksum that fit, so that
 * the sections are read. Bytes that are refused change nothing; those that are taken can be packed
 * again, forgotten, and unpacked to the same contacts.
 */
#include "bytes.h"

#include "../support/any_model.h"
#include "../support/snapshot.h"

static uint64_t held;
static test_law_control control = {0, -1, 0.0};

static void word_put(uint8_t *to, uint64_t word)
{
    for (int b = 0; b < 8; ++b)
        to[b] = (uint8_t)(word >> 8 * b);
}

static uint64_t word_get(const uint8_t *from)
{
    uint64_t word = 0;
    for (int b = 7; b >= 0; --b)
        word = word << 8 | from[b];
    return word;
}

/** Gives bytes the head and the checksum of packed contacts. */
static void frame(uint8_t *bytes, size_t size)
{
    static const uint8_t magic[8] = {0x89, 'D', 'E', 'M', 'C', '\r', '\n', 0x1A};
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    memcpy(bytes, magic, 8);
    word_put(bytes + 8, DEM_CONTACTS_VERSION);
    word_put(bytes + 16, size);
    for (size_t k = 0; k + 8 < size; k += 8) {
        hash = (hash ^ word_get(bytes + k)) * UINT64_C(0x100000001b3);
        hash ^= hash >> 32;
    }
    word_put(bytes + size - 8, hash);
}

/** Material 0 with the linear law, 0 and 1 with a law of the host's, 1 with itself with nothing. */
static dem_contact_history *history_make(void)
{
    dem_contact_history_config config;
    dem_contact_history *history = NULL;
    FUZZ_PROMISE(dem_contact_history_config_init(&config) == DEM_OK);
    config.material_count = 2;
    config.allocator = (dem_allocator){&held, fuzz_allocate, fuzz_release};
    FUZZ_PROMISE(dem_contact_history_create(&config, &history, NULL) == DEM_OK);
    const dem_law law = test_law(&control);
    FUZZ_PROMISE(dem_contact_history_law_register(history, &law) == DEM_OK);
    dem_linear linear;
    (void)dem_linear_init(&linear);
    linear.stiffness_normal = 1000.0;
    const test_spring spring = {500.0};
    dem_contact_model model;
    (void)dem_contact_model_init(&model);
    (void)dem_contact_model_add_linear_csds(&model, &linear);
    FUZZ_PROMISE(dem_contact_history_model_set(history, 0, 0, &model) == DEM_OK);
    (void)dem_contact_model_init(&model);
    (void)dem_contact_model_add(&model, law.name, &spring);
    FUZZ_PROMISE(dem_contact_history_model_set(history, 0, 1, &model) == DEM_OK);
    return history;
}

/** Three spheres, of which the first touches the others. */
static void evaluate(dem_contact_history *history)
{
    static const double x[3][3] = {{0.0}, {0.9, 0.0, 0.0}, {-0.9, 0.0, 0.0}}, v[3][3] = {{0.1}};
    static const double radius[3] = {0.5, 0.5, 0.5}, mass[3] = {1.0, 1.0, 1.0};
    static const int32_t material[3] = {0, 0, 1};
    static const uint32_t pairs[2][2] = {{0, 1}, {2, 0}};
    double force[3][3] = {{0.0}};
    dem_contacts_input in;
    (void)dem_contacts_input_init(&in);
    in.particle_count = 3;
    in.position = x[0];
    in.velocity = v[0];
    in.radius = radius;
    in.mass = mass;
    in.material = material;
    in.pair_count = 2;
    in.pairs = pairs[0];
    in.dt = 1e-4;
    in.absent = DEM_ABSENT_KEEP;
    in.force = force[0];
    (void)dem_contacts_evaluate(history, &in, NULL);
}

/** All contacts leave and come again. */
static void there_and_back(dem_contact_history *history)
{
    snapshot before = snapshot_history(history);
    uint64_t size = 0, rest;
    uint64_t *ids = calloc((size_t)before.count + 1, sizeof(*ids));
    FUZZ_PROMISE(ids != NULL);
    for (uint64_t k = 0; k < before.count; ++k)
        ids[k] = before.rows[k].key.id_j;
    FUZZ_PROMISE(dem_contact_history_pack(history, before.count, ids, NULL, 0, &size) == DEM_OK);
    uint8_t *bytes = malloc((size_t)size);
    FUZZ_PROMISE(bytes != NULL && dem_contact_history_pack(history, before.count, ids, bytes, size,
                                                           &rest) == DEM_OK);
    FUZZ_PROMISE(dem_contact_history_forget(history, before.count, ids) == DEM_OK);
    FUZZ_PROMISE(dem_contact_history_count(history) == 0);
    FUZZ_PROMISE(dem_contact_history_unpack(history, bytes, size) == DEM_OK);
    snapshot after = snapshot_history(history);
    FUZZ_PROMISE(snapshot_equal(&before, &after));
    snapshot_free(&before);
    snapshot_free(&after);
    free(bytes);
    free(ids);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    const int how = data[0];
    size = how % 4 == 0 ? size - 1 : (size - 1) / 8 * 8;
    uint8_t *bytes = malloc(size + 1);
    FUZZ_PROMISE(bytes != NULL);
    memcpy(bytes, data + 1, size);
    if (how % 4 != 0 && size >= 32)
        frame(bytes, size);
    dem_contact_history *history = history_make();
    if (how & 4)
        evaluate(history);
    if (how & 8)
        (void)dem_contact_history_forget(history, 0, NULL); /* makes the index */
    snapshot before = snapshot_history(history);
    const dem_status status = how & 16 ? dem_contact_history_restore(history, bytes, size)
                                       : dem_contact_history_unpack(history, bytes, size);
    if (status != DEM_OK) {
        snapshot after = snapshot_history(history);
        FUZZ_PROMISE(snapshot_equal(&before, &after));
        snapshot_free(&after);
    }
    there_and_back(history);
    evaluate(history);
    snapshot_free(&before);
    free(bytes);
    dem_contact_history_destroy(history);
    FUZZ_PROMISE(held == 0);
    return 0;
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    if (getenv("FUZZ_SEEDS") == NULL)
        return 0;
    dem_contact_history *history = history_make();
    evaluate(history);
    uint8_t seed[4096];
    for (uint8_t n = 0; n < 32; ++n) {
        const uint64_t ids[3] = {n % 3, 1, 2};
        char name[32];
        uint64_t size = 0;
        snprintf(name, sizeof(name), "packed-%02d", n);
        seed[0] = n;
        FUZZ_PROMISE(dem_contact_history_pack(history, 1 + n % 3, ids, seed + 1, sizeof(seed) - 1,
                                              &size) == DEM_OK);
        fuzz_seed(name, seed, (size_t)size + 1);
    }
    exit(0);
}
