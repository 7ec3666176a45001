/* SPDX-License-Identifier: MIT */
/* Polyhedra at level 1 with an integrator of the test's own: one that hits the plane z = 0, or two
 * that a spring between their centres holds together. */
#ifndef PHYSICS_POLYHEDRA_RIG_H
#define PHYSICS_POLYHEDRA_RIG_H

#include "../../support/random.h"
#include "ledger.h"

#include <dem/dem.h>

typedef struct poly_body {
    double mass, inertia[3];
    double x[3], v[3], q[4], l[3], w[3], force[3], torque[3];
    const dem_polyhedron *shape;
} poly_body;

/* What a contact of two bodies, or of one and the plane z = 0, exerts. */
typedef struct poly_hit {
    dem_polyhedron_search *search;
    dem_polyhedron_law law;
    dem_polyhedron_hint hint;
    int without_couple; /* forces act at the point of the contact */
    double elastic, peak;
    int touching;
    unsigned long long hits; /* how often it began to touch */
} poly_hit;

/* An icosphere of this level, stretched; and a box of these half edges. */
dem_polyhedron *poly_ellipsoid(int level, double a, double b, double c);
dem_polyhedron *poly_box(double a, double b, double c);

poly_body poly_body_of(const dem_polyhedron *shape, double density);
dem_polyhedron_motion poly_motion(const poly_body *b, uint64_t id);
double poly_energy(const poly_body *b); /* kinetic */

/* A random orientation. */
void poly_turn(test_random *random, double q[4]);

/* A law with a search of its own, which the caller destroys. */
poly_hit poly_hit_of(int32_t law, double modulus, double radius);

/* Forces at the end of a step; b is NULL for the plane. */
void poly_forces(poly_hit *h, poly_body *a, poly_body *b, double spring);
void poly_step(poly_hit *h, poly_body *a, poly_body *b, double spring, double dt);

#endif
