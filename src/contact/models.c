/* SPDX-License-Identifier: MIT */
#include "contact/models.h"

#include "base/sized.h"
#include "laws/laws.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

dem_status dem_contact_model_init_sized(dem_contact_model *model, uint64_t size)
{
    if (model == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_contact_model values;
    memset(&values, 0, sizeof values);
    return demi_sized_write(model, size, &values);
}

dem_status dem_law_init_sized(dem_law *law, uint64_t size)
{
    if (law == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_law values;
    memset(&values, 0, sizeof values);
    return demi_sized_write(law, size, &values);
}

dem_status demi_models_init(demi_context *context, demi_models *models, int32_t material_count,
                            int isa, int lean)
{
    memset(models, 0, sizeof *models);
    models->material_count = material_count;
    models->isa = isa;
    models->lean = lean;
    const uint64_t pairs = (uint64_t)material_count * (uint64_t)material_count;
    const dem_status status = demi_array_reserve(context, &models->mark, pairs, 0, "materials");
    return status != DEM_OK ? status
                            : demi_array_reserve(context, &models->pair, pairs, 0, "materials");
}

void demi_model_free(demi_context *context, demi_model *model)
{
    demi_release(context, model, sizeof *model);
}

void demi_models_free(demi_context *context, demi_models *models)
{
    if (models->pair.data != NULL)
        for (int32_t a = 0; a < models->material_count; ++a)
            for (int32_t b = a; b < models->material_count; ++b)
                demi_model_free(context, demi_models_get(models, a, b));
    demi_array_free(context, &models->pair);
    demi_array_free(context, &models->mark);
    demi_array_free(context, &models->laws);
}

static int models_find(const demi_models *models, const char *name, dem_law *law)
{
    const dem_law *own = models->laws.data;
    for (uint64_t k = 0; k < models->law_count; ++k)
        if (strcmp(own[k].name, name) == 0) {
            *law = own[k];
            return 1;
        }
    return demi_law_builtin(name, models->isa, models->lean, law);
}

/* Writes the names of all laws, the host's first, as far as there is room. */
static void models_list(const demi_models *models, char *text, size_t size)
{
    const dem_law *own = models->laws.data;
    size_t used = 0;
    const char *name = NULL;
    for (uint64_t k = 0; used < size; ++k) {
        name = k < models->law_count ? own[k].name : demi_law_builtin_name(k - models->law_count);
        if (name == NULL)
            break;
        const int more = snprintf(text + used, size - used, "%s%.60s", k == 0 ? "" : ", ", name);
        used += more > 0 ? (size_t)more : size;
    }
}

const char *demi_model_laws(const demi_model *model, char text[DEMI_MODEL_TEXT])
{
    int used = snprintf(text, DEMI_MODEL_TEXT, "law%s", model->part_count > 1 ? "s" : "");
    for (uint32_t p = 0; p < model->part_count; ++p)
        used += snprintf(text + used, (size_t)(DEMI_MODEL_TEXT - used), "%s \"%.60s\"",
                         p == 0 ? "" : ",", model->laws[p].name);
    return text;
}

uint32_t demi_slot_size(int32_t kind)
{
    return kind == DEM_SLOT_SCALAR || kind == DEM_SLOT_FORCE_COMPONENT ? 1 : 3;
}

/* Counts the doubles of a law's state. */
static dem_status slots_check(demi_context *context, const dem_law *law, uint64_t *state)
{
    for (uint64_t k = 0; k < law->slot_count; ++k) {
        const dem_law_slot *slot = &law->slots[k];
        const unsigned long long n = (unsigned long long)k;
        if (slot->name == NULL)
            return demi_fail(context, DEM_ERROR_ARGUMENT,
                             "dem_law.slots[%llu].name of \"%.60s\": must not be NULL", n,
                             law->name);
        if (slot->kind < DEM_SLOT_SCALAR || slot->kind > DEM_SLOT_DIRECTION)
            return demi_fail(context, DEM_ERROR_UNKNOWN,
                             "dem_law.slots[%llu].kind of \"%.60s\": %d is not a DEM_SLOT_ value",
                             n, law->name, (int)slot->kind);
        if (slot->swap_sign != 1 && slot->swap_sign != -1)
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_law.slots[%llu].swap_sign of \"%.60s\": %d is neither 1 nor -1",
                             n, law->name, (int)slot->swap_sign);
        for (uint64_t m = 0; m < k; ++m)
            if (strcmp(law->slots[m].name, slot->name) == 0)
                return demi_fail(context, DEM_ERROR_DUPLICATE,
                                 "dem_law.slots[%llu].name of \"%.60s\": \"%.60s\" is taken", n,
                                 law->name, slot->name);
        *state += demi_slot_size(slot->kind);
    }
    return DEM_OK;
}

/* Whether the values that a law has names for are in what it combines. */
static dem_status values_check(demi_context *context, const dem_law *law)
{
    const unsigned long long count = law->value_count;
    if (count > 0 && law->value_names == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT,
                         "dem_law.value_count of \"%.60s\": %llu must be 0 where value_names is "
                         "NULL",
                         law->name, count);
    if (count > law->combined_size / sizeof(double))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_law.value_count of \"%.60s\": %llu doubles exceed combined_size, "
                         "%llu bytes",
                         law->name, count, (unsigned long long)law->combined_size);
    for (uint64_t k = 0; k < count; ++k)
        if (law->value_names[k] == NULL || law->value_names[k][0] == 0)
            return demi_fail(context, DEM_ERROR_ARGUMENT,
                             "dem_law.value_names[%llu] of \"%.60s\": must not be NULL or empty",
                             (unsigned long long)k, law->name);
    return DEM_OK;
}

dem_status demi_models_register(demi_context *context, demi_models *models, const dem_law *law)
{
    if (law == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "law: must not be NULL");
    dem_law copy;
    memset(&copy, 0, sizeof copy);
    if (demi_sized_read(&copy, law) != DEM_OK)
        return demi_sized_fail(context, "dem_law", law->struct_size);
    if (copy.reserved != 0)
        return demi_fail(context, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE, "dem_law.reserved",
                         (long long)copy.reserved, "dem_law");
    if (copy.name == NULL || copy.name[0] == 0)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "dem_law.name: must not be NULL or empty");
    if (strlen(copy.name) > DEMI_LAW_NAME_MAX)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_law.name: \"%.60s\"... has %llu bytes, more than %d", copy.name,
                         (unsigned long long)strlen(copy.name), DEMI_LAW_NAME_MAX);
    if (copy.combine == NULL || copy.evaluate == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "dem_law.%s of \"%.60s\": must not be NULL",
                         copy.combine == NULL ? "combine" : "evaluate", copy.name);
    if (copy.kind < DEM_LAW_WHOLE || copy.kind > DEM_LAW_FURTHER)
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "dem_law.kind of \"%.60s\": %d is not a DEM_LAW_ value", copy.name,
                         (int)copy.kind);
    if ((copy.traits & ~(uint32_t)(DEM_TRAIT_SETS_FORCES | DEM_TRAIT_LEAVES_TORQUES)) != 0)
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "dem_law.traits of \"%.60s\": %#x holds more than DEM_TRAIT_SETS_FORCES "
                         "and DEM_TRAIT_LEAVES_TORQUES",
                         copy.name, (unsigned)copy.traits);
    if (copy.combined_size > DEMI_COMBINED_MAX)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_law.combined_size of \"%.60s\": %llu exceeds %d", copy.name,
                         (unsigned long long)copy.combined_size, DEMI_COMBINED_MAX);
    if (copy.parameters_size < sizeof(uint64_t) || copy.parameters_size > 65536)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_law.parameters_size of \"%.60s\": %llu is not between 8 and 65536",
                         copy.name, (unsigned long long)copy.parameters_size);
    if (copy.parameters_kind != DEM_PARAMETERS_ANY && copy.parameters_kind < DEM_PARAMETERS_HOST)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_law.parameters_kind of \"%.60s\": %llu is neither 0 nor at least "
                         "DEM_PARAMETERS_HOST, %d",
                         copy.name, (unsigned long long)copy.parameters_kind, DEM_PARAMETERS_HOST);
    if (copy.parameters_kind != DEM_PARAMETERS_ANY && copy.parameters_size < 2 * sizeof(uint64_t))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_law.parameters_size of \"%.60s\": %llu has no room for a kind, which "
                         "is at byte 8",
                         copy.name, (unsigned long long)copy.parameters_size);
    const int apart = (copy.slots == NULL) != (copy.slot_count == 0);
    if (apart || copy.slot_count > DEM_STATE_MAX)
        return demi_fail(context, apart ? DEM_ERROR_ARGUMENT : DEM_ERROR_RANGE,
                         "dem_law.slot_count of \"%.60s\": %llu must be 0 where slots is NULL, "
                         "else in [1, %d]",
                         copy.name, (unsigned long long)copy.slot_count, DEM_STATE_MAX);
    uint64_t state = 0;
    dem_status status = slots_check(context, &copy, &state);
    if (status != DEM_OK)
        return status;
    if (state > DEM_STATE_MAX)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_law.slots of \"%.60s\": %llu doubles exceed %d", copy.name,
                         (unsigned long long)state, DEM_STATE_MAX);
    status = values_check(context, &copy);
    if (status != DEM_OK)
        return status;
    dem_law taken;
    if (models_find(models, copy.name, &taken))
        return demi_fail(context, DEM_ERROR_DUPLICATE, "dem_law.name: \"%.60s\" is taken",
                         copy.name);
    status = demi_array_reserve(context, &models->laws, (models->law_count + 1), 1, "laws");
    if (status != DEM_OK)
        return status;
    models->laws.data[models->law_count++] = copy;
    return DEM_OK;
}

/* Whether a law may stand after the model's others. */
static dem_status model_fits(demi_context *context, const dem_law *law, const demi_model *model)
{
    if (model->part_count == 0 && law->kind > DEM_LAW_NORMAL)
        return demi_fail(context, DEM_ERROR_ARGUMENT,
                         "dem_contact_model.parts: \"%.60s\" needs a normal part or a whole law "
                         "before it",
                         law->name);
    for (uint32_t q = 0; q < model->part_count; ++q)
        if (law->kind == DEM_LAW_WHOLE || model->laws[q].kind == law->kind ||
            (model->laws[q].kind == DEM_LAW_WHOLE && law->kind <= DEM_LAW_TANGENTIAL))
            return demi_fail(context, DEM_ERROR_ARGUMENT,
                             "dem_contact_model.parts: \"%.60s\" cannot follow \"%.60s\": a model "
                             "has one part of a kind, and a whole law is its normal and its "
                             "tangential part",
                             law->name, model->laws[q].name);
    return DEM_OK;
}

/* Whether a world keeps a slot of an evaluation without a step. */
static int slot_evaluated(int32_t kind)
{
    return kind == DEM_SLOT_FORCE || kind == DEM_SLOT_FORCE_COMPONENT || kind == DEM_SLOT_DIRECTION;
}

/* Adds a law that fits; its combined parameters are there already. */
static dem_status model_append(demi_context *context, const demi_models *models, const dem_law *law,
                               demi_model *model)
{
    const uint32_t p = model->part_count;
    if (models->filmless && strcmp(law->name, DEM_LAW_FILM) == 0)
        return demi_fail(context, DEM_ERROR_STATE,
                         "dem_contact_model.parts: \"%.60s\" acts in the steps of a world: a "
                         "contact history has none; use a law of your own there",
                         law->name);
    const uint32_t traits_needed = law->traits_needed != NULL
                                       ? law->traits_needed(law->user, model->combined[p])
                                       : DEMI_TRAITS_ALL;
    if ((traits_needed & ~DEMI_TRAITS_ALL) != 0)
        return demi_fail(
            context, DEM_ERROR_UNKNOWN,
            "dem_law.traits_needed of \"%.60s\": %#x holds more than DEM_TRAIT_NEEDS_VELOCITY, "
            "DEM_TRAIT_NEEDS_RADIUS and DEM_TRAIT_NEEDS_ROTATION",
            law->name, (unsigned)traits_needed);
    model->traits_needed |= traits_needed;
    model->laws[p] = *law;
    model->state_begin[p] = model->state_size;
    for (uint64_t k = 0; k < law->slot_count; ++k) {
        const int32_t kind = law->slots[k].kind;
        const uint32_t size = demi_slot_size(kind);
        if (model->state_size + size > DEM_STATE_MAX)
            return demi_fail(
                context, DEM_ERROR_RANGE,
                "dem_contact_model.parts: the parts together have more than %d doubles of state",
                DEM_STATE_MAX);
        if (size == 3) {
            model->vector_kind[model->vector_count] = (unsigned char)kind;
            model->vector_begin[model->vector_count++] = model->state_size;
        }
        if (slot_evaluated(kind))
            for (uint32_t c = 0; c < size; ++c)
                model->force[model->force_count++] = (unsigned char)(model->state_size + c);
        model->state_size += size;
    }
    model->part_count++;
    if (strcmp(law->name, DEM_LAW_FILM) == 0)
        model->film = model->part_count;
    model->traits =
        p == 0 ? law->traits : model->traits & law->traits & ~(uint32_t)DEM_TRAIT_SETS_FORCES;
    return DEM_OK;
}

/* Whether a struct that a law takes is of its kind. Too small a one has no kind; the law refuses
 * its size. */
static dem_status model_parameters_check(demi_context *context, const dem_law *law,
                                         const void *parameters)
{
    uint64_t size, kind;
    memcpy(&size, parameters, sizeof size);
    if (law->parameters_kind == DEM_PARAMETERS_ANY || size < 2 * sizeof(uint64_t))
        return DEM_OK;
    memcpy(&kind, (const char *)parameters + sizeof size, sizeof kind);
    if (kind == law->parameters_kind)
        return DEM_OK;
    const char *const wanted = demi_parameters_name(law->parameters_kind);
    const char *const given = demi_parameters_name(kind);
    if (wanted == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT,
                         "dem_contact_model.parts.parameters of \"%.60s\": kind %llu is not %llu, "
                         "the kind that this law takes",
                         law->name, (unsigned long long)kind,
                         (unsigned long long)law->parameters_kind);
    if (given == NULL)
        return demi_fail(
            context, DEM_ERROR_ARGUMENT,
            "dem_contact_model.parts.parameters of \"%.60s\": kind %llu is not that of "
            "%s, which this law takes (call %s_init)",
            law->name, (unsigned long long)kind, wanted, wanted);
    return demi_fail(context, DEM_ERROR_ARGUMENT,
                     "dem_contact_model.parts.parameters of \"%.60s\": this law takes %s, not %s",
                     law->name, wanted, given);
}

static dem_status model_add_part(demi_context *context, const demi_models *models,
                                 const dem_contact_part *part, dem_pair_properties *pair,
                                 demi_model *model)
{
    dem_law law;
    if (!models_find(models, part->law, &law)) {
        char known[400];
        models_list(models, known, sizeof known);
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "dem_contact_model.parts.law: no law \"%.60s\"; the laws are %s",
                         part->law, known);
    }
    if (part->parameters == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT,
                         "dem_contact_model.parts.parameters of \"%.60s\": must not be NULL",
                         part->law);
    dem_status status = model_parameters_check(context, &law, part->parameters);
    if (status == DEM_OK)
        status = model_fits(context, &law, model);
    if (status != DEM_OK)
        return status;
    dem_error error = {DEM_OK, ""};
    status =
        law.combine(law.user, part->parameters, pair, model->combined[model->part_count], &error);
    if (status != DEM_OK) {
        error.message[sizeof error.message - 1] = 0;
        if (status < DEM_OK || status > DEM_ERROR_FORMAT)
            return demi_fail(context, DEM_ERROR_CALLBACK,
                             "law \"%.60s\": combine returned %d, which is no dem_status", law.name,
                             (int)status);
        return demi_fail(context, status, "%.60s: %.180s", law.name,
                         error.message[0] != 0 ? error.message : dem_status_string(status));
    }
    if (pair->reserved != 0)
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "law \"%.60s\": combine wrote %d to dem_pair_properties.reserved, which "
                         "this library does not know",
                         law.name, (int)pair->reserved);
    return model_append(context, models, &law, model);
}

static dem_status model_material_check(demi_context *context, const demi_models *models,
                                       const char *name, int32_t material)
{
    if (material < 0 || material >= models->material_count)
        return demi_fail(context, DEM_ERROR_RANGE, "%s: %d is not in [0, %d)", name, (int)material,
                         (int)models->material_count);
    return DEM_OK;
}

/* Counts a model, or with `by` of -1 no longer. NULL: there is none. */
static void models_count(demi_models *models, const demi_model *model, int by)
{
    int reaches = 0;
    if (model == NULL)
        return;
    for (uint32_t p = 0; p < model->part_count; ++p)
        reaches |= model->laws[p].reach != NULL;
    models->states[model->state_size] += (uint32_t)by; /* without sign: modulo a power of two */
    models->films += model->film != 0 ? (uint64_t)by : 0;
    models->reaching += reaches ? (uint64_t)by : 0;
}

uint32_t demi_models_widest(const demi_models *models)
{
    uint32_t widest = DEM_STATE_MAX;
    while (widest > 0 && models->states[widest] == 0)
        --widest;
    return widest;
}

dem_status demi_models_set(demi_context *context, demi_models *models, int32_t material_a,
                           int32_t material_b, const dem_contact_model *model, demi_model **old)
{
    *old = NULL;
    if (model == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "model: must not be NULL");
    dem_status status = model_material_check(context, models, "material_a", material_a);
    if (status == DEM_OK)
        status = model_material_check(context, models, "material_b", material_b);
    if (status != DEM_OK)
        return status;
    dem_contact_model copy;
    memset(&copy, 0, sizeof copy);
    if (demi_sized_read(&copy, model) != DEM_OK)
        return demi_sized_fail(context, "dem_contact_model", model->struct_size);
    if (copy.reserved != 0)
        return demi_fail(context, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE,
                         "dem_contact_model.reserved", (long long)copy.reserved,
                         "dem_contact_model");
    if (copy.lever_arm != DEM_ARM_RADIUS && copy.lever_arm != DEM_ARM_CONTACT)
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "dem_contact_model.lever_arm: %d is not a DEM_ARM_ value",
                         (int)copy.lever_arm);
    demi_model *made = demi_allocate(context, sizeof *made);
    if (made == NULL)
        return demi_fail_memory(context, "contact model", sizeof *made);
    memset(made, 0, sizeof *made);
    made->lever_arm = copy.lever_arm;
    made->material_a = material_a < material_b ? material_a : material_b;
    made->material_b = material_a < material_b ? material_b : material_a;
    dem_pair_properties shared = {.struct_size = sizeof shared, .restitution = 1.0};
    for (int p = 0; p < DEMI_PARTS_MAX; ++p) {
        if (copy.parts[p].law == NULL)
            continue;
        status = model_add_part(context, models, &copy.parts[p], &shared, made);
        if (status != DEM_OK) {
            demi_model_free(context, made);
            return status;
        }
    }
    if (made->part_count == 0) {
        demi_model_free(context, made);
        made = NULL;
    }
    demi_model **pair = models->pair.data;
    *old = demi_models_get(models, material_a, material_b);
    models_count(models, made, 1);
    models_count(models, *old, -1);
    pair[(int64_t)material_a * models->material_count + material_b] = made;
    pair[(int64_t)material_b * models->material_count + material_a] = made;
    *demi_models_mark(models, material_a, material_b) = DEMI_PAIR_SET;
    return DEM_OK;
}

void demi_models_told(demi_models *models, const demi_models *others)
{
    const int32_t count = models->material_count;
    for (int32_t a = 0; a < count && others->material_count == count; ++a)
        for (int32_t b = a; b < count; ++b)
            *demi_models_mark(models, a, b) |= *demi_models_mark(others, a, b) & DEMI_PAIR_TOLD;
}

dem_status demi_models_restore(demi_context *context, demi_models *models, int32_t material_a,
                               int32_t material_b, int32_t lever_arm, uint32_t part_count,
                               const demi_model_part *parts)
{
    *demi_models_mark(models, material_a, material_b) = DEMI_PAIR_SET;
    if (part_count == 0)
        return DEM_OK;
    demi_model *made = demi_allocate(context, sizeof *made);
    if (made == NULL)
        return demi_fail_memory(context, "contact model", sizeof *made);
    memset(made, 0, sizeof *made);
    made->lever_arm = lever_arm;
    made->material_a = material_a;
    made->material_b = material_b;
    dem_status status = DEM_OK;
    for (uint32_t p = 0; status == DEM_OK && p < part_count; ++p) {
        const demi_model_part *part = &parts[p];
        dem_law law;
        if (!models_find(models, part->law, &law))
            status =
                demi_fail(context, DEM_ERROR_UNKNOWN,
                          "law \"%.60s\": the snapshot needs it; call dem_world_law_register first",
                          part->law);
        else if (law.version != part->version)
            status =
                demi_fail(context, DEM_ERROR_UNKNOWN,
                          "law \"%.60s\": the snapshot needs version %u, and this library has %u",
                          part->law, part->version, law.version);
        else if (law.kind != part->kind || law.combined_size != part->combined_size)
            status = demi_fail(context, DEM_ERROR_UNKNOWN,
                               "law \"%.60s\": version %u has another kind or size in the snapshot",
                               part->law, part->version);
        else
            status = model_fits(context, &law, made);
        if (status != DEM_OK)
            break;
        memcpy(made->combined[p], part->combined, sizeof made->combined[p]);
        status = model_append(context, models, &law, made);
    }
    if (status != DEM_OK) {
        demi_model_free(context, made);
        return status;
    }
    models_count(models, made, 1);
    demi_model **pair = models->pair.data;
    pair[(int64_t)material_a * models->material_count + material_b] = made;
    pair[(int64_t)material_b * models->material_count + material_a] = made;
    return DEM_OK;
}

dem_status demi_models_value(demi_context *context, const demi_models *models, int32_t material_a,
                             int32_t material_b, uint64_t index, dem_pair_value *value)
{
    if (value == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "value: must not be NULL");
    if (demi_sized_check_output(value) != DEM_OK)
        return demi_sized_fail_output(context, "dem_pair_value", value->struct_size);
    dem_status status = model_material_check(context, models, "material_a", material_a);
    if (status == DEM_OK)
        status = model_material_check(context, models, "material_b", material_b);
    if (status != DEM_OK)
        return status;
    const demi_model *model = demi_models_get(models, material_a, material_b);
    uint64_t first = 0;
    for (uint32_t p = 0; model != NULL && p < model->part_count; ++p) {
        const dem_law *law = &model->laws[p];
        if (index - first < law->value_count && law->value_names != NULL) {
            const dem_pair_value out = {.struct_size = value->struct_size,
                                        .law = law->name,
                                        .name = law->value_names[index - first],
                                        .value = model->combined[p][index - first],
                                        .part = (int32_t)p};
            return demi_sized_write(value, value->struct_size, &out);
        }
        first += law->value_names != NULL ? law->value_count : 0;
    }
    return demi_ended(context, DEM_ERROR_RANGE,
                      "index: %llu, but the model of materials %d and %d has %llu values",
                      (unsigned long long)index, (int)material_a, (int)material_b,
                      (unsigned long long)first);
}

void demi_model_limits(const demi_model *model, double mass, double radius_i, double radius_j,
                       double speed, double dashpot_weight, dem_law_limits *limits,
                       const char **strictest)
{
    memset(limits, 0, sizeof *limits);
    limits->struct_size = sizeof *limits;
    limits->dashpot_weight = dashpot_weight;
    for (uint32_t p = 0; p < model->part_count; ++p) {
        const dem_law *law = &model->laws[p];
        const double before = limits->timestep_limit;
        if (law->limits != NULL)
            law->limits(law->user, model->combined[p], mass, radius_i, radius_j, speed, limits);
        if (strictest != NULL && (p == 0 || limits->timestep_limit != before))
            *strictest = law->name;
    }
}

double demi_model_reach(const demi_model *model, double radius_i, double radius_j)
{
    double reach = 0.0;
    for (uint32_t p = 0; p < model->part_count; ++p) {
        const dem_law *law = &model->laws[p];
        if (law->reach == NULL)
            continue;
        const double own = law->reach(law->user, model->combined[p], radius_i, radius_j);
        if (isfinite(own) && own > reach)
            reach = own;
        if (radius_i != 0.0 && radius_j != 0.0)
            continue;
        /* a plane is reached as far as an equal sphere is, at least */
        const double radius = radius_i + radius_j;
        const double equal = law->reach(law->user, model->combined[p], radius, radius);
        if (isfinite(equal) && equal > reach)
            reach = equal;
    }
    return reach;
}
