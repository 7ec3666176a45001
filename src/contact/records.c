/* SPDX-License-Identifier: MIT */
/* Records of contacts, and their table: linear probing, at most half full. */
#include "contact/records.h"

#include <string.h>

static int key_equal(const dem_contact_key *a, const dem_contact_key *b)
{
    return a->id_i == b->id_i && a->id_j == b->id_j && a->feature == b->feature &&
           a->image[0] == b->image[0] && a->image[1] == b->image[1] && a->image[2] == b->image[2];
}

void demi_records_free(demi_context *context, demi_records *records)
{
    demi_array_free(context, &records->record);
    demi_array_free(context, &records->state);
    demi_array_free(context, &records->table);
}

dem_status demi_records_reset_bare(demi_context *context, demi_records *records, uint64_t count,
                                   uint64_t states)
{
    uint64_t table = 16;
    while (table < 2 * count)
        table *= 2;
    if (count > 0x7FFFFFFFu)
        return demi_fail(context, DEM_ERROR_RANGE, "pair_count: %llu contacts exceed 2^31 - 1",
                         (unsigned long long)count);
    dem_status status = demi_array_reserve(context, &records->record, count, 0, "contact records");
    if (status == DEM_OK)
        status = demi_array_reserve(context, &records->state, states + DEMI_STATES_BEYOND, 0,
                                    "contact states");
    if (status == DEM_OK)
        status = demi_array_reserve(context, &records->table, table, 0, "contact table");
    if (status != DEM_OK)
        return status;
    records->count = records->state_count = 0;
    records->table_size = table;
    records->table_stale = 1;
    records->listed = 0;
    return DEM_OK;
}

dem_status demi_records_reset(demi_context *context, demi_records *records, uint64_t count,
                              uint64_t states)
{
    const dem_status status = demi_records_reset_bare(context, records, count, states);
    if (status != DEM_OK)
        return status;
    memset(records->table.data, 0, (size_t)(records->table_size * sizeof(uint32_t)));
    records->table_stale = 0;
    return DEM_OK;
}

demi_record *demi_records_append(demi_records *records, const demi_model *model)
{
    demi_record *row = &records->record.data[records->count++];
    row->model = model;
    row->state_begin = records->state_count;
    records->state_count += model->state_size;
    return row;
}

void demi_records_copy(demi_records *records, const demi_record *record, const double *states)
{
    demi_record *row = demi_records_append(records, record->model);
    const uint64_t begin = row->state_begin;
    *row = *record;
    row->state_begin = begin;
    memcpy(records->state.data + begin, states + record->state_begin,
           record->model->state_size * sizeof(double));
}

uint64_t demi_records_find(const demi_records *records, const dem_contact_key *key)
{
    const uint32_t *table = records->table.data;
    const demi_record *record = records->record.data;
    if (records->table_size == 0)
        return UINT64_MAX;
    const uint64_t mask = records->table_size - 1;
    for (uint64_t k = demi_key_hash(key) & mask; table[k] != 0; k = (k + 1) & mask)
        if (key_equal(&record[table[k] - 1].key, key))
            return table[k] - 1;
    return UINT64_MAX;
}

uint64_t demi_records_find_after(const demi_records *records, const dem_contact_key *key,
                                 uint64_t *guess)
{
    const uint64_t found =
        *guess < records->count && key_equal(&records->record.read[*guess].key, key)
            ? *guess
            : demi_records_find(records, key);
    if (found != UINT64_MAX)
        *guess = found + 1;
    return found;
}

int demi_records_add(demi_records *records, const demi_record *record, const double *state)
{
    uint32_t *table = records->table.data;
    demi_record *rows = records->record.data;
    const uint64_t mask = records->table_size - 1;
    uint64_t k = demi_key_hash(&record->key) & mask;
    for (; table[k] != 0; k = (k + 1) & mask)
        if (key_equal(&rows[table[k] - 1].key, &record->key))
            return 0;
    table[k] = (uint32_t)records->count + 1;
    demi_record *row = &rows[records->count++];
    *row = *record;
    row->state_begin = records->state_count;
    if (record->model->state_size > 0)
        memmove(records->state.data + records->state_count, state,
                record->model->state_size * sizeof(double));
    records->state_count += record->model->state_size;
    return 1;
}

/* The table for `size` places, with all records. */
static void table_fill(demi_records *records, uint64_t size)
{
    uint32_t *table = records->table.data;
    const uint64_t mask = size - 1;
    memset(table, 0, (size_t)(size * sizeof *table));
    records->table_size = size;
    records->table_stale = 0;
    for (uint64_t n = 0; n < records->count; ++n) {
        uint64_t k = demi_key_hash(&records->record.read[n].key) & mask;
        while (table[k] != 0)
            k = (k + 1) & mask;
        table[k] = (uint32_t)n + 1;
    }
}

void demi_records_table(demi_records *records)
{
    if (records->table_stale)
        table_fill(records, records->table_size);
}

/* Room for more states. Records that were removed leave gaps, which are closed on the way. */
static dem_status states_grow(demi_context *context, demi_records *records, uint64_t states)
{
    DEMI_ARRAY(double) wider = {NULL};
    demi_record *rows = records->record.data;
    uint64_t used = 0;
    if (records->state_count + states + DEMI_STATES_BEYOND <= demi_array_room(&records->state) &&
        records->state.data != NULL)
        return DEM_OK;
    for (uint64_t n = 0; n < records->count; ++n)
        used += rows[n].model->state_size;
    const uint64_t room = used + states;
    const dem_status status = demi_array_reserve(
        context, &wider, room + room / 2 + DEMI_STATES_BEYOND, 0, "contact states");
    if (status != DEM_OK)
        return status;
    const double *from = records->state.read; /* none before the first state */
    records->state_count = 0;
    for (uint64_t n = 0; n < records->count; ++n) {
        const uint32_t size = rows[n].model->state_size;
        if (from != NULL)
            memcpy(wider.data + records->state_count, from + rows[n].state_begin,
                   size * sizeof(double));
        rows[n].state_begin = records->state_count;
        records->state_count += size;
    }
    demi_buffer_exchange(&wider.buffer, &records->state.buffer);
    demi_array_free(context, &wider);
    return DEM_OK;
}

dem_status demi_records_grow(demi_context *context, demi_records *records, uint64_t count,
                             uint64_t states)
{
    const uint64_t most = records->count + count;
    uint64_t size = records->table_size > 0 ? records->table_size : 16;
    while (size < 2 * most)
        size *= 2;
    if (most > 0x7FFFFFFFu)
        return demi_fail(context, DEM_ERROR_RANGE, "contacts: %llu exceed 2^31 - 1",
                         (unsigned long long)most);
    dem_status status = demi_array_reserve(context, &records->record, most, 1, "contact records");
    if (status == DEM_OK)
        status = states_grow(context, records, states);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &records->table, size, 1, "contact table");
    if (status == DEM_OK && size != records->table_size)
        table_fill(records, size);
    return status;
}

/* The place in the table of a record that is there. */
static uint64_t table_place(const demi_records *records, uint64_t index)
{
    const uint32_t *table = records->table.data;
    const uint64_t mask = records->table_size - 1;
    uint64_t k = demi_key_hash(&records->record.read[index].key) & mask;
    while (table[k] != index + 1)
        k = (k + 1) & mask;
    return k;
}

/* Empties a place of the table. Those after it move up, so that none is behind a gap. */
static void table_erase(demi_records *records, uint64_t gap)
{
    uint32_t *table = records->table.data;
    const uint64_t mask = records->table_size - 1;
    for (uint64_t k = (gap + 1) & mask; table[k] != 0; k = (k + 1) & mask) {
        const uint64_t wanted = demi_key_hash(&records->record.read[table[k] - 1].key) & mask;
        if (((k - wanted) & mask) < ((k - gap) & mask))
            continue;
        table[gap] = table[k];
        gap = k;
    }
    table[gap] = 0;
}

void demi_records_remove(demi_records *records, uint64_t index)
{
    demi_record *rows = records->record.data;
    const uint64_t last = records->count - 1;
    table_erase(records, table_place(records, index));
    if (rows[index].state_begin + rows[index].model->state_size == records->state_count)
        records->state_count = rows[index].state_begin;
    if (index != last) {
        records->table.data[table_place(records, last)] = (uint32_t)index + 1;
        rows[index] = rows[last];
    }
    records->count = last;
}

void demi_records_insert(demi_records *records, uint64_t index, const demi_record *record,
                         const double *state)
{
    const uint64_t last = records->count;
    demi_record *rows = records->record.data;
    (void)demi_records_add(records, record, state);
    if (index == last)
        return;
    const uint64_t moved = table_place(records, index), added = table_place(records, last);
    const demi_record exchanged = rows[index];
    rows[index] = rows[last];
    rows[last] = exchanged;
    records->table.data[moved] = (uint32_t)last + 1;
    records->table.data[added] = (uint32_t)index + 1;
}

void demi_records_drop(demi_records *records, const demi_model *model)
{
    for (uint64_t k = records->count; k-- > 0;)
        if (records->record.read[k].model == model)
            demi_records_remove(records, k);
}
