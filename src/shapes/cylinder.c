/* SPDX-License-Identifier: MIT */
/* A cylinder about the axis through `point` along `normal`, of radius size[0] and height size[1];
 * without ends if that is 0. */
#include "base/check.h"
#include "shapes/meridian.h"

static dem_status cylinder_make(demi_context *context, const dem_wall *wall, demi_solid *solid)
{
    const double radius = wall->size[0], height = wall->size[1];
    const dem_status status = demi_shape_lengths(context, "cylinder", wall, 1, 2);
    if (status == DEM_OK && wall->open != 0 && wall->size[1] == 0.0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall.open: %d must be 0 for a cylinder of height 0, which has no "
                         "ends",
                         (int)wall->open);
    demi_meridian *m = &solid->meridian;
    *m = demi_meridian_line(solid, radius, height > 0.0 ? height : radius, radius);
    m->endless = !(height > 0.0);
    if (m->endless)
        m->cap_low = m->cap_high = 0;
    return status == DEM_OK ? demi_meridian_ends(context, "cylinder", wall) : status;
}

static double cylinder_approach(const demi_solid *solid, const double displacement[3])
{
    double across[3];
    const double along = solid->size[1] > 0.0 ? 0.0 : demi_dot(displacement, solid->normal);
    for (int c = 0; c < 3; ++c)
        across[c] = displacement[c] - along * solid->normal[c];
    return sqrt(demi_dot(across, across));
}

static double cylinder_normal_along(const demi_solid *solid, int axis)
{
    const double square = 1.0 - solid->normal[axis] * solid->normal[axis];
    return solid->size[1] > 0.0 ? 1.0 : square > 0.0 ? sqrt(square) : 0.0;
}

const demi_shape demi_shape_cylinder = {.name = "cylinder",
                                        .round = DEMI_ROUND_AXIS,
                                        .sides = 1 << DEM_SIDE_OUTSIDE | 1 << DEM_SIDE_INSIDE |
                                                 1 << DEM_SIDE_BOTH,
                                        .ends = 1,
                                        .make = cylinder_make,
                                        .features = DEMI_MERIDIAN_FEATURES,
                                        .near = demi_shape_near,
                                        .least_gap = demi_meridian_least_gap,
                                        .extent = demi_meridian_extent,
                                        .box = demi_meridian_box,
                                        .room = demi_meridian_room,
                                        .approach = cylinder_approach,
                                        .normal_along = cylinder_normal_along,
                                        .concave = demi_meridian_concave,
                                        .surface = demi_meridian_surface};
