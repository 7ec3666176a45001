/* SPDX-License-Identifier: MIT */
/* Exact velocities of the block on a plate, for v0 = 4 and both sliders. */
#ifndef PHYSICS_PLATES_EXACT_H
#define PHYSICS_PLATES_EXACT_H

#define PLATES_START 4.0

double plates_stick_onset(void);
double plates_exact_continuous(double t);
double plates_exact_discontinuous(double t);

#endif
