/* SPDX-License-Identifier: MIT */
/**
 * @file sized.h
 * The rules of struct_size, for any struct: too small and unknown bytes are refused, a longer
 * struct with a tail of zeros is taken, an output struct is filled as far as it is known.
 */
#ifndef DEM_TEST_SIZED_H
#define DEM_TEST_SIZED_H

#include "../../src/base/first_sizes.h"

#include <dem/dem.h>
#include <string.h>

#define SIZED_TAIL 64
#define SIZED_MOST 1024

/** A struct of any kind, with room behind it. */
typedef union sized_block {
    uint64_t struct_size;
    unsigned char bytes[SIZED_MOST];
} sized_block;

/** Gives `call` the struct with right and wrong sizes; a right one comes last. `first`: its size in
 * the first release with this soname. */
static inline void sized_input_of(const void *good, uint64_t first, uint64_t size,
                                  dem_status (*call)(const void *), const char *name)
{
    assert_true(size + SIZED_TAIL <= SIZED_MOST);
    static const int64_t wrong[] = {-1, -8};
    sized_block block;
    for (int n = 0; n < 5; ++n) {
        memset(&block, 0, sizeof(block));
        memcpy(block.bytes, good, (size_t)size);
        if (n == 0)
            block.struct_size = 0;
        else if (n < 3)
            block.struct_size = first + (uint64_t)wrong[n - 1];
        else if (n == 3)
            block.struct_size = UINT64_MAX;
        else {
            block.struct_size = size + SIZED_TAIL;
            block.bytes[size + SIZED_TAIL - 1] = 1;
        }
        const dem_status got = call(&block);
        if (got != DEM_ERROR_STRUCT_SIZE)
            fail_msg("%s with size %llu: status %d", name, (unsigned long long)block.struct_size,
                     (int)got);
    }
    block.bytes[size + SIZED_TAIL - 1] = 0;
    /* beyond the tail nothing may be read */
    block.bytes[size + SIZED_TAIL] = 1;
    const dem_status got = call(&block);
    if (got != DEM_OK)
        fail_msg("%s with a tail of zeros: status %d", name, (int)got);
}

#define sized_input(good, size, call, name)                                                        \
    sized_input_of(good, DEMI_FIRST_SIZE(*(good)), size, call, name)

/** Lets `call` fill structs with right and wrong sizes. */
static inline void sized_output_of(uint64_t first, uint64_t size, dem_status (*call)(void *),
                                   const char *name)
{
    assert_true(size + SIZED_TAIL < SIZED_MOST);
    sized_block block, kept;
    const uint64_t wrong[] = {0, 8, first - 1};
    for (int n = 0; n < 3; ++n) {
        memset(&block, 0x5A, sizeof(block));
        block.struct_size = wrong[n];
        kept = block;
        const dem_status got = call(&block);
        if (got != DEM_ERROR_STRUCT_SIZE)
            fail_msg("%s with size %llu: status %d", name, (unsigned long long)wrong[n], (int)got);
        assert_memory_equal(&block, &kept, sizeof(block));
    }
    sized_block exact;
    memset(&exact, 0x5A, sizeof(exact));
    exact.struct_size = size;
    assert_int_equal(call(&exact), DEM_OK);
    assert_true(exact.struct_size == size && exact.bytes[size] == 0x5A);
    memset(&block, 0x5A, sizeof(block));
    block.struct_size = size + SIZED_TAIL;
    assert_int_equal(call(&block), DEM_OK);
    assert_int_equal(block.struct_size, size + SIZED_TAIL);
    assert_memory_equal(block.bytes + 8, exact.bytes + 8, (size_t)size - 8);
    for (uint64_t k = size; k < size + SIZED_TAIL; ++k)
        assert_int_equal(block.bytes[k], 0);
    assert_int_equal(block.bytes[size + SIZED_TAIL], 0x5A);
}

/** The same for a struct that has not grown. */
static inline void sized_output(uint64_t size, dem_status (*call)(void *), const char *name)
{
    sized_output_of(size, size, call, name);
}

#endif
