/* SPDX-License-Identifier: MIT */
/* dem_contacts_evaluate: from a host's arrays to forces and the next generation of records. */
#include "base/check.h"
#include "base/fenv.h"
#include "base/sized.h"
#include "contact/history.h"

#include <string.h>

/* What one contact adds to the host's arrays, kept back until nothing can fail any more. */
typedef struct history_result {
    uint32_t row_i, row_j;
    double force[3], torque_i[3], torque_j[3];
} history_result;

/* A lane on its way: which record it makes. */
typedef struct history_lane {
    demi_record record;
    uint32_t row_i, row_j;
    double arm_i[3], arm_j[3]; /* from the centres to a given contact point */
} history_lane;

typedef struct history_call {
    dem_contact_history *history;
    const dem_contacts_input *in;
    const dem_contacts_geometry *geometry; /* NULL: spheres */
    int kind;                              /* DEMI_CALL_... */
    uint64_t stride[7]; /* bytes: position, velocity, spin, accelerations, force, torque */
    uint64_t result_count;
    demi_totals totals;
    uint64_t lane_count;
    const demi_model *model;
    history_lane *lane;             /* [DEMI_LANES] */
    uint64_t stage_row[DEMI_LANES]; /* DEMI_CALL_RATE: record of `next` */
    demi_lanes *lanes;
    int32_t accounting;
} history_call;

dem_status dem_contacts_input_init_sized(dem_contacts_input *input, uint64_t size)
{
    if (input == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_contacts_input values;
    memset(&values, 0, sizeof values);
    return demi_sized_write(input, size, &values, sizeof values, sizeof values);
}

static const double *row3(const double *base, uint64_t stride, uint64_t row)
{
    return (const double *)(const void *)((const char *)base + stride * row);
}

static double *row3_out(double *base, uint64_t stride, uint64_t row)
{
    return (double *)(void *)((char *)base + stride * row);
}

/* Bytes from row to row of each array; 0 stands for packed rows. */
static void input_strides(const dem_contacts_input *in, uint64_t stride[7])
{
    const uint64_t given[7] = {in->position_stride,
                               in->velocity_stride,
                               in->angular_velocity_stride,
                               in->acceleration_stride,
                               in->angular_acceleration_stride,
                               in->force_stride,
                               in->torque_stride};
    for (int k = 0; k < 7; ++k)
        stride[k] = given[k] != 0 ? given[k] : 3 * sizeof(double);
}

static dem_status input_check(demi_context *context, const dem_contacts_input *in)
{
    static const char *const names[] = {"position", "velocity", "radius", "mass", "force"};
    const void *const required[] = {in->position, in->velocity, in->radius, in->mass, in->force};
    if (in->pair_count > 0) {
        for (int k = 0; k < 5; ++k)
            if (required[k] == NULL)
                return demi_fail(context, DEM_ERROR_ARGUMENT, "dem_contacts_input.%s: NULL",
                                 names[k]);
        if (in->pairs == NULL)
            return demi_fail(context, DEM_ERROR_ARGUMENT, "dem_contacts_input.pairs: NULL");
    }
    if (!demi_not_negative(in->dt) || (in->dt == 0.0 && !in->forces_only))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.dt: %g must be finite and > 0 s (0 with forces_only)",
                         in->dt);
    if (!isfinite(in->velocity_lag) ||
        (in->velocity_lag != 0.0 && fabs(in->velocity_lag - 0.5 * in->dt) > 1e-9 * in->dt))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.velocity_lag: %g is neither 0 nor dt/2 = %g s",
                         in->velocity_lag, 0.5 * in->dt);
    if (in->frame < DEM_FRAME_SYNCHRONIZED || in->frame > DEM_FRAME_STANDARD)
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "dem_contacts_input.frame: %d is not a DEM_FRAME_ value", (int)in->frame);
    if (in->absent != DEM_ABSENT_SEPARATED && in->absent != DEM_ABSENT_KEEP)
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "dem_contacts_input.absent: %d is not a DEM_ABSENT_ value",
                         (int)in->absent);
    uint64_t stride[7];
    input_strides(in, stride);
    for (int k = 0; k < 7; ++k)
        if (stride[k] < 3 * sizeof(double) || stride[k] % sizeof(double))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_contacts_input strides: %llu is neither 0 nor a multiple of 8 "
                             "that is at least 24 bytes",
                             (unsigned long long)stride[k]);
    return DEM_OK;
}

static uint64_t row_id(const dem_contacts_input *in, uint32_t row)
{
    return in->id != NULL ? in->id[row] : row;
}

static dem_status row_check(demi_context *context, const history_call *call, uint32_t row)
{
    const dem_contacts_input *in = call->in;
    if (row >= in->particle_count)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.pairs: row %u is not below %llu", row,
                         (unsigned long long)in->particle_count);
    if (!demi_positive(in->radius[row]))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.radius[%u]: %g must be finite and > 0 m", row,
                         in->radius[row]);
    if (!demi_not_negative(in->mass[row]))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.mass[%u]: %g must be finite and >= 0 kg", row,
                         in->mass[row]);
    const int32_t material = in->material != NULL ? in->material[row] : 0;
    if (material < 0 || material >= call->history->models.material_count)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.material[%u]: %d is not in [0, %d)", row,
                         (int)material, (int)call->history->models.material_count);
    if (!demi_finite3(row3(in->position, call->stride[0], row)))
        return demi_fail(context, DEM_ERROR_DIVERGED, "dem_contacts_input.position[%u]: not finite",
                         row);
    if (!demi_finite3(row3(in->velocity, call->stride[1], row)))
        return demi_fail(context, DEM_ERROR_DIVERGED, "dem_contacts_input.velocity[%u]: not finite",
                         row);
    const double *const optional[] = {in->angular_velocity, in->acceleration,
                                      in->angular_acceleration};
    static const char *const names[] = {"angular_velocity", "acceleration", "angular_acceleration"};
    for (int k = 0; k < 3; ++k)
        if (optional[k] != NULL && !demi_finite3(row3(optional[k], call->stride[2 + k], row)))
            return demi_fail(context, DEM_ERROR_DIVERGED, "dem_contacts_input.%s[%u]: not finite",
                             names[k], row);
    return DEM_OK;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Torques of the whole force about centres that need not lie on the normal. */
static void result_arms(history_result *result, const history_lane *lane)
{
    double on_i[3], on_j[3];
    cross(lane->arm_i, result->force, on_i);
    cross(lane->arm_j, result->force, on_j);
    for (int c = 0; c < 3; ++c) {
        result->torque_i[c] += on_i[c];
        result->torque_j[c] -= on_j[c];
    }
}

/* Makes relative velocities those of a given contact point. */
static void gather_point(demi_lanes *b, uint64_t k, const history_lane *lane)
{
    const double wi[3] = {b->spin_i[0][k], b->spin_i[1][k], b->spin_i[2][k]};
    const double wj[3] = {b->spin_j[0][k], b->spin_j[1][k], b->spin_j[2][k]};
    const double di[3] = {b->damping_spin_i[0][k], b->damping_spin_i[1][k],
                          b->damping_spin_i[2][k]};
    const double dj[3] = {b->damping_spin_j[0][k], b->damping_spin_j[1][k],
                          b->damping_spin_j[2][k]};
    double ui[3], uj[3], ti[3], tj[3];
    cross(wi, lane->arm_i, ui);
    cross(wj, lane->arm_j, uj);
    cross(di, lane->arm_i, ti);
    cross(dj, lane->arm_j, tj);
    for (int c = 0; c < 3; ++c) {
        b->velocity[c][k] += ui[c] - uj[c];
        b->damping_velocity[c][k] += ti[c] - tj[c];
    }
}

/* Computes the gathered lanes and keeps what they give. */
static dem_status call_flush(history_call *call)
{
    dem_contact_history *h = call->history;
    demi_context *context = &h->context;
    const uint64_t n = call->lane_count;
    if (n == 0)
        return DEM_OK;
    call->lane_count = 0;
    demi_lanes_call how = {.model = call->model,
                           .shape = call->geometry != NULL ? DEMI_SHAPE_GIVEN : DEMI_SHAPE_SPHERE,
                           .frame = call->in->frame,
                           .dt = call->in->dt,
                           .overlap_limit = h->overlap_limit,
                           .accounting = call->accounting};
    const dem_status status =
        call->kind == DEMI_CALL_RATE
            ? demi_stages_run(h, call->lanes, n, &how, call->stage_row, &call->totals)
            : demi_lanes_run[h->models.isa](call->lanes, n, &how, &call->totals);
    const uint64_t bad = how.lane;
    if (status == DEM_ERROR_OVERLAP)
        return demi_fail(
            context, status,
            "contact of %llu and %llu: overlap %g m exceeds overlap_limit %g times the "
            "smaller radius",
            (unsigned long long)call->lane[bad].record.key.id_i,
            (unsigned long long)call->lane[bad].record.key.id_j, call->lanes->overlap[bad],
            h->overlap_limit);
    if (status == DEM_ERROR_DIVERGED)
        return demi_fail(
            context, status,
            "contact of %llu and %llu: law \"%.60s\" gave a force, torque or energy that "
            "is not finite",
            (unsigned long long)call->lane[bad].record.key.id_i,
            (unsigned long long)call->lane[bad].record.key.id_j, call->model->laws[0].name);
    if (status != DEM_OK)
        return demi_fail(context, status, "law \"%.60s\": reported an error",
                         call->model->laws[0].name);
    for (uint64_t k = 0; k < n; ++k) {
        history_lane *lane = &call->lane[k];
        history_result *result = (history_result *)h->results.data + call->result_count++;
        result->row_i = lane->row_i;
        result->row_j = lane->row_j;
        lane->record.overlap = call->lanes->overlap[k];
        lane->record.force_normal = call->lanes->force_normal[k];
        for (int c = 0; c < 3; ++c) {
            result->force[c] = call->lanes->force[c][k];
            result->torque_i[c] = call->lanes->torque_i[c][k];
            result->torque_j[c] = call->lanes->torque_j[c][k];
            lane->record.normal[c] = call->lanes->normal[c][k];
            lane->record.force_tangential[c] = call->lanes->force_tangential[c][k];
        }
        if (call->geometry != NULL)
            result_arms(result, lane);
        if (call->kind == DEMI_CALL_RATE) {
            demi_record *row = (demi_record *)h->next.record.data + call->stage_row[k];
            lane->record.state_begin = row->state_begin;
            *row = lane->record;
            continue;
        }
        if (call->lanes->alive[k] == 0.0)
            continue;
        double state[DEM_STATE_MAX];
        for (uint32_t c = 0; c < call->model->state_size; ++c)
            state[c] = call->lanes->state[c][k];
        if (!demi_records_add(&h->next, &lane->record, state))
            return demi_fail(
                context, DEM_ERROR_DUPLICATE,
                "dem_contacts_input.pairs: the contact of %llu and %llu is listed twice",
                (unsigned long long)lane->record.key.id_i,
                (unsigned long long)lane->record.key.id_j);
    }
    return DEM_OK;
}

/* Relative motion of the rows i and j of lane k. */
static void call_gather(history_call *call, uint64_t k, const double offset[3])
{
    const dem_contacts_input *in = call->in;
    demi_lanes *b = call->lanes;
    const uint32_t i = call->lane[k].row_i, j = call->lane[k].row_j;
    const double *vi = row3(in->velocity, call->stride[1], i);
    const double *vj = row3(in->velocity, call->stride[1], j);
    static const double none[3] = {0.0, 0.0, 0.0};
    const int spins = in->angular_velocity != NULL;
    const double *wi = spins ? row3(in->angular_velocity, call->stride[2], i) : none;
    const double *wj = spins ? row3(in->angular_velocity, call->stride[2], j) : none;
    const int a = in->acceleration != NULL, w = in->angular_acceleration != NULL;
    const double *ai = a ? row3(in->acceleration, call->stride[3], i) : none;
    const double *aj = a ? row3(in->acceleration, call->stride[3], j) : none;
    const double *li = w ? row3(in->angular_acceleration, call->stride[4], i) : none;
    const double *lj = w ? row3(in->angular_acceleration, call->stride[4], j) : none;
    const double lag = in->velocity_lag;
    for (int c = 0; c < 3; ++c) {
        b->offset[c][k] = offset[c];
        b->velocity[c][k] = vi[c] - vj[c];
        b->spin_i[c][k] = wi[c];
        b->spin_j[c][k] = wj[c];
        b->damping_velocity[c][k] = (vi[c] + ai[c] * lag) - (vj[c] + aj[c] * lag);
        b->damping_spin_i[c][k] = wi[c] + li[c] * lag;
        b->damping_spin_j[c][k] = wj[c] + lj[c] * lag;
    }
    b->radius_i[k] = in->radius[i];
    b->radius_j[k] = in->radius[j];
    b->inverse_mass[k] = (in->mass[i] > 0.0 ? 1.0 / in->mass[i] : 0.0) +
                         (in->mass[j] > 0.0 ? 1.0 / in->mass[j] : 0.0);
}

static dem_status geometry_check(demi_context *context, const dem_contacts_geometry *g, uint64_t p)
{
    const unsigned long long n = (unsigned long long)p;
    const double *normal = &g->normal[3 * p];
    if (!isfinite(g->overlap[p]) || !demi_finite3(&g->point[3 * p]))
        return demi_fail(context, DEM_ERROR_RANGE, "dem_contacts_geometry.%s[%llu]: not finite",
                         isfinite(g->overlap[p]) ? "point" : "overlap", n);
    if (!demi_finite3(normal) || fabs(demi_dot(normal, normal) - 1.0) > 2e-6)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_geometry.normal[%llu]: (%g, %g, %g) is not of unit length",
                         n, normal[0], normal[1], normal[2]);
    if (g->radius != NULL && !demi_positive(g->radius[p]))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_geometry.radius[%llu]: %g must be finite and > 0 m", n,
                         g->radius[p]);
    return DEM_OK;
}

static int image_negative(const int32_t image[3])
{
    for (int c = 0; c < 3; ++c)
        if (image[c] != 0)
            return image[c] < 0;
    return 0;
}

/* A contact of a step of stages, with the history it has; without one where it no longer acts. */
static dem_status call_open(history_call *call, const demi_record *record,
                            const demi_record *before, int near)
{
    dem_contact_history *h = call->history;
    demi_context *context = &h->context;
    double state[DEM_STATE_MAX] = {0.0};
    if (before != NULL) {
        ((unsigned char *)h->seen.data)[before - (const demi_record *)h->now.record.data] = 1;
        memcpy(state, (const double *)h->now.state.data + before->state_begin,
               record->model->state_size * sizeof(double));
    }
    if (!near)
        return DEM_OK;
    const dem_status status = demi_stages_model(context, record->model);
    if (status == DEM_OK && !demi_records_add(&h->next, record, state))
        return demi_fail(context, DEM_ERROR_DUPLICATE,
                         "dem_contacts_input.pairs: the contact of %llu and %llu is listed twice",
                         (unsigned long long)record->key.id_i,
                         (unsigned long long)record->key.id_j);
    return status;
}

/* One pair of the host's list: into a lane if it is or was in contact. */
static dem_status call_pair(history_call *call, uint64_t p)
{
    dem_contact_history *h = call->history;
    demi_context *context = &h->context;
    const dem_contacts_input *in = call->in;
    uint32_t i = in->pairs[2 * p], j = in->pairs[2 * p + 1];
    dem_status status = row_check(context, call, i);
    if (status == DEM_OK)
        status = row_check(context, call, j);
    if (status != DEM_OK)
        return status;
    const int32_t mi = in->material != NULL ? in->material[i] : 0;
    const int32_t mj = in->material != NULL ? in->material[j] : 0;
    const demi_model *model = demi_models_get(&h->models, mi, mj);
    if (model == NULL)
        return DEM_OK;

    demi_record record = {.model = model, .material_i = mi, .material_j = mj};
    record.key.feature = in->features != NULL ? in->features[p] : 0;
    double offset[3];
    const double *xi = row3(in->position, call->stride[0], i);
    const double *xj = row3(in->position, call->stride[0], j);
    for (int c = 0; c < 3; ++c) {
        offset[c] = xi[c] - (in->shifts != NULL ? xj[c] + in->shifts[3 * p + (uint64_t)c] : xj[c]);
        record.key.image[c] = in->images != NULL ? in->images[3 * p + (uint64_t)c] : 0;
    }
    if (!demi_finite3(offset))
        return demi_fail(context, DEM_ERROR_RANGE, "dem_contacts_input.shifts[%llu]: not finite",
                         (unsigned long long)p);
    double normal[3] = {0.0, 0.0, 0.0}, arm_i[3] = {0.0, 0.0, 0.0}, arm_j[3] = {0.0, 0.0, 0.0};
    if (call->geometry != NULL) {
        status = geometry_check(context, call->geometry, p);
        if (status != DEM_OK)
            return status;
        for (int c = 0; c < 3; ++c) {
            normal[c] = call->geometry->normal[3 * p + (uint64_t)c];
            arm_i[c] = call->geometry->point[3 * p + (uint64_t)c] - xi[c];
            arm_j[c] = arm_i[c] + offset[c];
        }
    }
    /* i is the lower id, whatever the order in the list */
    if (row_id(in, j) < row_id(in, i) ||
        (row_id(in, j) == row_id(in, i) && image_negative(record.key.image))) {
        const uint32_t row = i;
        i = j;
        j = row;
        record.material_i = mj;
        record.material_j = mi;
        for (int c = 0; c < 3; ++c) {
            offset[c] = -offset[c];
            record.key.image[c] = -record.key.image[c];
            normal[c] = -normal[c];
            const double arm = arm_i[c];
            arm_i[c] = arm_j[c];
            arm_j[c] = arm;
        }
    }
    record.key.id_i = row_id(in, i);
    record.key.id_j = row_id(in, j);

    const double reach = demi_model_reach(model, in->radius[i], in->radius[j]);
    const double touch = in->radius[i] + in->radius[j] + reach;
    const int near = call->geometry != NULL ? call->geometry->overlap[p] > -reach
                                            : demi_dot(offset, offset) < touch * touch;
    const demi_records *from = call->kind == DEMI_CALL_RATE ? &h->next : &h->now;
    const uint64_t old = demi_records_find(from, &record.key);
    if (old == UINT64_MAX && (!near || call->kind == DEMI_CALL_RATE))
        return DEM_OK;
    if (in->mass[i] == 0.0 && in->mass[j] == 0.0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.mass[%u] and [%u]: both 0; a contact needs one of "
                         "finite mass",
                         i, j);
    const demi_record *before =
        old == UINT64_MAX ? NULL : (const demi_record *)from->record.data + old;
    if (call->kind == DEMI_CALL_OPEN)
        return call_open(call, &record, before, near);
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
    call->stage_row[k] = old;
    call->lanes->alive_before[k] = before != NULL ? 1.0 : 0.0;
    for (uint32_t c = 0; c < model->state_size; ++c)
        call->lanes->state[c][k] =
            before != NULL ? ((const double *)from->state.data)[before->state_begin + c] : 0.0;
    if (before != NULL && call->kind == DEMI_CALL_STEP)
        ((unsigned char *)h->seen.data)[old] = 1;
    if (call->geometry != NULL) {
        const double radius = in->radius[i] * in->radius[j] / (in->radius[i] + in->radius[j]);
        memcpy(call->lane[k].arm_i, arm_i, sizeof arm_i);
        memcpy(call->lane[k].arm_j, arm_j, sizeof arm_j);
        for (int c = 0; c < 3; ++c)
            call->lanes->normal_given[c][k] = before != NULL ? before->normal[c] : normal[c];
        call->lanes->overlap_given[k] = call->geometry->overlap[p];
        call->lanes->radius_given[k] =
            call->geometry->radius != NULL ? call->geometry->radius[p] : radius;
        gather_point(call->lanes, k, &call->lane[k]);
    }
    return DEM_OK;
}

/* Contacts that were not listed, where that does not mean that they ended. */
static dem_status call_keep_absent(history_call *call)
{
    dem_contact_history *h = call->history;
    const demi_record *record = h->now.record.data;
    const unsigned char *seen = h->seen.data;
    for (uint64_t k = 0; k < h->now.count; ++k)
        if (!seen[k])
            demi_records_add(&h->next, &record[k],
                             (const double *)h->now.state.data + record[k].state_begin);
    return DEM_OK;
}

static void call_add_forces(const history_call *call)
{
    const dem_contacts_input *in = call->in;
    const history_result *results = call->history->results.data;
    for (uint64_t k = 0; k < call->result_count; ++k) {
        const history_result *r = &results[k];
        double *fi = row3_out(in->force, call->stride[5], r->row_i);
        double *fj = row3_out(in->force, call->stride[5], r->row_j);
        for (int c = 0; c < 3; ++c) {
            fi[c] += r->force[c];
            fj[c] -= r->force[c];
        }
        if (in->torque == NULL)
            continue;
        double *ti = row3_out(in->torque, call->stride[6], r->row_i);
        double *tj = row3_out(in->torque, call->stride[6], r->row_j);
        for (int c = 0; c < 3; ++c) {
            ti[c] += r->torque_i[c];
            tj[c] += r->torque_j[c];
        }
    }
}

static dem_status call_reserve(history_call *call)
{
    dem_contact_history *h = call->history;
    demi_context *context = &h->context;
    const uint64_t most = call->in->pair_count + h->now.count;
    uint64_t widest = 0;
    for (int32_t a = 0; a < h->models.material_count; ++a)
        for (int32_t b = a; b < h->models.material_count; ++b) {
            const demi_model *model = demi_models_get(&h->models, a, b);
            if (model != NULL && model->state_size > widest)
                widest = model->state_size;
        }
    if (most > 0x7FFFFFFFu)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contacts_input.pair_count: %llu exceeds 2^31 - 1 with the history",
                         (unsigned long long)call->in->pair_count);
    dem_status status = call->kind == DEMI_CALL_RATE
                            ? DEM_OK
                            : demi_records_reset(context, &h->next, most, most * widest);
    if (status == DEM_OK)
        status = demi_buffer_reserve(context, &h->seen, h->now.count, 0, "contact marks");
    if (status == DEM_OK)
        status =
            demi_buffer_reserve(context, &h->results, call->in->pair_count * sizeof(history_result),
                                0, "contact results");
    if (status == DEM_OK && h->now.count > 0)
        memset(h->seen.data, 0, (size_t)h->now.count);
    return status;
}

static dem_status call_run(history_call *call)
{
    dem_status status = call_reserve(call);
    for (uint64_t p = 0; status == DEM_OK && p < call->in->pair_count; ++p)
        status = call_pair(call, p);
    if (status == DEM_OK)
        status = call_flush(call);
    if (status == DEM_OK && call->kind != DEMI_CALL_RATE && call->in->absent == DEM_ABSENT_KEEP)
        status = call_keep_absent(call);
    return status;
}

dem_status demi_contacts_call(dem_contact_history *history, const dem_contacts_input *input,
                              const dem_contacts_geometry *geometry, int kind,
                              dem_contact_totals *totals)
{
    if (history == NULL)
        return DEM_ERROR_ARGUMENT;
    demi_context *context = &history->context;
    if (input == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "input: NULL");
    dem_contacts_input in;
    memset(&in, 0, sizeof in);
    if (demi_sized_read(&in, input, sizeof in, sizeof in) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_contacts_input",
                         (unsigned long long)input->struct_size, "dem_contacts_input");
    if (totals != NULL && demi_sized_check(totals, sizeof *totals, UINT64_MAX) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE,
                         "dem_contact_totals.struct_size: %llu is not the size of this struct",
                         (unsigned long long)totals->struct_size);
    if (kind != DEMI_CALL_STEP) {
        /* at one moment: nothing of what describes a motion over dt is used */
        in.dt = in.velocity_lag = 0.0;
        in.frame = DEM_FRAME_SYNCHRONIZED;
        in.acceleration = in.angular_acceleration = NULL;
        in.forces_only = 1;
    }
    dem_status status = input_check(context, &in);
    if (status != DEM_OK)
        return status;
    if (kind != DEMI_CALL_RATE)
        history->stages_open = 0; /* `next` is made anew */

    history_lane lane[DEMI_LANES];
    _Alignas(64) demi_plane state[DEM_STATE_MAX];
    demi_lanes lanes;
    lanes.state = state;
    history_call call = {.history = history,
                         .in = &in,
                         .geometry = geometry,
                         .kind = kind,
                         .lane = lane,
                         .lanes = &lanes,
                         .accounting = totals != NULL};
    input_strides(&in, call.stride);

    const demi_fenv saved = demi_fenv_enter();
    status = call_run(&call);
    if (status == DEM_OK && kind != DEMI_CALL_OPEN)
        call_add_forces(&call);
    demi_fenv_leave(saved);
    if (status != DEM_OK)
        return status;
    if (!in.forces_only) {
        const demi_records exchanged = history->now;
        history->now = history->next;
        history->next = exchanged;
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
    return demi_sized_write(totals, totals->struct_size, &out, sizeof out, sizeof out);
}

dem_status dem_contacts_evaluate(dem_contact_history *history, const dem_contacts_input *input,
                                 dem_contact_totals *totals)
{
    return demi_contacts_call(history, input, NULL, DEMI_CALL_STEP, totals);
}

dem_status dem_contacts_geometry_init_sized(dem_contacts_geometry *geometry, uint64_t size)
{
    if (geometry == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_contacts_geometry values = {.struct_size = sizeof values};
    return demi_sized_write(geometry, size, &values, sizeof values, sizeof values);
}

dem_status dem_contacts_evaluate_geometry(dem_contact_history *history,
                                          const dem_contacts_input *input,
                                          const dem_contacts_geometry *geometry,
                                          dem_contact_totals *totals)
{
    if (history == NULL)
        return DEM_ERROR_ARGUMENT;
    demi_context *context = &history->context;
    if (geometry == NULL || input == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s: NULL",
                         geometry == NULL ? "geometry" : "input");
    dem_contacts_geometry g = {0};
    if (demi_sized_read(&g, geometry, sizeof g, sizeof g) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE,
                         "dem_contacts_geometry", (unsigned long long)geometry->struct_size,
                         "dem_contacts_geometry");
    if (input->pair_count > 0 && (g.overlap == NULL || g.normal == NULL || g.point == NULL))
        return demi_fail(context, DEM_ERROR_ARGUMENT, "dem_contacts_geometry.%s: NULL",
                         g.overlap == NULL  ? "overlap"
                         : g.normal == NULL ? "normal"
                                            : "point");
    return demi_contacts_call(history, input, &g, DEMI_CALL_STEP, totals);
}
