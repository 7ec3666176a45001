/* SPDX-License-Identifier: MIT */
/* How walls move: a velocity, a rotation about a centre, and the seeking of a force or a torque.
 *
 * A wall that turns has a fixed axis, and directions and an arm that were fixed with it; its pose
 * follows from the angle, which is a sum without round-off. So it stays on its circle however long
 * it turns. Another axis fixes these anew. */
#include "base/check.h"
#include "integrate/turn.h"
#include "integrate/verlet.h"
#include "mesh/move.h"
#include "world/wall_total.h"
#include "world/world.h"

#include <string.h>

/* What of a wall turns. */
enum { TURNS_NORMAL = 0, TURNS_AXIS = 1, TURNS_POINT = 2, TURNS = 3 };

/* Axes that differ by less are the same but for round-off. */
#define SAME_AXIS 1e-15

static void cross_product(const double a[3], const double b[3], double product[3])
{
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

static double length_of(const double v[3])
{
    return sqrt(demi_dot(v, v));
}

/* Gives a vector a length; one without direction stays. */
static void stretch(double v[3], double length)
{
    const double was = length_of(v);
    for (int c = 0; c < 3 && was > 0.0; ++c)
        v[c] *= length / was;
}

/* ------------------------------------------------------------------ rotation */

static const demi_wall_turning *turning_of(const dem_world *w, uint64_t index)
{
    const demi_wall_turning *turning = w->wall_turning.read;
    return turning != NULL && demi_any3(turning[index].axis) ? &turning[index] : NULL;
}

/* A vector of a wall at an angle. */
static void turned(const demi_wall_turning *t, int which, double cosine, double sine, double v[3])
{
    for (int c = 0; c < 3; ++c)
        v[c] = t->vector[which][0][c] +
               (cosine * t->vector[which][1][c] + sine * t->vector[which][2][c]);
}

/* The pose of a solid from its centre and angle. */
static void solid_pose(const demi_wall_turning *t, demi_solid *solid)
{
    double cosine, sine, arm[3];
    demi_turn_rotation(solid->turn, &cosine, &sine);
    turned(t, TURNS_NORMAL, cosine, sine, solid->normal);
    turned(t, TURNS_AXIS, cosine, sine, solid->axis);
    turned(t, TURNS_POINT, cosine, sine, arm);
    for (int c = 0; c < 3; ++c)
        solid->point[c] = solid->centre[c] + arm[c];
}

/* Splits a vector for rotations about the axis. What is across by less than round-off is not. */
static void turning_split(demi_wall_turning *t, int which, const double v[3])
{
    double *along = t->vector[which][0], *across = t->vector[which][1];
    const double part = demi_dot(v, t->axis);
    for (int c = 0; c < 3; ++c) {
        along[c] = part * t->axis[c];
        across[c] = v[c] - along[c];
    }
    if (length_of(across) <= SAME_AXIS * length_of(v)) {
        memcpy(along, v, 3 * sizeof v[0]);
        memset(across, 0, 3 * sizeof v[0]);
    }
    cross_product(t->axis, across, t->vector[which][2]);
}

/* Fixes an axis, with the directions and the arm as they are at an angle of 0. */
static void turning_fix(dem_world *w, uint64_t index, const double axis[3])
{
    demi_wall_turning *t = &w->wall_turning.data[index];
    demi_solid *solid = &w->current.solid.data[index];
    double arm[3], cosine, sine;
    for (int c = 0; c < 3; ++c)
        arm[c] = solid->point[c] - solid->centre[c];
    if (demi_any3(t->axis)) {
        demi_turn_rotation(solid->turn, &cosine, &sine);
        turned(t, TURNS_POINT, cosine, sine, arm);
        stretch(arm, t->length);
    } else
        t->length = length_of(arm);
    /* directions stay unit and across each other whatever became of them before */
    stretch(solid->normal, 1.0);
    const double along = demi_dot(solid->axis, solid->normal);
    for (int c = 0; c < 3; ++c)
        solid->axis[c] -= along * solid->normal[c];
    stretch(solid->axis, 1.0);
    memcpy(t->axis, axis, sizeof t->axis);
    turning_split(t, TURNS_NORMAL, solid->normal);
    turning_split(t, TURNS_AXIS, solid->axis);
    turning_split(t, TURNS_POINT, arm);
    solid->turn = 0;
    solid_pose(t, solid);
}

/* Has a wall turn about a unit axis; -1 where the axis that it has is opposite, else 1. */
static double turning_about(dem_world *w, uint64_t index, const double axis[3])
{
    const demi_wall_turning *t = &w->wall_turning.data[index];
    const double sign = demi_dot(t->axis, axis) < 0.0 ? -1.0 : 1.0;
    double most = 0.0;
    for (int c = 0; c < 3; ++c) {
        const double off = fabs(axis[c] - sign * t->axis[c]);
        most = off > most ? off : most;
    }
    if (most <= SAME_AXIS)
        return sign;
    turning_fix(w, index, axis);
    return 1.0;
}

/* ------------------------------------------------------------------ counts */

/* What a wall adds to the counts. */
static void wall_count(dem_world *w, uint64_t index, uint64_t one)
{
    const int turns = w->current.solid.read[index].rate != 0.0;
    const int seeks = demi_wall_seeks(w, index);
    const int twists = seeks && w->wall_servo.read[index].quantity == DEM_SERVO_TORQUE;
    const int flat = demi_wall_shape(&w->wall.read[index])->flat;
    w->walls_turning += turns || twists ? one : 0;
    w->flats_turning += (turns || twists) && flat ? one : 0;
    w->walls_seeking += seeks ? one : 0;
    w->walls_needing += demi_wall_needs(w, index) ? one : 0;
}

void demi_walls_count(dem_world *w)
{
    w->walls_turning = w->flats_turning = w->walls_seeking = w->walls_needing = 0;
    for (uint64_t k = 0; k < w->walls; ++k)
        if (w->wall.read[k].id != 0)
            wall_count(w, k, 1);
}

/* ------------------------------------------------------------------ setting */

dem_status demi_wall_motion_reserve(dem_world *w, uint64_t places, int turning, int servo)
{
    static const char what[] = "walls that move";
    dem_status status = DEM_OK;
    /* what is new in an array is 0 */
    if (turning || w->wall_turning.data != NULL)
        status = demi_array_reserve(&w->context, &w->wall_turning, places, 1, what);
    if (status == DEM_OK && (servo || w->wall_servo.data != NULL))
        status = demi_array_reserve(&w->context, &w->wall_servo, places, 1, what);
    if (status == DEM_OK && w->wall_facets.data != NULL)
        status = demi_array_reserve(&w->context, &w->wall_facets, places, 1, what);
    return status;
}

/* The part of a velocity that a wall keeps which seeks: all but that along the direction of a
 * force. */
static void kept_velocity(const demi_wall_servo *servo, const double velocity[3], double kept[3])
{
    const int force = servo->quantity == DEM_SERVO_FORCE;
    const double along = force ? demi_dot(velocity, servo->direction) : 0.0;
    for (int c = 0; c < 3; ++c)
        kept[c] = velocity[c] - along * servo->direction[c];
}

/* Velocity of a wall; along the direction in which it seeks a force it has the present one. */
static void velocity_set(dem_world *w, uint64_t index, const double velocity[3])
{
    demi_solid *solid = &w->current.solid.data[index];
    double set[3] = {velocity[0], velocity[1], velocity[2]};
    if (demi_wall_seeks(w, index)) {
        demi_wall_servo *servo = &w->wall_servo.data[index];
        const int force = servo->quantity == DEM_SERVO_FORCE;
        const double speed = force ? demi_dot(solid->velocity, servo->direction) : 0.0;
        kept_velocity(servo, velocity, servo->velocity);
        for (int c = 0; c < 3; ++c)
            set[c] = servo->velocity[c] + speed * servo->direction[c];
    }
    memcpy(solid->velocity, set, sizeof set);
}

/* Whether vectors have the same bits, the sign of a zero, too. */
static int same_vector(const double a[3], const double b[3])
{
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
    return memcmp(a, b, 3 * sizeof(double)) == 0;
}

int demi_wall_moves_so(const dem_world *w, uint64_t index, const demi_wall_motion *motion)
{
    const demi_solid *solid = &w->current.solid.read[index];
    if (motion->pivot != NULL)
        return 0;
    if (motion->angular_velocity != NULL &&
        !same_vector(motion->angular_velocity, solid->angular_velocity))
        return 0;
    if (motion->velocity == NULL)
        return 1;
    if (!demi_wall_seeks(w, index))
        return same_vector(motion->velocity, solid->velocity);
    const demi_wall_servo *servo = &w->wall_servo.read[index];
    double kept[3];
    kept_velocity(servo, motion->velocity, kept);
    return same_vector(kept, servo->velocity);
}

static void angular_velocity_set(dem_world *w, uint64_t index, const double angular_velocity[3])
{
    demi_solid *solid = &w->current.solid.data[index];
    double axis[3] = {angular_velocity[0], angular_velocity[1], angular_velocity[2]};
    solid->rate = 0.0;
    if (demi_any3(angular_velocity)) {
        double largest = 0.0; /* so that no square vanishes */
        for (int c = 0; c < 3; ++c)
            largest = fabs(axis[c]) > largest ? fabs(axis[c]) : largest;
        for (int c = 0; c < 3; ++c)
            axis[c] /= largest;
        const double size = largest * length_of(axis);
        stretch(axis, 1.0);
        solid->rate = turning_about(w, index, axis) * size;
    }
    memcpy(solid->angular_velocity, angular_velocity, sizeof solid->angular_velocity);
}

void demi_wall_motion_set(dem_world *w, uint64_t index, const demi_wall_motion *motion)
{
    demi_solid *solid = &w->current.solid.data[index];
    wall_count(w, index, UINT64_MAX);
    if (motion->pivot != NULL) {
        for (int c = 0; c < 3; ++c)
            solid->centre[c] = solid->point[c] + motion->pivot[c];
        if (turning_of(w, index) != NULL) {
            demi_wall_turning *t = &w->wall_turning.data[index];
            const double axis[3] = {t->axis[0], t->axis[1], t->axis[2]};
            memset(t->axis, 0, sizeof t->axis);
            turning_fix(w, index, axis);
        }
    }
    if (motion->velocity != NULL)
        velocity_set(w, index, motion->velocity);
    if (motion->angular_velocity != NULL)
        angular_velocity_set(w, index, motion->angular_velocity);
    demi_solid_copy(&w->next.solid.data[index], solid);
    wall_count(w, index, 1);
}

void demi_wall_motion_clear(dem_world *w, uint64_t index)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const demi_wall_motion still = {none, none, NULL};
    wall_count(w, index, UINT64_MAX);
    if (w->wall_servo.data != NULL)
        memset(&w->wall_servo.data[index], 0, sizeof(demi_wall_servo));
    wall_count(w, index, 1);
    demi_wall_motion_set(w, index, &still);
    if (w->wall_turning.data != NULL)
        memset(&w->wall_turning.data[index], 0, sizeof(demi_wall_turning));
}

/* The wall stands where nothing seeks any more; what the host set goes on. */
static void servo_end(dem_world *w, uint64_t index)
{
    demi_solid *solid = &w->current.solid.data[index];
    if (!demi_wall_seeks(w, index))
        return;
    demi_wall_servo *servo = &w->wall_servo.data[index];
    memcpy(solid->velocity, servo->velocity, sizeof solid->velocity);
    if (servo->quantity == DEM_SERVO_TORQUE) {
        memset(solid->angular_velocity, 0, sizeof solid->angular_velocity);
        solid->rate = 0.0;
    }
    memset(servo, 0, sizeof *servo);
}

static void servo_begin(dem_world *w, uint64_t index, const dem_wall_servo *in)
{
    demi_solid *solid = &w->current.solid.data[index];
    demi_wall_servo *servo = &w->wall_servo.data[index];
    double largest = 0.0;
    for (int c = 0; c < 3; ++c)
        largest = fabs(in->direction[c]) > largest ? fabs(in->direction[c]) : largest;
    for (int c = 0; c < 3; ++c)
        servo->direction[c] = in->direction[c] / largest;
    stretch(servo->direction, 1.0);
    servo->target = in->target;
    servo->gain = in->gain;
    servo->most = in->speed;
    servo->quantity = in->quantity;
    memcpy(servo->velocity, solid->velocity, sizeof servo->velocity);
    if (servo->quantity == DEM_SERVO_TORQUE) {
        (void)turning_about(w, index, servo->direction);
        solid->rate = 0.0;
        memset(solid->angular_velocity, 0, sizeof solid->angular_velocity);
        return;
    }
    const double along = demi_dot(solid->velocity, servo->direction);
    for (int c = 0; c < 3; ++c)
        servo->velocity[c] -= along * servo->direction[c];
    memcpy(solid->velocity, servo->velocity, sizeof solid->velocity);
}

void demi_wall_servo_set(dem_world *w, uint64_t index, const dem_wall_servo *servo)
{
    wall_count(w, index, UINT64_MAX);
    servo_end(w, index);
    if (servo != NULL)
        servo_begin(w, index, servo);
    demi_solid_copy(&w->next.solid.data[index], &w->current.solid.read[index]);
    wall_count(w, index, 1);
}

/* ------------------------------------------------------------------ a step */

/* Whether anything touches the wall. */
static int wall_touched(const demi_wall_force *force)
{
    return demi_any3(force->force) || demi_any3(force->torque) || force->stiffness > 0.0;
}

/* The speed at which a wall seeks: that which removes a part of what is lacking. */
static double servo_speed(const demi_wall_servo *servo, const demi_wall_force *force, double dt)
{
    if (!wall_touched(force))
        return servo->target > 0.0 ? servo->most : servo->target < 0.0 ? -servo->most : 0.0;
    const double *acts = servo->quantity == DEM_SERVO_TORQUE ? force->torque : force->force;
    /* a fifth of the gain at which a spring and a dashpot against a mass become unstable */
    const double gain =
        servo->gain > 0.0 ? servo->gain : 0.2 / (force->damping + 0.5 * dt * force->stiffness);
    const double speed = gain * (servo->target + demi_dot(acts, servo->direction));
    return speed > servo->most ? servo->most : speed < -servo->most ? -servo->most : speed;
}

/* What acts on a wall that seeks: in all worlds together, also where one that was told it has got
 * all particles since. */
static const demi_wall_force *sought(const dem_world *w, uint64_t index)
{
    const demi_wall_servo *servo = &w->wall_servo.read[index];
    return demi_is_domain(w) || (servo->totals & DEMI_TOTAL_KNOWN) != 0
               ? &servo->total
               : &w->current.wall_force.read[index];
}

/* The motion of a wall that seeks, through the step to come; an evaluation changes none. */
static void servo_drive(const dem_world *w, uint64_t index, double dt, demi_solid *next)
{
    const demi_wall_servo *servo = &w->wall_servo.read[index];
    const demi_solid *now = &w->current.solid.read[index];
    memcpy(next->velocity, now->velocity, sizeof next->velocity);
    memcpy(next->angular_velocity, now->angular_velocity, sizeof next->angular_velocity);
    next->rate = now->rate;
    if (!(dt > 0.0))
        return;
    const double speed = servo_speed(servo, sought(w, index), dt);
    if (servo->quantity == DEM_SERVO_FORCE) {
        for (int c = 0; c < 3; ++c)
            next->velocity[c] = servo->velocity[c] + speed * servo->direction[c];
        return;
    }
    const double *axis = w->wall_turning.read[index].axis;
    next->rate = demi_dot(axis, servo->direction) < 0.0 ? -speed : speed;
    for (int c = 0; c < 3; ++c)
        next->angular_velocity[c] = next->rate * axis[c];
}

void demi_wall_drift(dem_world *w, uint64_t index, double dt)
{
    const demi_solid *now = &w->current.solid.read[index];
    demi_solid *next = &w->next.solid.data[index];
    if (demi_wall_seeks(w, index))
        servo_drive(w, index, dt, next);
    for (int c = 0; c < 3; ++c) {
        next->point[c] = demi_verlet_drift(now->point[c], next->velocity[c], dt);
        next->centre[c] = demi_verlet_drift(now->centre[c], next->velocity[c], dt);
    }
    if (now->deforms) {
        demi_mesh_move(next->mesh, now->mesh, dt);
        next->deformed = now->deformed + now->mesh->speed * dt;
    }
    const demi_wall_turning *t = turning_of(w, index);
    if (t == NULL)
        return;
    next->turn = now->turn + demi_turn_of(next->rate * dt);
    solid_pose(t, next);
}

static dem_status wall_step_check(dem_world *w, uint64_t index, double dt)
{
    const demi_wall *wall = &w->wall.read[index];
    double rate = fabs(w->current.solid.read[index].rate);
    if (demi_wall_seeks(w, index)) {
        const demi_wall_servo *servo = &w->wall_servo.read[index];
        const demi_wall_force *force = sought(w, index);
        rate = servo->quantity == DEM_SERVO_TORQUE ? servo->most : rate;
        if (servo->gain == 0.0 && dt > 0.0 && wall_touched(force) &&
            !(force->damping + force->stiffness > 0.0))
            return demi_fail(&w->context, DEM_ERROR_STATE,
                             "wall %llu: dem_wall_servo.gain is 0, and the laws of its contacts "
                             "report neither stiffness nor damping: set a gain",
                             (unsigned long long)wall->id);
    }
    if (!islessequal(rate * dt, DEMI_TURN_MOST))
        return demi_fail(&w->context, DEM_ERROR_RANGE,
                         "wall %llu: it turns by up to %g rad in a step of %g s, and may by %g: "
                         "take a smaller dt",
                         (unsigned long long)wall->id, rate * dt, dt, DEMI_TURN_MOST);
    return DEM_OK;
}

dem_status demi_walls_step_check(dem_world *w, double dt)
{
    dem_status status = DEM_OK;
    for (uint64_t k = 0; status == DEM_OK && k < w->walls_active; ++k)
        status = wall_step_check(w, w->wall_active.data[k], dt);
    return status;
}
