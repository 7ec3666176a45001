/* SPDX-License-Identifier: MIT */
/**
 * @file icosphere.h
 * A sphere of triangles: the facets of an icosahedron, divided.
 */
#ifndef DEM_TEST_ICOSPHERE_H
#define DEM_TEST_ICOSPHERE_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/** The facets of an icosahedron; its vertices are in icosphere_start. */
static const uint32_t icosphere_first[20][3] = {
    {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};

static inline void icosphere_unit(double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int c = 0; c < 3; ++c)
        v[c] /= length;
}

static inline void icosphere_start(double x[12][3])
{
    const double t = 0.5 * (1.0 + sqrt(5.0));
    const double start[12][3] = {{-1, t, 0}, {1, t, 0}, {-1, -t, 0}, {1, -t, 0},
                                 {0, -1, t}, {0, 1, t}, {0, -1, -t}, {0, 1, -t},
                                 {t, 0, -1}, {t, 0, 1}, {-t, 0, -1}, {-t, 0, 1}};
    for (int k = 0; k < 12; ++k) {
        for (int c = 0; c < 3; ++c)
            x[k][c] = start[k][c];
        icosphere_unit(x[k]);
    }
}

/** Unit vectors, four facets for each one of the level before. Returns the number of facets; each
 * has vertices of its own. The caller frees *x. */
static inline uint64_t icosphere_facets(int level, double **x)
{
    double start[12][3];
    uint64_t count = 20;
    double *now = malloc(20 * 9 * sizeof(*now));
    if (now == NULL)
        abort();
    icosphere_start(start);
    for (int f = 0; f < 20; ++f)
        for (int k = 0; k < 3; ++k)
            for (int c = 0; c < 3; ++c)
                now[9 * f + 3 * k + c] = start[icosphere_first[f][k]][c];
    for (; level > 0; --level, count *= 4) {
        double *next = malloc(count * 36 * sizeof(*next));
        if (next == NULL)
            abort();
        for (uint64_t f = 0; f < count; ++f) {
            const double *v = now + 9 * f;
            double m[3][3];
            for (int k = 0; k < 3; ++k) {
                for (int c = 0; c < 3; ++c)
                    m[k][c] = v[3 * k + c] + v[3 * ((k + 1) % 3) + c];
                icosphere_unit(m[k]);
            }
            const double *const part[4][3] = {
                {v, m[0], m[2]}, {m[0], v + 3, m[1]}, {m[2], m[1], v + 6}, {m[0], m[1], m[2]}};
            for (int n = 0; n < 4; ++n)
                for (int k = 0; k < 3; ++k)
                    for (int c = 0; c < 3; ++c)
                        next[36 * f + (uint64_t)(9 * n + 3 * k + c)] = part[n][k][c];
        }
        free(now);
        now = next;
    }
    *x = now;
    return count;
}

#endif
