/* SPDX-License-Identifier: MIT */
/* A step of rigid bodies. With d0 and d1 the arms of a part at the beginning and the end of the
 * step, its row has the velocity of the chord, V + w x (d0 + d1)/2, so that the way back leads to
 * where it was. Dashpots see V* + w* x d1: rows of the current state have what lets them come to
 * that. A body sums what acts on its parts by their number, starting from the first. */
#include "world/world.h"

#include "base/check.h"
#include "base/parallel.h"

#include <dem/rotation.h>

#include <string.h>

enum { RIGID_TASK = 128 };

typedef struct rigid_call {
    dem_world *w;
    double dt, kick;
    void (*visit)(const struct rigid_call *call, uint64_t k);
} rigid_call;

static void rigids_task(void *argument, uint64_t task)
{
    const rigid_call *call = argument;
    const uint64_t all = call->w->rigids, end = (task + 1) * RIGID_TASK;
    for (uint64_t k = task * RIGID_TASK; k < (end < all ? end : all); ++k)
        if (call->w->rigid.read[k].id != 0)
            call->visit(call, k);
}

static void rigids_visit(rigid_call *call)
{
    demi_parallel(&call->w->config.executor, rigids_task, call,
                  (call->w->rigids + RIGID_TASK - 1) / RIGID_TASK);
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static void arm_of(const demi_rigid_part *part, const demi_pose *pose, double arm[3])
{
    memcpy(arm, part->centre, 3 * sizeof(double));
    dem_kernel_rotation_to_space(pose->orientation, arm);
}

/* ------------------------------------------------------------------ forces */

/* Force and torque of contacts and host on a body. */
static void loads_of(const dem_world *w, const demi_state *state, uint64_t k, double force[3],
                     double torque[3])
{
    const demi_rigid *rigid = &w->rigid.read[k];
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    memset(force, 0, 3 * sizeof force[0]);
    memset(torque, 0, 3 * sizeof torque[0]);
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        const uint64_t row = demi_rigid_row(w, &part[p]);
        const demi_force_torque *load = &state->force_torque.read[row];
        double f[3], t[3], arm[3], moment[3];
        memcpy(f, load->force, sizeof f);
        memcpy(t, load->torque, sizeof t);
        for (int c = 0; c < 3 && w->external_force.read != NULL; ++c)
            f[c] += w->external_force.read[row][c];
        for (int c = 0; c < 3 && w->external_torque.read != NULL; ++c)
            t[c] += w->external_torque.read[row][c];
        arm_of(&part[p], &state->pose.read[k], arm);
        cross(arm, f, moment);
        for (int c = 0; c < 3; ++c) {
            force[c] = p == 0 ? f[c] : force[c] + f[c];
            torque[c] = (p == 0 ? t[c] : torque[c] + t[c]) + moment[c];
        }
    }
    for (int c = 0; c < 3 && demi_any3(rigid->force); ++c)
        force[c] += rigid->force[c];
    for (int c = 0; c < 3 && demi_any3(rigid->torque); ++c)
        torque[c] += rigid->torque[c];
}

void demi_rigid_loads(const dem_world *w, uint64_t k, double force[3], double torque[3])
{
    loads_of(w, &w->current, k, force, torque);
}

/* Kicks the velocities of a free body by the forces of a state. */
static void kick(const dem_world *w, const demi_state *state, uint64_t k, double time,
                 const demi_pose *from, demi_pose *to)
{
    const demi_rigid *rigid = &w->rigid.read[k];
    double force[3], torque[3];
    loads_of(w, state, k, force, torque);
    for (int c = 0; c < 3; ++c) {
        to->velocity[c] =
            from->velocity[c] + (force[c] * rigid->inverse_mass + w->config.gravity[c]) * time;
        to->momentum[c] = from->momentum[c] + torque[c] * rigid->inverse_turning * time;
    }
}

/* ------------------------------------------------------------------ the first half */

static void begin(const rigid_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const demi_rigid *rigid = &w->rigid.read[k];
    const demi_pose *old = &w->current.pose.read[k];
    demi_pose *pose = &w->next.pose.data[k];
    *pose = *old;
    if (rigid->inverse_mass > 0.0)
        kick(w, &w->current, k, call->kick, old, pose);
    /* an evaluation leaves the pose as it is, to the bit */
    if (call->dt != 0.0)
        pose->too_far =
            dem_kernel_rotation_drift(rigid->turning, call->dt, pose->momentum, pose->orientation,
                                      pose->angular_velocity) != DEM_OK;
    for (int c = 0; c < 3; ++c)
        pose->position[c] = old->position[c] + pose->velocity[c] * call->dt;
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        demi_velocities *row = &w->current.velocity.data[demi_rigid_row(w, &part[p])];
        double d0[3], d1[3], along[3];
        arm_of(&part[p], old, d0);
        arm_of(&part[p], pose, d1);
        for (int c = 0; c < 3; ++c)
            d0[c] = 0.5 * (d0[c] + d1[c]);
        cross(pose->angular_velocity, d0, along);
        for (int c = 0; c < 3; ++c) {
            row->velocity[c] = pose->velocity[c] + along[c];
            row->angular_velocity[c] = pose->angular_velocity[c];
        }
    }
}

dem_status demi_rigids_begin(dem_world *w, double dt)
{
    rigid_call call = {w, dt, demi_kick_first(w, dt), begin};
    rigids_visit(&call);
    for (uint64_t k = 0; k < w->rigids; ++k)
        if (w->rigid.read[k].id != 0 && w->next.pose.read[k].too_far)
            return demi_fail(&w->context, DEM_ERROR_DIVERGED,
                             "body %llu: it turns too far in step %llu: take a smaller dt",
                             (unsigned long long)w->rigid.read[k].id,
                             (unsigned long long)w->steps + 1);
    return DEM_OK;
}

/* What dashpots see is w*, what the half step has w; both differ from the angular momentum where
 * the moments of inertia do. */
static void place(const rigid_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const demi_rigid *rigid = &w->rigid.read[k];
    const demi_pose *old = &w->current.pose.read[k], *pose = &w->next.pose.read[k];
    double momentum[3], surplus[3], seen[3], spin[3];
    for (int c = 0; c < 3; ++c)
        momentum[c] = pose->momentum[c] + (pose->momentum[c] - old->momentum[c]);
    dem_kernel_rotation_surplus(rigid->turning, pose->orientation, momentum, surplus);
    for (int c = 0; c < 3; ++c) {
        seen[c] = momentum[c] + surplus[c];
        spin[c] =
            old->momentum[c] + (2.0 * (pose->angular_velocity[c] - pose->momentum[c]) - surplus[c]);
    }
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        const uint64_t row = demi_rigid_row(w, &part[p]);
        const demi_body *body = &w->body.read[row];
        demi_velocities *velocities = &w->current.velocity.data[row];
        double d0[3], d1[3], chord[3], end[3];
        arm_of(&part[p], old, d0);
        arm_of(&part[p], pose, d1);
        for (int c = 0; c < 3; ++c)
            d0[c] = 0.5 * (d0[c] + d1[c]);
        cross(pose->angular_velocity, d0, chord);
        cross(seen, d1, end);
        for (int c = 0; c < 3; ++c) {
            double *x = &w->next.position.data[row][c];
            velocities->velocity[c] = old->velocity[c] + (2.0 * chord[c] - end[c]);
            velocities->angular_velocity[c] = spin[c];
            *x = pose->position[c] + d1[c];
            if (pose->image[c] != body->image[c])
                *x += (pose->image[c] - body->image[c]) *
                      (w->config.box_high[c] - w->config.box_low[c]);
        }
    }
}

void demi_rigids_place(dem_world *w)
{
    rigid_call call = {.w = w, .visit = place};
    rigids_visit(&call);
}

/* ------------------------------------------------------------------ the second half */

/* The velocities of the parts at the time of a pose. */
static void parts_velocities(const dem_world *w, const demi_state *state, uint64_t k)
{
    const demi_rigid *rigid = &w->rigid.read[k];
    const demi_pose *pose = &state->pose.read[k];
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        demi_velocities *row = &state->velocity.data[demi_rigid_row(w, &part[p])];
        double arm[3], along[3];
        arm_of(&part[p], pose, arm);
        cross(pose->angular_velocity, arm, along);
        for (int c = 0; c < 3; ++c) {
            row->velocity[c] = pose->velocity[c] + along[c];
            row->angular_velocity[c] = pose->angular_velocity[c];
        }
    }
}

/* Work of the host's forces on a body and on its parts, with the displacement of the step. */
static double work_of(const dem_world *w, uint64_t k, double dt)
{
    const demi_rigid *rigid = &w->rigid.read[k];
    const demi_pose *half = &w->next.pose.read[k];
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    double power =
        demi_dot(rigid->force, half->velocity) + demi_dot(rigid->torque, half->angular_velocity);
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        const uint64_t row = demi_rigid_row(w, &part[p]);
        const demi_velocities *chord = &w->next.velocity.read[row];
        if (w->external_force.read != NULL)
            power += demi_dot(w->external_force.read[row], chord->velocity);
        if (w->external_torque.read != NULL)
            power += demi_dot(w->external_torque.read[row], chord->angular_velocity);
    }
    return power * dt;
}

static void end(const rigid_call *call, uint64_t k)
{
    dem_world *w = call->w;
    const demi_rigid *rigid = &w->rigid.read[k];
    demi_pose *pose = &w->next.pose.data[k];
    pose->work = 0.0;
    if (rigid->inverse_mass > 0.0) {
        const demi_pose half = *pose;
        pose->work = work_of(w, k, call->dt);
        kick(w, &w->next, k, call->kick, &half, pose);
    }
    if (call->dt != 0.0)
        dem_kernel_rotation_velocity(rigid->turning, pose->orientation, pose->momentum,
                                     pose->angular_velocity);
    parts_velocities(w, &w->next, k);
}

void demi_rigids_end(dem_world *w, double dt)
{
    rigid_call call = {w, dt, demi_kick_second(w, dt), end};
    rigids_visit(&call);
    for (uint64_t k = 0; k < w->rigids; ++k)
        if (w->rigid.read[k].id != 0)
            w->work_external += w->next.pose.read[k].work;
}

static void restore(const rigid_call *call, uint64_t k)
{
    parts_velocities(call->w, &call->w->current, k);
}

void demi_rigids_restore(dem_world *w)
{
    rigid_call call = {.w = w, .visit = restore};
    rigids_visit(&call);
}

/* ------------------------------------------------------------------ boundaries */

static void wrap(const rigid_call *call, uint64_t k)
{
    dem_world *w = call->w;
    demi_pose *pose = &w->current.pose.data[k];
    const demi_rigid_part *first = w->rigid_part.read + w->rigid.read[k].part_begin;
    const demi_body *body = &w->body.read[demi_rigid_row(w, first)];
    for (int c = 0; c < 3; ++c) {
        const int32_t periods = body->image[c] - pose->image[c];
        if (periods == 0)
            continue;
        pose->position[c] -= periods * (w->config.box_high[c] - w->config.box_low[c]);
        pose->image[c] = body->image[c];
    }
}

void demi_rigids_wrap(dem_world *w)
{
    rigid_call call = {.w = w, .visit = wrap};
    rigids_visit(&call);
}
