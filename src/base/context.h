/* SPDX-License-Identifier: MIT */
/* What every opaque object carries: the host's hooks, the memory it holds, its last message. */
#ifndef DEMI_CONTEXT_H
#define DEMI_CONTEXT_H

#include <dem/base.h>

#include <stdatomic.h>

typedef struct demi_context {
    dem_allocator allocator;
    dem_log log;
    uint64_t bytes;
    char message[512];
    atomic_int calls;              /* at work, see entry.h */
    atomic_int hook;               /* whether the host's hook in a step runs, see entry.h */
    int halfway;                   /* a step has begun, and is not complete yet */
    uint64_t changes;              /* calls so far that may have changed the object */
    _Atomic(const char *) refused; /* function that was called meanwhile, or NULL */
} demi_context;

#if defined(__GNUC__)
#define DEMI_FORMAT(a, b) __attribute__((format(printf, a, b)))
#else
#define DEMI_FORMAT(a, b)
#endif

/* Takes the hooks of a config; an allocator with no functions is the C library's. */
dem_status demi_context_init(demi_context *context, const dem_allocator *allocator,
                             const dem_log *log);

/* 64-byte aligned memory, or NULL without a message. */
void *demi_allocate(demi_context *context, uint64_t size);
void demi_release(demi_context *context, void *pointer, uint64_t size);

/* Keeps the message and logs it. */
void demi_context_error(demi_context *context, const char *format, ...) DEMI_FORMAT(2, 3);
/* The same with the status as its value, so that compilers see which one is returned. */
#define demi_fail(context, status, ...) (demi_context_error(context, __VA_ARGS__), (status))
/* The same without a line in the log, for an end that hosts look for. */
void demi_context_text(demi_context *context, const char *format, ...) DEMI_FORMAT(2, 3);
#define demi_ended(context, status, ...) (demi_context_text(context, __VA_ARGS__), (status))
dem_status demi_fail_memory(demi_context *context, const char *what, uint64_t size);
void demi_log(demi_context *context, int32_t level, const char *format, ...) DEMI_FORMAT(3, 4);
void demi_error_write(dem_error *error, dem_status status, const char *format, ...)
    DEMI_FORMAT(3, 4);

/* Where a `dem_error *error` is at hand: on the condition, fills it in and returns the status. */
#define DEMI_REFUSE(condition, status, ...)                                                        \
    do {                                                                                           \
        if (condition) {                                                                           \
            demi_error_write(error, status, __VA_ARGS__);                                          \
            return status;                                                                         \
        }                                                                                          \
    } while (0)

/* A block of memory that grows. Zero-initialised is empty. */
typedef struct demi_buffer {
    void *data;
    uint64_t size; /* bytes allocated */
} demi_buffer;

/* Makes room for `size` bytes. With keep = 0 the old content may be lost. On failure the buffer
 * is as it was. */
dem_status demi_buffer_reserve(demi_context *context, demi_buffer *buffer, uint64_t size, int keep,
                               const char *what);
/* The same for what was given some more room already: grows by hardly more than it must. */
dem_status demi_buffer_reserve_closely(demi_context *context, demi_buffer *buffer, uint64_t size,
                                       int keep, const char *what);
/* Frees what is there beyond `size` bytes. On failure the buffer is as it was. */
dem_status demi_buffer_shrink(demi_context *context, demi_buffer *buffer, uint64_t size,
                              const char *what);
void demi_buffer_free(demi_context *context, demi_buffer *buffer);
void demi_buffer_exchange(demi_buffer *a, demi_buffer *b);

/* A buffer of things of one type: to write, and for reading. */
#define DEMI_ARRAY(type)                                                                           \
    union {                                                                                        \
        type *data;                                                                                \
        type const *read;                                                                          \
        demi_buffer buffer;                                                                        \
    }

#define demi_array_reserve(context, array, count, keep, what)                                      \
    demi_buffer_reserve(context, &(array)->buffer, (count) * sizeof *(array)->data, keep, what)
#define demi_array_free(context, array) demi_buffer_free(context, &(array)->buffer)
/* How many there is room for. */
#define demi_array_room(array) ((array)->buffer.size / sizeof *(array)->data)

#endif
