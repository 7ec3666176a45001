/* SPDX-License-Identifier: MIT */
/**
 * @file deposition.h
 * Level 0: particles onto the cells of your grid, and fields of your cells back to the particles,
 * with the same weights.
 *
 *     dem_deposition_grid grid;
 *     dem_deposition_grid_init(&grid);
 *     ... grid.low, size, cells, boundary ...
 *     dem_deposit(&grid, n, x.data, x.stride, volume, sizeof(double), 1, solid, &error);
 *     dem_interpolate(&grid, n, x.data, x.stride, fluid, 3, seen[0], sizeof seen[0], &error);
 *
 * adds the particles' volumes to `solid`, one number a cell, and writes the fluid velocity that
 * each particle sees. Strides are bytes from row to row, as in dem_view: multiples of 8, and no
 * shorter than a row. A stride of 0 is for what is the same for all, such as the volume of equal
 * particles that you deposit; positions, and values that you read, have none. Rows of a view whose
 * id is 0 (removed particles, ghosts) need a value of 0: where a view may have such rows, give the
 * values one by one.
 *
 * What a particle gives is spread over its cells with weights whose sum is 1, also at walls, where
 * the part beyond goes to the mirror cell. So sums over cells are sums over particles, to
 * round-off. Because dem_interpolate takes the same weights, the power of a force is the same on
 * both sides: the sum over cells of deposited force times velocity is the sum over particles of
 * force times interpolated velocity. That holds where both have the same positions. A world moves
 * its particles and sorts its rows: deposit the impulses of a step with the positions, or weights,
 * of the interpolation, kept by dem_view.index. New positions leave the momentum right, but not the
 * power.
 *
 * On a grid that is cut over processes, docs/distributed.md says what lies beyond the cut;
 * DEM_DEPOSITION_WALL mirrors there and is wrong.
 *
 * Nothing here knows a world. Nothing is clipped: a cell may hold more than its volume, which you
 * should report and not cut. dem_deposition_fraction_most finds the fullest cell.
 *
 * A drag law asks for the fluid velocity that would be there without the particle. What you
 * interpolate has the particle's own disturbance in it. dem_deposition_undisturbed corrects the
 * drag coefficient for that.
 */
#ifndef DEM_DEPOSITION_H
#define DEM_DEPOSITION_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How a particle is spread along each axis; h is the edge of a cell. */
enum {
    DEM_DEPOSITION_NEAREST = 0,    /**< the cell of its centre */
    DEM_DEPOSITION_LINEAR = 1,     /**< 2 cells, over h to either side */
    DEM_DEPOSITION_QUADRATIC = 2,  /**< 3 cells, B-spline over 1.5 h to either side (default) */
    DEM_DEPOSITION_GAUSSIAN = 3,   /**< Gaussian of dem_deposition_grid.deviation, at the centres of
                                        cells as far as 4 deviations, scaled to the sum 1; 5 cells
                                        for h/2, 17 for 2 h */
    DEM_DEPOSITION_CELLS_MOST = 27 /**< cells of dem_deposition_weights, at most */
};

/** What is beyond the ends of an axis. */
enum {
    DEM_DEPOSITION_WALL = 0,    /**< nothing: the mirror cell gets what would be there (default) */
    DEM_DEPOSITION_PERIODIC = 1 /**< the other end */
};

/** A grid of equal cells. Cell (i, j, k) is at i + cells[0] (j + cells[1] k). */
typedef struct dem_deposition_grid {
    uint64_t struct_size; /**< sizeof, set by dem_deposition_grid_init */
    double low[3];        /**< m, finite, the corner of the first cell; default 0 */
    double size[3];       /**< m, edges of a cell, > 0; default 1 */
    int32_t cells[3];     /**< along each axis, > 0, in all at most 2^48; default 1 */
    int32_t boundary[3];  /**< DEM_DEPOSITION_WALL or _PERIODIC; default walls */
    int32_t kernel;       /**< DEM_DEPOSITION_NEAREST, _LINEAR, _QUADRATIC (default), _GAUSSIAN */
    int32_t reserved;     /**< zero */
    double deviation;     /**< m, of the Gaussian: from a quarter of each edge of a cell to twice
                               the edge; default 0, of no use to the other kernels */
} dem_deposition_grid;

/** Fills the defaults for a struct of `size` bytes. */
DEM_API dem_status dem_deposition_grid_init_sized(dem_deposition_grid *grid, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_deposition_grid_init(dem_deposition_grid *grid)
{
    return dem_deposition_grid_init_sized(grid, sizeof(dem_deposition_grid));
}

/** Cells of one particle, and their weights, whose sum is 1. Frozen layout. */
typedef struct dem_deposition_weights {
    uint64_t count;                           /**< of cells; a cell may be there several
                                                     times, at walls and on short axes */
    uint64_t cell[DEM_DEPOSITION_CELLS_MOST]; /**< indices */
    double weight[DEM_DEPOSITION_CELLS_MOST]; /**< >= 0 */
} dem_deposition_weights;

/** Weights of a position, of all kernels but the Gaussian, which has too many cells. A position
 * beyond a wall counts as one at the wall.
 * @param grid the grid
 * @param position [3], m, finite
 * @param weights out
 * @param error message on failure, or NULL
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE, _UNKNOWN (kernel, boundary), _STRUCT_SIZE, _STATE
 * (the Gaussian) */
DEM_API dem_status dem_deposition_weights_of(const dem_deposition_grid *grid,
                                             const double position[3],
                                             dem_deposition_weights *weights, dem_error *error);

/** Adds values of particles to cells.
 * @param grid the grid
 * @param count number of particles
 * @param position of the first one, [3], m, finite
 * @param position_stride bytes from one to the next
 * @param value of the first one, [components], such as volume or mass times velocity; finite
 * @param value_stride bytes from one to the next
 * @param components numbers of a value and of a cell, > 0
 * @param cells in and out: [number of cells][components]
 * @param error message on failure, or NULL; cells are as they were then
 * @return as dem_deposition_weights_of, but for _STATE */
DEM_API dem_status dem_deposit(const dem_deposition_grid *grid, uint64_t count,
                               const double *position, uint64_t position_stride,
                               const double *value, uint64_t value_stride, uint64_t components,
                               double *cells, dem_error *error);

/** Reads a field of cells at the particles. A cell whose number is not finite gives one that is not
 * to the particles that have a part of it, and nothing to those whose weight there is 0.
 * @param grid the grid
 * @param count number of particles
 * @param position of the first one, [3], m, finite
 * @param position_stride bytes from one to the next
 * @param cells [number of cells][components]
 * @param components numbers of a cell and of a value, > 0
 * @param value out: of the first one, [components]
 * @param value_stride bytes from one to the next
 * @param error message on failure, or NULL; values are as they were then
 * @return as dem_deposition_weights_of, but for _STATE */
DEM_API dem_status dem_interpolate(const dem_deposition_grid *grid, uint64_t count,
                                   const double *position, uint64_t position_stride,
                                   const double *cells, uint64_t components, double *value,
                                   uint64_t value_stride, dem_error *error);

/** Adds values of particles to cells of any grid, with weights that you give, such as the cell's
 * volume times a function of the distance. Each particle's weights are divided by their sum, so
 * that sums over cells are sums over particles.
 * @param count number of particles
 * @param begin [count + 1]: those of particle k are the weights begin[k] to begin[k + 1] - 1
 * @param cell of each weight, below cell_count
 * @param weight finite, >= 0, with a sum of at least 2.3e-308 for each particle
 * @param cell_count number of cells
 * @param value of the first one, [components]; finite
 * @param value_stride bytes from one to the next
 * @param components numbers of a value and of a cell, > 0
 * @param cells in and out: [cell_count][components]
 * @param error message on failure, or NULL; cells are as they were then
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE */
DEM_API dem_status dem_deposit_given(uint64_t count, const uint64_t *begin, const uint64_t *cell,
                                     const double *weight, uint64_t cell_count, const double *value,
                                     uint64_t value_stride, uint64_t components, double *cells,
                                     dem_error *error);

/** Reads a field of cells at the particles, with the weights of dem_deposit_given. The number of a
 * cell with the weight 0 is not used.
 * @param count number of particles
 * @param begin [count + 1]
 * @param cell of each weight, below cell_count
 * @param weight finite, >= 0, with a sum of at least 2.3e-308 for each particle
 * @param cell_count number of cells
 * @param cells [cell_count][components]
 * @param components numbers of a cell and of a value, > 0
 * @param value out: of the first one, [components]
 * @param value_stride bytes from one to the next
 * @param error message on failure, or NULL; values are as they were then
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE */
DEM_API dem_status dem_interpolate_given(uint64_t count, const uint64_t *begin,
                                         const uint64_t *cell, const double *weight,
                                         uint64_t cell_count, const double *cells,
                                         uint64_t components, double *value, uint64_t value_stride,
                                         dem_error *error);

/** The fullest cell: the largest ratio of the particles' volume to that of the cell. It may be
 * above 1: nothing is clipped.
 * @param count number of cells, > 0
 * @param solid of the first cell: the volume that dem_deposit or dem_deposit_given put there, m^3;
 *  finite
 * @param solid_stride bytes from one to the next
 * @param volume of the first cell, > 0, m^3
 * @param volume_stride bytes from one to the next; 0: all cells have the same
 * @param cell out: the first one that has the largest ratio; NULL: not asked for
 * @param fraction out: the ratio; INFINITY where it is beyond the range of doubles
 * @param error message on failure, or NULL; nothing is written then
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE */
DEM_API dem_status dem_deposition_fraction_most(uint64_t count, const double *solid,
                                                uint64_t solid_stride, const double *volume,
                                                uint64_t volume_stride, uint64_t *cell,
                                                double *fraction, dem_error *error);

/** The drag coefficient for the velocity of the fluid that the particle itself disturbs (Horwitz
 * and Mani 2016; Ireland and Desjardins 2017): beta/(1 - K beta/(6 pi mu h)). With Stokes' drag and
 * no correction a particle of diameter d settles 1 + K d/(2 h) times as fast as it
 * should.
 *
 * | kernel, both ways | K |
 * |---|---|
 * | nearest cell | 3.18 |
 * | linear | 1.63; 90 % of places 1.2 to 2.3, 3.2 at the centre of a cell |
 * | quadratic | 1.25; 1.13 to 1.34 |
 * | Gaussian of deviation s | h/(sqrt(pi) s) |
 *
 * The first three were measured on a grid of cubes; a solver of yours may have others.
 * @param coefficient beta >= 0, kg/s
 * @param constant K >= 0, of your solver and kernel
 * @param viscosity mu > 0, of the fluid, Pa s
 * @param cell h > 0, the edge of a cell, m
 * @param corrected out: what to write into DEM_FIELD_DRAG_COEFFICIENT, kg/s
 * @param error message on failure, or NULL; nothing is written then
 * @return DEM_OK, DEM_ERROR_ARGUMENT, _RANGE: also where K beta/(6 pi mu h) is above 1/2, since
 * what you interpolate is then mostly the disturbance: take larger cells or a wider kernel */
DEM_API dem_status dem_deposition_undisturbed(double coefficient, double constant, double viscosity,
                                              double cell, double *corrected, dem_error *error);

#ifdef __cplusplus
}
#endif
#endif
