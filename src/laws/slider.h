/* SPDX-License-Identifier: MIT */
/* The choice of a slider, for lane headers of tangential laws. */
#ifndef DEMI_SLIDER_H
#define DEMI_SLIDER_H

#include "laws/lane.h"

#include <dem/law_linear.h>

/* Force and new displacement of one lane; the slider is a constant of each loop. */
static DEMI_INLINE void demi_slide(int slider, double stiffness, double damping, double limit,
                                   double dt, const double du[3], const double velocity[3],
                                   double xi[3], double force[3])
{
    if (slider == DEM_SLIDER_CSDS)
        dem_kernel_tangential_csds_increment(stiffness, damping, limit, dt, du, velocity, xi,
                                             force);
    else if (slider == DEM_SLIDER_DSDS)
        dem_kernel_tangential_dsds(stiffness, damping, limit, du, velocity, xi, force);
    else if (slider == DEM_SLIDER_TRUNCATED)
        dem_kernel_tangential_truncated(stiffness, damping, limit, du, velocity, xi, force);
    else if (slider == DEM_SLIDER_UNRESET)
        dem_kernel_tangential_unreset(stiffness, damping, limit, du, velocity, xi, force);
    else if (slider == DEM_SLIDER_LI)
        dem_kernel_tangential_li(stiffness, damping, limit, du, velocity, xi, force);
    else
        dem_kernel_tangential_viscous(damping, limit, velocity, force);
}

#endif
