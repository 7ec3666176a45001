/* SPDX-License-Identifier: MIT */
/* 288 spheres fall on a plane and come to rest: minimal.c in C++11. */
#include <dem/dem.hpp>

#include <cstdio>
#include <exception>

static void fall()
{
    dem_world_config config = dem::make<dem_world_config>();
    config.gravity[2] = -9.81;
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[1] = 0.066;
    dem::world world(config);

    dem_linear law = dem::make<dem_linear>();
    law.stiffness_normal = 5e3; // N/m
    law.restitution = 0.5;
    world.contact_model_set(0, 0, law);

    world.wall_add(dem::make<dem_wall>()); // through the origin, normal +z
    for (int k = 0; k < 288; ++k) {
        dem_particle p = dem::make<dem_particle>();
        p.radius = 0.005;
        p.position[0] = 0.011 * (k % 6) + 0.003 * (k / 36);
        p.position[1] = 0.011 * (k / 6 % 6) + 0.002 * (k / 36);
        p.position[2] = 0.006 + 0.011 * (k / 36);
        world.particle_add(p);
    }

    for (int k = 0; k <= 10; ++k) {
        world.step(1e-5, k == 0 ? 0 : 5000);
        const dem_world_energies e = world.energies();
        const dem_view x = world.view(DEM_FIELD_POSITION);
        double height = 0.0;
        for (std::uint64_t i = 0; i < x.count; ++i)
            height += dem::row(x, i)[2] / static_cast<double>(x.count);
        std::printf("t %.2f kinetic %.3e potential %.5e elastic %.3e dissipated %.5e J "
                    "height %.5f m\n",
                    world.time(), e.kinetic_translation + e.kinetic_rotation, e.potential,
                    e.elastic, e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip,
                    height);
    }
}

int main()
{
    try {
        fall();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
    return 0;
}
