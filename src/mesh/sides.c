/* SPDX-License-Identifier: MIT */
/* On which side of a closed surface a centre is, told from its nearest point: the normals there,
 * each with the angle of its facet, have a sum that points outwards. Source: Baerentzen and Aanaes,
 * IEEE Trans. Vis. Comput. Graph. 11 (2005). */
#include "base/check.h"
#include "mesh/near.h"
#include "mesh/polyhedron.h"

#include <math.h>

/* The angle between two vectors, in rad: halved until few terms of the series of the arcsine
 * suffice. */
static double side_angle(const double a[3], const double b[3])
{
    enum { HALVES = 5 };
    double across[3];
    demi_cross(a, b, across);
    const double along = demi_dot(a, b), square = demi_dot(across, across),
                 length = sqrt(square + along * along);
    double c = along / length, s = sqrt(square) / length;
    for (int k = 0; k < HALVES; ++k) {
        const double half = sqrt(0.5 * (1.0 + c));
        s = c < 0.0 ? sqrt(0.5 * (1.0 - c)) : s / (2.0 * half);
        c = half;
    }
    const double s2 = s * s;
    return (1 << HALVES) * s *
           (1.0 + s2 * (1.0 / 6.0 + s2 * (3.0 / 40.0 + s2 * (15.0 / 336.0 + s2 * 105.0 / 3456.0))));
}

/* The angle of a facet at one of its vertices. */
static double side_corner(const dem_mesh *mesh, uint32_t facet, uint32_t vertex)
{
    const uint32_t *corner = mesh->facet.read + 3 * (uint64_t)facet;
    const int k = corner[0] == vertex ? 0 : corner[1] == vertex ? 1 : 2;
    const double *at = demi_mesh_vertex(mesh, vertex),
                 *next = demi_mesh_vertex(mesh, corner[(k + 1) % 3]),
                 *last = demi_mesh_vertex(mesh, corner[(k + 2) % 3]);
    double a[3], b[3];
    for (int c = 0; c < 3; ++c) {
        a[c] = next[c] - at[c];
        b[c] = last[c] - at[c];
    }
    return side_angle(a, b);
}

int demi_mesh_from_within(const dem_mesh *mesh, const demi_mesh_point *at)
{
    const double *normal = mesh->normal.read;
    if (at->region == DEMI_REGION_FACE)
        return demi_dot(at->normal, normal + 3 * (uint64_t)at->facet) < 0.0;
    const int edge = at->region == DEMI_REGION_EDGE;
    const demi_mesh_lists *of = edge ? &mesh->of_edge : &mesh->of_vertex;
    double sum = 0.0;
    for (uint64_t k = of->begin.read[at->part]; k < of->begin.read[at->part + 1]; ++k) {
        const uint32_t facet = of->facet.read[k];
        sum += (edge ? 1.0 : side_corner(mesh, facet, at->part)) *
               demi_dot(at->normal, normal + 3 * (uint64_t)facet);
    }
    return sum < 0.0;
}

uint64_t demi_mesh_drop_within(const dem_mesh *mesh, demi_mesh_point *point, uint64_t count)
{
    uint64_t kept = 0;
    for (uint64_t k = 0; k < count; ++k)
        if (!demi_mesh_from_within(mesh, &point[k]))
            point[kept++] = point[k];
    return kept;
}
