/* SPDX-License-Identifier: MIT */
/* The contact of a polyhedron with a face of a wall, in the axes of the polyhedron. */
#include "mesh/faces.h"
#include "mesh/near.h"

#include <dem/rotation.h>

#include <string.h>

/* Axes and origin of the mesh in those of the body. */
static void face_place(demi_overlap *o, const dem_polyhedron_motion *body, const demi_face *face,
                       double axes[3][3], const double point[3])
{
    demi_side *side = &o->side[1];
    double column[3];
    demi_side_at_rest(&o->side[0], body->shape);
    side->solid = &face->surface;
    for (int k = 0; k < 3; ++k) {
        for (int c = 0; c < 3; ++c)
            column[c] = axes[c][k];
        dem_kernel_rotation_to_body(body->orientation, column);
        for (int c = 0; c < 3; ++c)
            side->turn[c][k] = column[c];
    }
    for (int c = 0; c < 3; ++c)
        side->shift[c] = point[c] - body->position[c];
    dem_kernel_rotation_to_body(body->orientation, side->shift);
    o->surface = face->facets;
    o->seek = 0; /* directions of faces are those of their normals */
}

/* A direction from the body to the face; 0 where they are apart. */
static int face_guess(demi_overlap *o, const dem_polyhedron_motion *body, const demi_face *face,
                      const double *hint)
{
    const demi_side *side = &o->side[1];
    const dem_mesh *mesh = face->surface.mesh;
    for (int c = 0; hint != NULL && c < 3; ++c)
        o->direction[c] = -hint[c];
    if (hint != NULL) {
        dem_kernel_rotation_to_body(body->orientation, o->direction);
        return 1;
    }
    const double middle[3] = {-side->shift[0], -side->shift[1], -side->shift[2]};
    double centre[3];
    demi_side_back(side, middle, centre);
    const demi_mesh_point at = demi_mesh_closest(mesh, centre);
    if (!(at.distance <= body->shape->radius * (1.0 + OVERLAP_ROOM)))
        return 0;
    const double *n = mesh->normal.read + 3 * (uint64_t)at.facet;
    for (int c = 0; c < 3; ++c)
        o->direction[c] =
            -(side->turn[c][0] * n[0] + side->turn[c][1] * n[1] + side->turn[c][2] * n[2]);
    return 1;
}

dem_status demi_face_meet(demi_overlap *o, const dem_polyhedron_motion *body, const demi_face *face,
                          double axes[3][3], const double point[3], const double *hint,
                          dem_polyhedron_contact *contact)
{
    dem_polyhedron_motion wall;
    dem_status status = DEM_OK;
    memset(contact, 0, sizeof *contact);
    memset(&wall, 0, sizeof wall);
    memcpy(wall.position, point, sizeof wall.position);
    face_place(o, body, face, axes, point);
    if (face_guess(o, body, face, hint))
        status = demi_overlap_find(o, &contact->state, &contact->repeats);
    o->surface = 0;
    if (status == DEM_OK && contact->state == DEM_POLYHEDRON_TOUCHING)
        demi_polyhedra_contact(o, body, &wall, contact);
    return status;
}
