/* SPDX-License-Identifier: MIT */
#include "search/cells.h"

#include <math.h>
#include <string.h>

/* Cells are wider than the cutoff by this part, more than the rounding of a coordinate of the
 * farthest cell. */
#define SPARE 1e-5
#define FARTHEST_CELL 0x1p34
/* No cell is narrower: 1/width is finite. */
#define NARROWEST 1e-300

enum { FIRST_TABLE = 256 };

static const char what[] = "neighbour list";

void demi_cells_free(demi_context *context, demi_cells *cells)
{
    demi_array_free(context, &cells->block);
    demi_array_free(context, &cells->block_other);
    demi_array_free(context, &cells->rank);
    demi_array_free(context, &cells->rank_other);
    demi_array_free(context, &cells->table);
}

void demi_cells_choose(demi_cells *cells, const double low[3], const double high[3],
                       const int periodic[3], double cutoff)
{
    const double width = cutoff * (1.0 + SPARE) > NARROWEST ? cutoff * (1.0 + SPARE) : NARROWEST;
    for (int c = 0; c < 3; ++c) {
        cells->low[c] = 0.0;
        cells->count[c] = 0;
        cells->scale[c] = 1.0 / width;
        if (!periodic[c])
            continue;
        const double length = high[c] - low[c], along = floor(length / width);
        cells->low[c] = low[c];
        cells->count[c] = along >= FARTHEST_CELL ? (int64_t)FARTHEST_CELL
                          : along >= 1.0         ? (int64_t)along
                                                 : 1;
        cells->scale[c] = (double)cells->count[c] / length;
    }
}

dem_status demi_cells_begin(demi_context *context, demi_cells *cells, int bits)
{
    cells->bits = bits;
    cells->blocks = 0;
    cells->last = 0;
    if (cells->table_size == 0) {
        const dem_status status = demi_array_reserve(context, &cells->table, FIRST_TABLE, 0, what);
        if (status != DEM_OK)
            return status;
        cells->table_size = FIRST_TABLE;
    }
    memset(cells->table.data, 0, (size_t)cells->table_size * sizeof(uint32_t));
    return DEM_OK;
}

static int64_t axis_at(const demi_cells *cells, int c, double x)
{
    double cell = floor((x - cells->low[c]) * cells->scale[c]);
    cell = cell < FARTHEST_CELL ? cell : FARTHEST_CELL;
    return cell > -FARTHEST_CELL ? (int64_t)cell : -(int64_t)FARTHEST_CELL;
}

void demi_cells_at(const demi_cells *cells, const double position[3], int64_t at[3])
{
    for (int c = 0; c < 3; ++c) {
        at[c] = axis_at(cells, c, position[c]);
        if (cells->count[c] == 0)
            continue;
        at[c] = at[c] < 0 ? 0 : at[c];
        at[c] = at[c] < cells->count[c] ? at[c] : cells->count[c] - 1;
    }
}

/* ------------------------------------------------------------------ table of blocks */

static uint64_t hash_of(const int64_t block[3])
{
    uint64_t h = 0;
    for (int c = 0; c < 3; ++c) {
        h = (h ^ (uint64_t)block[c]) * 0x9E3779B97F4A7C15u;
        h ^= h >> 29;
    }
    return h;
}

static int same_block(const demi_block *a, const int64_t block[3])
{
    return a->at[0] == block[0] && a->at[1] == block[1] && a->at[2] == block[2];
}

/* The place of a block in the table, or the free one where it belongs. */
static uint64_t table_place(const demi_cells *cells, const int64_t block[3])
{
    const uint32_t *table = cells->table.data;
    uint64_t k = hash_of(block) & (cells->table_size - 1);
    while (table[k] != 0 && !same_block(&cells->block.data[table[k] - 1], block))
        k = (k + 1) & (cells->table_size - 1);
    return k;
}

static void table_fill(demi_cells *cells)
{
    memset(cells->table.data, 0, (size_t)cells->table_size * sizeof(uint32_t));
    for (uint64_t k = 0; k < cells->blocks; ++k)
        cells->table.data[table_place(cells, cells->block.data[k].at)] = (uint32_t)(k + 1);
}

static dem_status block_append(demi_context *context, demi_cells *cells, const int64_t block[3])
{
    dem_status status = DEM_OK;
    if (cells->blocks >= demi_array_room(&cells->block))
        status = demi_array_reserve(context, &cells->block, 2 * cells->blocks + 64, 1, what);
    if (status == DEM_OK && 2 * cells->blocks >= cells->table_size) {
        status = demi_array_reserve(context, &cells->table, 4 * cells->table_size, 0, what);
        if (status == DEM_OK) {
            cells->table_size *= 4;
            table_fill(cells);
        }
    }
    if (status != DEM_OK)
        return status;
    memcpy(cells->block.data[cells->blocks].at, block, 3 * sizeof(int64_t));
    cells->table.data[table_place(cells, block)] = (uint32_t)++cells->blocks;
    return DEM_OK;
}

/* What a coordinate inside a block contributes to the number of a cell. */
static uint64_t spread(int64_t at, int c)
{
    return (uint64_t)((at & 1) | (at & 2) << 2 | (at & 4) << 4) << c;
}

static uint64_t place_inside(const demi_cells *cells, const int64_t at[3])
{
    const int64_t inside = (1 << cells->bits) - 1;
    return spread(at[0] & inside, 0) | spread(at[1] & inside, 1) | spread(at[2] & inside, 2);
}

/* Of a coordinate along an axis: rounded down; no shift of what is negative. */
static int64_t axis_block(const demi_cells *cells, int64_t at)
{
    const int64_t offset = (int64_t)1 << 40;
    return ((at + offset) >> cells->bits) - (offset >> cells->bits);
}

static void block_of(const demi_cells *cells, const int64_t at[3], int64_t block[3])
{
    for (int c = 0; c < 3; ++c)
        block[c] = axis_block(cells, at[c]);
}

dem_status demi_cells_add(demi_context *context, demi_cells *cells, const int64_t at[3],
                          uint64_t *place)
{
    int64_t block[3];
    block_of(cells, at, block);
    if (cells->blocks == 0 || !same_block(&cells->block.data[cells->last], block)) {
        uint32_t found = cells->table.data[table_place(cells, block)];
        if (found == 0) {
            const dem_status status = block_append(context, cells, block);
            if (status != DEM_OK)
                return status;
            found = (uint32_t)cells->blocks;
        }
        cells->last = found - 1;
    }
    *place = cells->last << 3 * cells->bits | place_inside(cells, at);
    return DEM_OK;
}

/* ------------------------------------------------------------------ order of blocks */

/* Whether a is before b along the curve: the axis decides along which their numbers differ in the
 * highest bit, the last axis first. */
static int z_before(const demi_block *a, const demi_block *b)
{
    const uint64_t offset = (uint64_t)1 << 41;
    int axis = 2;
    uint64_t most = 0;
    for (int c = 2; c >= 0; --c) {
        const uint64_t differ = ((uint64_t)a->at[c] + offset) ^ ((uint64_t)b->at[c] + offset);
        if (most < differ && most < (most ^ differ)) {
            most = differ;
            axis = c;
        }
    }
    return a->at[axis] < b->at[axis];
}

/* Merges two sorted runs of block numbers. */
static void merge(const demi_block *block, const uint32_t *from, uint64_t begin, uint64_t middle,
                  uint64_t end, uint32_t *to)
{
    uint64_t a = begin, b = middle;
    for (uint64_t k = begin; k < end; ++k)
        to[k] = b >= end || (a < middle && !z_before(&block[from[b]], &block[from[a]])) ? from[a++]
                                                                                        : from[b++];
}

/* Block numbers in the order of the curve. */
static const uint32_t *blocks_sorted(demi_cells *cells)
{
    const uint64_t n = cells->blocks;
    uint32_t *from = cells->rank.data, *to = cells->rank_other.data;
    for (uint64_t k = 0; k < n; ++k)
        from[k] = (uint32_t)k;
    for (uint64_t run = 1; run < n; run *= 2) {
        for (uint64_t begin = 0; begin < n; begin += 2 * run) {
            const uint64_t middle = begin + run < n ? begin + run : n,
                           end = begin + 2 * run < n ? begin + 2 * run : n;
            merge(cells->block.data, from, begin, middle, end, to);
        }
        uint32_t *const sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}

dem_status demi_cells_rank(demi_context *context, demi_cells *cells)
{
    const uint64_t n = cells->blocks;
    dem_status status = demi_array_reserve(context, &cells->rank, n + 1, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &cells->rank_other, n + 1, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &cells->block_other, n + 1, 0, what);
    if (status != DEM_OK || n == 0)
        return status;
    const uint32_t *sorted = blocks_sorted(cells);
    memcpy(cells->block_other.data, cells->block.data, (size_t)n * sizeof(demi_block));
    for (uint64_t k = 0; k < n; ++k)
        cells->block.data[k] = cells->block_other.data[sorted[k]];
    if (sorted == cells->rank.data) {
        memcpy(cells->rank_other.data, sorted, (size_t)n * sizeof(uint32_t));
        sorted = cells->rank_other.data;
    }
    for (uint64_t k = 0; k < n; ++k)
        cells->rank.data[sorted[k]] = (uint32_t)k;
    table_fill(cells);
    return DEM_OK;
}

/* ------------------------------------------------------------------ neighbours */

/* Brings a coordinate into the period; tells how many periods it was away. */
static int wrap(const demi_cells *cells, int c, int64_t *at)
{
    const int64_t count = cells->count[c];
    if (count == 0)
        return 0;
    const int periods = *at < 0 ? -1 : *at >= count ? 1 : 0;
    *at -= periods * count;
    return periods;
}

static uint64_t first_of(const demi_cells *cells, const int64_t block[3])
{
    const uint32_t found = cells->table.data[table_place(cells, block)];
    return found == 0 ? DEMI_CELLS_NONE : (uint64_t)(found - 1) << 3 * cells->bits;
}

/* What is beside a cell along an axis, step by step. */
typedef struct axis_steps {
    int block[3]; /* before, own, after */
    uint64_t spread[3];
    uint32_t shift[3];
} axis_steps;

/* The blocks around that of a cell. */
static void find_blocks(const demi_cells *cells, const int64_t block[3], demi_blocks_near *near)
{
    int64_t beside[3][3];
    for (int c = 0; c < 3; ++c) {
        const int64_t edge = (int64_t)1 << cells->bits;
        int64_t before = block[c] * edge - 1, after = before + 1 + edge;
        if (cells->count[c] > 0 && after > cells->count[c])
            after = cells->count[c];
        (void)wrap(cells, c, &before);
        (void)wrap(cells, c, &after);
        beside[c][0] = axis_block(cells, before);
        beside[c][1] = block[c];
        beside[c][2] = axis_block(cells, after);
    }
    for (int k = 0; k < DEMI_GRID_STEPS; ++k) {
        const int64_t one[3] = {beside[0][k % 3], beside[1][k / 3 % 3], beside[2][k / 9]};
        near->first[k] = first_of(cells, one);
    }
    memcpy(near->block, block, sizeof near->block);
    near->known = 1;
}

static void axis_look(const demi_cells *cells, int c, int64_t at, int64_t block, axis_steps *to)
{
    static const uint32_t digit[3] = {1, 3, 9};
    const int64_t edge = (int64_t)1 << cells->bits;
    for (int step = 0; step < 3; ++step) {
        int64_t one = at + step - 1;
        const int before = one < block * edge,
                  after =
                      one >= (block + 1) * edge || (cells->count[c] > 0 && one >= cells->count[c]);
        const int shift = wrap(cells, c, &one);
        to->block[step] = (int)digit[c] * (1 - before + after);
        to->spread[step] = spread(one & (edge - 1), c);
        to->shift[step] = (uint32_t)(shift + 1) * digit[c];
    }
}

int demi_cells_neighbours(const demi_cells *cells, demi_blocks_near *near, const int64_t at[3],
                          int begin, demi_grid_neighbour *out)
{
    int64_t block[3];
    axis_steps axis[3];
    int found = 0;
    block_of(cells, at, block);
    if (!near->known || memcmp(near->block, block, sizeof block) != 0)
        find_blocks(cells, block, near);
    for (int c = 0; c < 3; ++c)
        axis_look(cells, c, at[c], block[c], &axis[c]);
    for (int s = begin; s < DEMI_GRID_STEPS; ++s) {
        const int i = s % 3, j = s / 3 % 3, k = s / 9;
        const uint64_t first = near->first[axis[0].block[i] + axis[1].block[j] + axis[2].block[k]];
        if (first == DEMI_CELLS_NONE)
            continue;
        out[found].cell =
            (uint32_t)(first + (axis[0].spread[i] | axis[1].spread[j] | axis[2].spread[k]));
        out[found++].shift = axis[0].shift[i] + axis[1].shift[j] + axis[2].shift[k];
    }
    return found;
}

/* ------------------------------------------------------------------ ranges */

demi_cells_range demi_cells_range_of(const demi_cells *cells, const double low[3],
                                     const double high[3])
{
    demi_cells_range range;
    for (int c = 0; c < 3; ++c) {
        /* more than rounds off */
        const double spare = SPARE / cells->scale[c];
        range.low[c] = axis_at(cells, c, low[c] - spare);
        range.high[c] = axis_at(cells, c, high[c] + spare);
        const int64_t count = cells->count[c];
        if (count == 0)
            continue;
        range.low[c] = range.low[c] > -count ? range.low[c] : -count;
        range.high[c] = range.high[c] < 2 * count ? range.high[c] : 2 * count - 1;
    }
    return range;
}

double demi_cells_range_size(const demi_cells_range *range)
{
    double size = 1.0;
    for (int c = 0; c < 3; ++c)
        size *= (double)(range->high[c] - range->low[c] + 1);
    return size;
}

int demi_cells_range_next(const demi_cells *cells, const demi_cells_range *range, int64_t at[3],
                          demi_block_last *last, demi_grid_neighbour *out)
{
    static const uint32_t digit[3] = {1, 3, 9};
    while (at[2] <= range->high[2]) {
        int64_t cell[3] = {at[0], at[1], at[2]}, block[3];
        uint32_t shift = 0;
        for (int c = 0; c < 3; ++c)
            shift += (uint32_t)(wrap(cells, c, &cell[c]) + 1) * digit[c];
        for (int c = 0; c < 3 && ++at[c] > range->high[c] && c < 2; ++c)
            at[c] = range->low[c];
        block_of(cells, cell, block);
        if (!last->known || memcmp(last->block, block, sizeof block) != 0) {
            memcpy(last->block, block, sizeof block);
            last->first = first_of(cells, block);
            last->known = 1;
        }
        if (last->first == DEMI_CELLS_NONE)
            continue;
        out->cell = (uint32_t)(last->first + place_inside(cells, cell));
        out->shift = shift;
        return 1;
    }
    return 0;
}
