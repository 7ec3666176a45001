/* SPDX-License-Identifier: MIT */
/* The two halves of the integration of a chunk's rows. Those that are coupled to a fluid are in
 * coupled.c. */
#include "world/simd/integrate.h"

#include "world/simd/exact.h"

#include <string.h>

/* ------------------------------------------------------------------ the first half */

/* First kick of the velocities, and drift. */
static DEMI_INLINE void begin_row(const demi_rows_pass *of, const double *x,
                                  const demi_velocities *velocities, const demi_v4 *linear,
                                  const demi_v4 *angular, double *x_next,
                                  demi_velocities *velocities_next, demi_paces *pace)
{
    const demi_v4 v = *demi_v4_at(velocities->velocity) + *linear * of->kick,
                  s = *demi_v4_at(velocities->angular_velocity) + *angular * of->kick;
    demi_row_drift(of, x, &v, &s, x_next, velocities_next, pace);
}

static DEMI_INLINE void chunk_begin(const demi_phase_call *call, uint64_t k, int exact)
{
    dem_world *w = call->w;
    const demi_chunk *chunk = w->list.chunk.data + k;
    const demi_row *x = w->current.position.read;
    const demi_velocities *velocities = w->current.velocity.data;
    demi_row *x_next = w->next.position.data;
    demi_velocities *velocities_next = w->next.velocity.data;
    const demi_rows_pass rows = demi_rows_pass_of(call, chunk, &w->current, exact);
    demi_paces pace;
    memset(&pace, 0, sizeof pace);
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        demi_v4 a, alpha;
        demi_row_rates(&rows.outer, row, &rows.force_torque[row], &velocities[row], &a, &alpha);
        begin_row(&rows, x[row], &velocities[row], &a, &alpha, x_next[row], &velocities_next[row],
                  &pace);
    }
    demi_chunk_began(call, chunk, &pace, &w->next, w->chunk_result.data + k);
}

DEMI_ENTRY(demi_phase_function, demi_chunk_begin);

void demi_chunk_begin(const demi_phase_call *call, uint64_t k)
{
    if (call->w->exact.sums.exact)
        chunk_begin(call, k, 1);
    else
        chunk_begin(call, k, 0);
}

/* ------------------------------------------------------------------ the second half */

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
        for (int p = 0; p < 8; p += DEMI_VR_SIZE)
            *(demi_vr *)(to->force + p) += *demi_vr_at(chunk_copy[part->chunk_copy].force + p);
    }
}

/* The same with exact sums. */
DEMI_APART void rows_sum_exact(const dem_world *w, uint64_t k)
{
    const demi_chunk *chunk = w->list.chunk.data + k;
    const uint32_t *begin = w->list.reduction_begin.data;
    const demi_reduction *part = w->list.reduction.data;
    const demi_exact_row *own = w->exact.own.read, *chunk_copy = w->chunk_copy.sums;
    demi_force_torque *force_torque = w->next.force_torque.data;
    demi_exact_part high[DEMI_VR_PARTS] = {{0}}, low[DEMI_VR_PARTS] = {{0}};
    uint32_t last = UINT32_MAX;
    for (uint32_t n = begin[chunk->row_begin]; n < begin[chunk->row_end]; ++n) {
        __builtin_prefetch(&chunk_copy[part[n + DEMI_REDUCTION_AHEAD].chunk_copy], 0, 2);
        const int64_t goes_on = -(int64_t)(part[n].row == last);
        const demi_exact_row *from = &chunk_copy[part[n].chunk_copy];
        for (int p = 0; p < DEMI_VR_PARTS; ++p) {
            const int at = p * DEMI_VR_SIZE;
            high[p] = ((high[p] & goes_on) | (*demi_exact_at(own[n].high + at) & ~goes_on)) +
                      *demi_exact_at(from->high + at);
            low[p] = ((low[p] & goes_on) | (*demi_exact_at(own[n].low + at) & ~goes_on)) +
                     *demi_exact_at(from->low + at);
            demi_exact_carry(&high[p], &low[p]);
        }
        last = part[n].row;
        demi_exact_values(&w->exact.places, high, low, &force_torque[last]);
    }
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
static DEMI_INLINE void end_row(const demi_phase_call *call, const demi_rows_pass *rows,
                                const demi_force_torque *force_torque, demi_velocities *velocities,
                                uint64_t row, demi_chunk_result *result, demi_v4 *linear,
                                demi_v4 *angular)
{
    if (rows->outer.force != NULL || rows->outer.torque != NULL ||
        !(velocities->angular_velocity[3] > 0.0))
        demi_row_work(call, row, result);
    demi_row_rates(&rows->outer, row, force_torque, velocities, linear, angular);
    *(demi_v4 *)velocities->velocity += *linear * call->kick_second;
    *(demi_v4 *)velocities->angular_velocity += *angular * call->kick_second;
}

DEMI_ENTRY(demi_phase_function, demi_chunk_end);

void demi_chunk_end(const demi_phase_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const demi_chunk *chunk = w->list.chunk.data + k;
    demi_chunk_result *result = w->chunk_result.data + k;
    demi_force_torque *force_torque = w->next.force_torque.data;
    demi_velocities *velocities = w->next.velocity.data;
    const demi_rows_pass rows = demi_rows_pass_of(call, chunk, &w->next, 0);
    demi_chunk_end_begins(call, k);
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        demi_v4 a, alpha;
        end_row(call, &rows, &force_torque[row], &velocities[row], row, result, &a, &alpha);
    }
}

/* ------------------------------------------------------------------ both at once */

/* Where a fused kick and drift reads and writes. */
typedef struct fused_rows {
    const demi_row *x;
    demi_row *x_after;
    const demi_force_torque *force_torque;
    demi_velocities *velocities, *velocities_after;
} fused_rows;

/* Linear and angular parts of free rows side by side: gravity, whose angular part is -0, which
 * changes no bit that it is added to; the mean velocity; the paces so far. */
typedef struct fused_parts {
    demi_vr gravity[DEMI_VR_PARTS], mean_velocity[DEMI_VR_PARTS], most[DEMI_VR_PARTS];
} fused_parts;

static DEMI_INLINE fused_parts fused_parts_of(const demi_rows_pass *rows)
{
    const double *g = rows->outer.gravity, *m = (const double *)&rows->mean_velocity;
    const double gravity[8] = {g[0], g[1], g[2], g[3], -0.0, -0.0, -0.0, -0.0},
                 mean_velocity[8] = {m[0], m[1], m[2], m[3], 0.0, 0.0, 0.0, 0.0};
    fused_parts parts;
    for (int p = 0; p < DEMI_VR_PARTS; ++p) {
        parts.gravity[p] = *demi_vr_at(gravity + p * DEMI_VR_SIZE);
        parts.mean_velocity[p] = *demi_vr_at(mean_velocity + p * DEMI_VR_SIZE);
        parts.most[p] = (demi_vr){0.0};
    }
    return parts;
}

/* A free particle without forces of the host. */
static DEMI_INLINE void row_fused_free(const demi_phase_call *call, const demi_rows_pass *rows,
                                       const fused_rows *t, uint64_t row, fused_parts *parts)
{
    const double *force_torque = t->force_torque[row].force;
    double *velocities = t->velocities[row].velocity,
           *velocities_after = t->velocities_after[row].velocity;
    demi_vr after[DEMI_VR_PARTS];
    for (int p = 0; p < DEMI_VR_PARTS; ++p) {
        const int at = p * DEMI_VR_SIZE;
        const demi_vr before = *demi_vr_at(velocities + at);
        demi_vr inverse;
        demi_vr_spread_last(&before, &inverse);
        const demi_vr rates = *demi_vr_at(force_torque + at) * inverse + parts->gravity[p],
                      end = before + rates * call->kick_second;
        *(demi_vr *)(velocities + at) = end;
        after[p] = end + rates * rows->kick;
        *(demi_vr *)(velocities_after + at) = after[p];
        const demi_vr off = after[p] - parts->mean_velocity[p];
        demi_vr_rise(&parts->most[p], &off);
    }
    demi_v4 halves[2];
    demi_vr_halves(after, halves);
    demi_position_drift(rows, t->x[row], &halves[0], t->x_after[row]);
}

/* Any other row. */
static DEMI_INLINE void row_fused(const demi_phase_call *call, const demi_rows_pass *rows,
                                  const fused_rows *t, uint64_t row, demi_paces *pace,
                                  demi_chunk_result *result)
{
    demi_velocities *velocities = &t->velocities[row];
    demi_v4 a, alpha;
    end_row(call, rows, &t->force_torque[row], velocities, row, result, &a, &alpha);
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

static DEMI_INLINE void chunk_fused(const demi_phase_call *call, uint64_t k, int exact)
{
    dem_world *w = call->w;
    const demi_chunk *chunk = w->list.chunk.data + k;
    demi_chunk_result *result = w->chunk_result.data + k;
    const fused_rows fused = fused_rows_of(w);
    const demi_rows_pass rows = demi_rows_pass_of(call, chunk, &w->next, exact);
    demi_paces pace;
    memset(&pace, 0, sizeof pace);
    /* copies that no store can change, in the compiler's eyes */
    const demi_phase_call local = *call;
    const uint64_t end = chunk->row_end;
    const int plain = rows.outer.force == NULL && rows.outer.torque == NULL;
    fused_parts parts = fused_parts_of(&rows);
    demi_chunk_end_begins(call, k);
    for (uint64_t row = chunk->row_begin; row < end; ++row) {
        if (plain && fused.velocities[row].angular_velocity[3] > 0.0)
            row_fused_free(&local, &rows, &fused, row, &parts);
        else
            row_fused(&local, &rows, &fused, row, &pace, result);
    }
    demi_v4 most[2];
    demi_vr_halves(parts.most, most);
    demi_v4_rise(&pace.off, &most[0]);
    demi_v4_rise(&pace.angular_velocity, &most[1]);
    demi_chunk_began(call, chunk, &pace, &w->current, result);
}

DEMI_ENTRY(demi_phase_function, demi_chunk_fused);

/* The end of a step and the beginning of the next, which is made where the step began. */
void demi_chunk_fused(const demi_phase_call *call, uint64_t k)
{
    if (call->w->exact.sums.exact)
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
