/* SPDX-License-Identifier: MIT */
/**
 * @file ownership.c
 * Each image of a pair of rows has one owner, whatever their cells and levels.
 */
#include "../support/cmocka.h"

#include "list/ownership.h"

#include <string.h>

enum { EDGE = 4, CELLS = 8 * 8 * 8 };

/** How often rows of a cell list those of another one under a shift. */
typedef struct listed {
    int count[EDGE * EDGE * EDGE][EDGE * EDGE * EDGE][DEMI_GRID_STEPS];
} listed;

static listed all, owned, finer, coarser;

static int index_of(const demi_grid *grid, const int cell_of[CELLS], const int64_t at[3])
{
    return cell_of[demi_grid_number(grid, at)];
}

static void list(const demi_grid *grid, const int cell_of[CELLS], int begin, listed *to)
{
    memset(to, 0, sizeof(*to));
    int64_t at[3];
    for (at[2] = 0; at[2] < grid->count[2]; ++at[2])
        for (at[1] = 0; at[1] < grid->count[1]; ++at[1])
            for (at[0] = 0; at[0] < grid->count[0]; ++at[0]) {
                demi_grid_neighbour around[DEMI_GRID_STEPS];
                int plain;
                const int found = demi_grid_neighbours(grid, at, begin, around, &plain);
                for (int m = 0; m < found; ++m)
                    to->count[index_of(grid, cell_of, at)][cell_of[around[m].cell]]
                             [around[m].shift]++;
            }
}

/** Cells of a box of this many cells along each axis, with the lists of all. */
static int look(const int edge[3], const int periodic[3])
{
    static const double low[3] = {0.0, 0.0, 0.0};
    const double high[3] = {edge[0] + 0.5, edge[1] + 0.5, edge[2] + 0.5};
    demi_grid grid;
    demi_grid_axis axes[3 * EDGE];
    int cell_of[CELLS], cells = 0;
    memset(&grid, 0, sizeof(grid));
    demi_grid_choose(&grid, low, high, periodic, 1.0, CELLS);
    assert_true(demi_grid_axes_count(&grid) == (uint64_t)(edge[0] + edge[1] + edge[2]));
    demi_grid_axes(&grid, axes);
    int64_t at[3];
    for (at[2] = 0; at[2] < edge[2]; ++at[2])
        for (at[1] = 0; at[1] < edge[1]; ++at[1])
            for (at[0] = 0; at[0] < edge[0]; ++at[0])
                cell_of[demi_grid_number(&grid, at)] = cells++;
    list(&grid, cell_of, 0, &all);
    list(&grid, cell_of, demi_owned_steps_begin(1, 1), &owned);
    list(&grid, cell_of, demi_owned_steps_begin(0, 1), &finer);
    list(&grid, cell_of, demi_owned_steps_begin(1, 0), &coarser);
    return cells;
}

static void one_owner(void **state)
{
    (void)state;
    for (int n = 0; n < EDGE * EDGE * EDGE * 8; ++n) {
        const int edge[3] = {n % EDGE + 1, n / EDGE % EDGE + 1, n / EDGE / EDGE % EDGE + 1};
        const int bits = n / (EDGE * EDGE * EDGE);
        const int periodic[3] = {bits & 1, bits >> 1 & 1, bits >> 2};
        const int cells = look(edge, periodic);
        for (int a = 0; a < cells; ++a)
            for (int b = 0; b < cells; ++b)
                for (int s = 0; s < DEMI_GRID_STEPS; ++s) {
                    const int back = DEMI_GRID_STEPS - 1 - s, there = all.count[a][b][s];
                    assert_true(there <= 1 && there == all.count[b][a][back]);
                    assert_int_equal(finer.count[a][b][s], there);
                    assert_int_equal(coarser.count[b][a][back], 0);
                    if (a != b || s != DEMI_GRID_PLAIN)
                        assert_int_equal(owned.count[a][b][s] + owned.count[b][a][back], there);
                    else /* rows of one cell are told apart by their order */
                        assert_int_equal(owned.count[a][b][s], 0);
                }
    }
    for (uint64_t a = 0; a < 5; ++a)
        for (uint64_t b = 0; b < 5; ++b)
            assert_int_equal((b >= demi_owned_rows_begin(a)) + (a >= demi_owned_rows_begin(b)),
                             a != b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_owner),
    };
    return cmocka_run_group_tests_name("ownership", tests, NULL, NULL);
}
