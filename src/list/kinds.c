/* SPDX-License-Identifier: MIT */
#include "list/kinds.h"

const demi_kind_rule demi_kinds[DEMI_KINDS] = {
    [DEMI_KIND_FREE] = {.offered = 1, .moves = 1, .responds = 1, .integrated = 1, .counted = 1},
    [DEMI_KIND_FIXED] = {.offered = 1},
    [DEMI_KIND_KINEMATIC] = {.offered = 1, .moves = 1},
    /* not offered yet: the rank that owns it counts it and computes what acts on it */
    [DEMI_KIND_GHOST] = {.moves = 1},
    /* comes with its body, which is integrated and counted */
    [DEMI_KIND_PART] = {.moves = 1, .responds = 1, .carried = 1},
};
