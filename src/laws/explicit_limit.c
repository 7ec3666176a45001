/* SPDX-License-Identifier: MIT */
#include "laws/explicit_limit.h"

#include <math.h>

void demi_explicit_limit(double stiffness, double damping, double mass, dem_law_limits *limits)
{
    if (!(stiffness > 0.0 || damping > 0.0))
        return;
    const double rate = limits->dashpot_weight * damping / mass,
                 limit = 2.0 / (rate + sqrt(rate * rate + stiffness / mass));
    if (limits->timestep_limit == 0.0 || limit < limits->timestep_limit)
        limits->timestep_limit = limit;
}
