/* SPDX-License-Identifier: MIT */
/* Particles onto cells and back. Weights are products of those along the three axes. */
#include "base/check.h"
#include "base/context.h"
#include "base/entry.h"
#include "base/isa.h"
#include "base/sized.h"
#include "coupling/rows.h"

#include <dem/deposition.h>

#include <float.h>
#include <string.h>

dem_status dem_deposition_grid_init_sized(dem_deposition_grid *grid, uint64_t size)
{
    if (grid == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_deposition_grid values = {.struct_size = sizeof values,
                                        .size = {1.0, 1.0, 1.0},
                                        .cells = {1, 1, 1},
                                        .kernel = DEM_DEPOSITION_QUADRATIC};
    return demi_sized_write(grid, size, &values);
}

/* ------------------------------------------------------------------ weights */

/* A Gaussian of 4 deviations to either side, none longer than twice an edge. */
enum { AXIS_REACH_MOST = 8, AXIS_CELLS_MOST = 2 * AXIS_REACH_MOST + 1 };

/* A grid that was checked. Along each axis the Gaussian is that of the nearest cell times
 * exp(-2 k d turn) fade[k] in the k-th cell from there, d from its centre. */
typedef struct prepared_grid {
    dem_deposition_grid grid;
    int reach[3];
    double turn[3], fade[3][AXIS_REACH_MOST + 1];
} prepared_grid;

/* Cells along one axis and their weights. */
typedef struct axis_weights {
    int64_t cell[AXIS_CELLS_MOST];
    double weight[AXIS_CELLS_MOST];
    int count;
} axis_weights;

/* The cell that stands for one beyond an end: walls are mirrors. */
static int64_t cell_inside(const dem_deposition_grid *grid, int c, int64_t cell)
{
    const int64_t cells = grid->cells[c];
    if (cell >= 0 && cell < cells)
        return cell;
    if (grid->boundary[c] == DEM_DEPOSITION_PERIODIC)
        return (cell % cells + cells) % cells;
    const int64_t round = (cell % (2 * cells) + 2 * cells) % (2 * cells);
    return round < cells ? round : 2 * cells - 1 - round;
}

/* Place along an axis in cells: within the ends. */
static double cell_coordinate(const dem_deposition_grid *grid, int c, double x)
{
    const double cells = grid->cells[c];
    double s = (x - grid->low[c]) / grid->size[c];
    if (grid->boundary[c] == DEM_DEPOSITION_PERIODIC)
        s -= floor(s / cells) * cells;
    return s > 0.0 ? (s < cells ? s : cells) : 0.0; /* also where s is not a number */
}

/* d: from the centre of the nearest cell. */
static void axis_gaussian(const prepared_grid *prepared, int c, int64_t nearest, double d,
                          axis_weights *axis)
{
    const int reach = prepared->reach[c];
    const double up = exp(2.0 * d * prepared->turn[c]), down = 1.0 / up;
    double high = 1.0, low = 1.0, sum = 1.0;
    axis->count = 2 * reach + 1;
    axis->weight[reach] = 1.0;
    axis->cell[reach] = nearest;
    for (int k = 1; k <= reach; ++k) {
        high *= up;
        low *= down;
        axis->weight[reach + k] = high * prepared->fade[c][k];
        axis->weight[reach - k] = low * prepared->fade[c][k];
        axis->cell[reach + k] = nearest + k;
        axis->cell[reach - k] = nearest - k;
        sum += axis->weight[reach + k] + axis->weight[reach - k];
    }
    for (int k = 0; k < axis->count; ++k)
        axis->weight[k] /= sum;
}

static void axis_of(const prepared_grid *prepared, int c, double x, axis_weights *axis)
{
    const dem_deposition_grid *grid = &prepared->grid;
    const double s = cell_coordinate(grid, c, x),
                 first = floor(grid->kernel == DEM_DEPOSITION_LINEAR ? s - 0.5 : s);
    const double d = s - 0.5 - first; /* from the centre of the first cell, or of the nearest */
    axis->cell[0] = (int64_t)first;
    axis->weight[0] = 1.0;
    axis->count = 1;
    if (grid->kernel == DEM_DEPOSITION_LINEAR) {
        axis->count = 2;
        axis->weight[1] = d;
        axis->weight[0] = 1.0 - d;
        axis->cell[1] = axis->cell[0] + 1;
    } else if (grid->kernel == DEM_DEPOSITION_QUADRATIC) {
        axis->count = 3;
        axis->weight[1] = 0.5 * (0.5 - d) * (0.5 - d);
        axis->weight[2] = 0.5 * (0.5 + d) * (0.5 + d);
        axis->weight[0] = 1.0 - axis->weight[1] - axis->weight[2];
        axis->cell[1] = axis->cell[0] - 1;
        axis->cell[2] = axis->cell[0] + 1;
    } else if (grid->kernel == DEM_DEPOSITION_GAUSSIAN)
        axis_gaussian(prepared, c, (int64_t)first, d, axis);
    for (int k = 0; k < axis->count; ++k)
        axis->cell[k] = cell_inside(grid, c, axis->cell[k]);
}

/* The rows of cells that have a part of a particle, one after the other. */
typedef struct cell_rows {
    axis_weights axis[3];
    int64_t cells[2];
    int j, k; /* the next one */
} cell_rows;

static void cell_rows_of(const prepared_grid *grid, const double position[3], cell_rows *rows)
{
    for (int c = 0; c < 3; ++c)
        axis_of(grid, c, position[c], &rows->axis[c]);
    rows->cells[0] = grid->grid.cells[0];
    rows->cells[1] = grid->grid.cells[1];
    rows->j = rows->k = 0;
}

/* Whether there is one more; its first cell, and its weight across. */
static int cell_row_next(cell_rows *rows, int64_t *first, double *across)
{
    const axis_weights *y = &rows->axis[1], *z = &rows->axis[2];
    if (rows->j == y->count) {
        rows->j = 0;
        ++rows->k;
    }
    if (rows->k == z->count)
        return 0;
    *first = rows->cells[0] * (y->cell[rows->j] + rows->cells[1] * z->cell[rows->k]);
    *across = y->weight[rows->j] * z->weight[rows->k];
    ++rows->j;
    return 1;
}

/* ------------------------------------------------------------------ checks */

static dem_status grid_check(const dem_deposition_grid *given, dem_deposition_grid *grid,
                             dem_error *error)
{
    DEMI_REFUSE(given == NULL, DEM_ERROR_ARGUMENT, "grid: must not be NULL");
    memset(grid, 0, sizeof *grid);
    DEMI_REFUSE(demi_sized_read(grid, given) != DEM_OK, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE,
                "dem_deposition_grid", (unsigned long long)given->struct_size,
                "dem_deposition_grid");
    DEMI_REFUSE(grid->reserved != 0, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE,
                "dem_deposition_grid.reserved", (long long)grid->reserved, "dem_deposition_grid");
    DEMI_REFUSE(grid->kernel < DEM_DEPOSITION_NEAREST || grid->kernel > DEM_DEPOSITION_GAUSSIAN,
                DEM_ERROR_UNKNOWN, "dem_deposition_grid.kernel: %d is not a kernel of deposition",
                (int)grid->kernel);
    uint64_t cells = 1;
    for (int c = 0; c < 3; ++c) {
        DEMI_REFUSE(grid->boundary[c] != DEM_DEPOSITION_WALL &&
                        grid->boundary[c] != DEM_DEPOSITION_PERIODIC,
                    DEM_ERROR_UNKNOWN,
                    "dem_deposition_grid.boundary[%d]: %d is not DEM_DEPOSITION_WALL or _PERIODIC",
                    c, (int)grid->boundary[c]);
        DEMI_REFUSE(!isfinite(grid->low[c]) || !demi_positive(grid->size[c]), DEM_ERROR_RANGE,
                    "dem_deposition_grid.low[%d], size[%d]: %g, %g m must be finite, and size > 0",
                    c, c, grid->low[c], grid->size[c]);
        DEMI_REFUSE(grid->cells[c] < 1 || cells > (UINT64_C(1) << 48) / (uint64_t)grid->cells[c],
                    DEM_ERROR_RANGE,
                    "dem_deposition_grid.cells[%d]: %d must be > 0, and all cells at most 2^48", c,
                    (int)grid->cells[c]);
        cells *= (uint64_t)grid->cells[c];
    }
    return DEM_OK;
}

static dem_status gaussian_prepare(prepared_grid *prepared, dem_error *error)
{
    const dem_deposition_grid *grid = &prepared->grid;
    for (int c = 0; c < 3; ++c) {
        const double ratio = grid->deviation / grid->size[c];
        DEMI_REFUSE(!(ratio >= 0.25) || !(ratio <= 2.0), DEM_ERROR_RANGE,
                    "dem_deposition_grid.deviation: %g m must be from 0.25 to 2 times size[%d], "
                    "%g m",
                    grid->deviation, c, grid->size[c]);
        prepared->reach[c] = (int)ceil(4.0 * ratio - 0.5);
        prepared->turn[c] = 0.5 / (ratio * ratio);
        for (int k = 0; k <= prepared->reach[c]; ++k)
            prepared->fade[c][k] = exp(-prepared->turn[c] * k * k);
    }
    return DEM_OK;
}

static dem_status grid_prepare(const dem_deposition_grid *given, prepared_grid *prepared,
                               dem_error *error)
{
    const dem_status status = grid_check(given, &prepared->grid, error);
    if (status != DEM_OK || prepared->grid.kernel != DEM_DEPOSITION_GAUSSIAN)
        return status;
    return gaussian_prepare(prepared, error);
}

static dem_status rows_check(uint64_t count, const double *position, uint64_t stride,
                             const double *cells, const double *value, uint64_t components,
                             dem_error *error)
{
    DEMI_REFUSE(count > 0 && (position == NULL || cells == NULL || value == NULL),
                DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                position == NULL ? "position"
                : cells == NULL  ? "cells"
                                 : "value");
    DEMI_REFUSE(components == 0, DEM_ERROR_RANGE, "components: must be > 0");
    const dem_status status = demi_stride_check("position", count, stride, 3, DEMI_ONE_EACH, error);
    for (uint64_t k = 0; status == DEM_OK && k < count; ++k) {
        const double *x = demi_row_from(position, stride, k);
        DEMI_REFUSE(!demi_finite3(x), DEM_ERROR_RANGE,
                    "position of row %llu: (%g, %g, %g) must be finite", (unsigned long long)k,
                    x[0], x[1], x[2]);
    }
    return status;
}

/* ------------------------------------------------------------------ one particle */

static void weights_of(const prepared_grid *grid, const double position[3],
                       dem_deposition_weights *weights)
{
    cell_rows rows;
    int64_t first;
    double across;
    uint64_t n = 0;
    cell_rows_of(grid, position, &rows);
    while (cell_row_next(&rows, &first, &across))
        for (int i = 0; i < rows.axis[0].count; ++i, ++n) {
            weights->cell[n] = (uint64_t)(first + rows.axis[0].cell[i]);
            weights->weight[n] = rows.axis[0].weight[i] * across;
        }
    weights->count = n;
}

static void row_deposit(cell_rows *rows, const double *value, uint64_t components, double *cells)
{
    const axis_weights *x = &rows->axis[0];
    int64_t first;
    double across;
    while (cell_row_next(rows, &first, &across))
        for (int i = 0; i < x->count; ++i) {
            const double weight = x->weight[i] * across;
            double *cell = &cells[(uint64_t)(first + x->cell[i]) * components];
            for (uint64_t c = 0; c < components; ++c)
                cell[c] += weight * value[c];
        }
}

enum { COMPONENTS_AT_ONCE = 4 };

/* Reads so many of the components of cells, at most COMPONENTS_AT_ONCE. */
static DEMI_INLINE void row_interpolate(cell_rows *rows, const double *cells, uint64_t components,
                                        uint64_t count, double *value)
{
    const axis_weights *x = &rows->axis[0];
    int64_t first;
    double across, sum[COMPONENTS_AT_ONCE] = {0.0};
    rows->j = rows->k = 0;
    while (cell_row_next(rows, &first, &across))
        for (int i = 0; i < x->count; ++i) {
            const double weight = x->weight[i] * across;
            const double *cell = &cells[(uint64_t)(first + x->cell[i]) * components];
            if (weight == 0.0) /* then the cell need not be finite */
                continue;
#pragma GCC unroll 4
            for (uint64_t c = 0; c < count; ++c)
                sum[c] += weight * cell[c];
        }
#pragma GCC unroll 4
    for (uint64_t c = 0; c < count; ++c)
        value[c] = sum[c];
}

static void row_interpolate_all(cell_rows *rows, const double *cells, uint64_t components,
                                double *value)
{
    uint64_t c = 0;
    for (; c + 3 < components; c += 4)
        row_interpolate(rows, cells + c, components, 4, value + c);
    if (components - c == 3)
        row_interpolate(rows, cells + c, components, 3, value + c);
    else if (components - c == 2)
        row_interpolate(rows, cells + c, components, 2, value + c);
    else if (components - c == 1)
        row_interpolate(rows, cells + c, components, 1, value + c);
}

/* ------------------------------------------------------------------ calls */

DEMI_GUARDED guarded_weights_of(const dem_deposition_grid *grid, const double position[3],
                                dem_deposition_weights *weights, dem_error *error)
{
    prepared_grid own;
    dem_status status = grid_prepare(grid, &own, error);
    if (status != DEM_OK)
        return status;
    DEMI_REFUSE(position == NULL || weights == NULL, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                position == NULL ? "position" : "weights");
    DEMI_REFUSE(!demi_finite3(position), DEM_ERROR_RANGE, "position: (%g, %g, %g) must be finite",
                position[0], position[1], position[2]);
    DEMI_REFUSE(own.grid.kernel == DEM_DEPOSITION_GAUSSIAN, DEM_ERROR_STATE,
                "dem_deposition_grid.kernel: the Gaussian has more than %d cells: call dem_deposit "
                "and dem_interpolate",
                DEM_DEPOSITION_CELLS_MOST);
    weights_of(&own, position, weights);
    return DEM_OK;
}

dem_status dem_deposition_weights_of(const dem_deposition_grid *grid, const double position[3],
                                     dem_deposition_weights *weights, dem_error *error)
{
    DEMI_QUIET(guarded_weights_of(grid, position, weights, error));
}

DEMI_GUARDED guarded_deposit(const dem_deposition_grid *grid, uint64_t count,
                             const double *position, uint64_t position_stride, const double *value,
                             uint64_t value_stride, uint64_t components, double *cells,
                             dem_error *error)
{
    prepared_grid own;
    dem_status status = grid_prepare(grid, &own, error);
    if (status == DEM_OK)
        status = rows_check(count, position, position_stride, cells, value, components, error);
    if (status == DEM_OK)
        status =
            demi_stride_check("value", count, value_stride, components, DEMI_ONE_FOR_ALL, error);
    if (status == DEM_OK)
        status = demi_values_check(count, value, value_stride, components, error);
    for (uint64_t k = 0; status == DEM_OK && k < count; ++k) {
        cell_rows rows;
        cell_rows_of(&own, demi_row_from(position, position_stride, k), &rows);
        row_deposit(&rows, demi_row_from(value, value_stride, k), components, cells);
    }
    return status;
}

dem_status dem_deposit(const dem_deposition_grid *grid, uint64_t count, const double *position,
                       uint64_t position_stride, const double *value, uint64_t value_stride,
                       uint64_t components, double *cells, dem_error *error)
{
    DEMI_QUIET(guarded_deposit(grid, count, position, position_stride, value, value_stride,
                               components, cells, error));
}

DEMI_GUARDED guarded_interpolate(const dem_deposition_grid *grid, uint64_t count,
                                 const double *position, uint64_t position_stride,
                                 const double *cells, uint64_t components, double *value,
                                 uint64_t value_stride, dem_error *error)
{
    prepared_grid own;
    dem_status status = grid_prepare(grid, &own, error);
    if (status == DEM_OK)
        status = rows_check(count, position, position_stride, cells, value, components, error);
    if (status == DEM_OK)
        status = demi_stride_check("value", count, value_stride, components, DEMI_ONE_EACH, error);
    for (uint64_t k = 0; status == DEM_OK && k < count; ++k) {
        cell_rows rows;
        cell_rows_of(&own, demi_row_from(position, position_stride, k), &rows);
        row_interpolate_all(&rows, cells, components, demi_row_to(value, value_stride, k));
    }
    return status;
}

dem_status dem_interpolate(const dem_deposition_grid *grid, uint64_t count, const double *position,
                           uint64_t position_stride, const double *cells, uint64_t components,
                           double *value, uint64_t value_stride, dem_error *error)
{
    DEMI_QUIET(guarded_interpolate(grid, count, position, position_stride, cells, components, value,
                                   value_stride, error));
}
