/* SPDX-License-Identifier: MIT */
/* Contact forces as integers: a batch is split and added to rows of sums, and these become forces
 * again. Rows are those of demi_sums_row: high and low parts of x, y and z, of forces and then of
 * torques. */
#ifndef DEMI_SIMD_EXACT_H
#define DEMI_SIMD_EXACT_H

#include "base/group.h"
#include "contact/lanes.h"
#include "contact/pair.h"
#include "world/exact.h"

#include <math.h>

/* Integers may lie anywhere, as demi_v4. */
typedef int64_t demi_exact_4 __attribute__((vector_size(32), aligned(8), may_alias));

/* The first of n lanes with a force or torque beyond the ranges; n if there is none. */
static DEMI_INLINE uint64_t demi_exact_beyond(const demi_exact *exact, const demi_lanes *b,
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

/* demi_exact_split of a group: its high and low parts. */
DEMI_GROUP_INLINE void demi_exact_group(const demi_exact_range *range, const double *terms,
                                        demi_i4 *high, demi_i4 *low)
{
    const demi_group zero = {0.0, 0.0, 0.0, 0.0}, round_high = zero + range->round_high,
                     round_low = zero + range->round_low;
    const demi_group term = *(const demi_group *)terms, sum = term + round_high,
                     rest = (term - (sum - round_high)) + round_low;
    *high = (demi_i4)sum - (demi_i4)round_high;
    *low = (demi_i4)rest - (demi_i4)round_low;
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
static DEMI_INLINE void demi_exact_scatter_group(const demi_exact *exact, const demi_lanes *b,
                                                 uint64_t k, uint64_t count, const demi_pair *pair,
                                                 demi_sums_row *to_i, demi_sums_row *to_j)
{
    const demi_exact_range *force = &exact->sums.force, *torque = &exact->sums.torque;
    const demi_i4 zero = {0, 0, 0, 0};
    demi_i4 i[3][4], j[3][4];
    for (int c = 0; c < 2; ++c)
        demi_exact_group(force, &b->force[c][k], &i[0][2 * c], &i[0][2 * c + 1]);
    demi_exact_group(force, &b->force[2][k], &i[1][0], &i[1][1]);
    demi_exact_group(torque, &b->torque_i[0][k], &i[1][2], &i[1][3]);
    demi_exact_group(torque, &b->torque_j[0][k], &j[1][2], &j[1][3]);
    for (int c = 0; c < 2; ++c) {
        demi_exact_group(torque, &b->torque_i[c + 1][k], &i[2][2 * c], &i[2][2 * c + 1]);
        demi_exact_group(torque, &b->torque_j[c + 1][k], &j[2][2 * c], &j[2][2 * c + 1]);
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

static DEMI_INLINE void demi_exact_scatter(const demi_exact *exact, const demi_lanes *b, uint64_t n,
                                           const demi_pair *pair, demi_sums_row *to_i,
                                           demi_sums_row *to_j)
{
    for (uint64_t k = 0; k < n; k += DEMI_GROUP)
        demi_exact_scatter_group(exact, b, k, n - k, pair + k, to_i, to_j);
}

/* Forces and torques of rows that are complete. */
static DEMI_INLINE void demi_exact_values(const demi_exact *exact, const demi_sums_row *row,
                                          demi_force_torque *to)
{
    for (int c = 0; c < 3; ++c) {
        to->force[c] = demi_exact_value(&exact->sums.force, row->force[c]);
        to->torque[c] = demi_exact_value(&exact->sums.torque, row->torque[c]);
    }
    to->force[3] = to->torque[3] = 0.0;
}

#endif
