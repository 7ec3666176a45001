/* SPDX-License-Identifier: MIT */
/* A box about `point`: size[0] long along `axis`, size[1] across it, size[2] along `normal`. From
 * outside it has one feature, whose nearest point moves over faces, edges and corners; from inside
 * six, a face each. */
#include "base/check.h"
#include "shapes/shape.h"

enum { BOX_FACES = 6 };

static dem_status box_make(demi_context *context, const dem_wall *wall, demi_solid *solid)
{
    (void)solid;
    return demi_shape_lengths(context, "box", wall, 3, 3);
}

/* Height of a point over a face, outward. */
static double face_height(const demi_solid *solid, const double local[3], uint32_t face)
{
    return ((face & 1u) != 0 ? local[face / 2] : -local[face / 2]) - 0.5 * solid->size[face / 2];
}

/* The face that a point is farthest outside of, or least inside. */
static uint32_t outermost_face(const demi_solid *solid, const double local[3])
{
    uint32_t face = 0;
    for (uint32_t f = 1; f < BOX_FACES; ++f)
        if (face_height(solid, local, f) > face_height(solid, local, face))
            face = f;
    return face;
}

/* From the nearest point of the box, and the distance, of a point outside. */
static double box_off(const demi_solid *solid, const double local[3], double off[3])
{
    int across = 0;
    double last = 0.0;
    for (int c = 0; c < 3; ++c) {
        const double half = 0.5 * solid->size[c];
        off[c] = local[c] > half ? local[c] - half : local[c] < -half ? local[c] + half : 0.0;
        across += off[c] != 0.0;
        last = off[c] != 0.0 ? fabs(off[c]) : last;
    }
    return across == 1 ? last : sqrt(demi_dot(off, off));
}

/* Distance of a point from a face of a hollow: of that from the box where it is outside. */
static double box_bound(const demi_solid *solid, uint32_t feature, const double point[3])
{
    double local[3], off[3];
    demi_shape_local(solid, point, local);
    if (solid->side == DEM_SIDE_OUTSIDE && feature != DEMI_SHAPE_WHOLE && feature > 0)
        return INFINITY; /* there is one feature */
    const double height = face_height(solid, local, outermost_face(solid, local));
    if (solid->side == DEM_SIDE_OUTSIDE)
        return height > 0.0 ? box_off(solid, local, off) : height;
    return -(feature < BOX_FACES ? face_height(solid, local, feature) : height);
}

static double box_least_gap(const demi_solid *solid, uint32_t feature, const double low[3],
                            const double high[3])
{
    return demi_shape_least_gap(box_bound, solid, feature, low, high);
}

static double box_extent(const demi_solid *solid)
{
    return 0.5 * sqrt(demi_dot(solid->size, solid->size));
}

static double box_room(const demi_solid *solid)
{
    const double *size = solid->size;
    double least = size[0] < size[1] ? size[0] : size[1];
    least = size[2] < least ? size[2] : least;
    return solid->side == DEM_SIDE_INSIDE ? 0.5 * least : INFINITY;
}

static double box_surface_one(const demi_solid *solid, uint32_t feature, const double point[3],
                              double normal[3])
{
    double local[3], off[3] = {0.0, 0.0, 0.0};
    demi_shape_local(solid, point, local);
    const int inside = solid->side == DEM_SIDE_INSIDE;
    const uint32_t face = inside ? feature : outermost_face(solid, local);
    double gap = face_height(solid, local, face);
    if (inside || gap <= 0.0) {
        off[face / 2] = ((face & 1u) != 0) != inside ? 1.0 : -1.0;
        gap = inside ? -gap : gap;
    } else {
        gap = box_off(solid, local, off);
        for (int c = 0; c < 3; ++c)
            off[c] /= gap;
    }
    demi_shape_global(solid, off, normal);
    return gap;
}

static void box_surface(uint64_t n, const demi_solid *const *solid, const uint32_t *feature,
                        const double *const *point, demi_surface *out)
{
    for (uint64_t k = 0; k < n; ++k) {
        out[k].gap = box_surface_one(solid[k], feature[k], point[k], out[k].normal);
        for (int c = 0; c < 3; ++c)
            out[k].velocity[c] = solid[k]->velocity[c];
        out[k].curvature[0] = out[k].curvature[1] = 0.0;
    }
}

const demi_shape demi_shape_box = {.name = "box",
                                   .sides = 1 << DEM_SIDE_OUTSIDE | 1 << DEM_SIDE_INSIDE,
                                   .make = box_make,
                                   .features = BOX_FACES,
                                   .near = demi_shape_near,
                                   .least_gap = box_least_gap,
                                   .extent = box_extent,
                                   .box = demi_shape_box_of_size,
                                   .room = box_room,
                                   .approach = demi_shape_approach,
                                   .normal_along = demi_shape_normal_everywhere,
                                   .concave = demi_shape_not_concave,
                                   .surface = box_surface};
