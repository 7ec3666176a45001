/* SPDX-License-Identifier: MIT */
/* Setup of Hooke's normal law, which is a law by itself and part of the linear laws. */
#ifndef DEMI_HOOKE_H
#define DEMI_HOOKE_H

#include "laws/hooke_lane.h"

#include <dem/law_linear.h>

/* Checks the parameters, fills `combined` and tells later parts what they may build on. */
dem_status demi_hooke_combine(const dem_hooke *parameters, dem_pair_properties *pair,
                              demi_hooke *combined, dem_error *error);

/* Contact time and limit on dt of the normal direction. */
void demi_hooke_limits(const demi_hooke *combined, double mass, dem_law_limits *limits);

#endif
