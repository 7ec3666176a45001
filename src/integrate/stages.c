/* SPDX-License-Identifier: MIT */
/* Explicit schemes of stages, in the form of Führer, Brendel and Wolf (2024), Appendix A: each
 * stage starts from the state of the step's start, and the end is a weighted mean of the stages. */
#include "base/check.h"
#include "base/entry.h"
#include "integrate/integrator.h"

#include <string.h>

uint32_t dem_integrator_stage_count(const dem_integrator *integrator)
{
    return integrator == NULL ? 0 : integrator->scheme->stages;
}

/* One call: which stage, and how far it has come in the variables. */
typedef struct stages_call {
    double dt, fraction, weight;
    int first, last;
    double *base, *sum; /* of the next variable */
} stages_call;

/* One variable: now = start + jump + a dt rate, or at the end of the step start + sum. */
static void stages_variable(stages_call *call, double *value, double rate, double jump)
{
    if (call->first) {
        *call->base = *value;
        *call->sum = 0.0;
    }
    const double added = jump + call->fraction * call->dt * rate;
    *call->sum += call->weight * added;
    *value = *call->base + (call->last ? *call->sum : added);
    call->base++;
    call->sum++;
}

/* Rows of 3 whose rate is over/scale; scale NULL: over itself. Where there is no scale, no rate. */
static void stages_rows(stages_call *call, demi_rows_of_host rows, demi_rows_of_host over,
                        const double *scale, uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k)
        for (int c = 0; c < 3; ++c) {
            double rate = over.base != NULL ? demi_row_at(over, k)[c] : 0.0;
            if (scale != NULL)
                rate = scale[k] > 0.0 ? rate / scale[k] : 0.0;
            stages_variable(call, &demi_row_at(rows, k)[c], rate, 0.0);
        }
}

/* q' = (0, w) q/2; unit length at the end of the step. */
static void stages_orientations(stages_call *call, demi_rows_of_host rows,
                                demi_rows_of_host angular_velocity, uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k) {
        double *q = demi_row_at(rows, k);
        const double *w = demi_row_at(angular_velocity, k);
        const double rate[4] = {-0.5 * (w[0] * q[1] + w[1] * q[2] + w[2] * q[3]),
                                0.5 * (w[0] * q[0] + (w[1] * q[3] - w[2] * q[2])),
                                0.5 * (w[1] * q[0] + (w[2] * q[1] - w[0] * q[3])),
                                0.5 * (w[2] * q[0] + (w[0] * q[2] - w[1] * q[1]))};
        double square = 0.0;
        for (int c = 0; c < 4; ++c) {
            stages_variable(call, &q[c], rate[c], 0.0);
            square += q[c] * q[c];
        }
        const double inverse = call->last && square > 0.0 ? 1.0 / sqrt(square) : 1.0;
        for (int c = 0; c < 4; ++c)
            q[c] *= inverse;
    }
}

/* Each field's rate is read before the field moves. */
static void stages_advance(stages_call *call, const dem_integrator_arrays *a)
{
    const demi_rows_of_host position = {a->position, a->position_stride};
    const demi_rows_of_host velocity = {a->velocity, a->velocity_stride};
    const demi_rows_of_host angular_velocity = {a->angular_velocity, a->angular_velocity_stride};
    const demi_rows_of_host orientation = {a->orientation, a->orientation_stride};
    stages_rows(call, position, velocity, NULL, a->count);
    stages_rows(call, velocity, demi_rows_in(a->force, a->force_stride), a->mass, a->count);
    if (orientation.base != NULL)
        stages_orientations(call, orientation, angular_velocity, a->count);
    if (angular_velocity.base != NULL)
        stages_rows(call, angular_velocity, demi_rows_in(a->torque, a->torque_stride), a->inertia,
                    a->count);
    for (uint64_t k = 0; k < a->state_count; ++k)
        stages_variable(call, &a->state[k], a->state_rate[k],
                        a->state_jump != NULL ? a->state_jump[k] : 0.0);
}

DEMI_GUARDED integrator_stage(dem_integrator *integrator, const dem_integrator_arrays *arrays,
                              double dt)
{
    demi_context *context = &integrator->context;
    const demi_scheme *scheme = integrator->scheme;
    if (scheme->stages == 0)
        return demi_fail(context, DEM_ERROR_STATE,
                         "dem_integrator_stage: this scheme has no stages: call "
                         "dem_integrator_begin and dem_integrator_end");
    dem_integrator_arrays a = {0};
    dem_status status = demi_arrays_read(context, arrays, &a);
    if (status == DEM_OK && !demi_positive(dt))
        status = demi_fail(context, DEM_ERROR_RANGE, "dt: %g must be finite and > 0 s", dt);
    if (status == DEM_OK && integrator->open &&
        (dt != integrator->dt || !demi_arrays_alike(&a, &integrator->arrays)))
        status = demi_fail(context, DEM_ERROR_STATE,
                           "dem_integrator_stage: dt, a count or the choice of arrays differs "
                           "from the stage before");
    if (status == DEM_OK)
        status = demi_arrays_finite(context, &a, !integrator->open);
    const uint64_t variables = 13 * a.count + a.state_count;
    if (status == DEM_OK && !integrator->open)
        status = demi_array_reserve(context, &integrator->base, variables, 0, "stages");
    if (status == DEM_OK && !integrator->open)
        status = demi_array_reserve(context, &integrator->sum, variables, 0, "stages");
    if (status != DEM_OK)
        return status;
    const uint32_t k = integrator->open ? integrator->stage : 0;
    stages_call call = {.dt = dt,
                        .fraction = scheme->fraction[k],
                        .weight = scheme->weight[k],
                        .first = k == 0,
                        .last = k + 1 == scheme->stages,
                        .base = integrator->base.data,
                        .sum = integrator->sum.data};
    stages_advance(&call, &a);
    integrator->dt = dt;
    integrator->arrays = a;
    integrator->stage = k + 1;
    integrator->open = !call.last;
    return DEM_OK;
}

dem_status dem_integrator_stage(dem_integrator *integrator, const dem_integrator_arrays *arrays,
                                double dt)
{
    DEMI_STEP(integrator, integrator_stage(integrator, arrays, dt));
}
