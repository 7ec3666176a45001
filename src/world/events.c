/* SPDX-License-Identifier: MIT */
/* Contacts that begin and end in a step, see events.h. */
#include "world/events.h"

#include "world/keys.h"

#include <string.h>

/* The pairs from `begin` on of which the two states tell different things; 0 for eight alike. */
static uint64_t changed_of(const dem_world *w, uint64_t begin, uint64_t end)
{
    const unsigned char *before = w->current.touching.read, *after = w->next.touching.read;
    uint64_t count = 0, p = begin;
    for (; p + 8 <= end; p += 8) {
        uint64_t a, b;
        memcpy(&a, before + p, sizeof a);
        memcpy(&b, after + p, sizeof b);
        /* flags of one byte each */
        count += a != b ? (a ^ b) * 0x0101010101010101u >> 56 : 0;
    }
    for (; p < end; ++p)
        count += before[p] != after[p];
    return count;
}

/* ------------------------------------------------------------------ a step */

dem_status demi_events_collect(dem_world *w, int evaluate_only)
{
    const demi_list *list = &w->list;
    const demi_batch_group *group = list->batch_group.read;
    uint64_t count = 0;
    for (uint64_t r = 0; r < list->batch_groups; ++r)
        count += group[r].uncounted ? 0 : changed_of(w, group[r].begin, group[r].end);
    w->event_count = 0;
    if (count == 0)
        return DEM_OK;
    const dem_status status =
        demi_array_reserve(&w->context, &w->event, count, 0, "events of contacts");
    if (status != DEM_OK)
        return status;
    for (uint64_t r = 0; r < list->batch_groups; ++r, ++group) {
        if (group->uncounted || changed_of(w, group->begin, group->end) == 0)
            continue;
        const demi_chunk *chunk = demi_chunk_of(list, group->begin);
        for (uint64_t p = group->begin; p < group->end; ++p) {
            if (w->current.touching.read[p] == w->next.touching.read[p] ||
                (evaluate_only && !w->next.touching.read[p]))
                continue;
            const demi_ends ends = demi_pair_ends(list, chunk, group->ends, &list->pair.read[p]);
            demi_event *event = &w->event.data[w->event_count++];
            event->key = demi_key_of(w, &ends);
            event->begins = w->next.touching.read[p];
        }
    }
    demi_keys_sort(w->event.data, w->event_count, sizeof(demi_event));
    return DEM_OK;
}

void demi_events_tell(dem_world *w)
{
    void *user = w->config.contact_user;
    for (uint64_t k = 0; k < w->event_count; ++k) {
        const demi_event *event = &w->event.read[k];
        if (event->begins && w->config.contact_begin != NULL)
            w->config.contact_begin(user, &event->key);
        if (!event->begins && w->config.contact_end != NULL)
            w->config.contact_end(user, &event->key);
    }
    w->event_count = 0;
}
