/* SPDX-License-Identifier: MIT */
/* Contact forces of one chunk: filter the pairs that touch, gather them into lanes, compute, and
 * scatter forces and new states. Groups of four contacts move between rows and lanes by
 * transposition. */
#include "base/vector.h"
#include "contact/lanes.h"
#include "world/world.h"

#include <dem/kernels.h>

#include <string.h>

/* Contacts of a batch: few enough that its planes stay in the first cache. */
#define CHUNK_BATCH 32
/* Pairs that are filtered at a time. */
#define CHUNK_FILTER 64
/* How many pairs ahead states are asked for. */
#define PREFETCH_PAIRS 64

typedef struct DEMI_ISA(chunk_work) {
    dem_world *w;
    const demi_chunk *chunk;
    const demi_run *run;
    const demi_pair *pairs;
    const unsigned char *live;
    unsigned char *live_next;
    const double *state;
    double *state_next;
    /* of the new state, but for motion_old; those with own begin at the chunk's first row */
    const demi_row *position, *own_position;
    const demi_motion *motion, *motion_old;
    demi_load *own_load, *halo;
    double again;        /* demi_kick_again */
    double shift[27][4]; /* to add to the other's position */
    demi_lanes_call how;
    demi_lanes *lanes;
    demi_report *report;
    demi_chunk ahead;                               /* the next chunk; empty after the last */
    uint64_t turn;                                  /* of asking for its rows */
    uint32_t index[CHUNK_BATCH + CHUNK_FILTER + 8]; /* pairs that touch */
    /* of the batch: rows of i and j, and where their forces are added up */
    uint32_t row_i[CHUNK_BATCH], row_j[CHUNK_BATCH];
    demi_load *load_i[CHUNK_BATCH], *load_j[CHUNK_BATCH];
} DEMI_ISA(chunk_work);
#define WORK DEMI_ISA(chunk_work)

/* ------------------------------------------------------------------ gather */

static DEMI_INLINE void DEMI_ISA(store_columns)(demi_v4 rows[4], demi_plane *planes, uint64_t k,
                                                int count)
{
    demi_v4_transpose(rows);
    for (int c = 0; c < count; ++c)
        *(demi_v4 *)&planes[c][k] = rows[c];
}

/* Takes the pairs of a batch apart. */
static DEMI_INLINE void DEMI_ISA(batch_ends)(WORK *t, uint64_t n)
{
    const uint32_t begin = (uint32_t)t->chunk->row_begin;
    for (uint64_t k = 0; k < n; ++k) {
        const demi_pair *pair = &t->pairs[t->index[k]];
        const uint32_t own = demi_pair_row(pair), slot = demi_pair_slot(pair);
        demi_load *own_load = &t->own_load[own];
        demi_load *other_load =
            slot < DEMI_CHUNK_ROWS ? &t->own_load[slot] : &t->halo[slot - DEMI_CHUNK_ROWS];
        const int first = demi_pair_first(pair);
        t->row_i[k] = first ? begin + own : pair->other;
        t->row_j[k] = first ? pair->other : begin + own;
        t->load_i[k] = first ? own_load : other_load;
        t->load_j[k] = first ? other_load : own_load;
        t->lanes->alive_before[k] = t->live[t->index[k]] ? 1.0 : 0.0;
    }
}

/* Where j of a pair is met through a periodic boundary. */
static void DEMI_ISA(gather_shift)(const WORK *t, uint64_t k)
{
    const demi_pair *pair = &t->pairs[t->index[k]];
    const double *shift = t->shift[demi_pair_shift(pair)];
    for (int c = 0; c < 3; ++c)
        t->lanes->offset[c][k] -= demi_pair_first(pair) ? shift[c] : -shift[c];
}

/* Motion of the n spheres of a batch. */
static DEMI_INLINE void DEMI_ISA(gather_spheres)(const WORK *t, uint64_t n, int synchronized)
{
    demi_lanes *b = t->lanes;
    for (uint64_t k = 0; k < n; k += 4) {
        const uint32_t *i = &t->row_i[k], *j = &t->row_j[k];
        demi_v4 rows[4];
        for (int m = 0; m < 4; ++m)
            rows[m] = *demi_v4_at(t->position[i[m]]) - *demi_v4_at(t->position[j[m]]);
        DEMI_ISA(store_columns)(rows, b->offset, k, 3);
        for (int m = 0; m < 4; ++m)
            rows[m] = *demi_v4_at(t->motion[i[m]].velocity) - *demi_v4_at(t->motion[j[m]].velocity);
        DEMI_ISA(store_columns)(rows, b->velocity, k, 3);
        for (int m = 0; m < 4; ++m)
            rows[m] = *demi_v4_at(t->motion[i[m]].spin);
        DEMI_ISA(store_columns)(rows, b->spin_i, k, 3);
        for (int m = 0; m < 4; ++m)
            rows[m] = *demi_v4_at(t->motion[j[m]].spin);
        DEMI_ISA(store_columns)(rows, b->spin_j, k, 3);
        for (uint64_t m = 0; m < 4; ++m) {
            b->radius_i[k + m] = t->position[i[m]][3];
            b->radius_j[k + m] = t->position[j[m]][3];
            b->inverse_mass[k + m] = t->motion[i[m]].velocity[3] + t->motion[j[m]].velocity[3];
        }
        if (!synchronized)
            continue;
        for (int m = 0; m < 4; ++m)
            rows[m] = *demi_v4_at(t->motion_old[i[m]].velocity) -
                      *demi_v4_at(t->motion_old[j[m]].velocity);
        DEMI_ISA(store_columns)(rows, b->damping_velocity, k, 3);
        for (int m = 0; m < 4; ++m)
            rows[m] = *demi_v4_at(t->motion_old[i[m]].spin);
        DEMI_ISA(store_columns)(rows, b->damping_spin_i, k, 3);
        for (int m = 0; m < 4; ++m)
            rows[m] = *demi_v4_at(t->motion_old[j[m]].spin);
        DEMI_ISA(store_columns)(rows, b->damping_spin_j, k, 3);
        /* v(t + dt/2) + a dt/2, where a dt/2 is what the first kick added, or a part of that */
        for (int c = 0; c < 3; ++c) {
            demi_v4 *v = (demi_v4 *)&b->damping_velocity[c][k];
            demi_v4 *si = (demi_v4 *)&b->damping_spin_i[c][k];
            demi_v4 *sj = (demi_v4 *)&b->damping_spin_j[c][k];
            const demi_v4 v1 = *demi_v4_at(&b->velocity[c][k]), si1 = *demi_v4_at(&b->spin_i[c][k]),
                          sj1 = *demi_v4_at(&b->spin_j[c][k]);
            *v = v1 + (v1 - *v) * t->again;
            *si = si1 + (si1 - *si) * t->again;
            *sj = sj1 + (sj1 - *sj) * t->again;
        }
    }
    if (!t->w->periodic)
        return;
    for (uint64_t k = 0; k < n; ++k)
        if (demi_pair_shift(&t->pairs[t->index[k]]) != DEMI_SHIFT_NONE)
            DEMI_ISA(gather_shift)(t, k);
}

/* A wall takes the part of the body whose id is higher or lower, as it falls. */
static void DEMI_ISA(gather_plane)(const WORK *t, uint64_t k)
{
    const demi_pair *pair = &t->pairs[t->index[k]];
    const demi_wall *wall = (const demi_wall *)t->w->wall.data + pair->other;
    const uint64_t row = t->chunk->row_begin + demi_pair_row(pair);
    const int first = demi_pair_first(pair), side = t->w->front ^ 1;
    demi_lanes *b = t->lanes;
    const double *x = t->position[row];
    const double *v = t->motion[row].velocity, *s = t->motion[row].spin;
    const double *v0 = t->motion_old[row].velocity, *s0 = t->motion_old[row].spin;
    double distance = 0.0;
    for (int c = 0; c < 3; ++c) {
        distance += (x[c] - wall->point[side][c]) * wall->normal[c];
        const double vd = v[c] + (v[c] - v0[c]) * t->again, sd = s[c] + (s[c] - s0[c]) * t->again;
        b->offset[c][k] = first ? wall->normal[c] : -wall->normal[c];
        b->velocity[c][k] = first ? v[c] - wall->velocity[c] : wall->velocity[c] - v[c];
        b->damping_velocity[c][k] = first ? vd - wall->velocity[c] : wall->velocity[c] - vd;
        b->spin_i[c][k] = first ? s[c] : 0.0;
        b->spin_j[c][k] = first ? 0.0 : s[c];
        b->damping_spin_i[c][k] = first ? sd : 0.0;
        b->damping_spin_j[c][k] = first ? 0.0 : sd;
    }
    b->gap_plane[k] = distance;
    b->radius_i[k] = first ? x[3] : 0.0;
    b->radius_j[k] = first ? 0.0 : x[3];
    b->inverse_mass[k] = v[3];
}

static DEMI_INLINE uint64_t DEMI_ISA(state_of)(const WORK *t, uint64_t p)
{
    return t->run->state_begin + (p - t->run->begin) * t->run->state_stride;
}

/* States of the batch; new contacts begin with 0. */
static DEMI_INLINE void DEMI_ISA(gather_states)(const WORK *t, uint64_t n)
{
    demi_lanes *b = t->lanes;
    const uint32_t stride = t->run->state_stride;
    for (uint64_t k = 0; k < n; k += 4) {
        const double *from[4];
        for (uint64_t m = 0; m < 4; ++m)
            from[m] = t->state + DEMI_ISA(state_of)(t, t->index[k + m]);
        for (uint32_t c = 0; c < stride; c += 4) {
            demi_v4 rows[4];
            for (int m = 0; m < 4; ++m)
                rows[m] = *demi_v4_at(from[m] + c);
            demi_v4_transpose(rows);
            for (uint32_t m = 0; m < 4; ++m)
                demi_v4_clear(&b->alive_before[k], &rows[m]);
            for (uint32_t m = 0; m < 4; ++m)
                *(demi_v4 *)&b->state[c + m][k] = rows[m];
        }
    }
}

/* ------------------------------------------------------------------ scatter */

static DEMI_INLINE void DEMI_ISA(add_row)(double *to, const demi_v4 *row)
{
    *(demi_v4 *)to += *row;
}

/* Adds the forces of the n contacts to the rows of both bodies. */
static DEMI_INLINE void DEMI_ISA(scatter_forces)(const WORK *t, uint64_t n)
{
    const demi_lanes *b = t->lanes;
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    for (uint64_t k = 0; k < n; k += 4) {
        demi_v4 force[4], on_i[4], on_j[4];
        for (int c = 0; c < 3; ++c) {
            force[c] = *demi_v4_at(&b->force[c][k]);
            on_i[c] = *demi_v4_at(&b->torque_i[c][k]);
            on_j[c] = *demi_v4_at(&b->torque_j[c][k]);
        }
        force[3] = on_i[3] = on_j[3] = zero;
        demi_v4_transpose(force);
        demi_v4_transpose(on_i);
        demi_v4_transpose(on_j);
        for (uint64_t m = 0; m < 4; ++m) {
            if (k + m >= n)
                break;
            demi_load *i = t->load_i[k + m], *j = t->load_j[k + m];
            const demi_v4 reaction = -force[m];
            DEMI_ISA(add_row)(i->force, &force[m]);
            DEMI_ISA(add_row)(i->torque, &on_i[m]);
            DEMI_ISA(add_row)(j->force, &reaction);
            DEMI_ISA(add_row)(j->torque, &on_j[m]);
        }
    }
}

/* Keeps the states of the contacts that exist; of others nothing is read later. */
static DEMI_INLINE void DEMI_ISA(keep_states)(const WORK *t, uint64_t n)
{
    const demi_lanes *b = t->lanes;
    const uint32_t stride = t->run->state_stride;
    for (uint64_t k = 0; k < n; ++k)
        t->live_next[t->index[k]] = b->alive[k] != 0.0;
    for (uint64_t k = 0; k < n; k += 4) {
        double *to[4];
        for (uint64_t m = 0; m < 4; ++m)
            to[m] = t->state_next + DEMI_ISA(state_of)(t, t->index[k + m]);
        for (uint32_t c = 0; c < stride; c += 4) {
            demi_v4 rows[4];
            for (uint32_t m = 0; m < 4; ++m)
                rows[m] = *demi_v4_at(&b->state[c + m][k]);
            demi_v4_transpose(rows);
            /* places beyond n repeat the last contact, but a law need not compute them */
            for (uint64_t m = 0; m < 4 && k + m < n; ++m)
                *(demi_v4 *)(to[m] + c) = rows[m];
        }
    }
}

/* An evaluation without a step leaves the states as they are. */
static void DEMI_ISA(copy_states)(const WORK *t, uint64_t n)
{
    const size_t size = t->run->state_stride * sizeof(double);
    for (uint64_t k = 0; k < n; ++k) {
        const uint64_t p = t->index[k], at = DEMI_ISA(state_of)(t, p);
        const int alive = t->lanes->alive[k] != 0.0;
        t->live_next[p] = (unsigned char)alive;
        if (size == 0)
            continue;
        if (alive && t->live[p])
            memcpy(t->state_next + at, t->state + at, size);
        else
            memset(t->state_next + at, 0, size);
    }
}

/* ------------------------------------------------------------------ a batch */

/* Computes the first n pairs of the index. */
static dem_status DEMI_ISA(chunk_flush)(WORK *t, uint64_t n)
{
    if (n == 0)
        return DEM_OK;
    uint64_t whole = n;
    uint32_t spare[4];
    memcpy(spare, &t->index[n], sizeof spare);
    for (; whole % 4 != 0; ++whole)
        t->index[whole] = t->index[n - 1];
    DEMI_ISA(batch_ends)(t, whole);
    if (t->run->shape == DEMI_SHAPE_PLANE)
        for (uint64_t k = 0; k < n; ++k)
            DEMI_ISA(gather_plane)(t, k);
    else if (t->how.frame == DEM_FRAME_SYNCHRONIZED)
        DEMI_ISA(gather_spheres)(t, whole, 1);
    else
        DEMI_ISA(gather_spheres)(t, whole, 0);
    DEMI_ISA(gather_states)(t, whole);
    demi_lanes_function DEMI_ISA(demi_lanes_run);
    demi_report *report = t->report;
    report->status = DEMI_ISA(demi_lanes_run)(t->lanes, n, &t->how, &report->totals);
    if (report->status != DEM_OK) {
        if (report->status != DEM_ERROR_CALLBACK) {
            report->pair = t->index[t->how.lane];
            report->value = t->lanes->overlap[t->how.lane];
        }
        report->what = t->run->model->laws[0].name;
        return report->status;
    }
    DEMI_ISA(scatter_forces)(t, n);
    if (t->how.dt > 0.0)
        DEMI_ISA(keep_states)(t, n);
    else
        DEMI_ISA(copy_states)(t, n);
    memcpy(&t->index[n], spare, sizeof spare);
    return DEM_OK;
}

/* Computes full batches of the n pairs of the index, and the rest if this is the end. */
static DEMI_INLINE dem_status DEMI_ISA(chunk_drain)(WORK *t, uint64_t *n, int end)
{
    while (*n >= CHUNK_BATCH || (end && *n > 0)) {
        const uint64_t batch = *n < CHUNK_BATCH ? *n : CHUNK_BATCH;
        const dem_status status = DEMI_ISA(chunk_flush)(t, batch);
        if (status != DEM_OK)
            return status;
        *n -= batch;
        memmove(t->index, t->index + batch, (size_t)*n * sizeof t->index[0]);
    }
    return DEM_OK;
}

/* ------------------------------------------------------------------ filter */

static dem_status DEMI_ISA(run_planes)(WORK *t)
{
    uint64_t n = 0;
    dem_status status = DEM_OK;
    for (uint64_t p = t->run->begin; status == DEM_OK && p < t->run->end; ++p) {
        const demi_wall *wall = (const demi_wall *)t->w->wall.data + t->pairs[p].other;
        const double *x = t->own_position[demi_pair_row(&t->pairs[p])];
        double distance = 0.0;
        for (int c = 0; c < 3; ++c)
            distance += (x[c] - wall->point[t->w->front ^ 1][c]) * wall->normal[c];
        t->index[n] = (uint32_t)p;
        n += (uint64_t)((distance < x[3] + t->run->reach) | (t->live[p] != 0));
        status = DEMI_ISA(chunk_drain)(t, &n, 0);
    }
    return status != DEM_OK ? status : DEMI_ISA(chunk_drain)(t, &n, 1);
}

/* Adds those of four pairs to the index that are within reach, or were in contact; a little too
 * many is harmless. Pairs from `end` on do not count. */
static DEMI_INLINE void DEMI_ISA(filter_four)(WORK *t, uint64_t p, uint64_t end, uint64_t *count)
{
    demi_v4 d[4], own = {0.0, 0.0, 0.0, 0.0};
    uint32_t shifted = 0;
    const demi_pair *pairs[4];
    for (uint64_t m = 0; m < 4; ++m) {
        pairs[m] = &t->pairs[p + m < end ? p + m : end - 1];
        const double *x = t->own_position[demi_pair_row(pairs[m])];
        d[m] = *demi_v4_at(x) - *demi_v4_at(t->position[pairs[m]->other]);
        own[m] = x[3];
        shifted |= demi_pair_shift(pairs[m]) ^ DEMI_SHIFT_NONE;
    }
    if (shifted != 0)
        for (int m = 0; m < 4; ++m)
            d[m] -= *demi_v4_at(t->shift[demi_pair_shift(pairs[m])]);
    demi_v4_transpose(d);
    /* the difference of the radii stands in the last column */
    const demi_v4 touch = (own + own - d[3] + t->run->reach) * (1.0 + 1e-12);
    const demi_v4 distance2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], touch2 = touch * touch;
    int64_t near[4];
    demi_v4_below(&distance2, &touch2, near);
    uint64_t n = *count;
    for (uint64_t m = 0; m < 4 && p + m < end; ++m) {
        t->index[n] = (uint32_t)(p + m);
        n += (uint64_t)((near[m] & 1) | t->live[p + m]);
    }
    *count = n;
}

/* Asks for rows that the next chunk will want, a few at a time: memory takes as long to answer as
 * a group of contacts to compute, and the rows of a halo lie anywhere. */
static DEMI_INLINE void DEMI_ISA(prefetch_ahead)(WORK *t)
{
    const uint64_t turn = t->turn++;
    const uint64_t row = t->ahead.row_begin + 2 * turn, halo = t->ahead.halo_begin + turn;
    const int synchronized = t->how.frame == DEM_FRAME_SYNCHRONIZED;
    if (row < t->ahead.row_end) {
        __builtin_prefetch(&t->position[row], 0, 2);
        __builtin_prefetch(&t->motion[row], 0, 2);
        __builtin_prefetch(&t->motion[row + 1], 0, 2);
    }
    if (halo >= t->ahead.halo_end)
        return;
    const uint32_t target = ((const uint32_t *)t->w->list.target.data)[halo];
    if (target >= t->w->rows)
        return;
    __builtin_prefetch(&t->position[target], 0, 2);
    __builtin_prefetch(&t->motion[target], 0, 2);
    if (synchronized)
        __builtin_prefetch(&t->motion_old[target], 0, 2);
}

/* States of four pairs that come up soon: narrow ones whole, wide ones where they are in use. */
static DEMI_INLINE void DEMI_ISA(prefetch_states)(const WORK *t, uint64_t p)
{
    if (p + 4 > t->run->end)
        return;
    const uint64_t at = DEMI_ISA(state_of)(t, p);
    if (t->run->state_stride <= 4) {
        for (uint64_t c = 0; c < 4 * t->run->state_stride; c += 8) {
            __builtin_prefetch(t->state + at + c);
            __builtin_prefetch(t->state_next + at + c, 1);
        }
        return;
    }
    for (uint64_t m = 0; m < 4; ++m)
        for (uint64_t c = 0; t->live[p + m] && c < t->run->state_stride; c += 8) {
            __builtin_prefetch(t->state + at + m * t->run->state_stride + c);
            __builtin_prefetch(t->state_next + at + m * t->run->state_stride + c, 1);
        }
}

static dem_status DEMI_ISA(run_spheres)(WORK *t)
{
    uint64_t n = 0;
    dem_status status = DEM_OK;
    for (uint64_t p = t->run->begin; status == DEM_OK && p < t->run->end; p += CHUNK_FILTER) {
        const uint64_t end = p + CHUNK_FILTER < t->run->end ? p + CHUNK_FILTER : t->run->end;
        for (uint64_t q = p; q < end; q += 4) {
            DEMI_ISA(prefetch_ahead)(t);
            DEMI_ISA(prefetch_states)(t, q + PREFETCH_PAIRS);
            DEMI_ISA(filter_four)(t, q, end, &n);
        }
        status = DEMI_ISA(chunk_drain)(t, &n, 0);
    }
    return status != DEM_OK ? status : DEMI_ISA(chunk_drain)(t, &n, 1);
}

/* ------------------------------------------------------------------ a chunk */

/* Forces of the chunk's rows begin with 0; those of its halo are 0 already. */
static void DEMI_ISA(chunk_clear)(WORK *t)
{
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    for (uint64_t k = 0; k < t->chunk->row_end - t->chunk->row_begin; ++k) {
        *(demi_v4 *)t->own_load[k].force = zero;
        *(demi_v4 *)t->own_load[k].torque = zero;
    }
    if (t->chunk->pair_end > t->chunk->pair_begin)
        memset(t->live_next + t->chunk->pair_begin, 0,
               (size_t)(t->chunk->pair_end - t->chunk->pair_begin));
}

demi_chunk_function DEMI_ISA(demi_chunk_contacts);

void DEMI_ISA(demi_chunk_contacts)(const demi_chunk_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const int now = w->front, next = now ^ 1;
    const demi_chunk *chunk = (const demi_chunk *)w->list.chunk.data + k;
    demi_plane state[DEM_STATE_MAX];
    demi_lanes lanes;
    lanes.state = state;
    const demi_row *position = (const demi_row *)demi_rows(&w->position[next]);
    WORK t = {
        .w = w,
        .chunk = chunk,
        .again = call->again,
        .pairs = w->list.pair.data,
        .live = w->list.live[now].data,
        .live_next = w->list.live[next].data,
        .state = w->state[now].data,
        .state_next = w->state[next].data,
        .position = position,
        .own_position = position + chunk->row_begin,
        .motion = demi_motions(&w->motion[next]),
        .motion_old = demi_motions(&w->motion[now]),
        .own_load = demi_loads(&w->load[next]) + chunk->row_begin,
        .halo = (demi_load *)w->list.halo.data + chunk->halo_begin,
        .lanes = &lanes,
        .report = (demi_report *)w->report.data + k,
    };
    if (k + 1 < w->list.chunks)
        t.ahead = chunk[1];
    memset(t.report, 0, sizeof *t.report);
    for (uint32_t s = 0; s < 27; ++s)
        for (int c = 0; c < 4; ++c)
            t.shift[s][c] =
                c == 3 ? 0.0
                       : demi_shift_periods(s, c) * (w->config.box_high[c] - w->config.box_low[c]);
    DEMI_ISA(chunk_clear)(&t);
    const demi_run *runs = w->list.run.data;
    for (uint64_t r = chunk->run_begin; r < chunk->run_end; ++r) {
        const demi_lanes_call how = {.model = runs[r].model,
                                     .shape = runs[r].shape,
                                     .frame = call->frame,
                                     .dt = call->dt,
                                     .overlap_limit = w->config.overlap_limit,
                                     .accounting = w->config.accounting == DEM_ACCOUNTING_FULL};
        t.run = &runs[r];
        t.how = how;
        const dem_status status =
            t.run->shape == DEMI_SHAPE_PLANE ? DEMI_ISA(run_planes)(&t) : DEMI_ISA(run_spheres)(&t);
        if (status != DEM_OK)
            return;
    }
}

#undef WORK
#undef CHUNK_BATCH
#undef CHUNK_FILTER
#undef PREFETCH_PAIRS
