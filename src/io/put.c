/* SPDX-License-Identifier: MIT */
/* What a snapshot says of a world. Everything that decides the bits of what follows is here: the
 * order of rows and pairs, the states of contacts, and when the list was built. */
#include "io/sections.h"

static void put_rows3(demi_writer *out, const demi_buffer *rows, uint64_t row)
{
    demi_put_doubles(out, demi_rows(rows)[row], 3);
}

static void put_config(demi_writer *out, const void *argument)
{
    const dem_world_config *c = &((const dem_world *)argument)->config;
    demi_put_doubles(out, c->gravity, 3);
    demi_put_doubles(out, c->box_low, 3);
    demi_put_doubles(out, c->box_high, 3);
    demi_put_halves(out, (uint32_t)c->boundary[0], (uint32_t)c->boundary[1]);
    demi_put_halves(out, (uint32_t)c->boundary[2], (uint32_t)c->integrator);
    demi_put_halves(out, (uint32_t)c->material_count, (uint32_t)c->accounting);
    demi_put_doubles(out, &c->skin, 1);
    demi_put_doubles(out, &c->overlap_limit, 1);
}

void demi_put_config(demi_writer *writer, const dem_world *w)
{
    demi_put_section(writer, "config  ", put_config, w);
}

static void put_clock(demi_writer *out, const void *argument)
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
    demi_put(out, w->steps);
    demi_put(out, w->rebuilds);
    demi_put(out, w->next_id);
    demi_put(out, w->totals.contacts);
    demi_put_doubles(out, sums, sizeof sums / sizeof sums[0]);
    demi_put(out, (uint64_t)(w->list_stale != 0) | (uint64_t)(w->forces_stale != 0) << 1 |
                      (uint64_t)(w->touched != 0) << 2 | (uint64_t)w->front << 3);
    if (w->config.integrator == DEM_INTEGRATOR_LEAPFROG)
        demi_put_doubles(out, &w->velocity_lag, 1);
}

static void put_materials(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    demi_put_doubles(out, w->density.data, (uint64_t)w->config.material_count);
}

static void put_model(demi_writer *out, const demi_model *model)
{
    demi_put_halves(out, (uint32_t)model->material_a, (uint32_t)model->material_b);
    demi_put_halves(out, (uint32_t)model->lever_arm, model->part_count);
    for (uint32_t p = 0; p < model->part_count; ++p) {
        const dem_law *law = &model->laws[p];
        demi_put_text(out, law->name);
        demi_put_halves(out, law->version, (uint32_t)law->kind);
        demi_put(out, law->combined_size);
        demi_put_doubles(out, model->combined[p], (law->combined_size + 7) / 8);
    }
}

static void put_models(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    const int32_t n = w->config.material_count;
    uint64_t count = 0;
    for (int32_t a = 0; a < n; ++a)
        for (int32_t b = a; b < n; ++b)
            count += demi_models_get(&w->models, a, b) != NULL;
    demi_put(out, count);
    for (int32_t a = 0; a < n; ++a)
        for (int32_t b = a; b < n; ++b)
            if (demi_models_get(&w->models, a, b) != NULL)
                put_model(out, demi_models_get(&w->models, a, b));
}

static void put_handles(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    const demi_handle *handles = w->handle.data;
    demi_put_halves(out, (uint32_t)w->handles, w->handle_free);
    for (uint64_t k = 0; k < w->handles; ++k)
        demi_put_halves(out, handles[k].generation, handles[k].row);
}

static void put_particles(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    const int side = w->front;
    const demi_buffer *const outer[] = {&w->external_force, &w->external_torque};
    demi_put(out, w->rows);
    demi_put_halves(out, outer[0]->data != NULL, outer[1]->data != NULL);
    for (uint64_t row = 0; row < w->rows; ++row) {
        const demi_body *body = &demi_bodies(w)[row];
        demi_put(out, body->id);
        demi_put_halves(out, body->handle, (uint32_t)body->material);
        demi_put_halves(out, (uint32_t)body->motion, (uint32_t)body->image[0]);
        demi_put_halves(out, (uint32_t)body->image[1], (uint32_t)body->image[2]);
        demi_put_doubles(out, &body->mass, 1);
        demi_put_doubles(out, demi_rows(&w->position[side])[row], 4);
        demi_put_doubles(out, demi_motions(&w->motion[side])[row].velocity, 4);
        demi_put_doubles(out, demi_motions(&w->motion[side])[row].spin, 4);
        demi_put_doubles(out, demi_loads(&w->load[side])[row].force, 3);
        /* 1/mass, 0 unless free */
        const demi_motion *motion = &demi_motions(&w->motion[side])[row];
        const double inverse_mass = motion->spin[3] > 0.0 ? motion->velocity[3] : 0.0;
        demi_put_doubles(out, &inverse_mass, 1);
        demi_put_doubles(out, demi_loads(&w->load[side])[row].torque, 3);
        put_rows3(out, &w->built, row);
        for (int k = 0; k < 2; ++k)
            if (outer[k]->data != NULL)
                put_rows3(out, outer[k], row);
    }
}

static void put_walls(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    const demi_wall *walls = w->wall.data;
    demi_put(out, w->walls);
    for (uint64_t k = 0; k < w->walls; ++k) {
        const demi_wall *wall = &walls[k];
        demi_put(out, wall->id);
        demi_put_halves(out, (uint32_t)wall->material, (uint32_t)wall->vacant);
        demi_put_doubles(out, wall->point[w->front], 3);
        demi_put_doubles(out, wall->normal, 3);
        demi_put_doubles(out, wall->velocity, 3);
        demi_put_doubles(out, wall->built, 3);
        demi_put_doubles(out, wall->force[w->front], 3);
    }
}

/* Whether a run's model is that of its materials still. Where it was replaced since the list was
 * built, the next rebuild forgets its contacts, and so does a snapshot. */
static int run_lives(const dem_world *w, const demi_run *run)
{
    return run->model != NULL && demi_models_get(&w->models, run->model->material_a,
                                                 run->model->material_b) == run->model;
}

static void put_states(demi_writer *out, const dem_world *w, const demi_run *run)
{
    const unsigned char *live = w->list.live[w->front].data;
    uint64_t bits = 0;
    for (uint64_t p = run->begin; p < run->end; ++p) {
        const uint64_t n = p - run->begin;
        bits |= (uint64_t)(live[p] != 0) << n % 64;
        if (n % 64 == 63 || p + 1 == run->end) {
            demi_put(out, bits);
            bits = 0;
        }
    }
    const double *state = (const double *)w->state[w->front].data + run->state_begin;
    for (uint64_t p = run->begin; p < run->end; ++p) {
        if (!live[p])
            continue;
        demi_put_doubles(out, state, run->model->state_size);
        state += run->state_stride;
    }
}

static void put_chunk_size(demi_writer *out, const demi_chunk *chunk)
{
    demi_put_halves(out, (uint32_t)(chunk->row_end - chunk->row_begin),
                    (uint32_t)(chunk->run_end - chunk->run_begin));
    uint64_t pairs = 0;
    for (int ends = 0; ends < DEMI_ENDS; ++ends)
        pairs += chunk->pairs[ends];
    demi_put_halves(out, (uint32_t)pairs, (uint32_t)(chunk->halo_end - chunk->halo_begin));
    demi_put_doubles(out, chunk->low, 3);
    demi_put_doubles(out, chunk->high, 3);
    demi_put_doubles(out, chunk->drift, 3);
    demi_put_doubles(out, &chunk->largest, 1);
    demi_put_doubles(out, &chunk->strayed, 1);
}

static void put_chunk(demi_writer *out, const dem_world *w, const demi_chunk *chunk)
{
    const demi_list *list = &w->list;
    const demi_pair *pairs = list->pair.data;
    const uint32_t *target = list->target.data;
    const demi_run *runs = list->run.data;
    const unsigned char *shift = list->shift.data;
    for (uint64_t h = chunk->halo_begin; h < chunk->halo_end; ++h)
        demi_put_halves(out, target[h], shift[h]);
    for (uint64_t r = chunk->run_begin; r < chunk->run_end; ++r) {
        const demi_run *run = &runs[r];
        const int lives = run_lives(w, run);
        /* halo rows are numbered after the chunk's own */
        const uint32_t rows = (uint32_t)list->chunk_rows,
                       halo[2] = {run->ends == DEMI_ENDS_HALO_I ? rows : 0,
                                  run->ends == DEMI_ENDS_HALO_J ? rows : 0};
        demi_put_halves(out, (uint32_t)(run->end - run->begin),
                        (uint32_t)run->shape | (uint32_t)lives << 1);
        demi_put_halves(out, lives ? (uint32_t)run->model->material_a : 0,
                        lives ? (uint32_t)run->model->material_b : 0);
        demi_put_doubles(out, &run->reach, 1);
        for (uint64_t p = run->begin; p < run->end; ++p)
            demi_put_halves(out, pairs[p].i / DEMI_PLACE + halo[0],
                            pairs[p].j / DEMI_PLACE + halo[1]);
        if (lives)
            put_states(out, w, run);
    }
}

static void put_list(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    const demi_chunk *chunks = w->list.chunk.data;
    const double scales[] = {w->skin, w->list.margin, w->list.reach};
    demi_put_halves(out, (uint32_t)w->list.chunks, (uint32_t)w->list.chunk_rows);
    demi_put_doubles(out, scales, 3);
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        put_chunk_size(out, &chunks[k]);
    for (uint64_t k = 0; k < w->list.chunks; ++k)
        put_chunk(out, w, &chunks[k]);
}

void demi_put_sections(demi_writer *writer, const dem_world *w)
{
    demi_put_section(writer, "clock   ", put_clock, w);
    demi_put_section(writer, "material", put_materials, w);
    demi_put_section(writer, "model   ", put_models, w);
    demi_put_section(writer, "handle  ", put_handles, w);
    demi_put_section(writer, "particle", put_particles, w);
    demi_put_section(writer, "wall    ", put_walls, w);
    demi_put_section(writer, "list    ", put_list, w);
}
