/* SPDX-License-Identifier: MIT */
/* Contact forces of one chunk: lay its halo out on a desk, filter the pairs that touch, gather them
 * into lanes, compute, scatter forces and new states. Groups of four contacts move between rows and
 * lanes by transposition. */
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
    const demi_motion *motion, *every_motion, *old, *every_old; /* old: or NULL */
    const demi_load *load, *halo;
    const uint32_t *target;
    uint64_t rows, halos; /* still to be asked for */
} DEMI_ISA(chunk_ahead);

/* Where one end of a run's pairs is found. */
typedef struct DEMI_ISA(chunk_side) {
    const double *position;
    const double *motion, *motion_now; /* half way; at the beginning of the step */
    double *load;
} DEMI_ISA(chunk_side);

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
    DEMI_ISA(chunk_side) i, j;
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

/* ------------------------------------------------------------------ what a chunk begins with */

static DEMI_INLINE void DEMI_ISA(copy_motion)(double *to, const demi_motion *from)
{
    *(demi_v4 *)to = *demi_v4_at(from->velocity);
    *(demi_v4 *)(to + 4) = *demi_v4_at(from->spin);
}

/* Halo rows of the chunk side by side, at positions where its pairs meet them; forces of 0. */
static DEMI_INLINE void DEMI_ISA(chunk_lay)(const WORK *t, int synchronized)
{
    const dem_world *w = t->w;
    const demi_chunk chunk = *t->chunk;
    const demi_halo_rows to = t->desk->halo; /* a copy that no store can change */
    const int now = w->front, next = now ^ 1;
    const demi_row *x = (const demi_row *)demi_rows(&w->position[next]);
    const demi_motion *motion = demi_motions(&w->motion[next]),
                      *motion_now = demi_motions(&w->motion[now]);
    const uint64_t own = chunk.row_end - chunk.row_begin, halos = chunk.halo_end - chunk.halo_begin;
    double shift[DEMI_SHIFTS][4];
    for (uint32_t s = 0; s < DEMI_SHIFTS; ++s)
        for (int c = 0; c < 4; ++c)
            shift[s][c] =
                c == 3 ? 0.0
                       : demi_shift_periods(s, c) * (w->config.box_high[c] - w->config.box_low[c]);
    const uint32_t *target = (const uint32_t *)w->list.target.data + chunk.halo_begin;
    const unsigned char *shifts = (const unsigned char *)w->list.shift.data + chunk.halo_begin;
    memset(demi_loads(&w->load[next]) + chunk.row_begin, 0, (size_t)own * sizeof(demi_load));
    if (halos > 0)
        memset((demi_load *)w->list.halo.data + chunk.halo_begin, 0,
               (size_t)halos * sizeof(demi_load));
    for (uint64_t h = 0; h < halos; ++h) {
        const uint64_t row = target[h];
        if ((row & DEMI_WALL_BIT) != 0)
            continue;
        *(demi_v4 *)(to.position + h * 4) = *demi_v4_at(x[row]) + *demi_v4_at(shift[shifts[h]]);
        DEMI_ISA(copy_motion)(to.motion + h * 8, &motion[row]);
        if (synchronized)
            DEMI_ISA(copy_motion)(to.motion_now + h * 8, &motion_now[row]);
    }
}

/* Where the ends of a run's pairs are. */
static DEMI_INLINE void DEMI_ISA(run_sides)(WORK *t, int ends)
{
    const dem_world *w = t->w;
    const demi_chunk *chunk = t->chunk;
    const demi_halo_rows *desk = &t->desk->halo;
    const int now = w->front, next = now ^ 1;
    const uint64_t row = chunk->row_begin;
    const DEMI_ISA(chunk_side) own = {demi_rows(&w->position[next])[row],
                                      (const double *)(demi_motions(&w->motion[next]) + row),
                                      (const double *)(demi_motions(&w->motion[now]) + row),
                                      (double *)(demi_loads(&w->load[next]) + row)};
    const DEMI_ISA(chunk_side)
        halo = {desk->position, desk->motion, desk->motion_now,
                (double *)((demi_load *)w->list.halo.data + chunk->halo_begin)};
    t->i = ends == DEMI_ENDS_HALO_I ? halo : own;
    t->j = ends == DEMI_ENDS_HALO_J ? halo : own;
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

/* Rows of four places as columns. */
static DEMI_INLINE void DEMI_ISA(columns)(const double *from, const uint64_t at[4], demi_v4 out[4])
{
    for (int m = 0; m < 4; ++m)
        out[m] = *demi_v4_at(from + at[m]);
    demi_v4_transpose(out);
}

/* Differences of the rows of four pairs as columns; the sum in the last one. */
static DEMI_INLINE void DEMI_ISA(differences)(const double *from_i, const uint64_t i[4],
                                              const double *from_j, const uint64_t j[4],
                                              demi_v4 out[4])
{
    const demi_v4 last = {0.0, 0.0, 0.0, -0.0};
    for (int m = 0; m < 4; ++m)
        out[m] = *demi_v4_at(from_i + i[m]) -
                 (demi_v4)((demi_i4)*demi_v4_at(from_j + j[m]) ^ (demi_i4)last);
    demi_v4_transpose(out);
}

/* Last places of the rows of four places. */
static DEMI_INLINE void DEMI_ISA(store_last)(const double *from, const uint64_t at[4],
                                             double *plane)
{
    *(demi_v4 *)plane =
        (demi_v4){from[at[0] + 3], from[at[1] + 3], from[at[2] + 3], from[at[3] + 3]};
}

static DEMI_INLINE void DEMI_ISA(store_columns)(const demi_v4 columns[3], demi_plane *planes,
                                                uint64_t k)
{
    for (int c = 0; c < 3; ++c)
        *(demi_v4 *)&planes[c][k] = columns[c];
}

/* What dashpots see in the synchronized frame: v(t + dt/2) + a dt/2, where a dt/2 is what the first
 * kick added, or a part of that. */
static DEMI_INLINE void DEMI_ISA(store_damping)(const demi_v4 half[3], const demi_v4 now[3],
                                                double again, demi_plane *planes, uint64_t k)
{
    for (int c = 0; c < 3; ++c)
        *(demi_v4 *)&planes[c][k] = half[c] + (half[c] - now[c]) * again;
}

/* Positions and radii of four pairs. */
static DEMI_INLINE void DEMI_ISA(gather_positions)(demi_lanes *b, const double *from_i,
                                                   const uint64_t i[4], const double *from_j,
                                                   const uint64_t j[4], uint64_t k)
{
    demi_v4 rows[4];
    for (int m = 0; m < 4; ++m)
        rows[m] = *demi_v4_at(from_i + i[m]) - *demi_v4_at(from_j + j[m]);
    demi_v4_transpose(rows);
    DEMI_ISA(store_columns)(rows, b->offset, k);
    DEMI_ISA(store_last)(from_i, i, &b->radius_i[k]);
    DEMI_ISA(store_last)(from_j, j, &b->radius_j[k]);
}

/* Motion of the n spheres of a batch. */
static DEMI_INLINE void DEMI_ISA(gather_spheres)(WORK *t, uint64_t n, int synchronized)
{
    demi_lanes *b = t->lanes;
    const DEMI_ISA(chunk_side) i = t->i, j = t->j;
    const double again = t->again;
    for (uint64_t k = 0; k < n; k += 4) {
        uint64_t at_i[4], at_j[4];
        for (int m = 0; m < 4; ++m) {
            at_i[m] = t->pair[k + (uint64_t)m].i;
            at_j[m] = t->pair[k + (uint64_t)m].j;
        }
        demi_v4 v[4], si[4], sj[4], now[4];
        DEMI_ISA(gather_positions)(b, i.position, at_i, j.position, at_j, k);
        for (int m = 0; m < 4; ++m) {
            /* a motion takes two rows */
            at_i[m] *= 2;
            at_j[m] *= 2;
        }
        DEMI_ISA(differences)(i.motion, at_i, j.motion, at_j, v);
        DEMI_ISA(columns)(i.motion + 4, at_i, si);
        DEMI_ISA(columns)(j.motion + 4, at_j, sj);
        DEMI_ISA(store_columns)(v, b->velocity, k);
        *(demi_v4 *)&b->inverse_mass[k] = v[3];
        DEMI_ISA(store_columns)(si, b->spin_i, k);
        DEMI_ISA(store_columns)(sj, b->spin_j, k);
        if (!synchronized)
            continue;
        DEMI_ISA(differences)(i.motion_now, at_i, j.motion_now, at_j, now);
        DEMI_ISA(store_damping)(v, now, again, b->damping_velocity, k);
        DEMI_ISA(columns)(i.motion_now + 4, at_i, now);
        DEMI_ISA(store_damping)(si, now, again, b->damping_spin_i, k);
        DEMI_ISA(columns)(j.motion_now + 4, at_j, now);
        DEMI_ISA(store_damping)(sj, now, again, b->damping_spin_j, k);
    }
}

/* A wall takes the part of the body whose id is higher or lower, as it falls. */
static void DEMI_ISA(gather_plane)(const WORK *t, uint64_t k)
{
    const demi_ends ends = demi_pair_ends(&t->w->list, t->chunk, t->run->ends, &t->pair[k]);
    const demi_wall *wall = (const demi_wall *)t->w->wall.data + ends.other;
    const int first = ends.first, side = t->w->front ^ 1;
    demi_lanes *b = t->lanes;
    const double *x = demi_rows(&t->w->position[side])[ends.own];
    const demi_motion *motion = &demi_motions(&t->w->motion[side])[ends.own],
                      *now = &demi_motions(&t->w->motion[side ^ 1])[ends.own];
    const double *v = motion->velocity, *s = motion->spin;
    /* other frames damp what they move */
    const double again = t->how.frame == DEM_FRAME_SYNCHRONIZED ? t->again : 0.0;
    double distance = 0.0;
    for (int c = 0; c < 3; ++c) {
        distance += (x[c] - wall->point[side][c]) * wall->normal[c];
        b->offset[c][k] = first ? wall->normal[c] : -wall->normal[c];
        const double vd = v[c] + (v[c] - now->velocity[c]) * again,
                     sd = s[c] + (s[c] - now->spin[c]) * again;
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

static DEMI_INLINE void DEMI_ISA(add_load)(double *load, const demi_v4 *force,
                                           const demi_v4 *torque)
{
    *(demi_v4 *)load += *force;
    *(demi_v4 *)(load + 4) += *torque;
}

/* Adds the forces of the n contacts to the rows of both bodies. */
static DEMI_INLINE void DEMI_ISA(scatter_forces)(const WORK *t, uint64_t n)
{
    const demi_lanes *b = t->lanes;
    double *const load_i = t->i.load, *const load_j = t->j.load;
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
            const demi_v4 reaction = -on[m];
            DEMI_ISA(add_load)(load_i + (uint64_t)t->pair[k + m].i * 2, &on[m], &on_i[m]);
            DEMI_ISA(add_load)(load_j + (uint64_t)t->pair[k + m].j * 2, &reaction, &on_j[m]);
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
        const demi_ends ends = demi_pair_ends(&t->w->list, t->chunk, t->run->ends, &t->pairs[p]);
        const demi_wall *wall = (const demi_wall *)t->w->wall.data + ends.other;
        const double *x = demi_rows(&t->w->position[t->w->front ^ 1])[ends.own];
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
static DEMI_INLINE uint32_t DEMI_ISA(near_four)(const double *at_i, const double *at_j,
                                                const demi_pair pair[4], double reach)
{
    const demi_v4 last = {0.0, 0.0, 0.0, -0.0};
    demi_v4 d[4];
    for (int m = 0; m < 4; ++m) {
        /* x_i - x_j, and -r_i - r_j in the last column */
        const demi_v4 x = *demi_v4_at(at_i + pair[m].i);
        d[m] = (demi_v4)((demi_i4)x ^ (demi_i4)last) - *demi_v4_at(at_j + pair[m].j);
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
    const int next = w->front ^ 1;
    DEMI_ISA(chunk_ahead) a;
    memset(&a, 0, sizeof a);
    if (k + 1 >= w->list.chunks)
        return a;
    const demi_chunk *chunk = (const demi_chunk *)w->list.chunk.data + k + 1;
    a.every_position = (const demi_row *)demi_rows(&w->position[next]);
    a.position = a.every_position + chunk->row_begin;
    a.every_motion = demi_motions(&w->motion[next]);
    a.every_old = demi_motions(&w->motion[next ^ 1]);
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
    const double *at_i = t->i.position, *at_j = t->j.position, reach = t->run->reach;
    const demi_pair *pairs = t->pairs;
    const unsigned char *live = t->live;
    unsigned char *live_next = t->live_next;
    DEMI_ISA(chunk_ahead) ahead = t->ahead;
    for (; p + 4 <= stop; p += 4) {
        const uint32_t near = DEMI_ISA(near_four)(at_i, at_j, &pairs[p], reach);
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
    const uint32_t near = DEMI_ISA(near_four)(t->i.position, t->j.position, rest, t->run->reach);
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
    DEMI_ISA(run_sides)(t, run->ends);
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
        DEMI_ISA(chunk_lay)(&t, 1);
    else
        DEMI_ISA(chunk_lay)(&t, 0);
    const demi_run *runs = w->list.run.data;
    dem_status status = DEM_OK;
    for (uint64_t r = chunk->run_begin; status == DEM_OK && r < chunk->run_end; ++r)
        status = DEMI_ISA(run_pairs)(&t, &runs[r], call);
    demi_desk_return(desk);
}

#undef WORK
#undef CHUNK_BATCH
#undef CHUNK_FILTER
