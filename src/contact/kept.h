/* SPDX-License-Identifier: MIT */
/* The pairs of a kept list on their way through a batch, for kept.c and simd/kept.c. */
#ifndef DEMI_KEPT_H
#define DEMI_KEPT_H

#include "contact/call.h"

/* Contacts of a batch: few enough that its lane arrays stay in the first cache. Pairs that are
 * filtered at a time. */
enum { DEMI_KEPT_BATCH = 32, DEMI_KEPT_FILTER = 64, DEMI_KEPT_ROOM = 32 + 64 + 8 };
/* Pairs that the filter reads at once. */
enum { DEMI_KEPT_GROUP = 4 };

typedef struct demi_kept_work {
    const demi_kept *kept;
    const demi_kept_side *current;
    demi_kept_side *next;
    demi_lanes *lanes;
    const demi_model *model; /* of the batch */
    double *load;            /* NULL: forces are not added here */
    int synchronized;        /* dashpots see other velocities than the increment */
    int keep;                /* the step goes into `next` */
    int past;                /* results go past the caches: they are many, and no step reads them */
    uint64_t count;          /* of pairs that act, or did */
    uint32_t index[DEMI_KEPT_ROOM];
    demi_pair pair[DEMI_KEPT_ROOM];
} demi_kept_work;

/* Reads the host's rows; tells whether all that moves them is finite. */
typedef int demi_kept_read_function(const demi_history_call *call);
/* Writes forces and torques back to them. */
typedef void demi_kept_write_function(const demi_history_call *call);
/* Appends the pairs from `begin` up to `end` that act, or did. Tells where it ended: before `end`
 * at a group of pairs of which one has a distance that is not finite. */
typedef uint64_t demi_kept_filter_function(demi_kept_work *work, uint64_t begin, uint64_t end);
/* Fills lanes with the first n of them. Tells whether one has no finite mass. */
typedef int demi_kept_gather_function(demi_kept_work *work, uint64_t n);
/* Adds the forces of the n lanes to the list's rows, and what is kept of them to `next`. */
typedef void demi_kept_scatter_function(demi_kept_work *work, uint64_t n);
/* After the last batch of a thread, before others read what it kept. */
typedef void demi_kept_fence_function(void);

#endif
