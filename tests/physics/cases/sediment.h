/* SPDX-License-Identifier: MIT */
/* Spheres fall on a layer of fixed ones: Ray, Kempe and Fröhlich, Sec. 6.2. */
#ifndef PHYSICS_SEDIMENT_H
#define PHYSICS_SEDIMENT_H

#include <dem/dem.h>

enum { SEDIMENT_FIXED = 195, SEDIMENT_MOBILE = 100, SEDIMENT_STEPS = 5000 };
#define SEDIMENT_EDGE 1.5
#define SEDIMENT_DIAMETER 0.1154
#define SEDIMENT_DT 5e-4
#define SEDIMENT_FAST 0.5 /* m/s */

/* How k and d of a contact come about. */
enum {
    SEDIMENT_LAW = 0,      /* the library's "actm" */
    SEDIMENT_DIRECT = 1,   /* a host's law that calls dem_collision_params and counts */
    SEDIMENT_ITERATIVE = 2 /* a host's law that iterates, and counts */
};

typedef struct sediment_row {
    double time, potential, kinetic, elastic, dissipated, total; /* s, J; total without the last */
} sediment_row;

typedef struct sediment_run {
    sediment_row row[SEDIMENT_STEPS / 10 + 1];
    int rows;
    double seconds, coefficients; /* of processor time: all, and for k and d */
    double collisions;            /* contacts begun; counted by the host's laws */
    double steps_all, steps_fast; /* steps in contact, of all and of those that begin with more than
                                     SEDIMENT_FAST; by the host's laws */
    uint64_t hash;
    double position[2][SEDIMENT_FIXED + SEDIMENT_MOBILE][3]; /* at the start and at the end, m */
    double speed[SEDIMENT_FIXED + SEDIMENT_MOBILE];          /* at the end, m/s */
} sediment_run;

/* The layer and the falling spheres, coefficients as asked for; contact time in steps. */
void sediment(double restitution, int coefficients, double contact_steps, uint64_t steps,
              sediment_run *run);

#endif
