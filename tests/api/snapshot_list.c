/* SPDX-License-Identifier: MIT */
/**
 * @file snapshot_list.c
 * A snapshot has no neighbour list, but what one was built from: whatever there is to list, the
 * list that a restore builds is the one that was, and a run goes on with the same bits. Where a
 * list comes out otherwise, contacts are found by their keys.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/busy.h"
#include "../support/emulated.h"
#include "../support/stream.h"

#include <string.h>

static dem_world *empty_world(int32_t threads)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.threads = threads;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    return world;
}

/** Takes a world over into another one, which says the same of itself. */
static dem_world *taken_over(const dem_world *world, int32_t threads)
{
    uint64_t size, again;
    unsigned char *bytes = busy_snapshot(world, &size);
    dem_world *other = empty_world(threads);
    if (dem_world_restore(other, bytes, size) != DEM_OK)
        fail_msg("%s", dem_world_error(other));
    unsigned char *back = busy_snapshot(other, &again);
    assert_int_equal(again, size);
    assert_memory_equal(bytes, back, (size_t)size);
    free(bytes);
    free(back);
    return other;
}

/** Steps two worlds, of which one is restored again and again. */
static void run_split(dem_world *straight, double dt, int turns, uint64_t steps)
{
    dem_world *split = taken_over(straight, 1);
    for (int turn = 0; turn < turns; ++turn) {
        busy_equal(straight, split);
        if (dem_step(straight, dt, steps) != DEM_OK)
            fail_msg("turn %d: %s", turn, dem_world_error(straight));
        OK(dem_step(split, dt, steps));
        busy_equal(straight, split);
        dem_world *next = taken_over(split, 1 + turn % 2);
        dem_world_destroy(split);
        split = next;
    }
    const dem_world_counts counts = scene_counts(straight);
    printf("# %llu particles, %llu contacts, %llu chunks, %llu rebuilds in %llu steps\n",
           (unsigned long long)counts.particles, (unsigned long long)counts.contacts,
           (unsigned long long)counts.chunks, (unsigned long long)counts.rebuilds,
           (unsigned long long)counts.steps);
    assert_true(counts.rebuilds > 1);
    dem_world_destroy(straight);
    dem_world_destroy(split);
}

static void add(dem_world *world, test_random *random, double x, double y, double z, double radius)
{
    dem_particle p = scene_particle(x, y, z);
    p.radius = radius;
    p.mass = 0.8 * radius * radius * radius;
    for (int c = 0; c < 3; ++c)
        p.velocity[c] = test_uniform(random, -1.0, 1.0);
    if (dem_particle_add(world, &p, NULL) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
}

/* Levels of sizes: the finer row owns a pair, and cells of all levels give the order. */
static void lists_of_several_sizes(void **state)
{
    (void)state;
    for (int periodic = 0; periodic < 2; ++periodic) {
        dem_world_config config = scene_config();
        for (int c = 0; c < 3; ++c) {
            config.boundary[c] = periodic ? DEM_BOUNDARY_PERIODIC : DEM_BOUNDARY_OPEN;
            config.box_high[c] = 6.0;
        }
        dem_world *world = scene_world(&config);
        scene_model(world, 0, 0, 2e3, 0.4, 0.6);
        test_random random = {UINT64_C(0x9E3779B97F4A7C15)};
        for (int n = 0; n < 8; ++n)
            add(world, &random, 1.0 + 2.9 * (n & 1), 1.0 + 2.9 * (n >> 1 & 1), 1.0 + 2.9 * (n >> 2),
                1.0);
        for (int n = 0; n < 3000; ++n)
            add(world, &random, 0.2 + 0.125 * (n % 45), 2.3 + 0.13 * (n / 45 % 3),
                0.1 + 0.125 * (n / 135), 0.06);
        run_split(world, 1e-4, 12, 17);
    }
}

/* Features of walls of every shape, some of which move. */
static void lists_with_walls_of_every_shape(void **state)
{
    (void)state;
    static const struct {
        int32_t shape, side;
        double point[3], normal[3], size[3];
    } walls[] = {{DEM_SHAPE_BOX, DEM_SIDE_INSIDE, {0, 0, 5}, {0, 0, 1}, {10, 10, 10}},
                 {DEM_SHAPE_BOX, DEM_SIDE_OUTSIDE, {2, 2, 1}, {0.1, 0, 1}, {1.5, 1.2, 1.0}},
                 {DEM_SHAPE_CYLINDER, DEM_SIDE_OUTSIDE, {-2, 2, 1}, {1, 0.2, 0}, {0.6, 3, 0}},
                 {DEM_SHAPE_CONE, DEM_SIDE_OUTSIDE, {-2, -2, 1}, {0, 0.3, 1}, {1.0, 1.5, 0.4}},
                 {DEM_SHAPE_BALL, DEM_SIDE_OUTSIDE, {2, -2, 1}, {0, 0, 1}, {0.9, 0, 0}},
                 {DEM_SHAPE_DISC, DEM_SIDE_BOTH, {0, 0, 2}, {0.2, 0, 1}, {1.5, 0.4, 0}},
                 {DEM_SHAPE_RECTANGLE, DEM_SIDE_BOTH, {0, 3, 2}, {0, 1, 1}, {3.0, 2.0, 0}},
                 {DEM_SHAPE_PLANE, 0, {0, 0, 0.2}, {0, 0.02, 1}, {0, 0, 0}}};
    dem_world_config config = scene_config();
    config.integrator = DEM_INTEGRATOR_LEAPFROG;
    dem_world *world = scene_world(&config);
    scene_model(world, 0, 0, 2e3, 0.4, 0.6);
    for (size_t n = 0; n < sizeof walls / sizeof walls[0]; ++n) {
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.shape = walls[n].shape;
        wall.side = walls[n].side;
        memcpy(wall.point, walls[n].point, sizeof wall.point);
        memcpy(wall.normal, walls[n].normal, sizeof wall.normal);
        memcpy(wall.size, walls[n].size, sizeof wall.size);
        wall.velocity[2] = n > 3 && n < 7 ? 0.3 : 0.0;
        if (dem_wall_add(world, &wall, NULL) != DEM_OK)
            fail_msg("wall %d: %s", (int)n, dem_world_error(world));
    }
    test_random random = {UINT64_C(0x853C49E6748FEA9B)};
    for (int n = 0; n < 1500; ++n)
        add(world, &random, -4.5 + 0.6 * (n % 16), -4.5 + 0.6 * (n / 16 % 16),
            3.7 + 0.6 * (n / 256), 0.2);
    run_split(world, 5e-4, 20, 57);
}

/* Where some flew far away, cells are chosen by where most are, which a sample of them tells: the
 * same one for rows in any order, and when removed ones are gone. */
static void lists_of_grains_that_flew_away(void **state)
{
    (void)state;
    static const int numbers[] = {148, 1500, 4000};
    for (int k = 0; k < 3; ++k) {
        dem_world_config config = scene_config();
        config.boundary[0] = k == 1 ? DEM_BOUNDARY_PERIODIC : DEM_BOUNDARY_OPEN;
        config.box_high[0] = 7.0;
        dem_world *world = scene_world(&config);
        scene_model(world, 0, 0, 2e3, 0.4, 0.6);
        test_random random = {UINT64_C(0x2545F4914F6CDD1D) + (uint64_t)k};
        for (int n = 0; n < numbers[k]; ++n) {
            const int flew = n % 7 == 3;
            const double x = 0.25 + 0.42 * (n % 16), y = 0.42 * (n / 16 % 16),
                         z = flew ? 20.0 + 0.5 * n : 0.42 * (n / 256);
            add(world, &random, x, flew ? test_uniform(&random, -90.0, 90.0) : y, z, 0.2);
        }
        if (dem_step(world, 5e-4, 20) != DEM_OK)
            fail_msg("%s", dem_world_error(world));
        for (int n = 0; n < numbers[k]; n += 9) {
            dem_particle_handle handle;
            OK(dem_particle_find(world, (uint64_t)n + 1, &handle));
            OK(dem_particle_remove(world, handle));
        }
        OK(dem_step(world, 5e-4, 1));
        run_split(world, 5e-4, 10, 37);
    }
}

/* Few bodies, through all boundaries, and those that flight takes along. */
static void lists_of_a_gas(void **state)
{
    (void)state;
    for (int turn = 0; turn < 3; ++turn) {
        dem_world_config config = scene_config();
        config.skin = turn == 1 ? 1.1 : 0.0;
        config.gravity[2] = turn == 2 ? -10.0 : 0.0;
        config.integrator = turn == 1 ? DEM_INTEGRATOR_LEAPFROG : DEM_INTEGRATOR_VERLET_SYNC;
        for (int c = 0; c < 3; ++c) {
            config.boundary[c] = DEM_BOUNDARY_PERIODIC;
            config.box_high[c] = turn == 0 ? 30.0 : 4.0;
        }
        dem_world *world = scene_world(&config);
        scene_model(world, 0, 0, 2e3, 0.4, 0.9);
        test_random random = {UINT64_C(0xDA3E39CB94B95BDB)};
        for (int n = 0; n < (turn == 0 ? 400 : 27); ++n)
            add(world, &random, 1.3 * (n % 3) + 4.0 * (n / 27 % 7), 1.3 * (n / 3 % 3),
                1.3 * (n / 9 % 3) + 5.0 * (n / 189), 0.4);
        run_split(world, 1e-3, 15, turn == 0 ? 401 : 41);
    }
}

/* What comes to lie on the upper end of a period is brought there by the build, and stays there
 * when the list is built once more. */
static void rows_on_the_end_of_a_period(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    config.boundary[0] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = 6.0;
    config.gravity[2] = 0.0;
    dem_world *world = scene_world(&config);
    scene_model(world, 0, 0, 2e3, 0.4, 0.9);
    for (int n = 0; n < 6; ++n) {
        const dem_particle p = scene_particle(n == 3 ? -1e-30 : 0.97 * n, 0.0, n == 3 ? 1.5 : 0.0);
        OK(dem_particle_add(world, &p, NULL));
    }
    OK(dem_step(world, 1e-4, 1));
    dem_world *other = taken_over(world, 1);
    busy_equal(world, other);
    OK(dem_step(world, 1e-4, 50));
    OK(dem_step(other, 1e-4, 50));
    busy_equal(world, other);
    dem_world_destroy(world);
    dem_world_destroy(other);
}

/* A place that a wall left free before the list was built is given away again. */
static void places_of_walls_stay_free(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(4, 2, &config);
    OK(dem_step(world, BUSY_DT, 10));
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.point[2] = -5.0;
    for (uint64_t id = 900; id < 903; ++id) {
        wall.id = id;
        OK(dem_wall_add(world, &wall, NULL));
    }
    OK(dem_wall_remove(world, 901));
    dem_world *other = taken_over(world, 1);
    wall.id = 904;
    OK(dem_wall_add(world, &wall, NULL));
    OK(dem_wall_add(other, &wall, NULL));
    uint64_t size, again;
    unsigned char *bytes = busy_snapshot(world, &size), *back = busy_snapshot(other, &again);
    assert_int_equal(again, size);
    assert_memory_equal(bytes, back, (size_t)size);
    free(bytes);
    free(back);
    dem_world_destroy(world);
    dem_world_destroy(other);
}

/* Between a change and the next step, contacts are read as before, in the same order. */
static void contacts_of_a_stale_list_are_read(void **state)
{
    (void)state;
    test_long();
    const dem_world_config config = scene_config();
    dem_world *world = busy_world(7, 8, &config);
    OK(dem_step(world, BUSY_DT, 200));
    dem_particle_handle handle;
    OK(dem_particle_find(world, 100, &handle));
    OK(dem_particle_remove(world, handle));
    OK(dem_wall_remove(world, 70000));
    const dem_particle p = scene_particle(1.0, 2.0, 90.0);
    OK(dem_particle_add(world, &p, NULL));
    dem_world *other = taken_over(world, 1);
    uint64_t a = 0, b = 0, count = 0;
    for (;; ++count) {
        dem_contact c = {.struct_size = sizeof(c)}, d = {.struct_size = sizeof(d)};
        const dem_status status = dem_world_contact_next(world, &a, &c);
        assert_int_equal(dem_world_contact_next(other, &b, &d), status);
        if (status != DEM_OK)
            break;
        assert_int_equal(c.state_count, d.state_count);
        assert_memory_equal(c.state, d.state, c.state_count * sizeof(double));
        c.state = d.state = NULL;
        assert_memory_equal(&c, &d, sizeof(c));
    }
    assert_true(count > 100);
    /* a mark of such a world is one, too */
    const uint64_t hash = scene_hash(other);
    OK(dem_world_mark(other));
    OK(dem_step(other, BUSY_DT, 60));
    OK(dem_world_rewind(other));
    assert_int_equal(scene_hash(other), hash);
    OK(dem_step(world, BUSY_DT, 60));
    OK(dem_step(other, BUSY_DT, 60));
    busy_equal(world, other);
    dem_world_destroy(world);
    dem_world_destroy(other);
}

/** Restores a snapshot that was changed. */
static dem_world *restored(unsigned char *bytes, uint64_t size)
{
    stream_sign(bytes, size);
    dem_world *world = empty_world(1);
    if (dem_world_restore(world, bytes, size) != DEM_OK)
        fail_msg("%s", dem_world_error(world));
    return world;
}

/** Words of a row without external forces, and where its position at the build begins. */
enum { ROW_WORDS = 27, ROW_BUILT = 24, CONTACT_MORE = 31 };

/** Two contacts that follow each other change places. */
static void swap_contacts(unsigned char *bytes, uint64_t size, uint64_t words)
{
    uint64_t k = stream_section(bytes, size, "contacts");
    while ((stream_word(bytes, k) >> CONTACT_MORE & 1) != 0 ||
           (stream_word(bytes, k + words) >> CONTACT_MORE & 1) != 0)
        k += words + (stream_word(bytes, k) >> CONTACT_MORE & 1);
    for (uint64_t n = k; n < k + words; ++n) {
        const uint64_t word = stream_word(bytes, n);
        stream_word_set(bytes, n, stream_word(bytes, n + words));
        stream_word_set(bytes, n + words, word);
    }
}

/* A list that was built by other rules, as one of another library, is built anew by the first step;
 * contacts and their history live on. */
static void lists_of_other_rules_are_built_anew(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = scene_packing_config(8, 7, &config); /* chunks of 256 and 192 */
    OK(dem_step(world, 1e-4, 200));
    const uint64_t rebuilds = scene_counts(world).rebuilds;
    uint64_t size, cursor = 0;
    dem_contact contact = {.struct_size = sizeof(contact)};
    OK(dem_world_contact_next(world, &cursor, &contact));
    unsigned char *bytes = busy_snapshot(world, &size), *copy = malloc((size_t)size);
    assert_non_null(copy);
    const uint64_t list = stream_section(bytes, size, "list    "),
                   particles = stream_section(bytes, size, "particle");
    snapshot before = snapshot_world(world);
    enum { AS_IT_WAS, CHUNKS, SKIN, REACH, ORDER, CONTACTS, KINDS };
    for (int kind = AS_IT_WAS; kind < KINDS; ++kind) {
        memcpy(copy, bytes, (size_t)size);
        if (kind == CHUNKS) /* of other rows, but as many of them */
            stream_word_set(copy, list, stream_word(copy, list) - (UINT64_C(1) << 32));
        if (kind == SKIN)
            stream_double_set(copy, list + 1, 0.5 * stream_double(copy, list + 1));
        if (kind == REACH)
            stream_double_set(copy, list + 2, 0.01);
        if (kind == ORDER) /* the row was built on the other side */
            stream_double_set(copy, particles + 2 + ROW_BUILT + 2, 9.0);
        if (kind == CONTACTS)
            swap_contacts(copy, size, 1 + contact.state_count);
        dem_world *other = restored(copy, size);
        snapshot after = snapshot_world(other);
        assert_true(snapshot_equal(&before, &after));
        snapshot_free(&after);
        OK(dem_step(other, 1e-12, 1));
        assert_int_equal(scene_counts(other).rebuilds, rebuilds + (kind != AS_IT_WAS));
        after = snapshot_world(other);
        assert_int_equal(before.count, after.count);
        for (uint64_t n = 0; n < after.count; ++n)
            for (uint64_t c = 0; c < contact.state_count; ++c)
                assert_true(fabs(before.rows[n].state[c] - after.rows[n].state[c]) < 1e-9);
        snapshot_free(&after);
        OK(dem_step(other, 1e-4, 50));
        dem_world_destroy(other);
    }
    snapshot_free(&before);
    free(bytes);
    free(copy);
    dem_world_destroy(world);
}

/** Bytes behind each block of memory, which nothing may change. */
enum { BEHIND = 65536, BEHIND_BYTE = 0x5A };

static void *fenced_allocate(void *user, uint64_t size, uint64_t alignment)
{
    (void)user;
    void *p = NULL;
    if (posix_memalign(&p, (size_t)alignment, (size_t)size + BEHIND) == 0)
        memset((char *)p + size, BEHIND_BYTE, BEHIND);
    return p;
}

static void fenced_release(void *user, void *pointer, uint64_t size)
{
    for (uint64_t k = 0; pointer != NULL && k < BEHIND; ++k)
        *(uint64_t *)user += ((unsigned char *)pointer)[size + k] != BEHIND_BYTE;
    free(pointer);
}

/* Where the list that is built lacks the contact with the widest state, that one is read still. */
static void contacts_wider_than_the_list_are_read(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    config.material_count = 2;
    config.gravity[2] = 0.0;
    dem_world *world = scene_world(&config);
    busy_models(world);
    scene_model(world, 0, 0, 2e3, 0.4, 0.9);
    for (int n = 0; n < 4; ++n) { /* two pairs, of which the second one meets under way */
        dem_particle p = scene_particle(4.0 * (n / 2) + (n % 2) * (n < 2 ? 0.99 : 1.01), 0.0, 0.0);
        p.material = n == 3;
        p.velocity[0] = n == 3 ? -10.0 : 0.0;
        OK(dem_particle_add(world, &p, NULL));
    }
    OK(dem_step(world, 1e-4, 12));
    assert_true(scene_counts(world).rebuilds == 1 && scene_counts(world).contacts == 2);
    uint64_t size;
    unsigned char *bytes = busy_snapshot(world, &size);
    stream_double_set(bytes, stream_section(bytes, size, "list    ") + 1, 1e-3);
    stream_sign(bytes, size);
    uint64_t changed = 0;
    dem_world *other = NULL;
    config.allocator = (dem_allocator){&changed, fenced_allocate, fenced_release};
    OK(dem_world_create(&config, &other, NULL));
    OK(dem_world_restore(other, bytes, size));
    snapshot before = snapshot_world(world), after = snapshot_world(other);
    assert_true(snapshot_equal(&before, &after));
    OK(dem_step(other, 1e-12, 1));
    assert_int_equal(scene_counts(other).rebuilds, 2);
    snapshot_free(&before);
    snapshot_free(&after);
    dem_world_destroy(world);
    dem_world_destroy(other);
    assert_int_equal(changed, 0);
    free(bytes);
}

/* Forged numbers that put all at one place make a list that has all pairs: it is not built. */
static void lists_of_all_pairs_are_not_built(void **state)
{
    (void)state;
    enum { EDGE_OF_MANY = 8 };
    const dem_world_config config = scene_config();
    dem_world *world = scene_packing_config(EDGE_OF_MANY, 6 * EDGE_OF_MANY, &config);
    OK(dem_step(world, 1e-4, 1));
    const dem_world_counts counts = scene_counts(world);
    uint64_t size;
    unsigned char *bytes = busy_snapshot(world, &size);
    const uint64_t particles = stream_section(bytes, size, "particle");
    for (uint64_t n = 0; n < counts.particles; ++n)
        for (uint64_t c = 0; c < 3; ++c)
            stream_double_set(bytes, particles + 2 + n * ROW_WORDS + ROW_BUILT + c, 5.0);
    dem_world *other = restored(bytes, size);
    assert_true(scene_counts(other).bytes < 32 * size);
    OK(dem_step(other, 1e-4, 1));
    assert_int_equal(scene_counts(other).rebuilds, counts.rebuilds + 1);
    dem_world_destroy(world);
    dem_world_destroy(other);
    free(bytes);
}

/* The same where none of the pairs at that one place can touch. */
static void lists_of_no_pairs_are_not_looked_for_long(void **state)
{
    (void)state;
    enum { FIXED = 16000 };
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    scene_model(world, 0, 0, 2e3, 0.4, 0.9);
    for (int n = 0; n < FIXED; ++n) {
        dem_particle p = scene_particle(1.1 * (n % 126), 1.1 * (n / 126), 0.0);
        p.mobility = DEM_MOBILITY_FIXED;
        OK(dem_particle_add(world, &p, NULL));
    }
    OK(dem_step(world, 1e-4, 1));
    uint64_t size;
    unsigned char *bytes = busy_snapshot(world, &size);
    const uint64_t particles = stream_section(bytes, size, "particle");
    for (uint64_t n = 0; n < FIXED; ++n)
        for (uint64_t c = 0; c < 3; ++c)
            stream_double_set(bytes, particles + 2 + n * ROW_WORDS + ROW_BUILT + c, 5.0);
    dem_world *other = restored(bytes, size);
    OK(dem_step(world, 1e-4, 1));
    OK(dem_step(other, 1e-4, 1));
    assert_int_equal(scene_counts(other).rebuilds, scene_counts(world).rebuilds + 1);
    dem_world_destroy(world);
    dem_world_destroy(other);
    free(bytes);
}

/* Without contacts nothing but their order tells that rows are other ones. */
static void rows_in_another_order_are_listed_anew(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    scene_model(world, 0, 0, 2e3, 0.4, 0.9);
    for (int n = 0; n < 300; ++n) {
        const dem_particle p = scene_particle(1.2 * (n % 17), 1.2 * (n / 17), 0.0);
        OK(dem_particle_add(world, &p, NULL));
    }
    OK(dem_step(world, 1e-6, 1));
    uint64_t size;
    unsigned char *bytes = busy_snapshot(world, &size);
    const uint64_t first = stream_section(bytes, size, "particle") + 2 + ROW_BUILT,
                   last = first + 299 * ROW_WORDS;
    for (uint64_t c = 0; c < 3; ++c) {
        const double built = stream_double(bytes, first + c);
        stream_double_set(bytes, first + c, stream_double(bytes, last + c));
        stream_double_set(bytes, last + c, built);
    }
    dem_world *other = restored(bytes, size);
    OK(dem_step(world, 1e-6, 1));
    OK(dem_step(other, 1e-6, 1));
    assert_int_equal(scene_counts(other).rebuilds, scene_counts(world).rebuilds + 1);
    dem_world_destroy(world);
    dem_world_destroy(other);
    free(bytes);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_several_sizes),
        cmocka_unit_test(lists_with_walls_of_every_shape),
        cmocka_unit_test(lists_of_grains_that_flew_away),
        cmocka_unit_test(lists_of_a_gas),
        cmocka_unit_test(rows_on_the_end_of_a_period),
        cmocka_unit_test(places_of_walls_stay_free),
        cmocka_unit_test(contacts_of_a_stale_list_are_read),
        cmocka_unit_test(lists_of_other_rules_are_built_anew),
        cmocka_unit_test(contacts_wider_than_the_list_are_read),
        cmocka_unit_test(lists_of_all_pairs_are_not_built),
        cmocka_unit_test(lists_of_no_pairs_are_not_looked_for_long),
        cmocka_unit_test(rows_in_another_order_are_listed_anew),
    };
    return cmocka_run_group_tests_name("snapshot_list", tests, NULL, NULL);
}
