/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedral_balls.h
 * Spheres beside polyhedra.
 */
#ifndef DEM_TEST_POLYHEDRAL_BALLS_H
#define DEM_TEST_POLYHEDRAL_BALLS_H

#include "polyhedral.h"

static inline dem_particle_handle ball_add(dem_world *world, const double at[3], double radius)
{
    dem_particle ball = scene_particle(at[0], at[1], at[2]);
    dem_particle_handle handle;
    ball.radius = radius;
    ball.mass = 4000.0 * radius * radius * radius;
    OK(dem_particle_add(world, &ball, &handle));
    return handle;
}

static inline dem_particle ball_get(const dem_world *world, dem_particle_handle handle)
{
    dem_particle ball = {.struct_size = sizeof ball};
    OK(dem_particle_get(world, handle, &ball));
    return ball;
}

/** As model_set, with forces that act where the surfaces touch, as on polyhedra. */
static inline void model_at_contacts(dem_world *world, int which)
{
    dem_contact_model model;
    dem_hertz hertz;
    dem_mindlin mindlin;
    OK(dem_contact_model_init(&model));
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    model.lever_arm = DEM_ARM_CONTACT;
    hertz.young[0] = 2.0 * MODULUS * (1.0 - 0.25 * 0.25);
    hertz.poisson[0] = 0.25;
    hertz.restitution = 0.8;
    mindlin.friction = 0.4;
    OK(dem_contact_model_add_hertz(&model, &hertz));
    if (which == M4)
        OK(dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin));
    else if (which == M1)
        OK(dem_contact_model_add_mindlin(&model, &mindlin));
    OK(dem_contact_model_set(world, 0, 0, &model));
}

/** Momentum of bodies, and of balls with the ids from `first` to `last`; and angular momentum about
 * the origin. */
static inline void momenta_with_balls(const dem_world *world, uint64_t bodies, uint64_t first,
                                      uint64_t last, double sum[6])
{
    momenta_of_bodies(world, bodies, sum);
    for (uint64_t id = first; id <= last; ++id) {
        dem_particle_handle handle;
        OK(dem_particle_find(world, id, &handle));
        const dem_particle p = ball_get(world, handle);
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            sum[c] += p.mass * p.velocity[c];
            sum[3 + c] += 0.4 * p.mass * p.radius * p.radius * p.angular_velocity[c] +
                          p.mass * (p.position[d] * p.velocity[e] - p.position[e] * p.velocity[d]);
        }
    }
}

#endif
