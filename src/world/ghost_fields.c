/* SPDX-License-Identifier: MIT */
/* Fields that the host writes where particles are owned, and what their ghosts get of them. */
#include "world/ghost_fields.h"

#include "base/check.h"
#include "base/entry.h"
#include "world/added_mass.h"
#include "world/hook.h"

#include <dem/distribution.h>

#include <string.h>

/* ------------------------------------------------------------------ what ghosts were told */

dem_status demi_ghost_fields_reserve(dem_world *w, uint64_t handles)
{
    demi_ghosts *ghosts = &w->ghosts;
    const uint64_t there = demi_array_room(&ghosts->fields_in);
    const dem_status status =
        demi_array_reserve(&w->context, &ghosts->fields_in, handles, 1, "ghosts");
    const uint64_t room = demi_array_room(&ghosts->fields_in);
    if (status == DEM_OK && room > there)
        memset(ghosts->fields_in.data + there, 0, (size_t)(room - there) * sizeof(uint32_t));
    return status;
}

void demi_ghost_fields_forget(dem_world *w)
{
    demi_ghosts *ghosts = &w->ghosts;
    const uint64_t room = demi_array_room(&ghosts->fields_in);
    ghosts->fields_due = ghosts->fields_phase = 0;
    memset(ghosts->field_told, 0, sizeof ghosts->field_told);
    if (room > 0)
        memset(ghosts->fields_in.data, 0, (size_t)room * sizeof(uint32_t));
}

void demi_ghost_fields_written(dem_world *w, uint32_t fields)
{
    demi_ghosts *ghosts = &w->ghosts;
    if (ghosts->count == 0)
        return;
    for (int f = 0; f < DEMI_FIELDS; ++f) {
        const uint32_t bit = 1u << f;
        if ((fields & DEMI_TOUCHED_GHOSTS & bit) == 0 ||
            demi_field_first(w, &demi_fields[f]) == NULL)
            continue;
        ghosts->fields_due |= bit;
        /* those that have the old values are to get the new ones */
        for (uint64_t k = 0; ghosts->field_told[f] > 0 && k < w->handles; ++k)
            ghosts->fields_in.data[k] =
                (ghosts->fields_in.read[k] & ~bit) | (ghosts->fields_phase & bit);
        ghosts->field_told[f] = 0;
    }
}

dem_status demi_ghost_fields_check(dem_world *w, const char *function)
{
    const demi_ghosts *ghosts = &w->ghosts;
    int f = 0;
    if (ghosts->fields_due == 0)
        return DEM_OK;
    while ((ghosts->fields_due >> f & 1u) == 0)
        ++f;
    return demi_fail(&w->context, DEM_ERROR_STATE,
                     "%s: %s was written, and %llu of %llu ghosts did not get what their owners "
                     "have: call dem_ghosts_field_set or dem_ghosts_set",
                     function, demi_fields[f].constant,
                     (unsigned long long)(ghosts->count - ghosts->field_told[f]),
                     (unsigned long long)ghosts->count);
}

/* Marks that a ghost has a field; when all have it nothing is due, and no mark need be cleared:
 * they change their meaning. */
static void field_tell(demi_ghosts *ghosts, uint32_t handle, int32_t field)
{
    const uint32_t bit = 1u << field;
    if (((ghosts->fields_in.read[handle] ^ ghosts->fields_phase) & bit) != 0)
        return;
    ghosts->fields_in.data[handle] ^= bit;
    if (++ghosts->field_told[field] < ghosts->count)
        return;
    ghosts->fields_phase ^= bit;
    ghosts->field_told[field] = 0;
    ghosts->fields_due &= ~bit;
}

/* ------------------------------------------------------------------ reading */

static int is_ghost(const dem_world *w, uint64_t row)
{
    return demi_kinds[w->body.read[row].kind].ghost;
}

/* The rows of all handles are there, and have the field. */
static dem_status get_check(const dem_world *w, const demi_field *of, uint64_t count,
                            const dem_particle_handle *handles)
{
    const int of_owner = (of->traits & (DEMI_FIELD_SUMMED | DEMI_FIELD_HOSTS)) != 0;
    for (uint64_t k = 0; k < count; ++k) {
        uint64_t row;
        const dem_status status = demi_handle_row(w, handles[k], &row);
        if (status != DEM_OK)
            return status;
        if (of_owner && is_ghost(w, row))
            return demi_fail(w->self, DEM_ERROR_STATE,
                             "particle %llu: is a ghost: its owner has its %s",
                             (unsigned long long)w->body.read[row].id, of->name);
    }
    return DEM_OK;
}

DEMI_GUARDED guarded_field_get(const dem_world *world, int32_t field, uint64_t count,
                               const dem_particle_handle *handles, double *values)
{
    dem_status status = demi_field_known(world->self, field);
    if (status != DEM_OK)
        return status;
    const demi_field *of = &demi_fields[field];
    status = demi_field_offered(world, of);
    if (status != DEM_OK || count == 0)
        return status;
    if (handles == NULL || values == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                         handles == NULL ? "handles" : "values");
    status = get_check(world, of, count, handles);
    if (status != DEM_OK)
        return status;
    const uint64_t width = demi_field_width(world, of), stride = demi_field_stride(world, of);
    const double *first = demi_field_first(world, of);
    for (uint64_t k = 0; k < count; ++k, values += width) {
        const uint64_t row = world->handle.read[handles[k].index].row;
        if (first != NULL)
            memcpy(values, first + row * stride, width * sizeof(double));
        else /* nothing was written yet */
            memset(values, 0, width * sizeof(double));
    }
    return DEM_OK;
}

dem_status dem_particles_field_get(const dem_world *world, int32_t field, uint64_t count,
                                   const dem_particle_handle *handles, double *values)
{
    DEMI_READ(world, guarded_field_get(world, field, count, handles, values));
}

/* ------------------------------------------------------------------ setting */

/* Whether ghosts take this field now. */
static dem_status field_settable(dem_world *w, int32_t field)
{
    demi_context *context = &w->context;
    const dem_status status = demi_field_known(context, field);
    if (status != DEM_OK)
        return status;
    if ((DEMI_TOUCHED_GHOSTS & 1u << field) == 0)
        return demi_fail(context, DEM_ERROR_STATE,
                         "field: %s is no force of the host and no field of a fluid: ghosts take "
                         "motion by dem_ghosts_set, and no more",
                         demi_fields[field].constant);
    if (context->halfway)
        return demi_fail(context, DEM_ERROR_STATE,
                         "field: %s of ghosts: a step has begun: call dem_step_end or "
                         "dem_step_cancel first",
                         demi_fields[field].constant);
    return DEM_OK;
}

/* All handles are those of ghosts, which may have the values. */
static dem_status set_check(dem_world *w, const demi_field *of, uint64_t count,
                            const dem_particle_handle *handles, const double *values, int *any)
{
    for (uint64_t k = 0; k < count; ++k, values += of->width) {
        uint64_t row;
        dem_status status = demi_handle_row(w, handles[k], &row);
        if (status == DEM_OK && !is_ghost(w, row))
            status = demi_fail(&w->context, DEM_ERROR_STATE, "particle %llu: is not a ghost",
                               (unsigned long long)w->body.read[row].id);
        if (status == DEM_OK)
            status = demi_field_check(w, of, row, values, "of a ghost");
        if (status != DEM_OK)
            return status;
        for (uint32_t c = 0; c < of->width; ++c)
            *any |= values[c] != 0.0;
    }
    return DEM_OK;
}

DEMI_GUARDED guarded_field_set(dem_world *world, int32_t field, uint64_t count,
                               const dem_particle_handle *handles, const double *values)
{
    demi_context *context = &world->context;
    int any = 0;
    dem_status status = field_settable(world, field);
    if (status != DEM_OK || count == 0)
        return status;
    if (handles == NULL || values == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                         handles == NULL ? "handles" : "values");
    const demi_field *of = &demi_fields[field];
    status = set_check(world, of, count, handles, values, &any);
    if (status == DEM_OK && any)
        status = demi_field_reserve(world, of);
    /* inertias that the host wrote beside them are to be valid */
    if (status == DEM_OK && (of->traits & DEMI_FIELD_INERTIA) != 0)
        status = demi_added_mass_written(world);
    if (status != DEM_OK)
        return status;
    double *first = demi_field_first(world, of);
    for (uint64_t k = 0; k < count; ++k, values += of->width) {
        const uint64_t row = world->handle.read[handles[k].index].row;
        if (first != NULL)
            memcpy(first + row * of->stride, values, of->width * sizeof(double));
        field_tell(&world->ghosts, handles[k].index, field);
    }
    if ((of->traits & DEMI_FIELD_INERTIA) != 0)
        demi_added_mass_settle(world);
    return DEM_OK;
}

dem_status dem_ghosts_field_set(dem_world *world, int32_t field, uint64_t count,
                                const dem_particle_handle *handles, const double *values)
{
    DEMI_SET_HALFWAY(world, guarded_field_set(world, field, count, handles, values));
}
