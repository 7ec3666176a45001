/* SPDX-License-Identifier: MIT */
/* Groups for files in simd/: as many lanes as a vector of the machine holds, and the rows of four
 * doubles that belong to them. A block is the rows of a group in four vectors: as rows, or turned
 * into columns. */
#ifndef DEMI_GROUP_H
#define DEMI_GROUP_H

#include "base/vector.h"

#include <string.h>

#define DEMI_GROUP_INLINE static inline __attribute__((always_inline))

#if defined(__AVX512F__)
enum { DEMI_GROUP = 8 };
/* as rows: rows 0 and 2, 1 and 3, 4 and 6, 5 and 7, which unpack in order */
typedef double demi_group __attribute__((vector_size(64), aligned(8), may_alias));
#else
enum { DEMI_GROUP = 4 };
typedef demi_v4 demi_group;
#endif

/* Bits of a whole group. */
#define DEMI_GROUP_ALL ((1u << DEMI_GROUP) - 1u)

/* A vector s of a block from rows anywhere, beginning c places later. */
DEMI_GROUP_INLINE void demi_group_at(const double *const at[DEMI_GROUP], uint64_t c, int s,
                                     demi_group *block)
{
#if defined(__AVX512F__)
    const int first = (s & 1) + (s >> 1) * 4;
    const __m256d a = _mm256_loadu_pd(at[first] + c), b = _mm256_loadu_pd(at[first + 2] + c);
    *block = (demi_group)_mm512_insertf64x4(_mm512_castpd256_pd512(a), b, 1);
#else
    *block = *demi_v4_at(at[s] + c);
#endif
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

/* Rows become columns. */
DEMI_GROUP_INLINE void demi_group_columns(demi_group block[4])
{
#if defined(__AVX512F__)
    const __m512d r0 = (__m512d)block[0], r1 = (__m512d)block[1], r2 = (__m512d)block[2],
                  r3 = (__m512d)block[3];
    const __m512d a = _mm512_unpacklo_pd(r0, r1), b = _mm512_unpackhi_pd(r0, r1),
                  c = _mm512_unpacklo_pd(r2, r3), d = _mm512_unpackhi_pd(r2, r3);
    block[0] = (demi_group)_mm512_shuffle_f64x2(a, c, 0x88);
    block[1] = (demi_group)_mm512_shuffle_f64x2(b, d, 0x88);
    block[2] = (demi_group)_mm512_shuffle_f64x2(a, c, 0xdd);
    block[3] = (demi_group)_mm512_shuffle_f64x2(b, d, 0xdd);
#else
    demi_v4_transpose(block);
#endif
}

/* The last column of rows. */
DEMI_GROUP_INLINE void demi_group_last(const demi_group block[4], demi_group *last)
{
#if defined(__AVX512F__)
    *last = (demi_group)_mm512_shuffle_f64x2(
        _mm512_unpackhi_pd((__m512d)block[0], (__m512d)block[1]),
        _mm512_unpackhi_pd((__m512d)block[2], (__m512d)block[3]), 0xdd);
#else
    const demi_v4 a = DEMI_V4_SHUFFLE(block[0], block[1], 1, 5, 3, 7),
                  b = DEMI_V4_SHUFFLE(block[2], block[3], 1, 5, 3, 7);
    *last = DEMI_V4_SHUFFLE(a, b, 2, 3, 6, 7);
#endif
}

/* Columns become rows. */
DEMI_GROUP_INLINE void demi_group_turn(demi_group block[4])
{
#if defined(__AVX512F__)
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                  high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    const __m512d c0 = (__m512d)block[0], c1 = (__m512d)block[1], c2 = (__m512d)block[2],
                  c3 = (__m512d)block[3];
    const __m512d a = _mm512_unpacklo_pd(c0, c1), b = _mm512_unpackhi_pd(c0, c1),
                  c = _mm512_unpacklo_pd(c2, c3), d = _mm512_unpackhi_pd(c2, c3);
    block[0] = (demi_group)_mm512_permutex2var_pd(a, low, c);
    block[1] = (demi_group)_mm512_permutex2var_pd(b, low, d);
    block[2] = (demi_group)_mm512_permutex2var_pd(a, high, c);
    block[3] = (demi_group)_mm512_permutex2var_pd(b, high, d);
#else
    demi_v4_transpose(block);
#endif
}

/* Stores row m; past the caches if that is asked for and `to` begins at 32 bytes. */
DEMI_GROUP_INLINE void demi_group_store(const demi_group block[4], int m, double *to, int past)
{
#if defined(__AVX512F__)
    const __m512d two = (__m512d)block[(m & 1) + (m >> 2) * 2];
    const __m256d row = (m & 2) != 0 ? _mm512_extractf64x4_pd(two, 1) : _mm512_castpd512_pd256(two);
    if (past)
        _mm256_stream_pd(to, row);
    else
        _mm256_storeu_pd(to, row);
#elif defined(__AVX__)
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
#if defined(__AVX512F__)
    const int s = (m & 1) + (m >> 2) * 2;
    const __m512d a = (__m512d)first[s], b = (__m512d)rest[s];
    const __m512d both = (m & 2) != 0 ? _mm512_shuffle_f64x2(a, b, 0xee)
                                      : _mm512_insertf64x4(a, _mm512_castpd512_pd256(b), 1);
    _mm512_storeu_pd(to, _mm512_add_pd(_mm512_loadu_pd(to), both));
#else
    *(demi_v4 *)to += first[m];
    *(demi_v4 *)(to + 4) += rest[m];
#endif
}

/* Where a < b, as bits from the lowest. */
DEMI_GROUP_INLINE uint32_t demi_group_below(const demi_group *a, const demi_group *b)
{
#if defined(__AVX512F__)
    return _mm512_cmp_pd_mask((__m512d)*a, (__m512d)*b, _CMP_LT_OQ);
#else
    return demi_v4_below(a, b);
#endif
}

/* Where a number is not 0, as bits. */
DEMI_GROUP_INLINE uint32_t demi_group_any(const double *number)
{
#if defined(__AVX512F__)
    return _mm512_cmp_pd_mask(_mm512_loadu_pd(number), _mm512_setzero_pd(), _CMP_NEQ_UQ);
#elif defined(__AVX__)
    return (uint32_t)_mm256_movemask_pd(
        _mm256_cmp_pd(_mm256_loadu_pd(number), _mm256_setzero_pd(), _CMP_NEQ_UQ));
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
#if defined(__AVX512F__)
    return _mm256_movepi32_mask(_mm256_loadu_si256((const __m256i *)(const void *)number));
#elif defined(__AVX__)
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
#if defined(__AVX512F__)
    _mm_storel_epi64((__m128i *)(void *)flag, _mm_maskz_set1_epi8((__mmask16)bits, 1));
#elif defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
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
#if defined(__AVX512F__)
    const __m256i flags =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)flag));
    const __m256i number = _mm256_or_si256(
        _mm256_add_epi32(_mm256_set1_epi32((int)first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)),
        _mm256_slli_epi32(flags, 31));
    _mm256_storeu_si256((__m256i *)(void *)to, _mm256_maskz_compress_epi32((__mmask8)bits, number));
    _mm512_storeu_si512(to_with,
                        _mm512_maskz_compress_epi64((__mmask8)bits, _mm512_loadu_si512(with)));
#elif defined(__AVX2__)
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
