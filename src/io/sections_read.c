/* SPDX-License-Identifier: MIT */
/* The way back from sections to a world. Numbers are believed only as far as the world needs not
 * trust them: whatever a snapshot says, a world made from it stays within its memory. */
#include "base/check.h"
#include "io/sections.h"
#include "world/drift.h"

typedef struct read_call {
    demi_reader *in;
    dem_world *w;
} read_call;

enum { FLAG_LIST_STALE = 1, FLAG_FORCES_STALE = 2, FLAG_TOUCHED = 4, FLAG_UNUSED = 8 };

/* Leaves the function where the snapshot says something that cannot be. */
#define REFUSE_IF(condition, ...)                                                                  \
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

void demi_read_config(demi_reader *in, dem_world_config *c)
{
    uint32_t low, high;
    demi_read_section(in, "config  ");
    demi_read_doubles(in, c->gravity, 3);
    demi_read_doubles(in, c->box_low, 3);
    demi_read_doubles(in, c->box_high, 3);
    demi_read_u32(in, &low, &high);
    c->boundary[0] = (int32_t)low;
    c->boundary[1] = (int32_t)high;
    demi_read_u32(in, &low, &high);
    c->boundary[2] = (int32_t)low;
    c->integrator = (int32_t)high;
    demi_read_u32(in, &low, &high);
    c->material_count = (int32_t)low;
    c->energy_tracking = (int32_t)high;
    c->skin = demi_read_double(in);
    c->overlap_limit = demi_read_double(in);
    demi_leave_section(in);
}

static dem_status read_clock(read_call *t)
{
    dem_world *w = t->w;
    demi_reader *in = t->in;
    w->steps = demi_read_u64(in);
    w->rebuilds = demi_read_u64(in);
    w->next_id = demi_read_u64(in);
    w->totals.contacts = demi_read_u64(in);
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
        *sums[k] = demi_read_double(in);
    const uint64_t flags = demi_read_u64(in);
    if (w->scheme->lag > 0.0)
        w->velocity_lag = demi_read_double(in);
    REFUSE_IF(!demi_not_negative(w->list_age) || w->next_id == 0 || flags >= 2 * FLAG_UNUSED ||
                  !demi_not_negative(w->velocity_lag),
              "the clock is not valid");
    w->list_stale = (flags & FLAG_LIST_STALE) != 0;
    w->forces_stale = (flags & FLAG_FORCES_STALE) != 0;
    w->touched = (flags & FLAG_TOUCHED) != 0 ? (uint32_t)DEMI_TOUCHED_ALL : 0;
    return DEM_OK;
}

static dem_status read_materials(read_call *t)
{
    double *density = t->w->density.data;
    for (int32_t k = 0; k < t->w->config.material_count; ++k) {
        density[k] = demi_read_double(t->in);
        REFUSE_IF(!t->in->failed && !demi_positive(density[k]),
                  "the density of material %d is not valid", (int)k);
    }
    return DEM_OK;
}

static dem_status read_model(read_call *t)
{
    demi_reader *in = t->in;
    uint32_t a, b, arm, parts;
    demi_model_part part[DEMI_PARTS_MAX];
    memset(part, 0, sizeof part);
    demi_read_u32(in, &a, &b);
    demi_read_u32(in, &arm, &parts);
    const uint32_t materials = (uint32_t)t->w->config.material_count;
    if (a > b) { /* as earlier libraries wrote models that were set in that order */
        const uint32_t smaller = b;
        b = a;
        a = smaller;
    }
    REFUSE_IF(b >= materials || arm > DEM_ARM_CONTACT || parts > DEMI_PARTS_MAX,
              "the model of materials %u and %u is not valid", a, b);
    REFUSE_IF((*demi_models_mark(&t->w->models, (int32_t)a, (int32_t)b) & DEMI_PAIR_SET) != 0,
              "materials %u and %u have two models", a, b);
    for (uint32_t p = 0; p < parts; ++p) {
        uint32_t kind;
        demi_read_text(in, part[p].law, sizeof part[p].law);
        demi_read_u32(in, &part[p].version, &kind);
        part[p].kind = (int32_t)kind;
        part[p].combined_size = demi_read_u64(in);
        REFUSE_IF(in->failed || part[p].combined_size > DEMI_COMBINED_MAX,
                  "part %u of the model of materials %u and %u is not valid", p, a, b);
        demi_read_doubles(in, part[p].combined, (part[p].combined_size + 7) / 8);
    }
    if (in->failed)
        return DEM_OK;
    return demi_models_restore(&t->w->context, &t->w->models, (int32_t)a, (int32_t)b, (int32_t)arm,
                               parts, part);
}

static dem_status read_models(read_call *t)
{
    dem_status status = DEM_OK;
    const uint64_t count = demi_read_count(t->in, 2);
    for (uint64_t k = 0; status == DEM_OK && !t->in->failed && k < count; ++k)
        status = read_model(t);
    return status;
}

static dem_status read_handles(read_call *t)
{
    dem_world *w = t->w;
    uint32_t count, free_one;
    demi_read_u32(t->in, &count, &free_one);
    REFUSE_IF(count > t->in->length, "handles are missing");
    const dem_status status = demi_array_reserve(&w->context, &w->handle, count, 0, "handles");
    if (status != DEM_OK)
        return status;
    demi_handle *handles = w->handle.data;
    uint64_t unused = 0;
    for (uint32_t k = 0; k < count; ++k) {
        demi_read_u32(t->in, &handles[k].generation, &handles[k].row);
        unused += handles[k].generation % 2 == 0;
    }
    w->handles = count;
    w->handle_free = free_one;
    /* the free ones form a chain that ends, and no other is in it */
    for (; free_one != UINT32_MAX; free_one = handles[free_one].row, --unused)
        REFUSE_IF(unused == 0 || free_one >= count || handles[free_one].generation % 2 != 0,
                  "the free handles are not valid");
    REFUSE_IF(unused != 0, "the free handles are not valid");
    return DEM_OK;
}

/* Enters a body in the tables of handles and ids. Rows of removed ones are in neither. */
static dem_status enter_body(read_call *t, uint64_t row, uint64_t *entered)
{
    dem_world *w = t->w;
    const demi_body *body = &w->body.read[row];
    const uint32_t handle = w->particle.read[row].handle;
    if (body->id == 0) {
        REFUSE_IF(!w->list_stale, "row %llu is empty", (unsigned long long)row);
        return DEM_OK;
    }
    const demi_handle *handles = w->handle.data;
    uint32_t other;
    REFUSE_IF(handle >= w->handles || handles[handle].generation % 2 == 0 ||
                  handles[handle].row != row,
              "the handle of particle %llu is not valid", (unsigned long long)body->id);
    REFUSE_IF(demi_idmap_find(&w->ids, body->id, &other), "id %llu is given twice",
              (unsigned long long)body->id);
    demi_idmap_insert(&w->ids, body->id, handle);
    ++*entered;
    return DEM_OK;
}

static dem_status read_particle(read_call *t, uint64_t row)
{
    dem_world *w = t->w;
    demi_reader *in = t->in;
    demi_body *body = &w->body.data[row];
    demi_particle *particle = &w->particle.data[row];
    demi_velocities *velocities = &w->current.velocity.data[row];
    demi_force_torque *force_torque = &w->current.force_torque.data[row];
    double *x = w->current.position.data[row], *v = velocities->velocity,
           *s = velocities->angular_velocity, *f = force_torque->force, *m = force_torque->torque,
           *built = w->built.data[row];
    uint32_t half[6];
    memset(body, 0, sizeof *body);
    memset(particle, 0, sizeof *particle);
    body->id = w->row_id.data[row] = demi_read_u64(in);
    for (int k = 0; k < 6; k += 2)
        demi_read_u32(in, &half[k], &half[k + 1]);
    particle->handle = half[0];
    body->material = (int32_t)half[1];
    body->kind = (int32_t)half[2];
    for (demi_rows_numbers numbers = {0}; demi_rows_kept(w, &numbers);)
        demi_read_doubles(in, numbers.data + row * numbers.stride, numbers.count);
    const demi_row *const outer[] = {w->external_force.read, w->external_torque.read};
    int outer_finite = 1;
    for (int k = 0; k < 2; ++k)
        outer_finite &= outer[k] == NULL || demi_finite3(outer[k][row]);
    m[3] = 0.0;
    if (in->failed)
        return DEM_OK;
    const unsigned long long n = (unsigned long long)row;
    REFUSE_IF(body->material < 0 || body->material >= w->config.material_count ||
                  !demi_kind_offered(body->kind),
              "material or mobility of row %llu is not valid", n);
    for (int c = 0; c < 3; ++c) {
        body->image[c] = (int32_t)half[3 + c];
        REFUSE_IF(body->image[c] < -DEMI_IMAGE_MOST || body->image[c] > DEMI_IMAGE_MOST,
                  "the image of row %llu is not valid", n);
    }
    const int free_one = demi_kinds[body->kind].integrated;
    REFUSE_IF(!demi_positive(x[3]) || !demi_positive(particle->mass) || !demi_not_negative(v[3]) ||
                  !demi_not_negative(s[3]) || (s[3] > 0.0) != free_one || !isfinite(f[3]) ||
                  f[3] != (free_one ? v[3] : 0.0),
              "radius or mass of row %llu is not valid", n);
    f[3] = 0.0;
    /* what was written through a view is looked at by the next step */
    REFUSE_IF(!all_finite(x, 3) || !all_finite(f, 3) || !all_finite(m, 3) ||
                  !all_finite(built, 3) ||
                  (!w->touched && (!all_finite(v, 3) || !all_finite(s, 3) || !outer_finite)),
              "the motion of row %llu is not valid", n);
    return DEM_OK;
}

static dem_status read_particles(read_call *t)
{
    dem_world *w = t->w;
    uint32_t outer_force, outer_torque;
    const uint64_t rows = demi_read_count(t->in, 27);
    demi_read_u32(t->in, &outer_force, &outer_torque);
    REFUSE_IF(rows >= DEMI_WALL_BIT, "there are too many particles");
    dem_status status = rows > 0 ? demi_world_reserve(w, rows) : DEM_OK;
    const uint64_t room = demi_array_room(&w->current.position);
    if (status == DEM_OK && outer_force && rows > 0)
        status = demi_array_reserve(&w->context, &w->external_force, room, 0, "external forces");
    if (status == DEM_OK && outer_torque && rows > 0)
        status = demi_array_reserve(&w->context, &w->external_torque, room, 0, "external torques");
    if (status == DEM_OK)
        status = demi_idmap_reserve(&w->context, &w->ids, rows);
    uint64_t entered = 0, used = 0;
    for (; status == DEM_OK && !t->in->failed && w->rows < rows; ++w->rows) {
        status = read_particle(t, w->rows);
        if (status == DEM_OK && !t->in->failed)
            status = enter_body(t, w->rows, &entered);
    }
    if (status != DEM_OK || t->in->failed)
        return status;
    const demi_handle *handles = w->handle.data;
    for (uint64_t k = 0; k < w->handles; ++k)
        used += handles[k].generation % 2;
    REFUSE_IF(used != entered, "%llu handles of %llu particles", (unsigned long long)used,
              (unsigned long long)entered);
    w->particles = entered;
    return DEM_OK;
}

/* The rest of a wall that is no plane. It must be one that dem_wall_add takes, with unit vectors.
 */
static dem_status read_shape(read_call *t, const demi_wall *wall, demi_solid *solid)
{
    uint32_t side, open;
    demi_solid made;
    demi_read_u32(t->in, &side, &open);
    dem_wall of = {.side = (int32_t)side, .open = (int32_t)open};
    memcpy(of.normal, solid->normal, sizeof of.normal);
    memcpy(of.size, solid->size, sizeof of.size);
    memcpy(of.axis, solid->axis, sizeof of.axis);
    const dem_status status = demi_shape_make(&t->w->context, wall->shape, &of, &made);
    REFUSE_IF(status != DEM_OK, "the shape of wall %llu is not valid",
              (unsigned long long)wall->id);
    for (int c = 0; c < 3; ++c)
        REFUSE_IF(fabs(made.normal[c] - solid->normal[c]) + fabs(made.axis[c] - solid->axis[c]) >
                      1e-9,
                  "a direction of wall %llu is not a unit vector", (unsigned long long)wall->id);
    solid->side = of.side;
    solid->open = of.open;
    solid->meridian = made.meridian;
    return DEM_OK;
}

static dem_status read_walls(read_call *t)
{
    dem_world *w = t->w;
    demi_reader *in = t->in;
    const uint64_t count = demi_read_count(in, 17);
    REFUSE_IF(count >= DEMI_WALL_BIT || w->rows + count > UINT32_MAX, "there are too many walls");
    dem_status status = demi_walls_reserve(w, count);
    if (status == DEM_OK)
        status = demi_idmap_reserve(&w->context, &w->ids, count);
    if (status != DEM_OK)
        return status;
    for (; w->walls < count; ++w->walls) {
        demi_wall *wall = w->wall.data + w->walls;
        uint32_t material, place, other;
        memset(wall, 0, sizeof *wall);
        wall->id = demi_read_u64(in);
        demi_read_u32(in, &material, &place);
        wall->material = (int32_t)material;
        const int32_t kind = (int32_t)(place >> 8);
        place &= 0xffu;
        wall->place = (int32_t)place;
        wall->shape = demi_shape_of_wall(kind);
        REFUSE_IF(wall->shape < 0, "wall %llu has an unknown shape", (unsigned long long)wall->id);
        demi_solid *solid = &w->current.solid.data[w->walls],
                   *built = &w->solid_built.data[w->walls];
        demi_wall_force *force = &w->current.wall_force.data[w->walls];
        memset(solid, 0, sizeof *solid);
        double *const vectors[] = {solid->point, solid->normal, solid->velocity, built->point,
                                   force->force, solid->size,   solid->axis};
        for (int k = 0; k < (kind != 0 ? 7 : 5); ++k) {
            demi_read_doubles(in, vectors[k], 3);
            REFUSE_IF(!all_finite(vectors[k], 3), "a vector of wall %llu is not finite",
                      (unsigned long long)wall->id);
        }
        status = kind != 0 ? read_shape(t, wall, solid) : DEM_OK;
        if (status != DEM_OK)
            return status;
        w->next.solid.data[w->walls] = *solid;
        w->next.wall_force.data[w->walls] = *force;
        double point[3];
        memcpy(point, built->point, sizeof point);
        *built = *solid;
        memcpy(built->point, point, sizeof point);
        REFUSE_IF(wall->material < 0 || wall->material >= w->config.material_count ||
                      place > DEMI_WALL_NEW || (place == DEMI_WALL_VACANT && wall->id != 0) ||
                      (place == DEMI_WALL_NEW && (wall->id == 0 || !w->list_stale)),
                  "wall %llu is not valid", (unsigned long long)wall->id);
        REFUSE_IF(wall->id == 0 && place == DEMI_WALL_LISTED && !w->list_stale,
                  "a removed wall is still in its place");
        if (wall->id == 0)
            continue;
        REFUSE_IF(demi_idmap_find(&w->ids, wall->id, &other), "id %llu is given twice",
                  (unsigned long long)wall->id);
        demi_idmap_insert(&w->ids, wall->id, (uint32_t)w->walls | DEMI_WALL_BIT);
    }
    return DEM_OK;
}

/* ------------------------------------------------------------------ the list */

/* What the chunks say of their sizes, in a first reading, which lays out the list. */
static dem_status read_sizes(read_call *t)
{
    dem_world *w = t->w;
    demi_list *list = &w->list;
    demi_reader *in = t->in;
    uint32_t count, each;
    demi_read_u32(in, &count, &each);
    list->chunks = count;
    list->chunk_rows = each;
    double limits[3];
    demi_read_doubles(in, limits, 3);
    REFUSE_IF(in->failed || each > DEMI_CHUNK_MOST || (each == 0 && count > 0) ||
                  count > in->length || (count > 0 && (count - 1ull) * each >= w->rows) ||
                  !demi_not_negative(limits[0]) || !demi_not_negative(limits[1]) ||
                  !demi_not_negative(limits[2]),
              "the list of neighbours is not valid");
    w->list.skin = limits[0];
    list->margin = limits[1];
    list->reach = limits[2];
    dem_status status =
        demi_array_reserve(&w->context, &list->chunk, list->chunks, 0, "neighbour list");
    if (status != DEM_OK)
        return status;
    demi_chunk *chunks = list->chunk.data;
    uint64_t rows = 0;
    for (uint64_t k = 0; k < list->chunks; ++k) {
        demi_chunk *chunk = &chunks[k];
        uint32_t own_rows, groups, pairs, chunk_copies;
        memset(chunk, 0, sizeof *chunk);
        demi_read_u32(in, &own_rows, &groups);
        demi_read_u32(in, &pairs, &chunk_copies);
        demi_read_doubles(in, chunk->low, 3);
        demi_read_doubles(in, chunk->high, 3);
        demi_read_doubles(in, chunk->mean_velocity, 3);
        chunk->largest = demi_read_double(in);
        chunk->displacement_bound = demi_read_double(in);
        REFUSE_IF(in->failed || own_rows == 0 || own_rows > each ||
                      (own_rows < each && k + 1 < list->chunks) || groups > pairs ||
                      chunk_copies >= DEMI_COPIES_MOST || pairs > in->length ||
                      chunk_copies > in->length || !all_finite(chunk->low, 3) ||
                      !all_finite(chunk->high, 3) || !all_finite(chunk->mean_velocity, 3) ||
                      !isfinite(chunk->largest) || !demi_not_negative(chunk->displacement_bound),
                  "chunk %llu of the list is not valid", (unsigned long long)k);
        chunk->row_begin = k * each;
        chunk->row_end = rows = chunk->row_begin + own_rows;
        chunk->batch_group_begin = list->runs;
        chunk->batch_group_end = list->runs += groups;
        chunk->copies_begin = list->chunk_copies;
        chunk->copies_end = list->chunk_copies += chunk_copies;
        list->copies_most = chunk_copies > list->copies_most ? chunk_copies : list->copies_most;
        /* in all, until the groups tell which */
        chunk->pairs[DEMI_LOCALITY_OWN] = pairs;
        list->pairs += pairs;
        list->pair_room = pairs > list->pair_room ? pairs : list->pair_room;
    }
    REFUSE_IF(rows > w->rows || (!w->list_stale && rows != w->rows),
              "the list does not have all particles");
    REFUSE_IF(w->rows + list->chunk_copies > UINT32_MAX || list->pairs > in->length ||
                  list->chunk_copies > in->length || list->runs > in->length,
              "the list of neighbours is not valid");
    list->pair_room = list->pair_room > 64 ? list->pair_room : 64;
    REFUSE_IF(list->chunks * list->pair_room > UINT32_MAX, "there are too many pairs");
    const uint64_t room = list->chunks * list->pair_room;
    const struct {
        demi_buffer *buffer;
        uint64_t size;
    } rooms[] = {{&list->pair.buffer, room * sizeof(demi_pair)},
                 {&w->current.touching.buffer, room},
                 {&w->next.touching.buffer, room},
                 {&list->run.buffer, list->runs * sizeof(demi_batch_group)},
                 {&list->target.buffer, list->chunk_copies * sizeof(uint32_t)},
                 {&list->feature.buffer, list->chunk_copies * sizeof(uint32_t)},
                 {&list->shift.buffer, list->chunk_copies}};
    for (size_t k = 0; status == DEM_OK && k < sizeof rooms / sizeof rooms[0]; ++k)
        status =
            demi_buffer_reserve(&w->context, rooms[k].buffer, rooms[k].size, 0, "neighbour list");
    return status;
}

static dem_status read_targets(read_call *t, const demi_chunk *chunk)
{
    const dem_world *w = t->w;
    uint32_t *target = w->list.target.data;
    unsigned char *shift = w->list.shift.data;
    int walls = 0;
    for (uint64_t h = chunk->copies_begin; h < chunk->copies_end; ++h) {
        uint32_t to, periods;
        demi_read_u32(t->in, &to, &periods);
        const uint32_t wall = to & ~DEMI_WALL_BIT, feature = periods >> 8;
        periods &= 0xffu;
        const int own = to >= chunk->row_begin && to < chunk->row_end;
        REFUSE_IF(to == wall ? walls || to >= w->rows : wall >= w->walls,
                  "a neighbour of a chunk is not there");
        REFUSE_IF(periods >= DEMI_SHIFTS || (to != wall && periods != DEMI_SHIFT_NONE) ||
                      (own && periods == DEMI_SHIFT_NONE),
                  "a neighbour of a chunk is not valid");
        REFUSE_IF(feature >= (to != wall ? demi_wall_shape(&w->wall.data[wall])->features : 1),
                  "a neighbour of a chunk has an unknown feature");
        walls = to != wall;
        target[h] = to;
        w->list.feature.data[h] = feature;
        shift[h] = (unsigned char)periods;
    }
    return DEM_OK;
}

/* What the ends of a pair are: rows of the chunk, or copied rows, which are numbered after those.
 * Makes them places. */
static dem_status read_ends(read_call *t, const demi_chunk *chunk, demi_pair *pair, int *ends)
{
    const demi_list *list = &t->w->list;
    const uint64_t own = chunk->row_end - chunk->row_begin, each = list->chunk_rows,
                   chunk_copies = chunk->copies_end - chunk->copies_begin;
    uint32_t slot[2];
    int chunk_copy[2];
    demi_read_u32(t->in, &slot[0], &slot[1]);
    for (int k = 0; k < 2; ++k) {
        chunk_copy[k] = slot[k] >= own;
        REFUSE_IF(chunk_copy[k] && (slot[k] < each || slot[k] - each >= chunk_copies),
                  "a pair of neighbours is not valid");
    }
    REFUSE_IF((chunk_copy[0] && chunk_copy[1]) || slot[0] == slot[1],
              "a pair of neighbours is not valid");
    *ends = chunk_copy[0]   ? DEMI_LOCALITY_COPY_I
            : chunk_copy[1] ? DEMI_LOCALITY_COPY_J
                            : DEMI_LOCALITY_OWN;
    pair->i = (slot[0] - (chunk_copy[0] ? (uint32_t)each : 0)) * DEMI_LOCAL_OFFSET;
    pair->j = (slot[1] - (chunk_copy[1] ? (uint32_t)each : 0)) * DEMI_LOCAL_OFFSET;
    return DEM_OK;
}

static dem_status read_pair(read_call *t, const demi_chunk *chunk, demi_batch_group *group,
                            uint64_t p)
{
    const dem_world *w = t->w;
    demi_pair *pair = w->list.pair.data + p;
    int kind;
    const dem_status status = read_ends(t, chunk, pair, &kind);
    if (status != DEM_OK)
        return status;
    if (p == group->begin)
        group->ends = kind;
    REFUSE_IF(kind != group->ends, "pairs of one model are not valid");
    const demi_ends ends = demi_pair_ends(&w->list, chunk, kind, pair);
    REFUSE_IF((ends.wall ? w->wall.data[ends.other].shape : DEMI_SHAPE_SPHERE) != group->shape ||
                  (!ends.wall && ends.own == ends.other),
              "a pair of neighbours is not valid");
    if (w->list_stale)
        return DEM_OK;
    const demi_body *body = &w->body.data[ends.own];
    const demi_wall *wall = ends.wall ? w->wall.data + ends.other : NULL;
    const demi_body *other = ends.wall ? NULL : &w->body.data[ends.other];
    REFUSE_IF(ends.first != (body->id < (ends.wall ? wall->id : other->id)) ||
                  demi_models_get(&w->models, body->material,
                                  ends.wall ? wall->material : other->material) != group->model,
              "a pair of neighbours has another model");
    return DEM_OK;
}

static void read_states(read_call *t, const demi_batch_group *group)
{
    dem_world *w = t->w;
    demi_reader *in = t->in;
    unsigned char *touching = w->current.touching.data;
    uint64_t bits = 0;
    for (uint64_t p = group->begin; p < group->end; ++p) {
        if ((p - group->begin) % 64 == 0)
            bits = demi_read_u64(in);
        touching[p] = (unsigned char)(bits >> (p - group->begin) % 64 & 1u);
    }
    double *state = w->current.contact_state.data + group->state_begin;
    for (uint64_t p = group->begin; p < group->end; ++p) {
        if (!touching[p])
            continue;
        demi_read_doubles(in, state, group->model->state_size);
        state += group->state_stride;
    }
}

/* A group of at most `left` pairs. */
static dem_status read_group(read_call *t, const demi_chunk *chunk, demi_batch_group *group,
                             uint64_t begin, uint64_t left)
{
    dem_world *w = t->w;
    uint32_t pairs, kind, a, b;
    memset(group, 0, sizeof *group);
    demi_read_u32(t->in, &pairs, &kind);
    demi_read_u32(t->in, &a, &b);
    group->reach = demi_read_double(t->in);
    const uint32_t materials = (uint32_t)w->config.material_count;
    const int lives = (int)(kind >> 1 & 1u);
    group->shape = (int32_t)((kind & 1u) | kind >> 2 << 1);
    REFUSE_IF(t->in->failed || pairs == 0 || pairs > left || kind >> 2 > DEMI_SHAPES ||
                  group->shape >= DEMI_SHAPES || a >= materials || b >= materials ||
                  !demi_not_negative(group->reach) || (!lives && !w->list_stale),
              "pairs of one model are not valid");
    group->begin = begin;
    group->end = begin + pairs;
    group->state_begin = w->list.states;
    group->model = lives ? demi_models_get(&w->models, (int32_t)a, (int32_t)b) : NULL;
    REFUSE_IF(lives && group->model == NULL, "materials %u and %u have no model", a, b);
    dem_status status = DEM_OK;
    if (lives) {
        group->state_stride = demi_state_stride(group->model);
        w->list.states += pairs * (uint64_t)group->state_stride;
        demi_state *const states[] = {&w->current, &w->next};
        for (int k = 0; status == DEM_OK && k < 2; ++k)
            status = demi_array_reserve(&w->context, &states[k]->contact_state, w->list.states, 1,
                                        "states of contacts");
    }
    for (uint64_t p = group->begin; status == DEM_OK && p < group->end; ++p)
        status = read_pair(t, chunk, group, p);
    if (status == DEM_OK && lives)
        read_states(t, group);
    return status;
}

static dem_status read_chunk(read_call *t, demi_chunk *chunk)
{
    dem_world *w = t->w;
    demi_batch_group *groups = w->list.run.data;
    dem_status status = read_targets(t, chunk);
    uint64_t begin = (uint64_t)(chunk - w->list.chunk.data) * w->list.pair_room;
    uint64_t left = chunk->pairs[DEMI_LOCALITY_OWN];
    memset(chunk->pairs, 0, sizeof chunk->pairs);
    chunk->state_begin = w->list.states;
    for (uint64_t r = chunk->batch_group_begin; status == DEM_OK && r < chunk->batch_group_end;
         ++r) {
        status = read_group(t, chunk, &groups[r], begin, left);
        const uint64_t pairs = groups[r].end - groups[r].begin;
        chunk->pairs[groups[r].ends] += pairs;
        begin += pairs;
        left -= pairs;
    }
    chunk->states = w->list.states - chunk->state_begin;
    if (status == DEM_OK)
        REFUSE_IF(left != 0, "pairs are missing");
    return status;
}

static dem_status read_list(read_call *t)
{
    dem_world *w = t->w;
    dem_status status = read_sizes(t);
    demi_chunk *chunks = w->list.chunk.data;
    for (uint64_t k = 0; status == DEM_OK && k < w->list.chunks; ++k)
        status = read_chunk(t, &chunks[k]);
    if (status != DEM_OK || t->in->failed || w->list_stale)
        return status;
    const demi_domain domain = demi_world_domain(w);
    status = demi_list_derive(&w->context, &domain, &w->list);
    const demi_near_walls_call near = {.wall = w->wall.read,
                                       .walls = w->walls,
                                       .solid = w->solid_built.read,
                                       .reach = w->list.reach,
                                       .margin = w->list.margin};
    if (status == DEM_OK)
        status = demi_list_near_walls(&w->context, &w->list, &w->list_workspace, &near);
    if (status == DEM_OK)
        status = demi_rebuild_room(w, &w->list);
    if (status == DEM_OK)
        demi_walls_settle(w);
    return status;
}

dem_status demi_read_sections(demi_reader *reader, dem_world *w)
{
    read_call call = {reader, w}, *t = &call;
    static const struct {
        const char *tag;
        dem_status (*read)(read_call *);
    } sections[] = {{"clock   ", read_clock},     {"material", read_materials},
                    {"model   ", read_models},    {"handle  ", read_handles},
                    {"particle", read_particles}, {"wall    ", read_walls},
                    {"list    ", read_list}};
    for (size_t k = 0; k < sizeof sections / sizeof sections[0]; ++k) {
        demi_read_section(reader, sections[k].tag);
        const dem_status status = reader->failed ? DEM_OK : sections[k].read(t);
        if (status != DEM_OK)
            return status;
        if (!reader->failed)
            demi_leave_section(reader);
        REFUSE_IF(reader->failed, "section \"%s\" is not valid", sections[k].tag);
    }
    const dem_status status = demi_read_coupling(reader, t->w);
    if (status != DEM_OK)
        return status;
    REFUSE_IF(reader->length != 0, "there are bytes after its last section");
    return DEM_OK;
}
