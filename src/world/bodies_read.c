/* SPDX-License-Identifier: MIT */
/* Reading rigid bodies: one, or all at once. */
#include "base/entry.h"
#include "base/sized.h"
#include "world/bodies.h"
#include "world/images.h"

#include <string.h>

dem_status demi_rigid_place_of(const dem_world *w, dem_body_handle handle, uint64_t *place)
{
    if (handle.index >= w->rigids || handle.generation % 2 == 0 ||
        w->rigid.read[handle.index].generation != handle.generation)
        return demi_fail(w->self, DEM_ERROR_HANDLE,
                         "handle: index %u, generation %u of a body is stale or never existed",
                         handle.index, handle.generation);
    *place = handle.index;
    return DEM_OK;
}

DEMI_GUARDED guarded_body_find(const dem_world *world, uint64_t id, dem_body_handle *handle)
{
    if (handle == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "handle: must not be NULL");
    uint32_t place;
    if (id == 0 || !demi_idmap_find(&world->rigid_ids, id, &place))
        return demi_fail(world->self, DEM_ERROR_HANDLE, "id: no body has the id %llu",
                         (unsigned long long)id);
    *handle = (dem_body_handle){place, world->rigid.read[place].generation};
    return DEM_OK;
}

dem_status dem_body_find(const dem_world *world, uint64_t id, dem_body_handle *handle)
{
    DEMI_READ(world, guarded_body_find(world, id, handle));
}

static void position_of(const dem_world *w, const demi_pose *pose, double position[3])
{
    for (int c = 0; c < 3; ++c)
        position[c] = demi_unwrapped(w, c, pose->position[c], pose->image[c]);
}

dem_body demi_body_of(const dem_world *w, uint64_t place)
{
    const demi_rigid *rigid = &w->rigid.read[place];
    const demi_pose *pose = &w->current.pose.read[place];
    dem_body out = {.struct_size = sizeof out,
                    .id = rigid->id,
                    .mass = rigid->mass,
                    .mobility = rigid->mobility,
                    .damping_mass = rigid->damping_mass};
    position_of(w, pose, out.position);
    memcpy(out.orientation, pose->orientation, sizeof out.orientation);
    memcpy(out.velocity, pose->velocity, sizeof out.velocity);
    memcpy(out.angular_velocity, pose->angular_velocity, sizeof out.angular_velocity);
    memcpy(out.inertia, rigid->inertia, sizeof out.inertia);
    return out;
}

DEMI_GUARDED guarded_body_get(const dem_world *world, dem_body_handle handle, dem_body *body)
{
    if (body == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "body: must not be NULL");
    uint64_t place;
    const dem_status status = demi_rigid_place_of(world, handle, &place);
    if (status != DEM_OK)
        return status;
    const dem_body out = demi_body_of(world, place);
    const uint64_t size = body->struct_size;
    if (demi_sized_write(body, size, &out) != DEM_OK)
        return demi_sized_fail_output(world->self, "dem_body", size);
    return DEM_OK;
}

dem_status dem_body_get(const dem_world *world, dem_body_handle handle, dem_body *body)
{
    DEMI_READ(world, guarded_body_get(world, handle, body));
}

DEMI_GUARDED guarded_body_part_find(const dem_world *world, dem_body_handle handle, uint64_t part,
                                    dem_particle_handle *particle)
{
    if (particle == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "particle: must not be NULL");
    uint64_t place;
    const dem_status status = demi_rigid_place_of(world, handle, &place);
    if (status != DEM_OK)
        return status;
    const demi_rigid *rigid = &world->rigid.read[place];
    if (part >= rigid->parts)
        return demi_fail(world->self, DEM_ERROR_RANGE, "part: %llu is not in [0, %llu)",
                         (unsigned long long)part, (unsigned long long)rigid->parts);
    particle->index = world->rigid_part.read[rigid->part_begin + part].handle;
    particle->generation = world->handle.read[particle->index].generation;
    return DEM_OK;
}

dem_status dem_body_part_find(const dem_world *world, dem_body_handle handle, uint64_t part,
                              dem_particle_handle *particle)
{
    DEMI_READ(world, guarded_body_part_find(world, handle, part, particle));
}

dem_status dem_body_arrays_init_sized(dem_body_arrays *arrays, uint64_t size)
{
    if (arrays == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_body_arrays values = {.struct_size = sizeof values};
    return demi_sized_write(arrays, size, &values);
}

static void row_write(double *to, uint64_t row, const double *values, uint64_t width)
{
    if (to != NULL)
        memcpy(to + row * width, values, (size_t)width * sizeof(double));
}

static void body_write(const dem_world *w, uint64_t place, const dem_body_arrays *to, uint64_t row)
{
    const dem_body body = demi_body_of(w, place);
    if (to->handle != NULL)
        to->handle[row] = (dem_body_handle){(uint32_t)place, w->rigid.read[place].generation};
    if (to->id != NULL)
        to->id[row] = body.id;
    row_write(to->position, row, body.position, 3);
    row_write(to->orientation, row, body.orientation, 4);
    row_write(to->velocity, row, body.velocity, 3);
    row_write(to->angular_velocity, row, body.angular_velocity, 3);
    if (to->force == NULL && to->torque == NULL)
        return;
    double load[6];
    demi_rigid_load(w, 0, place, load);
    row_write(to->force, row, load, 3);
    row_write(to->torque, row, load + 3, 3);
}

DEMI_GUARDED guarded_world_bodies_read(const dem_world *world, uint64_t *cursor,
                                       const dem_body_arrays *arrays, uint64_t *count)
{
    demi_context *context = world->self;
    const char *missing = cursor == NULL   ? "cursor"
                          : arrays == NULL ? "arrays"
                          : count == NULL  ? "count"
                                           : NULL;
    if (missing != NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s: must not be NULL", missing);
    dem_body_arrays to;
    memset(&to, 0, sizeof to);
    if (demi_sized_read(&to, arrays) != DEM_OK)
        return demi_sized_fail(context, "dem_body_arrays", arrays->struct_size);
    if (to.capacity == 0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_body_arrays.capacity: 0 rows have room for no body; at least 1 is "
                         "needed");
    uint64_t n = 0, k = *cursor;
    for (; k < world->rigids && n < to.capacity; ++k)
        if (world->rigid.read[k].id != 0 && !world->rigid.read[k].ghost)
            body_write(world, k, &to, n++);
    *cursor = k;
    *count = n;
    return DEM_OK;
}

dem_status dem_world_bodies_read(const dem_world *world, uint64_t *cursor,
                                 const dem_body_arrays *arrays, uint64_t *count)
{
    DEMI_READ(world, guarded_world_bodies_read(world, cursor, arrays, count));
}
