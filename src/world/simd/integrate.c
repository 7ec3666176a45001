/* SPDX-License-Identifier: MIT */
/* The two halves of the integration of a chunk's rows. The last places of rows hold what belongs to
 * the particle (world.h); arithmetic passes over them. */
#include "base/check.h"
#include "base/vector.h"
#include "world/world.h"

#include <string.h>

/* The first three of a and the last of b. */
#define KEEP_LAST(a, b) DEMI_V4_SHUFFLE(a, b, 0, 1, 2, 7)

typedef struct DEMI_ISA(forces) {
    const demi_load *load;
    const demi_row *outer, *twist; /* of the host, or NULL */
    demi_v4 gravity;
} DEMI_ISA(forces);

static DEMI_INLINE DEMI_ISA(forces) DEMI_ISA(forces_of)(const dem_world *w, int side)
{
    const double *g = w->config.gravity;
    const DEMI_ISA(forces) forces = {demi_loads(&w->load[side]),
                                     demi_rows(&w->external_force),
                                     demi_rows(&w->external_torque),
                                     {g[0], g[1], g[2], 0.0}};
    return forces;
}

/* What a kick adds to velocity and spin of a row; nothing unless the particle is free. */
static DEMI_INLINE void DEMI_ISA(row_kick)(const DEMI_ISA(forces) * of, uint64_t row,
                                           const demi_motion *motion, double kick, demi_v4 *linear,
                                           demi_v4 *angular)
{
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    const demi_load *load = &of->load[row];
    const double inverse_inertia = motion->spin[3];
    const double free = inverse_inertia > 0.0 ? 1.0 : 0.0;
    const double inverse_mass = motion->velocity[3] * free;
    demi_v4 f = *demi_v4_at(load->force), t = *demi_v4_at(load->torque);
    if (of->outer != NULL)
        f += *demi_v4_at(of->outer[row]);
    if (of->twist != NULL)
        t += *demi_v4_at(of->twist[row]);
    *linear = KEEP_LAST((f * inverse_mass + of->gravity * free) * kick, zero);
    *angular = KEEP_LAST(t * inverse_inertia * kick, zero);
}

/* Sums of the squares of the first three of four rows. */
static DEMI_INLINE void DEMI_ISA(squares)(const demi_v4 rows[4], demi_v4 *sums)
{
    demi_v4 r[4];
    for (int m = 0; m < 4; ++m)
        r[m] = rows[m] * rows[m];
    demi_v4_transpose(r);
    *sums = r[0] + r[1] + r[2];
}

static DEMI_INLINE double DEMI_ISA(largest)(const demi_v4 *of)
{
    const demi_v4 v = *of;
    const double a = v[0] > v[1] ? v[0] : v[1], b = v[2] > v[3] ? v[2] : v[3];
    return a > b ? a : b;
}

demi_phase_function DEMI_ISA(demi_chunk_begin);

void DEMI_ISA(demi_chunk_begin)(const demi_phase_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const double dt = call->dt, elapsed = w->list_age + dt;
    const int now = w->front, next = now ^ 1;
    const demi_chunk *chunk = (const demi_chunk *)w->list.chunk.data + k;
    demi_report *report = (demi_report *)w->report.data + k;
    memset(report, 0, sizeof *report);
    const demi_row *position = demi_rows(&w->position[now]), *built = demi_rows(&w->built);
    const demi_motion *motion_now = demi_motions(&w->motion[now]);
    demi_row *position_next = demi_rows(&w->position[next]);
    demi_motion *motion_next = demi_motions(&w->motion[next]);
    const DEMI_ISA(forces) forces = DEMI_ISA(forces_of)(w, now);
    const demi_v4 drift = {chunk->drift[0] * elapsed, chunk->drift[1] * elapsed,
                           chunk->drift[2] * elapsed, 0.0};
    demi_v4 strayed_most = {0.0, 0.0, 0.0, 0.0}, motion_most = strayed_most;
    for (uint64_t first = chunk->row_begin; first < chunk->row_end; first += 4) {
        demi_v4 strayed[4], motion[4], pace[4], strayed2, motion2, pace2;
        for (uint64_t m = 0; m < 4; ++m) {
            /* the last group repeats its last row */
            const uint64_t row = first + m < chunk->row_end ? first + m : chunk->row_end - 1;
            const demi_v4 x = *demi_v4_at(position[row]), v = *demi_v4_at(motion_now[row].velocity),
                          s = *demi_v4_at(motion_now[row].spin);
            demi_v4 a, alpha;
            DEMI_ISA(row_kick)(&forces, row, &motion_now[row], call->kick, &a, &alpha);
            const demi_v4 v1 = v + a, s1 = s + alpha, x1 = x + v1 * dt;
            *(demi_v4 *)motion_next[row].velocity = v1;
            *(demi_v4 *)motion_next[row].spin = s1;
            *(demi_v4 *)position_next[row] = KEEP_LAST(x1, x);
            strayed[m] = x1 - *demi_v4_at(built[row]) - drift;
            motion[m] = x1 - x;
            pace[m] = s1;
        }
        DEMI_ISA(squares)(strayed, &strayed2);
        DEMI_ISA(squares)(motion, &motion2);
        DEMI_ISA(squares)(pace, &pace2);
        for (int m = 0; m < 4; ++m) {
            /* not a number is never less */
            if (!isless(strayed2[m] + motion2[m] + pace2[m], DEMI_FORCE_MOST * DEMI_FORCE_MOST)) {
                const uint64_t row =
                    first + (uint64_t)m < chunk->row_end ? first + (uint64_t)m : chunk->row_end - 1;
                report->status = DEM_ERROR_DIVERGED;
                report->pair = row;
                report->what = !demi_finite3(motion_next[row].velocity) ? "velocity"
                               : !demi_finite3(position_next[row])      ? "position"
                               : !demi_finite3(motion_next[row].spin)   ? "angular velocity"
                                                                        : "displacement";
                return;
            }
            strayed_most[m] = strayed2[m] > strayed_most[m] ? strayed2[m] : strayed_most[m];
            motion_most[m] = motion2[m] > motion_most[m] ? motion2[m] : motion_most[m];
        }
    }
    report->strayed = sqrt(DEMI_ISA(largest)(&strayed_most));
    report->motion2 = DEMI_ISA(largest)(&motion_most);
}

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

demi_phase_function DEMI_ISA(demi_chunk_end);

void DEMI_ISA(demi_chunk_end)(const demi_phase_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const int next = w->front ^ 1;
    const demi_chunk *chunk = (const demi_chunk *)w->list.chunk.data + k;
    demi_report *report = (demi_report *)w->report.data + k;
    const uint32_t *begin = w->list.incoming_begin.data, *incoming = w->list.incoming.data;
    demi_load *halo = w->list.halo.data;
    demi_load *load = demi_loads(&w->load[next]);
    demi_motion *motion = demi_motions(&w->motion[next]);
    const DEMI_ISA(forces) forces = DEMI_ISA(forces_of)(w, next);
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    const int outer = forces.outer != NULL || forces.twist != NULL;
    memset(report, 0, sizeof *report);
    /* halo rows lie anywhere: ask for them well before they are added */
    const uint32_t ahead_end = begin[w->list.chunks > k + 1 ? chunk[1].row_end : chunk->row_end];
    uint32_t ahead = begin[k == 0 ? chunk->row_begin : chunk->row_end];
    for (uint64_t row = chunk->row_begin; row < chunk->row_end; ++row) {
        for (int m = 0; m < 2 && ahead < ahead_end; ++m)
            __builtin_prefetch(&halo[incoming[ahead++]], 0, 2);
        demi_v4 f = *demi_v4_at(load[row].force), t = *demi_v4_at(load[row].torque), a, alpha;
        for (uint32_t m = begin[row]; m < begin[row + 1]; ++m) {
            /* halo rows are 0 again when they have been added */
            demi_load *part = &halo[incoming[m]];
            f += *demi_v4_at(part->force);
            t += *demi_v4_at(part->torque);
            *(demi_v4 *)part->force = *(demi_v4 *)part->torque = zero;
        }
        *(demi_v4 *)load[row].force = f;
        *(demi_v4 *)load[row].torque = t;
        if (outer || !(motion[row].spin[3] > 0.0))
            DEMI_ISA(row_work)(w, row, call->dt, report);
        DEMI_ISA(row_kick)(&forces, row, &motion[row], call->kick, &a, &alpha);
        *(demi_v4 *)motion[row].velocity += a;
        *(demi_v4 *)motion[row].spin += alpha;
    }
}

#undef KEEP_LAST
