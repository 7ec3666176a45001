/* SPDX-License-Identifier: MIT */
/* The two halves of the integration, chunk by chunk. */
#include "base/check.h"
#include "base/parallel.h"
#include "mesh/mesh.h"
#include "world/displacement.h"
#include "world/film.h"
#include "world/hook.h"
#include "world/world.h"

#include <string.h>

DEMI_COPIES(demi_phase_function, demi_chunk_begin);
DEMI_COPIES(demi_phase_function, demi_chunk_end);
DEMI_COPIES(demi_phase_function, demi_chunk_fused);
DEMI_COPIES(demi_phase_function, demi_chunk_sum);
DEMI_COPIES(demi_phase_function, demi_coupled_begin);
DEMI_COPIES(demi_phase_function, demi_coupled_end);
DEMI_COPIES(demi_phase_function, demi_coupled_fused);

/* Which copy of a pass a world takes. */
static demi_phase_function *pass_of(const dem_world *w, demi_phase_function *const plain[],
                                    demi_phase_function *const coupled[])
{
    return demi_coupled(w) ? coupled[w->models.isa] : plain[w->models.isa];
}

/* Forces that were written on rows which they do not move. On others the kick finds them. */
static void look_at_held(const dem_world *w, uint64_t k)
{
    const demi_chunk *chunk = w->list.chunk.data + k;
    const demi_velocities *velocities = w->current.velocity.data;
    const demi_row *const outer[] = {w->external_force.read, w->external_torque.read};
    demi_chunk_result *result = w->chunk_result.data + k;
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row)
        for (int f = 0; f < 2 && !(velocities[row].angular_velocity[3] > 0.0); ++f)
            if (outer[f] != NULL && !demi_finite3(outer[f][row])) {
                result->status = DEM_ERROR_DIVERGED;
                result->pair = row;
                result->what = "external force or torque is not finite";
            }
}

static void begin_chunk(void *argument, uint64_t k)
{
    const demi_phase_call *call = argument;
    pass_of(call->w, demi_chunk_begin, demi_coupled_begin)(call, k);
    if ((call->w->touched & DEMI_TOUCHED_OUTER) != 0)
        look_at_held(call->w, k);
}

static void sum_chunk(void *argument, uint64_t k)
{
    const demi_phase_call *call = argument;
    demi_chunk_sum[call->w->models.isa](call, k);
}

static void end_chunk(void *argument, uint64_t k)
{
    const demi_phase_call *call = argument;
    if (!call->summed)
        sum_chunk(argument, k);
    pass_of(call->w, demi_chunk_end, demi_coupled_end)(call, k);
}

static void fused_chunk(void *argument, uint64_t k)
{
    const demi_phase_call *call = argument;
    sum_chunk(argument, k);
    pass_of(call->w, demi_chunk_fused, demi_coupled_fused)(call, k);
}

static dem_status began_status(dem_world *w)
{
    const demi_chunk_result *result = w->chunk_result.data;
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        if (result[k].status != DEM_OK) {
            /* if the host wrote what is not finite, that is what it is told */
            const dem_status written = demi_written_check(w, DEMI_TOUCHED_ALL);
            if (written != DEM_OK)
                return written;
            return demi_fail(&w->context, result[k].status,
                             "particle %llu: %s at the end of step %llu",
                             (unsigned long long)w->body.data[result[k].pair].id, result[k].what,
                             (unsigned long long)w->steps + 1);
        }
    return DEM_OK;
}

/* Moves the walls, and tells how far bodies may have approached each other in this step. */
static dem_status begin_walls(dem_world *w, double dt, double *displacement)
{
    const demi_chunk_result *result = w->chunk_result.data;
    double particle = 0.0, step = 0.0;
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        particle = result[k].displacement > particle ? result[k].displacement : particle;
    if (w->walls_turning + w->walls_seeking > 0) {
        const dem_status status = demi_walls_step_check(w, dt);
        if (status != DEM_OK)
            return status;
    }
    demi_walls_drift(w, dt);
    for (uint64_t k = 0; k < w->walls_active; ++k) {
        const uint32_t index = w->wall_active.data[k];
        const demi_wall *wall = w->wall.data + index;
        const demi_solid *solid = &w->next.solid.read[index];
        if (!demi_finite3(solid->point))
            return demi_fail(&w->context, DEM_ERROR_DIVERGED, "wall %llu: point is not finite",
                             (unsigned long long)wall->id);
        if (solid->deforms && !(solid->mesh->extent <= DEMI_MESH_COORDINATE_MOST))
            return demi_fail(&w->context, DEM_ERROR_DIVERGED,
                             "wall %llu: a vertex is not finite, or farther away than %g m",
                             (unsigned long long)wall->id, DEMI_MESH_COORDINATE_MOST);
        const double along = fabs(demi_wall_shape(wall)->approach(solid, solid->velocity)) * dt +
                             (solid->deforms ? solid->mesh->speed * dt : 0.0) +
                             (solid->rate != 0.0 ? demi_wall_turn_motion(w, index, dt) : 0.0);
        step = along > step ? along : step;
    }
    w->walls_step = step;
    *displacement = particle + (particle > step ? particle : step);
    return DEM_OK;
}

/* First kick and drift into the next state. */
dem_status demi_integrate_begin(dem_world *w, double dt, double *displacement)
{
    demi_phase_call call = {.w = w,
                            .dt = dt,
                            .kick_first = demi_kick_first(w, dt),
                            .lag = w->velocity_lag,
                            .again = demi_kick_again(w, dt)};
    dem_status status = w->rigids > 0 ? demi_rigids_begin(w, dt) : DEM_OK;
    if (status != DEM_OK)
        return status;
    demi_parallel(&w->config.executor, begin_chunk, &call, w->list.chunks);
    status = began_status(w);
    if (status != DEM_OK)
        return status;
    if (w->rigids > 0)
        demi_rigids_place(w);
    if (demi_filmed(w))
        status = demi_films_pass(w, dt);
    if (status != DEM_OK)
        return status;
    w->touched = 0;
    return begin_walls(w, dt, displacement);
}

/* What particles gave to the walls in a step. */
static void end_wall_impulses(dem_world *w, const demi_phase_call *call)
{
    if (w->contact_impulse.read == NULL)
        return;
    for (uint64_t k = 0; k < w->walls_active; ++k) {
        const uint32_t index = w->wall_active.data[k];
        const demi_wall_force *now = w->current.wall_force.read + index,
                              *next = w->next.wall_force.read + index;
        demi_wall_force *sum = &w->wall_impulse.data[index];
        for (int c = 0; c < 3; ++c) {
            sum->force[c] += now->force[c] * call->kick_begun + next->force[c] * call->kick_second;
            sum->torque[c] +=
                now->torque[c] * call->kick_begun + next->torque[c] * call->kick_second;
        }
    }
}

static void end_works(dem_world *w, double dt)
{
    const demi_chunk_result *result = w->chunk_result.data;
    double external = 0.0, boundary = 0.0, fluid = 0.0, drag = 0.0;
    for (uint64_t k = 0; k < w->list.chunks; ++k) {
        external += result[k].work_external;
        boundary += result[k].work_boundary;
    }
    for (uint64_t k = 0; w->fluid.data != NULL && k < w->list.chunks; ++k) {
        fluid += result[k].work_fluid;
        drag += result[k].dissipated_drag;
    }
    for (uint64_t k = 0; k < w->walls_active; ++k) {
        const uint32_t index = w->wall_active.data[k];
        const demi_state *const ends[] = {&w->current, &w->next};
        /* the displacement of the step, at both of its ends */
        const demi_solid *solid = &w->next.solid.read[index];
        for (int e = 0; e < 2; ++e) {
            const demi_wall_force *force = &ends[e]->wall_force.read[index];
            double power = demi_dot(force->force, solid->velocity);
            if (solid->rate != 0.0)
                power += demi_dot(force->torque, solid->angular_velocity);
            boundary -= 0.5 * dt * power;
            w->wall.data[index].work -= 0.5 * dt * power;
        }
    }
    w->work_external += external;
    w->work_boundary += boundary;
    w->work_fluid += fluid;
    w->dissipated_drag += drag;
}

/* What ends a step. */
static demi_phase_call end_call(dem_world *w, double dt)
{
    const double begun = demi_kick_first(w, dt);
    const int booked = demi_hooked(w) && dt > 0.0 && w->hook.wrote, ahead = w->in_place.ahead;
    const demi_phase_call call = {.w = w,
                                  .dt = dt,
                                  .kick_second = demi_kick_second(w, dt),
                                  .kick_begun = begun,
                                  .work_time = booked ? 0.5 * dt : dt,
                                  .drag_begun = booked || ahead ? 0.0 : begun,
                                  .was_ahead = ahead};
    return call;
}

static void end_all(dem_world *w, double dt, int summed)
{
    demi_phase_call call = end_call(w, dt);
    call.summed = summed;
    demi_parallel(&w->config.executor, end_chunk, &call, w->list.chunks);
    if (w->rigids > 0)
        demi_rigids_end(w, dt, call.work_time, !(call.drag_begun > 0.0));
    end_works(w, dt);
    end_wall_impulses(w, &call);
    if (demi_filmed(w))
        demi_films_end(w);
}

/* Sums the forces that chunks computed for each other, and gives the second kick. Forces are
 * bounded, so that this cannot fail. */
void demi_integrate_end(dem_world *w, double dt)
{
    end_all(w, dt, 0);
}

void demi_forces_sum(dem_world *w)
{
    demi_phase_call call = {.w = w};
    demi_parallel(&w->config.executor, sum_chunk, &call, w->list.chunks);
}

void demi_integrate_kick(dem_world *w, double dt)
{
    end_all(w, dt, 1);
}

/* The end of one step and the beginning of the next while the rows are at hand. When the latter
 * fails, the former is complete. */
dem_status demi_integrate_fused(dem_world *w, double dt, double *displacement)
{
    demi_phase_call call = end_call(w, dt);
    w->velocity_lag = demi_lag_after(w, dt);
    call.kick_first = demi_kick_first(w, dt);
    call.lag = w->velocity_lag;
    call.again = demi_kick_again(w, dt);
    w->in_place.ahead = w->in_place.on && demi_coupled(w);
    call.ahead = w->in_place.ahead ? call.kick_first : 0.0;
    /* contacts end with the last chunk, and begin with the first */
    demi_parallel_back(&w->config.executor, fused_chunk, &call, w->list.chunks);
    end_works(w, dt);
    end_wall_impulses(w, &call);
    demi_step_commit(w, (demi_step){.dt = dt});
    const dem_status status = began_status(w);
    return status == DEM_OK ? begin_walls(w, dt, displacement) : status;
}
