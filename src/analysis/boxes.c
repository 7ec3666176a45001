/* SPDX-License-Identifier: MIT */
/* Sums and means over the particles of boxes. */
#include "analysis/ends.h"
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "world/hook.h"

#include <dem/analysis.h>

#include <string.h>

dem_status dem_analysis_grid_init_sized(dem_analysis_grid *grid, uint64_t size)
{
    if (grid == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_analysis_grid values = {.struct_size = sizeof values,
                                      .low = {-INFINITY, -INFINITY, -INFINITY},
                                      .high = {INFINITY, INFINITY, INFINITY},
                                      .boxes = {1, 1, 1}};
    return demi_sized_write(grid, size, &values);
}

/* ------------------------------------------------------------------ which box */

typedef struct boxes_call {
    const dem_world *w;
    dem_analysis_grid grid; /* with the bounds of periodic axes */
    unsigned char *first;   /* the host's boxes, `size` bytes each */
    uint64_t size, count;
    double per_time; /* 1/grid.timestep */
} boxes_call;

static dem_analysis_box *box_at(const boxes_call *call, uint64_t k)
{
    return (dem_analysis_box *)(void *)(call->first + k * call->size);
}

static double inside_period(const dem_world_config *config, int c, double x)
{
    const double low = config->box_low[c], high = config->box_high[c];
    const double inside = x - floor((x - low) / (high - low)) * (high - low);
    return inside >= low && inside < high ? inside : low;
}

/* The box of a row, or NULL outside the grid. */
static dem_analysis_box *box_of(const boxes_call *call, uint64_t row)
{
    const dem_analysis_grid *grid = &call->grid;
    const dem_world_config *config = &call->w->config;
    uint64_t index = 0;
    for (int c = 2; c >= 0; --c) {
        double x = call->w->current.position.read[row][c];
        if (config->boundary[c] == DEM_BOUNDARY_PERIODIC)
            x = inside_period(config, c, x);
        if (!(x >= grid->low[c] && x < grid->high[c]))
            return NULL;
        const uint64_t boxes = (uint64_t)grid->boxes[c];
        uint64_t k = 0;
        if (boxes > 1)
            k = (uint64_t)((x - grid->low[c]) / (grid->high[c] - grid->low[c]) * (double)boxes);
        index = index * boxes + (k < boxes ? k : boxes - 1);
    }
    return box_at(call, index);
}

/* ------------------------------------------------------------------ sums */

static int row_is_free(const dem_world *w, uint64_t row)
{
    return demi_kinds[w->body.read[row].kind].counted;
}

static double power(const double force[3], const double torque[3], const double velocity[3],
                    const double angular_velocity[3])
{
    return demi_dot(force, velocity) + demi_dot(torque, angular_velocity);
}

/* Of a contact with a ghost each of the two worlds has the power on its own particle; all else has
 * the world that counts it. */
static void boxes_end_add(void *user, const dem_world *w, const demi_contact_end *end)
{
    dem_analysis_box *box = box_of(user, end->row);
    if (box == NULL)
        return;
    if (row_is_free(w, end->row)) {
        double v[3], s[3];
        demi_velocities_now(w, end->row, v, s);
        box->power_contact += power(end->force, end->torque, v, s);
    }
    if (!end->counted)
        return;
    box->contact_ends++;
    demi_tensor_add(box->fabric, end->normal, end->normal, 1.0);
    demi_tensor_add(box->moment, end->arm, end->force, 1.0);
    box->elastic += end->elastic;
}

static void end_add_losses(void *user, const dem_world *w, const demi_contact_end *end)
{
    (void)w;
    const boxes_call *call = user;
    dem_analysis_box *box = box_of(call, end->row);
    if (box == NULL)
        return;
    box->dissipation_normal += call->per_time * end->normal_loss;
    box->dissipation_dashpot += call->per_time * end->dashpot;
    box->dissipation_slip += call->per_time * end->slip;
    box->dissipation_rolling += call->per_time * end->rolling;
}

static void row_add_drag(dem_analysis_box *box, const demi_fluid *fluid, const double v[3],
                         const double s[3])
{
    double force[3], torque[3], slip[3], spin[3];
    for (int c = 0; c < 3; ++c) {
        slip[c] = fluid->velocity[c] - v[c];
        spin[c] = fluid->angular_velocity[c] - s[c];
        force[c] = fluid->velocity[3] * slip[c];
        torque[c] = fluid->angular_velocity[3] * spin[c];
    }
    box->power_drag += power(force, torque, v, s);
    box->dissipation_drag += power(force, torque, slip, spin);
}

static void row_add(const boxes_call *call, dem_analysis_box *box, uint64_t row)
{
    static const double none[4] = {0.0, 0.0, 0.0, 0.0}, ball = 4.18879020478639098461685784437;
    const dem_world *w = call->w;
    const double r = w->current.position.read[row][3];
    box->particles++;
    box->solid_volume +=
        w->body.read[row].faceted ? demi_faceted_shape(w, row)->solid.volume : ball * r * r * r;
    if (!row_is_free(w, row))
        return;
    const double mass = w->particle.read[row].mass;
    double v[3], s[3];
    demi_velocities_now(w, row, v, s);
    box->mass += mass;
    for (int c = 0; c < 3; ++c)
        box->velocity[c] += mass * v[c]; /* becomes a mean */
    box->power_gravity += mass * demi_dot(w->config.gravity, v);
    box->power_external +=
        power(w->external_force.read != NULL ? w->external_force.read[row] : none,
              w->external_torque.read != NULL ? w->external_torque.read[row] : none, v, s);
    if (w->fluid.read != NULL)
        row_add_drag(box, &w->fluid.read[row], v, s);
}

static void row_add_fluctuation(const boxes_call *call, dem_analysis_box *box, uint64_t row)
{
    if (!row_is_free(call->w, row))
        return;
    double v[3], s[3];
    demi_velocities_now(call->w, row, v, s);
    for (int c = 0; c < 3; ++c)
        v[c] -= box->velocity[c];
    demi_tensor_add(box->fluctuation, v, v, call->w->particle.read[row].mass);
}

static void rows_visit(const boxes_call *call,
                       void (*add)(const boxes_call *, dem_analysis_box *, uint64_t))
{
    for (uint64_t row = 0; row < call->w->rows; ++row) {
        dem_analysis_box *box = demi_shown_ids(call->w)[row] != 0 ? box_of(call, row) : NULL;
        if (box != NULL)
            add(call, box, row);
    }
}

/* ------------------------------------------------------------------ means */

static double ratio(double sum, double count)
{
    return count > 0.0 ? sum / count : 0.0;
}

static void box_means(dem_analysis_box *box, double volume)
{
    const double *f = box->fluctuation;
    box->volume = volume;
    box->granular_temperature = ratio(f[0] + f[4] + f[8], 3.0 * box->mass);
    box->coordination = ratio((double)box->contact_ends, (double)box->particles);
    for (int k = 0; k < 9; ++k) {
        box->fabric[k] = ratio(box->fabric[k], (double)box->contact_ends);
        box->stress[k] = box->moment[k] / volume;
    }
}

static void boxes_clear(const boxes_call *call)
{
    for (uint64_t k = 0; k < call->count; ++k)
        memset(call->first + k * call->size + sizeof(uint64_t), 0,
               (size_t)call->size - sizeof(uint64_t));
}

static double box_volume(const dem_analysis_grid *grid)
{
    double volume = 1.0;
    for (int c = 0; c < 3; ++c) {
        const double side = (grid->high[c] - grid->low[c]) / (double)grid->boxes[c];
        if (isinf(side)) /* whatever the others are: their product may be 0 */
            return INFINITY;
        volume *= side;
    }
    return volume;
}

static dem_status boxes_fill(boxes_call *call)
{
    const double volume = box_volume(&call->grid);
    boxes_clear(call);
    rows_visit(call, row_add);
    for (uint64_t k = 0; k < call->count; ++k)
        for (int c = 0; c < 3; ++c)
            box_at(call, k)->velocity[c] =
                ratio(box_at(call, k)->velocity[c], box_at(call, k)->mass);
    rows_visit(call, row_add_fluctuation);
    dem_status status = demi_ends_visit_all(call->w, boxes_end_add, call);
    if (status == DEM_OK && call->grid.timestep > 0.0)
        status = demi_ends_visit(call->w, call->grid.timestep, end_add_losses, call);
    if (status != DEM_OK)
        boxes_clear(call);
    for (uint64_t k = 0; status == DEM_OK && k < call->count; ++k)
        box_means(box_at(call, k), volume);
    return status;
}

/* ------------------------------------------------------------------ checks */

/* Puts the bounds of periodic axes in, and checks. */
static dem_status bounds_check(const dem_world *w, dem_analysis_grid *grid)
{
    demi_context *context = w->self;
    if (grid->reserved != 0)
        return demi_fail(context, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE,
                         "dem_analysis_grid.reserved", (long long)grid->reserved,
                         "dem_analysis_grid");
    if (!demi_not_negative(grid->timestep))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_analysis_grid.timestep: %g must be finite and >= 0 s",
                         grid->timestep);
    for (int c = 0; c < 3; ++c) {
        double *low = &grid->low[c], *high = &grid->high[c];
        if (w->config.boundary[c] == DEM_BOUNDARY_PERIODIC) {
            *low = *low == -INFINITY ? w->config.box_low[c] : *low;
            *high = *high == INFINITY ? w->config.box_high[c] : *high;
        }
        if (isnan(*low))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_analysis_grid.low[%d]: %g must be below high %g", c, *low, *high);
        if (!(*low < *high))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_analysis_grid.high[%d]: %g must exceed low %g", c, *high, *low);
        if (grid->boxes[c] < 1)
            return demi_fail(context, DEM_ERROR_RANGE, "dem_analysis_grid.boxes[%d]: %d is not > 0",
                             c, (int)grid->boxes[c]);
        if (grid->boxes[c] > 1 && !isfinite(*high - *low))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_analysis_grid.boxes[%d]: %d boxes need finite bounds, which are "
                             "%g and %g",
                             c, (int)grid->boxes[c], *low, *high);
    }
    const double volume = box_volume(grid);
    int bounded = 1;
    for (int c = 0; c < 3; ++c)
        bounded = bounded && isfinite(grid->low[c]) && isfinite(grid->high[c]);
    if (bounded && !isnormal(volume))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_analysis_grid.low and .high: the volume of a box, %g m3, must be "
                         "within the range of doubles, 2e-308 to 1e308 m3",
                         volume);
    return DEM_OK;
}

/* All boxes are of one size, and as many as the grid has. */
static dem_status boxes_check(const dem_world *w, const dem_analysis_grid *grid, uint64_t count,
                              const dem_analysis_box *box)
{
    demi_context *context = w->self;
    const uint64_t size = box->struct_size;
    if (demi_sized_check_output(box) != DEM_OK)
        return demi_sized_fail_output(context, "dem_analysis_box", size);
    const uint64_t layer = (uint64_t)grid->boxes[0] * (uint64_t)grid->boxes[1],
                   layers = (uint64_t)grid->boxes[2];
    if (count / layers != layer || count % layers != 0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "count: %llu is not the number of boxes of the grid, %d x %d x %d",
                         (unsigned long long)count, (int)grid->boxes[0], (int)grid->boxes[1],
                         (int)grid->boxes[2]);
    for (uint64_t k = 1; k < count; ++k) {
        const uint64_t *other =
            (const uint64_t *)(const void *)((const unsigned char *)box + k * size);
        if (*other != size)
            return demi_fail(context, DEM_ERROR_STRUCT_SIZE,
                             "dem_analysis_box.struct_size: %llu of box %llu is not that of box 0",
                             (unsigned long long)*other, (unsigned long long)k);
    }
    return DEM_OK;
}

DEMI_GUARDED guarded_boxes_analyse(const dem_world *world, const dem_analysis_grid *grid,
                                   uint64_t count, dem_analysis_box *box)
{
    demi_context *context = world->self;
    if (grid == NULL || box == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                         grid == NULL ? "grid" : "box");
    boxes_call call;
    memset(&call, 0, sizeof call);
    if (demi_sized_read(&call.grid, grid) != DEM_OK)
        return demi_sized_fail(context, "dem_analysis_grid", grid->struct_size);
    dem_status status = bounds_check(world, &call.grid);
    if (status == DEM_OK)
        status = boxes_check(world, &call.grid, count, box);
    if (status != DEM_OK)
        return status;
    call.w = world;
    call.first = (unsigned char *)(void *)box;
    call.size = box->struct_size;
    call.count = count;
    call.per_time = call.grid.timestep > 0.0 ? 1.0 / call.grid.timestep : 0.0;
    demi_hook_exchange(world);
    status = boxes_fill(&call);
    demi_hook_exchange(world);
    return status;
}

dem_status dem_world_boxes_analyse(const dem_world *world, const dem_analysis_grid *grid,
                                   uint64_t count, dem_analysis_box *box)
{
    DEMI_READ(world, guarded_boxes_analyse(world, grid, count, box));
}
