/* SPDX-License-Identifier: MIT */
/* Pairs of bodies that lie in rows. */
#ifndef DEMI_PAIR_H
#define DEMI_PAIR_H

#include <stdint.h>

/* A pair that may touch before the list is built again; i has the lower id. Each is an offset:
 * DEMI_LOCAL_OFFSET times the number of a row. */
typedef struct demi_pair {
    uint32_t i, j;
} demi_pair;

enum { DEMI_LOCAL_OFFSET = 8 };
/* Bytes for each unit of an offset, in positions and in velocities or forces. */
enum { DEMI_LOCAL_OFFSET_POSITION = 4, DEMI_LOCAL_OFFSET_VELOCITY = 8 };

#endif
