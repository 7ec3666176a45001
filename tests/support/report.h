/* SPDX-License-Identifier: MIT */
/**
 * @file report.h
 * Figures of tests that a report shows, see `make shapes` and `make coupling`.
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

/** The same for the report on coupling; source: where the reference comes from. */
static inline int report_coupled(const char *name, const char *quantity, double value,
                                 double reference, double tolerance, const char *source)
{
    const int pass = fabs(value - reference) <= tolerance;
    printf("paper=coupling case=%s quantity=%s value=%.12g reference=%.12g tolerance=%.3g pass=%s "
           "source=%s\n",
           name, quantity, value, reference, tolerance, pass ? "yes" : "no", source);
    return pass;
}

#define COUPLED(name, quantity, value, reference, tolerance, source)                               \
    assert_true(report_coupled(name, quantity, value, reference, tolerance, source))

/** The largest of what was seen so far. */
static inline void report_worst(double *worst, double value)
{
    if (!(value <= *worst))
        *worst = value;
}

#endif
