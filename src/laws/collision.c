/* SPDX-License-Identifier: MIT */
/* The damped Hertz collision, forward and inverse. */
#include "laws/collision.h"
#include "base/check.h"
#include "base/entry.h"
#include "laws/collision_curve.h"
#include "laws/collision_exact.h"

#include <dem/collision.h>

DEMI_GUARDED guarded_collision_forward(double lambda, double *restitution, double *contact_time)
{
    if (restitution == NULL || contact_time == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!demi_not_negative(lambda) || lambda >= DEM_COLLISION_LAMBDA_CRITICAL)
        return DEM_ERROR_RANGE;
    double e, tau;
    if (!demi_exact_collision(lambda, &e, &tau))
        return DEM_ERROR_RANGE;
    *restitution = e < 1.0 ? e : 1.0;
    *contact_time = tau;
    return DEM_OK;
}

dem_status dem_collision_forward(double lambda, double *restitution, double *contact_time)
{
    DEMI_QUIET(guarded_collision_forward(lambda, restitution, contact_time));
}

DEMI_GUARDED guarded_collision_inverse(double restitution, double *lambda, double *contact_time)
{
    if (lambda == NULL || contact_time == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!demi_collision_restitution_ok(restitution))
        return DEM_ERROR_RANGE;
    demi_collision_curve(restitution, lambda, contact_time);
    return DEM_OK;
}

dem_status dem_collision_inverse(double restitution, double *lambda, double *contact_time)
{
    DEMI_QUIET(guarded_collision_inverse(restitution, lambda, contact_time));
}

DEMI_GUARDED guarded_collision_params(double mass, double impact_speed, double restitution,
                                      double contact_time, double *stiffness, double *damping)
{
    if (stiffness == NULL || damping == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!demi_collision_scale_ok(mass) || !demi_collision_scale_ok(impact_speed) ||
        !demi_collision_restitution_ok(restitution) || !demi_collision_scale_ok(contact_time))
        return DEM_ERROR_RANGE;
    double lambda, tau;
    demi_collision_curve(restitution, &lambda, &tau);
    demi_collision_coefficients(mass, impact_speed, lambda, contact_time / tau, stiffness, damping);
    return DEM_OK;
}

dem_status dem_collision_params(double mass, double impact_speed, double restitution,
                                double contact_time, double *stiffness, double *damping)
{
    DEMI_QUIET(guarded_collision_params(mass, impact_speed, restitution, contact_time, stiffness,
                                        damping));
}

/* ------------------------------------------------------------------ arrays */

enum { BLOCK = 64, INPUTS = 4, OUTPUTS = 2 };

DEMI_COPIES(demi_collision_block, demi_collision_inverse_block);
DEMI_COPIES(demi_collision_block, demi_collision_params_block);

/* Instruction set for n values. Asking the processor costs as much as a few blocks, and nothing may
 * be remembered between calls, so short arrays take the baseline. The bits do not depend on it. */
static int array_isa(uint64_t n)
{
    return n < 8 * BLOCK ? 0 : demi_isa_index(DEM_ISA_AUTO);
}

/* A row of numbers of the caller's. */
typedef struct strided {
    const void *data;
    uint64_t stride;
} strided;

static uint64_t stride_of(uint64_t stride)
{
    return stride == 0 ? sizeof(double) : stride;
}

static double strided_get(const strided *from, uint64_t k)
{
    double value;
    memcpy(&value, (const unsigned char *)from->data + k * from->stride, sizeof value);
    return value;
}

/* Index of the first row with a value out of range; n if there is none. in[0] is restitution. */
static uint64_t array_check(uint64_t n, int count, const strided in[INPUTS])
{
    for (uint64_t k = 0; k < n; ++k)
        for (int i = 0; i < count; ++i) {
            const double value = strided_get(&in[i], k);
            if (!(i == 0 ? demi_collision_restitution_ok(value) : demi_collision_scale_ok(value)))
                return k;
        }
    return n;
}

static void array_run(uint64_t n, int count, const strided in[INPUTS], demi_collision_block *run,
                      double *const out[OUTPUTS], const uint64_t out_stride[OUTPUTS])
{
    double values[INPUTS][BLOCK], results[OUTPUTS][BLOCK];
    for (uint64_t begin = 0; begin < n; begin += BLOCK) {
        const uint64_t m = n - begin < BLOCK ? n - begin : BLOCK;
        const double *from[INPUTS] = {NULL};
        for (int i = 0; i < count; ++i) {
            from[i] = values[i];
            if (m == BLOCK && in[i].stride == sizeof(double))
                from[i] = (const double *)in[i].data + begin;
            else
                for (uint64_t k = 0; k < DEMI_PADDED(m); ++k)
                    values[i][k] = k < m ? strided_get(&in[i], begin + k) : 1.0;
        }
        run(m, from[0], from[1], from[2], from[3], results[0], results[1]);
        for (int o = 0; o < OUTPUTS; ++o) {
            unsigned char *const to = (unsigned char *)out[o] + begin * out_stride[o];
            if (out_stride[o] == sizeof(double))
                memcpy(to, results[o], (size_t)m * sizeof(double));
            else
                for (uint64_t k = 0; k < m; ++k)
                    memcpy(to + k * out_stride[o], &results[o][k], sizeof(double));
        }
    }
}

static dem_status array_call(uint64_t n, int count, const strided in[INPUTS],
                             demi_collision_block *run, double *const out[OUTPUTS],
                             const uint64_t out_stride[OUTPUTS], uint64_t *bad)
{
    if (n == 0)
        return DEM_OK;
    for (int i = 0; i < count; ++i)
        if (in[i].data == NULL)
            return DEM_ERROR_ARGUMENT;
    if (out[0] == NULL || out[1] == NULL)
        return DEM_ERROR_ARGUMENT;
    const uint64_t wrong = array_check(n, count, in);
    if (wrong < n) {
        if (bad != NULL)
            *bad = wrong;
        return DEM_ERROR_RANGE;
    }
    array_run(n, count, in, run, out, out_stride);
    return DEM_OK;
}

DEMI_GUARDED guarded_collision_inverse_array(uint64_t n, const double *restitution,
                                             uint64_t restitution_stride, double *lambda,
                                             uint64_t lambda_stride, double *contact_time,
                                             uint64_t contact_time_stride, uint64_t *bad)
{
    const strided in[INPUTS] = {{restitution, stride_of(restitution_stride)}};
    double *const out[OUTPUTS] = {lambda, contact_time};
    const uint64_t out_stride[OUTPUTS] = {stride_of(lambda_stride), stride_of(contact_time_stride)};
    return array_call(n, 1, in, demi_collision_inverse_block[array_isa(n)], out, out_stride, bad);
}

dem_status dem_collision_inverse_array(uint64_t n, const double *restitution,
                                       uint64_t restitution_stride, double *lambda,
                                       uint64_t lambda_stride, double *contact_time,
                                       uint64_t contact_time_stride, uint64_t *bad)
{
    DEMI_QUIET(guarded_collision_inverse_array(n, restitution, restitution_stride, lambda,
                                               lambda_stride, contact_time, contact_time_stride,
                                               bad));
}

DEMI_GUARDED guarded_collision_params_array(uint64_t n, const double *mass, uint64_t mass_stride,
                                            const double *impact_speed,
                                            uint64_t impact_speed_stride, const double *restitution,
                                            uint64_t restitution_stride, const double *contact_time,
                                            uint64_t contact_time_stride, double *stiffness,
                                            uint64_t stiffness_stride, double *damping,
                                            uint64_t damping_stride, uint64_t *bad)
{
    const strided in[INPUTS] = {{restitution, stride_of(restitution_stride)},
                                {mass, stride_of(mass_stride)},
                                {impact_speed, stride_of(impact_speed_stride)},
                                {contact_time, stride_of(contact_time_stride)}};
    double *const out[OUTPUTS] = {stiffness, damping};
    const uint64_t out_stride[OUTPUTS] = {stride_of(stiffness_stride), stride_of(damping_stride)};
    return array_call(n, INPUTS, in, demi_collision_params_block[array_isa(n)], out, out_stride,
                      bad);
}

dem_status dem_collision_params_array(uint64_t n, const double *mass, uint64_t mass_stride,
                                      const double *impact_speed, uint64_t impact_speed_stride,
                                      const double *restitution, uint64_t restitution_stride,
                                      const double *contact_time, uint64_t contact_time_stride,
                                      double *stiffness, uint64_t stiffness_stride, double *damping,
                                      uint64_t damping_stride, uint64_t *bad)
{
    DEMI_QUIET(guarded_collision_params_array(n, mass, mass_stride, impact_speed,
                                              impact_speed_stride, restitution, restitution_stride,
                                              contact_time, contact_time_stride, stiffness,
                                              stiffness_stride, damping, damping_stride, bad));
}
