/* SPDX-License-Identifier: MIT */
/* Steps of equal length that end where the host wants the world to be. */
#include "base/check.h"
#include "base/entry.h"
#include "world/world.h"

#include <dem/coupling.h>

/* More steps than this have no exact count as a double. */
#define STEPS_MOST 9007199254740992.0

/* A ratio of times that is a whole number but for its rounding is that number. */
static double steps_wanted(double duration, double dt_max)
{
    const double count = ceil(duration / dt_max * (1.0 - 1e-12));
    return count > 1.0 ? count : 1.0;
}

DEMI_GUARDED guarded_advance(dem_world *world, double duration, double dt_max, uint64_t *steps)
{
    demi_context *context = &world->context;
    if (!demi_positive(duration))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_world_advance duration: %g must be finite and > 0 s", duration);
    if (!demi_positive(dt_max))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_world_advance dt_max: %g must be finite and > 0 s", dt_max);
    const double wanted = steps_wanted(duration, dt_max);
    if (!isless(duration / dt_max, STEPS_MOST))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_world_advance dt_max: %g s makes more than %g steps in %g s", dt_max,
                         STEPS_MOST, duration);
    if (world->time > DEMI_TIME_MOST || duration > DEMI_TIME_MOST)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_world_advance duration: %g s from the time %g s exceeds %g s",
                         duration, world->time, DEMI_TIME_MOST);
    const uint64_t count = (uint64_t)wanted, before = world->steps;
    /* the end is not the sum of steps, whose rounding grows */
    const double dt = duration / wanted, start = world->time, end = start + duration;
    const dem_status status = demi_steps_run(world, dt, count, &end);
    const uint64_t done = world->steps - before;
    if (done < count)
        world->time = start + (double)done * dt;
    if (steps != NULL)
        *steps = done;
    return status;
}

dem_status dem_world_advance(dem_world *world, double duration, double dt_max, uint64_t *steps)
{
    DEMI_STEP(world, guarded_advance(world, duration, dt_max, steps));
}
