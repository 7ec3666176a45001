/* SPDX-License-Identifier: MIT */
/**
 * @file fpe.h
 * Floating-point traps for tests: with DEM_TEST_FPE=1 in the environment an invalid operation, a
 * division by zero or an overflow ends the program, as it would inside a host that runs so.
 *
 * Include it first: feenableexcept is an extension of glibc.
 */
#ifndef DEM_TEST_FPE_H
#define DEM_TEST_FPE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <fenv.h>
#include <stdlib.h>

/** Switches traps on where the environment asks for them; every main of a test calls this. */
static inline void test_fpe(void)
{
#ifdef __GLIBC__
    const char *wanted = getenv("DEM_TEST_FPE");
    if (wanted != NULL && wanted[0] == '1')
        (void)feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
#endif
}

#endif
