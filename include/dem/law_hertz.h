/* SPDX-License-Identifier: MIT */
/**
 * @file law_hertz.h
 * The normal part "hertz": Hertz's force between elastic spheres, with a dashpot.
 *
 * F_n = 4/3 E* sqrt(R*) overlap^(3/2) - eta v_n. See docs/law_hertz.md. The tangential parts that
 * build on it are in law_mindlin.h.
 */
#ifndef DEM_LAW_HERTZ_H
#define DEM_LAW_HERTZ_H

#include "kernels.h"
#include "law.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Normal part; takes dem_hertz. */
#define DEM_LAW_HERTZ "hertz"

/** How you give the dashpot of DEM_LAW_HERTZ. */
enum {
    DEM_HERTZ_DAMPING_RESTITUTION = 0, /**< by the restitution coefficient: eta =
                                            sqrt(5) zeta sqrt(m* K) overlap^(1/4),
                                            K = 4/3 E* sqrt(R*) */
    DEM_HERTZ_DAMPING_TSUJI = 1,       /**< by the dimensionless alpha of Tsuji et al. (1992):
                                            eta = alpha sqrt(m* K) overlap^(1/4) */
    DEM_HERTZ_DAMPING_COEFFICIENT = 2, /**< by a constant eta, kg/s; e depends on the speed */
    DEM_HERTZ_DAMPING_NONE = 3         /**< no dashpot */
};

/** Parameters of DEM_LAW_HERTZ for one pair of materials, in either order. */
typedef struct dem_hertz {
    uint64_t struct_size;  /**< sizeof(dem_hertz), set by dem_hertz_init */
    uint64_t kind;         /**< DEM_PARAMETERS_HERTZ, set likewise */
    double young[2];       /**< Young's moduli > 0, Pa; the first has no default. 0 (default) for
                                the second: both bodies are of the first material */
    double poisson[2];     /**< Poisson's ratios in (-1, 0.5]; default 0.3 and 0. Leave the second 0
                                where young[1] is 0; otherwise set it too */
    double restitution;    /**< e in (0, 1], used with DEM_HERTZ_DAMPING_RESTITUTION; default 1 */
    double damping_normal; /**< >= 0: alpha for DEM_HERTZ_DAMPING_TSUJI, kg/s for _COEFFICIENT;
                                default 0 */
    int32_t damping;       /**< DEM_HERTZ_DAMPING_..., default DEM_HERTZ_DAMPING_RESTITUTION */
    int32_t normal;        /**< DEM_NORMAL_..., default DEM_NORMAL_CUT: what happens to a negative
                                sum of spring and dashpot. With _CUT and with _ATTRACTIVE the
                                restitution you set is the one you measure */
} dem_hertz;

/* generated from src/laws/laws.def: functions.law_hertz */
/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_hertz_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_hertz_init_sized(dem_hertz *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_hertz_init(dem_hertz *parameters)
{
    return dem_hertz_init_sized(parameters, sizeof(dem_hertz));
}

/** Adds DEM_LAW_HERTZ as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_hertz(dem_contact_model *model,
                                                     const dem_hertz *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_HERTZ, parameters);
}
/* end of generated */

/** Effective Young's modulus of two bodies: 1/E* = (1 - nu_i^2)/E_i + (1 - nu_j^2)/E_j.
 * @param young_i E_i > 0, Pa
 * @param poisson_i nu_i in (-1, 0.5]
 * @param young_j E_j > 0, Pa
 * @param poisson_j nu_j in (-1, 0.5]
 * @return E*, Pa. Source: Hertz (1882); Li et al. (2022), Eq. (6), whose printed denominator has
 *  the indices of nu exchanged */
DEM_KERNEL double dem_kernel_effective_young(double young_i, double poisson_i, double young_j,
                                             double poisson_j)
{
    return 1.0 /
           ((1.0 - poisson_i * poisson_i) / young_i + (1.0 - poisson_j * poisson_j) / young_j);
}

/** Effective shear modulus of two bodies:
 * 1/G* = 2 (2 - nu_i)(1 + nu_i)/E_i + 2 (2 - nu_j)(1 + nu_j)/E_j, the sum of (2 - nu)/G.
 * @param young_i E_i > 0, Pa
 * @param poisson_i nu_i in (-1, 0.5]
 * @param young_j E_j > 0, Pa
 * @param poisson_j nu_j in (-1, 0.5]
 * @return G*, Pa. Source: Mindlin (1949) */
DEM_KERNEL double dem_kernel_effective_shear(double young_i, double poisson_i, double young_j,
                                             double poisson_j)
{
    return 0.5 / ((2.0 - poisson_i) * (1.0 + poisson_i) / young_i +
                  (2.0 - poisson_j) * (1.0 + poisson_j) / young_j);
}

/** Radius of the contact area of two spheres, a = sqrt(R* overlap).
 * @param radius R* > 0, m
 * @param overlap m; a is 0 for overlap <= 0
 * @return a, m */
DEM_KERNEL double dem_kernel_contact_radius_hertz(double radius, double overlap)
{
    return sqrt(radius * dem_select(overlap > 0.0, overlap, 0.0));
}

/** Normal force of Hertz's law with a dashpot, N, positive when it pushes the bodies apart.
 *
 * F_n = 4/3 E* a overlap - eta v_n; zero for overlap <= 0.
 * @param effective_young E* > 0, Pa
 * @param contact_radius a = sqrt(R* overlap), m
 * @param damping eta >= 0, kg/s
 * @param overlap m
 * @param normal_velocity v_n = (v_i - v_j).n, m/s, negative while the bodies approach
 * @param attractive 0: a negative sum is cut to zero; otherwise it is kept (the attractive tail)
 * @return F_n, N. Source: Hertz (1882) */
DEM_KERNEL double dem_kernel_normal_hertz(double effective_young, double contact_radius,
                                          double damping, double overlap, double normal_velocity,
                                          int32_t attractive)
{
    const double force =
        4.0 / 3.0 * effective_young * contact_radius * overlap - damping * normal_velocity;
    return dem_select((overlap > 0.0) & ((force > 0.0) | (attractive != 0)), force, 0.0);
}

/** Dashpot coefficient of Hertz's law that gives the same restitution at every speed.
 *
 * eta = alpha sqrt(m* K) overlap^(1/4) = alpha sqrt(4/3 m* E* a), alpha = sqrt(5) zeta with zeta
 * from dem_kernel_damping_ratio_cut or dem_kernel_damping_ratio_attractive.
 * @param alpha >= 0, dimensionless
 * @param mass m* > 0, kg
 * @param effective_young E* > 0, Pa
 * @param contact_radius a >= 0, m
 * @return eta, kg/s. Source: Tsuji et al. (1992); Antypov and Elliott (2011) */
DEM_KERNEL double dem_kernel_damping_hertz(double alpha, double mass, double effective_young,
                                           double contact_radius)
{
    return alpha * sqrt(4.0 / 3.0 * mass * effective_young * contact_radius);
}

/** Contact time of an undamped collision, t = 3.218065 (m*^2/(K^2 v))^(1/5), K = 4/3 E* sqrt(R*).
 * Call it at setup, not in every step: it uses libm's pow.
 * @param effective_young E* > 0, Pa
 * @param radius R* > 0, m
 * @param mass m* > 0, kg
 * @param speed v > 0 of the impact, m/s
 * @return s. Source: Hertz (1882); the constant is 4/5 (5/4)^(2/5) B(2/5, 1/2) */
DEM_KERNEL double dem_kernel_contact_time_hertz(double effective_young, double radius, double mass,
                                                double speed)
{
    const double stiffness = 4.0 / 3.0 * effective_young * sqrt(radius);
    const double ratio = mass / stiffness;
    return 3.2180654597190435 * pow(ratio * ratio / speed, 0.2);
}

/** Greatest overlap of an undamped collision, (5/4 m* v^2/K)^(2/5), K = 4/3 E* sqrt(R*).
 * Call it at setup, not in every step: it uses libm's pow.
 * @param effective_young E* > 0, Pa
 * @param radius R* > 0, m
 * @param mass m* > 0, kg
 * @param speed v >= 0 of the impact, m/s
 * @return m; multiply by e^(2/5) for the cut force with the damping of a restitution e */
DEM_KERNEL double dem_kernel_overlap_hertz(double effective_young, double radius, double mass,
                                           double speed)
{
    const double stiffness = 4.0 / 3.0 * effective_young * sqrt(radius);
    return pow(1.25 * mass * speed * speed / stiffness, 0.4);
}

#ifdef __cplusplus
}
#endif
#endif
