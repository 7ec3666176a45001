/* SPDX-License-Identifier: MIT */
/* A neighbour list from its parts: rows are sorted in space, cut into chunks, and pairs that may
 * touch before the next build are listed with room for their state. */
#include "list/build.h"

#include "base/parallel.h"
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
    demi_buffer *const buffers[] = {
        &workspace->order.buffer,    &workspace->cell.buffer,           &workspace->axis.buffer,
        &workspace->pair.buffer,     &workspace->kind.buffer,           &workspace->copied.buffer,
        &workspace->touching.buffer, &workspace->touching_begin.buffer, &workspace->wall.buffer,
        &workspace->level.buffer,    &workspace->level_of.buffer};
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

/* What was sorted become reductions. */
typedef struct reductions_call {
    const uint32_t *order, *source;
    demi_reduction *reduction;
    uint64_t count;
} reductions_call;

static void reductions_task(void *argument, uint64_t task)
{
    const reductions_call *call = argument;
    const uint64_t end = demi_rows_task_end(task, call->count);
    for (uint64_t k = task * DEMI_ROWS_TASK; k < end; ++k)
        call->reduction[k] = (demi_reduction){call->source[call->order[k]], call->order[k]};
}

/* For each row the chunk copies that other chunks keep for it, in the order of the chunks. Copies
 * of walls are of no row. */
static dem_status list_reductions(demi_list_build_call *b)
{
    demi_list *list = b->next;
    const uint64_t rows = demi_list_rows(list), copies = list->chunk_copies;
    dem_status status = demi_list_room(b, &list->reduction_begin, rows + 1);
    if (status == DEM_OK)
        status = demi_list_room(b, &list->reduction, copies + DEMI_REDUCTION_AHEAD);
    /* the order comes before the memory of the sort */
    if (status == DEM_OK)
        status = demi_list_sort_room(b, 2 * copies);
    if (status != DEM_OK)
        return status;
    uint32_t *order = (uint32_t *)(void *)b->scratch->pair.data;
    const demi_key_sort sort = {.executor = b->in->executor,
                                .key = list->source.data,
                                .count = copies,
                                .keys = rows,
                                .begin = list->reduction_begin.data,
                                .order = order,
                                .memory = order + copies};
    reductions_call call = {order, list->source.data, list->reduction.data, demi_sort_run(&sort)};
    demi_parallel(b->in->executor, reductions_task, &call, demi_rows_tasks(call.count));
    memset(&call.reduction[call.count], 0, DEMI_REDUCTION_AHEAD * sizeof *call.reduction);
    list->chunks_reduced = list->chunks;
    return DEM_OK;
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
    next->slots = input->slots;
    b.looks_most = input->past != NULL ? input->past->looks_most : UINT64_MAX;
    dem_status status = demi_list_grid(&b);
    if (status == DEM_OK && !b.sparse)
        status = demi_list_sort(&b);
    if (status == DEM_OK && b.sparse)
        status = demi_levels_sort(&b);
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
    if (status == DEM_OK)
        status = list_reductions(&b);
    return status == DEM_OK ? demi_list_neighbours(b.context, &input->domain, next) : status;
}
