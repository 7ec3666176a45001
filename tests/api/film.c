/* SPDX-License-Identifier: MIT */
/**
 * @file film.c
 * Films of a viscous fluid in a world: what they take, what they keep, and what they refuse.
 */
#define _POSIX_C_SOURCE 200809L /* posix_memalign */
#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/fields.h"
#include "../support/heap_short.h"
#include "../support/meshes.h"
#include "../support/near.h"
#include "../support/report.h"
#include "../support/scene.h"
#include "../support/schemes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double six_pi = 18.849555921538759;

static dem_film film_of(double viscosity, double gap_min, double gap_max)
{
    dem_film film;
    OK(dem_film_init(&film));
    film.viscosity = viscosity;
    film.gap_min = gap_min;
    film.gap_max = gap_max;
    return film;
}

/** A linear spring with restitution, and a film. */
static void film_model(dem_world *world, double stiffness, double restitution, double friction,
                       const dem_film *film)
{
    dem_linear linear;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = stiffness;
    linear.restitution = restitution;
    linear.friction = friction;
    dem_contact_model model;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_model_add_film(&model, film));
    OK(dem_contact_model_set(world, 0, 0, &model));
}

static void floor_add(dem_world *world)
{
    dem_wall wall;
    OK(dem_wall_init(&wall));
    OK(dem_wall_add(world, &wall, NULL));
}

static dem_particle of_id(dem_world *world, uint64_t id)
{
    dem_particle_handle handle;
    dem_particle p = {.struct_size = sizeof p};
    OK(dem_particle_find(world, id, &handle));
    OK(dem_particle_get(world, handle, &p));
    return p;
}

static dem_world *plain_world(int32_t scheme)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.integrator = scheme;
    return scene_world(&config);
}

static dem_world_energies energies_of(dem_world *world)
{
    dem_world_energies e = {.struct_size = sizeof e};
    OK(dem_world_energies_get(world, &e));
    return e;
}

/* Where all particles went, films take nothing any more. */
static void nothing_is_left(void **state)
{
    (void)state;
    dem_world *world = plain_world(DEM_INTEGRATOR_VERLET_SYNC);
    const dem_film film = film_of(1.0, 1e-3, 0.1);
    film_model(world, 1e5, 0.8, 0.3, &film);
    dem_particle_handle handle[2];
    for (int k = 0; k < 2; ++k) {
        dem_particle p = scene_particle(1.05 * k, 0.0, 0.0);
        p.velocity[0] = k == 0 ? 0.1 : -0.1;
        p.velocity[1] = k == 0 ? 0.05 : 0.0;
        OK(dem_particle_add(world, &p, &handle[k]));
    }
    OK(dem_step(world, 1e-4, 3));
    const dem_world_energies taken = energies_of(world);
    assert_true(taken.dissipated_normal > 0.0);
    for (int k = 0; k < 2; ++k)
        OK(dem_particle_remove(world, handle[k]));
    OK(dem_step(world, 1e-4, 5));
    const dem_world_energies left = energies_of(world);
    assert_true(left.dissipated_normal == taken.dissipated_normal);
    assert_true(left.dissipated_dashpot == taken.dissipated_dashpot);
    assert_true(left.dissipated_rolling == taken.dissipated_rolling);
    dem_world_destroy(world);
}

/* v_out = e (v_in - w Lambda) - w Lambda, whatever dt is against the film. */
static void rebound_has_the_closed_form(void **state)
{
    (void)state;
    const double radius = 0.5, mass = 0.1, speed = 1.0, lambda = log(1e3), e = 0.9;
    for (int k = 0; k < SCHEMES; ++k)
        for (double stokes = 10.0; stokes < 2000.0; stokes *= 5.0) {
            dem_world *world = plain_world(schemes[k]);
            const double w = speed / stokes;
            const dem_film film = film_of(w * mass / (six_pi * radius * radius), 1e-5, 1e-2);
            film_model(world, 1e5, e, 0.0, &film);
            dem_particle p = scene_particle(0.0, 0.0, radius + 0.0123);
            p.velocity[2] = -speed;
            OK(dem_particle_add(world, &p, NULL));
            floor_add(world);
            const double dt = 5e-5, into = speed - w * lambda, out = e * into - w * lambda;
            OK(dem_step(world, dt, 400));
            for (int n = 0; n < (out > 0.0 ? 200 : 10); ++n)
                if (of_id(world, 1).position[2] < radius + 0.011)
                    OK(dem_step(world, dt, 100));
            const double is = of_id(world, 1).velocity[2];
            if (into > 0.0 && out > 0.0)
                near(is, out, 2e-3 * speed);
            else
                assert_true(is <= 1e-9);
            dem_world_destroy(world);
        }
}

/* Without contact the film is exact, for a step that jumps it and for steps within it. */
static void free_pair_is_exact(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int k = 0; k < SCHEMES; ++k)
        for (double dt = 1e-6; dt < 2e-2; dt *= 7.0) {
            dem_world *world = plain_world(schemes[k]);
            dem_particle a = scene_particle(0.0, 0.0, 0.0), b = scene_particle(1.0 + 1e-4, 0, 0);
            b.mass = 0.3, b.radius = 0.5;
            a.velocity[0] = -0.75, b.velocity[0] = 0.25, b.velocity[1] = a.velocity[1] = 0.5;
            const double reduced = 0.075, w = 0.1;
            const dem_film film = film_of(w * reduced / (six_pi * 0.0625), 1e-5, 1e-2);
            film_model(world, 1e3, 1.0, 0.0, &film);
            OK(dem_particle_add(world, &a, NULL));
            OK(dem_particle_add(world, &b, NULL));
            OK(dem_step(world, dt, (uint64_t)(0.02 / dt) + 2));
            a = of_id(world, 1), b = of_id(world, 2);
            const double taken = w * (log(1e2) - (1e-2 - 1e-4) / 1e-2);
            report_worst(&worst, fabs(b.velocity[0] - a.velocity[0] - (1.0 - taken)));
            near(0.1 * a.velocity[0] + 0.3 * b.velocity[0], 0.0, 1e-14);
            near(a.velocity[1], 0.5, 0.0);
            const dem_world_energies e = energies_of(world);
            near(e.dissipated_normal, 0.5 * reduced * (1.0 - (1.0 - taken) * (1.0 - taken)), 1e-12);
            dem_world_destroy(world);
        }
    COUPLED("film_crossed", "velocity_off_dt_v/gap_.1_to_1e3", worst, 0.0, 1e-11, "closed_form");
}

/* Spheres that the list does not have at first meet in their film, and the list has moved them. */
static void spheres_from_afar_meet_in_a_film(void **state)
{
    (void)state;
    dem_world *world = plain_world(0);
    const double w = 0.1, reduced = 0.05;
    const dem_film film = film_of(w * reduced / (six_pi * 0.0625), 1e-5, 1e-2);
    film_model(world, 1e3, 1.0, 0.0, &film);
    for (int k = 0; k < 2; ++k) {
        dem_particle p = scene_particle(k == 0 ? 8.0 : 0.0, 0.0, 0.0);
        p.velocity[0] = k == 0 ? -0.25 : 0.25;
        OK(dem_particle_add(world, &p, NULL));
    }
    OK(dem_step(world, 1e-3, 20000));
    /* which is less than what the whole film takes */
    const dem_particle a = of_id(world, 1), b = of_id(world, 2);
    near(a.velocity[0], 0.0, 1e-3);
    assert_true(a.position[0] - b.position[0] > 1.0);
    assert_true(a.position[0] - b.position[0] < 1.0 + 1e-3);
    dem_world_destroy(world);
}

/* The same to a wall: where films reach farther than the list looks ahead, they act as they do
 * where it looks ahead farther. */
static void sphere_from_afar_meets_a_wall_in_a_film(void **state)
{
    (void)state;
    const double skins[2] = {0.005, 4.0};
    double z[2];
    for (int k = 0; k < 2; ++k) {
        dem_world_config config;
        OK(dem_world_config_init(&config));
        config.skin = skins[k];
        dem_world *world = scene_world(&config);
        const dem_film film = film_of(0.1, 1e-3, 0.4);
        film_model(world, 1e5, 0.8, 0.0, &film);
        dem_particle p = scene_particle(0.0, 0.0, 0.5 + 0.39);
        p.velocity[2] = -1.0;
        OK(dem_particle_add(world, &p, NULL));
        floor_add(world);
        OK(dem_step(world, 1e-4, 1));
        assert_true(energies_of(world).dissipated_normal > 0.0);
        OK(dem_step(world, 1e-4, 2000));
        z[k] = of_id(world, 1).position[2];
        dem_world_destroy(world);
    }
    assert_true(z[0] == z[1]);
}

/* A sphere sinks on a wall with the velocity m g/(6 pi mu R^2 c), however stiff the film. */
static void terminal_approach(void **state)
{
    (void)state;
    for (double z = 1e-1; z < 1e9; z *= 1e2) {
        dem_world_config config = scene_config();
        dem_world *world = scene_world(&config);
        const double dt = 1e-4, gap = 1e-3, c = 1.0 / gap - 1.0 / 1e-2;
        const double viscosity = z / dt * 0.1 / (six_pi * 0.25 * c);
        const dem_film film = film_of(viscosity, 1e-5, 1e-2);
        film_model(world, 1e4, 0.9, 0.0, &film);
        dem_particle p = scene_particle(0.0, 0.0, 0.5 + gap);
        OK(dem_particle_add(world, &p, NULL));
        floor_add(world);
        const uint64_t steps = z < 1.0 ? 200 : 20;
        OK(dem_step(world, dt, steps));
        dem_particle before = of_id(world, 1);
        OK(dem_step(world, dt, 1));
        p = of_id(world, 1);
        const double now = p.position[2] - 0.5, middle = 0.5 * (now + before.position[2] - 0.5),
                     v = (p.position[2] - before.position[2]) / dt,
                     want = -0.1 * 10.0 / (six_pi * viscosity * 0.25 * (1.0 / middle - 100.0));
        near(v, want, 0.02 * fabs(want) + 4e-16 / dt);
        dem_world_destroy(world);
    }
}

/* A stack sinks as its films ask for, from rest: each carries what is above it. */
static void loaded_stack_does_not_creep(void **state)
{
    (void)state;
    enum { STACK = 10 };
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    const double dt = 1e-4, gap = 1e-3, c = 1.0 / gap - 1.0 / 1e-2, z = 1e3;
    const double viscosity = z / dt * 0.1 / (six_pi * 0.0625 * c);
    const dem_film film = film_of(viscosity, 1e-5, 1e-2);
    film_model(world, 1e4, 0.9, 0.0, &film);
    for (int k = 0; k < STACK; ++k) {
        const dem_particle p = scene_particle(0.0, 0.0, 0.5 + gap + k * (1.0 + gap));
        OK(dem_particle_add(world, &p, NULL));
    }
    floor_add(world);
    double worst[2] = {0.0, 0.0};
    for (int late = 0; late < 2; ++late) {
        OK(dem_step(world, dt, late ? 96 : 3));
        dem_particle before[STACK];
        for (uint64_t k = 0; k < STACK; ++k)
            before[k] = of_id(world, k + 1);
        OK(dem_step(world, dt, 1));
        for (uint64_t k = 1; k < STACK; ++k) {
            const double below = of_id(world, k).position[2] - before[k - 1].position[2],
                         above = of_id(world, k + 1).position[2] - before[k].position[2];
            /* the positions have as many digits as they have */
            const double wide = before[k].position[2] - before[k - 1].position[2] - 1.0,
                         squeeze = (below - above) / dt,
                         want = (double)(STACK - k) * 0.1 * 10.0 /
                                (six_pi * viscosity * 0.0625 * (1.0 / wide - 1.0 / 1e-2));
            report_worst(&worst[late], (fabs(squeeze - want) - 4e-14 / dt) / want);
        }
    }
    COUPLED("stack_of_10", "squeeze_off_after_4_steps", worst[0], 0.0, 1e-2, "closed_form");
    COUPLED("stack_of_10", "squeeze_off_after_100_steps", worst[1], 0.0, 1e-3, "sheet");
    dem_world_destroy(world);
}

/* Films on one body are solved in the order of ids: neither the order in which spheres came nor
 * what the list looks at changes a bit. */
static void order_of_ids(void **state)
{
    (void)state;
    enum { COUNT = 27 };
    double x[3][COUNT][3];
    for (int run = 0; run < 3; ++run) {
        test_random random = {UINT64_C(0xF117)};
        dem_particle p[COUNT];
        dem_world_config config;
        OK(dem_world_config_init(&config));
        config.skin = run == 2 ? 0.5 : 0.02;
        dem_world *world = scene_world(&config);
        const dem_film film = film_of(10.0, 1e-4, 0.05);
        film_model(world, 1e5, 0.8, 0.0, &film);
        for (int n = 0; n < COUNT; ++n) {
            p[n] = scene_particle(1.02 * (n % 3), 1.02 * (n / 3 % 3), 1.02 * (n / 9));
            p[n].id = (uint64_t)n + 1;
            for (int c = 0; c < 3; ++c)
                p[n].velocity[c] = 0.1 * test_uniform(&random, -1.0, 1.0);
        }
        for (int n = 0; n < COUNT; ++n)
            OK(dem_particle_add(world, &p[run == 1 ? COUNT - 1 - n : n], NULL));
        OK(dem_step(world, 1e-4, 50));
        assert_int_equal(scene_counts(world).contacts, 0);
        assert_true(energies_of(world).dissipated_normal > 0.0);
        for (uint64_t n = 0; n < COUNT; ++n)
            memcpy(x[run][n], of_id(world, n + 1).position, sizeof x[run][n]);
        dem_world_destroy(world);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
    assert_memory_equal(x[0], x[2], sizeof x[0]);
}

/** Spheres that nearly touch, with random velocities, in a box that is periodic. */
static dem_world *cloud(uint64_t seed, double viscosity, int32_t threads, int drag)
{
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.threads = threads;
    for (int c = 0; c < 3; ++c) {
        config.boundary[c] = DEM_BOUNDARY_PERIODIC;
        config.box_high[c] = 8.0;
    }
    dem_world *world = scene_world(&config);
    const dem_film film = film_of(viscosity, 1e-4, 0.1);
    film_model(world, 1e4, 1.0, drag ? 0.3 : 0.0, &film);
    test_random random = {seed};
    for (int k = 0; k < 512; ++k) {
        dem_particle p = scene_particle(0.5 + k % 8, 0.5 + k / 8 % 8, 0.5 + k / 64);
        for (int c = 0; c < 3; ++c)
            p.velocity[c] = 2.0 * test_uniform(&random, 0.0, 1.0) - 1.0;
        p.radius = 0.46 + 0.03 * test_uniform(&random, 0.0, 1.0);
        p.mass *= 0.5 + test_uniform(&random, 0.0, 1.0);
        OK(dem_particle_add(world, &p, NULL));
    }
    return world;
}

static double momentum_of(dem_world *world, int axis)
{
    double sum = 0.0;
    for (uint64_t k = 1; k <= 512; ++k) {
        const dem_particle p = of_id(world, k);
        sum += p.mass * p.velocity[axis];
    }
    return sum;
}

/* mu over 12 decades: kinetic energy never rises before anything touches, the account of energies
 * closes, and momentum stays. */
static void films_take_energy_alone(void **state)
{
    (void)state;
    test_long();
    int trial = 0;
    double rise = 0.0, account = 0.0, off = 0.0;
    for (double viscosity = 1e-6; viscosity < 2e6; viscosity *= 100.0, ++trial) {
        dem_world *world = cloud(UINT64_C(0xAB) + (uint64_t)trial, viscosity, 1, 0);
        double momentum[3];
        for (int c = 0; c < 3; ++c)
            momentum[c] = momentum_of(world, c);
        OK(dem_step(world, 1e-4, 0));
        dem_world_energies first = energies_of(world), before = first;
        for (int n = 0; n < test_whole(5, 20); ++n) {
            OK(dem_step(world, 1e-4, 1));
            const dem_world_energies e = energies_of(world);
            assert_true(e.elastic == 0.0);
            report_worst(&rise, e.kinetic_translation / before.kinetic_translation - 1.0);
            report_worst(&account, fabs((e.kinetic_translation + e.dissipated_normal) /
                                            first.kinetic_translation -
                                        1.0));
            before = e;
        }
        for (int c = 0; c < 3; ++c)
            report_worst(&off, fabs(momentum_of(world, c) - momentum[c]));
        dem_world_destroy(world);
    }
    COUPLED("512_grains_in_films", "kinetic_energy_rises_by", rise, 0.0, 1e-14, "conservation");
    COUPLED("512_grains_in_films", "account_off", account, 0.0, 1e-13, "conservation");
    COUPLED("512_grains_in_films", "momentum_off_kg_m/s", off, 0.0, 2e-14, "conservation");
}

static void same_paths(dem_world *a, dem_world *b)
{
    for (uint64_t k = 1; k <= 512; ++k) {
        const dem_particle p = of_id(a, k), q = of_id(b, k);
        assert_memory_equal(p.position, q.position, sizeof p.position);
        assert_memory_equal(p.velocity, q.velocity, sizeof p.velocity);
    }
}

static void threads_marks_and_snapshots_keep_bits(void **state)
{
    (void)state;
    dem_world *a = cloud(7, 1e-3, 1, 1), *b = cloud(7, 1e-3, 3, 1);
    OK(dem_step(a, 5e-4, 150));
    OK(dem_step(b, 5e-4, 50));
    OK(dem_world_mark(b));
    OK(dem_step(b, 5e-4, 61));
    OK(dem_world_rewind(b));
    OK(dem_step(b, 5e-4, 50));
    uint64_t size = 0;
    OK(dem_world_snapshot_size(b, &size));
    void *bytes = malloc((size_t)size);
    OK(dem_world_snapshot(b, bytes, size, &size));
    dem_world_config config;
    OK(dem_world_config_init(&config));
    dem_world *c = NULL;
    OK(dem_world_create(&config, &c, NULL));
    OK(dem_world_restore(c, bytes, size));
    free(bytes);
    for (int n = 0; n < 50; ++n) /* a call for each step */
        OK(dem_step(c, 5e-4, 1));
    assert_true(energies_of(c).dissipated_slip > 0.0);
    same_paths(a, c);
    dem_world_destroy(a);
    dem_world_destroy(b);
    dem_world_destroy(c);
}

static dem_status hook_writes(void *user, dem_world *world, double dt)
{
    (void)dt;
    const dem_view u = view_of(world, DEM_FIELD_FLUID_VELOCITY);
    for (uint64_t row = 0; row < u.count; ++row)
        row_of(&u, row)[0] = 0.1 + 0.01 * (double)(*(int *)user)++;
    return dem_world_written_field(world, DEM_FIELD_FLUID_VELOCITY);
}

/** Two spheres with drag and added mass between a wall that moves and a driven sphere, along z. */
static dem_world *driven_column(int hooked, int *calls)
{
    dem_world_config config = scene_config();
    config.before_forces = hooked ? hook_writes : NULL;
    config.before_forces_user = calls;
    dem_world *world = scene_world(&config);
    const dem_film film = film_of(0.02, 1e-4, 0.05);
    film_model(world, 1e4, 0.8, 0.3, &film);
    for (int k = 0; k < 3; ++k) {
        dem_particle p = scene_particle(0.02 * k, 0.0, 0.51 + 1.01 * k);
        if (k == 2)
            p.mobility = DEM_MOBILITY_KINEMATIC, p.velocity[2] = -0.3;
        OK(dem_particle_add(world, &p, NULL));
    }
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.velocity[2] = 0.2;
    OK(dem_wall_add(world, &wall, NULL));
    const dem_view beta = view_of(world, DEM_FIELD_DRAG_COEFFICIENT),
                   added = view_of(world, DEM_FIELD_ADDED_MASS);
    for (uint64_t row = 0; row < 3; ++row) {
        *row_of(&beta, row) = 0.3;
        *row_of(&added, row) = beta.id[row] == 3 ? 0.0 : 0.05;
    }
    OK(dem_world_written(world));
    OK(dem_world_impulses_reset(world));
    return world;
}

/* m dv is the sum of the impulses and of gravity; contacts of particles and walls cancel. */
static void impulses_have_films(void **state)
{
    (void)state;
    for (int hooked = 0; hooked < 2; ++hooked) {
        int calls = 0;
        dem_world *world = driven_column(hooked, &calls);
        const double dt = 1e-4;
        const uint64_t steps = 250;
        OK(dem_step(world, dt, steps));
        const dem_view drag = view_of(world, DEM_FIELD_DRAG_IMPULSE),
                       contact = view_of(world, DEM_FIELD_CONTACT_IMPULSE);
        double sum[3] = {0.0, 0.0, 0.0};
        for (uint64_t row = 0; row < 3; ++row) {
            for (int c = 0; c < 3; ++c)
                sum[c] += row_of(&contact, row)[c];
            const dem_particle p = of_id(world, drag.id[row]);
            if (p.mobility != DEM_MOBILITY_FREE)
                continue;
            for (int c = 0; c < 3; ++c)
                near(p.mass * p.velocity[c],
                     row_of(&drag, row)[c] + row_of(&contact, row)[c] -
                         (c == 2 ? 10.0 * p.mass * dt * (double)steps : 0.0),
                     1e-15);
        }
        assert_true(fabs(row_of(&contact, 0)[2]) > 1e-3);
        dem_wall wall = {.struct_size = sizeof wall};
        OK(dem_wall_get(world, 4, &wall));
        for (int c = 0; c < 3; ++c)
            near(sum[c] + wall.impulse[c], 0.0, 1e-15);
        dem_world_destroy(world);
    }
}

/* What the driven wall and sphere do goes into films, dashpots, drag, and the energies, to order 1
 * where forces act beside a film. */
static void energies_close_with_driven_bodies(void **state)
{
    (void)state;
    double off[2];
    for (int k = 0; k < 2; ++k) {
        int calls = 0;
        dem_world *world = driven_column(0, &calls);
        OK(dem_step(world, k == 0 ? 1e-4 : 1e-5, 0));
        const dem_world_energies a = energies_of(world);
        OK(dem_step(world, k == 0 ? 1e-4 : 1e-5, k == 0 ? 200 : 2000));
        const dem_world_energies b = energies_of(world);
        const double gained = b.kinetic_translation + b.kinetic_rotation + b.potential + b.elastic -
                              a.kinetic_translation - a.kinetic_rotation - a.potential - a.elastic;
        const double lost =
            b.dissipated_normal + b.dissipated_dashpot + b.dissipated_slip + b.dissipated_drag;
        off[k] = gained + lost - b.work_boundary - b.work_fluid;
        assert_true(b.dissipated_normal > 1e-4);
        assert_true(fabs(off[k]) < (k == 0 ? 1e-2 : 1e-3) * lost);
        dem_world_destroy(world);
    }
    near(log10(off[0] / off[1]), 1.0, 0.05);
}

static double floor_force(dem_world *world)
{
    const dem_view force = view_of(world, DEM_FIELD_FORCE);
    return row_of(&force, force.id[0] == 1 ? 0 : 1)[2];
}

/* A sphere that touches the floor is pushed on it by a film above: the dashpot there sees the
 * velocity that the film leaves, once, as in a world that begins with it. */
static void dashpots_see_films_once(void **state)
{
    (void)state;
    const double dt = 1e-5;
    const dem_film film = film_of(2.0, 1e-4, 0.05);
    dem_particle p = scene_particle(0.0, 0.0, 0.5 - 1e-12), above = scene_particle(0, 0, 1.501);
    above.velocity[2] = -1.0;
    double force[2];
    for (int k = 0; k < 2; ++k) {
        dem_world *world = plain_world(DEM_INTEGRATOR_VERLET_SYNC);
        film_model(world, 1e4, 0.5, 0.0, &film);
        OK(dem_particle_add(world, &p, NULL));
        OK(dem_particle_add(world, &above, NULL));
        floor_add(world);
        OK(dem_step(world, dt, k == 0 ? 1 : 0));
        force[k] = floor_force(world);
        const double z = p.position[2];
        p = of_id(world, 1), above = of_id(world, 2);
        p.velocity[2] = (p.position[2] - z) / dt; /* of the middle of the step */
        dem_world_destroy(world);
    }
    assert_true(force[0] > 0.1);
    near(force[1], force[0], 1e-8 * force[0]);
}

static void refused(dem_world *world, dem_status status, dem_status want, const char *text)
{
    assert_int_equal(status, want);
    if (strstr(dem_world_error(world), text) == NULL)
        fail_msg("\"%s\" does not have \"%s\"", dem_world_error(world), text);
}

static void wrong_parameters_are_refused(void **state)
{
    (void)state;
    static const struct {
        double viscosity, gap_min, gap_max;
        const char *text;
    } wrong[] = {{-1.0, 1e-6, 1e-4, "viscosity"}, {NAN, 1e-6, 1e-4, "viscosity"},
                 {1.0, 0.0, 1e-4, "gap_min"},     {1.0, NAN, 1e-4, "gap_min"},
                 {1.0, 1e-4, 1e-4, "gap_max"},    {1.0, 1e-6, INFINITY, "gap_max"}};
    dem_world *world = plain_world(0);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
        const dem_film film = film_of(wrong[k].viscosity, wrong[k].gap_min, wrong[k].gap_max);
        dem_linear linear;
        dem_contact_model model;
        OK(dem_linear_init(&linear));
        linear.stiffness_normal = 1e3;
        OK(dem_contact_model_init(&model));
        OK(dem_contact_model_add_linear_csds(&model, &linear));
        OK(dem_contact_model_add_film(&model, &film));
        refused(world, dem_contact_model_set(world, 0, 0, &model), DEM_ERROR_RANGE, wrong[k].text);
    }
    dem_world_destroy(world);
}

static void histories_refuse_films(void **state)
{
    (void)state;
    dem_contact_history_config config;
    OK(dem_contact_history_config_init(&config));
    dem_contact_history *history = NULL;
    OK(dem_contact_history_create(&config, &history, NULL));
    const dem_film film = film_of(1.0, 1e-6, 1e-4);
    dem_linear linear;
    dem_contact_model model;
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1e3;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_model_add_film(&model, &film));
    assert_int_equal(dem_contact_history_model_set(history, 0, 0, &model), DEM_ERROR_STATE);
    assert_non_null(strstr(dem_contact_history_error(history), "film"));
    dem_contact_history_destroy(history);
}

static void exact_sums_and_servos_refuse_films(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        dem_world_config config = scene_config();
        if (k == 0) {
            config.sums = DEM_SUMS_EXACT;
            config.force_range = config.torque_range = 1e6;
        }
        dem_world *world = scene_world(&config);
        const dem_film film = film_of(1.0, 1e-6, 1e-2);
        film_model(world, 1e4, 1.0, 0.0, &film);
        const dem_particle p = scene_particle(0.0, 0.0, 0.501);
        OK(dem_particle_add(world, &p, NULL));
        dem_wall wall;
        OK(dem_wall_init(&wall));
        OK(dem_wall_add(world, &wall, NULL));
        wall.point[2] = -0.1;
        OK(dem_wall_add(world, &wall, NULL));
        dem_wall_servo servo;
        OK(dem_wall_servo_init(&servo));
        servo.speed = 0.1;
        if (k == 1)
            OK(dem_wall_set_servo(world, 3, &servo));
        refused(world, dem_step(world, 1e-4, 1), DEM_ERROR_STATE,
                k == 0 ? "dem_film: DEM_SUMS_EXACT" : "dem_film: wall 3 seeks");
        dem_world_destroy(world);
    }
}

static void bodies_and_meshes_refuse_films(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    const dem_film film = film_of(1.0, 1e-6, 1e-2);
    film_model(world, 1e4, 1.0, 0.0, &film);
    dem_particle p = scene_particle(0.5, 0.5, 1.505);
    OK(dem_particle_add(world, &p, NULL));
    OK(dem_step(world, 1e-4, 1));
    dem_mesh *mesh = mesh_of(cube_vertices, 8, cube_facets, 12);
    dem_wall wall;
    uint64_t id = 0;
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_MESH;
    wall.mesh = mesh;
    OK(dem_wall_add(world, &wall, &id));
    dem_mesh_destroy(mesh);
    refused(world, dem_step(world, 1e-4, 1), DEM_ERROR_STATE, "mesh");
    OK(dem_wall_remove(world, id));
    OK(dem_step(world, 1e-4, 1));
    dem_body body;
    dem_body_part part;
    OK(dem_body_init(&body));
    OK(dem_body_part_init(&part));
    body.position[2] = 9.0;
    body.mass = 0.1;
    part.radius = 0.5;
    for (int c = 0; c < 3; ++c)
        body.inertia[c] = 0.01;
    OK(dem_body_add(world, &body, 1, &part, NULL));
    refused(world, dem_step(world, 1e-4, 1), DEM_ERROR_STATE, "bodies");
    dem_world_destroy(world);
}

/* Every allocation of the first steps with films fails once; the world goes on as it was. */
static void memory_that_fails_changes_nothing(void **state)
{
    (void)state;
    double want = 0.0;
    for (uint64_t at = 0, failed = 1; failed; ++at) {
        short_heap heap = {.fail_at = UINT64_MAX};
        const dem_allocator allocator = short_allocator(&heap);
        dem_world_config config = scene_config();
        config.allocator = allocator;
        dem_world *world = scene_world(&config);
        dem_particle p = scene_particle(0.0, 0.0, 0.505);
        OK(dem_particle_add(world, &p, NULL));
        floor_add(world);
        OK(dem_step(world, 1e-4, 1));
        const dem_film film = film_of(1e-3, 1e-6, 1e-2);
        film_model(world, 1e4, 1.0, 0.0, &film);
        heap.fail_at = at == 0 ? UINT64_MAX : heap.calls + at - 1;
        const dem_status status = dem_step(world, 1e-4, 1);
        failed = at == 0 || status != DEM_OK;
        if (status != DEM_OK) {
            assert_int_equal(status, DEM_ERROR_MEMORY);
            OK(dem_step(world, 1e-4, 1));
        }
        p = of_id(world, 1);
        want = at == 0 ? p.position[2] : want;
        assert_true(p.position[2] == want);
        dem_world_destroy(world);
        assert_int_equal(heap.held, 0);
    }
}

/* A film acts across a periodic boundary as it does inside. */
static void films_cross_the_boundary(void **state)
{
    (void)state;
    double speed[2];
    for (int k = 0; k < 2; ++k) {
        dem_world_config config;
        OK(dem_world_config_init(&config));
        config.boundary[0] = DEM_BOUNDARY_PERIODIC;
        config.box_high[0] = 8.0;
        dem_world *world = scene_world(&config);
        const dem_film film = film_of(1e-2, 1e-4, 0.1);
        film_model(world, 1e4, 1.0, 0.0, &film);
        const double x = k == 0 ? 3.0 : 7.5;
        dem_particle a = scene_particle(x, 0.0, 0.0), b = scene_particle(x + 1.05, 0.0, 0.0);
        b.position[0] -= k == 0 ? 0.0 : 8.0;
        a.velocity[0] = 1.0;
        OK(dem_particle_add(world, &a, NULL));
        OK(dem_particle_add(world, &b, NULL));
        OK(dem_step(world, 1e-3, 20));
        speed[k] = of_id(world, 2).velocity[0];
        assert_true(speed[k] > 1e-2);
        dem_world_destroy(world);
    }
    near(speed[1], speed[0], 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rebound_has_the_closed_form),
        cmocka_unit_test(free_pair_is_exact),
        cmocka_unit_test(spheres_from_afar_meet_in_a_film),
        cmocka_unit_test(sphere_from_afar_meets_a_wall_in_a_film),
        cmocka_unit_test(terminal_approach),
        cmocka_unit_test(loaded_stack_does_not_creep),
        cmocka_unit_test(order_of_ids),
        cmocka_unit_test(films_take_energy_alone),
        cmocka_unit_test(threads_marks_and_snapshots_keep_bits),
        cmocka_unit_test(impulses_have_films),
        cmocka_unit_test(energies_close_with_driven_bodies),
        cmocka_unit_test(dashpots_see_films_once),
        cmocka_unit_test(wrong_parameters_are_refused),
        cmocka_unit_test(histories_refuse_films),
        cmocka_unit_test(exact_sums_and_servos_refuse_films),
        cmocka_unit_test(bodies_and_meshes_refuse_films),
        cmocka_unit_test(memory_that_fails_changes_nothing),
        cmocka_unit_test(films_cross_the_boundary),
        cmocka_unit_test(nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
