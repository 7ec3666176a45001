/* SPDX-License-Identifier: MIT */
/* The lightest pairs of bodies, which limit the time step. */
#ifndef DEMI_LIMITS_H
#define DEMI_LIMITS_H

#include "laws/film_lane.h"
#include "world/world.h"

/* A body as far as limits go. */
typedef struct demi_limit_body {
    uint64_t id;                 /* 0: none */
    double inverse_mass, radius; /* 0: a wall */
    double curvature[2];         /* of a wall, where it is most concave */
    uint32_t rigid;              /* see demi_body */
    uint64_t row;                /* of a body that is no wall */
} demi_limit_body;

/* The lightest bodies of a material: two free ones, and one that is not (walls too). */
typedef struct demi_limit_material {
    demi_limit_body free[2], held;
} demi_limit_material;

typedef struct demi_limit_pair {
    const demi_limit_body *a, *b;
    double inverse_mass;
} demi_limit_pair;

/* Finds the lightest bodies of each material, for what follows. whole: with bodies as light as they
 * are to all of their parts together */
dem_status demi_limits_collect(dem_world *w, const dem_executor *executor, int whole);

/* Whether nothing is of a material. */
static inline int demi_limits_none(const dem_world *w, int32_t material)
{
    const demi_limit_material *m = &w->lightest.read[material];
    return m->free[0].id == 0 && m->held.id == 0;
}

/* The model of two materials, and their lightest pair of which one body at least is free; NULL if
 * there is no model or no pair. */
const demi_model *demi_limits_lightest(const dem_world *w, int32_t a, int32_t b,
                                       demi_limit_pair *best);

/* Limits of a pair's model, as demi_model_limits. Laws see a wall as a plane against a sphere of
 * radius R*. */
void demi_limits_of_pair(const demi_model *model, const demi_limit_pair *pair, double speed,
                         double weight, dem_law_limits *limits, const char **strictest);

/* The film of a model; NULL if it has none. */
const demi_film *demi_limits_film(const demi_model *model);

/* Warns once of a law of the host that tells nothing of the steps that it bears. */
void demi_limits_unknown(dem_world *w, const demi_model *model);

#endif
