/* SPDX-License-Identifier: MIT */
/* Contact forces of one chunk: lay its rows out on a desk, filter the pairs that touch, gather them
 * into lanes, compute, scatter forces and new states, and carry the forces away. Groups of four
 * contacts move between rows and lanes by transposition. */
#include "base/vector.h"
#include "contact/lanes.h"
#include "world/world.h"

#include <dem/kernels.h>

#include <string.h>

/* Contacts of a batch: few enough that its planes stay in the first cache. */
#define CHUNK_BATCH 32
/* Pairs that are filtered at a time. */
#define CHUNK_FILTER 64

/* What the next chunk will want, to be asked for while this one is computed: memory takes longer to
 * answer than a group of pairs to filter. */
typedef struct DEMI_ISA(chunk_ahead) {
    const demi_row *position, *every_position;
    const demi_motion *motion, *every_motion, *old, *every_old;
    const demi_load *load, *halo;
    const uint32_t *target;
    uint64_t rows, halos; /* still to be asked for */
} DEMI_ISA(chunk_ahead);

typedef struct DEMI_ISA(chunk_work) {
    dem_world *w;
    const demi_chunk *chunk;
    const demi_run *run;
    const demi_pair *pairs;
    const unsigned char *live;
    unsigned char *live_next;
    /* of the next contact of the run that was there before, and of the next that will be */
    const double *state;
    double *state_next;
    demi_desk *desk;
    demi_lanes *lanes;
    demi_lanes_call how;
    demi_report *report;
    double again; /* demi_kick_again */
    DEMI_ISA(chunk_ahead) ahead;
    uint32_t index[CHUNK_BATCH + CHUNK_FILTER + 8]; /* pairs that touch */
    /* of the batch: its pairs, and their old states */
    demi_pair pair[CHUNK_BATCH];
    const double *old[CHUNK_BATCH];
} DEMI_ISA(chunk_work);
#define WORK DEMI_ISA(chunk_work)

/* ------------------------------------------------------------------ the desk */

static DEMI_INLINE void DEMI_ISA(copy_row)(double *to, const double *from)
{
    *(demi_v4 *)to = *demi_v4_at(from);
}

/* Motion of a row at a slot, whose spin is followed by the radius, with what dashpots see in the
 * synchronized frame: v(t + dt/2) + a dt/2, where a dt/2 is what the first kick added, or a part
 * of that. */
static DEMI_INLINE void DEMI_ISA(lay_motion)(const demi_rows_at *desk, uint64_t slot,
                                             const demi_motion *now, const demi_motion *next,
                                             double again, int synchronized)
{
    const uint64_t at = slot * DEMI_PLACE;
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    const demi_v4 v = *demi_v4_at(next->velocity), s = *demi_v4_at(next->spin);
    *(demi_v4 *)(desk->velocity + at) = v;
    *(demi_v4 *)(desk->spin + at) = DEMI_V4_KEEP_LAST(s, *demi_v4_at(desk->position + at));
    *(demi_v4 *)(desk->force + at) = zero;
    *(demi_v4 *)(desk->torque + at) = zero;
    if (!synchronized)
        return;
    *(demi_v4 *)(desk->damping_velocity + at) = v + (v - *demi_v4_at(now->velocity)) * again;
    *(demi_v4 *)(desk->damping_spin + at) = s + (s - *demi_v4_at(now->spin)) * again;
}

/* The chunk's rows, and those of its halo where its pairs meet them. */
static DEMI_INLINE void DEMI_ISA(desk_lay)(const WORK *t, int synchronized)
{
    const dem_world *w = t->w;
    const demi_rows_at desk = t->desk->rows; /* a copy that no store can change */
    const demi_chunk chunk = *t->chunk;
    const double again = t->again;
    const int side = w->front, next = side ^ 1;
    const demi_row *x = (const demi_row *)demi_rows(&w->position[next]);
    const demi_motion *now = demi_motions(&w->motion[side]),
                      *motion = demi_motions(&w->motion[next]);
    const uint64_t own = chunk.row_end - chunk.row_begin, halos = chunk.halo_end - chunk.halo_begin;
    const uint64_t rows = w->list.chunk_rows;
    for (uint64_t slot = 0; slot < own; ++slot) {
        const uint64_t row = chunk.row_begin + slot;
        DEMI_ISA(copy_row)(desk.position + slot * DEMI_PLACE, x[row]);
        DEMI_ISA(lay_motion)(&desk, slot, &now[row], &motion[row], again, synchronized);
    }
    double shift[DEMI_SHIFTS][4];
    for (uint32_t s = 0; s < DEMI_SHIFTS; ++s)
        for (int c = 0; c < 4; ++c)
            shift[s][c] =
                c == 3 ? 0.0
                       : demi_shift_periods(s, c) * (w->config.box_high[c] - w->config.box_low[c]);
    const uint32_t *target = (const uint32_t *)w->list.target.data + chunk.halo_begin;
    const unsigned char *shifts = (const unsigned char *)w->list.shift.data + chunk.halo_begin;
    for (uint64_t h = 0; h < halos; ++h) {
        const uint64_t slot = rows + h, at = slot * DEMI_PLACE, row = target[h];
        if ((row & DEMI_WALL_BIT) != 0) {
            memset(desk.force + at, 0, 4 * sizeof(double));
            memset(desk.torque + at, 0, 4 * sizeof(double));
            continue;
        }
        *(demi_v4 *)(desk.position + at) = *demi_v4_at(x[row]) + *demi_v4_at(shift[shifts[h]]);
        DEMI_ISA(lay_motion)(&desk, slot, &now[row], &motion[row], again, synchronized);
    }
}

/* Rows that touch nothing. */
static void DEMI_ISA(chunk_apart)(const dem_world *w, const demi_chunk *chunk)
{
    demi_load *load = demi_loads(&w->load[w->front ^ 1]) + chunk->row_begin;
    memset(load, 0, (size_t)(chunk->row_end - chunk->row_begin) * sizeof *load);
}

/* Carries the forces to where the particles' chunks find them. */
static DEMI_INLINE void DEMI_ISA(desk_clear)(const WORK *t)
{
    const demi_rows_at desk = t->desk->rows;
    const demi_chunk chunk = *t->chunk;
    demi_load *load = demi_loads(&t->w->load[t->w->front ^ 1]) + chunk.row_begin,
              *halo = (demi_load *)t->w->list.halo.data + chunk.halo_begin;
    const uint64_t own = chunk.row_end - chunk.row_begin, halos = chunk.halo_end - chunk.halo_begin;
    const uint64_t rows = t->w->list.chunk_rows;
    for (uint64_t slot = 0; slot < own; ++slot) {
        DEMI_ISA(copy_row)(load[slot].force, desk.force + slot * DEMI_PLACE);
        DEMI_ISA(copy_row)(load[slot].torque, desk.torque + slot * DEMI_PLACE);
    }
    for (uint64_t h = 0; h < halos; ++h) {
        DEMI_ISA(copy_row)(halo[h].force, desk.force + (rows + h) * DEMI_PLACE);
        DEMI_ISA(copy_row)(halo[h].torque, desk.torque + (rows + h) * DEMI_PLACE);
    }
}

/* ------------------------------------------------------------------ gather */

/* What a contact begins with. */
static const double DEMI_ISA(no_state)[DEM_STATE_MAX + 4];

/* Takes the next n pairs of the index as a batch; lanes up to `padded` repeat the last one. */
static DEMI_INLINE void DEMI_ISA(batch_ends)(WORK *t, uint64_t n, uint64_t padded)
{
    static const double flag[2] = {0.0, 1.0};
    const uint64_t stride = t->run->state_stride;
    const demi_pair *pairs = t->pairs;
    const unsigned char *live = t->live;
    const double *state = t->state;
    double *alive_before = t->lanes->alive_before;
    for (uint64_t k = 0; k < n; ++k) {
        const uint32_t p = t->index[k];
        const uint64_t there = live[p];
        t->pair[k] = pairs[p];
        t->old[k] = there ? state : DEMI_ISA(no_state);
        alive_before[k] = flag[there];
        state += stride & -there;
    }
    t->state = state;
    /* what the next batch will want */
    for (uint64_t c = 0; c < CHUNK_BATCH * stride; c += 8) {
        __builtin_prefetch(state + CHUNK_BATCH * stride + c, 0, 2);
        __builtin_prefetch(t->state_next + 2 * CHUNK_BATCH * stride + c, 1, 2);
    }
    for (uint64_t k = n; k < padded; ++k) {
        t->pair[k] = t->pair[n - 1];
        t->old[k] = t->old[n - 1];
        alive_before[k] = alive_before[n - 1];
    }
}

/* Four rows into three planes, and the last column into one more. */
static DEMI_INLINE void DEMI_ISA(store_columns)(demi_v4 rows[4], demi_plane *planes, double *last,
                                                uint64_t k)
{
    demi_v4_transpose(rows);
    for (int c = 0; c < 3; ++c)
        *(demi_v4 *)&planes[c][k] = rows[c];
    if (last != NULL)
        *(demi_v4 *)&last[k] = rows[3];
}

static DEMI_INLINE void DEMI_ISA(gather_difference)(const double *from, const demi_pair *pair,
                                                    demi_plane *planes, uint64_t k)
{
    demi_v4 rows[4];
    for (int m = 0; m < 4; ++m)
        rows[m] = *demi_v4_at(from + pair[m].i) - *demi_v4_at(from + pair[m].j);
    DEMI_ISA(store_columns)(rows, planes, NULL, k);
}

/* Motion of the n spheres of a batch. */
static DEMI_INLINE void DEMI_ISA(gather_spheres)(const WORK *t, uint64_t n, int synchronized)
{
    const demi_v4 last = {0.0, 0.0, 0.0, -0.0};
    demi_lanes *b = t->lanes;
    const demi_rows_at desk = t->desk->rows;
    for (uint64_t k = 0; k < n; k += 4) {
        const demi_pair *pair = &t->pair[k];
        demi_v4 rows[4];
        DEMI_ISA(gather_difference)(desk.position, pair, b->offset, k);
        for (int m = 0; m < 4; ++m) {
            /* 1/m_i + 1/m_j in the last place */
            const demi_v4 v = *demi_v4_at(desk.velocity + pair[m].j);
            rows[m] =
                *demi_v4_at(desk.velocity + pair[m].i) - (demi_v4)((demi_i4)v ^ (demi_i4)last);
        }
        DEMI_ISA(store_columns)(rows, b->velocity, b->inverse_mass, k);
        for (int m = 0; m < 4; ++m)
            rows[m] = *demi_v4_at(desk.spin + pair[m].i);
        DEMI_ISA(store_columns)(rows, b->spin_i, b->radius_i, k);
        for (int m = 0; m < 4; ++m)
            rows[m] = *demi_v4_at(desk.spin + pair[m].j);
        DEMI_ISA(store_columns)(rows, b->spin_j, b->radius_j, k);
        if (!synchronized)
            continue;
        DEMI_ISA(gather_difference)(desk.damping_velocity, pair, b->damping_velocity, k);
        for (int m = 0; m < 4; ++m)
            rows[m] = *demi_v4_at(desk.damping_spin + pair[m].i);
        DEMI_ISA(store_columns)(rows, b->damping_spin_i, NULL, k);
        for (int m = 0; m < 4; ++m)
            rows[m] = *demi_v4_at(desk.damping_spin + pair[m].j);
        DEMI_ISA(store_columns)(rows, b->damping_spin_j, NULL, k);
    }
}

/* A wall takes the part of the body whose id is higher or lower, as it falls. */
static void DEMI_ISA(gather_plane)(const WORK *t, uint64_t k)
{
    const demi_ends ends = demi_pair_ends(&t->w->list, t->chunk, &t->pair[k]);
    const demi_wall *wall = (const demi_wall *)t->w->wall.data + ends.other;
    const uint64_t at = (ends.own - t->chunk->row_begin) * DEMI_PLACE;
    const int first = ends.first, side = t->w->front ^ 1;
    const demi_rows_at *desk = &t->desk->rows;
    demi_lanes *b = t->lanes;
    const double *x = desk->position + at, *v = desk->velocity + at, *s = desk->spin + at;
    /* other frames damp what they move */
    const int synchronized = t->how.frame == DEM_FRAME_SYNCHRONIZED;
    const double *vd = synchronized ? desk->damping_velocity + at : v;
    const double *sd = synchronized ? desk->damping_spin + at : s;
    double distance = 0.0;
    for (int c = 0; c < 3; ++c) {
        distance += (x[c] - wall->point[side][c]) * wall->normal[c];
        b->offset[c][k] = first ? wall->normal[c] : -wall->normal[c];
        b->velocity[c][k] = first ? v[c] - wall->velocity[c] : wall->velocity[c] - v[c];
        b->damping_velocity[c][k] = first ? vd[c] - wall->velocity[c] : wall->velocity[c] - vd[c];
        b->spin_i[c][k] = first ? s[c] : 0.0;
        b->spin_j[c][k] = first ? 0.0 : s[c];
        b->damping_spin_i[c][k] = first ? sd[c] : 0.0;
        b->damping_spin_j[c][k] = first ? 0.0 : sd[c];
    }
    b->gap_plane[k] = distance;
    b->radius_i[k] = first ? x[3] : 0.0;
    b->radius_j[k] = first ? 0.0 : x[3];
    b->inverse_mass[k] = v[3];
}

/* States of the batch. */
static DEMI_INLINE void DEMI_ISA(gather_states)(const WORK *t, uint64_t n)
{
    demi_lanes *b = t->lanes;
    const uint32_t stride = t->run->state_stride;
    for (uint64_t k = 0; k < n; k += 4)
        for (uint32_t c = 0; c < stride; c += 4) {
            demi_v4 rows[4];
            for (uint64_t m = 0; m < 4; ++m)
                rows[m] = *demi_v4_at(t->old[k + m] + c);
            demi_v4_transpose(rows);
            for (uint32_t m = 0; m < 4; ++m)
                *(demi_v4 *)&b->state[c + m][k] = rows[m];
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
    double *const force = t->desk->rows.force, *const torque = t->desk->rows.torque;
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    for (uint64_t k = 0; k < n; k += 4) {
        demi_v4 on[4], on_i[4], on_j[4];
        for (int c = 0; c < 3; ++c) {
            on[c] = *demi_v4_at(&b->force[c][k]);
            on_i[c] = *demi_v4_at(&b->torque_i[c][k]);
            on_j[c] = *demi_v4_at(&b->torque_j[c][k]);
        }
        on[3] = on_i[3] = on_j[3] = zero;
        demi_v4_transpose(on);
        demi_v4_transpose(on_i);
        demi_v4_transpose(on_j);
        for (uint64_t m = 0; m < 4; ++m) {
            if (k + m >= n)
                break;
            const uint32_t i = t->pair[k + m].i, j = t->pair[k + m].j;
            const demi_v4 reaction = -on[m];
            DEMI_ISA(add_row)(force + i, &on[m]);
            DEMI_ISA(add_row)(torque + i, &on_i[m]);
            DEMI_ISA(add_row)(force + j, &reaction);
            DEMI_ISA(add_row)(torque + j, &on_j[m]);
        }
    }
}

/* Whether a flag of a lane is set. */
static DEMI_INLINE uint64_t DEMI_ISA(flagged)(const double *flag)
{
    uint64_t bits;
    memcpy(&bits, flag, sizeof bits);
    return bits << 1 != 0; /* neither 0 nor -0 */
}

/* Keeps the states of the contacts that exist, one after the other. */
static DEMI_INLINE void DEMI_ISA(keep_states)(WORK *t, uint64_t n)
{
    const demi_lanes *b = t->lanes;
    const uint64_t stride = t->run->state_stride;
    unsigned char *live_next = t->live_next;
    double *to[CHUNK_BATCH], *next = t->state_next;
    for (uint64_t k = 0; k < n; ++k) {
        const uint64_t alive = DEMI_ISA(flagged)(&b->alive[k]);
        live_next[t->index[k]] = (unsigned char)alive;
        to[k] = next;
        next += stride & -alive;
    }
    t->state_next = next;
    for (uint64_t c = 0; c < stride; c += 4)
        for (uint64_t k = 0; k < n; k += 4) {
            demi_v4 rows[4];
            for (uint64_t m = 0; m < 4; ++m)
                rows[m] = *demi_v4_at(&b->state[c + m][k]);
            demi_v4_transpose(rows);
            /* in this order: the place of one that ended is that of the next */
            for (uint64_t m = 0; m < 4 && k + m < n; ++m)
                *(demi_v4 *)(to[k + m] + c) = rows[m];
        }
}

/* An evaluation without a step leaves the states as they are. */
static void DEMI_ISA(copy_states)(WORK *t, uint64_t n)
{
    const uint32_t stride = t->run->state_stride;
    for (uint64_t k = 0; k < n; ++k) {
        const uint64_t p = t->index[k];
        const int alive = t->lanes->alive[k] != 0.0;
        t->live_next[p] = (unsigned char)alive;
        if (!alive || stride == 0)
            continue;
        if (t->live[p])
            memcpy(t->state_next, t->old[k], stride * sizeof(double));
        else
            memset(t->state_next, 0, stride * sizeof(double));
        t->state_next += stride;
    }
}

/* ------------------------------------------------------------------ a batch */

/* Computes the first n pairs of the index. */
static dem_status DEMI_ISA(chunk_flush)(WORK *t, uint64_t n)
{
    const uint64_t padded = DEMI_PADDED(n);
    DEMI_ISA(batch_ends)(t, n, padded);
    if (t->run->shape == DEMI_SHAPE_PLANE)
        for (uint64_t k = 0; k < padded; ++k)
            DEMI_ISA(gather_plane)(t, k);
    else if (t->how.frame == DEM_FRAME_SYNCHRONIZED)
        DEMI_ISA(gather_spheres)(t, padded, 1);
    else
        DEMI_ISA(gather_spheres)(t, padded, 0);
    DEMI_ISA(gather_states)(t, padded);
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
        const demi_ends ends = demi_pair_ends(&t->w->list, t->chunk, &t->pairs[p]);
        const demi_wall *wall = (const demi_wall *)t->w->wall.data + ends.other;
        const double *x = t->desk->rows.position + (ends.own - t->chunk->row_begin) * DEMI_PLACE;
        double distance = 0.0;
        for (int c = 0; c < 3; ++c)
            distance += (x[c] - wall->point[t->w->front ^ 1][c]) * wall->normal[c];
        t->live_next[p] = 0;
        t->index[n] = (uint32_t)p;
        n += (uint64_t)((distance < x[3] + t->run->reach) | (t->live[p] != 0));
        status = DEMI_ISA(chunk_drain)(t, &n, 0);
    }
    return status != DEM_OK ? status : DEMI_ISA(chunk_drain)(t, &n, 1);
}

/* Which of four pairs are within reach, as bits; a little too many is harmless. */
static DEMI_INLINE uint32_t DEMI_ISA(near_four)(const double *position, const demi_pair pair[4],
                                                double reach)
{
    const demi_v4 last = {0.0, 0.0, 0.0, -0.0};
    demi_v4 d[4];
    for (int m = 0; m < 4; ++m) {
        /* x_i - x_j, and -r_i - r_j in the last column */
        const demi_v4 x = *demi_v4_at(position + pair[m].i);
        d[m] = (demi_v4)((demi_i4)x ^ (demi_i4)last) - *demi_v4_at(position + pair[m].j);
    }
    demi_v4_transpose(d);
    const demi_v4 touch = (reach - d[3]) * (1.0 + 1e-12);
    const demi_v4 distance2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], touch2 = touch * touch;
    return demi_v4_below(&distance2, &touch2);
}

/* Four flags of one byte each, as bits. */
static DEMI_INLINE uint32_t DEMI_ISA(flags_four)(const unsigned char flag[4])
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint32_t all;
    memcpy(&all, flag, sizeof all);
    return all * 0x01020408u >> 24; /* flag m comes to lie at bit 24 + m, and above it is nothing */
#else
    return flag[0] | (uint32_t)flag[1] << 1 | (uint32_t)flag[2] << 2 | (uint32_t)flag[3] << 3;
#endif
}

/* Adds pair p + m to the index for each bit m of four. */
static DEMI_INLINE void DEMI_ISA(index_four)(uint32_t *index, uint64_t p, uint32_t bits,
                                             uint64_t *n)
{
    const demi_u4 pairs = (uint32_t)p + (demi_u4){0, 1, 2, 3};
    demi_u4_index(index, &pairs, bits, n);
}

/* Asks for a row of the next chunk and one of its halo. */
static DEMI_INLINE void DEMI_ISA(ask_ahead)(DEMI_ISA(chunk_ahead) * a)
{
    if (a->rows > 0) {
        --a->rows;
        __builtin_prefetch(a->position++, 0, 2);
        __builtin_prefetch(a->motion++, 0, 2);
        __builtin_prefetch(a->load++, 1, 2);
        if (a->old != NULL)
            __builtin_prefetch(a->old++, 0, 2);
    }
    if (a->halos > 0) {
        --a->halos;
        const uint32_t target = *a->target++ & ~DEMI_WALL_BIT;
        __builtin_prefetch(a->halo++, 1, 2);
        __builtin_prefetch(&a->every_position[target], 0, 2);
        __builtin_prefetch(&a->every_motion[target], 0, 2);
        if (a->old != NULL)
            __builtin_prefetch(&a->every_old[target], 0, 2);
    }
}

static DEMI_INLINE DEMI_ISA(chunk_ahead)
    DEMI_ISA(ahead_of)(const dem_world *w, uint64_t k, int synchronized)
{
    const int now = w->front, next = now ^ 1;
    DEMI_ISA(chunk_ahead) a;
    memset(&a, 0, sizeof a);
    if (k + 1 >= w->list.chunks)
        return a;
    const demi_chunk *chunk = (const demi_chunk *)w->list.chunk.data + k + 1;
    a.every_position = (const demi_row *)demi_rows(&w->position[next]);
    a.every_motion = demi_motions(&w->motion[next]);
    a.every_old = demi_motions(&w->motion[now]);
    a.position = a.every_position + chunk->row_begin;
    a.motion = a.every_motion + chunk->row_begin;
    a.old = synchronized ? a.every_old + chunk->row_begin : NULL;
    a.load = demi_loads(&w->load[next]) + chunk->row_begin;
    a.halo = (const demi_load *)w->list.halo.data + chunk->halo_begin;
    a.target = (const uint32_t *)w->list.target.data + chunk->halo_begin;
    a.rows = chunk->row_end - chunk->row_begin;
    a.halos = chunk->halo_end - chunk->halo_begin;
    return a;
}

/* Filters pairs from p on, as many as there are whole groups before `stop`; tells where the rest
 * begins. */
static DEMI_INLINE uint64_t DEMI_ISA(filter_groups)(WORK *t, uint64_t p, uint64_t stop, uint64_t *n)
{
    /* copies that no store can change, in the compiler's eyes */
    const double *position = t->desk->rows.position, reach = t->run->reach;
    const demi_pair *pairs = t->pairs;
    const unsigned char *live = t->live;
    unsigned char *live_next = t->live_next;
    DEMI_ISA(chunk_ahead) ahead = t->ahead;
    for (; p + 4 <= stop; p += 4) {
        const uint32_t near = DEMI_ISA(near_four)(position, &pairs[p], reach);
        memset(&live_next[p], 0, 4);
        DEMI_ISA(ask_ahead)(&ahead);
        DEMI_ISA(index_four)(t->index, p, near | DEMI_ISA(flags_four)(&live[p]), n);
    }
    t->ahead = ahead;
    return p;
}

/* The last few pairs before `stop`, filled up with the first of them. */
static DEMI_INLINE void DEMI_ISA(filter_rest)(WORK *t, uint64_t p, uint64_t stop, uint64_t *n)
{
    demi_pair rest[4] = {t->pairs[p], t->pairs[p], t->pairs[p], t->pairs[p]};
    unsigned char live[4] = {0, 0, 0, 0};
    const size_t count = (size_t)(stop - p);
    memcpy(rest, &t->pairs[p], count * sizeof rest[0]);
    memcpy(live, &t->live[p], count);
    memset(&t->live_next[p], 0, count);
    const uint32_t near = DEMI_ISA(near_four)(t->desk->rows.position, rest, t->run->reach);
    const uint32_t there = (1u << count) - 1u;
    DEMI_ISA(index_four)(t->index, p, (near & there) | DEMI_ISA(flags_four)(live), n);
}

static dem_status DEMI_ISA(run_spheres)(WORK *t)
{
    uint64_t n = 0;
    dem_status status = DEM_OK;
    const uint64_t end = t->run->end;
    for (uint64_t p = t->run->begin; status == DEM_OK && p < end;) {
        const uint64_t stop = p + CHUNK_FILTER < end ? p + CHUNK_FILTER : end;
        p = DEMI_ISA(filter_groups)(t, p, stop, &n);
        if (p < stop)
            DEMI_ISA(filter_rest)(t, p, stop, &n);
        p = stop;
        status = DEMI_ISA(chunk_drain)(t, &n, 0);
    }
    return status != DEM_OK ? status : DEMI_ISA(chunk_drain)(t, &n, 1);
}

/* ------------------------------------------------------------------ a chunk */

static dem_status DEMI_ISA(run_pairs)(WORK *t, const demi_run *run, const demi_chunk_call *call)
{
    const dem_world *w = t->w;
    const demi_lanes_call how = {.model = run->model,
                                 .shape = run->shape,
                                 .frame = call->frame,
                                 .padded = 1,
                                 .dt = call->dt,
                                 .overlap_limit = w->config.overlap_limit,
                                 .accounting = w->config.accounting == DEM_ACCOUNTING_FULL};
    t->run = run;
    t->how = how;
    t->state = (const double *)w->state[w->front].data + run->state_begin;
    t->state_next = (double *)w->state[w->front ^ 1].data + run->state_begin;
    return run->shape == DEMI_SHAPE_PLANE ? DEMI_ISA(run_planes)(t) : DEMI_ISA(run_spheres)(t);
}

demi_chunk_function DEMI_ISA(demi_chunk_contacts);

void DEMI_ISA(demi_chunk_contacts)(const demi_chunk_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const demi_chunk *chunk = (const demi_chunk *)w->list.chunk.data + k;
    demi_report *report = (demi_report *)w->report.data + k;
    report->status = DEM_OK;
    memset(&report->totals, 0, sizeof report->totals);
    if (chunk->pair_begin == chunk->pair_end) {
        DEMI_ISA(chunk_apart)(w, chunk);
        return;
    }
    demi_desk *desk = demi_desk_take(&w->desks, k * w->desks.count / w->list.chunks);
    WORK t = {.w = w,
              .chunk = chunk,
              .pairs = w->list.pair.data,
              .live = w->list.live[w->front].data,
              .live_next = w->list.live[w->front ^ 1].data,
              .desk = desk,
              .lanes = desk->lanes,
              .report = report,
              .again = call->again,
              .ahead = DEMI_ISA(ahead_of)(w, k, call->frame == DEM_FRAME_SYNCHRONIZED)};
    if (call->frame == DEM_FRAME_SYNCHRONIZED)
        DEMI_ISA(desk_lay)(&t, 1);
    else
        DEMI_ISA(desk_lay)(&t, 0);
    const demi_run *runs = w->list.run.data;
    dem_status status = DEM_OK;
    for (uint64_t r = chunk->run_begin; status == DEM_OK && r < chunk->run_end; ++r)
        status = DEMI_ISA(run_pairs)(&t, &runs[r], call);
    if (status == DEM_OK)
        DEMI_ISA(desk_clear)(&t);
    demi_desk_return(desk);
}

#undef WORK
#undef CHUNK_BATCH
#undef CHUNK_FILTER
