/* SPDX-License-Identifier: MIT */
/* Runs a task for every k in [0, count), on the host's executor or on this thread, each call under
 * the library's floating-point mode. */
#ifndef DEMI_PARALLEL_H
#define DEMI_PARALLEL_H

#include <dem/base.h>

void demi_parallel(const dem_executor *executor, void (*task)(void *argument, uint64_t k),
                   void *argument, uint64_t count);

/* The same from the last to the first: what a loop before touched last is in the caches still. In
 * which order a host's executor goes is its own affair. */
void demi_parallel_back(const dem_executor *executor, void (*task)(void *argument, uint64_t k),
                        void *argument, uint64_t count);

/* A loop over rows, so many of which are a task. */
enum { DEMI_ROWS_TASK = 1024 };

static inline uint64_t demi_rows_tasks(uint64_t rows)
{
    return (rows + DEMI_ROWS_TASK - 1) / DEMI_ROWS_TASK;
}

static inline uint64_t demi_rows_task_end(uint64_t task, uint64_t rows)
{
    return (task + 1) * DEMI_ROWS_TASK < rows ? (task + 1) * DEMI_ROWS_TASK : rows;
}

#endif
