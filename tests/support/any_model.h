/* SPDX-License-Identifier: MIT */
/**
 * @file any_model.h
 * Contact models of every law, from numbers that a caller chooses: for worlds at random.
 */
#ifndef DEM_TEST_ANY_MODEL_H
#define DEM_TEST_ANY_MODEL_H

#include "law.h"

#include <dem/dem.h>
#include <string.h>

/** Where numbers come from: `pick` one of `count`, and a number near `usual` or any other. */
typedef struct any_source {
    void *user;
    uint64_t (*pick)(void *user, uint64_t count);
    double (*number)(void *user, double usual);
} any_source;

/** A source of the first choice and of usual numbers. */
static inline uint64_t any_first(void *user, uint64_t count)
{
    (void)user;
    (void)count;
    return 0;
}

static inline double any_usual(void *user, double usual)
{
    (void)user;
    return usual;
}

/** The parameters of all parts of one model. */
typedef struct any_parameters {
    dem_linear linear;
    dem_hooke hooke;
    dem_friction friction;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_adhesion adhesion;
    dem_luding luding;
    dem_walton_braun walton_braun;
    dem_thornton thornton;
    dem_actm actm;
    dem_rolling rolling;
    dem_rolling_constant rolling_constant;
    dem_twisting_marshall twisting;
    test_spring spring;
} any_parameters;

static inline void any_parameters_fill(const any_source *from, any_parameters *p)
{
#define ANY(usual) from->number(from->user, usual)
    memset(p, 0, sizeof(*p));
    dem_linear_init(&p->linear);
    dem_hooke_init(&p->hooke);
    dem_friction_init(&p->friction);
    dem_hertz_init(&p->hertz);
    dem_mindlin_init(&p->mindlin);
    dem_adhesion_init(&p->adhesion);
    dem_luding_init(&p->luding);
    dem_walton_braun_init(&p->walton_braun);
    dem_thornton_init(&p->thornton);
    dem_actm_init(&p->actm);
    dem_rolling_init(&p->rolling);
    dem_rolling_constant_init(&p->rolling_constant);
    dem_twisting_marshall_init(&p->twisting);
    p->linear.stiffness_normal = p->hooke.stiffness_normal = ANY(1000.0);
    p->linear.restitution = p->hooke.restitution = ANY(0.7);
    p->linear.friction = p->friction.friction = ANY(0.4);
    p->friction.slider = (int32_t)from->pick(from->user, 5);
    p->hertz.young[0] = p->adhesion.young[0] = p->thornton.young[0] = p->actm.young[0] = ANY(2e4);
    p->hertz.poisson[0] = ANY(0.3);
    p->hertz.restitution = p->adhesion.restitution = ANY(0.6);
    p->adhesion.work_of_adhesion = ANY(0.05);
    p->mindlin.friction = ANY(0.5);
    p->luding.stiffness_loading = p->walton_braun.stiffness_loading = ANY(800.0);
    p->luding.stiffness_unloading = ANY(1500.0);
    p->luding.stiffness_cohesion = ANY(100.0);
    p->walton_braun.restitution = ANY(0.8);
    p->thornton.yield_pressure = ANY(500.0);
    p->actm.speed_floor = ANY(0.01);
    p->actm.contact_time = ANY(0.01);
    p->actm.restitution = ANY(0.7);
    p->rolling.stiffness = ANY(300.0);
    p->rolling.friction = p->rolling_constant.friction = ANY(0.1);
    p->twisting.stiffness_tangential = ANY(300.0);
    p->spring.stiffness = ANY(700.0);
#undef ANY
}

/** A model of one to four parts, or of none; it may be one that is refused. `parameters` must live
 * until the model is set. The law "test-spring" must be registered. */
static inline dem_contact_model any_model(const any_source *from, any_parameters *parameters)
{
    any_parameters *p = parameters;
    any_parameters_fill(from, p);
    const struct {
        const char *law;
        const void *parameters;
    } wholes[] = {{DEM_LAW_LINEAR_CSDS, &p->linear},
                  {DEM_LAW_LINEAR_DSDS, &p->linear},
                  {"test-spring", &p->spring}},
      normals[] = {{DEM_LAW_HOOKE, &p->hooke},       {DEM_LAW_HERTZ, &p->hertz},
                   {DEM_LAW_JKR, &p->adhesion},      {DEM_LAW_DMT, &p->adhesion},
                   {DEM_LAW_LUDING, &p->luding},     {DEM_LAW_WALTON_BRAUN, &p->walton_braun},
                   {DEM_LAW_THORNTON, &p->thornton}, {DEM_LAW_ACTM, &p->actm}},
      tangentials[] = {{DEM_LAW_FRICTION, &p->friction},
                       {DEM_LAW_MINDLIN, &p->mindlin},
                       {DEM_LAW_MINDLIN_DERESIEWICZ, &p->mindlin},
                       {DEM_LAW_MINDLIN_DERESIEWICZ_32, &p->mindlin},
                       {DEM_LAW_MINDLIN_THREE_CASE, &p->mindlin},
                       {NULL, NULL}},
      rollings[] = {{DEM_LAW_ROLLING_CSDS, &p->rolling},
                    {DEM_LAW_ROLLING_CONSTANT, &p->rolling_constant},
                    {NULL, NULL},
                    {NULL, NULL}},
      twistings[] = {{DEM_LAW_TWISTING_CSDS, &p->rolling},
                     {DEM_LAW_TWISTING_MARSHALL, &p->twisting},
                     {NULL, NULL},
                     {NULL, NULL}};
    dem_contact_model model;
    dem_contact_model_init(&model);
    model.lever_arm = (int32_t)from->pick(from->user, 2);
    const uint64_t kind = from->pick(from->user, 12);
    if (kind == 0) /* no interaction */
        return model;
    int part = 0;
#define ANY_PART(table)                                                                            \
    do {                                                                                           \
        const uint64_t k = from->pick(from->user, sizeof(table) / sizeof((table)[0]));             \
        model.parts[part].law = (table)[k].law;                                                    \
        model.parts[part].parameters = (table)[k].parameters;                                      \
        part += (table)[k].law != NULL;                                                            \
    } while (0)
    if (kind < 4)
        ANY_PART(wholes);
    else {
        ANY_PART(normals);
        ANY_PART(tangentials);
    }
    ANY_PART(rollings);
    ANY_PART(twistings);
#undef ANY_PART
    return model;
}

#endif
