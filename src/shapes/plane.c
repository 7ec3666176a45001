/* SPDX-License-Identifier: MIT */
/* An infinite plane through `point`, solid on the side away from `normal`. */
#include "base/check.h"
#include "shapes/shape.h"

static dem_status plane_make(demi_context *context, const dem_wall *wall, demi_solid *solid)
{
    if (demi_any3(wall->size))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall.size: (%g, %g, %g) must be 0, because a plane has no size",
                         wall->size[0], wall->size[1], wall->size[2]);
    for (int c = 0; c < 3; ++c)
        solid->axis[c] = 0.0;
    return DEM_OK;
}

static double plane_least_gap(const demi_solid *solid, uint32_t feature, const double low[3],
                              const double high[3])
{
    (void)feature;
    double gap = 0.0, size = 0.0;
    for (int c = 0; c < 3; ++c) {
        const double corner = solid->normal[c] > 0.0 ? low[c] : high[c];
        gap += (corner - solid->point[c]) * solid->normal[c];
        size += (fabs(corner) + fabs(solid->point[c])) * fabs(solid->normal[c]);
    }
    /* the gap of a point is rounded otherwise than that of a corner */
    return gap - 1e-14 * size;
}

static double plane_approach(const demi_solid *solid, const double displacement[3])
{
    return -demi_dot(displacement, solid->normal);
}

static double plane_normal_along(const demi_solid *solid, int axis)
{
    return fabs(solid->normal[axis]);
}

static void plane_surface(uint64_t n, const demi_solid *const *solid, const uint32_t *feature,
                          const double *const *point, demi_surface *out)
{
    (void)feature;
    for (uint64_t k = 0; k < n; ++k) {
        const demi_solid *s = solid[k];
        double gap = 0.0;
        for (int c = 0; c < 3; ++c) {
            gap += (point[k][c] - s->point[c]) * s->normal[c];
            out[k].normal[c] = s->normal[c];
            out[k].velocity[c] = s->velocity[c];
        }
        out[k].gap = gap;
        out[k].curvature[0] = out[k].curvature[1] = 0.0;
    }
}

const demi_shape demi_shape_plane = {.name = "plane",
                                     .flat = 1,
                                     .round = DEMI_ROUND_AXIS,
                                     .sides = 1 << DEM_SIDE_OUTSIDE,
                                     .make = plane_make,
                                     .features = 1,
                                     .near = demi_shape_near,
                                     .least_gap = plane_least_gap,
                                     .extent = demi_shape_infinite,
                                     .room = demi_shape_infinite,
                                     .approach = plane_approach,
                                     .normal_along = plane_normal_along,
                                     .concave = demi_shape_not_concave,
                                     .surface = plane_surface};
