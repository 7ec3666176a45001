/* SPDX-License-Identifier: MIT */
/* A step of rigid bodies. With d0 and d1 the arms of a part at the beginning and the end of the
 * step, its row has the velocity of the chord, V + w x (d0 + d1)/2, so that the way back leads to
 * where it was. Dashpots see V* + w* x d1: rows of the current state have what lets them come to
 * that. A body sums what acts on its parts by their number, starting from the first. */
#include "base/check.h"
#include "base/vector.h"
#include "world/simd/rigid_drag.h"
#include "world/world.h"

#include <dem/rotation.h>

/* How a body is turned. */
typedef struct rigid_turned {
    demi_v4 axis; /* of the quaternion, with its sine */
    double real;
} rigid_turned;

/* The last lane is for nobody: a cross product has 0 there, and what is kept drops it. */
static DEMI_INLINE void rigid_three(const double v[3], demi_v4 *out)
{
    *out = (demi_v4){v[0], v[1], v[2], v[2]};
}

static DEMI_INLINE void rigid_cross(const demi_v4 *a, const demi_v4 *b, demi_v4 *out)
{
    *out = DEMI_V4_SHUFFLE(*a, *a, 1, 2, 0, 3) * DEMI_V4_SHUFFLE(*b, *b, 2, 0, 1, 3) -
           DEMI_V4_SHUFFLE(*a, *a, 2, 0, 1, 3) * DEMI_V4_SHUFFLE(*b, *b, 1, 2, 0, 3);
}

static DEMI_INLINE void rigid_turned_of(const demi_pose *pose, rigid_turned *t)
{
    rigid_three(pose->orientation + 1, &t->axis);
    t->real = pose->orientation[0];
}

/* As dem_kernel_rotation_to_space. */
static DEMI_INLINE void rigid_to_space(const rigid_turned *by, const double centre[4],
                                       double arm[4])
{
    const demi_v4 v = *demi_v4_at(centre);
    demi_v4 t, s;
    rigid_cross(&by->axis, &v, &t);
    t *= 2.0;
    rigid_cross(&by->axis, &t, &s);
    *(demi_v4 *)arm = v + (by->real * t + s);
}

/* By the rotation of a half step along the chord of a part. */
static DEMI_INLINE void rigid_chord(const demi_v4 *spin, const demi_rigid_arms *arms,
                                    demi_v4 *along)
{
    const demi_v4 middle = 0.5 * (*demi_v4_at(arms->from) + *demi_v4_at(arms->to));
    rigid_cross(spin, &middle, along);
}

/* ------------------------------------------------------------------ forces */

/* Force and torque of contacts and host on a body. The arms of its parts are those of a turn; or,
 * where that is NULL, they are at `arm`, each `stride` doubles after the one before. */
static DEMI_INLINE void rigid_loads(const dem_world *w, const demi_state *state,
                                    const demi_rigid *rigid, const double *arm, uint64_t stride,
                                    const rigid_turned *turn, demi_v4 *force, demi_v4 *torque)
{
    double made[4];
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    const demi_handle *handle = w->handle.read;
    const demi_force_torque *loads = state->force_torque.read;
    const demi_row *outer_force = w->external_force.read, *outer_torque = w->external_torque.read;
    const demi_v4 zero = {0.0, 0.0, 0.0, 0.0};
    *force = *torque = zero;
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        const double *at = turn == NULL ? arm + p * stride : made;
        if (turn != NULL)
            rigid_to_space(turn, part[p].centre, made);
        const uint64_t row = handle[part[p].handle].row;
        demi_v4 f = *demi_v4_at(loads[row].force), t = *demi_v4_at(loads[row].torque), moment;
        if (outer_force != NULL)
            f += DEMI_V4_KEEP_LAST(*demi_v4_at(outer_force[row]), zero);
        if (outer_torque != NULL)
            t += DEMI_V4_KEEP_LAST(*demi_v4_at(outer_torque[row]), zero);
        rigid_cross(demi_v4_at(at), &f, &moment);
        if (p > 0) { /* not from 0, which has a sign */
            f += *force;
            t += *torque;
        }
        *force = f;
        *torque = t + moment;
    }
    demi_v4 f, t;
    rigid_three(rigid->force, &f);
    rigid_three(rigid->torque, &t);
    if (demi_any3(rigid->force))
        *force += f;
    if (demi_any3(rigid->torque))
        *torque += t;
}

DEMI_ENTRY(demi_rigid_load_function, demi_rigid_load_sum);

void demi_rigid_load_sum(const dem_world *w, int next, uint64_t k, double load[6])
{
    const demi_rigid *rigid = &w->rigid.read[k];
    const demi_state *state = next ? &w->next : &w->current;
    const demi_pose *pose = &state->pose.read[k];
    rigid_turned turn;
    demi_v4 force, torque;
    if (rigid->ghost) {
        for (int c = 0; c < 6; ++c)
            load[c] = pose->load[c];
        return;
    }
    rigid_turned_of(pose, &turn);
    rigid_loads(w, state, rigid, NULL, 0, &turn, &force, &torque);
    for (int c = 0; c < 3; ++c) {
        load[c] = force[c];
        load[3 + c] = torque[c];
    }
}

/* What the kick of a free body adds to: contacts and host, at the beginning or the end of a step.
 */
static DEMI_INLINE void rigid_kick_load(const dem_world *w, int at_end, uint64_t k,
                                        const demi_pose *from, demi_v4 *force, demi_v4 *torque)
{
    const demi_rigid *rigid = &w->rigid.read[k];
    const demi_rigid_arms *arms = w->rigid_arms.read + rigid->part_begin;
    if (rigid->ghost) {
        rigid_three(from->load, force);
        rigid_three(from->load + 3, torque);
    } else {
        rigid_loads(w, at_end ? &w->next : &w->current, rigid, at_end ? arms->to : arms->from,
                    sizeof *arms / sizeof(double), NULL, force, torque);
    }
}

/* Kicks the velocities of a free body by the forces at the beginning or the end of a step. */
static DEMI_INLINE void rigid_kick(const dem_world *w, int at_end, uint64_t k, double time,
                                   const demi_pose *from, demi_pose *to)
{
    const demi_rigid *rigid = &w->rigid.read[k];
    demi_v4 force, torque;
    rigid_kick_load(w, at_end, k, from, &force, &torque);
    for (int c = 0; c < 3; ++c) {
        to->velocity[c] =
            from->velocity[c] + (force[c] * rigid->inverse_mass + w->config.gravity[c]) * time;
        to->momentum[c] = from->momentum[c] + torque[c] * rigid->inverse_turning * time;
    }
}

/* Whether the fluid drags a body in the step that is being made. */
static DEMI_INLINE int rigid_dragged(const dem_world *w, uint64_t k)
{
    return w->fluid.read != NULL && w->rigid_drag.read[k].drags;
}

DEMI_APART void rigid_kick_prepare(dem_world *w, uint64_t k, double time)
{
    rigid_drag_prepare(w, k, time, &w->rigid_drag.data[k]);
}

/* The same where a fluid drags. What it gave to the parts is kept until the next kick. */
DEMI_APART void rigid_kick_dragged(dem_world *w, int second, uint64_t k, demi_pose *pose)
{
    demi_rigid_kick kick = {.body = k, .at_end = second};
    demi_v4 force, torque;
    rigid_kick_load(w, second, k, pose, &force, &torque);
    for (int c = 0; c < 3; ++c) {
        kick.load[c] = force[c];
        kick.load[3 + c] = torque[c];
    }
    rigid_drag_kick(w, &kick, pose, &w->rigid_drag.data[k], demi_rigid_given(w, k));
}

/* Books what the fluid gave in a kick; to a ghost, where its owner is. */
DEMI_APART void rigid_kick_book(dem_world *w, uint64_t k)
{
    const demi_rigid_drag *drag = &w->rigid_drag.read[k];
    demi_pose *pose = &w->next.pose.data[k];
    if (w->rigid.read[k].ghost)
        return;
    pose->work_fluid += drag->work;
    pose->dissipated_drag += drag->dissipated;
    demi_rigid_drag_book(w, k);
}

/* ------------------------------------------------------------------ tasks */

/* Fetches what the parts of a body have in a state: their rows are anywhere. */
static DEMI_INLINE void rigid_fetch(const dem_world *w, uint64_t k, const demi_state *loads,
                                    const demi_state *moved)
{
    const demi_rigid *rigid = &w->rigid.read[k];
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        const uint64_t row = w->handle.read[part[p].handle].row;
        if (loads != NULL)
            __builtin_prefetch(&loads->force_torque.read[row]);
        else
            __builtin_prefetch(&w->next.position.read[row], 1);
        __builtin_prefetch(&moved->velocity.read[row], 1);
    }
}

/* Visits the bodies of a task. */
static DEMI_INLINE void rigids_each(const demi_rigid_call *call, uint64_t task,
                                    const demi_state *loads, const demi_state *moved,
                                    void (*visit)(const demi_rigid_call *, uint64_t))
{
    enum { AHEAD = 3 };
    const dem_world *w = call->w;
    const uint64_t all = w->rigids, begin = task * DEMI_RIGID_TASK,
                   end = begin + DEMI_RIGID_TASK < all ? begin + DEMI_RIGID_TASK : all;
    for (uint64_t k = begin; k < end; ++k) {
        if (k + AHEAD < end)
            rigid_fetch(w, k + AHEAD, loads, moved);
        if (w->rigid.read[k].id != 0)
            visit(call, k);
    }
}

/* ------------------------------------------------------------------ the first half */

static DEMI_INLINE void rigid_begin(const demi_rigid_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const demi_rigid *rigid = &w->rigid.read[k];
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    const demi_handle *handle = w->handle.read;
    demi_rigid_arms *arms = w->rigid_arms.data + rigid->part_begin;
    const demi_pose *old = &w->current.pose.read[k];
    demi_pose *pose = &w->next.pose.data[k];
    rigid_turned by;
    rigid_turned_of(old, &by);
    for (uint64_t p = 0; p < rigid->parts; ++p)
        rigid_to_space(&by, part[p].centre, arms[p].from);
    *pose = *old;
    if (w->fluid.read != NULL)
        rigid_kick_prepare(w, k, call->kick);
    /* an evaluation leaves the pose as it is, to the bit, whatever forces are */
    if (call->dt != 0.0) {
        if (rigid_dragged(w, k))
            rigid_kick_dragged(w, 0, k, pose);
        else if (rigid->inverse_mass > 0.0)
            rigid_kick(w, 0, k, call->kick, old, pose);
        pose->too_far =
            dem_kernel_rotation_drift(rigid->turning, call->dt, pose->momentum, pose->orientation,
                                      pose->angular_velocity) != DEM_OK;
        /* an angle whose square is beyond all numbers leaves no quaternion */
        const double *q = pose->orientation;
        pose->too_far |= !(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.5);
    }
    for (int c = 0; c < 3; ++c) {
        const double d = pose->velocity[c] * call->dt, grid = w->exact.grid[c];
        pose->position[c] = old->position[c] + (w->exact.sums.exact ? (d + grid) - grid : d);
    }
    demi_v4 velocity, spin;
    rigid_three(pose->velocity, &velocity);
    rigid_three(pose->angular_velocity, &spin);
    rigid_turned_of(pose, &by);
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        demi_velocities *row = &w->current.velocity.data[handle[part[p].handle].row];
        demi_v4 along;
        rigid_to_space(&by, part[p].centre, arms[p].to);
        rigid_chord(&spin, &arms[p], &along);
        along += velocity;
        *(demi_v4 *)row->velocity = DEMI_V4_KEEP_LAST(along, *demi_v4_at(row->velocity));
        *(demi_v4 *)row->angular_velocity =
            DEMI_V4_KEEP_LAST(spin, *demi_v4_at(row->angular_velocity));
    }
}

DEMI_ENTRY(demi_rigid_function, demi_rigids_begin_task);

void demi_rigids_begin_task(const demi_rigid_call *call, uint64_t task)
{
    rigids_each(call, task, &call->w->current, &call->w->current, rigid_begin);
}

/* What dashpots see is w*, what the half step has w; both differ from the angular momentum where
 * the moments of inertia do. */
static DEMI_INLINE void rigid_place(const demi_rigid_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const demi_rigid *rigid = &w->rigid.read[k];
    const demi_pose *old = &w->current.pose.read[k], *pose = &w->next.pose.read[k];
    const demi_rigid_drag *drag = rigid_dragged(w, k) ? &w->rigid_drag.read[k] : NULL;
    demi_velocities *seen_rows =
        w->fluid.read != NULL ? w->damping_velocity.data : w->current.velocity.data;
    double momentum[3], surplus[3], begun[6];
    demi_v4 seen = {0.0, 0.0, 0.0, 0.0}, spin = seen, half, velocity, position;
    /* as far before the half step as what dashpots see is after it */
    for (int c = 0; c < 3; ++c) {
        begun[c] = drag != NULL ? pose->velocity[c] - drag->glide[c] : old->velocity[c];
        begun[3 + c] = drag != NULL ? pose->momentum[c] - drag->glide[3 + c] : old->momentum[c];
        momentum[c] = pose->momentum[c] + (pose->momentum[c] - begun[3 + c]);
    }
    dem_kernel_rotation_surplus(rigid->turning, pose->orientation, momentum, surplus);
    for (int c = 0; c < 3; ++c) {
        seen[c] = momentum[c] + surplus[c];
        spin[c] =
            begun[3 + c] + (2.0 * (pose->angular_velocity[c] - pose->momentum[c]) - surplus[c]);
    }
    rigid_three(pose->angular_velocity, &half);
    rigid_three(begun, &velocity);
    rigid_three(pose->position, &position);
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    const demi_rigid_arms *arms = w->rigid_arms.read + rigid->part_begin;
    const demi_v4 grid = *demi_v4_at(w->exact.grid);
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        const uint64_t row = w->handle.read[part[p].handle].row;
        const demi_velocities *lent = &w->current.velocity.read[row];
        demi_velocities *seen_row = &seen_rows[row];
        double *x = w->next.position.data[row];
        demi_v4 chord, end;
        rigid_chord(&half, &arms[p], &chord);
        rigid_cross(&seen, demi_v4_at(arms[p].to), &end);
        demi_v4 arm = *demi_v4_at(arms[p].to);
        if (w->exact.sums.exact) /* so that adding a period does not round */
            arm = (arm + grid) - grid;
        const demi_v4 v = velocity + (2.0 * chord - end), to = position + arm;
        *(demi_v4 *)seen_row->velocity = DEMI_V4_KEEP_LAST(v, *demi_v4_at(lent->velocity));
        *(demi_v4 *)seen_row->angular_velocity =
            DEMI_V4_KEEP_LAST(spin, *demi_v4_at(lent->angular_velocity));
        *(demi_v4 *)x = DEMI_V4_KEEP_LAST(to, *demi_v4_at(x));
        const demi_body *body = &w->body.read[row];
        for (int c = 0; c < 3 && w->periodic; ++c)
            if (pose->image[c] != body->image[c])
                x[c] += (pose->image[c] - body->image[c]) *
                        (w->config.box_high[c] - w->config.box_low[c]);
    }
}

DEMI_ENTRY(demi_rigid_function, demi_rigids_place_task);

void demi_rigids_place_task(const demi_rigid_call *call, uint64_t task)
{
    rigids_each(call, task, NULL, &call->w->current, rigid_place);
}

/* ------------------------------------------------------------------ the second half */

/* Work of the host's forces on a body and on its parts, with the displacement of the step, or that
 * of its second half for parts whose forces the hook changed. */
static DEMI_INLINE double rigid_work(const dem_world *w, uint64_t k, double dt, double parts_dt)
{
    const demi_rigid *rigid = &w->rigid.read[k];
    const demi_pose *half = &w->next.pose.read[k];
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    const demi_row *force = w->external_force.read, *torque = w->external_torque.read;
    const double whole =
        demi_dot(rigid->force, half->velocity) + demi_dot(rigid->torque, half->angular_velocity);
    double power = 0.0;
    for (uint64_t p = 0; (force != NULL || torque != NULL) && p < rigid->parts; ++p) {
        const uint64_t row = w->handle.read[part[p].handle].row;
        const demi_velocities *chord = &w->next.velocity.read[row];
        if (force != NULL)
            power += demi_dot(force[row], chord->velocity);
        if (torque != NULL)
            power += demi_dot(torque[row], chord->angular_velocity);
    }
    return whole * dt + power * parts_dt;
}

static DEMI_INLINE void rigid_end(const demi_rigid_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const demi_rigid *rigid = &w->rigid.read[k];
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    const demi_rigid_arms *arms = w->rigid_arms.read + rigid->part_begin;
    demi_pose *pose = &w->next.pose.data[k];
    pose->work = pose->work_fluid = pose->dissipated_drag = 0.0;
    if (call->dt != 0.0) {
        if (rigid->inverse_mass > 0.0 && !rigid->ghost)
            pose->work = rigid_work(w, k, call->dt, call->work_time);
        if (w->fluid.read != NULL && call->booked)
            rigid_kick_prepare(w, k, call->kick);
        else if (rigid_dragged(w, k))
            rigid_kick_book(w, k);
        if (rigid_dragged(w, k)) {
            rigid_kick_dragged(w, 1, k, pose);
            rigid_kick_book(w, k);
        } else if (rigid->inverse_mass > 0.0) {
            rigid_kick(w, 1, k, call->kick, pose, pose);
        }
        dem_kernel_rotation_velocity(rigid->turning, pose->orientation, pose->momentum,
                                     pose->angular_velocity);
    }
    demi_v4 velocity, spin;
    rigid_three(pose->velocity, &velocity);
    rigid_three(pose->angular_velocity, &spin);
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        demi_velocities *row = &w->next.velocity.data[w->handle.read[part[p].handle].row];
        demi_v4 along;
        rigid_cross(&spin, demi_v4_at(arms[p].to), &along);
        along += velocity;
        *(demi_v4 *)row->velocity = DEMI_V4_KEEP_LAST(along, *demi_v4_at(row->velocity));
        *(demi_v4 *)row->angular_velocity =
            DEMI_V4_KEEP_LAST(spin, *demi_v4_at(row->angular_velocity));
    }
}

DEMI_ENTRY(demi_rigid_function, demi_rigids_end_task);

void demi_rigids_end_task(const demi_rigid_call *call, uint64_t task)
{
    rigids_each(call, task, &call->w->next, &call->w->next, rigid_end);
}
