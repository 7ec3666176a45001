/* SPDX-License-Identifier: MIT */
/* The contact models that are timed. A model is named by its parts, "hertz+mindlin"; the table of
 * parts has one row a law, and the list of models says which of them `costs` times. */
#include "bench.h"

#include <string.h>

/* A part: fills the parameters of the law, which its type's init has filled, for one material. */
typedef struct part {
    const char *name;
    const char *law, *law_match; /* in BENCH_MATCH; NULL: the same */
    void (*fill)(void *parameters, int mode);
} part;

/* PART(type, name): the head of a function that fills `p`, a struct of the type. */
#define PART(TYPE, NAME)                                                                           \
    _Static_assert(sizeof(TYPE) <= sizeof(bench_parameters), "room for the parameters");           \
    static void NAME##_set(TYPE *p, int mode);                                                     \
    static void NAME(void *parameters, int mode)                                                   \
    {                                                                                              \
        TYPE##_init(parameters);                                                                   \
        NAME##_set(parameters, mode);                                                              \
    }                                                                                              \
    static void NAME##_set(TYPE *p, int mode)

static const double stiffness = 2e5, young = 1e8, poisson = 0.25, friction = 0.5;

/* With BENCH_MATCH the linear laws and Hertz's are what LAMMPS computes with
 *   gran/hooke/history 200000 NULL 50 NULL 0.5 0   and   gran/hertz/history 71111111 91428571 0 0
 * 0.5 0: the discontinuous slider, no tangential dashpot, and an attracting normal force that rubs.
 */
PART(dem_linear, linear)
{
    p->stiffness_normal = stiffness;
    p->friction = friction;
    p->restitution = 0.914; /* the dashpot that LAMMPS has */
    if (mode != BENCH_MATCH)
        return;
    p->damping = DEM_DAMPING_RATE;
    p->damping_normal = 50.0;
    p->damping_tangential = 0.0;
    p->normal = DEM_NORMAL_ATTRACTIVE_ABSOLUTE;
}

PART(dem_hooke, hooke)
{
    (void)mode;
    p->stiffness_normal = stiffness;
    p->restitution = 0.914;
}

PART(dem_friction, sliding)
{
    (void)mode;
    p->stiffness_tangential = 2.0 / 7.0 * stiffness;
    p->friction = friction;
}

PART(dem_rolling, rolling)
{
    (void)mode;
    p->stiffness = 2.0 / 7.0 * stiffness;
}

PART(dem_rolling_constant, rolling_constant)
{
    (void)mode;
    p->friction = 0.1;
}

PART(dem_twisting_marshall, twisting_marshall)
{
    (void)mode;
    p->stiffness_tangential = 2.0 / 7.0 * stiffness;
}

PART(dem_hertz, hertz)
{
    p->young[0] = young;
    p->poisson[0] = poisson;
    p->restitution = 0.9;
    if (mode == BENCH_MATCH)
        p->damping = DEM_HERTZ_DAMPING_NONE;
}

PART(dem_mindlin, mindlin)
{
    p->friction = friction;
    if (mode != BENCH_MATCH)
        return;
    p->restitution = 1.0;
    p->form = DEM_MINDLIN_SECANT;
    p->slider = DEM_SLIDER_DSDS;
}

PART(dem_mindlin, mindlin_rows)
{
    (void)mode;
    p->friction = friction;
}

PART(dem_adhesion, adhesion)
{
    (void)mode;
    p->young[0] = young;
    p->poisson[0] = poisson;
    p->work_of_adhesion = 0.1; /* pull-off: a fifth of a grain's weight */
    p->restitution = 0.9;
}

PART(dem_luding, luding)
{
    (void)mode;
    p->stiffness_loading = 0.5 * stiffness;
    p->stiffness_unloading = stiffness;
    p->stiffness_cohesion = 0.05 * stiffness;
}

PART(dem_walton_braun, walton_braun)
{
    (void)mode;
    p->stiffness_loading = 0.5 * stiffness;
    p->restitution = 0.8;
}

PART(dem_thornton, thornton)
{
    (void)mode;
    p->young[0] = young;
    p->poisson[0] = poisson;
    p->yield_pressure = 0.02 * young;
}

PART(dem_actm, actm)
{
    (void)mode;
    p->restitution = 0.9;
    p->contact_steps = 40.0;
    p->speed_floor = 1e-3;
    p->young[0] = young;
    p->poisson[0] = poisson;
}

static void nothing(void *parameters, int mode)
{
    (void)parameters, (void)mode;
}

static const part parts[] = {
    {"linear", DEM_LAW_LINEAR_CSDS, DEM_LAW_LINEAR_DSDS, linear},
    {"linear-csds", DEM_LAW_LINEAR_CSDS, NULL, linear},
    {"linear-dsds", DEM_LAW_LINEAR_DSDS, NULL, linear},
    {"hooke", DEM_LAW_HOOKE, NULL, hooke},
    {"friction", DEM_LAW_FRICTION, NULL, sliding},
    {"rolling-csds", DEM_LAW_ROLLING_CSDS, NULL, rolling},
    {"rolling-constant", DEM_LAW_ROLLING_CONSTANT, NULL, rolling_constant},
    {"twisting-csds", DEM_LAW_TWISTING_CSDS, NULL, rolling},
    {"twisting-marshall", DEM_LAW_TWISTING_MARSHALL, NULL, twisting_marshall},
    {"hertz", DEM_LAW_HERTZ, NULL, hertz},
    {"mindlin", DEM_LAW_MINDLIN, NULL, mindlin},
    {"m4", DEM_LAW_MINDLIN_DERESIEWICZ, NULL, mindlin_rows},
    {"m4-32", DEM_LAW_MINDLIN_DERESIEWICZ_32, NULL, mindlin_rows},
    {"three-case", DEM_LAW_MINDLIN_THREE_CASE, NULL, mindlin_rows},
    {"actm", DEM_LAW_ACTM, NULL, actm},
    {"jkr", DEM_LAW_JKR, NULL, adhesion},
    {"dmt", DEM_LAW_DMT, NULL, adhesion},
    {"luding", DEM_LAW_LUDING, NULL, luding},
    {"walton-braun", DEM_LAW_WALTON_BRAUN, NULL, walton_braun},
    {"thornton", DEM_LAW_THORNTON, NULL, thornton},
    {BENCH_NOTHING, BENCH_NOTHING, NULL, nothing},
};

const char *const bench_models[] = {
    BENCH_NOTHING, /* what a contact costs but for its law */
    "linear-csds", /* the measure of the others */
    "linear-dsds",
    "hooke+friction",
    "hooke+friction+rolling-csds",
    "hooke+friction+rolling-constant",
    "hooke+friction+twisting-csds",
    "hooke+friction+twisting-marshall",
    "hertz",
    "hertz+mindlin",
    "hertz+three-case",
    "hertz+m4",
    "hertz+m4-32",
    "actm",
    "jkr",
    "jkr+mindlin",
    "dmt",
    "luding",
    "walton-braun",
    "thornton",
    NULL,
};

static const part *part_find(const char *name, size_t length)
{
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k)
        if (strlen(parts[k].name) == length && strncmp(parts[k].name, name, length) == 0)
            return &parts[k];
    bench_fail("there is no such law", name);
}

void bench_model_fill(bench_model *m, const char *names, int mode)
{
    memset(m, 0, sizeof *m);
    dem_contact_model_init(&m->model);
    for (int k = 0; *names != '\0'; ++k) {
        const size_t length = strcspn(names, "+");
        if (k == 4)
            bench_fail("more than four parts at", names);
        const part *row = part_find(names, length);
        row->fill(&m->parameters[k], mode);
        m->model.parts[k].parameters = &m->parameters[k];
        m->model.parts[k].law =
            mode == BENCH_MATCH && row->law_match != NULL ? row->law_match : row->law;
        names += length + (names[length] == '+');
    }
}
