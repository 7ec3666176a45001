/* SPDX-License-Identifier: MIT */
/* Life of a world: configuration, materials, models. */
#include "base/check.h"
#include "base/pool.h"
#include "base/sized.h"
#include "world/world.h"

#include <string.h>

static const dem_world_config world_defaults = {
    .struct_size = sizeof(dem_world_config),
    .integrator = DEM_INTEGRATOR_VERLET_SYNC,
    .material_count = 1,
    .overlap_limit = 0.5,
    .threads = 1,
};

dem_status dem_world_config_init_sized(dem_world_config *config, uint64_t size)
{
    if (config == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(config, size, &world_defaults, sizeof world_defaults,
                            sizeof world_defaults);
}

dem_status dem_material_init_sized(dem_material *material, uint64_t size)
{
    if (material == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_material values = {sizeof values, 1000.0};
    return demi_sized_write(material, size, &values, sizeof values, sizeof values);
}

static dem_status config_check(const dem_world_config *c, dem_error *error)
{
    DEMI_REFUSE(!demi_finite3(c->gravity), DEM_ERROR_RANGE,
                "dem_world_config.gravity: (%g, %g, %g) must be finite", c->gravity[0],
                c->gravity[1], c->gravity[2]);
    for (int k = 0; k < 3; ++k) {
        DEMI_REFUSE(c->boundary[k] != DEM_BOUNDARY_OPEN && c->boundary[k] != DEM_BOUNDARY_PERIODIC,
                    DEM_ERROR_UNKNOWN,
                    "dem_world_config.boundary[%d]: %d is not a DEM_BOUNDARY_ value", k,
                    (int)c->boundary[k]);
        DEMI_REFUSE(!isfinite(c->box_low[k]) || !isfinite(c->box_high[k]), DEM_ERROR_RANGE,
                    "dem_world_config.box_low[%d], box_high[%d]: %g, %g must be finite", k, k,
                    c->box_low[k], c->box_high[k]);
        DEMI_REFUSE(c->boundary[k] == DEM_BOUNDARY_PERIODIC && c->box_high[k] <= c->box_low[k],
                    DEM_ERROR_RANGE, "dem_world_config.box_high[%d]: %g must exceed box_low %g", k,
                    c->box_high[k], c->box_low[k]);
    }
    DEMI_REFUSE(c->integrator < DEM_INTEGRATOR_VERLET_SYNC ||
                    c->integrator > DEM_INTEGRATOR_SYMPLECTIC_EULER,
                DEM_ERROR_UNKNOWN,
                "dem_world_config.integrator: %d is not a DEM_INTEGRATOR_ value of one force "
                "evaluation a step, 0 to %d",
                (int)c->integrator, DEM_INTEGRATOR_SYMPLECTIC_EULER);
    DEMI_REFUSE(c->material_count < 1 || c->material_count > 1024, DEM_ERROR_RANGE,
                "dem_world_config.material_count: %d is not in [1, 1024]", (int)c->material_count);
    DEMI_REFUSE(c->isa < DEM_ISA_AUTO || c->isa > DEM_ISA_AVX512, DEM_ERROR_UNKNOWN,
                "dem_world_config.isa: %d is not a DEM_ISA_ value", (int)c->isa);
    DEMI_REFUSE(c->threads < 1 || c->threads > DEMI_THREADS_MOST, DEM_ERROR_RANGE,
                "dem_world_config.threads: %d is not in [1, %d]", (int)c->threads,
                DEMI_THREADS_MOST);
    DEMI_REFUSE(c->accounting < DEM_ACCOUNTING_FULL || c->accounting > DEM_ACCOUNTING_OFF,
                DEM_ERROR_UNKNOWN, "dem_world_config.accounting: %d is not a DEM_ACCOUNTING_ value",
                (int)c->accounting);
    DEMI_REFUSE(!demi_not_negative(c->skin), DEM_ERROR_RANGE,
                "dem_world_config.skin: %g must be finite and >= 0 m", c->skin);
    DEMI_REFUSE(!demi_positive(c->overlap_limit) || c->overlap_limit > 1.0, DEM_ERROR_RANGE,
                "dem_world_config.overlap_limit: %g is not in (0, 1]", c->overlap_limit);
    return DEM_OK;
}

dem_status dem_world_create(const dem_world_config *config, dem_world **world, dem_error *error)
{
    if (world != NULL)
        *world = NULL;
    DEMI_REFUSE(world == NULL || config == NULL, DEM_ERROR_ARGUMENT, "%s: NULL",
                world == NULL ? "world" : "config");
    dem_world_config c = world_defaults;
    DEMI_REFUSE(demi_sized_read(&c, config, sizeof c, sizeof c) != DEM_OK, DEM_ERROR_STRUCT_SIZE,
                DEMI_SIZED_MESSAGE, "dem_world_config", (unsigned long long)config->struct_size,
                "dem_world_config");
    dem_status status = config_check(&c, error);
    if (status != DEM_OK)
        return status;
    const int isa = demi_isa_index(c.isa);
    DEMI_REFUSE(isa < 0, DEM_ERROR_UNKNOWN, DEMI_ISA_MESSAGE, "dem_world_config", (int)c.isa);
    demi_context context;
    DEMI_REFUSE(demi_context_init(&context, &c.allocator, &c.log) != DEM_OK, DEM_ERROR_ARGUMENT,
                "dem_world_config.allocator: one function is NULL");
    dem_world *made = demi_allocate(&context, sizeof *made);
    if (made != NULL) {
        memset(made, 0, sizeof *made);
        made->context = context;
        made->self = &made->context;
        made->config = c;
        made->handle_free = UINT32_MAX;
        for (int k = 0; k < 3; ++k)
            made->periodic |= c.boundary[k] == DEM_BOUNDARY_PERIODIC;
        made->next_id = 1;
        made->list_stale = made->forces_stale = 1;
        status = demi_models_init(&made->context, &made->models, c.material_count, isa,
                                  c.accounting == DEM_ACCOUNTING_OFF);
        if (status == DEM_OK)
            status =
                demi_buffer_reserve(&made->context, &made->density,
                                    (uint64_t)c.material_count * sizeof(double), 0, "materials");
        if (status != DEM_OK) {
            dem_world_destroy(made);
            made = NULL;
        }
    }
    DEMI_REFUSE(made == NULL, DEM_ERROR_MEMORY, "dem_world: the allocator did not give memory");
    for (int32_t k = 0; k < c.material_count; ++k)
        ((double *)made->density.data)[k] = 1000.0;
    if (c.executor.run == NULL && c.threads > 1) {
        demi_pool *pool = demi_pool_create(&made->context, c.threads);
        if (pool == NULL)
            dem_world_destroy(made);
        DEMI_REFUSE(pool == NULL, DEM_ERROR_MEMORY,
                    "dem_world_config.threads: memory and threads for %d were not to be had",
                    (int)c.threads);
        made->pool = pool;
        made->config.executor = (dem_executor){pool, demi_pool_run};
    }
    *world = made;
    return DEM_OK;
}

static void list_free(demi_context *context, demi_list *list)
{
    demi_buffer *const buffers[] = {
        &list->pair,           &list->run,      &list->chunk, &list->target,
        &list->incoming_begin, &list->incoming, &list->halo,  &list->live[0],
        &list->live[1],        &list->near,     &list->shift};
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k)
        demi_buffer_free(context, buffers[k]);
}

void dem_world_destroy(dem_world *world)
{
    if (world == NULL)
        return;
    demi_context *context = &world->context;
    demi_pool_destroy(context, world->pool);
    demi_buffer *const buffers[] = {
        &world->density,
        &world->position[0],
        &world->position[1],
        &world->motion[0],
        &world->motion[1],
        &world->load[0],
        &world->load[1],
        &world->state[0],
        &world->state[1],
        &world->built,
        &world->body,
        &world->body_next,
        &world->row_id,
        &world->external_force,
        &world->external_torque,
        &world->external_next,
        &world->handle,
        &world->wall,
        &world->ids.entry,
        &world->scratch_order,
        &world->scratch_cell,
        &world->scratch_axis,
        &world->scratch_cell_of,
        &world->scratch_target,
        &world->scratch_live_row,
        &world->scratch_live_begin,
        &world->scratch_live,
        &world->report,
        &world->scratch_shift,
        &world->desks.memory,
    };
    demi_model **retired = world->retired.data;
    for (uint64_t k = 0; k < world->retired_count; ++k)
        demi_model_free(context, retired[k]);
    demi_buffer_free(context, &world->retired);
    demi_buffer_free(context, &world->lightest);
    demi_buffer_free(context, &world->flight_work);
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k)
        demi_buffer_free(context, buffers[k]);
    list_free(context, &world->list);
    list_free(context, &world->list_next);
    demi_models_free(context, &world->models);
    demi_context last = *context;
    demi_release(&last, world, sizeof *world);
}

const char *dem_world_error(const dem_world *world)
{
    return world == NULL ? "world: NULL" : world->context.message;
}

dem_status dem_world_law_register(dem_world *world, const dem_law *law)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_models_register(&world->context, &world->models, law);
}

dem_status dem_material_set(dem_world *world, int32_t index, const dem_material *material)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    demi_context *context = &world->context;
    if (material == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "material: NULL");
    if (index < 0 || index >= world->config.material_count)
        return demi_fail(context, DEM_ERROR_RANGE, "material index: %d is not in [0, %d)",
                         (int)index, (int)world->config.material_count);
    dem_material m = {0, 0.0};
    if (demi_sized_read(&m, material, sizeof m, sizeof m) != DEM_OK)
        return demi_fail(context, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_material",
                         (unsigned long long)material->struct_size, "dem_material");
    if (!demi_positive(m.density))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_material.density: %g must be finite and > 0 kg/m3", m.density);
    ((double *)world->density.data)[index] = m.density;
    return DEM_OK;
}

dem_status dem_contact_model_set(dem_world *world, int32_t material_a, int32_t material_b,
                                 const dem_contact_model *model)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    demi_context *context = &world->context;
    dem_status status = demi_buffer_reserve(
        context, &world->retired, (world->retired_count + 1) * sizeof(demi_model *), 1, "models");
    if (status != DEM_OK)
        return status;
    demi_model *old;
    status = demi_models_set(context, &world->models, material_a, material_b, model, &old);
    if (status != DEM_OK)
        return status;
    /* runs of the present list still name the old model */
    if (old != NULL)
        ((demi_model **)world->retired.data)[world->retired_count++] = old;
    world->list_stale = world->forces_stale = 1;
    return DEM_OK;
}

dem_status dem_world_pair_value(const dem_world *world, int32_t material_a, int32_t material_b,
                                uint64_t index, dem_pair_value *value)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_models_value(world->self, &world->models, material_a, material_b, index, value);
}

dem_status dem_world_gravity_set(dem_world *world, const double gravity[3])
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    if (gravity == NULL)
        return demi_fail(&world->context, DEM_ERROR_ARGUMENT, "gravity: NULL");
    if (!demi_finite3(gravity))
        return demi_fail(&world->context, DEM_ERROR_RANGE, "gravity: (%g, %g, %g) must be finite",
                         gravity[0], gravity[1], gravity[2]);
    memcpy(world->config.gravity, gravity, sizeof world->config.gravity);
    return DEM_OK;
}
