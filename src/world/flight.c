/* SPDX-License-Identifier: MIT */
/* Free flight: while the list has no pair at all, nothing touches, forces of contacts are 0, and
 * many steps are made in one pass over the rows, with the bits of single steps.
 *
 * How many: as many as cannot make the list expire. Accelerations are constant, those of gravity
 * and of the host's forces, and a step advances velocities by gain = |a| dt, where each component
 * of a is the largest of all rows, as it is in the bounds of steps. So if no row of a chunk goes
 * farther than `pace` against the chunk's mean velocity in the step that has begun, it goes no
 * farther than pace + n gain dt in the n-th step after it, and after m steps the chunk's bound is
 * at most
 *
 *     displacement_bound + m pace + gain dt m (m + 1)/2
 *
 * and some round-off, which is added. The list is asked with this bound at both ends of the flight.
 * What it asks is linear in time beside the bound, which only grows: it holds at each step between,
 * where single steps, which sum the paces, would not have built the list or measured anything.
 * Walls that turn, or seek a force, do not move linearly: with one of them nothing flies. */
#include "world/flight.h"

#include "base/check.h"
#include "base/parallel.h"
#include "world/displacement.h"
#include "world/hook.h"

/* Fewer steps are not worth the look. */
enum { FLIGHT_LEAST = 4 };

DEMI_COPIES(demi_flight_function, demi_chunk_look);
DEMI_COPIES(demi_flight_function, demi_chunk_fly);

static void look_chunk(void *argument, uint64_t k)
{
    const demi_flight_call *call = argument;
    demi_chunk_look[call->w->models.isa](call, k);
}

static void fly_chunk(void *argument, uint64_t k)
{
    const demi_flight_call *call = argument;
    demi_chunk_fly[call->w->models.isa](call, k);
}

dem_status demi_flight_room(dem_world *w, uint64_t chunks)
{
    return demi_array_reserve(&w->context, &w->flight_work, chunks * DEMI_FLIGHT_MOST, 0,
                              "free flight");
}

/* Puts the bound for a flight of m steps in the place of what each chunk has displacement_bound.
 * Returns whether all numbers stay far from where a step would be refused. */
static int bound_displacements(dem_world *w, double dt, uint64_t steps, double slack)
{
    const demi_chunk *chunks = w->list.chunk.data;
    demi_chunk_result *result = w->chunk_result.data;
    const double m = (double)steps, elapsed = w->list_age + (m + 1.0) * dt;
    for (uint64_t k = 0; k < w->list.chunks; ++k) {
        const double speed = sqrt(demi_dot(chunks[k].mean_velocity, chunks[k].mean_velocity));
        const double gain = result[k].gain * dt;
        /* round-off of sums and of velocities, which are no larger than the displacement over dt */
        const double rounded =
            1e-12 * (m * (result[k].displacement + m * gain) + speed * elapsed) + slack;
        const double pace = result[k].displacement - speed * dt;
        const double bound = result[k].bound_before + m * pace + 0.5 * m * (m + 1.0) * gain;
        result[k].displacement_bound = bound * (1.0 + 1e-9) + rounded;
        if (!isless((result[k].displacement + m * gain) / dt + result[k].displacement + m * gain +
                        result[k].angular_velocity + result[k].displacement_bound,
                    1e-3 * DEMI_FORCE_MOST))
            return 0;
    }
    return 1;
}

/* Whether the list holds through the step that has begun and m more. Walls are moved to the end and
 * back. */
static int list_holds(dem_world *w, double dt, uint64_t steps)
{
    const double travel = (double)steps * dt;
    double slack = 0.0; /* for the rounding of what walls have to do with */
    for (uint64_t k = 0; k < w->walls_active; ++k) {
        const uint32_t index = w->wall_active.data[k];
        const demi_solid *solid = &w->next.solid.read[index];
        const demi_solid *built = &w->solid_built.read[index];
        for (int c = 0; c < 3; ++c) {
            const double size =
                fabs(solid->point[c]) + fabs(built->point[c]) + fabs(solid->velocity[c]) * travel;
            slack = 1e-12 * size > slack ? 1e-12 * size : slack;
        }
    }
    if (!bound_displacements(w, dt, steps, slack) || demi_bounds_exceeded(w, w->list_age + dt))
        return 0;
    for (uint64_t k = 0; k < w->walls_active; ++k) {
        demi_solid *solid = &w->next.solid.data[w->wall_active.data[k]];
        for (int c = 0; c < 3; ++c)
            solid->point[c] += solid->velocity[c] * travel;
    }
    const int holds = !demi_bounds_exceeded(w, (w->list_age + dt + travel) * (1.0 + 1e-12));
    demi_walls_drift(w, dt);
    return holds;
}

/* How many steps the flight may have. Leaves the bounds of the chunks in `bound_before`. */
static uint64_t flight_steps(demi_flight_call *call, uint64_t most)
{
    dem_world *w = call->w;
    demi_chunk_result *result = w->chunk_result.data;
    double gravity[3]; /* times dt: of the size of velocities, whose squares stay finite */
    for (int c = 0; c < 3; ++c)
        gravity[c] = w->config.gravity[c] * call->dt;
    const double gain = sqrt(demi_dot(gravity, gravity));
    for (uint64_t k = 0; k < w->list.chunks; ++k) {
        result[k].bound_before = result[k].displacement_bound;
        result[k].gain = gain;
        result[k].angular_velocity = 0.0;
    }
    /* rows are looked at where that is not in vain from the outset */
    if (!list_holds(w, call->dt, FLIGHT_LEAST))
        return 0;
    demi_parallel(&w->config.executor, look_chunk, call, w->list.chunks);
    for (uint64_t m = most < DEMI_FLIGHT_MOST ? most : DEMI_FLIGHT_MOST; m >= FLIGHT_LEAST; m /= 2)
        if (list_holds(w, call->dt, m))
            return m;
    return 0;
}

/* What steps do beside their rows. */
static void flight_commit(dem_world *w, double dt, uint64_t steps)
{
    const double *work = w->flight_work.data;
    const int pushed = w->external_force.data != NULL || w->external_torque.data != NULL;
    for (uint64_t n = 0; n < steps; ++n) {
        double external = 0.0;
        for (uint64_t k = 0; pushed && k < w->list.chunks; ++k)
            external += work[k * DEMI_FLIGHT_MOST + n];
        w->work_external += external;
        demi_step_commit(w, (demi_step){.dt = dt});
        demi_walls_drift(w, dt);
    }
}

uint64_t demi_flight(dem_world *w, double dt, uint64_t most)
{
    const int pushed = w->external_force.data != NULL || w->external_torque.data != NULL;
    /* with this list at least two evaluations: contact forces are 0 on both sides of the world */
    if (w->exact.sums.exact || demi_coupled(w) || demi_hooked(w) || w->models.films > 0 ||
        w->rigids > w->rigids_vacant ||
        w->walls_turning + w->walls_seeking + w->walls_deforming > 0 || w->list.pairs > 0 ||
        w->list_age == 0.0 || most < FLIGHT_LEAST ||
        (pushed && demi_array_room(&w->flight_work) < w->list.chunks * DEMI_FLIGHT_MOST))
        return 0;
    demi_flight_call call = {w, dt, 0.0, demi_kick_second(w, dt), 0};
    call.steps = flight_steps(&call, most);
    if (call.steps == 0) {
        demi_chunk_result *result = w->chunk_result.data;
        for (uint64_t k = 0; k < w->list.chunks; ++k)
            result[k].displacement_bound = result[k].bound_before;
        return 0;
    }
    w->velocity_lag = demi_lag_after(w, dt);
    call.kick_first = demi_kick_first(w, dt);
    demi_parallel(&w->config.executor, fly_chunk, &call, w->list.chunks);
    flight_commit(w, dt, call.steps);
    return call.steps;
}
