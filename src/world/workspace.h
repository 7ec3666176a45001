/* SPDX-License-Identifier: MIT */
/* Workspaces: where a chunk's contacts are worked on: its chunk copies, side by side and where its
 * pairs meet them, and the batch that is computed. Whoever works on a chunk takes a free workspace
 * and gives it back; there are as many as threads. */
#ifndef DEMI_WORKSPACE_H
#define DEMI_WORKSPACE_H

#include "base/context.h"
#include "contact/lanes.h"
#include "world/exact.h"

#include <stdatomic.h>

/* Copies of a chunk: x y z radius; and what demi_velocities has. */
typedef struct demi_chunk_copies {
    double *position, *velocity,
        *velocity_t0; /* the last one for the synchronized kinematics alone */
} demi_chunk_copies;

/* Contacts that were read and are still in the lanes of a workspace. */
typedef struct demi_reading {
    uint64_t changes;    /* demi_context's when they were read */
    uint64_t begin, end; /* all contacts from the pair `begin` up to `end` */
    uint64_t batch_group;
    const double *state_end; /* states of the group's contacts from `end` on */
    uint64_t count, next;    /* next: the lane that probably comes next */
    uint64_t resume;         /* the cursor after the lane before */
    uint64_t pair[DEM_BATCH_SIZE];
    /* of whole groups of lanes; from `count` on they repeat the last contact */
    const double *state[DEM_BATCH_SIZE];
    uint32_t own[DEM_BATCH_SIZE], other[DEM_BATCH_SIZE], feature[DEM_BATCH_SIZE]; /* demi_ends */
    unsigned char shift[DEM_BATCH_SIZE];
    int filled;           /* whether `contact` has the lanes */
    dem_contact *contact; /* [DEM_BATCH_SIZE], as dem_world_contact_next gives them; or NULL */
} demi_reading;

typedef struct demi_workspace {
    atomic_flag taken;
    demi_reading reading;
    dem_contact contact[DEM_BATCH_SIZE]; /* of the reading */
    demi_lanes *lanes;                   /* with planes for the widest state */
    demi_chunk_copies chunk_copy;
    demi_exact_row *sums; /* of the chunk's own rows, where sums are exact */
} demi_workspace;

typedef struct demi_workspaces {
    DEMI_ARRAY(unsigned char) memory;
    uint64_t count, size, chunk_copies, sums; /* they never become fewer or smaller */
    uint32_t state;
} demi_workspaces;

enum { DEMI_WORKSPACES_MOST = 64 };

/* Makes room for `count` workspaces, at most DEMI_WORKSPACES_MOST, with room for `chunk_copies`
 * rows of other chunks, `sums` rows of exact sums and states of up to `state` doubles. On failure
 * all is as it was. */
dem_status demi_workspaces_reserve(demi_context *context, demi_workspaces *workspaces,
                                   uint64_t count, uint64_t chunk_copies, uint64_t sums,
                                   uint32_t state);

/* The workspace that belongs to `hint`, or NULL where it is taken. */
demi_workspace *demi_workspace_try(demi_workspaces *workspaces, uint64_t hint);
/* A free workspace, or NULL where all are taken for as long as a wait is worth; tries first the one
 * that belongs to `hint`. */
demi_workspace *demi_workspace_ask(demi_workspaces *workspaces, uint64_t hint);
/* A free workspace; tries first the one that belongs to `hint`. Waits where more threads than
 * workspaces come. */
demi_workspace *demi_workspace_take(demi_workspaces *workspaces, uint64_t hint);
void demi_workspace_return(demi_workspace *workspace);

#endif
