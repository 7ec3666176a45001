/* SPDX-License-Identifier: MIT */
/* A host with particles, pair search and time loop of its own, that leaves to libdem only what
 * happens in contacts: a granular gas in a box that is periodic on all axes.
 *
 * The particles are an array of structs; libdem reads it through strides. At the end the same gas
 * runs in a dem_world. The two do the same arithmetic per contact but store positions differently
 * (the host unwrapped, the world inside the box) and sum forces in different orders, so they agree
 * to round-off, which every collision then multiplies by a few. */
#include <dem/dem.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 4, COUNT = SIDE * SIDE * SIDE, PAIRS = COUNT * (COUNT - 1) / 2 };

static const double BOX = 0.1;   /* m, cube */
static const double STEP = 2e-6; /* s, a hundredth of a contact time */
static const int STEPS = 25000;

/* The host's particle: position (unwrapped), velocity, angular velocity, force, torque. */
typedef struct body {
    double x[3], v[3], w[3], f[3], t[3];
} body;

/* All the host has. Radius, mass and inertia are read packed, so they are arrays of their own. */
typedef struct gas {
    body bodies[COUNT];
    double radius[COUNT], mass[COUNT], inertia[COUNT];
    uint64_t id[COUNT];
    uint32_t pairs[PAIRS][2];
    double shifts[PAIRS][3];
    int32_t images[PAIRS][3];
    uint64_t pair_count;
    double dissipated;
    dem_contact_totals totals;
} gas;

static void check(dem_status status, const char *message)
{
    if (status != DEM_OK) {
        fprintf(stderr, "%s: %s\n", dem_status_string(status), message);
        exit(1);
    }
}

/* A number in [0, 1) from a fixed sequence, the same on every machine. */
static double random_number(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void gas_fill(gas *g)
{
    memset(g, 0, sizeof *g);
    double momentum[3] = {0.0, 0.0, 0.0}, mass = 0.0;
    for (int k = 0; k < COUNT; ++k) {
        body *b = &g->bodies[k];
        const int cell[3] = {k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE)};
        g->id[k] = (uint64_t)k + 1;
        g->radius[k] = 0.008 + 0.003 * random_number();
        g->mass[k] = 2500.0 * 4.0 / 3.0 * 3.141592653589793 * pow(g->radius[k], 3.0);
        g->inertia[k] = 0.4 * g->mass[k] * g->radius[k] * g->radius[k];
        for (int c = 0; c < 3; ++c) {
            b->x[c] = BOX / SIDE * (cell[c] + 0.5);
            b->v[c] = 2.0 * random_number() - 1.0;
            b->w[c] = 100.0 * (2.0 * random_number() - 1.0);
            momentum[c] += g->mass[k] * b->v[c];
        }
        mass += g->mass[k];
    }
    for (int k = 0; k < COUNT; ++k)
        for (int c = 0; c < 3; ++c)
            g->bodies[k].v[c] -= momentum[c] / mass;
}

/* Every pair whose nearest images touch, each once. A spring needs no skin: pairs that do not
 * touch need not be listed, and a pair that is no longer listed has separated. */
static void gas_search(gas *g)
{
    g->pair_count = 0;
    for (uint32_t i = 0; i < COUNT; ++i)
        for (uint32_t j = i + 1; j < COUNT; ++j) {
            double square = 0.0, shift[3];
            int32_t image[3];
            for (int c = 0; c < 3; ++c) {
                const double d = g->bodies[i].x[c] - g->bodies[j].x[c];
                image[c] = (int32_t)floor(d / BOX + 0.5);
                shift[c] = image[c] * BOX;
                square += (d - shift[c]) * (d - shift[c]);
            }
            const double reach = 1.001 * (g->radius[i] + g->radius[j]);
            if (square > reach * reach)
                continue;
            const uint64_t p = g->pair_count++;
            g->pairs[p][0] = i;
            g->pairs[p][1] = j;
            memcpy(g->shifts[p], shift, sizeof shift);
            memcpy(g->images[p], image, sizeof image);
        }
}

static void gas_step(gas *g, dem_contact_history *history, dem_integrator *integrator)
{
    dem_integrator_arrays arrays;
    check(dem_integrator_arrays_init(&arrays), "arrays");
    arrays.count = COUNT;
    arrays.position = g->bodies[0].x;
    arrays.velocity = g->bodies[0].v;
    arrays.angular_velocity = g->bodies[0].w;
    arrays.force = g->bodies[0].f;
    arrays.torque = g->bodies[0].t;
    arrays.mass = g->mass;
    arrays.inertia = g->inertia;
    arrays.position_stride = arrays.velocity_stride = arrays.angular_velocity_stride =
        arrays.force_stride = arrays.torque_stride = sizeof(body);
    check(dem_integrator_begin(integrator, &arrays, STEP), dem_integrator_error(integrator));

    gas_search(g);
    for (int k = 0; k < COUNT; ++k) {
        memset(g->bodies[k].f, 0, sizeof g->bodies[k].f);
        memset(g->bodies[k].t, 0, sizeof g->bodies[k].t);
    }
    dem_contacts_input input;
    check(dem_contacts_input_init(&input), "input");
    input.particle_count = COUNT;
    input.id = g->id;
    input.position = g->bodies[0].x;
    input.velocity = g->bodies[0].v;
    input.angular_velocity = g->bodies[0].w;
    input.force = g->bodies[0].f;
    input.torque = g->bodies[0].t;
    input.position_stride = input.velocity_stride = input.angular_velocity_stride =
        input.force_stride = input.torque_stride = sizeof(body);
    input.radius = g->radius;
    input.mass = g->mass;
    input.pair_count = g->pair_count;
    input.pairs = g->pairs[0];
    input.shifts = g->shifts[0];
    input.images = g->images[0];
    check(dem_integrator_prepare(integrator, &input), dem_integrator_error(integrator));
    g->totals.struct_size = sizeof g->totals;
    check(dem_contacts_evaluate(history, &input, &g->totals), dem_contact_history_error(history));
    g->dissipated +=
        g->totals.dissipated_normal + g->totals.dissipated_dashpot + g->totals.dissipated_slip;

    check(dem_integrator_end(integrator, &arrays), dem_integrator_error(integrator));
}

static double gas_kinetic(const gas *g)
{
    double sum = 0.0;
    for (int k = 0; k < COUNT; ++k)
        for (int c = 0; c < 3; ++c)
            sum += 0.5 * g->mass[k] * g->bodies[k].v[c] * g->bodies[k].v[c] +
                   0.5 * g->inertia[k] * g->bodies[k].w[c] * g->bodies[k].w[c];
    return sum;
}

/* Length of the momentum over the sum of the lengths of its parts. */
static double gas_momentum(const gas *g)
{
    double sum[3] = {0.0, 0.0, 0.0}, parts = 0.0;
    for (int k = 0; k < COUNT; ++k) {
        const double *v = g->bodies[k].v;
        parts += g->mass[k] * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int c = 0; c < 3; ++c)
            sum[c] += g->mass[k] * v[c];
    }
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / parts;
}

/* The same gas, before its first step, in a world. */
static dem_world *gas_world(const gas *g, const dem_contact_model *model)
{
    dem_error error = {0};
    dem_world *world = NULL;
    dem_world_config config;
    check(dem_world_config_init(&config), "world configuration");
    for (int c = 0; c < 3; ++c) {
        config.boundary[c] = DEM_BOUNDARY_PERIODIC;
        config.box_high[c] = BOX;
    }
    check(dem_world_create(&config, &world, &error), error.message);
    check(dem_contact_model_set(world, 0, 0, model), dem_world_error(world));
    for (int k = 0; k < COUNT; ++k) {
        dem_particle p;
        check(dem_particle_init(&p), "particle");
        p.id = g->id[k];
        p.radius = g->radius[k];
        p.mass = g->mass[k];
        memcpy(p.position, g->bodies[k].x, sizeof p.position);
        memcpy(p.velocity, g->bodies[k].v, sizeof p.velocity);
        memcpy(p.angular_velocity, g->bodies[k].w, sizeof p.angular_velocity);
        check(dem_particle_add(world, &p, NULL), dem_world_error(world));
    }
    return world;
}

/* Largest difference of a coordinate, in units of the box, and of a velocity, m/s. */
static void gas_compare(const gas *g, const dem_world *world)
{
    double position = 0.0, velocity = 0.0;
    for (int k = 0; k < COUNT; ++k) {
        dem_particle_handle handle;
        dem_particle p = {.struct_size = sizeof p};
        check(dem_particle_find(world, g->id[k], &handle), dem_world_error(world));
        check(dem_particle_get(world, handle, &p), dem_world_error(world));
        for (int c = 0; c < 3; ++c) {
            position = fmax(position, fabs(p.position[c] - g->bodies[k].x[c]) / BOX);
            velocity = fmax(velocity, fabs(p.velocity[c] - g->bodies[k].v[c]));
        }
    }
    printf("  against dem_world: position %.1e of the box, velocity %.1e m/s\n", position,
           velocity);
}

int main(void)
{
    static gas g; /* large for a stack */
    gas_fill(&g);

    dem_linear law;
    check(dem_linear_init(&law), "law");
    law.stiffness_normal = 1e6;
    law.restitution = 0.9;
    law.friction = 0.3;
    dem_contact_model model;
    check(dem_contact_model_init(&model), "model");
    check(dem_contact_model_add_linear_csds(&model, &law), "model");

    dem_error error = {0};
    dem_contact_history *history = NULL;
    dem_contact_history_config history_config;
    check(dem_contact_history_config_init(&history_config), "history configuration");
    check(dem_contact_history_create(&history_config, &history, &error), error.message);
    check(dem_contact_history_model_set(history, 0, 0, &model), dem_contact_history_error(history));

    dem_integrator *integrator = NULL;
    dem_integrator_config integrator_config;
    check(dem_integrator_config_init(&integrator_config), "integrator configuration");
    check(dem_integrator_create(&integrator_config, &integrator, &error), error.message);

    dem_world *world = gas_world(&g, &model);
    const double start = gas_kinetic(&g); /* nothing touches yet: forces and elastic are 0 */
    for (int k = 0; k <= STEPS; ++k) {
        if (k % (STEPS / 5) == 0) {
            const double kinetic = gas_kinetic(&g);
            const double sum = kinetic + g.totals.elastic_energy + g.dissipated;
            printf("t %.3f s  kinetic %.4e  elastic %.4e  dissipated %.4e J  balance %+.1e  "
                   "momentum %.1e  contacts %d\n",
                   k * STEP, kinetic, g.totals.elastic_energy, g.dissipated, sum / start - 1.0,
                   gas_momentum(&g), (int)dem_contact_history_count(history));
            gas_compare(&g, world);
        }
        if (k == STEPS)
            break;
        gas_step(&g, history, integrator);
        check(dem_step(world, STEP, 1), dem_world_error(world));
    }
    dem_world_destroy(world);
    dem_integrator_destroy(integrator);
    dem_contact_history_destroy(history);
    return 0;
}
