/* SPDX-License-Identifier: MIT */
/* Exact sums of a call: results within the ranges become integers in rows of the history's own, and
 * these become forces of the host. */
#include "base/check.h"
#include "contact/call.h"
#include "contact/input.h"

#include <string.h>

dem_status demi_exact_check(const demi_history_call *call, uint64_t n)
{
    dem_contact_history *h = call->history;
    if (!h->sums.exact)
        return DEM_OK;
    const demi_history_result *results = h->results.data + (call->result_count - n);
    for (uint64_t k = 0; k < n; ++k) {
        const demi_history_result *r = &results[k];
        const int force = !demi_within3(r->force, h->sums.force.most);
        if (!force && demi_within3(r->torque_i, h->sums.torque.most) &&
            demi_within3(r->torque_j, h->sums.torque.most))
            continue;
        const double *term = force                                            ? r->force
                             : demi_within3(r->torque_i, h->sums.torque.most) ? r->torque_j
                                                                              : r->torque_i;
        return demi_fail(
            &h->context, DEM_ERROR_RANGE,
            "contact of %llu and %llu: %s (%g, %g, %g) exceeds the range %g of exact sums: set a "
            "larger dem_contact_history_config.%s, in all processes",
            (unsigned long long)demi_lane_key(call, k)->id_i,
            (unsigned long long)demi_lane_key(call, k)->id_j, force ? "force" : "torque", term[0],
            term[1], term[2], force ? h->sums.force.most : h->sums.torque.most,
            force ? "force_range" : "torque_range");
    }
    return DEM_OK;
}

void demi_exact_result(demi_history_call *call, uint64_t k, uint32_t row_i, uint32_t row_j)
{
    const demi_lanes *b = call->lanes;
    demi_history_result *result = call->history->results.data + call->result_count++;
    result->row_i = row_i;
    result->row_j = row_j;
    for (int c = 0; c < 3; ++c) {
        result->force[c] = b->force[c][k];
        result->torque_i[c] = b->torque_i[c][k];
        result->torque_j[c] = b->torque_j[c][k];
    }
}

void demi_exact_add_forces(const demi_history_call *call)
{
    const demi_sums *sums = &call->history->sums;
    const demi_history_result *results = call->history->results.read;
    demi_sums_row *rows = sums->row.data;
    memset(rows, 0, (size_t)call->owned_count * sizeof *rows);
    for (uint64_t k = 0; k < call->result_count; ++k) {
        const demi_history_result *r = &results[k];
        if (r->row_i < call->owned_count)
            demi_sums_add(sums, &rows[r->row_i], 1.0, r->force, r->torque_i);
        if (r->row_j < call->owned_count)
            demi_sums_add(sums, &rows[r->row_j], -1.0, r->force, r->torque_j);
    }
    for (uint32_t row = 0; row < call->owned_count; ++row) {
        if (!demi_sums_any(&rows[row]))
            continue;
        if (call->in->sums != NULL) {
            demi_sums_to_host(&rows[row], call->in->sums + (uint64_t)row * DEM_SUMS_SIZE);
            continue;
        }
        double *torque = call->in->torque;
        if (torque != NULL)
            torque = demi_row3_out(torque, call->stride[6], row);
        demi_sums_values(sums, &rows[row], demi_row3_out(call->in->force, call->stride[5], row),
                         torque);
    }
}
