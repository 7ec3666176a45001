/* SPDX-License-Identifier: MIT */
/**
 * @file law_hysteretic.h
 * Contacts that remember how far they were pressed: the normal parts "luding", "walton-braun" and
 * "thornton".
 *
 * All three lose energy by yielding, not by a dashpot: the restitution follows from the law. Each
 * keeps one scalar, the greatest overlap so far; it ends with the contact. See
 * docs/law_hysteretic.md.
 */
#ifndef DEM_LAW_HYSTERETIC_H
#define DEM_LAW_HYSTERETIC_H

#include "contact.h"
#include "kernels.h"
#include "law_hertz.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A normal part: piecewise linear, plastic and cohesive (Luding 2008); takes dem_luding. */
#define DEM_LAW_LUDING "luding"
/** A normal part: piecewise linear, plastic (Walton and Braun 1986); takes dem_walton_braun. */
#define DEM_LAW_WALTON_BRAUN "walton-braun"
/** A normal part: elastic spheres that yield (Thornton 1997); takes dem_thornton. */
#define DEM_LAW_THORNTON "thornton"

/** Parameters of DEM_LAW_LUDING. */
typedef struct dem_luding {
    uint64_t struct_size;       /**< sizeof(dem_luding), set by dem_luding_init */
    double stiffness_loading;   /**< k_1 > 0, N/m; no default */
    double stiffness_unloading; /**< k_p >= k_1, N/m, of a contact that is pressed flat; no default.
                                     Below that k_2 grows linearly from k_1 to k_p */
    double stiffness_cohesion;  /**< k_c >= 0, N/m: the force does not fall below -k_c overlap;
                                     default 0 */
    double plasticity_depth;    /**< phi_f in (0, 1]: the permanent overlap of a contact that is
                                     pressed flat, over 2 R*; default 0.05 */
    double damping_normal;      /**< eta >= 0, kg/s, of a dashpot beside the spring; default 0 */
} dem_luding;

/** Parameters of DEM_LAW_WALTON_BRAUN. */
typedef struct dem_walton_braun {
    uint64_t struct_size;       /**< sizeof(dem_walton_braun), set by dem_walton_braun_init */
    double stiffness_loading;   /**< k_1 > 0, N/m; no default */
    double stiffness_unloading; /**< k_2 >= k_1, N/m, or 0 (default) for k_1/e^2 */
    double restitution;         /**< e in (0, 1] of a contact with constant k_2; default 1. Leave it
                                     1 where stiffness_unloading is given */
    double hardening;           /**< S >= 0, 1/m: k_2 grows by S times the greatest force, so that
                                     fast impacts rebound less; default 0 */
    double damping_normal;      /**< eta >= 0, kg/s, of a dashpot beside the spring; default 0 */
} dem_walton_braun;

/** Parameters of DEM_LAW_THORNTON for one pair of materials. It does not matter which is first. */
typedef struct dem_thornton {
    uint64_t struct_size;  /**< sizeof(dem_thornton), set by dem_thornton_init */
    double young[2];       /**< as in dem_hertz */
    double poisson[2];     /**< as in dem_hertz */
    double yield_pressure; /**< p_y > 0, Pa: the pressure that the contact area bears at most, about
                                2.5 times the yield stress of the softer body; no default */
    double restitution;    /**< e in (0, 1] that a dashpot gives to impacts which do not yield;
                                default 1: no dashpot */
} dem_thornton;

/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_luding_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_luding_init_sized(dem_luding *parameters, uint64_t size);
/** Fills the defaults. Use dem_walton_braun_init.
 * @return as dem_luding_init_sized */
DEM_API dem_status dem_walton_braun_init_sized(dem_walton_braun *parameters, uint64_t size);
/** Fills the defaults. Use dem_thornton_init.
 * @return as dem_luding_init_sized */
DEM_API dem_status dem_thornton_init_sized(dem_thornton *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_luding_init(dem_luding *parameters)
{
    return dem_luding_init_sized(parameters, sizeof(dem_luding));
}

/** Fills the defaults. */
static inline dem_status dem_walton_braun_init(dem_walton_braun *parameters)
{
    return dem_walton_braun_init_sized(parameters, sizeof(dem_walton_braun));
}

/** Fills the defaults. */
static inline dem_status dem_thornton_init(dem_thornton *parameters)
{
    return dem_thornton_init_sized(parameters, sizeof(dem_thornton));
}

/* ------------------------------------------------------------------ piecewise linear */

/** Normal force of the piecewise linear laws, N, and what the contact remembers afterwards.
 *
 * With m the greatest overlap so far and k_2 = unloading + growth m: loading F = k_1 overlap while
 * overlap = m; below that F = k_1 m - k_2 (m - overlap), but not less than -k_c overlap. Where
 * `recovers` is set, a contact on that lower line forgets: m falls to where the line of slope k_2
 * meets it, so reloading starts at once (Luding). Otherwise it reloads where it left off (Walton
 * and Braun). The contact never yields energy, whatever the path.
 * @param loading k_1 > 0, N/m
 * @param unloading k_2 of a contact that was never pressed, >= k_1, N/m
 * @param growth of k_2 with m, >= 0, N/m2
 * @param limit the greatest m that the contact keeps, m; beyond it the line of slope k_2 goes on
 * @param cohesion k_c >= 0, N/m
 * @param recovers 0 or 1; a contact with cohesion always does
 * @param overlap m; <= 0 counts as 0
 * @param overlap_max m, in and out, m
 * @return F_n, N. Source: Luding (2008), Sec. 3.2; Walton and Braun (1986) */
DEM_KERNEL double dem_kernel_normal_hysteretic(double loading, double unloading, double growth,
                                               double limit, double cohesion, int32_t recovers,
                                               double overlap, double *overlap_max)
{
    const double o = dem_select(overlap > 0.0, overlap, 0.0);
    const double pressed = dem_select(o < limit, o, limit);
    const double m = dem_select(pressed > *overlap_max, pressed, *overlap_max);
    const double line = loading * m - (unloading + growth * m) * (m - o);
    const double least = -(cohesion * o);
    const int32_t below = line < least;
    /* the m whose line meets the lower one here: growth m^2 + p m - q = 0 */
    const double p = unloading - loading - growth * o;
    const double q = (unloading + cohesion) * o;
    const double root = sqrt(p * p + 4.0 * growth * q);
    const double falling = 2.0 * q / dem_select(p > 0.0, p + root, 1.0);
    const double rising = 0.5 * (root - p) / dem_select(growth > 0.0, growth, 1.0);
    const double meets = dem_select(p > 0.0, falling, rising);
    const int32_t forgets = below & ((recovers != 0) | (cohesion > 0.0));
    *overlap_max = dem_select(forgets, meets, m);
    return dem_select(below, least, line);
}

/** Energy that a contact of dem_kernel_normal_hysteretic lost when its greatest overlap went from
 * one value to another, J, >= 0: by yielding where it grew, along the lower line where it fell.
 * @param loading k_1 > 0, N/m
 * @param unloading as in dem_kernel_normal_hysteretic, N/m
 * @param growth likewise, N/m2
 * @param cohesion k_c >= 0, N/m
 * @param from m before, m
 * @param to m after, m
 * @return J */
DEM_KERNEL double dem_kernel_hysteretic_loss(double loading, double unloading, double growth,
                                             double cohesion, double from, double to)
{
    const double k0 = unloading + growth * from, k1 = unloading + growth * to;
    const double yielded =
        0.5 * loading * (to * to * (1.0 - loading / k1) - from * from * (1.0 - loading / k0));
    /* where the lines of the two meet -k_c overlap */
    const double h0 = (k0 - loading) * from / (k0 + cohesion);
    const double h1 = (k1 - loading) * to / (k1 + cohesion);
    const double healed =
        0.5 * cohesion * (h0 * h0 * (1.0 + cohesion / k0) - h1 * h1 * (1.0 + cohesion / k1));
    return dem_select(to > from, yielded, healed);
}

/* ------------------------------------------------------------------ Thornton */

/** Elastic normal force of a sphere that yields, N.
 *
 * Hertz until the pressure in the middle reaches p_y, at the contact radius
 * a_y = pi/2 p_y R* / E*; from there F grows by pi p_y R* per overlap. Unloading is Hertz's again,
 * for the larger radius R_p = 4/3 E* a_m^3/F_m of the flattened contact.
 * @param radius R* > 0, m
 * @param effective_young E* > 0, Pa
 * @param yield_pressure p_y > 0, Pa
 * @param overlap m; <= 0 counts as 0
 * @param overlap_max the greatest overlap so far, in and out, m
 * @param contact_radius out: a, m
 * @return F_n >= 0, N. Source: Thornton (1997); Thornton and Ning (1998) */
DEM_KERNEL double dem_kernel_normal_thornton(double radius, double effective_young,
                                             double yield_pressure, double overlap,
                                             double *overlap_max, double *contact_radius)
{
    const double pressure = 3.141592653589793 * yield_pressure;
    const double yield = 0.5 * pressure * radius / effective_young; /* a_y */
    const double o = dem_select(overlap > 0.0, overlap, 0.0);
    const double m = dem_select(o > *overlap_max, o, *overlap_max);
    const double square = radius * m; /* a_m^2 */
    const int32_t plastic = square > yield * yield;
    const double greatest = pressure * (square - yield * yield / 3.0);
    const double curvature = dem_select(
        plastic,
        greatest / dem_select(plastic, 4.0 / 3.0 * effective_young * square * sqrt(square), 1.0),
        1.0 / radius);                          /* 1/R_p */
    const double left = m - square * curvature; /* the overlap that stays */
    const double above = dem_select(plastic, o - left, o);
    const double a = sqrt(dem_select(above > 0.0, above, 0.0) / curvature);
    const int32_t loading = plastic & (o >= m);
    *overlap_max = m;
    *contact_radius = a;
    return dem_select(loading, greatest, 4.0 / 3.0 * effective_young * curvature * a * a * a);
}

/** Energy that a contact of dem_kernel_normal_thornton has lost by yielding, J, for the greatest
 * overlap it has seen.
 * @param radius R* > 0, m
 * @param effective_young E* > 0, Pa
 * @param yield_pressure p_y > 0, Pa
 * @param overlap_max m >= 0, m
 * @return J; 0 until it yields */
DEM_KERNEL double dem_kernel_thornton_loss(double radius, double effective_young,
                                           double yield_pressure, double overlap_max)
{
    const double pressure = 3.141592653589793 * yield_pressure;
    const double yield = 0.5 * pressure * radius / effective_young; /* a_y */
    const double y2 = yield * yield, square = radius * overlap_max;
    const int32_t plastic = square > y2;
    const double a2 = dem_select(plastic, square, y2);
    /* work of Hertz's force up to a_y, of the plastic one from there, less what is stored */
    const double force = pressure * (a2 - y2 / 3.0);
    const double work = pressure / radius *
                        (4.0 / 15.0 * y2 * y2 + 0.5 * (a2 * a2 - y2 * y2) - y2 * (a2 - y2) / 3.0);
    const double stored = 0.3 * force * force / (effective_young * sqrt(a2));
    return dem_select(plastic, work - stored, 0.0);
}

/** Restitution coefficient of spheres that yield.
 *
 * e = sqrt(6 sqrt(3)/5) sqrt(1 - (r^2)/6) (r/(r + 2 sqrt(6/5 - r^2/5)))^(1/4), r = v_y/v, with the
 * speed v_y at which the contact begins to yield; 1 below it.
 * @param radius R* > 0, m
 * @param effective_young E* > 0, Pa
 * @param yield_pressure p_y > 0, Pa
 * @param mass m* > 0, kg
 * @param speed v >= 0 of the impact, m/s
 * @return e in (0, 1]. Source: Thornton (1997), Eq. (28) */
DEM_KERNEL double dem_kernel_thornton_restitution(double radius, double effective_young,
                                                  double yield_pressure, double mass, double speed)
{
    const double yield = 1.5707963267948966 * yield_pressure * radius / effective_young;
    const double square = yield * yield; /* a_y^2 */
    const double slowest =
        sqrt(16.0 / 15.0 * effective_young * square * square * yield / (mass * radius * radius));
    if (!(speed > slowest))
        return 1.0;
    const double r = slowest / speed;
    return sqrt(1.2 * sqrt(3.0)) * sqrt(1.0 - r * r / 6.0) *
           sqrt(sqrt(r / (r + 2.0 * sqrt(1.2 - 0.2 * r * r))));
}

#ifdef __cplusplus
}
#endif
#endif
