/* SPDX-License-Identifier: MIT */
/* Pairs that may touch before the next rebuild, chunk by chunk. Each pair is found from the cell of
 * the particle that owns it, which looks at the forward half of its neighbours; where the other
 * particle belongs to another chunk, its forces go to a halo row of this one. */
#include "base/parallel.h"
#include "world/drift.h"
#include "world/list.h"

#include <string.h>

/* Rows that are looked at as partners of one at a time. */
enum { CANDIDATES = 256 };
/* The halo rows of a chunk that were met already. */
enum { SEEN_BITS = 12, SEEN = 1 << SEEN_BITS };

typedef struct pairs_work {
    const demi_list_build *b;
    demi_chunk *chunk;
    demi_pair *pair;         /* [pair_room] */
    uint32_t *target;        /* [halo_room] */
    unsigned char *shift;    /* [halo_room] */
    uint64_t pairs, halos;   /* may exceed the room, then the chunk is listed again */
    const demi_model *model; /* of the first pair */
    int mixed;               /* pairs of several models, or with walls */
    uint64_t candidates;
    uint32_t candidate[CANDIDATES], near[CANDIDATES + 4]; /* partners of one row */
    const demi_row *position;
    const demi_body *bodies;
    uint32_t seen[SEEN]; /* halo + 1, by hash of the target */
} pairs_work;

/* Slot of a row (or DEMI_WALL_BIT | wall) among those that the chunk works with. */
static uint32_t slot_for(pairs_work *t, uint32_t target, uint32_t shift)
{
    const demi_chunk *chunk = t->chunk;
    const uint32_t rows = (uint32_t)t->b->next->chunk_rows;
    if (target >= chunk->row_begin && target < chunk->row_end && shift == DEMI_SHIFT_NONE)
        return (uint32_t)(target - chunk->row_begin);
    uint64_t k = (target * 32ull + shift) * 0x9E3779B97F4A7C15u >> (64 - SEEN_BITS);
    for (; t->seen[k] != 0; k = (k + 1) % SEEN)
        if (t->target[t->seen[k] - 1] == target && t->shift[t->seen[k] - 1] == shift)
            return rows + t->seen[k] - 1;
    const uint64_t halo = t->halos++;
    if (halo >= t->b->next->halo_room)
        return rows;
    t->target[halo] = target;
    t->shift[halo] = (unsigned char)shift;
    /* when the table fills up, a target may get several halo rows, which is still correct */
    if (halo < SEEN / 4 * 3)
        t->seen[k] = (uint32_t)halo + 1;
    return rows + (uint32_t)halo;
}

static void add_pair(pairs_work *t, uint64_t row, int first, uint32_t shift, uint32_t target,
                     const demi_model *model)
{
    const uint64_t n = t->pairs++;
    if (n == 0)
        t->model = model;
    t->mixed |= model != t->model || (target & DEMI_WALL_BIT) != 0;
    if (n >= t->b->next->pair_room)
        return;
    const uint32_t own = (uint32_t)(row - t->chunk->row_begin) * DEMI_PLACE,
                   other = slot_for(t, target, shift) * DEMI_PLACE;
    t->pair[n].i = first ? own : other;
    t->pair[n].j = first ? other : own;
}

/* Lists rows a and c of the new order, which are near each other, if their kinds may touch. */
static void consider(pairs_work *t, uint64_t a, uint64_t c, const int shift[3])
{
    const dem_world *w = t->b->w;
    const double *x = t->position[a], *y = t->position[c];
    const demi_body *own = &t->bodies[a], *other = &t->bodies[c];
    /* across a narrow periodic box a particle meets itself, which does not act */
    if (a == c || (own->motion != DEM_MOTION_FREE && other->motion != DEM_MOTION_FREE))
        return;
    const demi_model *model = demi_models_get(&w->models, own->material, other->material);
    if (model == NULL)
        return;
    if (t->b->reach > 0.0) {
        const double far = x[3] + y[3] + demi_model_reach(model, x[3], y[3]) + t->b->skin;
        double square = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double period = w->config.box_high[k] - w->config.box_low[k];
            const double d = x[k] - y[k] - (shift[k] != 0 ? shift[k] * period : 0.0);
            square += d * d;
        }
        if (square >= far * far)
            return;
    }
    const int first = own->id < other->id;
    const uint32_t code = (uint32_t)(shift[0] + 1 + 3 * (shift[1] + 1) + 9 * (shift[2] + 1));
    add_pair(t, a, first, code, (uint32_t)c, model);
}

DEMI_ISA_TABLE(demi_near_function, demi_near_rows);

/* Lists those of the collected candidates that are near row a; shift is in periods of theirs. */
static void consider_candidates(pairs_work *t, uint64_t a, const int shift[3])
{
    const dem_world *w = t->b->w;
    const dem_world_config *config = &w->config;
    const uint64_t count = t->candidates;
    double place[4];
    for (int k = 0; k < 3; ++k) {
        place[k] = t->position[a][k];
        if (shift[k] != 0)
            place[k] -= shift[k] * (config->box_high[k] - config->box_low[k]);
    }
    place[3] = t->position[a][3] + t->b->reach + t->b->skin;
    t->candidates = 0;
    if (count == 0)
        return;
    for (uint64_t k = count; k % 4 != 0; ++k)
        t->candidate[k] = t->candidate[count - 1];
    const uint64_t n =
        demi_near_rows[w->models.isa](t->position, place, t->candidate, count, t->near);
    for (uint64_t k = 0; k < n; ++k)
        consider(t, a, t->near[k], shift);
}

/* Collects rows from `begin` to before `end` as partners of a. */
static void collect(pairs_work *t, uint64_t a, uint64_t begin, uint64_t end, const int shift[3])
{
    for (uint64_t c = begin; c < end; ++c) {
        if (t->candidates == CANDIDATES)
            consider_candidates(t, a, shift);
        t->candidate[t->candidates++] = (uint32_t)c;
    }
}

/* Lists row a with what lies behind it in its cell, and with the cells around it. */
static void consider_around(pairs_work *t, uint64_t a, int64_t cell,
                            const demi_grid_neighbour *near, int neighbours)
{
    static const int none[3] = {0, 0, 0};
    const uint32_t *begin = t->b->cell_begin;
    const int *shift = none; /* of what is collected */
    collect(t, a, a + 1, begin[cell + 1], shift);
    for (int m = 0; m < neighbours; ++m) {
        if (memcmp(shift, near[m].shift, sizeof none) != 0) {
            consider_candidates(t, a, shift);
            shift = near[m].shift;
        }
        collect(t, a, begin[near[m].cell], begin[near[m].cell + 1], shift);
    }
    consider_candidates(t, a, shift);
}

static void consider_wall(pairs_work *t, uint64_t row, uint64_t index)
{
    const dem_world *w = t->b->w;
    const demi_body *body = &t->bodies[row];
    const demi_wall *wall = (const demi_wall *)w->wall.data + index;
    const demi_model *model = demi_models_get(&w->models, body->material, wall->material);
    if (body->motion != DEM_MOTION_FREE || model == NULL || wall->id == 0)
        return;
    const double *x = t->position[row];
    double distance = 0.0;
    for (int k = 0; k < 3; ++k)
        distance += (x[k] - wall->point[w->front][k]) * wall->normal[k];
    if (distance < x[3] + demi_model_reach(model, x[3], 0.0) + t->b->skin)
        add_pair(t, row, body->id < wall->id, DEMI_SHIFT_NONE, DEMI_WALL_BIT | (uint32_t)index,
                 model);
}

/* Number of a pair's model among the pairs of materials, times two, plus the shape. */
static uint32_t pair_kind(const pairs_work *t, const demi_pair *pair)
{
    const dem_world *w = t->b->w;
    int32_t material[2];
    const uint32_t rows = (uint32_t)t->b->next->chunk_rows;
    int plane = 0;
    for (int end = 0; end < 2; ++end) {
        const uint32_t slot = (end == 0 ? pair->i : pair->j) / DEMI_PLACE;
        const uint32_t row =
            slot < rows ? (uint32_t)t->chunk->row_begin + slot : t->target[slot - rows];
        const int wall = (row & DEMI_WALL_BIT) != 0;
        material[end] = wall ? ((const demi_wall *)w->wall.data)[row & ~DEMI_WALL_BIT].material
                             : t->bodies[row].material;
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

/* Brings the pairs of the lowest kind from `begin` on to the front; tells where they end. */
static uint64_t gather_kind(pairs_work *t, uint64_t begin, uint32_t *kind)
{
    uint32_t low = UINT32_MAX, high = 0;
    for (uint64_t p = begin; p < t->pairs; ++p) {
        const uint32_t own = pair_kind(t, &t->pair[p]);
        low = own < low ? own : low;
        high = own > high ? own : high;
    }
    *kind = low;
    if (low == high)
        return t->pairs;
    uint64_t end = begin;
    for (uint64_t p = begin; p < t->pairs; ++p) {
        if (pair_kind(t, &t->pair[p]) != low)
            continue;
        const demi_pair pair = t->pair[end];
        t->pair[end++] = t->pair[p];
        t->pair[p] = pair;
    }
    return end;
}

/* Sorts the chunk's pairs by kind; counts the runs and what their states take. */
static void sort_kinds(pairs_work *t)
{
    const dem_world *w = t->b->w;
    demi_chunk *chunk = t->chunk;
    uint64_t begin = 0;
    chunk->run_end = chunk->states = 0;
    if (t->pairs > 0 && !t->mixed) {
        chunk->run_end = 1;
        chunk->states = t->pairs * demi_state_stride(t->model);
        return;
    }
    while (begin < t->pairs) {
        uint32_t kind;
        const uint64_t end = gather_kind(t, begin, &kind);
        chunk->run_end++;
        chunk->states += (end - begin) * demi_state_stride(kind_model(w, kind));
        begin = end;
    }
}

static void pairs_chunk(void *argument, uint64_t k)
{
    const demi_list_build *b = argument;
    dem_world *w = b->w;
    demi_list *next = b->next;
    pairs_work t;
    t.b = b;
    t.chunk = (demi_chunk *)next->chunk.data + k;
    t.pair = (demi_pair *)next->pair.data + k * next->pair_room;
    t.target = (uint32_t *)w->scratch_target.data + k * next->halo_room;
    t.shift = (unsigned char *)w->scratch_shift.data + k * next->halo_room;
    t.pairs = t.halos = 0;
    t.model = NULL;
    t.mixed = 0;
    t.candidates = 0;
    t.position = (const demi_row *)demi_rows(&w->position[w->front ^ 1]);
    t.bodies = w->body_next.data;
    memset(t.seen, 0, sizeof t.seen);
    demi_chunk *chunk = t.chunk;
    demi_chunk_measure(w, chunk);
    int64_t last[3] = {-1, -1, -1}, cell = -1;
    int neighbours = 0;
    demi_grid_neighbour near[13];
    for (uint64_t a = chunk->row_begin; a < chunk->row_end; ++a) {
        int64_t at[3];
        demi_grid_at(&b->grid, t.position[a], at);
        if (at[0] != last[0] || at[1] != last[1] || at[2] != last[2]) {
            memcpy(last, at, sizeof last);
            cell = demi_grid_number(&b->grid, at);
            neighbours = demi_grid_neighbours(&b->grid, at, near);
        }
        consider_around(&t, a, cell, near, neighbours);
    }
    /* walls come last, so that they end the halo */
    for (uint64_t a = chunk->row_begin; a < chunk->row_end; ++a)
        for (uint64_t m = 0; m < w->walls; ++m)
            consider_wall(&t, a, m);
    chunk->pair_begin = k * next->pair_room;
    chunk->pair_end = chunk->pair_begin + t.pairs;
    chunk->halo_begin = 0;
    chunk->halo_end = t.halos;
    if (t.pairs <= next->pair_room && t.halos <= next->halo_room)
        sort_kinds(&t);
}

/* Most pairs and halo rows that any chunk wants. */
static void most_wanted(const demi_list *list, uint64_t *pairs, uint64_t *halos)
{
    const demi_chunk *chunks = list->chunk.data;
    for (uint64_t k = 0; k < list->chunks; ++k) {
        const uint64_t own = chunks[k].pair_end - chunks[k].pair_begin;
        *pairs = own > *pairs ? own : *pairs;
        *halos = chunks[k].halo_end > *halos ? chunks[k].halo_end : *halos;
    }
}

/* Rows of each chunk: as many as leave enough chunks. */
static uint64_t chunk_rows(uint64_t rows)
{
    uint64_t each = DEMI_CHUNK_MOST;
    while (each > DEMI_CHUNK_LEAST && rows / each < DEMI_CHUNKS_WANTED)
        each /= 2;
    return each;
}

/* Room for as much as the list before had in a chunk. */
static uint64_t first_room(const demi_list *list, uint64_t room, uint64_t rows)
{
    const uint64_t scaled = list->chunk_rows > 0 ? room * rows / list->chunk_rows : 0;
    return scaled > 64 ? scaled : 64;
}

dem_status demi_list_pairs(demi_list_build *b)
{
    dem_world *w = b->w;
    demi_list *next = b->next;
    const uint64_t rows = chunk_rows(b->rows);
    next->chunk_rows = rows;
    next->chunks = (b->rows + rows - 1) / rows;
    dem_status status = demi_list_room(b, &next->chunk, next->chunks * sizeof(demi_chunk), 0);
    if (status != DEM_OK)
        return status;
    demi_chunk *chunks = next->chunk.data;
    for (uint64_t k = 0; k < next->chunks; ++k) {
        chunks[k].row_begin = k * rows;
        chunks[k].row_end = k + 1 < next->chunks ? (k + 1) * rows : b->rows;
    }
    next->pair_room = first_room(&w->list, w->list.pair_room, rows);
    next->halo_room = first_room(&w->list, w->list.halo_room, rows);
    for (;;) {
        status =
            demi_list_room(b, &next->pair, next->chunks * next->pair_room * sizeof(demi_pair), 0);
        if (status == DEM_OK)
            status = demi_list_room(b, &w->scratch_target,
                                    next->chunks * next->halo_room * sizeof(uint32_t), 0);
        if (status == DEM_OK)
            status = demi_list_room(b, &w->scratch_shift, next->chunks * next->halo_room, 0);
        if (status != DEM_OK)
            return status;
        demi_parallel(&w->config.executor, pairs_chunk, b, next->chunks);
        uint64_t pairs = 0, halos = 0;
        most_wanted(next, &pairs, &halos);
        next->halo_most = halos;
        if (halos >= DEMI_HALO_MOST)
            return demi_fail(b->context, DEM_ERROR_RANGE,
                             "world: %llu particles next to %d others exceed the limit of %u",
                             (unsigned long long)halos, (int)rows, DEMI_HALO_MOST);
        if (pairs <= next->pair_room && halos <= next->halo_room)
            break;
        next->pair_room = pairs > next->pair_room ? pairs + pairs / 8 : next->pair_room;
        next->halo_room = halos > next->halo_room ? halos + halos / 8 : next->halo_room;
    }
    if (next->chunks * next->pair_room > UINT32_MAX)
        return demi_fail(b->context, DEM_ERROR_RANGE, "world: more than 2^32 pairs");
    return DEM_OK;
}

/* Runs of a chunk, whose number is known already. */
static void chunk_runs(demi_list_build *b, demi_chunk *chunk, uint64_t index)
{
    dem_world *w = b->w;
    demi_list *next = b->next;
    demi_run *run = (demi_run *)next->run.data + chunk->run_begin;
    pairs_work t;
    t.b = b;
    t.chunk = chunk;
    t.pair = (demi_pair *)next->pair.data + chunk->pair_begin;
    t.target = (uint32_t *)w->scratch_target.data + index * next->halo_room;
    t.bodies = w->body_next.data;
    uint64_t state = chunk->state_begin, begin = 0;
    const uint64_t count = chunk->pair_end - chunk->pair_begin;
    while (begin < count) {
        const uint32_t kind = pair_kind(&t, &t.pair[begin]);
        uint64_t end = chunk->run_end - chunk->run_begin == 1 ? count : begin + 1;
        while (end < count && pair_kind(&t, &t.pair[end]) == kind)
            ++end;
        memset(run, 0, sizeof *run);
        run->model = kind_model(w, kind);
        run->shape = (int32_t)(kind % 2);
        run->reach = demi_model_reach(run->model, b->largest, 0.0);
        run->begin = chunk->pair_begin + begin;
        run->end = chunk->pair_begin + end;
        run->state_begin = state;
        run->state_stride = demi_state_stride(run->model);
        state += (end - begin) * run->state_stride;
        ++run;
        begin = end;
    }
}

static void runs_chunk(void *argument, uint64_t k)
{
    demi_list_build *b = argument;
    demi_list *next = b->next;
    demi_chunk *chunk = (demi_chunk *)next->chunk.data + k;
    chunk_runs(b, chunk, k);
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
        next->pairs += chunk->pair_end - chunk->pair_begin;
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
