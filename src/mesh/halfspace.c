/* SPDX-License-Identifier: MIT */
/* A polyhedron cut by a plane: cones from a point of the plane to what facets have behind it; the
 * cut itself is the base of none. */
#include "base/check.h"
#include "base/isa.h"
#include "mesh/halfspace.h"

typedef struct halfspace_sums {
    double origin[3], volume, area, first[3]; /* six times, twice, and six times the moment */
    int cut, behind;
} halfspace_sums;

/* Where the plane cuts an edge: computed from the vertex behind it, so that both facets agree. */
static void halfspace_point(const double *a, double height_a, const double *b, double height_b,
                            double at[3])
{
    const double part = height_a / (height_a - height_b);
    for (int c = 0; c < 3; ++c)
        at[c] = a[c] + part * (b[c] - a[c]);
}

static double halfspace_cone(const double *a, const double *b, const double *c)
{
    double cross[3];
    demi_mesh_cross(b, c, cross);
    return demi_dot(a, cross);
}

/* A line of the cut, from p to q, with what is behind the plane on its left. Seen from outside of
 * the solid behind the plane, whose outer side there is the normal, it runs backwards. */
static void halfspace_line(const demi_halfspace *h, const double p[3], const double q[3],
                           halfspace_sums *sums)
{
    double cross[3];
    demi_mesh_cross(q, p, cross);
    const double twice = demi_dot(h->normal, cross);
    sums->area += twice;
    for (int c = 0; c < 3; ++c)
        sums->first[c] += twice * (p[c] + q[c]);
}

static void halfspace_facet(const dem_mesh *mesh, uint32_t facet, const demi_halfspace *h,
                            halfspace_sums *sums)
{
    const uint32_t *v = mesh->facet.read + 3 * (uint64_t)facet;
    double x[3][3], height[3], p[3], q[3];
    int behind[3];
    for (int k = 0; k < 3; ++k) {
        const double *at = demi_mesh_vertex(mesh, v[k]);
        height[k] = demi_dot(h->normal, at) - h->place;
        behind[k] = height[k] < 0.0;
        for (int c = 0; c < 3; ++c)
            x[k][c] = at[c] - sums->origin[c];
    }
    const int count = behind[0] + behind[1] + behind[2];
    if (count == 0)
        return;
    sums->behind = 1;
    if (count == 3) {
        sums->volume += halfspace_cone(x[0], x[1], x[2]);
        return;
    }
    /* the vertex that is alone on its side, and the two after it */
    int k = 0;
    while (behind[k] == behind[(k + 1) % 3] || behind[k] == behind[(k + 2) % 3])
        ++k;
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    sums->cut = 1;
    if (count == 1) {
        halfspace_point(x[k], height[k], x[l], height[l], p);
        halfspace_point(x[k], height[k], x[m], height[m], q);
        sums->volume += halfspace_cone(x[k], p, q);
    } else {
        halfspace_point(x[m], height[m], x[k], height[k], p);
        halfspace_point(x[l], height[l], x[k], height[k], q);
        sums->volume += halfspace_cone(x[l], x[m], p) + halfspace_cone(x[l], p, q);
    }
    halfspace_line(h, p, q, sums);
}

/* Facets behind the plane, or nearly: leaves of the tree from the last to the first, and the facets
 * of each in their order. */
static void halfspace_facets(const dem_polyhedron *solid, const demi_halfspace *h, int isa,
                             halfspace_sums *sums)
{
    const dem_mesh *mesh = solid->mesh;
    uint32_t place[DEMI_FACETS_OF_TOP];
    demi_facets_ahead_call call;
    for (int c = 0; c < 3; ++c) {
        call.d[c] = -h->normal[c];
        call.box.low[c] = -DEMI_BOX_NOWHERE;
        call.box.high[c] = DEMI_BOX_NOWHERE;
    }
    /* round-off of a box */
    call.least = -(h->place + 1e-12 * solid->radius);
    for (call.end = solid->lanes.tops; call.end > 0; --call.end) {
        call.begin = call.end - 1;
        for (uint64_t k = demi_facet_lanes_ahead(&solid->lanes, isa, &call, place); k > 0;) {
            const uint32_t leaf = place[--k] / DEMI_MESH_LEAF;
            uint64_t first = k;
            while (first > 0 && place[first - 1] / DEMI_MESH_LEAF == leaf)
                --first;
            for (uint64_t n = first; n <= k; ++n)
                halfspace_facet(mesh, mesh->order.read[place[n]], h, sums);
            k = first;
        }
    }
}

int demi_halfspace_cut(const dem_polyhedron *solid, demi_halfspace *h, int isa)
{
    halfspace_sums sums = {{0.0, 0.0, 0.0}, 0.0, 0.0, {0.0, 0.0, 0.0}, 0, 0};
    for (int c = 0; c < 3; ++c)
        sums.origin[c] = h->place * h->normal[c];
    halfspace_facets(solid, h, isa, &sums);
    h->volume = sums.volume / 6.0;
    h->area = sums.cut && sums.area > 0.0 ? 0.5 * sums.area : 0.0;
    for (int c = 0; c < 3; ++c)
        h->centre[c] =
            h->area > 0.0 ? sums.origin[c] + sums.first[c] / (3.0 * sums.area) : sums.origin[c];
    return sums.cut      ? DEM_POLYHEDRON_TOUCHING
           : sums.behind ? DEM_POLYHEDRON_CONTAINED
                         : DEM_POLYHEDRON_APART;
}
