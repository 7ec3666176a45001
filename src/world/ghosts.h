/* SPDX-License-Identifier: MIT */
/* What the calls for ghosts share. */
#ifndef DEMI_WORLD_GHOSTS_H
#define DEMI_WORLD_GHOSTS_H

#include "world/world.h"

#include <dem/distribution.h>

/* Marks the ghosts and particles that a call names, while it looks at what it was given. */
#define DEMI_NAMED_GHOST UINT64_MAX

/* ------------------------------------------------------------------ ghosts.c */

/* The rows of all handles are there. */
dem_status demi_ghost_handles_check(const dem_world *w, uint64_t count,
                                    const dem_particle_handle *handles);
/* Parts have no forces of their own: their bodies have. */
dem_status demi_ghost_parts_refuse(const dem_world *w, uint64_t count,
                                   const dem_particle_handle *handles);

/* The row of a handle that was checked. */
static inline uint64_t demi_ghost_row(const dem_world *w, dem_particle_handle handle)
{
    return w->handle.read[handle.index].row;
}

/* ------------------------------------------------------------------ ghosts_check.c */

/* kg, of which the inverse is that again; 0 for a free particle and for an infinite mass */
double demi_ghost_contact_mass(int32_t kind, double inverse);
/* The particle that a ghost's row is made from. */
dem_particle demi_ghost_particle(const dem_ghost *ghost);
/* Refuses structs of programs that do not know what the world has. */
dem_status demi_ghost_size_check(const dem_world *w, uint64_t size);
/* Refuses what can be no ghost; k is its number in the call. */
dem_status demi_ghost_check(dem_world *w, uint64_t k, const dem_ghost *ghost);
/* Velocities of ghosts are to be late as those here; a world without any takes theirs over. `lag`
 * is below 0 for the first ghost of a call, and is that of the world from then on. */
dem_status demi_ghost_lag_check(dem_world *w, const dem_ghost *ghost, double *lag);
/* Refuses a ghost that stays and is not what it was. */
dem_status demi_ghost_same(dem_world *w, uint64_t row, const dem_ghost *ghost);

#endif
