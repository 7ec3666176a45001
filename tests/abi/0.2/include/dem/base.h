/* SPDX-License-Identifier: MIT */
/**
 * @file base.h
 * What every other header needs: version, status codes, and the hooks through which you lend libdem
 * your memory, your log and your threads.
 *
 * Units: use SI or any other consistent set. The comments name SI units to show the dimensions.
 *
 * Structs that you fill begin with struct_size; call their `dem_..._init` first. Fields named
 * `reserved` must be zero: another value is refused with DEM_ERROR_UNKNOWN, because a later release
 * may give it a meaning. In structs that the library fills they are zero.
 *
 * Threads: libdem keeps no global state. Two threads may use two objects at once without a lock.
 * Use one object from one thread at a time, unless a function says otherwise.
 *
 * Callbacks (a law, an executor, an allocator, a log, contact_begin, contact_end) may not use the
 * object that calls them. All calls on it, from any thread, are refused with DEM_ERROR_STATE and
 * change nothing. A callback may only read its error text, a world's time and the number of
 * contacts of a history, and ask whether a view is stale. A law that is called because you read a
 * contact may read contacts, too. dem_world_config.before_forces may make some calls more, see
 * coupling.h. When the outer call ends, the log gets a line about the refused call.
 *
 * Stack: a call takes at most 64 kB of the stack of its thread, and so does a task, where the
 * library was compiled with optimization (without it, twice as much). Your callbacks take theirs on
 * top. A law that reads contacts while a contact is read takes 128 kB more.
 *
 * Floating-point mode: the library rounds to nearest, without flush to zero, whatever the calling
 * thread has set, and restores your mode. Your traps stay on while laws compute and while an
 * integrator or a step moves bodies. They are off where input is checked and set, so that a value
 * out of range is an error and not a signal. Kernels, which are inline, run in your mode.
 *
 * Messages are in English. The C library writes the numbers in them, with the decimal sign of your
 * locale; glibc on x86 rounds them as the x87 unit of the thread is set. Do not parse them.
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

/** Version of these headers, major part: from 1.0 on, it changes when the ABI breaks. */
#define DEM_VERSION_MAJOR 0
/** Version of these headers, minor part: changes when symbols are added; before 1.0, also when the
 * ABI breaks, and then the soname changes with it. */
#define DEM_VERSION_MINOR 2
/** Version of these headers, patch part. */
#define DEM_VERSION_PATCH 0
/** The version as one number: major * 1000000 + minor * 1000 + patch. */
#define DEM_VERSION                                                                                \
    ((uint32_t)(DEM_VERSION_MAJOR * 1000000 + DEM_VERSION_MINOR * 1000 + DEM_VERSION_PATCH))

/** What a function returns: DEM_OK or one of the DEM_ERROR_ values. */
typedef int32_t dem_status;

/** The values of a dem_status. They never change their meaning. */
enum {
    DEM_OK = 0,                /**< done */
    DEM_ERROR_ARGUMENT = 1,    /**< a pointer is NULL or arguments contradict each other */
    DEM_ERROR_RANGE = 2,       /**< a number is NaN, infinite or outside its range */
    DEM_ERROR_STRUCT_SIZE = 3, /**< struct_size is below the first release's or above 65536, or an
                                    unknown tail is not zero */
    DEM_ERROR_MEMORY = 4,      /**< the allocator returned NULL */
    DEM_ERROR_HANDLE = 5,      /**< a handle is stale or never existed */
    DEM_ERROR_UNKNOWN = 6,     /**< an enum value, a law's name or a field is not known */
    DEM_ERROR_DUPLICATE = 7,   /**< an id or a name is in use */
    DEM_ERROR_STATE = 8,       /**< the object is not in a state that allows this call */
    DEM_ERROR_DIVERGED = 9,    /**< a position, velocity or force stopped being finite, or is
                                    beyond 1e150 */
    DEM_ERROR_OVERLAP = 10,    /**< two bodies overlap by more than is allowed, or a sphere does
                                    not fit into the wall around it */
    DEM_ERROR_CALLBACK = 11,   /**< one of your callbacks reported an error */
    DEM_ERROR_FILE = 12,       /**< a file could not be read or written */
    DEM_ERROR_FORMAT = 13      /**< data are damaged, or of an unknown format */
};

/** A short English text for a status; never NULL, static storage, any thread.
 * @param status any value; unknown ones give "unknown status" */
DEM_API const char *dem_status_string(dem_status status);

/** Version of the library that runs; DEM_VERSION is that of the headers. Call it on any thread. */
DEM_API uint32_t dem_version(void);

/** Your buffer for the message of a failed create. Its size is frozen: 256 bytes. */
typedef struct dem_error {
    dem_status status; /**< the status that the call returned */
    char message[252]; /**< names object, field, value and limit; ends with a zero byte */
} dem_error;

/** Your memory. All members NULL: that of the C library. Frozen layout.
 *
 * Called only by the thread that calls into the object, never by the tasks of an executor. */
typedef struct dem_allocator {
    void *user; /**< passed to both functions */
    /** Returns `size` (> 0) bytes aligned to `alignment` (a power of two, at most 64), or NULL. */
    void *(*allocate)(void *user, uint64_t size, uint64_t alignment);
    /** Frees what allocate returned, with the size of that call; never NULL. */
    void (*release)(void *user, void *pointer, uint64_t size);
} dem_allocator;

/** How urgent a log message is. */
enum {
    DEM_LOG_DEBUG = 0,   /**< frequent events of normal work: a rebuild of the list */
    DEM_LOG_INFO = 1,    /**< rare events that you may want to know; none so far */
    DEM_LOG_WARNING = 2, /**< the result may not be what you meant; once each, with the remedy */
    DEM_LOG_ERROR = 3    /**< the text of an error that is also returned */
};

/** Where messages go. `message` NULL: nowhere. libdem never prints, so set it in the configuration
 * of a world, a contact history or a search to see the warnings. Frozen layout.
 *
 *     static void say(void *user, int32_t level, const char *text)
 *     {
 *         if (level >= DEM_LOG_WARNING)
 *             fprintf(user, "%s\n", text);
 *     }
 *     ...
 *     config.log.user = stderr;
 *     config.log.message = say;
 *
 * A world warns of a step that is coarse for its contacts, of laws of yours without limits, of
 * walls that face away from all particles or stand across a periodic axis, of a particle whose
 * speed has the list built in nearly every step, of films that are wider than their formulas hold,
 * and of overlaps that show too soft a model. It looks at overlaps where a call of dem_step,
 * dem_world_advance or dem_step_end ends, 100 steps after the last look at the earliest: deep ones
 * in between may pass unseen. */
typedef struct dem_log {
    void *user; /**< passed to message */
    /** Receives one line without a newline. Calls on the object that it comes from are refused. */
    void (*message)(void *user, int32_t level, const char *text);
} dem_log;

/** Your threads. `run` NULL: the calling thread does all work. Frozen layout.
 *
 * Results have the same bits for every executor, because geometry, not threads, divides the work.
 */
typedef struct dem_executor {
    void *user; /**< passed to run */
    /** Calls task(argument, k) once for every k in [0, count), on any threads in any order, and
     * returns when all calls have returned. */
    void (*run)(void *user, void (*task)(void *argument, uint64_t k), void *argument,
                uint64_t count);
} dem_executor;

/** Instruction sets for which vector code is compiled. A set that the machine or the build lacks is
 * refused. */
enum {
    DEM_ISA_AUTO = 0,     /**< the widest that the machine has */
    DEM_ISA_BASELINE = 1, /**< what the compiler assumes; exists everywhere */
    DEM_ISA_AVX2 = 2,     /**< x86-64 with AVX2 */
    DEM_ISA_AVX512 = 3,   /**< x86-64 with AVX-512 F, DQ, BW, VL */
    DEM_ISA_X86_64_V2 = 4 /**< x86-64 with SSE 4.2 and what it includes */
};

#ifdef __cplusplus
}
#endif
#endif
