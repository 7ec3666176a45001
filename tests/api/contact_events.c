/* SPDX-License-Identifier: MIT */
/**
 * @file contact_events.c
 * Callbacks for contacts that begin and end: what they are told is the difference of the contacts
 * before and after each step, in the order of keys, for any threads and division into calls.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/busy.h"

#include <string.h>

enum { MOST = 4096 };

/** The contacts that there are by what was told, and a sum over all calls. */
typedef struct told {
    dem_contact_key key[MOST];
    uint64_t count, begun, ended, hash;
    dem_contact_key last; /**< of the present step */
    double time;
    dem_world *world;
} told;

static int order(const dem_contact_key *a, const dem_contact_key *b)
{
    if (a->id_i != b->id_i)
        return a->id_i < b->id_i ? -1 : 1;
    if (a->id_j != b->id_j)
        return a->id_j < b->id_j ? -1 : 1;
    if (a->feature != b->feature)
        return a->feature < b->feature ? -1 : 1;
    for (int c = 0; c < 3; ++c)
        if (a->image[c] != b->image[c])
            return a->image[c] < b->image[c] ? -1 : 1;
    return 0;
}

static void note(told *t, const dem_contact_key *key, uint64_t what)
{
    const double time = dem_world_time(t->world);
    if (time == t->time && t->begun + t->ended > 0)
        assert_true(order(&t->last, key) < 0);
    t->time = time;
    t->last = *key;
    t->hash = (t->hash ^ (key->id_i * 3 + key->id_j * 7 + key->feature + what)) *
              UINT64_C(0x9E3779B97F4A7C15);
    uint64_t hash = 0;
    assert_int_equal(dem_world_hash(t->world, &hash), DEM_ERROR_STATE);
}

static void begin(void *user, const dem_contact_key *key)
{
    told *t = user;
    note(t, key, 1);
    for (uint64_t k = 0; k < t->count; ++k)
        assert_true(order(&t->key[k], key) != 0);
    assert_true(t->count < MOST);
    t->key[t->count++] = *key;
    t->begun++;
}

static void end(void *user, const dem_contact_key *key)
{
    told *t = user;
    note(t, key, 2);
    uint64_t k = 0;
    while (k < t->count && order(&t->key[k], key) != 0)
        ++k;
    assert_true(k < t->count);
    t->key[k] = t->key[--t->count];
    t->ended++;
}

static dem_world_config config_of(told *t)
{
    memset(t, 0, sizeof *t);
    dem_world_config config = scene_config();
    config.contact_user = t;
    config.contact_begin = begin;
    config.contact_end = end;
    return config;
}

/** What was told so far are the contacts that the world has. */
static void same_contacts(const told *t)
{
    uint64_t cursor = 0, found = 0;
    dem_contact contact = {.struct_size = sizeof contact};
    while (dem_world_contact_next(t->world, &cursor, &contact) == DEM_OK) {
        uint64_t k = 0;
        while (k < t->count && order(&t->key[k], &contact.key) != 0)
            ++k;
        assert_true(k < t->count);
        ++found;
    }
    assert_int_equal(found, t->count);
}

static told by_steps, at_once;

static void told_is_what_changes(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        dem_world_config config = config_of(&by_steps);
        by_steps.world = scene_packing_config(6, 4, &config);
        config = config_of(&at_once);
        config.threads = threads;
        at_once.world = scene_packing_config(6, 4, &config);
        dem_world_config plain = scene_config();
        dem_world *without = scene_packing_config(6, 4, &plain);
        for (int n = 0; n < 300; ++n) {
            OK(dem_step(by_steps.world, 1e-3, 1));
            if (n % 10 == 9)
                same_contacts(&by_steps);
        }
        OK(dem_step(at_once.world, 1e-3, 300));
        OK(dem_step(without, 1e-3, 300));
        same_contacts(&at_once);
        assert_true(by_steps.begun > 300 && by_steps.ended > 100);
        assert_true(by_steps.hash != 0 && by_steps.begun == at_once.begun);
        assert_true(by_steps.ended == at_once.ended && by_steps.hash == at_once.hash);
        assert_true(scene_hash(without) == scene_hash(at_once.world));
        assert_true(scene_counts(without).rebuilds > 2);
        dem_world_destroy(by_steps.world);
        dem_world_destroy(at_once.world);
        dem_world_destroy(without);
    }
}

/* Of a box whose faces and edges are features: one contact each. */
static void features_of_a_wall(void **state)
{
    (void)state;
    dem_world_config config = config_of(&by_steps);
    dem_world *world = by_steps.world = scene_world(&config);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_BOX;
    wall.side = DEM_SIDE_INSIDE;
    wall.point[2] = 2.0;
    wall.size[0] = wall.size[1] = wall.size[2] = 4.0;
    wall.axis[0] = 1.0;
    OK(dem_wall_add(world, &wall, NULL));
    dem_particle p = scene_particle(1.2, 0.0, 0.6);
    p.velocity[0] = 2.0;
    OK(dem_particle_add(world, &p, NULL));
    OK(dem_step(world, 1e-3, 2000));
    same_contacts(&by_steps);
    assert_true(by_steps.begun > 3);
    dem_world_destroy(world);
}

/* An undone step tells nothing: the overlap that it refuses is a contact that would begin. */
static void undone_step_tells_nothing(void **state)
{
    (void)state;
    dem_world_config config = config_of(&by_steps);
    dem_world *world = by_steps.world = scene_world(&config);
    for (int n = 0; n < 2; ++n) {
        dem_particle p = scene_particle(2.0 * n, 0.0, 0.0);
        p.velocity[0] = n ? -400.0 : 400.0;
        OK(dem_particle_add(world, &p, NULL));
    }
    assert_int_equal(dem_step(world, 1e-3, 10), DEM_ERROR_OVERLAP);
    assert_int_equal(by_steps.begun, 0);
    dem_world_destroy(world);
}

/** Memory that ends. */
static int64_t left = -1;

static void *allocate(void *user, uint64_t size, uint64_t alignment)
{
    (void)user;
    if (left == 0)
        return NULL;
    left -= left > 0;
    void *p = NULL;
    return posix_memalign(&p, (size_t)alignment, (size_t)size) == 0 ? p : NULL;
}

static void release(void *user, void *pointer, uint64_t size)
{
    (void)user;
    (void)size;
    free(pointer);
}

/* Without memory for them the step fails, is undone, and can be made again. */
static void memory_is_missing(void **state)
{
    (void)state;
    dem_world_config config = config_of(&by_steps);
    config.allocator.allocate = allocate;
    config.allocator.release = release;
    dem_world *world = by_steps.world = scene_world(&config);
    const double gap = 1e-3;
    for (int n = 0; n < 2; ++n) {
        dem_particle p = scene_particle((1.0 + gap) * n, 0.0, 0.0);
        p.velocity[0] = n ? -1.0 : 1.0;
        OK(dem_particle_add(world, &p, NULL));
    }
    OK(dem_step(world, 1e-4, 1));
    const uint64_t hash = scene_hash(world);
    left = 0;
    dem_status status = DEM_OK;
    uint64_t steps = 0;
    while (status == DEM_OK && steps++ < 100)
        status = dem_step(world, 1e-4, 1);
    assert_int_equal(status, DEM_ERROR_MEMORY);
    assert_true(steps > 2 && scene_hash(world) != hash);
    assert_int_equal(by_steps.begun, 0);
    left = -1;
    OK(dem_step(world, 1e-4, 1));
    assert_int_equal(by_steps.begun, 1);
    same_contacts(&by_steps);
    dem_world_destroy(world);
}

/** A host that moves a body drops its contacts by itself: it is told of none, however far the body
 * goes, only of the one that begins. */
static void moved_bodies_end_nothing(void **state)
{
    (void)state;
    static const double far[] = {1e-3, 5e-3, 5e-2, 5.0};
    for (int k = 0; k < 4; ++k) {
        told moved = {.count = 0};
        dem_world_config config = config_of(&moved);
        dem_world *world = moved.world = scene_world(&config);
        dem_particle_handle handle[3];
        for (int n = 0; n < 3; ++n) {
            const dem_particle p = scene_particle(0.9999 * n, 0.0, 0.0);
            OK(dem_particle_add(world, &p, &handle[n]));
        }
        OK(dem_step(world, 1e-6, 1));
        assert_true(moved.begun == 2 && moved.ended == 0);
        const double to[3] = {2.0 * 0.9999 + far[k], 0.0, 0.0};
        OK(dem_particle_set_motion(world, handle[2], to, NULL, NULL));
        OK(dem_step(world, 1e-6, 1));
        assert_true(scene_counts(world).contacts == 1);
        assert_true(moved.begun == 2 && moved.ended == 0);
        const double back[3] = {2.0 * 0.9999, 0.0, 0.0};
        OK(dem_particle_set_motion(world, handle[2], back, NULL, NULL));
        moved.count = 0;
        OK(dem_step(world, 1e-6, 1));
        assert_true(moved.begun == 3 && moved.ended == 0);
        dem_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(told_is_what_changes),      cmocka_unit_test(features_of_a_wall),
        cmocka_unit_test(undone_step_tells_nothing), cmocka_unit_test(memory_is_missing),
        cmocka_unit_test(moved_bodies_end_nothing),
    };
    return cmocka_run_group_tests_name("contact_events", tests, NULL, NULL);
}
