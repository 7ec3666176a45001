/* SPDX-License-Identifier: MIT */
/* Which fields ghosts were told, see ghost_told.h. */
#include "world/ghost_told.h"

#include <string.h>

dem_status demi_ghost_fields_reserve(dem_world *w, uint64_t handles)
{
    demi_ghosts *ghosts = &w->ghosts;
    const uint64_t there = demi_array_room(&ghosts->fields_in);
    const dem_status status =
        demi_array_reserve(&w->context, &ghosts->fields_in, handles, 1, "ghosts");
    const uint64_t room = demi_array_room(&ghosts->fields_in);
    if (status == DEM_OK && room > there)
        memset(ghosts->fields_in.data + there, 0, (size_t)(room - there) * sizeof(uint32_t));
    return status;
}

void demi_ghost_fields_forget(dem_world *w)
{
    demi_ghosts *ghosts = &w->ghosts;
    const uint64_t room = demi_array_room(&ghosts->fields_in);
    ghosts->fields_due = ghosts->fields_phase = 0;
    memset(ghosts->field_told, 0, sizeof ghosts->field_told);
    for (uint64_t k = 0; ghosts->bodies_due > 0 && k < w->rigids; ++k)
        w->rigid.data[k].due = 0;
    ghosts->bodies_due = 0;
    if (room > 0)
        memset(ghosts->fields_in.data, 0, (size_t)room * sizeof(uint32_t));
}

/* The loads of bodies have what the host wrote. */
static void bodies_written(dem_world *w)
{
    if (w->external_force.read == NULL && w->external_torque.read == NULL)
        return;
    for (uint64_t k = 0; w->ghosts.bodies > 0 && k < w->rigids; ++k) {
        demi_rigid *rigid = &w->rigid.data[k];
        w->ghosts.bodies_due += rigid->id != 0 && rigid->ghost && !rigid->due;
        rigid->due = rigid->ghost;
    }
}

void demi_ghost_fields_written(dem_world *w, uint32_t fields)
{
    demi_ghosts *ghosts = &w->ghosts;
    if ((fields & DEMI_TOUCHED_OUTER) != 0)
        bodies_written(w);
    if (ghosts->count == ghosts->parts)
        return;
    for (int f = 0; f < DEMI_FIELDS; ++f) {
        const uint32_t bit = 1u << f;
        if ((fields & DEMI_TOUCHED_GHOSTS & bit) == 0 ||
            demi_field_first(w, &demi_fields[f]) == NULL)
            continue;
        ghosts->fields_due |= bit;
        /* those that have the old values are to get the new ones; handles that came since ghosts
         * were set are none */
        const uint64_t room = demi_array_room(&ghosts->fields_in),
                       handles = w->handles < room ? w->handles : room;
        for (uint64_t k = 0; ghosts->field_told[f] > 0 && k < handles; ++k)
            ghosts->fields_in.data[k] =
                (ghosts->fields_in.read[k] & ~bit) | (ghosts->fields_phase & bit);
        ghosts->field_told[f] = 0;
    }
}

dem_status demi_ghost_fields_check(dem_world *w, const char *function)
{
    const demi_ghosts *ghosts = &w->ghosts;
    int f = 0;
    if (ghosts->bodies_due > 0)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "%s: an external force or torque was written, and %llu of %llu ghosts "
                         "that are bodies did not get their load: call dem_ghost_bodies_loads_set "
                         "or dem_ghost_bodies_set",
                         function, (unsigned long long)ghosts->bodies_due,
                         (unsigned long long)ghosts->bodies);
    if (ghosts->fields_due == 0)
        return DEM_OK;
    while ((ghosts->fields_due >> f & 1u) == 0)
        ++f;
    return demi_fail(&w->context, DEM_ERROR_STATE,
                     "%s: %s was written, and %llu of %llu ghosts did not get what their owners "
                     "have: call dem_ghosts_field_set or dem_ghosts_set",
                     function, demi_fields[f].constant,
                     (unsigned long long)(ghosts->count - ghosts->parts - ghosts->field_told[f]),
                     (unsigned long long)(ghosts->count - ghosts->parts));
}

/* When all have it no mark need be cleared: they change their meaning. */
void demi_ghost_field_tell(demi_ghosts *ghosts, uint32_t handle, int32_t field)
{
    const uint32_t bit = 1u << field;
    if (((ghosts->fields_in.read[handle] ^ ghosts->fields_phase) & bit) != 0)
        return;
    ghosts->fields_in.data[handle] ^= bit;
    if (++ghosts->field_told[field] < ghosts->count - ghosts->parts)
        return;
    ghosts->fields_phase ^= bit;
    ghosts->field_told[field] = 0;
    ghosts->fields_due &= ~bit;
}
