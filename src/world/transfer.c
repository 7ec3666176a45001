/* SPDX-License-Identifier: MIT */
/* Contacts that live on when the list is built again: their states move to the new pairs. */
#include "base/parallel.h"
#include "world/list.h"

#include <string.h>

/* A contact of the old list, as the row that owned it saw it. */
typedef struct live_entry {
    uint32_t run, place; /* which of the run's contacts it is */
    uint32_t other;      /* row, or DEMI_WALL_BIT | wall */
    uint16_t shift, first;
} live_entry;

/* The contacts that an old row owned. */
typedef struct live_row {
    uint32_t begin, count;
    uint32_t others; /* bit other % 32 of each: most pairs are told apart by that alone */
} live_row;

static uint32_t other_bit(uint32_t other)
{
    return 1u << other % 32;
}

static uint32_t opposite(const demi_ends *ends)
{
    return (uint32_t)ends->other | (ends->plane ? DEMI_WALL_BIT : 0u);
}

/* Counts what the rows of an old chunk owned. */
static void count_chunk(void *argument, uint64_t k)
{
    const demi_list_build *b = argument;
    const dem_world *w = b->w;
    const demi_list *list = &w->list;
    const demi_chunk *chunk = (const demi_chunk *)list->chunk.data + k;
    const demi_pair *pairs = list->pair.data;
    const demi_run *runs = list->run.data;
    const unsigned char *live = list->live[w->front].data;
    live_row *rows = w->scratch_live_row.data;
    memset(rows + chunk->row_begin, 0, (size_t)(chunk->row_end - chunk->row_begin) * sizeof *rows);
    uint32_t count = 0;
    for (uint64_t r = chunk->run_begin; r < chunk->run_end; ++r)
        for (uint64_t p = runs[r].begin; p < runs[r].end; ++p) {
            if (!live[p])
                continue;
            const demi_ends ends = demi_pair_ends(list, chunk, runs[r].ends, &pairs[p]);
            rows[ends.own].count++;
            rows[ends.own].others |= other_bit(opposite(&ends));
            ++count;
        }
    ((uint32_t *)w->scratch_live_begin.data)[k + 1] = count;
}

/* Lists them, from where the chunk's begin. */
static void collect_chunk(void *argument, uint64_t k)
{
    const demi_list_build *b = argument;
    const dem_world *w = b->w;
    const demi_list *list = &w->list;
    const demi_chunk *chunk = (const demi_chunk *)list->chunk.data + k;
    const demi_pair *pairs = list->pair.data;
    const demi_run *runs = list->run.data;
    const unsigned char *live = list->live[w->front].data;
    live_row *rows = w->scratch_live_row.data;
    live_entry *entries = w->scratch_live.data;
    uint32_t begin = ((const uint32_t *)w->scratch_live_begin.data)[k];
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        rows[row].begin = begin;
        begin += rows[row].count;
        rows[row].count = 0;
    }
    for (uint64_t r = chunk->run_begin; r < chunk->run_end; ++r) {
        uint32_t place = 0;
        for (uint64_t p = runs[r].begin; p < runs[r].end; ++p) {
            if (!live[p])
                continue;
            const demi_ends ends = demi_pair_ends(list, chunk, runs[r].ends, &pairs[p]);
            const live_entry one = {(uint32_t)r, place++, opposite(&ends), (uint16_t)ends.shift,
                                    (uint16_t)ends.first};
            entries[rows[ends.own].begin + rows[ends.own].count++] = one;
        }
    }
}

/* For each old row the contacts that it owned. */
static dem_status collect_live(demi_list_build *b)
{
    dem_world *w = b->w;
    const uint64_t chunks = w->list.chunks;
    dem_status status = demi_list_room(b, &w->scratch_live_row, w->rows * sizeof(live_row), 0);
    if (status == DEM_OK)
        status = demi_list_room(b, &w->scratch_live_begin, (chunks + 1) * sizeof(uint32_t), 0);
    if (status != DEM_OK)
        return status;
    demi_parallel(&w->config.executor, count_chunk, b, chunks);
    /* rows that were added since */
    const uint64_t listed = chunks > 0 ? ((demi_chunk *)w->list.chunk.data)[chunks - 1].row_end : 0;
    if (w->rows > listed)
        memset((live_row *)w->scratch_live_row.data + listed, 0,
               (size_t)(w->rows - listed) * sizeof(live_row));
    uint32_t *begin = w->scratch_live_begin.data;
    begin[0] = 0;
    for (uint64_t k = 0; k < chunks; ++k)
        begin[k + 1] += begin[k];
    b->transfers = begin[chunks] > 0;
    status = demi_list_room(b, &w->scratch_live, begin[chunks] * sizeof(live_entry), 0);
    if (status == DEM_OK)
        demi_parallel(&w->config.executor, collect_chunk, b, chunks);
    return status;
}

/* The contact of the old list between an old row and another row or wall, or NULL. */
static const live_entry *find_live(const demi_list_build *b, uint32_t row, uint32_t other,
                                   const int32_t image[3])
{
    const dem_world *w = b->w;
    const live_row *of = (const live_row *)w->scratch_live_row.data + row;
    const live_entry *entry = (const live_entry *)w->scratch_live.data + of->begin;
    for (const live_entry *end = entry + of->count; entry < end; ++entry) {
        if (entry->other != other)
            continue;
        int32_t own[3] = {0, 0, 0};
        if ((other & DEMI_WALL_BIT) == 0) {
            const demi_ends ends = {row, other, entry->first, 0, entry->shift};
            demi_ends_image(&ends, demi_bodies(w), own);
        }
        if (memcmp(own, image, sizeof own) == 0)
            return entry;
    }
    return NULL;
}

/* The old contact of a new pair, or NULL. */
static const live_entry *find_old(const demi_list_build *b, const demi_ends *ends)
{
    const dem_world *w = b->w;
    const uint32_t *order = w->scratch_order.data;
    const live_row *rows = w->scratch_live_row.data;
    const uint32_t row = order[ends->own];
    const uint32_t other = ends->plane ? opposite(ends) : order[ends->other];
    const uint32_t here = rows[row].others & other_bit(other);
    /* the other particle may have owned the pair before */
    const uint32_t there = ends->plane ? 0 : rows[other].others & other_bit(row);
    if ((here | there) == 0)
        return NULL;
    int32_t image[3] = {0, 0, 0};
    if (!ends->plane)
        demi_ends_image(ends, w->body_next.data, image);
    const live_entry *old = here ? find_live(b, row, other, image) : NULL;
    return old == NULL && there ? find_live(b, other, row, image) : old;
}

static void transfer_run(const demi_list_build *b, const demi_chunk *chunk, const demi_run *run)
{
    dem_world *w = b->w;
    const int side = w->front ^ 1; /* the new list is read from there once it is taken over */
    const demi_pair *pairs = b->next->pair.data;
    const demi_run *runs = w->list.run.data;
    unsigned char *live = b->next->live[side].data;
    double *state = (double *)w->state[side].data + run->state_begin;
    memset(live + run->begin, 0, (size_t)(run->end - run->begin));
    for (uint64_t p = run->begin; b->transfers && p < run->end; ++p) {
        const demi_ends ends = demi_pair_ends(b->next, chunk, run->ends, &pairs[p]);
        const live_entry *old = find_old(b, &ends);
        if (old == NULL || runs[old->run].model != run->model)
            continue;
        live[p] = 1;
        const double *from = (const double *)w->state[w->front].data + runs[old->run].state_begin +
                             (uint64_t)old->place * run->state_stride;
        for (uint32_t c = 0; c < run->state_stride; c += 4)
            memcpy(state + c, from + c, 4 * sizeof(double));
        state += run->state_stride;
    }
}

static void transfer_chunk(void *argument, uint64_t k)
{
    const demi_list_build *b = argument;
    const demi_chunk *chunk = (const demi_chunk *)b->next->chunk.data + k;
    const demi_run *runs = b->next->run.data;
    for (uint64_t r = chunk->run_begin; r < chunk->run_end; ++r)
        transfer_run(b, chunk, &runs[r]);
}

dem_status demi_list_transfer(demi_list_build *b)
{
    dem_world *w = b->w;
    demi_list *next = b->next;
    dem_status status = collect_live(b);
    for (int side = 0; status == DEM_OK && side < 2; ++side)
        status = demi_list_room(b, &next->live[side], next->chunks * next->pair_room, 0);
    /* the back side holds nothing of value between steps; the front is that of the old list */
    if (status == DEM_OK)
        status = demi_list_room(b, &w->state[w->front ^ 1], next->states * sizeof(double), 0);
    if (status == DEM_OK)
        status = demi_list_room(b, &w->state[w->front], next->states * sizeof(double), 1);
    if (status != DEM_OK)
        return status;
    demi_parallel(&w->config.executor, transfer_chunk, b, next->chunks);
    return DEM_OK;
}
