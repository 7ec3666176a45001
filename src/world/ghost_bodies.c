/* SPDX-License-Identifier: MIT */
/* Ghosts that are bodies of parts: each world moves them by the load that their owners tell, force
 * and torque about the centre of mass. Their parts follow, and make contacts as other ghosts do.
 * How they come is in io/ghost_bodies.c. */
#include "base/check.h"
#include "base/entry.h"
#include "world/world.h"

#include <dem/distribution.h>

#include <string.h>

/* The places of all handles are there. */
static dem_status places_check(const dem_world *w, uint64_t count, const dem_body_handle *handles)
{
    dem_status status = DEM_OK;
    uint64_t place;
    if (handles == NULL && count > 0)
        return demi_fail(w->self, DEM_ERROR_ARGUMENT, "handles: must not be NULL");
    for (uint64_t k = 0; status == DEM_OK && k < count; ++k)
        status = demi_rigid_place_of(w, handles[k], &place);
    return status;
}

/* ------------------------------------------------------------------ loads */

DEMI_GUARDED guarded_loads_get(const dem_world *world, uint64_t count,
                               const dem_body_handle *handles, double *force_torque)
{
    const dem_status status = places_check(world, count, handles);
    if (status != DEM_OK || count == 0)
        return status;
    if (force_torque == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "force_torque: must not be NULL");
    for (uint64_t k = 0; k < count; ++k)
        demi_rigid_load(world, world->context.halfway, handles[k].index, force_torque + 6 * k);
    return DEM_OK;
}

dem_status dem_bodies_loads_get(const dem_world *world, uint64_t count,
                                const dem_body_handle *handles, double *force_torque)
{
    DEMI_READ(world, guarded_loads_get(world, count, handles, force_torque));
}

static dem_status loads_check(dem_world *w, uint64_t count, const dem_body_handle *handles,
                              const double *force_torque)
{
    const dem_status status = places_check(w, count, handles);
    if (status != DEM_OK)
        return status;
    if (force_torque == NULL && count > 0)
        return demi_fail(&w->context, DEM_ERROR_ARGUMENT, "force_torque: must not be NULL");
    for (uint64_t k = 0; k < count; ++k) {
        const demi_rigid *rigid = &w->rigid.read[handles[k].index];
        const double *load = force_torque + 6 * k;
        if (!rigid->ghost)
            return demi_fail(&w->context, DEM_ERROR_STATE, "body %llu: is not a ghost",
                             (unsigned long long)rigid->id);
        const dem_status fits = demi_ghost_load_check(&w->context, "ghost: body", rigid->id, load);
        if (fits != DEM_OK)
            return fits;
    }
    return DEM_OK;
}

DEMI_GUARDED guarded_loads_set(dem_world *world, uint64_t count, const dem_body_handle *handles,
                               const double *force_torque)
{
    const dem_status status = loads_check(world, count, handles, force_torque);
    if (status != DEM_OK)
        return status;
    demi_ghosts *ghosts = &world->ghosts;
    const int halfway = world->context.halfway;
    demi_state *state = halfway ? &world->next : &world->current;
    for (uint64_t k = 0; k < count; ++k) {
        demi_rigid *rigid = &world->rigid.data[handles[k].index];
        demi_pose *pose = &state->pose.data[handles[k].index];
        memcpy(pose->load, force_torque + 6 * k, sizeof pose->load);
        ghosts->bodies_due -= rigid->due != 0;
        rigid->due = 0;
        if (!halfway)
            continue;
        ghosts->bodies_told += rigid->told != ghosts->halves;
        rigid->told = ghosts->halves;
    }
    return DEM_OK;
}

dem_status dem_ghost_bodies_loads_set(dem_world *world, uint64_t count,
                                      const dem_body_handle *handles, const double *force_torque)
{
    DEMI_SET_HALFWAY(world, guarded_loads_set(world, count, handles, force_torque));
}

/* ------------------------------------------------------------------ giving away */

/* Makes a body a ghost. */
static void body_release(dem_world *w, uint64_t place)
{
    demi_rigid *rigid = &w->rigid.data[place];
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    demi_rigid_load(w, 0, place, w->current.pose.data[place].load);
    rigid->ghost = 1;
    rigid->told = 0;
    rigid->due = 0;
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        const uint64_t row = demi_rigid_row(w, &part[p]);
        demi_body *body = &w->body.data[row];
        body->kind = demi_kind_of_ghosts(body->kind);
        demi_row_show(w, row);
    }
    w->particles -= rigid->parts;
    w->ghosts.count += rigid->parts;
    w->ghosts.parts += rigid->parts;
    w->ghosts.bodies++;
}

DEMI_GUARDED guarded_bodies_release(dem_world *world, uint64_t count,
                                    const dem_body_handle *handles)
{
    dem_status status = places_check(world, count, handles);
    if (status == DEM_OK)
        status = demi_ghosts_check(world);
    if (status == DEM_OK)
        status = demi_ghosts_reserve(world, world->handles);
    uint64_t named = 0;
    for (; status == DEM_OK && named < count; ++named) {
        demi_rigid *rigid = &world->rigid.data[handles[named].index];
        if (rigid->ghost || rigid->named) {
            status = demi_fail(&world->context, DEM_ERROR_STATE, "body %llu: is %s",
                               (unsigned long long)rigid->id,
                               rigid->ghost ? "a ghost already" : "named twice");
            break;
        }
        rigid->named = 1;
    }
    for (uint64_t k = 0; k < named; ++k)
        world->rigid.data[handles[k].index].named = 0;
    if (status != DEM_OK || count == 0)
        return status;
    for (uint64_t k = 0; k < count; ++k)
        body_release(world, handles[k].index);
    world->ghosts.body_margin = 1.0;
    world->ghosts.body_moved = INFINITY; /* the ghosts are to be set anew */
    world->list_stale = 1;
    world->generation++;
    demi_mark_end(world);
    return DEM_OK;
}

dem_status dem_bodies_release(dem_world *world, uint64_t count, const dem_body_handle *handles)
{
    DEMI_SET(world, guarded_bodies_release(world, count, handles));
}
