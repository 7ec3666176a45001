/* SPDX-License-Identifier: MIT */
#ifndef _DEFAULT_SOURCE /* NOLINTNEXTLINE(bugprone-reserved-identifier): not a name of ours */
#define _DEFAULT_SOURCE /* madvise */
#endif
#include "base/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

/* Buffers from this size on ask for large pages, which have to begin at a multiple of their size:
 * smaller ones would leave too much of the last one empty. */
#define CONTEXT_LARGE (UINT64_C(8) << 20)
#define CONTEXT_LARGE_PAGE (UINT64_C(2) << 20)

/* Asks the system for large pages; that it has none is harmless. */
static void context_large_pages(void *pointer, uint64_t size)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (pointer != NULL)
        (void)madvise(pointer, (size_t)size, MADV_HUGEPAGE);
#else
    (void)pointer;
    (void)size;
#endif
}

static void *context_allocate_default(void *user, uint64_t size, uint64_t alignment)
{
    (void)user;
    const int large = size >= CONTEXT_LARGE;
    const uint64_t begins = large ? CONTEXT_LARGE_PAGE : alignment;
    if (size > SIZE_MAX - begins)
        return NULL;
    const uint64_t whole = (size + begins - 1) / begins * begins;
    void *pointer = aligned_alloc((size_t)begins, (size_t)whole);
    if (large)
        context_large_pages(pointer, whole);
    return pointer;
}

static void context_release_default(void *user, void *pointer, uint64_t size)
{
    (void)user;
    (void)size;
    free(pointer);
}

dem_status demi_context_init(demi_context *context, const dem_allocator *allocator,
                             const dem_log *log)
{
    memset(context, 0, sizeof *context);
    if ((allocator->allocate == NULL) != (allocator->release == NULL))
        return DEM_ERROR_ARGUMENT;
    context->allocator = *allocator;
    if (allocator->allocate == NULL) {
        context->allocator.allocate = context_allocate_default;
        context->allocator.release = context_release_default;
    }
    context->log = *log;
    return DEM_OK;
}

void *demi_allocate(demi_context *context, uint64_t size)
{
    void *pointer = context->allocator.allocate(context->allocator.user, size, 64);
    if (pointer != NULL)
        context->bytes += size;
    return pointer;
}

void demi_release(demi_context *context, void *pointer, uint64_t size)
{
    if (pointer == NULL)
        return;
    context->bytes -= size;
    context->allocator.release(context->allocator.user, pointer, size);
}

void demi_context_error(demi_context *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context->message, sizeof context->message, format, arguments);
    va_end(arguments);
    if (context->log.message != NULL)
        context->log.message(context->log.user, DEM_LOG_ERROR, context->message);
}

void demi_context_text(demi_context *context, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context->message, sizeof context->message, format, arguments);
    va_end(arguments);
}

dem_status demi_fail_memory(demi_context *context, const char *what, uint64_t size)
{
    return demi_fail(context, DEM_ERROR_MEMORY, "%s: the allocator did not give %llu bytes", what,
                     (unsigned long long)size);
}

void demi_log(demi_context *context, int32_t level, const char *format, ...)
{
    if (context->log.message == NULL)
        return;
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    context->log.message(context->log.user, level, text);
}

void demi_error_write(dem_error *error, dem_status status, const char *format, ...)
{
    if (error == NULL)
        return;
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
}

static dem_status buffer_grow(demi_context *context, demi_buffer *buffer, uint64_t size,
                              uint64_t more, int keep, const char *what)
{
    /* an empty buffer has memory, too: an offset of 0 from NULL is undefined */
    if (size <= buffer->size && buffer->data != NULL)
        return DEM_OK;
    /* the first time what is asked for, later some more, so that growth is seldom */
    uint64_t wanted = buffer->size == 0 ? size : size + more;
    wanted = wanted == 0 ? 64 : (wanted + 63) / 64 * 64;
    void *data = demi_allocate(context, wanted);
    if (data == NULL)
        return demi_fail_memory(context, what, wanted);
    /* storage is zeroed once, so that padding never holds values that could trap */
    memset(data, 0, (size_t)wanted);
    if (keep && buffer->data != NULL)
        memcpy(data, buffer->data, (size_t)buffer->size);
    demi_release(context, buffer->data, buffer->size);
    buffer->data = data;
    buffer->size = wanted;
    return DEM_OK;
}

dem_status demi_buffer_reserve(demi_context *context, demi_buffer *buffer, uint64_t size, int keep,
                               const char *what)
{
    return buffer_grow(context, buffer, size, size / 4, keep, what);
}

dem_status demi_buffer_reserve_closely(demi_context *context, demi_buffer *buffer, uint64_t size,
                                       int keep, const char *what)
{
    return buffer_grow(context, buffer, size, size / 256, keep, what);
}

dem_status demi_buffer_shrink(demi_context *context, demi_buffer *buffer, uint64_t size,
                              const char *what)
{
    const uint64_t wanted = size == 0 ? 64 : (size + 63) / 64 * 64;
    if (wanted >= buffer->size)
        return DEM_OK;
    void *data = demi_allocate(context, wanted);
    if (data == NULL)
        return demi_fail_memory(context, what, wanted);
    memcpy(data, buffer->data, (size_t)wanted);
    demi_release(context, buffer->data, buffer->size);
    buffer->data = data;
    buffer->size = wanted;
    return DEM_OK;
}

void demi_buffer_free(demi_context *context, demi_buffer *buffer)
{
    demi_release(context, buffer->data, buffer->size);
    buffer->data = NULL;
    buffer->size = 0;
}

void demi_buffer_exchange(demi_buffer *a, demi_buffer *b)
{
    const demi_buffer first = *a;
    *a = *b;
    *b = first;
}
