/* SPDX-License-Identifier: MIT */
/* Volume, centre and moments of the solid inside a closed mesh: sums over the tetrahedra that an
 * origin makes with the facets. Lengths are in units of a power of two near the mesh's size, so
 * that no product leaves the range of numbers. */
#include "base/check.h"
#include "base/entry.h"
#include "base/principal.h"
#include "base/sized.h"
#include "mesh/mesh.h"

#include <float.h>
#include <string.h>

/* Volume, first moments, second moments xx yy zz yz xz xy. */
enum { MEASURE_MOMENTS = 10 };

/* Where the axes of the second moments stand. */
static const int measure_axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};

/* Adds a tetrahedron from the origin. */
static void measure_add(double x[3][3], double sum[MEASURE_MOMENTS])
{
    const double cross[3] = {x[1][1] * x[2][2] - x[1][2] * x[2][1],
                             x[1][2] * x[2][0] - x[1][0] * x[2][2],
                             x[1][0] * x[2][1] - x[1][1] * x[2][0]};
    const double six = demi_dot(x[0], cross);
    double all[3];
    for (int c = 0; c < 3; ++c) {
        all[c] = x[0][c] + x[1][c] + x[2][c];
        sum[1 + c] += six * all[c] / 24.0;
    }
    sum[0] += six / 6.0;
    for (int m = 0; m < 6; ++m) {
        const int p = measure_axes[m][0], q = measure_axes[m][1];
        sum[4 + m] +=
            six * (all[p] * all[q] + x[0][p] * x[0][q] + x[1][p] * x[1][q] + x[2][p] * x[2][q]) /
            120.0;
    }
}

/* Moments about an origin, in units of the unit. */
static void measure_moments(const dem_mesh *mesh, const double origin[3], double unit,
                            double sum[MEASURE_MOMENTS])
{
    memset(sum, 0, MEASURE_MOMENTS * sizeof sum[0]);
    for (uint64_t f = 0; f < mesh->facet_count; ++f) {
        double x[3][3];
        for (int k = 0; k < 3; ++k) {
            const double *v = demi_mesh_vertex(mesh, mesh->facet.read[3 * f + (uint64_t)k]);
            for (int c = 0; c < 3; ++c)
                x[k][c] = (v[c] - origin[c]) / unit;
        }
        measure_add(x, sum);
    }
}

/* The middle of the box, and a power of two near half its longest side. */
static double measure_frame(const dem_mesh *mesh, double origin[3])
{
    const demi_mesh_box *all = mesh->box.read + mesh->level_begin[mesh->level_count - 1];
    double half = 0.0;
    int exponent;
    for (int c = 0; c < 3; ++c) {
        origin[c] = 0.5 * all->low[c] + 0.5 * all->high[c];
        half = fmax(half, 0.5 * all->high[c] - 0.5 * all->low[c]);
    }
    (void)frexp(half, &exponent);
    return ldexp(1.0, exponent);
}

/* Tensor, principal moments and axes from the moments about the centre; density 1. */
static void measure_inertia(const double s[MEASURE_MOMENTS], double unit, dem_mesh_solid *solid)
{
    const double v = s[0], x[3] = {s[1] / v, s[2] / v, s[3] / v};
    double m[6], a[3][3], axes[3][3], least = INFINITY, most = 0.0, sum = 0.0;
    for (int k = 0; k < 6; ++k)
        m[k] = s[4 + k] - v * x[measure_axes[k][0]] * x[measure_axes[k][1]];
    const double tensor[6] = {m[1] + m[2], m[0] + m[2], m[0] + m[1], -m[3], -m[4], -m[5]};
    for (int k = 0; k < 6; ++k) {
        a[measure_axes[k][0]][measure_axes[k][1]] = tensor[k];
        a[measure_axes[k][1]][measure_axes[k][0]] = tensor[k];
        solid->inertia[k] = tensor[k] * unit * unit * unit * unit * unit;
    }
    demi_principal_axes(a, axes);
    for (int c = 0; c < 3; ++c) {
        least = fmin(least, a[c][c]);
        most = fmax(most, a[c][c]);
        sum += a[c][c];
    }
    for (int c = 0; c < 3; ++c) {
        /* as round as this is round: then it has the bits of a sphere */
        const double moment = most - least <= 1e-10 * most ? sum / 3.0 : a[c][c];
        solid->principal[c] = moment * unit * unit * unit * unit * unit;
    }
    demi_principal_orientation(axes, solid->orientation);
}

/* A number that has all its digits. */
static int measure_normal(double value)
{
    return isfinite(value) && value >= DBL_MIN;
}

DEMI_GUARDED guarded_mesh_measure(const dem_mesh *mesh, dem_mesh_solid *solid, dem_error *error)
{
    DEMI_REFUSE(mesh == NULL || solid == NULL, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                mesh == NULL ? "mesh" : "solid");
    dem_status status = demi_sized_check_output(solid);
    DEMI_REFUSE(status != DEM_OK, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_OUTPUT_MESSAGE,
                "dem_mesh_solid", (unsigned long long)solid->struct_size, "dem_mesh_solid");
    status = demi_mesh_refuse(mesh, DEMI_MESH_NOT_SOLID, error);
    if (status != DEM_OK)
        return status;
    dem_mesh_solid values;
    memset(&values, 0, sizeof values);
    double origin[3], s[MEASURE_MOMENTS];
    const double unit = measure_frame(mesh, origin);
    measure_moments(mesh, origin, unit, s);
    /* below this the sum is round-off of its terms */
    DEMI_REFUSE(!(s[0] > 64.0 * DBL_EPSILON), DEM_ERROR_RANGE,
                "dem_mesh: the volume inside is %g of the cube of the mesh's size, not above %g: "
                "there is no solid to measure",
                s[0], 64.0 * DBL_EPSILON);
    for (int c = 0; c < 3; ++c)
        values.centre[c] = origin[c] + s[1 + c] / s[0] * unit;
    measure_moments(mesh, values.centre, unit, s);
    values.volume = s[0] * unit * unit * unit;
    measure_inertia(s, unit, &values);
    const double *moment = values.principal;
    const double least = fmin(moment[0], fmin(moment[1], moment[2]));
    DEMI_REFUSE(least < 0.0, DEM_ERROR_RANGE,
                "dem_mesh: a principal moment of inertia is %g m5, below 0: the surface crosses "
                "itself, or the solid is too thin to measure",
                least);
    DEMI_REFUSE(!measure_normal(values.volume) || !measure_normal(moment[0]) ||
                    !measure_normal(moment[1]) || !measure_normal(moment[2]),
                DEM_ERROR_RANGE,
                "dem_mesh: volume %g m3 or a moment of inertia (%g, %g, %g) m5 is no normal "
                "number: take another unit of length (dem_mesh_config.scale)",
                values.volume, moment[0], moment[1], moment[2]);
    return demi_sized_write(solid, solid->struct_size, &values);
}

dem_status dem_mesh_measure(const dem_mesh *mesh, dem_mesh_solid *solid, dem_error *error)
{
    DEMI_QUIET(guarded_mesh_measure(mesh, solid, error));
}
