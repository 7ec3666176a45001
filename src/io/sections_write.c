/* SPDX-License-Identifier: MIT */
/* What a snapshot says of a world. Everything that decides the bits of what follows is here: the
 * order of rows and contacts, the states of contacts, and where all was when the list was built. */
#include "io/kept_list.h"
#include "io/meshes.h"
#include "io/sections.h"
#include "world/motion_written.h"

static void write_config(demi_writer *out, const void *argument)
{
    const dem_world_config *c = &((const dem_world *)argument)->config;
    demi_write_doubles(out, c->gravity, 3);
    demi_write_doubles(out, c->box_low, 3);
    demi_write_doubles(out, c->box_high, 3);
    demi_write_u32(out, (uint32_t)c->boundary[0], (uint32_t)c->boundary[1]);
    demi_write_u32(out, (uint32_t)c->boundary[2], (uint32_t)c->integrator);
    demi_write_u32(out, (uint32_t)c->material_count, (uint32_t)c->energy_tracking);
    demi_write_doubles(out, &c->skin, 1);
    demi_write_doubles(out, &c->overlap_limit, 1);
    /* what has its default ends the section, as it did where there was nothing else to say */
    const int law = c->chunk_rows > 0 || c->polyhedron_law != DEM_POLYHEDRON_LAW_VOLUME;
    if (law || c->sums != DEM_SUMS_FIXED_ORDER) {
        const double ranges[] = {c->force_range, c->torque_range};
        demi_write_u32(out, (uint32_t)c->sums, (uint32_t)c->polyhedron_law);
        demi_write_doubles(out, ranges, 2);
    }
    if (law)
        demi_write_doubles(out, &c->polyhedron_overlap, 1);
    if (c->chunk_rows > 0)
        demi_write_u64(out, c->chunk_rows);
}

void demi_write_config(demi_writer *writer, const dem_world *w)
{
    demi_write_section(writer, "config  ", write_config, w);
}

static uint32_t flag(int is, uint32_t bit)
{
    return is ? bit : 0;
}

static void write_clock(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    const double sums[] = {w->time,
                           w->list_age,
                           w->work_external,
                           w->work_boundary,
                           w->totals.elastic,
                           w->totals.dissipated_normal,
                           w->totals.dissipated_dashpot,
                           w->totals.dissipated_slip,
                           w->totals.dissipated_rolling};
    demi_write_u64(out, w->steps);
    demi_write_u64(out, w->rebuilds);
    demi_write_u64(out, w->next_id);
    demi_write_u64(out, w->totals.contacts);
    demi_write_doubles(out, sums, sizeof sums / sizeof sums[0]);
    demi_write_u32(out,
                   flag(w->list_stale, DEMI_CLOCK_LIST_STALE) |
                       flag(demi_motion_stale(w), DEMI_CLOCK_FORCES_STALE) |
                       flag(w->touched != 0, DEMI_CLOCK_TOUCHED) |
                       flag(demi_is_domain(w), DEMI_CLOCK_DOMAIN) |
                       flag(w->motion_written, DEMI_CLOCK_MOTION_WRITTEN),
                   w->touched);
    if (w->scheme->lag > 0.0)
        demi_write_doubles(out, &w->velocity_lag, 1);
}

static void write_materials(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    demi_write_doubles(out, w->density.data, (uint64_t)w->config.material_count);
}

/* The model of a pair; NULL is an empty one. */
static void write_model(demi_writer *out, int32_t a, int32_t b, const demi_model *model)
{
    demi_write_u32(out, (uint32_t)a, (uint32_t)b);
    if (model == NULL) {
        demi_write_u32(out, DEM_ARM_RADIUS, 0);
        return;
    }
    demi_write_u32(out, (uint32_t)model->lever_arm, model->part_count);
    for (uint32_t p = 0; p < model->part_count; ++p) {
        const dem_law *law = &model->laws[p];
        demi_write_text(out, law->name);
        demi_write_u32(out, law->version, (uint32_t)law->kind);
        demi_write_u64(out, law->combined_size);
        demi_write_doubles(out, model->combined[p], (law->combined_size + 7) / 8);
    }
}

static void write_models(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    const int32_t n = w->config.material_count;
    uint64_t count = 0;
    for (int32_t a = 0; a < n; ++a)
        for (int32_t b = a; b < n; ++b)
            count += (*demi_models_mark(&w->models, a, b) & DEMI_PAIR_SET) != 0;
    demi_write_u64(out, count);
    for (int32_t a = 0; a < n; ++a)
        for (int32_t b = a; b < n; ++b)
            if ((*demi_models_mark(&w->models, a, b) & DEMI_PAIR_SET) != 0)
                write_model(out, a, b, demi_models_get(&w->models, a, b));
}

static void write_handles(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    const demi_handle *handles = w->handle.data;
    demi_write_u32(out, (uint32_t)w->handles, w->handle_free);
    for (uint64_t k = 0; k < w->handles; ++k)
        demi_write_u32(out, handles[k].generation, handles[k].row);
}

/* Behind the force there is 1/mass, 0 unless integrated; in memory there is a 0. */
static void write_numbers(demi_writer *out, const dem_world *w, const demi_rows_numbers *numbers,
                          uint64_t row)
{
    const double *from = numbers->data + row * numbers->stride;
    if (from != w->current.force_torque.read[row].force) {
        demi_write_doubles(out, from, numbers->count);
        return;
    }
    const demi_velocities *velocities = &w->current.velocity.read[row];
    const double inverse_mass =
        velocities->angular_velocity[3] > 0.0 ? velocities->velocity[3] : 0.0;
    demi_write_doubles(out, from, 3);
    demi_write_doubles(out, &inverse_mass, 1);
    demi_write_doubles(out, from + 4, numbers->count - 4);
}

static void write_particles(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    const demi_row_array *const outer[] = {&w->external_force, &w->external_torque};
    demi_write_u64(out, w->rows);
    /* without rows none are there, wherever memory for them was once */
    demi_write_u32(out, w->rows > 0 && outer[0]->data != NULL,
                   w->rows > 0 && outer[1]->data != NULL);
    for (uint64_t row = 0; row < w->rows; ++row) {
        const demi_body *body = &w->body.data[row];
        const demi_particle *particle = &w->particle.data[row];
        demi_write_u64(out, body->id);
        demi_write_u32(out, particle->handle, (uint32_t)body->material);
        demi_write_u32(out, (uint32_t)body->kind, (uint32_t)body->image[0]);
        demi_write_u32(out, (uint32_t)body->image[1], (uint32_t)body->image[2]);
        for (demi_rows_numbers numbers = {0}; demi_rows_kept(w, &numbers);)
            write_numbers(out, w, &numbers, row);
    }
}

static void write_walls(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    const demi_wall *walls = w->wall.data;
    demi_write_u64(out, w->walls);
    for (uint64_t k = 0; k < w->walls; ++k) {
        const demi_wall *wall = &walls[k];
        demi_write_u64(out, wall->id);
        /* a wall that was removed has no mesh any more */
        const int32_t kind = wall->id == 0 && demi_wall_shape(wall)->kept > 0
                                 ? DEM_SHAPE_PLANE
                                 : demi_shape_of_row(wall->shape);
        const demi_solid *solid = &w->current.solid.read[k];
        demi_write_u32(out, (uint32_t)wall->material, (uint32_t)(wall->place | kind << 8));
        demi_write_doubles(out, solid->point, 3);
        demi_write_doubles(out, solid->normal, 3);
        demi_write_doubles(out, solid->velocity, 3);
        demi_write_doubles(out, w->solid_built.read[k].point, 3);
        demi_write_doubles(out, w->current.wall_force.read[k].force, 3);
        if (kind == 0)
            continue;
        demi_write_doubles(out, solid->size, 3);
        demi_write_doubles(out, solid->axis, 3);
        demi_write_u32(out, (uint32_t)solid->side, (uint32_t)solid->open);
        if (demi_wall_shape(wall)->kept == 0)
            continue;
        demi_write_u32(out, wall->mesh_number - 1, solid->slots);
        demi_write_doubles(out, &solid->cosine, 1);
    }
}

/* Whether both bodies of a pair are still there. */
static int contact_stays(const dem_world *w, const demi_ends *ends)
{
    const uint64_t *id = w->row_id.read;
    return id[ends->own] != 0 && (ends->wall ? w->wall.read[ends->other].id : id[ends->other]) != 0;
}

/* What decides when the list is built anew. One that is stale is not used any more. */
static void write_list(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    const demi_chunk *chunks = w->list.chunk.read;
    demi_write_u32(out, (uint32_t)demi_list_rows(&w->list),
                   w->list_stale ? 0 : (uint32_t)w->list.chunk_rows);
    if (w->list_stale)
        return;
    demi_write_doubles(out, &w->list.skin, 1);
    demi_write_doubles(out, &w->list.reach, 1);
    for (uint64_t k = 0; k < w->list.chunks; ++k) {
        demi_write_doubles(out, chunks[k].mean_velocity, 3);
        demi_write_doubles(out, &chunks[k].displacement_bound, 1);
    }
}

static void write_contact(demi_writer *out, const demi_ends *ends, const double *state,
                          const demi_batch_group *group)
{
    const int plain = ends->shift == DEMI_SHIFT_NONE && ends->feature == 0;
    demi_write_u32(out, (uint32_t)ends->own | (plain ? 0 : DEMI_CONTACT_MORE),
                   (uint32_t)ends->other | (ends->wall ? DEMI_WALL_BIT : 0));
    if (!plain)
        demi_write_u32(out, ends->shift, ends->feature);
    demi_write_doubles(out, state, group->model->state_size);
    const uint32_t kept = demi_group_kept(group->shape, (int)group->faceted);
    demi_write_doubles(out, state + group->state_stride - kept, kept);
}

/* The contacts in the order of the list. */
static void write_contacts(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    const demi_list *list = &w->list;
    const unsigned char *touching = w->current.touching.read;
    const demi_batch_group *group = list->batch_group.read;
    for (uint64_t r = 0; r < list->batch_groups; ++r, ++group) {
        if (!demi_group_lives(w, group))
            continue;
        const demi_chunk *chunk = demi_chunk_of(list, group->begin);
        const double *state = w->current.contact_state.read + group->state_begin;
        for (uint64_t p = group->begin; p < group->end; ++p) {
            if (!touching[p])
                continue;
            const demi_ends ends = demi_pair_ends(list, chunk, group->ends, &list->pair.read[p]);
            if (contact_stays(w, &ends))
                write_contact(out, &ends, state, group);
            state += group->state_stride;
        }
    }
}

void demi_write_sections(demi_writer *writer, const dem_world *w)
{
    demi_write_section(writer, "clock   ", write_clock, w);
    demi_write_section(writer, "material", write_materials, w);
    demi_write_section(writer, "model   ", write_models, w);
    demi_write_section(writer, "handle  ", write_handles, w);
    demi_write_section(writer, "particle", write_particles, w);
    demi_write_meshes(writer, w);
    demi_write_section(writer, "wall    ", write_walls, w);
    demi_write_shapes(writer, w);
    demi_write_slots(writer, w);
    demi_write_section(writer, "list    ", write_list, w);
    demi_write_section(writer, "contacts", write_contacts, w);
    demi_write_coupling(writer, w);
    demi_write_motion(writer, w);
    demi_write_vertices(writer, w);
    demi_write_facets(writer, w);
    demi_write_host(writer, w);
    demi_write_bodies(writer, w);
}
