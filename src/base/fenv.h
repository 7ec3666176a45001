/* SPDX-License-Identifier: MIT */
/* The floating-point mode of a task. A host's threads bring their own rounding mode and
 * flush-to-zero; results must not depend on them, and the host must find them as they were.
 * Trap masks stay the host's. */
#ifndef DEMI_FENV_H
#define DEMI_FENV_H

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>

typedef unsigned int demi_fenv;

static inline demi_fenv demi_fenv_enter(void)
{
    const unsigned int saved = _mm_getcsr();
    /* bits: 15 flush to zero, 13-14 rounding, 6 denormals are zero */
    const unsigned int wanted = saved & ~0xE040u;
    if (wanted != saved)
        _mm_setcsr(wanted);
    return saved;
}

static inline void demi_fenv_leave(demi_fenv saved)
{
    /* exception flags raised meanwhile stay visible to the host */
    const unsigned int now = _mm_getcsr();
    const unsigned int wanted = (saved & ~0x3Fu) | (now & 0x3Fu);
    if (wanted != now)
        _mm_setcsr(wanted);
}
#else
#include <fenv.h>

typedef int demi_fenv;

static inline demi_fenv demi_fenv_enter(void)
{
    const int saved = fegetround();
    if (saved != FE_TONEAREST)
        fesetround(FE_TONEAREST);
    return saved;
}

static inline void demi_fenv_leave(demi_fenv saved)
{
    if (saved != FE_TONEAREST)
        fesetround(saved);
}
#endif

#endif
