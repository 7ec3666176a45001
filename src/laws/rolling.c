/* SPDX-License-Identifier: MIT */
/* Rolling and twisting resistance: setup. */
#include "laws/rolling_lane.h"
#include "base/check.h"
#include "base/context.h"
#include "base/sized.h"
#include "laws/explicit_limit.h"
#include "laws/laws.h"

#include <string.h>

dem_status dem_rolling_init_sized(dem_rolling *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_rolling values = {.struct_size = sizeof values,
                                .kind = DEM_PARAMETERS_ROLLING,
                                .friction = 0.1,
                                .damping_ratio = 0.5};
    return demi_sized_write(parameters, size, &values);
}

dem_status dem_rolling_constant_init_sized(dem_rolling_constant *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_rolling_constant values = {
        .struct_size = sizeof values, .kind = DEM_PARAMETERS_ROLLING_CONSTANT, .friction = 0.1};
    return demi_sized_write(parameters, size, &values);
}

dem_status dem_twisting_marshall_init_sized(dem_twisting_marshall *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_twisting_marshall values = {
        .struct_size = sizeof values, .kind = DEM_PARAMETERS_TWISTING_MARSHALL, .friction = 0.5};
    return demi_sized_write(parameters, size, &values);
}

#define FRICTION_MESSAGE "friction: %g must be finite and >= 0"

static dem_status rolling_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                  void *combined, dem_error *error)
{
    (void)user;
    dem_rolling p;
    DEMI_PARAMETERS_READ(dem_rolling, &p, parameters);
    DEMI_REFUSE(!demi_not_negative(p.stiffness), DEM_ERROR_RANGE,
                "stiffness: %g must be finite and > 0 N/m, or 0 for 2/7 k_n of a linear normal "
                "part",
                p.stiffness);
    DEMI_REFUSE(p.stiffness == 0.0 && pair->normal_form != DEM_NORMAL_FORM_LINEAR, DEM_ERROR_RANGE,
                "stiffness: 0 means 2/7 k_n, but the normal part is not linear: it must "
                "be > 0 N/m");
    DEMI_REFUSE(!demi_not_negative(p.friction), DEM_ERROR_RANGE, FRICTION_MESSAGE, p.friction);
    DEMI_REFUSE(!demi_not_negative(p.damping), DEM_ERROR_RANGE,
                "damping: %g must be finite and >= 0 kg/s", p.damping);
    DEMI_REFUSE(!demi_not_negative(p.damping_ratio), DEM_ERROR_RANGE,
                "damping_ratio: %g must be finite and >= 0", p.damping_ratio);
    demi_rolling *c = combined;
    c->stiffness = p.stiffness > 0.0 ? p.stiffness : 2.0 / 7.0 * pair->stiffness_normal;
    c->friction = p.friction;
    c->damping = p.damping;
    c->ratio = p.damping_ratio;
    return DEM_OK;
}

static dem_status constant_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                   void *combined, dem_error *error)
{
    (void)user;
    (void)pair;
    dem_rolling_constant p;
    DEMI_PARAMETERS_READ(dem_rolling_constant, &p, parameters);
    DEMI_REFUSE(!demi_not_negative(p.friction), DEM_ERROR_RANGE, FRICTION_MESSAGE, p.friction);
    *(double *)combined = p.friction;
    return DEM_OK;
}

static dem_status marshall_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                   void *combined, dem_error *error)
{
    (void)user;
    dem_twisting_marshall p;
    DEMI_PARAMETERS_READ(dem_twisting_marshall, &p, parameters);
    DEMI_REFUSE(!demi_not_negative(p.stiffness_tangential), DEM_ERROR_RANGE,
                "stiffness_tangential: %g must be finite and >= 0 N/m", p.stiffness_tangential);
    const int linear = pair->normal_form == DEM_NORMAL_FORM_LINEAR;
    DEMI_REFUSE(p.stiffness_tangential == 0.0 && !linear && !(pair->effective_shear > 0.0),
                DEM_ERROR_RANGE,
                "stiffness_tangential: 0, and the part before it has neither k_n nor G* to derive "
                "it from; it must be > 0 N/m");
    DEMI_REFUSE(!demi_not_negative(p.friction), DEM_ERROR_RANGE, FRICTION_MESSAGE, p.friction);
    DEMI_REFUSE(!demi_not_negative(p.damping_tangential), DEM_ERROR_RANGE,
                "damping_tangential: %g must be finite and >= 0 kg/s", p.damping_tangential);
    demi_marshall *c = combined;
    memset(c, 0, sizeof *c);
    c->friction = p.friction;
    c->damping = p.damping_tangential;
    c->young = pair->effective_young;
    c->normal = pair->stiffness_normal;
    if (p.stiffness_tangential > 0.0)
        c->stiffness = p.stiffness_tangential;
    else if (linear)
        c->stiffness = 2.0 / 7.0 * pair->stiffness_normal;
    else
        c->shear = 8.0 * pair->effective_shear;
    return DEM_OK;
}

/* 2/5 m* is the least mass that a pseudo-force can meet: that of a solid sphere on a plane. */
static void rolling_scales(void *user, const void *combined, double mass, double radius_i,
                           double radius_j, double speed, dem_law_limits *limits)
{
    (void)user;
    (void)radius_i;
    (void)radius_j;
    (void)speed;
    const demi_rolling *c = combined;
    const double inertia = 0.4 * mass;
    const double gamma = c->damping + 2.0 * c->ratio * sqrt(inertia * c->stiffness);
    if (c->friction > 0.0)
        demi_explicit_limit(c->stiffness, gamma, inertia, limits);
}

/* The greatest contact radius, as twisting_marshall_lane has it. A part without E* has that of its
 * overlap: speed sqrt(m/k) of a linear spring, and of 3/2 k sqrt(overlap) what the slope tells. */
static double marshall_radius(const demi_marshall *c, double mass, double radius, double speed,
                              const dem_law_limits *limits)
{
    if (c->young > 0.0)
        return demi_contact_radius_most(c->young, radius, mass, speed, limits);
    /* "actm" in steps has no contact time, and no slope that is one of a contact */
    const double told = limits->contact_time > 0.0 ? limits->stiffness / 1.875 : 0.0,
                 spring = c->normal > 0.0 ? c->normal : told;
    return spring > 0.0 ? sqrt(radius * speed * sqrt(mass / spring)) : 0.0;
}

/* 2/5 m* R*^2 likewise is the least moment of inertia. */
static void marshall_scales(void *user, const void *combined, double mass, double radius_i,
                            double radius_j, double speed, dem_law_limits *limits)
{
    (void)user;
    const demi_marshall *c = combined;
    const double radius = demi_effective_radius(radius_i, radius_j),
                 a = marshall_radius(c, mass, radius, speed, limits), area = 0.5 * a * a;
    if (c->friction > 0.0)
        demi_explicit_limit(area * (c->stiffness + c->shear * a), area * c->damping,
                            0.4 * mass * radius * radius, limits);
}

/* Springs turn with the contact; dashpots see its velocity. */
static uint32_t rolling_needs(void *user, const void *combined)
{
    (void)user;
    const demi_rolling *c = combined;
    const int damped = c->damping > 0.0 || c->ratio > 0.0;
    return DEM_TRAIT_NEEDS_RADIUS | DEM_TRAIT_NEEDS_ROTATION |
           (damped ? DEM_TRAIT_NEEDS_VELOCITY : 0u);
}

static uint32_t constant_needs(void *user, const void *combined)
{
    (void)user;
    (void)combined;
    return DEM_TRAIT_NEEDS_RADIUS | DEM_TRAIT_NEEDS_ROTATION | DEM_TRAIT_NEEDS_VELOCITY;
}

static uint32_t marshall_needs(void *user, const void *combined)
{
    (void)user;
    const demi_marshall *c = combined;
    return DEM_TRAIT_NEEDS_RADIUS | DEM_TRAIT_NEEDS_ROTATION |
           (c->damping > 0.0 ? DEM_TRAIT_NEEDS_VELOCITY : 0u);
}

static const char *const rolling_values[] = {"stiffness", "friction", "damping", "damping_ratio"};
static const char *const constant_values[] = {"friction"};
static const char *const marshall_values[] = {"stiffness_tangential", "friction",
                                              "damping_tangential", "stiffness_per_radius"};

/* The torque on i of the last step, in space, tells what its work was. */
#define TORQUE_SLOTS                                                                               \
    {"torque_x", DEM_SLOT_SCALAR, -1}, {"torque_y", DEM_SLOT_SCALAR, -1},                          \
    {                                                                                              \
        "torque_z", DEM_SLOT_SCALAR, -1                                                            \
    }
static const dem_law_slot rolling_slots[] = {{"displacement", DEM_SLOT_TANGENT, 1}, TORQUE_SLOTS};
static const dem_law_slot constant_slots[] = {TORQUE_SLOTS};
static const dem_law_slot twisting_slots[] = {{"displacement", DEM_SLOT_SCALAR, 1}, TORQUE_SLOTS};
static const dem_law_slot marshall_slots[] = {
    {"elastic_torque", DEM_SLOT_SCALAR, 1}, {"stiffness", DEM_SLOT_SCALAR, 1}, TORQUE_SLOTS};

const dem_law demi_law_rolling_csds = {DEMI_LAW_SETUP(DEM_LAW_ROLLING_CSDS, DEM_LAW_ROLLING,
                                                      dem_rolling, DEM_PARAMETERS_ROLLING,
                                                      demi_rolling),
                                       DEMI_LAW_SLOTS(rolling_slots),
                                       DEMI_LAW_VALUES(rolling_values),
                                       .combine = rolling_combine,
                                       .limits = rolling_scales,
                                       .traits_needed = rolling_needs};

const dem_law demi_law_rolling_constant = {
    DEMI_LAW_SETUP(DEM_LAW_ROLLING_CONSTANT, DEM_LAW_ROLLING, dem_rolling_constant,
                   DEM_PARAMETERS_ROLLING_CONSTANT, double),
    DEMI_LAW_SLOTS(constant_slots), DEMI_LAW_VALUES(constant_values), .combine = constant_combine,
    .traits_needed = constant_needs};

const dem_law demi_law_twisting_csds = {DEMI_LAW_SETUP(DEM_LAW_TWISTING_CSDS, DEM_LAW_TWISTING,
                                                       dem_rolling, DEM_PARAMETERS_ROLLING,
                                                       demi_rolling),
                                        DEMI_LAW_SLOTS(twisting_slots),
                                        DEMI_LAW_VALUES(rolling_values),
                                        .combine = rolling_combine,
                                        .limits = rolling_scales,
                                        .traits_needed = rolling_needs};

const dem_law demi_law_twisting_marshall = {
    DEMI_LAW_SETUP(DEM_LAW_TWISTING_MARSHALL, DEM_LAW_TWISTING, dem_twisting_marshall,
                   DEM_PARAMETERS_TWISTING_MARSHALL, demi_marshall),
    DEMI_LAW_SLOTS(marshall_slots),
    DEMI_LAW_VALUES(marshall_values),
    .combine = marshall_combine,
    .limits = marshall_scales,
    .traits_needed = marshall_needs};
