/* SPDX-License-Identifier: MIT */
/* The contacts of a sphere with a mesh, in the frame of the mesh.
 *
 * The deepest point always is a contact. Further points are where they are local minima of the
 * distance and their normals differ by more than an angle from those of all contacts before. No
 * state is needed, and no facet counts for more than its surface: duplicates, slivers and thin
 * plates change nothing. */
#ifndef DEMI_MESH_NEAR_H
#define DEMI_MESH_NEAR_H

#include "mesh/mesh.h"

/* Parts of a facet that a point is nearest to; the lower one is taken where two are as near. */
enum { DEMI_REGION_FACE = 0, DEMI_REGION_EDGE = 1, DEMI_REGION_VERTEX = 2 };

/* A point of a facet that is nearest to a centre. */
typedef struct demi_mesh_point {
    double distance, normal[3], point[3];
    uint32_t facet;
    uint32_t part; /* the edge or vertex */
    int32_t region;
} demi_mesh_point;

typedef struct demi_mesh_sphere {
    double centre[3], radius, reach;
    double cosine; /* of the angle between the normals of two contacts */
} demi_mesh_sphere;

/* Points that may be contacts, in room that grows. */
typedef struct demi_mesh_points {
    DEMI_ARRAY(demi_mesh_point) point;
    uint64_t count;
} demi_mesh_points;

/* Nearest point of a facet that is not degenerate. */
demi_mesh_point demi_mesh_nearest(const dem_mesh *mesh, uint32_t facet, const double centre[3]);

/* The point of the mesh that is nearest to a centre; at a distance of INFINITY where all facets are
 * degenerate. */
demi_mesh_point demi_mesh_closest(const dem_mesh *mesh, const double centre[3]);

/* On which side of a convex solid the centre is whose nearest point this is: 1 outside, -1 within.
 */
double demi_mesh_side(const dem_mesh *mesh, const demi_mesh_point *at);

/* sides.c: whether the centre is within a solid of any form that has this nearest point, or this
 * local minimum of the distance. */
int demi_mesh_from_within(const dem_mesh *mesh, const demi_mesh_point *at);
/* sides.c: drops those of some points that the centre is within; how many are left. */
uint64_t demi_mesh_drop_within(const dem_mesh *mesh, demi_mesh_point *point, uint64_t count);

/* Whether a point of the mesh is nearer to a centre than a distance. */
int demi_mesh_within(const dem_mesh *mesh, const double centre[3], double distance);

/* The points of all facets that are near enough to a sphere; how many there are, which may be more
 * than there is room for. */
uint64_t demi_mesh_gather(const dem_mesh *mesh, const demi_mesh_sphere *sphere,
                          demi_mesh_point *point, uint64_t room);
/* Facets near a place, so that a sphere that stays there need not look at others. What is kept
 * tells by itself whether it serves. */
enum { DEMI_NEARBY_MOST = 18, DEMI_NEARBY_RINGS = 255 };
typedef struct demi_mesh_nearby {
    double centre[3];
    double within; /* facets that are nearer to the centre are listed; 0: nothing is known yet */
    uint32_t place[DEMI_NEARBY_MOST]; /* of facets in the order of the tree's leaves */
    float first; /* no facet is nearer than this part of `within`, where the rings begin */
    uint8_t ring[DEMI_NEARBY_MOST];
    uint8_t facets; /* more than DEMI_NEARBY_MOST: too many to list */
    uint8_t steps;  /* that the list has served, up to UINT8_MAX */
} demi_mesh_nearby;

/* As demi_mesh_gather, of a mesh whose vertices stay. Where the sphere has moved too far, what is
 * kept is made anew for a way of `margin`. */
uint64_t demi_mesh_gather_nearby(const dem_mesh *mesh, const demi_mesh_sphere *sphere,
                                 demi_mesh_nearby *nearby, double margin, demi_mesh_point *point,
                                 uint64_t room);
/* The contacts among `count` such points, which are overwritten, the deepest first; how many there
 * are, of which the first `most` are written. */
uint64_t demi_mesh_pick(const dem_mesh *mesh, const demi_mesh_sphere *sphere, demi_mesh_point *work,
                        uint64_t count, demi_mesh_point *found, uint64_t most);

/* The point nearest to a centre among those within a distance whose normals are like a normal, as
 * demi_mesh_pick tells them apart; the sphere has the cosine of the angle. Where there is none,
 * `found` stays. Tells how many points there are within the distance, which may be more than there
 * is room for; then nothing is done. */
uint64_t demi_mesh_nearest_like(const dem_mesh *mesh, const demi_mesh_sphere *sphere,
                                const double normal[3], demi_mesh_point *work, uint64_t room,
                                demi_mesh_point *found);

/* Appends the contacts of a sphere to `found`, the deepest first. `work` is overwritten. */
dem_status demi_mesh_contacts(demi_context *context, const dem_mesh *mesh,
                              const demi_mesh_sphere *sphere, demi_mesh_points *work,
                              demi_mesh_points *found);

/* Weights of the vertices of a contact's facet, whose sum is 1 and whose mean is the point. */
void demi_mesh_weights(const dem_mesh *mesh, const demi_mesh_point *contact, double weight[3]);

#endif
