/* SPDX-License-Identifier: MIT */
/* Whether two facets cross, by signs of determinants. The arguments of a determinant have a fixed
 * order, so that all facets which share an edge or a vertex compute the same number. The three of a
 * facet are places of a vector, and signs are bits: 1 for a positive number. */
#include "base/vector.h"
#include "mesh/polyhedron.h"

DEMI_ENTRY(demi_facets_cross_function, demi_facets_cross);

enum { CORNERS = 7 };

/* Heights of the vertices of one facet above the plane of the other; whether some are on each
 * side. */
static DEMI_INLINE int pierce_heights(const demi_near_facet *of, const demi_near_facet *plane,
                                      int sense, demi_v4 *height, uint32_t *above)
{
    const demi_v4 none = {0.0, 0.0, 0.0, 0.0};
    const double *n = plane->normal;
    *height = n[0] * (*demi_v4_at(of->x[0]) - plane->x[0][0]) +
              n[1] * (*demi_v4_at(of->x[1]) - plane->x[1][0]) +
              n[2] * (*demi_v4_at(of->x[2]) - plane->x[2][0]);
    *above = demi_v4_below(&none, height) & CORNERS;
    const uint32_t zero = ~(*above | demi_v4_below(height, &none)) & CORNERS;
    if (zero != 0 && demi_sign(0.0, n, sense) > 0)
        *above |= zero;
    return *above != 0 && *above != CORNERS;
}

/* On which side edge k of a passes the edges of b, as these run in their facets. */
static DEMI_INLINE uint32_t pierce_edges(const demi_near_facet *a, int k, const demi_near_facet *b)
{
    const demi_v4 none = {0.0, 0.0, 0.0, 0.0};
    demi_v4 cross[3], d[3];
    for (int c = 0; c < 3; ++c) {
        const int i = (c + 1) % 3, j = (c + 2) % 3;
        cross[c] =
            a->along[i][k] * *demi_v4_at(b->along[j]) - a->along[j][k] * *demi_v4_at(b->along[i]);
        d[c] = *demi_v4_at(b->from[c]) - a->from[c][k];
    }
    const demi_v4 value = cross[0] * d[0] + cross[1] * d[1] + cross[2] * d[2];
    uint32_t left = demi_v4_below(&none, &value) & CORNERS;
    uint32_t zero = ~(left | demi_v4_below(&value, &none)) & CORNERS;
    for (; zero != 0; zero &= zero - 1) {
        const int l = __builtin_ctz(zero);
        const double change[3] = {cross[0][l], cross[1][l], cross[2][l]};
        left |= (uint32_t)(demi_sign(0.0, change, 1) > 0) << l;
    }
    const uint32_t turned = (a->forward >> k & 1u) != 0 ? 0 : CORNERS;
    return left ^ turned ^ (~b->forward & CORNERS);
}

/* The piercing of an edge whose vertices are on both sides. */
static DEMI_INLINE void pierce_at(const demi_near_facet *f, int edge, const demi_v4 *height,
                                  uint32_t above, demi_piercing *to)
{
    const int next = (edge + 1) % 3, forward = f->forward >> edge & 1u;
    const int from = forward ? edge : next, end = forward ? next : edge;
    const double *h = (const double *)height;
    to->part = h[from] / (h[from] - h[end]);
    for (int c = 0; c < 3; ++c)
        to->at[c] = f->from[c][edge] + to->part * f->along[c][edge];
    to->edge = f->edge[edge];
    to->sign = (above >> from & 1u) != 0 ? 1 : -1;
    to->forward = forward;
}

int demi_facets_cross(const demi_near_facet *a, const demi_near_facet *b, demi_crossing *crossing)
{
    const demi_near_facet *const facet[2] = {a, b};
    demi_v4 height[2];
    uint32_t above[2], left[3];
    int found[2] = {0, 0};
    if (!pierce_heights(a, b, -1, &height[0], &above[0]) ||
        !pierce_heights(b, a, 1, &height[1], &above[1]))
        return 0;
    for (int k = 0; k < 3; ++k)
        left[k] = pierce_edges(a, k, b);
    /* edges that pass all those of the other facet on their left, and on their right */
    uint32_t inward[2] = {0, left[0] & left[1] & left[2]},
             outward[2] = {0, ~(left[0] | left[1] | left[2])};
    for (int k = 0; k < 3; ++k) {
        inward[0] |= (uint32_t)(left[k] == CORNERS) << k;
        outward[0] |= (uint32_t)(left[k] == 0) << k;
    }
    for (int s = 0; s < 2; ++s)
        for (int k = 0; k < 3; ++k) {
            /* it enters where it comes from above; then it passes all edges on their left */
            const uint32_t enters = above[s] >> k & 1u;
            if (enters == (above[s] >> (k + 1) % 3 & 1u) ||
                ((enters != 0 ? inward[s] : outward[s]) >> k & 1u) == 0)
                continue;
            const int end = s == 0 ? enters != 0 : enters == 0;
            if (found[end]++ > 0)
                return -1;
            pierce_at(facet[s], k, &height[s], above[s], &crossing->end[end]);
            crossing->end[end].side = s;
        }
    return found[0] == found[1] ? found[0] : -1;
}
