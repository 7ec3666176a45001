/* SPDX-License-Identifier: MIT */
/* Cells as wide as the farthest pair, over open or periodic axes, in blocks that exist only where
 * there is something: what lies far away costs no more than what is near.
 *
 * Along open axes cells have no bounds. A block is a cube of cells, up to 8 along each axis; blocks
 * are found by their coordinates in a table, and numbered along a Z-order curve, as cells are
 * inside a block. Numbers depend on what the cells hold, not on the order in which it comes. */
#ifndef DEMI_CELLS_H
#define DEMI_CELLS_H

#include "base/context.h"
#include "search/grid.h"

enum { DEMI_BLOCK_BITS = 3 };

typedef struct demi_block {
    int64_t at[3];
} demi_block;

typedef struct demi_cells {
    double low[3], scale[3]; /* corner, and 1/width of a cell */
    int64_t count[3];        /* of cells along a periodic axis; 0: open */
    int bits;                /* of a block's edge */
    uint64_t blocks;
    DEMI_ARRAY(demi_block) block;
    DEMI_ARRAY(demi_block) block_other; /* while blocks are sorted */
    DEMI_ARRAY(uint32_t) rank;          /* of blocks in the order of their coming */
    DEMI_ARRAY(uint32_t) rank_other;
    DEMI_ARRAY(uint32_t) table; /* block + 1 at its hash or after it; 0: none */
    uint64_t table_size;        /* a power of two */
    uint64_t last;              /* block that came last */
} demi_cells;

void demi_cells_free(demi_context *context, demi_cells *cells);

/* Chooses cells of width >= cutoff. */
void demi_cells_choose(demi_cells *cells, const double low[3], const double high[3],
                       const int periodic[3], double cutoff);
/* Begins anew, with blocks of 2^bits cells along each axis. */
dem_status demi_cells_begin(demi_context *context, demi_cells *cells, int bits);
/* Coordinates of the cell of a position, which is within the period along periodic axes. */
void demi_cells_at(const demi_cells *cells, const double position[3], int64_t at[3]);
/* Adds the block of a cell if it is new. `place` names the cell until blocks are ranked. */
dem_status demi_cells_add(demi_context *context, demi_cells *cells, const int64_t at[3],
                          uint64_t *place);
/* Numbers the blocks. Cells have the numbers from 0 to before demi_cells_count. */
dem_status demi_cells_rank(demi_context *context, demi_cells *cells);

static inline uint64_t demi_cells_count(const demi_cells *cells)
{
    return cells->blocks << 3 * cells->bits;
}

/* The number of a cell from its place. */
static inline uint64_t demi_cells_number(const demi_cells *cells, uint64_t place)
{
    const int bits = 3 * cells->bits;
    return (uint64_t)cells->rank.data[place >> bits] << bits | (place & ((1u << bits) - 1u));
}

/* The block of a cell and those beside it: first cell of each, or DEMI_CELLS_NONE. */
#define DEMI_CELLS_NONE UINT64_MAX
typedef struct demi_blocks_near {
    int64_t block[3];
    int known;
    uint64_t first[DEMI_GRID_STEPS];
} demi_blocks_near;

/* The cells that are the steps from `begin` on away from a cell, in blocks that exist, as
 * demi_grid_neighbours tells them. `near` is kept from cell to cell; all 0 at first. */
int demi_cells_neighbours(const demi_cells *cells, demi_blocks_near *near, const int64_t at[3],
                          int begin, demi_grid_neighbour *out);

/* Cells from `low` to `high` along each axis, unwrapped: no farther than a period from the box. */
typedef struct demi_cells_range {
    int64_t low[3], high[3];
} demi_cells_range;

/* The block that was looked up last, and its first cell. */
typedef struct demi_block_last {
    int64_t block[3];
    int known;
    uint64_t first;
} demi_block_last;

demi_cells_range demi_cells_range_of(const demi_cells *cells, const double low[3],
                                     const double high[3]);
/* How many cells that is, as a number that does not overflow. */
double demi_cells_range_size(const demi_cells_range *range);
/* Steps through the cells of a range that are in blocks that exist; 0 when there is none left.
 * Begin with at = range->low. `last` is kept from range to range; all 0 at first. */
int demi_cells_range_next(const demi_cells *cells, const demi_cells_range *range, int64_t at[3],
                          demi_block_last *last, demi_grid_neighbour *out);

#endif
