/* SPDX-License-Identifier: MIT */
/* The contacts of an id: lists of the ends of records, one for all ids of a hash. They are made
 * when they are wanted, so that evaluations need not keep them. */
#include "contact/history.h"

#include <string.h>

/* By the upper bits, which all bits of an id reach. */
static uint64_t id_place(const dem_contact_history *h, uint64_t id)
{
    const uint64_t hash = id * UINT64_C(0x9E3779B97F4A7C15);
    return (hash >> 32) * (h->index_mask + 1) >> 32;
}

static uint64_t end_id(const dem_contact_history *h, uint32_t end)
{
    const dem_contact_key *key = &h->current.record.read[end / 2].key;
    return end % 2 == 0 ? key->id_i : key->id_j;
}

static void end_add(dem_contact_history *h, uint32_t end)
{
    uint32_t *head = &h->index_head.data[id_place(h, end_id(h, end))];
    h->index_next.data[end] = *head;
    h->index_before.data[end] = DEMI_NO_END;
    if (*head != DEMI_NO_END)
        h->index_before.data[*head] = end;
    *head = end;
}

/* Lists are linked both ways, because that of a floor or a wall has an end of each contact there.
 */
static void end_remove(dem_contact_history *h, uint32_t end)
{
    const uint32_t next = h->index_next.read[end], before = h->index_before.read[end];
    if (before == DEMI_NO_END)
        h->index_head.data[id_place(h, end_id(h, end))] = next;
    else
        h->index_next.data[before] = next;
    if (next != DEMI_NO_END)
        h->index_before.data[next] = before;
}

void demi_ids_add(dem_contact_history *h, uint64_t first)
{
    for (uint64_t k = first; k < h->current.count; ++k) {
        end_add(h, (uint32_t)(2 * k));
        end_add(h, (uint32_t)(2 * k + 1));
    }
}

static dem_status links_reserve(dem_contact_history *h, uint64_t ends, int keep)
{
    const dem_status status =
        demi_array_reserve(&h->context, &h->index_next, ends, keep, "index of contacts");
    return status != DEM_OK
               ? status
               : demi_array_reserve(&h->context, &h->index_before, ends, keep, "index of contacts");
}

dem_status demi_ids_grow(dem_contact_history *h, uint64_t count)
{
    const uint64_t most = h->current.count + count;
    if (2 * most > 2 * (h->index_mask + 1))
        h->index_valid = 0; /* lists become long: made anew when it is wanted */
    return links_reserve(h, 2 * most, 1);
}

dem_status demi_ids_index(dem_contact_history *h)
{
    uint64_t places = 64;
    if (h->index_valid)
        return DEM_OK;
    demi_kept_records(h);
    while (places < 2 * h->current.count)
        places *= 2;
    dem_status status =
        demi_array_reserve(&h->context, &h->index_head, places, 0, "index of contacts");
    if (status == DEM_OK)
        status = links_reserve(h, 2 * h->current.count, 0);
    if (status != DEM_OK)
        return status;
    h->index_mask = places - 1;
    memset(h->index_head.data, 0xFF, (size_t)places * sizeof *h->index_head.data);
    demi_ids_add(h, 0);
    h->index_valid = 1;
    return DEM_OK;
}

/* The first end of an id in the rest of a list. */
static uint32_t end_of(const dem_contact_history *h, uint64_t id, uint32_t end)
{
    while (end != DEMI_NO_END && end_id(h, end) != id)
        end = h->index_next.read[end];
    return end;
}

uint32_t demi_ids_first(const dem_contact_history *h, uint64_t id)
{
    return end_of(h, id, h->index_head.read[id_place(h, id)]);
}

uint32_t demi_ids_next(const dem_contact_history *h, uint64_t id, uint32_t end)
{
    return end_of(h, id, h->index_next.read[end]);
}

void demi_ids_remove(dem_contact_history *h, uint64_t index)
{
    const uint64_t last = h->current.count - 1;
    for (uint32_t end = 0; end < 2; ++end) {
        end_remove(h, (uint32_t)(2 * index) + end);
        if (index != last)
            end_remove(h, (uint32_t)(2 * last) + end);
    }
    demi_records_remove(&h->current, index);
    for (uint32_t end = 0; end < 2 && index != last; ++end)
        end_add(h, (uint32_t)(2 * index) + end);
}
