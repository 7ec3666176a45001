/* SPDX-License-Identifier: MIT */
/* Many grooves at once: each lane is one fine sphere between two large ones that touch and stand
 * still (Vyas et al., Sec. 2), with its own sizes, friction and time step. */
#ifndef PHASE_LANES_H
#define PHASE_LANES_H

#include <stdint.h>

enum { PHASE_LANES = 32 };

/* A case of the phase diagram. */
typedef struct phase_case {
    double ratio;    /* R, large radius over fine radius */
    double friction; /* mu */
    double softness; /* stiffness is the paper's over this */
    double start;    /* angle from the vertical, rad */
    double steps;    /* of a contact time */
} phase_case;

enum { PHASE_LEFT = 0, PHASE_TRAPPED = 1, PHASE_UNDECIDED = 2 };

typedef struct phase_result {
    int outcome;             /* PHASE_... */
    double angle;            /* where contact was seen last: from the vertical, rad; trapped: pi */
    double angular_velocity; /* there, rad/s */
    uint64_t steps;          /* up to there */
} phase_result;

/* Gives cases out and takes results back. `next` returns 0 when there are no more. */
typedef struct phase_queue {
    void *user;
    int (*next)(void *user, phase_case *item, uint64_t *number);
    void (*done)(void *user, uint64_t number, const phase_result *result);
} phase_queue;

/* Runs cases until the queue is empty. mirrored 1: only one contact is computed, the other being
 * its mirror image, bit by bit; 0: both. scheme: DEM_INTEGRATOR_VERLET_.... */
void phase_run(int scheme, int mirrored, const phase_queue *queue);

#endif
