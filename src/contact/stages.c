/* SPDX-License-Identifier: MIT */
/* Contacts as part of a system of ordinary differential equations: forces and rates of the history
 * at one moment, for schemes of stages. The contacts of a step are fixed at its start. */
#include "base/entry.h"
#include "base/check.h"
#include "base/sized.h"
#include "contact/history.h"

#include <string.h>

static dem_status stages_refuse(dem_contact_history *history)
{
    return demi_fail(&history->context, DEM_ERROR_STATE,
                     "dem_contacts_stage_begin: it was not called, or the history changed after "
                     "it: call it again");
}

DEMI_GUARDED guarded_contacts_stage_begin(dem_contact_history *history,
                                          const dem_contacts_input *input,
                                          dem_contacts_stage *stage)
{
    demi_context *context = &history->context;
    history->undoable = 0;
    if (stage == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "stage: must not be NULL");
    if (demi_sized_check_output(stage) != DEM_OK)
        return demi_sized_fail_output(context, "dem_contacts_stage", stage->struct_size);
    dem_status status = demi_contacts_call(history, input, NULL, DEMI_CALL_OPEN, NULL);
    const uint64_t count = history->next.state_count, bytes = count * sizeof(double);
    demi_buffer *const buffers[] = {&history->stages_base.buffer, &history->stages_rate.buffer,
                                    &history->stages_jump.buffer};
    for (int k = 0; k < 3 && status == DEM_OK; ++k)
        status = demi_buffer_reserve(context, buffers[k], bytes, 0, "stages of contacts");
    if (status == DEM_OK)
        status = demi_array_reserve(context, &history->stages_work, 1, 0, "stages of contacts");
    if (status != DEM_OK)
        return status;
    if (count > 0) {
        memcpy(history->stages_base.data, history->next.state.data, (size_t)bytes);
        memset(history->stages_rate.data, 0, (size_t)bytes);
        memset(history->stages_jump.data, 0, (size_t)bytes);
    }
    history->stages_open = 1;
    const dem_contacts_stage out = {.struct_size = stage->struct_size,
                                    .count = count,
                                    .state = history->next.state.data,
                                    .rate = history->stages_rate.data,
                                    .jump = history->stages_jump.data};
    return demi_sized_write(stage, stage->struct_size, &out);
}

dem_status dem_contacts_stage_begin(dem_contact_history *history, const dem_contacts_input *input,
                                    dem_contacts_stage *stage)
{
    DEMI_STEP(history, guarded_contacts_stage_begin(history, input, stage));
}

static dem_status stages_finite(dem_contact_history *history)
{
    const double *state = history->next.state.data;
    for (uint64_t k = 0; k < history->next.state_count; ++k)
        if (!isfinite(state[k]))
            return demi_fail(&history->context, DEM_ERROR_DIVERGED,
                             "dem_contacts_stage.state[%llu]: is not finite",
                             (unsigned long long)k);
    return DEM_OK;
}

DEMI_GUARDED guarded_contacts_stage_rate(dem_contact_history *history,
                                         const dem_contacts_input *input,
                                         dem_contact_totals *totals)
{
    history->undoable = 0;
    if (!history->stages_open)
        return stages_refuse(history);
    const dem_status status = stages_finite(history);
    return status != DEM_OK ? status
                            : demi_contacts_call(history, input, NULL, DEMI_CALL_RATE, totals);
}

dem_status dem_contacts_stage_rate(dem_contact_history *history, const dem_contacts_input *input,
                                   dem_contact_totals *totals)
{
    DEMI_STEP(history, guarded_contacts_stage_rate(history, input, totals));
}

DEMI_GUARDED guarded_contacts_stage_end(dem_contact_history *history)
{
    history->undoable = 0;
    if (!history->stages_open)
        return stages_refuse(history);
    const dem_status status = stages_finite(history);
    if (status != DEM_OK)
        return status;
    demi_history_exchange(history);
    demi_history_changed(history);
    history->undoable = 1;
    return DEM_OK;
}

dem_status dem_contacts_stage_end(dem_contact_history *history)
{
    DEMI_STEP(history, guarded_contacts_stage_end(history));
}
