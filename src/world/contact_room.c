/* SPDX-License-Identifier: MIT */
/* Room for the states of contacts. A batch group has room for the contacts that it had when the
 * list was built and some more, not for all its pairs. An evaluation that lacks room tells how much
 * it needs and is made again; room decides where states are, never what they are. */
#include "world/world.h"

#include <string.h>

/* Contacts that a group is to have room for, which has so many in the present state. More than it
 * wants where it has half of its spare room or less: then others do not ask for some so soon. Where
 * memory is tight, groups that have more than they need leave it to others. */
static uint32_t room_of(const demi_batch_group *group, uint64_t contacts, uint32_t spare, int tight)
{
    const uint64_t most = contacts > group->state_wanted ? contacts : group->state_wanted;
    const uint32_t wider = demi_group_room(group, most, spare);
    return tight || most + (wider - most) / 2 > group->state_room ? wider : group->state_room;
}

static uint64_t contacts_of(const dem_world *w, const demi_batch_group *group)
{
    return demi_touching_count(w->current.touching.read, group->begin, group->end);
}

static uint64_t room_bytes(const dem_world *w, uint32_t spare, int tight)
{
    const demi_batch_group *group = w->list.batch_group.read;
    uint64_t bytes = 0;
    for (uint64_t r = 0; r < w->list.batch_groups; ++r)
        bytes += (uint64_t)room_of(&group[r], contacts_of(w, &group[r]), spare, tight) *
                 group[r].state_stride * sizeof(double);
    return bytes;
}

/* Whether states take more memory than all else that a world has of its particles. */
static int states_heavy(const dem_world *w)
{
    enum { ELSE = 512 }; /* bytes a particle, and states have two sides */
    return 2 * w->list.states * sizeof(double) > ELSE * w->rows;
}

/* How much is to be spare now: twice as much. Where memory is tight and what there is does not
 * suffice for that, only every fourth time: contacts may become fewer. */
static uint32_t spare_next(const dem_world *w, int tight)
{
    enum { PATIENCE = 4 };
    const uint32_t spare = w->list.spare,
                   twice = spare < DEMI_SPARE_MOST / 2 ? 2 * spare : DEMI_SPARE_MOST;
    if (spare == 0)
        return DEMI_SPARE_FIRST;
    if (tight && (w->list.lacked + 1) % PATIENCE != 0 &&
        room_bytes(w, twice, tight) > w->next.contact_state.buffer.size)
        return spare;
    return twice;
}

/* Lays the groups out anew, one after the other, and writes the current states there. */
static void states_spread(dem_world *w, int tight, const double *from, double *to)
{
    demi_batch_group *group = w->list.batch_group.data;
    uint64_t begin = 0;
    for (uint64_t r = 0; r < w->list.batch_groups; ++r, ++group) {
        const uint64_t contacts = contacts_of(w, group);
        if (contacts > 0)
            memcpy(to + begin, from + group->state_begin,
                   (size_t)(contacts * group->state_stride) * sizeof *to);
        group->state_begin = begin;
        group->state_room = room_of(group, contacts, w->list.spare, tight);
        group->state_wanted = 0;
        begin += (uint64_t)group->state_room * group->state_stride;
    }
    w->list.states = begin;
}

dem_status demi_contacts_widen(dem_world *w, int ahead)
{
    static const char *const what = "contacts";
    /* an evaluation that is made again would miss what was left to others */
    const int tight = ahead && states_heavy(w);
    const uint32_t spare = spare_next(w, tight);
    const uint64_t bytes = room_bytes(w, spare, tight);
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
    states_spread(w, tight, w->current.contact_state.read, w->next.contact_state.data);
    demi_buffer_exchange(&w->current.contact_state.buffer, &w->next.contact_state.buffer);
    return DEM_OK;
}
