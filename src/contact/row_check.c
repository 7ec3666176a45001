/* SPDX-License-Identifier: MIT */
/* Whether a row of a host's arrays can have a contact. */
#include "base/check.h"
#include "contact/call.h"
#include "contact/input.h"

dem_status demi_row_check(demi_context *context, const demi_history_call *call, uint32_t row)
{
    const dem_contacts_input *in = call->in;
    if (row >= in->particle_count)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.pairs: row %u is not below particle_count %llu", row,
                         (unsigned long long)in->particle_count);
    if (!demi_positive(in->radius[row]))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.radius[%u]: %g must be finite and > 0 m", row,
                         in->radius[row]);
    if (!demi_not_negative(in->mass[row]))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.mass[%u]: %g must be finite and >= 0 kg", row,
                         in->mass[row]);
    if (in->mass[row] > 0.0 && !isfinite(1.0 / in->mass[row]))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.mass[%u]: %g kg is so small that 1/mass is not finite",
                         row, in->mass[row]);
    if (!demi_positive(in->radius[row] * in->radius[row]))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.radius[%u]: the square of %g m is 0 or not finite",
                         row, in->radius[row]);
    const int32_t material = in->material != NULL ? in->material[row] : 0;
    if (material < 0 || material >= call->history->models.material_count)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.material[%u]: %d is not in [0, %d)", row,
                         (int)material, (int)call->history->models.material_count);
    if (!demi_finite3(demi_row3(in->position, call->stride[0], row)))
        return demi_fail(context, DEM_ERROR_DIVERGED,
                         "dem_contacts_input.position[%u]: is not finite along %s", row,
                         demi_not_finite_axes(demi_row3(in->position, call->stride[0], row)));
    if (!demi_finite3(demi_row3(in->velocity, call->stride[1], row)))
        return demi_fail(context, DEM_ERROR_DIVERGED,
                         "dem_contacts_input.velocity[%u]: is not finite along %s", row,
                         demi_not_finite_axes(demi_row3(in->velocity, call->stride[1], row)));
    const double *const optional[] = {in->angular_velocity, in->acceleration,
                                      in->angular_acceleration};
    const uint64_t rows[] = {in->particle_count, in->acceleration_count,
                             in->angular_acceleration_count};
    static const char *const names[] = {"angular_velocity", "acceleration", "angular_acceleration"};
#pragma GCC unroll 3
    for (int k = 0; k < 3; ++k) {
        if (optional[k] == NULL)
            continue;
        if (row >= rows[k])
            return demi_fail(
                context, DEM_ERROR_RANGE,
                "dem_contacts_input.%s_count: a pair has row %u and the array has %llu "
                "rows; use an array that has the rows of ghosts too",
                names[k], row, (unsigned long long)rows[k]);
        if (!demi_finite3(demi_row3(optional[k], call->stride[2 + k], row)))
            return demi_fail(context, DEM_ERROR_DIVERGED,
                             "dem_contacts_input.%s[%u]: is not finite", names[k], row);
    }
    return DEM_OK;
}
