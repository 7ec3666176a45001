/* SPDX-License-Identifier: MIT */
/* Normals, area and volume. A normal starts at the lexicographically smallest vertex, so that the
 * order of the vertices in a facet changes no more than its sign. */
#include "base/check.h"
#include "mesh/doubled.h"
#include "mesh/mesh.h"
#include "mesh/order.h"

#include <float.h>
#include <string.h>

/* (b - a) x (c - a), whose terms may cancel: in doubled precision. */
static void normals_cross(const double *a, const double *b, const double *c, double cross[3])
{
    demi_doubled p[3], q[3];
    for (int k = 0; k < 3; ++k) {
        p[k] = demi_doubled_sum(b[k], -a[k]);
        q[k] = demi_doubled_sum(c[k], -a[k]);
    }
    for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        const demi_doubled first = demi_doubled_multiply(p[l], q[m]);
        const demi_doubled second = demi_doubled_multiply(p[m], q[l]);
        cross[k] = demi_doubled_add(first, demi_doubled_negative(second)).high;
    }
}

static double normals_longest(const double *const x[3])
{
    double longest = 0.0;
    for (int k = 0; k < 3; ++k) {
        double square = 0.0;
        for (int c = 0; c < 3; ++c) {
            const double part = x[(k + 1) % 3][c] - x[k][c];
            square += part * part;
        }
        longest = square > longest ? square : longest;
    }
    return sqrt(longest);
}

/* Unit normal and twice the area; 0 where round-off of the coordinates is as large as the facet. */
static double normals_facet(const double *const x[3], double normal[3])
{
    double cross[3], largest = 0.0, greatest = 0.0;
    int first = 0;
    for (int k = 1; k < 3; ++k)
        if (demi_before(x[k], x[first]))
            first = k;
    normals_cross(x[first], x[(first + 1) % 3], x[(first + 2) % 3], cross);
    for (int c = 0; c < 3; ++c) {
        largest = fabs(cross[c]) > largest ? fabs(cross[c]) : largest;
        for (int k = 0; k < 3; ++k)
            greatest = fabs(x[k][c]) > greatest ? fabs(x[k][c]) : greatest;
        normal[c] = 0.0;
    }
    if (largest < DBL_MIN)
        return 0.0;
    double unit[3];
    for (int c = 0; c < 3; ++c)
        unit[c] = cross[c] / largest;
    const double length = sqrt(demi_dot(unit, unit)), twice = length * largest;
    if (twice <= 4.0 * DBL_EPSILON * greatest * normals_longest(x))
        return 0.0;
    for (int c = 0; c < 3; ++c)
        normal[c] = unit[c] / length;
    return twice;
}

/* Of one facet, and twice its area. */
static double normals_of(const dem_mesh *mesh, uint64_t f, double normal[3])
{
    const uint32_t *facet = mesh->facet.read + 3 * f;
    const double *const x[3] = {demi_mesh_vertex(mesh, facet[0]), demi_mesh_vertex(mesh, facet[1]),
                                demi_mesh_vertex(mesh, facet[2])};
    return normals_facet(x, normal);
}

void demi_mesh_normals_again(dem_mesh *mesh)
{
    for (uint64_t f = 0; f < mesh->facet_count; ++f) {
        const double twice = normals_of(mesh, f, mesh->normal.data + 3 * f);
        const uint32_t degenerate = twice > 0.0 ? 0 : DEM_MESH_DEGENERATE;
        mesh->defects.data[f] =
            (mesh->defects.data[f] & ~(uint32_t)DEM_MESH_DEGENERATE) | degenerate;
    }
}

void demi_mesh_sizes(const dem_mesh *mesh, double *area, double *volume)
{
    const double *origin = demi_mesh_vertex(mesh, mesh->facet.read[0]);
    *area = *volume = 0.0;
    for (uint64_t f = 0; f < mesh->facet_count; ++f) {
        double normal[3], height = 0.0;
        const double twice = normals_of(mesh, f, normal),
                     *x = demi_mesh_vertex(mesh, mesh->facet.read[3 * f]);
        for (int c = 0; c < 3; ++c)
            height += (x[c] - origin[c]) * normal[c];
        *area += 0.5 * twice;
        *volume += twice * height / 6.0;
    }
}

dem_status demi_mesh_normals(dem_mesh *mesh)
{
    demi_context *context = &mesh->context;
    const uint64_t count = mesh->facet_count;
    dem_status status =
        demi_array_reserve(context, &mesh->normal, 3 * count, 0, "normals of a mesh");
    if (status == DEM_OK)
        status = demi_array_reserve(context, &mesh->defects, count, 0, "defects of a mesh");
    if (status != DEM_OK)
        return status;
    memset(mesh->defects.data, 0, (size_t)count * sizeof *mesh->defects.data);
    demi_mesh_normals_again(mesh);
    demi_mesh_sizes(mesh, &mesh->area, &mesh->volume);
    return DEM_OK;
}
