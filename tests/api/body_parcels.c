/* SPDX-License-Identifier: MIT */
/**
 * @file body_parcels.c
 * Bodies of parts that travel from one world to another as bytes: they go on with the bits of a
 * world where nothing moved; and what is refused.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/bytes.h"
#include "../support/ghosts.h"
#include "../support/heap_short.h"
#include "../support/scene.h"
#include "../support/solids.h"
#include "../support/polyhedral.h"
#include "../support/stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLUMPS = 12, GRAINS = 9, PARTS = 3, FLOOR = 1000 };
#define DT 5e-4

static dem_world *world_make(int32_t sums, const dem_allocator *allocator)
{
    dem_world_config config = scene_config();
    config.sums = sums;
    if (sums == DEM_SUMS_EXACT)
        config.force_range = config.torque_range = 1e4;
    if (allocator != NULL)
        config.allocator = *allocator;
    dem_world *world = scene_world(&config);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.id = FLOOR;
    OK(dem_wall_add(world, &wall, NULL));
    return world;
}

/** Clump k: spheres of three sizes in a bent row; one is kinematic. Its parts have ids of ours. */
static void clump_add(dem_world *world, int k)
{
    test_random random = {.state = (uint64_t)k + 5};
    dem_body_part part[PARTS];
    dem_body body;
    OK(dem_body_init(&body));
    body.id = (uint64_t)k + 1;
    for (int p = 0; p < PARTS; ++p) {
        OK(dem_body_part_init(&part[p]));
        part[p].id = 100 + (uint64_t)(PARTS * k + p);
        part[p].radius = 0.4 - 0.05 * p;
        part[p].centre[0] = 0.5 * (p - 1);
        part[p].centre[1] = 0.1 * (p == 1);
        part[p].centre[2] = 0.02 * p;
    }
    body.mass = 0.1;
    body.inertia[0] = 0.008;
    body.inertia[1] = 0.02;
    body.inertia[2] = 0.024;
    const int at[3] = {k % 2, k / 2 % 2, k / 4};
    double length = 0.0;
    for (int c = 0; c < 3; ++c) {
        body.position[c] = 0.5 + (c == 0 ? 1.9 : 1.0) * at[c] + test_uniform(&random, 0.0, 0.1);
        body.velocity[c] = test_uniform(&random, -1.0, 1.0);
        body.angular_velocity[c] = test_uniform(&random, -3.0, 3.0);
    }
    for (int c = 0; c < 4; ++c) {
        body.orientation[c] = (c == 0) + test_uniform(&random, -0.2, 0.2);
        length += body.orientation[c] * body.orientation[c];
    }
    for (int c = 0; c < 4; ++c)
        body.orientation[c] /= sqrt(length);
    if (k == 3)
        body.mobility = DEM_MOBILITY_KINEMATIC;
    dem_body_handle handle;
    if (dem_body_add(world, &body, PARTS, part, &handle) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    const double force[3] = {0.1, 0.0, 0.02 * k}, torque[3] = {0.0, 0.01, 0.0};
    OK(dem_body_set_force(world, handle, k % 2 ? force : NULL, torque));
}

static void fill(dem_world *world)
{
    for (int k = 0; k < CLUMPS; ++k)
        clump_add(world, k);
    for (int k = 0; k < GRAINS; ++k) {
        dem_particle p = scene_particle(0.1 + 1.01 * (k % 3), 0.1 + 1.01 * (k / 3), 3.9);
        p.id = 500 + (uint64_t)k;
        OK(dem_particle_add(world, &p, NULL));
    }
    dem_body_handle body;
    dem_particle_handle part;
    const double pull[3] = {0.0, 0.3, 0.0};
    OK(dem_body_find(world, 2, &body));
    OK(dem_body_part_find(world, body, 1, &part));
    OK(dem_particle_set_force(world, part, pull, NULL));
}

/** Bodies with the ids `begin` to `end` - 1. */
static bytes pack(dem_world *world, uint64_t begin, uint64_t end)
{
    dem_body_handle handles[CLUMPS];
    bytes b = {NULL, 0};
    for (uint64_t id = begin; id < end; ++id)
        OK(dem_body_find(world, id, &handles[id - begin]));
    if (dem_bodies_pack(world, end - begin, handles, NULL, 0, &b.size) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    b.at = malloc((size_t)b.size);
    assert_non_null(b.at);
    assert_int_equal(dem_bodies_pack(world, end - begin, handles, b.at, b.size - 1, NULL),
                     DEM_ERROR_RANGE);
    OK(dem_bodies_pack(world, end - begin, handles, b.at, b.size, NULL));
    return b;
}

static bytes pack_grains(dem_world *world)
{
    dem_particle_handle handles[GRAINS];
    bytes b = {NULL, 0};
    for (int k = 0; k < GRAINS; ++k)
        OK(dem_particle_find(world, 500 + (uint64_t)k, &handles[k]));
    OK(dem_particles_pack(world, GRAINS, handles, NULL, 0, &b.size));
    b.at = malloc((size_t)b.size);
    assert_non_null(b.at);
    OK(dem_particles_pack(world, GRAINS, handles, b.at, b.size, NULL));
    return b;
}

static void unpack(dem_world *world, bytes b, uint64_t count)
{
    uint64_t got = 0;
    if (dem_particles_unpack(world, b.at, b.size, &got) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    assert_int_equal(got, count);
}

static void step(dem_world *world, uint64_t steps)
{
    if (dem_step(world, DT, steps) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
}

/** What bodies are, and what acts on them. */
static void expect_same_bodies(const dem_world *a, const dem_world *b, uint64_t count)
{
    for (uint64_t id = 1; id <= count; ++id) {
        dem_body p = {.struct_size = sizeof p}, q = p;
        dem_body_handle handle;
        OK(dem_body_find(a, id, &handle));
        OK(dem_body_get(a, handle, &p));
        OK(dem_body_find(b, id, &handle));
        OK(dem_body_get(b, handle, &q));
        assert_memory_equal(&p, &q, sizeof p);
    }
}

/** All go, in two parcels and one of grains, and both worlds have the same bits ever after. */
static void test_all(void **state)
{
    (void)state;
    dem_world *from = world_make(DEM_SUMS_EXACT, NULL), *to = world_make(DEM_SUMS_EXACT, NULL);
    fill(from);
    step(from, 1500);
    const bytes one = pack(from, 1, 6), two = pack(from, 6, CLUMPS + 1), grains = pack_grains(from);
    unpack(to, one, 5 * PARTS);
    unpack(to, grains, GRAINS);
    unpack(to, two, (CLUMPS - 5) * PARTS);
    assert_int_equal(scene_counts(from).particles, scene_counts(to).particles);
    expect_same_bodies(from, to, CLUMPS);
    uint64_t cursor = 0, contacts = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    while (dem_world_contact_next(to, &cursor, &contact) == DEM_OK)
        ++contacts;
    assert_int_equal(contacts, scene_counts(from).contacts);
    assert_true(contacts > 8);
    for (int n = 0; n < 10; ++n) {
        step(from, 100);
        step(to, 100);
        expect_same_bodies(from, to, CLUMPS);
    }
    const dem_world_energies a = scene_energies(from), b = scene_energies(to);
    assert_true(fabs(a.kinetic_translation - b.kinetic_translation) <= 1e-13);
    assert_true(fabs(a.kinetic_rotation - b.kinetic_rotation) <= 1e-13);
    free(one.at);
    free(two.at);
    free(grains.at);
    dem_world_destroy(from);
    dem_world_destroy(to);
}

/* ------------------------------------------------------------------ what is refused */

/** A world that had a body, whose place is vacant, and one that stays. */
static dem_world *used_world(void)
{
    dem_world *world = world_make(DEM_SUMS_FIXED_ORDER, NULL);
    dem_body_handle handle;
    clump_add(world, 7);
    clump_add(world, 11);
    OK(dem_body_find(world, 8, &handle));
    OK(dem_body_remove(world, handle));
    step(world, 1);
    return world;
}

/** Each word with mistakes of many kinds, with a checksum that fits: refused whole, or good for
 * steps. */
static void test_damage(void **state)
{
    (void)state;
    dem_world *from = world_make(DEM_SUMS_FIXED_ORDER, NULL), *to = used_world();
    fill(from);
    step(from, 1500);
    const bytes good = pack(from, 1, 4), before = snapshot(to);
    bytes bad = {malloc((size_t)good.size), good.size};
    assert_non_null(bad.at);
    for (uint64_t size = 0; size < good.size; size += 8)
        assert_int_equal(dem_particles_unpack(to, good.at, size, NULL), DEM_ERROR_FORMAT);
    memcpy(bad.at, good.at, (size_t)good.size);
    stream_word_set(bad.at, 1, DEM_PARTICLES_VERSION + 1);
    stream_sign(bad.at, bad.size);
    expect(dem_particles_unpack(to, bad.at, bad.size, NULL), DEM_ERROR_FORMAT, to, "version");
    static const uint64_t words[] = {0,
                                     1,
                                     UINT64_MAX,
                                     UINT64_C(1) << 32,
                                     UINT64_C(0x7ff8000000000000),
                                     UINT64_C(0xbff0000000000000)};
    int refused = 0, taken = 0;
    for (uint64_t at = 24; at + 8 < good.size; at += 8)
        for (size_t n = at / 8 % 2; n < sizeof words / sizeof words[0]; n += 2) {
            memcpy(bad.at, good.at, (size_t)good.size);
            stream_word_set(bad.at, at / 8, words[n]);
            stream_sign(bad.at, bad.size);
            const dem_status status = dem_particles_unpack(to, bad.at, bad.size, NULL);
            refused += status != DEM_OK;
            if (status != DEM_OK) {
                expect_snapshot(to, before);
                continue;
            }
            ++taken;
            (void)dem_step(to, DT, 2); /* it may not like what it got, but says so */
            dem_world_destroy(to);
            to = used_world();
        }
    assert_true(refused > 100 && taken > 100);
    unpack(to, good, 3 * PARTS);
    const bytes after = snapshot(to);
    expect(dem_particles_unpack(to, good.at, good.size, NULL), DEM_ERROR_DUPLICATE, to,
           "a particle of this world has the id 100");
    expect_snapshot(to, after);
    free(before.at);
    free(after.at);
    free(good.at);
    free(bad.at);
    dem_world_destroy(from);
    dem_world_destroy(to);
}

static void test_bad_calls(void **state)
{
    (void)state;
    dem_world *world = world_make(DEM_SUMS_FIXED_ORDER, NULL), *other = used_world();
    fill(world);
    dem_body_handle twice[2];
    dem_particle_handle part;
    uint64_t size;
    OK(dem_body_find(world, 12, &twice[0]));
    OK(dem_body_part_find(world, twice[0], 0, &part));
    twice[1] = twice[0];
    expect(dem_bodies_pack(world, 2, twice, NULL, 0, &size), DEM_ERROR_STATE, world, "twice");
    expect(dem_bodies_pack(world, 2, NULL, NULL, 0, &size), DEM_ERROR_ARGUMENT, world, "handles");
    expect(dem_bodies_pack(world, 1, twice, NULL, 0, NULL), DEM_ERROR_ARGUMENT, world, "buffer");
    expect(dem_particles_pack(world, 1, &part, NULL, 0, &size), DEM_ERROR_STATE, world,
           "dem_bodies_pack");
    twice[1].generation += 2;
    expect(dem_bodies_pack(world, 2, twice, NULL, 0, &size), DEM_ERROR_HANDLE, world, "stale");
    /* ids of parts that are there, of a body that is there, and of a body that comes twice */
    bytes b = pack(world, 12, 13);
    const bytes before = snapshot(other);
    expect(dem_particles_unpack(other, b.at, b.size, NULL), DEM_ERROR_DUPLICATE, other,
           "a particle of this world");
    for (uint64_t at = 0; at + 8 < b.size; at += 8) {
        const uint64_t word = stream_word(b.at, at / 8);
        if (word >= 100 + 11 * PARTS && word < 100 + 12 * PARTS)
            stream_word_set(b.at, at / 8, word + 1000);
    }
    stream_sign(b.at, b.size);
    expect(dem_particles_unpack(other, b.at, b.size, NULL), DEM_ERROR_DUPLICATE, other,
           "a body of this world has the id 12");
    expect_snapshot(other, before);
    /* ids of parts in a call */
    dem_body_part parts[2];
    dem_body body;
    OK(dem_body_init(&body));
    body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    for (int p = 0; p < 2; ++p) {
        OK(dem_body_part_init(&parts[p]));
        parts[p].radius = 0.5;
        parts[p].id = 77;
    }
    const bytes kept = snapshot(other);
    expect(dem_body_add(other, &body, 2, parts, NULL), DEM_ERROR_DUPLICATE, other, "id 77");
    parts[0].id = FLOOR;
    expect(dem_body_add(other, &body, 2, parts, NULL), DEM_ERROR_DUPLICATE, other, "id 1000");
    expect_snapshot(other, kept);
    parts[0].id = 0;
    OK(dem_body_add(other, &body, 2, parts, NULL));
    assert_int_equal(dem_particle_find(other, 77, &part), DEM_OK);
    free(b.at);
    free(before.at);
    free(kept.at);
    dem_world_destroy(world);
    dem_world_destroy(other);
}

/** Out of memory at each call in turn. */
static void test_memory(void **state)
{
    (void)state;
    short_heap heap = {.fail_at = UINT64_MAX};
    const dem_allocator allocator = short_allocator(&heap);
    dem_world *from = world_make(DEM_SUMS_FIXED_ORDER, &allocator);
    fill(from);
    step(from, 1000);
    const bytes all = pack(from, 1, CLUMPS + 1);
    uint64_t failures = 0;
    for (uint64_t n = 0;; ++n) {
        dem_world *to = world_make(DEM_SUMS_FIXED_ORDER, &allocator);
        heap.fail_at = heap.calls + n;
        const dem_status status = dem_particles_unpack(to, all.at, all.size, NULL);
        heap.fail_at = UINT64_MAX;
        if (status != DEM_OK) {
            assert_int_equal(status, DEM_ERROR_MEMORY);
            assert_int_equal(scene_counts(to).particles, 0);
            unpack(to, all, CLUMPS * PARTS);
            step(to, 1);
            ++failures;
        }
        dem_world_destroy(to);
        if (status == DEM_OK)
            break;
    }
    assert_true(failures > 10);
    free(all.at);
    dem_world_destroy(from);
    assert_int_equal(heap.held, 0);
}

/* ------------------------------------------------------------------ polyhedra */

enum { FLOOR_PLANE, FLOOR_MESH, FLOOR_BOX, FLOORS };

/** The plane z = 0 as a wall of one kind. */
static void floor_add(dem_world *world, int kind)
{
    static const double x[4][3] = {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}};
    static const uint32_t facet[2][3] = {{0, 1, 2}, {0, 2, 3}};
    dem_mesh_config config;
    dem_mesh *mesh = NULL;
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.id = FLOOR;
    OK(dem_mesh_config_init(&config));
    OK(dem_mesh_create(&config, x[0], 4, facet[0], 2, &mesh, NULL));
    if (kind == FLOOR_MESH) {
        wall.shape = DEM_SHAPE_MESH;
        wall.mesh = mesh;
    } else if (kind == FLOOR_BOX) {
        wall.shape = DEM_SHAPE_BOX;
        wall.size[0] = wall.size[1] = 18.0;
        wall.size[2] = 2.0;
        wall.point[2] = -1.0;
    }
    if (dem_wall_add(world, &wall, NULL) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    dem_mesh_destroy(mesh);
}

/** Contacts of walls with a face that there is not, or a slot; a contact is six words and its
 * state. The faces of a mesh are counted where a polyhedron is near it, and are 64 at most. */
static void faces_that_are_not_here(dem_world *to, bytes good, int floor)
{
    const bytes bad = {malloc((size_t)good.size), good.size};
    assert_non_null(bad.at);
    memcpy(bad.at, good.at, (size_t)good.size);
    uint64_t at = stream_section_after(3, bad.at, bad.size, "contacts"), walls = 0;
    for (uint64_t left = stream_word(bad.at, at++); left > 0; --left) {
        const uint64_t wall = stream_word(bad.at, at + 2);
        if (wall % 2 == 1) {
            ++walls;
            for (uint64_t feature = floor == FLOOR_MESH ? 1024 : 63; feature <= 1024;
                 feature += 961) {
                stream_word_set(bad.at, at + 2, 1 + (feature << 32));
                stream_sign(bad.at, bad.size);
                expect(dem_particles_unpack(to, bad.at, bad.size, NULL), DEM_ERROR_FORMAT, to,
                       "a face that is not here");
            }
            stream_word_set(bad.at, at + 2, wall);
        }
        at += 6 + stream_word(bad.at, at + 5);
    }
    assert_int_equal(walls, 3);
    free(bad.at);
}

/** A world with exact sums takes no polyhedra, and says so. */
static void exact_world_refuses(dem_polyhedron *shape, int floor, bytes all)
{
    dem_world_config config = scene_config();
    config.sums = DEM_SUMS_EXACT;
    config.force_range = config.torque_range = 1e6;
    dem_world *world = scene_world(&config);
    model_set(world, M1, 0.4, 0.7);
    floor_add(world, floor);
    OK(dem_world_shape_know(world, shape));
    expect(dem_particles_unpack(world, all.at, all.size, NULL), DEM_ERROR_STATE, world,
           "no exact sums");
    dem_world_destroy(world);
}

/** Boxes on a plane, with springs, and one upon another: their shapes are known by content. */
static void boxes_travel(int floor)
{
    dem_polyhedron *shape = box_shape(), *again = box_shape(), *else_one = ellipsoid_shape(2);
    dem_world *world[2];
    for (int n = 0; n < 2; ++n) {
        world[n] = world_of(10.0, 1, DEM_ISA_AUTO);
        model_set(world[n], M1, 0.4, 0.7);
        floor_add(world[n], floor);
    }
    for (int k = 0; k < 4; ++k) {
        dem_body body = body_at(shape, 1.5 * (k % 3), 0.0, k < 3 ? 0.3 : 0.899);
        body.velocity[0] = 0.1 * k;
        (void)body_add(world[0], &body, shape);
    }
    run(world[0], 1e-5, 200);
    const bytes all = pack(world[0], 1, 5), before = snapshot(world[1]);
    exact_world_refuses(shape, floor, all);
    expect(dem_particles_unpack(world[1], all.at, all.size, NULL), DEM_ERROR_UNKNOWN, world[1],
           "dem_world_shape_know");
    OK(dem_world_shape_know(world[1], else_one));
    expect(dem_particles_unpack(world[1], all.at, all.size, NULL), DEM_ERROR_UNKNOWN, world[1],
           "dem_world_shape_know");
    expect_snapshot(world[1], before);
    expect(dem_world_shape_know(world[1], NULL), DEM_ERROR_ARGUMENT, world[1], "shape");
    OK(dem_world_shape_know(world[1], again));
    OK(dem_world_shape_know(world[1], shape)); /* the same content */
    dem_polyhedron_destroy(again);
    dem_polyhedron_destroy(else_one);
    faces_that_are_not_here(world[1], all, floor);
    unpack(world[1], all, 4);
    const uint64_t contacts = scene_counts(world[0]).contacts;
    uint64_t cursor = 0, there = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    while (dem_world_contact_next(world[1], &cursor, &contact) == DEM_OK)
        ++there;
    assert_true(contacts == 4 && there == 4);
    /* sums of two contacts do not depend on their order */
    for (int n = 0; n < 10; ++n) {
        run(world[0], 1e-5, 100);
        run(world[1], 1e-5, 100);
        expect_same_bodies(world[0], world[1], 4);
    }
    free(all.at);
    free(before.at);
    dem_polyhedron_destroy(shape);
    dem_world_destroy(world[0]);
    dem_world_destroy(world[1]);
}

static void test_polyhedra(void **state)
{
    (void)state;
    for (int floor = 0; floor < FLOORS; ++floor)
        boxes_travel(floor);
}

/** A fluid drags the particle with an id. */
static void drag_set(dem_world *world, uint64_t id)
{
    static const int32_t fields[] = {DEM_FIELD_DRAG_COEFFICIENT, DEM_FIELD_FLUID_VELOCITY,
                                     DEM_FIELD_ROTATIONAL_DRAG};
    for (int f = 0; f < 3; ++f) {
        dem_view view = {.struct_size = sizeof view};
        OK(dem_world_view(world, fields[f], &view));
        for (uint64_t row = 0; row < view.count; ++row)
            if (view.id[row] == id)
                *(double *)(void *)((char *)view.data + row * view.stride) = 30.0 - 10.0 * f;
        OK(dem_world_written_field(world, fields[f]));
    }
}

/** Two boxes, one upon the other, each in a world of its own with the other one as a ghost: they
 * move as in one world, where a fluid drags one of them. A heap that is short of memory changes
 * nothing. */
static void test_polyhedra_as_ghosts(void **state)
{
    (void)state;
    short_heap heap = {.fail_at = UINT64_MAX};
    const dem_allocator allocator = short_allocator(&heap);
    dem_polyhedron *shape = box_shape();
    const double up[3] = {0.0, 0.0, 1.0};
    dem_world *world[3];
    dem_body_handle own[2], one[2], ghost[2];
    for (int n = 0; n < 3; ++n) {
        dem_world_config config = scene_config();
        config.overlap_limit = 1.0;
        config.allocator = allocator;
        OK(dem_world_create(&config, &world[n], NULL));
        model_set(world[n], M1, 0.4, 0.7);
        plane_add(world[n], up, 0.0);
    }
    for (int k = 0; k < 2; ++k) {
        dem_body body = body_at(shape, 0.1 * k, 0.0, 0.3 + 0.599 * k);
        dem_body_part part;
        body.id = (uint64_t)k + 1;
        body.velocity[0] = 0.3 * k;
        OK(dem_body_part_init(&part));
        part.shape = shape;
        part.id = 10 + (uint64_t)k;
        OK(dem_body_add(world[k], &body, 1, &part, &own[k]));
        OK(dem_body_add(world[2], &body, 1, &part, &one[k]));
    }
    drag_set(world[1], 11);
    drag_set(world[2], 11);
    uint64_t failures = 0;
    for (int k = 0; k < 2; ++k) {
        bytes b = {NULL, 0};
        OK(dem_ghost_bodies_get(world[1 - k], 1, &own[1 - k], NULL, 0, &b.size));
        b.at = malloc((size_t)b.size);
        assert_non_null(b.at);
        OK(dem_ghost_bodies_get(world[1 - k], 1, &own[1 - k], b.at, b.size, NULL));
        const bytes before = snapshot(world[k]);
        dem_status status = DEM_ERROR_MEMORY;
        for (uint64_t n = 0; status == DEM_ERROR_MEMORY; ++n) {
            expect_snapshot(world[k], before);
            heap.fail_at = heap.calls + n;
            status = dem_ghost_bodies_set(world[k], b.at, b.size, 0.1, 1, &ghost[k], NULL);
            heap.fail_at = UINT64_MAX;
            failures += status != DEM_OK;
        }
        OK(status);
        free(b.at);
        free(before.at);
    }
    assert_true(failures > 6);
    double load[6];
    for (int n = 0; n <= 100; ++n) {
        for (int k = 0; k < 2; ++k)
            if (dem_step_begin(world[k], n == 0 ? 0.0 : 1e-5) != DEM_OK)
                fail_msg("%s", dem_world_error(world[k]));
        for (int k = 0; k < 2; ++k) {
            OK(dem_bodies_loads_get(world[1 - k], 1, &own[1 - k], load));
            OK(dem_ghost_bodies_loads_set(world[k], 1, &ghost[k], load));
        }
        for (int k = 0; k < 2; ++k)
            OK(dem_step_end(world[k]));
    }
    run(world[2], 1e-5, 100);
    assert_int_equal(scene_counts(world[0]).contacts + scene_counts(world[1]).contacts,
                     scene_counts(world[2]).contacts);
    assert_int_equal(scene_counts(world[2]).contacts, 2);
    for (int k = 0; k < 2; ++k) {
        dem_body a = {.struct_size = sizeof a}, b = a;
        OK(dem_body_get(world[k], own[k], &a));
        OK(dem_body_get(world[2], one[k], &b));
        for (int c = 0; c < 3; ++c) {
            assert_true(fabs(a.position[c] - b.position[c]) < 1e-13);
            assert_true(fabs(a.velocity[c] - b.velocity[c]) < 1e-11);
            assert_true(fabs(a.angular_velocity[c] - b.angular_velocity[c]) < 1e-10);
        }
        assert_true(fabs(a.velocity[0] - 0.3 * k) > 1e-3); /* friction */
    }
    dem_polyhedron_destroy(shape);
    for (int n = 0; n < 3; ++n)
        dem_world_destroy(world[n]);
    assert_int_equal(heap.held, 0);
}

/** A world may know a shape as one object and have bodies with another one of its content: a ghost
 * is the same body by either. */
static void test_ghost_of_a_shape_twice(void **state)
{
    (void)state;
    dem_polyhedron *shape = box_shape(), *again = box_shape();
    dem_world *world = world_of(10.0, 1, DEM_ISA_AUTO);
    model_set(world, M1, 0.4, 0.7);
    OK(dem_world_shape_know(world, shape));
    dem_body body = body_at(again, 0.0, 0.0, 3.0);
    dem_body_part part;
    dem_body_handle handle;
    body.id = 1;
    OK(dem_body_part_init(&part));
    part.shape = again;
    part.id = 10;
    OK(dem_body_add(world, &body, 1, &part, &handle));
    unsigned char ghost[4096];
    uint64_t size = 0;
    OK(dem_ghost_bodies_get(world, 1, &handle, ghost, sizeof ghost, &size));
    OK(dem_bodies_release(world, 1, &handle));
    OK(dem_ghost_bodies_set(world, ghost, size, 1.0, 0, NULL, NULL));
    OK(dem_ghost_bodies_set(world, ghost, size, 1.0, 0, NULL, NULL));
    /* what it knows outlives the last body that has it, and a restore */
    OK(dem_ghost_bodies_set(world, NULL, 0, 1.0, 0, NULL, NULL));
    const bytes empty = snapshot(world);
    OK(dem_world_restore(world, empty.at, empty.size));
    OK(dem_ghost_bodies_set(world, ghost, size, 1.0, 0, NULL, NULL));
    free(empty.at);
    /* a shape of the same radius is another one */
    dem_polyhedron *other = shape_of(solid_box(0.4, 0.5, 0.3));
    dem_world *owner = world_of(10.0, 1, DEM_ISA_AUTO);
    model_set(owner, M1, 0.4, 0.7);
    OK(dem_world_shape_know(world, other));
    part.shape = other;
    OK(dem_body_add(owner, &body, 1, &part, &handle));
    OK(dem_ghost_bodies_get(owner, 1, &handle, ghost, sizeof ghost, &size));
    expect(dem_ghost_bodies_set(world, ghost, size, 1.0, 0, NULL, NULL), DEM_ERROR_STATE, world,
           "other parts");
    dem_world_destroy(owner);
    dem_polyhedron_destroy(other);
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
    dem_polyhedron_destroy(again);
}

/** A ghost leaves, and with it the last part of a shape, in the call in which another one of that
 * shape comes: that one has it. */
static void test_ghost_takes_the_shape_of_another(void **state)
{
    (void)state;
    dem_polyhedron *shape = box_shape();
    dem_world *owner = world_of(10.0, 1, DEM_ISA_AUTO), *world = world_of(10.0, 1, DEM_ISA_AUTO);
    unsigned char ghost[2][4096];
    uint64_t size[2];
    for (int k = 0; k < 2; ++k) {
        dem_body body = body_at(shape, 3.0 * k, 0.0, 3.0);
        dem_body_part part;
        dem_body_handle handle;
        OK(dem_body_part_init(&part));
        part.shape = shape;
        part.id = 10 + (uint64_t)k;
        body.id = 1 + (uint64_t)k;
        OK(dem_body_add(owner, &body, 1, &part, &handle));
        OK(dem_ghost_bodies_get(owner, 1, &handle, ghost[k], sizeof ghost[k], &size[k]));
        if (k == 0) {
            OK(dem_body_add(world, &body, 1, &part, &handle));
            OK(dem_bodies_release(world, 1, &handle));
        }
    }
    OK(dem_ghost_bodies_set(world, ghost[0], size[0], 1.0, 0, NULL, NULL));
    for (int n = 0; n < 2; ++n) /* it stays the body that it was */
        OK(dem_ghost_bodies_set(world, ghost[1], size[1], 1.0, 0, NULL, NULL));
    /* no body has the shape then, and the world was not told of it */
    OK(dem_ghost_bodies_set(world, NULL, 0, 1.0, 0, NULL, NULL));
    expect(dem_ghost_bodies_set(world, ghost[0], size[0], 1.0, 0, NULL, NULL), DEM_ERROR_UNKNOWN,
           world, "dem_world_shape_know");
    dem_world_destroy(owner);
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_polyhedra),
        cmocka_unit_test(test_polyhedra_as_ghosts),
        cmocka_unit_test(test_ghost_of_a_shape_twice),
        cmocka_unit_test(test_ghost_takes_the_shape_of_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
