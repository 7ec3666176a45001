/* SPDX-License-Identifier: MIT */
/* A fluid for the worlds of level 2: drag that changes in place and time, and the impulses that the
 * fluid gets back. */
#include "level2.h"

#include <math.h>

/* Drag and velocity of the fluid at a height: they have the same bits in all images. */
static void fluid_at(double time, double z, int32_t field, double *value)
{
    if (field == DEM_FIELD_DRAG_COEFFICIENT) {
        value[0] = 1.0 + 0.5 * sin(z + 5.0 * time);
        return;
    }
    value[0] = 3.0 * sin(z + time);
    value[1] = 0.0;
    value[2] = 5.0 + 4.0 * cos(0.5 * z - 3.0 * time);
}

/* Sends a field of own grains to where they are ghosts: in the order of forces. */
static void field_send(level *l, int32_t field, int width)
{
    const uint64_t seen = l->out.count / LOAD, ghosts = l->in.count / LOAD;
    const uint64_t size = (uint64_t)width * sizeof(double);
    mail out = mail_like(l->host, &l->out, LOAD, size), in = mail_like(l->host, &l->in, LOAD, size);
    level_check(l, dem_particles_field_get(l->world, field, seen, l->seen, out.data));
    mail_exchange(&out, &in);
    level_check(l, dem_ghosts_field_set(l->world, field, ghosts, l->ghost, in.data));
    mail_free(&out);
    mail_free(&in);
}

/* What the fluid does to own grains, and to their ghosts. */
static void field_write(level *l, int32_t field, int width)
{
    dem_view view = {.struct_size = sizeof view};
    level_check(l, dem_world_view(l->world, field, &view));
    const dem_view place = level_rows(l);
    for (uint64_t row = 0; row < view.count; ++row)
        if (view.id[row] != 0) /* else it is a ghost */
            fluid_at(l->host->time, level_row(&place, row)[2], field, level_row(&view, row));
    level_check(l, dem_world_written_field(l->world, field));
    field_send(l, field, width);
}

/* What the fluid gets back from own grains, of which each cell would take its part; then what it
 * does to them in its next step. */
void fluid_step(level *l)
{
    dem_view view = {.struct_size = sizeof view};
    level_check(l, dem_world_view(l->world, DEM_FIELD_DRAG_IMPULSE, &view));
    for (uint64_t row = 0; row < view.count; ++row)
        for (int c = 0; c < 3 && view.id[row] != 0; ++c)
            l->given[c] -= level_row(&view, row)[c];
    level_check(l, dem_world_impulses_reset(l->world));
    field_write(l, DEM_FIELD_DRAG_COEFFICIENT, 1);
    field_write(l, DEM_FIELD_FLUID_VELOCITY, 3);
}
