/* SPDX-License-Identifier: MIT. Lubrication beside the collision model "actm": a sphere falls
 * through a viscous film on a wall and rebounds through it. The film sets no limit on the time
 * step. */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    const double radius = 1e-3, mass = 7800.0 * 4.1887902047863905 * 1e-9, fast = 0.2, dt = 1e-6;
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
        dem_particle p = {sizeof p, 0, {0, 0, 1.11e-3}, {0, 0, -fast}, {0}, radius, mass, 0, 0, 0};
        dem_world *w = NULL;
        dem_particle_handle ball;
        if (dem_contact_model_init(&model) || dem_contact_model_add_actm(&model, &actm) ||
            dem_contact_model_add_film(&model, &film) || dem_world_create(&config, &w, NULL) ||
            dem_contact_model_set(w, 0, 0, &model) || dem_wall_add(w, &wall, NULL) ||
            dem_particle_add(w, &p, &ball) || dem_step(w, dt, 20000) ||
            dem_particle_get(w, ball, &p))
            return fprintf(stderr, "%s\n", w ? dem_world_error(w) : "no world"), 1;
        /* on each way through the film */
        const double loss = 18.849555921538759 * viscosity * radius * radius / mass;
        const double way = loss * log(film.gap_max / film.gap_min);
        const double out = fast > way ? 0.97 * (fast - way) - way : 0.0;
        printf("viscosity %.3f Pa s  Stokes %.3g  rebound %.4f  closed form %.4f\n", viscosity,
               mass * fast / (18.849555921538759 * viscosity * radius * radius),
               p.velocity[2] / fast, fmax(out, 0.0) / fast);
        dem_world_destroy(w);
    }
    return 0;
}
