/* SPDX-License-Identifier: MIT */
/* A gathered batch of a host's contacts through kinematics and laws, and what may be wrong then. */
#include "contact/call.h"

/* Sums over the lanes whose contacts are counted here: those whose lower id is the host's own. */
static void call_count_owned(demi_history_call *call, uint64_t n)
{
    const demi_lanes *b = call->lanes;
    demi_totals *totals = &call->totals;
    for (uint64_t k = 0; k < n; ++k) {
        if (call->lane[k].row_i >= call->owned_count)
            continue;
        totals->contacts += b->touching[k] != 0.0;
        if (!call->energy_tracking)
            continue;
        totals->elastic += b->elastic_energy[k];
        totals->dissipated_normal += b->dissipated_normal[k];
        totals->dissipated_dashpot += b->dissipated_dashpot[k];
        totals->dissipated_slip += b->dissipated_slip[k];
        totals->dissipated_rolling += b->dissipated_rolling[k];
    }
}

/* Computes the gathered lanes. */
dem_status demi_call_compute(demi_history_call *call, uint64_t n)
{
    dem_contact_history *h = call->history;
    demi_context *context = &h->context;
    call->lane_count = 0;
    demi_lanes_call how = {.model = call->model,
                           .normals =
                               call->geometry != NULL ? DEMI_NORMALS_GIVEN : DEMI_NORMALS_SPHERES,
                           .kinematics = call->in->kinematics,
                           .dt = call->in->dt,
                           .evaluate_only = call->evaluate_only,
                           .overlap_limit = h->overlap_limit,
                           .energy_tracking = call->energy_tracking,
                           .padded = call->kind == DEMI_CALL_KEPT,
                           .apart = call->kind == DEMI_CALL_KEPT && !h->sums.exact};
    demi_totals all = {0}, *totals = call->ends != NULL ? &all : &call->totals;
    demi_fenv_traps(call->host);
    const dem_status status = call->kind == DEMI_CALL_RATE
                                  ? demi_stages_run(h, call->lanes, n, &how, call->place, totals)
                                  : demi_lanes_run_isa(h->models.isa, call->lanes, n, &how, totals);
    (void)demi_fenv_enter_quiet();
    const uint64_t bad = how.lane;
    if (status != DEM_OK && call->quiet)
        return status;
    if (status == DEM_ERROR_OVERLAP)
        return demi_fail(
            context, status,
            "contact of %llu and %llu: overlap %g m exceeds overlap_limit %g times the "
            "smaller radius: place them apart, take a smaller dt or a stiffer model",
            (unsigned long long)demi_lane_key(call, bad)->id_i,
            (unsigned long long)demi_lane_key(call, bad)->id_j, call->lanes->overlap[bad],
            h->overlap_limit);
    char laws[DEMI_MODEL_TEXT];
    if (status == DEM_ERROR_DIVERGED)
        return demi_fail(
            context, status,
            "contact of %llu and %llu: %s gave a force, torque or energy that is not finite, "
            "or beyond %g",
            (unsigned long long)demi_lane_key(call, bad)->id_i,
            (unsigned long long)demi_lane_key(call, bad)->id_j, demi_model_laws(call->model, laws),
            DEMI_FORCE_MOST);
    if (status != DEM_OK)
        return demi_fail(context, status, "law \"%.60s\": %s returned %d (%s)",
                         call->model->laws[how.part].name,
                         call->kind == DEMI_CALL_RATE ? "rate" : "evaluate", (int)how.returned,
                         dem_status_string(how.returned));
    if (call->ends != NULL)
        call_count_owned(call, n);
    return DEM_OK;
}
