/* SPDX-License-Identifier: MIT */
/* Bounds of the grid of a search. What lies outside of them counts to the outermost cells. */
#ifndef DEMI_BOUNDS_H
#define DEMI_BOUNDS_H

#include <dem/base.h>

/* Rows of positions with radii, and their ids, 0 where there is no particle. */
typedef struct demi_bounds_rows {
    const dem_executor *executor;
    const double (*position)[4];
    const uint64_t *id;
    uint64_t rows;
} demi_bounds_rows;

/* The least and the greatest of each column; 0 where there is no particle. */
typedef struct demi_extent {
    uint64_t particles;
    double low[4], high[4];
} demi_extent;

void demi_extent_measure(const demi_bounds_rows *of, demi_extent *extent);

/* Chooses low and high along open axes; those of periodic ones stay. The box holds all rows, but
 * for few that flew far away: they must not make the cells useless. `cutoff` is the least width of
 * a cell, of which there may be `most`. */
void demi_bounds_choose(const demi_bounds_rows *of, const demi_extent *extent,
                        const int periodic[3], double cutoff, int64_t most, double low[3],
                        double high[3]);

#endif
