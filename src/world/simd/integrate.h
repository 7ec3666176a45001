/* SPDX-License-Identifier: MIT */
/* What the passes of integrate.c and coupled.c over a chunk's rows do alike. The last places of
 * rows hold what belongs to the particle (world.h); arithmetic passes over them. */
#ifndef DEMI_INTEGRATE_H
#define DEMI_INTEGRATE_H

#include "world/simd/rows.h"

/* What moves the rows of a chunk in a pass over them. */
typedef struct demi_rows_pass {
    const demi_force_torque *force_torque;
    demi_outer outer;
    demi_v4 mean_velocity;
    double dt, kick; /* of the step that begins */
    int exact;       /* displacements are rounded to the grid */
    demi_v4 grid;
} demi_rows_pass;

static DEMI_INLINE demi_rows_pass demi_rows_pass_of(const demi_phase_call *call,
                                                    const demi_chunk *chunk,
                                                    const demi_state *state, int exact)
{
    const dem_world *w = call->w;
    const double *d = chunk->mean_velocity;
    const demi_rows_pass rows = {state->force_torque.data,  demi_outer_of(w),
                                 {d[0], d[1], d[2], 0.0},   call->dt,
                                 call->kick_first,          exact,
                                 *demi_v4_at(w->exact.grid)};
    return rows;
}

/* Bounds on what a chunk has seen of its rows: velocities off its mean velocity, and angular
 * velocities. */
typedef struct demi_paces {
    demi_v4 off, angular_velocity;
} demi_paces;

static DEMI_INLINE void demi_position_drift(const demi_rows_pass *of, const double *x,
                                            const demi_v4 *velocity, double *x_next)
{
    const demi_v4 x0 = *demi_v4_at(x), d = *velocity * of->dt;
    const demi_v4 x1 = of->exact ? x0 + ((d + of->grid) - of->grid) : x0 + d;
    *(demi_v4 *)x_next = DEMI_V4_KEEP_LAST(x1, x0);
}

/* Drift of a row that has had its first kick. */
static DEMI_INLINE void demi_row_drift(const demi_rows_pass *of, const double *x,
                                       const demi_v4 *velocity, const demi_v4 *angular_velocity,
                                       double *x_next, demi_velocities *velocities_next,
                                       demi_paces *pace)
{
    *(demi_v4 *)velocities_next->velocity = *velocity;
    *(demi_v4 *)velocities_next->angular_velocity = *angular_velocity;
    demi_position_drift(of, x, velocity, x_next);
    const demi_v4 off = *velocity - of->mean_velocity;
    demi_v4_rise(&pace->off, &off);
    demi_v4_rise(&pace->angular_velocity, angular_velocity);
}

static inline int demi_motion_bounded(const double v[3])
{
    return islessequal(fabs(v[0]), DEMI_FORCE_MOST) && islessequal(fabs(v[1]), DEMI_FORCE_MOST) &&
           islessequal(fabs(v[2]), DEMI_FORCE_MOST);
}

/* The first row whose motion is too large or not a number. */
static inline void demi_chunk_diverged(const demi_chunk *chunk, const demi_row *x,
                                       const demi_velocities *velocities, demi_chunk_result *result)
{
    result->status = DEM_ERROR_DIVERGED;
    result->pair = chunk->row_begin;
    result->what = "displacement is not finite, or beyond 1e150 m,";
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        const char *what = !demi_motion_bounded(velocities[row].velocity)
                               ? "velocity is not finite, or beyond 1e150 m/s,"
                           : !demi_motion_bounded(velocities[row].angular_velocity)
                               ? "angular velocity is not finite, or beyond 1e150 rad/s,"
                           : !demi_motion_bounded(x[row])
                               ? "position is not finite, or beyond 1e150 m,"
                               : NULL;
        if (what != NULL) {
            result->pair = row;
            result->what = what;
            return;
        }
    }
}

/* What the first half of a step tells of the chunk: how far rows may be from where its mean
 * velocity took them, and how far they went. */
static DEMI_INLINE void demi_chunk_began(const demi_phase_call *call, const demi_chunk *chunk,
                                         const demi_paces *pace, const demi_state *state,
                                         demi_chunk_result *result)
{
    const double off = demi_v4_length(&pace->off),
                 angular_velocity = demi_v4_length(&pace->angular_velocity);
    result->status = DEM_OK;
    demi_chunk_result_displacement(chunk, off, call->dt, result);
    result->displacement_bound += call->w->exact.slack;
    result->displacement += call->w->exact.slack;
    /* not a number is never less */
    if (!isless(off + angular_velocity + result->displacement_bound + result->displacement,
                DEMI_FORCE_MOST))
        demi_chunk_diverged(chunk, state->position.read, state->velocity.data, result);
}

/* Work of the host's forces on a free row, or of a row that moves as it was told. */
static inline void demi_row_work(const demi_phase_call *call, uint64_t row,
                                 demi_chunk_result *result)
{
    const dem_world *w = call->w;
    const double *v = w->next.velocity.data[row].velocity,
                 *s = w->next.velocity.data[row].angular_velocity;
    if (demi_kinds[w->body.read[row].kind].ghost)
        return;
    const double *f = w->next.force_torque.data[row].force,
                 *t = w->next.force_torque.data[row].torque;
    if (s[3] > 0.0) {
        if (w->external_force.data != NULL)
            result->work_external += demi_dot(w->external_force.data[row], v) * call->work_time;
        if (w->external_torque.data != NULL)
            result->work_external += demi_dot(w->external_torque.data[row], s) * call->work_time;
    } else if ((demi_any3(v) || demi_any3(s)) && !demi_kinds[w->body.read[row].kind].responds) {
        result->driven = 1;
        const double *f0 = w->current.force_torque.data[row].force,
                     *t0 = w->current.force_torque.data[row].torque;
        result->work_boundary -=
            0.5 * call->dt * (demi_dot(f0, v) + demi_dot(f, v) + demi_dot(t0, s) + demi_dot(t, s));
    }
}

/* Sets out to end a step. */
static DEMI_INLINE void demi_chunk_end_begins(const demi_phase_call *call, uint64_t k)
{
    demi_chunk *chunk = call->w->list.chunk.data + k;
    demi_chunk_result *result = call->w->chunk_result.data + k;
    result->work_external = result->work_boundary = 0.0;
    result->driven = 0;
    chunk->displacement_bound = result->displacement_bound;
}

#endif
