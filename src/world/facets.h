/* SPDX-License-Identifier: MIT */
/* What particles do to the facets and vertices of walls that are meshes. */
#ifndef DEMI_FACETS_H
#define DEMI_FACETS_H

#include "world/world.h"

/* A contact with a mesh at the end of a step. */
typedef struct demi_facet_contact {
    uint64_t row, wall;
    const demi_solid *solid;
    const double *force;                 /* on the mesh */
    demi_mesh_point at;                  /* of a sphere */
    const demi_faceted_contact *faceted; /* of a polyhedron; NULL: of a sphere */
    demi_ends ends;
    const demi_state *state;
} demi_facet_contact;

/* What a facet has of a contact of a polyhedron: which part of it, its force, and where the middle
 * of what it has is, along the axes of the mesh. */
typedef struct demi_facet_share {
    uint32_t facet;
    double weight, force[3], middle[3];
} demi_facet_share;
typedef void demi_facet_share_function(dem_world *w, const demi_facet_contact *contact,
                                       const demi_facet_share *share, double *number);
/* facet_shares.c: room for those of a wall, or of all, UINT64_MAX; calls a function for each of a
 * contact */
dem_status demi_facet_shares_reserve(dem_world *w, uint64_t index);
void demi_facet_shares(dem_world *w, const demi_facet_contact *contact,
                       demi_facet_share_function *function, double *number);

/* Sums the forces on the facets or the vertices of a wall, which stay with it. */
dem_status demi_facets_forces(dem_world *w, uint64_t index, int vertices, double **force);

#endif
