/* SPDX-License-Identifier: MIT */
/* Adding, removing, reading and setting particles. */
#include "base/entry.h"
#include "base/check.h"
#include "base/sized.h"
#include "world/images.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

dem_status dem_particle_init_sized(dem_particle *particle, uint64_t size)
{
    if (particle == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_particle values;
    memset(&values, 0, sizeof values);
    return demi_sized_write(particle, size, &values);
}

/* What a row keeps of a particle's masses. */
typedef struct particle_masses {
    double mass, inverse_contact, inverse_inertia;
} particle_masses;

static particle_masses masses_of(const dem_world *w, const dem_particle *p)
{
    const double density = w->density.data[p->material], r = p->radius;
    particle_masses m = {p->mass, 0.0, 0.0};
    if (!(p->mass > 0.0))
        m.mass = density * (4.1887902047863910 * r * r * r);
    if (demi_kinds[p->mobility].integrated) {
        m.inverse_contact = 1.0 / m.mass;
        m.inverse_inertia = 1.0 / (0.4 * m.mass * r * r);
    } else if (p->contact_mass > 0.0)
        m.inverse_contact = 1.0 / p->contact_mass;
    return m;
}

/* The power of two above a number; sums of these tell of products that would overflow, and trap. */
static int power_of(double number)
{
    int power;
    (void)frexp(number, &power);
    return power;
}

/* Masses that are no numbers above 0, or whose inverses are none, would neither step nor be read
 * from a snapshot. */
static dem_status masses_check(dem_world *w, const char *what, uint64_t k, const dem_particle *p)
{
    enum { POWER_MOST = 1000 };
    const unsigned long long n = (unsigned long long)k;
    const double density = w->density.data[p->material];
    /* most are far from these limits */
    if (p->radius > 0x1p-200 && p->radius < 0x1p200 && p->mass > 0x1p-400 && p->mass < 0x1p400 &&
        p->contact_mass == 0.0)
        return DEM_OK;
    const int free_one = demi_kinds[p->mobility].integrated, given = p->mass > 0.0,
              radius = power_of(p->radius),
              mass = given ? power_of(p->mass) : power_of(density) + 3 * radius,
              inertia = mass + 2 * radius;
    if ((!given || free_one) && abs(mass) > POWER_MOST)
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "%s %llu of the call: mass, %s, of about 2^%d kg is not from 2^-%d to "
                         "below 2^%d kg: use other units",
                         what, n, given ? "as given" : "of its radius and density", mass - 1,
                         POWER_MOST + 1, POWER_MOST);
    if (free_one && abs(inertia) > POWER_MOST)
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "%s %llu of the call: moment of inertia of about 2^%d kg m2 is not "
                         "from 2^-%d to below 2^%d kg m2: use other units",
                         what, n, inertia - 1, POWER_MOST + 1, POWER_MOST);
    if (!free_one && p->contact_mass > 0.0 && power_of(p->contact_mass) < -POWER_MOST)
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "%s %llu of the call: contact_mass %g kg is below 2^-%d kg: use "
                         "other units, or 0 for an infinite one",
                         what, n, p->contact_mass, POWER_MOST + 1);
    return DEM_OK;
}

/* A step would take them for diverged. */
static dem_status motion_check(dem_world *w, const char *what, uint64_t k, const dem_particle *p)
{
    const struct {
        const char *name;
        const double *value;
    } given[] = {{"position", p->position},
                 {"velocity", p->velocity},
                 {"angular_velocity", p->angular_velocity}};
    for (int f = 0; f < 3; ++f) {
        if (!demi_finite3(given[f].value))
            return demi_fail(
                &w->context, DEM_ERROR_RANGE, "%s %llu of the call: %s along %s is not finite",
                what, (unsigned long long)k, given[f].name, demi_not_finite_axes(given[f].value));
        if (!demi_within3(given[f].value, DEMI_MOTION_MOST))
            return demi_fail(&w->context, DEM_ERROR_RANGE,
                             "%s %llu of the call: %s (%g, %g, %g) is beyond %g", what,
                             (unsigned long long)k, given[f].name, given[f].value[0],
                             given[f].value[1], given[f].value[2], DEMI_MOTION_MOST);
    }
    if (isgreater(p->radius, DEMI_MOTION_MOST))
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "%s %llu of the call: radius %g m is beyond %g m", what,
                         (unsigned long long)k, p->radius, DEMI_MOTION_MOST);
    return DEM_OK;
}

dem_status demi_particle_check(dem_world *w, const char *what, uint64_t k, const dem_particle *p)
{
    demi_context *context = &w->context;
    const unsigned long long n = (unsigned long long)k;
    const dem_status status = motion_check(w, what, k, p);
    if (status != DEM_OK)
        return status;
    if (!demi_positive(p->radius))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "%s %llu of the call: radius %g must be finite and > 0 m", what, n,
                         p->radius);
    if (!demi_not_negative(p->mass))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "%s %llu of the call: mass %g must be finite and > 0 kg, or 0", what, n,
                         p->mass);
    if (!demi_not_negative(p->contact_mass))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "%s %llu of the call: contact_mass %g must be finite and >= 0 kg", what, n,
                         p->contact_mass);
    if (p->material < 0 || p->material >= w->config.material_count)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "%s %llu of the call: material %d is not in [0, %d)", what, n,
                         (int)p->material, (int)w->config.material_count);
    if (!demi_kind_offered(p->mobility))
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "%s %llu of the call: mobility %d is not a DEM_MOBILITY_ value", what, n,
                         (int)p->mobility);
    if (!demi_kinds[p->mobility].moves &&
        (demi_any3(p->velocity) || demi_any3(p->angular_velocity)))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "%s %llu of the call: velocity (%g, %g, %g) and angular_velocity (%g, %g, "
                         "%g) of a fixed particle must be 0",
                         what, n, p->velocity[0], p->velocity[1], p->velocity[2],
                         p->angular_velocity[0], p->angular_velocity[1], p->angular_velocity[2]);
    const int beyond = demi_axis_beyond_images(w, p->position);
    if (beyond >= 0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "%s %llu of the call: position %g m is %d periods of axis %d or "
                         "more from the box",
                         what, n, p->position[beyond], DEMI_IMAGE_MOST, beyond);
    for (int c = 0; c < 3; ++c)
        if (w->config.boundary[c] == DEM_BOUNDARY_PERIODIC &&
            w->config.box_high[c] - w->config.box_low[c] <= 2.0 * p->radius)
            return demi_fail(context, DEM_ERROR_RANGE,
                             "%s %llu of the call: radius %g m is not below half of the %g m of "
                             "periodic axis %d",
                             what, n, p->radius, w->config.box_high[c] - w->config.box_low[c], c);
    return masses_check(w, what, k, p);
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

static uint64_t free_id(dem_world *w)
{
    uint32_t unused;
    while (w->next_id == 0 || demi_idmap_find(&w->ids, w->next_id, &unused))
        w->next_id++;
    return w->next_id;
}

/* Writes a row; nothing here can fail. Its id may be entered already. */
void demi_particle_place(dem_world *w, const dem_particle *p, dem_particle_handle *handle)
{
    const uint64_t row = w->rows++;
    demi_body *body = &w->body.data[row];
    demi_particle *particle = &w->particle.data[row];
    memset(body, 0, sizeof *body);
    memset(particle, 0, sizeof *particle);
    body->id = w->row_id.data[row] = p->id != 0 ? p->id : free_id(w);
    body->material = p->material;
    body->kind = (int16_t)p->mobility;
    const particle_masses masses = masses_of(w, p);
    particle->mass = masses.mass;
    for (int c = 0; c < 3; ++c) {
        w->current.position.data[row][c] = p->position[c];
        w->current.velocity.data[row].velocity[c] = p->velocity[c];
        w->current.velocity.data[row].angular_velocity[c] = p->angular_velocity[c];
    }
    w->current.position.data[row][3] = p->radius;
    /* its memory may hold what a host wrote, see demi_rows_permute; snapshots hold it */
    memcpy(w->built.data[row], w->current.position.data[row], sizeof(demi_row));
    w->current.velocity.data[row].velocity[3] = masses.inverse_contact;
    memset(w->current.force_torque.data[row].force, 0, sizeof(demi_row));
    memset(w->current.force_torque.data[row].torque, 0, sizeof(demi_row));
    w->current.velocity.data[row].angular_velocity[3] = masses.inverse_inertia;
    demi_rows_clear(w, row);
    demi_row_show(w, row);
    particle->handle = handle_take(w);
    demi_handle *entry = w->handle.data + particle->handle;
    entry->row = (uint32_t)row;
    entry->generation++;
    demi_idmap_set(&w->ids, body->id, particle->handle);
    w->particles++;
    if (handle != NULL) {
        handle->index = particle->handle;
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
    if (demi_sized_read(out, at) != DEM_OK || ((const dem_particle *)at)->struct_size != size)
        return demi_fail(&w->context, DEM_ERROR_STRUCT_SIZE,
                         "dem_particle.struct_size of particle %llu of the call: %llu is not valid "
                         "(call dem_particle_init)",
                         (unsigned long long)k,
                         (unsigned long long)((const dem_particle *)at)->struct_size);
    return DEM_OK;
}

DEMI_GUARDED guarded_particles_add(dem_world *world, uint64_t count, const dem_particle *particles,
                                   dem_particle_handle *handles)
{
    demi_context *context = &world->context;
    if (particles == NULL && count > 0)
        return demi_fail(context, DEM_ERROR_ARGUMENT, "particles: must not be NULL");
    if (count >= DEMI_WALL_BIT || world->rows + count >= DEMI_WALL_BIT)
        return demi_fail(context, DEM_ERROR_RANGE, "particles: %llu more exceed the limit of 2^31",
                         (unsigned long long)count);
    dem_status status = DEM_OK;
    dem_particle p;
    for (uint64_t k = 0; status == DEM_OK && k < count; ++k) {
        status = particle_read(world, particles, k, &p);
        if (status == DEM_OK)
            status = demi_particle_check(world, "particle", k, &p);
    }
    if (status == DEM_OK)
        status = demi_rows_make_room(world, count);
    if (status == DEM_OK)
        status =
            demi_array_reserve(context, &world->handle, (world->handles + count), 1, "handles");
    if (status == DEM_OK)
        status = demi_idmap_reserve(context, &world->ids, count);
    if (status != DEM_OK)
        return status;
    /* ids that the host chose are entered first, so that the others avoid them */
    uint64_t taken = 0;
    uint32_t there;
    for (; taken < count; ++taken) {
        particle_read(world, particles, taken, &p);
        if (p.id == 0)
            continue;
        if (demi_idmap_find(&world->ids, p.id, &there)) {
            status = demi_fail(context, DEM_ERROR_DUPLICATE,
                               "particle %llu of the call: %s has the id %llu",
                               (unsigned long long)taken,
                               (there & DEMI_WALL_BIT) != 0 ? "a wall" : "another particle",
                               (unsigned long long)p.id);
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
        demi_particle_place(world, &p, handles != NULL ? &handles[k] : NULL);
    }
    if (count > 0) {
        world->list_stale = world->forces_stale = 1;
        demi_ghosts_outdate(world);
        world->generation++;
        demi_mark_end(world);
    }
    return DEM_OK;
}

dem_status dem_particles_add(dem_world *world, uint64_t count, const dem_particle *particles,
                             dem_particle_handle *handles)
{
    DEMI_SET(world, guarded_particles_add(world, count, particles, handles));
}

dem_status dem_particle_add(dem_world *world, const dem_particle *particle,
                            dem_particle_handle *handle)
{
    return dem_particles_add(world, 1, particle, handle);
}

dem_status demi_handle_row(const dem_world *w, dem_particle_handle handle, uint64_t *row)
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

void demi_particle_remove(dem_world *w, uint32_t handle)
{
    demi_handle *entry = w->handle.data + handle;
    const uint64_t row = entry->row;
    demi_idmap_remove(&w->ids, w->body.data[row].id);
    w->body.data[row].id = w->row_id.data[row] = 0;
    demi_row_show(w, row);
    w->rows_vacant += row >= demi_list_rows(&w->list);
    entry->generation++;
    entry->row = w->handle_free;
    w->handle_free = handle;
    if (demi_kinds[w->body.read[row].kind].ghost)
        w->ghosts.count--;
    else
        w->particles--;
}

void demi_particle_take_back(dem_world *w)
{
    const uint64_t row = --w->rows;
    const uint32_t handle = w->particle.read[row].handle;
    demi_handle *entry = w->handle.data + handle;
    demi_idmap_remove(&w->ids, w->body.read[row].id);
    w->body.data[row].id = w->row_id.data[row] = 0;
    demi_row_show(w, row);
    w->particles--;
    if (--entry->generation == 0) {
        w->handles--;
        return;
    }
    entry->row = w->handle_free;
    w->handle_free = handle;
}

static dem_status ghost_refuse(dem_world *w, uint64_t row, const char *how)
{
    return demi_fail(&w->context, DEM_ERROR_STATE,
                     "particle %llu: is a ghost, which another world owns: %s it",
                     (unsigned long long)w->body.read[row].id, how);
}

DEMI_GUARDED guarded_particle_remove(dem_world *world, dem_particle_handle handle)
{
    uint64_t row;
    const dem_status status = demi_handle_row(world, handle, &row);
    if (status != DEM_OK)
        return status;
    if (world->body.read[row].rigid != 0)
        return demi_rigid_refuse(world, row, "remove");
    if (demi_kinds[world->body.read[row].kind].ghost)
        return ghost_refuse(world, row, "dem_ghosts_set removes");
    demi_particle_remove(world, handle.index);
    world->list_stale = world->forces_stale = 1;
    world->generation++;
    demi_mark_end(world);
    return DEM_OK;
}

dem_status dem_particle_remove(dem_world *world, dem_particle_handle handle)
{
    DEMI_SET(world, guarded_particle_remove(world, handle));
}

DEMI_GUARDED guarded_particle_find(const dem_world *world, uint64_t id, dem_particle_handle *handle)
{
    if (handle == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "handle: must not be NULL");
    uint32_t value;
    if (!demi_idmap_find(&world->ids, id, &value) || (value & DEMI_WALL_BIT) != 0)
        return demi_fail(world->self, DEM_ERROR_HANDLE, "id: no particle has the id %llu",
                         (unsigned long long)id);
    handle->index = value;
    handle->generation = world->handle.data[value].generation;
    return DEM_OK;
}

dem_status dem_particle_find(const dem_world *world, uint64_t id, dem_particle_handle *handle)
{
    DEMI_READ(world, guarded_particle_find(world, id, handle));
}

DEMI_GUARDED guarded_particle_get(const dem_world *world, dem_particle_handle handle,
                                  dem_particle *particle)
{
    if (particle == NULL)
        return demi_fail(world->self, DEM_ERROR_ARGUMENT, "particle: must not be NULL");
    uint64_t row;
    const dem_status status = demi_handle_row(world, handle, &row);
    if (status != DEM_OK)
        return status;
    const demi_body *body = &world->body.data[row];
    dem_particle out = {
        .struct_size = sizeof out,
        .id = body->id,
        .radius = world->current.position.data[row][3],
        .mass = world->particle.data[row].mass,
        .material = body->material,
        .mobility = demi_kinds[body->kind].mobility,
    };
    if (body->rigid != 0)
        out.mobility = world->rigid.read[body->rigid - 1].mobility;
    const double inverse = world->current.velocity.data[row].velocity[3];
    if (!demi_kinds[body->kind].integrated && inverse > 0.0)
        out.contact_mass = 1.0 / inverse;
    for (int c = 0; c < 3; ++c) {
        out.position[c] = demi_row_unwrapped(world, row, c);
        out.velocity[c] = world->current.velocity.data[row].velocity[c];
        out.angular_velocity[c] = world->current.velocity.data[row].angular_velocity[c];
    }
    const uint64_t size = particle->struct_size;
    if (demi_sized_write(particle, size, &out) != DEM_OK)
        return demi_sized_fail_output(world->self, "dem_particle", size);
    return DEM_OK;
}

dem_status dem_particle_get(const dem_world *world, dem_particle_handle handle,
                            dem_particle *particle)
{
    DEMI_READ(world, guarded_particle_get(world, handle, particle));
}

/* Writes a vector; whether that changed a bit. */
static int set3(double to[3], const double value[3])
{
    /* bits are meant, the sign of a zero, too */
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
    const int changed = memcmp(to, value, 3 * sizeof(double)) != 0;
    memcpy(to, value, 3 * sizeof(double));
    return changed;
}

DEMI_GUARDED guarded_particle_set_motion(dem_world *world, dem_particle_handle handle,
                                         const double position[3], const double velocity[3],
                                         const double angular_velocity[3])
{
    demi_context *context = &world->context;
    uint64_t row;
    const dem_status status = demi_handle_row(world, handle, &row);
    if (status != DEM_OK)
        return status;
    const struct {
        const char *name;
        const double *value;
    } given[] = {
        {"position", position}, {"velocity", velocity}, {"angular_velocity", angular_velocity}};
    demi_body *body = &world->body.data[row];
    if (body->rigid != 0)
        return demi_rigid_refuse(world, row, "move");
    if (demi_kinds[body->kind].ghost)
        return ghost_refuse(world, row, "dem_ghosts_set moves");
    for (int k = 0; k < 3; ++k) {
        if (given[k].value != NULL && !demi_within3(given[k].value, DEMI_MOTION_MOST))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "particle %llu: %s (%g, %g, %g) must be finite and within %g",
                             (unsigned long long)body->id, given[k].name, given[k].value[0],
                             given[k].value[1], given[k].value[2], DEMI_MOTION_MOST);
        if (k > 0 && given[k].value != NULL && !demi_kinds[body->kind].moves)
            return demi_fail(
                context, DEM_ERROR_STATE,
                "particle %llu: %s of a fixed particle cannot be set: give NULL for it",
                (unsigned long long)body->id, given[k].name);
    }
    const int beyond = position != NULL ? demi_axis_beyond_images(world, position) : -1;
    if (beyond >= 0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "particle %llu: position %g m is %d periods of axis %d or more from the "
                         "box",
                         (unsigned long long)body->id, position[beyond], DEMI_IMAGE_MOST, beyond);
    demi_velocities *velocities = &world->current.velocity.data[row];
    double x[3];
    for (int c = 0; c < 3 && position != NULL; ++c) /* rounding there and back makes another one */
        x[c] = position[c] == demi_row_unwrapped(world, row, c)
                   ? world->current.position.read[row][c]
                   : demi_wrapped(world, c, position[c], &body->image[c]);
    const int moved = position != NULL && set3(world->current.position.data[row], x);
    const int pushed = velocity != NULL && set3(velocities->velocity, velocity);
    const int turned =
        angular_velocity != NULL && set3(velocities->angular_velocity, angular_velocity);
    world->list_stale |= moved;
    if (moved | pushed | turned) {
        world->forces_stale = 1;
        demi_ghosts_outdate(world);
    }
    return DEM_OK;
}

dem_status dem_particle_set_motion(dem_world *world, dem_particle_handle handle,
                                   const double position[3], const double velocity[3],
                                   const double angular_velocity[3])
{
    DEMI_SET(world,
             guarded_particle_set_motion(world, handle, position, velocity, angular_velocity));
}

DEMI_GUARDED guarded_particle_set_force(dem_world *world, dem_particle_handle handle,
                                        const double force[3], const double torque[3])
{
    demi_context *context = &world->context;
    uint64_t row;
    dem_status status = demi_handle_row(world, handle, &row);
    if (status != DEM_OK)
        return status;
    const int bad = force != NULL && !demi_finite3(force);
    const double *wrong = bad ? force : torque != NULL && !demi_finite3(torque) ? torque : NULL;
    if (wrong != NULL)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "particle %llu: external %s (%g, %g, %g) must be finite",
                         (unsigned long long)world->body.data[row].id, bad ? "force" : "torque",
                         wrong[0], wrong[1], wrong[2]);
    const int forces = world->external_force.data != NULL;
    if (force != NULL)
        status = demi_rows_reserve(world, &world->external_force.buffer);
    if (status == DEM_OK && torque != NULL)
        status = demi_rows_reserve(world, &world->external_torque.buffer);
    if (status != DEM_OK) {
        if (!forces) /* a snapshot tells which fields are there */
            demi_buffer_free(context, &world->external_force.buffer);
        return status;
    }
    if (force != NULL)
        memcpy(world->external_force.data[row], force, 3 * sizeof(double));
    if (torque != NULL)
        memcpy(world->external_torque.data[row], torque, 3 * sizeof(double));
    return DEM_OK;
}

dem_status dem_particle_set_force(dem_world *world, dem_particle_handle handle,
                                  const double force[3], const double torque[3])
{
    DEMI_SET(world, guarded_particle_set_force(world, handle, force, torque));
}
