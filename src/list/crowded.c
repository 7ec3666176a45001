/* SPDX-License-Identifier: MIT */
/* Whether sorted rows are so many in a cell that other cells are faster: narrow ones in blocks,
 * where rows gather in places with nothing in between, and levels for sizes that lie apart, as in
 * layers. Levels are chosen as if sizes were mixed; where they are not, this finds it out. */
#include "list/parts.h"

/* Cells of a grid are crowded where a row is tested with more rows than so many, of which some are
 * in its own cell, and with more by this factor than where sizes are mixed. Wide ones are by this
 * factor wider than the cutoff: there it takes fewer, since narrow cells cost less than levels. */
#define CROWDED_LOOKS 1000.0
#define CROWDED_WIDE_LOOKS 150.0
#define CROWDED_CELL 8.0
#define CROWDED_MIXED 3.0
#define CROWDED_WIDTH 2.0
/* Those of the home level are where a row shares its own with more than so many, on average. */
#define CROWDED_HOME 80.0

/* Levels for each size. */
static void levels_apart(demi_list_build_call *b)
{
    b->sizes.apart = 1;
    demi_levels_choose(&b->levels, &b->sizes, b->reach);
    b->margin = 2.0 * b->levels.largest[b->levels.home] + b->reach + b->skin;
}

/* With how many rows the rows of a cell are tested. */
static double cell_looks(const demi_list_build_call *b, const int64_t at[3])
{
    const uint32_t *begin = b->cell_begin;
    const int64_t own = demi_grid_number(&b->grid, at);
    const double rows = (double)(begin[own + 1] - begin[own]);
    demi_grid_neighbour around[DEMI_GRID_STEPS];
    int plain;
    double looks = 0.5 * rows;
    const int count =
        rows > 0.0 ? demi_grid_neighbours(&b->grid, at, DEMI_GRID_FORWARD, around, &plain) : 0;
    for (int m = 0; m < count; ++m)
        looks += (double)(begin[around[m].cell + 1] - begin[around[m].cell]);
    return rows * looks;
}

/* Whether cells had to be wide for the sake of what is far apart. */
static int cells_are_wide(const demi_list_build_call *b)
{
    const demi_grid *grid = &b->grid;
    double widest = 0.0;
    for (int c = 0; c < 3; ++c)
        if (grid->count[c] > 1 && grid->width[c] > widest)
            widest = grid->width[c];
    return widest > CROWDED_WIDTH * b->cutoff;
}

/* Whether a row is tested with so many that other cells are faster. */
static int cells_are_crowded(const demi_list_build_call *b, uint64_t cells)
{
    const demi_grid *grid = &b->grid;
    const uint32_t *begin = b->cell_begin;
    double squares = 0.0, looks = 0.0;
    for (uint64_t k = 0; k < cells; ++k)
        squares += (double)(begin[k + 1] - begin[k]) * (double)(begin[k + 1] - begin[k]);
    if (!(squares > CROWDED_CELL * (double)b->rows))
        return 0;
    int64_t at[3];
    for (at[2] = 0; at[2] < grid->count[2]; ++at[2])
        for (at[1] = 0; at[1] < grid->count[1]; ++at[1])
            for (at[0] = 0; at[0] < grid->count[0]; ++at[0])
                looks += cell_looks(b, at);
    const double least = cells_are_wide(b) ? CROWDED_WIDE_LOOKS : CROWDED_LOOKS;
    return looks > least * (double)b->rows &&
           looks > CROWDED_MIXED * b->levels.looks * (double)b->rows;
}

void demi_crowded_grid(demi_list_build_call *b, uint64_t cells)
{
    if (!cells_are_crowded(b, cells))
        return;
    levels_apart(b);
    b->sparse = b->levels.count > 1 || cells_are_wide(b);
}

/* Whether the rows of the home level share their cells with so many. */
static int home_is_crowded(const demi_list_build_call *b)
{
    const demi_level_rows *home = &b->scratch->level.data[b->levels.home];
    const uint64_t cells = demi_cells_count(&home->cells);
    double rows = 0.0, squares = 0.0;
    for (uint64_t k = 0; k < cells; ++k) {
        const double own = (double)(home->begin.data[2 * k + 1] - home->begin.data[2 * k]);
        rows += own;
        squares += own * own;
    }
    return squares > CROWDED_HOME * rows;
}

int demi_crowded_home(demi_list_build_call *b)
{
    if (b->sizes.apart || !home_is_crowded(b))
        return 0;
    levels_apart(b);
    return 1;
}
