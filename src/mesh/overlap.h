/* SPDX-License-Identifier: MIT */
/* The contact of two polyhedra in the axes of the first. */
#ifndef DEMI_OVERLAP_H
#define DEMI_OVERLAP_H

#include "mesh/polyhedron.h"

/* Room for round-off of bounds, over the size. */
#define OVERLAP_ROOM 1e-6

/* Volume, S and G of the two sides, whose places are written; the direction is a guess. Tells the
 * DEM_POLYHEDRON_ state, and how often the second body was shifted. */
dem_status demi_overlap_find(demi_overlap *o, int *state, int *repeats);

#endif
