/* SPDX-License-Identifier: MIT */
/* The spheres that a host asks about, and where the surface is: what dem_mesh_spheres and
 * dem_wall_spheres have in common. */
#ifndef DEMI_MESH_SPHERES_H
#define DEMI_MESH_SPHERES_H

#include "base/context.h"

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
/* Sphere k of the call, or why it is refused. */
dem_status demi_spheres_get(demi_context *context, const demi_spheres *s, uint64_t k,
                            demi_spheres_one *one);
/* The matrix of a quaternion. */
void demi_spheres_rotation(const double turn[4], double rotation[3][3]);

#endif
