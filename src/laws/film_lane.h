/* SPDX-License-Identifier: MIT */
/* One contact of the part "film". It has no force: the world solves for the velocities that films
 * leave before positions move, see world/film.c. */
#ifndef DEMI_FILM_LANE_H
#define DEMI_FILM_LANE_H

#include "laws/lane.h"

#include <dem/law_film.h>

typedef struct demi_film {
    double viscosity, gap_min, gap_max;
    double tangential, logarithm; /* 1 or 0: terms that it has beside the leading one */
} demi_film;

static DEMI_INLINE void film_lane(const dem_contact_batch *b, uint64_t k, const demi_film *c,
                                  int energy_tracking)
{
    (void)b;
    (void)k;
    (void)c;
    (void)energy_tracking;
}

#endif
