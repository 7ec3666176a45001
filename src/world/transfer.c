/* SPDX-License-Identifier: MIT */
/* Contacts that live on when the list is built again: their states move to the new pairs. */
#include "base/parallel.h"
#include "world/list.h"

#include <string.h>

/* A contact of the old list: its pair, which of its run's contacts it is, and the row or
 * DEMI_WALL_BIT | wall opposite to the one that owned it. */
typedef struct live_entry {
    uint32_t pair, place, other;
} live_entry;

static uint32_t opposite(const demi_ends *ends)
{
    return (uint32_t)ends->other | (ends->plane ? DEMI_WALL_BIT : 0u);
}

/* For each old row the contacts that it owned. */
static dem_status collect_live(demi_list_build *b)
{
    dem_world *w = b->w;
    const demi_list *list = &w->list;
    const unsigned char *live = list->live[w->front].data;
    const demi_run *runs = list->run.data;
    dem_status status =
        demi_list_room(b, &w->scratch_live_begin, (w->rows + 2) * sizeof(uint32_t), 0);
    if (status != DEM_OK)
        return status;
    uint32_t *begin = w->scratch_live_begin.data;
    memset(begin, 0, (size_t)(w->rows + 2) * sizeof(uint32_t));
    uint64_t count = 0;
    for (uint64_t r = 0; r < list->runs; ++r)
        for (uint64_t p = runs[r].begin; p < runs[r].end; ++p)
            if (live[p]) {
                begin[demi_ends_of(list, p).own + 2]++;
                ++count;
            }
    status = demi_list_room(b, &w->scratch_live, count * sizeof(live_entry), 0);
    if (status != DEM_OK)
        return status;
    live_entry *entry = w->scratch_live.data;
    for (uint64_t row = 2; row < w->rows + 2; ++row)
        begin[row] += begin[row - 1];
    for (uint64_t r = 0; r < list->runs; ++r) {
        uint32_t place = 0;
        for (uint64_t p = runs[r].begin; p < runs[r].end; ++p)
            if (live[p]) {
                const demi_ends ends = demi_ends_of(list, p);
                const live_entry one = {(uint32_t)p, place++, opposite(&ends)};
                entry[begin[ends.own + 1]++] = one;
            }
    }
    b->transfers = count > 0;
    return DEM_OK;
}

/* The contact of the old list between an old row and another row or wall, or NULL. */
static const live_entry *find_live(const demi_list_build *b, uint64_t row, uint32_t other,
                                   const int32_t image[3])
{
    const dem_world *w = b->w;
    const uint32_t *begin = w->scratch_live_begin.data;
    const live_entry *entry = w->scratch_live.data;
    for (uint32_t k = begin[row]; k < begin[row + 1]; ++k) {
        if (entry[k].other != other)
            continue;
        const demi_ends ends = demi_ends_of(&w->list, entry[k].pair);
        int32_t own[3] = {0, 0, 0};
        if (!ends.plane)
            demi_ends_image(&ends, demi_bodies(w), own);
        if (memcmp(own, image, sizeof own) == 0)
            return &entry[k];
    }
    return NULL;
}

static void transfer_run(const demi_list_build *b, const demi_chunk *chunk, const demi_run *run)
{
    dem_world *w = b->w;
    const int side = w->front ^ 1; /* the new list is read from there once it is taken over */
    const uint32_t *order = w->scratch_order.data;
    unsigned char *live = b->next->live[side].data;
    const uint32_t *had = w->scratch_cell_of.data;
    double *state = (double *)w->state[side].data + run->state_begin;
    memset(live + run->begin, 0, (size_t)(run->end - run->begin));
    for (uint64_t p = run->begin; b->transfers && p < run->end; ++p) {
        const demi_ends ends =
            demi_pair_ends(b->next, chunk, (const demi_pair *)b->next->pair.data + p);
        const int here = had[ends.own] != 0, there = !ends.plane && had[ends.other] != 0;
        if (!here && !there)
            continue;
        int32_t image[3] = {0, 0, 0};
        if (!ends.plane)
            demi_ends_image(&ends, w->body_next.data, image);
        const uint32_t row = order[ends.own];
        const uint32_t other =
            ends.plane ? opposite(&ends) : order[ends.other]; /* in the old list */
        /* the other particle may have owned the pair before */
        const live_entry *old = here ? find_live(b, row, other, image) : NULL;
        if (old == NULL && there)
            old = find_live(b, other, row, image);
        if (old == NULL)
            continue;
        const demi_run *from = demi_run_of(&w->list, old->pair);
        if (from->model != run->model)
            continue;
        live[p] = 1;
        if (run->state_stride > 0)
            memcpy(state,
                   (const double *)w->state[w->front].data + from->state_begin +
                       (uint64_t)old->place * run->state_stride,
                   run->state_stride * sizeof(double));
        state += run->state_stride;
    }
}

/* Whether the chunk's rows owned contacts; the numbers of cells are of no use any more. */
static void had_chunk(void *argument, uint64_t k)
{
    const demi_list_build *b = argument;
    const demi_chunk *chunk = (const demi_chunk *)b->next->chunk.data + k;
    const uint32_t *begin = b->w->scratch_live_begin.data, *order = b->w->scratch_order.data;
    uint32_t *had = b->w->scratch_cell_of.data;
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row)
        had[row] = begin[order[row] + 1] - begin[order[row]];
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
    demi_parallel(&w->config.executor, had_chunk, b, next->chunks);
    demi_parallel(&w->config.executor, transfer_chunk, b, next->chunks);
    return DEM_OK;
}
