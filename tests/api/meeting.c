/* SPDX-License-Identifier: MIT */
/**
 * @file meeting.c
 * Layers of spheres that fly at each other from outside the reach of the list: none is missed. And
 * what a particle that is not free says of itself, and a contact of the materials that meet.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/scene.h"

#include <math.h>

enum { EDGE = 16, COUNT = EDGE * EDGE };

/* Two layers head on, elastic and without friction: each sphere comes back with the velocity of its
 * partner. Each layer fills a chunk, and the chunks start beyond twice the cutoff. */
static void layers_meet(void **state)
{
    (void)state;
    test_long();
    for (int run = 0; run < 30; ++run) {
        const int axis = run % 3;
        const double apart = 2.25 + 0.25 * (double)(run / 3);
        dem_world_config config;
        OK(dem_world_config_init(&config));
        dem_world *world = scene_world(&config);
        scene_model(world, 0, 0, 1e5, 0.0, 1.0);
        dem_particle_handle handle[2][COUNT];
        for (int layer = 0; layer < 2; ++layer)
            for (int n = 0; n < COUNT; ++n) {
                dem_particle p = scene_particle(0.0, 0.0, 0.0);
                p.position[(axis + 1) % 3] = 1.3 * (n % EDGE);
                p.position[(axis + 2) % 3] = 1.3 * (double)(n / EDGE);
                p.position[axis] = layer ? apart : 0.0;
                p.velocity[axis] = layer ? -1.0 : 1.0;
                OK(dem_particle_add(world, &p, &handle[layer][n]));
            }
        OK(dem_step(world, 1e-4, (uint64_t)((0.5 * apart + 0.2) / 1e-4)));
        for (int layer = 0; layer < 2; ++layer)
            for (int n = 0; n < COUNT; ++n) {
                dem_particle p = {.struct_size = sizeof p};
                OK(dem_particle_get(world, handle[layer][n], &p));
                assert_true(fabs(p.velocity[axis] - (layer ? 1.0 : -1.0)) < 0.02);
            }
        dem_world_destroy(world);
    }
}

static void contact_mass_is_read_back(void **state)
{
    (void)state;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = scene_world(&config);
    const int32_t mobilities[] = {DEM_MOBILITY_FREE, DEM_MOBILITY_FIXED, DEM_MOBILITY_KINEMATIC};
    for (int k = 0; k < 6; ++k) {
        dem_particle p = scene_particle(2.0 * k, 0.0, 0.0), back = p;
        p.mobility = mobilities[k % 3];
        if (k > 3)
            p.contact_mass = 0.3;
        dem_particle_handle h;
        OK(dem_particle_add(world, &p, &h));
        OK(dem_particle_get(world, h, &back));
        assert_int_equal(back.mobility, p.mobility);
        assert_true(back.contact_mass == p.contact_mass && back.mass == p.mass);
    }
    dem_world_destroy(world);
}

static int32_t material_of(uint64_t id)
{
    return id == 5 ? 1 : id == 9 ? 2 : 0;
}

/* Whatever the order of ids and rows, and for walls. */
static void materials_of_contacts(void **state)
{
    (void)state;
    for (int swapped = 0; swapped < 2; ++swapped) {
        dem_world_config config = scene_config();
        config.material_count = 3;
        dem_world *world = scene_world(&config);
        for (int32_t a = 0; a < 3; ++a)
            for (int32_t b = a; b < 3; ++b)
                scene_model(world, a, b, 1000.0, 0.4, 0.7);
        dem_wall wall;
        OK(dem_wall_init(&wall));
        OK(dem_wall_add(world, &wall, NULL));
        for (int n = 0; n < 2; ++n) {
            dem_particle p = scene_particle(0.99 * n, 0.0, 0.49);
            p.id = (n == 0) == !swapped ? 5 : 9;
            p.material = material_of(p.id);
            OK(dem_particle_add(world, &p, NULL));
        }
        OK(dem_step(world, 1e-4, 1));
        int contacts = 0;
        dem_contact contact = {.struct_size = sizeof contact};
        for (uint64_t cursor = 0; dem_world_contact_next(world, &cursor, &contact) == DEM_OK;) {
            assert_int_equal(contact.material_i, material_of(contact.key.id_i));
            assert_int_equal(contact.material_j, material_of(contact.key.id_j));
            ++contacts;
        }
        assert_int_equal(contacts, 3);
        dem_world_destroy(world);
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_meet),
        cmocka_unit_test(contact_mass_is_read_back),
        cmocka_unit_test(materials_of_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
