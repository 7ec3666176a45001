/* SPDX-License-Identifier: MIT */
/* Adding and removing rigid bodies. */
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "world/bodies.h"

#include <string.h>

enum { PARTS_MOST = 1 << 20 };

dem_status dem_body_init_sized(dem_body *body, uint64_t size)
{
    if (body == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_body values = {.struct_size = sizeof values, .orientation = {1.0, 0.0, 0.0, 0.0}};
    return demi_sized_write(body, size, &values);
}

dem_status dem_body_part_init_sized(dem_body_part *part, uint64_t size)
{
    if (part == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_body_part values = {.struct_size = sizeof values};
    return demi_sized_write(part, size, &values);
}

static int id_there(const dem_world *w, uint64_t id)
{
    uint32_t unused;
    return demi_idmap_find(&w->rigid_ids, id, &unused);
}

/* The place of the next body: the first vacant one, or the end. */
static uint64_t place_next(const dem_world *w)
{
    uint64_t k = w->rigids_vacant > 0 ? w->rigids_full : w->rigids;
    while (k < w->rigids && w->rigid.read[k].id != 0)
        ++k;
    return k;
}

/* Shapes of parts that are new to a world, or a few more: those that come again next to each other
 * count once. */
static uint64_t shapes_new(dem_world *w, uint64_t count, const dem_body_part *parts)
{
    const dem_polyhedron *last = NULL;
    uint64_t found = 0;
    for (uint64_t k = 0; k < count; ++k) {
        dem_body_part part;
        (void)demi_body_part_read(w, parts, k, &part);
        if (part.shape == NULL || part.shape == last)
            continue;
        last = part.shape;
        found += demi_shape_find(w, last) == NULL;
    }
    return found;
}

static dem_status add_room(dem_world *w, uint64_t count, const dem_body_part *parts)
{
    demi_context *context = &w->context;
    const uint64_t shapes = shapes_new(w, count, parts);
    dem_status status = demi_rows_make_room(w, count);
    if (status == DEM_OK && shapes > 0)
        status = demi_shapes_reserve(w, shapes);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &w->handle, w->handles + count, 1, "handles");
    if (status == DEM_OK)
        status = demi_idmap_reserve(context, &w->ids, count);
    if (status == DEM_OK)
        status = demi_idmap_reserve(context, &w->rigid_ids, 1);
    return status == DEM_OK ? demi_rigids_reserve(w, w->rigids + 1, w->rigid_parts + count)
                            : status;
}

uint64_t demi_rigid_enter(dem_world *w, const demi_rigid *what, const demi_pose *pose)
{
    const uint64_t place = place_next(w);
    demi_rigid *rigid = &w->rigid.data[place];
    uint32_t generation = 1;
    if (place < w->rigids) {
        generation = rigid->generation + 1;
        w->rigids_vacant--;
        w->rigids_full = place + 1;
    } else {
        w->rigids++;
    }
    *rigid = *what;
    rigid->generation = generation;
    rigid->part_begin = w->rigid_parts;
    rigid->parts = 0;
    demi_rigid_derive(rigid);
    demi_idmap_insert(&w->rigid_ids, rigid->id, (uint32_t)place);
    w->current.pose.data[place] = *pose;
    return place;
}

void demi_rigid_part_enter(dem_world *w, uint64_t place, uint64_t row, const double centre[3],
                           dem_polyhedron *shape)
{
    w->body.data[row].rigid = (uint32_t)place + 1;
    w->body.data[row].faceted = demi_faceted_of(shape);
    demi_rigid_part *of = &w->rigid_part.data[w->rigid_parts++];
    memset(of, 0, sizeof *of);
    memcpy(of->centre, centre, 3 * sizeof(double));
    of->handle = w->particle.read[row].handle;
    w->particle.data[row].part = (uint32_t)w->rigid.read[place].parts;
    of->shape = shape != NULL ? demi_shape_add(w, shape) : NULL;
    w->rigid.data[place].parts++;
}

/* Nothing here can fail. */
static void body_place(dem_world *w, const dem_body *b, uint64_t count, const dem_body_part *parts,
                       dem_body_handle *handle)
{
    demi_rigid rigid = {
        .id = b->id, .mobility = b->mobility, .damping_mass = b->damping_mass, .mass = b->mass};
    demi_pose pose;
    memcpy(rigid.inertia, b->inertia, sizeof rigid.inertia);
    demi_rigid_derive(&rigid);
    demi_body_pose_write(&rigid, b, &pose);
    const uint64_t place = demi_rigid_enter(w, &rigid, &pose);
    dem_body unit = *b;
    memcpy(unit.orientation, pose.orientation, sizeof unit.orientation);
    for (uint64_t k = 0; k < count; ++k) {
        dem_body_part part;
        (void)demi_body_part_read(w, parts, k, &part);
        (void)demi_body_part_shape_check(w, k, &part);
        dem_particle p = demi_body_part_particle(&unit, &part);
        if (p.id != 0) /* see parts_name */
            demi_idmap_remove(&w->ids, p.id);
        p.mobility = b->mobility;
        if (b->mobility == DEM_MOBILITY_FREE) {
            p.mobility = DEMI_KIND_PART;
            p.contact_mass = b->mass;
        }
        demi_particle_place(w, &p, NULL);
        demi_rigid_part_enter(w, place, w->rows - 1, part.centre, part.shape);
    }
    w->list_stale = w->forces_stale = 1;
    demi_ghosts_outdate(w);
    w->generation++;
    demi_mark_end(w);
    if (handle != NULL)
        *handle = (dem_body_handle){(uint32_t)place, w->rigid.read[place].generation};
}

/* Refuses ids of parts that are taken, or given twice. They are entered first, so that those which
 * the library gives avoid them; on success they are in the table still. */
static dem_status parts_name(dem_world *w, uint64_t count, const dem_body_part *parts)
{
    dem_status status = DEM_OK;
    dem_body_part part;
    uint32_t unused;
    uint64_t named = 0;
    for (; status == DEM_OK && named < count; ++named) {
        (void)demi_body_part_read(w, parts, named, &part);
        if (part.id == 0)
            continue;
        if (demi_idmap_find(&w->ids, part.id, &unused)) {
            status = demi_fail(&w->context, DEM_ERROR_DUPLICATE,
                               "body: part %llu: another particle, part or wall has the id %llu",
                               (unsigned long long)named, (unsigned long long)part.id);
            break;
        }
        demi_idmap_insert(&w->ids, part.id, 0);
    }
    for (uint64_t k = 0; status != DEM_OK && k < named; ++k) {
        (void)demi_body_part_read(w, parts, k, &part);
        if (part.id != 0)
            demi_idmap_remove(&w->ids, part.id);
    }
    return status;
}

DEMI_GUARDED guarded_body_add(dem_world *world, const dem_body *body, uint64_t part_count,
                              const dem_body_part *parts, dem_body_handle *handle)
{
    demi_context *context = &world->context;
    if (body == NULL || parts == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                         body == NULL ? "body" : "parts");
    dem_body b;
    memset(&b, 0, sizeof b);
    if (demi_sized_read(&b, body) != DEM_OK)
        return demi_sized_fail(context, "dem_body", body->struct_size);
    if (part_count == 0 || part_count > PARTS_MOST)
        return demi_fail(context, DEM_ERROR_RANGE, "part_count: %llu is not in [1, 2^20]",
                         (unsigned long long)part_count);
    if (world->rows + part_count >= DEMI_WALL_BIT)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "part_count: %llu and the %llu rows of the world are not below 2^31",
                         (unsigned long long)part_count, (unsigned long long)world->rows);
    dem_status status = demi_body_check(world, &b);
    if (status == DEM_OK)
        status = demi_body_parts_check(world, &b, part_count, parts);
    if (status == DEM_OK && b.id != 0 && id_there(world, b.id))
        status = demi_fail(context, DEM_ERROR_DUPLICATE,
                           "dem_body.id: another body has the id %llu", (unsigned long long)b.id);
    if (status == DEM_OK)
        status = add_room(world, part_count, parts);
    if (status == DEM_OK)
        status = parts_name(world, part_count, parts);
    if (status != DEM_OK)
        return status;
    if (b.id == 0)
        b.id = world->rigid_next_id > 0 ? world->rigid_next_id : 1;
    /* a snapshot may have the last number of all as the next one: 0 is no id */
    while (b.id == 0 || id_there(world, b.id))
        ++b.id;
    if (body->id == 0)
        world->rigid_next_id = b.id + 1;
    body_place(world, &b, part_count, parts, handle);
    return DEM_OK;
}

dem_status dem_body_add(dem_world *world, const dem_body *body, uint64_t part_count,
                        const dem_body_part *parts, dem_body_handle *handle)
{
    DEMI_SET(world, guarded_body_add(world, body, part_count, parts, handle));
}

/* Parts close the gaps that removed ones left. */
static void parts_close(dem_world *w)
{
    demi_rigid_part *part = w->rigid_part.data;
    uint64_t count = 0;
    for (uint64_t p = 0; p < w->rigid_parts; ++p) {
        if (part[p].removed)
            continue;
        demi_rigid *rigid = &w->rigid.data[w->body.read[demi_rigid_row(w, &part[p])].rigid - 1];
        if (rigid->part_begin == p)
            rigid->part_begin = count;
        part[count++] = part[p];
    }
    w->rigid_parts = count;
    w->rigid_parts_removed = 0;
}

void demi_rigid_remove(dem_world *w, uint64_t place)
{
    demi_rigid *rigid = &w->rigid.data[place];
    demi_rigid_part *part = w->rigid_part.data + rigid->part_begin;
    const uint64_t count = rigid->parts;
    for (uint64_t p = 0; p < count; ++p) {
        demi_particle_remove(w, part[p].handle);
        if (part[p].shape != NULL)
            demi_shape_drop(w, part[p].shape);
        part[p].shape = NULL;
        part[p].removed = 1;
    }
    demi_idmap_remove(&w->rigid_ids, rigid->id);
    if (rigid->ghost) {
        w->ghosts.parts -= count;
        w->ghosts.bodies--;
    }
    rigid->id = rigid->parts = rigid->part_begin = 0;
    rigid->ghost = 0;
    rigid->generation++;
    w->rigids_vacant++;
    w->rigids_full = place < w->rigids_full ? place : w->rigids_full;
    w->rigid_parts_removed += count;
    if (2 * w->rigid_parts_removed > w->rigid_parts)
        parts_close(w);
}

DEMI_GUARDED guarded_body_remove(dem_world *world, dem_body_handle handle)
{
    uint64_t place;
    dem_status status = demi_rigid_place_of(world, handle, &place);
    if (status == DEM_OK)
        status = demi_body_ghost_refuse(world, place);
    if (status != DEM_OK)
        return status;
    demi_rigid_remove(world, place);
    world->list_stale = world->forces_stale = 1;
    world->generation++;
    demi_mark_end(world);
    return DEM_OK;
}

dem_status dem_body_remove(dem_world *world, dem_body_handle handle)
{
    DEMI_SET(world, guarded_body_remove(world, handle));
}
