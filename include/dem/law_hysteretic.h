/* SPDX-License-Identifier: MIT */
/**
 * @file law_hysteretic.h
 * The normal parts "luding", "walton-braun" and "thornton": contacts that yield.
 *
 * All three lose energy by yielding, not by a dashpot, so the restitution follows from the law.
 * The state of each is one scalar, the greatest overlap of the contact. See
 * docs/law_hysteretic.md.
 */
#ifndef DEM_LAW_HYSTERETIC_H
#define DEM_LAW_HYSTERETIC_H

#include "kernels.h"
#include "law.h"
#include "law_hertz.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Normal part: piecewise linear, plastic and cohesive (Luding 2008); takes dem_luding. */
#define DEM_LAW_LUDING "luding"
/** Normal part: piecewise linear, plastic (Walton and Braun 1986); takes dem_walton_braun. */
#define DEM_LAW_WALTON_BRAUN "walton-braun"
/** Normal part: elastic spheres that yield (Thornton 1997); takes dem_thornton. */
#define DEM_LAW_THORNTON "thornton"

/** Parameters of DEM_LAW_LUDING. */
typedef struct dem_luding {
    uint64_t struct_size;       /**< sizeof(dem_luding), set by dem_luding_init */
    uint64_t kind;              /**< DEM_PARAMETERS_LUDING, set likewise */
    double stiffness_loading;   /**< k_1 > 0, N/m; no default */
    double stiffness_unloading; /**< k_p >= k_1, N/m: the unloading stiffness k_2 of a contact at
                                   its plastic limit; no default. Before the limit k_2 grows
                                   linearly from k_1 to k_p with the greatest overlap */
    double stiffness_cohesion;  /**< k_c >= 0, N/m: the force is at least -k_c overlap; default 0 */
    double plasticity_depth;    /**< phi_f in (0, 1]: permanent overlap at the plastic limit, over
                                     2 R*; default 0.05 */
    double damping_normal;      /**< eta >= 0, kg/s, of a dashpot beside the spring; default 0 */
} dem_luding;

/** Parameters of DEM_LAW_WALTON_BRAUN. */
typedef struct dem_walton_braun {
    uint64_t struct_size;       /**< sizeof(dem_walton_braun), set by dem_walton_braun_init */
    uint64_t kind;              /**< DEM_PARAMETERS_WALTON_BRAUN, set likewise */
    double stiffness_loading;   /**< k_1 > 0, N/m; no default */
    double stiffness_unloading; /**< k_2 >= k_1, N/m, or 0 (default) for k_1/e^2 */
    double restitution;         /**< e in (0, 1] of a contact with constant k_2; default 1. Leave it
                                     at 1 where you set stiffness_unloading */
    double hardening;           /**< S >= 0, 1/m: S times the greatest force is added to k_2, so
                                     that e falls with the impact speed; default 0 */
    double damping_normal;      /**< eta >= 0, kg/s, of a dashpot beside the spring; default 0 */
} dem_walton_braun;

/** Parameters of DEM_LAW_THORNTON for one pair of materials, in either order. */
typedef struct dem_thornton {
    uint64_t struct_size;  /**< sizeof(dem_thornton), set by dem_thornton_init */
    uint64_t kind;         /**< DEM_PARAMETERS_THORNTON, set likewise */
    double young[2];       /**< as in dem_hertz */
    double poisson[2];     /**< as in dem_hertz */
    double yield_pressure; /**< p_y > 0, Pa: greatest pressure in the contact area, about 2.5 times
                                the yield stress of the softer body; no default */
    double restitution;    /**< e in (0, 1] of impacts that do not yield, by a dashpot; default 1:
                                no dashpot */
} dem_thornton;

/* generated from src/laws/laws.def: functions.law_hysteretic */
/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_luding_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_luding_init_sized(dem_luding *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_luding_init(dem_luding *parameters)
{
    return dem_luding_init_sized(parameters, sizeof(dem_luding));
}

/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_walton_braun_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_walton_braun_init_sized(dem_walton_braun *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_walton_braun_init(dem_walton_braun *parameters)
{
    return dem_walton_braun_init_sized(parameters, sizeof(dem_walton_braun));
}

/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_thornton_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_thornton_init_sized(dem_thornton *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_thornton_init(dem_thornton *parameters)
{
    return dem_thornton_init_sized(parameters, sizeof(dem_thornton));
}

/** Adds DEM_LAW_LUDING as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_luding(dem_contact_model *model,
                                                      const dem_luding *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_LUDING, parameters);
}

/** Adds DEM_LAW_WALTON_BRAUN as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_walton_braun(dem_contact_model *model,
                                                            const dem_walton_braun *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_WALTON_BRAUN, parameters);
}

/** Adds DEM_LAW_THORNTON as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_thornton(dem_contact_model *model,
                                                        const dem_thornton *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_THORNTON, parameters);
}
/* end of generated */

/* ------------------------------------------------------------------ piecewise linear */

/** Normal force of the piecewise linear laws, N; updates the greatest overlap.
 *
 * Let m be the greatest overlap so far, and k_2 = unloading + growth m. Loading (overlap = m):
 * F = k_1 overlap. Unloading: F = k_1 m - k_2 (m - overlap), but at least -k_c overlap. On this
 * lowest line m falls if `recovers` is 1: the unloading line of the new m meets the lowest line at
 * the present overlap, so reloading follows it at once (Luding). If `recovers` is 0, m stays
 * (Walton and Braun). The contact never creates energy on any path.
 * @param loading k_1 > 0, N/m
 * @param unloading k_2 of a new contact (m = 0), >= k_1, N/m
 * @param growth of k_2 with m, >= 0, N/m2
 * @param limit greatest value of m, m; at larger overlaps the line of slope k_2 continues
 * @param cohesion k_c >= 0, N/m
 * @param recovers 0 or 1; with cohesion it counts as 1
 * @param overlap m; <= 0 counts as 0
 * @param overlap_max the greatest overlap m, in and out, m
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

/** Energy that a contact of dem_kernel_normal_hysteretic loses while its greatest overlap changes,
 * J, >= 0: by yielding where it grows, along the lowest line where it falls.
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
 * The force is Hertz's until the pressure in the middle reaches p_y, at the contact radius
 * a_y = pi/2 p_y R* / E*. Then dF/d(overlap) = pi p_y R*. Unloading follows Hertz's law with the
 * larger radius R_p = 4/3 E* a_m^3/F_m of the flattened contact.
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
    /* 1/R_p, or 1/R*: one quotient, since compilers may compute both branches of a choice, and that
     * of a contact without overlap would divide by 0 */
    const double steep = 4.0 / 3.0 * effective_young * square * sqrt(square);
    const double curvature =
        dem_select(plastic, greatest, 1.0) / dem_select(plastic, steep, radius);
    const double left = m - square * curvature; /* the overlap that stays */
    const double above = dem_select(plastic, o - left, o);
    const double a = sqrt(dem_select(above > 0.0, above, 0.0) / curvature);
    const int32_t loading = plastic & (o >= m);
    *overlap_max = m;
    *contact_radius = a;
    return dem_select(loading, greatest, 4.0 / 3.0 * effective_young * curvature * a * a * a);
}

/** Energy that a contact of dem_kernel_normal_thornton has lost by yielding, J.
 * @param radius R* > 0, m
 * @param effective_young E* > 0, Pa
 * @param yield_pressure p_y > 0, Pa
 * @param overlap_max greatest overlap so far, >= 0, m
 * @return J, >= 0; 0 for a contact that has not yielded */
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
    /* just above yield both are equal but for round-off */
    return dem_select(plastic & (work > stored), work - stored, 0.0);
}

/** Restitution coefficient of spheres that yield.
 *
 * e = sqrt(6 sqrt(3)/5) sqrt(1 - (r^2)/6) (r/(r + 2 sqrt(6/5 - r^2/5)))^(1/4), r = v_y/v, where v_y
 * is the slowest impact that yields; e = 1 for v <= v_y.
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
