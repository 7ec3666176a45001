/* SPDX-License-Identifier: MIT */
/**
 * @file snapshot_pieces.c
 * Snapshots that are written and read piece by piece have the bytes of those in memory; a piece
 * that is refused, cut short or damaged leaves the world as it was.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/busy.h"

#include <string.h>

/** Bytes that come and go, up to a piece that fails. */
typedef struct stream {
    unsigned char *bytes;
    uint64_t size, at, largest;
    int left, calls; /* pieces that still succeed */
} stream;

static dem_status piece(stream *s, uint64_t size)
{
    ++s->calls;
    s->largest = size > s->largest ? size : s->largest;
    if (s->left-- == 0)
        return DEM_ERROR_FILE;
    return s->at + size <= s->size ? DEM_OK : DEM_ERROR_RANGE;
}

static dem_status sink(void *user, const void *bytes, uint64_t size)
{
    stream *s = user;
    const dem_status status = piece(s, size);
    if (status != DEM_OK)
        return status;
    memcpy(s->bytes + s->at, bytes, (size_t)size);
    s->at += size;
    return DEM_OK;
}

static dem_status source(void *user, void *bytes, uint64_t size)
{
    stream *s = user;
    const dem_status status = piece(s, size);
    if (status != DEM_OK)
        return status;
    memcpy(bytes, s->bytes + s->at, (size_t)size);
    s->at += size;
    return DEM_OK;
}

#define REFUSE(call, status, words)                                                                \
    do {                                                                                           \
        assert_int_equal(call, status);                                                            \
        assert_non_null(strstr(dem_world_error(world), words));                                    \
    } while (0)

static void pieces_are_the_bytes_in_memory(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(6, 5, &config), *other = scene_world(&config);
    OK(dem_step(world, BUSY_DT, 100));
    uint64_t size;
    unsigned char *whole = busy_snapshot(world, &size);
    stream s = {.bytes = calloc(1, (size_t)size + 64), .size = size + 64, .left = -1};
    assert_non_null(s.bytes);
    OK(dem_world_snapshot_write(world, sink, &s));
    assert_int_equal(s.at, size);
    assert_true(s.calls > 5 && s.largest <= 8192);
    assert_memory_equal(s.bytes, whole, (size_t)size);
    s.at = 0;
    OK(dem_world_snapshot_read(other, source, &s));
    assert_int_equal(s.at, size); /* and no byte of what follows */
    busy_equal(world, other);
    OK(dem_step(world, BUSY_DT, 50));
    OK(dem_step(other, BUSY_DT, 50));
    busy_equal(world, other);
    free(s.bytes);
    free(whole);
    dem_world_destroy(world);
    dem_world_destroy(other);
}

static void what_fails_changes_nothing(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(5, 4, &config);
    OK(dem_step(world, BUSY_DT, 100));
    uint64_t size;
    unsigned char *whole = busy_snapshot(world, &size);
    stream s = {.bytes = malloc((size_t)size), .size = size};
    assert_non_null(s.bytes);
    for (int n = 0; n < 3; ++n) {
        s.at = 0;
        s.calls = 0;
        s.left = n;
        REFUSE(dem_world_snapshot_write(world, sink, &s), DEM_ERROR_CALLBACK, "write: returned");
        assert_int_equal(s.calls, n + 1); /* not called again */
    }
    const uint64_t hash = scene_hash(world);
    for (int n = 0; n < 2; ++n) {
        memcpy(s.bytes, whole, (size_t)size);
        s.at = 0;
        s.calls = 0;
        s.left = n;
        REFUSE(dem_world_snapshot_read(world, source, &s), DEM_ERROR_CALLBACK, "read: returned");
        assert_int_equal(s.calls, n + 1);
    }
    const uint64_t places[] = {0, 8, 16, size / 2, size - 8};
    for (size_t n = 0; n < sizeof places / sizeof places[0]; ++n) {
        memcpy(s.bytes, whole, (size_t)size);
        s.bytes[places[n]] ^= places[n] == 16 ? 16 : 255; /* another length: it ends too late */
        s.at = 0;
        s.left = -1;
        const dem_status status = dem_world_snapshot_read(world, source, &s);
        assert_true(status == DEM_ERROR_FORMAT || (n == 2 && status == DEM_ERROR_CALLBACK));
    }
    assert_int_equal(scene_hash(world), hash);
    REFUSE(dem_world_snapshot_write(world, NULL, &s), DEM_ERROR_ARGUMENT, "write");
    REFUSE(dem_world_snapshot_read(world, NULL, &s), DEM_ERROR_ARGUMENT, "read");
    assert_int_equal(dem_world_snapshot_write(NULL, sink, &s), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_snapshot_read(NULL, source, &s), DEM_ERROR_ARGUMENT);
    free(s.bytes);
    free(whole);
    dem_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_the_bytes_in_memory),
        cmocka_unit_test(what_fails_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
