/* SPDX-License-Identifier: MIT */
/* Mark and rewind, see mark.h. */
#include "base/entry.h"
#include "mesh/move.h"
#include "world/ghost_told.h"
#include "world/motion_written.h"
#include "world/world.h"

#include <string.h>

/* ------------------------------------------------------------------ what is copied */

typedef void part_function(void *user, void *data, uint64_t bytes);

/* Arrays that may come later than the mark. */
enum { PART_TURNING = 1, PART_SERVO = 2 };

static int parts_there(const dem_world *w)
{
    return (w->wall_turning.read != NULL ? PART_TURNING : 0) |
           (w->wall_servo.read != NULL ? PART_SERVO : 0);
}

/* What moving vertices change of the mesh of a solid. */
static void mesh_visit(demi_solid *solid, part_function *function, void *user)
{
    dem_mesh *mesh = solid->mesh;
    if (!solid->deforms)
        return;
    demi_buffer *const arrays[] = {&mesh->vertex.buffer, &mesh->velocity.buffer,
                                   &mesh->normal.buffer, &mesh->defects.buffer, &mesh->box.buffer};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; ++k)
        function(user, arrays[k]->data, arrays[k]->size);
    function(user, &mesh->speed, sizeof mesh->speed);
    function(user, &mesh->extent, sizeof mesh->extent);
}

/* Walls; of the warnings that were given, none is given again. */
static void walls_visit(dem_world *w, part_function *function, void *user)
{
    for (uint64_t k = 0; k < w->walls; ++k) {
        demi_wall *wall = &w->wall.data[k];
        const int32_t told = wall->told, looked = wall->looked;
        function(user, wall, sizeof *wall);
        wall->told |= told;
        wall->looked |= looked;
    }
}

/* Arrays beside those of rows: walls, chunks, densities, and whether pairs touch. */
static void parts_visit(dem_world *w, int parts, part_function *function, void *user)
{
    demi_state *const states[] = {&w->current, &w->next};
    for (int k = 0; k < 2; ++k) {
        function(user, states[k]->solid.data, w->walls * sizeof(demi_solid));
        function(user, states[k]->wall_force.data, w->walls * sizeof(demi_wall_force));
    }
    function(user, w->current.pose.data, w->rigids * sizeof(demi_pose));
    function(user, w->rigid.data, w->rigids * sizeof(demi_rigid)); /* forces of the host */
    function(user, w->solid_built.data, w->walls * sizeof(demi_solid));
    walls_visit(w, function, user);
    function(user, w->wall_active.data, w->walls_active * sizeof(uint32_t));
    if ((parts & PART_TURNING) != 0)
        function(user, w->wall_turning.data, w->walls * sizeof(demi_wall_turning));
    if ((parts & PART_SERVO) != 0)
        function(user, w->wall_servo.data, w->walls * sizeof(demi_wall_servo));
    for (uint64_t k = 0; w->walls_tracked > 0 && k < w->walls; ++k)
        if (w->wall_facets.data[k].tracked)
            function(user, w->wall_facets.data[k].work.data,
                     2 * w->current.solid.read[k].mesh->facet_count * sizeof(double));
    for (uint64_t k = 0; w->walls_deforming > 0 && k < w->walls; ++k) {
        mesh_visit(&w->current.solid.data[k], function, user);
        mesh_visit(&w->solid_built.data[k], function, user);
    }
    if (w->contact_impulse.read != NULL)
        function(user, w->wall_impulse.data, w->walls * sizeof(demi_wall_force));
    function(user, w->density.data, (uint64_t)w->config.material_count * sizeof(double));
    function(user, w->list.chunk.data, w->list.chunks * sizeof(demi_chunk));
    function(user, w->current.touching.data, w->list.pairs_room);
}

/* Empties arrays that were not there at the mark. */
static void parts_forget(dem_world *w, int parts)
{
    if ((parts & PART_TURNING) != 0)
        memset(w->wall_turning.data, 0, (size_t)w->walls * sizeof(demi_wall_turning));
    if ((parts & PART_SERVO) != 0)
        memset(w->wall_servo.data, 0, (size_t)w->walls * sizeof(demi_wall_servo));
    if (w->contact_impulse.read == NULL && w->wall_impulse.read != NULL)
        memset(w->wall_impulse.data, 0, (size_t)w->walls * sizeof(demi_wall_force));
}

static void part_count(void *user, void *data, uint64_t bytes)
{
    (void)data;
    *(uint64_t *)user += bytes;
}

static void part_keep(void *user, void *data, uint64_t bytes)
{
    unsigned char **to = user;
    if (bytes > 0)
        memcpy(*to, data, (size_t)bytes);
    *to += bytes;
}

static void part_return(void *user, void *data, uint64_t bytes)
{
    unsigned char **from = user;
    if (bytes > 0)
        memcpy(data, *from, (size_t)bytes);
    *from += bytes;
}

/* States of contacts. Those of a group stand at the beginning of its room; a copy has no gaps. */
static void states_copy(const dem_world *w, unsigned char *kept, int back)
{
    const demi_batch_group *group = w->list.batch_group.data;
    for (uint64_t r = 0; r < w->list.batch_groups; ++r, ++group) {
        const uint64_t bytes =
            demi_touching_count(w->current.touching.read, group->begin, group->end) *
            group->state_stride * sizeof(double);
        double *state = w->current.contact_state.data + group->state_begin;
        if (bytes > 0)
            memcpy(back ? (void *)state : kept, back ? kept : (void *)state, (size_t)bytes);
        kept += bytes;
    }
}

/* The numbers of a world. */
static void numbers_copy(dem_world *to, const dem_world *from)
{
    memcpy(to->config.gravity, from->config.gravity, sizeof to->config.gravity);
    to->rows = from->rows;
    to->rows_vacant = from->rows_vacant;
    to->walls = from->walls;
    to->walls_vacant = from->walls_vacant;
    to->wall_vacant = from->wall_vacant;
    to->walls_active = from->walls_active;
    to->walls_turning = from->walls_turning;
    to->flats_turning = from->flats_turning;
    to->walls_seeking = from->walls_seeking;
    to->walls_needing = from->walls_needing;
    to->polyhedra.slots = from->polyhedra.slots;
    to->list_stale = from->list_stale;
    to->forces_stale = from->forces_stale;
    to->touched = from->touched;
    to->mass_added = from->mass_added;
    to->motion_viewed = from->motion_viewed;
    to->motion_written = from->motion_written;
    to->dt_checked = from->dt_checked;
    to->watched = from->watched;
    to->velocity_lag = from->velocity_lag;
    to->list_age = from->list_age;
    to->ghosts.list_ends = from->ghosts.list_ends;
    to->steps = from->steps;
    to->rebuilds = from->rebuilds;
    to->time = from->time;
    to->totals = from->totals;
    to->work_external = from->work_external;
    to->work_boundary = from->work_boundary;
    to->work_fluid = from->work_fluid;
    to->dissipated_drag = from->dissipated_drag;
    to->ghosts.moved = from->ghosts.moved;
    to->ghosts.body_moved = from->ghosts.body_moved;
    to->ghosts.moved_last = from->ghosts.moved_last;
    to->ghosts.bodies_due = from->ghosts.bodies_due;
    to->ghosts.fields.due = from->ghosts.fields.due;
    to->ghosts.part_fields.due = from->ghosts.part_fields.due;
}

/* ------------------------------------------------------------------ mark */

static dem_status mark_reserve(dem_world *w)
{
    static const char what[] = "mark";
    demi_context *context = &w->context;
    demi_mark *mark = &w->mark;
    uint64_t early = demi_rows_mark_bytes(w, 0) + w->list.states * sizeof(double);
    parts_visit(w, parts_there(w), part_count, &early);
    dem_status status = demi_array_reserve(context, &mark->early, early, 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &mark->late, demi_rows_mark_bytes(w, 1), 1, what);
    if (status == DEM_OK)
        status = demi_array_reserve(context, &mark->world, 1, 1, what);
    return status;
}

DEMI_GUARDED guarded_world_mark(dem_world *world)
{
    const dem_status status = mark_reserve(world);
    if (status != DEM_OK)
        return status;
    demi_mark *mark = &world->mark;
    unsigned char *to = demi_rows_mark(world, 0, mark->early.data);
    mark->parts = parts_there(world);
    parts_visit(world, mark->parts, part_keep, &to);
    states_copy(world, to, 0);
    demi_motion_settle(world);
    numbers_copy(mark->world.data, world);
    mark->there = 1;
    mark->rows_kept = mark->list_kept = 0;
    return DEM_OK;
}

dem_status dem_world_mark(dem_world *world)
{
    DEMI_SET(world, guarded_world_mark(world));
}

static void lists_exchange(dem_world *w)
{
    const demi_list list = w->list;
    w->list = w->mark.list;
    w->mark.list = list;
}

void demi_mark_list(dem_world *w)
{
    if (!w->mark.there || w->mark.list_kept)
        return;
    lists_exchange(w);
    w->mark.list_kept = 1;
}

/* ------------------------------------------------------------------ rewind */

/* Back to the places that rows had, and the list. */
static void rewind_places(dem_world *w)
{
    if (w->mark.list_kept)
        lists_exchange(w);
    if (w->mark.rows_kept)
        (void)demi_rows_rewind(w, 1, w->mark.late.data);
    for (uint64_t row = 0; row < w->rows; ++row)
        if (w->body.read[row].id != 0)
            w->handle.data[w->particle.read[row].handle].row = (uint32_t)row;
    w->mark.rows_kept = w->mark.list_kept = 0;
    w->film.listed = 0;
}

/* Meshes are as they were at the mark, and those of the next state are not. */
static void rewind_meshes(dem_world *w)
{
    for (uint64_t k = 0; w->walls_deforming > 0 && k < w->walls; ++k)
        if (w->current.solid.read[k].deforms) {
            demi_mesh_written(w->current.solid.read[k].mesh);
            demi_mesh_written(w->solid_built.read[k].mesh);
        }
}

DEMI_GUARDED guarded_world_rewind(dem_world *world)
{
    demi_mark *mark = &world->mark;
    if (!mark->there)
        return demi_fail(
            &world->context, DEM_ERROR_STATE,
            "rewind: there is no mark: call dem_world_mark, and again after particles, "
            "ghosts, walls or models changed");
    demi_ghost_fields_forget(world);
    numbers_copy(world, mark->world.data);
    if (mark->rows_kept || mark->list_kept)
        rewind_places(world);
    unsigned char *from = demi_rows_rewind(world, 0, mark->early.data);
    parts_visit(world, mark->parts, part_return, &from);
    rewind_meshes(world);
    parts_forget(world, parts_there(world) & ~mark->parts);
    states_copy(world, from, 1);
    world->generation++;
    return DEM_OK;
}

dem_status dem_world_rewind(dem_world *world)
{
    DEMI_SET(world, guarded_world_rewind(world));
}

/* ------------------------------------------------------------------ the end of a mark */

void demi_mark_end(dem_world *w)
{
    w->mark.there = w->mark.rows_kept = w->mark.list_kept = 0;
}

void demi_mark_free(dem_world *w)
{
    demi_array_free(&w->context, &w->mark.early);
    demi_array_free(&w->context, &w->mark.late);
    demi_array_free(&w->context, &w->mark.world);
    demi_list_free(&w->context, &w->mark.list);
}
