/* SPDX-License-Identifier: MIT */
/* Walls of all shapes as meshes, which polyhedra touch. */
#ifndef DEMI_SHAPES_FACETS_H
#define DEMI_SHAPES_FACETS_H

#include "shapes/shape.h"

/* Least and greatest number of flat sides of what is round, powers of 2. */
enum { DEMI_FACETS_LEAST = 64, DEMI_FACETS_MOST = 65536 };
/* What flat sides may be off, over the radius of the sphere around the smallest polyhedron. */
#define DEMI_FACETS_OFF 1e-5

/* Why a wall, which is no plane, cannot be facets; NULL if it can. */
const char *demi_facets_refuse(const demi_shape *shape, const demi_solid *solid);
/* How many flat sides a wall needs beside polyhedra of such a radius: a power of 2; 0 where nothing
 * is round. More than the greatest number are too many. */
uint64_t demi_facets_sides(const demi_shape *shape, const demi_solid *solid, double radius);
/* The mesh of such a wall in its coordinates, with the outer side to the particles. The facets of a
 * feature follow those of the feature before it. */
dem_status demi_facets_make(demi_context *context, const demi_shape *shape, const demi_solid *solid,
                            uint64_t sides, dem_mesh **mesh);

#endif
