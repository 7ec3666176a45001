/* SPDX-License-Identifier: MIT */
/* Kept lists: what dem_contacts_evaluate finds out of each pair in every call is found out once. A
 * pair knows its rows, model and record; records have no table until somebody looks for a key.
 * Arithmetic, order and errors are those of evaluate.c. */
#include "contact/call.h"
#include "base/check.h"
#include "contact/input.h"
#include "contact/kept.h"

#include <float.h>
#include <math.h>
#include <string.h>

DEMI_COPIES(demi_kept_filter_function, demi_kept_filter);
DEMI_COPIES(demi_kept_gather_function, demi_kept_gather);
DEMI_COPIES(demi_kept_scatter_function, demi_kept_scatter);

/* Pairs that the filter reads at once; records that a core's caches may keep between steps. */
enum { GROUP = 4, PADDING = 8, RECORDS_CACHED = 8192 };

/* ------------------------------------------------------------------ making a list */

static dem_status kept_reserve(demi_history_call *call, demi_kept *kept)
{
    demi_context *context = &call->history->context;
    static const char what[] = "kept list";
    const dem_contacts_input *in = call->in;
    /* groups of pairs are read whole */
    const uint64_t pairs = in->pair_count + GROUP, rows = in->particle_count;
    const uint64_t places = pairs + call->history->current.count;
    dem_status status = demi_array_reserve(context, &kept->pair, pairs, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->model, pairs, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->touch_squared, pairs, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->origin, pairs, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->shift, 3 * pairs, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->at, places, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->at_next, places, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->row, rows, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->place, rows, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->radius, rows, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->mass, rows, 0, what);
    return status;
}

/* Rows of the list's own, of which there are as many as pairs have. */
static dem_status kept_reserve_rows(demi_context *context, demi_kept *kept)
{
    static const char what[] = "rows of a kept list";
    if (kept->row_count > UINT32_MAX / DEMI_LOCAL_OFFSET)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.pairs: %llu rows have pairs; a list holds those of at "
                         "most %llu rows",
                         (unsigned long long)kept->row_count,
                         (unsigned long long)(UINT32_MAX / DEMI_LOCAL_OFFSET));
    dem_status status = demi_array_reserve(context, &kept->position, 4 * kept->row_count, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->velocity, 8 * kept->row_count, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->gain, 8 * kept->row_count, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->load, 8 * kept->row_count, 0, what);
    return status;
}

/* The pair p of the host, as the next one of the list. `next` tells whether it was listed before:
 * its records are the pairs so far. */
static dem_status kept_add(demi_history_call *call, demi_kept *kept, uint64_t p)
{
    static const double state[DEM_STATE_MAX] = {0.0};
    dem_contact_history *h = call->history;
    const dem_contacts_input *in = call->in;
    demi_pair_identity of;
    const demi_record *before;
    dem_status status = demi_call_identify(call, p, &of);
    if (status == DEM_OK)
        status = demi_call_before(call, &of.record, &before);
    if (status != DEM_OK || of.record.model == NULL)
        return status;
    const uint64_t n = kept->count, twin = demi_records_find(&h->next, &of.record.key);
    if (!demi_call_add_record(call, &of.record, of.i, of.j, state))
        return demi_call_twice(call, &of.record);
    if (twin != UINT64_MAX) /* so that records have the numbers of pairs */
        (void)demi_records_append(&h->next, of.record.model);
    const double reach = demi_model_reach(of.record.model, in->radius[of.i], in->radius[of.j]);
    const double touch = in->radius[of.i] + in->radius[of.j] + reach;
    kept->pair.data[n] = (demi_pair){of.i, of.j};
    kept->touch_squared.data[n] = touch * touch;
    kept->model.data[n] = of.record.model;
    kept->alike = n == 0 || kept->alike == of.record.model ? of.record.model : NULL;
    kept->widest =
        of.record.model->state_size > kept->widest ? of.record.model->state_size : kept->widest;
    kept->origin.data[n] =
        (demi_kept_origin){of.record.key, of.record.material_i, of.record.material_j,
                           twin != UINT64_MAX ? (uint32_t)twin : DEMI_NOT_KEPT};
    for (uint64_t c = 0; c < 3; ++c) {
        const double shift = in->shifts != NULL ? in->shifts[3 * p + c] : 0.0;
        kept->shift.data[3 * n + c] = (of.turned ? -1.0 : 1.0) * shift;
        if (!isfinite(shift))
            return demi_fail(&h->context, DEM_ERROR_RANGE,
                             "dem_contacts_input.shifts[%llu]: is not finite",
                             (unsigned long long)p);
    }
    kept->at.data[n] = before != NULL ? (uint32_t)(before - h->current.record.read) : DEMI_NOT_KEPT;
    kept->mass.data[of.i] = kept->mass.data[of.j] = -1.0; /* the row is used */
    kept->count++;
    return DEM_OK;
}

/* Rows that pairs have, and contacts that are not listed, where those stay. */
static dem_status kept_finish(demi_history_call *call, demi_kept *kept)
{
    dem_contact_history *h = call->history;
    const dem_contacts_input *in = call->in;
    for (uint32_t row = 0; row < in->particle_count; ++row) {
        if (kept->mass.data[row] == 0.0)
            continue;
        kept->place.data[row] = (uint32_t)kept->row_count;
        kept->row.data[kept->row_count++] = row;
        kept->mass.data[row] = in->mass[row];
        kept->radius.data[row] = in->radius[row];
    }
    const dem_status status = kept_reserve_rows(&h->context, kept);
    if (status != DEM_OK)
        return status;
    for (uint64_t k = 0; k < kept->row_count; ++k) {
        const double mass = in->mass[kept->row.read[k]];
        kept->position.data[4 * k + 3] = in->radius[kept->row.read[k]];
        kept->velocity.data[8 * k + 3] = mass > 0.0 ? 1.0 / mass : 0.0;
        kept->velocity.data[8 * k + 7] = 0.0;
        memset(kept->gain.data + 8 * k, 0, 8 * sizeof(double));
        memset(kept->load.data + 8 * k, 0, 8 * sizeof(double));
    }
    for (uint64_t n = 0; n < kept->count; ++n) {
        demi_pair *pair = &kept->pair.data[n];
        pair->i = DEMI_LOCAL_OFFSET * kept->place.read[pair->i];
        pair->j = DEMI_LOCAL_OFFSET * kept->place.read[pair->j];
    }
    for (uint64_t n = kept->count; n < kept->count + GROUP; ++n) {
        kept->pair.data[n] = (demi_pair){0, 0};
        kept->touch_squared.data[n] = -1.0;
        memset(kept->shift.data + 3 * n, 0, 3 * sizeof(double));
        kept->at.data[n] = DEMI_NOT_KEPT;
    }
    for (uint32_t k = 0; k < h->current.count; ++k)
        if (!h->seen.read[k])
            kept->at.data[kept->count + kept->absent_count++] = k;
    return DEM_OK;
}

dem_status demi_kept_make(demi_history_call *call)
{
    dem_contact_history *h = call->history;
    const dem_contacts_input *in = call->in;
    demi_kept *kept = &h->kept_new;
    dem_status status = kept_reserve(call, kept);
    if (status != DEM_OK)
        return status;
    kept->count = kept->absent_count = kept->row_count = 0;
    kept->alike = NULL;
    kept->widest = 0;
    kept->shifted = in->shifts != NULL;
    kept->dense = kept->dense_next = 0;
    kept->particle_count = in->particle_count;
    kept->ghost_count = in->ghost_count;
    memset(kept->mass.data, 0, (size_t)in->particle_count * sizeof(double));
    for (uint64_t p = 0; status == DEM_OK && p < in->pair_count; ++p)
        if (call->ends == NULL || !demi_pair_of_ghosts(call, p))
            status = kept_add(call, kept, p);
    if (status == DEM_OK)
        status = kept_finish(call, kept);
    if (status != DEM_OK)
        return status;
    const demi_kept old = h->kept;
    h->kept = *kept;
    h->kept_new = old;
    h->kept.open = 1;
    return DEM_OK;
}

/* ------------------------------------------------------------------ evaluating it */

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

/* Three components of a row of the host; tells whether they are finite. */
static inline int row_read(const double *base, uint64_t stride, uint32_t row, double to[3])
{
    const double *from = demi_row3(base, stride, row);
    int finite = 1;
#pragma GCC unroll 3
    for (int c = 0; c < 3; ++c) {
        to[c] = from[c];
        finite &= islessequal(fabs(from[c]), DBL_MAX);
    }
    return finite;
}

/* What dashpots see beyond the velocities of a row. */
static int row_gain(const demi_history_call *call, uint32_t row, double gain[8])
{
    const dem_contacts_input *in = call->in;
    const double *const given[] = {in->acceleration, in->angular_acceleration};
    int finite = 1;
    for (int k = 0; k < 2; ++k) {
        double a[3] = {0.0, 0.0, 0.0};
        if (given[k] != NULL)
            finite &= row_read(given[k], call->stride[3 + k], row, a);
        for (int c = 0; c < 3; ++c)
            gain[4 * k + c] = a[c] * in->velocity_lag;
    }
    return finite;
}

/* Reads the host's rows; tells whether all is finite. */
static int kept_read_rows(const demi_history_call *call)
{
    const dem_contacts_input *in = call->in;
    const demi_kept *kept = &call->history->kept;
    const uint64_t *stride = call->stride;
    const int gains = in->kinematics == DEM_KINEMATICS_SYNCHRONIZED;
    int finite = 1;
    for (uint64_t k = 0; k < kept->row_count; ++k) {
        const uint32_t row = kept->row.read[k];
        double *velocity = kept->velocity.data + 8 * k, *load = kept->load.data + 8 * k;
        finite &= row_read(in->position, stride[0], row, kept->position.data + 4 * k);
        finite &= row_read(in->velocity, stride[1], row, velocity);
        if (in->angular_velocity != NULL)
            finite &= row_read(in->angular_velocity, stride[2], row, velocity + 4);
        else
            memset(velocity + 4, 0, 3 * sizeof(double));
        if (gains)
            finite &= row_gain(call, row, kept->gain.data + 8 * k);
        if (row >= call->owned_count || call->history->sums.exact)
            continue;
        memcpy(load, demi_row3_out(in->force, stride[5], row), 3 * sizeof(double));
        if (in->torque != NULL)
            memcpy(load + 4, demi_row3_out(in->torque, stride[6], row), 3 * sizeof(double));
    }
    return finite;
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
    if (kept_accelerations(call) && kept_read_rows(call))
        return DEM_OK;
    for (uint64_t k = 0; status == DEM_OK && k < h->kept.row_count; ++k)
        status = demi_row_check(&h->context, call, h->kept.row.read[k]);
    return status;
}

void demi_kept_add_forces(const demi_history_call *call)
{
    const demi_kept *kept = &call->history->kept;
    if (call->history->sums.exact) {
        demi_exact_add_forces(call);
        return;
    }
    for (uint64_t k = 0; k < kept->row_count; ++k) {
        const uint32_t row = kept->row.read[k];
        const double *load = kept->load.read + 8 * k;
        if (row >= call->owned_count)
            continue;
        memcpy(demi_row3_out(call->in->force, call->stride[5], row), load, 3 * sizeof(double));
        if (call->in->torque != NULL)
            memcpy(demi_row3_out(call->in->torque, call->stride[6], row), load + 4,
                   3 * sizeof(double));
    }
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
    if (kept->at.read[q] == DEMI_NOT_KEPT &&
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
            for (uint64_t stop = q + GROUP < end ? q + GROUP : end; status == DEM_OK && q < stop;
                 ++q)
                status = kept_far(call, work, q);
        if (status == DEM_OK)
            status = kept_drain(call, work, q == pairs);
    }
    return status;
}

/* Contacts that are not of the list. */
static void kept_absent(dem_contact_history *h)
{
    demi_kept *kept = &h->kept;
    for (uint64_t k = kept->count; k < kept->count + kept->absent_count; ++k) {
        if (kept->at.read[k] == DEMI_NOT_KEPT)
            continue;
        const demi_record *from = &h->current.record.read[kept->at.read[k]];
        kept->at_next.data[k] = (uint32_t)h->next.count;
        demi_record *to = demi_records_append(&h->next, from->model);
        const uint64_t begin = to->state_begin;
        *to = *from;
        to->state_begin = begin;
        memcpy(h->next.state.data + begin, h->current.state.read + from->state_begin,
               from->model->state_size * sizeof(double));
    }
}

dem_status demi_kept_run(demi_history_call *call)
{
    dem_contact_history *h = call->history;
    demi_kept *kept = &h->kept;
    const uint64_t places = kept->count + kept->absent_count;
    demi_kept_work work;
    work.kept = kept;
    work.current = &h->current;
    work.next = &h->next;
    work.lanes = call->lanes;
    work.load = h->sums.exact ? NULL : kept->load.data;
    work.synchronized = call->in->kinematics == DEM_KINEMATICS_SYNCHRONIZED;
    work.keep = !call->in->forces_only;
    work.past = h->current.count > RECORDS_CACHED;
    if (work.keep)
        kept->dense_next = kept->alike != NULL;
    work.count = 0;
    call->kept_index = work.index;
    if (work.keep)
        memset(kept->at_next.data, 0xFF, (size_t)places * sizeof(uint32_t));
    dem_status status = kept_rows(call);
    if (status == DEM_OK)
        status = kept_pairs(call, &work);
    if (status == DEM_OK && work.keep && call->in->absent == DEM_ABSENT_KEEP)
        kept_absent(h);
    return status;
}
