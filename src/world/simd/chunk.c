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

typedef struct DEMI_ISA(chunk_work) {
    dem_world *w;
    const demi_chunk *chunk;
    const demi_run *run;
    const demi_pair *pairs;
    const unsigned char *live;
    unsigned char *live_next;
    const double *state;
    double *state_next;
    const demi_row *position, *velocity, *velocity_old, *spin, *spin_old; /* of the new state */
    demi_halo *halo;                                                      /* of this chunk */
    demi_halo own[DEMI_CHUNK_ROWS];
    double shift[27][4]; /* to add to the other's position */
    demi_lanes_call how;
    demi_lanes *lanes;
    demi_report *report;
    uint64_t index[CHUNK_BATCH + 4]; /* pairs in the batch */
} DEMI_ISA(chunk_work);
#define WORK DEMI_ISA(chunk_work)

/* Rows of i and j of a pair of spheres. */
static DEMI_INLINE void DEMI_ISA(pair_rows)(const WORK *t, uint64_t p, uint64_t *i, uint64_t *j)
{
    const demi_pair *pair = &t->pairs[p];
    const uint64_t own = t->chunk->row_begin + demi_pair_row(pair), other = pair->other;
    const int first = demi_pair_first(pair);
    *i = first ? own : other;
    *j = first ? other : own;
}

/* x_i - x_j as a row. */
static DEMI_INLINE void DEMI_ISA(pair_offset)(const WORK *t, uint64_t p, demi_v4 *offset)
{
    const demi_pair *pair = &t->pairs[p];
    const double *own = t->position[t->chunk->row_begin + demi_pair_row(pair)];
    demi_v4 d = *demi_v4_at(own) - *demi_v4_at(t->position[pair->other]);
    const uint32_t shift = demi_pair_shift(pair);
    if (shift != DEMI_SHIFT_NONE)
        d -= *demi_v4_at(t->shift[shift]);
    *offset = demi_pair_first(pair) ? d : -d;
}

static DEMI_INLINE void DEMI_ISA(store_columns)(demi_v4 rows[4], demi_plane *planes, uint64_t k,
                                                int count)
{
    demi_v4_transpose(rows);
    for (int c = 0; c < count; ++c)
        *(demi_v4 *)&planes[c][k] = rows[c];
}

/* Lanes k to k + 3 of the motion of spheres. */
static DEMI_INLINE void DEMI_ISA(gather_four)(const WORK *t, uint64_t k, int synchronized)
{
    demi_lanes *b = t->lanes;
    demi_v4 offset[4], v[4], si[4], sj[4], vd[4], di[4], dj[4];
    for (int m = 0; m < 4; ++m) {
        const uint64_t p = t->index[k + (uint64_t)m];
        uint64_t i, j;
        DEMI_ISA(pair_rows)(t, p, &i, &j);
        DEMI_ISA(pair_offset)(t, p, &offset[m]);
        const demi_v4 vi = *demi_v4_at(t->velocity[i]), vj = *demi_v4_at(t->velocity[j]);
        v[m] = vi - vj;
        si[m] = *demi_v4_at(t->spin[i]);
        sj[m] = *demi_v4_at(t->spin[j]);
        if (synchronized) {
            /* v(t + dt/2) + a dt/2, where a dt/2 is what the half kick added */
            const demi_v4 ai = vi - *demi_v4_at(t->velocity_old[i]);
            const demi_v4 aj = vj - *demi_v4_at(t->velocity_old[j]);
            vd[m] = (vi + ai) - (vj + aj);
            di[m] = si[m] + (si[m] - *demi_v4_at(t->spin_old[i]));
            dj[m] = sj[m] + (sj[m] - *demi_v4_at(t->spin_old[j]));
        }
        b->radius_i[k + (uint64_t)m] = t->position[i][3];
        b->radius_j[k + (uint64_t)m] = t->position[j][3];
        b->inverse_mass[k + (uint64_t)m] = t->velocity[i][3] + t->velocity[j][3];
    }
    DEMI_ISA(store_columns)(offset, b->offset, k, 3);
    DEMI_ISA(store_columns)(v, b->velocity, k, 3);
    DEMI_ISA(store_columns)(si, b->spin_i, k, 3);
    DEMI_ISA(store_columns)(sj, b->spin_j, k, 3);
    if (synchronized) {
        DEMI_ISA(store_columns)(vd, b->damping_velocity, k, 3);
        DEMI_ISA(store_columns)(di, b->damping_spin_i, k, 3);
        DEMI_ISA(store_columns)(dj, b->damping_spin_j, k, 3);
    }
}

/* A wall takes the part of the body whose id is higher or lower, as it falls. */
static void DEMI_ISA(gather_plane)(const WORK *t, uint64_t k)
{
    const demi_pair *pair = &t->pairs[t->index[k]];
    const demi_wall *wall = (const demi_wall *)t->w->wall.data + pair->other;
    const uint64_t row = t->chunk->row_begin + demi_pair_row(pair);
    const int first = demi_pair_first(pair), side = t->w->front ^ 1;
    demi_lanes *b = t->lanes;
    const double *x = t->position[row], *v = t->velocity[row], *s = t->spin[row];
    const double *v0 = t->velocity_old[row], *s0 = t->spin_old[row];
    double distance = 0.0;
    for (int c = 0; c < 3; ++c) {
        distance += (x[c] - wall->point[side][c]) * wall->normal[c];
        const double vd = v[c] + (v[c] - v0[c]), sd = s[c] + (s[c] - s0[c]);
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

static const double *DEMI_ISA(state_of)(const WORK *t, const double *states, uint64_t p)
{
    return states + t->run->state_begin + (p - t->run->begin) * t->run->state_stride;
}

/* States of lanes k to k + 3; new contacts begin with 0. */
static DEMI_INLINE void DEMI_ISA(gather_states)(const WORK *t, uint64_t k)
{
    demi_lanes *b = t->lanes;
    const double *from[4];
    for (int m = 0; m < 4; ++m) {
        const uint64_t p = t->index[k + (uint64_t)m];
        from[m] = DEMI_ISA(state_of)(t, t->state, p);
        b->alive_before[k + (uint64_t)m] = t->live[p] ? 1.0 : 0.0;
    }
    for (uint32_t c = 0; c < t->run->state_stride; c += 4) {
        demi_v4 rows[4];
        for (int m = 0; m < 4; ++m) {
            const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
            rows[m] = b->alive_before[k + (uint64_t)m] != 0.0 ? *demi_v4_at(from[m] + c) : zero;
        }
        DEMI_ISA(store_columns)(rows, &b->state[c], k, 4);
    }
}

static DEMI_INLINE void DEMI_ISA(add_row)(double *to, demi_v4 row)
{
    *(demi_v4 *)to += row;
}

/* Adds forces of lanes k to k + 3 (of n) to the rows of both bodies. */
static DEMI_INLINE void DEMI_ISA(scatter_four)(WORK *t, uint64_t k, uint64_t n)
{
    const demi_lanes *b = t->lanes;
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
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
    const uint64_t end = n - k < 4 ? n - k : 4;
    for (uint64_t m = 0; m < end; ++m) {
        const demi_pair *pair = &t->pairs[t->index[k + m]];
        demi_halo *own = &t->own[demi_pair_row(pair)];
        const uint32_t slot = demi_pair_slot(pair);
        demi_halo *other =
            slot < DEMI_CHUNK_ROWS ? &t->own[slot] : &t->halo[slot - DEMI_CHUNK_ROWS];
        const int first = demi_pair_first(pair);
        demi_halo *i = first ? own : other, *j = first ? other : own;
        DEMI_ISA(add_row)(i->force, force[m]);
        DEMI_ISA(add_row)(j->force, -force[m]);
        DEMI_ISA(add_row)(i->torque, on_i[m]);
        DEMI_ISA(add_row)(j->torque, on_j[m]);
    }
}

/* Keeps the states of lanes k to k + 3 (of n) where the contact exists. */
static DEMI_INLINE void DEMI_ISA(keep_states)(WORK *t, uint64_t k, uint64_t n)
{
    const demi_lanes *b = t->lanes;
    const uint64_t end = n - k < 4 ? n - k : 4;
    double *to[4];
    int alive[4] = {0, 0, 0, 0};
    for (uint64_t m = 0; m < end; ++m) {
        const uint64_t p = t->index[k + m];
        alive[m] = b->alive[k + m] != 0.0;
        t->live_next[p] = (unsigned char)alive[m];
        to[m] = t->state_next + (DEMI_ISA(state_of)(t, t->state, p) - t->state);
    }
    for (uint32_t c = 0; c < t->run->state_stride; c += 4) {
        demi_v4 rows[4];
        for (int m = 0; m < 4; ++m)
            rows[m] = *demi_v4_at(&b->state[c + (uint32_t)m][k]);
        demi_v4_transpose(rows);
        for (uint64_t m = 0; m < end; ++m)
            if (alive[m])
                *(demi_v4 *)(to[m] + c) = rows[m];
    }
}

/* An evaluation without a step leaves the states as they are. */
static void DEMI_ISA(copy_states)(WORK *t, uint64_t n)
{
    const size_t size = t->run->state_stride * sizeof(double);
    for (uint64_t k = 0; k < n; ++k) {
        const uint64_t p = t->index[k];
        t->live_next[p] = t->lanes->alive[k] != 0.0;
        const double *from = DEMI_ISA(state_of)(t, t->state, p);
        double *to = t->state_next + (from - t->state);
        if (t->lanes->alive[k] != 0.0 && t->live[p])
            memcpy(to, from, size);
        else
            memset(to, 0, size);
    }
}

/* Computes the n pairs of the index. */
static dem_status DEMI_ISA(chunk_flush)(WORK *t, uint64_t n)
{
    if (n == 0)
        return DEM_OK;
    for (uint64_t k = n; k % 4 != 0; ++k)
        t->index[k] = t->index[n - 1];
    if (t->run->shape == DEMI_SHAPE_PLANE)
        for (uint64_t k = 0; k < n; ++k)
            DEMI_ISA(gather_plane)(t, k);
    else if (t->how.frame == DEM_FRAME_SYNCHRONIZED)
        for (uint64_t k = 0; k < n; k += 4)
            DEMI_ISA(gather_four)(t, k, 1);
    else
        for (uint64_t k = 0; k < n; k += 4)
            DEMI_ISA(gather_four)(t, k, 0);
    for (uint64_t k = 0; k < n; k += 4)
        DEMI_ISA(gather_states)(t, k);
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
    for (uint64_t k = 0; k < n; k += 4)
        DEMI_ISA(scatter_four)(t, k, n);
    if (t->how.dt > 0.0)
        for (uint64_t k = 0; k < n; k += 4)
            DEMI_ISA(keep_states)(t, k, n);
    else
        DEMI_ISA(copy_states)(t, n);
    return DEM_OK;
}

/* Whether the distance of a pair is within its reach. */
static DEMI_INLINE int DEMI_ISA(pair_near)(const WORK *t, uint64_t p)
{
    const demi_pair *pair = &t->pairs[p];
    const double *x = t->position[t->chunk->row_begin + demi_pair_row(pair)];
    double sum = 0.0;
    if (t->run->shape == DEMI_SHAPE_PLANE) {
        const demi_wall *wall = (const demi_wall *)t->w->wall.data + pair->other;
        for (int c = 0; c < 3; ++c)
            sum += (x[c] - wall->point[t->w->front ^ 1][c]) * wall->normal[c];
        return sum < x[3] + t->run->reach;
    }
    const double *y = t->position[pair->other];
    const uint32_t shift = demi_pair_shift(pair);
    for (int c = 0; c < 3; ++c) {
        double d = x[c] - y[c];
        if (shift != DEMI_SHIFT_NONE)
            d -= t->shift[shift][c];
        sum += d * d;
    }
    const double touch = x[3] + y[3] + t->run->reach;
    return sum < touch * touch;
}

static dem_status DEMI_ISA(chunk_run)(WORK *t)
{
    uint64_t n = 0;
    for (uint64_t p = t->run->begin; p < t->run->end; ++p) {
        t->index[n] = p;
        n += (uint64_t)((DEMI_ISA(pair_near)(t, p) | t->live[p]) != 0);
        if (n < CHUNK_BATCH)
            continue;
        if (DEMI_ISA(chunk_flush)(t, n) != DEM_OK)
            return t->report->status;
        n = 0;
    }
    return DEMI_ISA(chunk_flush)(t, n);
}

/* Sums of the chunk's own rows become the new forces. */
static void DEMI_ISA(chunk_keep)(WORK *t)
{
    dem_world *w = t->w;
    const demi_row *old = demi_rows(&w->force[w->front]);
    demi_row *force = demi_rows(&w->force[w->front ^ 1]),
             *torque = demi_rows(&w->torque[w->front ^ 1]);
    for (uint64_t row = t->chunk->row_begin; row < t->chunk->row_end; ++row) {
        const demi_halo *own = &t->own[row - t->chunk->row_begin];
        memcpy(force[row], own->force, sizeof(demi_row));
        memcpy(torque[row], own->torque, sizeof(demi_row));
        force[row][3] = old[row][3];
        torque[row][3] = 0.0;
    }
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
    WORK t = {
        .w = w,
        .chunk = chunk,
        .pairs = w->list.pair.data,
        .live = w->list.live[now].data,
        .live_next = w->list.live[next].data,
        .state = w->state[now].data,
        .state_next = w->state[next].data,
        .position = demi_rows(&w->position[next]),
        .velocity = demi_rows(&w->velocity[next]),
        .velocity_old = demi_rows(&w->velocity[now]),
        .spin = demi_rows(&w->spin[next]),
        .spin_old = demi_rows(&w->spin[now]),
        .halo = (demi_halo *)w->list.halo.data + chunk->halo_begin,
        .lanes = &lanes,
        .report = (demi_report *)w->report.data + k,
    };
    memset(t.report, 0, sizeof *t.report);
    for (uint32_t s = 0; s < 27; ++s)
        for (int c = 0; c < 3; ++c)
            t.shift[s][c] =
                demi_shift_periods(s, c) * (w->config.box_high[c] - w->config.box_low[c]);
    if (chunk->halo_end > chunk->halo_begin)
        memset(t.halo, 0, (size_t)(chunk->halo_end - chunk->halo_begin) * sizeof *t.halo);
    if (chunk->pair_end > chunk->pair_begin)
        memset(t.live_next + chunk->pair_begin, 0, (size_t)(chunk->pair_end - chunk->pair_begin));
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
        if (DEMI_ISA(chunk_run)(&t) != DEM_OK)
            return;
    }
    DEMI_ISA(chunk_keep)(&t);
}

#undef WORK
#undef CHUNK_BATCH
