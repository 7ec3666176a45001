/* SPDX-License-Identifier: MIT */
/* Particles of a world as bytes, with their contacts.
 *
 * Words of 64 bits, lowest byte first: magic, version, length in bytes; section "laws", pairs of
 * materials with the names and versions of their laws; section "particle", the particles and the
 * columns of what they carry; section "contacts"; checksum. Reading goes over the bytes twice: it
 * checks all of them, and then changes the world. */
#include "base/check.h"
#include "base/entry.h"
#include "io/model_table.h"
#include "shapes/slots.h"
#include "world/added_mass.h"
#include "world/contact_choice.h"
#include "world/fields.h"
#include "world/incoming.h"

#include <dem/distribution.h>

/* The first word: bytes that are not text, and line ends that a transfer as text would change. */
static const char particles_magic[] = "\x89"
                                      "DEMP\r\n\x1a";
static const char LAWS_TAG[] = "laws    ", PARTICLES_TAG[] = "particle",
                  CONTACTS_TAG[] = "contacts";

/* Words before the sections and after them; before the particles, of a particle without columns,
 * and of a contact without its state. */
enum {
    HEAD_LENGTH = 3,
    TAIL_LENGTH = 1,
    COLUMNS_LENGTH = 4,
    PARTICLE_LENGTH = 22,
    CONTACT_LENGTH = 6
};

/* So many particles or contacts ahead the memory of one is asked for. */
enum { AHEAD = 8 };

/* Marks ids of particles that come. */
#define COMING (DEMI_WALL_BIT - 1u)

/* ------------------------------------------------------------------ columns */

/* Whether particles carry a field from world to world beside what all of them have. */
static int column_travels(const demi_field *of)
{
    const int kinds = DEMI_FIELD_ON_DEMAND | DEMI_FIELD_SUMMED | DEMI_FIELD_HOSTS;
    return (of->traits & kinds) != 0;
}

/* Bits of the fields whose columns a world has. */
static uint64_t columns_of(const dem_world *w)
{
    uint64_t columns = 0;
    for (int f = 0; f < DEMI_FIELDS; ++f)
        if (column_travels(&demi_fields[f]) && demi_field_first(w, &demi_fields[f]) != NULL)
            columns |= UINT64_C(1) << f;
    return columns;
}

/* Doubles of these columns. */
static uint64_t columns_width(const dem_world *w, uint64_t columns)
{
    uint64_t width = 0;
    for (int f = 0; f < DEMI_FIELDS; ++f)
        width += (columns >> f & 1u) != 0 ? demi_field_width(w, &demi_fields[f]) : 0;
    return width;
}

/* ------------------------------------------------------------------ choosing */

typedef struct pack_call {
    dem_world *w;
    uint64_t count, contacts;
    const dem_particle_handle *handles;
    const demi_contact_place *contact;
    DEMI_ARRAY(uint64_t) pair;        /* of materials */
    DEMI_ARRAY(unsigned char) chosen; /* by row */
    demi_model_table table;
    uint64_t columns;
} pack_call;

static void pack_free(pack_call *call)
{
    demi_context *context = &call->w->context;
    demi_array_free(context, &call->pair);
    demi_array_free(context, &call->chosen);
}

/* Marks the rows of the handles. */
static dem_status choose_rows(pack_call *call)
{
    dem_world *w = call->w;
    dem_status status = DEM_OK;
    if (call->handles == NULL && call->count > 0)
        return demi_fail(&w->context, DEM_ERROR_ARGUMENT, "handles: must not be NULL");
    if (w->rows > 0)
        status = demi_array_reserve(&w->context, &call->chosen, w->rows, 0, "packed particles");
    if (status == DEM_OK && w->rows > 0)
        memset(call->chosen.data, 0, (size_t)w->rows);
    for (uint64_t k = 0; status == DEM_OK && k < call->count; ++k) {
        uint64_t row;
        status = demi_handle_row(w, call->handles[k], &row);
        if (status != DEM_OK)
            break;
        const demi_body *body = &w->body.read[row];
        const char *why = body->rigid != 0 ? "is a part of a body: bodies do not travel"
                          : demi_kinds[body->kind].ghost ? "is a ghost: its owner packs it"
                          : call->chosen.read[row]       ? "is named twice"
                                                         : NULL;
        if (why != NULL)
            status = demi_fail(&w->context, DEM_ERROR_STATE, "particle %llu: %s",
                               (unsigned long long)body->id, why);
        call->chosen.data[row] = 1;
    }
    return status;
}

static uint64_t row_of(const pack_call *call, uint64_t k)
{
    return call->w->handle.read[call->handles[k].index].row;
}

/* Finds the contacts, and the pairs of materials that they have. */
static dem_status choose(pack_call *call)
{
    dem_world *w = call->w;
    dem_status status = DEM_OK;
    if (!demi_contact_choice_holds(w, call->handles, call->count)) {
        status = choose_rows(call);
        if (status == DEM_OK)
            status = demi_contact_choice_make(w, call->handles, call->count, call->chosen.read);
    }
    call->contacts = status == DEM_OK ? w->contact_choice.contacts : 0;
    call->contact = w->contact_choice.place.read;
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &call->pair, call->contacts, 0, "packed contacts");
    if (status != DEM_OK)
        return status;
    call->columns = columns_of(w);
    call->table = (demi_model_table){
        &w->context, &w->models, "particles", "dem_contact_model_set", call->pair.data, 0};
    for (uint64_t k = 0; k < call->contacts; ++k) {
        const demi_model *model = w->list.batch_group.read[call->contact[k].group].model;
        if (k == 0 || call->contact[k].group != call->contact[k - 1].group)
            demi_model_table_add(&call->table, model->material_a, model->material_b);
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
static void row_ask(const dem_world *w, uint64_t row)
{
    __builtin_prefetch(&w->body.read[row]);
    __builtin_prefetch(&w->particle.read[row]);
    __builtin_prefetch(w->current.position.read[row]);
    __builtin_prefetch(&w->current.velocity.read[row]);
    __builtin_prefetch(&w->current.force_torque.read[row]);
}

static void write_particle(demi_writer *out, const pack_call *call, uint64_t row)
{
    const dem_world *w = call->w;
    const demi_body *body = &w->body.read[row];
    const demi_velocities *velocities = &w->current.velocity.read[row];
    const demi_force_torque *load = &w->current.force_torque.read[row];
    demi_write_u64(out, body->id);
    demi_write_u32(out, (uint32_t)body->material, (uint32_t)body->kind);
    demi_write_u32(out, (uint32_t)body->image[0], (uint32_t)body->image[1]);
    demi_write_u32(out, (uint32_t)body->image[2], 0);
    demi_write_doubles(out, &w->particle.read[row].mass, 1);
    demi_write_doubles(out, w->current.position.read[row], 4);
    demi_write_doubles(out, velocities->velocity, 4);
    demi_write_doubles(out, velocities->angular_velocity, 3);
    demi_write_doubles(out, load->force, 3);
    demi_write_doubles(out, load->torque, 3);
    for (int f = 0; f < DEMI_FIELDS; ++f) {
        const demi_field *of = &demi_fields[f];
        if ((call->columns >> f & 1u) != 0)
            demi_write_doubles(out, demi_field_first(w, of) + row * demi_field_stride(w, of),
                               demi_field_width(w, of));
    }
}

/* The head of a section whose length is known without writing it. */
static void write_head(demi_writer *out, const char *tag, uint64_t length)
{
    demi_reader name;
    demi_reader_start(&name, tag, 1);
    demi_write_u64(out, demi_read_u64(&name));
    demi_write_u64(out, length);
}

static uint64_t particles_length(const pack_call *call)
{
    return COLUMNS_LENGTH + call->count * (PARTICLE_LENGTH + columns_width(call->w, call->columns));
}

static void write_particles(demi_writer *out, const pack_call *call)
{
    const dem_world *w = call->w;
    write_head(out, PARTICLES_TAG, particles_length(call));
    demi_write_u64(out, call->count);
    demi_write_u64(out, call->columns);
    demi_write_u64(out, w->config.host_doubles);
    demi_write_doubles(out, &w->velocity_lag, 1);
    for (uint64_t k = 0; k < call->count; ++k) {
        if (k + AHEAD < call->count)
            row_ask(w, row_of(call, k + AHEAD));
        write_particle(out, call, row_of(call, k));
    }
}

/* Asks for the memory of a contact that is written soon. */
static void contact_ask(const dem_world *w, const demi_contact_place *contact)
{
    const demi_ends *ends = &contact->ends;
    __builtin_prefetch(&w->current.contact_state.read[contact->state]);
    __builtin_prefetch(&w->row_id.read[ends->own]);
    __builtin_prefetch(&w->body.read[ends->own]);
    if (ends->wall)
        return;
    __builtin_prefetch(&w->row_id.read[ends->other]);
    __builtin_prefetch(&w->body.read[ends->other]);
}

static void write_contact(demi_writer *out, const dem_world *w, const demi_contact_place *contact)
{
    const demi_batch_group *group = &w->list.batch_group.read[contact->group];
    const demi_ends ends = contact->ends;
    const double *state = w->current.contact_state.read + contact->state;
    const uint64_t own = w->row_id.read[ends.own],
                   other = ends.wall ? w->wall.read[ends.other].id : w->row_id.read[ends.other];
    int32_t image[3] = {0, 0, 0};
    if (!ends.wall)
        demi_ends_image(&ends, w->body.read, image);
    demi_write_u64(out, ends.first ? own : other);
    demi_write_u64(out, ends.first ? other : own);
    demi_write_u32(out, (uint32_t)ends.wall, ends.feature);
    demi_write_u32(out, (uint32_t)image[0], (uint32_t)image[1]);
    demi_write_u32(out, (uint32_t)image[2], 0);
    const uint64_t kept = demi_shapes[group->shape]->kept;
    demi_write_u64(out, group->model->state_size + kept);
    demi_write_doubles(out, state, group->model->state_size);
    demi_write_doubles(out, state + demi_state_stride(group->model), kept);
}

static uint64_t contacts_length(const pack_call *call)
{
    uint64_t length = 1;
    for (uint64_t k = 0; k < call->contacts; ++k) {
        const demi_batch_group *group = &call->w->list.batch_group.read[call->contact[k].group];
        length += CONTACT_LENGTH + group->model->state_size + demi_shapes[group->shape]->kept;
    }
    return length;
}

static void write_contacts(demi_writer *out, const pack_call *call)
{
    write_head(out, CONTACTS_TAG, contacts_length(call));
    demi_write_u64(out, call->contacts);
    for (uint64_t k = 0; k < call->contacts; ++k) {
        if (k + AHEAD < call->contacts)
            contact_ask(call->w, &call->contact[k + AHEAD]);
        write_contact(out, call->w, &call->contact[k]);
    }
}

static void write_whole(demi_writer *out, const pack_call *call, uint64_t bytes)
{
    demi_reader magic;
    demi_reader_start(&magic, particles_magic, 1);
    demi_write_u64(out, demi_read_u64(&magic));
    demi_write_u64(out, DEM_PARTICLES_VERSION);
    demi_write_u64(out, bytes);
    demi_write_section(out, LAWS_TAG, write_laws, call);
    write_particles(out, call);
    write_contacts(out, call);
    demi_write_u64(out, out->hash);
}

static dem_status write_chosen(const pack_call *call, void *buffer, uint64_t size, uint64_t *bytes)
{
    enum { SECTION_HEAD = 2 };
    demi_writer writer;
    demi_writer_start(&writer, NULL, NULL);
    write_laws(&writer, call);
    const uint64_t needed =
        8 * (HEAD_LENGTH + SECTION_HEAD + writer.length + SECTION_HEAD + particles_length(call) +
             SECTION_HEAD + contacts_length(call) + TAIL_LENGTH);
    if (buffer != NULL && size < needed)
        return demi_fail(&call->w->context, DEM_ERROR_RANGE,
                         "size: %llu bytes are fewer than the %llu of the particles",
                         (unsigned long long)size, (unsigned long long)needed);
    if (buffer != NULL) {
        unsigned char *to = buffer;
        demi_writer_start(&writer, demi_memory_sink, &to);
        write_whole(&writer, call, needed);
        demi_writer_flush(&writer);
    }
    if (bytes != NULL)
        *bytes = needed;
    return DEM_OK;
}

DEMI_GUARDED guarded_particles_pack(dem_world *world, uint64_t count,
                                    const dem_particle_handle *handles, void *buffer, uint64_t size,
                                    uint64_t *bytes)
{
    if (buffer == NULL && bytes == NULL)
        return demi_fail(&world->context, DEM_ERROR_ARGUMENT,
                         "buffer and bytes: one must not be NULL");
    pack_call call = {.w = world, .count = count, .handles = handles};
    dem_status status = choose(&call);
    if (status == DEM_OK)
        status = write_chosen(&call, buffer, size, bytes);
    demi_model_table_clear(&call.table);
    pack_free(&call);
    return status;
}

dem_status dem_particles_pack(dem_world *world, uint64_t count, const dem_particle_handle *handles,
                              void *buffer, uint64_t size, uint64_t *bytes)
{
    DEMI_SET(world, guarded_particles_pack(world, count, handles, buffer, size, bytes));
}

/* ------------------------------------------------------------------ reading */

/* Bytes that are read, and what they say at first. */
typedef struct unpack_call {
    dem_world *w;
    demi_reader in;
    uint64_t count, columns, width; /* particles, their columns, doubles of these */
    uint64_t named;                 /* ids in the table of ids */
    uint64_t made;                  /* columns that the world had not */
    demi_reader particles, contacts;
    uint64_t contact_count;
    DEMI_ARRAY(demi_incoming) incoming;
    DEMI_ARRAY(uint64_t) pair;
    demi_model_table table;
} unpack_call;

/* Leaves the function where the bytes say something that cannot be. */
#define REFUSE_IF(condition, ...)                                                                  \
    do {                                                                                           \
        if (condition)                                                                             \
            return demi_fail(&w->context, DEM_ERROR_FORMAT, "particles: " __VA_ARGS__);            \
    } while (0)

/* Head and checksum; on success the reader is at the first section, and ends before the checksum.
 */
static dem_status particles_frame(dem_world *w, demi_reader *in, const void *buffer, uint64_t size)
{
    demi_reader magic, tail;
    const uint64_t length = size / 8;
    demi_reader_start(&magic, particles_magic, 1);
    demi_reader_start(in, buffer, length);
    REFUSE_IF(size % 8 != 0 || length < HEAD_LENGTH + TAIL_LENGTH ||
                  demi_read_u64(in) != demi_read_u64(&magic),
              "these are no packed particles");
    const uint64_t version = demi_read_u64(in), bytes = demi_read_u64(in);
    REFUSE_IF(version == 0 || version > DEM_PARTICLES_VERSION,
              "version %llu is not %d, the one that this library reads",
              (unsigned long long)version, DEM_PARTICLES_VERSION);
    REFUSE_IF(bytes != size, "%llu bytes are given, and %llu were written",
              (unsigned long long)size, (unsigned long long)bytes);
    demi_reader_start(&tail, (const unsigned char *)buffer + 8 * (length - TAIL_LENGTH), 1);
    REFUSE_IF(demi_read_u64(&tail) != demi_stream_checksum(buffer, length - TAIL_LENGTH),
              "they are damaged: the checksum is wrong");
    in->length -= TAIL_LENGTH;
    return DEM_OK;
}

static dem_status read_laws(unpack_call *call)
{
    dem_world *w = call->w;
    demi_reader *in = &call->in;
    demi_read_section(in, LAWS_TAG);
    const uint64_t count = demi_read_count(in, DEMI_MODEL_TABLE_LEAST);
    REFUSE_IF(in->failed, "the table of laws is not valid");
    dem_status status =
        demi_array_reserve(&w->context, &call->pair, count, 0, "particles to be read");
    call->table = (demi_model_table){
        &w->context, &w->models, "particles", "dem_contact_model_set", call->pair.data, 0};
    if (status == DEM_OK)
        status = demi_model_table_read(in, &call->table, count);
    if (status != DEM_OK)
        return status;
    demi_leave_section(in);
    REFUSE_IF(in->failed, "the table of laws is not valid");
    return DEM_OK;
}

/* A particle of the bytes, but for its columns. */
typedef struct packed_particle {
    dem_particle particle;
    int32_t image[3];
    double inverse_mass; /* as it enters contacts */
    double load[6];
} packed_particle;

static void read_particle(demi_reader *in, packed_particle *p)
{
    uint32_t half[6];
    memset(p, 0, sizeof *p);
    p->particle.struct_size = sizeof p->particle;
    p->particle.id = demi_read_u64(in);
    for (int k = 0; k < 6; k += 2)
        demi_read_u32(in, &half[k], &half[k + 1]);
    p->particle.material = (int32_t)half[0];
    p->particle.mobility = (int32_t)half[1];
    for (int c = 0; c < 3; ++c)
        p->image[c] = (int32_t)half[2 + c];
    p->particle.mass = demi_read_double(in);
    demi_read_doubles(in, p->particle.position, 3);
    p->particle.radius = demi_read_double(in);
    demi_read_doubles(in, p->particle.velocity, 3);
    p->inverse_mass = demi_read_double(in);
    demi_read_doubles(in, p->particle.angular_velocity, 3);
    demi_read_doubles(in, p->load, 6);
}

static dem_status check_particle(dem_world *w, uint64_t k, const packed_particle *p)
{
    const unsigned long long id = (unsigned long long)p->particle.id;
    REFUSE_IF(id == 0 || !(p->particle.mass > 0.0), "particle %llu has no id or no mass",
              (unsigned long long)k);
    for (int c = 0; c < 3; ++c)
        REFUSE_IF(p->image[c] <= -DEMI_IMAGE_MOST || p->image[c] >= DEMI_IMAGE_MOST ||
                      (p->image[c] != 0 && w->config.boundary[c] != DEM_BOUNDARY_PERIODIC),
                  "particle with id %llu: the image is not valid", id);
    REFUSE_IF(!demi_within3(p->load, DEMI_FORCE_MOST) ||
                  !demi_within3(p->load + 3, DEMI_FORCE_MOST) ||
                  !demi_not_negative(p->inverse_mass),
              "particle with id %llu: force, torque or mass is not valid", id);
    return demi_particle_check(w, k, &p->particle);
}

/* Looks at the columns of a particle. */
static dem_status check_columns(unpack_call *call, demi_reader *in, uint64_t id)
{
    dem_world *w = call->w;
    for (int f = 0; f < DEMI_FIELDS; ++f) {
        const demi_field *of = &demi_fields[f];
        if ((call->columns >> f & 1u) == 0)
            continue;
        for (uint64_t k = demi_field_width(w, of); k > 0; --k) {
            const double value = demi_read_double(in);
            REFUSE_IF((of->traits & DEMI_FIELD_HOSTS) == 0 &&
                          (!isfinite(value) ||
                           ((of->traits & DEMI_FIELD_NOT_NEGATIVE) != 0 && !(value >= 0.0))),
                      "particle with id %llu: %s is not valid", (unsigned long long)id, of->name);
        }
    }
    return DEM_OK;
}

/* Enters the id of a particle that comes. */
static dem_status name_particle(unpack_call *call, uint64_t id)
{
    dem_world *w = call->w;
    uint32_t there;
    if (demi_idmap_find(&w->ids, id, &there)) {
        const char *who = there == COMING                ? "another one of these particles"
                          : (there & DEMI_WALL_BIT) != 0 ? "a wall"
                          : demi_kinds[w->body.read[w->handle.read[there].row].kind].ghost
                              ? "a ghost (set the ghosts of the new owners first)"
                              : "a particle of this world";
        return demi_fail(&w->context, DEM_ERROR_DUPLICATE, "particles: %s has the id %llu", who,
                         (unsigned long long)id);
    }
    demi_idmap_insert(&w->ids, id, COMING);
    call->named++;
    return DEM_OK;
}

/* Whether the world has, or can have, what the particles carry. */
static dem_status read_columns(unpack_call *call)
{
    dem_world *w = call->w;
    demi_reader *in = &call->in;
    const uint64_t host = demi_read_u64(in);
    const double lag = demi_read_double(in);
    REFUSE_IF(in->failed || call->columns >> DEMI_FIELDS != 0, "the columns are not valid");
    for (int f = 0; f < DEMI_FIELDS; ++f)
        REFUSE_IF((call->columns >> f & 1u) != 0 && !column_travels(&demi_fields[f]),
                  "column %d does not travel", f);
    if ((call->columns & 1u << DEM_FIELD_HOST) != 0 && host != w->config.host_doubles)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "particles: they have %llu doubles of the host, and this world has %llu: "
                         "set dem_world_config.host_doubles alike",
                         (unsigned long long)host, (unsigned long long)w->config.host_doubles);
    const uint64_t impulses = UINT64_C(15) << DEM_FIELD_DRAG_IMPULSE;
    if ((call->columns & impulses) != 0 && w->contact_impulse.read == NULL)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "particles: they have impulses, which this world does not sum: call "
                         "dem_world_impulses_reset");
    if (lag != w->velocity_lag && call->count > 0)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "particles: their velocities are late by %g s, and those of this world by "
                         "%g s: let both make the same step before",
                         lag, w->velocity_lag);
    call->width = columns_width(w, call->columns);
    return DEM_OK;
}

static dem_status read_particles(unpack_call *call)
{
    dem_world *w = call->w;
    demi_reader *in = &call->in;
    demi_read_section(in, PARTICLES_TAG);
    call->count = demi_read_count(in, PARTICLE_LENGTH);
    call->columns = demi_read_u64(in);
    dem_status status = read_columns(call);
    if (status != DEM_OK)
        return status;
    REFUSE_IF(in->length != call->count * (PARTICLE_LENGTH + call->width) ||
                  call->count >= COMING || w->rows + call->count >= COMING,
              "the number of particles is not valid");
    call->particles = *in;
    status = demi_idmap_reserve(&w->context, &w->ids, call->count);
    for (uint64_t k = 0; status == DEM_OK && k < call->count; ++k) {
        packed_particle p;
        demi_reader next = *in;
        demi_reader_skip(&next, AHEAD * (PARTICLE_LENGTH + call->width));
        demi_idmap_ask(&w->ids, demi_read_u64(&next));
        read_particle(in, &p);
        status = check_particle(w, k, &p);
        if (status == DEM_OK)
            status = check_columns(call, in, p.particle.id);
        if (status == DEM_OK)
            status = name_particle(call, p.particle.id);
    }
    if (status != DEM_OK)
        return status;
    demi_leave_section(in);
    REFUSE_IF(in->failed, "a particle is cut short");
    return DEM_OK;
}

/* Takes back the ids. */
static void names_remove(unpack_call *call)
{
    demi_reader in = call->particles;
    for (; call->named > 0; --call->named) {
        packed_particle p;
        read_particle(&in, &p);
        demi_reader_skip(&in, call->width);
        demi_idmap_remove(&call->w->ids, p.particle.id);
    }
}

/* A contact of the bytes. */
typedef struct coming_contact {
    uint64_t id[2];
    uint32_t wall, feature;
    int32_t image[3];
    uint64_t doubles; /* that follow */
} coming_contact;

static void read_contact(demi_reader *in, coming_contact *contact)
{
    uint32_t image[4];
    contact->id[0] = demi_read_u64(in);
    contact->id[1] = demi_read_u64(in);
    demi_read_u32(in, &contact->wall, &contact->feature);
    demi_read_u32(in, &image[0], &image[1]);
    demi_read_u32(in, &image[2], &image[3]);
    for (int c = 0; c < 3; ++c)
        contact->image[c] = (int32_t)image[c];
    contact->doubles = demi_read_u64(in);
}

static dem_status read_contacts(unpack_call *call)
{
    dem_world *w = call->w;
    demi_reader *in = &call->in;
    demi_read_section(in, CONTACTS_TAG);
    call->contact_count = demi_read_count(in, CONTACT_LENGTH);
    call->contacts = *in;
    for (uint64_t k = 0; !in->failed && k < call->contact_count; ++k) {
        coming_contact contact;
        read_contact(in, &contact);
        REFUSE_IF(contact.doubles > DEM_STATE_MAX + DEMI_SLOT_KEPT || contact.wall > 1 ||
                      contact.id[0] > contact.id[1],
                  "the contact of %llu and %llu is not valid", (unsigned long long)contact.id[0],
                  (unsigned long long)contact.id[1]);
        /* both are looked for when all particles are there */
        demi_idmap_ask(&w->ids, contact.id[0]);
        demi_idmap_ask(&w->ids, contact.id[1]);
        for (uint64_t n = 0; n < contact.doubles; ++n)
            REFUSE_IF(!isfinite(demi_read_double(in)),
                      "the state of the contact of %llu and %llu is not finite",
                      (unsigned long long)contact.id[0], (unsigned long long)contact.id[1]);
    }
    demi_leave_section(in);
    REFUSE_IF(in->failed || in->length != 0, "the list of contacts is not valid");
    return DEM_OK;
}

/* An end of a contact that is not here. */
#define NOT_HERE UINT32_MAX

/* Where an end of a contact is, when all particles are there: a row, or DEMI_WALL_BIT | wall. */
static uint32_t end_of(const dem_world *w, uint64_t id)
{
    uint32_t at;
    if (!demi_idmap_find(&w->ids, id, &at))
        return NOT_HERE;
    if ((at & DEMI_WALL_BIT) != 0)
        return at;
    const uint32_t row = w->handle.read[at].row;
    __builtin_prefetch(&w->body.read[row]);
    return row;
}

/* Finds the ends of all contacts: `own` is that of the lower id. */
static void find_ends(unpack_call *call)
{
    demi_reader in = call->contacts;
    for (uint64_t k = 0; k < call->contact_count; ++k) {
        coming_contact contact;
        read_contact(&in, &contact);
        demi_reader_skip(&in, contact.doubles);
        call->incoming.data[k].own = end_of(call->w, contact.id[0]);
        call->incoming.data[k].other = end_of(call->w, contact.id[1]);
    }
}

/* Looks at what the shape of a wall keeps of a contact. */
static dem_status check_slot(dem_world *w, const demi_incoming *contact, const demi_solid *solid)
{
    double kept[DEMI_SLOT_KEPT];
    demi_reader in;
    if (demi_shapes[contact->shape]->kept == 0)
        return DEM_OK;
    demi_reader_start(&in, contact->bytes + 8 * (size_t)contact->model->state_size, DEMI_SLOT_KEPT);
    demi_read_doubles(&in, kept, DEMI_SLOT_KEPT);
    REFUSE_IF(!demi_slot_valid(solid, kept),
              "what is kept of a contact of particle %llu is not "
              "valid",
              (unsigned long long)w->row_id.read[contact->own]);
    return DEM_OK;
}

/* The contact for the list, once its ends are rows. New rows are from `first` on. Nothing if its
 * other end is not here. */
static dem_status place_contact(unpack_call *call, demi_reader *in, uint64_t first,
                                const uint32_t end[2], demi_incoming *to, int *here)
{
    dem_world *w = call->w;
    coming_contact contact;
    read_contact(in, &contact);
    memset(to, 0, sizeof *to);
    to->bytes = in->bytes;
    demi_reader_skip(in, contact.doubles);
    const unsigned long long a = (unsigned long long)contact.id[0],
                             b = (unsigned long long)contact.id[1];
    *here = end[0] != NOT_HERE && end[1] != NOT_HERE;
    if (!*here) {
        REFUSE_IF(contact.wall, "the contact of %llu and %llu is with a wall that is not here", a,
                  b);
        return DEM_OK;
    }
    const int own = (end[0] & DEMI_WALL_BIT) == 0 && end[0] >= first ? 0 : 1;
    const uint32_t other = end[1 - own];
    const int wall = (other & DEMI_WALL_BIT) != 0;
    REFUSE_IF((end[own] & DEMI_WALL_BIT) != 0 || end[own] < first || wall != (int)contact.wall,
              "the contact of %llu and %llu has none of the particles", a, b);
    to->own = end[own];
    to->other = other;
    to->first = own == 0;
    to->feature = contact.feature;
    to->shift = DEMI_SHIFT_NONE;
    const demi_body *body = &w->body.read[to->own];
    const demi_wall *of = wall ? &w->wall.read[other & ~DEMI_WALL_BIT] : NULL;
    to->shape = wall ? of->shape : DEMI_SHAPE_SPHERE;
    to->model = demi_models_get(&w->models, body->material,
                                wall ? of->material : w->body.read[other].material);
    REFUSE_IF(
        to->model == NULL ||
            !demi_model_table_has(&call->table, to->model->material_a, to->model->material_b) ||
            contact.doubles != to->model->state_size + demi_shapes[to->shape]->kept,
        "the contact of %llu and %llu has another model here", a, b);
    if (wall) {
        REFUSE_IF(contact.feature >= demi_wall_features(w, other & ~DEMI_WALL_BIT),
                  "the contact of %llu and %llu is with a face that is not here", a, b);
        return check_slot(w, to, &w->current.solid.read[other & ~DEMI_WALL_BIT]);
    }
    REFUSE_IF(!demi_incoming_shift(w, to, contact.image) || contact.feature != 0,
              "the image of the contact of %llu and %llu is not valid", a, b);
    return DEM_OK;
}

/* Reads the contacts for the list. */
static dem_status place_contacts(unpack_call *call, uint64_t first, uint64_t *count)
{
    dem_status status = DEM_OK;
    demi_reader in = call->contacts;
    *count = 0;
    find_ends(call);
    for (uint64_t k = 0; status == DEM_OK && k < call->contact_count; ++k) {
        int here;
        const demi_incoming *found = &call->incoming.read[k];
        const uint32_t end[2] = {found->own, found->other};
        status = place_contact(call, &in, first, end, &call->incoming.data[*count], &here);
        *count += status == DEM_OK && here;
    }
    return status;
}

/* Adds the particles. Nothing here can fail. */
static void add_particles(unpack_call *call)
{
    dem_world *w = call->w;
    demi_reader in = call->particles;
    for (uint64_t k = 0; k < call->count; ++k) {
        packed_particle p;
        dem_particle_handle handle;
        read_particle(&in, &p);
        demi_idmap_remove(&w->ids, p.particle.id);
        demi_particle_place(w, &p.particle, &handle);
        const uint64_t row = w->handle.read[handle.index].row;
        memcpy(w->body.data[row].image, p.image, sizeof p.image);
        w->current.velocity.data[row].velocity[3] = p.inverse_mass;
        memcpy(w->current.force_torque.data[row].force, p.load, 3 * sizeof(double));
        memcpy(w->current.force_torque.data[row].torque, p.load + 3, 3 * sizeof(double));
        for (int f = 0; f < DEMI_FIELDS; ++f) {
            const demi_field *of = &demi_fields[f];
            if ((call->columns >> f & 1u) != 0)
                demi_read_doubles(&in, demi_field_first(w, of) + row * demi_field_stride(w, of),
                                  demi_field_width(w, of));
        }
    }
    call->named = 0;
    if ((call->columns & 1u << DEM_FIELD_ADDED_MASS) != 0)
        demi_added_mass_restore(w);
}

/* Makes the columns that the world lacks. */
static dem_status columns_make(unpack_call *call)
{
    dem_world *w = call->w;
    dem_status status = DEM_OK;
    for (int f = 0; status == DEM_OK && f < DEMI_FIELDS; ++f) {
        const demi_field *of = &demi_fields[f];
        if ((call->columns >> f & 1u) == 0 || demi_field_first(w, of) != NULL)
            continue;
        status = demi_field_reserve(w, of); /* none in a world without rows */
        if (status == DEM_OK)
            status = demi_rows_reserve(w, demi_field_buffer(w, of));
        call->made |= status == DEM_OK ? UINT64_C(1) << f : 0;
    }
    return status;
}

/* Takes back what the call has changed: particles from row `first` on, columns, ids. */
static void unpack_undo(unpack_call *call, uint64_t first)
{
    dem_world *w = call->w;
    while (w->rows > first)
        demi_particle_take_back(w);
    for (int f = 0; f < DEMI_FIELDS; ++f)
        if ((call->made >> f & 1u) != 0)
            demi_buffer_free(&w->context, demi_field_buffer(w, &demi_fields[f]));
    demi_added_mass_restore(w);
    names_remove(call);
}

/* Room for all that the call may add. */
static dem_status unpack_reserve(unpack_call *call)
{
    dem_world *w = call->w;
    dem_status status = demi_rows_make_room(w, call->count);
    if (status == DEM_OK)
        status =
            demi_array_reserve(&w->context, &w->handle, (w->handles + call->count), 1, "handles");
    if (status == DEM_OK)
        status = columns_make(call);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &call->incoming, call->contact_count + 1, 0,
                                    "particles to be read");
    return status;
}

/* Writes the states of the contacts where the list has them. */
static void fill_states(const unpack_call *call, uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k) {
        const demi_incoming *contact = &call->incoming.read[k];
        const uint32_t size = contact->model->state_size,
                       padded = demi_state_stride(contact->model),
                       kept = demi_shapes[contact->shape]->kept;
        demi_reader in;
        demi_reader_start(&in, contact->bytes, size + kept);
        memset(contact->state, 0, (size_t)(padded + kept) * sizeof(double));
        demi_read_doubles(&in, contact->state, size);
        demi_read_doubles(&in, contact->state + padded, kept);
    }
}

static dem_status unpack(unpack_call *call)
{
    dem_world *w = call->w;
    dem_status status = read_laws(call);
    if (status == DEM_OK)
        status = read_particles(call);
    if (status == DEM_OK)
        status = read_contacts(call);
    if (status == DEM_OK)
        status = unpack_reserve(call);
    const uint64_t first = w->rows;
    if (status != DEM_OK) {
        unpack_undo(call, first);
        return status;
    }
    uint64_t contacts = 0;
    add_particles(call);
    status = place_contacts(call, first, &contacts);
    if (status == DEM_OK)
        status = demi_incoming_add(w, call->incoming.data, contacts);
    if (status == DEM_OK)
        fill_states(call, contacts);
    if (status != DEM_OK) {
        unpack_undo(call, first);
        return status;
    }
    if (call->count > 0) {
        /* forces came along; a world that had no particles has no others to evaluate */
        if (w->particles == call->count)
            w->forces_stale = 0;
        w->list_stale = 1;
        w->generation++;
        demi_mark_end(w);
    }
    return DEM_OK;
}

DEMI_GUARDED guarded_particles_unpack(dem_world *world, const void *buffer, uint64_t size,
                                      uint64_t *count)
{
    unpack_call call = {.w = world};
    if (buffer == NULL)
        return demi_fail(&world->context, DEM_ERROR_ARGUMENT, "buffer: must not be NULL");
    dem_status status = particles_frame(world, &call.in, buffer, size);
    if (status == DEM_OK)
        status = unpack(&call);
    demi_model_table_clear(&call.table);
    demi_array_free(&world->context, &call.incoming);
    demi_array_free(&world->context, &call.pair);
    if (status == DEM_OK && count != NULL)
        *count = call.count;
    return status;
}

dem_status dem_particles_unpack(dem_world *world, const void *buffer, uint64_t size,
                                uint64_t *count)
{
    DEMI_SET(world, guarded_particles_unpack(world, buffer, size, count));
}
