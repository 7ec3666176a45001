/* SPDX-License-Identifier: MIT */
/**
 * @file floors.h
 * Meshes that spheres of RADIUS are on, which has to be defined before.
 */
#ifndef DEM_TEST_FLOORS_H
#define DEM_TEST_FLOORS_H

#include "meshes.h"
#include "random.h"

#include <math.h>
#include <string.h>

static inline double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

enum { GRID = 13 };

/** A flat floor of random facets, from a hundredth to a hundred radii and with slivers, given by
 * two axes; facets and their vertices are in random order. */
static inline dem_mesh *random_floor(test_random *random, const double *u, const double *v)
{
    static double x[GRID * GRID][3];
    static uint32_t facets[2 * (GRID - 1) * (GRID - 1)][3];
    double line[2][GRID];
    for (int side = 0; side < 2; ++side) {
        line[side][GRID / 2] = -RADIUS * test_decades(random, -2.0, 1.5);
        for (int k = 1; k <= GRID / 2; ++k) {
            line[side][GRID / 2 + k] =
                line[side][GRID / 2 + k - 1] + RADIUS * test_decades(random, -2.0, 2.0);
            line[side][GRID / 2 - k] =
                line[side][GRID / 2 - k + 1] - RADIUS * test_decades(random, -2.0, 2.0);
        }
        line[side][0] -= 60.0;
        line[side][GRID - 1] += 60.0;
    }
    for (int k = 0; k < GRID * GRID; ++k)
        for (int c = 0; c < 3; ++c)
            x[k][c] = line[0][k % GRID] * u[c] + line[1][k / GRID] * v[c];
    uint64_t count = 0;
    for (uint32_t i = 0; i + 1 < GRID; ++i)
        for (uint32_t j = 0; j + 1 < GRID; ++j) {
            const uint32_t a = i + GRID * j, b = a + 1, c = a + GRID, d = c + 1;
            const uint32_t both[2][2][3] = {{{a, b, c}, {b, d, c}}, {{a, b, d}, {a, d, c}}};
            memcpy(facets[count], both[test_random_bits(random) & 1], sizeof(both[0]));
            count += 2;
        }
    for (uint64_t k = count; k-- > 1;) {
        uint32_t one[3];
        const uint64_t other = test_random_bits(random) % (k + 1);
        memcpy(one, facets[k], sizeof(one));
        memcpy(facets[k], facets[other], sizeof(one));
        for (int c = 0; c < 3; ++c)
            facets[other][c] = one[(c + (int)k) % 3];
    }
    return mesh_of(x, GRID * GRID, facets, count);
}

/** Two axes of a plane, right-handed with its normal. */
static inline void axes(const double n[3], double u[3], double v[3])
{
    const double e[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0.0};
    const double along = dot(e, n);
    for (int c = 0; c < 3; ++c)
        u[c] = e[c] - along * n[c];
    const double length = sqrt(dot(u, u));
    for (int c = 0; c < 3; ++c)
        u[c] /= length;
    for (int c = 0; c < 3; ++c)
        v[c] = n[(c + 1) % 3] * u[(c + 2) % 3] - n[(c + 2) % 3] * u[(c + 1) % 3];
}

/** A strip of squares in the plane of two axes, from the origin: one side of a corner. */
static inline uint64_t quadrant(double (*x)[3], uint32_t (*facets)[3], uint64_t at, int a, int b,
                                int n)
{
    const uint64_t first = at * (uint64_t)((n + 1) * (n + 1));
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
            double *p = x[first + (uint64_t)(i + (n + 1) * j)];
            p[0] = p[1] = p[2] = 0.0;
            p[a] = 4.0 * RADIUS * i / n;
            p[b] = 4.0 * RADIUS * j / n;
        }
    uint64_t count = at * (uint64_t)(2 * n * n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const uint32_t p = (uint32_t)first + (uint32_t)(i + (n + 1) * j);
            const uint32_t q = p + (uint32_t)(n + 1);
            const uint32_t two[2][3] = {{p, p + 1, q + 1}, {p, q + 1, q}};
            memcpy(facets[count], two, sizeof(two));
            count += 2;
        }
    return count;
}

#endif
