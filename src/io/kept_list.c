/* SPDX-License-Identifier: MIT */
/* The neighbour list of a snapshot. In the list of contacts alone each pair is one of them, and one
 * chunk has all rows: contacts can be read from it, and a build takes them over by their keys. */
#include "io/kept_list.h"

#include "base/check.h"
#include "io/kept_shapes.h"
#include "shapes/slots.h"
#include "world/incoming.h"

#include <string.h>

#define REFUSE_IF(condition, ...)                                                                  \
    do {                                                                                           \
        if (condition)                                                                             \
            return demi_fail(&w->context, DEM_ERROR_FORMAT, "snapshot: " __VA_ARGS__);             \
    } while (0)

static const char what[] = "contacts";

/* ------------------------------------------------------------------ contacts alone */

dem_status demi_contacts_begin(dem_world *w, uint64_t rows)
{
    demi_list *list = &w->list;
    REFUSE_IF(rows > w->rows || (!w->list_stale && rows != w->rows),
              "the list does not have all particles");
    for (uint64_t row = rows; row < w->rows; ++row)
        w->rows_vacant += w->row_id.read[row] == 0;
    const dem_status status = demi_array_reserve(&w->context, &list->chunk, 1, 0, what);
    if (status != DEM_OK)
        return status;
    memset(list->chunk.data, 0, sizeof *list->chunk.data);
    list->chunk.data->row_end = list->chunk_rows = rows;
    list->chunks = rows > 0;
    list->chunks_reduced = 0;
    return DEM_OK;
}

/* The group that contacts of a kind follow, which may be a new one. */
static dem_status group_for(dem_world *w, const demi_model *model, int32_t shape, int faceted,
                            int32_t ends, demi_batch_group **group)
{
    demi_list *list = &w->list;
    demi_batch_group *last =
        list->batch_groups > 0 ? &list->batch_group.data[list->batch_groups - 1] : NULL;
    if (last == NULL || last->model != model || last->shape != shape || last->ends != ends ||
        last->faceted != (uint32_t)faceted) {
        const dem_status status =
            demi_array_reserve(&w->context, &list->batch_group, list->batch_groups + 1, 1, what);
        if (status != DEM_OK)
            return status;
        last = &list->batch_group.data[list->batch_groups++];
        *last = (demi_batch_group){.model = model,
                                   .begin = list->pairs,
                                   .end = list->pairs,
                                   .state_begin = list->states,
                                   .shape = shape,
                                   .ends = ends,
                                   .faceted = (uint32_t)faceted,
                                   .state_stride = demi_group_stride(model, shape, faceted)};
    }
    *group = last;
    return DEM_OK;
}

/* The copied row of a contact, which is its own alone. */
static dem_status copy_add(dem_world *w, const demi_kept_contact *contact, uint32_t *place)
{
    demi_list *list = &w->list;
    const uint64_t count = list->chunk_copies + 1;
    dem_status status = demi_array_reserve(&w->context, &list->source, count, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &list->shift, count, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &list->feature, count, 1, what);
    if (status != DEM_OK)
        return status;
    *place = (uint32_t)list->chunk_copies;
    list->source.data[*place] = contact->other;
    list->shift.data[*place] = (unsigned char)contact->shift;
    list->feature.data[*place] =
        demi_feature_face((contact->other & DEMI_WALL_BIT) != 0, contact->feature);
    list->chunk_copies = count;
    return DEM_OK;
}

static dem_status pair_add(dem_world *w, const demi_kept_contact *contact, int32_t ends)
{
    demi_list *list = &w->list;
    uint32_t other = contact->other;
    dem_status status = demi_array_reserve(&w->context, &list->pair, list->pairs + 1, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &w->current.touching, list->pairs + 1, 1, what);
    if (status == DEM_OK && ends != DEMI_LOCALITY_OWN)
        status = copy_add(w, contact, &other);
    if (status != DEM_OK)
        return status;
    const uint32_t own = contact->own,
                   slot =
                       demi_feature_slot((contact->other & DEMI_WALL_BIT) != 0, contact->feature);
    const int first = ends != DEMI_LOCALITY_COPY_I;
    list->pair.data[list->pairs] = demi_pair_of(first ? own : other, first ? other : own, slot);
    w->current.touching.data[list->pairs++] = 1;
    return DEM_OK;
}

/* See demi_batch_group. */
static int contact_faceted(const dem_world *w, const demi_kept_contact *contact)
{
    const int is_wall = (contact->other & DEMI_WALL_BIT) != 0;
    return demi_pair_faceted(w->body.read[contact->own].faceted,
                             is_wall ? 0 : w->body.read[contact->other].faceted, is_wall);
}

dem_status demi_contacts_add(dem_world *w, const demi_kept_contact *contact,
                             const demi_model **model, double **state)
{
    demi_list *list = &w->list;
    const int is_wall = (contact->other & DEMI_WALL_BIT) != 0;
    const uint32_t at = contact->other & ~DEMI_WALL_BIT;
    REFUSE_IF(contact->own >= list->chunk_rows || at >= (is_wall ? w->walls : list->chunk_rows) ||
                  contact->own == contact->other,
              "an end of a contact is not there");
    const demi_body *own = &w->body.read[contact->own];
    const demi_wall *wall = is_wall ? &w->wall.read[at] : NULL;
    const uint64_t id = is_wall ? wall->id : w->body.read[at].id;
    REFUSE_IF(own->id == 0 || id == 0, "an end of a contact is not there");
    REFUSE_IF(contact->shift >= DEMI_SHIFTS || (is_wall && contact->shift != DEMI_SHIFT_NONE) ||
                  !demi_feature_valid(w, contact_faceted(w, contact), contact->other,
                                      contact->feature, 0),
              "the contact of %llu and %llu is not valid", (unsigned long long)own->id,
              (unsigned long long)id);
    *model = demi_models_get(&w->models, own->material,
                             is_wall ? wall->material : w->body.read[at].material);
    REFUSE_IF(*model == NULL, "the contact of %llu and %llu has no model",
              (unsigned long long)own->id, (unsigned long long)id);
    REFUSE_IF(list->pairs >= UINT32_MAX / DEMI_LOCAL_OFFSET ||
                  contact->own >= UINT32_MAX / DEMI_LOCAL_OFFSET ||
                  at >= UINT32_MAX / DEMI_LOCAL_OFFSET,
              "there are too many contacts");
    /* who has the lower id comes first, and the chunk has all rows but not their images */
    const int first = own->id < id, faceted = contact_faceted(w, contact),
              copied = is_wall || contact->shift != DEMI_SHIFT_NONE;
    const int32_t ends = !first   ? DEMI_LOCALITY_COPY_I
                         : copied ? DEMI_LOCALITY_COPY_J
                                  : DEMI_LOCALITY_OWN;
    if (is_wall) /* as in world/incoming.c */
        w->wall.data[at].place = DEMI_WALL_LISTED;
    if (faceted == DEMI_GROUP_SLOTS)
        demi_polyhedra_slots_have(w, contact->feature);
    demi_batch_group *group;
    dem_status status =
        group_for(w, *model, is_wall ? wall->shape : DEMI_SHAPE_SPHERE, faceted, ends, &group);
    if (status == DEM_OK)
        status = pair_add(w, contact, ends);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &w->current.contact_state,
                                    list->states + group->state_stride, 1, what);
    if (status != DEM_OK)
        return status;
    group->end = list->pairs;
    *state = w->current.contact_state.data + list->states;
    memset(*state, 0, group->state_stride * sizeof(double));
    list->states += group->state_stride;
    return DEM_OK;
}

dem_status demi_contacts_end(dem_world *w)
{
    demi_list *list = &w->list;
    demi_chunk *chunk = list->chunk.data;
    chunk->batch_group_end = list->batch_groups;
    chunk->copies_end = list->chunk_copies;
    chunk->states = list->states;
    list->pairs_room = list->pairs;
    /* both states have room, because they change places */
    const dem_status status =
        demi_array_reserve(&w->context, &w->next.touching, list->pairs, 0, what);
    if (status != DEM_OK)
        return status;
    return demi_array_reserve(&w->context, &w->next.contact_state, list->states, 0, what);
}

/* ------------------------------------------------------------------ the sections */

dem_status demi_drifts_begin(dem_world *w, demi_kept_list *kept, uint64_t rows, uint64_t each)
{
    REFUSE_IF(!demi_not_negative(kept->skin) || !demi_not_negative(kept->reach) ||
                  (each == 0 && rows > 0),
              "the list of neighbours is not valid");
    kept->past.chunk_rows = each;
    kept->past.drifts = rows > 0 ? (rows - 1) / each + 1 : 0;
    return demi_array_reserve(&w->context, &kept->drift, kept->past.drifts, 0, what);
}

dem_status demi_drift_check(dem_world *w, const demi_drift *drift)
{
    REFUSE_IF(!demi_finite3(drift->mean_velocity) || !demi_not_negative(drift->displacement_bound),
              "the drift of particles is not valid");
    return DEM_OK;
}

dem_status demi_read_list(demi_reader *in, dem_world *w, demi_kept_list *kept)
{
    uint32_t rows, each;
    demi_read_u32(in, &rows, &each);
    dem_status status = demi_contacts_begin(w, rows);
    if (status != DEM_OK || w->list_stale)
        return status;
    kept->skin = demi_read_double(in);
    kept->reach = demi_read_double(in);
    status = demi_drifts_begin(w, kept, rows, each);
    for (uint64_t k = 0; status == DEM_OK && k < kept->past.drifts; ++k) {
        demi_drift *drift = &kept->drift.data[k];
        demi_read_doubles(in, drift->mean_velocity, 3);
        drift->displacement_bound = demi_read_double(in);
        status = demi_drift_check(w, drift);
    }
    return status;
}

/* What the shape of a wall keeps of a contact. */
static dem_status read_kept(demi_reader *in, dem_world *w, uint32_t at, double *kept)
{
    const uint32_t count = demi_wall_shape(&w->wall.read[at])->kept;
    demi_read_doubles(in, kept, count);
    REFUSE_IF(count > 0 && !in->failed && !demi_slot_valid(&w->current.solid.read[at], kept),
              "what is kept of a contact of wall %llu is not valid",
              (unsigned long long)w->wall.read[at].id);
    return DEM_OK;
}

/* What is kept of a contact of polyhedra. */
static dem_status read_faceted(demi_reader *in, dem_world *w, const demi_kept_contact *contact,
                               const demi_model *model, double *state)
{
    const int is_wall = (contact->other & DEMI_WALL_BIT) != 0;
    const int32_t shape =
        is_wall ? w->wall.read[contact->other & ~DEMI_WALL_BIT].shape : DEMI_SHAPE_SPHERE;
    double *kept = state + demi_group_stride(model, shape, 1) - DEMI_FACETED_KEPT;
    demi_read_doubles(in, kept, DEMI_FACETED_KEPT);
    REFUSE_IF(!in->failed && !demi_faceted_valid(kept),
              "what is kept of a contact of particle %llu, a polyhedron, is not valid",
              (unsigned long long)w->body.read[contact->own].id);
    return DEM_OK;
}

static dem_status read_contact(demi_reader *in, dem_world *w)
{
    demi_kept_contact contact = {.shift = DEMI_SHIFT_NONE};
    const demi_model *model;
    double *state;
    demi_read_u32(in, &contact.own, &contact.other);
    if ((contact.own & DEMI_CONTACT_MORE) != 0)
        demi_read_u32(in, &contact.shift, &contact.feature);
    contact.own &= ~DEMI_CONTACT_MORE;
    const dem_status status = demi_contacts_add(w, &contact, &model, &state);
    if (status != DEM_OK)
        return status;
    demi_read_doubles(in, state, model->state_size);
    if (contact_faceted(w, &contact))
        return read_faceted(in, w, &contact, model, state);
    return (contact.other & DEMI_WALL_BIT) != 0
               ? read_kept(in, w, contact.other & ~DEMI_WALL_BIT, state + demi_state_stride(model))
               : DEM_OK;
}

dem_status demi_read_contacts(demi_reader *in, dem_world *w)
{
    dem_status status = DEM_OK;
    while (status == DEM_OK && !in->failed && in->length > 0)
        status = read_contact(in, w);
    return status == DEM_OK ? demi_contacts_end(w) : status;
}

dem_status demi_kept_list_build(dem_world *w, demi_kept_list *kept)
{
    kept->past.drift = kept->drift.read;
    const dem_status status =
        w->list_stale ? DEM_OK : demi_world_list_again(w, &kept->past, kept->skin, kept->reach);
    if (status == DEM_OK)
        demi_walls_settle(w);
    return status;
}
