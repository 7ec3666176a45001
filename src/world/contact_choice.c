/* SPDX-License-Identifier: MIT */
/* One pass over the list finds the contacts: chunks that have no chosen row, nor a copy of one, are
 * passed over, and in the others a pair is looked at by the marks of its ends, which lie close. */
#include "world/contact_choice.h"

#include <string.h>

static const char what[] = "contacts of particles";

int demi_contact_choice_holds(const dem_world *w, const dem_particle_handle *handles,
                              uint64_t count)
{
    const demi_contact_choice *choice = &w->contact_choice;
    return choice->valid && choice->generation == w->generation && choice->handles == count &&
           handles != NULL &&
           memcmp(choice->handle.read, handles, (size_t)count * sizeof *handles) == 0;
}

static int ends_exist(const dem_world *w, const demi_ends *ends)
{
    return w->row_id.read[ends->own] != 0 &&
           (ends->wall ? w->wall.read[ends->other].id : w->row_id.read[ends->other]) != 0;
}

/* Marks of the rows of others that a chunk has copies of; whether there is one. */
static int mark_copies(const demi_list *list, const demi_chunk *chunk, const unsigned char *chosen,
                       unsigned char *mark)
{
    int any = 0;
    for (uint64_t k = chunk->copies_begin; k < chunk->copies_end; ++k) {
        const uint32_t source = list->source.read[k];
        const int chosen_copy = (source & DEMI_WALL_BIT) == 0 && chosen[source];
        mark[k - chunk->copies_begin] = (unsigned char)chosen_copy;
        any |= chosen_copy;
    }
    return any;
}

/* Enters the contacts of a batch group with a mark. mark: of i and of j, by offset. */
static void group_choose(dem_world *w, const demi_chunk *chunk, uint64_t r,
                         const unsigned char *const mark[2])
{
    demi_contact_choice *choice = &w->contact_choice;
    const demi_list *list = &w->list;
    const demi_batch_group *group = &list->batch_group.read[r];
    const unsigned char *touching = w->current.touching.read;
    uint64_t state = group->state_begin, counted = group->begin;
    for (uint64_t p = group->begin; p < group->end; ++p) {
        const demi_pair *pair = &list->pair.read[p];
        const int marked =
            mark[0][pair->i / DEMI_LOCAL_OFFSET] | mark[1][pair->j / DEMI_LOCAL_OFFSET];
        if (!(touching[p] & marked))
            continue;
        /* contacts have their states one after the other */
        state += demi_touching_count(touching, counted, p) * group->state_stride;
        counted = p;
        const demi_ends ends = demi_pair_ends(list, chunk, group->ends, pair);
        if (ends_exist(w, &ends))
            choice->place.data[choice->contacts++] =
                (demi_contact_place){state, ends, (uint32_t)r, 0};
    }
}

/* Room for all contacts of a chunk. */
static dem_status chunk_reserve(dem_world *w, const demi_chunk *chunk)
{
    demi_contact_choice *choice = &w->contact_choice;
    const demi_batch_group *group = w->list.batch_group.read;
    uint64_t most = choice->contacts;
    for (uint64_t r = chunk->batch_group_begin; r < chunk->batch_group_end; ++r)
        most += demi_touching_count(w->current.touching.read, group[r].begin, group[r].end);
    return demi_array_reserve(&w->context, &choice->place, most, 1, what);
}

static dem_status chunk_choose(dem_world *w, const demi_chunk *chunk, const unsigned char *chosen)
{
    demi_contact_choice *choice = &w->contact_choice;
    const demi_list *list = &w->list;
    const unsigned char *rows = chosen + chunk->row_begin;
    const uint64_t copies = chunk->copies_end - chunk->copies_begin;
    dem_status status = demi_array_reserve(&w->context, &choice->mark, copies, 0, what);
    if (status != DEM_OK)
        return status;
    const int copied = mark_copies(list, chunk, chosen, choice->mark.data);
    if (!copied && memchr(rows, 1, (size_t)(chunk->row_end - chunk->row_begin)) == NULL)
        return DEM_OK;
    status = chunk_reserve(w, chunk);
    if (status != DEM_OK)
        return status;
    for (uint64_t r = chunk->batch_group_begin; r < chunk->batch_group_end; ++r) {
        const demi_batch_group *group = &list->batch_group.read[r];
        const unsigned char *const mark[2] = {
            group->ends == DEMI_LOCALITY_COPY_I ? choice->mark.read : rows,
            group->ends == DEMI_LOCALITY_COPY_J ? choice->mark.read : rows};
        group_choose(w, chunk, r, mark);
    }
    return DEM_OK;
}

dem_status demi_contact_choice_make(dem_world *w, const dem_particle_handle *handles,
                                    uint64_t count, const unsigned char *chosen)
{
    demi_contact_choice *choice = &w->contact_choice;
    choice->valid = 0;
    choice->contacts = 0;
    dem_status status = demi_array_reserve(&w->context, &choice->handle, count, 0, what);
    for (uint64_t k = 0; status == DEM_OK && count > 0 && k < w->list.chunks; ++k)
        status = chunk_choose(w, &w->list.chunk.read[k], chosen);
    if (status != DEM_OK)
        return status;
    if (count > 0)
        memcpy(choice->handle.data, handles, (size_t)count * sizeof *handles);
    choice->handles = count;
    choice->generation = w->generation;
    choice->valid = 1;
    return DEM_OK;
}
