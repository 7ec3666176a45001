/* SPDX-License-Identifier: MIT */
/* A rectangle about `point` across `normal`: size[0] long along `axis`, size[1] across it. It is
 * thin: both faces and the edges touch, or only what is in front of it. */
#include "base/check.h"
#include "shapes/shape.h"

static dem_status rectangle_make(demi_context *context, const dem_wall *wall, demi_solid *solid)
{
    (void)solid;
    return demi_shape_lengths(context, "rectangle", wall, 2, 2);
}

/* From the nearest point of the rectangle, in its axes; the distance. */
static double rectangle_off(const demi_solid *solid, const double point[3], double off[3])
{
    demi_shape_local(solid, point, off);
    for (int c = 0; c < 2; ++c) {
        const double half = 0.5 * solid->size[c];
        off[c] = off[c] > half ? off[c] - half : off[c] < -half ? off[c] + half : 0.0;
    }
    return off[0] == 0.0 && off[1] == 0.0 ? fabs(off[2]) : sqrt(demi_dot(off, off));
}

static double rectangle_bound(const demi_solid *solid, uint32_t feature, const double point[3])
{
    (void)feature;
    double off[3];
    return rectangle_off(solid, point, off);
}

static double rectangle_least_gap(const demi_solid *solid, uint32_t feature, const double low[3],
                                  const double high[3])
{
    return demi_shape_least_gap(rectangle_bound, solid, feature, low, high);
}

static double rectangle_extent(const demi_solid *solid)
{
    return 0.5 * sqrt(demi_dot(solid->size, solid->size));
}

static double rectangle_area(const demi_solid *solid)
{
    return solid->size[0] * solid->size[1];
}

static void rectangle_surface(uint64_t n, const demi_solid *const *solid, const uint32_t *feature,
                              const double *const *point, demi_surface *out)
{
    (void)feature;
    for (uint64_t k = 0; k < n; ++k) {
        const demi_solid *s = solid[k];
        double off[3], normal[3];
        const double distance = rectangle_off(s, point[k], off);
        const double scale = distance > 0.0 ? distance : 1.0, side = off[2] < 0.0 ? -1.0 : 1.0;
        const int face = off[0] == 0.0 && off[1] == 0.0;
        for (int c = 0; c < 3; ++c)
            off[c] /= scale;
        demi_shape_global(s, off, normal);
        for (int c = 0; c < 3; ++c) {
            out[k].normal[c] = face ? side * s->normal[c] : normal[c];
            out[k].velocity[c] = s->velocity[c];
        }
        out[k].gap = distance;
        out[k].curvature[0] = out[k].curvature[1] = 0.0;
        demi_shape_front(s, point[k], &out[k]);
    }
}

const demi_shape demi_shape_rectangle = {.name = "rectangle",
                                         .sides = 1 << DEM_SIDE_OUTSIDE | 1 << DEM_SIDE_BOTH,
                                         .make = rectangle_make,
                                         .features = 1,
                                         .near = demi_shape_near,
                                         .least_gap = rectangle_least_gap,
                                         .extent = rectangle_extent,
                                         .box = demi_shape_box_of_size,
                                         .room = demi_shape_infinite,
                                         .area = rectangle_area,
                                         .approach = demi_shape_approach,
                                         .normal_along = demi_shape_normal_everywhere,
                                         .concave = demi_shape_not_concave,
                                         .surface = rectangle_surface};
