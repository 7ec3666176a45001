/* SPDX-License-Identifier: MIT */
/* Particles onto cells and back. Weights are products of those along the three axes. */
#include "base/check.h"
#include "base/context.h"
#include "base/entry.h"
#include "base/sized.h"

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

static const double *row_of(const double *first, uint64_t stride, uint64_t k)
{
    return (const double *)(const void *)((const unsigned char *)(const void *)first + k * stride);
}

static double *row_to(double *first, uint64_t stride, uint64_t k)
{
    return (double *)(void *)((unsigned char *)(void *)first + k * stride);
}

/* Whether rows of so many doubles follow each other; or one row is there for all of them. */
static dem_status stride_check(const char *what, uint64_t count, uint64_t stride, uint64_t doubles,
                               int one_for_all, dem_error *error)
{
    const int follow = stride % sizeof(double) == 0 && stride / sizeof(double) >= doubles;
    DEMI_REFUSE(count > 0 && !follow && !(one_for_all && stride == 0), DEM_ERROR_RANGE,
                "%s_stride: %llu is %s a multiple of 8 that is at least 8 times %llu bytes", what,
                (unsigned long long)stride, one_for_all ? "neither 0 nor" : "not",
                (unsigned long long)doubles);
    return DEM_OK;
}

enum { ONE_EACH = 0, ONE_FOR_ALL = 1 };

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
    const dem_status status = stride_check("position", count, stride, 3, ONE_EACH, error);
    for (uint64_t k = 0; status == DEM_OK && k < count; ++k) {
        const double *x = row_of(position, stride, k);
        DEMI_REFUSE(!demi_finite3(x), DEM_ERROR_RANGE,
                    "position of row %llu: (%g, %g, %g) must be finite", (unsigned long long)k,
                    x[0], x[1], x[2]);
    }
    return status;
}

/* What is added to cells that hold what others gave. */
static dem_status values_check(uint64_t count, const double *value, uint64_t stride,
                               uint64_t components, dem_error *error)
{
    for (uint64_t k = 0; k < count; ++k)
        for (uint64_t c = 0; c < components; ++c) {
            const double number = row_of(value, stride, k)[c];
            DEMI_REFUSE(!isfinite(number), DEM_ERROR_RANGE,
                        "value[%llu] of row %llu: %g must be finite", (unsigned long long)c,
                        (unsigned long long)k, number);
        }
    return DEM_OK;
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

static double row_interpolate(cell_rows *rows, const double *cells, uint64_t components)
{
    const axis_weights *x = &rows->axis[0];
    int64_t first;
    double across, sum = 0.0;
    rows->j = rows->k = 0;
    while (cell_row_next(rows, &first, &across))
        for (int i = 0; i < x->count; ++i) {
            const double weight = x->weight[i] * across;
            if (weight != 0.0) /* else the cell need not be finite */
                sum += weight * cells[(uint64_t)(first + x->cell[i]) * components];
        }
    return sum;
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
        status = stride_check("value", count, value_stride, components, ONE_FOR_ALL, error);
    if (status == DEM_OK)
        status = values_check(count, value, value_stride, components, error);
    for (uint64_t k = 0; status == DEM_OK && k < count; ++k) {
        cell_rows rows;
        cell_rows_of(&own, row_of(position, position_stride, k), &rows);
        row_deposit(&rows, row_of(value, value_stride, k), components, cells);
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
        status = stride_check("value", count, value_stride, components, ONE_EACH, error);
    for (uint64_t k = 0; status == DEM_OK && k < count; ++k) {
        cell_rows rows;
        cell_rows_of(&own, row_of(position, position_stride, k), &rows);
        double *to = row_to(value, value_stride, k);
        for (uint64_t c = 0; c < components; ++c)
            to[c] = row_interpolate(&rows, cells + c, components);
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
                "begin of row %llu: %llu is above the next one, %llu", (unsigned long long)k,
                (unsigned long long)given->begin[k], (unsigned long long)given->begin[k + 1]);
    for (uint64_t n = given->begin[k]; n < given->begin[k + 1]; ++n) {
        DEMI_REFUSE(given->cell[n] >= given->cell_count, DEM_ERROR_RANGE,
                    "cell[%llu]: %llu is not below cell_count %llu", (unsigned long long)n,
                    (unsigned long long)given->cell[n], (unsigned long long)given->cell_count);
        DEMI_REFUSE(!demi_not_negative(given->weight[n]), DEM_ERROR_RANGE,
                    "weight[%llu]: %g must be finite and >= 0", (unsigned long long)n,
                    given->weight[n]);
    }
    const double sum = weights_sum(given, k);
    DEMI_REFUSE(!isfinite(sum) || !(sum >= DBL_MIN), DEM_ERROR_RANGE,
                "weight of row %llu: the sum %g must be finite and at least %g",
                (unsigned long long)k, sum, DBL_MIN);
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
    dem_status status = given_check(given, cells, value, components, error);
    if (status == DEM_OK)
        status = stride_check("value", given->count, value_stride, components, ONE_FOR_ALL, error);
    if (status == DEM_OK)
        status = values_check(given->count, value, value_stride, components, error);
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
    dem_status status = given_check(given, cells, value, components, error);
    if (status == DEM_OK)
        status = stride_check("value", given->count, value_stride, components, ONE_EACH, error);
    for (uint64_t k = 0; status == DEM_OK && k < given->count; ++k) {
        const double scale = 1.0 / weights_sum(given, k);
        double *to = row_to(value, value_stride, k);
        for (uint64_t c = 0; c < components; ++c) {
            double sum = 0.0;
            for (uint64_t n = given->begin[k]; n < given->begin[k + 1]; ++n)
                if (given->weight[n] != 0.0) /* else the cell need not be finite */
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

/* ------------------------------------------------------------------ solid fraction, drag */

DEMI_GUARDED guarded_fraction_most(uint64_t count, const double *solid, uint64_t solid_stride,
                                   const double *volume, uint64_t volume_stride, uint64_t *cell,
                                   double *fraction, dem_error *error)
{
    DEMI_REFUSE(solid == NULL || volume == NULL || fraction == NULL, DEM_ERROR_ARGUMENT,
                "%s: must not be NULL",
                solid == NULL    ? "solid"
                : volume == NULL ? "volume"
                                 : "fraction");
    DEMI_REFUSE(count == 0, DEM_ERROR_RANGE, "count: must be > 0");
    dem_status status = stride_check("solid", count, solid_stride, 1, ONE_EACH, error);
    if (status == DEM_OK)
        status = stride_check("volume", count, volume_stride, 1, ONE_FOR_ALL, error);
    if (status != DEM_OK)
        return status;
    double most = 0.0;
    uint64_t at = 0;
    for (uint64_t k = 0; k < count; ++k) {
        const double has = *row_of(solid, solid_stride, k),
                     room = *row_of(volume, volume_stride, k);
        DEMI_REFUSE(!isfinite(has), DEM_ERROR_RANGE, "solid of cell %llu: %g must be finite",
                    (unsigned long long)k, has);
        DEMI_REFUSE(!demi_positive(room), DEM_ERROR_RANGE,
                    "volume of cell %llu: %g m^3 must be finite and > 0", (unsigned long long)k,
                    room);
        if (k == 0 || has / room > most) {
            most = has / room;
            at = k;
        }
    }
    *fraction = most;
    if (cell != NULL)
        *cell = at;
    return DEM_OK;
}

dem_status dem_deposition_fraction_most(uint64_t count, const double *solid, uint64_t solid_stride,
                                        const double *volume, uint64_t volume_stride,
                                        uint64_t *cell, double *fraction, dem_error *error)
{
    DEMI_QUIET(guarded_fraction_most(count, solid, solid_stride, volume, volume_stride, cell,
                                     fraction, error));
}

DEMI_GUARDED guarded_undisturbed(double coefficient, double constant, double viscosity, double cell,
                                 double *corrected, dem_error *error)
{
    DEMI_REFUSE(corrected == NULL, DEM_ERROR_ARGUMENT, "corrected: must not be NULL");
    DEMI_REFUSE(!demi_not_negative(coefficient), DEM_ERROR_RANGE,
                "coefficient: %g kg/s must be finite and >= 0", coefficient);
    DEMI_REFUSE(!demi_not_negative(constant), DEM_ERROR_RANGE,
                "constant: %g must be finite and >= 0", constant);
    DEMI_REFUSE(!demi_positive(viscosity), DEM_ERROR_RANGE,
                "viscosity: %g Pa s must be finite and > 0", viscosity);
    DEMI_REFUSE(!demi_positive(cell), DEM_ERROR_RANGE, "cell: %g m must be finite and > 0", cell);
    const double least = 18.849555921538759431 * viscosity * cell;
    DEMI_REFUSE(!demi_positive(least), DEM_ERROR_RANGE,
                "viscosity: 6 pi mu h is %g N s/m with %g Pa s and the cell of %g m, and must be "
                "finite and > 0 in double precision: take other units",
                least, viscosity, cell);
    const double part = constant * coefficient / least;
    DEMI_REFUSE(
        !(part <= 0.5), DEM_ERROR_RANGE,
        "cell: K beta/(6 pi mu h) is %g with the cell of %g m, and must be at most 0.5 (take "
        "larger cells or a wider kernel)",
        part, cell);
    *corrected = coefficient / (1.0 - part);
    return DEM_OK;
}

dem_status dem_deposition_undisturbed(double coefficient, double constant, double viscosity,
                                      double cell, double *corrected, dem_error *error)
{
    DEMI_QUIET(guarded_undisturbed(coefficient, constant, viscosity, cell, corrected, error));
}
