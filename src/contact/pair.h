/* SPDX-License-Identifier: MIT */
/* Pairs of bodies that lie in rows. */
#ifndef DEMI_PAIR_H
#define DEMI_PAIR_H

#include <stdint.h>
#include <string.h>

/* A pair that may touch before the list is built again; i has the lower id. Each is an offset:
 * DEMI_LOCAL_OFFSET times the number of a row. Polyhedra may touch at several places: then there
 * are as many pairs of them, whose slots are what offsets leave over. */
typedef struct demi_pair {
    uint32_t i, j;
} demi_pair;

enum { DEMI_LOCAL_OFFSET = 8, DEMI_PAIR_SLOTS = DEMI_LOCAL_OFFSET * DEMI_LOCAL_OFFSET };
/* Slots of a pair of polyhedra that may touch at several places. */
enum { DEMI_PATCHES_MOST = 16 };

static inline uint32_t demi_pair_slot(const demi_pair *pair)
{
    return pair->i % DEMI_LOCAL_OFFSET + pair->j % DEMI_LOCAL_OFFSET * DEMI_LOCAL_OFFSET;
}

/* The pair of rows i and j. */
static inline demi_pair demi_pair_of(uint32_t i, uint32_t j, uint32_t slot)
{
    const demi_pair pair = {i * DEMI_LOCAL_OFFSET + slot % DEMI_LOCAL_OFFSET,
                            j * DEMI_LOCAL_OFFSET + slot / DEMI_LOCAL_OFFSET};
    return pair;
}

/* Where the numbers of a row begin. */
static inline uint32_t demi_pair_offset(uint32_t end)
{
    return end / DEMI_LOCAL_OFFSET * DEMI_LOCAL_OFFSET;
}
/* Bytes for each unit of an offset, in positions and in velocities or forces. */
enum { DEMI_LOCAL_OFFSET_POSITION = 4, DEMI_LOCAL_OFFSET_VELOCITY = 8 };

/* How many of the pairs from `begin` up to `end` touch. */
static inline uint64_t demi_touching_count(const unsigned char *touching, uint64_t begin,
                                           uint64_t end)
{
    enum { LANE_MOST = 255 }; /* flags of one byte each, and sums of so many */
    uint64_t count = 0, p = begin;
    while (p + 8 <= end) {
        const uint64_t words = (end - p) / 8, some = words < LANE_MOST ? words : LANE_MOST;
        uint64_t lanes = 0;
        for (const uint64_t stop = p + 8 * some; p < stop; p += 8) {
            uint64_t eight;
            memcpy(&eight, touching + p, sizeof eight);
            lanes += eight;
        }
        const uint64_t even = UINT64_C(0x00FF00FF00FF00FF),
                       pairs = (lanes & even) + (lanes >> 8 & even);
        count += pairs * UINT64_C(0x0001000100010001) >> 48;
    }
    for (; p < end; ++p)
        count += touching[p];
    return count;
}

#endif
