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

/* What a chunk has seen of its rows, in four columns. */
typedef struct DEMI_ISA(paces) {
    demi_v4 off[4], spin[4]; /* of the present group: velocity off the drift; spin */
    demi_v4 off_most, spin_most;
} DEMI_ISA(paces);

/* Sums of the squares of the first three of four rows. */
static DEMI_INLINE void DEMI_ISA(squares)(const demi_v4 rows[4], demi_v4 *sums)
{
    demi_v4 r[4];
    for (int m = 0; m < 4; ++m)
        r[m] = rows[m] * rows[m];
    demi_v4_transpose(r);
    *sums = r[0] + r[1] + r[2];
}

static DEMI_INLINE void DEMI_ISA(pace_group)(DEMI_ISA(paces) * pace)
{
    demi_v4 off, spin;
    DEMI_ISA(squares)(pace->off, &off);
    DEMI_ISA(squares)(pace->spin, &spin);
    demi_v4_rise(&pace->off_most, &off);
    demi_v4_rise(&pace->spin_most, &spin);
}

/* First kick from velocity and spin to the next ones, and drift. */
static DEMI_INLINE void DEMI_ISA(begin_row)(const ROWS *of, const double *x,
                                            const demi_motion *motion, const demi_v4 *linear,
                                            const demi_v4 *angular, double *x_next,
                                            demi_motion *motion_next, DEMI_ISA(paces) * pace,
                                            uint64_t m)
{
    const demi_v4 v = *demi_v4_at(motion->velocity) + *linear * of->kick,
                  s = *demi_v4_at(motion->spin) + *angular * of->kick, x0 = *demi_v4_at(x),
                  x1 = x0 + v * of->dt;
    *(demi_v4 *)motion_next->velocity = v;
    *(demi_v4 *)motion_next->spin = s;
    *(demi_v4 *)x_next = DEMI_V4_KEEP_LAST(x1, x0);
    pace->off[m] = v - of->drift;
    pace->spin[m] = s;
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
    const double off = sqrt(demi_v4_largest(&pace->off_most)),
                 spin = sqrt(demi_v4_largest(&pace->spin_most));
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
    for (uint64_t first = chunk->row_begin; first < chunk->row_end; first += 4) {
        for (uint64_t m = 0; m < 4; ++m) {
            /* the last group repeats its last row */
            const uint64_t row = first + m < chunk->row_end ? first + m : chunk->row_end - 1;
            demi_v4 a, alpha;
            demi_row_rates(&rows.outer, row, &rows.load[row], &motion[row], &a, &alpha);
            DEMI_ISA(begin_row)
            (&rows, x[row], &motion[row], &a, &alpha, x_next[row], &motion_next[row], &pace, m);
        }
        DEMI_ISA(pace_group)(&pace);
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

/* The forces that chunks computed for each other are added to the row's own; halo rows lie
 * anywhere, and are asked for well before they are added. */
typedef struct DEMI_ISA(halos) {
    const demi_load *halo;
    const uint32_t *begin, *incoming;
    uint32_t ahead, ahead_end;
} DEMI_ISA(halos);

static DEMI_INLINE DEMI_ISA(halos) DEMI_ISA(halos_of)(const dem_world *w, uint64_t k)
{
    const demi_chunk *chunk = (const demi_chunk *)w->list.chunk.data + k;
    const uint32_t *begin = w->list.incoming_begin.data;
    /* while one chunk is summed, the rows of the next are asked for */
    const DEMI_ISA(halos)
        halos = {w->list.halo.data, begin, w->list.incoming.data,
                 begin[k == 0 ? chunk->row_begin : chunk->row_end],
                 begin[k + 1 < w->list.chunks ? chunk[1].row_end : chunk->row_end]};
    return halos;
}

static DEMI_INLINE void DEMI_ISA(row_sum)(DEMI_ISA(halos) * from, demi_load *load, uint64_t row)
{
    for (int m = 0; m < 2 && from->ahead < from->ahead_end; ++m)
        __builtin_prefetch(&from->halo[from->incoming[from->ahead++]], 0, 2);
    const uint32_t *part = from->incoming + from->begin[row],
                   *end = from->incoming + from->begin[row + 1];
    if (part == end)
        return;
    demi_v4 f = *demi_v4_at(load->force), t = *demi_v4_at(load->torque);
    do {
        f += *demi_v4_at(from->halo[*part].force);
        t += *demi_v4_at(from->halo[*part].torque);
    } while (++part != end);
    *(demi_v4 *)load->force = f;
    *(demi_v4 *)load->torque = t;
}

/* Sums, works, and kicks a row to the end of the step. */
static DEMI_INLINE void DEMI_ISA(end_row)(const demi_phase_call *call, const ROWS *rows,
                                          DEMI_ISA(halos) * halos, demi_load *load,
                                          demi_motion *motion, uint64_t row, demi_report *report,
                                          demi_v4 *linear, demi_v4 *angular)
{
    DEMI_ISA(row_sum)(halos, load, row);
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
    DEMI_ISA(halos) halos = DEMI_ISA(halos_of)(w, k);
    report->work_external = report->work_boundary = 0.0;
    chunk->strayed = report->strayed;
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        demi_v4 a, alpha;
        DEMI_ISA(end_row)(call, &rows, &halos, &load[row], &motion[row], row, report, &a, &alpha);
    }
}

/* ------------------------------------------------------------------ both at once */

/* Where a turn reads and writes. */
typedef struct DEMI_ISA(turn) {
    const demi_row *x;
    demi_row *x_after;
    demi_load *load;
    demi_motion *motion, *motion_after;
} DEMI_ISA(turn);

/* Up to four rows of any kind. */
static DEMI_INLINE void DEMI_ISA(rows_turn)(const demi_phase_call *call, const ROWS *rows,
                                            DEMI_ISA(halos) * halos, const DEMI_ISA(turn) * t,
                                            uint64_t first, uint64_t count, DEMI_ISA(paces) * pace,
                                            demi_report *report)
{
    for (uint64_t m = 0; m < count; ++m) {
        const uint64_t row = first + m;
        demi_v4 a, alpha;
        DEMI_ISA(end_row)
        (call, rows, halos, &t->load[row], &t->motion[row], row, report, &a, &alpha);
        DEMI_ISA(begin_row)
        (rows, t->x[row], &t->motion[row], &a, &alpha, t->x_after[row], &t->motion_after[row], pace,
         m);
    }
    DEMI_ISA(pace_group)(pace);
}

/* The same for four free ones without forces of the host, as nearly all are. */
static DEMI_INLINE void DEMI_ISA(free_turn)(const demi_phase_call *call, const ROWS *rows,
                                            const DEMI_ISA(turn) * t, uint64_t first,
                                            DEMI_ISA(paces) * pace)
{
    demi_motion *motion = t->motion + first, *after = t->motion_after + first;
    const demi_load *load = t->load + first;
    const demi_row *x = t->x + first;
    demi_row *x_after = t->x_after + first;
    for (uint64_t m = 0; m < 4; ++m) {
        demi_v4 a, alpha;
        demi_free_rates(&rows->outer, demi_v4_at(load[m].force), demi_v4_at(load[m].torque),
                        &motion[m], &a, &alpha);
        *(demi_v4 *)motion[m].velocity += a * call->kick_second;
        *(demi_v4 *)motion[m].spin += alpha * call->kick_second;
        DEMI_ISA(begin_row)(rows, x[m], &motion[m], &a, &alpha, x_after[m], &after[m], pace, m);
    }
    DEMI_ISA(pace_group)(pace);
}

static DEMI_INLINE int DEMI_ISA(all_free)(const demi_motion motion[4])
{
    return (motion[0].spin[3] > 0.0) & (motion[1].spin[3] > 0.0) & (motion[2].spin[3] > 0.0) &
           (motion[3].spin[3] > 0.0);
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
    DEMI_ISA(halos) halos = DEMI_ISA(halos_of)(w, k);
    DEMI_ISA(paces) pace;
    memset(&pace, 0, sizeof pace);
    report->work_external = report->work_boundary = 0.0;
    chunk->strayed = report->strayed;
    /* copies that no store can change, in the compiler's eyes */
    const demi_phase_call local = *call;
    const uint64_t end = chunk->row_end;
    const int plain = rows.outer.force == NULL && rows.outer.torque == NULL;
    uint64_t row = chunk->row_begin;
    for (; row + 4 <= end; row += 4) {
        if (!plain || !DEMI_ISA(all_free)(turn.motion + row)) {
            DEMI_ISA(rows_turn)(&local, &rows, &halos, &turn, row, 4, &pace, report);
            continue;
        }
        for (uint64_t m = 0; m < 4; ++m)
            DEMI_ISA(row_sum)(&halos, &turn.load[row + m], row + m);
        DEMI_ISA(free_turn)(&local, &rows, &turn, row, &pace);
    }
    if (row < end)
        DEMI_ISA(rows_turn)(&local, &rows, &halos, &turn, row, end - row, &pace, report);
    DEMI_ISA(chunk_began)(call, chunk, &pace, after, report);
}

/* ------------------------------------------------------------------ measured strays */

demi_phase_function DEMI_ISA(demi_chunk_stray);

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
    const double strayed = sqrt(demi_v4_largest(&most));
    report->strayed = strayed < report->strayed ? strayed : report->strayed;
}

#undef ROWS
