/* SPDX-License-Identifier: MIT */
/**
 * @file shrink.c
 * A world that frees what it does not need goes on with the same bits, whenever that happens, and
 * holds less.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/busy.h"

#include <stdlib.h>
#include <string.h>

/** An allocator that can refuse, fills what is released, and looks at what is behind a block. */
typedef struct heap {
    int64_t left; /* allocations that still succeed; negative: all */
    uint64_t bytes;
} heap;

enum { HEAP_EDGE = 64, HEAP_FILL = 0xA5 };

static void *heap_allocate(void *user, uint64_t size, uint64_t alignment)
{
    heap *h = user;
    if (h->left == 0)
        return NULL;
    h->left -= h->left > 0;
    h->bytes += size;
    void *p = NULL;
    if (posix_memalign(&p, (size_t)alignment, (size_t)size + HEAP_EDGE) != 0)
        return NULL;
    memset((char *)p + size, HEAP_FILL, HEAP_EDGE);
    return p;
}

static void heap_release(void *user, void *pointer, uint64_t size)
{
    ((heap *)user)->bytes -= size;
    for (uint64_t k = 0; pointer != NULL && k < HEAP_EDGE; ++k)
        if (((unsigned char *)pointer)[size + k] != HEAP_FILL)
            fail_msg("a block of %llu bytes: written beyond its end", (unsigned long long)size);
    if (pointer != NULL)
        memset(pointer, HEAP_FILL, (size_t)size);
    free(pointer);
}

static dem_world_config heap_config(heap *h)
{
    dem_world_config config = scene_config();
    config.allocator.user = h;
    config.allocator.allocate = heap_allocate;
    config.allocator.release = heap_release;
    return config;
}

static uint64_t bytes_of(const dem_world *world)
{
    return scene_counts(world).bytes;
}

/** The same changes to two worlds, of which one shrinks in between. */
static void the_bits_stay(void **state)
{
    (void)state;
    heap h = {-1, 0};
    for (int threads = 1; threads <= 2; ++threads) {
        dem_world_config config = heap_config(&h);
        config.threads = threads;
        dem_world *world[2] = {busy_world(6, 5, &config), busy_world(6, 5, &config)};
        OK(dem_world_shrink(world[0])); /* before there is a list */
        for (uint64_t turn = 0; turn < 24; ++turn) {
            for (int k = 0; k < 2; ++k) {
                dem_particle_handle handle;
                dem_particle p = scene_particle(1.0, 1.0, 9.0 + (double)turn);
                OK(dem_particle_add(world[k], &p, NULL));
                if (turn > 3 && dem_particle_find(world[k], 30 + turn, &handle) == DEM_OK)
                    OK(dem_particle_remove(world[k], handle));
            }
            if (turn % 3 == 1)
                OK(dem_world_shrink(world[0])); /* the list is stale */
            for (int k = 0; k < 2; ++k)
                OK(dem_step(world[k], BUSY_DT, 7 * turn));
            OK(dem_world_shrink(world[0]));
            busy_equal(world[0], world[1]);
            assert_true(bytes_of(world[0]) < bytes_of(world[1]));
        }
        for (int k = 0; k < 2; ++k)
            OK(dem_step(world[k], BUSY_DT, 500));
        busy_equal(world[0], world[1]);
        dem_world_destroy(world[0]);
        dem_world_destroy(world[1]);
        assert_true(h.bytes == 0);
    }
}

/** A mark stays, whose list and contacts are more than those of now. */
static void a_mark_stays(void **state)
{
    (void)state;
    heap h = {-1, 0};
    const dem_world_config config = heap_config(&h);
    dem_world *world = busy_world(5, 4, &config), *twin = busy_world(5, 4, &config);
    OK(dem_step(world, BUSY_DT, 40));
    OK(dem_step(twin, BUSY_DT, 40));
    OK(dem_world_mark(world));
    for (int n = 0; n < 3; ++n) {
        const double up[3] = {0.0, 0.0, 40.0}; /* they fly apart: few pairs are left */
        if (n == 1)
            OK(dem_world_gravity_set(world, up));
        if (dem_step(world, BUSY_DT, 2000) != DEM_OK)
            fail_msg("%s", dem_world_error(world));
        OK(dem_world_shrink(world));
        OK(dem_world_rewind(world));
        busy_equal(world, twin);
    }
    dem_world_destroy(world);
    dem_world_destroy(twin);
    assert_true(h.bytes == 0);
}

/** A mark stays that has rows of removed particles, which the list does not have any more. */
static void rows_of_a_mark_stay(void **state)
{
    (void)state;
    heap h = {-1, 0};
    const dem_world_config config = heap_config(&h);
    dem_world *world = busy_world(6, 5, &config), *twin = busy_world(6, 5, &config),
              *both[2] = {world, twin};
    for (int k = 0; k < 2; ++k) {
        OK(dem_step(both[k], BUSY_DT, 100));
        for (uint64_t id = 30; id < 60; ++id) {
            dem_particle_handle handle;
            OK(dem_particle_find(both[k], id, &handle));
            OK(dem_particle_remove(both[k], handle));
        }
    }
    OK(dem_world_mark(world));
    OK(dem_step(world, BUSY_DT, 50)); /* builds the list, which has no rows of removed ones */
    OK(dem_world_shrink(world));
    OK(dem_world_rewind(world));
    busy_equal(world, twin);
    for (int k = 0; k < 2; ++k)
        OK(dem_step(both[k], BUSY_DT, 100));
    busy_equal(world, twin);
    dem_world_destroy(world);
    dem_world_destroy(twin);
    assert_int_equal(h.bytes, 0);
}

/** What was held for many particles is free when few are left; views are stale. */
static void many_removed_particles_leave_little(void **state)
{
    (void)state;
    heap h = {-1, 0};
    const dem_world_config config = heap_config(&h);
    dem_world *world = scene_packing_config(20, 20, &config);
    OK(dem_step(world, BUSY_DT, 3));
    OK(dem_world_mark(world));
    const uint64_t all = bytes_of(world), particles = scene_counts(world).particles;
    dem_particle_handle handle;
    for (uint64_t id = 1; id < particles; ++id)
        if (id > 200 && dem_particle_find(world, id, &handle) == DEM_OK)
            OK(dem_particle_remove(world, handle));
    OK(dem_step(world, BUSY_DT, 1));
    assert_true(bytes_of(world) > all / 2);
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
    OK(dem_world_shrink(world));
    assert_true(dem_world_view_stale(world, &view));
    printf("# %.0f bytes a particle of %.0f, then %.0f of all\n", (double)all / (double)particles,
           (double)particles, (double)bytes_of(world));
    assert_true(bytes_of(world) < all / 5);
    assert_true(bytes_of(world) == h.bytes);
    OK(dem_step(world, BUSY_DT, 100));
    assert_int_equal(dem_world_shrink(NULL), DEM_ERROR_ARGUMENT);
    dem_world_destroy(world);
}

/** An emptied world keeps of a particle what tells that its handle is stale; it can be filled
 * again.
 */
static void an_empty_world_holds_little(void **state)
{
    (void)state;
    heap h = {-1, 0};
    const dem_world_config config = heap_config(&h);
    dem_world *world = scene_packing_config(16, 16, &config);
    OK(dem_step(world, BUSY_DT, 3));
    const uint64_t particles = scene_counts(world).particles;
    dem_world *bare = scene_world(&config); /* one that never had any */
    OK(dem_step(bare, BUSY_DT, 1));
    OK(dem_world_shrink(bare));
    for (int turn = 0; turn < 2; ++turn) {
        dem_particle_handle handle;
        for (uint64_t id = 1; id <= particles + 1; ++id)
            if (dem_particle_find(world, id, &handle) == DEM_OK)
                OK(dem_particle_remove(world, handle));
        OK(dem_step(world, BUSY_DT, 1));
        OK(dem_world_shrink(world));
        const uint64_t more = bytes_of(world) - bytes_of(bare);
        printf("# %.1f bytes a particle\n", (double)more / (double)particles);
        assert_true(scene_counts(world).particles == 0 && more < 20 * particles);
        for (uint64_t id = 2; id <= particles + 1; ++id) { /* 1 is the wall */
            dem_particle p = scene_particle(0.0, 0.0, 2.0 * (double)id);
            p.id = id;
            OK(dem_particle_add(world, &p, NULL));
        }
        OK(dem_step(world, BUSY_DT, 2));
        assert_int_equal(scene_counts(world).particles, particles);
    }
    dem_world_destroy(bare);
    dem_world_destroy(world);
    assert_true(h.bytes == 0);
}

/** Where memory runs out the world is as it was. */
static void without_memory_nothing_else_changes(void **state)
{
    (void)state;
    heap h = {-1, 0};
    const dem_world_config config = heap_config(&h);
    dem_world *twin = busy_world(5, 4, &config);
    OK(dem_step(twin, BUSY_DT, 60));
    int refused = 0;
    dem_status status = DEM_ERROR_MEMORY;
    for (int64_t left = 0; status != DEM_OK; ++left) {
        dem_world *world = busy_world(5, 4, &config);
        OK(dem_step(world, BUSY_DT, 30));
        h.left = left;
        status = dem_world_shrink(world);
        h.left = -1;
        if (status != DEM_OK) {
            assert_int_equal(status, DEM_ERROR_MEMORY);
            assert_non_null(strstr(dem_world_error(world), "bytes"));
            ++refused;
        }
        OK(dem_step(world, BUSY_DT, 30));
        busy_equal(world, twin);
        dem_world_destroy(world);
    }
    assert_true(refused > 2);
    dem_world_destroy(twin);
}

/** Velocities that were written back as they were still change nothing. */
static void what_was_written_back_changes_nothing(void **state)
{
    (void)state;
    heap h = {-1, 0};
    const dem_world_config config = heap_config(&h);
    dem_world *world = busy_world(5, 4, &config), *twin = busy_world(5, 4, &config);
    for (int turn = 0; turn < 20; ++turn) {
        dem_view view = {.struct_size = sizeof view};
        OK(dem_step(world, BUSY_DT, 10));
        OK(dem_step(twin, BUSY_DT, 10));
        OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
        if (turn % 2 == 1) { /* a change counts as it does without */
            ((double *)view.data)[0] += 1e-3;
            OK(dem_world_view(twin, DEM_FIELD_VELOCITY, &view));
            ((double *)view.data)[0] += 1e-3;
            OK(dem_world_written_field(twin, DEM_FIELD_VELOCITY));
        }
        OK(dem_world_written_field(world, DEM_FIELD_VELOCITY));
        OK(dem_world_shrink(world));
        OK(dem_step(world, BUSY_DT, 1));
        OK(dem_step(twin, BUSY_DT, 1));
        busy_equal(world, twin);
    }
    dem_world_destroy(world);
    dem_world_destroy(twin);
    assert_true(h.bytes == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bits_stay),
        cmocka_unit_test(a_mark_stays),
        cmocka_unit_test(rows_of_a_mark_stay),
        cmocka_unit_test(many_removed_particles_leave_little),
        cmocka_unit_test(an_empty_world_holds_little),
        cmocka_unit_test(without_memory_nothing_else_changes),
        cmocka_unit_test(what_was_written_back_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
