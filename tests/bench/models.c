/* SPDX-License-Identifier: MIT */
/* The contact models that are timed: a table, one row a model. */
#include "bench.h"

#include <string.h>

/* In BENCH_MATCH a model is what LAMMPS computes with
 *   gran/hooke/history 200000 NULL 50 NULL 0.5 0   or   gran/hertz/history 71111111 91428571 0 0
 * 0.5 0: the discontinuous slider, no tangential dashpot, and an attracting normal force that rubs.
 */
static void linear_fill(bench_model *m, int mode, const char *law)
{
    dem_linear *p = &m->parameters[0].linear;
    dem_linear_init(p);
    p->stiffness_normal = 2e5;
    p->friction = 0.5;
    if (mode == BENCH_MATCH) {
        p->damping = DEM_DAMPING_RATE;
        p->damping_normal = 50.0;
        p->damping_tangential = 0.0;
        p->normal = DEM_NORMAL_ATTRACTIVE_ABSOLUTE;
    } else {
        p->restitution = 0.914; /* the same dashpot, on the way in */
    }
    m->model.parts[0] = (dem_contact_part){law, p};
}

static void linear(bench_model *m, int mode)
{
    linear_fill(m, mode, mode == BENCH_MATCH ? DEM_LAW_LINEAR_DSDS : DEM_LAW_LINEAR_CSDS);
}

static void linear_csds(bench_model *m, int mode)
{
    linear_fill(m, mode, DEM_LAW_LINEAR_CSDS);
}

static void linear_dsds(bench_model *m, int mode)
{
    linear_fill(m, mode, DEM_LAW_LINEAR_DSDS);
}

/* Fills part k by the init of its parameters' type, and names them. */
#define PART(M, K, LAW, TYPE, NAME)                                                                \
    _Static_assert(sizeof(TYPE) <= sizeof(bench_parameters), "room for the parameters");           \
    TYPE *NAME = (TYPE *)(void *)&(M)->parameters[K];                                              \
    TYPE##_init(NAME);                                                                             \
    (M)->model.parts[K] = (dem_contact_part)                                                       \
    {                                                                                              \
        (LAW), NAME                                                                                \
    }

static void hertz(bench_model *m, int mode)
{
    PART(m, 0, DEM_LAW_HERTZ, dem_hertz, normal);
    normal->young[0] = 1e8;
    normal->poisson[0] = 0.25;
    normal->restitution = 0.9;
    if (mode == BENCH_MATCH)
        normal->damping = DEM_HERTZ_DAMPING_NONE;
}

static void mindlin_deresiewicz(bench_model *m, int mode)
{
    hertz(m, mode);
    PART(m, 1, DEM_LAW_MINDLIN_DERESIEWICZ, dem_mindlin, tangential);
    tangential->friction = 0.5;
}

static void mindlin_deresiewicz_32(bench_model *m, int mode)
{
    hertz(m, mode);
    PART(m, 1, DEM_LAW_MINDLIN_DERESIEWICZ_32, dem_mindlin, tangential);
    tangential->friction = 0.5;
}

/* What `costs` times. A new law is a new row. */
const bench_law bench_laws[] = {
    {"linear-csds", linear_csds}, /* the measure of the others */
    {"linear-dsds", linear_dsds},
    {"hertz", hertz},
    {"mindlin-deresiewicz", mindlin_deresiewicz},
    {"mindlin-deresiewicz-32", mindlin_deresiewicz_32},
    {NULL, NULL},
};

/* Rows for scenes alone. */
static const bench_law further[] = {
    {"linear", linear}, /* csds, or dsds as the peers have it */
};

const bench_law *bench_law_find(const char *name)
{
    for (const bench_law *law = bench_laws; law->name != NULL; ++law)
        if (strcmp(law->name, name) == 0)
            return law;
    for (size_t k = 0; k < sizeof further / sizeof further[0]; ++k)
        if (strcmp(further[k].name, name) == 0)
            return &further[k];
    bench_fail("no such law", name);
}

void bench_model_fill(bench_model *m, const bench_law *law, int mode)
{
    memset(m, 0, sizeof *m);
    dem_contact_model_init(&m->model);
    law->fill(m, mode);
}

void bench_law_set(dem_world *world, const char *name, int mode, int32_t a, int32_t b)
{
    bench_model m;
    bench_model_fill(&m, bench_law_find(name), mode);
    bench_must(dem_contact_model_set(world, a, b, &m.model), dem_world_error(world));
}
