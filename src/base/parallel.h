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

#endif
