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
        const double *v = demi_rows(&world->velocity[world->front])[row];
        const double *s = demi_rows(&world->spin[world->front])[row];
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
            own = mix(own, demi_rows(&world->velocity[world->front])[row][c]);
            own = mix(own, demi_rows(&world->spin[world->front])[row][c]);
        }
        /* a sum does not depend on the order of rows */
        sum += own;
    }
    *hash = sum;
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
    demi_buffer *const rows[] = {&world->position[side],  &world->velocity[side],
                                 &world->spin[side],      &world->force[side],
                                 &world->torque[side],    &world->external_force,
                                 &world->external_torque, &world->position[side]};
    if (field < DEM_FIELD_POSITION || field > DEM_FIELD_RADIUS)
        return demi_fail(context, DEM_ERROR_UNKNOWN, "field: %d is not a DEM_FIELD_ value",
                         (int)field);
    const uint64_t size = view->struct_size;
    dem_view out;
    memset(&out, 0, sizeof out);
    if (size < sizeof out || size > 65536)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE,
                         "dem_view.struct_size: %llu is not the size of this struct",
                         (unsigned long long)size);
    if (rows[field]->data == NULL && world->rows > 0) {
        const dem_status status = demi_buffer_reserve(
            context, rows[field], world->position[side].size, 1, "external forces");
        if (status != DEM_OK)
            return status;
    }
    if (world->rows > 0) {
        out.data = demi_rows(rows[field])[0] + (field == DEM_FIELD_RADIUS ? 3 : 0);
        out.id = world->row_id.data;
    }
    out.stride = sizeof(demi_row);
    out.count = world->rows;
    out.generation = world->generation;
    return demi_sized_write(view, size, &out, sizeof out, sizeof out);
}

int32_t dem_world_view_stale(const dem_world *world, const dem_view *view)
{
    return world == NULL || view == NULL || view->generation != world->generation;
}

dem_status dem_world_touch(dem_world *world)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    world->touched = world->forces_stale = 1;
    return DEM_OK;
}

/* Computes pair p of a run as it stands, into lane 0. */
static void contact_fill(const dem_world *w, const demi_run *run, uint64_t p, demi_lanes *lanes,
                         dem_contact *out)
{
    uint64_t bad;
    demi_totals totals;
    memset(&totals, 0, sizeof totals);
    const demi_fenv saved = demi_fenv_enter();
    demi_contact_read(w, run, p, lanes);
    (void)demi_lanes_run(lanes, 1, run->model, run->shape, demi_world_frame(w), 0.0, 2.0, &bad,
                         &totals);
    demi_fenv_leave(saved);
    const demi_pair *pair = (const demi_pair *)w->list.pair.data + p;
    const demi_body *i = &demi_bodies(w)[pair->i];
    uint64_t id_j;
    int32_t material_j;
    if (run->shape == DEMI_SHAPE_PLANE) {
        const demi_wall *wall = (const demi_wall *)w->wall.data + pair->j;
        id_j = wall->id;
        material_j = wall->material;
    } else {
        const demi_body *j = &demi_bodies(w)[pair->j];
        id_j = j->id;
        material_j = j->material;
        for (int c = 0; c < 3; ++c)
            out->key.image[c] = pair->shift[c] + i->image[c] - j->image[c];
    }
    const int first = i->id < id_j;
    out->key.id_i = first ? i->id : id_j;
    out->key.id_j = first ? id_j : i->id;
    out->material_i = first ? i->material : material_j;
    out->material_j = first ? material_j : i->material;
    out->overlap = lanes->overlap[0];
    for (int c = 0; c < 3; ++c) {
        out->normal[c] = lanes->normal[c][0];
        out->force_normal[c] = lanes->force_normal[0] * lanes->normal[c][0];
        out->force_tangential[c] = lanes->force_tangential[c][0];
    }
    out->state_count = run->model->state_size;
    out->state = (const double *)w->list.state[w->front].data + run->state_begin +
                 (p - run->begin) * run->model->state_size;
}

/* Whether both bodies of a pair are still there. */
static int pair_exists(const dem_world *w, const demi_run *run, uint64_t p)
{
    const demi_pair *pair = (const demi_pair *)w->list.pair.data + p;
    if (demi_bodies(w)[pair->i].id == 0)
        return 0;
    return run->shape == DEMI_SHAPE_PLANE ? ((const demi_wall *)w->wall.data)[pair->j].id != 0
                                          : demi_bodies(w)[pair->j].id != 0;
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
    const demi_run *runs = world->list.run.data;
    for (uint64_t p = *cursor; p < world->list.pairs; ++p) {
        if (!live[p])
            continue;
        uint64_t low = 0, high = world->list.runs;
        while (high - low > 1) {
            const uint64_t middle = (low + high) / 2;
            if (runs[middle].begin <= p)
                low = middle;
            else
                high = middle;
        }
        if (!pair_exists(world, &runs[low], p))
            continue;
        dem_contact out;
        memset(&out, 0, sizeof out);
        demi_lanes lanes;
        contact_fill(world, &runs[low], p, &lanes, &out);
        *cursor = p + 1;
        return demi_sized_write(contact, size, &out, sizeof out, sizeof out);
    }
    *cursor = world->list.pairs;
    return DEM_ERROR_RANGE;
}
