/* SPDX-License-Identifier: MIT */
/* How far walls have moved, and their surfaces move in a step. */
#ifndef DEMI_DISPLACEMENT_H
#define DEMI_DISPLACEMENT_H

#include "world/world.h"

/* How far the surface of a wall that turns goes at most in a step, where particles may be. */
double demi_wall_turn_motion(const dem_world *w, uint64_t index, double dt);
/* The longest displacement of any wall since the list was built; infinite for one that turned. */
double demi_walls_moved(const dem_world *w);
/* Whether a particle may have come to a wall near its chunk, or to another one, that it is not
 * listed with; moved: demi_walls_moved. */
int demi_near_walls_expired(const dem_world *w, uint64_t chunk, double bound, double elapsed,
                            double moved);
int demi_far_walls_expired(const dem_world *w, double elapsed);
/* Whether what chunks report to have displacement_bound is too much for the list, without measuring
 * it. */
int demi_bounds_exceeded(const dem_world *w, double elapsed);

#endif
