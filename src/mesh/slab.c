/* SPDX-License-Identifier: MIT */
/* Facets of two bodies that may touch. Whatever the direction, the bodies have in common nothing
 * but what is in the slab between the foremost point of the first and the hindmost of the second;
 * along the normal of the contact the slab is thin. */
#include "base/check.h"
#include "base/isa.h"
#include "mesh/polyhedron.h"

#include <string.h>

DEMI_COPIES(demi_facets_farthest_function, demi_facets_farthest);
DEMI_COPIES(demi_facets_place_function, demi_facets_place);

enum { SLAB_ROUNDS = 8 };

/* ------------------------------------------------------------------ directions */

/* How far the second body reaches towards the first one, and the first towards the second. */
static double slab_rear(const demi_overlap *o, double point[3])
{
    const demi_side *second = &o->side[1];
    double ahead[3], back[3], at[3];
    for (int c = 0; c < 3; ++c)
        ahead[c] = -o->direction[c];
    demi_side_back(second, ahead, back);
    const double far = demi_facets_farthest[o->isa](&second->solid->lanes, back, at);
    demi_side_place(second, at, point);
    return demi_dot(o->direction, second->shift) - far;
}

static double slab_front(const demi_overlap *o, double point[3])
{
    return demi_facets_farthest[o->isa](&o->side[0].solid->lanes, o->direction, point);
}

int demi_slab_gap(const demi_overlap *o)
{
    double point[3];
    return slab_front(o, point) + o->pad < slab_rear(o, point);
}

/* Where the foremost points say that there is no gap, a mirror image of the direction may have one:
 * Chung and Wang, ACM Symp. on Virtual Reality Software and Technology (1996). Keeps the direction
 * in which the slab is thinnest. */
void demi_slab_seek(demi_overlap *o)
{
    double best[3], p[3], q[3], least = INFINITY;
    memcpy(best, o->direction, sizeof best);
    for (int round = 0; round < SLAB_ROUNDS; ++round) {
        const double rear = slab_rear(o, q), thick = slab_front(o, p) - rear;
        const int slow = thick > 0.5 * least; /* the bodies touch, or nearly */
        if (thick < least) {
            least = thick;
            memcpy(best, o->direction, sizeof best);
        }
        const double r[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, square = demi_dot(r, r);
        if (thick < 0.0 || slow || !(square > 0.0))
            break;
        const double twice = 2.0 * demi_dot(o->direction, r) / square;
        for (int c = 0; c < 3; ++c)
            o->direction[c] -= twice * r[c];
    }
    const double length = sqrt(demi_dot(best, best));
    for (int c = 0; c < 3; ++c)
        o->direction[c] = best[c] / length;
}

/* ------------------------------------------------------------------ facets of the slab */

dem_status demi_slab_reserve(demi_overlap *o, int of, uint64_t facets)
{
    static const char what[] = "facets of a contact of polyhedra";
    demi_context *context = o->context;
    demi_side *side = &o->side[of];
    const uint64_t blocks = demi_facet_blocks(facets);
    dem_status status = demi_array_reserve(context, &side->known, facets, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &side->slab, blocks, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &side->box, demi_facet_blocks(blocks), 0, what);
    if (status == DEM_OK && of == 1)
        status = demi_array_reserve(context, &o->met, facets, 0, what);
    return status == DEM_OK ? demi_array_reserve(context, &side->place, facets, 0, what) : status;
}

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

/* The facets of a body that reach farther than `least` along d, which is in its axes, and that may
 * be in the box of the other; and how far they reach. */
static dem_status slab_collect(demi_overlap *o, int of, const double d[3], double least,
                               double axes[3][3], double *farthest)
{
    demi_side *side = &o->side[of];
    const demi_facet_lanes *lanes = &side->solid->lanes;
    demi_facets_ahead_call ahead = {.end = lanes->tops, .least = least, .box = slab_other(o, of)};
    demi_facets_place_call place;
    dem_status status = demi_slab_reserve(o, of, lanes->facets);
    if (status != DEM_OK)
        return status;
    memcpy(ahead.d, d, sizeof ahead.d);
    side->slab_count = demi_facet_lanes_ahead(lanes, o->isa, &ahead, side->place.data);
    status = demi_array_reserve(o->context, &side->near, side->slab_count, 0,
                                "facets of a contact of polyhedra");
    if (status != DEM_OK)
        return status;
    *farthest = ahead.farthest;
    place.place = side->place.read;
    place.count = side->slab_count;
    memcpy(place.turn, side->turn, sizeof place.turn);
    memcpy(place.shift, side->shift, sizeof place.shift);
    memcpy(place.axes, axes, sizeof place.axes);
    demi_facets_place[o->isa](lanes, &place, side->slab.data, side->box.data);
    memset(side->known.data, 0, (size_t)side->slab_count * sizeof *side->known.data);
    return DEM_OK;
}

const demi_near_facet *demi_slab_near(demi_side *side, uint64_t n)
{
    if (side->known.read[n] > 0)
        return &side->near.read[side->known.read[n] - 1];
    const dem_mesh *mesh = side->solid->mesh;
    const demi_near_block *block = &side->slab.read[n / DEMI_FACET_LANES];
    const uint64_t facet = mesh->order.read[side->place.read[n]], lane = n % DEMI_FACET_LANES;
    const uint32_t *v = mesh->facet.read + 3 * facet;
    demi_near_facet *to = &side->near.data[side->near_count++];
    side->known.data[n] = (uint32_t)side->near_count;
    to->facet = (uint32_t)facet;
    to->inside = 0.0;
    to->forward = 0;
    for (int c = 0; c < 3; ++c) {
        to->normal[c] = block->normal[c][lane];
        for (int k = 0; k < 3; ++k)
            to->x[c][k] = block->x[3 * k + c][lane];
        to->x[c][3] = to->x[c][0];
    }
    for (int k = 0; k < 3; ++k) {
        const uint32_t edge = mesh->facet_edge.read[3 * facet + (uint64_t)k];
        const int next = (k + 1) % 3, forward = v[k] == mesh->edge.read[2 * (uint64_t)edge],
                  begin = forward ? k : next, end = forward ? next : k;
        to->edge[k] = edge;
        to->forward |= (uint32_t)forward << k;
        for (int c = 0; c < 3; ++c) {
            to->from[c][k] = to->x[c][begin];
            to->along[c][k] = to->x[c][end] - to->x[c][begin];
        }
    }
    for (int c = 0; c < 3; ++c)
        to->from[c][3] = to->along[c][3] = 0.0;
    return to;
}

/* Two directions across one of length 1. */
static void slab_axes(const double n[3], double axes[3][3])
{
    int least = fabs(n[1]) < fabs(n[0]) ? 1 : 0;
    least = fabs(n[2]) < fabs(n[least]) ? 2 : least;
    const double e[3] = {least == 0, least == 1, least == 2};
    demi_cross(n, e, axes[0]);
    const double length = sqrt(demi_dot(axes[0], axes[0]));
    for (int c = 0; c < 3; ++c) {
        axes[0][c] /= length;
        axes[2][c] = n[c];
    }
    demi_cross(n, axes[0], axes[1]);
}

/* Nothing crosses where no facet of the first body is in the slab. Then there is a gap, or one body
 * is inside the other. */
dem_status demi_slab_gather(demi_overlap *o, int *touching)
{
    demi_side *first = &o->side[0], *second = &o->side[1];
    double axes[3][3], ahead[3], back[3], point[3], front = -INFINITY, none = -INFINITY;
    first->slab_count = second->slab_count = first->near_count = second->near_count = 0;
    if (o->seek)
        demi_slab_seek(o);
    o->seek = 0;
    const double rear = slab_rear(o, point), place = demi_dot(o->direction, second->shift);
    slab_axes(o->direction, axes);
    const dem_status status = slab_collect(o, 0, o->direction, rear - o->pad, axes, &front);
    *touching = first->slab_count > 0 || slab_front(o, point) + o->pad >= rear;
    if (status != DEM_OK || first->slab_count == 0)
        return status;
    for (int c = 0; c < 3; ++c)
        ahead[c] = -o->direction[c];
    demi_side_back(second, ahead, back);
    return slab_collect(o, 1, back, place - front - o->pad, axes, &none);
}
