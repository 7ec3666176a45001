/* SPDX-License-Identifier: MIT */
#include "base/parallel.h"

#include "base/fenv.h"
#include "base/pool.h"

typedef struct parallel_call {
    void (*task)(void *argument, uint64_t k);
    void *argument;
} parallel_call;

static void parallel_task(void *argument, uint64_t k)
{
    const parallel_call *call = argument;
    const demi_fenv saved = demi_fenv_enter();
    call->task(call->argument, k);
    demi_fenv_leave(saved);
}

void demi_parallel(const dem_executor *executor, void (*task)(void *argument, uint64_t k),
                   void *argument, uint64_t count)
{
    parallel_call call = {task, argument};
    if (executor->run != NULL && count > 1) {
        executor->run(executor->user, parallel_task, &call, count);
        return;
    }
    for (uint64_t k = 0; k < count; ++k)
        parallel_task(&call, k);
}

typedef struct back_call {
    void (*task)(void *argument, uint64_t k);
    void *argument;
    uint64_t count;
    const demi_pool *pool; /* NULL: this thread alone */
} back_call;

static void back_task(void *argument, uint64_t k)
{
    const back_call *call = argument;
    call->task(call->argument, call->pool != NULL ? demi_pool_back(call->pool, call->count, k)
                                                  : call->count - 1 - k);
}

void demi_parallel_back(const dem_executor *executor, void (*task)(void *argument, uint64_t k),
                        void *argument, uint64_t count)
{
    const int own = executor->run == demi_pool_run;
    if (executor->run != NULL && !own) {
        demi_parallel(executor, task, argument, count);
        return;
    }
    back_call call = {task, argument, count, own ? executor->user : NULL};
    demi_parallel(executor, back_task, &call, count);
}
