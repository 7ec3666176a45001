/* SPDX-License-Identifier: MIT */
/* The way back from sections to a world. Numbers are believed only as far as the world needs not
 * trust them: whatever a snapshot says, a world made from it stays within its memory. */
#include "base/check.h"
#include "io/kept_list.h"
#include "io/meshes.h"
#include "io/sections.h"
#include "shapes/slots.h"
#include "world/motion_written.h"

typedef struct read_call {
    demi_reader *in;
    dem_world *w;
    demi_kept_list list;
    demi_kept_shapes shapes;
    demi_kept_meshes meshes;
} read_call;

/* How many candidates of pairs a list that is built once more may look at, for each u64 of its
 * snapshot: far more than lists do, so that a forged one ends. */
enum { LOOKS_OF_A_WORD = 256 };

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
    c->sums = DEM_SUMS_FIXED_ORDER;
    c->force_range = c->torque_range = 0.0;
    c->polyhedron_law = DEM_POLYHEDRON_LAW_VOLUME;
    if (!in->failed && in->length > 0) {
        demi_read_u32(in, &low, &high);
        c->sums = (int32_t)low;
        c->polyhedron_law = (int32_t)high;
        c->force_range = demi_read_double(in);
        c->torque_range = demi_read_double(in);
    }
    if (!in->failed && in->length > 0)
        c->polyhedron_overlap = demi_read_double(in);
    c->chunk_rows = !in->failed && in->length > 0 ? demi_read_u64(in) : 0;
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
    uint32_t flags, touched;
    demi_read_u32(in, &flags, &touched);
    if (w->scheme->lag > 0.0)
        w->velocity_lag = demi_read_double(in);
    REFUSE_IF(!demi_not_negative(w->list_age) || w->next_id == 0 ||
                  flags >= 2 * DEMI_CLOCK_MOTION_WRITTEN ||
                  (touched & ~(uint32_t)DEMI_TOUCHED_ALL) != 0 ||
                  (touched != 0 && (flags & DEMI_CLOCK_TOUCHED) == 0) ||
                  !demi_not_negative(w->velocity_lag),
              "the clock is not valid");
    w->list_stale = (flags & DEMI_CLOCK_LIST_STALE) != 0;
    w->forces_stale = (flags & DEMI_CLOCK_FORCES_STALE) != 0;
    if ((flags & DEMI_CLOCK_DOMAIN) != 0)
        demi_ghosts_expect(w);
    if ((flags & DEMI_CLOCK_MOTION_WRITTEN) != 0)
        w->motion_written = DEMI_MOTION_COMPARED;
    w->touched = touched;
    /* 0.1 does not tell which */
    if (touched == 0 && (flags & DEMI_CLOCK_TOUCHED) != 0)
        w->touched = (uint32_t)DEMI_TOUCHED_ALL;
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
    const int32_t kind = (int32_t)half[2];
    body->kind = (int16_t)kind;
    for (demi_rows_numbers numbers = {0}; demi_rows_kept(w, &numbers);)
        demi_read_doubles(in, numbers.data + row * numbers.stride, numbers.count);
    const demi_row *const outer[] = {w->external_force.read, w->external_torque.read};
    int outer_finite = 1;
    for (int k = 0; k < 2; ++k)
        outer_finite &= outer[k] == NULL || demi_finite3(outer[k][row]);
    m[3] = 0.0;
    built[3] = x[3];
    if (in->failed)
        return DEM_OK;
    const unsigned long long n = (unsigned long long)row;
    REFUSE_IF(body->material < 0 || body->material >= w->config.material_count ||
                  !demi_kind_known(kind),
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
    return demi_ghosts_restore(w);
}

/* The rest of a wall that is no plane. It must be one that dem_wall_add takes, with unit vectors.
 */
static dem_status read_shape(read_call *t, const demi_wall *wall, demi_solid *solid)
{
    uint32_t side, open, mesh = 0, slots = 0;
    demi_solid made;
    demi_read_u32(t->in, &side, &open);
    dem_wall of = {.side = (int32_t)side, .open = (int32_t)open};
    if (demi_wall_shape(wall)->kept > 0) {
        demi_read_u32(t->in, &mesh, &slots);
        of.mesh_cosine = demi_read_double(t->in);
        REFUSE_IF(wall->id == 0 || mesh >= t->meshes.count || !demi_slots_count_valid(slots),
                  "the mesh of wall %llu is not valid", (unsigned long long)wall->id);
        of.mesh = t->meshes.mesh.data[mesh];
    }
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
    solid->mesh = made.mesh;
    solid->cosine = made.cosine;
    solid->slots = slots;
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
    if (status == DEM_OK && t->meshes.count > 0)
        status = demi_idmap_reserve(&w->context, &w->mesh_walls, t->meshes.count);
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
        /* what did not move has no section that says where its centre is */
        memcpy(solid->centre, solid->point, sizeof solid->centre);
        memcpy(w->next.solid.data[w->walls].centre, solid->point, sizeof solid->centre);
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
        (void)dem_mesh_retain(solid->mesh);
        demi_wall_mesh_came(w, w->walls);
    }
    return DEM_OK;
}

static dem_status read_meshes(read_call *t)
{
    const dem_status status = demi_mesh_points_reserve(t->w, 1);
    return status == DEM_OK ? demi_read_meshes(t->in, t->w, &t->meshes) : status;
}

static dem_status read_shapes(read_call *t)
{
    return demi_read_shapes(t->in, t->w, &t->shapes);
}

static dem_status read_slots(read_call *t)
{
    return demi_read_slots(t->in, t->w);
}

static dem_status read_list(read_call *t)
{
    return demi_read_list(t->in, t->w, &t->list);
}

static dem_status read_contacts(read_call *t)
{
    return demi_read_contacts(t->in, t->w);
}

static dem_status read_list_1(read_call *t)
{
    return demi_read_list_1(t->in, t->w, &t->list);
}

static dem_status read_coupling(read_call *t)
{
    return demi_read_coupling(t->in, t->w);
}

static dem_status read_motion(read_call *t)
{
    return demi_read_motion(t->in, t->w);
}

static dem_status read_vertices(read_call *t)
{
    return demi_read_vertices(t->in, t->w);
}

static dem_status read_facets(read_call *t)
{
    return demi_read_facets(t->in, t->w);
}

static dem_status read_host(read_call *t)
{
    return demi_read_host(t->in, t->w);
}

static dem_status read_bodies(read_call *t)
{
    return demi_read_bodies(t->in, t->w, &t->shapes);
}

typedef struct section {
    const char *tag;
    dem_status (*read)(read_call *);
    uint64_t first, last; /* versions that have it */
    int optional;
} section;

static const section sections[] = {
    {"clock   ", read_clock, 1, UINT64_MAX, 0},
    {"material", read_materials, 1, UINT64_MAX, 0},
    {"model   ", read_models, 1, UINT64_MAX, 0},
    {"handle  ", read_handles, 1, UINT64_MAX, 0},
    {"particle", read_particles, 1, UINT64_MAX, 0},
    {DEMI_MESHES_TAG, read_meshes, 2, UINT64_MAX, 1},
    {"wall    ", read_walls, 1, UINT64_MAX, 0},
    {DEMI_SHAPES_TAG, read_shapes, 2, UINT64_MAX, 1},
    {DEMI_SLOTS_TAG, read_slots, 2, UINT64_MAX, 1},
    {"list    ", read_list_1, 1, 1, 0},
    {"list    ", read_list, 2, UINT64_MAX, 0},
    {"contacts", read_contacts, 2, UINT64_MAX, 0},
    {DEMI_COUPLING_TAG, read_coupling, 1, UINT64_MAX, 1},
    {DEMI_MOTION_TAG, read_motion, 1, UINT64_MAX, 1},
    {DEMI_VERTICES_TAG, read_vertices, 1, UINT64_MAX, 1},
    {DEMI_FACETS_TAG, read_facets, 1, UINT64_MAX, 1},
    {DEMI_HOST_TAG, read_host, 1, UINT64_MAX, 1},
    {DEMI_BODIES_TAG, read_bodies, 1, UINT64_MAX, 1},
};

static dem_status read_section(read_call *t, const section *of)
{
    demi_read_section(t->in, of->tag);
    const dem_status status = t->in->failed ? DEM_OK : of->read(t);
    if (status != DEM_OK)
        return status;
    if (!t->in->failed)
        demi_leave_section(t->in);
    REFUSE_IF(t->in->failed, "section \"%s\" is not valid", of->tag);
    return DEM_OK;
}

static dem_status read_sections(read_call *t, uint64_t version)
{
    dem_status status = DEM_OK;
    for (size_t k = 0; status == DEM_OK && k < sizeof sections / sizeof sections[0]; ++k)
        if (version >= sections[k].first && version <= sections[k].last &&
            (!sections[k].optional || demi_section_next(t->in, sections[k].tag)))
            status = read_section(t, &sections[k]);
    if (status == DEM_OK)
        status = demi_bodies_complete(t->w);
    if (status != DEM_OK)
        return status;
    REFUSE_IF(t->in->length != 0, "there are bytes after its last section");
    return demi_kept_list_build(t->w, &t->list);
}

dem_status demi_read_sections(demi_reader *reader, uint64_t version, dem_world *w)
{
    read_call call = {.in = reader, .w = w};
    call.list.past.looks_most = LOOKS_OF_A_WORD * reader->length;
    const dem_status status = read_sections(&call, version);
    demi_array_free(&w->context, &call.list.drift);
    demi_kept_meshes_free(w, &call.meshes);
    demi_kept_shapes_free(w, &call.shapes);
    return status;
}
