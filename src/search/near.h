/* SPDX-License-Identifier: MIT */
/* Points with a radius near a place. */
#ifndef DEMI_NEAR_H
#define DEMI_NEAR_H

#include <stdint.h>

/* Lists which of `count` candidate rows are within place[3] plus their radius of a place, and `own`
 * beside each; tells how many are. There are candidates up to the next multiple of four, and room
 * for the result and four more. */
typedef uint64_t demi_near_function(const double (*rows)[4], const double place[4],
                                    const uint32_t *candidate, uint64_t count, uint32_t own,
                                    uint32_t *near, uint32_t *near_own);

#endif
