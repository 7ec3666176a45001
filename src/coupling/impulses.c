/* SPDX-License-Identifier: MIT */
/* Impulses that a world sums between two resets. */
#include "base/entry.h"
#include "world/world.h"

#include <dem/coupling.h>

#include <string.h>

static void clear(demi_buffer *buffer)
{
    memset(buffer->data, 0, (size_t)buffer->size);
}

DEMI_GUARDED guarded_impulses_reset(dem_world *world)
{
    const dem_status status = demi_impulses_reserve(world);
    if (status != DEM_OK)
        return status;
    clear(&world->wall_impulse.buffer);
    clear(&world->drag_impulse.buffer);
    clear(&world->contact_impulse.buffer);
    return DEM_OK;
}

dem_status dem_world_impulses_reset(dem_world *world)
{
    DEMI_SET(world, guarded_impulses_reset(world));
}
