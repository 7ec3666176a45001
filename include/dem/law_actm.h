/* SPDX-License-Identifier: MIT */
/**
 * @file law_actm.h
 * The normal part "actm": the adaptive collision time model of Kempe and Fröhlich (2012). It
 * stretches contacts to a time that the time step resolves, and keeps their restitution.
 *
 * F_n = k overlap^(3/2) - d v_n, which attracts at its end. At first touch, dem_collision_params
 * gives each contact its own k and d, so that restitution and contact time are those you set. See
 * docs/law_actm.md; docs/collision.md is a guide for authors of fluid solvers.
 */
#ifndef DEM_LAW_ACTM_H
#define DEM_LAW_ACTM_H

#include "kernels.h"
#include "law.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Normal part; takes dem_actm. Its state is the k and d of the contact. */
#define DEM_LAW_ACTM "actm"

/** Parameters of DEM_LAW_ACTM. */
typedef struct dem_actm {
    uint64_t struct_size; /**< sizeof(dem_actm), set by dem_actm_init */
    uint64_t kind;        /**< DEM_PARAMETERS_ACTM, set likewise */
    double restitution;   /**< e in [1e-4, 1]; default 1 */
    double contact_time;  /**< T_c in [1e-50, 1e50] s, or 0 (default) to set contact_steps. Set one
                               of the two */
    double contact_steps; /**< T_c in time steps: 0 (default), or at most 1e9, at least 4 and at
                             least 2 lambda tau of dem_collision_inverse (5.76 at e = 0.03). Times
                             dt it must be in [1e-50, 1e50] s, too. A contact that exists before the
                             first step exerts no force in the evaluation before it */
    double speed_floor;   /**< in [1e-50, 1e50] m/s; no default. A slower impact gets the k and d of
                               this speed. Gravity times T_c suits */
    double young[2];      /**< Young's moduli > 0, Pa: the upper bound of k is 4/3 E* sqrt(R*). The
                               first has no default; 0 (default) for the second: both bodies are of
                               the first material */
    double poisson[2];    /**< Poisson's ratios in (-1, 0.5]; default 0.3 and 0, as in dem_hertz */
    double load_acceleration; /**< 0 to 1e50, m/s2: a contact at rest carries m* times this. For a
                                 heap of equal spheres: twice gravity times the number of layers. 0
                                   (default): k has no lower bound */
    double overlap_cap;       /**< greatest overlap under that load, over R*, in (0, 1]; default
                                   0.01 */
} dem_actm;

/* generated from src/laws/laws.def: functions.law_actm */
/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_actm_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_actm_init_sized(dem_actm *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_actm_init(dem_actm *parameters)
{
    return dem_actm_init_sized(parameters, sizeof(dem_actm));
}

/** Adds DEM_LAW_ACTM as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_actm(dem_contact_model *model,
                                                    const dem_actm *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_ACTM, parameters);
}
/* end of generated */

/** Fifth root. It uses + - * / alone, so its bits are the same on every machine.
 * @param x in [1e-300, 1e300]
 * @return x^(1/5), relative error below 1e-15 */
DEM_KERNEL double dem_kernel_root5(double x)
{
    /* x = b 2^(5p), b in [2^-3, 2^3]; p = (exponent + 1/2)/5 rounded by adding 3 2^51 */
    const uint64_t two52 = UINT64_C(0x4330000000000000);
    const double rounder = 6755399441055744.0;
    uint64_t bits;
    double exponent, power;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits >> 52) | two52;
    memcpy(&exponent, &bits, sizeof exponent);
    exponent -= 4503599627370496.0 + 1022.5;
    const double p = (0.2 * exponent + rounder) - rounder;
    const double biased = p + (4503599627370496.0 + 1023.0);
    memcpy(&bits, &biased, sizeof bits);
    bits <<= 52;
    memcpy(&power, &bits, sizeof power);
    const double square = power * power;
    const double b = x / (square * square * power);
    double root = 1.0;
    for (int k = 0; k < 5; ++k) { /* Halley */
        const double r2 = root * root, r5 = r2 * r2 * root;
        root *= (2.0 * r5 + 3.0 * b) / (3.0 * r5 + 2.0 * b);
    }
    return root * power;
}

/** Stiffness and damping of one contact, with bounds on the stiffness.
 *
 * k = m/sqrt(u s^5) and d = 2 lambda m/s, with the time unit s = T_c/tau. Where a bound replaces k,
 * s becomes (m^2/(k^2 u))^(1/5): the restitution at speed u stays the same, the contact time
 * changes. Source: Ray et al., Eqs (5), (53), (54).
 * @param mass m*, kg
 * @param speed u > 0, m/s
 * @param lambda of the restitution, from dem_collision_inverse
 * @param unit T_c/tau > 0, s, with tau from dem_collision_inverse
 * @param lowest lower bound of k, >= 0, N/m^(3/2)
 * @param highest upper bound of k, > 0, N/m^(3/2); it wins where it is below the lower bound
 * @param stiffness out: k, N/m^(3/2)
 * @param damping out: d, kg/s
 * @return s after the bounds, s; the contact time is tau times this */
DEM_KERNEL double dem_kernel_actm(double mass, double speed, double lambda, double unit,
                                  double lowest, double highest, double *stiffness, double *damping)
{
    const double wanted = mass / (unit * unit * sqrt(speed * unit));
    double k = dem_select(wanted < lowest, lowest, wanted);
    k = dem_select(k > highest, highest, k);
    const double root = dem_kernel_root5(wanted / k);
    const double kept = unit * dem_select(k == wanted, 1.0, root * root);
    *stiffness = k;
    *damping = 2.0 * lambda * mass / kept;
    return kept;
}

/** Normal force of Hertz's form with a constant dashpot, N: k overlap^(3/2) - d v_n; zero for
 * overlap <= 0. A negative force is kept.
 * @param stiffness k >= 0, N/m^(3/2)
 * @param damping d >= 0, kg/s
 * @param overlap m
 * @param normal_velocity v_n, m/s, negative while the bodies approach
 * @return F_n, N. Source: Ray et al., Eq. (1) */
DEM_KERNEL double dem_kernel_normal_actm(double stiffness, double damping, double overlap,
                                         double normal_velocity)
{
    const double depth = dem_select(overlap > 0.0, overlap, 0.0);
    const double force = stiffness * depth * sqrt(depth) - damping * normal_velocity;
    return dem_select(overlap > 0.0, force, 0.0);
}

#ifdef __cplusplus
}
#endif
#endif
