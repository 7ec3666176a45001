/* SPDX-License-Identifier: MIT */
#include "base/entry.h"

int demi_enter(demi_context *context, int changes, const char *function)
{
    int idle = 0;
    if (changes) {
        if (atomic_compare_exchange_strong(&context->calls, &idle, DEMI_ENTRY_CHANGES)) {
            ++context->changes;
            return 1;
        }
    } else {
        if ((atomic_fetch_add(&context->calls, 1) & DEMI_ENTRY_CHANGES) == 0)
            return 1;
        atomic_fetch_sub(&context->calls, 1);
    }
    atomic_store(&context->refused, function);
    return 0;
}

/* Logs a refusal. It becomes the message unless there is one of a call that failed after it. */
static void refusal_tell(demi_context *context, const char *refused, int is_last)
{
    static const char text[] =
        "%s: refused, because a callback of the object made it while another "
        "call was running: make it after that call returns";
    if (is_last)
        demi_context_error(context, text, refused);
    else
        demi_log(context, DEM_LOG_ERROR, text, refused);
}

dem_status demi_leave(demi_context *context, int changes, dem_status status)
{
    /* a look first: calls that read stay apart in the caches */
    const char *refused = atomic_load(&context->refused);
    if (refused != NULL) {
        refusal_tell(context, refused, status == DEM_OK);
        atomic_store(&context->refused, NULL);
    }
    atomic_fetch_sub(&context->calls, changes ? DEMI_ENTRY_CHANGES : 1);
    return status;
}

dem_status demi_halfway_refuse(demi_context *context, const char *function)
{
    return demi_fail(context, DEM_ERROR_STATE,
                     "%s: refused, because a step has begun: call dem_step_end or dem_step_cancel "
                     "first",
                     function);
}

void demi_hook_open(demi_context *context, int open)
{
    atomic_store(&context->hook, open ? DEMI_HOOK_OPEN : DEMI_HOOK_NONE);
}

int demi_hook_enter(demi_context *context)
{
    int open = DEMI_HOOK_OPEN;
    if (!atomic_compare_exchange_strong(&context->hook, &open, DEMI_HOOK_CALLED))
        return 0;
    const char *refused = atomic_exchange(&context->refused, NULL);
    if (refused != NULL) /* the message of this call, if it fails, is of later */
        refusal_tell(context, refused, 1);
    return 1;
}

dem_status demi_hook_leave(demi_context *context, dem_status status)
{
    atomic_store(&context->hook, DEMI_HOOK_OPEN);
    return status;
}

const char *demi_context_message(const demi_context *context)
{
    return atomic_load(&context->refused) == NULL
               ? context->message
               : "refused: a callback of the object made this call while another call was running: "
                 "make it after that call returns (an object stays locked where a callback did not "
                 "return, but threw an exception or jumped)";
}
