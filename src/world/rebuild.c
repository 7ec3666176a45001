/* SPDX-License-Identifier: MIT */
/* Rebuild of the neighbour list: all of it is made beside the old one, in the next state, and
 * exchanged when nothing can fail any more. */
#include "base/parallel.h"
#include "mesh/move.h"
#include "world/flight.h"
#include "world/strays.h"
#include "world/world.h"

#include <string.h>

demi_domain demi_world_domain(const dem_world *w)
{
    demi_domain domain;
    for (int c = 0; c < 3; ++c) {
        domain.low[c] = w->config.box_low[c];
        domain.high[c] = w->config.box_high[c];
        domain.periodic[c] = w->config.boundary[c] == DEM_BOUNDARY_PERIODIC;
    }
    return domain;
}

/* Memory for arrays of all rows, after so many bytes a row that others have: while a list is built
 * the next loads hold nothing. */
static void *guest(const dem_world *w, uint64_t before)
{
    unsigned char *first = (unsigned char *)w->next.force_torque.data;
    return w->rows > 0 ? first + w->rows * before : NULL;
}
enum {
    TOUCHING_BEFORE = sizeof(demi_body),
    ROW_BEFORE = TOUCHING_BEFORE + sizeof(demi_touching_row),
    CELL_BEFORE = ROW_BEFORE + sizeof(demi_row_before)
};
_Static_assert(CELL_BEFORE + sizeof(uint32_t) <= sizeof(demi_force_torque),
               "guests of the next loads");

static demi_list_input rebuild_input(dem_world *w, double displacement)
{
    const demi_list_input in = {
        .context = &w->context,
        .executor = &w->config.executor,
        .models = &w->models,
        .domain = demi_world_domain(w),
        .ghosts = w->ghosts.count > 0,
        .skin = w->config.skin,
        .displacement = displacement,
        .rows = w->rows,
        .position = w->current.position.read,
        .velocity = w->current.velocity.read,
        .body = w->body.read,
        .id = w->row_id.read,
        .wall = w->wall.read,
        .walls = w->walls,
        .solid = w->current.solid.read,
        .chunk_rows = w->config.chunk_rows,
        .faceted = w->polyhedra.parts > 0,
        .slots = demi_polyhedra_slots(w),
        .before = &w->list,
        .sorted_position = w->next.position.data,
        .sorted_body = guest(w, 0),
        .touching_row = guest(w, TOUCHING_BEFORE),
        .row_before = guest(w, ROW_BEFORE),
        .cell_of = guest(w, CELL_BEFORE),
    };
    return in;
}

/* One for each thread that may work on chunks. A host's executor does not tell how many it has:
 * half as many as chunks suffice, since who has one chunk less to do waits anyway. */
static uint64_t workspaces_wanted(const dem_world *w, const demi_list *list)
{
    if (w->config.executor.run == NULL)
        return 1;
    const uint64_t most = list->chunks > 0 ? list->chunks : 1;
    const uint64_t threads = w->pool != NULL ? (uint64_t)w->config.threads : (most + 1) / 2;
    return threads < most ? threads : most;
}

/* The widest state of a list's contacts, or of those before it. */
static uint32_t widest_state(const demi_list *list, uint32_t most)
{
    const demi_batch_group *group = list->batch_group.data;
    for (uint64_t k = 0; k < list->batch_groups; ++k)
        most = group[k].state_stride > most ? group[k].state_stride : most;
    return most;
}

/* Room for the states of the new list's contacts, in both states, since they change places. */
static dem_status rebuild_states_room(dem_world *w, const demi_list *next)
{
    static const char *const what = "neighbour list";
    const uint64_t bytes = next->states * sizeof(double);
    const dem_status status =
        demi_buffer_reserve_closely(&w->context, &w->next.contact_state.buffer, bytes, 0, what);
    return status != DEM_OK ? status
                            : demi_buffer_reserve_closely(
                                  &w->context, &w->current.contact_state.buffer, bytes, 1, what);
}

/* Room for flags of contacts and for what the phases of a step need with the new list. */
static dem_status rebuild_room(dem_world *w, const demi_list *next)
{
    static const char *const what = "neighbour list";
    demi_context *context = &w->context;
    const uint64_t pairs = next->pairs_room;
    /* the next state holds nothing of value between steps; the current one is that of the old list
     */
    dem_status status =
        demi_buffer_reserve_closely(context, &w->next.touching.buffer, pairs, 0, what);
    if (status == DEM_OK)
        status = demi_buffer_reserve_closely(context, &w->current.touching.buffer, pairs, 1, what);
    if (status == DEM_OK)
        status = demi_buffer_reserve_closely(context, &w->chunk_copy.buffer,
                                             next->chunk_copies * demi_chunk_copy_size(w), 0, what);
    if (status == DEM_OK && w->exact.sums.exact)
        status = demi_exact_reserve(context, &w->exact, next->chunk_copies, w->walls);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &w->chunk_result, next->chunks, 0, what);
    const int pushed = w->external_force.data != NULL || w->external_torque.data != NULL;
    if (status == DEM_OK && pushed && next->pairs == 0)
        status = demi_flight_room(w, next->chunks);
    /* should the old list stay, its contacts are read there, too */
    if (status == DEM_OK)
        status =
            demi_workspaces_reserve(context, &w->workspaces, workspaces_wanted(w, next),
                                    next->copies_most, w->exact.sums.exact ? next->chunk_rows : 0,
                                    widest_state(next, widest_state(&w->list, 0)));
    return status;
}

/* Both states have the walls as they are now, and places of removed ones become vacant. */
static void settle_walls(dem_world *w)
{
    demi_wall *walls = w->wall.data;
    for (uint64_t k = 0; k < w->walls; ++k) {
        w->current.solid.data[k].deformed = 0.0;
        demi_solid_copy(&w->next.solid.data[k], &w->current.solid.data[k]);
        demi_solid_copy(&w->solid_built.data[k], &w->current.solid.data[k]);
        if (w->current.solid.read[k].deforms) {
            /* the next state comes last, which stays as the current one where nothing moves */
            demi_mesh_follow(w->solid_built.data[k].mesh, w->current.solid.read[k].mesh);
            demi_mesh_follow(w->next.solid.data[k].mesh, w->current.solid.read[k].mesh);
        }
        w->next.wall_force.data[k] = w->current.wall_force.data[k];
        walls[k].place = walls[k].id != 0 ? DEMI_WALL_LISTED : DEMI_WALL_VACANT;
    }
}

/* Built positions, and where handles and ids find rows. */
static void rows_name(void *argument, uint64_t task)
{
    dem_world *w = argument;
    demi_handle *handles = w->handle.data;
    const uint64_t end = demi_rows_task_end(task, w->rows);
    for (uint64_t row = task * DEMI_ROWS_TASK; row < end; ++row) {
        memcpy(w->built.data[row], w->current.position.data[row], sizeof(demi_row));
        handles[w->particle.read[row].handle].row = (uint32_t)row;
        w->row_id.data[row] = w->body.read[row].id;
        demi_row_show(w, row);
    }
}

static void models_pending_free(dem_world *w)
{
    demi_model **pending_free = w->pending_free.data;
    for (uint64_t k = 0; k < w->pending_free_count; ++k)
        demi_model_free(&w->context, pending_free[k]);
    w->pending_free_count = 0;
}

static void take_over(dem_world *w)
{
    const uint64_t rows = demi_list_rows(&w->list_next);
    demi_rows_keep(w);
    demi_mark_list(w);
    demi_rows_permute(w, w->list_workspace.order.data, rows);
    settle_walls(w);
    if (w->rigids > 0)
        memcpy(w->next.pose.data, w->current.pose.data, (size_t)w->rigids * sizeof(demi_pose));
    const demi_list list = w->list;
    w->list = w->list_next;
    w->list_next = list;
    demi_states_exchange(w);
    demi_walls_settle(w);
    w->rows = rows;
    w->rows_vacant = 0;
    w->list_age = 0.0;
    demi_parallel(&w->config.executor, rows_name, w, demi_rows_tasks(w->rows));
    if (w->rigids > 0)
        demi_rigids_wrap(w);
    if (!w->mark.there) /* whose list may name them */
        models_pending_free(w);
    w->list_stale = 0;
    w->film.listed = 0;
    w->generation++;
    w->rebuilds++;
    demi_log(&w->context, DEM_LOG_DEBUG, "list rebuilt: %llu particles, %llu pairs, skin %g m",
             (unsigned long long)w->rows, (unsigned long long)w->list.pairs, w->list.skin);
}

static demi_list_contacts contacts_of(const demi_state *state)
{
    const demi_list_contacts contacts = {state->touching.data, state->contact_state.data};
    return contacts;
}

/* While a list is built nobody needs the next velocities and states and the forces on chunk copies:
 * their memory is lent to what the build needs in between, and comes back, perhaps larger. */
static void memory_lend(dem_world *w)
{
    demi_list_workspace *workspace = &w->list_workspace;
    demi_buffer_exchange(&workspace->pair.buffer, &w->next.velocity.buffer);
    demi_buffer_exchange(&workspace->kind.buffer, &w->next.contact_state.buffer);
    demi_buffer_exchange(&workspace->copied.buffer, &w->chunk_copy.buffer);
}

static dem_status list_build(dem_world *w, const demi_list_input *in)
{
    memory_lend(w);
    const dem_status status = demi_list_build(&w->list_next, in, &w->list_workspace);
    memory_lend(w);
    return status;
}

/* Finds the contacts of the old list in the new one, and moves their states. */
static dem_status contacts_transfer(dem_world *w, const demi_list_input *in)
{
    demi_list *next = &w->list_next;
    demi_list_workspace *workspace = &w->list_workspace;
    demi_buffer_exchange(&workspace->touching.buffer, &w->next.velocity.buffer);
    dem_status status = demi_list_transfer_find(next, in, workspace, contacts_of(&w->current),
                                                w->next.touching.data);
    if (status == DEM_OK)
        status = rebuild_states_room(w, next);
    if (status == DEM_OK)
        demi_list_transfer_states(next, in, workspace, contacts_of(&w->current),
                                  contacts_of(&w->next));
    demi_buffer_exchange(&workspace->touching.buffer, &w->next.velocity.buffer);
    return status;
}

dem_status demi_world_rebuild(dem_world *w, double displacement)
{
    const double approach = displacement > 0.0 ? demi_strays_spared(w, displacement) : 0.0;
    const demi_list_input in = rebuild_input(w, approach);
    dem_status status = list_build(w, &in);
    if (status == DEM_OK)
        status = rebuild_room(w, &w->list_next);
    if (status == DEM_OK)
        status = contacts_transfer(w, &in);
    if (status == DEM_OK)
        take_over(w);
    return status;
}

/* ------------------------------------------------------------------ once more */

static void list_exchange(dem_world *w)
{
    const demi_list list = w->list;
    w->list = w->list_next;
    w->list_next = list;
    w->film.listed = 0;
    demi_buffer_exchange(&w->current.touching.buffer, &w->next.touching.buffer);
    demi_buffer_exchange(&w->current.contact_state.buffer, &w->next.contact_state.buffer);
}

dem_status demi_world_list_again(dem_world *w, const demi_list_past *past, double skin,
                                 double reach)
{
    demi_list *next = &w->list_next;
    demi_list_input in = rebuild_input(w, 0.0);
    in.skin = skin;
    in.position = w->built.read;
    in.solid = w->solid_built.read;
    in.past = past;
    dem_status status = list_build(w, &in);
    if (status == DEM_OK)
        status = rebuild_room(w, next);
    if (status == DEM_OK)
        status = rebuild_states_room(w, next);
    if (status == DEM_ERROR_MEMORY)
        return status;
    if (status == DEM_OK && next->skin == skin && next->reach == reach &&
        demi_list_follow(next, &w->list, contacts_of(&w->current), contacts_of(&w->next)))
        list_exchange(w);
    else
        w->list_stale = 1;
    return DEM_OK;
}
