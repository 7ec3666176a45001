/* SPDX-License-Identifier: MIT */
/* Which of two rows owns their pair: the chunk of the owner lists it and computes its contact. The
 * search yields candidates; what follows decides, from the cells of the two rows, which of them a
 * row lists.
 *
 * - On different levels of cells the row of the finer one owns.
 * - On the same level it is the row from whose cell that of the other is a forward step, through a
 *   periodic boundary, too.
 * - In the same cell it is the row that comes first.
 *
 * So each image of a pair has one owner, which does not depend on who looks. */
#ifndef DEMI_OWNERSHIP_H
#define DEMI_OWNERSHIP_H

#include "search/grid.h"

/* Levels are numbered from the finest. */
enum { DEMI_LEVEL_FINEST = 0 };

/* The steps, up to DEMI_GRID_STEPS, to cells of a level whose rows a row of `own` owns pairs with.
 * On the same level, its own cell is not among them. */
static inline int demi_owned_steps_begin(int own, int other)
{
    return own < other ? 0 : own == other ? DEMI_GRID_FORWARD : DEMI_GRID_STEPS;
}

/* The first row of its own cell that a row owns the pair with; those after it follow. */
static inline uint64_t demi_owned_rows_begin(uint64_t row)
{
    return row + 1;
}

#endif
