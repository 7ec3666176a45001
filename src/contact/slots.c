/* SPDX-License-Identifier: MIT */
/* dem_contact_history_slots: features for pairs that have several contacts, so that each goes on
 * with the history of the one before it that it is most like. */
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "contact/history.h"

#include <string.h>

enum {
    SLOT_OLD = 0,     /* in the history */
    SLOT_MATCHED = 1, /* in the history, and a pair of the list goes on with it */
    SLOT_NEW = 2,     /* a pair of the list without a feature */
    SLOT_DONE = 3     /* a pair of the list that has one */
};
#define SLOT_NONE UINT32_MAX

/* A contact, in a list of all those of its two bodies. */
typedef struct demi_slot {
    dem_contact_key key; /* without a feature */
    double normal[3];    /* from the body of the higher id to the other */
    uint64_t feature;
    uint32_t next;   /* of the same bodies */
    uint32_t last;   /* of the list; at its first one */
    uint32_t before; /* on the way of slots_chain */
    int state;       /* SLOT_... */
} demi_slot;

typedef struct slots_call {
    const dem_contacts_input *in;
    const dem_contacts_geometry *geometry;
    demi_slot *slot;
    uint32_t *table; /* slot + 1 of the first of each list, or 0 */
    uint32_t *used;  /* by feature: the same of the last list that has it */
    uint64_t count, mask;
    double cosine;
} slots_call;

/* ------------------------------------------------------------------ lists */

static int slot_together(const dem_contact_key *a, const dem_contact_key *b)
{
    return a->id_i == b->id_i && a->id_j == b->id_j &&
           memcmp(a->image, b->image, sizeof a->image) == 0;
}

static void slots_append(slots_call *call, const demi_slot *slot)
{
    const uint32_t at = (uint32_t)call->count++;
    call->slot[at] = *slot;
    call->slot[at].next = SLOT_NONE;
    call->slot[at].last = at;
    uint64_t k = demi_key_hash(&slot->key) & call->mask;
    for (; call->table[k] != 0; k = (k + 1) & call->mask) {
        demi_slot *first = &call->slot[call->table[k] - 1];
        if (!slot_together(&first->key, &slot->key))
            continue;
        call->slot[first->last].next = at;
        first->last = at;
        return;
    }
    call->table[k] = at + 1;
}

/* ------------------------------------------------------------------ one list */

/* Of those of the other kind that have no match: the one that a contact is most like, or SLOT_NONE.
 * Of several that are as good: the one of the lowest feature, or the first of the list. */
static uint32_t slots_best(const slots_call *call, uint32_t first, uint32_t at)
{
    const demi_slot *slot = call->slot;
    const int wanted = slot[at].state == SLOT_OLD ? SLOT_NEW : SLOT_OLD;
    uint32_t best = SLOT_NONE;
    double most = call->cosine;
    for (uint32_t k = first; k != SLOT_NONE; k = slot[k].next) {
        if (slot[k].state != wanted)
            continue;
        const double alike = demi_dot(slot[at].normal, slot[k].normal);
        if (alike > most || (alike == most && best != SLOT_NONE && wanted == SLOT_OLD &&
                             slot[k].feature < slot[best].feature)) {
            most = alike;
            best = k;
        }
    }
    return best;
}

static void slots_match(demi_slot *a, demi_slot *b)
{
    demi_slot *old = a->state == SLOT_OLD ? a : b, *now = old == a ? b : a;
    old->state = SLOT_MATCHED;
    now->state = SLOT_DONE;
    now->feature = old->feature;
}

/* Goes from a contact to the one that it is most like, from there on to what that is most like, and
 * so on. Two that are most like each other match, as they would if the best match of all were taken
 * first, then the best of the rest. The way goes on from the contact before them. */
static void slots_chain(slots_call *call, uint32_t first, uint32_t at)
{
    demi_slot *slot = call->slot;
    slot[at].before = SLOT_NONE;
    while (at != SLOT_NONE) {
        const uint32_t best = slots_best(call, first, at), before = slot[at].before;
        if (best == SLOT_NONE)
            return; /* the first of the way */
        if (best == before) {
            slots_match(&slot[at], &slot[before]);
            at = slot[before].before;
        } else {
            slot[best].before = at;
            at = best;
        }
    }
}

/* Features of a list are marked with its first contact. Those that are as large as there are
 * contacts are never the lowest that is free. */
static void slots_group(slots_call *call, uint32_t first)
{
    demi_slot *slot = call->slot;
    for (uint32_t a = first; a != SLOT_NONE; a = slot[a].next)
        if (slot[a].state == SLOT_OLD)
            slots_chain(call, first, a);
    for (uint32_t a = first; a != SLOT_NONE; a = slot[a].next)
        if (slot[a].state != SLOT_NEW && slot[a].feature < call->count)
            call->used[slot[a].feature] = first + 1;
    uint64_t feature = 0;
    for (uint32_t a = first; a != SLOT_NONE; a = slot[a].next) {
        if (slot[a].state != SLOT_NEW)
            continue;
        while (call->used[feature] == first + 1)
            ++feature;
        slot[a].feature = feature++;
        slot[a].state = SLOT_DONE;
    }
}

/* ------------------------------------------------------------------ the call */

static uint64_t slot_id(const dem_contacts_input *in, uint32_t row)
{
    return in->id != NULL ? in->id[row] : row;
}

/* Key and normal of a pair of the list, as a record has them: i is the lower id. */
static demi_slot slot_of_pair(const slots_call *call, uint64_t p)
{
    const dem_contacts_input *in = call->in;
    demi_slot slot = {.state = SLOT_NEW};
    slot.key.id_i = slot_id(in, in->pairs[2 * p]);
    slot.key.id_j = slot_id(in, in->pairs[2 * p + 1]);
    int turned = slot.key.id_j < slot.key.id_i;
    for (int c = 0, equal = slot.key.id_i == slot.key.id_j; c < 3; ++c) {
        slot.key.image[c] = in->images != NULL ? in->images[3 * p + (uint64_t)c] : 0;
        turned |= equal && slot.key.image[c] < 0;
        equal &= slot.key.image[c] == 0;
    }
    const uint64_t lower = turned ? slot.key.id_j : slot.key.id_i;
    slot.key.id_j = turned ? slot.key.id_i : slot.key.id_j;
    slot.key.id_i = lower;
    for (int c = 0; c < 3; ++c) {
        const double normal = call->geometry->normal[3 * p + (uint64_t)c];
        slot.normal[c] = turned ? -normal : normal;
        slot.key.image[c] = turned ? -slot.key.image[c] : slot.key.image[c];
    }
    return slot;
}

static dem_status slots_input_check(demi_context *context, const dem_contacts_input *in,
                                    const dem_contacts_geometry *g)
{
    if (in->pair_count > 0 && (in->pairs == NULL || g->normal == NULL))
        return demi_fail(context, DEM_ERROR_ARGUMENT, "dem_contacts_%s: must not be NULL",
                         in->pairs == NULL ? "input.pairs" : "geometry.normal");
    for (uint64_t p = 0; p < in->pair_count; ++p) {
        for (int k = 0; k < 2; ++k)
            if (in->pairs[2 * p + (uint64_t)k] >= in->particle_count)
                return demi_fail(context, DEM_ERROR_RANGE,
                                 "dem_contacts_input.pairs[%llu]: row %lu is not below "
                                 "particle_count %llu",
                                 (unsigned long long)p,
                                 (unsigned long)in->pairs[2 * p + (uint64_t)k],
                                 (unsigned long long)in->particle_count);
        if (!demi_finite3(&g->normal[3 * p]))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_contacts_geometry.normal[%llu]: is not finite",
                             (unsigned long long)p);
        for (uint64_t c = 3 * p; in->images != NULL && c < 3 * p + 3; ++c)
            if (in->images[c] == INT32_MIN)
                return demi_fail(context, DEM_ERROR_RANGE,
                                 "dem_contacts_input.images[%llu]: %ld has no opposite in 32 bits",
                                 (unsigned long long)p, (long)in->images[c]);
    }
    return DEM_OK;
}

static dem_status slots_reserve(dem_contact_history *history, slots_call *call)
{
    demi_context *context = &history->context;
    const uint64_t most = history->current.count + call->in->pair_count;
    uint64_t size = 16;
    while (size < 2 * most)
        size *= 2;
    dem_status status = demi_array_reserve(context, &history->slots, most, 0, "slots of contacts");
    if (status == DEM_OK)
        status =
            demi_array_reserve(context, &history->slots_table, size + most, 0, "table of slots");
    if (status != DEM_OK)
        return status;
    call->slot = history->slots.data;
    call->table = history->slots_table.data;
    call->used = call->table + size;
    call->mask = size - 1;
    memset(call->table, 0, (size_t)(size + most) * sizeof *call->table);
    return DEM_OK;
}

static void slots_run(dem_contact_history *history, slots_call *call, uint64_t *features)
{
    demi_kept_records(history);
    for (uint64_t k = 0; k < history->current.count; ++k) {
        const demi_record *r = &history->current.record.read[k];
        demi_slot slot = {.key = r->key, .feature = r->key.feature, .state = SLOT_OLD};
        slot.key.feature = 0;
        memcpy(slot.normal, r->normal, sizeof slot.normal);
        slots_append(call, &slot);
    }
    const uint64_t begin = call->count;
    for (uint64_t p = 0; p < call->in->pair_count; ++p) {
        const demi_slot slot = slot_of_pair(call, p);
        slots_append(call, &slot);
    }
    for (uint64_t k = 0; k <= call->mask; ++k)
        if (call->table[k] != 0)
            slots_group(call, call->table[k] - 1);
    for (uint64_t p = 0; p < call->in->pair_count; ++p)
        features[p] = call->slot[begin + p].feature;
}

DEMI_GUARDED guarded_contact_history_slots(dem_contact_history *history,
                                           const dem_contacts_input *input,
                                           const dem_contacts_geometry *geometry, double cosine,
                                           uint64_t *features)
{
    demi_context *context = &history->context;
    if (input == NULL || geometry == NULL || (input->pair_count > 0 && features == NULL))
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                         input == NULL      ? "input"
                         : geometry == NULL ? "geometry"
                                            : "features");
    dem_contacts_input in;
    memset(&in, 0, sizeof in);
    dem_contacts_geometry g = {0};
    if (demi_sized_read(&in, input) != DEM_OK)
        return demi_sized_fail(context, "dem_contacts_input", input->struct_size);
    if (demi_sized_read(&g, geometry) != DEM_OK)
        return demi_sized_fail(context, "dem_contacts_geometry", geometry->struct_size);
    if (!isfinite(cosine) || cosine <= -1.0 || cosine >= 1.0)
        return demi_fail(context, DEM_ERROR_RANGE, "cosine: %g is not in (-1, 1)", cosine);
    slots_call call = {.in = &in, .geometry = &g, .cosine = cosine};
    dem_status status = demi_pair_count_check(history, &in);
    if (status == DEM_OK)
        status = slots_input_check(context, &in, &g);
    if (status == DEM_OK)
        status = slots_reserve(history, &call);
    if (status == DEM_OK)
        slots_run(history, &call, features);
    return status;
}

dem_status dem_contact_history_slots(dem_contact_history *history, const dem_contacts_input *input,
                                     const dem_contacts_geometry *geometry, double cosine,
                                     uint64_t *features)
{
    DEMI_SET(history, guarded_contact_history_slots(history, input, geometry, cosine, features));
}
