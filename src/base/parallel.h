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

/* A loop over rows in parts, whose sums are added up in the order of the parts: how many there are,
 * and where each ends, follows from the rows alone. */
enum { DEMI_PARTS_MOST = 64 };

static inline uint64_t demi_part_rows(uint64_t rows)
{
    const uint64_t each = (rows + DEMI_PARTS_MOST - 1) / DEMI_PARTS_MOST;
    return each > DEMI_ROWS_TASK ? each : DEMI_ROWS_TASK;
}

/* One at least. */
static inline uint64_t demi_parts(uint64_t rows)
{
    return rows == 0 ? 1 : (rows + demi_part_rows(rows) - 1) / demi_part_rows(rows);
}

/* The same where each part has an array of so many things: one part where these are many. */
static inline uint64_t demi_parts_of(uint64_t rows, uint64_t things)
{
    enum { FEW = 32 };
    return things <= FEW ? demi_parts(rows) : 1;
}

static inline uint64_t demi_part_begin(uint64_t part, uint64_t parts, uint64_t rows)
{
    return parts > 1 ? part * demi_part_rows(rows) : 0;
}

static inline uint64_t demi_part_end(uint64_t part, uint64_t parts, uint64_t rows)
{
    return part + 1 < parts ? (part + 1) * demi_part_rows(rows) : rows;
}

#endif
