/* SPDX-License-Identifier: MIT */
/* Führer's block on a plate through level 1: two spheres so large that they are plates, no
 * rotation, a weight that balances the normal force. Units: m = k = F_max = 1, gamma = 2. */
#ifndef PHYSICS_PLATES_HOST_H
#define PHYSICS_PLATES_HOST_H

#include <dem/dem.h>

typedef struct plates_host {
    double x[6], v[6], force[6], radius[2], mass[2];
    double spring, trial; /* xi and F_S of the last stage that was evaluated */
    dem_contact_history *history;
    dem_integrator *integrator;
    dem_contacts_input input;
    dem_integrator_arrays arrays;
} plates_host;

/* law: DEM_LAW_LINEAR_CSDS or DEM_LAW_LINEAR_DSDS; v0 along x. */
void plates_open(plates_host *p, const char *law, int32_t scheme, double v0);
/* One step; seen, if not NULL, is called at each stage, after the forces of that stage. */
void plates_step(plates_host *p, double dt, void (*seen)(const plates_host *p, uint32_t stage));
double plates_spring(const plates_host *p); /* xi of the history */
void plates_close(plates_host *p);

#endif
