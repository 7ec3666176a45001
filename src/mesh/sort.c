/* SPDX-License-Identifier: MIT */
#include "mesh/sort.h"

#include <string.h>

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

void demi_sort(demi_item *items, demi_item *room, uint64_t count)
{
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
