/* SPDX-License-Identifier: MIT */
/* Flat faces are as they are. Of what is round the flat sides are where they are off by nothing in
 * the mean: a little beyond the surface in their middle and a little behind it at their edges. */
#include "shapes/facets.h"

#include <math.h>

#include <string.h>

typedef struct facets_work {
    DEMI_ARRAY(double) x, circle; /* circle: [sides][2], of radius 1 */
    DEMI_ARRAY(uint32_t) facet;
    uint64_t vertices, facets;
    uint32_t sides;
    int inside; /* the outer side is inside */
} facets_work;

static dem_status facets_room(demi_context *context, facets_work *t, uint64_t vertices,
                              uint64_t facets)
{
    dem_status status = demi_array_reserve(context, &t->x, 3 * vertices, 0, "facets of a wall");
    if (status == DEM_OK)
        status = demi_array_reserve(context, &t->circle, 2 * vertices, 0, "facets of a wall");
    return status != DEM_OK
               ? status
               : demi_array_reserve(context, &t->facet, 3 * facets, 0, "facets of a wall");
}

static uint32_t vertex_add(facets_work *t, double x, double y, double z)
{
    double *to = t->x.data + 3 * t->vertices;
    to[0] = x;
    to[1] = y;
    to[2] = z;
    return (uint32_t)t->vertices++;
}

/* A facet, counterclockwise from outside of the solid. */
static void facet_add(facets_work *t, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *to = t->facet.data + 3 * t->facets++;
    to[0] = a;
    to[1] = t->inside ? c : b;
    to[2] = t->inside ? b : c;
}

/* ------------------------------------------------------------------ flat ones */

static void rectangle_facets(facets_work *t, const double size[3])
{
    const double a = 0.5 * size[0], b = 0.5 * size[1];
    (void)vertex_add(t, -a, -b, 0.0);
    (void)vertex_add(t, a, -b, 0.0);
    (void)vertex_add(t, a, b, 0.0);
    (void)vertex_add(t, -a, b, 0.0);
    facet_add(t, 0, 1, 2);
    facet_add(t, 0, 2, 3);
}

/* Vertex k has the high side of axis c where bit c of k is set; face f is that of axis f/2, low or
 * high. */
static void box_facets(facets_work *t, const double size[3])
{
    for (uint32_t k = 0; k < 8; ++k)
        (void)vertex_add(t, (k & 1 ? 0.5 : -0.5) * size[0], (k & 2 ? 0.5 : -0.5) * size[1],
                         (k & 4 ? 0.5 : -0.5) * size[2]);
    for (uint32_t f = 0; f < 6; ++f) {
        const uint32_t d = 1u << (f / 2 + 1) % 3, e = 1u << (f / 2 + 2) % 3;
        const uint32_t at = f & 1 ? 1u << f / 2 : 0;
        facet_add(t, at, f & 1 ? at + d : at + e, at + d + e);
        facet_add(t, at, at + d + e, f & 1 ? at + e : at + d);
    }
}

/* ------------------------------------------------------------------ round ones */

/* Points of the unit circle by halves of angles, which need nothing but roots; returns the cosine
 * of half of the last angle. */
static double circle_points(facets_work *t)
{
    double(*point)[2] = (double(*)[2])(void *)t->circle.data, length = 0.0;
    for (uint32_t k = 0; k < 4; ++k) {
        point[k * (t->sides / 4)][0] = k == 0 ? 1.0 : k == 2 ? -1.0 : 0.0;
        point[k * (t->sides / 4)][1] = k == 1 ? 1.0 : k == 3 ? -1.0 : 0.0;
    }
    for (uint32_t step = t->sides / 4; step > 0; step /= 2)
        for (uint32_t k = 0; k < t->sides; k += step) {
            const double *a = point[k], *b = point[(k + step) % t->sides];
            const double m[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])};
            length = sqrt(m[0] * m[0] + m[1] * m[1]);
            for (int c = 0; c < 2 && step > 1; ++c)
                point[k + step / 2][c] = m[c] / length;
        }
    return length;
}

/* The first of the vertices of a circle, or the one vertex where the radius is 0. */
static uint32_t circle_add(facets_work *t, double radius, double height)
{
    const uint32_t first = (uint32_t)t->vertices;
    for (uint64_t k = 0; k < (radius > 0.0 ? t->sides : 1); ++k)
        (void)vertex_add(t, radius * t->circle.read[2 * k], radius * t->circle.read[2 * k + 1],
                         height);
    return first;
}

/* Between two circles, one of which may be a point, the outer side to the right of the way up. */
static void band_add(facets_work *t, uint32_t low, int low_round, uint32_t high, int high_round)
{
    for (uint32_t k = 0; k < t->sides; ++k) {
        const uint32_t m = (k + 1) % t->sides;
        if (low_round)
            facet_add(t, low + k, low + m, high_round ? high + m : high);
        if (high_round)
            facet_add(t, low_round ? low + k : low, high + m, high + k);
    }
}

/* Within a circle, the outer side up or down: strips across it, of which few are near a place. */
static void cap_add(facets_work *t, uint32_t first, int up)
{
    uint32_t a = first, b = first + t->sides - 1;
    for (int left = 1; b - a >= 2; left = !left) {
        const uint32_t middle = left ? a + 1 : b - 1;
        facet_add(t, up ? a : b, middle, up ? b : a);
        if (left)
            ++a;
        else
            --b;
    }
}

/* The segments of a meridian, in the order of their features: the line, and the ends. */
static void meridian_facets(facets_work *t, const demi_meridian *m, int ends)
{
    const double out = 1.0 + 2.0 / 3.0 * (1.0 - circle_points(t));
    const int low_round = m->low[0] > 0.0, high_round = m->high[0] > 0.0;
    const uint32_t low = circle_add(t, out * m->low[0], m->low[1]);
    if (!ends && !high_round) { /* a disc */
        cap_add(t, low, 1);
        return;
    }
    const uint32_t high = circle_add(t, out * m->high[0], m->high[1]);
    band_add(t, low, low_round, high, high_round);
    if (ends && low_round)
        cap_add(t, low, 0);
    if (ends && high_round)
        cap_add(t, high, 1);
}

/* ------------------------------------------------------------------ all of them */

const char *demi_facets_refuse(const demi_shape *shape, const demi_solid *solid)
{
    if (shape->kept > 0)
        return NULL;
    if (shape == &demi_shape_ball)
        return "is no shape that polyhedra touch: take a mesh of it";
    if (solid->side == DEM_SIDE_BOTH)
        return "is a thin shell, DEM_SIDE_BOTH: take one side, or a closed mesh";
    if (shape == &demi_shape_cylinder && solid->meridian.endless)
        return "has no ends: give it a height";
    return NULL;
}

uint64_t demi_facets_sides(const demi_shape *shape, const demi_solid *solid, double radius)
{
    if (shape->kept > 0 || shape == &demi_shape_rectangle || shape == &demi_shape_box)
        return 0;
    const double *low = solid->meridian.low, *high = solid->meridian.high;
    const double most = low[0] > high[0] ? low[0] : high[0];
    /* flat sides are off by R (1 - cos(pi/n)), a third of it on one side and the rest on the
     * other */
    const double wanted = 3.14159265358979323846 * sqrt(most / (3.0 * DEMI_FACETS_OFF * radius));
    uint64_t sides = DEMI_FACETS_LEAST;
    while (sides <= DEMI_FACETS_MOST && (double)sides < wanted)
        sides *= 2;
    return sides;
}

dem_status demi_facets_make(demi_context *context, const demi_shape *shape, const demi_solid *solid,
                            uint64_t sides, dem_mesh **mesh)
{
    facets_work t = {.inside = solid->side == DEM_SIDE_INSIDE, .sides = (uint32_t)sides};
    dem_mesh_config config;
    dem_error error;
    dem_status status = facets_room(context, &t, 2 * sides + 8, 4 * sides + 12);
    if (status == DEM_OK) {
        if (shape == &demi_shape_rectangle)
            rectangle_facets(&t, solid->size);
        else if (shape == &demi_shape_box)
            box_facets(&t, solid->size);
        else
            meridian_facets(&t, &solid->meridian, shape != &demi_shape_disc);
        status = dem_mesh_config_init(&config);
        config.allocator = context->allocator;
        if (status == DEM_OK)
            status = dem_mesh_create(&config, t.x.read, t.vertices, t.facet.read, t.facets, mesh,
                                     &error);
        if (status != DEM_OK)
            demi_context_error(context, "%.200s", error.message);
    }
    demi_array_free(context, &t.x);
    demi_array_free(context, &t.circle);
    demi_array_free(context, &t.facet);
    return status;
}
