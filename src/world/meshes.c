/* SPDX-License-Identifier: MIT */
/* What a world has of meshes that are walls: references, slots of contacts, and room to look for
 * facets in. */
#include "mesh/move.h"
#include "world/world.h"

/* Facets near a sphere that there is room for at first. */
enum { MESH_ROOM_FIRST = 128 };

dem_status demi_mesh_points_reserve(dem_world *w, uint64_t facets)
{
    uint64_t room = facets > MESH_ROOM_FIRST ? facets : MESH_ROOM_FIRST;
    room = room > w->mesh_room ? room : w->mesh_room;
    const dem_status status =
        demi_array_reserve(&w->context, &w->mesh_point, w->workspaces.count * room, 0, "facets");
    if (status == DEM_OK)
        w->mesh_room = room;
    return status;
}

demi_mesh_point *demi_mesh_points_of(const dem_world *w, const demi_workspace *workspace)
{
    const uint64_t bytes = (uint64_t)((const unsigned char *)workspace - w->workspaces.memory.read);
    return w->mesh_point.data + bytes / w->workspaces.size * w->mesh_room;
}

void demi_slots_set(dem_world *w, uint64_t wall, uint32_t slots)
{
    if (wall == DEMI_SLOTS_BODIES)
        w->polyhedra.slots = slots;
    else
        w->current.solid.data[wall].slots = w->next.solid.data[wall].slots =
            w->solid_built.data[wall].slots = slots;
}

void demi_slots_have(dem_world *w, uint64_t wall, uint32_t feature)
{
    uint32_t slots = w->current.solid.read[wall].slots;
    while (slots <= feature)
        slots *= 2;
    demi_slots_set(w, wall, slots);
}

uint32_t demi_slots_widen(dem_world *w)
{
    const uint32_t before = w->slots_wall == DEMI_SLOTS_BODIES
                                ? demi_polyhedra_slots(w)
                                : w->current.solid.read[w->slots_wall].slots;
    uint32_t slots = before;
    while (slots < w->slots_wanted)
        slots *= 2;
    demi_slots_set(w, w->slots_wall, slots);
    w->slots_wanted = 0;
    return before;
}

dem_status demi_wall_deform(dem_world *w, uint64_t index)
{
    demi_solid *const solids[] = {&w->current.solid.data[index], &w->next.solid.data[index],
                                  &w->solid_built.data[index]};
    dem_mesh *rest = solids[0]->mesh, *copy[3] = {NULL, NULL, NULL};
    if (solids[0]->deforms)
        return DEM_OK;
    for (int k = 0; k < 3; ++k) {
        copy[k] = demi_mesh_copy(rest, &w->config.allocator);
        if (copy[k] != NULL)
            continue;
        for (int made = 0; made < k; ++made)
            dem_mesh_destroy(copy[made]);
        return demi_fail(&w->context, DEM_ERROR_MEMORY,
                         "wall %llu: the allocator did not give memory for copies of its mesh",
                         (unsigned long long)w->wall.read[index].id);
    }
    for (int k = 0; k < 3; ++k) {
        solids[k]->mesh = copy[k];
        solids[k]->rest = rest;
        solids[k]->deforms = 1;
        solids[k]->deformed = 0.0;
    }
    w->walls_deforming++;
    return DEM_OK;
}

void demi_wall_mesh_drop(dem_world *w, uint64_t index)
{
    demi_solid *solid = &w->current.solid.data[index];
    if (solid->deforms) {
        dem_mesh_destroy(w->next.solid.data[index].mesh);
        dem_mesh_destroy(w->solid_built.data[index].mesh);
        dem_mesh_destroy(solid->rest);
        w->walls_deforming--;
    }
    demi_solid *const solids[] = {solid, &w->next.solid.data[index], &w->solid_built.data[index]};
    for (int k = 0; k < 3; ++k) {
        solids[k]->rest = NULL;
        solids[k]->deforms = 0;
    }
    dem_mesh_destroy(w->current.solid.data[index].mesh);
    w->current.solid.data[index].mesh = w->next.solid.data[index].mesh =
        w->solid_built.data[index].mesh = NULL;
}

void demi_meshes_drop(dem_world *w)
{
    for (uint64_t k = 0; k < w->walls; ++k)
        demi_wall_mesh_drop(w, k);
}

const dem_mesh *demi_wall_mesh(const dem_world *w, uint64_t index)
{
    const demi_solid *solid = &w->current.solid.read[index];
    return solid->deforms ? solid->rest : solid->mesh;
}

static uint64_t mesh_key(const dem_world *w, uint64_t index)
{
    return (uint64_t)(uintptr_t)demi_wall_mesh(w, index);
}

/* Numbers all meshes, of which one has another first place than before. */
static void meshes_number(dem_world *w, uint32_t before, uint32_t now)
{
    demi_wall *walls = w->wall.data;
    uint32_t count = 0;
    for (uint64_t k = 0; k < w->walls; ++k) {
        if (walls[k].mesh_number == 0)
            continue;
        if (walls[k].mesh_first == before)
            walls[k].mesh_first = now;
        const uint32_t first = walls[k].mesh_first;
        walls[k].mesh_number = first == k ? ++count : walls[first].mesh_number;
    }
}

void demi_wall_mesh_came(dem_world *w, uint64_t index)
{
    demi_wall *walls = w->wall.data;
    uint32_t first = (uint32_t)index;
    if (demi_wall_mesh(w, index) == NULL)
        return;
    if (demi_idmap_find(&w->mesh_walls, mesh_key(w, index), &first) && first < index) {
        walls[index].mesh_first = first;
        walls[index].mesh_number = walls[first].mesh_number;
        return;
    }
    demi_idmap_set(&w->mesh_walls, mesh_key(w, index), (uint32_t)index);
    walls[index].mesh_first = (uint32_t)index;
    walls[index].mesh_number = (uint32_t)w->mesh_walls.count; /* the last one, at the last place */
    if (index + 1 < w->walls)
        meshes_number(w, first, (uint32_t)index);
}

void demi_wall_mesh_goes(dem_world *w, uint64_t index)
{
    demi_wall *walls = w->wall.data;
    const int first = demi_wall_mesh_first(w, index);
    walls[index].mesh_number = 0;
    if (!first)
        return;
    uint64_t next = index + 1;
    while (next < w->walls && (walls[next].mesh_number == 0 || walls[next].mesh_first != index))
        ++next;
    if (next < w->walls)
        demi_idmap_set(&w->mesh_walls, mesh_key(w, index), (uint32_t)next);
    else
        demi_idmap_remove(&w->mesh_walls, mesh_key(w, index));
    meshes_number(w, (uint32_t)index, (uint32_t)next);
}

int demi_wall_mesh_first(const dem_world *w, uint64_t index)
{
    const demi_wall *wall = &w->wall.read[index];
    return wall->mesh_number != 0 && wall->mesh_first == index;
}

uint64_t demi_meshes_bytes(const dem_world *w)
{
    uint64_t bytes = 0;
    for (uint64_t k = 0; k < w->walls; ++k) {
        const demi_solid *solid = &w->current.solid.read[k];
        if (demi_wall_mesh_first(w, k))
            bytes += demi_wall_mesh(w, k)->context.bytes;
        if (solid->deforms)
            bytes += solid->mesh->context.bytes + w->next.solid.read[k].mesh->context.bytes +
                     w->solid_built.read[k].mesh->context.bytes;
    }
    return bytes + demi_polyhedra_faces_bytes(w);
}
