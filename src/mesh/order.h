/* SPDX-License-Identifier: MIT */
/* The lexicographic order of points. */
#ifndef DEMI_MESH_ORDER_H
#define DEMI_MESH_ORDER_H

static inline int demi_before(const double *a, const double *b)
{
    for (int c = 0; c < 2; ++c)
        if (a[c] != b[c])
            return a[c] < b[c];
    return a[2] < b[2];
}

#endif
