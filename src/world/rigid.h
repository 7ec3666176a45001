/* SPDX-License-Identifier: MIT */
/* Rigid bodies of a world. A body has a pose and a list of parts, which are rows that it moves:
 * before a step gathers anything, each part has the velocity of its chord, and afterwards that of
 * the end. Sources: the rotation is that of dem/rotation.h. */
#ifndef DEMI_RIGID_H
#define DEMI_RIGID_H

#include "base/context.h"

#include <dem/body.h>

/* What a step does not change. */
typedef struct demi_rigid {
    uint64_t id;          /* 0: a vacant place */
    uint32_t generation;  /* odd while in use */
    int32_t mobility;     /* DEM_MOBILITY_ */
    int32_t damping_mass; /* DEM_DAMPING_MASS_ */
    int32_t ghost;        /* 1: another world owns it, and tells what acts on it */
    uint64_t part_begin, parts;
    double mass, inertia[3];
    /* what moves it: those above, or 0 and 1 where it is not free, whose angular momentum is its
     * angular velocity then */
    double inverse_mass, inverse_inertia[3], turning[3], inverse_turning;
    double force[3], torque[3]; /* of the host, about the centre of mass */
    /* of a ghost: the step of halves in which its load was told last; whether it lacks what the
     * host wrote; whether a call names it */
    uint64_t told;
    int32_t due, named;
} demi_rigid;

typedef struct demi_rigid_part {
    double centre[4];      /* in the body's axes; 0 */
    uint32_t handle;       /* of its row */
    uint32_t removed;      /* with its body */
    dem_polyhedron *shape; /* that the world knows; NULL: a sphere */
} demi_rigid_part;

/* From the centre of mass to a part, in space, at the beginning and the end of a step. */
typedef struct demi_rigid_arms {
    double from[4], to[4]; /* x y z 0 */
} demi_rigid_arms;

/* What a step changes. While one is made, the next state has the velocities of the half step. */
typedef struct demi_pose {
    double position[3], velocity[3], orientation[4];
    double momentum[3];                 /* angular, over the mean moment of inertia, in space */
    double angular_velocity[3];         /* that of the momentum, or of the half step */
    int32_t image[3];                   /* periods to add to the position for the unwrapped path */
    int32_t too_far;                    /* it turned too far */
    double work;                        /* of the host's forces in the step */
    double work_fluid, dissipated_drag; /* likewise of a fluid */
    double load[6];                     /* of a ghost: what acts on it, as its owner told */
} demi_pose;

struct dem_world;

/* A phase of a step, for the bodies of a task. */
enum { DEMI_RIGID_TASK = 128 };
typedef struct demi_rigid_call {
    struct dem_world *w;
    double dt, kick;
    double work_time; /* see demi_phase_call.work_time */
    int booked;       /* what the fluid gave in the first kick is booked already */
} demi_rigid_call;
typedef void demi_rigid_function(const demi_rigid_call *call, uint64_t task);
typedef void demi_rigid_load_function(const struct dem_world *w, int next, uint64_t k,
                                      double load[6]);

/* rigid_step.c: first kick, drift, and what the rows of parts begin with; then where the parts are
 * at the end, and what dashpots see of them; second kick, and what the rows of parts end with. The
 * first names a body that turned too far. */
dem_status demi_rigids_begin(struct dem_world *w, double dt);
void demi_rigids_place(struct dem_world *w);
void demi_rigids_end(struct dem_world *w, double dt, double work_time, int booked);
/* rigid_step.c: gives the parts of a body, or of all, the velocities of the current pose */
void demi_rigid_restore(struct dem_world *w, uint64_t k);
void demi_rigids_restore(struct dem_world *w);
/* rigid_step.c: brings bodies into the box after their first parts */
void demi_rigids_wrap(struct dem_world *w);

/* rigid_step.c: force and torque of contacts and host on a body, about its centre of mass, in the
 * current state or in the next, with the bits by which steps kick it */
void demi_rigid_load(const struct dem_world *w, int next, uint64_t k, double load[6]);

/* rigid_mass.c: whether a place has a body that forces move */
int demi_rigid_moves(const demi_rigid *rigid);
/* rigid_mass.c: the largest inverse mass that a part of such a body may have in any contact; the
 * sum of those of all its parts */
double demi_rigid_inverse_most(const demi_rigid *rigid, const demi_rigid_part *part);
double demi_rigid_inverse_whole(const struct dem_world *w, const demi_rigid *rigid);
/* rigid_mass.c: kinetic energies and potential of a body */
void demi_rigid_energies(const struct dem_world *w, uint64_t k, double *translation,
                         double *rotation, double *potential);

/* Box around the parts of a body, in its axes. */
typedef struct demi_rigid_bounds {
    double low[3], high[3];
} demi_rigid_bounds;

/* bodies_check.c: refuses what cannot be part k of a body, and parts that are not around the centre
 * of mass; the bounds grow with each part */
dem_status demi_rigid_part_check(struct dem_world *w, uint64_t k, const double centre[3],
                                 double radius, demi_rigid_bounds *bounds);
dem_status demi_rigid_bounds_check(struct dem_world *w, int32_t mobility,
                                   const demi_rigid_bounds *bounds);
/* bodies.c: adds a body, for which there is room, without parts, and returns its place; adds a row
 * to it as its next part */
uint64_t demi_rigid_enter(struct dem_world *w, const demi_rigid *what, const demi_pose *pose);
void demi_rigid_part_enter(struct dem_world *w, uint64_t place, uint64_t row,
                           const double centre[3], dem_polyhedron *shape);
/* bodies.c: removes a body with its parts */
void demi_rigid_remove(struct dem_world *w, uint64_t place);
/* bodies_read.c: the place of a handle */
dem_status demi_rigid_place_of(const struct dem_world *w, dem_body_handle handle, uint64_t *place);

/* rigid.c: room for bodies and parts; the row of a part; why a part cannot be treated as a
 * particle of its own */
dem_status demi_rigids_reserve(struct dem_world *w, uint64_t bodies, uint64_t parts);
uint64_t demi_rigid_row(const struct dem_world *w, const demi_rigid_part *part);
dem_status demi_rigid_refuse(const struct dem_world *w, uint64_t row, const char *what);
/* rigid.c: whether the scheme of a world is one for bodies; whether the world may have bodies */
int demi_rigids_scheme(const struct dem_world *w);
int demi_rigids_possible(const struct dem_world *w);
/* rigid.c: what follows from mass, inertia and mobility */
void demi_rigid_derive(demi_rigid *rigid);

#endif
