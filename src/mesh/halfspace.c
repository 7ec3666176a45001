/* SPDX-License-Identifier: MIT */
/* A polyhedron cut by a plane: cones from a point of the plane to what facets have behind it; the
 * cut itself is the base of none. */
#include "base/check.h"
#include "mesh/halfspace.h"

typedef struct halfspace_sums {
    double origin[3], volume, area, first[3]; /* six times, twice, and six times the moment */
    double border;
    int cut, behind;
} halfspace_sums;

/* Parts that are looked for: first which vertices behind the plane belong together, then the sums.
 * Vertices have numbers in the first side; those of the second one, which is none, are the parts of
 * the roots. */
typedef struct halfspace_parts {
    demi_overlap *o;
    const dem_polyhedron *solid;
    int sums;
} halfspace_parts;

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
    demi_cross(b, c, cross);
    return demi_dot(a, cross);
}

/* A line of the cut, from p to q, with what is behind the plane on its left. Seen from outside of
 * the solid behind the plane, whose outer side there is the normal, it runs backwards. */
static void halfspace_line(const demi_halfspace *h, const double p[3], const double q[3],
                           halfspace_sums *sums)
{
    double cross[3];
    const double d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    demi_cross(q, p, cross);
    const double twice = demi_dot(h->normal, cross);
    sums->area += twice;
    sums->border += sqrt(demi_dot(d, d));
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

/* What a facet tells of parts: all its vertices that are behind are in one. */
static void halfspace_part(const halfspace_parts *parts, uint32_t facet, const demi_halfspace *h,
                           const halfspace_sums *zero)
{
    demi_overlap *o = parts->o;
    demi_side *side = &o->side[0];
    const dem_mesh *mesh = parts->solid->mesh;
    uint32_t node = UINT32_MAX;
    for (uint64_t k = 0; k < 3; ++k) {
        const uint32_t vertex = mesh->facet.read[3 * (uint64_t)facet + k];
        if (!(demi_dot(h->normal, demi_mesh_vertex(mesh, vertex)) - h->place < 0.0))
            continue;
        if (side->vertex.read[vertex] == DEMI_UNKNOWN) {
            const uint32_t number = (uint32_t)side->vertex_count;
            side->vertex.data[vertex] = DEMI_INSIDE;
            side->number.data[vertex] = o->root.data[number] = number;
            side->vertices.data[side->vertex_count++] = vertex;
        }
        if (node != UINT32_MAX)
            demi_patches_unite(o->root.data, node, side->number.read[vertex]);
        node = side->number.read[vertex];
    }
    if (node == UINT32_MAX || !parts->sums)
        return;
    halfspace_sums sums = *zero;
    halfspace_facet(mesh, facet, h, &sums);
    demi_patch *patch =
        &o->patch.data[o->side[1].number.read[demi_patches_root(o->root.data, node)]];
    patch->volume += sums.volume;
    patch->area[0] += sums.area;
    patch->line[3] += sums.border;
    for (int c = 0; c < 3; ++c)
        patch->moment[c] += sums.first[c];
}

/* Facets behind the plane, or nearly: leaves of the tree from the last to the first, and the facets
 * of each in their order. */
static void halfspace_facets(const dem_polyhedron *solid, const demi_halfspace *h, int isa,
                             const halfspace_parts *parts, halfspace_sums *sums)
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
                if (parts != NULL)
                    halfspace_part(parts, mesh->order.read[place[n]], h, sums);
                else
                    halfspace_facet(mesh, mesh->order.read[place[n]], h, sums);
            k = first;
        }
    }
}

static halfspace_sums halfspace_zero(const demi_halfspace *h)
{
    halfspace_sums sums = {{0.0, 0.0, 0.0}, 0.0, 0.0, {0.0, 0.0, 0.0}, 0.0, 0, 0};
    for (int c = 0; c < 3; ++c)
        sums.origin[c] = h->place * h->normal[c];
    return sums;
}

int demi_halfspace_cut(const dem_polyhedron *solid, demi_halfspace *h, int isa)
{
    halfspace_sums sums = halfspace_zero(h);
    halfspace_facets(solid, h, isa, NULL, &sums);
    h->volume = sums.volume / 6.0;
    h->border = sums.border;
    h->area = sums.cut && sums.area > 0.0 ? 0.5 * sums.area : 0.0;
    for (int c = 0; c < 3; ++c)
        h->centre[c] =
            h->area > 0.0 ? sums.origin[c] + sums.first[c] / (3.0 * sums.area) : sums.origin[c];
    return sums.cut      ? DEM_POLYHEDRON_TOUCHING
           : sums.behind ? DEM_POLYHEDRON_CONTAINED
                         : DEM_POLYHEDRON_APART;
}

/* Parts have the centroids of their cuts for the means of their borders, and those without a cut a
 * vertex. */
static void halfspace_places(demi_overlap *o)
{
    for (uint64_t k = 0; k < o->patches; ++k) {
        demi_patch *patch = &o->patch.data[k];
        for (int c = 0; c < 3 && patch->line[3] > 0.0; ++c)
            patch->line[c] =
                patch->line[3] * (patch->area[0] != 0.0 ? patch->moment[c] / (3.0 * patch->area[0])
                                                        : patch->line[c]);
    }
}

void demi_halfspace_patches(demi_overlap *o, const dem_polyhedron *solid, const demi_halfspace *h,
                            int isa)
{
    halfspace_sums zero = halfspace_zero(h);
    halfspace_parts parts = {.o = o, .solid = solid};
    const uint64_t room = demi_array_room(&o->patch);
    o->patches = 0;
    halfspace_facets(solid, h, isa, &parts, &zero);
    for (uint32_t n = 0; n < o->side[0].vertex_count && o->patches < room; ++n)
        if (demi_patches_root(o->root.data, n) == n) {
            o->side[1].number.data[n] = (uint32_t)o->patches;
            demi_patch *patch = &o->patch.data[o->patches++];
            *patch = (demi_patch){.volume = 0.0};
            const double *at = demi_mesh_vertex(solid->mesh, o->side[0].vertices.read[n]);
            for (int c = 0; c < 3; ++c)
                patch->line[c] = at[c] - zero.origin[c];
        }
    parts.sums = 1;
    o->patches = o->patches > 1 ? o->patches : 0;
    if (o->patches > 0 && o->patches < room) {
        const double radius = solid->radius;
        halfspace_facets(solid, h, isa, &parts, &zero);
        halfspace_places(o);
        /* six times the volume */
        demi_patches_join(o, 6.0 * DEMI_PATCHES_ROUND * radius * radius * radius);
    }
    demi_overlap_clean(o);
}

void demi_halfspace_patch(const demi_overlap *o, uint64_t patch, demi_halfspace *h)
{
    const demi_patch *sums = &o->patch.read[patch];
    h->volume = sums->volume / 6.0;
    h->area = sums->area[0] > 0.0 ? 0.5 * sums->area[0] : 0.0;
    for (int c = 0; c < 3; ++c)
        h->centre[c] = h->place * h->normal[c] +
                       (h->area > 0.0 ? sums->moment[c] / (3.0 * sums->area[0]) : 0.0);
}
