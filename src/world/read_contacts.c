/* SPDX-License-Identifier: MIT */
/* Reading contacts: a batch is evaluated from the states that are kept, and stays in the lanes of a
 * workspace for the calls that go on with it. Nothing here changes a trajectory. */
#include "base/check.h"
#include "base/entry.h"
#include "base/isa.h"
#include "base/sized.h"
#include "shapes/slots.h"
#include "world/read_contacts.h"
#include "world/wall_lane.h"

#include <string.h>

DEMI_COPIES(demi_read_function, demi_contacts_lanes);

/* Contacts that are evaluated at a time: few enough that their lanes stay in the first cache; and
 * for a cursor which does not go on from the batch before: it may not go on from this one either.
 */
enum { READ_BATCH = 32, READ_FIRST = 8 };

/* ------------------------------------------------------------------ which contacts */

/* Whether both bodies of a pair are still there, and the one of lower id still is this world's: it
 * may have been given away since the list was built. */
static int pair_is_read(const dem_world *w, const demi_ends *ends, int elsewhere)
{
    const uint64_t *id = w->row_id.data, *shown = elsewhere ? id : demi_shown_ids(w);
    if (ends->wall)
        return shown[ends->own] != 0 && w->wall.data[ends->other].id != 0;
    const uint64_t i = ends->first ? ends->own : ends->other,
                   j = ends->first ? ends->other : ends->own;
    return shown[i] != 0 && id[j] != 0;
}

/* Asks for a row before the lanes want it. */
DEMI_ASK void ask_row(const dem_world *w, uint64_t row)
{
    __builtin_prefetch(&w->current.position.read[row]);
    __builtin_prefetch(&w->current.velocity.data[row]);
    if (w->periodic)
        __builtin_prefetch(w->body.data[row].image);
}

/* Up to `most` contacts of one group from the reading's end on, which moves behind them. */
static void group_contacts(const demi_reading_call *call, uint64_t r, uint64_t most,
                           demi_reading *reading)
{
    const dem_world *w = call->w;
    const demi_batch_group *group = &w->list.batch_group.data[r];
    const demi_chunk *chunk = demi_chunk_of(&w->list, group->begin);
    const unsigned char *touching = w->current.touching.data;
    const double *state = reading->state_end;
    /* without branches: whether a pair touches cannot be foretold */
    uint64_t p = reading->end, found = 0;
    for (; p < group->end && found < most; ++p) {
        reading->pair[found] = p;
        found += touching[p];
    }
    for (uint64_t n = 0; n < found; ++n, state += group->state_stride) {
        const uint64_t k = reading->count, pair = reading->pair[n];
        const demi_ends ends =
            demi_pair_ends(&w->list, chunk, group->ends, w->list.pair.data + pair);
        if (!pair_is_read(w, &ends, call->elsewhere))
            continue;
        ask_row(w, ends.own);
        if (!ends.wall)
            ask_row(w, ends.other);
        reading->pair[k] = pair;
        reading->state[k] = state;
        reading->own[k] = (uint32_t)ends.own;
        reading->other[k] = (uint32_t)ends.other;
        reading->shift[k] = (unsigned char)ends.shift;
        reading->feature[k] = ends.feature;
        reading->count = k + 1;
    }
    for (uint64_t k = reading->count; k > 0 && k < DEMI_PADDED(reading->count); ++k) {
        reading->state[k] = reading->state[k - 1];
        reading->own[k] = reading->own[k - 1];
        reading->other[k] = reading->other[k - 1];
        reading->shift[k] = reading->shift[k - 1];
        reading->feature[k] = reading->feature[k - 1];
    }
    reading->batch_group = r;
    reading->end = p;
    reading->state_end = state;
}

/* Lets a reading begin in a group, at a cursor or where the group does. */
static void group_begin(const dem_world *w, uint64_t r, uint64_t cursor, demi_reading *reading)
{
    const demi_batch_group *group = &w->list.batch_group.data[r];
    reading->end = cursor > group->begin ? cursor : group->begin;
    if (reading->end < group->end)
        reading->state_end =
            w->current.contact_state.data + group->state_begin +
            demi_touching_count(w->current.touching.read, group->begin, reading->end) *
                group->state_stride;
}

/* The group of a cursor's chunk with which the search for contacts begins. */
static uint64_t first_group(const demi_list *list, uint64_t cursor)
{
    return cursor < list->pairs_room ? demi_chunk_of(list, cursor)->batch_group_begin
                                     : list->batch_groups;
}

/* The contacts from a cursor on that come in one batch; none where there are no more. sequel: they
 * follow those of the reading. */
static void reading_list(const demi_reading_call *call, uint64_t most, int sequel,
                         demi_reading *reading)
{
    const dem_world *w = call->w;
    const demi_list *list = &w->list;
    const uint64_t cursor = call->cursor;
    uint64_t r = sequel ? reading->batch_group : first_group(list, cursor);
    reading->begin = cursor;
    reading->count = reading->next = 0;
    reading->filled = 0;
    reading->changes = w->context.changes;
    /* groups stand in the order of their pairs */
    for (; r < list->batch_groups && reading->count == 0; ++r, sequel = 0) {
        if (list->batch_group.read[r].uncounted && !call->elsewhere)
            continue;
        if (!sequel)
            group_begin(w, r, cursor, reading);
        while (reading->end < list->batch_group.data[r].end && reading->count == 0)
            group_contacts(call, r, most, reading);
    }
}

/* ------------------------------------------------------------------ evaluation */

/* The whole moments of the forces between polyhedra, and their energies. */
static void reading_moments(const dem_world *w, const demi_reading *reading, int energies,
                            demi_lanes *lanes)
{
    const demi_faceted_call call = {w, 0, 0.0, 0.0};
    const int first = demi_own_first(demi_reading_group(w, reading));
    for (uint64_t k = 0; k < reading->count; ++k) {
        const demi_ends ends = demi_reading_ends(w, reading, k, first);
        const demi_faceted_contact *contact = demi_reading_faceted(w, reading, k);
        demi_faceted_moments(&call, &ends, contact, lanes, k);
        if (energies)
            lanes->elastic_energy[k] += demi_faceted_energy(contact, lanes, k);
    }
}

static dem_status reading_failed(const dem_world *w, const demi_reading *reading,
                                 const demi_lanes_call *how, dem_status status)
{
    const demi_chunk_result result = {.status = status,
                                      .pair = reading->pair[0],
                                      .what = how->model->laws[how->part].name,
                                      .returned = how->returned};
    return demi_contact_failed(w, &result, "when contacts were read");
}

/* tell: whether the world's message says what failed. */
static dem_status reading_run(const demi_reading_call *read, const demi_reading *reading,
                              demi_lanes *lanes, int tell)
{
    const dem_world *w = read->w;
    const demi_batch_group *group = &w->list.batch_group.data[reading->batch_group];
    demi_totals totals;
    memset(&totals, 0, sizeof totals);
    demi_lanes_call how = {.model = group->model,
                           .normals = group->faceted ? DEMI_NORMALS_GIVEN
                                                     : demi_lanes_normals(w, group->shape),
                           .kinematics = w->scheme->kinematics,
                           .padded = 1,
                           .dt = read->dt,
                           .evaluate_only = read->dt == 0.0,
                           .energy_tracking = read->whole && !w->models.lean,
                           .apart = !read->whole,
                           .slopes = group->faceted && read->whole,
                           .overlap_limit = INFINITY};
    demi_contacts_lanes[w->models.isa](w, reading, lanes);
    if (read->dt > 0.0 && !group->faceted)
        demi_reading_ahead(w, reading, read->dt, lanes);
    const dem_status status =
        demi_lanes_run_isa(w->models.isa, lanes, reading->count, &how, &totals);
    if (status != DEM_OK)
        return tell ? reading_failed(w, reading, &how, status) : status;
    if (group->faceted && read->whole)
        reading_moments(w, reading, how.energy_tracking, lanes);
    return DEM_OK;
}

/* Contacts from a cursor on, in lanes. One that cannot be evaluated has a batch of its own, so that
 * the others can. */
static dem_status reading_make(const demi_reading_call *call, int sequel, demi_reading *reading,
                               demi_lanes *lanes)
{
    reading_list(call, sequel ? READ_BATCH : READ_FIRST, sequel, reading);
    if (reading->count == 0)
        return DEM_OK;
    dem_status status = reading_run(call, reading, lanes, reading->count == 1);
    if (status != DEM_OK && reading->count > 1) {
        reading_list(call, 1, 0, reading);
        status = reading_run(call, reading, lanes, 1);
    }
    return status;
}

/* Whether a reading has what comes next from the cursor; `next` is that lane then. */
static int reading_goes_on(const dem_world *w, uint64_t cursor, demi_reading *reading)
{
    if (reading->count == 0 || reading->changes != w->context.changes || cursor < reading->begin ||
        cursor >= reading->end)
        return 0;
    if (reading->next > 0 && reading->pair[reading->next - 1] >= cursor)
        reading->next = 0;
    while (reading->next < reading->count && reading->pair[reading->next] < cursor)
        ++reading->next;
    return reading->next < reading->count;
}

static dem_status reading_advance(const demi_reading_call *call, demi_reading *reading,
                                  demi_lanes *lanes)
{
    const dem_world *w = call->w;
    const uint64_t cursor = call->cursor;
    if (reading_goes_on(w, cursor, reading))
        return DEM_OK;
    const int sequel = reading->count > 0 && reading->changes == w->context.changes &&
                       cursor > reading->pair[reading->count - 1] && cursor <= reading->end;
    return reading_make(call, sequel, reading, lanes);
}

/* ------------------------------------------------------------------ reading on */

static dem_status contacts_visit(demi_reading_call *call, demi_reading *reading, demi_lanes *lanes)
{
    const dem_world *w = call->w;
    while (call->most > 0) {
        const dem_status status = reading_advance(call, reading, lanes);
        if (status != DEM_OK) {
            call->cursor = reading->pair[0] + 1;
            reading->count = 0;
            return status;
        }
        const uint64_t there = reading->count - reading->next,
                       n = there < call->most ? there : call->most;
        if (n == 0) {
            call->cursor = w->list.pairs_room;
            return DEM_OK;
        }
        call->function(call->user, w, reading, lanes, n);
        reading->next += n;
        call->most -= n;
        call->cursor = reading->resume = reading->pair[reading->next - 1] + 1;
    }
    return DEM_OK;
}

/* With much stack, see below. */
DEMI_APART dem_status contacts_on_stack(demi_reading_call *call)
{
    _Alignas(64) demi_lane_array state[DEM_STATE_MAX + DEMI_KEPT_MOST];
    demi_lanes lanes;
    demi_reading reading;
    reading.count = 0;
    reading.contact = NULL;
    lanes.state = state;
    return contacts_visit(call, &reading, &lanes);
}

/* Calls that go on from each other come to the same workspace. */
static uint64_t workspace_hint(const dem_world *w, uint64_t cursor)
{
    return w->workspaces.count > 1 && w->list.chunks > 0
               ? (uint64_t)(demi_chunk_of(&w->list, cursor) - w->list.chunk.read)
               : 0;
}

/* Between steps workspaces are free but for other calls like this one: those of other threads end
 * soon, but a law that reads a contact while a contact is read waits for itself. */
dem_status demi_contacts_read(demi_reading_call *call)
{
    const demi_list *list = &call->w->list;
    if (list->chunks == 0)
        return DEM_OK;
    demi_workspace *workspace = demi_workspace_ask((demi_workspaces *)&call->w->workspaces,
                                                   workspace_hint(call->w, call->cursor));
    if (workspace == NULL)
        return contacts_on_stack(call);
    demi_reading *reading = &workspace->reading;
    if (call->whole) /* lanes of other calls lack energies; none are left at the end */
        reading->count = 0;
    const dem_status status = contacts_visit(call, reading, workspace->lanes);
    demi_workspace_return(workspace);
    return status;
}

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
        demi_workspace_try((demi_workspaces *)&w->workspaces, workspace_hint(w, *cursor));
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

/* Rows of a vector from its lanes, times a scale where there is one. */
static void vectors_write(double *to, const demi_lane_array from[3], const double *scale,
                          uint64_t begin, uint64_t n)
{
    for (uint64_t k = begin; to != NULL && k < begin + n; ++k, to += 3)
        for (int c = 0; c < 3; ++c)
            to[c] = scale != NULL ? scale[k] * from[c][k] : from[c][k];
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
    vectors_write(array_from(to->normal, row, 3), lanes->normal, NULL, first, n);
    vectors_write(array_from(to->force_normal, row, 3), lanes->normal, lanes->force_normal, first,
                  n);
    vectors_write(array_from(to->force_tangential, row, 3), lanes->force_tangential, NULL, first,
                  n);
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
