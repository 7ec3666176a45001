/* SPDX-License-Identifier: MIT */
/* Groups of lanes for files in simd/, and the rows of four doubles that belong to them. A block is
 * the rows of a group: as rows, or transposed into columns. Groups of eight in vectors of 512 bits
 * would save instructions, but gcc 12 miscompiles their shuffles where registers are scarce. */
#ifndef DEMI_GROUP_H
#define DEMI_GROUP_H

#include "base/vector.h"

#include <string.h>

#define DEMI_GROUP_INLINE static inline __attribute__((always_inline))

enum { DEMI_GROUP = 4 };
typedef demi_v4 demi_group;

/* Bits of a whole group. */
#define DEMI_GROUP_ALL ((1u << DEMI_GROUP) - 1u)

/* A vector s of a block from rows anywhere, beginning c places later. */
DEMI_GROUP_INLINE void demi_group_at(const double *const at[DEMI_GROUP], uint64_t c, int s,
                                     demi_group *block)
{
    *block = *demi_v4_at(at[s] + c);
}

/* The same from rows at `bytes` times each place. */
DEMI_GROUP_INLINE void demi_group_two(const double *from, const uint32_t place[DEMI_GROUP],
                                      uint64_t bytes, int s, demi_group *block)
{
    const double *at[DEMI_GROUP];
    for (int m = 0; m < DEMI_GROUP; ++m)
        at[m] = (const double *)(const void *)((const char *)from + place[m] * bytes);
    demi_group_at(at, 0, s, block);
}

/* The last column of rows. */
DEMI_GROUP_INLINE void demi_group_last(const demi_group block[4], demi_group *last)
{
#if defined(__AVX__)
    const demi_v4 a = DEMI_V4_SHUFFLE(block[0], block[1], 1, 5, 3, 7),
                  b = DEMI_V4_SHUFFLE(block[2], block[3], 1, 5, 3, 7);
    *last = DEMI_V4_SHUFFLE(a, b, 2, 3, 6, 7);
#else
    const demi_v2 *half = (const demi_v2 *)block;
    demi_v2 *to = (demi_v2 *)last;
    to[0] = DEMI_V2_SHUFFLE(half[1], half[3], 1, 3);
    to[1] = DEMI_V2_SHUFFLE(half[5], half[7], 1, 3);
#endif
}

/* Stores row m; past the caches if that is asked for and `to` begins at 32 bytes. */
DEMI_GROUP_INLINE void demi_group_store(const demi_group block[4], int m, double *to, int past)
{
#if defined(__AVX__)
    if (past)
        _mm256_stream_pd(to, (__m256d)block[m]);
    else
        *(demi_v4 *)to = block[m];
#else
    (void)past;
    *(demi_v4 *)to = block[m];
#endif
}

/* After stores past the caches, before other threads read what they stored. */
DEMI_GROUP_INLINE void demi_group_fence(void)
{
#if defined(__AVX__)
    _mm_sfence();
#endif
}

/* Adds row m of one block to the first four of eight places, and of another one to the rest. */
DEMI_GROUP_INLINE void demi_group_add(const demi_group first[4], const demi_group rest[4], int m,
                                      double to[8])
{
    *(demi_v4 *)to += first[m];
    *(demi_v4 *)(to + 4) += rest[m];
}

/* Where a number is not 0, as bits. */
DEMI_GROUP_INLINE uint32_t demi_group_any(const double *number)
{
#if defined(__AVX__)
    return (uint32_t)_mm256_movemask_pd(
        _mm256_cmp_pd(_mm256_loadu_pd(number), _mm256_setzero_pd(), _CMP_NEQ_UQ));
#elif defined(__SSE2__)
    const __m128d zero = _mm_setzero_pd();
    return (uint32_t)(_mm_movemask_pd(_mm_cmpneq_pd(_mm_loadu_pd(number), zero)) |
                      _mm_movemask_pd(_mm_cmpneq_pd(_mm_loadu_pd(number + 2), zero)) << 2);
#else
    uint32_t bits = 0;
    for (uint32_t m = 0; m < DEMI_GROUP; ++m)
        bits |= (uint32_t)(number[m] != 0.0) << m;
    return bits;
#endif
}

/* Highest bits of integers, as bits. */
DEMI_GROUP_INLINE uint32_t demi_group_signs(const uint32_t *number)
{
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps(_mm_loadu_ps((const float *)(const void *)number));
#else
    uint32_t bits = 0;
    for (uint32_t m = 0; m < DEMI_GROUP; ++m)
        bits |= number[m] >> 31 << m;
    return bits;
#endif
}

/* Flags of one byte each, 0 or 1, as bits. */
DEMI_GROUP_INLINE uint32_t demi_group_flags(const unsigned char *flag)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t all = 0;
    memcpy(&all, flag, DEMI_GROUP);
    /* flag m comes to lie at bit 56 + m, and above it is nothing */
    return (uint32_t)(all * 0x0102040810204080u >> 56);
#else
    uint32_t bits = 0;
    for (uint32_t m = 0; m < DEMI_GROUP; ++m)
        bits |= (uint32_t)flag[m] << m;
    return bits;
#endif
}

/* And back. */
DEMI_GROUP_INLINE void demi_group_set_flags(uint32_t bits, unsigned char *flag)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint32_t all = bits * 0x00204081u & 0x01010101u;
    memcpy(flag, &all, sizeof all);
#else
    for (uint32_t m = 0; m < DEMI_GROUP; ++m)
        flag[m] = bits >> m & 1u;
#endif
}

/* Appends those whose bits are set of a group of numbers from `first` on, and of eight bytes each
 * that belong to them; the highest bit of a number is its flag. Up to a group may be written. */
DEMI_GROUP_INLINE void demi_group_append(uint32_t first, const unsigned char *flag,
                                         const void *with, uint32_t bits, uint32_t *to,
                                         void *to_with)
{
#if defined(__AVX2__)
    /* halves of eight bytes: the places of the bits that are set */
    static const int32_t half[16][8] = {
        {0, 0, 0, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0, 0, 0}, {2, 3, 0, 0, 0, 0, 0, 0},
        {0, 1, 2, 3, 0, 0, 0, 0}, {4, 5, 0, 0, 0, 0, 0, 0}, {0, 1, 4, 5, 0, 0, 0, 0},
        {2, 3, 4, 5, 0, 0, 0, 0}, {0, 1, 2, 3, 4, 5, 0, 0}, {6, 7, 0, 0, 0, 0, 0, 0},
        {0, 1, 6, 7, 0, 0, 0, 0}, {2, 3, 6, 7, 0, 0, 0, 0}, {0, 1, 2, 3, 6, 7, 0, 0},
        {4, 5, 6, 7, 0, 0, 0, 0}, {0, 1, 4, 5, 6, 7, 0, 0}, {2, 3, 4, 5, 6, 7, 0, 0},
        {0, 1, 2, 3, 4, 5, 6, 7}};
    const __m128i flags = _mm_cvtepu8_epi32(_mm_loadu_si32(flag));
    const __m128i number =
        _mm_or_si128(_mm_add_epi32(_mm_set1_epi32((int)first), _mm_setr_epi32(0, 1, 2, 3)),
                     _mm_slli_epi32(flags, 31));
    uint64_t n = 0;
    demi_u4_index(to, (const demi_u4 *)&number, bits, &n);
    _mm256_storeu_si256(
        to_with, _mm256_permutevar8x32_epi32(_mm256_loadu_si256(with),
                                             _mm256_loadu_si256((const __m256i *)half[bits])));
#else
    for (uint32_t m = 0, n = 0; m < DEMI_GROUP; ++m) {
        to[n] = (first + m) | (uint32_t)flag[m] << 31;
        memcpy((unsigned char *)to_with + n * sizeof(uint64_t),
               (const unsigned char *)with + m * sizeof(uint64_t), sizeof(uint64_t));
        n += bits >> m & 1u;
    }
#endif
}

#endif
