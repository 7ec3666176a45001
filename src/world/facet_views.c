/* SPDX-License-Identifier: MIT */
/* Views of what acts on the facets and vertices of a wall. */
#include "base/entry.h"
#include "base/sized.h"
#include "world/facets.h"

#include <string.h>

static dem_status forces_view(dem_world *w, uint64_t index, int32_t field, dem_view *out)
{
    const dem_mesh *mesh = w->current.solid.read[index].mesh;
    const int vertices = field == DEM_FACET_VERTEX_FORCE;
    double *force;
    const dem_status status = demi_facets_forces(w, index, vertices, &force);
    if (status != DEM_OK)
        return status;
    out->data = force;
    out->stride = 3 * sizeof(double);
    out->count = vertices ? mesh->vertex_count : mesh->facet_count;
    return DEM_OK;
}

static dem_status works_view(dem_world *w, uint64_t index, int32_t field, dem_view *out)
{
    const uint64_t before = w->walls_tracked;
    const dem_status status = demi_facets_track(w, index);
    if (status != DEM_OK)
        return status;
    if (w->walls_tracked != before)
        demi_mark_end(w);
    out->data = w->wall_facets.data[index].work.data + (field == DEM_FACET_WORK_SHEAR);
    out->stride = 2 * sizeof(double);
    out->count = w->current.solid.read[index].mesh->facet_count;
    return DEM_OK;
}

DEMI_GUARDED guarded_wall_view(dem_world *world, uint64_t id, int32_t field, dem_view *view)
{
    demi_context *context = &world->context;
    if (view == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "view: must not be NULL");
    const uint64_t size = view->struct_size;
    if (demi_sized_check_output(view) != DEM_OK)
        return demi_sized_fail_output(context, "dem_view", size);
    uint64_t index;
    dem_status status = demi_wall_find(world, id, &index);
    if (status != DEM_OK)
        return status;
    if (field < DEM_FACET_FORCE || field > DEM_FACET_VERTEX_FORCE)
        return demi_fail(context, DEM_ERROR_UNKNOWN, "field: %d is not a DEM_FACET_ value",
                         (int)field);
    if (world->current.solid.read[index].mesh == NULL)
        return demi_fail(context, DEM_ERROR_STATE, "wall %llu: it is no mesh and has no facets",
                         (unsigned long long)id);
    dem_view out;
    memset(&out, 0, sizeof out);
    status = field == DEM_FACET_WORK_NORMAL || field == DEM_FACET_WORK_SHEAR
                 ? works_view(world, index, field, &out)
                 : forces_view(world, index, field, &out);
    if (status != DEM_OK)
        return status;
    out.generation = world->generation;
    return demi_sized_write(view, size, &out);
}

dem_status dem_wall_view(dem_world *world, uint64_t id, int32_t field, dem_view *view)
{
    DEMI_SET(world, guarded_wall_view(world, id, field, view));
}
