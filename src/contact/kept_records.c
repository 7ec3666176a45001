/* SPDX-License-Identifier: MIT */
/* Records of the contacts of a kept list. Its steps write none: they are made when somebody reads
 * or changes the history. */
#include "contact/kept.h"

#include <string.h>

/* From the centre of i to the contact point, along the normal; as lane_arms in lanes.c has it. */
static double record_arm(const demi_kept *kept, uint64_t n, double overlap)
{
    const uint64_t place = kept->pair.read[n].i / DEMI_LOCAL_OFFSET;
    const double radius = kept->radius.read[kept->row.read[place]];
    return kept->model.read[n]->lever_arm == DEM_ARM_CONTACT ? radius - 0.5 * overlap : radius;
}

void demi_kept_past(const demi_kept *kept, uint64_t n, demi_record *r)
{
    const double *result = kept->current.result.read + n * DEMI_KEPT_RESULT;
    r->overlap = result[0];
    r->force_normal = result[4];
    const int given = kept->current.source == DEMI_KEPT_GEOMETRY;
    const double *point = given ? kept->current.given.read + n * DEMI_KEPT_GIVEN : NULL;
    r->elastic = given ? point[3] : 0.0; /* spheres do not merge */
    const double arm = record_arm(kept, n, r->overlap);
    for (int c = 0; c < 3; ++c) {
        r->normal[c] = result[1 + c];
        r->force_tangential[c] = result[5 + c];
        r->point[c] = given ? point[c] : -arm * r->normal[c];
    }
}

static void record_make(const demi_kept *kept, uint64_t n, demi_records *to)
{
    const demi_kept_origin *origin = &kept->origin.read[n];
    demi_record *r = demi_records_append(to, kept->model.read[n]);
    r->key = origin->key;
    r->material_i = origin->material_i;
    r->material_j = origin->material_j;
    demi_kept_past(kept, n, r);
    memcpy(to->state.data + r->state_begin, kept->current.state.read + n * kept->state_stride,
           r->model->state_size * sizeof(double));
}

void demi_kept_records(dem_contact_history *h)
{
    const demi_kept *kept = &h->kept;
    demi_records *to = &h->current;
    if (!to->listed)
        return;
    to->listed = 0;
    to->table_stale = 1;
    to->table_size = 16;
    while (to->table_size < 2 * to->count)
        to->table_size *= 2;
    to->count = to->state_count = 0;
    for (uint64_t n = 0; n < kept->count; ++n)
        if (kept->current.touching.read[n] && kept->origin.read[n].first == DEMI_NOT_KEPT)
            record_make(kept, n, to);
    for (uint64_t k = 0; kept->current.absent && k < kept->absent.count; ++k)
        demi_records_copy(to, &kept->absent.record.read[k], kept->absent.state.read);
}

void demi_history_table(dem_contact_history *h)
{
    demi_kept_records(h);
    demi_records_table(&h->current);
}

void demi_kept_given_keep(demi_history_call *call, uint64_t k)
{
    demi_kept *kept = &call->history->kept;
    demi_kept_side *side = &kept->next;
    const uint64_t n = call->place[k];
    const demi_record *record = &call->lane[k].record;
    double *result = side->result.data + n * DEMI_KEPT_RESULT,
           *given = side->given.data + n * DEMI_KEPT_GIVEN;
    result[0] = record->overlap;
    result[4] = record->force_normal;
    for (int c = 0; c < 3; ++c) {
        result[1 + c] = record->normal[c];
        result[5 + c] = record->force_tangential[c];
        given[c] = record->point[c];
    }
    given[3] = record->elastic;
    for (uint32_t c = 0; c < record->model->state_size; ++c)
        side->state.data[n * kept->state_stride + c] = call->lanes->state[c][k];
    side->touching.data[n] = 1;
}
