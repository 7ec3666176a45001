/* SPDX-License-Identifier: MIT */
/**
 * @file snapshot_shapes.c
 * Snapshots of bodies that are polyhedra, damaged word by word under a right checksum: they are
 * refused with a reason, or taken, and then the world works. docs/checkpoint.md has the sections.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/heap_short.h"
#include "../support/polyhedral.h"
#include "../support/scene.h"
#include "../support/stream.h"

#include <string.h>

/** Three bodies, each of a small and a large box, that lie on each other and on a plane; a fourth
 * one was removed. */
static dem_world *boxes(void)
{
    static const double up[3] = {0.0, 0.0, 1.0};
    dem_world *world = world_of(10.0, 1, DEM_ISA_AUTO);
    dem_polyhedron *shape[2] = {shape_of(solid_box(0.5, 0.4, 0.3)),
                                shape_of(solid_box(0.2, 0.3, 0.45))};
    dem_body_handle handle;
    model_set(world, M1, 0.3, 0.8);
    plane_add(world, up, 0.0);
    for (int k = 0; k < 4; ++k) {
        dem_body_part part[2];
        dem_body body = body_at(shape[0], 0.3 * k, 0.2 * k, 0.44 + 0.72 * k);
        for (int p = 0; p < 2; ++p) {
            OK(dem_body_part_init(&part[p]));
            part[p].centre[0] = 0.1 * p;
            part[p].shape = shape[p];
        }
        OK(dem_body_add(world, &body, 2, part, &handle));
    }
    OK(dem_body_remove(world, handle));
    dem_polyhedron_destroy(shape[0]);
    dem_polyhedron_destroy(shape[1]);
    run(world, 1e-4, 5);
    assert_true(scene_counts(world).contacts > 3);
    return world;
}

/** Restores what was damaged, and works with the world where it is taken; whether it was. */
static int taken_and_used(const unsigned char *bytes, uint64_t size)
{
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    const uint64_t before = scene_hash(world);
    const dem_status status = dem_world_restore(world, bytes, size);
    if (status == DEM_OK) {
        (void)dem_step(world, 1e-4, 2); /* may diverge, and then says so */
        (void)balance_of(world);
        uint64_t again;
        free(snapshot_of(world, &again));
    } else {
        if (status != DEM_ERROR_FORMAT && status != DEM_ERROR_MEMORY)
            fail_msg("status %d: %s", (int)status, dem_world_error(world));
        assert_int_equal(strncmp(dem_world_error(world), "snapshot: ", 10), 0);
        assert_true(scene_hash(world) == before);
    }
    dem_world_destroy(world);
    return status == DEM_OK;
}

enum { MISTAKES = 15 };

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

/* Each word of the sections of polyhedra, with each mistaken value. */
static void each_word_is_safe(void **state)
{
    (void)state;
    static const char *const tags[] = {"shapes  ", "bodies  ", "list    ", "contacts"};
    dem_world *source = boxes();
    uint64_t size;
    unsigned char *bytes = snapshot_of(source, &size);
    fenv_t traps;
    assert_int_equal(feholdexcept(&traps), 0); /* numbers as they may be, as from a host */
    assert_true(taken_and_used(bytes, size));
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
                taken += taken_and_used(bytes, size) ? 1 : 0;
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

static void refused(unsigned char *bytes, uint64_t size, const char *words)
{
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    const uint64_t before = scene_hash(world);
    stream_sign(bytes, size);
    const dem_status status = dem_world_restore(world, bytes, size);
    if (status != DEM_ERROR_FORMAT || strstr(dem_world_error(world), words) == NULL)
        fail_msg("status %d, not \"%s\": %s", (int)status, words, dem_world_error(world));
    assert_true(scene_hash(world) == before);
    dem_world_destroy(world);
}

/** A word with another value: what is said of it. */
static void refused_with(unsigned char *bytes, uint64_t size, uint64_t k, uint64_t word,
                         const char *words)
{
    const uint64_t old = stream_word(bytes, k);
    stream_word_set(bytes, k, word);
    refused(bytes, size, words);
    stream_word_set(bytes, k, old);
}

/* Rows that no program makes by chance: a shape of no name, of another size, or given twice; a
 * shape of a particle that is there no more. */
static void rows_that_cannot_be_are_refused(void **state)
{
    (void)state;
    dem_world *source = boxes();
    uint64_t size;
    unsigned char *bytes = snapshot_of(source, &size);
    enum { PARTS = 6 };
    const uint64_t begin = stream_section(bytes, size, "shapes  ");
    const uint64_t end = begin + stream_word(bytes, begin - 1), rows = end - PARTS;
    const uint64_t small = stream_word(bytes, end - 1), large = stream_word(bytes, end - 2);
    assert_int_equal(stream_word(bytes, begin), 2);
    assert_true(small >> 32 == 1 && large >> 32 == 0); /* named after the first that has it */
    const char *const row = "the row of a polyhedron";
    refused_with(bytes, size, rows, large, row); /* twice */
    refused_with(bytes, size, end - 1, (small & UINT32_MAX) | UINT64_C(7) << 32, row);
    refused_with(bytes, size, end - 1, small & UINT32_MAX, row);    /* the radius is another */
    refused_with(bytes, size, end - 1, UINT64_C(1) << 32 | 6, row); /* of the removed body */
    refused_with(bytes, size, end - 1, UINT64_C(1) << 32 | 1000, row);
    refused_with(bytes, size, begin + 1, 6, row);
    /* a volume, and a moment of inertia */
    refused_with(bytes, size, begin + 2, 0, "polyhedron");
    refused_with(bytes, size, begin + 2, UINT64_C(0x7FF8000000000000), "polyhedron");
    free(bytes);
    dem_world_destroy(source);
}

/* A part that no body has. */
static void parts_without_bodies_are_refused(void **state)
{
    (void)state;
    dem_world *source = boxes();
    uint64_t size;
    unsigned char *bytes = snapshot_of(source, &size);
    const uint64_t begin = stream_section(bytes, size, "bodies  ");
    stream_word_set(bytes, begin - 2, stream_word(bytes, begin - 2) ^ 1); /* another tag */
    stream_sign(bytes, size);
    refused(bytes, size, "is a part of no body");
    free(bytes);
    dem_world_destroy(source);
}

/* Each allocation fails once: the world that should take it all is as it was. */
static void short_of_memory(void **state)
{
    (void)state;
    dem_polyhedron *told = ellipsoid_shape(1);
    dem_world *source = boxes();
    uint64_t size;
    unsigned char *bytes = snapshot_of(source, &size);
    int failed = 0;
    for (uint64_t fail_at = 0;; ++fail_at) {
        short_heap heap = {0, UINT64_MAX, 0};
        dem_world_config config;
        dem_world *world = NULL;
        OK(dem_world_config_init(&config));
        config.allocator = short_allocator(&heap);
        OK(dem_world_create(&config, &world, NULL));
        OK(dem_world_shape_know(world, told));
        const uint64_t before = scene_hash(world);
        heap.fail_at = heap.calls + fail_at;
        const dem_status status = dem_world_restore(world, bytes, size);
        heap.fail_at = UINT64_MAX;
        if (status != DEM_OK) {
            ++failed;
            assert_int_equal(status, DEM_ERROR_MEMORY);
            assert_true(scene_hash(world) == before);
            OK(dem_world_restore(world, bytes, size));
        }
        assert_true(scene_hash(world) == scene_hash(source));
        dem_world_destroy(world);
        assert_int_equal(heap.held, 0);
        if (status == DEM_OK)
            break;
    }
    assert_true(failed > 20);
    free(bytes);
    dem_world_destroy(source);
    dem_polyhedron_destroy(told);
}

/* ------------------------------------------------------------------ many shapes */

enum { MOST_BODIES = 64 };

/** Bodies of two parts, one upon the other; which shapes body k has, and the handles of its rows.
 */
typedef struct shape_bed {
    dem_world *world;
    dem_polyhedron *shape[MOST_BODIES];
    dem_body_handle body[MOST_BODIES];
    uint64_t of[MOST_BODIES][2], row[MOST_BODIES][2];
    int there[MOST_BODIES];
} shape_bed;

/** Adds a body at a place among all: the first vacant one, or the next one. */
static void bed_add(shape_bed *bed, uint64_t place, uint64_t first, uint64_t second)
{
    const uint64_t of[2] = {first, second};
    dem_body_part part[2];
    dem_body body = body_at(bed->shape[first], 3.0 * (double)place, 0.0, 0.0);
    for (int p = 0; p < 2; ++p) {
        OK(dem_body_part_init(&part[p]));
        part[p].centre[2] = 0.1 * p - 0.05;
        part[p].shape = bed->shape[of[p]];
        bed->of[place][p] = of[p];
    }
    OK(dem_body_add(bed->world, &body, 2, part, &bed->body[place]));
    for (uint64_t p = 0; p < 2; ++p) {
        dem_particle_handle row;
        OK(dem_body_part_find(bed->world, bed->body[place], p, &row));
        bed->row[place][p] = row.index;
    }
    assert_int_equal(bed->body[place].index, place);
    bed->there[place] = 1;
}

static void bed_remove(shape_bed *bed, uint64_t place)
{
    OK(dem_body_remove(bed->world, bed->body[place]));
    bed->there[place] = 0;
}

/** Each shape is in a snapshot once, in the order of the first parts that have them, and the rows
 * name these; a world that is restored has the same bytes. */
static void bed_expect(const shape_bed *bed)
{
    uint64_t first[MOST_BODIES], size, again, shapes = 0, rows = 0;
    unsigned char *bytes = snapshot_of(bed->world, &size);
    uint64_t at = stream_section(bytes, size, "shapes  ");
    const uint64_t end = at + stream_word(bytes, at - 1), count = stream_word(bytes, at++);
    memset(first, 0xFF, sizeof(first));
    for (uint64_t k = 0; k < MOST_BODIES; ++k)
        for (int p = 0; bed->there[k] && p < 2; ++p, ++rows) {
            if (first[bed->of[k][p]] != UINT64_MAX)
                continue;
            first[bed->of[k][p]] = bed->row[k][p];
            assert_true(stream_word(bytes, at) == bed->row[k][p]);
            at += 18; /* name and solid; then its mesh */
            at += 2 + 3 * stream_word(bytes, at) + (3 * stream_word(bytes, at + 1) + 1) / 2;
            ++shapes;
        }
    assert_int_equal(shapes, count);
    assert_int_equal(rows, end - at);
    for (uint64_t k = 0; k < MOST_BODIES; ++k)
        for (int p = 0; bed->there[k] && p < 2; ++p)
            assert_true(stream_word(bytes, at++) == (bed->row[k][p] | first[bed->of[k][p]] << 32));
    dem_world *restored = world_of(0.0, 1, DEM_ISA_AUTO);
    OK(dem_world_restore(restored, bytes, size));
    unsigned char *same = snapshot_of(restored, &again);
    assert_true(again == size && memcmp(bytes, same, (size_t)size) == 0);
    dem_world_destroy(restored);
    free(bytes);
    free(same);
}

/* Bodies of all shapes, each shape for itself, one shape after the other, or in turn. Then the
 * first bodies of shapes leave, and others take their places. */
static void orders_of_bodies(void **state)
{
    (void)state;
    for (int order = 0; order < 3; ++order) {
        shape_bed bed;
        memset(&bed, 0, sizeof(bed));
        bed.world = world_of(0.0, 1, DEM_ISA_AUTO);
        for (int k = 0; k < MOST_BODIES; ++k)
            bed.shape[k] = shape_of(solid_box(0.5, 0.4, 0.3 + 0.001 * k));
        for (uint64_t k = 0; k < MOST_BODIES; ++k) {
            const uint64_t of = order == 0 ? k : order == 1 ? k / 32 : k % 3;
            bed_add(&bed, k, of, order == 0 ? k : of + 1);
        }
        bed_expect(&bed);
        bed_remove(&bed, 0);
        bed_expect(&bed);
        bed_remove(&bed, 32);
        bed_remove(&bed, 1);
        bed_expect(&bed);
        bed_add(&bed, 0, 40, 33); /* of those that are behind, too */
        bed_expect(&bed);
        bed_add(&bed, 1, 1, 50);
        bed_expect(&bed);
        for (uint64_t k = 2; k < MOST_BODIES; ++k)
            if (bed.there[k])
                bed_remove(&bed, k);
        bed_expect(&bed);
        for (int k = 0; k < MOST_BODIES; ++k)
            dem_polyhedron_destroy(bed.shape[k]);
        dem_world_destroy(bed.world);
    }
}

/** How many shapes a snapshot of a world has. */
static uint64_t shapes_of(const dem_world *world)
{
    uint64_t size;
    unsigned char *bytes = snapshot_of(world, &size);
    const uint64_t begin = stream_section(bytes, size, "shapes  ");
    const uint64_t count = begin > 0 ? stream_word(bytes, begin) : 0;
    free(bytes);
    return count;
}

/** Restores a world from its snapshot. */
static void restore_again(dem_world *world)
{
    uint64_t size;
    unsigned char *bytes = snapshot_of(world, &size);
    OK(dem_world_restore(world, bytes, size));
    free(bytes);
}

/* A program goes on from a snapshot with its own objects of the shapes, which the world has from
 * the snapshot: each is there once, whether the world was told of it or not. */
static void equal_shapes_are_one(void **state)
{
    (void)state;
    for (int told = 0; told < 2; ++told) {
        dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
        uint64_t grown[4];
        for (int k = 0; k < 4; ++k) {
            dem_polyhedron *shape = box_shape();
            uint64_t before, after;
            if (told)
                OK(dem_world_shape_know(world, shape));
            OK(dem_world_snapshot_size(world, &before));
            const dem_body body = body_at(shape, 3.0 * k, 0.0, 0.0);
            (void)body_add(world, &body, shape);
            dem_polyhedron_destroy(shape); /* the world has one for itself */
            OK(dem_world_snapshot_size(world, &after));
            grown[k] = after - before;
            assert_int_equal(shapes_of(world), 1);
            restore_again(world);
        }
        assert_true(grown[1] < grown[0] && grown[2] == grown[1] && grown[3] == grown[1]);
        dem_polyhedron *other = shape_of(solid_box(0.4, 0.5, 0.3));
        const dem_body body = body_at(other, -3.0, 0.0, 0.0);
        (void)body_add(world, &body, other);
        assert_int_equal(shapes_of(world), 2);
        dem_polyhedron_destroy(other);
        dem_world_destroy(world);
    }
}

/* Two shapes with the same mesh whose volumes differ by round-off stay two, as forces may tell them
 * apart, and each goes with its last body, whichever goes first. */
static void volumes_that_differ(void **state)
{
    (void)state;
    for (int first = 0; first < 2; ++first) {
        dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
        dem_polyhedron *shape = box_shape();
        dem_body_handle handle[2];
        dem_body body = body_at(shape, 0.0, 0.0, 0.0);
        handle[0] = body_add(world, &body, shape);
        uint64_t size;
        unsigned char *bytes = snapshot_of(world, &size);
        const uint64_t volume = stream_section(bytes, size, "shapes  ") + 2;
        stream_word_set(bytes, volume, stream_word(bytes, volume) + 1);
        stream_sign(bytes, size);
        OK(dem_world_restore(world, bytes, size));
        free(bytes);
        body.position[0] = 3.0;
        handle[1] = body_add(world, &body, shape);
        assert_int_equal(shapes_of(world), 2);
        OK(dem_body_remove(world, handle[first]));
        assert_int_equal(shapes_of(world), 1);
        handle[first] = body_add(world, &body, shape);
        assert_int_equal(shapes_of(world), first == 0 ? 1 : 2);
        restore_again(world);
        OK(dem_body_remove(world, handle[1 - first]));
        assert_int_equal(shapes_of(world), 1);
        OK(dem_body_remove(world, handle[first]));
        assert_int_equal(shapes_of(world), 0);
        dem_world_destroy(world);
        dem_polyhedron_destroy(shape);
    }
}

/* Each allocation fails once while a body brings new shapes: all is as it was. */
static void bodies_short_of_memory(void **state)
{
    (void)state;
    dem_polyhedron *shape[2] = {shape_of(solid_box(0.5, 0.4, 0.3)),
                                shape_of(solid_box(0.2, 0.3, 0.45))};
    dem_status status = DEM_ERROR_MEMORY;
    uint64_t failed = 0;
    for (; status != DEM_OK; ++failed) {
        short_heap heap = {0, UINT64_MAX, 0};
        dem_world_config config;
        dem_world *world = NULL;
        dem_body_part part[2];
        OK(dem_world_config_init(&config));
        config.allocator = short_allocator(&heap);
        OK(dem_world_create(&config, &world, NULL));
        const uint64_t before = scene_hash(world);
        const dem_body body = body_at(shape[0], 0.0, 0.0, 0.0);
        for (int p = 0; p < 2; ++p) {
            OK(dem_body_part_init(&part[p]));
            part[p].shape = shape[p];
        }
        heap.fail_at = heap.calls + failed;
        status = dem_body_add(world, &body, 2, part, NULL);
        heap.fail_at = UINT64_MAX;
        if (status != DEM_OK) {
            assert_int_equal(status, DEM_ERROR_MEMORY);
            assert_true(scene_hash(world) == before && shapes_of(world) == 0);
            OK(dem_body_add(world, &body, 2, part, NULL));
        }
        assert_int_equal(shapes_of(world), 2);
        dem_world_destroy(world);
        assert_int_equal(heap.held, 0);
    }
    assert_true(failed > 4);
    dem_polyhedron_destroy(shape[0]);
    dem_polyhedron_destroy(shape[1]);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_word_is_safe),
        cmocka_unit_test(rows_that_cannot_be_are_refused),
        cmocka_unit_test(parts_without_bodies_are_refused),
        cmocka_unit_test(short_of_memory),
        cmocka_unit_test(orders_of_bodies),
        cmocka_unit_test(equal_shapes_are_one),
        cmocka_unit_test(volumes_that_differ),
        cmocka_unit_test(bodies_short_of_memory),
    };
    return cmocka_run_group_tests_name("snapshot_shapes", tests, NULL, NULL);
}
