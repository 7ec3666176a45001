/* SPDX-License-Identifier: MIT */
/* A pair that turns rigidly does not slip, so its tangential spring must turn with it: by the
 * same angle, also about the normal; and so must a vector that points anywhere. Level 1 with
 * prescribed motion. */
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

static void pair_open(pair *p, const dem_contact_part *part, const dem_law *own)
{
    dem_contact_history_config config;
    dem_contact_model model;
    memset(p, 0, sizeof *p);
    MUST(dem_contact_model_init(&model));
    model.parts[0] = *part;
    /* with arms that sum to the distance a rigid rotation has no slip at all */
    model.lever_arm = DEM_ARM_CONTACT;
    MUST(dem_contact_history_config_init(&config));
    MUST(dem_contact_history_create(&config, &p->history, NULL));
    if (own != NULL)
        MUST(dem_contact_history_law_register(p->history, own));
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

/* Turns the pair with `rate` about `axis` for one unit of time. */
static void pair_turn(pair *p, const double axis[3], double rate, unsigned steps)
{
    const double dt = 1.0 / steps;
    const double start[2][3] = {{0.5 * DISTANCE, 0.0, 0.0}, {-0.5 * DISTANCE, 0.0, 0.0}};
    for (unsigned k = 1; k <= steps; ++k) {
        for (int body = 0; body < 2; ++body) {
            double now[3];
            turn(axis, rate * k / steps, start[body], now);
            for (int c = 0; c < 3; ++c) {
                /* what a drift has: x(t+dt) = x(t) + v(t+dt/2) dt */
                p->v[3 * body + c] = (now[c] - p->x[3 * body + c]) / dt;
                p->x[3 * body + c] = now[c];
                /* an angular velocity turns by 2 atan(w dt/2): with it the surfaces do not slip at
                 * all */
                p->w[3 * body + c] = 2.0 * tan(0.5 * rate * dt) / dt * axis[c];
            }
        }
        pair_step(p, dt);
    }
}

/* Loads the spring by spinning both bodies in place, then turns the pair; gives the spring before
 * and after. */
static void turn_pair(const double axis[3], double rate, unsigned steps, double before[3],
                      double after[3])
{
    pair p;
    dem_linear law;
    MUST(dem_linear_init(&law));
    law.stiffness_normal = 1e4;
    law.friction = 1e6; /* never slips */
    pair_open(&p, &(dem_contact_part){.law = DEM_LAW_LINEAR_CSDS, .parameters = &law}, NULL);
    p.w[1] = p.w[4] = 0.02 * steps;
    p.w[2] = p.w[5] = 0.03 * steps;
    pair_step(&p, 1.0 / steps);
    pair_spring(&p, before);
    pair_turn(&p, axis, rate, steps);
    pair_spring(&p, after);
    dem_contact_history_destroy(p.history);
}

/* A law without forces that remembers a vector, which points anywhere. */
static dem_status memory_combine(void *user, const void *parameters, dem_pair_properties *shared,
                                 void *combined, dem_error *error)
{
    (void)user, (void)shared, (void)error;
    memcpy(combined, parameters, 3 * sizeof(double));
    return DEM_OK;
}

static dem_status memory_evaluate(void *user, uint64_t n, dem_contact_batch *b,
                                  const void *combined)
{
    (void)user;
    const double *vector = combined;
    for (uint64_t k = 0; k < n; ++k)
        for (uint64_t c = 0; c < 3; ++c)
            if (b->was_touching[k] == 0.0)
                b->state[c * DEM_BATCH_SIZE + k] = vector[c];
    return DEM_OK;
}

/* As turn_pair, for that law. */
static void turn_memory(const double axis[3], double rate, unsigned steps, const double before[3],
                        double after[3])
{
    static const dem_law_slot slot = {"vector", DEM_SLOT_AXIAL, 1};
    pair p;
    dem_law law;
    MUST(dem_law_init(&law));
    law.name = "memory";
    law.slots = &slot;
    law.slot_count = 1;
    law.parameters_size = law.combined_size = 3 * sizeof(double);
    law.combine = memory_combine;
    law.evaluate = memory_evaluate;
    pair_open(&p, &(dem_contact_part){.law = "memory", .parameters = before}, &law);
    pair_step(&p, 1.0 / steps);
    pair_turn(&p, axis, rate, steps);
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
        /* two half-angle rotations a step: exactly 4 atan(w dt/4) */
        const double angle = steps * 4.0 * atan(0.5 * tan(0.5 * rate / steps));
        ledger_near(l, CLOSED_FORM, i == 0 ? "half_angle_form_1000" : "half_angle_form_2000",
                    miss(axis, angle, before, after), 0.0, 1e-12);
    }
    ledger_below(l, CLOSED_FORM, "spring_out_of_plane_over_radius", fabs(before[0]) / RADIUS,
                 1e-15);
    ledger_below(l, CLOSED_FORM, "angle_error_1000", error[0], 1e-6);
    ledger_near(l, ORDER, "order", log2(error[0] / error[1]), 2.0, 0.15);
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
    ledger_below(l, CLOSED_FORM, "error_1000", error[1], 1e-5);
    ledger_near(l, ORDER, "order", log2(error[0] / error[1]), 2.0, 0.15);
}

void case_twist_axial(ledger *l)
{
    static const double axis[3] = {0.48, 0.6, 0.64}, before[3] = {2.0, -1.0, 2.0};
    const double rate = 2.0;
    double after[3], error[2], along, normal[3];
    l->paper = "libdem";
    l->name = "twist-axial";
    for (unsigned i = 0; i < 2; ++i) {
        turn_memory(axis, rate, 500u << i, before, after);
        error[i] = miss(axis, rate, before, after);
    }
    ledger_below(l, CLOSED_FORM, "error_1000", error[1], 1e-5);
    ledger_near(l, ORDER, "order", log2(error[0] / error[1]), 2.0, 0.15);
    turn(axis, rate, (const double[3]){1.0, 0.0, 0.0}, normal);
    along = after[0] * normal[0] + after[1] * normal[1] + after[2] * normal[2];
    ledger_near(l, CLOSED_FORM, "along_normal", along, before[0], 1e-12);
    ledger_near(l, CLOSED_FORM, "length",
                sqrt(after[0] * after[0] + after[1] * after[1] + after[2] * after[2]), 3.0, 1e-12);
}
