/* SPDX-License-Identifier: MIT */
/**
 * @file base.h
 * What every other header needs: version, status codes, and the hooks through
 * which a host lends libdem its memory, its log and its threads.
 *
 * Units: the library knows no unit. Use SI, or any other consistent set; the
 * comments name SI units to show dimensions.
 *
 * Thread-safety: libdem keeps no global state. Two objects may be used from two
 * threads at once without a lock. One object is used by one thread at a time,
 * unless a function says otherwise.
 */
#ifndef DEM_BASE_H
#define DEM_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Marks a function that the shared library exports. */
#if defined(DEM_SINGLE_FILE_STATIC)
#define DEM_API static
#elif defined(__GNUC__)
#define DEM_API __attribute__((visibility("default")))
#else
#define DEM_API
#endif

/** Version of these headers, major part: changes when the ABI breaks. */
#define DEM_VERSION_MAJOR 0
/** Version of these headers, minor part: changes when symbols are added. */
#define DEM_VERSION_MINOR 1
/** Version of these headers, patch part. */
#define DEM_VERSION_PATCH 0
/** The version as one number: major * 1000000 + minor * 1000 + patch. */
#define DEM_VERSION \
    ((uint32_t)(DEM_VERSION_MAJOR * 1000000 + DEM_VERSION_MINOR * 1000 + DEM_VERSION_PATCH))

/** What a function returns: DEM_OK or one of the DEM_ERROR_ values. */
typedef int32_t dem_status;

/** The values of a dem_status. They never change their meaning. */
enum {
    DEM_OK = 0,                /**< done */
    DEM_ERROR_ARGUMENT = 1,    /**< a pointer is NULL or arguments contradict each other */
    DEM_ERROR_RANGE = 2,       /**< a number is NaN, infinite or outside its range */
    DEM_ERROR_STRUCT_SIZE = 3, /**< struct_size is below the first release's, or an unknown tail is
                                    not zero */
    DEM_ERROR_MEMORY = 4,      /**< the allocator returned NULL */
    DEM_ERROR_HANDLE = 5,      /**< a handle is stale or never existed */
    DEM_ERROR_UNKNOWN = 6,     /**< an enum value, a law's name or a field is not known */
    DEM_ERROR_DUPLICATE = 7,   /**< an id or a name is taken already */
    DEM_ERROR_STATE = 8,       /**< the object is not in a state that allows this call */
    DEM_ERROR_DIVERGED = 9,    /**< a position, velocity or force stopped being finite */
    DEM_ERROR_OVERLAP = 10,    /**< two bodies overlap by more than the stated fraction */
    DEM_ERROR_CALLBACK = 11,   /**< a callback of the host reported an error */
    DEM_ERROR_FILE = 12,       /**< a file could not be read or written */
    DEM_ERROR_FORMAT = 13      /**< data are damaged, or not in a format that is known */
};

/** A short English text for a status; never NULL, static storage, any thread.
 * @param status any value; unknown ones give "unknown status" */
DEM_API const char *dem_status_string(dem_status status);

/** Version of the library that is running, as DEM_VERSION is of the headers; any thread. */
DEM_API uint32_t dem_version(void);

/** A caller's buffer for the message of a failed create. Its size is frozen: 256 bytes. */
typedef struct dem_error {
    dem_status status; /**< the status that the call returned */
    char message[252]; /**< names object, field, value and limit; ends with a zero byte */
} dem_error;

/** The host's memory. All members NULL: the C library's. Frozen layout.
 *
 * Called only by the thread that calls into the object, never by the tasks of an executor. */
typedef struct dem_allocator {
    void *user; /**< passed to both functions */
    /** Returns `size` (> 0) bytes aligned to `alignment` (a power of two, at most 64), or NULL. */
    void *(*allocate)(void *user, uint64_t size, uint64_t alignment);
    /** Gives back what allocate returned, with the size that was asked for; never NULL. */
    void (*release)(void *user, void *pointer, uint64_t size);
} dem_allocator;

/** How urgent a log message is. */
enum {
    DEM_LOG_INFO = 1,    /**< what happens in ordinary work, such as a rebuild of the search */
    DEM_LOG_WARNING = 2, /**< the result may not be what was meant */
    DEM_LOG_ERROR = 3    /**< the text of an error that is also returned */
};

/** Where messages go. `message` NULL: nowhere. libdem itself never prints. Frozen layout. */
typedef struct dem_log {
    void *user; /**< passed to message */
    /** Receives one line without a newline. It must not call into the object that it comes from. */
    void (*message)(void *user, int32_t level, const char *text);
} dem_log;

/** The host's threads. `run` NULL: the calling thread does all work. Frozen layout.
 *
 * Results have the same bits for every executor: work is cut by geometry, not by threads. */
typedef struct dem_executor {
    void *user; /**< passed to run */
    /** Calls task(argument, k) once for every k in [0, count), on any threads in any order, and
     * returns when all calls have returned. */
    void (*run)(void *user, void (*task)(void *argument, uint64_t k), void *argument,
                uint64_t count);
} dem_executor;

/** Instruction sets for which batches of contacts are compiled. Where machine or build lack
 * one, asking for it is an error. */
enum {
    DEM_ISA_AUTO = 0,     /**< the widest that the machine has */
    DEM_ISA_BASELINE = 1, /**< what the compiler assumes; exists everywhere */
    DEM_ISA_AVX2 = 2,     /**< x86-64 with AVX2 */
    DEM_ISA_AVX512 = 3    /**< x86-64 with AVX-512 F, DQ, BW, VL */
};

#ifdef __cplusplus
}
#endif
#endif
