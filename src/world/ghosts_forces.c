/* SPDX-License-Identifier: MIT */
/* Forces of particles, on their way from worlds that own them to those that have them as ghosts. */
#include "base/check.h"
#include "base/entry.h"
#include "world/ghosts.h"

#include <dem/distribution.h>

#include <math.h>
#include <string.h>

dem_status demi_ghost_load_check(demi_context *context, const char *what, uint64_t id,
                                 const double load[6])
{
    for (int c = 0; c < 6; ++c)
        if (!(fabs(load[c]) <= DEMI_FORCE_MOST))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "%s %llu: %s[%d]: %g must be finite and within %g", what,
                             (unsigned long long)id, c < 3 ? "force" : "torque", c % 3, load[c],
                             DEMI_FORCE_MOST);
    return DEM_OK;
}

DEMI_GUARDED guarded_forces_get(const dem_world *world, uint64_t count,
                                const dem_particle_handle *handles, double *force_torque)
{
    const dem_status status = demi_ghost_handles_check(world, count, handles);
    if (status != DEM_OK || count == 0)
        return status;
    if (force_torque == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "force_torque: must not be NULL");
    const demi_state *state = world->context.halfway ? &world->next : &world->current;
    for (uint64_t k = 0; k < count; ++k) {
        const demi_force_torque *load =
            &state->force_torque.read[demi_ghost_row(world, handles[k])];
        memcpy(force_torque + 6 * k, load->force, 3 * sizeof(double));
        memcpy(force_torque + 6 * k + 3, load->torque, 3 * sizeof(double));
    }
    return DEM_OK;
}

dem_status dem_particles_forces_get(const dem_world *world, uint64_t count,
                                    const dem_particle_handle *handles, double *force_torque)
{
    DEMI_READ(world, guarded_forces_get(world, count, handles, force_torque));
}

DEMI_GUARDED guarded_forces_set(dem_world *world, uint64_t count,
                                const dem_particle_handle *handles, const double *force_torque)
{
    demi_context *context = &world->context;
    dem_status status = demi_ghost_handles_check(world, count, handles);
    if (status == DEM_OK)
        status = demi_ghost_parts_refuse(world, count, handles);
    if (status != DEM_OK)
        return status;
    if (force_torque == NULL && count > 0)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "force_torque: must not be NULL");
    if (!context->halfway)
        return demi_fail(context, DEM_ERROR_STATE,
                         "dem_ghosts_forces_set: no step has begun: call dem_step_begin first");
    for (uint64_t k = 0; k < count; ++k) {
        const demi_body *body = &world->body.read[demi_ghost_row(world, handles[k])];
        const double *load = force_torque + 6 * k;
        if (!demi_kinds[body->kind].ghost)
            return demi_fail(context, DEM_ERROR_STATE, "particle %llu: is not a ghost",
                             (unsigned long long)body->id);
        const dem_status fits = demi_ghost_load_check(context, "ghost with id", body->id, load);
        if (fits != DEM_OK)
            return fits;
    }
    demi_ghosts *ghosts = &world->ghosts;
    for (uint64_t k = 0; k < count; ++k) {
        demi_force_torque *load = &world->next.force_torque.data[demi_ghost_row(world, handles[k])];
        uint64_t *told = &ghosts->told_in.data[handles[k].index];
        memcpy(load->force, force_torque + 6 * k, 3 * sizeof(double));
        memcpy(load->torque, force_torque + 6 * k + 3, 3 * sizeof(double));
        ghosts->told += *told != ghosts->halves;
        *told = ghosts->halves;
    }
    return DEM_OK;
}

dem_status dem_ghosts_forces_set(dem_world *world, uint64_t count,
                                 const dem_particle_handle *handles, const double *force_torque)
{
    DEMI_SET_HALFWAY(world, guarded_forces_set(world, count, handles, force_torque));
}
