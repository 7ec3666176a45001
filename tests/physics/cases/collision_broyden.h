/* SPDX-License-Identifier: MIT */
/* What dem_collision_params replaces: Broyden's iteration on the integrated collision, as Kempe and
 * Fröhlich (2012) do it. */
#ifndef PHYSICS_COLLISION_BROYDEN_H
#define PHYSICS_COLLISION_BROYDEN_H

/* k and d for m, u, e and T to a residual of rebound velocity and contact time (both relative to
 * what is asked for). Returns the number of collisions integrated, negative if it did not converge.
 */
int broyden_params(double mass, double speed, double restitution, double time, double tolerance,
                   double *stiffness, double *damping);

#endif
