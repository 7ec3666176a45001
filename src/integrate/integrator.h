/* SPDX-License-Identifier: MIT */
/* The integrator object, and a host's arrays with their strides resolved. */
#ifndef DEMI_INTEGRATOR_H
#define DEMI_INTEGRATOR_H

#include "base/context.h"
#include "integrate/schemes.h"

struct dem_integrator {
    demi_context context;
    demi_context *self; /* for messages of functions that take a const integrator */
    const demi_scheme *scheme;
    int open; /* between begin and end, or between two stages */
    double dt, dt_before;
    dem_integrator_arrays arrays;            /* of the begin or the stage before, to compare with */
    DEMI_ARRAY(double) acceleration;         /* [count][3], of the start of the open step */
    DEMI_ARRAY(double) angular_acceleration; /* likewise */
    uint32_t stage;                          /* schemes of stages: the next one */
    DEMI_ARRAY(double) base, sum; /* [variables]: start of the step, and what was added */
};

/* A host's rows with their stride resolved. */
typedef struct demi_rows_of_host {
    double *base;
    uint64_t stride;
} demi_rows_of_host;

static inline double *demi_row_at(demi_rows_of_host rows, uint64_t k)
{
    return (double *)(void *)((char *)rows.base + rows.stride * k);
}

/* Read-only arrays of a host share the row type; they are never written. */
static inline demi_rows_of_host demi_rows_in(const double *base, uint64_t stride)
{
    union {
        const double *in;
        double *out;
    } pointer = {base};
    const demi_rows_of_host rows = {pointer.out, stride};
    return rows;
}

/* Copies the arrays with their strides resolved, and checks all but whether numbers are finite. */
dem_status demi_arrays_read(demi_context *context, const dem_integrator_arrays *arrays,
                            dem_integrator_arrays *copy);
/* Also whether orientations have unit length, unless this is within a step of stages. */
dem_status demi_arrays_finite(demi_context *context, const dem_integrator_arrays *arrays,
                              int whole);
/* Whether two calls of one step have the same counts and the same choice of arrays. */
int demi_arrays_alike(const dem_integrator_arrays *a, const dem_integrator_arrays *b);

#endif
