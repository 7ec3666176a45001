/* SPDX-License-Identifier: MIT */
/**
 * @file mesh.c
 * Meshes: made from arrays and files; every kind of broken mesh is told by facet, or refused.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"

#include "../support/folder.h"
#include "../support/heap_short.h"
#include "../support/log.h"
#include "../support/meshes.h"
#include "../support/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ sound meshes */

static void a_cube(void **state)
{
    (void)state;
    dem_mesh_config config = mesh_config(DEM_MESH_DEFECTS_ALL);
    dem_mesh *mesh;
    config.scale = 3.0;
    OK(dem_mesh_create(&config, cube_vertices[0], 8, cube_facets[0], 12, &mesh, NULL));
    const dem_mesh_properties p = mesh_properties(mesh);
    assert_int_equal(p.vertex_count, 8);
    assert_int_equal(p.facet_count, 12);
    assert_int_equal(p.edge_count, 18);
    assert_int_equal(p.defects, 0);
    assert_true(p.bytes > 0);
    assert_true(p.area == 54.0 && p.volume == 27.0);
    for (int c = 0; c < 3; ++c)
        assert_true(p.box_low[c] == 0.0 && p.box_high[c] == 3.0);
    assert_memory_equal(dem_mesh_facets(mesh), cube_facets, sizeof(cube_facets));
    assert_true(dem_mesh_vertices(mesh)[3 * 7] == 3.0);
    assert_int_equal(dem_mesh_defects(mesh)[11], 0);
    dem_mesh_destroy(mesh);
}

/* Facets of their own vertices each become one surface. A distance joins what is near. */
static void welded(void **state)
{
    (void)state;
    for (int apart = 0; apart < 3; ++apart) {
        double x[36][3];
        uint32_t facets[12][3];
        test_random random = {88172645463325252u};
        for (uint32_t k = 0; k < 36; ++k) {
            facets[k / 3][k % 3] = k;
            for (int c = 0; c < 3; ++c)
                x[k][c] = cube_vertices[cube_facets[k / 3][k % 3]][c] +
                          (apart ? test_uniform(&random, -1e-6, 1e-6) : -0.0);
            if (!apart && k % 2 && x[k][0] == 0.0)
                x[k][0] = -0.0;
        }
        dem_mesh_config config = mesh_config(apart < 2 ? DEM_MESH_DEFECTS_ALL : 0);
        config.weld_distance = apart == 1 ? 4e-6 : 0.0;
        dem_mesh *mesh;
        OK(dem_mesh_create(&config, x[0], 36, facets[0], 12, &mesh, NULL));
        const dem_mesh_properties p = mesh_properties(mesh);
        assert_int_equal(p.vertex_count, apart < 2 ? 8 : 36);
        assert_int_equal(p.edge_count, apart < 2 ? 18 : 36);
        assert_int_equal(p.defects & DEM_MESH_OPEN, apart < 2 ? 0 : DEM_MESH_OPEN);
        assert_true(apart == 2 || p.defects == 0);
        dem_mesh_destroy(mesh);
    }
}

static void references(void **state)
{
    (void)state;
    dem_mesh *mesh = mesh_of(cube_vertices, 8, cube_facets, 12);
    assert_ptr_equal(dem_mesh_retain(mesh), mesh);
    dem_mesh_destroy(mesh);
    assert_int_equal(mesh_properties(mesh).facet_count, 12);
    dem_mesh_destroy(mesh);
    dem_mesh_destroy(NULL);
    assert_null(dem_mesh_retain(NULL));
    assert_null(dem_mesh_vertices(NULL));
    assert_null(dem_mesh_facets(NULL));
    assert_null(dem_mesh_defects(NULL));
}

/* ------------------------------------------------------------------ broken meshes */

typedef struct broken {
    const char *name;
    uint64_t vertex_count, facet_count;
    double x[9][3];
    uint32_t facet[14][3];
    uint32_t expected[14];
} broken;

enum {
    DEGENERATE = DEM_MESH_DEGENERATE,
    DUPLICATE = DEM_MESH_DUPLICATE,
    NON_MANIFOLD = DEM_MESH_NON_MANIFOLD,
    INVERTED = DEM_MESH_INVERTED,
    OPEN = DEM_MESH_OPEN,
    T_JOINT = DEM_MESH_T_JOINT
};

#define TETRAHEDRON                                                                                \
    {                                                                                              \
        {0, 0, 0}, {1, 0, 0}, {0, 1, 0},                                                           \
        {                                                                                          \
            0, 0, 1                                                                                \
        }                                                                                          \
    }

static const broken cases[] = {
    {"open", 4, 3, TETRAHEDRON, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}}, {OPEN, OPEN, OPEN}},
    {"one inverted",
     4,
     4,
     TETRAHEDRON,
     {{0, 2, 1}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}},
     {0, 0, INVERTED, 0}},
    {"the first inverted",
     4,
     4,
     TETRAHEDRON,
     {{0, 1, 2}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
     {INVERTED}},
    {"inside out", 4, 4, TETRAHEDRON, {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}, {INVERTED}},
    {"duplicated",
     4,
     6,
     TETRAHEDRON,
     {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}, {3, 1, 2}, {1, 3, 2}},
     {0, 0, 0, 0, DUPLICATE, DUPLICATE}},
    {"three at an edge",
     5,
     3,
     {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, -1, 0}},
     {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}},
     {NON_MANIFOLD | OPEN, NON_MANIFOLD | OPEN, NON_MANIFOLD | OPEN}},
    {"two equal vertices",
     4,
     2,
     {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}},
     {{0, 1, 2}, {0, 3, 1}},
     {OPEN, DEGENERATE}},
    {"collinear vertices",
     4,
     2,
     {{0, 0, 0}, {0.1, 0.1, 0.1}, {0.2, 0.2, 0.2}, {0, 1, 0}},
     {{0, 2, 3}, {0, 1, 2}},
     {OPEN, DEGENERATE | OPEN}},
    {"thin as round-off",
     3,
     1,
     {{1000.0, 0, 0}, {1001.0, 0, 0}, {1000.5, 2e-13, 0}},
     {{0, 1, 2}},
     {DEGENERATE | OPEN}},
    {"thin, but resolved",
     3,
     1,
     {{1000.0, 0, 0}, {1001.0, 0, 0}, {1000.5, 2e-11, 0}},
     {{0, 1, 2}},
     {OPEN}},
    {"T-joint",
     5,
     3,
     {{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, 0, 0}, {0.5, -1, 0}},
     {{0, 1, 2}, {0, 4, 3}, {3, 4, 1}},
     {OPEN | T_JOINT, OPEN, OPEN}},
    {"T-joint at a facet whose last edges have neighbours",
     7,
     5,
     {{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, 0, 0}, {0.5, -1, 0}, {2, 1, 0}, {-1, 1, 0}},
     {{0, 1, 2}, {0, 4, 3}, {3, 4, 1}, {2, 1, 5}, {0, 2, 6}},
     {OPEN | T_JOINT, OPEN, OPEN, OPEN, OPEN}},
    {"T-joint at a facet whose first edges have neighbours",
     7,
     5,
     {{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, 0, 0}, {0.5, -1, 0}, {2, 1, 0}, {-1, 1, 0}},
     {{1, 2, 0}, {0, 4, 3}, {3, 4, 1}, {2, 1, 5}, {0, 2, 6}},
     {OPEN | T_JOINT, OPEN, OPEN, OPEN, OPEN}},
    {"two parts, one of them with an inverted facet",
     7,
     4,
     {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {6, 1, 0}},
     {{0, 1, 2}, {3, 4, 5}, {4, 5, 6}, {4, 6, 5}},
     {OPEN, OPEN, INVERTED | OPEN, DUPLICATE}},
};

static void broken_check(const broken *b)
{
    dem_mesh *mesh = mesh_of(b->x, b->vertex_count, b->facet, b->facet_count);
    uint32_t all = 0;
    for (uint64_t f = 0; f < b->facet_count; ++f) {
        if (dem_mesh_defects(mesh)[f] != b->expected[f])
            fail_msg("%s: facet %d has %u, not %u", b->name, (int)f, dem_mesh_defects(mesh)[f],
                     b->expected[f]);
        all |= b->expected[f];
    }
    assert_int_equal(mesh_properties(mesh).defects, all);
    dem_mesh_destroy(mesh);
    /* refused by each defect that it has, and by no other */
    for (uint32_t defect = 1; defect < DEM_MESH_DEFECTS_ALL; defect *= 2) {
        const dem_mesh_config config = mesh_config(defect);
        dem_error error;
        const dem_status status = dem_mesh_create(&config, b->x[0], b->vertex_count, b->facet[0],
                                                  b->facet_count, &mesh, &error);
        assert_int_equal(status, (all & defect) != 0 ? DEM_ERROR_FORMAT : DEM_OK);
        if (status == DEM_OK) {
            dem_mesh_destroy(mesh);
            continue;
        }
        assert_null(mesh);
        char first[32];
        uint64_t f = 0;
        while ((b->expected[f] & defect) == 0)
            ++f;
        snprintf(first, sizeof(first), "facet %d is ", (int)f);
        assert_non_null(strstr(error.message, first));
        assert_int_equal(error.status, DEM_ERROR_FORMAT);
    }
}

static void broken_meshes(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); ++k)
        broken_check(&cases[k]);
}

/* What files round off far from the origin is taken for one place: a vertex beside a longer edge is
 * on it, and on a shorter one there is none, at whatever distance. */
static void joints_far_away(void **state)
{
    (void)state;
    static const double joint[5][3] = {
        {1e5, 0, 0}, {1e5 + 1, 0, 0}, {1e5 + 0.5, 1, 0}, {1e5 + 0.5, 0.01, 0}, {1e5 + 0.5, -1, 0}};
    static const uint32_t three[3][3] = {{0, 1, 2}, {0, 4, 3}, {3, 4, 1}};
    dem_mesh *mesh = mesh_of(joint, 5, three, 3);
    assert_int_equal(dem_mesh_defects(mesh)[0], DEM_MESH_OPEN | DEM_MESH_T_JOINT);
    dem_mesh_destroy(mesh);
    /* beside the middle of an edge of 0.1 m */
    static const uint32_t two[2][3] = {{0, 1, 2}, {3, 4, 5}};
    for (int k = 1; k <= 200; ++k) {
        const double y = 0.002 * k,
                     apart[6][3] = {{1e6, 0, 0},        {1e6 + 0.1, 0, 0},   {1e6 + 0.05, -1, 0},
                                    {1e6 + 0.05, y, 0}, {1e6 - 1, y + 2, 0}, {1e6 + 1, y + 2, 0}};
        mesh = mesh_of(apart, 6, two, 2);
        assert_int_equal(mesh_properties(mesh).defects, DEM_MESH_OPEN);
        dem_mesh_destroy(mesh);
    }
}

/* A strip with half a turn has one side only: wherever orientation is started, it fails. */
static void one_sided(void **state)
{
    (void)state;
    static const uint32_t strip[5][3] = {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {3, 0, 4}, {4, 0, 1}};
    static const double x[5][3] = {{0, 0, 0}, {1, 0, 1}, {2, 1, 0}, {1, 2, 1}, {0, 1, 2}};
    dem_mesh *mesh = mesh_of(x, 5, strip, 5);
    assert_true((mesh_properties(mesh).defects & DEM_MESH_INVERTED) != 0);
    dem_mesh_destroy(mesh);
}

/* Defects are warned of once each. */
static void warned(void **state)
{
    (void)state;
    dem_mesh_config config = mesh_config(0);
    test_log log;
    config.log = test_log_hook(&log);
    dem_mesh *mesh;
    OK(dem_mesh_create(&config, cube_vertices[0], 8, cube_facets[0], 11, &mesh, NULL));
    assert_int_equal(log.count[DEM_LOG_WARNING], 1);
    assert_int_equal(test_log_warnings(&log, "3 of 11 facets have a defect; the first, facet 2"),
                     1);
    dem_mesh_destroy(mesh);
    /* a room: no facet is blamed */
    uint32_t inwards[12][3];
    for (int f = 0; f < 12; ++f)
        for (int c = 0; c < 3; ++c)
            inwards[f][c] = cube_facets[f][2 - c];
    config.log = test_log_hook(&log);
    OK(dem_mesh_create(&config, cube_vertices[0], 8, inwards[0], 12, &mesh, NULL));
    assert_int_equal(log.count[DEM_LOG_WARNING], 1);
    assert_int_equal(test_log_warnings(&log, "the surface is inside out, with a volume of -1 m3"),
                     1);
    assert_int_equal(test_log_warnings(&log, "facet"), 0);
    dem_mesh_destroy(mesh);
}

/* ------------------------------------------------------------------ what is refused */

/* The call must be refused with a message that has `text`. */
static void refused(const dem_mesh_config *config, const void *x, uint64_t vertices,
                    const void *facets, uint64_t count, dem_status expected, const char *text)
{
    dem_mesh *mesh = (dem_mesh *)&mesh;
    dem_error error;
    assert_int_equal(dem_mesh_create(config, x, vertices, facets, count, &mesh, &error), expected);
    assert_null(mesh);
    assert_int_equal(error.status, expected);
    if (strstr(error.message, text) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", text, error.message);
}

static void arguments(void **state)
{
    (void)state;
    dem_mesh_config c = mesh_config(0);
    double x[8][3];
    uint32_t f[12][3];
    memcpy(x, cube_vertices, sizeof(x));
    memcpy(f, cube_facets, sizeof(f));
    refused(NULL, x, 8, f, 12, DEM_ERROR_ARGUMENT, "config");
    refused(&c, NULL, 8, f, 12, DEM_ERROR_ARGUMENT, "vertices");
    refused(&c, x, 8, NULL, 12, DEM_ERROR_ARGUMENT, "facets");
    assert_int_equal(dem_mesh_create(&c, x[0], 8, f[0], 12, NULL, NULL), DEM_ERROR_ARGUMENT);
    refused(&c, x, 8, f, 0, DEM_ERROR_RANGE, "no facet");
    refused(&c, x, 7, f, 12, DEM_ERROR_RANGE, "facet 2: vertex 7 is not below 7");
    refused(&c, x, UINT64_C(1) << 31, f, 12, DEM_ERROR_RANGE, "2^31");
    refused(&c, x, UINT64_MAX, f, 12, DEM_ERROR_RANGE, "2^31");
    refused(&c, x, 8, f, (UINT64_C(1) << 30) + 1, DEM_ERROR_RANGE, "2^30");
    static const double wrong[] = {NAN, INFINITY, -INFINITY, 2e60, -2e60};
    for (int k = 0; k < 5; ++k) {
        x[5][1] = wrong[k];
        refused(&c, x, 8, f, 12, DEM_ERROR_RANGE, "facet 2: vertex 5");
        x[5][1] = 0.0;
        x[5][2] = wrong[k];
        refused(&c, x, 8, f, 2, DEM_ERROR_RANGE, "vertex 5, of no facet");
        x[5][2] = 1.0;
    }
    c.refused = 64;
    refused(&c, x, 8, f, 12, DEM_ERROR_UNKNOWN, "refused");
    c = mesh_config(0);
    c.reserved = 1;
    refused(&c, x, 8, f, 12, DEM_ERROR_UNKNOWN, "reserved");
    c = mesh_config(0);
    c.weld_distance = -1e-9;
    refused(&c, x, 8, f, 12, DEM_ERROR_RANGE, "weld_distance");
    c = mesh_config(0);
    c.scale = 0.0;
    refused(&c, x, 8, f, 12, DEM_ERROR_RANGE, "scale");
    c.scale = NAN;
    refused(&c, x, 8, f, 12, DEM_ERROR_RANGE, "scale");
    c = mesh_config(0);
    c.struct_size -= 8;
    refused(&c, x, 8, f, 12, DEM_ERROR_STRUCT_SIZE, "dem_mesh_config.struct_size");
    c = mesh_config(0);
    c.allocator.release = (void (*)(void *, void *, uint64_t))abort;
    refused(&c, x, 8, f, 12, DEM_ERROR_ARGUMENT, "allocator");
    assert_int_equal(dem_mesh_config_init(NULL), DEM_ERROR_ARGUMENT);
    dem_mesh_properties p = {0};
    assert_int_equal(dem_mesh_properties_get(NULL, &p), DEM_ERROR_ARGUMENT);
    dem_mesh *mesh = mesh_of(x, 8, f, 12);
    assert_int_equal(dem_mesh_properties_get(mesh, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_mesh_properties_get(mesh, &p), DEM_ERROR_STRUCT_SIZE);
    dem_mesh_destroy(mesh);
}

/* ------------------------------------------------------------------ files */

enum { STL_SIZE = 84 + 50 * 12 };

/* The cube as binary STL. */
static void stl_cube(unsigned char bytes[STL_SIZE])
{
    memset(bytes, 0, STL_SIZE);
    memcpy(bytes, "solid binary files begin so, too", 32);
    bytes[80] = 12;
    for (int f = 0; f < 12; ++f)
        for (int k = 0; k < 9; ++k) {
            const float value = (float)cube_vertices[cube_facets[f][k / 3]][k % 3];
            memcpy(bytes + 84 + 50 * f + 12 + 4 * k, &value, 4);
        }
}

static void is_the_cube(dem_mesh *mesh)
{
    const dem_mesh_properties p = mesh_properties(mesh);
    assert_int_equal(p.vertex_count, 8);
    assert_int_equal(p.defects, 0);
    for (int k = 0; k < 36; ++k)
        assert_memory_equal(dem_mesh_vertices(mesh) + 3 * dem_mesh_facets(mesh)[k],
                            cube_vertices[cube_facets[k / 3][k % 3]], 3 * sizeof(double));
    dem_mesh_destroy(mesh);
}

static void binary_stl(void **state)
{
    (void)state;
    const dem_mesh_config config = mesh_config(DEM_MESH_DEFECTS_ALL);
    unsigned char bytes[STL_SIZE + 1];
    dem_mesh *mesh;
    dem_error error;
    stl_cube(bytes);
    OK(dem_mesh_create_stl(&config, bytes, STL_SIZE, &mesh, NULL));
    is_the_cube(mesh);
    /* a count that is not true, a file that is cut or too long, a number that is none */
    memset(bytes, 'x', 5);
    static const int64_t off[] = {-1, 1, -50, -STL_SIZE + 84, -STL_SIZE + 83, -STL_SIZE};
    for (int k = 0; k < 6; ++k) {
        assert_int_equal(
            dem_mesh_create_stl(&config, bytes, (uint64_t)(STL_SIZE + off[k]), &mesh, &error),
            DEM_ERROR_FORMAT);
        assert_null(mesh);
    }
    memset(bytes + 80, 255, 4);
    assert_int_equal(dem_mesh_create_stl(&config, bytes, STL_SIZE, &mesh, &error),
                     DEM_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "4294967295 facets"));
    stl_cube(bytes);
    const float nan = NAN;
    memcpy(bytes + 84 + 50 * 7 + 12 + 4 * 4, &nan, 4);
    assert_int_equal(dem_mesh_create_stl(&config, bytes, STL_SIZE, &mesh, &error), DEM_ERROR_RANGE);
    assert_non_null(strstr(error.message, "facet 7"));
    assert_int_equal(dem_mesh_create_stl(&config, NULL, 0, &mesh, &error), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_mesh_create_obj(&config, NULL, 0, &mesh, &error), DEM_ERROR_ARGUMENT);
}

typedef dem_status reader(const dem_mesh_config *config, const void *bytes, uint64_t size,
                          dem_mesh **mesh, dem_error *error);

typedef struct file_case {
    const char *text;
    dem_status expected;
    const char *message; /**< or how many facets */
    int facets;
    double area;
} file_case;

#define FACET                                                                                      \
    "facet normal nan 0 0\nouter loop\nvertex 0 0 0\nvertex 1. +0 -0\nvertex 0.0E5 1e0 .0\n"       \
    "endloop\nendfacet\n"

static const file_case stl_cases[] = {
    {"solid\n" FACET "endsolid\n", DEM_OK, NULL, 1, 0.5},
    {"SOLID a name facet\r\n" FACET FACET "EndSolid a name\r\nsolid b\n" FACET "endsolid", DEM_OK,
     NULL, 3, 1.5},
    {"\xEF\xBB\xBFsolid\n" FACET "endsolid\n", DEM_OK, NULL, 1, 0.5},
    {"\xEF\xBB\xBF", DEM_ERROR_FORMAT, "3 bytes", 0, 0.0},
    {"\xEF\xBB", DEM_ERROR_FORMAT, "2 bytes", 0, 0.0},
    {"solid\r" FACET "endsolid\rmore", DEM_ERROR_FORMAT, "line 10: \"more\" where solid", 0, 0.0},
    {"solid\n" FACET, DEM_ERROR_FORMAT, "line 9: \"\" where endsolid must be", 0, 0.0},
    {"solid\nendsolid\n", DEM_ERROR_RANGE, "no facet", 0, 0.0},
    {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0\nvertex", DEM_ERROR_FORMAT,
     "line 5: \"vertex\" where a number must be", 0, 0.0},
    {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan", DEM_ERROR_FORMAT, "\"nan\"", 0, 0.0},
    {"solid\nfacet normal 0 0 1\nouter lop", DEM_ERROR_FORMAT, "line 3: \"lop\" where loop", 0,
     0.0},
    {"solid\nfacet nrmal", DEM_ERROR_FORMAT, "line 2: \"nrmal\" where normal", 0, 0.0},
    {"solid\nfacets", DEM_ERROR_FORMAT, "line 2: \"facets\" where facet or endsolid", 0, 0.0},
    {"solid\n" FACET "endsolid\nmore", DEM_ERROR_FORMAT, "line 10: \"more\" where solid", 0, 0.0},
    {"solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1e999\nvertex 0 0 0\nvertex 0 1 0\n"
     "endloop\nendfacet\nendsolid\n",
     DEM_ERROR_RANGE, "facet 0", 0, 0.0},
    {"", DEM_ERROR_FORMAT, "0 bytes", 0, 0.0},
};

static const file_case obj_cases[] = {
    {"# a square\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0 0.5 0.5 0.5\nv 0 1 0\nvn 0 0 1\nusemtl steel\n"
     "f 1//1 2//1 3//1 4//1\n",
     DEM_OK, NULL, 2, 1.0},
    {"v 5 5 5\r\nv 0 0 0\r\nv 1 0 0\r\n\r\nv 1 1 0\r\nf -3 -2/7 -1/1/1\r\nf 4 3 2", DEM_OK, NULL, 2,
     1.0},
    {"v 0 0 0 # one\nv 1 0 0 #\nv 1 1 0\nv 0 1 0\nf 1 2 3 # 4 is next\nf 1 3 4 #2\n#f 1 2 3\n",
     DEM_OK, NULL, 2, 1.0},
    {"v 0 0 0# one\nv 1 0 0#\nv 1 1 0\nv 0 1 0\nf 1 2 3# 4\nf 1 3 4#2\n#f 1 2 3\nf# 1 2 3",
     DEM_ERROR_FORMAT, "line 8: \"#\" where a third vertex", 0, 0.0},
    {"v 0 0 0# one\nv 1 0 0#\nv 1 1 0\nv 0 1 0\nf 1 2 3# 4\nf 1 3 4#2\n#f 1 2 3\n", DEM_OK, NULL, 2,
     1.0},
    {"\xEF\xBB\xBFv 0 0 0\rv 1 0 0\rv 1 1 0\r\rv 0 1 0\rf 1 2 3\rf 1 3 4", DEM_OK, NULL, 2, 1.0},
    {"v 0 0 0\r\n\rv 1 0 0\r\r\nf 1 2\n", DEM_ERROR_FORMAT, "line 5: \"\" where a third", 0, 0.0},
    {"v 0 0 0\nv 1 0 0\nf 1 2 # 1\n", DEM_ERROR_FORMAT, "line 3: \"#\" where a third vertex", 0,
     0.0},
    {"v 0 0 0\nv 1 0 0\nf 1 2\n", DEM_ERROR_FORMAT, "line 3: \"\" where a third vertex", 0, 0.0},
    {"v 0 0 0\nv 1 0 0\nf 1 2 3\n", DEM_ERROR_FORMAT, "line 3: \"3\" where the number", 0, 0.0},
    {"v 0 0 0\nf 1 0 1\n", DEM_ERROR_FORMAT, "line 2: \"0\"", 0, 0.0},
    {"v 0 0 0\nf 1 -2 1\n", DEM_ERROR_FORMAT, "line 2: \"-2\"", 0, 0.0},
    {"v 0 0 0\nf 1 99999999999999999999999 1\n", DEM_ERROR_FORMAT, "line 2", 0, 0.0},
    {"v 0 0 0\nf 1 1x 1\n", DEM_ERROR_FORMAT, "line 2: \"1x\"", 0, 0.0},
    {"v 0 0\n", DEM_ERROR_FORMAT, "line 1: \"\" where a coordinate", 0, 0.0},
    {"v 0 0 1e\n", DEM_ERROR_FORMAT, "line 1: \"1e\" where a coordinate", 0, 0.0},
    {"v 0 0 .\n", DEM_ERROR_FORMAT, "line 1: \".\"", 0, 0.0},
    {"v 0 0 1,5\n", DEM_ERROR_FORMAT, "line 1: \"1,5\"", 0, 0.0},
    {"v 0 0 \xff\x01\n", DEM_ERROR_FORMAT,
     "line 1: \"?"
     "?\"",
     0, 0.0},
    {"v 0 0 0\n", DEM_ERROR_RANGE, "no facet", 0, 0.0},
    {"", DEM_ERROR_RANGE, "no facet", 0, 0.0},
};

static void read_cases(reader *call, const file_case *list, size_t count)
{
    const dem_mesh_config config = mesh_config(0);
    for (size_t k = 0; k < count; ++k) {
        dem_mesh *mesh;
        dem_error error = {0, ""};
        const dem_status status = call(&config, list[k].text, strlen(list[k].text), &mesh, &error);
        if (status != list[k].expected ||
            (status != DEM_OK && strstr(error.message, list[k].message) == NULL))
            fail_msg("case %d: %d %s", (int)k, (int)status, error.message);
        if (status == DEM_OK) {
            assert_int_equal(mesh_properties(mesh).facet_count, list[k].facets);
            assert_true(mesh_properties(mesh).area == list[k].area);
        }
        dem_mesh_destroy(mesh);
    }
}

static void texts(void **state)
{
    (void)state;
    read_cases(dem_mesh_create_stl, stl_cases, sizeof(stl_cases) / sizeof(stl_cases[0]));
    read_cases(dem_mesh_create_obj, obj_cases, sizeof(obj_cases) / sizeof(obj_cases[0]));
}

/* Numbers of any length are those that the C library reads. */
static void numbers(void **state)
{
    (void)state;
    const dem_mesh_config config = mesh_config(0);
    test_random random = test_random_start("numbers");
    for (int k = 0; k < 2000; ++k) {
        double x[9];
        char text[512];
        int at = 0;
        for (int c = 0; c < 9; ++c) {
            char number[48];
            snprintf(number, sizeof(number), k % 2 ? "%.*e" : "%.*f", (int)(k % 18),
                     test_uniform(&random, -1.0, 1.0) *
                         test_decades(&random, k % 2 ? -50.0 : -3.0, k % 2 ? 59.0 : 9.0));
            x[c] = strtod(number, NULL);
            at += snprintf(text + at, sizeof(text) - (size_t)at, "%s %s%s", c % 3 ? "" : "v",
                           number, c % 3 == 2 ? "\n" : "");
        }
        at += snprintf(text + at, sizeof(text) - (size_t)at, "f 1 2 3\n");
        dem_mesh *mesh;
        OK(dem_mesh_create_obj(&config, text, (uint64_t)at, &mesh, NULL));
        for (int c = 0; c < 9; ++c)
            if (dem_mesh_vertices(mesh)[3 * dem_mesh_facets(mesh)[c / 3] + (uint32_t)c % 3] != x[c])
                fail_msg("%.17g of %s", x[c], text);
        dem_mesh_destroy(mesh);
    }
}

static void write_file(const char *name, const void *bytes, size_t size)
{
    snprintf(folder_path, sizeof(folder_path), "%.255s/%.40s", folder_name, name);
    FILE *file = fopen(folder_path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void files(void **state)
{
    (void)state;
    const dem_mesh_config config = mesh_config(DEM_MESH_DEFECTS_ALL);
    const char *obj = obj_cases[0].text;
    unsigned char bytes[STL_SIZE];
    dem_mesh *mesh;
    dem_error error;
    stl_cube(bytes);
    write_file("cube.STL", bytes, sizeof(bytes));
    OK(dem_mesh_create_file(&config, folder_path, &mesh, NULL));
    is_the_cube(mesh);
    write_file("square.obj", obj, strlen(obj));
    const dem_mesh_config open = mesh_config(0);
    OK(dem_mesh_create_file(&open, folder_path, &mesh, NULL));
    assert_int_equal(mesh_properties(mesh).facet_count, 2);
    dem_mesh_destroy(mesh);
    assert_int_equal(dem_mesh_create_file(&config, folder_path, &mesh, &error), DEM_ERROR_FORMAT);
    assert_int_equal(dem_mesh_create_file(&config, "a.ply", &mesh, &error), DEM_ERROR_UNKNOWN);
    assert_int_equal(dem_mesh_create_file(&config, "l", &mesh, &error), DEM_ERROR_UNKNOWN);
    assert_int_equal(dem_mesh_create_file(&config, NULL, &mesh, &error), DEM_ERROR_ARGUMENT);
    write_file("empty.stl", bytes, 0);
    assert_int_equal(dem_mesh_create_file(&config, folder_path, &mesh, &error), DEM_ERROR_FORMAT);
    snprintf(folder_path, sizeof(folder_path), "%.255s/none.stl", folder_name);
    assert_int_equal(dem_mesh_create_file(&config, folder_path, &mesh, &error), DEM_ERROR_FILE);
    assert_non_null(strstr(error.message, "no such file"));
    folder_walk(1);
}

/* ------------------------------------------------------------------ memory */

/* Each allocation fails once: an error, and nothing is kept. */
static void out_of_memory(void **state)
{
    (void)state;
    short_heap heap = {0, 0, 0};
    dem_mesh_config config = mesh_config(0);
    config.allocator = short_allocator(&heap);
    for (int format = 0; format < 3; ++format)
        for (heap.fail_at = 0;; ++heap.fail_at) {
            dem_mesh *mesh;
            dem_error error;
            heap.calls = 0;
            const char *text = format == 1 ? stl_cases[1].text : obj_cases[0].text;
            const dem_status status =
                format == 0   ? dem_mesh_create(&config, cube_vertices[0], 8, cube_facets[0], 12,
                                                &mesh, &error)
                : format == 1 ? dem_mesh_create_stl(&config, text, strlen(text), &mesh, &error)
                              : dem_mesh_create_obj(&config, text, strlen(text), &mesh, &error);
            if (status == DEM_OK) {
                assert_true(heap.fail_at > 10 && heap.calls <= heap.fail_at);
                assert_int_equal(mesh_properties(mesh).bytes, heap.held);
                dem_mesh_destroy(mesh);
                break;
            }
            assert_int_equal(status, DEM_ERROR_MEMORY);
            assert_null(mesh);
            assert_int_equal(heap.held, 0);
        }
    assert_int_equal(heap.held, 0);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube),
        cmocka_unit_test(welded),
        cmocka_unit_test(references),
        cmocka_unit_test(broken_meshes),
        cmocka_unit_test(joints_far_away),
        cmocka_unit_test(one_sided),
        cmocka_unit_test(warned),
        cmocka_unit_test(arguments),
        cmocka_unit_test(binary_stl),
        cmocka_unit_test(texts),
        cmocka_unit_test(numbers),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test_setup_teardown(files, folder_make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
