/* SPDX-License-Identifier: MIT */
/* Added mass: fluid that a particle takes along when it is accelerated. It is inertia alone: the
 * last place of a row's velocity has 1/(mass + added mass), by which contacts, limits on the time
 * step and drag see it, too. Weight stays what it was. */
#ifndef DEMI_ADDED_MASS_H
#define DEMI_ADDED_MASS_H

#include "world/world.h"

typedef struct demi_added_mass {
    double mass;         /* what the host wrote */
    double weight_share; /* mass/(mass + added mass), by which gravity accelerates; 1 without */
    double unused[2];
} demi_added_mass;

/* That of a row, where the array is there. */
static inline demi_added_mass *demi_added_mass_of(const dem_world *w, uint64_t row)
{
    return (demi_added_mass *)(void *)w->added_mass.data[row];
}

/* That which the host wrote last, also where no step has looked at it: what is read between two
 * steps counts it, as it counts velocities, so that a world that was restored reads the same. */
static inline double demi_added_mass_written_of(const dem_world *w, uint64_t row)
{
    return w->added_mass.read != NULL ? demi_added_mass_of(w, row)->mass : 0.0;
}

/* That of all rows, or NULL where no row has any. */
static inline const demi_added_mass *demi_added_masses(const dem_world *w)
{
    return w->mass_added ? demi_added_mass_of(w, 0) : NULL;
}

/* What rows keep of their masses follows the column, which was checked. Where an inertia changes,
 * forces and limits on the time step are stale. */
void demi_added_mass_settle(dem_world *w);
/* write.c: the same where the column was written through a view; fails where what was written is
 * wrong. */
dem_status demi_added_mass_written(dem_world *w);
/* The share of gravity, and whether any row has added mass: for a world that was restored. */
void demi_added_mass_restore(dem_world *w);

#endif
