/* SPDX-License-Identifier: MIT */
/* What integration and free flight do alike with rows, so that their bits are the same. */
#ifndef DEMI_ROWS_H
#define DEMI_ROWS_H

#include "base/check.h"
#include "base/vector.h"
#include "world/added_mass.h"
#include "world/world.h"

/* What accelerates rows beside contacts. */
typedef struct demi_outer {
    const demi_row *force, *torque; /* of the host, or NULL */
    double gravity[4];
    const demi_added_mass *added; /* or NULL; only coupled worlds have any */
} demi_outer;

static inline demi_outer demi_outer_of(const dem_world *w)
{
    const double *g = w->config.gravity;
    const demi_outer outer = {
        w->external_force.read, w->external_torque.read, {g[0], g[1], g[2], 0.0}, NULL};
    return outer;
}

/* Accelerations of a free particle. */
static DEMI_INLINE void demi_free_rates(const demi_outer *outer, const demi_v4 *force,
                                        const demi_v4 *torque, const demi_velocities *velocities,
                                        demi_v4 *linear, demi_v4 *angular)
{
    /* the last places of loads and gravity are 0 */
    *linear = *force * velocities->velocity[3] + *demi_v4_at(outer->gravity);
    *angular = *torque * velocities->angular_velocity[3];
}

/* Accelerations of a row; 0 unless the particle is free. */
static DEMI_INLINE void demi_row_rates(const demi_outer *outer, uint64_t row,
                                       const demi_force_torque *force_torque,
                                       const demi_velocities *velocities, demi_v4 *linear,
                                       demi_v4 *angular)
{
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    *linear = *angular = zero;
    if (!(velocities->angular_velocity[3] > 0.0))
        return;
    demi_v4 f = *demi_v4_at(force_torque->force), t = *demi_v4_at(force_torque->torque);
    if (outer->force != NULL)
        f += DEMI_V4_KEEP_LAST(*demi_v4_at(outer->force[row]), zero);
    if (outer->torque != NULL)
        t += DEMI_V4_KEEP_LAST(*demi_v4_at(outer->torque[row]), zero);
    demi_free_rates(outer, &f, &t, velocities, linear, angular);
    if (outer->added != NULL)
        *linear = f * velocities->velocity[3] +
                  *demi_v4_at(outer->gravity) * outer->added[row].weight_share;
}

/* Raises each bound to the size of a value. As integers, sizes have the same order, and what is not
 * a number is above all of them. */
static DEMI_INLINE void demi_v4_rise(demi_v4 *most, const demi_v4 *to)
{
    const demi_i4 size = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    const demi_i4 a = (demi_i4)*to & size, b = (demi_i4)*most;
#if defined(__AVX512VL__)
    *most = (demi_v4)_mm256_max_epi64((__m256i)a, (__m256i)b);
#else
    const demi_i4 more = a > b;
    *most = (demi_v4)((more & a) | (~more & b));
#endif
}

/* The same for a part of a record. */
static DEMI_INLINE void demi_vr_rise(demi_vr *most, const demi_vr *to)
{
#if defined(__AVX512VL__)
    *most = (demi_vr)_mm512_max_epi64(_mm512_and_epi64((__m512i)*to, _mm512_set1_epi64(INT64_MAX)),
                                      (__m512i)*most);
#else
    demi_v4_rise(most, to);
#endif
}

/* Length of a vector of three bounds, which no vector within them exceeds. */
static DEMI_INLINE double demi_v4_length(const demi_v4 *most)
{
    const demi_v4 m = *most * *most;
    return sqrt(m[0] + m[1] + m[2]);
}

/* How far rows may be from where the chunk's mean velocity took them, and how far they went: from a
 * bound on the velocity off the mean one. */
static DEMI_INLINE void demi_chunk_result_displacement(const demi_chunk *chunk, double off,
                                                       double dt, demi_chunk_result *result)
{
    const double *d = chunk->mean_velocity;
    const double pace = off * dt;
    result->displacement_bound = chunk->displacement_bound + pace + chunk->rounding;
    result->displacement =
        pace + sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) * dt + chunk->rounding;
}

#endif
