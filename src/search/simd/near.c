/* SPDX-License-Identifier: MIT */
/* Rows near a place, for the list of pairs; four at a time. */
#include "base/vector.h"
#include "search/near.h"

DEMI_ENTRY(demi_near_function, demi_near_rows);

uint64_t demi_near_rows(const double (*rows)[4], const double place[4], const uint32_t *candidate,
                        uint64_t count, uint32_t own, uint32_t *near, uint32_t *near_own)
{
    const demi_v4 x = {place[0], place[1], place[2], -place[3]};
    uint64_t n = 0;
    for (uint64_t k = 0; k < count; k += 4) {
        demi_v4 d[4];
        for (int m = 0; m < 4; ++m)
            d[m] = x - *demi_v4_at(rows[candidate[k + (uint64_t)m]]);
        demi_v4_transpose(d);
        /* the last column holds the sum of the radii and the reach, but for the sign */
        const demi_v4 square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], far2 = d[3] * d[3];
        uint32_t bits = demi_v4_below(&square, &far2);
        if (k + 4 > count)
            bits &= (1u << (count - k)) - 1u;
        *(demi_u4 *)(near_own + n) = (demi_u4){own, own, own, own};
        demi_u4_index(near, (const demi_u4 *)(candidate + k), bits, &n);
    }
    return n;
}
