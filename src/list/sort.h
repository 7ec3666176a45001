/* SPDX-License-Identifier: MIT */
/* Sorting by number on the host's executor, in linear time. */
#ifndef DEMI_LIST_SORT_H
#define DEMI_LIST_SORT_H

#include <dem/base.h>

/* Things to sort by key; those of one key keep their order. */
typedef struct demi_key_sort {
    const dem_executor *executor;
    const uint32_t *key; /* [count]; what has none below `keys` is left out */
    uint64_t count, keys;
    uint32_t *begin;  /* [keys + 1]: where those of each key begin */
    uint32_t *order;  /* [count]: the things by key */
    uint32_t *memory; /* [demi_sort_memory(count)], needed meanwhile */
} demi_key_sort;

uint64_t demi_sort_memory(uint64_t count);
/* Tells how many things were sorted. */
uint64_t demi_sort_run(const demi_key_sort *sort);

#endif
