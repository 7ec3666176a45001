/* SPDX-License-Identifier: MIT */
/* What a rigid body and its parts must be like, before they are added or set. */
#include "base/check.h"
#include "base/sized.h"
#include "mesh/polyhedron.h"
#include "world/bodies.h"

#include <dem/rotation.h>

#include <stdlib.h>
#include <string.h>

dem_status demi_body_motion_check(demi_context *context, const char *name, const double position[3],
                                  const double orientation[4], const double velocity[3],
                                  const double angular_velocity[3])
{
    const struct {
        const char *name;
        const double *value;
    } given[] = {
        {"position", position}, {"velocity", velocity}, {"angular_velocity", angular_velocity}};
    for (int k = 0; k < 3; ++k)
        if (given[k].value != NULL && !demi_within3(given[k].value, DEMI_MOTION_MOST))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "%s: %s (%g, %g, %g) must be finite and within %g", name,
                             given[k].name, given[k].value[0], given[k].value[1], given[k].value[2],
                             DEMI_MOTION_MOST);
    if (orientation == NULL)
        return DEM_OK;
    const double *q = orientation;
    const int finite = demi_within3(q, 2.0) && isfinite(q[3]) && fabs(q[3]) <= 2.0;
    if (!finite || fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0) > 2e-6)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "%s: orientation (%g, %g, %g, %g) must have length 1 to within 1e-6", name,
                         q[0], q[1], q[2], q[3]);
    return DEM_OK;
}

/* Masses whose inverses would not be numbers would not step. */
static int mass_fits(double mass)
{
    enum { POWER_MOST = 1000 };
    int power = 0;
    if (!demi_positive(mass))
        return 0;
    (void)frexp(mass, &power);
    return abs(power) <= POWER_MOST;
}

static dem_status mass_check(demi_context *context, const dem_body *b)
{
    if (b->mobility != DEM_MOBILITY_FREE) {
        if (!demi_not_negative(b->mass))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_body.mass: %g kg must be finite and >= 0", b->mass);
        for (int c = 0; c < 3; ++c)
            if (!demi_not_negative(b->inertia[c]))
                return demi_fail(context, DEM_ERROR_RANGE,
                                 "dem_body.inertia[%d]: %g kg m2 must be finite and >= 0", c,
                                 b->inertia[c]);
        return DEM_OK;
    }
    if (!mass_fits(b->mass))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_body.mass: %g kg of a free body must be > 0, from 2^-1001 to "
                         "below 2^1000 kg",
                         b->mass);
    const double *i = b->inertia;
    for (int c = 0; c < 3; ++c) {
        if (!mass_fits(i[c]))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_body.inertia[%d]: %g kg m2 of a free body must be > 0, from "
                             "2^-1001 to below 2^1000 kg m2",
                             c, i[c]);
    }
    for (int c = 0; c < 3; ++c) {
        const double others = i[(c + 1) % 3] + i[(c + 2) % 3];
        if (i[c] > others * (1.0 + 1e-9))
            return demi_fail(context, DEM_ERROR_RANGE,
                             "dem_body.inertia[%d]: %g kg m2 exceeds the sum %g kg m2 of the "
                             "others, which no solid can have",
                             c, i[c], others);
    }
    return DEM_OK;
}

dem_status demi_body_check(dem_world *w, const dem_body *b)
{
    demi_context *context = &w->context;
    if (!demi_rigids_scheme(w))
        return demi_fail(context, DEM_ERROR_STATE,
                         "body: the world has another scheme than DEM_INTEGRATOR_VERLET_SYNC, "
                         "which bodies need");
    if (w->added_mass.read != NULL)
        return demi_fail(context, DEM_ERROR_STATE,
                         "body: the world has added masses (DEM_FIELD_ADDED_MASS), which bodies "
                         "have not yet");
    if (!demi_kind_offered(b->mobility))
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "dem_body.mobility: %d is not a DEM_MOBILITY_ value", (int)b->mobility);
    if (b->damping_mass < DEM_DAMPING_MASS_CONTACT || b->damping_mass > DEM_DAMPING_MASS_BODY)
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "dem_body.damping_mass: %d is not a DEM_DAMPING_MASS_ value",
                         (int)b->damping_mass);
    const dem_status status = demi_body_motion_check(context, "body", b->position, b->orientation,
                                                     b->velocity, b->angular_velocity);
    if (status != DEM_OK)
        return status;
    if (!demi_kinds[b->mobility].moves &&
        (demi_any3(b->velocity) || demi_any3(b->angular_velocity)))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_body.velocity: (%g, %g, %g) m/s and dem_body.angular_velocity "
                         "(%g, %g, %g) rad/s of a fixed body must be 0",
                         b->velocity[0], b->velocity[1], b->velocity[2], b->angular_velocity[0],
                         b->angular_velocity[1], b->angular_velocity[2]);
    return mass_check(context, b);
}

dem_status demi_body_part_read(dem_world *w, const dem_body_part *parts, uint64_t k,
                               dem_body_part *out)
{
    const uint64_t size = parts->struct_size;
    const dem_body_part *at =
        (const dem_body_part *)(const void *)((const unsigned char *)parts + k * size);
    memset(out, 0, sizeof *out);
    if (demi_sized_read(out, at) != DEM_OK || at->struct_size != size)
        return demi_fail(&w->context, DEM_ERROR_STRUCT_SIZE,
                         "dem_body_part.struct_size of part %llu: %llu is not valid (call "
                         "dem_body_part_init)",
                         (unsigned long long)k, (unsigned long long)at->struct_size);
    if (out->reserved != 0)
        return demi_fail(&w->context, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE,
                         "dem_body_part.reserved", (long long)out->reserved, "dem_body_part");
    return DEM_OK;
}

dem_status demi_body_part_shape_check(dem_world *w, uint64_t k, dem_body_part *part)
{
    if (part->shape == NULL)
        return DEM_OK;
    if (part->radius != 0.0)
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "dem_body_part.radius of part %llu: %g m must be 0, because "
                         "dem_body_part.shape is given, which has a size",
                         (unsigned long long)k, part->radius);
    if (w->exact.sums.exact)
        return demi_fail(&w->context, DEM_ERROR_STATE,
                         "dem_body_part.shape of part %llu: polyhedra have no exact sums yet: make "
                         "a world with DEM_SUMS_FIXED_ORDER",
                         (unsigned long long)k);
    part->radius = part->shape->radius;
    return DEM_OK;
}

dem_particle demi_body_part_particle(const dem_body *body, const dem_body_part *part)
{
    dem_particle p;
    memset(&p, 0, sizeof p);
    p.struct_size = sizeof p;
    p.id = part->id;
    p.radius = part->radius;
    p.material = part->material;
    double arm[3] = {part->centre[0], part->centre[1], part->centre[2]};
    dem_kernel_rotation_to_space(body->orientation, arm);
    for (int c = 0; c < 3; ++c) {
        p.position[c] = body->position[c] + arm[c];
        p.velocity[c] =
            body->velocity[c] + (body->angular_velocity[(c + 1) % 3] * arm[(c + 2) % 3] -
                                 body->angular_velocity[(c + 2) % 3] * arm[(c + 1) % 3]);
        p.angular_velocity[c] = body->angular_velocity[c];
    }
    return p;
}

dem_status demi_rigid_part_check(dem_world *w, uint64_t k, const double centre[3], double radius,
                                 demi_rigid_bounds *bounds)
{
    if (!demi_within3(centre, DEMI_MOTION_MOST))
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "dem_body_part.centre of part %llu: (%g, %g, %g) m must be finite and "
                         "within %g",
                         (unsigned long long)k, centre[0], centre[1], centre[2], DEMI_MOTION_MOST);
    if (!demi_positive(radius))
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "dem_body_part.radius of part %llu: %g m must be finite and > 0",
                         (unsigned long long)k, radius);
    const double reach = sqrt(demi_dot(centre, centre)) + radius;
    for (int c = 0; c < 3; ++c) {
        const double length = w->config.box_high[c] - w->config.box_low[c];
        if (w->config.boundary[c] == DEM_BOUNDARY_PERIODIC && length < 2.0 * reach)
            return demi_fail(&w->context, DEM_ERROR_RANGE,
                             "body: part %llu reaches %g m from the centre of mass, more than "
                             "half of periodic axis %d, which is %g m",
                             (unsigned long long)k, reach, c, 0.5 * length);
        bounds->low[c] = k > 0 ? fmin(bounds->low[c], centre[c] - radius) : centre[c] - radius;
        bounds->high[c] = k > 0 ? fmax(bounds->high[c], centre[c] + radius) : centre[c] + radius;
    }
    return DEM_OK;
}

dem_status demi_rigid_bounds_check(dem_world *w, int32_t mobility, const demi_rigid_bounds *bounds)
{
    for (int c = 0; c < 3 && mobility == DEM_MOBILITY_FREE; ++c)
        if (bounds->low[c] > 0.0 || bounds->high[c] < 0.0)
            return demi_fail(&w->context, DEM_ERROR_RANGE,
                             "body: its parts are between %g and %g m along axis %d of the body, "
                             "and the centre of mass at 0 is not: give centres from there",
                             bounds->low[c], bounds->high[c], c);
    return DEM_OK;
}

dem_status demi_body_parts_check(dem_world *w, const dem_body *b, uint64_t count,
                                 const dem_body_part *parts)
{
    demi_rigid_bounds bounds = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (uint64_t k = 0; k < count; ++k) {
        dem_body_part part;
        dem_status status = demi_body_part_read(w, parts, k, &part);
        if (status == DEM_OK)
            status = demi_body_part_shape_check(w, k, &part);
        if (status == DEM_OK)
            status = demi_rigid_part_check(w, k, part.centre, part.radius, &bounds);
        if (status != DEM_OK)
            return status;
        const dem_particle p = demi_body_part_particle(b, &part);
        status = demi_particle_check(w, "part", k, &p);
        if (status != DEM_OK)
            return status;
    }
    return demi_rigid_bounds_check(w, b->mobility, &bounds);
}
