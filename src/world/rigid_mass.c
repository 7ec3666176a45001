/* SPDX-License-Identifier: MIT */
/* How heavy bodies are, for limits on the time step and for energies. */
#include "world/images.h"

#include "base/check.h"
#include "mesh/polyhedron.h"

#include <dem/rotation.h>

int demi_rigid_moves(const demi_rigid *rigid)
{
    return rigid->id != 0 && rigid->inverse_mass > 0.0;
}

/* |t| is at most the length of the arm, which of a polyhedron ends at its farthest vertex, and the
 * moment at least the smallest. */
double demi_rigid_inverse_most(const demi_rigid *rigid, const demi_rigid_part *part)
{
    const double *i = rigid->turning;
    const double least = fmin(i[0], fmin(i[1], i[2]));
    double square = demi_dot(part->centre, part->centre);
    if (part->shape != NULL) {
        const double arm = sqrt(square) + part->shape->radius;
        square = arm * arm;
    }
    return rigid->inverse_mass + square / least;
}

double demi_rigid_inverse_whole(const dem_world *w, const demi_rigid *rigid)
{
    const demi_rigid_part *part = w->rigid_part.read + rigid->part_begin;
    double sum = 0.0;
    for (uint64_t p = 0; p < rigid->parts; ++p)
        sum += demi_rigid_inverse_most(rigid, &part[p]);
    return sum;
}

void demi_rigid_energies(const dem_world *w, uint64_t k, double *translation, double *rotation,
                         double *potential)
{
    const demi_rigid *rigid = &w->rigid.read[k];
    const demi_pose *pose = &w->current.pose.read[k];
    const double mean = dem_kernel_rotation_mean(rigid->inertia);
    *translation = 0.5 * rigid->mass * demi_dot(pose->velocity, pose->velocity);
    *rotation = 0.5 * mean * demi_dot(pose->momentum, pose->angular_velocity);
    *potential = 0.0;
    for (int c = 0; c < 3; ++c)
        *potential -= rigid->mass * w->config.gravity[c] *
                      demi_unwrapped(w, c, pose->position[c], pose->image[c]);
}
