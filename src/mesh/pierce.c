/* SPDX-License-Identifier: MIT */
/* Whether two facets cross, by signs of determinants. The arguments of a determinant have a fixed
 * order, so that all facets which share an edge or a vertex compute the same number. */
#include "base/check.h"
#include "mesh/polyhedron.h"

/* Heights of the vertices of one facet above the plane of the other; whether some are on each
 * side. */
static int pierce_heights(const demi_near_facet *of, const demi_near_facet *plane, int sense,
                          double height[3], int sign[3])
{
    for (int k = 0; k < 3; ++k) {
        const double d[3] = {of->x[k][0] - plane->x[0][0], of->x[k][1] - plane->x[0][1],
                             of->x[k][2] - plane->x[0][2]};
        height[k] = demi_dot(plane->normal, d);
        sign[k] = demi_sign(height[k], plane->normal, sense);
    }
    return sign[0] != sign[1] || sign[1] != sign[2];
}

/* The vertex with which an edge begins in the mesh. */
static int pierce_from(const demi_near_facet *f, int edge)
{
    return f->forward[edge] > 0 ? edge : (edge + 1) % 3;
}

/* On which side edge k of a passes edge l of b, as these run in their facets. */
static int pierce_edges(const demi_near_facet *a, int k, const demi_near_facet *b, int l)
{
    const double *p = a->x[pierce_from(a, k)], *q = b->x[pierce_from(b, l)];
    const double d[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    double cross[3];
    demi_mesh_cross(a->along[k], b->along[l], cross);
    return a->forward[k] * b->forward[l] * demi_sign(demi_dot(cross, d), cross, 1);
}

/* The piercing of an edge whose vertices are on both sides. */
static void pierce_at(const demi_near_facet *f, int edge, const double height[3], const int sign[3],
                      demi_piercing *to)
{
    const int from = pierce_from(f, edge), end = from == edge ? (edge + 1) % 3 : edge;
    to->part = height[from] / (height[from] - height[end]);
    for (int c = 0; c < 3; ++c)
        to->at[c] = f->x[from][c] + to->part * f->along[edge][c];
    to->edge = f->edge[edge];
    to->sign = sign[from];
    to->forward = f->forward[edge] > 0;
}

int demi_facets_cross(const demi_near_facet *a, const demi_near_facet *b, demi_crossing *crossing)
{
    double height[2][3];
    int sign[2][3], side[3][3], found[2] = {0, 0};
    if (!pierce_heights(a, b, -1, height[0], sign[0]) ||
        !pierce_heights(b, a, 1, height[1], sign[1]))
        return 0;
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
            side[k][l] = pierce_edges(a, k, b, l);
    for (int k = 0; k < 3; ++k) {
        /* it enters where it comes from above; then it passes all edges on their left */
        const int enters = sign[0][k];
        if (enters == sign[0][(k + 1) % 3] || side[k][0] != enters || side[k][1] != enters ||
            side[k][2] != enters)
            continue;
        const int end = enters > 0;
        if (found[end]++ > 0)
            return -1;
        pierce_at(a, k, height[0], sign[0], &crossing->end[end]);
        crossing->end[end].side = 0;
    }
    for (int l = 0; l < 3; ++l) {
        const int enters = sign[1][l];
        if (enters == sign[1][(l + 1) % 3] || side[0][l] != enters || side[1][l] != enters ||
            side[2][l] != enters)
            continue;
        const int end = enters < 0;
        if (found[end]++ > 0)
            return -1;
        pierce_at(b, l, height[1], sign[1], &crossing->end[end]);
        crossing->end[end].side = 1;
    }
    return found[0] == found[1] ? found[0] : -1;
}
