/* SPDX-License-Identifier: MIT */
/**
 * @file near.h
 * A number that must be near another one.
 */
#ifndef DEM_TEST_NEAR_H
#define DEM_TEST_NEAR_H

#include "cmocka.h"

#include <math.h>

static inline void near(double value, double want, double within)
{
    if (!(fabs(value - want) <= within))
        fail_msg("%.17g is not within %g of %.17g", value, within, want);
}

#endif
