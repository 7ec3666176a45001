/* SPDX-License-Identifier: MIT */
/* Calls that set how walls move. */
#include "base/check.h"
#include "base/entry.h"
#include "base/sized.h"
#include "world/world.h"

#include <string.h>

static dem_status wall_motion_check(dem_world *w, uint64_t id, const demi_wall_motion *motion)
{
    const struct {
        const double *vector;
        const char *name, *unit;
    } of[] = {{motion->velocity, "velocity", "m/s"},
              {motion->angular_velocity, "angular_velocity", "rad/s"},
              {motion->pivot, "pivot", "m"}};
    for (size_t k = 0; k < sizeof of / sizeof of[0]; ++k)
        if (of[k].vector != NULL && !demi_within3(of[k].vector, DEMI_MOTION_MOST))
            return demi_fail(&w->context, DEM_ERROR_RANGE,
                             "wall %llu: %s (%g, %g, %g) %s must be finite and within %g",
                             (unsigned long long)id, of[k].name, of[k].vector[0], of[k].vector[1],
                             of[k].vector[2], of[k].unit, DEMI_MOTION_MOST);
    return DEM_OK;
}

DEMI_GUARDED guarded_wall_set_motion(dem_world *world, uint64_t id, const demi_wall_motion *motion)
{
    uint64_t index;
    dem_status status = demi_wall_find(world, id, &index);
    if (status == DEM_OK)
        status = wall_motion_check(world, id, motion);
    if (status != DEM_OK)
        return status;
    if (motion->angular_velocity != NULL && world->wall_servo.read != NULL &&
        world->wall_servo.read[index].quantity == DEM_SERVO_TORQUE)
        return demi_fail(&world->context, DEM_ERROR_STATE,
                         "wall %llu: it seeks a torque, which sets its angular velocity: call "
                         "dem_wall_set_servo with NULL first",
                         (unsigned long long)id);
    if (demi_wall_moves_so(world, index, motion))
        return DEM_OK;
    if (motion->angular_velocity != NULL && demi_any3(motion->angular_velocity))
        status = demi_wall_motion_reserve(world, world->walls, 1, 0);
    if (status != DEM_OK)
        return status;
    demi_wall_motion_set(world, index, motion);
    demi_wall_activate(world, (uint32_t)index);
    world->forces_stale = 1;
    return DEM_OK;
}

dem_status dem_wall_set_motion(dem_world *world, uint64_t id, const double velocity[3],
                               const double angular_velocity[3], const double pivot[3])
{
    const demi_wall_motion motion = {velocity, angular_velocity, pivot};
    DEMI_SET(world, guarded_wall_set_motion(world, id, &motion));
}

dem_status dem_wall_servo_init_sized(dem_wall_servo *servo, uint64_t size)
{
    if (servo == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_wall_servo values;
    memset(&values, 0, sizeof values);
    values.quantity = DEM_SERVO_FORCE;
    values.direction[2] = 1.0;
    return demi_sized_write(servo, size, &values);
}

static dem_status servo_check(demi_context *context, const dem_wall_servo *s)
{
    if (s->reserved != 0)
        return demi_fail(context, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE,
                         "dem_wall_servo.reserved", (long long)s->reserved, "dem_wall_servo");
    if (s->quantity < DEM_SERVO_FORCE || s->quantity > DEM_SERVO_PRESSURE)
        return demi_fail(context, DEM_ERROR_UNKNOWN,
                         "dem_wall_servo.quantity: %d is not DEM_SERVO_FORCE, DEM_SERVO_TORQUE or "
                         "DEM_SERVO_PRESSURE",
                         (int)s->quantity);
    if (!demi_not_negative(s->area) || s->area > DEMI_MOTION_MOST ||
        (s->area > 0.0 && s->quantity != DEM_SERVO_PRESSURE))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall_servo.area: %g m2 must be in [0, %g], and 0 where the wall does "
                         "not seek a pressure",
                         s->area, DEMI_MOTION_MOST);
    if (!demi_within3(s->direction, DEMI_MOTION_MOST) || !demi_any3(s->direction))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall_servo.direction: (%g, %g, %g) must be within %g and not 0",
                         s->direction[0], s->direction[1], s->direction[2], DEMI_MOTION_MOST);
    if (!isfinite(s->target) || fabs(s->target) > DEMI_MOTION_MOST)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall_servo.target: %g must be finite and within %g", s->target,
                         DEMI_MOTION_MOST);
    if (!demi_positive(s->speed) || s->speed > DEMI_MOTION_MOST)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall_servo.speed: %g must be in (0, %g]: it is the largest speed, "
                         "and has no default",
                         s->speed, DEMI_MOTION_MOST);
    if (!demi_not_negative(s->gain) || s->gain > DEMI_MOTION_MOST ||
        (s->quantity == DEM_SERVO_TORQUE && !(s->gain > 0.0)))
        return demi_fail(context, DEM_ERROR_RANGE,
                         "dem_wall_servo.gain: %g must be in [0, %g], and > 0 for a torque",
                         s->gain, DEMI_MOTION_MOST);
    return DEM_OK;
}

/* A pressure becomes the force that it is on its area. */
static dem_status servo_pressure(dem_world *w, uint64_t id, uint64_t index, dem_wall_servo *s)
{
    const demi_shape *shape = demi_shapes[w->wall.read[index].shape];
    if (!(s->area > 0.0) && shape->area == NULL)
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "dem_wall_servo.area: %g m2: wall %llu is a %s, which has no area of its "
                         "own: give one > 0 for a pressure",
                         s->area, (unsigned long long)id, shape->name);
    const double area = s->area > 0.0 ? s->area : shape->area(&w->current.solid.read[index]);
    const double force = s->target * area, gain = s->gain / area;
    /* an area so small that nothing is left of a force, or a gain has no end */
    if (!(area > 0.0) || fabs(force) > DEMI_MOTION_MOST || (s->target != 0.0 && force == 0.0) ||
        gain > DEMI_MOTION_MOST || (s->gain > 0.0 && gain == 0.0))
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "dem_wall_servo.target: %g Pa on %g m2 with gain %g: the force and the "
                         "gain of the force must be within %g, and 0 only where these are 0",
                         s->target, area, s->gain, DEMI_MOTION_MOST);
    s->target = force;
    s->gain = gain;
    s->quantity = DEM_SERVO_FORCE;
    return DEM_OK;
}

DEMI_GUARDED guarded_wall_set_servo(dem_world *world, uint64_t id, const dem_wall_servo *servo)
{
    demi_context *context = &world->context;
    uint64_t index;
    dem_wall_servo in;
    memset(&in, 0, sizeof in);
    dem_status status = demi_wall_find(world, id, &index);
    if (status != DEM_OK)
        return status;
    if (servo != NULL && demi_sized_read(&in, servo) != DEM_OK)
        return demi_sized_fail(context, "dem_wall_servo", servo->struct_size);
    if (servo != NULL)
        status = servo_check(context, &in);
    if (status == DEM_OK && in.quantity == DEM_SERVO_PRESSURE)
        status = servo_pressure(world, id, index, &in);
    if (status == DEM_OK && servo != NULL)
        status = demi_wall_motion_reserve(world, world->walls, in.quantity == DEM_SERVO_TORQUE, 1);
    if (status != DEM_OK)
        return status;
    demi_wall_servo_set(world, index, servo != NULL ? &in : NULL);
    demi_wall_activate(world, (uint32_t)index);
    world->forces_stale = 1;
    return DEM_OK;
}

dem_status dem_wall_set_servo(dem_world *world, uint64_t id, const dem_wall_servo *servo)
{
    DEMI_SET(world, guarded_wall_set_servo(world, id, servo));
}
