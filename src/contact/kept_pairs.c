/* SPDX-License-Identifier: MIT */
/* Pairs of a kept list, batch by batch: filter, gather, compute, scatter. */
#include "base/check.h"
#include "contact/input.h"
#include "contact/kept.h"

#include <string.h>

DEMI_COPIES(demi_kept_filter_function, demi_kept_filter);
DEMI_COPIES(demi_kept_gather_function, demi_kept_gather);
DEMI_COPIES(demi_kept_scatter_function, demi_kept_scatter);
DEMI_COPIES(demi_kept_fence_function, demi_kept_fence);

/* Contacts that a core's caches may keep between steps. */
enum { PADDING = 8, CONTACTS_CACHED = 8192 };

/* The row of the host that is one end of a pair. */
static uint32_t kept_row(const demi_kept *kept, uint32_t end)
{
    return kept->row.read[end / DEMI_LOCAL_OFFSET];
}

/* Computes the first n pairs, of one model. */
static dem_status kept_flush(demi_history_call *call, demi_kept_work *work, uint64_t n)
{
    dem_contact_history *h = call->history;
    const int isa = h->models.isa;
    call->model = work->model;
    if (demi_kept_gather[isa](work, n))
        for (uint64_t k = 0; k < n; ++k)
            if (work->lanes->inverse_mass[k] == 0.0)
                return call->quiet ? DEM_ERROR_RANGE
                                   : demi_call_heavy(call, kept_row(&h->kept, work->pair[k].i),
                                                     kept_row(&h->kept, work->pair[k].j));
    if (call->ends != NULL)
        for (uint64_t k = 0; k < n; ++k)
            call->lane[k].row_i = kept_row(&h->kept, work->pair[k].i);
    const dem_status status = demi_call_compute(call, n);
    if (status != DEM_OK)
        return status;
    for (uint64_t k = 0; work->tasks != NULL && call->energy_tracking && k < n; ++k)
        demi_kept_energy(call, work->tasks, k, work->place + k);
    demi_kept_scatter[isa](work, n);
    work->place += n;
    for (uint64_t k = 0; h->sums.exact && k < n; ++k)
        demi_exact_result(call, k, kept_row(&h->kept, work->pair[k].i),
                          kept_row(&h->kept, work->pair[k].j));
    return demi_exact_check(call, n);
}

/* How many of the first n pairs have the model of the first one. */
static uint64_t kept_alike(const demi_kept *kept, const demi_kept_work *work, uint64_t n)
{
    if (kept->alike != NULL)
        return n;
    uint64_t k = 1;
    while (k < n && kept->model.read[work->index[k]] == kept->model.read[work->index[0]])
        ++k;
    return k;
}

/* Computes full batches, and the rest if this is the end. */
static dem_status kept_drain(demi_history_call *call, demi_kept_work *work, int end)
{
    const demi_kept *kept = &call->history->kept;
    while (work->count >= DEMI_KEPT_BATCH || (end && work->count > 0)) {
        const uint64_t most = work->count < DEMI_KEPT_BATCH ? work->count : DEMI_KEPT_BATCH,
                       n = kept_alike(kept, work, most), left = work->count - n;
        demi_pair first[PADDING];
        uint32_t first_index[PADDING];
        /* lanes beyond n are filled up */
        memcpy(first, work->pair + n, sizeof first);
        memcpy(first_index, work->index + n, sizeof first_index);
        work->model = kept->alike != NULL ? kept->alike : kept->model.read[work->index[0]];
        const dem_status status = kept_flush(call, work, n);
        if (status != DEM_OK)
            return status;
        memcpy(work->pair + n, first, sizeof first);
        memcpy(work->index + n, first_index, sizeof first_index);
        memmove(work->pair, work->pair + n, (size_t)left * sizeof work->pair[0]);
        memmove(work->index, work->index + n, (size_t)left * sizeof work->index[0]);
        work->count = left;
    }
    return DEM_OK;
}

/* The pair q, whose squared distance is not finite. */
static dem_status kept_far(demi_history_call *call, demi_kept_work *work, uint64_t q)
{
    const demi_kept *kept = work->kept;
    const demi_pair pair = kept->pair.read[q];
    const uint32_t i = kept_row(kept, pair.i), j = kept_row(kept, pair.j);
    const double *xi = demi_row3(call->in->position, call->stride[0], i),
                 *xj = demi_row3(call->in->position, call->stride[0], j);
    double offset[3];
    for (uint64_t c = 0; c < 3; ++c)
        offset[c] = xi[c] - xj[c] - kept->shift.read[3 * q + c];
    if (!demi_finite3(offset) && call->quiet)
        return DEM_ERROR_RANGE;
    if (!demi_finite3(offset))
        return demi_fail(&call->history->context, DEM_ERROR_RANGE,
                         "dem_contacts_input.shifts: a distance of rows %u and %u is not finite", i,
                         j);
    if (!kept->current.touching.read[q] &&
        !(demi_dot(offset, offset) < kept->touch_squared.read[q]))
        return DEM_OK;
    work->pair[work->count] = pair;
    work->index[work->count++] = (uint32_t)q;
    return DEM_OK;
}

dem_status demi_kept_pairs(demi_history_call *call, demi_kept_tasks *tasks, uint64_t begin,
                           uint64_t end)
{
    dem_contact_history *h = call->history;
    demi_kept *kept = &h->kept;
    demi_kept_work work;
    work.kept = kept;
    work.current = &kept->current;
    work.next = &kept->next;
    work.lanes = call->lanes;
    work.tasks = tasks;
    work.load = h->sums.exact ? NULL : kept->load.data;
    work.synchronized = call->in->kinematics == DEM_KINEMATICS_SYNCHRONIZED;
    work.keep = !call->in->forces_only;
    work.past = kept->current.count > CONTACTS_CACHED;
    work.place = begin;
    work.count = 0;
    call->kept_index = work.index;
    dem_status status = DEM_OK;
    for (uint64_t q = begin; status == DEM_OK && q < end;) {
        const uint64_t left = end - q,
                       next = q + (left < DEMI_KEPT_FILTER ? left : DEMI_KEPT_FILTER);
        q = demi_kept_filter[h->models.isa](&work, q, next);
        if (q < next)
            for (uint64_t stop = q + DEMI_KEPT_GROUP < next ? q + DEMI_KEPT_GROUP : next;
                 status == DEM_OK && q < stop; ++q)
                status = kept_far(call, &work, q);
        if (status == DEM_OK)
            status = kept_drain(call, &work, q == end);
    }
    demi_kept_fence[h->models.isa]();
    call->kept_index = NULL;
    return status;
}
