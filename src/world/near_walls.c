/* SPDX-License-Identifier: MIT */
/* Whether a particle may have come to a wall that it is not listed with.
 *
 * Walls that are not near a chunk have more than the list's margin to spare: while a chunk keeps
 * within the margin, which demi_bounds_exceeded sees to, only the wall's own displacement can bring
 * them together. */
#include "world/drift.h"

#include "base/check.h"

/* Way of a wall since the list was built, in the step that is being made. */
static void wall_moved(const dem_world *w, uint64_t index, double moved[3])
{
    for (int c = 0; c < 3; ++c)
        moved[c] = w->next.solid.read[index].point[c] - w->solid_built.read[index].point[c];
}

/* Whether a particle of the chunk may have come to a wall that it is not listed with. */
static int wall_expired(const dem_world *w, const demi_chunk *chunk, double bound, uint64_t index,
                        double elapsed)
{
    const demi_wall *wall = &w->wall.read[index];
    const demi_solid *built = &w->solid_built.read[index];
    double displacement[3];
    wall_moved(w, index, displacement);
    for (int c = 0; c < 3; ++c)
        displacement[c] = chunk->mean_velocity[c] * elapsed - displacement[c];
    const double approach = bound + demi_wall_shape(wall)->approach(built, displacement);
    const double spare = demi_wall_spare(wall, built, chunk, w->list.reach);
    return approach > (spare > w->list.skin ? spare : w->list.skin);
}

double demi_walls_moved(const dem_world *w)
{
    double most = 0.0;
    for (uint64_t n = 0; n < w->walls_active; ++n) {
        double moved[3];
        wall_moved(w, w->wall_active.data[n], moved);
        const double length = sqrt(demi_dot(moved, moved));
        most = length > most ? length : most;
    }
    return most;
}

int demi_near_walls_expired(const dem_world *w, uint64_t k, double bound, double elapsed,
                            double moved)
{
    const demi_chunk *chunk = &w->list.chunk.data[k];
    /* a wall may be met that is approached by more than the skin */
    if (bound + sqrt(demi_dot(chunk->mean_velocity, chunk->mean_velocity)) * elapsed + moved <=
        w->list.skin * (1.0 - 1e-9))
        return 0;
    for (uint64_t n = chunk->near_walls_begin; n < chunk->near_walls_end; ++n) {
        const uint32_t index = w->list.near_wall.data[n];
        if (w->wall.data[index].id != 0 && wall_expired(w, chunk, bound, index, elapsed))
            return 1;
    }
    return 0;
}

int demi_far_walls_expired(const dem_world *w, double elapsed)
{
    for (uint64_t n = 0; n < w->walls_active; ++n) {
        const uint32_t m = w->wall_active.data[n];
        const demi_wall *wall = &w->wall.data[m];
        double moved[3];
        wall_moved(w, m, moved);
        for (int c = 0; c < 3; ++c)
            moved[c] = -moved[c];
        if (wall->id == 0 ||
            w->list.margin + demi_wall_shape(wall)->approach(&w->solid_built.read[m], moved) <=
                w->list.wall_spare.data[m])
            continue;
        for (uint64_t k = 0; k < w->list.chunks; ++k)
            if (wall_expired(w, &w->list.chunk.data[k], w->chunk_result.data[k].displacement_bound,
                             m, elapsed))
                return 1;
    }
    return 0;
}
