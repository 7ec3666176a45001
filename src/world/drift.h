/* SPDX-License-Identifier: MIT */
#ifndef DEMI_DRIFT_H
#define DEMI_DRIFT_H

#include "world/world.h"

/* Box and drift of a chunk from the rows that are being sorted, in the next state. */
void demi_chunk_measure(dem_world *w, demi_chunk *chunk);
/* Lists the chunks that are near each other; cutoff is the widest distance of a listed pair. */
dem_status demi_nears_make(dem_world *w, demi_list *list, double cutoff);
/* Whether what chunks report to have strayed is too much for the list, without measuring it. */
int demi_bounds_exceeded(const dem_world *w, double elapsed);

#endif
