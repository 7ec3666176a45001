/* SPDX-License-Identifier: MIT */
/* Reading what worlds that have a particle as a ghost are to know of it. */
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "world/added_mass.h"
#include "world/ghosts.h"

#include <dem/distribution.h>

/* What a fluid does to a row. */
static void fluid_of(const dem_world *w, uint64_t row, dem_ghost *ghost)
{
    if (w->fluid.read != NULL) {
        const demi_fluid *fluid = &w->fluid.read[row];
        ghost->drag_coefficient = fluid->velocity[3];
        ghost->rotational_drag = fluid->angular_velocity[3];
        for (int c = 0; c < 3; ++c) {
            ghost->fluid_velocity[c] = fluid->velocity[c];
            ghost->fluid_angular_velocity[c] = fluid->angular_velocity[c];
        }
    }
    if (w->added_mass.read != NULL)
        ghost->added_mass = demi_added_mass_of(w, row)->mass;
}

static dem_ghost ghost_of(const dem_world *w, uint64_t row)
{
    const demi_body *body = &w->body.read[row];
    const demi_velocities *velocities = &w->current.velocity.read[row];
    const demi_force_torque *load = &w->current.force_torque.read[row];
    dem_ghost ghost = {
        .struct_size = sizeof ghost,
        .id = body->id,
        .material = body->material,
        .mobility = demi_kinds[body->kind].mobility,
        .radius = w->current.position.read[row][3],
        .mass = w->particle.read[row].mass,
        .contact_mass = demi_ghost_contact_mass(body->kind, velocities->velocity[3]),
        .lag = w->velocity_lag,
    };
    fluid_of(w, row, &ghost);
    for (int c = 0; c < 3; ++c) {
        ghost.position[c] = w->current.position.read[row][c];
        ghost.image[c] = body->image[c];
        ghost.velocity[c] = velocities->velocity[c];
        ghost.angular_velocity[c] = velocities->angular_velocity[c];
        ghost.force[c] = load->force[c];
        ghost.torque[c] = load->torque[c];
        ghost.external_force[c] =
            w->external_force.read != NULL ? w->external_force.read[row][c] : 0.0;
        ghost.external_torque[c] =
            w->external_torque.read != NULL ? w->external_torque.read[row][c] : 0.0;
    }
    return ghost;
}

DEMI_GUARDED guarded_ghosts_get(const dem_world *world, uint64_t count,
                                const dem_particle_handle *handles, dem_ghost *ghosts)
{
    dem_status status = demi_ghost_handles_check(world, count, handles);
    if (status == DEM_OK)
        status = demi_ghost_parts_refuse(world, count, handles);
    if (status != DEM_OK || count == 0)
        return status;
    if (ghosts == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "ghosts: must not be NULL");
    const uint64_t size = ghosts->struct_size;
    status = demi_ghost_size_check(world, size);
    if (status != DEM_OK)
        return status;
    for (uint64_t k = 0; k < count; ++k) {
        const dem_ghost *at = (const dem_ghost *)((const unsigned char *)ghosts + k * size);
        if (demi_sized_check_output(at) != DEM_OK || at->struct_size != size)
            return demi_sized_fail_output(world->self, "dem_ghost", at->struct_size);
    }
    for (uint64_t k = 0; k < count; ++k) {
        const dem_ghost ghost = ghost_of(world, demi_ghost_row(world, handles[k]));
        status = demi_sized_write((dem_ghost *)((unsigned char *)ghosts + k * size), size, &ghost);
    }
    return status;
}

dem_status dem_ghosts_get(const dem_world *world, uint64_t count,
                          const dem_particle_handle *handles, dem_ghost *ghosts)
{
    DEMI_READ(world, guarded_ghosts_get(world, count, handles, ghosts));
}
