/* SPDX-License-Identifier: MIT */
/* A fine sphere against a large one that stands still, made of kernels of level 0 alone: the three
 * velocity-Verlet schemes of libdem with the linear law and the continuous slider.
 *
 * Everything here is inline and free of branches, so a loop over many fines becomes vector code.
 * `scheme` is a constant at each call: DEM_INTEGRATOR_VERLET_.... */
#ifndef FINE_H
#define FINE_H

#include <dem/dem.h>

#if defined(__GNUC__)
#define FINE_INLINE static inline __attribute__((always_inline))
#else
#define FINE_INLINE static inline
#endif

static const double fine_pi = 3.14159265358979323846;

/* What the contacts of one fine have in common. */
typedef struct fine_pair {
    double fine, sum; /* radius of the fine one, and of both together, m */
    double stiffness, stiffness_tangential, damping, damping_tangential, friction;
} fine_pair;

/* Fills stiffness-dependent values: damping of restitution e with the attractive tail kept (Vyas et
 * al., Eq. 31), eta_t = eta_n sqrt(k_t/k_n), k_t of Poisson's ratio 0.3 (Eq. 6). */
static inline fine_pair fine_pair_make(double fine, double large, double density, double stiffness,
                                       double restitution, double friction)
{
    const double volume = 4.0 / 3.0 * fine_pi * density;
    const double mass_fine = volume * fine * fine * fine;
    const double mass_large = volume * large * large * large;
    const double mass = mass_fine * mass_large / (mass_fine + mass_large);
    double ratio = 0.0;
    (void)dem_kernel_damping_ratio_attractive(restitution, &ratio);
    fine_pair p;
    p.fine = fine;
    p.sum = fine + large;
    p.stiffness = stiffness;
    p.stiffness_tangential = stiffness * 2.0 * (1.0 - 0.3) / (2.0 - 0.3);
    p.friction = friction;
    p.damping = dem_kernel_damping_linear(ratio, mass, stiffness);
    p.damping_tangential = sqrt(p.stiffness_tangential / stiffness) * p.damping;
    return p;
}

FINE_INLINE double fine_unit(const double v[3], double unit[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    const double inverse = 1.0 / length;
    for (int c = 0; c < 3; ++c)
        unit[c] = v[c] * inverse;
    return length;
}

/* Normal part of the velocity of the fine one's surface, and its tangential part. */
FINE_INLINE double fine_surface(const double n[3], const double v[3], const double w[3],
                                double radius, double tangential[3])
{
    const double s[3] = {radius * w[0], radius * w[1], radius * w[2]};
    const double normal = v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
    tangential[0] = v[0] - normal * n[0] + (n[1] * s[2] - n[2] * s[1]);
    tangential[1] = v[1] - normal * n[1] + (n[2] * s[0] - n[0] * s[2]);
    tangential[2] = v[2] - normal * n[2] + (n[0] * s[1] - n[1] * s[0]);
    return normal;
}

/* Force and torque on the fine one at the end of a step.
 * offset: centre of the fine one less that of the large one, at the end; velocity and angular
 * velocity: of the half step; velocity_end and spin_end: as dashpots see them at the end
 * (synchronized scheme only); displacement: the tangential spring in and out, 0 where there was no
 * contact. Returns the overlap; without one, force and torque are 0 and the spring is let go. */
FINE_INLINE double fine_contact(int scheme, const fine_pair *p, double dt, const double offset[3],
                                const double velocity[3], const double angular_velocity[3],
                                const double velocity_end[3], const double spin_end[3],
                                double displacement[3], double force[3], double torque[3])
{
    double now[3], old[3], half[3], past[3], increment[3], damping[3], tangential[3];
    const double overlap = p->sum - fine_unit(offset, now);
    if (scheme == DEM_INTEGRATOR_VERLET_STANDARD) {
        for (int c = 0; c < 3; ++c)
            half[c] = now[c];
    } else {
        for (int c = 0; c < 3; ++c)
            past[c] = offset[c] - velocity[c] * dt;
        (void)fine_unit(past, old);
        for (int c = 0; c < 3; ++c)
            past[c] = offset[c] - velocity[c] * (0.5 * dt);
        (void)fine_unit(past, half);
    }

    double normal_velocity = fine_surface(half, velocity, angular_velocity, p->fine, damping);
    for (int c = 0; c < 3; ++c)
        increment[c] = damping[c] * dt;
    if (scheme == DEM_INTEGRATOR_VERLET_STANDARD) {
        /* as codes with this scheme do: the spring is projected, not turned */
        const double off =
            displacement[0] * now[0] + displacement[1] * now[1] + displacement[2] * now[2];
        for (int c = 0; c < 3; ++c)
            displacement[c] -= off * now[c];
    } else {
        dem_kernel_rotate_minimal(old, half, displacement);
    }
    if (scheme == DEM_INTEGRATOR_VERLET_SYNC) {
        const double twist = (angular_velocity[0] * half[0] + angular_velocity[1] * half[1] +
                              angular_velocity[2] * half[2]) *
                             (dt * 0.125);
        dem_kernel_rotate_twist(half, twist, increment);
        dem_kernel_rotate_twist(half, twist, displacement);
        dem_kernel_rotate_twist(half, twist, displacement);
        normal_velocity = fine_surface(now, velocity_end, spin_end, p->fine, damping);
    }
    if (scheme != DEM_INTEGRATOR_VERLET_STANDARD) {
        dem_kernel_rotate_minimal(half, now, increment);
        dem_kernel_rotate_minimal(half, now, displacement);
    }
    if (scheme == DEM_INTEGRATOR_VERLET_IMPROVED)
        dem_kernel_rotate_minimal(half, now, damping);

    const int touches = overlap > 0.0;
    const double normal =
        dem_kernel_normal_linear(p->stiffness, p->damping, overlap, normal_velocity, 1);
    const double limit = p->friction * dem_select(normal > 0.0, normal, 0.0);
    dem_kernel_tangential_csds_increment(p->stiffness_tangential, p->damping_tangential, limit, dt,
                                         increment, damping, displacement, tangential);
    for (int c = 0; c < 3; ++c) {
        displacement[c] = dem_select(touches, displacement[c], 0.0);
        force[c] = normal * now[c] + tangential[c];
    }
    torque[0] = -p->fine * (now[1] * tangential[2] - now[2] * tangential[1]);
    torque[1] = -p->fine * (now[2] * tangential[0] - now[0] * tangential[2]);
    torque[2] = -p->fine * (now[0] * tangential[1] - now[1] * tangential[0]);
    return overlap;
}

#endif
