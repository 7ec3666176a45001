/* SPDX-License-Identifier: MIT */
/* The contact of two polyhedra. The body of the lower id is the first one here, and all is computed
 * in its axes; so the order of the arguments has no influence. */
#include "base/entry.h"
#include "base/isa.h"
#include "mesh/overlap.h"

#include <dem/rotation.h>

#include <string.h>

DEMI_COPIES(demi_facets_meet_function, demi_facets_meet);
DEMI_COPIES(demi_facets_cross_function, demi_facets_cross);

enum { OVERLAP_REPEATS = 24, OVERLAP_SHORT = 48 };

/* Shifts of repeats, and what boxes are larger for them, over the size. */
#define OVERLAP_SHIFT 1e-11
#define OVERLAP_PAD 2e-9

/* ------------------------------------------------------------------ pairs of facets */

static dem_status overlap_test(demi_overlap *o, uint64_t i, uint64_t j, int *sound)
{
    const demi_near_facet *a = demi_slab_near(&o->side[0], i), *b = demi_slab_near(&o->side[1], j);
    if (o->bounded > 0 && o->count == o->bounded) {
        o->wanted = 2 * o->count;
        return DEM_ERROR_MEMORY;
    }
    if (o->count == demi_array_room(&o->found)) {
        const dem_status status = demi_array_reserve(o->context, &o->found, 2 * o->count + 64, 1,
                                                     "a contact of polyhedra");
        if (status != DEM_OK)
            return status;
    }
    demi_crossing *crossing = &o->found.data[o->count];
    const int cross = demi_facets_cross[o->isa](a, b, crossing);
    crossing->near[0] = (uint32_t)(a - o->side[0].near.read);
    crossing->near[1] = (uint32_t)(b - o->side[1].near.read);
    o->count += cross > 0;
    *sound = *sound && cross >= 0;
    return DEM_OK;
}

static dem_status overlap_pairs(demi_overlap *o, int *sound)
{
    demi_facets_meet_call call = {.own = o->side[0].slab.read,
                                  .other = o->side[1].slab.read,
                                  .box = o->side[1].box.read,
                                  .blocks = demi_facet_blocks(o->side[1].slab_count),
                                  .pad = o->pad};
    o->count = 0;
    *sound = 1;
    for (call.lane = 0; call.lane < o->side[0].slab_count; ++call.lane) {
        const uint64_t met = demi_facets_meet[o->isa](&call, o->met.data);
        for (uint64_t k = 0; k < met; ++k) {
            const dem_status status = overlap_test(o, call.lane, o->met.read[k], sound);
            if (status != DEM_OK)
                return status;
        }
    }
    return DEM_OK;
}

/* In the order of the facets in the meshes, whatever the tree over them. */
static dem_status overlap_order(demi_overlap *o)
{
    static const char what[] = "a contact of polyhedra";
    dem_status status = demi_array_reserve(o->context, &o->item, o->count, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(o->context, &o->room, o->count, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(o->context, &o->crossing, o->count, 0, what);
    if (status != DEM_OK)
        return status;
    demi_item *item = o->item.data;
    for (uint64_t k = 0; k < o->count; ++k) {
        const uint32_t *near = o->found.read[k].near;
        item[k] = (demi_item){(uint64_t)o->side[0].near.read[near[0]].facet << 32 |
                                  o->side[1].near.read[near[1]].facet,
                              k};
    }
    if (o->count > OVERLAP_SHORT)
        demi_sort(item, o->room.data, o->count);
    for (uint64_t k = 1; k < o->count && o->count <= OVERLAP_SHORT; ++k) {
        const demi_item own = item[k];
        uint64_t place = k;
        for (; place > 0 && item[place - 1].key > own.key; --place)
            item[place] = item[place - 1];
        item[place] = own;
    }
    for (uint64_t k = 0; k < o->count; ++k)
        o->crossing.data[k] = o->found.read[item[k].value];
    return DEM_OK;
}

dem_status demi_overlap_reserve(demi_overlap *o, const demi_overlap_sizes *sizes,
                                uint64_t crossings)
{
    static const char what[] = "contacts of polyhedra";
    demi_context *context = o->context;
    dem_status status = DEM_OK;
    for (int s = 0; s < 2 && status == DEM_OK; ++s) {
        status = demi_array_reserve(context, &o->side[s].near, sizes->facets, 0, what);
        if (status == DEM_OK)
            status = demi_slab_reserve(o, s, sizes->facets);
        if (status == DEM_OK)
            status = demi_overlap_inside_reserve(o, s, sizes);
    }
    if (status == DEM_OK)
        status = demi_patches_reserve(o, crossings, 2 * sizes->vertices);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &o->found, crossings, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &o->crossing, crossings, 0, what);
    if (status == DEM_OK)
        o->bounded = crossings;
    return status;
}

/* ------------------------------------------------------------------ repeats */

/* Shifts the second body for the next attempt: in directions that have nothing to do with edges,
 * farther after some. */
static void overlap_shift(demi_overlap *o, const double from[3], int repeat)
{
    static const double way[4][3] = {{0.5377, 0.8339, -0.1231},
                                     {-0.7621, 0.3187, 0.5635},
                                     {0.2419, -0.6113, 0.7535},
                                     {-0.4339, -0.3426, -0.8333}};
    const double size = o->side[0].solid->radius < o->side[1].solid->radius
                            ? o->side[0].solid->radius
                            : o->side[1].solid->radius;
    const int round = repeat / 4;
    const double far = OVERLAP_SHIFT * size * (1 + round);
    for (int c = 0; c < 3; ++c)
        o->side[1].shift[c] = from[c] + (repeat > 0 ? far * way[repeat % 4][c] : 0.0);
}

/* Whether a body crosses the second side itself, not only what continues it, or has all of it
 * inside: the side is connected. -1 where round-off does not tell. */
static int overlap_meets(const demi_overlap *o)
{
    uint64_t k = 0;
    while (k < o->count && o->side[1].near.read[o->found.read[k].near[1]].facet >= o->surface)
        ++k;
    return k < o->count ? 1 : demi_overlap_holds(o);
}

void demi_overlap_pad(demi_overlap *o)
{
    o->pad = OVERLAP_PAD * (o->side[0].solid->radius < o->side[1].solid->radius
                                ? o->side[0].solid->radius
                                : o->side[1].solid->radius);
}

dem_status demi_overlap_find(demi_overlap *o, int *state, int *repeats)
{
    const int known = !o->seek;
    const double from[3] = {o->side[1].shift[0], o->side[1].shift[1], o->side[1].shift[2]};
    demi_overlap_pad(o);
    o->patches = 0;
    for (*repeats = 0; *repeats < OVERLAP_REPEATS; ++*repeats) {
        int touching = 0, sound = 0;
        overlap_shift(o, from, *repeats);
        dem_status status = demi_slab_gather(o, &touching);
        *state = DEM_POLYHEDRON_APART;
        if (status != DEM_OK || !touching)
            return status;
        status = overlap_pairs(o, &sound);
        if (status == DEM_OK && sound && o->surface > 0) {
            const int meets = overlap_meets(o);
            if (meets > 0 && o->count == 0) /* a closed one */
                *state = DEM_POLYHEDRON_CONTAINED;
            if (meets == 0 || *state == DEM_POLYHEDRON_CONTAINED)
                return DEM_OK;
            sound = meets > 0;
        }
        if (status == DEM_OK && sound)
            status = overlap_order(o);
        if (status == DEM_OK && sound)
            status = demi_overlap_inside(o, &sound);
        o->patches = 0;
        if (status == DEM_OK && sound && o->several && o->count > 0)
            status = demi_patches_find(o);
        *state = o->count > 0      ? DEM_POLYHEDRON_TOUCHING
                 : o->volume > 0.0 ? DEM_POLYHEDRON_CONTAINED
                                   : DEM_POLYHEDRON_APART;
        if (status == DEM_OK && sound && o->part != NULL)
            demi_overlap_parts(o);
        demi_overlap_clean(o);
        if (known && *state == DEM_POLYHEDRON_APART) /* a better one for the next search */
            demi_slab_seek(o);
        if (status != DEM_OK || sound)
            return status;
    }
    return demi_fail(
        o->context, DEM_ERROR_DIVERGED,
        "dem_polyhedron_search: the surfaces cross in no closed line, with and without "
        "shifts by %g of the size: check that the meshes do not cross themselves, and that "
        "neither body is 1e6 times as large as the other: split the large one into parts, "
        "or take a sphere for the small one",
        OVERLAP_SHIFT);
}
