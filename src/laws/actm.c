/* SPDX-License-Identifier: MIT */
/* The adaptive collision time model: parameters and scales. */
#include "laws/actm_lane.h"
#include "base/check.h"
#include "base/context.h"
#include "base/sized.h"
#include "laws/collision_curve.h"
#include "laws/elastic.h"
#include "laws/explicit_limit.h"
#include "laws/laws.h"

#include <dem/collision.h>
#include <dem/law_actm.h>

#include <math.h>
#include <string.h>

dem_status dem_actm_init_sized(dem_actm *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_actm values;
    memset(&values, 0, sizeof values);
    values.kind = DEM_PARAMETERS_ACTM;
    values.restitution = 1.0;
    values.poisson[0] = 0.3;
    values.overlap_cap = 0.01;
    return demi_sized_write(parameters, size, &values);
}

#define CONTACT_STEPS_MOST 1e9

static dem_status actm_check(const dem_actm *p, dem_error *error)
{
    DEMI_REFUSE(!demi_collision_restitution_ok(p->restitution), DEM_ERROR_RANGE,
                "restitution: %g is not in [%g, 1]", p->restitution, DEM_COLLISION_RESTITUTION_MIN);
    DEMI_REFUSE(!demi_not_negative(p->contact_time) || !demi_not_negative(p->contact_steps) ||
                    (p->contact_time > 0.0) == (p->contact_steps > 0.0),
                DEM_ERROR_RANGE,
                "contact_time: %g s and contact_steps: %g: one must be finite and > 0, the other 0",
                p->contact_time, p->contact_steps);
    DEMI_REFUSE(p->contact_time > 0.0 && !demi_collision_scale_ok(p->contact_time), DEM_ERROR_RANGE,
                "contact_time: %g s is not in [1e-50, 1e50]", p->contact_time);
    DEMI_REFUSE(p->contact_steps > CONTACT_STEPS_MOST, DEM_ERROR_RANGE,
                "contact_steps: %g is above %g", p->contact_steps, CONTACT_STEPS_MOST);
    DEMI_REFUSE(!demi_collision_scale_ok(p->speed_floor), DEM_ERROR_RANGE,
                "speed_floor: %g m/s is not in [1e-50, 1e50]", p->speed_floor);
    DEMI_REFUSE(!demi_not_negative(p->load_acceleration) || p->load_acceleration > 1e50,
                DEM_ERROR_RANGE, "load_acceleration: %g m/s2 is not in [0, 1e50]",
                p->load_acceleration);
    DEMI_REFUSE(!demi_positive(p->overlap_cap) || p->overlap_cap > 1.0, DEM_ERROR_RANGE,
                "overlap_cap: %g is not in (0, 1]", p->overlap_cap);
    return demi_elastic_check(p->young, p->poisson, error);
}

static dem_status actm_combine(void *user, const void *parameters, dem_pair_properties *pair,
                               void *combined, dem_error *error)
{
    (void)user;
    dem_actm p;
    DEMI_PARAMETERS_READ(dem_actm, &p, parameters);
    const dem_status status = actm_check(&p, error);
    if (status != DEM_OK)
        return status;
    demi_actm *c = combined;
    double shear;
    memset(c, 0, sizeof *c);
    demi_collision_curve(p.restitution, &c->lambda, &c->tau);
    /* the step must resolve the collision, and the dashpot needs d dt/m* < 1 */
    const double fewest = 2.0 * c->lambda * c->tau > 4.0 ? 2.0 * c->lambda * c->tau : 4.0;
    DEMI_REFUSE(p.contact_steps > 0.0 && p.contact_steps < fewest, DEM_ERROR_RANGE,
                "contact_steps: %g is below %g, the fewest for restitution %g", p.contact_steps,
                fewest, p.restitution);
    demi_elastic_combine(p.young, p.poisson, &c->effective_young, &shear);
    c->time = p.contact_time;
    c->steps = p.contact_steps;
    c->speed_floor = p.speed_floor;
    c->load = p.load_acceleration;
    c->overlap = p.overlap_cap;
    pair->normal_form = DEM_NORMAL_FORM_OTHER;
    pair->restitution = p.restitution;
    return DEM_OK;
}

/* The slope where a sphere of this speed stops without the dashpot, or, if that is more, where the
 * contact bears its load. */
static double actm_slope(const demi_actm *c, double mass, double u, double stiffness)
{
    const double stops = 1.5 * stiffness * pow(1.25 * mass * u * u / stiffness, 0.2);
    const double bears = 1.5 * stiffness * cbrt(c->load * mass / stiffness);
    return stops > bears ? stops : bears;
}

/* The limit of a contact of this k that first touched at this speed. */
static double actm_limit(const demi_actm *c, double mass, double u, double stiffness, double weight)
{
    dem_law_limits own = {.struct_size = sizeof own, .dashpot_weight = weight};
    const double unit = pow(mass / stiffness * (mass / stiffness) / u, 0.2);
    demi_explicit_limit(actm_slope(c, mass, u, stiffness), 2.0 * c->lambda * mass / unit, mass,
                        &own);
    return own.timestep_limit;
}

/* Where the time is one of steps, k falls with dt between its bounds, and an impact is stable
 * whatever dt. A load is not: between the bounds its slope is 3/2 (a s/u)^(1/3) m/s^2 with s =
 * dt/q, and at the lower bound k falls no more. Each limit is longer for a smaller k, so that of
 * the law is the middle one, as its k is. */
static void actm_scales_steps(const demi_actm *c, double mass, double radius, double u,
                              dem_law_limits *limits)
{
    /* friction's dashpot is proportional to d over the root of the slope of the impact, which is
     * the same whatever the unit: take one so short that the overlap is none */
    const double unit = 1e-50, q = c->tau / c->steps;
    limits->stiffness = 1.5 * pow(1.25, 0.2) * mass / (unit * unit);
    limits->damping = 2.0 * c->lambda * mass / unit;
    const double lowest = demi_actm_lowest(c, mass, radius);
    if (!(lowest > 0.0))
        return;
    const double weight = limits->dashpot_weight, room = 1.0 - weight * 2.0 * c->lambda * q;
    const double root = room / (0.375 * q * q), highest = demi_actm_highest(c, radius);
    double limit = actm_limit(c, mass, u, lowest < highest ? lowest : highest, weight);
    /* with the fewest steps the dashpot alone is at its limit, for each dt */
    if (room > 1e-6 && q * u / c->load * (root * root * root) < limit)
        limit = q * u / c->load * (root * root * root);
    const double least = actm_limit(c, mass, u, highest, weight);
    limits->timestep_limit = limit > least ? limit : least;
}

static void actm_scales(void *user, const void *combined, double mass, double radius_i,
                        double radius_j, double speed, dem_law_limits *limits)
{
    (void)user;
    const demi_actm *c = combined;
    const double radius = demi_effective_radius(radius_i, radius_j);
    const double u = speed > c->speed_floor ? speed : c->speed_floor;
    if (c->time <= 0.0) {
        actm_scales_steps(c, mass, radius, u, limits);
        return;
    }
    double stiffness, damping;
    const double unit =
        dem_kernel_actm(mass, u, c->lambda, c->time / c->tau, demi_actm_lowest(c, mass, radius),
                        demi_actm_highest(c, radius), &stiffness, &damping);
    limits->contact_time = c->tau * unit;
    demi_explicit_limit(actm_slope(c, mass, u, stiffness), damping, mass, limits);
    /* of the impact alone: beside the weaker spring friction's dashpot is the stronger one */
    limits->stiffness = actm_slope(&(demi_actm){.load = 0.0}, mass, u, stiffness);
    limits->damping = damping;
}

static const char *const actm_values[] = {
    "lambda",          "tau",  "contact_time", "contact_steps", "speed_floor",
    "effective_young", "load", "overlap_cap",
};

static const dem_law_slot actm_slots[] = {{"stiffness", DEM_SLOT_SCALAR, 1},
                                          {"damping", DEM_SLOT_SCALAR, 1}};

const dem_law demi_law_actm = {
    DEMI_LAW_SETUP(DEM_LAW_ACTM, DEM_LAW_NORMAL, dem_actm, DEM_PARAMETERS_ACTM, demi_actm),
    DEMI_LAW_SLOTS(actm_slots),
    DEMI_LAW_VALUES(actm_values),
    .combine = actm_combine,
    .limits = actm_scales,
    .traits = DEM_TRAIT_LEAVES_TORQUES,
    .traits_needed = demi_traits_radius};
