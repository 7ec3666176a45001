/* SPDX-License-Identifier: MIT */
/* Calls that list few of the contacts and keep the others: these change the records of `current`
 * in place, so that the others need not be copied. What `next` then has undoes it: first what
 * became of the contacts of `next`, in their order, then the contacts that ended. */
#include "contact/call.h"

/* The place of a contact that is new. */
#define PLACE_NEW UINT32_MAX

int demi_partial_wanted(const demi_history_call *call)
{
    const dem_contacts_input *in = call->in;
    return call->kind == DEMI_CALL_STEP && in->absent == DEM_ABSENT_KEEP && in->ghost_count == 0 &&
           in->pair_count < call->history->current.count / 4;
}

dem_status demi_partial_reserve(demi_history_call *call)
{
    dem_contact_history *h = call->history;
    demi_context *context = &h->context;
    /* each pair may make a contact and end another one, which undoing brings back */
    const uint64_t pairs = call->in->pair_count, most = 2 * pairs,
                   states = most * demi_models_widest(&h->models);
    dem_status status = demi_records_reset(context, &h->next, most, states);
    if (status == DEM_OK)
        status = demi_records_grow(context, &h->current, most, states);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &h->partial_place, most, 0, "contacts of a part");
    if (status == DEM_OK)
        status = demi_array_reserve(context, &h->partial_listed, pairs, 0, "contacts of a part");
    call->partial = status == DEM_OK;
    return status;
}

/* The content of two records of one model and one key; each keeps its place. */
static void contents_exchange(demi_records *a, uint64_t n, demi_records *b, uint64_t m)
{
    demi_record *of_a = &a->record.data[n], *of_b = &b->record.data[m];
    const demi_record exchanged = *of_a;
    const uint64_t at_a = of_a->state_begin, at_b = of_b->state_begin;
    double *state_a = a->state.data + at_a, *state_b = b->state.data + at_b;
    for (uint32_t c = 0; c < exchanged.model->state_size; ++c) {
        const double state = state_a[c];
        state_a[c] = state_b[c];
        state_b[c] = state;
    }
    *of_a = *of_b;
    *of_b = exchanged;
    of_a->state_begin = at_a;
    of_b->state_begin = at_b;
}

void demi_partial_commit(demi_history_call *call)
{
    dem_contact_history *h = call->history;
    demi_records *current = &h->current, *next = &h->next;
    const uint64_t listed = next->count;
    for (uint64_t n = 0; n < call->partial_listed; ++n) {
        const demi_record *before = &current->record.read[h->partial_listed.read[n]];
        const uint64_t now = demi_records_find(next, &before->key);
        if (now == UINT64_MAX || next->record.read[now].model != before->model)
            demi_records_copy(next, before, current->state.read);
    }
    for (uint64_t n = listed; n < next->count; ++n) {
        const uint64_t at = demi_records_find(current, &next->record.read[n].key);
        h->partial_place.data[n] = (uint32_t)at;
        demi_records_remove(current, at);
    }
    for (uint64_t n = 0; n < listed; ++n) {
        const demi_record *r = &next->record.read[n];
        const uint64_t at = demi_records_find(current, &r->key);
        h->partial_place.data[n] = at == UINT64_MAX ? PLACE_NEW : (uint32_t)at;
        if (at == UINT64_MAX)
            (void)demi_records_add(current, r, next->state.read + r->state_begin);
        else
            contents_exchange(current, at, next, n);
    }
    h->partial_count = listed;
}

void demi_partial_undo(dem_contact_history *h)
{
    demi_records *current = &h->current, *next = &h->next;
    for (uint64_t n = h->partial_count; n-- > 0;)
        if (h->partial_place.read[n] == PLACE_NEW)
            demi_records_remove(current, current->count - 1);
        else
            contents_exchange(current, h->partial_place.read[n], next, n);
    for (uint64_t n = next->count; n-- > h->partial_count;) {
        const demi_record *r = &next->record.read[n];
        demi_records_insert(current, h->partial_place.read[n], r,
                            next->state.read + r->state_begin);
    }
}
