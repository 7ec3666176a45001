/* SPDX-License-Identifier: MIT. Lubrication as a law of the host's own beside the collision model
 * "actm": a sphere falls through a viscous film on a wall and rebounds through it.
 * F = -6 pi mu R*^2 v_n/gap (Cox and Brenner 1967; Kempe and Froehlich 2012), from gap_max, beyond
 * which the fluid solver resolves the film, down to gap_min, about the roughness. */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>

typedef struct film {
    double viscosity, gap_min, gap_max; /* Pa s; m; m */
} film;

static dem_status film_combine(void *user, const void *parameters, dem_pair_properties *pair,
                               void *combined, dem_error *error)
{
    (void)user, (void)pair;
    const film *p = parameters;
    *(film *)combined = *p;
    if (p->viscosity >= 0.0 && p->gap_min > 0.0 && p->gap_max > p->gap_min)
        return DEM_OK;
    snprintf(error->message, sizeof error->message, "film: want gap_max > gap_min > 0 m");
    return DEM_ERROR_RANGE;
}

/* How far beyond touch the law acts: the search lists such pairs. */
static double film_reach(void *user, const void *combined, double radius_i, double radius_j)
{
    (void)user, (void)radius_i, (void)radius_j;
    return ((const film *)combined)->gap_max;
}

static dem_status film_evaluate(void *user, uint64_t n, dem_contact_batch *b, const void *combined)
{
    (void)user;
    const film *p = combined;
    for (uint64_t k = 0; k < n; ++k) {
        const double gap = -b->overlap[k], width = fmax(gap, p->gap_min);
        if (gap < 0.0 || gap >= p->gap_max) /* in touch the collision model acts alone */
            continue;
        const double drag = 18.849555921538759 * p->viscosity * b->radius[k] * b->radius[k] / width;
        b->touching[k] = 1.0;
        b->force_normal[k] -= drag * b->velocity_normal[k];
        b->dissipated_normal[k] += drag * b->overlap_rate[k] * b->overlap_rate[k] * b->dt;
    }
    return DEM_OK;
}

int main(void)
{
    const double radius = 1e-3, mass = 7800.0 * 4.1887902047863905 * 1e-9, fast = 0.2, dt = 1e-7;
    dem_law law;
    dem_wall wall;
    dem_world_config config;
    dem_actm actm;
    if (dem_law_init(&law) || dem_wall_init(&wall) || dem_world_config_init(&config) ||
        dem_actm_init(&actm))
        return 1;
    law.name = "lubrication";
    law.kind = DEM_LAW_FURTHER;
    law.parameters_size = law.combined_size = sizeof(film);
    law.combine = film_combine, law.reach = film_reach, law.evaluate = film_evaluate;
    actm.restitution = 0.97, actm.contact_time = 2e-5, actm.speed_floor = 1e-3;
    actm.young[0] = 2e11;
    for (double viscosity = 0.0; viscosity < 0.1; viscosity = 2.0 * viscosity + 0.005) {
        const film f = {viscosity, 1e-6, 1e-4};
        dem_contact_model model;
        dem_particle p = {sizeof p, 0, {0, 0, 1.11e-3}, {0, 0, -fast}, {0}, radius, mass, 0, 0, 0};
        dem_world *w = NULL;
        dem_particle_handle ball;
        if (dem_contact_model_init(&model) || dem_contact_model_add_actm(&model, &actm) ||
            dem_contact_model_add(&model, law.name, &f) || dem_world_create(&config, &w, NULL) ||
            dem_world_law_register(w, &law) || dem_contact_model_set(w, 0, 0, &model) ||
            dem_wall_add(w, &wall, NULL) || dem_particle_add(w, &p, &ball) ||
            dem_step(w, dt, 40000) || dem_particle_get(w, ball, &p))
            return fprintf(stderr, "%s\n", w ? dem_world_error(w) : "no world"), 1;
        /* on each way through the film: m dv = -6 pi mu R^2 dh/h, and constant below gap_min */
        const double loss = 18.849555921538759 * viscosity * radius * radius / mass;
        const double way = loss * (log(f.gap_max / f.gap_min) + 1.0);
        const double out = fast > way ? 0.97 * (fast - way) - way : 0.0;
        printf("viscosity %.3f Pa s  Stokes %.3g  rebound %.4f  closed form %.4f\n", viscosity,
               mass * fast / (18.849555921538759 * viscosity * radius * radius),
               p.velocity[2] / fast, fmax(out, 0.0) / fast);
        dem_world_destroy(w);
    }
    return 0;
}
