/* SPDX-License-Identifier: MIT */
/* The tangential part "friction": setup. */
#include "laws/friction_lane.h"
#include "base/check.h"
#include "base/context.h"
#include "base/sized.h"
#include "laws/explicit_limit.h"
#include "laws/laws.h"

#include <string.h>

dem_status dem_friction_init_sized(dem_friction *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_friction values;
    memset(&values, 0, sizeof values);
    values.kind = DEM_PARAMETERS_FRICTION;
    values.friction = 0.5;
    values.damping_tangential = 1.0;
    values.damping = DEM_DAMPING_RESTITUTION;
    values.slider = DEM_SLIDER_CSDS;
    return demi_sized_write(parameters, size, &values);
}

static dem_status friction_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                   void *combined, dem_error *error)
{
    (void)user;
    dem_friction p;
    DEMI_PARAMETERS_READ(dem_friction, &p, parameters);
    DEMI_REFUSE(p.damping < DEM_DAMPING_RESTITUTION || p.damping > DEM_DAMPING_RATE,
                DEM_ERROR_UNKNOWN,
                "damping: %d is not DEM_DAMPING_RESTITUTION, _COEFFICIENT or _RATE (0 to 2)",
                (int)p.damping);
    DEMI_REFUSE(p.slider < DEM_SLIDER_CSDS || p.slider > DEM_SLIDER_LI, DEM_ERROR_UNKNOWN,
                "slider: %d is not a DEM_SLIDER_ value", (int)p.slider);
    DEMI_REFUSE(!demi_not_negative(p.stiffness_tangential), DEM_ERROR_RANGE,
                "stiffness_tangential: %g must be finite and > 0 N/m, or 0 for 2/7 of a linear "
                "normal part's",
                p.stiffness_tangential);
    const int linear = pair->normal_form == DEM_NORMAL_FORM_LINEAR;
    const int needed = p.slider != DEM_SLIDER_VISCOUS || p.damping == DEM_DAMPING_RESTITUTION;
    DEMI_REFUSE(p.stiffness_tangential == 0.0 && needed && !linear, DEM_ERROR_RANGE,
                "stiffness_tangential: 0 means 2/7 k_n, but the normal part is not linear: "
                "it must be > 0 N/m");
    DEMI_REFUSE(!demi_not_negative(p.friction), DEM_ERROR_RANGE,
                "friction: %g must be finite and >= 0", p.friction);
    DEMI_REFUSE(!demi_not_negative(p.damping_tangential), DEM_ERROR_RANGE,
                "damping_tangential: %g must be finite and >= 0", p.damping_tangential);

    demi_friction *c = combined;
    memset(c, 0, sizeof *c);
    c->stiffness = p.stiffness_tangential > 0.0 ? p.stiffness_tangential
                   : linear                     ? 2.0 / 7.0 * pair->stiffness_normal
                                                : 0.0;
    c->friction = p.friction;
    c->slider = p.slider;
    if (p.damping == DEM_DAMPING_RESTITUTION)
        c->factor = p.damping_tangential;
    else if (p.damping == DEM_DAMPING_COEFFICIENT)
        c->coefficient = p.damping_tangential;
    else
        c->rate = p.damping_tangential;
    return DEM_OK;
}

static void friction_scales(void *user, const void *combined, double mass, double radius_i,
                            double radius_j, double speed, dem_law_limits *limits)
{
    (void)user;
    (void)radius_i;
    (void)radius_j;
    (void)speed;
    const demi_friction *c = combined;
    double gamma = c->coefficient + c->rate * mass;
    if (limits->stiffness > 0.0)
        gamma += c->factor * limits->damping * sqrt(c->stiffness / limits->stiffness);
    const double stiffness = c->slider == DEM_SLIDER_VISCOUS ? 0.0 : c->stiffness;
    if (c->friction > 0.0)
        demi_explicit_limit(stiffness, gamma, DEMI_TANGENTIAL_MASS * mass, limits);
}

static uint32_t friction_needs(void *user, const void *combined)
{
    (void)user;
    const demi_friction *c = combined;
    const int damped = c->factor != 0.0 || c->coefficient != 0.0 || c->rate != 0.0;
    return damped ? DEM_TRAIT_NEEDS_VELOCITY : 0;
}

static const char *const friction_values[] = {
    "stiffness_tangential",   "friction",        "tangential_factor",
    "tangential_coefficient", "tangential_rate", "slider",
};

/* Limit and damping of the last step tell which force acted then. */
static const dem_law_slot friction_slots[] = {{"displacement", DEM_SLOT_TANGENT, -1},
                                              {"limit", DEM_SLOT_SCALAR, 1},
                                              {"damping", DEM_SLOT_SCALAR, 1}};

const dem_law demi_law_friction = {DEMI_LAW_SETUP(DEM_LAW_FRICTION, DEM_LAW_TANGENTIAL,
                                                  dem_friction, DEM_PARAMETERS_FRICTION,
                                                  demi_friction),
                                   DEMI_LAW_SLOTS(friction_slots),
                                   DEMI_LAW_VALUES(friction_values),
                                   .combine = friction_combine,
                                   .limits = friction_scales,
                                   .traits = DEM_TRAIT_LEAVES_TORQUES,
                                   .traits_needed = friction_needs};
