/* SPDX-License-Identifier: MIT */
/* Pairs that may touch before the next rebuild, chunk by chunk. Each pair is found from the cell of
 * the particle that owns it, which looks at the forward half of its neighbours; where the other
 * particle belongs to another chunk, its forces go to a halo row of this one. */
#include "base/parallel.h"
#include "base/vector.h"
#include "world/drift.h"
#include "world/list.h"

#include <string.h>

/* Rows that are looked at as partners of a cell's rows at a time. */
enum { CANDIDATES = 256 };
/* To store a shift beside a slot. */
enum { SHIFTS = 32 };
/* The halo rows of a chunk that were met already. */
enum { SEEN_BITS = 12, SEEN = 1 << SEEN_BITS };

/* A halo row that was met. */
typedef struct halo_seen {
    uint32_t target, shift, next; /* the row after it; 0: none */
} halo_seen;

/* Candidates under one shift. */
typedef struct candidate_group {
    uint32_t end, shift;
} candidate_group;

typedef struct pairs_work {
    const demi_list_build *b;
    demi_chunk *chunk;
    /* by which ends are the chunk's own; pairs and halos may exceed the room, then the chunk is
     * listed again */
    demi_pair *pair[DEMI_ENDS];
    uint64_t pairs[DEMI_ENDS], room[DEMI_ENDS], halos;
    uint32_t *target;        /* [halo_room] */
    unsigned char *shift;    /* [halo_room] */
    const demi_model *model; /* of the first pair; NULL: there is none */
    int mixed;               /* pairs of several models, or with walls */
    const demi_row *position;
    const demi_body *bodies;
    /* the cell that is looked at: its rows, and the first of its candidates, which are the rows
     * themselves from `own_begin` on */
    uint64_t row_begin, row_end, own_begin, own;
    uint64_t candidates, groups;
    uint32_t candidate[CANDIDATES + 4];
    candidate_group group[13 + 1];
    /* pairs of rows near each other: the other one; slot of the cell's one, and shift */
    uint64_t nears;
    uint32_t near[2 * CANDIDATES + 4], near_own[2 * CANDIDATES + 4];
    halo_seen seen[SEEN]; /* by hash */
} pairs_work;

/* Halo row for a row (or DEMI_WALL_BIT | wall). */
static uint32_t halo_for(pairs_work *t, uint32_t target, uint32_t shift)
{
    uint64_t k = (target * 32ull + shift) * 0x9E3779B97F4A7C15u >> (64 - SEEN_BITS);
    for (; t->seen[k].next != 0; k = (k + 1) % SEEN)
        if (t->seen[k].target == target && t->seen[k].shift == shift)
            return t->seen[k].next - 1;
    const uint64_t halo = t->halos++;
    if (halo >= t->b->next->halo_room)
        return 0;
    t->target[halo] = target;
    t->shift[halo] = (unsigned char)shift;
    const halo_seen one = {target, shift, (uint32_t)halo + 1};
    /* when the table fills up, a target may get several halo rows, which is still correct */
    if (halo < SEEN / 4 * 3)
        t->seen[k] = one;
    return (uint32_t)halo;
}

static void add_pair(pairs_work *t, uint32_t own, int first, uint32_t shift, uint32_t target,
                     const demi_model *model)
{
    const demi_chunk *chunk = t->chunk;
    int ends = DEMI_ENDS_OWN;
    uint32_t other = target - (uint32_t)chunk->row_begin;
    if (other >= chunk->row_end - chunk->row_begin || shift != DEMI_SHIFT_NONE) {
        ends = first ? DEMI_ENDS_HALO_J : DEMI_ENDS_HALO_I;
        other = halo_for(t, target, shift);
    }
    if (t->model == NULL)
        t->model = model;
    t->mixed |= model != t->model || (target & DEMI_WALL_BIT) != 0;
    const uint64_t n = t->pairs[ends]++;
    if (n >= t->room[ends])
        return;
    const demi_pair pair = {(first ? own : other) * DEMI_PLACE, (first ? other : own) * DEMI_PLACE};
    t->pair[ends][n] = pair;
}

/* Whether two rows are within the reach of their own model. */
static int within_reach(const pairs_work *t, const demi_model *model, const double x[4],
                        const double y[4], uint32_t shift)
{
    const dem_world *w = t->b->w;
    const double far = x[3] + y[3] + demi_model_reach(model, x[3], y[3]) + t->b->skin;
    double square = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double period = w->config.box_high[k] - w->config.box_low[k];
        const int periods = demi_shift_periods(shift, k);
        const double d = x[k] - y[k] - (periods != 0 ? periods * period : 0.0);
        square += d * d;
    }
    return square < far * far;
}

/* Lists the pairs of rows that were found near each other, if their kinds may touch. */
static void list_nears(pairs_work *t)
{
    const dem_world *w = t->b->w;
    const uint64_t chunk_begin = t->chunk->row_begin;
    for (uint64_t k = 0; k < t->nears; ++k) {
        const uint32_t own_slot = t->near_own[k] / SHIFTS, shift = t->near_own[k] % SHIFTS,
                       c = t->near[k];
        const uint64_t a = chunk_begin + own_slot;
        const demi_body *own = &t->bodies[a], *other = &t->bodies[c];
        /* across a narrow periodic box a particle meets itself, which does not act */
        if (a == c || (own->motion != DEM_MOTION_FREE && other->motion != DEM_MOTION_FREE))
            continue;
        const demi_model *model = demi_models_get(&w->models, own->material, other->material);
        if (model == NULL ||
            (t->b->reach > 0.0 && !within_reach(t, model, t->position[a], t->position[c], shift)))
            continue;
        add_pair(t, own_slot, own->id < other->id, shift, c, model);
    }
    t->nears = 0;
}

DEMI_ISA_TABLE(demi_near_function, demi_near_rows);

/* Finds the candidates that are near each of the cell's rows. */
static void find_nears(pairs_work *t)
{
    const dem_world *w = t->b->w;
    const dem_world_config *config = &w->config;
    demi_near_function *const near_rows = demi_near_rows[w->models.isa];
    if (t->candidates == 0)
        return;
    /* whole groups of four are looked at */
    for (uint64_t k = 0; k < 4; ++k)
        t->candidate[t->candidates + k] = t->candidate[0];
    for (uint64_t a = t->row_begin; a < t->row_end; ++a) {
        /* rows up to this one have met it */
        const uint64_t met = a + 1 > t->own_begin ? a + 1 - t->own_begin : 0;
        uint64_t begin = met < t->own ? met : t->own;
        const uint32_t own_slot = (uint32_t)(a - t->chunk->row_begin);
        for (uint64_t g = 0; g < t->groups; ++g) {
            const uint32_t shift = t->group[g].shift;
            double place[4];
            memcpy(place, t->position[a], sizeof place);
            for (int c = 0; c < 3 && shift != DEMI_SHIFT_NONE; ++c) {
                const int periods = demi_shift_periods(shift, c);
                if (periods != 0)
                    place[c] -= periods * (config->box_high[c] - config->box_low[c]);
            }
            place[3] += t->b->reach + t->b->skin;
            t->nears +=
                near_rows(t->position, place, t->candidate + begin, t->group[g].end - begin,
                          own_slot * SHIFTS + shift, t->near + t->nears, t->near_own + t->nears);
            begin = t->group[g].end;
            if (t->nears > CANDIDATES)
                list_nears(t);
        }
    }
    t->candidates = t->groups = t->own = 0;
}

/* Collects rows from `begin` to before `end` as candidates. */
static void collect(pairs_work *t, uint32_t begin, uint32_t end, uint32_t shift)
{
    while (begin < end) {
        const uint64_t room = CANDIDATES - t->candidates;
        const uint32_t stop = end - begin < room ? end : begin + (uint32_t)room;
        uint32_t *to = t->candidate + t->candidates;
        /* most cells have no more than four; what is written beyond them is not looked at */
        for (uint32_t c = begin; c < stop; c += 4, to += 4)
            for (uint32_t m = 0; m < 4; ++m)
                to[m] = c + m;
        t->candidates += stop - begin;
        if (t->groups == 0 || t->group[t->groups - 1].shift != shift)
            t->group[t->groups++].shift = shift;
        t->group[t->groups - 1].end = (uint32_t)t->candidates;
        begin = stop;
        if (t->candidates == CANDIDATES)
            find_nears(t);
    }
}

/* Collects the rows of cells that are not shifted and have no more than four each, as most. Tells
 * how many of the cells that was. */
static int collect_plain(pairs_work *t, const demi_grid_neighbour *around, int count)
{
    const uint32_t *begin = t->b->cell_begin;
    uint64_t n = t->candidates;
    int m = 0;
    if (n == 0 || n + 13 * 4 > CANDIDATES)
        return 0;
    for (; m < count; ++m) {
        const uint32_t first = begin[around[m].cell], rows = begin[around[m].cell + 1] - first;
        if (rows > 4)
            break;
        /* what is written beyond them is not looked at */
        *(demi_u4 *)(t->candidate + n) = first + (demi_u4){0, 1, 2, 3};
        n += rows;
    }
    t->candidates = n;
    t->group[0].end = (uint32_t)n;
    return m;
}

/* Lists the chunk's rows of a cell with each other, and with the cells around it. */
static void list_cell(pairs_work *t, uint64_t row_begin, uint64_t row_end, const int64_t at[3])
{
    const uint32_t *begin = t->b->cell_begin;
    demi_grid_neighbour around[13];
    int plain;
    const int64_t cell = demi_grid_number(&t->b->grid, at);
    const int count = demi_grid_neighbours(&t->b->grid, at, around, &plain);
    t->row_begin = row_begin;
    t->row_end = row_end;
    for (uint32_t own = (uint32_t)row_begin; own < begin[cell + 1];) {
        const uint32_t left = begin[cell + 1] - own;
        t->own_begin = own;
        t->own = left < CANDIDATES ? left : CANDIDATES;
        own += (uint32_t)t->own;
        collect(t, (uint32_t)t->own_begin, own, DEMI_SHIFT_NONE);
    }
    for (int m = plain ? collect_plain(t, around, count) : 0; m < count; ++m)
        collect(t, begin[around[m].cell], begin[around[m].cell + 1], around[m].shift);
    find_nears(t);
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
        add_pair(t, (uint32_t)(row - t->chunk->row_begin), body->id < wall->id, DEMI_SHIFT_NONE,
                 DEMI_WALL_BIT | (uint32_t)index, model);
}

static void pairs_chunk(void *argument, uint64_t k)
{
    const demi_list_build *b = argument;
    dem_world *w = b->w;
    demi_list *next = b->next;
    pairs_work t;
    memset(&t, 0, sizeof t);
    t.b = b;
    t.chunk = (demi_chunk *)next->chunk.data + k;
    for (int e = 0; e < DEMI_ENDS; ++e) {
        t.pair[e] = (demi_pair *)next->pair.data + demi_list_pairs_begin(next, k, e);
        t.room[e] = e == DEMI_ENDS_OWN ? next->pair_room - 2 * next->cross_room : next->cross_room;
    }
    t.target = (uint32_t *)w->scratch_target.data + k * next->halo_room;
    t.shift = (unsigned char *)w->scratch_shift.data + k * next->halo_room;
    t.position = (const demi_row *)demi_rows(&w->position[w->front ^ 1]);
    t.bodies = w->body_next.data;
    demi_chunk *chunk = t.chunk;
    demi_chunk_measure(w, chunk);
    for (uint64_t a = chunk->row_begin; a < chunk->row_end;) {
        int64_t at[3];
        demi_grid_at(&b->grid, t.position[a], at);
        const uint64_t end = b->cell_begin[demi_grid_number(&b->grid, at) + 1];
        const uint64_t stop = end < chunk->row_end ? end : chunk->row_end;
        list_cell(&t, a, stop, at);
        a = stop;
    }
    list_nears(&t);
    /* walls come last, so that they end the halo */
    for (uint64_t a = chunk->row_begin; a < chunk->row_end; ++a)
        for (uint64_t m = 0; m < w->walls; ++m)
            consider_wall(&t, a, m);
    memcpy(chunk->pairs, t.pairs, sizeof t.pairs);
    chunk->halo_begin = 0;
    chunk->halo_end = t.halos;
    for (int e = 0; e < DEMI_ENDS; ++e)
        if (t.pairs[e] > t.room[e])
            return;
    if (t.halos <= next->halo_room)
        demi_runs_sort(b, k, t.mixed ? NULL : t.model);
}

/* Most pairs of either kind and halo rows that any chunk wants. */
static void most_wanted(const demi_list *list, uint64_t *own, uint64_t *cross, uint64_t *halos)
{
    const demi_chunk *chunks = list->chunk.data;
    for (uint64_t k = 0; k < list->chunks; ++k) {
        const uint64_t *pairs = chunks[k].pairs;
        const uint64_t most = pairs[DEMI_ENDS_HALO_I] > pairs[DEMI_ENDS_HALO_J]
                                  ? pairs[DEMI_ENDS_HALO_I]
                                  : pairs[DEMI_ENDS_HALO_J];
        *own = pairs[DEMI_ENDS_OWN] > *own ? pairs[DEMI_ENDS_OWN] : *own;
        *cross = most > *cross ? most : *cross;
        *halos = chunks[k].halo_end > *halos ? chunks[k].halo_end : *halos;
    }
}

/* Room for what is wanted, or the one there was if that is enough. */
static uint64_t wider_room(uint64_t room, uint64_t wanted)
{
    return wanted > room ? wanted + wanted / 8 : room;
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
    next->cross_room = first_room(&w->list, w->list.cross_room, rows);
    uint64_t own_room = first_room(&w->list, w->list.pair_room - 2 * w->list.cross_room, rows);
    next->halo_room = first_room(&w->list, w->list.halo_room, rows);
    for (;;) {
        next->pair_room = own_room + 2 * next->cross_room;
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
        uint64_t own = 0, cross = 0, halos = 0;
        most_wanted(next, &own, &cross, &halos);
        next->halo_most = halos;
        if (halos >= DEMI_HALO_MOST)
            return demi_fail(b->context, DEM_ERROR_RANGE,
                             "world: %llu particles next to %d others exceed the limit of %u",
                             (unsigned long long)halos, (int)rows, DEMI_HALO_MOST);
        if (own <= own_room && cross <= next->cross_room && halos <= next->halo_room)
            break;
        own_room = wider_room(own_room, own);
        next->cross_room = wider_room(next->cross_room, cross);
        next->halo_room = wider_room(next->halo_room, halos);
    }
    if (next->chunks * next->pair_room > UINT32_MAX)
        return demi_fail(b->context, DEM_ERROR_RANGE, "world: more than 2^32 pairs");
    return DEM_OK;
}
