/* SPDX-License-Identifier: MIT */
/* Passes over the pairs that have none of the ends that are looked for. */
#include "world/contact_choice.h"

#include <string.h>

/* The ends of four pairs, i and j in turn. */
typedef uint32_t choice_ends __attribute__((vector_size(32), aligned(4), may_alias));

enum { PAIRS = 4 };

DEMI_ENTRY(demi_choice_next_function, demi_choice_next);

uint64_t demi_choice_next(const demi_pair *pair, uint64_t begin, uint64_t end,
                          const demi_sought *sought)
{
    for (; begin + DEMI_CHOICE_BLOCK <= end; begin += DEMI_CHOICE_BLOCK) {
        choice_ends found = {0};
        for (uint32_t k = 0; k < sought->count; ++k) {
            const choice_ends wanted = *(const choice_ends *)(const void *)sought->ends[k];
            for (uint64_t p = begin; p < begin + DEMI_CHOICE_BLOCK; p += PAIRS)
                found |= (choice_ends)(*(const choice_ends *)(const void *)(pair + p) == wanted);
        }
        uint64_t any[4];
        memcpy(any, &found, sizeof any);
        if ((any[0] | any[1] | any[2] | any[3]) != 0)
            return begin;
    }
    return begin;
}
