/* SPDX-License-Identifier: MIT */
/* Contacts that come with particles from another world. */
#include "io/particles.h"
#include "base/check.h"
#include "io/kept_shapes.h"
#include "shapes/slots.h"

/* A contact of the bytes. */
typedef struct coming_contact {
    uint64_t id[2];
    uint32_t wall, feature;
    int32_t image[3];
    uint64_t doubles; /* that follow */
} coming_contact;

static void read_contact(demi_reader *in, coming_contact *contact)
{
    uint32_t image[4];
    contact->id[0] = demi_read_u64(in);
    contact->id[1] = demi_read_u64(in);
    demi_read_u32(in, &contact->wall, &contact->feature);
    demi_read_u32(in, &image[0], &image[1]);
    demi_read_u32(in, &image[2], &image[3]);
    for (int c = 0; c < 3; ++c)
        contact->image[c] = (int32_t)image[c];
    contact->doubles = demi_read_u64(in);
}

dem_status demi_packed_contacts_read(demi_unpack *call)
{
    dem_world *w = call->w;
    demi_reader *in = &call->in;
    const dem_status status =
        demi_packed_count(&w->context, &demi_packed_particles, in, DEMI_CONTACTS_TAG, "contacts",
                          DEMI_PACKED_CONTACT, &call->contact_count);
    if (status != DEM_OK)
        return status;
    call->contacts = *in;
    for (uint64_t k = 0; !in->failed && k < call->contact_count; ++k) {
        coming_contact contact;
        read_contact(in, &contact);
        DEMI_PACKED_REFUSE(contact.doubles > DEM_STATE_MAX + DEMI_KEPT_MOST || contact.wall > 1 ||
                               contact.id[0] > contact.id[1],
                           "the contact of %llu and %llu is not valid",
                           (unsigned long long)contact.id[0], (unsigned long long)contact.id[1]);
        /* both are looked for when all particles are there */
        demi_idmap_ask(&w->ids, contact.id[0]);
        demi_idmap_ask(&w->ids, contact.id[1]);
        for (uint64_t n = 0; n < contact.doubles; ++n)
            DEMI_PACKED_REFUSE(!isfinite(demi_read_double(in)),
                               "the state of the contact of %llu and %llu is not finite",
                               (unsigned long long)contact.id[0],
                               (unsigned long long)contact.id[1]);
    }
    demi_leave_section(in);
    DEMI_PACKED_REFUSE(in->failed || in->length != 0, "the list of contacts is not valid");
    return DEM_OK;
}

dem_status demi_packed_contacts_reserve(demi_unpack *call)
{
    static const char what[] = "particles to be read";
    demi_context *context = &call->w->context;
    for (call->seen_size = 16; call->seen_size < 2 * call->contact_count;)
        call->seen_size *= 2;
    dem_status status =
        demi_array_reserve(context, &call->incoming, call->contact_count + 1, 0, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &call->seen, call->seen_size, 0, what);
    if (status == DEM_OK)
        memset(call->seen.data, 0, (size_t)call->seen_size * sizeof *call->seen.data);
    return status;
}

/* Whether two contacts are the same one. */
static int same_contact(const demi_incoming *a, const demi_incoming *b)
{
    return a->own == b->own && a->other == b->other && a->shift == b->shift &&
           a->feature == b->feature;
}

/* Notes the contact n; 0 where it is there already. */
static int note_contact(demi_unpack *call, uint64_t n)
{
    const demi_incoming *contact = &call->incoming.read[n];
    const uint64_t mask = call->seen_size - 1,
                   ends = (uint64_t)contact->own << 32 ^ contact->other ^
                          (uint64_t)contact->feature << 17 ^ (uint64_t)contact->shift << 8;
    uint64_t at = (ends * UINT64_C(0x9E3779B97F4A7C15)) >> 32 & mask;
    for (; call->seen.read[at] != 0; at = (at + 1) & mask)
        if (same_contact(contact, &call->incoming.read[call->seen.read[at] - 1]))
            return 0;
    call->seen.data[at] = (uint32_t)n + 1;
    return 1;
}

/* An end of a contact that is not here. */
#define NOT_HERE UINT32_MAX

/* What the id of an end stands for, when all particles are there: a handle, or DEMI_WALL_BIT |
 * wall.
 */
static uint32_t end_of(const dem_world *w, uint64_t id)
{
    uint32_t at;
    if (!demi_idmap_find(&w->ids, id, &at))
        return NOT_HERE;
    if ((at & DEMI_WALL_BIT) == 0)
        __builtin_prefetch(&w->handle.read[at]);
    return at;
}

/* The row of such an end; or what it was. */
static uint32_t row_of(const dem_world *w, uint32_t end)
{
    if ((end & DEMI_WALL_BIT) != 0) /* also what is not here */
        return end;
    const uint32_t row = w->handle.read[end].row;
    __builtin_prefetch(&w->body.read[row]);
    return row;
}

/* Finds the ends of all contacts: `own` is that of the lower id. What is looked up next is asked
 * for some contacts before. */
static void find_ends(demi_unpack *call)
{
    const dem_world *w = call->w;
    const uint64_t count = call->contact_count;
    demi_incoming *end = call->incoming.data;
    demi_reader in = call->contacts;
    for (uint64_t k = 0; k < count + DEMI_PACKED_AHEAD; ++k) {
        if (k < count) {
            coming_contact contact;
            read_contact(&in, &contact);
            demi_reader_skip(&in, contact.doubles);
            end[k].own = end_of(w, contact.id[0]);
            end[k].other = end_of(w, contact.id[1]);
        }
        if (k >= DEMI_PACKED_AHEAD) {
            demi_incoming *found = &end[k - DEMI_PACKED_AHEAD];
            found->own = row_of(w, found->own);
            found->other = row_of(w, found->other);
        }
    }
}

/* Looks at what is kept of a contact with a wall that keeps something, or of a polyhedron. */
static dem_status check_slot(dem_world *w, const demi_incoming *contact, const demi_solid *solid)
{
    double kept[DEMI_KEPT_MOST];
    demi_reader in;
    const uint32_t count = demi_group_kept(contact->shape, contact->faceted);
    if (count == 0)
        return DEM_OK;
    demi_reader_start(&in, contact->bytes + 8 * (size_t)contact->model->state_size, count);
    demi_read_doubles(&in, kept, count);
    DEMI_PACKED_REFUSE(contact->faceted ? !demi_faceted_valid(kept) : !demi_slot_valid(solid, kept),
                       "what is kept of a contact of particle %llu is not "
                       "valid",
                       (unsigned long long)w->row_id.read[contact->own]);
    return DEM_OK;
}

/* The contact for the list, once its ends are rows. New rows are from `first` on. Nothing if its
 * other end is not here. */
static dem_status place_contact(demi_unpack *call, demi_reader *in, uint64_t first,
                                const uint32_t end[2], demi_incoming *to, int *here)
{
    dem_world *w = call->w;
    coming_contact contact;
    read_contact(in, &contact);
    memset(to, 0, sizeof *to);
    to->bytes = in->bytes;
    demi_reader_skip(in, contact.doubles);
    const unsigned long long a = (unsigned long long)contact.id[0],
                             b = (unsigned long long)contact.id[1];
    *here = end[0] != NOT_HERE && end[1] != NOT_HERE;
    if (!*here) {
        DEMI_PACKED_REFUSE(contact.wall,
                           "the contact of %llu and %llu is with a wall that is not here", a, b);
        return DEM_OK;
    }
    const int own = (end[0] & DEMI_WALL_BIT) == 0 && end[0] >= first ? 0 : 1;
    const uint32_t other = end[1 - own];
    const int wall = (other & DEMI_WALL_BIT) != 0;
    DEMI_PACKED_REFUSE((end[own] & DEMI_WALL_BIT) != 0 || end[own] < first ||
                           wall != (int)contact.wall,
                       "the contact of %llu and %llu has none of the particles", a, b);
    to->own = end[own];
    to->other = other;
    to->first = own == 0;
    to->feature = contact.feature;
    to->shift = DEMI_SHIFT_NONE;
    const demi_body *body = &w->body.read[to->own];
    const demi_wall *of = wall ? &w->wall.read[other & ~DEMI_WALL_BIT] : NULL;
    to->shape = wall ? of->shape : DEMI_SHAPE_SPHERE;
    to->faceted = demi_pair_faceted(body->faceted, wall ? 0 : w->body.read[other].faceted, wall);
    to->model = demi_models_get(&w->models, body->material,
                                wall ? of->material : w->body.read[other].material);
    DEMI_PACKED_REFUSE(
        to->model == NULL ||
            !demi_model_table_has(&call->table, to->model->material_a, to->model->material_b) ||
            contact.doubles != to->model->state_size + demi_group_kept(to->shape, to->faceted),
        "the contact of %llu and %llu has another model here", a, b);
    if (wall) {
        DEMI_PACKED_REFUSE(!demi_feature_valid(w, to->faceted, other, contact.feature, 1),
                           "the contact of %llu and %llu is with a face that is not here", a, b);
        return check_slot(w, to, &w->current.solid.read[other & ~DEMI_WALL_BIT]);
    }
    DEMI_PACKED_REFUSE(!demi_incoming_shift(w, to, contact.image) ||
                           !demi_feature_valid(w, to->faceted, other, contact.feature, 1),
                       "the image of the contact of %llu and %llu is not valid", a, b);
    return check_slot(w, to, NULL);
}

dem_status demi_packed_contacts_place(demi_unpack *call, uint64_t first, uint64_t *count)
{
    dem_world *w = call->w;
    dem_status status = DEM_OK;
    demi_reader in = call->contacts;
    *count = 0;
    find_ends(call);
    for (uint64_t k = 0; status == DEM_OK && k < call->contact_count; ++k) {
        int here;
        const demi_incoming *found = &call->incoming.read[k];
        const uint32_t end[2] = {found->own, found->other};
        status = place_contact(call, &in, first, end, &call->incoming.data[*count], &here);
        if (status != DEM_OK || !here)
            continue;
        DEMI_PACKED_REFUSE(!note_contact(call, *count), "a contact of %llu is there twice",
                           (unsigned long long)w->row_id.read[call->incoming.read[*count].own]);
        ++*count;
    }
    return status;
}

void demi_packed_contacts_fill(const demi_unpack *call, uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k) {
        const demi_incoming *contact = &call->incoming.read[k];
        const uint32_t size = contact->model->state_size,
                       kept = demi_group_kept(contact->shape, contact->faceted),
                       stride = demi_group_stride(contact->model, contact->shape, contact->faceted);
        demi_reader in;
        demi_reader_start(&in, contact->bytes, size + kept);
        memset(contact->state, 0, (size_t)stride * sizeof(double));
        demi_read_doubles(&in, contact->state, size);
        demi_read_doubles(&in, contact->state + stride - kept, kept);
    }
}
