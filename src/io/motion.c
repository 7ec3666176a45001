/* SPDX-License-Identifier: MIT */
/* The section of walls on which moments act, which turn, or seek a force; where there are none of
 * them a snapshot has no such section. */
#include "base/check.h"
#include "io/sections.h"

#include <string.h>

/* What the section has of a wall. */
enum { MOTION_TURNING = 1, MOTION_SERVO = 2, MOTION_ALL = 3 };

static uint32_t motion_parts(const dem_world *w, uint64_t k)
{
    const int turning = w->wall_turning.read != NULL && demi_any3(w->wall_turning.read[k].axis),
              servo = demi_wall_seeks(w, k);
    return (turning ? MOTION_TURNING : 0) | (servo ? MOTION_SERVO : 0);
}

static int same3(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static int is_plain(const dem_world *w, uint64_t k)
{
    const demi_wall_force *force = &w->current.wall_force.read[k];
    const demi_solid *solid = &w->current.solid.read[k];
    const int sums = w->contact_impulse.read != NULL && demi_any3(w->wall_impulse.read[k].torque);
    return motion_parts(w, k) == 0 && !sums && !demi_any3(force->torque) &&
           force->stiffness == 0.0 && force->damping == 0.0 && w->wall.read[k].work == 0.0 &&
           same3(solid->centre, solid->point);
}

/* ------------------------------------------------------------------ writing */

static void write_turning(demi_writer *out, const dem_world *w, uint64_t k)
{
    const demi_wall_turning *t = &w->wall_turning.read[k];
    const demi_solid *solid = &w->current.solid.read[k], *built = &w->solid_built.read[k];
    demi_write_u64(out, solid->turn);
    demi_write_doubles(out, &solid->rate, 1);
    demi_write_doubles(out, solid->angular_velocity, 3);
    demi_write_doubles(out, t->axis, 3);
    demi_write_doubles(out, &t->length, 1);
    demi_write_doubles(out, t->vector[0][0], 27);
    demi_write_doubles(out, built->normal, 3);
    demi_write_doubles(out, built->axis, 3);
}

static void write_servo(demi_writer *out, const demi_wall_servo *s)
{
    demi_write_u64(out, (uint64_t)s->quantity);
    demi_write_doubles(out, s->direction, 3);
    demi_write_doubles(out, &s->target, 1);
    demi_write_doubles(out, &s->gain, 1);
    demi_write_doubles(out, &s->most, 1);
    demi_write_doubles(out, s->velocity, 3);
}

static void write_motion(demi_writer *out, const void *argument)
{
    const dem_world *w = argument;
    for (uint64_t k = 0; k < w->walls; ++k) {
        if (w->wall.read[k].id == 0)
            continue;
        const demi_wall_force *force = &w->current.wall_force.read[k];
        const uint32_t parts = motion_parts(w, k);
        demi_write_u64(out, parts);
        demi_write_doubles(out, w->current.solid.read[k].centre, 3);
        demi_write_doubles(out, force->torque, 3);
        demi_write_doubles(out, &force->stiffness, 1);
        demi_write_doubles(out, &force->damping, 1);
        demi_write_doubles(out, &w->wall.read[k].work, 1);
        if (w->contact_impulse.read != NULL)
            demi_write_doubles(out, w->wall_impulse.read[k].torque, 3);
        if ((parts & MOTION_TURNING) != 0)
            write_turning(out, w, k);
        if ((parts & MOTION_SERVO) != 0)
            write_servo(out, &w->wall_servo.read[k]);
    }
}

void demi_write_motion(demi_writer *writer, const dem_world *w)
{
    for (uint64_t k = 0; k < w->walls; ++k)
        if (w->wall.read[k].id != 0 && !is_plain(w, k)) {
            demi_write_section(writer, DEMI_MOTION_TAG, write_motion, w);
            return;
        }
}

/* ------------------------------------------------------------------ reading */

/* Numbers that are finite, and no larger than a host may give. */
static int read_within(demi_reader *in, double *to, uint64_t count, double most)
{
    int within = 1;
    demi_read_doubles(in, to, count);
    for (uint64_t k = 0; k < count; ++k)
        within &= isfinite(to[k]) && fabs(to[k]) <= most;
    return within;
}

static int read_finite(demi_reader *in, double *to, uint64_t count)
{
    return read_within(in, to, count, INFINITY);
}

/* What a host gave, or may have given: components, and sizes of vectors. */
static int read_given(demi_reader *in, double *to, uint64_t count)
{
    return read_within(in, to, count, 2.0 * DEMI_MOTION_MOST);
}

static int is_unit(const double v[3])
{
    return fabs(demi_dot(v, v) - 1.0) < 1e-9;
}

static int read_turning(demi_reader *in, dem_world *w, uint64_t k)
{
    demi_wall_turning *t = &w->wall_turning.data[k];
    demi_solid *solid = &w->current.solid.data[k], *built = &w->solid_built.data[k];
    solid->turn = demi_read_u64(in);
    int valid = read_given(in, &solid->rate, 1);
    valid &= read_given(in, solid->angular_velocity, 3);
    valid &= read_given(in, t->axis, 3);
    valid &= read_finite(in, &t->length, 1);
    valid &= read_finite(in, t->vector[0][0], 27);
    valid &= read_given(in, built->normal, 3);
    valid &= read_given(in, built->axis, 3);
    for (int c = 0; c < 3; ++c)
        valid &=
            fabs(solid->angular_velocity[c] - solid->rate * t->axis[c]) <= 1e-9 * fabs(solid->rate);
    /* parts of unit vectors */
    for (int k = 0; k < 18; ++k)
        valid &= fabs(t->vector[k / 9][k / 3 % 3][k % 3]) <= 1.0 + 1e-9;
    return valid && is_unit(t->axis) && is_unit(built->normal) &&
           (!demi_any3(built->axis) || is_unit(built->axis));
}

static int read_servo(demi_reader *in, demi_wall_servo *s)
{
    s->quantity = (int32_t)demi_read_u64(in);
    int valid = read_given(in, s->direction, 3);
    valid &= read_given(in, &s->target, 1);
    valid &= read_given(in, &s->gain, 1);
    valid &= read_given(in, &s->most, 1);
    valid &= read_finite(in, s->velocity, 3);
    return valid && is_unit(s->direction) && s->gain >= 0.0 && s->most > 0.0 &&
           (s->quantity == DEM_SERVO_FORCE || s->quantity == DEM_SERVO_TORQUE);
}

static dem_status read_wall(demi_reader *in, dem_world *w, uint64_t k)
{
    const uint64_t parts = demi_read_u64(in);
    demi_wall_force *force = &w->current.wall_force.data[k];
    const int sums = w->contact_impulse.read != NULL;
    dem_status status = DEM_OK;
    if (parts <= MOTION_ALL)
        status = demi_wall_motion_reserve(w, w->walls, (parts & MOTION_TURNING) != 0,
                                          (parts & MOTION_SERVO) != 0);
    if (status != DEM_OK)
        return status;
    int valid = parts <= MOTION_ALL;
    valid &= read_finite(in, w->current.solid.data[k].centre, 3);
    valid &= read_finite(in, force->torque, 3);
    valid &= read_finite(in, &force->stiffness, 1);
    valid &= read_finite(in, &force->damping, 1);
    valid &= read_finite(in, &w->wall.data[k].work, 1);
    if (sums)
        valid &= read_finite(in, w->wall_impulse.data[k].torque, 3);
    if (valid && (parts & MOTION_TURNING) != 0)
        valid = read_turning(in, w, k);
    if (valid && (parts & MOTION_SERVO) != 0)
        valid = read_servo(in, &w->wall_servo.data[k]);
    if (valid && (parts & MOTION_SERVO) != 0)
        valid = w->wall_servo.read[k].quantity == DEM_SERVO_FORCE || (parts & MOTION_TURNING) != 0;
    if (!valid && !in->failed)
        return demi_fail(&w->context, DEM_ERROR_FORMAT,
                         "snapshot: the motion of wall %llu is not valid",
                         (unsigned long long)w->wall.read[k].id);
    demi_solid_copy(&w->next.solid.data[k], &w->current.solid.read[k]);
    w->next.wall_force.data[k] = *force;
    return DEM_OK;
}

dem_status demi_read_motion(demi_reader *in, dem_world *w)
{
    dem_status status = DEM_OK;
    for (uint64_t k = 0; status == DEM_OK && !in->failed && k < w->walls; ++k)
        if (w->wall.read[k].id != 0)
            status = read_wall(in, w, k);
    return status;
}
