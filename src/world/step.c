/* SPDX-License-Identifier: MIT */
/* A step, top to bottom. */
#include "base/entry.h"
#include "base/check.h"
#include "world/added_mass.h"
#include "world/events.h"
#include "world/film.h"
#include "world/flight.h"
#include "world/hook.h"
#include "world/in_place.h"
#include "world/motion_written.h"
#include "world/wall_total.h"
#include "world/world.h"

/* Builds the list where pairs that it lacks could touch in the step that has begun, and begins that
 * step again. */
static dem_status step_list(dem_world *w, double dt, double displacement)
{
    if (!demi_list_expired(w, w->list_age + dt))
        return DEM_OK;
    if (w->in_place.on) /* it is built for a complete step */
        return DEM_ERROR_STATE;
    const dem_status status = demi_world_rebuild(w, displacement);
    return status == DEM_OK ? demi_integrate_begin(w, dt, &displacement) : status;
}

/* The forces of a step that has begun, after the host's hook where there is one. */
static dem_status step_forces(dem_world *w, demi_step step)
{
    const int hooked = demi_hooked(w) && !step.evaluate_only;
    dem_status status = hooked ? demi_hook_call(w, step.dt) : DEM_OK;
    if (status != DEM_OK)
        return status;
    status = demi_contacts_evaluate(w, step, &w->made);
    if (status == DEM_OK && demi_events_wanted(w))
        status = demi_events_collect(w, step.evaluate_only);
    if (status != DEM_OK && hooked)
        demi_hook_undo(w);
    return status;
}

/* The same. Where a sphere touches a mesh at more places than the list has slots, the list is built
 * with more of them, and the step begins again, with its hook. */
static dem_status step_contacts(dem_world *w, demi_step step, double displacement)
{
    dem_status status = step_forces(w, step);
    while (status != DEM_OK && w->slots_wanted > 0) {
        const uint64_t wall = w->slots_wall;
        const uint32_t slots = demi_slots_widen(w);
        status = demi_world_rebuild(w, displacement);
        if (status != DEM_OK) /* the list has as many as before */
            demi_slots_set(w, wall, slots);
        if (status == DEM_OK)
            status = demi_integrate_begin(w, step.dt, &displacement);
        if (status == DEM_OK)
            status = step_forces(w, step);
    }
    return status;
}

/* The end of one step and the beginning of the next; bodies have to sum what acts on their parts in
 * between, and films act after the kick of all rows. */
static dem_status step_turn(dem_world *w, double dt, uint64_t left, double *displacement)
{
    if (w->rigids == w->rigids_vacant && !demi_filmed(w)) {
        demi_in_place_choose(w, dt, left);
        const dem_status status = demi_integrate_fused(w, dt, displacement);
        demi_in_place_look(w);
        return status;
    }
    demi_integrate_end(w, dt);
    demi_step_commit(w, (demi_step){.dt = dt});
    return demi_integrate_begin(w, dt, displacement);
}

dem_status demi_step_to_forces(dem_world *w, demi_step step, double *displacement)
{
    dem_status status = w->list_stale ? demi_world_rebuild(w, 0.0) : DEM_OK;
    if (status == DEM_OK)
        status = demi_integrate_begin(w, step.dt, displacement);
    if (status == DEM_OK)
        status = step_list(w, step.dt, *displacement);
    return status == DEM_OK ? step_contacts(w, step, *displacement) : status;
}

/* Works of a step whose forces are known: on walls of which facets are asked for, and of the kick
 * before the host's hook. */
static void step_works(dem_world *w, double dt)
{
    demi_hook_book(w, dt);
    if (w->walls_deforming > 0)
        demi_facets_deform(w, dt);
    if (w->walls_tracked > 0)
        demi_facets_work(w, dt);
}

void demi_step_finish(dem_world *w, demi_step step)
{
    step_works(w, step.dt);
    demi_integrate_kick(w, step.dt);
    demi_step_commit(w, step);
    demi_events_tell(w);
}

/* Kick and drift, contact forces, kick; from the second step on, the two kicks and the
 * drift between two evaluations of the forces are one pass over the rows, unless films act
 * between the kick and the drift. An evaluation alone moves nothing; late velocities
 * catch up. */
static dem_status steps_make(dem_world *w, demi_step step, uint64_t steps)
{
    const double dt = step.dt;
    double displacement;
    dem_status status = demi_in_place_begin(w, steps);
    if (status != DEM_OK)
        return status;
    status = demi_step_to_forces(w, step, &displacement);
    for (;;) {
        if (status != DEM_OK) {
            const uint64_t left = demi_in_place_return(w);
            if (left == 0)
                return status;
            steps = left;
            status = demi_step_to_forces(w, step, &displacement);
            continue;
        }
        step_works(w, dt);
        steps -= demi_flight(w, dt, steps - 1);
        if (--steps == 0) {
            demi_integrate_end(w, dt);
            demi_step_commit(w, step);
            if (step.end != NULL)
                w->time = *step.end;
            demi_in_place_end(w);
            demi_events_tell(w);
            return DEM_OK;
        }
        status = step_turn(w, dt, steps, &displacement);
        demi_events_tell(w);
        if (status == DEM_OK)
            status = step_list(w, dt, displacement);
        if (status == DEM_OK)
            status = step_contacts(w, step, displacement);
    }
}

/* What exact sums ask for: nothing feeds sums in another order back. */
static dem_status exact_check(dem_world *w)
{
    for (uint64_t k = 0; w->walls_needing > 0 && k < w->walls; ++k)
        if (w->wall.read[k].id != 0 && demi_wall_needs(w, k))
            return demi_fail(&w->context, DEM_ERROR_STATE,
                             "wall %llu: dem_wall_servo.gain is 0, and DEM_SUMS_EXACT does not sum "
                             "stiffness: set a gain, m/s for each N",
                             (unsigned long long)w->wall.read[k].id);
    return DEM_OK;
}

/* And positions that were set lie on the grid. */
static void exact_place(dem_world *w)
{
    demi_exact_place(&w->exact, w->current.position.data, w->rows);
    for (uint64_t k = 0; k < w->rigids; ++k)
        demi_exact_place_one(&w->exact, w->current.pose.data[k].position);
}

dem_status demi_steps_check(dem_world *w, double dt, uint64_t steps)
{
    /* without a step an evaluation is what is asked for, which brings late velocities to their time
     */
    w->forces_stale |= steps == 0 && w->motion_written;
    /* a step that begins looks at the host's forces itself */
    const int begins = steps > 0 || demi_motion_stale(w);
    dem_status status =
        demi_written_check(w, begins ? DEMI_TOUCHED_FIRST : (uint32_t)DEMI_TOUCHED_ALL);
    if (status == DEM_OK) {
        demi_motion_settle(w);
        w->motion_written = 0;
        w->motion_kept = 0; /* steps use the memory */
    }
    if (status == DEM_OK && (w->touched & 1u << DEM_FIELD_ADDED_MASS) != 0)
        demi_added_mass_settle(w);
    if (status == DEM_OK && !begins)
        w->touched = 0;
    if (status == DEM_OK && w->exact.sums.exact)
        status = exact_check(w);
    if (w->list_stale) {
        w->dt_checked = 0.0;
        if (status == DEM_OK)
            status = demi_setup_check(w);
    } else if (status == DEM_OK && w->polyhedra.parts > 0 && !w->polyhedra.looked) {
        status = demi_polyhedra_check(w); /* of a snapshot */
    }
    if (status == DEM_OK && steps > 0 && dt != w->dt_checked) {
        const demi_fenv host = demi_fenv_enter_quiet();
        status = demi_limits_check(w, dt);
        demi_fenv_leave(host);
    }
    if (status == DEM_OK && demi_hooked(w))
        status = demi_hook_reserve(w);
    if (status == DEM_OK && w->exact.sums.exact && w->list_stale)
        exact_place(w);
    return status;
}

static dem_status steps_run(dem_world *w, double dt, uint64_t steps, const double *end)
{
    dem_status status = demi_steps_check(w, dt, steps);
    if (status == DEM_OK && w->forces_stale) {
        status = steps_make(w, (demi_step){.dt = 0.0, .evaluate_only = 1}, 1);
        if (status == DEM_OK)
            w->forces_stale = 0;
    }
    if (status == DEM_OK && steps > 0)
        status = steps_make(w, (demi_step){.dt = dt, .end = end}, steps);
    if (status == DEM_OK)
        demi_overlaps_watch(w);
    else if (w->rigids > 0)
        demi_rigids_restore(w);
    return status;
}

dem_status demi_step_time_check(dem_world *w, double dt, uint64_t steps)
{
    if (w->time > DEMI_TIME_MOST || dt > DEMI_TIME_MOST / ((double)steps + 1.0))
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "dem_step dt: %llu steps of %g s from the time %g s exceed %g s",
                         (unsigned long long)steps, dt, w->time, DEMI_TIME_MOST);
    return DEM_OK;
}

dem_status demi_steps_run(dem_world *w, double dt, uint64_t steps, const double *end)
{
    if (!demi_positive(dt))
        return demi_fail(&w->context, DEM_ERROR_RANGE, "dem_step dt: %g must be finite and > 0 s",
                         dt);
    /* without ghosts now, but perhaps in a moment */
    if (demi_is_domain(w))
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "dem_step: the world has ghosts, %llu now, which need the forces of their "
                         "owners: call dem_step_begin, dem_ghosts_forces_set and dem_step_end; or "
                         "%s without ghosts, with a margin of INFINITY",
                         (unsigned long long)w->ghosts.count,
                         w->ghosts.body_margin > 0.0 && isfinite(w->ghosts.body_margin)
                             ? "dem_ghost_bodies_set"
                             : "dem_ghosts_set");
    const dem_status status = demi_step_time_check(w, dt, steps);
    if (status == DEM_OK) /* what was told of other worlds is no more */
        demi_wall_totals_turn(w, 1);
    return status == DEM_OK ? steps_run(w, dt, steps, end) : status;
}

DEMI_GUARDED guarded_step(dem_world *world, double dt, uint64_t steps)
{
    return demi_steps_run(world, dt, steps, NULL);
}

dem_status dem_step(dem_world *world, double dt, uint64_t steps)
{
    DEMI_STEP(world, guarded_step(world, dt, steps));
}
