/* SPDX-License-Identifier: MIT */
/* A rigid ellipsoid on a plane, as a host of level 1 computes it that has shapes of its own: the
 * lowest point touches. Rotation by the implicit midpoint rule in body axes (Austin, Krishnaprasad,
 * Wang 1993), which keeps the energy of a free body. */
#include "cases.h"

#include <dem/dem.h>

#include <math.h>
#include <string.h>

static const double AXES[3] = {1.2, 1.0, 0.8}, MASS = 1.0, GRAVITY = 9.81, STIFFNESS = 1e3;

typedef struct ellipsoid {
    double x[2][3], v[2][3], w[2][3]; /* rows of the host: the body, and the plane at rest */
    double a[2][3], alpha[2][3], force[2][3], torque[2][3];
    double radius[2], mass[2];
    uint64_t id[2];
    double momentum[3]; /* angular, of the body, in space */
    double q[4], inertia[3];
    double overlap, normal[3], point[3];
    double elastic, dt;
    uint32_t pair[2];
    dem_contact_history *history;
} ellipsoid;

/* v in space from body axes, or back. */
static void turn(const double q[4], int back, const double v[3], double out[3])
{
    const double sign = back ? -1.0 : 1.0;
    const double u[3] = {sign * q[1], sign * q[2], sign * q[3]};
    double t[3];
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        t[c] = 2.0 * (u[d] * v[e] - u[e] * v[d]);
    }
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        out[c] = v[c] + q[0] * t[c] + u[d] * t[e] - u[e] * t[d];
    }
}

/* Angular velocity in space. */
static void spin_of(const ellipsoid *b, const double momentum[3], double angular_velocity[3])
{
    double own[3];
    turn(b->q, 1, momentum, own);
    for (int c = 0; c < 3; ++c)
        own[c] /= b->inertia[c];
    turn(b->q, 0, own, angular_velocity);
}

/* Angular velocity that takes q through the step, by the implicit midpoint rule for the momentum in
 * body axes: an axis of rotation is the same in those of the start and those half way. */
static void spin_half(const ellipsoid *b, double angular_velocity[3])
{
    double start[3], p[3];
    turn(b->q, 1, b->momentum, start);
    memcpy(p, start, sizeof p);
    for (int round = 0; round < 40; ++round)
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            p[c] =
                start[c] + 0.5 * b->dt * p[d] * p[e] * (1.0 / b->inertia[e] - 1.0 / b->inertia[d]);
        }
    for (int c = 0; c < 3; ++c)
        p[c] /= b->inertia[c];
    turn(b->q, 0, p, angular_velocity);
}

static void geometry(ellipsoid *b)
{
    static const double up[3] = {0.0, 0.0, 1.0};
    const int first = b->pair[0] == 0;
    double own[3], low[3], size = 0.0;
    turn(b->q, 1, up, own);
    for (int c = 0; c < 3; ++c)
        size += AXES[c] * AXES[c] * own[c] * own[c];
    for (int c = 0; c < 3; ++c)
        own[c] *= -AXES[c] * AXES[c] / sqrt(size);
    turn(b->q, 0, own, low);
    for (int c = 0; c < 3; ++c) {
        b->point[c] = b->x[0][c] + low[c];
        b->normal[c] = first ? up[c] : -up[c];
    }
    b->overlap = -b->point[2];
}

static void forces(ellipsoid *b, double dt)
{
    dem_contacts_input in;
    dem_contacts_geometry g;
    dem_contact_totals totals;
    MUST(dem_contacts_input_init(&in));
    MUST(dem_contacts_geometry_init(&g));
    memset(b->force, 0, sizeof b->force);
    memset(b->torque, 0, sizeof b->torque);
    geometry(b);
    in.particle_count = 2;
    in.id = b->id;
    in.position = b->x[0];
    in.velocity = b->v[0];
    in.angular_velocity = b->w[0];
    in.acceleration = b->a[0];
    in.angular_acceleration = b->alpha[0];
    in.radius = b->radius;
    in.mass = b->mass;
    in.pair_count = 1;
    in.pairs = b->pair;
    in.dt = dt;
    in.velocity_lag = 0.5 * dt;
    in.forces_only = dt == 0.0;
    in.force = b->force[0];
    in.torque = b->torque[0];
    g.overlap = &b->overlap;
    g.normal = b->normal;
    g.point = b->point;
    totals.struct_size = sizeof totals;
    MUST(dem_contacts_evaluate_geometry(b->history, &in, &g, &totals));
    b->elastic = totals.elastic_energy;
    b->force[0][2] -= MASS * GRAVITY;
}

/* On its static overlap, leaning; a calm one leans little and never leaves the plane. The plane's
 * id is the lower one, or the higher; it may come first in the list. */
static void ellipsoid_open(ellipsoid *b, double restitution, int calm, int plane_lower,
                           int plane_first, double dt)
{
    static const double leaning[2][4] = {{0.7, 0.3, -0.5, 0.4}, {0.95, 0.2, 0.1, 0.05}},
                        angular_velocity[3] = {0.5, -0.4, 0.6};
    const double *const q = leaning[calm];
    dem_contact_history_config config;
    dem_contact_model model;
    dem_linear law;
    memset(b, 0, sizeof *b);
    MUST(dem_linear_init(&law));
    law.stiffness_normal = STIFFNESS;
    law.friction = 1e6;
    law.restitution = restitution;
    MUST(dem_contact_model_init(&model));
    model.parts[0] = (dem_contact_part){.law = DEM_LAW_LINEAR_CSDS, .parameters = &law};
    MUST(dem_contact_history_config_init(&config));
    MUST(dem_contact_history_create(&config, &b->history, NULL));
    MUST(dem_contact_history_model_set(b->history, 0, 0, &model));
    b->radius[0] = b->radius[1] = 1.0;
    b->mass[0] = MASS;
    b->id[0] = 5;
    b->id[1] = plane_lower ? 1 : 9;
    b->pair[0] = plane_first ? 1 : 0;
    b->pair[1] = plane_first ? 0 : 1;
    b->dt = dt;
    double square = 0.0, moment[3];
    for (int c = 0; c < 4; ++c)
        square += q[c] * q[c];
    for (int c = 0; c < 4; ++c)
        b->q[c] = q[c] / sqrt(square);
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        b->inertia[c] = 0.2 * MASS * (AXES[d] * AXES[d] + AXES[e] * AXES[e]);
    }
    turn(b->q, 1, angular_velocity, moment);
    for (int c = 0; c < 3; ++c)
        moment[c] *= b->inertia[c];
    turn(b->q, 0, moment, b->momentum);
    geometry(b);
    b->x[0][2] = b->overlap - MASS * GRAVITY / STIFFNESS;
    geometry(b);
    /* the lowest point is at rest */
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        const double arm_d = b->point[d] - b->x[0][d], arm_e = b->point[e] - b->x[0][e];
        b->v[0][c] = -(angular_velocity[d] * arm_e - angular_velocity[e] * arm_d);
    }
    memcpy(b->w[0], angular_velocity, sizeof angular_velocity);
    forces(b, 0.0);
}

static void ellipsoid_step(ellipsoid *b)
{
    const double h = 0.5 * b->dt;
    double later[3], damped[3];
    for (int c = 0; c < 3; ++c) {
        b->a[0][c] = b->force[0][c] / MASS;
        b->v[0][c] += h * b->a[0][c];
        b->x[0][c] += b->dt * b->v[0][c];
        b->momentum[c] += h * b->torque[0][c];
        later[c] = b->momentum[c] + h * b->torque[0][c];
    }
    spin_half(b, b->w[0]);
    dem_kernel_rotate_orientation(b->w[0], b->dt, b->q);
    spin_of(b, later, damped);
    for (int c = 0; c < 3; ++c)
        b->alpha[0][c] = (damped[c] - b->w[0][c]) / h;
    forces(b, b->dt);
    for (int c = 0; c < 3; ++c) {
        b->v[0][c] += h * b->force[0][c] / MASS;
        b->momentum[c] += h * b->torque[0][c];
    }
}

static double ellipsoid_energy(const ellipsoid *b)
{
    double angular_velocity[3], sum = MASS * GRAVITY * b->x[0][2] + b->elastic;
    spin_of(b, b->momentum, angular_velocity);
    for (int c = 0; c < 3; ++c)
        sum += 0.5 * MASS * b->v[0][c] * b->v[0][c] + 0.5 * angular_velocity[c] * b->momentum[c];
    return sum;
}

/* Rolling with grip for one unit of time. */
void case_ellipsoid_orders(ledger *l)
{
    static const double restitutions[2] = {1.0, 0.8};
    l->paper = "libdem";
    l->name = "ellipsoid-orders";
    for (int damped = 0; damped < 2; ++damped)
        for (int variant = 0; variant < 4; ++variant) {
            double place[3][10], coarse = 0.0, fine = 0.0;
            for (int k = 0; k < 3; ++k) {
                ellipsoid b;
                const int steps = 500 << k;
                ellipsoid_open(&b, restitutions[damped], 0, variant % 2, variant / 2, 1.0 / steps);
                for (int n = 0; n < steps; ++n)
                    ellipsoid_step(&b);
                memcpy(place[k], b.x[0], 3 * sizeof(double));
                memcpy(place[k] + 3, b.q, sizeof b.q);
                memcpy(place[k] + 7, b.momentum, sizeof b.momentum);
                dem_contact_history_destroy(b.history);
            }
            for (int c = 0; c < 10; ++c) {
                coarse += (place[0][c] - place[1][c]) * (place[0][c] - place[1][c]);
                fine += (place[1][c] - place[2][c]) * (place[1][c] - place[2][c]);
            }
            char name[64];
            (void)snprintf(name, sizeof name, "order_e%d_plane_%s_%s", damped ? 8 : 10,
                           variant % 2 ? "lower" : "higher", variant / 2 ? "first" : "second");
            ledger_near(l, ORDER, name, 0.5 * log2(coarse / fine), 2.0, 0.05);
        }
}

/* Rocks without loss; the two halves tell a band from a trend. */
static void sticking(ledger *l, int steps)
{
    ellipsoid b;
    double band[2] = {0.0, 0.0}, moving;
    l->paper = "libdem";
    l->name = "ellipsoid-sticking";
    ellipsoid_open(&b, 1.0, 1, 0, 0, 2e-3);
    const double start = ellipsoid_energy(&b);
    moving = start - MASS * GRAVITY * AXES[2]; /* above rest on the broad side, nearly */
    for (int n = 0; n < steps; ++n) {
        ellipsoid_step(&b);
        double *of = &band[n >= steps / 2];
        *of = fmax(*of, fabs(ellipsoid_energy(&b) - start));
    }
    dem_contact_history_destroy(b.history);
    ledger_below(l, CONSERVATION, "energy_band", band[0] / moving, 1e-4);
    ledger_near(l, CONSERVATION, "second_half_over_first", band[1] / band[0], 1.0, 0.3);
}

void case_ellipsoid_sticking(ledger *l)
{
    sticking(l, 1000000);
}

void case_ellipsoid_sticking_short(ledger *l)
{
    sticking(l, 100000);
}
