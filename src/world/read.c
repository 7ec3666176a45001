/* SPDX-License-Identifier: MIT */
/* Reading a world: energies, counters, views, hash. Contacts are in read_contacts.c. Nothing here
 * changes a trajectory. */
#include "base/entry.h"
#include "base/check.h"
#include "base/sized.h"
#include "world/added_mass.h"
#include "world/fields.h"
#include "world/hook.h"
#include "world/images.h"
#include "world/motion_written.h"

#include <string.h>

double dem_world_time(const dem_world *world)
{
    return world == NULL ? 0.0 : world->time;
}

double demi_row_unwrapped(const dem_world *w, uint64_t row, int c)
{
    return demi_unwrapped(w, c, w->current.position.data[row][c], w->body.data[row].image[c]);
}

/* A sum with twice the digits of a double: the order of what is added, which is that of rows, does
 * not show in it. */
typedef struct long_sum {
    double sum, rest;
} long_sum;

static void long_add(long_sum *s, double value)
{
    const double sum = s->sum + value, part = sum - s->sum;
    if (isfinite(sum))
        s->rest += (s->sum - (sum - part)) + (value - part);
    s->sum = sum;
}

DEMI_GUARDED guarded_world_energies_get(const dem_world *world, dem_world_energies *energies)
{
    if (energies == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "energies: must not be NULL");
    dem_world_energies out = {
        .struct_size = sizeof out,
        .elastic = world->totals.elastic,
        .dissipated_normal = world->totals.dissipated_normal,
        .dissipated_dashpot = world->totals.dissipated_dashpot,
        .dissipated_slip = world->totals.dissipated_slip,
        .dissipated_rolling = world->totals.dissipated_rolling,
        .work_external = world->work_external,
        .work_boundary = world->work_boundary,
        .work_fluid = world->work_fluid,
        .dissipated_drag = world->dissipated_drag,
    };
    long_sum translation = {0.0, 0.0}, rotation = translation, potential = translation;
    demi_hook_exchange(world); /* of what brings late velocities to the time of positions */
    for (uint64_t row = 0; row < world->rows; ++row) {
        const demi_body *body = &world->body.data[row];
        if (body->id == 0 || !demi_kinds[body->kind].counted)
            continue;
        double v[3], s[3];
        demi_velocities_now(world, row, v, s);
        const double r = world->current.position.data[row][3],
                     mass = world->particle.read[row].mass;
        const double added = demi_added_mass_written_of(world, row);
        long_add(&translation, 0.5 * (mass + added) * demi_dot(v, v));
        long_add(&rotation, 0.5 * (0.4 * mass * r * r) * demi_dot(s, s));
        for (int c = 0; c < 3; ++c)
            long_add(&potential,
                     -(mass * world->config.gravity[c] * demi_row_unwrapped(world, row, c)));
    }
    for (uint64_t k = 0; k < world->rigids; ++k) {
        double energy[3];
        const demi_rigid *rigid = &world->rigid.read[k];
        if (rigid->mobility != DEM_MOBILITY_FREE || rigid->id == 0 || rigid->ghost)
            continue;
        demi_rigid_energies(world, k, &energy[0], &energy[1], &energy[2]);
        long_add(&translation, energy[0]);
        long_add(&rotation, energy[1]);
        long_add(&potential, energy[2]);
    }
    demi_hook_exchange(world);
    out.kinetic_translation = translation.sum + translation.rest;
    out.kinetic_rotation = rotation.sum + rotation.rest;
    out.potential = potential.sum + potential.rest;
    const uint64_t size = energies->struct_size;
    if (demi_sized_write(energies, size, &out) != DEM_OK)
        return demi_sized_fail_output(world->self, "dem_world_energies", size);
    return DEM_OK;
}

dem_status dem_world_energies_get(const dem_world *world, dem_world_energies *energies)
{
    DEMI_READ(world, guarded_world_energies_get(world, energies));
}

DEMI_GUARDED guarded_world_counts_get(const dem_world *world, dem_world_counts *counts)
{
    if (counts == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "counts: must not be NULL");
    dem_world_counts out = {
        .struct_size = sizeof out,
        .particles = world->particles,
        .ghosts = world->ghosts.count,
        .contacts = world->totals.contacts,
        .candidates = world->list.pairs,
        .chunks = world->list.chunks,
        .steps = world->steps,
        .rebuilds = world->rebuilds,
        .bytes = world->context.bytes + demi_meshes_bytes(world),
    };
    for (uint64_t k = 0; k < world->walls; ++k)
        out.walls += world->wall.data[k].id != 0;
    const uint64_t size = counts->struct_size;
    if (demi_sized_write(counts, size, &out) != DEM_OK)
        return demi_sized_fail_output(world->self, "dem_world_counts", size);
    return DEM_OK;
}

dem_status dem_world_counts_get(const dem_world *world, dem_world_counts *counts)
{
    DEMI_READ(world, guarded_world_counts_get(world, counts));
}

static uint64_t mix(uint64_t hash, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
    return hash ^ (hash >> 31);
}

DEMI_GUARDED guarded_world_hash(const dem_world *world, uint64_t *hash)
{
    if (hash == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "hash: must not be NULL");
    uint64_t sum = mix(0xCBF29CE484222325u, world->time);
    for (uint64_t row = 0; row < world->rows; ++row) {
        const demi_body *body = &world->body.data[row];
        if (body->id == 0 || demi_kinds[body->kind].ghost)
            continue;
        uint64_t own = body->id * 0xD6E8FEB86659FD93u;
        for (int c = 0; c < 3; ++c) {
            own = mix(own, demi_row_unwrapped(world, row, c));
            own = mix(own, world->current.velocity.data[row].velocity[c]);
            own = mix(own, world->current.velocity.data[row].angular_velocity[c]);
        }
        /* a sum does not depend on the order of rows */
        sum += own;
    }
    *hash = sum;
    return DEM_OK;
}

dem_status dem_world_hash(const dem_world *world, uint64_t *hash)
{
    DEMI_READ(world, guarded_world_hash(world, hash));
}

DEMI_GUARDED guarded_world_view(dem_world *world, int32_t field, dem_view *view)
{
    demi_context *context = &world->context;
    if (view == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "view: must not be NULL");
    const dem_status known = demi_field_known(context, field);
    if (known != DEM_OK)
        return known;
    const uint64_t size = view->struct_size;
    dem_view out;
    memset(&out, 0, sizeof out);
    if (demi_sized_check_output(view) != DEM_OK)
        return demi_sized_fail_output(context, "dem_view", size);
    const demi_field *of = &demi_fields[field];
    const dem_status status =
        demi_hook_runs(context) ? demi_field_in_hook(world, of) : demi_field_reserve(world, of);
    if (status != DEM_OK)
        return status;
    if (world->rows > 0) {
        out.data = demi_field_first(world, of);
        out.id = demi_shown_ids(world);
        out.index = &world->particle.read[0].handle;
    }
    if ((of->traits & DEMI_FIELD_MOTION) != 0) {
        world->motion_viewed = 1;
        if (!demi_hook_runs(context))
            demi_motion_keep(world);
    }
    out.stride = demi_field_stride(world, of) * sizeof(double);
    out.index_stride = sizeof(demi_particle);
    out.index_count = world->handles;
    out.count = world->rows;
    out.generation = world->generation;
    return demi_sized_write(view, size, &out);
}

dem_status dem_world_view(dem_world *world, int32_t field, dem_view *view)
{
    DEMI_SET_OR_HOOK(world, guarded_world_view(world, field, view));
}

int32_t dem_world_view_stale(const dem_world *world, const dem_view *view)
{
    return world == NULL || view == NULL || view->generation != world->generation;
}
