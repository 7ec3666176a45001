/* SPDX-License-Identifier: MIT */
/* What acts in all worlds together on walls that seek a force. */
#ifndef DEMI_WALL_TOTAL_H
#define DEMI_WALL_TOTAL_H

#include "world/world.h"

/* Of demi_wall_servo.totals: what a servo knows. */
enum { DEMI_TOTAL_KNOWN = 1, DEMI_TOTAL_MADE = 2 };

/* Fails where a wall that seeks does not know what acts on it in all worlds. */
dem_status demi_wall_totals_check(dem_world *w);
/* The step that has begun ends, or is taken back (made: 0): what was told in it holds, or not. */
void demi_wall_totals_turn(dem_world *w, int made);

#endif
