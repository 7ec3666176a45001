/* SPDX-License-Identifier: MIT */
/* Bodies of parts among packed particles: the rows of their parts are the last of the particles,
 * body by body, and a section has what the bodies are beside them. A shape is named by a checksum
 * of its content: the world that reads knows it, or refuses. */
#include "io/particles.h"
#include "base/check.h"
#include "io/sections.h"
#include "mesh/polyhedron.h"

#include <string.h>

/* Words of a body without its parts, and of a part. */
enum { PACKED_BODY = 36, PACKED_PART = 4 };

/* ------------------------------------------------------------------ writing */

dem_status demi_packed_parts(const dem_world *w, uint64_t count, const dem_body_handle *handles,
                             demi_packed_rows *part, uint64_t *parts)
{
    *parts = 0;
    if (handles == NULL && count > 0)
        return demi_fail(w->self, DEM_ERROR_ARGUMENT, "handles: must not be NULL");
    for (int fill = 0; fill < 2; ++fill) {
        uint64_t n = 0;
        for (uint64_t k = 0; k < count; ++k) {
            uint64_t place;
            const dem_status status = demi_rigid_place_of(w, handles[k], &place);
            if (status != DEM_OK)
                return status;
            const demi_rigid *rigid = &w->rigid.read[place];
            const demi_rigid_part *of = w->rigid_part.read + rigid->part_begin;
            for (uint64_t p = 0; p < rigid->parts; ++p, ++n)
                if (fill)
                    part->row.data[n] = (dem_particle_handle){
                        of[p].handle, w->handle.read[of[p].handle].generation};
        }
        *parts = n;
        const dem_status status =
            fill ? DEM_OK : demi_array_reserve(w->self, &part->row, n, 0, "packed bodies");
        if (status != DEM_OK)
            return status;
    }
    return DEM_OK;
}

uint64_t demi_packed_bodies_length(uint64_t bodies, uint64_t parts)
{
    return 1 + bodies * PACKED_BODY + parts * PACKED_PART;
}

void demi_packed_bodies_write(demi_writer *out, const dem_world *w, uint64_t count,
                              const dem_body_handle *handles)
{
    demi_write_u64(out, count);
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t place = handles[k].index;
        const demi_rigid *rigid = &w->rigid.read[place];
        const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
        double load[6];
        demi_write_u64(out, rigid->id);
        demi_rigid_write(out, rigid, &w->current.pose.read[place]);
        demi_rigid_load(w, 0, place, load);
        demi_write_doubles(out, load, 6);
        for (uint64_t p = 0; p < rigid->parts; ++p) {
            demi_write_doubles(out, part[p].centre, 3);
            demi_write_u64(out, part[p].shape != NULL ? part[p].shape->name : 0);
        }
    }
}

/* ------------------------------------------------------------------ reading */

int demi_packed_body_read(demi_reader *in, demi_packed_body *b)
{
    memset(b, 0, sizeof *b);
    b->rigid.id = demi_read_u64(in);
    const int valid = demi_rigid_read(in, &b->rigid, &b->pose) && b->rigid.id != 0;
    demi_read_doubles(in, b->pose.load, 6);
    b->parts = b->rigid.parts;
    return valid && demi_within3(b->rigid.force, DEMI_FORCE_MOST) &&
           demi_within3(b->rigid.torque, DEMI_FORCE_MOST) &&
           demi_within3(b->pose.position, DEMI_MOTION_MOST) &&
           demi_within3(b->pose.velocity, DEMI_MOTION_MOST) &&
           demi_within3(b->pose.momentum, DEMI_MOTION_MOST) &&
           demi_within3(b->pose.angular_velocity, DEMI_MOTION_MOST) &&
           demi_within3(b->pose.load, DEMI_FORCE_MOST) &&
           demi_within3(b->pose.load + 3, DEMI_FORCE_MOST);
}

void demi_packed_part_read(demi_reader *in, demi_packed_part *part)
{
    demi_read_doubles(in, part->centre, 3);
    part->name = demi_read_u64(in);
}

/* The kind of the rows of a body's parts. */
static int32_t packed_kind(const demi_rigid *rigid)
{
    return rigid->mobility == DEM_MOBILITY_FREE ? DEMI_KIND_PART : rigid->mobility;
}

/* Looks at part k of a body, whose row comes next. */
static dem_status check_part(demi_unpack *call, demi_reader *in, demi_reader *rows,
                             const demi_packed_body *b, uint64_t k, demi_rigid_bounds *bounds)
{
    dem_world *w = call->w;
    demi_packed_part part;
    demi_packed_particle p;
    demi_packed_part_read(in, &part);
    demi_packed_particle_read(rows, &p);
    demi_reader_skip(rows, call->width);
    DEMI_PACKED_REFUSE(in->failed || rows->failed || p.kind != packed_kind(&b->rigid),
                       "body %llu: part %llu is not valid", (unsigned long long)b->rigid.id,
                       (unsigned long long)k);
    if (part.name != 0) {
        const dem_polyhedron *shape = demi_shape_known(w, part.name);
        if (shape == NULL)
            return demi_fail(&w->context, DEM_ERROR_UNKNOWN,
                             "particles: body %llu: this world does not know the shape of part "
                             "%llu: call dem_world_shape_know first",
                             (unsigned long long)b->rigid.id, (unsigned long long)k);
        if (w->exact.sums.exact)
            return demi_fail(&w->context, DEM_ERROR_STATE,
                             "particles: body %llu: part %llu is a polyhedron, and polyhedra have "
                             "no exact sums yet: make a world with DEM_SUMS_FIXED_ORDER",
                             (unsigned long long)b->rigid.id, (unsigned long long)k);
        DEMI_PACKED_REFUSE(p.particle.radius != shape->radius,
                           "body %llu: the shape of part %llu is not valid",
                           (unsigned long long)b->rigid.id, (unsigned long long)k);
    }
    return demi_rigid_part_check(w, k, part.centre, p.particle.radius, bounds);
}

/* Enters the id of a body that comes. */
static dem_status name_body(demi_unpack *call, uint64_t id)
{
    dem_world *w = call->w;
    uint32_t there;
    if (demi_idmap_find(&w->rigid_ids, id, &there))
        return demi_fail(&w->context, DEM_ERROR_DUPLICATE, "particles: %s has the id %llu",
                         there == DEMI_COMING_BODY    ? "another one of these bodies"
                         : w->rigid.read[there].ghost ? "a ghost (set the ghosts of the new "
                                                        "owners first)"
                                                      : "a body of this world",
                         (unsigned long long)id);
    demi_idmap_insert(&w->rigid_ids, id, DEMI_COMING_BODY);
    call->bodies_named++;
    return DEM_OK;
}

/* How many bodies there are, and parts in all. */
static dem_status count_parts(demi_unpack *call)
{
    dem_world *w = call->w;
    demi_reader in = call->in;
    call->bodies_count = demi_read_count(&in, PACKED_BODY + PACKED_PART);
    demi_read_count(&call->in, PACKED_BODY + PACKED_PART);
    call->bodies = in;
    for (uint64_t k = 0; k < call->bodies_count; ++k) {
        demi_packed_body b;
        DEMI_PACKED_REFUSE(!demi_packed_body_read(&in, &b) || b.parts > call->count - call->parts ||
                               b.parts > in.length / PACKED_PART,
                           "body %llu is not valid", (unsigned long long)k);
        demi_reader_skip(&in, b.parts * PACKED_PART);
        call->parts += b.parts;
    }
    DEMI_PACKED_REFUSE(in.failed || in.length != 0, "the list of bodies is not valid");
    return DEM_OK;
}

static dem_status read_bodies(demi_unpack *call)
{
    dem_world *w = call->w;
    demi_reader *in = &call->in, rows = call->particles;
    const dem_status counted = count_parts(call);
    if (counted != DEM_OK)
        return counted;
    if (!demi_rigids_possible(w))
        return demi_fail(
            &w->context, DEM_ERROR_STATE,
            "particles: bodies come, and the world has added masses, or another scheme "
            "than DEM_INTEGRATOR_VERLET_SYNC");
    dem_status status = demi_idmap_reserve(&w->context, &w->rigid_ids, call->bodies_count);
    uint64_t carried = 0;
    demi_reader_skip(&rows, (call->count - call->parts) * (DEMI_PACKED_PARTICLE + call->width));
    for (uint64_t k = 0; status == DEM_OK && k < call->bodies_count; ++k) {
        demi_packed_body b;
        demi_rigid_bounds bounds;
        (void)demi_packed_body_read(in, &b);
        for (uint64_t p = 0; status == DEM_OK && p < b.parts; ++p)
            status = check_part(call, in, &rows, &b, p, &bounds);
        carried += packed_kind(&b.rigid) == DEMI_KIND_PART ? b.parts : 0;
        if (status == DEM_OK)
            status = demi_rigid_bounds_check(w, b.rigid.mobility, &bounds);
        if (status == DEM_OK && !call->ghosts)
            status = name_body(call, b.rigid.id);
    }
    if (status != DEM_OK)
        return status;
    DEMI_PACKED_REFUSE(carried != call->carried, "a part has no body");
    return DEM_OK;
}

dem_status demi_packed_bodies_read(demi_unpack *call)
{
    dem_world *w = call->w;
    demi_reader *in = &call->in;
    if (!demi_section_next(in, DEMI_BODIES_TAG)) {
        DEMI_PACKED_REFUSE(call->carried > 0, "a part has no body");
        return DEM_OK;
    }
    demi_read_section(in, DEMI_BODIES_TAG);
    const dem_status status = read_bodies(call);
    if (status != DEM_OK)
        return status;
    demi_leave_section(in);
    DEMI_PACKED_REFUSE(in->failed, "the list of bodies is not valid");
    return DEM_OK;
}

void demi_packed_bodies_unname(demi_unpack *call)
{
    demi_reader in = call->bodies;
    for (; call->bodies_named > 0; --call->bodies_named) {
        demi_packed_body b;
        (void)demi_packed_body_read(&in, &b);
        demi_reader_skip(&in, b.parts * PACKED_PART);
        demi_idmap_remove(&call->w->rigid_ids, b.rigid.id);
    }
}

void demi_packed_bodies_add(demi_unpack *call, uint64_t row)
{
    dem_world *w = call->w;
    demi_reader in = call->bodies;
    for (uint64_t k = 0; k < call->bodies_count; ++k) {
        demi_packed_body b;
        (void)demi_packed_body_read(&in, &b);
        demi_idmap_remove(&w->rigid_ids, b.rigid.id);
        const uint64_t place = demi_rigid_enter(w, &b.rigid, &b.pose);
        for (uint64_t p = 0; p < b.parts; ++p) {
            demi_packed_part part;
            demi_packed_part_read(&in, &part);
            demi_rigid_part_enter(w, place, row++, part.centre,
                                  part.name != 0 ? demi_shape_known(w, part.name) : NULL);
        }
    }
    call->bodies_named = 0;
}

void demi_packed_faces_mark(const demi_unpack *call, uint64_t row)
{
    demi_reader in = call->bodies;
    for (uint64_t k = 0; k < call->bodies_count; ++k) {
        demi_packed_body b;
        (void)demi_packed_body_read(&in, &b);
        for (uint64_t p = 0; p < b.parts; ++p) {
            demi_reader_skip(&in, PACKED_PART - 1);
            call->w->body.data[row++].faceted =
                demi_faceted_of(demi_shape_known(call->w, demi_read_u64(&in)));
        }
    }
}
