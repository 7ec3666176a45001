/* SPDX-License-Identifier: MIT */
/* Reading contacts: a batch is evaluated from the states that are kept, and stays in the lanes of a
 * workspace for the calls that go on with it. Nothing here changes a trajectory. */
#include "base/check.h"
#include "base/entry.h"
#include "base/isa.h"
#include "world/hook.h"
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
                           .radii = group->faceted != 0,
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

uint64_t demi_reading_hint(const dem_world *w, uint64_t cursor)
{
    return w->workspaces.count > 1 && w->list.chunks > 0
               ? (uint64_t)(demi_chunk_of(&w->list, cursor) - w->list.chunk.read)
               : 0;
}

/* Between steps workspaces are free but for other calls like this one: those of other threads end
 * soon, but a law that reads a contact while a contact is read waits for itself. */
static dem_status contacts_read(demi_reading_call *call)
{
    const demi_list *list = &call->w->list;
    if (list->chunks == 0)
        return DEM_OK;
    demi_workspace *workspace = demi_workspace_ask((demi_workspaces *)&call->w->workspaces,
                                                   demi_reading_hint(call->w, call->cursor));
    if (workspace == NULL)
        return contacts_on_stack(call);
    demi_reading *reading = &workspace->reading;
    if (call->whole) /* lanes of other calls lack energies; none are left at the end */
        reading->count = 0;
    const dem_status status = contacts_visit(call, reading, workspace->lanes);
    demi_workspace_return(workspace);
    return status;
}

/* What the host's hook wrote in a step that has begun does not bring late velocities to the time of
 * the positions; a call around this one may have put it aside already. */
dem_status demi_contacts_read(demi_reading_call *call)
{
    const dem_world *w = call->w;
    const int late = w->velocity_lag != 0.0 && !w->hook.aside;
    if (late)
        demi_hook_exchange(w);
    const dem_status status = contacts_read(call);
    if (late)
        demi_hook_exchange(w);
    return status;
}
