/* SPDX-License-Identifier: MIT */
/* The contact of two polyhedra in the axes of the first. */
#ifndef DEMI_OVERLAP_H
#define DEMI_OVERLAP_H

#include "mesh/polyhedron.h"

/* Room for round-off of bounds, over the size. */
#define OVERLAP_ROOM 1e-6

/* Volume, S and G of the two sides, whose places are written; the direction is a guess. Tells the
 * DEM_POLYHEDRON_ state, and how often the second body was shifted. */
dem_status demi_overlap_find(demi_overlap *o, int *state, int *repeats);
/* overlap.c: demi_overlap.pad for these two bodies */
void demi_overlap_pad(demi_overlap *o);

/* polyhedra.c: the contact of two bodies that are known to be valid, the one of the lower id first;
 * the hint may be NULL. Of the motions, velocities are of use to volume_rate alone. */
dem_status demi_polyhedra_meet(demi_overlap *o, const dem_polyhedron_motion *a,
                               const dem_polyhedron_motion *b, dem_polyhedron_hint *hint,
                               dem_polyhedron_contact *contact);
/* polyhedra.c: a side that gives the axes of all */
void demi_side_at_rest(demi_side *side, const dem_polyhedron *solid);
/* polyhedra.c: what was found, in space; a: the first side */
void demi_polyhedra_contact(const demi_overlap *o, const dem_polyhedron_motion *a,
                            const dem_polyhedron_motion *b, dem_polyhedron_contact *contact);
/* polyhedra.c: a patch of what was found */
void demi_polyhedra_patch(const demi_overlap *o, uint64_t patch, const dem_polyhedron_motion *a,
                          const dem_polyhedron_motion *b, dem_polyhedron_contact *contact);
/* polyhedra.c: the contact of a valid body with a half space; velocity: of the plane, or NULL;
 * border: the length of that of the cut */
void demi_polyhedra_meet_plane(const dem_polyhedron_motion *body, const double point[3],
                               const double normal[3], const double velocity[3], int isa,
                               dem_polyhedron_contact *contact, double *border);
/* polyhedra.c: the patches of what it has in common with the half space, o->patches; and one */
void demi_polyhedra_plane_patches(demi_overlap *o, const dem_polyhedron_motion *body,
                                  const double point[3], const double normal[3]);
void demi_polyhedra_plane_patch(const demi_overlap *o, uint64_t patch,
                                const dem_polyhedron_motion *body, const double point[3],
                                const double normal[3], dem_polyhedron_contact *contact);

#endif
