/* SPDX-License-Identifier: MIT */
/* Films of a viscous fluid, see docs/law_film.md: a pass over the velocities of a step that has
 * begun, after its first kick. It reads the current state and changes the next one alone, so that
 * a step may begin again. */
#ifndef DEMI_FILM_H
#define DEMI_FILM_H

#include "laws/film_lane.h"
#include "laws/film_solve.h"
#include "world/world.h"

/* Of both surfaces of a film, see film_slip.h. */
typedef struct demi_film_slip {
    double own[3], other[3];
} demi_film_slip;

/* A pair of the list that has a film, and what the step that has begun needs of it. */
typedef struct demi_film_pair {
    dem_contact_key key;
    const demi_film *film;
    demi_ends ends;
    double normal[3]; /* from the other to the own row */
    double arm[3];    /* of a wall: from its centre of rotation to the film */
    double other_velocity[3], other_turning[3]; /* a wall's: at the point of its surface */
    demi_film_gap along;
    double gap, radius, rate;          /* radius: R*; rate: w of film_solve.h */
    double inverse_own, inverse_other; /* masses; 0 unless free */
    double inertia_own, inertia_other; /* inverse; likewise */
    double velocity;                   /* of the gap after the kick */
    double impulse;                    /* on the own row, along the normal, N s */
    /* along the surfaces */
    double share_own, share_other, arm_own, arm_other, drag; /* drag: k, 0 where there is none */
    demi_film_slip slip;                                     /* after the kick */
    demi_film_slip impulses;                                 /* p and q, N s */
} demi_film_pair;

/* Whether the models of a world have films. */
static inline int demi_filmed(const dem_world *w)
{
    return w->models.films > 0;
}

/* film_list.c: the pairs of the present list that have films, in the order of keys. */
dem_status demi_film_pairs(dem_world *w);
/* film.c: changes velocities and positions of the next state, and the bounds on displacements. */
dem_status demi_films_pass(dem_world *w, double dt);
/* film.c: at the end of a step: what films gave to walls, and works of kinematic bodies. */
void demi_films_end(dem_world *w);

#endif
