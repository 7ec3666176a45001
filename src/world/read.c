/* SPDX-License-Identifier: MIT */
/* Reading a world: energies, counters, views, contacts, hash. Nothing here changes a trajectory. */
#include "base/check.h"
#include "base/fenv.h"
#include "base/sized.h"
#include "world/world.h"

#include <string.h>

double dem_world_time(const dem_world *world)
{
    return world == NULL ? 0.0 : world->time;
}

static double unwrapped(const dem_world *w, uint64_t row, int c)
{
    const double x = demi_rows(&w->position[w->front])[row][c];
    const int32_t image = demi_bodies(w)[row].image[c];
    return image == 0 ? x : x + image * (w->config.box_high[c] - w->config.box_low[c]);
}

dem_status dem_world_energies_get(const dem_world *world, dem_world_energies *energies)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    if (energies == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "energies: NULL");
    dem_world_energies out = {
        .struct_size = sizeof out,
        .elastic = world->totals.elastic,
        .dissipated_normal = world->totals.dissipated_normal,
        .dissipated_dashpot = world->totals.dissipated_dashpot,
        .dissipated_slip = world->totals.dissipated_slip,
        .dissipated_rolling = world->totals.dissipated_rolling,
        .work_external = world->work_external,
        .work_boundary = world->work_boundary,
    };
    const demi_fenv saved = demi_fenv_enter();
    for (uint64_t row = 0; row < world->rows; ++row) {
        const demi_body *body = &demi_bodies(world)[row];
        if (body->id == 0 || body->motion != DEM_MOTION_FREE)
            continue;
        double v[3], s[3];
        demi_motion_now(world, row, v, s);
        const double r = demi_rows(&world->position[world->front])[row][3];
        out.kinetic_translation += 0.5 * body->mass * demi_dot(v, v);
        out.kinetic_rotation += 0.5 * (0.4 * body->mass * r * r) * demi_dot(s, s);
        for (int c = 0; c < 3; ++c)
            out.potential -= body->mass * world->config.gravity[c] * unwrapped(world, row, c);
    }
    demi_fenv_leave(saved);
    const uint64_t size = energies->struct_size;
    if (demi_sized_write(energies, size, &out, sizeof out, sizeof out) != DEM_OK)
        return demi_fail(world->self, DEM_ERROR_STRUCT_SIZE,
                         "dem_world_energies.struct_size: %llu is not the size of this struct",
                         (unsigned long long)size);
    return DEM_OK;
}

dem_status dem_world_counts_get(const dem_world *world, dem_world_counts *counts)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    if (counts == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "counts: NULL");
    dem_world_counts out = {
        .struct_size = sizeof out,
        .particles = world->particles,
        .contacts = world->totals.contacts,
        .candidates = world->list.pairs,
        .chunks = world->list.chunks,
        .steps = world->steps,
        .rebuilds = world->rebuilds,
        .bytes = world->context.bytes,
    };
    for (uint64_t k = 0; k < world->walls; ++k)
        out.walls += ((const demi_wall *)world->wall.data)[k].id != 0;
    const uint64_t size = counts->struct_size;
    if (demi_sized_write(counts, size, &out, sizeof out, sizeof out) != DEM_OK)
        return demi_fail(world->self, DEM_ERROR_STRUCT_SIZE,
                         "dem_world_counts.struct_size: %llu is not the size of this struct",
                         (unsigned long long)size);
    return DEM_OK;
}

static uint64_t mix(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 31);
}

dem_status dem_world_hash(const dem_world *world, uint64_t *hash)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    if (hash == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "hash: NULL");
    uint64_t sum = mix(0xCBF29CE484222325u, world->time);
    for (uint64_t row = 0; row < world->rows; ++row) {
        const demi_body *body = &demi_bodies(world)[row];
        if (body->id == 0)
            continue;
        uint64_t own = body->id * 0xD6E8FEB86659FD93u;
        for (int c = 0; c < 3; ++c) {
            own = mix(own, unwrapped(world, row, c));
            own = mix(own, demi_motions(&world->motion[world->front])[row].velocity[c]);
            own = mix(own, demi_motions(&world->motion[world->front])[row].spin[c]);
        }
        /* a sum does not depend on the order of rows */
        sum += own;
    }
    *hash = sum;
    return DEM_OK;
}

static dem_status field_known(demi_context *context, int32_t field)
{
    if (field < DEM_FIELD_POSITION || field > DEM_FIELD_RADIUS)
        return demi_fail(context, DEM_ERROR_UNKNOWN, "field: %d is not a DEM_FIELD_ value",
                         (int)field);
    return DEM_OK;
}

dem_status dem_world_view(dem_world *world, int32_t field, dem_view *view)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    demi_context *context = &world->context;
    if (view == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "view: NULL");
    const int side = world->front;
    const dem_status known = field_known(context, field);
    if (known != DEM_OK)
        return known;
    const uint64_t size = view->struct_size;
    dem_view out;
    memset(&out, 0, sizeof out);
    if (size < sizeof out || size > 65536)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE,
                         "dem_view.struct_size: %llu is not the size of this struct",
                         (unsigned long long)size);
    demi_buffer *outer = field == DEM_FIELD_EXTERNAL_FORCE    ? &world->external_force
                         : field == DEM_FIELD_EXTERNAL_TORQUE ? &world->external_torque
                                                              : NULL;
    if (outer != NULL && outer->data == NULL && world->rows > 0) {
        const dem_status status =
            demi_buffer_reserve(context, outer, world->position[side].size, 1, "external forces");
        if (status != DEM_OK)
            return status;
    }
    if (field == DEM_FIELD_VELOCITY || field == DEM_FIELD_ANGULAR_VELOCITY)
        world->motion_viewed = 1;
    if (world->rows > 0) {
        demi_motion *motion = demi_motions(&world->motion[side]);
        demi_load *load = demi_loads(&world->load[side]);
        demi_row *position = demi_rows(&world->position[side]);
        double *const first[] = {position[0],
                                 motion->velocity,
                                 motion->spin,
                                 load->force,
                                 load->torque,
                                 world->external_force.data,
                                 world->external_torque.data,
                                 &position[0][3]};
        out.data = first[field];
        out.id = world->row_id.data;
    }
    static const uint64_t strides[] = {sizeof(demi_row),  sizeof(demi_motion), sizeof(demi_motion),
                                       sizeof(demi_load), sizeof(demi_load),   sizeof(demi_row),
                                       sizeof(demi_row),  sizeof(demi_row)};
    out.stride = strides[field];
    out.count = world->rows;
    out.generation = world->generation;
    return demi_sized_write(view, size, &out, sizeof out, sizeof out);
}

int32_t dem_world_view_stale(const dem_world *world, const dem_view *view)
{
    return world == NULL || view == NULL || view->generation != world->generation;
}

dem_status dem_world_touch_field(dem_world *world, int32_t field)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    static const char *const read_only[DEM_FIELD_RADIUS + 1] = {
        [DEM_FIELD_POSITION] = "DEM_FIELD_POSITION",
        [DEM_FIELD_FORCE] = "DEM_FIELD_FORCE",
        [DEM_FIELD_TORQUE] = "DEM_FIELD_TORQUE",
        [DEM_FIELD_RADIUS] = "DEM_FIELD_RADIUS"};
    const dem_status known = field_known(&world->context, field);
    if (known != DEM_OK)
        return known;
    if (read_only[field] != NULL)
        return demi_fail(&world->context, DEM_ERROR_RANGE, "field: %s is read only",
                         read_only[field]);
    world->touched = 1;
    /* external forces do not enter contact forces */
    if (field == DEM_FIELD_VELOCITY || field == DEM_FIELD_ANGULAR_VELOCITY)
        world->forces_stale = 1;
    return DEM_OK;
}

dem_status dem_world_touch(dem_world *world)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    world->touched = 1;
    /* what was viewed may have been written */
    if (world->motion_viewed)
        world->forces_stale = 1;
    return DEM_OK;
}

/* Computes pair p of a run as it stands, into lane 0. */
static void contact_fill(const dem_world *w, const demi_run *run, uint64_t p, demi_lanes *lanes,
                         dem_contact *out)
{
    demi_totals totals;
    memset(&totals, 0, sizeof totals);
    demi_lanes_call how = {.model = run->model,
                           .shape = run->shape,
                           .frame = demi_world_frame(w),
                           .overlap_limit = 2.0};
    const demi_fenv saved = demi_fenv_enter();
    demi_contact_read(w, run, p, lanes);
    (void)demi_lanes_run[w->models.isa](lanes, 1, &how, &totals);
    demi_fenv_leave(saved);
    const demi_ends ends = demi_ends_of(&w->list, p);
    const demi_body *own = &demi_bodies(w)[ends.own];
    const int first = ends.first;
    uint64_t id;
    int32_t material;
    if (ends.plane) {
        const demi_wall *wall = (const demi_wall *)w->wall.data + ends.other;
        id = wall->id;
        material = wall->material;
    } else {
        const demi_body *other = &demi_bodies(w)[ends.other];
        id = other->id;
        material = other->material;
        demi_ends_image(&ends, demi_bodies(w), out->key.image);
    }
    out->key.id_i = first ? own->id : id;
    out->key.id_j = first ? id : own->id;
    out->material_i = first ? own->material : material;
    out->material_j = first ? material : own->material;
    out->overlap = lanes->overlap[0];
    for (int c = 0; c < 3; ++c) {
        out->normal[c] = lanes->normal[c][0];
        out->force_normal[c] = lanes->force_normal[0] * lanes->normal[c][0];
        out->force_tangential[c] = lanes->force_tangential[c][0];
    }
    out->state_count = run->model->state_size;
    out->state = demi_pair_state(w, run, p);
}

/* Whether both bodies of a pair are still there. */
static int pair_exists(const dem_world *w, uint64_t p)
{
    const demi_ends ends = demi_ends_of(&w->list, p);
    if (demi_bodies(w)[ends.own].id == 0)
        return 0;
    return ends.plane ? ((const demi_wall *)w->wall.data)[ends.other].id != 0
                      : demi_bodies(w)[ends.other].id != 0;
}

dem_status dem_world_contact_next(const dem_world *world, uint64_t *cursor, dem_contact *contact)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    if (cursor == NULL || contact == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "%s: NULL",
                         cursor == NULL ? "cursor" : "contact");
    const uint64_t size = contact->struct_size;
    if (size < sizeof *contact || size > 65536)
        return demi_fail(world->self, DEM_ERROR_STRUCT_SIZE,
                         "dem_contact.struct_size: %llu is not the size of this struct",
                         (unsigned long long)size);
    const unsigned char *live = world->list.live[world->front].data;
    const demi_list *list = &world->list;
    const demi_chunk *chunks = list->chunk.data;
    const demi_run *runs = list->run.data;
    /* runs stand in the order of their pairs */
    const uint64_t chunk = list->pair_room > 0 ? *cursor / list->pair_room : 0;
    for (uint64_t r = chunk < list->chunks ? chunks[chunk].run_begin : list->runs; r < list->runs;
         ++r)
        for (uint64_t p = runs[r].begin > *cursor ? runs[r].begin : *cursor; p < runs[r].end; ++p) {
            if (!live[p] || !pair_exists(world, p))
                continue;
            dem_contact out;
            memset(&out, 0, sizeof out);
            _Alignas(64) demi_plane state[DEM_STATE_MAX];
            demi_lanes lanes;
            lanes.state = state;
            contact_fill(world, &runs[r], p, &lanes, &out);
            *cursor = p + 1;
            return demi_sized_write(contact, size, &out, sizeof out, sizeof out);
        }
    *cursor = list->chunks * list->pair_room;
    return DEM_ERROR_RANGE;
}
