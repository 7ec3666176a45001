/* SPDX-License-Identifier: MIT */
/* A disc about `point` across `normal`, of radius size[0], with a hole of radius size[1] or 0. It
 * is thin: both faces and the rims touch, or only what is in front of it. */
#include "shapes/meridian.h"

static dem_status disc_make(demi_context *context, const dem_wall *wall, demi_solid *solid)
{
    const double hole = wall->size[1];
    dem_status status = demi_shape_lengths(context, "disc", wall, 1, 2);
    if (status == DEM_OK && hole >= wall->size[0])
        status = demi_fail(context, DEM_ERROR_RANGE,
                           "dem_wall.size[1]: the hole of a disc, %g m, must be smaller than its "
                           "radius, %g m",
                           hole, wall->size[0]);
    /* from the rim to the hole, so that the normal is outward */
    solid->meridian = demi_meridian_line(solid, wall->size[0], 0.0, hole);
    solid->meridian.cap_low = solid->meridian.cap_high = 0;
    solid->meridian.side = DEM_SIDE_BOTH;
    return status;
}

static void disc_concave(const demi_solid *solid, double curvature[2])
{
    curvature[0] = 0.0;
    curvature[1] = solid->size[1] > 0.0 ? -1.0 / solid->size[1] : 0.0;
}

static double disc_area(const demi_solid *solid)
{
    const double radius = solid->size[0], hole = solid->size[1];
    return 3.14159265358979323846 * (radius - hole) * (radius + hole);
}

static void disc_surface(uint64_t n, const demi_solid *const *solid, const uint32_t *feature,
                         const double *const *point, demi_surface *out)
{
    demi_meridian_surface(n, solid, feature, point, out);
    for (uint64_t k = 0; k < n; ++k)
        demi_shape_front(solid[k], point[k], &out[k]);
}

const demi_shape demi_shape_disc = {.name = "disc",
                                    .round = DEMI_ROUND_AXIS,
                                    .sides = 1 << DEM_SIDE_OUTSIDE | 1 << DEM_SIDE_BOTH,
                                    .make = disc_make,
                                    .features = 1,
                                    .near = demi_shape_near,
                                    .least_gap = demi_meridian_least_gap,
                                    .extent = demi_meridian_extent,
                                    .box = demi_meridian_box,
                                    .room = demi_shape_infinite,
                                    .area = disc_area,
                                    .approach = demi_shape_approach,
                                    .normal_along = demi_shape_normal_everywhere,
                                    .concave = disc_concave,
                                    .surface = disc_surface};
