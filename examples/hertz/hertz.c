/* SPDX-License-Identifier: MIT. Grains with the elastic constants of a material: Hertz's law with
 * Mindlin's friction, and a time step for the fastest impact. 125 spheres of 2 mm fall from a
 * centimetre on a plane. Prints the time step, then energies and the error of their balance. */
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

static void material(dem_world *world)
{
    dem_material glass;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_contact_model model;
    check(dem_material_init(&glass), "material");
    glass.density = 2500.0; /* kg/m3 */
    check(dem_material_set(world, 0, &glass), dem_world_error(world));
    check(dem_hertz_init(&hertz), "hertz");
    hertz.young[0] = 70e6; /* Pa: a thousandth of glass's, so that dt is 16 times as long */
    hertz.poisson[0] = 0.22;
    hertz.restitution = 0.9;
    check(dem_mindlin_init(&mindlin), "mindlin");
    mindlin.friction = 0.4;
    check(dem_contact_model_init(&model), "model");
    check(dem_contact_model_add_hertz(&model, &hertz), "model");
    check(dem_contact_model_add_mindlin(&model, &mindlin), "model");
    check(dem_contact_model_set(world, 0, 0, &model), dem_world_error(world)); /* grains, plane */
}

static double balance(const dem_world_energies *e)
{
    return e->kinetic_translation + e->kinetic_rotation + e->potential + e->elastic +
           e->dissipated_normal + e->dissipated_dashpot + e->dissipated_slip;
}

int main(void)
{
    dem_world *world = NULL;
    dem_world_config config;
    dem_wall plane;
    dem_timestep_request request;
    dem_timestep_advice advice = {.struct_size = sizeof advice};
    dem_error error = {0};
    check(dem_world_config_init(&config), "configuration");
    config.gravity[2] = -9.81;
    check(dem_world_create(&config, &world, &error), error.message);
    material(world);
    check(dem_wall_init(&plane), "plane"); /* through the origin, normal +z */
    check(dem_wall_add(world, &plane, NULL), dem_world_error(world));
    for (int k = 0; k < 125; ++k) {
        const int layer = k / 25;
        dem_particle grain;
        check(dem_particle_init(&grain), "grain");
        grain.radius = 1e-3;
        grain.position[0] = 2.2e-3 * (k % 5) + 2e-4 * layer;
        grain.position[1] = 2.2e-3 * (k / 5 % 5);
        grain.position[2] = 1.1e-2 + 2.2e-3 * layer;
        check(dem_particle_add(world, &grain, NULL), dem_world_error(world));
    }
    check(dem_timestep_request_init(&request), "request");
    request.speed = 1.0; /* m/s: a fall by 2 cm ends with 0.6. The world is at rest: give one */
    check(dem_world_timestep_advise(world, &request, &advice), dem_world_error(world));
    printf("dt %.3g s; a contact allows %.3g s, Rayleigh's time %.3g s\n", advice.timestep,
           advice.contact, advice.rayleigh);
    double start = 0.0;
    for (int k = 0; k <= 10; ++k) {
        dem_world_energies e = {.struct_size = sizeof e};
        if (k == 0)
            check(dem_step(world, advice.timestep, 0), dem_world_error(world));
        else
            check(dem_world_advance(world, 0.02, advice.timestep, NULL), dem_world_error(world));
        check(dem_world_energies_get(world, &e), dem_world_error(world));
        start = k == 0 ? balance(&e) : start;
        printf("t %.2f s  kinetic %.3e J  lost %.3e J  energy error %.1e\n", dem_world_time(world),
               e.kinetic_translation + e.kinetic_rotation,
               e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip,
               (balance(&e) - start) / start);
    }
    dem_world_destroy(world);
    return 0;
}
