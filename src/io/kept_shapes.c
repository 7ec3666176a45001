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

/* Calls `visit` for the parts that are polyhedra, body by body: the order does not tell when bodies
 * came. */
static void shapes_each(const dem_world *w, void *of,
                        void (*visit)(const dem_world *, const demi_rigid_part *, void *))
{
    for (uint64_t k = 0; k < w->rigids; ++k) {
        const demi_rigid *rigid = &w->rigid.read[k];
        const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
        for (uint64_t p = 0; rigid->id != 0 && p < rigid->parts; ++p)
            if (part[p].shape != NULL)
                visit(w, &part[p], of);
    }
}

/* The handle of the first part that has a shape: by it the shape is named. */
static uint32_t shape_name(const dem_world *w, const dem_polyhedron *shape)
{
    for (uint64_t k = 0; k < w->rigids; ++k) {
        const demi_rigid *rigid = &w->rigid.read[k];
        const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
        for (uint64_t p = 0; rigid->id != 0 && p < rigid->parts; ++p)
            if (part[p].shape == shape)
                return part[p].handle;
    }
    return UINT32_MAX;
}

static void count_shape(const dem_world *w, const demi_rigid_part *part, void *of)
{
    *(uint64_t *)of += shape_name(w, part->shape) == part->handle;
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

static void write_first(const dem_world *w, const demi_rigid_part *part, void *of)
{
    if (shape_name(w, part->shape) != part->handle)
        return;
    demi_write_u64(of, part->handle);
    write_polyhedron(of, part->shape);
}

static void write_handle(const dem_world *w, const demi_rigid_part *part, void *of)
{
    demi_write_u32(of, part->handle, shape_name(w, part->shape));
}

static void write_polyhedra(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    uint64_t count = 0;
    shapes_each(w, &count, count_shape);
    demi_write_u64(out, count);
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
        status = demi_array_reserve(&w->context, &kept->name, kept->count + 1, 1, "polyhedra");
    if (status == DEM_OK && !in->failed) {
        kept->name.data[kept->count] = name;
        status = demi_polyhedron_restore(&w->config.allocator, mesh.mesh.data[0], &solid,
                                         &kept->shape.data[kept->count], &error);
        if (status == DEM_OK)
            kept->count++;
        else if (status == DEM_ERROR_MEMORY)
            status = demi_fail(&w->context, status, "snapshot: %.200s", error.message);
        else
            status = shapes_refuse(w, error.message);
    }
    demi_kept_meshes_free(w, &mesh);
    return status;
}

/* The number of the shape of this name; their count where there is none. */
static uint64_t shape_named(const demi_kept_shapes *kept, uint64_t name)
{
    uint64_t k = 0;
    while (k < kept->count && kept->name.read[k] != name)
        ++k;
    return k;
}

static dem_status read_polyhedron_row(demi_reader *in, dem_world *w, demi_kept_shapes *kept)
{
    uint32_t handle, name;
    demi_read_u32(in, &handle, &name);
    const uint64_t shape = shape_named(kept, name);
    if (in->failed || handle >= w->handles || w->handle.read[handle].generation % 2 == 0 ||
        shape == kept->count)
        return shapes_refuse(w, "the row");
    const uint64_t row = w->handle.read[handle].row;
    demi_body *body = &w->body.data[row];
    if (body->faceted || w->current.position.read[row][3] != kept->shape.read[shape]->radius)
        return shapes_refuse(w, "the row");
    body->faceted = demi_faceted_of(kept->shape.read[shape]);
    kept->of_handle.data[handle] = (uint32_t)shape;
    return DEM_OK;
}

dem_status demi_read_shapes(demi_reader *in, dem_world *w, demi_kept_shapes *kept)
{
    const uint64_t count = demi_read_count(in, 20);
    dem_status status =
        demi_array_reserve(&w->context, &kept->of_handle, w->handles, 0, "polyhedra");
    for (uint64_t k = 0; k < count && status == DEM_OK && !in->failed; ++k)
        status = read_polyhedron(in, w, kept);
    while (status == DEM_OK && !in->failed && in->length > 0)
        status = read_polyhedron_row(in, w, kept);
    return status;
}

void demi_shape_give(dem_world *w, const demi_kept_shapes *kept, demi_rigid_part *part)
{
    if (!w->body.read[w->handle.read[part->handle].row].faceted)
        return;
    part->shape = kept->shape.read[kept->of_handle.read[part->handle]];
    demi_polyhedra_add(w, part->shape);
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
    demi_array_free(&w->context, &kept->name);
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
