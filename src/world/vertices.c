/* SPDX-License-Identifier: MIT */
/* The call that moves the vertices of a wall. */
#include "base/check.h"
#include "base/entry.h"
#include "mesh/move.h"
#include "world/world.h"

static dem_status vertices_check(dem_world *w, uint64_t id, const char *what, const double *given,
                                 uint64_t count)
{
    for (uint64_t k = 0; given != NULL && k < count; ++k)
        if (!demi_within3(given + 3 * k, DEMI_MESH_COORDINATE_MOST))
            return demi_fail(&w->context, DEM_ERROR_RANGE,
                             "wall %llu: %s[%llu]: (%g, %g, %g) must be finite and at most %g",
                             (unsigned long long)id, what, (unsigned long long)k, given[3 * k],
                             given[3 * k + 1], given[3 * k + 2], DEMI_MESH_COORDINATE_MOST);
    return DEM_OK;
}

DEMI_GUARDED guarded_wall_set_vertices(dem_world *world, uint64_t id, const double *positions,
                                       const double *velocities)
{
    uint64_t index;
    dem_status status = demi_wall_find(world, id, &index);
    if (status != DEM_OK)
        return status;
    demi_solid *current = &world->current.solid.data[index], *next = &world->next.solid.data[index];
    if (current->mesh == NULL)
        return demi_fail(&world->context, DEM_ERROR_STATE,
                         "wall %llu: it is no mesh and has no vertices", (unsigned long long)id);
    const uint64_t count = current->mesh->vertex_count;
    status = vertices_check(world, id, "positions", positions, count);
    if (status == DEM_OK)
        status = vertices_check(world, id, "velocities", velocities, count);
    const int first = !current->deforms;
    if (status == DEM_OK)
        status = demi_wall_deform(world, index);
    if (status != DEM_OK)
        return status;
    if (first) {
        demi_mark_end(world);
        world->polyhedra.looked = 0; /* which do not touch it any more */
    }
    current->deformed += demi_mesh_set(current->mesh, positions, velocities);
    next->deformed = current->deformed;
    demi_mesh_follow(next->mesh, current->mesh);
    demi_wall_activate(world, (uint32_t)index);
    world->forces_stale = 1;
    return DEM_OK;
}

dem_status dem_wall_set_vertices(dem_world *world, uint64_t id, const double *positions,
                                 const double *velocities)
{
    DEMI_SET(world, guarded_wall_set_vertices(world, id, positions, velocities));
}
