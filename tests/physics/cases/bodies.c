/* SPDX-License-Identifier: MIT */
/* Rigid bodies of two spheres: rebound from a plane, and two of them that are bound and turn. */
#include "cases.h"
#include "scene.h"

#include <math.h>
#include <string.h>

static dem_body_handle dumbbell(dem_world *world, const dem_body *body, double half)
{
    dem_body_part parts[2];
    for (int k = 0; k < 2; ++k) {
        MUST(dem_body_part_init(&parts[k]));
        parts[k].radius = 1.0;
        parts[k].centre[0] = k == 0 ? -half : half;
    }
    dem_body_handle handle;
    MUST(dem_body_add(world, body, 2, parts, &handle));
    return handle;
}

static dem_body get(const dem_world *world, dem_body_handle handle)
{
    dem_body body = {.struct_size = sizeof body};
    MUST(dem_body_get(world, handle, &body));
    return body;
}

/* ------------------------------------------------------------------ rebound */

typedef struct rebound {
    double ratio, restitution; /* m/m'; of the lower sphere */
    double velocity, spin;     /* after, over what a rigid impact gives */
} rebound;

/* A dumbbell falls on a plane without friction, with one sphere first. */
static rebound rebound_of(double angle, double half, int32_t damping_mass, double restitution,
                          double stiffness)
{
    static const double speed = 0.01;
    dem_linear law = scene_linear(stiffness);
    law.restitution = restitution;
    law.friction = 0.0;
    const dem_contact_model model = scene_linear_model(&law);
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, 0.0, &model);
    dem_wall wall;
    MUST(dem_wall_init(&wall));
    MUST(dem_wall_add(world, &wall, NULL));
    dem_body body;
    MUST(dem_body_init(&body));
    body.mass = 2.0;
    body.inertia[0] = 0.8;
    body.inertia[1] = body.inertia[2] = 0.8 + 2.0 * half * half;
    body.damping_mass = damping_mass;
    body.orientation[0] = cos(0.5 * angle);
    body.orientation[2] = sin(0.5 * angle);
    body.position[2] = 1.0 + half * sin(angle) + 1e-6;
    body.velocity[2] = -speed;
    const dem_body_handle handle = dumbbell(world, &body, half);
    scene_step(world, 1e-6, 20000);
    body = get(world, handle);
    dem_particle_handle low;
    MUST(dem_body_part_find(world, handle, 1, &low));
    const double arm = half * cos(angle), inertia = body.inertia[1],
                 heavy = 1.0 + 2.0 * arm * arm / inertia;
    const double impulse = (1.0 + restitution) * speed * 2.0 / heavy;
    const rebound r = {heavy, scene_get(world, low).velocity[2] / speed,
                       (body.velocity[2] + speed) / (impulse / 2.0),
                       -body.angular_velocity[1] / (impulse * arm / inertia)};
    dem_world_destroy(world);
    return r;
}

/* The restitution of a damping ratio, where the force is cut at 0. */
static double restitution_of(double ratio)
{
    double low = 1e-9, high = 1.0;
    for (int n = 0; n < 100; ++n) {
        const double e = 0.5 * (low + high);
        double of;
        MUST(dem_kernel_damping_ratio_cut(e, &of));
        *(of > ratio ? &low : &high) = e;
    }
    return low;
}

void case_bodies_rebound(ledger *l)
{
    l->paper = "libdem";
    l->name = "bodies-rebound";
    static const double angle[3] = {1.2, 0.6, 0.3}, half[3] = {1.0, 1.0, 1.2};
    for (int k = 0; k < 3; ++k) {
        const rebound r = rebound_of(angle[k], half[k], DEM_DAMPING_MASS_CONTACT, 0.7, 1e6),
                      whole = rebound_of(angle[k], half[k], DEM_DAMPING_MASS_BODY, 0.7, 1e6);
        ledger_show(l, CLOSED_FORM, "mass_ratio", r.ratio, 1.0);
        ledger_near(l, CLOSED_FORM, "restitution", r.restitution, 0.7, 5e-4);
        ledger_near(l, CLOSED_FORM, "rigid_impact_velocity", r.velocity, 1.0, 5e-4);
        ledger_near(l, CLOSED_FORM, "rigid_impact_spin", r.spin, 1.0, 2e-3);
        ledger_below(l, BOUND, "restitution_of_body_mass", whole.restitution, 0.695);
        /* the dashpot of m, on the mass m' */
        double ratio;
        MUST(dem_kernel_damping_ratio_cut(0.7, &ratio));
        ledger_near(l, CLOSED_FORM, "restitution_of_body_mass_closed_form", whole.restitution,
                    restitution_of(ratio * sqrt(r.ratio)), 5e-4);
    }
}

/* A dumbbell that falls flat: two springs and two dashpots, and so e is that of zeta sqrt(2). With
 * half of the stiffness and zeta/sqrt(2) it is the one that was set. */
void case_bodies_springs(ledger *l)
{
    static const double set[2] = {0.9, 0.7}, sheet[2] = {0.8627, 0.6124};
    static const char *const names[2] = {"restitution_.9_of_two", "restitution_.7_of_two"},
                             *const mended[2] = {"restitution_.9_mended", "restitution_.7_mended"};
    l->paper = "libdem";
    l->name = "bodies-springs";
    for (int k = 0; k < 2; ++k) {
        double ratio;
        MUST(dem_kernel_damping_ratio_cut(set[k], &ratio));
        ledger_near(l, CLOSED_FORM | OF_ORACLE, "zeta_sqrt_2", restitution_of(ratio * sqrt(2.0)),
                    sheet[k], 1e-4);
        ledger_near(l, CLOSED_FORM, names[k],
                    rebound_of(0.0, 1.0, DEM_DAMPING_MASS_BODY, set[k], 1e6).restitution, sheet[k],
                    5e-4);
        const double softer = restitution_of(ratio / sqrt(2.0));
        ledger_near(l, CLOSED_FORM, mended[k],
                    rebound_of(0.0, 1.0, DEM_DAMPING_MASS_BODY, softer, 0.5e6).restitution, set[k],
                    5e-4);
    }
}

/* ------------------------------------------------------------------ bound */

enum { PLACES = 14 };

typedef struct bound {
    double place[PLACES];
    double balance, most; /* of energies, at the end; greatest deviation from the beginning */
} bound;

static double balance_of(const dem_world *world)
{
    dem_world_energies e = {.struct_size = sizeof e};
    MUST(dem_world_energies_get(world, &e));
    return scene_balance(&e);
}

/* Two dumbbells that adhesion and a tangential spring bind at a part, and that turn as one. */
static bound bound_of(double dt, uint64_t steps, uint64_t samples, int damped)
{
    dem_adhesion jkr;
    dem_friction friction;
    dem_contact_model model;
    MUST(dem_adhesion_init(&jkr));
    MUST(dem_friction_init(&friction));
    MUST(dem_contact_model_init(&model));
    jkr.young[0] = 1e4;
    jkr.work_of_adhesion = 60.0;
    jkr.restitution = damped ? 0.8 : 1.0;
    friction.friction = 1e6;
    friction.stiffness_tangential = 500.0;
    friction.damping = DEM_DAMPING_COEFFICIENT;
    friction.damping_tangential = damped ? 1.0 : 0.0;
    model.parts[0] = (dem_contact_part){.law = DEM_LAW_JKR, .parameters = &jkr};
    model.parts[1] = (dem_contact_part){.law = DEM_LAW_FRICTION, .parameters = &friction};
    model.lever_arm = DEM_ARM_CONTACT;
    dem_world *world = scene_simple(DEM_INTEGRATOR_VERLET_SYNC, 0.0, &model);
    static const double inertia[3] = {0.8, 1.7, 2.0}, spin[3] = {0.1, 0.2, 0.4};
    dem_body_handle handle[2];
    for (int k = 0; k < 2; ++k) {
        dem_body body;
        MUST(dem_body_init(&body));
        const double angle = k == 0 ? -0.4 : 0.9;
        double arm[3] = {k == 0 ? 0.7 : -0.7, 0.0, 0.0};
        body.mass = 2.0;
        body.orientation[0] = cos(0.5 * angle);
        body.orientation[1] = 0.6 * sin(0.5 * angle);
        body.orientation[3] = 0.8 * sin(0.5 * angle);
        dem_kernel_rotation_to_space(body.orientation, arm);
        for (int c = 0; c < 3; ++c) {
            body.inertia[c] = inertia[c];
            body.angular_velocity[c] = spin[c];
            body.position[c] = (k == 1 && c == 0 ? 1.93 : 0.0) - arm[c];
        }
        for (int c = 0; c < 3; ++c)
            body.velocity[c] = spin[(c + 1) % 3] * body.position[(c + 2) % 3] -
                               spin[(c + 2) % 3] * body.position[(c + 1) % 3];
        handle[k] = dumbbell(world, &body, 0.7);
    }
    MUST(dem_step(world, dt, 0));
    bound out = {.most = 0.0};
    const double e0 = balance_of(world);
    for (uint64_t n = 0; n < samples; ++n) {
        scene_step(world, dt, steps / samples);
        out.most = fmax(out.most, fabs(balance_of(world) - e0));
    }
    for (int k = 0; k < 2; ++k) {
        const dem_body body = get(world, handle[k]);
        memcpy(out.place + 7 * k, body.position, 3 * sizeof(double));
        memcpy(out.place + 7 * k + 3, body.orientation, 4 * sizeof(double));
    }
    out.balance = balance_of(world) - e0;
    dem_world_destroy(world);
    return out;
}

static double apart(const bound *a, const bound *b)
{
    double square = 0.0;
    for (int k = 0; k < PLACES; ++k)
        square += (a->place[k] - b->place[k]) * (a->place[k] - b->place[k]);
    return sqrt(square);
}

void case_bodies_order(ledger *l)
{
    l->paper = "libdem";
    l->name = "bodies-order";
    for (int damped = 0; damped < 2; ++damped) {
        bound run[3];
        for (int k = 0; k < 3; ++k)
            run[k] = bound_of(1e-3 / (1 << k), 2000u << k, 1, damped);
        const double order = log2(apart(&run[0], &run[1]) / apart(&run[1], &run[2]));
        ledger_near(l, ORDER, damped ? "order_damped" : "order_elastic", order, 2.0, 0.05);
    }
}

/* Elastic, for many steps: the balance has no trend. */
void case_bodies_energy(ledger *l)
{
    l->paper = "libdem";
    l->name = "bodies-energy";
    const bound first = bound_of(4e-3, 50000, 2000, 0), both = bound_of(4e-3, 200000, 8000, 0);
    /* the sheet has it for a million steps; a random walk would double in four times the time */
    ledger_below(l, SHEET, "balance", first.most, 2.4e-3);
    ledger_below(l, CONSERVATION, "balance_over_four_times_as_long", both.most, 1.5 * first.most);
}

void case_bodies_energy_long(ledger *l)
{
    const bound run = bound_of(4e-3, 1000000, 40000, 0);
    l->paper = "libdem";
    l->name = "bodies-energy-long";
    ledger_below(l, SHEET, "balance_of_a_million_steps", run.most, 2.4e-3);
}

/* ------------------------------------------------------------------ union */

/* Two unit spheres, their centres 1 apart; sums over both count what they share twice. */
void case_bodies_union(ledger *l)
{
    static const double PI = 3.14159265358979323846;
    dem_body_part parts[2];
    dem_body body;
    double sums[3] = {8.0 / 3.0, 2.0 * 8.0 / 15.0, 2.0 * (8.0 / 15.0 + 4.0 / 3.0 * 0.25)};
    for (int k = 0; k < 2; ++k) {
        MUST(dem_body_part_init(&parts[k]));
        parts[k].radius = 1.0;
        parts[k].centre[0] = k;
    }
    MUST(dem_body_init(&body));
    MUST(dem_clump_measure(1.0, 2, parts, &body, NULL, NULL));
    const double least = fmin(body.inertia[0], fmin(body.inertia[1], body.inertia[2])),
                 most = fmax(body.inertia[0], fmax(body.inertia[1], body.inertia[2]));
    l->paper = "libdem";
    l->name = "bodies-union";
    ledger_near(l, CLOSED_FORM, "volume_over_pi", body.mass / PI, 2.25, 1e-7);
    ledger_near(l, CLOSED_FORM, "inertia_along_over_pi", least / PI, 0.95625, 1e-7);
    ledger_near(l, CLOSED_FORM, "inertia_across_over_pi", most / PI, 1.659375, 1e-6);
    ledger_near(l, SHEET, "sum_over_union_volume", sums[0] / 2.25, 1.19, 0.01);
    ledger_near(l, SHEET, "sum_over_union_inertia_along", sums[1] / 0.95625, 1.12, 0.01);
    ledger_near(l, SHEET, "sum_over_union_inertia_across", sums[2] / 1.659375, 1.04, 0.01);
}
