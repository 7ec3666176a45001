/* SPDX-License-Identifier: MIT */
/* A flat rectangle about each facet, along its longest edge: it tells that a facet is away long
 * before its nearest point is known, however narrow the facet is and wherever it points. */
#include "base/check.h"
#include "mesh/mesh.h"

#include <math.h>

/* Components that are less are none, so that they have no place below the numbers of a float. */
#define PLATE_LEAST 1e-30
/* The square of a length that is less has lost its digits. */
#define PLATE_SQUARE 1e-250
/* Round-off of coordinates, as a part of them. */
#define PLATE_ROUNDING 1e-15

static float plate_float(double part)
{
    return fabs(part) < PLATE_LEAST ? 0.0f : (float)part;
}

/* The longest edge, as a direction; 0 where there is none. */
static void plate_along(const double *const x[3], demi_mesh_plate *plate)
{
    double edge[3] = {0.0, 0.0, 0.0}, longest = PLATE_SQUARE;
    for (int k = 0; k < 3; ++k) {
        const double *a = x[k], *b = x[(k + 1) % 3];
        const double to[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, square = demi_dot(to, to);
        if (square > longest) {
            longest = square;
            for (int c = 0; c < 3; ++c)
                edge[c] = to[c];
        }
    }
    const double length = sqrt(longest);
    for (int c = 0; c < 3; ++c)
        plate->along[c] = plate_float(edge[c] / length);
}

/* How far vertices are from a place along an axis at most; and the middle between them. */
static double plate_half(const double *const x[3], const double from[3], const double axis[3],
                         double *middle)
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < 3; ++k) {
        const double to[3] = {x[k][0] - from[0], x[k][1] - from[1], x[k][2] - from[2]};
        const double at = demi_dot(to, axis);
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    *middle = 0.5 * (low + high);
    return high > -low ? high : -low;
}

static void plate_make(const dem_mesh *mesh, uint64_t facet, demi_mesh_plate *plate)
{
    const double *x[3];
    double axis[3][3], half[3], middle[3], far = 0.0;
    for (uint64_t k = 0; k < 3; ++k) {
        x[k] = demi_mesh_vertex(mesh, mesh->facet.read[3 * facet + k]);
        for (int c = 0; c < 3; ++c)
            far = fabs(x[k][c]) > far ? fabs(x[k][c]) : far;
    }
    for (uint64_t c = 0; c < 3; ++c)
        plate->normal[c] = plate_float(mesh->normal.read[3 * facet + c]);
    plate_along(x, plate);
    demi_mesh_plate_axes(plate, axis);
    for (int a = 0; a < 3; ++a)
        (void)plate_half(x, x[0], axis[a], &middle[a]);
    for (int c = 0; c < 3; ++c)
        plate->middle[c] =
            x[0][c] + middle[0] * axis[0][c] + middle[1] * axis[1][c] + middle[2] * axis[2][c];
    for (int a = 0; a < 3; ++a)
        half[a] = plate_half(x, plate->middle, axis[a], &middle[a]) + PLATE_ROUNDING * far;
    /* so that the thickness that the sides tell covers that which there is */
    plate->half[0] = half[1] + half[0] / DEMI_PLATE_THICKNESS;
    plate->half[1] = half[2];
}

dem_status demi_mesh_plates(dem_mesh *mesh)
{
    const dem_status status =
        demi_array_reserve(&mesh->context, &mesh->plate, mesh->facet_count, 0, "tree of a mesh");
    for (uint64_t n = 0; status == DEM_OK && n < mesh->facet_count; ++n)
        plate_make(mesh, mesh->order.read[n], &mesh->plate.data[n]);
    return status;
}
