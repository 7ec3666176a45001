/* SPDX-License-Identifier: MIT */
/* A cloud of spinning spheres that falls in on itself: the scene of the symmetry cases. */
#ifndef PHYSICS_CLOUD_H
#define PHYSICS_CLOUD_H

#include "scene.h"

enum { CLOUD_EDGE = 4, CLOUD_COUNT = CLOUD_EDGE * CLOUD_EDGE * CLOUD_EDGE };

typedef struct cloud {
    double mass[CLOUD_COUNT], radius[CLOUD_COUNT];
    double x[CLOUD_COUNT][3], v[CLOUD_COUNT][3], w[CLOUD_COUNT][3];
    double edge;  /* of the cube that holds it, centred on the origin, m */
    double speed; /* scale of the velocities, m/s */
} cloud;

/* Spheres on a jittered grid, moving inwards; radii differ up to `spread` times. */
void cloud_make(cloud *c, uint64_t seed, double spread);

/* The law of the cloud: stiffness 1e4, friction 0.5, restitution 0.7. */
dem_linear cloud_law(void);
double cloud_step(const cloud *c); /* a fiftieth of the shortest contact time, s */

/* Ids for walls: below and above those of the spheres. */
enum { CLOUD_WALL_LOW = 1, CLOUD_FIRST = 11, CLOUD_WALL = 1001 };

/* Adds the spheres; their ids rise from CLOUD_FIRST, or fall to it where reversed. */
void cloud_add(dem_world *world, const cloud *c, int reversed);
/* Reads them back in the order of c, whatever their ids. */
void cloud_read(const dem_world *world, cloud *c, int reversed);

/* Greatest error of the energy account over the energy at the start, for the cloud in a box in
 * gravity under this model, at t_c/(50 refine); mean of two seeds. shake: as in energy.c. */
double cloud_energy_gap(const dem_contact_model *model, unsigned refine, double shake);

#endif
