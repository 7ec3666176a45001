/* SPDX-License-Identifier: MIT */
/**
 * @file bytes.h
 * Bytes with their number, and a world's snapshot as such: two snapshots tell whether a world has
 * changed.
 */
#ifndef DEM_TEST_BYTES_H
#define DEM_TEST_BYTES_H

#include "cmocka.h"

#include <dem/dem.h>

#include <stdlib.h>

typedef struct bytes {
    unsigned char *at;
    uint64_t size;
} bytes;

/** To be freed. */
static inline bytes snapshot(const dem_world *world)
{
    bytes b = {NULL, 0};
    OK(dem_world_snapshot_size(world, &b.size));
    b.at = malloc((size_t)b.size);
    assert_non_null(b.at);
    if (dem_world_snapshot(world, b.at, b.size, NULL) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    return b;
}

static inline void expect_snapshot(const dem_world *world, bytes expected)
{
    const bytes b = snapshot(world);
    assert_int_equal(b.size, expected.size);
    assert_memory_equal(b.at, expected.at, expected.size);
    free(b.at);
}

#endif
