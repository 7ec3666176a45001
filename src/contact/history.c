/* SPDX-License-Identifier: MIT */
/* Life of a contact history, its models, and reading it. Evaluation is in evaluate.c. */
#include "contact/history.h"

#include "base/check.h"
#include "base/sized.h"

#include <string.h>

static const dem_contact_history_config history_defaults = {
    .struct_size = sizeof(dem_contact_history_config),
    .material_count = 1,
    .overlap_limit = 0.5,
};

dem_status dem_contact_history_config_init_sized(dem_contact_history_config *config, uint64_t size)
{
    if (config == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(config, size, &history_defaults, sizeof history_defaults,
                            sizeof history_defaults);
}

dem_status dem_contact_history_create(const dem_contact_history_config *config,
                                      dem_contact_history **history, dem_error *error)
{
    if (history != NULL)
        *history = NULL;
    if (history == NULL || config == NULL) {
        demi_error_write(error, DEM_ERROR_ARGUMENT, "%s: NULL",
                         history == NULL ? "history" : "config");
        return DEM_ERROR_ARGUMENT;
    }
    dem_contact_history_config c = history_defaults;
    dem_status status = demi_sized_read(&c, config, sizeof c, sizeof c);
    if (status != DEM_OK) {
        demi_error_write(error, status, DEMI_SIZED_MESSAGE, "dem_contact_history_config",
                         (unsigned long long)config->struct_size, "dem_contact_history_config");
        return status;
    }
    if (c.material_count < 1 || c.material_count > 1024) {
        demi_error_write(error, DEM_ERROR_RANGE,
                         "dem_contact_history_config.material_count: %d is not in [1, 1024]",
                         (int)c.material_count);
        return DEM_ERROR_RANGE;
    }
    if (!demi_positive(c.overlap_limit) || c.overlap_limit > 1.0) {
        demi_error_write(error, DEM_ERROR_RANGE,
                         "dem_contact_history_config.overlap_limit: %g is not in (0, 1]",
                         c.overlap_limit);
        return DEM_ERROR_RANGE;
    }
    const int isa = c.isa < DEM_ISA_AUTO || c.isa > DEM_ISA_AVX512 ? -1 : demi_isa_index(c.isa);
    if (isa < 0) {
        demi_error_write(error, DEM_ERROR_UNKNOWN, DEMI_ISA_MESSAGE, "dem_contact_history_config",
                         (int)c.isa);
        return DEM_ERROR_UNKNOWN;
    }
    demi_context context;
    status = demi_context_init(&context, &c.allocator, &c.log);
    if (status != DEM_OK) {
        demi_error_write(error, status,
                         "dem_contact_history_config.allocator: one function is NULL");
        return status;
    }
    dem_contact_history *made = demi_allocate(&context, sizeof *made);
    if (made != NULL) {
        memset(made, 0, sizeof *made);
        made->context = context;
        made->self = &made->context;
        made->overlap_limit = c.overlap_limit;
        status = demi_models_init(&made->context, &made->models, c.material_count, isa, 0);
        if (status != DEM_OK) {
            dem_contact_history_destroy(made);
            made = NULL;
        }
    }
    if (made == NULL) {
        demi_error_write(error, DEM_ERROR_MEMORY,
                         "dem_contact_history: the allocator did not give memory");
        return DEM_ERROR_MEMORY;
    }
    *history = made;
    return DEM_OK;
}

static void records_free(demi_context *context, demi_records *records)
{
    demi_buffer_free(context, &records->record);
    demi_buffer_free(context, &records->state);
    demi_buffer_free(context, &records->table);
}

void dem_contact_history_destroy(dem_contact_history *history)
{
    if (history == NULL)
        return;
    demi_context *context = &history->context;
    records_free(context, &history->now);
    records_free(context, &history->next);
    demi_buffer_free(context, &history->seen);
    demi_buffer_free(context, &history->results);
    demi_buffer_free(context, &history->stages_base);
    demi_buffer_free(context, &history->stages_rate);
    demi_buffer_free(context, &history->stages_jump);
    demi_buffer_free(context, &history->stages_work);
    demi_models_free(context, &history->models);
    demi_context last = *context;
    demi_release(&last, history, sizeof *history);
}

const char *dem_contact_history_error(const dem_contact_history *history)
{
    return history == NULL ? "history: NULL" : history->context.message;
}

dem_status dem_contact_history_law_register(dem_contact_history *history, const dem_law *law)
{
    if (history == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_models_register(&history->context, &history->models, law);
}

dem_status dem_contact_history_model_set(dem_contact_history *history, int32_t material_a,
                                         int32_t material_b, const dem_contact_model *model)
{
    if (history == NULL)
        return DEM_ERROR_ARGUMENT;
    demi_context *context = &history->context;
    demi_records *now = &history->now, *next = &history->next;
    /* room first: after the model is exchanged nothing may fail */
    history->stages_open = 0;
    dem_status status = demi_records_reset(context, next, now->count, now->state_count);
    if (status != DEM_OK)
        return status;
    demi_model *old;
    status = demi_models_set(context, &history->models, material_a, material_b, model, &old);
    if (status != DEM_OK || old == NULL)
        return status;
    const demi_record *record = now->record.data;
    for (uint64_t k = 0; k < now->count; ++k)
        if (record[k].model != old)
            demi_records_add(next, &record[k],
                             (const double *)now->state.data + record[k].state_begin);
    const demi_records exchanged = *now;
    *now = *next;
    *next = exchanged;
    demi_model_free(context, old);
    return DEM_OK;
}

dem_status dem_contact_history_pair_value(const dem_contact_history *history, int32_t material_a,
                                          int32_t material_b, uint64_t index, dem_pair_value *value)
{
    if (history == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_models_value(history->self, &history->models, material_a, material_b, index, value);
}

uint64_t dem_contact_history_count(const dem_contact_history *history)
{
    return history == NULL ? 0 : history->now.count;
}

dem_status dem_contact_history_next(const dem_contact_history *history, uint64_t *cursor,
                                    dem_contact *contact)
{
    if (history == NULL)
        return DEM_ERROR_ARGUMENT;
    if (cursor == NULL || contact == NULL)
        return demi_fail(history->self, DEM_ERROR_ARGUMENT, "%s: NULL",
                         cursor == NULL ? "cursor" : "contact");
    if (demi_sized_check(contact, sizeof *contact, UINT64_MAX) != DEM_OK)
        return demi_fail(history->self, DEM_ERROR_STRUCT_SIZE,
                         "dem_contact.struct_size: %llu is not the size of this struct",
                         (unsigned long long)contact->struct_size);
    if (*cursor >= history->now.count)
        return DEM_ERROR_RANGE;
    const demi_record *r = (const demi_record *)history->now.record.data + (*cursor)++;
    dem_contact out = {
        .struct_size = contact->struct_size,
        .key = r->key,
        .overlap = r->overlap,
        .state = (const double *)history->now.state.data + r->state_begin,
        .state_count = r->model->state_size,
        .material_i = r->material_i,
        .material_j = r->material_j,
    };
    for (int c = 0; c < 3; ++c) {
        out.normal[c] = r->normal[c];
        out.force_normal[c] = r->force_normal * r->normal[c];
        out.force_tangential[c] = r->force_tangential[c];
    }
    return demi_sized_write(contact, contact->struct_size, &out, sizeof out, sizeof out);
}

dem_status dem_contact_history_clear(dem_contact_history *history)
{
    if (history == NULL)
        return DEM_ERROR_ARGUMENT;
    history->stages_open = 0;
    return demi_records_reset(&history->context, &history->now, 0, 0);
}
