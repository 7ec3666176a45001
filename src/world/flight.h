/* SPDX-License-Identifier: MIT */
/* Many steps in one pass while nothing touches, see flight.c. */
#ifndef DEMI_FLIGHT_H
#define DEMI_FLIGHT_H

#include "world/world.h"

/* Steps of one flight. */
#define DEMI_FLIGHT_MOST 64

/* Free flight of one chunk, in src/world/simd/flight.c: a look at accelerations and angular
 * velocities, and then `steps` turns (see demi_integrate_fused) at once. */
typedef struct demi_flight_call {
    dem_world *w;
    double dt, kick_first, kick_second;
    uint64_t steps;
} demi_flight_call;
typedef void demi_flight_function(const demi_flight_call *call, uint64_t chunk);

/* Makes up to `most` turns of the step that has begun, and whose forces are known, at once; how
 * many, or 0. */
uint64_t demi_flight(dem_world *w, double dt, uint64_t most);
/* Room for the flights of a list of so many chunks. */
dem_status demi_flight_room(dem_world *w, uint64_t chunks);

#endif
