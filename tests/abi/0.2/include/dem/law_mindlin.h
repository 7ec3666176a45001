/* SPDX-License-Identifier: MIT */
/**
 * @file law_mindlin.h
 * Tangential parts for elastic spheres after Mindlin and Deresiewicz. "mindlin" follows a normal
 * part that has E* and G*: "hertz", "jkr", "dmt" or "thornton"; the others follow a Hertzian one
 * (law_hertz.h). See docs/law_mindlin.md.
 *
 * - "mindlin": no-slip stiffness 8 G* a with a slider. State: 7 doubles, or 4 in a world without
 *   energy tracking. Source: Mindlin (1949), Walton and Braun (1986).
 * - "mindlin-deresiewicz": exact micro-slip by a row of 16 springs. State: 38 doubles, or 36 in
 *   such a world. Source: Mindlin and Deresiewicz (1953); method of dimensionality reduction (Popov
 *   and Hess).
 * - "mindlin-deresiewicz-32": the same with 32 springs. State: 70 doubles, or 68.
 * - "mindlin-three-case": increments for loading, unloading and reloading, for comparison. State:
 *   14 doubles. Source: Thornton and Yin (1991); Li et al. (2022).
 */
#ifndef DEM_LAW_MINDLIN_H
#define DEM_LAW_MINDLIN_H

#include "kernels.h"
#include "law.h"
#include "law_linear.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Tangential part: Mindlin's no-slip stiffness with a slider; takes dem_mindlin. */
#define DEM_LAW_MINDLIN "mindlin"
/** Tangential part: the complete solution of Mindlin and Deresiewicz by 16 springs; takes
 * dem_mindlin. */
#define DEM_LAW_MINDLIN_DERESIEWICZ "mindlin-deresiewicz"
/** The same with 32 springs, for small hysteresis loops; takes dem_mindlin. */
#define DEM_LAW_MINDLIN_DERESIEWICZ_32 "mindlin-deresiewicz-32"
/** Tangential part: the incremental form with three cases, for comparison; takes dem_mindlin. It
 * can create energy. */
#define DEM_LAW_MINDLIN_THREE_CASE "mindlin-three-case"

/** How you give the tangential dashpot of the Mindlin laws. */
enum {
    DEM_MINDLIN_DAMPING_RESTITUTION = 0, /**< by e_t: eta_t = 2 sqrt(5/6) b sqrt(k_t m*) with the
                                              law's own k_t, b = -ln e_t/sqrt(ln^2 e_t + pi^2) */
    DEM_MINDLIN_DAMPING_FACTOR = 1       /**< eta_t = damping_factor eta_n; Tsuji's factor is 1 */
};

/** What DEM_LAW_MINDLIN keeps when the overlap changes its stiffness. Where it is the force, an
 * increment du adds (k + k_old)/2 du to it. */
enum {
    DEM_MINDLIN_RESCALED = 0,   /**< the force where the stiffness rises, the displacement where it
                                     falls (Walton and Braun 1986). Never creates energy */
    DEM_MINDLIN_SECANT = 1,     /**< the displacement, T = k xi, as Li et al. (2022). Creates
                                     energy */
    DEM_MINDLIN_INCREMENTAL = 2 /**< the force. Creates energy */
};

/** Parameters of the Mindlin laws. */
typedef struct dem_mindlin {
    uint64_t struct_size;    /**< sizeof(dem_mindlin), set by dem_mindlin_init */
    uint64_t kind;           /**< DEM_PARAMETERS_MINDLIN, set likewise */
    double friction;         /**< Coulomb's mu >= 0; default 0.5 */
    double stiffness_factor; /**< factor > 0 on K_t = 8 G* a. Default 1, Mindlin's no-slip
                                  stiffness; 2/3 for Di Renzo and Di Maio (2005). Laws other than
                                  DEM_LAW_MINDLIN need 1 */
    double restitution;      /**< e_t in (0, 1], for DEM_MINDLIN_DAMPING_RESTITUTION; 1: no dashpot;
                                  0 (default): e of the normal part */
    double damping_factor;   /**< >= 0, for DEM_MINDLIN_DAMPING_FACTOR; default 0 */
    int32_t damping;         /**< DEM_MINDLIN_DAMPING_..., default _RESTITUTION */
    int32_t form;            /**< DEM_MINDLIN_..., default DEM_MINDLIN_RESCALED, for DEM_LAW_MINDLIN
                                  alone */
    int32_t slider;          /**< DEM_SLIDER_CSDS (default), _DSDS, _TRUNCATED, _UNRESET or _LI, for
                                  DEM_LAW_MINDLIN alone. _LI with DEM_MINDLIN_SECANT gives Eqs (5)
                                  and (17) of Li et al. (2022) as printed */
    int32_t reserved;        /**< zero */
} dem_mindlin;

/* generated from src/laws/laws.def: functions.law_mindlin */
/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_mindlin_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_mindlin_init_sized(dem_mindlin *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_mindlin_init(dem_mindlin *parameters)
{
    return dem_mindlin_init_sized(parameters, sizeof(dem_mindlin));
}

/** Adds DEM_LAW_MINDLIN as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_mindlin(dem_contact_model *model,
                                                       const dem_mindlin *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_MINDLIN, parameters);
}

/** Adds DEM_LAW_MINDLIN_THREE_CASE as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_mindlin_three_case(dem_contact_model *model,
                                                                  const dem_mindlin *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_MINDLIN_THREE_CASE, parameters);
}

/** Adds DEM_LAW_MINDLIN_DERESIEWICZ as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_mindlin_deresiewicz(dem_contact_model *model,
                                                                   const dem_mindlin *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_MINDLIN_DERESIEWICZ, parameters);
}

/** Adds DEM_LAW_MINDLIN_DERESIEWICZ_32 as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_mindlin_deresiewicz_32(dem_contact_model *model,
                                                                      const dem_mindlin *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_MINDLIN_DERESIEWICZ_32, parameters);
}
/* end of generated */

/** Tangential stiffness of two spheres that do not slip, K_t = 8 G* a.
 * @param effective_shear G* > 0, Pa
 * @param contact_radius a >= 0, m
 * @return K_t, N/m. Source: Mindlin (1949); Li et al. (2022), Eq. (4), whose printed denominator
 *  has the indices of nu exchanged */
DEM_KERNEL double dem_kernel_stiffness_mindlin(double effective_shear, double contact_radius)
{
    return 8.0 * effective_shear * contact_radius;
}

/** Factor on the displacement of a tangential spring when its stiffness changes.
 *
 * Where k rises, the force is kept; where it falls, the displacement. So the change creates no
 * energy. For the force T = k xi this is T <- T min(1, k/k_old).
 * @param stiffness_old k_old >= 0, N/m
 * @param stiffness k > 0, N/m
 * @return min(1, k_old/k). Source: Walton and Braun (1986); Thornton et al. (2013) */
DEM_KERNEL double dem_kernel_rescale_mindlin(double stiffness_old, double stiffness)
{
    return dem_select(stiffness_old < stiffness, stiffness_old / stiffness, 1.0);
}

/** Tangential dashpot coefficient of the Mindlin laws, eta_t = 2 sqrt(5/6) b sqrt(K_t m*).
 * @param ratio b >= 0, from dem_kernel_damping_ratio_attractive
 * @param mass m* > 0, kg
 * @param stiffness K_t >= 0, N/m
 * @return eta_t, kg/s. Source: Li et al. (2022), Eq. (6) */
DEM_KERNEL double dem_kernel_damping_mindlin(double ratio, double mass, double stiffness)
{
    return 1.8257418583505538 * ratio * sqrt(mass * stiffness);
}

/** One spring of the row that represents a Mindlin-Deresiewicz contact: adds the increment and cuts
 * the displacement to the limit of this spring.
 *
 * The spring at distance x from the middle has the depth h = overlap - x^2/R*. It carries the force
 * 8 G* dx u and slips at abs(u) = (mu/kappa) h F_n/N, kappa = 4 G* / E*, where N is the elastic and
 * F_n the total normal force.
 * @param limit greatest length of the displacement, >= 0, m; 0 where h <= 0
 * @param increment movement of the surfaces in the tangent plane, two components, m
 * @param displacement u, m, in and out
 * @return 1 if the spring sticks, 0 if it slips. Source: Popov and Hess (2015), method of
 *  dimensionality reduction */
DEM_KERNEL int32_t dem_kernel_mindlin_spring(double limit, const double increment[2],
                                             double displacement[2])
{
    const double moved[2] = {displacement[0] + increment[0], displacement[1] + increment[1]};
    const double square = moved[0] * moved[0] + moved[1] * moved[1];
    const int slips = square > limit * limit;
    const double kept = dem_select(slips, limit, 1.0) / sqrt(dem_select(slips, square, 1.0));
    displacement[0] = kept * moved[0];
    displacement[1] = kept * moved[1];
    return 1 - slips;
}

#ifdef __cplusplus
}
#endif
#endif
