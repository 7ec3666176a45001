/* SPDX-License-Identifier: MIT */
/* Setting ghosts: those that are not named go, those that stay move, new ones get rows. */
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "world/added_mass.h"
#include "world/ghost_told.h"
#include "world/ghosts.h"
#include "world/images.h"
#include "world/motion_written.h"

#include <dem/distribution.h>

#include <string.h>

/* Marks ids that a call names, while it looks at what it was given. */
#define NAMED_ID (DEMI_WALL_BIT - 1u)

/* Reads ghost k of the caller's array, whose elements have the size of the first. */
static dem_status ghost_read(dem_world *w, const dem_ghost *ghosts, uint64_t k, dem_ghost *out)
{
    const uint64_t size = ghosts->struct_size;
    const dem_ghost *at = (const dem_ghost *)((const unsigned char *)ghosts + k * size);
    memset(out, 0, sizeof *out);
    if (demi_sized_read(out, at) != DEM_OK || at->struct_size != size)
        return demi_sized_fail_output(&w->context, "dem_ghost", at->struct_size);
    return DEM_OK;
}

/* Names ghost k: a new id in the table of ids, one that stays by its mark. */
static dem_status ghost_name(dem_world *w, const dem_ghost *ghost)
{
    uint32_t handle;
    const char *twice = NULL;
    if (!demi_idmap_find(&w->ids, ghost->id, &handle)) {
        demi_idmap_insert(&w->ids, ghost->id, NAMED_ID);
        return DEM_OK;
    }
    const int wall = (handle & DEMI_WALL_BIT) != 0, new_one = handle == NAMED_ID;
    if (wall)
        twice = "a wall";
    else if (new_one || w->ghosts.told_in.read[handle] == DEMI_NAMED_GHOST)
        twice = "another ghost of the call";
    else if (w->body.read[w->handle.read[handle].row].rigid != 0)
        twice = "a part of a body";
    else if (!demi_kinds[w->body.read[w->handle.read[handle].row].kind].ghost)
        twice = "a particle that this world owns";
    if (twice != NULL)
        return demi_fail(&w->context, DEM_ERROR_DUPLICATE, "ghost with id %llu: %s has the id",
                         (unsigned long long)ghost->id, twice);
    const dem_status status = demi_ghost_same(w, w->handle.read[handle].row, ghost);
    if (status == DEM_OK)
        w->ghosts.told_in.data[handle] = DEMI_NAMED_GHOST;
    return status;
}

/* Takes back what naming the first `count` ghosts left. */
static void ghosts_unname(dem_world *w, uint64_t count, const dem_ghost *ghosts)
{
    dem_ghost ghost;
    uint32_t handle;
    for (uint64_t k = 0; k < count; ++k) {
        (void)ghost_read(w, ghosts, k, &ghost);
        if (!demi_idmap_find(&w->ids, ghost.id, &handle))
            continue;
        if (handle == NAMED_ID)
            demi_idmap_remove(&w->ids, ghost.id);
        else
            w->ghosts.told_in.data[handle] = 0;
    }
}

/* Removes ghosts that were not named; tells whether there were any. */
static int ghosts_remove(dem_world *w)
{
    const uint64_t count = w->ghosts.count;
    for (uint64_t row = 0; row < w->rows; ++row) {
        const demi_body *body = &w->body.read[row];
        const uint32_t handle = w->particle.read[row].handle;
        if (body->id != 0 && demi_kinds[body->kind].ghost && body->rigid == 0 &&
            w->ghosts.told_in.read[handle] != DEMI_NAMED_GHOST)
            demi_particle_remove(w, handle);
    }
    return w->ghosts.count != count;
}

static dem_particle_handle ghost_add(dem_world *w, const dem_ghost *ghost)
{
    const dem_particle p = demi_ghost_particle(ghost);
    dem_particle_handle handle;
    demi_idmap_remove(&w->ids, ghost->id);
    demi_particle_place(w, &p, &handle);
    const uint64_t row = demi_ghost_row(w, handle);
    w->body.data[row].kind = demi_kind_of_ghost(ghost->mobility);
    memcpy(w->body.data[row].image, ghost->image, sizeof ghost->image);
    w->particles--;
    w->ghosts.count++;
    demi_row_show(w, row);
    return handle;
}

/* What a fluid does to a ghost. What follows from added mass is brought up to date by the caller.
 */
static void fluid_write(dem_world *w, uint64_t row, const dem_ghost *ghost)
{
    if (w->fluid.data != NULL) {
        demi_fluid *fluid = &w->fluid.data[row];
        fluid->velocity[3] = ghost->drag_coefficient;
        fluid->angular_velocity[3] = ghost->rotational_drag;
        for (int c = 0; c < 3; ++c) {
            fluid->velocity[c] = ghost->fluid_velocity[c];
            fluid->angular_velocity[c] = ghost->fluid_angular_velocity[c];
        }
    }
    if (w->added_mass.data == NULL)
        return;
    demi_added_mass_of(w, row)->mass = ghost->added_mass;
    if (!demi_kinds[w->body.read[row].kind].integrated)
        return;
    w->current.velocity.data[row].velocity[3] = 1.0 / (ghost->mass + ghost->added_mass);
}

/* Motion and loads of a row. Its own image stays, which contacts know, as that of the owner does;
 * tells whether it moved. */
static int ghost_write(dem_world *w, uint64_t row, const dem_ghost *ghost)
{
    double *x = w->current.position.data[row];
    demi_velocities *velocities = &w->current.velocity.data[row];
    demi_force_torque *load = &w->current.force_torque.data[row];
    int moved = 0;
    fluid_write(w, row, ghost);
    for (int c = 0; c < 3; ++c) {
        const double there =
            demi_with_image(w, c, ghost->position[c], ghost->image[c], &w->body.data[row].image[c]);
        moved |= x[c] != there;
        x[c] = there;
        velocities->velocity[c] = ghost->velocity[c];
        velocities->angular_velocity[c] = ghost->angular_velocity[c];
        load->force[c] = ghost->force[c];
        load->torque[c] = ghost->torque[c];
        if (w->external_force.data != NULL)
            w->external_force.data[row][c] = ghost->external_force[c];
        if (w->external_torque.data != NULL)
            w->external_torque.data[row][c] = ghost->external_torque[c];
    }
    return moved;
}

/* Frees the fields that a refused call made: a world that has one of a fluid has a fluid. */
static void set_return(dem_world *w, demi_buffer *const made[4])
{
    for (int k = 0; k < 4; ++k)
        if (made[k] != NULL)
            demi_buffer_free(&w->context, made[k]);
}

/* Room for all that the call may add; made: fields that were not there. */
static dem_status set_reserve(dem_world *w, uint64_t count, const dem_ghost *ghosts,
                              demi_buffer *made[4])
{
    dem_ghost ghost;
    int force = 0, torque = 0, fluid = 0, added = 0;
    for (uint64_t k = 0; k < count; ++k) {
        (void)ghost_read(w, ghosts, k, &ghost);
        force |= demi_any3(ghost.external_force);
        torque |= demi_any3(ghost.external_torque);
        fluid |= ghost.drag_coefficient != 0.0 || ghost.rotational_drag != 0.0 ||
                 demi_any3(ghost.fluid_velocity) || demi_any3(ghost.fluid_angular_velocity);
        added |= ghost.added_mass != 0.0;
    }
    if (added && w->rigids > w->rigids_vacant)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "ghosts: they have added mass, and the world has bodies, which have none "
                         "yet");
    dem_status status = demi_rows_make_room(w, count);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &w->handle, (w->handles + count), 1, "handles");
    if (status == DEM_OK)
        status = demi_idmap_reserve(&w->context, &w->ids, count);
    if (status == DEM_OK)
        status = demi_ghosts_reserve(w, w->handles + count);
    demi_buffer *const fields[] = {&w->external_force.buffer, &w->external_torque.buffer,
                                   &w->fluid.buffer, &w->added_mass.buffer};
    const int wanted[] = {force, torque, fluid, added};
    for (int k = 0; status == DEM_OK && k < 4; ++k)
        if (wanted[k]) {
            made[k] = fields[k]->data == NULL ? fields[k] : NULL;
            status = demi_rows_reserve(w, fields[k]);
        }
    return status;
}

DEMI_GUARDED guarded_ghosts_set(dem_world *world, uint64_t count, const dem_ghost *ghosts,
                                double margin, dem_particle_handle *handles)
{
    demi_context *context = &world->context;
    dem_ghost ghost;
    demi_buffer *made[4] = {NULL};
    double lag = -1.0;
    if (ghosts == NULL && count > 0)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "ghosts: must not be NULL");
    if (!(margin > 0.0))
        return demi_fail(context, DEM_ERROR_RANGE, "margin: %g must be > 0 m", margin);
    if (count >= NAMED_ID || world->rows + count >= NAMED_ID)
        return demi_fail(context, DEM_ERROR_RANGE, "ghosts: %llu exceed the limit of 2^31",
                         (unsigned long long)count);
    dem_status status = demi_ghosts_check(world);
    if (status == DEM_OK && count > 0)
        status = demi_ghost_size_check(world, ghosts->struct_size);
    for (uint64_t k = 0; status == DEM_OK && k < count; ++k) {
        status = ghost_read(world, ghosts, k, &ghost);
        if (status == DEM_OK)
            status = demi_ghost_check(world, k, &ghost);
        if (status == DEM_OK)
            status = demi_ghost_lag_check(world, &ghost, &lag);
    }
    if (status == DEM_OK)
        status = set_reserve(world, count, ghosts, made);
    if (status != DEM_OK) {
        set_return(world, made);
        return status;
    }
    uint64_t named = 0;
    for (; status == DEM_OK && named < count; ++named) {
        (void)ghost_read(world, ghosts, named, &ghost);
        status = ghost_name(world, &ghost);
    }
    if (status != DEM_OK) {
        ghosts_unname(world, named - 1, ghosts);
        set_return(world, made);
        return status;
    }
    demi_motion_exchanged(world);
    int changed = ghosts_remove(world);
    if (lag >= 0.0)
        world->velocity_lag = lag;
    for (uint64_t k = 0; k < count; ++k) {
        dem_particle_handle handle = {0, 0};
        (void)ghost_read(world, ghosts, k, &ghost);
        (void)demi_idmap_find(&world->ids, ghost.id, &handle.index);
        if (handle.index == NAMED_ID) {
            handle = ghost_add(world, &ghost);
            changed = 1;
        }
        handle.generation = world->handle.read[handle.index].generation;
        world->ghosts.told_in.data[handle.index] = 0;
        changed |= ghost_write(world, demi_ghost_row(world, handle), &ghost);
        if (handles != NULL)
            handles[k] = handle;
    }
    if (world->added_mass.data != NULL)
        demi_added_mass_restore(world);
    world->dt_checked = 0.0;
    demi_ghost_fields_got(&world->ghosts.fields);
    world->ghosts.margin = margin;
    world->ghosts.moved = world->ghosts.moved_last = 0.0;
    world->list_stale |= changed;
    world->generation++;
    demi_mark_end(world);
    return DEM_OK;
}

dem_status dem_ghosts_set(dem_world *world, uint64_t count, const dem_ghost *ghosts, double margin,
                          dem_particle_handle *handles)
{
    DEMI_SET(world, guarded_ghosts_set(world, count, ghosts, margin, handles));
}
