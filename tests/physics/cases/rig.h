/* SPDX-License-Identifier: MIT */
/* Two spheres whose overlap is prescribed, and what moving them costs: a testing machine for normal
 * laws, on level 1. */
#ifndef PHYSICS_RIG_H
#define PHYSICS_RIG_H

#include <dem/dem.h>

typedef struct rig {
    dem_contact_history *history;
    double radius[2];  /* of the body that moves, and of the one at the origin */
    uint64_t id[2];    /* which of them is i */
    double overlap;    /* now, m */
    double force;      /* normal force on the body that moves, away from the other, N */
    double work;       /* put in so far, by the mean force of each step, J */
    double dissipated; /* what the library counts, J */
    double elastic;    /* J */
    uint64_t contacts; /* 0 or 1 */
} rig;

/* A machine that starts far from touch; swapped: the body that moves has the higher id. */
rig rig_open(const char *law, const void *parameters, double radius, double other, int swapped);
void rig_close(rig *r);
/* Puts the spheres at an overlap without passing through what lies between: before the first
 * step. */
void rig_place(rig *r, double overlap);
/* One step of dt seconds to a new overlap. Returns the force. */
double rig_move(rig *r, double overlap, double dt);
/* R* of the pair. */
double rig_radius(const rig *r);

#endif
