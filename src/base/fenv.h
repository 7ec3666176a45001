/* SPDX-License-Identifier: MIT */
/* The floating-point mode of a task. A host's threads bring their own rounding mode, flush-to-zero
 * and traps; results must not depend on them, and the host must find them as they were.
 *
 * In a step the traps stay the host's. Where input is checked and set they are off: a value out of
 * range shall come back as an error, not as a signal. */
#ifndef DEMI_FENV_H
#define DEMI_FENV_H

#include <float.h>

#if FLT_EVAL_METHOD < 0
#error "libdem needs arithmetic in double: compile without -ffast-math"
#elif FLT_EVAL_METHOD == 2
#error "libdem needs arithmetic in double: on 32-bit x86 compile with -msse2 -mfpmath=sse"
#endif

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>

typedef unsigned int demi_fenv;

/* bits: 15 flush to zero, 13-14 rounding, 7-12 traps off, 6 denormals are zero, 0-5 flags */
enum { DEMI_FENV_MODE = 0xE040, DEMI_FENV_TRAPS_OFF = 0x1F80, DEMI_FENV_FLAGS = 0x3F };

static inline demi_fenv demi_fenv_set(unsigned int saved, unsigned int wanted)
{
    if (wanted != saved)
        _mm_setcsr(wanted);
    return saved;
}

static inline demi_fenv demi_fenv_enter(void)
{
    const unsigned int saved = _mm_getcsr();
    return demi_fenv_set(saved, saved & ~(unsigned int)DEMI_FENV_MODE);
}

/* The same without traps. */
static inline demi_fenv demi_fenv_enter_quiet(void)
{
    const unsigned int saved = _mm_getcsr();
    return demi_fenv_set(saved, (saved & ~(unsigned int)DEMI_FENV_MODE) | DEMI_FENV_TRAPS_OFF);
}

/* Traps as they were at `saved`, within demi_fenv_enter_quiet. */
static inline void demi_fenv_traps(demi_fenv saved)
{
    const unsigned int now = _mm_getcsr();
    (void)demi_fenv_set(now,
                        (now & ~(unsigned int)DEMI_FENV_TRAPS_OFF) | (saved & DEMI_FENV_TRAPS_OFF));
}

static inline void demi_fenv_leave(demi_fenv saved)
{
    /* exception flags raised meanwhile stay visible to the host */
    const unsigned int now = _mm_getcsr();
    (void)demi_fenv_set(now, (saved & ~(unsigned int)DEMI_FENV_FLAGS) | (now & DEMI_FENV_FLAGS));
}
#else
#include <fenv.h>
#include <string.h>

typedef struct demi_fenv {
    int rounding, quiet;
    fenv_t all; /* where quiet */
} demi_fenv;

static inline demi_fenv demi_fenv_enter(void)
{
    demi_fenv saved;
    memset(&saved, 0, sizeof saved);
    saved.rounding = fegetround();
    saved.quiet = 0;
    if (saved.rounding != FE_TONEAREST)
        fesetround(FE_TONEAREST);
    return saved;
}

static inline demi_fenv demi_fenv_enter_quiet(void)
{
    demi_fenv saved;
    saved.rounding = fegetround();
    saved.quiet = 1;
    feholdexcept(&saved.all);
    fesetround(FE_TONEAREST);
    return saved;
}

/* Standard C has no way to switch single traps; they stay off. */
static inline void demi_fenv_traps(demi_fenv saved)
{
    (void)saved;
}

static inline void demi_fenv_leave(demi_fenv saved)
{
    if (saved.quiet)
        fesetenv(&saved.all);
    else if (saved.rounding != FE_TONEAREST)
        fesetround(saved.rounding);
}
#endif

#endif
