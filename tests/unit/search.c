/* SPDX-License-Identifier: MIT */
/**
 * @file search.c
 * The grid of the search: how many pairs of rows are looked at, and that none is missed.
 */
#include "../support/cmocka.h"
#include "../support/random.h"

#include "search/bounds.h"
#include "search/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = 20, DENSE = EDGE * EDGE * EDGE, ROOM = DENSE + 2000 };
#define CUTOFF 1.1

typedef struct cloud {
    double position[ROOM][4];
    uint64_t id[ROOM], rows;
} cloud;

static void put(cloud *s, double x, double y, double z)
{
    const double at[4] = {x, y, z, 0.5};
    memcpy(s->position[s->rows], at, sizeof(at));
    s->id[s->rows] = s->rows + 1;
    s->rows++;
}

/** Grains of diameter 1, close to a lattice. */
static cloud *dense(uint64_t edge)
{
    cloud *s = calloc(1, sizeof(*s));
    assert_non_null(s);
    test_random random = {7};
    for (uint64_t n = 0; n < edge * edge * edge; ++n) {
        double x[3];
        for (int c = 0; c < 3; ++c)
            x[c] = test_uniform(&random, -0.04, 0.04);
        put(s, (double)(n % edge) + x[0], (double)(n / edge % edge) + x[1],
            (double)(n / edge / edge) + x[2]);
    }
    return s;
}

/** What a search looks at. */
typedef struct effort {
    uint64_t tests; /**< pairs of rows in the same cell or in neighbouring ones */
    uint64_t near;  /**< of them nearer than the cutoff */
    double low[3], high[3];
} effort;

static double distance2(const cloud *s, uint64_t a, uint64_t b)
{
    double sum = 0.0;
    for (int c = 0; c < 3; ++c) {
        const double d = s->position[a][c] - s->position[b][c];
        sum += d * d;
    }
    return sum;
}

static void bounds_choose(const cloud *s, int64_t most, double low[3], double high[3])
{
    const int periodic[3] = {0, 0, 0};
    const dem_executor alone = {0};
    const demi_bounds_rows of = {&alone, (const double(*)[4])s->position, s->id, s->rows};
    demi_extent extent;
    demi_extent_measure(&of, &extent);
    demi_bounds_choose(&of, &extent, periodic, CUTOFF, most, low, high);
}

/** Goes through all pairs of cells as the list of neighbours does. */
static effort look(const cloud *s, int count_near)
{
    effort e;
    memset(&e, 0, sizeof(e));
    const int periodic[3] = {0, 0, 0};
    const int64_t most = (int64_t)(2 * s->rows + 64);
    bounds_choose(s, most, e.low, e.high);
    demi_grid grid;
    memset(&grid, 0, sizeof(grid));
    demi_grid_choose(&grid, e.low, e.high, periodic, CUTOFF, most);
    const uint64_t cells = (uint64_t)demi_grid_cells(&grid);
    assert_true(cells <= 8 * (uint64_t)most + 512); /* blocks are filled up */
    demi_grid_axis *axes = calloc(demi_grid_axes_count(&grid), sizeof(*axes));
    uint64_t *first = calloc(cells, sizeof(*first)), *size = calloc(cells, sizeof(*size)),
             *next = calloc(s->rows, sizeof(*next));
    int64_t(*at)[3] = calloc(cells, sizeof(*at));
    assert_true(axes != NULL && first != NULL && size != NULL && next != NULL && at != NULL);
    demi_grid_axes(&grid, axes);
    for (uint64_t row = 0; row < s->rows; ++row) {
        int64_t where[3];
        demi_grid_at(&grid, s->position[row], where);
        const uint64_t cell = (uint64_t)demi_grid_number(&grid, where);
        memcpy(at[cell], where, sizeof(where));
        next[row] = first[cell];
        first[cell] = row + 1;
        size[cell]++;
    }
    for (uint64_t cell = 0; cell < cells; ++cell) {
        if (size[cell] == 0)
            continue;
        demi_grid_neighbour around[DEMI_GRID_STEPS];
        int plain;
        const int found = demi_grid_neighbours(&grid, at[cell], DEMI_GRID_FORWARD, around, &plain);
        e.tests += size[cell] * (size[cell] - 1) / 2;
        for (int m = 0; m < found; ++m)
            e.tests += size[cell] * size[around[m].cell];
        for (uint64_t a = first[cell]; count_near && a != 0; a = next[a - 1]) {
            for (uint64_t b = next[a - 1]; b != 0; b = next[b - 1])
                e.near += distance2(s, a - 1, b - 1) < CUTOFF * CUTOFF;
            for (int m = 0; m < found; ++m)
                for (uint64_t b = first[around[m].cell]; b != 0; b = next[b - 1])
                    e.near += distance2(s, a - 1, b - 1) < CUTOFF * CUTOFF;
        }
    }
    free(axes);
    free(first);
    free(size);
    free(next);
    free(at);
    return e;
}

/** Ways in which grains leave a heap of them. */
enum { WAYS = 13 };
static void escape(cloud *s, int way)
{
    test_random random = {UINT64_C(99) + (uint64_t)way};
    switch (way) {
    case 0: /* one along the diagonal */
        put(s, 1e5, 1e5, 1e5);
        break;
    case 1: /* one along an axis */
        put(s, 3.0, -1e5, 4.0);
        break;
    case 2: /* one into each corner */
        for (int k = 0; k < 8; ++k)
            put(s, k & 1 ? 1e5 : -1e5, k & 2 ? 1e5 : -1e5, k & 4 ? 1e5 : -1e5);
        break;
    case 3: /* a heap far away, whose grains touch each other */
        for (int k = 0; k < 200; ++k)
            put(s, 1e5 + k % 6, 1e5 + k / 6 % 6, 1e5 + k / 36);
        break;
    case 4: /* likewise, beside one face */
        for (int k = 0; k < 200; ++k)
            put(s, 1e5 + k % 6, 5.0 + k / 6 % 6, 5.0 + k / 36);
        break;
    case 5: /* a jet */
        for (int k = 0; k < 200; ++k)
            put(s, 30.0 + 7.0 * k, 5.0 + 3.0 * k, 5.0 + 1.0 * k);
        break;
    case 6: /* a spray */
        for (int k = 0; k < 200; ++k) {
            double n[3];
            test_unit(&random, n);
            const double r = test_decades(&random, 2.0, 6.0);
            put(s, 10.0 + r * n[0], 10.0 + r * n[1], 10.0 + r * n[2]);
        }
        break;
    case 7: /* at the end of numbers */
        put(s, 1e300, 0.0, 0.0);
        put(s, 1e300, 0.0, -1e300);
        break;
    case 8:
        put(s, 1.7e308, 1.7e308, 1.7e308);
        put(s, -1.7e308, -1.7e308, -1.7e308);
        put(s, 1.7e308, -1.7e308, 0.0);
        break;
    case 9: /* a tenth of all, into all directions */
        for (int k = 0; k < 900; ++k)
            put(s, test_uniform(&random, -1e5, 1e5), test_uniform(&random, -1e5, 1e5),
                test_uniform(&random, -1e5, 1e5));
        break;
    case 10: /* a tenth falls out below */
        for (int k = 0; k < 900; ++k)
            put(s, 0.7 * (k % 29), 0.9 * (k % 23), -10.0 - 100.0 * k);
        break;
    case 11: /* a heap of a tenth, far away */
        for (int k = 0; k < 900; ++k)
            put(s, 1e5 + k % 10, 1e5 + k / 10 % 10, 1e5 + k / 100);
        break;
    default: /* one of each pair was removed */
        for (int k = 0; k < 200; ++k) {
            put(s, 1e9 + k, 1e9, 1e9);
            s->id[s->rows - 1] *= (uint64_t)(k % 2);
        }
    }
}

/** Grains that flew far away cost at most as much again as there was, four times. */
static void a_few_far_away_cost_little(void **state)
{
    (void)state;
    cloud *s = dense(EDGE);
    const effort plain = look(s, 0);
    free(s);
    printf("# %llu pairs of %d rows are looked at\n", (unsigned long long)plain.tests, DENSE);
    assert_true(plain.tests < 40 * DENSE);
    for (int way = 0; way < WAYS; ++way) {
        s = dense(EDGE);
        escape(s, way);
        const effort e = look(s, 0);
        printf("# way %d: %.2f times as many\n", way, (double)e.tests / (double)plain.tests);
        assert_true(e.tests <= 5 * plain.tests);
        free(s);
    }
}

/** Whatever the bounds are, each pair within the cutoff is met once. */
static void no_pair_is_missed(void **state)
{
    (void)state;
    for (int way = -1; way < WAYS; ++way) {
        cloud *s = dense(12);
        if (way >= 0)
            escape(s, way);
        uint64_t near = 0;
        for (uint64_t a = 0; a < s->rows; ++a)
            for (uint64_t b = 0; b < a; ++b)
                near += distance2(s, a, b) < CUTOFF * CUTOFF;
        assert_true(near > 12 * 12 * 12);
        assert_int_equal(look(s, 1).near, near);
        free(s);
    }
}

/** The same grains in rows of another order, and rows without a grain. */
static cloud *shuffled(const cloud *s, test_random *random)
{
    cloud *other = calloc(1, sizeof(*other));
    assert_non_null(other);
    for (uint64_t n = 0; n < s->rows; ++n) {
        put(other, 0.0, 0.0, 0.0);
        const uint64_t last = other->rows - 1;
        const uint64_t at = (uint64_t)test_uniform(random, 0.0, (double)other->rows);
        memcpy(other->position[last], other->position[at], sizeof(other->position[at]));
        other->id[last] = other->id[at];
        memcpy(other->position[at], s->position[n], sizeof(s->position[n]));
        other->id[at] = s->id[n];
        if (n % 9 == 0) {
            put(other, 1e7, -1e9, 3.0);
            other->id[other->rows - 1] = 0;
        }
    }
    return other;
}

static void same_bounds(const cloud *s, const cloud *other, int way)
{
    double low[2][3], high[2][3];
    const cloud *const both[] = {s, other};
    for (int k = 0; k < 2; ++k) {
        memset(low[k], 0, sizeof(low[k]));
        memset(high[k], 0, sizeof(high[k]));
        bounds_choose(both[k], 2 * (int64_t)s->rows + 64, low[k], high[k]);
    }
    if (memcmp(low[0], low[1], sizeof(low[0])) != 0 || memcmp(high[0], high[1], sizeof(high[0])))
        fail_msg("%d grains, way %d: %.17g or %.17g", (int)s->rows, way, low[0][0], low[1][0]);
}

/** Bounds follow from the grains alone, so that a list can be built once more. */
static void the_order_of_rows_changes_nothing(void **state)
{
    (void)state;
    static const uint64_t edges[] = {5, 12, EDGE};
    test_random random = {5};
    for (int k = 0; k < 3; ++k)
        for (int way = 0; way < WAYS; ++way) {
            cloud *s = dense(edges[k]);
            escape(s, way);
            cloud *other = shuffled(s, &random);
            same_bounds(s, other, way);
            free(s);
            free(other);
        }
}

/** The box of a heap, and of a thin cloud, ends where their grains do. */
static void usual_clouds_keep_their_box(void **state)
{
    (void)state;
    for (int thin = 0; thin < 2; ++thin) {
        cloud *s = dense(EDGE);
        for (uint64_t n = 0; n < s->rows; ++n)
            for (int c = 0; c < 3; ++c)
                s->position[n][c] *= thin ? 25.0 : 1.0;
        const effort e = look(s, 0);
        for (int c = 0; c < 3; ++c) {
            double low = s->position[0][c], high = low;
            for (uint64_t n = 0; n < s->rows; ++n) {
                low = fmin(low, s->position[n][c]);
                high = fmax(high, s->position[n][c]);
            }
            assert_true(e.low[c] == low && e.high[c] == high);
        }
        free(s);
    }
}

/** Grains as small as numbers are, in a box of any size: no cell is so narrow that it has no
 * inverse, and the number of cells is bounded. */
static void smallest_grains_have_cells(void **state)
{
    (void)state;
    static const double cutoffs[] = {5e-324, 1e-323, 1e-310, 2.3e-308, 1e-300, 1e-150};
    static const double lengths[] = {5e-324, 1e-300, 1.0, 5.0, 1e150};
    for (size_t k = 0; k < sizeof(cutoffs) / sizeof(*cutoffs); ++k)
        for (size_t m = 0; m < sizeof(lengths) / sizeof(*lengths); ++m)
            for (int periodic = 0; periodic < 2; ++periodic) {
                const double low[3] = {0.0, 0.0, 0.0},
                             high[3] = {lengths[m], lengths[m] / 2.0, lengths[m]};
                const int along[3] = {periodic, 0, 1};
                demi_grid grid;
                demi_grid_choose(&grid, low, high, along, cutoffs[k], 66);
                int64_t cells = 1;
                for (int c = 0; c < 3; ++c) {
                    assert_true(grid.width[c] >= cutoffs[k] && isfinite(grid.scale[c]));
                    cells *= grid.count[c];
                }
                assert_true(cells >= 1 && cells <= 66);
            }
}

/* No traps: numbers overflow on purpose, which the library allows where it is entered. */
int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_far_away_cost_little),
        cmocka_unit_test(no_pair_is_missed),
        cmocka_unit_test(the_order_of_rows_changes_nothing),
        cmocka_unit_test(usual_clouds_keep_their_box),
        cmocka_unit_test(smallest_grains_have_cells),
    };
    return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
