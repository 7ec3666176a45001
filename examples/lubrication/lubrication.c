/* SPDX-License-Identifier: MIT. Lubrication beside the collision model "actm": a sphere falls
 * through a viscous film on a wall and rebounds through it. The film sets no limit on the time
 * step. */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    const double pi = 3.14159265358979323846, radius = 1e-3, speed = 0.2, dt = 1e-6;
    const double mass = 7800.0 * 4.0 / 3.0 * pi * radius * radius * radius; /* steel */
    dem_wall wall;
    dem_world_config config;
    dem_actm actm;
    dem_film film;
    if (dem_film_init(&film) || dem_wall_init(&wall) || dem_world_config_init(&config) ||
        dem_actm_init(&actm))
        return 1;
    film.gap_min = 1e-6, film.gap_max = 1e-4;
    actm.restitution = 0.97, actm.contact_time = 2e-5, actm.speed_floor = 1e-3;
    actm.young[0] = 2e11;
    for (double viscosity = 0.0; viscosity < 0.1; viscosity = 2.0 * viscosity + 0.005) {
        film.viscosity = viscosity;
        dem_contact_model model;
        dem_particle ball;
        dem_world *world = NULL;
        dem_particle_handle handle;
        dem_error error = {0};
        if (dem_particle_init(&ball))
            return 1;
        ball.position[2] = radius + 1.1 * film.gap_max;
        ball.velocity[2] = -speed;
        ball.radius = radius;
        ball.mass = mass;
        if (dem_contact_model_init(&model) || dem_contact_model_add_actm(&model, &actm) ||
            dem_contact_model_add_film(&model, &film) ||
            dem_world_create(&config, &world, &error) ||
            dem_contact_model_set(world, 0, 0, &model) || dem_wall_add(world, &wall, NULL) ||
            dem_particle_add(world, &ball, &handle) || dem_step(world, dt, 20000) ||
            dem_particle_get(world, handle, &ball)) {
            fprintf(stderr, "%s\n", world ? dem_world_error(world) : error.message);
            dem_world_destroy(world);
            return 1;
        }
        /* each crossing of the film takes the speed `loss`; R* of the wall is the radius */
        const double rate = 6.0 * pi * viscosity * radius * radius / mass; /* m/s */
        const double loss = rate * log(film.gap_max / film.gap_min);
        const double rebound = speed > loss ? actm.restitution * (speed - loss) - loss : 0.0;
        printf("viscosity %.3f Pa s  Stokes %.3g  rebound %.4f  closed form %.4f\n", viscosity,
               speed / rate, ball.velocity[2] / speed, fmax(rebound, 0.0) / speed);
        dem_world_destroy(world);
    }
    return 0;
}
