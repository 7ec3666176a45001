/* SPDX-License-Identifier: MIT */
/* A step of a kept list. Arithmetic, order and errors are those of evaluate.c. What the step keeps
 * of contacts goes to the other side of the list, so that one that fails changes nothing. */
#include "contact/call.h"
#include "contact/input.h"
#include "contact/kept.h"

#include <string.h>

/* Puts what the list keeps in place of what the host gives. */
dem_status demi_kept_input(dem_contact_history *h, dem_contacts_input *in)
{
    const demi_kept *kept = &h->kept;
    static const uint32_t none[2] = {0, 0};
    if (!kept->open)
        return demi_fail(&h->context, DEM_ERROR_STATE,
                         "kept list of the history: there is none, or the history changed "
                         "after it: call dem_contacts_list_begin");
    if (in->particle_count != kept->particle_count || in->ghost_count != kept->ghost_count)
        return demi_fail(
            &h->context, DEM_ERROR_RANGE,
            "dem_contacts_input: %llu particles with %llu ghosts, and the list has "
            "%llu with %llu: call dem_contacts_list_begin",
            (unsigned long long)in->particle_count, (unsigned long long)in->ghost_count,
            (unsigned long long)kept->particle_count, (unsigned long long)kept->ghost_count);
    in->pair_count = kept->row_count; /* rows are looked at, though no pair may have a model */
    in->pairs = none;
    in->radius = kept->radius.read;
    in->mass = kept->mass.read;
    in->material = NULL;
    if (in->id == NULL)
        in->id = &kept->origin.read->key.id_i; /* there; it is not read */
    return DEM_OK;
}

/* Whether accelerations have the row of the list that is the last one of the host. */
static int kept_accelerations(const demi_history_call *call)
{
    const dem_contacts_input *in = call->in;
    const demi_kept *kept = &call->history->kept;
    const uint64_t rows = kept->row_count > 0 ? kept->row.read[kept->row_count - 1] + 1u : 0;
    return (in->acceleration == NULL || rows <= in->acceleration_count) &&
           (in->angular_acceleration == NULL || rows <= in->angular_acceleration_count);
}

dem_status demi_kept_rows_check(const demi_history_call *call)
{
    dem_contact_history *h = call->history;
    dem_status status = DEM_OK;
    if (kept_accelerations(call) && demi_kept_rows_read(call))
        return DEM_OK;
    for (uint64_t k = 0; status == DEM_OK && k < h->kept.row_count; ++k)
        status = demi_row_check(&h->context, call, h->kept.row.read[k]);
    return status;
}

void demi_kept_add_forces(const demi_history_call *call)
{
    if (call->history->sums.exact)
        demi_exact_add_forces(call);
    else
        demi_kept_rows_write(call);
}

static void kept_state_copy(const demi_kept *kept, demi_kept_side *side, uint64_t from, uint64_t to)
{
    side->touching.data[to] = 1;
    memcpy(side->state.data + to * kept->state_stride, side->state.read + from * kept->state_stride,
           (size_t)kept->state_stride * sizeof(double));
}

static void kept_result_copy(demi_kept_side *side, uint64_t from, uint64_t to)
{
    memcpy(side->result.data + to * DEMI_KEPT_RESULT, side->result.read + from * DEMI_KEPT_RESULT,
           DEMI_KEPT_RESULT * sizeof(double));
    if (side->source == DEMI_KEPT_GEOMETRY)
        memcpy(side->given.data + to * DEMI_KEPT_GIVEN, side->given.read + from * DEMI_KEPT_GIVEN,
               DEMI_KEPT_GIVEN * sizeof(double));
}

/* A contact that two pairs list, as one with an image may be, is one: what the first of them keeps
 * that touches is what both keep. Results are read of the first alone. */
static void kept_twins(const demi_kept *kept, demi_kept_side *side)
{
    const unsigned char *touching = side->touching.read;
    for (uint64_t k = 0; k < kept->twin_count; ++k) {
        const demi_kept_twin twin = kept->twin.read[k];
        if (touching[twin.first] || !touching[twin.pair])
            continue;
        kept_state_copy(kept, side, twin.pair, twin.first);
        kept_result_copy(side, twin.pair, twin.first);
    }
    for (uint64_t k = 0; k < kept->twin_count; ++k) {
        const demi_kept_twin twin = kept->twin.read[k];
        if (touching[twin.first])
            kept_state_copy(kept, side, twin.first, twin.pair);
    }
}

/* What the step leaves: contacts of which the records are not made. */
void demi_kept_end(dem_contact_history *h, int absent, int source)
{
    demi_kept *kept = &h->kept;
    demi_kept_side *side = &kept->next;
    side->source = source;
    kept_twins(kept, side);
    side->absent = absent && kept->current.absent;
    side->count = side->absent ? kept->absent.count : 0;
    side->count += demi_touching_count(side->touching.read, 0, kept->count);
    for (uint64_t k = 0; k < kept->twin_count; ++k)
        side->count -= side->touching.read[kept->twin.read[k].pair];
    h->next.count = side->count;
    h->next.listed = 1;
}

dem_status demi_kept_run(demi_history_call *call)
{
    dem_contact_history *h = call->history;
    demi_kept *kept = &h->kept;
    const int keep = !call->in->forces_only;
    if (call->in->ghost_count > 0)
        call->ends = h->ends.data; /* as long as the list was begun with */
    if (keep)
        memset(kept->next.touching.data, 0, (size_t)kept->count);
    dem_status status = demi_kept_rows_check(call);
    if (status == DEM_OK && (kept->tasks.count == 0 || !demi_kept_tasks_run(call, demi_kept_pairs)))
        status = demi_kept_pairs(call, NULL, 0, kept->count);
    if (status == DEM_OK && keep)
        demi_kept_end(h, call->in->absent == DEM_ABSENT_KEEP, DEMI_KEPT_SPHERES);
    return status;
}
