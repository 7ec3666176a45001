/* SPDX-License-Identifier: MIT */
#include "search/grid.h"

/* No cell is narrower: 1/width is finite, and 1.25 width differs from width. */
#define NARROWEST 1e-300

static int64_t axis_count(double length, double width)
{
    const double cells = length / width;
    if (!(cells >= 1.0))
        return 1;
    return cells < 1e6 ? (int64_t)cells : 1000000;
}

static void grid_blocks(demi_grid *grid)
{
    for (int c = 0; c < 3; ++c) {
        grid->bits[c] = 0;
        while (grid->bits[c] < 3 && (1 << grid->bits[c]) < grid->count[c])
            grid->bits[c]++;
        grid->blocks[c] = ((grid->count[c] - 1) >> grid->bits[c]) + 1;
    }
}

void demi_grid_choose(demi_grid *grid, const double low[3], const double high[3],
                      const int periodic[3], double cutoff, int64_t most)
{
    double width = cutoff > NARROWEST ? cutoff : NARROWEST;
    for (;;) {
        double cells = 1.0;
        for (int c = 0; c < 3; ++c) {
            const double length = high[c] - low[c];
            grid->low[c] = low[c];
            grid->periodic[c] = periodic[c];
            grid->count[c] = axis_count(length, width);
            grid->width[c] = grid->count[c] > 1 ? length / (double)grid->count[c] : length;
            if (!(grid->width[c] > width))
                grid->width[c] = width;
            grid->scale[c] = 1.0 / grid->width[c];
            cells *= (double)grid->count[c];
        }
        if (cells <= (double)most) {
            grid_blocks(grid);
            return;
        }
        width *= 1.25;
    }
}

static int64_t block_size(const demi_grid *grid)
{
    return (int64_t)1 << (grid->bits[0] + grid->bits[1] + grid->bits[2]);
}

int64_t demi_grid_cells(const demi_grid *grid)
{
    return grid->blocks[0] * grid->blocks[1] * grid->blocks[2] * block_size(grid);
}

uint64_t demi_grid_axes_count(const demi_grid *grid)
{
    return (uint64_t)(grid->count[0] + grid->count[1] + grid->count[2]);
}

/* What a coordinate inside a block contributes to a cell's number: its bits, between those of the
 * other axes. */
static void axis_spread(const demi_grid *grid, int axis, int64_t spread[8])
{
    int place = 0;
    for (int v = 0; v < 8; ++v)
        spread[v] = 0;
    for (int level = 0; level < 3; ++level)
        for (int c = 0; c < 3; ++c) {
            if (level >= grid->bits[c])
                continue;
            for (int v = 0; v < 8 && c == axis; ++v)
                spread[v] |= (int64_t)(v >> level & 1) << place;
            ++place;
        }
}

static void axis_fill(const demi_grid *grid, int c, demi_grid_axis *out)
{
    static const int digit[3] = {1, 3, 9};
    const int64_t count = grid->count[c], inside = ((int64_t)1 << grid->bits[c]) - 1;
    int64_t stride = block_size(grid), spread[8];
    for (int k = 0; k < c; ++k)
        stride *= grid->blocks[k];
    axis_spread(grid, c, spread);
    for (int64_t at = 0; at < count; ++at) {
        out[at].plain = at > 0 && at + 1 < count;
        for (int step = 0; step < 3; ++step) {
            int64_t to = at + step - 1;
            const int shift = to < 0 ? -1 : to >= count ? 1 : 0;
            if (shift != 0)
                to = to < 0 ? count - 1 : 0;
            out[at].part[step] = (to >> grid->bits[c]) * stride + spread[to & inside];
            out[at].shift[step] = (uint8_t)((shift + 1) * digit[c]);
            out[at].inside[step] = (uint8_t)(shift == 0 || grid->periodic[c]);
        }
    }
}

void demi_grid_axes(demi_grid *grid, demi_grid_axis *memory)
{
    for (int c = 0; c < 3; ++c) {
        axis_fill(grid, c, memory);
        grid->axis[c] = memory;
        memory += grid->count[c];
    }
}

void demi_grid_at(const demi_grid *grid, const double position[3], int64_t at[3])
{
    for (int c = 0; c < 3; ++c) {
        const double cell = (position[c] - grid->low[c]) * grid->scale[c];
        const double last = (double)(grid->count[c] - 1);
        at[c] = !(cell > 0.0) ? 0 : cell >= last ? grid->count[c] - 1 : (int64_t)cell;
    }
}

int64_t demi_grid_number(const demi_grid *grid, const int64_t at[3])
{
    return grid->axis[0][at[0]].part[1] + grid->axis[1][at[1]].part[1] +
           grid->axis[2][at[2]].part[1];
}

/* The forward half, of a cell that is not at the border. */
static int plain_neighbours(const demi_grid_axis *x, const demi_grid_axis *y,
                            const demi_grid_axis *z, demi_grid_neighbour out[13])
{
    const int64_t row[4] = {y->part[2] + z->part[1], y->part[0] + z->part[2],
                            y->part[1] + z->part[2], y->part[2] + z->part[2]};
    demi_grid_neighbour *to = out;
    *to++ =
        (demi_grid_neighbour){(uint32_t)(x->part[2] + y->part[1] + z->part[1]), DEMI_GRID_PLAIN};
    for (int k = 0; k < 4; ++k, to += 3) {
        to[0] = (demi_grid_neighbour){(uint32_t)(x->part[0] + row[k]), DEMI_GRID_PLAIN};
        to[1] = (demi_grid_neighbour){(uint32_t)(x->part[1] + row[k]), DEMI_GRID_PLAIN};
        to[2] = (demi_grid_neighbour){(uint32_t)(x->part[2] + row[k]), DEMI_GRID_PLAIN};
    }
    return 13;
}

int demi_grid_neighbours(const demi_grid *grid, const int64_t at[3], int begin,
                         demi_grid_neighbour *out, int *plain)
{
    const demi_grid_axis *x = &grid->axis[0][at[0]], *y = &grid->axis[1][at[1]],
                         *z = &grid->axis[2][at[2]];
    *plain = x->plain & y->plain & z->plain;
    if (*plain && begin == DEMI_GRID_FORWARD)
        return plain_neighbours(x, y, z, out);
    int found = 0;
    int i = begin % 3, j = begin / 3 % 3;
    for (int k = begin / 9; k < 3; ++k, j = 0)
        for (; j < 3; ++j, i = 0)
            for (; i < 3; ++i) {
                const demi_grid_neighbour one = {
                    (uint32_t)(x->part[i] + y->part[j] + z->part[k]),
                    (uint32_t)(x->shift[i] + y->shift[j] + z->shift[k])};
                out[found] = one;
                found += x->inside[i] & y->inside[j] & z->inside[k];
            }
    return found;
}
