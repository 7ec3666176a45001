/* SPDX-License-Identifier: MIT */
/**
 * @file snapshot_damage.c
 * Bytes that are no snapshot, or no longer one: refused with a reason, and the world is as it was.
 * The frame and its checksum are computed here from their description in docs/checkpoint.md.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/busy.h"
#include "../support/law.h"
#include "../support/meshes.h"
#include "../support/stream.h"

#include <string.h>

#define FIXTURE_1 "tests/abi/snapshot-1.dem"
#define FIXTURE_2 "tests/abi/snapshot-2.dem"

static dem_world *empty_world(test_law_control *control)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    const dem_law law = test_law(control);
    OK(dem_world_law_register(world, &law));
    return world;
}

/** A world small enough to try every byte: a few contacts under a law of the host's, whose
 * version is in this test's hands. */
static dem_world *small_world(test_law_control *control, uint64_t steps)
{
    dem_world_config config = scene_config();
    config.boundary[0] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = 3.0;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    const dem_law law = test_law(control);
    OK(dem_world_law_register(world, &law));
    test_spring spring = {900.0};
    busy_model(world, 0, 0, "test-spring", &spring, NULL, NULL);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.id = 55;
    OK(dem_wall_add(world, &wall, NULL));
    dem_particle_handle handle;
    for (int n = 0; n < 9; ++n) {
        dem_particle p =
            scene_particle(n % 3 + 0.5 * (n / 3 % 2), 0.1 * (n / 3), 0.45 + 0.8 * (n / 3));
        p.velocity[1] = 0.1 * n;
        OK(dem_particle_add(world, &p, &handle));
    }
    const double push[3] = {0.0, 0.3, 0.0};
    OK(dem_particle_set_force(world, handle, push, NULL));
    OK(dem_particle_remove(world, (dem_particle_handle){3, 1}));
    OK(dem_step(world, 1e-3, steps));
    return world;
}

/** The same in a fluid, with sums of impulses, on a wall that turns and another that seeks a force.
 */
static dem_world *coupled_world(test_law_control *control)
{
    dem_world *world = small_world(control, 20);
    const struct {
        int32_t field;
        double value;
    } fluid[] = {{DEM_FIELD_DRAG_COEFFICIENT, 0.3},
                 {DEM_FIELD_FLUID_VELOCITY, 0.1},
                 {DEM_FIELD_ROTATIONAL_DRAG, 0.2}};
    for (size_t k = 0; k < sizeof(fluid) / sizeof(fluid[0]); ++k) {
        dem_view view = {.struct_size = sizeof(view)};
        OK(dem_world_view(world, fluid[k].field, &view));
        for (uint64_t row = 0; row < view.count; ++row)
            memcpy((char *)view.data + row * view.stride, &fluid[k].value, sizeof(double));
        OK(dem_world_written_field(world, fluid[k].field));
    }
    OK(dem_world_impulses_reset(world));
    const double slow[3] = {0.0, 0.0, 1e-3};
    OK(dem_wall_set_motion(world, 55, NULL, slow, NULL));
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.point[2] = 9.0;
    wall.normal[2] = -1.0;
    OK(dem_wall_add(world, &wall, &wall.id));
    dem_wall_servo servo;
    OK(dem_wall_servo_init(&servo));
    servo.direction[2] = -1.0;
    servo.speed = 1e-3;
    servo.target = 1.0;
    servo.gain = 1e-6;
    OK(dem_wall_set_servo(world, wall.id, &servo));
    OK(dem_step(world, 1e-3, 20));
    return world;
}

/** A triangle each way: a floor of two facets, and a third that stands on it. */
static uint64_t add_sheet(dem_world *world)
{
    static const double vertices[5][3] = {{-9.0, -9.0, -0.2},
                                          {9.0, -9.0, -0.2},
                                          {9.0, 9.0, -0.2},
                                          {-9.0, 9.0, -0.2},
                                          {0.0, 9.0, 9.0}};
    static const uint32_t facets[3][3] = {{0, 1, 2}, {0, 2, 3}, {3, 2, 4}};
    dem_mesh *mesh = mesh_of(vertices, 5, facets, 3);
    uint64_t id = 0;
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_MESH;
    wall.mesh = mesh;
    OK(dem_wall_add(world, &wall, &id));
    dem_mesh_destroy(mesh);
    return id;
}

static void add_dumbbell(dem_world *world, double x, int32_t mobility)
{
    dem_body body;
    dem_body_part part[2];
    OK(dem_body_init(&body));
    body.mass = 0.1;
    body.inertia[0] = 0.01;
    body.inertia[1] = body.inertia[2] = 0.02;
    body.position[0] = x;
    body.position[2] = 0.25;
    body.mobility = mobility;
    for (int k = 0; k < 2; ++k) {
        OK(dem_body_part_init(&part[k]));
        part[k].centre[0] = 0.3 * (k - 0.5);
        part[k].radius = 0.5;
    }
    OK(dem_body_add(world, &body, 2, part, NULL));
}

/** Bodies, meshes of which one deforms, works of facets, and data of the host. */
static dem_world *furnished_world(test_law_control *control)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.gravity[2] = -10.0;
    config.host_doubles = 2;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    const dem_law law = test_law(control);
    OK(dem_world_law_register(world, &law));
    test_spring spring = {900.0};
    busy_model(world, 0, 0, "test-spring", &spring, NULL, NULL);
    const uint64_t still = add_sheet(world), moving = add_sheet(world);
    const double velocities[5][3] = {{0.0}, {0.0}, {0.0}, {0.0}, {0.0, 0.0, 0.1}};
    OK(dem_wall_set_vertices(world, moving, NULL, velocities[0]));
    dem_view view = {.struct_size = sizeof(view)};
    OK(dem_wall_view(world, still, DEM_FACET_WORK_NORMAL, &view));
    for (int n = 0; n < 3; ++n) {
        const dem_particle p = scene_particle(1.5 * n, 2.0, 0.25);
        OK(dem_particle_add(world, &p, NULL));
    }
    OK(dem_world_view(world, DEM_FIELD_HOST, &view));
    for (uint64_t row = 0; row < view.count; ++row)
        memcpy((char *)view.data + row * view.stride, (double[]){1.0, (double)row},
               2 * sizeof(double));
    OK(dem_world_written_field(world, DEM_FIELD_HOST));
    add_dumbbell(world, 0.0, DEM_MOBILITY_FREE);
    add_dumbbell(world, 2.0, DEM_MOBILITY_FIXED);
    add_dumbbell(world, 4.0, DEM_MOBILITY_FREE);
    OK(dem_body_remove(world, (dem_body_handle){1, 1}));
    add_dumbbell(world, 6.0, DEM_MOBILITY_KINEMATIC);
    add_dumbbell(world, 8.0, DEM_MOBILITY_FREE);
    OK(dem_body_remove(world, (dem_body_handle){2, 1}));
    OK(dem_step(world, 1e-3, 20));
    return world;
}

static void the_frame_is_as_described(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    dem_world *world = small_world(&control, 20);
    uint64_t size;
    unsigned char *bytes = busy_snapshot(world, &size);
    static const unsigned char magic[8] = {0x89, 'D', 'E', 'M', '\r', '\n', 0x1a, '\n'};
    assert_memory_equal(bytes, magic, 8);
    assert_int_equal(stream_word(bytes, 1), DEM_SNAPSHOT_VERSION);
    assert_int_equal(stream_word(bytes, 2), size);
    assert_int_equal(stream_word(bytes, 3), DEM_VERSION);
    static const char *const tags[] = {"config  ", "clock   ", "material", "model   ", "handle  ",
                                       "particle", "wall    ", "list    ", "contacts", "motion  "};
    uint64_t k = 4;
    for (size_t s = 0; s < sizeof(tags) / sizeof(tags[0]); ++s) {
        assert_memory_equal(bytes + 8 * k, tags[s], 8);
        k += 2 + stream_word(bytes, k + 1);
    }
    assert_int_equal(8 * (k + 1), size);
    assert_int_equal(stream_word(bytes, k), stream_checksum(bytes, k));
    /* gravity is the first of the configuration */
    double gravity[3];
    for (uint64_t c = 0; c < 3; ++c) {
        const uint64_t word = stream_word(bytes, 6 + c);
        memcpy(&gravity[c], &word, sizeof(double));
    }
    assert_true(gravity[0] == 0.0 && gravity[1] == 0.0 && gravity[2] == -10.0);
    dem_world_destroy(world);
    free(bytes);
}

static void refused(dem_world *world, const unsigned char *bytes, uint64_t size, const char *what)
{
    const uint64_t before = scene_hash(world);
    if (dem_world_restore(world, bytes, size) != DEM_ERROR_FORMAT)
        fail_msg("%s at %llu is not noticed", what, (unsigned long long)size);
    assert_int_equal(strncmp(dem_world_error(world), "snapshot: ", 10), 0);
    assert_int_equal(scene_hash(world), before);
}

static void every_damage_is_noticed(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    dem_world *world = small_world(&control, 20), *other = small_world(&control, 7);
    uint64_t size;
    unsigned char *bytes = busy_snapshot(world, &size);
    test_random random = test_random_start("damage");
    for (uint64_t k = 0; k < size; ++k) {
        const unsigned char flip = (unsigned char)(1 + test_random_bits(&random) % 255);
        bytes[k] ^= flip;
        refused(other, bytes, size, "a changed byte");
        bytes[k] ^= flip;
    }
    for (uint64_t length = 0; length < size; ++length) {
        /* in memory of that very size, so that reading beyond it is noticed */
        unsigned char *cut = malloc(length + (length == 0));
        assert_non_null(cut);
        memcpy(cut, bytes, length);
        refused(other, cut, length, "a cut");
        free(cut);
    }
    unsigned char *longer = calloc(1, size + 64);
    assert_non_null(longer);
    memcpy(longer, bytes, size);
    for (uint64_t more = 1; more <= 64; ++more)
        refused(other, longer, size + more, "something appended");
    free(longer);
    printf("# %llu bytes\n", (unsigned long long)size);
    OK(dem_world_restore(other, bytes, size));
    busy_equal(world, other);
    dem_world_destroy(world);
    dem_world_destroy(other);
    free(bytes);
}

static void other_bytes_are_refused(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    dem_world *world = small_world(&control, 7);
    test_random random = test_random_start("noise");
    unsigned char noise[512];
    for (int round = 0; round < 2000; ++round) {
        const uint64_t size = test_random_bits(&random) % sizeof(noise);
        for (uint64_t k = 0; k < size; ++k)
            noise[k] = (unsigned char)test_random_bits(&random);
        refused(world, noise, size, "noise");
    }
    /* a later format, with all else right, is named */
    uint64_t size;
    unsigned char *bytes = busy_snapshot(world, &size);
    stream_word_set(bytes, 1, DEM_SNAPSHOT_VERSION + 1);
    stream_sign(bytes, size);
    refused(world, bytes, size, "a later format");
    assert_non_null(strstr(dem_world_error(world), "format 3"));
    dem_world_destroy(world);
    free(bytes);
}

static uint64_t strange_word(test_random *random, uint64_t old)
{
    const uint64_t bits = test_random_bits(random);
    const double special[] = {0.0, -1.0, 1e300, -1e300, 1e-300, INFINITY, NAN, 0.5};
    uint64_t word;
    switch (bits % 9) {
    case 0:
        return bits >> 8;
    case 1:
        return old + 1;
    case 2:
        return old - 1;
    case 3:
        return old ^ UINT64_C(1) << (bits >> 8) % 64;
    case 4:
        return (bits >> 8) % 64;
    case 5:
        return UINT64_MAX;
    case 6:
        return old + (UINT64_C(1) << 32);
    case 7:
        return (old & UINT32_MAX) | (bits >> 40) << 32;
    default:
        memcpy(&word, &special[(bits >> 8) % 8], sizeof(word));
        return word;
    }
}

/** A snapshot in the first format. */
static unsigned char *fixture(uint64_t *size)
{
    FILE *in = fopen(FIXTURE_1, "rb");
    assert_non_null(in);
    assert_int_equal(fseek(in, 0, SEEK_END), 0);
    *size = (uint64_t)ftell(in);
    unsigned char *bytes = malloc((size_t)*size);
    assert_non_null(bytes);
    rewind(in);
    assert_int_equal(fread(bytes, 1, (size_t)*size, in), *size);
    fclose(in);
    return bytes;
}

/** Restores what was damaged, and works with the world where it is taken; whether it was. */
static int taken_and_used(test_law_control *control, const unsigned char *bytes, uint64_t size)
{
    dem_world *world = empty_world(control);
    const dem_status status = dem_world_restore(world, bytes, size);
    if (status == DEM_OK) {
        snapshot contacts = snapshot_world(world);
        snapshot_free(&contacts);
        (void)dem_step(world, 1e-4, 3); /* may diverge, and then says so */
        dem_particle p = scene_particle(0.1, 0.2, 90.0);
        (void)dem_particle_add(world, &p, NULL);
        (void)dem_step(world, 1e-4, 1);
        free(busy_snapshot(world, &(uint64_t){0}));
    } else if (status != DEM_ERROR_FORMAT && status != DEM_ERROR_UNKNOWN &&
               status != DEM_ERROR_MEMORY)
        fail_msg("status %d: %s", (int)status, dem_world_error(world));
    dem_world_destroy(world);
    return status == DEM_OK;
}

/* What has the right checksum is either taken or refused, and a world made from it works. */
static void what_fits_its_checksum_is_safe(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    dem_world_config config;
    OK(dem_world_config_init(&config));
    enum { SOURCES = 5 };
    dem_world *sources[SOURCES] = {small_world(&control, 20), small_world(&control, 0),
                                   busy_world(4, 2, &config), coupled_world(&control), NULL};
    OK(dem_step(sources[2], BUSY_DT, 150));
    /* numbers as they may be trap where they are computed with, as they would from a host */
    fenv_t traps;
    assert_int_equal(feholdexcept(&traps), 0);
    test_random random = test_random_start("safe");
    uint64_t taken = 0, rounds = 0;
    for (int s = 0; s < SOURCES; ++s) {
        uint64_t size;
        unsigned char *bytes =
            sources[s] != NULL ? busy_snapshot(sources[s], &size) : fixture(&size);
        unsigned char *copy = malloc(size);
        assert_non_null(copy);
        const uint64_t words = size / 8;
        for (int round = 0; round < test_rounds(2400); ++round, ++rounds) {
            memcpy(copy, bytes, size);
            for (uint64_t n = 1 + test_random_bits(&random) % 2; n > 0; --n) {
                const uint64_t k = 4 + test_random_bits(&random) % (words - 5);
                stream_word_set(copy, k, strange_word(&random, stream_word(copy, k)));
            }
            stream_sign(copy, size);
            taken += taken_and_used(&control, copy, size) ? 1 : 0;
        }
        free(bytes);
        free(copy);
        dem_world_destroy(sources[s]);
    }
    feclearexcept(FE_ALL_EXCEPT);
    assert_int_equal(fesetenv(&traps), 0);
    printf("# %llu of %llu taken\n", (unsigned long long)taken, (unsigned long long)rounds);
    assert_true(taken > rounds / 20 && taken < rounds);
}

/** Values that a word may have by mistake. */
static uint64_t mistaken(uint64_t old, int k)
{
    static const double numbers[] = {-1.0, 1e300, -1e300, 1e-300, INFINITY, NAN};
    static const uint64_t words[] = {0, 1, 3, 1000, UINT64_MAX, UINT64_C(1) << 32};
    uint64_t word = 0;
    if (k < 6)
        memcpy(&word, &numbers[k], sizeof(word));
    else if (k < 12)
        word = words[k - 6];
    else
        word = k == 12 ? old + 1 : k == 13 ? old - 1 : old + (UINT64_C(1) << 32);
    return word;
}

/* Each word of the sections that only some worlds have, with each mistaken value. */
static void sections_of_some_worlds_are_safe(void **state)
{
    (void)state;
    enum { MISTAKES = 15 };
    static const char *const tags[] = {"bodies  ", "meshes  ", "facets  ", "vertices", "host    "};
    test_law_control control = {0, -1, 0.0};
    dem_world *source = furnished_world(&control);
    uint64_t size;
    unsigned char *bytes = busy_snapshot(source, &size);
    fenv_t traps;
    assert_int_equal(feholdexcept(&traps), 0);
    assert_true(taken_and_used(&control, bytes, size));
    for (size_t s = 0; s < sizeof(tags) / sizeof(tags[0]); ++s) {
        const uint64_t begin = stream_section(bytes, size, tags[s]);
        assert_true(begin > 0);
        const uint64_t words = stream_word(bytes, begin - 1);
        uint64_t taken = 0;
        for (uint64_t k = begin - 1; k < begin + words; ++k) {
            const uint64_t old = stream_word(bytes, k);
            for (int m = 0; m < MISTAKES; ++m) {
                stream_word_set(bytes, k, mistaken(old, m));
                stream_sign(bytes, size);
                taken += taken_and_used(&control, bytes, size) ? 1 : 0;
            }
            stream_word_set(bytes, k, old);
        }
        printf("# section %s: %llu words, %llu of %llu taken\n", tags[s], (unsigned long long)words,
               (unsigned long long)taken, (unsigned long long)(words + 1) * MISTAKES);
        assert_true(taken < (words + 1) * MISTAKES);
    }
    feclearexcept(FE_ALL_EXCEPT);
    assert_int_equal(fesetenv(&traps), 0);
    free(bytes);
    dem_world_destroy(source);
}

/* What moves freely has a moment of inertia, and its inverse is kept beside that of the mass. */
static void inverses_that_cannot_be_are_refused(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    dem_world *source = small_world(&control, 20), *other = small_world(&control, 7);
    dem_particle p = {.struct_size = sizeof p};
    uint64_t size, found = 0;
    OK(dem_particle_get(source, (dem_particle_handle){0, 1}, &p));
    unsigned char *bytes = busy_snapshot(source, &size);
    const uint64_t begin = stream_section(bytes, size, "particle");
    const uint64_t words = stream_word(bytes, begin - 1);
    const double inverse = 1.0 / (0.4 * p.mass * p.radius * p.radius), none = 0.0;
    for (uint64_t k = begin; k < begin + words; ++k) {
        if (memcmp(bytes + 8 * k, &inverse, sizeof inverse) != 0)
            continue;
        stream_double_set(bytes, k, none);
        stream_sign(bytes, size);
        refused(other, bytes, size, "no inverse of a moment of inertia");
        assert_non_null(strstr(dem_world_error(other), "radius or mass of row"));
        stream_double_set(bytes, k, inverse);
        ++found;
    }
    assert_int_equal(found, scene_counts(source).particles);
    free(bytes);
    dem_world_destroy(source);
    dem_world_destroy(other);
}

/* Snapshots of version 0.1 tell that something was written through a view, not what: all of it is
 * looked at by the next step, and what is not finite is no mistake of the file. */
static void what_was_written_in_the_first_format_is_looked_at(void **state)
{
    (void)state;
    enum { FLAGS = 13, TOUCHED = 4 }; /* word of the section, and the flag */
    test_law_control control = {0, -1, 0.0};
    dem_world *world = small_world(&control, 20);
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, DEM_FIELD_EXTERNAL_FORCE, &view));
    ((double *)view.data)[1] = INFINITY;
    OK(dem_world_written_field(world, DEM_FIELD_EXTERNAL_FORCE));
    uint64_t size;
    unsigned char *bytes = busy_snapshot(world, &size);
    const uint64_t k = stream_section(bytes, size, "clock   ") + FLAGS;
    assert_int_equal(stream_word(bytes, k), TOUCHED | UINT64_C(1)
                                                          << (32 + DEM_FIELD_EXTERNAL_FORCE));
    stream_word_set(bytes, k, TOUCHED);
    stream_sign(bytes, size);
    OK(dem_world_restore(world, bytes, size));
    assert_int_equal(dem_step(world, 1e-3, 1), DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_world_error(world), "written through a view"));
    free(bytes);
    dem_world_destroy(world);
}

/* Mistakes of bodies that no program makes by chance, and what is said of each. */
static void bodies_that_cannot_be_are_refused(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    dem_world *source = furnished_world(&control), *other = small_world(&control, 7);
    uint64_t size;
    unsigned char *bytes = busy_snapshot(source, &size);
    const uint64_t begin = stream_section(bytes, size, "bodies  ");
    /* the count, the next id, then of the first body: id, generation, kinds, mass, inertia */
    const struct {
        uint64_t word;
        double value;
    } numbers[] = {{5, 0.0}, {5, NAN}, {6, -1.0}, {7, 0.05}, {8, INFINITY}};
    for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]); ++k) {
        const uint64_t old = stream_word(bytes, begin + numbers[k].word);
        stream_double_set(bytes, begin + numbers[k].word, numbers[k].value);
        stream_sign(bytes, size);
        refused(other, bytes, size, "a mass or moment of inertia");
        assert_non_null(strstr(dem_world_error(other), "body 0"));
        stream_word_set(bytes, begin + numbers[k].word, old);
    }
    /* the id of the first body for the second one, which is further on by a whole body */
    const uint64_t parts = stream_word(bytes, begin + 2 + 3 + 1 + 3 * 5 + 4 + 3 + 3 + 1) >> 32;
    assert_int_equal(parts, 2);
    const uint64_t second = begin + 2 + 3 + 1 + 3 * 5 + 4 + 3 + 3 + 2 + 4 * parts;
    const uint64_t id = stream_word(bytes, second);
    assert_true(id > 1 && id < 9);
    stream_word_set(bytes, second, stream_word(bytes, begin + 2));
    stream_sign(bytes, size);
    refused(other, bytes, size, "an id of two bodies");
    assert_non_null(strstr(dem_world_error(other), "given twice"));
    free(bytes);
    dem_world_destroy(source);
    dem_world_destroy(other);
}

static dem_world *loaded(test_law_control *control, const char *path)
{
    dem_world *world = empty_world(control);
    if (dem_world_load(world, path) != DEM_OK)
        fail_msg("%s: %s", path, dem_world_error(world));
    return world;
}

static void format_is_read(const char *path)
{
    test_law_control control = {0, -1, 0.0};
    dem_world *made = small_world(&control, 20), *world = loaded(&control, path);
    const dem_world_counts counts = scene_counts(world);
    assert_true(counts.particles == 8 && counts.walls == 1 && counts.steps == 20);
    assert_true(counts.contacts > 3);
    /* it was made by small_world: to rounding, in case a later library sums in another order */
    for (uint64_t id = 1; id < 10; ++id) {
        dem_particle_handle handle;
        dem_particle p = {.struct_size = sizeof(p)}, q = {.struct_size = sizeof(q)};
        const dem_status status = dem_particle_find(made, id, &handle);
        assert_int_equal(dem_particle_find(world, id, &handle), status);
        if (status != DEM_OK)
            continue;
        OK(dem_particle_get(world, handle, &p));
        OK(dem_particle_find(made, id, &handle));
        OK(dem_particle_get(made, handle, &q));
        for (int c = 0; c < 3; ++c) {
            assert_true(fabs(p.position[c] - q.position[c]) < 1e-12);
            assert_true(fabs(p.velocity[c] - q.velocity[c]) < 1e-10);
        }
    }
    OK(dem_step(world, 1e-3, 100));
    dem_world_destroy(made);
    dem_world_destroy(world);
}

/* Each format is read for ever. */
static void the_first_format_is_read(void **state)
{
    (void)state;
    format_is_read(FIXTURE_1);
}

static void the_second_format_is_read(void **state)
{
    (void)state;
    format_is_read(FIXTURE_2);
}

/* The same world in both: where the list was kept, and where it is built once more. */
static void both_formats_go_on_with_the_same_bits(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    dem_world *first = loaded(&control, FIXTURE_1), *second = loaded(&control, FIXTURE_2);
    for (int turn = 0; turn < 10; ++turn) {
        busy_equal(first, second);
        OK(dem_step(first, 1e-3, 20));
        OK(dem_step(second, 1e-3, 20));
    }
    assert_true(scene_counts(first).rebuilds > 1);
    dem_world_destroy(first);
    dem_world_destroy(second);
}

int main(int count, char **arguments)
{
    test_fpe();
    if (count > 1) { /* writes the fixture */
        test_law_control control = {0, -1, 0.0};
        dem_world *world = small_world(&control, 20);
        const dem_status status = dem_world_save(world, arguments[1]);
        dem_world_destroy(world);
        return status;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_frame_is_as_described),
        cmocka_unit_test(every_damage_is_noticed),
        cmocka_unit_test(other_bytes_are_refused),
        cmocka_unit_test(what_fits_its_checksum_is_safe),
        cmocka_unit_test(sections_of_some_worlds_are_safe),
        cmocka_unit_test(bodies_that_cannot_be_are_refused),
        cmocka_unit_test(inverses_that_cannot_be_are_refused),
        cmocka_unit_test(what_was_written_in_the_first_format_is_looked_at),
        cmocka_unit_test(the_first_format_is_read),
        cmocka_unit_test(the_second_format_is_read),
        cmocka_unit_test(both_formats_go_on_with_the_same_bits),
    };
    return cmocka_run_group_tests_name("snapshot_damage", tests, NULL, NULL);
}
