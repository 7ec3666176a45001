/* SPDX-License-Identifier: MIT */
/* A host with particles, pair search and time loop of its own has walls, too: grains in a drum that
 * turns, with a paddle. A dem_wall_search tells where grains touch a wall,
 * dem_contact_history_slots which contact is which, and dem_contacts_evaluate_geometry the forces,
 * also those on the walls.
 *
 * Contacts among grains and contacts with walls have a history each. Prints the energy of the
 * grains, the work of the walls, what the contacts lost, and the error of the energy balance over
 * what they lost. */
#include <dem/dem.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRAINS = 60, WALLS = 2, ROWS = GRAINS + WALLS, PAIRS = GRAINS * (GRAINS - 1) / 2 };

static const double STEP = 1e-5, MASS = 1.3e-3, RADIUS = 5e-3; /* s, kg, m */
static const double DRUM = 0.06, WIDTH = 0.05, GRAVITY = 9.81; /* m, m, m/s2 */
static const double TURN = -6.0;                               /* rad/s about y */
static const int STEPS = 30000, SHOWN = 10000;

typedef struct host {
    /* grains, then the drum and the paddle */
    double x[ROWS][3], v[ROWS][3], w[ROWS][3], a[ROWS][3], b[ROWS][3], force[ROWS][3],
        torque[ROWS][3], radius[ROWS], mass[ROWS];
    uint64_t id[ROWS];
    dem_contact_history *between, *with[WALLS];
    dem_wall_search *search[WALLS];
    double start[WALLS][3], t, work, power, lost, elastic;
} host;

static void check(dem_status status, const char *message)
{
    if (status != DEM_OK) {
        fprintf(stderr, "%s: %s\n", dem_status_string(status), message);
        exit(1);
    }
}

static dem_contact_history *history(void)
{
    dem_contact_history_config config;
    dem_contact_history *made = NULL;
    dem_contact_model model;
    dem_linear linear;
    dem_error error = {0};
    check(dem_contact_history_config_init(&config), "configuration");
    check(dem_contact_history_create(&config, &made, &error), error.message);
    check(dem_linear_init(&linear), "law");
    linear.stiffness_normal = 1e4;
    linear.restitution = 0.6;
    linear.friction = 0.5;
    check(dem_contact_model_init(&model), "model");
    check(dem_contact_model_add_linear_csds(&model, &linear), "model");
    model.lever_arm = DEM_ARM_CONTACT; /* as where the geometry is given */
    check(dem_contact_history_model_set(made, 0, 0, &model), dem_contact_history_error(made));
    return made;
}

static void walls_make(host *h)
{
    for (int k = 0; k < WALLS; ++k) {
        dem_wall wall;
        dem_wall_search_config config;
        dem_error error = {0};
        check(dem_wall_init(&wall), "wall");
        if (k == 0) { /* a drum with ends, about y */
            wall.shape = DEM_SHAPE_CYLINDER;
            wall.side = DEM_SIDE_INSIDE;
            wall.normal[1] = 1.0;
            wall.normal[2] = 0.0;
            wall.size[0] = DRUM;
            wall.size[1] = WIDTH;
        } else { /* a paddle on its lowest line */
            wall.shape = DEM_SHAPE_RECTANGLE;
            wall.side = DEM_SIDE_BOTH;
            wall.point[2] = -DRUM + 0.014;
            wall.normal[0] = 1.0;
            wall.normal[2] = 0.0;
            wall.axis[1] = 1.0;
            wall.size[0] = WIDTH;
            wall.size[1] = 0.028;
        }
        memcpy(h->start[k], wall.point, sizeof wall.point);
        memcpy(h->x[GRAINS + k], wall.point, sizeof wall.point);
        check(dem_wall_search_config_init(&config), "configuration");
        check(dem_wall_search_create(&config, &wall, &h->search[k], &error), error.message);
        h->with[k] = history();
        h->radius[GRAINS + k] = DRUM; /* larger than a grain's */
        h->w[GRAINS + k][1] = TURN;
    }
}

static void grains_make(host *h)
{
    for (int k = 0; k < GRAINS; ++k) {
        const int at[3] = {k % 5, k / 5 % 4, k / 20};
        h->x[k][0] = 0.0105 * (at[0] - 2);
        h->x[k][1] = 0.0108 * (at[1] - 1.5) + 1e-4 * (k % 7);
        h->x[k][2] = 0.0105 * at[2] - 0.012;
        h->radius[k] = RADIUS;
        h->mass[k] = MASS;
    }
    for (int k = 0; k < ROWS; ++k)
        h->id[k] = (uint64_t)k + 1;
}

/* What all evaluations have in common. */
static dem_contacts_input input_of(host *h, double dt)
{
    dem_contacts_input input;
    check(dem_contacts_input_init(&input), "input");
    input.particle_count = ROWS;
    input.id = h->id;
    input.position = h->x[0];
    input.velocity = h->v[0];
    input.angular_velocity = h->w[0];
    input.acceleration = h->a[0];
    input.angular_acceleration = h->b[0];
    input.radius = h->radius;
    input.mass = h->mass;
    input.force = h->force[0];
    input.torque = h->torque[0];
    input.dt = dt;
    input.velocity_lag = 0.5 * dt;
    return input;
}

static void add_totals(host *h, const dem_contact_totals *totals)
{
    h->elastic += totals->elastic_energy;
    h->lost += totals->dissipated_normal + totals->dissipated_dashpot + totals->dissipated_slip;
}

static void grains_touch(host *h, double dt)
{
    static uint32_t pairs[PAIRS][2];
    dem_contacts_input input = input_of(h, dt);
    dem_contact_totals totals = {.struct_size = sizeof totals};
    for (uint32_t i = 0; i < GRAINS; ++i)
        for (uint32_t j = i + 1; j < GRAINS; ++j) {
            double square = 0.0;
            for (int c = 0; c < 3; ++c)
                square += (h->x[i][c] - h->x[j][c]) * (h->x[i][c] - h->x[j][c]);
            if (square < 4.01 * RADIUS * RADIUS) {
                pairs[input.pair_count][0] = i;
                pairs[input.pair_count++][1] = j;
            }
        }
    input.pairs = pairs[0];
    check(dem_contacts_evaluate(h->between, &input, &totals),
          dem_contact_history_error(h->between));
    add_totals(h, &totals);
}

/* Where the walls are now: they have turned about y. Velocities are those in the middle of the
 * step, as those of the grains are. */
static void walls_place(host *h, double dt)
{
    const double angle = TURN * h->t, half = TURN * (h->t - 0.5 * dt);
    for (int k = 0; k < WALLS; ++k) {
        const double *from = h->start[k];
        double *x = h->x[GRAINS + k], *v = h->v[GRAINS + k], *a = h->a[GRAINS + k];
        a[0] = -TURN * TURN * x[0]; /* at the beginning of the step */
        a[2] = -TURN * TURN * x[2];
        x[0] = cos(angle) * from[0] + sin(angle) * from[2];
        x[2] = cos(angle) * from[2] - sin(angle) * from[0];
        v[0] = TURN * (cos(half) * from[2] - sin(half) * from[0]);
        v[2] = -TURN * (cos(half) * from[0] + sin(half) * from[2]);
    }
}

/* Power of the walls on the grains: torques about y, through the origin. */
static double walls_power(const host *h)
{
    double torque = 0.0;
    for (int k = GRAINS; k < ROWS; ++k)
        torque += h->torque[k][1] + h->x[k][2] * h->force[k][0] - h->x[k][0] * h->force[k][2];
    return -TURN * torque;
}

static void wall_touches(host *h, int k, double dt)
{
    static uint64_t features[8 * GRAINS]; /* the drum has 3 faces, the paddle 1 */
    dem_contacts_input input = input_of(h, dt);
    dem_contacts_geometry geometry;
    dem_contact_totals totals = {.struct_size = sizeof totals};
    dem_wall_spheres spheres;
    dem_wall_contacts found = {.struct_size = sizeof found};
    check(dem_wall_spheres_init(&spheres), "spheres");
    spheres.count = GRAINS;
    spheres.position = h->x[0];
    spheres.radius = h->radius;
    spheres.reach = 0.01 * RADIUS; /* more than a step's way, so that losses are counted */
    spheres.wall_row = (uint32_t)(GRAINS + k);
    spheres.rotation[0] = cos(0.5 * TURN * h->t);
    spheres.rotation[2] = sin(0.5 * TURN * h->t);
    for (int c = 0; c < 3; ++c)
        spheres.displacement[c] = h->x[GRAINS + k][c] - h->start[k][c];
    check(dem_wall_search_spheres(h->search[k], &spheres, &found),
          dem_wall_search_error(h->search[k]));
    check(dem_contacts_geometry_init(&geometry), "geometry");
    input.pair_count = found.count;
    input.pairs = found.pairs;
    geometry.overlap = found.overlap;
    geometry.normal = found.normal;
    geometry.point = found.point;
    geometry.radius = found.radius;
    check(dem_contact_history_slots(h->with[k], &input, &geometry, DEM_MESH_COSINE, features),
          dem_contact_history_error(h->with[k]));
    input.features = features;
    check(dem_contacts_evaluate_geometry(h->with[k], &input, &geometry, &totals),
          dem_contact_history_error(h->with[k]));
    add_totals(h, &totals);
}

/* Half a kick, a drift, forces, half a kick. */
static void step(host *h, double dt)
{
    const double inertia = 0.4 * MASS * RADIUS * RADIUS;
    for (int k = 0; k < GRAINS; ++k)
        for (int c = 0; c < 3; ++c) {
            h->v[k][c] += 0.5 * dt * h->a[k][c];
            h->w[k][c] += 0.5 * dt * h->b[k][c];
            h->x[k][c] += dt * h->v[k][c];
        }
    h->t += dt;
    walls_place(h, dt);
    memset(h->force, 0, sizeof h->force);
    memset(h->torque, 0, sizeof h->torque);
    h->elastic = 0.0;
    grains_touch(h, dt);
    for (int k = 0; k < WALLS; ++k)
        wall_touches(h, k, dt);
    for (int k = 0; k < GRAINS; ++k)
        for (int c = 0; c < 3; ++c) {
            h->a[k][c] = h->force[k][c] / MASS - (c == 2 ? GRAVITY : 0.0);
            h->b[k][c] = h->torque[k][c] / inertia;
            h->v[k][c] += 0.5 * dt * h->a[k][c];
            h->w[k][c] += 0.5 * dt * h->b[k][c];
        }
    const double power = walls_power(h);
    h->work += 0.5 * dt * (h->power + power);
    h->power = power;
}

static double energy(const host *h)
{
    double sum = h->elastic;
    for (int k = 0; k < GRAINS; ++k) {
        sum += MASS * GRAVITY * h->x[k][2];
        for (int c = 0; c < 3; ++c)
            sum += 0.5 * MASS *
                   (h->v[k][c] * h->v[k][c] + 0.4 * RADIUS * RADIUS * h->w[k][c] * h->w[k][c]);
    }
    return sum;
}

int main(void)
{
    static host h;
    grains_make(&h);
    walls_make(&h);
    h.between = history();
    const double start = energy(&h);
    for (int k = 1; k <= STEPS; ++k) {
        step(&h, STEP);
        if (k % SHOWN == 0)
            printf("t %.1f s  energy %.6e J  work %.6e J  lost %.6e J  error_over_lost %.1e\n", h.t,
                   energy(&h), h.work, h.lost, (energy(&h) - start + h.lost - h.work) / h.lost);
    }
    dem_contact_history_destroy(h.between);
    for (int k = 0; k < WALLS; ++k) {
        dem_contact_history_destroy(h.with[k]);
        dem_wall_search_destroy(h.search[k]);
    }
    return 0;
}
