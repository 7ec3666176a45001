/* SPDX-License-Identifier: MIT */
/* Pairs of rows that are not both of the home level. */
#ifndef DEMI_COARSER_H
#define DEMI_COARSER_H

#include "list/candidates.h"

/* Lists a row that is not of the home level with those of its own level that it owns pairs with. */
void demi_pairs_own_level(demi_pairs_work *t, uint64_t row);
/* Lists consecutive rows with rows of coarser levels. */
void demi_pairs_coarser(demi_pairs_work *t, uint64_t begin, uint64_t end);

#endif
