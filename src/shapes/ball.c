/* SPDX-License-Identifier: MIT */
/* A ball about `point` of radius size[0], a hollow of that form, or a shell. */
#include "base/check.h"
#include "shapes/shape.h"

static dem_status ball_make(demi_context *context, const dem_wall *wall, demi_solid *solid)
{
    (void)solid;
    return demi_shape_lengths(context, "ball", wall, 1, 1);
}

/* Distance from the centre, and the direction; a fixed one at the centre. */
static double ball_distance(const demi_solid *solid, const double point[3], double direction[3])
{
    double d[3];
    for (int c = 0; c < 3; ++c)
        d[c] = point[c] - solid->point[c];
    const double distance = sqrt(demi_dot(d, d));
    for (int c = 0; c < 3; ++c)
        direction[c] = distance > 0.0 ? d[c] / distance : solid->axis[c];
    return distance;
}

/* 1 outside of the surface, -1 inside, on the side that is free. */
static double ball_side(const demi_solid *solid, double distance)
{
    if (solid->side == DEM_SIDE_BOTH)
        return distance < solid->size[0] ? -1.0 : 1.0;
    return solid->side == DEM_SIDE_INSIDE ? -1.0 : 1.0;
}

static double ball_bound(const demi_solid *solid, uint32_t feature, const double point[3])
{
    (void)feature;
    double direction[3];
    const double distance = ball_distance(solid, point, direction);
    return ball_side(solid, distance) * (distance - solid->size[0]);
}

static double ball_least_gap(const demi_solid *solid, uint32_t feature, const double low[3],
                             const double high[3])
{
    return demi_shape_least_gap(ball_bound, solid, feature, low, high);
}

static void ball_box(const demi_solid *solid, double low[3], double high[3])
{
    for (int c = 0; c < 3; ++c) {
        high[c] = solid->size[0];
        low[c] = -high[c];
    }
}

static double ball_extent(const demi_solid *solid)
{
    return solid->size[0];
}

static double ball_room(const demi_solid *solid)
{
    return solid->side == DEM_SIDE_INSIDE ? solid->size[0] : INFINITY;
}

static void ball_concave(const demi_solid *solid, double curvature[2])
{
    curvature[0] = curvature[1] = solid->side == DEM_SIDE_OUTSIDE ? 0.0 : -1.0 / solid->size[0];
}

static void ball_surface(uint64_t n, const demi_solid *const *solid, const uint32_t *feature,
                         const double *const *point, demi_surface *out)
{
    (void)feature;
    for (uint64_t k = 0; k < n; ++k) {
        const demi_solid *s = solid[k];
        double direction[3];
        const double distance = ball_distance(s, point[k], direction);
        const double side = ball_side(s, distance);
        for (int c = 0; c < 3; ++c) {
            out[k].normal[c] = side * direction[c];
            out[k].velocity[c] = s->velocity[c];
        }
        out[k].gap = side * (distance - s->size[0]);
        out[k].curvature[0] = out[k].curvature[1] = side / s->size[0];
    }
}

const demi_shape demi_shape_ball = {.name = "ball",
                                    .round = DEMI_ROUND_BALL,
                                    .sides = 1 << DEM_SIDE_OUTSIDE | 1 << DEM_SIDE_INSIDE |
                                             1 << DEM_SIDE_BOTH,
                                    .make = ball_make,
                                    .features = 1,
                                    .near = demi_shape_near,
                                    .least_gap = ball_least_gap,
                                    .extent = ball_extent,
                                    .box = ball_box,
                                    .room = ball_room,
                                    .approach = demi_shape_approach,
                                    .normal_along = demi_shape_normal_everywhere,
                                    .concave = ball_concave,
                                    .surface = ball_surface};
