/* SPDX-License-Identifier: MIT */
/* Faces of walls that are meshes, for polyhedra: made before the first step that may need them. */
#include "shapes/slots.h"
#include "world/world.h"

#include <string.h>

/* Whether polyhedra of some material have a model with a wall. */
static int wall_met(const dem_world *w, const demi_wall *wall, const unsigned char *faceted)
{
    int met = 0;
    for (int32_t a = 0; a < w->config.material_count; ++a)
        met = met || (faceted[a] && demi_models_get(&w->models, a, wall->material) != NULL);
    return met;
}

static dem_status wall_faces_make(dem_world *w, uint64_t index, demi_faces *faces)
{
    const unsigned long long id = (unsigned long long)w->wall.read[index].id;
    const demi_solid *solid = &w->current.solid.read[index];
    if (faces->mesh == solid->mesh && faces->cosine == solid->cosine)
        return DEM_OK;
    demi_faces_free(&w->context, faces);
    const dem_status status =
        demi_faces_make(&w->context, solid->mesh, solid->cosine, DEMI_SLOTS_MOST, faces);
    if (status != DEM_OK && status != DEM_ERROR_MEMORY) {
        char message[sizeof w->context.message];
        memcpy(message, w->context.message, sizeof message);
        return demi_fail(&w->context, status, "wall %llu, a mesh beside polyhedra: %.200s", id,
                         message);
    }
    if (status != DEM_OK || faces->count <= DEMI_SLOTS_MOST)
        return status;
    const unsigned long long count = (unsigned long long)faces->count;
    demi_faces_free(&w->context, faces);
    return demi_fail(&w->context, DEM_ERROR_RANGE,
                     "wall %llu, a mesh beside polyhedra, has %llu faces between hollow edges, and "
                     "at most %d are possible: take a smaller dem_wall.mesh_cosine, or several "
                     "walls",
                     id, count, DEMI_SLOTS_MOST);
}

/* Makes those of a wall, or drops them. */
static dem_status wall_faces(dem_world *w, uint64_t index, const unsigned char *faceted)
{
    demi_faces *faces = &w->polyhedra.faces.data[index];
    const demi_wall *wall = &w->wall.read[index];
    if (wall->id == 0 || wall->shape != DEMI_SHAPE_MESH || !wall_met(w, wall, faceted)) {
        demi_faces_free(&w->context, faces);
        return DEM_OK;
    }
    if (w->current.solid.read[index].deforms)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "dem_step: the vertices of wall %llu move, and there are polyhedra, which "
                         "do not touch such meshes: set an empty model of their materials",
                         (unsigned long long)wall->id);
    const dem_status status = wall_faces_make(w, index, faces);
    for (uint64_t k = 0; status == DEM_OK && k < faces->count; ++k)
        demi_polyhedra_widen(w, faces->face.read[k].surface.mesh);
    return status;
}

dem_status demi_polyhedra_faces(dem_world *w, const unsigned char *faceted)
{
    demi_polyhedra *p = &w->polyhedra;
    dem_status status = demi_array_reserve(&w->context, &p->faces, w->walls, 1, "faces of meshes");
    for (; status == DEM_OK && p->faces_of < w->walls; p->faces_of++)
        memset(&p->faces.data[p->faces_of], 0, sizeof p->faces.data[0]);
    for (uint64_t k = 0; status == DEM_OK && k < w->walls; ++k)
        status = wall_faces(w, k, faceted);
    p->looked = status == DEM_OK;
    return status;
}

uint64_t demi_polyhedra_faces_bytes(const dem_world *w)
{
    uint64_t bytes = 0;
    for (uint64_t k = 0; k < w->polyhedra.faces_of; ++k)
        bytes += demi_faces_bytes(&w->polyhedra.faces.read[k]);
    return bytes;
}

void demi_polyhedra_faces_free(dem_world *w)
{
    for (uint64_t k = 0; k < w->polyhedra.faces_of; ++k)
        demi_faces_free(&w->context, &w->polyhedra.faces.data[k]);
    demi_array_free(&w->context, &w->polyhedra.faces);
}
