/* SPDX-License-Identifier: MIT */
/**
 * @file idmap.c
 * The table of ids against an array: what was entered and not removed is found, and nothing else.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/random.h"

#include "world/idmap.h"

#include <string.h>

enum { IDS = 3000, CHANGES = 20000 };

/** Id k: neighbours, multiples of high powers of two, and any. */
static uint64_t id_of(uint64_t k)
{
    return k % 3 == 0 ? k + 1 : k % 3 == 1 ? (k + 1) << 40 : (k + 1) * UINT64_C(0xD6E8FEB86659FD93);
}

static void ids_are_found_as_long_as_they_are_there(void **state)
{
    (void)state;
    static unsigned char there[IDS];
    demi_context context;
    const dem_allocator allocator = {0};
    const dem_log log = {0};
    demi_idmap map = {0};
    test_random random = {77};
    uint64_t count = 0;
    memset(there, 0, sizeof there);
    OK(demi_context_init(&context, &allocator, &log));
    for (int change = 0; change < CHANGES; ++change) {
        const uint64_t k = (uint64_t)test_uniform(&random, 0.0, IDS);
        uint32_t value;
        assert_int_equal(demi_idmap_find(&map, id_of(k), &value), there[k]);
        if (there[k]) {
            assert_int_equal(value, k);
            demi_idmap_remove(&map, id_of(k));
        } else {
            OK(demi_idmap_reserve(&context, &map, 1));
            demi_idmap_insert(&map, id_of(k), (uint32_t)k);
        }
        count = there[k] ? count - 1 : count + 1;
        there[k] = !there[k];
        assert_int_equal(map.count, count);
    }
    for (uint64_t k = 0; k < IDS; ++k) {
        uint32_t value;
        assert_int_equal(demi_idmap_find(&map, id_of(k), &value), there[k]);
    }
    /* two thirds are in use at most; entries take 12 bytes */
    assert_true(3 * map.count <= 2 * map.size);
    assert_in_range(map.entry.buffer.size, 12 * map.size, 12 * map.size + 63);
    demi_array_free(&context, &map.entry);
    assert_int_equal(context.bytes, 0);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {cmocka_unit_test(ids_are_found_as_long_as_they_are_there)};
    return cmocka_run_group_tests_name("idmap", tests, NULL, NULL);
}
