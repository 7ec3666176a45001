/* SPDX-License-Identifier: MIT */
/**
 * @file pool.c
 * The thread pool: every task once, whoever sleeps, and all threads at work at once.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"

#include "base/pool.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TASKS_MOST 1000

static demi_context context;

static demi_pool *pool_start(int32_t threads)
{
    const dem_allocator allocator = {0};
    const dem_log log = {0};
    assert_int_equal(demi_context_init(&context, &allocator, &log), DEM_OK);
    demi_pool *pool = demi_pool_create(&context, threads);
    assert_non_null(pool);
    return pool;
}

static void pool_stop(demi_pool *pool)
{
    demi_pool_destroy(&context, pool);
    assert_int_equal(context.bytes, 0);
}

static void count_task(void *argument, uint64_t k)
{
    int *ran = argument;
    ++ran[k]; /* plain: a task that ran twice at once is for the thread sanitizer */
}

static void every_task_runs_once(void **state)
{
    (void)state;
    static const int32_t threads[] = {2, 3, 8, 64};
    static const uint64_t counts[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, TASKS_MOST};
    for (size_t t = 0; t < sizeof(threads) / sizeof(threads[0]); ++t) {
        demi_pool *pool = pool_start(threads[t]);
        for (int round = 0; round < 100; ++round)
            for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); ++c) {
                int ran[TASKS_MOST];
                memset(ran, 0, sizeof(ran));
                demi_pool_run(pool, count_task, ran, counts[c]);
                for (uint64_t k = 0; k < TASKS_MOST; ++k)
                    assert_int_equal(ran[k], k < counts[c]);
            }
        pool_stop(pool);
    }
}

/* Each thread's range is as demi_pool_run gives it, from its last task to its first. */
static void ranges_run_backwards(void **state)
{
    (void)state;
    static const int32_t threads[] = {2, 3, 8, 64};
    for (size_t t = 0; t < sizeof(threads) / sizeof(threads[0]); ++t) {
        demi_pool *pool = pool_start(threads[t]);
        for (uint64_t count = 0; count <= TASKS_MOST; ++count) {
            uint64_t begin = 0;
            for (uint64_t thread = 0; thread < (uint64_t)threads[t]; ++thread) {
                const uint64_t size =
                    count / (uint64_t)threads[t] + (thread < count % (uint64_t)threads[t]);
                for (uint64_t k = 0; k < size; ++k)
                    assert_int_equal(demi_pool_back(pool, count, begin + k), begin + size - 1 - k);
                begin += size;
            }
            assert_int_equal(begin, count);
        }
        pool_stop(pool);
    }
}

typedef struct meeting {
    atomic_int arrived;
    int wanted;
} meeting;

static void meet_task(void *argument, uint64_t k)
{
    (void)k;
    meeting *m = argument;
    atomic_fetch_add(&m->arrived, 1);
    while (atomic_load(&m->arrived) < m->wanted)
        sched_yield();
}

/* Each task waits for all the others: fewer threads than tasks would wait for ever. */
static void all_threads_work_at_once(void **state)
{
    (void)state;
    for (int32_t threads = 2; threads <= 64; threads *= 2) {
        demi_pool *pool = pool_start(threads);
        for (int round = 0; round < 20; ++round) {
            meeting m = {0, threads};
            demi_pool_run(pool, meet_task, &m, (uint64_t)threads);
            assert_int_equal(atomic_load(&m.arrived), threads);
            if (round % 5 == 0) { /* long enough for all to fall asleep */
                const struct timespec while_asleep = {0, 2000000};
                nanosleep(&while_asleep, NULL);
            }
        }
        pool_stop(pool);
    }
}

typedef struct blocked {
    atomic_int others;
    uint64_t count;
} blocked;

/* The first task waits for all others: they may not be bound to its thread. */
static void wait_for_the_others(void *argument, uint64_t k)
{
    blocked *b = argument;
    if (k != 0)
        atomic_fetch_add(&b->others, 1);
    while (k == 0 && atomic_load(&b->others) < (int)b->count - 1)
        sched_yield();
}

static void one_long_task_does_not_hold_up_the_rest(void **state)
{
    (void)state;
    demi_pool *pool = pool_start(4);
    for (int round = 0; round < 50; ++round) {
        blocked b = {0, 100};
        demi_pool_run(pool, wait_for_the_others, &b, b.count);
        assert_int_equal(atomic_load(&b.others), 99);
    }
    pool_stop(pool);
}

static void pools_come_and_go(void **state)
{
    (void)state;
    for (int32_t n = 0; n < 200; ++n) {
        demi_pool *pool = pool_start(2 + n % 6);
        int ran[8] = {0};
        if (n % 3 != 0)
            demi_pool_run(pool, count_task, ran, 8);
        for (int k = 0; k < 8; ++k)
            assert_int_equal(ran[k], n % 3 != 0);
        pool_stop(pool);
    }
    demi_pool_destroy(&context, NULL);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once),
        cmocka_unit_test(ranges_run_backwards),
        cmocka_unit_test(all_threads_work_at_once),
        cmocka_unit_test(one_long_task_does_not_hold_up_the_rest),
        cmocka_unit_test(pools_come_and_go),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
