/* SPDX-License-Identifier: MIT */
/* Kept lists: what dem_contacts_evaluate finds out of each pair in every call is found out once. A
 * pair knows its rows, its model and its contact, which lies at the number of the pair. */
#include "contact/call.h"
#include "base/check.h"
#include "contact/kept.h"

#include <string.h>

/* Rows of a state are read and written four doubles at a time. */
#define KEPT_STRIDE(size) (((uint64_t)(size) + 3) / 4 * 4)

static dem_status kept_reserve(demi_history_call *call, demi_kept *kept)
{
    demi_context *context = &call->history->context;
    static const char what[] = "kept list";
    const dem_contacts_input *in = call->in;
    /* groups of pairs are read whole */
    const uint64_t pairs = in->pair_count + DEMI_KEPT_GROUP, rows = in->particle_count;
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
        status = demi_array_reserve(context, &kept->twin, pairs, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->record, pairs, 0, what);
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
        status = demi_call_before(call, &of, &before);
    if (status != DEM_OK)
        return status;
    kept->mass.data[of.i] = kept->mass.data[of.j] = -1.0; /* the row is used */
    if (of.record.model == NULL)
        return DEM_OK;
    const uint64_t n = kept->count, first = demi_records_find(&h->next, &of.record.key);
    if (!demi_call_add_record(call, &of.record, of.i, of.j, state))
        return demi_call_twice(call, &of.record);
    if (first != UINT64_MAX) /* so that records have the numbers of pairs */
        (void)demi_records_append(&h->next, of.record.model);
    const double reach = demi_model_reach(of.record.model, in->radius[of.i], in->radius[of.j]);
    const double touch = in->radius[of.i] + in->radius[of.j] + reach;
    kept->pair.data[n] = (demi_pair){of.i, of.j};
    kept->touch_squared.data[n] = touch * touch;
    kept->model.data[n] = of.record.model;
    kept->alike = n == 0 || kept->alike == of.record.model ? of.record.model : NULL;
    const uint64_t stride = KEPT_STRIDE(of.record.model->state_size);
    kept->state_stride = stride > kept->state_stride ? stride : kept->state_stride;
    if (first != UINT64_MAX)
        kept->twin.data[kept->twin_count++] = (demi_kept_twin){(uint32_t)n, (uint32_t)first};
    kept->origin.data[n] = (demi_kept_origin){
        of.record.key,        of.record.material_i,
        of.record.material_j, first != UINT64_MAX ? (uint32_t)first : DEMI_NOT_KEPT,
        (uint32_t)p,          of.turned};
    for (uint64_t c = 0; c < 3; ++c) {
        kept->shift.data[3 * n + c] = of.shift[c];
        if (!isfinite(of.shift[c]))
            return demi_fail(&h->context, DEM_ERROR_RANGE,
                             "dem_contacts_input.shifts[%llu]: is not finite",
                             (unsigned long long)p);
    }
    kept->record.data[n] =
        before != NULL ? (uint32_t)(before - h->current.record.read) : DEMI_NOT_KEPT;
    kept->count++;
    return DEM_OK;
}

/* Whether ids of rows ascend: then no two are the same. */
static int ids_ascend(const uint64_t *id, const uint32_t *row, uint64_t count)
{
    for (uint64_t k = 1; k < count; ++k)
        if (id[row[k]] <= id[row[k - 1]])
            return 0;
    return 1;
}

/* Enters rows by their ids into a table of a power of two of places; the first one whose id is
 * there already, or `count`. */
static uint64_t ids_enter(const uint64_t *id, const uint32_t *row, uint64_t count, uint32_t *table,
                          uint64_t size)
{
    const uint64_t mask = size - 1;
    memset(table, 0, (size_t)size * sizeof *table);
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t own = id[row[k]];
        uint64_t at = (own * UINT64_C(0x9E3779B97F4A7C15) >> 32) * size >> 32;
        for (; table[at] != 0; at = (at + 1) & mask)
            if (id[table[at] - 1] == own)
                return k;
        table[at] = row[k] + 1;
    }
    return count;
}

/* Rows that are no ghosts, and that pairs have, are of different particles. */
static dem_status kept_ids_check(demi_history_call *call, const demi_kept *kept)
{
    demi_context *context = &call->history->context;
    const dem_contacts_input *in = call->in;
    const uint64_t own = in->particle_count - in->ghost_count;
    const uint32_t *row = kept->row.read;
    DEMI_ARRAY(uint32_t) table = {NULL};
    uint64_t count = kept->row_count, size = 64;
    while (count > 0 && row[count - 1] >= own)
        --count;
    if (in->id == NULL || ids_ascend(in->id, row, count))
        return DEM_OK;
    while (size < 2 * count)
        size *= 2;
    dem_status status = demi_array_reserve(context, &table, size, 0, "ids of a kept list");
    if (status != DEM_OK)
        return status;
    const uint64_t twice = ids_enter(in->id, row, count, table.data, size);
    if (twice < count)
        status = demi_fail(context, DEM_ERROR_DUPLICATE,
                           "dem_contacts_input.id[%u]: %llu is the id of another row that is no "
                           "ghost: give each particle an id of its own",
                           row[twice], (unsigned long long)in->id[row[twice]]);
    demi_array_free(context, &table);
    return status;
}

/* Rows that pairs have. */
static dem_status kept_rows_take(demi_history_call *call, demi_kept *kept)
{
    const dem_contacts_input *in = call->in;
    for (uint32_t row = 0; row < in->particle_count; ++row) {
        if (kept->mass.data[row] == 0.0)
            continue;
        kept->place.data[row] = (uint32_t)kept->row_count;
        kept->row.data[kept->row_count++] = row;
        kept->mass.data[row] = in->mass[row];
        kept->radius.data[row] = in->radius[row];
    }
    const dem_status status = kept_reserve_rows(&call->history->context, kept);
    if (status != DEM_OK)
        return status;
    for (uint64_t k = 0; k < kept->row_count; ++k) {
        const double mass = in->mass[kept->row.read[k]];
        kept->position.data[4 * k + 3] = in->radius[kept->row.read[k]];
        kept->velocity.data[8 * k + 3] = mass > 0.0 ? 1.0 / mass : 0.0;
        kept->velocity.data[8 * k + 7] = 0.0;
        memset(kept->gain.data + 8 * k, 0, 8 * sizeof(double));
    }
    for (uint64_t n = 0; n < kept->count; ++n) {
        demi_pair *pair = &kept->pair.data[n];
        pair->i = DEMI_LOCAL_OFFSET * kept->place.read[pair->i];
        pair->j = DEMI_LOCAL_OFFSET * kept->place.read[pair->j];
    }
    for (uint64_t n = kept->count; n < kept->count + DEMI_KEPT_GROUP; ++n) {
        kept->pair.data[n] = (demi_pair){0, 0};
        kept->touch_squared.data[n] = -1.0;
        memset(kept->shift.data + 3 * n, 0, 3 * sizeof(double));
    }
    return DEM_OK;
}

static dem_status kept_side_reserve(demi_context *context, const demi_kept *kept,
                                    demi_kept_side *side)
{
    static const char what[] = "contacts of a kept list";
    const uint64_t pairs = kept->count + DEMI_KEPT_GROUP;
    dem_status status = demi_array_reserve(context, &side->touching, pairs, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &side->state, pairs * kept->state_stride, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &side->result, pairs * DEMI_KEPT_RESULT, 0, what);
    if (status == DEM_OK)
        memset(side->touching.data, 0, (size_t)pairs);
    return status;
}

/* Room for both sides, and for the records that will be made from them in either generation. */
static dem_status kept_reserve_contacts(dem_contact_history *h, demi_kept *kept)
{
    demi_context *context = &h->context;
    uint64_t absent = 0, states = 0;
    for (uint64_t k = 0; k < h->current.count; ++k)
        if (!h->seen.read[k]) {
            states += h->current.record.read[k].model->state_size;
            ++absent;
        }
    dem_status status = kept_side_reserve(context, kept, &kept->current);
    if (status == DEM_OK)
        status = kept_side_reserve(context, kept, &kept->next);
    if (status == DEM_OK)
        status = demi_records_reset_bare(context, &kept->absent, absent, states);
    const uint64_t most = kept->count + absent, all = kept->count * kept->state_stride + states;
    if (status == DEM_OK)
        status = demi_records_reset_bare(context, &h->next, most, all);
    if (status == DEM_OK) /* more than needed: what is there stays, and counts */
        status = demi_records_grow(context, &h->current, most, all);
    return status;
}

/* The contacts of the history: those of pairs, and those that are not listed. */
static void kept_take_contacts(const dem_contact_history *h, demi_kept *kept)
{
    const demi_records *from = &h->current;
    kept->current.absent = 1;
    kept->current.count = from->count;
    kept->current.source = DEMI_KEPT_RECORDS;
    for (uint64_t n = 0; n < kept->count; ++n) {
        if (kept->record.read[n] == DEMI_NOT_KEPT)
            continue;
        const demi_record *r = &from->record.read[kept->record.read[n]];
        kept->current.touching.data[n] = 1;
        memcpy(kept->current.state.data + n * kept->state_stride, from->state.read + r->state_begin,
               r->model->state_size * sizeof(double));
    }
    for (uint64_t k = 0; k < from->count; ++k)
        if (!h->seen.read[k])
            demi_records_copy(&kept->absent, &from->record.read[k], from->state.read);
}

dem_status demi_kept_make(demi_history_call *call)
{
    dem_contact_history *h = call->history;
    const dem_contacts_input *in = call->in;
    demi_kept *kept = &h->kept_new;
    dem_status status = kept_reserve(call, kept);
    if (status != DEM_OK)
        return status;
    kept->count = kept->twin_count = kept->row_count = 0;
    kept->alike = NULL;
    kept->state_stride = 0;
    kept->shifted = in->shifts != NULL;
    kept->particle_count = in->particle_count;
    kept->ghost_count = in->ghost_count;
    memset(kept->mass.data, 0, (size_t)in->particle_count * sizeof(double));
    for (uint64_t p = 0; status == DEM_OK && p < in->pair_count; ++p)
        if (call->ends == NULL || !demi_pair_of_ghosts(call, p))
            status = kept_add(call, kept, p);
    if (status == DEM_OK)
        status = kept_rows_take(call, kept);
    if (status == DEM_OK)
        status = kept_ids_check(call, kept);
    if (status == DEM_OK)
        status = demi_absent_of_ghosts(call);
    if (status == DEM_OK) /* while `next` has the pairs */
        status = demi_kept_mergers_find(h, kept);
    if (status == DEM_OK)
        status = kept_reserve_contacts(h, kept);
    if (status == DEM_OK)
        status = demi_kept_tasks_make(h, kept);
    if (status != DEM_OK)
        return status;
    kept_take_contacts(h, kept);
    const demi_kept old = h->kept;
    h->kept = *kept;
    h->kept_new = old;
    h->kept.open = 1;
    return DEM_OK;
}
