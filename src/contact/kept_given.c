/* SPDX-License-Identifier: MIT */
/* A step of a kept list whose geometry the host gives. Pairs go through the same lanes as in
 * evaluate.c, and their contacts stay at the numbers of the pairs. So do their results where the
 * list has tasks, see kept_tasks.c. */
#include "contact/kept.h"
#include "base/parallel.h"
#include "contact/input.h"

#include <string.h>

static dem_status given_reserve(demi_history_call *call, demi_kept_side *side)
{
    return demi_array_reserve(&call->history->context, &side->given,
                              call->history->kept.count * DEMI_KEPT_GIVEN, 1,
                              "contacts of a kept list");
}

/* The record of a contact that the history has; NULL where there is none. */
static const demi_record *given_past(const dem_contact_history *h, uint64_t n, demi_record *room)
{
    const demi_kept *kept = &h->kept;
    if (!kept->current.touching.read[n])
        return NULL;
    if (kept->current.source == DEMI_KEPT_RECORDS)
        return &h->current.record.read[kept->record.read[n]];
    const uint32_t first = kept->origin.read[n].first;
    demi_kept_past(kept, first == DEMI_NOT_KEPT ? n : first, room);
    return room;
}

static dem_status given_pair(demi_history_call *call, uint64_t n)
{
    const dem_contact_history *h = call->history;
    const demi_kept *kept = &h->kept;
    const demi_kept_origin *origin = &kept->origin.read[n];
    const demi_pair pair = kept->pair.read[n];
    demi_record room;
    const demi_pair_past past = {given_past(h, n, &room),
                                 kept->current.state.read + n * kept->state_stride, n};
    demi_pair_identity of = {.record = {.key = origin->key,
                                        .model = kept->model.read[n],
                                        .material_i = origin->material_i,
                                        .material_j = origin->material_j},
                             .i = kept->row.read[pair.i / DEMI_LOCAL_OFFSET],
                             .j = kept->row.read[pair.j / DEMI_LOCAL_OFFSET],
                             .turned = origin->turned};
    memcpy(of.shift, kept->shift.read + 3 * n, sizeof of.shift);
    return demi_call_pair(call, origin->pair, &of, &past);
}

/* Results of the history have places by pair where there are tasks. */
static dem_status given_pairs(demi_history_call *call, demi_kept_tasks *tasks, uint64_t begin,
                              uint64_t end)
{
    (void)tasks;
    dem_status status = DEM_OK;
    for (uint64_t n = begin; status == DEM_OK && n < end; ++n)
        status = given_pair(call, n);
    return status == DEM_OK ? demi_call_flush(call) : status;
}

/* By the tasks of the list, where it has some and all goes well; else by this thread. */
static dem_status given_run(demi_history_call *call)
{
    demi_kept *kept = &call->history->kept;
    call->by_pair = kept->tasks.count > 0;
    if (call->by_pair && demi_kept_tasks_run(call, given_pairs))
        return DEM_OK;
    call->by_pair = 0;
    return given_pairs(call, NULL, 0, kept->count);
}

dem_status demi_kept_given_run(demi_history_call *call)
{
    dem_contact_history *h = call->history;
    demi_kept *kept = &h->kept;
    const int absent = call->in->absent == DEM_ABSENT_KEEP;
    if (call->in->ghost_count > 0)
        call->ends = h->ends.data; /* as long as the list was begun with */
    dem_status status = given_reserve(call, &kept->current);
    if (status == DEM_OK)
        status = given_reserve(call, &kept->next);
    if (status == DEM_OK)
        status = demi_kept_rows_check(call);
    if (status == DEM_OK)
        memset(kept->next.touching.data, 0, (size_t)kept->count);
    if (status == DEM_OK)
        status = given_run(call);
    if (status != DEM_OK)
        return status;
    /* contacts that were not listed when the list was begun end with its first step */
    if (kept->current.absent && !absent && call->energy_tracking && call->ends == NULL &&
        !call->evaluate_only)
        call->totals.dissipated_normal += demi_kept_merged(kept);
    demi_kept_end(h, absent, DEMI_KEPT_GEOMETRY);
    return DEM_OK;
}

/* Adds the forces of their pairs to the rows of task k, in the order of the list. */
static void given_rows(void *argument, uint64_t k)
{
    const demi_history_call *call = argument;
    const dem_contact_history *h = call->history;
    const demi_kept_tasks *tasks = &h->kept.tasks;
    for (uint32_t e = tasks->first.read[k]; e < tasks->first.read[k + 1]; ++e) {
        const uint32_t q = tasks->end.read[e].end / 2, j = tasks->end.read[e].end % 2;
        const demi_history_result *r = &h->results.read[q];
        const uint32_t row = j ? r->row_j : r->row_i;
        if (tasks->place.read[q] != DEMI_KEPT_NONE && row < call->owned_count)
            demi_call_add_end(call, row, j ? -1.0 : 1.0, r->force, j ? r->torque_j : r->torque_i);
    }
}

void demi_kept_given_forces(const demi_history_call *call)
{
    demi_history_call own = *call;
    demi_parallel(&call->history->executor, given_rows, &own,
                  demi_rows_tasks(call->history->kept.row_count));
}
