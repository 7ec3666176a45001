/* SPDX-License-Identifier: MIT */
/* Worlds with every scheme that they take: total momentum in collisions, and two spheres that go
 * round each other for a long time. */
#include "cases.h"
#include "cloud.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *name;
    int32_t scheme;
    double order; /* of the error of the energy */
} schemes[] = {{"synchronized", DEM_INTEGRATOR_VERLET_SYNC, 2.0},
               {"leapfrog", DEM_INTEGRATOR_LEAPFROG, 2.0},
               {"symplectic_euler", DEM_INTEGRATOR_SYMPLECTIC_EULER, 1.0}};

enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

void case_momentum_of_schemes(ledger *l)
{
    const dem_linear law = cloud_law();
    const dem_contact_model model = scene_linear_model(&law);
    l->paper = "newton";
    l->name = "momentum-of-schemes";
    for (int k = 0; k < SCHEMES; ++k) {
        cloud before, after;
        char name[64];
        double change[3] = {0.0}, size = 0.0;
        cloud_make(&before, 7919, 2.2);
        after = before;
        dem_world *world = scene_simple(schemes[k].scheme, 0.0, &model);
        cloud_add(world, &before, 0);
        scene_step(world, cloud_step(&before), 3000);
        cloud_read(world, &after, 0);
        for (int n = 0; n < CLOUD_COUNT; ++n)
            for (int c = 0; c < 3; ++c) {
                change[c] += before.mass[n] * (after.v[n][c] - before.v[n][c]);
                size += before.mass[n] * fabs(before.v[n][c]);
            }
        (void)snprintf(name, sizeof name, "change_over_sum_%s", schemes[k].name);
        ledger_below(l, CONSERVATION, name,
                     fmax(fabs(change[0]), fmax(fabs(change[1]), fabs(change[2]))) / size, 1e-12);
        (void)snprintf(name, sizeof name, "spheres_rubbed_%s", schemes[k].name);
        ledger_above(l, BOUND, name, scene_energies(world).dissipated_slip, 0.0);
        dem_world_destroy(world);
    }
}

/* A law that pulls like a spring of length 0 and reaches far. */
static const double REACH = 10.0;

static dem_status tether_combine(void *user, const void *parameters, dem_pair_properties *pair,
                                 void *combined, dem_error *error)
{
    (void)user;
    (void)pair;
    (void)error;
    memcpy(combined, parameters, sizeof(double));
    return DEM_OK;
}

static double tether_reach(void *user, const void *combined, double radius_i, double radius_j)
{
    (void)user;
    (void)combined;
    (void)radius_i;
    (void)radius_j;
    return REACH;
}

static dem_status tether_evaluate(void *user, uint64_t n, dem_contact_batch *batch,
                                  const void *combined)
{
    double stiffness;
    (void)user;
    memcpy(&stiffness, combined, sizeof stiffness);
    for (uint64_t k = 0; k < n; ++k) {
        const double length = batch->radius_i[k] + batch->radius_j[k] - batch->overlap[k];
        batch->touching[k] = 1.0;
        batch->force_normal[k] = -stiffness * length;
        batch->elastic_energy[k] = 0.5 * stiffness * length * length;
    }
    return DEM_OK;
}

typedef struct orbit_seen {
    double early, late; /* greatest error of the energy in the first and the last rounds */
    double turning;     /* greatest change of the angular momentum */
} orbit_seen;

/* An ellipse of axes 2 and 1 m about the common centre, ROUNDS times, dt a fraction of a round. */
enum { ROUNDS = 60, LOOK = 10 };

static orbit_seen orbit(int32_t scheme, uint64_t steps)
{
    static const double pi = 3.14159265358979323846, stiffness = 3.0, mass[2] = {1.0, 2.0};
    const double reduced = mass[0] * mass[1] / (mass[0] + mass[1]);
    const double omega = sqrt(stiffness / reduced), dt = 2.0 * pi / omega / (double)steps;
    dem_world_config config;
    dem_contact_model model;
    dem_law row;
    dem_world *world = NULL;
    dem_particle_handle handle[2];
    orbit_seen seen = {0};
    MUST(dem_world_config_init(&config));
    config.integrator = scheme;
    MUST(dem_world_create(&config, &world, NULL));
    MUST(dem_law_init(&row));
    row.name = "tether";
    row.version = 1;
    row.kind = DEM_LAW_WHOLE;
    row.parameters_size = row.combined_size = sizeof(double);
    row.combine = tether_combine;
    row.reach = tether_reach;
    row.evaluate = tether_evaluate;
    MUST(dem_world_law_register(world, &row));
    MUST(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = "tether", .parameters = &stiffness};
    MUST(dem_contact_model_set(world, 0, 0, &model));
    for (int n = 0; n < 2; ++n) {
        const double share = (n == 0 ? mass[1] : -mass[0]) / (mass[0] + mass[1]);
        dem_particle p;
        MUST(dem_particle_init(&p));
        p.radius = 0.1;
        p.mass = mass[n];
        p.position[0] = 2.0 * share;
        p.velocity[1] = 1.0 * omega * share;
        MUST(dem_particle_add(world, &p, &handle[n]));
    }
    dem_world_energies e = scene_energies(world);
    const double start = e.kinetic_translation + 0.5 * stiffness * 4.0;
    const double turn = reduced * 2.0 * omega;
    for (uint64_t step = 0; step < ROUNDS * steps; ++step) {
        scene_step(world, dt, 1);
        e = scene_energies(world);
        const double error = fabs(e.kinetic_translation + e.elastic - start) / start;
        double *worst = step < LOOK * steps               ? &seen.early
                        : step >= (ROUNDS - LOOK) * steps ? &seen.late
                                                          : NULL;
        if (worst != NULL)
            *worst = fmax(*worst, error);
        const dem_particle p = scene_get(world, handle[0]), q = scene_get(world, handle[1]);
        double angular_velocity = 0.0;
        angular_velocity +=
            mass[0] * (p.position[0] * p.velocity[1] - p.position[1] * p.velocity[0]);
        angular_velocity +=
            mass[1] * (q.position[0] * q.velocity[1] - q.position[1] * q.velocity[0]);
        seen.turning = fmax(seen.turning, fabs(angular_velocity / turn - 1.0));
    }
    dem_world_destroy(world);
    return seen;
}

/* The error of the energy swings and does not grow; with leapfrog it is that of the positions'
 * time, so it has the scheme's order. */
void case_orbits(ledger *l)
{
    l->paper = "kepler";
    l->name = "orbits";
    for (int k = 0; k < SCHEMES; ++k) {
        char name[64];
        const orbit_seen coarse = orbit(schemes[k].scheme, 100),
                         fine = orbit(schemes[k].scheme, 200);
        (void)snprintf(name, sizeof name, "energy_error_order_%s", schemes[k].name);
        ledger_near(l, ORDER, name, log2(coarse.early / fine.early), schemes[k].order, 0.1);
        (void)snprintf(name, sizeof name, "energy_error_last_rounds_over_first_%s",
                       schemes[k].name);
        ledger_near(l, CONSERVATION, name, coarse.late / coarse.early, 1.0, 0.01);
        (void)snprintf(name, sizeof name, "angular_momentum_%s", schemes[k].name);
        ledger_below(l, CONSERVATION, name, coarse.turning, 1e-11);
    }
}
