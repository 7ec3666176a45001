/* SPDX-License-Identifier: MIT */
/**
 * @file law_mindlin.h
 * Tangential forces of elastic spheres after Mindlin and Deresiewicz: parts that follow a Hertzian
 * normal part (law_hertz.h). See docs/law_mindlin.md.
 *
 * - "mindlin": no-slip stiffness 8 G* a with a slider, 7 doubles of state, or 4 in a world that
 *   accounts for no energies. Mindlin (1949), Walton.
 * - "mindlin-deresiewicz": micro-slip, exact, as a row of 16 springs, 38 doubles. Mindlin and
 *   Deresiewicz (1953) by the method of dimensionality reduction (Popov and Hess).
 * - "mindlin-deresiewicz-32": the same with 32 springs, 70 doubles.
 * - "mindlin-three-case": incremental loading, unloading and reloading, 14 doubles; for comparison.
 *   Thornton and Yin (1991); Li et al. (2022).
 */
#ifndef DEM_LAW_MINDLIN_H
#define DEM_LAW_MINDLIN_H

#include "contact.h"
#include "kernels.h"
#include "law_friction.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Mindlin's no-slip stiffness with a slider; takes dem_mindlin. */
#define DEM_LAW_MINDLIN "mindlin"
/** The complete solution of Mindlin and Deresiewicz, 16 springs; takes dem_mindlin. */
#define DEM_LAW_MINDLIN_DERESIEWICZ "mindlin-deresiewicz"
/** The same with 32 springs, where the area of small hysteresis loops matters. */
#define DEM_LAW_MINDLIN_DERESIEWICZ_32 "mindlin-deresiewicz-32"
/** The incremental form with three cases, for comparison: it can create energy. */
#define DEM_LAW_MINDLIN_THREE_CASE "mindlin-three-case"

/** How the tangential dashpot of the Mindlin laws is given. */
enum {
    DEM_MINDLIN_DAMPING_RESTITUTION = 0, /**< eta_t = 2 sqrt(5/6) b sqrt(k_t m*) with the law's
                                              own k_t, b = -ln e_t/sqrt(ln^2 e_t + pi^2) */
    DEM_MINDLIN_DAMPING_FACTOR = 1       /**< eta_t = damping_factor eta_n; 1 is Tsuji's choice */
};

/** What DEM_LAW_MINDLIN does with its spring when the stiffness changes with the overlap. */
enum {
    DEM_MINDLIN_RESCALED = 0,   /**< force kept when it rises, displacement kept when it falls
                                     (Walton): never creates energy */
    DEM_MINDLIN_SECANT = 1,     /**< displacement kept, as Li et al. (2022): creates energy */
    DEM_MINDLIN_INCREMENTAL = 2 /**< force kept (Eq. (2) without rescale): creates energy */
};

/** Parameters of the Mindlin laws. */
typedef struct dem_mindlin {
    uint64_t struct_size;    /**< sizeof(dem_mindlin), set by dem_mindlin_init */
    double friction;         /**< Coulomb's mu >= 0; default 0.5 */
    double stiffness_factor; /**< on K_t = 8 G* a, > 0; default 1, Mindlin's no-slip stiffness; 2/3
                                  for Di Renzo and Di Maio (2005). DEM_LAW_MINDLIN alone, the other
                                  laws want 1 */
    double restitution;      /**< e_t in (0, 1] for DEM_MINDLIN_DAMPING_RESTITUTION; 1: no dashpot;
                                  0 (default): e of the normal part */
    double damping_factor;   /**< >= 0, for DEM_MINDLIN_DAMPING_FACTOR; default 0 */
    int32_t damping;         /**< DEM_MINDLIN_DAMPING_..., default _RESTITUTION */
    int32_t form;            /**< DEM_MINDLIN_..., default DEM_MINDLIN_RESCALED; DEM_LAW_MINDLIN
                                  alone */
    int32_t slider;   /**< DEM_SLIDER_CSDS (default), _DSDS, _TRUNCATED, or _UNRESET, which is
                           Li et al. (2022), Eq. (5) as printed; DEM_LAW_MINDLIN alone */
    int32_t reserved; /**< zero */
} dem_mindlin;

/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_mindlin_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_mindlin_init_sized(dem_mindlin *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_mindlin_init(dem_mindlin *parameters)
{
    return dem_mindlin_init_sized(parameters, sizeof(dem_mindlin));
}

/** Tangential stiffness of two spheres that do not slip, K_t = 8 G* a.
 * @param effective_shear G* > 0, Pa
 * @param contact_radius a >= 0, m
 * @return K_t, N/m. Source: Mindlin (1949); Li et al. (2022), Eq. (4), whose printed denominator
 *  has the indices of nu exchanged */
DEM_KERNEL double dem_kernel_stiffness_mindlin(double effective_shear, double contact_radius)
{
    return 8.0 * effective_shear * contact_radius;
}

/** Factor on a tangential spring's displacement when its stiffness changes, so that no energy comes
 * from the change: where k rises the force is kept, where it falls the displacement.
 *
 * The same as T <- T min(1, k/k_old) for the force T = k xi.
 * @param stiffness_old k_old >= 0, N/m
 * @param stiffness k > 0, N/m
 * @return min(1, k_old/k). Source: Walton and Braun (1986); Thornton et al. (2013) */
DEM_KERNEL double dem_kernel_rescale_mindlin(double stiffness_old, double stiffness)
{
    return dem_select(stiffness_old < stiffness, stiffness_old / stiffness, 1.0);
}

/** Tangential dashpot of the Mindlin laws, eta_t = 2 sqrt(5/6) b sqrt(K_t m*).
 * @param ratio b >= 0, from dem_kernel_damping_ratio_attractive
 * @param mass m* > 0, kg
 * @param stiffness K_t >= 0, N/m
 * @return eta_t, kg/s. Source: Li et al. (2022), Eq. (6) */
DEM_KERNEL double dem_kernel_damping_mindlin(double ratio, double mass, double stiffness)
{
    return 1.8257418583505538 * ratio * sqrt(mass * stiffness);
}

/** One spring of the row that stands for a Mindlin-Deresiewicz contact: moves with the surfaces
 * and is cut to its own limit.
 *
 * The spring at distance x from the middle belongs to the pressed depth h = overlap - x^2/R*; it
 * carries 8 G* dx u and slips at abs(u) = (mu/kappa) h F_n/N, kappa = 4 G* / E*.
 * @param limit greatest length of the displacement, >= 0, m; 0 where h <= 0
 * @param increment movement of the surfaces in the tangent plane, two components, m
 * @param displacement u, m, in and out
 * @return 1 if the spring sticks, 0 if it is cut. Source: Popov and Hess, method of dimensionality
 *  reduction */
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
