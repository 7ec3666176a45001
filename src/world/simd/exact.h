/* SPDX-License-Identifier: MIT */
/* Contact forces as integers: those of a batch are split and added to rows of sums, and these
 * become forces again. */
#ifndef DEMI_SIMD_EXACT_H
#define DEMI_SIMD_EXACT_H

#include "base/group.h"
#include "contact/lanes.h"
#include "contact/pair.h"
#include "contact/resultant.h"
#include "world/exact.h"

#include <math.h>

/* Integers may lie anywhere, as demi_vr. */
typedef int64_t demi_exact_part
    __attribute__((vector_size(DEMI_VR_SIZE * 8), aligned(8), may_alias));

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

DEMI_GROUP_INLINE const demi_exact_part *demi_exact_at(const uint64_t *from)
{
    return (const demi_exact_part *)from;
}

/* Adds force and torque to the sums of a row: demi_exact_split of eight places. `largest` gets
 * their sizes where they are larger. */
DEMI_GROUP_INLINE void demi_exact_add_row(const demi_exact_places *places,
                                          const demi_vr row[DEMI_VR_PARTS], demi_exact_row *to,
                                          demi_vr largest[DEMI_VR_PARTS])
{
    for (int p = 0; p < DEMI_VR_PARTS; ++p) {
        const int at = p * DEMI_VR_SIZE;
        const demi_vr round_high = *demi_vr_at(places->round_high + at),
                      round_low = *demi_vr_at(places->round_low + at);
        const demi_vr high = row[p] + round_high, low = (row[p] - (high - round_high)) + round_low,
                      size = (demi_vr)((demi_ir)row[p] & INT64_MAX);
        *(demi_exact_part *)(to->high + at) += (demi_ir)high - (demi_ir)round_high;
        *(demi_exact_part *)(to->low + at) += (demi_ir)low - (demi_ir)round_low;
        largest[p] = DEMI_VR_MAX(size, largest[p]);
    }
}

/* Adds the contacts k to k + DEMI_WIDE - 1, of which `count` are there, to the rows of both ends.
 */
static DEMI_INLINE void demi_exact_scatter_wide(const demi_exact_places *places,
                                                const demi_lanes *b, uint64_t k, uint64_t count,
                                                int torques, const demi_pair *pair,
                                                demi_exact_row *to_i, demi_exact_row *to_j,
                                                demi_vr largest[DEMI_VR_PARTS])
{
    demi_resultant_rows rows;
    demi_wide_resultant_rows(b, k, torques, &rows);
#pragma GCC unroll 8
    for (int m = 0; m < DEMI_WIDE; ++m) {
        if ((uint64_t)m >= count)
            break;
        demi_vr row[DEMI_VR_PARTS];
        demi_wide_row(rows.force_i, rows.torque_i, m, row);
        demi_exact_add_row(places, row, &to_i[pair[m].i / DEMI_LOCAL_OFFSET], largest);
        demi_wide_row(rows.force_j, rows.torque_j, m, row);
        demi_exact_add_row(places, row, &to_j[pair[m].j / DEMI_LOCAL_OFFSET], largest);
    }
}

/* Adds n contacts. Tells whether all are within the ranges. */
static DEMI_INLINE int demi_exact_scatter(const demi_exact_places *places, const demi_lanes *b,
                                          uint64_t n, int torques, const demi_pair *pair,
                                          demi_exact_row *to_i, demi_exact_row *to_j)
{
    demi_vr largest[DEMI_VR_PARTS] = {{0.0}};
    uint64_t k = 0;
    for (; k + DEMI_WIDE <= n; k += DEMI_WIDE)
        demi_exact_scatter_wide(places, b, k, DEMI_WIDE, torques, pair + k, to_i, to_j, largest);
    if (k < n)
        demi_exact_scatter_wide(places, b, k, n - k, torques, pair + k, to_i, to_j, largest);
    int within = 1;
    for (int place = 0; place < 8; ++place)
        within &= largest[place / DEMI_VR_SIZE][place % DEMI_VR_SIZE] <= places->most[place];
    return within;
}

/* What the low parts have beyond half a high unit goes to the high parts: so sums of many terms do
 * not leave the low parts, and each sum has one form. */
DEMI_GROUP_INLINE void demi_exact_carry(demi_exact_part *high, demi_exact_part *low)
{
    const int64_t unit = INT64_C(1) << DEMI_EXACT_CARRY;
    const demi_exact_part above = *low + unit / 2;
    *high += above >> DEMI_EXACT_CARRY;
    *low = (above & (unit - 1)) - unit / 2;
}

/* Integers as doubles, rounded once. Where no instruction does it, halves of 32 bits become doubles
 * with the bits of 2^84 and 2^52, of which the sign takes 2^63. */
DEMI_GROUP_INLINE void demi_exact_doubles(const demi_exact_part *from, demi_vr *to)
{
#if defined(__AVX512DQ__)
    *to = __builtin_convertvector((demi_ir)*from, demi_vr);
#else
    typedef uint64_t bits_4 __attribute__((vector_size(32)));
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0}, above = zero + (0x1p84 + 0x1p63),
                  below = zero + 0x1p52;
    const bits_4 bits = (bits_4)*from;
    const bits_4 high = (bits >> 32) ^ (bits_4)above,
                 low = (bits & (uint64_t)UINT32_MAX) | (bits_4)below;
    *to = ((demi_v4)high - (above + below)) + (demi_v4)low;
#endif
}

/* Force and torque of sums that are complete: high and low parts. */
DEMI_GROUP_INLINE void demi_exact_values(const demi_exact_places *places,
                                         const demi_exact_part high[DEMI_VR_PARTS],
                                         const demi_exact_part low[DEMI_VR_PARTS],
                                         demi_force_torque *to)
{
    for (int p = 0; p < DEMI_VR_PARTS; ++p) {
        const int at = p * DEMI_VR_SIZE;
        demi_exact_part whole = high[p], rest = low[p];
        demi_vr of_high, of_low;
        demi_exact_carry(&whole, &rest);
        demi_exact_doubles(&whole, &of_high);
        demi_exact_doubles(&rest, &of_low);
        *(demi_vr *)(to->force + at) = of_high * *demi_vr_at(places->unit_high + at) +
                                       of_low * *demi_vr_at(places->unit_low + at);
    }
}

#endif
