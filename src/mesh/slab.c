/* SPDX-License-Identifier: MIT */
/* Facets of two bodies that may touch. Whatever the direction, the bodies have in common nothing
 * but what is in the slab between the foremost point of the first and the hindmost of the second;
 * along the normal of the contact the slab is thin. */
#include "base/check.h"
#include "mesh/polyhedron.h"

#include <string.h>

/* A direction, and which bounds of a box are foremost along it. */
typedef struct slab_way {
    double d[3];
    int bound[3];
} slab_way;

static slab_way slab_way_of(const double d[3])
{
    slab_way way;
    for (int c = 0; c < 3; ++c) {
        way.d[c] = d[c];
        way.bound[c] = d[c] > 0.0;
    }
    return way;
}

/* How far a box, and a facet, reach along a direction. */
static double slab_box(const demi_mesh_box *box, const slab_way *way)
{
    const double *const bounds[2] = {box->low, box->high};
    return way->d[0] * bounds[way->bound[0]][0] + way->d[1] * bounds[way->bound[1]][1] +
           way->d[2] * bounds[way->bound[2]][2];
}

static double slab_facet(const dem_mesh *mesh, uint32_t facet, const double d[3])
{
    const uint32_t *v = mesh->facet.read + 3 * (uint64_t)facet;
    const double a = demi_dot(demi_mesh_vertex(mesh, v[0]), d),
                 b = demi_dot(demi_mesh_vertex(mesh, v[1]), d),
                 c = demi_dot(demi_mesh_vertex(mesh, v[2]), d);
    return a > b ? (a > c ? a : c) : (b > c ? b : c);
}

typedef struct slab_place {
    uint64_t box;
    int level;
    double reach;
} slab_place;

enum { SLAB_STACK = DEMI_MESH_LEVELS * DEMI_MESH_CHILDREN };

static uint64_t slab_end(uint64_t first, uint64_t size, uint64_t count)
{
    return (first + 1) * size < count ? (first + 1) * size : count;
}

/* Puts the children of a box on the stack that reach farther than `least`: the farthest last, or
 * those that meet `other` in any order. */
static int slab_children(const dem_mesh *mesh, const slab_place *at, const slab_way *way,
                         double least, const demi_mesh_box *other, slab_place *stack, int count)
{
    const uint64_t below = mesh->level_begin[at->level] - mesh->level_begin[at->level - 1];
    const uint64_t end = slab_end(at->box, DEMI_MESH_CHILDREN, below);
    const demi_mesh_box *boxes = mesh->box.read + mesh->level_begin[at->level - 1];
    const int bottom = count;
    for (uint64_t k = at->box * DEMI_MESH_CHILDREN; k < end; ++k) {
        const slab_place child = {k, at->level - 1, slab_box(&boxes[k], way)};
        if (child.reach < least)
            continue;
        int place = count;
        if (other == NULL) {
            for (; place > bottom && stack[place - 1].reach > child.reach; --place)
                stack[place] = stack[place - 1];
        } else if (boxes[k].low[0] > other->high[0] || boxes[k].high[0] < other->low[0] ||
                   boxes[k].low[1] > other->high[1] || boxes[k].high[1] < other->low[1] ||
                   boxes[k].low[2] > other->high[2] || boxes[k].high[2] < other->low[2]) {
            continue;
        }
        stack[place] = child;
        ++count;
    }
    return count;
}

/* The farthest that a mesh reaches along a direction. */
static double slab_farthest(const dem_mesh *mesh, const double d[3])
{
    slab_place stack[SLAB_STACK];
    const slab_way way = slab_way_of(d);
    double best = -INFINITY;
    stack[0] = (slab_place){0, mesh->level_count - 1, INFINITY};
    for (int count = 1; count > 0;) {
        const slab_place at = stack[--count];
        if (at.reach <= best)
            continue;
        if (at.level > 0) {
            count = slab_children(mesh, &at, &way, best, NULL, stack, count);
            continue;
        }
        const uint64_t end = slab_end(at.box, DEMI_MESH_LEAF, mesh->facet_count);
        for (uint64_t k = at.box * DEMI_MESH_LEAF; k < end; ++k) {
            const double reach = slab_facet(mesh, mesh->order.read[k], d);
            if (reach > best)
                best = reach;
        }
    }
    return best;
}

/* ------------------------------------------------------------------ facets of the slab */

/* The box of one body in the axes of the other, with room for shifts. */
static demi_mesh_box slab_other(const demi_overlap *o, int of)
{
    const demi_side *other = &o->side[1 - of], *second = &o->side[1];
    const dem_mesh *mesh = other->solid->mesh;
    const demi_mesh_box *all = mesh->box.read + mesh->level_begin[mesh->level_count - 1];
    double middle[3], half[3], from[3];
    demi_mesh_box box;
    for (int c = 0; c < 3; ++c) {
        middle[c] = 0.5 * (all->low[c] + all->high[c]);
        half[c] = 0.5 * (all->high[c] - all->low[c]);
    }
    if (of == 0) {
        demi_side_place(second, middle, from);
    } else {
        for (int c = 0; c < 3; ++c)
            middle[c] -= second->shift[c];
        demi_side_back(second, middle, from);
    }
    for (int c = 0; c < 3; ++c) {
        double reach = o->pad;
        for (int k = 0; k < 3; ++k)
            reach += half[k] * fabs(of == 0 ? second->turn[c][k] : second->turn[k][c]);
        box.low[c] = from[c] - reach;
        box.high[c] = from[c] + reach;
    }
    return box;
}

/* A facet with all that a test of pairs needs. */
static void slab_near(const demi_side *side, uint32_t facet, double axes[3][3], demi_near_facet *to)
{
    const dem_mesh *mesh = side->solid->mesh;
    const uint32_t *v = mesh->facet.read + 3 * (uint64_t)facet;
    const double *normal = mesh->normal.read + 3 * (uint64_t)facet;
    to->facet = facet;
    to->inside = 0.0;
    for (int k = 0; k < 3; ++k)
        demi_side_place(side, demi_mesh_vertex(mesh, v[k]), to->x[k]);
    for (int c = 0; c < 3; ++c)
        to->normal[c] = side->turn[c][0] * normal[0] + side->turn[c][1] * normal[1] +
                        side->turn[c][2] * normal[2];
    for (int k = 0; k < 3; ++k) {
        const uint32_t edge = mesh->facet_edge.read[3 * (uint64_t)facet + (uint64_t)k];
        const int forward = v[k] == mesh->edge.read[2 * (uint64_t)edge];
        const double *p = to->x[forward ? k : (k + 1) % 3], *q = to->x[forward ? (k + 1) % 3 : k];
        to->edge[k] = edge;
        to->forward[k] = forward ? 1 : -1;
        for (int c = 0; c < 3; ++c)
            to->along[k][c] = q[c] - p[c];
    }
    for (int a = 0; a < 3; ++a) {
        const double h[3] = {demi_dot(axes[a], to->x[0]), demi_dot(axes[a], to->x[1]),
                             demi_dot(axes[a], to->x[2])};
        to->low[a] = h[0] < h[1] ? (h[0] < h[2] ? h[0] : h[2]) : (h[1] < h[2] ? h[1] : h[2]);
        to->high[a] = h[0] > h[1] ? (h[0] > h[2] ? h[0] : h[2]) : (h[1] > h[2] ? h[1] : h[2]);
    }
}

/* The facets of a body that reach farther than `least` along d, which is in its axes, and that may
 * be in the box of the other; and how far they reach. */
static dem_status slab_collect(demi_overlap *o, int of, const double d[3], double least,
                               double axes[3][3], double *farthest)
{
    demi_side *side = &o->side[of];
    const dem_mesh *mesh = side->solid->mesh;
    const demi_mesh_box other = slab_other(o, of);
    const slab_way way = slab_way_of(d);
    slab_place stack[SLAB_STACK];
    stack[0] = (slab_place){0, mesh->level_count - 1, INFINITY};
    side->near_count = 0;
    for (int count = 1; count > 0;) {
        const slab_place at = stack[--count];
        if (at.level > 0) {
            count = slab_children(mesh, &at, &way, least, &other, stack, count);
            continue;
        }
        const uint64_t end = slab_end(at.box, DEMI_MESH_LEAF, mesh->facet_count);
        if (side->near_count + DEMI_MESH_LEAF > demi_array_room(&side->near)) {
            const dem_status status =
                demi_array_reserve(o->context, &side->near, 2 * side->near_count + 64, 1,
                                   "facets of a contact of polyhedra");
            if (status != DEM_OK)
                return status;
        }
        for (uint64_t k = at.box * DEMI_MESH_LEAF; k < end; ++k) {
            const double reach = slab_facet(mesh, mesh->order.read[k], d);
            if (!(reach >= least))
                continue;
            slab_near(side, mesh->order.read[k], axes, &side->near.data[side->near_count++]);
            *farthest = reach > *farthest ? reach : *farthest;
        }
    }
    return DEM_OK;
}

/* Two directions across one of length 1. */
static void slab_axes(const double n[3], double axes[3][3])
{
    int least = fabs(n[1]) < fabs(n[0]) ? 1 : 0;
    least = fabs(n[2]) < fabs(n[least]) ? 2 : least;
    const double e[3] = {least == 0, least == 1, least == 2};
    demi_mesh_cross(n, e, axes[0]);
    const double length = sqrt(demi_dot(axes[0], axes[0]));
    for (int c = 0; c < 3; ++c) {
        axes[0][c] /= length;
        axes[2][c] = n[c];
    }
    demi_mesh_cross(n, axes[0], axes[1]);
}

/* Nothing crosses where no facet of the first body is in the slab. Then there is a gap, or one body
 * is inside the other. */
dem_status demi_slab_gather(demi_overlap *o, int *touching)
{
    demi_side *first = &o->side[0], *second = &o->side[1];
    double axes[3][3], ahead[3], back[3], front = -INFINITY, none = -INFINITY;
    for (int c = 0; c < 3; ++c)
        ahead[c] = -o->direction[c];
    demi_side_back(second, ahead, back);
    const double place = demi_dot(o->direction, second->shift);
    const double rear = place - slab_farthest(second->solid->mesh, back);
    second->near_count = 0;
    slab_axes(o->direction, axes);
    const dem_status status = slab_collect(o, 0, o->direction, rear - o->pad, axes, &front);
    *touching =
        first->near_count > 0 || slab_farthest(first->solid->mesh, o->direction) + o->pad >= rear;
    if (status != DEM_OK || first->near_count == 0)
        return status;
    return slab_collect(o, 1, back, place - front - o->pad, axes, &none);
}
