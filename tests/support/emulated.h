/* SPDX-License-Identifier: MIT */
/**
 * @file emulated.h
 * Where a memory checker emulates the processor, tests that need the real one are skipped: it has
 * one rounding mode, computes a long double with the digits of a double, calls the stack below a
 * function's own invalid, and takes no signal for a page. The gate says so by DEM_TEST_EMULATED=1.
 * DEM_TEST_SLOW=1: this is a program that nothing made faster, which counts its lines.
 */
#ifndef TEST_EMULATED_H
#define TEST_EMULATED_H

#include "cmocka.h"

#include <stdlib.h>

static inline int test_slow(void)
{
    return getenv("DEM_TEST_EMULATED") != NULL || getenv("DEM_TEST_SLOW") != NULL;
}

/** How many rounds of random input: a tenth of them there, where each takes fifty times as long. */
static inline int test_rounds(int rounds)
{
    return test_slow() ? rounds / 10 : rounds;
}

/** How many rounds a report has, `all`, and a test, `few`. */
static inline int test_whole(int few, int all)
{
    return getenv("DEM_TEST_WHOLE") != NULL ? all : test_rounds(few);
}

/** Skips a test that is long there, of code that shorter tests of the program run, too. */
static inline void test_long(void)
{
    if (test_slow())
        skip();
}

static inline void test_real_processor(void)
{
    if (getenv("DEM_TEST_EMULATED") != NULL)
        skip();
}

#endif
