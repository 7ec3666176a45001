/* SPDX-License-Identifier: MIT */
/* Hooke's normal law. */
#include "laws/hooke.h"
#include "base/check.h"
#include "base/context.h"
#include "base/sized.h"
#include "laws/explicit_limit.h"
#include "laws/laws.h"

#include <dem/kernels.h>

#include <string.h>

dem_status dem_hooke_init_sized(dem_hooke *parameters, uint64_t size)
{
    if (parameters == NULL)
        return DEM_ERROR_ARGUMENT;
    dem_hooke values;
    memset(&values, 0, sizeof values);
    values.kind = DEM_PARAMETERS_HOOKE;
    values.restitution = 1.0;
    values.damping = DEM_DAMPING_RESTITUTION;
    values.normal = DEM_NORMAL_CUT;
    return demi_sized_write(parameters, size, &values);
}

dem_status demi_hooke_combine(const dem_hooke *p, dem_pair_properties *pair, demi_hooke *c,
                              dem_error *error)
{
    DEMI_REFUSE(!demi_positive(p->stiffness_normal), DEM_ERROR_RANGE,
                "stiffness_normal: %g must be finite and > 0 N/m", p->stiffness_normal);
    DEMI_REFUSE(!demi_not_negative(p->damping_normal), DEM_ERROR_RANGE,
                "damping_normal: %g must be finite and >= 0", p->damping_normal);
    DEMI_REFUSE(p->damping < DEM_DAMPING_RESTITUTION || p->damping > DEM_DAMPING_CRITICAL,
                DEM_ERROR_UNKNOWN, "damping: %d is not a DEM_DAMPING_ value", (int)p->damping);
    DEMI_REFUSE(p->normal < DEM_NORMAL_CUT || p->normal > DEM_NORMAL_ATTRACTIVE_ABSOLUTE,
                DEM_ERROR_UNKNOWN, "normal: %d is not a DEM_NORMAL_ value", (int)p->normal);
    DEMI_REFUSE(!isfinite(p->restitution) || p->restitution <= 0.0 || p->restitution > 1.0,
                DEM_ERROR_RANGE, "restitution: %g is not in (0, 1]", p->restitution);

    memset(c, 0, sizeof *c);
    c->stiffness = p->stiffness_normal;
    c->absolute = p->normal == DEM_NORMAL_ATTRACTIVE_ABSOLUTE ? 1.0 : 0.0;
    c->attractive = p->normal == DEM_NORMAL_ATTRACTIVE || c->absolute != 0.0 ? 1.0 : 0.0;
    if (p->damping == DEM_DAMPING_RESTITUTION)
        (void)(p->normal == DEM_NORMAL_CUT
                   ? dem_kernel_damping_ratio_cut(p->restitution, &c->ratio)
                   : dem_kernel_damping_ratio_attractive(p->restitution, &c->ratio));
    else if (p->damping == DEM_DAMPING_CRITICAL)
        c->ratio = 1.0;
    else if (p->damping == DEM_DAMPING_COEFFICIENT)
        c->coefficient = p->damping_normal;
    else
        c->rate = p->damping_normal;
    pair->normal_form = DEM_NORMAL_FORM_LINEAR;
    pair->stiffness_normal = p->stiffness_normal;
    pair->restitution = p->damping == DEM_DAMPING_RESTITUTION ? p->restitution : 1.0;
    return DEM_OK;
}

/* Time from touch until the force ends, where it is cut at zero, or else until the overlap does. */
void demi_hooke_limits(const demi_hooke *c, double mass, dem_law_limits *limits)
{
    const double eta =
        dem_kernel_damping_linear(c->ratio, mass, c->stiffness) + c->coefficient + c->rate * mass;
    const double omega = sqrt(c->stiffness / mass), zeta = 0.5 * eta / (mass * omega);
    const double square = 1.0 - zeta * zeta, pi = 3.14159265358979323846;
    double phase = 0.0; /* omega t at the end; an attractive overdamped contact has none */
    if (c->attractive != 0.0)
        phase = square > 0.0 ? pi / sqrt(square) : 0.0;
    else if (fabs(square) < 1e-8)
        phase = 2.0;
    else
        phase = square > 0.0 ? 2.0 * acos(zeta) / sqrt(square) : 2.0 * acosh(zeta) / sqrt(-square);
    limits->contact_time = phase / omega;
    demi_normal_limit(c->stiffness, eta, mass, limits);
}

static dem_status hooke_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                void *combined, dem_error *error)
{
    (void)user;
    dem_hooke p;
    DEMI_PARAMETERS_READ(dem_hooke, &p, parameters);
    return demi_hooke_combine(&p, pair, combined, error);
}

static void hooke_scales(void *user, const void *combined, double mass, double radius_i,
                         double radius_j, double speed, dem_law_limits *limits)
{
    (void)user;
    (void)radius_i;
    (void)radius_j;
    (void)speed;
    demi_hooke_limits(combined, mass, limits);
}

static const char *const hooke_values[] = {"stiffness_normal", "damping_ratio",
                                           "damping_coefficient", "damping_rate"};

const dem_law demi_law_hooke = {
    DEMI_LAW_SETUP(DEM_LAW_HOOKE, DEM_LAW_NORMAL, dem_hooke, DEM_PARAMETERS_HOOKE, demi_hooke),
    DEMI_LAW_VALUES(hooke_values),
    .combine = hooke_combine,
    .limits = hooke_scales,
    .traits = DEM_TRAIT_LEAVES_TORQUES,
    .traits_needed = demi_traits_none};
