/* SPDX-License-Identifier: MIT */
/* Polyhedra in a box that is shaken and then stands: their energy falls, and none comes from
 * nothing; without friction and damping what there is stays. */
#include "cases.h"
#include "polyhedra_rig.h"
#include "scene.h"

#include <math.h>
#include <string.h>

/* OVERLAP: of DEM_POLYHEDRON_LAW_VOLUME_SQUARE; a box on its face has some 60 steps a period.
 * TWISTING: its dashpot, kg/s. */
static const double HALF = 0.02, DT = 1e-5, OVERLAP = 0.2, TWISTING = 0.05,
                    PI = 3.14159265358979323846;

enum { BODIES = 8, WALLS = 6, EACH = 20, RESTED = 1000000 };

/* boxes: boxes alone, which friction of the contact area keeps from spinning on their faces.
 * Nothing keeps ellipsoids from rolling. */
typedef struct shaken_scene {
    int32_t law;
    double friction, restitution;
    int boxes;
} shaken_scene;

static dem_world *shaken_world(const shaken_scene *scene)
{
    static const double normals[WALLS][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                             {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    dem_world_config config;
    dem_contact_model model;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_twisting_marshall twisting;
    MUST(dem_world_config_init(&config));
    MUST(dem_contact_model_init(&model));
    MUST(dem_hertz_init(&hertz));
    MUST(dem_mindlin_init(&mindlin));
    MUST(dem_twisting_marshall_init(&twisting));
    config.gravity[2] = -9.81;
    config.polyhedron_law = scene->law;
    config.polyhedron_overlap = OVERLAP;
    hertz.young[0] = 1e7;
    hertz.poisson[0] = 0.3;
    hertz.restitution = scene->restitution;
    mindlin.friction = twisting.friction = scene->friction;
    mindlin.restitution = scene->restitution;
    twisting.damping_tangential = TWISTING;
    MUST(dem_contact_model_add_hertz(&model, &hertz));
    MUST(dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin));
    if (scene->boxes)
        MUST(dem_contact_model_add_twisting_marshall(&model, &twisting));
    dem_world *world = scene_world_of(&config, &model);
    for (int k = 0; k < WALLS; ++k) {
        dem_wall wall;
        MUST(dem_wall_init(&wall));
        for (int c = 0; c < 3; ++c) {
            wall.normal[c] = normals[k][c];
            wall.point[c] = -HALF * normals[k][c];
        }
        wall.id = (uint64_t)k + 1;
        MUST(dem_wall_add(world, &wall, NULL));
    }
    return world;
}

static void shaken_fill(dem_world *world, dem_polyhedron *const shape[2], int boxes)
{
    test_random random = {88172645463325252u};
    for (int k = 0; k < BODIES; ++k) {
        dem_polyhedron *const of = shape[boxes || k % 3 == 0];
        const poly_body is = poly_body_of(of, 2500.0);
        dem_body body;
        dem_body_part part;
        MUST(dem_body_init(&body));
        MUST(dem_body_part_init(&part));
        body.mass = is.mass;
        memcpy(body.inertia, is.inertia, sizeof body.inertia);
        for (int c = 0; c < 3; ++c) {
            body.position[c] = (k >> c & 1 ? 0.5 : -0.5) * HALF;
            body.velocity[c] = 0.2 * test_uniform(&random, -1.0, 1.0);
        }
        poly_turn(&random, body.orientation);
        part.shape = of;
        MUST(dem_body_add(world, &body, 1, &part, NULL));
    }
}

/* Steps of the box, which goes up and down while `shaken`. */
static void shaken_steps(dem_world *world, uint64_t steps, int shaken)
{
    for (uint64_t n = 0; n < steps; n += EACH) {
        const double velocity[3] = {
            0.0, 0.0, shaken ? 0.3 * sin(2.0 * PI * 20.0 * dem_world_time(world)) : 0.0};
        for (uint64_t id = 1; id <= WALLS && (shaken || n == 0); ++id)
            MUST(dem_wall_set_velocity(world, id, velocity));
        scene_step(world, DT, EACH);
    }
}

typedef struct shaken_result {
    double greatest, end; /* kinetic energy while it is shaken, and at the end */
    double rise;   /* the most that kinetic, potential and elastic energy rose, once it stood */
    double change; /* of this sum, at most */
    double balance;
} shaken_result;

static shaken_result shaken_run(const shaken_scene *scene, uint64_t steps)
{
    dem_polyhedron *shape[2] = {poly_ellipsoid(1, 0.009, 0.007, 0.006),
                                poly_box(0.006, 0.005, 0.004)};
    dem_world *world = shaken_world(scene);
    shaken_result r = {0.0, 0.0, 0.0, 0.0, 0.0};
    dem_world_energies e = {.struct_size = sizeof e};
    shaken_fill(world, shape, scene->boxes);
    const uint64_t shake = steps / 5 / EACH * EACH;
    double least = 0.0, first = 0.0, begin = 0.0;
    for (uint64_t n = 0; n < steps; n += EACH) {
        shaken_steps(world, EACH, n < shake);
        MUST(dem_world_energies_get(world, &e));
        const double kinetic = e.kinetic_translation + e.kinetic_rotation,
                     sum = kinetic + e.potential + e.elastic;
        if (n < shake) {
            r.greatest = fmax(r.greatest, kinetic);
            least = first = sum;
            begin = scene_balance(&e);
            continue;
        }
        least = fmin(least, sum);
        r.rise = fmax(r.rise, (sum - least) / r.greatest);
        r.change = fmax(r.change, fabs(sum - first) / r.greatest);
        r.end = kinetic;
    }
    r.balance = fabs(scene_balance(&e) - begin) / r.greatest;
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape[0]);
    dem_polyhedron_destroy(shape[1]);
    return r;
}

/* Two ellipsoids that hit each other 30 times gain .03 of their energy by a law that does not
 * conserve it (polyhedra-ellipsoids, DEPTH), two boxes .02 without the couple. */
static const double GAIN = 1e-3;

static void shaken_rows(ledger *l, uint64_t steps)
{
    static const shaken_scene all = {DEM_POLYHEDRON_LAW_VOLUME, 0.5, 0.6, 0},
                              free = {DEM_POLYHEDRON_LAW_VOLUME, 0.0, 1.0, 0},
                              boxes = {DEM_POLYHEDRON_LAW_VOLUME_SQUARE, 0.5, 0.6, 1};
    l->paper = "libdem";
    l->name = "polyhedra-shaken";
    const shaken_result r = shaken_run(&all, steps);
    /* boxes that lie on a face, which is stiff at touch, tremble, and ellipsoids roll */
    ledger_show(l, CONSERVATION, "kinetic_energy_left", r.end / r.greatest, 0.0);
    ledger_below(l, CONSERVATION, "rise_of_energy", r.rise, GAIN);
    ledger_show(l, CONSERVATION, "balance", r.balance, 0.0);
    l->name = "polyhedra-shaken-elastic";
    const shaken_result elastic = shaken_run(&free, steps);
    ledger_below(l, CONSERVATION, "change_of_energy", elastic.change, GAIN);
    l->name = "polyhedra-shaken-boxes";
    const shaken_result s = shaken_run(&boxes, steps);
    /* in few steps they do not come to rest */
    if (steps < RESTED)
        ledger_show(l, CONSERVATION, "kinetic_energy_left", s.end / s.greatest, 0.0);
    else
        ledger_below(l, CONSERVATION, "kinetic_energy_left", s.end / s.greatest, 1e-12);
    ledger_below(l, CONSERVATION, "rise_of_energy", s.rise, GAIN);
    ledger_below(l, CONSERVATION, "balance", s.balance, GAIN);
}

void case_polyhedra_shaken(ledger *l)
{
    shaken_rows(l, RESTED);
}

void case_polyhedra_shaken_short(ledger *l)
{
    shaken_rows(l, 20000);
}
