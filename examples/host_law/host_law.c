/* SPDX-License-Identifier: MIT. A law of the host's own: a linear spring, and viscous friction up
 * to Coulomb's limit, without a tangential spring. A ball skids on a plane until it rolls. */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>

typedef struct my_law {
    double stiffness, viscosity, friction; /* N/m, kg/s, 1 */
} my_law;

/* Once per pair of materials: checks what the host gave, and makes what my_evaluate gets. */
static dem_status my_combine(void *user, const void *parameters, dem_pair_properties *pair,
                             void *combined, dem_error *error)
{
    (void)user, (void)pair;
    my_law *p = combined;
    *p = *(const my_law *)parameters;
    if (p->stiffness > 0.0)
        return DEM_OK;
    snprintf(error->message, sizeof error->message, "my_law.stiffness: must be > 0 N/m");
    return DEM_ERROR_RANGE;
}

static dem_status my_evaluate(void *user, uint64_t n, dem_contact_batch *b, const void *combined)
{
    (void)user;
    enum { Y = DEM_BATCH_SIZE, Z = 2 * DEM_BATCH_SIZE }; /* where vectors' y and z are */
    const my_law *p = combined;
    for (uint64_t k = 0; k < n; ++k) {
        if (b->touching[k] == 0.0)
            continue; /* the contact has just ended: forces stay 0 */
        const double *v = b->velocity + k, *du = b->increment + k;
        const double fn = p->stiffness * b->overlap[k];
        const double speed = sqrt(v[0] * v[0] + v[Y] * v[Y] + v[Z] * v[Z]);
        const double factor = fmin(p->viscosity, p->friction * fn / fmax(speed, 1e-12));
        double *f = b->force_tangential + k;
        f[0] = -factor * v[0], f[Y] = -factor * v[Y], f[Z] = -factor * v[Z];
        b->force_normal[k] = fn;
        b->elastic_energy[k] = 0.5 * fn * b->overlap[k];
        b->dissipated_slip[k] = -(f[0] * du[0] + f[Y] * du[Y] + f[Z] * du[Z]);
    }
    return DEM_OK;
}

/* Tells how long a contact lasts and which steps it bears, for dem_world_timestep_advise and for
 * dem_step, which refuses longer ones. A sphere turns, so the dashpot moves 2/7 of the mass. */
static void my_limits(void *user, const void *combined, double mass, double radius_i,
                      double radius_j, double speed, dem_law_limits *limits)
{
    (void)user, (void)radius_i, (void)radius_j, (void)speed;
    const my_law *p = combined;
    const double time = sqrt(mass / p->stiffness);
    limits->contact_time = 3.14159265358979 * time;
    limits->timestep_limit =
        fmin(2.0 * time, 2.0 / 7.0 * mass / (limits->dashpot_weight * p->viscosity));
    limits->stiffness = p->stiffness;
}

int main(void)
{
    dem_world *world = NULL;
    dem_world_config config;
    dem_law law;
    dem_contact_model model;
    dem_wall plane;
    dem_particle ball;
    dem_particle_handle handle;
    dem_error error = {0};
    if (dem_world_config_init(&config) || dem_law_init(&law) || dem_contact_model_init(&model) ||
        dem_wall_init(&plane) || dem_particle_init(&ball))
        return 1;
    config.gravity[2] = -9.81;
    law.name = "my-law";
    law.parameters_size = law.combined_size = sizeof(my_law);
    law.combine = my_combine;
    law.evaluate = my_evaluate;
    law.limits = my_limits;
    ball.radius = 0.01;
    ball.position[2] = 0.01 - 4.1e-6; /* m g/k deep: it does not bounce */
    ball.velocity[0] = 1.0;
    const my_law parameters = {.stiffness = 1e4, .viscosity = 1.0, .friction = 0.3};
    dem_status status = dem_contact_model_add(&model, law.name, &parameters);
    if (status || (status = dem_world_create(&config, &world, &error)) ||
        (status = dem_world_law_register(world, &law)) ||
        (status = dem_contact_model_set(world, 0, 0, &model)) ||
        (status = dem_wall_add(world, &plane, NULL)) ||
        (status = dem_particle_add(world, &ball, &handle)))
        fprintf(stderr, "%s: %s\n", dem_status_string(status),
                world ? dem_world_error(world) : error.message);
    for (int k = 0; !status && k <= 5; ++k) { /* skids to v = 5/7 v0, t = 2 v0/(7 mu g) = 0.097 */
        if ((status = dem_step(world, 1e-5, k == 0 ? 0 : 4000)) ||
            (status = dem_particle_get(world, handle, &ball))) {
            fprintf(stderr, "%s: %s\n", dem_status_string(status), dem_world_error(world));
            break;
        }
        printf("t %.2f s  velocity %.6f  rolling %.6f m/s\n", dem_world_time(world),
               ball.velocity[0], ball.angular_velocity[1] * ball.radius);
    }
    dem_world_destroy(world);
    return status != DEM_OK;
}
