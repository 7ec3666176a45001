/* SPDX-License-Identifier: MIT */
/* A kept list on the threads of an executor. Tasks of rows read the host's; tasks of pairs leave
 * forces, torques and energies where each pair has a place of its own; tasks of rows then add those
 * of their pairs in the order of the list. So each sum has the order, and the bits, of one
 * thread. With given geometry the
 * places are the history's results, and kept_given.c adds them. */
#include "contact/kept.h"
#include "base/parallel.h"

#include <string.h>

/* Pairs of a task at least, a whole number of filters; tasks at most. */
enum { PAIRS_LEAST = 1024, TASKS_MOST = 64 };

DEMI_COPIES(demi_kept_rows_function, demi_kept_rows);
DEMI_COPIES(demi_kept_read_function, demi_kept_read);
DEMI_COPIES(demi_kept_write_function, demi_kept_write);

/* The task of rows that has a row of the list, by its offset. */
static uint64_t rows_task_of(uint32_t row)
{
    return row / DEMI_LOCAL_OFFSET / DEMI_ROWS_TASK;
}

/* Ends of pairs by tasks of rows, those of each in the order of the list. */
static void ends_deal_out(demi_kept *kept)
{
    uint32_t *first = kept->tasks.first.data;
    demi_kept_pair_end *end = kept->tasks.end.data;
    const uint64_t tasks = demi_rows_tasks(kept->row_count);
    memset(first, 0, (size_t)(tasks + 1) * sizeof *first);
    for (uint64_t q = 0; q < kept->count; ++q) {
        first[rows_task_of(kept->pair.read[q].i) + 1]++;
        first[rows_task_of(kept->pair.read[q].j) + 1]++;
    }
    for (uint64_t k = 0; k < tasks; ++k)
        first[k + 1] += first[k];
    for (uint64_t q = kept->count; q-- > 0;) {
        /* from behind: first[k + 1] moves down to where the task begins */
        const uint32_t i = kept->pair.read[q].i, j = kept->pair.read[q].j;
        end[--first[rows_task_of(j) + 1]] = (demi_kept_pair_end){(uint32_t)(2 * q + 1), j};
        end[--first[rows_task_of(i) + 1]] = (demi_kept_pair_end){(uint32_t)(2 * q), i};
    }
    memmove(first, first + 1, (size_t)tasks * sizeof *first);
    first[tasks] = (uint32_t)(2 * kept->count);
}

dem_status demi_kept_tasks_make(dem_contact_history *h, demi_kept *kept)
{
    static const char what[] = "tasks of a kept list";
    demi_context *context = &h->context;
    demi_kept_tasks *tasks = &kept->tasks;
    const uint64_t count = kept->count;
    tasks->count = 0;
    if (h->executor.run == NULL || h->sums.exact || count < 2 * PAIRS_LEAST)
        return DEM_OK;
    const uint64_t share = (count + TASKS_MOST - 1) / TASKS_MOST,
                   least = share < PAIRS_LEAST ? PAIRS_LEAST : share,
                   pairs = (least + DEMI_KEPT_FILTER - 1) / DEMI_KEPT_FILTER * DEMI_KEPT_FILTER,
                   number = (count + pairs - 1) / pairs;
    dem_status status = demi_array_reserve(context, &tasks->task, number, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &tasks->place, count, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &tasks->part, count * DEMI_KEPT_PART, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &tasks->energy, count * DEMI_KEPT_ENERGIES, 0, what);
    if (status == DEM_OK)
        status =
            demi_array_reserve(context, &tasks->finite, demi_rows_tasks(kept->row_count), 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &tasks->first, demi_rows_tasks(kept->row_count) + 1, 0,
                                    what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &tasks->end, 2 * count, 0, what);
    if (status != DEM_OK)
        return status;
    ends_deal_out(kept);
    tasks->count = number;
    tasks->pairs = pairs;
    return DEM_OK;
}

typedef struct tasks_call {
    const demi_history_call *call;
    demi_kept *kept;
    demi_kept_pairs_function *pairs;
} tasks_call;

static void pairs_task(void *argument, uint64_t k)
{
    const tasks_call *t = argument;
    demi_kept_tasks *tasks = &t->kept->tasks;
    demi_kept_task *task = &tasks->task.data[k];
    demi_history_call call = *t->call;
    const uint64_t begin = k * tasks->pairs, left = t->kept->count - begin,
                   end = begin + (left < tasks->pairs ? left : tasks->pairs);
    task->work.lanes.state = task->work.state;
    call.lanes = &task->work.lanes;
    call.lane = task->work.lane;
    call.place = task->work.place;
    call.quiet = 1;
    memset(&call.totals, 0, sizeof call.totals);
    /* each is DEMI_KEPT_NONE then */
    memset(tasks->place.data + begin, 0xff, (size_t)(end - begin) * sizeof *tasks->place.data);
    task->status = t->pairs(&call, tasks, begin, end);
    task->contacts = call.totals.contacts;
}

static void rows_task(void *argument, uint64_t k)
{
    const tasks_call *t = argument;
    demi_kept_rows[t->call->history->models.isa](t->kept, k);
}

static void rows_read(void *argument, uint64_t k)
{
    const demi_history_call *call = argument;
    demi_kept *kept = &call->history->kept;
    kept->tasks.finite.data[k] = (unsigned char)demi_kept_read[call->history->models.isa](
        call, k * DEMI_ROWS_TASK, demi_rows_task_end(k, kept->row_count));
}

int demi_kept_rows_read(const demi_history_call *call)
{
    dem_contact_history *h = call->history;
    const demi_kept *kept = &h->kept;
    if (kept->tasks.count == 0)
        return demi_kept_read[h->models.isa](call, 0, kept->row_count);
    demi_history_call own = *call;
    const uint64_t tasks = demi_rows_tasks(kept->row_count);
    demi_parallel(&h->executor, rows_read, &own, tasks);
    int finite = 1;
    for (uint64_t k = 0; k < tasks; ++k)
        finite &= kept->tasks.finite.read[k];
    return finite;
}

static void rows_write(void *argument, uint64_t k)
{
    const demi_history_call *call = argument;
    demi_kept_write[call->history->models.isa](
        call, k * DEMI_ROWS_TASK, demi_rows_task_end(k, call->history->kept.row_count));
}

void demi_kept_rows_write(const demi_history_call *call)
{
    const dem_contact_history *h = call->history;
    if (h->kept.tasks.count == 0) {
        demi_kept_write[h->models.isa](call, 0, h->kept.row_count);
        return;
    }
    demi_history_call own = *call;
    demi_parallel(&h->executor, rows_write, &own, demi_rows_tasks(h->kept.row_count));
}

/* Energies in the order of the list. */
static void energies_add(const demi_kept *kept, demi_totals *totals)
{
    const demi_kept_tasks *tasks = &kept->tasks;
    for (uint64_t q = 0; q < kept->count; ++q) {
        const uint64_t place = tasks->place.read[q];
        const double *energy = tasks->energy.read + place * DEMI_KEPT_ENERGIES;
        if (place == DEMI_KEPT_NONE)
            continue;
        totals->elastic += energy[0];
        totals->dissipated_normal += energy[1];
        totals->dissipated_dashpot += energy[2];
        totals->dissipated_slip += energy[3];
        totals->dissipated_rolling += energy[4];
    }
}

int demi_kept_tasks_run(demi_history_call *call, demi_kept_pairs_function *pairs)
{
    dem_contact_history *h = call->history;
    demi_kept *kept = &h->kept;
    tasks_call t = {call, kept, pairs};
    demi_parallel(&h->executor, pairs_task, &t, kept->tasks.count);
    for (uint64_t k = 0; k < kept->tasks.count; ++k)
        if (kept->tasks.task.read[k].status != DEM_OK) {
            if (!call->in->forces_only || call->by_pair)
                memset(kept->next.touching.data, 0, (size_t)kept->count);
            return 0;
        }
    if (!call->by_pair)
        demi_parallel(&h->executor, rows_task, &t, demi_rows_tasks(kept->row_count));
    for (uint64_t k = 0; k < kept->tasks.count; ++k)
        call->totals.contacts += kept->tasks.task.read[k].contacts;
    if (call->energy_tracking)
        energies_add(kept, &call->totals);
    return 1;
}
