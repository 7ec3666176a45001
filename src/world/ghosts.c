/* SPDX-License-Identifier: MIT */
/* Ghosts: rows of particles that other worlds own. They move as owned ones do, by the forces that
 * their owners tell. Here are the memory they have beside rows, and particles that become ghosts.
 */
#include "base/entry.h"
#include "world/ghost_told.h"
#include "world/ghosts.h"

#include <dem/distribution.h>

#include <string.h>

dem_status demi_ghosts_check(dem_world *w)
{
    if (w->models.films == 0)
        return DEM_OK;
    return demi_fail(
        &w->context, DEM_ERROR_STATE,
        "world: a model has the part \"film\", which does not act on ghosts: take a model "
        "without it, or keep all particles in one world");
}

void demi_ghosts_free(dem_world *w)
{
    demi_array_free(&w->context, &w->ghosts.told_in);
    demi_array_free(&w->context, &w->ghosts.fields.in);
    demi_array_free(&w->context, &w->ghosts.part_fields.in);
}

/* Room for what a world with ghosts has beside rows. */
dem_status demi_ghosts_reserve(dem_world *w, uint64_t handles)
{
    const uint64_t there = demi_array_room(&w->ghosts.told_in);
    dem_status status = demi_array_reserve(&w->context, &w->ghosts.told_in, handles, 1, "ghosts");
    const uint64_t room = demi_array_room(&w->ghosts.told_in);
    if (status == DEM_OK && room > there)
        memset(w->ghosts.told_in.data + there, 0, (size_t)(room - there) * sizeof(uint64_t));
    if (status == DEM_OK)
        status = demi_ghost_fields_reserve(w, handles);
    if (status == DEM_OK && w->shown_id.data == NULL) {
        status = demi_rows_reserve(w, &w->shown_id.buffer);
        for (uint64_t row = 0; status == DEM_OK && row < w->rows; ++row)
            demi_row_show(w, row);
    }
    return status;
}

dem_status demi_ghosts_restore(dem_world *w)
{
    uint64_t count = 0;
    for (uint64_t row = 0; row < w->rows; ++row)
        count += w->body.read[row].id != 0 && demi_kinds[w->body.read[row].kind].ghost;
    w->ghosts.count = count;
    w->particles -= count;
    if (count == 0)
        return DEM_OK;
    demi_ghosts_expect(w);
    return demi_ghosts_reserve(w, w->handles);
}

/* ------------------------------------------------------------------ handles */

dem_status demi_ghost_handles_check(const dem_world *w, uint64_t count,
                                    const dem_particle_handle *handles)
{
    dem_status status = DEM_OK;
    uint64_t row;
    if (handles == NULL && count > 0)
        return demi_fail(w->self, DEM_ERROR_ARGUMENT, "handles: must not be NULL");
    for (uint64_t k = 0; status == DEM_OK && k < count; ++k)
        status = demi_handle_row(w, handles[k], &row);
    return status;
}

dem_status demi_ghost_parts_refuse(const dem_world *w, uint64_t count,
                                   const dem_particle_handle *handles)
{
    for (uint64_t k = 0; w->rigids > 0 && k < count; ++k) {
        const uint64_t row = w->handle.read[handles[k].index].row;
        if (w->body.read[row].rigid != 0)
            return demi_rigid_refuse(w, row, "tell the ghosts of");
    }
    return DEM_OK;
}

/* ------------------------------------------------------------------ giving away */

/* Whether a particle may be given away; marks it. */
static dem_status release_name(dem_world *w, dem_particle_handle handle)
{
    const demi_body *body = &w->body.read[demi_ghost_row(w, handle)];
    uint64_t *mark = &w->ghosts.told_in.data[handle.index];
    const char *why = body->rigid != 0               ? "is a part of a body"
                      : demi_kinds[body->kind].ghost ? "is a ghost already"
                      : *mark == DEMI_NAMED_GHOST    ? "is named twice"
                                                     : NULL;
    if (why != NULL)
        return demi_fail(&w->context, DEM_ERROR_STATE, "particle %llu: %s",
                         (unsigned long long)body->id, why);
    *mark = DEMI_NAMED_GHOST;
    return DEM_OK;
}

DEMI_GUARDED guarded_particles_release(dem_world *world, uint64_t count,
                                       const dem_particle_handle *handles)
{
    dem_status status = demi_ghost_handles_check(world, count, handles);
    if (status == DEM_OK)
        status = demi_ghosts_check(world);
    if (status == DEM_OK)
        status = demi_ghosts_reserve(world, world->handles);
    uint64_t named = 0;
    while (status == DEM_OK && named < count) {
        status = release_name(world, handles[named]);
        named += status == DEM_OK;
    }
    for (uint64_t k = 0; k < named; ++k)
        world->ghosts.told_in.data[handles[k].index] = 0;
    if (status != DEM_OK || count == 0)
        return status;
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t row = demi_ghost_row(world, handles[k]);
        demi_body *body = &world->body.data[row];
        body->kind = demi_kind_of_ghost(demi_kinds[body->kind].mobility);
        demi_row_show(world, row);
    }
    world->particles -= count;
    world->ghosts.count += count;
    demi_ghosts_expect(world);
    world->list_stale = 1;
    world->generation++;
    demi_mark_end(world);
    return DEM_OK;
}

dem_status dem_particles_release(dem_world *world, uint64_t count,
                                 const dem_particle_handle *handles)
{
    DEMI_SET(world, guarded_particles_release(world, count, handles));
}
