/* SPDX-License-Identifier: MIT */
/* The adaptive collision time model in worlds: impacts, its bounds, and contacts at rest. */
#include "cases.h"
#include "collision_oracle.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static const double RADIUS = 0.01, DENSITY = 7800.0;

static dem_actm parameters(double restitution, double time)
{
    dem_actm p;
    MUST(dem_actm_init(&p));
    p.restitution = restitution;
    p.contact_time = time;
    p.speed_floor = 1e-6;
    p.young[0] = 2e11;
    return p;
}

static dem_contact_model normal_model(const dem_actm *p)
{
    dem_contact_model model;
    MUST(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = DEM_LAW_ACTM, .parameters = p};
    return model;
}

/* One impact on a wall, or on a sphere of `ratio` times the radius. */
typedef struct impact {
    double restitution, time, dt, speed, ratio;
    double phase; /* of the first contact between two steps, in [0, 1) */
} impact;

typedef struct outcome {
    double rebound;      /* over the impact speed */
    double duration;     /* from the first to the last step in contact, s */
    double balance;      /* change of the sum of energies over the impact energy, at the end ... */
    double peak;         /* ... and at its greatest */
    double k, d;         /* of the contact */
    double lowest_force; /* of the normal force, N */
    int fixed;           /* k and d kept their bits */
} outcome;

static void watch_contact(dem_world *world, outcome *o, double *start)
{
    uint64_t cursor = 0;
    dem_contact c = {.struct_size = sizeof c};
    if (dem_world_contact_next(world, &cursor, &c) != DEM_OK)
        return;
    const double sign = c.normal[0] + c.normal[1] + c.normal[2];
    const double force = (c.force_normal[0] + c.force_normal[1] + c.force_normal[2]) / sign;
    o->lowest_force = fmin(o->lowest_force, force);
    if (*start < 0.0) {
        *start = dem_world_time(world);
        o->k = c.state[0];
        o->d = c.state[1];
        o->fixed = c.state_count == 2;
    }
    o->fixed = o->fixed && c.state[0] == o->k && c.state[1] == o->d;
    o->duration = dem_world_time(world) - *start;
}

static outcome collide(const impact *i, const dem_actm *p)
{
    const dem_contact_model model = normal_model(p);
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, 0.0, &model);
    const double mass = DENSITY * 4.0 / 3.0 * acos(-1.0) * pow(RADIUS, 3.0);
    const double other = mass * pow(i->ratio, 3.0);
    const double effective = i->ratio > 0.0 ? mass * other / (mass + other) : mass;
    const double gap = (1.0 + i->phase) * i->speed * i->dt;
    const double above[3] = {0.0, 0.0, RADIUS + gap}, velocity[3] = {0.0, 0.0, -i->speed};
    const double below[3] = {0.0, 0.0, -i->ratio * RADIUS};
    const dem_particle_handle ball = scene_sphere(world, above, RADIUS, mass);
    dem_particle_handle target = {0, 0};
    MUST(dem_particle_set_motion(world, ball, NULL, velocity, NULL));
    if (i->ratio > 0.0) {
        target = scene_sphere(world, below, i->ratio * RADIUS, other);
    } else {
        dem_wall wall;
        MUST(dem_wall_init(&wall));
        MUST(dem_wall_add(world, &wall, NULL));
    }
    scene_step(world, i->dt, 0);
    dem_world_energies e = scene_energies(world);
    const double first = scene_balance(&e), energy = 0.5 * effective * i->speed * i->speed;
    outcome o = {.lowest_force = 0.0};
    double start = -1.0;
    const uint64_t steps = (uint64_t)(3.0 * i->time / i->dt) + 10;
    for (uint64_t n = 0; n < steps; ++n) {
        scene_step(world, i->dt, 1);
        watch_contact(world, &o, &start);
        e = scene_energies(world);
        o.balance = fabs(scene_balance(&e) - first) / energy;
        o.peak = fmax(o.peak, o.balance);
    }
    double v = scene_get(world, ball).velocity[2];
    if (i->ratio > 0.0)
        v -= scene_get(world, target).velocity[2];
    o.rebound = v / i->speed;
    dem_world_destroy(world);
    return o;
}

enum { PHASES = 8 };

/* Mean and worst over the phase of the first contact. */
static outcome over_phases(impact i, const dem_actm *p)
{
    outcome sum = {0};
    for (int k = 0; k < PHASES; ++k) {
        i.phase = (k + 0.5) / PHASES;
        const outcome o = collide(&i, p);
        sum.rebound += o.rebound / PHASES;
        sum.duration += o.duration / PHASES;
        sum.balance = fmax(sum.balance, o.balance);
        sum.peak = fmax(sum.peak, o.peak);
    }
    return sum;
}

/* Restitution and contact time come out as asked for. */
void case_actm_rebound(ledger *l)
{
    static const double asked[6] = {1.0, 0.95, 0.7, 0.4, 0.1, 0.02};
    static const double ratios[3] = {0.0, 1.0, 10.0};
    l->paper = "ray";
    l->name = "actm-rebound";
    for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 6; ++k) {
            const impact i = {asked[k], 1e-3, 1e-3 / 200.0, 0.8, ratios[r], 0.0};
            const dem_actm p = parameters(asked[k], i.time);
            const outcome o = over_phases(i, &p);
            char quantity[64];
            (void)snprintf(quantity, sizeof quantity, "rebound_ratio%g_e%g", ratios[r], asked[k]);
            ledger_near(l, CLOSED_FORM, quantity, o.rebound, asked[k], 1e-3);
            /* a contact is seen in its steps alone: one less on the mean */
            (void)snprintf(quantity, sizeof quantity, "time_ratio%g_e%g", ratios[r], asked[k]);
            ledger_near(l, CLOSED_FORM, quantity, o.duration / i.dt + 1.0, 200.0,
                        asked[k] < 0.1 ? 2.0 : 0.5);
        }
    /* in steps: at 20 and 10 steps, the choices of authors */
    static const double steps[2] = {20.0, 10.0}, allowed[2] = {0.01, 0.04};
    for (int s = 0; s < 2; ++s)
        for (int k = 0; k < 4; ++k) {
            const impact i = {asked[k], steps[s] * 1e-5, 1e-5, 0.8, 1.0, 0.0};
            dem_actm p = parameters(asked[k], 0.0);
            p.contact_steps = steps[s];
            const outcome o = over_phases(i, &p);
            char quantity[64];
            (void)snprintf(quantity, sizeof quantity, "rebound_%gsteps_e%g", steps[s], asked[k]);
            ledger_near(l, CLOSED_FORM, quantity, o.rebound, asked[k], allowed[s]);
        }
}

/* Energies with dissipation: 1 % of the impact energy at 20 steps, and second order in the step. */
void case_actm_energy(ledger *l)
{
    l->paper = "ray";
    l->name = "actm-energy";
    static const double asked[4] = {1.0, 0.95, 0.7, 0.3};
    for (int k = 0; k < 4; ++k) {
        double error[3], peak[3];
        char quantity[64];
        const dem_actm p = parameters(asked[k], 1e-3);
        for (int s = 0; s < 3; ++s) {
            const impact i = {asked[k], 1e-3, 1e-3 / (20 << s), 0.8, 1.0, 0.0};
            const outcome o = over_phases(i, &p);
            error[s] = o.balance;
            peak[s] = o.peak;
        }
        (void)snprintf(quantity, sizeof quantity, "balance_at_20_steps_e%g", asked[k]);
        /* 1.5 % at e = 0.3, where the first step in contact takes a tenth of the momentum */
        ledger_below(l, BOUND, quantity, error[0], asked[k] < 0.5 ? 0.015 : 0.01);
        (void)snprintf(quantity, sizeof quantity, "balance_order_e%g", asked[k]);
        ledger_near(l, ORDER, quantity, 0.5 * log(peak[0] / peak[2]) / log(2.0), 2.0, 0.1);
    }
}

/* What happens where bounds bite. */
void case_actm_bounds(ledger *l)
{
    l->paper = "ray";
    l->name = "actm-bounds";
    const double mass = DENSITY * 4.0 / 3.0 * acos(-1.0) * pow(RADIUS, 3.0), speed = 0.8;
    impact i = {0.7, 1e-3, 0.0, speed, 0.0, 0.25};
    double k, d, lambda, tau, time;
    MUST(dem_collision_inverse(i.restitution, &lambda, &tau));

    /* a time shorter than Hertz': the original model */
    dem_actm p = parameters(i.restitution, 1e-9);
    const double young = p.young[0] / (2.0 * (1.0 - 0.09));
    MUST(dem_collision_time_hertz(mass, RADIUS, young, speed, &time));
    i.time = time * tau / DEM_COLLISION_TIME_UNDAMPED;
    i.dt = i.time / 200.0;
    outcome o = over_phases(i, &p);
    ledger_near(l, CLOSED_FORM, "hertz_bound_rebound", o.rebound, i.restitution, 1e-3);
    ledger_near(l, CLOSED_FORM, "hertz_bound_steps", o.duration / i.dt + 1.0, 200.0, 0.5);
    o = collide(&i, &p);
    ledger_near(l, CLOSED_FORM, "hertz_bound_k", o.k / (4.0 / 3.0 * young * sqrt(RADIUS)), 1.0,
                1e-15);

    /* slower than the floor: k and d of the floor, so a lower restitution and a longer time */
    p = parameters(i.restitution, 1e-3);
    p.speed_floor = 10.0 * speed;
    i.time = 1e-3;
    i.dt = 5e-6;
    o = collide(&i, &p);
    MUST(dem_collision_params(mass, p.speed_floor, i.restitution, 1e-3, &k, &d));
    ledger_near(l, CLOSED_FORM, "floor_k", o.k / k, 1.0, 1e-14);
    ledger_near(l, CLOSED_FORM, "floor_d", o.d / d, 1.0, 1e-14);
    const double slower = lambda * pow(10.0, 0.2);
    double e_floor, tau_floor;
    MUST(dem_collision_forward(slower, &e_floor, &tau_floor));
    o = over_phases(i, &p);
    ledger_near(l, CLOSED_FORM, "floor_rebound", o.rebound, e_floor, 1e-3);
    ledger_near(l, CLOSED_FORM, "floor_steps", o.duration / i.dt + 1.0,
                200.0 * tau_floor / tau * pow(10.0, 0.2), 0.5);

    /* the load's bound: no softer than that, at the restitution asked for */
    p = parameters(i.restitution, 1.0);
    p.load_acceleration = 1e4;
    p.overlap_cap = 0.02;
    k = p.load_acceleration * mass / pow(p.overlap_cap * RADIUS, 1.5);
    i.time = tau * pow(mass * mass / (k * k * speed), 0.2);
    i.dt = i.time / 200.0;
    o = collide(&i, &p);
    ledger_near(l, CLOSED_FORM, "cap_k", o.k / k, 1.0, 1e-14);
    o = over_phases(i, &p);
    ledger_near(l, CLOSED_FORM, "cap_rebound", o.rebound, i.restitution, 1e-3);

    /* what stays as it is for the life of a contact, and the tail */
    p = parameters(i.restitution, 1e-3);
    i.time = 1e-3;
    i.dt = 5e-6;
    o = collide(&i, &p);
    ledger_holds(l, BOUND, "k_and_d_keep_their_bits", o.fixed && o.k > 0.0 && o.d > 0.0);
    ledger_above(l, BOUND, "attracts_at_its_end", -o.lowest_force, 0.0);
    /* just before the overlap is 0 there is the dashpot alone: -d e u */
    ledger_near(l, CLOSED_FORM, "attraction_at_its_end",
                o.lowest_force / (-o.d * i.restitution * speed), 1.0, 0.03);
}

/* Friction counts with max(0, F_n): a sliding impact loses mu (u + greatest speed outwards), which
 * is more than mu (1 + e) u, because the tail takes some of the rebound back. */
void case_actm_friction(ledger *l)
{
    l->paper = "ray";
    l->name = "actm-friction";
    const double speed = 0.8, time = 1e-3, dt = time / 400.0, mu = 0.1;
    dem_actm p = parameters(0.5, time);
    dem_friction friction;
    dem_contact_model model = normal_model(&p);
    MUST(dem_friction_init(&friction));
    friction.friction = mu;
    friction.stiffness_tangential = 1e6;
    friction.damping_tangential = 0.0;
    model.parts[1] = (dem_contact_part){.law = DEM_LAW_FRICTION, .parameters = &friction};
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, 0.0, &model);
    dem_wall wall;
    MUST(dem_wall_init(&wall));
    MUST(dem_wall_add(world, &wall, NULL));
    const double above[3] = {0.0, 0.0, RADIUS + 1.5 * speed * dt};
    const double velocity[3] = {10.0, 0.0, -speed};
    const dem_particle_handle ball = scene_sphere(world, above, RADIUS, 0.0);
    MUST(dem_particle_set_motion(world, ball, NULL, velocity, NULL));
    double fastest = 0.0;
    for (int n = 0; n < 450; ++n) {
        scene_step(world, dt, 1);
        fastest = fmax(fastest, scene_get(world, ball).velocity[2]);
    }
    const dem_particle end = scene_get(world, ball);
    ledger_near(l, CLOSED_FORM, "rebound", end.velocity[2] / speed, 0.5, 5e-3);
    ledger_near(l, CLOSED_FORM, "sideways_loss_over_mu",
                (10.0 - end.velocity[0]) / (mu * (speed + fastest)), 1.0, 5e-3);
    ledger_above(l, BOUND, "loss_over_that_with_the_whole_force",
                 (10.0 - end.velocity[0]) / (mu * 1.5 * speed), 1.01);
    dem_world_destroy(world);
}
