/* SPDX-License-Identifier: MIT */
/* Writes particles and their contacts as bytes. */
#include "io/particles.h"
#include "base/entry.h"
#include "base/isa.h"
#include "world/contact_choice.h"
#include "world/ghost_told.h"
#include "world/motion_written.h"

#include <dem/distribution.h>

/* Bits of the fields whose columns a world has. */
static uint64_t columns_of(const dem_world *w)
{
    uint64_t columns = 0;
    for (int f = 0; f < DEMI_FIELDS; ++f)
        if (demi_column_travels(&demi_fields[f]) && demi_field_first(w, &demi_fields[f]) != NULL)
            columns |= UINT64_C(1) << f;
    return columns;
}

/* ------------------------------------------------------------------ choosing */

typedef struct pack_call {
    dem_world *w;
    uint64_t count, contacts;
    const dem_particle_handle *handles;
    uint64_t bodies; /* of which the particles are the parts; or 0 */
    const dem_body_handle *body;
    int ghosts; /* they are packed to be ghosts */
    const demi_contact_place *contact;
    uint64_t contact_words;
    DEMI_ARRAY(uint64_t) pair; /* of materials */
    demi_model_table table;
    uint64_t columns;
    int stale; /* see DEMI_PACKED_STALE */
} pack_call;

static void pack_free(pack_call *call)
{
    demi_context *context = &call->w->context;
    demi_array_free(context, &call->pair);
}

/* Asks for the memory of handles and rows that are looked at soon. */
DEMI_ASK void handles_ask(const pack_call *call, uint64_t k)
{
    const dem_world *w = call->w;
    const uint64_t row_at = k + DEMI_PACKED_AHEAD, handle_at = row_at + DEMI_PACKED_AHEAD;
    if (handle_at < call->count && call->handles[handle_at].index < w->handles)
        __builtin_prefetch(&w->handle.read[call->handles[handle_at].index]);
    if (row_at < call->count && call->handles[row_at].index < w->handles)
        /* of a handle that is stale it may be any number */
        __builtin_prefetch(w->body.read + w->handle.read[call->handles[row_at].index].row);
}

/* Marks the rows of the handles. marked: how many of them, on failure too. */
static dem_status choose_rows(const pack_call *call, uint64_t *marked)
{
    dem_world *w = call->w;
    *marked = 0;
    if (call->handles == NULL && call->count > 0)
        return demi_fail(&w->context, DEM_ERROR_ARGUMENT, "handles: must not be NULL");
    dem_status status = demi_contact_choice_begin(w);
    unsigned char *mark = w->contact_choice.row_mark.data;
    for (uint64_t k = 0; status == DEM_OK && k < call->count; ++k) {
        uint64_t row;
        handles_ask(call, k);
        status = demi_handle_row(w, call->handles[k], &row);
        if (status != DEM_OK)
            break;
        const demi_body *body = &w->body.read[row];
        const char *why = body->rigid != 0 && call->bodies == 0
                              ? "is a part of a body: dem_bodies_pack packs the body"
                          : demi_kinds[body->kind].ghost ? "is a ghost: its owner packs it"
                          : mark[row]                    ? "is named twice"
                                                         : NULL;
        const int of_body = call->bodies > 0;
        if (why != NULL)
            return demi_fail(
                &w->context, DEM_ERROR_STATE, "%s %llu: %s", of_body ? "body" : "particle",
                (unsigned long long)(of_body ? w->rigid.read[body->rigid - 1].id : body->id), why);
        mark[row] = 1;
        ++*marked;
    }
    return status;
}

static uint64_t row_of(const pack_call *call, uint64_t k)
{
    return call->w->handle.read[call->handles[k].index].row;
}

/* Refuses what the host wrote into these rows and may not be, rather than those who unpack them. A
 * host that packs few particles at a time does not pay for the others. */
static dem_status packed_values_check(const pack_call *call)
{
    dem_status status = DEM_OK;
    for (uint64_t k = 0; status == DEM_OK && call->w->touched != 0 && k < call->count; ++k)
        status = demi_written_row_check(call->w, row_of(call, k));
    return status;
}

/* Finds the contacts, and the pairs of materials that they have. */
static dem_status choose(pack_call *call)
{
    dem_world *w = call->w;
    dem_status status = DEM_OK;
    call->table =
        (demi_model_table){&w->context, &w->models, "particles", "dem_contact_model_set", NULL, 0};
    if (call->ghosts) {
        call->columns = columns_of(w) & DEMI_TOUCHED_PARTS;
        return DEM_OK;
    }
    if (!demi_contact_choice_holds(w, call->handles, call->count)) {
        uint64_t marked;
        status = choose_rows(call, &marked);
        if (status == DEM_OK)
            status = demi_contact_choice_make(w, call->handles, call->count);
        demi_contact_choice_end(w, call->handles, marked);
    }
    if (status == DEM_OK)
        status = packed_values_check(call);
    call->contacts = status == DEM_OK ? w->contact_choice.contacts : 0;
    call->contact = w->contact_choice.place.read;
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &call->pair, call->contacts, 0, "packed contacts");
    if (status != DEM_OK)
        return status;
    call->columns = columns_of(w);
    call->stale = demi_motion_stale(w);
    call->table.pair = call->pair.data;
    for (uint64_t k = 0, end; k < call->contacts; k = end) {
        const uint32_t r = call->contact[k].group;
        const demi_batch_group *group = &w->list.batch_group.read[r];
        for (end = k + 1; end < call->contacts && call->contact[end].group == r;)
            ++end;
        demi_model_table_add(&call->table, group->model->material_a, group->model->material_b);
        call->contact_words += (end - k) * (DEMI_PACKED_CONTACT + group->model->state_size +
                                            demi_group_kept(group->shape, (int)group->faceted));
    }
    return DEM_OK;
}

/* ------------------------------------------------------------------ writing */

static void write_laws(demi_writer *out, const void *argument)
{
    const pack_call *call = argument;
    demi_model_table_write(out, &call->table);
}

/* Asks for the memory of a row that is written soon. */
DEMI_ASK void row_ask(const dem_world *w, uint64_t row)
{
    __builtin_prefetch(&w->body.read[row]);
    __builtin_prefetch(&w->particle.read[row]);
    __builtin_prefetch(w->current.position.read[row]);
    __builtin_prefetch(&w->current.velocity.read[row]);
    __builtin_prefetch(&w->current.force_torque.read[row]);
}

/* The columns of a row that travel, where they lie. */
typedef struct packed_columns {
    uint64_t count;
    const double *first[DEMI_FIELDS];
    uint64_t stride[DEMI_FIELDS], width[DEMI_FIELDS];
} packed_columns;

static void columns_find(const pack_call *call, packed_columns *columns)
{
    const dem_world *w = call->w;
    columns->count = 0;
    for (int f = 0; f < DEMI_FIELDS; ++f) {
        const demi_field *of = &demi_fields[f];
        if ((call->columns >> f & 1u) == 0)
            continue;
        columns->first[columns->count] = demi_field_first(w, of);
        columns->stride[columns->count] = demi_field_stride(w, of);
        columns->width[columns->count++] = demi_field_width(w, of);
    }
}

static unsigned char *put_particle(unsigned char *to, const dem_world *w, uint64_t row,
                                   const packed_columns *columns)
{
    const demi_body *body = &w->body.read[row];
    const demi_velocities *velocities = &w->current.velocity.read[row];
    const demi_force_torque *load = &w->current.force_torque.read[row];
    to = demi_put_u64(to, body->id);
    to = demi_put_u32(to, (uint32_t)body->material, (uint32_t)demi_kind_owned(body->kind));
    to = demi_put_u32(to, (uint32_t)body->image[0], (uint32_t)body->image[1]);
    to = demi_put_u32(to, (uint32_t)body->image[2], 0);
    to = demi_put_doubles(to, &w->particle.read[row].mass, 1);
    to = demi_put_doubles(to, w->current.position.read[row], 4);
    to = demi_put_doubles(to, velocities->velocity, 4);
    to = demi_put_doubles(to, velocities->angular_velocity, 3);
    to = demi_put_doubles(to, load->force, 3);
    to = demi_put_doubles(to, load->torque, 3);
    for (uint64_t k = 0; k < columns->count; ++k)
        to = demi_put_doubles(to, columns->first[k] + row * columns->stride[k], columns->width[k]);
    return to;
}

static uint64_t particles_length(const pack_call *call)
{
    return DEMI_PACKED_COLUMNS +
           call->count * (DEMI_PACKED_PARTICLE + demi_columns_width(call->w, call->columns));
}

/* Sums are made piece by piece, while the memory of later pieces comes. */
static void write_particles(demi_bytes *out, const pack_call *call)
{
    const dem_world *w = call->w;
    packed_columns columns;
    columns_find(call, &columns);
    unsigned char *to = demi_put_head(out->to, DEMI_PARTICLES_TAG, particles_length(call));
    to = demi_put_u64(to, call->count);
    to = demi_put_u64(to, call->columns | (call->stale ? DEMI_PACKED_STALE : 0));
    to = demi_put_u64(to, w->config.host_doubles);
    demi_bytes_end(out, demi_put_doubles(to, &w->velocity_lag, 1));
    for (uint64_t k = 0; k < call->count; ++k) {
        if (k + DEMI_PACKED_AHEAD < call->count)
            row_ask(w, row_of(call, k + DEMI_PACKED_AHEAD));
        demi_bytes_end(out, put_particle(out->to, w, row_of(call, k), &columns));
    }
}

/* Asks for the memory of a contact that is written soon. */
DEMI_ASK void contact_ask(const dem_world *w, const demi_contact_place *contact)
{
    const demi_ends *ends = &contact->ends;
    const double *state = &w->current.contact_state.read[contact->state];
    __builtin_prefetch(state);
    __builtin_prefetch(state + 3);
    __builtin_prefetch(&w->body.read[ends->own]);
    if (!ends->wall)
        __builtin_prefetch(&w->body.read[ends->other]);
}

static unsigned char *put_contact(unsigned char *to, const dem_world *w,
                                  const demi_contact_place *contact)
{
    const demi_batch_group *group = &w->list.batch_group.read[contact->group];
    const demi_ends ends = contact->ends;
    const double *state = w->current.contact_state.read + contact->state;
    const uint64_t own = w->body.read[ends.own].id,
                   other = ends.wall ? w->wall.read[ends.other].id : w->body.read[ends.other].id;
    int32_t image[3] = {0, 0, 0};
    if (!ends.wall)
        demi_ends_image(&ends, w->body.read, image);
    to = demi_put_u64(to, ends.first ? own : other);
    to = demi_put_u64(to, ends.first ? other : own);
    to = demi_put_u32(to, (uint32_t)ends.wall, ends.feature);
    to = demi_put_u32(to, (uint32_t)image[0], (uint32_t)image[1]);
    to = demi_put_u32(to, (uint32_t)image[2], 0);
    const uint64_t kept = demi_group_kept(group->shape, (int)group->faceted);
    to = demi_put_u64(to, group->model->state_size + kept);
    to = demi_put_doubles(to, state, group->model->state_size);
    return demi_put_doubles(to, state + group->state_stride - kept, kept);
}

static uint64_t contacts_length(const pack_call *call)
{
    return 1 + call->contact_words;
}

static void write_contacts(demi_bytes *out, const pack_call *call)
{
    unsigned char *to = demi_put_head(out->to, DEMI_CONTACTS_TAG, contacts_length(call));
    demi_bytes_end(out, demi_put_u64(to, call->contacts));
    for (uint64_t k = 0; k < call->contacts; ++k) {
        if (k + DEMI_PACKED_AHEAD < call->contacts)
            contact_ask(call->w, &call->contact[k + DEMI_PACKED_AHEAD]);
        demi_bytes_end(out, put_contact(out->to, call->w, &call->contact[k]));
    }
}

static void write_bodies(demi_bytes *out, const pack_call *call)
{
    demi_writer writer;
    demi_bytes_end(out, demi_put_head(out->to, DEMI_BODIES_TAG,
                                      demi_packed_bodies_length(call->bodies, call->count)));
    demi_bytes_writer(out, &writer);
    demi_packed_bodies_write(&writer, call->w, call->bodies, call->body);
    demi_bytes_written(out, &writer);
}

static void write_whole(unsigned char *buffer, const pack_call *call, uint64_t bytes)
{
    demi_bytes out = {buffer, DEMI_STREAM_SEED};
    demi_writer writer;
    demi_bytes_writer(&out, &writer);
    demi_packed_begin(call->ghosts ? &demi_packed_ghosts : &demi_packed_particles,
                      call->bodies > 0 ? DEM_PARTICLES_VERSION : DEMI_PACKED_SPHERES, &writer,
                      bytes);
    demi_write_section(&writer, DEMI_LAWS_TAG, write_laws, call);
    demi_bytes_written(&out, &writer);
    write_particles(&out, call);
    if (call->bodies > 0)
        write_bodies(&out, call);
    write_contacts(&out, call);
    demi_put_u64(out.to, out.hash);
}

static dem_status write_chosen(const pack_call *call, void *buffer, uint64_t size, uint64_t *bytes)
{
    enum { SECTION_HEAD = 2 };
    demi_writer writer;
    demi_writer_start(&writer, NULL, NULL);
    write_laws(&writer, call);
    const uint64_t bodies =
        call->bodies > 0 ? SECTION_HEAD + demi_packed_bodies_length(call->bodies, call->count) : 0;
    const uint64_t needed = 8 * (DEMI_PACKED_HEAD + SECTION_HEAD + writer.length + SECTION_HEAD +
                                 particles_length(call) + bodies + SECTION_HEAD +
                                 contacts_length(call) + DEMI_PACKED_TAIL);
    if (buffer != NULL && size < needed)
        return demi_fail(&call->w->context, DEM_ERROR_RANGE,
                         "size: %llu bytes are fewer than the %llu of the particles",
                         (unsigned long long)size, (unsigned long long)needed);
    if (buffer != NULL)
        write_whole(buffer, call, needed);
    if (bytes != NULL)
        *bytes = needed;
    return DEM_OK;
}

static dem_status pack(pack_call *call, void *buffer, uint64_t size, uint64_t *bytes)
{
    if (buffer == NULL && bytes == NULL)
        return demi_fail(&call->w->context, DEM_ERROR_ARGUMENT,
                         "buffer and bytes: one must not be NULL");
    dem_status status = choose(call);
    if (status == DEM_OK)
        status = write_chosen(call, buffer, size, bytes);
    demi_model_table_clear(&call->table);
    pack_free(call);
    return status;
}

DEMI_GUARDED guarded_particles_pack(dem_world *world, uint64_t count,
                                    const dem_particle_handle *handles, void *buffer, uint64_t size,
                                    uint64_t *bytes)
{
    pack_call call = {.w = world, .count = count, .handles = handles};
    return pack(&call, buffer, size, bytes);
}

dem_status dem_particles_pack(dem_world *world, uint64_t count, const dem_particle_handle *handles,
                              void *buffer, uint64_t size, uint64_t *bytes)
{
    DEMI_SET(world, guarded_particles_pack(world, count, handles, buffer, size, bytes));
}

static dem_status bodies_pack(dem_world *world, int ghosts, uint64_t count,
                              const dem_body_handle *handles, void *buffer, uint64_t size,
                              uint64_t *bytes)
{
    demi_packed_rows part;
    pack_call call = {.w = world, .bodies = count, .body = handles, .ghosts = ghosts};
    memset(&part, 0, sizeof part);
    dem_status status = demi_packed_parts(world, count, handles, &part, &call.count);
    call.handles = part.row.read;
    if (status == DEM_OK)
        status = pack(&call, buffer, size, bytes);
    demi_array_free(&world->context, &part.row);
    return status;
}

DEMI_GUARDED guarded_bodies_pack(dem_world *world, uint64_t count, const dem_body_handle *handles,
                                 void *buffer, uint64_t size, uint64_t *bytes)
{
    return bodies_pack(world, 0, count, handles, buffer, size, bytes);
}

dem_status dem_bodies_pack(dem_world *world, uint64_t count, const dem_body_handle *handles,
                           void *buffer, uint64_t size, uint64_t *bytes)
{
    DEMI_SET(world, guarded_bodies_pack(world, count, handles, buffer, size, bytes));
}

DEMI_GUARDED guarded_ghost_bodies_get(dem_world *world, uint64_t count,
                                      const dem_body_handle *handles, void *buffer, uint64_t size,
                                      uint64_t *bytes)
{
    return bodies_pack(world, 1, count, handles, buffer, size, bytes);
}

dem_status dem_ghost_bodies_get(dem_world *world, uint64_t count, const dem_body_handle *handles,
                                void *buffer, uint64_t size, uint64_t *bytes)
{
    DEMI_SET(world, guarded_ghost_bodies_get(world, count, handles, buffer, size, bytes));
}
