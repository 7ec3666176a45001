/* SPDX-License-Identifier: MIT */
/**
 * @file kernels.h
 * Level 0: contact mechanics as pure functions. All data belongs to you.
 *
 * Each function is `static inline` in your program. It is also a symbol of the library, for
 * languages that cannot include a header. Both give the same bits when you compile with the flags
 * of `pkg-config --variable=bitwise_cflags dem`. No kernel allocates memory or keeps state, and you
 * may call each from any thread.
 *
 * Conventions (all headers): n is the unit normal from body j to body i; the overlap is positive in
 * contact; forces act on body i. Units: SI or any consistent set.
 */
#ifndef DEM_KERNELS_H
#define DEM_KERNELS_H

#include "base.h"

#include <math.h>
#include <string.h>

/** Linkage of a kernel: inline in your program; exported in the one source of the library that
 * defines the symbols. */
#ifndef DEM_KERNEL
#define DEM_KERNEL static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Selects one of two values without a branch, so that compilers turn loops over kernels into
 * vector code. The caller computes both values, so neither may trap.
 * @param condition 0 or 1
 * @param yes value if 1
 * @param no value if 0
 * @return one of the two, bit for bit */
static inline double dem_select(int condition, double yes, double no)
{
    uint64_t a, b;
    double value;
    memcpy(&a, &yes, sizeof a);
    memcpy(&b, &no, sizeof b);
    const uint64_t one = condition != 0;
    const uint64_t mask = 0u - one;
    a = (a & mask) | (b & ~mask);
    memcpy(&value, &a, sizeof value);
    return value;
}

/** Normal force of the linear spring-dashpot, N, positive when it pushes the bodies apart.
 *
 * F_n = k_n overlap - eta_n v_n; zero for overlap <= 0.
 * @param stiffness k_n > 0, N/m
 * @param damping eta_n >= 0, kg/s
 * @param overlap m
 * @param normal_velocity v_n = (v_i - v_j).n, m/s, negative while the bodies approach
 * @param attractive 0: a negative sum is cut to zero; otherwise it is kept (the attractive tail)
 * @return F_n, N. Source: Vyas et al., Eq. (13); MFIX DEM01. */
DEM_KERNEL double dem_kernel_normal_linear(double stiffness, double damping, double overlap,
                                           double normal_velocity, int32_t attractive)
{
    const double force = stiffness * overlap - damping * normal_velocity;
    return dem_select((overlap > 0.0) & ((force > 0.0) | (attractive != 0)), force, 0.0);
}

/** Continuous spring-dashpot-slider (C-SDS) with a separate increment and damping velocity.
 *
 * Does one step of the return mapping of the continuous law: the trial force is
 * F* = -k (xi + du) - gamma v_d; F is F* cut to the length of the limit; then
 * xi <- xi + du + (F* - F)/(k + gamma/dt). No flag tells sticking from sliding, and dt has no
 * limit, but k dt + gamma is 0 or from 2.3e-308 on: below, digits of xi are lost. The damping may
 * be 0 (then xi = -F/k), and large while the square of F* is finite: gamma abs(v_d) below 1e154 N.
 * Source: Führer, Brendel and Wolf (2024), Eqs (8), (9).
 * @param stiffness k > 0, N/m
 * @param damping gamma >= 0, kg/s
 * @param limit Coulomb limit mu max(0, F_n) >= 0, N
 * @param dt time step >= 0, s
 * @param increment du, m: displacement of surface i against surface j over the step
 * @param damping_velocity v_d, m/s: what the dashpot sees at the end of the step
 * @param displacement xi, m, in and out; lies in the tangent plane
 * @param force out: tangential force on i, N */
DEM_KERNEL void dem_kernel_tangential_csds_increment(double stiffness, double damping, double limit,
                                                     double dt, const double increment[3],
                                                     const double damping_velocity[3],
                                                     double displacement[3], double force[3])
{
    double trial[3], moved[3];
    for (int c = 0; c < 3; ++c) {
        moved[c] = displacement[c] + increment[c];
        trial[c] = -(stiffness * moved[c]) - damping * damping_velocity[c];
    }
    const double square = trial[0] * trial[0] + trial[1] * trial[1] + trial[2] * trial[2];
    const int slips = square > limit * limit;
    const double kept = dem_select(slips, limit, 1.0) / sqrt(dem_select(slips, square, 1.0));
    /* 1/(k + gamma/dt), finite for every dt and gamma down to zero */
    const int springs_alone = (dt <= 0.0) & (damping <= 0.0);
    const double compliance = dem_select(springs_alone, 1.0, dt) /
                              dem_select(springs_alone, stiffness, stiffness * dt + damping);
    for (int c = 0; c < 3; ++c) {
        force[c] = kept * trial[c];
        const double released = (trial[c] - force[c]) * compliance;
        displacement[c] = moved[c] + dem_select(slips, released, 0.0);
    }
}

/** Continuous spring-dashpot-slider (C-SDS) for one velocity: du = v dt and v_d = v.
 *
 * For every dt, k > 0, gamma >= 0 and limit >= 0 the step obeys
 * k xi1^2/2 - k xi0^2/2 <= -F.v dt: the contact never creates energy.
 * @param stiffness k > 0, N/m
 * @param damping gamma >= 0, kg/s
 * @param limit mu max(0, F_n) >= 0, N
 * @param dt time step >= 0, s
 * @param velocity tangential velocity of surface i against surface j, m/s
 * @param displacement xi, m, in and out
 * @param force out: tangential force on i, N
 * @see dem_kernel_tangential_csds_increment, which this calls */
DEM_KERNEL void dem_kernel_tangential_csds(double stiffness, double damping, double limit,
                                           double dt, const double velocity[3],
                                           double displacement[3], double force[3])
{
    const double increment[3] = {velocity[0] * dt, velocity[1] * dt, velocity[2] * dt};
    dem_kernel_tangential_csds_increment(stiffness, damping, limit, dt, increment, velocity,
                                         displacement, force);
}

/** Discontinuous spring-dashpot-slider (D-SDS; Luding 2008, LAMMPS), for comparison.
 *
 * While the contact slides, xi is reset to -(F + gamma v_d)/k. With gamma > 0 this creates energy
 * (Führer et al. 2024, Sec. 3). Prefer dem_kernel_tangential_csds_increment.
 * @param stiffness k > 0, N/m
 * @param damping gamma >= 0, kg/s
 * @param limit mu max(0, F_n) >= 0, N
 * @param increment du, m
 * @param damping_velocity v_d, m/s
 * @param displacement xi, m, in and out
 * @param force out: tangential force on i, N */
DEM_KERNEL void dem_kernel_tangential_dsds(double stiffness, double damping, double limit,
                                           const double increment[3],
                                           const double damping_velocity[3], double displacement[3],
                                           double force[3])
{
    double trial[3];
    for (int c = 0; c < 3; ++c) {
        displacement[c] += increment[c];
        trial[c] = -(stiffness * displacement[c]) - damping * damping_velocity[c];
    }
    const double square = trial[0] * trial[0] + trial[1] * trial[1] + trial[2] * trial[2];
    const int slips = square > limit * limit;
    const double compliance = 1.0 / stiffness;
    const double kept = dem_select(slips, limit, 1.0) / sqrt(dem_select(slips, square, 1.0));
    for (int c = 0; c < 3; ++c) {
        force[c] = kept * trial[c];
        const double reset = -(force[c] + damping * damping_velocity[c]) * compliance;
        displacement[c] = dem_select(slips, reset, displacement[c]);
    }
}

/** Rate form of the continuous spring-dashpot-slider (C-SDS), for schemes that advance xi as part
 * of the state.
 *
 * xi' = -(F + k xi)/gamma, where F is F_S = -k xi - gamma v cut to the length of the limit. While
 * the contact sticks, xi' = v. The rotation of the contact is not included.
 * @param stiffness k > 0, N/m
 * @param damping gamma > 0, kg/s; with 0 a sliding spring has no rate, and the rate is set to 0
 * @param limit mu max(0, F_n) >= 0, N
 * @param velocity tangential velocity of surface i against surface j, m/s
 * @param displacement xi, m; lies in the tangent plane
 * @param rate out: xi', m/s
 * @param force out: tangential force on i, N. Source: Führer et al. (2024), Eq. (10). */
DEM_KERNEL void dem_kernel_tangential_csds_rate(double stiffness, double damping, double limit,
                                                const double velocity[3],
                                                const double displacement[3], double rate[3],
                                                double force[3])
{
    double trial[3];
    for (int c = 0; c < 3; ++c)
        trial[c] = -(stiffness * displacement[c]) - damping * velocity[c];
    const double square = trial[0] * trial[0] + trial[1] * trial[1] + trial[2] * trial[2];
    const int slips = square > limit * limit;
    const double kept = dem_select(slips, limit, 1.0) / sqrt(dem_select(slips, square, 1.0));
    const double inverse =
        dem_select(damping > 0.0, 1.0, 0.0) / dem_select(damping > 0.0, damping, 1.0);
    for (int c = 0; c < 3; ++c) {
        force[c] = kept * trial[c];
        const double sliding = -(force[c] + stiffness * displacement[c]) * inverse;
        rate[c] = dem_select(slips, sliding, velocity[c]);
    }
}

/** Truncated slider (Silbert et al. 2001), for comparison.
 *
 * While the contact slides, xi is cut to the length limit/k and keeps its direction. Without
 * damping this is the C-SDS. With damping the force reaches the limit before the spring does, so
 * the force is no longer the sum of spring and dashpot. With du = v_d dt the slider obeys the
 * inequality of dem_kernel_tangential_csds: it never creates energy.
 * @param stiffness k > 0, N/m
 * @param damping gamma >= 0, kg/s
 * @param limit mu max(0, F_n) >= 0, N
 * @param increment du, m
 * @param damping_velocity v_d, m/s
 * @param displacement xi, m, in and out
 * @param force out: tangential force on i, N */
DEM_KERNEL void dem_kernel_tangential_truncated(double stiffness, double damping, double limit,
                                                const double increment[3],
                                                const double damping_velocity[3],
                                                double displacement[3], double force[3])
{
    double trial[3], moved[3];
    for (int c = 0; c < 3; ++c) {
        moved[c] = displacement[c] + increment[c];
        trial[c] = -(stiffness * moved[c]) - damping * damping_velocity[c];
    }
    const double square = trial[0] * trial[0] + trial[1] * trial[1] + trial[2] * trial[2];
    const double length2 = moved[0] * moved[0] + moved[1] * moved[1] + moved[2] * moved[2];
    const int slips = square > limit * limit;
    const double kept = dem_select(slips, limit, 1.0) / sqrt(dem_select(slips, square, 1.0));
    const int cuts = slips & (stiffness * stiffness * length2 > limit * limit);
    const double left =
        dem_select(cuts, limit / stiffness, 1.0) / sqrt(dem_select(cuts, length2, 1.0));
    for (int c = 0; c < 3; ++c) {
        force[c] = kept * trial[c];
        displacement[c] = left * moved[c];
    }
}

/** Slider without reset, for comparison: the force is capped, and xi grows without limit.
 *
 * The spring remembers the whole distance that the body slid, and pulls it back over that
 * distance. It creates energy where the limit changes while the contact slides.
 * @param stiffness k > 0, N/m
 * @param damping gamma >= 0, kg/s
 * @param limit mu max(0, F_n) >= 0, N
 * @param increment du, m
 * @param damping_velocity v_d, m/s
 * @param displacement xi, m, in and out
 * @param force out: tangential force on i, N
 * @see Führer et al. (2024), Sec. 1, on Jiang et al. (2015) and Marshall (2009) */
DEM_KERNEL void dem_kernel_tangential_unreset(double stiffness, double damping, double limit,
                                              const double increment[3],
                                              const double damping_velocity[3],
                                              double displacement[3], double force[3])
{
    double trial[3];
    for (int c = 0; c < 3; ++c) {
        displacement[c] += increment[c];
        trial[c] = -(stiffness * displacement[c]) - damping * damping_velocity[c];
    }
    const double square = trial[0] * trial[0] + trial[1] * trial[1] + trial[2] * trial[2];
    const int slips = square > limit * limit;
    const double kept = dem_select(slips, limit, 1.0) / sqrt(dem_select(slips, square, 1.0));
    for (int c = 0; c < 3; ++c)
        force[c] = kept * trial[c];
}

/** Slider of Li et al. (2022) as their Eqs (1), (5) and (17) print it, for comparison alone.
 *
 * It compares the spring alone with the limit. While k abs(xi) < limit, spring and dashpot act, and
 * their sum is not capped: it can exceed the limit by any amount. From k abs(xi) = limit on, the
 * force has the size of the limit and points against xi, not against the velocity; xi grows without
 * limit. This slider creates energy on half of all random closed paths of a contact.
 * @param stiffness k > 0, N/m
 * @param damping gamma >= 0, kg/s
 * @param limit mu max(0, F_n) >= 0, N
 * @param increment du, m
 * @param damping_velocity v_d, m/s
 * @param displacement xi, m, in and out
 * @param force out: tangential force on i, N; 0 for limit = 0 and xi = 0
 * @see Li, Zeng, Wen, Zhang (2022), Eq. (5) */
DEM_KERNEL void dem_kernel_tangential_li(double stiffness, double damping, double limit,
                                         const double increment[3],
                                         const double damping_velocity[3], double displacement[3],
                                         double force[3])
{
    double square = 0.0;
    for (int c = 0; c < 3; ++c) {
        displacement[c] += increment[c];
        square += displacement[c] * displacement[c];
    }
    const double length = sqrt(square);
    const int slips = stiffness * length >= limit;
    const double most =
        dem_select(length > 0.0, limit, 0.0) / dem_select(length > 0.0, length, 1.0);
    for (int c = 0; c < 3; ++c)
        force[c] = dem_select(slips, -(most * displacement[c]),
                              -(stiffness * displacement[c]) - damping * damping_velocity[c]);
}

/** Capped viscous friction, F = -min(gamma abs(v), limit) v/abs(v).
 *
 * It has no spring, so nothing rests on a slope. It never creates energy.
 * @param damping gamma >= 0, kg/s
 * @param limit mu max(0, F_n) >= 0, N
 * @param velocity v_t, m/s
 * @param force out: tangential force on i, N */
DEM_KERNEL void dem_kernel_tangential_viscous(double damping, double limit,
                                              const double velocity[3], double force[3])
{
    double trial[3];
    for (int c = 0; c < 3; ++c)
        trial[c] = -(damping * velocity[c]);
    const double square = trial[0] * trial[0] + trial[1] * trial[1] + trial[2] * trial[2];
    const int slips = square > limit * limit;
    const double kept = dem_select(slips, limit, 1.0) / sqrt(dem_select(slips, square, 1.0));
    for (int c = 0; c < 3; ++c)
        force[c] = kept * trial[c];
}

/** Damping ratio zeta that gives a restitution coefficient when the force is cut at zero.
 *
 * Solves e = exp(-2 zeta acos(zeta)/sqrt(1 - zeta^2)) for zeta; for zeta > 1 with acosh and
 * sqrt(zeta^2 - 1). Then eta = 2 zeta sqrt(m* k) for Hooke's law, and
 * eta = sqrt(5) zeta sqrt(m* K) overlap^(1/4) for Hertz's. Call it at setup, not in every step: it
 * uses libm's log and trigonometric functions. Source: Schwager and Pöschel (2007).
 * @param restitution e in (0, 1]
 * @param ratio out: zeta >= 0, relative error below 1e-12; not written on error
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_RANGE for e outside (0, 1] or NaN */
DEM_KERNEL dem_status dem_kernel_damping_ratio_cut(double restitution, double *ratio)
{
    if (!ratio)
        return DEM_ERROR_ARGUMENT;
    if (!isfinite(restitution) || restitution <= 0.0 || restitution > 1.0)
        return DEM_ERROR_RANGE;
    if (restitution == 1.0) {
        *ratio = 0.0;
        return DEM_OK;
    }
    const double target = -0.5 * log(restitution);
    double low, high;
    if (restitution > 0.99) {
        /* by psi = pi/2 - phi, so that no digits of a small ratio are lost */
        double psi = 0.0;
        for (int k = 0; k < 8; ++k)
            psi = atan(target / (1.5707963267948966 - psi));
        *ratio = sin(psi);
        return DEM_OK;
    }
    if (fabs(target - 1.0) < 1e-3) {
        /* phi cot(phi) = L through q = phi^2 near L = 1; cos(sqrt(q)) as its series in q */
        double q = 3.0 * (1.0 - target);
        for (int k = 0; k < 50; ++k)
            q = 3.0 * (1.0 - target - q * q / 45.0 - 2.0 * q * q * q / 945.0);
        *ratio = 1.0 - q / 2.0 + q * q / 24.0 - q * q * q / 720.0;
        return DEM_OK;
    }
    const int under = target < 1.0;
    /* under: phi in [0, pi/2] falls from 1 to 0; over: x in [0, L + 1] grows from 1 */
    low = 0.0;
    high = under ? 1.5707963267948966 : target + 1.0;
    double x = under ? 0.5 * high : target;
    for (int k = 0; k < 200; ++k) {
        const double s = under ? sin(x) : sinh(x);
        const double c = under ? cos(x) : cosh(x);
        const double f = x * c / s - target;
        if ((f > 0.0) == (under != 0))
            low = x;
        else
            high = x;
        const double slope = c / s - x / (s * s);
        double next = x - f / slope;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        const double change = fabs(next - x);
        x = next;
        if (change <= 4e-16 * x)
            break;
    }
    *ratio = under ? cos(x) : cosh(x);
    return DEM_OK;
}

/** Damping ratio zeta that gives a restitution coefficient when the attractive tail is kept.
 *
 * zeta = -ln e/sqrt(pi^2 + ln^2 e). Source: Vyas et al., Eq. (31); Antypov and Elliott (2011) for
 * Hertz's law.
 * @param restitution e in (0, 1]
 * @param ratio out: zeta >= 0; not written on error
 * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_RANGE for e outside (0, 1] or NaN */
DEM_KERNEL dem_status dem_kernel_damping_ratio_attractive(double restitution, double *ratio)
{
    if (!ratio)
        return DEM_ERROR_ARGUMENT;
    if (!isfinite(restitution) || restitution <= 0.0 || restitution > 1.0)
        return DEM_ERROR_RANGE;
    if (restitution == 1.0) {
        *ratio = 0.0;
        return DEM_OK;
    }
    const double l = log(restitution);
    *ratio = -l / sqrt(9.8696044010893586 + l * l);
    return DEM_OK;
}

/** Dashpot coefficient of the linear law, eta = 2 zeta sqrt(m* k), kg/s.
 * @param ratio zeta >= 0, from one of the two functions above
 * @param mass effective mass m* = m_i m_j/(m_i + m_j) > 0, kg
 * @param stiffness k > 0, N/m
 * @return eta, kg/s */
DEM_KERNEL double dem_kernel_damping_linear(double ratio, double mass, double stiffness)
{
    return 2.0 * ratio * sqrt(mass * stiffness);
}

/** Rotates a tangent vector from the tangent plane of one normal into that of another.
 *
 * Applies the minimal (Rodrigues) rotation that takes `from` to `to`, which keeps the length to
 * round-off; where 1 + from.to is below 1e-2, to about 1e-15/(1 + from.to). For opposite normals,
 * 1 + from.to <= 1e-12, no minimal rotation exists, and the vector stays as it is.
 * @param from unit normal of the plane that holds the vector
 * @param to unit normal of the new plane
 * @param vector in and out */
DEM_KERNEL void dem_kernel_rotate_minimal(const double from[3], const double to[3],
                                          double vector[3])
{
    const double c = 1.0 + (from[0] * to[0] + from[1] * to[1] + from[2] * to[2]);
    /* for opposite normals the vector stays */
    const double turns = dem_select(c > 1e-12, 1.0, 0.0);
    const double inverse = turns / dem_select(c > 1e-12, c, 1.0);
    const double a[3] = {from[1] * to[2] - from[2] * to[1], from[2] * to[0] - from[0] * to[2],
                         from[0] * to[1] - from[1] * to[0]};
    const double p[3] = {a[1] * vector[2] - a[2] * vector[1], a[2] * vector[0] - a[0] * vector[2],
                         a[0] * vector[1] - a[1] * vector[0]};
    const double q[3] = {a[1] * p[2] - a[2] * p[1], a[2] * p[0] - a[0] * p[2],
                         a[0] * p[1] - a[1] * p[0]};
    for (int k = 0; k < 3; ++k)
        vector[k] += turns * p[k] + q[k] * inverse;
}

/** Projects a tangent vector into another tangent plane and restores its length, for comparison:
 * h <- (h - (n.h) n) abs(h)/abs(h - (n.h) n).
 *
 * Many codes do this. Prefer dem_kernel_rotate_minimal. Both agree for a vector that is parallel or
 * perpendicular to the direction in which the normal moves. Otherwise this function rotates the
 * vector within the plane by up to a quarter of the square of the angle between the normals: 1e-8
 * rad where the normal moves by 2e-4 rad. DEM_KINEMATICS_STANDARD projects without restoring the
 * length; DEM_KINEMATICS_IMPROVED applies the minimal rotation.
 * @param normal unit normal n of the new plane
 * @param vector in and out; becomes zero where it is parallel to n
 * @see Vyas et al., Eq. (15); Luding (2008) */
DEM_KERNEL void dem_kernel_rotate_rescale(const double normal[3], double vector[3])
{
    const double along = vector[0] * normal[0] + vector[1] * normal[1] + vector[2] * normal[2];
    const double p[3] = {vector[0] - along * normal[0], vector[1] - along * normal[1],
                         vector[2] - along * normal[2]};
    const double square = vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2];
    const double left = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
    const double scale =
        dem_select(left > 0.0, sqrt(square / dem_select(left > 0.0, left, 1.0)), 0.0);
    for (int k = 0; k < 3; ++k)
        vector[k] = p[k] * scale;
}

/** Rotates a tangent vector about the normal by the angle 2 atan(half_tangent); keeps its length.
 *
 * h <- ((1 - t^2) h + 2 t n x h)/(1 + t^2), the half-angle form. With it a contact follows the mean
 * angular velocity of its two bodies.
 * @param normal unit normal n
 * @param half_tangent t, tangent of half the angle (for small angles: half the angle, rad), between
 *  -1e150 and 1e150
 * @param vector in and out; perpendicular to n */
DEM_KERNEL void dem_kernel_rotate_twist(const double normal[3], double half_tangent,
                                        double vector[3])
{
    const double t = half_tangent;
    const double scale = 1.0 / (1.0 + t * t);
    const double p[3] = {normal[1] * vector[2] - normal[2] * vector[1],
                         normal[2] * vector[0] - normal[0] * vector[2],
                         normal[0] * vector[1] - normal[1] * vector[0]};
    for (int k = 0; k < 3; ++k)
        vector[k] = ((1.0 - t * t) * vector[k] + 2.0 * t * p[k]) * scale;
}

/** Rotates an orientation by an angular velocity over a time, without trigonometric functions.
 *
 * q <- (1, w dt/2) q/abs((1, w dt/2) q), the half-angle form. The axis is exact; the angle is
 * 2 atan(abs(w) dt/2), which is of second order in dt. A call with -dt reverses a call with dt. The
 * result has unit length.
 * @param angular_velocity w, rad/s, in the space frame; for second order that of the half step
 * @param dt time, s; abs(w) dt below 1e150
 * @param orientation in and out: unit quaternion, real part first, from body to space frame */
DEM_KERNEL void dem_kernel_rotate_orientation(const double angular_velocity[3], double dt,
                                              double orientation[4])
{
    const double h[3] = {0.5 * dt * angular_velocity[0], 0.5 * dt * angular_velocity[1],
                         0.5 * dt * angular_velocity[2]};
    const double q[4] = {orientation[0], orientation[1], orientation[2], orientation[3]};
    const double p[4] = {q[0] - (h[0] * q[1] + h[1] * q[2] + h[2] * q[3]),
                         q[1] + (h[0] * q[0] + (h[1] * q[3] - h[2] * q[2])),
                         q[2] + (h[1] * q[0] + (h[2] * q[1] - h[0] * q[3])),
                         q[3] + (h[2] * q[0] + (h[0] * q[2] - h[1] * q[1]))};
    const double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3];
    const double inverse = 1.0 / sqrt(dem_select(square > 0.0, square, 1.0));
    for (int c = 0; c < 4; ++c)
        orientation[c] = p[c] * inverse;
}

#ifdef __cplusplus
}
#endif
#endif
