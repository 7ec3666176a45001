/* SPDX-License-Identifier: MIT */
/* Tangential laws after Mindlin and Deresiewicz: parameters, state and scales. */
#include "base/check.h"
#include "base/context.h"
#include "base/sized.h"
#include "laws/explicit_limit.h"
#include "laws/laws.h"
#include "laws/mindlin.h"

#include <dem/law_hertz.h>
#include <dem/law_mindlin.h>

#include <string.h>

dem_status dem_mindlin_init_sized(dem_mindlin *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_mindlin values;
    memset(&values, 0, sizeof values);
    values.kind = DEM_PARAMETERS_MINDLIN;
    values.friction = 0.5;
    values.stiffness_factor = 1.0;
    return demi_sized_write(parameters, size, &values);
}

static dem_status mindlin_check(const dem_mindlin *p, dem_error *error)
{
    DEMI_REFUSE(!demi_not_negative(p->friction), DEM_ERROR_RANGE,
                "friction: %g must be finite and >= 0", p->friction);
    DEMI_REFUSE(!demi_positive(p->stiffness_factor), DEM_ERROR_RANGE,
                "stiffness_factor: %g must be finite and > 0", p->stiffness_factor);
    DEMI_REFUSE(!demi_not_negative(p->restitution) || p->restitution > 1.0, DEM_ERROR_RANGE,
                "restitution: %g is not in (0, 1], nor 0 for that of the normal part",
                p->restitution);
    DEMI_REFUSE(!demi_not_negative(p->damping_factor), DEM_ERROR_RANGE,
                "damping_factor: %g must be finite and >= 0", p->damping_factor);
    DEMI_REFUSE(
        p->damping < DEM_MINDLIN_DAMPING_RESTITUTION || p->damping > DEM_MINDLIN_DAMPING_FACTOR,
        DEM_ERROR_UNKNOWN, "damping: %d is not a DEM_MINDLIN_DAMPING_ value", (int)p->damping);
    DEMI_REFUSE(p->form < DEM_MINDLIN_RESCALED || p->form > DEM_MINDLIN_INCREMENTAL,
                DEM_ERROR_UNKNOWN, "form: %d is not a DEM_MINDLIN_ form", (int)p->form);
    const int known = p->slider >= DEM_SLIDER_CSDS && p->slider <= DEM_SLIDER_UNRESET;
    DEMI_REFUSE(!known && p->slider != DEM_SLIDER_LI, DEM_ERROR_UNKNOWN,
                "slider: %d is not DEM_SLIDER_CSDS to _UNRESET (0 to 3), nor _LI (5)",
                (int)p->slider);
    return DEM_OK;
}

static dem_status mindlin_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                  void *combined, dem_error *error)
{
    (void)user;
    dem_mindlin p;
    DEMI_PARAMETERS_READ(dem_mindlin, &p, parameters);
    DEMI_REFUSE(p.reserved != 0, DEM_ERROR_UNKNOWN, DEMI_RESERVED_MESSAGE, "dem_mindlin.reserved",
                (long long)p.reserved, "dem_mindlin");
    const dem_status status = mindlin_check(&p, error);
    if (status != DEM_OK)
        return status;
    DEMI_REFUSE(!demi_positive(pair->effective_shear) || !demi_positive(pair->effective_young),
                DEM_ERROR_ARGUMENT,
                "normal part: must have E* and G* > 0 (hertz, jkr, dmt or thornton), has E* %g, "
                "G* %g Pa",
                pair->effective_young, pair->effective_shear);
    demi_mindlin *c = combined;
    memset(c, 0, sizeof *c);
    c->friction = p.friction;
    c->stiffness_factor = p.stiffness_factor;
    c->effective_young = pair->effective_young;
    c->effective_shear = pair->effective_shear;
    c->form = p.form;
    c->slider = p.slider;
    if (p.damping == DEM_MINDLIN_DAMPING_FACTOR)
        c->damping_factor = p.damping_factor;
    else
        (void)dem_kernel_damping_ratio_attractive(
            p.restitution > 0.0 ? p.restitution : pair->restitution, &c->damping_ratio);
    return DEM_OK;
}

/* Laws that solve Hertz's contact: nothing about it can be chosen. */
static dem_status mindlin_combine_hertz(void *user, const void *parameters,
                                        dem_pair_properties *pair, void *combined, dem_error *error)
{
    const dem_status status = mindlin_combine(user, parameters, pair, combined, error);
    if (status != DEM_OK)
        return status;
    const demi_mindlin *c = combined;
    DEMI_REFUSE(pair->normal_form != DEM_NORMAL_FORM_HERTZ, DEM_ERROR_ARGUMENT,
                "normal part: must be of DEM_NORMAL_FORM_HERTZ (%d), is of form %d",
                DEM_NORMAL_FORM_HERTZ, (int)pair->normal_form);
    DEMI_REFUSE(c->stiffness_factor != 1.0, DEM_ERROR_RANGE,
                "stiffness_factor: %g must be 1 for this law", c->stiffness_factor);
    DEMI_REFUSE(c->form != DEM_MINDLIN_RESCALED, DEM_ERROR_RANGE,
                "form: %g must be DEM_MINDLIN_RESCALED (0) for this law", c->form);
    DEMI_REFUSE(c->slider != DEM_SLIDER_CSDS, DEM_ERROR_RANGE,
                "slider: %g must be DEM_SLIDER_CSDS (0) for this law", c->slider);
    return DEM_OK;
}

/* Of spring and dashpot where the contact is widest. */
static void mindlin_scales(void *user, const void *combined, double mass, double radius_i,
                           double radius_j, double speed, dem_law_limits *limits)
{
    (void)user;
    const demi_mindlin *c = combined;
    const double radius = demi_effective_radius(radius_i, radius_j);
    const double a = demi_contact_radius_most(c->effective_young, radius, mass, speed, limits);
    const double stiffness =
        c->stiffness_factor * dem_kernel_stiffness_mindlin(c->effective_shear, a);
    const double eta = dem_kernel_damping_mindlin(c->damping_ratio, mass, stiffness) +
                       c->damping_factor * limits->damping;
    if (c->friction > 0.0)
        demi_explicit_limit(stiffness, eta, DEMI_TANGENTIAL_MASS * mass, limits);
}

static const char *const mindlin_values[] = {
    "friction",
    "stiffness_factor",
    "effective_young",
    "effective_shear",
    "damping_ratio",
    "damping_factor",
    "form",
    "slider",
};

static const dem_law_slot mindlin_slots[] = {
    {"displacement", DEM_SLOT_TANGENT, -1},
    {"stiffness", DEM_SLOT_SCALAR, 1},
    {"force", DEM_SLOT_FORCE, -1},
};

/* Exchanging i and j turns normal and displacement round; the direction stays, so the component
 * along it changes its sign, and the one along normal x direction does not. */
#define SPRING(k)                                                                                  \
    {"along" #k, DEM_SLOT_SCALAR, -1},                                                             \
    {                                                                                              \
        "across" #k, DEM_SLOT_SCALAR, 1                                                            \
    }
#define EIGHT(t, a, b, c, d, e, f, g, h)                                                           \
    SPRING(t##a), SPRING(t##b), SPRING(t##c), SPRING(t##d), SPRING(t##e), SPRING(t##f),            \
        SPRING(t##g), SPRING(t##h)
#define SPRING_ROW(...)                                                                            \
    {"direction", DEM_SLOT_DIRECTION, 1}, {"spacing", DEM_SLOT_SCALAR, 1},                         \
        __VA_ARGS__ EIGHT(_0, 0, 1, 2, 3, 4, 5, 6, 7), EIGHT(_1, 0, 1, 2, 3, 4, 5, 6, 7),          \
        EIGHT(_2, 0, 1, 2, 3, 4, 5, 6, 7), EIGHT(_3, 0, 1, 2, 3, 4, 5, 6, 7)
#define ROW_FORCE                                                                                  \
    {"force_along", DEM_SLOT_FORCE_COMPONENT, -1}, {"force_across", DEM_SLOT_FORCE_COMPONENT, 1},
static const dem_law_slot row_slots[] = {SPRING_ROW(ROW_FORCE)};
/* The force of the last step is for energies alone. */
static const dem_law_slot row_lean_slots[] = {SPRING_ROW()};
enum { ROW_SLOTS = 4, ROW_LEAN_SLOTS = 2 }; /* before those of the springs */

static const dem_law_slot case_slots[] = {
    {"direction", DEM_SLOT_DIRECTION, 1}, {"force_along", DEM_SLOT_SCALAR, -1},
    {"turn", DEM_SLOT_SCALAR, 1},         {"return", DEM_SLOT_SCALAR, 1},
    {"load", DEM_SLOT_SCALAR, 1},         {"case", DEM_SLOT_SCALAR, 1},
    {"sign", DEM_SLOT_SCALAR, -1},        {"force_across", DEM_SLOT_SCALAR, 1},
    {"force", DEM_SLOT_FORCE, -1},        {"energy", DEM_SLOT_SCALAR, 1},
};

static uint32_t mindlin_needs(void *user, const void *combined)
{
    (void)user;
    const demi_mindlin *c = combined;
    return c->damping_ratio != 0.0 || c->damping_factor != 0.0 ? DEM_TRAIT_NEEDS_VELOCITY : 0;
}

const dem_law demi_law_mindlin = {DEMI_LAW_SETUP(DEM_LAW_MINDLIN, DEM_LAW_TANGENTIAL, dem_mindlin,
                                                 DEM_PARAMETERS_MINDLIN, demi_mindlin),
                                  DEMI_LAW_SLOTS(mindlin_slots),
                                  DEMI_LAW_VALUES(mindlin_values),
                                  .combine = mindlin_combine,
                                  .limits = mindlin_scales,
                                  .traits = DEM_TRAIT_LEAVES_TORQUES,
                                  .traits_needed = mindlin_needs};

const dem_law demi_law_mindlin_deresiewicz = {DEMI_LAW_SETUP(DEM_LAW_MINDLIN_DERESIEWICZ,
                                                             DEM_LAW_TANGENTIAL, dem_mindlin,
                                                             DEM_PARAMETERS_MINDLIN, demi_mindlin),
                                              .slots = row_slots,
                                              .slot_count = ROW_SLOTS + 2 * 16,
                                              DEMI_LAW_VALUES(mindlin_values),
                                              .combine = mindlin_combine_hertz,
                                              .limits = mindlin_scales,
                                              .traits = DEM_TRAIT_LEAVES_TORQUES,
                                              .traits_needed = mindlin_needs};

const dem_law demi_law_mindlin_deresiewicz_32 = {
    DEMI_LAW_SETUP(DEM_LAW_MINDLIN_DERESIEWICZ_32, DEM_LAW_TANGENTIAL, dem_mindlin,
                   DEM_PARAMETERS_MINDLIN, demi_mindlin),
    .slots = row_slots,
    .slot_count = ROW_SLOTS + 2 * 32,
    DEMI_LAW_VALUES(mindlin_values),
    .combine = mindlin_combine_hertz,
    .limits = mindlin_scales,
    .traits = DEM_TRAIT_LEAVES_TORQUES,
    .traits_needed = mindlin_needs};

const dem_law demi_law_mindlin_three_case = {DEMI_LAW_SETUP(DEM_LAW_MINDLIN_THREE_CASE,
                                                            DEM_LAW_TANGENTIAL, dem_mindlin,
                                                            DEM_PARAMETERS_MINDLIN, demi_mindlin),
                                             DEMI_LAW_SLOTS(case_slots),
                                             DEMI_LAW_VALUES(mindlin_values),
                                             .combine = mindlin_combine_hertz,
                                             .limits = mindlin_scales,
                                             .traits = DEM_TRAIT_LEAVES_TORQUES,
                                             .traits_needed = mindlin_needs};

const demi_law_slots demi_mindlin_lean_slots = {mindlin_slots, 2};
const demi_law_slots demi_mindlin_deresiewicz_lean_slots = {row_lean_slots,
                                                            ROW_LEAN_SLOTS + 2 * 16};
const demi_law_slots demi_mindlin_deresiewicz_32_lean_slots = {row_lean_slots,
                                                               ROW_LEAN_SLOTS + 2 * 32};
