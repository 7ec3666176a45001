/* SPDX-License-Identifier: MIT */
/**
 * @file mesh_measure.c
 * Volume, centre and moments of the solid inside a mesh: closed forms, any size and place, the
 * convergence to a sphere, and meshes that bound no solid.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"

#include "../support/near.h"
#include "../support/random.h"
#include "../support/solids.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static dem_mesh_solid measured(const dem_mesh *mesh)
{
    dem_mesh_solid solid;
    dem_error error;
    solid.struct_size = sizeof(solid);
    if (dem_mesh_measure(mesh, &solid, &error) != DEM_OK)
        fail_msg("%s", error.message);
    return solid;
}

static void sort3(double v[3])
{
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b)
            if (v[b] > v[b + 1]) {
                const double t = v[b];
                v[b] = v[b + 1];
                v[b + 1] = t;
            }
}

/* The corner of a cube: int x2 = 1/60, int x y = 1/120, centre 1/4. */
static void tetrahedron(void **state)
{
    (void)state;
    static const double x[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const uint32_t facets[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    dem_mesh *mesh = mesh_of(x, 4, facets, 4);
    const dem_mesh_solid solid = measured(mesh);
    near(solid.volume, 1.0 / 6.0, 1e-16);
    for (int c = 0; c < 3; ++c) {
        near(solid.centre[c], 0.25, 1e-16);
        near(solid.inertia[c], 2.0 / 60.0 - 2.0 / 96.0, 1e-16);
        near(solid.inertia[3 + c], 1.0 / 96.0 - 1.0 / 120.0, 1e-16);
    }
    double moments[3];
    memcpy(moments, solid.principal, sizeof(moments));
    sort3(moments);
    near(moments[0], 0.0125 - 1.0 / 480.0, 1e-16);
    near(moments[1], moments[0], 1e-16);
    near(moments[2], 0.0125 + 2.0 / 480.0, 1e-16);
    dem_mesh_destroy(mesh);
}

/* Where no number of the machine is the centre, the moments of inertia are those about the centre,
 * not about the number that is next to it. */
static void moments_far_away(void **state)
{
    (void)state;
    const double far = 0x1p44, edge = 1.0 + 0x1p-8; /* numbers there are 2^-8 apart */
    double x[4][3];
    static const uint32_t facets[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    for (int k = 0; k < 4; ++k)
        for (int c = 0; c < 3; ++c)
            x[k][c] = far + (k == c + 1 ? edge : 0.0);
    dem_mesh *mesh = mesh_of(x, 4, facets, 4);
    const dem_mesh_solid solid = measured(mesh);
    const double fifth = edge * edge * edge * edge * edge;
    for (int c = 0; c < 3; ++c) {
        assert_true(fabs(solid.centre[c] - far - 0.25 * edge) > 0x1p-11);
        near(solid.inertia[c], (2.0 / 60.0 - 2.0 / 96.0) * fifth, 1e-13);
        near(solid.inertia[3 + c], (1.0 / 96.0 - 1.0 / 120.0) * fifth, 1e-13);
    }
    dem_mesh_destroy(mesh);
}

/* A box with the half sides 1, 2, 3, which is turned, far from the origin, and of any size. */
static void box_anywhere(void **state)
{
    (void)state;
    static const double size[] = {1e-60, 1e-9, 1.0, 1e9, 1e59};
    test_random random = test_random_start("box_anywhere");
    for (int k = 0; k < 100; ++k) {
        const double s = size[k % 5], half[3] = {s, 2.0 * s, 3.0 * s};
        double q[4], x[8][3], at[3];
        q[0] = test_uniform(&random, -1.0, 1.0);
        test_unit(&random, q + 1);
        const double length = sqrt(q[0] * q[0] + 1.0);
        for (int c = 0; c < 4; ++c)
            q[c] /= length;
        for (int c = 0; c < 3; ++c)
            at[c] = s * test_uniform(&random, -2.0, 2.0);
        for (int v = 0; v < 8; ++v) {
            for (int c = 0; c < 3; ++c)
                x[v][c] = (2.0 * cube_vertices[v][c] - 1.0) * half[c];
            dem_kernel_rotation_to_space(q, x[v]);
            for (int c = 0; c < 3; ++c)
                x[v][c] += at[c];
        }
        dem_mesh *mesh = mesh_of(x, 8, cube_facets, 12);
        const dem_mesh_solid solid = measured(mesh);
        near(solid.volume / (s * s * s), 48.0, 1e-12);
        double moments[3];
        for (int c = 0; c < 3; ++c) {
            near(solid.centre[c] / s, at[c] / s, 1e-14);
            moments[c] = solid.principal[c] / s / s / s / s / s;
        }
        /* the tensor is that of the axes and moments */
        for (int m = 0; m < 3; ++m) {
            double axis[3] = {m == 0, m == 1, m == 2}, turned[3];
            dem_kernel_rotation_to_space(solid.orientation, axis);
            const double *t = solid.inertia;
            turned[0] = t[0] * axis[0] + t[5] * axis[1] + t[4] * axis[2];
            turned[1] = t[5] * axis[0] + t[1] * axis[1] + t[3] * axis[2];
            turned[2] = t[4] * axis[0] + t[3] * axis[1] + t[2] * axis[2];
            for (int c = 0; c < 3; ++c)
                near(turned[c] / s / s / s / s / s, moments[m] * axis[c], 1e-10);
        }
        sort3(moments);
        near(moments[0], 16.0 * 5.0, 1e-11);
        near(moments[1], 16.0 * 10.0, 1e-11);
        near(moments[2], 16.0 * 13.0, 1e-11);
        dem_mesh_destroy(mesh);
    }
}

/* Spheres: second order in the length of the edges. Round ones have the bits of a sphere. */
static void spheres(void **state)
{
    (void)state;
    double volume[6], moment[6];
    for (int level = 1; level < 6; ++level) {
        dem_mesh *mesh = solid_ellipsoid(level, 1.0, 1.0, 1.0);
        const dem_mesh_solid solid = measured(mesh);
        printf("# level %d: volume %.6f of the sphere's\n", level, solid.volume / (4.0 / 3.0 * PI));
        volume[level] = fabs(solid.volume / (4.0 / 3.0 * PI) - 1.0);
        moment[level] = fabs(solid.principal[0] / (8.0 / 15.0 * PI) - 1.0);
        assert_true(solid.principal[0] == solid.principal[1]);
        assert_true(solid.principal[0] == solid.principal[2]);
        if (level > 2) {
            near(log2(volume[level - 1] / volume[level]), 2.0, 0.04);
            near(log2(moment[level - 1] / moment[level]), 2.0, 0.04);
        }
        dem_mesh_destroy(mesh);
    }
    assert_true(volume[5] < 1.2e-3);
}

/* What is hollow is subtracted: a cube of side 3 with a cube of side 1 in it that faces inward. */
static void hollow(void **state)
{
    (void)state;
    double x[16][3];
    uint32_t facets[24][3];
    for (int k = 0; k < 16; ++k)
        for (int c = 0; c < 3; ++c)
            x[k][c] = k < 8 ? 3.0 * cube_vertices[k][c] : 1.0 + cube_vertices[k - 8][c];
    for (int f = 0; f < 24; ++f)
        for (int c = 0; c < 3; ++c)
            facets[f][c] = f < 12 ? cube_facets[f][c] : 8 + cube_facets[f - 12][2 - c];
    dem_mesh *mesh = mesh_of(x, 16, facets, 24);
    const dem_mesh_solid solid = measured(mesh);
    near(solid.volume, 26.0, 1e-13);
    near(solid.centre[0], 1.5, 1e-15);
    near(solid.principal[0], (27.0 * 9.0 - 1.0) / 6.0, 1e-13);
    dem_mesh_destroy(mesh);
}

static void refused_as(const char *text, dem_status expected, const void *x, uint64_t vertices,
                       const void *facets, uint64_t count)
{
    dem_mesh *mesh = mesh_of(x, vertices, facets, count);
    dem_mesh_solid solid, before;
    dem_error error;
    memset(&solid, 0x5A, sizeof(solid));
    solid.struct_size = sizeof(solid);
    before = solid;
    assert_int_equal(dem_mesh_measure(mesh, &solid, &error), expected);
    if (strstr(error.message, text) == NULL)
        fail_msg("%s", error.message);
    assert_memory_equal(&solid, &before, sizeof(solid));
    assert_int_equal(dem_mesh_measure(mesh, &solid, NULL), expected);
    dem_mesh_destroy(mesh);
}

static void refused(void **state)
{
    (void)state;
    uint32_t facets[13][3];
    refused_as("facet 2 is open", DEM_ERROR_FORMAT, cube_vertices, 8, cube_facets, 11);
    memcpy(facets, cube_facets, sizeof(cube_facets));
    facets[7][0] = cube_facets[7][1];
    facets[7][1] = cube_facets[7][0];
    refused_as("facet 7 is inverted", DEM_ERROR_FORMAT, cube_vertices, 8, facets, 12);
    for (int f = 0; f < 12; ++f)
        for (int c = 0; c < 3; ++c)
            facets[f][c] = cube_facets[f][2 - c];
    refused_as("facet 0 is inverted", DEM_ERROR_FORMAT, cube_vertices, 8, facets, 12);
    memcpy(facets, cube_facets, sizeof(cube_facets));
    memcpy(facets[12], cube_facets[3], sizeof(facets[12]));
    refused_as("facet 12 is a duplicate", DEM_ERROR_FORMAT, cube_vertices, 8, facets, 13);
    /* flat: the vertices of a tetrahedron in one plane */
    static const double flat[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    static const uint32_t sides[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    refused_as("no solid", DEM_ERROR_RANGE, flat, 4, sides, 4);
    /* moments below the smallest normal number */
    double x[8][3];
    for (int k = 0; k < 24; ++k)
        x[k / 3][k % 3] = 1e-62 * cube_vertices[k / 3][k % 3];
    refused_as("no normal number", DEM_ERROR_RANGE, x, 8, cube_facets, 12);
    /* a corner that is drawn through the opposite face, far beyond it */
    for (int k = 0; k < 24; ++k)
        x[k / 3][k % 3] = cube_vertices[k / 3][k % 3];
    x[0][2] = 2.5;
    refused_as("the surface crosses itself", DEM_ERROR_RANGE, x, 8, cube_facets, 12);
}

static void arguments(void **state)
{
    (void)state;
    dem_mesh *mesh = solid_box(1.0, 1.0, 1.0);
    dem_mesh_solid solid;
    dem_error error;
    solid.struct_size = sizeof(solid);
    assert_int_equal(dem_mesh_measure(NULL, &solid, &error), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_mesh_measure(mesh, NULL, &error), DEM_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "solid"));
    solid.struct_size = 8;
    assert_int_equal(dem_mesh_measure(mesh, &solid, &error), DEM_ERROR_STRUCT_SIZE);
    dem_mesh_destroy(mesh);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tetrahedron),  cmocka_unit_test(moments_far_away),
        cmocka_unit_test(box_anywhere), cmocka_unit_test(spheres),
        cmocka_unit_test(hollow),       cmocka_unit_test(refused),
        cmocka_unit_test(arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
