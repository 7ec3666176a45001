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

static void record_make(const demi_kept *kept, uint64_t n, demi_records *to)
{
    const double *result = kept->current.result.read + n * DEMI_KEPT_RESULT;
    const demi_kept_origin *origin = &kept->origin.read[n];
    demi_record *r = demi_records_append(to, kept->model.read[n]);
    r->key = origin->key;
    r->material_i = origin->material_i;
    r->material_j = origin->material_j;
    r->overlap = result[0];
    r->force_normal = result[4];
    r->elastic = 0.0; /* contacts of a list do not merge */
    const double arm = record_arm(kept, n, r->overlap);
    for (int c = 0; c < 3; ++c) {
        r->normal[c] = result[1 + c];
        r->force_tangential[c] = result[5 + c];
        r->point[c] = -arm * r->normal[c];
    }
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
        if (kept->current.touching.read[n] && kept->origin.read[n].twin == DEMI_NOT_KEPT)
            record_make(kept, n, to);
    for (uint64_t k = 0; kept->current.absent && k < kept->absent.count; ++k)
        demi_records_copy(to, &kept->absent.record.read[k], kept->absent.state.read);
}

void demi_history_table(dem_contact_history *h)
{
    demi_kept_records(h);
    demi_records_table(&h->current);
}
