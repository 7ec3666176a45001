/* SPDX-License-Identifier: MIT */
/* dem_contacts_evaluate: from a host's arrays to forces and the next generation of records. */
#include "base/entry.h"
#include "base/sized.h"
#include "contact/call.h"
#include "contact/input.h"

#include <string.h>

/* Whether a call goes over the kept list. */
static int call_of_list(int kind)
{
    return kind == DEMI_CALL_KEPT || kind == DEMI_CALL_GIVEN;
}

/* Whether a call adds forces to those of the host. */
static int call_adds_forces(int kind)
{
    return kind != DEMI_CALL_OPEN && kind != DEMI_CALL_KEEP;
}

/* One pair of the host's list. */
static dem_status call_pair(demi_history_call *call, uint64_t p)
{
    const dem_contact_history *h = call->history;
    demi_pair_identity of;
    demi_pair_past past = {NULL, NULL, UINT64_MAX};
    dem_status status = demi_call_identify(call, p, &of);
    if (status == DEM_OK)
        status = demi_call_before(call, &of, &past.record);
    if (status != DEM_OK || of.record.model == NULL)
        return status;
    if (past.record != NULL) {
        const demi_records *from = call->kind == DEMI_CALL_RATE ? &h->next : &h->current;
        past.state = from->state.read + past.record->state_begin;
        past.index = (uint64_t)(past.record - from->record.read);
    }
    return demi_call_pair(call, p, &of, &past);
}

/* Forces on the rows that are no ghosts; `ghosts` is known to the compiler. */
static DEMI_INLINE void call_add_forces_of(const demi_history_call *call, int ghosts)
{
    const demi_history_result *results = call->history->results.data;
    for (uint64_t k = 0; k < call->result_count; ++k) {
        const demi_history_result *r = &results[k];
        if (!ghosts || r->row_i < call->owned_count)
            demi_call_add_end(call, r->row_i, 1.0, r->force, r->torque_i);
        if (!ghosts || r->row_j < call->owned_count)
            demi_call_add_end(call, r->row_j, -1.0, r->force, r->torque_j);
    }
}

static void call_add_forces(const demi_history_call *call)
{
    if (call->history->sums.exact)
        demi_exact_add_forces(call);
    else if (call->by_pair)
        demi_kept_given_forces(call);
    else if (call->ends != NULL)
        call_add_forces_of(call, 1);
    else
        call_add_forces_of(call, 0);
}

static dem_status call_reserve(demi_history_call *call)
{
    dem_contact_history *h = call->history;
    demi_context *context = &h->context;
    const uint64_t most = call->in->pair_count + h->current.count,
                   marks = call->kind == DEMI_CALL_RATE ? h->next.count : h->current.count;
    const uint64_t widest = demi_models_widest(&h->models);
    dem_status status = demi_pair_count_check(h, call->in);
    if (status == DEM_OK && demi_partial_wanted(call))
        status = demi_partial_reserve(call);
    else if (status == DEM_OK && call->kind != DEMI_CALL_RATE)
        status = demi_records_reset(context, &h->next, most, most * widest);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &h->seen, marks, 0, "contact marks");
    if (status == DEM_OK)
        status =
            demi_array_reserve(context, &h->results, call->in->pair_count, 0, "contact results");
    if (status == DEM_OK && h->sums.exact)
        status = demi_array_reserve(context, &h->sums.row, call->owned_count, 0, "exact sums");
    if (status == DEM_OK && call->in->ghost_count > 0) {
        status = demi_array_reserve(context, &h->ends, most, 0, "ends of contacts");
        call->ends = h->ends.data;
    }
    if (status == DEM_OK && marks > 0)
        memset(h->seen.data, 0, (size_t)marks);
    return status;
}

static dem_status call_run(demi_history_call *call)
{
    if (call->kind == DEMI_CALL_KEPT)
        return demi_kept_run(call);
    if (call->kind == DEMI_CALL_GIVEN)
        return demi_kept_given_run(call);
    dem_status status = call_reserve(call);
    if (status == DEM_OK && call->kind == DEMI_CALL_KEEP)
        return demi_kept_make(call);
    const int ghosts = call->ends != NULL;
    for (uint64_t p = 0; status == DEM_OK && p < call->in->pair_count; ++p)
        if (!ghosts || !demi_pair_of_ghosts(call, p))
            status = call_pair(call, p);
    if (status == DEM_OK)
        status = demi_call_flush(call);
    if (status == DEM_OK && call->kind == DEMI_CALL_RATE)
        demi_stages_absent(call->history);
    else if (status == DEM_OK && call->in->absent == DEM_ABSENT_KEEP && !call->partial)
        status = demi_absent_keep(call);
    else if (status == DEM_OK && call->geometry != NULL && call->energy_tracking && !ghosts &&
             !call->evaluate_only)
        call->totals.dissipated_normal += demi_history_merged(call->history);
    return status;
}

/* Reads and checks the input of a call. */
static dem_status call_input(dem_contact_history *history, const dem_contacts_input *input,
                             int kind, dem_contacts_input *in)
{
    demi_context *context = &history->context;
    if (input == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "input: must not be NULL");
    if (input->struct_size < sizeof *in)
        memset(in, 0, sizeof *in);
    if (demi_sized_read(in, input) != DEM_OK)
        return demi_sized_fail(context, "dem_contacts_input", input->struct_size);
    const int kept = call_of_list(kind);
    if (kind != DEMI_CALL_STEP && !kept) {
        /* at one moment: nothing of what describes a motion over dt is used */
        in->dt = in->velocity_lag = 0.0;
        in->kinematics = DEM_KINEMATICS_SYNCHRONIZED;
        in->acceleration = in->angular_acceleration = NULL;
        in->forces_only = 1;
    }
    dem_status status = DEM_OK;
    if (kept)
        status = demi_kept_input(history, in);
    else
        demi_history_table(history);
    if (status == DEM_OK)
        status = demi_input_check(context, in, call_adds_forces(kind));
    if (status == DEM_OK && in->sums != NULL && !history->sums.exact)
        status = demi_fail(context, DEM_ERROR_STATE,
                           "dem_contacts_input.sums: the history was made without DEM_SUMS_EXACT, "
                           "see dem_contact_history_config.sums");
    if (status == DEM_OK)
        demi_input_accelerations(in);
    return status;
}

/* The contacts that a step gave take the place of those before, which undo brings back. */
static void call_exchange(demi_history_call *call)
{
    dem_contact_history *history = call->history;
    if (call->partial)
        demi_partial_commit(call);
    else
        demi_history_exchange(history);
    history->partial = call->partial;
    history->index_valid = 0;
    history->undoable = 1;
    if (call_of_list(call->kind))
        demi_kept_exchange(&history->kept);
    else
        history->kept.open = 0;
}

static dem_status call_totals(const demi_history_call *call, dem_contact_totals *totals)
{
    const dem_contact_totals out = {
        .struct_size = totals->struct_size,
        .contacts = call->totals.contacts,
        .elastic_energy = call->totals.elastic,
        .dissipated_normal = call->totals.dissipated_normal,
        .dissipated_dashpot = call->totals.dissipated_dashpot,
        .dissipated_slip = call->totals.dissipated_slip,
        .dissipated_rolling = call->totals.dissipated_rolling,
    };
    return demi_sized_write(totals, totals->struct_size, &out);
}

DEMI_GUARDED call_whole(dem_contact_history *history, const dem_contacts_input *input,
                        const dem_contacts_geometry *geometry, int kind, demi_fenv host,
                        dem_contact_totals *totals)
{
    demi_context *context = &history->context;
    history->undoable = 0;
    dem_contacts_input in;
    if (totals != NULL && demi_sized_check_output(totals) != DEM_OK)
        return demi_sized_fail_output(context, "dem_contact_totals", totals->struct_size);
    dem_status status = call_input(history, input, kind, &in);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &history->work, 1, 0, "contact lanes");
    if (status != DEM_OK)
        return status;
    if (kind != DEMI_CALL_RATE)
        history->stages_open = 0; /* `next` is made anew */

    demi_history_work *work = history->work.data;
    work->lanes.state = work->state;
    demi_history_call call = {.history = history,
                              .in = &in,
                              .geometry = geometry,
                              .kind = kind,
                              .evaluate_only = in.dt == 0.0,
                              .host = host,
                              .owned_count = in.particle_count - in.ghost_count,
                              .lane = work->lane,
                              .place = work->place,
                              .lanes = &work->lanes,
                              .energy_tracking = totals != NULL};
    demi_input_strides(&in, call.stride);

    status = call_run(&call);
    if (status != DEM_OK)
        return status;
    if (kind == DEMI_CALL_KEPT)
        demi_kept_add_forces(&call);
    else if (call_adds_forces(kind))
        call_add_forces(&call);
    if (!in.forces_only)
        call_exchange(&call);
    return totals != NULL ? call_totals(&call, totals) : DEM_OK;
}

dem_status demi_contacts_call(dem_contact_history *history, const dem_contacts_input *input,
                              const dem_contacts_geometry *geometry, int kind,
                              dem_contact_totals *totals)
{
    const demi_fenv host = demi_fenv_enter_quiet();
    const dem_status status = call_whole(history, input, geometry, kind, host, totals);
    demi_fenv_leave(host);
    return status;
}

dem_status dem_contacts_evaluate(dem_contact_history *history, const dem_contacts_input *input,
                                 dem_contact_totals *totals)
{
    DEMI_STEP(history, demi_contacts_call(history, input, NULL, DEMI_CALL_STEP, totals));
}

dem_status dem_contacts_list_begin(dem_contact_history *history, const dem_contacts_input *input)
{
    DEMI_STEP(history, demi_contacts_call(history, input, NULL, DEMI_CALL_KEEP, NULL));
}

dem_status dem_contacts_list_evaluate(dem_contact_history *history, const dem_contacts_input *input,
                                      dem_contact_totals *totals)
{
    DEMI_STEP(history, demi_contacts_call(history, input, NULL, DEMI_CALL_KEPT, totals));
}

/* kind: DEMI_CALL_STEP or _GIVEN */
DEMI_GUARDED evaluate_geometry(dem_contact_history *history, const dem_contacts_input *input,
                               const dem_contacts_geometry *geometry, int kind,
                               dem_contact_totals *totals)
{
    demi_context *context = &history->context;
    history->undoable = 0;
    if (geometry == NULL || input == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                         geometry == NULL ? "geometry" : "input");
    dem_contacts_geometry g = {0};
    if (demi_sized_read(&g, geometry) != DEM_OK)
        return demi_sized_fail(context, "dem_contacts_geometry", geometry->struct_size);
    const demi_kept *kept = &history->kept;
    const uint64_t pairs = kind == DEMI_CALL_STEP ? input->pair_count
                           : kept->open           ? kept->count
                                                  : 0;
    if (pairs > 0 && (g.overlap == NULL || g.normal == NULL || g.point == NULL))
        return demi_fail(context, DEM_ERROR_ARGUMENT, "dem_contacts_geometry.%s: must not be NULL",
                         g.overlap == NULL  ? "overlap"
                         : g.normal == NULL ? "normal"
                                            : "point");
    return demi_contacts_call(history, input, &g, kind, totals);
}

dem_status dem_contacts_evaluate_geometry(dem_contact_history *history,
                                          const dem_contacts_input *input,
                                          const dem_contacts_geometry *geometry,
                                          dem_contact_totals *totals)
{
    DEMI_STEP(history, evaluate_geometry(history, input, geometry, DEMI_CALL_STEP, totals));
}

dem_status dem_contacts_list_evaluate_geometry(dem_contact_history *history,
                                               const dem_contacts_input *input,
                                               const dem_contacts_geometry *geometry,
                                               dem_contact_totals *totals)
{
    DEMI_STEP(history, evaluate_geometry(history, input, geometry, DEMI_CALL_GIVEN, totals));
}
