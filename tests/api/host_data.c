/* SPDX-License-Identifier: MIT */
/**
 * @file host_data.c
 * Doubles of the host that each particle carries, and the index that stays with it: through
 * sorting, additions, removals, failed steps, marks and snapshots.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/busy.h"
#include "../support/fields.h"

#include <string.h>

enum { WIDTH = 3 };

#define REFUSE(call, status, words)                                                                \
    do {                                                                                           \
        assert_int_equal(call, status);                                                            \
        assert_non_null(strstr(dem_world_error(world), words));                                    \
    } while (0)

static void *host_row(const dem_view *view, uint64_t row)
{
    return (char *)view->data + row * view->stride;
}

static uint32_t index_row(const dem_view *view, uint64_t row)
{
    uint32_t index;
    memcpy(&index, (const char *)(const void *)view->index + row * view->index_stride,
           sizeof index);
    return index;
}

/** Bits that are no number at all, others for each particle and place. */
static uint64_t word_of(uint64_t id, uint64_t place)
{
    return UINT64_C(0x7FF4000000000000) | id << 8 | place;
}

static void host_write(dem_world *world)
{
    const dem_view host = view_of(world, DEM_FIELD_HOST);
    assert_int_equal(host.stride, WIDTH * sizeof(double));
    for (uint64_t row = 0; row < host.count; ++row)
        for (uint64_t k = 0; k < WIDTH; ++k) {
            const uint64_t word = word_of(host.id[row], k);
            memcpy((char *)host_row(&host, row) + 8 * k, &word, sizeof word);
        }
    OK(dem_world_written_field(world, DEM_FIELD_HOST));
}

/** Each particle up to `most` has its words, others have 0; returns how many have words. */
static uint64_t host_look(dem_world *world, uint64_t most)
{
    uint64_t found = 0;
    const dem_view host = view_of(world, DEM_FIELD_HOST);
    for (uint64_t row = 0; row < host.count; ++row)
        for (uint64_t k = 0; host.id[row] != 0 && k < WIDTH; ++k) {
            uint64_t word;
            memcpy(&word, (char *)host_row(&host, row) + 8 * k, sizeof word);
            assert_true(word == (host.id[row] <= most ? word_of(host.id[row], k) : 0));
            found += k == 0 && word != 0;
        }
    return found;
}

static dem_world *packing(uint64_t width)
{
    dem_world_config config = scene_config();
    config.host_doubles = width;
    return scene_packing_config(6, 4, &config);
}

enum { PARTICLES = 6 * 6 * 4 };

static void remove_one(dem_world *world, uint64_t id)
{
    dem_particle_handle handle;
    OK(dem_particle_find(world, id, &handle));
    OK(dem_particle_remove(world, handle));
}

static void add_one(dem_world *world, double x, double z)
{
    const dem_particle p = scene_particle(x, 3.0, z);
    OK(dem_particle_add(world, &p, NULL));
}

/* Rows are sorted, closed and given again; the data stay with their particles, and new particles
 * start with 0. The bits of the run are those of a world without. */
static void data_travel(void **state)
{
    (void)state;
    dem_world *world = packing(WIDTH), *bare = packing(0);
    const uint64_t first = PARTICLES + 1; /* the floor has an id, too */
    host_write(world);
    for (int n = 0; n < 6; ++n) {
        OK(dem_step(world, 1e-3, 100));
        OK(dem_step(bare, 1e-3, 100));
        assert_true(scene_hash(world) == scene_hash(bare));
        const uint64_t present = scene_counts(world).particles;
        assert_int_equal(host_look(world, first), present - (uint64_t)(n > 0 ? 3 * n : 0));
        for (int k = 0; k < 3; ++k) {
            dem_world *const worlds[] = {world, bare};
            for (int v = 0; v < 2; ++v) {
                add_one(worlds[v], 2.0 * k + 0.5, 8.0 + 1.5 * n);
                remove_one(worlds[v], (uint64_t)(7 * n + 2 * k + 2));
            }
        }
        host_look(world, first);
    }
    assert_true(scene_counts(world).rebuilds > 3);
    dem_world_destroy(world);
    dem_world_destroy(bare);
}

/* Gaps among rows that the list does not have are closed; what is added there starts with 0. */
static void gaps_close(void **state)
{
    (void)state;
    enum { MORE = 40, GONE = 30, NEW = 200 };
    dem_world *world = packing(WIDTH);
    OK(dem_step(world, 1e-3, 1));
    for (int n = 0; n < MORE; ++n)
        add_one(world, 0.5, 10.0 + 2.0 * n);
    host_write(world);
    for (uint64_t n = 0; n < GONE; ++n)
        remove_one(world, PARTICLES + 2 + n);
    const uint64_t before = view_of(world, DEM_FIELD_HOST).count;
    static dem_particle more[NEW];
    for (int n = 0; n < NEW; ++n)
        more[n] = scene_particle(2.5, 3.0, 10.0 + 2.0 * n);
    OK(dem_particles_add(world, NEW, more, NULL));
    assert_true(view_of(world, DEM_FIELD_HOST).count < before + NEW);
    const uint64_t written = PARTICLES + 1 + MORE, left = PARTICLES + MORE - GONE;
    assert_int_equal(host_look(world, written), left);
    OK(dem_step(world, 1e-3, 1));
    assert_int_equal(host_look(world, written), left);
    dem_world_destroy(world);
}

/* dem_view.index is that of the handle, whatever moves. */
static void index_stays(void **state)
{
    (void)state;
    dem_world *world = packing(0);
    int moved = 0;
    for (int n = 0; n < 5; ++n) {
        const dem_view view = view_of(world, DEM_FIELD_POSITION);
        for (uint64_t row = 0; row < view.count; ++row) {
            dem_particle_handle handle;
            OK(dem_particle_find(world, view.id[row], &handle));
            assert_int_equal(index_row(&view, row), handle.index);
            assert_true(handle.index < view.index_count);
            moved += handle.index != row;
        }
        assert_int_equal(view.index_count, PARTICLES);
        OK(dem_step(world, 1e-3, 60));
    }
    assert_true(moved > 0);
    dem_world_destroy(world);
}

/* A rewind brings back what was there at the mark, also over sorting, and 0 where the first use
 * came later. */
static void mark_has_them(void **state)
{
    (void)state;
    for (int early = 0; early < 2; ++early) {
        dem_world *world = packing(WIDTH);
        OK(dem_step(world, 1e-3, 40));
        if (early)
            host_write(world);
        OK(dem_world_mark(world));
        for (int n = 0; n < 2; ++n) {
            const dem_view host = view_of(world, DEM_FIELD_HOST);
            memset(host.data, 0x3F, (size_t)(host.count * host.stride));
            const uint64_t rebuilds = scene_counts(world).rebuilds;
            OK(dem_step(world, 1e-3, 200));
            assert_true(scene_counts(world).rebuilds > rebuilds);
            OK(dem_world_rewind(world));
            assert_int_equal(host_look(world, early ? PARTICLES + 1 : 0), early ? PARTICLES : 0);
        }
        dem_world_destroy(world);
    }
}

/* A snapshot has them, and how many they are; one without leaves the world its own number. */
static void snapshot_has_them(void **state)
{
    (void)state;
    dem_world *world = packing(WIDTH), *other = packing(1), *bare = packing(0);
    OK(dem_step(world, 1e-3, 100));
    uint64_t plain, unused, used;
    free(busy_snapshot(bare, &plain));
    dem_world *empty = packing(WIDTH);
    free(busy_snapshot(empty, &unused));
    dem_world_destroy(empty);
    assert_int_equal(unused, plain + 8 * 4);
    host_write(world);
    remove_one(world, 2);
    unsigned char *bytes = busy_snapshot(world, &used);
    OK(dem_world_restore(other, bytes, used));
    assert_int_equal(host_look(other, PARTICLES + 1), PARTICLES - 1);
    OK(dem_step(other, 1e-3, 100));
    OK(dem_step(world, 1e-3, 100));
    assert_true(scene_hash(other) == scene_hash(world));
    assert_int_equal(host_look(other, PARTICLES + 1), PARTICLES - 1);
    free(bytes);
    bytes = busy_snapshot(bare, &plain);
    OK(dem_world_restore(other, bytes, plain));
    assert_int_equal(host_look(other, 0), 0);
    free(bytes);
    dem_world_destroy(world);
    dem_world_destroy(other);
    dem_world_destroy(bare);
}

/* A world that frees what it does not need keeps them, also of rows that come later. */
static void shrinking_keeps_them(void **state)
{
    (void)state;
    dem_world *world = packing(WIDTH);
    host_write(world);
    OK(dem_step(world, 1e-3, 40));
    OK(dem_world_shrink(world));
    assert_int_equal(host_look(world, PARTICLES + 1), PARTICLES);
    add_one(world, 0.5, 10.0);
    OK(dem_step(world, 1e-3, 200));
    assert_int_equal(host_look(world, PARTICLES + 1), PARTICLES);
    dem_world_destroy(world);
}

/* Whole columns; values that are no numbers are the host's. */
static void set_whole(void **state)
{
    (void)state;
    dem_world *world = packing(WIDTH);
    static double values[PARTICLES][WIDTH];
    const dem_view view = view_of(world, DEM_FIELD_POSITION);
    for (uint64_t row = 0; row < PARTICLES; ++row)
        for (uint64_t k = 0; k < WIDTH; ++k) {
            const uint64_t word = word_of(view.id[row], k);
            memcpy(&values[row][k], &word, sizeof word);
        }
    OK(dem_world_field_set(world, DEM_FIELD_HOST, PARTICLES, values[0]));
    OK(dem_world_written(world));
    assert_int_equal(host_look(world, PARTICLES + 1), PARTICLES);
    OK(dem_step(world, 1e-3, 50));
    assert_int_equal(host_look(world, PARTICLES + 1), PARTICLES);
    REFUSE(dem_world_field_set(world, DEM_FIELD_HOST, 1, values[0]), DEM_ERROR_RANGE, "count");
    dem_world_destroy(world);
}

static void refused(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = scene_packing_config(2, 1, &config);
    dem_view view = {.struct_size = sizeof(view)};
    const double value = 0.0;
    REFUSE(dem_world_view(world, DEM_FIELD_HOST, &view), DEM_ERROR_STATE, "host_doubles");
    REFUSE(dem_world_field_set(world, DEM_FIELD_HOST, 4, &value), DEM_ERROR_STATE, "host_doubles");
    dem_world_destroy(world);
    dem_error error;
    config.host_doubles = 1025;
    assert_int_equal(dem_world_create(&config, &world, &error), DEM_ERROR_RANGE);
    assert_non_null(strstr(error.message, "host_doubles: 1025 is not in [0, 1024]"));
    config.host_doubles = 1024;
    OK(dem_world_create(&config, &world, &error));
    dem_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaps_close),        cmocka_unit_test(data_travel),
        cmocka_unit_test(index_stays),       cmocka_unit_test(mark_has_them),
        cmocka_unit_test(snapshot_has_them), cmocka_unit_test(shrinking_keeps_them),
        cmocka_unit_test(set_whole),         cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests_name("host_data", tests, NULL, NULL);
}
