/* SPDX-License-Identifier: MIT */
/* The phases of a step of rigid bodies, see simd/rigid.c; what their parts have outside of one. */
#include "base/check.h"
#include "base/isa.h"
#include "base/parallel.h"
#include "world/rigid_drag.h"
#include "world/world.h"

#include <dem/rotation.h>

#include <string.h>

DEMI_COPIES(demi_rigid_function, demi_rigids_begin_task);
DEMI_COPIES(demi_rigid_function, demi_rigids_place_task);
DEMI_COPIES(demi_rigid_function, demi_rigids_end_task);

DEMI_COPIES(demi_rigid_load_function, demi_rigid_load_sum);

void demi_rigid_load(const dem_world *w, int next, uint64_t k, double load[6])
{
    demi_rigid_load_sum[w->models.isa](w, next, k, load);
}

typedef struct rigids_call {
    demi_rigid_call call;
    demi_rigid_function *task;
} rigids_call;

static void rigids_task(void *argument, uint64_t task)
{
    const rigids_call *of = argument;
    of->task(&of->call, task);
}

static void rigids_run(demi_rigid_call call, demi_rigid_function *task)
{
    const dem_world *w = call.w;
    rigids_call of = {call, task};
    demi_parallel(&w->config.executor, rigids_task, &of,
                  (w->rigids + DEMI_RIGID_TASK - 1) / DEMI_RIGID_TASK);
}

/* ------------------------------------------------------------------ the phases */

dem_status demi_rigids_begin(dem_world *w, double dt)
{
    const demi_rigid_call call = {.w = w, .dt = dt, .kick = demi_kick_first(w, dt)};
    const dem_status status = w->fluid.read != NULL ? demi_rigid_drag_reserve(w) : DEM_OK;
    if (status != DEM_OK)
        return status;
    rigids_run(call, demi_rigids_begin_task[w->models.isa]);
    for (uint64_t k = 0; k < w->rigids; ++k)
        if (w->rigid.read[k].id != 0 && w->next.pose.read[k].too_far)
            return demi_fail(&w->context, DEM_ERROR_DIVERGED,
                             "body %llu: it turns too far in step %llu: take a smaller dt",
                             (unsigned long long)w->rigid.read[k].id,
                             (unsigned long long)w->steps + 1);
    return DEM_OK;
}

void demi_rigids_place(dem_world *w)
{
    rigids_run((demi_rigid_call){.w = w}, demi_rigids_place_task[w->models.isa]);
}

void demi_rigids_end(dem_world *w, double dt, double work_time, int booked)
{
    const demi_rigid_call call = {.w = w,
                                  .dt = dt,
                                  .kick = demi_kick_second(w, dt),
                                  .work_time = work_time,
                                  .booked = booked};
    rigids_run(call, demi_rigids_end_task[w->models.isa]);
    for (uint64_t k = 0; k < w->rigids; ++k) {
        const demi_pose *pose = &w->next.pose.read[k];
        if (w->rigid.read[k].id == 0)
            continue;
        w->work_external += pose->work;
        w->work_fluid += pose->work_fluid;
        w->dissipated_drag += pose->dissipated_drag;
    }
}

/* ------------------------------------------------------------------ between steps */

/* From the centre of mass to a part, in space. */
static void arm_of(const demi_rigid_part *part, const demi_pose *pose, double arm[3])
{
    memcpy(arm, part->centre, 3 * sizeof(double));
    dem_kernel_rotation_to_space(pose->orientation, arm);
}

void demi_rigid_restore(dem_world *w, uint64_t k)
{
    const demi_rigid *rigid = &w->rigid.read[k];
    const demi_pose *pose = &w->current.pose.read[k];
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        demi_velocities *row = &w->current.velocity.data[demi_rigid_row(w, &part[p])];
        double arm[3], along[3];
        arm_of(&part[p], pose, arm);
        demi_cross(pose->angular_velocity, arm, along);
        for (int c = 0; c < 3; ++c) {
            row->velocity[c] = pose->velocity[c] + along[c];
            row->angular_velocity[c] = pose->angular_velocity[c];
        }
    }
}

void demi_rigids_restore(dem_world *w)
{
    for (uint64_t k = 0; k < w->rigids; ++k)
        if (w->rigid.read[k].id != 0)
            demi_rigid_restore(w, k);
}

/* Brings a body into the box after its first part. */
static void wrap(dem_world *w, uint64_t k)
{
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
    for (uint64_t k = 0; k < w->rigids; ++k)
        if (w->rigid.read[k].id != 0)
            wrap(w, k);
}
