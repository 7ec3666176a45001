/* SPDX-License-Identifier: MIT */
/**
 * @file sort.c
 * The counting sort in parallel against an insertion into lists by key, for tasks in any order.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/random.h"

#include "list/sort.h"

#include <stdlib.h>

enum { THINGS_MOST = 5000, KEYS_MOST = 20000 };

/* Runs tasks from the last to the first. */
static void backwards(void *user, void (*task)(void *argument, uint64_t k), void *argument,
                      uint64_t count)
{
    (void)user;
    while (count-- > 0)
        task(argument, count);
}

/* The place of each thing is the number of things with a lower key, or with the same and before. */
static uint64_t sort_plainly(const uint32_t *key, uint64_t count, uint64_t keys, uint32_t *begin,
                             uint32_t *order)
{
    uint64_t sorted = 0;
    for (uint64_t k = 0; k <= keys; ++k)
        begin[k] = 0;
    for (uint64_t n = 0; n < count; ++n)
        if (key[n] < keys)
            begin[key[n] + 1]++;
    for (uint64_t k = 0; k < keys; ++k)
        begin[k + 1] += begin[k];
    uint32_t *next = malloc((keys + 1) * sizeof *next);
    assert_non_null(next);
    for (uint64_t k = 0; k <= keys; ++k)
        next[k] = begin[k];
    for (uint64_t n = 0; n < count; ++n)
        if (key[n] < keys) {
            order[next[key[n]]++] = (uint32_t)n;
            ++sorted;
        }
    free(next);
    return sorted;
}

static void expect_sorted(const dem_executor *executor, const uint32_t *key, uint64_t count,
                          uint64_t keys)
{
    static uint32_t begin[KEYS_MOST + 1], order[THINGS_MOST + 1], begins[KEYS_MOST + 1],
        orders[THINGS_MOST + 1];
    uint32_t *memory = malloc(demi_sort_memory(count) * sizeof *memory);
    assert_non_null(memory);
    const demi_key_sort sort = {executor, key, count, keys, begin, order, memory};
    const uint64_t sorted = demi_sort_run(&sort);
    assert_int_equal(sorted, sort_plainly(key, count, keys, begins, orders));
    for (uint64_t k = 0; k <= keys; ++k)
        assert_int_equal(begin[k], begins[k]);
    for (uint64_t n = 0; n < sorted; ++n)
        assert_int_equal(order[n], orders[n]);
    free(memory);
}

static void as_one_thread_sorts(void **state)
{
    (void)state;
    static const uint64_t counts[] = {0, 1, 7, 1023, 1024, 1025, 2048, 3000, THINGS_MOST},
                          spans[] = {1, 2, 9, 64, 1000, 4097, KEYS_MOST};
    static uint32_t key[THINGS_MOST + 1];
    const dem_executor one = {.run = NULL}, turned = {.run = backwards};
    test_random random = test_random_start("sort");
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; ++c)
        for (size_t s = 0; s < sizeof spans / sizeof spans[0]; ++s)
            for (int crowd = 0; crowd < 3; ++crowd) {
                /* all keys; some beyond; a few keys alone */
                const double most = crowd == 1   ? 1.3 * (double)spans[s] + 1.0
                                    : crowd == 0 ? (double)spans[s]
                                                 : 0.02 * (double)spans[s] + 1.0;
                for (uint64_t n = 0; n < counts[c]; ++n)
                    key[n] = (uint32_t)test_uniform(&random, 0.0, most);
                expect_sorted(&one, key, counts[c], spans[s]);
                expect_sorted(&turned, key, counts[c], spans[s]);
            }
}

static void no_keys(void **state)
{
    (void)state;
    const uint32_t key[3] = {0, 5, UINT32_MAX};
    const dem_executor one = {.run = NULL};
    expect_sorted(&one, key, 3, 0);
    expect_sorted(&one, key, 3, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_one_thread_sorts),
        cmocka_unit_test(no_keys),
    };
    return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
