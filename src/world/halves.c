/* SPDX-License-Identifier: MIT */
/* A step in two halves: worlds that are domains of one system exchange forces in between. */
#include "base/entry.h"
#include "base/check.h"
#include "world/ghost_told.h"
#include "world/hook.h"
#include "world/wall_total.h"
#include "world/world.h"

#include <dem/distribution.h>

static demi_step step_of(const dem_world *w)
{
    const demi_step step = {.dt = w->ghosts.dt, .evaluate_only = w->ghosts.dt == 0.0};
    return step;
}

/* What a step that was begun, or could not be, leaves behind. */
static void step_undo(dem_world *w, int hooked)
{
    if (hooked)
        demi_hook_undo(w);
    if (w->rigids > 0)
        demi_rigids_restore(w);
    w->event_count = 0;
}

/* Whether a step can begin with the forces that are known. Where no particle is owned there are
 * none. */
static dem_status forces_check(dem_world *w, double dt)
{
    if (!(dt > 0.0) || !w->forces_stale || w->particles == 0)
        return DEM_OK;
    return demi_fail(&w->context, DEM_ERROR_STATE,
                     "dem_step_begin: forces must be evaluated before this step, in all "
                     "worlds: make both halves with a dt of 0 first");
}

static dem_status begin_check(dem_world *w, double dt)
{
    if (!demi_not_negative(dt))
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "dem_step_begin dt: %g must be finite and >= 0 s", dt);
    dem_status status = demi_step_time_check(w, dt, 1);
    if (status == DEM_OK && w->ghosts.count > 0)
        status = demi_ghosts_check(w);
    if (status == DEM_OK)
        status = demi_ghost_fields_check(w, "dem_step_begin");
    if (status == DEM_OK)
        status = forces_check(w, dt);
    if (status == DEM_OK)
        status = demi_steps_check(w, dt, dt > 0.0);
    if (status == DEM_OK) /* what the host wrote may ask for them */
        status = forces_check(w, dt);
    if (status == DEM_OK && dt > 0.0 && demi_is_domain(w))
        status = demi_wall_totals_check(w);
    return status;
}

/* Whether no pair can touch that lacks its ghost. */
static dem_status margin_check(dem_world *w, double displacement)
{
    const demi_ghosts *ghosts = &w->ghosts;
    const int particles = demi_ghosts_last(w, displacement),
              bodies = demi_ghost_bodies_last(w, displacement);
    const char *call = particles ? "dem_ghost_bodies_set" : "dem_ghosts_set";
    const double moved = particles ? ghosts->body_moved : ghosts->moved,
                 margin = particles ? ghosts->body_margin : ghosts->margin;
    if (particles && bodies)
        return DEM_OK;
    if (!isfinite(moved))
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "dem_step_begin: ghosts must be set first, after a restore, a release, an "
                         "addition, or a position or velocity that was set: call %s in all worlds",
                         call);
    return demi_fail(&w->context, DEM_ERROR_STATE,
                     "dem_step_begin: bodies may have approached each other by %g m since ghosts "
                     "were set, more than the margin of %g m: call %s in all worlds "
                     "when dem_ghosts_wanted asks for it, which expects a step as long as the last "
                     "one, or with a larger margin",
                     moved + displacement, margin, call);
}

DEMI_GUARDED guarded_step_begin(dem_world *world, double dt)
{
    double displacement = 0.0;
    dem_status status = begin_check(world, dt);
    if (status != DEM_OK)
        return status;
    world->ghosts.dt = dt;
    status = demi_step_to_forces(world, step_of(world), &displacement);
    const int hooked = status == DEM_OK && demi_hooked(world) && dt > 0.0;
    if (status == DEM_OK)
        status = margin_check(world, displacement);
    if (status != DEM_OK) {
        step_undo(world, hooked);
        return status;
    }
    demi_forces_sum(world);
    if (world->rigids > 0) /* rows of parts have what the step lent them */
        demi_rigids_restore(world);
    world->ghosts.list_ended = world->ghosts.list_ends;
    world->ghosts.list_ends = world->ghosts.margin + world->ghosts.body_margin > 0.0 && dt > 0.0 &&
                              demi_list_ends(world, dt);
    world->ghosts.halves++;
    world->ghosts.told = world->ghosts.bodies_told = 0;
    world->ghosts.moved_ahead = displacement;
    world->context.halfway = 1;
    return DEM_OK;
}

dem_status dem_step_begin(dem_world *world, double dt)
{
    DEMI_STEP(world, guarded_step_begin(world, dt));
}

static dem_status halfway_check(dem_world *w, const char *function)
{
    if (w->context.halfway)
        return DEM_OK;
    return demi_fail(&w->context, DEM_ERROR_STATE,
                     "%s: no step has begun: call dem_step_begin first", function);
}

/* Whether all ghosts have their forces. */
static dem_status told_check(dem_world *w)
{
    const demi_ghosts *ghosts = &w->ghosts;
    const uint64_t particles = ghosts->count - ghosts->parts;
    uint64_t row = 0;
    if (ghosts->bodies_told < ghosts->bodies)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "dem_step_end: %llu of %llu ghosts that are bodies have no load in this "
                         "step: call dem_ghost_bodies_loads_set, or dem_step_cancel",
                         (unsigned long long)(ghosts->bodies - ghosts->bodies_told),
                         (unsigned long long)ghosts->bodies);
    if (ghosts->told == particles)
        return DEM_OK;
    while (w->body.read[row].id == 0 || !demi_kinds[w->body.read[row].kind].ghost ||
           w->body.read[row].rigid != 0 ||
           ghosts->told_in.read[w->particle.read[row].handle] == ghosts->halves)
        ++row;
    return demi_fail(&w->context, DEM_ERROR_STATE,
                     "dem_step_end: %llu of %llu ghosts, such as the one with id %llu, have no "
                     "force in this step: call dem_ghosts_forces_set, or dem_step_cancel",
                     (unsigned long long)(particles - ghosts->told), (unsigned long long)particles,
                     (unsigned long long)w->body.read[row].id);
}

DEMI_GUARDED guarded_step_end(dem_world *world)
{
    dem_status status = halfway_check(world, "dem_step_end");
    if (status == DEM_OK)
        status = told_check(world);
    if (status == DEM_OK)
        status = demi_ghost_fields_check(world, "dem_step_end");
    if (status != DEM_OK)
        return status;
    const demi_step step = step_of(world);
    demi_step_finish(world, step);
    demi_wall_totals_turn(world, 1);
    world->context.halfway = 0;
    world->ghosts.moved += world->ghosts.moved_ahead;
    world->ghosts.body_moved += world->ghosts.moved_ahead;
    if (!step.evaluate_only) /* an evaluation does not tell how far the next step goes */
        world->ghosts.moved_last = world->ghosts.moved_ahead;
    else
        world->forces_stale = 0;
    demi_overlaps_watch(world);
    return DEM_OK;
}

dem_status dem_step_end(dem_world *world)
{
    DEMI_STEP_HALFWAY(world, guarded_step_end(world));
}

DEMI_GUARDED guarded_step_cancel(dem_world *world)
{
    const dem_status status = halfway_check(world, "dem_step_cancel");
    if (status != DEM_OK)
        return status;
    step_undo(world, demi_hooked(world) && world->ghosts.dt > 0.0);
    demi_wall_totals_turn(world, 0);
    world->ghosts.list_ends = world->ghosts.list_ended;
    world->context.halfway = 0;
    return DEM_OK;
}

dem_status dem_step_cancel(dem_world *world)
{
    DEMI_SET_HALFWAY(world, guarded_step_cancel(world));
}

int32_t dem_world_rebuild_wanted(const dem_world *world)
{
    return world != NULL && world->ghosts.list_ends && !world->list_stale;
}

DEMI_GUARDED guarded_rebuild_order(dem_world *world)
{
    world->list_stale = 1;
    return DEM_OK;
}

dem_status dem_world_rebuild_order(dem_world *world)
{
    DEMI_SET(world, guarded_rebuild_order(world));
}
