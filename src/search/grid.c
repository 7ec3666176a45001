/* SPDX-License-Identifier: MIT */
#include "search/grid.h"

static int64_t axis_count(double length, double width)
{
    const double cells = length / width;
    if (!(cells >= 1.0))
        return 1;
    return cells < 1e6 ? (int64_t)cells : 1000000;
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
        if (cells <= (double)most)
            return;
        width *= 1.25;
    }
}

int64_t demi_grid_cells(const demi_grid *grid)
{
    return grid->count[0] * grid->count[1] * grid->count[2];
}

int64_t demi_grid_cell(const demi_grid *grid, const double position[3])
{
    int64_t at[3];
    for (int c = 0; c < 3; ++c) {
        const double cell = (position[c] - grid->low[c]) / grid->width[c];
        const double last = (double)(grid->count[c] - 1);
        at[c] = cell <= 0.0 ? 0 : cell >= last ? grid->count[c] - 1 : (int64_t)cell;
    }
    return (at[2] * grid->count[1] + at[1]) * grid->count[0] + at[0];
}

int demi_grid_neighbours(const demi_grid *grid, int64_t cell, demi_grid_neighbour out[13])
{
    const int64_t at[3] = {cell % grid->count[0], cell / grid->count[0] % grid->count[1],
                           cell / (grid->count[0] * grid->count[1])};
    int found = 0;
    for (int step = 14; step < 27; ++step) {
        const int offset[3] = {step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1};
        int64_t to[3];
        int inside = 1;
        for (int c = 0; c < 3; ++c) {
            to[c] = at[c] + offset[c];
            out[found].shift[c] = 0;
            if (to[c] >= 0 && to[c] < grid->count[c])
                continue;
            if (!grid->periodic[c])
                inside = 0;
            out[found].shift[c] = to[c] < 0 ? -1 : 1;
            to[c] = to[c] < 0 ? grid->count[c] - 1 : 0;
        }
        if (!inside)
            continue;
        out[found++].cell = (to[2] * grid->count[1] + to[1]) * grid->count[0] + to[0];
    }
    return found;
}
