/* SPDX-License-Identifier: MIT */
/* Particles onto cells and back. Weights are products of those along the three axes. */
#include "base/check.h"
#include "base/context.h"
#include "base/entry.h"
#include "base/sized.h"

#include <dem/deposition.h>

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

/* Cells along one axis and their weights. */
typedef struct axis_weights {
    int64_t cell[3];
    double weight[3];
    int count;
} axis_weights;

/* The cell that stands for one beyond an end. */
static int64_t cell_inside(const dem_deposition_grid *grid, int c, int64_t cell)
{
    const int64_t cells = grid->cells[c];
    if (grid->boundary[c] == DEM_DEPOSITION_PERIODIC)
        return (cell % cells + cells) % cells;
    const int64_t mirror = cell < 0 ? -1 - cell : cell >= cells ? 2 * cells - 1 - cell : cell;
    return mirror < 0 ? 0 : mirror >= cells ? cells - 1 : mirror;
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

static void axis_of(const dem_deposition_grid *grid, int c, double x, axis_weights *axis)
{
    const double s = cell_coordinate(grid, c, x),
                 first = floor(grid->kernel == DEM_DEPOSITION_LINEAR ? s - 0.5 : s);
    const double d = s - 0.5 - first; /* from the centre of the first cell, or of the nearest */
    axis->cell[0] = (int64_t)first;
    axis->weight[0] = 1.0;
    axis->count = grid->kernel + 1;
    if (grid->kernel == DEM_DEPOSITION_LINEAR) {
        axis->weight[1] = d;
        axis->weight[0] = 1.0 - d;
        axis->cell[1] = axis->cell[0] + 1;
    } else if (grid->kernel == DEM_DEPOSITION_QUADRATIC) {
        axis->weight[1] = 0.5 * (0.5 - d) * (0.5 - d);
        axis->weight[2] = 0.5 * (0.5 + d) * (0.5 + d);
        axis->weight[0] = 1.0 - axis->weight[1] - axis->weight[2];
        axis->cell[1] = axis->cell[0] - 1;
        axis->cell[2] = axis->cell[0] + 1;
    }
    for (int k = 0; k < axis->count; ++k)
        axis->cell[k] = cell_inside(grid, c, axis->cell[k]);
}

static void weights_of(const dem_deposition_grid *grid, const double position[3],
                       dem_deposition_weights *weights)
{
    axis_weights axis[3];
    for (int c = 0; c < 3; ++c)
        axis_of(grid, c, position[c], &axis[c]);
    uint64_t n = 0;
    for (int k = 0; k < axis[2].count; ++k)
        for (int j = 0; j < axis[1].count; ++j)
            for (int i = 0; i < axis[0].count; ++i, ++n) {
                const int64_t layer = axis[1].cell[j] + grid->cells[1] * axis[2].cell[k];
                weights->cell[n] = (uint64_t)(axis[0].cell[i] + grid->cells[0] * layer);
                weights->weight[n] = axis[0].weight[i] * (axis[1].weight[j] * axis[2].weight[k]);
            }
    weights->count = n;
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
    DEMI_REFUSE(grid->kernel < DEM_DEPOSITION_NEAREST || grid->kernel > DEM_DEPOSITION_QUADRATIC,
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

static const double *row_of(const double *first, uint64_t stride, uint64_t k)
{
    return (const double *)(const void *)((const unsigned char *)(const void *)first + k * stride);
}

static double *row_to(double *first, uint64_t stride, uint64_t k)
{
    return (double *)(void *)((unsigned char *)(void *)first + k * stride);
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
    for (uint64_t k = 0; k < count; ++k)
        DEMI_REFUSE(!demi_finite3(row_of(position, stride, k)), DEM_ERROR_RANGE,
                    "position of row %llu: must be finite", (unsigned long long)k);
    return DEM_OK;
}

/* ------------------------------------------------------------------ calls */

DEMI_GUARDED guarded_weights_of(const dem_deposition_grid *grid, const double position[3],
                                dem_deposition_weights *weights, dem_error *error)
{
    dem_deposition_grid own;
    dem_status status = grid_check(grid, &own, error);
    if (status != DEM_OK)
        return status;
    DEMI_REFUSE(position == NULL || weights == NULL, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                position == NULL ? "position" : "weights");
    DEMI_REFUSE(!demi_finite3(position), DEM_ERROR_RANGE, "position: must be finite");
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
    dem_deposition_grid own;
    dem_status status = grid_check(grid, &own, error);
    if (status == DEM_OK)
        status = rows_check(count, position, position_stride, cells, value, components, error);
    for (uint64_t k = 0; status == DEM_OK && k < count; ++k) {
        dem_deposition_weights w;
        weights_of(&own, row_of(position, position_stride, k), &w);
        const double *from = row_of(value, value_stride, k);
        for (uint64_t n = 0; n < w.count; ++n)
            for (uint64_t c = 0; c < components; ++c)
                cells[w.cell[n] * components + c] += w.weight[n] * from[c];
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
    dem_deposition_grid own;
    dem_status status = grid_check(grid, &own, error);
    if (status == DEM_OK)
        status = rows_check(count, position, position_stride, cells, value, components, error);
    for (uint64_t k = 0; status == DEM_OK && k < count; ++k) {
        dem_deposition_weights w;
        weights_of(&own, row_of(position, position_stride, k), &w);
        double *to = row_to(value, value_stride, k);
        for (uint64_t c = 0; c < components; ++c) {
            double sum = 0.0;
            for (uint64_t n = 0; n < w.count; ++n)
                sum += w.weight[n] * cells[w.cell[n] * components + c];
            to[c] = sum;
        }
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

/* ------------------------------------------------------------------ weights of the host */

/* Weights of the host, and cells of whatever grid. */
typedef struct given_weights {
    uint64_t count;
    const uint64_t *begin, *cell;
    const double *weight;
    uint64_t cell_count;
} given_weights;

static double weights_sum(const given_weights *given, uint64_t k)
{
    double sum = 0.0;
    for (uint64_t n = given->begin[k]; n < given->begin[k + 1]; ++n)
        sum += given->weight[n];
    return sum;
}

static dem_status given_row_check(const given_weights *given, uint64_t k, dem_error *error)
{
    DEMI_REFUSE(given->begin[k] > given->begin[k + 1], DEM_ERROR_RANGE,
                "begin of row %llu: it is above the next one", (unsigned long long)k);
    for (uint64_t n = given->begin[k]; n < given->begin[k + 1]; ++n) {
        DEMI_REFUSE(given->cell[n] >= given->cell_count, DEM_ERROR_RANGE,
                    "cell[%llu]: %llu is not below cell_count %llu", (unsigned long long)n,
                    (unsigned long long)given->cell[n], (unsigned long long)given->cell_count);
        DEMI_REFUSE(!demi_not_negative(given->weight[n]), DEM_ERROR_RANGE,
                    "weight[%llu]: %g must be finite and >= 0", (unsigned long long)n,
                    given->weight[n]);
    }
    const double sum = weights_sum(given, k);
    DEMI_REFUSE(!demi_positive(sum), DEM_ERROR_RANGE,
                "weight of row %llu: the sum %g must be finite and > 0", (unsigned long long)k,
                sum);
    return DEM_OK;
}

static dem_status given_check(const given_weights *given, const double *cells, const double *value,
                              uint64_t components, dem_error *error)
{
    DEMI_REFUSE(given->count > 0 && (given->begin == NULL || given->cell == NULL ||
                                     given->weight == NULL || cells == NULL || value == NULL),
                DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                given->begin == NULL    ? "begin"
                : given->cell == NULL   ? "cell"
                : given->weight == NULL ? "weight"
                : cells == NULL         ? "cells"
                                        : "value");
    DEMI_REFUSE(components == 0, DEM_ERROR_RANGE, "components: must be > 0");
    dem_status status = DEM_OK;
    for (uint64_t k = 0; status == DEM_OK && k < given->count; ++k)
        status = given_row_check(given, k, error);
    return status;
}

DEMI_GUARDED guarded_deposit_given(const given_weights *given, const double *value,
                                   uint64_t value_stride, uint64_t components, double *cells,
                                   dem_error *error)
{
    const dem_status status = given_check(given, cells, value, components, error);
    for (uint64_t k = 0; status == DEM_OK && k < given->count; ++k) {
        const double scale = 1.0 / weights_sum(given, k);
        const double *from = row_of(value, value_stride, k);
        for (uint64_t n = given->begin[k]; n < given->begin[k + 1]; ++n)
            for (uint64_t c = 0; c < components; ++c)
                cells[given->cell[n] * components + c] += scale * given->weight[n] * from[c];
    }
    return status;
}

dem_status dem_deposit_given(uint64_t count, const uint64_t *begin, const uint64_t *cell,
                             const double *weight, uint64_t cell_count, const double *value,
                             uint64_t value_stride, uint64_t components, double *cells,
                             dem_error *error)
{
    const given_weights given = {count, begin, cell, weight, cell_count};
    DEMI_QUIET(guarded_deposit_given(&given, value, value_stride, components, cells, error));
}

DEMI_GUARDED guarded_interpolate_given(const given_weights *given, const double *cells,
                                       uint64_t components, double *value, uint64_t value_stride,
                                       dem_error *error)
{
    const dem_status status = given_check(given, cells, value, components, error);
    for (uint64_t k = 0; status == DEM_OK && k < given->count; ++k) {
        const double scale = 1.0 / weights_sum(given, k);
        double *to = row_to(value, value_stride, k);
        for (uint64_t c = 0; c < components; ++c) {
            double sum = 0.0;
            for (uint64_t n = given->begin[k]; n < given->begin[k + 1]; ++n)
                sum += scale * given->weight[n] * cells[given->cell[n] * components + c];
            to[c] = sum;
        }
    }
    return status;
}

dem_status dem_interpolate_given(uint64_t count, const uint64_t *begin, const uint64_t *cell,
                                 const double *weight, uint64_t cell_count, const double *cells,
                                 uint64_t components, double *value, uint64_t value_stride,
                                 dem_error *error)
{
    const given_weights given = {count, begin, cell, weight, cell_count};
    DEMI_QUIET(guarded_interpolate_given(&given, cells, components, value, value_stride, error));
}
