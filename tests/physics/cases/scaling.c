/* SPDX-License-Identifier: MIT */
/* What must not change a bit: units that differ by powers of two, and the order in which particles
 * with given ids are added. */
#include "cases.h"
#include "cloud.h"

#include <math.h>
#include <string.h>

enum { STEPS = 4000 };

/* Units of length, time and mass, as powers of two. */
typedef struct units {
    int length, time, mass;
} units;

static double scaled(double value, const units *u, int length, int time, int mass)
{
    return ldexp(value, length * u->length + time * u->time + mass * u->mass);
}

/* Two laws whose stiffness has other units. */
enum { LINEAR, MINDLIN, MODELS };

static dem_world *open_world(int model_index, const cloud *c, const units *u)
{
    dem_linear linear = cloud_law();
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_rolling rolling;
    dem_contact_model model = scene_linear_model(&linear);
    linear.stiffness_normal = scaled(linear.stiffness_normal, u, 0, -2, 1);
    MUST(dem_hertz_init(&hertz));
    hertz.young[0] = scaled(1e8, u, -1, -2, 1);
    hertz.restitution = 0.7;
    MUST(dem_mindlin_init(&mindlin));
    MUST(dem_rolling_init(&rolling));
    rolling.stiffness = scaled(3e3, u, 0, -2, 1);
    if (model_index == MINDLIN) {
        model.parts[0] = (dem_contact_part){DEM_LAW_HERTZ, &hertz};
        model.parts[1] = (dem_contact_part){DEM_LAW_MINDLIN, &mindlin};
    }
    model.parts[model_index == MINDLIN ? 2 : 1] =
        (dem_contact_part){DEM_LAW_ROLLING_CSDS, &rolling};
    dem_world_config config;
    MUST(dem_world_config_init(&config));
    config.gravity[2] = scaled(-9.81, u, 1, -2, 0);
    for (int a = 0; a < 2; ++a) {
        config.boundary[a] = DEM_BOUNDARY_PERIODIC;
        config.box_low[a] = scaled(-0.5 * c->edge, u, 1, 0, 0);
        config.box_high[a] = scaled(0.5 * c->edge, u, 1, 0, 0);
    }
    dem_world *world = scene_world_of(&config, &model);
    dem_wall wall;
    MUST(dem_wall_init(&wall));
    wall.id = CLOUD_WALL;
    wall.point[2] = scaled(-0.5 * c->edge, u, 1, 0, 0);
    wall.velocity[0] = scaled(0.3, u, 1, -1, 0);
    MUST(dem_wall_add(world, &wall, NULL));
    return world;
}

/* In other units. */
static cloud cloud_scaled(const cloud *c, const units *u)
{
    cloud s = *c;
    s.edge = scaled(c->edge, u, 1, 0, 0);
    for (int k = 0; k < CLOUD_COUNT; ++k) {
        s.mass[k] = scaled(c->mass[k], u, 0, 0, 1);
        s.radius[k] = scaled(c->radius[k], u, 1, 0, 0);
        for (int a = 0; a < 3; ++a) {
            s.x[k][a] = scaled(c->x[k][a], u, 1, 0, 0);
            s.v[k][a] = scaled(c->v[k][a], u, 1, -1, 0);
            s.w[k][a] = scaled(c->w[k][a], u, 0, -1, 0);
        }
    }
    return s;
}

/* Values of the two that differ, of all places, velocities and spins. */
static int values_apart(const cloud *a, const cloud *b)
{
    int apart = 0;
    for (int k = 0; k < CLOUD_COUNT; ++k)
        for (int c = 0; c < 3; ++c)
            apart += (a->x[k][c] != b->x[k][c]) + (a->v[k][c] != b->v[k][c]) +
                     (a->w[k][c] != b->w[k][c]);
    return apart;
}

/* Spheres that met something: nothing else changes an angular velocity. */
static int spheres_met(const cloud *a, const cloud *b)
{
    int met = 0;
    for (int k = 0; k < CLOUD_COUNT; ++k)
        met += memcmp(a->w[k], b->w[k], sizeof a->w[k]) != 0;
    return met;
}

/* Powers of sixteen where a law takes roots of fourth order of what has units. */
void case_units(ledger *l)
{
    static const units apart[MODELS][3] = {{{7, -3, 5}, {-9, 11, -20}, {0, 1, 0}},
                                           {{8, -4, 4}, {-8, 12, -20}, {0, 4, 0}}};
    static const char *const name[MODELS] = {"linear", "hertz_mindlin"};
    static const units none = {0, 0, 0};
    l->paper = "newton";
    l->name = "units-by-powers-of-two";
    for (int model = 0; model < MODELS; ++model) {
        cloud start, end, other;
        int differ = 0;
        cloud_make(&start, 1234567, 2.2);
        const double dt = cloud_step(&start);
        dem_world *world = open_world(model, &start, &none);
        cloud_add(world, &start, 0);
        scene_step(world, dt, STEPS);
        end = start;
        cloud_read(world, &end, 0);
        const double energy = scene_energies(world).kinetic_translation;
        dem_world_destroy(world);
        for (int k = 0; k < 3; ++k) {
            const units *u = &apart[model][k];
            const units back = {-u->length, -u->time, -u->mass};
            other = cloud_scaled(&start, u);
            world = open_world(model, &start, u);
            cloud_add(world, &other, 0);
            scene_step(world, scaled(dt, u, 0, 1, 0), STEPS);
            cloud_read(world, &other, 0);
            differ += scene_energies(world).kinetic_translation != scaled(energy, u, 2, -2, 1);
            dem_world_destroy(world);
            other = cloud_scaled(&other, &back);
            differ += values_apart(&end, &other);
        }
        ledger_near(l, CONSERVATION, name[model], differ, 0.0, 0.0);
        ledger_above(l, BOUND, "spheres_that_met_something", spheres_met(&end, &start), 40.0);
    }
}

/* ------------------------------------------------------------ order of adding */

/* A heap: spheres of mixed size, none of which share a cell of the search, fall onto each other
 * until most have several contacts. */
enum { HEAP_EDGE = 6, HEAP_LAYERS = 8, HEAP = HEAP_EDGE * HEAP_EDGE * HEAP_LAYERS };

/* The spheres of the heap, their numbers shuffled; ids go with the spheres. */
static void heap_make(dem_particle p[HEAP], uint64_t shuffle)
{
    uint64_t seed = 20200202;
    for (int k = 0; k < HEAP; ++k) {
        const int cell[3] = {k % HEAP_EDGE, k / HEAP_EDGE % HEAP_EDGE, k / (HEAP_EDGE * HEAP_EDGE)};
        MUST(dem_particle_init(&p[k]));
        p[k].id = (uint64_t)(CLOUD_FIRST + k);
        p[k].radius = scene_random(&seed, 0.7e-3, 0.95e-3);
        p[k].mass = 1e-5;
        for (int c = 0; c < 3; ++c) {
            p[k].position[c] = 2e-3 * (cell[c] + 0.5 + scene_random(&seed, -0.02, 0.02));
            p[k].velocity[c] = scene_random(&seed, -0.1, 0.1);
        }
    }
    for (int k = HEAP - 1; k > 0 && shuffle != 0; --k) {
        const int other = (int)scene_random(&shuffle, 0.0, k + 1.0);
        const dem_particle kept = p[k];
        p[k] = p[other];
        p[other] = kept;
    }
}

static dem_world *heap_world(void)
{
    const dem_linear law = cloud_law();
    const dem_contact_model model = scene_linear_model(&law);
    dem_world_config config;
    dem_wall wall;
    MUST(dem_world_config_init(&config));
    config.gravity[2] = -9.81;
    for (int a = 0; a < 2; ++a) {
        config.boundary[a] = DEM_BOUNDARY_PERIODIC;
        config.box_high[a] = 2e-3 * HEAP_EDGE;
    }
    dem_world *world = scene_world_of(&config, &model);
    MUST(dem_wall_init(&wall));
    wall.id = CLOUD_WALL_LOW;
    MUST(dem_wall_add(world, &wall, NULL));
    return world;
}

void case_order_of_adding(ledger *l)
{
    static dem_particle p[HEAP], end[3][HEAP];
    uint64_t hash[3];
    int differ = 0;
    double contacts = 0.0;
    l->paper = "newton";
    l->name = "order-of-adding";
    for (int k = 0; k < 3; ++k) {
        dem_world *world = heap_world();
        heap_make(p, (uint64_t)k * 99991);
        MUST(dem_particles_add(world, HEAP, p, NULL));
        scene_step(world, 1e-5, 20000);
        contacts = (double)scene_counts(world).contacts;
        MUST(dem_world_hash(world, &hash[k]));
        for (int n = 0; n < HEAP; ++n) {
            dem_particle_handle handle;
            MUST(dem_particle_find(world, (uint64_t)(CLOUD_FIRST + n), &handle));
            end[k][n] = scene_get(world, handle);
            differ +=
                memcmp(end[k][n].position, end[0][n].position, sizeof end[k][n].position) != 0;
            differ +=
                memcmp(end[k][n].velocity, end[0][n].velocity, sizeof end[k][n].velocity) != 0;
        }
        differ += hash[0] != hash[k];
        dem_world_destroy(world);
    }
    ledger_near(l, CONSERVATION, "spheres_and_hashes_that_differ", differ, 0.0, 0.0);
    ledger_above(l, BOUND, "contacts_a_sphere", contacts / HEAP, 1.5);
}
