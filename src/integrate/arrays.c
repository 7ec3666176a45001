/* SPDX-License-Identifier: MIT */
/* Checks of the arrays that a host gives to an integrator. */
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "integrate/integrator.h"

#include <string.h>

dem_status dem_integrator_arrays_init_sized(dem_integrator_arrays *arrays, uint64_t size)
{
    if (arrays == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_integrator_arrays values;
    memset(&values, 0, sizeof values);
    return demi_sized_write(arrays, size, &values);
}

static dem_status arrays_strides(demi_context *context, dem_integrator_arrays *a)
{
    const struct {
        const char *of;
        uint64_t *stride;
        uint64_t packed;
    } strides[] = {{"position", &a->position_stride, 24},
                   {"velocity", &a->velocity_stride, 24},
                   {"angular_velocity", &a->angular_velocity_stride, 24},
                   {"force", &a->force_stride, 24},
                   {"torque", &a->torque_stride, 24},
                   {"orientation", &a->orientation_stride, 32}};
    for (int k = 0; k < 6; ++k) {
        uint64_t *stride = strides[k].stride;
        if (*stride == 0)
            *stride = strides[k].packed;
        if (*stride < strides[k].packed || *stride % sizeof(double))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_integrator_arrays.%s_stride: %llu is neither 0 nor a multiple of "
                             "8 that is at least %llu bytes",
                             strides[k].of, (unsigned long long)*stride,
                             (unsigned long long)strides[k].packed);
    }
    return DEM_OK;
}

#define ARRAYS_LEAST 0x1p-1024 /* the greatest double whose inverse is not finite */

/* A mass or a moment of inertia, by which forces and torques are divided. */
static dem_status arrays_inverse(demi_context *context, const char *member, const char *unit,
                                 uint64_t k, double value)
{
    if (!demi_not_negative(value))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_integrator_arrays.%s[%llu]: %g must be finite and >= 0 %s", member,
                         (unsigned long long)k, value, unit);
    if (value > 0.0 && value <= ARRAYS_LEAST)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_integrator_arrays.%s[%llu]: %g %s must be 0 or above %g, so that its "
                         "inverse is finite",
                         member, (unsigned long long)k, value, unit, ARRAYS_LEAST);
    return DEM_OK;
}

static dem_status arrays_masses(demi_context *context, const dem_integrator_arrays *a)
{
    dem_status status = DEM_OK;
    for (uint64_t k = 0; k < a->count && status == DEM_OK; ++k) {
        status = arrays_inverse(context, "mass", "kg", k, a->mass[k]);
        if (status == DEM_OK && a->angular_velocity != NULL)
            status = arrays_inverse(context, "inertia", "kg m2", k, a->inertia[k]);
    }
    return status;
}

dem_status demi_arrays_read(demi_context *context, const dem_integrator_arrays *arrays,
                            dem_integrator_arrays *copy)
{
    if (arrays == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "arrays: must not be NULL");
    memset(copy, 0, sizeof *copy);
    if (demi_sized_read(copy, arrays) != DEM_OK)
        return demi_sized_fail(context, "dem_integrator_arrays", arrays->struct_size);
    const char *missing = NULL;
    if (copy->position == NULL)
        missing = "position";
    else if (copy->velocity == NULL)
        missing = "velocity";
    else if (copy->force == NULL)
        missing = "force";
    else if (copy->mass == NULL)
        missing = "mass";
    else if (copy->angular_velocity != NULL && copy->inertia == NULL)
        missing = "inertia";
    else if (copy->angular_velocity == NULL && copy->orientation != NULL)
        missing = "angular_velocity (orientation is given)";
    if (missing != NULL && copy->count > 0)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "dem_integrator_arrays.%s: must not be NULL",
                         missing);
    if (copy->state_count > 0 && (copy->state == NULL || copy->state_rate == NULL))
        return demi_fail(context, DEM_ERROR_ARGUMENT, "dem_integrator_arrays.%s: must not be NULL",
                         copy->state == NULL ? "state" : "state_rate");
    const dem_status status = arrays_strides(context, copy);
    return status != DEM_OK ? status : arrays_masses(context, copy);
}

int demi_arrays_alike(const dem_integrator_arrays *a, const dem_integrator_arrays *b)
{
    return a->count == b->count && a->state_count == b->state_count &&
           (a->angular_velocity != NULL) == (b->angular_velocity != NULL) &&
           (a->orientation != NULL) == (b->orientation != NULL);
}

static dem_status orientations_check(demi_context *context, const dem_integrator_arrays *a,
                                     int whole)
{
    if (a->orientation == NULL)
        return DEM_OK;
    const demi_rows_of_host rows = {a->orientation, a->orientation_stride};
    for (uint64_t k = 0; k < a->count; ++k) {
        const double *q = demi_row_at(rows, k);
        if (!isfinite(q[0]) || !demi_finite3(q + 1))
            return demi_fail(context, DEM_ERROR_DIVERGED,
                             "dem_integrator_arrays.orientation[%llu]: is not finite",
                             (unsigned long long)k);
        if (whole && !(fabs(q[0]) < 2.0 && demi_dot(q + 1, q + 1) < 2.0 &&
                       fabs(q[0] * q[0] + demi_dot(q + 1, q + 1) - 1.0) < 2e-6))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_integrator_arrays.orientation[%llu]: (%g, %g, %g, %g) is not of "
                             "unit length to 1e-6: its length is %.9g",
                             (unsigned long long)k, q[0], q[1], q[2], q[3],
                             hypot(hypot(q[0], q[1]), hypot(q[2], q[3])));
    }
    return DEM_OK;
}

static dem_status states_finite(demi_context *context, const dem_integrator_arrays *a)
{
    for (uint64_t k = 0; k < a->state_count; ++k) {
        const char *bad = !isfinite(a->state[k])                                 ? "state"
                          : !isfinite(a->state_rate[k])                          ? "state_rate"
                          : a->state_jump != NULL && !isfinite(a->state_jump[k]) ? "state_jump"
                                                                                 : NULL;
        if (bad != NULL)
            return demi_fail(context, DEM_ERROR_DIVERGED,
                             "dem_integrator_arrays.%s[%llu]: is not finite", bad,
                             (unsigned long long)k);
    }
    return DEM_OK;
}

DEMI_GUARDED arrays_finite(demi_context *context, const dem_integrator_arrays *a, int whole)
{
    const struct {
        const char *name;
        const double *base;
        uint64_t stride;
    } fields[] = {{"position", a->position, a->position_stride},
                  {"velocity", a->velocity, a->velocity_stride},
                  {"angular_velocity", a->angular_velocity, a->angular_velocity_stride},
                  {"force", a->force, a->force_stride},
                  {"torque", a->torque, a->torque_stride}};
    for (int f = 0; f < 5; ++f) {
        const demi_rows_of_host rows = demi_rows_in(fields[f].base, fields[f].stride);
        for (uint64_t k = 0; rows.base != NULL && k < a->count; ++k)
            if (!demi_finite3(demi_row_at(rows, k)))
                return demi_fail(context, DEM_ERROR_DIVERGED,
                                 "dem_integrator_arrays.%s[%llu]: is not finite", fields[f].name,
                                 (unsigned long long)k);
    }
    const dem_status status = orientations_check(context, a, whole);
    return status != DEM_OK ? status : states_finite(context, a);
}

dem_status demi_arrays_finite(demi_context *context, const dem_integrator_arrays *a, int whole)
{
    DEMI_QUIET(arrays_finite(context, a, whole));
}
