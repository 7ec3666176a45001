/* SPDX-License-Identifier: MIT */
/* A step of the pairs of a kept list: filter those that act, gather them into lanes, scatter forces
 * and keep records. */
#include "contact/kept.h"
#include "contact/bodies.h"
#include "contact/resultant.h"

#include <dem/kernels.h>

#include <float.h>
#include <stddef.h>
#include <string.h>

/* ------------------------------------------------------------------ filter */

typedef struct kept_near {
    uint32_t near, finite; /* bits */
} kept_near;

/* Which of a group of pairs are nearer than they must be to act. */
static DEMI_INLINE kept_near kept_group_near(const double *position, const demi_pair *pair,
                                             const double *shift, const double *touch_squared)
{
    const demi_group most = {DBL_MAX, DBL_MAX, DBL_MAX, DBL_MAX};
    uint32_t at_i[DEMI_GROUP], at_j[DEMI_GROUP];
    for (int m = 0; m < DEMI_GROUP; ++m) {
        at_i[m] = pair[m].i;
        at_j[m] = pair[m].j;
    }
    demi_group i[4], j[4];
    for (int s = 0; s < 4; ++s) {
        demi_group_two(position, at_i, DEMI_LOCAL_OFFSET_POSITION, s, &i[s]);
        demi_group_two(position, at_j, DEMI_LOCAL_OFFSET_POSITION, s, &j[s]);
        i[s] -= j[s];
        if (shift != NULL)
            i[s] -= (demi_group){shift[3 * s], shift[3 * s + 1], shift[3 * s + 2], 0.0};
    }
    demi_v4_transpose(i);
    const demi_group squared = i[0] * i[0] + i[1] * i[1] + i[2] * i[2],
                     touch = *demi_v4_at(touch_squared);
    const kept_near found = {demi_v4_below(&squared, &touch), demi_v4_below(&squared, &most)};
    return found;
}

/* Appends those of a group whose bits are set. */
static DEMI_INLINE uint64_t group_append(demi_kept_work *t, uint64_t q, const demi_pair *pair,
                                         uint32_t bits, uint64_t n)
{
    static const unsigned char none[DEMI_GROUP] = {0};
    demi_group_append((uint32_t)q, none, pair, bits, t->index + n, t->pair + n);
    return n + (uint64_t)__builtin_popcount(bits);
}

static DEMI_INLINE uint64_t filter_of(demi_kept_work *t, uint64_t begin, uint64_t end, int shifted)
{
    const demi_kept *kept = t->kept;
    const double *position = kept->position.read, *touch = kept->touch_squared.read,
                 *shift = kept->shift.read;
    const demi_pair *pair = kept->pair.read;
    const uint32_t *at = kept->at.read;
    uint64_t n = t->count, q = begin;
    for (; q < end; q += DEMI_GROUP) {
        /* arrays go on to a whole group, whose last pairs never act */
        const kept_near found =
            kept_group_near(position, &pair[q], shifted ? shift + 3 * q : NULL, &touch[q]);
        if (found.finite != DEMI_GROUP_ALL)
            break;
        const uint64_t left = end - q;
        const uint32_t there = left < DEMI_GROUP ? (1u << left) - 1u : DEMI_GROUP_ALL;
        const uint32_t was = ~demi_group_signs(&at[q]) & DEMI_GROUP_ALL;
        n = group_append(t, q, &pair[q], (found.near | was) & there, n);
    }
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
static DEMI_INLINE void kept_gather_states(const demi_kept_work *t, uint64_t n, int dense)
{
    demi_lanes *b = t->lanes;
    const demi_record *record = t->current->record.read;
    const double *states = t->current->state.read;
    const uint32_t *places = t->kept->at.read;
    const uint64_t size = t->model->state_size;
    for (uint64_t k = 0; k < n; k += DEMI_GROUP) {
        const double *at[DEMI_GROUP];
        for (uint64_t m = 0; m < DEMI_GROUP; ++m) {
            const uint32_t place = places[t->index[k + m]];
            const int was = place != DEMI_NOT_KEPT;
            b->was_touching[k + m] = was ? 1.0 : 0.0;
            at[m] = !was || size == 0 ? kept_no_state
                    : dense           ? states + place * size
                                      : states + record[place].state_begin;
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
    if (kept->dense)
        kept_gather_states(t, padded, 1);
    else
        kept_gather_states(t, padded, 0);
    return gather_offsets(t, padded);
}

/* ------------------------------------------------------------------ scatter */

/* Where the record of the pair q goes; NULL where a twin has it already. */
static DEMI_INLINE demi_record *record_place(const demi_kept_work *t, uint32_t q, uint32_t twin)
{
    uint32_t *at = t->kept->at_next.data;
    if (twin != DEMI_NOT_KEPT) {
        if (at[twin] != DEMI_NOT_KEPT) {
            at[q] = at[twin];
            return NULL;
        }
        at[twin] = (uint32_t)t->next->count;
    }
    at[q] = (uint32_t)t->next->count;
    return &t->next->record.data[t->next->count++];
}

/* Stores eight bytes each. */
static DEMI_INLINE void words_store(void *to, const void *from, uint64_t count, int past)
{
#if defined(__AVX__)
    if (past) {
        for (uint64_t c = 0; c < count; ++c) {
            long long word;
            memcpy(&word, (const char *)from + 8 * c, sizeof word);
            _mm_stream_si64((long long *)to + c, word);
        }
        return;
    }
#endif
    (void)past;
    memcpy(to, from, (size_t)(8 * count));
}

/* Stores the first `count` doubles of a vector. */
static DEMI_INLINE void row_store(double *to, const demi_group *row, int count, int past)
{
    if (!past && count == 4) {
        *(demi_v4 *)to = *row;
        return;
    }
#pragma GCC unroll 4
    for (int c = 0; c < count; ++c) {
        const double number = (*row)[c];
        words_store(to + c, &number, 1, past);
    }
}

/* Keeps the contacts of a group that exist. */
static DEMI_INLINE void keep_group(const demi_kept_work *t, uint64_t k, uint32_t touching, int past)
{
    const demi_lanes *b = t->lanes;
    const uint64_t size = t->model->state_size;
    const demi_group arm = *(const demi_group *)&b->arm_i[k];
    demi_group normal[4], force[4], point[4], state[4];
    normal[0] = *(const demi_group *)&b->overlap[k];
    force[0] = *(const demi_group *)&b->force_normal[k];
    for (int c = 0; c < 3; ++c) {
        normal[c + 1] = *(const demi_group *)&b->normal[c][k];
        force[c + 1] = *(const demi_group *)&b->force_tangential[c][k];
        point[c] = -arm * normal[c + 1];
    }
    point[3] = (demi_group){0.0}; /* the elastic energy: pairs of a list do not merge */
    demi_v4_transpose(normal);
    demi_v4_transpose(force);
    demi_v4_transpose(point);
    if (size > 0 && size <= 4) {
        for (int c = 0; c < 4; ++c)
            state[c] = *(const demi_group *)&b->state[c][k];
        demi_v4_transpose(state);
    }
#pragma GCC unroll 4
    for (uint32_t m = 0; m < DEMI_GROUP; ++m) {
        if ((touching >> m & 1u) == 0)
            continue;
        const uint32_t q = t->index[k + m];
        const demi_kept_origin *origin = &t->kept->origin.read[q];
        demi_record *r = record_place(t, q, origin->twin);
        if (r == NULL)
            continue;
        char *bytes = (char *)r;
        words_store(&r->key, &origin->key, sizeof r->key / 8, past);
        words_store(&r->model, &t->model, 1, past);
        row_store((double *)(void *)(bytes + offsetof(demi_record, overlap)), &normal[m], 4, past);
        row_store((double *)(void *)(bytes + offsetof(demi_record, force_normal)), &force[m], 4,
                  past);
        row_store((double *)(void *)(bytes + offsetof(demi_record, point)), &point[m], 4, past);
        words_store(&r->state_begin, &t->next->state_count, 1, past);
        words_store(&r->material_i, &origin->material_i, 1, past);
        double *to = t->next->state.data + t->next->state_count;
        t->next->state_count += size;
        if (size > 0 && size <= 4)
            *(demi_v4 *)to = state[m];
        else
            for (uint64_t c = 0; c < size; ++c)
                to[c] = b->state[c][k + m];
    }
}

DEMI_ENTRY(demi_kept_scatter_function, demi_kept_scatter);

void demi_kept_scatter(demi_kept_work *t, uint64_t n)
{
    const int torques = demi_model_torques(t->model);
    for (uint64_t k = 0; k < n; k += DEMI_GROUP) {
        const uint64_t count = n - k < DEMI_GROUP ? n - k : DEMI_GROUP;
        const uint32_t there = (1u << count) - 1u;
        if (t->load != NULL && torques)
            demi_group_scatter(t->lanes, k, count, 1, &t->pair[k], t->load, t->load);
        else if (t->load != NULL)
            demi_group_scatter(t->lanes, k, count, 0, &t->pair[k], t->load, t->load);
        const uint32_t touching = demi_group_any(&t->lanes->touching[k]) & there;
        if (t->keep && t->past)
            keep_group(t, k, touching, 1);
        else if (t->keep)
            keep_group(t, k, touching, 0);
    }
    if (t->past)
        demi_group_fence();
}
