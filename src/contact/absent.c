/* SPDX-License-Identifier: MIT */
/* Contacts that a call does not list, where that does not mean that they ended. */
#include "contact/call.h"

/* Marks beside that of contacts which the call listed, see dem_contact_history.seen: i or j is a
 * ghost, and not one of the host's own particles, too, as that of a periodic image is. */
enum { SEEN = 1, GHOST_I = 2, GHOST_J = 4, GHOSTS = GHOST_I | GHOST_J };

static int between_ghosts(unsigned char mark)
{
    return mark == GHOSTS;
}

/* Sets the mark of all ends that rows from `first` to before `last` have, or clears it. */
static void ends_mark(dem_contact_history *h, const dem_contacts_input *in, uint64_t first,
                      uint64_t last, int ghosts)
{
    for (uint64_t row = first; row < last; ++row)
        for (uint32_t end = demi_ids_first(h, in->id[row]); end != DEMI_NO_END;
             end = demi_ids_next(h, in->id[row], end)) {
            unsigned char *mark = &h->seen.data[end / 2];
            const unsigned bit = end % 2 == 0 ? GHOST_I : GHOST_J;
            *mark = (unsigned char)(ghosts ? *mark | bit : *mark & ~bit);
        }
}

static uint64_t between_ghosts_count(const dem_contact_history *h)
{
    uint64_t count = 0;
    for (uint64_t k = 0; k < h->current.count; ++k)
        count += (uint64_t)between_ghosts(h->seen.read[k]);
    return count;
}

dem_status demi_absent_of_ghosts(demi_history_call *call)
{
    dem_contact_history *h = call->history;
    const dem_contacts_input *in = call->in;
    int absent = 0;
    if (in->ghost_count == 0 || in->id == NULL)
        return DEM_OK;
    for (uint64_t k = 0; k < h->current.count && !absent; ++k)
        absent = !h->seen.read[k];
    if (!absent)
        return DEM_OK;
    const dem_status status = demi_ids_index(h);
    if (status != DEM_OK)
        return status;
    ends_mark(h, in, call->owned_count, in->particle_count, 1);
    if (between_ghosts_count(h) > 0)
        ends_mark(h, in, 0, call->owned_count, 0);
    for (uint64_t k = 0; k < h->current.count; ++k)
        h->seen.data[k] = (h->seen.read[k] & SEEN) != 0 || between_ghosts(h->seen.read[k]);
    return DEM_OK;
}

dem_status demi_absent_keep(demi_history_call *call)
{
    dem_contact_history *h = call->history;
    const demi_record *record = h->current.record.data;
    const dem_status status = demi_absent_of_ghosts(call);
    for (uint64_t k = 0; status == DEM_OK && k < h->current.count; ++k)
        if (!h->seen.read[k])
            demi_records_add(&h->next, &record[k], h->current.state.data + record[k].state_begin);
    return status;
}
