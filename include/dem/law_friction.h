/* SPDX-License-Identifier: MIT */
/**
 * @file law_friction.h
 * The linear law in two parts: the normal part "hooke", and the tangential part "friction", which
 * works after any normal part. Together they are the laws of dem_linear; see docs/law_linear.md.
 */
#ifndef DEM_LAW_FRICTION_H
#define DEM_LAW_FRICTION_H

#include "contact.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Normal part: linear spring and dashpot, F_n = k_n overlap - eta_n v_n. Takes dem_hooke. */
#define DEM_LAW_HOOKE "hooke"
/** Tangential part: a spring-dashpot-slider below Coulomb's limit. Takes dem_friction. */
#define DEM_LAW_FRICTION "friction"

/** Parameters of DEM_LAW_HOOKE; as the members of dem_linear with these names. */
typedef struct dem_hooke {
    uint64_t struct_size;    /**< sizeof(dem_hooke), set by dem_hooke_init */
    double stiffness_normal; /**< k_n > 0, N/m; no default */
    double restitution;      /**< e in (0, 1], for DEM_DAMPING_RESTITUTION; default 1 */
    double damping_normal;   /**< >= 0, for the other kinds of damping; default 0 */
    int32_t damping;         /**< DEM_DAMPING_..., default DEM_DAMPING_RESTITUTION */
    int32_t normal;          /**< DEM_NORMAL_..., default DEM_NORMAL_CUT */
} dem_hooke;

/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_hooke_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_hooke_init_sized(dem_hooke *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_hooke_init(dem_hooke *parameters)
{
    return dem_hooke_init_sized(parameters, sizeof(dem_hooke));
}

/** What the tangential spring does while the contact slides. */
enum {
    DEM_SLIDER_CSDS = 0, /**< continuous (Führer, Brendel, Wolf 2024), by return mapping; default.
                              Never yields energy */
    DEM_SLIDER_DSDS = 1, /**< reset at once (Luding 2008; LAMMPS). Creates energy where
                              gamma > 0; for comparison */
    DEM_SLIDER_TRUNCATED = 2, /**< cut to limit/k_t (Silbert et al. 2001). Never yields energy */
    DEM_SLIDER_UNRESET = 3,   /**< grows on, only the force is capped. Creates energy where the
                                   normal force changes; for comparison */
    DEM_SLIDER_VISCOUS = 4    /**< there is no spring: F = -min(gamma abs(v), limit) v/abs(v). Never
                                   yields energy; nothing rests on a slope */
};

/** Parameters of DEM_LAW_FRICTION. */
typedef struct dem_friction {
    uint64_t struct_size;        /**< sizeof(dem_friction), set by dem_friction_init */
    double stiffness_tangential; /**< k_t > 0, N/m; 0 (default): 2/7 k_n, after a linear normal part
                                      only */
    double friction;             /**< Coulomb's mu >= 0; default 0.5 */
    double damping_tangential;   /**< gamma >= 0: with DEM_DAMPING_RESTITUTION a factor on
                                      eta_n sqrt(k_t/k_n) of the normal part as it is in each
                                      contact (cf. Tsuji et al. 1992), with
                                      DEM_DAMPING_COEFFICIENT in kg/s, with DEM_DAMPING_RATE
                                      gamma/m* in 1/s. Default 1: set it with `damping` */
    int32_t damping;             /**< DEM_DAMPING_..., default DEM_DAMPING_RESTITUTION */
    int32_t slider;              /**< DEM_SLIDER_..., default DEM_SLIDER_CSDS */
} dem_friction;

/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_friction_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_friction_init_sized(dem_friction *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_friction_init(dem_friction *parameters)
{
    return dem_friction_init_sized(parameters, sizeof(dem_friction));
}

#ifdef __cplusplus
}
#endif
#endif
