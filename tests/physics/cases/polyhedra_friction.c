/* SPDX-License-Identifier: MIT */
/* Ellipsoids in a world that a spring holds together and that hit each other with friction: their
 * energy falls, and does not rise. The hook of the world has the spring. */
#include "cases.h"
#include "polyhedra_rig.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static const double SPRING = 1.0;

typedef struct pair_run {
    dem_polyhedron *shape;
    double dt, friction, until;
    unsigned long long hits; /* it ends after so many, or when the time is over */
    int model;               /* 0: Mindlin, 1: Mindlin and Deresiewicz */
} pair_run;

typedef struct pair_result {
    double energy; /* at the beginning */
    double end;    /* what is left of it */
    double rise;   /* the greatest above any value before */
    double balance;
    unsigned long long hits;
} pair_result;

static double *pair_row(const dem_view *view, uint64_t row)
{
    return (double *)(void *)((char *)view->data + row * view->stride);
}

/* The spring between the centres of the two rows. */
static dem_status pair_spring(void *user, dem_world *world, double dt)
{
    (void)user;
    (void)dt;
    dem_view x = {.struct_size = sizeof x}, f = {.struct_size = sizeof f};
    MUST(dem_world_view(world, DEM_FIELD_POSITION, &x));
    MUST(dem_world_view(world, DEM_FIELD_EXTERNAL_FORCE, &f));
    for (int c = 0; c < 3; ++c) {
        const double force = SPRING * (pair_row(&x, 1)[c] - pair_row(&x, 0)[c]);
        pair_row(&f, 0)[c] = force;
        pair_row(&f, 1)[c] = -force;
    }
    return dem_world_written_field(world, DEM_FIELD_EXTERNAL_FORCE);
}

static dem_world *pair_world(const pair_run *p)
{
    dem_world_config config;
    dem_contact_model model;
    dem_hertz hertz;
    dem_mindlin mindlin;
    MUST(dem_world_config_init(&config));
    MUST(dem_contact_model_init(&model));
    MUST(dem_hertz_init(&hertz));
    MUST(dem_mindlin_init(&mindlin));
    config.energy_tracking = DEM_ENERGY_TRACKING_FULL;
    config.before_forces = pair_spring;
    hertz.young[0] = 2e4 * (1.0 - 0.25 * 0.25);
    hertz.poisson[0] = 0.25;
    hertz.restitution = 1.0;
    mindlin.friction = p->friction;
    mindlin.restitution = 1.0;
    MUST(dem_contact_model_add_hertz(&model, &hertz));
    if (p->model == 0)
        MUST(dem_contact_model_add_mindlin(&model, &mindlin));
    else
        MUST(dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin));
    return scene_world_of(&config, &model);
}

static void pair_add(dem_world *world, const pair_run *p, int second)
{
    static const double place[2][3] = {{0.0, 0.0, 0.0}, {1.5, 0.3, 0.0}},
                        spin[2][3] = {{3.0, -4.0, 5.0}, {0.0, 6.0, -3.0}};
    const poly_body is = poly_body_of(p->shape, 2.0);
    dem_body body;
    dem_body_part part;
    MUST(dem_body_init(&body));
    MUST(dem_body_part_init(&part));
    body.id = (uint64_t)second + 1;
    body.mass = is.mass;
    memcpy(body.inertia, is.inertia, sizeof body.inertia);
    memcpy(body.position, place[second], sizeof body.position);
    memcpy(body.angular_velocity, spin[second], sizeof body.angular_velocity);
    part.shape = p->shape;
    MUST(dem_body_add(world, &body, 1, &part, NULL));
}

/* Energy with the spring's, without what was dissipated. */
static double pair_energy(const dem_world *world, double *balance)
{
    dem_world_energies e = {.struct_size = sizeof e};
    dem_body body[2] = {{.struct_size = sizeof body[0]}, {.struct_size = sizeof body[1]}};
    double square = 0.0;
    for (uint64_t id = 1; id <= 2; ++id) {
        dem_body_handle handle;
        MUST(dem_body_find(world, id, &handle));
        MUST(dem_body_get(world, handle, &body[id - 1]));
    }
    for (int c = 0; c < 3; ++c)
        square += pow(body[1].position[c] - body[0].position[c], 2.0);
    MUST(dem_world_energies_get(world, &e));
    *balance = scene_balance(&e) + e.work_external + 0.5 * SPRING * square;
    return e.kinetic_translation + e.kinetic_rotation + e.elastic + 0.5 * SPRING * square;
}

static pair_result pair_of(const pair_run *p)
{
    dem_world *world = pair_world(p);
    pair_add(world, p, 0);
    pair_add(world, p, 1);
    dem_view f = {.struct_size = sizeof f};
    double balance, least, before;
    int touching = 0;
    pair_result r = {0.0, 0.0, 0.0, 0.0, 0};
    MUST(dem_world_view(world, DEM_FIELD_EXTERNAL_FORCE, &f));
    scene_step(world, p->dt, 0);
    r.energy = least = pair_energy(world, &before);
    while (r.hits < p->hits && dem_world_time(world) < p->until) {
        uint64_t cursor = 0;
        dem_contact contact = {.struct_size = sizeof contact};
        scene_step(world, p->dt, 1);
        const int now = dem_world_contact_next(world, &cursor, &contact) == DEM_OK;
        r.hits += now && !touching;
        touching = now;
        r.end = pair_energy(world, &balance);
        least = fmin(least, r.end);
        r.rise = fmax(r.rise, r.end - least);
        r.balance = fmax(r.balance, fabs(balance - before));
    }
    dem_world_destroy(world);
    return r;
}

static void friction_rows(ledger *l, unsigned long long hits)
{
    static const char *const names[2] = {"polyhedra-friction-M1", "polyhedra-friction-M4"};
    static const double sheet[2] = {2e-3 / 12.6, 5e-4 / 12.6};
    double rise[2], off[2];
    pair_run p = {poly_ellipsoid(3, 0.5, 0.4, 0.3), 0.0, 0.5, 1e4, hits, 0};
    l->paper = "libdem";
    for (p.model = 0; p.model < 2; ++p.model) {
        l->name = names[p.model];
        for (int half = 0; half < 2; ++half) {
            p.dt = half ? 2e-4 : 4e-4;
            const pair_result r = pair_of(&p);
            if (half == 0) {
                ledger_show(l, SHEET, "energy", r.energy, 12.6);
                ledger_show(l, CONSERVATION, "energy_left", r.end, r.energy);
                ledger_show(l, SHEET, "hits", (double)r.hits, 330.0);
            }
            ledger_show(l, SHEET, half ? "rise_half_step" : "rise", r.rise / r.energy, sheet[half]);
            ledger_show(l, CONSERVATION, half ? "balance_half_step" : "balance",
                        r.balance / r.energy, 0.0);
            rise[half] = r.rise;
            off[half] = r.balance;
        }
        /* of order 2 a quarter is left, of order 1 half; what a law gains stays */
        ledger_below(l, ORDER, "rise_of_half_step_over_rise", rise[1] / rise[0], 0.5);
        ledger_below(l, ORDER, "balance_of_half_step_over_balance", off[1] / off[0], 0.5);
    }
    dem_polyhedron_destroy(p.shape);
}

void case_polyhedra_friction(ledger *l)
{
    friction_rows(l, 200);
}

void case_polyhedra_friction_short(ledger *l)
{
    friction_rows(l, 30);
}
