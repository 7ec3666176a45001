/* SPDX-License-Identifier: MIT */
/* Life of a contact history, its models, and reading it. Evaluation is in evaluate.c. */
#include "contact/history.h"

#include "base/entry.h"
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
    return demi_sized_write(config, size, &history_defaults);
}

static void kept_side_free(demi_context *context, demi_kept_side *side)
{
    demi_array_free(context, &side->touching);
    demi_array_free(context, &side->state);
    demi_array_free(context, &side->result);
    demi_array_free(context, &side->given);
}

static void kept_free(demi_context *context, demi_kept *kept)
{
    kept_side_free(context, &kept->current);
    kept_side_free(context, &kept->next);
    demi_records_free(context, &kept->absent);
    demi_array_free(context, &kept->merger);
    demi_array_free(context, &kept->pair);
    demi_array_free(context, &kept->origin);
    demi_array_free(context, &kept->shift);
    demi_array_free(context, &kept->twin);
    demi_array_free(context, &kept->record);
    demi_array_free(context, &kept->row);
    demi_array_free(context, &kept->place);
    demi_array_free(context, &kept->model);
    demi_array_free(context, &kept->touch_squared);
    demi_array_free(context, &kept->position);
    demi_array_free(context, &kept->velocity);
    demi_array_free(context, &kept->gain);
    demi_array_free(context, &kept->load);
    demi_array_free(context, &kept->radius);
    demi_array_free(context, &kept->mass);
    demi_array_free(context, &kept->tasks.task);
    demi_array_free(context, &kept->tasks.finite);
    demi_array_free(context, &kept->tasks.place);
    demi_array_free(context, &kept->tasks.part);
    demi_array_free(context, &kept->tasks.energy);
    demi_array_free(context, &kept->tasks.first);
    demi_array_free(context, &kept->tasks.end);
}

static void history_free(dem_contact_history *history)
{
    demi_context *context = &history->context;
    demi_records_free(context, &history->current);
    demi_records_free(context, &history->next);
    demi_array_free(context, &history->seen);
    demi_array_free(context, &history->partial_place);
    demi_array_free(context, &history->partial_listed);
    demi_array_free(context, &history->ends);
    demi_array_free(context, &history->results);
    demi_array_free(context, &history->sums.row);
    demi_array_free(context, &history->work);
    demi_array_free(context, &history->slots);
    demi_array_free(context, &history->slots_table);
    demi_array_free(context, &history->index_head);
    demi_array_free(context, &history->index_next);
    demi_array_free(context, &history->index_before);
    demi_array_free(context, &history->picked);
    demi_array_free(context, &history->picked_mark);
    demi_array_free(context, &history->picked_models);
    kept_free(context, &history->kept);
    kept_free(context, &history->kept_new);
    demi_array_free(context, &history->stages_base);
    demi_array_free(context, &history->stages_rate);
    demi_array_free(context, &history->stages_jump);
    demi_array_free(context, &history->stages_work);
    demi_models_free(context, &history->models);
    demi_context last = *context;
    demi_release(&last, history, sizeof *history);
}

DEMI_GUARDED guarded_contact_history_create(const dem_contact_history_config *config,
                                            dem_contact_history **history, dem_error *error)
{
    if (history != NULL)
        *history = NULL;
    DEMI_REFUSE(history == NULL || config == NULL, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                history == NULL ? "history" : "config");
    dem_contact_history_config c = history_defaults;
    dem_status status = demi_sized_read(&c, config);
    DEMI_REFUSE(status != DEM_OK, status, DEMI_SIZED_MESSAGE, "dem_contact_history_config",
                (unsigned long long)config->struct_size, "dem_contact_history_config");
    DEMI_REFUSE(c.reserved != 0 || c.reserved_end != 0 || c.reserved_sums != 0, DEM_ERROR_UNKNOWN,
                DEMI_RESERVED_MESSAGE,
                c.reserved != 0       ? "dem_contact_history_config.reserved"
                : c.reserved_end != 0 ? "dem_contact_history_config.reserved_end"
                                      : "dem_contact_history_config.reserved_sums",
                (long long)(c.reserved != 0       ? c.reserved
                            : c.reserved_end != 0 ? c.reserved_end
                                                  : c.reserved_sums),
                "dem_contact_history_config");
    DEMI_REFUSE(c.material_count < 1 || c.material_count > 1024, DEM_ERROR_RANGE,
                "dem_contact_history_config.material_count: %d is not in [1, 1024]",
                (int)c.material_count);
    DEMI_REFUSE(!demi_positive(c.overlap_limit) || c.overlap_limit > 1.0, DEM_ERROR_RANGE,
                "dem_contact_history_config.overlap_limit: %g is not in (0, 1]", c.overlap_limit);
    const int isa = c.isa < DEM_ISA_AUTO || c.isa > DEM_ISA_X86_64_V2 ? -1 : demi_isa_index(c.isa);
    DEMI_REFUSE(isa < 0, DEM_ERROR_UNKNOWN, DEMI_ISA_MESSAGE, "dem_contact_history_config",
                (int)c.isa);
    status =
        demi_sums_check("dem_contact_history_config", c.sums, c.force_range, c.torque_range, error);
    if (status != DEM_OK)
        return status;
    demi_context context;
    status = demi_context_init(&context, &c.allocator, &c.log);
    DEMI_REFUSE(status != DEM_OK, status,
                "dem_contact_history_config.allocator: one function is NULL");
    dem_contact_history *made = demi_allocate(&context, sizeof *made);
    if (made != NULL) {
        memset(made, 0, sizeof *made);
        made->context = context;
        made->self = &made->context;
        made->overlap_limit = c.overlap_limit;
        made->executor = c.executor;
        demi_sums_init(&made->sums, c.sums, c.force_range, c.torque_range);
        status = demi_models_init(&made->context, &made->models, c.material_count, isa, 0);
        made->models.filmless = 1;
        if (status != DEM_OK) {
            history_free(made);
            made = NULL;
        }
    }
    DEMI_REFUSE(made == NULL, DEM_ERROR_MEMORY,
                "dem_contact_history: the allocator did not give memory");
    *history = made;
    return DEM_OK;
}

dem_status dem_contact_history_create(const dem_contact_history_config *config,
                                      dem_contact_history **history, dem_error *error)
{
    DEMI_QUIET(guarded_contact_history_create(config, history, error));
}

void dem_contact_history_destroy(dem_contact_history *history)
{
    /* not left again: nothing may come in any more */
    if (history != NULL && demi_enter(history->self, 1, __func__))
        history_free(history);
}

const char *dem_contact_history_error(const dem_contact_history *history)
{
    return history == NULL ? "history: must not be NULL" : demi_context_message(&history->context);
}

DEMI_GUARDED guarded_contact_history_law_register(dem_contact_history *history, const dem_law *law)
{
    return demi_models_register(&history->context, &history->models, law);
}

dem_status dem_contact_history_law_register(dem_contact_history *history, const dem_law *law)
{
    DEMI_SET(history, guarded_contact_history_law_register(history, law));
}

DEMI_GUARDED guarded_contact_history_model_set(dem_contact_history *history, int32_t material_a,
                                               int32_t material_b, const dem_contact_model *model)
{
    demi_context *context = &history->context;
    demi_model *old;
    const dem_status status =
        demi_models_set(context, &history->models, material_a, material_b, model, &old);
    if (status != DEM_OK)
        return status;
    demi_history_changed(history);
    demi_history_table(history);
    if (old != NULL)
        demi_records_drop(&history->current, old);
    demi_model_free(context, old);
    return DEM_OK;
}

dem_status dem_contact_history_model_set(dem_contact_history *history, int32_t material_a,
                                         int32_t material_b, const dem_contact_model *model)
{
    DEMI_SET(history, guarded_contact_history_model_set(history, material_a, material_b, model));
}

DEMI_GUARDED guarded_contact_history_pair_value(const dem_contact_history *history,
                                                int32_t material_a, int32_t material_b,
                                                uint64_t index, dem_pair_value *value)
{
    return demi_models_value(history->self, &history->models, material_a, material_b, index, value);
}

dem_status dem_contact_history_pair_value(const dem_contact_history *history, int32_t material_a,
                                          int32_t material_b, uint64_t index, dem_pair_value *value)
{
    DEMI_READ(history,
              guarded_contact_history_pair_value(history, material_a, material_b, index, value));
}

uint64_t dem_contact_history_count(const dem_contact_history *history)
{
    return history == NULL ? 0 : history->current.count;
}

dem_status demi_pair_count_check(dem_contact_history *history, const dem_contacts_input *in)
{
    const uint64_t most = 0x7FFFFFFFu, known = history->current.count;
    if (in->pair_count > most || in->pair_count > most - known)
        return demi_fail(
            &history->context, DEM_ERROR_RANGE,
            "dem_contacts_input.pair_count: %llu and the %llu contacts of the history exceed "
            "2^31 - 1",
            (unsigned long long)in->pair_count, (unsigned long long)known);
    return DEM_OK;
}

DEMI_GUARDED guarded_contact_history_next(const dem_contact_history *history, uint64_t *cursor,
                                          dem_contact *contact)
{
    if (cursor == NULL || contact == NULL)
        return demi_fail(history->self, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                         cursor == NULL ? "cursor" : "contact");
    if (demi_sized_check_output(contact) != DEM_OK)
        return demi_sized_fail_output(history->self, "dem_contact", contact->struct_size);
    if (*cursor >= history->current.count)
        return DEM_ERROR_RANGE;
    /* `self` is the first member */
    demi_kept_records((dem_contact_history *)(void *)history->self);
    const demi_record *r = history->current.record.data + (*cursor)++;
    const double *states = history->current.state.data;
    dem_contact out = {
        .struct_size = contact->struct_size,
        .key = r->key,
        .overlap = r->overlap,
        .state = states != NULL ? states + r->state_begin : NULL,
        .state_count = r->model->state_size,
        .material_i = r->material_i,
        .material_j = r->material_j,
    };
    for (int c = 0; c < 3; ++c) {
        out.normal[c] = r->normal[c];
        out.force_normal[c] = r->force_normal * r->normal[c];
        out.force_tangential[c] = r->force_tangential[c];
    }
    return demi_sized_write(contact, contact->struct_size, &out);
}

dem_status dem_contact_history_next(const dem_contact_history *history, uint64_t *cursor,
                                    dem_contact *contact)
{
    DEMI_READ(history, guarded_contact_history_next(history, cursor, contact));
}

DEMI_GUARDED guarded_contact_history_clear(dem_contact_history *history)
{
    demi_history_changed(history);
    return demi_records_reset(&history->context, &history->current, 0, 0);
}

dem_status dem_contact_history_clear(dem_contact_history *history)
{
    DEMI_SET(history, guarded_contact_history_clear(history));
}
