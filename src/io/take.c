/* SPDX-License-Identifier: MIT */
/* The way back from sections to a world. Numbers are believed only as far as the world needs not
 * trust them: whatever a snapshot says, a world made from it stays within its memory. */
#include "base/check.h"
#include "io/sections.h"
#include "world/drift.h"
#include "world/list.h"

typedef struct take_call {
    demi_reader *in;
    dem_world *w;
} take_call;

enum { FLAG_LIST_STALE = 1, FLAG_FORCES_STALE = 2, FLAG_TOUCHED = 4, FLAG_FRONT = 8 };

/* Leaves the function where the snapshot says something that cannot be. */
#define TAKE_REFUSE(condition, ...)                                                                \
    do {                                                                                           \
        if (condition)                                                                             \
            return demi_fail(&t->w->context, DEM_ERROR_FORMAT, "snapshot: " __VA_ARGS__);          \
    } while (0)

static int all_finite(const double *values, uint64_t count)
{
    for (uint64_t k = 0; k < count; ++k)
        if (!isfinite(values[k]))
            return 0;
    return 1;
}

void demi_take_config(demi_reader *in, dem_world_config *c)
{
    uint32_t low, high;
    demi_take_section(in, "config  ");
    demi_take_doubles(in, c->gravity, 3);
    demi_take_doubles(in, c->box_low, 3);
    demi_take_doubles(in, c->box_high, 3);
    demi_take_halves(in, &low, &high);
    c->boundary[0] = (int32_t)low;
    c->boundary[1] = (int32_t)high;
    demi_take_halves(in, &low, &high);
    c->boundary[2] = (int32_t)low;
    c->integrator = (int32_t)high;
    demi_take_halves(in, &low, &high);
    c->material_count = (int32_t)low;
    c->accounting = (int32_t)high;
    c->skin = demi_take_double(in);
    c->overlap_limit = demi_take_double(in);
    demi_leave_section(in);
}

static dem_status take_clock(take_call *t)
{
    dem_world *w = t->w;
    demi_reader *in = t->in;
    w->steps = demi_take(in);
    w->rebuilds = demi_take(in);
    w->next_id = demi_take(in);
    w->totals.contacts = demi_take(in);
    double *const sums[] = {&w->time,
                            &w->list_age,
                            &w->work_external,
                            &w->work_boundary,
                            &w->totals.elastic,
                            &w->totals.dissipated_normal,
                            &w->totals.dissipated_dashpot,
                            &w->totals.dissipated_slip,
                            &w->totals.dissipated_rolling};
    for (size_t k = 0; k < sizeof sums / sizeof sums[0]; ++k)
        *sums[k] = demi_take_double(in);
    const uint64_t flags = demi_take(in);
    if (w->config.integrator == DEM_INTEGRATOR_LEAPFROG)
        w->velocity_lag = demi_take_double(in);
    TAKE_REFUSE(!demi_not_negative(w->list_age) || w->next_id == 0 || flags > 15 ||
                    !demi_not_negative(w->velocity_lag),
                "the clock is not valid");
    w->list_stale = (flags & FLAG_LIST_STALE) != 0;
    w->forces_stale = (flags & FLAG_FORCES_STALE) != 0;
    w->touched = (flags & FLAG_TOUCHED) != 0;
    /* some sums run over both sides */
    w->front = (flags & FLAG_FRONT) != 0;
    return DEM_OK;
}

static dem_status take_materials(take_call *t)
{
    double *density = t->w->density.data;
    for (int32_t k = 0; k < t->w->config.material_count; ++k) {
        density[k] = demi_take_double(t->in);
        TAKE_REFUSE(!t->in->failed && !demi_positive(density[k]),
                    "the density of material %d is not valid", (int)k);
    }
    return DEM_OK;
}

static dem_status take_model(take_call *t)
{
    demi_reader *in = t->in;
    uint32_t a, b, arm, parts;
    demi_model_part part[DEMI_PARTS_MAX];
    memset(part, 0, sizeof part);
    demi_take_halves(in, &a, &b);
    demi_take_halves(in, &arm, &parts);
    const uint32_t materials = (uint32_t)t->w->config.material_count;
    TAKE_REFUSE(a > b || b >= materials || arm > DEM_ARM_CONTACT || parts == 0 ||
                    parts > DEMI_PARTS_MAX,
                "the model of materials %u and %u is not valid", a, b);
    TAKE_REFUSE(demi_models_get(&t->w->models, (int32_t)a, (int32_t)b) != NULL,
                "materials %u and %u have two models", a, b);
    for (uint32_t p = 0; p < parts; ++p) {
        uint32_t kind;
        demi_take_text(in, part[p].law, sizeof part[p].law);
        demi_take_halves(in, &part[p].version, &kind);
        part[p].kind = (int32_t)kind;
        part[p].combined_size = demi_take(in);
        TAKE_REFUSE(in->failed || part[p].combined_size > DEMI_COMBINED_MAX,
                    "part %u of the model of materials %u and %u is not valid", p, a, b);
        demi_take_doubles(in, part[p].combined, (part[p].combined_size + 7) / 8);
    }
    if (in->failed)
        return DEM_OK;
    return demi_models_restore(&t->w->context, &t->w->models, (int32_t)a, (int32_t)b, (int32_t)arm,
                               parts, part);
}

static dem_status take_models(take_call *t)
{
    dem_status status = DEM_OK;
    const uint64_t count = demi_take_count(t->in, 2);
    for (uint64_t k = 0; status == DEM_OK && !t->in->failed && k < count; ++k)
        status = take_model(t);
    return status;
}

static dem_status take_handles(take_call *t)
{
    dem_world *w = t->w;
    uint32_t count, free_one;
    demi_take_halves(t->in, &count, &free_one);
    TAKE_REFUSE(count > t->in->words, "handles are missing");
    const dem_status status =
        demi_buffer_reserve(&w->context, &w->handle, count * sizeof(demi_handle), 0, "handles");
    if (status != DEM_OK)
        return status;
    demi_handle *handles = w->handle.data;
    uint64_t unused = 0;
    for (uint32_t k = 0; k < count; ++k) {
        demi_take_halves(t->in, &handles[k].generation, &handles[k].row);
        unused += handles[k].generation % 2 == 0;
    }
    w->handles = count;
    w->handle_free = free_one;
    /* the free ones form a chain that ends, and no other is in it */
    for (; free_one != UINT32_MAX; free_one = handles[free_one].row, --unused)
        TAKE_REFUSE(unused == 0 || free_one >= count || handles[free_one].generation % 2 != 0,
                    "the free handles are not valid");
    TAKE_REFUSE(unused != 0, "the free handles are not valid");
    return DEM_OK;
}

/* Enters a body in the tables of handles and ids. Rows of removed ones are in neither. */
static dem_status enter_body(take_call *t, const demi_body *body, uint64_t row, uint64_t *entered)
{
    dem_world *w = t->w;
    if (body->id == 0) {
        TAKE_REFUSE(!w->list_stale, "row %llu is empty", (unsigned long long)row);
        return DEM_OK;
    }
    const demi_handle *handles = w->handle.data;
    uint32_t other;
    TAKE_REFUSE(body->handle >= w->handles || handles[body->handle].generation % 2 == 0 ||
                    handles[body->handle].row != row,
                "the handle of particle %llu is not valid", (unsigned long long)body->id);
    TAKE_REFUSE(demi_idmap_find(&w->ids, body->id, &other), "id %llu is given twice",
                (unsigned long long)body->id);
    demi_idmap_insert(&w->ids, body->id, body->handle);
    ++*entered;
    return DEM_OK;
}

static dem_status take_particle(take_call *t, uint64_t row)
{
    enum { IMAGE_MOST = 1 << 28 };
    dem_world *w = t->w;
    demi_reader *in = t->in;
    const int side = w->front;
    demi_body *body = &demi_bodies(w)[row];
    demi_motion *motion = &demi_motions(&w->motion[side])[row];
    demi_load *load = &demi_loads(&w->load[side])[row];
    double *x = demi_rows(&w->position[side])[row], *v = motion->velocity, *s = motion->spin,
           *f = load->force, *m = load->torque, *built = demi_rows(&w->built)[row];
    uint32_t half[6];
    memset(body, 0, sizeof *body);
    body->id = ((uint64_t *)w->row_id.data)[row] = demi_take(in);
    for (int k = 0; k < 6; k += 2)
        demi_take_halves(in, &half[k], &half[k + 1]);
    body->handle = half[0];
    body->material = (int32_t)half[1];
    body->motion = (int32_t)half[2];
    body->mass = demi_take_double(in);
    demi_take_doubles(in, x, 4);
    demi_take_doubles(in, v, 4);
    demi_take_doubles(in, s, 4);
    demi_take_doubles(in, f, 4);
    demi_take_doubles(in, m, 3);
    m[3] = 0.0;
    demi_take_doubles(in, built, 3);
    demi_buffer *const outer[] = {&w->external_force, &w->external_torque};
    int outer_finite = 1;
    for (int k = 0; k < 2; ++k)
        if (outer[k]->data != NULL) {
            demi_take_doubles(in, demi_rows(outer[k])[row], 3);
            outer_finite &= demi_finite3(demi_rows(outer[k])[row]);
        }
    if (in->failed)
        return DEM_OK;
    const unsigned long long n = (unsigned long long)row;
    TAKE_REFUSE(body->material < 0 || body->material >= w->config.material_count ||
                    body->motion < DEM_MOTION_FREE || body->motion > DEM_MOTION_KINEMATIC,
                "material or motion of row %llu is not valid", n);
    for (int c = 0; c < 3; ++c) {
        body->image[c] = (int32_t)half[3 + c];
        TAKE_REFUSE(body->image[c] < -IMAGE_MOST || body->image[c] > IMAGE_MOST,
                    "the image of row %llu is not valid", n);
    }
    const int free_one = body->motion == DEM_MOTION_FREE;
    TAKE_REFUSE(!demi_positive(x[3]) || !demi_positive(body->mass) || !demi_not_negative(v[3]) ||
                    !demi_not_negative(s[3]) || (s[3] > 0.0) != free_one || !isfinite(f[3]) ||
                    f[3] != (free_one ? v[3] : 0.0),
                "radius or mass of row %llu is not valid", n);
    f[3] = 0.0;
    /* what was written through a view is looked at by the next step */
    TAKE_REFUSE(!all_finite(x, 3) || !all_finite(f, 3) || !all_finite(m, 3) ||
                    !all_finite(built, 3) ||
                    (!w->touched && (!all_finite(v, 3) || !all_finite(s, 3) || !outer_finite)),
                "the motion of row %llu is not valid", n);
    return DEM_OK;
}

static dem_status take_particles(take_call *t)
{
    dem_world *w = t->w;
    uint32_t outer_force, outer_torque;
    const uint64_t rows = demi_take_count(t->in, 27);
    demi_take_halves(t->in, &outer_force, &outer_torque);
    TAKE_REFUSE(rows >= DEMI_WALL_BIT, "there are too many particles");
    dem_status status = rows > 0 ? demi_world_reserve(w, rows) : DEM_OK;
    const uint64_t size = w->position[w->front].size;
    if (status == DEM_OK && outer_force && rows > 0)
        status = demi_buffer_reserve(&w->context, &w->external_force, size, 0, "external forces");
    if (status == DEM_OK && outer_torque && rows > 0)
        status = demi_buffer_reserve(&w->context, &w->external_torque, size, 0, "external torques");
    if (status == DEM_OK)
        status = demi_idmap_reserve(&w->context, &w->ids, rows);
    uint64_t entered = 0, used = 0;
    for (; status == DEM_OK && !t->in->failed && w->rows < rows; ++w->rows) {
        status = take_particle(t, w->rows);
        if (status == DEM_OK && !t->in->failed)
            status = enter_body(t, &demi_bodies(w)[w->rows], w->rows, &entered);
    }
    if (status != DEM_OK || t->in->failed)
        return status;
    const demi_handle *handles = w->handle.data;
    for (uint64_t k = 0; k < w->handles; ++k)
        used += handles[k].generation % 2;
    TAKE_REFUSE(used != entered, "%llu handles of %llu particles", (unsigned long long)used,
                (unsigned long long)entered);
    w->particles = entered;
    return DEM_OK;
}

static dem_status take_walls(take_call *t)
{
    dem_world *w = t->w;
    demi_reader *in = t->in;
    const uint64_t count = demi_take_count(in, 17);
    TAKE_REFUSE(count >= DEMI_WALL_BIT || w->rows + count > UINT32_MAX, "there are too many walls");
    dem_status status =
        demi_buffer_reserve(&w->context, &w->wall, count * sizeof(demi_wall), 0, "walls");
    if (status == DEM_OK)
        status = demi_idmap_reserve(&w->context, &w->ids, count);
    if (status != DEM_OK)
        return status;
    for (; w->walls < count; ++w->walls) {
        demi_wall *wall = (demi_wall *)w->wall.data + w->walls;
        uint32_t material, vacant, other;
        memset(wall, 0, sizeof *wall);
        wall->id = demi_take(in);
        demi_take_halves(in, &material, &vacant);
        wall->material = (int32_t)material;
        wall->vacant = vacant != 0;
        double *const vectors[] = {wall->point[0], wall->normal, wall->velocity, wall->built,
                                   wall->force[0]};
        for (int k = 0; k < 5; ++k) {
            demi_take_doubles(in, vectors[k], 3);
            TAKE_REFUSE(!all_finite(vectors[k], 3), "a vector of wall %llu is not finite",
                        (unsigned long long)wall->id);
        }
        memcpy(wall->point[1], wall->point[0], sizeof wall->point[0]);
        memcpy(wall->force[1], wall->force[0], sizeof wall->force[0]);
        TAKE_REFUSE(wall->material < 0 || wall->material >= w->config.material_count ||
                        (wall->vacant && wall->id != 0),
                    "wall %llu is not valid", (unsigned long long)wall->id);
        TAKE_REFUSE(wall->id == 0 && !wall->vacant && !w->list_stale,
                    "a removed wall is still in its place");
        if (wall->id == 0)
            continue;
        TAKE_REFUSE(demi_idmap_find(&w->ids, wall->id, &other), "id %llu is given twice",
                    (unsigned long long)wall->id);
        demi_idmap_insert(&w->ids, wall->id, (uint32_t)w->walls | DEMI_WALL_BIT);
    }
    return DEM_OK;
}

/* ------------------------------------------------------------------ the list */

/* What the chunks say of their sizes, in a first reading, which lays out the list. */
static dem_status take_sizes(take_call *t)
{
    dem_world *w = t->w;
    demi_list *list = &w->list;
    demi_reader *in = t->in;
    uint32_t count, each;
    demi_take_halves(in, &count, &each);
    list->chunks = count;
    list->chunk_rows = each;
    double scales[3];
    demi_take_doubles(in, scales, 3);
    TAKE_REFUSE(in->failed || each > DEMI_CHUNK_MOST || (each == 0 && count > 0) ||
                    count > in->words || (count > 0 && (count - 1ull) * each >= w->rows) ||
                    !demi_not_negative(scales[0]) || !demi_not_negative(scales[1]) ||
                    !demi_not_negative(scales[2]),
                "the list of neighbours is not valid");
    w->skin = scales[0];
    list->margin = scales[1];
    list->reach = scales[2];
    dem_status status = demi_buffer_reserve(&w->context, &list->chunk,
                                            list->chunks * sizeof(demi_chunk), 0, "neighbour list");
    if (status != DEM_OK)
        return status;
    demi_chunk *chunks = list->chunk.data;
    uint64_t rows = 0;
    for (uint64_t k = 0; k < list->chunks; ++k) {
        demi_chunk *chunk = &chunks[k];
        uint32_t own_rows, runs, pairs, halos;
        memset(chunk, 0, sizeof *chunk);
        demi_take_halves(in, &own_rows, &runs);
        demi_take_halves(in, &pairs, &halos);
        demi_take_doubles(in, chunk->low, 3);
        demi_take_doubles(in, chunk->high, 3);
        demi_take_doubles(in, chunk->drift, 3);
        chunk->largest = demi_take_double(in);
        chunk->strayed = demi_take_double(in);
        TAKE_REFUSE(in->failed || own_rows == 0 || own_rows > each ||
                        (own_rows < each && k + 1 < list->chunks) || runs > pairs ||
                        halos >= DEMI_HALO_MOST || pairs > in->words || halos > in->words ||
                        !all_finite(chunk->low, 3) || !all_finite(chunk->high, 3) ||
                        !all_finite(chunk->drift, 3) || !isfinite(chunk->largest) ||
                        !demi_not_negative(chunk->strayed),
                    "chunk %llu of the list is not valid", (unsigned long long)k);
        chunk->row_begin = k * each;
        chunk->row_end = rows = chunk->row_begin + own_rows;
        chunk->run_begin = list->runs;
        chunk->run_end = list->runs += runs;
        chunk->halo_begin = list->halos;
        chunk->halo_end = list->halos += halos;
        list->halo_most = halos > list->halo_most ? halos : list->halo_most;
        /* in all, until the runs tell which */
        chunk->pairs[DEMI_ENDS_OWN] = pairs;
        list->pairs += pairs;
        list->pair_room = pairs > list->pair_room ? pairs : list->pair_room;
    }
    TAKE_REFUSE(rows > w->rows || (!w->list_stale && rows != w->rows),
                "the list does not have all particles");
    TAKE_REFUSE(w->rows + list->halos > UINT32_MAX || list->pairs > in->words ||
                    list->halos > in->words || list->runs > in->words,
                "the list of neighbours is not valid");
    list->pair_room = list->pair_room > 64 ? list->pair_room : 64;
    TAKE_REFUSE(list->chunks * list->pair_room > UINT32_MAX, "there are too many pairs");
    const uint64_t room = list->chunks * list->pair_room;
    const struct {
        demi_buffer *buffer;
        uint64_t size;
    } rooms[] = {{&list->pair, room * sizeof(demi_pair)},
                 {&list->live[0], room},
                 {&list->live[1], room},
                 {&list->run, list->runs * sizeof(demi_run)},
                 {&list->target, list->halos * sizeof(uint32_t)},
                 {&list->shift, list->halos}};
    for (size_t k = 0; status == DEM_OK && k < sizeof rooms / sizeof rooms[0]; ++k)
        status =
            demi_buffer_reserve(&w->context, rooms[k].buffer, rooms[k].size, 0, "neighbour list");
    return status;
}

static dem_status take_targets(take_call *t, const demi_chunk *chunk)
{
    const dem_world *w = t->w;
    uint32_t *target = w->list.target.data;
    unsigned char *shift = w->list.shift.data;
    int walls = 0;
    for (uint64_t h = chunk->halo_begin; h < chunk->halo_end; ++h) {
        uint32_t to, periods;
        demi_take_halves(t->in, &to, &periods);
        const uint32_t wall = to & ~DEMI_WALL_BIT;
        const int own = to >= chunk->row_begin && to < chunk->row_end;
        TAKE_REFUSE(to == wall ? walls || to >= w->rows : wall >= w->walls,
                    "a neighbour of a chunk is not there");
        TAKE_REFUSE(periods >= DEMI_SHIFTS || (to != wall && periods != DEMI_SHIFT_NONE) ||
                        (own && periods == DEMI_SHIFT_NONE),
                    "a neighbour of a chunk is not valid");
        walls = to != wall;
        target[h] = to;
        shift[h] = (unsigned char)periods;
    }
    return DEM_OK;
}

/* What the ends of a pair are: rows of the chunk, or halo rows, which are numbered after those.
 * Makes them places. */
static dem_status take_ends(take_call *t, const demi_chunk *chunk, demi_pair *pair, int *ends)
{
    const demi_list *list = &t->w->list;
    const uint64_t own = chunk->row_end - chunk->row_begin, each = list->chunk_rows,
                   halos = chunk->halo_end - chunk->halo_begin;
    uint32_t slot[2];
    int halo[2];
    demi_take_halves(t->in, &slot[0], &slot[1]);
    for (int k = 0; k < 2; ++k) {
        halo[k] = slot[k] >= own;
        TAKE_REFUSE(halo[k] && (slot[k] < each || slot[k] - each >= halos),
                    "a pair of neighbours is not valid");
    }
    TAKE_REFUSE((halo[0] && halo[1]) || slot[0] == slot[1], "a pair of neighbours is not valid");
    *ends = halo[0] ? DEMI_ENDS_HALO_I : halo[1] ? DEMI_ENDS_HALO_J : DEMI_ENDS_OWN;
    pair->i = (slot[0] - (halo[0] ? (uint32_t)each : 0)) * DEMI_PLACE;
    pair->j = (slot[1] - (halo[1] ? (uint32_t)each : 0)) * DEMI_PLACE;
    return DEM_OK;
}

static dem_status take_pair(take_call *t, const demi_chunk *chunk, demi_run *run, uint64_t p)
{
    const dem_world *w = t->w;
    demi_pair *pair = (demi_pair *)w->list.pair.data + p;
    int kind;
    const dem_status status = take_ends(t, chunk, pair, &kind);
    if (status != DEM_OK)
        return status;
    if (p == run->begin)
        run->ends = kind;
    TAKE_REFUSE(kind != run->ends, "pairs of one model are not valid");
    const demi_ends ends = demi_pair_ends(&w->list, chunk, kind, pair);
    TAKE_REFUSE(ends.plane != (run->shape == DEMI_SHAPE_PLANE) ||
                    (!ends.plane && ends.own == ends.other),
                "a pair of neighbours is not valid");
    if (w->list_stale)
        return DEM_OK;
    const demi_body *body = &demi_bodies(w)[ends.own];
    const demi_wall *wall = ends.plane ? (const demi_wall *)w->wall.data + ends.other : NULL;
    const demi_body *other = ends.plane ? NULL : &demi_bodies(w)[ends.other];
    TAKE_REFUSE(ends.first != (body->id < (ends.plane ? wall->id : other->id)) ||
                    demi_models_get(&w->models, body->material,
                                    ends.plane ? wall->material : other->material) != run->model,
                "a pair of neighbours has another model");
    return DEM_OK;
}

static void take_states(take_call *t, const demi_run *run)
{
    dem_world *w = t->w;
    demi_reader *in = t->in;
    unsigned char *live = w->list.live[w->front].data;
    uint64_t bits = 0;
    for (uint64_t p = run->begin; p < run->end; ++p) {
        if ((p - run->begin) % 64 == 0)
            bits = demi_take(in);
        live[p] = (unsigned char)(bits >> (p - run->begin) % 64 & 1u);
    }
    double *state = (double *)w->state[w->front].data + run->state_begin;
    for (uint64_t p = run->begin; p < run->end; ++p) {
        if (!live[p])
            continue;
        demi_take_doubles(in, state, run->model->state_size);
        state += run->state_stride;
    }
}

/* A run of at most `left` pairs. */
static dem_status take_run(take_call *t, const demi_chunk *chunk, demi_run *run, uint64_t begin,
                           uint64_t left)
{
    dem_world *w = t->w;
    uint32_t pairs, kind, a, b;
    memset(run, 0, sizeof *run);
    demi_take_halves(t->in, &pairs, &kind);
    demi_take_halves(t->in, &a, &b);
    run->reach = demi_take_double(t->in);
    const uint32_t materials = (uint32_t)w->config.material_count;
    const int lives = (int)(kind >> 1);
    TAKE_REFUSE(t->in->failed || pairs == 0 || pairs > left || kind > 3 || a >= materials ||
                    b >= materials || !demi_not_negative(run->reach) || (!lives && !w->list_stale),
                "pairs of one model are not valid");
    run->shape = (kind & 1u) != 0 ? DEMI_SHAPE_PLANE : DEMI_SHAPE_SPHERE;
    run->begin = begin;
    run->end = begin + pairs;
    run->state_begin = w->list.states;
    run->model = lives ? demi_models_get(&w->models, (int32_t)a, (int32_t)b) : NULL;
    TAKE_REFUSE(lives && run->model == NULL, "materials %u and %u have no model", a, b);
    dem_status status = DEM_OK;
    if (lives) {
        run->state_stride = demi_state_stride(run->model);
        w->list.states += pairs * (uint64_t)run->state_stride;
        for (int side = 0; status == DEM_OK && side < 2; ++side)
            status = demi_buffer_reserve(&w->context, &w->state[side],
                                         w->list.states * sizeof(double), 1, "states of contacts");
    }
    for (uint64_t p = run->begin; status == DEM_OK && p < run->end; ++p)
        status = take_pair(t, chunk, run, p);
    if (status == DEM_OK && lives)
        take_states(t, run);
    return status;
}

static dem_status take_chunk(take_call *t, demi_chunk *chunk)
{
    dem_world *w = t->w;
    demi_run *runs = w->list.run.data;
    dem_status status = take_targets(t, chunk);
    uint64_t begin = (uint64_t)(chunk - (demi_chunk *)w->list.chunk.data) * w->list.pair_room;
    uint64_t left = chunk->pairs[DEMI_ENDS_OWN];
    memset(chunk->pairs, 0, sizeof chunk->pairs);
    chunk->state_begin = w->list.states;
    for (uint64_t r = chunk->run_begin; status == DEM_OK && r < chunk->run_end; ++r) {
        status = take_run(t, chunk, &runs[r], begin, left);
        const uint64_t pairs = runs[r].end - runs[r].begin;
        chunk->pairs[runs[r].ends] += pairs;
        begin += pairs;
        left -= pairs;
    }
    chunk->states = w->list.states - chunk->state_begin;
    if (status == DEM_OK)
        TAKE_REFUSE(left != 0, "pairs are missing");
    return status;
}

static dem_status take_list(take_call *t)
{
    dem_world *w = t->w;
    dem_status status = take_sizes(t);
    demi_chunk *chunks = w->list.chunk.data;
    for (uint64_t k = 0; status == DEM_OK && k < w->list.chunks; ++k)
        status = take_chunk(t, &chunks[k]);
    if (status != DEM_OK || t->in->failed || w->list_stale)
        return status;
    demi_list_build b;
    memset(&b, 0, sizeof b);
    b.w = w;
    b.context = &w->context;
    b.next = &w->list;
    b.rows = w->rows;
    status = demi_list_incoming(&b);
    if (status == DEM_OK)
        status = demi_nears_make(w, &w->list, w->list.margin);
    if (status == DEM_OK)
        status = demi_list_step_room(&b);
    return status;
}

dem_status demi_take_sections(demi_reader *reader, dem_world *w)
{
    take_call call = {reader, w}, *t = &call;
    static const struct {
        const char *tag;
        dem_status (*take)(take_call *);
    } sections[] = {{"clock   ", take_clock},     {"material", take_materials},
                    {"model   ", take_models},    {"handle  ", take_handles},
                    {"particle", take_particles}, {"wall    ", take_walls},
                    {"list    ", take_list}};
    for (size_t k = 0; k < sizeof sections / sizeof sections[0]; ++k) {
        demi_take_section(reader, sections[k].tag);
        const dem_status status = reader->failed ? DEM_OK : sections[k].take(t);
        if (status != DEM_OK)
            return status;
        if (!reader->failed)
            demi_leave_section(reader);
        TAKE_REFUSE(reader->failed, "section \"%s\" is not valid", sections[k].tag);
    }
    TAKE_REFUSE(reader->words != 0, "something follows its last section");
    return DEM_OK;
}
