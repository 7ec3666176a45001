/* SPDX-License-Identifier: MIT */
/* Infinite plane walls. */
#include "base/check.h"
#include "base/sized.h"
#include "world/world.h"

#include <string.h>

dem_status dem_wall_init_sized(dem_wall *wall, uint64_t size)
{
    if (wall == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_wall values;
    memset(&values, 0, sizeof values);
    values.normal[2] = 1.0;
    return demi_sized_write(wall, size, &values, sizeof values, sizeof values);
}

dem_status dem_wall_add(dem_world *world, const dem_wall *wall, uint64_t *id)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    demi_context *context = &world->context;
    if (wall == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "wall: NULL");
    dem_wall in;
    memset(&in, 0, sizeof in);
    if (demi_sized_read(&in, wall, sizeof in, sizeof in) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_wall",
                         (unsigned long long)wall->struct_size, "dem_wall");
    if (!demi_finite3(in.point))
        return demi_fail(context, DEM_ERROR_RANGE, "dem_wall.point: not finite");
    if (!demi_finite3(in.velocity))
        return demi_fail(context, DEM_ERROR_RANGE, "dem_wall.velocity: not finite");
    /* scaled by its largest component, so that the square neither overflows nor vanishes */
    double largest = 0.0;
    for (int c = 0; c < 3 && demi_finite3(in.normal); ++c)
        largest = fabs(in.normal[c]) > largest ? fabs(in.normal[c]) : largest;
    if (!(largest > 0.0))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall.normal: (%g, %g, %g) must be finite and not 0", in.normal[0],
                         in.normal[1], in.normal[2]);
    if (in.material < 0 || in.material >= world->config.material_count)
        return demi_fail(context, DEM_ERROR_RANGE, "dem_wall.material: %d is not in [0, %d)",
                         (int)in.material, (int)world->config.material_count);
    uint32_t value;
    if (in.id != 0 && demi_idmap_find(&world->ids, in.id, &value))
        return demi_fail(context, DEM_ERROR_DUPLICATE, "dem_wall.id: %llu is taken",
                         (unsigned long long)in.id);
    dem_status status = demi_buffer_reserve(context, &world->wall,
                                            (world->walls + 1) * sizeof(demi_wall), 1, "walls");
    if (status == DEM_OK)
        status = demi_idmap_reserve(context, &world->ids, 1);
    if (status != DEM_OK)
        return status;
    while (in.id == 0) {
        if (!demi_idmap_find(&world->ids, world->next_id, &value))
            in.id = world->next_id;
        else
            world->next_id++;
    }
    demi_wall *walls = world->wall.data;
    uint64_t index = 0;
    while (index < world->walls && !walls[index].vacant)
        ++index;
    if (index == world->walls)
        world->walls++;
    demi_wall *made = &walls[index];
    memset(made, 0, sizeof *made);
    made->id = in.id;
    made->material = in.material;
    double square = 0.0;
    for (int c = 0; c < 3; ++c) {
        in.normal[c] /= largest;
        square += in.normal[c] * in.normal[c];
    }
    for (int c = 0; c < 3; ++c) {
        made->normal[c] = in.normal[c] / sqrt(square);
        made->point[0][c] = made->point[1][c] = made->built[c] = in.point[c];
        made->velocity[c] = in.velocity[c];
    }
    demi_idmap_insert(&world->ids, in.id, (uint32_t)index | DEMI_WALL_BIT);
    world->list_stale = world->forces_stale = 1;
    if (id != NULL)
        *id = in.id;
    return DEM_OK;
}

static dem_status wall_find(const dem_world *w, uint64_t id, demi_wall **wall)
{
    uint32_t value;
    if (!demi_idmap_find(&w->ids, id, &value) || (value & DEMI_WALL_BIT) == 0)
        return demi_fail(w->self, DEM_ERROR_HANDLE, "id: no wall has %llu", (unsigned long long)id);
    *wall = (demi_wall *)w->wall.data + (value & ~DEMI_WALL_BIT);
    return DEM_OK;
}

dem_status dem_wall_remove(dem_world *world, uint64_t id)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    demi_wall *wall;
    const dem_status status = wall_find(world, id, &wall);
    if (status != DEM_OK)
        return status;
    demi_idmap_remove(&world->ids, id);
    wall->id = 0;
    memset(wall->velocity, 0, sizeof wall->velocity);
    world->list_stale = world->forces_stale = 1;
    return DEM_OK;
}

dem_status dem_wall_get(const dem_world *world, uint64_t id, dem_wall *wall)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    if (wall == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "wall: NULL");
    demi_wall *found;
    const dem_status status = wall_find(world, id, &found);
    if (status != DEM_OK)
        return status;
    dem_wall out = {.struct_size = sizeof out, .id = id, .material = found->material};
    memcpy(out.point, found->point[world->front], sizeof out.point);
    memcpy(out.normal, found->normal, sizeof out.normal);
    memcpy(out.velocity, found->velocity, sizeof out.velocity);
    memcpy(out.force, found->force[world->front], sizeof out.force);
    const uint64_t size = wall->struct_size;
    if (demi_sized_write(wall, size, &out, sizeof out, sizeof out) != DEM_OK)
        return demi_fail(world->self, DEM_ERROR_STRUCT_SIZE,
                         "dem_wall.struct_size: %llu is not the size of this struct",
                         (unsigned long long)size);
    return DEM_OK;
}

dem_status dem_wall_set_velocity(dem_world *world, uint64_t id, const double velocity[3])
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    if (velocity == NULL)
        return demi_fail(&world->context, DEM_ERROR_ARGUMENT, "velocity: NULL");
    demi_wall *wall;
    const dem_status status = wall_find(world, id, &wall);
    if (status != DEM_OK)
        return status;
    if (!demi_finite3(velocity))
        return demi_fail(&world->context, DEM_ERROR_RANGE,
                         "wall %llu: velocity (%g, %g, %g) must be finite", (unsigned long long)id,
                         velocity[0], velocity[1], velocity[2]);
    memcpy(wall->velocity, velocity, sizeof wall->velocity);
    world->forces_stale = 1;
    return DEM_OK;
}
