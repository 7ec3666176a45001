/* SPDX-License-Identifier: MIT */
/* dem_contacts_evaluate: from a host's arrays to forces and the next generation of records. */
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "contact/call.h"
#include "contact/given.h"
#include "contact/input.h"
#include "contact/motion.h"

#include <float.h>
#include <string.h>

/* Computes the gathered lanes and keeps what they give. */
static dem_status call_flush(demi_history_call *call)
{
    dem_contact_history *h = call->history;
    const uint64_t n = call->lane_count;
    if (n == 0)
        return DEM_OK;
    const dem_status status = demi_call_compute(call, n);
    if (status != DEM_OK)
        return status;
    for (uint64_t k = 0; k < n; ++k) {
        demi_history_lane *lane = &call->lane[k];
        demi_history_result *result = h->results.data + call->result_count++;
        result->row_i = lane->row_i;
        result->row_j = lane->row_j;
        lane->record.overlap = call->lanes->overlap[k];
        lane->record.force_normal = call->lanes->force_normal[k];
        lane->record.elastic = call->energy_tracking ? call->lanes->elastic_energy[k] : 0.0;
        for (int c = 0; c < 3; ++c) {
            result->force[c] = call->lanes->force[c][k];
            result->torque_i[c] = call->lanes->torque_i[c][k];
            result->torque_j[c] = call->lanes->torque_j[c][k];
            lane->record.normal[c] = call->lanes->normal[c][k];
            if (call->geometry == NULL)
                lane->record.point[c] = -call->lanes->arm_i[k] * call->lanes->normal[c][k];
            lane->record.force_tangential[c] = call->lanes->force_tangential[c][k];
        }
        if (call->geometry != NULL)
            demi_result_arms(result, lane);
        if (call->kind == DEMI_CALL_RATE) {
            demi_record *row = h->next.record.data + call->stage_row[k];
            lane->record.state_begin = row->state_begin;
            *row = lane->record;
            continue;
        }
        if (call->lanes->touching[k] == 0.0)
            continue;
        double state[DEM_STATE_MAX];
        for (uint32_t c = 0; c < call->model->state_size; ++c)
            state[c] = call->lanes->state[c][k];
        if (!demi_call_add_record(call, &lane->record, lane->row_i, lane->row_j, state))
            return demi_call_twice(call, &lane->record);
    }
    return demi_exact_check(call, n);
}

/* Three components of a row, or 0 where there is no array. */
static DEMI_INLINE const double *row3_or_none(const double *base, uint64_t stride, uint32_t row)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    return base != NULL ? demi_row3(base, stride, row) : none;
}

/* Motion of a row, with room for what its velocities gain in the input's lag. */
static DEMI_INLINE demi_motion row_motion(const demi_history_call *call, uint32_t row,
                                          double gain[3], double angular_velocity_gain[3])
{
    const dem_contacts_input *in = call->in;
    const uint64_t *stride = call->stride;
    const double *a = row3_or_none(in->acceleration, stride[3], row),
                 *angular_acceleration = row3_or_none(in->angular_acceleration, stride[4], row);
#pragma GCC unroll 3
    for (int c = 0; c < 3; ++c) {
        gain[c] = a[c] * in->velocity_lag;
        angular_velocity_gain[c] = angular_acceleration[c] * in->velocity_lag;
    }
    const double mass = in->mass[row];
    const demi_motion motion = {in->radius[row],
                                mass > 0.0 ? 1.0 / mass : 0.0,
                                demi_row3(in->velocity, stride[1], row),
                                gain,
                                row3_or_none(in->angular_velocity, stride[2], row),
                                angular_velocity_gain};
    return motion;
}

/* Relative motion of the rows i and j of lane k. */
static void call_gather(demi_history_call *call, uint64_t k, const double offset[3])
{
    double gain[2][3], angular_velocity_gain[2][3];
    const demi_motion i = row_motion(call, call->lane[k].row_i, gain[0], angular_velocity_gain[0]),
                      j = row_motion(call, call->lane[k].row_j, gain[1], angular_velocity_gain[1]);
    demi_motion_fill(call->lanes, k, i, j);
    for (int c = 0; c < 3; ++c)
        call->lanes->offset[c][k] = offset[c];
}

/* A contact of a step of stages, with the history it has; without one where it no longer acts. */
static dem_status call_open(demi_history_call *call, const demi_record *record, uint32_t row_i,
                            uint32_t row_j, const demi_record *before, int near)
{
    dem_contact_history *h = call->history;
    demi_context *context = &h->context;
    double state[DEM_STATE_MAX] = {0.0};
    if (before != NULL && record->model->state_size > 0)
        memcpy(state, h->current.state.data + before->state_begin,
               record->model->state_size * sizeof(double));
    if (!near)
        return DEM_OK;
    const dem_status status = demi_stages_model(context, record->model);
    if (status == DEM_OK && !demi_call_add_record(call, record, row_i, row_j, state))
        return demi_call_twice(call, record);
    return status;
}

/* One pair of the host's list: into a lane if it is or was in contact. */
static dem_status call_pair(demi_history_call *call, uint64_t p)
{
    dem_contact_history *h = call->history;
    demi_context *context = &h->context;
    const dem_contacts_input *in = call->in;
    demi_pair_identity of;
    dem_status status = demi_call_identify(call, p, &of);
    if (status != DEM_OK)
        return status;
    const demi_record record = of.record;
    const demi_model *model = record.model;
    const uint32_t i = of.i, j = of.j;
    const int turned = of.turned;
    const demi_record *before;
    status = demi_call_before(call, &record, &before);
    if (status != DEM_OK || model == NULL)
        return status;

    /* the same operations whichever row is listed first, so that the bits are the same */
    const double sign = turned ? -1.0 : 1.0;
    double shift[3] = {0.0, 0.0, 0.0}, offset[3];
    const double *xi = demi_row3(in->position, call->stride[0], i);
    const double *xj = demi_row3(in->position, call->stride[0], j);
    for (int c = 0; c < 3; ++c) {
        if (in->shifts != NULL)
            shift[c] = sign * in->shifts[3 * p + (uint64_t)c];
        offset[c] = xi[c] - xj[c] - shift[c];
    }
    if (!demi_finite3(offset))
        return demi_fail(context, DEM_ERROR_RANGE, "dem_contacts_input.shifts[%llu]: is not finite",
                         (unsigned long long)p);
    double normal[3] = {0.0, 0.0, 0.0}, arm_i[3] = {0.0, 0.0, 0.0}, arm_j[3] = {0.0, 0.0, 0.0};
    if (call->geometry != NULL) {
        status = demi_geometry_check(context, call->geometry, p);
        if (status != DEM_OK)
            return status;
        for (int c = 0; c < 3; ++c) {
            /* the point is where the row is that is listed first */
            const double point = call->geometry->point[3 * p + (uint64_t)c];
            normal[c] = sign * call->geometry->normal[3 * p + (uint64_t)c];
            arm_i[c] = turned ? point - xi[c] + shift[c] : point - xi[c];
            arm_j[c] = turned ? point - xj[c] : point - xj[c] - shift[c];
        }
    }

    /* centres whose distance has no finite inverse are one point, which has no normal */
    if (call->geometry == NULL && demi_dot(offset, offset) < DBL_MIN)
        memset(offset, 0, sizeof offset);
    const double reach = demi_model_reach(model, in->radius[i], in->radius[j]);
    const double touch = in->radius[i] + in->radius[j] + reach;
    const int near = call->geometry != NULL ? call->geometry->overlap[p] > -reach
                                            : demi_dot(offset, offset) < touch * touch;
    if (before == NULL && (!near || call->kind == DEMI_CALL_RATE))
        return DEM_OK;
    if (in->mass[i] == 0.0 && in->mass[j] == 0.0)
        return demi_call_heavy(call, i, j);
    if (call->kind == DEMI_CALL_OPEN)
        return call_open(call, &record, i, j, before, near);
    if (call->lane_count == DEMI_LANES || (call->lane_count > 0 && call->model != model)) {
        status = call_flush(call);
        if (status != DEM_OK)
            return status;
    }
    call->model = model;
    const uint64_t k = call->lane_count++;
    call->lane[k].record = record;
    call->lane[k].row_i = i;
    call->lane[k].row_j = j;
    call_gather(call, k, call->geometry != NULL ? normal : offset);
    const demi_records *from = call->kind == DEMI_CALL_RATE ? &h->next : &h->current;
    call->stage_row[k] = before != NULL ? (uint64_t)(before - from->record.data) : UINT64_MAX;
    call->lanes->was_touching[k] = before != NULL ? 1.0 : 0.0;
    for (uint32_t c = 0; c < model->state_size; ++c)
        call->lanes->state[c][k] = before != NULL ? from->state.data[before->state_begin + c] : 0.0;
    if (call->geometry != NULL) {
        const double radius = in->radius[i] * in->radius[j] / (in->radius[i] + in->radius[j]);
        memcpy(call->lane[k].arm_i, arm_i, sizeof arm_i);
        memcpy(call->lane[k].arm_j, arm_j, sizeof arm_j);
        memcpy(call->lane[k].record.point, arm_i, sizeof arm_i);
        for (int c = 0; c < 3; ++c)
            call->lanes->normal_given[c][k] =
                before != NULL && !call->evaluate_only ? before->normal[c] : normal[c];
        call->lanes->overlap_given[k] = call->geometry->overlap[p];
        call->lanes->radius_given[k] =
            call->geometry->radius != NULL ? call->geometry->radius[p] : radius;
        double arm_i_half[3], arm_j_half[3];
        if (in->kinematics == DEM_KINEMATICS_STANDARD) {
            memcpy(arm_i_half, arm_i, sizeof arm_i);
            memcpy(arm_j_half, arm_j, sizeof arm_j);
        } else {
            demi_half_arms(call->lanes, k, &call->lane[k], call->evaluate_only ? NULL : before,
                           in->dt, arm_i_half, arm_j_half);
        }
        demi_gather_point(call->lanes, k, &call->lane[k], arm_i_half, arm_j_half);
    }
    return DEM_OK;
}

/* Contacts that were not listed, where that does not mean that they ended. */
static dem_status call_keep_absent(demi_history_call *call)
{
    dem_contact_history *h = call->history;
    const demi_record *record = h->current.record.data;
    const unsigned char *seen = h->seen.data;
    for (uint64_t k = 0; k < h->current.count; ++k)
        if (!seen[k])
            demi_records_add(&h->next, &record[k], h->current.state.data + record[k].state_begin);
    return DEM_OK;
}

/* Adds the force and torque of a result to the row of one end; sign: -1 where it is j. */
static DEMI_INLINE void call_add_end(const demi_history_call *call, uint32_t row, double sign,
                                     const double force[3], const double torque[3])
{
    double *f = demi_row3_out(call->in->force, call->stride[5], row);
    for (int c = 0; c < 3; ++c)
        f[c] += sign * force[c];
    if (call->in->torque == NULL)
        return;
    double *t = demi_row3_out(call->in->torque, call->stride[6], row);
    for (int c = 0; c < 3; ++c)
        t[c] += torque[c];
}

/* Forces on the rows that are no ghosts; `ghosts` is known to the compiler. */
static DEMI_INLINE void call_add_forces_of(const demi_history_call *call, int ghosts)
{
    const demi_history_result *results = call->history->results.data;
    for (uint64_t k = 0; k < call->result_count; ++k) {
        const demi_history_result *r = &results[k];
        if (!ghosts || r->row_i < call->owned_count)
            call_add_end(call, r->row_i, 1.0, r->force, r->torque_i);
        if (!ghosts || r->row_j < call->owned_count)
            call_add_end(call, r->row_j, -1.0, r->force, r->torque_j);
    }
}

static void call_add_forces(const demi_history_call *call)
{
    if (call->history->sums.exact)
        demi_exact_add_forces(call);
    else if (call->ends != NULL)
        call_add_forces_of(call, 1);
    else
        call_add_forces_of(call, 0);
}

static dem_status call_reserve(demi_history_call *call)
{
    dem_contact_history *h = call->history;
    demi_context *context = &h->context;
    const uint64_t most = call->in->pair_count + h->current.count;
    uint64_t widest = 0;
    for (int32_t a = 0; a < h->models.material_count; ++a)
        for (int32_t b = a; b < h->models.material_count; ++b) {
            const demi_model *model = demi_models_get(&h->models, a, b);
            if (model != NULL && model->state_size > widest)
                widest = model->state_size;
        }
    if (most > 0x7FFFFFFFu)
        return demi_fail(
            context, DEM_ERROR_RANGE,
            "dem_contacts_input.pair_count: %llu and the contacts of the history exceed 2^31 - 1",
            (unsigned long long)call->in->pair_count);
    dem_status status = DEM_OK;
    if (call->kind != DEMI_CALL_RATE)
        status = demi_records_reset(context, &h->next, most, most * widest);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &h->seen, h->current.count, 0, "contact marks");
    if (status == DEM_OK)
        status =
            demi_array_reserve(context, &h->results, call->in->pair_count, 0, "contact results");
    if (status == DEM_OK && h->sums.exact)
        status = demi_array_reserve(context, &h->sums.row, call->owned_count, 0, "exact sums");
    if (status == DEM_OK && call->in->ghost_count > 0) {
        status = demi_array_reserve(context, &h->ends, most, 0, "ends of contacts");
        call->ends = h->ends.data;
    }
    if (status == DEM_OK && h->current.count > 0)
        memset(h->seen.data, 0, (size_t)h->current.count);
    return status;
}

static dem_status call_run(demi_history_call *call)
{
    if (call->kind == DEMI_CALL_KEPT)
        return demi_kept_run(call);
    dem_status status = call_reserve(call);
    if (status == DEM_OK && call->kind == DEMI_CALL_KEEP)
        return demi_kept_make(call);
    const int ghosts = call->ends != NULL;
    for (uint64_t p = 0; status == DEM_OK && p < call->in->pair_count; ++p)
        if (!ghosts || !demi_pair_of_ghosts(call, p))
            status = call_pair(call, p);
    if (status == DEM_OK)
        status = call_flush(call);
    if (status == DEM_OK && call->kind != DEMI_CALL_RATE && call->in->absent == DEM_ABSENT_KEEP)
        status = call_keep_absent(call);
    else if (status == DEM_OK && call->geometry != NULL && call->energy_tracking && !ghosts &&
             !call->evaluate_only)
        call->totals.dissipated_normal += demi_history_merged(call->history);
    return status;
}

DEMI_GUARDED call_whole(dem_contact_history *history, const dem_contacts_input *input,
                        const dem_contacts_geometry *geometry, int kind, demi_fenv host,
                        dem_contact_totals *totals)
{
    demi_context *context = &history->context;
    history->undoable = 0;
    if (input == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "input: must not be NULL");
    dem_contacts_input in;
    memset(&in, 0, sizeof in);
    if (demi_sized_read(&in, input) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_contacts_input",
                         (unsigned long long)input->struct_size, "dem_contacts_input");
    if (totals != NULL && demi_sized_check_output(totals) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE,
                         "dem_contact_totals.struct_size: %llu is not the size of this struct: set "
                         "it to sizeof(dem_contact_totals)",
                         (unsigned long long)totals->struct_size);
    if (kind != DEMI_CALL_STEP && kind != DEMI_CALL_KEPT) {
        /* at one moment: nothing of what describes a motion over dt is used */
        in.dt = in.velocity_lag = 0.0;
        in.kinematics = DEM_KINEMATICS_SYNCHRONIZED;
        in.acceleration = in.angular_acceleration = NULL;
        in.forces_only = 1;
    }
    dem_status status = DEM_OK;
    if (kind == DEMI_CALL_KEPT)
        status = demi_kept_input(history, &in);
    else
        demi_history_table(history);
    if (status == DEM_OK)
        status = demi_input_check(context, &in);
    if (status == DEM_OK && in.sums != NULL && !history->sums.exact)
        status = demi_fail(context, DEM_ERROR_STATE,
                           "dem_contacts_input.sums: the history was made without DEM_SUMS_EXACT, "
                           "see dem_contact_history_config.sums");
    if (status != DEM_OK)
        return status;
    status = demi_array_reserve(context, &history->work, 1, 0, "contact lanes");
    if (status != DEM_OK)
        return status;
    demi_input_accelerations(&in);
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
                              .lanes = &work->lanes,
                              .energy_tracking = totals != NULL};
    demi_input_strides(&in, call.stride);

    status = call_run(&call);
    if (status == DEM_OK && kind == DEMI_CALL_KEPT)
        demi_kept_add_forces(&call);
    else if (status == DEM_OK && kind != DEMI_CALL_OPEN && kind != DEMI_CALL_KEEP)
        call_add_forces(&call);
    if (status != DEM_OK)
        return status;
    if (!in.forces_only) {
        const demi_records exchanged = history->current;
        history->current = history->next;
        history->next = exchanged;
        history->index_valid = 0;
        history->undoable = 1;
        if (kind == DEMI_CALL_KEPT)
            demi_kept_exchange(&history->kept);
        else
            history->kept.open = 0;
    }
    if (totals == NULL)
        return DEM_OK;
    const dem_contact_totals out = {
        .struct_size = totals->struct_size,
        .contacts = call.totals.contacts,
        .elastic_energy = call.totals.elastic,
        .dissipated_normal = call.totals.dissipated_normal,
        .dissipated_dashpot = call.totals.dissipated_dashpot,
        .dissipated_slip = call.totals.dissipated_slip,
        .dissipated_rolling = call.totals.dissipated_rolling,
    };
    return demi_sized_write(totals, totals->struct_size, &out);
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

DEMI_GUARDED evaluate_geometry(dem_contact_history *history, const dem_contacts_input *input,
                               const dem_contacts_geometry *geometry, dem_contact_totals *totals)
{
    demi_context *context = &history->context;
    if (geometry == NULL || input == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                         geometry == NULL ? "geometry" : "input");
    history->undoable = 0;
    dem_contacts_geometry g = {0};
    if (demi_sized_read(&g, geometry) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE,
                         "dem_contacts_geometry", (unsigned long long)geometry->struct_size,
                         "dem_contacts_geometry");
    if (input->pair_count > 0 && (g.overlap == NULL || g.normal == NULL || g.point == NULL))
        return demi_fail(context, DEM_ERROR_ARGUMENT, "dem_contacts_geometry.%s: must not be NULL",
                         g.overlap == NULL  ? "overlap"
                         : g.normal == NULL ? "normal"
                                            : "point");
    return demi_contacts_call(history, input, &g, DEMI_CALL_STEP, totals);
}

dem_status dem_contacts_evaluate_geometry(dem_contact_history *history,
                                          const dem_contacts_input *input,
                                          const dem_contacts_geometry *geometry,
                                          dem_contact_totals *totals)
{
    DEMI_STEP(history, evaluate_geometry(history, input, geometry, totals));
}
