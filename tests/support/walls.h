/* SPDX-License-Identifier: MIT */
/**
 * @file walls.h
 * Walls of a shape and a size for tests. Needs cmocka.h before it.
 */
#ifndef DEM_TEST_WALLS_H
#define DEM_TEST_WALLS_H

#include <dem/dem.h>

static inline dem_wall wall_sized(int32_t shape, int32_t side, double a, double b, double c)
{
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = shape;
    wall.side = side;
    wall.size[0] = a;
    wall.size[1] = b;
    wall.size[2] = c;
    return wall;
}

#endif
