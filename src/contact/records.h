/* SPDX-License-Identifier: MIT */
/* Records of contacts: one after the other, with a hash table from key to record. */
#ifndef DEMI_RECORDS_H
#define DEMI_RECORDS_H

#include "base/isa.h"
#include "contact/models.h"

#include <dem/contact.h>

typedef struct demi_record {
    dem_contact_key key;
    const demi_model *model;
    double overlap, normal[3], force_normal, force_tangential[3];
    double point[3];      /* from the centre of i to the contact point */
    double elastic;       /* energy of given geometry, where tracked; not kept with the history */
    uint64_t state_begin; /* doubles */
    int32_t material_i, material_j;
} demi_record;

/* States are read and written four at a time, up to so many beyond the last one. */
#define DEMI_STATES_BEYOND 4

/* One generation of records. Evaluation makes the next one beside it, then exchanges them. */
typedef struct demi_records {
    DEMI_ARRAY(demi_record) record;
    DEMI_ARRAY(double) state;
    DEMI_ARRAY(uint32_t) table; /* [table_size]: record + 1 or 0 */
    uint64_t count, state_count, table_size;
    int table_stale; /* the table is not that of the records: demi_records_table makes it */
    int listed;      /* only the kept list has them: demi_kept_records makes them */
} demi_records;

void demi_records_free(demi_context *context, demi_records *records);
/* Empties records and makes room for `count` of them with `states` doubles. */
dem_status demi_records_reset(demi_context *context, demi_records *records, uint64_t count,
                              uint64_t states);
/* The same without a table; the room for it is there. */
dem_status demi_records_reset_bare(demi_context *context, demi_records *records, uint64_t count,
                                   uint64_t states);
/* Adds a record without a look at its key; its state is the caller's to fill in. */
demi_record *demi_records_append(demi_records *records, const demi_model *model);
/* Adds one like another of `states` in the same way. */
void demi_records_copy(demi_records *records, const demi_record *record, const double *states);
/* Makes the table where it is stale. */
void demi_records_table(demi_records *records);
/* Index of a key, or UINT64_MAX. */
uint64_t demi_records_find(const demi_records *records, const dem_contact_key *key);
/* The same, with a look at `guess` first; then `guess` is the one after what was found. */
uint64_t demi_records_find_after(const demi_records *records, const dem_contact_key *key,
                                 uint64_t *guess);
/* Adds a record within the room; 0 if the key is there already. */
int demi_records_add(demi_records *records, const demi_record *record, const double *state);
/* Makes room for `count` more records with `states` more doubles; what is there stays. */
dem_status demi_records_grow(demi_context *context, demi_records *records, uint64_t count,
                             uint64_t states);
/* Removes a record; the last one takes its place. */
void demi_records_remove(demi_records *records, uint64_t index);
/* Puts a record to where demi_records_remove took it from, within the room. */
void demi_records_insert(demi_records *records, uint64_t index, const demi_record *record,
                         const double *state);
/* Removes all records of a model, in place. */
void demi_records_drop(demi_records *records, const demi_model *model);

/* Where the search of a key begins, but for the size of the table. Ids may differ in their upper
 * bits alone, and then so do products of them: what is above goes to the lower bits, too. */
static inline uint64_t demi_key_hash(const dem_contact_key *key)
{
    const uint64_t i = key->id_i * 0x9E3779B97F4A7C15u;
    uint64_t h =
        (i >> 32 | i << 32) ^ key->id_j * 0xC2B2AE3D27D4EB4Fu ^ key->feature * 0x165667B19E3779F9u;
    h ^= h >> 32 ^ (uint32_t)key->image[0] ^ (uint64_t)(uint32_t)key->image[1] << 32;
    h *= 0xD6E8FEB86659FD93u;
    h = (h ^ h >> 32 ^ (uint32_t)key->image[2]) * 0xD6E8FEB86659FD93u;
    return h ^ (h >> 29);
}

/* Asks for the memory where a record is added soon, after so many others. */
DEMI_ASK void demi_records_ask(const demi_records *records, const dem_contact_key *key,
                               uint64_t others)
{
    const char *record = (const char *)&records->record.read[records->count + others];
    __builtin_prefetch(&records->table.read[demi_key_hash(key) & (records->table_size - 1)], 1);
    for (uint64_t line = 0; line < sizeof(demi_record); line += 64)
        __builtin_prefetch(record + line, 1);
}

#endif
