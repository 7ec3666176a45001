/* SPDX-License-Identifier: MIT */
/* Shapes that a world knows, each once: those that parts of bodies have, and those that the host
 * told of. Their checksums find them. */
#include "base/entry.h"
#include "mesh/polyhedron.h"
#include "world/world.h"

#include <string.h>

/* Whether a world can tell two polyhedra apart: it uses the mesh, what follows from it, and the
 * volume, whose round-off depends on where the mesh was. */
static int shapes_alike(const dem_polyhedron *a, const dem_polyhedron *b)
{
    const dem_mesh *m = a->mesh, *n = b->mesh;
    if (a == b)
        return 1;
    return a->name == b->name && a->solid.volume == b->solid.volume &&
           m->vertex_count == n->vertex_count && m->facet_count == n->facet_count &&
           memcmp(m->vertex.buffer.data, n->vertex.buffer.data,
                  (size_t)m->vertex_count * 3 * sizeof(double)) == 0 &&
           memcmp(m->facet.buffer.data, n->facet.buffer.data,
                  (size_t)m->facet_count * 3 * sizeof(uint32_t)) == 0;
}

/* The first shape of a name, or NULL; then the next one of that name. */
static demi_known_shape *shape_first(const dem_world *w, uint64_t name)
{
    uint32_t place;
    return demi_idmap_find(&w->polyhedra.names, name, &place) ? w->polyhedra.known.data + place
                                                              : NULL;
}

static demi_known_shape *shape_after(const dem_world *w, const demi_known_shape *known)
{
    return known->next != 0 ? w->polyhedra.known.data + (known->next - 1) : NULL;
}

demi_known_shape *demi_shape_find(const dem_world *w, const dem_polyhedron *shape)
{
    demi_known_shape *known = shape_first(w, shape->name);
    while (known != NULL && !shapes_alike(known->shape, shape))
        known = shape_after(w, known);
    return known;
}

dem_polyhedron *demi_shape_known(const dem_world *w, uint64_t name)
{
    demi_known_shape *first = shape_first(w, name), *known = first;
    while (known != NULL && !known->told)
        known = shape_after(w, known);
    return known != NULL ? known->shape : first != NULL ? first->shape : NULL;
}

dem_status demi_shapes_reserve(dem_world *w, uint64_t more)
{
    demi_polyhedra *p = &w->polyhedra;
    const dem_status status = demi_array_reserve(&w->context, &p->known, p->known_count + more, 1,
                                                 "shapes that are known");
    return status == DEM_OK ? demi_idmap_reserve(&w->context, &p->names, more) : status;
}

/* Adds a shape, for which there is room, as the last of its name. */
static demi_known_shape *shape_enter(dem_world *w, dem_polyhedron *shape)
{
    demi_polyhedra *p = &w->polyhedra;
    const uint32_t place = p->known_vacant != 0 ? p->known_vacant - 1 : (uint32_t)p->known_count;
    demi_known_shape *known = &p->known.data[place], *last = shape_first(w, shape->name);
    if (p->known_vacant != 0)
        p->known_vacant = known->next;
    else
        p->known_count++;
    memset(known, 0, sizeof *known);
    known->shape = dem_polyhedron_retain(shape);
    atomic_init(&known->first, DEMI_PART_UNKNOWN);
    if (last == NULL) {
        demi_idmap_insert(&p->names, shape->name, place);
        return known;
    }
    while (last->next != 0)
        last = shape_after(w, last);
    last->next = place + 1;
    return known;
}

/* Takes out a shape that nothing needs any more. */
static void shape_leave(dem_world *w, demi_known_shape *known)
{
    demi_polyhedra *p = &w->polyhedra;
    const uint64_t name = known->shape->name;
    if (known->parts > 0 || known->told || p->held)
        return;
    demi_known_shape *before = shape_first(w, name);
    if (before != known) {
        while (shape_after(w, before) != known)
            before = shape_after(w, before);
        before->next = known->next;
    } else if (known->next != 0) {
        demi_idmap_set(&p->names, name, known->next - 1);
    } else {
        demi_idmap_remove(&p->names, name);
    }
    dem_polyhedron_destroy(known->shape);
    known->shape = NULL;
    known->next = p->known_vacant;
    p->known_vacant = (uint32_t)(known - p->known.data) + 1;
}

dem_polyhedron *demi_shape_add(dem_world *w, dem_polyhedron *shape)
{
    demi_known_shape *known = demi_shape_find(w, shape);
    if (known == NULL)
        known = shape_enter(w, shape);
    demi_polyhedra_widen(w, known->shape->mesh);
    atomic_store_explicit(&known->first, DEMI_PART_UNKNOWN, memory_order_relaxed);
    known->parts++;
    w->polyhedra.parts++;
    return known->shape;
}

void demi_shape_drop(dem_world *w, const dem_polyhedron *shape)
{
    demi_known_shape *known = demi_shape_find(w, shape);
    atomic_store_explicit(&known->first, DEMI_PART_UNKNOWN, memory_order_relaxed);
    known->parts--;
    w->polyhedra.parts--;
    shape_leave(w, known);
}

void demi_shapes_hold(dem_world *w, int held)
{
    demi_polyhedra *p = &w->polyhedra;
    p->held = held;
    for (uint64_t k = 0; !held && k < p->known_count; ++k)
        if (p->known.read[k].shape != NULL)
            shape_leave(w, &p->known.data[k]);
}

static dem_status shape_tell(dem_world *w, dem_polyhedron *shape)
{
    demi_known_shape *known = demi_shape_find(w, shape);
    const dem_status status = known == NULL ? demi_shapes_reserve(w, 1) : DEM_OK;
    if (status != DEM_OK)
        return status;
    if (known == NULL)
        known = shape_enter(w, shape);
    known->told = 1;
    return DEM_OK;
}

dem_status demi_shapes_tell(const dem_world *from, dem_world *to)
{
    dem_status status = DEM_OK;
    for (uint64_t k = 0; status == DEM_OK && k < from->polyhedra.known_count; ++k) {
        const demi_known_shape *known = &from->polyhedra.known.read[k];
        if (known->shape != NULL && known->told)
            status = shape_tell(to, known->shape);
    }
    return status;
}

void demi_shapes_free(dem_world *w)
{
    for (uint64_t k = 0; k < w->polyhedra.known_count; ++k)
        dem_polyhedron_destroy(w->polyhedra.known.read[k].shape);
    demi_array_free(&w->context, &w->polyhedra.known);
    demi_array_free(&w->context, &w->polyhedra.names.entry);
}

DEMI_GUARDED guarded_shape_know(dem_world *world, dem_polyhedron *shape)
{
    if (shape == NULL)
        return demi_fail(&world->context, DEM_ERROR_ARGUMENT, "shape: must not be NULL");
    return shape_tell(world, shape);
}

dem_status dem_world_shape_know(dem_world *world, dem_polyhedron *shape)
{
    DEMI_SET(world, guarded_shape_know(world, shape));
}

/* ------------------------------------------------------------------ first parts */

/* Calls that only read may be here side by side: each lowers what it finds, and all find the same
 * least one. */
static void first_lower(demi_known_shape *known, uint64_t part)
{
    uint64_t now = atomic_load_explicit(&known->first, memory_order_relaxed);
    while (part < now && !atomic_compare_exchange_weak_explicit(
                             &known->first, &now, part, memory_order_relaxed, memory_order_relaxed))
        ;
}

uint64_t demi_shapes_first_parts(const dem_world *w)
{
    const demi_polyhedra *p = &w->polyhedra;
    uint64_t shapes = 0, unknown = 0;
    for (uint64_t k = 0; k < p->known_count; ++k) {
        demi_known_shape *known = &p->known.data[k];
        if (known->parts == 0)
            continue;
        shapes++;
        unknown += atomic_load_explicit(&known->first, memory_order_relaxed) == DEMI_PART_UNKNOWN;
    }
    for (uint64_t k = 0; unknown > 0 && k < w->rigids; ++k) {
        const demi_rigid *rigid = &w->rigid.read[k];
        const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
        for (uint64_t n = 0; rigid->id != 0 && n < rigid->parts; ++n)
            if (part[n].shape != NULL)
                first_lower(demi_shape_find(w, part[n].shape), k << 32 | n);
    }
    return shapes;
}
