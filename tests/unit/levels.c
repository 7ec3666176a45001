/* SPDX-License-Identifier: MIT */
/**
 * @file levels.c
 * Lists of spheres of any sizes: each pair that brute force finds is listed once, and no other.
 */
#include "../support/cmocka.h"
#include "../support/emulated.h"

#include "search/levels.h"
#include "world/world.h"

#include <string.h>

#define OK(call) assert_int_equal((call), DEM_OK)
#include "../support/scene.h"

enum { GRAINS = 700, GRAINS_MOST = 4000 };

/** How radii are distributed. */
enum {
    EQUAL,
    BIDISPERSE,
    GIANT,
    THREE,
    LOG_NORMAL,
    DECADES,
    DUST,
    CROWD,
    CLOSE,
    HEAP,
    HEAP_AND_GIANT,
    DISTRIBUTIONS
};

static double radius_of(test_random *random, int distribution, uint64_t k)
{
    double normal = 0.0;
    switch (distribution) {
    case EQUAL:
        return 0.5;
    case BIDISPERSE:
        return k % 40 == 0 ? 0.5 : 0.05;
    case GIANT:
        return k == 17 ? 50.0 : 0.5;
    case THREE:
        return k % 2000 == 0 ? 0.5 : k % 65 == 0 ? 0.04 : 0.004;
    case LOG_NORMAL:
        for (int n = 0; n < 12; ++n)
            normal += test_uniform(random, -0.5, 0.5);
        return 0.1 * exp(0.9 * normal);
    case DECADES:
        return test_decades(random, -4.0, 0.0);
    case CLOSE: /* hardly finer than what they look for */
        return k % 20 == 0 ? 0.3 : 0.1;
    case HEAP:
        return k % 4 == 0 ? 0.6 : 0.1;
    case HEAP_AND_GIANT:
        return k == 17 ? 50.0 : k % 4 == 0 ? 0.6 : 0.1;
    case CROWD: /* more coarse ones near each fine one than are looked at together */
        return k % 12 == 0 ? 0.01 : 0.5;
    default: /* a few much finer than most, of two sizes, and a coarse one */
        return k == 3 ? 5.0 : k % 30 == 0 ? 1e-4 : k % 31 == 0 ? 0.01 : 0.5;
    }
}

/** Whether the fine ones lie in a heap, beside coarse ones. */
static int heaped(int distribution)
{
    return distribution == HEAP || distribution == HEAP_AND_GIANT;
}

/** Three levels, and heaps, need many fine ones. */
static uint64_t grains_of(int distribution)
{
    return distribution == THREE || heaped(distribution) ? GRAINS_MOST : GRAINS;
}

/** A cloud of spheres, that overlap as they like. */
typedef struct cloud {
    int distribution, periodic[3], escaped; /**< escaped: one of so many; 0: none */
    int places;                             /**< in so many, far apart; 0: in one */
    double thin;                            /**< its edge is so many times as long; 0: once */
    int line;                               /**< along the first axis alone */
} cloud;

static dem_world *cloud_world(const cloud *of, test_random *random, int32_t threads)
{
    static dem_particle grain[GRAINS_MOST];
    const uint64_t grains = grains_of(of->distribution);
    double volume = 0.0, largest = 0.0;
    for (uint64_t k = 0; k < grains; ++k) {
        grain[k] = scene_particle(0.0, 0.0, 0.0);
        grain[k].radius = radius_of(random, of->distribution, k);
        volume += 8.0 * grain[k].radius * grain[k].radius * grain[k].radius;
        largest = fmax(largest, grain[k].radius);
    }
    const double tight = of->distribution == CROWD ? 0.35 : of->thin > 0.0 ? of->thin : 1.0;
    const double side = fmax(tight * cbrt(volume), 2.3 * largest);
    dem_world_config config = scene_config();
    config.threads = threads;
    for (int c = 0; c < 3; ++c) {
        config.boundary[c] = of->periodic[c] ? DEM_BOUNDARY_PERIODIC : DEM_BOUNDARY_OPEN;
        config.box_low[c] = -0.3 * side;
        config.box_high[c] = 0.7 * side;
    }
    dem_world *world = scene_world(&config);
    for (uint64_t k = 0; k < grains; ++k)
        for (int c = 0; c < 3; ++c) {
            grain[k].position[c] = test_uniform(random, -0.3 * side, 0.7 * side);
            if (heaped(of->distribution) && grain[k].radius < 0.5 && (of->thin == 0.0 || k % 2))
                grain[k].position[c] = test_uniform(random, -1.0, 1.0);
            if (of->escaped > 0 && k % (uint64_t)of->escaped == 1 && !of->periodic[c])
                grain[k].position[c] = test_uniform(random, -1e9, 1e9);
            if (of->places > 0 && !of->periodic[c])
                grain[k].position[c] += (double)(k % (uint64_t)of->places) * 1e4 * side;
            if (of->line && c > 0)
                grain[k].position[c] = 0.0;
        }
    OK(dem_particles_add(world, grains, grain, NULL));
    OK(demi_world_rebuild(world, 0.0));
    return world;
}

/** A pair: rows in ascending order, and which image of the second one. */
static uint64_t pair_key(uint64_t a, uint64_t b, uint32_t shift)
{
    return a < b ? (a << 32 | b) * 32u + shift : (b << 32 | a) * 32u + (DEMI_SHIFTS - 1 - shift);
}

static int key_compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/** Keys of all pairs of the list, sorted. */
static uint64_t *listed(const dem_world *w)
{
    const demi_list *list = &w->list;
    uint64_t *key = calloc(list->pairs + 1, sizeof *key), n = 0;
    assert_non_null(key);
    for (uint64_t k = 0; k < list->chunks; ++k)
        for (uint64_t r = list->chunk.read[k].batch_group_begin;
             r < list->chunk.read[k].batch_group_end; ++r)
            for (uint64_t p = list->batch_group.read[r].begin; p < list->batch_group.read[r].end;
                 ++p) {
                const demi_ends ends = demi_ends_of(list, p);
                assert_int_equal(ends.first,
                                 w->body.read[ends.own].id < w->body.read[ends.other].id);
                key[n++] = pair_key(ends.own, ends.other, ends.shift);
            }
    assert_int_equal(n, list->pairs);
    qsort(key, n, sizeof *key, key_compare);
    return key;
}

static int brute_near(const dem_world *w, uint64_t a, uint64_t b, uint32_t shift)
{
    const double *x = w->current.position.read[a], *y = w->current.position.read[b];
    const double far = x[3] + y[3] + w->list.skin;
    double square = 0.0;
    for (int c = 0; c < 3; ++c) {
        const int periods = demi_shift_periods(shift, c);
        const double length = w->config.box_high[c] - w->config.box_low[c];
        const double d = x[c] - y[c] - periods * length;
        square += d * d;
    }
    return square < far * far;
}

/** Whether a shift is along periodic axes alone. */
static int shift_there(const dem_world *w, uint32_t shift)
{
    for (int c = 0; c < 3; ++c)
        if (demi_shift_periods(shift, c) != 0 && w->config.boundary[c] != DEM_BOUNDARY_PERIODIC)
            return 0;
    return 1;
}

/** Each pair within its radii and the skin, but no other, is listed once. */
static void compare(const dem_world *w)
{
    uint64_t *key = listed(w), found = 0;
    for (uint64_t k = 1; k < w->list.pairs; ++k)
        assert_true(key[k] != key[k - 1]);
    for (uint32_t shift = 0; shift < DEMI_SHIFTS; ++shift)
        for (uint64_t a = 0; shift_there(w, shift) && a < w->rows; ++a)
            for (uint64_t b = 0; b < a; ++b) {
                if (!brute_near(w, a, b, shift))
                    continue;
                const uint64_t one = pair_key(a, b, shift);
                found++;
                assert_non_null(bsearch(&one, key, w->list.pairs, sizeof *key, key_compare));
            }
    assert_int_equal(found, w->list.pairs);
    free(key);
}

static void lists_equal_brute_force(void **state)
{
    (void)state;
    test_long();
    static const int periodic[][3] = {{0, 0, 0}, {1, 1, 0}, {1, 1, 1}};
    static const int several[DISTRIBUTIONS] = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    test_random random = test_random_start("levels");
    for (int d = 0; d < DISTRIBUTIONS; ++d)
        for (int p = 0; p < (grains_of(d) == GRAINS ? 3 : 2); ++p) {
            const cloud of = {d, {periodic[p][0], periodic[p][1], periodic[p][2]}, 0, 0, 0.0, 0};
            dem_world *world = cloud_world(&of, &random, 1);
            printf("# sizes %d, periodic %d: %d levels, %llu pairs\n", d, p, world->list.levels,
                   (unsigned long long)world->list.pairs);
            assert_int_equal(world->list.levels > 1, several[d]);
            assert_true((d != THREE && d != HEAP_AND_GIANT) || world->list.levels == 3);
            assert_true(world->list.pairs > GRAINS / 16);
            compare(world);
            dem_world_destroy(world);
        }
}

static void escaped_grains_are_listed(void **state)
{
    (void)state;
    test_random random = test_random_start("escaped");
    static const int one_of[] = {100, 10, 2};
    for (int d = 1; d < DISTRIBUTIONS; ++d) {
        const cloud of = {d, {0, d % 2, 0}, one_of[d % 3], 0, 0.0, 0};
        dem_world *world = cloud_world(&of, &random, 1);
        compare(world);
        dem_world_destroy(world);
    }
}

/** Where coarse spheres are hardly larger than fine ones, these look farther than the coarse ones
 * are large. */
static void close_sizes_are_listed(void **state)
{
    (void)state;
    test_random random = test_random_start("close");
    for (int k = 0; k < 30; ++k) {
        const cloud of = {CLOSE, {0, 0, 0}, 0, 0, 0.0, 0};
        dem_world *world = cloud_world(&of, &random, 1);
        assert_int_equal(world->list.levels, 2);
        compare(world);
        dem_world_destroy(world);
    }
}

/** Grains of one size that gather in places with nothing in between: cells of the grid would hold
 * half of them each, so they are sorted into narrow ones; those of a cloud are not. */
static void places_far_apart_have_narrow_cells(void **state)
{
    (void)state;
    test_random random = test_random_start("places");
    for (int places = 0; places <= 4; places += 2)
        for (int periodic = 0; periodic < 3; ++periodic) {
            const cloud of = {EQUAL, {periodic == 1, periodic > 0, 0}, 0, places, 0.0, 0};
            dem_world *world = cloud_world(&of, &random, 1);
            assert_int_equal(world->list.levels, 1);
            /* a quarter of them is few enough, but where they meet their own images as well */
            const int narrow = places == 2 || (places == 4 && periodic > 0);
            assert_int_equal(world->list_workspace.levels > 0, narrow);
            compare(world);
            dem_world_destroy(world);
        }
}

/** By how much the cells of the fine ones are wider than they need to be. */
static double home_wider(const dem_world *w, double diameter)
{
    const demi_level_rows *home = &w->list_workspace.level.data[0];
    return 1.0 / (home->cells.scale[2] * (diameter + w->list.skin));
}

/** Fine grains with few neighbours share blocks of wide cells; those of a heap have narrow ones,
 * whatever is around it. */
static void dilute_grains_have_wide_cells(void **state)
{
    (void)state;
    test_random random = test_random_start("dilute");
    static const double thin[] = {0.5, 3.0, 30.0};
    for (int k = 0; k < 3; ++k)
        for (int periodic = 0; periodic < 2; ++periodic) {
            const cloud of = {BIDISPERSE, {periodic, periodic, 0}, 0, 0, thin[k], 0};
            dem_world *world = cloud_world(&of, &random, 1);
            const demi_cells *cells = &world->list_workspace.level.data[0].cells;
            assert_int_equal(world->list.levels, 2);
            assert_true(k == 0 ? home_wider(world, 0.1) < 1.1
                               : home_wider(world, 0.1) > thin[k] / 3.0);
            assert_true(k == 0 || cells->blocks * 16 < GRAINS);
            assert_true(k == 2 || world->list.pairs > 0);
            compare(world);
            dem_world_destroy(world);
        }
    const cloud heap = {HEAP, {0, 0, 0}, 0, 0, 8.0, 0}; /* a half of the fine ones is in none */
    dem_world *world = cloud_world(&heap, &random, 1);
    assert_int_equal(world->list.levels, 2);
    assert_true(home_wider(world, 0.2) < 1.1);
    compare(world);
    dem_world_destroy(world);
}

/** Along a line few cells of a block hold a grain: wide cells are in smaller blocks there, and none
 * holds many. */
static void grains_on_a_line_have_wide_cells(void **state)
{
    (void)state;
    test_random random = test_random_start("line");
    static const double thin[] = {60.0, 60.0 * 4096.0};
    for (int k = 0; k < 2; ++k)
        for (int periodic = 0; periodic < 3; ++periodic) {
            const cloud of = {BIDISPERSE, {periodic == 1, periodic > 0, 0}, 0, 0, thin[k], 1};
            dem_world *world = cloud_world(&of, &random, 1);
            const demi_cells *cells = &world->list_workspace.level.data[0].cells;
            assert_int_equal(world->list.levels, 2);
            assert_int_equal(cells->bits, 2);
            assert_true(home_wider(world, 0.1) > thin[k] / 20.0);
            assert_true(home_wider(world, 0.1) < thin[k] / 10.0);
            assert_true(cells->blocks * 4 < GRAINS);
            compare(world);
            dem_world_destroy(world);
        }
}

/** Rows of particles that were removed, which go with the list, do not change its cells. */
static void removed_grains_do_not_matter(void **state)
{
    (void)state;
    enum { REMOVED = 20000 };
    static dem_particle grain[REMOVED];
    static dem_particle_handle handle[REMOVED];
    const cloud of = {BIDISPERSE, {0, 0, 0}, 0, 0, 3.0, 0};
    test_random random = {1234}, again = {1234};
    dem_world *one = cloud_world(&of, &random, 1), *other = cloud_world(&of, &again, 1);
    for (int k = 0; k < REMOVED; ++k)
        grain[k] = scene_particle(0.0, 0.0, 10.0 * k);
    OK(dem_particles_add(other, REMOVED, grain, handle));
    for (int k = 0; k < REMOVED; ++k)
        OK(dem_particle_remove(other, handle[k]));
    OK(demi_world_rebuild(other, 0.0));
    assert_true(home_wider(one, 0.1) > 1.1);
    assert_true(home_wider(one, 0.1) == home_wider(other, 0.1));
    compare(other);
    dem_world_destroy(one);
    dem_world_destroy(other);
}

/** The list is the same for any number of threads. */
static void threads_do_not_matter(void **state)
{
    (void)state;
    for (int d = 0; d < DISTRIBUTIONS; ++d) {
        const cloud of = {d, {1, 0, 1}, 0, d == EQUAL ? 2 : 0, 0.0, 0};
        test_random random = {1234}, again = {1234};
        dem_world *one = cloud_world(&of, &random, 1), *three = cloud_world(&of, &again, 3);
        assert_int_equal(one->list.pairs, three->list.pairs);
        assert_int_equal(one->list.batch_groups, three->list.batch_groups);
        for (uint64_t r = 0; r < one->list.batch_groups; ++r) {
            const demi_batch_group *a = &one->list.batch_group.read[r],
                                   *b = &three->list.batch_group.read[r];
            assert_int_equal(a->end - a->begin, b->end - b->begin);
            assert_memory_equal(&one->list.pair.read[a->begin], &three->list.pair.read[b->begin],
                                (a->end - a->begin) * sizeof(demi_pair));
        }
        dem_world_destroy(one);
        dem_world_destroy(three);
    }
}

/** Numbers of cells do not depend on the order in which these come. */
static void cells_have_their_numbers(void **state)
{
    (void)state;
    enum { CELLS = 300 };
    static const double low[3] = {0.0, 0.0, 0.0}, high[3] = {1.0, 1.0, 1.0};
    static const int periodic[3] = {0, 0, 0};
    static int64_t at[CELLS][3];
    static uint64_t place[2][CELLS];
    demi_cells cells[2];
    memset(cells, 0, sizeof cells);
    test_random random = {5};
    for (int k = 0; k < CELLS; ++k)
        for (int c = 0; c < 3; ++c)
            at[k][c] = (int64_t)test_uniform(&random, -100.0, 100.0) * (k % 9 == 0 ? 1000000 : 1);
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    for (int way = 0; way < 2; ++way) {
        demi_cells_choose(&cells[way], low, high, periodic, 1.0);
        OK(demi_cells_begin(&world->context, &cells[way], DEMI_BLOCK_BITS));
        for (int k = 0; k < CELLS; ++k) {
            const int one = way == 0 ? k : (k * 7 + 3) % CELLS;
            OK(demi_cells_add(&world->context, &cells[way], at[one], &place[way][one]));
        }
        OK(demi_cells_rank(&world->context, &cells[way]));
    }
    assert_int_equal(cells[0].blocks, cells[1].blocks);
    for (int k = 0; k < CELLS; ++k)
        assert_int_equal(demi_cells_number(&cells[0], place[0][k]),
                         demi_cells_number(&cells[1], place[1][k]));
    for (int way = 0; way < 2; ++way)
        demi_cells_free(&world->context, &cells[way]);
    dem_world_destroy(world);
}

/** Classes end at 2^(1/4 + k/2) times the smallest radius. */
static void classes_end_where_they_say(void **state)
{
    (void)state;
    for (int k = 0; k < 900; ++k) {
        const double edge = pow(2.0, 0.25 + 0.5 * k);
        assert_int_equal(demi_size_class(3.0 * edge * (1.0 - 1e-12), 3.0), k);
        assert_int_equal(demi_size_class(3.0 * edge * (1.0 + 1e-12), 3.0), k + 1);
    }
    assert_int_equal(demi_size_class(0x1p495, 0x1p-900), 2 * (495 + 900));
    assert_int_equal(demi_size_class(1e150, 5e-324), 2 * (498 + 1074) + 1);
}

/** Classes are those that have spheres, in whatever order these come; two are one where there are
 * too many. */
static void classes_have_spheres(void **state)
{
    (void)state;
    enum { DECADES_MOST = 12, EACH = 40, ALL_RADII = DECADES_MOST * EACH };
    static demi_size_classes of, again;
    for (int decades = 1; decades <= DECADES_MOST; ++decades) {
        demi_size_classes_begin(&of, 1e-9);
        demi_size_classes_begin(&again, 1e-9);
        for (int k = 0; k < decades * EACH; ++k) {
            const int other = (k * 13) % (decades * EACH); /* 13 divides none of the numbers */
            demi_size_classes_add(&of, 1e-9 * pow(10.0, (double)k / EACH), 1);
            demi_size_classes_add(&again, 1e-9 * pow(10.0, (double)other / EACH), 1);
        }
        assert_memory_equal(&of, &again, sizeof of);
        assert_int_equal(of.halvings, decades > 7);
        uint64_t spheres = 0;
        for (int k = 0; k < of.count; ++k) {
            spheres += of.spheres[k];
            assert_true(of.spheres[k] > 0 && of.least[k] <= of.most[k]);
            assert_true(of.most[k] < (of.halvings ? 2.1 : 1.5) * of.least[k]);
            assert_true(k == 0 ||
                        (of.number[k] > of.number[k - 1] && of.least[k] > of.most[k - 1]));
            assert_int_equal(of.place[of.number[k]], k + 1);
        }
        assert_int_equal(spheres, decades * EACH);
    }
}

/** Which levels are chosen, and which is home. */
static void levels_follow_from_sizes(void **state)
{
    (void)state;
    demi_size_classes of;
    demi_levels levels;
    demi_size_classes_begin(&of, 1.0);
    demi_size_classes_add(&of, 1.0, 1000);
    demi_levels_choose(&levels, &of, 0.0);
    assert_true(levels.count == 1 && levels.home == 0 && levels.largest[0] == 1.0);
    /* sizes next to each other do not pay */
    demi_size_classes_add(&of, 1.3, 100);
    demi_levels_choose(&levels, &of, 0.0);
    assert_true(levels.count == 1 && levels.largest[0] == 1.3);
    /* one giant does */
    const int giant = 2;
    demi_size_classes_add(&of, 100.0, 1);
    demi_levels_choose(&levels, &of, 0.0);
    assert_true(levels.count == 2 && levels.home == 0 && levels.home_smallest == 1.0);
    assert_true(levels.largest[0] == 1.3 && levels.largest[1] == 100.0 && levels.spheres[1] == 1);
    assert_int_equal(demi_level_of(&levels, 1.2), 0);
    assert_int_equal(demi_level_of(&levels, 100.0), 1);
    /* a few finer ones do not decide the skin */
    of.spheres[0] = 10;
    of.spheres[1] = 1000;
    demi_levels_choose(&levels, &of, 0.0);
    assert_true(levels.count == 2 && levels.home == 0 && levels.home_smallest == 1.3);
    /* dust is not home */
    of.spheres[giant] = 1000;
    of.spheres[1] = 0;
    demi_levels_choose(&levels, &of, 0.0);
    assert_true(levels.count == 2 && levels.home == 1 && levels.home_smallest == 100.0);
}

/** What decides is what a search costs: the space that giants take is not that of fine spheres, and
 * levels next to each other cost more than the cells that they save. */
static void levels_follow_from_costs(void **state)
{
    (void)state;
    demi_size_classes of;
    demi_levels levels;
    for (int giant = 0; giant < 2; ++giant) { /* beside the fine ones, or far away */
        demi_size_classes_begin(&of, 1.0);
        demi_size_classes_add(&of, 1.0, 20000);
        demi_size_classes_add(&of, 16.0, 100);
        if (giant)
            demi_size_classes_add(&of, 2e4, 1);
        demi_levels_choose(&levels, &of, 0.0);
        assert_int_equal(levels.count, 2 + giant);
        assert_true(levels.home == 0 && levels.largest[0] == 1.0 && levels.largest[1] == 16.0);
    }
    /* what is so fine that its volume vanishes beside the coarse one's */
    demi_size_classes_begin(&of, 1.0);
    demi_size_classes_add(&of, 1.0, 20000);
    demi_size_classes_add(&of, 1e120, 1);
    demi_levels_choose(&levels, &of, 0.0);
    assert_true(levels.count == 2 && levels.home == 0 && levels.largest[0] == 1.0);
    /* one that is finer by far does not make one class of all others */
    demi_size_classes_begin(&of, 1e-9);
    demi_size_classes_add(&of, 1e-9, 1);
    demi_size_classes_add(&of, 1.0, 20000);
    demi_size_classes_add(&of, 16.0, 100);
    demi_levels_choose(&levels, &of, 0.0);
    assert_true(levels.count == 2 && levels.home == 0 && levels.home_smallest == 1.0);
    assert_true(levels.largest[0] == 1.0 && demi_level_of(&levels, 16.0) == 1);
    /* of as much volume in each class: no level for each, and none for all */
    demi_size_classes_begin(&of, 1.0);
    for (int k = 0; k < 16; ++k)
        demi_size_classes_add(&of, pow(2.0, 0.5 * k), (uint64_t)(1e6 * pow(2.0, -1.5 * k)));
    demi_levels_choose(&levels, &of, 0.0);
    assert_true(levels.count >= 2 && levels.count <= 4);
    /* fine ones between coarse ones get cells of their own where they are many */
    for (int many = 0; many < 2; ++many) {
        demi_size_classes_begin(&of, 1.0);
        demi_size_classes_add(&of, 1.0, many ? 640000 : 160000);
        demi_size_classes_add(&of, 8.0, 20000);
        demi_size_classes_add(&of, 64.0, 40);
        demi_levels_choose(&levels, &of, 0.0);
        assert_int_equal(levels.count, 2 + many);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_equal_brute_force),
        cmocka_unit_test(escaped_grains_are_listed),
        cmocka_unit_test(dilute_grains_have_wide_cells),
        cmocka_unit_test(grains_on_a_line_have_wide_cells),
        cmocka_unit_test(removed_grains_do_not_matter),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(classes_end_where_they_say),
        cmocka_unit_test(classes_have_spheres),
        cmocka_unit_test(levels_follow_from_sizes),
        cmocka_unit_test(cells_have_their_numbers),
        cmocka_unit_test(places_far_apart_have_narrow_cells),
        cmocka_unit_test(levels_follow_from_costs),
        cmocka_unit_test(close_sizes_are_listed),
    };
    return cmocka_run_group_tests_name("levels", tests, NULL, NULL);
}
