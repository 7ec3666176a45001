/* SPDX-License-Identifier: MIT */
#include "contact/input.h"

#include "base/check.h"
#include "base/sized.h"

#include <string.h>

dem_status dem_contacts_input_init_sized(dem_contacts_input *input, uint64_t size)
{
    if (input == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_contacts_input values;
    memset(&values, 0, sizeof values);
    return demi_sized_write(input, size, &values);
}

void demi_input_strides(const dem_contacts_input *in, uint64_t stride[7])
{
    const uint64_t given[7] = {in->position_stride,
                               in->velocity_stride,
                               in->angular_velocity_stride,
                               in->acceleration_stride,
                               in->angular_acceleration_stride,
                               in->force_stride,
                               in->torque_stride};
    for (int k = 0; k < 7; ++k)
        stride[k] = given[k] != 0 ? given[k] : 3 * sizeof(double);
}

dem_status demi_input_check(demi_context *context, const dem_contacts_input *in, int forces)
{
    if (in->reserved != 0)
        return demi_fail(context, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE,
                         "dem_contacts_input.reserved", (long long)in->reserved,
                         "dem_contacts_input");
    static const char *const names[] = {"position", "velocity", "radius", "mass", "force"};
    const void *const required[] = {in->position, in->velocity, in->radius, in->mass,
                                    in->sums != NULL ? (const void *)in->sums : in->force};
    if (in->pair_count > 0) {
        for (int k = 0; k < (forces ? 5 : 4); ++k)
            if (required[k] == NULL)
                return demi_fail(context, DEM_ERROR_ARGUMENT,
                                 "dem_contacts_input.%s: must not be NULL", names[k]);
        if (in->pairs == NULL)
            return demi_fail(context, DEM_ERROR_ARGUMENT,
                             "dem_contacts_input.pairs: must not be NULL");
    }
    if (!demi_not_negative(in->dt) || (in->dt == 0.0 && !in->forces_only))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.dt: %g must be finite and > 0 s (0 with forces_only)",
                         in->dt);
    if (!isfinite(in->velocity_lag) ||
        (in->velocity_lag != 0.0 && fabs(in->velocity_lag - 0.5 * in->dt) > 1e-9 * in->dt))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.velocity_lag: %g is neither 0 nor dt/2 = %g s",
                         in->velocity_lag, 0.5 * in->dt);
    if (in->kinematics < DEM_KINEMATICS_SYNCHRONIZED || in->kinematics > DEM_KINEMATICS_STANDARD)
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "dem_contacts_input.kinematics: %d is not a DEM_KINEMATICS_ value",
                         (int)in->kinematics);
    if (in->absent != DEM_ABSENT_SEPARATED && in->absent != DEM_ABSENT_KEEP)
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "dem_contacts_input.absent: %d is not a DEM_ABSENT_ value",
                         (int)in->absent);
    const uint64_t rows[] = {in->acceleration_count, in->angular_acceleration_count};
    for (int k = 0; k < 2; ++k)
        if (rows[k] > in->particle_count)
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_contacts_input.%s_count: %llu exceeds particle_count %llu",
                             k == 0 ? "acceleration" : "angular_acceleration",
                             (unsigned long long)rows[k], (unsigned long long)in->particle_count);
    if (in->ghost_count > in->particle_count)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.ghost_count: %llu exceeds particle_count %llu",
                         (unsigned long long)in->ghost_count,
                         (unsigned long long)in->particle_count);
    if (in->ghost_count > 0 && in->pair_count > 0 && in->id == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT,
                         "dem_contacts_input.id: must not be NULL with ghosts, of which there are "
                         "%llu: give each row the id of its particle",
                         (unsigned long long)in->ghost_count);
    uint64_t stride[7];
    demi_input_strides(in, stride);
    static const char *const of_stride[7] = {
        "position", "velocity", "angular_velocity", "acceleration", "angular_acceleration",
        "force",    "torque"};
    for (int k = 0; k < 7; ++k)
        if (stride[k] < 3 * sizeof(double) || stride[k] % sizeof(double))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_contacts_input.%s_stride: %llu is neither 0 nor a multiple of 8 "
                             "that is at least 24 bytes",
                             of_stride[k], (unsigned long long)stride[k]);
    return DEM_OK;
}

void demi_input_accelerations(dem_contacts_input *in)
{
    if (in->velocity_lag == 0.0 || in->kinematics != DEM_KINEMATICS_SYNCHRONIZED)
        in->acceleration = in->angular_acceleration = NULL;
    if (in->acceleration_count == 0)
        in->acceleration_count = in->particle_count;
    if (in->angular_acceleration_count == 0)
        in->angular_acceleration_count = in->particle_count;
}

dem_status dem_contacts_geometry_init_sized(dem_contacts_geometry *geometry, uint64_t size)
{
    if (geometry == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_contacts_geometry values = {.struct_size = sizeof values};
    return demi_sized_write(geometry, size, &values);
}

static int normal_valid(const dem_contacts_geometry *g, uint64_t p)
{
    const double *normal = &g->normal[3 * p];
    return demi_finite3(normal) && fabs(demi_dot(normal, normal) - 1.0) <= 2e-6;
}

int demi_geometry_valid(const dem_contacts_geometry *g, uint64_t p)
{
    return isfinite(g->overlap[p]) && demi_finite3(&g->point[3 * p]) && normal_valid(g, p) &&
           (g->radius == NULL || demi_positive(g->radius[p]));
}

dem_status demi_geometry_refuse(demi_context *context, const dem_contacts_geometry *g, uint64_t p)
{
    const unsigned long long n = (unsigned long long)p;
    const double *normal = &g->normal[3 * p];
    if (!isfinite(g->overlap[p]) || !demi_finite3(&g->point[3 * p]))
        return demi_fail(context, DEM_ERROR_RANGE, "dem_contacts_geometry.%s[%llu]: is not finite",
                         isfinite(g->overlap[p]) ? "point" : "overlap", n);
    if (!normal_valid(g, p))
        return demi_fail(
            context, DEM_ERROR_RANGE,
            "dem_contacts_geometry.normal[%llu]: (%g, %g, %g) is not of unit length to "
            "1e-6: its length is %.9g",
            n, normal[0], normal[1], normal[2], hypot(hypot(normal[0], normal[1]), normal[2]));
    return demi_fail(context, DEM_ERROR_RANGE,
                     "dem_contacts_geometry.radius[%llu]: %g must be finite and > 0 m", n,
                     g->radius[p]);
}
