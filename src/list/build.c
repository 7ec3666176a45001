/* SPDX-License-Identifier: MIT */
/* A neighbour list from its parts: rows are sorted in space, cut into chunks, and pairs that may
 * touch before the next build are listed with room for their state. */
#include "list/build.h"

#include "list/parts.h"

#include <string.h>

void demi_list_free(demi_context *context, demi_list *list)
{
    demi_buffer *const buffers[] = {
        &list->pair.buffer,      &list->batch_group.buffer, &list->chunk.buffer,
        &list->source.buffer,    &list->reduction.buffer,   &list->reduction_begin.buffer,
        &list->neighbour.buffer, &list->shift.buffer,       &list->feature.buffer,
        &list->near_wall.buffer, &list->wall_spare.buffer,  &list->nearby.buffer};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k)
        demi_buffer_free(context, buffers[k]);
}

void demi_list_workspace_free(demi_context *context, demi_list_workspace *workspace)
{
    demi_buffer *const buffers[] = {&workspace->order.buffer,          &workspace->cell.buffer,
                                    &workspace->axis.buffer,           &workspace->pair.buffer,
                                    &workspace->copied.buffer,         &workspace->touching.buffer,
                                    &workspace->touching_begin.buffer, &workspace->wall.buffer,
                                    &workspace->level.buffer,          &workspace->level_of.buffer};
    for (int k = 0; k < workspace->levels; ++k) {
        demi_level_rows *level = &workspace->level.data[k];
        demi_cells_free(context, &level->cells);
        demi_array_free(context, &level->begin);
        demi_array_free(context, &level->member);
        demi_array_free(context, &level->row);
    }
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k)
        demi_buffer_free(context, buffers[k]);
}

/* For each row the chunk copies that other chunks keep for it, in the order of the chunks. */
static dem_status list_reductions(demi_context *context, demi_list *list)
{
    const uint64_t rows = demi_list_rows(list);
    dem_status status =
        demi_array_reserve(context, &list->reduction_begin, rows + 2, 0, "neighbour list");
    if (status == DEM_OK)
        status = demi_array_reserve(context, &list->reduction,
                                    list->chunk_copies + DEMI_REDUCTION_AHEAD, 0, "neighbour list");
    if (status != DEM_OK)
        return status;
    uint32_t *begin = list->reduction_begin.data;
    demi_reduction *reduction = list->reduction.data;
    const uint32_t *source = list->source.data;
    memset(begin, 0, (size_t)(rows + 2) * sizeof(uint32_t));
    for (uint64_t h = 0; h < list->chunk_copies; ++h)
        if ((source[h] & DEMI_WALL_BIT) == 0)
            begin[source[h] + 2]++;
    for (uint64_t k = 2; k < rows + 2; ++k)
        begin[k] += begin[k - 1];
    for (uint64_t h = 0; h < list->chunk_copies; ++h)
        if ((source[h] & DEMI_WALL_BIT) == 0)
            reduction[begin[source[h] + 1]++] = (demi_reduction){source[h], (uint32_t)h};
    memset(&reduction[begin[rows]], 0, DEMI_REDUCTION_AHEAD * sizeof *reduction);
    return DEM_OK;
}

dem_status demi_list_derive(demi_context *context, const demi_domain *domain, demi_list *list)
{
    dem_status status = list_reductions(context, list);
    return status == DEM_OK ? demi_list_neighbours(context, domain, list) : status;
}

dem_status demi_list_build(demi_list *next, const demi_list_input *input,
                           demi_list_workspace *workspace)
{
    demi_list_build_call b;
    memset(&b, 0, sizeof b);
    b.in = input;
    b.scratch = workspace;
    b.context = input->context;
    b.next = next;
    b.looks_most = input->past != NULL ? input->past->looks_most : UINT64_MAX;
    dem_status status = demi_list_grid(&b);
    if (status == DEM_OK)
        status = b.sparse ? demi_levels_sort(&b) : demi_list_sort(&b);
    if (status == DEM_OK)
        status = demi_past_rows(&b);
    if (status != DEM_OK)
        return status;
    demi_list_permute(&b);
    status = b.sparse ? demi_levels_rows(&b) : DEM_OK;
    if (status == DEM_OK)
        status = demi_list_pairs(&b);
    if (status == DEM_OK)
        status = demi_list_batch_groups(&b);
    next->skin = b.skin;
    next->reach = b.reach;
    next->margin = b.margin;
    next->levels = b.levels.count;
    return status == DEM_OK ? demi_list_derive(b.context, &input->domain, next) : status;
}
