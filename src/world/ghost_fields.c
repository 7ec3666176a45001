/* SPDX-License-Identifier: MIT */
/* Fields of chosen particles, and those that ghosts get of their owners. */
#include "world/ghost_told.h"

#include "base/entry.h"
#include "world/added_mass.h"
#include "world/hook.h"

#include <dem/distribution.h>

#include <string.h>

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
            memcpy(values, first + row * stride, (size_t)width * sizeof(double));
        else /* nothing was written yet */
            memset(values, 0, (size_t)width * sizeof(double));
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
    const int hooked = demi_hooked(w) && w->ghosts.dt > 0.0 && field != DEM_FIELD_ADDED_MASS;
    if (context->halfway && !hooked)
        return demi_fail(context, DEM_ERROR_STATE,
                         "field: %s of ghosts: a step has begun, and before_forces cannot have "
                         "written it: call dem_step_end or dem_step_cancel first",
                         demi_fields[field].constant);
    return DEM_OK;
}

/* All handles are those of ghosts, which may have the values. */
static dem_status set_check(dem_world *w, int32_t field, uint64_t count,
                            const dem_particle_handle *handles, const double *values, int *any)
{
    const demi_field *of = &demi_fields[field];
    const int of_parts = (DEMI_TOUCHED_PARTS & 1u << field) != 0;
    for (uint64_t k = 0; k < count; ++k, values += of->width) {
        uint64_t row;
        dem_status status = demi_handle_row(w, handles[k], &row);
        if (status == DEM_OK && w->body.read[row].rigid != 0 && !of_parts)
            status = demi_rigid_refuse(w, row, "set the load of");
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
    status = set_check(world, field, count, handles, values, &any);
    if (status == DEM_OK && any)
        status = context->halfway ? demi_field_in_hook(world, of) : demi_field_reserve(world, of);
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
        demi_ghost_field_tell(&world->ghosts, world->body.read[row].rigid != 0, handles[k].index,
                              field);
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
