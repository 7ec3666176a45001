/* SPDX-License-Identifier: MIT */
/* The two halves of the integration of a chunk's rows. The last places of rows hold what belongs to
 * the particle (world.h); arithmetic passes over them. */
#include "base/check.h"
#include "base/vector.h"
#include "world/simd/coupled.h"
#include "world/simd/exact.h"
#include "world/simd/rows.h"
#include "world/world.h"

#include <string.h>

/* Where rows are read and written. */
typedef struct chunk_rows {
    const demi_force_torque *force_torque;
    demi_outer outer;
    demi_v4 mean_velocity;
    double dt, kick; /* of the step that begins */
    int exact;       /* displacements are rounded to the grid */
    demi_v4 grid;
} chunk_rows;

static DEMI_INLINE chunk_rows rows_of(const demi_phase_call *call, const demi_chunk *chunk,
                                      const demi_state *state, int exact)
{
    const dem_world *w = call->w;
    const double *d = chunk->mean_velocity;
    const chunk_rows rows = {state->force_torque.data,  demi_outer_of(w),
                             {d[0], d[1], d[2], 0.0},   call->dt,
                             call->kick_first,          exact,
                             *demi_v4_at(w->exact.grid)};
    return rows;
}

/* The same in a coupled world. */
static DEMI_INLINE chunk_rows rows_coupled(const demi_phase_call *call, const demi_chunk *chunk,
                                           const demi_state *state, int exact)
{
    chunk_rows rows = rows_of(call, chunk, state, exact);
    rows.outer.added = demi_added_masses(call->w);
    return rows;
}

/* ------------------------------------------------------------------ the first half */

/* Bounds on what a chunk has seen of its rows: velocities off its mean velocity, and angular
 * velocities. */
typedef struct paces {
    demi_v4 off, angular_velocity;
} paces;

static DEMI_INLINE void position_drift(const chunk_rows *of, const double *x,
                                       const demi_v4 *velocity, double *x_next)
{
    const demi_v4 x0 = *demi_v4_at(x), d = *velocity * of->dt;
    const demi_v4 x1 = of->exact ? x0 + ((d + of->grid) - of->grid) : x0 + d;
    *(demi_v4 *)x_next = DEMI_V4_KEEP_LAST(x1, x0);
}

/* Raises them to those of rows' records. */
static DEMI_INLINE void paces_rise(paces *pace, const demi_vr most[DEMI_VR_PARTS])
{
    demi_v4 half[2];
    demi_vr_halves(most, half);
    demi_v4_rise(&pace->off, &half[0]);
    demi_v4_rise(&pace->angular_velocity, &half[1]);
}

/* Drift of a row that has had its first kick. */
static DEMI_INLINE void drift_row(const chunk_rows *of, const double *x, const demi_v4 *velocity,
                                  const demi_v4 *angular_velocity, double *x_next,
                                  demi_velocities *velocities_next, paces *pace)
{
    *(demi_v4 *)velocities_next->velocity = *velocity;
    *(demi_v4 *)velocities_next->angular_velocity = *angular_velocity;
    position_drift(of, x, velocity, x_next);
    const demi_v4 off = *velocity - of->mean_velocity;
    demi_v4_rise(&pace->off, &off);
    demi_v4_rise(&pace->angular_velocity, angular_velocity);
}

/* First kick of the velocities, and drift. */
static DEMI_INLINE void begin_row(const chunk_rows *of, const double *x,
                                  const demi_velocities *velocities, const demi_v4 *linear,
                                  const demi_v4 *angular, double *x_next,
                                  demi_velocities *velocities_next, paces *pace)
{
    const demi_v4 v = *demi_v4_at(velocities->velocity) + *linear * of->kick,
                  s = *demi_v4_at(velocities->angular_velocity) + *angular * of->kick;
    drift_row(of, x, &v, &s, x_next, velocities_next, pace);
}

static int bounded(const double v[3])
{
    return islessequal(fabs(v[0]), DEMI_FORCE_MOST) && islessequal(fabs(v[1]), DEMI_FORCE_MOST) &&
           islessequal(fabs(v[2]), DEMI_FORCE_MOST);
}

/* The first row whose motion is not finite. */
static void diverged(const demi_chunk *chunk, const demi_row *x, const demi_velocities *velocities,
                     demi_chunk_result *result)
{
    result->status = DEM_ERROR_DIVERGED;
    result->pair = chunk->row_begin;
    result->what = "displacement";
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        const char *what = !bounded(velocities[row].velocity)           ? "velocity"
                           : !bounded(velocities[row].angular_velocity) ? "angular velocity"
                           : !bounded(x[row])                           ? "position"
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
static DEMI_INLINE void chunk_began(const demi_phase_call *call, const demi_chunk *chunk,
                                    const paces *pace, const demi_state *state,
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
        diverged(chunk, state->position.read, state->velocity.data, result);
}

/* Accelerations of a row by forces other than drag, and its velocities. */
typedef struct coupled_motion {
    demi_v4 linear, angular, velocity, angular_velocity;
} coupled_motion;

/* The same for row m of a group that a fluid may drag. */
static DEMI_INLINE void begin_coupled(const demi_coupling *c, const chunk_rows *of, uint64_t row,
                                      uint64_t m, const double *x, const coupled_motion *of_row,
                                      const demi_group_drag *drag, double *x_next,
                                      demi_velocities *velocities_next, paces *pace)
{
    demi_v4 v, s;
    if (c->fluid == NULL) {
        v = of_row->velocity + of_row->linear * of->kick;
        s = of_row->angular_velocity + of_row->angular * of->kick;
    } else {
        const demi_fluid *fluid = &c->fluid[row];
        demi_velocities *seen = &c->damping_velocity[row];
        demi_drag_begin(c, drag, DEMI_DRAG_LINEAR + m, fluid->velocity, of->kick, &of_row->linear,
                        &of_row->velocity, &v, seen->velocity);
        demi_drag_begin(c, drag, DEMI_DRAG_ANGULAR + m, fluid->angular_velocity, of->kick,
                        &of_row->angular, &of_row->angular_velocity, &s, seen->angular_velocity);
    }
    drift_row(of, x, &v, &s, x_next, velocities_next, pace);
}

/* The first half in a coupled world. */
DEMI_APART void chunk_begin_coupled(const demi_phase_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const demi_chunk *chunk = w->list.chunk.data + k;
    const demi_row *x = w->current.position.read;
    const demi_velocities *velocities = w->current.velocity.data;
    demi_row *x_next = w->next.position.data;
    demi_velocities *velocities_next = w->next.velocity.data;
    const chunk_rows rows = rows_coupled(call, chunk, &w->current, w->exact.sums.exact);
    const demi_coupling c = demi_coupling_of(call);
    const uint64_t end = chunk->row_end;
    paces pace;
    memset(&pace, 0, sizeof pace);
    for (uint64_t first = chunk->row_begin; first < end; first += 4) {
        demi_group_drag drag;
        if (c.fluid != NULL)
            demi_group_drag_of(&c, velocities, first, end, 0, 1, &drag);
        for (uint64_t row = first; row < end && row < first + 4; ++row) {
            coupled_motion motion;
            demi_row_rates(&rows.outer, row, &rows.force_torque[row], &velocities[row],
                           &motion.linear, &motion.angular);
            motion.velocity = *demi_v4_at(velocities[row].velocity);
            motion.angular_velocity = *demi_v4_at(velocities[row].angular_velocity);
            begin_coupled(&c, &rows, row, row - first, x[row], &motion, &drag, x_next[row],
                          &velocities_next[row], &pace);
        }
    }
    chunk_began(call, chunk, &pace, &w->next, w->chunk_result.data + k);
}

static DEMI_INLINE void chunk_begin(const demi_phase_call *call, uint64_t k, int exact)
{
    dem_world *w = call->w;
    const demi_chunk *chunk = w->list.chunk.data + k;
    const demi_row *x = w->current.position.read;
    const demi_velocities *velocities = w->current.velocity.data;
    demi_row *x_next = w->next.position.data;
    demi_velocities *velocities_next = w->next.velocity.data;
    const chunk_rows rows = rows_of(call, chunk, &w->current, exact);
    paces pace;
    memset(&pace, 0, sizeof pace);
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        demi_v4 a, alpha;
        demi_row_rates(&rows.outer, row, &rows.force_torque[row], &velocities[row], &a, &alpha);
        begin_row(&rows, x[row], &velocities[row], &a, &alpha, x_next[row], &velocities_next[row],
                  &pace);
    }
    chunk_began(call, chunk, &pace, &w->next, w->chunk_result.data + k);
}

DEMI_ENTRY(demi_phase_function, demi_chunk_begin);

void demi_chunk_begin(const demi_phase_call *call, uint64_t k)
{
    if (demi_coupled(call->w))
        chunk_begin_coupled(call, k);
    else if (call->w->exact.sums.exact)
        chunk_begin(call, k, 1);
    else
        chunk_begin(call, k, 0);
}

/* ------------------------------------------------------------------ the second half */

/* Work of the host's forces on a free row, or of a row that moves as it was told. */
static void row_work(const demi_phase_call *call, uint64_t row, demi_chunk_result *result)
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
        const double *f0 = w->current.force_torque.data[row].force,
                     *t0 = w->current.force_torque.data[row].torque;
        result->work_boundary -=
            0.5 * call->dt * (demi_dot(f0, v) + demi_dot(f, v) + demi_dot(t0, s) + demi_dot(t, s));
    }
}

/* Adds the forces that chunks computed for each other to those of chunk k's rows. Chunk copies lie
 * anywhere, and are asked for well before they are added. */
static DEMI_INLINE void rows_sum(const dem_world *w, uint64_t k)
{
    const demi_chunk *chunk = w->list.chunk.data + k;
    const uint32_t *begin = w->list.reduction_begin.data;
    const demi_reduction *reduction = w->list.reduction.data,
                         *part = reduction + begin[chunk->row_begin],
                         *stop = reduction + begin[chunk->row_end];
    const demi_force_torque *chunk_copy = w->chunk_copy.data;
    demi_force_torque *force_torque = w->next.force_torque.data;
    for (; part < stop; ++part) {
        __builtin_prefetch(&chunk_copy[part[DEMI_REDUCTION_AHEAD].chunk_copy], 0, 2);
        demi_force_torque *to = &force_torque[part->row];
        *(demi_v4 *)to->force += *demi_v4_at(chunk_copy[part->chunk_copy].force);
        *(demi_v4 *)to->torque += *demi_v4_at(chunk_copy[part->chunk_copy].torque);
    }
}

/* The same with exact sums. */
DEMI_APART void rows_sum_exact(const dem_world *w, uint64_t k)
{
    const demi_chunk *chunk = w->list.chunk.data + k;
    const uint32_t *begin = w->list.reduction_begin.data;
    const demi_reduction *part = w->list.reduction.data + begin[chunk->row_begin],
                         *stop = w->list.reduction.data + begin[chunk->row_end];
    const demi_sums_row *chunk_copy = w->exact.chunk_copy.read;
    demi_sums_row *rows = w->exact.sums.row.data;
    for (; part < stop; ++part) {
        __builtin_prefetch(&chunk_copy[part[DEMI_REDUCTION_AHEAD].chunk_copy], 0, 2);
        uint64_t *to = &rows[part->row].force[0].high;
        const uint64_t *from = &chunk_copy[part->chunk_copy].force[0].high;
        for (int c = 0; c < DEM_SUMS_SIZE; c += 4)
            *(demi_exact_4 *)(to + c) += *(const demi_exact_4 *)(from + c);
    }
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row)
        demi_exact_values(&w->exact, &rows[row], &w->next.force_torque.data[row]);
}

DEMI_ENTRY(demi_phase_function, demi_chunk_sum);

void demi_chunk_sum(const demi_phase_call *call, uint64_t k)
{
    if (call->w->exact.sums.exact)
        rows_sum_exact(call->w, k);
    else
        rows_sum(call->w, k);
}

/* Works, and kicks a row to the end of the step. */
static DEMI_INLINE void end_row(const demi_phase_call *call, const chunk_rows *rows,
                                const demi_force_torque *force_torque, demi_velocities *velocities,
                                uint64_t row, demi_chunk_result *result, demi_v4 *linear,
                                demi_v4 *angular)
{
    if (rows->outer.force != NULL || rows->outer.torque != NULL ||
        !(velocities->angular_velocity[3] > 0.0))
        row_work(call, row, result);
    demi_row_rates(&rows->outer, row, force_torque, velocities, linear, angular);
    *(demi_v4 *)velocities->velocity += *linear * call->kick_second;
    *(demi_v4 *)velocities->angular_velocity += *angular * call->kick_second;
}

/* Where the end of a step in a coupled world reads and writes, and what the step began with. */
typedef struct coupled_rows {
    const demi_force_torque *force_torque_begun;
    const demi_velocities *velocities_begun;
    demi_velocities *velocities;
} coupled_rows;

static DEMI_INLINE coupled_rows coupled_rows_of(const dem_world *w)
{
    const coupled_rows t = {w->current.force_torque.read, w->current.velocity.read,
                            w->next.velocity.data};
    return t;
}

/* What the fluid gave a row that keeps its velocities. */
DEMI_APART void held_row_dragged(const demi_coupling *c, uint64_t row,
                                 const demi_velocities *velocities, demi_fluid_works *works,
                                 demi_chunk_result *result)
{
    const double time = c->drag_begun + c->second;
    demi_impulse *impulse = c->drag_impulse != NULL ? &c->drag_impulse[row] : NULL;
    demi_drag_book_held(works, DEMI_DRAG_LINEAR, demi_v4_at(c->fluid[row].velocity), time,
                        velocities->velocity, impulse != NULL ? impulse->linear : NULL,
                        &result->work_boundary);
    demi_drag_book_held(works, DEMI_DRAG_ANGULAR, demi_v4_at(c->fluid[row].angular_velocity), time,
                        velocities->angular_velocity, impulse != NULL ? impulse->angular : NULL,
                        &result->work_boundary);
}

/* Kicks row m of a group, which is free and may be dragged, and sums what the fluid gave it in the
 * step. t0: its velocities when the step began. */
static DEMI_INLINE void free_row_dragged(const demi_coupling *c, const chunk_rows *rows,
                                         uint64_t row, uint64_t m, const demi_group_drag *drag,
                                         const demi_force_torque *before,
                                         const demi_velocities *velocities,
                                         const demi_velocities *t0, demi_fluid_works *works,
                                         coupled_motion *motion)
{
    const demi_fluid *fluid = &c->fluid[row];
    demi_impulse *impulse = c->drag_impulse != NULL ? &c->drag_impulse[row] : NULL;
    const demi_v4 half = *demi_v4_at(velocities->velocity),
                  half_angular = *demi_v4_at(velocities->angular_velocity);
    const demi_v4 begun = *demi_v4_at(t0->velocity),
                  begun_angular = *demi_v4_at(t0->angular_velocity);
    const demi_impulse *film =
        c->film_change != NULL && c->drag_begun > 0.0 ? &c->film_change[row] : NULL;
    demi_v4 a0, alpha0;
    demi_row_rates(&rows->outer, row, before, velocities, &a0, &alpha0);
    demi_drag_end(c, works, drag, DEMI_DRAG_LINEAR + m, fluid->velocity, &a0, &begun,
                  film != NULL ? film->linear : NULL, &motion->linear, &half, &motion->velocity,
                  impulse != NULL ? impulse->linear : NULL);
    demi_drag_end(c, works, drag, DEMI_DRAG_ANGULAR + m, fluid->angular_velocity, &alpha0,
                  &begun_angular, film != NULL ? film->angular : NULL, &motion->angular,
                  &half_angular, &motion->angular_velocity,
                  impulse != NULL ? impulse->angular : NULL);
}

/* The same for row m of a group that a fluid may drag, and what fluid and contacts gave it in the
 * step. The velocities of t0 and of the middle of the step are in the two states; those of its end
 * replace the latter. */
static DEMI_INLINE void end_coupled(const demi_phase_call *call, const chunk_rows *rows,
                                    const coupled_rows *t, const demi_coupling *c, uint64_t row,
                                    uint64_t m, const demi_group_drag *drag,
                                    demi_fluid_works *works, demi_chunk_result *result,
                                    coupled_motion *motion)
{
    const demi_force_torque *force_torque = &rows->force_torque[row],
                            *before = &t->force_torque_begun[row];
    demi_velocities *velocities = &t->velocities[row];
    const int free = velocities->angular_velocity[3] > 0.0;
    /* nothing is left of a first kick that was booked */
    const demi_velocities *t0 = c->drag_begun > 0.0 ? &t->velocities_begun[row] : velocities;
    demi_contact_book(c, row, before, force_torque);
    if (rows->outer.force != NULL || rows->outer.torque != NULL || !free)
        row_work(call, row, result);
    demi_row_rates(&rows->outer, row, force_torque, velocities, &motion->linear, &motion->angular);
    motion->velocity = *demi_v4_at(velocities->velocity);
    motion->angular_velocity = *demi_v4_at(velocities->angular_velocity);
    const demi_v4 begun = *demi_v4_at(t0->velocity);
    if (c->fluid == NULL) {
        motion->velocity += motion->linear * c->second;
        motion->angular_velocity += motion->angular * c->second;
    } else if (free) {
        free_row_dragged(c, rows, row, m, drag, before, velocities, t0, works, motion);
    } else {
        const demi_coupling of_held = *c;
        demi_fluid_works sums = *works;
        held_row_dragged(&of_held, row, velocities, &sums, result);
        *works = sums;
        return;
    }
    *(demi_v4 *)velocities->velocity = motion->velocity;
    *(demi_v4 *)velocities->angular_velocity = motion->angular_velocity;
    if (free)
        demi_added_book(c, row, &begun, &motion->velocity);
}

/* Sets out to end a step. */
static DEMI_INLINE void chunk_end_begins(const demi_phase_call *call, uint64_t k)
{
    demi_chunk *chunk = call->w->list.chunk.data + k;
    demi_chunk_result *result = call->w->chunk_result.data + k;
    result->work_external = result->work_boundary = 0.0;
    chunk->displacement_bound = result->displacement_bound;
    if (!call->summed)
        demi_chunk_sum(call, k);
}

/* The same for a ghost: its owner books what it gets. */
DEMI_APART void end_ghost(const demi_phase_call *call, const chunk_rows *rows,
                          const coupled_rows *t, const demi_coupling *c, uint64_t row, uint64_t m,
                          const demi_group_drag *drag)
{
    demi_coupling silent = *c;
    demi_fluid_works works;
    demi_chunk_result result;
    coupled_motion motion;
    silent.drag_impulse = silent.contact_impulse = NULL;
    memset(&works, 0, sizeof works);
    memset(&result, 0, sizeof result);
    end_coupled(call, rows, t, &silent, row, m, drag, &works, &result, &motion);
}

/* The second half in a coupled world. */
DEMI_APART void chunk_end_coupled(const demi_phase_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const demi_chunk *chunk = w->list.chunk.data + k;
    demi_chunk_result *result = w->chunk_result.data + k;
    const chunk_rows rows = rows_coupled(call, chunk, &w->next, 0);
    const uint64_t end = chunk->row_end;
    const demi_coupling c = demi_coupling_of(call);
    const coupled_rows t = coupled_rows_of(w);
    const int ghosts = w->ghosts.count > 0;
    demi_fluid_works works;
    memset(&works, 0, sizeof works);
    chunk_end_begins(call, k);
    for (uint64_t first = chunk->row_begin; first < end; first += 4) {
        demi_group_drag drag;
        if (c.fluid != NULL)
            demi_group_drag_of(&c, t.velocities, first, end, 1, 0, &drag);
        for (uint64_t row = first; row < end && row < first + 4; ++row) {
            coupled_motion motion;
            if (ghosts && demi_kinds[w->body.read[row].kind].ghost) {
                const chunk_rows rows_there = rows;
                const coupled_rows ends_there = t;
                const demi_coupling coupling = c;
                demi_group_drag of_group;
                memset(&of_group, 0, sizeof of_group);
                if (c.fluid != NULL)
                    of_group = drag;
                end_ghost(call, &rows_there, &ends_there, &coupling, row, row - first, &of_group);
                continue;
            }
            end_coupled(call, &rows, &t, &c, row, row - first, &drag, &works, result, &motion);
        }
    }
    demi_fluid_works_result(&works, result);
}

static DEMI_INLINE void chunk_end(const demi_phase_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const demi_chunk *chunk = w->list.chunk.data + k;
    demi_chunk_result *result = w->chunk_result.data + k;
    demi_force_torque *force_torque = w->next.force_torque.data;
    demi_velocities *velocities = w->next.velocity.data;
    const chunk_rows rows = rows_of(call, chunk, &w->next, 0);
    chunk_end_begins(call, k);
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        demi_v4 a, alpha;
        end_row(call, &rows, &force_torque[row], &velocities[row], row, result, &a, &alpha);
    }
}

DEMI_ENTRY(demi_phase_function, demi_chunk_end);

void demi_chunk_end(const demi_phase_call *call, uint64_t k)
{
    if (demi_coupled(call->w))
        chunk_end_coupled(call, k);
    else
        chunk_end(call, k);
}

/* ------------------------------------------------------------------ both at once */

/* Where a fused kick and drift reads and writes. */
typedef struct fused_rows {
    const demi_row *x;
    demi_row *x_after;
    const demi_force_torque *force_torque;
    demi_velocities *velocities, *velocities_after;
} fused_rows;

/* plain: the host has no forces. */
static DEMI_INLINE void row_fused(const demi_phase_call *call, const chunk_rows *rows,
                                  const fused_rows *t, uint64_t row, int plain, paces *pace,
                                  demi_chunk_result *result)
{
    const demi_force_torque *force_torque = &t->force_torque[row];
    demi_velocities *velocities = &t->velocities[row];
    demi_v4 a, alpha;
    if (plain && velocities->angular_velocity[3] > 0.0) {
        demi_free_rates(&rows->outer, demi_v4_at(force_torque->force),
                        demi_v4_at(force_torque->torque), velocities, &a, &alpha);
        *(demi_v4 *)velocities->velocity += a * call->kick_second;
        *(demi_v4 *)velocities->angular_velocity += alpha * call->kick_second;
    } else
        end_row(call, rows, force_torque, velocities, row, result, &a, &alpha);
    begin_row(rows, t->x[row], velocities, &a, &alpha, t->x_after[row], &t->velocities_after[row],
              pace);
}

static DEMI_INLINE fused_rows fused_rows_of(const dem_world *w)
{
    const fused_rows t = {w->next.position.read, w->current.position.data,
                          w->next.force_torque.data, w->next.velocity.data,
                          w->current.velocity.data};
    return t;
}

/* Records of all rows, and what is the same for all of a chunk. */
typedef struct dragged_rows {
    const double *fluid, *before, *force_torque;
    double *half, *after, *seen, *drag_impulse, *contact_impulse;
    demi_vr gravity[DEMI_VR_PARTS], mean_velocity[DEMI_VR_PARTS];
} dragged_rows;

static DEMI_INLINE dragged_rows dragged_rows_of(const demi_coupling *c, const chunk_rows *rows,
                                                const fused_rows *t,
                                                const demi_force_torque *before)
{
    dragged_rows d = {.fluid = c->fluid != NULL ? c->fluid->velocity : NULL,
                      .before = before->force,
                      .force_torque = t->force_torque->force,
                      .half = t->velocities->velocity,
                      .after = t->velocities_after->velocity,
                      .seen = c->damping_velocity->velocity,
                      .drag_impulse = c->drag_impulse != NULL ? c->drag_impulse->linear : NULL,
                      .contact_impulse =
                          c->contact_impulse != NULL ? c->contact_impulse->linear : NULL};
    /* what is added to the acceleration of an angle leaves all bits as they are */
    double gravity[8] = {0.0, 0.0, 0.0, 0.0, -0.0, -0.0, -0.0, -0.0}, mean[8] = {0.0};
    memcpy(gravity, rows->outer.gravity, 3 * sizeof(double));
    for (int k = 0; k < 3; ++k)
        mean[k] = rows->mean_velocity[k];
    for (int part = 0; part < DEMI_VR_PARTS; ++part) {
        d.gravity[part] = *demi_vr_at(gravity + part * DEMI_VR_SIZE);
        d.mean_velocity[part] = *demi_vr_at(mean + part * DEMI_VR_SIZE);
    }
    return d;
}

/* Asks for what a later row has and no other pass of the step reads: more streams than a processor
 * follows of itself. */
static DEMI_INLINE void dragged_prefetch(const dragged_rows *d, uint64_t place)
{
    enum { AHEAD = 32 * 8 };
    __builtin_prefetch(d->fluid + place + AHEAD, 0, 3);
    __builtin_prefetch(d->before + place + AHEAD, 0, 3);
    __builtin_prefetch(d->drag_impulse + place + AHEAD, 0, 3);
    __builtin_prefetch(d->contact_impulse + place + AHEAD, 0, 3);
}

/* Part of the free row m of a group, on which nothing but fluid, contacts and gravity act: what
 * end_coupled and begin_coupled do. */
static DEMI_INLINE void part_fused_dragged(const demi_coupling *c, const dragged_rows *d,
                                           uint64_t row, uint64_t m, int part, int summed,
                                           const demi_group_drag *drag, demi_fluid_works *works,
                                           demi_vr *pace, demi_vr *after)
{
    const int at = part * DEMI_VR_SIZE;
    const uint64_t place = 8 * row + (uint64_t)at;
    const demi_vr zero = {0.0}, u = *demi_vr_at(d->fluid + place),
                  vh = *demi_vr_at(d->half + place), v0 = *demi_vr_at(d->after + place),
                  f0 = *demi_vr_at(d->before + place), f = *demi_vr_at(d->force_torque + place);
    demi_vr by_contacts = zero, by_fluid = zero;
    if (summed) {
        dragged_prefetch(d, place);
        by_contacts = *demi_vr_at(d->contact_impulse + place);
        by_fluid = *demi_vr_at(d->drag_impulse + place);
    }
    demi_vr inverse, rate, kick, inertia, begin, damping;
    demi_vr_places dragged;
    demi_vr_spread_last(&vh, &inverse);
    demi_vr_spread(drag->rate, at, m, &rate);
    demi_vr_spread(drag->kick, at, m, &kick);
    demi_vr_spread(drag->inertia, at, m, &inertia);
    demi_vr_spread(drag->begin, at, m, &begin);
    demi_vr_spread(drag->damping, at, m, &damping);
    demi_vr_positive(&rate, &dragged);
    const demi_vr a0 = f0 * inverse + d->gravity[part], a = f * inverse + d->gravity[part];
    const demi_vr end = DEMI_VR_WHERE(dragged, a + (u - vh) * rate, a), v1 = vh + end * kick;
    const demi_vr first = (vh - v0) - a0 * c->drag_begun, second = (v1 - vh) - a * c->second,
                  given = DEMI_VR_WHERE(dragged, (first + second) * inertia, zero),
                  twice =
                      (first * ((u - v0) + (u - vh)) + second * ((u - vh) + (u - v1))) * inertia;
    works->work[part] += given * u;
    works->dissipated_twice[part] += DEMI_VR_WHERE(dragged, twice, zero);
    const demi_vr begun = DEMI_VR_WHERE(dragged, a + (u - v1) * rate, a), v2 = v1 + begun * begin,
                  off = v2 - d->mean_velocity[part];
    *(demi_vr *)(d->half + place) = v1;
    if (c->again_inverse != 0.0)
        *(demi_vr *)(d->seen + place) = DEMI_VR_WHERE(dragged, v2 - begun * damping, v1);
    *(demi_vr *)(d->after + place) = v2;
    if (summed) {
        *(demi_vr *)(d->contact_impulse + place) = by_contacts + (f0 * c->begun + f * c->second);
        *(demi_vr *)(d->drag_impulse + place) = by_fluid + given;
    }
    demi_vr_rise(&pace[part], &off);
    after[part] = v2;
}

static DEMI_INLINE void row_fused_dragged(const demi_coupling *c, const chunk_rows *rows,
                                          const fused_rows *t, const dragged_rows *d, uint64_t row,
                                          uint64_t m, int summed, const demi_group_drag *drag,
                                          demi_fluid_works *works, demi_vr *pace)
{
    demi_vr v[DEMI_VR_PARTS];
    demi_v4 half[2];
    for (int part = 0; part < DEMI_VR_PARTS; ++part)
        part_fused_dragged(c, d, row, m, part, summed, drag, works, pace, v);
    demi_vr_halves(v, half);
    position_drift(rows, t->x[row], &half[0], t->x_after[row]);
}

/* A chunk in the pass that ends a step and begins the next. */
typedef struct fused_pass {
    const demi_phase_call *call;
    demi_chunk_result *result;
    uint64_t begin, end; /* rows */
    chunk_rows rows;
    fused_rows t;
    coupled_rows ends;
    demi_coupling c;
} fused_pass;

/* Row m of a group, of any kind. */
static DEMI_INLINE void row_fused_coupled(const fused_pass *of, uint64_t row, uint64_t m,
                                          const demi_group_drag *drag, demi_fluid_works *works,
                                          paces *pace)
{
    const fused_rows *t = &of->t;
    coupled_motion motion;
    end_coupled(of->call, &of->rows, &of->ends, &of->c, row, m, drag, works, of->result, &motion);
    begin_coupled(&of->c, &of->rows, row, m, t->x[row], &motion, drag, t->x_after[row],
                  &t->velocities_after[row], pace);
}

DEMI_APART void row_fused_apart(const fused_pass *of, uint64_t row, uint64_t m,
                                const demi_group_drag *drag, demi_fluid_works *works, paces *pace)
{
    row_fused_coupled(of, row, m, drag, works, pace);
}

/* Rows of which all that are free go the quick way. */
static DEMI_INLINE void rows_fused_dragged(const fused_pass *of, int summed, demi_fluid_works *sums,
                                           paces *pace)
{
    const demi_coupling c = of->c;
    const chunk_rows rows = of->rows;
    const fused_rows t = of->t;
    const uint64_t end = of->end;
    const dragged_rows d = dragged_rows_of(&c, &rows, &t, of->ends.force_torque_begun);
    demi_fluid_works works = *sums;
    demi_vr most[DEMI_VR_PARTS];
    for (int part = 0; part < DEMI_VR_PARTS; ++part)
        most[part] = (demi_vr){0.0};
    /* the next group's divisions take their time while the rows of this one are made */
    demi_group_drag drags[2];
    int g = 0;
    if (of->begin < end)
        demi_group_drag_of(&c, t.velocities, of->begin, end, 1, 1, &drags[0]);
    for (uint64_t first = of->begin; first < end; first += 4, g ^= 1) {
        if (first + 4 < end)
            demi_group_drag_of(&c, t.velocities, first + 4, end, 1, 1, &drags[g ^ 1]);
        const demi_group_drag *drag = &drags[g];
        for (uint64_t m = 0; m < 4 && first + m < end; ++m)
            if (t.velocities[first + m].angular_velocity[3] > 0.0)
                row_fused_dragged(&c, &rows, &t, &d, first + m, m, summed, drag, &works, most);
            else {
                demi_fluid_works copy = works;
                row_fused_apart(of, first + m, m, drag, &copy, pace);
                works = copy;
            }
    }
    *sums = works;
    paces_rise(pace, most);
}

DEMI_APART void rows_fused_summed(const fused_pass *of, demi_fluid_works *sums, paces *pace)
{
    rows_fused_dragged(of, 1, sums, pace);
}

DEMI_APART void rows_fused_plain(const fused_pass *of, demi_fluid_works *sums, paces *pace)
{
    rows_fused_dragged(of, 0, sums, pace);
}

/* Rows on which the host's forces act, too, or that have added masses or films. */
DEMI_APART void rows_fused_coupled(const fused_pass *of, demi_fluid_works *works, paces *pace)
{
    for (uint64_t first = of->begin; first < of->end; first += 4) {
        demi_group_drag drag;
        if (of->c.fluid != NULL)
            demi_group_drag_of(&of->c, of->t.velocities, first, of->end, 1, 1, &drag);
        for (uint64_t m = 0; m < 4 && first + m < of->end; ++m)
            row_fused_coupled(of, first + m, m, &drag, works, pace);
    }
}

/* Whether free rows may go the quick way. */
static DEMI_INLINE int only_dragged(const demi_coupling *c, const demi_outer *outer)
{
    return c->fluid != NULL && c->drag_begun > 0.0 && outer->force == NULL &&
           outer->torque == NULL && outer->added == NULL && c->film_change == NULL &&
           c->film_impulse == NULL;
}

/* Both in a coupled world. */
DEMI_APART void chunk_fused_coupled(const demi_phase_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const demi_chunk *chunk = w->list.chunk.data + k;
    demi_chunk_result *result = w->chunk_result.data + k;
    const fused_pass pass = {.call = call,
                             .result = result,
                             .begin = chunk->row_begin,
                             .end = chunk->row_end,
                             .rows = rows_coupled(call, chunk, &w->next, w->exact.sums.exact),
                             .t = fused_rows_of(w),
                             .ends = coupled_rows_of(w),
                             .c = demi_coupling_of(call)};
    demi_fluid_works works;
    paces pace;
    memset(&works, 0, sizeof works);
    memset(&pace, 0, sizeof pace);
    chunk_end_begins(call, k);
    if (!only_dragged(&pass.c, &pass.rows.outer))
        rows_fused_coupled(&pass, &works, &pace);
    else if (pass.c.drag_impulse != NULL)
        rows_fused_summed(&pass, &works, &pace);
    else
        rows_fused_plain(&pass, &works, &pace);
    demi_fluid_works_result(&works, result);
    chunk_began(call, chunk, &pace, &w->current, result);
}

static DEMI_INLINE void chunk_fused(const demi_phase_call *call, uint64_t k, int exact)
{
    dem_world *w = call->w;
    const demi_chunk *chunk = w->list.chunk.data + k;
    demi_chunk_result *result = w->chunk_result.data + k;
    const fused_rows fused = fused_rows_of(w);
    const chunk_rows rows = rows_of(call, chunk, &w->next, exact);
    paces pace;
    memset(&pace, 0, sizeof pace);
    /* copies that no store can change, in the compiler's eyes */
    const demi_phase_call local = *call;
    const uint64_t end = chunk->row_end;
    chunk_end_begins(call, k);
    if (rows.outer.force == NULL && rows.outer.torque == NULL)
        for (uint64_t row = chunk->row_begin; row < end; ++row)
            row_fused(&local, &rows, &fused, row, 1, &pace, result);
    else
        for (uint64_t row = chunk->row_begin; row < end; ++row)
            row_fused(&local, &rows, &fused, row, 0, &pace, result);
    chunk_began(call, chunk, &pace, &w->current, result);
}

DEMI_ENTRY(demi_phase_function, demi_chunk_fused);

/* The end of a step and the beginning of the next, which is made where the step began. */
void demi_chunk_fused(const demi_phase_call *call, uint64_t k)
{
    if (demi_coupled(call->w))
        chunk_fused_coupled(call, k);
    else if (call->w->exact.sums.exact)
        chunk_fused(call, k, 1);
    else
        chunk_fused(call, k, 0);
}

/* ------------------------------------------------------------------ measured displacements */

DEMI_ENTRY(demi_phase_function, demi_chunk_bound);

/* Sums of the squares of the first three of four rows. */
static DEMI_INLINE void squares(const demi_v4 rows[4], demi_v4 *sums)
{
    demi_v4 r[4];
    for (int m = 0; m < 4; ++m)
        r[m] = rows[m] * rows[m];
    demi_v4_transpose(r);
    *sums = r[0] + r[1] + r[2];
}

/* How far rows of the next state are from where the chunk's mean velocity took them. */
void demi_chunk_bound(const demi_phase_call *call, uint64_t k)
{
    const dem_world *w = call->w;
    const demi_chunk *chunk = w->list.chunk.data + k;
    const demi_row *x = w->next.position.read, *built = w->built.read;
    const double *d = chunk->mean_velocity;
    const demi_v4 drifted = {d[0] * call->elapsed, d[1] * call->elapsed, d[2] * call->elapsed, 0.0};
    demi_v4 most = {0.0, 0.0, 0.0, 0.0};
    for (uint64_t first = chunk->row_begin; first < chunk->row_end; first += 4) {
        demi_v4 off[4], square;
        for (uint64_t m = 0; m < 4; ++m) {
            const uint64_t row = first + m < chunk->row_end ? first + m : chunk->row_end - 1;
            off[m] = *demi_v4_at(x[row]) - *demi_v4_at(built[row]) - drifted;
        }
        squares(off, &square);
        demi_v4_rise(&most, &square);
    }
    demi_chunk_result *result = w->chunk_result.data + k;
    double largest = 0.0;
    for (int m = 0; m < 4; ++m)
        largest = most[m] > largest ? most[m] : largest;
    const double displacement_bound = sqrt(largest);
    result->displacement_bound = displacement_bound < result->displacement_bound
                                     ? displacement_bound
                                     : result->displacement_bound;
}
