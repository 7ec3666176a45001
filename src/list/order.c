/* SPDX-License-Identifier: MIT */
/* Order in space: the grid of a rebuild, and particles sorted by its cells. */
#include "base/check.h"
#include "base/parallel.h"
#include "search/bounds.h"
#include "list/parts.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* Brings a position into the box, and makes the image go with it; 0 if that does not fit. */
static int wrapped(const demi_list_build_call *b, double position[3], int32_t image[3])
{
    const demi_list_input *in = b->in;
    for (int c = 0; c < 3; ++c) {
        if (position[c] >= b->inside[0][c] && position[c] < b->inside[1][c])
            continue;
        const double low = in->domain.low[c], length = in->domain.high[c] - low;
        const double periods = floor((position[c] - low) / length);
        if (periods == 0.0)
            continue;
        if (!(fabs(image[c] + periods) <= DEMI_IMAGE_MOST))
            return 0;
        position[c] -= periods * length;
        image[c] += (int32_t)periods;
    }
    return 1;
}

int demi_list_wrapped(const demi_list_build_call *b, uint64_t row, double position[3],
                      int32_t image[3])
{
    memcpy(position, b->in->position[row], 3 * sizeof(double));
    memcpy(image, b->in->body[row].image, 3 * sizeof(int32_t));
    return wrapped(b, position, image);
}

/* The largest R* of a sphere of this radius at any wall. */
static double widest_hollow(const demi_list_input *in, double radius)
{
    double widest = radius;
    for (uint64_t k = 0; k < in->walls && radius > 0.0; ++k) {
        if (in->wall[k].id == 0)
            continue;
        const double own = demi_wall_hollow(&in->wall[k], &in->solid[k], radius);
        widest = own > widest ? own : widest;
    }
    return widest;
}

/* Widest gap at which any pair of the world acts. */
static double widest_reach(const demi_models *models, double radius)
{
    const int32_t materials = models->reaching > 0 ? models->material_count : 0;
    double reach = 0.0;
    for (int32_t a = 0; a < materials; ++a)
        for (int32_t b = a; b < materials; ++b) {
            const demi_model *model = demi_models_get(models, a, b);
            const double own = model != NULL ? demi_model_reach(model, radius, 0.0) : 0.0;
            reach = own > reach ? own : reach;
        }
    return reach;
}

/* Levels of the sizes of the rows. */
static void choose_levels(demi_list_build_call *b, double smallest)
{
    const demi_list_input *in = b->in;
    demi_size_classes *classes = &b->sizes;
    demi_size_classes_begin(classes, smallest);
    const int one = b->rows == 0 || demi_size_class(b->largest, smallest) == 0;
    if (one && b->rows > 0) {
        demi_size_classes_add(classes, smallest, b->rows);
        classes->most[0] = b->largest;
    }
    for (uint64_t row = 0; row < in->rows && !one; ++row)
        if (in->body[row].id != 0)
            demi_size_classes_add(classes, in->position[row][3], 1);
    demi_levels_choose(&b->levels, classes, b->reach);
    b->sparse = b->levels.count > 1;
}

dem_status demi_list_grid(demi_list_build_call *b)
{
    const demi_list_input *in = b->in;
    const double displacement = in->displacement;
    const demi_bounds_rows rows = {in->executor, in->position, in->id, in->rows};
    demi_extent extent;
    demi_extent_measure(&rows, &extent);
    b->rows = extent.particles;
    const double smallest = extent.low[3], largest = extent.high[3];
    b->largest = largest;
    b->hollow = widest_hollow(in, largest);
    const double reach = widest_reach(in->models, b->hollow);
    b->reach = reach;
    choose_levels(b, smallest);
    const double decides = b->sparse ? b->levels.home_smallest : smallest;
    b->skin = in->skin > 0.0 ? in->skin : 0.2 * decides;
    /* where one step moves far, the list must look further ahead */
    if (b->skin < 2.0 * displacement)
        b->skin = 2.0 * displacement;
    int periodic[3];
    for (int c = 0; c < 3; ++c) {
        periodic[c] = in->domain.periodic[c];
        const int wraps = periodic[c] && in->past == NULL;
        b->inside[0][c] = wraps ? in->domain.low[c] : -INFINITY;
        b->inside[1][c] = wraps ? in->domain.high[c] : INFINITY;
        const double length = in->domain.high[c] - in->domain.low[c];
        const double spare = length - 2.0 * largest - reach;
        if (!periodic[c] || spare >= b->skin)
            continue;
        if (!(spare > displacement))
            return demi_fail(
                b->context, DEM_ERROR_RANGE,
                "world: periodic axis %d is %g m long, too short for the largest "
                "diameter %g m with reach %g m and a displacement of %g m in a step: make "
                "the axis longer, or dt smaller",
                c, length, 2.0 * largest, reach, displacement);
        b->skin = spare;
    }
    const double cutoff = b->rows > 0 ? 2.0 * largest + reach + b->skin : 1.0;
    if (!(cutoff <= 4.0 * DEMI_MOTION_MOST))
        return demi_fail(b->context, DEM_ERROR_RANGE,
                         "world: pairs up to %g m apart would be listed: largest diameter %g m, "
                         "reach of the models %g m, skin %g m: make the largest of them smaller",
                         cutoff, 2.0 * largest, reach, b->skin);
    b->cutoff = cutoff;
    b->margin = b->sparse ? 2.0 * b->levels.largest[b->levels.home] + reach + b->skin : cutoff;
    if (b->sparse)
        return DEM_OK;
    const int64_t most = (int64_t)(2 * b->rows + 64);
    double low[3], high[3];
    memcpy(low, in->domain.low, sizeof low);
    memcpy(high, in->domain.high, sizeof high);
    demi_bounds_choose(&rows, &extent, periodic, cutoff, most, low, high);
    demi_grid_choose(&b->grid, low, high, periodic, cutoff, most);
    return DEM_OK;
}

/* The first row, whichever thread comes first. */
static void note_beyond(demi_list_build_call *b, uint64_t row)
{
    uint64_t first = atomic_load(&b->beyond);
    while ((first == 0 || row + 1 < first) &&
           !atomic_compare_exchange_weak(&b->beyond, &first, row + 1))
        ;
}

dem_status demi_list_beyond(const demi_list_build_call *b, uint64_t row)
{
    const demi_list_input *in = b->in;
    const double *x = in->position[row];
    const demi_body *body = &in->body[row];
    return demi_fail(b->context, DEM_ERROR_RANGE,
                     "particle %llu: position (%g, %g, %g) m, after %d, %d and %d periods of the "
                     "box, is more than %d periods away: move it, or shift all particles",
                     (unsigned long long)body->id, x[0], x[1], x[2], (int)body->image[0],
                     (int)body->image[1], (int)body->image[2], DEMI_IMAGE_MOST);
}

static void cells_find(void *argument, uint64_t task)
{
    demi_list_build_call *b = argument;
    const demi_list_input *in = b->in;
    uint32_t *cell_of = b->in->cell_of;
    const uint64_t end = demi_rows_task_end(task, in->rows);
    for (uint64_t row = task * DEMI_ROWS_TASK; row < end; ++row) {
        double x[3];
        int32_t image[3];
        int64_t at[3];
        const int there = in->body[row].id != 0;
        if (!demi_list_wrapped(b, row, x, image) && there)
            note_beyond(b, row);
        demi_grid_at(&b->grid, x, at);
        cell_of[row] = there ? (uint32_t)demi_grid_number(&b->grid, at) : UINT32_MAX;
    }
}

/* Sort by cell; ties keep their order. scratch_order: new row -> old row. */
dem_status demi_list_sort(demi_list_build_call *b)
{
    const demi_list_input *in = b->in;
    const uint64_t cells = (uint64_t)demi_grid_cells(&b->grid);
    dem_status status = demi_list_room(b, &b->scratch->order, (in->rows + 1));
    if (status == DEM_OK)
        status = demi_list_room(b, &b->scratch->cell, (cells + 1));
    if (status == DEM_OK)
        status = demi_list_sort_room(b, in->rows);
    if (status == DEM_OK)
        status = demi_list_room(b, &b->scratch->axis, demi_grid_axes_count(&b->grid));
    if (status != DEM_OK)
        return status;
    demi_grid_axes(&b->grid, b->scratch->axis.data);
    demi_parallel(in->executor, cells_find, b, demi_rows_tasks(in->rows));
    if (b->beyond != 0)
        return demi_list_beyond(b, b->beyond - 1);
    const demi_key_sort sort = {.executor = in->executor,
                                .key = in->cell_of,
                                .count = in->rows,
                                .keys = cells,
                                .begin = b->scratch->cell.data,
                                .order = b->scratch->order.data,
                                .memory = (uint32_t *)(void *)b->scratch->pair.data};
    (void)demi_sort_run(&sort);
    b->cell_begin = b->scratch->cell.data;
    demi_crowded_grid(b, cells);
    return DEM_OK;
}

static void rows_permute(void *argument, uint64_t task)
{
    const demi_list_build_call *b = argument;
    const demi_list_input *in = b->in;
    const uint32_t *order = b->scratch->order.data;
    const uint64_t end = demi_rows_task_end(task, b->rows);
    for (uint64_t row = task * DEMI_ROWS_TASK; row < end; ++row) {
        const uint32_t from = order[row];
        double *x = in->sorted_position[row];
        x[3] = in->position[from][3];
        demi_body *body = &in->sorted_body[row];
        *body = in->body[from];
        (void)demi_list_wrapped(b, from, x, body->image);
        const int same = memcmp(body->image, in->body[from].image, sizeof body->image) == 0;
        in->row_before[row].row = from | (same ? 0 : DEMI_ROW_WRAPPED);
    }
}

void demi_list_permute(demi_list_build_call *b)
{
    demi_parallel(b->in->executor, rows_permute, b, demi_rows_tasks(b->rows));
}
