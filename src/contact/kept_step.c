/* SPDX-License-Identifier: MIT */
/* A step of the pairs of a kept list. Arithmetic, order and errors are those of evaluate.c. What
 * the step keeps of contacts goes to the other side of the list, so that one that fails changes
 * nothing. */
#include "contact/call.h"
#include "base/check.h"
#include "contact/input.h"
#include "contact/kept.h"

#include <string.h>

DEMI_COPIES(demi_kept_read_function, demi_kept_read);
DEMI_COPIES(demi_kept_filter_function, demi_kept_filter);
DEMI_COPIES(demi_kept_gather_function, demi_kept_gather);
DEMI_COPIES(demi_kept_scatter_function, demi_kept_scatter);
DEMI_COPIES(demi_kept_fence_function, demi_kept_fence);
DEMI_COPIES(demi_kept_write_function, demi_kept_write);

/* Contacts that a core's caches may keep between steps. */
enum { PADDING = 8, CONTACTS_CACHED = 8192 };

/* Puts what the list keeps in place of what the host gives. */
dem_status demi_kept_input(dem_contact_history *h, dem_contacts_input *in)
{
    const demi_kept *kept = &h->kept;
    static const uint32_t none[2] = {0, 0};
    if (!kept->open)
        return demi_fail(&h->context, DEM_ERROR_STATE,
                         "dem_contacts_list_evaluate: there is no list, or the history changed "
                         "after it: call dem_contacts_list_begin");
    if (in->particle_count != kept->particle_count || in->ghost_count != kept->ghost_count)
        return demi_fail(
            &h->context, DEM_ERROR_RANGE,
            "dem_contacts_input: %llu particles with %llu ghosts, and the list has "
            "%llu with %llu: call dem_contacts_list_begin",
            (unsigned long long)in->particle_count, (unsigned long long)in->ghost_count,
            (unsigned long long)kept->particle_count, (unsigned long long)kept->ghost_count);
    in->pair_count = kept->count;
    in->pairs = none;
    in->radius = kept->radius.read;
    in->mass = kept->mass.read;
    in->material = NULL;
    if (in->id == NULL)
        in->id = &kept->origin.read->key.id_i; /* there; it is not read */
    return DEM_OK;
}

/* Whether accelerations have the row of the list that is the last one of the host. */
static int kept_accelerations(const demi_history_call *call)
{
    const dem_contacts_input *in = call->in;
    const demi_kept *kept = &call->history->kept;
    const uint64_t rows = kept->row_count > 0 ? kept->row.read[kept->row_count - 1] + 1u : 0;
    return (in->acceleration == NULL || rows <= in->acceleration_count) &&
           (in->angular_acceleration == NULL || rows <= in->angular_acceleration_count);
}

static dem_status kept_rows(const demi_history_call *call)
{
    dem_contact_history *h = call->history;
    dem_status status = DEM_OK;
    if (kept_accelerations(call) && demi_kept_read[h->models.isa](call))
        return DEM_OK;
    for (uint64_t k = 0; status == DEM_OK && k < h->kept.row_count; ++k)
        status = demi_row_check(&h->context, call, h->kept.row.read[k]);
    return status;
}

void demi_kept_add_forces(const demi_history_call *call)
{
    if (call->history->sums.exact)
        demi_exact_add_forces(call);
    else
        demi_kept_write[call->history->models.isa](call);
}

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
                return demi_call_heavy(call, kept_row(&h->kept, work->pair[k].i),
                                       kept_row(&h->kept, work->pair[k].j));
    if (call->ends != NULL)
        for (uint64_t k = 0; k < n; ++k)
            call->lane[k].row_i = kept_row(&h->kept, work->pair[k].i);
    const dem_status status = demi_call_compute(call, n);
    if (status != DEM_OK)
        return status;
    demi_kept_scatter[isa](work, n);
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
        work->model = kept->model.read[work->index[0]];
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

static dem_status kept_pairs(demi_history_call *call, demi_kept_work *work)
{
    dem_contact_history *h = call->history;
    const uint64_t pairs = h->kept.count;
    dem_status status = DEM_OK;
    for (uint64_t q = 0; status == DEM_OK && q < pairs;) {
        const uint64_t left = pairs - q,
                       end = q + (left < DEMI_KEPT_FILTER ? left : DEMI_KEPT_FILTER);
        q = demi_kept_filter[h->models.isa](work, q, end);
        if (q < end)
            for (uint64_t stop = q + DEMI_KEPT_GROUP < end ? q + DEMI_KEPT_GROUP : end;
                 status == DEM_OK && q < stop; ++q)
                status = kept_far(call, work, q);
        if (status == DEM_OK)
            status = kept_drain(call, work, q == pairs);
    }
    return status;
}

/* A contact that two pairs list, as one with an image may be, is one: what the first of them keeps
 * that touches is what both keep. */
static void kept_share(const demi_kept *kept, demi_kept_side *side, uint32_t from, uint32_t to)
{
    side->touching.data[to] = 1;
    memcpy(side->state.data + to * kept->state_stride, side->state.read + from * kept->state_stride,
           kept->state_stride * sizeof(double));
    memcpy(side->result.data + (uint64_t)to * DEMI_KEPT_RESULT,
           side->result.read + (uint64_t)from * DEMI_KEPT_RESULT,
           DEMI_KEPT_RESULT * sizeof(double));
}

static void kept_twins(const demi_kept *kept, demi_kept_side *side)
{
    for (int both = 0; both < 2; ++both)
        for (uint64_t k = 0; k < kept->twin_count; ++k) {
            const uint32_t q = kept->twin.read[k], first = kept->origin.read[q].twin;
            if (both && side->touching.read[first])
                kept_share(kept, side, first, q);
            else if (!side->touching.read[first] && side->touching.read[q])
                kept_share(kept, side, q, first);
        }
}

/* What the step leaves: contacts of which the records are not made. */
static void kept_end(dem_contact_history *h, int absent)
{
    demi_kept *kept = &h->kept;
    demi_kept_side *side = &kept->next;
    kept_twins(kept, side);
    side->absent = absent && kept->current.absent;
    side->count = side->absent ? kept->absent.count : 0;
    for (uint64_t n = 0; n < kept->count; ++n)
        side->count += side->touching.read[n];
    for (uint64_t k = 0; k < kept->twin_count; ++k)
        side->count -= side->touching.read[kept->twin.read[k]];
    h->next.count = side->count;
    h->next.listed = 1;
}

dem_status demi_kept_run(demi_history_call *call)
{
    dem_contact_history *h = call->history;
    demi_kept *kept = &h->kept;
    demi_kept_work work;
    work.kept = kept;
    work.current = &kept->current;
    work.next = &kept->next;
    work.lanes = call->lanes;
    work.load = h->sums.exact ? NULL : kept->load.data;
    work.synchronized = call->in->kinematics == DEM_KINEMATICS_SYNCHRONIZED;
    work.keep = !call->in->forces_only;
    work.past = kept->current.count > CONTACTS_CACHED;
    work.count = 0;
    call->kept_index = work.index;
    if (call->in->ghost_count > 0)
        call->ends = h->ends.data; /* as long as the list was begun with */
    if (work.keep)
        memset(kept->next.touching.data, 0, (size_t)kept->count);
    dem_status status = kept_rows(call);
    if (status == DEM_OK)
        status = kept_pairs(call, &work);
    demi_kept_fence[h->models.isa]();
    if (status == DEM_OK && work.keep)
        kept_end(h, call->in->absent == DEM_ABSENT_KEEP);
    return status;
}
