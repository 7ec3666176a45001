/* SPDX-License-Identifier: MIT */
/* What several shapes share. */
#include "base/check.h"
#include "shapes/shape.h"

#include <dem/kernels.h>

double demi_shape_radius(const double curvature[2], double radius)
{
    if (curvature[0] == 0.0 && curvature[1] == 0.0)
        return radius;
    const double own = 1.0 / radius, least = 0.05 * own, most = 20.0 * own;
    double product = 1.0;
    for (int c = 0; c < 2; ++c) {
        const double factor = own + curvature[c];
        product *= factor > most ? most : factor > least ? factor : least;
    }
    return 1.0 / sqrt(product);
}

dem_status demi_shape_lengths(demi_context *context, const char *shape, const dem_wall *wall,
                              int needed, int may)
{
    for (int k = 0; k < 3; ++k) {
        const double length = wall->size[k];
        const int none = k >= needed && length == 0.0;
        if (k < may && !none && (!demi_positive(length) || length > DEMI_MOTION_MOST))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_wall.size[%d]: %g m of a %s must be %sin (0, %g]", k, length,
                             shape, k < needed ? "" : "0 or ", DEMI_MOTION_MOST);
        if (k >= may && length != 0.0)
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_wall.size[%d]: %g must be 0, because a %s has no such length", k,
                             length, shape);
    }
    return DEM_OK;
}

void demi_shape_front(const demi_solid *solid, const double point[3], demi_surface *surface)
{
    double height = 0.0;
    for (int c = 0; c < 3; ++c)
        height += (point[c] - solid->point[c]) * solid->normal[c];
    if (solid->side == DEM_SIDE_OUTSIDE && height < 0.0)
        surface->gap = DEMI_SHAPE_APART;
}

void demi_shape_along(const demi_solid *solid, const double vector[3], double local[3])
{
    const double *n = solid->normal, *a = solid->axis;
    const double across[3] = {n[1] * a[2] - n[2] * a[1], n[2] * a[0] - n[0] * a[2],
                              n[0] * a[1] - n[1] * a[0]};
    local[0] = demi_dot(vector, a);
    local[1] = demi_dot(vector, across);
    local[2] = demi_dot(vector, n);
}

void demi_shape_local(const demi_solid *solid, const double point[3], double local[3])
{
    const double d[3] = {point[0] - solid->point[0], point[1] - solid->point[1],
                         point[2] - solid->point[2]};
    demi_shape_along(solid, d, local);
}

void demi_shape_global(const demi_solid *solid, const double local[3], double vector[3])
{
    const double *n = solid->normal, *a = solid->axis;
    const double across[3] = {n[1] * a[2] - n[2] * a[1], n[2] * a[0] - n[0] * a[2],
                              n[0] * a[1] - n[1] * a[0]};
    for (int c = 0; c < 3; ++c)
        vector[c] = local[0] * a[c] + local[1] * across[c] + local[2] * n[c];
}

void demi_shape_box_of_size(const demi_solid *solid, double low[3], double high[3])
{
    for (int c = 0; c < 3; ++c) {
        high[c] = 0.5 * solid->size[c];
        low[c] = -high[c];
    }
}

void demi_shape_span(const demi_shape *shape, const demi_solid *solid, int axis, double *low,
                     double *high)
{
    const double extent = shape->extent(solid);
    double from[3], to[3], before = 0.0, beyond = 0.0;
    if (!isfinite(extent)) {
        before = -INFINITY;
        beyond = INFINITY;
    } else {
        shape->box(solid, from, to);
        for (int k = 0; k < 3; ++k) {
            const double unit[3] = {k == 0, k == 1, k == 2};
            double along[3];
            demi_shape_global(solid, unit, along);
            before += along[axis] * (along[axis] > 0.0 ? from[k] : to[k]);
            beyond += along[axis] * (along[axis] > 0.0 ? to[k] : from[k]);
        }
    }
    *low = solid->point[axis] + (before > -extent ? before : -extent);
    *high = solid->point[axis] + (beyond < extent ? beyond : extent);
}

double demi_shape_box_slack(const demi_solid *solid, const double low[3], const double high[3])
{
    double half[3], size = 0.0;
    for (int c = 0; c < 3; ++c) {
        half[c] = 0.5 * (high[c] - low[c]);
        size += fabs(low[c]) + fabs(high[c]) + fabs(solid->point[c]) + solid->size[c];
    }
    /* the gap of a point is rounded otherwise than the bound */
    return sqrt(demi_dot(half, half)) + 1e-14 * size;
}

double demi_shape_least_gap(demi_shape_bound *bound, const demi_solid *solid, uint32_t feature,
                            const double low[3], const double high[3])
{
    double middle[3];
    for (int c = 0; c < 3; ++c)
        middle[c] = 0.5 * (low[c] + high[c]);
    return bound(solid, feature, middle) - demi_shape_box_slack(solid, low, high);
}

int demi_shape_away(const demi_shape *shape, const demi_solid *solid, const double low[3],
                    const double high[3], double distance)
{
    const double extent = shape->extent(solid);
    double square = 0.0;
    if (solid->side == DEM_SIDE_INSIDE || shape->kept > 0 || isinf(extent))
        return 0;
    for (int c = 0; c < 3; ++c) {
        const double before = low[c] - solid->point[c], beyond = solid->point[c] - high[c],
                     out = before > beyond ? before : beyond;
        square += out > 0.0 ? out * out : 0.0;
    }
    const double most = (distance + extent) * (1.0 + 1e-9);
    return square > most * most;
}

double demi_shape_infinite(const demi_solid *solid)
{
    (void)solid;
    return INFINITY;
}

void demi_shape_not_concave(const demi_solid *solid, double curvature[2])
{
    (void)solid;
    curvature[0] = curvature[1] = 0.0;
}

double demi_shape_normal_everywhere(const demi_solid *solid, int axis)
{
    (void)solid;
    (void)axis;
    return 1.0;
}

uint64_t demi_shape_near(const demi_shape *shape, const demi_solid *solid, const double low[3],
                         const double high[3], double distance, uint32_t first, uint32_t *feature,
                         uint64_t room)
{
    uint64_t found = 0;
    for (uint32_t f = first; f < shape->features && found < room; ++f)
        if (shape->least_gap(solid, f, low, high) < distance)
            feature[found++] = f;
    return found;
}

double demi_shape_approach(const demi_solid *solid, const double displacement[3])
{
    (void)solid;
    return sqrt(demi_dot(displacement, displacement));
}

void demi_shape_velocity(const demi_solid *solid, const double arm[3], double velocity[3])
{
    const double *w = solid->angular_velocity;
    velocity[0] = solid->velocity[0] + (w[1] * arm[2] - w[2] * arm[1]);
    velocity[1] = solid->velocity[1] + (w[2] * arm[0] - w[0] * arm[2]);
    velocity[2] = solid->velocity[2] + (w[0] * arm[1] - w[1] * arm[0]);
}

double demi_shape_turned(const demi_shape *shape, const demi_solid *before, const demi_solid *now)
{
    double normal[3], axis[3];
    for (int c = 0; c < 3; ++c) {
        normal[c] = now->normal[c] - before->normal[c];
        axis[c] = now->axis[c] - before->axis[c];
    }
    /* twice the sine of half the angle; two columns of a rotation tell at least that */
    const double of_normal = demi_dot(normal, normal), of_axis = demi_dot(axis, axis);
    if (shape->round == DEMI_ROUND_BALL)
        return 0.0;
    return sqrt(shape->round == DEMI_ROUND_AXIS ? of_normal : of_normal + of_axis);
}

double demi_shape_turned_approach(const demi_shape *shape, const demi_solid *before,
                                  const demi_solid *now, const double from[3], const double to[3])
{
    if (shape->round == DEMI_ROUND_AXIS && demi_dot(before->normal, now->normal) < -0.9)
        return INFINITY; /* many rotations do that */
    /* turned back: from where the solid is to where it was */
    double back[3] = {to[0], to[1], to[2]}, displacement[3];
    if (shape->round == DEMI_ROUND_AXIS)
        dem_kernel_rotate_minimal(now->normal, before->normal, back);
    if (shape->round == DEMI_ROUND_NOT) {
        double point[3], local[3];
        for (int c = 0; c < 3; ++c)
            point[c] = now->point[c] + to[c];
        demi_shape_local(now, point, local);
        demi_shape_global(before, local, back);
    }
    for (int c = 0; c < 3; ++c)
        displacement[c] = back[c] - from[c];
    return shape->approach(before, displacement);
}
