/* SPDX-License-Identifier: MIT */
#include "list/kinds.h"

const demi_kind_rule demi_kinds[DEMI_KINDS] = {
    [DEMI_KIND_FREE] = {.offered = 1, .moves = 1, .responds = 1, .integrated = 1, .counted = 1},
    [DEMI_KIND_FIXED] = {.mobility = DEM_MOBILITY_FIXED, .offered = 1},
    [DEMI_KIND_KINEMATIC] = {.mobility = DEM_MOBILITY_KINEMATIC, .offered = 1, .moves = 1},
    /* the world that owns it counts it and tells what acts on it */
    [DEMI_KIND_GHOST] = {.moves = 1, .responds = 1, .integrated = 1, .ghost = 1},
    /* comes with its body, which is integrated and counted */
    [DEMI_KIND_PART] = {.moves = 1, .responds = 1, .carried = 1},
    [DEMI_KIND_GHOST_FIXED] = {.mobility = DEM_MOBILITY_FIXED, .ghost = 1},
    [DEMI_KIND_GHOST_KINEMATIC] = {.mobility = DEM_MOBILITY_KINEMATIC, .moves = 1, .ghost = 1},
    [DEMI_KIND_GHOST_PART] = {.moves = 1, .responds = 1, .carried = 1, .ghost = 1},
};
