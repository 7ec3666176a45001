/* SPDX-License-Identifier: MIT */
#include "base/parallel.h"

#include "base/fenv.h"

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
