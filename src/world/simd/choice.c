/* SPDX-License-Identifier: MIT */
/* Passes over the pairs that have none of the ends that are looked for. */
#include "world/contact_choice.h"

#include <string.h>

/* The ends of four pairs, i and j in turn. */
typedef uint32_t choice_ends __attribute__((vector_size(32), aligned(4), may_alias));

DEMI_ENTRY(demi_choice_next_function, demi_choice_next);

/* Whether ends of some pairs are looked for, whatever their slots are. */
static DEMI_INLINE int found_in(const demi_pair *pair, uint64_t count, const demi_sought *sought)
{
    const uint32_t rows = ~(uint32_t)(DEMI_LOCAL_OFFSET - 1);
    const choice_ends row = {rows, rows, rows, rows, rows, rows, rows, rows};
    choice_ends found = {0};
    for (uint32_t k = 0; k < sought->count; ++k) {
        const choice_ends wanted = *(const choice_ends *)(const void *)sought->ends[k];
        for (uint64_t p = 0; p < count; p += DEMI_CHOICE_FEW)
            found |=
                (choice_ends)((*(const choice_ends *)(const void *)(pair + p) & row) == wanted);
    }
    uint64_t any[4];
    memcpy(any, &found, sizeof any);
    return (any[0] | any[1] | any[2] | any[3]) != 0;
}

uint64_t demi_choice_next(const demi_pair *pair, uint64_t begin, uint64_t end,
                          const demi_sought *sought)
{
    while (begin + DEMI_CHOICE_BLOCK <= end && !found_in(pair + begin, DEMI_CHOICE_BLOCK, sought))
        begin += DEMI_CHOICE_BLOCK;
    while (begin + DEMI_CHOICE_FEW <= end && !found_in(pair + begin, DEMI_CHOICE_FEW, sought))
        begin += DEMI_CHOICE_FEW;
    return begin;
}
