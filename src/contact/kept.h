/* SPDX-License-Identifier: MIT */
/* Kept lists, for evaluate.c alone: what dem_contacts_evaluate finds out of each pair in every call
 * is found out once. A pair knows its rows, model and record; records have no table until somebody
 * looks for a key. Arithmetic, order and errors are those of evaluate.c. */
#ifndef DEMI_KEPT_H
#define DEMI_KEPT_H

/* ------------------------------------------------------------------ making a list */

static dem_status kept_reserve(history_call *call, demi_kept *kept)
{
    demi_context *context = &call->history->context;
    static const char what[] = "kept list";
    const dem_contacts_input *in = call->in;
    const uint64_t pairs = in->pair_count, rows = in->particle_count;
    const uint64_t places = pairs + call->history->current.count;
    dem_status status = demi_array_reserve(context, &kept->pair, pairs, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->origin, pairs, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->shift, 3 * pairs, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->at, places, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->at_next, places, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->row, rows, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->radius, rows, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &kept->mass, rows, 0, what);
    return status;
}

/* The pair p of the host, as the next one of the list. `next` tells whether it was listed before:
 * its records are the pairs so far. */
static dem_status kept_add(history_call *call, demi_kept *kept, uint64_t p)
{
    static const double state[DEM_STATE_MAX] = {0.0};
    dem_contact_history *h = call->history;
    const dem_contacts_input *in = call->in;
    pair_identity of;
    const demi_record *before;
    dem_status status = call_identify(call, p, &of);
    if (status == DEM_OK)
        status = call_before(call, &of.record, &before);
    if (status != DEM_OK || of.record.model == NULL)
        return status;
    const uint64_t n = kept->count, twin = demi_records_find(&h->next, &of.record.key);
    if (!call_add_record(call, &of.record, of.i, of.j, state))
        return call_twice(call, &of.record);
    if (twin != UINT64_MAX) /* so that records have the numbers of pairs */
        (void)demi_records_append(&h->next, of.record.model);
    const double reach = demi_model_reach(of.record.model, in->radius[of.i], in->radius[of.j]);
    const double touch = in->radius[of.i] + in->radius[of.j] + reach;
    kept->pair.data[n] = (demi_kept_pair){of.i, of.j, of.record.model, touch * touch};
    kept->origin.data[n] =
        (demi_kept_origin){of.record.key, of.record.material_i, of.record.material_j,
                           twin != UINT64_MAX ? (uint32_t)twin : DEMI_NOT_KEPT};
    for (uint64_t c = 0; c < 3; ++c) {
        const double shift = in->shifts != NULL ? in->shifts[3 * p + c] : 0.0;
        kept->shift.data[3 * n + c] = (of.turned ? -1.0 : 1.0) * shift;
        if (!isfinite(shift))
            return demi_fail(&h->context, DEM_ERROR_RANGE,
                             "dem_contacts_input.shifts[%llu]: is not finite",
                             (unsigned long long)p);
    }
    kept->at.data[n] = before != NULL ? (uint32_t)(before - h->current.record.read) : DEMI_NOT_KEPT;
    kept->mass.data[of.i] = kept->mass.data[of.j] = -1.0; /* the row is used */
    kept->count++;
    return DEM_OK;
}

/* Rows that pairs have, and contacts that are not listed, where those stay. */
static void kept_finish(history_call *call, demi_kept *kept)
{
    const dem_contact_history *h = call->history;
    const dem_contacts_input *in = call->in;
    for (uint32_t row = 0; row < in->particle_count; ++row) {
        if (kept->mass.data[row] == 0.0)
            continue;
        kept->row.data[kept->row_count++] = row;
        kept->mass.data[row] = in->mass[row];
        kept->radius.data[row] = in->radius[row];
    }
    for (uint32_t k = 0; k < h->current.count; ++k)
        if (!h->seen.read[k])
            kept->at.data[kept->count + kept->absent_count++] = k;
}

static dem_status kept_make(history_call *call)
{
    dem_contact_history *h = call->history;
    const dem_contacts_input *in = call->in;
    demi_kept *kept = &h->kept_new;
    dem_status status = kept_reserve(call, kept);
    if (status != DEM_OK)
        return status;
    kept->count = kept->absent_count = kept->row_count = 0;
    kept->particle_count = in->particle_count;
    kept->ghost_count = in->ghost_count;
    memset(kept->mass.data, 0, (size_t)in->particle_count * sizeof(double));
    for (uint64_t p = 0; status == DEM_OK && p < in->pair_count; ++p)
        if (call->ends == NULL || !pair_of_ghosts(call, p))
            status = kept_add(call, kept, p);
    if (status != DEM_OK)
        return status;
    kept_finish(call, kept);
    const demi_kept old = h->kept;
    h->kept = *kept;
    h->kept_new = old;
    h->kept.open = 1;
    return DEM_OK;
}

/* ------------------------------------------------------------------ evaluating it */

/* Puts what the list keeps in place of what the host gives. */
static dem_status kept_input(dem_contact_history *h, dem_contacts_input *in)
{
    const demi_kept *kept = &h->kept;
    static const uint32_t none[2] = {0, 0};
    if (!kept->open)
        return demi_fail(&h->context, DEM_ERROR_STATE,
                         "dem_contacts_list_evaluate: there is no list, or the history changed "
                         "after it: call dem_contacts_list_begin");
    if (in->particle_count != kept->particle_count || in->ghost_count != kept->ghost_count)
        return demi_fail(
            &h->context, DEM_ERROR_RANGE,
            "dem_contacts_input: %llu particles with %llu ghosts, and the list has "
            "%llu with %llu: call dem_contacts_list_begin",
            (unsigned long long)in->particle_count, (unsigned long long)in->ghost_count,
            (unsigned long long)kept->particle_count, (unsigned long long)kept->ghost_count);
    in->pair_count = kept->count;
    in->pairs = none;
    in->radius = kept->radius.read;
    in->mass = kept->mass.read;
    in->material = NULL;
    if (in->id == NULL)
        in->id = &kept->origin.read->key.id_i; /* there; it is not read */
    return DEM_OK;
}

/* Keeps what the gathered lanes give. */
static dem_status kept_flush(history_call *call)
{
    dem_contact_history *h = call->history;
    const demi_lanes *b = call->lanes;
    const uint64_t n = call->lane_count;
    const dem_status status = n > 0 ? call_compute(call, n) : DEM_OK;
    const uint32_t states = n > 0 ? call->model->state_size : 0;
    for (uint64_t k = 0; k < n && status == DEM_OK; ++k) {
        const history_lane *lane = &call->lane[k];
        const demi_kept_origin *origin = &h->kept.origin.read[lane->pair];
        demi_history_result *result = h->results.data + call->result_count++;
        result->row_i = lane->row_i;
        result->row_j = lane->row_j;
        for (int c = 0; c < 3; ++c) {
            result->force[c] = b->force[c][k];
            result->torque_i[c] = b->torque_i[c][k];
            result->torque_j[c] = b->torque_j[c][k];
        }
        uint32_t *at = &h->kept.at_next.data[lane->pair];
        if (b->touching[k] == 0.0)
            continue;
        if (origin->twin != DEMI_NOT_KEPT && h->kept.at_next.data[origin->twin] != DEMI_NOT_KEPT) {
            *at = h->kept.at_next.data[origin->twin];
            continue;
        }
        *at = (uint32_t)h->next.count;
        if (origin->twin != DEMI_NOT_KEPT)
            h->kept.at_next.data[origin->twin] = *at;
        demi_record *r = demi_records_append(&h->next, call->model);
        r->key = origin->key;
        r->material_i = origin->material_i;
        r->material_j = origin->material_j;
        r->overlap = b->overlap[k];
        r->force_normal = b->force_normal[k];
        r->elastic = 0.0;
        for (int c = 0; c < 3; ++c) {
            r->normal[c] = b->normal[c][k];
            r->point[c] = -b->arm_i[k] * b->normal[c][k];
            r->force_tangential[c] = b->force_tangential[c][k];
        }
        double *state = h->next.state.data + r->state_begin;
        for (uint32_t c = 0; c < states; ++c)
            state[c] = b->state[c][k];
    }
    return status;
}

/* A pair that acts, or did: into a lane. */
static dem_status kept_gather(history_call *call, uint32_t q, double offset[3])
{
    dem_contact_history *h = call->history;
    const demi_kept_pair *pair = &h->kept.pair.read[q];
    const dem_contacts_input *in = call->in;
    if (in->mass[pair->i] == 0.0 && in->mass[pair->j] == 0.0)
        return call_heavy(call, pair->i, pair->j);
    if (call->lane_count == DEMI_LANES || (call->lane_count > 0 && call->model != pair->model)) {
        const dem_status status = kept_flush(call);
        if (status != DEM_OK)
            return status;
    }
    call->model = pair->model;
    const uint64_t k = call->lane_count++;
    history_lane *lane = &call->lane[k];
    lane->pair = q;
    lane->row_i = pair->i;
    lane->row_j = pair->j;
    lane->record.key.id_i = h->kept.origin.read[q].key.id_i; /* for messages */
    lane->record.key.id_j = h->kept.origin.read[q].key.id_j;
    if (demi_dot(offset, offset) < DBL_MIN)
        offset[0] = offset[1] = offset[2] = 0.0;
    call_gather(call, k, offset);
    const uint32_t at = h->kept.at.read[q];
    call->lanes->was_touching[k] = at != DEMI_NOT_KEPT ? 1.0 : 0.0;
    const double *state =
        at != DEMI_NOT_KEPT ? h->current.state.read + h->current.record.read[at].state_begin : NULL;
    for (uint32_t c = 0; c < pair->model->state_size; ++c)
        call->lanes->state[c][k] = state != NULL ? state[c] : 0.0;
    return DEM_OK;
}

static dem_status kept_pairs(history_call *call)
{
    dem_contact_history *h = call->history;
    const demi_kept *kept = &h->kept;
    const double *position = call->in->position;
    dem_status status = DEM_OK;
    for (uint64_t q = 0; status == DEM_OK && q < kept->count; ++q) {
        const demi_kept_pair *pair = &kept->pair.read[q];
        const double *xi = demi_row3(position, call->stride[0], pair->i),
                     *xj = demi_row3(position, call->stride[0], pair->j),
                     *shift = kept->shift.read + 3 * q;
        double offset[3];
        for (int c = 0; c < 3; ++c)
            offset[c] = xi[c] - xj[c] - shift[c];
        const double squared = demi_dot(offset, offset);
        if (!(squared <= DBL_MAX) && !demi_finite3(offset))
            status = demi_fail(&h->context, DEM_ERROR_RANGE,
                               "dem_contacts_input.shifts: a distance of rows %u and %u is not "
                               "finite",
                               pair->i, pair->j);
        else if (kept->at.read[q] != DEMI_NOT_KEPT || squared < pair->touch_squared)
            status = kept_gather(call, (uint32_t)q, offset);
    }
    return status == DEM_OK ? kept_flush(call) : status;
}

/* Contacts that are not of the list. */
static void kept_absent(dem_contact_history *h)
{
    demi_kept *kept = &h->kept;
    for (uint64_t k = kept->count; k < kept->count + kept->absent_count; ++k) {
        if (kept->at.read[k] == DEMI_NOT_KEPT)
            continue;
        const demi_record *from = &h->current.record.read[kept->at.read[k]];
        kept->at_next.data[k] = (uint32_t)h->next.count;
        demi_record *to = demi_records_append(&h->next, from->model);
        const uint64_t begin = to->state_begin;
        *to = *from;
        to->state_begin = begin;
        memcpy(h->next.state.data + begin, h->current.state.read + from->state_begin,
               from->model->state_size * sizeof(double));
    }
}

static dem_status kept_run(history_call *call)
{
    dem_contact_history *h = call->history;
    demi_kept *kept = &h->kept;
    const uint64_t places = kept->count + kept->absent_count;
    memset(kept->at_next.data, 0xFF, (size_t)places * sizeof(uint32_t));
    dem_status status = DEM_OK;
    for (uint64_t k = 0; status == DEM_OK && k < kept->row_count; ++k)
        status = row_check(&h->context, call, kept->row.read[k]);
    if (status == DEM_OK)
        status = kept_pairs(call);
    if (status == DEM_OK && call->in->absent == DEM_ABSENT_KEEP)
        kept_absent(h);
    return status;
}

#endif
