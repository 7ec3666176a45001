/* SPDX-License-Identifier: MIT */
/* One pass over the list finds the contacts: chunks that have no chosen row, nor a copy of one, are
 * passed over. In those that have a few, so are blocks of pairs without them; other pairs are
 * looked at by the marks of their ends, which lie close. */
#include "world/contact_choice.h"

#include <string.h>

static const char what[] = "contacts of particles";

DEMI_COPIES(demi_choice_next_function, demi_choice_next);

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
    return w->body.read[ends->own].id != 0 &&
           (ends->wall ? w->wall.read[ends->other].id : w->body.read[ends->other].id) != 0;
}

/* Some of the rows, or of the copies, of a chunk: marks by number, and the offsets of the first
 * ones. */
typedef struct chosen_ends {
    const unsigned char *mark;
    uint64_t count;
    uint32_t offset[DEMI_SOUGHT_MOST];
} chosen_ends;

/* Notes those of `count` ends that have a mark. */
static void marked_note(uint64_t count, chosen_ends *ends)
{
    for (uint64_t r = 0; r < count; ++r) {
        const unsigned char *at = memchr(ends->mark + r, 1, (size_t)(count - r));
        if (at == NULL)
            return;
        r = (uint64_t)(at - ends->mark);
        if (ends->count < DEMI_SOUGHT_MOST)
            ends->offset[ends->count] = (uint32_t)r * DEMI_LOCAL_OFFSET;
        ++ends->count;
    }
}

/* Room for `count` marks, which are 0, and for one more, so that there is an array of none. */
static dem_status marks_reserve(dem_world *w, demi_buffer *marks, uint64_t count)
{
    if (count < marks->size)
        return DEM_OK;
    const dem_status status = demi_buffer_reserve(&w->context, marks, count + 1, 0, what);
    if (status == DEM_OK)
        memset(marks->data, 0, (size_t)marks->size);
    return status;
}

dem_status demi_contact_choice_begin(dem_world *w)
{
    demi_contact_choice *choice = &w->contact_choice;
    dem_status status = marks_reserve(w, &choice->row_mark.buffer, w->rows);
    if (status == DEM_OK)
        status = marks_reserve(w, &choice->copy_mark.buffer, w->list.chunk_copies);
    if (status == DEM_OK)
        status = marks_reserve(w, &choice->chunk_mark.buffer, w->list.chunks);
    return status;
}

/* Marks the chunk that has a row, or a copy. */
static void chunk_mark(dem_world *w, size_t member, uint64_t place)
{
    const demi_chunk *chunk = demi_chunk_at(&w->list, member, place);
    w->contact_choice.chunk_mark.data[chunk - w->list.chunk.read] = 1;
}

/* Of few particles, the chunks that are looked through are known before; of more, all are. */
static int few_are_chosen(uint64_t count)
{
    return count <= 16;
}

/* Sets the marks of chunk copies of the chosen rows, and of chunks that have such a row or copy.
 * Reductions tell where the copies of a row are, but for the chunks that came with particles. */
static void chunks_mark(dem_world *w, const dem_particle_handle *handles, uint64_t count)
{
    const demi_list *list = &w->list;
    demi_contact_choice *choice = &w->contact_choice;
    const int few = few_are_chosen(count);
    const demi_chunk *last = list->chunk.read + list->chunks_reduced;
    const uint64_t rows = list->chunks_reduced > 0 ? last[-1].row_end : 0,
                   copies = list->chunks_reduced > 0 ? last[-1].copies_end : 0,
                   looked_at = few ? list->chunks_reduced : 0;
    for (uint64_t k = 0; k < count; ++k) {
        const uint32_t row = w->handle.read[handles[k].index].row;
        if (few)
            chunk_mark(w, offsetof(demi_chunk, row_begin), row);
        if (row >= rows)
            continue;
        const uint32_t *begin = list->reduction_begin.read + row;
        for (uint32_t n = begin[0]; n < begin[1]; ++n) {
            const uint32_t copy = list->reduction.read[n].chunk_copy;
            choice->copy_mark.data[copy] = 1;
            if (few)
                chunk_mark(w, offsetof(demi_chunk, copies_begin), copy);
        }
    }
    for (uint64_t k = copies; k < list->chunk_copies; ++k) {
        const uint32_t source = list->source.read[k];
        choice->copy_mark.data[k] = (source & DEMI_WALL_BIT) == 0 && choice->row_mark.read[source];
    }
    memset(choice->chunk_mark.data + looked_at, 1, (size_t)(list->chunks - looked_at));
}

/* Takes these marks away, with those of other copies in the same chunks. */
static void chunks_unmark(dem_world *w)
{
    demi_contact_choice *choice = &w->contact_choice;
    for (uint64_t k = 0; k < w->list.chunks; ++k) {
        const demi_chunk *chunk = &w->list.chunk.read[k];
        if (choice->chunk_mark.read[k] != 0)
            memset(choice->copy_mark.data + chunk->copies_begin, 0,
                   (size_t)(chunk->copies_end - chunk->copies_begin));
        choice->chunk_mark.data[k] = 0;
    }
}

/* What to look for in a batch group; 0 where there is too much of it. */
static int seek(const chosen_ends *i, const chosen_ends *j, demi_sought *sought)
{
    const uint64_t count = i->count > j->count ? i->count : j->count;
    if (count > DEMI_SOUGHT_MOST)
        return 0;
    sought->count = (uint32_t)count;
    for (uint64_t k = 0; k < count; ++k)
        for (int e = 0; e < 8; e += 2) {
            /* no end has an offset of UINT32_MAX */
            sought->ends[k][e] = k < i->count ? i->offset[k] : UINT32_MAX;
            sought->ends[k][e + 1] = k < j->count ? j->offset[k] : UINT32_MAX;
        }
    return 1;
}

/* Enters the contacts of a batch group that have a mark. */
static dem_status group_choose(dem_world *w, const demi_chunk *chunk, uint64_t r,
                               const chosen_ends *i, const chosen_ends *j)
{
    demi_contact_choice *choice = &w->contact_choice;
    const demi_list *list = &w->list;
    const demi_batch_group *group = &list->batch_group.read[r];
    const unsigned char *touching = w->current.touching.read;
    demi_sought sought;
    const int few = seek(i, j, &sought);
    uint64_t state = group->state_begin, counted = group->begin, hit[DEMI_CHOICE_BLOCK + 1] = {0};
    for (uint64_t p = group->begin; p < group->end;) {
        if (few)
            p = demi_choice_next[w->models.isa](list->pair.read, p, group->end, &sought);
        const uint64_t left = group->end - p, some = few ? DEMI_CHOICE_FEW : DEMI_CHOICE_BLOCK,
                       end = p + (left < some ? left : some);
        uint64_t hits = 0;
        for (; p < end; ++p) {
            const demi_pair *pair = &list->pair.read[p];
            hit[hits] = p; /* stays where it is one */
            hits += touching[p] &
                    (i->mark[pair->i / DEMI_LOCAL_OFFSET] | j->mark[pair->j / DEMI_LOCAL_OFFSET]);
        }
        const dem_status status =
            hits == 0 ? DEM_OK
                      : demi_array_reserve(&w->context, &choice->place,
                                           choice->contacts + DEMI_CHOICE_BLOCK, 1, what);
        if (status != DEM_OK)
            return status;
        for (uint64_t n = 0; n < hits; ++n) {
            /* contacts have their states one after the other */
            state += demi_touching_count(touching, counted, hit[n]) * group->state_stride;
            counted = hit[n];
            const demi_ends ends =
                demi_pair_ends(list, chunk, group->ends, &list->pair.read[hit[n]]);
            choice->place.data[choice->contacts++] =
                (demi_contact_place){state, ends, (uint32_t)r, 0};
        }
    }
    return DEM_OK;
}

static dem_status chunk_choose(dem_world *w, const demi_chunk *chunk)
{
    const demi_list *list = &w->list;
    chosen_ends rows = {.mark = w->contact_choice.row_mark.read + chunk->row_begin},
                copies = {.mark = w->contact_choice.copy_mark.read + chunk->copies_begin};
    dem_status status = DEM_OK;
    marked_note(chunk->row_end - chunk->row_begin, &rows);
    marked_note(chunk->copies_end - chunk->copies_begin, &copies);
    if (rows.count + copies.count == 0)
        return DEM_OK;
    for (uint64_t r = chunk->batch_group_begin; status == DEM_OK && r < chunk->batch_group_end;
         ++r) {
        const demi_batch_group *group = &list->batch_group.read[r];
        if (!demi_group_lives(w, group))
            continue;
        status = group_choose(w, chunk, r, group->ends == DEMI_LOCALITY_COPY_I ? &copies : &rows,
                              group->ends == DEMI_LOCALITY_COPY_J ? &copies : &rows);
    }
    return status;
}

/* Leaves out contacts of bodies that were removed. Ids lie anywhere, so their memory is asked for
 * some contacts before. */
static void drop_removed(dem_world *w)
{
    enum { AHEAD = 16 };
    demi_contact_choice *choice = &w->contact_choice;
    uint64_t kept = 0;
    for (uint64_t k = 0; k < choice->contacts; ++k) {
        if (k + AHEAD < choice->contacts) {
            const demi_ends *ends = &choice->place.read[k + AHEAD].ends;
            __builtin_prefetch(&w->body.read[ends->own]);
            if (!ends->wall)
                __builtin_prefetch(&w->body.read[ends->other]);
        }
        if (ends_exist(w, &choice->place.read[k].ends))
            choice->place.data[kept++] = choice->place.read[k];
    }
    choice->contacts = kept;
}

dem_status demi_contact_choice_make(dem_world *w, const dem_particle_handle *handles,
                                    uint64_t count)
{
    demi_contact_choice *choice = &w->contact_choice;
    choice->valid = 0;
    choice->contacts = 0;
    dem_status status = demi_array_reserve(&w->context, &choice->handle, count, 0, what);
    if (status == DEM_OK && count > 0 && w->list.chunks > 0) {
        chunks_mark(w, handles, count);
        for (uint64_t k = 0; status == DEM_OK && k < w->list.chunks; ++k)
            if (choice->chunk_mark.read[k] != 0)
                status = chunk_choose(w, &w->list.chunk.read[k]);
        chunks_unmark(w);
    }
    if (status != DEM_OK)
        return status;
    drop_removed(w);
    if (count > 0)
        memcpy(choice->handle.data, handles, (size_t)count * sizeof *handles);
    choice->handles = count;
    choice->generation = w->generation;
    choice->valid = 1;
    return DEM_OK;
}

void demi_contact_choice_end(dem_world *w, const dem_particle_handle *handles, uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k)
        w->contact_choice.row_mark.data[w->handle.read[handles[k].index].row] = 0;
}
