/* SPDX-License-Identifier: MIT */
/**
 * @file drift_kick.c
 * The scheme that drifts first and kicks once, at the end of a step, against its closed form.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/scene.h"

#include <math.h>

#define DT 0x1p-8
#define MASS 0.1
#define RADIUS 0.5
#define STIFFNESS 1000.0
#define DAMPING 2.0

static void near(double value, double want, double within)
{
    if (!(fabs(value - want) <= within))
        fail_msg("%.17g is not within %g of %.17g", value, within, want);
}

/** A world with a sphere at a height above a floor of spring and dashpot. */
static dem_world *above_floor(double height, dem_particle_handle *handle)
{
    dem_world_config config = scene_config();
    config.integrator = DEM_INTEGRATOR_DRIFT_KICK;
    dem_world *world = scene_world(&config);
    dem_linear linear;
    dem_contact_model model;
    dem_wall floor;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = STIFFNESS;
    linear.damping = DEM_DAMPING_COEFFICIENT;
    linear.damping_normal = DAMPING;
    linear.friction = 0.0;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_model_set(world, 0, 0, &model));
    OK(dem_wall_init(&floor));
    OK(dem_wall_add(world, &floor, NULL));
    const dem_particle p = scene_particle(0.0, 0.0, height);
    OK(dem_particle_add(world, &p, handle));
    return world;
}

/* One step: position with the velocity of its start, then velocity with the force of its end, whose
 * dashpot sees the velocity that moved the position. */
static void closed_form(double *z, double *v)
{
    *z += *v * DT;
    const double overlap = RADIUS - *z;
    const double force = overlap > 0.0 ? STIFFNESS * overlap - DAMPING * *v : 0.0;
    *v += (force / MASS - 10.0) * DT;
}

static void world_follows_closed_form(void **state)
{
    (void)state;
    dem_particle_handle handle;
    dem_particle p = {.struct_size = sizeof p};
    double z = 0.55, v = 0.0, lowest = z;
    dem_world *world = above_floor(z, &handle);
    for (int n = 0; n < 40; ++n) {
        OK(dem_step(world, DT, 1));
        closed_form(&z, &v);
        OK(dem_particle_get(world, handle, &p));
        near(p.position[2], z, 1e-13);
        near(p.velocity[2], v, 1e-11);
        lowest = fmin(lowest, z);
    }
    assert_true(lowest < RADIUS);
    dem_world_destroy(world);
}

/* The same bounce with arrays of a host. */
static void integrator_follows_closed_form(void **state)
{
    (void)state;
    dem_integrator_config config;
    dem_integrator *integrator;
    double x[3] = {0.0, 0.0, 0.55}, v[3] = {0.0}, force[3], z = x[2], speed = 0.0;
    const double mass = MASS;
    OK(dem_integrator_config_init(&config));
    config.scheme = DEM_INTEGRATOR_DRIFT_KICK;
    OK(dem_integrator_create(&config, &integrator, NULL));
    dem_integrator_arrays arrays;
    OK(dem_integrator_arrays_init(&arrays));
    arrays.count = 1;
    arrays.position = x;
    arrays.velocity = v;
    arrays.force = force;
    arrays.mass = &mass;
    force[0] = force[1] = 0.0;
    force[2] = -10.0 * MASS;
    for (int n = 0; n < 40; ++n) {
        OK(dem_integrator_begin(integrator, &arrays, DT));
        dem_contacts_input input;
        OK(dem_contacts_input_init(&input));
        OK(dem_integrator_prepare(integrator, &input));
        assert_true(input.velocity_lag == 0.0);
        const double overlap = RADIUS - x[2];
        force[2] = -10.0 * MASS + (overlap > 0.0 ? STIFFNESS * overlap - DAMPING * v[2] : 0.0);
        OK(dem_integrator_end(integrator, &arrays));
        closed_form(&z, &speed);
        near(x[2], z, 1e-13);
        near(v[2], speed, 1e-11);
    }
    dem_integrator_destroy(integrator);
}

static void limit_counts_half_the_dashpot(void **state)
{
    (void)state;
    dem_particle_handle handle;
    dem_world *world = above_floor(1.0, &handle);
    const double rate = 0.5 * DAMPING / MASS;
    dem_timestep_advice advice = {.struct_size = sizeof advice};
    OK(dem_world_timestep_advise(world, NULL, &advice));
    near(advice.stability, 2.0 / (rate + sqrt(rate * rate + STIFFNESS / MASS)), 1e-14);
    dem_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(world_follows_closed_form),
        cmocka_unit_test(integrator_follows_closed_form),
        cmocka_unit_test(limit_counts_half_the_dashpot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
