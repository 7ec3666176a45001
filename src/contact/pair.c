/* SPDX-License-Identifier: MIT */
/* One pair of a host on its way: gathered into a lane, and what the lanes give, kept. */
#include "base/check.h"
#include "contact/call.h"
#include "contact/given.h"
#include "contact/half_arms.h"
#include "contact/input.h"
#include "contact/kept.h"
#include "contact/motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Computes the gathered lanes and keeps what they give. */
dem_status demi_call_flush(demi_history_call *call)
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
        demi_history_result *result =
            h->results.data + (call->by_pair ? call->place[k] : call->result_count++);
        result->row_i = lane->row_i;
        result->row_j = lane->row_j;
        lane->record.overlap = call->lanes->overlap[k];
        lane->record.force_normal = call->lanes->force_normal[k];
        lane->record.elastic = call->geometry != NULL && call->energy_tracking
                                   ? call->lanes->elastic_energy[k]
                                   : 0.0; /* spheres do not merge */
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
        if (call->by_pair) {
            demi_kept_tasks *tasks = &h->kept.tasks;
            tasks->place.data[call->place[k]] = (uint32_t)call->place[k];
            if (call->energy_tracking)
                demi_kept_energy(call, tasks, k, call->place[k]);
        }
        if (call->kind == DEMI_CALL_RATE) {
            demi_record *row = h->next.record.data + call->place[k];
            lane->record.state_begin = row->state_begin;
            *row = lane->record;
            continue;
        }
        if (call->lanes->touching[k] == 0.0)
            continue;
        if (call->kind == DEMI_CALL_GIVEN) {
            demi_kept_given_keep(call, k);
            continue;
        }
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

/* Where the rows of a pair are to each other: by their centres, or as the host's geometry has it.
 */
typedef struct pair_place {
    double offset[3];                     /* from the centre of j to that of i */
    double normal[3], arm_i[3], arm_j[3]; /* with a geometry alone */
} pair_place;

static dem_status pair_place_of(const demi_history_call *call, uint64_t p,
                                const demi_pair_identity *of, pair_place *to)
{
    const dem_contacts_input *in = call->in;
    demi_context *context = &call->history->context;
    const double *xi = demi_row3(in->position, call->stride[0], of->i);
    const double *xj = demi_row3(in->position, call->stride[0], of->j);
    const double sign = of->turned ? -1.0 : 1.0, *shift = of->shift;
    for (int c = 0; c < 3; ++c)
        to->offset[c] = xi[c] - xj[c] - shift[c];
    if (!demi_finite3(to->offset) && call->quiet)
        return DEM_ERROR_RANGE;
    if (!demi_finite3(to->offset))
        return demi_fail(context, DEM_ERROR_RANGE, "dem_contacts_input.shifts[%llu]: is not finite",
                         (unsigned long long)p);
    if (call->geometry == NULL) {
        /* centres whose distance has no finite inverse are one point, which has no normal */
        if (demi_dot(to->offset, to->offset) < DBL_MIN)
            memset(to->offset, 0, sizeof to->offset);
        return DEM_OK;
    }
    if (!demi_geometry_valid(call->geometry, p))
        return call->quiet ? DEM_ERROR_RANGE : demi_geometry_refuse(context, call->geometry, p);
    for (int c = 0; c < 3; ++c) {
        /* the point is where the row is that is listed first */
        const double point = call->geometry->point[3 * p + (uint64_t)c];
        to->normal[c] = sign * call->geometry->normal[3 * p + (uint64_t)c];
        to->arm_i[c] = of->turned ? point - xi[c] + shift[c] : point - xi[c];
        to->arm_j[c] = of->turned ? point - xj[c] : point - xj[c] - shift[c];
    }
    return DEM_OK;
}

/* Puts what the host's geometry says of pair p into lane k. */
static void geometry_gather(demi_history_call *call, uint64_t k, uint64_t p,
                            const pair_place *place, const demi_record *before)
{
    const dem_contacts_input *in = call->in;
    const dem_contacts_geometry *geometry = call->geometry;
    demi_history_lane *lane = &call->lane[k];
    memcpy(lane->arm_i, place->arm_i, sizeof lane->arm_i);
    memcpy(lane->arm_j, place->arm_j, sizeof lane->arm_j);
    memcpy(lane->record.point, place->arm_i, sizeof lane->record.point);
    for (int c = 0; c < 3; ++c)
        call->lanes->normal_given[c][k] =
            before != NULL && !call->evaluate_only ? before->normal[c] : place->normal[c];
    call->lanes->overlap_given[k] = geometry->overlap[p];
    const double i = in->radius[lane->row_i], j = in->radius[lane->row_j];
    call->lanes->radius_given[k] = geometry->radius != NULL ? geometry->radius[p] : i * j / (i + j);
    double arm_i_half[3], arm_j_half[3];
    if (in->kinematics == DEM_KINEMATICS_STANDARD) {
        memcpy(arm_i_half, lane->arm_i, sizeof arm_i_half);
        memcpy(arm_j_half, lane->arm_j, sizeof arm_j_half);
    } else {
        /* contacts that the host added do not know their point */
        const int known = before != NULL && !call->evaluate_only && !isnan(before->point[0]);
        const double velocity[3] = {call->lanes->velocity[0][k], call->lanes->velocity[1][k],
                                    call->lanes->velocity[2][k]};
        demi_half_arms(lane->arm_i, lane->arm_j, velocity, known ? before->point : NULL, in->dt,
                       arm_i_half, arm_j_half);
    }
    demi_gather_point(call->lanes, k, lane, arm_i_half, arm_j_half);
}

dem_status demi_call_pair(demi_history_call *call, uint64_t p, const demi_pair_identity *of,
                          const demi_pair_past *past)
{
    const dem_contacts_input *in = call->in;
    const demi_record record = of->record, *before = past->record;
    const demi_model *model = record.model;
    const uint32_t i = of->i, j = of->j;
    pair_place place = {.offset = {0.0}};
    dem_status status = pair_place_of(call, p, of, &place);
    if (status != DEM_OK)
        return status;
    const double reach = demi_model_reach(model, in->radius[i], in->radius[j]);
    const double touch = in->radius[i] + in->radius[j] + reach;
    const int near = call->geometry != NULL ? call->geometry->overlap[p] > -reach
                                            : demi_dot(place.offset, place.offset) < touch * touch;
    if (before == NULL && (!near || call->kind == DEMI_CALL_RATE))
        return DEM_OK;
    if (in->mass[i] == 0.0 && in->mass[j] == 0.0)
        return call->quiet ? DEM_ERROR_RANGE : demi_call_heavy(call, i, j);
    if (call->kind == DEMI_CALL_OPEN)
        return call_open(call, &record, i, j, before, near);
    if (call->lane_count == DEMI_LANES || (call->lane_count > 0 && call->model != model)) {
        status = demi_call_flush(call);
        if (status != DEM_OK)
            return status;
    }
    call->model = model;
    const uint64_t k = call->lane_count++;
    if (call->kind == DEMI_CALL_STEP)
        demi_records_ask(&call->history->next, &record.key, k);
    call->lane[k].record = record;
    call->lane[k].row_i = i;
    call->lane[k].row_j = j;
    call_gather(call, k, call->geometry != NULL ? place.normal : place.offset);
    call->place[k] = past->index;
    call->lanes->was_touching[k] = before != NULL ? 1.0 : 0.0;
    for (uint32_t c = 0; c < model->state_size; ++c)
        call->lanes->state[c][k] = before != NULL ? past->state[c] : 0.0;
    if (call->geometry != NULL)
        geometry_gather(call, k, p, &place, before);
    return DEM_OK;
}
