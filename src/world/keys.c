/* SPDX-License-Identifier: MIT */
/* The order of keys: a heap sort, which needs no memory and no good luck. */
#include "world/keys.h"

typedef struct keyed_heap {
    unsigned char *things;
    uint64_t size;
} keyed_heap;

static const dem_contact_key *key_at(const keyed_heap *heap, uint64_t at)
{
    return (const dem_contact_key *)(const void *)(heap->things + at * heap->size);
}

static void swap(const keyed_heap *heap, uint64_t a, uint64_t b)
{
    unsigned char *p = heap->things + a * heap->size, *q = heap->things + b * heap->size;
    for (uint64_t k = 0; k < heap->size; k += sizeof(uint64_t)) {
        uint64_t first, second;
        memcpy(&first, p + k, sizeof first);
        memcpy(&second, q + k, sizeof second);
        memcpy(p + k, &second, sizeof second);
        memcpy(q + k, &first, sizeof first);
    }
}

/* Lets a thing sink in a heap whose largest key is first. */
static void sink(const keyed_heap *heap, uint64_t at, uint64_t count)
{
    for (uint64_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && demi_key_less(key_at(heap, child), key_at(heap, child + 1)))
            ++child;
        if (!demi_key_less(key_at(heap, at), key_at(heap, child)))
            return;
        swap(heap, at, child);
        at = child;
    }
}

void demi_keys_sort(void *things, uint64_t count, uint64_t size)
{
    const keyed_heap heap = {things, size};
    for (uint64_t at = count / 2; at-- > 0;)
        sink(&heap, at, count);
    for (uint64_t left = count; left-- > 1;) {
        swap(&heap, 0, left);
        sink(&heap, 0, left);
    }
}
