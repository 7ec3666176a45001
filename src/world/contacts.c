/* SPDX-License-Identifier: MIT */
/* Contact forces of a world: all chunks, then what they report. */
#include "base/parallel.h"
#include "shapes/slots.h"
#include "world/facets.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

DEMI_COPIES(demi_chunk_function, demi_chunk_contacts);

static void contacts_chunk(void *argument, uint64_t k)
{
    const demi_chunk_call *call = argument;
    demi_chunk_contacts[call->w->models.isa](call, k);
}

dem_status demi_contact_failed(const dem_world *w, const demi_chunk_result *result,
                               const char *when)
{
    if (result->status == DEM_ERROR_CALLBACK)
        return demi_fail(w->self, result->status, "law \"%.60s\": evaluate returned %d (%s) %s",
                         result->what, (int)result->returned, dem_status_string(result->returned),
                         when);
    const demi_ends ends = demi_ends_of(&w->list, result->pair);
    const char *other = ends.wall ? "wall" : "particle";
    uint64_t ids[2] = {w->body.data[ends.own].id,
                       ends.wall ? w->wall.data[ends.other].id : w->body.data[ends.other].id};
    const int own = ends.wall || ends.first ? 0 : 1;
    const unsigned long long first = (unsigned long long)ids[own];
    const unsigned long long second = (unsigned long long)ids[1 - own];
    const demi_model *model = demi_models_get(&w->models, w->body.read[ends.own].material,
                                              ends.wall ? w->wall.read[ends.other].material
                                                        : w->body.read[ends.other].material);
    char laws[DEMI_MODEL_TEXT];
    if (result->status == DEM_ERROR_DIVERGED)
        return demi_fail(w->self, result->status,
                         "particle %llu and %s %llu: %s gave a force, torque or energy that is not "
                         "finite, or beyond %g, %s",
                         first, other, second, demi_model_laws(model, laws), DEMI_FORCE_MOST, when);
    if (result->status == DEM_ERROR_RANGE && result->what != NULL)
        return demi_fail(
            w->self, result->status,
            "particle %llu and %s %llu: a torque about the wall's centre of size %g "
            "N m %s exceeds %g times the range %g N m of exact sums: make a world with "
            "a larger dem_world_config.torque_range",
            first, other, second, result->value, when, DEMI_EXACT_ARMS, w->exact.sums.torque.most);
    if (result->status == DEM_ERROR_RANGE)
        return demi_fail(w->self, result->status,
                         "particle %llu and %s %llu: a force or torque of size %g %s exceeds the "
                         "ranges %g N, %g N m of exact sums: make a world with larger "
                         "dem_world_config.force_range and torque_range",
                         first, other, second, result->value, when, w->exact.sums.force.most,
                         w->exact.sums.torque.most);
    const double radius = w->current.position.data[ends.own][3];
    return demi_fail(w->self, result->status,
                     "particle %llu and %s %llu: overlap %g m exceeds overlap_limit %g times the "
                     "smaller radius %s: %s",
                     first, other, second, result->value, w->config.overlap_limit, when,
                     ends.wall && !w->body.read[ends.own].faceted && result->value > radius
                         ? "its centre is behind the wall's surface, see dem_wall.normal and side"
                         : "place them apart, take a smaller dt (dem_world_timestep_advise) or a "
                           "stiffer model");
}

static dem_status contacts_failed(const dem_world *w, const demi_chunk_result *result)
{
    char when[40];
    (void)snprintf(when, sizeof when, "at step %llu", (unsigned long long)w->steps + 1);
    return demi_contact_failed(w, result, when);
}

/* The same from exact sums, which have no order. */
static void contacts_walls_exact(dem_world *w)
{
    const uint32_t *source = w->list.source.data;
    const demi_chunk *chunks = w->list.chunk.data;
    demi_exact_wall *sums = w->exact.wall.data;
    for (uint64_t k = 0; k < w->walls_active; ++k)
        memset(&sums[w->wall_active.data[k]], 0, sizeof *sums);
    for (uint64_t k = 0; w->walls_active > 0 && k < w->list.chunks; ++k)
        for (uint64_t h = chunks[k].copies_end; h > chunks[k].copies_begin; --h) {
            if ((source[h - 1] & DEMI_WALL_BIT) == 0)
                break;
            demi_exact_wall_add(&sums[source[h - 1] & ~DEMI_WALL_BIT], &w->chunk_copy.sums[h - 1]);
        }
    for (uint64_t k = 0; k < w->walls_active; ++k) {
        const uint32_t index = w->wall_active.data[k];
        demi_wall_force *wall = &w->next.wall_force.data[index];
        memset(wall, 0, sizeof *wall);
        demi_exact_wall_value(&w->exact, &sums[index], wall->force, wall->torque);
    }
}

/* Forces on walls, in the order of the chunks. */
static void contacts_walls(dem_world *w)
{
    demi_wall_force *walls = w->next.wall_force.data;
    for (uint64_t k = 0; k < w->walls_active; ++k)
        memset(&walls[w->wall_active.data[k]], 0, sizeof *walls);
    if (w->walls_active == 0)
        return;
    const uint32_t *source = w->list.source.data;
    const demi_force_torque *chunk_copy = w->chunk_copy.data;
    const demi_chunk *chunks = w->list.chunk.data;
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        /* a chunk's walls stand at the end of its chunk copies */
        for (uint64_t h = chunks[k].copies_end; h > chunks[k].copies_begin; --h) {
            if ((source[h - 1] & DEMI_WALL_BIT) == 0)
                break;
            demi_wall_force *wall = &walls[source[h - 1] & ~DEMI_WALL_BIT];
            for (int c = 0; c < 3; ++c) {
                wall->force[c] += chunk_copy[h - 1].force[c];
                wall->torque[c] += chunk_copy[h - 1].torque[c];
            }
            wall->stiffness += chunk_copy[h - 1].force[3];
            wall->damping += chunk_copy[h - 1].torque[3];
        }
}

/* Whether a chunk has contacts whose states found no room. */
static int contacts_full(const dem_world *w)
{
    uint64_t k = 0;
    while (k < w->list.chunks && !w->chunk_result.read[k].full)
        ++k;
    return k < w->list.chunks;
}

/* The first chunk that failed, or the number of chunks. */
static uint64_t contacts_first_failed(const dem_world *w)
{
    uint64_t k = 0;
    while (k < w->list.chunks && w->chunk_result.read[k].status == DEM_OK)
        ++k;
    return k;
}

/* More room where polyhedra cross in more facets than there is room for; where a sphere is near
 * more facets of a mesh than there is room for, or touches it at more places than the list has
 * slots; then slots_wanted says so. Tells whether that is why the chunk failed. */
static int contacts_meshes(dem_world *w, const demi_chunk_result *result, dem_status *status)
{
    if (result->faceted == DEMI_FACETED_ROOM) {
        *status = demi_polyhedra_reserve(w, result->crossings);
        return *status == DEM_OK;
    }
    if (result->faceted != DEMI_FACETED_FOUND) {
        *status = demi_polyhedra_failed(w, result);
        return 0;
    }
    if (result->facets > w->mesh_room) {
        *status = demi_mesh_points_reserve(w, result->facets + result->facets / 4);
        return *status == DEM_OK;
    }
    if (result->slots == 0)
        return 0;
    const demi_ends ends = demi_ends_of(&w->list, result->pair);
    *status = DEM_ERROR_RANGE;
    if (result->slots <= DEMI_SLOTS_MOST) {
        w->slots_wall = ends.wall ? ends.other : DEMI_SLOTS_BODIES;
        w->slots_wanted = result->slots;
        return 0;
    }
    if (!ends.wall)
        *status =
            demi_fail(&w->context, DEM_ERROR_RANGE,
                      "particles %llu and %llu, a sphere and a polyhedron that is not convex, "
                      "touch at more than %d places: make the polyhedron of several parts",
                      (unsigned long long)w->body.data[ends.own].id,
                      (unsigned long long)w->body.data[ends.other].id, DEMI_SLOTS_MOST);
    else
        *status =
            demi_fail(&w->context, DEM_ERROR_RANGE,
                      "particle %llu touches wall %llu, a mesh, at more than %d places: take a "
                      "smaller dem_wall.mesh_cosine",
                      (unsigned long long)w->body.data[ends.own].id,
                      (unsigned long long)w->wall.data[ends.other].id, DEMI_SLOTS_MOST);
    return 0;
}

dem_status demi_contacts_evaluate(dem_world *w, demi_step step, demi_totals *totals)
{
    demi_chunk_call call = {w, step, demi_kick_again(w, step.dt)};
    const demi_chunk_result *result = w->chunk_result.data;
    w->slots_wanted = 0;
    if (w->mesh_room > 0) {
        const dem_status status = demi_mesh_points_reserve(w, w->mesh_room);
        if (status != DEM_OK)
            return status;
    }
    if (w->polyhedra.parts > 0) {
        dem_status status = demi_polyhedra_reserve(w, 0);
        if (status == DEM_OK && w->walls_tracked > 0)
            status = demi_facet_shares_reserve(w, UINT64_MAX);
        if (status != DEM_OK)
            return status;
    }
    if (w->in_place.widen && !w->in_place.on) {
        w->in_place.widen = 0;
        const dem_status status = demi_contacts_widen(w, 1);
        if (status != DEM_OK)
            return status;
    }
    for (;;) {
        demi_parallel(&w->config.executor, contacts_chunk, &call, w->list.chunks);
        dem_status status = DEM_OK;
        if (contacts_full(w)) {
            if (w->in_place.on) /* old states are lost */
                return DEM_ERROR_STATE;
            status = demi_contacts_widen(w, 0);
            if (status != DEM_OK)
                return status;
            continue;
        }
        const uint64_t k = contacts_first_failed(w);
        if (k == w->list.chunks)
            break;
        if (!contacts_meshes(w, &result[k], &status))
            return status != DEM_OK ? status : contacts_failed(w, &result[k]);
    }
    memset(totals, 0, sizeof *totals);
    for (uint64_t k = 0; k < w->list.chunks; ++k) {
        totals->contacts += result[k].totals.contacts;
        totals->elastic += result[k].totals.elastic;
        totals->dissipated_normal += result[k].totals.dissipated_normal;
        totals->dissipated_dashpot += result[k].totals.dissipated_dashpot;
        totals->dissipated_slip += result[k].totals.dissipated_slip;
        totals->dissipated_rolling += result[k].totals.dissipated_rolling;
    }
    if (w->exact.sums.exact)
        contacts_walls_exact(w);
    else
        contacts_walls(w);
    return DEM_OK;
}
