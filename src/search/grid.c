/* SPDX-License-Identifier: MIT */
#include "search/grid.h"

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
        for (int v = 0; v < 8; ++v)
            grid->spread[c][v] = 0;
    }
    int place = 0;
    for (int level = 0; level < 3; ++level)
        for (int c = 0; c < 3; ++c) {
            if (level >= grid->bits[c])
                continue;
            for (int v = 0; v < 8; ++v)
                grid->spread[c][v] |= (int64_t)(v >> level & 1) << place;
            ++place;
        }
}

void demi_grid_choose(demi_grid *grid, const double low[3], const double high[3],
                      const int periodic[3], double cutoff, int64_t most)
{
    double width = cutoff;
    for (;;) {
        double cells = 1.0;
        for (int c = 0; c < 3; ++c) {
            const double length = high[c] - low[c];
            grid->low[c] = low[c];
            grid->length[c] = length;
            grid->periodic[c] = periodic[c];
            grid->count[c] = axis_count(length, width);
            grid->width[c] = grid->count[c] > 1 ? length / (double)grid->count[c] : length;
            if (!(grid->width[c] > width))
                grid->width[c] = width;
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

void demi_grid_at(const demi_grid *grid, const double position[3], int64_t at[3])
{
    for (int c = 0; c < 3; ++c) {
        const double cell = (position[c] - grid->low[c]) / grid->width[c];
        const double last = (double)(grid->count[c] - 1);
        at[c] = cell <= 0.0 ? 0 : cell >= last ? grid->count[c] - 1 : (int64_t)cell;
    }
}

int64_t demi_grid_number(const demi_grid *grid, const int64_t at[3])
{
    int64_t inside = 0, block = 0;
    for (int c = 2; c >= 0; --c) {
        block = block * grid->blocks[c] + (at[c] >> grid->bits[c]);
        inside += grid->spread[c][at[c] & ((1 << grid->bits[c]) - 1)];
    }
    return block * block_size(grid) + inside;
}

/* The cells before, at and after a coordinate of one axis. */
typedef struct axis_cells {
    int64_t part[3]; /* of the cell's number */
    int shift[3];    /* of the period */
    int inside[3];
} axis_cells;

static axis_cells axis_around(const demi_grid *grid, int c, int64_t at)
{
    int64_t stride = block_size(grid);
    for (int k = 0; k < c; ++k)
        stride *= grid->blocks[k];
    axis_cells axis;
    for (int step = 0; step < 3; ++step) {
        int64_t to = at + step - 1;
        axis.shift[step] = to < 0 ? -1 : to >= grid->count[c] ? 1 : 0;
        axis.inside[step] = axis.shift[step] == 0 || grid->periodic[c];
        if (axis.shift[step] != 0)
            to = to < 0 ? grid->count[c] - 1 : 0;
        axis.part[step] =
            (to >> grid->bits[c]) * stride + grid->spread[c][to & ((1 << grid->bits[c]) - 1)];
    }
    return axis;
}

int demi_grid_neighbours(const demi_grid *grid, const int64_t at[3], demi_grid_neighbour out[13])
{
    const axis_cells x = axis_around(grid, 0, at[0]), y = axis_around(grid, 1, at[1]),
                     z = axis_around(grid, 2, at[2]);
    int found = 0;
    for (int step = 14; step < 27; ++step) {
        const int i = step % 3, j = step / 3 % 3, k = step / 9;
        if (!(x.inside[i] & y.inside[j] & z.inside[k]))
            continue;
        const demi_grid_neighbour one = {x.part[i] + y.part[j] + z.part[k],
                                         {x.shift[i], y.shift[j], z.shift[k]}};
        out[found++] = one;
    }
    return found;
}
