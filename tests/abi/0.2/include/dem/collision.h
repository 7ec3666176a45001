/* SPDX-License-Identifier: MIT */
/**
 * @file collision.h
 * Collision parameters: computes stiffness, damping, contact time and restitution from each other.
 *
 * You need no world. No function allocates memory, you may call each from any thread, and on error
 * no output is written.
 *
 * The collision is that of Ray, Kempe and Fröhlich: m overlap'' = -d overlap' - k overlap^(3/2),
 * from touch at speed u until the overlap is 0 again. The force attracts at the end. The time unit
 * is s = (m^2/(k^2 u))^(1/5), the paper's t*. Restitution e(lambda) and contact time
 * T = tau(lambda) s depend on lambda = d s/(2 m) alone. For a pair, m is the effective mass
 * m_i m_j/(m_i + m_j).
 *
 * Units are SI or any consistent set. A function marked "libm" may give other last bits on another
 * machine; the others give the same bits everywhere.
 */
#ifndef DEM_COLLISION_H
#define DEM_COLLISION_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Critical lambda: from here on the bodies do not separate. All digits are correct. */
#define DEM_COLLISION_LAMBDA_CRITICAL 0.56399406776008461
/** Contact time without damping, tau(0) = 2 sqrt(pi) Gamma(7/5)/Gamma(9/10) (25/16)^(1/5). */
#define DEM_COLLISION_TIME_UNDAMPED 3.2180654597190431
/** Lowest restitution that dem_collision_inverse and dem_collision_params take. */
#define DEM_COLLISION_RESTITUTION_MIN 1e-4

/* ------------------------------------------------------------------ exact */

/** Computes restitution and contact time from the damping parameter, by integrating the collision.
 *
 * The relative error is below 1e-12 for e >= 0.01, and for smaller e 1e-14 times the condition
 * number (lambda/e) |de/dlambda| (148 at e = 1.8e-3, 6e3 at 4e-5). A call takes some 20
 * microseconds.
 * @param lambda d s/(2 m), dimensionless, in [0, DEM_COLLISION_LAMBDA_CRITICAL)
 * @param restitution out: e in (0, 1], dimensionless
 * @param contact_time out: tau = T/s, dimensionless
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_RANGE outside the range, and within a few
 *  units in the last place below its end, where e rounds to 0. Source: Ray et al., Eqs (6), (8),
 *  (12), (13), (21) */
DEM_API dem_status dem_collision_forward(double lambda, double *restitution, double *contact_time);

/** Computes damping parameter and contact time from the restitution coefficient, without iteration.
 *
 * Relative errors are below 1e-10 against dem_collision_forward. At e = 1 the results are exactly 0
 * and DEM_COLLISION_TIME_UNDAMPED. A call takes one logarithm (not libm's), one division and two
 * polynomials.
 * @param restitution e in [DEM_COLLISION_RESTITUTION_MIN, 1]; for e = 0 no finite tau exists
 * @param lambda out: dimensionless
 * @param contact_time out: tau = T/s, dimensionless
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_RANGE outside the range */
DEM_API dem_status dem_collision_inverse(double restitution, double *lambda, double *contact_time);

/** Computes the stiffness and damping that give a restitution and a contact time at an impact
 * speed.
 *
 * s = T/tau, d = 2 lambda m/s, k = m/sqrt(u s^5). Relative errors are below 1e-9.
 * @param mass effective mass m, kg, in [1e-50, 1e50]
 * @param impact_speed u, m/s, in [1e-50, 1e50]
 * @param restitution e in [DEM_COLLISION_RESTITUTION_MIN, 1]
 * @param contact_time T, s, in [1e-50, 1e50]
 * @param stiffness out: k, N/m^(3/2)
 * @param damping out: d, kg/s
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_RANGE outside a range. Within the ranges
 *  no result overflows. Source: Ray et al., Eqs (5), (7), (53), (54) */
DEM_API dem_status dem_collision_params(double mass, double impact_speed, double restitution,
                                        double contact_time, double *stiffness, double *damping);

/** Computes dem_collision_inverse of n values with vector instructions, with the bits of single
 * calls. Strides are in bytes; 0 means packed. An output may be the same array as an input if their
 * strides are equal.
 * @param n number of values; 0 does nothing
 * @param restitution [n] e
 * @param restitution_stride bytes from value to value
 * @param lambda out: [n]
 * @param lambda_stride likewise
 * @param contact_time out: [n]
 * @param contact_time_stride likewise
 * @param bad out: index of the first value that is out of range, written on DEM_ERROR_RANGE alone;
 *  or NULL
 * @return as dem_collision_inverse; on error no output is written */
DEM_API dem_status dem_collision_inverse_array(uint64_t n, const double *restitution,
                                               uint64_t restitution_stride, double *lambda,
                                               uint64_t lambda_stride, double *contact_time,
                                               uint64_t contact_time_stride, uint64_t *bad);

/** Computes dem_collision_params of n values, as dem_collision_inverse_array does.
 * @param n number of values; 0 does nothing
 * @param mass [n], kg
 * @param mass_stride bytes from value to value; 0: packed
 * @param impact_speed [n], m/s
 * @param impact_speed_stride likewise
 * @param restitution [n]
 * @param restitution_stride likewise
 * @param contact_time [n], s
 * @param contact_time_stride likewise
 * @param stiffness out: [n], N/m^(3/2)
 * @param stiffness_stride likewise
 * @param damping out: [n], kg/s
 * @param damping_stride likewise
 * @param bad out: index of the first set that is out of range, written on DEM_ERROR_RANGE alone; or
 *  NULL
 * @return as dem_collision_params; on error no output is written */
DEM_API dem_status dem_collision_params_array(
    uint64_t n, const double *mass, uint64_t mass_stride, const double *impact_speed,
    uint64_t impact_speed_stride, const double *restitution, uint64_t restitution_stride,
    const double *contact_time, uint64_t contact_time_stride, double *stiffness,
    uint64_t stiffness_stride, double *damping, uint64_t damping_stride, uint64_t *bad);

/* ------------------------------------------------------------------ Ray, Kempe and Fröhlich */

/** Computes e, tau and greatest overlap by their series in lambda, for comparison.
 *
 * e = 1 - e1 lambda + 2/5 e1^2 lambda^2, tau = tau0 + e1 tau0/10 lambda, and the root of the
 * greatest overlap y = y0 - e1 y0/5 lambda + y2 lambda^2, with e1 = 10/9 tau0 and y0 =
 * (5/4)^(1/5). Constants come from Gamma functions. The paper prints the second term of e with the
 * wrong sign (-5.131; it is +5.114, which also follows from time reversal of the rebound), and
 * 1.152 where tau has 1.151. Errors are O(lambda^3), O(lambda^2) and O(lambda^3); at lambda = 0.1
 * they are 5e-3, 6e-3 of tau and 4e-4.
 * @param lambda in [0, DEM_COLLISION_LAMBDA_CRITICAL)
 * @param restitution out: e
 * @param contact_time out: tau = T/s
 * @param overlap_root out: sqrt(greatest overlap/(u s)), dimensionless
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_RANGE outside the range. Source: Ray et
 *  al., Eqs (29), (31), (39) to (42) */
DEM_API dem_status dem_collision_series(double lambda, double *restitution, double *contact_time,
                                        double *overlap_root);

/** Computes e and tau by the paper's closed forms, for comparison. libm (exp).
 *
 * Its constants are alpha 1.111, C 0.744, A 0.716, B 0.830, tau0 3.218. For lambda <= 0.2 the error
 * of e relative to e is 1.8e-2 (the paper says 4.9e-3), that of tau 2.2e-4.
 * @param lambda in [0, 0.74802), where the root in tau is positive
 * @param restitution out: e
 * @param contact_time out: tau
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_RANGE outside the range. Source: Ray et
 *  al., Eqs (43), (44) */
DEM_API dem_status dem_collision_paper_forward(double lambda, double *restitution,
                                               double *contact_time);

/** Computes lambda and tau by the paper's direct inverse, for comparison. libm (log). The
 * restitution that results is off by 3 % at e = 0.4 and 65 % at e = 0.1, lambda by 2.8 % and 17 %.
 * @param restitution e in (0.018027, 1]: below, Eq. (52) has no real root
 * @param lambda out: dimensionless
 * @param contact_time out: tau
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_RANGE outside the range. Source: Ray et
 *  al., Eqs (51), (52) */
DEM_API dem_status dem_collision_paper_inverse(double restitution, double *lambda,
                                               double *contact_time);

/** Computes stiffness and damping by the paper's formulas, for comparison. libm (log).
 * @param mass effective mass, kg, in [1e-50, 1e50]
 * @param impact_speed m/s, in [1e-50, 1e50]
 * @param restitution e in (0.018027, 1]
 * @param contact_time T, s, in [1e-50, 1e50]
 * @param stiffness out: k, N/m^(3/2)
 * @param damping out: d, kg/s
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_RANGE outside a range. Source: Ray et al.,
 *  Eqs (51) to (54) */
DEM_API dem_status dem_collision_paper_params(double mass, double impact_speed, double restitution,
                                              double contact_time, double *stiffness,
                                              double *damping);

/* ------------------------------------------------------------------ choosing a stiffness */
/* Call these at setup. Every argument must be in [1e-50, 1e50] unless its documentation gives
 * another range; within the ranges no result overflows. */

/** Contact time of Hooke's law without damping, pi sqrt(m/k), s. libm. Source: Vyas et al., Eq.
 * (7).
 * @param mass effective mass, kg
 * @param stiffness k_n, N/m
 * @param time out: s
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_RANGE */
DEM_API dem_status dem_collision_time_hooke(double mass, double stiffness, double *time);

/** Contact time of Hooke's law with a dashpot and the attractive tail,
 * pi/sqrt(k/m - (eta/(2 m))^2), s: until the overlap is zero again. libm. Source: Schwager and
 * Pöschel (2007).
 * @param mass effective mass, kg
 * @param stiffness k_n, N/m
 * @param damping eta_n in [0, 1e50], kg/s; DEM_ERROR_RANGE from critical damping 2 sqrt(m k) on
 * @param time out: s
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_RANGE */
DEM_API dem_status dem_collision_time_hooke_damped(double mass, double stiffness, double damping,
                                                   double *time);

/** Contact time of Hertz's law without damping, 2.94327518... overlap/u, s, where overlap is that
 * of dem_collision_overlap_hertz. libm. Source: Vyas et al., Eq. (30), which rounds to 2.94.
 * @param mass effective mass, kg
 * @param radius effective radius R*, m
 * @param young effective modulus E*, Pa
 * @param impact_speed u, m/s
 * @param time out: s
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_RANGE */
DEM_API dem_status dem_collision_time_hertz(double mass, double radius, double young,
                                            double impact_speed, double *time);

/** Greatest overlap of Hertz's law without damping, (15 m u^2/(16 sqrt(R*) E*))^(2/5), m. libm.
 * Source: Vyas et al., Eq. (28).
 * @param mass effective mass, kg
 * @param radius effective radius R*, m
 * @param young effective modulus E*, Pa
 * @param impact_speed u, m/s
 * @param overlap out: m
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_RANGE */
DEM_API dem_status dem_collision_overlap_hertz(double mass, double radius, double young,
                                               double impact_speed, double *overlap);

/** Effective modulus that gives the greatest overlap you want, Pa: the inverse of
 * dem_collision_overlap_hertz. libm.
 * @param mass effective mass, kg
 * @param radius effective radius R*, m
 * @param overlap greatest overlap, m
 * @param impact_speed u, m/s
 * @param young out: E*, Pa
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_RANGE */
DEM_API dem_status dem_collision_young_from_overlap(double mass, double radius, double overlap,
                                                    double impact_speed, double *young);

/** Linear stiffness that gives the contact time of Hertz's law,
 * 1.199668 (sqrt(m) E*^2 R* u)^(2/5), N/m. libm. Source: Vyas et al., Eq. (1), which has 1.2024
 * because it rounds 2.94327 to 2.94.
 * @param mass effective mass, kg
 * @param radius effective radius R*, m
 * @param young effective modulus E*, Pa
 * @param impact_speed u, m/s
 * @param stiffness out: k_n, N/m
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_RANGE */
DEM_API dem_status dem_collision_stiffness_from_time(double mass, double radius, double young,
                                                     double impact_speed, double *stiffness);

/** Linear stiffness that gives the greatest overlap you want, m u^2/overlap^2, N/m. Source: Vyas et
 * al., Eq. (27).
 * @param mass effective mass, kg
 * @param overlap greatest overlap, m
 * @param impact_speed u, m/s
 * @param stiffness out: k_n, N/m
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_RANGE */
DEM_API dem_status dem_collision_stiffness_from_overlap(double mass, double overlap,
                                                        double impact_speed, double *stiffness);

/** Stiffness ratio k_t/k_n of two materials; for equal ones it is 2 (1 - nu)/(2 - nu). Source:
 * Johnson (1985); Vyas et al., Eqs (5), (6).
 * @param poisson_i nu_i in [-1, 1/2]
 * @param shear_i G_i, Pa
 * @param poisson_j nu_j in [-1, 1/2]
 * @param shear_j G_j, Pa
 * @param ratio out: dimensionless
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_RANGE */
DEM_API dem_status dem_collision_stiffness_ratio(double poisson_i, double shear_i, double poisson_j,
                                                 double shear_j, double *ratio);

/** Dashpot coefficient of Hooke's law that gives a restitution, 2 zeta sqrt(m k), kg/s, with zeta
 * of dem_kernel_damping_ratio_cut or _attractive. libm. Source: Vyas et al., Eq. (31).
 * @param mass effective mass, kg
 * @param stiffness k_n, N/m
 * @param restitution e in (0, 1]
 * @param form DEM_NORMAL_CUT or DEM_NORMAL_ATTRACTIVE of law.h
 * @param damping out: eta_n, kg/s; 0 for e = 1
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_RANGE, DEM_ERROR_UNKNOWN (form) */
DEM_API dem_status dem_collision_damping_hooke(double mass, double stiffness, double restitution,
                                               int32_t form, double *damping);

/** Dashpot coefficient of Hertz's law that gives a restitution at every speed: c of
 * eta_n = c overlap^(1/4), kg/(s m^(1/4)). libm.
 *
 * c = sqrt(5) zeta sqrt(m K), K = 4/3 E* sqrt(R*), with zeta as for Hooke's law. Source: for the
 * attractive form Antypov and Elliott (2011) and Vyas et al., Eq. (32); for the cut form Schwager
 * and Pöschel (2007).
 * @param mass effective mass, kg
 * @param radius effective radius R*, m
 * @param young effective modulus E*, Pa
 * @param restitution e in (0, 1]
 * @param form DEM_NORMAL_CUT or DEM_NORMAL_ATTRACTIVE of law.h
 * @param coefficient out: c; 0 for e = 1
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_RANGE, DEM_ERROR_UNKNOWN (form) */
DEM_API dem_status dem_collision_damping_hertz(double mass, double radius, double young,
                                               double restitution, int32_t form,
                                               double *coefficient);

/** Factor by which you may enlarge the time step when you multiply all moduli by c: c^(-2/5). libm.
 * Source: Li et al. (2022), Sec. 3.1.3 and Eq. (24), where dt is a twentieth of the contact time.
 * @param factor c in [1e-50, 1], dimensionless
 * @param step_factor out: >= 1
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_RANGE */
DEM_API dem_status dem_collision_softening_step(double factor, double *step_factor);

/** Factor on all moduli that lets you enlarge the time step by a factor s: s^(-5/2), the inverse of
 * dem_collision_softening_step. With DEM_ARM_CONTACT a factor below 1e-3 changes oblique impacts.
 * libm. Source: Li et al. (2022), Fig. 8.
 * @param step_factor s in [1, 1e20]
 * @param factor out: c in (0, 1]
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_RANGE */
DEM_API dem_status dem_collision_softening_factor(double step_factor, double *factor);

/** Rayleigh time: time of a surface wave over a sphere, pi R sqrt(rho/G)/(0.1631 nu + 0.8766), s.
 * Explicit schemes take a time step of a fifth of it or less. libm. Source: Thornton and Randall
 * (1988); Li et al. (2005).
 * @param radius of the smallest sphere, m
 * @param density kg/m3
 * @param shear G, Pa
 * @param poisson nu in [-1, 1/2]
 * @param time out: s
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_RANGE */
DEM_API dem_status dem_collision_step_rayleigh(double radius, double density, double shear,
                                               double poisson, double *time);

/** Critical size ratio, R_c = 1/(sqrt(1 + mu^2) - 1): above it, standard velocity-Verlet traps a
 * fine sphere between two large ones that touch. Source: Vyas et al., Eq. (22).
 * @param friction mu, dimensionless
 * @param ratio out: large over fine radius
 * @return DEM_OK, DEM_ERROR_ARGUMENT, DEM_ERROR_RANGE */
DEM_API dem_status dem_collision_size_ratio_critical(double friction, double *ratio);

#ifdef __cplusplus
}
#endif
#endif
