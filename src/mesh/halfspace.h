/* SPDX-License-Identifier: MIT */
/* What a polyhedron has in common with a half space, in the axes of the polyhedron. */
#ifndef DEMI_HALFSPACE_H
#define DEMI_HALFSPACE_H

#include "mesh/polyhedron.h"

typedef struct demi_halfspace {
    double normal[3], place; /* where normal.x <= place */
    double volume, area;     /* of what is behind the plane, and of the cut */
    double centre[3];        /* of the cut */
} demi_halfspace;

/* Fills volume, area and centre. Returns the DEM_POLYHEDRON_ state. */
int demi_halfspace_cut(const dem_polyhedron *solid, demi_halfspace *h, int isa);

#endif
