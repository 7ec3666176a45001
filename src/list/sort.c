/* SPDX-License-Identifier: MIT */
/* A stable counting sort in parallel: parts of the things are dealt out to buckets of keys, then
 * each bucket is sorted. The order follows from the keys alone. */
#include "list/sort.h"

#include "base/parallel.h"

#include <string.h>

/* For each task. */
enum { SORT_BUCKETS = 4 };

/* Keys of a bucket agree in all but so many bits. */
static int bucket_bits(const demi_key_sort *s)
{
    const uint64_t most = SORT_BUCKETS * (demi_parts(s->count) - 1) + 1;
    int bits = 0;
    while (s->keys > 0 && (s->keys - 1) >> bits >= most)
        ++bits;
    return bits;
}

uint64_t demi_sort_memory(uint64_t count)
{
    const uint64_t tasks = demi_parts(count);
    return count + tasks * (SORT_BUCKETS * (tasks - 1) + 1) + 1;
}

/* A sort at work; begins: [tasks][buckets], of each task's things in each bucket. */
typedef struct sort_call {
    const demi_key_sort *s;
    uint32_t *dealt, *begins;
    uint64_t tasks, buckets;
    int bits;
} sort_call;

static void count_task(void *argument, uint64_t task)
{
    const sort_call *call = argument;
    const demi_key_sort *s = call->s;
    uint32_t *counts = call->begins + task * call->buckets;
    memset(counts, 0, (size_t)call->buckets * sizeof *counts);
    for (uint64_t k = task * demi_part_rows(s->count);
         k < demi_part_end(task, call->tasks, s->count); ++k)
        if (s->key[k] < s->keys)
            counts[s->key[k] >> call->bits]++;
}

static void deal_task(void *argument, uint64_t task)
{
    const sort_call *call = argument;
    const demi_key_sort *s = call->s;
    uint32_t *to = call->begins + task * call->buckets;
    for (uint64_t k = task * demi_part_rows(s->count);
         k < demi_part_end(task, call->tasks, s->count); ++k)
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

/* From how many things each task has in each bucket to where it deals them. */
static uint32_t sum_up(const sort_call *call)
{
    uint32_t begin[SORT_BUCKETS * DEMI_PARTS_MOST] = {0}, sum = 0;
    for (uint64_t t = 0; t < call->tasks; ++t)
        for (uint64_t b = 0; b < call->buckets; ++b)
            begin[b] += call->begins[t * call->buckets + b];
    for (uint64_t b = 0; b < call->buckets; ++b) {
        const uint32_t count = begin[b];
        begin[b] = sum;
        sum += count;
    }
    for (uint64_t t = 0; t < call->tasks; ++t)
        for (uint64_t b = 0; b < call->buckets; ++b) {
            uint32_t *at = &call->begins[t * call->buckets + b];
            const uint32_t count = *at;
            *at = begin[b];
            begin[b] += count;
        }
    return sum;
}

uint64_t demi_sort_run(const demi_key_sort *s)
{
    sort_call call = {.s = s,
                      .dealt = s->memory,
                      .begins = s->memory + s->count,
                      .tasks = demi_parts(s->count),
                      .bits = bucket_bits(s)};
    uint32_t sum = 0;
    if (s->keys > 0) {
        call.buckets = ((s->keys - 1) >> call.bits) + 1;
        demi_parallel(s->executor, count_task, &call, call.tasks);
        sum = sum_up(&call);
        demi_parallel(s->executor, deal_task, &call, call.tasks);
        demi_parallel(s->executor, bucket_task, &call, call.buckets);
    }
    s->begin[s->keys] = sum;
    return sum;
}
