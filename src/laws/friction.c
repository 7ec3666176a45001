/* SPDX-License-Identifier: MIT */
/* The tangential part "friction": setup. */
#include "laws/friction.h"
#include "base/check.h"
#include "base/context.h"
#include "base/sized.h"
#include "laws/hooke.h"
#include "laws/laws.h"

#include <string.h>

dem_status dem_friction_init_sized(dem_friction *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_friction values;
    memset(&values, 0, sizeof values);
    values.friction = 0.5;
    values.damping_tangential = 1.0;
    values.damping = DEM_DAMPING_RESTITUTION;
    values.slider = DEM_SLIDER_CSDS;
    return demi_sized_write(parameters, size, &values, sizeof values, sizeof values);
}

static dem_status friction_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                   void *combined, dem_error *error)
{
    (void)user;
    dem_friction p;
    memset(&p, 0, sizeof p);
    DEMI_REFUSE(demi_sized_read(&p, parameters, sizeof p, sizeof p) != DEM_OK,
                DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_friction",
                (unsigned long long)((const dem_friction *)parameters)->struct_size,
                "dem_friction");
    DEMI_REFUSE(p.damping < DEM_DAMPING_RESTITUTION || p.damping > DEM_DAMPING_RATE,
                DEM_ERROR_UNKNOWN, "damping: %d is not a DEM_DAMPING_ value", (int)p.damping);
    DEMI_REFUSE(p.slider < DEM_SLIDER_CSDS || p.slider > DEM_SLIDER_VISCOUS, DEM_ERROR_UNKNOWN,
                "slider: %d is not a DEM_SLIDER_ value", (int)p.slider);
    DEMI_REFUSE(!demi_not_negative(p.stiffness_tangential), DEM_ERROR_RANGE,
                "stiffness_tangential: %g must be finite and > 0 N/m, or 0 for 2/7 of a linear "
                "normal part's",
                p.stiffness_tangential);
    const int linear = pair->normal_form == DEM_NORMAL_FORM_LINEAR;
    const int needed = p.slider != DEM_SLIDER_VISCOUS || p.damping == DEM_DAMPING_RESTITUTION;
    DEMI_REFUSE(p.stiffness_tangential == 0.0 && needed && !linear, DEM_ERROR_RANGE,
                "stiffness_tangential: 0 stands for 2/7 k_n, and the part before it is not linear; "
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
                            double radius_j, double speed, dem_law_scales *scales)
{
    (void)user;
    (void)radius_i;
    (void)radius_j;
    (void)speed;
    const demi_friction *c = combined;
    double gamma = c->coefficient + c->rate * mass;
    if (scales->stiffness > 0.0)
        gamma += c->factor * scales->damping * sqrt(c->stiffness / scales->stiffness);
    const double stiffness = c->slider == DEM_SLIDER_VISCOUS ? 0.0 : c->stiffness;
    if (c->friction > 0.0 && (stiffness > 0.0 || gamma > 0.0))
        demi_tangential_limit(stiffness, gamma, mass, scales);
}

static uint32_t friction_needs(void *user, const void *combined)
{
    (void)user;
    const demi_friction *c = combined;
    const int damped = c->factor != 0.0 || c->coefficient != 0.0 || c->rate != 0.0;
    return damped ? DEM_NEEDS_VELOCITY : 0;
}

static const char *const friction_values[] = {
    "stiffness_tangential",   "friction",        "tangential_factor",
    "tangential_coefficient", "tangential_rate", "slider",
};

/* The limit of the last step tells which force acted then. */
static const dem_law_slot friction_slots[] = {{"displacement", DEM_SLOT_TANGENT, -1},
                                              {"limit", DEM_SLOT_SCALAR, 1}};

DEMI_ISA_TABLE(demi_evaluate, demi_friction_batch);

const demi_law demi_law_friction = {
    .law = {.struct_size = sizeof(dem_law),
            .name = DEM_LAW_FRICTION,
            .version = 1,
            .kind = DEM_LAW_TANGENTIAL,
            .slots = friction_slots,
            .slot_count = 2,
            .parameters_size = sizeof(dem_friction),
            .combined_size = sizeof(demi_friction),
            .combine = friction_combine,
            .scales = friction_scales,
            .value_names = friction_values,
            .value_count = sizeof friction_values / sizeof friction_values[0],
            .promises = DEM_LAW_LEAVES_TORQUES,
            .needs = friction_needs},
    .evaluate = demi_friction_batch};
