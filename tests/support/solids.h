/* SPDX-License-Identifier: MIT */
/**
 * @file solids.h
 * Closed meshes for tests: boxes, and ellipsoids whose facets are those of an icosahedron, divided.
 * Needs cmocka.h before it.
 */
#ifndef DEM_TEST_SOLIDS_H
#define DEM_TEST_SOLIDS_H

#include "icosphere.h"
#include "meshes.h"

#include <math.h>
#include <stdlib.h>

/** A box around the origin with these half sides. */
static inline dem_mesh *solid_box(double a, double b, double c)
{
    double x[8][3];
    const double half[3] = {a, b, c};
    for (int k = 0; k < 8; ++k)
        for (int m = 0; m < 3; ++m)
            x[k][m] = (2.0 * cube_vertices[k][m] - 1.0) * half[m];
    return mesh_of(x, 8, cube_facets, 12);
}

/** An ellipsoid with these half axes, and 10 4^level + 2 vertices. */
static inline dem_mesh *solid_ellipsoid(int level, double a, double b, double c)
{
    double *x;
    const double half[3] = {a, b, c};
    const uint64_t count = icosphere_facets(level, &x);
    uint32_t *facets = malloc(count * 3 * sizeof(*facets));
    assert_non_null(facets);
    for (uint64_t k = 0; k < 3 * count; ++k) {
        facets[k] = (uint32_t)k;
        for (int m = 0; m < 3; ++m)
            x[3 * k + (uint64_t)m] *= half[m];
    }
    dem_mesh *mesh = mesh_of(x, 3 * count, facets, count);
    free(x);
    free(facets);
    return mesh;
}

#endif
