/* SPDX-License-Identifier: MIT */
/* Adding, removing, reading and setting particles. */
#include "base/check.h"
#include "base/sized.h"
#include "world/world.h"

#include <string.h>

dem_status dem_particle_init_sized(dem_particle *particle, uint64_t size)
{
    if (particle == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_particle values;
    memset(&values, 0, sizeof values);
    return demi_sized_write(particle, size, &values, sizeof values, sizeof values);
}

dem_status demi_world_reserve(dem_world *w, uint64_t rows)
{
    const struct {
        demi_buffer *buffer;
        uint64_t size;
    } columns[] = {{&w->position[0], sizeof(demi_row)},  {&w->position[1], sizeof(demi_row)},
                   {&w->motion[0], sizeof(demi_motion)}, {&w->motion[1], sizeof(demi_motion)},
                   {&w->load[0], sizeof(demi_load)},     {&w->load[1], sizeof(demi_load)},
                   {&w->built, sizeof(demi_row)},        {&w->body, sizeof(demi_body)},
                   {&w->row_id, sizeof(uint64_t)}};
    dem_status status = DEM_OK;
    for (size_t k = 0; status == DEM_OK && k < sizeof columns / sizeof columns[0]; ++k)
        status = demi_buffer_reserve(&w->context, columns[k].buffer, rows * columns[k].size, 1,
                                     "particles");
    demi_buffer *const external[] = {&w->external_force, &w->external_torque};
    for (int k = 0; status == DEM_OK && k < 2; ++k)
        if (external[k]->data != NULL)
            status = demi_buffer_reserve(&w->context, external[k], rows * sizeof(demi_row), 1,
                                         "external forces");
    return status;
}

static dem_status particle_check(dem_world *w, uint64_t k, const dem_particle *p)
{
    demi_context *context = &w->context;
    const unsigned long long n = (unsigned long long)k;
    if (!demi_finite3(p->position))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "particle %llu of the call: position is not finite", n);
    if (!demi_finite3(p->velocity))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "particle %llu of the call: velocity is not finite", n);
    if (!demi_finite3(p->angular_velocity))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "particle %llu of the call: angular_velocity is not finite", n);
    if (!demi_positive(p->radius))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "particle %llu of the call: radius %g must be finite and > 0 m", n,
                         p->radius);
    if (!demi_not_negative(p->mass))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "particle %llu of the call: mass %g must be finite and > 0 kg, or 0", n,
                         p->mass);
    if (!demi_not_negative(p->contact_mass))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "particle %llu of the call: contact_mass %g must be finite and >= 0 kg", n,
                         p->contact_mass);
    if (p->material < 0 || p->material >= w->config.material_count)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "particle %llu of the call: material %d is not in [0, %d)", n,
                         (int)p->material, (int)w->config.material_count);
    if (p->motion < DEM_MOTION_FREE || p->motion > DEM_MOTION_KINEMATIC)
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "particle %llu of the call: motion %d is not a DEM_MOTION_ value", n,
                         (int)p->motion);
    if (p->motion == DEM_MOTION_FIXED && (demi_any3(p->velocity) || demi_any3(p->angular_velocity)))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "particle %llu of the call: velocity of a fixed particle must be 0", n);
    for (int c = 0; c < 3; ++c)
        if (w->config.boundary[c] == DEM_BOUNDARY_PERIODIC &&
            w->config.box_high[c] - w->config.box_low[c] < 2.0 * p->radius)
            return demi_fail(context, DEM_ERROR_RANGE,
                             "particle %llu of the call: radius %g m is more than half of periodic "
                             "axis %d",
                             n, p->radius, c);
    return DEM_OK;
}

static uint32_t handle_take(dem_world *w)
{
    demi_handle *handles = w->handle.data;
    if (w->handle_free == UINT32_MAX) {
        handles[w->handles].generation = 0;
        return (uint32_t)w->handles++;
    }
    const uint32_t index = w->handle_free;
    w->handle_free = handles[index].row;
    return index;
}

/* Writes a row; nothing here can fail. */
static void particle_place(dem_world *w, const dem_particle *p, dem_particle_handle *handle)
{
    const uint64_t row = w->rows++;
    demi_body *body = &demi_bodies(w)[row];
    memset(body, 0, sizeof *body);
    body->id = ((uint64_t *)w->row_id.data)[row] = p->id;
    body->material = p->material;
    body->motion = p->motion;
    const double density = ((const double *)w->density.data)[p->material];
    body->mass = p->mass > 0.0 ? p->mass
                               : density * (4.1887902047863910 * p->radius * p->radius * p->radius);
    double contact = p->contact_mass > 0.0 ? 1.0 / p->contact_mass : 0.0;
    double inverse_inertia = 0.0;
    if (p->motion == DEM_MOTION_FREE) {
        contact = 1.0 / body->mass;
        inverse_inertia = 1.0 / (0.4 * body->mass * p->radius * p->radius);
    }
    const int side = w->front;
    for (int c = 0; c < 3; ++c) {
        demi_rows(&w->position[side])[row][c] = p->position[c];
        demi_motions(&w->motion[side])[row].velocity[c] = p->velocity[c];
        demi_motions(&w->motion[side])[row].spin[c] = p->angular_velocity[c];
    }
    demi_rows(&w->position[side])[row][3] = p->radius;
    demi_motions(&w->motion[side])[row].velocity[3] = contact;
    memset(demi_loads(&w->load[side])[row].force, 0, sizeof(demi_row));
    memset(demi_loads(&w->load[side])[row].torque, 0, sizeof(demi_row));
    demi_motions(&w->motion[side])[row].spin[3] = inverse_inertia;
    if (w->external_force.data != NULL)
        memset(demi_rows(&w->external_force)[row], 0, sizeof(demi_row));
    if (w->external_torque.data != NULL)
        memset(demi_rows(&w->external_torque)[row], 0, sizeof(demi_row));
    body->handle = handle_take(w);
    demi_handle *entry = (demi_handle *)w->handle.data + body->handle;
    entry->row = (uint32_t)row;
    entry->generation++;
    demi_idmap_insert(&w->ids, body->id, body->handle);
    w->particles++;
    if (handle != NULL) {
        handle->index = body->handle;
        handle->generation = entry->generation;
    }
}

/* Reads particle k of the caller's array, whose elements have the size of the first. */
static dem_status particle_read(dem_world *w, const dem_particle *particles, uint64_t k,
                                dem_particle *out)
{
    const uint64_t size = particles->struct_size;
    const void *at = (const unsigned char *)particles + k * size;
    memset(out, 0, sizeof *out);
    if (demi_sized_read(out, at, sizeof *out, sizeof *out) != DEM_OK ||
        ((const dem_particle *)at)->struct_size != size)
        return demi_fail(&w->context, DEM_ERROR_STRUCT_SIZE,
                         "dem_particle.struct_size of particle %llu of the call: %llu is not valid "
                         "(call dem_particle_init)",
                         (unsigned long long)k,
                         (unsigned long long)((const dem_particle *)at)->struct_size);
    return DEM_OK;
}

static uint64_t free_id(dem_world *w)
{
    uint32_t unused;
    while (demi_idmap_find(&w->ids, w->next_id, &unused))
        w->next_id++;
    return w->next_id;
}

dem_status dem_particles_add(dem_world *world, uint64_t count, const dem_particle *particles,
                             dem_particle_handle *handles)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    demi_context *context = &world->context;
    if (particles == NULL && count > 0)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "particles: NULL");
    if (count >= DEMI_WALL_BIT || world->rows + count >= DEMI_WALL_BIT)
        return demi_fail(context, DEM_ERROR_RANGE, "particles: %llu more exceed the limit of 2^31",
                         (unsigned long long)count);
    dem_status status = DEM_OK;
    dem_particle p;
    for (uint64_t k = 0; status == DEM_OK && k < count; ++k) {
        status = particle_read(world, particles, k, &p);
        if (status == DEM_OK)
            status = particle_check(world, k, &p);
    }
    if (status == DEM_OK)
        status = demi_world_reserve(world, world->rows + count);
    if (status == DEM_OK)
        status = demi_buffer_reserve(context, &world->handle,
                                     (world->handles + count) * sizeof(demi_handle), 1, "handles");
    if (status == DEM_OK)
        status = demi_idmap_reserve(context, &world->ids, count);
    if (status != DEM_OK)
        return status;
    /* ids that the host chose are entered first, so that the others avoid them */
    uint64_t taken = 0;
    uint32_t unused;
    for (; taken < count; ++taken) {
        particle_read(world, particles, taken, &p);
        if (p.id == 0)
            continue;
        if (demi_idmap_find(&world->ids, p.id, &unused)) {
            status = demi_fail(context, DEM_ERROR_DUPLICATE,
                               "particle %llu of the call: id %llu is taken",
                               (unsigned long long)taken, (unsigned long long)p.id);
            break;
        }
        demi_idmap_insert(&world->ids, p.id, 0);
    }
    for (uint64_t k = taken; k > 0; --k) {
        particle_read(world, particles, k - 1, &p);
        if (p.id != 0 && status != DEM_OK)
            demi_idmap_remove(&world->ids, p.id);
    }
    if (status != DEM_OK)
        return status;
    for (uint64_t k = 0; k < count; ++k) {
        particle_read(world, particles, k, &p);
        if (p.id == 0)
            p.id = free_id(world);
        else
            demi_idmap_remove(&world->ids, p.id);
        particle_place(world, &p, handles != NULL ? &handles[k] : NULL);
    }
    if (count > 0) {
        world->list_stale = world->forces_stale = 1;
        world->generation++;
    }
    return DEM_OK;
}

dem_status dem_particle_add(dem_world *world, const dem_particle *particle,
                            dem_particle_handle *handle)
{
    return dem_particles_add(world, 1, particle, handle);
}

static dem_status handle_row(const dem_world *w, dem_particle_handle handle, uint64_t *row)
{
    const demi_handle *handles = w->handle.data;
    if (handle.index >= w->handles || handle.generation % 2 == 0 ||
        handles[handle.index].generation != handle.generation)
        return demi_fail(w->self, DEM_ERROR_HANDLE,
                         "handle: index %u, generation %u is stale or never existed", handle.index,
                         handle.generation);
    *row = handles[handle.index].row;
    return DEM_OK;
}

dem_status dem_particle_remove(dem_world *world, dem_particle_handle handle)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    uint64_t row;
    const dem_status status = handle_row(world, handle, &row);
    if (status != DEM_OK)
        return status;
    demi_idmap_remove(&world->ids, demi_bodies(world)[row].id);
    demi_bodies(world)[row].id = ((uint64_t *)world->row_id.data)[row] = 0;
    demi_handle *entry = (demi_handle *)world->handle.data + handle.index;
    entry->generation++;
    entry->row = world->handle_free;
    world->handle_free = handle.index;
    world->particles--;
    world->list_stale = world->forces_stale = 1;
    world->generation++;
    return DEM_OK;
}

dem_status dem_particle_find(const dem_world *world, uint64_t id, dem_particle_handle *handle)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    if (handle == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "handle: NULL");
    uint32_t value;
    if (!demi_idmap_find(&world->ids, id, &value) || (value & DEMI_WALL_BIT) != 0)
        return demi_fail(world->self, DEM_ERROR_HANDLE, "id: no particle has %llu",
                         (unsigned long long)id);
    handle->index = value;
    handle->generation = ((const demi_handle *)world->handle.data)[value].generation;
    return DEM_OK;
}

dem_status dem_particle_get(const dem_world *world, dem_particle_handle handle,
                            dem_particle *particle)
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    if (particle == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "particle: NULL");
    uint64_t row;
    const dem_status status = handle_row(world, handle, &row);
    if (status != DEM_OK)
        return status;
    const demi_body *body = &demi_bodies(world)[row];
    const int side = world->front;
    dem_particle out = {
        .struct_size = sizeof out,
        .id = body->id,
        .radius = demi_rows(&world->position[side])[row][3],
        .mass = body->mass,
        .material = body->material,
        .motion = body->motion,
    };
    const double inverse = demi_motions(&world->motion[side])[row].velocity[3];
    if (body->motion != DEM_MOTION_FREE && inverse > 0.0)
        out.contact_mass = 1.0 / inverse;
    for (int c = 0; c < 3; ++c) {
        out.position[c] = demi_rows(&world->position[side])[row][c];
        if (body->image[c] != 0)
            out.position[c] +=
                body->image[c] * (world->config.box_high[c] - world->config.box_low[c]);
        out.velocity[c] = demi_motions(&world->motion[side])[row].velocity[c];
        out.angular_velocity[c] = demi_motions(&world->motion[side])[row].spin[c];
    }
    const uint64_t size = particle->struct_size;
    if (demi_sized_write(particle, size, &out, sizeof out, sizeof out) != DEM_OK)
        return demi_fail(world->self, DEM_ERROR_STRUCT_SIZE,
                         "dem_particle.struct_size: %llu is not the size of this struct",
                         (unsigned long long)size);
    return DEM_OK;
}

dem_status dem_particle_set_motion(dem_world *world, dem_particle_handle handle,
                                   const double position[3], const double velocity[3],
                                   const double angular_velocity[3])
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    demi_context *context = &world->context;
    uint64_t row;
    const dem_status status = handle_row(world, handle, &row);
    if (status != DEM_OK)
        return status;
    const struct {
        const char *name;
        const double *value;
    } given[] = {
        {"position", position}, {"velocity", velocity}, {"angular_velocity", angular_velocity}};
    const demi_body *body = &demi_bodies(world)[row];
    for (int k = 0; k < 3; ++k) {
        if (given[k].value != NULL && !demi_finite3(given[k].value))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "particle %llu: %s (%g, %g, %g) must be finite",
                             (unsigned long long)body->id, given[k].name, given[k].value[0],
                             given[k].value[1], given[k].value[2]);
        if (k > 0 && given[k].value != NULL && body->motion == DEM_MOTION_FIXED)
            return demi_fail(context, DEM_ERROR_STATE, "particle %llu: %s of a fixed particle",
                             (unsigned long long)body->id, given[k].name);
    }
    const int side = world->front;
    for (int c = 0; c < 3; ++c) {
        if (position != NULL) {
            const double period = world->config.box_high[c] - world->config.box_low[c];
            demi_rows(&world->position[side])[row][c] =
                body->image[c] != 0 ? position[c] - body->image[c] * period : position[c];
        }
        if (velocity != NULL)
            demi_motions(&world->motion[side])[row].velocity[c] = velocity[c];
        if (angular_velocity != NULL)
            demi_motions(&world->motion[side])[row].spin[c] = angular_velocity[c];
    }
    if (position != NULL)
        world->list_stale = 1;
    world->forces_stale = 1;
    return DEM_OK;
}

dem_status dem_particle_set_force(dem_world *world, dem_particle_handle handle,
                                  const double force[3], const double torque[3])
{
    if (world == NULL)
        return DEM_ERROR_ARGUMENT;
    demi_context *context = &world->context;
    uint64_t row;
    dem_status status = handle_row(world, handle, &row);
    if (status != DEM_OK)
        return status;
    if ((force != NULL && !demi_finite3(force)) || (torque != NULL && !demi_finite3(torque)))
        return demi_fail(context, DEM_ERROR_RANGE, "particle %llu: external %s must be finite",
                         (unsigned long long)demi_bodies(world)[row].id,
                         force != NULL && !demi_finite3(force) ? "force" : "torque");
    const uint64_t size = world->position[world->front].size; /* rows of as many doubles */
    if (force != NULL)
        status = demi_buffer_reserve(context, &world->external_force, size, 1, "external forces");
    if (status == DEM_OK && torque != NULL)
        status = demi_buffer_reserve(context, &world->external_torque, size, 1, "external torques");
    if (status != DEM_OK)
        return status;
    if (force != NULL)
        memcpy(demi_rows(&world->external_force)[row], force, 3 * sizeof(double));
    if (torque != NULL)
        memcpy(demi_rows(&world->external_torque)[row], torque, 3 * sizeof(double));
    return DEM_OK;
}
