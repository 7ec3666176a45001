/* SPDX-License-Identifier: MIT */
/**
 * @file bad_bodies.c
 * Bodies and polyhedra that cannot be, and bodies that overlap by too much when a run begins: each
 * refusal names what is wrong, its value and the limit; a snapshot of the world after it has the
 * bytes of the one before, and no memory is lost.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"

#include "../support/heap_short.h"
#include "../support/polyhedral.h"
#include "../support/stream.h"

#include <math.h>
#include <string.h>

/** A world and its bytes before a call that it refuses. */
typedef struct witness {
    dem_world *world;
    unsigned char *bytes;
    uint64_t size;
} witness;

static witness witness_of(dem_world *world)
{
    witness w = {world, NULL, 0};
    w.bytes = snapshot_of(world, &w.size);
    return w;
}

/** Status, words of the message, and a world that has the bytes it had. */
static void refused(witness *w, dem_status status, dem_status expected, const char *first,
                    const char *second)
{
    char message[512];
    (void)snprintf(message, sizeof(message), "%s", dem_world_error(w->world));
    if (status != expected || strstr(message, first) == NULL || strstr(message, second) == NULL)
        fail_msg("status %d, not %d; \"%s\" should have \"%s\" and \"%s\"", (int)status,
                 (int)expected, message, first, second);
    uint64_t size;
    unsigned char *now = snapshot_of(w->world, &size);
    assert_int_equal(size, w->size);
    assert_memory_equal(now, w->bytes, size);
    free(now);
    free(w->bytes);
    w->bytes = NULL;
}

/* ------------------------------------------------------------------ solids */

/** No polyhedron is made of a mesh, the error has the words, and all memory comes back. */
static void no_solid(const char *words, dem_status expected, const void *vertices,
                     uint64_t vertex_count, const void *facets, uint64_t facet_count)
{
    short_heap heap = {0, UINT64_MAX, 0};
    dem_polyhedron_config config;
    dem_error error;
    dem_mesh *mesh = mesh_of(vertices, vertex_count, facets, facet_count);
    dem_polyhedron *shape = (dem_polyhedron *)(void *)&heap;
    OK(dem_polyhedron_config_init(&config));
    config.allocator = short_allocator(&heap);
    assert_int_equal(dem_polyhedron_create(&config, mesh, &shape, &error), expected);
    assert_null(shape);
    if (strstr(error.message, words) == NULL)
        fail_msg("\"%s\" has not \"%s\"", error.message, words);
    assert_int_equal(heap.held, 0);
    assert_int_equal(dem_polyhedron_create(&config, mesh, &shape, NULL), expected);
    dem_mesh_destroy(mesh);
}

static void meshes_that_are_no_solid(void **state)
{
    (void)state;
    uint32_t facets[16][3];
    double x[12][3];
    no_solid("facet 2 is open", DEM_ERROR_FORMAT, cube_vertices, 8, cube_facets, 11);
    memcpy(facets, cube_facets, sizeof(cube_facets));
    facets[7][0] = cube_facets[7][1];
    facets[7][1] = cube_facets[7][0];
    no_solid("facet 7 is inverted", DEM_ERROR_FORMAT, cube_vertices, 8, facets, 12);
    for (int f = 0; f < 12; ++f)
        for (int c = 0; c < 3; ++c)
            facets[f][c] = cube_facets[f][2 - c];
    no_solid("facet 0 is inverted, as is all of", DEM_ERROR_FORMAT, cube_vertices, 8, facets, 12);
    memcpy(facets, cube_facets, sizeof(cube_facets));
    memcpy(facets[12], cube_facets[3], sizeof(facets[12]));
    no_solid("facet 12 is a duplicate", DEM_ERROR_FORMAT, cube_vertices, 8, facets, 13);
    /* an edge with three facets: a fin on the cube */
    memcpy(x, cube_vertices, sizeof(cube_vertices));
    x[8][0] = x[8][1] = -1.0;
    x[8][2] = 0.5;
    memcpy(facets[12], (uint32_t[3]){0, 4, 8}, sizeof(facets[12]));
    no_solid("non-manifold", DEM_ERROR_FORMAT, x, 9, facets, 13);
    /* a facet between two vertices and a third on their edge: closed, but thin */
    memcpy(x, cube_vertices, sizeof(cube_vertices));
    x[8][0] = 0.5;
    x[8][1] = x[8][2] = 0.0;
    memcpy(facets, cube_facets, sizeof(cube_facets));
    memcpy(facets[4], (uint32_t[3]){8, 1, 5}, sizeof(facets[4]));
    memcpy(facets[12], (uint32_t[3]){0, 8, 5}, sizeof(facets[12]));
    memcpy(facets[13], (uint32_t[3]){0, 1, 8}, sizeof(facets[13]));
    no_solid("facet 13 is degenerate", DEM_ERROR_FORMAT, x, 9, facets, 14);
    /* a tetrahedron whose vertices are in one plane */
    static const double flat[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    static const uint32_t sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    no_solid("not above 1.42109e-14", DEM_ERROR_RANGE, flat, 4, sides, 4);
    for (int k = 0; k < 24; ++k)
        x[k / 3][k % 3] = 1e-62 * cube_vertices[k / 3][k % 3];
    no_solid("no normal number", DEM_ERROR_RANGE, x, 8, cube_facets, 12);
}

/* What the manual says of a mesh that passes through itself: where it does so is not looked for,
 * and what is inside twice counts twice. */
static void inside_twice(void **state)
{
    (void)state;
    double x[16][3];
    uint32_t facets[24][3];
    for (int k = 0; k < 16; ++k)
        for (int c = 0; c < 3; ++c)
            x[k][c] = cube_vertices[k % 8][c] + (k < 8 ? 0.0 : 0.5);
    for (int f = 0; f < 24; ++f)
        for (int c = 0; c < 3; ++c)
            facets[f][c] = cube_facets[f % 12][c] + (f < 12 ? 0 : 8);
    dem_polyhedron *shape = shape_of(mesh_of(x, 16, facets, 24));
    dem_polyhedron_properties is = {.struct_size = sizeof(is)};
    OK(dem_polyhedron_properties_get(shape, &is));
    assert_true(fabs(is.volume - 2.0) < 1e-14);
    dem_polyhedron_destroy(shape);
}

/* ------------------------------------------------------------------ parts */

static void parts_outside_any_sense(void **state)
{
    (void)state;
    static const struct {
        int centre; /* of this axis, or the radius */
        double value;
        const char *first, *second;
    } cases[] = {
        {0, NAN, "dem_body_part.centre of part 1", "within 1e+150"},
        {2, 1e300, "(0.4, 0, 1e+300)", "within 1e+150"},
        {1, -INFINITY, "dem_body_part.centre of part 1: (0.4, -inf", "finite"},
        {-1, NAN, "dem_body_part.radius of part 1", "nan"},
        {-1, -0.5, "dem_body_part.radius of part 1: -0.5 m", "> 0"},
        {-1, 0.0, "dem_body_part.radius of part 1: 0 m", "> 0"},
        {-1, 1e300, "part 1 of the call: radius 1e+300 m", "1e+150"},
        {-1, 1e-300, "part 1 of the call: mass", "2^-1001"},
        {-1, 1e100, "part 1 of the call: mass", "2^1000"},
    };
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    dem_polyhedron *shape = box_shape();
    const dem_body body = body_at(shape, 0.0, 0.0, 0.0);
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); ++k) {
        dem_body_part part[2];
        for (int p = 0; p < 2; ++p) {
            OK(dem_body_part_init(&part[p]));
            part[p].radius = 0.3;
            part[p].centre[0] = p == 0 ? -0.4 : 0.4;
        }
        if (cases[k].centre >= 0)
            part[1].centre[cases[k].centre] = cases[k].value;
        else
            part[1].radius = cases[k].value;
        witness w = witness_of(world);
        refused(&w, dem_body_add(world, &body, 2, part, NULL), DEM_ERROR_RANGE, cases[k].first,
                cases[k].second);
    }
    dem_body_part part;
    OK(dem_body_part_init(&part));
    part.shape = shape;
    part.radius = -2.0;
    witness w = witness_of(world);
    refused(&w, dem_body_add(world, &body, 1, &part, NULL), DEM_ERROR_RANGE,
            "dem_body_part.radius of part 0: -2 m", "must be 0");
    dem_body fixed = body;
    fixed.mobility = DEM_MOBILITY_FIXED;
    fixed.velocity[1] = 2.5;
    part.radius = 0.0;
    w = witness_of(world);
    refused(&w, dem_body_add(world, &fixed, 1, &part, NULL), DEM_ERROR_RANGE,
            "dem_body.velocity: (0, 2.5, 0)", "must be 0");
    dem_polyhedron_destroy(shape);
    dem_world_destroy(world);
}

/* A ghost says that it is one. */
static void ghosts_have_a_name(void **state)
{
    (void)state;
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    dem_ghost ghost = {.struct_size = sizeof(ghost)};
    ghost.id = 7;
    ghost.mass = 1.0;
    ghost.radius = -1.0;
    const dem_status status = dem_ghosts_set(world, 1, &ghost, 0.1, NULL);
    if (status != DEM_ERROR_RANGE || strstr(dem_world_error(world), "ghost 0 of the call") == NULL)
        fail_msg("status %d: %s", (int)status, dem_world_error(world));
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ clumps */

static void clump_refused(double density, double radius, double apart, const char *first,
                          const char *second)
{
    dem_body body;
    dem_body_part part[2];
    dem_error error;
    double uncertainty = 0.5;
    OK(dem_body_init(&body));
    for (int p = 0; p < 2; ++p) {
        OK(dem_body_part_init(&part[p]));
        part[p].radius = p == 0 ? 1.0 : radius;
        part[p].centre[0] = p * apart;
    }
    const dem_body body_before = body;
    dem_body_part before[2];
    memcpy(before, part, sizeof(part));
    const dem_status status = dem_clump_measure(density, 2, part, &body, &uncertainty, &error);
    if (status != DEM_ERROR_RANGE || strstr(error.message, first) == NULL ||
        strstr(error.message, second) == NULL)
        fail_msg("status %d: %s", (int)status, error.message);
    assert_memory_equal(&body, &body_before, sizeof(body));
    assert_memory_equal(part, before, sizeof(part));
    assert_true(uncertainty == 0.5);
}

/* A mass that is no number, and spheres without any size beside the clump. */
static void clumps_without_a_mass(void **state)
{
    (void)state;
    clump_refused(1e308, 1.0, 1.0, "density: 1e+308", "mass inf");
    clump_refused(1e-310, 1.0, 1.0, "density: 1e-310", "no normal number");
    clump_refused(1.0, 1e-9, 1.0, "radius of part 1: 1e-09 m", "below 1e-08 of 1 m");
    clump_refused(1.0, 1.0, 1e9, "radius of part 0: 1 m", "of 1e+09 m");
    clump_refused(1.0, 1.0, NAN, "dem_body_part 0: centre (nan, 0, 0)", "1e50");
}

/* ------------------------------------------------------------------ deep at the start */

/** Two bodies whose centres are so far apart; NULL: a sphere of radius 0.3. */
static dem_world *two_bodies(dem_polyhedron *first, dem_polyhedron *second, double apart)
{
    dem_world_config config;
    dem_world *world = NULL;
    OK(dem_world_config_init(&config));
    config.threads = 1;
    OK(dem_world_create(&config, &world, NULL));
    model_set(world, PLAIN, 0.0, 0.9);
    dem_polyhedron *const shape[2] = {first, second};
    for (int k = 0; k < 2; ++k) {
        dem_body body;
        dem_body_part part;
        OK(dem_body_init(&body));
        OK(dem_body_part_init(&part));
        body.mass = 100.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 10.0;
        body.position[0] = k * apart;
        part.shape = shape[k];
        part.radius = shape[k] == NULL ? 0.3 : 0.0;
        if (dem_body_add(world, &body, 1, &part, NULL) != DEM_OK)
            fail_msg("%s", dem_world_error(world));
    }
    return world;
}

/* A step refuses it with the ids, the overlap and the limit, and leaves the world as it was; moved
 * apart the bodies step. */
static void deep_at_the_start(void **state)
{
    (void)state;
    dem_polyhedron *box = box_shape(), *ball = ellipsoid_shape(2),
                   *small = shape_of(solid_box(0.1, 0.1, 0.1));
    const struct {
        dem_polyhedron *first, *second;
        double apart;
        const char *words;
    } cases[] = {
        {NULL, NULL, 0.1, "overlap 0.5 m exceeds overlap_limit 0.5"},
        {NULL, NULL, 0.0, "particle 1 and particle 2"},
        {box, box, 0.0, "overlap_limit 0.5"},
        {box, box, 0.2, "overlap_limit 0.5"},
        {box, ball, 0.1, "particle 1 and particle 2"},
        {ball, ball, 0.2, "overlap_limit 0.5"},
        {box, small, 0.05, "wholly inside"},
        {small, box, 0.0, "wholly inside"},
        {box, NULL, 0.0, "overlap"},
    };
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); ++k) {
        dem_world *world = two_bodies(cases[k].first, cases[k].second, cases[k].apart);
        dem_body_handle handle;
        /* the first one builds the list, which stays */
        const uint64_t before = scene_hash(world);
        assert_int_equal(dem_step(world, 1e-4, 3), DEM_ERROR_OVERLAP);
        assert_int_equal(scene_hash(world), before);
        for (uint64_t steps = 0; steps < 4; steps += 3) {
            witness w = witness_of(world);
            refused(&w, dem_step(world, 1e-4, steps), DEM_ERROR_OVERLAP, cases[k].words, "apart");
        }
        OK(dem_body_find(world, 2, &handle));
        OK(dem_body_set_motion(world, handle, (const double[3]){3.0, 0.0, 0.0}, NULL, NULL, NULL));
        run(world, 1e-4, 3);
        dem_world_destroy(world);
    }
    dem_polyhedron_destroy(box);
    dem_polyhedron_destroy(ball);
    dem_polyhedron_destroy(small);
}

/* ------------------------------------------------------------------ memory and numbers */

/* Each allocation of dem_body_add fails once, for clumps and for polyhedra. */
static void adding_without_memory(void **state)
{
    (void)state;
    dem_polyhedron *shape = box_shape();
    int failed = 0;
    for (int faceted = 0; faceted < 2; ++faceted)
        for (uint64_t fail_at = 0;; ++fail_at) {
            enum { PARTS = 40 };
            short_heap heap = {0, UINT64_MAX, 0};
            dem_world_config config;
            dem_world *world = NULL;
            dem_body body = body_at(shape, 0.0, 0.0, 0.0);
            dem_body_part part[PARTS];
            dem_body_handle handle = {77, 77};
            OK(dem_world_config_init(&config));
            config.allocator = short_allocator(&heap);
            OK(dem_world_create(&config, &world, NULL));
            for (int k = 0; k < PARTS; ++k) {
                OK(dem_body_part_init(&part[k]));
                part[k].shape = faceted ? shape : NULL;
                part[k].radius = faceted ? 0.0 : 0.5;
            }
            witness w = witness_of(world);
            heap.fail_at = heap.calls + fail_at;
            const dem_status status = dem_body_add(world, &body, PARTS, part, &handle);
            heap.fail_at = UINT64_MAX;
            if (status != DEM_OK) {
                ++failed;
                refused(&w, status, DEM_ERROR_MEMORY, "did not give", "");
                assert_true(handle.index == 77 && handle.generation == 77);
                OK(dem_body_add(world, &body, PARTS, part, &handle));
            }
            free(w.bytes);
            OK(dem_body_remove(world, handle));
            dem_world_destroy(world);
            assert_int_equal(heap.held, 0);
            if (status == DEM_OK)
                break;
        }
    assert_true(failed >= 6);
    dem_polyhedron_destroy(shape);
}

/* The last of all ids is taken, and a snapshot says that it is the next one: 0 is none. */
static void after_the_last_id(void **state)
{
    (void)state;
    dem_polyhedron *shape = box_shape();
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO), *other = world_of(0.0, 1, DEM_ISA_AUTO);
    dem_body body = body_at(shape, 0.0, 0.0, 0.0), read = {.struct_size = sizeof(read)};
    uint64_t size;
    body.id = UINT64_MAX;
    (void)body_add(world, &body, shape);
    unsigned char *bytes = snapshot_of(world, &size);
    stream_word_set(bytes, stream_section(bytes, size, "bodies  ") + 1, UINT64_MAX);
    stream_sign(bytes, size);
    if (dem_world_restore(other, bytes, size) != DEM_OK)
        fail_msg("%s", dem_world_error(other));
    body.id = 0;
    body.position[0] = 5.0;
    const dem_body_handle handle = body_add(other, &body, shape);
    OK(dem_body_get(other, handle, &read));
    assert_int_equal(read.id, 1);
    OK(dem_body_remove(other, handle));
    free(bytes);
    dem_world_destroy(world);
    dem_world_destroy(other);
    dem_polyhedron_destroy(shape);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_that_are_no_solid), cmocka_unit_test(inside_twice),
        cmocka_unit_test(parts_outside_any_sense),  cmocka_unit_test(ghosts_have_a_name),
        cmocka_unit_test(clumps_without_a_mass),    cmocka_unit_test(deep_at_the_start),
        cmocka_unit_test(adding_without_memory),    cmocka_unit_test(after_the_last_id),
    };
    return cmocka_run_group_tests_name("bad_bodies", tests, NULL, NULL);
}
