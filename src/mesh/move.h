/* SPDX-License-Identifier: MIT */
/* Copies of a mesh with vertices that move. */
#ifndef DEMI_MESH_MOVE_H
#define DEMI_MESH_MOVE_H

#include "mesh/mesh.h"

/* A copy with velocities of 0, in memory of an allocator; NULL where there is none. */
dem_mesh *demi_mesh_copy(const dem_mesh *mesh, const dem_allocator *allocator);
/* A mesh of its own, as another one is now, whose vertices do not move; NULL likewise. */
dem_mesh *demi_mesh_still(const dem_mesh *mesh, const dem_allocator *allocator);
/* Gives a copy the vertices and velocities of another copy, with all that follows. */
void demi_mesh_follow(dem_mesh *mesh, dem_mesh *other);
/* The vertices of another copy after some time, and its velocities. */
void demi_mesh_move(dem_mesh *mesh, dem_mesh *other, double time);
/* What moving changes was written, so that no other copy is the same any more. */
void demi_mesh_written(dem_mesh *mesh);
/* What follows from vertices and velocities that were written. */
void demi_mesh_renew(dem_mesh *mesh);
/* Sets vertices and velocities, where they are not NULL. Tells how far a vertex moved at most. */
double demi_mesh_set(dem_mesh *mesh, const double *vertices, const double *velocities);

#endif
