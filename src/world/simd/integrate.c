/* SPDX-License-Identifier: MIT */
/* The two halves of the integration of a chunk's rows. The last places of rows hold what belongs to
 * the particle (world.h); arithmetic passes over them. */
#include "base/check.h"
#include "base/vector.h"
#include "world/simd/rows.h"
#include "world/world.h"

#include <string.h>

/* Where rows are read and written. */
typedef struct DEMI_ISA(rows) {
    const demi_load *load;
    demi_outer outer;
    demi_v4 drift;
    double dt, kick; /* of the step that begins */
} DEMI_ISA(rows);
#define ROWS DEMI_ISA(rows)

static DEMI_INLINE ROWS DEMI_ISA(rows_of)(const demi_phase_call *call, const demi_chunk *chunk,
                                          int side)
{
    const dem_world *w = call->w;
    const double *d = chunk->drift;
    const ROWS rows = {demi_loads(&w->load[side]),
                       demi_outer_of(w),
                       {d[0], d[1], d[2], 0.0},
                       call->dt,
                       call->kick_first};
    return rows;
}

/* ------------------------------------------------------------------ the first half */

/* Bounds on what a chunk has seen of its rows: velocities off the drift, and spins. */
typedef struct DEMI_ISA(paces) {
    demi_v4 off, spin;
} DEMI_ISA(paces);

/* First kick from velocity and spin to the next ones, and drift. */
static DEMI_INLINE void DEMI_ISA(begin_row)(const ROWS *of, const double *x,
                                            const demi_motion *motion, const demi_v4 *linear,
                                            const demi_v4 *angular, double *x_next,
                                            demi_motion *motion_next, DEMI_ISA(paces) * pace)
{
    const demi_v4 v = *demi_v4_at(motion->velocity) + *linear * of->kick,
                  s = *demi_v4_at(motion->spin) + *angular * of->kick, x0 = *demi_v4_at(x),
                  x1 = x0 + v * of->dt;
    *(demi_v4 *)motion_next->velocity = v;
    *(demi_v4 *)motion_next->spin = s;
    *(demi_v4 *)x_next = DEMI_V4_KEEP_LAST(x1, x0);
    const demi_v4 off = v - of->drift;
    demi_v4_rise(&pace->off, &off);
    demi_v4_rise(&pace->spin, &s);
}

static int DEMI_ISA(bounded)(const double v[3])
{
    return islessequal(fabs(v[0]), DEMI_FORCE_MOST) && islessequal(fabs(v[1]), DEMI_FORCE_MOST) &&
           islessequal(fabs(v[2]), DEMI_FORCE_MOST);
}

/* The first row whose motion is not finite. */
static void DEMI_ISA(diverged)(const demi_chunk *chunk, const demi_row *x,
                               const demi_motion *motion, demi_report *report)
{
    report->status = DEM_ERROR_DIVERGED;
    report->pair = chunk->row_begin;
    report->what = "displacement";
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        const char *what = !DEMI_ISA(bounded)(motion[row].velocity) ? "velocity"
                           : !DEMI_ISA(bounded)(motion[row].spin)   ? "angular velocity"
                           : !DEMI_ISA(bounded)(x[row])             ? "position"
                                                                    : NULL;
        if (what != NULL) {
            report->pair = row;
            report->what = what;
            return;
        }
    }
}

/* What the first half of a step tells of the chunk: how far rows may be from where its drift took
 * them, and how far they went. */
static DEMI_INLINE void DEMI_ISA(chunk_began)(const demi_phase_call *call, const demi_chunk *chunk,
                                              const DEMI_ISA(paces) * pace, int side,
                                              demi_report *report)
{
    const double off = demi_v4_length(&pace->off), spin = demi_v4_length(&pace->spin);
    report->status = DEM_OK;
    demi_report_way(chunk, off, call->dt, report);
    /* not a number is never less */
    if (!isless(off + spin + report->strayed + report->motion, DEMI_FORCE_MOST))
        DEMI_ISA(diverged)
    (chunk, (const demi_row *)demi_rows(&call->w->position[side]),
     demi_motions(&call->w->motion[side]), report);
}

demi_phase_function DEMI_ISA(demi_chunk_begin);

void DEMI_ISA(demi_chunk_begin)(const demi_phase_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const int now = w->front, next = now ^ 1;
    const demi_chunk *chunk = (const demi_chunk *)w->list.chunk.data + k;
    const demi_row *x = (const demi_row *)demi_rows(&w->position[now]);
    const demi_motion *motion = demi_motions(&w->motion[now]);
    demi_row *x_next = demi_rows(&w->position[next]);
    demi_motion *motion_next = demi_motions(&w->motion[next]);
    const ROWS rows = DEMI_ISA(rows_of)(call, chunk, now);
    DEMI_ISA(paces) pace;
    memset(&pace, 0, sizeof pace);
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        demi_v4 a, alpha;
        demi_row_rates(&rows.outer, row, &rows.load[row], &motion[row], &a, &alpha);
        DEMI_ISA(begin_row)
        (&rows, x[row], &motion[row], &a, &alpha, x_next[row], &motion_next[row], &pace);
    }
    DEMI_ISA(chunk_began)(call, chunk, &pace, next, (demi_report *)w->report.data + k);
}

/* ------------------------------------------------------------------ the second half */

/* Work of the host's forces on a free row, or of a row that moves as it was told. */
static void DEMI_ISA(row_work)(const dem_world *w, uint64_t row, double dt, demi_report *report)
{
    const int now = w->front, next = now ^ 1;
    const double *v = demi_motions(&w->motion[next])[row].velocity,
                 *s = demi_motions(&w->motion[next])[row].spin;
    const double *f = demi_loads(&w->load[next])[row].force,
                 *t = demi_loads(&w->load[next])[row].torque;
    if (s[3] > 0.0) {
        if (w->external_force.data != NULL)
            report->work_external += demi_dot(demi_rows(&w->external_force)[row], v) * dt;
        if (w->external_torque.data != NULL)
            report->work_external += demi_dot(demi_rows(&w->external_torque)[row], s) * dt;
    } else if (demi_any3(v) || demi_any3(s)) {
        const double *f0 = demi_loads(&w->load[now])[row].force,
                     *t0 = demi_loads(&w->load[now])[row].torque;
        report->work_boundary -=
            0.5 * dt * (demi_dot(f0, v) + demi_dot(f, v) + demi_dot(t0, s) + demi_dot(t, s));
    }
}

/* Adds the forces that chunks computed for each other to those of chunk k's rows. Halo rows lie
 * anywhere, and are asked for well before they are added. */
static DEMI_INLINE void DEMI_ISA(rows_sum)(const dem_world *w, uint64_t k)
{
    const demi_chunk *chunk = (const demi_chunk *)w->list.chunk.data + k;
    const uint32_t *begin = w->list.incoming_begin.data;
    const demi_incoming *incoming = w->list.incoming.data,
                        *part = incoming + begin[chunk->row_begin],
                        *stop = incoming + begin[chunk->row_end];
    const demi_load *halo = w->list.halo.data;
    demi_load *load = demi_loads(&w->load[w->front ^ 1]);
    for (; part < stop; ++part) {
        __builtin_prefetch(&halo[part[DEMI_INCOMING_AHEAD].halo], 0, 2);
        demi_load *to = &load[part->row];
        *(demi_v4 *)to->force += *demi_v4_at(halo[part->halo].force);
        *(demi_v4 *)to->torque += *demi_v4_at(halo[part->halo].torque);
    }
}

/* Works, and kicks a row to the end of the step. */
static DEMI_INLINE void DEMI_ISA(end_row)(const demi_phase_call *call, const ROWS *rows,
                                          const demi_load *load, demi_motion *motion, uint64_t row,
                                          demi_report *report, demi_v4 *linear, demi_v4 *angular)
{
    if (rows->outer.force != NULL || rows->outer.torque != NULL || !(motion->spin[3] > 0.0))
        DEMI_ISA(row_work)(call->w, row, call->dt, report);
    demi_row_rates(&rows->outer, row, load, motion, linear, angular);
    *(demi_v4 *)motion->velocity += *linear * call->kick_second;
    *(demi_v4 *)motion->spin += *angular * call->kick_second;
}

demi_phase_function DEMI_ISA(demi_chunk_end);

void DEMI_ISA(demi_chunk_end)(const demi_phase_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const int next = w->front ^ 1;
    demi_chunk *chunk = (demi_chunk *)w->list.chunk.data + k;
    demi_report *report = (demi_report *)w->report.data + k;
    demi_load *load = demi_loads(&w->load[next]);
    demi_motion *motion = demi_motions(&w->motion[next]);
    const ROWS rows = DEMI_ISA(rows_of)(call, chunk, next);
    report->work_external = report->work_boundary = 0.0;
    chunk->strayed = report->strayed;
    DEMI_ISA(rows_sum)(w, k);
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        demi_v4 a, alpha;
        DEMI_ISA(end_row)(call, &rows, &load[row], &motion[row], row, report, &a, &alpha);
    }
}

/* ------------------------------------------------------------------ both at once */

/* Where a turn reads and writes. */
typedef struct DEMI_ISA(turn) {
    const demi_row *x;
    demi_row *x_after;
    const demi_load *load;
    demi_motion *motion, *motion_after;
} DEMI_ISA(turn);

/* plain: the host has no forces. */
static DEMI_INLINE void DEMI_ISA(row_turn)(const demi_phase_call *call, const ROWS *rows,
                                           const DEMI_ISA(turn) * t, uint64_t row, int plain,
                                           DEMI_ISA(paces) * pace, demi_report *report)
{
    const demi_load *load = &t->load[row];
    demi_motion *motion = &t->motion[row];
    demi_v4 a, alpha;
    if (plain && motion->spin[3] > 0.0) {
        demi_free_rates(&rows->outer, demi_v4_at(load->force), demi_v4_at(load->torque), motion, &a,
                        &alpha);
        *(demi_v4 *)motion->velocity += a * call->kick_second;
        *(demi_v4 *)motion->spin += alpha * call->kick_second;
    } else
        DEMI_ISA(end_row)(call, rows, load, motion, row, report, &a, &alpha);
    DEMI_ISA(begin_row)
    (rows, t->x[row], motion, &a, &alpha, t->x_after[row], &t->motion_after[row], pace);
}

demi_phase_function DEMI_ISA(demi_chunk_turn);

/* The end of a step and the beginning of the next, which is made where the step began. */
void DEMI_ISA(demi_chunk_turn)(const demi_phase_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const int next = w->front ^ 1, after = w->front;
    demi_chunk *chunk = (demi_chunk *)w->list.chunk.data + k;
    demi_report *report = (demi_report *)w->report.data + k;
    const DEMI_ISA(turn) turn = {(const demi_row *)demi_rows(&w->position[next]),
                                 demi_rows(&w->position[after]), demi_loads(&w->load[next]),
                                 demi_motions(&w->motion[next]), demi_motions(&w->motion[after])};
    const ROWS rows = DEMI_ISA(rows_of)(call, chunk, next);
    DEMI_ISA(paces) pace;
    memset(&pace, 0, sizeof pace);
    report->work_external = report->work_boundary = 0.0;
    chunk->strayed = report->strayed;
    /* copies that no store can change, in the compiler's eyes */
    const demi_phase_call local = *call;
    const uint64_t end = chunk->row_end;
    DEMI_ISA(rows_sum)(w, k);
    if (rows.outer.force == NULL && rows.outer.torque == NULL)
        for (uint64_t row = chunk->row_begin; row < end; ++row)
            DEMI_ISA(row_turn)(&local, &rows, &turn, row, 1, &pace, report);
    else
        for (uint64_t row = chunk->row_begin; row < end; ++row)
            DEMI_ISA(row_turn)(&local, &rows, &turn, row, 0, &pace, report);
    DEMI_ISA(chunk_began)(call, chunk, &pace, after, report);
}

/* ------------------------------------------------------------------ measured strays */

demi_phase_function DEMI_ISA(demi_chunk_stray);

/* Sums of the squares of the first three of four rows. */
static DEMI_INLINE void DEMI_ISA(squares)(const demi_v4 rows[4], demi_v4 *sums)
{
    demi_v4 r[4];
    for (int m = 0; m < 4; ++m)
        r[m] = rows[m] * rows[m];
    demi_v4_transpose(r);
    *sums = r[0] + r[1] + r[2];
}

/* How far rows of the state being made are from where the chunk's drift took them. */
void DEMI_ISA(demi_chunk_stray)(const demi_phase_call *call, uint64_t k)
{
    const dem_world *w = call->w;
    const demi_chunk *chunk = (const demi_chunk *)w->list.chunk.data + k;
    const demi_row *x = (const demi_row *)demi_rows(&w->position[w->front ^ 1]),
                   *built = (const demi_row *)demi_rows(&w->built);
    const double *d = chunk->drift;
    const demi_v4 drift = {d[0] * call->elapsed, d[1] * call->elapsed, d[2] * call->elapsed, 0.0};
    demi_v4 most = {0.0, 0.0, 0.0, 0.0};
    for (uint64_t first = chunk->row_begin; first < chunk->row_end; first += 4) {
        demi_v4 off[4], square;
        for (uint64_t m = 0; m < 4; ++m) {
            const uint64_t row = first + m < chunk->row_end ? first + m : chunk->row_end - 1;
            off[m] = *demi_v4_at(x[row]) - *demi_v4_at(built[row]) - drift;
        }
        DEMI_ISA(squares)(off, &square);
        demi_v4_rise(&most, &square);
    }
    demi_report *report = (demi_report *)w->report.data + k;
    double largest = 0.0;
    for (int m = 0; m < 4; ++m)
        largest = most[m] > largest ? most[m] : largest;
    const double strayed = sqrt(largest);
    report->strayed = strayed < report->strayed ? strayed : report->strayed;
}

#undef ROWS
