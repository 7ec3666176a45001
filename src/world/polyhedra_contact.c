/* SPDX-License-Identifier: MIT */
/* Contacts of polyhedra on their way into lanes and back: kinematics of the point of the force, and
 * the moments. Source of the force and of its whole moment: Feng, Comput. Methods Appl. Mech. Eng.
 * 373 (2021). */
#include "base/check.h"
#include "contact/half_arms.h"
#include "contact/motion.h"
#include "world/world.h"

#include <dem/rotation.h>

#include <string.h>

static const demi_state *faceted_state(const demi_faceted_call *call)
{
    return call->next ? &call->w->next : &call->w->current;
}

/* ------------------------------------------------------------------ kinematics */

/* From the centres of the ends to the point of the force: i and j, at the end of the step and half
 * of the way. Those of a wall are 0: its velocity is that of the point. */
typedef struct faceted_arms {
    double end[2][3], half[2][3];
} faceted_arms;

static void faceted_arms_of(const demi_faceted_call *call, const demi_ends *ends,
                            const demi_faceted_contact *contact, faceted_arms *arms)
{
    const demi_state *state = faceted_state(call);
    double own[3], other[3] = {0.0, 0.0, 0.0};
    memset(arms, 0, sizeof *arms);
    demi_faceted_place(call->w, state, ends, 0, own);
    if (!ends->wall)
        demi_faceted_place(call->w, state, ends, 1, other);
    const int row = ends->wall && !ends->first ? 1 : 0;
    for (int c = 0; c < 3; ++c) {
        arms->end[row][c] = contact->point[c];
        if (!ends->wall)
            arms->end[1][c] =
                contact->point[c] + (ends->first ? own[c] - other[c] : other[c] - own[c]);
    }
}

/* Those of half of the way: from the middle of the old and the new centre to that of the points.
 * The old point of a new contact went along with the row at a wall, else with the mean of both. */
static void faceted_arms_half(const demi_faceted_call *call, const demi_ends *ends,
                              const demi_faceted_contact *before, const demi_lanes *b, uint64_t k,
                              faceted_arms *arms)
{
    const int row = ends->first ? 0 : 1;
    const double velocity[3] = {b->velocity[0][k], b->velocity[1][k], b->velocity[2][k]},
                 *old = before != NULL ? before->point : NULL;
    if (!ends->wall) {
        demi_half_arms(arms->end[0], arms->end[1], velocity, old, call->dt, arms->half[0],
                       arms->half[1]);
        return;
    }
    for (int c = 0; c < 3; ++c)
        arms->half[row][c] = old != NULL ? 0.5 * (old[c] + arms->end[row][c]) : arms->end[row][c];
}

/* The row of one end with its motion. */
static demi_motion faceted_row(const demi_faceted_call *call, uint64_t row, double gain[2][3])
{
    const dem_world *w = call->w;
    const demi_velocities *v = &faceted_state(call)->velocity.read[row],
                          *t0 = &demi_damping_velocities(w, call->again)[row];
    for (int c = 0; c < 3; ++c) {
        gain[0][c] = call->next ? (v->velocity[c] - t0->velocity[c]) * call->again : 0.0;
        gain[1][c] =
            call->next ? (v->angular_velocity[c] - t0->angular_velocity[c]) * call->again : 0.0;
    }
    const demi_motion motion = {faceted_state(call)->position.read[row][3],
                                v->velocity[3],
                                v->velocity,
                                gain[0],
                                v->angular_velocity,
                                gain[1]};
    return motion;
}

/* From the centre of a wall to the point of the force. */
static void faceted_wall_arm(const demi_faceted_call *call, const demi_ends *ends,
                             const demi_faceted_contact *contact, double arm[3])
{
    const demi_state *state = faceted_state(call);
    for (int c = 0; c < 3; ++c)
        arm[c] = state->position.read[ends->own][c] + contact->point[c] -
                 state->solid.read[ends->other].centre[c];
}

/* Velocities of a wall at the point of the force: half of the way, where the row and the point are
 * in the middle of what they were and are, and what they gain until the end. */
static void faceted_wall(const demi_faceted_call *call, const demi_ends *ends,
                         const demi_faceted_contact *contact, const demi_faceted_contact *before,
                         double velocity[3], double gain[3])
{
    const demi_solid *solid = &faceted_state(call)->solid.read[ends->other];
    const double *v = faceted_state(call)->velocity.read[ends->own].velocity;
    double arm[3];
    faceted_wall_arm(call, ends, contact, arm);
    demi_shape_velocity(solid, arm, gain);
    for (int c = 0; c < 3; ++c) {
        const double old = before != NULL ? before->point[c] : contact->point[c];
        arm[c] += 0.5 * (old - contact->point[c]) - (v[c] - solid->velocity[c]) * (0.5 * call->dt);
    }
    demi_shape_velocity(solid, arm, velocity);
    for (int c = 0; c < 3; ++c)
        gain[c] -= velocity[c];
}

static void faceted_bodies(const demi_faceted_call *call, const demi_ends *ends,
                           const demi_faceted_contact *contact, const demi_faceted_contact *before,
                           demi_lanes *b, uint64_t k)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    double gain[2][2][3], velocity[3];
    demi_motion other;
    const demi_motion own = faceted_row(call, ends->own, gain[0]);
    if (ends->wall) {
        const demi_solid *solid = &faceted_state(call)->solid.read[ends->other];
        faceted_wall(call, ends, contact, before, velocity, gain[1][0]);
        /* as large as the row, for host laws */
        other = (demi_motion){own.radius, 0.0, velocity, gain[1][0], solid->angular_velocity, none};
    } else {
        other = faceted_row(call, ends->other, gain[1]);
    }
    demi_motion_fill(b, k, ends->first ? own : other, ends->first ? other : own);
}

/* What the rotation of a row's body adds to its inverse mass: t.I^-1 t, where F t is the moment of
 * a normal force F about the centre of mass of the body. */
static double faceted_share(const demi_faceted_call *call, uint64_t row, const double arm[3],
                            const demi_faceted_contact *contact)
{
    const dem_world *w = call->w;
    const demi_state *state = faceted_state(call);
    const demi_body *body = &w->body.read[row];
    if (body->rigid == 0) /* a sphere, whose normal force passes its centre */
        return 0.0;
    const demi_rigid *rigid = &w->rigid.read[body->rigid - 1];
    const demi_pose *pose = &state->pose.read[body->rigid - 1];
    if (!(rigid->inverse_mass > 0.0) || rigid->damping_mass == DEM_DAMPING_MASS_BODY)
        return 0.0;
    double from[3], turn[3], share = 0.0;
    for (int c = 0; c < 3; ++c)
        from[c] = arm[c] + (state->position.read[row][c] - pose->position[c]);
    for (int c = 0; c < 3; ++c)
        if (body->image[c] != pose->image[c])
            from[c] +=
                (body->image[c] - pose->image[c]) * (w->config.box_high[c] - w->config.box_low[c]);
    demi_cross(from, contact->normal, turn);
    for (int c = 0; c < 3; ++c)
        turn[c] += contact->twist * contact->normal[c];
    dem_kernel_rotation_to_body(pose->orientation, turn);
    for (int c = 0; c < 3; ++c)
        share += turn[c] * turn[c] * rigid->inverse_inertia[c];
    return share;
}

/* Normal and moment along it half of the way, from those before and now. */
static double faceted_halfway(const demi_faceted_contact *contact,
                              const demi_faceted_contact *before, double normal[3])
{
    memcpy(normal, contact->normal, sizeof contact->normal);
    if (before == NULL)
        return contact->twist;
    double square = 0.0;
    for (int c = 0; c < 3; ++c) {
        normal[c] += before->normal[c];
        square += normal[c] * normal[c];
    }
    const double length = sqrt(square);
    for (int c = 0; c < 3; ++c)
        normal[c] = length > 0.0 ? normal[c] / length : contact->normal[c];
    return 0.5 * (before->twist + contact->twist);
}

/* Makes relative velocities those of the point, and along the normal those with which the volume
 * grows: the moment along the normal does work, too. */
static void faceted_point(const demi_faceted_contact *contact, const demi_faceted_contact *before,
                          const faceted_arms *arms, demi_lanes *b, uint64_t k)
{
    demi_lane_array *const half[2] = {b->angular_velocity_i, b->angular_velocity_j},
                           *const seen[2] = {b->damping_angular_velocity_i,
                                             b->damping_angular_velocity_j};
    double normal[3], along_half = 0.0, along_end = 0.0;
    const double twist = faceted_halfway(contact, before, normal);
    for (int e = 0; e < 2; ++e) {
        const double side = e == 0 ? 1.0 : -1.0;
        const double w[3] = {half[e][0][k], half[e][1][k], half[e][2][k]},
                     d[3] = {seen[e][0][k], seen[e][1][k], seen[e][2][k]};
        double at_half[3], at_end[3];
        demi_cross(w, arms->half[e], at_half);
        demi_cross(d, arms->end[e], at_end);
        for (int c = 0; c < 3; ++c) {
            b->velocity[c][k] += side * at_half[c];
            b->damping_velocity[c][k] += side * at_end[c];
        }
        along_half += side * demi_dot(w, normal);
        along_end += side * demi_dot(d, contact->normal);
    }
    for (int c = 0; c < 3; ++c) {
        b->velocity[c][k] += twist * along_half * normal[c];
        b->damping_velocity[c][k] += contact->twist * along_end * contact->normal[c];
    }
}

/* R* of rolling and twisting parts: that of spheres as large as the bodies. The radius of the
 * Hertzian contact goes with a^2 over the overlap, which for a face at a light touch is without
 * bound, so that a torque in proportion to it would be the same at any load. */
static double faceted_radius(const demi_faceted_call *call, const demi_ends *ends,
                             const demi_faceted_contact *contact)
{
    const demi_body *body = call->w->body.read;
    if (!body[ends->own].faceted || (!ends->wall && !body[ends->other].faceted))
        return contact->radius; /* of the sphere */
    const double own = demi_faceted_shape(call->w, ends->own)->equivalent_radius;
    if (ends->wall)
        return own;
    const double other = demi_faceted_shape(call->w, ends->other)->equivalent_radius;
    return own * other / (own + other);
}

void demi_faceted_lane(const demi_faceted_call *call, const demi_ends *ends,
                       const demi_faceted_contact *contact, const demi_faceted_contact *before,
                       demi_lanes *b, uint64_t k)
{
    faceted_arms arms;
    faceted_bodies(call, ends, contact, before, b, k);
    faceted_arms_of(call, ends, contact, &arms);
    faceted_arms_half(call, ends, before, b, k, &arms);
    faceted_point(contact, before, &arms, b, k);
    const int own = ends->first ? 0 : 1;
    b->inverse_mass[k] += faceted_share(call, ends->own, arms.end[own], contact);
    if (!ends->wall)
        b->inverse_mass[k] += faceted_share(call, ends->other, arms.end[1 - own], contact);
    /* a dashpot in proportion to sqrt(m*) is that of U(V) then */
    b->inverse_mass[k] *= contact->surplus > 0.0 ? contact->surplus : 1.0;
    b->overlap_given[k] = contact->overlap;
    b->radius_given[k] = contact->radius;
    b->radius_rolling[k] = faceted_radius(call, ends, contact);
    for (int c = 0; c < 3; ++c) {
        b->offset[c][k] = contact->normal[c];
        b->normal_given[c][k] = before != NULL ? before->normal[c] : contact->normal[c];
    }
}

/* ------------------------------------------------------------------ forces */

void demi_faceted_moments(const demi_faceted_call *call, const demi_ends *ends,
                          const demi_faceted_contact *contact, demi_lanes *b, uint64_t k)
{
    faceted_arms arms;
    double on[2][3];
    const double force[3] = {b->force[0][k], b->force[1][k], b->force[2][k]};
    faceted_arms_of(call, ends, contact, &arms);
    if (ends->wall)
        faceted_wall_arm(call, ends, contact, arms.end[ends->first ? 1 : 0]);
    for (int e = 0; e < 2; ++e)
        demi_cross(arms.end[e], force, on[e]);
    for (int c = 0; c < 3; ++c) {
        const double couple = b->force_normal[k] * contact->twist * contact->normal[c];
        b->torque_i[c][k] += on[0][c] + couple;
        b->torque_j[c][k] -= on[1][c] + couple;
    }
}

double demi_faceted_energy(const demi_faceted_contact *contact, const demi_lanes *b, uint64_t k)
{
    /* of Hertz's law, which all models with polyhedra have */
    return b->overlap[k] > 0.0
               ? 0.4 * b->force_elastic[k] * b->overlap[k] * (contact->surplus - 1.0)
               : 0.0;
}

double demi_faceted_slope(const dem_world *w, const demi_faceted_contact *contact,
                          const demi_lanes *b, uint64_t k)
{
    const double mean = 0.5 * contact->depth, /* of a face */
        face = mean > 0.0
                   ? demi_polyhedron_power(w->config.polyhedron_law) * b->force_elastic[k] / mean
                   : 0.0;
    return face > b->stiffness[k] ? face : b->stiffness[k];
}

double demi_faceted_dissipation(const demi_faceted_contact *contact,
                                const demi_faceted_contact *before, double dt, const demi_lanes *b,
                                uint64_t k)
{
    const double at_begin = before != NULL ? before->dashpot : 0.0;
    return 0.5 * (at_begin + contact->dashpot) * b->overlap_rate[k] * dt;
}
