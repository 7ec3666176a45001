/* SPDX-License-Identifier: MIT */
/**
 * @file report.h
 * Figures of tests that a report shows, see `make shapes`.
 */
#ifndef DEM_TEST_REPORT_H
#define DEM_TEST_REPORT_H

#include <math.h>
#include <stdio.h>

/** A line of the report; whether the value differs from the reference by no more than the
 * tolerance. */
static inline int report_shown(const char *name, const char *quantity, double value,
                               double reference, double tolerance)
{
    const int pass = fabs(value - reference) <= tolerance;
    printf("paper=shapes case=%s quantity=%s value=%.6g reference=%.6g tolerance=%.3g pass=%d\n",
           name, quantity, value, reference, tolerance, pass);
    return pass;
}

/** The same as an assertion. */
#define SHOWN(name, quantity, value, reference, tolerance)                                         \
    assert_true(report_shown(name, quantity, value, reference, tolerance))

#endif
