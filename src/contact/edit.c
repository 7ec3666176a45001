/* SPDX-License-Identifier: MIT */
/* Contacts that a host adds, forgets and takes back. */
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "contact/history.h"

#include <stdio.h>

/* ------------------------------------------------------------------ taking back */

DEMI_GUARDED guarded_contacts_undo(dem_contact_history *history)
{
    if (!history->undoable)
        return demi_fail(&history->context, DEM_ERROR_STATE,
                         "dem_contacts_undo: the last call that changes the history was no "
                         "evaluation, or it failed; nothing is taken back");
    const int kept = history->kept.open;
    if (history->partial)
        demi_partial_undo(history);
    else
        demi_history_exchange(history);
    demi_history_changed(history);
    if (kept) { /* the last evaluation was one of the list, which goes on */
        demi_kept_exchange(&history->kept);
        history->kept.open = 1;
    }
    return DEM_OK;
}

dem_status dem_contacts_undo(dem_contact_history *history)
{
    DEMI_SET(history, guarded_contacts_undo(history));
}

/* ------------------------------------------------------------------ forgetting */

DEMI_GUARDED guarded_contact_history_forget(dem_contact_history *history, uint64_t count,
                                            const uint64_t *ids)
{
    if (count > 0 && ids == NULL)
        return demi_fail(&history->context, DEM_ERROR_ARGUMENT, "ids: must not be NULL");
    const dem_status status = demi_ids_index(history);
    if (status != DEM_OK)
        return status;
    demi_history_table(history);
    for (uint64_t k = 0; k < count; ++k)
        for (uint32_t end; (end = demi_ids_first(history, ids[k])) != DEMI_NO_END;)
            demi_ids_remove(history, end / 2);
    history->stages_open = history->undoable = history->kept.open = 0;
    return DEM_OK;
}

dem_status dem_contact_history_forget(dem_contact_history *history, uint64_t count,
                                      const uint64_t *ids)
{
    DEMI_SET(history, guarded_contact_history_forget(history, count, ids));
}

/* ------------------------------------------------------------------ adding */

/* Whether a key is as evaluations make it. */
static const char *key_fault(const dem_contact_key *key)
{
    if (key->reserved != 0)
        return "key.reserved is not 0";
    if (key->id_i > key->id_j)
        return "key.id_i is the higher id";
    int sign = 0;
    for (int c = 0; c < 3; ++c) {
        if (key->image[c] == INT32_MIN)
            return "key.image has no opposite in 32 bits";
        sign = sign != 0 ? sign : (key->image[c] > 0) - (key->image[c] < 0);
    }
    return key->id_i == key->id_j && sign < 0 ? "key.image of a particle and itself is negative"
                                              : NULL;
}

static const char *record_fault(const demi_record *r, const double *state)
{
    if (!isfinite(r->overlap))
        return "overlap is not finite";
    /* before the force, of which the normal makes a number */
    if (!demi_finite3(r->normal) || fabs(demi_dot(r->normal, r->normal) - 1.0) > 2e-6)
        return "normal is not of length 1 to 1e-6";
    if (!isfinite(r->force_normal))
        return "force_normal is not finite";
    if (!demi_finite3(r->force_tangential))
        return "force_tangential is not finite";
    for (int c = 0; c < 3; ++c)
        if (isinf(r->point[c]))
            return "the contact point is not finite";
    for (uint32_t k = 0; k < r->model->state_size; ++k)
        if (!isfinite(state[k]))
            return "a state is not finite";
    return NULL;
}

dem_status demi_record_check(dem_contact_history *h, const demi_record *record, const double *state,
                             dem_status status, const char *what)
{
    const char *fault = key_fault(&record->key);
    if (fault == NULL)
        fault = record_fault(record, state);
    return fault == NULL ? DEM_OK
                         : demi_fail(&h->context, status, "%s: contact of %llu and %llu: %s", what,
                                     (unsigned long long)record->key.id_i,
                                     (unsigned long long)record->key.id_j, fault);
}

static dem_status contact_model(dem_contact_history *h, uint64_t n, const dem_contact *c,
                                const demi_model **model)
{
    const int32_t materials = h->models.material_count;
    if (c->material_i < 0 || c->material_i >= materials || c->material_j < 0 ||
        c->material_j >= materials)
        return demi_fail(
            &h->context, DEM_ERROR_RANGE, "contacts[%llu]: materials %d and %d are not in [0, %d)",
            (unsigned long long)n, (int)c->material_i, (int)c->material_j, (int)materials);
    *model = demi_models_get(&h->models, c->material_i, c->material_j);
    if (*model == NULL)
        return demi_fail(&h->context, DEM_ERROR_UNKNOWN,
                         "contacts[%llu]: materials %d and %d have no contact model: call "
                         "dem_contact_history_model_set",
                         (unsigned long long)n, (int)c->material_i, (int)c->material_j);
    if (c->state_count != (*model)->state_size)
        return demi_fail(&h->context, DEM_ERROR_RANGE,
                         "contacts[%llu].state_count: %llu doubles, and the model of its materials "
                         "has %lu",
                         (unsigned long long)n, (unsigned long long)c->state_count,
                         (unsigned long)(*model)->state_size);
    if (c->state_count > 0 && c->state == NULL)
        return demi_fail(&h->context, DEM_ERROR_ARGUMENT, "contacts[%llu].state: must not be NULL",
                         (unsigned long long)n);
    return DEM_OK;
}

/* Adds the n-th of the host's contacts, which are not among the first `known` records. */
static dem_status contact_add(dem_contact_history *h, uint64_t n, const dem_contact *given,
                              uint64_t known)
{
    dem_contact c = {0};
    if (demi_sized_read(&c, given) != DEM_OK)
        return demi_fail(&h->context, DEM_ERROR_STRUCT_SIZE,
                         "contacts[%llu].struct_size: %llu is not sizeof(dem_contact)",
                         (unsigned long long)n, (unsigned long long)given->struct_size);
    if (c.key.reserved != 0)
        return demi_fail(&h->context, DEM_ERROR_UNKNOWN,
                         "contacts[%llu]: dem_contact_key.reserved: %d must be 0, because this "
                         "library does not know this field (dem_contact_history_next fills "
                         "contacts)",
                         (unsigned long long)n, (int)c.key.reserved);
    const demi_model *model = NULL;
    dem_status status = contact_model(h, n, &c, &model);
    if (status != DEM_OK)
        return status;
    demi_record r = {.key = c.key,
                     .model = model,
                     .overlap = c.overlap,
                     .force_normal = demi_dot(c.force_normal, c.normal),
                     .material_i = c.material_i,
                     .material_j = c.material_j};
    for (int k = 0; k < 3; ++k) {
        r.normal[k] = c.normal[k];
        r.force_tangential[k] = c.force_tangential[k];
        r.point[k] = (double)NAN; /* not known */
    }
    char what[32];
    snprintf(what, sizeof what, "contacts[%llu]", (unsigned long long)n);
    status = demi_record_check(h, &r, c.state, DEM_ERROR_RANGE, what);
    const uint64_t found = demi_records_find(&h->current, &r.key);
    if (status != DEM_OK || found < known)
        return status;
    if (found != UINT64_MAX)
        return demi_fail(&h->context, DEM_ERROR_DUPLICATE,
                         "contacts[%llu]: the contact of %llu and %llu is listed twice",
                         (unsigned long long)n, (unsigned long long)r.key.id_i,
                         (unsigned long long)r.key.id_j);
    status = demi_records_grow(&h->context, &h->current, 1, model->state_size);
    if (status == DEM_OK)
        (void)demi_records_add(&h->current, &r, c.state);
    return status;
}

DEMI_GUARDED guarded_contact_history_add(dem_contact_history *history, uint64_t count,
                                         const dem_contact *contacts)
{
    if (count > 0 && contacts == NULL)
        return demi_fail(&history->context, DEM_ERROR_ARGUMENT, "contacts: must not be NULL");
    demi_history_table(history);
    const uint64_t known = history->current.count;
    const char *at = (const char *)contacts;
    dem_status status = DEM_OK;
    for (uint64_t n = 0; n < count && status == DEM_OK; ++n) {
        const dem_contact *given = (const dem_contact *)(const void *)at;
        status = contact_add(history, n, given, known);
        at += given->struct_size;
    }
    if (status != DEM_OK) {
        while (history->current.count > known)
            demi_records_remove(&history->current, history->current.count - 1);
        return status;
    }
    demi_history_changed(history);
    return DEM_OK;
}

dem_status dem_contact_history_add(dem_contact_history *history, uint64_t count,
                                   const dem_contact *contacts)
{
    DEMI_SET(history, guarded_contact_history_add(history, count, contacts));
}
