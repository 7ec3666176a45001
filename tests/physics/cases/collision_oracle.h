/* SPDX-License-Identifier: MIT */
/* The damped Hertz collision by another method than the library's, in long double. */
#ifndef PHYSICS_COLLISION_ORACLE_H
#define PHYSICS_COLLISION_ORACLE_H

/* Restitution and contact time for 0 <= lambda < critical. `steps` of extrapolated midpoint rules
 * on each leg; 60 give 1e-14 down to e = 0.01. */
void oracle_collision(double lambda, int steps, long double *restitution, long double *time);

/* Root of the greatest overlap of the same collision, sqrt(z) where u = 0. */
double oracle_overlap_root(double lambda);

/* Restitution and time of z'' = -2 lambda z' - z^(3/2) in tau with the classical Runge-Kutta method
 * of fixed step, as codes that iterate do it; in double. */
void oracle_runge_kutta(double lambda, double step, double *restitution, double *time);

#endif
