/* SPDX-License-Identifier: MIT */
/* A batch of contacts that are read: what its lanes are filled with, and who is in them. */
#ifndef DEMI_READING_H
#define DEMI_READING_H

#include "world/world.h"

/* Fills lanes 0..DEMI_PADDED(count)-1 with the contacts of a reading, in src/world/simd/read.c:
 * bodies as they are now, states as they are kept. */
typedef void demi_read_function(const dem_world *w, const demi_reading *reading, demi_lanes *lanes);
/* read_ahead.c: brings bodies in lanes to the end of the step of dt that is next. */
void demi_reading_ahead(const dem_world *w, const demi_reading *reading, double dt,
                        demi_lanes *lanes);

static inline const demi_batch_group *demi_reading_group(const dem_world *w,
                                                         const demi_reading *reading)
{
    return &w->list.batch_group.data[reading->batch_group];
}

/* From the centre of a sphere to the contact point: in the middle of the overlap, or on a wall. */
static inline double demi_contact_arm(double radius, double overlap, int wall)
{
    return radius - (wall ? 1.0 : 0.5) * overlap;
}

/* Who the contact of a lane is. */
static inline demi_ends demi_reading_ends(const dem_world *w, const demi_reading *reading,
                                          uint64_t k, int first)
{
    const demi_ends ends = {.own = reading->own[k],
                            .other = reading->other[k],
                            .first = first,
                            .wall = demi_reading_group(w, reading)->shape != DEMI_SHAPE_SPHERE,
                            .shift = reading->shift[k],
                            .feature = reading->feature[k]};
    return ends;
}

/* What is kept of a contact of polyhedra. */
static inline const demi_faceted_contact *
demi_reading_faceted(const dem_world *w, const demi_reading *reading, uint64_t k)
{
    const double *end = reading->state[k] + demi_reading_group(w, reading)->state_stride;
    return (const void *)(end - DEMI_FACETED_KEPT);
}

/* Whether the row that the chunk owns is i. */
static inline int demi_own_first(const demi_batch_group *group)
{
    return group->ends != DEMI_LOCALITY_COPY_I;
}

#endif
