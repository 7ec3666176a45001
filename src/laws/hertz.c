/* SPDX-License-Identifier: MIT */
/* Hertz's normal force with a dashpot: parameters and scales. */
#include "base/check.h"
#include "base/context.h"
#include "base/sized.h"
#include "laws/elastic.h"
#include "laws/explicit_limit.h"
#include "laws/hertz_lane.h"
#include "laws/laws.h"

#include <dem/law_hertz.h>

#include <string.h>

dem_status dem_hertz_init_sized(dem_hertz *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_hertz values;
    memset(&values, 0, sizeof values);
    values.kind = DEM_PARAMETERS_HERTZ;
    values.poisson[0] = 0.3;
    values.restitution = 1.0;
    values.damping = DEM_HERTZ_DAMPING_RESTITUTION;
    values.normal = DEM_NORMAL_CUT;
    return demi_sized_write(parameters, size, &values);
}

static dem_status hertz_check(const dem_hertz *p, dem_error *error)
{
    const dem_status status = demi_elastic_check(p->young, p->poisson, error);
    if (status != DEM_OK)
        return status;
    DEMI_REFUSE(!isfinite(p->restitution) || p->restitution <= 0.0 || p->restitution > 1.0,
                DEM_ERROR_RANGE, "restitution: %g is not in (0, 1]", p->restitution);
    DEMI_REFUSE(!demi_not_negative(p->damping_normal), DEM_ERROR_RANGE,
                "damping_normal: %g must be finite and >= 0", p->damping_normal);
    DEMI_REFUSE(p->damping < DEM_HERTZ_DAMPING_RESTITUTION || p->damping > DEM_HERTZ_DAMPING_NONE,
                DEM_ERROR_UNKNOWN, "damping: %d is not a DEM_HERTZ_DAMPING_ value",
                (int)p->damping);
    DEMI_REFUSE(p->normal < DEM_NORMAL_CUT || p->normal > DEM_NORMAL_ATTRACTIVE_ABSOLUTE,
                DEM_ERROR_UNKNOWN, "normal: %d is not a DEM_NORMAL_ value", (int)p->normal);
    return DEM_OK;
}

static dem_status hertz_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                void *combined, dem_error *error)
{
    (void)user;
    dem_hertz p;
    DEMI_PARAMETERS_READ(dem_hertz, &p, parameters);
    const dem_status status = hertz_check(&p, error);
    if (status != DEM_OK)
        return status;
    demi_hertz *c = combined;
    memset(c, 0, sizeof *c);
    demi_elastic_combine(p.young, p.poisson, &c->effective_young, &c->effective_shear);
    c->absolute = p.normal == DEM_NORMAL_ATTRACTIVE_ABSOLUTE ? 1.0 : 0.0;
    c->attractive = p.normal == DEM_NORMAL_ATTRACTIVE || c->absolute != 0.0 ? 1.0 : 0.0;
    if (p.damping == DEM_HERTZ_DAMPING_RESTITUTION) {
        double ratio = 0.0;
        (void)(p.normal == DEM_NORMAL_CUT
                   ? dem_kernel_damping_ratio_cut(p.restitution, &ratio)
                   : dem_kernel_damping_ratio_attractive(p.restitution, &ratio));
        c->alpha = sqrt(5.0) * ratio;
    } else if (p.damping == DEM_HERTZ_DAMPING_TSUJI) {
        c->alpha = p.damping_normal;
    } else if (p.damping == DEM_HERTZ_DAMPING_COEFFICIENT) {
        c->coefficient = p.damping_normal;
    }
    pair->normal_form = DEM_NORMAL_FORM_HERTZ;
    pair->effective_young = c->effective_young;
    pair->effective_shear = c->effective_shear;
    pair->restitution = p.damping == DEM_HERTZ_DAMPING_RESTITUTION ? p.restitution : 1.0;
    return DEM_OK;
}

static void hertz_scales(void *user, const void *combined, double mass, double radius_i,
                         double radius_j, double speed, dem_law_limits *limits)
{
    (void)user;
    const demi_hertz *c = combined;
    const double radius = demi_effective_radius(radius_i, radius_j);
    if (speed > 0.0)
        limits->contact_time =
            dem_kernel_contact_time_hertz(c->effective_young, radius, mass, speed);
    /* spring and dashpot are stiffest where the overlap is greatest */
    const double overlap = dem_kernel_overlap_hertz(c->effective_young, radius, mass, speed);
    const double a = dem_kernel_contact_radius_hertz(radius, overlap);
    demi_normal_limit_hertz(c->effective_young, c->alpha, c->coefficient, a, mass, limits);
}

static const char *const hertz_values[] = {
    "effective_young",
    "effective_shear",
    "damping_alpha",
    "damping_coefficient",
};

const dem_law demi_law_hertz = {
    DEMI_LAW_SETUP(DEM_LAW_HERTZ, DEM_LAW_NORMAL, dem_hertz, DEM_PARAMETERS_HERTZ, demi_hertz),
    DEMI_LAW_VALUES(hertz_values),
    .combine = hertz_combine,
    .limits = hertz_scales,
    .traits = DEM_TRAIT_LEAVES_TORQUES,
    .traits_needed = demi_traits_radius};
