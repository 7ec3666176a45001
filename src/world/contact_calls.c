/* SPDX-License-Identifier: MIT */
/* The calls that give contacts to a host, one by one or many at once. */
#include "base/entry.h"
#include "base/sized.h"
#include "shapes/slots.h"
#include "world/read_contacts.h"

#include <string.h>

/* ------------------------------------------------------------------ who a contact is */

static DEMI_INLINE void lane_key(const dem_world *w, const demi_reading *reading, uint64_t k,
                                 dem_contact_key *key)
{
    const demi_batch_group *group = demi_reading_group(w, reading);
    const int first = demi_own_first(group), wall = group->shape != DEMI_SHAPE_SPHERE;
    const uint64_t own = w->row_id.data[reading->own[k]],
                   other = wall ? w->wall.data[reading->other[k]].id
                                : w->row_id.data[reading->other[k]];
    memset(key, 0, sizeof *key);
    key->id_i = first ? own : other;
    key->id_j = first ? other : own;
    key->feature = reading->feature[k];
    if (wall || !w->periodic)
        return;
    const demi_ends ends = {.own = reading->own[k],
                            .other = reading->other[k],
                            .first = first,
                            .shift = reading->shift[k]};
    demi_ends_image(&ends, w->body.data, key->image);
}

/* Materials of i and j. */
static DEMI_INLINE void lane_materials(const dem_world *w, const demi_reading *reading, uint64_t k,
                                       int32_t material[2])
{
    const demi_batch_group *group = demi_reading_group(w, reading);
    material[0] = group->model->material_a;
    material[1] = group->model->material_b;
    if (material[0] == material[1])
        return;
    const int32_t own = w->body.data[reading->own[k]].material;
    if (own != material[demi_own_first(group) ? 0 : 1]) {
        material[0] = group->model->material_b;
        material[1] = group->model->material_a;
    }
}

/* ------------------------------------------------------------------ one by one */

static DEMI_INLINE void contact_fill(const dem_world *w, const demi_reading *reading,
                                     const demi_lanes *lanes, uint64_t k, dem_contact *out)
{
    int32_t material[2];
    lane_key(w, reading, k, &out->key);
    lane_materials(w, reading, k, material);
    out->struct_size = sizeof *out;
    out->material_i = material[0];
    out->material_j = material[1];
    out->overlap = lanes->overlap[k];
    for (int c = 0; c < 3; ++c) {
        out->normal[c] = lanes->normal[c][k];
        out->force_normal[c] = lanes->force_normal[k] * lanes->normal[c][k];
        out->force_tangential[c] = lanes->force_tangential[c][k];
    }
    out->state_count = demi_reading_group(w, reading)->model->state_size;
    out->state = reading->state[k];
}

/* Fills the contacts of the whole batch, for the calls that go on. */
static void one_read(void *user, const dem_world *w, demi_reading *reading, const demi_lanes *lanes,
                     uint64_t n)
{
    (void)n;
    dem_contact *out = user;
    if (reading->contact == NULL) {
        contact_fill(w, reading, lanes, reading->next, out);
        return;
    }
    for (uint64_t k = 0; !reading->filled && k < reading->count; ++k)
        contact_fill(w, reading, lanes, k, &reading->contact[k]);
    reading->filled = 1;
    *out = reading->contact[reading->next];
}

/* The contact that follows in a batch which another call has filled; tells whether there is one.
 * It is copied without a call into the world: nothing is computed and no callback runs. */
static int contact_filled(const dem_world *w, uint64_t *cursor, dem_contact *contact)
{
    if (w == NULL || cursor == NULL || contact == NULL || contact->struct_size != sizeof *contact ||
        demi_changing(w->self) || w->list.chunks == 0)
        return 0;
    demi_workspace *workspace =
        demi_workspace_try((demi_workspaces *)&w->workspaces, demi_reading_hint(w, *cursor));
    if (workspace == NULL)
        return 0;
    demi_reading *reading = &workspace->reading;
    const int there = reading->count > 0 && reading->filled && reading->resume == *cursor &&
                      reading->next < reading->count && reading->changes == w->context.changes;
    if (__builtin_expect(there, 1)) {
        *contact = reading->contact[reading->next];
        *cursor = reading->resume = reading->pair[reading->next++] + 1;
    }
    demi_workspace_return(workspace);
    return there;
}

DEMI_GUARDED guarded_world_contact_next(const dem_world *world, uint64_t *cursor,
                                        dem_contact *contact)
{
    if (cursor == NULL || contact == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "%s: must not be NULL",
                         cursor == NULL ? "cursor" : "contact");
    const uint64_t size = contact->struct_size;
    if (demi_sized_check_output(contact) != DEM_OK)
        return demi_sized_fail_output(world->self, "dem_contact", size);
    dem_contact out;
    demi_reading_call call = {
        .w = world, .cursor = *cursor, .most = 1, .function = one_read, .user = &out};
    const dem_status status = demi_contacts_read(&call);
    *cursor = call.cursor;
    if (status != DEM_OK)
        return status;
    return call.most > 0 ? DEM_ERROR_RANGE : demi_sized_write(contact, size, &out);
}

dem_status dem_world_contact_next(const dem_world *world, uint64_t *cursor, dem_contact *contact)
{
    if (contact_filled(world, cursor, contact))
        return DEM_OK;
    DEMI_READ(world, guarded_world_contact_next(world, cursor, contact));
}

/* ------------------------------------------------------------------ many at once */

dem_status dem_contact_arrays_init_sized(dem_contact_arrays *arrays, uint64_t size)
{
    if (arrays == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_contact_arrays values = {.struct_size = sizeof values};
    return demi_sized_write(arrays, size, &values);
}

typedef struct read_many {
    dem_contact_arrays to;
    uint64_t count;
} read_many;

/* In the middle of the overlap, or on the wall, seen from the particle i, or j where i is a wall.
 */
static void lane_point(const dem_world *w, const demi_reading *reading, const demi_lanes *lanes,
                       uint64_t k, double point[3])
{
    const demi_batch_group *group = demi_reading_group(w, reading);
    const int first = demi_own_first(group), wall = group->shape != DEMI_SHAPE_SPHERE;
    if (group->faceted) {
        const double *from = demi_reading_faceted(w, reading, k)->point;
        const uint64_t row = wall || first ? reading->own[k] : reading->other[k];
        for (int c = 0; c < 3; ++c)
            point[c] = w->current.position.read[row][c] + from[c];
        return;
    }
    const double *x = w->current.position.read[wall || first ? reading->own[k] : reading->other[k]];
    const double arm = demi_contact_arm(x[3], lanes->overlap[k], wall);
    const double along = wall && !first ? arm : -arm;
    for (int c = 0; c < 3; ++c)
        point[c] = x[c] + along * lanes->normal[c][k];
}

/* What is kept of a sphere's contact with a mesh, after the state; NULL for another one. */
static const double *lane_kept(const dem_world *w, const demi_reading *reading, uint64_t k)
{
    const demi_batch_group *group = demi_reading_group(w, reading);
    const uint32_t kept = demi_shapes[group->shape]->kept;
    return kept > 0 && !group->faceted ? reading->state[k] + group->state_stride - kept : NULL;
}

static void lane_facet(const dem_world *w, const demi_reading *reading, uint64_t k, uint64_t *facet)
{
    const double *kept = lane_kept(w, reading, k);
    *facet = kept != NULL ? demi_slot_facet(kept) : UINT64_MAX;
}

static void lane_weights(const dem_world *w, const demi_reading *reading, uint64_t k,
                         double weights[3])
{
    const double *kept = lane_kept(w, reading, k);
    weights[0] = weights[1] = weights[2] = 0.0;
    if (kept == NULL)
        return;
    const demi_solid *solid = &w->current.solid.read[reading->other[k]];
    const demi_mesh_point at =
        demi_slot_point(solid, kept, w->current.position.read[reading->own[k]]);
    demi_mesh_weights(solid->mesh, &at, weights);
}

static void vectors_write(double *to, const demi_lane_array from[3], uint64_t begin, uint64_t n)
{
    for (uint64_t k = begin; to != NULL && k < begin + n; ++k, to += 3)
        for (int c = 0; c < 3; ++c)
            to[c] = from[c][k];
}

static void forces_write(double *to, const demi_lanes *lanes, uint64_t begin, uint64_t n)
{
    for (uint64_t k = begin; to != NULL && k < begin + n; ++k, to += 3)
        for (int c = 0; c < 3; ++c)
            to[c] = lanes->force_normal[k] * lanes->normal[c][k];
}

static void states_write(double *to, uint64_t stride, const demi_reading *reading, uint64_t size,
                         uint64_t n)
{
    for (uint64_t k = reading->next; to != NULL && k < reading->next + n; ++k, to += stride)
        for (uint64_t c = 0; c < stride; ++c)
            to[c] = c < size ? reading->state[k][c] : 0.0;
}

/* `array` from a row on, where it is given; a row has `width` doubles. */
static double *array_from(double *array, uint64_t row, uint64_t width)
{
    return array != NULL ? array + row * width : NULL;
}

static void many_read(void *user, const dem_world *w, demi_reading *reading,
                      const demi_lanes *lanes, uint64_t n)
{
    read_many *many = user;
    const dem_contact_arrays *to = &many->to;
    const uint64_t first = reading->next, row = many->count;
    for (uint64_t k = 0; to->key != NULL && k < n; ++k)
        lane_key(w, reading, first + k, &to->key[row + k]);
    for (uint64_t k = 0; to->material != NULL && k < n; ++k)
        lane_materials(w, reading, first + k, &to->material[2 * (row + k)]);
    if (to->overlap != NULL)
        memcpy(to->overlap + row, lanes->overlap + first, (size_t)n * sizeof(double));
    for (uint64_t k = 0; to->point != NULL && k < n; ++k)
        lane_point(w, reading, lanes, first + k, to->point + 3 * (row + k));
    vectors_write(array_from(to->normal, row, 3), lanes->normal, first, n);
    forces_write(array_from(to->force_normal, row, 3), lanes, first, n);
    vectors_write(array_from(to->force_tangential, row, 3), lanes->force_tangential, first, n);
    states_write(array_from(to->state, row, to->state_stride), to->state_stride, reading,
                 demi_reading_group(w, reading)->model->state_size, n);
    for (uint64_t k = 0; to->facet != NULL && k < n; ++k)
        lane_facet(w, reading, first + k, &to->facet[row + k]);
    for (uint64_t k = 0; to->weights != NULL && k < n; ++k)
        lane_weights(w, reading, first + k, to->weights + 3 * (row + k));
    many->count += n;
}

DEMI_GUARDED guarded_world_contacts_read(const dem_world *world, uint64_t *cursor,
                                         const dem_contact_arrays *arrays, uint64_t *count)
{
    demi_context *context = world->self;
    const char *missing = cursor == NULL   ? "cursor"
                          : arrays == NULL ? "arrays"
                          : count == NULL  ? "count"
                                           : NULL;
    if (missing != NULL)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "%s: must not be NULL", missing);
    read_many many;
    memset(&many, 0, sizeof many);
    if (demi_sized_read(&many.to, arrays) != DEM_OK)
        return demi_sized_fail(context, "dem_contact_arrays", arrays->struct_size);
    if (many.to.capacity == 0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contact_arrays.capacity: 0 rows have room for no contact; at least 1 "
                         "is needed");
    if (many.to.state != NULL && many.to.state_stride == 0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_contact_arrays.state_stride: 0 doubles a row; `state` needs at least "
                         "1");
    demi_reading_call call = {.w = world,
                              .cursor = *cursor,
                              .most = many.to.capacity,
                              .function = many_read,
                              .user = &many};
    const dem_status status = demi_contacts_read(&call);
    *cursor = call.cursor;
    *count = many.count;
    return status;
}

dem_status dem_world_contacts_read(const dem_world *world, uint64_t *cursor,
                                   const dem_contact_arrays *arrays, uint64_t *count)
{
    DEMI_READ(world, guarded_world_contacts_read(world, cursor, arrays, count));
}
