/* SPDX-License-Identifier: MIT. 288 spheres fall on a plane and come to rest; SI units. */
#include <dem/dem.h>
#include <stdio.h>
#include <stdlib.h>

static void check(dem_status status, const char *message)
{
    if (status != DEM_OK) {
        fprintf(stderr, "%s: %s\n", dem_status_string(status), message);
        exit(1);
    }
}

int main(void)
{
    dem_error error = {0};
    dem_world *world = NULL;
    dem_world_config config;
    check(dem_world_config_init(&config), "world configuration");
    config.gravity[2] = -9.81;
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[1] = 0.066;
    check(dem_world_create(&config, &world, &error), error.message);
    dem_linear law;
    check(dem_linear_init(&law), "law");
    law.stiffness_normal = 5e3; /* N/m */
    law.restitution = 0.5;
    dem_contact_model model;
    check(dem_contact_model_init(&model), "model");
    check(dem_contact_model_add_linear_csds(&model, &law), "model");
    check(dem_contact_model_set(world, 0, 0, &model), dem_world_error(world));
    dem_wall floor;
    check(dem_wall_init(&floor), "wall"); /* through the origin, normal +z */
    check(dem_wall_add(world, &floor, NULL), dem_world_error(world));
    for (int k = 0; k < 288; ++k) { /* 6 x 6 x 8, each layer a little aside of the one below */
        dem_particle p;
        check(dem_particle_init(&p), "particle");
        p.radius = 0.005;
        p.position[0] = 0.011 * (k % 6) + 0.003 * (k / 36);
        p.position[1] = 0.011 * (k / 6 % 6) + 0.002 * (k / 36);
        p.position[2] = 0.006 + 0.011 * (k / 36);
        check(dem_particle_add(world, &p, NULL), dem_world_error(world));
    }
    for (int k = 0; k <= 10; ++k) {
        check(dem_step(world, 1e-5, k == 0 ? 0 : 5000), dem_world_error(world));
        dem_world_energies e = {.struct_size = sizeof e};
        dem_view x = {.struct_size = sizeof x};
        check(dem_world_energies_get(world, &e), dem_world_error(world));
        check(dem_world_view(world, DEM_FIELD_POSITION, &x), dem_world_error(world));
        double height = 0.0;
        for (uint64_t i = 0; i < x.count; ++i)
            height += ((const double *)((const char *)x.data + i * x.stride))[2] / (double)x.count;
        printf("t %.2f kinetic %.3e potential %.5e elastic %.3e dissipated %.5e J height %.5f m\n",
               dem_world_time(world), e.kinetic_translation + e.kinetic_rotation, e.potential,
               e.elastic, e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip, height);
    }
    dem_world_destroy(world);
    return 0;
}
