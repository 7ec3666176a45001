/* SPDX-License-Identifier: MIT */
/* Ghosts: rows of particles that other worlds own. They move as owned ones do, by the forces that
 * their owners tell. */
#include "base/entry.h"
#include "base/check.h"
#include "base/sized.h"
#include "world/added_mass.h"
#include "world/ghost_told.h"
#include "world/images.h"
#include "world/motion_written.h"
#include "world/world.h"

#include <dem/distribution.h>

#include <float.h>
#include <string.h>

/* Marks ids and ghosts that a call names, while it looks at what it was given. */
#define NAMED_ID (DEMI_WALL_BIT - 1u)
#define NAMED_GHOST UINT64_MAX

dem_status demi_ghosts_check(dem_world *w)
{
    if (w->models.films == 0)
        return DEM_OK;
    return demi_fail(
        &w->context, DEM_ERROR_STATE,
        "world: a model has the part \"film\", which does not act on ghosts: take a model "
        "without it, or keep all particles in one world");
}

void demi_ghosts_free(dem_world *w)
{
    demi_array_free(&w->context, &w->ghosts.told_in);
    demi_array_free(&w->context, &w->ghosts.fields.in);
    demi_array_free(&w->context, &w->ghosts.part_fields.in);
}

/* Room for what a world with ghosts has beside rows. */
dem_status demi_ghosts_reserve(dem_world *w, uint64_t handles)
{
    const uint64_t there = demi_array_room(&w->ghosts.told_in);
    dem_status status = demi_array_reserve(&w->context, &w->ghosts.told_in, handles, 1, "ghosts");
    const uint64_t room = demi_array_room(&w->ghosts.told_in);
    if (status == DEM_OK && room > there)
        memset(w->ghosts.told_in.data + there, 0, (size_t)(room - there) * sizeof(uint64_t));
    if (status == DEM_OK)
        status = demi_ghost_fields_reserve(w, handles);
    if (status == DEM_OK && w->shown_id.data == NULL) {
        status = demi_rows_reserve(w, &w->shown_id.buffer);
        for (uint64_t row = 0; status == DEM_OK && row < w->rows; ++row)
            demi_row_show(w, row);
    }
    return status;
}

dem_status demi_ghosts_restore(dem_world *w)
{
    uint64_t count = 0;
    for (uint64_t row = 0; row < w->rows; ++row)
        count += w->body.read[row].id != 0 && demi_kinds[w->body.read[row].kind].ghost;
    w->ghosts.count = count;
    w->particles -= count;
    if (count == 0)
        return DEM_OK;
    demi_ghosts_expect(w);
    return demi_ghosts_reserve(w, w->handles);
}

/* ------------------------------------------------------------------ reading */

/* The rows of all handles are there. */
static dem_status handles_check(const dem_world *w, uint64_t count,
                                const dem_particle_handle *handles)
{
    dem_status status = DEM_OK;
    uint64_t row;
    if (handles == NULL && count > 0)
        return demi_fail(w->self, DEM_ERROR_ARGUMENT, "handles: must not be NULL");
    for (uint64_t k = 0; status == DEM_OK && k < count; ++k)
        status = demi_handle_row(w, handles[k], &row);
    return status;
}

/* Parts have no forces of their own: their bodies have. */
static dem_status parts_refuse(const dem_world *w, uint64_t count,
                               const dem_particle_handle *handles)
{
    for (uint64_t k = 0; w->rigids > 0 && k < count; ++k) {
        const uint64_t row = w->handle.read[handles[k].index].row;
        if (w->body.read[row].rigid != 0)
            return demi_rigid_refuse(w, row, "tell the ghosts of");
    }
    return DEM_OK;
}

static uint64_t row_of(const dem_world *w, dem_particle_handle handle)
{
    return w->handle.read[handle.index].row;
}

/* What a fluid does to a row. */
static void fluid_of(const dem_world *w, uint64_t row, dem_ghost *ghost)
{
    if (w->fluid.read != NULL) {
        const demi_fluid *fluid = &w->fluid.read[row];
        ghost->drag_coefficient = fluid->velocity[3];
        ghost->rotational_drag = fluid->angular_velocity[3];
        for (int c = 0; c < 3; ++c) {
            ghost->fluid_velocity[c] = fluid->velocity[c];
            ghost->fluid_angular_velocity[c] = fluid->angular_velocity[c];
        }
    }
    if (w->added_mass.read != NULL)
        ghost->added_mass = demi_added_mass_of(w, row)->mass;
}

/* kg, of which the inverse is that again; 0 for a free particle and for an infinite mass */
static double contact_mass_of(int32_t kind, double inverse)
{
    return demi_kinds[kind].integrated || !(inverse > 0.0) ? 0.0 : 1.0 / inverse;
}

static dem_ghost ghost_of(const dem_world *w, uint64_t row)
{
    const demi_body *body = &w->body.read[row];
    const demi_velocities *velocities = &w->current.velocity.read[row];
    const demi_force_torque *load = &w->current.force_torque.read[row];
    dem_ghost ghost = {
        .struct_size = sizeof ghost,
        .id = body->id,
        .material = body->material,
        .mobility = demi_kinds[body->kind].mobility,
        .radius = w->current.position.read[row][3],
        .mass = w->particle.read[row].mass,
        .contact_mass = contact_mass_of(body->kind, velocities->velocity[3]),
        .lag = w->velocity_lag,
    };
    fluid_of(w, row, &ghost);
    for (int c = 0; c < 3; ++c) {
        ghost.position[c] = w->current.position.read[row][c];
        ghost.image[c] = body->image[c];
        ghost.velocity[c] = velocities->velocity[c];
        ghost.angular_velocity[c] = velocities->angular_velocity[c];
        ghost.force[c] = load->force[c];
        ghost.torque[c] = load->torque[c];
        ghost.external_force[c] =
            w->external_force.read != NULL ? w->external_force.read[row][c] : 0.0;
        ghost.external_torque[c] =
            w->external_torque.read != NULL ? w->external_torque.read[row][c] : 0.0;
    }
    return ghost;
}

/* Refuses structs of programs that do not know what the world has. */
static dem_status size_check(const dem_world *w, uint64_t size)
{
    const char *has = w->fluid.read != NULL || w->added_mass.read != NULL ? "a fluid"
                      : w->velocity_lag != 0.0 ? "velocities that are late"
                                               : NULL;
    if (has == NULL || size >= sizeof(dem_ghost))
        return DEM_OK;
    return demi_fail(w->self, DEM_ERROR_STRUCT_SIZE,
                     "dem_ghost.struct_size: %llu has no room for what ghosts need in this world, "
                     "which has %s: compile the program with the headers of this library",
                     (unsigned long long)size, has);
}

DEMI_GUARDED guarded_ghosts_get(const dem_world *world, uint64_t count,
                                const dem_particle_handle *handles, dem_ghost *ghosts)
{
    dem_status status = handles_check(world, count, handles);
    if (status == DEM_OK)
        status = parts_refuse(world, count, handles);
    if (status != DEM_OK || count == 0)
        return status;
    if (ghosts == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "ghosts: must not be NULL");
    const uint64_t size = ghosts->struct_size;
    status = size_check(world, size);
    if (status != DEM_OK)
        return status;
    for (uint64_t k = 0; k < count; ++k) {
        const dem_ghost *at = (const dem_ghost *)((const unsigned char *)ghosts + k * size);
        if (demi_sized_check_output(at) != DEM_OK || at->struct_size != size)
            return demi_sized_fail_output(world->self, "dem_ghost", at->struct_size);
    }
    for (uint64_t k = 0; k < count; ++k) {
        const dem_ghost ghost = ghost_of(world, row_of(world, handles[k]));
        status = demi_sized_write((dem_ghost *)((unsigned char *)ghosts + k * size), size, &ghost);
    }
    return status;
}

dem_status dem_ghosts_get(const dem_world *world, uint64_t count,
                          const dem_particle_handle *handles, dem_ghost *ghosts)
{
    DEMI_READ(world, guarded_ghosts_get(world, count, handles, ghosts));
}

/* ------------------------------------------------------------------ setting */

/* Reads ghost k of the caller's array, whose elements have the size of the first. */
static dem_status ghost_read(dem_world *w, const dem_ghost *ghosts, uint64_t k, dem_ghost *out)
{
    const uint64_t size = ghosts->struct_size;
    const dem_ghost *at = (const dem_ghost *)((const unsigned char *)ghosts + k * size);
    memset(out, 0, sizeof *out);
    if (demi_sized_read(out, at) != DEM_OK || at->struct_size != size)
        return demi_sized_fail_output(&w->context, "dem_ghost", at->struct_size);
    return DEM_OK;
}

static dem_particle particle_of(const dem_ghost *ghost)
{
    dem_particle p = {.struct_size = sizeof p,
                      .id = ghost->id,
                      .radius = ghost->radius,
                      .mass = ghost->mass,
                      .contact_mass = ghost->contact_mass,
                      .material = ghost->material,
                      .mobility = ghost->mobility};
    memcpy(p.position, ghost->position, sizeof p.position);
    memcpy(p.velocity, ghost->velocity, sizeof p.velocity);
    memcpy(p.angular_velocity, ghost->angular_velocity, sizeof p.angular_velocity);
    return p;
}

/* Refuses a vector of ghost n of a call. */
static dem_status vector_check(dem_world *w, unsigned long long n, const char *name,
                               const double vector[3], double most)
{
    if (demi_within3(vector, most))
        return DEM_OK;
    return demi_fail(&w->context, DEM_ERROR_RANGE,
                     "ghost %llu of the call: %s (%g, %g, %g) must be finite and within %g", n,
                     name, vector[0], vector[1], vector[2], most);
}

/* Refuses what a fluid cannot do to ghost n of a call, and times that its velocities cannot have.
 */
static dem_status fluid_check(dem_world *w, unsigned long long n, const dem_ghost *ghost)
{
    dem_status status = DEM_OK;
    const struct {
        const char *name;
        double value;
    } sizes[] = {{"drag_coefficient", ghost->drag_coefficient},
                 {"rotational_drag", ghost->rotational_drag},
                 {"added_mass", ghost->added_mass}};
    for (int k = 0; k < 3; ++k)
        if (!demi_not_negative(sizes[k].value) || sizes[k].value > DEMI_MOTION_MOST)
            return demi_fail(&w->context, DEM_ERROR_RANGE,
                             "ghost %llu of the call: %s: %g must be in [0, %g]", n, sizes[k].name,
                             sizes[k].value, DEMI_MOTION_MOST);
    status = vector_check(w, n, "fluid_velocity", ghost->fluid_velocity, DEMI_MOTION_MOST);
    if (status == DEM_OK)
        status = vector_check(w, n, "fluid_angular_velocity", ghost->fluid_angular_velocity,
                              DEMI_MOTION_MOST);
    if (status != DEM_OK)
        return status;
    if (!demi_not_negative(ghost->lag) || (w->scheme->lag == 0.0 && ghost->lag != 0.0))
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "ghost %llu of the call: lag: %g s must be finite and >= 0, and 0 but for "
                         "the leapfrog scheme",
                         n, ghost->lag);
    return DEM_OK;
}

/* Velocities of ghosts are to be late as those here; a world without any takes theirs over. */
static dem_status lag_check(dem_world *w, const dem_ghost *ghost, double *lag)
{
    if (*lag < 0.0)
        *lag = w->particles + w->ghosts.count > 0 ? w->velocity_lag : ghost->lag;
    if (ghost->lag == *lag)
        return DEM_OK;
    return demi_fail(&w->context, DEM_ERROR_STATE,
                     "ghost with id %llu: lag: its velocities are late by %g s, and those of this "
                     "world or of other ghosts by %g s: let all worlds make the same steps",
                     (unsigned long long)ghost->id, ghost->lag, *lag);
}

/* Refuses what can be no ghost; k is its number in the call. */
static dem_status ghost_check(dem_world *w, uint64_t k, const dem_ghost *ghost)
{
    const unsigned long long n = (unsigned long long)k;
    const struct {
        const char *name;
        const double *value;
    } loads[] = {{"force", ghost->force},
                 {"torque", ghost->torque},
                 {"external_force", ghost->external_force},
                 {"external_torque", ghost->external_torque}};
    if (ghost->reserved != 0)
        return demi_fail(&w->context, DEM_ERROR_UNKNOWN,
                         "dem_ghost.reserved: %d must be 0, because this library does not know "
                         "this field (fill ghosts with dem_ghosts_get)",
                         (int)ghost->reserved);
    if (ghost->id == 0)
        return demi_fail(&w->context, DEM_ERROR_RANGE, "ghost %llu of the call: id: must be > 0",
                         n);
    if (!demi_positive(ghost->mass))
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "ghost %llu of the call: mass %g must be finite and > 0 kg", n,
                         ghost->mass);
    for (int c = 0; c < 3; ++c)
        if (ghost->image[c] <= -DEMI_IMAGE_MOST || ghost->image[c] >= DEMI_IMAGE_MOST ||
            (ghost->image[c] != 0 && w->config.boundary[c] != DEM_BOUNDARY_PERIODIC))
            return demi_fail(
                &w->context, DEM_ERROR_RANGE,
                "ghost %llu of the call: image %d along axis %d must be within %d, and "
                "0 along open axes",
                n, (int)ghost->image[c], c, DEMI_IMAGE_MOST);
    dem_status status = fluid_check(w, n, ghost);
    for (int f = 0; status == DEM_OK && f < 4; ++f) /* a host may set any force on its own */
        status =
            vector_check(w, n, loads[f].name, loads[f].value, f < 2 ? DEMI_FORCE_MOST : DBL_MAX);
    if (status != DEM_OK)
        return status;
    const dem_particle p = particle_of(ghost);
    return demi_particle_check(w, "ghost", k, &p);
}

dem_status demi_ghost_load_check(demi_context *context, const char *what, uint64_t id,
                                 const double load[6])
{
    for (int c = 0; c < 6; ++c)
        if (!(fabs(load[c]) <= DEMI_FORCE_MOST))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "%s %llu: %s[%d]: %g must be finite and within %g", what,
                             (unsigned long long)id, c < 3 ? "force" : "torque", c % 3, load[c],
                             DEMI_FORCE_MOST);
    return DEM_OK;
}

/* A ghost that stays is what it was. */
static dem_status ghost_same(dem_world *w, uint64_t row, const dem_ghost *ghost)
{
    const demi_body *body = &w->body.read[row];
    const double inverse = w->current.velocity.read[row].velocity[3],
                 given = ghost->contact_mass > 0.0 ? 1.0 / ghost->contact_mass : 0.0;
    const struct {
        const char *name;
        double was, is;
    } fixed[] = {
        {"radius", w->current.position.read[row][3], ghost->radius},
        {"mass", w->particle.read[row].mass, ghost->mass},
        {"material", (double)body->material, (double)ghost->material},
        {"mobility", (double)demi_kinds[body->kind].mobility, (double)ghost->mobility},
        {"contact_mass", contact_mass_of(body->kind, inverse), contact_mass_of(body->kind, given)}};
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; ++k)
        if (fixed[k].was != fixed[k].is)
            return demi_fail(&w->context, DEM_ERROR_STATE,
                             "ghost with id %llu: %s changed from %.17g to %.17g: set ghosts "
                             "without it first",
                             (unsigned long long)ghost->id, fixed[k].name, fixed[k].was,
                             fixed[k].is);
    return DEM_OK;
}

/* Names ghost k: a new id in the table of ids, one that stays by its mark. */
static dem_status ghost_name(dem_world *w, const dem_ghost *ghost)
{
    uint32_t handle;
    const char *twice = NULL;
    if (!demi_idmap_find(&w->ids, ghost->id, &handle)) {
        demi_idmap_insert(&w->ids, ghost->id, NAMED_ID);
        return DEM_OK;
    }
    const int wall = (handle & DEMI_WALL_BIT) != 0, new_one = handle == NAMED_ID;
    if (wall)
        twice = "a wall";
    else if (new_one || w->ghosts.told_in.read[handle] == NAMED_GHOST)
        twice = "another ghost of the call";
    else if (w->body.read[w->handle.read[handle].row].rigid != 0)
        twice = "a part of a body";
    else if (!demi_kinds[w->body.read[w->handle.read[handle].row].kind].ghost)
        twice = "a particle that this world owns";
    if (twice != NULL)
        return demi_fail(&w->context, DEM_ERROR_DUPLICATE, "ghost with id %llu: %s has the id",
                         (unsigned long long)ghost->id, twice);
    const dem_status status = ghost_same(w, w->handle.read[handle].row, ghost);
    if (status == DEM_OK)
        w->ghosts.told_in.data[handle] = NAMED_GHOST;
    return status;
}

/* Takes back what naming the first `count` ghosts left. */
static void ghosts_unname(dem_world *w, uint64_t count, const dem_ghost *ghosts)
{
    dem_ghost ghost;
    uint32_t handle;
    for (uint64_t k = 0; k < count; ++k) {
        (void)ghost_read(w, ghosts, k, &ghost);
        if (!demi_idmap_find(&w->ids, ghost.id, &handle))
            continue;
        if (handle == NAMED_ID)
            demi_idmap_remove(&w->ids, ghost.id);
        else
            w->ghosts.told_in.data[handle] = 0;
    }
}

/* Removes ghosts that were not named; tells whether there were any. */
static int ghosts_remove(dem_world *w)
{
    const uint64_t count = w->ghosts.count;
    for (uint64_t row = 0; row < w->rows; ++row) {
        const demi_body *body = &w->body.read[row];
        const uint32_t handle = w->particle.read[row].handle;
        if (body->id != 0 && demi_kinds[body->kind].ghost && body->rigid == 0 &&
            w->ghosts.told_in.read[handle] != NAMED_GHOST)
            demi_particle_remove(w, handle);
    }
    return w->ghosts.count != count;
}

static dem_particle_handle ghost_add(dem_world *w, const dem_ghost *ghost)
{
    const dem_particle p = particle_of(ghost);
    dem_particle_handle handle;
    demi_idmap_remove(&w->ids, ghost->id);
    demi_particle_place(w, &p, &handle);
    const uint64_t row = row_of(w, handle);
    w->body.data[row].kind = demi_kind_of_ghost(ghost->mobility);
    memcpy(w->body.data[row].image, ghost->image, sizeof ghost->image);
    w->particles--;
    w->ghosts.count++;
    demi_row_show(w, row);
    return handle;
}

/* What a fluid does to a ghost. What follows from added mass is brought up to date by the caller.
 */
static void fluid_write(dem_world *w, uint64_t row, const dem_ghost *ghost)
{
    if (w->fluid.data != NULL) {
        demi_fluid *fluid = &w->fluid.data[row];
        fluid->velocity[3] = ghost->drag_coefficient;
        fluid->angular_velocity[3] = ghost->rotational_drag;
        for (int c = 0; c < 3; ++c) {
            fluid->velocity[c] = ghost->fluid_velocity[c];
            fluid->angular_velocity[c] = ghost->fluid_angular_velocity[c];
        }
    }
    if (w->added_mass.data == NULL)
        return;
    demi_added_mass_of(w, row)->mass = ghost->added_mass;
    if (!demi_kinds[w->body.read[row].kind].integrated)
        return;
    w->current.velocity.data[row].velocity[3] = 1.0 / (ghost->mass + ghost->added_mass);
}

/* Motion and loads of a row. Its own image stays, which contacts know, as that of the owner does;
 * tells whether it moved. */
static int ghost_write(dem_world *w, uint64_t row, const dem_ghost *ghost)
{
    double *x = w->current.position.data[row];
    demi_velocities *velocities = &w->current.velocity.data[row];
    demi_force_torque *load = &w->current.force_torque.data[row];
    int moved = 0;
    fluid_write(w, row, ghost);
    for (int c = 0; c < 3; ++c) {
        const double there =
            demi_with_image(w, c, ghost->position[c], ghost->image[c], &w->body.data[row].image[c]);
        moved |= x[c] != there;
        x[c] = there;
        velocities->velocity[c] = ghost->velocity[c];
        velocities->angular_velocity[c] = ghost->angular_velocity[c];
        load->force[c] = ghost->force[c];
        load->torque[c] = ghost->torque[c];
        if (w->external_force.data != NULL)
            w->external_force.data[row][c] = ghost->external_force[c];
        if (w->external_torque.data != NULL)
            w->external_torque.data[row][c] = ghost->external_torque[c];
    }
    return moved;
}

/* Frees the fields that a refused call made: a world that has one of a fluid has a fluid. */
static void set_return(dem_world *w, demi_buffer *const made[4])
{
    for (int k = 0; k < 4; ++k)
        if (made[k] != NULL)
            demi_buffer_free(&w->context, made[k]);
}

/* Room for all that the call may add; made: fields that were not there. */
static dem_status set_reserve(dem_world *w, uint64_t count, const dem_ghost *ghosts,
                              demi_buffer *made[4])
{
    dem_ghost ghost;
    int force = 0, torque = 0, fluid = 0, added = 0;
    for (uint64_t k = 0; k < count; ++k) {
        (void)ghost_read(w, ghosts, k, &ghost);
        force |= demi_any3(ghost.external_force);
        torque |= demi_any3(ghost.external_torque);
        fluid |= ghost.drag_coefficient != 0.0 || ghost.rotational_drag != 0.0 ||
                 demi_any3(ghost.fluid_velocity) || demi_any3(ghost.fluid_angular_velocity);
        added |= ghost.added_mass != 0.0;
    }
    if (added && w->rigids > w->rigids_vacant)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "ghosts: they have added mass, and the world has bodies, which have none "
                         "yet");
    dem_status status = demi_rows_make_room(w, count);
    if (status == DEM_OK)
        status = demi_array_reserve(&w->context, &w->handle, (w->handles + count), 1, "handles");
    if (status == DEM_OK)
        status = demi_idmap_reserve(&w->context, &w->ids, count);
    if (status == DEM_OK)
        status = demi_ghosts_reserve(w, w->handles + count);
    demi_buffer *const fields[] = {&w->external_force.buffer, &w->external_torque.buffer,
                                   &w->fluid.buffer, &w->added_mass.buffer};
    const int wanted[] = {force, torque, fluid, added};
    for (int k = 0; status == DEM_OK && k < 4; ++k)
        if (wanted[k]) {
            made[k] = fields[k]->data == NULL ? fields[k] : NULL;
            status = demi_rows_reserve(w, fields[k]);
        }
    return status;
}

DEMI_GUARDED guarded_ghosts_set(dem_world *world, uint64_t count, const dem_ghost *ghosts,
                                double margin, dem_particle_handle *handles)
{
    demi_context *context = &world->context;
    dem_ghost ghost;
    demi_buffer *made[4] = {NULL};
    double lag = -1.0;
    if (ghosts == NULL && count > 0)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "ghosts: must not be NULL");
    if (!(margin > 0.0))
        return demi_fail(context, DEM_ERROR_RANGE, "margin: %g must be > 0 m", margin);
    if (count >= NAMED_ID || world->rows + count >= NAMED_ID)
        return demi_fail(context, DEM_ERROR_RANGE, "ghosts: %llu exceed the limit of 2^31",
                         (unsigned long long)count);
    dem_status status = demi_ghosts_check(world);
    if (status == DEM_OK && count > 0)
        status = size_check(world, ghosts->struct_size);
    for (uint64_t k = 0; status == DEM_OK && k < count; ++k) {
        status = ghost_read(world, ghosts, k, &ghost);
        if (status == DEM_OK)
            status = ghost_check(world, k, &ghost);
        if (status == DEM_OK)
            status = lag_check(world, &ghost, &lag);
    }
    if (status == DEM_OK)
        status = set_reserve(world, count, ghosts, made);
    if (status != DEM_OK) {
        set_return(world, made);
        return status;
    }
    uint64_t named = 0;
    for (; status == DEM_OK && named < count; ++named) {
        (void)ghost_read(world, ghosts, named, &ghost);
        status = ghost_name(world, &ghost);
    }
    if (status != DEM_OK) {
        ghosts_unname(world, named - 1, ghosts);
        set_return(world, made);
        return status;
    }
    demi_motion_exchanged(world);
    int changed = ghosts_remove(world);
    if (lag >= 0.0)
        world->velocity_lag = lag;
    for (uint64_t k = 0; k < count; ++k) {
        dem_particle_handle handle = {0, 0};
        (void)ghost_read(world, ghosts, k, &ghost);
        (void)demi_idmap_find(&world->ids, ghost.id, &handle.index);
        if (handle.index == NAMED_ID) {
            handle = ghost_add(world, &ghost);
            changed = 1;
        }
        handle.generation = world->handle.read[handle.index].generation;
        world->ghosts.told_in.data[handle.index] = 0;
        changed |= ghost_write(world, row_of(world, handle), &ghost);
        if (handles != NULL)
            handles[k] = handle;
    }
    if (world->added_mass.data != NULL)
        demi_added_mass_restore(world);
    world->dt_checked = 0.0;
    demi_ghost_fields_got(&world->ghosts.fields);
    world->ghosts.margin = margin;
    world->ghosts.moved = world->ghosts.moved_last = 0.0;
    world->list_stale |= changed;
    world->generation++;
    demi_mark_end(world);
    return DEM_OK;
}

dem_status dem_ghosts_set(dem_world *world, uint64_t count, const dem_ghost *ghosts, double margin,
                          dem_particle_handle *handles)
{
    DEMI_SET(world, guarded_ghosts_set(world, count, ghosts, margin, handles));
}

/* ------------------------------------------------------------------ giving away */

/* Whether a particle may be given away; marks it. */
static dem_status release_name(dem_world *w, dem_particle_handle handle)
{
    const demi_body *body = &w->body.read[row_of(w, handle)];
    uint64_t *mark = &w->ghosts.told_in.data[handle.index];
    const char *why = body->rigid != 0               ? "is a part of a body"
                      : demi_kinds[body->kind].ghost ? "is a ghost already"
                      : *mark == NAMED_GHOST         ? "is named twice"
                                                     : NULL;
    if (why != NULL)
        return demi_fail(&w->context, DEM_ERROR_STATE, "particle %llu: %s",
                         (unsigned long long)body->id, why);
    *mark = NAMED_GHOST;
    return DEM_OK;
}

DEMI_GUARDED guarded_particles_release(dem_world *world, uint64_t count,
                                       const dem_particle_handle *handles)
{
    dem_status status = handles_check(world, count, handles);
    if (status == DEM_OK)
        status = demi_ghosts_check(world);
    if (status == DEM_OK)
        status = demi_ghosts_reserve(world, world->handles);
    uint64_t named = 0;
    while (status == DEM_OK && named < count) {
        status = release_name(world, handles[named]);
        named += status == DEM_OK;
    }
    for (uint64_t k = 0; k < named; ++k)
        world->ghosts.told_in.data[handles[k].index] = 0;
    if (status != DEM_OK || count == 0)
        return status;
    for (uint64_t k = 0; k < count; ++k) {
        const uint64_t row = row_of(world, handles[k]);
        demi_body *body = &world->body.data[row];
        body->kind = demi_kind_of_ghost(demi_kinds[body->kind].mobility);
        demi_row_show(world, row);
    }
    world->particles -= count;
    world->ghosts.count += count;
    demi_ghosts_expect(world);
    world->list_stale = 1;
    world->generation++;
    demi_mark_end(world);
    return DEM_OK;
}

dem_status dem_particles_release(dem_world *world, uint64_t count,
                                 const dem_particle_handle *handles)
{
    DEMI_SET(world, guarded_particles_release(world, count, handles));
}

/* ------------------------------------------------------------------ forces */

DEMI_GUARDED guarded_forces_get(const dem_world *world, uint64_t count,
                                const dem_particle_handle *handles, double *force_torque)
{
    const dem_status status = handles_check(world, count, handles);
    if (status != DEM_OK || count == 0)
        return status;
    if (force_torque == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "force_torque: must not be NULL");
    const demi_state *state = world->context.halfway ? &world->next : &world->current;
    for (uint64_t k = 0; k < count; ++k) {
        const demi_force_torque *load = &state->force_torque.read[row_of(world, handles[k])];
        memcpy(force_torque + 6 * k, load->force, 3 * sizeof(double));
        memcpy(force_torque + 6 * k + 3, load->torque, 3 * sizeof(double));
    }
    return DEM_OK;
}

dem_status dem_particles_forces_get(const dem_world *world, uint64_t count,
                                    const dem_particle_handle *handles, double *force_torque)
{
    DEMI_READ(world, guarded_forces_get(world, count, handles, force_torque));
}

DEMI_GUARDED guarded_forces_set(dem_world *world, uint64_t count,
                                const dem_particle_handle *handles, const double *force_torque)
{
    demi_context *context = &world->context;
    dem_status status = handles_check(world, count, handles);
    if (status == DEM_OK)
        status = parts_refuse(world, count, handles);
    if (status != DEM_OK)
        return status;
    if (force_torque == NULL && count > 0)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "force_torque: must not be NULL");
    if (!context->halfway)
        return demi_fail(context, DEM_ERROR_STATE,
                         "dem_ghosts_forces_set: no step has begun: call dem_step_begin first");
    for (uint64_t k = 0; k < count; ++k) {
        const demi_body *body = &world->body.read[row_of(world, handles[k])];
        const double *load = force_torque + 6 * k;
        if (!demi_kinds[body->kind].ghost)
            return demi_fail(context, DEM_ERROR_STATE, "particle %llu: is not a ghost",
                             (unsigned long long)body->id);
        const dem_status fits = demi_ghost_load_check(context, "ghost with id", body->id, load);
        if (fits != DEM_OK)
            return fits;
    }
    demi_ghosts *ghosts = &world->ghosts;
    for (uint64_t k = 0; k < count; ++k) {
        demi_force_torque *load = &world->next.force_torque.data[row_of(world, handles[k])];
        uint64_t *told = &ghosts->told_in.data[handles[k].index];
        memcpy(load->force, force_torque + 6 * k, 3 * sizeof(double));
        memcpy(load->torque, force_torque + 6 * k + 3, 3 * sizeof(double));
        ghosts->told += *told != ghosts->halves;
        *told = ghosts->halves;
    }
    return DEM_OK;
}

dem_status dem_ghosts_forces_set(dem_world *world, uint64_t count,
                                 const dem_particle_handle *handles, const double *force_torque)
{
    DEMI_SET_HALFWAY(world, guarded_forces_set(world, count, handles, force_torque));
}
