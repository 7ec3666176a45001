/* SPDX-License-Identifier: MIT */
/* Contacts of a history as bytes: of some particles, or all of them. In the frame of packed.h:
 * section "laws", pairs of materials with the names and versions of their laws; section
 * "contacts". */
#include "base/entry.h"
#include "base/isa.h"
#include "contact/history.h"
#include "io/model_table.h"
#include "io/packed.h"

#include <string.h>

static const demi_packed packed_contacts = {"contacts",
                                            "\x89"
                                            "DEMC\r\n\x1a",
                                            "dem_contact_history_pack", DEM_CONTACTS_VERSION};
static const char LAWS[] = "laws    ", CONTACTS[] = "contacts";

/* Words of a contact without its state. */
enum { CONTACT_LENGTH = 17 };

/* ------------------------------------------------------------------ choosing */

static dem_status pick_reserve(dem_contact_history *h)
{
    demi_kept_records(h);
    const uint64_t most = h->current.count;
    dem_status status =
        demi_array_reserve(&h->context, &h->picked, most, 0, "contacts to be written");
    if (status == DEM_OK)
        status =
            demi_array_reserve(&h->context, &h->picked_mark, most, 0, "contacts to be written");
    if (status == DEM_OK)
        status =
            demi_array_reserve(&h->context, &h->picked_models, most, 0, "contacts to be written");
    return status;
}

/* The contacts of the ids, each once; their number. */
static uint64_t pick_ids(dem_contact_history *h, uint64_t count, const uint64_t *ids)
{
    uint64_t picked = 0;
    for (uint64_t k = 0; k < count; ++k)
        for (uint32_t end = demi_ids_first(h, ids[k]); end != DEMI_NO_END;
             end = demi_ids_next(h, ids[k], end)) {
            const uint32_t record = end / 2;
            if (h->picked_mark.data[record])
                continue;
            h->picked_mark.data[record] = 1;
            h->picked.data[picked++] = record;
        }
    for (uint64_t k = 0; k < picked; ++k)
        h->picked_mark.data[h->picked.data[k]] = 0;
    return picked;
}

static uint64_t pick_all(dem_contact_history *h)
{
    for (uint64_t k = 0; k < h->current.count; ++k)
        h->picked.data[k] = (uint32_t)k;
    return h->current.count;
}

/* What is written: contacts, and the pairs of materials that they have. */
typedef struct contacts_choice {
    dem_contact_history *h;
    uint64_t picked, states;
    demi_model_table models;
} contacts_choice;

static demi_model_table table_of(dem_contact_history *h)
{
    const demi_model_table table = {
        &h->context,           &h->models, "contacts", "dem_contact_history_model_set",
        h->picked_models.data, 0};
    return table;
}

static contacts_choice choice_of(dem_contact_history *h, uint64_t picked)
{
    contacts_choice choice = {h, picked, 0, table_of(h)};
    for (uint64_t k = 0; k < picked; ++k) {
        const demi_record *r = &h->current.record.read[h->picked.read[k]];
        choice.states += r->model->state_size;
        demi_model_table_add(&choice.models, r->material_i, r->material_j);
    }
    return choice;
}

/* ------------------------------------------------------------------ writing */

static void write_laws(demi_writer *out, const void *argument)
{
    const contacts_choice *choice = argument;
    demi_model_table_write(out, &choice->models);
}

static unsigned char *put_contact(unsigned char *to, const demi_records *from, const demi_record *r)
{
    to = demi_put_u64(to, r->key.id_i);
    to = demi_put_u64(to, r->key.id_j);
    to = demi_put_u64(to, r->key.feature);
    to = demi_put_u32(to, (uint32_t)r->key.image[0], (uint32_t)r->key.image[1]);
    to = demi_put_u32(to, (uint32_t)r->key.image[2], 0);
    to = demi_put_u32(to, (uint32_t)r->material_i, (uint32_t)r->material_j);
    to = demi_put_doubles(to, &r->overlap, 1);
    to = demi_put_doubles(to, r->normal, 3);
    to = demi_put_doubles(to, &r->force_normal, 1);
    to = demi_put_doubles(to, r->force_tangential, 3);
    to = demi_put_doubles(to, r->point, 3);
    return demi_put_doubles(to, from->state.read + r->state_begin, r->model->state_size);
}

static uint64_t contacts_length(const contacts_choice *choice)
{
    return 1 + CONTACT_LENGTH * choice->picked + choice->states;
}

/* Asks for the memory of a contact that is written soon. */
DEMI_ASK void record_ask(const demi_record *r)
{
    const unsigned char *lines = (const unsigned char *)r;
    for (size_t k = 0; k < sizeof *r; k += 64)
        __builtin_prefetch(lines + k);
}

/* Sums are made contact by contact, while the memory of later ones comes. */
static void write_contacts(demi_bytes *out, const contacts_choice *choice)
{
    enum { AHEAD = 8 };
    const dem_contact_history *h = choice->h;
    const demi_record *record = h->current.record.read;
    const uint32_t *picked = h->picked.read;
    unsigned char *to = demi_put_head(out->to, CONTACTS, contacts_length(choice));
    demi_bytes_end(out, demi_put_u64(to, choice->picked));
    for (uint64_t k = 0; k < choice->picked; ++k) {
        if (k + AHEAD < choice->picked)
            record_ask(&record[picked[k + AHEAD]]);
        demi_bytes_end(out, put_contact(out->to, &h->current, &record[picked[k]]));
    }
}

static void write_whole(unsigned char *buffer, const contacts_choice *choice, uint64_t bytes)
{
    demi_bytes out = {buffer, DEMI_STREAM_SEED};
    demi_writer writer;
    demi_bytes_writer(&out, &writer);
    demi_packed_begin(&packed_contacts, packed_contacts.version, &writer, bytes);
    demi_write_section(&writer, LAWS, write_laws, choice);
    demi_bytes_written(&out, &writer);
    write_contacts(&out, choice);
    demi_put_u64(out.to, out.hash);
}

static uint64_t whole_bytes(const contacts_choice *choice)
{
    demi_writer count;
    demi_writer_start(&count, NULL, NULL);
    write_laws(&count, choice);
    return 8 *
           (DEMI_PACKED_HEAD + 2 + count.length + 2 + contacts_length(choice) + DEMI_PACKED_TAIL);
}

/* Writes what was picked, if there is a buffer, and says how much it is. */
static dem_status write_picked(dem_contact_history *h, uint64_t picked, void *buffer, uint64_t size,
                               uint64_t *bytes)
{
    contacts_choice choice = choice_of(h, picked);
    const uint64_t needed = whole_bytes(&choice);
    demi_model_table named = choice.models;
    demi_model_table_clear(&named);
    if (buffer != NULL && size < needed)
        return demi_fail(&h->context, DEM_ERROR_RANGE,
                         "size: %llu bytes are fewer than the %llu of the contacts",
                         (unsigned long long)size, (unsigned long long)needed);
    if (buffer != NULL)
        write_whole(buffer, &choice, needed);
    if (bytes != NULL)
        *bytes = needed;
    return DEM_OK;
}

DEMI_GUARDED guarded_contact_history_pack(dem_contact_history *history, uint64_t count,
                                          const uint64_t *ids, void *buffer, uint64_t size,
                                          uint64_t *bytes)
{
    if (count > 0 && ids == NULL)
        return demi_fail(&history->context, DEM_ERROR_ARGUMENT, "ids: must not be NULL");
    if (buffer == NULL && bytes == NULL)
        return demi_fail(&history->context, DEM_ERROR_ARGUMENT,
                         "buffer and bytes: one must not be NULL");
    dem_status status = demi_ids_index(history);
    if (status == DEM_OK)
        status = pick_reserve(history);
    if (status != DEM_OK)
        return status;
    return write_picked(history, pick_ids(history, count, ids), buffer, size, bytes);
}

dem_status dem_contact_history_pack(dem_contact_history *history, uint64_t count,
                                    const uint64_t *ids, void *buffer, uint64_t size,
                                    uint64_t *bytes)
{
    DEMI_SET(history, guarded_contact_history_pack(history, count, ids, buffer, size, bytes));
}

DEMI_GUARDED guarded_contact_history_snapshot(dem_contact_history *history, void *buffer,
                                              uint64_t size, uint64_t *written)
{
    const dem_status status = pick_reserve(history);
    if (status != DEM_OK)
        return status;
    return write_picked(history, pick_all(history), buffer, size, written);
}

DEMI_GUARDED pointer_check(dem_contact_history *history, const void *pointer, const char *name)
{
    return pointer != NULL
               ? DEM_OK
               : demi_fail(&history->context, DEM_ERROR_ARGUMENT, "%s: must not be NULL", name);
}

DEMI_GUARDED guarded_contact_history_snapshot_size(dem_contact_history *history, uint64_t *bytes)
{
    const dem_status status = pointer_check(history, bytes, "bytes");
    return status != DEM_OK ? status : guarded_contact_history_snapshot(history, NULL, 0, bytes);
}

dem_status dem_contact_history_snapshot_size(dem_contact_history *history, uint64_t *bytes)
{
    DEMI_SET(history, guarded_contact_history_snapshot_size(history, bytes));
}

DEMI_GUARDED guarded_contact_history_snapshot_write(dem_contact_history *history, void *buffer,
                                                    uint64_t size, uint64_t *written)
{
    const dem_status status = pointer_check(history, buffer, "buffer");
    return status != DEM_OK ? status
                            : guarded_contact_history_snapshot(history, buffer, size, written);
}

dem_status dem_contact_history_snapshot(dem_contact_history *history, void *buffer, uint64_t size,
                                        uint64_t *written)
{
    DEMI_SET(history, guarded_contact_history_snapshot_write(history, buffer, size, written));
}

/* ------------------------------------------------------------------ reading */

static dem_status damaged(dem_contact_history *h, const char *what)
{
    return demi_fail(&h->context, DEM_ERROR_FORMAT, "contacts: %s", what);
}

/* Checks the pairs of materials and names them. */
static dem_status read_laws(dem_contact_history *h, demi_reader *in, demi_model_table *table)
{
    uint64_t count;
    dem_status status = demi_packed_count(&h->context, &packed_contacts, in, LAWS,
                                          "models with laws", DEMI_MODEL_TABLE_LEAST, &count);
    if (status == DEM_OK)
        status =
            demi_array_reserve(&h->context, &h->picked_models, count, 0, "contacts to be read");
    *table = table_of(h);
    if (status == DEM_OK)
        status = demi_model_table_read(in, table, count);
    if (status != DEM_OK)
        return status;
    demi_leave_section(in);
    return in->failed ? damaged(h, "the table of laws is not valid") : DEM_OK;
}

/* One contact; `state` has room for DEM_STATE_MAX. */
static dem_status read_contact(dem_contact_history *h, demi_reader *in, demi_record *r,
                               double *state)
{
    uint32_t image[4], material[2];
    memset(r, 0, sizeof *r);
    r->key.id_i = demi_read_u64(in);
    r->key.id_j = demi_read_u64(in);
    r->key.feature = demi_read_u64(in);
    demi_read_u32(in, &image[0], &image[1]);
    demi_read_u32(in, &image[2], &image[3]);
    for (int c = 0; c < 3; ++c)
        r->key.image[c] = (int32_t)image[c];
    r->key.reserved = (int32_t)image[3];
    demi_read_u32(in, &material[0], &material[1]);
    demi_read_doubles(in, &r->overlap, 1);
    demi_read_doubles(in, r->normal, 3);
    demi_read_doubles(in, &r->force_normal, 1);
    demi_read_doubles(in, r->force_tangential, 3);
    demi_read_doubles(in, r->point, 3);
    const uint32_t most = (uint32_t)h->models.material_count;
    if (in->failed || material[0] >= most || material[1] >= most)
        return damaged(h, "a contact is cut short or has a material that is not there");
    r->material_i = (int32_t)material[0];
    r->material_j = (int32_t)material[1];
    r->model = demi_models_get(&h->models, r->material_i, r->material_j);
    if (r->model == NULL ||
        (*demi_models_mark(&h->models, r->material_i, r->material_j) & DEMI_PAIR_NAMED) == 0)
        return damaged(h, "a contact has materials whose laws are not named");
    demi_read_doubles(in, state, r->model->state_size);
    if (in->failed)
        return damaged(h, "a contact is cut short");
    return demi_record_check(h, r, state, DEM_ERROR_FORMAT, "contacts");
}

/* Adds all contacts of the section to records. Those that were there stay. */
static dem_status read_contacts(dem_contact_history *h, demi_reader *in, demi_records *to)
{
    const uint64_t known = to->count;
    uint64_t count;
    dem_status status = demi_packed_count(&h->context, &packed_contacts, in, CONTACTS, "contacts",
                                          CONTACT_LENGTH, &count);
    if (status == DEM_OK)
        status = demi_records_grow(&h->context, to, count, in->length - CONTACT_LENGTH * count);
    for (uint64_t k = 0; k < count && status == DEM_OK; ++k) {
        demi_record r = {.elastic = 0.0};
        double state[DEM_STATE_MAX];
        status = read_contact(h, in, &r, state);
        /* there is room for as many doubles as so many contacts leave */
        if (status == DEM_OK && in->length < CONTACT_LENGTH * (count - k - 1))
            return damaged(h, "a contact is cut short");
        if (status == DEM_OK && !demi_records_add(to, &r, state) &&
            demi_records_find(to, &r.key) >= known)
            return damaged(h, "a contact is there twice");
    }
    if (status != DEM_OK)
        return status;
    demi_leave_section(in);
    return in->failed || in->length != 0 ? damaged(h, "there is more after the contacts") : DEM_OK;
}

/* Frame and sections, into records. */
static dem_status read_whole(dem_contact_history *h, const void *buffer, uint64_t size,
                             demi_records *to)
{
    demi_reader in;
    if (buffer == NULL)
        return demi_fail(&h->context, DEM_ERROR_ARGUMENT, "buffer: must not be NULL");
    dem_status status = demi_packed_frame(&h->context, &packed_contacts, &in, buffer, size);
    if (status != DEM_OK)
        return status;
    demi_model_table table = {.count = 0};
    status = read_laws(h, &in, &table);
    if (status == DEM_OK)
        status = read_contacts(h, &in, to);
    demi_model_table_clear(&table);
    return status;
}

DEMI_GUARDED guarded_contact_history_unpack(dem_contact_history *history, const void *buffer,
                                            uint64_t size)
{
    demi_records *to = &history->current;
    const uint64_t known = to->count;
    demi_history_table(history);
    dem_status status = read_whole(history, buffer, size, to);
    if (status == DEM_OK && history->index_valid) {
        const uint64_t added = to->count - known;
        status = demi_ids_grow(history, added);
    }
    if (status != DEM_OK) {
        while (to->count > known)
            demi_records_remove(to, to->count - 1);
        return status;
    }
    if (history->index_valid)
        demi_ids_add(history, known);
    history->stages_open = history->undoable = history->kept.open = 0;
    return DEM_OK;
}

dem_status dem_contact_history_unpack(dem_contact_history *history, const void *buffer,
                                      uint64_t size)
{
    DEMI_SET(history, guarded_contact_history_unpack(history, buffer, size));
}

DEMI_GUARDED guarded_contact_history_restore(dem_contact_history *history, const void *buffer,
                                             uint64_t size)
{
    demi_context *context = &history->context;
    demi_records fresh = {.count = 0};
    dem_status status = demi_records_reset(context, &fresh, 0, 0);
    if (status == DEM_OK)
        status = read_whole(history, buffer, size, &fresh);
    if (status == DEM_OK) {
        const demi_records old = history->current;
        history->current = fresh;
        fresh = old;
        demi_history_changed(history);
    }
    demi_records_free(context, &fresh);
    return status;
}

dem_status dem_contact_history_restore(dem_contact_history *history, const void *buffer,
                                       uint64_t size)
{
    DEMI_SET(history, guarded_contact_history_restore(history, buffer, size));
}
