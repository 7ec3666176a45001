/* SPDX-License-Identifier: MIT */
/* What the calls for rigid bodies share. */
#ifndef DEMI_WORLD_BODIES_H
#define DEMI_WORLD_BODIES_H

#include "world/world.h"

/* ------------------------------------------------------------------ bodies_check.c */

/* name: of the body, for messages; NULL for what is not given */
dem_status demi_body_motion_check(demi_context *context, const char *name, const double position[3],
                                  const double orientation[4], const double velocity[3],
                                  const double angular_velocity[3]);
dem_status demi_body_check(dem_world *w, const dem_body *b);

/* Part k of those given, of whatever size its struct has. */
dem_status demi_body_part_read(dem_world *w, const dem_body_part *parts, uint64_t k,
                               dem_body_part *out);
/* Gives a polyhedron the radius of the sphere around it. */
dem_status demi_body_part_shape_check(dem_world *w, uint64_t k, dem_body_part *part);
/* The particle that a part's row is made from. */
dem_particle demi_body_part_particle(const dem_body *body, const dem_body_part *part);
dem_status demi_body_parts_check(dem_world *w, const dem_body *b, uint64_t count,
                                 const dem_body_part *parts);

/* ------------------------------------------------------------------ bodies_set.c */

/* Refuses to change a body that another world owns. */
dem_status demi_body_ghost_refuse(const dem_world *w, uint64_t place);
/* Writes pose and velocities; the orientation gets unit length. */
void demi_body_pose_write(const demi_rigid *rigid, const dem_body *b, demi_pose *pose);

/* ------------------------------------------------------------------ bodies_read.c */

dem_body demi_body_of(const dem_world *w, uint64_t place);

#endif
