/* SPDX-License-Identifier: MIT */
/* Series and closed forms of Ray, Kempe and Fröhlich, with the constants that the paper prints. */
#include "base/check.h"
#include "base/entry.h"
#include "laws/collision_curve.h"

#include <dem/collision.h>

/* Paper, Eqs (27), (47), (49), (50). */
static const double TAU0 = 3.218, ALPHA = 1.111, C = 0.744, A = 0.716, B = 0.830;

DEMI_GUARDED guarded_collision_series(double lambda, double *restitution, double *contact_time,
                                      double *overlap_root)
{
    /* e1 = 2 (25/16)^(1/5) sqrt(pi) Gamma(7/5)/(9/10 Gamma(9/10)) = 10/9 tau0, Eqs (31), (34). The
     * way out is a way in with lambda < 0 and speed e, so y(lambda) = e^(2/5) y(-lambda e^(-1/5)):
     * its orders give y1 = -e1 y0/5 and e2 = 2/5 e1^2. tau1 = e1 tau0/10 likewise, Eq. (39). */
    const double e1 = 10.0 / 9.0 * DEM_COLLISION_TIME_UNDAMPED;
    const double y0 = 1.0456395525912732; /* (5/4)^(1/5), Eq. (25) */
    const double y2 = 0.57813069152256;   /* of Eq. (40), by differences of the exact solution */
    if (restitution == NULL || contact_time == NULL || overlap_root == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!demi_not_negative(lambda) || lambda >= DEM_COLLISION_LAMBDA_CRITICAL)
        return DEM_ERROR_RANGE;
    *restitution = 1.0 - e1 * lambda + 0.4 * e1 * e1 * lambda * lambda;
    *contact_time = DEM_COLLISION_TIME_UNDAMPED * (1.0 + 0.1 * e1 * lambda);
    *overlap_root = y0 - 0.2 * e1 * y0 * lambda + y2 * lambda * lambda;
    return DEM_OK;
}

dem_status dem_collision_series(double lambda, double *restitution, double *contact_time,
                                double *overlap_root)
{
    DEMI_QUIET(guarded_collision_series(lambda, restitution, contact_time, overlap_root));
}

DEMI_GUARDED guarded_collision_paper_forward(double lambda, double *restitution,
                                             double *contact_time)
{
    if (restitution == NULL || contact_time == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!demi_not_negative(lambda) || lambda > 1.0)
        return DEM_ERROR_RANGE;
    const double square = 1.0 - A * lambda - B * lambda * lambda;
    if (square <= 0.0)
        return DEM_ERROR_RANGE;
    *restitution = exp(-ALPHA * lambda * TAU0 / sqrt(1.0 - C * lambda)); /* (43) */
    *contact_time = TAU0 / sqrt(square);                                 /* (44) */
    return DEM_OK;
}

dem_status dem_collision_paper_forward(double lambda, double *restitution, double *contact_time)
{
    DEMI_QUIET(guarded_collision_paper_forward(lambda, restitution, contact_time));
}

DEMI_GUARDED guarded_collision_paper_inverse(double restitution, double *lambda,
                                             double *contact_time)
{
    if (lambda == NULL || contact_time == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!demi_positive(restitution) || restitution > 1.0)
        return DEM_ERROR_RANGE;
    const double at = ALPHA * ALPHA * TAU0 * TAU0;
    const double logarithm = log(restitution), eta = logarithm * logarithm;
    const double found =
        (-0.5 * C * eta + sqrt(0.25 * C * C * eta * eta + at * eta)) / at; /* (51) */
    const double square = 1.0 - A * found - B * found * found;
    if (square <= 0.0)
        return DEM_ERROR_RANGE;
    *lambda = found;
    *contact_time = TAU0 / sqrt(square); /* (52) */
    return DEM_OK;
}

dem_status dem_collision_paper_inverse(double restitution, double *lambda, double *contact_time)
{
    DEMI_QUIET(guarded_collision_paper_inverse(restitution, lambda, contact_time));
}

DEMI_GUARDED guarded_collision_paper_params(double mass, double impact_speed, double restitution,
                                            double contact_time, double *stiffness, double *damping)
{
    if (stiffness == NULL || damping == NULL)
        return DEM_ERROR_ARGUMENT;
    if (!demi_collision_scale_ok(mass) || !demi_collision_scale_ok(impact_speed) ||
        !demi_collision_scale_ok(contact_time))
        return DEM_ERROR_RANGE;
    double lambda, tau;
    const dem_status status = dem_collision_paper_inverse(restitution, &lambda, &tau);
    if (status == DEM_OK)
        demi_collision_coefficients(mass, impact_speed, lambda, contact_time / tau, stiffness,
                                    damping);
    return status;
}

dem_status dem_collision_paper_params(double mass, double impact_speed, double restitution,
                                      double contact_time, double *stiffness, double *damping)
{
    DEMI_QUIET(guarded_collision_paper_params(mass, impact_speed, restitution, contact_time,
                                              stiffness, damping));
}
