/* SPDX-License-Identifier: MIT */
#include "world/contact_index.h"

#include <string.h>

static const char what[] = "index of contacts";

static int ends_exist(const dem_world *w, const demi_ends *ends)
{
    return w->row_id.read[ends->own] != 0 &&
           (ends->wall ? w->wall.read[ends->other].id : w->row_id.read[ends->other]) != 0;
}

/* How many contacts the list has. */
static uint64_t contacts_of(const dem_world *w)
{
    const demi_batch_group *group = w->list.batch_group.read;
    uint64_t count = 0;
    for (uint64_t r = 0; r < w->list.batch_groups; ++r)
        count += demi_touching_count(w->current.touching.read, group[r].begin, group[r].end);
    return count;
}

/* Puts an end of a contact before the others of its row. */
static void end_enter(demi_contact_index *index, uint64_t row, uint64_t end)
{
    index->next.data[end] = index->first.read[row];
    index->first.data[row] = (uint32_t)end;
}

static void group_enter(dem_world *w, uint64_t r, uint64_t *count)
{
    demi_contact_index *index = &w->contact_index;
    const demi_list *list = &w->list;
    const demi_batch_group *group = &list->batch_group.read[r];
    const demi_chunk *chunk = demi_chunk_of(list, group->begin);
    uint64_t state = group->state_begin;
    for (uint64_t p = group->begin; p < group->end; ++p) {
        if (!w->current.touching.read[p])
            continue;
        const demi_ends ends = demi_pair_ends(list, chunk, group->ends, &list->pair.read[p]);
        if (ends_exist(w, &ends)) {
            const uint64_t k = (*count)++;
            index->place.data[k] = (demi_contact_place){p, state, (uint32_t)r, 0};
            end_enter(index, ends.own, 2 * k);
            if (!ends.wall && ends.other != ends.own)
                end_enter(index, ends.other, 2 * k + 1);
        }
        state += group->state_stride;
    }
}

dem_status demi_contact_index_make(dem_world *w)
{
    demi_contact_index *index = &w->contact_index;
    demi_context *context = &w->context;
    if (index->valid && index->generation == w->generation)
        return DEM_OK;
    index->valid = 0;
    const uint64_t contacts = contacts_of(w);
    uint64_t count = 0;
    dem_status status = demi_array_reserve(context, &index->first, w->rows, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &index->next, 2 * contacts, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &index->place, contacts, 0, what);
    if (status != DEM_OK)
        return status;
    memset(index->first.data, 0xFF, (size_t)w->rows * sizeof(uint32_t));
    for (uint64_t r = 0; r < w->list.batch_groups; ++r)
        if (!w->list.batch_group.read[r].faceted)
            group_enter(w, r, &count);
    index->valid = 1;
    index->generation = w->generation;
    return DEM_OK;
}
