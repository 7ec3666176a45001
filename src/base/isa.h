/* SPDX-License-Identifier: MIT */
/* Instruction sets. Files in a folder simd/ are compiled once for each: plain C that the compiler
 * vectorizes, with the same bits everywhere. Each function of such a file, static ones too, is
 * named DEMI_ISA(name); DEMI_ISA_TABLE(type, name) outside makes the table of its copies. */
#ifndef DEMI_ISA_H
#define DEMI_ISA_H

#include <dem/base.h>

enum { DEMI_ISA_COUNT = 3 };

#define DEMI_ISA_JOIN(name, suffix) name##suffix
#define DEMI_ISA_NAME(name, suffix) DEMI_ISA_JOIN(name, suffix)
/* The makefile defines DEMI_ISA_SUFFIX for each copy. */
#define DEMI_ISA(name) DEMI_ISA_NAME(name, DEMI_ISA_SUFFIX)

#if defined(__x86_64__) && !defined(DEMI_ISA_BASELINE_ONLY)
#define DEMI_ISA_X86 1
#define DEMI_ISA_TABLE(type, name)                                                                 \
    type name##_baseline, name##_avx2, name##_avx512;                                              \
    static type *const name[DEMI_ISA_COUNT] = {name##_baseline, name##_avx2, name##_avx512}
#else
#define DEMI_ISA_X86 0
#define DEMI_ISA_TABLE(type, name)                                                                 \
    type name##_baseline;                                                                          \
    static type *const name[DEMI_ISA_COUNT] = {name##_baseline, name##_baseline, name##_baseline}
#endif

/* A piece of a loop over lanes: inlined, so that constant arguments make a loop of their own. */
#define DEMI_INLINE inline __attribute__((always_inline))

/* Tells the compiler that the iterations of the next loop are independent. */
#if defined(__clang__)
#define DEMI_SIMD _Pragma("clang loop vectorize(assume_safety) interleave(disable)")
#elif defined(__GNUC__)
#define DEMI_SIMD _Pragma("GCC ivdep")
#else
#define DEMI_SIMD
#endif

/* Number of lanes that are computed for n contacts; those from n on are harmless. */
#define DEMI_PADDED(n) (((n) + 7) / 8 * 8)

#define DEMI_ISA_MESSAGE "%s.isa: %d is not there on this machine or in this build"

/* Index into the tables for a DEM_ISA_ value; -1 where this machine or build lacks it. */
int demi_isa_index(int32_t isa);

#endif
