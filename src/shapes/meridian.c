/* SPDX-License-Identifier: MIT */
#include "shapes/meridian.h"

#include "base/check.h"
#include "base/isa.h"

#include <math.h>

/* Segments of the outline. */
enum { LINE = 0, CAP_LOW = 1, CAP_HIGH = 2, SEGMENTS = DEMI_MERIDIAN_FEATURES };

/* A point in the half plane, and the direction away from the axis. */
typedef struct place {
    double at[2], outward[3];
} place;

/* What is nearest of a segment. */
typedef struct nearest {
    double height;   /* over the segment's line, outward */
    double off[2];   /* from the nearest point of the segment */
    double at[2];    /* that point */
    double distance; /* from it */
    double out[2];   /* unit, across the segment */
    int end;         /* -1, 1: it is the first or last point; 0: between them */
} nearest;

/* Next to the axis what is across it is the difference of far longer vectors, and may be round-off
 * along the axis: that is taken off. Where nothing is left the direction is that of the solid. */
static void place_near_axis(const demi_solid *solid, const double across[3], double smallest,
                            place *p)
{
    const double *n = solid->normal;
    const double along = demi_dot(across, n);
    const double rest[3] = {across[0] - along * n[0], across[1] - along * n[1],
                            across[2] - along * n[2]};
    const double distance = sqrt(demi_dot(rest, rest));
    p->at[0] = distance;
    for (int c = 0; c < 3; ++c)
        p->outward[c] = distance > smallest ? rest[c] / distance : solid->axis[c];
}

/* Written in place: a result that is copied as a whole waits for its parts to be stored. */
static DEMI_INLINE void place_of(const demi_solid *solid, const double point[3], place *p)
{
    const double *n = solid->normal;
    const double d0 = point[0] - solid->point[0], d1 = point[1] - solid->point[1],
                 d2 = point[2] - solid->point[2];
    const double along = d0 * n[0] + d1 * n[1] + d2 * n[2];
    const double across[3] = {d0 - along * n[0], d1 - along * n[1], d2 - along * n[2]};
    const double distance = sqrt(demi_dot(across, across));
    p->at[0] = distance;
    p->at[1] = along;
    if (distance < 1e-8 * fabs(along)) {
        const double *o = solid->point;
        place_near_axis(solid, across, 1e-15 * (fabs(along) + fabs(o[0]) + fabs(o[1]) + fabs(o[2])),
                        p);
        return;
    }
    for (int c = 0; c < 3; ++c)
        p->outward[c] = distance > 0.0 ? across[c] / distance : solid->axis[c];
}

static int has_segment(const demi_meridian *m, int segment)
{
    return segment == LINE || (segment == CAP_LOW ? m->cap_low : m->cap_high);
}

static nearest nearest_of(const demi_meridian *m, int segment, const double at[2])
{
    const double low_axis[2] = {0.0, m->low[1]}, high_axis[2] = {0.0, m->high[1]};
    const double *from = segment == CAP_LOW ? low_axis : segment == CAP_HIGH ? m->high : m->low;
    const double *to = segment == CAP_LOW ? m->low : segment == CAP_HIGH ? high_axis : m->high;
    const double run[2] = {to[0] - from[0], to[1] - from[1]},
                 off[2] = {at[0] - from[0], at[1] - from[1]};
    const double length = sqrt(run[0] * run[0] + run[1] * run[1]);
    const double along[2] = {run[0] / length, run[1] / length};
    const double t = off[0] * along[0] + off[1] * along[1];
    nearest n;
    n.out[0] = along[1];
    n.out[1] = -along[0];
    n.height = off[0] * n.out[0] + off[1] * n.out[1];
    n.end = t <= 0.0 ? -1 : t >= length ? 1 : 0;
    /* caps go on beyond the axis */
    if (segment == LINE ? m->endless : n.end == (segment == CAP_LOW ? -1 : 1))
        n.end = 0;
    for (int c = 0; c < 2; ++c) {
        n.at[c] = n.end == 0 ? from[c] + t * along[c] : n.end < 0 ? from[c] : to[c];
        n.off[c] = n.end == 0 ? n.height * n.out[c] : at[c] - n.at[c];
    }
    n.distance = n.end == 0 ? fabs(n.height) : sqrt(n.off[0] * n.off[0] + n.off[1] * n.off[1]);
    return n;
}

/* Whether a point is on the inner side of all segments; the one that it is farthest outside of, or
 * least inside. */
static int is_inside(const nearest all[SEGMENTS], const demi_meridian *m, int *outermost)
{
    *outermost = LINE;
    for (int s = CAP_LOW; s < SEGMENTS; ++s)
        if (has_segment(m, s) && all[s].height > all[*outermost].height)
            *outermost = s;
    return all[*outermost].height <= 0.0;
}

static int nearest_segment(const nearest all[SEGMENTS], const demi_meridian *m)
{
    int best = LINE;
    for (int s = CAP_LOW; s < SEGMENTS; ++s)
        if (has_segment(m, s) && all[s].distance < all[best].distance)
            best = s;
    return best;
}

/* Whether the line ends at a cap there, where the cap is nearer. */
static int ends_at_cap(const demi_meridian *m, const nearest *line)
{
    return (line->end < 0 && m->cap_low) || (line->end > 0 && m->cap_high);
}

static void all_segments(const demi_meridian *m, const place *p, nearest all[SEGMENTS])
{
    for (int s = 0; s < SEGMENTS; ++s)
        if (has_segment(m, s))
            all[s] = nearest_of(m, s, p->at);
}

/* A bound of the gap at one point; a cap that is not there is nowhere near. */
static double meridian_bound(const demi_solid *solid, uint32_t feature, const double point[3])
{
    const demi_meridian *m = &solid->meridian;
    place p;
    place_of(solid, point, &p);
    if ((feature == CAP_LOW || feature == CAP_HIGH) &&
        (m->side == DEM_SIDE_OUTSIDE || !has_segment(m, (int)feature)))
        return INFINITY;
    nearest all[SEGMENTS];
    int outermost;
    all_segments(m, &p, all);
    const double distance = all[nearest_segment(all, m)].distance;
    const int inside = is_inside(all, m, &outermost);
    if (m->side == DEM_SIDE_OUTSIDE)
        return inside ? all[outermost].height : distance;
    if (!inside && m->side == DEM_SIDE_INSIDE)
        return -distance;
    return feature == DEMI_SHAPE_WHOLE || feature == LINE ? distance : all[feature].distance;
}

/* Writes a surface from a direction in the half plane. */
static void surface_write(const demi_solid *solid, const place *p, const double normal[2],
                          double gap, double radius, demi_surface *out)
{
    for (int c = 0; c < 3; ++c) {
        out->normal[c] = normal[0] * p->outward[c] + normal[1] * solid->normal[c];
        out->velocity[c] = solid->velocity[c];
    }
    out->gap = gap;
    out->curvature[0] = 0.0;
    /* of a tip: none is sharper */
    out->curvature[1] = radius > 0.0 ? normal[0] / radius : normal[0] > 0.0 ? 1e300 : 0.0;
}

/* The point against one segment; `sign`: of the side on which it counts as free, or 0 for both. */
static void segment_surface(const demi_solid *solid, const place *p, const nearest *n, int sign,
                            demi_surface *out)
{
    double normal[2], gap = n->distance;
    for (int c = 0; c < 2; ++c)
        normal[c] = n->off[c] / (n->distance > 0.0 ? n->distance : 1.0);
    if (n->end == 0 || !(n->distance > 0.0)) {
        const double side = sign != 0 ? sign : n->height < 0.0 ? -1.0 : 1.0;
        for (int c = 0; c < 2; ++c)
            normal[c] = side * n->out[c];
        gap = side * n->height;
    }
    surface_write(solid, p, normal, gap, n->at[0], out);
}

/* Whether a point in the solid about a hollow is nearest to the end of a segment, and that segment:
 * the point is beyond a corner or a tip. */
static int is_beyond_corner(const nearest all[SEGMENTS], const demi_meridian *m, int *corner)
{
    *corner = nearest_segment(all, m);
    return all[*corner].end != 0 && all[*corner].distance > 0.0;
}

/* There the surface pushes to its nearest point. */
static void corner_surface(const demi_solid *solid, const place *p, const nearest *n,
                           demi_surface *out)
{
    const double normal[2] = {-n->off[0] / n->distance, -n->off[1] / n->distance};
    surface_write(solid, p, normal, -n->distance, n->at[0], out);
}

/* The surface of a feature at one point. */
static void meridian_surface(const demi_meridian *m, const demi_solid *solid, uint32_t feature,
                             const double point[3], demi_surface *out)
{
    place p;
    place_of(solid, point, &p);
    nearest all[SEGMENTS];
    int outermost, corner, counts = 1;
    all_segments(m, &p, all);
    const int inside = is_inside(all, m, &outermost);
    const int hollow = m->side == DEM_SIDE_INSIDE, solid_inside = m->side == DEM_SIDE_OUTSIDE,
              free = hollow ? -1 : solid_inside;
    if (hollow && !inside && is_beyond_corner(all, m, &corner)) {
        counts = (int)feature == corner;
        corner_surface(solid, &p, &all[corner], out);
    } else if (feature != LINE && has_segment(m, (int)feature)) {
        counts = all[feature].end == 0 && (inside || hollow);
        segment_surface(solid, &p, &all[feature], -1, out);
    } else if (solid_inside && inside) {
        surface_write(solid, &p, all[outermost].out, all[outermost].height, all[outermost].at[0],
                      out);
    } else if (inside || hollow) {
        counts = !ends_at_cap(m, &all[LINE]);
        segment_surface(solid, &p, &all[LINE], free, out);
    } else {
        segment_surface(solid, &p, &all[nearest_segment(all, m)], free, out);
    }
    if (!counts)
        out->gap = DEMI_SHAPE_APART;
}

/* ------------------------------------------------------------------ for the rows */

demi_meridian demi_meridian_line(const demi_solid *solid, double low, double height, double high)
{
    const demi_meridian m = {.low = {low, -0.5 * height},
                             .high = {high, 0.5 * height},
                             .cap_low = (solid->open & DEM_OPEN_LOW) == 0 && low > 0.0,
                             .cap_high = (solid->open & DEM_OPEN_HIGH) == 0 && high > 0.0,
                             .side = solid->side};
    return m;
}

dem_status demi_meridian_ends(demi_context *context, const char *shape, const dem_wall *wall)
{
    if (wall->open != 0 && wall->side != DEM_SIDE_BOTH)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall.open: %d must be 0 for a %s with solid on one side; a shell, "
                         "DEM_SIDE_BOTH, may be open",
                         (int)wall->open, shape);
    return DEM_OK;
}

double demi_meridian_least_gap(const demi_solid *solid, uint32_t feature, const double low[3],
                               const double high[3])
{
    return demi_shape_least_gap(meridian_bound, solid, feature, low, high);
}

void demi_meridian_surface(uint64_t n, const demi_solid *const *solid, const uint32_t *feature,
                           const double *const *point, demi_surface *out)
{
    for (uint64_t k = 0; k < n; ++k)
        meridian_surface(&solid[k]->meridian, solid[k], feature[k], point[k], &out[k]);
}

void demi_meridian_concave(const demi_solid *solid, double curvature[2])
{
    const demi_meridian m = solid->meridian;
    const double radius = m.low[0] < m.high[0] ? m.low[0] : m.high[0];
    curvature[0] = 0.0;
    curvature[1] = m.side == DEM_SIDE_OUTSIDE ? 0.0 : radius > 0.0 ? -1.0 / radius : -1e300;
}

/* The larger one of the radii at the ends. */
static double widest(const demi_meridian *m)
{
    return m->low[0] > m->high[0] ? m->low[0] : m->high[0];
}

double demi_meridian_extent(const demi_solid *solid)
{
    const demi_meridian m = solid->meridian;
    return m.endless ? INFINITY : sqrt(widest(&m) * widest(&m) + m.high[1] * m.high[1]);
}

void demi_meridian_box(const demi_solid *solid, double low[3], double high[3])
{
    const demi_meridian m = solid->meridian;
    high[0] = high[1] = widest(&m);
    high[2] = m.high[1];
    for (int c = 0; c < 3; ++c)
        low[c] = -high[c];
}

double demi_meridian_room(const demi_solid *solid)
{
    const demi_meridian m = solid->meridian;
    if (m.side != DEM_SIDE_INSIDE)
        return INFINITY;
    return m.endless || widest(&m) < m.high[1] ? widest(&m) : m.high[1];
}
