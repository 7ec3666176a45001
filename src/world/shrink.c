/* SPDX-License-Identifier: MIT */
/* Frees memory that a world does not need now. */
#include "base/entry.h"
#include "world/in_place.h"
#include "world/motion_written.h"
#include "world/world.h"

#include <string.h>

/* The flags and states of contacts, for the pairs that are listed. */
static dem_status contacts_shrink(dem_world *w)
{
    demi_state *const states[] = {&w->current, &w->next};
    const uint64_t pairs = w->list.pairs_room, bytes = w->list.states * sizeof(double),
                   copies = w->list.chunk_copies * demi_chunk_copy_size(w);
    dem_status status = demi_buffer_shrink(&w->context, &w->chunk_copy.buffer, copies, "contacts");
    if (status == DEM_OK && w->exact.sums.exact)
        status = demi_buffer_shrink(&w->context, &w->exact.own.buffer, copies, "contacts");
    if (status == DEM_OK)
        status = demi_buffer_shrink(&w->context, &w->list.pair.buffer, pairs * sizeof(demi_pair),
                                    "contacts");
    for (int k = 0; status == DEM_OK && k < 2; ++k) {
        status = demi_buffer_shrink(&w->context, &states[k]->touching.buffer, pairs, "contacts");
        if (status == DEM_OK)
            status = demi_buffer_shrink(&w->context, &states[k]->contact_state.buffer, bytes,
                                        "contacts");
    }
    return status;
}

DEMI_GUARDED guarded_world_shrink(dem_world *w)
{
    demi_motion_moves(w);
    demi_list_free(&w->context, &w->list_next);
    memset(&w->list_next, 0, sizeof w->list_next);
    demi_list_workspace_free(&w->context, &w->list_workspace);
    memset(&w->list_workspace, 0, sizeof w->list_workspace);
    demi_in_place_free(w);
    const dem_status ids = demi_idmap_shrink(&w->context, &w->ids);
    if (ids != DEM_OK)
        return ids;
    /* the list of a mark may have more contacts than the present one */
    if (w->mark.there)
        return demi_rows_shrink(w);
    demi_mark_free(w);
    memset(&w->mark, 0, sizeof w->mark);
    const dem_status status = contacts_shrink(w);
    return status == DEM_OK ? demi_rows_shrink(w) : status;
}

dem_status dem_world_shrink(dem_world *world)
{
    DEMI_SET(world, guarded_world_shrink(world));
}
