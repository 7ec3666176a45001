/* SPDX-License-Identifier: MIT */
/* The host's hook in a step, dem_world_config.before_forces.
 *
 * It is called when the step has its first kick and its drift, and the list holds; the forces come
 * next. What the host writes acts from the second kick on. So what the first one did is booked
 * apart, with the values before: the end of the step knows the new ones alone. */
#ifndef DEMI_HOOK_H
#define DEMI_HOOK_H

#include "world/world.h"

static inline int demi_hooked(const dem_world *w)
{
    return w->config.before_forces != NULL;
}

/* Room for what steps keep of the host's fields. */
dem_status demi_hook_reserve(dem_world *w);
/* Calls the host in a step of dt that has begun. Where it fails, all is as before. */
dem_status demi_hook_call(dem_world *w, double dt);
/* Books what the first kick of the step did, where the host wrote in it; else the end of the step
 * books both kicks, as without a hook. */
void demi_hook_book(dem_world *w, double dt);
/* Between the halves of a step: puts what the host wrote in it aside, so that what is there is of
 * the last complete step, or puts it back. */
void demi_hook_exchange(const dem_world *w);
/* Takes back what the host wrote in the step that fails. */
void demi_hook_undo(dem_world *w);

#endif
