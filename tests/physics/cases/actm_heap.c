/* SPDX-License-Identifier: MIT */
/* A heap at rest under gravity: contacts that were fixed in impacts carry it without sinking and
 * without jitter. */
#include "cases.h"
#include "scene.h"

#include <math.h>

static const double GRAVITY = 9.81, DIAMETER = 0.01, STEP = 5e-5;

enum { EDGE = 4, LAYERS = 6, GRAINS = EDGE * EDGE * LAYERS };

/* Spheres of 0.9 to 1.1 of the diameter fall on a plane, periodic sideways. */
static dem_world *heap(const dem_actm *p)
{
    dem_world_config config;
    dem_contact_model model;
    dem_wall floor;
    MUST(dem_world_config_init(&config));
    config.gravity[2] = -GRAVITY;
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[1] = EDGE * DIAMETER * 1.15;
    MUST(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = DEM_LAW_ACTM, .parameters = p};
    dem_world *world = scene_world_of(&config, &model);
    MUST(dem_wall_init(&floor));
    MUST(dem_wall_add(world, &floor, NULL));
    uint64_t seed = 4711;
    for (int n = 0; n < GRAINS; ++n) {
        const double spacing = 1.15 * DIAMETER;
        const double at[3] = {spacing * (n % EDGE + scene_random(&seed, 0.47, 0.53)),
                              spacing * (n / EDGE % EDGE + scene_random(&seed, 0.47, 0.53)),
                              spacing * (n / (EDGE * EDGE) + 0.6)};
        (void)scene_sphere(world, at, 0.5 * DIAMETER * scene_random(&seed, 0.9, 1.1), 0.0);
    }
    return world;
}

static double mean_overlap(const dem_world *world)
{
    uint64_t cursor = 0, count = 0;
    double sum = 0.0;
    for (;;) {
        dem_contact c = {.struct_size = sizeof c};
        if (dem_world_contact_next(world, &cursor, &c) != DEM_OK)
            break;
        sum += c.overlap;
        ++count;
    }
    return count > 0 ? sum / (double)count : 0.0;
}

static void at_rest(ledger *l, const char *suffix, uint64_t settle, uint64_t steps, double load)
{
    dem_actm p;
    char quantity[64];
    MUST(dem_actm_init(&p));
    p.restitution = 0.5;
    p.contact_steps = 20.0;
    p.young[0] = 1e9;
    p.speed_floor = GRAVITY * p.contact_steps * STEP;
    p.load_acceleration = load;
    dem_world *world = heap(&p);
    scene_step(world, STEP, settle);
    const double before = mean_overlap(world),
                 mass = 1000.0 / 6.0 * acos(-1.0) * pow(DIAMETER, 3.0);
    double most = 0.0;
    for (uint64_t n = 0; n < steps; n += 100) {
        scene_step(world, STEP, 100);
        const dem_world_energies e = scene_energies(world);
        most = fmax(most, e.kinetic_translation / GRAINS);
    }
    (void)snprintf(quantity, sizeof quantity, "overlap_drift_%s", suffix);
    ledger_near(l, SHEET, quantity, mean_overlap(world) / before, 1.0, 0.01);
    /* frictionless: what is left is settling, which takes seconds, not jitter */
    (void)snprintf(quantity, sizeof quantity, "kinetic_energy_over_mgd_%s", suffix);
    ledger_below(l, BOUND, quantity, most / (mass * GRAVITY * DIAMETER), 1e-8);
    (void)snprintf(quantity, sizeof quantity, "mean_overlap_over_diameter_%s", suffix);
    ledger_below(l, BOUND, quantity, before / DIAMETER, load > 0.0 ? 0.005 : 0.05);
    (void)snprintf(quantity, sizeof quantity, "contacts_per_grain_%s", suffix);
    ledger_near(l, SHEET, quantity, (double)scene_counts(world).contacts / GRAINS, 2.9, 0.3);
    dem_world_destroy(world);
}

void case_actm_heap_short(ledger *l)
{
    l->paper = "kempe-froehlich";
    l->name = "actm-heap";
    at_rest(l, "short", 200000, 4000, 2.0 * LAYERS * GRAVITY);
}

void case_actm_heap(ledger *l)
{
    l->paper = "kempe-froehlich";
    l->name = "actm-heap";
    at_rest(l, "1e5_steps", 140000, 100000, 0.0);
    at_rest(l, "capped_1e5_steps", 140000, 100000, 2.0 * LAYERS * GRAVITY);
}
