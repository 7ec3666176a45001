/* SPDX-License-Identifier: MIT */
/* Faces of walls that are no planes, for polyhedra: made before the first step that may need
 * them. */
#include "shapes/slots.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* Whether polyhedra of some material have a model with a wall. */
static int wall_met(const dem_world *w, const demi_wall *wall, const unsigned char *faceted)
{
    int met = 0;
    for (int32_t a = 0; a < w->config.material_count; ++a)
        met = met || (faceted[a] && demi_models_get(&w->models, a, wall->material) != NULL);
    return met;
}

static void wall_faces_free(dem_world *w, demi_wall_faces *of)
{
    demi_faces_free(&w->context, &of->faces);
    memset(of, 0, sizeof *of);
}

/* Whether there are the faces of a wall. */
static int wall_faces_known(const demi_wall_faces *of, const demi_wall *wall,
                            const demi_solid *solid, uint64_t sides)
{
    for (int c = 0; c < 3; ++c)
        if (of->size[c] != solid->size[c])
            return 0;
    return of->faces.mesh != NULL && of->shape == wall->shape && of->side == solid->side &&
           of->sides == sides && of->mesh == solid->mesh &&
           (solid->mesh == NULL || of->faces.cosine == solid->cosine);
}

/* The faces of the mesh of a wall; a shape is one that nobody else has. */
static dem_status wall_faces_of(dem_world *w, uint64_t index, uint64_t sides, demi_faces *faces)
{
    const demi_solid *solid = &w->current.solid.read[index];
    dem_mesh *mesh = dem_mesh_retain(solid->mesh);
    dem_status status = DEM_OK;
    if (mesh == NULL)
        status = demi_facets_make(&w->context, demi_wall_shape(&w->wall.read[index]), solid, sides,
                                  &mesh);
    if (status == DEM_OK)
        status = demi_faces_make(&w->context, mesh,
                                 solid->mesh != NULL ? solid->cosine : DEM_MESH_COSINE,
                                 DEMI_SLOTS_MOST, solid->mesh == NULL, faces);
    dem_mesh_destroy(mesh);
    return status;
}

static dem_status wall_faces_make(dem_world *w, uint64_t index, double radius, demi_wall_faces *of)
{
    const demi_wall *wall = &w->wall.read[index];
    const unsigned long long id = (unsigned long long)wall->id;
    const demi_solid *solid = &w->current.solid.read[index];
    const uint64_t sides = demi_facets_sides(demi_wall_shape(wall), solid, radius);
    if (wall_faces_known(of, wall, solid, sides))
        return DEM_OK;
    wall_faces_free(w, of);
    if (sides > DEMI_FACETS_MOST)
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "wall %llu, a %s, is too large beside a polyhedron of radius %g m: take a "
                         "plane",
                         id, demi_wall_shape(wall)->name, radius);
    const dem_status status = wall_faces_of(w, index, sides, &of->faces);
    if (status != DEM_OK && status != DEM_ERROR_MEMORY) {
        char message[sizeof w->context.message];
        memcpy(message, w->context.message, sizeof message);
        return demi_fail(&w->context, status, "wall %llu, beside polyhedra: %.200s", id, message);
    }
    if (status != DEM_OK)
        return status;
    if (of->faces.count > DEMI_SLOTS_MOST) {
        const unsigned long long count = (unsigned long long)of->faces.count;
        wall_faces_free(w, of);
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "wall %llu, a mesh beside polyhedra, has %llu faces between hollow edges, "
                         "and at most %d are possible: take a smaller dem_wall.mesh_cosine, or "
                         "several walls",
                         id, count, DEMI_SLOTS_MOST);
    }
    of->shape = wall->shape;
    of->side = solid->side;
    of->sides = sides;
    of->mesh = solid->mesh;
    memcpy(of->size, solid->size, sizeof of->size);
    return DEM_OK;
}

/* Makes those of a wall, or drops them. */
static dem_status wall_faces(dem_world *w, uint64_t index, const unsigned char *faceted,
                             double radius)
{
    demi_wall_faces *of = &w->polyhedra.faces.data[index];
    const demi_wall *wall = &w->wall.read[index];
    const demi_solid *solid = &w->current.solid.read[index];
    if (wall->id == 0 || wall->shape == DEMI_SHAPE_PLANE || !wall_met(w, wall, faceted)) {
        wall_faces_free(w, of);
        return DEM_OK;
    }
    if (solid->deforms)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "dem_step: the vertices of wall %llu move, and there are polyhedra, which "
                         "do not touch such meshes: set an empty model of their materials",
                         (unsigned long long)wall->id);
    const char *refused = demi_facets_refuse(demi_wall_shape(wall), solid);
    if (refused != NULL)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "dem_step: there are polyhedra, and wall %llu, a %s, %s; or set an empty "
                         "model of their materials",
                         (unsigned long long)wall->id, demi_wall_shape(wall)->name, refused);
    const dem_status status = wall_faces_make(w, index, radius, of);
    for (uint64_t k = 0; status == DEM_OK && k < of->faces.count; ++k)
        demi_polyhedra_widen(w, of->faces.face.read[k].surface.mesh);
    return status;
}

dem_status demi_polyhedra_faces(dem_world *w, const unsigned char *faceted, uint64_t begin,
                                uint64_t end)
{
    demi_polyhedra *p = &w->polyhedra;
    double radius = INFINITY; /* of the smallest one */
    for (uint64_t row = 0; row < w->rows; ++row) {
        const demi_body *body = &w->body.read[row];
        if (body->id != 0 && body->faceted && w->current.position.read[row][3] < radius)
            radius = w->current.position.read[row][3];
    }
    dem_status status = demi_array_reserve(&w->context, &p->faces, w->walls, 1, "faces of walls");
    for (; status == DEM_OK && p->faces_of < w->walls; p->faces_of++)
        memset(&p->faces.data[p->faces_of], 0, sizeof p->faces.data[0]);
    for (uint64_t k = begin; status == DEM_OK && k < end; ++k)
        status = wall_faces(w, k, faceted, radius);
    return status;
}

uint64_t demi_polyhedra_faces_bytes(const dem_world *w)
{
    uint64_t bytes = 0;
    for (uint64_t k = 0; k < w->polyhedra.faces_of; ++k)
        bytes += demi_faces_bytes(&w->polyhedra.faces.read[k].faces);
    return bytes;
}

void demi_polyhedra_faces_free(dem_world *w)
{
    for (uint64_t k = 0; k < w->polyhedra.faces_of; ++k)
        wall_faces_free(w, &w->polyhedra.faces.data[k]);
    demi_array_free(&w->context, &w->polyhedra.faces);
}
