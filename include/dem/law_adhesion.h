/* SPDX-License-Identifier: MIT */
/**
 * @file law_adhesion.h
 * The normal parts "jkr" and "dmt": elastic spheres that adhere.
 *
 * Both add a work of adhesion w to Hertz's contact. JKR (Johnson, Kendall and Roberts 1971) holds
 * for soft and large spheres: a neck keeps the contact across a gap, and then snaps. DMT
 * (Derjaguin, Muller and Toporov 1975) holds for hard and small spheres: Hertz's force and a
 * constant pull. Tabor's number R*^(1/3) w^(2/3)/(E*^(2/3) z0), with z0 about 0.3 nm, tells which
 * to choose: JKR above 5, DMT below 0.1. See docs/law_adhesion.md.
 */
#ifndef DEM_LAW_ADHESION_H
#define DEM_LAW_ADHESION_H

#include "kernels.h"
#include "law.h"
#include "law_hertz.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Normal part with the pull-off force 3/2 pi w R*; takes dem_adhesion. */
#define DEM_LAW_JKR "jkr"
/** Normal part with the pull-off force 2 pi w R*; takes dem_adhesion. */
#define DEM_LAW_DMT "dmt"

/** Parameters of DEM_LAW_JKR and DEM_LAW_DMT for one pair of materials, in either order.
 *
 * The work of adhesion w is the work that separates a unit area of the two surfaces:
 * w = gamma_i + gamma_j - gamma_ij; for two bodies of one material w = 2 gamma. Other codes may
 * mean gamma or w by "surface energy": compare the pull-off forces. */
typedef struct dem_adhesion {
    uint64_t struct_size; /**< sizeof(dem_adhesion), set by dem_adhesion_init */
    uint64_t kind;        /**< DEM_PARAMETERS_ADHESION, set likewise */
    double young[2];      /**< Young's moduli > 0, Pa; the first has no default. 0 (default) for the
                               second: both bodies are of the first material */
    double poisson[2];    /**< Poisson's ratios in (-1, 0.5]; default 0.3 and 0. Leave the second 0
                               where young[1] is 0; otherwise set it too */
    double work_of_adhesion; /**< w >= 0, J/m2; 0 (default) is Hertz's contact */
    double restitution;      /**< e in (0, 1] that the dashpot gives without adhesion; with adhesion
                                you measure a lower one. Default 1: no dashpot */
} dem_adhesion;

/* generated from src/laws/laws.def: functions.law_adhesion */
/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_adhesion_init.
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for too small a size */
DEM_API dem_status dem_adhesion_init_sized(dem_adhesion *parameters, uint64_t size);

/** Fills the defaults. */
static inline dem_status dem_adhesion_init(dem_adhesion *parameters)
{
    return dem_adhesion_init_sized(parameters, sizeof(dem_adhesion));
}

/** Adds DEM_LAW_JKR as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_jkr(dem_contact_model *model,
                                                   const dem_adhesion *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_JKR, parameters);
}

/** Adds DEM_LAW_DMT as the next part of a model.
 * @param model the model
 * @param parameters must live until the model is set
 * @return as dem_contact_model_add */
static inline dem_status dem_contact_model_add_dmt(dem_contact_model *model,
                                                   const dem_adhesion *parameters)
{
    return dem_contact_model_add(model, DEM_LAW_DMT, parameters);
}
/* end of generated */

/** Cube root. It uses + - * alone, so its bits are the same on every machine: a guess from the
 * exponent, two steps of third order for x^(-1/3), and one Newton step for the root.
 * @param x between 1e-90 and 1e90, or 0
 * @return relative error below 1e-15; 0 for x <= 0 */
DEM_KERNEL double dem_kernel_cube_root(double x)
{
    /* the upper half of the bits is nearly linear in the logarithm; 2^52 turns integers below 2^32
     * into doubles and back where vector code has no conversion */
    const double shift = 4503599627370496.0;
    const double argument = dem_select(x > 0.0, x, 1.0);
    uint64_t bits;
    double r;
    memcpy(&bits, &argument, sizeof bits);
    bits = (bits >> 32) | UINT64_C(0x4330000000000000);
    memcpy(&r, &bits, sizeof r);
    r = 1430188000.0 - (r - shift) * (1.0 / 3.0) + shift;
    memcpy(&bits, &r, sizeof bits);
    bits <<= 32;
    memcpy(&r, &bits, sizeof r);
    for (int k = 0; k < 2; ++k) {
        const double h = 1.0 - argument * r * r * r;
        r += r * h * (1.0 / 3.0 + h * (2.0 / 9.0));
    }
    const double y = argument * r * r;
    return dem_select(x > 0.0, y + (argument - y * y * y) * (r * r) * (1.0 / 3.0), 0.0);
}

/** Length scale of a JKR contact, b = sqrt(a_s), sqrt(m). The contact snaps at the contact radius
 * a_s = (pi w R*^2/(8 E*))^(1/3).
 * @param radius R* > 0, m
 * @param effective_young E* > 0, Pa
 * @param work_of_adhesion w >= 0, J/m2
 * @return b, sqrt(m); 0 for w = 0. Source: Johnson, Kendall and Roberts (1971) */
DEM_KERNEL double dem_kernel_jkr_neck(double radius, double effective_young,
                                      double work_of_adhesion)
{
    return dem_kernel_cube_root(0.25 * radius *
                                sqrt(6.283185307179586 * work_of_adhesion / effective_young));
}

/** Gap at which a JKR contact snaps, 3 a_s^2/R*. It is the reach of the law.
 * @param radius R* > 0, m
 * @param neck b from dem_kernel_jkr_neck, sqrt(m)
 * @return m, >= 0 */
DEM_KERNEL double dem_kernel_jkr_gap(double radius, double neck)
{
    const double square = neck * neck;
    return 3.0 * square * square / radius;
}

/** Square root of the contact radius of a JKR contact, sqrt(m): the stable solution of
 * a^2 - sqrt(2 pi w a/E*) R* = R* overlap.
 *
 * With a = (b + z)^2 the equation is z^2 (6 b^2 + 4 b z + z^2) = R* (overlap + gap), with the gap
 * of dem_kernel_jkr_gap. Its root z > 0 is simple while the contact holds. After three steps of
 * Halley's method only round-off is left, at every overlap and every b >= 0.
 * @param radius R* > 0, m
 * @param neck b from dem_kernel_jkr_neck, sqrt(m)
 * @param overlap m, negative for a gap
 * @return sqrt(a) >= b; b where the gap is larger than that at which the contact snaps */
DEM_KERNEL double dem_kernel_jkr_root(double radius, double neck, double overlap)
{
    const double neck2 = neck * neck;
    const double above = radius * overlap + 3.0 * neck2 * neck2;
    const int32_t holds = above > 0.0;
    const double root = sqrt(dem_select(holds, above, 1.0));
    /* seventh powers of tiny and huge z and b leave the range of doubles: there they are scaled by
     * 2^200 or 2^-200, which changes no bit of the quotients */
    const double size = neck2 + root;
    const int32_t tiny = size < 1e-75;
    const int32_t huge = size > 1e75;
    const double up = 1.6069380442589903e60, down = 6.223015277861142e-61;
    const double scale = dem_select(tiny, up, dem_select(huge, down, 1.0));
    const double back = dem_select(tiny, down, dem_select(huge, up, 1.0));
    const double b = scale * neck, square = b * b, t = scale * scale * root;
    double z = t / sqrt(6.0 * square + 1.05 * b * sqrt(t) + t);
    for (int k = 0; k < 3; ++k) {
        const double left = z * z * (6.0 * square + (4.0 * b + z) * z) - t * t;
        const double slope = 4.0 * z * (3.0 * square + (3.0 * b + z) * z);
        const double bend = 12.0 * (b + z) * (b + z);
        z -= 2.0 * left * slope / (2.0 * slope * slope - left * bend);
    }
    return neck + dem_select(holds, back * z, 0.0);
}

/** Elastic normal force of a JKR contact, N: 4 E* a^3/(3 R*) - sqrt(8 pi w E* a^3).
 * @param radius R* > 0, m
 * @param effective_young E* > 0, Pa
 * @param neck b from dem_kernel_jkr_neck, sqrt(m)
 * @param root sqrt(a) from dem_kernel_jkr_root, sqrt(m)
 * @return F_n, N, not below -3/2 pi w R*. Source: Johnson, Kendall and Roberts (1971) */
DEM_KERNEL double dem_kernel_jkr_force(double radius, double effective_young, double neck,
                                       double root)
{
    const double cube = root * root * root;
    return 4.0 / 3.0 * effective_young / radius * cube * (cube - 6.0 * neck * neck * neck);
}

/** Energy of a JKR contact, J: the elastic energy minus the surface energy pi a^2 w. It is zero
 * before contact, -0.6 pi w a^2 at touch, least where the force is zero, and positive at the snap.
 * @param radius R* > 0, m
 * @param effective_young E* > 0, Pa
 * @param neck b from dem_kernel_jkr_neck, sqrt(m)
 * @param root sqrt(a) from dem_kernel_jkr_root, sqrt(m)
 * @return J; its derivative with respect to the overlap is dem_kernel_jkr_force */
DEM_KERNEL double dem_kernel_jkr_energy(double radius, double effective_young, double neck,
                                        double root)
{
    const double square = root * root, cube = square * root, b = neck * neck * neck;
    const double shape = 0.4 * cube * cube - 4.0 * b * cube + 6.0 * b * b;
    return 4.0 / 3.0 * effective_young / (radius * radius) * square * square * shape;
}

/** Elastic normal force of a JKR contact from its overlap, N. Within the gap at which it snaps, the
 * contact is taken to exist.
 * @param radius R* > 0, m
 * @param effective_young E* > 0, Pa
 * @param work_of_adhesion w >= 0, J/m2
 * @param overlap m, negative for a gap
 * @param contact_radius out: a, m; 0 where the gap is larger than that at which the contact snaps
 * @return F_n, N; 0 for such a gap
 * @see dem_kernel_jkr_neck, dem_kernel_jkr_root and dem_kernel_jkr_force, which this calls */
DEM_KERNEL double dem_kernel_normal_jkr(double radius, double effective_young,
                                        double work_of_adhesion, double overlap,
                                        double *contact_radius)
{
    const double b = dem_kernel_jkr_neck(radius, effective_young, work_of_adhesion);
    const double y = dem_kernel_jkr_root(radius, b, overlap);
    const int32_t holds = overlap + dem_kernel_jkr_gap(radius, b) >= 0.0;
    *contact_radius = dem_select(holds, y * y, 0.0);
    return dem_select(holds, dem_kernel_jkr_force(radius, effective_young, b, y), 0.0);
}

/** Elastic normal force of a DMT contact, N: 4/3 E* a overlap - 2 pi w R*; zero for overlap <= 0.
 * @param radius R* > 0, m
 * @param effective_young E* > 0, Pa
 * @param work_of_adhesion w >= 0, J/m2
 * @param overlap m
 * @return F_n, N. Source: Derjaguin, Muller and Toporov (1975), in the form of Maugis (2000) */
DEM_KERNEL double dem_kernel_normal_dmt(double radius, double effective_young,
                                        double work_of_adhesion, double overlap)
{
    const double a = dem_kernel_contact_radius_hertz(radius, overlap);
    const double force =
        4.0 / 3.0 * effective_young * a * overlap - 6.283185307179586 * work_of_adhesion * radius;
    return dem_select(overlap > 0.0, force, 0.0);
}

#ifdef __cplusplus
}
#endif
#endif
