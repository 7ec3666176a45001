/* SPDX-License-Identifier: MIT */
/* Runs: a chunk's pairs by the kind of contact they may make, so that each batch has one model and
 * one shape. */
#include "base/parallel.h"
#include "world/list.h"

#include <string.h>

/* The pairs of a chunk whose ends are of one kind. */
typedef struct chunk_pairs {
    const demi_list_build *b;
    const demi_chunk *chunk;
    demi_pair *pair;
    uint64_t begin, pairs;
    int ends;
    const uint32_t *target; /* of the halo rows */
} chunk_pairs;

static chunk_pairs pairs_of(const demi_list_build *b, uint64_t index, int ends)
{
    const demi_list *next = b->next;
    const demi_chunk *chunk = (const demi_chunk *)next->chunk.data + index;
    const uint64_t begin = demi_list_pairs_begin(next, index, ends);
    const chunk_pairs pairs = {b,
                               chunk,
                               (demi_pair *)next->pair.data + begin,
                               begin,
                               chunk->pairs[ends],
                               ends,
                               (const uint32_t *)b->w->scratch_target.data +
                                   index * next->halo_room};
    return pairs;
}

/* Number of a pair's model among the pairs of materials, times two, plus the shape. */
static uint32_t pair_kind(const chunk_pairs *t, const demi_pair *pair)
{
    const dem_world *w = t->b->w;
    const demi_body *bodies = w->body_next.data;
    int32_t material[2];
    int plane = 0;
    for (int end = 0; end < 2; ++end) {
        const uint32_t place = (end == 0 ? pair->i : pair->j) / DEMI_PLACE;
        const int halo = t->ends == (end == 0 ? DEMI_ENDS_HALO_I : DEMI_ENDS_HALO_J);
        const uint32_t row = halo ? t->target[place] : (uint32_t)t->chunk->row_begin + place;
        const int wall = (row & DEMI_WALL_BIT) != 0;
        material[end] = wall ? ((const demi_wall *)w->wall.data)[row & ~DEMI_WALL_BIT].material
                             : bodies[row].material;
        plane |= wall;
    }
    const int32_t a = material[0], c = material[1], low = a < c ? a : c, high = a < c ? c : a;
    return 2 * (uint32_t)(low * w->models.material_count + high) + (uint32_t)plane;
}

static const demi_model *kind_model(const dem_world *w, uint32_t kind)
{
    const int32_t pair = (int32_t)(kind / 2), n = w->models.material_count;
    return demi_models_get(&w->models, pair / n, pair % n);
}

/* Brings all pairs of the kind of the one at `begin` there; tells where they end. */
static uint64_t gather_kind(const chunk_pairs *t, uint64_t begin, uint32_t kind)
{
    uint64_t end = begin + 1;
    for (uint64_t p = end; p < t->pairs; ++p) {
        if (pair_kind(t, &t->pair[p]) != kind)
            continue;
        const demi_pair pair = t->pair[end];
        t->pair[end++] = t->pair[p];
        t->pair[p] = pair;
    }
    return end;
}

void demi_runs_sort(const demi_list_build *b, uint64_t index, const demi_model *model)
{
    demi_chunk *chunk = (demi_chunk *)b->next->chunk.data + index;
    chunk->run_end = chunk->states = 0;
    for (int ends = 0; ends < DEMI_ENDS; ++ends) {
        const chunk_pairs t = pairs_of(b, index, ends);
        for (uint64_t begin = 0, end = t.pairs; begin < t.pairs; begin = end) {
            const demi_model *of = model;
            if (of == NULL) {
                const uint32_t kind = pair_kind(&t, &t.pair[begin]);
                end = gather_kind(&t, begin, kind);
                of = kind_model(b->w, kind);
            }
            chunk->run_end++;
            chunk->states += (end - begin) * demi_state_stride(of);
        }
    }
}

/* Runs of a chunk, whose number is known already. */
static void chunk_runs(const demi_list_build *b, uint64_t index)
{
    const dem_world *w = b->w;
    const demi_chunk *chunk = (const demi_chunk *)b->next->chunk.data + index;
    demi_run *run = (demi_run *)b->next->run.data + chunk->run_begin;
    uint64_t state = chunk->state_begin, filled = 0;
    for (int ends = 0; ends < DEMI_ENDS; ++ends)
        filled += chunk->pairs[ends] > 0;
    const int sorted = chunk->run_end - chunk->run_begin == filled;
    for (int ends = 0; ends < DEMI_ENDS; ++ends) {
        const chunk_pairs t = pairs_of(b, index, ends);
        for (uint64_t begin = 0, end; begin < t.pairs; begin = end) {
            const uint32_t kind = pair_kind(&t, &t.pair[begin]);
            end = sorted ? t.pairs : begin + 1;
            while (end < t.pairs && pair_kind(&t, &t.pair[end]) == kind)
                ++end;
            memset(run, 0, sizeof *run);
            run->model = kind_model(w, kind);
            run->shape = (int32_t)(kind % 2);
            run->ends = ends;
            run->reach = demi_model_reach(run->model, b->largest, 0.0);
            run->begin = t.begin + begin;
            run->end = t.begin + end;
            run->state_begin = state;
            run->state_stride = demi_state_stride(run->model);
            state += (end - begin) * run->state_stride;
            ++run;
        }
    }
}

static void runs_chunk(void *argument, uint64_t k)
{
    demi_list_build *b = argument;
    demi_list *next = b->next;
    demi_chunk *chunk = (demi_chunk *)next->chunk.data + k;
    chunk_runs(b, k);
    if (chunk->halo_end > chunk->halo_begin) {
        const size_t halos = (size_t)(chunk->halo_end - chunk->halo_begin);
        memcpy((uint32_t *)next->target.data + chunk->halo_begin,
               (const uint32_t *)b->w->scratch_target.data + k * next->halo_room,
               halos * sizeof(uint32_t));
        memcpy((unsigned char *)next->shift.data + chunk->halo_begin,
               (const unsigned char *)b->w->scratch_shift.data + k * next->halo_room, halos);
    }
}

dem_status demi_list_runs(demi_list_build *b)
{
    demi_list *next = b->next;
    demi_chunk *chunks = next->chunk.data;
    next->pairs = next->runs = next->halos = next->states = 0;
    for (uint64_t k = 0; k < next->chunks; ++k) {
        demi_chunk *chunk = &chunks[k];
        for (int ends = 0; ends < DEMI_ENDS; ++ends)
            next->pairs += chunk->pairs[ends];
        chunk->run_begin = next->runs;
        next->runs = chunk->run_end += next->runs;
        chunk->halo_begin = next->halos;
        next->halos = chunk->halo_end += next->halos;
        chunk->state_begin = next->states;
        next->states += chunk->states;
    }
    dem_status status = demi_list_room(b, &next->run, next->runs * sizeof(demi_run), 0);
    if (status == DEM_OK)
        status = demi_list_room(b, &next->target, next->halos * sizeof(uint32_t), 0);
    if (status == DEM_OK)
        status = demi_list_room(b, &next->shift, next->halos, 0);
    if (status != DEM_OK)
        return status;
    demi_parallel(&b->w->config.executor, runs_chunk, b, next->chunks);
    return DEM_OK;
}
