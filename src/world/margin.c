/* SPDX-License-Identifier: MIT */
/* For how long ghosts last, until they are to be set anew. */
#include "world/world.h"

#include <dem/distribution.h>

#include <math.h>

void demi_ghosts_outdate(dem_world *w)
{
    w->ghosts.moved = w->ghosts.body_moved = INFINITY;
}

/* Whether ghosts of a margin are good for a further displacement. Without a bound on the margin
 * they always are, unless the host changed what other worlds have: where there are no ghosts there
 * are no other worlds. */
static int ghosts_last(double moved, double displacement, double margin, uint64_t count)
{
    if (margin == 0.0)
        return 1;
    return isinf(moved) ? isinf(margin) && count == 0 : moved + displacement <= margin;
}

int demi_ghosts_last(const dem_world *w, double displacement)
{
    const demi_ghosts *ghosts = &w->ghosts;
    return ghosts_last(ghosts->moved, displacement, ghosts->margin, ghosts->count - ghosts->parts);
}

int demi_ghost_bodies_last(const dem_world *w, double displacement)
{
    const demi_ghosts *ghosts = &w->ghosts;
    return ghosts_last(ghosts->body_moved, displacement, ghosts->body_margin, ghosts->bodies);
}

int32_t dem_ghosts_wanted(const dem_world *world)
{
    if (world == NULL)
        return 0;
    const double twice = 2.0 * world->ghosts.moved_last;
    return !demi_ghosts_last(world, twice) || !demi_ghost_bodies_last(world, twice);
}
