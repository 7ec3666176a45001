/* SPDX-License-Identifier: MIT */
/* Integrators over a host's arrays. */
#include "base/check.h"
#include "base/context.h"
#include "base/fenv.h"
#include "base/sized.h"
#include "integrate/verlet.h"

#include <dem/contact.h>
#include <dem/integrator.h>

#include <string.h>

struct dem_integrator {
    demi_context context;
    demi_context *self;
    int32_t scheme;
    int open; /* between begin and end */
    int spins;
    double dt;
    uint64_t count;
    demi_buffer acceleration;         /* double[count][3], of the start of the open step */
    demi_buffer angular_acceleration; /* likewise */
};

static const dem_integrator_config integrator_defaults = {
    .struct_size = sizeof(dem_integrator_config),
    .scheme = DEM_INTEGRATOR_VERLET_SYNC,
};

dem_status dem_integrator_config_init_sized(dem_integrator_config *config, uint64_t size)
{
    if (config == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(config, size, &integrator_defaults, sizeof integrator_defaults,
                            sizeof integrator_defaults);
}

dem_status dem_integrator_arrays_init_sized(dem_integrator_arrays *arrays, uint64_t size)
{
    if (arrays == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_integrator_arrays values;
    memset(&values, 0, sizeof values);
    return demi_sized_write(arrays, size, &values, sizeof values, sizeof values);
}

dem_status dem_integrator_create(const dem_integrator_config *config, dem_integrator **integrator,
                                 dem_error *error)
{
    if (integrator != NULL)
        *integrator = NULL;
    if (integrator == NULL || config == NULL) {
        demi_error_write(error, DEM_ERROR_ARGUMENT, "%s: NULL",
                         integrator == NULL ? "integrator" : "config");
        return DEM_ERROR_ARGUMENT;
    }
    dem_integrator_config c = integrator_defaults;
    dem_status status = demi_sized_read(&c, config, sizeof c, sizeof c);
    if (status != DEM_OK) {
        demi_error_write(error, status, DEMI_SIZED_MESSAGE, "dem_integrator_config",
                         (unsigned long long)config->struct_size, "dem_integrator_config");
        return status;
    }
    if (c.scheme < DEM_INTEGRATOR_VERLET_SYNC || c.scheme > DEM_INTEGRATOR_VERLET_STANDARD) {
        demi_error_write(error, DEM_ERROR_UNKNOWN,
                         "dem_integrator_config.scheme: %d is not a DEM_INTEGRATOR_ value",
                         (int)c.scheme);
        return DEM_ERROR_UNKNOWN;
    }
    const dem_log silent = {NULL, NULL};
    demi_context context;
    status = demi_context_init(&context, &c.allocator, &silent);
    if (status != DEM_OK) {
        demi_error_write(error, status, "dem_integrator_config.allocator: one function is NULL");
        return status;
    }
    dem_integrator *made = demi_allocate(&context, sizeof *made);
    if (made == NULL) {
        demi_error_write(error, DEM_ERROR_MEMORY,
                         "dem_integrator: the allocator did not give memory");
        return DEM_ERROR_MEMORY;
    }
    memset(made, 0, sizeof *made);
    made->context = context;
    made->self = &made->context;
    made->scheme = c.scheme;
    *integrator = made;
    return DEM_OK;
}

void dem_integrator_destroy(dem_integrator *integrator)
{
    if (integrator == NULL)
        return;
    demi_buffer_free(&integrator->context, &integrator->acceleration);
    demi_buffer_free(&integrator->context, &integrator->angular_acceleration);
    demi_context last = integrator->context;
    demi_release(&last, integrator, sizeof *integrator);
}

const char *dem_integrator_error(const dem_integrator *integrator)
{
    return integrator == NULL ? "integrator: NULL" : integrator->context.message;
}

/* A host's rows of 3 doubles with their stride resolved. */
typedef struct row_array {
    double *base;
    uint64_t stride;
} row_array;

static double *row_at(row_array array, uint64_t k)
{
    return (double *)(void *)((char *)array.base + array.stride * k);
}

static dem_status arrays_read(demi_context *context, const dem_integrator_arrays *arrays,
                              dem_integrator_arrays *copy)
{
    if (arrays == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "arrays: NULL");
    memset(copy, 0, sizeof *copy);
    if (demi_sized_read(copy, arrays, sizeof *copy, sizeof *copy) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE,
                         "dem_integrator_arrays", (unsigned long long)arrays->struct_size,
                         "dem_integrator_arrays");
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
    if (missing != NULL && copy->count > 0)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "dem_integrator_arrays.%s: NULL", missing);
    uint64_t *const strides[] = {&copy->position_stride, &copy->velocity_stride,
                                 &copy->angular_velocity_stride, &copy->force_stride,
                                 &copy->torque_stride};
    for (int k = 0; k < 5; ++k) {
        if (*strides[k] == 0)
            *strides[k] = 3 * sizeof(double);
        if (*strides[k] < 3 * sizeof(double) || *strides[k] % sizeof(double))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_integrator_arrays strides: %llu is neither 0 nor a multiple of 8 "
                             "that is at least 24 bytes",
                             (unsigned long long)*strides[k]);
    }
    for (uint64_t k = 0; k < copy->count; ++k) {
        if (!demi_not_negative(copy->mass[k]))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_integrator_arrays.mass[%llu]: %g must be finite and >= 0 kg",
                             (unsigned long long)k, copy->mass[k]);
        if (copy->angular_velocity != NULL && !demi_not_negative(copy->inertia[k]))
            return demi_fail(
                context, DEM_ERROR_RANGE,
                "dem_integrator_arrays.inertia[%llu]: %g must be finite and >= 0 kg m2",
                (unsigned long long)k, copy->inertia[k]);
    }
    return DEM_OK;
}

/* Read-only arrays of a host share the row type; they are never written. */
static row_array rows_of(const double *base, uint64_t stride)
{
    union {
        const double *in;
        double *out;
    } pointer = {base};
    const row_array array = {pointer.out, stride};
    return array;
}

static dem_status rows_finite(demi_context *context, const char *name, row_array rows,
                              uint64_t count)
{
    if (rows.base == NULL)
        return DEM_OK;
    for (uint64_t k = 0; k < count; ++k)
        if (!demi_finite3(row_at(rows, k)))
            return demi_fail(context, DEM_ERROR_DIVERGED,
                             "dem_integrator_arrays.%s[%llu]: not finite", name,
                             (unsigned long long)k);
    return DEM_OK;
}

/* acceleration = force/mass, 0 where there is no mass or no force */
static void accelerations(double *out, row_array force, const double *mass, uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k)
        for (int c = 0; c < 3; ++c)
            out[3 * k + (uint64_t)c] =
                force.base != NULL && mass[k] > 0.0 ? row_at(force, k)[c] / mass[k] : 0.0;
}

static void kick(row_array velocity, const double *acceleration, double dt, uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k)
        for (int c = 0; c < 3; ++c)
            row_at(velocity, k)[c] =
                demi_verlet_kick(row_at(velocity, k)[c], acceleration[3 * k + (uint64_t)c], dt);
}

static dem_status arrays_finite(demi_context *context, const dem_integrator_arrays *a)
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
    for (int k = 0; k < 5; ++k) {
        const dem_status status = rows_finite(context, fields[k].name,
                                              rows_of(fields[k].base, fields[k].stride), a->count);
        if (status != DEM_OK)
            return status;
    }
    return DEM_OK;
}

dem_status dem_integrator_begin(dem_integrator *integrator, const dem_integrator_arrays *arrays,
                                double dt)
{
    if (integrator == NULL)
        return DEM_ERROR_ARGUMENT;
    demi_context *context = &integrator->context;
    dem_integrator_arrays a = {0};
    dem_status status = arrays_read(context, arrays, &a);
    if (status == DEM_OK && !demi_positive(dt))
        status = demi_fail(context, DEM_ERROR_RANGE, "dt: %g must be finite and > 0 s", dt);
    if (status == DEM_OK && integrator->open)
        status = demi_fail(context, DEM_ERROR_STATE,
                           "dem_integrator_begin: the step before was not ended");
    if (status == DEM_OK)
        status = arrays_finite(context, &a);
    const uint64_t bytes = a.count * 3 * sizeof(double);
    if (status == DEM_OK)
        status = demi_buffer_reserve(context, &integrator->acceleration, bytes, 0, "accelerations");
    if (status == DEM_OK && a.angular_velocity != NULL)
        status = demi_buffer_reserve(context, &integrator->angular_acceleration, bytes, 0,
                                     "angular accelerations");
    if (status != DEM_OK)
        return status;
    const demi_fenv saved = demi_fenv_enter();
    const row_array position = {a.position, a.position_stride};
    const row_array velocity = {a.velocity, a.velocity_stride};
    const row_array spin = {a.angular_velocity, a.angular_velocity_stride};
    accelerations(integrator->acceleration.data, rows_of(a.force, a.force_stride), a.mass, a.count);
    kick(velocity, integrator->acceleration.data, dt, a.count);
    for (uint64_t k = 0; k < a.count; ++k)
        for (int c = 0; c < 3; ++c)
            row_at(position, k)[c] =
                demi_verlet_drift(row_at(position, k)[c], row_at(velocity, k)[c], dt);
    if (spin.base != NULL) {
        accelerations(integrator->angular_acceleration.data, rows_of(a.torque, a.torque_stride),
                      a.inertia, a.count);
        kick(spin, integrator->angular_acceleration.data, dt, a.count);
    }
    demi_fenv_leave(saved);
    integrator->open = 1;
    integrator->spins = spin.base != NULL;
    integrator->dt = dt;
    integrator->count = a.count;
    return DEM_OK;
}

dem_status dem_integrator_end(dem_integrator *integrator, const dem_integrator_arrays *arrays)
{
    if (integrator == NULL)
        return DEM_ERROR_ARGUMENT;
    demi_context *context = &integrator->context;
    dem_integrator_arrays a = {0};
    dem_status status = arrays_read(context, arrays, &a);
    if (status == DEM_OK && (!integrator->open || a.count != integrator->count ||
                             (a.angular_velocity != NULL) != integrator->spins))
        status = demi_fail(context, DEM_ERROR_STATE, "dem_integrator_end: %s",
                           integrator->open ? "count or angular_velocity is not that of the begin"
                                            : "no step was begun");
    if (status == DEM_OK)
        status = arrays_finite(context, &a);
    if (status != DEM_OK)
        return status;
    const demi_fenv saved = demi_fenv_enter();
    /* the accelerations of the start of the step are no longer needed */
    accelerations(integrator->acceleration.data, rows_of(a.force, a.force_stride), a.mass, a.count);
    const row_array velocity = {a.velocity, a.velocity_stride};
    kick(velocity, integrator->acceleration.data, integrator->dt, a.count);
    if (a.angular_velocity != NULL) {
        const row_array spin = {a.angular_velocity, a.angular_velocity_stride};
        accelerations(integrator->angular_acceleration.data, rows_of(a.torque, a.torque_stride),
                      a.inertia, a.count);
        kick(spin, integrator->angular_acceleration.data, integrator->dt, a.count);
    }
    demi_fenv_leave(saved);
    integrator->open = 0;
    return DEM_OK;
}

dem_status dem_integrator_accelerations(const dem_integrator *integrator,
                                        const double **acceleration,
                                        const double **angular_acceleration)
{
    if (integrator == NULL)
        return DEM_ERROR_ARGUMENT;
    if (acceleration == NULL)
        return demi_fail(integrator->self, DEM_ERROR_ARGUMENT, "acceleration: NULL");
    if (!integrator->open)
        return demi_fail(integrator->self, DEM_ERROR_STATE,
                         "dem_integrator_accelerations: no step was begun");
    *acceleration = integrator->acceleration.data;
    if (angular_acceleration != NULL)
        *angular_acceleration = integrator->spins ? integrator->angular_acceleration.data : NULL;
    return DEM_OK;
}

dem_status dem_integrator_frame(const dem_integrator *integrator, int32_t *frame)
{
    if (integrator == NULL)
        return DEM_ERROR_ARGUMENT;
    if (frame == NULL)
        return demi_fail(integrator->self, DEM_ERROR_ARGUMENT, "frame: NULL");
    static const int32_t frames[] = {DEM_FRAME_SYNCHRONIZED, DEM_FRAME_IMPROVED,
                                     DEM_FRAME_STANDARD};
    *frame = frames[integrator->scheme];
    return DEM_OK;
}
