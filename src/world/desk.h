/* SPDX-License-Identifier: MIT */
/* Desks: where a chunk's contacts are worked on: its halo rows, side by side and where its pairs
 * meet them, and the batch that is computed. Whoever works on a chunk takes a free desk and gives
 * it back; there are as many as threads. */
#ifndef DEMI_DESK_H
#define DEMI_DESK_H

#include "base/context.h"
#include "contact/lanes.h"

#include <stdatomic.h>

/* Rows of a chunk's halo: x y z radius; and what demi_motion has. */
typedef struct demi_halo_rows {
    double *position, *motion, *motion_now; /* the last one for the synchronized frame alone */
} demi_halo_rows;

typedef struct demi_desk {
    atomic_flag taken;
    demi_lanes *lanes; /* with planes for the widest state */
    demi_halo_rows halo;
} demi_desk;

typedef struct demi_desks {
    demi_buffer memory;
    uint64_t count, size, halos; /* they never become fewer or smaller */
    uint32_t state;
} demi_desks;

enum { DEMI_DESKS_MOST = 64 };

/* Makes room for `count` desks, at most DEMI_DESKS_MOST, for chunks of up to `halos` halo rows and
 * states of up to `state` doubles. On failure all is as it was. */
dem_status demi_desks_reserve(demi_context *context, demi_desks *desks, uint64_t count,
                              uint64_t halos, uint32_t state);

/* A free desk; tries first the one that belongs to `hint`. Waits where more threads than desks
 * come. */
demi_desk *demi_desk_take(demi_desks *desks, uint64_t hint);
void demi_desk_return(demi_desk *desk);

#endif
