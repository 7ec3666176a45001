/* SPDX-License-Identifier: MIT */
/* Setting the motion of rigid bodies, and the loads of the host. */
#include "base/check.h"
#include "base/entry.h"
#include "world/bodies.h"
#include "world/images.h"

#include <dem/rotation.h>

#include <stdio.h>
#include <string.h>

dem_status demi_body_ghost_refuse(const dem_world *w, uint64_t place)
{
    if (!w->rigid.read[place].ghost)
        return DEM_OK;
    return demi_fail(w->self, DEM_ERROR_STATE,
                     "body %llu: is a ghost, which another world owns: dem_ghost_bodies_set moves "
                     "and removes it",
                     (unsigned long long)w->rigid.read[place].id);
}

void demi_body_pose_write(const demi_rigid *rigid, const dem_body *b, demi_pose *pose)
{
    memset(pose, 0, sizeof *pose);
    memcpy(pose->position, b->position, sizeof pose->position);
    memcpy(pose->velocity, b->velocity, sizeof pose->velocity);
    memcpy(pose->angular_velocity, b->angular_velocity, sizeof pose->angular_velocity);
    memcpy(pose->orientation, b->orientation, sizeof pose->orientation);
    const double none[3] = {0.0, 0.0, 0.0};
    dem_kernel_rotate_orientation(none, 0.0, pose->orientation);
    dem_kernel_rotation_momentum(rigid->turning, pose->orientation, pose->angular_velocity,
                                 pose->momentum);
}

/* Replaces what is given; whether that changes a bit. */
static int replaced(double *to, const double *value, size_t count)
{
    /* bits are meant, the sign of a zero, too */
    if (value == NULL || memcmp(to, value, count * sizeof(double)) == 0)
        return 0;
    memcpy(to, value, count * sizeof(double));
    return 1;
}

/* The rows of the parts follow a new pose. */
static void parts_move(dem_world *w, uint64_t place)
{
    const demi_rigid *rigid = &w->rigid.read[place];
    const demi_pose *pose = &w->current.pose.read[place];
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    for (uint64_t p = 0; p < rigid->parts; ++p) {
        const uint64_t row = demi_rigid_row(w, &part[p]);
        double arm[3];
        memcpy(arm, part[p].centre, sizeof arm);
        dem_kernel_rotation_to_space(pose->orientation, arm);
        for (int c = 0; c < 3; ++c) {
            const int32_t periods = pose->image[c] - w->body.read[row].image[c];
            double *x = &w->current.position.data[row][c];
            *x = pose->position[c] + arm[c];
            if (periods != 0)
                *x += periods * (w->config.box_high[c] - w->config.box_low[c]);
        }
    }
}

DEMI_GUARDED guarded_body_set_motion(dem_world *world, dem_body_handle handle,
                                     const double position[3], const double orientation[4],
                                     const double velocity[3], const double angular_velocity[3])
{
    demi_context *context = &world->context;
    uint64_t place;
    dem_status status = demi_rigid_place_of(world, handle, &place);
    if (status == DEM_OK)
        status = demi_body_ghost_refuse(world, place);
    if (status != DEM_OK)
        return status;
    const demi_rigid *rigid = &world->rigid.read[place];
    char name[32];
    snprintf(name, sizeof name, "body %llu", (unsigned long long)rigid->id);
    status =
        demi_body_motion_check(context, name, position, orientation, velocity, angular_velocity);
    if (status != DEM_OK)
        return status;
    if ((velocity != NULL || angular_velocity != NULL) && !demi_kinds[rigid->mobility].moves)
        return demi_fail(context, DEM_ERROR_STATE,
                         "body %llu: velocities of a fixed body cannot be set: give NULL for them",
                         (unsigned long long)rigid->id);
    const int beyond = position != NULL ? demi_axis_beyond_images(world, position) : -1;
    if (beyond >= 0)
        return demi_fail(context, DEM_ERROR_RANGE,
                         "body %llu: position %g m is %d periods of axis %d or more from the box",
                         (unsigned long long)rigid->id, position[beyond], DEMI_IMAGE_MOST, beyond);
    const dem_body old = demi_body_of(world, place);
    dem_body b = old;
    const int moved = replaced(b.position, position, 3),
              turned = replaced(b.orientation, orientation, 4),
              pushed = replaced(b.velocity, velocity, 3),
              spun = replaced(b.angular_velocity, angular_velocity, 3);
    if (!(moved | turned | pushed | spun))
        return DEM_OK;
    demi_pose *pose = &world->current.pose.data[place];
    const demi_pose before = *pose;
    demi_body_pose_write(rigid, &b, pose);
    memcpy(pose->image, before.image, sizeof pose->image);
    for (int c = 0; c < 3; ++c)
        pose->position[c] = b.position[c] == old.position[c]
                                ? before.position[c]
                                : demi_wrapped(world, c, b.position[c], &pose->image[c]);
    if (!turned) /* as they were, to the bit */
        memcpy(pose->orientation, before.orientation, sizeof pose->orientation);
    if (!turned && !spun)
        memcpy(pose->momentum, before.momentum, sizeof pose->momentum);
    if (moved | turned)
        parts_move(world, place);
    demi_rigid_restore(world, place);
    world->list_stale |= moved | turned;
    world->forces_stale = 1;
    demi_ghosts_outdate(world);
    return DEM_OK;
}

dem_status dem_body_set_motion(dem_world *world, dem_body_handle handle, const double position[3],
                               const double orientation[4], const double velocity[3],
                               const double angular_velocity[3])
{
    DEMI_SET(world, guarded_body_set_motion(world, handle, position, orientation, velocity,
                                            angular_velocity));
}

DEMI_GUARDED guarded_body_set_force(dem_world *world, dem_body_handle handle, const double force[3],
                                    const double torque[3])
{
    uint64_t place;
    dem_status status = demi_rigid_place_of(world, handle, &place);
    if (status == DEM_OK)
        status = demi_body_ghost_refuse(world, place);
    if (status != DEM_OK)
        return status;
    demi_rigid *rigid = &world->rigid.data[place];
    const double *wrong = force != NULL && !demi_finite3(force)     ? force
                          : torque != NULL && !demi_finite3(torque) ? torque
                                                                    : NULL;
    if (wrong != NULL)
        return demi_fail(&world->context, DEM_ERROR_RANGE,
                         "body %llu: external %s: (%g, %g, %g) must be finite",
                         (unsigned long long)rigid->id, wrong == force ? "force" : "torque",
                         wrong[0], wrong[1], wrong[2]);
    if (force != NULL)
        memcpy(rigid->force, force, sizeof rigid->force);
    if (torque != NULL)
        memcpy(rigid->torque, torque, sizeof rigid->torque);
    return DEM_OK;
}

dem_status dem_body_set_force(dem_world *world, dem_body_handle handle, const double force[3],
                              const double torque[3])
{
    DEMI_SET(world, guarded_body_set_force(world, handle, force, torque));
}
