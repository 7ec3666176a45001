/* SPDX-License-Identifier: MIT */
/* Contacts with walls on their way into lanes, for steps and for reading. */
#ifndef DEMI_WALL_LANE_H
#define DEMI_WALL_LANE_H

#include "contact/motion.h"
#include "world/world.h"

/* From the centre of rotation of a wall to the point of its surface that is nearest to a row at x,
 * which is as far away as the gap. */
static inline void demi_wall_arm(const demi_solid *solid, const double x[3], double gap,
                                 const double normal[3], double arm[3])
{
    for (int c = 0; c < 3; ++c)
        arm[c] = (x[c] - solid->centre[c]) - gap * normal[c];
}

/* Fills lane k for a row, which is i or not. The wall takes the part of the body whose id is higher
 * or lower, as it falls. */
static inline void demi_wall_lane_fill(demi_lanes *b, uint64_t k, const demi_motion *row, int first,
                                       const demi_solid *solid, const demi_surface *surface)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const demi_motion wall = {0.0, 0.0, surface->velocity, none, solid->angular_velocity, none};
    demi_motion_fill(b, k, first ? *row : wall, first ? wall : *row);
    for (int c = 0; c < 3; ++c)
        b->offset[c][k] = first ? surface->normal[c] : -surface->normal[c];
    b->overlap_given[k] = row->radius - surface->gap;
    b->radius_given[k] = demi_shape_radius(surface->curvature, row->radius);
}

/* The normal before the step, where it is another one. */
static inline void demi_wall_lane_before(demi_lanes *b, uint64_t k, int first,
                                         const double normal[3])
{
    for (int c = 0; c < 3; ++c)
        b->normal_given[c][k] = first ? normal[c] : -normal[c];
}

/* Whether the normals of a shape's surface stay through a step. */
static inline int demi_walls_flat(const dem_world *w, int32_t shape)
{
    return demi_shapes[shape]->flat && w->flats_turning == 0;
}

/* How lanes know the normals of contacts with a shape. */
static inline int32_t demi_lanes_normals(const dem_world *w, int32_t shape)
{
    if (shape == DEMI_SHAPE_SPHERE)
        return DEMI_NORMALS_SPHERES;
    return demi_walls_flat(w, shape) ? DEMI_NORMALS_FLAT : DEMI_NORMALS_CURVED;
}

#endif
