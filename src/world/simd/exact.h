/* SPDX-License-Identifier: MIT */
/* Contact forces as integers: a batch is split and added to rows of sums, and these become forces
 * again. Rows are those of demi_sums_row: high and low parts of x, y and z, of forces and then of
 * torques. */
#ifndef DEMI_SIMD_EXACT_H
#define DEMI_SIMD_EXACT_H

#include "base/group.h"
#include "contact/lanes.h"
#include "contact/pair.h"
#include "contact/resultant.h"
#include "world/exact.h"

#include <math.h>

/* Integers may lie anywhere, as demi_v4. */
typedef int64_t demi_exact_4 __attribute__((vector_size(32), aligned(8), may_alias));

/* The first of n lanes with a force or torque beyond the ranges; n if there is none. */
static DEMI_INLINE uint64_t demi_exact_beyond(const demi_exact_world *exact, const demi_lanes *b,
                                              uint64_t n)
{
    const double force = exact->sums.force.most, torque = exact->sums.torque.most;
    uint64_t good = 1, k = 0;
    for (int c = 0; c < 3; ++c) {
        DEMI_SIMD
        for (k = 0; k < n; ++k)
            good &= (uint64_t)(fabs(b->force[c][k]) <= force) &
                    (uint64_t)(fabs(b->torque_i[c][k]) <= torque) &
                    (uint64_t)(fabs(b->torque_j[c][k]) <= torque);
    }
    for (k = good ? n : 0; k < n; ++k)
        for (int c = 0; c < 3; ++c)
            if (!(fabs(b->force[c][k]) <= force && fabs(b->torque_i[c][k]) <= torque &&
                  fabs(b->torque_j[c][k]) <= torque))
                return k;
    return k;
}

/* demi_exact_split of a group: its high and low parts. `beyond` gets bits where a term is beyond
 * the range. */
DEMI_GROUP_INLINE void demi_exact_group(const demi_exact_range *range, const demi_group *term,
                                        demi_i4 *high, demi_i4 *low, demi_i4 *beyond)
{
    const demi_i4 size = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    const demi_group zero = {0.0, 0.0, 0.0, 0.0}, round_high = zero + range->round_high,
                     round_low = zero + range->round_low, most = zero + range->most;
    const demi_group sum = *term + round_high, rest = (*term - (sum - round_high)) + round_low;
    *high = (demi_i4)sum - (demi_i4)round_high;
    *low = (demi_i4)rest - (demi_i4)round_low;
    *beyond |= (demi_i4)((demi_group)((demi_i4)*term & size) > most);
}

/* Four columns of integers to rows. */
DEMI_GROUP_INLINE void demi_exact_transpose(demi_i4 columns[4])
{
    demi_v4 rows[4];
    for (int s = 0; s < 4; ++s)
        rows[s] = (demi_v4)columns[s];
    demi_v4_transpose(rows);
    for (int s = 0; s < 4; ++s)
        columns[s] = (demi_i4)rows[s];
}

/* The row of sums of an end of a pair. */
static DEMI_INLINE uint64_t *demi_exact_row(demi_sums_row *rows, uint32_t end)
{
    return &rows[end / DEMI_LOCAL_OFFSET].force[0].high;
}

DEMI_GROUP_INLINE void demi_exact_add_4(uint64_t *to, const demi_i4 *term)
{
    *(demi_exact_4 *)to += *term;
}

/* Adds the lanes k to k + 3, of which `count` are there, to the rows of both ends. */
static DEMI_INLINE void demi_exact_scatter_group(const demi_exact_world *exact, const demi_lanes *b,
                                                 uint64_t k, uint64_t count, const demi_pair *pair,
                                                 demi_sums_row *to_i, demi_sums_row *to_j,
                                                 demi_i4 *beyond)
{
    const demi_exact_range *force = &exact->sums.force, *torque = &exact->sums.torque;
    const demi_i4 zero = {0, 0, 0, 0};
    demi_group on[3], on_i[3], on_j[3];
    demi_i4 i[3][4], j[3][4];
    for (int c = 0; c < 3; ++c) {
        on[c] = *(const demi_group *)&b->force[c][k];
        on_i[c] = *(const demi_group *)&b->torque_i[c][k];
        on_j[c] = *(const demi_group *)&b->torque_j[c][k];
    }
    for (int c = 0; c < 2; ++c)
        demi_exact_group(force, &on[c], &i[0][2 * c], &i[0][2 * c + 1], beyond);
    demi_exact_group(force, &on[2], &i[1][0], &i[1][1], beyond);
    demi_exact_group(torque, &on_i[0], &i[1][2], &i[1][3], beyond);
    demi_exact_group(torque, &on_j[0], &j[1][2], &j[1][3], beyond);
    for (int c = 0; c < 2; ++c) {
        demi_exact_group(torque, &on_i[c + 1], &i[2][2 * c], &i[2][2 * c + 1], beyond);
        demi_exact_group(torque, &on_j[c + 1], &j[2][2 * c], &j[2][2 * c + 1], beyond);
    }
    j[1][0] = zero - i[1][0];
    j[1][1] = zero - i[1][1];
    for (int s = 0; s < 3; ++s)
        demi_exact_transpose(i[s]);
    for (int s = 1; s < 3; ++s)
        demi_exact_transpose(j[s]);
    for (int m = 0; m < 4; ++m)
        j[0][m] = zero - i[0][m];
#pragma GCC unroll 4
    for (uint64_t m = 0; m < DEMI_GROUP; ++m) {
        if (m >= count)
            break;
        for (int s = 0; s < 3; ++s) {
            demi_exact_add_4(demi_exact_row(to_i, pair[m].i) + 4 * s, &i[s][m]);
            demi_exact_add_4(demi_exact_row(to_j, pair[m].j) + 4 * s, &j[s][m]);
        }
    }
}

/* Adds n lanes, and those that fill their last group are looked at, too: they repeat one of them.
 * Tells whether all are within the ranges. */
static DEMI_INLINE int demi_exact_scatter(const demi_exact_world *exact, const demi_lanes *b,
                                          uint64_t n, const demi_pair *pair, demi_sums_row *to_i,
                                          demi_sums_row *to_j)
{
    demi_i4 beyond = {0, 0, 0, 0};
    for (uint64_t k = 0; k < n; k += DEMI_GROUP)
        demi_exact_scatter_group(exact, b, k, n - k, pair + k, to_i, to_j, &beyond);
    return (beyond[0] | beyond[1] | beyond[2] | beyond[3]) == 0;
}

/* Integers as doubles, rounded once: halves of 32 bits become doubles with the bits of 2^84 and
 * 2^52, of which the sign takes 2^63. */
DEMI_GROUP_INLINE void demi_exact_doubles(const uint64_t *from, demi_v4 *to)
{
    typedef uint64_t bits_4 __attribute__((vector_size(32)));
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0}, above = zero + (0x1p84 + 0x1p63),
                  below = zero + 0x1p52;
    const bits_4 bits = (bits_4) * (const demi_exact_4 *)from;
    const bits_4 high = (bits >> 32) ^ (bits_4)above,
                 low = (bits & (uint64_t)UINT32_MAX) | (bits_4)below;
    *to = ((demi_v4)high - (above + below)) + (demi_v4)low;
}

/* Force and torque of a row that is complete, as demi_exact_value. */
static DEMI_INLINE void demi_exact_values(const demi_exact_world *exact, const demi_sums_row *row,
                                          demi_force_torque *to)
{
    const demi_exact_range *f = &exact->sums.force, *t = &exact->sums.torque;
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0},
                  unit[3] = {{f->unit_high, f->unit_low, f->unit_high, f->unit_low},
                             {f->unit_high, f->unit_low, t->unit_high, t->unit_low},
                             {t->unit_high, t->unit_low, t->unit_high, t->unit_low}};
    demi_v4 part[3];
    for (int s = 0; s < 3; ++s) {
        demi_exact_doubles(&row->force[0].high + 4 * s, &part[s]);
        part[s] *= unit[s];
    }
    const demi_v4 first = DEMI_V4_SHUFFLE(part[0], part[1], 0, 2, 4, 6) +
                          DEMI_V4_SHUFFLE(part[0], part[1], 1, 3, 5, 7),
                  last = part[2] + DEMI_V4_SHUFFLE(part[2], part[2], 1, 0, 3, 2);
    *(demi_v4 *)to->force = DEMI_V4_SHUFFLE(first, zero, 0, 1, 2, 7);
    const demi_v4 torque = DEMI_V4_SHUFFLE(first, last, 3, 4, 6, 3);
    *(demi_v4 *)to->torque = DEMI_V4_KEEP_LAST(torque, zero);
}

#endif
