/* SPDX-License-Identifier: MIT */
/* As many lanes as move between rows and lanes at a time: a group, or two where registers hold
 * eight doubles. A block is four rows or columns of them: as rows, each vector has a row of four
 * doubles, or one of each group. By intrinsics, since gcc 12 miscompiles shuffles of eight doubles
 * where registers are scarce. */
#ifndef DEMI_WIDE_H
#define DEMI_WIDE_H

#include "base/group.h"

#if defined(__AVX512VL__) && defined(__AVX512BW__)

enum { DEMI_WIDE = 2 * DEMI_GROUP };
typedef demi_vr demi_wide;

#define DEMI_WIDE_OF(vector) ((demi_wide)(vector))
#define DEMI_WIDE_AS(wide) ((__m512d)(wide))

/* Lane of row r of vector s of a block: transposed, lanes come to lie in order. */
enum { DEMI_WIDE_ROWS = 2 };
#define DEMI_WIDE_LANE(s, r) (((s)&1) + 4 * ((s) >> 1) + 2 * (r))

/* A vector of a block from its rows. */
DEMI_GROUP_INLINE void demi_wide_join(const double *const row[DEMI_WIDE_ROWS], demi_wide *block)
{
    *block = DEMI_WIDE_OF(_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(row[0])),
                                             _mm256_loadu_pd(row[1]), 1));
}

/* Rows become columns. */
DEMI_GROUP_INLINE void demi_wide_columns(demi_wide block[4])
{
    const __m512d r0 = DEMI_WIDE_AS(block[0]), r1 = DEMI_WIDE_AS(block[1]),
                  r2 = DEMI_WIDE_AS(block[2]), r3 = DEMI_WIDE_AS(block[3]);
    const __m512d a = _mm512_unpacklo_pd(r0, r1), b = _mm512_unpackhi_pd(r0, r1),
                  c = _mm512_unpacklo_pd(r2, r3), d = _mm512_unpackhi_pd(r2, r3);
    block[0] = DEMI_WIDE_OF(_mm512_shuffle_f64x2(a, c, 0x88));
    block[1] = DEMI_WIDE_OF(_mm512_shuffle_f64x2(b, d, 0x88));
    block[2] = DEMI_WIDE_OF(_mm512_shuffle_f64x2(a, c, 0xdd));
    block[3] = DEMI_WIDE_OF(_mm512_shuffle_f64x2(b, d, 0xdd));
}

/* And back. */
DEMI_GROUP_INLINE void demi_wide_rows(demi_wide block[4])
{
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                  rest = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    const __m512d c0 = DEMI_WIDE_AS(block[0]), c1 = DEMI_WIDE_AS(block[1]),
                  c2 = DEMI_WIDE_AS(block[2]), c3 = DEMI_WIDE_AS(block[3]);
    const __m512d a = _mm512_unpacklo_pd(c0, c1), b = _mm512_unpackhi_pd(c0, c1),
                  c = _mm512_unpacklo_pd(c2, c3), d = _mm512_unpackhi_pd(c2, c3);
    block[0] = DEMI_WIDE_OF(_mm512_permutex2var_pd(a, first, c));
    block[1] = DEMI_WIDE_OF(_mm512_permutex2var_pd(b, first, d));
    block[2] = DEMI_WIDE_OF(_mm512_permutex2var_pd(a, rest, c));
    block[3] = DEMI_WIDE_OF(_mm512_permutex2var_pd(b, rest, d));
}

/* Vector of a block that has the row of lane m, and whether that is its second half. */
#define DEMI_WIDE_VECTOR(m) (((m)&1) + 2 * ((m) >> 2))
#define DEMI_WIDE_SECOND(m) (((m)&2) != 0)

/* Stores the row of lane m; past the caches if that is asked for and `to` begins at 32 bytes. */
DEMI_GROUP_INLINE void demi_wide_store(const demi_wide block[4], int m, double *to, int past)
{
    const __m512d both = DEMI_WIDE_AS(block[DEMI_WIDE_VECTOR(m)]);
    const __m256d row =
        DEMI_WIDE_SECOND(m) ? _mm512_extractf64x4_pd(both, 1) : _mm512_castpd512_pd256(both);
    if (past)
        _mm256_stream_pd(to, row);
    else
        _mm256_storeu_pd(to, row);
}

/* Eight places: the row of lane m of one block, and that of another one. */
DEMI_GROUP_INLINE void demi_wide_row(const demi_wide first[4], const demi_wide rest[4], int m,
                                     demi_vr row[DEMI_VR_PARTS])
{
    const __m512d a = DEMI_WIDE_AS(first[DEMI_WIDE_VECTOR(m)]),
                  b = DEMI_WIDE_AS(rest[DEMI_WIDE_VECTOR(m)]);
    row[0] = (demi_vr)(DEMI_WIDE_SECOND(m) ? _mm512_shuffle_f64x2(a, b, 0xee)
                                           : _mm512_shuffle_f64x2(a, b, 0x44));
}

/* The last column of rows. */
DEMI_GROUP_INLINE void demi_wide_last(const demi_wide block[4], demi_wide *last)
{
    const __m512d b = _mm512_unpackhi_pd(DEMI_WIDE_AS(block[0]), DEMI_WIDE_AS(block[1])),
                  d = _mm512_unpackhi_pd(DEMI_WIDE_AS(block[2]), DEMI_WIDE_AS(block[3]));
    *last = DEMI_WIDE_OF(_mm512_shuffle_f64x2(b, d, 0xdd));
}

/* A vector of rows with the sign of the last place of each changed. */
#define DEMI_WIDE_NEGATE_LAST(a)                                                                   \
    ((demi_wide)((demi_ir)(a) ^ (demi_ir){0, 0, 0, INT64_MIN, 0, 0, 0, INT64_MIN}))

/* Where a < b, as bits from the lowest. */
DEMI_GROUP_INLINE uint32_t demi_wide_below(const demi_wide *a, const demi_wide *b)
{
    return demi_mask_bits(_mm512_cmp_pd_mask(DEMI_WIDE_AS(*a), DEMI_WIDE_AS(*b), _CMP_LT_OQ));
}

/* Where a number is not 0, as bits. */
DEMI_GROUP_INLINE uint32_t demi_wide_any(const double *number)
{
    return demi_mask_bits(
        _mm512_cmp_pd_mask(_mm512_loadu_pd(number), _mm512_setzero_pd(), _CMP_NEQ_UQ));
}

/* Highest bits of integers, as bits. */
DEMI_GROUP_INLINE uint32_t demi_wide_signs(const uint32_t *number)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_loadu_ps((const float *)(const void *)number));
}

/* Flags of one byte each, 0 or 1, as bits. */
DEMI_GROUP_INLINE uint32_t demi_wide_flags(const unsigned char *flag)
{
    const __m128i flags = _mm_loadl_epi64((const __m128i_u *)(const void *)flag);
    return demi_mask_bits(_mm_test_epi8_mask(flags, flags));
}

/* And back. */
DEMI_GROUP_INLINE void demi_wide_set_flags(uint32_t bits, unsigned char *flag)
{
    _mm_storel_epi64((__m128i_u *)(void *)flag, _mm_maskz_set1_epi8((__mmask16)bits, 1));
}

/* Appends those whose bits are set of the numbers from `first` on, and of eight bytes each that
 * belong to them; the highest bit of a number is its flag. As many as there are may be written. */
DEMI_GROUP_INLINE void demi_wide_append(uint32_t first, const unsigned char *flag, const void *with,
                                        uint32_t bits, uint32_t *to, void *to_with)
{
    const __m256i flags =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i_u *)(const void *)flag));
    const __m256i number = _mm256_or_si256(
        _mm256_add_epi32(_mm256_set1_epi32((int)first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)),
        _mm256_slli_epi32(flags, 31));
    _mm256_storeu_si256((__m256i_u *)to, _mm256_maskz_compress_epi32((__mmask8)bits, number));
    _mm512_storeu_si512(to_with,
                        _mm512_maskz_compress_epi64((__mmask8)bits, _mm512_loadu_si512(with)));
}

#else

enum { DEMI_WIDE = DEMI_GROUP };
typedef demi_group demi_wide;

enum { DEMI_WIDE_ROWS = 1 };
#define DEMI_WIDE_LANE(s, r) (s)

DEMI_GROUP_INLINE void demi_wide_join(const double *const row[DEMI_WIDE_ROWS], demi_wide *block)
{
    *block = *demi_v4_at(row[0]);
}

DEMI_GROUP_INLINE void demi_wide_columns(demi_wide block[4])
{
    demi_v4_transpose(block);
}

DEMI_GROUP_INLINE void demi_wide_rows(demi_wide block[4])
{
    demi_v4_transpose(block);
}

DEMI_GROUP_INLINE void demi_wide_last(const demi_wide block[4], demi_wide *last)
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

DEMI_GROUP_INLINE void demi_wide_store(const demi_wide block[4], int m, double *to, int past)
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

DEMI_GROUP_INLINE void demi_wide_row(const demi_wide first[4], const demi_wide rest[4], int m,
                                     demi_vr row[DEMI_VR_PARTS])
{
    row[0] = first[m];
    row[1] = rest[m];
}

#define DEMI_WIDE_NEGATE_LAST(a) ((demi_wide)((demi_i4)(a) ^ (demi_i4){0, 0, 0, INT64_MIN}))

DEMI_GROUP_INLINE uint32_t demi_wide_below(const demi_wide *a, const demi_wide *b)
{
    return demi_v4_below(a, b);
}

DEMI_GROUP_INLINE uint32_t demi_wide_any(const double *number)
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
    for (uint32_t m = 0; m < DEMI_WIDE; ++m)
        bits |= (uint32_t)(number[m] != 0.0) << m;
    return bits;
#endif
}

DEMI_GROUP_INLINE uint32_t demi_wide_signs(const uint32_t *number)
{
#if defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps(_mm_loadu_ps((const float *)(const void *)number));
#else
    uint32_t bits = 0;
    for (uint32_t m = 0; m < DEMI_WIDE; ++m)
        bits |= number[m] >> 31 << m;
    return bits;
#endif
}

DEMI_GROUP_INLINE uint32_t demi_wide_flags(const unsigned char *flag)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t all = 0;
    memcpy(&all, flag, DEMI_WIDE);
    /* flag m comes to lie at bit 56 + m, and above it is nothing */
    return (uint32_t)(all * 0x0102040810204080u >> 56);
#else
    uint32_t bits = 0;
    for (uint32_t m = 0; m < DEMI_WIDE; ++m)
        bits |= (uint32_t)flag[m] << m;
    return bits;
#endif
}

DEMI_GROUP_INLINE void demi_wide_set_flags(uint32_t bits, unsigned char *flag)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint32_t all = bits * 0x00204081u & 0x01010101u;
    memcpy(flag, &all, sizeof all);
#else
    for (uint32_t m = 0; m < DEMI_WIDE; ++m)
        flag[m] = bits >> m & 1u;
#endif
}

DEMI_GROUP_INLINE void demi_wide_append(uint32_t first, const unsigned char *flag, const void *with,
                                        uint32_t bits, uint32_t *to, void *to_with)
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
    int32_t four; /* gcc 11 has a fault in _mm_loadu_si32, and older ones lack it */
    memcpy(&four, flag, sizeof four);
    const __m128i flags = _mm_cvtepu8_epi32(_mm_cvtsi32_si128(four));
    const __m128i number =
        _mm_or_si128(_mm_add_epi32(_mm_set1_epi32((int)first), _mm_setr_epi32(0, 1, 2, 3)),
                     _mm_slli_epi32(flags, 31));
    uint64_t n = 0;
    demi_u4_index(to, (const demi_u4 *)&number, bits, &n);
    _mm256_storeu_si256(
        to_with, _mm256_permutevar8x32_epi32(_mm256_loadu_si256(with),
                                             _mm256_loadu_si256((const __m256i *)half[bits])));
#else
    for (uint32_t m = 0, n = 0; m < DEMI_WIDE; ++m) {
        to[n] = (first + m) | (uint32_t)flag[m] << 31;
        memcpy((unsigned char *)to_with + n * sizeof(uint64_t),
               (const unsigned char *)with + m * sizeof(uint64_t), sizeof(uint64_t));
        n += bits >> m & 1u;
    }
#endif
}

#endif

/* Bits of all. */
#define DEMI_WIDE_ALL ((1u << DEMI_WIDE) - 1u)

/* Vector s of a block, from rows anywhere, beginning c places later. */
DEMI_GROUP_INLINE void demi_wide_at(const double *const at[DEMI_WIDE], uint64_t c, int s,
                                    demi_wide *block)
{
    const double *row[DEMI_WIDE_ROWS];
    for (int r = 0; r < DEMI_WIDE_ROWS; ++r)
        row[r] = at[DEMI_WIDE_LANE(s, r)] + c;
    demi_wide_join(row, block);
}

/* The same from rows at `bytes` times each place; places are those of one end of pairs. They are
 * read anew each time: gcc would keep them in vector registers, for lack of others, and to move
 * them back takes longer than to load them. */
DEMI_GROUP_INLINE void demi_wide_two(const double *from, const volatile uint32_t *place,
                                     uint64_t bytes, int s, demi_wide *block)
{
    const double *row[DEMI_WIDE_ROWS];
    for (int r = 0; r < DEMI_WIDE_ROWS; ++r)
        row[r] = (const double *)(const void *)((const char *)from +
                                                place[2 * DEMI_WIDE_LANE(s, r)] * bytes);
    demi_wide_join(row, block);
}

#endif
