/* SPDX-License-Identifier: MIT */
/* What a polyhedron has in common with a half space, in the axes of the polyhedron. */
#ifndef DEMI_HALFSPACE_H
#define DEMI_HALFSPACE_H

#include "mesh/polyhedron.h"

typedef struct demi_halfspace {
    double normal[3], place; /* where normal.x <= place */
    double volume, area;     /* of what is behind the plane, and of the cut */
    double border;           /* length of that of the cut */
    double centre[3];        /* of the cut */
} demi_halfspace;

/* Fills volume, area, border and centre. Returns the DEM_POLYHEDRON_ state. */
int demi_halfspace_cut(const dem_polyhedron *solid, demi_halfspace *h, int isa);
/* The connected parts of what is behind the plane, in o->patch, as of demi_overlap; there is room
 * for the polyhedron in o. Volume, area and centre of one. */
void demi_halfspace_patches(demi_overlap *o, const dem_polyhedron *solid, const demi_halfspace *h,
                            int isa);
void demi_halfspace_patch(const demi_overlap *o, uint64_t patch, demi_halfspace *h);
/* patches.c: a node of the part that has one, and makes the parts of two one */
uint32_t demi_patches_root(uint32_t *root, uint32_t node);
void demi_patches_unite(uint32_t *root, uint32_t a, uint32_t b);
/* patches.c: parts that are hollow go to those that they are in, and those without a volume, which
 * is below `roundoff` then, to none */
void demi_patches_join(demi_overlap *o, double roundoff);

/* Round-off of the volume of a patch, over the cube of the size. */
#define DEMI_PATCHES_ROUND 1e-14

#endif
