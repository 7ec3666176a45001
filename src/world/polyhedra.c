/* SPDX-License-Identifier: MIT */
/* What a world has of polyhedra: room to search for their contacts, and why it cannot go on. */
#include "base/entry.h"
#include "mesh/polyhedron.h"
#include "world/world.h"

#include <string.h>

/* Crossings of facets that there is room for at first. */
enum { CROSSINGS_FIRST = 256 };

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

void demi_polyhedra_widen(dem_world *w, const dem_mesh *mesh)
{
    demi_overlap_sizes *most = &w->polyhedra.sizes;
    most->facets = greater(most->facets, mesh->facet_count);
    most->edges = greater(most->edges, mesh->edge_count);
    most->vertices = greater(most->vertices, mesh->vertex_count);
}

uint32_t demi_polyhedra_slots(const dem_world *w)
{
    return w->polyhedra.slots > 0 ? w->polyhedra.slots : DEMI_SLOTS_FIRST;
}

void demi_polyhedra_slots_have(dem_world *w, uint32_t feature)
{
    uint32_t slots = demi_polyhedra_slots(w);
    while (slots <= feature)
        slots *= 2;
    w->polyhedra.slots = slots;
}

int16_t demi_faceted_of(const dem_polyhedron *shape)
{
    if (shape == NULL)
        return 0;
    return shape->convex ? DEMI_FACETED_CONVEX : DEMI_FACETED_HOLLOW;
}

/* Where the searches stand: they know memory of the world, or, at work, none. */
static void works_lay(dem_world *w, int at_work)
{
    for (uint64_t k = 0; k < w->polyhedra.works; ++k) {
        demi_faceted_work *work = &w->polyhedra.work.data[k];
        work->overlap.context = at_work ? &work->context : &w->context;
    }
}

static dem_status hints_reserve(dem_world *w)
{
    demi_polyhedra *p = &w->polyhedra;
    const uint64_t pairs = w->list.pairs_room;
    if (p->hinted == w->rebuilds && p->hints >= pairs)
        return DEM_OK;
    const dem_status status =
        demi_array_reserve(&w->context, &p->hint, pairs, 0, "pairs of polyhedra");
    if (status == DEM_OK && pairs > 0)
        memset(p->hint.data, 0, (size_t)pairs * sizeof *p->hint.data);
    if (status == DEM_OK) {
        p->hinted = w->rebuilds;
        p->hints = pairs;
    }
    return status;
}

dem_status demi_polyhedra_reserve(dem_world *w, uint64_t crossings)
{
    demi_polyhedra *p = &w->polyhedra;
    const dem_log silent = {.message = NULL};
    const uint64_t room = greater(greater(crossings, p->crossings), CROSSINGS_FIRST);
    const uint64_t works = greater(w->workspaces.count, 1); /* views of facets need one */
    dem_status status =
        demi_array_reserve(&w->context, &p->work, works, 1, "contacts of polyhedra");
    for (; status == DEM_OK && p->works < works; p->works++) {
        demi_faceted_work *work = &p->work.data[p->works];
        memset(work, 0, sizeof *work);
        work->overlap.isa = w->models.isa;
        status = demi_context_init(&work->context, &w->config.allocator, &silent);
        if (status != DEM_OK)
            return status;
    }
    works_lay(w, 0);
    for (uint64_t k = 0; status == DEM_OK && k < p->works; ++k)
        status = demi_overlap_reserve(&p->work.data[k].overlap, &p->sizes, room);
    works_lay(w, 1);
    if (status == DEM_OK)
        p->crossings = room;
    return status == DEM_OK ? hints_reserve(w) : status;
}

demi_faceted_work *demi_faceted_work_of(const dem_world *w, const demi_workspace *workspace)
{
    const uint64_t bytes = (uint64_t)((const unsigned char *)workspace - w->workspaces.memory.read);
    return w->polyhedra.work.data + bytes / w->workspaces.size;
}

void demi_polyhedra_free(dem_world *w)
{
    works_lay(w, 0);
    for (uint64_t k = 0; k < w->polyhedra.works; ++k)
        demi_overlap_free(&w->polyhedra.work.data[k].overlap);
    demi_array_free(&w->context, &w->polyhedra.work);
    demi_array_free(&w->context, &w->polyhedra.hint);
    demi_array_free(&w->context, &w->polyhedra.census);
    demi_array_free(&w->context, &w->polyhedra.part);
    demi_array_free(&w->context, &w->polyhedra.parted);
    demi_array_free(&w->context, &w->polyhedra.parted_room);
}

dem_status demi_polyhedra_failed(dem_world *w, const demi_chunk_result *result)
{
    const demi_ends ends = demi_ends_of(&w->list, result->pair);
    const unsigned long long step = (unsigned long long)w->steps + 1,
                             own = (unsigned long long)w->body.read[ends.own].id,
                             other = (unsigned long long)(ends.wall ? w->wall.read[ends.other].id
                                                                    : w->body.read[ends.other].id);
    if (result->faceted == DEMI_FACETED_OPEN && ends.wall)
        return demi_fail(&w->context, DEM_ERROR_DIVERGED,
                         "particle %llu and wall %llu: the surfaces of the polyhedron and of the "
                         "mesh cross in no closed line at step %llu: check that the meshes do not "
                         "cross themselves, and that no rim of the wall is deep in the particle",
                         own, other, step);
    if (result->faceted == DEMI_FACETED_OPEN)
        return demi_fail(&w->context, DEM_ERROR_DIVERGED,
                         "particles %llu and %llu: the surfaces of the two polyhedra cross in no "
                         "closed line at step %llu: check that their meshes do not cross "
                         "themselves, and that neither is 1e6 times as large as the other: split "
                         "the large one into parts, or take a sphere for the small one",
                         own, other, step);
    if (result->faceted == DEMI_FACETED_PATCHES)
        return demi_fail(
            &w->context, DEM_ERROR_RANGE,
            "particle %llu and %s %llu touch at more than %d places at step %llu: make "
            "bodies of several parts, or meshes coarser",
            own, ends.wall ? "wall" : "particle", other, DEMI_PATCHES_MOST, step);
    return demi_fail(&w->context, DEM_ERROR_OVERLAP,
                     "particle %llu and %s %llu: one is wholly %s the other, or pierces it, at "
                     "step %llu, where no "
                     "force acts: place them apart, take a smaller dt or a stiffer model",
                     own, ends.wall ? "wall" : "particle", other, ends.wall ? "behind" : "inside",
                     step);
}
