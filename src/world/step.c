/* SPDX-License-Identifier: MIT */
/* A step, top to bottom. */
#include "base/check.h"
#include "base/fenv.h"
#include "world/flight.h"
#include "world/world.h"

/* Time by which velocities are late after a step. */
double demi_lag_after(const dem_world *w, double dt)
{
    return w->config.integrator == DEM_INTEGRATOR_LEAPFROG ? 0.5 * dt : 0.0;
}

/* Makes the next state the last complete one. */
void demi_step_commit(dem_world *w, double dt)
{
    w->front ^= 1;
    w->generation++;
    w->motion_viewed = 0;
    w->totals.contacts = w->made.contacts;
    w->totals.elastic = w->made.elastic;
    w->velocity_lag = demi_lag_after(w, dt);
    if (dt == 0.0)
        return;
    w->totals.dissipated_normal += w->made.dissipated_normal;
    w->totals.dissipated_dashpot += w->made.dissipated_dashpot;
    w->totals.dissipated_slip += w->made.dissipated_slip;
    w->totals.dissipated_rolling += w->made.dissipated_rolling;
    w->time += dt;
    w->list_age += dt;
    w->steps++;
}

/* Builds the list where pairs that it lacks could touch in the step that has begun, and begins that
 * step again. */
static dem_status step_list(dem_world *w, double dt, double motion)
{
    if (!demi_list_expired(w, w->list_age + dt))
        return DEM_OK;
    const dem_status status = demi_world_rebuild(w, motion);
    return status == DEM_OK ? demi_integrate_begin(w, dt, &motion) : status;
}

/* Kick and drift, contact forces, kick; from the second step on, the two kicks and the
 * drift between two evaluations of the forces are one pass over the rows. dt = 0: evaluates the
 * forces of the present state and moves nothing; late velocities catch up. */
static dem_status steps_make(dem_world *w, double dt, uint64_t steps)
{
    double motion;
    dem_status status = w->list_stale ? demi_world_rebuild(w, 0.0) : DEM_OK;
    if (status == DEM_OK)
        status = demi_integrate_begin(w, dt, &motion);
    while (status == DEM_OK) {
        status = step_list(w, dt, motion);
        if (status == DEM_OK)
            status = demi_contacts_evaluate(w, dt, &w->made);
        if (status != DEM_OK)
            return status;
        steps -= demi_flight(w, dt, steps - 1);
        if (--steps == 0) {
            demi_integrate_end(w, dt);
            demi_step_commit(w, dt);
            return DEM_OK;
        }
        status = demi_integrate_turn(w, dt, &motion);
    }
    return status;
}

static dem_status check_written(dem_world *w)
{
    if (!w->touched)
        return DEM_OK;
    static const char *const names[] = {"velocity", "angular velocity", "external force",
                                        "external torque"};
    for (uint64_t k = 0; k < w->rows; ++k) {
        const demi_body *body = &demi_bodies(w)[k];
        const demi_motion *motion = &demi_motions(&w->motion[w->front])[k];
        const double *const written[] = {
            motion->velocity, motion->spin,
            w->external_force.data != NULL ? demi_rows(&w->external_force)[k] : NULL,
            w->external_torque.data != NULL ? demi_rows(&w->external_torque)[k] : NULL};
        for (int f = 0; f < 4; ++f) {
            if (written[f] == NULL)
                continue;
            if (!demi_finite3(written[f]))
                return demi_fail(&w->context, DEM_ERROR_RANGE,
                                 "particle %llu: %s written through a view is not finite",
                                 (unsigned long long)body->id, names[f]);
            if (f < 2 && body->id != 0 && body->motion == DEM_MOTION_FIXED && demi_any3(written[f]))
                return demi_fail(&w->context, DEM_ERROR_STATE,
                                 "particle %llu: %s of a fixed particle was written through a view",
                                 (unsigned long long)body->id, names[f]);
        }
    }
    w->touched = 0;
    return DEM_OK;
}

static dem_status steps_run(dem_world *w, double dt, uint64_t steps)
{
    dem_status status = check_written(w);
    if (w->list_stale)
        w->dt_checked = 0.0;
    if (status == DEM_OK && steps > 0 && dt != w->dt_checked)
        status = demi_limits_check(w, dt);
    if (status == DEM_OK && w->forces_stale) {
        status = steps_make(w, 0.0, 1);
        if (status == DEM_OK)
            w->forces_stale = 0;
    }
    return status == DEM_OK && steps > 0 ? steps_make(w, dt, steps) : status;
}

dem_status dem_step(dem_world *world, double dt, uint64_t steps)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!demi_positive(dt))
        return demi_fail(&world->context, DEM_ERROR_RANGE,
                         "dem_step dt: %g must be finite and > 0 s", dt);
    const demi_fenv saved = demi_fenv_enter();
    const dem_status status = steps_run(world, dt, steps);
    demi_fenv_leave(saved);
    return status;
}
