/* SPDX-License-Identifier: MIT */
/* A grid of cells at least as wide as the farthest pair, over open or periodic axes. */
#ifndef DEMI_GRID_H
#define DEMI_GRID_H

#include <stdint.h>

typedef struct demi_grid {
    double low[3], width[3]; /* corner, and width of a cell */
    double length[3];        /* period, on periodic axes */
    int64_t count[3];
    int periodic[3];
    /* cells are numbered in blocks of at most 8 x 8 x 8, inside them along a Z-order curve, so that
     * neighbours in number are neighbours in space */
    int64_t blocks[3];
    int bits[3];          /* of a block's edge */
    int64_t spread[3][8]; /* what a coordinate inside a block contributes to the number */
} demi_grid;

typedef struct demi_grid_neighbour {
    int64_t cell;
    int shift[3]; /* periods to add to what lies in that cell */
} demi_grid_neighbour;

/* Chooses cells of width >= cutoff. `most` bounds their number; on open axes what lies outside of
 * low..high counts to the outermost cells, which is still correct. */
void demi_grid_choose(demi_grid *grid, const double low[3], const double high[3],
                      const int periodic[3], double cutoff, int64_t most);

int64_t demi_grid_cells(const demi_grid *grid);
/* Coordinates of the cell of a position, and the number of a cell. */
void demi_grid_at(const demi_grid *grid, const double position[3], int64_t at[3]);
int64_t demi_grid_number(const demi_grid *grid, const int64_t at[3]);

/* The forward half of a cell's neighbours, so that each pair of cells is met once, 13 at most. With
 * few cells on a periodic axis one cell may appear under several shifts; each is another image. */
int demi_grid_neighbours(const demi_grid *grid, const int64_t at[3], demi_grid_neighbour out[13]);

#endif
