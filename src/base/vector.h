/* SPDX-License-Identifier: MIT */
/* Rows of four doubles as vectors of the compiler, for files in simd/. */
#ifndef DEMI_VECTOR_H
#define DEMI_VECTOR_H

#include "base/isa.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

typedef double demi_v4 __attribute__((vector_size(32), aligned(8), may_alias));

typedef int64_t demi_i4 __attribute__((vector_size(32)));

typedef uint32_t demi_u4 __attribute__((vector_size(16), aligned(4), may_alias));

static inline __attribute__((always_inline)) const demi_v4 *demi_v4_at(const double *row)
{
    return (const demi_v4 *)row;
}

#if defined(__clang__) || __GNUC__ >= 12
#define DEMI_V4_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
#define DEMI_V4_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (demi_i4){i, j, k, l})
#endif

/* Where a < b, as bits from the lowest. */
static inline __attribute__((always_inline)) uint32_t demi_v4_below(const demi_v4 *a,
                                                                    const demi_v4 *b)
{
#if defined(__AVX512VL__)
    return _mm256_cmp_pd_mask((__m256d)*a, (__m256d)*b, _CMP_LT_OQ);
#elif defined(__AVX__)
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd((__m256d)*a, (__m256d)*b, _CMP_LT_OQ));
#else
    const demi_i4 below = (demi_i4)(*a < *b);
    return (uint32_t)((below[0] & 1) | (below[1] & 2) | (below[2] & 4) | (below[3] & 8));
#endif
}

/* Appends to `to`, after the n there, those of four values whose bits are set; may write up to four
 * places beyond them. */
static inline __attribute__((always_inline)) void demi_u4_index(uint32_t *to, const demi_u4 *from,
                                                                uint32_t bits, uint64_t *n)
{
#if defined(__AVX512VL__)
    _mm_storeu_si128((__m128i *)(to + *n),
                     _mm_maskz_compress_epi32((__mmask8)bits, (__m128i)*from));
    *n += (uint64_t)__builtin_popcount(bits);
#elif defined(__AVX__)
    /* the places of the bits that are set */
    static const int32_t place[16][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0},
                                         {2, 0, 0, 0}, {0, 2, 0, 0}, {1, 2, 0, 0}, {0, 1, 2, 0},
                                         {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
                                         {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    const __m128i order = _mm_loadu_si128((const __m128i *)place[bits]);
    *(__m128_u *)(to + *n) = _mm_permutevar_ps((__m128)*from, order);
    *n += (uint64_t)__builtin_popcount(bits);
#else
    for (int m = 0; m < 4; ++m) {
        to[*n] = (*from)[m];
        *n += bits >> m & 1u;
    }
#endif
}

/* The first three of a and the last of b. */
#define DEMI_V4_KEEP_LAST(a, b) DEMI_V4_SHUFFLE(a, b, 0, 1, 2, 7)

/* Four rows become four columns, and back. */
static inline __attribute__((always_inline)) void demi_v4_transpose(demi_v4 r[4])
{
    const demi_v4 a = DEMI_V4_SHUFFLE(r[0], r[1], 0, 4, 2, 6);
    const demi_v4 b = DEMI_V4_SHUFFLE(r[0], r[1], 1, 5, 3, 7);
    const demi_v4 c = DEMI_V4_SHUFFLE(r[2], r[3], 0, 4, 2, 6);
    const demi_v4 d = DEMI_V4_SHUFFLE(r[2], r[3], 1, 5, 3, 7);
    r[0] = DEMI_V4_SHUFFLE(a, c, 0, 1, 4, 5);
    r[1] = DEMI_V4_SHUFFLE(b, d, 0, 1, 4, 5);
    r[2] = DEMI_V4_SHUFFLE(a, c, 2, 3, 6, 7);
    r[3] = DEMI_V4_SHUFFLE(b, d, 2, 3, 6, 7);
}

#endif
