/* SPDX-License-Identifier: MIT */
/* Particles onto cells of whatever grid and back, with weights of the host. */
#include "base/check.h"
#include "base/context.h"
#include "base/entry.h"
#include "coupling/rows.h"

#include <dem/deposition.h>

#include <float.h>

typedef struct given_weights {
    uint64_t count;
    const uint64_t *begin, *cell;
    const double *weight;
    uint64_t cell_count;
} given_weights;

static double weights_sum(const given_weights *given, uint64_t k)
{
    double sum = 0.0;
    for (uint64_t n = given->begin[k]; n < given->begin[k + 1]; ++n)
        sum += given->weight[n];
    return sum;
}

static dem_status given_row_check(const given_weights *given, uint64_t k, dem_error *error)
{
    DEMI_REFUSE(given->begin[k] > given->begin[k + 1], DEM_ERROR_RANGE,
                "begin of row %llu: %llu is above the next one, %llu", (unsigned long long)k,
                (unsigned long long)given->begin[k], (unsigned long long)given->begin[k + 1]);
    for (uint64_t n = given->begin[k]; n < given->begin[k + 1]; ++n) {
        DEMI_REFUSE(given->cell[n] >= given->cell_count, DEM_ERROR_RANGE,
                    "cell[%llu]: %llu is not below cell_count %llu", (unsigned long long)n,
                    (unsigned long long)given->cell[n], (unsigned long long)given->cell_count);
        DEMI_REFUSE(!demi_not_negative(given->weight[n]), DEM_ERROR_RANGE,
                    "weight[%llu]: %g must be finite and >= 0", (unsigned long long)n,
                    given->weight[n]);
    }
    const double sum = weights_sum(given, k);
    DEMI_REFUSE(!isfinite(sum) || !(sum >= DBL_MIN), DEM_ERROR_RANGE,
                "weight of row %llu: the sum %g must be finite and at least %g",
                (unsigned long long)k, sum, DBL_MIN);
    return DEM_OK;
}

static dem_status given_check(const given_weights *given, const double *cells, const double *value,
                              uint64_t components, dem_error *error)
{
    DEMI_REFUSE(given->count > 0 && (given->begin == NULL || given->cell == NULL ||
                                     given->weight == NULL || cells == NULL || value == NULL),
                DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                given->begin == NULL    ? "begin"
                : given->cell == NULL   ? "cell"
                : given->weight == NULL ? "weight"
                : cells == NULL         ? "cells"
                                        : "value");
    DEMI_REFUSE(components == 0, DEM_ERROR_RANGE, "components: must be > 0");
    dem_status status = DEM_OK;
    for (uint64_t k = 0; status == DEM_OK && k < given->count; ++k)
        status = given_row_check(given, k, error);
    return status;
}

DEMI_GUARDED guarded_deposit_given(const given_weights *given, const double *value,
                                   uint64_t value_stride, uint64_t components, double *cells,
                                   dem_error *error)
{
    dem_status status = given_check(given, cells, value, components, error);
    if (status == DEM_OK)
        status = demi_stride_check("value", given->count, value_stride, components,
                                   DEMI_ONE_FOR_ALL, error);
    if (status == DEM_OK)
        status = demi_values_check(given->count, value, value_stride, components, error);
    for (uint64_t k = 0; status == DEM_OK && k < given->count; ++k) {
        const double scale = 1.0 / weights_sum(given, k);
        const double *from = demi_row_from(value, value_stride, k);
        for (uint64_t n = given->begin[k]; n < given->begin[k + 1]; ++n)
            for (uint64_t c = 0; c < components; ++c)
                cells[given->cell[n] * components + c] += scale * given->weight[n] * from[c];
    }
    return status;
}

dem_status dem_deposit_given(uint64_t count, const uint64_t *begin, const uint64_t *cell,
                             const double *weight, uint64_t cell_count, const double *value,
                             uint64_t value_stride, uint64_t components, double *cells,
                             dem_error *error)
{
    const given_weights given = {count, begin, cell, weight, cell_count};
    DEMI_QUIET(guarded_deposit_given(&given, value, value_stride, components, cells, error));
}

DEMI_GUARDED guarded_interpolate_given(const given_weights *given, const double *cells,
                                       uint64_t components, double *value, uint64_t value_stride,
                                       dem_error *error)
{
    dem_status status = given_check(given, cells, value, components, error);
    if (status == DEM_OK)
        status = demi_stride_check("value", given->count, value_stride, components, DEMI_ONE_EACH,
                                   error);
    for (uint64_t k = 0; status == DEM_OK && k < given->count; ++k) {
        const double scale = 1.0 / weights_sum(given, k);
        double *to = demi_row_to(value, value_stride, k);
        for (uint64_t c = 0; c < components; ++c) {
            double sum = 0.0;
            for (uint64_t n = given->begin[k]; n < given->begin[k + 1]; ++n)
                if (given->weight[n] != 0.0) /* else the cell need not be finite */
                    sum += scale * given->weight[n] * cells[given->cell[n] * components + c];
            to[c] = sum;
        }
    }
    return status;
}

dem_status dem_interpolate_given(uint64_t count, const uint64_t *begin, const uint64_t *cell,
                                 const double *weight, uint64_t cell_count, const double *cells,
                                 uint64_t components, double *value, uint64_t value_stride,
                                 dem_error *error)
{
    const given_weights given = {count, begin, cell, weight, cell_count};
    DEMI_QUIET(guarded_interpolate_given(&given, cells, components, value, value_stride, error));
}
