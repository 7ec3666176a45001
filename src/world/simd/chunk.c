/* SPDX-License-Identifier: MIT */
/* Contact forces of one chunk: lay its halo out on a desk, filter the pairs that touch, gather them
 * into lanes, compute, scatter forces and new states. Groups of contacts move between rows and
 * lanes by transposition. */
#include "contact/resultant.h"
#include "world/world.h"

#include <dem/kernels.h>

#include <string.h>

/* Contacts of a batch: few enough that its planes stay in the first cache. */
#define CHUNK_BATCH 32
/* Pairs that are filtered at a time. */
#define CHUNK_FILTER 64
/* Bytes of states that a core's caches may keep from one step to the next. */
#define CHUNK_STATES_CACHED (1u << 20)
/* Marks a number of a pair that was in contact. */
#define CHUNK_WAS 0x80000000u

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
    const double *velocity, *spin;         /* half way */
    const double *velocity_now, *spin_now; /* at the beginning of the step */
    double *load;
} DEMI_ISA(chunk_side);

typedef struct DEMI_ISA(chunk_work) {
    dem_world *w;
    const demi_chunk *chunk;
    /* the run, its pairs, whether they were in contact, and whether they will be */
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
    int past;     /* new states go past the caches */
    DEMI_ISA(chunk_ahead) ahead;
    /* pairs that touch: their numbers in the run, with CHUNK_WAS where they did before */
    uint32_t index[CHUNK_BATCH + CHUNK_FILTER + DEMI_GROUP];
    demi_pair pair[CHUNK_BATCH + CHUNK_FILTER + DEMI_GROUP];
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

/* Spins have pointers of their own: as velocities plus 32 bytes each would cost gcc a register, and
 * there are more rows than registers. */
static DEMI_INLINE DEMI_ISA(chunk_side)
    DEMI_ISA(side_of)(const double *position, const double *motion, const double *motion_now,
                      double *load)
{
    const DEMI_ISA(chunk_side)
        side = {position, motion, motion + 4, motion_now, motion_now + 4, load};
    return side;
}

/* Where the ends of a run's pairs are. */
static DEMI_INLINE void DEMI_ISA(run_sides)(WORK *t, int ends)
{
    const dem_world *w = t->w;
    const demi_chunk *chunk = t->chunk;
    const demi_halo_rows *desk = &t->desk->halo;
    const int now = w->front, next = now ^ 1;
    const uint64_t row = chunk->row_begin;
    const DEMI_ISA(chunk_side)
        own = DEMI_ISA(side_of)(demi_rows(&w->position[next])[row],
                                (const double *)(demi_motions(&w->motion[next]) + row),
                                (const double *)(demi_motions(&w->motion[now]) + row),
                                (double *)(demi_loads(&w->load[next]) + row)),
        halo = DEMI_ISA(side_of)(desk->position, desk->motion, desk->motion_now,
                                 (double *)((demi_load *)w->list.halo.data + chunk->halo_begin));
    t->i = ends == DEMI_ENDS_HALO_I ? halo : own;
    t->j = ends == DEMI_ENDS_HALO_J ? halo : own;
}

/* ------------------------------------------------------------------ gather */

/* What a contact begins with. */
static const double DEMI_ISA(no_state)[DEM_STATE_MAX + 4];

/* Makes the first n pairs that touch a batch; lanes up to `padded` repeat the last one. */
static DEMI_INLINE void DEMI_ISA(batch_begin)(WORK *t, uint64_t n, uint64_t padded)
{
    for (uint64_t k = n; k < padded; ++k) {
        t->pair[k] = t->pair[n - 1];
        t->index[k] = t->index[n - 1] & ~CHUNK_WAS;
    }
    double *alive_before = t->lanes->alive_before;
    for (uint64_t k = 0; k < padded; ++k)
        alive_before[k] = (double)(int32_t)(t->index[k] >> 31);
    /* what the next batch will want */
    const uint64_t states = CHUNK_BATCH * t->run->state_stride;
    for (uint64_t c = 0; c < states; c += 8) {
        __builtin_prefetch(t->state + states + c, 0, 2);
        if (!t->past)
            __builtin_prefetch(t->state_next + 2 * states + c, 1, 2);
    }
}

static DEMI_INLINE void DEMI_ISA(store_columns)(const demi_group columns[3], demi_plane *planes,
                                                uint64_t k)
{
    for (int c = 0; c < 3; ++c)
        *(demi_group *)&planes[c][k] = columns[c];
}

/* Rows of bodies, half way and, in the synchronized frame, at the beginning of the step. */
static DEMI_INLINE void DEMI_ISA(motion_rows)(const double *from, const double *from_now,
                                              const uint32_t at[DEMI_GROUP], int synchronized,
                                              demi_group half[4], demi_group now[4])
{
    for (int s = 0; s < 4; ++s) {
        demi_group_two(from, at, DEMI_PLACE_MOTION, s, &half[s]);
        if (synchronized)
            demi_group_two(from_now, at, DEMI_PLACE_MOTION, s, &now[s]);
    }
}

/* Velocities or spins of a group, half way and what dashpots see in the synchronized frame:
 * v(t + dt/2) + a dt/2, where a dt/2 is what the first kick added, or a part of that. */
static DEMI_INLINE void DEMI_ISA(store_motion)(demi_group half[4], demi_group now[4],
                                               int synchronized, double again, demi_plane *planes,
                                               demi_plane *damping, uint64_t k)
{
    demi_v4_transpose(half);
    DEMI_ISA(store_columns)(half, planes, k);
    if (synchronized) {
        demi_v4_transpose(now);
        for (int c = 0; c < 3; ++c)
            now[c] = half[c] + (half[c] - now[c]) * again;
        DEMI_ISA(store_columns)(now, damping, k);
    }
}

/* One end of a group: stores its spins and radii, and reads the rest. There are too many bodies
 * for their places to stay in registers while both ends are read. */
static DEMI_INLINE void DEMI_ISA(gather_end)(const DEMI_ISA(chunk_side) * side,
                                             const uint32_t at[DEMI_GROUP], int synchronized,
                                             int dashpots, double again, demi_plane *spin,
                                             demi_plane *damping_spin, double *radius, uint64_t k,
                                             demi_group position[4], demi_group velocity[4],
                                             demi_group now[4])
{
    const int damped = synchronized && dashpots;
    DEMI_ISA(motion_rows)(side->spin, side->spin_now, at, damped, velocity, now);
    DEMI_ISA(store_motion)(velocity, now, damped, again, spin, damping_spin, k);
    for (int s = 0; s < 4; ++s)
        demi_group_two(side->position, at, DEMI_PLACE_POSITION, s, &position[s]);
    demi_group_last(position, (demi_group *)radius);
    DEMI_ISA(motion_rows)(side->velocity, side->velocity_now, at, synchronized, velocity, now);
}

/* Positions and motion of the n spheres of a batch; dashpots: with what tangential ones see. */
static DEMI_INLINE void DEMI_ISA(gather_spheres)(WORK *t, uint64_t n, int synchronized,
                                                 int dashpots)
{
    demi_lanes *b = t->lanes;
    const DEMI_ISA(chunk_side) side_i = t->i, side_j = t->j;
    const double again = t->again;
    for (uint64_t k = 0; k < n; k += DEMI_GROUP) {
        uint32_t at[DEMI_GROUP];
        demi_group xi[4], xj[4], vi[4], vj[4], ni[4], nj[4], mass_i, mass_j;
        for (int m = 0; m < DEMI_GROUP; ++m)
            at[m] = t->pair[k + (uint64_t)m].i;
        DEMI_ISA(gather_end)
        (&side_i, at, synchronized, dashpots, again, b->spin_i, b->damping_spin_i, &b->radius_i[k],
         k, xi, vi, ni);
        for (int m = 0; m < DEMI_GROUP; ++m)
            at[m] = t->pair[k + (uint64_t)m].j;
        DEMI_ISA(gather_end)
        (&side_j, at, synchronized, dashpots, again, b->spin_j, b->damping_spin_j, &b->radius_j[k],
         k, xj, vj, nj);
        demi_group_last(vi, &mass_i);
        demi_group_last(vj, &mass_j);
        *(demi_group *)&b->inverse_mass[k] = mass_i + mass_j;
        for (int s = 0; s < 4; ++s) {
            xi[s] -= xj[s];
            vi[s] -= vj[s];
            if (synchronized)
                ni[s] -= nj[s];
        }
        demi_v4_transpose(xi);
        DEMI_ISA(store_columns)(xi, b->offset, k);
        DEMI_ISA(store_motion)
        (vi, ni, synchronized, again, b->velocity, b->damping_velocity, k);
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

/* Where the old states of a group are; they stand one after the other. */
static DEMI_INLINE void DEMI_ISA(old_states)(const uint32_t *index, uint64_t stride,
                                             const double **next, const double *at[DEMI_GROUP])
{
    const uint32_t was = demi_group_signs(index);
    const double *state = *next;
    for (uint32_t m = 0; m < DEMI_GROUP; ++m) {
        const uint64_t there = was >> m & 1u;
        at[m] = there ? state : DEMI_ISA(no_state);
        state += stride & -there;
    }
    *next = state;
}

/* States of the batch. */
static DEMI_INLINE void DEMI_ISA(gather_states)(WORK *t, uint64_t n)
{
    demi_lanes *b = t->lanes;
    const uint64_t stride = t->run->state_stride;
    const double *state = t->state;
    for (uint64_t k = 0; k < n; k += DEMI_GROUP) {
        const double *at[DEMI_GROUP];
        if (demi_group_signs(&t->index[k]) == DEMI_GROUP_ALL) {
            for (uint64_t m = 0; m < DEMI_GROUP; ++m)
                at[m] = state + m * stride;
            state += DEMI_GROUP * stride;
        } else {
            DEMI_ISA(old_states)(&t->index[k], stride, &state, at);
        }
        for (uint64_t c = 0; c < stride; c += 4) {
            demi_group rows[4];
            for (int s = 0; s < 4; ++s)
                demi_group_at(at, c, s, &rows[s]);
            demi_v4_transpose(rows);
            for (uint32_t m = 0; m < 4; ++m)
                *(demi_group *)&b->state[c + m][k] = rows[m];
        }
    }
    t->state = state;
}

/* ------------------------------------------------------------------ scatter */

/* Adds the forces of a group of up to DEMI_GROUP contacts to the rows of both bodies. */
static DEMI_INLINE void DEMI_ISA(scatter_group)(const WORK *t, uint64_t k, uint64_t count,
                                                int torques)
{
    double *const load_i = t->i.load, *const load_j = t->j.load;
    demi_group on[4], reaction[4], on_i[4], on_j[4];
    demi_group_resultant(t->lanes, k, torques, on, on_i, on_j);
    on[3] = on_i[3] = on_j[3] = (demi_group){0.0};
    demi_v4_transpose(on);
    demi_v4_transpose(on_i);
    demi_v4_transpose(on_j);
    for (int s = 0; s < 4; ++s)
        reaction[s] = -on[s];
#pragma GCC unroll 4
    for (int m = 0; m < DEMI_GROUP; ++m) {
        if ((uint64_t)m >= count)
            break;
        demi_group_add(on, on_i, m, load_i + t->pair[k + (uint64_t)m].i);
        demi_group_add(reaction, on_j, m, load_j + t->pair[k + (uint64_t)m].j);
    }
}

/* Adds the forces of the n contacts. */
static DEMI_INLINE void DEMI_ISA(scatter_forces)(const WORK *t, uint64_t n, int torques)
{
    uint64_t k = 0;
    for (; k + DEMI_GROUP <= n; k += DEMI_GROUP)
        DEMI_ISA(scatter_group)(t, k, DEMI_GROUP, torques);
    if (k < n)
        DEMI_ISA(scatter_group)(t, k, n - k, torques);
}

/* Notes which of a group are no longer in contact; tells which are. */
static DEMI_INLINE uint32_t DEMI_ISA(group_alive)(const WORK *t, uint64_t k, uint64_t count)
{
    const uint32_t there = count < DEMI_GROUP ? (1u << count) - 1u : DEMI_GROUP_ALL;
    const uint32_t alive = demi_group_any(&t->lanes->alive[k]) & there;
    if (alive == DEMI_GROUP_ALL)
        return alive;
    for (uint32_t m = 0; m < DEMI_GROUP && m < count; ++m)
        if ((alive >> m & 1u) == 0)
            t->live_next[t->index[k + m] & ~CHUNK_WAS] = 0;
    return alive;
}

/* Keeps the states of the contacts that exist, one after the other. */
static DEMI_INLINE void DEMI_ISA(keep_states)(WORK *t, uint64_t n, int past)
{
    const demi_lanes *b = t->lanes;
    const uint64_t stride = t->run->state_stride;
    double *next = t->state_next;
    for (uint64_t k = 0; k < n; k += DEMI_GROUP) {
        const uint64_t count = n - k;
        const uint32_t alive = DEMI_ISA(group_alive)(t, k, count);
        for (uint64_t c = 0; c < stride; c += 4) {
            demi_group rows[4];
            for (uint64_t m = 0; m < 4; ++m)
                rows[m] = *(const demi_group *)&b->state[c + m][k];
            demi_v4_transpose(rows);
            double *to = next + c;
            if (alive == DEMI_GROUP_ALL) {
#pragma GCC unroll 4
                for (int m = 0; m < DEMI_GROUP; ++m)
                    demi_group_store(rows, m, to + (uint64_t)m * stride, past);
                continue;
            }
            /* in this order: the place of one that ended is that of the next */
#pragma GCC unroll 4
            for (int m = 0; m < DEMI_GROUP; ++m) {
                if ((uint64_t)m >= count)
                    break;
                demi_group_store(rows, m, to, past);
                to += stride & -(uint64_t)(alive >> m & 1u);
            }
        }
        next += stride * (uint64_t)__builtin_popcount(alive);
    }
    t->state_next = next;
}

/* An evaluation without a step leaves the states, which begin at `state`, as they are. */
static void DEMI_ISA(copy_states)(WORK *t, const double *state, uint64_t n)
{
    const uint64_t stride = t->run->state_stride;
    for (uint64_t k = 0; k < n; k += DEMI_GROUP) {
        const uint32_t alive = DEMI_ISA(group_alive)(t, k, n - k);
        const double *at[DEMI_GROUP];
        DEMI_ISA(old_states)(&t->index[k], stride, &state, at);
        for (uint32_t m = 0; m < DEMI_GROUP; ++m) {
            if ((alive >> m & 1u) == 0 || stride == 0)
                continue;
            memcpy(t->state_next, at[m], stride * sizeof(double));
            t->state_next += stride;
        }
    }
}

/* ------------------------------------------------------------------ a batch */

/* Computes the first n pairs that touch. */
static dem_status DEMI_ISA(chunk_flush)(WORK *t, uint64_t n)
{
    const uint64_t padded = DEMI_PADDED(n);
    const double *state = t->state;
    DEMI_ISA(batch_begin)(t, n, padded);
    if (t->run->shape == DEMI_SHAPE_PLANE)
        for (uint64_t k = 0; k < padded; ++k)
            DEMI_ISA(gather_plane)(t, k);
    else if (t->how.frame != DEM_FRAME_SYNCHRONIZED)
        DEMI_ISA(gather_spheres)(t, padded, 0, 0);
    else if (demi_model_dashpots(t->run->model))
        DEMI_ISA(gather_spheres)(t, padded, 1, 1);
    else
        DEMI_ISA(gather_spheres)(t, padded, 1, 0);
    DEMI_ISA(gather_states)(t, padded);
    demi_lanes_function DEMI_ISA(demi_lanes_run);
    demi_report *report = t->report;
    report->status = DEMI_ISA(demi_lanes_run)(t->lanes, n, &t->how, &report->totals);
    if (report->status != DEM_OK) {
        if (report->status != DEM_ERROR_CALLBACK) {
            report->pair = t->run->begin + (t->index[t->how.lane] & ~CHUNK_WAS);
            report->value = t->lanes->overlap[t->how.lane];
        }
        report->what = t->run->model->laws[0].name;
        return report->status;
    }
    if (demi_model_torques(t->run->model))
        DEMI_ISA(scatter_forces)(t, n, 1);
    else
        DEMI_ISA(scatter_forces)(t, n, 0);
    if (!(t->how.dt > 0.0))
        DEMI_ISA(copy_states)(t, state, n);
    else if (t->past)
        DEMI_ISA(keep_states)(t, n, 1);
    else
        DEMI_ISA(keep_states)(t, n, 0);
    return DEM_OK;
}

/* Computes full batches of the n pairs that touch, and the rest if this is the end. */
static DEMI_INLINE dem_status DEMI_ISA(chunk_drain)(WORK *t, uint64_t *n, int end)
{
    while (*n >= CHUNK_BATCH || (end && *n > 0)) {
        const uint64_t batch = *n < CHUNK_BATCH ? *n : CHUNK_BATCH;
        const dem_status status = DEMI_ISA(chunk_flush)(t, batch);
        if (status != DEM_OK)
            return status;
        *n -= batch;
        /* there are at most as many more as were filtered at a time, moved in two parts that do
         * not overlap */
        for (int half = 0; half < 2; ++half) {
            memcpy(t->index + half * CHUNK_BATCH, t->index + (half + 1) * CHUNK_BATCH,
                   CHUNK_BATCH * sizeof t->index[0]);
            memcpy(t->pair + half * CHUNK_BATCH, t->pair + (half + 1) * CHUNK_BATCH,
                   CHUNK_BATCH * sizeof t->pair[0]);
        }
    }
    return DEM_OK;
}

/* ------------------------------------------------------------------ filter */

static dem_status DEMI_ISA(run_planes)(WORK *t)
{
    uint64_t n = 0;
    dem_status status = DEM_OK;
    const uint64_t pairs = t->run->end - t->run->begin;
    for (uint64_t p = 0; status == DEM_OK && p < pairs; ++p) {
        const demi_ends ends = demi_pair_ends(&t->w->list, t->chunk, t->run->ends, &t->pairs[p]);
        const demi_wall *wall = (const demi_wall *)t->w->wall.data + ends.other;
        const double *x = demi_rows(&t->w->position[t->w->front ^ 1])[ends.own];
        double distance = 0.0;
        for (int c = 0; c < 3; ++c)
            distance += (x[c] - wall->point[t->w->front ^ 1][c]) * wall->normal[c];
        const uint32_t was = t->live[p];
        const uint32_t touch = (uint32_t)(distance < x[3] + t->run->reach) | was;
        t->live_next[p] = (unsigned char)touch;
        t->index[n] = (uint32_t)p | was << 31;
        t->pair[n] = t->pairs[p];
        n += touch;
        status = DEMI_ISA(chunk_drain)(t, &n, 0);
    }
    return status != DEM_OK ? status : DEMI_ISA(chunk_drain)(t, &n, 1);
}

/* Which of a group of pairs are within reach, as bits; a little too many is harmless. */
static DEMI_INLINE uint32_t DEMI_ISA(group_near)(const double *from_i, const double *from_j,
                                                 const demi_pair *pair, double reach)
{
    uint32_t at_i[DEMI_GROUP], at_j[DEMI_GROUP];
    for (int m = 0; m < DEMI_GROUP; ++m) {
        at_i[m] = pair[m].i;
        at_j[m] = pair[m].j;
    }
    demi_group i[4], j[4], radius_i, radius_j;
    for (int s = 0; s < 4; ++s) {
        demi_group_two(from_i, at_i, DEMI_PLACE_POSITION, s, &i[s]);
        demi_group_two(from_j, at_j, DEMI_PLACE_POSITION, s, &j[s]);
    }
    demi_group_last(i, &radius_i);
    demi_group_last(j, &radius_j);
    for (int s = 0; s < 4; ++s)
        i[s] -= j[s];
    demi_v4_transpose(i);
    const demi_group touch = (reach + (radius_i + radius_j)) * (1.0 + 1e-12);
    const demi_group distance2 = i[0] * i[0] + i[1] * i[1] + i[2] * i[2], touch2 = touch * touch;
    return demi_v4_below(&distance2, &touch2);
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

/* Adds those of a group of pairs that touch, or did, to the n there. */
static DEMI_INLINE void DEMI_ISA(group_filter)(WORK *t, uint64_t p, const demi_pair *pair,
                                               const unsigned char *live, uint32_t near,
                                               unsigned char *live_next, uint64_t *n)
{
    const uint32_t touch = near | demi_group_flags(live);
    /* most of them stay in contact */
    demi_group_set_flags(touch, live_next);
    demi_group_append((uint32_t)p, live, pair, touch, t->index + *n, t->pair + *n);
    *n += (uint64_t)__builtin_popcount(touch);
}

/* Filters pairs from p on, as many as there are whole groups before `stop`; tells where the rest
 * begins. */
static DEMI_INLINE uint64_t DEMI_ISA(filter_groups)(WORK *t, uint64_t p, uint64_t stop, uint64_t *n)
{
    /* copies that no store can change, in the compiler's eyes */
    const double *from_i = t->i.position, *from_j = t->j.position, reach = t->run->reach;
    const demi_pair *pairs = t->pairs;
    const unsigned char *live = t->live;
    unsigned char *live_next = t->live_next;
    DEMI_ISA(chunk_ahead) ahead = t->ahead;
    uint64_t count = *n;
    for (; p + DEMI_GROUP <= stop; p += DEMI_GROUP) {
        const uint32_t near = DEMI_ISA(group_near)(from_i, from_j, &pairs[p], reach);
        DEMI_ISA(ask_ahead)(&ahead);
        DEMI_ISA(group_filter)(t, p, &pairs[p], &live[p], near, &live_next[p], &count);
    }
    t->ahead = ahead;
    *n = count;
    return p;
}

/* The last few pairs before `stop`, filled up with the first of them. */
static DEMI_INLINE void DEMI_ISA(filter_rest)(WORK *t, uint64_t p, uint64_t stop, uint64_t *n)
{
    demi_pair rest[DEMI_GROUP];
    unsigned char live[DEMI_GROUP] = {0}, live_next[DEMI_GROUP];
    const size_t count = (size_t)(stop - p);
    for (uint64_t m = 0; m < DEMI_GROUP; ++m)
        rest[m] = t->pairs[m < count ? p + m : p];
    memcpy(live, &t->live[p], count);
    const uint32_t near = DEMI_ISA(group_near)(t->i.position, t->j.position, rest, t->run->reach);
    DEMI_ISA(group_filter)(t, p, rest, live, near & ((1u << count) - 1u), live_next, n);
    memcpy(&t->live_next[p], live_next, count);
}

static dem_status DEMI_ISA(run_spheres)(WORK *t)
{
    uint64_t n = 0;
    dem_status status = DEM_OK;
    const uint64_t end = t->run->end - t->run->begin;
    for (uint64_t p = 0; status == DEM_OK && p < end;) {
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
                                 .apart = 1,
                                 .dt = call->dt,
                                 .overlap_limit = w->config.overlap_limit,
                                 .accounting = w->config.accounting == DEM_ACCOUNTING_FULL};
    t->run = run;
    t->how = how;
    t->pairs = (const demi_pair *)w->list.pair.data + run->begin;
    t->live = (const unsigned char *)w->list.live[w->front].data + run->begin;
    t->live_next = (unsigned char *)w->list.live[w->front ^ 1].data + run->begin;
    DEMI_ISA(run_sides)(t, run->ends);
    t->state = (const double *)w->state[w->front].data + run->state_begin;
    t->state_next = (double *)w->state[w->front ^ 1].data + run->state_begin;
    return run->shape == DEMI_SHAPE_PLANE ? DEMI_ISA(run_planes)(t) : DEMI_ISA(run_spheres)(t);
}

/* Whether the world's states are so many that none would be in a cache of a core any more when the
 * next step reads them. */
static int DEMI_ISA(states_past)(const dem_world *w)
{
    const uint64_t each = w->list.pairs > 0 ? w->list.states * sizeof(double) / w->list.pairs : 0;
    return w->totals.contacts * each > CHUNK_STATES_CACHED;
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
              .desk = desk,
              .lanes = desk->lanes,
              .report = report,
              .again = call->again,
              .past = DEMI_ISA(states_past)(w),
              .ahead = DEMI_ISA(ahead_of)(w, k, call->frame == DEM_FRAME_SYNCHRONIZED)};
    if (call->frame == DEM_FRAME_SYNCHRONIZED)
        DEMI_ISA(chunk_lay)(&t, 1);
    else
        DEMI_ISA(chunk_lay)(&t, 0);
    const demi_run *runs = w->list.run.data;
    dem_status status = DEM_OK;
    for (uint64_t r = chunk->run_begin; status == DEM_OK && r < chunk->run_end; ++r)
        status = DEMI_ISA(run_pairs)(&t, &runs[r], call);
    demi_group_fence();
    demi_desk_return(desk);
}

#undef WORK
#undef CHUNK_BATCH
#undef CHUNK_FILTER
#undef CHUNK_STATES_CACHED
#undef CHUNK_WAS
