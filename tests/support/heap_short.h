/* SPDX-License-Identifier: MIT */
/**
 * @file heap_short.h
 * An allocator that fails once, at a call that a test chooses, and counts what is not given back.
 */
#ifndef DEM_TEST_HEAP_SHORT_H
#define DEM_TEST_HEAP_SHORT_H

#include <dem/dem.h>
#include <stdlib.h>

typedef struct short_heap {
    uint64_t calls;   /**< so far */
    uint64_t fail_at; /**< this one fails, counted from 0 */
    uint64_t held;    /**< bytes */
} short_heap;

static inline void *short_allocate(void *user, uint64_t size, uint64_t alignment)
{
    short_heap *heap = user;
    void *p = NULL;
    if (heap->calls++ == heap->fail_at || posix_memalign(&p, (size_t)alignment, (size_t)size) != 0)
        return NULL;
    heap->held += size;
    return p;
}

static inline void short_release(void *user, void *pointer, uint64_t size)
{
    ((short_heap *)user)->held -= size;
    free(pointer);
}

static inline dem_allocator short_allocator(short_heap *heap)
{
    return (dem_allocator){heap, short_allocate, short_release};
}

#endif
