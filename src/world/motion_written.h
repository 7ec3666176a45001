/* SPDX-License-Identifier: MIT */
/* Whether the host wrote velocities. The first view of them after a step copies them into the state
 * of the next step, which nothing uses between two steps. When the host says that it wrote, they
 * are compared: what has the bits that it had needs no new contact forces. */
#ifndef DEMI_MOTION_WRITTEN_H
#define DEMI_MOTION_WRITTEN_H

#include "world/world.h"

/* Of dem_world.motion_written: what was said since velocities were compared, and before; the latter
 * counts for a call of no steps, which evaluates in any case. */
enum { DEMI_MOTION_SAID = 1, DEMI_MOTION_COMPARED = 2 };

/* A view of velocities is opened between two steps. */
void demi_motion_keep(dem_world *w);
/* Views become stale where memory moves; what they showed first is kept. */
void demi_motion_moves(dem_world *w);
/* Whether velocities that the host told of have changed. */
int demi_motion_told(const dem_world *w);
/* Whether contact forces are stale, with what was written. */
int demi_motion_stale(const dem_world *w);
/* Compares, and takes that over. */
void demi_motion_settle(dem_world *w);
/* Views become stale, and ghosts get the velocities that there are: what was told of them is taken
 * over, and views that were not written through have nothing to tell any more. */
void demi_motion_exchanged(dem_world *w);

#endif
