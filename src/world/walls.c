/* SPDX-License-Identifier: MIT */
/* Walls: solids that no force moves. */
#include "base/entry.h"
#include "base/check.h"
#include "base/sized.h"
#include "mesh/move.h"
#include "world/motion_written.h"
#include "world/world.h"

#include <string.h>

dem_status dem_wall_init_sized(dem_wall *wall, uint64_t size)
{
    if (wall == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_wall values;
    memset(&values, 0, sizeof values);
    values.normal[2] = 1.0;
    return demi_sized_write(wall, size, &values);
}

/* Whether a step has to look at a wall. */
static int wall_acts(const dem_world *w, uint64_t index)
{
    const demi_solid *solid = &w->current.solid.read[index];
    const demi_wall_force *force = w->current.wall_force.read + index,
                          *next = w->next.wall_force.read + index;
    return demi_any3(solid->velocity) || solid->rate != 0.0 || solid->deforms ||
           demi_wall_seeks(w, index) || demi_any3(force->force) || demi_any3(force->torque) ||
           demi_any3(next->force) || demi_any3(next->torque);
}

dem_status demi_walls_reserve(dem_world *w, uint64_t places)
{
    static const char what[] = "walls";
    demi_context *context = &w->context;
    dem_status status = demi_array_reserve(context, &w->wall, places, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &w->solid_built, places, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &w->wall_active, places, 1, what);
    if (status == DEM_OK && w->wall_impulse.data != NULL)
        status = demi_array_reserve(context, &w->wall_impulse, places, 1, what);
    if (status == DEM_OK)
        status = demi_wall_motion_reserve(w, places, 0, 0);
    demi_state *const states[] = {&w->current, &w->next};
    for (int k = 0; status == DEM_OK && k < 2; ++k) {
        status = demi_array_reserve(context, &states[k]->solid, places, 1, what);
        if (status == DEM_OK)
            status = demi_array_reserve(context, &states[k]->wall_force, places, 1, what);
    }
    return status;
}

void demi_walls_settle(dem_world *w)
{
    demi_wall *walls = w->wall.data;
    for (uint64_t k = 0; k < w->walls; ++k)
        walls[k].active = walls[k].id != 0 && wall_acts(w, k);
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        /* a chunk's walls stand at the end of its chunk copies */
        for (uint64_t h = w->list.chunk.data[k].copies_end;
             h > w->list.chunk.data[k].copies_begin &&
             (w->list.source.data[h - 1] & DEMI_WALL_BIT) != 0;
             --h)
            walls[w->list.source.data[h - 1] & ~DEMI_WALL_BIT].active = 1;
    w->walls_vacant = w->wall_vacant = w->walls_active = 0;
    for (uint64_t k = 0; k < w->walls; ++k) {
        w->walls_vacant += walls[k].place == DEMI_WALL_VACANT;
        if (walls[k].active)
            w->wall_active.data[w->walls_active++] = (uint32_t)k;
    }
    demi_walls_count(w);
}

void demi_wall_activate(dem_world *w, uint32_t index)
{
    if (w->wall.data[index].active)
        return;
    w->wall.data[index].active = 1;
    uint64_t at = w->walls_active++;
    for (; at > 0 && w->wall_active.data[at - 1] > index; --at)
        w->wall_active.data[at] = w->wall_active.data[at - 1];
    w->wall_active.data[at] = index;
}

void demi_walls_drift(dem_world *w, double dt)
{
    for (uint64_t k = 0; k < w->walls_active; ++k)
        demi_wall_drift(w, w->wall_active.data[k], dt);
}

/* The place of a new wall: the first that is vacant, because forces are summed in the order of
 * places. Places below the one that is found are not looked at again. */
static uint64_t wall_place(dem_world *w)
{
    if (w->walls_vacant == 0)
        return w->walls++;
    const demi_wall *walls = w->wall.data;
    while (walls[w->wall_vacant].place != DEMI_WALL_VACANT)
        w->wall_vacant++;
    w->walls_vacant--;
    return w->wall_vacant++;
}

static void wall_vacate(dem_world *w, uint64_t index)
{
    w->wall.data[index].place = DEMI_WALL_VACANT;
    w->walls_vacant++;
    w->wall_vacant = index < w->wall_vacant ? index : w->wall_vacant;
}

/* What may be wrong with the rotation of a wall that is added. */
static dem_status added_motion_check(demi_context *context, const dem_wall *wall)
{
    const dem_status status =
        demi_shape_bounded(context, "angular_velocity", "rad/s", wall->angular_velocity);
    return status != DEM_OK ? status : demi_shape_bounded(context, "pivot", "m", wall->pivot);
}

DEMI_GUARDED guarded_wall_add(dem_world *world, const dem_wall *wall, uint64_t *id)
{
    demi_context *context = &world->context;
    if (wall == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "wall: must not be NULL");
    dem_wall in;
    int32_t shape;
    dem_status status = demi_shape_wall_read(context, wall, &in, &shape);
    if (status == DEM_OK)
        status = demi_shape_bounded(context, "velocity", "m/s", in.velocity);
    if (status != DEM_OK)
        return status;
    demi_solid solid;
    const demi_wall_motion motion = {in.velocity, in.angular_velocity, in.pivot};
    status = demi_shape_make(context, shape, &in, &solid);
    if (status == DEM_OK)
        status = added_motion_check(context, &in);
    if (status != DEM_OK)
        return status;
    if (in.material < 0 || in.material >= world->config.material_count)
        return demi_fail(context, DEM_ERROR_RANGE, "dem_wall.material: %d is not in [0, %d)",
                         (int)in.material, (int)world->config.material_count);
    uint32_t value;
    if (in.id != 0 && demi_idmap_find(&world->ids, in.id, &value))
        return demi_fail(context, DEM_ERROR_DUPLICATE, "dem_wall.id: %s has the id %llu",
                         (value & DEMI_WALL_BIT) != 0 ? "another wall" : "a particle",
                         (unsigned long long)in.id);
    status = demi_walls_reserve(world, world->walls + (world->walls_vacant == 0));
    if (status == DEM_OK && in.mesh != NULL)
        status = demi_mesh_points_reserve(world, 1);
    if (status == DEM_OK && in.mesh != NULL)
        status = demi_idmap_reserve(context, &world->mesh_walls, 1);
    if (status == DEM_OK)
        status = demi_idmap_reserve(context, &world->ids, 1);
    if (status == DEM_OK && demi_any3(in.angular_velocity))
        status = demi_wall_motion_reserve(world, world->walls + 1, 1, 0);
    dem_mesh *mesh = NULL; /* that of a wall whose vertices move is that wall's */
    if (status == DEM_OK && solid.mesh != NULL)
        mesh = solid.mesh->velocity.read == NULL
                   ? dem_mesh_retain(solid.mesh)
                   : demi_mesh_still(solid.mesh, &world->config.allocator);
    if (status == DEM_OK && solid.mesh != NULL && mesh == NULL)
        status = demi_fail(context, DEM_ERROR_MEMORY,
                           "dem_wall.mesh: the allocator did not give memory for a copy of it");
    if (status != DEM_OK)
        return status;
    while (in.id == 0) { /* a snapshot may have the last number of all as the next one */
        if (world->next_id != 0 && !demi_idmap_find(&world->ids, world->next_id, &value))
            in.id = world->next_id;
        else
            world->next_id++;
    }
    const int again = world->walls_vacant > 0;
    const uint64_t index = wall_place(world);
    demi_wall *made = world->wall.data + index;
    const int32_t active = again ? made->active : 0; /* the list of these has the place still */
    memset(made, 0, sizeof *made);
    made->active = active;
    made->place = DEMI_WALL_NEW;
    made->id = in.id;
    made->material = in.material;
    made->shape = shape;
    solid.mesh = mesh;
    world->current.solid.data[index] = world->next.solid.data[index] =
        world->solid_built.data[index] = solid;
    memset(&world->current.wall_force.data[index], 0, sizeof(demi_wall_force));
    memset(&world->next.wall_force.data[index], 0, sizeof(demi_wall_force));
    if (world->wall_impulse.data != NULL)
        memset(&world->wall_impulse.data[index], 0, sizeof(demi_wall_force));
    demi_wall_mesh_came(world, index);
    demi_wall_motion_set(world, index, &motion);
    demi_idmap_insert(&world->ids, in.id, (uint32_t)index | DEMI_WALL_BIT);
    world->list_stale = world->forces_stale = 1;
    demi_mark_end(world);
    if (id != NULL)
        *id = in.id;
    return DEM_OK;
}

dem_status dem_wall_add(dem_world *world, const dem_wall *wall, uint64_t *id)
{
    DEMI_SET(world, guarded_wall_add(world, wall, id));
}

dem_status demi_wall_find(const dem_world *w, uint64_t id, uint64_t *index)
{
    uint32_t value;
    if (!demi_idmap_find(&w->ids, id, &value) || (value & DEMI_WALL_BIT) == 0)
        return demi_fail(w->self, DEM_ERROR_HANDLE, "id: no wall has the id %llu",
                         (unsigned long long)id);
    *index = value & ~DEMI_WALL_BIT;
    return DEM_OK;
}

DEMI_GUARDED guarded_wall_remove(dem_world *world, uint64_t id)
{
    uint64_t index;
    const dem_status status = demi_wall_find(world, id, &index);
    if (status != DEM_OK)
        return status;
    demi_idmap_remove(&world->ids, id);
    world->wall.data[index].id = 0;
    demi_wall_motion_clear(world, index);
    demi_facets_forget(world, index);
    demi_wall_mesh_goes(world, index);
    demi_wall_mesh_drop(world, index);
    demi_motion_moves(world); /* views of its facets are stale */
    if (world->wall.data[index].place == DEMI_WALL_NEW)
        wall_vacate(world, index);
    world->contact_choice.valid = 0;
    world->list_stale = world->forces_stale = 1;
    demi_mark_end(world);
    return DEM_OK;
}

dem_status dem_wall_remove(dem_world *world, uint64_t id)
{
    DEMI_SET(world, guarded_wall_remove(world, id));
}

DEMI_GUARDED guarded_wall_get(const dem_world *world, uint64_t id, dem_wall *wall)
{
    if (wall == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "wall: must not be NULL");
    uint64_t index;
    const dem_status status = demi_wall_find(world, id, &index);
    if (status != DEM_OK)
        return status;
    const demi_wall *found = &world->wall.read[index];
    const demi_solid *solid = &world->current.solid.read[index];
    dem_wall out = {.struct_size = sizeof out,
                    .id = id,
                    .material = found->material,
                    .shape = demi_shape_of_row(found->shape),
                    .side = solid->side,
                    .open = solid->open};
    memcpy(out.point, solid->point, sizeof out.point);
    memcpy(out.normal, solid->normal, sizeof out.normal);
    memcpy(out.velocity, solid->velocity, sizeof out.velocity);
    memcpy(out.size, solid->size, sizeof out.size);
    memcpy(out.axis, solid->axis, sizeof out.axis);
    memcpy(out.force, world->current.wall_force.read[index].force, sizeof out.force);
    memcpy(out.torque, world->current.wall_force.read[index].torque, sizeof out.torque);
    memcpy(out.angular_velocity, solid->angular_velocity, sizeof out.angular_velocity);
    for (int c = 0; c < 3; ++c)
        out.pivot[c] = solid->centre[c] - solid->point[c];
    out.work = found->work;
    out.mesh = solid->mesh;
    out.mesh_cosine = solid->cosine;
    if (world->wall_impulse.read != NULL) {
        memcpy(out.impulse, world->wall_impulse.read[index].force, sizeof out.impulse);
        memcpy(out.angular_impulse, world->wall_impulse.read[index].torque,
               sizeof out.angular_impulse);
    }
    const uint64_t size = wall->struct_size;
    if (demi_sized_write(wall, size, &out) != DEM_OK)
        return demi_sized_fail_output(world->self, "dem_wall", size);
    return DEM_OK;
}

dem_status dem_wall_get(const dem_world *world, uint64_t id, dem_wall *wall)
{
    DEMI_READ(world, guarded_wall_get(world, id, wall));
}

DEMI_GUARDED guarded_wall_set_velocity(dem_world *world, uint64_t id, const double velocity[3])
{
    if (velocity == NULL)
        return demi_fail(&world->context, DEM_ERROR_ARGUMENT, "velocity: must not be NULL");
    uint64_t index;
    const dem_status status = demi_wall_find(world, id, &index);
    if (status != DEM_OK)
        return status;
    if (!demi_within3(velocity, DEMI_MOTION_MOST))
        return demi_fail(&world->context, DEM_ERROR_RANGE,
                         "wall %llu: velocity (%g, %g, %g) must be finite and within %g m/s",
                         (unsigned long long)id, velocity[0], velocity[1], velocity[2],
                         DEMI_MOTION_MOST);
    const demi_wall_motion motion = {velocity, NULL, NULL};
    if (demi_wall_moves_so(world, index, &motion))
        return DEM_OK;
    demi_wall_motion_set(world, index, &motion);
    demi_wall_activate(world, (uint32_t)index);
    world->forces_stale = 1;
    return DEM_OK;
}

dem_status dem_wall_set_velocity(dem_world *world, uint64_t id, const double velocity[3])
{
    DEMI_SET(world, guarded_wall_set_velocity(world, id, velocity));
}
