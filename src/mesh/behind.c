/* SPDX-License-Identifier: MIT */
/* How far a surface goes on behind its rim. A bump without a floor, or a wall of some thickness,
 * has another part of itself there, which faces the other way: what goes on through that part would
 * stick out of it, in the way of bodies on the other side. */
#include "base/check.h"
#include "mesh/faces.h"
#include "mesh/near.h"

/* Where the search begins, over the greatest depth; and how exact the depth is, in halvings. */
#define BEHIND_FIRST 1e-7
enum { BEHIND_HALVINGS = 30 };

/* Whether a place behind a vertex is nearest to a part of the surface that faces the vertex. */
static int behind_faces(const dem_mesh *mesh, const double x[3], const double n[3], double deep,
                        double *distance)
{
    double at[3], d[3];
    for (int c = 0; c < 3; ++c)
        at[c] = x[c] - deep * n[c];
    const demi_mesh_point nearest = demi_mesh_closest(mesh, at);
    for (int c = 0; c < 3; ++c)
        d[c] = nearest.point[c] - at[c];
    *distance = nearest.distance;
    /* its normal is more than 120 degrees from the one here */
    return demi_dot(d, n) < -0.5 * nearest.distance;
}

double demi_mesh_behind(const dem_mesh *mesh, const double x[3], const double n[3], double most)
{
    double low = 0.0, high = BEHIND_FIRST * most, distance;
    /* nothing is nearer than the distance, so that no part is passed over */
    while (high < most && !behind_faces(mesh, x, n, high, &distance)) {
        low = high;
        high += 0.5 * (distance > 0.1 * high ? distance : 0.1 * high);
    }
    if (high >= most)
        return most;
    for (int k = 0; k < BEHIND_HALVINGS; ++k) {
        const double middle = 0.5 * (low + high);
        if (behind_faces(mesh, x, n, middle, &distance))
            high = middle;
        else
            low = middle;
    }
    return low;
}
