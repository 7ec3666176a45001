/* SPDX-License-Identifier: MIT */
#include "io/model_table.h"

static unsigned char *mark_of(const demi_model_table *table, uint64_t pair)
{
    return demi_models_mark(table->models, (int32_t)(uint32_t)pair, (int32_t)(pair >> 32));
}

int demi_model_table_has(const demi_model_table *table, int32_t a, int32_t b)
{
    return (*demi_models_mark(table->models, a, b) & DEMI_PAIR_NAMED) != 0;
}

void demi_model_table_add(demi_model_table *table, int32_t a, int32_t b)
{
    if (demi_model_table_has(table, a, b))
        return;
    *demi_models_mark(table->models, a, b) |= DEMI_PAIR_NAMED;
    table->pair[table->count++] = demi_materials_pair(a, b);
}

void demi_model_table_clear(demi_model_table *table)
{
    for (uint64_t k = 0; k < table->count; ++k)
        *mark_of(table, table->pair[k]) &= (unsigned char)~DEMI_PAIR_NAMED;
    table->count = 0;
}

void demi_model_table_write(demi_writer *out, const demi_model_table *table)
{
    demi_write_u64(out, table->count);
    for (uint64_t k = 0; k < table->count; ++k) {
        const uint64_t pair = table->pair[k];
        const demi_model *model =
            demi_models_get(table->models, (int32_t)(uint32_t)pair, (int32_t)(pair >> 32));
        demi_write_u64(out, pair);
        demi_write_u64(out, model->part_count);
        demi_write_u64(out, model->state_size);
        for (uint32_t p = 0; p < model->part_count; ++p) {
            demi_write_text(out, model->laws[p].name);
            demi_write_u64(out, model->laws[p].version);
        }
    }
}

/* Whether the model of a pair of materials has the laws that the bytes name. */
static dem_status read_model(demi_reader *in, const demi_model_table *table,
                             const demi_model *model, int32_t a, int32_t b)
{
    const uint64_t parts = demi_read_u64(in), states = demi_read_u64(in);
    for (uint64_t p = 0; p < parts && !in->failed; ++p) {
        char name[DEMI_LAW_NAME_MAX + 1];
        demi_read_text(in, name, sizeof name);
        const uint64_t version = demi_read_u64(in);
        if (!in->failed && p < model->part_count &&
            (strcmp(name, model->laws[p].name) != 0 || version != model->laws[p].version))
            return demi_fail(table->context, DEM_ERROR_UNKNOWN,
                             "%s: materials %d and %d had law \"%.60s\" of version %llu, and have "
                             "\"%.60s\" of version %lu here: set the same models",
                             table->of, (int)a, (int)b, name, (unsigned long long)version,
                             model->laws[p].name, (unsigned long)model->laws[p].version);
    }
    if (in->failed)
        return demi_fail(table->context, DEM_ERROR_FORMAT,
                         "%s: a law of the model of materials %d and %d, said to have %llu parts, "
                         "is cut short: pack and send them again",
                         table->of, (int)a, (int)b, (unsigned long long)parts);
    return parts == model->part_count && states == model->state_size
               ? DEM_OK
               : demi_fail(table->context, DEM_ERROR_UNKNOWN,
                           "%s: the model of materials %d and %d has other parts or another "
                           "state here: set the same models, of the same version of the library",
                           table->of, (int)a, (int)b);
}

dem_status demi_model_table_read(demi_reader *in, demi_model_table *table, uint64_t count)
{
    dem_status status = DEM_OK;
    for (uint64_t k = 0; k < count && status == DEM_OK; ++k) {
        const uint64_t pair = demi_read_u64(in);
        const uint32_t a = (uint32_t)pair, b = (uint32_t)(pair >> 32);
        const uint32_t most = (uint32_t)table->models->material_count;
        const demi_model *model =
            a < most && b < most ? demi_models_get(table->models, (int32_t)a, (int32_t)b) : NULL;
        if (model == NULL)
            return demi_fail(table->context, DEM_ERROR_UNKNOWN,
                             "%s: materials %lu and %lu have no contact model here: call %s",
                             table->of, (unsigned long)a, (unsigned long)b, table->call);
        status = read_model(in, table, model, (int32_t)a, (int32_t)b);
        if (status == DEM_OK)
            demi_model_table_add(table, (int32_t)a, (int32_t)b);
    }
    return status;
}
