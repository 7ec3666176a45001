/* SPDX-License-Identifier: MIT */
/* Order in space: the grid of a rebuild, and particles sorted by its cells. */
#include "base/parallel.h"
#include "world/list.h"

#include <math.h>
#include <string.h>

/* Position inside the box, and the image that goes with it. */
static void wrapped(const demi_list_build *b, uint64_t row, double position[3], int32_t image[3])
{
    const dem_world *w = b->w;
    memcpy(position, demi_rows(&w->position[w->front])[row], 3 * sizeof(double));
    memcpy(image, demi_bodies(w)[row].image, 3 * sizeof(int32_t));
    for (int c = 0; c < 3; ++c) {
        if (position[c] >= b->inside[0][c] && position[c] < b->inside[1][c])
            continue;
        const double low = w->config.box_low[c], length = w->config.box_high[c] - low;
        const double periods = floor((position[c] - low) / length);
        if (periods == 0.0 || fabs(periods) > 1e9)
            continue;
        position[c] -= periods * length;
        image[c] += (int32_t)periods;
    }
}

/* Widest gap at which any pair of the world acts. */
static double widest_reach(const dem_world *w, double radius)
{
    double reach = 0.0;
    for (int32_t a = 0; a < w->models.material_count; ++a)
        for (int32_t b = a; b < w->models.material_count; ++b) {
            const demi_model *model = demi_models_get(&w->models, a, b);
            const double own = model != NULL ? demi_model_reach(model, radius, 0.0) : 0.0;
            reach = own > reach ? own : reach;
        }
    return reach;
}

/* Box for the grid: the periodic box, or on open axes where the particles are. Few that flew far
 * away must not make the cells useless, so the box ends four standard deviations from the mean. */
static void grid_box(const demi_list_build *b, double cutoff, double low[3], double high[3])
{
    const dem_world *w = b->w;
    for (int c = 0; c < 3; ++c) {
        low[c] = w->config.box_low[c];
        high[c] = w->config.box_high[c];
        if (w->config.boundary[c] == DEM_BOUNDARY_PERIODIC)
            continue;
        double sum = 0.0, square = 0.0;
        low[c] = high[c] = 0.0;
        uint64_t n = 0;
        for (uint64_t row = 0; row < w->rows; ++row) {
            if (demi_bodies(w)[row].id == 0)
                continue;
            const double x = demi_rows(&w->position[w->front])[row][c];
            if (n == 0 || x < low[c])
                low[c] = x;
            if (n == 0 || x > high[c])
                high[c] = x;
            sum += x;
            n++;
        }
        if (n == 0) {
            high[c] = cutoff;
            continue;
        }
        const double mean = sum / (double)n;
        for (uint64_t row = 0; row < w->rows; ++row)
            if (demi_bodies(w)[row].id != 0) {
                const double x = demi_rows(&w->position[w->front])[row][c] - mean;
                square += x * x;
            }
        const double far = 4.0 * sqrt(square / (double)n) + cutoff;
        low[c] = low[c] > mean - far ? low[c] : mean - far;
        high[c] = high[c] < mean + far ? high[c] : mean + far;
        /* at least a cell, and every coordinate strictly inside */
        if (!(high[c] - low[c] > cutoff))
            high[c] = low[c] + cutoff;
    }
}

dem_status demi_list_grid(demi_list_build *b, double motion)
{
    dem_world *w = b->w;
    double smallest = 0.0, largest = 0.0;
    for (uint64_t row = 0; row < w->rows; ++row) {
        if (demi_bodies(w)[row].id == 0)
            continue;
        const double r = demi_rows(&w->position[w->front])[row][3];
        if (b->rows++ == 0)
            smallest = largest = r;
        smallest = r < smallest ? r : smallest;
        largest = r > largest ? r : largest;
    }
    const double reach = widest_reach(w, largest);
    b->reach = reach;
    b->largest = largest;
    b->skin = w->config.skin > 0.0 ? w->config.skin : 0.2 * smallest;
    /* where one step moves far, the list must look further ahead */
    if (b->skin < 2.0 * motion)
        b->skin = 2.0 * motion;
    int periodic[3];
    for (int c = 0; c < 3; ++c) {
        periodic[c] = w->config.boundary[c] == DEM_BOUNDARY_PERIODIC;
        b->inside[0][c] = periodic[c] ? w->config.box_low[c] : -INFINITY;
        b->inside[1][c] = periodic[c] ? w->config.box_high[c] : INFINITY;
        const double length = w->config.box_high[c] - w->config.box_low[c];
        const double spare = length - 2.0 * largest - reach;
        if (!periodic[c] || spare >= b->skin)
            continue;
        if (!(spare > motion))
            return demi_fail(b->context, DEM_ERROR_RANGE,
                             "world: periodic axis %d is %g m long, too short for the largest "
                             "diameter %g m with reach %g m and a motion of %g m in a step",
                             c, length, 2.0 * largest, reach, motion);
        b->skin = spare;
    }
    const double cutoff = b->rows > 0 ? 2.0 * largest + reach + b->skin : 1.0;
    b->cutoff = cutoff;
    double low[3], high[3];
    grid_box(b, cutoff, low, high);
    demi_grid_choose(&b->grid, low, high, periodic, cutoff, (int64_t)(2 * b->rows + 64));
    return DEM_OK;
}

/* Rows that one task of a parallel loop over rows takes. */
enum { ROWS_TASK = 1024 };

static uint64_t rows_tasks(uint64_t rows)
{
    return (rows + ROWS_TASK - 1) / ROWS_TASK;
}

static uint64_t rows_end(uint64_t task, uint64_t rows)
{
    return (task + 1) * ROWS_TASK < rows ? (task + 1) * ROWS_TASK : rows;
}

static void cells_find(void *argument, uint64_t task)
{
    const demi_list_build *b = argument;
    const dem_world *w = b->w;
    uint32_t *cell_of = w->scratch_cell_of.data;
    const uint64_t end = rows_end(task, w->rows);
    for (uint64_t row = task * ROWS_TASK; row < end; ++row) {
        double x[3];
        int32_t image[3];
        int64_t at[3];
        wrapped(b, row, x, image);
        demi_grid_at(&b->grid, x, at);
        cell_of[row] = (uint32_t)demi_grid_number(&b->grid, at);
    }
}

/* Counting sort by cell; ties keep their order. scratch_order: new row -> old row. */
dem_status demi_list_sort(demi_list_build *b)
{
    dem_world *w = b->w;
    const uint64_t cells = (uint64_t)demi_grid_cells(&b->grid);
    dem_status status = demi_list_room(b, &w->scratch_order, (w->rows + 1) * sizeof(uint32_t), 0);
    if (status == DEM_OK)
        status = demi_list_room(b, &w->scratch_cell_of, (w->rows + 1) * sizeof(uint32_t), 0);
    if (status == DEM_OK)
        status = demi_list_room(b, &w->scratch_cell, (cells + 2) * sizeof(uint32_t), 0);
    if (status == DEM_OK)
        status = demi_list_room(b, &w->scratch_axis,
                                demi_grid_axes_count(&b->grid) * sizeof(demi_grid_axis), 0);
    if (status != DEM_OK)
        return status;
    demi_grid_axes(&b->grid, w->scratch_axis.data);
    uint32_t *cell_of = w->scratch_cell_of.data, *begin = w->scratch_cell.data;
    uint32_t *order = w->scratch_order.data;
    memset(begin, 0, (size_t)(cells + 2) * sizeof(uint32_t));
    demi_parallel(&w->config.executor, cells_find, b, rows_tasks(w->rows));
    for (uint64_t row = 0; row < w->rows; ++row)
        if (demi_bodies(w)[row].id != 0)
            begin[cell_of[row] + 2]++;
    for (uint64_t k = 2; k < cells + 2; ++k)
        begin[k] += begin[k - 1];
    for (uint64_t row = 0; row < w->rows; ++row)
        if (demi_bodies(w)[row].id != 0)
            order[begin[cell_of[row] + 1]++] = (uint32_t)row;
    b->cell_begin = begin;
    return DEM_OK;
}

static void rows_permute(void *argument, uint64_t task)
{
    const demi_list_build *b = argument;
    dem_world *w = b->w;
    const int now = w->front, next = now ^ 1;
    const uint32_t *order = w->scratch_order.data;
    demi_body *bodies = w->body_next.data;
    const uint64_t end = rows_end(task, b->rows);
    for (uint64_t row = task * ROWS_TASK; row < end; ++row) {
        const uint32_t from = order[row];
        demi_rows(&w->position[next])[row][3] = demi_rows(&w->position[now])[from][3];
        demi_motions(&w->motion[next])[row] = demi_motions(&w->motion[now])[from];
        demi_loads(&w->load[next])[row] = demi_loads(&w->load[now])[from];
        bodies[row] = demi_bodies(w)[from];
        double *x = demi_rows(&w->position[next])[row];
        wrapped(b, from, x, bodies[row].image);
    }
}

/* Particles in their new order, in the next state and the next bodies. */
dem_status demi_list_permute(demi_list_build *b)
{
    dem_world *w = b->w;
    const dem_status status = demi_list_room(b, &w->body_next, b->rows * sizeof(demi_body), 0);
    if (status == DEM_OK)
        demi_parallel(&w->config.executor, rows_permute, b, rows_tasks(b->rows));
    return status;
}

static void rows_take_over(void *argument, uint64_t task)
{
    dem_world *w = argument;
    demi_handle *handles = w->handle.data;
    const uint64_t end = rows_end(task, w->rows);
    for (uint64_t row = task * ROWS_TASK; row < end; ++row) {
        const demi_body *body = &demi_bodies(w)[row];
        memcpy(demi_rows(&w->built)[row], demi_rows(&w->position[w->front])[row], sizeof(demi_row));
        handles[body->handle].row = (uint32_t)row;
        ((uint64_t *)w->row_id.data)[row] = body->id;
    }
}

void demi_list_name_rows(dem_world *w)
{
    demi_parallel(&w->config.executor, rows_take_over, w, rows_tasks(w->rows));
}
