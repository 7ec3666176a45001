/* SPDX-License-Identifier: MIT */
/* Sets which bodies of other worlds are ghosts, from the bytes that their owners wrote: one parcel
 * after the other. All bytes are looked at, ids are entered, and then nothing can fail. */
#include "io/particles.h"
#include "base/entry.h"
#include "world/ghost_told.h"
#include "world/motion_written.h"

#include <dem/distribution.h>

#include <string.h>

/* What a parcel says; its columns are those of a fluid. */
typedef struct parcel {
    demi_reader particles, bodies;
    uint64_t count, columns, width;
} parcel;

typedef struct set_call {
    dem_world *w;
    uint64_t parcels, bodies, parts;
    int fluid; /* some owner has one */
    DEMI_ARRAY(parcel) parcel;
    /* ids that were entered: of so many bodies, and of so many parts of the next one */
    uint64_t named, named_parts;
    int moved;
    dem_body_handle *handles;
} set_call;

/* A body of the bytes, and readers that are at its parts and at their rows. */
typedef struct coming_body {
    demi_packed_body body;
    demi_reader parts, rows;
    uint64_t columns, width; /* of a row */
} coming_body;

typedef dem_status body_visit(set_call *call, uint64_t k, const coming_body *b);

/* Visits the first `count` bodies, until a visit fails. */
static dem_status bodies_each(set_call *call, uint64_t count, body_visit *visit)
{
    dem_status status = DEM_OK;
    uint64_t n = 0;
    for (uint64_t p = 0; status == DEM_OK && p < call->parcels; ++p) {
        const parcel *of = &call->parcel.read[p];
        coming_body b = {
            .parts = of->bodies, .rows = of->particles, .columns = of->columns, .width = of->width};
        for (uint64_t k = 0; status == DEM_OK && k < of->count && n < count; ++k) {
            (void)demi_packed_body_read(&b.parts, &b.body);
            status = visit(call, n++, &b);
            for (uint64_t m = 0; m < b.body.parts; ++m) {
                demi_packed_part part;
                demi_packed_part_read(&b.parts, &part);
            }
            demi_reader_skip(&b.rows, b.body.parts * (DEMI_PACKED_PARTICLE + b.width));
        }
    }
    return status;
}

/* The next row of a body, without its columns. */
static void row_next(const coming_body *b, demi_reader *rows, demi_packed_particle *p)
{
    demi_packed_particle_read(rows, p);
    demi_reader_skip(rows, b->width);
}

/* ------------------------------------------------------------------ reading */

/* Looks at a parcel. */
static dem_status parcel_look(set_call *call, const unsigned char *bytes, uint64_t size)
{
    dem_world *w = call->w;
    demi_unpack of = {.w = w, .ghosts = 1};
    dem_status status = demi_unpack_look(&of, &demi_packed_ghosts, bytes, size);
    if (status == DEM_OK && (of.contact_count > 0 || of.parts != of.count ||
                             (of.columns & ~(uint64_t)DEMI_TOUCHED_PARTS) != 0))
        status = demi_fail(&w->context, DEM_ERROR_FORMAT,
                           "particles: these are no bodies that are to be ghosts");
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &call->parcel, call->parcels + 1, 1,
                                    "ghosts that come");
    if (status == DEM_OK)
        call->parcel.data[call->parcels++] =
            (parcel){of.particles, of.bodies, of.bodies_count, of.columns, of.width};
    call->fluid |= of.columns != 0 && of.count > 0;
    call->bodies += of.bodies_count;
    call->parts += of.parts;
    demi_unpack_free(&of);
    return status;
}

/* Looks at all parcels: the third word of each is its length. */
static dem_status parcels_look(set_call *call, const unsigned char *bytes, uint64_t size)
{
    dem_world *w = call->w;
    dem_status status = DEM_OK;
    while (status == DEM_OK && size > 0) {
        demi_reader head;
        demi_reader_start(&head, bytes, size / 8);
        demi_reader_skip(&head, DEMI_PACKED_HEAD - 1);
        const uint64_t length = demi_read_u64(&head);
        DEMI_PACKED_REFUSE(head.failed || length == 0 || length > size,
                           "a parcel of ghosts is cut short");
        status = parcel_look(call, bytes, length);
        bytes += length;
        size -= length;
    }
    if (status == DEM_OK && (call->parts >= DEMI_COMING || w->rows + call->parts >= DEMI_COMING))
        status = demi_fail(&w->context, DEM_ERROR_RANGE, "ghosts: %llu exceed the limit of 2^31",
                           (unsigned long long)call->parts);
    return status;
}

/* ------------------------------------------------------------------ naming */

/* Whether a part is what it was. */
static int part_same(const dem_world *w, const demi_rigid_part *part, const demi_packed_part *of,
                     const demi_packed_particle *p)
{
    const uint64_t row = demi_rigid_row(w, part);
    const demi_body *body = &w->body.read[row];
    /* a world may have a shape as several objects */
    const uint64_t name = part->shape != NULL ? part->shape->name : 0;
    int same = body->id == p->particle.id && body->material == p->particle.material &&
               w->current.position.read[row][3] == p->particle.radius && name == of->name;
    for (int c = 0; c < 3; ++c)
        same &= part->centre[c] == of->centre[c];
    return same;
}

/* A ghost that stays is what it was. */
static dem_status body_same(dem_world *w, uint64_t place, const coming_body *b)
{
    const demi_rigid *rigid = &w->rigid.read[place], *now = &b->body.rigid;
    demi_reader parts = b->parts, rows = b->rows;
    int same = rigid->mass == now->mass && rigid->mobility == now->mobility &&
               rigid->damping_mass == now->damping_mass && rigid->parts == b->body.parts;
    for (int c = 0; c < 3; ++c)
        same &= rigid->inertia[c] == now->inertia[c];
    for (uint64_t k = 0; same && k < rigid->parts; ++k) {
        demi_packed_part part;
        demi_packed_particle p;
        demi_packed_part_read(&parts, &part);
        row_next(b, &rows, &p);
        same = part_same(w, &w->rigid_part.read[rigid->part_begin + k], &part, &p);
    }
    if (same)
        return DEM_OK;
    return demi_fail(&w->context, DEM_ERROR_STATE,
                     "body %llu: the ghost has another mass, mobility or other parts: set ghosts "
                     "without it first",
                     (unsigned long long)rigid->id);
}

static dem_status parts_name(set_call *call, const coming_body *b)
{
    dem_world *w = call->w;
    demi_reader rows = b->rows;
    uint32_t unused;
    for (; call->named_parts < b->body.parts; ++call->named_parts) {
        demi_packed_particle p;
        row_next(b, &rows, &p);
        if (demi_idmap_find(&w->ids, p.particle.id, &unused))
            return demi_fail(&w->context, DEM_ERROR_DUPLICATE,
                             "body %llu: another particle, part or wall has the id %llu of part "
                             "%llu",
                             (unsigned long long)b->body.rigid.id,
                             (unsigned long long)p.particle.id,
                             (unsigned long long)call->named_parts);
        demi_idmap_insert(&w->ids, p.particle.id, DEMI_COMING);
    }
    return DEM_OK;
}

/* Names a body: a new one by its ids, one that stays by its mark. */
static dem_status body_name(set_call *call, uint64_t k, const coming_body *b)
{
    dem_world *w = call->w;
    dem_status status = DEM_OK;
    uint32_t place;
    call->named = k;
    call->named_parts = 0;
    if (!demi_idmap_find(&w->rigid_ids, b->body.rigid.id, &place)) {
        status = parts_name(call, b);
        if (status == DEM_OK)
            demi_idmap_insert(&w->rigid_ids, b->body.rigid.id, DEMI_COMING_BODY);
    } else if (place == DEMI_COMING_BODY || !w->rigid.read[place].ghost ||
               w->rigid.read[place].named) {
        const int owned = place != DEMI_COMING_BODY && !w->rigid.read[place].ghost;
        status = demi_fail(&w->context, DEM_ERROR_DUPLICATE, "body %llu: %s has the id",
                           (unsigned long long)b->body.rigid.id,
                           owned ? "a body that this world owns" : "another ghost of the call");
    } else {
        status = body_same(w, place, b);
        w->rigid.data[place].named = status == DEM_OK;
    }
    if (status == DEM_OK) {
        call->named++;
        call->named_parts = 0;
    }
    return status;
}

/* Takes back the ids of the first parts of a body. */
static void parts_unname(set_call *call, const coming_body *b, uint64_t count)
{
    demi_reader rows = b->rows;
    for (uint64_t k = 0; k < count; ++k) {
        demi_packed_particle p;
        row_next(b, &rows, &p);
        demi_idmap_remove(&call->w->ids, p.particle.id);
    }
}

static dem_status body_unname(set_call *call, uint64_t k, const coming_body *b)
{
    dem_world *w = call->w;
    uint32_t place;
    if (k == call->named) {
        parts_unname(call, b, call->named_parts);
        return DEM_OK;
    }
    (void)demi_idmap_find(&w->rigid_ids, b->body.rigid.id, &place);
    if (place != DEMI_COMING_BODY) {
        w->rigid.data[place].named = 0;
        return DEM_OK;
    }
    parts_unname(call, b, b->body.parts);
    demi_idmap_remove(&w->rigid_ids, b->body.rigid.id);
    return DEM_OK;
}

/* ------------------------------------------------------------------ setting */

/* Motion and loads of a row. Its own image stays, which contacts know. */
static void part_write(set_call *call, uint64_t row, const demi_packed_particle *p)
{
    dem_world *w = call->w;
    double *x = w->current.position.data[row];
    demi_velocities *velocities = &w->current.velocity.data[row];
    demi_force_torque *load = &w->current.force_torque.data[row];
    for (int c = 0; c < 3; ++c) {
        const double period = w->config.box_high[c] - w->config.box_low[c];
        const int32_t periods = p->image[c] - w->body.read[row].image[c];
        const double there =
            periods == 0 ? p->particle.position[c] : p->particle.position[c] + periods * period;
        call->moved |= x[c] != there;
        x[c] = there;
        velocities->velocity[c] = p->particle.velocity[c];
        velocities->angular_velocity[c] = p->particle.angular_velocity[c];
        load->force[c] = p->load[c];
        load->torque[c] = p->load[3 + c];
    }
}

/* What a fluid does to a row: nothing where its owner has none. */
static void part_fluid_write(dem_world *w, uint64_t row, uint64_t columns, demi_reader *in)
{
    if (w->fluid.data != NULL)
        memset(&w->fluid.data[row], 0, sizeof w->fluid.data[row]);
    for (int f = 0; f < DEMI_FIELDS; ++f) {
        const demi_field *of = &demi_fields[f];
        if ((columns >> f & 1u) != 0)
            demi_read_doubles(in, demi_field_first(w, of) + row * demi_field_stride(w, of),
                              demi_field_width(w, of));
    }
}

/* Adds the row of a part. */
static void part_add(set_call *call, uint64_t place, const demi_packed_part *part,
                     demi_packed_particle *p)
{
    dem_world *w = call->w;
    demi_idmap_remove(&w->ids, p->particle.id);
    p->particle.mobility = demi_kind_of_ghosts(p->kind);
    demi_particle_place(w, &p->particle, NULL);
    const uint64_t row = w->rows - 1;
    memcpy(w->body.data[row].image, p->image, sizeof p->image);
    w->current.velocity.data[row].velocity[3] = p->inverse_mass;
    w->particles--;
    w->ghosts.count++;
    w->ghosts.parts++;
    demi_rigid_part_enter(w, place, row, part->centre,
                          part->name != 0 ? demi_shape_known(w, part->name) : NULL);
    demi_row_show(w, row);
}

static dem_status body_set(set_call *call, uint64_t k, const coming_body *b)
{
    dem_world *w = call->w;
    demi_reader parts = b->parts, rows = b->rows;
    uint32_t at;
    (void)demi_idmap_find(&w->rigid_ids, b->body.rigid.id, &at);
    const int comes = at == DEMI_COMING_BODY;
    uint64_t place = at;
    if (comes) {
        demi_rigid rigid = b->body.rigid;
        rigid.ghost = 1;
        demi_idmap_remove(&w->rigid_ids, rigid.id);
        place = demi_rigid_enter(w, &rigid, &b->body.pose);
        w->ghosts.bodies++;
        call->moved = 1;
    }
    demi_rigid *rigid = &w->rigid.data[place];
    w->current.pose.data[place] = b->body.pose;
    memcpy(rigid->force, b->body.rigid.force, sizeof rigid->force);
    memcpy(rigid->torque, b->body.rigid.torque, sizeof rigid->torque);
    rigid->named = rigid->due = 0;
    for (uint64_t n = 0; n < b->body.parts; ++n) {
        demi_packed_part part;
        demi_packed_particle p;
        demi_packed_part_read(&parts, &part);
        demi_packed_particle_read(&rows, &p);
        if (comes)
            part_add(call, place, &part, &p);
        const uint64_t row = demi_rigid_row(w, &w->rigid_part.read[rigid->part_begin + n]);
        part_write(call, row, &p);
        part_fluid_write(w, row, b->columns, &rows);
    }
    if (call->handles != NULL)
        call->handles[k] = (dem_body_handle){(uint32_t)place, rigid->generation};
    return DEM_OK;
}

/* Removes ghosts that were not named. */
static void bodies_leave(set_call *call)
{
    dem_world *w = call->w;
    for (uint64_t place = 0; place < w->rigids; ++place) {
        const demi_rigid *rigid = &w->rigid.read[place];
        if (rigid->id == 0 || !rigid->ghost || rigid->named)
            continue;
        demi_rigid_remove(w, place);
        call->moved = 1;
    }
}

/* Room for all that the call may add. */
static dem_status set_reserve(set_call *call)
{
    dem_world *w = call->w;
    dem_status status = demi_rows_make_room(w, call->parts);
    if (status == DEM_OK)
        status =
            demi_array_reserve(&w->context, &w->handle, w->handles + call->parts, 1, "handles");
    if (status == DEM_OK)
        status = demi_idmap_reserve(&w->context, &w->ids, call->parts);
    if (status == DEM_OK)
        status = demi_idmap_reserve(&w->context, &w->rigid_ids, call->bodies);
    if (status == DEM_OK)
        status = demi_ghosts_reserve(w, w->handles + call->parts);
    if (status == DEM_OK && call->bodies > 0)
        status = demi_rigids_reserve(w, w->rigids + call->bodies, w->rigid_parts + call->parts);
    return status == DEM_OK && call->fluid ? demi_rows_reserve(w, &w->fluid.buffer) : status;
}

static dem_status bodies_set(set_call *call, double margin)
{
    dem_world *w = call->w;
    const int had_fluid = w->fluid.read != NULL;
    dem_status status = set_reserve(call);
    if (status == DEM_OK) {
        status = bodies_each(call, call->bodies, body_name);
        if (status != DEM_OK)
            (void)bodies_each(call, call->named + 1, body_unname);
    }
    if (status != DEM_OK) {
        if (!had_fluid)
            demi_buffer_free(&w->context, &w->fluid.buffer);
        return status;
    }
    demi_motion_exchanged(w);
    demi_shapes_hold(w, 1); /* those that leave may have shapes of those that come */
    bodies_leave(call);
    (void)bodies_each(call, call->bodies, body_set);
    demi_shapes_hold(w, 0);
    w->ghosts.bodies_due = 0;
    demi_ghost_fields_got(&w->ghosts.part_fields);
    w->ghosts.body_margin = margin;
    w->ghosts.body_moved = w->ghosts.moved_last = 0.0;
    w->list_stale |= call->moved;
    w->generation++;
    demi_mark_end(w);
    return DEM_OK;
}

DEMI_GUARDED guarded_ghost_bodies_set(dem_world *world, const void *buffer, uint64_t size,
                                      double margin, uint64_t capacity, dem_body_handle *handles,
                                      uint64_t *count)
{
    demi_context *context = &world->context;
    set_call call = {.w = world, .handles = handles};
    if (buffer == NULL && size > 0)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "buffer: must not be NULL");
    if (!(margin > 0.0))
        return demi_fail(context, DEM_ERROR_RANGE, "margin: %g must be > 0 m", margin);
    dem_status status = demi_ghosts_check(world);
    if (status == DEM_OK)
        status = parcels_look(&call, buffer, size);
    if (status == DEM_OK && handles != NULL && capacity < call.bodies)
        status = demi_fail(context, DEM_ERROR_RANGE,
                           "capacity: %llu handles are fewer than the %llu bodies that come",
                           (unsigned long long)capacity, (unsigned long long)call.bodies);
    if (status == DEM_OK)
        status = bodies_set(&call, margin);
    if (status == DEM_OK && count != NULL)
        *count = call.bodies;
    demi_array_free(context, &call.parcel);
    return status;
}

dem_status dem_ghost_bodies_set(dem_world *world, const void *buffer, uint64_t size, double margin,
                                uint64_t capacity, dem_body_handle *handles, uint64_t *count)
{
    DEMI_SET(world,
             guarded_ghost_bodies_set(world, buffer, size, margin, capacity, handles, count));
}
