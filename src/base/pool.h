/* SPDX-License-Identifier: MIT */
/* Threads of a world's own, for worlds whose host lends none. */
#ifndef DEMI_POOL_H
#define DEMI_POOL_H

#include "base/context.h"

typedef struct demi_pool demi_pool;

enum { DEMI_THREADS_MOST = 64 };

/* Starts threads - 1 threads; the one that calls demi_pool_run is the last. NULL without a message
 * where memory or a thread is missing. */
demi_pool *demi_pool_create(demi_context *context, int32_t threads);

/* Ends the threads. NULL does nothing. */
void demi_pool_destroy(demi_context *context, demi_pool *pool);

/* Bytes of the context's memory that it takes; 0 for NULL. */
uint64_t demi_pool_bytes(const demi_pool *pool);

/* dem_executor.run: each thread has a range of its own, the same for the same count, so that it
 * finds in its cache what it left there; who is done early helps the others. By one thread at a
 * time. */
void demi_pool_run(void *pool, void (*task)(void *argument, uint64_t k), void *argument,
                   uint64_t count);

/* The task to do in the place of task k so that each thread goes through its range backwards. */
uint64_t demi_pool_back(const demi_pool *pool, uint64_t count, uint64_t k);

#endif
