/* SPDX-License-Identifier: MIT */
/* Meshes of walls that polyhedra touch.
 *
 * A mesh falls into faces: facets that are connected over edges, except over hollow ones that are
 * sharper than an angle. What a polyhedron has behind a face has a volume, as what it has in common
 * with a solid: the lines in which the surfaces cross close on the polyhedron. Where a face ends
 * within a polyhedron they would not, so a face goes on behind its rim, against its normal, and if
 * it has another part of itself there, nearly to the middle between them. A flat face of any facets
 * is a half space then, as far as it reaches; a closed mesh is one face, and a solid. */
#ifndef DEMI_FACES_H
#define DEMI_FACES_H

#include "mesh/overlap.h"

typedef struct demi_face {
    dem_polyhedron surface; /* its mesh, and no volume */
    uint64_t facets;        /* of the wall; those after them continue it */
    /* of each facet the one of the wall: of those that continue it the one at whose rim they are */
    DEMI_ARRAY(uint32_t) of;
} demi_face;

typedef struct demi_faces {
    dem_mesh *mesh; /* that they are of, with a reference; NULL: there are none */
    double cosine;
    uint64_t count;
    DEMI_ARRAY(demi_face) face;
} demi_faces;

/* Fills `faces`, which has none. `most`: so many may be; more are counted alone. clear: no face has
 * another part of itself behind its rim. */
dem_status demi_faces_make(demi_context *context, dem_mesh *mesh, double cosine, uint64_t most,
                           int clear, demi_faces *faces);
void demi_faces_free(demi_context *context, demi_faces *faces);
uint64_t demi_faces_bytes(const demi_faces *faces);

/* behind.c: how far one may go from x, a vertex with the normal n, against n until the nearest part
 * of the surface is one that faces x; at most `most`. */
double demi_mesh_behind(const dem_mesh *mesh, const double x[3], const double n[3], double most);

/* The contact of a valid body, the first one, with a face. axes: of the mesh in space, in columns;
 * point: its origin; hint: a normal of the contact, or NULL. */
dem_status demi_face_meet(demi_overlap *o, const dem_polyhedron_motion *body, const demi_face *face,
                          double axes[3][3], const double point[3], const double *hint,
                          dem_polyhedron_contact *contact);

#endif
