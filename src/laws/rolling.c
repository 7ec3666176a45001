/* SPDX-License-Identifier: MIT */
/* Rolling and twisting resistance: setup. */
#include "laws/rolling.h"
#include "base/check.h"
#include "base/context.h"
#include "base/sized.h"
#include "laws/hooke.h"
#include "laws/laws.h"

#include <string.h>

dem_status dem_rolling_init_sized(dem_rolling *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_rolling values = {
        .struct_size = sizeof values, .friction = 0.1, .damping_ratio = 0.5};
    return demi_sized_write(parameters, size, &values, sizeof values, sizeof values);
}

dem_status dem_rolling_constant_init_sized(dem_rolling_constant *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_rolling_constant values = {.struct_size = sizeof values, .friction = 0.1};
    return demi_sized_write(parameters, size, &values, sizeof values, sizeof values);
}

dem_status dem_twisting_marshall_init_sized(dem_twisting_marshall *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_twisting_marshall values = {.struct_size = sizeof values, .friction = 0.5};
    return demi_sized_write(parameters, size, &values, sizeof values, sizeof values);
}

#define FRICTION_MESSAGE "friction: %g must be finite and >= 0"

static dem_status rolling_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                  void *combined, dem_error *error)
{
    (void)user;
    dem_rolling p;
    memset(&p, 0, sizeof p);
    DEMI_REFUSE(demi_sized_read(&p, parameters, sizeof p, sizeof p) != DEM_OK,
                DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_rolling",
                (unsigned long long)((const dem_rolling *)parameters)->struct_size, "dem_rolling");
    DEMI_REFUSE(!demi_not_negative(p.stiffness), DEM_ERROR_RANGE,
                "stiffness: %g must be finite and > 0 N/m, or 0 for 2/7 of a linear normal part's",
                p.stiffness);
    DEMI_REFUSE(p.stiffness == 0.0 && pair->normal_form != DEM_NORMAL_FORM_LINEAR, DEM_ERROR_RANGE,
                "stiffness: 0 stands for 2/7 k_n, and the part before it is not linear; it must "
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
    memset(&p, 0, sizeof p);
    DEMI_REFUSE(demi_sized_read(&p, parameters, sizeof p, sizeof p) != DEM_OK,
                DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_rolling_constant",
                (unsigned long long)((const dem_rolling_constant *)parameters)->struct_size,
                "dem_rolling_constant");
    DEMI_REFUSE(!demi_not_negative(p.friction), DEM_ERROR_RANGE, FRICTION_MESSAGE, p.friction);
    *(double *)combined = p.friction;
    return DEM_OK;
}

static dem_status marshall_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                   void *combined, dem_error *error)
{
    (void)user;
    dem_twisting_marshall p;
    memset(&p, 0, sizeof p);
    DEMI_REFUSE(demi_sized_read(&p, parameters, sizeof p, sizeof p) != DEM_OK,
                DEM_ERROR_STRUCT_SIZE, DEMI_SIZED_MESSAGE, "dem_twisting_marshall",
                (unsigned long long)((const dem_twisting_marshall *)parameters)->struct_size,
                "dem_twisting_marshall");
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
                           double radius_j, double speed, dem_law_scales *scales)
{
    (void)user;
    (void)radius_i;
    (void)radius_j;
    (void)speed;
    const demi_rolling *c = combined;
    const double inertia = 0.4 * mass;
    const double gamma = c->damping + 2.0 * c->ratio * sqrt(inertia * c->stiffness);
    const double limit = demi_explicit_limit(c->stiffness, scales->dashpot_weight * gamma, inertia);
    if (c->friction > 0.0 && (scales->timestep_limit == 0.0 || limit < scales->timestep_limit))
        scales->timestep_limit = limit;
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

DEMI_ISA_TABLE(demi_evaluate, demi_rolling_csds);
DEMI_ISA_TABLE(demi_evaluate, demi_rolling_constant);
DEMI_ISA_TABLE(demi_evaluate, demi_twisting_csds);
DEMI_ISA_TABLE(demi_evaluate, demi_twisting_marshall);

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define RESISTANCE(NAME, KIND, PARAMETERS, COMBINED, COMBINE, SCALES, SLOTS, VALUES)               \
    .law = {.struct_size = sizeof(dem_law),                                                        \
            .name = (NAME),                                                                        \
            .version = 1,                                                                          \
            .kind = (KIND),                                                                        \
            .slots = (SLOTS),                                                                      \
            .slot_count = COUNT(SLOTS),                                                            \
            .parameters_size = sizeof(PARAMETERS),                                                 \
            .combined_size = sizeof(COMBINED),                                                     \
            .combine = (COMBINE),                                                                  \
            .scales = (SCALES),                                                                    \
            .value_names = (VALUES),                                                               \
            .value_count = COUNT(VALUES),                                                          \
            .needs = demi_needs_radius}

const demi_law demi_law_rolling_csds = {RESISTANCE(DEM_LAW_ROLLING_CSDS, DEM_LAW_ROLLING,
                                                   dem_rolling, demi_rolling, rolling_combine,
                                                   rolling_scales, rolling_slots, rolling_values),
                                        .evaluate = demi_rolling_csds};
const demi_law demi_law_rolling_constant = {
    RESISTANCE(DEM_LAW_ROLLING_CONSTANT, DEM_LAW_ROLLING, dem_rolling_constant, double,
               constant_combine, NULL, constant_slots, constant_values),
    .evaluate = demi_rolling_constant};
const demi_law demi_law_twisting_csds = {RESISTANCE(DEM_LAW_TWISTING_CSDS, DEM_LAW_TWISTING,
                                                    dem_rolling, demi_rolling, rolling_combine,
                                                    rolling_scales, twisting_slots, rolling_values),
                                         .evaluate = demi_twisting_csds};
const demi_law demi_law_twisting_marshall = {
    RESISTANCE(DEM_LAW_TWISTING_MARSHALL, DEM_LAW_TWISTING, dem_twisting_marshall, demi_marshall,
               marshall_combine, NULL, marshall_slots, marshall_values),
    .evaluate = demi_twisting_marshall};
