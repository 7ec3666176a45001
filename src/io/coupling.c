/* SPDX-License-Identifier: MIT */
/* The section of what only worlds have that are coupled to a fluid; others have no such section. */
#include "base/check.h"
#include "io/sections.h"
#include "world/added_mass.h"
#include "world/fields.h"

/* What a section says that it has. */
enum { HAS_FLUID = 1, HAS_IMPULSES = 2, HAS_ADDED_MASS = 4, HAS_ALL = 7 };

static uint64_t parts_of(const dem_world *w)
{
    return (w->fluid.read != NULL ? HAS_FLUID : 0) |
           (w->contact_impulse.read != NULL ? HAS_IMPULSES : 0) |
           (w->rows > 0 && w->added_mass.read != NULL ? HAS_ADDED_MASS : 0);
}

static void write_impulse(demi_writer *out, const demi_impulse *impulse)
{
    demi_write_doubles(out, impulse->linear, 3);
    demi_write_doubles(out, impulse->angular, 3);
}

static void write_coupling(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    const uint64_t parts = parts_of(w);
    demi_write_u64(out, parts);
    demi_write_doubles(out, &w->work_fluid, 1);
    demi_write_doubles(out, &w->dissipated_drag, 1);
    for (uint64_t row = 0; row < w->rows; ++row) {
        if (w->body.read[row].id == 0)
            continue;
        if ((parts & HAS_FLUID) != 0) {
            demi_write_doubles(out, w->fluid.read[row].velocity, 4);
            demi_write_doubles(out, w->fluid.read[row].angular_velocity, 4);
        }
        if ((parts & HAS_IMPULSES) != 0) {
            write_impulse(out, &w->drag_impulse.read[row]);
            write_impulse(out, &w->contact_impulse.read[row]);
        }
        if ((parts & HAS_ADDED_MASS) != 0)
            demi_write_doubles(out, &demi_added_mass_of(w, row)->mass, 1);
    }
    for (uint64_t k = 0; (parts & HAS_IMPULSES) != 0 && k < w->walls; ++k)
        if (w->wall.read[k].id != 0)
            demi_write_doubles(out, w->wall_impulse.read[k].force, 3);
}

void demi_write_coupling(demi_writer *writer, const dem_world *w)
{
    if (parts_of(w) != 0)
        demi_write_section(writer, DEMI_COUPLING_TAG, write_coupling, w);
}

/* Three numbers, which must be finite. */
static dem_status read_vector(demi_reader *in, dem_world *w, double to[3], const char *of,
                              uint64_t id)
{
    demi_read_doubles(in, to, 3);
    if (!demi_finite3(to))
        return demi_fail(&w->context, DEM_ERROR_FORMAT,
                         "snapshot: the impulse of %s %llu is not finite", of,
                         (unsigned long long)id);
    return DEM_OK;
}

static dem_status read_impulse(demi_reader *in, dem_world *w, demi_impulse *to, uint64_t id)
{
    const dem_status status = read_vector(in, w, to->linear, "particle", id);
    return status == DEM_OK ? read_vector(in, w, to->angular, "particle", id) : status;
}

/* Makes the arrays. */
static dem_status reserve_parts(dem_world *w, uint64_t parts)
{
    dem_status status = DEM_OK;
    if ((parts & HAS_FLUID) != 0)
        status = demi_rows_reserve(w, &w->fluid.buffer);
    if ((parts & HAS_ADDED_MASS) != 0 && status == DEM_OK)
        status = demi_rows_reserve(w, &w->added_mass.buffer);
    if ((parts & HAS_IMPULSES) == 0 || status != DEM_OK)
        return status;
    return demi_impulses_reserve(w);
}

static dem_status read_row(demi_reader *in, dem_world *w, uint64_t parts, uint64_t row)
{
    const uint64_t id = w->body.read[row].id;
    dem_status status = DEM_OK;
    if ((parts & HAS_FLUID) != 0) {
        demi_read_doubles(in, w->fluid.data[row].velocity, 4);
        demi_read_doubles(in, w->fluid.data[row].angular_velocity, 4);
    }
    if ((parts & HAS_IMPULSES) != 0) {
        status = read_impulse(in, w, &w->drag_impulse.data[row], id);
        if (status == DEM_OK)
            status = read_impulse(in, w, &w->contact_impulse.data[row], id);
    }
    if ((parts & HAS_ADDED_MASS) != 0)
        demi_read_doubles(in, &demi_added_mass_of(w, row)->mass, 1);
    return status;
}

dem_status demi_read_coupling(demi_reader *in, dem_world *w)
{
    const uint64_t parts = demi_read_u64(in);
    w->work_fluid = demi_read_double(in);
    w->dissipated_drag = demi_read_double(in);
    if (parts == 0 || parts > HAS_ALL)
        return demi_fail(&w->context, DEM_ERROR_FORMAT, "snapshot: parts %llu of section \"%s\"",
                         (unsigned long long)parts, DEMI_COUPLING_TAG);
    dem_status status = reserve_parts(w, parts);
    for (uint64_t row = 0; status == DEM_OK && row < w->rows; ++row)
        if (w->body.read[row].id != 0)
            status = read_row(in, w, parts, row);
    for (uint64_t k = 0; (parts & HAS_IMPULSES) != 0 && status == DEM_OK && k < w->walls; ++k)
        if (w->wall.read[k].id != 0)
            status = read_vector(in, w, w->wall_impulse.data[k].force, "wall", w->wall.read[k].id);
    if (status != DEM_OK || in->failed)
        return status;
    demi_added_mass_restore(w);
    /* what was written through a view is looked at by the next step */
    if (w->touched != 0)
        return DEM_OK;
    const dem_status valid =
        demi_fields_check(w, DEMI_TOUCHED_FLUID | 1u << DEM_FIELD_ADDED_MASS, "of a snapshot");
    return valid == DEM_OK ? DEM_OK : DEM_ERROR_FORMAT;
}
