/* SPDX-License-Identifier: MIT */
/* From a host's wall to a solid: its size, shape, point, directions, sides and ends; lengths are
 * the shape's own. */
#include "base/check.h"
#include "base/sized.h"
#include "shapes/shape.h"

#include <string.h>

dem_status demi_shape_bounded(demi_context *context, const char *member, const char *unit,
                              const double vector[3])
{
    if (!demi_finite3(vector))
        return demi_fail(context, DEM_ERROR_RANGE, "dem_wall.%s: is not finite along %s", member,
                         demi_not_finite_axes(vector));
    if (!demi_within3(vector, DEMI_MOTION_MOST))
        return demi_fail(context, DEM_ERROR_RANGE, "dem_wall.%s: (%g, %g, %g) is beyond %g %s",
                         member, vector[0], vector[1], vector[2], DEMI_MOTION_MOST, unit);
    return DEM_OK;
}

dem_status demi_shape_wall_read(demi_context *context, const dem_wall *wall, dem_wall *in,
                                int32_t *row)
{
    memset(in, 0, sizeof *in);
    if (demi_sized_read(in, wall) != DEM_OK)
        return demi_sized_fail(context, "dem_wall", wall->struct_size);
    const int32_t shape = demi_shape_of_wall(in->shape);
    *row = shape;
    if (shape < 0)
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "dem_wall.shape: %d is not a shape of walls, which are:%s", (int)in->shape,
                         demi_shape_names());
    return demi_shape_bounded(context, "point", "m", in->point);
}

/* The unit vector of a member of dem_wall. */
static dem_status shape_unit(demi_context *context, const char *member, const double vector[3],
                             double unit[3])
{
    /* scaled by its largest component, so that the square neither overflows nor vanishes */
    double largest = 0.0, square = 0.0;
    for (int c = 0; c < 3 && demi_finite3(vector); ++c)
        largest = fabs(vector[c]) > largest ? fabs(vector[c]) : largest;
    if (!(largest > 0.0))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall.%s: (%g, %g, %g) must be finite and not 0", member, vector[0],
                         vector[1], vector[2]);
    for (int c = 0; c < 3; ++c) {
        unit[c] = vector[c] / largest;
        square += unit[c] * unit[c];
    }
    for (int c = 0; c < 3; ++c)
        unit[c] /= sqrt(square);
    return DEM_OK;
}

/* An axis across the unit normal: that of dem_wall.axis, or a fixed one. */
static dem_status shape_axis(demi_context *context, const double axis[3], demi_solid *solid)
{
    const double *n = solid->normal;
    double across[3], fixed[3] = {0.0, 0.0, 0.0};
    const int given = demi_any3(axis) || !demi_finite3(axis);
    /* the coordinate axis that is farthest from the normal; of equal ones the first */
    int least = 0;
    for (int c = 1; c < 3; ++c)
        least = fabs(n[c]) < fabs(n[least]) ? c : least;
    fixed[least] = 1.0;
    const dem_status status = shape_unit(context, "axis", given ? axis : fixed, across);
    if (status != DEM_OK)
        return status;
    const double along = demi_dot(across, n);
    for (int c = 0; c < 3; ++c)
        across[c] -= along * n[c];
    if (!(demi_dot(across, across) > 1e-12))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall.axis: (%g, %g, %g) must not be along the normal", axis[0],
                         axis[1], axis[2]);
    const int close = demi_dot(across, across) < 0.01;
    (void)shape_unit(context, "axis", across, solid->axis);
    if (close) { /* to the normal: the difference has lost digits */
        const double left = demi_dot(solid->axis, n);
        for (int c = 0; c < 3; ++c)
            across[c] = solid->axis[c] - left * n[c];
        (void)shape_unit(context, "axis", across, solid->axis);
    }
    return DEM_OK;
}

/* Refuses a side or ends that no shape has, or this one has not. */
static dem_status shape_sides(demi_context *context, const demi_shape *shape, const dem_wall *wall)
{
    if (wall->side < DEM_SIDE_OUTSIDE || wall->side > DEM_SIDE_BOTH)
        return demi_fail(context, DEM_ERROR_UNKNOWN, "dem_wall.side: %d is not a DEM_SIDE_",
                         (int)wall->side);
    if ((shape->sides >> wall->side & 1) == 0) {
        static const char *const names[] = {"OUTSIDE", "INSIDE", "BOTH"};
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall.side: DEM_SIDE_%s is not offered for a %s", names[wall->side],
                         shape->name);
    }
    const int32_t ends = shape->ends ? DEM_OPEN_LOW | DEM_OPEN_HIGH : 0;
    if ((wall->open & ~ends) != 0)
        return demi_fail(context, DEM_ERROR_RANGE, "dem_wall.open: %d must be in [0, %d] for a %s",
                         (int)wall->open, (int)ends, shape->name);
    return DEM_OK;
}

dem_status demi_shape_make(demi_context *context, int32_t row, const dem_wall *wall,
                           demi_solid *solid)
{
    const demi_shape *shape = demi_shapes[row];
    memset(solid, 0, sizeof *solid);
    memcpy(solid->point, wall->point, sizeof solid->point);
    memcpy(solid->velocity, wall->velocity, sizeof solid->velocity);
    memcpy(solid->centre, wall->point, sizeof solid->centre);
    memcpy(solid->size, wall->size, sizeof solid->size);
    solid->side = wall->side;
    solid->open = wall->open;
    if (shape->kept == 0 && wall->mesh != NULL)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall.mesh: must be NULL for a %s, which has no mesh", shape->name);
    if (shape->kept == 0 && wall->mesh_cosine != 0.0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall.mesh_cosine: %g must be 0 for a %s, which has no mesh",
                         wall->mesh_cosine, shape->name);
    dem_status status = shape_sides(context, shape, wall);
    if (status == DEM_OK)
        status = shape_unit(context, "normal", wall->normal, solid->normal);
    if (status == DEM_OK)
        status = shape_axis(context, wall->axis, solid);
    return status == DEM_OK ? shape->make(context, wall, solid) : status;
}
