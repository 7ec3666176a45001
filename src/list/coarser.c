/* SPDX-License-Identifier: MIT */
/* On the same level pairs are found as the home level's are, from cell to cell; on different ones
 * by the finer row, which owns the pair.
 *
 * Rows next to each other in the list look for coarser ones together: the coarser rows in the cells
 * that their box, grown by the reach, meets are tested against that box, and what is left against
 * each row. */
#include "list/coarser.h"

#include "list/ownership.h"

#include <math.h>

/* Rows that look for coarser ones together. A box of theirs that meets more cells is looked at in
 * halves. */
enum { ROWS_MOST = 64, CELLS_MOST = 64 };
/* Boxes are wider than what they hold by this part of the largest coordinate: more than rounds
 * off. */
#define ROUNDING 1e-15

/* Adds a candidate; uses up those there are when there is no room. */
static void candidate_add(demi_pairs_work *t, uint32_t row, uint32_t shift)
{
    if (t->candidates == DEMI_CANDIDATES || t->groups == DEMI_GRID_STEPS) {
        const int level = t->by_level;
        demi_pairs_find(t);
        /* what is added now is of the same level */
        for (int k = 0; k < level; ++k)
            t->level_begin[k] = 0;
    }
    if (t->groups == 0 || t->group[t->groups - 1].shift != shift)
        t->group[t->groups++].shift = shift;
    t->candidate[t->candidates++] = row;
    t->group[t->groups - 1].end = (uint32_t)t->candidates;
}

void demi_pairs_own_level(demi_pairs_work *t, uint64_t row)
{
    const int k = t->b->scratch->level_of.data[row];
    const demi_level_rows *level = &t->b->scratch->level.data[k];
    const uint32_t *begin = level->begin.data, *rows = level->row.data;
    demi_grid_neighbour around[DEMI_GRID_STEPS];
    int64_t at[3];
    demi_cells_at(&level->cells, t->position[row], at);
    const int count = demi_cells_neighbours(&level->cells, &t->blocks[k], at,
                                            demi_owned_steps_begin(k, k) - 1, around);
    t->row_begin = row;
    t->row_end = row + 1;
    t->own = 0;
    for (int m = 0; m < count; ++m) {
        for (uint32_t n = begin[around[m].cell]; n < begin[around[m].cell + 1]; ++n)
            /* the cell itself comes first */
            if (m > 0 || rows[n] >= demi_owned_rows_begin(row))
                candidate_add(t, rows[n], around[m].shift);
        t->looks += begin[around[m].cell + 1] - begin[around[m].cell];
    }
    demi_pairs_find(t);
}

/* Consecutive rows: box of their centres, finest level, and of those finer than a level the
 * largest radius. */
typedef struct row_group {
    uint64_t begin, end;
    double low[3], high[3];
    int finest;
    double largest[DEMI_LEVELS_MOST + 1];
} row_group;

static void group_measure(const demi_pairs_work *t, uint64_t begin, uint64_t end, row_group *group)
{
    const demi_list_build_call *b = t->b;
    const int levels = b->levels.count;
    group->begin = begin;
    group->end = end;
    group->finest = levels;
    for (int k = 0; k <= levels; ++k)
        group->largest[k] = 0.0;
    for (int c = 0; c < 3; ++c)
        group->low[c] = group->high[c] = t->position[begin][c];
    for (uint64_t row = begin; row < end; ++row) {
        const double *x = t->position[row];
        const int k = b->scratch->level_of.data[row];
        for (int c = 0; c < 3; ++c) {
            group->low[c] = x[c] < group->low[c] ? x[c] : group->low[c];
            group->high[c] = x[c] > group->high[c] ? x[c] : group->high[c];
        }
        group->finest = k < group->finest ? k : group->finest;
        group->largest[k + 1] = x[3] > group->largest[k + 1] ? x[3] : group->largest[k + 1];
    }
    for (int k = 1; k <= levels; ++k)
        if (group->largest[k] < group->largest[k - 1])
            group->largest[k] = group->largest[k - 1];
}

/* The cells of a level in which rows near the group may be. */
static demi_cells_range group_range(const demi_pairs_work *t, const row_group *group, int level)
{
    const demi_list_build_call *b = t->b;
    const double grown = group->largest[level] + b->levels.largest[level] + b->reach + b->skin;
    double low[3], high[3];
    for (int c = 0; c < 3; ++c) {
        const double rounding = ROUNDING * (fabs(group->low[c]) + fabs(group->high[c]) + grown);
        low[c] = group->low[c] - grown - rounding;
        high[c] = group->high[c] + grown + rounding;
    }
    return demi_cells_range_of(&b->scratch->level.data[level].cells, low, high);
}

/* Whether a row under a shift is near the box of a group. */
static int near_group(const demi_pairs_work *t, const row_group *group, int level, const double *x,
                      uint32_t shift)
{
    const demi_list_build_call *b = t->b;
    const demi_domain *domain = &b->in->domain;
    const double far = (group->largest[level] + x[3] + b->reach + b->skin) * (1.0 + 1e-12);
    double square = 0.0, size = 0.0;
    for (int c = 0; c < 3; ++c) {
        const int periods = demi_shift_periods(shift, c);
        const double at = periods == 0 ? x[c] : x[c] + periods * (domain->high[c] - domain->low[c]);
        const double below = group->low[c] - at, above = at - group->high[c];
        const double gap = below > above ? below : above;
        square += gap > 0.0 ? gap * gap : 0.0;
        size += fabs(at);
    }
    const double limit = far + ROUNDING * size;
    return square < limit * limit;
}

/* Candidates of one level for a group. */
static void group_candidates(demi_pairs_work *t, const row_group *group, int level,
                             const demi_cells_range *range)
{
    const demi_list_build_call *b = t->b;
    const demi_level_rows *of = &b->scratch->level.data[level];
    const int home = level == b->levels.home;
    int64_t at[3] = {range->low[0], range->low[1], range->low[2]};
    demi_grid_neighbour cell;
    while (demi_cells_range_next(&of->cells, range, at, &t->last[level], &cell)) {
        const uint32_t *rows = of->begin.data + ((uint64_t)cell.cell << home);
        t->looks += rows[1] - rows[0];
        for (uint32_t n = rows[0]; n < rows[1]; ++n) {
            const uint32_t row = home ? n : of->row.data[n];
            if (near_group(t, group, level, t->position[row], cell.shift))
                candidate_add(t, row, cell.shift);
        }
    }
}

/* Whether the cells of some level that the group looks at are too many. */
static int too_wide(const demi_pairs_work *t, const row_group *group)
{
    for (int k = group->finest + 1; k < t->b->levels.count; ++k) {
        const demi_cells_range range = group_range(t, group, k);
        if (demi_cells_range_size(&range) > CELLS_MOST)
            return 1;
    }
    return 0;
}

static void list_group(demi_pairs_work *t, uint64_t begin, uint64_t end)
{
    const int levels = t->b->levels.count;
    row_group group;
    group_measure(t, begin, end, &group);
    if (end - begin > 1 && too_wide(t, &group)) {
        const uint64_t middle = begin + (end - begin) / 2;
        list_group(t, begin, middle);
        list_group(t, middle, end);
        return;
    }
    t->row_begin = begin;
    t->row_end = end;
    t->own = 0;
    for (int k = 0; k <= levels; ++k)
        t->level_begin[k] = k <= group.finest + 1 ? 0 : UINT64_MAX;
    for (int k = group.finest + 1; k < levels; ++k) {
        t->by_level = k + 1;
        t->level_begin[k] = t->candidates;
        const demi_cells_range range = group_range(t, &group, k);
        group_candidates(t, &group, k, &range);
    }
    demi_pairs_find(t);
    t->by_level = 0;
}

void demi_pairs_coarser(demi_pairs_work *t, uint64_t begin, uint64_t end)
{
    const uint64_t parts = (end - begin + ROWS_MOST - 1) / ROWS_MOST;
    for (uint64_t k = 0; k < parts; ++k)
        list_group(t, begin + (end - begin) * k / parts, begin + (end - begin) * (k + 1) / parts);
}
