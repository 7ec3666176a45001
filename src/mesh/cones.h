/* SPDX-License-Identifier: MIT */
/* What lines and facets give to volume, S and G of an overlap. */
#ifndef DEMI_CONES_H
#define DEMI_CONES_H

#include "base/check.h"
#include "mesh/polyhedron.h"

/* The origin of all cones in the axes of a side. */
static inline void demi_cones_origin(const demi_overlap *o, int of, double origin[3])
{
    const demi_side *side = &o->side[of];
    double d[3];
    for (int c = 0; c < 3; ++c)
        d[c] = o->origin[c] - side->shift[c];
    demi_side_back(side, d, origin);
}

/* The height of a facet over the origin. */
static inline double demi_facet_height(const demi_overlap *o, int of, uint32_t facet,
                                       const double origin[3])
{
    const dem_mesh *mesh = o->side[of].solid->mesh;
    const double *x = demi_mesh_vertex(mesh, mesh->facet.read[3 * (uint64_t)facet]);
    double d[3];
    for (int c = 0; c < 3; ++c)
        d[c] = x[c] - origin[c];
    return demi_dot(mesh->normal.read + 3 * (uint64_t)facet, d);
}

/* Six times the volume of the cone from the origin to a facet of whose edge 1 a part is inside,
 * without what lines add. Of the cone the edges at its first vertex have no part. */
static inline double demi_cone(const demi_overlap *o, int of, uint64_t f, const double origin[3],
                               double part)
{
    const dem_mesh *mesh = o->side[of].solid->mesh;
    double x[3][3], cross[3];
    for (int m = 0; m < 3; ++m) {
        const double *v = demi_mesh_vertex(mesh, mesh->facet.read[3 * f + (uint64_t)m]);
        for (int c = 0; c < 3; ++c)
            x[m][c] = v[c] - origin[c];
    }
    if (o->surface > 0) {
        for (int c = 0; c < 3; ++c) {
            x[1][c] -= x[0][c];
            x[2][c] -= x[0][c];
        }
        demi_cross(x[1], x[2], cross);
        return demi_facet_height(o, of, (uint32_t)f, origin) *
               (part * demi_dot(mesh->normal.read + 3 * f, cross));
    }
    demi_cross(x[1], x[2], cross);
    return part * demi_dot(x[0], cross);
}

/* Adds what a line gives to S and G, from end to end. */
static inline void demi_line_cross(const demi_overlap *o, const demi_crossing *line, double area[3],
                                   double moment[3], double cross[3])
{
    double p[3], q[3], square = 0.0;
    for (int c = 0; c < 3; ++c) {
        p[c] = line->end[0].at[c] - o->origin[c];
        q[c] = line->end[1].at[c] - o->origin[c];
        square += p[c] * p[c] + p[c] * q[c] + q[c] * q[c];
    }
    demi_cross(p, q, cross);
    for (int c = 0; c < 3; ++c) {
        area[c] -= 0.5 * cross[c];
        moment[c] += square / 6.0 * (q[c] - p[c]);
    }
}

/* Adds a line to the mean of all: its length times its middle, and its length. */
static inline void demi_line_mean(const demi_overlap *o, const demi_crossing *line, double mean[4])
{
    double square = 0.0;
    for (int c = 0; c < 3; ++c) {
        const double d = line->end[1].at[c] - line->end[0].at[c];
        square += d * d;
    }
    const double length = sqrt(square);
    for (int c = 0; c < 3; ++c)
        mean[c] +=
            length *
            (0.5 * ((line->end[0].at[c] - o->origin[c]) + (line->end[1].at[c] - o->origin[c])));
    mean[3] += length;
}

/* Twice the area that a line takes from, or gives to, its facet of a side. */
static inline double demi_line_beside(const demi_crossing *line, const demi_near_facet *near,
                                      int of)
{
    const double sense = of == 0 ? 1.0 : -1.0;
    double a[3], b[3], beside[3];
    for (int c = 0; c < 3; ++c) {
        a[c] = line->end[0].at[c] - near->x[c][0];
        b[c] = line->end[1].at[c] - near->x[c][0];
    }
    demi_cross(a, b, beside);
    return sense * demi_dot(near->normal, beside);
}

/* What a line gives to the volume through its facet of a side. */
static inline double demi_line_volume(const demi_overlap *o, const demi_near_facet *near, int of,
                                      const double cross[3], double twice)
{
    const double sense = of == 0 ? 1.0 : -1.0;
    double x[3], origin[3];
    /* facets of a wall may be so large that cones lose what heights have */
    if (o->surface > 0) {
        demi_cones_origin(o, of, origin);
        return demi_facet_height(o, of, near->facet, origin) * twice / 6.0;
    }
    for (int c = 0; c < 3; ++c)
        x[c] = near->x[c][0] - o->origin[c];
    return sense * demi_dot(x, cross) / 6.0;
}

/* Adds what a line gives to volume, S and G. */
static inline void demi_line_sum(const demi_overlap *o, const demi_crossing *line, double area[3],
                                 double moment[3], double *volume)
{
    double cross[3];
    demi_line_cross(o, line, area, moment, cross);
    for (int s = 0; s < 2; ++s) {
        const demi_near_facet *near = &o->side[s].near.read[line->near[s]];
        *volume += demi_line_volume(o, near, s, cross, demi_line_beside(line, near, s));
    }
}

#endif
