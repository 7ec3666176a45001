/* SPDX-License-Identifier: MIT */
/* Reads particles from bytes, and adds them with their contacts to a world. */
#include "io/particles.h"
#include "base/check.h"
#include "base/entry.h"
#include "world/added_mass.h"

#include <dem/distribution.h>

static dem_status read_laws(demi_unpack *call)
{
    dem_world *w = call->w;
    demi_reader *in = &call->in;
    uint64_t count;
    dem_status status = demi_packed_count(&w->context, &demi_packed_particles, in, DEMI_LAWS_TAG,
                                          "models with laws", DEMI_MODEL_TABLE_LEAST, &count);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &call->pair, count, 0, "particles to be read");
    call->table = (demi_model_table){
        &w->context, &w->models, "particles", "dem_contact_model_set", call->pair.data, 0};
    if (status == DEM_OK)
        status = demi_model_table_read(in, &call->table, count);
    if (status != DEM_OK)
        return status;
    demi_leave_section(in);
    DEMI_PACKED_REFUSE(in->failed, "the table of laws is not valid");
    return DEM_OK;
}

static dem_status check_particle(dem_world *w, uint64_t k, const demi_packed_particle *p)
{
    const unsigned long long id = (unsigned long long)p->particle.id;
    DEMI_PACKED_REFUSE(id == 0 || !(p->particle.mass > 0.0), "particle %llu has no id or no mass",
                       (unsigned long long)k);
    for (int c = 0; c < 3; ++c)
        DEMI_PACKED_REFUSE(p->image[c] <= -DEMI_IMAGE_MOST || p->image[c] >= DEMI_IMAGE_MOST ||
                               (p->image[c] != 0 && w->config.boundary[c] != DEM_BOUNDARY_PERIODIC),
                           "particle with id %llu: the image is not valid", id);
    DEMI_PACKED_REFUSE(!demi_within3(p->load, DEMI_FORCE_MOST) ||
                           !demi_within3(p->load + 3, DEMI_FORCE_MOST) ||
                           !demi_not_negative(p->inverse_mass),
                       "particle with id %llu: force, torque or mass is not valid", id);
    return demi_particle_check(w, "particle", k, &p->particle);
}

/* Looks at the columns of a particle. */
static dem_status check_columns(demi_unpack *call, demi_reader *in, uint64_t id)
{
    dem_world *w = call->w;
    for (int f = 0; f < DEMI_FIELDS; ++f) {
        const demi_field *of = &demi_fields[f];
        if ((call->columns >> f & 1u) == 0)
            continue;
        for (uint64_t k = demi_field_width(w, of); k > 0; --k) {
            const double value = demi_read_double(in),
                         most = (of->traits & DEMI_FIELD_WITHIN) != 0 ? DEMI_MOTION_MOST : DBL_MAX;
            DEMI_PACKED_REFUSE(
                (of->traits & DEMI_FIELD_HOSTS) == 0 &&
                    (!islessequal(fabs(value), most) ||
                     ((of->traits & DEMI_FIELD_NOT_NEGATIVE) != 0 && !(value >= 0.0))),
                "particle with id %llu: %s is not valid", (unsigned long long)id, of->name);
        }
    }
    return DEM_OK;
}

/* Enters the id of a particle that comes. */
static dem_status name_particle(demi_unpack *call, uint64_t id)
{
    dem_world *w = call->w;
    uint32_t there;
    if (demi_idmap_find(&w->ids, id, &there)) {
        const char *who = there == DEMI_COMING           ? "another one of these particles"
                          : (there & DEMI_WALL_BIT) != 0 ? "a wall"
                          : demi_kinds[w->body.read[w->handle.read[there].row].kind].ghost
                              ? "a ghost (set the ghosts of the new owners first)"
                              : "a particle of this world";
        return demi_fail(&w->context, DEM_ERROR_DUPLICATE, "particles: %s has the id %llu", who,
                         (unsigned long long)id);
    }
    demi_idmap_insert(&w->ids, id, DEMI_COMING);
    call->named++;
    return DEM_OK;
}

/* Whether the world has, or can have, what the particles carry. */
static dem_status read_columns(demi_unpack *call)
{
    dem_world *w = call->w;
    demi_reader *in = &call->in;
    const uint64_t host = demi_read_u64(in);
    const double lag = demi_read_double(in);
    DEMI_PACKED_REFUSE(in->failed || call->columns >> DEMI_FIELDS != 0,
                       "the columns are not valid");
    for (int f = 0; f < DEMI_FIELDS; ++f)
        DEMI_PACKED_REFUSE((call->columns >> f & 1u) != 0 && !demi_column_travels(&demi_fields[f]),
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
    /* a world without any takes over what the particles have */
    call->lag = w->velocity_lag;
    const int alone = w->particles + w->ghosts.count == 0 && isfinite(lag) && lag >= 0.0 &&
                      (lag == 0.0 || w->scheme->lag != 0.0);
    if (alone && call->count > 0)
        call->lag = lag;
    else if (lag != w->velocity_lag && call->count > 0)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "particles: their velocities are late by %g s, and those of this world by "
                         "%g s: let both make the same step before",
                         lag, w->velocity_lag);
    call->width = demi_columns_width(w, call->columns);
    return DEM_OK;
}

static dem_status read_particles(demi_unpack *call)
{
    dem_world *w = call->w;
    demi_reader *in = &call->in;
    dem_status status =
        demi_packed_count(&w->context, &demi_packed_particles, in, DEMI_PARTICLES_TAG, "particles",
                          DEMI_PACKED_PARTICLE, &call->count);
    if (status != DEM_OK)
        return status;
    call->columns = demi_read_u64(in);
    call->stale = (call->columns & DEMI_PACKED_STALE) != 0;
    call->columns &= ~DEMI_PACKED_STALE;
    status = read_columns(call);
    if (status != DEM_OK)
        return status;
    DEMI_PACKED_REFUSE(in->length != call->count * (DEMI_PACKED_PARTICLE + call->width) ||
                           call->count >= DEMI_COMING || w->rows + call->count >= DEMI_COMING,
                       "the number of particles is not valid");
    call->particles = *in;
    status = demi_idmap_reserve(&w->context, &w->ids, call->count);
    for (uint64_t k = 0; status == DEM_OK && k < call->count; ++k) {
        demi_packed_particle p;
        demi_reader next = *in;
        demi_reader_skip(&next, DEMI_PACKED_AHEAD * (DEMI_PACKED_PARTICLE + call->width));
        demi_idmap_ask(&w->ids, demi_read_u64(&next));
        demi_packed_particle_read(in, &p);
        status = check_particle(w, k, &p);
        if (status == DEM_OK)
            status = check_columns(call, in, p.particle.id);
        if (status == DEM_OK && !call->ghosts)
            status = name_particle(call, p.particle.id);
        call->carried += p.kind == DEMI_KIND_PART;
    }
    if (status != DEM_OK)
        return status;
    demi_leave_section(in);
    DEMI_PACKED_REFUSE(in->failed, "a particle is cut short");
    return DEM_OK;
}

/* Takes back the ids. */
static void names_remove(demi_unpack *call)
{
    demi_packed_bodies_unname(call);
    demi_reader in = call->particles;
    for (; call->named > 0; --call->named) {
        demi_packed_particle p;
        demi_packed_particle_read(&in, &p);
        demi_reader_skip(&in, call->width);
        demi_idmap_remove(&call->w->ids, p.particle.id);
    }
}

/* Adds the particles. Nothing here can fail. */
static void add_particles(demi_unpack *call)
{
    dem_world *w = call->w;
    demi_reader in = call->particles;
    for (uint64_t k = 0; k < call->count; ++k) {
        demi_packed_particle p;
        dem_particle_handle handle;
        demi_packed_particle_read(&in, &p);
        p.particle.mobility = p.kind;
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
static dem_status columns_make(demi_unpack *call)
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
static void unpack_undo(demi_unpack *call, uint64_t first)
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
static dem_status unpack_reserve(demi_unpack *call)
{
    dem_world *w = call->w;
    dem_status status = demi_rows_make_room(w, call->count);
    if (status == DEM_OK)
        status =
            demi_array_reserve(&w->context, &w->handle, (w->handles + call->count), 1, "handles");
    if (status == DEM_OK && call->bodies_count > 0)
        status =
            demi_rigids_reserve(w, w->rigids + call->bodies_count, w->rigid_parts + call->parts);
    if (status == DEM_OK)
        status = columns_make(call);
    return status == DEM_OK ? demi_packed_contacts_reserve(call) : status;
}

dem_status demi_unpack_look(demi_unpack *call, const demi_packed *packed, const void *buffer,
                            uint64_t size)
{
    dem_status status = demi_packed_frame(&call->w->context, packed, &call->in, buffer, size);
    if (status == DEM_OK)
        status = read_laws(call);
    if (status == DEM_OK)
        status = read_particles(call);
    if (status == DEM_OK)
        status = demi_packed_bodies_read(call);
    if (status == DEM_OK)
        status = demi_packed_contacts_read(call);
    return status;
}

static dem_status unpack(demi_unpack *call, const void *buffer, uint64_t size)
{
    dem_world *w = call->w;
    dem_status status = demi_unpack_look(call, &demi_packed_particles, buffer, size);
    if (status == DEM_OK)
        status = unpack_reserve(call);
    const uint64_t first = w->rows;
    if (status != DEM_OK) {
        unpack_undo(call, first);
        return status;
    }
    uint64_t contacts = 0;
    add_particles(call);
    demi_packed_faces_mark(call, w->rows - call->parts);
    status = demi_packed_contacts_place(call, first, &contacts);
    if (status == DEM_OK)
        status = demi_incoming_add(w, call->incoming.data, contacts);
    if (status == DEM_OK)
        demi_packed_contacts_fill(call, contacts);
    if (status != DEM_OK) {
        unpack_undo(call, first);
        return status;
    }
    demi_packed_bodies_add(call, w->rows - call->parts);
    if (call->count > 0) {
        w->velocity_lag = call->lag;
        /* forces came along; a world that had no particles has no others to evaluate */
        if (w->particles == call->count)
            w->forces_stale = 0;
        w->forces_stale |= call->stale;
        w->list_stale = 1;
        w->generation++;
        demi_mark_end(w);
    }
    return DEM_OK;
}

void demi_unpack_free(demi_unpack *call)
{
    demi_model_table_clear(&call->table);
    demi_array_free(&call->w->context, &call->incoming);
    demi_array_free(&call->w->context, &call->seen);
    demi_array_free(&call->w->context, &call->pair);
}

DEMI_GUARDED guarded_particles_unpack(dem_world *world, const void *buffer, uint64_t size,
                                      uint64_t *count)
{
    demi_unpack call = {.w = world};
    if (buffer == NULL)
        return demi_fail(&world->context, DEM_ERROR_ARGUMENT, "buffer: must not be NULL");
    const dem_status status = unpack(&call, buffer, size);
    demi_unpack_free(&call);
    if (status == DEM_OK && count != NULL)
        *count = call.count;
    return status;
}

dem_status dem_particles_unpack(dem_world *world, const void *buffer, uint64_t size,
                                uint64_t *count)
{
    DEMI_SET(world, guarded_particles_unpack(world, buffer, size, count));
}
