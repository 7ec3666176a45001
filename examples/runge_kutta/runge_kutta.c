/* SPDX-License-Identifier: MIT. A ball rolls along the groove between two that stand still and does
 * not slip. Schemes of stages advance the contacts' springs as part of the state; with the
 * continuous slider each then reaches its order. Prints the error of the path, and the order. */
#include <dem/dem.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct host {
    double x[3][3], v[3][3], w[3][3], force[3][3], torque[3][3];
    dem_contact_history *history;
    dem_integrator *integrator;
    dem_contacts_input input;
    dem_integrator_arrays arrays;
} host;

static const double radius[3] = {0.01, 0.05, 0.05}, mass[3] = {0.01, 1.0, 1.0};
static const double moving_mass[3] = {0.01, 0.0, 0.0}; /* 0: a force does not move it */
static const double inertia[3] = {4e-7, 0.0, 0.0};
static const uint32_t pairs[2][2] = {{0, 1}, {0, 2}};

static dem_status host_step(host *h, double dt)
{
    dem_contacts_stage springs = {.struct_size = sizeof springs};
    dem_status status = dem_contacts_stage_begin(h->history, &h->input, &springs);
    h->arrays.state_count = springs.count;
    h->arrays.state = springs.state;
    h->arrays.state_rate = springs.rate;
    h->arrays.state_jump = springs.jump;
    for (uint32_t k = 0; !status && k < dem_integrator_stage_count(h->integrator); ++k) {
        memset(h->force, 0, sizeof h->force);
        memset(h->torque, 0, sizeof h->torque);
        h->force[0][2] = -9.81 * mass[0];
        if (!(status = dem_contacts_stage_rate(h->history, &h->input, NULL)))
            status = dem_integrator_stage(h->integrator, &h->arrays, dt);
    }
    return status ? status : dem_contacts_stage_end(h->history);
}

static dem_status host_create(host *h, int32_t scheme)
{
    dem_contact_history_config config;
    dem_integrator_config integrator;
    dem_contact_model model;
    dem_linear law;
    memset(h, 0, sizeof *h);
    if (dem_contact_history_config_init(&config) || dem_integrator_config_init(&integrator) ||
        dem_contact_model_init(&model) || dem_linear_init(&law) ||
        dem_contacts_input_init(&h->input) || dem_integrator_arrays_init(&h->arrays))
        return DEM_ERROR_ARGUMENT;
    law.stiffness_normal = 1e3;
    law.restitution = 0.8;
    law.friction = 10.0; /* never slips */
    integrator.scheme = scheme;
    h->input.particle_count = h->arrays.count = 3;
    h->input.position = h->arrays.position = h->x[0];
    h->input.velocity = h->arrays.velocity = h->v[0];
    h->input.angular_velocity = h->arrays.angular_velocity = h->w[0];
    h->input.force = h->force[0];
    h->input.torque = h->torque[0];
    h->arrays.force = h->force[0];
    h->arrays.torque = h->torque[0];
    h->input.radius = radius;
    h->input.mass = mass;
    h->input.pair_count = 2;
    h->input.pairs = pairs[0];
    h->arrays.mass = moving_mass;
    h->arrays.inertia = inertia;
    dem_status status = dem_contact_model_add_linear_csds(&model, &law);
    if (!status)
        status = dem_contact_history_create(&config, &h->history, NULL);
    if (!status)
        status = dem_contact_history_model_set(h->history, 0, 0, &model);
    return status ? status : dem_integrator_create(&integrator, &h->integrator, NULL);
}

/* Rolls for 0.02 s from 10 degrees beside the top, pressed in by 0.1 mm. */
static dem_status roll(int32_t scheme, int steps, double end[3])
{
    host h;
    dem_status status = host_create(&h, scheme);
    const double distance = sqrt(0.0599 * 0.0599 - 0.05 * 0.05);
    h.x[0][1] = distance * sin(0.1745), h.x[0][2] = distance * cos(0.1745);
    h.x[1][0] = -0.05, h.x[2][0] = 0.05;
    h.v[0][1] = 0.1;
    for (int k = 0; !status && k < steps; ++k)
        status = host_step(&h, 0.02 / steps);
    if (status)
        fprintf(stderr, "%s: %s%s\n", dem_status_string(status),
                dem_contact_history_error(h.history), dem_integrator_error(h.integrator));
    memcpy(end, h.x[0], sizeof h.x[0]);
    dem_integrator_destroy(h.integrator);
    dem_contact_history_destroy(h.history);
    return status;
}

static double apart(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

int main(void)
{
    static const struct {
        const char *name;
        int32_t scheme;
    } schemes[] = {{"euler", DEM_INTEGRATOR_EULER},
                   {"midpoint", DEM_INTEGRATOR_MIDPOINT},
                   {"heun", DEM_INTEGRATOR_HEUN},
                   {"rk4", DEM_INTEGRATOR_RK4}};
    double exact[3], coarse[3], fine[3];
    if (roll(DEM_INTEGRATOR_RK4, 4000, exact))
        return 1;
    for (int k = 0; k < 4; ++k) {
        if (roll(schemes[k].scheme, 200, coarse) || roll(schemes[k].scheme, 400, fine))
            return 1;
        const double a = apart(coarse, exact), b = apart(fine, exact);
        printf("%-8s error %.3e m with dt 0.1 ms, %.3e m with 0.05 ms: order %.2f\n",
               schemes[k].name, a, b, log2(a / b));
    }
    return 0;
}
