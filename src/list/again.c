/* SPDX-License-Identifier: MIT */
/* A list of earlier, built once more. A list follows from its rows in their order, their positions
 * and the skin. Where something comes out otherwise, it was built by other rules, and this library
 * cannot have it. */
#include "list/parts.h"

#include <string.h>

/* No memory is taken for more pairs or copied rows than one in so many looks may find. */
enum { LOOKS_OF_A_PAIR = 4 };

static dem_status other_list(const demi_list_build_call *b)
{
    return demi_fail(b->context, DEM_ERROR_UNKNOWN, "neighbour list: it was built by other rules");
}

dem_status demi_past_rows(const demi_list_build_call *b)
{
    const uint32_t *order = b->scratch->order.data;
    if (b->in->past == NULL)
        return DEM_OK;
    if (b->rows != b->in->rows)
        return other_list(b);
    for (uint64_t row = 0; row < b->rows; ++row)
        if (order[row] != row)
            return other_list(b);
    return DEM_OK;
}

dem_status demi_past_chunks(const demi_list_build_call *b)
{
    const demi_list_past *past = b->in->past;
    const demi_list *next = b->next;
    if (past != NULL && (next->chunk_rows != past->chunk_rows || next->chunks != past->drifts ||
                         next->chunks * b->in->walls > past->looks_most))
        return other_list(b);
    return DEM_OK;
}

dem_status demi_past_room(const demi_list_build_call *b)
{
    const demi_list *next = b->next;
    const uint64_t pairs = demi_listing_begin(next, 1, DEMI_LOCALITY_OWN),
                   room = pairs > next->copies_room ? pairs : next->copies_room;
    return next->chunks * room > b->looks_most / LOOKS_OF_A_PAIR ? other_list(b) : DEM_OK;
}

dem_status demi_past_looks(demi_list_build_call *b)
{
    if (b->looks > b->looks_most)
        return other_list(b);
    b->looks = 0;
    return DEM_OK;
}

/* ------------------------------------------------------------------ contacts */

/* A place among the contacts of a list. */
typedef struct contact_place {
    const demi_list *list;
    demi_list_contacts contacts;
    uint64_t run, pair, state;
} contact_place;

/* The contact at a place or the next one after it: its group, or NULL where there is none. */
static const demi_batch_group *contact_seek(contact_place *at)
{
    while (at->run < at->list->batch_groups) {
        const demi_batch_group *group = &at->list->batch_group.read[at->run];
        if (at->pair < group->begin) {
            at->pair = group->begin;
            at->state = group->state_begin;
        }
        while (at->pair < group->end && !at->contacts.touching[at->pair])
            at->pair++;
        if (at->pair < group->end)
            return group;
        at->run++;
    }
    return NULL;
}

static int same_ends(const demi_ends *a, const demi_ends *b)
{
    return a->own == b->own && a->other == b->other && a->wall == b->wall && a->shift == b->shift &&
           a->feature == b->feature;
}

/* Gives a group's pairs the contacts from a place on, as long as they are those of these pairs. */
static void group_follow(const demi_list *next, const demi_chunk *chunk,
                         const demi_batch_group *group, contact_place *at, demi_list_contacts to)
{
    double *state = to.state + group->state_begin;
    const demi_batch_group *old = contact_seek(at);
    for (uint64_t p = group->begin; p < group->end; ++p) {
        to.touching[p] = 0;
        if (old == NULL || old->model != group->model)
            continue;
        const demi_ends ends = demi_pair_ends(next, chunk, group->ends, &next->pair.read[p]),
                        was = demi_pair_ends(at->list, demi_chunk_of(at->list, at->pair), old->ends,
                                             &at->list->pair.read[at->pair]);
        if (!same_ends(&ends, &was))
            continue;
        to.touching[p] = 1;
        memcpy(state, at->contacts.state + at->state, group->state_stride * sizeof *state);
        state += group->state_stride;
        at->state += group->state_stride;
        at->pair++;
        old = contact_seek(at);
    }
}

int demi_list_follow(const demi_list *next, const demi_list *before, demi_list_contacts from,
                     demi_list_contacts to)
{
    contact_place at = {.list = before, .contacts = from};
    for (uint64_t k = 0; k < next->chunks; ++k) {
        const demi_chunk *chunk = &next->chunk.read[k];
        for (uint64_t r = chunk->batch_group_begin; r < chunk->batch_group_end; ++r)
            group_follow(next, chunk, &next->batch_group.read[r], &at, to);
    }
    return contact_seek(&at) == NULL;
}
