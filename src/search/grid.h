/* SPDX-License-Identifier: MIT */
/* A grid of cells at least as wide as the farthest pair, over open or periodic axes. */
#ifndef DEMI_GRID_H
#define DEMI_GRID_H

#include <stdint.h>

/* What the cells before, at and after a coordinate of one axis contribute to what is told of a
 * neighbour. */
typedef struct demi_grid_axis {
    int64_t part[3]; /* of the cell's number */
    uint8_t shift[3];
    uint8_t inside[3];
    uint8_t plain; /* all three are inside and not shifted */
} demi_grid_axis;

typedef struct demi_grid {
    double low[3], width[3]; /* corner, and width of a cell */
    double scale[3];         /* 1/width */
    int64_t count[3];
    int periodic[3];
    /* cells are numbered in blocks of at most 8 x 8 x 8, inside them along a Z-order curve, so that
     * neighbours in number are neighbours in space */
    int64_t blocks[3];
    int bits[3];                   /* of a block's edge */
    const demi_grid_axis *axis[3]; /* of each coordinate, see demi_grid_axes */
} demi_grid;

typedef struct demi_grid_neighbour {
    uint32_t cell;
    /* periods to add to what lies in that cell, + 1, as digits to base 3 with that of the first
     * axis last */
    uint32_t shift;
} demi_grid_neighbour;

/* Steps from a cell to one beside it, or to itself, are numbered as shifts are. The forward half of
 * them is DEMI_GRID_FORWARD and those after it: no other step is the way back of one of these. */
enum { DEMI_GRID_PLAIN = 13, DEMI_GRID_FORWARD = 14, DEMI_GRID_STEPS = 27 };

/* Chooses cells of width >= cutoff. `most` bounds their number; on open axes what lies outside of
 * low..high counts to the outermost cells, which is still correct. */
void demi_grid_choose(demi_grid *grid, const double low[3], const double high[3],
                      const int periodic[3], double cutoff, int64_t most);

int64_t demi_grid_cells(const demi_grid *grid);
/* Tables of the axes, for which there must be memory of so many entries. Whatever follows needs
 * them. */
uint64_t demi_grid_axes_count(const demi_grid *grid);
void demi_grid_axes(demi_grid *grid, demi_grid_axis *memory);

/* Coordinates of the cell of a position, and the number of a cell. */
void demi_grid_at(const demi_grid *grid, const double position[3], int64_t at[3]);
int64_t demi_grid_number(const demi_grid *grid, const int64_t at[3]);

/* The cells that are the steps from `begin` on away from a cell, as far as there are any: at most
 * DEMI_GRID_STEPS - begin, for which there must be room. With few cells on a periodic axis one cell
 * may appear under several shifts; each is another image. `plain` tells that none is shifted. */
int demi_grid_neighbours(const demi_grid *grid, const int64_t at[3], int begin,
                         demi_grid_neighbour *out, int *plain);

#endif
