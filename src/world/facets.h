/* SPDX-License-Identifier: MIT */
/* What particles do to the facets and vertices of walls that are meshes. */
#ifndef DEMI_FACETS_H
#define DEMI_FACETS_H

#include "world/world.h"

/* Sums the forces on the facets or the vertices of a wall, which stay with it. */
dem_status demi_facets_forces(dem_world *w, uint64_t index, int vertices, double **force);

#endif
