/* SPDX-License-Identifier: MIT */
/* The arithmetic of all laws. */
#ifndef DEMI_LAWS_LANES_H
#define DEMI_LAWS_LANES_H

/* generated from src/laws/laws.def: lanes */
#include "laws/actm_lane.h"
#include "laws/adhesion_lane.h"
#include "laws/film_lane.h"
#include "laws/friction_lane.h"
#include "laws/hertz_lane.h"
#include "laws/hooke_lane.h"
#include "laws/hysteretic_lane.h"
#include "laws/linear_lane.h"
#include "laws/mindlin_deresiewicz_lane.h"
#include "laws/mindlin_lane.h"
#include "laws/mindlin_three_case_lane.h"
#include "laws/rolling_lane.h"
/* end of generated */

#endif
