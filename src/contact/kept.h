/* SPDX-License-Identifier: MIT */
/* The pairs of a kept list on their way through a batch, for kept.c and simd/kept.c. */
#ifndef DEMI_KEPT_H
#define DEMI_KEPT_H

#include "contact/call.h"

/* Contacts of a batch: few enough that its lane arrays stay in the first cache. Pairs that are
 * filtered at a time. */
enum { DEMI_KEPT_BATCH = 32, DEMI_KEPT_FILTER = 64, DEMI_KEPT_ROOM = 32 + 64 + 8 };
/* Pairs that the filter reads at once, at most: DEMI_WIDE. */
enum { DEMI_KEPT_GROUP = 8 };
/* Doubles of what a pair adds to its rows: force, torque on i, torque on j, in four places each;
 * and of its energies. */
enum { DEMI_KEPT_PART = 12, DEMI_KEPT_ENERGIES = 5 };

typedef struct demi_kept_work {
    const demi_kept *kept;
    const demi_kept_side *current;
    demi_kept_side *next;
    demi_lanes *lanes;
    const demi_model *model; /* of the batch */
    double *load;            /* NULL: forces are not added here */
    demi_kept_tasks *tasks;  /* NULL: forces are added to `load`; else parts of pairs are kept */
    int synchronized;        /* dashpots see other velocities than the increment */
    int keep;                /* the step goes into `next` */
    int past;                /* results go past the caches: they are many, and no step reads them */
    uint64_t place;          /* of the next part */
    uint64_t count;          /* of pairs that act, or did */
    uint32_t index[DEMI_KEPT_ROOM];
    demi_pair pair[DEMI_KEPT_ROOM];
} demi_kept_work;

/* A task of pairs: room for its batches, and how it ended. */
typedef struct demi_kept_task {
    demi_history_work work;
    dem_status status;
    uint64_t contacts;
} demi_kept_task;

/* kept_step.c: checks the host's rows; what a step leaves. */
dem_status demi_kept_rows_check(const demi_history_call *call);
void demi_kept_end(dem_contact_history *history, int absent, int source);
/* kept_records.c: what a record has of the pair n beside its state; not of DEMI_KEPT_RECORDS. */
void demi_kept_past(const demi_kept *kept, uint64_t n, demi_record *record);

/* kept_tasks.c: what the tasks of a list need, where there is an executor and enough pairs. */
dem_status demi_kept_tasks_make(dem_contact_history *history, demi_kept *kept);
/* Evaluates the pairs from `begin` up to `end`. Results are left with the tasks, or without tasks
 * go to the list's rows. */
typedef dem_status demi_kept_pairs_function(demi_history_call *call, demi_kept_tasks *tasks,
                                            uint64_t begin, uint64_t end);
/* Evaluates all pairs of the list by tasks; tells whether all went well. Else no row was changed,
 * and one thread finds out what is wrong. */
int demi_kept_tasks_run(demi_history_call *call, demi_kept_pairs_function *pairs);
/* Reads all rows of the host as demi_kept_read does, and writes them, by tasks where there are
 * some. */
int demi_kept_rows_read(const demi_history_call *call);
void demi_kept_rows_write(const demi_history_call *call);
/* kept_pairs.c */
demi_kept_pairs_function demi_kept_pairs;

/* Keeps the energies of lane k as far as they are counted here. */
static inline void demi_kept_energy(const demi_history_call *call, demi_kept_tasks *tasks,
                                    uint64_t k, uint64_t place)
{
    const demi_lanes *b = call->lanes;
    const int counts = call->ends == NULL || call->lane[k].row_i < call->owned_count;
    double *energy = tasks->energy.data + place * DEMI_KEPT_ENERGIES;
    energy[0] = counts ? b->elastic_energy[k] : 0.0;
    energy[1] = counts ? b->dissipated_normal[k] : 0.0;
    energy[2] = counts ? b->dissipated_dashpot[k] : 0.0;
    energy[3] = counts ? b->dissipated_slip[k] : 0.0;
    energy[4] = counts ? b->dissipated_rolling[k] : 0.0;
}

/* Reads the list's rows from `begin` up to `end` from the host; tells whether all that moves them
 * is finite. */
typedef int demi_kept_read_function(const demi_history_call *call, uint64_t begin, uint64_t end);
/* Writes forces and torques back to them. */
typedef void demi_kept_write_function(const demi_history_call *call, uint64_t begin, uint64_t end);
/* Appends the pairs from `begin` up to `end` that act, or did. Tells where it ended: before `end`
 * at a group of pairs of which one has a distance that is not finite. */
typedef uint64_t demi_kept_filter_function(demi_kept_work *work, uint64_t begin, uint64_t end);
/* Fills lanes with the first n of them. Tells whether one has no finite mass. */
typedef int demi_kept_gather_function(demi_kept_work *work, uint64_t n);
/* Adds the forces of the n lanes to the list's rows, and what is kept of them to `next`. */
typedef void demi_kept_scatter_function(demi_kept_work *work, uint64_t n);
/* Adds the parts of their pairs to the list's rows of task k, in the order of the list. */
typedef void demi_kept_rows_function(const demi_kept *kept, uint64_t k);
/* After the last batch of a thread, before others read what it kept. */
typedef void demi_kept_fence_function(void);

#endif
