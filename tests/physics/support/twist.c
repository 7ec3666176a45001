/* SPDX-License-Identifier: MIT */
/* A pair that turns rigidly does not slip, so its tangential spring must turn with it: by the
 * same angle, also about the normal. Level 1 with prescribed motion. */
#include "cases.h"

#include <dem/dem.h>

#include <math.h>
#include <string.h>

static const double RADIUS = 1e-3, DISTANCE = 1.98e-3;

/* v turned about the unit axis by the angle. */
static void turn(const double axis[3], double angle, const double v[3], double out[3])
{
    const double c = cos(angle), s = sin(angle);
    const double dot = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
    for (int k = 0; k < 3; ++k) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        out[k] = c * v[k] + s * (axis[a] * v[b] - axis[b] * v[a]) + (1.0 - c) * dot * axis[k];
    }
}

typedef struct pair {
    double x[6], v[6], w[6], force[6], torque[6], radius[2], mass[2];
    dem_contact_history *history;
} pair;

static void pair_open(pair *p)
{
    dem_contact_history_config config;
    dem_contact_model model;
    dem_linear law;
    memset(p, 0, sizeof *p);
    MUST(dem_linear_init(&law));
    law.stiffness_normal = 1e4;
    law.friction = 1e6; /* never slips */
    MUST(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = DEM_LAW_LINEAR_CSDS, .parameters = &law};
    /* with arms that sum to the distance a rigid rotation has no slip at all */
    model.lever_arm = DEM_ARM_CONTACT;
    MUST(dem_contact_history_config_init(&config));
    MUST(dem_contact_history_create(&config, &p->history, NULL));
    MUST(dem_contact_history_model_set(p->history, 0, 0, &model));
    p->radius[0] = p->radius[1] = RADIUS;
    p->mass[0] = p->mass[1] = 1e-5;
    p->x[0] = 0.5 * DISTANCE;
    p->x[3] = -0.5 * DISTANCE;
}

static void pair_step(pair *p, double dt)
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
    MUST(dem_contacts_evaluate(p->history, &in, NULL));
}

static void pair_spring(const pair *p, double xi[3])
{
    dem_contact contact;
    uint64_t cursor = 0;
    contact.struct_size = sizeof contact;
    MUST(dem_contact_history_next(p->history, &cursor, &contact));
    memcpy(xi, contact.state, 3 * sizeof *xi);
}

/* Loads the spring by spinning both bodies in place, then turns the pair with `rate` about `axis`
 * for one unit of time; gives the spring before and after. */
static void turn_pair(const double axis[3], double rate, unsigned steps, double before[3],
                      double after[3])
{
    pair p;
    pair_open(&p);
    const double dt = 1.0 / steps;
    p.w[1] = p.w[4] = 0.02 / dt;
    p.w[2] = p.w[5] = 0.03 / dt;
    pair_step(&p, dt);
    pair_spring(&p, before);
    const double start[2][3] = {{0.5 * DISTANCE, 0.0, 0.0}, {-0.5 * DISTANCE, 0.0, 0.0}};
    for (unsigned k = 1; k <= steps; ++k) {
        for (int body = 0; body < 2; ++body) {
            double now[3];
            turn(axis, rate * k / steps, start[body], now);
            for (int c = 0; c < 3; ++c) {
                /* what a drift has: x(t+dt) = x(t) + v(t+dt/2) dt */
                p.v[3 * body + c] = (now[c] - p.x[3 * body + c]) / dt;
                p.x[3 * body + c] = now[c];
                p.w[3 * body + c] = rate * axis[c];
            }
        }
        pair_step(&p, dt);
    }
    pair_spring(&p, after);
    dem_contact_history_destroy(p.history);
}

/* Distance of the spring from where a rotation by the angle would bring it, over its length. */
static double miss(const double axis[3], double angle, const double before[3],
                   const double after[3])
{
    double exact[3], square = 0.0, size = 0.0;
    turn(axis, angle, before, exact);
    for (int c = 0; c < 3; ++c) {
        square += (after[c] - exact[c]) * (after[c] - exact[c]);
        size += before[c] * before[c];
    }
    return sqrt(square / size);
}

void case_twist_about_normal(ledger *l)
{
    static const double axis[3] = {1.0, 0.0, 0.0};
    const double rate = 2.0;
    double before[3], after[3], error[2];
    l->paper = "libdem";
    l->name = "twist-about-normal";
    for (unsigned i = 0; i < 2; ++i) {
        const unsigned steps = 1000u << i;
        turn_pair(axis, rate, steps, before, after);
        error[i] = miss(axis, rate, before, after);
        /* two half-angle rotations a step: exactly 4 atan(rate dt/4) */
        const double angle = steps * 4.0 * atan(0.25 * rate / steps);
        ledger_near(l, i == 0 ? "half_angle_form_1000" : "half_angle_form_2000",
                    miss(axis, angle, before, after), 0.0, 1e-12);
    }
    ledger_below(l, "spring_out_of_plane_over_radius", fabs(before[0]) / RADIUS, 1e-15);
    ledger_below(l, "angle_error_1000", error[0], 1e-6);
    ledger_near(l, "order", log2(error[0] / error[1]), 2.0, 0.15);
}

void case_twist_any_axis(ledger *l)
{
    static const double axis[3] = {0.48, 0.6, 0.64};
    const double rate = 2.0;
    double before[3], after[3], error[2];
    l->paper = "libdem";
    l->name = "twist-any-axis";
    for (unsigned i = 0; i < 2; ++i) {
        turn_pair(axis, rate, 500u << i, before, after);
        error[i] = miss(axis, rate, before, after);
    }
    ledger_below(l, "error_1000", error[1], 1e-5);
    ledger_near(l, "order", log2(error[0] / error[1]), 2.0, 0.15);
}
