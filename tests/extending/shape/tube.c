/* SPDX-License-Identifier: MIT */
/* A tube: the axis goes through `point` along `normal`, the radius is size[0], and the solid is
 * outside. It has no ends. */
#include "base/check.h"
#include "shapes/shape.h"

static dem_status tube_make(demi_context *context, const dem_wall *wall, demi_solid *solid)
{
    (void)solid;
    if (!demi_positive(wall->size[0]) || wall->size[0] > DEMI_MOTION_MOST)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall.size: the radius of a tube, %g m, must be in (0, %g]",
                         wall->size[0], DEMI_MOTION_MOST);
    if (wall->size[1] != 0.0 || wall->size[2] != 0.0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall.size: (%g, %g) after the radius of a tube must be 0",
                         wall->size[1], wall->size[2]);
    return DEM_OK;
}

/* The part across the axis of the way from the axis to a point; its length. */
static double from_axis(const demi_solid *solid, const double point[3], double across[3])
{
    double along = 0.0;
    for (int c = 0; c < 3; ++c)
        along += (point[c] - solid->point[c]) * solid->normal[c];
    for (int c = 0; c < 3; ++c)
        across[c] = point[c] - solid->point[c] - along * solid->normal[c];
    return sqrt(demi_dot(across, across));
}

/* No point of a box is farther from the axis than one of its corners. */
static double tube_least_gap(const demi_solid *solid, uint32_t feature, const double low[3],
                             const double high[3])
{
    (void)feature;
    double farthest = 0.0, size = 0.0;
    for (int k = 0; k < 8; ++k) {
        double corner[3], across[3];
        for (int c = 0; c < 3; ++c) {
            corner[c] = (k >> c & 1) != 0 ? high[c] : low[c];
            size += fabs(corner[c]) + fabs(solid->point[c]);
        }
        const double distance = from_axis(solid, corner, across);
        farthest = distance > farthest ? distance : farthest;
    }
    return solid->size[0] - farthest - 1e-14 * (size + solid->size[0]);
}

static double tube_normal_along(const demi_solid *solid, int axis)
{
    const double square = 1.0 - solid->normal[axis] * solid->normal[axis];
    return square > 0.0 ? sqrt(square) : 0.0;
}

static void tube_concave(const demi_solid *solid, double curvature[2])
{
    curvature[0] = 0.0;
    curvature[1] = -1.0 / solid->size[0];
}

static void tube_surface(uint64_t n, const demi_solid *const *solid, const uint32_t *feature,
                         const double *const *point, demi_surface *out)
{
    (void)feature;
    for (uint64_t k = 0; k < n; ++k) {
        double across[3];
        const double distance = from_axis(solid[k], point[k], across);
        for (int c = 0; c < 3; ++c) {
            out[k].normal[c] = distance > 0.0 ? -across[c] / distance : 0.0;
            out[k].velocity[c] = solid[k]->velocity[c];
        }
        out[k].gap = solid[k]->size[0] - distance;
        tube_concave(solid[k], out[k].curvature);
    }
}

const demi_shape demi_shape_tube = {.name = "tube",
                                    .sides = 1 << DEM_SIDE_OUTSIDE,
                                    .features = 1,
                                    .make = tube_make,
                                    .near = demi_shape_near,
                                    .least_gap = tube_least_gap,
                                    .extent = demi_shape_infinite,
                                    .room = demi_shape_infinite,
                                    .approach = demi_shape_approach,
                                    .normal_along = tube_normal_along,
                                    .concave = tube_concave,
                                    .surface = tube_surface};
