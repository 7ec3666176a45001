/* SPDX-License-Identifier: MIT */
/* Rows of a caller's arrays: where they are, and which are refused. */
#ifndef DEMI_COUPLING_ROWS_H
#define DEMI_COUPLING_ROWS_H

#include "base/check.h"
#include "base/context.h"

static inline const double *demi_row_from(const double *first, uint64_t stride, uint64_t k)
{
    return (const double *)(const void *)((const unsigned char *)(const void *)first + k * stride);
}

static inline double *demi_row_to(double *first, uint64_t stride, uint64_t k)
{
    return (double *)(void *)((unsigned char *)(void *)first + k * stride);
}

/* Whether rows of so many doubles follow each other; or one row is there for all of them. */
static inline dem_status demi_stride_check(const char *what, uint64_t count, uint64_t stride,
                                           uint64_t doubles, int one_for_all, dem_error *error)
{
    const int follow = stride % sizeof(double) == 0 && stride / sizeof(double) >= doubles;
    DEMI_REFUSE(count > 0 && !follow && !(one_for_all && stride == 0), DEM_ERROR_RANGE,
                "%s_stride: %llu is %s a multiple of 8 that is at least 8 times %llu bytes", what,
                (unsigned long long)stride, one_for_all ? "neither 0 nor" : "not",
                (unsigned long long)doubles);
    return DEM_OK;
}

enum { DEMI_ONE_EACH = 0, DEMI_ONE_FOR_ALL = 1 };

/* What is added to cells that hold what others gave. */
static inline dem_status demi_values_check(uint64_t count, const double *value, uint64_t stride,
                                           uint64_t components, dem_error *error)
{
    for (uint64_t k = 0; k < count; ++k)
        for (uint64_t c = 0; c < components; ++c) {
            const double number = demi_row_from(value, stride, k)[c];
            DEMI_REFUSE(!isfinite(number), DEM_ERROR_RANGE,
                        "value[%llu] of row %llu: %g must be finite", (unsigned long long)c,
                        (unsigned long long)k, number);
        }
    return DEM_OK;
}

#endif
