/* SPDX-License-Identifier: MIT */
/* Steps in place, see in_place.h. */
#include "world/in_place.h"

#include "base/check.h"
#include "world/events.h"
#include "world/hook.h"

#include <string.h>

/* Calls of fewer steps have none in place; so many are, before one beside them. */
enum { IN_PLACE_LEAST = 8, IN_PLACE_MOST = 64 };

/* Whether walls stand still and nobody asks what acts on them within a step. */
static int walls_rest(const dem_world *w)
{
    if (w->walls_turning + w->walls_seeking + w->walls_deforming + w->walls_tracked > 0)
        return 0;
    for (uint64_t k = 0; k < w->walls_active; ++k)
        if (demi_any3(w->current.solid.read[w->wall_active.read[k]].velocity))
            return 0;
    return 1;
}

/* What steps change beside arrays. */
static demi_progress progress_of(const dem_world *w)
{
    const demi_progress progress = {
        w->time,          w->list_age,      w->steps,      w->generation,      w->totals,
        w->work_external, w->work_boundary, w->work_fluid, w->dissipated_drag, w->velocity_lag};
    return progress;
}

static void progress_set(dem_world *w, const demi_progress *progress)
{
    w->time = progress->time;
    w->list_age = progress->list_age;
    w->steps = progress->steps;
    w->generation = progress->generation;
    w->totals = progress->totals;
    w->work_external = progress->work_external;
    w->work_boundary = progress->work_boundary;
    w->work_fluid = progress->work_fluid;
    w->dissipated_drag = progress->dissipated_drag;
    w->velocity_lag = progress->velocity_lag;
}

/* Whether dashpots see velocities of the beginning of a step beside those of its half. With a fluid
 * what they see has an array of its own. */
static int velocities_apart(const dem_world *w)
{
    return w->scheme->kinematics == DEM_KINEMATICS_SYNCHRONIZED && w->fluid.read == NULL;
}

/* Whether drag is all that a fluid does: what it gives added masses is known at the end of a step
 * alone. */
static int drag_alone(const dem_world *w)
{
    return w->fluid.read != NULL && !w->mass_added;
}

/* The arrays that are made in place; velocities: with them. */
static void arrays_set(demi_state *to, const demi_state *from, int velocities)
{
    to->position = from->position;
    to->force_torque.buffer = from->force_torque.buffer;
    to->touching.buffer = from->touching.buffer;
    to->contact_state.buffer = from->contact_state.buffer;
    if (velocities)
        to->velocity.buffer = from->velocity.buffer;
}

/* Room for copies of impulses that are summed, and of the forces on walls that they begin with. */
static dem_status copies_reserve(dem_world *w)
{
    demi_in_place *in_place = &w->in_place;
    static const char what[] = "steps";
    if (w->contact_impulse.read == NULL)
        return DEM_OK;
    dem_status status = demi_array_reserve(&w->context, &in_place->wall_force, w->walls, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &in_place->wall_impulse, w->walls, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &in_place->drag_impulse, w->rows, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &in_place->contact_impulse, w->rows, 0, what);
    return status;
}

/* Copies them to what is kept, or back. */
static void copies_make(dem_world *w, int back)
{
    demi_in_place *in_place = &w->in_place;
    struct {
        void *now, *kept;
        uint64_t bytes;
    } const copies[] = {
        {w->current.wall_force.data, in_place->wall_force.data, w->walls * sizeof(demi_wall_force)},
        {w->drag_impulse.data, in_place->drag_impulse.data, w->rows * sizeof(demi_impulse)},
        {w->contact_impulse.data, in_place->contact_impulse.data, w->rows * sizeof(demi_impulse)},
        {w->wall_impulse.data, in_place->wall_impulse.data, w->walls * sizeof(demi_wall_force)}};
    for (size_t k = 0; w->contact_impulse.read != NULL && k < sizeof copies / sizeof *copies; ++k)
        if (copies[k].bytes > 0)
            memcpy(back ? copies[k].now : copies[k].kept, back ? copies[k].kept : copies[k].now,
                   (size_t)copies[k].bytes);
}

dem_status demi_in_place_begin(dem_world *w, uint64_t steps)
{
    demi_in_place *in_place = &w->in_place;
    /* what has arrays of its own, or is told of each step; laws of the host may count their calls
     */
    const int alone = w->rigids == 0 && w->models.films == 0 && w->models.law_count == 0 &&
                      w->mesh_room == 0 && (!demi_coupled(w) || drag_alone(w)) && !demi_hooked(w) &&
                      !demi_is_domain(w) && !demi_events_wanted(w);
    in_place->may = alone && steps >= IN_PLACE_LEAST && walls_rest(w);
    in_place->looked = in_place->widen = 0;
    in_place->steps = in_place->careful = 0;
    in_place->ahead = 0;
    const dem_status status = in_place->may ? copies_reserve(w) : DEM_OK;
    if (status != DEM_OK || !in_place->may || !velocities_apart(w))
        return status;
    /* as large as the array whose place it takes, and no larger: or the two would grow in turns */
    const uint64_t size = w->current.velocity.buffer.size;
    if (in_place->velocity.buffer.size < size)
        demi_array_free(&w->context, &in_place->velocity);
    return demi_buffer_reserve_closely(&w->context, &in_place->velocity.buffer, size, 0, "steps");
}

void demi_in_place_look(dem_world *w)
{
    if (w->in_place.looked)
        return;
    w->in_place.looked = 1;
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        w->in_place.may &= !w->chunk_result.read[k].driven;
}

/* From now on steps are made where the one that is being made stands. */
static void steps_join(dem_world *w, uint64_t left)
{
    demi_in_place *in_place = &w->in_place;
    in_place->progress = progress_of(w);
    in_place->left = left + 1;
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        w->chunk_result.data[k].bound_kept = w->list.chunk.read[k].displacement_bound;
    copies_make(w, 0);
    in_place->kept = w->current;
    arrays_set(&w->current, &w->next, !velocities_apart(w));
    if (velocities_apart(w))
        demi_buffer_exchange(&w->current.velocity.buffer, &in_place->velocity.buffer);
    in_place->on = 1;
}

/* What is kept makes room for `state`. */
static void steps_part(dem_world *w, demi_state *state)
{
    demi_in_place *in_place = &w->in_place;
    arrays_set(state, &in_place->kept, !velocities_apart(w));
    in_place->on = 0;
    in_place->steps = 0;
}

/* Whether the contacts of the step that is being made may soon lack room. */
static int rooms_narrow(const dem_world *w)
{
    uint64_t k = 0;
    while (k < w->list.chunks && !w->chunk_result.read[k].narrow)
        ++k;
    return k < w->list.chunks;
}

/* Whether the next step, which the end of this one begins, is to be in place. */
static int step_joins(dem_world *w, double dt)
{
    demi_in_place *in_place = &w->in_place;
    if (!in_place->may || !in_place->looked || in_place->steps == IN_PLACE_MOST)
        return 0;
    if (in_place->careful > 0) {
        --in_place->careful;
        return 0;
    }
    in_place->widen = rooms_narrow(w);
    return !in_place->widen && w->list.pairs > 0 && !demi_list_nearly_expired(w, dt);
}

void demi_in_place_choose(dem_world *w, double dt, uint64_t left)
{
    demi_in_place *in_place = &w->in_place;
    const int joins = step_joins(w, dt);
    if (in_place->on && !joins)
        steps_part(w, &w->current); /* where the next step is made */
    else if (!in_place->on && joins)
        steps_join(w, left);
    in_place->steps += (uint64_t)in_place->on;
}

uint64_t demi_in_place_return(dem_world *w)
{
    demi_in_place *in_place = &w->in_place;
    if (!in_place->on)
        return 0;
    if (velocities_apart(w)) /* the third array again */
        demi_buffer_exchange(&w->current.velocity.buffer, &in_place->velocity.buffer);
    in_place->careful = in_place->steps + 1;
    in_place->ahead = 0;
    steps_part(w, &w->current);
    progress_set(w, &in_place->progress);
    copies_make(w, 1);
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        w->list.chunk.data[k].displacement_bound = w->chunk_result.read[k].bound_kept;
    return in_place->left;
}

void demi_in_place_end(dem_world *w)
{
    w->in_place.ahead = 0;
    if (w->in_place.on)
        steps_part(w, &w->next);
}

void demi_in_place_free(dem_world *w)
{
    demi_in_place *in_place = &w->in_place;
    demi_array_free(&w->context, &in_place->velocity);
    demi_array_free(&w->context, &in_place->wall_force);
    demi_array_free(&w->context, &in_place->wall_impulse);
    demi_array_free(&w->context, &in_place->drag_impulse);
    demi_array_free(&w->context, &in_place->contact_impulse);
}
