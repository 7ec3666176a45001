/* SPDX-License-Identifier: MIT */
/* Rolling and twisting resistance of a sphere on a plane in closed form; pairs that turn as a
 * whole; the energy account. Beside a linear law, whose contact radius is sqrt(R* overlap). */
#include "cases.h"
#include "cloud.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846, G = 9.81, R = 1e-3, MASS = 1e-5, K = 1e4;

typedef struct stand {
    dem_linear linear;
    dem_rolling rolling;
    dem_rolling_constant constant;
    dem_twisting_marshall marshall;
    dem_contact_model model;
    dem_world *world;
    dem_particle_handle ball;
    double dt;
} stand;

/* A sphere at rest on a floor at its static overlap, with the linear law and one part of the name.
 */
static void stand_open(stand *s, const char *law, double sliding, double resisting, double ratio)
{
    s->linear = scene_linear(K);
    s->linear.friction = sliding;
    s->linear.restitution = 0.5;
    MUST(dem_rolling_init(&s->rolling));
    s->rolling.friction = resisting;
    s->rolling.damping_ratio = ratio;
    s->rolling.stiffness = 0.5 * K;
    MUST(dem_rolling_constant_init(&s->constant));
    s->constant.friction = resisting;
    MUST(dem_twisting_marshall_init(&s->marshall));
    s->marshall.friction = resisting;
    s->marshall.stiffness_tangential = 0.5 * K;
    const void *const parameters =
        strcmp(law, DEM_LAW_ROLLING_CONSTANT) == 0    ? (const void *)&s->constant
        : strcmp(law, DEM_LAW_TWISTING_MARSHALL) == 0 ? (const void *)&s->marshall
                                                      : (const void *)&s->rolling;
    s->model = scene_linear_model(&s->linear);
    s->model.parts[1] = (dem_contact_part){.law = law, .parameters = parameters};
    s->world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, -G, &s->model);
    dem_wall floor;
    MUST(dem_wall_init(&floor));
    MUST(dem_wall_add(s->world, &floor, NULL));
    const double position[3] = {0.0, 0.0, R - MASS * G / K};
    s->ball = scene_sphere(s->world, position, R, MASS);
    s->dt = PI * sqrt(MASS / K) / 50.0;
}

static void stand_spin(stand *s, double vx, double wx, double wy, double wz)
{
    const double velocity[3] = {vx, 0.0, 0.0}, angular_velocity[3] = {wx, wy, wz};
    MUST(dem_particle_set_motion(s->world, s->ball, NULL, velocity, angular_velocity));
}

/* Deceleration of one component of the angular velocity between two times, after the springs have
 * loaded. */
static double stand_slope(stand *s, int axis, double from, double until)
{
    scene_step(s->world, s->dt, (uint64_t)(from / s->dt));
    const double t0 = dem_world_time(s->world);
    const double w0 = scene_get(s->world, s->ball).angular_velocity[axis];
    scene_step(s->world, s->dt, (uint64_t)((until - from) / s->dt));
    const double w1 = scene_get(s->world, s->ball).angular_velocity[axis];
    return (w0 - w1) / (dem_world_time(s->world) - t0);
}

/* Rolling with grip slows down by 5 mu_r g/(7 r), spinning in place without friction by
 * 5 mu_r g/(2 r): the torque mu_r F r works on 7/5 m r^2 or on 2/5 m r^2. */
void case_rolling_slows(ledger *l)
{
    static const char *const laws[2] = {DEM_LAW_ROLLING_CSDS, DEM_LAW_ROLLING_CONSTANT};
    const double mu = 0.02, w0 = 40.0;
    l->paper = "libdem";
    l->name = "rolling-slows";
    for (int k = 0; k < 2; ++k) {
        stand s;
        char quantity[64];
        const double grip = 5.0 * mu * G / (7.0 * R), free = 5.0 * mu * G / (2.0 * R);
        stand_open(&s, laws[k], 0.5, mu, 0.5);
        stand_spin(&s, R * w0, 0.0, w0, 0.0);
        (void)snprintf(quantity, sizeof quantity, "with_grip_%s", laws[k]);
        ledger_near(l, CLOSED_FORM, quantity, stand_slope(&s, 1, 0.02, 0.06) / grip, 1.0, 1e-4);
        /* it lost what it rolled with, all of it to the resistance */
        const dem_particle p = scene_get(s.world, s.ball);
        const double lost =
            0.7 * MASS * R * R * (w0 * w0 - p.angular_velocity[1] * p.angular_velocity[1]);
        (void)snprintf(quantity, sizeof quantity, "work_%s", laws[k]);
        ledger_near(l, CLOSED_FORM, quantity, scene_energies(s.world).dissipated_rolling / lost,
                    1.0, 2e-3);
        scene_step(s.world, s.dt, (uint64_t)((1.5 * w0 / grip - 0.06) / s.dt));
        (void)snprintf(quantity, sizeof quantity, "stops_%s", laws[k]);
        ledger_below(l, CLOSED_FORM, quantity,
                     fabs(scene_get(s.world, s.ball).angular_velocity[1]) / w0, 1e-4);
        dem_world_destroy(s.world);
        stand_open(&s, laws[k], 0.0, mu, 0.5);
        stand_spin(&s, 0.0, w0 * 0.6, w0 * 0.8, 0.0);
        (void)snprintf(quantity, sizeof quantity, "without_friction_%s", laws[k]);
        ledger_near(l, CLOSED_FORM, quantity, stand_slope(&s, 1, 0.01, 0.04) / (0.8 * free), 1.0,
                    1e-4);
        ledger_below(l, CLOSED_FORM, "does_not_move", fabs(scene_get(s.world, s.ball).velocity[0]),
                     1e-15);
        dem_world_destroy(s.world);
    }
}

/* Spin about the normal: 5 mu g/(2 r) for the pseudo-force, 5 mu a g/(3 r^2) for a sliding contact
 * area; then, below the limit, the oscillator that the spring makes. */
void case_twisting_decays(ledger *l)
{
    static const char *const laws[2] = {DEM_LAW_TWISTING_CSDS, DEM_LAW_TWISTING_MARSHALL};
    const double mu = 0.1, w0 = 400.0, a = sqrt(R * MASS * G / K), inertia = 0.4 * MASS * R * R;
    l->paper = "libdem";
    l->name = "twisting-decays";
    for (int k = 0; k < 2; ++k) {
        stand s;
        char quantity[64];
        const double rate = k == 0 ? 5.0 * mu * G / (2.0 * R) : 5.0 * mu * a * G / (3.0 * R * R);
        const double stiffness = 0.5 * K * (k == 0 ? R * R : 0.5 * a * a);
        stand_open(&s, laws[k], 0.5, mu, 0.0);
        stand_spin(&s, 0.0, 0.0, 0.0, w0);
        (void)snprintf(quantity, sizeof quantity, "slope_%s", laws[k]);
        ledger_near(l, CLOSED_FORM, quantity, stand_slope(&s, 2, 0.01, 0.03) / rate, 1.0, 1e-6);
        (void)snprintf(quantity, sizeof quantity, "contact_keeps_other_spins_%s", laws[k]);
        ledger_below(l, CLOSED_FORM, quantity, fabs(scene_get(s.world, s.ball).angular_velocity[0]),
                     1e-12);
        dem_world_destroy(s.world);

        const double frequency = sqrt(stiffness / inertia);
        const double start = 0.5 * rate / frequency, time = 12.0 / frequency;
        double error[2];
        for (int refine = 0; refine < 2; ++refine) {
            stand_open(&s, laws[k], 0.5, mu, 0.0);
            const double steps = ceil(time / s.dt) * (1 << refine);
            stand_spin(&s, 0.0, 0.0, 0.0, start);
            scene_step(s.world, time / steps, (uint64_t)steps);
            error[refine] = fabs(scene_get(s.world, s.ball).angular_velocity[2] / start -
                                 cos(frequency * time));
            dem_world_destroy(s.world);
        }
        (void)snprintf(quantity, sizeof quantity, "oscillation_%s", laws[k]);
        ledger_below(l, CLOSED_FORM, quantity, error[1], 2e-3);
        (void)snprintf(quantity, sizeof quantity, "oscillation_order_%s", laws[k]);
        ledger_near(l, ORDER, quantity, log2(error[0] / error[1]), 2.0, 0.2);
    }
}

/* Below the limit with dashpots: the damped oscillator, in place and without sliding friction. */
void case_rolling_damped(ledger *l)
{
    static const char *const laws[3] = {DEM_LAW_ROLLING_CSDS, DEM_LAW_TWISTING_CSDS,
                                        DEM_LAW_TWISTING_MARSHALL};
    const double zeta = 0.3, inertia = 0.4 * MASS * R * R, a2 = R * MASS * G / K;
    l->paper = "libdem";
    l->name = "rolling-damped";
    for (int k = 0; k < 3; ++k) {
        const int axis = k == 0 ? 1 : 2;
        const double stiffness = 0.5 * K * (k == 2 ? 0.5 * a2 : R * R);
        const double frequency = sqrt(stiffness / inertia), slow = zeta * frequency,
                     fast = frequency * sqrt(1.0 - zeta * zeta), time = 3.0 / frequency;
        /* far below the limit, which is that of the load */
        const double start = 0.05 * frequency * MASS * G * (k == 2 ? sqrt(a2) : R) / stiffness;
        const double want = exp(-slow * time) * (cos(fast * time) - slow / fast * sin(fast * time));
        double error[2];
        for (int refine = 0; refine < 2; ++refine) {
            stand s;
            stand_open(&s, laws[k], 0.0, 1.0, zeta);
            /* no other part has a dashpot that asks for velocities */
            s.linear.damping_tangential = 0.0;
            if (k == 2) /* its dashpot is given by gamma: gamma a^2/2 = 2 zeta sqrt(I k) */
                s.marshall.damping_tangential = 4.0 * zeta * sqrt(inertia * stiffness) / a2;
            MUST(dem_contact_model_set(s.world, 0, 0, &s.model));
            const double steps = ceil(time / s.dt * (k == 2 ? 1.0 : 4.0)) * (1 << refine);
            stand_spin(&s, 0.0, 0.0, k == 0 ? start : 0.0, k == 0 ? 0.0 : start);
            scene_step(s.world, time / steps, (uint64_t)steps);
            error[refine] = fabs(scene_get(s.world, s.ball).angular_velocity[axis] / start - want);
            dem_world_destroy(s.world);
        }
        char quantity[64];
        (void)snprintf(quantity, sizeof quantity, "spin_%s", laws[k]);
        ledger_below(l, CLOSED_FORM, quantity, error[1], 2e-3);
        (void)snprintf(quantity, sizeof quantity, "order_%s", laws[k]);
        ledger_near(l, ORDER, quantity, log2(error[0] / error[1]), 2.0, 0.2);
    }
}

/* A damping ratio of sqrt(7/2) is critical for a sphere that rolls with grip, which has the inertia
 * 7/5 m r^2, where 1 is for one that rotates about its centre: the rolling spring is far softer
 * than that of friction, which yields little. */
void case_rolling_critical(ledger *l)
{
    static const double ratios[2] = {1.0, 1.8708286933869707}, inertias[2] = {0.4, 1.4};
    l->paper = "libdem";
    l->name = "rolling-critical";
    for (int grip = 0; grip < 2; ++grip) {
        stand s;
        stand_open(&s, DEM_LAW_ROLLING_CSDS, grip ? 0.5 : 0.0, 1.0, ratios[grip]);
        s.rolling.stiffness = 1e-5 * K;
        MUST(dem_contact_model_set(s.world, 0, 0, &s.model));
        const double frequency = sqrt(s.rolling.stiffness / (inertias[grip] * MASS));
        const double start = 0.1 * frequency, step = floor(0.5 / frequency / s.dt);
        double worst = 0.0;
        stand_spin(&s, grip ? R * start : 0.0, 0.0, start, 0.0);
        for (int k = 1; k <= 12; ++k) {
            scene_step(s.world, s.dt, (uint64_t)step);
            const double phase = frequency * dem_world_time(s.world);
            const double off = scene_get(s.world, s.ball).angular_velocity[1] / start -
                               (1.0 - phase) * exp(-phase);
            worst = fmax(worst, fabs(off));
        }
        ledger_below(l, CLOSED_FORM, grip ? "with_grip" : "without_friction", worst, 1e-4);
        dem_world_destroy(s.world);
    }
}

/* ------------------------------------------------------------ pairs that turn as a whole */

typedef struct turning {
    double x[6], v[6], w[6], force[6], torque[6], radius[2], mass[2];
    dem_contact_history *history;
    dem_contact_totals totals;
} turning;

static void turning_step(turning *p, double dt)
{
    static const uint32_t pairs[2] = {0, 1};
    dem_contacts_input in;
    MUST(dem_contacts_input_init(&in));
    memset(p->force, 0, sizeof p->force);
    memset(p->torque, 0, sizeof p->torque);
    in.particle_count = 2;
    in.position = p->x;
    in.velocity = p->v;
    in.angular_velocity = p->w;
    in.radius = p->radius;
    in.mass = p->mass;
    in.pair_count = 1;
    in.pairs = pairs;
    in.dt = dt;
    in.velocity_lag = 0.5 * dt;
    in.force = p->force;
    in.torque = p->torque;
    p->totals.struct_size = sizeof p->totals;
    MUST(dem_contacts_evaluate(p->history, &in, &p->totals));
}

/* v turned about the unit axis by the angle. */
static void turned(const double axis[3], double angle, const double v[3], double out[3])
{
    const double c = cos(angle), s = sin(angle);
    const double dot = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
    for (int k = 0; k < 3; ++k) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        out[k] = c * v[k] + s * (axis[a] * v[b] - axis[b] * v[a]) + (1.0 - c) * dot * axis[k];
    }
}

/* Opens a pair of unequal spheres along x; rolling and twisting parts of the names. */
static void turning_open(turning *p, const char *rolling, const char *twisting)
{
    dem_contact_history_config config;
    dem_contact_model model;
    dem_linear law = scene_linear(1e4);
    dem_rolling csds;
    dem_rolling_constant constant;
    dem_twisting_marshall marshall;
    memset(p, 0, sizeof *p);
    law.friction = 0.0;
    MUST(dem_rolling_init(&csds));
    csds.friction = 1e6; /* the springs never yield */
    csds.damping_ratio = 0.5;
    MUST(dem_rolling_constant_init(&constant));
    MUST(dem_twisting_marshall_init(&marshall));
    marshall.friction = 1e6;
    model = scene_linear_model(&law);
    model.parts[1] = (dem_contact_part){.law = rolling,
                                        .parameters = strcmp(rolling, DEM_LAW_ROLLING_CSDS) == 0
                                                          ? (const void *)&csds
                                                          : (const void *)&constant};
    model.parts[2] = (dem_contact_part){.law = twisting,
                                        .parameters = strcmp(twisting, DEM_LAW_TWISTING_CSDS) == 0
                                                          ? (const void *)&csds
                                                          : (const void *)&marshall};
    MUST(dem_contact_history_config_init(&config));
    MUST(dem_contact_history_create(&config, &p->history, NULL));
    MUST(dem_contact_history_model_set(p->history, 0, 0, &model));
    p->radius[0] = 1e-3;
    p->radius[1] = 2e-3;
    p->mass[0] = 1e-5;
    p->mass[1] = 8e-5;
    p->x[0] = 1e-3;
    p->x[3] = -1.98e-3;
}

/* One unit of time as a rigid body about the axis, in so many steps. */
static void turning_rigid(turning *p, const double axis[3], double rate, unsigned steps)
{
    const double dt = 1.0 / steps;
    double start[6];
    memcpy(start, p->x, sizeof start);
    for (unsigned k = 1; k <= steps; ++k) {
        for (int body = 0; body < 2; ++body) {
            double now[3];
            turned(axis, rate * k / steps, &start[3 * body], now);
            for (int c = 0; c < 3; ++c) {
                p->v[3 * body + c] = (now[c] - p->x[3 * body + c]) / dt;
                p->x[3 * body + c] = now[c];
                p->w[3 * body + c] = rate * axis[c];
            }
        }
        turning_step(p, dt);
    }
}

void case_rolling_objective(ledger *l)
{
    static const double axis[3] = {0.48, 0.6, 0.64};
    static const char *const laws[2][2] = {{DEM_LAW_ROLLING_CSDS, DEM_LAW_TWISTING_CSDS},
                                           {DEM_LAW_ROLLING_CONSTANT, DEM_LAW_TWISTING_MARSHALL}};
    const double rate = 2.0;
    l->paper = "libdem";
    l->name = "rolling-objective";
    for (int k = 0; k < 2; ++k) {
        turning p;
        turning_open(&p, laws[k][0], laws[k][1]);
        turning_rigid(&p, axis, rate, 200);
        double largest = 0.0;
        for (int c = 0; c < 6; ++c)
            largest = fmax(largest, fabs(p.torque[c]));
        ledger_below(l, CONSERVATION, k == 0 ? "torque_csds" : "torque_constant_marshall", largest,
                     0.0);
        dem_contact_history_destroy(p.history);
    }
    /* springs that were loaded turn with the pair: torque and energy as before */
    double miss[2], energy[2];
    for (int refine = 0; refine < 2; ++refine) {
        turning p;
        turning_open(&p, DEM_LAW_ROLLING_CSDS, DEM_LAW_TWISTING_CSDS);
        for (int c = 0; c < 3; ++c)
            p.w[c] = 3.0 * (c + 1);
        turning_step(&p, 1e-3);
        memset(p.w, 0, sizeof p.w);
        turning_step(&p, 1e-3); /* the torque of the springs alone */
        double before[3], want[3];
        memcpy(before, p.torque, sizeof before);
        const double stored = p.totals.elastic_energy;
        turning_rigid(&p, axis, rate, 500u << refine);
        turned(axis, rate, before, want);
        double square = 0.0, size = 0.0;
        for (int c = 0; c < 3; ++c) {
            square += (p.torque[c] - want[c]) * (p.torque[c] - want[c]);
            size += want[c] * want[c];
        }
        miss[refine] = sqrt(square / size);
        energy[refine] = fabs(p.totals.elastic_energy / stored - 1.0);
        dem_contact_history_destroy(p.history);
    }
    ledger_below(l, CONSERVATION, "loaded_torque_turns_along", miss[1], 1e-5);
    ledger_near(l, ORDER, "loaded_torque_order", log2(miss[0] / miss[1]), 2.0, 0.15);
    ledger_below(l, CONSERVATION, "loaded_energy_stays", energy[1], 1e-9);
}

/* Random overlaps and twists: what twisting has stored never exceeds the work put in, although its
 * stiffness follows the overlap. The torque of the end of a step against its whole turn. */
void case_twisting_passive(ledger *l)
{
    static const char *const laws[2] = {DEM_LAW_TWISTING_CSDS, DEM_LAW_TWISTING_MARSHALL};
    l->paper = "libdem";
    l->name = "twisting-passive";
    for (int k = 0; k < 2; ++k) {
        double worst = -1.0, largest = 0.0;
        uint64_t seed = 99991;
        for (int cycle = 0; cycle < 200; ++cycle) {
            turning p;
            double work = 0.0, size = 0.0;
            turning_open(&p, DEM_LAW_ROLLING_CONSTANT, laws[k]);
            for (int n = 0; n < 60; ++n) {
                const double overlap = 1e-5 * scene_random(&seed, 0.1, 2.0), dt = 1e-4;
                p.x[0] = p.x[3] + p.radius[0] + p.radius[1] - overlap;
                p.w[0] = scene_random(&seed, -1.0, 1.0);
                turning_step(&p, dt);
                work -= p.torque[0] * p.w[0] * dt;
                size += fabs(p.torque[0] * p.w[0]) * dt;
                const double stored = p.totals.elastic_energy - 0.5 * 1e4 * overlap * overlap;
                worst = fmax(worst, (stored - work) / size);
                largest = fmax(largest, stored / size);
            }
            dem_contact_history_destroy(p.history);
        }
        char quantity[64];
        (void)snprintf(quantity, sizeof quantity, "yield_%s", laws[k]);
        ledger_below(l, CONSERVATION, quantity, fmax(0.0, worst), 1e-6);
        (void)snprintf(quantity, sizeof quantity, "something_is_stored_%s", laws[k]);
        ledger_above(l, BOUND, quantity, largest, 0.1);
    }
}

void case_rolling_energy(ledger *l)
{
    static const char *const laws[2][2] = {{DEM_LAW_ROLLING_CSDS, DEM_LAW_TWISTING_CSDS},
                                           {DEM_LAW_ROLLING_CONSTANT, DEM_LAW_TWISTING_MARSHALL}};
    l->paper = "libdem";
    l->name = "rolling-energy";
    for (int k = 0; k < 2; ++k) {
        const dem_linear law = cloud_law();
        dem_rolling csds;
        dem_rolling_constant constant;
        dem_twisting_marshall marshall;
        MUST(dem_rolling_init(&csds));
        MUST(dem_rolling_constant_init(&constant));
        MUST(dem_twisting_marshall_init(&marshall));
        dem_contact_model model = scene_linear_model(&law);
        model.parts[1] = (dem_contact_part){.law = laws[k][0],
                                            .parameters = k == 0 ? (const void *)&csds : &constant};
        model.parts[2] = (dem_contact_part){.law = laws[k][1],
                                            .parameters = k == 0 ? (const void *)&csds : &marshall};
        const double coarse = cloud_energy_gap(&model, 1, 0.0);
        const double fine = cloud_energy_gap(&model, 4, 0.0);
        ledger_below(l, CONSERVATION, k == 0 ? "gap_tc200_csds" : "gap_tc200_constant_marshall",
                     fine, 1e-4);
        ledger_near(l, ORDER, k == 0 ? "order_csds" : "order_constant_marshall",
                    0.5 * log2(coarse / fine), 2.0, 0.5);
    }
}
