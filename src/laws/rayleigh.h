/* SPDX-License-Identifier: MIT */
/* The Rayleigh time of a sphere. */
#ifndef DEMI_RAYLEIGH_H
#define DEMI_RAYLEIGH_H

/* From the time R sqrt(rho/G) of a wave of shear. */
static inline double demi_rayleigh_time(double shear_time, double poisson)
{
    return 3.14159265358979323846 * shear_time / (0.1631 * poisson + 0.8766);
}

#endif
