/* SPDX-License-Identifier: MIT */
/* A stable counting sort in parallel: parts of the things are dealt out to buckets of keys, then
 * each bucket is sorted. The order follows from the keys alone. */
#include "list/sort.h"

#include "base/parallel.h"

#include <string.h>

/* Things that are a task at least, and tasks at most; buckets for each task. */
enum { SORT_TASK = 1024, SORT_TASKS = 64, SORT_BUCKETS = 4 };

static uint64_t task_size(uint64_t count)
{
    const uint64_t each = (count + SORT_TASKS - 1) / SORT_TASKS;
    return each > SORT_TASK ? each : SORT_TASK;
}

static uint64_t tasks_of(uint64_t count)
{
    return count == 0 ? 1 : (count + task_size(count) - 1) / task_size(count);
}

/* Keys of a bucket agree in all but so many bits. */
static int bucket_bits(const demi_key_sort *s)
{
    const uint64_t most = SORT_BUCKETS * (tasks_of(s->count) - 1) + 1;
    int bits = 0;
    while (s->keys > 0 && (s->keys - 1) >> bits >= most)
        ++bits;
    return bits;
}

uint64_t demi_sort_memory(uint64_t count)
{
    const uint64_t tasks = tasks_of(count);
    return count + tasks * (SORT_BUCKETS * (tasks - 1) + 1) + 1;
}

/* A sort at work; begins: [tasks][buckets], of each task's things in each bucket. */
typedef struct sort_call {
    const demi_key_sort *s;
    uint32_t *dealt, *begins;
    uint64_t tasks, buckets;
    int bits;
} sort_call;

static uint64_t task_end(const sort_call *call, uint64_t task)
{
    const uint64_t end = (task + 1) * task_size(call->s->count);
    return end < call->s->count ? end : call->s->count;
}

static void count_task(void *argument, uint64_t task)
{
    const sort_call *call = argument;
    const demi_key_sort *s = call->s;
    uint32_t *counts = call->begins + task * call->buckets;
    memset(counts, 0, (size_t)call->buckets * sizeof *counts);
    for (uint64_t k = task * task_size(s->count); k < task_end(call, task); ++k)
        if (s->key[k] < s->keys)
            counts[s->key[k] >> call->bits]++;
}

static void deal_task(void *argument, uint64_t task)
{
    const sort_call *call = argument;
    const demi_key_sort *s = call->s;
    uint32_t *to = call->begins + task * call->buckets;
    for (uint64_t k = task * task_size(s->count); k < task_end(call, task); ++k)
        if (s->key[k] < s->keys)
            call->dealt[to[s->key[k] >> call->bits]++] = (uint32_t)k;
}

/* Sorts what was dealt to a bucket. After the deal the last task's place is where it ends. */
static void bucket_task(void *argument, uint64_t bucket)
{
    const sort_call *call = argument;
    const demi_key_sort *s = call->s;
    const uint32_t *ends = call->begins + (call->tasks - 1) * call->buckets;
    const uint64_t first = bucket << call->bits, past = (bucket + 1) << call->bits,
                   keys = (past < s->keys ? past : s->keys) - first;
    const uint32_t from = bucket > 0 ? ends[bucket - 1] : 0;
    uint32_t *begin = s->begin + first, sum = from;
    memset(begin, 0, (size_t)keys * sizeof *begin);
    for (uint32_t k = from; k < ends[bucket]; ++k)
        begin[s->key[call->dealt[k]] - first]++;
    for (uint64_t k = 0; k < keys; ++k) {
        const uint32_t count = begin[k];
        begin[k] = sum;
        sum += count;
    }
    for (uint32_t k = from; k < ends[bucket]; ++k)
        s->order[begin[s->key[call->dealt[k]] - first]++] = call->dealt[k];
    /* each key's place is where the next one's begin */
    memmove(begin + 1, begin, (size_t)(keys - 1) * sizeof *begin);
    begin[0] = from;
}

uint64_t demi_sort_run(const demi_key_sort *s)
{
    sort_call call = {.s = s,
                      .dealt = s->memory,
                      .begins = s->memory + s->count,
                      .tasks = tasks_of(s->count),
                      .bits = bucket_bits(s)};
    uint32_t sum = 0;
    if (s->keys > 0) {
        call.buckets = ((s->keys - 1) >> call.bits) + 1;
        demi_parallel(s->executor, count_task, &call, call.tasks);
        for (uint64_t b = 0; b < call.buckets; ++b)
            for (uint64_t t = 0; t < call.tasks; ++t) {
                uint32_t *at = &call.begins[t * call.buckets + b];
                const uint32_t count = *at;
                *at = sum;
                sum += count;
            }
        demi_parallel(s->executor, deal_task, &call, call.tasks);
        demi_parallel(s->executor, bucket_task, &call, call.buckets);
    }
    s->begin[s->keys] = sum;
    return sum;
}
