/* SPDX-License-Identifier: MIT */
/* Lanes of contacts as the next step has them when it evaluates: velocities after its first kick,
 * positions after its drift. Nothing is changed but lanes. */
#include "shapes/slots.h"
#include "world/reading.h"
#include "world/wall_lane.h"

/* A body's motion in the next step. */
typedef struct next_motion {
    double velocity[3], angular_velocity[3]; /* after the first kick */
    double gain[3], angular_gain[3];         /* until dashpots see them */
} next_motion;

static demi_motion row_next(const dem_world *w, uint64_t row, double dt, next_motion *m)
{
    const double kick = demi_kick_first(w, dt);
    demi_velocities_after(w, row, kick, m->velocity, m->angular_velocity);
    demi_velocities_after(w, row, kick + w->scheme->ahead * dt, m->gain, m->angular_gain);
    for (int c = 0; c < 3; ++c) {
        m->gain[c] -= m->velocity[c];
        m->angular_gain[c] -= m->angular_velocity[c];
    }
    const demi_motion motion = {w->current.position.read[row][3],
                                w->current.velocity.read[row].velocity[3],
                                m->velocity,
                                m->gain,
                                m->angular_velocity,
                                m->angular_gain};
    return motion;
}

/* Adds the velocity of the surface against a solid whose vertices move. */
static void wall_deforms(const dem_world *w, const demi_reading *reading, uint64_t k,
                         double velocity[3])
{
    const demi_batch_group *group = demi_reading_group(w, reading);
    const demi_solid *solid = &w->current.solid.read[reading->other[k]];
    const double *kept = reading->state[k] + group->state_stride - demi_shapes[group->shape]->kept;
    const demi_mesh_point at =
        demi_slot_point(solid, kept, w->current.position.read[reading->own[k]]);
    double deform[3];
    demi_slot_deform(solid, &at, deform);
    for (int c = 0; c < 3; ++c)
        velocity[c] += deform[c];
}

/* The wall of a lane that has the gap and the normal of now; velocity: at the contact point. */
static demi_motion wall_next(const dem_world *w, const demi_reading *reading, uint64_t k, int first,
                             const demi_lanes *lanes, double velocity[3])
{
    static const double none[3] = {0.0, 0.0, 0.0};
    const demi_solid *solid = &w->current.solid.read[reading->other[k]];
    const double *x = w->current.position.read[reading->own[k]];
    double normal[3], arm[3];
    for (int c = 0; c < 3; ++c)
        normal[c] = first ? lanes->offset[c][k] : -lanes->offset[c][k];
    demi_wall_arm(solid, x, x[3] - lanes->overlap_given[k], normal, arm);
    demi_shape_velocity(solid, arm, velocity);
    if (solid->deforms)
        wall_deforms(w, reading, k, velocity);
    const demi_motion wall = {0.0, 0.0, velocity, none, solid->angular_velocity, none};
    return wall;
}

void demi_reading_ahead(const dem_world *w, const demi_reading *reading, double dt,
                        demi_lanes *lanes)
{
    const demi_batch_group *group = demi_reading_group(w, reading);
    const int wall = group->shape != DEMI_SHAPE_SPHERE, first = demi_own_first(group);
    for (uint64_t k = 0; k < DEMI_PADDED(reading->count); ++k) {
        next_motion of_own, of_other;
        double of_wall[3];
        const demi_motion own = row_next(w, reading->own[k], dt, &of_own),
                          other = wall ? wall_next(w, reading, k, first, lanes, of_wall)
                                       : row_next(w, reading->other[k], dt, &of_other);
        /* with the share of a body's rotation, which rows do not have */
        const double inverse_mass = lanes->inverse_mass[k];
        demi_motion_fill(lanes, k, first ? own : other, first ? other : own);
        lanes->inverse_mass[k] = inverse_mass;
        for (int c = 0; c < 3; ++c) {
            const double way = dt * lanes->velocity[c][k];
            if (wall)
                lanes->overlap_given[k] -= way * lanes->offset[c][k];
            else
                lanes->offset[c][k] += way;
        }
    }
}
