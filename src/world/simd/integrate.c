/* SPDX-License-Identifier: MIT */
/* The two halves of the integration of a chunk's rows. The last places of rows hold what belongs to
 * the particle (world.h); arithmetic passes over them. */
#include "base/check.h"
#include "base/vector.h"
#include "world/simd/coupled.h"
#include "world/simd/rows.h"
#include "world/world.h"

#include <string.h>

/* Where rows are read and written. */
typedef struct chunk_rows {
    const demi_force_torque *force_torque;
    demi_outer outer;
    demi_v4 mean_velocity;
    double dt, kick; /* of the step that begins */
} chunk_rows;

static DEMI_INLINE chunk_rows rows_of(const demi_phase_call *call, const demi_chunk *chunk,
                                      const demi_state *state)
{
    const dem_world *w = call->w;
    const double *d = chunk->mean_velocity;
    const chunk_rows rows = {state->force_torque.data,
                             demi_outer_of(w),
                             {d[0], d[1], d[2], 0.0},
                             call->dt,
                             call->kick_first};
    return rows;
}

/* ------------------------------------------------------------------ the first half */

/* Bounds on what a chunk has seen of its rows: velocities off its mean velocity, and angular
 * velocities. */
typedef struct paces {
    demi_v4 off, angular_velocity;
} paces;

/* Times by which accelerations kick a row. */
typedef struct row_kicks {
    double linear, angular;
} row_kicks;

static DEMI_INLINE row_kicks kicks_alike(double time)
{
    const row_kicks kicks = {time, time};
    return kicks;
}

/* First kick of the velocities, and drift. */
static DEMI_INLINE void begin_row(const chunk_rows *of, const double *x,
                                  const demi_velocities *velocities, const demi_v4 *linear,
                                  const demi_v4 *angular, row_kicks kick, double *x_next,
                                  demi_velocities *velocities_next, paces *pace)
{
    const demi_v4 v = *demi_v4_at(velocities->velocity) + *linear * kick.linear,
                  s = *demi_v4_at(velocities->angular_velocity) + *angular * kick.angular,
                  x0 = *demi_v4_at(x), x1 = x0 + v * of->dt;
    *(demi_v4 *)velocities_next->velocity = v;
    *(demi_v4 *)velocities_next->angular_velocity = s;
    *(demi_v4 *)x_next = DEMI_V4_KEEP_LAST(x1, x0);
    const demi_v4 off = v - of->mean_velocity;
    demi_v4_rise(&pace->off, &off);
    demi_v4_rise(&pace->angular_velocity, &s);
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
    /* not a number is never less */
    if (!isless(off + angular_velocity + result->displacement_bound + result->displacement,
                DEMI_FORCE_MOST))
        diverged(chunk, state->position.read, state->velocity.data, result);
}

/* The same for a row that a fluid drags; its accelerations are those of all other forces. */
static DEMI_INLINE void begin_coupled(const demi_coupling *c, const chunk_rows *of, uint64_t row,
                                      const double *x, const demi_velocities *velocities,
                                      demi_row_drag *drag, demi_v4 *linear, demi_v4 *angular,
                                      double *x_next, demi_velocities *velocities_next, paces *pace)
{
    if (c->fluid == NULL) {
        begin_row(of, x, velocities, linear, angular, kicks_alike(of->kick), x_next,
                  velocities_next, pace);
        return;
    }
    const demi_velocities t0 = *velocities; /* the next ones may be in its place */
    demi_drag_add(&drag->linear, t0.velocity, linear);
    demi_drag_add(&drag->angular, t0.angular_velocity, angular);
    const demi_kicks_begin v = demi_kicks_begin_of(c, &drag->linear),
                           s = demi_kicks_begin_of(c, &drag->angular);
    const row_kicks kicks = {v.kick, s.kick};
    begin_row(of, x, &t0, linear, angular, kicks, x_next, velocities_next, pace);
    demi_velocities *seen = &c->damping_velocity[row];
    demi_damping_velocity(&drag->linear, v.damping, t0.velocity, velocities_next->velocity, linear,
                          seen->velocity);
    demi_damping_velocity(&drag->angular, s.damping, t0.angular_velocity,
                          velocities_next->angular_velocity, angular, seen->angular_velocity);
}

static DEMI_INLINE void chunk_begin(const demi_phase_call *call, uint64_t k, int coupled)
{
    dem_world *w = call->w;
    const demi_chunk *chunk = w->list.chunk.data + k;
    const demi_row *x = w->current.position.read;
    const demi_velocities *velocities = w->current.velocity.data;
    demi_row *x_next = w->next.position.data;
    demi_velocities *velocities_next = w->next.velocity.data;
    const chunk_rows rows = rows_of(call, chunk, &w->current);
    const demi_coupling c = demi_coupling_of(call);
    paces pace;
    memset(&pace, 0, sizeof pace);
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        demi_v4 a, alpha;
        demi_row_rates(&rows.outer, row, &rows.force_torque[row], &velocities[row], &a, &alpha);
        demi_row_drag drag;
        if (coupled && c.fluid != NULL)
            demi_row_drag_of(&c, row, &velocities[row], &drag);
        if (coupled)
            begin_coupled(&c, &rows, row, x[row], &velocities[row], &drag, &a, &alpha, x_next[row],
                          &velocities_next[row], &pace);
        else
            begin_row(&rows, x[row], &velocities[row], &a, &alpha, kicks_alike(rows.kick),
                      x_next[row], &velocities_next[row], &pace);
    }
    chunk_began(call, chunk, &pace, &w->next, w->chunk_result.data + k);
}

DEMI_ENTRY(demi_phase_function, demi_chunk_begin);

void demi_chunk_begin(const demi_phase_call *call, uint64_t k)
{
    if (demi_coupled(call->w))
        chunk_begin(call, k, 1);
    else
        chunk_begin(call, k, 0);
}

/* ------------------------------------------------------------------ the second half */

/* Work of the host's forces on a free row, or of a row that moves as it was told. */
static void row_work(const dem_world *w, uint64_t row, double dt, demi_chunk_result *result)
{
    const double *v = w->next.velocity.data[row].velocity,
                 *s = w->next.velocity.data[row].angular_velocity;
    const double *f = w->next.force_torque.data[row].force,
                 *t = w->next.force_torque.data[row].torque;
    if (s[3] > 0.0) {
        if (w->external_force.data != NULL)
            result->work_external += demi_dot(w->external_force.data[row], v) * dt;
        if (w->external_torque.data != NULL)
            result->work_external += demi_dot(w->external_torque.data[row], s) * dt;
    } else if (demi_any3(v) || demi_any3(s)) {
        const double *f0 = w->current.force_torque.data[row].force,
                     *t0 = w->current.force_torque.data[row].torque;
        result->work_boundary -=
            0.5 * dt * (demi_dot(f0, v) + demi_dot(f, v) + demi_dot(t0, s) + demi_dot(t, s));
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
    const demi_force_torque *chunk_copy = w->list.chunk_copy.data;
    demi_force_torque *force_torque = w->next.force_torque.data;
    for (; part < stop; ++part) {
        __builtin_prefetch(&chunk_copy[part[DEMI_REDUCTION_AHEAD].chunk_copy], 0, 2);
        demi_force_torque *to = &force_torque[part->row];
        *(demi_v4 *)to->force += *demi_v4_at(chunk_copy[part->chunk_copy].force);
        *(demi_v4 *)to->torque += *demi_v4_at(chunk_copy[part->chunk_copy].torque);
    }
}

/* Works, and kicks a row to the end of the step. */
static DEMI_INLINE void end_row(const demi_phase_call *call, const chunk_rows *rows,
                                const demi_force_torque *force_torque, demi_velocities *velocities,
                                uint64_t row, demi_chunk_result *result, demi_v4 *linear,
                                demi_v4 *angular)
{
    if (rows->outer.force != NULL || rows->outer.torque != NULL ||
        !(velocities->angular_velocity[3] > 0.0))
        row_work(call->w, row, call->dt, result);
    demi_row_rates(&rows->outer, row, force_torque, velocities, linear, angular);
    *(demi_v4 *)velocities->velocity += *linear * call->kick_second;
    *(demi_v4 *)velocities->angular_velocity += *angular * call->kick_second;
}

/* The same for a row that a fluid drags, and what the fluid gave it in the step. The velocities of
 * t0 and of the middle of the step are in the two states. */
static DEMI_INLINE void end_dragged(const demi_phase_call *call, const chunk_rows *rows,
                                    demi_coupling *c, uint64_t row, demi_row_drag *drag,
                                    demi_chunk_result *result, demi_v4 *linear, demi_v4 *angular)
{
    dem_world *w = call->w;
    const demi_force_torque *force_torque = &rows->force_torque[row];
    demi_velocities *velocities = &w->next.velocity.data[row];
    const demi_velocities half = *velocities, t0 = w->current.velocity.read[row];
    demi_v4 a0, alpha0, impulse = {0.0, 0.0, 0.0, 0.0}, angular_impulse = impulse;
    if (rows->outer.force != NULL || rows->outer.torque != NULL ||
        !(half.angular_velocity[3] > 0.0))
        row_work(w, row, call->dt, result);
    demi_row_rates(&rows->outer, row, force_torque, &half, linear, angular);
    demi_row_rates(&rows->outer, row, &w->current.force_torque.read[row], &half, &a0, &alpha0);
    demi_row_drag_of(c, row, &half, drag);
    demi_v4 a1 = *linear, alpha1 = *angular;
    demi_drag_add(&drag->linear, half.velocity, &a1);
    demi_drag_add(&drag->angular, half.angular_velocity, &alpha1);
    *(demi_v4 *)velocities->velocity += a1 * drag->linear.second.kick;
    *(demi_v4 *)velocities->angular_velocity += alpha1 * drag->angular.second.kick;
    if (half.angular_velocity[3] > 0.0) {
        const double mass = w->particle.read[row].mass, radius = w->next.position.read[row][3];
        demi_drag_book(c, &drag->linear, mass, c->begun, &a0, t0.velocity, half.velocity, &impulse);
        demi_drag_book(c, &drag->linear, mass, c->second, linear, half.velocity,
                       velocities->velocity, &impulse);
        const double inertia = 0.4 * mass * radius * radius;
        demi_drag_book(c, &drag->angular, inertia, c->begun, &alpha0, t0.angular_velocity,
                       half.angular_velocity, &angular_impulse);
        demi_drag_book(c, &drag->angular, inertia, c->second, angular, half.angular_velocity,
                       velocities->angular_velocity, &angular_impulse);
    } else {
        const double time = c->begun + c->second;
        demi_drag_book_held(c, &drag->linear.u, time, half.velocity, &impulse,
                            &result->work_boundary);
        demi_drag_book_held(c, &drag->angular.u, time, half.angular_velocity, &angular_impulse,
                            &result->work_boundary);
    }
    if (c->drag_impulse != NULL) {
        *(demi_v4 *)c->drag_impulse[row].linear += impulse;
        *(demi_v4 *)c->drag_impulse[row].angular += angular_impulse;
    }
}

/* Either, and what contacts gave. */
static DEMI_INLINE void end_coupled(const demi_phase_call *call, const chunk_rows *rows,
                                    demi_coupling *c, uint64_t row, demi_row_drag *drag,
                                    demi_chunk_result *result, demi_v4 *linear, demi_v4 *angular)
{
    dem_world *w = call->w;
    demi_contact_book(c, row, &w->current.force_torque.read[row], &rows->force_torque[row]);
    if (c->fluid != NULL)
        end_dragged(call, rows, c, row, drag, result, linear, angular);
    else
        end_row(call, rows, &rows->force_torque[row], &w->next.velocity.data[row], row, result,
                linear, angular);
}

static DEMI_INLINE void chunk_end(const demi_phase_call *call, uint64_t k, int coupled)
{
    dem_world *w = call->w;
    demi_chunk *chunk = w->list.chunk.data + k;
    demi_chunk_result *result = w->chunk_result.data + k;
    demi_force_torque *force_torque = w->next.force_torque.data;
    demi_velocities *velocities = w->next.velocity.data;
    const chunk_rows rows = rows_of(call, chunk, &w->next);
    demi_coupling c = demi_coupling_of(call);
    result->work_external = result->work_boundary = 0.0;
    chunk->displacement_bound = result->displacement_bound;
    rows_sum(w, k);
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        demi_v4 a, alpha;
        demi_row_drag drag;
        if (coupled)
            end_coupled(call, &rows, &c, row, &drag, result, &a, &alpha);
        else
            end_row(call, &rows, &force_torque[row], &velocities[row], row, result, &a, &alpha);
    }
    demi_coupling_result(&c, result);
}

DEMI_ENTRY(demi_phase_function, demi_chunk_end);

void demi_chunk_end(const demi_phase_call *call, uint64_t k)
{
    if (demi_coupled(call->w))
        chunk_end(call, k, 1);
    else
        chunk_end(call, k, 0);
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
    begin_row(rows, t->x[row], velocities, &a, &alpha, kicks_alike(rows->kick), t->x_after[row],
              &t->velocities_after[row], pace);
}

DEMI_ENTRY(demi_phase_function, demi_chunk_fused);

/* The end of a step and the beginning of the next, which is made where the step began. */
void demi_chunk_fused(const demi_phase_call *call, uint64_t k)
{
    dem_world *w = call->w;
    demi_chunk *chunk = w->list.chunk.data + k;
    demi_chunk_result *result = w->chunk_result.data + k;
    demi_coupling c = demi_coupling_of(call);
    const fused_rows fused = {w->next.position.read, w->current.position.data,
                              w->next.force_torque.data, w->next.velocity.data,
                              w->current.velocity.data};
    const chunk_rows rows = rows_of(call, chunk, &w->next);
    paces pace;
    memset(&pace, 0, sizeof pace);
    result->work_external = result->work_boundary = 0.0;
    chunk->displacement_bound = result->displacement_bound;
    /* copies that no store can change, in the compiler's eyes */
    const demi_phase_call local = *call;
    const uint64_t end = chunk->row_end;
    rows_sum(w, k);
    if (demi_coupled(w)) {
        for (uint64_t row = chunk->row_begin; row < end; ++row) {
            demi_v4 a, alpha;
            demi_row_drag drag;
            end_coupled(&local, &rows, &c, row, &drag, result, &a, &alpha);
            begin_coupled(&c, &rows, row, fused.x[row], &fused.velocities[row], &drag, &a, &alpha,
                          fused.x_after[row], &fused.velocities_after[row], &pace);
        }
        demi_coupling_result(&c, result);
    } else if (rows.outer.force == NULL && rows.outer.torque == NULL)
        for (uint64_t row = chunk->row_begin; row < end; ++row)
            row_fused(&local, &rows, &fused, row, 1, &pace, result);
    else
        for (uint64_t row = chunk->row_begin; row < end; ++row)
            row_fused(&local, &rows, &fused, row, 0, &pace, result);
    chunk_began(call, chunk, &pace, &w->current, result);
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
