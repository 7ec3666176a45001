/* SPDX-License-Identifier: MIT */
/* The two halves of the integration, chunk by chunk. */
#include "base/check.h"
#include "base/parallel.h"
#include "integrate/verlet.h"
#include "world/world.h"

#include <string.h>

DEMI_ISA_TABLE(demi_phase_function, demi_chunk_begin);
DEMI_ISA_TABLE(demi_phase_function, demi_chunk_end);
DEMI_ISA_TABLE(demi_phase_function, demi_chunk_turn);

static void begin_chunk(void *argument, uint64_t k)
{
    const demi_phase_call *call = argument;
    demi_chunk_begin[call->w->models.isa](call, k);
}

static void end_chunk(void *argument, uint64_t k)
{
    const demi_phase_call *call = argument;
    demi_chunk_end[call->w->models.isa](call, k);
}

static void turn_chunk(void *argument, uint64_t k)
{
    const demi_phase_call *call = argument;
    demi_chunk_turn[call->w->models.isa](call, k);
}

static dem_status began_status(dem_world *w)
{
    const demi_report *report = w->report.data;
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        if (report[k].status != DEM_OK)
            return demi_fail(&w->context, report[k].status,
                             "particle %llu: %s is not finite at the end of step %llu",
                             (unsigned long long)demi_bodies(w)[report[k].pair].id, report[k].what,
                             (unsigned long long)w->steps + 1);
    return DEM_OK;
}

/* Time by which the first kick of a step advances velocities. Late ones are brought to the time of
 * the positions first, and by that alone where there is no step. */
double demi_kick_first(const dem_world *w, double dt)
{
    const int whole = w->config.integrator == DEM_INTEGRATOR_SYMPLECTIC_EULER;
    return w->velocity_lag + (whole ? dt : 0.5 * dt);
}

double demi_kick_second(const dem_world *w, double dt)
{
    return w->config.integrator <= DEM_INTEGRATOR_VERLET_STANDARD ? 0.5 * dt : 0.0;
}

double demi_kick_again(const dem_world *w, double dt)
{
    if (w->config.integrator == DEM_INTEGRATOR_SYMPLECTIC_EULER || dt == 0.0)
        return 0.0;
    /* exactly 1 where velocities are not late */
    return 0.5 * dt / demi_kick_first(w, dt);
}

void demi_motion_now(const dem_world *w, uint64_t row, double velocity[3], double spin[3])
{
    const demi_motion *motion = &demi_motions(&w->motion[w->front])[row];
    const demi_load *load = &demi_loads(&w->load[w->front])[row];
    memcpy(velocity, motion->velocity, 3 * sizeof(double));
    memcpy(spin, motion->spin, 3 * sizeof(double));
    if (w->velocity_lag == 0.0 || !(motion->spin[3] > 0.0))
        return;
    const double *outer =
        w->external_force.data != NULL ? demi_rows(&w->external_force)[row] : NULL;
    const double *twist =
        w->external_torque.data != NULL ? demi_rows(&w->external_torque)[row] : NULL;
    for (int c = 0; c < 3; ++c) {
        const double f = load->force[c] + (outer != NULL ? outer[c] : 0.0);
        const double t = load->torque[c] + (twist != NULL ? twist[c] : 0.0);
        velocity[c] += (f * motion->velocity[3] + w->config.gravity[c]) * w->velocity_lag;
        spin[c] += t * motion->spin[3] * w->velocity_lag;
    }
}

/* Moves the walls, and tells how far bodies may have approached each other in this step. */
static dem_status begin_walls(dem_world *w, double dt, double *motion)
{
    const demi_report *report = w->report.data;
    double particle = 0.0, step = 0.0;
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        particle = report[k].motion > particle ? report[k].motion : particle;
    demi_wall *walls = w->wall.data;
    for (uint64_t k = 0; k < w->walls; ++k) {
        demi_wall *wall = &walls[k];
        double *point = wall->point[w->front ^ 1];
        for (int c = 0; c < 3; ++c)
            point[c] = demi_verlet_drift(wall->point[w->front][c], wall->velocity[c], dt);
        if (!demi_finite3(point))
            return demi_fail(&w->context, DEM_ERROR_DIVERGED, "wall %llu: point is not finite",
                             (unsigned long long)wall->id);
        const double along = fabs(demi_dot(wall->velocity, wall->normal)) * dt;
        step = along > step ? along : step;
    }
    *motion = particle + (particle > step ? particle : step);
    return DEM_OK;
}

/* First kick and drift into the next state. */
dem_status demi_integrate_begin(dem_world *w, double dt, double *motion)
{
    demi_phase_call call = {w, dt, demi_kick_first(w, dt), 0.0, 0.0};
    demi_parallel(&w->config.executor, begin_chunk, &call, w->list.chunks);
    const dem_status status = began_status(w);
    return status == DEM_OK ? begin_walls(w, dt, motion) : status;
}

static void end_works(dem_world *w, double dt)
{
    const demi_report *report = w->report.data;
    double external = 0.0, boundary = 0.0;
    for (uint64_t k = 0; k < w->list.chunks; ++k) {
        external += report[k].work_external;
        boundary += report[k].work_boundary;
    }
    const demi_wall *walls = w->wall.data;
    for (uint64_t k = 0; k < w->walls; ++k)
        for (int side = 0; side < 2; ++side)
            boundary -= 0.5 * dt * demi_dot(walls[k].force[side], walls[k].velocity);
    w->work_external += external;
    w->work_boundary += boundary;
}

/* Sums the forces that chunks computed for each other, and gives the second kick. Forces are
 * bounded, so that this cannot fail. */
void demi_integrate_end(dem_world *w, double dt)
{
    demi_phase_call call = {w, dt, 0.0, demi_kick_second(w, dt), 0.0};
    demi_parallel(&w->config.executor, end_chunk, &call, w->list.chunks);
    end_works(w, dt);
}

/* The end of one step and the beginning of the next while the rows are at hand. When the latter
 * fails, the former is complete. */
dem_status demi_integrate_turn(dem_world *w, double dt, double *motion)
{
    demi_phase_call call = {w, dt, 0.0, demi_kick_second(w, dt), 0.0};
    w->velocity_lag = demi_lag_after(w, dt);
    call.kick_first = demi_kick_first(w, dt);
    /* contacts end with the last chunk, and begin with the first */
    demi_parallel_back(&w->config.executor, turn_chunk, &call, w->list.chunks);
    end_works(w, dt);
    demi_step_commit(w, dt);
    const dem_status status = began_status(w);
    return status == DEM_OK ? begin_walls(w, dt, motion) : status;
}
