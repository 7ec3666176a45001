/* SPDX-License-Identifier: MIT */
/* Room for the facets that are kept for spheres near meshes. The steps after a build find them. */
#include "list/parts.h"
#include "shapes/slots.h"

static int group_meshes(const demi_batch_group *group)
{
    return !group->faceted && demi_shapes[group->shape]->kept > 0;
}

dem_status demi_list_nearby(demi_list_build_call *b)
{
    demi_list *next = b->next;
    demi_batch_group *group = next->batch_group.data;
    uint64_t spheres = 0;
    for (uint64_t r = 0; r < next->batch_groups; ++r)
        if (group_meshes(&group[r])) {
            group[r].nearby_begin = spheres;
            /* a sphere has so many pairs with a mesh at least */
            spheres += (group[r].end - group[r].begin) / DEMI_SLOTS_FIRST;
        }
    const dem_status status = demi_list_room(b, &next->nearby, spheres);
    for (uint64_t k = 0; status == DEM_OK && k < spheres; ++k)
        next->nearby.data[k].within = 0.0;
    return status;
}
