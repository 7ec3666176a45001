/* SPDX-License-Identifier: MIT */
/* JKR and DMT: parameters, reach and scales. */
#include "base/check.h"
#include "base/context.h"
#include "base/sized.h"
#include "laws/adhesion_lane.h"
#include "laws/elastic.h"
#include "laws/explicit_limit.h"
#include "laws/laws.h"

#include <dem/law_adhesion.h>

#include <string.h>

static const double adhesion_pi = 3.14159265358979323846;

dem_status dem_adhesion_init_sized(dem_adhesion *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_adhesion values;
    memset(&values, 0, sizeof values);
    values.kind = DEM_PARAMETERS_ADHESION;
    values.poisson[0] = 0.3;
    values.restitution = 1.0;
    return demi_sized_write(parameters, size, &values);
}

static dem_status adhesion_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                   void *combined, dem_error *error)
{
    (void)user;
    dem_adhesion p;
    DEMI_PARAMETERS_READ(dem_adhesion, &p, parameters);
    dem_status status = demi_elastic_check(p.young, p.poisson, error);
    if (status != DEM_OK)
        return status;
    DEMI_REFUSE(!demi_not_negative(p.work_of_adhesion), DEM_ERROR_RANGE,
                "work_of_adhesion: %g must be finite and >= 0 J/m2", p.work_of_adhesion);
    DEMI_REFUSE(!isfinite(p.restitution) || p.restitution <= 0.0 || p.restitution > 1.0,
                DEM_ERROR_RANGE, "restitution: %g is not in (0, 1]", p.restitution);
    demi_adhesion *c = combined;
    memset(c, 0, sizeof *c);
    demi_elastic_combine(p.young, p.poisson, &c->effective_young, &c->effective_shear);
    c->work_of_adhesion = p.work_of_adhesion;
    /* the contact attracts, so its dashpot may */
    double ratio = 0.0;
    (void)dem_kernel_damping_ratio_attractive(p.restitution, &ratio);
    c->alpha = sqrt(5.0) * ratio;
    pair->normal_form = DEM_NORMAL_FORM_ADHESIVE;
    pair->effective_young = c->effective_young;
    pair->effective_shear = c->effective_shear;
    pair->restitution = p.restitution;
    return DEM_OK;
}

static double jkr_reach(void *user, const void *combined, double radius_i, double radius_j)
{
    (void)user;
    const demi_adhesion *c = combined;
    const double radius = demi_effective_radius(radius_i, radius_j);
    return dem_kernel_jkr_gap(radius,
                              dem_kernel_jkr_neck(radius, c->effective_young, c->work_of_adhesion));
}

/* A contact of impact speed v lasts no longer than Hertz's, and one that sticks swings about its
 * equilibrium with the slope `stiffness`: falling in from touch, up to the contact radius `swung`.
 */
static void adhesion_scales(const demi_adhesion *c, double mass, double radius, double speed,
                            double swung, double stiffness, dem_law_limits *limits)
{
    if (speed > 0.0)
        limits->contact_time =
            dem_kernel_contact_time_hertz(c->effective_young, radius, mass, speed);
    if (stiffness > 0.0) {
        const double swing = adhesion_pi * sqrt(mass / stiffness);
        if (limits->contact_time == 0.0 || swing < limits->contact_time)
            limits->contact_time = swing;
    }
    /* spring and dashpot are stiffest where the contact is widest */
    const double overlap = dem_kernel_overlap_hertz(c->effective_young, radius, mass, speed);
    const double widest = dem_kernel_contact_radius_hertz(radius, overlap) + swung;
    demi_normal_limit_hertz(c->effective_young, c->alpha, 0.0, widest, mass, limits);
}

static void jkr_scales(void *user, const void *combined, double mass, double radius_i,
                       double radius_j, double speed, dem_law_limits *limits)
{
    (void)user;
    const demi_adhesion *c = combined;
    const double radius = demi_effective_radius(radius_i, radius_j);
    const double a =
        cbrt(4.5 * adhesion_pi * c->work_of_adhesion * radius * radius / c->effective_young);
    /* found by quadrature: the work of the force from touch on is used up at 1.16 a */
    adhesion_scales(c, mass, radius, speed, 1.16 * a, 1.2 * c->effective_young * a, limits);
}

static void dmt_scales(void *user, const void *combined, double mass, double radius_i,
                       double radius_j, double speed, dem_law_limits *limits)
{
    (void)user;
    const demi_adhesion *c = combined;
    const double radius = demi_effective_radius(radius_i, radius_j);
    const double a =
        cbrt(1.5 * adhesion_pi * c->work_of_adhesion * radius * radius / c->effective_young);
    /* 2/5 K d^(5/2) = 2 pi w R* d */
    adhesion_scales(c, mass, radius, speed, cbrt(2.5) * a, 2.0 * c->effective_young * a, limits);
}

static const char *const adhesion_values[] = {
    "effective_young",
    "effective_shear",
    "work_of_adhesion",
    "damping_alpha",
};

const dem_law demi_law_jkr = {DEMI_LAW_SETUP(DEM_LAW_JKR, DEM_LAW_NORMAL, dem_adhesion,
                                             DEM_PARAMETERS_ADHESION, demi_adhesion),
                              DEMI_LAW_VALUES(adhesion_values),
                              .combine = adhesion_combine,
                              .reach = jkr_reach,
                              .limits = jkr_scales,
                              .traits = DEM_TRAIT_LEAVES_TORQUES,
                              .traits_needed = demi_traits_radius};

const dem_law demi_law_dmt = {DEMI_LAW_SETUP(DEM_LAW_DMT, DEM_LAW_NORMAL, dem_adhesion,
                                             DEM_PARAMETERS_ADHESION, demi_adhesion),
                              DEMI_LAW_VALUES(adhesion_values),
                              .combine = adhesion_combine,
                              .limits = dmt_scales,
                              .traits = DEM_TRAIT_LEAVES_TORQUES,
                              .traits_needed = demi_traits_radius};
