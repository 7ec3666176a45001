/* SPDX-License-Identifier: MIT */
/* A cone about the axis through `point` along `normal`, of radius size[0] at its low end, height
 * size[1] and radius size[2] at its high end; one radius may be 0. */
#include "base/check.h"
#include "shapes/meridian.h"

static dem_status cone_make(demi_context *context, const dem_wall *wall, demi_solid *solid)
{
    const double *size = wall->size;
    for (int k = 0; k < 3; ++k)
        if (!demi_not_negative(size[k]) || size[k] > DEMI_MOTION_MOST || (k == 1 && size[k] == 0.0))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_wall.size[%d]: %g m of a cone must be %s 0 and at most %g", k,
                             size[k], k == 1 ? ">" : ">=", DEMI_MOTION_MOST);
    if (!(size[0] + size[2] > 0.0))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall.size: both radii of a cone are 0; one may be");
    solid->meridian = demi_meridian_line(solid, size[0], size[1], size[2]);
    return demi_meridian_ends(context, "cone", wall);
}

const demi_shape demi_shape_cone = {.name = "cone",
                                    .round = DEMI_ROUND_AXIS,
                                    .sides = 1 << DEM_SIDE_OUTSIDE | 1 << DEM_SIDE_INSIDE |
                                             1 << DEM_SIDE_BOTH,
                                    .ends = 1,
                                    .make = cone_make,
                                    .features = DEMI_MERIDIAN_FEATURES,
                                    .near = demi_shape_near,
                                    .least_gap = demi_meridian_least_gap,
                                    .extent = demi_meridian_extent,
                                    .box = demi_meridian_box,
                                    .room = demi_meridian_room,
                                    .approach = demi_shape_approach,
                                    .normal_along = demi_shape_normal_everywhere,
                                    .concave = demi_meridian_concave,
                                    .surface = demi_meridian_surface};
