/* SPDX-License-Identifier: MIT */
/* What polyhedra cannot meet yet is refused before a step, where a model says that they would. */
#include "world/world.h"

#include <dem/law_hertz.h>

#include <string.h>

/* What there is of a material, as bits. */
enum {
    CENSUS_FACETED = 1,
    CENSUS_SPHERE = 2,
    CENSUS_PLANE = 4,
    CENSUS_WALL = 8,
    CENSUS_HOLLOW = 16, /* a polyhedron that is not convex */
    CENSUS_SHELLS = 32  /* a polyhedron whose surface is in several pieces */
};

static void census_fill(dem_world *w, unsigned char *census)
{
    memset(census, 0, (size_t)w->config.material_count);
    for (uint64_t row = 0; row < w->rows; ++row) {
        const demi_body *body = &w->body.read[row];
        if (body->id != 0)
            census[body->material] |= body->faceted ? CENSUS_FACETED : CENSUS_SPHERE;
        if (body->id != 0 && body->faceted == DEMI_FACETED_HOLLOW)
            census[body->material] |= CENSUS_HOLLOW;
        if (body->id != 0 && body->faceted && demi_faceted_shape(w, row)->shells > 1)
            census[body->material] |= CENSUS_SHELLS;
    }
    for (uint64_t k = 0; k < w->walls; ++k) {
        const demi_wall *wall = &w->wall.read[k];
        if (wall->id != 0)
            census[wall->material] |= wall->shape == DEMI_SHAPE_PLANE ? CENSUS_PLANE : CENSUS_WALL;
    }
}

/* The first row of a material that is a polyhedron. */
static unsigned long long first_row(const dem_world *w, int32_t material)
{
    uint64_t row = 0;
    while (w->body.read[row].id == 0 || w->body.read[row].material != material ||
           !w->body.read[row].faceted)
        ++row;
    return (unsigned long long)w->body.read[row].id;
}

/* Polyhedra of material a, and what there is of b. */
static dem_status pair_check(dem_world *w, const demi_model *model, int32_t a, int32_t b,
                             unsigned char own, unsigned char there)
{
    const unsigned long long id = first_row(w, a);
    if ((there & CENSUS_WALL) != 0 && (own & CENSUS_SHELLS) != 0)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "dem_step: a polyhedron of material %d has a surface of several pieces, "
                         "and walls of material %d are no planes: they touch polyhedra of one "
                         "piece alone: make it of several parts, or set an empty model of these "
                         "materials",
                         (int)a, (int)b);
    if ((there & (CENSUS_FACETED | CENSUS_PLANE | CENSUS_WALL | CENSUS_SPHERE)) != 0 &&
        strcmp(model->laws[0].name, DEM_LAW_HERTZ) != 0)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "dem_step: particle %llu is a polyhedron, and the normal part of the "
                         "model of materials %d and %d is \"%.40s\": polyhedra need \"%s\" "
                         "(dem_contact_model_add_hertz)",
                         id, (int)a, (int)b, model->laws[0].name, DEM_LAW_HERTZ);
    return DEM_OK;
}

/* Fills the census, for which there is room then. */
static dem_status census_make(dem_world *w)
{
    const uint64_t count = (uint64_t)w->config.material_count;
    const dem_status status =
        demi_array_reserve(&w->context, &w->polyhedra.census, count, 0, "check of polyhedra");
    if (status == DEM_OK)
        census_fill(w, w->polyhedra.census.data);
    return status;
}

dem_status demi_polyhedra_check_wall(dem_world *w, uint64_t index)
{
    const dem_status status = census_make(w);
    unsigned char *census = w->polyhedra.census.data;
    for (int32_t a = 0; status == DEM_OK && a < w->config.material_count; ++a)
        census[a] &= CENSUS_FACETED;
    return status != DEM_OK ? status : demi_polyhedra_faces(w, census, index, index + 1);
}

dem_status demi_polyhedra_check(dem_world *w)
{
    const int32_t n = w->config.material_count;
    dem_status status = census_make(w);
    if (status != DEM_OK)
        return status;
    unsigned char *census = w->polyhedra.census.data;
    for (int32_t a = 0; a < n; ++a)
        for (int32_t b = 0; (census[a] & CENSUS_FACETED) != 0 && b < n && status == DEM_OK; ++b) {
            const demi_model *model = demi_models_get(&w->models, a, b);
            if (model != NULL)
                status = pair_check(w, model, a, b, census[a], census[b]);
            /* spheres look for facets then */
            if (status == DEM_OK && model != NULL && (census[a] & CENSUS_HOLLOW) != 0 &&
                (census[b] & CENSUS_SPHERE) != 0)
                status = demi_mesh_points_reserve(w, 1);
        }
    for (int32_t a = 0; a < n; ++a)
        census[a] &= CENSUS_FACETED;
    if (status == DEM_OK)
        status = demi_polyhedra_faces(w, census, 0, w->walls);
    w->polyhedra.looked = status == DEM_OK;
    return status;
}
