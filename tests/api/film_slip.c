/* SPDX-License-Identifier: MIT */
/**
 * @file film_slip.c
 * Films along surfaces and the next term across: coefficients as printed for spheres and a wall,
 * what is conserved, that no energy is made, and that rotation of the whole is no motion.
 */
#define _POSIX_C_SOURCE 200809L
#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/fields.h"
#include "../support/log.h"
#include "../support/near.h"
#include "../support/report.h"
#include "../support/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static dem_film film_of(double viscosity, double gap_min, double gap_max, uint64_t terms)
{
    dem_film film;
    OK(dem_film_init(&film));
    film.viscosity = viscosity;
    film.gap_min = gap_min;
    film.gap_max = gap_max;
    film.terms = terms;
    return film;
}

static void film_model(dem_world *world, const dem_film *film)
{
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1e4;
    linear.restitution = 0.9;
    linear.friction = 0.3;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_model_add_film(&model, film));
    OK(dem_contact_model_set(world, 0, 0, &model));
}

static double *of_id(const dem_view *view, uint64_t id)
{
    for (uint64_t row = 0; row < view->count; ++row)
        if (view->id[row] == id)
            return (double *)(void *)((char *)view->data + row * view->stride);
    fail_msg("no id %llu", (unsigned long long)id);
    return NULL;
}

static dem_particle particle_of(dem_world *world, uint64_t id)
{
    dem_particle_handle handle;
    dem_particle p = {.struct_size = sizeof p};
    OK(dem_particle_find(world, id, &handle));
    OK(dem_particle_get(world, handle, &p));
    return p;
}

static double inertia_of(const dem_particle *p)
{
    return 0.4 * p->mass * p->radius * p->radius;
}

/* ------------------------------------------------------------------ printed coefficients */

/** Force and torque of a film on sphere 1, and on sphere 2 or the wall, with one short step. */
typedef struct loads {
    double force[3], torque[2][3];
} loads;

/** Sphere 1 of radius 0.5 above sphere 2 or a plane, along z. */
static loads loads_of(double ratio, double gap, const dem_film *film, const double velocity[3],
                      const double spin[3])
{
    const double dt = 1e-7;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = scene_world(&config);
    film_model(world, film);
    dem_particle p = scene_particle(0.0, 0.0, 0.5 + gap);
    memcpy(p.velocity, velocity, sizeof p.velocity);
    memcpy(p.angular_velocity, spin, sizeof p.angular_velocity);
    OK(dem_particle_add(world, &p, NULL));
    if (ratio > 0.0) {
        p = scene_particle(0.0, 0.0, -0.5 * ratio);
        p.radius = 0.5 * ratio;
        OK(dem_particle_add(world, &p, NULL));
    } else {
        dem_wall wall;
        OK(dem_wall_init(&wall));
        OK(dem_wall_add(world, &wall, NULL));
    }
    OK(dem_world_impulses_reset(world));
    OK(dem_step(world, dt, 1));
    loads l = {{0}, {{0}}};
    const dem_view linear = view_of(world, DEM_FIELD_CONTACT_IMPULSE),
                   angular = view_of(world, DEM_FIELD_CONTACT_ANGULAR_IMPULSE);
    for (int c = 0; c < 3; ++c) {
        l.force[c] = of_id(&linear, 1)[c] / dt;
        l.torque[0][c] = of_id(&angular, 1)[c] / dt;
        if (ratio > 0.0) {
            l.torque[1][c] = of_id(&angular, 2)[c] / dt;
            near(of_id(&linear, 2)[c] / dt, -l.force[c], 0.0);
        }
    }
    dem_world_destroy(world);
    return l;
}

/* Goldman, Cox and Brenner 1967, O'Neill and Stewartson 1967: a sphere that moves along a wall, and
 * one that turns beside it. */
static void a_wall_has_the_printed_logarithms(void **state)
{
    (void)state;
    const double none[3] = {0.0, 0.0, 0.0}, along[3] = {0.3, 0.0, 0.0}, turns[3] = {0.0, 0.7, 0.0},
                 twists[3] = {0.0, 0.0, 2.0}, mu = 1e-3, a = 0.5, gap = 1e-3, ln = log(1e-2 / gap);
    const dem_film film = film_of(mu, 1e-5, 1e-2, DEM_FILM_TANGENTIAL);
    loads l = loads_of(0.0, gap, &film, along, none);
    near(l.force[0], -6.0 * pi * mu * a * 0.3 * 8.0 / 15.0 * ln, 1e-6 * mu);
    near(l.torque[0][1], 8.0 * pi * mu * a * a * 0.3 * ln / 10.0, 1e-6 * mu);
    near(l.force[2], 0.0, 1e-15);
    l = loads_of(0.0, gap, &film, none, turns);
    near(l.force[0], 6.0 * pi * mu * a * a * 0.7 * 2.0 / 15.0 * ln, 1e-6 * mu);
    near(l.torque[0][1], -8.0 * pi * mu * a * a * a * 0.7 * 2.0 / 5.0 * ln, 1e-6 * mu);
    l = loads_of(0.0, gap, &film, none, twists);
    near(l.torque[0][2], 0.0, 0.0);
    /* below gap_min the coefficient stays, and where bodies overlap there is none */
    l = loads_of(0.0, 1e-7, &film, along, none);
    near(l.force[0], -6.0 * pi * mu * a * 0.3 * 8.0 / 15.0 * log(1e3), 1e-6 * mu);
    l = loads_of(0.0, 1.1e-2, &film, along, none);
    assert_true(l.force[0] == 0.0 && l.torque[0][1] == 0.0);
    const dem_film plain = film_of(mu, 1e-5, 1e-2, 0);
    l = loads_of(0.0, gap, &plain, along, none);
    assert_true(l.force[0] == 0.0 && l.torque[0][1] == 0.0);
}

/* Jeffrey and Onishi 1984, the logarithms of Y^A_11, Y^B_11, Y^C_11 and Y^C_12, and those of
 * X^A_11. */
static void spheres_have_the_printed_logarithms(void **state)
{
    (void)state;
    const double none[3] = {0.0, 0.0, 0.0}, along[3] = {0.3, 0.0, 0.0}, turns[3] = {0.0, 0.7, 0.0},
                 in[3] = {0.0, 0.0, -0.2}, mu = 1e-3, a = 0.5, gap = 1e-5, ln = log(1e2);
    const dem_film film = film_of(mu, 1e-8, 1e-3, DEM_FILM_TANGENTIAL | DEM_FILM_LOGARITHM);
    for (double ratio = 0.125; ratio < 9.0; ratio *= 2.0) {
        const double up = 1.0 + ratio, cube = up * up * up,
                     ya = 4.0 * ratio * (2.0 + ratio + 2.0 * ratio * ratio) / (15.0 * cube),
                     yb = ratio * (4.0 + ratio) / (5.0 * up * up), yc = 2.0 * ratio / (5.0 * up),
                     yc12 = 4.0 * ratio * ratio / (5.0 * cube * up),
                     xa = ratio * (1.0 + 7.0 * ratio + ratio * ratio) / (5.0 * cube);
        loads l = loads_of(ratio, gap, &film, along, none);
        /* arms reach the middle of the gap: 1e-4 */
        near(l.force[0], -6.0 * pi * mu * a * 0.3 * ya * ln, 1e-6 * mu);
        near(l.torque[0][1], 4.0 * pi * mu * a * a * 0.3 * yb * ln, 1e-4 * mu);
        l = loads_of(ratio, gap, &film, none, turns);
        near(l.torque[0][1], -8.0 * pi * mu * a * a * a * 0.7 * yc * ln, 2e-4 * mu);
        near(l.torque[1][1], -pi * mu * a * a * a * cube * 0.7 * yc12 * ln, 2e-3 * mu * a);
        l = loads_of(ratio, gap, &film, in, none);
        const double harmonic = a * ratio / up,
                     leading = 6.0 * pi * mu * harmonic * harmonic * (1.0 / gap - 1e3),
                     want = 0.2 * (leading + 6.0 * pi * mu * a * xa * ln);
        near(l.force[2], want, 4e-3 * want); /* the gap falls by 0.2 % in the step */
        const dem_film first = film_of(mu, 1e-8, 1e-3, 0);
        const loads without = loads_of(ratio, gap, &first, in, none);
        near(l.force[2] - without.force[2], 0.2 * 6.0 * pi * mu * a * xa * ln,
             1e-2 * 6.0 * pi * mu * a * xa * ln);
    }
}

/* ------------------------------------------------------------------ what is conserved */

enum { CLUSTER = 27 };

/** Spheres of many sizes and masses that nearly touch, and spin; some are held. */
static dem_world *cluster(uint64_t seed, double viscosity, const dem_world_config *given, int held)
{
    dem_world *world = scene_world(given);
    const dem_film film = film_of(viscosity, 1e-4, 0.25, DEM_FILM_TANGENTIAL | DEM_FILM_LOGARITHM);
    film_model(world, &film);
    test_random random = {seed};
    for (int k = 0; k < CLUSTER; ++k) {
        dem_particle p = scene_particle(0.5 + k % 3, 0.5 + k / 3 % 3, 0.5 + k / 9);
        for (int c = 0; c < 3; ++c) {
            p.velocity[c] = test_uniform(&random, -1.0, 1.0);
            p.angular_velocity[c] = test_uniform(&random, -3.0, 3.0);
        }
        p.radius = 0.42 + 0.07 * test_uniform(&random, 0.0, 1.0);
        p.mass *= test_uniform(&random, 0.2, 3.0);
        if (held && k % 9 == 4)
            p.mobility = k == 4 ? DEM_MOBILITY_FIXED : DEM_MOBILITY_KINEMATIC;
        for (int c = 0; p.mobility == DEM_MOBILITY_FIXED && c < 3; ++c)
            p.velocity[c] = p.angular_velocity[c] = 0.0;
        OK(dem_particle_add(world, &p, NULL));
    }
    return world;
}

static void momenta_of(dem_world *world, double sum[6])
{
    memset(sum, 0, 6 * sizeof *sum);
    for (uint64_t k = 1; k <= CLUSTER; ++k) {
        const dem_particle p = particle_of(world, k);
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            sum[c] += p.mass * p.velocity[c];
            sum[3 + c] += p.mass * (p.position[d] * p.velocity[e] - p.position[e] * p.velocity[d]) +
                          inertia_of(&p) * p.angular_velocity[c];
        }
    }
}

static double kinetic(const dem_world_energies *e)
{
    return e->kinetic_translation + e->kinetic_rotation;
}

static double taken(const dem_world_energies *e)
{
    return e->dissipated_normal + e->dissipated_dashpot + e->dissipated_rolling - e->work_boundary -
           e->work_fluid + e->dissipated_drag;
}

/* mu over 12 decades: momentum and angular momentum stay, kinetic energy never rises, and the
 * account closes. */
static void momenta_stay_and_energy_falls(void **state)
{
    (void)state;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    double rise = 0.0, account = 0.0, off[2] = {0.0, 0.0};
    for (double viscosity = 1e-6; viscosity < 2e6; viscosity *= 10.0) {
        dem_world *world = cluster(UINT64_C(0x51), viscosity, &config, 0);
        double first[6], now[6];
        momenta_of(world, first);
        OK(dem_step(world, 1e-4, 0));
        dem_world_energies begin = scene_energies(world), before = begin;
        for (int n = 0; n < 8; ++n) {
            OK(dem_step(world, 1e-4, 1));
            const dem_world_energies e = scene_energies(world);
            assert_true(e.elastic == 0.0);
            report_worst(&rise, kinetic(&e) / kinetic(&before) - 1.0);
            assert_true(e.dissipated_normal > 0.0 && e.dissipated_dashpot > 0.0 &&
                        e.dissipated_rolling > 0.0);
            report_worst(&account, fabs((kinetic(&e) + taken(&e)) / kinetic(&begin) - 1.0));
            before = e;
        }
        momenta_of(world, now);
        for (int c = 0; c < 6; ++c)
            report_worst(&off[c / 3], fabs(now[c] - first[c]));
        dem_world_destroy(world);
    }
    COUPLED("27_grains_in_all_films", "kinetic_energy_rises_by", rise, 0.0, 1e-14, "conservation");
    COUPLED("27_grains_in_all_films", "account_off", account, 0.0, 1e-13, "conservation");
    COUPLED("27_grains_in_all_films", "momentum_off_kg_m/s", off[0], 0.0, 2e-14, "conservation");
    COUPLED("27_grains_in_all_films", "angular_momentum_off_kg_m2/s", off[1], 0.0, 2e-14,
            "conservation");
}

static double any(test_random *random, double decades)
{
    return pow(10.0, test_uniform(random, -decades, decades));
}

/** A film without contacts worth naming. */
static void film_alone(dem_world *world, const dem_film *film)
{
    dem_hooke hooke;
    OK(dem_hooke_init(&hooke));
    hooke.stiffness_normal = 1e-300;
    hooke.restitution = 1.0;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_hooke(&model, &hooke));
    OK(dem_contact_model_add_film(&model, film));
    OK(dem_contact_model_set(world, 0, 0, &model));
}

/** Two bodies of any sizes and masses beside each other, the first one in the origin. */
static dem_world *any_pair(test_random *random, double decades, double *dt)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.skin = 1e-300;
    dem_world *world = scene_world(&config);
    const double size = any(random, decades);
    dem_particle p[2];
    double fastest = 0.0;
    for (int k = 0; k < 2; ++k) {
        p[k] = scene_particle(0.0, 0.0, 0.0);
        p[k].radius = size * any(random, decades / 3.0);
        p[k].mass = any(random, decades);
        const double speed = any(random, decades / 2.0), spin = any(random, decades / 2.0);
        for (int c = 0; c < 3; ++c) {
            p[k].velocity[c] = speed * test_uniform(random, -1.0, 1.0);
            p[k].angular_velocity[c] = spin * test_uniform(random, -1.0, 1.0);
            fastest = fmax(fastest, fabs(p[k].velocity[c]));
        }
    }
    const double gap_max = 0.05 * fmax(p[0].radius, p[1].radius);
    dem_film film = film_of(any(random, 2.0 * decades),
                            gap_max * pow(10.0, -test_uniform(random, 0.1, decades)), gap_max,
                            DEM_FILM_TANGENTIAL);
    film_alone(world, &film);
    p[1].position[0] = p[0].radius + p[1].radius + gap_max * test_uniform(random, 0.1, 0.9);
    OK(dem_particles_add(world, 2, p, NULL));
    *dt = 0.01 * gap_max / fastest;
    return world;
}

/* However unlike the bodies are, and however stiff the film. */
static void energy_falls_between_any_bodies(void **state)
{
    (void)state;
    test_random random = {UINT64_C(0xF11A)};
    for (int n = 0; n < 3000; ++n) {
        double dt, before = INFINITY;
        dem_world *world = any_pair(&random, test_uniform(&random, 3.0, 40.0), &dt);
        for (int k = 0; k < 4; ++k) {
            OK(dem_step(world, dt, k > 0));
            const dem_world_energies e = scene_energies(world);
            const double kinetic = e.kinetic_translation + e.kinetic_rotation;
            if (!(kinetic <= before * (1.0 + 1e-12)))
                fail_msg("pair %d, step %d: %g J, before %g J", n, k, kinetic, before);
            before = kinetic;
        }
        dem_world_destroy(world);
    }
}

/* Where squares of dt k/m are beyond all numbers: two spheres slip no more. */
static void the_stiffest_film_holds(void **state)
{
    (void)state;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = scene_world(&config);
    const dem_film film = film_of(1e90, 1e-5, 1e-2, DEM_FILM_TANGENTIAL);
    film_alone(world, &film);
    for (int k = 0; k < 2; ++k) {
        dem_particle p = scene_particle(k * 1.001, 0.0, 0.0);
        p.mass = 1e-120;
        p.velocity[1] = k ? -0.3 : 0.4;
        p.angular_velocity[2] = k ? 1.0 : 2.0;
        OK(dem_particle_add(world, &p, NULL));
    }
    OK(dem_step(world, 1e-3, 1));
    const dem_particle p = particle_of(world, 1), q = particle_of(world, 2);
    const double arm = 0.5005, v = p.velocity[1] - q.velocity[1];
    near(v + arm * (p.angular_velocity[2] + q.angular_velocity[2]), 0.0, 1e-14);
    near(p.angular_velocity[2] - q.angular_velocity[2], 0.0, 1e-14);
    near(p.velocity[1] + q.velocity[1], 0.1, 1e-15);
    dem_world_destroy(world);
}

/* A step that jumps films or presses on them makes no energy either; the pairs that are all moving
 * as one body feel nothing. */
static void rotation_of_the_whole_is_no_motion(void **state)
{
    (void)state;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = cluster(UINT64_C(0x52), 1.0, &config, 0);
    const double turn[3] = {0.3, -0.5, 0.8};
    for (uint64_t k = 1; k <= CLUSTER; ++k) {
        dem_particle_handle handle;
        const dem_particle p = particle_of(world, k);
        double v[3];
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            v[c] = turn[d] * p.position[e] - turn[e] * p.position[d];
        }
        OK(dem_particle_find(world, k, &handle));
        OK(dem_particle_set_motion(world, handle, NULL, v, turn));
    }
    OK(dem_world_impulses_reset(world));
    OK(dem_step(world, 1e-9, 1));
    const dem_view linear = view_of(world, DEM_FIELD_CONTACT_IMPULSE),
                   angular = view_of(world, DEM_FIELD_CONTACT_ANGULAR_IMPULSE);
    for (uint64_t k = 1; k <= CLUSTER; ++k)
        for (int c = 0; c < 3; ++c) {
            near(of_id(&linear, k)[c], 0.0, 1e-20); /* of 1e-9 N s */
            near(of_id(&angular, k)[c], 0.0, 1e-20);
        }
    dem_world_destroy(world);
}

static int hook_calls;

static dem_status hook_fails(void *user, dem_world *world, double dt)
{
    (void)user, (void)world, (void)dt;
    return ++hook_calls == 57 ? DEM_ERROR_STATE : DEM_OK;
}

/** Fluid, added mass, held bodies, a wall that turns and moves. */
static dem_world *all_of_it(const dem_world_config *config, double viscosity, int drag)
{
    dem_world *world = cluster(UINT64_C(0x53), viscosity, config, 1);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.velocity[2] = 0.1;
    wall.velocity[0] = 0.2;
    wall.angular_velocity[2] = 0.5;
    wall.angular_velocity[1] = 0.05;
    OK(dem_wall_add(world, &wall, NULL));
    const dem_view beta = view_of(world, DEM_FIELD_DRAG_COEFFICIENT),
                   kappa = view_of(world, DEM_FIELD_ROTATIONAL_DRAG),
                   added = view_of(world, DEM_FIELD_ADDED_MASS);
    for (uint64_t k = 1; k <= CLUSTER; ++k) {
        *of_id(&beta, k) = drag ? 0.3 : 0.0;
        *of_id(&kappa, k) = drag ? 0.02 : 0.0;
        *of_id(&added, k) = k % 9 == 5 ? 0.0 : 0.05;
    }
    OK(dem_world_written(world));
    OK(dem_world_impulses_reset(world));
    return world;
}

/* A new velocity of the fluid in each step, so that its first kick is booked by the hook. */
static dem_status hook_writes(void *user, dem_world *world, double dt)
{
    (void)user, (void)dt;
    const dem_view u = view_of(world, DEM_FIELD_FLUID_VELOCITY);
    for (uint64_t k = 1; k <= CLUSTER; ++k)
        of_id(&u, k)[0] += 0.01 * (double)(k % 3);
    return dem_world_written_field(world, DEM_FIELD_FLUID_VELOCITY);
}

/* I dw is the sum of the angular impulses, m dv that of the linear ones, of each free body; and the
 * account of energies closes. Without drag, with it, and with a hook that writes. */
static void impulses_have_both_films(void **state)
{
    (void)state;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    for (int trial = 0; trial < 12; ++trial) {
        config.before_forces = trial % 3 == 2 ? hook_writes : NULL;
        dem_world *world = all_of_it(&config, 1e-4 * pow(100.0, trial / 3), trial % 3 > 0);
        dem_particle before[CLUSTER + 1];
        for (uint64_t k = 1; k <= CLUSTER; ++k)
            before[k] = particle_of(world, k);
        OK(dem_step(world, 1e-4, 0));
        const dem_world_energies begin = scene_energies(world);
        OK(dem_step(world, 1e-4, 20));
        const dem_world_energies e = scene_energies(world);
        assert_true(e.elastic == 0.0 && e.work_boundary != 0.0);
        near(kinetic(&e) + taken(&e), kinetic(&begin), 1e-13 * kinetic(&begin));
        const dem_view contact = view_of(world, DEM_FIELD_CONTACT_IMPULSE),
                       turning = view_of(world, DEM_FIELD_CONTACT_ANGULAR_IMPULSE),
                       drag = view_of(world, DEM_FIELD_DRAG_IMPULSE),
                       slowing = view_of(world, DEM_FIELD_DRAG_ANGULAR_IMPULSE);
        for (uint64_t k = 1; k <= CLUSTER; ++k) {
            const dem_particle p = particle_of(world, k);
            if (p.mobility != DEM_MOBILITY_FREE)
                continue;
            for (int c = 0; c < 3; ++c) {
                near(p.mass * (p.velocity[c] - before[k].velocity[c]),
                     of_id(&contact, k)[c] + of_id(&drag, k)[c], 1e-15);
                near(inertia_of(&p) * (p.angular_velocity[c] - before[k].angular_velocity[c]),
                     of_id(&turning, k)[c] + of_id(&slowing, k)[c], 1e-15);
            }
        }
        dem_world_destroy(world);
    }
}

/* A ball that is a wall does what a driven sphere does, and gets what that gets. */
static void a_ball_is_a_driven_sphere(void **state)
{
    (void)state;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_particle after[2];
    double given[2][6];
    for (int walled = 0; walled < 2; ++walled) {
        dem_world *world = scene_world(&config);
        const dem_film film = film_of(0.01, 1e-5, 0.04, DEM_FILM_TANGENTIAL | DEM_FILM_LOGARITHM);
        film_model(world, &film);
        static const double centre[] = {0.1, -0.2, 0.3}, velocity[] = {0.2, -0.1, 0.3},
                            turning[] = {1.0, 2.0, -0.5}, normal[] = {0.48, 0.6, 0.64};
        dem_particle p = scene_particle(0.0, 0.0, 0.0);
        for (int c = 0; c < 3; ++c)
            p.position[c] = centre[c] + (0.8 + 0.5 + 0.03) * normal[c];
        p.velocity[0] = 0.7, p.angular_velocity[1] = -3.0, p.angular_velocity[2] = 1.0;
        OK(dem_particle_add(world, &p, NULL));
        dem_wall wall;
        OK(dem_wall_init(&wall));
        p.mobility = DEM_MOBILITY_KINEMATIC;
        wall.shape = DEM_SHAPE_BALL;
        wall.size[0] = p.radius = 0.8;
        memcpy(wall.point, centre, sizeof centre), memcpy(p.position, centre, sizeof centre);
        memcpy(wall.velocity, velocity, sizeof velocity);
        memcpy(p.velocity, velocity, sizeof velocity);
        memcpy(wall.angular_velocity, turning, sizeof turning);
        memcpy(p.angular_velocity, turning, sizeof turning);
        if (walled)
            OK(dem_wall_add(world, &wall, NULL));
        else
            OK(dem_particle_add(world, &p, NULL));
        OK(dem_world_impulses_reset(world));
        OK(dem_step(world, 1e-3, 1));
        after[walled] = particle_of(world, 1);
        if (walled) {
            OK(dem_wall_get(world, 2, &wall));
            memcpy(given[1], wall.impulse, sizeof wall.impulse);
            memcpy(given[1] + 3, wall.angular_impulse, sizeof wall.angular_impulse);
        } else {
            const dem_view linear = view_of(world, DEM_FIELD_CONTACT_IMPULSE),
                           angular = view_of(world, DEM_FIELD_CONTACT_ANGULAR_IMPULSE);
            memcpy(given[0], of_id(&linear, 2), 3 * sizeof(double));
            memcpy(given[0] + 3, of_id(&angular, 2), 3 * sizeof(double));
        }
        dem_world_destroy(world);
    }
    for (int c = 0; c < 3; ++c) {
        near(after[1].velocity[c], after[0].velocity[c], 1e-14);
        near(after[1].angular_velocity[c], after[0].angular_velocity[c], 1e-14);
        assert_true(fabs(given[0][c]) > 1e-6 && fabs(given[0][3 + c]) > 1e-6);
    }
    for (int c = 0; c < 6; ++c)
        near(given[1][c], given[0][c], 1e-15);
}

/* The torque on a wall that turns is the opposite of what the sphere gets about the wall's centre,
 * and its work closes the account. */
static void a_wall_gets_the_opposite(void **state)
{
    (void)state;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = scene_world(&config);
    const dem_film film = film_of(0.01, 1e-5, 0.04, DEM_FILM_TANGENTIAL);
    film_model(world, &film);
    dem_particle p = scene_particle(0.6, -0.2, 0.503);
    p.angular_velocity[0] = 2.0, p.angular_velocity[1] = -1.0, p.velocity[1] = 0.5;
    OK(dem_particle_add(world, &p, NULL));
    dem_wall wall;
    uint64_t handle;
    OK(dem_wall_init(&wall));
    wall.angular_velocity[2] = 3.0;
    OK(dem_wall_add(world, &wall, &handle));
    p = particle_of(world, 1);
    const dem_particle was = p;
    OK(dem_world_impulses_reset(world));
    OK(dem_step(world, 1e-4, 0));
    const dem_world_energies begin = scene_energies(world);
    OK(dem_step(world, 1e-4, 1));
    p = particle_of(world, 1);
    wall.struct_size = sizeof wall;
    OK(dem_wall_get(world, handle, &wall));
    for (int c = 0; c < 3; ++c) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        const double dv[3] = {p.velocity[0] - was.velocity[0], p.velocity[1] - was.velocity[1],
                              p.velocity[2] - was.velocity[2]};
        near(wall.impulse[c], -p.mass * dv[c], 1e-17);
        near(wall.angular_impulse[c],
             -p.mass * (was.position[d] * dv[e] - was.position[e] * dv[d]) -
                 inertia_of(&p) * (p.angular_velocity[c] - was.angular_velocity[c]),
             1e-17);
    }
    assert_true(fabs(wall.angular_impulse[2]) > 1e-9);
    const dem_world_energies e = scene_energies(world);
    near(kinetic(&e) + taken(&e), kinetic(&begin), 1e-15);
    assert_true(fabs(e.work_boundary) > 1e-9);
    dem_world_destroy(world);
}

/* ------------------------------------------------------------------ bits */

static void same_bits(dem_world *a, dem_world *b)
{
    assert_true(scene_hash(a) == scene_hash(b));
    for (uint64_t k = 1; k <= CLUSTER; ++k) {
        const dem_particle p = particle_of(a, k), q = particle_of(b, k);
        assert_memory_equal(p.position, q.position, sizeof p.position);
        assert_memory_equal(p.angular_velocity, q.angular_velocity, sizeof p.velocity);
    }
}

static void threads_sets_marks_snapshots_and_failures_keep_bits(void **state)
{
    (void)state;
    dem_world_config config[3];
    for (int k = 0; k < 3; ++k) {
        OK(dem_world_config_init(&config[k]));
        for (int c = 0; c < 3; ++c) {
            config[k].boundary[c] = c < 2 ? DEM_BOUNDARY_PERIODIC : DEM_BOUNDARY_OPEN;
            config[k].box_high[c] = 3.0;
        }
    }
    config[1].threads = 3;
    config[1].isa = DEM_ISA_BASELINE;
    config[1].before_forces = hook_fails;
    dem_world *a = all_of_it(&config[0], 0.01, 1), *b = all_of_it(&config[1], 0.01, 1);
    OK(dem_step(a, 2e-4, 200));
    hook_calls = 0;
    assert_int_equal(dem_step(b, 2e-4, 90), DEM_ERROR_CALLBACK); /* 56 steps are made */
    OK(dem_step(b, 2e-4, 14));
    OK(dem_world_mark(b));
    OK(dem_step(b, 2e-4, 61));
    OK(dem_world_rewind(b));
    OK(dem_step(b, 2e-4, 30));
    uint64_t size = 0;
    OK(dem_world_snapshot_size(b, &size));
    void *bytes = malloc((size_t)size);
    OK(dem_world_snapshot(b, bytes, size, &size));
    dem_world *c = NULL;
    OK(dem_world_create(&config[2], &c, NULL));
    OK(dem_world_restore(c, bytes, size));
    free(bytes);
    for (int n = 0; n < 100; ++n)
        OK(dem_step(c, 2e-4, 1));
    same_bits(a, c);
    dem_world_destroy(a);
    dem_world_destroy(b);
    dem_world_destroy(c);
}

/* ------------------------------------------------------------------ orders */

static void oblique_end(uint64_t steps, double end[4])
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = scene_world(&config);
    const dem_film film = film_of(0.02, 1e-5, 0.02, DEM_FILM_TANGENTIAL | DEM_FILM_LOGARITHM);
    film_model(world, &film);
    dem_particle a = scene_particle(0.0, 0.0, 0.0), b = scene_particle(0.81, 0.0, 0.0);
    b.radius = 0.3, a.radius = 0.5;
    b.velocity[0] = -0.1, b.velocity[1] = 0.4, b.angular_velocity[2] = 2.0;
    OK(dem_particle_add(world, &a, NULL));
    OK(dem_particle_add(world, &b, NULL));
    OK(dem_step(world, 0.05 / (double)steps, steps));
    assert_true(scene_energies(world).elastic == 0.0);
    a = particle_of(world, 1), b = particle_of(world, 2);
    end[0] = b.position[0] - a.position[0];
    end[1] = b.velocity[1] - a.velocity[1];
    end[2] = a.angular_velocity[2];
    end[3] = b.angular_velocity[2];
    dem_world_destroy(world);
}

static void an_oblique_approach_is_of_order_one(void **state)
{
    (void)state;
    double end[3][4];
    for (int k = 0; k < 3; ++k)
        oblique_end(UINT64_C(400) << k, end[k]);
    for (int c = 0; c < 4; ++c)
        near(log2(fabs((end[1][c] - end[0][c]) / (end[2][c] - end[1][c]))), 1.0, 0.05);
}

/* k is held in a step: a sphere beside a wall follows (1 + B K)^-n, for any step. */
static void beside_a_wall_velocities_decay_as_they_must(void **state)
{
    (void)state;
    for (double z = 1e-3; z < 1e9; z *= 100.0) {
        dem_world_config config;
        OK(dem_world_config_init(&config));
        dem_world *world = scene_world(&config);
        const double dt = 1e-3, a = 0.5, m = 0.1, inertia = 0.4 * m * a * a, gap = 1e-3,
                     k = z * m / dt, mu = k / (2.0 * pi * a * log(10.0));
        const dem_film film = film_of(mu, 1e-5, 1e-2, DEM_FILM_TANGENTIAL);
        film_model(world, &film);
        dem_particle p = scene_particle(0.0, 0.0, a + gap);
        p.velocity[0] = 0.3, p.angular_velocity[1] = 2.0;
        OK(dem_particle_add(world, &p, NULL));
        dem_wall wall;
        OK(dem_wall_init(&wall));
        OK(dem_wall_add(world, &wall, NULL));
        OK(dem_step(world, dt, 3));
        /* (v, a w): F = -k (1.6 v - 0.4 a w), T/a = -k (1.6 a w - 0.4 v) */
        double v = 0.3, s = 2.0 * a;
        for (int n = 0; n < 3; ++n) {
            const double q = z, r = k * dt * a * a / inertia, b11 = 1.0 + 1.6 * q, b12 = -0.4 * q,
                         b21 = -0.4 * r, b22 = 1.0 + 1.6 * r, det = b11 * b22 - b12 * b21,
                         next = (b22 * v - b12 * s) / det;
            s = (b11 * s - b21 * v) / det;
            v = next;
        }
        p = particle_of(world, 1);
        near(p.velocity[0], v, 1e-13);
        near(p.angular_velocity[1] * a, s, 1e-13);
        dem_world_destroy(world);
    }
}

/* A film is no limit on the step; what resolves it is told, and once that it is wide. */
static void advice_and_warning(void **state)
{
    (void)state;
    for (int wide = 0; wide < 2; ++wide) {
        test_log log;
        dem_world_config config;
        OK(dem_world_config_init(&config));
        config.log = test_log_hook(&log);
        dem_world *world = scene_world(&config);
        dem_timestep_advice advice = {.struct_size = sizeof advice};
        dem_film film = film_of(1e3, 1e-5, wide ? 0.0252 : 0.0249, DEM_FILM_TANGENTIAL);
        for (uint64_t k = 1; k < 3; ++k) {
            dem_particle p = scene_particle(1.5 * (double)k, 0.0, 0.0);
            p.velocity[1] = k == 2 ? 2.0 : 0.0;
            OK(dem_particle_add(world, &p, NULL));
        }
        OK(dem_world_timestep_advise(world, NULL, &advice));
        assert_true(advice.film == 0.0 && advice.film_id[0] == 0);
        film_model(world, &film);
        OK(dem_world_timestep_advise(world, NULL, &advice));
        near(advice.film, 0.1 * film.gap_max / 4.0, 1e-18);
        near(advice.timestep, fmin(advice.contact, advice.displacement), 0.0);
        assert_int_equal(advice.film_id[0] + advice.film_id[1], 3);
        OK(dem_step(world, 1e-4, 1));
        OK(dem_step(world, 2e-4, 1));
        assert_int_equal(test_log_warnings(&log, "dem_film.gap_max"), wide);
        dem_world_destroy(world);
    }
}

static void unknown_terms_are_refused(void **state)
{
    (void)state;
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *world = scene_world(&config);
    const dem_film film = film_of(1.0, 1e-5, 1e-2, 4);
    dem_hooke hooke;
    dem_contact_model model;
    OK(dem_hooke_init(&hooke));
    hooke.stiffness_normal = 1e4;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_hooke(&model, &hooke));
    OK(dem_contact_model_add_film(&model, &film));
    assert_int_equal(dem_contact_model_set(world, 0, 0, &model), DEM_ERROR_UNKNOWN);
    assert_non_null(strstr(dem_world_error(world), "terms"));
    dem_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_has_the_printed_logarithms),
        cmocka_unit_test(spheres_have_the_printed_logarithms),
        cmocka_unit_test(momenta_stay_and_energy_falls),
        cmocka_unit_test(energy_falls_between_any_bodies),
        cmocka_unit_test(the_stiffest_film_holds),
        cmocka_unit_test(rotation_of_the_whole_is_no_motion),
        cmocka_unit_test(impulses_have_both_films),
        cmocka_unit_test(a_ball_is_a_driven_sphere),
        cmocka_unit_test(a_wall_gets_the_opposite),
        cmocka_unit_test(threads_sets_marks_snapshots_and_failures_keep_bits),
        cmocka_unit_test(an_oblique_approach_is_of_order_one),
        cmocka_unit_test(beside_a_wall_velocities_decay_as_they_must),
        cmocka_unit_test(advice_and_warning),
        cmocka_unit_test(unknown_terms_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
