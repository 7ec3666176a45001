/* SPDX-License-Identifier: MIT */
/* Contacts that live on when the list is built again: their states move to the new pairs. */
#include "base/parallel.h"
#include "world/list.h"

#include <string.h>

/* Periods from the particle with the lower id to the other one, along the unwrapped paths. */
static void pair_image(const demi_pair *pair, const demi_body *own, const demi_body *other,
                       int32_t image[3])
{
    for (int c = 0; c < 3; ++c) {
        const int32_t periods =
            demi_shift_periods(demi_pair_shift(pair), c) + own->image[c] - other->image[c];
        image[c] = demi_pair_first(pair) ? periods : -periods;
    }
}

/* For each old row the contacts that it owned, as numbers of pairs. */
static dem_status collect_live(demi_list_build *b)
{
    dem_world *w = b->w;
    const unsigned char *live = w->list.live[w->front].data;
    const demi_chunk *chunks = w->list.chunk.data;
    dem_status status =
        demi_list_room(b, &w->scratch_live_begin, (w->rows + 2) * sizeof(uint32_t), 0);
    if (status != DEM_OK)
        return status;
    uint32_t *begin = w->scratch_live_begin.data;
    memset(begin, 0, (size_t)(w->rows + 2) * sizeof(uint32_t));
    uint64_t count = 0;
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        for (uint64_t p = chunks[k].pair_begin; p < chunks[k].pair_end; ++p)
            if (live[p]) {
                begin[demi_own_row(&w->list, p) + 2]++;
                ++count;
            }
    status = demi_list_room(b, &w->scratch_live, count * sizeof(uint32_t), 0);
    if (status != DEM_OK)
        return status;
    uint32_t *entry = w->scratch_live.data;
    for (uint64_t row = 2; row < w->rows + 2; ++row)
        begin[row] += begin[row - 1];
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        for (uint64_t p = chunks[k].pair_begin; p < chunks[k].pair_end; ++p)
            if (live[p])
                entry[begin[demi_own_row(&w->list, p) + 1]++] = (uint32_t)p;
    b->transfers = count > 0;
    return DEM_OK;
}

/* The contact of the old list between an old row and another row or wall, or UINT64_MAX. */
static uint64_t find_live(const demi_list_build *b, uint64_t row, uint64_t other, int plane,
                          const int32_t image[3])
{
    const dem_world *w = b->w;
    const uint32_t *begin = w->scratch_live_begin.data, *entry = w->scratch_live.data;
    for (uint32_t k = begin[row]; k < begin[row + 1]; ++k) {
        const demi_pair *pair = (const demi_pair *)w->list.pair.data + entry[k];
        if (pair->other != other)
            continue;
        if ((demi_run_of(&w->list, entry[k])->shape == DEMI_SHAPE_PLANE) != plane)
            continue;
        int32_t own[3] = {0, 0, 0};
        if (!plane)
            pair_image(pair, &demi_bodies(w)[row], &demi_bodies(w)[other], own);
        if (memcmp(own, image, sizeof own) == 0)
            return entry[k];
    }
    return UINT64_MAX;
}

static void transfer_run(const demi_list_build *b, const demi_chunk *chunk, const demi_run *run)
{
    dem_world *w = b->w;
    const int side = w->front ^ 1; /* the new list is read from there once it is taken over */
    const uint32_t *order = w->scratch_order.data;
    const demi_body *bodies = w->body_next.data;
    unsigned char *live = b->next->live[side].data;
    const int plane = run->shape == DEMI_SHAPE_PLANE;
    for (uint64_t p = run->begin; p < run->end; ++p) {
        live[p] = 0;
        if (!b->transfers)
            continue;
        const demi_pair *pair = (const demi_pair *)b->next->pair.data + p;
        const uint64_t own = chunk->row_begin + demi_pair_row(pair);
        int32_t image[3] = {0, 0, 0};
        if (!plane)
            pair_image(pair, &bodies[own], &bodies[pair->other], image);
        /* the other particle may have owned the pair before */
        uint64_t old =
            find_live(b, order[own], plane ? pair->other : order[pair->other], plane, image);
        if (old == UINT64_MAX && !plane)
            old = find_live(b, order[pair->other], order[own], plane, image);
        if (old == UINT64_MAX)
            continue;
        const demi_run *from = demi_run_of(&w->list, old);
        if (from->model != run->model)
            continue;
        live[p] = 1;
        if (run->state_stride > 0)
            memcpy((double *)w->state[side].data + run->state_begin +
                       (p - run->begin) * run->state_stride,
                   demi_pair_state(w, from, old), run->state_stride * sizeof(double));
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
