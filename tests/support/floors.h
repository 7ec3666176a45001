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

/** Two half planes that meet along y; each falls away by half of the angle, or rises. */
static inline dem_mesh *roof(double angle)
{
    const double s = 4.0 * sin(0.5 * angle), c = 4.0 * cos(0.5 * angle);
    const double x[6][3] = {{0, -4, 0}, {0, 4, 0},    {c, -4, -s},
                            {c, 4, -s}, {-c, -4, -s}, {-c, 4, -s}};
    static const uint32_t facets[4][3] = {{0, 2, 3}, {0, 3, 1}, {4, 0, 1}, {4, 1, 5}};
    return mesh_of(x, 6, facets, 4);
}

enum { TUBE_SIDES = 400 };

/** A tube along z of n flat sides with their edges at a distance from the axis, open at both ends.
 */
static inline dem_mesh *tube_mesh(uint32_t n, double radius, double half)
{
    static double x[2 * TUBE_SIDES][3];
    static uint32_t facets[2 * TUBE_SIDES][3];
    for (uint32_t k = 0; k < n; ++k) {
        const double phi = 2.0 * 3.14159265358979323846 * k / n;
        const uint32_t a = 2 * k, b = 2 * ((k + 1) % n);
        for (int end = 0; end < 2; ++end) {
            x[a + (uint32_t)end][0] = radius * cos(phi);
            x[a + (uint32_t)end][1] = radius * sin(phi);
            x[a + (uint32_t)end][2] = end ? half : -half;
        }
        const uint32_t two[2][3] = {{a, b, b + 1}, {a, b + 1, a + 1}};
        memcpy(facets[a], two, sizeof(two));
    }
    return mesh_of(x, 2 * n, facets, 2 * n);
}

/** A rough surface, whose facets and vertices come in an order that `seed` chooses; some facets
 * twice. */
static inline dem_mesh *rough(uint64_t seed)
{
    enum { N = 12 };
    double x[N * N][3];
    uint32_t facets[2 * N * N][3], count = 0;
    test_random heights = {7}, order = {seed};
    for (int k = 0; k < N * N; ++k) {
        x[k][0] = 0.3 * (k % N) - 1.6;
        x[k][1] = 0.3 * (double)(k / N) - 1.6;
        x[k][2] = test_uniform(&heights, -0.1, 0.1);
    }
    for (uint32_t k = 0; k < N * N - N; ++k)
        if (k % N + 1 < N) {
            const uint32_t two[2][3] = {{k, k + 1, k + N}, {k + 1, k + N + 1, k + N}};
            memcpy(facets[count], two, sizeof(two));
            count += 2;
        }
    for (uint32_t k = 0; seed > 1 && k < 20; ++k)
        memcpy(facets[count++], facets[7 * k], sizeof(facets[0]));
    for (uint32_t k = count; seed > 1 && k-- > 1;) {
        uint32_t one[3];
        const uint32_t other = (uint32_t)(test_random_bits(&order) % (k + 1));
        memcpy(one, facets[k], sizeof(one));
        memcpy(facets[k], facets[other], sizeof(one));
        for (uint32_t c = 0; c < 3; ++c)
            facets[other][k % 2 ? c : 2 - c] = one[(c + k) % 3];
    }
    return mesh_of(x, N * N, facets, count);
}

#endif
