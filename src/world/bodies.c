/* SPDX-License-Identifier: MIT */
/* Adding, removing, reading and setting rigid bodies. */
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "mesh/polyhedron.h"
#include "world/world.h"

#include <dem/rotation.h>

#include <stdio.h>
#include <stdlib.h>
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

/* ------------------------------------------------------------------ checks */

/* name: of the body, for messages */
static dem_status motion_check(demi_context *context, const char *name, const double position[3],
                               const double orientation[4], const double velocity[3],
                               const double angular_velocity[3])
{
    const struct {
        const char *name;
        const double *value;
    } given[] = {
        {"position", position}, {"velocity", velocity}, {"angular_velocity", angular_velocity}};
    for (int k = 0; k < 3; ++k)
        if (given[k].value != NULL && !demi_within3(given[k].value, DEMI_MOTION_MOST))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "%s: %s (%g, %g, %g) must be finite and within %g", name,
                             given[k].name, given[k].value[0], given[k].value[1], given[k].value[2],
                             DEMI_MOTION_MOST);
    if (orientation == NULL)
        return DEM_OK;
    const double *q = orientation;
    const int finite = demi_within3(q, 2.0) && isfinite(q[3]) && fabs(q[3]) <= 2.0;
    if (!finite || fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0) > 2e-6)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "%s: orientation (%g, %g, %g, %g) must have length 1 to within 1e-6", name,
                         q[0], q[1], q[2], q[3]);
    return DEM_OK;
}

/* Masses whose inverses would not be numbers would not step. */
static int mass_fits(double mass)
{
    enum { POWER_MOST = 1000 };
    int power = 0;
    if (!demi_positive(mass))
        return 0;
    (void)frexp(mass, &power);
    return abs(power) <= POWER_MOST;
}

static dem_status mass_check(demi_context *context, const dem_body *b)
{
    if (b->mobility != DEM_MOBILITY_FREE) {
        if (!demi_not_negative(b->mass))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_body.mass: %g kg must be finite and >= 0", b->mass);
        for (int c = 0; c < 3; ++c)
            if (!demi_not_negative(b->inertia[c]))
                return demi_fail(context, DEM_ERROR_RANGE,
                                 "dem_body.inertia[%d]: %g kg m2 must be finite and >= 0", c,
                                 b->inertia[c]);
        return DEM_OK;
    }
    if (!mass_fits(b->mass))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_body.mass: %g kg of a free body must be > 0, from 2^-1001 to "
                         "below 2^1000 kg",
                         b->mass);
    const double *i = b->inertia;
    for (int c = 0; c < 3; ++c) {
        if (!mass_fits(i[c]))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_body.inertia[%d]: %g kg m2 of a free body must be > 0, from "
                             "2^-1001 to below 2^1000 kg m2",
                             c, i[c]);
    }
    for (int c = 0; c < 3; ++c) {
        const double others = i[(c + 1) % 3] + i[(c + 2) % 3];
        if (i[c] > others * (1.0 + 1e-9))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_body.inertia[%d]: %g kg m2 exceeds the sum %g kg m2 of the "
                             "others, which no solid can have",
                             c, i[c], others);
    }
    return DEM_OK;
}

static dem_status body_check(dem_world *w, const dem_body *b)
{
    demi_context *context = &w->context;
    if (!demi_rigids_scheme(w))
        return demi_fail(context, DEM_ERROR_STATE,
                         "body: the world has another scheme than DEM_INTEGRATOR_VERLET_SYNC, "
                         "which bodies need");
    if (w->added_mass.read != NULL)
        return demi_fail(context, DEM_ERROR_STATE,
                         "body: the world has added masses (DEM_FIELD_ADDED_MASS), which bodies "
                         "have not yet");
    if (!demi_kind_offered(b->mobility))
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "dem_body.mobility: %d is not a DEM_MOBILITY_ value", (int)b->mobility);
    if (b->damping_mass < DEM_DAMPING_MASS_CONTACT || b->damping_mass > DEM_DAMPING_MASS_BODY)
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "dem_body.damping_mass: %d is not a DEM_DAMPING_MASS_ value",
                         (int)b->damping_mass);
    const dem_status status = motion_check(context, "body", b->position, b->orientation,
                                           b->velocity, b->angular_velocity);
    if (status != DEM_OK)
        return status;
    if (!demi_kinds[b->mobility].moves &&
        (demi_any3(b->velocity) || demi_any3(b->angular_velocity)))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_body.velocity: (%g, %g, %g) m/s and dem_body.angular_velocity "
                         "(%g, %g, %g) rad/s of a fixed body must be 0",
                         b->velocity[0], b->velocity[1], b->velocity[2], b->angular_velocity[0],
                         b->angular_velocity[1], b->angular_velocity[2]);
    return mass_check(context, b);
}

static dem_status part_read(dem_world *w, const dem_body_part *parts, uint64_t k,
                            dem_body_part *out)
{
    const uint64_t size = parts->struct_size;
    const dem_body_part *at =
        (const dem_body_part *)(const void *)((const unsigned char *)parts + k * size);
    memset(out, 0, sizeof *out);
    if (demi_sized_read(out, at) != DEM_OK || at->struct_size != size)
        return demi_fail(&w->context, DEM_ERROR_STRUCT_SIZE,
                         "dem_body_part.struct_size of part %llu: %llu is not valid (call "
                         "dem_body_part_init)",
                         (unsigned long long)k, (unsigned long long)at->struct_size);
    if (out->reserved != 0)
        return demi_fail(&w->context, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE,
                         "dem_body_part.reserved", (long long)out->reserved, "dem_body_part");
    return DEM_OK;
}

/* Gives a polyhedron the radius of the sphere around it. */
static dem_status part_shape_check(dem_world *w, uint64_t k, dem_body_part *part)
{
    if (part->shape == NULL)
        return DEM_OK;
    if (part->radius != 0.0)
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "dem_body_part.radius of part %llu: %g m must be 0, because "
                         "dem_body_part.shape is given, which has a size",
                         (unsigned long long)k, part->radius);
    if (w->exact.sums.exact)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "dem_body_part.shape of part %llu: polyhedra have no exact sums yet: make "
                         "a world with DEM_SUMS_FIXED_ORDER",
                         (unsigned long long)k);
    part->radius = part->shape->radius;
    return DEM_OK;
}

/* The particle that a part's row is made from. */
static dem_particle part_particle(const dem_body *body, const dem_body_part *part)
{
    dem_particle p;
    memset(&p, 0, sizeof p);
    p.struct_size = sizeof p;
    p.id = part->id;
    p.radius = part->radius;
    p.material = part->material;
    double arm[3] = {part->centre[0], part->centre[1], part->centre[2]};
    dem_kernel_rotation_to_space(body->orientation, arm);
    for (int c = 0; c < 3; ++c) {
        p.position[c] = body->position[c] + arm[c];
        p.velocity[c] =
            body->velocity[c] + (body->angular_velocity[(c + 1) % 3] * arm[(c + 2) % 3] -
                                 body->angular_velocity[(c + 2) % 3] * arm[(c + 1) % 3]);
        p.angular_velocity[c] = body->angular_velocity[c];
    }
    return p;
}

dem_status demi_rigid_part_check(dem_world *w, uint64_t k, const double centre[3], double radius,
                                 demi_rigid_bounds *bounds)
{
    if (!demi_within3(centre, DEMI_MOTION_MOST))
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "dem_body_part.centre of part %llu: (%g, %g, %g) m must be finite and "
                         "within %g",
                         (unsigned long long)k, centre[0], centre[1], centre[2], DEMI_MOTION_MOST);
    if (!demi_positive(radius))
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "dem_body_part.radius of part %llu: %g m must be finite and > 0",
                         (unsigned long long)k, radius);
    const double reach = sqrt(demi_dot(centre, centre)) + radius;
    for (int c = 0; c < 3; ++c) {
        const double length = w->config.box_high[c] - w->config.box_low[c];
        if (w->config.boundary[c] == DEM_BOUNDARY_PERIODIC && length < 2.0 * reach)
            return demi_fail(&w->context, DEM_ERROR_RANGE,
                             "body: part %llu reaches %g m from the centre of mass, more than "
                             "half of periodic axis %d",
                             (unsigned long long)k, reach, c);
        bounds->low[c] = k > 0 ? fmin(bounds->low[c], centre[c] - radius) : centre[c] - radius;
        bounds->high[c] = k > 0 ? fmax(bounds->high[c], centre[c] + radius) : centre[c] + radius;
    }
    return DEM_OK;
}

dem_status demi_rigid_bounds_check(dem_world *w, int32_t mobility, const demi_rigid_bounds *bounds)
{
    for (int c = 0; c < 3 && mobility == DEM_MOBILITY_FREE; ++c)
        if (bounds->low[c] > 0.0 || bounds->high[c] < 0.0)
            return demi_fail(&w->context, DEM_ERROR_RANGE,
                             "body: its parts are between %g and %g m along axis %d of the body, "
                             "and the centre of mass at 0 is not: give centres from there",
                             bounds->low[c], bounds->high[c], c);
    return DEM_OK;
}

static dem_status parts_check(dem_world *w, const dem_body *b, uint64_t count,
                              const dem_body_part *parts)
{
    demi_rigid_bounds bounds = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (uint64_t k = 0; k < count; ++k) {
        dem_body_part part;
        dem_status status = part_read(w, parts, k, &part);
        if (status == DEM_OK)
            status = part_shape_check(w, k, &part);
        if (status == DEM_OK)
            status = demi_rigid_part_check(w, k, part.centre, part.radius, &bounds);
        if (status != DEM_OK)
            return status;
        const dem_particle p = part_particle(b, &part);
        status = demi_particle_check(w, "part", k, &p);
        if (status != DEM_OK)
            return status;
    }
    return demi_rigid_bounds_check(w, b->mobility, &bounds);
}

/* ------------------------------------------------------------------ adding and removing */

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

/* Writes pose and velocities; the orientation gets unit length. */
static void pose_write(const demi_rigid *rigid, const dem_body *b, demi_pose *pose)
{
    memset(pose, 0, sizeof *pose);
    memcpy(pose->position, b->position, sizeof pose->position);
    memcpy(pose->velocity, b->velocity, sizeof pose->velocity);
    memcpy(pose->angular_velocity, b->angular_velocity, sizeof pose->angular_velocity);
    memcpy(pose->orientation, b->orientation, sizeof pose->orientation);
    const double none[3] = {0.0, 0.0, 0.0};
    dem_kernel_rotate_orientation(none, 0.0, pose->orientation);
    dem_kernel_rotation_momentum(rigid->turning, pose->orientation, pose->angular_velocity,
                                 pose->momentum);
}

static dem_status add_room(dem_world *w, uint64_t count)
{
    demi_context *context = &w->context;
    dem_status status = demi_rows_make_room(w, count);
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
    if (shape != NULL)
        demi_polyhedra_add(w, shape);
    demi_rigid_part *of = &w->rigid_part.data[w->rigid_parts++];
    memset(of, 0, sizeof *of);
    memcpy(of->centre, centre, 3 * sizeof(double));
    of->handle = w->particle.read[row].handle;
    of->shape = shape;
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
    pose_write(&rigid, b, &pose);
    const uint64_t place = demi_rigid_enter(w, &rigid, &pose);
    dem_body unit = *b;
    memcpy(unit.orientation, pose.orientation, sizeof unit.orientation);
    for (uint64_t k = 0; k < count; ++k) {
        dem_body_part part;
        (void)part_read(w, parts, k, &part);
        (void)part_shape_check(w, k, &part);
        dem_particle p = part_particle(&unit, &part);
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
        (void)part_read(w, parts, named, &part);
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
        (void)part_read(w, parts, k, &part);
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
    if (part_count == 0 || part_count > PARTS_MOST || world->rows + part_count >= DEMI_WALL_BIT)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "part_count: %llu is not in [1, 2^20], or exceeds the limit of 2^31 rows: "
                         "a body needs parts",
                         (unsigned long long)part_count);
    dem_status status = body_check(world, &b);
    if (status == DEM_OK)
        status = parts_check(world, &b, part_count, parts);
    if (status == DEM_OK && b.id != 0 && id_there(world, b.id))
        status = demi_fail(context, DEM_ERROR_DUPLICATE,
                           "dem_body.id: another body has the id %llu", (unsigned long long)b.id);
    if (status == DEM_OK)
        status = add_room(world, part_count);
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

dem_status demi_rigid_place_of(const dem_world *w, dem_body_handle handle, uint64_t *place)
{
    if (handle.index >= w->rigids || handle.generation % 2 == 0 ||
        w->rigid.read[handle.index].generation != handle.generation)
        return demi_fail(w->self, DEM_ERROR_HANDLE,
                         "handle: index %u, generation %u of a body is stale or never existed",
                         handle.index, handle.generation);
    *place = handle.index;
    return DEM_OK;
}

/* Refuses to change a body that another world owns. */
static dem_status rigid_ghost_refuse(const dem_world *w, uint64_t place)
{
    if (!w->rigid.read[place].ghost)
        return DEM_OK;
    return demi_fail(w->self, DEM_ERROR_STATE,
                     "body %llu: is a ghost, which another world owns: dem_ghost_bodies_set moves "
                     "and removes it",
                     (unsigned long long)w->rigid.read[place].id);
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
            demi_polyhedra_drop(w, part[p].shape);
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
        status = rigid_ghost_refuse(world, place);
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

/* ------------------------------------------------------------------ reading and setting */

DEMI_GUARDED guarded_body_find(const dem_world *world, uint64_t id, dem_body_handle *handle)
{
    if (handle == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "handle: must not be NULL");
    uint32_t place;
    if (id == 0 || !demi_idmap_find(&world->rigid_ids, id, &place))
        return demi_fail(world->self, DEM_ERROR_HANDLE, "id: no body has the id %llu",
                         (unsigned long long)id);
    *handle = (dem_body_handle){place, world->rigid.read[place].generation};
    return DEM_OK;
}

dem_status dem_body_find(const dem_world *world, uint64_t id, dem_body_handle *handle)
{
    DEMI_READ(world, guarded_body_find(world, id, handle));
}

static void position_of(const dem_world *w, const demi_pose *pose, double position[3])
{
    for (int c = 0; c < 3; ++c) {
        position[c] = pose->position[c];
        if (pose->image[c] != 0)
            position[c] += pose->image[c] * (w->config.box_high[c] - w->config.box_low[c]);
    }
}

static dem_body body_of(const dem_world *w, uint64_t place)
{
    const demi_rigid *rigid = &w->rigid.read[place];
    const demi_pose *pose = &w->current.pose.read[place];
    dem_body out = {.struct_size = sizeof out,
                    .id = rigid->id,
                    .mass = rigid->mass,
                    .mobility = rigid->mobility,
                    .damping_mass = rigid->damping_mass};
    position_of(w, pose, out.position);
    memcpy(out.orientation, pose->orientation, sizeof out.orientation);
    memcpy(out.velocity, pose->velocity, sizeof out.velocity);
    memcpy(out.angular_velocity, pose->angular_velocity, sizeof out.angular_velocity);
    memcpy(out.inertia, rigid->inertia, sizeof out.inertia);
    return out;
}

DEMI_GUARDED guarded_body_get(const dem_world *world, dem_body_handle handle, dem_body *body)
{
    if (body == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "body: must not be NULL");
    uint64_t place;
    const dem_status status = demi_rigid_place_of(world, handle, &place);
    if (status != DEM_OK)
        return status;
    const dem_body out = body_of(world, place);
    const uint64_t size = body->struct_size;
    if (demi_sized_write(body, size, &out) != DEM_OK)
        return demi_sized_fail_output(world->self, "dem_body", size);
    return DEM_OK;
}

dem_status dem_body_get(const dem_world *world, dem_body_handle handle, dem_body *body)
{
    DEMI_READ(world, guarded_body_get(world, handle, body));
}

/* Replaces what is given; whether that changes a bit. */
static int replaced(double *to, const double *value, size_t count)
{
    /* bits are meant, the sign of a zero, too */
    if (value == NULL || memcmp(to, value, count * sizeof(double)) == 0)
        return 0;
    memcpy(to, value, count * sizeof(double));
    return 1;
}

/* The rows of the parts follow a new pose. */
static void parts_move(dem_world *w, uint64_t place)
{
    const demi_rigid *rigid = &w->rigid.read[place];
    const demi_pose *pose = &w->current.pose.read[place];
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        const uint64_t row = demi_rigid_row(w, &part[p]);
        double arm[3];
        memcpy(arm, part[p].centre, sizeof arm);
        dem_kernel_rotation_to_space(pose->orientation, arm);
        for (int c = 0; c < 3; ++c) {
            const int32_t periods = pose->image[c] - w->body.read[row].image[c];
            double *x = &w->current.position.data[row][c];
            *x = pose->position[c] + arm[c];
            if (periods != 0)
                *x += periods * (w->config.box_high[c] - w->config.box_low[c]);
        }
    }
}

DEMI_GUARDED guarded_body_set_motion(dem_world *world, dem_body_handle handle,
                                     const double position[3], const double orientation[4],
                                     const double velocity[3], const double angular_velocity[3])
{
    demi_context *context = &world->context;
    uint64_t place;
    dem_status status = demi_rigid_place_of(world, handle, &place);
    if (status == DEM_OK)
        status = rigid_ghost_refuse(world, place);
    if (status != DEM_OK)
        return status;
    const demi_rigid *rigid = &world->rigid.read[place];
    char name[32];
    snprintf(name, sizeof name, "body %llu", (unsigned long long)rigid->id);
    status = motion_check(context, name, position, orientation, velocity, angular_velocity);
    if (status != DEM_OK)
        return status;
    if ((velocity != NULL || angular_velocity != NULL) && !demi_kinds[rigid->mobility].moves)
        return demi_fail(context, DEM_ERROR_STATE,
                         "body %llu: velocities of a fixed body cannot be set: give NULL for them",
                         (unsigned long long)rigid->id);
    const int beyond = position != NULL ? demi_axis_beyond_images(world, position) : -1;
    if (beyond >= 0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "body %llu: position %g m is %d periods of axis %d or more from the box",
                         (unsigned long long)rigid->id, position[beyond], DEMI_IMAGE_MOST, beyond);
    const dem_body old = body_of(world, place);
    dem_body b = old;
    const int moved = replaced(b.position, position, 3),
              turned = replaced(b.orientation, orientation, 4),
              pushed = replaced(b.velocity, velocity, 3),
              spun = replaced(b.angular_velocity, angular_velocity, 3);
    if (!(moved | turned | pushed | spun))
        return DEM_OK;
    demi_pose *pose = &world->current.pose.data[place];
    const demi_pose before = *pose;
    pose_write(rigid, &b, pose);
    memcpy(pose->image, before.image, sizeof pose->image);
    for (int c = 0; c < 3; ++c)
        pose->position[c] = b.position[c] == old.position[c]
                                ? before.position[c]
                                : b.position[c] - pose->image[c] * (world->config.box_high[c] -
                                                                    world->config.box_low[c]);
    if (!turned) /* as they were, to the bit */
        memcpy(pose->orientation, before.orientation, sizeof pose->orientation);
    if (!turned && !spun)
        memcpy(pose->momentum, before.momentum, sizeof pose->momentum);
    if (moved | turned)
        parts_move(world, place);
    demi_rigid_restore(world, place);
    world->list_stale |= moved | turned;
    world->forces_stale = 1;
    demi_ghosts_outdate(world);
    return DEM_OK;
}

dem_status dem_body_set_motion(dem_world *world, dem_body_handle handle, const double position[3],
                               const double orientation[4], const double velocity[3],
                               const double angular_velocity[3])
{
    DEMI_SET(world, guarded_body_set_motion(world, handle, position, orientation, velocity,
                                            angular_velocity));
}

DEMI_GUARDED guarded_body_set_force(dem_world *world, dem_body_handle handle, const double force[3],
                                    const double torque[3])
{
    uint64_t place;
    dem_status status = demi_rigid_place_of(world, handle, &place);
    if (status == DEM_OK)
        status = rigid_ghost_refuse(world, place);
    if (status != DEM_OK)
        return status;
    demi_rigid *rigid = &world->rigid.data[place];
    const double *wrong = force != NULL && !demi_finite3(force)     ? force
                          : torque != NULL && !demi_finite3(torque) ? torque
                                                                    : NULL;
    if (wrong != NULL)
        return demi_fail(&world->context, DEM_ERROR_RANGE,
                         "body %llu: external %s: (%g, %g, %g) must be finite",
                         (unsigned long long)rigid->id, wrong == force ? "force" : "torque",
                         wrong[0], wrong[1], wrong[2]);
    if (force != NULL)
        memcpy(rigid->force, force, sizeof rigid->force);
    if (torque != NULL)
        memcpy(rigid->torque, torque, sizeof rigid->torque);
    return DEM_OK;
}

dem_status dem_body_set_force(dem_world *world, dem_body_handle handle, const double force[3],
                              const double torque[3])
{
    DEMI_SET(world, guarded_body_set_force(world, handle, force, torque));
}

DEMI_GUARDED guarded_body_part_find(const dem_world *world, dem_body_handle handle, uint64_t part,
                                    dem_particle_handle *particle)
{
    if (particle == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "particle: must not be NULL");
    uint64_t place;
    const dem_status status = demi_rigid_place_of(world, handle, &place);
    if (status != DEM_OK)
        return status;
    const demi_rigid *rigid = &world->rigid.read[place];
    if (part >= rigid->parts)
        return demi_fail(world->self, DEM_ERROR_RANGE, "part: %llu is not in [0, %llu)",
                         (unsigned long long)part, (unsigned long long)rigid->parts);
    particle->index = world->rigid_part.read[rigid->part_begin + part].handle;
    particle->generation = world->handle.read[particle->index].generation;
    return DEM_OK;
}

dem_status dem_body_part_find(const dem_world *world, dem_body_handle handle, uint64_t part,
                              dem_particle_handle *particle)
{
    DEMI_READ(world, guarded_body_part_find(world, handle, part, particle));
}

/* ------------------------------------------------------------------ many at once */

dem_status dem_body_arrays_init_sized(dem_body_arrays *arrays, uint64_t size)
{
    if (arrays == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_body_arrays values = {.struct_size = sizeof values};
    return demi_sized_write(arrays, size, &values);
}

static void row_write(double *to, uint64_t row, const double *values, uint64_t width)
{
    if (to != NULL)
        memcpy(to + row * width, values, (size_t)width * sizeof(double));
}

static void body_write(const dem_world *w, uint64_t place, const dem_body_arrays *to, uint64_t row)
{
    const dem_body body = body_of(w, place);
    if (to->handle != NULL)
        to->handle[row] = (dem_body_handle){(uint32_t)place, w->rigid.read[place].generation};
    if (to->id != NULL)
        to->id[row] = body.id;
    row_write(to->position, row, body.position, 3);
    row_write(to->orientation, row, body.orientation, 4);
    row_write(to->velocity, row, body.velocity, 3);
    row_write(to->angular_velocity, row, body.angular_velocity, 3);
    if (to->force == NULL && to->torque == NULL)
        return;
    double load[6];
    demi_rigid_load(w, 0, place, load);
    row_write(to->force, row, load, 3);
    row_write(to->torque, row, load + 3, 3);
}

DEMI_GUARDED guarded_world_bodies_read(const dem_world *world, uint64_t *cursor,
                                       const dem_body_arrays *arrays, uint64_t *count)
{
    demi_context *context = world->self;
    const char *missing = cursor == NULL   ? "cursor"
                          : arrays == NULL ? "arrays"
                          : count == NULL  ? "count"
                                           : NULL;
    if (missing != NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s: must not be NULL", missing);
    dem_body_arrays to;
    memset(&to, 0, sizeof to);
    if (demi_sized_read(&to, arrays) != DEM_OK)
        return demi_sized_fail(context, "dem_body_arrays", arrays->struct_size);
    if (to.capacity == 0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_body_arrays.capacity: 0 rows have room for no body; at least 1 is "
                         "needed");
    uint64_t n = 0, k = *cursor;
    for (; k < world->rigids && n < to.capacity; ++k)
        if (world->rigid.read[k].id != 0 && !world->rigid.read[k].ghost)
            body_write(world, k, &to, n++);
    *cursor = k;
    *count = n;
    return DEM_OK;
}

dem_status dem_world_bodies_read(const dem_world *world, uint64_t *cursor,
                                 const dem_body_arrays *arrays, uint64_t *count)
{
    DEMI_READ(world, guarded_world_bodies_read(world, cursor, arrays, count));
}
