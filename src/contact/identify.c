/* SPDX-License-Identifier: MIT */
/* Which contact a pair of a host's list is: its key, its model, and its record. */
#include "contact/call.h"

static uint64_t row_id(const dem_contacts_input *in, uint32_t row)
{
    return in->id != NULL ? in->id[row] : row;
}

static int image_negative(const int32_t image[3])
{
    for (int c = 0; c < 3; ++c)
        if (image[c] != 0)
            return image[c] < 0;
    return 0;
}

/* Tells once that nothing was said of a pair of materials. */
static void model_missing(dem_contact_history *h, int32_t a, int32_t b, uint64_t id_a,
                          uint64_t id_b)
{
    unsigned char *mark = demi_models_mark(&h->models, a, b);
    if ((*mark & (DEMI_PAIR_SET | DEMI_PAIR_TOLD_MISSING)) != 0)
        return;
    *mark |= DEMI_PAIR_TOLD_MISSING;
    demi_log(
        &h->context, DEM_LOG_WARNING,
        "materials %d and %d (ids %llu and %llu) have no contact model and do not interact: call "
        "dem_contact_history_model_set; an empty model means no interaction",
        (int)a, (int)b, (unsigned long long)id_a, (unsigned long long)id_b);
}

static int call_shifted(const dem_contacts_input *in, uint64_t p)
{
    const double *shift = in->shifts != NULL ? in->shifts + 3 * p : NULL;
    return shift != NULL && (shift[0] != 0.0 || shift[1] != 0.0 || shift[2] != 0.0);
}

dem_status demi_call_identify(demi_history_call *call, uint64_t p, demi_pair_identity *of)
{
    dem_contact_history *h = call->history;
    demi_context *context = &h->context;
    const dem_contacts_input *in = call->in;
    uint32_t i = in->pairs[2 * p], j = in->pairs[2 * p + 1];
    dem_status status = demi_row_check(context, call, i);
    if (status == DEM_OK)
        status = demi_row_check(context, call, j);
    if (status == DEM_OK && i == j && call->geometry == NULL && !call_shifted(in, p))
        status = demi_fail(context, DEM_ERROR_RANGE,
                           "dem_contacts_input.pairs[%llu]: row %u twice, without a shift to its "
                           "image",
                           (unsigned long long)p, (unsigned)i);
    if (status != DEM_OK)
        return status;
    const int32_t mi = in->material != NULL ? in->material[i] : 0;
    const int32_t mj = in->material != NULL ? in->material[j] : 0;
    const demi_model *model = demi_models_get(&h->models, mi, mj);
    if (model == NULL)
        model_missing(h, mi, mj, row_id(in, i), row_id(in, j));
    of->record = (demi_record){.model = model, .material_i = mi, .material_j = mj};
    dem_contact_key *key = &of->record.key;
    key->feature = in->features != NULL ? in->features[p] : 0;
    for (int c = 0; c < 3; ++c) {
        key->image[c] = in->images != NULL ? in->images[3 * p + (uint64_t)c] : 0;
        if (key->image[c] == INT32_MIN)
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_contacts_input.images[%llu]: %d has no opposite in 32 bits",
                             (unsigned long long)p, (int)key->image[c]);
    }
    /* i is the lower id, whatever the order in the list */
    of->turned = row_id(in, j) < row_id(in, i) ||
                 (row_id(in, j) == row_id(in, i) && image_negative(key->image));
    of->i = of->turned ? j : i;
    of->j = of->turned ? i : j;
    if (of->turned) {
        of->record.material_i = mj;
        of->record.material_j = mi;
        for (int c = 0; c < 3; ++c)
            key->image[c] = -key->image[c];
    }
    key->id_i = row_id(in, of->i);
    key->id_j = row_id(in, of->j);
    /* the same operations whichever row is listed first, so that the bits are the same */
    for (uint64_t c = 0; c < 3; ++c)
        of->shift[c] = in->shifts != NULL ? (of->turned ? -1.0 : 1.0) * in->shifts[3 * p + c] : 0.0;
    return DEM_OK;
}

/* Whether both rows of a pair are ghosts: then other processes have it. */
int demi_pair_of_ghosts(const demi_history_call *call, uint64_t p)
{
    const uint64_t i = call->in->pairs[2 * p], j = call->in->pairs[2 * p + 1];
    const uint64_t count = call->in->particle_count, owned = call->owned_count;
    return i >= owned && j >= owned && i < count && j < count;
}

/* Marks the ends of a contact that are the host's own in this listing of it; `added`: it is the
 * first listing. Tells whether another listing had one of them already. */
static int call_ends_again(demi_history_call *call, const demi_record *record, uint32_t row_i,
                           uint32_t row_j, int added)
{
    const demi_records *to = &call->history->next;
    const unsigned ends =
        (row_i < call->owned_count ? ENDS_I : 0u) | (row_j < call->owned_count ? ENDS_J : 0u);
    unsigned char *before =
        &call->ends[added ? to->count - 1 : demi_records_find(to, &record->key)];
    const int again = !added && (*before & ends) != 0;
    *before = (unsigned char)(added ? ends : *before | ends);
    return again;
}

/* Adds a contact to the next generation. With ghosts it may be listed twice, if each listing has
 * another end that is the host's own. */
int demi_call_add_record(demi_history_call *call, const demi_record *record, uint32_t row_i,
                         uint32_t row_j, const double *state)
{
    const int added = demi_records_add(&call->history->next, record, state);
    return call->ends == NULL ? added : !call_ends_again(call, record, row_i, row_j, added);
}

dem_status demi_call_twice(demi_history_call *call, const demi_record *record)
{
    return demi_fail(&call->history->context, DEM_ERROR_DUPLICATE,
                     "dem_contacts_input.pairs: the contact of %llu and %llu is listed twice",
                     (unsigned long long)record->key.id_i, (unsigned long long)record->key.id_j);
}

/* Marks a contact of a stage as listed, with the ends that are the host's own in this listing. As
 * in a step, another listing must not have had one of them. */
static dem_status stage_listed(demi_history_call *call, const demi_pair_identity *of,
                               uint64_t index)
{
    const unsigned ends =
        (of->i < call->owned_count ? ENDS_I : 0u) | (of->j < call->owned_count ? ENDS_J : 0u);
    unsigned char *seen = &call->history->seen.data[index];
    if ((*seen & ends) != 0)
        return demi_call_twice(call, &of->record);
    *seen = (unsigned char)(*seen | ends);
    return DEM_OK;
}

/* The record from which a pair goes on, or NULL. One that was made under another model, because a
 * particle changed its material, does not count: the contact starts anew. */
dem_status demi_call_before(demi_history_call *call, const demi_pair_identity *of,
                            const demi_record **before)
{
    dem_contact_history *h = call->history;
    const demi_record *record = &of->record;
    const demi_records *from = call->kind == DEMI_CALL_RATE ? &h->next : &h->current;
    const uint64_t index = demi_records_find_after(from, &record->key, &call->guess);
    *before = NULL;
    if (index == UINT64_MAX)
        return DEM_OK;
    const demi_record *found = from->record.data + index;
    if (call->partial && !h->seen.read[index])
        h->partial_listed.data[call->partial_listed++] = (uint32_t)index;
    if (call->kind != DEMI_CALL_RATE)
        h->seen.data[index] = 1;
    else if (found->model != record->model)
        return demi_fail(&h->context, DEM_ERROR_STATE,
                         "dem_contacts_input.material: the contact of %llu and %llu has other "
                         "materials than at dem_contacts_stage_begin",
                         (unsigned long long)found->key.id_i, (unsigned long long)found->key.id_j);
    if (found->model == record->model)
        *before = found;
    return call->kind == DEMI_CALL_RATE ? stage_listed(call, of, index) : DEM_OK;
}

dem_status demi_call_heavy(demi_history_call *call, uint32_t i, uint32_t j)
{
    return demi_fail(
        &call->history->context, DEM_ERROR_RANGE,
        "dem_contacts_input.mass[%u] and [%u]: both are 0 (infinite mass); one must be > 0 kg", i,
        j);
}
