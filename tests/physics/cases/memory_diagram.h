/* SPDX-License-Identifier: MIT */
/* Mindlin and Deresiewicz in one tangential dimension, exactly, as a memory diagram: an oracle that
 * shares nothing with the row of springs.
 *
 * At overlap d the contact is a function D(s) in [-1, 1] on s in [0, d], piecewise constant:
 * T = mu int D dN(s), and the displacement is (mu/kappa) int D ds. */
#ifndef PHYSICS_MEMORY_DIAGRAM_H
#define PHYSICS_MEMORY_DIAGRAM_H

enum { DIAGRAM_PIECES = 4096 };

typedef struct memory_diagram {
    double friction, kappa, stiffness; /* mu, 4 G* / E*, K = 4/3 E* sqrt(R*) */
    int count;
    double end[DIAGRAM_PIECES], value[DIAGRAM_PIECES]; /* pieces of s, from 0 outwards */
} memory_diagram;

void diagram_open(memory_diagram *m, double friction, double kappa, double stiffness);
/* To a new overlap while the surfaces move by `step`; returns the force T on the moving side's
 * support, positive against the movement. */
double diagram_move(memory_diagram *m, double overlap, double step);

#endif
