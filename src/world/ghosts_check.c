/* SPDX-License-Identifier: MIT */
/* Which ghosts are refused. */
#include "base/check.h"
#include "base/sized.h"
#include "world/ghosts.h"

#include <float.h>
#include <string.h>

double demi_ghost_contact_mass(int32_t kind, double inverse)
{
    return demi_kinds[kind].integrated || !(inverse > 0.0) ? 0.0 : 1.0 / inverse;
}

dem_status demi_ghost_size_check(const dem_world *w, uint64_t size)
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

dem_particle demi_ghost_particle(const dem_ghost *ghost)
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

dem_status demi_ghost_lag_check(dem_world *w, const dem_ghost *ghost, double *lag)
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

dem_status demi_ghost_check(dem_world *w, uint64_t k, const dem_ghost *ghost)
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
                n, (int)ghost->image[c], c, DEMI_IMAGE_MOST - 1);
    dem_status status = fluid_check(w, n, ghost);
    for (int f = 0; status == DEM_OK && f < 4; ++f) /* a host may set any force on its own */
        status =
            vector_check(w, n, loads[f].name, loads[f].value, f < 2 ? DEMI_FORCE_MOST : DBL_MAX);
    if (status != DEM_OK)
        return status;
    const dem_particle p = demi_ghost_particle(ghost);
    return demi_particle_check(w, "ghost", k, &p);
}

dem_status demi_ghost_same(dem_world *w, uint64_t row, const dem_ghost *ghost)
{
    const demi_body *body = &w->body.read[row];
    const double inverse = w->current.velocity.read[row].velocity[3],
                 given = ghost->contact_mass > 0.0 ? 1.0 / ghost->contact_mass : 0.0;
    const struct {
        const char *name;
        double was, is;
    } fixed[] = {{"radius", w->current.position.read[row][3], ghost->radius},
                 {"mass", w->particle.read[row].mass, ghost->mass},
                 {"material", (double)body->material, (double)ghost->material},
                 {"mobility", (double)demi_kinds[body->kind].mobility, (double)ghost->mobility},
                 {"contact_mass", demi_ghost_contact_mass(body->kind, inverse),
                  demi_ghost_contact_mass(body->kind, given)}};
    for (size_t k = 0; k < sizeof fixed / sizeof *fixed; ++k)
        if (fixed[k].was != fixed[k].is)
            return demi_fail(&w->context, DEM_ERROR_STATE,
                             "ghost with id %llu: %s changed from %.17g to %.17g: set ghosts "
                             "without it first",
                             (unsigned long long)ghost->id, fixed[k].name, fixed[k].was,
                             fixed[k].is);
    return DEM_OK;
}
