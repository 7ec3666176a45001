/* SPDX-License-Identifier: MIT */
#include "world/fields.h"

#include <stddef.h>

#define FIELD_IN(array, row, member, count, about)                                                 \
    offsetof(dem_world, array), (uint32_t)(offsetof(row, member) / sizeof(double)),                \
        (uint32_t)(sizeof(row) / sizeof(double)), count, about

/* A row of four numbers. */
typedef struct row_of_four {
    double vector[3], last;
} row_of_four;

enum {
    MOTION = DEMI_FIELD_WRITTEN | DEMI_FIELD_MOTION | DEMI_FIELD_WITHIN,
    OUTER = DEMI_FIELD_WRITTEN | DEMI_FIELD_ON_DEMAND,
    OF_FLUID = OUTER | DEMI_FIELD_WITHIN,
    COEFFICIENT = OF_FLUID | DEMI_FIELD_NOT_NEGATIVE,
    OF_HOST = OUTER | DEMI_FIELD_HOSTS,
    OF_INERTIA = COEFFICIENT | DEMI_FIELD_INERTIA
};

const demi_field demi_fields[DEMI_FIELDS] = {
    {"DEM_FIELD_POSITION", "position", FIELD_IN(current.position, row_of_four, vector, 3, 0)},
    {"DEM_FIELD_VELOCITY", "velocity",
     FIELD_IN(current.velocity, demi_velocities, velocity, 3, MOTION)},
    {"DEM_FIELD_ANGULAR_VELOCITY", "angular velocity",
     FIELD_IN(current.velocity, demi_velocities, angular_velocity, 3, MOTION)},
    {"DEM_FIELD_FORCE", "force", FIELD_IN(current.force_torque, demi_force_torque, force, 3, 0)},
    {"DEM_FIELD_TORQUE", "torque", FIELD_IN(current.force_torque, demi_force_torque, torque, 3, 0)},
    {"DEM_FIELD_EXTERNAL_FORCE", "external force",
     FIELD_IN(external_force, row_of_four, vector, 3, OUTER)},
    {"DEM_FIELD_EXTERNAL_TORQUE", "external torque",
     FIELD_IN(external_torque, row_of_four, vector, 3, OUTER)},
    {"DEM_FIELD_RADIUS", "radius", FIELD_IN(current.position, row_of_four, last, 1, 0)},
    {"DEM_FIELD_DRAG_COEFFICIENT", "drag coefficient",
     FIELD_IN(fluid, demi_fluid, velocity[3], 1, COEFFICIENT)},
    {"DEM_FIELD_FLUID_VELOCITY", "fluid velocity",
     FIELD_IN(fluid, demi_fluid, velocity, 3, OF_FLUID)},
    {"DEM_FIELD_ROTATIONAL_DRAG", "rotational drag",
     FIELD_IN(fluid, demi_fluid, angular_velocity[3], 1, COEFFICIENT)},
    {"DEM_FIELD_FLUID_ANGULAR_VELOCITY", "fluid angular velocity",
     FIELD_IN(fluid, demi_fluid, angular_velocity, 3, OF_FLUID)},
    {"DEM_FIELD_DRAG_IMPULSE", "drag impulse",
     FIELD_IN(drag_impulse, demi_impulse, linear, 3, DEMI_FIELD_SUMMED)},
    {"DEM_FIELD_DRAG_ANGULAR_IMPULSE", "drag angular impulse",
     FIELD_IN(drag_impulse, demi_impulse, angular, 3, DEMI_FIELD_SUMMED)},
    {"DEM_FIELD_CONTACT_IMPULSE", "contact impulse",
     FIELD_IN(contact_impulse, demi_impulse, linear, 3, DEMI_FIELD_SUMMED)},
    {"DEM_FIELD_CONTACT_ANGULAR_IMPULSE", "contact angular impulse",
     FIELD_IN(contact_impulse, demi_impulse, angular, 3, DEMI_FIELD_SUMMED)},
    {"DEM_FIELD_HOST", "data of the host", offsetof(dem_world, host), 0, 0, 0, OF_HOST},
    {"DEM_FIELD_ADDED_MASS", "added mass",
     FIELD_IN(added_mass, row_of_four, vector, 1, OF_INERTIA)},
};

dem_status demi_field_known(demi_context *context, int32_t field)
{
    if (field < 0 || field >= DEMI_FIELDS)
        return demi_fail(context, DEM_ERROR_UNKNOWN, "field: %d is not a DEM_FIELD_ value",
                         (int)field);
    return DEM_OK;
}

demi_buffer *demi_field_buffer(dem_world *w, const demi_field *field)
{
    return (demi_buffer *)(void *)((unsigned char *)w + field->rows);
}

double *demi_field_first(const dem_world *w, const demi_field *field)
{
    const demi_buffer *buffer =
        (const demi_buffer *)(const void *)((const unsigned char *)w + field->rows);
    return buffer->data != NULL ? (double *)buffer->data + field->first : NULL;
}

dem_status demi_field_offered(const dem_world *w, const demi_field *field)
{
    if ((field->traits & DEMI_FIELD_SUMMED) != 0 && w->contact_impulse.read == NULL)
        return demi_fail(w->self, DEM_ERROR_STATE,
                         "field: %s is summed from the first dem_world_impulses_reset on",
                         field->constant);
    if (demi_field_width(w, field) == 0)
        return demi_fail(w->self, DEM_ERROR_STATE,
                         "field: %s needs dem_world_config.host_doubles, which is 0",
                         field->constant);
    return DEM_OK;
}

dem_status demi_field_reserve(dem_world *w, const demi_field *field)
{
    const dem_status status = demi_field_offered(w, field);
    if (status != DEM_OK)
        return status;
    if (field->rows == offsetof(dem_world, added_mass) && w->rigids > w->rigids_vacant)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "field: %s: bodies have no added mass yet, and the world has some bodies",
                         field->constant);
    /* an empty world has it, too: for particles that come before the hook of a step asks for it */
    return (field->traits & DEMI_FIELD_ON_DEMAND) != 0
               ? demi_rows_reserve(w, demi_field_buffer(w, field))
               : DEM_OK;
}

dem_status demi_field_in_hook(dem_world *w, const demi_field *field)
{
    if (w->rows == 0 || demi_field_buffer(w, field)->data != NULL)
        return DEM_OK;
    return demi_fail(&w->context, DEM_ERROR_STATE,
                     "field: %s is not there yet: %s before the step whose before_forces uses it",
                     field->constant,
                     (field->traits & DEMI_FIELD_WRITTEN) != 0 ? "open a view of it"
                                                               : "call dem_world_impulses_reset");
}
