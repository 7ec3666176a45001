/* SPDX-License-Identifier: MIT */
/* The contact of two polyhedra. The body of the lower id is the first one here, and all is computed
 * in its axes; so the order of the arguments has no influence. */
#include "base/check.h"
#include "base/entry.h"
#include "mesh/overlap.h"

#include <dem/rotation.h>

#include <string.h>

enum { OVERLAP_REPEATS = 24, OVERLAP_FEW = 4096, OVERLAP_SHORT = 48 };

/* Shifts of repeats, and what boxes are larger for them, over the size. */
#define OVERLAP_SHIFT 1e-11
#define OVERLAP_PAD 2e-9

/* ------------------------------------------------------------------ pairs of facets */

/* Whether two facets may cross, as their bounds tell. */
static inline int overlap_near(const demi_near_facet *a, const demi_near_facet *b, double pad)
{
    for (int c = 0; c < 3; ++c)
        if (a->low[c] > b->high[c] + pad || b->low[c] > a->high[c] + pad)
            return 0;
    return 1;
}

static dem_status overlap_test(demi_overlap *o, uint64_t i, uint64_t j, int *sound)
{
    const demi_near_facet *a = &o->side[0].near.read[i], *b = &o->side[1].near.read[j];
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
    const int cross = demi_facets_cross(a, b, crossing);
    crossing->near[0] = (uint32_t)i;
    crossing->near[1] = (uint32_t)j;
    o->count += cross > 0;
    *sound = *sound && cross >= 0;
    return DEM_OK;
}

/* A number that is ordered as the double is. */
static uint64_t overlap_key(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* Many facets: sorted by where they begin across the slab. Those that begin within another are its
 * candidates. */
static dem_status overlap_sweep(demi_overlap *o, int *sound)
{
    const uint64_t count[2] = {o->side[0].near_count, o->side[1].near_count};
    const uint64_t all = count[0] + count[1];
    dem_status status = demi_array_reserve(o->context, &o->item, 2 * all, 0, "facets of a contact");
    if (status == DEM_OK)
        status = demi_array_reserve(o->context, &o->room, all, 0, "facets of a contact");
    if (status != DEM_OK)
        return status;
    for (uint64_t k = 0; k < all; ++k) {
        const uint64_t s = k >= count[0], n = s ? k - count[0] : k;
        const double low = o->side[s].near.read[n].low[0] - (s ? o->pad : 0.0);
        o->item.data[k] = (demi_item){overlap_key(low), n << 1 | s};
    }
    demi_sort(o->item.data, o->room.data, all);
    for (uint64_t k = 0; k < all; ++k) {
        const uint64_t own = o->item.read[k].value, s = own & 1;
        const double high = o->side[s].near.read[own >> 1].high[0] + o->pad;
        const uint64_t end = overlap_key(high);
        for (uint64_t m = k + 1; m < all && o->item.read[m].key <= end; ++m) {
            const uint64_t other = o->item.read[m].value;
            if ((other & 1) == s)
                continue;
            const uint64_t i = s ? other >> 1 : own >> 1, j = s ? own >> 1 : other >> 1;
            if (!overlap_near(&o->side[0].near.read[i], &o->side[1].near.read[j], o->pad))
                continue;
            status = overlap_test(o, i, j, sound);
            if (status != DEM_OK)
                return status;
        }
    }
    return DEM_OK;
}

static dem_status overlap_pairs(demi_overlap *o, int *sound)
{
    o->count = 0;
    *sound = 1;
    if (o->side[0].near_count * o->side[1].near_count > OVERLAP_FEW)
        return overlap_sweep(o, sound);
    const demi_near_facet *a = o->side[0].near.read, *b = o->side[1].near.read;
    for (uint64_t i = 0; i < o->side[0].near_count; ++i)
        for (uint64_t j = 0; j < o->side[1].near_count; ++j) {
            if (!overlap_near(&a[i], &b[j], o->pad))
                continue;
            const dem_status status = overlap_test(o, i, j, sound);
            if (status != DEM_OK)
                return status;
        }
    return DEM_OK;
}

/* In the order of the facets in the meshes, so that sums do not depend on how they were found. */
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
    const uint64_t near = sizes->facets + DEMI_MESH_LEAF, both = 2 * near,
                   items = crossings > 2 * both ? crossings : 2 * both;
    dem_status status = DEM_OK;
    for (int s = 0; s < 2 && status == DEM_OK; ++s) {
        status = demi_array_reserve(context, &o->side[s].near, near, 0, what);
        if (status == DEM_OK)
            status = demi_overlap_inside_reserve(o, s, sizes);
    }
    if (status == DEM_OK)
        status = demi_array_reserve(context, &o->item, items, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &o->room, items, 0, what);
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

/* Whether a body crosses the second side itself, not only what continues it. */
static int overlap_crosses(const demi_overlap *o)
{
    uint64_t k = 0;
    while (k < o->count && o->side[1].near.read[o->found.read[k].near[1]].facet >= o->surface)
        ++k;
    return k < o->count;
}

dem_status demi_overlap_find(demi_overlap *o, int *state, int *repeats)
{
    const double from[3] = {o->side[1].shift[0], o->side[1].shift[1], o->side[1].shift[2]};
    o->pad = OVERLAP_PAD * (o->side[0].solid->radius < o->side[1].solid->radius
                                ? o->side[0].solid->radius
                                : o->side[1].solid->radius);
    for (*repeats = 0; *repeats < OVERLAP_REPEATS; ++*repeats) {
        int touching = 0, sound = 0;
        overlap_shift(o, from, *repeats);
        dem_status status = demi_slab_gather(o, &touching);
        *state = DEM_POLYHEDRON_APART;
        if (status != DEM_OK || !touching)
            return status;
        status = overlap_pairs(o, &sound);
        if (status == DEM_OK && sound && o->surface > 0 && !overlap_crosses(o))
            return DEM_OK;
        if (status == DEM_OK && sound)
            status = overlap_order(o);
        if (status == DEM_OK && sound)
            status = demi_overlap_inside(o, &sound);
        *state = o->count > 0      ? DEM_POLYHEDRON_TOUCHING
                 : o->volume > 0.0 ? DEM_POLYHEDRON_CONTAINED
                                   : DEM_POLYHEDRON_APART;
        demi_overlap_clean(o);
        if (status != DEM_OK || sound)
            return status;
    }
    return demi_fail(
        o->context, DEM_ERROR_DIVERGED,
        "dem_polyhedron_search: the surfaces cross in no closed line, with and without "
        "shifts by %g of the size: check that the meshes do not cross themselves",
        OVERLAP_SHIFT);
}
