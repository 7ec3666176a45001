/* SPDX-License-Identifier: MIT */
/* Desks: where a chunk's contacts are worked on. Rows that the chunk needs are laid out side by
 * side, so that its pairs find them without a detour, and forces are added up there. Whoever works
 * on a chunk takes a free desk and gives it back; there are as many as threads. */
#ifndef DEMI_DESK_H
#define DEMI_DESK_H

#include "base/context.h"
#include "contact/lanes.h"

#include <stdatomic.h>

/* Rows of four doubles by slot; the damping ones are for the synchronized frame. */
typedef struct demi_rows_at {
    double *position, *velocity, *spin, *damping_velocity, *damping_spin, *force, *torque;
} demi_rows_at;

typedef struct demi_desk {
    atomic_flag taken;
    demi_lanes *lanes; /* with planes for the widest state */
    demi_rows_at rows;
} demi_desk;

typedef struct demi_desks {
    demi_buffer memory;
    uint64_t count, size, slots; /* they never become fewer or smaller */
    uint32_t state;
} demi_desks;

enum { DEMI_DESKS_MOST = 64 };

/* Makes room for `count` desks, at most DEMI_DESKS_MOST, for chunks of up to `slots` rows and
 * states of up to `state` doubles. On failure all is as it was. */
dem_status demi_desks_reserve(demi_context *context, demi_desks *desks, uint64_t count,
                              uint64_t slots, uint32_t state);

/* A free desk; tries first the one that belongs to `hint`. Waits where more threads than desks
 * come. */
demi_desk *demi_desk_take(demi_desks *desks, uint64_t hint);
void demi_desk_return(demi_desk *desk);

#endif
