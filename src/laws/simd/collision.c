/* SPDX-License-Identifier: MIT */
/* Blocks of the array forms of collision.h. */
#include "laws/collision.h"
#include "laws/collision_curve.h"

DEMI_ENTRY(demi_collision_block, demi_collision_inverse_block);
DEMI_ENTRY(demi_collision_block, demi_collision_params_block);

void demi_collision_inverse_block(uint64_t n, const double *restitution, const double *mass,
                                  const double *speed, const double *time, double *first,
                                  double *second)
{
    (void)mass, (void)speed, (void)time;
    DEMI_SIMD
    for (uint64_t k = 0; k < DEMI_PADDED(n); ++k)
        demi_collision_curve(restitution[k], &first[k], &second[k]);
}

void demi_collision_params_block(uint64_t n, const double *restitution, const double *mass,
                                 const double *speed, const double *time, double *first,
                                 double *second)
{
    DEMI_SIMD
    for (uint64_t k = 0; k < DEMI_PADDED(n); ++k) {
        double lambda, tau, stiffness, damping;
        demi_collision_curve(restitution[k], &lambda, &tau);
        demi_collision_coefficients(mass[k], speed[k], lambda, time[k] / tau, &stiffness, &damping);
        first[k] = stiffness;
        second[k] = damping;
    }
}
