/* SPDX-License-Identifier: MIT */
/**
 * @file rotation.h
 * Level 0: rotation of rigid bodies with three moments of inertia.
 *
 * The state of a rotating body is its orientation q, a unit quaternion that rotates vectors of the
 * principal axes into space, and its angular momentum L. The kernels have l = L/I0 in the place of
 * L, where I0 is the mean of the principal moments (dem_kernel_rotation_mean). l has the unit of an
 * angular velocity, and of a body with equal moments it is the angular velocity.
 *
 * One step of dt under the torque T, in space:
 *
 *     l += dt/2 T/I0                                        // T of the beginning
 *     dem_kernel_rotation_drift(I, dt, l, q, w)             // q to the end; w of the half step
 *     ... torque T at the end ...
 *     l += dt/2 T/I0
 *
 * This is the implicit midpoint rule in body axes. Source: Austin, Krishnaprasad and Wang, J.
 * Comput. Phys. 107 (1993) 105; Simo and Wong, Int. J. Numer. Meth. Eng. 31 (1991) 19. It is of
 * second order and reversible, keeps the angular momentum of a free body bit for bit and its energy
 * to round-off, and calls no trigonometric function. A rotation is short of the exact one by
 * (w dt)^2/12 of itself.
 */
#ifndef DEM_ROTATION_H
#define DEM_ROTATION_H

#include "kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The moment I0 by which angular momentum is divided.
 * @param inertia principal moments, kg m2, > 0
 * @return their mean, or the moment itself, bit for bit, where all three are equal; kg m2 */
DEM_KERNEL double dem_kernel_rotation_mean(const double inertia[3])
{
    const int equal = (inertia[0] == inertia[1]) & (inertia[1] == inertia[2]);
    return dem_select(equal, inertia[0], (inertia[0] + inertia[1] + inertia[2]) / 3.0);
}

/** Rotates a vector of the body's axes into space.
 * @param orientation unit quaternion, real part first, from body to space
 * @param vector in and out; of length 0 it stays what it is */
DEM_KERNEL void dem_kernel_rotation_to_space(const double orientation[4], double vector[3])
{
    const double *q = orientation;
    const double v[3] = {vector[0], vector[1], vector[2]};
    const double t[3] = {2.0 * (q[2] * v[2] - q[3] * v[1]), 2.0 * (q[3] * v[0] - q[1] * v[2]),
                         2.0 * (q[1] * v[1] - q[2] * v[0])};
    vector[0] = v[0] + (q[0] * t[0] + (q[2] * t[2] - q[3] * t[1]));
    vector[1] = v[1] + (q[0] * t[1] + (q[3] * t[0] - q[1] * t[2]));
    vector[2] = v[2] + (q[0] * t[2] + (q[1] * t[1] - q[2] * t[0]));
}

/** Rotates a vector of space into the body's axes.
 * @param orientation unit quaternion, real part first, from body to space
 * @param vector in and out */
DEM_KERNEL void dem_kernel_rotation_to_body(const double orientation[4], double vector[3])
{
    const double back[4] = {orientation[0], -orientation[1], -orientation[2], -orientation[3]};
    dem_kernel_rotation_to_space(back, vector);
}

/** What the angular velocity has beside l: R D R^T l with D = diag(I0/I_k - 1).
 * @param inertia principal moments, kg m2, > 0
 * @param orientation unit quaternion, real part first, from body to space
 * @param momentum l = L/I0, rad/s, in space
 * @param surplus out: w - l, rad/s, in space; 0 where the moments are equal */
DEM_KERNEL void dem_kernel_rotation_surplus(const double inertia[3], const double orientation[4],
                                            const double momentum[3], double surplus[3])
{
    const double mean = dem_kernel_rotation_mean(inertia);
    double p[3] = {momentum[0], momentum[1], momentum[2]};
    dem_kernel_rotation_to_body(orientation, p);
    for (int c = 0; c < 3; ++c)
        surplus[c] = (mean / inertia[c] - 1.0) * p[c];
    dem_kernel_rotation_to_space(orientation, surplus);
}

/** Angular velocity of an angular momentum: w = l + R D R^T l.
 * @param inertia principal moments, kg m2, > 0
 * @param orientation unit quaternion, real part first, from body to space
 * @param momentum l = L/I0, rad/s, in space
 * @param angular_velocity out: rad/s, in space */
DEM_KERNEL void dem_kernel_rotation_velocity(const double inertia[3], const double orientation[4],
                                             const double momentum[3], double angular_velocity[3])
{
    double surplus[3];
    dem_kernel_rotation_surplus(inertia, orientation, momentum, surplus);
    for (int c = 0; c < 3; ++c)
        angular_velocity[c] = momentum[c] + surplus[c];
}

/** l = L/I0 of an angular velocity: the inverse of dem_kernel_rotation_velocity, to round-off.
 * @param inertia principal moments, kg m2, > 0
 * @param orientation unit quaternion, real part first, from body to space
 * @param angular_velocity rad/s, in space
 * @param momentum out: l, rad/s, in space; with equal moments the angular velocity, bit for bit */
DEM_KERNEL void dem_kernel_rotation_momentum(const double inertia[3], const double orientation[4],
                                             const double angular_velocity[3], double momentum[3])
{
    const double mean = dem_kernel_rotation_mean(inertia);
    double p[3] = {angular_velocity[0], angular_velocity[1], angular_velocity[2]};
    dem_kernel_rotation_to_body(orientation, p);
    for (int c = 0; c < 3; ++c)
        p[c] = (inertia[c] - mean) / mean * p[c];
    dem_kernel_rotation_to_space(orientation, p);
    for (int c = 0; c < 3; ++c)
        momentum[c] = angular_velocity[c] + p[c];
}

/** Rotates a body by a step, by the implicit midpoint rule in body axes.
 *
 * Newton's method finds the momentum of the half step in body axes from three equations,
 * p = R0^T l + dt/2 p x D p in the notation of the angular velocity, in two to four rounds where
 * the body turns by less than 0.25 rad in a step. The rotation of the step is that of
 * dem_kernel_rotate_orientation by w dt: a point at d0 from the centre of mass, which is at d1
 * after the step, moved by dt w x (d0 + d1)/2.
 * @param inertia principal moments, kg m2, > 0
 * @param dt time step, s; a negative one goes back
 * @param momentum l = L/I0 of the half step, rad/s, in space
 * @param orientation in and out: unit quaternion, real part first, from body to space
 * @param angular_velocity out: w of the half step, rad/s, in space
 * @return DEM_OK; DEM_ERROR_RANGE if the body turns too far: eight rounds found no solution. Then
 *  neither orientation nor angular_velocity is written; use a smaller dt. */
DEM_KERNEL dem_status dem_kernel_rotation_drift(const double inertia[3], double dt,
                                                const double momentum[3], double orientation[4],
                                                double angular_velocity[3])
{
    const double mean = dem_kernel_rotation_mean(inertia), h = 0.5 * dt;
    const double d[3] = {mean / inertia[0] - 1.0, mean / inertia[1] - 1.0, mean / inertia[2] - 1.0};
    const double e[3] = {h * (d[2] - d[1]), h * (d[0] - d[2]), h * (d[1] - d[0])};
    double p0[3] = {momentum[0], momentum[1], momentum[2]};
    dem_kernel_rotation_to_body(orientation, p0);
    double p[3] = {p0[0], p0[1], p0[2]};
    int found = 0;
    for (int round = 0; round < 8 && !found; ++round) {
        /* rows of the matrix (1, b, c), (d, 1, f), (g, k, 1) and what they have to cancel */
        const double mb = -e[0] * p[2], mc = -e[0] * p[1], md = -e[1] * p[2], mf = -e[1] * p[0],
                     mg = -e[2] * p[1], mk = -e[2] * p[0];
        const double r0 = p0[0] + e[0] * p[1] * p[2] - p[0], r1 = p0[1] + e[1] * p[2] * p[0] - p[1],
                     r2 = p0[2] + e[2] * p[0] * p[1] - p[2];
        const double m00 = 1.0 - mf * mk, m10 = mf * mg - md, m20 = md * mk - mg;
        const double determinant = m00 + mb * m10 + mc * m20;
        if (!(determinant > 0.0))
            return DEM_ERROR_RANGE;
        const double scale = 1.0 / determinant;
        const double s[3] = {
            (m00 * r0 + (mc * mk - mb) * r1 + (mb * mf - mc) * r2) * scale,
            (m10 * r0 + (1.0 - mc * mg) * r1 + (mc * md - mf) * r2) * scale,
            (m20 * r0 + (mb * mg - mk) * r1 + (1.0 - mb * md) * r2) * scale,
        };
        for (int c = 0; c < 3; ++c)
            p[c] += s[c];
        found = s[0] * s[0] + s[1] * s[1] + s[2] * s[2] <=
                1e-18 * (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    }
    if (!found)
        return DEM_ERROR_RANGE;
    double w[3] = {d[0] * p[0] + e[0] * p[1] * p[2], d[1] * p[1] + e[1] * p[2] * p[0],
                   d[2] * p[2] + e[2] * p[0] * p[1]};
    dem_kernel_rotation_to_space(orientation, w);
    for (int c = 0; c < 3; ++c)
        angular_velocity[c] = momentum[c] + w[c];
    dem_kernel_rotate_orientation(angular_velocity, dt, orientation);
    return DEM_OK;
}

#ifdef __cplusplus
}
#endif
#endif
