/* SPDX-License-Identifier: MIT */
#include "mesh/sort.h"

#include <string.h>

enum { SORT_FEW = 64 };

/* One digit of the key decides; 0 where it is the same for all. */
static int sort_digit(const demi_item *from, demi_item *to, uint64_t count, int shift)
{
    uint64_t begin[256] = {0};
    for (uint64_t k = 0; k < count; ++k)
        ++begin[from[k].key >> shift & 255];
    uint64_t sum = 0;
    for (int d = 0; d < 256; ++d) {
        if (begin[d] == count)
            return 0;
        const uint64_t here = begin[d];
        begin[d] = sum;
        sum += here;
    }
    for (uint64_t k = 0; k < count; ++k)
        to[begin[from[k].key >> shift & 255]++] = from[k];
    return 1;
}

static void sort_few(demi_item *items, uint64_t count)
{
    for (uint64_t k = 1; k < count; ++k) {
        const demi_item item = items[k];
        uint64_t to = k;
        for (; to > 0 && items[to - 1].key > item.key; --to)
            items[to] = items[to - 1];
        items[to] = item;
    }
}

void demi_sort(demi_item *items, demi_item *room, uint64_t count)
{
    if (count <= SORT_FEW) {
        sort_few(items, count);
        return;
    }
    demi_item *from = items, *to = room;
    for (int shift = 0; shift < 64; shift += 8)
        if (sort_digit(from, to, count, shift)) {
            demi_item *const sorted = to;
            to = from;
            from = sorted;
        }
    if (from != items)
        memcpy(items, from, (size_t)count * sizeof *items);
}
