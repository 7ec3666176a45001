/* SPDX-License-Identifier: MIT */
/* What acts in all worlds together on walls that seek a force. */
#ifndef DEMI_WALL_TOTAL_H
#define DEMI_WALL_TOTAL_H

#include "world/world.h"

/* Whether other worlds have particles that this one may touch. */
static inline int demi_is_domain(const dem_world *w)
{
    return w->ghosts.count > 0 || (w->ghosts.margin > 0.0 && isfinite(w->ghosts.margin));
}

/* Fails where a wall that seeks does not know what acts on it in all worlds. */
dem_status demi_wall_totals_check(dem_world *w);
/* The step that has begun ends, or is taken back (made: 0): what was told in it holds, or not. */
void demi_wall_totals_turn(dem_world *w, int made);

#endif
