/* SPDX-License-Identifier: MIT */
/* Contacts that begin and end in a step, for the callbacks of the host.
 *
 * They are collected when the forces of a step are there and it can still fail, since memory may be
 * missing, and told when it is complete. */
#ifndef DEMI_EVENTS_H
#define DEMI_EVENTS_H

#include "world/world.h"

static inline int demi_events_wanted(const dem_world *w)
{
    return w->config.contact_begin != NULL || w->config.contact_end != NULL;
}

/* Collects what the step that is being made begins and ends, in the order of keys. An evaluation
 * ends nothing: the host moved what is apart then. */
dem_status demi_events_collect(dem_world *w, int evaluate_only);
/* Tells the host what was collected. */
void demi_events_tell(dem_world *w);

#endif
