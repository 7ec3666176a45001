/* SPDX-License-Identifier: MIT */
/* Contact times, stiffnesses and dashpots for setting up a model. These use libm. */
#include "base/check.h"
#include "base/entry.h"
#include "laws/collision_curve.h"
#include "laws/rayleigh.h"

#include <dem/collision.h>
#include <dem/kernels.h>
#include <dem/law_hertz.h>

static const double PI = 3.14159265358979323846;
/* Within this range no result overflows, so a host that traps overflow gets an error instead. */
static int in_range(double a, double b, double c, double d)
{
    return demi_collision_scale_ok(a) && demi_collision_scale_ok(b) && demi_collision_scale_ok(c) &&
           demi_collision_scale_ok(d);
}

static dem_status give(double value, double *out)
{
    *out = value;
    return DEM_OK;
}

static int poisson_ok(double poisson)
{
    return isfinite(poisson) && poisson >= -1.0 && poisson <= 0.5;
}

DEMI_GUARDED guarded_collision_time_hooke(double mass, double stiffness, double *time)
{
    return dem_collision_time_hooke_damped(mass, stiffness, 0.0, time);
}

dem_status dem_collision_time_hooke(double mass, double stiffness, double *time)
{
    DEMI_QUIET(guarded_collision_time_hooke(mass, stiffness, time));
}

DEMI_GUARDED guarded_collision_time_hooke_damped(double mass, double stiffness, double damping,
                                                 double *time)
{
    if (time == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!in_range(mass, stiffness, 1.0, 1.0) || !demi_not_negative(damping) || damping > 1e50)
        return DEM_ERROR_RANGE;
    const double rate = 0.5 * damping / mass, square = stiffness / mass - rate * rate;
    return square > 0.0 ? give(PI / sqrt(square), time) : DEM_ERROR_RANGE;
}

dem_status dem_collision_time_hooke_damped(double mass, double stiffness, double damping,
                                           double *time)
{
    DEMI_QUIET(guarded_collision_time_hooke_damped(mass, stiffness, damping, time));
}

DEMI_GUARDED guarded_collision_time_hertz(double mass, double radius, double young,
                                          double impact_speed, double *time)
{
    if (time == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!in_range(mass, radius, young, impact_speed))
        return DEM_ERROR_RANGE;
    return give(dem_kernel_contact_time_hertz(young, radius, mass, impact_speed), time);
}

dem_status dem_collision_time_hertz(double mass, double radius, double young, double impact_speed,
                                    double *time)
{
    DEMI_QUIET(guarded_collision_time_hertz(mass, radius, young, impact_speed, time));
}

DEMI_GUARDED guarded_collision_overlap_hertz(double mass, double radius, double young,
                                             double impact_speed, double *overlap)
{
    if (overlap == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!in_range(mass, radius, young, impact_speed))
        return DEM_ERROR_RANGE;
    return give(dem_kernel_overlap_hertz(young, radius, mass, impact_speed), overlap);
}

dem_status dem_collision_overlap_hertz(double mass, double radius, double young,
                                       double impact_speed, double *overlap)
{
    DEMI_QUIET(guarded_collision_overlap_hertz(mass, radius, young, impact_speed, overlap));
}

DEMI_GUARDED guarded_collision_young_from_overlap(double mass, double radius, double overlap,
                                                  double impact_speed, double *young)
{
    if (young == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!in_range(mass, radius, overlap, impact_speed))
        return DEM_ERROR_RANGE;
    const double slowness = impact_speed / overlap;
    return give(15.0 / 16.0 * mass * slowness * slowness / sqrt(radius * overlap), young);
}

dem_status dem_collision_young_from_overlap(double mass, double radius, double overlap,
                                            double impact_speed, double *young)
{
    DEMI_QUIET(guarded_collision_young_from_overlap(mass, radius, overlap, impact_speed, young));
}

DEMI_GUARDED guarded_collision_stiffness_from_time(double mass, double radius, double young,
                                                   double impact_speed, double *stiffness)
{
    double time;
    if (stiffness == NULL)
        return DEM_ERROR_ARGUMENT;
    const dem_status status = dem_collision_time_hertz(mass, radius, young, impact_speed, &time);
    return status == DEM_OK ? give(mass * (PI / time) * (PI / time), stiffness) : status;
}

dem_status dem_collision_stiffness_from_time(double mass, double radius, double young,
                                             double impact_speed, double *stiffness)
{
    DEMI_QUIET(guarded_collision_stiffness_from_time(mass, radius, young, impact_speed, stiffness));
}

DEMI_GUARDED guarded_collision_stiffness_from_overlap(double mass, double overlap,
                                                      double impact_speed, double *stiffness)
{
    if (stiffness == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!in_range(mass, overlap, impact_speed, 1.0))
        return DEM_ERROR_RANGE;
    const double rate = impact_speed / overlap;
    return give(mass * rate * rate, stiffness);
}

dem_status dem_collision_stiffness_from_overlap(double mass, double overlap, double impact_speed,
                                                double *stiffness)
{
    DEMI_QUIET(guarded_collision_stiffness_from_overlap(mass, overlap, impact_speed, stiffness));
}

DEMI_GUARDED guarded_collision_stiffness_ratio(double poisson_i, double shear_i, double poisson_j,
                                               double shear_j, double *ratio)
{
    if (ratio == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!poisson_ok(poisson_i) || !poisson_ok(poisson_j) || !in_range(shear_i, shear_j, 1.0, 1.0))
        return DEM_ERROR_RANGE;
    const double above = (1.0 - poisson_i) / shear_i + (1.0 - poisson_j) / shear_j;
    const double below = (1.0 - 0.5 * poisson_i) / shear_i + (1.0 - 0.5 * poisson_j) / shear_j;
    return give(above / below, ratio);
}

dem_status dem_collision_stiffness_ratio(double poisson_i, double shear_i, double poisson_j,
                                         double shear_j, double *ratio)
{
    DEMI_QUIET(guarded_collision_stiffness_ratio(poisson_i, shear_i, poisson_j, shear_j, ratio));
}

/* zeta of a restitution; DEM_NORMAL_... tells how the force ends. */
static dem_status damping_ratio(double restitution, int32_t form, double *ratio)
{
    if (form == DEM_NORMAL_CUT)
        return dem_kernel_damping_ratio_cut(restitution, ratio);
    if (form == DEM_NORMAL_ATTRACTIVE)
        return dem_kernel_damping_ratio_attractive(restitution, ratio);
    return DEM_ERROR_UNKNOWN;
}

DEMI_GUARDED guarded_collision_damping_hooke(double mass, double stiffness, double restitution,
                                             int32_t form, double *damping)
{
    double ratio;
    if (damping == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!in_range(mass, stiffness, 1.0, 1.0))
        return DEM_ERROR_RANGE;
    const dem_status status = damping_ratio(restitution, form, &ratio);
    if (status != DEM_OK)
        return status;
    return give(dem_kernel_damping_linear(ratio, mass, stiffness), damping);
}

dem_status dem_collision_damping_hooke(double mass, double stiffness, double restitution,
                                       int32_t form, double *damping)
{
    DEMI_QUIET(guarded_collision_damping_hooke(mass, stiffness, restitution, form, damping));
}

DEMI_GUARDED guarded_collision_damping_hertz(double mass, double radius, double young,
                                             double restitution, int32_t form, double *coefficient)
{
    double ratio;
    if (coefficient == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!in_range(mass, radius, young, 1.0))
        return DEM_ERROR_RANGE;
    const dem_status status = damping_ratio(restitution, form, &ratio);
    if (status != DEM_OK)
        return status;
    const double elastic = 4.0 / 3.0 * young * sqrt(radius);
    return give(sqrt(5.0) * ratio * sqrt(mass * elastic), coefficient);
}

dem_status dem_collision_damping_hertz(double mass, double radius, double young, double restitution,
                                       int32_t form, double *coefficient)
{
    DEMI_QUIET(
        guarded_collision_damping_hertz(mass, radius, young, restitution, form, coefficient));
}

DEMI_GUARDED guarded_collision_softening_step(double factor, double *step_factor)
{
    if (step_factor == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!demi_collision_within(factor, 1e-50, 1.0))
        return DEM_ERROR_RANGE;
    return give(pow(factor, -0.4), step_factor);
}

dem_status dem_collision_softening_step(double factor, double *step_factor)
{
    DEMI_QUIET(guarded_collision_softening_step(factor, step_factor));
}

DEMI_GUARDED guarded_collision_softening_factor(double step_factor, double *factor)
{
    if (factor == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!demi_collision_within(step_factor, 1.0, 1e20))
        return DEM_ERROR_RANGE;
    return give(pow(step_factor, -2.5), factor);
}

dem_status dem_collision_softening_factor(double step_factor, double *factor)
{
    DEMI_QUIET(guarded_collision_softening_factor(step_factor, factor));
}

DEMI_GUARDED guarded_collision_step_rayleigh(double radius, double density, double shear,
                                             double poisson, double *time)
{
    if (time == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!in_range(radius, density, shear, 1.0) || !poisson_ok(poisson))
        return DEM_ERROR_RANGE;
    return give(demi_rayleigh_time(radius * sqrt(density / shear), poisson), time);
}

dem_status dem_collision_step_rayleigh(double radius, double density, double shear, double poisson,
                                       double *time)
{
    DEMI_QUIET(guarded_collision_step_rayleigh(radius, density, shear, poisson, time));
}

DEMI_GUARDED guarded_collision_size_ratio_critical(double friction, double *ratio)
{
    if (ratio == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!demi_collision_scale_ok(friction))
        return DEM_ERROR_RANGE;
    /* (sqrt(1 + mu^2) + 1)/mu^2 does not cancel for small mu */
    return give((hypot(1.0, friction) + 1.0) / friction / friction, ratio);
}

dem_status dem_collision_size_ratio_critical(double friction, double *ratio)
{
    DEMI_QUIET(guarded_collision_size_ratio_critical(friction, ratio));
}
