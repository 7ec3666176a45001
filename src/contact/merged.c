/* SPDX-License-Identifier: MIT */
/* Contacts of a sphere and a mesh become one where their normals come to be alike: the nearer one
 * goes on, and the energy that the other one had is lost. */
#include "contact/history.h"

/* Features of a pair are slots, the lowest ones that are free. */
enum { MERGED_SLOTS = 64 };

/* Whether a contact of the same bodies goes on. */
static int merged_into_another(const dem_contact_history *history, const demi_record *record)
{
    dem_contact_key key = record->key;
    for (key.feature = 0; key.feature < MERGED_SLOTS; ++key.feature)
        if (key.feature != record->key.feature &&
            demi_records_find(&history->next, &key) != UINT64_MAX)
            return 1;
    return 0;
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
