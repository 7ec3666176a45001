/* SPDX-License-Identifier: MIT */
/* Room for the states of contacts. A batch group has room for the contacts that it had when the
 * list was built and some more, not for all its pairs. An evaluation that lacks room tells how much
 * it needs and is made again; room decides where states are, never what they are. */
#include "world/world.h"

#include <string.h>

/* Contacts that a group is to have room for, which has so many in the present state. More than it
 * wants where it has half of its spare room or less: then others do not ask for some so soon. */
static uint32_t room_of(const demi_batch_group *group, uint64_t contacts, uint32_t spare)
{
    const uint64_t most = contacts > group->state_wanted ? contacts : group->state_wanted;
    const uint32_t wider = demi_group_room(group, most, spare);
    return most + (wider - most) / 2 > group->state_room ? wider : group->state_room;
}

static uint64_t contacts_of(const dem_world *w, const demi_batch_group *group)
{
    return demi_touching_count(w->current.touching.read, group->begin, group->end);
}

/* Lays the groups out anew, one after the other, and writes the current states there. */
static void states_spread(dem_world *w, const double *from, double *to)
{
    demi_batch_group *group = w->list.batch_group.data;
    uint64_t begin = 0;
    for (uint64_t r = 0; r < w->list.batch_groups; ++r, ++group) {
        const uint64_t contacts = contacts_of(w, group);
        if (contacts > 0)
            memcpy(to + begin, from + group->state_begin,
                   (size_t)(contacts * group->state_stride) * sizeof *to);
        group->state_begin = begin;
        group->state_room = room_of(group, contacts, w->list.spare);
        group->state_wanted = 0;
        begin += (uint64_t)group->state_room * group->state_stride;
    }
    w->list.states = begin;
}

dem_status demi_contacts_widen(dem_world *w)
{
    static const char *const what = "contacts";
    const demi_batch_group *group = w->list.batch_group.read;
    const uint32_t spare = w->list.spare == 0                    ? DEMI_SPARE_FIRST
                           : w->list.spare < DEMI_SPARE_MOST / 2 ? 2 * w->list.spare
                                                                 : DEMI_SPARE_MOST;
    uint64_t bytes = 0;
    for (uint64_t r = 0; r < w->list.batch_groups; ++r)
        bytes += (uint64_t)room_of(&group[r], contacts_of(w, &group[r]), spare) *
                 group[r].state_stride * sizeof(double);
    /* what was made of the next states is made again */
    dem_status status =
        demi_buffer_reserve_closely(&w->context, &w->next.contact_state.buffer, bytes, 0, what);
    if (status == DEM_OK)
        status = demi_buffer_reserve_closely(&w->context, &w->current.contact_state.buffer, bytes,
                                             1, what);
    if (status != DEM_OK)
        return status;
    w->list.spare = spare;
    w->list.lacked++;
    states_spread(w, w->current.contact_state.read, w->next.contact_state.data);
    demi_buffer_exchange(&w->current.contact_state.buffer, &w->next.contact_state.buffer);
    return DEM_OK;
}
