/* SPDX-License-Identifier: MIT */
#include "world/incoming.h"

#include <string.h>

static const char what[] = "contacts that come";

/* Features that a wall may be touched at; grows: where slots are, there may be more. */
static uint32_t wall_features(const dem_world *w, uint64_t wall, int grows)
{
    const demi_shape *shape = demi_wall_shape(&w->wall.read[wall]);
    return shape->kept > 0 && !grows ? w->current.solid.read[wall].slots : shape->features;
}

int demi_feature_valid(const dem_world *w, int faceted, uint32_t other, uint32_t feature, int grows)
{
    const int wall = (other & DEMI_WALL_BIT) != 0;
    const uint32_t faces = wall ? wall_features(w, other & ~DEMI_WALL_BIT, grows) : 1;
    if (!faceted)
        return feature < faces;
    const uint32_t slots = faceted == DEMI_GROUP_SLOTS ? DEMI_SLOTS_MOST : DEMI_PATCHES_MOST;
    return demi_feature_face(wall, feature) < faces && demi_feature_slot(wall, feature) < slots;
}

int demi_incoming_shift(const dem_world *w, demi_incoming *contact, const int32_t image[3])
{
    const demi_body *own = &w->body.read[contact->own], *other = &w->body.read[contact->other];
    uint32_t shift = 0, weight = 1;
    for (int c = 0; c < 3; ++c, weight *= 3) {
        const int64_t periods = (contact->first ? (int64_t)image[c] : -(int64_t)image[c]) -
                                own->image[c] + other->image[c];
        const int most = w->config.boundary[c] == DEM_BOUNDARY_PERIODIC;
        if (periods < -most || periods > most)
            return 0;
        shift += (uint32_t)(periods + 1) * weight;
    }
    contact->shift = shift;
    return contact->own != contact->other || shift != DEMI_SHIFT_NONE;
}

/* What contacts become: chunks of consecutive rows behind those of the list. */
typedef struct incoming_call {
    dem_world *w;
    demi_incoming *contact;
    uint64_t count;
    uint64_t first, rows;       /* that the list does not have */
    DEMI_ARRAY(uint32_t) begin; /* by row from `first` on, and the end: contacts in `order` */
    DEMI_ARRAY(uint32_t) order;
    uint64_t chunks, states; /* new chunks; doubles */
    uint32_t widest;
} incoming_call;

static void call_free(incoming_call *call)
{
    demi_array_free(&call->w->context, &call->begin);
    demi_array_free(&call->w->context, &call->order);
}

/* Sorts the contacts by their own rows. */
static dem_status sort_by_row(incoming_call *call)
{
    demi_context *context = &call->w->context;
    dem_status status = demi_array_reserve(context, &call->begin, call->rows + 1, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &call->order, call->count, 0, what);
    if (status != DEM_OK)
        return status;
    uint32_t *begin = call->begin.data;
    memset(begin, 0, (size_t)(call->rows + 1) * sizeof *begin);
    for (uint64_t k = 0; k < call->count; ++k)
        ++begin[call->contact[k].own - call->first + 1];
    for (uint64_t row = 0; row < call->rows; ++row)
        begin[row + 1] += begin[row];
    for (uint64_t k = 0; k < call->count; ++k)
        call->order.data[begin[call->contact[k].own - call->first]++] = (uint32_t)k;
    memmove(begin + 1, begin, (size_t)call->rows * sizeof *begin);
    begin[0] = 0;
    return DEM_OK;
}

/* Pairs of a chunk, unless one row has more. */
enum { CHUNK_PAIRS = 4096 };

/* The row behind those of a chunk that begins with a row. */
static uint64_t chunk_end(const incoming_call *call, uint64_t row)
{
    const uint32_t *begin = call->begin.read;
    uint64_t end = row + 1;
    while (end < call->rows && begin[end + 1] - begin[row] <= CHUNK_PAIRS)
        ++end;
    return end;
}

/* How many chunks there will be, with how much state. */
static void plan(incoming_call *call)
{
    for (uint64_t row = 0; row < call->rows; row = chunk_end(call, row))
        ++call->chunks;
    call->widest = 0;
    for (uint64_t k = 0; k < call->count; ++k) {
        const uint32_t stride = demi_group_stride(call->contact[k].model, call->contact[k].shape,
                                                  call->contact[k].faceted);
        call->states += stride;
        call->widest = stride > call->widest ? stride : call->widest;
    }
}

static dem_status make_room(const incoming_call *call)
{
    dem_world *w = call->w;
    demi_context *context = &w->context;
    demi_list *list = &w->list;
    const uint64_t chunks = list->chunks + call->chunks, pairs = list->pairs_room + call->count,
                   copies = list->chunk_copies + call->count, states = list->states + call->states;
    if (pairs > UINT32_MAX)
        return demi_fail(context, DEM_ERROR_RANGE, DEMI_PAIRS_MESSAGE, (unsigned long long)pairs);
    dem_status status = demi_array_reserve(context, &list->chunk, chunks, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &list->pair, pairs, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &list->batch_group, list->batch_groups + call->count,
                                    1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &list->source, copies, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &list->shift, copies, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &list->feature, copies, 1, what);
    /* both states, which change places */
    demi_state *const sides[] = {&w->current, &w->next};
    for (int k = 0; status == DEM_OK && k < 2; ++k) {
        status = demi_array_reserve(context, &sides[k]->touching, pairs, k == 0, what);
        if (status == DEM_OK)
            status = demi_array_reserve(context, &sides[k]->contact_state, states, k == 0, what);
    }
    /* contacts are read in workspaces */
    if (status == DEM_OK && w->workspaces.count > 0)
        status = demi_workspaces_reserve(context, &w->workspaces, 0, 0, 0, call->widest);
    return status;
}

/* The group that a contact follows in its chunk, which may be a new one. */
static demi_batch_group *group_for(demi_list *list, demi_chunk *chunk, const demi_incoming *contact,
                                   const demi_body *bodies, int32_t ends, uint64_t pair)
{
    const uint32_t i = contact->first ? contact->own : contact->other;
    const uint32_t uncounted = (i & DEMI_WALL_BIT) == 0 && demi_kinds[bodies[i].kind].ghost ? 1 : 0;
    if (chunk->batch_group_end > chunk->batch_group_begin) {
        demi_batch_group *last = &list->batch_group.data[chunk->batch_group_end - 1];
        if (last->model == contact->model && last->shape == contact->shape && last->ends == ends &&
            last->uncounted == uncounted && last->faceted == (uint32_t)contact->faceted)
            return last;
    }
    demi_batch_group *group = &list->batch_group.data[chunk->batch_group_end++];
    *group = (demi_batch_group){
        .model = contact->model,
        .begin = pair,
        .end = pair,
        .state_begin = list->states,
        .shape = contact->shape,
        .ends = ends,
        .faceted = (uint32_t)contact->faceted,
        .state_stride = demi_group_stride(contact->model, contact->shape, contact->faceted),
        .uncounted = uncounted};
    list->batch_groups++;
    return group;
}

static void contact_enter(dem_world *w, demi_chunk *chunk, demi_incoming *contact, uint64_t pair)
{
    demi_list *list = &w->list;
    const int here = (contact->other & DEMI_WALL_BIT) == 0 && contact->shift == DEMI_SHIFT_NONE &&
                     contact->other >= chunk->row_begin && contact->other < chunk->row_end;
    const int32_t ends = here             ? DEMI_LOCALITY_OWN
                         : contact->first ? DEMI_LOCALITY_COPY_J
                                          : DEMI_LOCALITY_COPY_I;
    const int wall = (contact->other & DEMI_WALL_BIT) != 0;
    uint64_t other = contact->other - chunk->row_begin;
    if (contact->faceted == DEMI_GROUP_SLOTS)
        demi_polyhedra_slots_have(w, contact->feature);
    if (wall) /* its place is another wall's only when a list without it was built */
        w->wall.data[contact->other & ~DEMI_WALL_BIT].place = DEMI_WALL_LISTED;
    if (wall && demi_shapes[contact->shape]->kept > 0)
        demi_slots_have(w, contact->other & ~DEMI_WALL_BIT, demi_feature_face(1, contact->feature));
    if (!here) {
        other = list->chunk_copies++ - chunk->copies_begin;
        list->source.data[chunk->copies_end] = contact->other;
        list->shift.data[chunk->copies_end] = (unsigned char)contact->shift;
        list->feature.data[chunk->copies_end++] = demi_feature_face(wall, contact->feature);
    }
    demi_batch_group *group = group_for(list, chunk, contact, w->body.read, ends, pair);
    /* the present list names it from now on, which dem_contact_model_set asks for */
    demi_models_get(&w->models, group->model->material_a, group->model->material_b)->set_after = 0;
    const uint32_t a = (uint32_t)(contact->own - chunk->row_begin), b = (uint32_t)other,
                   slot = demi_feature_slot(wall, contact->feature);
    /* as demi_pair_ends reads it: of two rows of the chunk i is the first */
    list->pair.data[pair] = contact->first ? demi_pair_of(a, b, slot) : demi_pair_of(b, a, slot);
    w->current.touching.data[pair] = 1;
    group->end = pair + 1;
    group->state_room++;
    contact->state = w->current.contact_state.data + list->states;
    list->states += group->state_stride;
    list->pairs++;
}

static void chunk_enter(incoming_call *call, uint64_t row, uint64_t end)
{
    dem_world *w = call->w;
    demi_list *list = &w->list;
    demi_chunk *chunk = &list->chunk.data[list->chunks++];
    memset(chunk, 0, sizeof *chunk);
    chunk->pair_begin = list->pairs_room;
    chunk->row_begin = call->first + row;
    chunk->row_end = call->first + end;
    chunk->batch_group_begin = chunk->batch_group_end = list->batch_groups;
    chunk->copies_begin = chunk->copies_end = list->chunk_copies;
    chunk->state_begin = list->states;
    for (uint32_t n = call->begin.read[row]; n < call->begin.read[end]; ++n)
        contact_enter(w, chunk, &call->contact[call->order.read[n]], list->pairs_room++);
    chunk->states = list->states - chunk->state_begin;
}

dem_status demi_incoming_add(dem_world *w, demi_incoming *contact, uint64_t count)
{
    const uint64_t first = demi_list_rows(&w->list);
    incoming_call call = {
        .w = w, .contact = contact, .count = count, .first = first, .rows = w->rows - first};
    if (count == 0)
        return DEM_OK;
    dem_status status = sort_by_row(&call);
    if (status == DEM_OK) {
        plan(&call);
        status = make_room(&call);
    }
    if (status == DEM_OK) {
        for (uint64_t row = 0, end; row < call.rows; row = end) {
            end = chunk_end(&call, row);
            chunk_enter(&call, row, end);
        }
        w->rows_vacant = 0;
    }
    call_free(&call);
    return status;
}
