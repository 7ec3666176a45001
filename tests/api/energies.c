/* SPDX-License-Identifier: MIT */
/**
 * @file energies.c
 * Energies where they are easily forgotten: heights beyond a periodic boundary, and the work of a
 * body that the host turns.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/scene.h"

#include <math.h>

/* A sphere falls through the lower end of a box that is periodic along gravity, twice: kinetic and
 * potential energy stay, and the latter is -m g s. */
static void heights_beyond_the_boundary(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    config.boundary[2] = DEM_BOUNDARY_PERIODIC;
    config.box_low[2] = -1.0;
    config.box_high[2] = 3.0;
    for (int up = 0; up < 2; ++up) {
        dem_world *world = scene_world(&config);
        dem_particle p = scene_particle(0.0, 0.0, 1.0);
        p.velocity[2] = up ? 20.0 : 0.0;
        dem_particle_handle h;
        OK(dem_particle_add(world, &p, &h));
        OK(dem_step(world, 1e-3, 0));
        const dem_world_energies first = scene_energies(world);
        assert_true(fabs(first.potential - 0.1 * 10.0 * 1.0) < 1e-15);
        for (int k = 0; k < 10; ++k) {
            OK(dem_step(world, 1e-3, 100));
            const double t = dem_world_time(world), z = 1.0 + p.velocity[2] * t - 5.0 * t * t;
            const dem_world_energies now = scene_energies(world);
            assert_true(fabs(now.potential - 0.1 * 10.0 * z) < 1e-12);
            assert_true(fabs(now.kinetic_translation + now.potential - first.kinetic_translation -
                             first.potential) < 1e-11);
        }
        dem_world_destroy(world);
    }
}

/* A ball that the host turns rubs on one too heavy to follow: what the host puts in, mu F R omega
 * t, is lost by sliding. */
static void work_of_a_turned_body(void **state)
{
    (void)state;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = scene_world(&config);
    scene_model(world, 0, 0, 1000.0, 0.4, 1.0);
    const double overlap = 1e-3, omega = 3.0;
    dem_particle heavy = scene_particle(0.0, 0.0, 0.0),
                 turned = scene_particle(1.0 - overlap, 0, 0);
    heavy.mass = 1e12;
    turned.mobility = DEM_MOBILITY_KINEMATIC;
    turned.contact_mass = 1e12;
    turned.angular_velocity[1] = omega;
    OK(dem_particle_add(world, &heavy, NULL));
    OK(dem_particle_add(world, &turned, NULL));
    OK(dem_step(world, 1e-4, 2000)); /* slides steadily by then */
    const dem_world_energies from = scene_energies(world);
    OK(dem_step(world, 1e-4, 1000));
    const dem_world_energies to = scene_energies(world);
    const double work = to.work_boundary - from.work_boundary;
    const double lost =
        to.dissipated_slip + to.dissipated_dashpot - from.dissipated_slip - from.dissipated_dashpot;
    const double expected = 0.4 * 1000.0 * overlap * 0.5 * omega * 0.1;
    print_message("# work %.12g, lost %.12g of %.12g\n", work, lost, expected);
    assert_true(fabs(work / expected - 1.0) < 1e-6);
    assert_true(fabs(lost / expected - 1.0) < 1e-6);
    dem_world_destroy(world);
}

/* A ball that the host pushes into one too heavy to follow: what the host puts in is what the
 * spring stores, k (x1^2 - x0^2)/2, also in few steps, because the force grows in them evenly. */
static void work_of_a_moved_body(void **state)
{
    (void)state;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = scene_world(&config);
    scene_model(world, 0, 0, 1000.0, 0.0, 1.0);
    const double overlap = 1e-3, speed = 0.25, dt = 1e-3;
    dem_particle heavy = scene_particle(0.0, 0.0, 0.0), moved = scene_particle(1.0 - overlap, 0, 0);
    heavy.mass = 1e12;
    moved.mobility = DEM_MOBILITY_KINEMATIC;
    moved.contact_mass = 1e12;
    moved.velocity[0] = -speed;
    OK(dem_particle_add(world, &heavy, NULL));
    OK(dem_particle_add(world, &moved, NULL));
    OK(dem_step(world, dt, 8));
    const double deepest = overlap + 8.0 * dt * speed;
    const double expected = 0.5 * 1000.0 * (deepest * deepest - overlap * overlap);
    const double work = scene_energies(world).work_boundary;
    print_message("# work %.12g of %.12g\n", work, expected);
    assert_true(fabs(work / expected - 1.0) < 1e-6);
    dem_world_destroy(world);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_beyond_the_boundary),
        cmocka_unit_test(work_of_a_turned_body),
        cmocka_unit_test(work_of_a_moved_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
