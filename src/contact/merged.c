/* SPDX-License-Identifier: MIT */
/* Contacts of a sphere and a mesh become one where their normals come to be alike: the nearer one
 * goes on, and the energy that the other one had is lost. */
#include "contact/history.h"

/* Features of a pair are slots, the lowest ones that are free. */
enum { MERGED_SLOTS = 64 };

/* The record of `next` with the bodies of the key and the lowest feature from that of the key on,
 * which it becomes; UINT64_MAX where there is none. */
static uint64_t merged_find(const dem_contact_history *history, dem_contact_key *key)
{
    for (; key->feature < MERGED_SLOTS; ++key->feature) {
        const uint64_t n = demi_records_find(&history->next, key);
        if (n != UINT64_MAX)
            return n;
    }
    return UINT64_MAX;
}

/* Whether another contact of the bodies of one that is not listed goes on. */
static int merged_into_another(const dem_contact_history *history, const demi_record *record)
{
    dem_contact_key key = record->key;
    key.feature = 0;
    return merged_find(history, &key) != UINT64_MAX;
}

double demi_history_merged(const dem_contact_history *history)
{
    double sum = 0.0;
    for (uint64_t k = 0; k < history->current.count; ++k) {
        const demi_record *record = &history->current.record.read[k];
        if (!history->seen.read[k] && record->elastic != 0.0 &&
            merged_into_another(history, record))
            sum += record->elastic;
    }
    return sum;
}

/* Pairs of the list that may take over a contact that is not listed, to `to` unless it is NULL. The
 * records of `next` have the numbers of pairs while the list is made. */
static uint64_t mergers_of(const dem_contact_history *h, const demi_record *record, uint32_t absent,
                           demi_kept_merger *to)
{
    dem_contact_key key = record->key;
    uint64_t count = 0, pair;
    if (record->elastic == 0.0)
        return 0;
    key.feature = 0;
    for (; (pair = merged_find(h, &key)) != UINT64_MAX; ++key.feature, ++count)
        if (to != NULL)
            to[count] = (demi_kept_merger){absent, (uint32_t)pair};
    return count;
}

dem_status demi_kept_mergers_find(dem_contact_history *h, demi_kept *kept)
{
    uint64_t room = 0;
    kept->mergers = 0;
    for (uint64_t k = 0; k < h->current.count; ++k)
        if (!h->seen.read[k])
            room += mergers_of(h, &h->current.record.read[k], 0, NULL);
    const dem_status status = demi_array_reserve(&h->context, &kept->merger, room, 0, "kept list");
    uint32_t absent = 0;
    for (uint64_t k = 0; status == DEM_OK && k < h->current.count; ++k)
        if (!h->seen.read[k])
            kept->mergers += mergers_of(h, &h->current.record.read[k], absent++,
                                        kept->merger.data + kept->mergers);
    return status;
}

double demi_kept_merged(const demi_kept *kept)
{
    double sum = 0.0;
    uint32_t last = UINT32_MAX;
    for (uint64_t n = 0; n < kept->mergers; ++n) {
        const demi_kept_merger m = kept->merger.read[n];
        if (m.absent == last || !kept->next.touching.read[m.pair])
            continue;
        sum += kept->absent.record.read[m.absent].elastic;
        last = m.absent; /* once */
    }
    return sum;
}
