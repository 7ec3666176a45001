/* SPDX-License-Identifier: MIT */
/* When the list must be built again.
 *
 * A chunk moves with the mean velocity v that it had when the list was built. No row is farther
 * from there than the displacement bound of the chunk: the sum of the fastest pace against v in
 * each step, or the measured distance once that sum is too large. Two particles of chunks a and b
 * have then moved against each other by at most
 *
 *     bound(a) + bound(b) + |v(a) - v(b)| time
 *
 * Where this stays below the skin for all chunks near each other, no pair that the list lacks can
 * touch. Chunks farther apart than the widest reach and a margin have that margin to spare. */
#include "base/check.h"
#include "base/parallel.h"
#include "world/displacement.h"

#include <string.h>

int demi_bounds_exceeded(const dem_world *w, double elapsed)
{
    const demi_list *list = &w->list;
    const demi_chunk *chunks = list->chunk.data;
    const demi_chunk_result *result = w->chunk_result.data;
    const double moved = demi_walls_moved(w);
    double most = 0.0, fastest = 0.0;
    for (uint64_t k = 0; k < list->chunks; ++k) {
        const double bound = result[k].displacement_bound,
                     speed = demi_chunks_speed(&chunks[0], &chunks[k]);
        most = bound > most ? bound : most;
        fastest = speed > fastest ? speed : fastest;
        /* positions stay close to the periodic box */
        if (bound + sqrt(demi_dot(chunks[k].mean_velocity, chunks[k].mean_velocity)) * elapsed >
            list->margin)
            return 1;
        if (demi_near_walls_expired(w, k, bound, elapsed, moved))
            return 1;
    }
    if (demi_far_walls_expired(w, elapsed))
        return 1;
    if (2.0 * (most + fastest * elapsed) > w->list.skin + list->margin)
        return 1;
    const demi_neighbour_chunks *near = list->neighbour.data;
    for (uint64_t k = 0; k < list->neighbours; ++k) {
        const double bound =
            result[near[k].a].displacement_bound + result[near[k].b].displacement_bound;
        if (bound + near[k].speed * elapsed > w->list.skin)
            return 1;
    }
    return 0;
}

DEMI_COPIES(demi_phase_function, demi_chunk_bound);

static void bound_chunk(void *argument, uint64_t k)
{
    const demi_phase_call *call = argument;
    demi_chunk_bound[call->w->models.isa](call, k);
}

int demi_list_expired(dem_world *w, double elapsed)
{
    if (!demi_bounds_exceeded(w, elapsed))
        return 0;
    demi_phase_call call = {.w = w, .elapsed = elapsed};
    demi_parallel(&w->config.executor, bound_chunk, &call, w->list.chunks);
    return demi_bounds_exceeded(w, elapsed);
}

/* Whether it is too much after so many further steps in which all chunks keep their pace. */
static int bounds_exceeded_after(dem_world *w, double elapsed, double dt, double steps)
{
    const demi_chunk *chunk = w->list.chunk.data;
    demi_chunk_result *result = w->chunk_result.data;
    for (uint64_t k = 0; k < w->list.chunks; ++k) {
        const double drift = sqrt(demi_dot(chunk[k].mean_velocity, chunk[k].mean_velocity)) * dt,
                     pace = result[k].displacement - drift;
        result[k].bound_before = result[k].displacement_bound;
        result[k].displacement_bound += pace > 0.0 ? pace * steps : 0.0;
    }
    const int exceeded = demi_bounds_exceeded(w, elapsed);
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        result[k].displacement_bound = result[k].bound_before;
    return exceeded;
}

int demi_list_ends(dem_world *w, double dt)
{
    const double elapsed = w->list_age + dt;
    if (!bounds_exceeded_after(w, elapsed + dt, dt, 1.0))
        return 0;
    demi_phase_call call = {.w = w, .elapsed = elapsed};
    demi_parallel(&w->config.executor, bound_chunk, &call, w->list.chunks);
    return bounds_exceeded_after(w, elapsed + dt, dt, 1.0);
}

int demi_list_nearly_expired(dem_world *w, double dt)
{
    return bounds_exceeded_after(w, w->list_age + 2.0 * dt, dt, 1.25);
}
