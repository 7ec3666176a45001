/* SPDX-License-Identifier: MIT */
/* Rows of four doubles as vectors of the compiler, for files in simd/. */
#ifndef DEMI_VECTOR_H
#define DEMI_VECTOR_H

#include "base/isa.h"

#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSSE3__)
#include <tmmintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef double demi_v4 __attribute__((vector_size(32), aligned(8), may_alias));

/* Half of one: what a register holds where there is no AVX. There gcc shuffles whole vectors
 * through memory in pieces of eight bytes, and the processor waits for them. */
typedef double demi_v2 __attribute__((vector_size(16), aligned(8), may_alias));

typedef int64_t demi_i4 __attribute__((vector_size(32)));

typedef uint32_t demi_u4 __attribute__((vector_size(16), aligned(4), may_alias));

static inline __attribute__((always_inline)) const demi_v4 *demi_v4_at(const double *row)
{
    return (const demi_v4 *)row;
}

#if defined(__clang__) || __GNUC__ >= 12
#define DEMI_V4_SHUFFLE(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#define DEMI_V2_SHUFFLE(a, b, i, j) __builtin_shufflevector(a, b, i, j)
#else
#define DEMI_V4_SHUFFLE(a, b, i, j, k, l) __builtin_shuffle(a, b, (demi_i4){i, j, k, l})
#define DEMI_V2_SHUFFLE(a, b, i, j)                                                                \
    __builtin_shuffle(a, b, (int64_t __attribute__((vector_size(16)))){i, j})
#endif

#if defined(__AVX512VL__)
/* The bits of a mask, as an integer. It passes through a register of integers: where registers are
 * scarce gcc 12 may keep a mask of eight bits in one byte of memory, and read four bytes. */
static inline __attribute__((always_inline)) uint32_t demi_mask_bits(uint32_t mask)
{
    __asm__("" : "+r"(mask));
    return mask;
}
#endif

/* Where a < b, as bits from the lowest. */
static inline __attribute__((always_inline)) uint32_t demi_v4_below(const demi_v4 *a,
                                                                    const demi_v4 *b)
{
#if defined(__AVX512VL__)
    return demi_mask_bits(_mm256_cmp_pd_mask((__m256d)*a, (__m256d)*b, _CMP_LT_OQ));
#elif defined(__AVX__)
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd((__m256d)*a, (__m256d)*b, _CMP_LT_OQ));
#elif defined(__SSE2__)
    const demi_v2 *p = (const demi_v2 *)a, *q = (const demi_v2 *)b;
    return (uint32_t)(_mm_movemask_pd(_mm_cmplt_pd((__m128d)p[0], (__m128d)q[0])) |
                      _mm_movemask_pd(_mm_cmplt_pd((__m128d)p[1], (__m128d)q[1])) << 2);
#else
    const demi_i4 below = (demi_i4)(*a < *b);
    return (uint32_t)((below[0] & 1) | (below[1] & 2) | (below[2] & 4) | (below[3] & 8));
#endif
}

/* The greater and the smaller of two numbers, place by place; without a word on the sign of 0. */
#if defined(__AVX__)
#define DEMI_V4_MAX(a, b) ((demi_v4)_mm256_max_pd((__m256d)(a), (__m256d)(b)))
#define DEMI_V4_MIN(a, b) ((demi_v4)_mm256_min_pd((__m256d)(a), (__m256d)(b)))
#else
#define DEMI_V4_WHERE(places, a, b)                                                                \
    ((demi_v4)(((demi_i4)(a) & (demi_i4)(places)) | ((demi_i4)(b) & ~(demi_i4)(places))))
#define DEMI_V4_MAX(a, b) DEMI_V4_WHERE((a) > (b), a, b)
#define DEMI_V4_MIN(a, b) DEMI_V4_WHERE((a) < (b), a, b)
#endif

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
#elif defined(__SSSE3__)
    /* the bytes of the places of the bits that are set */
#define DEMI_PLACE(k) 4 * (k), 4 * (k) + 1, 4 * (k) + 2, 4 * (k) + 3
#define DEMI_PLACES(i, j, k, l)                                                                    \
    {                                                                                              \
        DEMI_PLACE(i), DEMI_PLACE(j), DEMI_PLACE(k), DEMI_PLACE(l)                                 \
    }
    static const uint8_t byte[16][16] = {
        DEMI_PLACES(0, 0, 0, 0), DEMI_PLACES(0, 0, 0, 0), DEMI_PLACES(1, 0, 0, 0),
        DEMI_PLACES(0, 1, 0, 0), DEMI_PLACES(2, 0, 0, 0), DEMI_PLACES(0, 2, 0, 0),
        DEMI_PLACES(1, 2, 0, 0), DEMI_PLACES(0, 1, 2, 0), DEMI_PLACES(3, 0, 0, 0),
        DEMI_PLACES(0, 3, 0, 0), DEMI_PLACES(1, 3, 0, 0), DEMI_PLACES(0, 1, 3, 0),
        DEMI_PLACES(2, 3, 0, 0), DEMI_PLACES(0, 2, 3, 0), DEMI_PLACES(1, 2, 3, 0),
        DEMI_PLACES(0, 1, 2, 3)};
#undef DEMI_PLACE
#undef DEMI_PLACES
    const __m128i order = _mm_loadu_si128((const __m128i *)(const void *)byte[bits]);
    _mm_storeu_si128((__m128i *)(void *)(to + *n), _mm_shuffle_epi8((__m128i)*from, order));
    *n += (uint64_t)__builtin_popcount(bits);
#else
    for (int m = 0; m < 4; ++m) {
        to[*n] = (*from)[m];
        *n += bits >> m & 1u;
    }
#endif
}

/* The first three of a and the last of b. As a shuffle, gcc 12 moves place by place where b is a
 * constant. */
#if defined(__AVX__)
#define DEMI_V4_KEEP_LAST(a, b) ((demi_v4)_mm256_blend_pd((__m256d)(a), (__m256d)(b), 8))
#else
#define DEMI_V4_KEEP_LAST(a, b)                                                                    \
    ((demi_v4)(((demi_i4)(a) & (demi_i4){-1, -1, -1, 0}) | ((demi_i4)(b) & (demi_i4){0, 0, 0, -1})))
#endif

/* Four rows become four columns, and back. */
static inline __attribute__((always_inline)) void demi_v4_transpose(demi_v4 r[4])
{
#if defined(__AVX__)
    const demi_v4 a = DEMI_V4_SHUFFLE(r[0], r[1], 0, 4, 2, 6);
    const demi_v4 b = DEMI_V4_SHUFFLE(r[0], r[1], 1, 5, 3, 7);
    const demi_v4 c = DEMI_V4_SHUFFLE(r[2], r[3], 0, 4, 2, 6);
    const demi_v4 d = DEMI_V4_SHUFFLE(r[2], r[3], 1, 5, 3, 7);
    r[0] = DEMI_V4_SHUFFLE(a, c, 0, 1, 4, 5);
    r[1] = DEMI_V4_SHUFFLE(b, d, 0, 1, 4, 5);
    r[2] = DEMI_V4_SHUFFLE(a, c, 2, 3, 6, 7);
    r[3] = DEMI_V4_SHUFFLE(b, d, 2, 3, 6, 7);
#else
    demi_v2 *half = (demi_v2 *)r;
    const demi_v2 a = half[0], b = half[2], c = half[4], d = half[6];
    const demi_v2 e = half[1], f = half[3], g = half[5], h = half[7];
    half[0] = DEMI_V2_SHUFFLE(a, b, 0, 2);
    half[1] = DEMI_V2_SHUFFLE(c, d, 0, 2);
    half[2] = DEMI_V2_SHUFFLE(a, b, 1, 3);
    half[3] = DEMI_V2_SHUFFLE(c, d, 1, 3);
    half[4] = DEMI_V2_SHUFFLE(e, f, 0, 2);
    half[5] = DEMI_V2_SHUFFLE(g, h, 0, 2);
    half[6] = DEMI_V2_SHUFFLE(e, f, 1, 3);
    half[7] = DEMI_V2_SHUFFLE(g, h, 1, 3);
#endif
}

/* A part of a record of eight doubles, which are two vectors of space with a place of their own
 * each: all of it where registers hold as much, else the first or the last four. */
#if defined(__AVX512VL__)
typedef double demi_vr __attribute__((vector_size(64), aligned(8), may_alias));
typedef int64_t demi_ir __attribute__((vector_size(64)));
enum { DEMI_VR_PARTS = 1, DEMI_VR_SIZE = 8 };
#if defined(__clang__) || __GNUC__ >= 12
#define DEMI_V8_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define DEMI_V8_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (demi_ir){__VA_ARGS__})
#endif
#else
typedef demi_v4 demi_vr;
typedef demi_i4 demi_ir;
enum { DEMI_VR_PARTS = 2, DEMI_VR_SIZE = 4 };
#endif

static inline __attribute__((always_inline)) const demi_vr *demi_vr_at(const double *record)
{
    return (const demi_vr *)record;
}

/* As DEMI_V4_MAX. */
#if defined(__AVX512VL__)
#define DEMI_VR_MAX(a, b) ((demi_vr)_mm512_max_pd((__m512d)(a), (__m512d)(b)))
#else
#define DEMI_VR_MAX(a, b) DEMI_V4_MAX(a, b)
#endif

/* The last places of the first halves of four records, and those of their last halves. */
static inline __attribute__((always_inline)) void demi_vr_last_places(const double *const record[4],
                                                                      demi_vr to[DEMI_VR_PARTS])
{
#if defined(__AVX512VL__)
    const demi_vr a = DEMI_V8_SHUFFLE(*demi_vr_at(record[0]), *demi_vr_at(record[1]), 3, 11, 7, 15,
                                      3, 11, 7, 15),
                  b = DEMI_V8_SHUFFLE(*demi_vr_at(record[2]), *demi_vr_at(record[3]), 3, 11, 7, 15,
                                      3, 11, 7, 15);
    to[0] = DEMI_V8_SHUFFLE(a, b, 0, 1, 8, 9, 2, 3, 10, 11);
#else
    for (int part = 0; part < DEMI_VR_PARTS; ++part) {
        const int last = 4 * part + 3;
        to[part] = (demi_vr){record[0][last], record[1][last], record[2][last], record[3][last]};
    }
#endif
}

/* The last half of a record, twice. */
static inline __attribute__((always_inline)) void
demi_vr_last_halves(const demi_vr from[DEMI_VR_PARTS], demi_vr to[DEMI_VR_PARTS])
{
#if defined(__AVX512VL__)
    to[0] = DEMI_V8_SHUFFLE(from[0], from[0], 4, 5, 6, 7, 4, 5, 6, 7);
#else
    to[0] = to[1] = from[1];
#endif
}

/* Fills each half of part `at` of a record with place m of a half of `from`. */
static inline __attribute__((always_inline)) void demi_vr_spread(const double from[8], int at,
                                                                 uint64_t m, demi_vr *to)
{
#if defined(__AVX512VL__)
    (void)at;
    static const _Alignas(64) int64_t place[4][8] = {{0, 0, 0, 0, 4, 4, 4, 4},
                                                     {1, 1, 1, 1, 5, 5, 5, 5},
                                                     {2, 2, 2, 2, 6, 6, 6, 6},
                                                     {3, 3, 3, 3, 7, 7, 7, 7}};
    *to = (demi_vr)_mm512_permutexvar_pd(_mm512_load_si512(place[m]), _mm512_loadu_pd(from));
#else
    const double value = from[(uint64_t)at + m];
    *to = (demi_vr){value, value, value, value};
#endif
}

/* The same with each half's last place. */
static inline __attribute__((always_inline)) void demi_vr_spread_last(const demi_vr *from,
                                                                      demi_vr *to)
{
#if defined(__AVX512VL__)
    *to = (demi_vr)_mm512_permutex_pd((__m512d)*from, 0xff);
#else
    *to = DEMI_V4_SHUFFLE(*from, *from, 3, 3, 3, 3);
#endif
}

/* Of which places of a part of a record a value is positive, but for the last ones of its halves;
 * and a there, b elsewhere. */
#if defined(__AVX512VL__)
typedef __mmask8 demi_vr_places;
#define DEMI_VR_WHERE(places, a, b)                                                                \
    ((demi_vr)_mm512_mask_blend_pd(places, (__m512d)(b), (__m512d)(a)))
#else
typedef demi_i4 demi_vr_places;
#if defined(__AVX__)
#define DEMI_VR_WHERE(places, a, b)                                                                \
    ((demi_vr)_mm256_blendv_pd((__m256d)(b), (__m256d)(a), (__m256d)(places)))
#else
#define DEMI_VR_WHERE(places, a, b)                                                                \
    ((demi_vr)(((demi_i4)(a) & (places)) | ((demi_i4)(b) & ~(places))))
#endif
#endif

static inline __attribute__((always_inline)) void demi_vr_positive(const demi_vr *value,
                                                                   demi_vr_places *places)
{
#if defined(__AVX512VL__)
    *places = _mm512_mask_cmp_pd_mask(0x77, (__m512d)*value, _mm512_setzero_pd(), _CMP_GT_OQ);
#else
    const demi_v4 none = {0.0, 0.0, 0.0, 0.0};
    *places = (demi_i4)(*value > none) & (demi_i4){-1, -1, -1, 0};
#endif
}

/* The halves of a record. */
static inline __attribute__((always_inline)) void demi_vr_halves(const demi_vr from[DEMI_VR_PARTS],
                                                                 demi_v4 to[2])
{
#if defined(__AVX512VL__)
    to[0] = (demi_v4)_mm512_castpd512_pd256((__m512d)from[0]);
    to[1] = (demi_v4)_mm512_extractf64x4_pd((__m512d)from[0], 1);
#else
    to[0] = from[0];
    to[1] = from[1];
#endif
}

#endif
