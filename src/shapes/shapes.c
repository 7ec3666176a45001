/* SPDX-License-Identifier: MIT */
/* The table of shapes. */
#include "shapes/shape.h"

const demi_shape *const demi_shapes[DEMI_SHAPES] = {
#define DEMI_SHAPE_OF_BODIES(name, NAME) &demi_shape_##name,
#define DEMI_SHAPE_OF_WALLS(name, NAME, text) &demi_shape_##name,
#include "shapes/shapes.def"
#undef DEMI_SHAPE_OF_BODIES
#undef DEMI_SHAPE_OF_WALLS
};

/* Rows of walls, by DEM_SHAPE_ value. */
static const int32_t shapes_of_walls[] = {
#define DEMI_SHAPE_OF_BODIES(name, NAME)
#define DEMI_SHAPE_OF_WALLS(name, NAME, text) DEMI_SHAPE_##NAME,
#include "shapes/shapes.def"
#undef DEMI_SHAPE_OF_BODIES
#undef DEMI_SHAPE_OF_WALLS
};
enum { SHAPES_OF_WALLS = sizeof shapes_of_walls / sizeof shapes_of_walls[0] };

int32_t demi_shape_of_wall(int32_t kind)
{
    return kind >= 0 && kind < SHAPES_OF_WALLS ? shapes_of_walls[kind] : -1;
}

int32_t demi_shape_of_row(int32_t row)
{
    for (int32_t kind = 0; kind < SHAPES_OF_WALLS; ++kind)
        if (shapes_of_walls[kind] == row)
            return kind;
    return -1;
}

const char *demi_shape_names(void)
{
    return ""
#define DEMI_SHAPE_OF_BODIES(name, NAME)
#define DEMI_SHAPE_OF_WALLS(name, NAME, text) " DEM_SHAPE_" #NAME
#include "shapes/shapes.def"
#undef DEMI_SHAPE_OF_BODIES
#undef DEMI_SHAPE_OF_WALLS
        ;
}
