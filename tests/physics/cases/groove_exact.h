/* SPDX-License-Identifier: MIT */
/* Rigid solution of a fine sphere in the groove of two touching frozen spheres: it rolls, slides
 * and leaves (Vyas et al., Appendix 1). */
#ifndef PHYSICS_GROOVE_EXACT_H
#define PHYSICS_GROOVE_EXACT_H

typedef struct groove {
    double large, fine; /* radii, m */
    double friction, gravity;
    double start; /* angle from the vertical, at rest, rad */
} groove;

typedef struct groove_exit {
    double slip_angle;       /* rad */
    double angle;            /* at separation, rad */
    double time;             /* s */
    double angular_velocity; /* rad/s */
} groove_exit;

groove_exit groove_solve(const groove *g);
/* The same where slip begins at a given angle, rad. */
groove_exit groove_solve_from(const groove *g, double slip_angle);

#endif
