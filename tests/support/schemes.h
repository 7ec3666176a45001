/* SPDX-License-Identifier: MIT */
/**
 * @file schemes.h
 * All schemes that a world takes.
 */
#ifndef DEM_TEST_SCHEMES_H
#define DEM_TEST_SCHEMES_H

#include <dem/integrator.h>

static const int32_t schemes[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_VERLET_IMPROVED,
                                  DEM_INTEGRATOR_VERLET_STANDARD, DEM_INTEGRATOR_LEAPFROG,
                                  DEM_INTEGRATOR_SYMPLECTIC_EULER};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

#endif
