/* SPDX-License-Identifier: MIT */
/* The section of polyhedra: each shape once, however many parts have it, then the handles of those
 * parts. Where there are none a snapshot has no such section. Another one has the slots of spheres
 * on those that are not convex. */
#include "io/kept_shapes.h"

#include "base/check.h"
#include "io/meshes.h"
#include "mesh/polyhedron.h"

#include <string.h>

/* ------------------------------------------------------------------ writing */

/* A part that is a polyhedron, and its place in the order of bodies and parts. */
typedef struct shape_part {
    const demi_rigid_part *part;
    uint64_t place;
} shape_part;

/* Calls `visit` for the parts that are polyhedra, body by body: the order does not tell when bodies
 * came. */
static void shapes_each(const dem_world *w, demi_writer *out,
                        void (*visit)(const dem_world *, const shape_part *, demi_writer *))
{
    for (uint64_t k = 0; k < w->rigids; ++k) {
        const demi_rigid *rigid = &w->rigid.read[k];
        shape_part of = {w->rigid_part.read + rigid->part_begin, k << 32};
        for (uint64_t p = 0; rigid->id != 0 && p < rigid->parts; ++p, ++of.part, ++of.place)
            if (of.part->shape != NULL)
                visit(w, &of, out);
    }
}

/* The place of the first part that has a shape: by its handle the shape is named. */
static uint64_t shape_place(const dem_world *w, const dem_polyhedron *shape)
{
    return atomic_load_explicit(&demi_shape_find(w, shape)->first, memory_order_relaxed);
}

static void write_polyhedron(demi_writer *out, const dem_polyhedron *shape)
{
    const dem_mesh_solid *solid = &shape->solid;
    demi_write_doubles(out, &solid->volume, 1);
    demi_write_doubles(out, solid->centre, 3);
    demi_write_doubles(out, solid->inertia, 6);
    demi_write_doubles(out, solid->principal, 3);
    demi_write_doubles(out, solid->orientation, 4);
    demi_write_mesh(out, shape->mesh);
}

static void write_first(const dem_world *w, const shape_part *of, demi_writer *out)
{
    if (shape_place(w, of->part->shape) != of->place)
        return;
    demi_write_u64(out, of->part->handle);
    write_polyhedron(out, of->part->shape);
}

static void write_handle(const dem_world *w, const shape_part *of, demi_writer *out)
{
    const uint64_t first = shape_place(w, of->part->shape);
    const demi_rigid *rigid = &w->rigid.read[first >> 32];
    const uint64_t part = rigid->part_begin + (first & UINT32_MAX);
    demi_write_u32(out, of->part->handle, w->rigid_part.read[part].handle);
}

static void write_polyhedra(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    demi_write_u64(out, demi_shapes_first_parts(w));
    shapes_each(w, out, write_first);
    shapes_each(w, out, write_handle);
}

void demi_write_shapes(demi_writer *writer, const dem_world *w)
{
    if (w->polyhedra.parts > 0)
        demi_write_section(writer, DEMI_SHAPES_TAG, write_polyhedra, w);
}

static void write_slots(demi_writer *out, const void *argument)
{
    demi_write_u64(out, demi_polyhedra_slots(argument));
}

void demi_write_slots(demi_writer *writer, const dem_world *w)
{
    if (demi_polyhedra_slots(w) > DEMI_SLOTS_FIRST)
        demi_write_section(writer, DEMI_SLOTS_TAG, write_slots, w);
}

/* ------------------------------------------------------------------ reading */

static dem_status shapes_refuse(dem_world *w, const char *what)
{
    return demi_fail(&w->context, DEM_ERROR_FORMAT, "snapshot: %.200s of a polyhedron is not valid",
                     what);
}

/* Names the shape that was read last; of several of one name the first has it. A name is a handle,
 * and the keys of the table are not 0. */
static void shape_name(demi_kept_shapes *kept, uint64_t name)
{
    uint32_t there;
    if (name <= UINT32_MAX && !demi_idmap_find(&kept->names, name + 1, &there))
        demi_idmap_insert(&kept->names, name + 1, (uint32_t)kept->count);
    kept->count++;
}

static dem_status read_polyhedron(demi_reader *in, dem_world *w, demi_kept_shapes *kept)
{
    dem_mesh_solid solid = {.struct_size = sizeof solid};
    demi_kept_meshes mesh;
    dem_error error;
    memset(&mesh, 0, sizeof mesh);
    const uint64_t name = demi_read_u64(in);
    solid.volume = demi_read_double(in);
    demi_read_doubles(in, solid.centre, 3);
    demi_read_doubles(in, solid.inertia, 6);
    demi_read_doubles(in, solid.principal, 3);
    demi_read_doubles(in, solid.orientation, 4);
    dem_status status = demi_read_mesh(in, w, &mesh);
    if (status == DEM_OK && !in->failed)
        status = demi_array_reserve(&w->context, &kept->shape, kept->count + 1, 1, "polyhedra");
    if (status == DEM_OK && !in->failed)
        status = demi_idmap_reserve(&w->context, &kept->names, 1);
    if (status == DEM_OK && !in->failed) {
        status = demi_polyhedron_restore(&w->config.allocator, mesh.mesh.data[0], &solid,
                                         &kept->shape.data[kept->count], &error);
        if (status == DEM_OK)
            shape_name(kept, name);
        else if (status == DEM_ERROR_MEMORY)
            status = demi_fail(&w->context, status, "snapshot: %.200s", error.message);
        else
            status = shapes_refuse(w, error.message);
    }
    demi_kept_meshes_free(w, &mesh);
    return status;
}

static dem_status read_polyhedron_row(demi_reader *in, dem_world *w, demi_kept_shapes *kept)
{
    uint32_t handle, name, shape;
    demi_read_u32(in, &handle, &name);
    if (in->failed || handle >= w->handles || w->handle.read[handle].generation % 2 == 0 ||
        !demi_idmap_find(&kept->names, (uint64_t)name + 1, &shape))
        return shapes_refuse(w, "the row");
    const uint64_t row = w->handle.read[handle].row;
    demi_body *body = &w->body.data[row];
    if (body->faceted || w->current.position.read[row][3] != kept->shape.read[shape]->radius)
        return shapes_refuse(w, "the row");
    body->faceted = demi_faceted_of(kept->shape.read[shape]);
    kept->of_handle.data[handle] = shape;
    return DEM_OK;
}

dem_status demi_read_shapes(demi_reader *in, dem_world *w, demi_kept_shapes *kept)
{
    const uint64_t count = demi_read_count(in, 20);
    dem_status status =
        demi_array_reserve(&w->context, &kept->of_handle, w->handles, 0, "polyhedra");
    for (uint64_t k = 0; k < count && status == DEM_OK && !in->failed; ++k)
        status = read_polyhedron(in, w, kept);
    if (status == DEM_OK && !in->failed)
        status = demi_shapes_reserve(w, kept->count);
    while (status == DEM_OK && !in->failed && in->length > 0)
        status = read_polyhedron_row(in, w, kept);
    return status;
}

void demi_shape_give(dem_world *w, const demi_kept_shapes *kept, demi_rigid_part *part)
{
    if (!w->body.read[w->handle.read[part->handle].row].faceted)
        return;
    part->shape = demi_shape_add(w, kept->shape.read[kept->of_handle.read[part->handle]]);
}

dem_status demi_read_slots(demi_reader *in, dem_world *w)
{
    const uint64_t slots = demi_read_u64(in);
    if (slots > DEMI_SLOTS_MOST || !demi_slots_count_valid((uint32_t)slots))
        return demi_fail(&w->context, DEM_ERROR_FORMAT,
                         "snapshot: %llu places where a sphere touches a polyhedron are no power "
                         "of 2 from %d to %d",
                         (unsigned long long)slots, DEMI_SLOTS_FIRST, DEMI_SLOTS_MOST);
    w->polyhedra.slots = (uint32_t)slots;
    return DEM_OK;
}

void demi_kept_shapes_free(dem_world *w, demi_kept_shapes *kept)
{
    for (uint64_t k = 0; k < kept->count; ++k)
        dem_polyhedron_destroy(kept->shape.data[k]);
    demi_array_free(&w->context, &kept->shape);
    demi_array_free(&w->context, &kept->names.entry);
    demi_array_free(&w->context, &kept->of_handle);
}

int demi_faceted_valid(const double kept[DEMI_FACETED_KEPT])
{
    demi_faceted_contact c;
    memcpy(&c, kept, sizeof c);
    return demi_within3(c.normal, 2.0) && fabs(demi_dot(c.normal, c.normal) - 1.0) < 1e-6 &&
           demi_finite3(c.point) && demi_positive(c.overlap) && demi_positive(c.radius) &&
           isfinite(c.twist) && demi_positive(c.surplus) && demi_positive(c.depth) &&
           isfinite(c.dashpot);
}
