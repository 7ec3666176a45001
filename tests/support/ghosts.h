/* SPDX-License-Identifier: MIT */
/**
 * @file ghosts.h
 * For hosts of several worlds: grains as their owners have them, which of them another world needs
 * as ghosts; and calls that must fail.
 */
#ifndef DEM_TEST_GHOSTS_H
#define DEM_TEST_GHOSTS_H

#include "cmocka.h"

#include <dem/dem.h>
#include <math.h>
#include <string.h>

/** A call that fails with a status, and a message that has some part. */
#define expect(call, status, world, part)                                                          \
    do {                                                                                           \
        assert_int_equal(call, status);                                                            \
        if (strstr(dem_world_error(world), part) == NULL)                                          \
            fail_msg("\"%s\" lacks \"%s\"", dem_world_error(world), part);                         \
    } while (0)

/** All grains, as their owners have them. */
static inline void ghosts_of_all(dem_world *const *world, const int *owner,
                                 const dem_particle_handle *handle, int grains, dem_ghost *all)
{
    for (int k = 0; k < grains; ++k) {
        all[k].struct_size = sizeof all[k];
        OK(dem_ghosts_get(world[owner[k]], 1, &handle[k], &all[k]));
    }
}

/** Between the surfaces of two grains; period: of x and y, INFINITY where these are open. */
static inline double ghosts_gap(const dem_ghost *a, const dem_ghost *b, double period)
{
    double square = 0.0;
    for (int c = 0; c < 3; ++c) {
        double x = a->position[c] - b->position[c];
        if (c < 2 && isfinite(period))
            x -= period * floor(x / period + 0.5);
        square += x * x;
    }
    return sqrt(square) - a->radius - b->radius;
}

/** The ghosts of a world: what others own and is nearer than `reach` to what it owns. */
static inline uint64_t ghosts_near(const dem_ghost *all, const int *owner, int grains, int world,
                                   double reach, double period, int *which, dem_ghost *ghosts)
{
    uint64_t count = 0;
    for (int k = 0; k < grains; ++k) {
        int near = 0;
        for (int m = 0; m < grains && !near && owner[k] != world; ++m)
            near = owner[m] == world && ghosts_gap(&all[k], &all[m], period) < reach;
        if (near) {
            which[count] = k;
            ghosts[count++] = all[k];
        }
    }
    return count;
}

#endif
