/* SPDX-License-Identifier: MIT */
/* Instruction sets. Files in a folder simd/ are compiled once for each: plain C that the compiler
 * vectorizes, with the same bits everywhere. DEMI_ENTRY(type, name) in such a file declares a
 * function that other files call; DEMI_COPIES(type, name) there makes the table of its copies. */
#ifndef DEMI_ISA_H
#define DEMI_ISA_H

#include <dem/base.h>

enum { DEMI_ISA_COUNT = 4 }; /* DEM_ISA_ values but for DEM_ISA_AUTO, in their order */

/* The makefile defines DEMI_ISA_SUFFIX for each copy, which the symbol ends with. The library in
 * one file renames the functions itself. */
#ifdef DEMI_ISA_SUFFIX
#define DEMI_ISA_TEXT(text) #text
#define DEMI_ISA_SYMBOL(prefix, name, suffix)                                                      \
    DEMI_ISA_TEXT(prefix) DEMI_ISA_TEXT(name) DEMI_ISA_TEXT(suffix)
#define DEMI_ENTRY(type, name)                                                                     \
    type name __asm__(DEMI_ISA_SYMBOL(__USER_LABEL_PREFIX__, name, DEMI_ISA_SUFFIX))
#else
#define DEMI_ENTRY(type, name) type name
#endif

#if defined(__x86_64__) && !defined(DEMI_ISA_BASELINE_ONLY)
#define DEMI_ISA_X86 1
#define DEMI_COPIES(type, name)                                                                    \
    type name##_baseline, name##_avx2, name##_avx512, name##_v2;                                   \
    static type *const name[DEMI_ISA_COUNT] = {name##_baseline, name##_avx2, name##_avx512,        \
                                               name##_v2}
#else
#define DEMI_ISA_X86 0
#define DEMI_COPIES(type, name)                                                                    \
    type name##_baseline;                                                                          \
    static type *const name[DEMI_ISA_COUNT] = {name##_baseline, name##_baseline, name##_baseline,  \
                                               name##_baseline}
#endif

/* A piece of a loop over lanes: inlined, so that constant arguments make a loop of their own. It
 * may stay a function where coverage is measured, so that its branches are counted once, and where
 * accesses are checked, so that compilers take seconds and not minutes. */
#ifdef DEMI_NOT_INLINED
#define DEMI_INLINE inline
#else
#define DEMI_INLINE inline __attribute__((always_inline))
#endif

/* A function that asks for memory and does nothing else. Where one is not inlined, gcc takes it for
 * pure and leaves its calls out. */
#define DEMI_ASK static inline __attribute__((always_inline))

/* A loop that stays a function, so that those beside it keep their registers. */
#define DEMI_APART static __attribute__((noinline))

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

#define DEMI_ISA_MESSAGE                                                                           \
    "%s.isa: %d is not available on this machine or in this build: take DEM_ISA_AUTO (0)"

/* Index into the tables for a DEM_ISA_ value; -1 where this machine or build lacks it. */
int demi_isa_index(int32_t isa);

#endif
