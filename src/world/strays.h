/* SPDX-License-Identifier: MIT */
/* Rows that nothing can meet in a step, however far it takes them: grains that fell out of the
 * system. For their sake the list need not look further ahead. */
#ifndef DEMI_STRAYS_H
#define DEMI_STRAYS_H

#include "world/world.h"

/* How far bodies that may meet have approached each other in the step that has begun, where all
 * have by up to `approach`. Warns once of a row that is fast for the list. */
double demi_strays_spared(dem_world *w, double approach);

#endif
