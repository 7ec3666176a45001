/* SPDX-License-Identifier: MIT */
/* Sorting by numbers, in linear time. Items of equal keys keep their order. */
#ifndef DEMI_SORT_H
#define DEMI_SORT_H

#include <stdint.h>

typedef struct demi_item {
    uint64_t key, value;
} demi_item;

/* Sorts `count` items; `room` has room for as many. */
void demi_sort(demi_item *items, demi_item *room, uint64_t count);

#endif
