/* SPDX-License-Identifier: MIT */
/**
 * @file law_linear.h
 * The linear laws: two whole laws with dem_linear, the normal part "hooke", and the tangential part
 * "friction", which follows any normal part. "hooke" and "friction" together give the forces of the
 * whole laws. See docs/law_linear.md.
 */
#ifndef DEM_LAW_LINEAR_H
#define DEM_LAW_LINEAR_H

#include "law.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Whole law: normal spring and dashpot, tangential continuous spring-dashpot-slider. Takes
 * dem_linear. */
#define DEM_LAW_LINEAR_CSDS "linear-csds"
/** Whole law: DEM_LAW_LINEAR_CSDS with the discontinuous slider, for comparison. Takes
 * dem_linear. */
#define DEM_LAW_LINEAR_DSDS "linear-dsds"
/** Normal part: linear spring and dashpot, F_n = k_n overlap - eta_n v_n. Takes dem_hooke. */
#define DEM_LAW_HOOKE "hooke"
/** Tangential part: a spring-dashpot-slider below Coulomb's limit. Takes dem_friction. */
#define DEM_LAW_FRICTION "friction"

/** How you give the normal dashpot of a linear law. */
enum {
    DEM_DAMPING_RESTITUTION = 0, /**< by the restitution coefficient, with the m* of each pair */
    DEM_DAMPING_COEFFICIENT = 1, /**< by eta, kg/s */
    DEM_DAMPING_RATE = 2,        /**< by eta/m*, 1/s (gamma_n of LAMMPS's pair_style gran) */
    DEM_DAMPING_CRITICAL = 3     /**< critical: eta_n = 2 sqrt(m* k_n), and tangentially
                                      `damping_tangential` times 2 sqrt(m* k_t): M2 of Li et al.
                                      (2022). With a cut force e = exp(-2) = .135; with an
                                      attractive force a contact never ends. dem_friction does not
                                      take it */
};

/** Parameters of DEM_LAW_LINEAR_CSDS and DEM_LAW_LINEAR_DSDS. */
typedef struct dem_linear {
    uint64_t struct_size;        /**< sizeof(dem_linear), set by dem_linear_init */
    uint64_t kind;               /**< DEM_PARAMETERS_LINEAR, set likewise */
    double stiffness_normal;     /**< k_n > 0, N/m; no default */
    double stiffness_tangential; /**< k_t > 0, N/m, or 0 (default) for 2/7 k_n */
    double friction;             /**< Coulomb's mu >= 0; default 0.5 */
    double restitution;          /**< e in (0, 1], for DEM_DAMPING_RESTITUTION; default 1 */
    double damping_normal;       /**< >= 0, not used unless you set `damping`; default 0 */
    double damping_tangential;   /**< >= 0: with DEM_DAMPING_RESTITUTION and _CRITICAL a factor on
                                      eta_n sqrt(k_t/k_n) (Vyas et al., Sec. 5.1), otherwise in the
                                      unit of damping_normal. Default 1: set it where you set
                                      `damping`. Set 0 for LAMMPS's gran/hooke/history without
                                      dampflag (docs/law_linear.md) */
    int32_t damping;             /**< DEM_DAMPING_..., default DEM_DAMPING_RESTITUTION */
    int32_t normal;              /**< DEM_NORMAL_..., default DEM_NORMAL_CUT */
} dem_linear;

/** Parameters of DEM_LAW_HOOKE; each member means what it means in dem_linear. */
typedef struct dem_hooke {
    uint64_t struct_size;    /**< sizeof(dem_hooke), set by dem_hooke_init */
    uint64_t kind;           /**< DEM_PARAMETERS_HOOKE, set likewise */
    double stiffness_normal; /**< k_n > 0, N/m; no default */
    double restitution;      /**< e in (0, 1], for DEM_DAMPING_RESTITUTION; default 1 */
    double damping_normal;   /**< >= 0, not used unless you set `damping`; default 0 */
    int32_t damping;         /**< DEM_DAMPING_..., default DEM_DAMPING_RESTITUTION */
    int32_t normal;          /**< DEM_NORMAL_..., default DEM_NORMAL_CUT */
} dem_hooke;

/** What the tangential spring does while the contact slides. */
enum {
    DEM_SLIDER_CSDS = 0, /**< moves continuously (Führer, Brendel, Wolf 2024), by return mapping;
                              default. Never creates energy */
    DEM_SLIDER_DSDS = 1, /**< is reset at once (Luding 2008; LAMMPS). Creates energy where
                              gamma > 0; for comparison */
    DEM_SLIDER_TRUNCATED = 2, /**< is cut to limit/k_t (Silbert et al. 2001). Never creates
                                   energy */
    DEM_SLIDER_UNRESET = 3,   /**< grows without limit; only the force is capped. Creates energy
                                   where the normal force changes; for comparison */
    DEM_SLIDER_VISCOUS = 4,   /**< is absent: F = -min(gamma abs(v), limit) v/abs(v). Never creates
                                   energy; nothing rests on a slope */
    DEM_SLIDER_LI = 5         /**< as Li et al. (2022), Eqs (1), (5), (17), print it: the spring
                                   alone is compared with the limit, its sum with the dashpot is not
                                   capped, the sliding force acts against xi, and xi grows without
                                   limit. Creates energy; for comparison with that paper alone */
};

/** Parameters of DEM_LAW_FRICTION. */
typedef struct dem_friction {
    uint64_t struct_size;        /**< sizeof(dem_friction), set by dem_friction_init */
    uint64_t kind;               /**< DEM_PARAMETERS_FRICTION, set likewise */
    double stiffness_tangential; /**< k_t > 0, N/m; or 0 (default) for 2/7 k_n, which needs a linear
                                      normal part unless the slider is DEM_SLIDER_VISCOUS with a
                                      coefficient or a rate */
    double friction;             /**< Coulomb's mu >= 0; default 0.5 */
    double damping_tangential;   /**< >= 0. With DEM_DAMPING_RESTITUTION: a factor on
                                      eta_n sqrt(k_t/k_n), with the k_n and eta_n that the normal
                                      part has in the contact (cf. Tsuji et al. 1992). With
                                      DEM_DAMPING_COEFFICIENT: gamma, kg/s. With DEM_DAMPING_RATE:
                                      gamma/m*, 1/s. Default 1: set it where you set `damping`. Set
                                      0 for LAMMPS's gran/hooke/history without dampflag */
    int32_t damping;             /**< DEM_DAMPING_..., default DEM_DAMPING_RESTITUTION */
    int32_t slider;              /**< DEM_SLIDER_..., default DEM_SLIDER_CSDS */
} dem_friction;

/* generated from src/laws/laws.def: functions.law_linear */
/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_linear_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_linear_init_sized(dem_linear *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_linear_init(dem_linear *parameters)
{
    return dem_linear_init_sized(parameters, sizeof(dem_linear));
}

/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_hooke_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_hooke_init_sized(dem_hooke *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_hooke_init(dem_hooke *parameters)
{
    return dem_hooke_init_sized(parameters, sizeof(dem_hooke));
}

/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_friction_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_friction_init_sized(dem_friction *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_friction_init(dem_friction *parameters)
{
    return dem_friction_init_sized(parameters, sizeof(dem_friction));
}

/** Adds DEM_LAW_LINEAR_CSDS as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_linear_csds(dem_contact_model *model,
                                                           const dem_linear *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_LINEAR_CSDS, parameters);
}

/** Adds DEM_LAW_LINEAR_DSDS as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_linear_dsds(dem_contact_model *model,
                                                           const dem_linear *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_LINEAR_DSDS, parameters);
}

/** Adds DEM_LAW_HOOKE as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_hooke(dem_contact_model *model,
                                                     const dem_hooke *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_HOOKE, parameters);
}

/** Adds DEM_LAW_FRICTION as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_friction(dem_contact_model *model,
                                                        const dem_friction *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_FRICTION, parameters);
}
/* end of generated */

#ifdef __cplusplus
}
#endif
#endif
