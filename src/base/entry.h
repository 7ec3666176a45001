/* SPDX-License-Identifier: MIT */
/* How calls of the host come into an object: under the library's floating-point mode, and not from
 * a callback that the same object has called.
 *
 * While a call is at work, a law, an executor, an allocator or a log of the host may call back,
 * from any thread. What would change the object is refused then, without a write that another
 * thread could see. Calls that only read may be there side by side. */
#ifndef DEMI_ENTRY_H
#define DEMI_ENTRY_H

#include "base/context.h"
#include "base/fenv.h"

/* Set in demi_context.calls while a call is at work that changes the object; below it calls that
 * read are counted. */
enum { DEMI_ENTRY_CHANGES = 1 << 30 };

/* What a call does to the object: it reads, sets, or goes on with a step that has begun. */
enum { DEMI_ENTRY_READS = 0, DEMI_ENTRY_SETS = 1, DEMI_ENTRY_GOES_ON = 2 };

/* Whether a call is at work that changes the object. */
static inline int demi_changing(const demi_context *context)
{
    return (atomic_load(&context->calls) & DEMI_ENTRY_CHANGES) != 0;
}

/* The host's hook in a step may make a few calls, one after the other, that others are refused. */
enum { DEMI_HOOK_NONE = 0, DEMI_HOOK_OPEN = 1, DEMI_HOOK_CALLED = 2 };
void demi_hook_open(demi_context *context, int open);
/* Whether such a call comes from the hook; then demi_hook_leave ends it. */
int demi_hook_enter(demi_context *context);
dem_status demi_hook_leave(demi_context *context, dem_status status);

/* Whether the hook runs. */
static inline int demi_hook_runs(const demi_context *context)
{
    return atomic_load(&context->hook) != DEMI_HOOK_NONE;
}

/* 0 where another call is at work; `function` must be of static storage. */
int demi_enter(demi_context *context, int changes, const char *function);
/* Tells the host what was refused meanwhile; returns the status. */
dem_status demi_leave(demi_context *context, int changes, dem_status status);
/* The text of dem_..._error. */
const char *demi_context_message(const demi_context *context);

/* What runs under the guard: not inlined, since the compiler could move arithmetic out of it. */
#if defined(__GNUC__)
#define DEMI_GUARDED static __attribute__((noinline)) dem_status
#else
#define DEMI_GUARDED static dem_status
#endif

/* Refuses a function between the halves of a step. */
dem_status demi_halfway_refuse(demi_context *context, const char *function);

#define DEMI_CALL(object, changes, fenv_enter, call)                                               \
    do {                                                                                           \
        if ((object) == NULL)                                                                      \
            return DEM_ERROR_ARGUMENT;                                                             \
        if (!demi_enter((object)->self, changes, __func__))                                        \
            return DEM_ERROR_STATE;                                                                \
        const demi_fenv saved_ = fenv_enter();                                                     \
        const dem_status status_ = (changes) == DEMI_ENTRY_SETS && (object)->self->halfway         \
                                       ? demi_halfway_refuse((object)->self, __func__)             \
                                       : (call);                                                   \
        demi_fenv_leave(saved_);                                                                   \
        return demi_leave((object)->self, changes, status_);                                       \
    } while (0)

/* The whole of a public function that reads, that sets, or that steps the object. */
#define DEMI_READ(object, call) DEMI_CALL(object, DEMI_ENTRY_READS, demi_fenv_enter_quiet, call)
#define DEMI_SET(object, call) DEMI_CALL(object, DEMI_ENTRY_SETS, demi_fenv_enter_quiet, call)
#define DEMI_STEP(object, call) DEMI_CALL(object, DEMI_ENTRY_SETS, demi_fenv_enter, call)

/* The same for what goes on with a step that has begun. */
#define DEMI_SET_HALFWAY(object, call)                                                             \
    DEMI_CALL(object, DEMI_ENTRY_GOES_ON, demi_fenv_enter_quiet, call)
#define DEMI_STEP_HALFWAY(object, call) DEMI_CALL(object, DEMI_ENTRY_GOES_ON, demi_fenv_enter, call)

/* The same for a function that the host's hook in a step may call, too. */
#define DEMI_SET_OR_HOOK(object, call)                                                             \
    do {                                                                                           \
        if ((object) != NULL && demi_hook_enter((object)->self))                                   \
            return demi_hook_leave((object)->self, (call));                                        \
        DEMI_SET(object, call);                                                                    \
    } while (0)

/* The same where there is no object yet, or none at all. */
#define DEMI_QUIET(call)                                                                           \
    do {                                                                                           \
        const demi_fenv saved_ = demi_fenv_enter_quiet();                                          \
        const dem_status status_ = (call);                                                         \
        demi_fenv_leave(saved_);                                                                   \
        return status_;                                                                            \
    } while (0)

#endif
