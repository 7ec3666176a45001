/* SPDX-License-Identifier: MIT */
/* What dem_mesh_search and dem_wall_search have in common: the spheres that a host asks about,
 * where the surface is, and the arrays of contacts that it gets. */
#ifndef DEMI_MESH_SPHERES_H
#define DEMI_MESH_SPHERES_H

#include "mesh/near.h"

typedef struct demi_spheres {
    const char *owner; /* the host's struct, for messages; likewise the two members of the pose */
    const char *place_name, *turn_name;
    uint64_t count;
    const uint32_t *rows;
    const double *position;
    uint64_t stride;
    const double *radius;
    double reach;
    const double *place, *turn; /* [3], and a quaternion */
    int64_t reserved;
} demi_spheres;

/* A sphere of the host. */
typedef struct demi_spheres_one {
    uint32_t row;
    const double *x;
    double radius;
} demi_spheres_one;

/* Checks all but the spheres themselves. */
dem_status demi_spheres_check(demi_context *context, const demi_spheres *s);
/* Calls `visit` for each sphere of the call, until one is refused, here or there. */
typedef dem_status demi_spheres_visit(void *argument, const demi_spheres_one *one);
dem_status demi_spheres_each(demi_context *context, const demi_spheres *s,
                             demi_spheres_visit *visit, void *argument);
/* The matrix of a quaternion. */
void demi_spheres_rotation(const double turn[4], double rotation[3][3]);

/* The contacts of a call, in arrays that the host reads until the next one. */
typedef struct demi_spheres_contacts {
    uint64_t count;
    DEMI_ARRAY(uint32_t) pairs, facet;
    DEMI_ARRAY(double) overlap, normal, point, radius;
    demi_mesh_points work, found; /* the latter: of the last sphere on a mesh, in its frame */
} demi_spheres_contacts;

dem_status demi_spheres_reserve(demi_context *context, demi_spheres_contacts *to, uint64_t more);
void demi_spheres_free(demi_context *context, demi_spheres_contacts *of);

/* A contact of a sphere. */
typedef struct demi_spheres_contact {
    uint32_t surface, facet; /* the row that stands for the surface, and which part of it */
    double gap, radius;      /* R* */
    double normal[3], point[3];
} demi_spheres_contact;
/* Appends it; there is room. */
void demi_spheres_append(demi_spheres_contacts *to, const demi_spheres_one *one,
                         const demi_spheres_contact *contact);

/* A mesh of the host. */
typedef struct demi_spheres_mesh {
    const dem_mesh *mesh;
    double cosine;                    /* see demi_mesh_sphere */
    double rotation[3][3], origin[3]; /* of its frame */
    double reach;
    uint32_t row;
} demi_spheres_mesh;
/* Appends the contacts of a sphere with a mesh. */
dem_status demi_spheres_on_mesh(demi_context *context, demi_spheres_contacts *to,
                                const demi_spheres_mesh *mesh, const demi_spheres_one *one);

#endif
