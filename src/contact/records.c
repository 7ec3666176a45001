/* SPDX-License-Identifier: MIT */
#include "contact/history.h"

#include <string.h>

static uint64_t key_hash(const dem_contact_key *key)
{
    uint64_t h = key->id_i * 0x9E3779B97F4A7C15u ^ key->id_j * 0xC2B2AE3D27D4EB4Fu ^
                 key->feature * 0x165667B19E3779F9u;
    for (int c = 0; c < 3; ++c)
        h = (h ^ (uint32_t)key->image[c]) * 0xD6E8FEB86659FD93u;
    return h ^ (h >> 29);
}

static int key_equal(const dem_contact_key *a, const dem_contact_key *b)
{
    return a->id_i == b->id_i && a->id_j == b->id_j && a->feature == b->feature &&
           a->image[0] == b->image[0] && a->image[1] == b->image[1] && a->image[2] == b->image[2];
}

dem_status demi_records_reset(demi_context *context, demi_records *records, uint64_t count,
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
        status = demi_array_reserve(context, &records->state, states, 0, "contact states");
    if (status == DEM_OK)
        status = demi_array_reserve(context, &records->table, table, 0, "contact table");
    if (status != DEM_OK)
        return status;
    records->count = records->state_count = 0;
    records->table_size = table;
    memset(records->table.data, 0, (size_t)(table * sizeof(uint32_t)));
    return DEM_OK;
}

uint64_t demi_records_find(const demi_records *records, const dem_contact_key *key)
{
    const uint32_t *table = records->table.data;
    const demi_record *record = records->record.data;
    if (records->table_size == 0)
        return UINT64_MAX;
    const uint64_t mask = records->table_size - 1;
    for (uint64_t k = key_hash(key) & mask; table[k] != 0; k = (k + 1) & mask)
        if (key_equal(&record[table[k] - 1].key, key))
            return table[k] - 1;
    return UINT64_MAX;
}

int demi_records_add(demi_records *records, const demi_record *record, const double *state)
{
    uint32_t *table = records->table.data;
    demi_record *rows = records->record.data;
    const uint64_t mask = records->table_size - 1;
    uint64_t k = key_hash(&record->key) & mask;
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

void demi_records_drop(demi_records *records, const demi_model *model)
{
    const demi_record *rows = records->record.data;
    const double *states = records->state.data;
    const uint64_t count = records->count;
    if (count == 0)
        return;
    /* rows and states only move towards the beginning */
    records->count = records->state_count = 0;
    memset(records->table.data, 0, (size_t)(records->table_size * sizeof(uint32_t)));
    for (uint64_t k = 0; k < count; ++k) {
        const demi_record row = rows[k];
        if (row.model != model)
            demi_records_add(records, &row, states + row.state_begin);
    }
}
