/* SPDX-License-Identifier: MIT */
/* A step of the pairs of a kept list: read rows, filter the pairs that act, gather them into lanes,
 * scatter forces, keep contacts, and write rows. */
#include "contact/kept.h"
#include "contact/bodies.h"
#include "contact/input.h"
#include "contact/resultant.h"

#include <dem/kernels.h>

#include <float.h>
#include <stddef.h>
#include <string.h>

/* ------------------------------------------------------------------ rows of the host */

/* Three components of a row, never a fourth one, and what stands behind them. */
static DEMI_INLINE void host_row(const double *base, uint64_t stride, uint32_t row, double last,
                                 demi_group *to)
{
    const double *from = demi_row3(base, stride, row);
    *to = (demi_group){from[0], from[1], from[2], last};
}

/* What dashpots see beyond the velocities of a row. Adds to `off` as read_of does. */
static DEMI_INLINE void gain_read(const double *base, uint64_t stride, uint32_t row, double lag,
                                  double *gain, demi_group *off)
{
    demi_group a = {0.0};
    if (base != NULL)
        host_row(base, stride, row, 0.0, &a);
    *off += a - a;
    *(demi_v4 *)gain = a * lag;
}

static DEMI_INLINE int read_of(const demi_history_call *call, uint64_t begin, uint64_t end,
                               int gains, int torques)
{
    const dem_contacts_input *in = call->in;
    const demi_kept *kept = &call->history->kept;
    const uint64_t *stride = call->stride;
    demi_group off = {0.0}; /* stays 0 while all is finite */
    for (uint64_t k = begin; k < end; ++k) {
        const uint32_t row = kept->row.read[k];
        double *at = kept->position.data + 4 * k, *velocity = kept->velocity.data + 8 * k,
               *load = kept->load.data + 8 * k, *gain = kept->gain.data + 8 * k;
        demi_group x, v, w = {0.0}, sum;
        host_row(in->position, stride[0], row, at[3], &x);
        host_row(in->velocity, stride[1], row, velocity[3], &v);
        if (in->angular_velocity != NULL)
            host_row(in->angular_velocity, stride[2], row, 0.0, &w);
        off += (x - x) + (v - v) + (w - w);
        *(demi_v4 *)at = x;
        *(demi_v4 *)velocity = v;
        *(demi_v4 *)(velocity + 4) = w;
        if (gains) {
            gain_read(in->acceleration, stride[3], row, in->velocity_lag, gain, &off);
            gain_read(in->angular_acceleration, stride[4], row, in->velocity_lag, gain + 4, &off);
        }
        if (row >= call->owned_count || call->history->sums.exact)
            continue;
        host_row(in->force, stride[5], row, 0.0, &sum);
        *(demi_v4 *)load = sum;
        if (torques) {
            host_row(in->torque, stride[6], row, 0.0, &sum);
            *(demi_v4 *)(load + 4) = sum;
        }
    }
    return off[0] == 0.0 && off[1] == 0.0 && off[2] == 0.0;
}

DEMI_ENTRY(demi_kept_read_function, demi_kept_read);

int demi_kept_read(const demi_history_call *call, uint64_t begin, uint64_t end)
{
    const int torques = call->in->torque != NULL;
    if (call->in->kinematics == DEM_KINEMATICS_SYNCHRONIZED)
        return torques ? read_of(call, begin, end, 1, 1) : read_of(call, begin, end, 1, 0);
    return torques ? read_of(call, begin, end, 0, 1) : read_of(call, begin, end, 0, 0);
}

DEMI_ENTRY(demi_kept_write_function, demi_kept_write);

void demi_kept_write(const demi_history_call *call, uint64_t begin, uint64_t end)
{
    const demi_kept *kept = &call->history->kept;
    for (uint64_t k = begin; k < end; ++k) {
        const uint32_t row = kept->row.read[k];
        const double *load = kept->load.read + 8 * k;
        if (row >= call->owned_count)
            continue;
        memcpy(demi_row3_out(call->in->force, call->stride[5], row), load, 3 * sizeof(double));
        if (call->in->torque != NULL)
            memcpy(demi_row3_out(call->in->torque, call->stride[6], row), load + 4,
                   3 * sizeof(double));
    }
}

/* ------------------------------------------------------------------ filter */

_Static_assert((int)DEMI_WIDE <= (int)DEMI_KEPT_GROUP, "arrays go on to as many pairs");

typedef struct kept_near {
    uint32_t near, finite; /* bits */
} kept_near;

/* Which of DEMI_WIDE pairs are nearer than they must be to act. */
static DEMI_INLINE kept_near kept_pairs_near(const double *position, const demi_pair *pair,
                                             const double *shift, const double *touch_squared)
{
    demi_wide apart[4];
    for (int s = 0; s < 4; ++s) {
        demi_wide i, j;
        demi_wide_two(position, &pair->i, DEMI_LOCAL_OFFSET_POSITION, s, &i);
        demi_wide_two(position, &pair->j, DEMI_LOCAL_OFFSET_POSITION, s, &j);
        apart[s] = i - j;
        if (shift != NULL) {
            const double *shifts[DEMI_WIDE];
            demi_wide by; /* with one number of the next shift, for which nobody asks */
            for (int m = 0; m < DEMI_WIDE; ++m)
                shifts[m] = shift + 3 * m;
            demi_wide_at(shifts, 0, s, &by);
            apart[s] -= by;
        }
    }
    demi_wide_columns(apart);
    const demi_wide zero = {0.0}, most = zero + DBL_MAX,
                    squared = apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2],
                    touch = *(const demi_wide *)touch_squared;
    const kept_near found = {demi_wide_below(&squared, &touch), demi_wide_below(&squared, &most)};
    return found;
}

/* Asks for what a pair needs when its batch comes. Most pairs have the row i of the one before,
 * which is there. */
static DEMI_INLINE void kept_prefetch(const demi_kept_work *t, uint64_t k)
{
    const demi_kept *kept = t->kept;
    const uint64_t stride = kept->state_stride;
    __builtin_prefetch(kept->velocity.read + t->pair[k].j);
    if (t->load != NULL && t->tasks == NULL)
        __builtin_prefetch(t->load + t->pair[k].j, 1);
    for (uint64_t c = 0; c < stride; c += 8)
        __builtin_prefetch(t->current->state.read + t->index[k] * stride + c);
}

static DEMI_INLINE uint64_t filter_of(demi_kept_work *t, uint64_t begin, uint64_t end, int shifted)
{
    static const unsigned char none[DEMI_WIDE] = {0};
    const demi_kept *kept = t->kept;
    const double *position = kept->position.read, *touch = kept->touch_squared.read,
                 *shift = kept->shift.read;
    const demi_pair *pair = kept->pair.read;
    const unsigned char *touching = t->current->touching.read;
    uint64_t n = t->count, q = begin;
    for (; q < end; q += DEMI_WIDE) {
        /* arrays go on to as many pairs, the last of which never act */
        const kept_near found =
            kept_pairs_near(position, &pair[q], shifted ? shift + 3 * q : NULL, &touch[q]);
        if (found.finite != DEMI_WIDE_ALL)
            break;
        const uint64_t left = end - q;
        const uint32_t there = left < DEMI_WIDE ? (1u << left) - 1u : DEMI_WIDE_ALL;
        const uint32_t act = (found.near | demi_wide_flags(&touching[q])) & there;
        demi_wide_append((uint32_t)q, none, &pair[q], act, t->index + n, t->pair + n);
        n += (uint64_t)__builtin_popcount(act);
    }
    for (uint64_t k = t->count; k < n; ++k)
        kept_prefetch(t, k);
    t->count = n;
    return q < end ? q : end;
}

DEMI_ENTRY(demi_kept_filter_function, demi_kept_filter);

uint64_t demi_kept_filter(demi_kept_work *t, uint64_t begin, uint64_t end)
{
    return t->kept->shifted ? filter_of(t, begin, end, 1) : filter_of(t, begin, end, 0);
}

/* ------------------------------------------------------------------ gather */

/* What a contact begins with. */
static const double kept_no_state[DEM_STATE_MAX + DEMI_STATES_BEYOND];

/* Shifts, and what a distance without a finite inverse stands for: one point, without a normal.
 * Tells whether a contact has no mass. */
static DEMI_INLINE int gather_offsets(const demi_kept_work *t, uint64_t n)
{
    demi_lanes *b = t->lanes;
    const double *shift = t->kept->shift.read;
    if (t->kept->shifted)
        for (uint64_t k = 0; k < n; ++k)
            for (int c = 0; c < 3; ++c)
                b->offset[c][k] -= shift[3 * (uint64_t)t->index[k] + (uint64_t)c];
    uint64_t heavy = 0;
    DEMI_SIMD
    for (uint64_t k = 0; k < n; ++k) {
        const double x = b->offset[0][k], y = b->offset[1][k], z = b->offset[2][k];
        const int one = x * x + y * y + z * z < DBL_MIN;
        b->offset[0][k] = dem_select(one, 0.0, x);
        b->offset[1][k] = dem_select(one, 0.0, y);
        b->offset[2][k] = dem_select(one, 0.0, z);
        heavy |= (uint64_t)(b->inverse_mass[k] == 0.0);
    }
    return heavy != 0;
}

/* Old states of the batch. */
static DEMI_INLINE void kept_gather_states(const demi_kept_work *t, uint64_t n)
{
    demi_lanes *b = t->lanes;
    const double *states = t->current->state.read;
    const unsigned char *touching = t->current->touching.read;
    const uint64_t size = t->model->state_size, stride = t->kept->state_stride;
    for (uint64_t k = 0; k < n; k += DEMI_WIDE) {
        const double *at[DEMI_WIDE];
        for (uint64_t m = 0; m < DEMI_WIDE; ++m) {
            const uint64_t q = t->index[k + m];
            b->was_touching[k + m] = touching[q] ? 1.0 : 0.0;
            at[m] = touching[q] ? states + q * stride : kept_no_state;
        }
        demi_states_gather(b, at, size, k);
    }
}

DEMI_ENTRY(demi_kept_gather_function, demi_kept_gather);

int demi_kept_gather(demi_kept_work *t, uint64_t n)
{
    const demi_kept *kept = t->kept;
    const demi_bodies rows = {kept->position.read, kept->velocity.read, kept->velocity.read + 4,
                              kept->gain.read, kept->gain.read + 4};
    /* lanes from n on repeat the last contact */
    const uint64_t padded = DEMI_PADDED(n);
    for (uint64_t k = n; k < padded; ++k) {
        t->pair[k] = t->pair[n - 1];
        t->index[k] = t->index[n - 1];
    }
    if (t->synchronized)
        demi_bodies_gather(t->lanes, rows, rows, t->pair, 0, padded, DEMI_BODIES_GAIN, 1, 0.0);
    else
        demi_bodies_gather(t->lanes, rows, rows, t->pair, 0, padded, 0, 0, 0.0);
    kept_gather_states(t, padded);
    return gather_offsets(t, padded);
}

/* ------------------------------------------------------------------ scatter */

/* Keeps those of DEMI_WIDE contacts that exist. */
static DEMI_INLINE void keep_wide(const demi_kept_work *t, uint64_t k, uint32_t touching, int past)
{
    const demi_lanes *b = t->lanes;
    const uint64_t stride = t->kept->state_stride, size = t->model->state_size;
    demi_wide normal[4], force[4];
    normal[0] = *(const demi_wide *)&b->overlap[k];
    force[0] = *(const demi_wide *)&b->force_normal[k];
    for (int c = 0; c < 3; ++c) {
        normal[c + 1] = *(const demi_wide *)&b->normal[c][k];
        force[c + 1] = *(const demi_wide *)&b->force_tangential[c][k];
    }
    demi_wide_rows(normal);
    demi_wide_rows(force);
#pragma GCC unroll 8
    for (int m = 0; m < DEMI_WIDE; ++m) {
        if ((touching >> m & 1u) == 0)
            continue;
        const uint64_t q = t->index[k + (uint64_t)m];
        double *result = t->next->result.data + q * DEMI_KEPT_RESULT;
        demi_wide_store(normal, m, result, past);
        demi_wide_store(force, m, result + 4, past);
        t->next->touching.data[q] = 1;
    }
    for (uint64_t c = 0; c < size; c += 4) {
        demi_wide state[4];
        for (uint64_t s = 0; s < 4; ++s)
            state[s] = *(const demi_wide *)&b->state[c + s][k];
        demi_wide_rows(state);
#pragma GCC unroll 8
        for (int m = 0; m < DEMI_WIDE; ++m)
            if ((touching >> m & 1u) != 0)
                demi_wide_store(state, m,
                                t->next->state.data + t->index[k + (uint64_t)m] * stride + c, 0);
    }
}

/* Keeps what up to DEMI_WIDE contacts add to their rows. */
static DEMI_INLINE void part_wide(const demi_kept_work *t, uint64_t k, uint64_t count, int torques)
{
    demi_wide on[4], on_i[4], on_j[4];
    if (torques)
        demi_wide_resultant(t->lanes, k, 1, on, on_i, on_j);
    else
        demi_wide_resultant(t->lanes, k, 0, on, on_i, on_j);
    on[3] = on_i[3] = on_j[3] = (demi_wide){0.0};
    demi_wide_rows(on);
    demi_wide_rows(on_i);
    demi_wide_rows(on_j);
#pragma GCC unroll 8
    for (int m = 0; m < DEMI_WIDE; ++m) {
        if ((uint64_t)m >= count)
            break;
        const uint64_t q = t->index[k + (uint64_t)m];
        const uint64_t place = t->place + k + (uint64_t)m;
        double *part = t->tasks->part.data + place * DEMI_KEPT_PART;
        demi_wide_store(on, m, part, 0);
        demi_wide_store(on_i, m, part + 4, 0);
        demi_wide_store(on_j, m, part + 8, 0);
        t->tasks->place.data[q] = (uint32_t)place;
    }
}

DEMI_ENTRY(demi_kept_scatter_function, demi_kept_scatter);

void demi_kept_scatter(demi_kept_work *t, uint64_t n)
{
    const int torques = demi_model_torques(t->model);
    for (uint64_t k = 0; k < n; k += DEMI_WIDE) {
        const uint64_t count = n - k < DEMI_WIDE ? n - k : DEMI_WIDE;
        const uint32_t there = (1u << count) - 1u;
        if (t->tasks != NULL)
            part_wide(t, k, count, torques);
        else if (t->load != NULL && torques)
            demi_wide_scatter(t->lanes, k, count, 1, &t->pair[k], t->load, t->load);
        else if (t->load != NULL)
            demi_wide_scatter(t->lanes, k, count, 0, &t->pair[k], t->load, t->load);
        const uint32_t touching = demi_wide_any(&t->lanes->touching[k]) & there;
        if (t->keep && t->past)
            keep_wide(t, k, touching, 1);
        else if (t->keep)
            keep_wide(t, k, touching, 0);
    }
}

/* Ends that are looked through at a time for those that have a part. */
enum { ENDS_ROUND = 64 };

/* Adds the forces of so many ends, which have a part. */
static DEMI_INLINE void ends_add(const demi_kept *kept, const demi_kept_pair_end *end,
                                 const uint32_t *place, uint64_t n)
{
    const double *parts = kept->tasks.part.read;
    double *loads = kept->load.data;
    for (uint64_t m = 0; m < n; ++m) {
        const uint64_t j = end[m].end % 2;
        const double *part = parts + (uint64_t)place[m] * DEMI_KEPT_PART;
        demi_v4 *load = (demi_v4 *)(loads + end[m].row);
        load[0] += *demi_v4_at(part) * (1.0 - 2.0 * (double)j);
        load[1] += *demi_v4_at(part + 4 + 4 * j);
    }
}

DEMI_ENTRY(demi_kept_rows_function, demi_kept_rows);

/* Most pairs do not act: a loop without a branch finds those that do. */
void demi_kept_rows(const demi_kept *kept, uint64_t k)
{
    const demi_kept_tasks *tasks = &kept->tasks;
    const demi_kept_pair_end *end = tasks->end.read;
    const uint32_t *places = tasks->place.read;
    const uint64_t stop = tasks->first.read[k + 1];
    demi_kept_pair_end there[ENDS_ROUND];
    uint32_t place[ENDS_ROUND];
    for (uint64_t e = tasks->first.read[k]; e < stop;) {
        const uint64_t round = e + ENDS_ROUND < stop ? e + ENDS_ROUND : stop;
        uint64_t n = 0;
        for (; e < round; ++e) {
            there[n] = end[e];
            place[n] = places[end[e].end / 2];
            n += place[n] != DEMI_KEPT_NONE;
        }
        ends_add(kept, there, place, n);
    }
}

DEMI_ENTRY(demi_kept_fence_function, demi_kept_fence);

void demi_kept_fence(void)
{
    demi_group_fence();
}
