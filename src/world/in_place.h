/* SPDX-License-Identifier: MIT */
/* Steps in place: within a call of many steps most are made where the last one stands, so that a
 * step has half the memory to read and write. The other side of the world keeps a complete step
 * from before, and a step that fails, lacks room, or finds its list expired makes the world return
 * there: then the steps since are made once more, each beside the last one, and they end as if none
 * had been made in place.
 *
 *     step       n-1    n     n+1    n+2   ...  n+m    n+m+1
 *     memory      a     b      b      b          b      a
 *     kept                     a      a          a     (b)
 *
 * What is kept costs nothing but for sums of impulses, which have one side: it is what a step
 * beside the last one leaves behind. Walls rest meanwhile, so that both sides have the same of
 * them. */
#ifndef DEMI_IN_PLACE_H
#define DEMI_IN_PLACE_H

#include "world/world.h"

/* Looks, at the beginning of a call of so many steps, whether any may be in place; room for that.
 */
dem_status demi_in_place_begin(dem_world *w, uint64_t steps);
/* Before the end of a step and the beginning of the next, when so many are left: decides where the
 * next one is made. */
void demi_in_place_choose(dem_world *w, double dt, uint64_t left);
/* After the first such pass: rows that move as they were told are worked on with the forces of both
 * ends of a step, so that none is in place. */
void demi_in_place_look(dem_world *w);
/* After a failure: returns to the step that is kept and tells how many are left from there, or 0
 * where no step was in place, and nothing changed. */
uint64_t demi_in_place_return(dem_world *w);
/* After the last step. */
void demi_in_place_end(dem_world *w);
/* Frees what calls of many steps took; the next one takes it again. */
void demi_in_place_free(dem_world *w);

#endif
