/* SPDX-License-Identifier: MIT */
/* Which fields ghosts were told, see ghost_told.h. */
#include "world/ghost_told.h"

#include <string.h>

static dem_status told_reserve(dem_world *w, demi_fields_told *fields, uint64_t handles)
{
    const uint64_t there = demi_array_room(&fields->in);
    const dem_status status = demi_array_reserve(&w->context, &fields->in, handles, 1, "ghosts");
    const uint64_t room = demi_array_room(&fields->in);
    if (status == DEM_OK && room > there)
        memset(fields->in.data + there, 0, (size_t)(room - there) * sizeof(uint32_t));
    return status;
}

dem_status demi_ghost_fields_reserve(dem_world *w, uint64_t handles)
{
    const dem_status status = told_reserve(w, &w->ghosts.fields, handles);
    return status == DEM_OK ? told_reserve(w, &w->ghosts.part_fields, handles) : status;
}

void demi_ghost_fields_got(demi_fields_told *fields)
{
    const uint64_t room = demi_array_room(&fields->in);
    fields->due = fields->phase = 0;
    memset(fields->told, 0, sizeof fields->told);
    if (room > 0)
        memset(fields->in.data, 0, (size_t)room * sizeof(uint32_t));
}

void demi_ghost_fields_forget(dem_world *w)
{
    demi_ghosts *ghosts = &w->ghosts;
    demi_ghost_fields_got(&ghosts->fields);
    demi_ghost_fields_got(&ghosts->part_fields);
    for (uint64_t k = 0; ghosts->bodies_due > 0 && k < w->rigids; ++k)
        w->rigid.data[k].due = 0;
    ghosts->bodies_due = 0;
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

/* Fields that `count` ghosts are to get. */
static void told_written(const dem_world *w, demi_fields_told *to, uint64_t count, uint32_t fields)
{
    for (int f = 0; count > 0 && f < DEMI_FIELDS; ++f) {
        const uint32_t bit = 1u << f;
        if ((fields & bit) == 0 || demi_field_first(w, &demi_fields[f]) == NULL)
            continue;
        to->due |= bit;
        /* those that have the old values are to get the new ones; handles that came since ghosts
         * were set are none */
        const uint64_t room = demi_array_room(&to->in),
                       handles = w->handles < room ? w->handles : room;
        for (uint64_t k = 0; to->told[f] > 0 && k < handles; ++k)
            to->in.data[k] = (to->in.read[k] & ~bit) | (to->phase & bit);
        to->told[f] = 0;
    }
}

void demi_ghost_fields_written(dem_world *w, uint32_t fields)
{
    demi_ghosts *ghosts = &w->ghosts;
    if ((fields & DEMI_TOUCHED_OUTER) != 0)
        bodies_written(w);
    told_written(w, &ghosts->fields, ghosts->count - ghosts->parts, fields & DEMI_TOUCHED_GHOSTS);
    told_written(w, &ghosts->part_fields, ghosts->parts, fields & DEMI_TOUCHED_PARTS);
}

/* The same of `count` ghosts, which are told by one of two functions. */
static dem_status told_check(dem_world *w, const demi_fields_told *of, uint64_t count,
                             const char *function, const char *who, const char *set)
{
    int f = 0;
    if (of->due == 0)
        return DEM_OK;
    while ((of->due >> f & 1u) == 0)
        ++f;
    return demi_fail(&w->context, DEM_ERROR_STATE,
                     "%s: %s was written, and %llu of %llu %s did not get what their owners have: "
                     "call dem_ghosts_field_set or %s",
                     function, demi_fields[f].constant, (unsigned long long)(count - of->told[f]),
                     (unsigned long long)count, who, set);
}

dem_status demi_ghost_fields_check(dem_world *w, const char *function)
{
    const demi_ghosts *ghosts = &w->ghosts;
    if (ghosts->bodies_due > 0)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "%s: an external force or torque was written, and %llu of %llu ghosts "
                         "that are bodies did not get their load: call dem_ghost_bodies_loads_set "
                         "or dem_ghost_bodies_set",
                         function, (unsigned long long)ghosts->bodies_due,
                         (unsigned long long)ghosts->bodies);
    const dem_status status = told_check(w, &ghosts->fields, ghosts->count - ghosts->parts,
                                         function, "ghosts", "dem_ghosts_set");
    return status == DEM_OK ? told_check(w, &ghosts->part_fields, ghosts->parts, function,
                                         "parts of ghosts that are bodies", "dem_ghost_bodies_set")
                            : status;
}

/* When all have it no mark need be cleared: they change their meaning. */
void demi_ghost_field_tell(demi_ghosts *ghosts, int part, uint32_t handle, int32_t field)
{
    demi_fields_told *fields = part ? &ghosts->part_fields : &ghosts->fields;
    const uint64_t count = part ? ghosts->parts : ghosts->count - ghosts->parts;
    const uint32_t bit = 1u << field;
    if (((fields->in.read[handle] ^ fields->phase) & bit) != 0)
        return;
    fields->in.data[handle] ^= bit;
    if (++fields->told[field] < count)
        return;
    fields->phase ^= bit;
    fields->told[field] = 0;
    fields->due &= ~bit;
}
