/* SPDX-License-Identifier: MIT */
/* Pairs that may touch before the next rebuild, chunk by chunk. Each pair is found from the cell of
 * the particle that owns it, as ownership.h says; where the other particle belongs to another
 * chunk, its forces go to a chunk copy of this one. */
#include "base/parallel.h"
#include "base/vector.h"
#include "list/candidates.h"
#include "list/coarser.h"
#include "list/ownership.h"

#include <stdatomic.h>
#include <string.h>

/* Rows for which walls are looked for together. */
enum { WALL_ROWS = 16 };

/* Collects rows from `begin` to before `end` as candidates. */
static void collect(demi_pairs_work *t, uint32_t begin, uint32_t end, uint32_t shift)
{
    while (begin < end) {
        const uint64_t room = DEMI_CANDIDATES - t->candidates;
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
        if (t->candidates == DEMI_CANDIDATES)
            demi_pairs_find(t);
    }
}

/* Collects the rows of cells that are not shifted and have no more than four each, as most. Tells
 * how many of the cells that was. */
static int collect_plain(demi_pairs_work *t, const demi_grid_neighbour *around, int count)
{
    const uint32_t *begin = t->b->cell_begin;
    const int bits = t->b->cell_bits;
    uint64_t n = t->candidates;
    int m = 0;
    if (n == 0 || n + 4 * (uint64_t)count > DEMI_CANDIDATES)
        return 0;
    for (; m < count; ++m) {
        const uint32_t *of = begin + ((uint64_t)around[m].cell << bits);
        const uint32_t first = of[0], rows = of[1] - first;
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

/* A cell of the home level. */
typedef struct home_cell {
    uint64_t cell, end, home_end; /* rows; those of other levels come last */
    demi_grid_neighbour around[DEMI_GRID_STEPS];
    int count;
    int plain; /* no neighbour is shifted */
} home_cell;

/* The cell of a row, and those around it whose rows its rows own pairs with. */
static void find_cell(demi_pairs_work *t, uint64_t row, home_cell *of)
{
    const demi_list_build_call *b = t->b;
    const int begin = demi_owned_steps_begin(DEMI_LEVEL_FINEST, DEMI_LEVEL_FINEST);
    int64_t at[3];
    if (b->sparse) {
        /* the cell itself comes first */
        const demi_cells *cells = &b->scratch->level.data[b->levels.home].cells;
        demi_cells_at(cells, t->position[row], at);
        of->count =
            demi_cells_neighbours(cells, &t->blocks[b->levels.home], at, begin - 1, of->around) - 1;
        of->cell = of->around[0].cell;
        memmove(of->around, of->around + 1, (size_t)of->count * sizeof of->around[0]);
        of->plain = 1;
        for (int m = 0; m < of->count; ++m)
            of->plain &= of->around[m].shift == DEMI_GRID_PLAIN;
    } else {
        demi_grid_at(&b->grid, t->position[row], at);
        of->cell = (uint64_t)demi_grid_number(&b->grid, at);
        of->count = demi_grid_neighbours(&b->grid, at, begin, of->around, &of->plain);
    }
    const uint32_t *rows = b->cell_begin + (of->cell << b->cell_bits);
    of->home_end = rows[1];
    of->end = rows[1 << b->cell_bits];
}

/* Lists the chunk's rows of a cell with each other, and with the cells around it. */
static void list_cell(demi_pairs_work *t, uint64_t row_begin, uint64_t row_end, const home_cell *of)
{
    const uint32_t *begin = t->b->cell_begin;
    const int bits = t->b->cell_bits;
    t->row_begin = row_begin;
    t->row_end = row_end;
    for (uint32_t own = (uint32_t)row_begin; own < of->home_end;) {
        const uint32_t left = (uint32_t)of->home_end - own;
        t->own_begin = own;
        t->own = left < DEMI_CANDIDATES ? left : DEMI_CANDIDATES;
        own += (uint32_t)t->own;
        collect(t, (uint32_t)t->own_begin, own, DEMI_SHIFT_NONE);
    }
    for (int m = of->plain ? collect_plain(t, of->around, of->count) : 0; m < of->count; ++m) {
        const uint32_t *rows = begin + ((uint64_t)of->around[m].cell << bits);
        collect(t, rows[0], rows[1], of->around[m].shift);
    }
    demi_pairs_find(t);
}

/* Lists the chunk's rows with rows. */
static void list_rows(demi_pairs_work *t)
{
    const demi_list_build_call *b = t->b;
    const demi_chunk *chunk = t->chunk;
    /* cells of a cube, of four along each axis where there are so many in a block */
    const int block = b->sparse ? b->scratch->level.data[b->levels.home].cells.bits : 0;
    const int cube = 3 * (block < 2 ? block : 2);
    home_cell of;
    of.cell = 0;
    uint64_t first = chunk->row_begin; /* of those that look for coarser ones together */
    for (uint64_t a = first; a < chunk->row_end && t->looks <= b->looks_most;) {
        const uint64_t before = of.cell;
        find_cell(t, a, &of);
        const uint64_t stop = of.end < chunk->row_end ? of.end : chunk->row_end;
        const uint64_t home = of.home_end < stop ? of.home_end : stop;
        if (b->sparse && a > first && before >> cube != of.cell >> cube) {
            demi_pairs_coarser(t, first, a);
            first = a;
        }
        if (a < home)
            list_cell(t, a, home, &of);
        for (uint64_t row = a < home ? home : a; row < stop && t->looks <= b->looks_most; ++row)
            demi_pairs_own_level(t, row);
        a = stop;
    }
    if (b->sparse)
        demi_pairs_coarser(t, first, chunk->row_end);
}

/* The gap of a point, or less where the shape bends: a feature that does not touch from there may
 * do so a little farther on. */
static double feature_gap(const demi_wall *wall, const demi_solid *solid, uint32_t feature,
                          const double *x)
{
    const demi_shape *shape = demi_wall_shape(wall);
    if (!shape->flat)
        return shape->least_gap(solid, feature, x, x);
    demi_surface surface;
    shape->surface(1, &solid, &feature, &x, &surface);
    return surface.gap;
}

/* Whether a row may touch a feature of a wall. */
static int may_touch(const demi_pairs_work *t, uint64_t row, uint32_t index, uint32_t feature)
{
    const demi_list_input *in = t->b->in;
    const demi_body *body = &t->bodies[row];
    const demi_wall *wall = in->wall + index;
    const demi_solid *solid = &in->solid[index];
    const demi_model *model = demi_models_get(in->models, body->material, wall->material);
    if (!demi_kind_meets_walls(body->kind) || model == NULL)
        return 0;
    const demi_shape *shape = demi_wall_shape(wall);
    const double *x = t->position[row],
                 reach = t->b->reach > 0.0
                             ? demi_model_reach(model, demi_wall_hollow(wall, solid, x[3]), 0.0)
                             : 0.0,
                 distance = x[3] + reach + t->b->skin;
    uint32_t any;
    return shape->kept > 0 ? shape->near(shape, solid, x, x, distance, 0, &any, 1) > 0
                           : feature_gap(wall, solid, feature, x) < distance;
}

/* Lists a row with a feature of a wall. */
static void list_wall(demi_pairs_work *t, uint64_t row, uint32_t index, uint32_t feature)
{
    const demi_list_input *in = t->b->in;
    const demi_body *body = &t->bodies[row];
    const demi_wall *wall = in->wall + index;
    demi_pair_wall(t, (uint32_t)(row - t->chunk->row_begin), body->id < wall->id, index, feature,
                   demi_wall_slots(body, wall),
                   demi_models_get(in->models, body->material, wall->material));
}

/* Lists rows with the features that were found, row by row. */
static void list_features(demi_pairs_work *t, uint64_t begin, uint64_t end)
{
    for (uint64_t row = begin; row < end; ++row) {
        int touch = 0;
        for (uint64_t k = 0; k < t->candidates; ++k) {
            const uint32_t index = t->candidate_wall[k];
            /* of slots all may touch, or none */
            if (k == 0 || index != t->candidate_wall[k - 1] ||
                demi_wall_shape(&t->b->in->wall[index])->kept == 0)
                touch = may_touch(t, row, index, t->candidate[k]);
            if (touch)
                list_wall(t, row, index, t->candidate[k]);
        }
    }
    t->looks += (end - begin) * t->candidates;
    t->candidates = 0;
}

/* Lists rows with the walls near them. A row's pairs are listed in the order of walls and features:
 * where there is no room for all features near several rows, each row is taken on its own. */
static void list_walls(demi_pairs_work *t, uint64_t begin, uint64_t end)
{
    const demi_list_input *in = t->b->in;
    double low[3], high[3], largest = 0.0;
    for (int c = 0; c < 3; ++c)
        low[c] = high[c] = t->position[begin][c];
    for (uint64_t row = begin; row < end; ++row) {
        const double *x = t->position[row];
        for (int c = 0; c < 3; ++c) {
            low[c] = x[c] < low[c] ? x[c] : low[c];
            high[c] = x[c] > high[c] ? x[c] : high[c];
        }
        largest = x[3] > largest ? x[3] : largest;
    }
    const double far = largest + t->b->reach + t->b->skin;
    t->looks += t->chunk->near_walls_first - t->chunk->near_walls_begin;
    for (uint64_t n = t->chunk->near_walls_begin; n < t->chunk->near_walls_first; ++n) {
        const uint32_t index = t->b->next->near_wall.data[n];
        const demi_wall *wall = &in->wall[index];
        const demi_shape *shape = demi_wall_shape(wall);
        /* of many walls near a chunk most are away from a few of its rows */
        if (demi_shape_away(shape, &in->solid[index], low, high, far))
            continue;
        for (uint32_t first = 0;;) {
            const uint64_t more =
                shape->near(shape, &in->solid[index], low, high, far, first,
                            t->candidate + t->candidates, DEMI_CANDIDATES - t->candidates);
            for (uint64_t k = 0; k < more; ++k)
                t->candidate_wall[t->candidates++] = index;
            if (t->candidates < DEMI_CANDIDATES)
                break;
            first = t->candidate[DEMI_CANDIDATES - 1] + 1;
            if (end - begin == 1) {
                list_features(t, begin, end);
                continue;
            }
            t->candidates = 0;
            for (uint64_t row = begin; row < end; ++row)
                list_walls(t, row, row + 1);
            return;
        }
    }
    list_features(t, begin, end);
}

static void pairs_chunk(void *argument, uint64_t k)
{
    demi_list_build_call *b = argument;
    const demi_list_input *in = b->in;
    demi_list *next = b->next;
    demi_pairs_work t;
    memset(&t, 0, sizeof t);
    t.b = b;
    const uint64_t looks = t.looks = atomic_load(&b->looks);
    t.chunk = next->chunk.data + k;
    for (int e = 0; e < DEMI_LOCALITIES; ++e) {
        t.pair[e] = b->scratch->pair.data + demi_listing_begin(next, k, e);
        t.room[e] = e == DEMI_LOCALITY_OWN ? next->own_room : next->cross_room;
    }
    t.copied = b->scratch->copied.data + k * next->copies_room;
    t.position = (const demi_row *)in->sorted_position;
    t.bodies = in->sorted_body;
    t.mixed = in->ghosts;
    demi_chunk *chunk = t.chunk;
    list_rows(&t);
    demi_pairs_list(&t);
    /* walls come last, so that they end the chunk copies */
    const uint64_t end = chunk->near_walls_first > chunk->near_walls_begin ? chunk->row_end : 0;
    for (uint64_t a = chunk->row_begin; a < end && t.looks <= b->looks_most; a += WALL_ROWS)
        list_walls(&t, a, a + WALL_ROWS < end ? a + WALL_ROWS : end);
    atomic_fetch_add(&b->looks, t.looks - looks);
    memcpy(chunk->pairs, t.pairs, sizeof t.pairs);
    chunk->copies_begin = 0;
    chunk->copies_end = t.chunk_copies;
    for (int e = 0; e < DEMI_LOCALITIES; ++e)
        if (t.pairs[e] > t.room[e])
            return;
    if (t.chunk_copies <= next->copies_room)
        demi_batch_groups_sort(b, k, t.mixed || in->faceted ? NULL : t.model);
}

static void measure_chunk(void *argument, uint64_t k)
{
    const demi_list_build_call *b = argument;
    demi_chunk_measure(b, b->next->chunk.data + k);
}

/* Most pairs of either kind and chunk copies that any chunk wants. */
static void most_wanted(const demi_list *list, uint64_t *own, uint64_t *cross,
                        uint64_t *chunk_copies)
{
    const demi_chunk *chunks = list->chunk.data;
    for (uint64_t k = 0; k < list->chunks; ++k) {
        const uint64_t *pairs = chunks[k].pairs;
        const uint64_t most = pairs[DEMI_LOCALITY_COPY_I] > pairs[DEMI_LOCALITY_COPY_J]
                                  ? pairs[DEMI_LOCALITY_COPY_I]
                                  : pairs[DEMI_LOCALITY_COPY_J];
        *own = pairs[DEMI_LOCALITY_OWN] > *own ? pairs[DEMI_LOCALITY_OWN] : *own;
        *cross = most > *cross ? most : *cross;
        *chunk_copies = chunks[k].copies_end > *chunk_copies ? chunks[k].copies_end : *chunk_copies;
    }
}

/* Room for what is wanted, or the one there was if that is enough. */
static uint64_t wider_room(uint64_t room, uint64_t wanted)
{
    return wanted > room ? wanted + wanted / 8 : room;
}

/* Rows of each chunk: what is asked for, or as many as leave enough chunks. A pair of polyhedra
 * takes a hundred times as long as one of spheres, so that few rows are work enough. */
static uint64_t chunk_rows(const demi_list_build_call *b)
{
    if (b->in->chunk_rows > 0)
        return b->in->chunk_rows;
    const uint64_t least = b->in->faceted ? DEMI_CHUNK_FACETED : DEMI_CHUNK_LEAST;
    uint64_t each = DEMI_CHUNK_MOST;
    while (each > least && b->rows / each < DEMI_CHUNKS_WANTED)
        each /= 2;
    return each;
}

/* Room for as much as the list before had in a chunk. */
static uint64_t first_room(const demi_list *list, uint64_t room, uint64_t rows)
{
    const uint64_t scaled = list->chunk_rows > 0 ? room * rows / list->chunk_rows : 0;
    return scaled > 64 ? scaled : 64;
}

dem_status demi_list_pairs(demi_list_build_call *b)
{
    const demi_list_input *in = b->in;
    demi_list *next = b->next;
    const uint64_t rows = chunk_rows(b);
    next->chunk_rows = rows;
    next->chunks = (b->rows + rows - 1) / rows;
    dem_status status = demi_past_chunks(b);
    if (status == DEM_OK)
        status = demi_list_room(b, &next->chunk, next->chunks);
    if (status != DEM_OK)
        return status;
    demi_chunk *chunks = next->chunk.data;
    for (uint64_t k = 0; k < next->chunks; ++k) {
        chunks[k].row_begin = k * rows;
        chunks[k].row_end = k + 1 < next->chunks ? (k + 1) * rows : b->rows;
    }
    demi_parallel(in->executor, measure_chunk, b, next->chunks);
    const demi_near_walls_call near = {.wall = in->wall,
                                       .walls = in->walls,
                                       .solid = in->solid,
                                       .reach = b->reach,
                                       .margin = b->margin,
                                       .within = b->skin};
    status = demi_list_near_walls(b->context, next, b->scratch, &near);
    if (status != DEM_OK)
        return status;
    next->cross_room = first_room(in->before, in->before->cross_room, rows);
    next->own_room = first_room(in->before, in->before->own_room, rows);
    next->copies_room = first_room(in->before, in->before->copies_room, rows);
    for (;;) {
        status = demi_past_room(b);
        if (status == DEM_OK)
            status = demi_list_room_closely(b, &b->scratch->pair,
                                            demi_listing_begin(next, next->chunks, 0));
        if (status == DEM_OK)
            status = demi_list_room_closely(b, &b->scratch->kind,
                                            demi_listing_begin(next, next->chunks, 0));
        if (status == DEM_OK)
            status =
                demi_list_room_closely(b, &b->scratch->copied, next->chunks * next->copies_room);
        if (status != DEM_OK)
            return status;
        demi_parallel(in->executor, pairs_chunk, b, next->chunks);
        status = demi_past_looks(b);
        if (status != DEM_OK)
            return status;
        uint64_t own = 0, cross = 0, chunk_copies = 0;
        most_wanted(next, &own, &cross, &chunk_copies);
        next->copies_most = chunk_copies;
        if (chunk_copies >= DEMI_COPIES_MOST)
            return demi_fail(
                b->context, DEM_ERROR_RANGE,
                "world: %llu particles next to the %d of a chunk exceed the limit of %u: take "
                "a smaller skin or dem_world_config.chunk_rows",
                (unsigned long long)chunk_copies, (int)rows, DEMI_COPIES_MOST);
        if (own <= next->own_room && cross <= next->cross_room && chunk_copies <= next->copies_room)
            break;
        next->own_room = wider_room(next->own_room, own);
        next->cross_room = wider_room(next->cross_room, cross);
        next->copies_room = wider_room(next->copies_room, chunk_copies);
    }
    return DEM_OK;
}
