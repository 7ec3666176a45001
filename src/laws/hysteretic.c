/* SPDX-License-Identifier: MIT */
/* Luding, Walton-Braun and Thornton: parameters and scales. */
#include "laws/hysteretic_lane.h"

#include "base/check.h"
#include "base/context.h"
#include "base/sized.h"
#include "laws/elastic.h"
#include "laws/explicit_limit.h"
#include "laws/laws.h"

#include <dem/law_hysteretic.h>

#include <float.h>
#include <string.h>

static const double hysteretic_pi = 3.14159265358979323846;

dem_status dem_luding_init_sized(dem_luding *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_luding values;
    memset(&values, 0, sizeof values);
    values.kind = DEM_PARAMETERS_LUDING;
    values.plasticity_depth = 0.05;
    return demi_sized_write(parameters, size, &values);
}

dem_status dem_walton_braun_init_sized(dem_walton_braun *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_walton_braun values;
    memset(&values, 0, sizeof values);
    values.kind = DEM_PARAMETERS_WALTON_BRAUN;
    values.restitution = 1.0;
    return demi_sized_write(parameters, size, &values);
}

dem_status dem_thornton_init_sized(dem_thornton *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_thornton values;
    memset(&values, 0, sizeof values);
    values.kind = DEM_PARAMETERS_THORNTON;
    values.poisson[0] = 0.3;
    values.restitution = 1.0;
    return demi_sized_write(parameters, size, &values);
}

static dem_status luding_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                 void *combined, dem_error *error)
{
    (void)user;
    dem_luding p;
    DEMI_PARAMETERS_READ(dem_luding, &p, parameters);
    DEMI_REFUSE(!demi_positive(p.stiffness_loading), DEM_ERROR_RANGE,
                "stiffness_loading: %g must be finite and > 0 N/m", p.stiffness_loading);
    DEMI_REFUSE(!isfinite(p.stiffness_unloading) || p.stiffness_unloading < p.stiffness_loading,
                DEM_ERROR_RANGE,
                "stiffness_unloading: %g must be finite and at least stiffness_loading, %g N/m",
                p.stiffness_unloading, p.stiffness_loading);
    DEMI_REFUSE(!demi_not_negative(p.stiffness_cohesion), DEM_ERROR_RANGE,
                "stiffness_cohesion: %g must be finite and >= 0 N/m", p.stiffness_cohesion);
    DEMI_REFUSE(!demi_positive(p.plasticity_depth) || p.plasticity_depth > 1.0, DEM_ERROR_RANGE,
                "plasticity_depth: %g is not in (0, 1]", p.plasticity_depth);
    DEMI_REFUSE(!demi_not_negative(p.damping_normal), DEM_ERROR_RANGE,
                "damping_normal: %g must be finite and >= 0 kg/s", p.damping_normal);
    demi_hysteretic *c = combined;
    memset(c, 0, sizeof *c);
    c->loading = c->unloading = p.stiffness_loading;
    c->cohesion = p.stiffness_cohesion;
    c->damping = p.damping_normal;
    c->recovers = 1.0;
    const double rise = p.stiffness_unloading - p.stiffness_loading;
    if (rise > 0.0) {
        /* pressed flat, (1 - k_1/k_p) overlap_max = phi_f 2 R* stays */
        c->depth = p.stiffness_unloading / rise * 2.0 * p.plasticity_depth;
        DEMI_REFUSE(c->depth < 1.0 && rise > DBL_MAX * c->depth, DEM_ERROR_RANGE,
                    "stiffness_unloading: %g N/m over plasticity_depth, %g, is too large",
                    p.stiffness_unloading, p.plasticity_depth);
        c->growth = rise / c->depth;
    }
    pair->stiffness_normal = c->loading;
    return DEM_OK;
}

static dem_status walton_braun_combine(void *user, const void *parameters,
                                       dem_pair_properties *pair, void *combined, dem_error *error)
{
    (void)user;
    dem_walton_braun p;
    DEMI_PARAMETERS_READ(dem_walton_braun, &p, parameters);
    DEMI_REFUSE(!demi_positive(p.stiffness_loading), DEM_ERROR_RANGE,
                "stiffness_loading: %g must be finite and > 0 N/m", p.stiffness_loading);
    DEMI_REFUSE(!isfinite(p.stiffness_unloading) ||
                    (p.stiffness_unloading != 0.0 && p.stiffness_unloading < p.stiffness_loading),
                DEM_ERROR_RANGE,
                "stiffness_unloading: %g must be finite and at least stiffness_loading, %g N/m, or "
                "0 for that of the restitution",
                p.stiffness_unloading, p.stiffness_loading);
    DEMI_REFUSE(!isfinite(p.restitution) || p.restitution <= 0.0 || p.restitution > 1.0,
                DEM_ERROR_RANGE, "restitution: %g is not in (0, 1]", p.restitution);
    DEMI_REFUSE(p.restitution != 1.0 && p.stiffness_unloading != 0.0, DEM_ERROR_RANGE,
                "restitution: %g must be left 1 where stiffness_unloading is given", p.restitution);
    DEMI_REFUSE(p.stiffness_loading > DBL_MAX * (p.restitution * p.restitution), DEM_ERROR_RANGE,
                "restitution: %g is too small for stiffness_loading, %g N/m: k_1/e^2 is too large",
                p.restitution, p.stiffness_loading);
    DEMI_REFUSE(!demi_not_negative(p.hardening), DEM_ERROR_RANGE,
                "hardening: %g must be finite and >= 0 1/m", p.hardening);
    DEMI_REFUSE(p.hardening > 1.0 && p.stiffness_loading > DBL_MAX / p.hardening, DEM_ERROR_RANGE,
                "hardening: %g 1/m times stiffness_loading, %g N/m, is too large", p.hardening,
                p.stiffness_loading);
    DEMI_REFUSE(!demi_not_negative(p.damping_normal), DEM_ERROR_RANGE,
                "damping_normal: %g must be finite and >= 0 kg/s", p.damping_normal);
    demi_hysteretic *c = combined;
    memset(c, 0, sizeof *c);
    c->loading = p.stiffness_loading;
    c->unloading = p.stiffness_unloading > 0.0
                       ? p.stiffness_unloading
                       : p.stiffness_loading / (p.restitution * p.restitution);
    c->damping = p.damping_normal;
    c->growth = p.hardening * p.stiffness_loading;
    pair->stiffness_normal = c->loading;
    if (c->growth == 0.0 && c->damping == 0.0)
        pair->restitution = sqrt(c->loading / c->unloading);
    return DEM_OK;
}

static dem_status thornton_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                   void *combined, dem_error *error)
{
    (void)user;
    dem_thornton p;
    DEMI_PARAMETERS_READ(dem_thornton, &p, parameters);
    const dem_status status = demi_elastic_check(p.young, p.poisson, error);
    if (status != DEM_OK)
        return status;
    DEMI_REFUSE(!demi_positive(p.yield_pressure), DEM_ERROR_RANGE,
                "yield_pressure: %g must be finite and > 0 Pa", p.yield_pressure);
    DEMI_REFUSE(!isfinite(p.restitution) || p.restitution <= 0.0 || p.restitution > 1.0,
                DEM_ERROR_RANGE, "restitution: %g is not in (0, 1]", p.restitution);
    demi_thornton *c = combined;
    memset(c, 0, sizeof *c);
    demi_elastic_combine(p.young, p.poisson, &c->effective_young, &c->effective_shear);
    c->yield_pressure = p.yield_pressure;
    double ratio = 0.0;
    (void)dem_kernel_damping_ratio_cut(p.restitution, &ratio);
    c->alpha = sqrt(5.0) * ratio;
    pair->effective_young = c->effective_young;
    pair->effective_shear = c->effective_shear;
    pair->restitution = p.restitution;
    return DEM_OK;
}

/* A quarter of a period while loading, one while unloading. */
static void hysteretic_scales(void *user, const void *combined, double mass, double radius_i,
                              double radius_j, double speed, dem_law_limits *limits)
{
    (void)user;
    const demi_hysteretic *c = combined;
    const double radius = demi_effective_radius(radius_i, radius_j);
    const double growth = c->depth > 0.0 ? c->growth / radius : c->growth;
    double pressed = speed * sqrt(mass / c->loading);
    if (c->depth > 0.0 && pressed > c->depth * radius)
        pressed = c->depth * radius;
    const double unloading = c->unloading + growth * pressed;
    limits->contact_time = 0.5 * hysteretic_pi * (sqrt(mass / c->loading) + sqrt(mass / unloading));
    demi_normal_limit(unloading, c->damping, mass, limits);
    /* friction's dashpot is strongest beside the weakest spring, that of a fresh contact */
    limits->stiffness = c->unloading;
}

/* Hertz's collision without yielding: the plastic one lasts longer and is less wide. */
static void thornton_scales(void *user, const void *combined, double mass, double radius_i,
                            double radius_j, double speed, dem_law_limits *limits)
{
    (void)user;
    const demi_thornton *c = combined;
    const double radius = demi_effective_radius(radius_i, radius_j);
    if (speed > 0.0)
        limits->contact_time =
            dem_kernel_contact_time_hertz(c->effective_young, radius, mass, speed);
    /* the overlap of loading with the plastic slope alone, which is the smaller one */
    const double plastic = speed * sqrt(mass / (hysteretic_pi * c->yield_pressure * radius));
    const double hertz = dem_kernel_overlap_hertz(c->effective_young, radius, mass, speed);
    const double a = dem_kernel_contact_radius_hertz(radius, plastic > hertz ? plastic : hertz);
    demi_normal_limit_hertz(c->effective_young, c->alpha, 0.0, a, mass, limits);
}

static const char *const hysteretic_values[] = {
    "stiffness_loading", "stiffness_unloading", "stiffness_cohesion", "damping", "growth", "depth",
};

static const char *const thornton_values[] = {
    "effective_young",
    "effective_shear",
    "yield_pressure",
    "damping_alpha",
};

static const dem_law_slot hysteretic_slots[] = {{"overlap_max", DEM_SLOT_SCALAR, 1}};

const dem_law demi_law_luding = {DEMI_LAW_SETUP(DEM_LAW_LUDING, DEM_LAW_NORMAL, dem_luding,
                                                DEM_PARAMETERS_LUDING, demi_hysteretic),
                                 DEMI_LAW_SLOTS(hysteretic_slots),
                                 DEMI_LAW_VALUES(hysteretic_values),
                                 .combine = luding_combine,
                                 .limits = hysteretic_scales,
                                 .traits = DEM_TRAIT_LEAVES_TORQUES,
                                 .traits_needed = demi_traits_radius};

const dem_law demi_law_walton_braun = {DEMI_LAW_SETUP(DEM_LAW_WALTON_BRAUN, DEM_LAW_NORMAL,
                                                      dem_walton_braun, DEM_PARAMETERS_WALTON_BRAUN,
                                                      demi_hysteretic),
                                       DEMI_LAW_SLOTS(hysteretic_slots),
                                       DEMI_LAW_VALUES(hysteretic_values),
                                       .combine = walton_braun_combine,
                                       .limits = hysteretic_scales,
                                       .traits = DEM_TRAIT_LEAVES_TORQUES,
                                       .traits_needed = demi_traits_radius};

const dem_law demi_law_thornton = {DEMI_LAW_SETUP(DEM_LAW_THORNTON, DEM_LAW_NORMAL, dem_thornton,
                                                  DEM_PARAMETERS_THORNTON, demi_thornton),
                                   DEMI_LAW_SLOTS(hysteretic_slots),
                                   DEMI_LAW_VALUES(thornton_values),
                                   .combine = thornton_combine,
                                   .limits = thornton_scales,
                                   .traits = DEM_TRAIT_LEAVES_TORQUES,
                                   .traits_needed = demi_traits_radius};
