/* SPDX-License-Identifier: MIT */
/* What the host writes: columns through views, which are looked at when they are used, and whole
 * columns at once. */
#include "base/check.h"
#include "base/entry.h"
#include "world/added_mass.h"
#include "world/ghost_told.h"
#include "world/motion_written.h"

#include <float.h>
#include <string.h>

/* Whether a row may have these values; how they came is for the message. */
dem_status demi_field_check(const dem_world *w, const demi_field *of, uint64_t row,
                            const double *value, const char *how)
{
    const demi_body *body = &w->body.data[row];
    const int within = (of->traits & DEMI_FIELD_WITHIN) != 0;
    const double most = within ? DEMI_MOTION_MOST : DBL_MAX;
    for (uint32_t c = 0; c < of->width; ++c)
        if (!islessequal(fabs(value[c]), most))
            return demi_fail(w->self, DEM_ERROR_RANGE,
                             "particle %llu: %s %s: component %u is %g; it must be finite%s",
                             (unsigned long long)body->id, of->name, how, (unsigned)c, value[c],
                             within ? " and no larger than 1e150" : "");
    if ((of->traits & DEMI_FIELD_NOT_NEGATIVE) != 0 && value[0] < 0.0)
        return demi_fail(w->self, DEM_ERROR_RANGE,
                         "particle %llu: %s %s is %g: it must not be negative",
                         (unsigned long long)body->id, of->name, how, value[0]);
    if ((of->traits & DEMI_FIELD_MOTION) != 0 &&
        !(w->current.velocity.data[row].angular_velocity[3] > 0.0) &&
        !demi_kinds[body->kind].moves && demi_any3(value))
        return demi_fail(w->self, DEM_ERROR_STATE, "particle %llu: %s of a fixed particle was %s",
                         (unsigned long long)body->id, of->name, how);
    return DEM_OK;
}

/* A number without its sign, as an integer: the bits of doubles are in the order of the numbers,
 * then come infinity and NaN, and comparing them raises no exception. */
static uint64_t size_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & UINT64_MAX >> 1;
}

/* Whether a row that is not free moves. */
static int held_rows_move(const dem_world *w)
{
    uint64_t moved = 0;
    for (uint64_t row = 0; row < w->rows; ++row) {
        const demi_velocities *of = &w->current.velocity.read[row];
        uint64_t any = size_bits(of->angular_velocity[3]) != 0 ? 0 : UINT64_MAX;
        uint64_t bits = 0;
        for (int c = 0; c < 3; ++c)
            bits |= size_bits(of->velocity[c]) | size_bits(of->angular_velocity[c]);
        moved |= any & bits;
    }
    return moved != 0;
}

/* Whether a glance tells that no row of a column is wrong: the values of all rows are in range,
 * those of removed particles too. It is far cheaper than to look at each row. */
static int column_in_range(const dem_world *w, const demi_field *of, const double *value)
{
    if (of->width != 3 || ((of->traits & DEMI_FIELD_MOTION) != 0 && held_rows_move(w)))
        return 0;
    const uint64_t most =
        size_bits((of->traits & DEMI_FIELD_WITHIN) != 0 ? DEMI_MOTION_MOST : DBL_MAX);
    uint64_t beyond = 0;
    for (uint64_t row = 0; row < w->rows; ++row, value += of->stride)
        for (uint32_t c = 0; c < 3; ++c)
            beyond |= most - size_bits(value[c]);
    return beyond >> 63 == 0;
}

dem_status demi_fields_check(dem_world *w, uint32_t fields, const char *how)
{
    const uint64_t *id = demi_shown_ids(w);
    for (int f = 0; f < DEMI_FIELDS; ++f) {
        const demi_field *of = &demi_fields[f];
        const double *value = demi_field_first(w, of);
        if ((fields & 1u << f) == 0 || value == NULL || column_in_range(w, of, value))
            continue;
        for (uint64_t row = 0; row < w->rows; ++row, value += of->stride) {
            if (id[row] == 0)
                continue;
            const dem_status status = demi_field_check(w, of, row, value, how);
            if (status != DEM_OK)
                return status;
        }
    }
    return DEM_OK;
}

dem_status demi_written_check(dem_world *w, uint32_t fields)
{
    return demi_fields_check(w, fields & w->touched, "written through a view");
}

dem_status demi_written_row_check(const dem_world *w, uint64_t row)
{
    dem_status status = DEM_OK;
    for (int f = 0; status == DEM_OK && f < DEMI_FIELDS; ++f) {
        const demi_field *of = &demi_fields[f];
        const double *first = (w->touched & 1u << f) != 0 ? demi_field_first(w, of) : NULL;
        if (first != NULL)
            status =
                demi_field_check(w, of, row, first + of->stride * row, "written through a view");
    }
    return status;
}

dem_status demi_added_mass_written(dem_world *w)
{
    const uint32_t field = 1u << DEM_FIELD_ADDED_MASS;
    if ((w->touched & field) == 0)
        return DEM_OK;
    const dem_status status = demi_written_check(w, field);
    if (status == DEM_OK)
        demi_added_mass_settle(w);
    return status;
}

/* Refuses what is no field, or one that the host may not write. */
static dem_status field_writable(demi_context *context, int32_t field)
{
    const dem_status known = demi_field_known(context, field);
    if (known == DEM_OK && (demi_fields[field].traits & DEMI_FIELD_WRITTEN) == 0)
        return demi_fail(context, DEM_ERROR_RANGE, "field: %s is read only",
                         demi_fields[field].constant);
    return known;
}

/* Where velocities that the host tells of have changed, ghosts are to be set anew. */
static void ghosts_follow_motion(dem_world *w)
{
    if (w->ghosts.margin + w->ghosts.body_margin > 0.0 && demi_motion_told(w))
        demi_ghosts_outdate(w);
}

DEMI_GUARDED guarded_world_written_field(dem_world *world, int32_t field)
{
    const dem_status status = field_writable(&world->context, field);
    if (status != DEM_OK)
        return status;
    const int motion = (demi_fields[field].traits & DEMI_FIELD_MOTION) != 0;
    const int between = motion || (demi_fields[field].traits & DEMI_FIELD_INERTIA) != 0;
    if (between && demi_hook_runs(&world->context))
        return demi_fail(&world->context, DEM_ERROR_STATE,
                         "field: %s is read only in before_forces: write it between two steps",
                         demi_fields[field].constant);
    if ((demi_fields[field].traits & DEMI_FIELD_HOSTS) == 0)
        world->touched |= 1u << field;
    world->motion_written |= motion;
    if (motion)
        ghosts_follow_motion(world);
    demi_ghost_fields_written(world, 1u << field);
    return DEM_OK;
}

dem_status dem_world_written_field(dem_world *world, int32_t field)
{
    DEMI_SET_OR_HOOK(world, guarded_world_written_field(world, field));
}

DEMI_GUARDED guarded_world_written(dem_world *world)
{
    world->touched = DEMI_TOUCHED_ALL;
    /* what was viewed may have been written */
    world->motion_written |= world->motion_viewed;
    ghosts_follow_motion(world);
    demi_ghost_fields_written(world, DEMI_TOUCHED_GHOSTS);
    return DEM_OK;
}

dem_status dem_world_written(dem_world *world)
{
    DEMI_SET(world, guarded_world_written(world));
}

/* Whether values are other bits than those of a row. */
static int differs(const double *row, const double *value, uint64_t width)
{
    /* bits are meant, the sign of a zero, too */
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
    return memcmp(row, value, (size_t)width * sizeof(double)) != 0;
}

DEMI_GUARDED guarded_world_field_set(dem_world *world, int32_t field, uint64_t count,
                                     const double *values)
{
    demi_context *context = &world->context;
    dem_status status = field_writable(context, field);
    if (status != DEM_OK)
        return status;
    const demi_field *of = &demi_fields[field];
    if (values == NULL && count > 0)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "values: must not be NULL");
    if (count != world->rows)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "count: %llu is not %llu, the number of rows of a view that is not stale",
                         (unsigned long long)count, (unsigned long long)world->rows);
    const uint64_t *id = demi_shown_ids(world), width = demi_field_width(world, of);
    const int looked_at = (of->traits & DEMI_FIELD_HOSTS) == 0;
    for (uint64_t row = 0; looked_at && row < count; ++row)
        if (id[row] != 0) {
            status = demi_field_check(world, of, row, values + width * row, "given");
            if (status != DEM_OK)
                return status;
        }
    status = demi_field_reserve(world, of);
    if (status != DEM_OK)
        return status;
    double *to = demi_field_first(world, of);
    const uint64_t stride = demi_field_stride(world, of);
    int moved = 0;
    for (uint64_t row = 0; row < count; ++row, to += stride, values += width)
        if (id[row] != 0 && differs(to, values, width)) {
            memcpy(to, values, (size_t)width * sizeof(double));
            moved |= (of->traits & DEMI_FIELD_MOTION) != 0;
        }
    world->forces_stale |= moved;
    if (moved)
        demi_ghosts_outdate(world);
    if ((of->traits & DEMI_FIELD_INERTIA) != 0)
        demi_added_mass_settle(world);
    demi_ghost_fields_written(world, 1u << field);
    return DEM_OK;
}

dem_status dem_world_field_set(dem_world *world, int32_t field, uint64_t count,
                               const double *values)
{
    DEMI_SET(world, guarded_world_field_set(world, field, count, values));
}
