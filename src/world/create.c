/* SPDX-License-Identifier: MIT */
/* Life of a world: configuration, materials, models. */
#include "base/entry.h"
#include "base/check.h"
#include "base/pool.h"
#include "base/sized.h"
#include "world/in_place.h"
#include "world/world.h"

#include <string.h>

static const dem_world_config world_defaults = {
    .struct_size = sizeof(dem_world_config),
    .integrator = DEMI_SCHEME_DEFAULT,
    .material_count = 1,
    .overlap_limit = 0.5,
    .threads = 1,
    .polyhedron_law = DEM_POLYHEDRON_LAW_VOLUME,
    .polyhedron_overlap = 0.05,
};

dem_status dem_world_config_init_sized(dem_world_config *config, uint64_t size)
{
    if (config == NULL)
        return DEM_ERROR_ARGUMENT;
    return demi_sized_write(config, size, &world_defaults);
}

dem_status dem_material_init_sized(dem_material *material, uint64_t size)
{
    if (material == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_material values = {.struct_size = sizeof values, .density = 1000.0};
    return demi_sized_write(material, size, &values);
}

static dem_status config_check(const dem_world_config *c, dem_error *error)
{
    DEMI_REFUSE(c->reserved != 0 || c->reserved_end != 0, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE,
                c->reserved != 0 ? "dem_world_config.reserved" : "dem_world_config.reserved_end",
                (long long)(c->reserved != 0 ? c->reserved : c->reserved_end), "dem_world_config");
    DEMI_REFUSE(c->reserved_sums != 0, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE,
                "dem_world_config.reserved_sums", (long long)c->reserved_sums, "dem_world_config");
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
        DEMI_REFUSE(c->boundary[k] == DEM_BOUNDARY_PERIODIC &&
                        !isfinite(c->box_high[k] - c->box_low[k]),
                    DEM_ERROR_RANGE,
                    "dem_world_config.box_high[%d] - box_low[%d]: the length of a periodic axis "
                    "from %g to %g m must be finite",
                    k, k, c->box_low[k], c->box_high[k]);
        DEMI_REFUSE(
            c->boundary[k] == DEM_BOUNDARY_PERIODIC && c->sums == DEM_SUMS_EXACT &&
                !(fabs(c->box_low[k]) <= DEMI_EXACT_BOX && fabs(c->box_high[k]) <= DEMI_EXACT_BOX),
            DEM_ERROR_RANGE,
            "dem_world_config.box_low[%d], box_high[%d]: %g, %g are not within %g m, where "
            "periodic axes have a grid for DEM_SUMS_EXACT",
            k, k, c->box_low[k], c->box_high[k], DEMI_EXACT_BOX);
        DEMI_REFUSE(c->boundary[k] == DEM_BOUNDARY_PERIODIC && c->box_high[k] <= c->box_low[k],
                    DEM_ERROR_RANGE, "dem_world_config.box_high[%d]: %g must exceed box_low %g", k,
                    c->box_high[k], c->box_low[k]);
    }
    const demi_scheme *scheme = demi_scheme_of(c->integrator);
    DEMI_REFUSE(scheme == NULL, DEM_ERROR_UNKNOWN, DEMI_SCHEME_UNKNOWN,
                "dem_world_config.integrator", (int)c->integrator);
    DEMI_REFUSE(scheme->stages > 0, DEM_ERROR_UNKNOWN, DEMI_SCHEME_OF_STAGES,
                "dem_world_config.integrator", (int)c->integrator);
    DEMI_REFUSE(c->material_count < 1 || c->material_count > 1024, DEM_ERROR_RANGE,
                "dem_world_config.material_count: %d is not in [1, 1024]", (int)c->material_count);
    DEMI_REFUSE(c->isa < DEM_ISA_AUTO || c->isa > DEM_ISA_X86_64_V2, DEM_ERROR_UNKNOWN,
                "dem_world_config.isa: %d is not a DEM_ISA_ value", (int)c->isa);
    DEMI_REFUSE(c->threads < 1 || c->threads > DEMI_THREADS_MOST, DEM_ERROR_RANGE,
                "dem_world_config.threads: %d is not in [1, %d]", (int)c->threads,
                DEMI_THREADS_MOST);
    DEMI_REFUSE(c->energy_tracking < DEM_ENERGY_TRACKING_FULL ||
                    c->energy_tracking > DEM_ENERGY_TRACKING_OFF,
                DEM_ERROR_UNKNOWN,
                "dem_world_config.energy_tracking: %d is not a DEM_ENERGY_TRACKING_ value",
                (int)c->energy_tracking);
    DEMI_REFUSE(!demi_not_negative(c->skin) || c->skin > DEMI_MOTION_MOST, DEM_ERROR_RANGE,
                "dem_world_config.skin: %g must be >= 0 and at most %g m", c->skin,
                DEMI_MOTION_MOST);
    DEMI_REFUSE(c->host_doubles > DEMI_HOST_DOUBLES_MOST, DEM_ERROR_RANGE,
                "dem_world_config.host_doubles: %llu is not in [0, %d]",
                (unsigned long long)c->host_doubles, DEMI_HOST_DOUBLES_MOST);
    DEMI_REFUSE(!demi_positive(c->overlap_limit) || c->overlap_limit > 1.0, DEM_ERROR_RANGE,
                "dem_world_config.overlap_limit: %.9g is not in (0, 1]", c->overlap_limit);
    DEMI_REFUSE(c->polyhedron_law < DEM_POLYHEDRON_LAW_VOLUME ||
                    c->polyhedron_law > DEM_POLYHEDRON_LAW_LAYER,
                DEM_ERROR_UNKNOWN,
                "dem_world_config.polyhedron_law: %d is not a DEM_POLYHEDRON_LAW_ value",
                (int)c->polyhedron_law);
    DEMI_REFUSE(c->reserved_polyhedron != 0, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE,
                "dem_world_config.reserved_polyhedron", (long long)c->reserved_polyhedron,
                "dem_world_config");
    DEMI_REFUSE(!demi_positive(c->polyhedron_overlap) || c->polyhedron_overlap > 1.0,
                DEM_ERROR_RANGE, "dem_world_config.polyhedron_overlap: %g is not in (0, 1]",
                c->polyhedron_overlap);
    DEMI_REFUSE(c->chunk_rows % DEMI_CHUNK_FACETED != 0 || c->chunk_rows > DEMI_CHUNK_MOST,
                DEM_ERROR_RANGE,
                "dem_world_config.chunk_rows: %llu is not a multiple of %d from 0 to %d",
                (unsigned long long)c->chunk_rows, DEMI_CHUNK_FACETED, DEMI_CHUNK_MOST);
    return demi_sums_check("dem_world_config", c->sums, c->force_range, c->torque_range, error);
}

DEMI_GUARDED guarded_world_create(const dem_world_config *config, dem_world **world,
                                  dem_error *error)
{
    if (world != NULL)
        *world = NULL;
    DEMI_REFUSE(world == NULL || config == NULL, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                world == NULL ? "world" : "config");
    dem_world_config c = world_defaults;
    DEMI_REFUSE(demi_sized_read(&c, config) != DEM_OK, DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE,
                "dem_world_config", (unsigned long long)config->struct_size, "dem_world_config");
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
        demi_exact_init(&made->exact, &made->config);
        made->scheme = demi_scheme_of(c.integrator);
        made->handle_free = UINT32_MAX;
        for (int k = 0; k < 3; ++k)
            made->periodic |= c.boundary[k] == DEM_BOUNDARY_PERIODIC;
        made->next_id = 1;
        made->list_stale = made->forces_stale = 1;
        status = demi_models_init(&made->context, &made->models, c.material_count, isa,
                                  c.energy_tracking == DEM_ENERGY_TRACKING_OFF);
        if (status == DEM_OK)
            status = demi_array_reserve(&made->context, &made->density, (uint64_t)c.material_count,
                                        0, "materials");
        if (status != DEM_OK) {
            demi_world_free(made);
            made = NULL;
        }
    }
    DEMI_REFUSE(made == NULL, DEM_ERROR_MEMORY, "dem_world: the allocator did not give memory");
    for (int32_t k = 0; k < c.material_count; ++k)
        made->density.data[k] = 1000.0;
    if (c.executor.run == NULL && c.threads > 1) {
        demi_pool *pool = demi_pool_create(&made->context, c.threads);
        if (pool == NULL)
            demi_world_free(made);
        DEMI_REFUSE(pool == NULL, DEM_ERROR_MEMORY,
                    "dem_world_config.threads: %d threads and their memory are not available",
                    (int)c.threads);
        made->pool = pool;
        made->config.executor = (dem_executor){pool, demi_pool_run};
    }
    *world = made;
    return DEM_OK;
}

dem_status dem_world_create(const dem_world_config *config, dem_world **world, dem_error *error)
{
    DEMI_QUIET(guarded_world_create(config, world, error));
}

static void state_free(demi_context *context, demi_state *state)
{
    demi_array_free(context, &state->touching);
    demi_array_free(context, &state->contact_state);
    demi_array_free(context, &state->solid);
    demi_array_free(context, &state->wall_force);
    demi_array_free(context, &state->pose);
}

void demi_world_free(dem_world *world)
{
    demi_context *context = &world->context;
    demi_pool_destroy(context, world->pool);
    demi_buffer *const buffers[] = {
        &world->density.buffer,
        &world->pending_free.buffer,
        &world->lightest.buffer,
        &world->census.buffer,
        &world->hook.kept.buffer,
        &world->event.buffer,
        &world->contact_choice.handle.buffer,
        &world->contact_choice.row_mark.buffer,
        &world->contact_choice.copy_mark.buffer,
        &world->contact_choice.chunk_mark.buffer,
        &world->contact_choice.place.buffer,
        &world->film.pair.buffer,
        &world->film.change.buffer,
        &world->film.impulse.buffer,
        &world->film.damping.buffer,
        &world->flight_work.buffer,
        &world->handle.buffer,
        &world->wall.buffer,
        &world->wall_active.buffer,
        &world->ids.entry.buffer,
        &world->chunk_result.buffer,
        &world->workspaces.memory.buffer,
        &world->solid_built.buffer,
        &world->wall_impulse.buffer,
        &world->wall_turning.buffer,
        &world->wall_servo.buffer,
        &world->mesh_point.buffer,
        &world->rigid.buffer,
        &world->rigid_part.buffer,
        &world->rigid_arms.buffer,
        &world->rigid_drag.buffer,
        &world->rigid_impulse.buffer,
        &world->rigid_ids.entry.buffer,
        &world->mesh_walls.entry.buffer,
    };
    demi_model **pending_free = world->pending_free.data;
    for (uint64_t k = 0; k < world->pending_free_count; ++k)
        demi_model_free(context, pending_free[k]);
    demi_polyhedra_faces_free(world);
    demi_polyhedra_free(world);
    demi_shapes_free(world);
    demi_meshes_drop(world);
    demi_facets_free(world);
    demi_rows_free(world);
    demi_in_place_free(world);
    demi_ghosts_free(world);
    demi_mark_free(world);
    demi_exact_free(context, &world->exact);
    state_free(context, &world->current);
    state_free(context, &world->next);
    for (size_t k = 0; k < sizeof buffers / sizeof buffers[0]; ++k)
        demi_buffer_free(context, buffers[k]);
    demi_list_free(context, &world->list);
    demi_list_free(context, &world->list_next);
    demi_array_free(context, &world->chunk_copy);
    demi_list_workspace_free(context, &world->list_workspace);
    demi_models_free(context, &world->models);
    demi_context last = *context;
    demi_release(&last, world, sizeof *world);
}

void dem_world_destroy(dem_world *world)
{
    /* not left again: nothing may come in any more */
    if (world != NULL && demi_enter(world->self, 1, __func__))
        demi_world_free(world);
}

const char *dem_world_error(const dem_world *world)
{
    return world == NULL ? "world: must not be NULL" : demi_context_message(&world->context);
}

DEMI_GUARDED guarded_world_law_register(dem_world *world, const dem_law *law)
{
    return demi_models_register(&world->context, &world->models, law);
}

dem_status dem_world_law_register(dem_world *world, const dem_law *law)
{
    DEMI_SET(world, guarded_world_law_register(world, law));
}

DEMI_GUARDED guarded_material_set(dem_world *world, int32_t index, const dem_material *material)
{
    demi_context *context = &world->context;
    if (material == NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "material: must not be NULL");
    if (index < 0 || index >= world->config.material_count)
        return demi_fail(context, DEM_ERROR_RANGE, "material index: %d is not in [0, %d)",
                         (int)index, (int)world->config.material_count);
    dem_material m = {.density = 0.0};
    if (demi_sized_read(&m, material) != DEM_OK)
        return demi_sized_fail(context, "dem_material", material->struct_size);
    if (!demi_positive(m.density))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_material.density: %g must be finite and > 0 kg/m3", m.density);
    world->density.data[index] = m.density;
    return DEM_OK;
}

dem_status dem_material_set(dem_world *world, int32_t index, const dem_material *material)
{
    DEMI_SET(world, guarded_material_set(world, index, material));
}

DEMI_GUARDED guarded_contact_model_set(dem_world *world, int32_t material_a, int32_t material_b,
                                       const dem_contact_model *model)
{
    demi_context *context = &world->context;
    dem_status status = demi_array_reserve(context, &world->pending_free,
                                           world->pending_free_count + 1, 1, "models");
    if (status != DEM_OK)
        return status;
    demi_model *old;
    status = demi_models_set(context, &world->models, material_a, material_b, model, &old);
    if (status != DEM_OK)
        return status;
    demi_mark_end(world);
    demi_model *set = demi_models_get(&world->models, material_a, material_b);
    if (set != NULL)
        set->set_after = world->rebuilds + 1;
    /* batch groups of the present list may still name the old model, unless it was set since */
    if (old != NULL && old->set_after == world->rebuilds + 1)
        demi_model_free(context, old);
    else if (old != NULL)
        world->pending_free.data[world->pending_free_count++] = old;
    world->contact_choice.valid = 0; /* contacts of the old one are left out */
    world->list_stale = world->forces_stale = 1;
    return DEM_OK;
}

dem_status dem_contact_model_set(dem_world *world, int32_t material_a, int32_t material_b,
                                 const dem_contact_model *model)
{
    DEMI_SET(world, guarded_contact_model_set(world, material_a, material_b, model));
}

DEMI_GUARDED guarded_world_pair_value(const dem_world *world, int32_t material_a,
                                      int32_t material_b, uint64_t index, dem_pair_value *value)
{
    return demi_models_value(world->self, &world->models, material_a, material_b, index, value);
}

dem_status dem_world_pair_value(const dem_world *world, int32_t material_a, int32_t material_b,
                                uint64_t index, dem_pair_value *value)
{
    DEMI_READ(world, guarded_world_pair_value(world, material_a, material_b, index, value));
}

DEMI_GUARDED guarded_world_gravity_set(dem_world *world, const double gravity[3])
{
    if (gravity == NULL)
        return demi_fail(&world->context, DEM_ERROR_ARGUMENT, "gravity: must not be NULL");
    if (!demi_finite3(gravity))
        return demi_fail(&world->context, DEM_ERROR_RANGE, "gravity: (%g, %g, %g) must be finite",
                         gravity[0], gravity[1], gravity[2]);
    memcpy(world->config.gravity, gravity, sizeof world->config.gravity);
    return DEM_OK;
}

dem_status dem_world_gravity_set(dem_world *world, const double gravity[3])
{
    DEMI_SET(world, guarded_world_gravity_set(world, gravity));
}
