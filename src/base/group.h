/* SPDX-License-Identifier: MIT */
/* Groups of lanes, which sums have the order of, for files in simd/. */
#ifndef DEMI_GROUP_H
#define DEMI_GROUP_H

#include "base/vector.h"

#include <string.h>

#define DEMI_GROUP_INLINE static inline __attribute__((always_inline))

enum { DEMI_GROUP = 4 };
typedef demi_v4 demi_group;

/* After stores past the caches, before other threads read what they stored. */
DEMI_GROUP_INLINE void demi_group_fence(void)
{
#if defined(__AVX__)
    _mm_sfence();
#endif
}

#endif
