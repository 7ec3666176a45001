/* SPDX-License-Identifier: MIT */
/* Whether a particle may have come to a wall that it is not listed with.
 *
 * Walls that are not near a chunk have more than the list's margin to spare: while a chunk keeps
 * within the margin, which demi_bounds_exceeded sees to, only the wall's own displacement can bring
 * them together. */
#include "world/displacement.h"

#include "base/check.h"

/* Way of a wall since the list was built, in the step that is being made. */
static void wall_moved(const dem_world *w, uint64_t index, double moved[3])
{
    for (int c = 0; c < 3; ++c)
        moved[c] = w->next.solid.read[index].point[c] - w->solid_built.read[index].point[c];
}

/* By how much its directions changed since then. */
static double wall_turned(const dem_world *w, uint64_t index)
{
    const demi_solid *next = &w->next.solid.read[index];
    if (w->wall_turning.read == NULL)
        return 0.0; /* no wall ever turned */
    return demi_shape_turned(demi_wall_shape(&w->wall.read[index]), &w->solid_built.read[index],
                             next);
}

/* Whether it matters that particles of the chunk may have approached a wall by so much: by more
 * than the skin, and by more than there was to spare, which takes longer to find. */
static int approach_matters(const dem_world *w, const demi_chunk *chunk, uint64_t index,
                            double approach)
{
    return !(approach <= w->list.skin) &&
           !(approach <= demi_wall_spare(&w->wall.read[index], &w->solid_built.read[index], chunk,
                                         w->list.reach));
}

/* The middle of the box that a chunk's centres had, and half of its diagonal. */
static double chunk_middle(const demi_chunk *chunk, double middle[3])
{
    double half[3];
    for (int c = 0; c < 3; ++c) {
        middle[c] = 0.5 * (chunk->low[c] + chunk->high[c]);
        half[c] = 0.5 * (chunk->high[c] - chunk->low[c]);
    }
    return sqrt(demi_dot(half, half));
}

/* wall_expired of a wall that turned: the middle of the chunk as the wall sees it, and how much
 * more it may be for what is around there; or, if that is less, how far its surface went. */
static int turned_expired(const dem_world *w, const demi_chunk *chunk, double bound, uint64_t index,
                          double elapsed)
{
    const demi_shape *shape = demi_wall_shape(&w->wall.read[index]);
    const demi_solid *built = &w->solid_built.read[index], *next = &w->next.solid.read[index];
    double from[3], to[3], drift[3], moved[3];
    const double around = chunk_middle(chunk, from), turned = demi_shape_turned(shape, built, next);
    wall_moved(w, index, moved);
    for (int c = 0; c < 3; ++c) {
        drift[c] = chunk->mean_velocity[c] * elapsed;
        to[c] = from[c] + chunk->mean_velocity[c] * elapsed - next->point[c];
        from[c] -= built->point[c];
    }
    const double seen = demi_shape_turned_approach(shape, built, next, from, to) + turned * around,
                 went = sqrt(demi_dot(drift, drift)) + sqrt(demi_dot(moved, moved)) +
                        turned * shape->extent(built);
    return approach_matters(w, chunk, index, bound + (went < seen ? went : seen));
}

double demi_wall_turn_motion(const dem_world *w, uint64_t index, double dt)
{
    const demi_solid *before = &w->current.solid.read[index], *next = &w->next.solid.read[index];
    const double elapsed = w->list_age + dt;
    const demi_shape *shape = demi_wall_shape(&w->wall.read[index]);
    double lever = 0.0, arm[3];
    for (int c = 0; c < 3; ++c)
        arm[c] = next->point[c] - next->centre[c];
    /* a drum that turns about its axis stays where it is */
    if (!demi_any3(arm) && demi_shape_turned(shape, before, next) == 0.0)
        return 0.0;
    for (uint64_t k = 0; k < w->list.chunks; ++k) {
        const demi_chunk *chunk = &w->list.chunk.data[k];
        double middle[3];
        const double around = chunk_middle(chunk, middle);
        for (int c = 0; c < 3; ++c)
            middle[c] += chunk->mean_velocity[c] * elapsed - next->centre[c];
        const double far = sqrt(demi_dot(middle, middle)) + around + chunk->largest +
                           w->chunk_result.data[k].displacement_bound;
        lever = far > lever ? far : lever;
    }
    const double reach = sqrt(demi_dot(arm, arm)) + shape->extent(next);
    return fabs(next->rate) * dt * (reach < lever ? reach : lever);
}

/* Whether a particle of the chunk may have come to a wall that it is not listed with. */
static int wall_expired(const dem_world *w, const demi_chunk *chunk, double bound, uint64_t index,
                        double elapsed)
{
    const demi_wall *wall = &w->wall.read[index];
    const demi_solid *built = &w->solid_built.read[index];
    double displacement[3];
    bound += w->next.solid.read[index].deformed;
    if (wall_turned(w, index) > 0.0)
        return turned_expired(w, chunk, bound, index, elapsed);
    wall_moved(w, index, displacement);
    for (int c = 0; c < 3; ++c)
        displacement[c] = chunk->mean_velocity[c] * elapsed - displacement[c];
    return approach_matters(w, chunk, index,
                            bound + demi_wall_shape(wall)->approach(built, displacement));
}

double demi_walls_moved(const dem_world *w)
{
    double most = 0.0;
    for (uint64_t n = 0; n < w->walls_active; ++n) {
        double moved[3];
        if (wall_turned(w, w->wall_active.data[n]) > 0.0)
            return INFINITY;
        wall_moved(w, w->wall_active.data[n], moved);
        const double length =
            sqrt(demi_dot(moved, moved)) + w->next.solid.read[w->wall_active.data[n]].deformed;
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

/* By how much a wall may have come nearer to anything that rests. */
static double wall_came(const dem_world *w, uint64_t index)
{
    const demi_shape *shape = demi_wall_shape(&w->wall.read[index]);
    const demi_solid *built = &w->solid_built.read[index];
    const double turned = wall_turned(w, index);
    double moved[3];
    wall_moved(w, index, moved);
    if (turned > 0.0)
        return sqrt(demi_dot(moved, moved)) + turned * shape->extent(built);
    for (int c = 0; c < 3; ++c)
        moved[c] = -moved[c];
    return shape->approach(built, moved);
}

int demi_far_walls_expired(const dem_world *w, double elapsed)
{
    for (uint64_t n = 0; n < w->walls_active; ++n) {
        const uint32_t m = w->wall_active.data[n];
        if (w->wall.read[m].id == 0 ||
            w->list.margin + wall_came(w, m) + w->next.solid.read[m].deformed <=
                w->list.wall_spare.data[m])
            continue;
        for (uint64_t k = 0; k < w->list.chunks; ++k)
            if (wall_expired(w, &w->list.chunk.data[k], w->chunk_result.data[k].displacement_bound,
                             m, elapsed))
                return 1;
    }
    return 0;
}
