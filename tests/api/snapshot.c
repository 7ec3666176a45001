/* SPDX-License-Identifier: MIT */
/**
 * @file snapshot.c
 * Snapshots in memory: a run that was cut in two has the bits of one that was not, wherever it was
 * cut and whatever the second half runs on.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/busy.h"
#include "../support/emulated.h"
#include "../support/law.h"

#include <string.h>

#define EDGE 7u
#define LAYERS 8u /* 392 particles: two chunks */

static dem_world_config plain(void)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    return config;
}

/** An empty world to restore into: other threads and instructions than where it was saved. */
static dem_world *empty_world(int turn)
{
    dem_world_config config = plain();
    config.threads = 1 + turn % 3;
    if (turn % 2 == 0)
        config.isa = DEM_ISA_BASELINE;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    return world;
}

/** Takes a world over into another one, and checks that nothing was lost. */
static dem_world *taken_over(const dem_world *world, int turn)
{
    uint64_t size, again;
    unsigned char *bytes = busy_snapshot(world, &size);
    dem_world *other = empty_world(turn);
    if (dem_world_restore(other, bytes, size) != DEM_OK)
        fail_msg("%s", dem_world_error(other));
    unsigned char *back = busy_snapshot(other, &again);
    assert_int_equal(again, size);
    assert_memory_equal(bytes, back, (size_t)size);
    free(bytes);
    free(back);
    return other;
}

static void split_run(int32_t integrator, int turns)
{
    dem_world_config config = plain();
    config.integrator = integrator;
    dem_world *straight = busy_world(EDGE, LAYERS, &config), *split = NULL;
    dem_world *watched = busy_world(EDGE, LAYERS, &config);
    /* before the first step, after few steps, while sums are small and show the last bit of what is
     * added, and then at moments with lists of every age */
    for (int turn = 0; turn < turns; ++turn) {
        const uint64_t steps = turn < 20 ? 1 + (uint64_t)turn % 2 : 37;
        dem_world *next = taken_over(turn == 0 ? watched : split, turn);
        dem_world_destroy(split);
        split = next;
        OK(dem_step(straight, BUSY_DT, steps));
        OK(dem_step(watched, BUSY_DT, steps));
        OK(dem_step(split, BUSY_DT, steps));
        busy_equal(straight, split);
        /* the world of which a snapshot was taken goes on as well */
        busy_equal(straight, watched);
        dem_world_destroy(taken_over(watched, turn));
    }
    const dem_world_counts counts = scene_counts(straight);
    printf("# %llu contacts, %llu rebuilds in %llu steps\n", (unsigned long long)counts.contacts,
           (unsigned long long)counts.rebuilds, (unsigned long long)counts.steps);
    assert_true(counts.contacts > 100 && counts.rebuilds > 5);
    assert_true(scene_energies(straight).dissipated_slip > 0.0);
    dem_world_destroy(straight);
    dem_world_destroy(watched);
    dem_world_destroy(split);
}

static void a_split_run_equals_a_straight_run(void **state)
{
    (void)state;
    split_run(DEM_INTEGRATOR_VERLET_SYNC, test_slow() ? 30 : 45);
    if (test_slow())
        return;
    split_run(DEM_INTEGRATOR_LEAPFROG, 30);
    split_run(DEM_INTEGRATOR_SYMPLECTIC_EULER, 30);
}

/* Some sums run over the state before a step and the one after it. The work of walls that begin to
 * move shows their order to the last bit, while no earlier work hides it. */
static void the_order_of_sums_over_both_states_is_kept(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    dem_wall wall;
    enum { WALLS = 12 };
    uint64_t walls[WALLS];
    for (int k = 0; k < WALLS; ++k) {
        OK(dem_wall_init(&wall));
        wall.normal[2] = 0.0;
        wall.normal[k % 3] = 1.0;
        wall.point[k % 3] = 0.01 * (k / 3);
        OK(dem_wall_add(world, &wall, &walls[k]));
    }
    for (int n = 0; n < 8; ++n) {
        dem_particle p = scene_particle(0.46 + 0.95 * (n & 1), 0.47 + 0.95 * (n >> 1 & 1),
                                        0.48 + 0.95 * (n >> 2));
        p.velocity[n % 3] = -1.0;
        OK(dem_particle_add(world, &p, NULL));
    }
    for (int turn = 0; turn < 40; ++turn) {
        OK(dem_step(world, BUSY_DT, 1));
        assert_true(scene_energies(world).work_boundary == 0.0);
        dem_world *other = taken_over(world, turn), *both[2] = {world, other};
        uint64_t size;
        unsigned char *bytes = busy_snapshot(world, &size);
        for (int n = 0; n < 2; ++n) {
            for (int k = 0; k < WALLS; ++k) {
                const double velocity[3] = {0.1 * k - 0.3, 0.23, 0.17 * (6 - k)};
                OK(dem_wall_set_velocity(both[n], walls[k], velocity));
            }
            OK(dem_step(both[n], 10.0 * BUSY_DT, 1));
        }
        assert_true(scene_energies(world).work_boundary != 0.0);
        busy_equal(world, other);
        dem_world_destroy(other);
        OK(dem_world_restore(world, bytes, size));
        free(bytes);
    }
    dem_world_destroy(world);
}

/** Changes of the host's between two steps, each of which makes the list stale. */
static void change(dem_world *world, int number, dem_particle_handle first)
{
    dem_particle_handle handle;
    const double still[3] = {0.0, 0.0, 0.0}, to[3] = {2.0, 1.0, 200.0 + number};
    dem_wall wall;
    test_random random = {UINT64_C(99) + (uint64_t)number};
    const int action = (number / 2 + number % 2) % 7;
    switch (action) {
    case 0:
        OK(dem_particle_find(world, 20 + (uint64_t)number, &handle));
        OK(dem_particle_remove(world, handle));
        break;
    case 1: {
        dem_particle p = busy_particle(&random, 1000 + (uint64_t)number, EDGE);
        p.position[2] = 15.0 + 2.0 * number;
        OK(dem_particle_add(world, &p, &handle));
        break;
    }
    case 2:
        OK(dem_particle_set_motion(world, first, to, still, NULL));
        break;
    case 3:
        busy_models(world); /* their contacts lose their history */
        break;
    case 4:
    case 5: /* a wall comes, or goes */
        OK(dem_wall_init(&wall));
        wall.struct_size = sizeof(wall);
        if (dem_wall_get(world, 70000u + 10u * (unsigned)(action - 5), &wall) == DEM_OK) {
            OK(dem_wall_remove(world, wall.id));
            break;
        }
        OK(dem_wall_init(&wall));
        wall.id = 70000u + 10u * (unsigned)(action - 5);
        wall.point[1] = -3.0;
        wall.normal[1] = 1.0;
        wall.normal[2] = 0.0;
        OK(dem_wall_add(world, &wall, NULL));
        break;
    default: {
        dem_view view = {.struct_size = sizeof(view)};
        OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
        for (uint64_t row = 0; row < view.count; ++row)
            if (view.id[row] == 1 + (uint64_t)number)
                ((double *)((char *)view.data + row * view.stride))[0] += 0.1;
        OK(dem_world_written(world));
    }
    }
}

static void snapshots_between_changes_keep_them(void **state)
{
    (void)state;
    const dem_world_config config = plain();
    dem_world *straight = busy_world(EDGE, LAYERS, &config);
    dem_world *split = busy_world(EDGE, LAYERS, &config);
    dem_particle_handle first;
    OK(dem_particle_find(straight, 2, &first));
    OK(dem_step(straight, BUSY_DT, 300));
    OK(dem_step(split, BUSY_DT, 300));
    for (int turn = 0; turn < 21; ++turn) {
        change(straight, 2 * turn, first);
        change(split, 2 * turn, first);
        dem_world *next = taken_over(split, turn);
        dem_world_destroy(split);
        split = next;
        /* changes on top of changes, in the world that was restored */
        change(straight, 2 * turn + 1, first);
        change(split, 2 * turn + 1, first);
        if (dem_step(straight, BUSY_DT, 23) != DEM_OK)
            fail_msg("turn %d: %s", turn, dem_world_error(straight));
        OK(dem_step(split, BUSY_DT, 23));
        busy_equal(straight, split);
    }
    /* handles that were given before and after are the same */
    dem_particle p = scene_particle(1.0, 1.0, 60.0);
    dem_particle_handle a, b;
    for (int n = 0; n < 4; ++n) {
        p.position[2] += 2.0;
        OK(dem_particle_add(straight, &p, &a));
        OK(dem_particle_add(split, &p, &b));
        assert_memory_equal(&a, &b, sizeof(a));
    }
    dem_particle q = p;
    OK(dem_particle_get(straight, first, &p));
    OK(dem_particle_get(split, first, &q));
    assert_memory_equal(&p, &q, sizeof(p));
    dem_world_destroy(straight);
    dem_world_destroy(split);
}

/** A call of no steps after velocities that were written back as they were. */
static void evaluate_again(dem_world *world)
{
    OK(dem_step(world, BUSY_DT, 0));
    OK(dem_step(world, BUSY_DT, 1));
}

/* A call of no steps evaluates contacts where velocities are said to be written, also if none of
 * them changed; so does the world that is restored. */
static void what_was_said_of_velocities_is_kept(void **state)
{
    (void)state;
    for (int said = 0; said < 2; ++said) {
        dem_world_config config = plain();
        config.integrator = said ? DEM_INTEGRATOR_LEAPFROG : DEM_INTEGRATOR_VERLET_SYNC;
        dem_world *world = busy_world(EDGE, LAYERS, &config), *silent;
        dem_view view = {.struct_size = sizeof view};
        OK(dem_step(world, BUSY_DT, 100));
        silent = taken_over(world, 0);
        OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
        OK(said ? dem_world_written(world) : dem_world_written_field(world, DEM_FIELD_VELOCITY));
        dem_world *other = taken_over(world, said), *third = taken_over(other, said + 1);
        evaluate_again(silent);
        evaluate_again(world);
        evaluate_again(other);
        evaluate_again(third);
        busy_equal(world, other);
        busy_equal(world, third);
        assert_true(scene_hash(world) != scene_hash(silent));
        dem_world_destroy(world);
        dem_world_destroy(silent);
        dem_world_destroy(other);
        dem_world_destroy(third);
    }
}

static void a_world_goes_back_in_time(void **state)
{
    (void)state;
    dem_world_config config = plain();
    config.threads = 2;
    dem_world *world = busy_world(EDGE, LAYERS, &config);
    OK(dem_step(world, BUSY_DT, 200));
    uint64_t size;
    unsigned char *bytes = busy_snapshot(world, &size);
    const uint64_t then = scene_hash(world);
    OK(dem_step(world, BUSY_DT, 100));
    const uint64_t later = scene_hash(world);
    dem_view view = {.struct_size = sizeof(view)};
    for (int n = 0; n < 3; ++n) {
        OK(dem_world_view(world, DEM_FIELD_POSITION, &view));
        assert_false(dem_world_view_stale(world, &view));
        OK(dem_world_restore(world, bytes, size));
        assert_true(dem_world_view_stale(world, &view));
        assert_int_equal(scene_hash(world), then);
        OK(dem_step(world, BUSY_DT, 100));
        assert_int_equal(scene_hash(world), later);
    }
    dem_world_destroy(world);
    free(bytes);
}

/* A view that was opened after a restore is stale after the next one. */
static void each_restore_makes_views_stale(void **state)
{
    (void)state;
    const dem_world_config config = plain();
    dem_world *world = busy_world(3, 1, &config);
    uint64_t size;
    unsigned char *bytes = busy_snapshot(world, &size);
    dem_view view = {.struct_size = sizeof view};
    for (int n = 0; n < 3; ++n) {
        OK(dem_world_restore(world, bytes, size));
        if (n > 0)
            assert_true(dem_world_view_stale(world, &view));
        OK(dem_world_view(world, DEM_FIELD_POSITION, &view));
        assert_false(dem_world_view_stale(world, &view));
    }
    dem_world_destroy(world);
    free(bytes);
}

static void an_empty_world_is_kept(void **state)
{
    (void)state;
    dem_world_config config = plain();
    config.gravity[1] = -3.0;
    config.material_count = 5;
    config.energy_tracking = DEM_ENERGY_TRACKING_OFF;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    dem_world *other = taken_over(world, 1);
    OK(dem_step(world, BUSY_DT, 3));
    OK(dem_step(other, BUSY_DT, 3));
    busy_equal(world, other);
    dem_world_destroy(other);
    other = taken_over(world, 2);
    busy_equal(world, other);
    dem_material material;
    OK(dem_material_init(&material));
    OK(dem_material_set(other, 4, &material));
    assert_int_equal(dem_material_set(other, 5, &material), DEM_ERROR_RANGE);
    dem_world_destroy(world);
    dem_world_destroy(other);
}

/* Laws of the host's: by name and version, or not at all. */
static void laws_are_kept_by_name_and_version(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    dem_law law = test_law(&control);
    test_spring spring = {700.0};
    const dem_world_config config = plain();
    dem_world *world = busy_world(4, 4, &config);
    OK(dem_world_law_register(world, &law));
    busy_model(world, 0, 0, "test-spring", &spring, NULL, NULL);
    OK(dem_step(world, BUSY_DT, 200));
    uint64_t size;
    unsigned char *bytes = busy_snapshot(world, &size);
    dem_world *other = empty_world(0);
    const uint64_t before = scene_hash(other);
    assert_int_equal(dem_world_restore(other, bytes, size), DEM_ERROR_UNKNOWN);
    assert_non_null(strstr(dem_world_error(other), "\"test-spring\""));
    assert_int_equal(scene_hash(other), before);
    law.version = 2;
    OK(dem_world_law_register(other, &law));
    assert_int_equal(dem_world_restore(other, bytes, size), DEM_ERROR_UNKNOWN);
    assert_non_null(strstr(dem_world_error(other), "version 1"));
    assert_non_null(strstr(dem_world_error(other), "has 2"));
    assert_int_equal(scene_hash(other), before);
    dem_world_destroy(other);
    other = empty_world(1);
    law.version = 1;
    law.kind = DEM_LAW_NORMAL;
    OK(dem_world_law_register(other, &law));
    assert_int_equal(dem_world_restore(other, bytes, size), DEM_ERROR_UNKNOWN);
    dem_world_destroy(other);
    other = empty_world(2); /* of one thread, as the law counts its calls */
    law = test_law(&control);
    OK(dem_world_law_register(other, &law));
    OK(dem_world_restore(other, bytes, size));
    OK(dem_step(world, BUSY_DT, 100));
    control.calls = 0;
    OK(dem_step(other, BUSY_DT, 100));
    assert_true(control.calls > 0);
    busy_equal(world, other);
    /* the law stays registered, and models can be set anew */
    assert_int_equal(dem_world_law_register(other, &law), DEM_ERROR_DUPLICATE);
    busy_model(other, 1, 1, "test-spring", &spring, NULL, NULL);
    OK(dem_step(other, BUSY_DT, 10));
    dem_world_destroy(world);
    dem_world_destroy(other);
    free(bytes);
}

/** What may be registered can be read again: a name of 255 characters; a longer one is refused, by
 * a history, too, whose contacts travel with the names of their laws. */
static void the_longest_name_of_a_law_is_kept(void **state)
{
    (void)state;
    test_law_control control = {0, -1, 0.0};
    dem_law law = test_law(&control);
    const test_spring spring = {700.0};
    char name[257];
    memset(name, 'x', 256);
    name[256] = 0;
    law.name = name;
    dem_world *world = empty_world(0), *other = empty_world(0);
    dem_contact_history_config how;
    dem_contact_history *history;
    OK(dem_contact_history_config_init(&how));
    OK(dem_contact_history_create(&how, &history, NULL));
    assert_int_equal(dem_world_law_register(world, &law), DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_world_error(world), "dem_law.name"));
    assert_non_null(strstr(dem_world_error(world), "255"));
    assert_int_equal(dem_contact_history_law_register(history, &law), DEM_ERROR_RANGE);
    name[255] = 0;
    OK(dem_contact_history_law_register(history, &law));
    OK(dem_world_law_register(world, &law));
    OK(dem_world_law_register(other, &law));
    busy_model(world, 0, 0, name, &spring, NULL, NULL);
    uint64_t size;
    unsigned char *bytes = busy_snapshot(world, &size);
    OK(dem_world_restore(other, bytes, size));
    busy_equal(world, other);
    free(bytes);
    dem_contact_history_destroy(history);
    dem_world_destroy(world);
    dem_world_destroy(other);
}

/** An allocator that counts and fails on command. */
typedef struct heap {
    uint64_t calls, live, bytes;
    int64_t fail_at;
} heap;

static void *heap_allocate(void *user, uint64_t size, uint64_t alignment)
{
    heap *h = user;
    void *p = NULL;
    if ((int64_t)h->calls++ == h->fail_at || posix_memalign(&p, alignment, size) != 0)
        return NULL;
    memset(p, 0xA5, size);
    ++h->live;
    h->bytes += size;
    return p;
}

static void heap_release(void *user, void *pointer, uint64_t size)
{
    heap *h = user;
    --h->live;
    h->bytes -= size;
    free(pointer);
}

static void memory_that_is_refused_changes_nothing(void **state)
{
    (void)state;
    const dem_world_config config = plain();
    dem_world *world = busy_world(5, 4, &config);
    OK(dem_step(world, BUSY_DT, 100));
    uint64_t size, refused = 0;
    unsigned char *bytes = busy_snapshot(world, &size);
    heap h = {0, 0, 0, -1};
    dem_world_config hooked = plain();
    hooked.threads = 2;
    hooked.allocator = (dem_allocator){&h, heap_allocate, heap_release};
    dem_world *other = busy_world(3, 3, &hooked);
    OK(dem_step(other, BUSY_DT, 50));
    const uint64_t before = scene_hash(other), live = h.live, held = h.bytes;
    assert_int_equal(scene_counts(other).bytes, held);
    for (;; ++refused) {
        h.fail_at = (int64_t)(h.calls + refused);
        const dem_status status = dem_world_restore(other, bytes, size);
        h.fail_at = -1;
        if (status == DEM_OK)
            break;
        assert_int_equal(status, DEM_ERROR_MEMORY);
        assert_true(dem_world_error(other)[0] != 0);
        assert_int_equal(scene_hash(other), before);
        assert_true(h.live == live && h.bytes == held);
        assert_int_equal(scene_counts(other).bytes, held);
    }
    printf("# %llu allocations refused\n", (unsigned long long)refused);
    assert_true(refused > 20);
    busy_equal(world, other);
    assert_int_equal(scene_counts(other).bytes, h.bytes);
    OK(dem_step(world, BUSY_DT, 50));
    OK(dem_step(other, BUSY_DT, 50));
    busy_equal(world, other);
    /* a snapshot needs no memory but the host's buffer */
    const uint64_t calls = h.calls;
    free(bytes);
    bytes = busy_snapshot(other, &size);
    assert_int_equal(h.calls, calls);
    dem_world_destroy(world);
    dem_world_destroy(other);
    assert_true(h.live == 0 && h.bytes == 0);
    free(bytes);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    dem_world *world = empty_world(0);
    uint64_t size = 0, written = 77;
    unsigned char bytes[2048];
    memset(bytes, 0x5A, sizeof(bytes));
    assert_int_equal(dem_world_snapshot_size(NULL, &size), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_snapshot_size(world, NULL), DEM_ERROR_ARGUMENT);
    OK(dem_world_snapshot_size(world, &size));
    assert_true(size % 8 == 0 && size < sizeof(bytes));
    assert_int_equal(dem_world_snapshot(NULL, bytes, size, &written), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_snapshot(world, NULL, size, &written), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_snapshot(world, bytes, size - 1, &written), DEM_ERROR_RANGE);
    assert_non_null(strstr(dem_world_error(world), "size: "));
    assert_int_equal(written, 77);
    for (size_t k = 0; k < sizeof(bytes); ++k)
        assert_int_equal(bytes[k], 0x5A);
    OK(dem_world_snapshot(world, bytes + 1, size, NULL)); /* of any alignment, and not more */
    assert_true(bytes[0] == 0x5A && bytes[size + 1] == 0x5A);
    OK(dem_world_restore(world, bytes + 1, size));
    assert_int_equal(dem_world_restore(NULL, bytes + 1, size), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_restore(world, NULL, size), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_save(NULL, "x"), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_save(world, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_save(world, ""), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_load(NULL, "x"), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_load(world, NULL), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_world_load(world, ""), DEM_ERROR_ARGUMENT);
    dem_world_destroy(world);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_split_run_equals_a_straight_run),
        cmocka_unit_test(the_order_of_sums_over_both_states_is_kept),
        cmocka_unit_test(snapshots_between_changes_keep_them),
        cmocka_unit_test(what_was_said_of_velocities_is_kept),
        cmocka_unit_test(a_world_goes_back_in_time),
        cmocka_unit_test(each_restore_makes_views_stale),
        cmocka_unit_test(an_empty_world_is_kept),
        cmocka_unit_test(laws_are_kept_by_name_and_version),
        cmocka_unit_test(the_longest_name_of_a_law_is_kept),
        cmocka_unit_test(memory_that_is_refused_changes_nothing),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
