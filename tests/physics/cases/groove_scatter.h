/* SPDX-License-Identifier: MIT */
/* Grooves at random: size ratio, friction and starting angle. */
#ifndef PHYSICS_GROOVE_SCATTER_H
#define PHYSICS_GROOVE_SCATTER_H

#include "groove_host.h"
#include "groove_wedge.h"

enum { GROOVE_POINTS = 40 };

typedef struct groove_point {
    double ratio, friction, degrees;
    groove_wedge wedge;
    double delay; /* of slip against Appendix 1, rad */
    double rigid[3],
        own[3]; /* relative differences of angle, time and angular velocity at separation from
                   Appendix 1, and from the same with slip where springs let it begin */
} groove_point;

/* The springs of a setup, in the units of groove_wedge.h. */
groove_springs groove_springs_of(const groove_setup *s);

/* Runs a groove by synchronized velocity-Verlet at t_c/20 and compares. */
void groove_point_run(const groove_setup *s, groove_point *point);

/* `count` grooves with ratios from 2 to `most`, evenly in the logarithm, friction .1 to 1 and
 * angles 1 to 40 degrees, of those that can roll at the start with a fifth of the friction to
 * spare. The same for each call. */
void groove_scatter(double most, int count, groove_point *points);

#endif
