/* SPDX-License-Identifier: MIT */
/* Pairs of bodies that lie in rows. */
#ifndef DEMI_PAIR_H
#define DEMI_PAIR_H

#include <stdint.h>

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

#endif
