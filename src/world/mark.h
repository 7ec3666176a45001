/* SPDX-License-Identifier: MIT */
/* The mark of a world: a shadow of the state to which a host goes back.
 *
 * What steps change is copied when the world is marked. What rebuilds alone change is kept by the
 * first rebuild after the mark: it copies the order of the rows, and puts the list aside instead of
 * using its memory again. */
#ifndef DEMI_MARK_H
#define DEMI_MARK_H

#include "list/list.h"

typedef struct demi_mark {
    int there;                /* there is a mark */
    int rows_kept, list_kept; /* rows were moved since, a list was built: `late` and `list` have
                                 what was there before */
    int parts;                /* which arrays of walls it has, see mark.c */
    DEMI_ARRAY(unsigned char) early;    /* of rows, contacts and walls */
    DEMI_ARRAY(unsigned char) late;     /* of rows, what rebuilds alone change */
    DEMI_ARRAY(struct dem_world) world; /* its numbers; what it points to is not its own */
    demi_list list;
} demi_mark;

#endif
