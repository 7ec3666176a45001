/* SPDX-License-Identifier: MIT */
/* Life of an integrator, and the schemes with one evaluation a step. Those of stages are in
 * stages.c. */
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "integrate/integrator.h"
#include "integrate/verlet.h"

#include <dem/kernels.h>

#include <string.h>

static const dem_integrator_config integrator_defaults = {
    .struct_size = sizeof(dem_integrator_config),
    .scheme = DEMI_SCHEME_DEFAULT,
};

dem_status dem_integrator_config_init_sized(dem_integrator_config *config, uint64_t size)
{
    if (config == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(config, size, &integrator_defaults);
}

DEMI_GUARDED guarded_integrator_create(const dem_integrator_config *config,
                                       dem_integrator **integrator, dem_error *error)
{
    if (integrator != NULL)
        *integrator = NULL;
    DEMI_REFUSE(integrator == NULL || config == NULL, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                integrator == NULL ? "integrator" : "config");
    dem_integrator_config c = integrator_defaults;
    dem_status status = demi_sized_read(&c, config);
    DEMI_REFUSE(status != DEM_OK, status, DEMI_SIZED_MESSAGE, "dem_integrator_config",
                (unsigned long long)config->struct_size, "dem_integrator_config");
    DEMI_REFUSE(c.reserved != 0, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE,
                "dem_integrator_config.reserved", (long long)c.reserved, "dem_integrator_config");
    const demi_scheme *scheme = demi_scheme_of(c.scheme);
    DEMI_REFUSE(scheme == NULL, DEM_ERROR_UNKNOWN, DEMI_SCHEME_UNKNOWN,
                "dem_integrator_config.scheme", (int)c.scheme);
    DEMI_REFUSE(!demi_not_negative(c.velocity_lag) || c.velocity_lag > DEMI_MOTION_MOST,
                DEM_ERROR_RANGE, "dem_integrator_config.velocity_lag: %g is not in [0, %g] s",
                c.velocity_lag, DEMI_MOTION_MOST);
    DEMI_REFUSE(c.velocity_lag > 0.0 && !(scheme->lag > 0.0), DEM_ERROR_RANGE,
                "dem_integrator_config.velocity_lag: %g s, but only velocities of "
                "leapfrog are behind positions",
                c.velocity_lag);
    const dem_log silent = {NULL, NULL};
    demi_context context;
    status = demi_context_init(&context, &c.allocator, &silent);
    DEMI_REFUSE(status != DEM_OK, status, "dem_integrator_config.allocator: one function is NULL");
    dem_integrator *made = demi_allocate(&context, sizeof *made);
    DEMI_REFUSE(made == NULL, DEM_ERROR_MEMORY,
                "dem_integrator: the allocator did not give memory");
    memset(made, 0, sizeof *made);
    made->context = context;
    made->self = &made->context;
    made->scheme = scheme;
    made->dt_before = c.velocity_lag > 0.0 ? c.velocity_lag / scheme->lag : 0.0;
    *integrator = made;
    return DEM_OK;
}

dem_status dem_integrator_create(const dem_integrator_config *config, dem_integrator **integrator,
                                 dem_error *error)
{
    DEMI_QUIET(guarded_integrator_create(config, integrator, error));
}

void dem_integrator_destroy(dem_integrator *integrator)
{
    /* not left again: nothing may come in any more */
    if (integrator == NULL || !demi_enter(integrator->self, 1, __func__))
        return;
    demi_array_free(&integrator->context, &integrator->acceleration);
    demi_array_free(&integrator->context, &integrator->angular_acceleration);
    demi_array_free(&integrator->context, &integrator->base);
    demi_array_free(&integrator->context, &integrator->sum);
    demi_context last = integrator->context;
    demi_release(&last, integrator, sizeof *integrator);
}

const char *dem_integrator_error(const dem_integrator *integrator)
{
    return integrator == NULL ? "integrator: must not be NULL"
                              : demi_context_message(&integrator->context);
}

/* acceleration = force/mass, 0 where there is no mass or no force */
static void accelerations(double *out, demi_rows_of_host force, const double *mass, uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k)
        for (int c = 0; c < 3; ++c)
            out[3 * k + (uint64_t)c] =
                force.base != NULL && mass[k] > 0.0 ? demi_row_at(force, k)[c] / mass[k] : 0.0;
}

static void kick(demi_rows_of_host velocity, const double *acceleration, double time,
                 uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k)
        for (int c = 0; c < 3; ++c)
            demi_row_at(velocity, k)[c] = demi_verlet_kick(demi_row_at(velocity, k)[c],
                                                           acceleration[3 * k + (uint64_t)c], time);
}

/* Time by which the first kick of a step advances velocities, which may be behind from the step
 * before. */
static double kick_first(const dem_integrator *integrator, double dt)
{
    const demi_scheme *scheme = integrator->scheme;
    return scheme->kick_first * dt + scheme->lag * integrator->dt_before;
}

DEMI_GUARDED integrator_begin(dem_integrator *integrator, const dem_integrator_arrays *arrays,
                              double dt)
{
    demi_context *context = &integrator->context;
    dem_integrator_arrays a = {0};
    dem_status status = demi_arrays_read(context, arrays, &a);
    if (status == DEM_OK && !demi_positive(dt))
        status = demi_fail(context, DEM_ERROR_RANGE, "dt: %g must be finite and > 0 s", dt);
    if (status == DEM_OK && (integrator->open || dem_integrator_stage_count(integrator) > 0))
        status = demi_fail(context, DEM_ERROR_STATE, "dem_integrator_begin: %s",
                           integrator->open ? "a step is open: call dem_integrator_end"
                                            : "this scheme has stages: call dem_integrator_stage");
    if (status == DEM_OK && a.state_count > 0)
        status = demi_fail(context, DEM_ERROR_ARGUMENT,
                           "dem_integrator_arrays.state_count: %llu, but only schemes of stages "
                           "advance further variables",
                           (unsigned long long)a.state_count);
    if (status == DEM_OK)
        status = demi_arrays_finite(context, &a, 1);
    if (status == DEM_OK)
        status =
            demi_array_reserve(context, &integrator->acceleration, a.count * 3, 0, "accelerations");
    if (status == DEM_OK && a.angular_velocity != NULL)
        status = demi_array_reserve(context, &integrator->angular_acceleration, a.count * 3, 0,
                                    "angular accelerations");
    if (status != DEM_OK)
        return status;
    const demi_rows_of_host position = {a.position, a.position_stride};
    const demi_rows_of_host velocity = {a.velocity, a.velocity_stride};
    const demi_rows_of_host angular_velocity = {a.angular_velocity, a.angular_velocity_stride};
    accelerations(integrator->acceleration.data, demi_rows_in(a.force, a.force_stride), a.mass,
                  a.count);
    const double kicked = kick_first(integrator, dt);
    kick(velocity, integrator->acceleration.data, kicked, a.count);
    for (uint64_t k = 0; k < a.count; ++k)
        for (int c = 0; c < 3; ++c)
            demi_row_at(position, k)[c] =
                demi_verlet_drift(demi_row_at(position, k)[c], demi_row_at(velocity, k)[c], dt);
    if (angular_velocity.base != NULL) {
        accelerations(integrator->angular_acceleration.data,
                      demi_rows_in(a.torque, a.torque_stride), a.inertia, a.count);
        kick(angular_velocity, integrator->angular_acceleration.data, kicked, a.count);
    }
    if (a.orientation != NULL) {
        const demi_rows_of_host orientation = {a.orientation, a.orientation_stride};
        for (uint64_t k = 0; k < a.count; ++k)
            dem_kernel_rotate_orientation(demi_row_at(angular_velocity, k), dt,
                                          demi_row_at(orientation, k));
    }
    integrator->open = 1;
    integrator->dt = dt;
    integrator->arrays = a;
    return DEM_OK;
}

dem_status dem_integrator_begin(dem_integrator *integrator, const dem_integrator_arrays *arrays,
                                double dt)
{
    DEMI_STEP(integrator, integrator_begin(integrator, arrays, dt));
}

static void second_kick(dem_integrator *integrator, const dem_integrator_arrays *a)
{
    const double kicked = integrator->scheme->kick_second * integrator->dt;
    /* the accelerations of the start of the step are no longer needed */
    accelerations(integrator->acceleration.data, demi_rows_in(a->force, a->force_stride), a->mass,
                  a->count);
    const demi_rows_of_host velocity = {a->velocity, a->velocity_stride};
    kick(velocity, integrator->acceleration.data, kicked, a->count);
    if (a->angular_velocity == NULL)
        return;
    const demi_rows_of_host angular_velocity = {a->angular_velocity, a->angular_velocity_stride};
    accelerations(integrator->angular_acceleration.data, demi_rows_in(a->torque, a->torque_stride),
                  a->inertia, a->count);
    kick(angular_velocity, integrator->angular_acceleration.data, kicked, a->count);
}

DEMI_GUARDED integrator_end(dem_integrator *integrator, const dem_integrator_arrays *arrays)
{
    demi_context *context = &integrator->context;
    dem_integrator_arrays a = {0};
    dem_status status = demi_arrays_read(context, arrays, &a);
    if (status == DEM_OK && dem_integrator_stage_count(integrator) > 0)
        status = demi_fail(context, DEM_ERROR_STATE,
                           "dem_integrator_end: this scheme has stages: call dem_integrator_stage");
    if (status == DEM_OK && (!integrator->open || !demi_arrays_alike(&a, &integrator->arrays)))
        status = demi_fail(
            context, DEM_ERROR_STATE, "dem_integrator_end: %s",
            integrator->open
                ? "count, angular_velocity or orientation differs from dem_integrator_begin"
                : "no step is open: call dem_integrator_begin");
    if (status == DEM_OK)
        status = demi_arrays_finite(context, &a, 1);
    if (status != DEM_OK)
        return status;
    if (integrator->scheme->kick_second > 0.0)
        second_kick(integrator, &a);
    integrator->dt_before = integrator->dt;
    integrator->open = 0;
    return DEM_OK;
}

dem_status dem_integrator_end(dem_integrator *integrator, const dem_integrator_arrays *arrays)
{
    DEMI_STEP(integrator, integrator_end(integrator, arrays));
}

DEMI_GUARDED guarded_integrator_cancel(dem_integrator *integrator)
{
    if (!integrator->open)
        return demi_fail(&integrator->context, DEM_ERROR_STATE,
                         "dem_integrator_cancel: no step is open");
    integrator->open = 0;
    return DEM_OK;
}

dem_status dem_integrator_cancel(dem_integrator *integrator)
{
    DEMI_SET(integrator, guarded_integrator_cancel(integrator));
}

DEMI_GUARDED guarded_integrator_velocity_lag(const dem_integrator *integrator, double *lag)
{
    if (lag == NULL)
        return demi_fail(integrator->self, DEM_ERROR_ARGUMENT, "lag: must not be NULL");
    *lag = integrator->scheme->lag * integrator->dt_before;
    return DEM_OK;
}

dem_status dem_integrator_velocity_lag(const dem_integrator *integrator, double *lag)
{
    DEMI_READ(integrator, guarded_integrator_velocity_lag(integrator, lag));
}

/* Whether a step of begin and end is open. */
static dem_status open_check(const dem_integrator *integrator, const char *function)
{
    const int stages = dem_integrator_stage_count(integrator) > 0;
    if (integrator->open && !stages)
        return DEM_OK;
    return demi_fail(integrator->self, DEM_ERROR_STATE, "%s: %s", function,
                     stages ? "this scheme has stages: call dem_integrator_stage"
                            : "no step is open: call dem_integrator_begin");
}

DEMI_GUARDED guarded_integrator_accelerations(const dem_integrator *integrator,
                                              const double **acceleration,
                                              const double **angular_acceleration)
{
    if (acceleration == NULL)
        return demi_fail(integrator->self, DEM_ERROR_ARGUMENT, "acceleration: must not be NULL");
    const dem_status status = open_check(integrator, "dem_integrator_accelerations");
    if (status != DEM_OK)
        return status;
    *acceleration = integrator->acceleration.data;
    if (angular_acceleration != NULL)
        *angular_acceleration = integrator->arrays.angular_velocity != NULL
                                    ? integrator->angular_acceleration.data
                                    : NULL;
    return DEM_OK;
}

dem_status dem_integrator_accelerations(const dem_integrator *integrator,
                                        const double **acceleration,
                                        const double **angular_acceleration)
{
    DEMI_READ(integrator,
              guarded_integrator_accelerations(integrator, acceleration, angular_acceleration));
}

DEMI_GUARDED guarded_integrator_prepare(const dem_integrator *integrator, dem_contacts_input *input)
{
    if (input == NULL)
        return demi_fail(integrator->self, DEM_ERROR_ARGUMENT, "input: must not be NULL");
    dem_contacts_input set;
    memset(&set, 0, sizeof set);
    if (demi_sized_read(&set, input) != DEM_OK)
        return demi_sized_fail(integrator->self, "dem_contacts_input", input->struct_size);
    dem_status status = open_check(integrator, "dem_integrator_prepare");
    if (status == DEM_OK)
        status = guarded_integrator_accelerations(integrator, &set.acceleration,
                                                  &set.angular_acceleration);
    if (status != DEM_OK)
        return status;
    set.kinematics = integrator->scheme->kinematics;
    set.acceleration_stride = set.angular_acceleration_stride = 0;
    set.acceleration_count = set.angular_acceleration_count = integrator->arrays.count;
    if (integrator->arrays.count == 0) /* a count of 0 would mean all rows */
        set.acceleration = set.angular_acceleration = NULL;
    set.dt = integrator->dt;
    set.velocity_lag = integrator->scheme->ahead * integrator->dt;
    return demi_sized_write(input, input->struct_size, &set);
}

dem_status dem_integrator_prepare(const dem_integrator *integrator, dem_contacts_input *input)
{
    DEMI_READ(integrator, guarded_integrator_prepare(integrator, input));
}

DEMI_GUARDED guarded_integrator_kinematics(const dem_integrator *integrator, int32_t *kinematics)
{
    if (kinematics == NULL)
        return demi_fail(integrator->self, DEM_ERROR_ARGUMENT, "kinematics: must not be NULL");
    if (dem_integrator_stage_count(integrator) > 0)
        return demi_fail(integrator->self, DEM_ERROR_STATE,
                         "dem_integrator_kinematics: a scheme of stages has no kinematics");
    *kinematics = integrator->scheme->kinematics;
    return DEM_OK;
}

dem_status dem_integrator_kinematics(const dem_integrator *integrator, int32_t *kinematics)
{
    DEMI_READ(integrator, guarded_integrator_kinematics(integrator, kinematics));
}
