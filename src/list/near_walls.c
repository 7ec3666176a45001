/* SPDX-License-Identifier: MIT */
/* Which walls are near which chunks, so that neither a rebuild nor a step looks at all walls for
 * all chunks.
 *
 * A wall is near a chunk where its surface may be nearer to the box of the chunk's centres than the
 * reach of a contact and the list's margin. */
#include "list/parts.h"

#include <math.h>
#include <string.h>

double demi_wall_spare(const demi_wall *wall, const demi_solid *solid, const demi_chunk *box,
                       double reach)
{
    return demi_wall_shape(wall)->least_gap(solid, DEMI_SHAPE_WHOLE, box->low, box->high) -
           box->largest - reach;
}

/* Splits walls into those whose spare distance to a box is below the margin, which are listed, and
 * others. Tells how many are listed, and how many of them, which stand first and in the order of
 * before, a row may come to within the skin. */
static uint64_t walls_split(demi_list *list, const demi_chunk *box,
                            const demi_near_walls_call *call, const uint32_t *from, uint64_t count,
                            uint32_t *near, uint64_t *first)
{
    uint64_t n = 0, last = 0;
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t m = from != NULL ? from[k] : k;
        const demi_wall *wall = &call->wall[m];
        if (wall->id == 0)
            continue;
        const double spare = demi_wall_spare(wall, &call->solid[m], box, call->reach);
        if (spare < call->within * (1.0 + 1e-9))
            near[n++] = (uint32_t)m;
        else if (spare < call->margin * (1.0 + 1e-9))
            near[count - ++last] = (uint32_t)m;
        else if (spare < list->wall_spare.data[m])
            list->wall_spare.data[m] = spare;
    }
    memmove(near + n, near + count - last, (size_t)last * sizeof *near);
    *first = n;
    return n + last;
}

dem_status demi_list_near_walls(demi_context *context, demi_list *list,
                                demi_list_workspace *workspace, const demi_near_walls_call *call)
{
    enum { GROUP = 32 };
    static const char what[] = "neighbour list";
    list->near_walls = 0;
    dem_status status = demi_array_reserve(context, &list->wall_spare, call->walls, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &workspace->wall, call->walls, 0, what);
    for (uint64_t m = 0; status == DEM_OK && m < call->walls; ++m)
        list->wall_spare.data[m] = INFINITY;
    demi_chunk *chunks = list->chunk.data;
    for (uint64_t g = 0; status == DEM_OK && g < list->chunks; g += GROUP) {
        const uint64_t end = g + GROUP < list->chunks ? g + GROUP : list->chunks;
        const demi_chunk all = demi_chunks_box(chunks, g, end);
        uint32_t *met = workspace->wall.data;
        uint64_t first;
        demi_near_walls_call any = *call;
        any.within = call->margin; /* all in one order */
        const uint64_t count = walls_split(list, &all, &any, NULL, call->walls, met, &first);
        for (uint64_t k = g; status == DEM_OK && k < end; ++k) {
            status =
                demi_array_reserve(context, &list->near_wall, list->near_walls + count, 1, what);
            if (status != DEM_OK)
                break;
            chunks[k].near_walls_begin = chunks[k].near_walls_first = list->near_walls;
            if (count > 0) {
                list->near_walls += walls_split(list, &chunks[k], call, met, count,
                                                list->near_wall.data + list->near_walls, &first);
                chunks[k].near_walls_first += first;
            }
            chunks[k].near_walls_end = list->near_walls;
        }
    }
    return status;
}
