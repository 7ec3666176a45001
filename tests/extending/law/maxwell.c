/* SPDX-License-Identifier: MIT */
/* A contact that creeps: parameters and limits. */
#include "base/check.h"
#include "base/context.h"
#include "base/sized.h"
#include "laws/laws.h"
#include "laws/maxwell_lane.h"

#include <dem/law_maxwell.h>

#include <string.h>

dem_status dem_maxwell_init_sized(dem_maxwell *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_maxwell values;
    memset(&values, 0, sizeof values);
    values.kind = DEM_PARAMETERS_MAXWELL;
    return demi_sized_write(parameters, size, &values);
}

static dem_status maxwell_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                  void *combined, dem_error *error)
{
    (void)user;
    dem_maxwell p;
    DEMI_PARAMETERS_READ(dem_maxwell, &p, parameters);
    DEMI_REFUSE(!demi_positive(p.stiffness_normal), DEM_ERROR_RANGE,
                "stiffness_normal: %g must be finite and > 0 N/m", p.stiffness_normal);
    DEMI_REFUSE(!demi_positive(p.viscosity), DEM_ERROR_RANGE,
                "viscosity: %g must be finite and > 0 kg/s", p.viscosity);
    demi_maxwell *c = combined;
    c->stiffness = p.stiffness_normal;
    c->viscosity = p.viscosity;
    pair->normal_form = DEM_NORMAL_FORM_LINEAR;
    pair->stiffness_normal = p.stiffness_normal;
    return DEM_OK;
}

static void maxwell_limits(void *user, const void *combined, double mass, double radius_i,
                           double radius_j, double speed, dem_law_limits *limits)
{
    (void)user, (void)radius_i, (void)radius_j, (void)speed;
    const demi_maxwell *c = combined;
    limits->contact_time = 3.14159265358979323846 * sqrt(mass / c->stiffness);
    limits->stiffness = c->stiffness;
    limits->timestep_limit = 2.0 * sqrt(mass / c->stiffness);
}

static const char *const maxwell_values[] = {"stiffness_normal", "viscosity"};
static const dem_law_slot maxwell_slots[] = {{"creep", DEM_SLOT_SCALAR, 1}};

const dem_law demi_law_maxwell = {DEMI_LAW_SETUP(DEM_LAW_MAXWELL, DEM_LAW_NORMAL, dem_maxwell,
                                                 DEM_PARAMETERS_MAXWELL, demi_maxwell),
                                  DEMI_LAW_SLOTS(maxwell_slots),
                                  DEMI_LAW_VALUES(maxwell_values),
                                  .combine = maxwell_combine,
                                  .limits = maxwell_limits,
                                  .traits = DEM_TRAIT_LEAVES_TORQUES,
                                  .traits_needed = demi_traits_none};
