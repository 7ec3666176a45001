/* SPDX-License-Identifier: MIT */
/**
 * @file polyhedra_in_worlds.c
 * Polyhedra as bodies of a world: force and moments against level 1, restitution, energy and
 * momentum of boxes that bounce, the same bits, snapshots, memory, and what is refused.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/heap_short.h"
#include "../support/polyhedral.h"
#include "../support/scene.h"
#include "../support/solids.h"

#include <math.h>
#include <string.h>

/* ------------------------------------------------------------------ force and moments */

/** The modulus of a law with which spheres have the force of Hertz's law at an overlap of `at`
 * times their radius: 4/3 E* sqrt(R) d^(3/2), with the volume pi R d^2 and the area 2 pi R d. */
static double modulus_of(int32_t law, double at, double radius)
{
    const double pi = 3.14159265358979323846, d = at * radius,
                 force = 4.0 / 3.0 * MODULUS * sqrt(radius * d) * d, volume = pi * radius * d * d;
    return law == DEM_POLYHEDRON_LAW_VOLUME_SQUARE ? force / (volume * 2.0 * pi * radius * d)
           : law == DEM_POLYHEDRON_LAW_LAYER       ? force / volume
                                                   : MODULUS;
}

/* What acts on two bodies, elastic and with damping, by each law, is what level 1 has: the world
 * adds nothing and loses nothing, whichever comes first. */
static void as_level_1(void **state)
{
    (void)state;
    dem_polyhedron *shape[2] = {box_shape(), ellipsoid_shape(2)};
    dem_polyhedron_properties is[2];
    dem_polyhedron_search *search = NULL;
    dem_polyhedron_search_config search_config;
    test_random random = {UINT64_C(0xA0B1C2D3)};
    int touching[5] = {0};
    OK(dem_polyhedron_search_config_init(&search_config));
    OK(dem_polyhedron_search_create(&search_config, &search, NULL));
    for (int s = 0; s < 2; ++s) {
        is[s].struct_size = sizeof(is[s]);
        OK(dem_polyhedron_properties_get(shape[s], &is[s]));
    }
    for (int round = 0; round < 300; ++round) {
        const double restitution = round % 2 == 0 ? 1.0 : 0.7, at = test_uniform(&random, 0.01, 1);
        const int kind[2] = {round / 2 % 2, round / 4 % 2};
        const int32_t which = round / 60;
        dem_world *world = world_of_law(which, at, 0.0, 1, DEM_ISA_AUTO);
        model_set(world, PLAIN, 0.0, restitution);
        dem_body_handle handle[2];
        dem_polyhedron_motion m[2];
        dem_body body[2];
        for (int k = 0; k < 2; ++k) {
            body[k] = body_at(shape[kind[k]], 0.0, 0.0, 0.0);
            turn_at_random(&random, &body[k]);
            for (int c = 0; c < 3; ++c) {
                body[k].position[c] = k == 0 ? 0.0 : test_uniform(&random, 0.32, 0.5);
                body[k].velocity[c] = 0.1 * test_uniform(&random, -1.0, 1.0);
                body[k].angular_velocity[c] = 0.1 * test_uniform(&random, -1.0, 1.0);
            }
            handle[k] = body_add(world, &body[k], shape[kind[k]]);
        }
        run(world, 1e-4, 0);
        for (int k = 0; k < 2; ++k)
            m[k] = motion_of(world, handle[k], shape[kind[k]]);
        dem_polyhedron_contact contact = {.struct_size = sizeof(contact)};
        dem_polyhedron_load load = {.struct_size = sizeof(load)};
        dem_polyhedron_law law;
        OK(dem_polyhedron_search_pair(search, &m[0], &m[1], NULL, &contact));
        if (contact.state == DEM_POLYHEDRON_TOUCHING) {
            double mass = 0.0, loads[6];
            for (int k = 0; k < 2; ++k)
                mass += 1.0 / dem_polyhedron_mass(body[k].mass, body[k].inertia, m[k].orientation,
                                                  k == 0 ? contact.arm_first : contact.arm_second);
            ++touching[which];
            OK(dem_polyhedron_law_init(&law));
            const double r =
                1.0 / (1.0 / is[kind[0]].equivalent_radius + 1.0 / is[kind[1]].equivalent_radius);
            law.law = which;
            law.radius = r;
            law.modulus = modulus_of(which, at, r);
            OK(dem_kernel_damping_ratio_cut(restitution, &law.damping_ratio));
            OK(dem_polyhedron_force(&law, &contact, 1.0 / mass, &load, NULL));
            loads_of(world, handle[0], loads);
            compare(loads, load.force, load.moment_first);
            for (int c = 0; c < 3; ++c)
                load.force[c] = -load.force[c];
            loads_of(world, handle[1], loads);
            compare(loads, load.force, load.moment_second);
            if (fabs(scene_energies(world).elastic - load.energy) > 1e-12 * load.energy)
                fail_msg("energy %g, not %g", scene_energies(world).elastic, load.energy);
        }
        dem_world_destroy(world);
    }
    for (int k = 0; k < 5; ++k)
        assert_true(touching[k] > 20);
    dem_polyhedron_search_destroy(search);
    dem_polyhedron_destroy(shape[0]);
    dem_polyhedron_destroy(shape[1]);
}

/* ------------------------------------------------------------------ restitution */

/* Two bodies that hit each other head on, and one that hits a plane: the restitution that is set is
 * measured. */
static void restitution(void **state)
{
    (void)state;
    dem_polyhedron *shape = ellipsoid_shape(3);
    for (int on_plane = 0; on_plane < 2; ++on_plane)
        for (double set = 0.5; set <= 1.0; set += 0.25) {
            dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
            const double up[3] = {0.0, 0.0, 1.0};
            model_set(world, PLAIN, 0.0, set);
            dem_body body = body_at(shape, 0.0, 0.0, 0.355);
            body.velocity[2] = -0.2;
            const dem_body_handle handle = body_add(world, &body, shape);
            if (on_plane) {
                plane_add(world, up, 0.0);
            } else {
                body.position[2] = -0.355;
                body.velocity[2] = 0.2;
                (void)body_add(world, &body, shape);
            }
            run(world, 1e-4, 3000);
            OK(dem_body_get(world, handle, &body));
            const double measured = body.velocity[2] / 0.2;
            if (!(fabs(measured - set) < 0.004) || scene_counts(world).contacts != 0)
                fail_msg("restitution %g, not %g, %s", measured, set,
                         on_plane ? "on a plane" : "of two bodies");
            dem_world_destroy(world);
        }
    dem_polyhedron_destroy(shape);
}

/* ------------------------------------------------------------------ energy and momentum */

enum { BODIES = 6 };

/** Boxes and ellipsoids that fly about between planes. */
static dem_world *box_of_bodies(int which, double friction, double restitution, double gravity,
                                int planes, int32_t threads, int32_t isa)
{
    static const double normals[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                         {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    dem_world *world = world_of(gravity, threads, isa);
    dem_polyhedron *shape[2] = {box_shape(), ellipsoid_shape(1)};
    test_random random = {UINT64_C(0x5EED)};
    model_set(world, which, friction, restitution);
    for (int k = 0; k < BODIES; ++k) {
        dem_body body = body_at(shape[k % 2], k % 2 ? -0.65 : 0.65, k / 2 % 2 ? -0.65 : 0.65,
                                k / 4 ? 0.65 : -0.65);
        turn_at_random(&random, &body);
        for (int c = 0; c < 3; ++c) {
            body.velocity[c] =
                test_uniform(&random, -1.0, 1.0) - (planes ? 0.0 : 1.5 * body.position[c]);
            body.angular_velocity[c] = test_uniform(&random, -1.0, 1.0);
        }
        (void)body_add(world, &body, shape[k % 2]);
    }
    for (int k = 0; planes && k < 6; ++k)
        plane_add(world, normals[k], 1.4);
    dem_polyhedron_destroy(shape[0]); /* the world has references */
    dem_polyhedron_destroy(shape[1]);
    return world;
}

/* The balance closes with damping, friction and gravity, the better the smaller dt is. */
static void energy(void **state)
{
    (void)state;
    test_long();
    for (int which = PLAIN; which < MODELS; ++which) {
        double worst[2] = {0.0, 0.0};
        for (int fine = 0; fine < 2; ++fine) {
            dem_world *world = box_of_bodies(which, 0.4, 0.8, 5.0, 1, 1, DEM_ISA_AUTO);
            const double before = balance_of(world),
                         size = scene_energies(world).kinetic_translation;
            for (int n = 0; n < 20; ++n) {
                run(world, fine ? 2.5e-5 : 5e-5, fine ? 1600 : 800);
                worst[fine] = fmax(worst[fine], fabs(balance_of(world) - before) / size);
            }
            assert_true(scene_energies(world).dissipated_normal > 0.1 * size);
            assert_true(which == PLAIN || scene_energies(world).dissipated_slip > 0.01 * size);
            dem_world_destroy(world);
        }
        printf("balance of %s: %g, %g\n", model_names[which], worst[0], worst[1]);
        if (!(worst[1] < 5e-6 && worst[1] < worst[0]))
            fail_msg("%s: balance of energy %g, at half of dt %g", model_names[which], worst[0],
                     worst[1]);
    }
}

/** By how much the balance of two smooth bodies is off at most, which hit each other with much
 * friction: they stick and roll until they part. */
static double off_when_sticking(int which, double restitution, double dt)
{
    static const double shift[3] = {0.2, 0.1, 0.69};
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    dem_polyhedron *shape = ellipsoid_shape(3);
    double worst = 0.0;
    model_set(world, which, 50.0, restitution);
    for (int k = 0; k < 2; ++k) {
        dem_body body = body_at(shape, k * shift[0], k * shift[1], k * shift[2]);
        body.velocity[2] = k ? -0.3 : 0.3;
        body.velocity[0] = k ? 0.4 : -0.4;
        body.angular_velocity[0] = k ? 1.5 : 0.7;
        body.angular_velocity[1] = 0.6;
        body.angular_velocity[2] = k ? -0.9 : 1.1;
        (void)body_add(world, &body, shape);
    }
    run(world, dt, 0);
    const double before = balance_of(world), size = scene_energies(world).kinetic_translation;
    for (int n = 0; n < 30; ++n) {
        run(world, dt, (uint64_t)(2e-3 / dt + 0.5));
        worst = fmax(worst, fabs(balance_of(world) - before) / size);
    }
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
    return worst;
}

/* The point of the force moves on both bodies: with its place of half of the way springs have the
 * work that they keep, to second order. */
static void sticking(void **state)
{
    (void)state;
    test_long();
    for (int which = M1; which <= M3; ++which)
        for (double restitution = 1.0; restitution > 0.7; restitution -= 0.2) {
            const double coarse = off_when_sticking(which, restitution, 2e-4),
                         fine = off_when_sticking(which, restitution, 1e-4);
            printf("sticking, %s, e %g: %g, %g\n", model_names[which], restitution, coarse, fine);
            if (!(fine < 1e-5 && coarse > 3.5 * fine))
                fail_msg("%s: balance of energy %g, at half of dt %g", model_names[which], coarse,
                         fine);
        }
}

/** The balance of two boxes that hit each other somewhere and spin, without friction. */
static double off_when_spinning(uint64_t seed, double dt)
{
    dem_polyhedron *shape = box_shape();
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    test_random random = {seed};
    model_set(world, PLAIN, 0.0, 0.7);
    for (int k = 0; k < 2; ++k) {
        const double side = k == 0 ? -1.0 : 1.0;
        dem_body body = body_at(shape, 0.6 * side, 0.15 * side, 0.1 * side);
        turn_at_random(&random, &body);
        body.velocity[0] = -0.5 * side;
        for (int c = 0; c < 3; ++c)
            body.angular_velocity[c] = test_uniform(&random, -1.5, 1.5);
        (void)body_add(world, &body, shape);
    }
    dem_polyhedron_destroy(shape);
    run(world, dt, 0);
    const double before = balance_of(world);
    run(world, dt, (uint64_t)(0.5 / dt + 0.5));
    const double off = (balance_of(world) - before) / before;
    assert_true(scene_energies(world).dissipated_normal > 0.05 * before);
    dem_world_destroy(world);
    return off;
}

/* A dashpot takes what the couple along the normal does in a step, too, from the half of which its
 * rate is. */
static void spinning(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 1 + test_rounds(30) / 10; ++seed) {
        const double coarse = off_when_spinning((uint64_t)seed, 1e-4),
                     fine = off_when_spinning((uint64_t)seed, 5e-5);
        printf("spinning, %d: %g, %g\n", seed, coarse, fine);
        assert_true(fabs(coarse / fine - 4.0) < 0.1);
    }
}

/** The balance of an ellipsoid that falls on a plane which moves, or turns about a far pivot. */
static double off_on_a_plane(int turns, double dt)
{
    dem_world *world = world_of(5.0, 1, DEM_ISA_AUTO);
    dem_polyhedron *shape = ellipsoid_shape(3);
    dem_wall wall;
    double worst = 0.0;
    model_set(world, M1, 0.5, 0.8);
    OK(dem_wall_init(&wall));
    wall.velocity[0] = turns ? 0.0 : 0.3;
    wall.velocity[2] = turns ? 0.0 : 0.4;
    wall.angular_velocity[1] = turns ? 0.5 : 0.0;
    wall.angular_velocity[2] = turns ? 0.8 : 0.0;
    wall.pivot[0] = turns ? 0.6 : 0.0;
    OK(dem_wall_add(world, &wall, NULL));
    dem_body body = body_at(shape, 0.0, 0.1, 0.39);
    body.velocity[0] = 0.5;
    body.angular_velocity[0] = 1.0;
    (void)body_add(world, &body, shape);
    dem_polyhedron_destroy(shape);
    const double before = balance_of(world), size = 0.5 * body.mass;
    for (int n = 0; n < 40; ++n) {
        run(world, dt, (uint64_t)(1e-2 / dt + 0.5));
        worst = fmax(worst, fabs(balance_of(world) - before) / size);
    }
    assert_true(fabs(scene_energies(world).work_boundary) > 0.1 * size);
    dem_world_destroy(world);
    return worst;
}

/* Planes that move and turn do the work that they are said to do. */
static void moving_planes(void **state)
{
    (void)state;
    for (int turns = 0; turns < 2; ++turns) {
        const double coarse = off_on_a_plane(turns, 2e-4), fine = off_on_a_plane(turns, 1e-4);
        printf("plane that %s: %g, %g\n", turns ? "turns" : "moves", coarse, fine);
        if (!(fine < 1e-5 && coarse > 3.0 * fine))
            fail_msg("balance of energy %g, at half of dt %g", coarse, fine);
    }
}

/* Two bodies that touch through a periodic boundary have the force of two in the middle. */
static void through_a_boundary(void **state)
{
    (void)state;
    double load[2][6];
    for (int across = 0; across < 2; ++across) {
        dem_world_config config;
        OK(dem_world_config_init(&config));
        config.boundary[0] = DEM_BOUNDARY_PERIODIC;
        config.box_high[0] = 4.0;
        dem_world *world = NULL;
        OK(dem_world_create(&config, &world, NULL));
        model_set(world, PLAIN, 0.0, 1.0);
        dem_polyhedron *shape = ellipsoid_shape(2);
        dem_body body = body_at(shape, across ? 3.75 : 1.75, 0.0, 0.0);
        const dem_body_handle handle = body_add(world, &body, shape);
        body.position[0] = across ? 0.7 : 2.7;
        body.position[1] = 0.1;
        (void)body_add(world, &body, shape);
        run(world, 1e-4, 0);
        loads_of(world, handle, load[across]);
        dem_world_destroy(world);
        dem_polyhedron_destroy(shape);
    }
    assert_true(fabs(load[0][0]) > 100.0);
    compare(load[1], load[0], load[0] + 3);
}

/* Elastic boxes without friction hit each other and planes for long: their energy has no trend. */
static void elastic(void **state)
{
    (void)state;
    test_long();
    dem_world *world = box_of_bodies(PLAIN, 0.0, 1.0, 0.0, 1, 1, DEM_ISA_AUTO);
    const double before = balance_of(world);
    double worst = 0.0;
    int touching = 0;
    for (int n = 0; n < 400; ++n) {
        run(world, 5e-5, 200);
        worst = fmax(worst, fabs(balance_of(world) - before) / before);
        touching += scene_counts(world).contacts > 0;
    }
    assert_true(touching > 10);
    printf("elastic: %g\n", worst);
    assert_true(worst < 5e-3);
    dem_world_destroy(world);
}

/* Forces between bodies leave both momenta as they are, to round-off. */
static void momentum(void **state)
{
    (void)state;
    for (int which = PLAIN; which < ROLLING; ++which) {
        dem_world *world = box_of_bodies(which, 0.4, 0.8, 0.0, 0, 1, DEM_ISA_AUTO);
        double before[6], after[6];
        momenta_of_bodies(world, BODIES, before);
        run(world, 1e-4, 4000);
        momenta_of_bodies(world, BODIES, after);
        assert_true(scene_energies(world).dissipated_normal > 1.0);
        for (int c = 0; c < 6; ++c)
            if (!(fabs(after[c] - before[c]) < 1e-9))
                fail_msg("%s: momentum %d is off by %g", model_names[which], c,
                         after[c] - before[c]);
        dem_world_destroy(world);
    }
}

/* Two that meet, with ids either way: which one is lower is a name, from the first step on. */
static void order_of_ids(void **state)
{
    (void)state;
    dem_polyhedron *shape = ellipsoid_shape(2);
    dem_body after[2][2];
    for (int swapped = 0; swapped < 2; ++swapped) {
        dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
        dem_body_handle handle[2];
        model_set(world, M1, 0.5, 0.8);
        for (int k = 0; k < 2; ++k) {
            dem_body body = body_at(shape, 0.998 * k, 0.3 * k, 0.1 * k);
            body.id = (uint64_t)(k != swapped) + 1;
            body.velocity[0] = k ? -1.0 : 1.0;
            body.velocity[1] = 0.5 * k;
            body.angular_velocity[2] = 3.0 - k;
            dem_body_part part;
            OK(dem_body_part_init(&part));
            part.shape = shape;
            part.id = body.id + 10;
            OK(dem_body_add(world, &body, 1, &part, &handle[k]));
        }
        uint64_t touched = 0;
        for (int n = 0; n < 300 && touched < 3; ++n) {
            run(world, 5e-4, 1);
            touched += scene_counts(world).contacts;
        }
        assert_int_equal(touched, 3);
        for (int k = 0; k < 2; ++k) {
            after[swapped][k].struct_size = sizeof after[swapped][k];
            OK(dem_body_get(world, handle[k], &after[swapped][k]));
        }
        dem_world_destroy(world);
    }
    for (int k = 0; k < 2; ++k)
        for (int c = 0; c < 3; ++c) {
            assert_true(fabs(after[0][k].velocity[c] - after[1][k].velocity[c]) < 1e-12);
            assert_true(fabs(after[0][k].angular_velocity[c] - after[1][k].angular_velocity[c]) <
                        1e-11);
        }
    dem_polyhedron_destroy(shape);
}

/* ------------------------------------------------------------------ the same bits */

static void same_bits(void **state)
{
    (void)state;
    dem_world *one = box_of_bodies(M4, 0.4, 0.8, 5.0, 1, 1, DEM_ISA_BASELINE),
              *many = box_of_bodies(M4, 0.4, 0.8, 5.0, 1, 3, DEM_ISA_AUTO);
    for (int n = 0; n < 10; ++n) {
        run(one, 1e-4, 200);
        for (int k = 0; k < 10; ++k)
            run(many, 1e-4, 20);
        assert_true(scene_hash(one) == scene_hash(many));
    }
    assert_true(scene_energies(one).dissipated_slip > 0.01);
    dem_world_destroy(one);
    dem_world_destroy(many);
}

/** Boxes and ellipsoids on a lattice that fall on each other, more than one chunk of them, in a box
 * that is periodic in x and y: contacts of rows of several chunks, and of images. */
static dem_world *heap_of_bodies(int32_t threads, int32_t isa)
{
    enum { EDGE = 8, LAYERS = 6 };
    dem_world_config config;
    OK(dem_world_config_init(&config));
    config.gravity[2] = -10.0;
    config.threads = threads;
    config.isa = isa;
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[1] = 1.05 * EDGE;
    dem_world *world = NULL;
    OK(dem_world_create(&config, &world, NULL));
    const double up[3] = {0.0, 0.0, 1.0};
    dem_polyhedron *shape[2] = {box_shape(), ellipsoid_shape(1)};
    test_random random = {UINT64_C(0xBEEF)};
    model_set(world, M4, 0.4, 0.8);
    plane_add(world, up, 0.0);
    for (int k = 0; k < EDGE * EDGE * LAYERS; ++k) {
        dem_body body = body_at(shape[k % 2], 1.05 * (k % EDGE), 1.05 * (k / EDGE % EDGE),
                                0.6 + 0.95 * (k / EDGE / EDGE));
        turn_at_random(&random, &body);
        for (int c = 0; c < 3; ++c) {
            body.velocity[c] = test_uniform(&random, -1.0, 1.0);
            body.angular_velocity[c] = test_uniform(&random, -1.0, 1.0);
        }
        (void)body_add(world, &body, shape[k % 2]);
    }
    dem_polyhedron_destroy(shape[0]);
    dem_polyhedron_destroy(shape[1]);
    return world;
}

static void same_bits_of_many(void **state)
{
    (void)state;
    dem_world *one = heap_of_bodies(1, DEM_ISA_BASELINE), *many = heap_of_bodies(3, DEM_ISA_AUTO);
    for (int n = 0; n < 1 + test_rounds(40) / 10; ++n) {
        run(one, 2e-4, 100);
        run(many, 2e-4, 50);
        run(many, 2e-4, 50);
        assert_true(scene_hash(one) == scene_hash(many));
    }
    const dem_world_counts counts = scene_counts(one);
    assert_true(counts.chunks > 1 && counts.contacts > 0);
    assert_true((counts.contacts > 200 && counts.rebuilds > 2) || test_rounds(10) < 10);
    dem_world_destroy(one);
    dem_world_destroy(many);
}

/* ------------------------------------------------------------------ snapshots and marks */

/* A run in two parts with a snapshot between them has the bits of one run, and its snapshot is that
 * snapshot; so has a world that goes back to its mark. Bodies were removed before. */
static void split_runs(void **state)
{
    (void)state;
    test_long();
    dem_world *whole = heap_of_bodies(1, DEM_ISA_AUTO);
    for (uint64_t id = 3; id < 90; id += 7) {
        dem_body_handle handle;
        OK(dem_body_find(whole, id, &handle));
        OK(dem_body_remove(whole, handle));
    }
    dem_polyhedron *shape = ellipsoid_shape(0);
    dem_body body = body_at(shape, 1.0, 1.0, 8.0);
    (void)body_add(whole, &body, shape); /* in a place that was left */
    dem_polyhedron_destroy(shape);
    run(whole, 2e-4, 300);
    assert_true(scene_counts(whole).contacts > 50);
    uint64_t size, again_size;
    unsigned char *bytes = snapshot_of(whole, &size);
    dem_world *split = world_of(0.0, 1, DEM_ISA_AUTO);
    if (dem_world_restore(split, bytes, size) != DEM_OK)
        fail_msg("%s", dem_world_error(split));
    unsigned char *again = snapshot_of(split, &again_size);
    assert_true(again_size == size && memcmp(bytes, again, (size_t)size) == 0);
    OK(dem_world_mark(whole));
    for (int n = 0; n < 2; ++n) {
        run(whole, 2e-4, 200);
        if (n == 0)
            OK(dem_world_rewind(whole));
    }
    run(split, 2e-4, 200);
    assert_true(scene_hash(whole) == scene_hash(split));
    dem_world_destroy(whole);
    dem_world_destroy(split);
    free(bytes);
    free(again);
}

/* ------------------------------------------------------------------ sides that coincide */

typedef struct pose {
    double position[3], orientation[4];
} pose;

/* Boxes turned by right angles onto each other, with parallel sides of which some coincide, but for
 * round-off. */
static const pose flush[3][2] = {
    {{{0x1.199999999999ap+3, 0x1.ccccccccccccdp+1, 0x1.999999999999ap-1},
      {0x1.e9dcf5d33d88ap-2, 0x1.54d8a113fccc2p-3, -0x1.7b7c394d7bcc6p-1, -0x1.c3249168bf612p-2}},
     {{0x1.1a43f3455c67bp+3, 0x1.d127395fb36b7p+1, 0x1.b7809f58706ccp-1},
      {0x1.c3c1a4304dcfep-3, 0x1.d2e4932ca1b1p-2, -0x1.abd6f4f4f6132p-1, 0x1.b35583f149ea8p-3}}},
    {{{0x1.3333333333334p+2, 0x1p+2, 0x1.999999999999ap+0},
      {-0x1.392cc4d34272cp-3, 0x1.25850db4a3ab9p-1, -0x1.2c0cc68ad703ap-1, 0x1.1a8ae69ca9ac8p-1}},
     {{0x1.306d1d39a5b7fp+2, 0x1.fe37871811174p+1, 0x1.8bbfa458a96d8p+0},
      {-0x1.06e96cf633f99p-1, 0x1.3060248ae23eap-2, -0x1.8c253f976990ep-6, 0x1.9bf48143e4d22p-1}}},
    {{{0x1.999999999999ap+1, 0x1p+3, 0x0p+0},
      {0x1.e30acdaa557f6p-1, -0x1.91792b1e42d7p-4, -0x1.3e7fce8f8b8a6p-2, 0x1.e9554a3bb921fp-5}},
     {{0x1.99e713859006p+1, 0x1.02223915dba66p+3, -0x1.7fb7723f80d58p-6},
      {0x1.790c48530c0a3p-1, 0x1.3213aca0e5e03p-1, -0x1.6bec5a513a238p-3, 0x1.0c76de14c98b2p-2}}}};

/* The same of boxes that touch in an edge. */
static const pose edge_on_edge[3][2] = {
    {{{0x1.cp+5, 0x1.8p+4, 0x1p+5},
      {-0x1.906697b6859d3p-3, -0x1.660ee0f753385p-2, 0x1.cded124834598p-1, -0x1.4756631ae49f9p-3}},
     {{0x1.b9038fff3ad5p+5, 0x1.737ff54ac415fp+4, 0x1.fb47842fb0687p+4},
      {-0x1.499c47f5631a9p-1, 0x1.d0d4e080e54c8p-2, 0x1.37583ace7adb2p-1, 0x1.93d98c60c0b8cp-4}}},
    {{{0x1.3p+6, 0x1p+2, 0x1.8p+4},
      {0x1.cc29474778216p-2, 0x1.c5bedeb71dc34p-2, 0x1.03ac7c0895f68p-1, 0x1.2c82195407fe9p-1}},
     {{0x1.32df97bccd25cp+6, 0x1.05e90fe66d2cap+2, 0x1.8de815c22ee64p+4},
      {-0x1.4ecee7bd42d2p-5, -0x1.a08b755d810ap-4, 0x1.5a4f03af15409p-1, 0x1.74ea282ef057dp-1}}},
    {{{0x1.8p+4, 0x1.2p+5, 0x0p+0},
      {-0x1.fd4fab4a156a3p-4, -0x1.7814f34071e4fp-1, -0x1.069db21af4a0ap-1, -0x1.b4be4eba57387p-2}},
     {{0x1.9359274c5edf6p+4, 0x1.244c429fe4a92p+5, 0x1.a5073168e00e7p-2},
      {0x1.195c5a74ace61p-2, -0x1.be125749d7b6cp-3, -0x1.cd6df10eb7d5fp-2,
       -0x1.a457955ec16f1p-1}}}};

/** Adds pairs of boxes at rest. */
static void add_pairs(dem_world *world, dem_polyhedron *shape, const pose pairs[3][2])
{
    for (int k = 0; k < 3; ++k)
        for (int e = 0; e < 2; ++e) {
            const double *x = pairs[k][e].position;
            dem_body body = body_at(shape, x[0], x[1], x[2]);
            memcpy(body.orientation, pairs[k][e].orientation, sizeof(body.orientation));
            (void)body_add(world, &body, shape);
        }
}

/* Whether they touch follows from the bodies alone: not from the direction in which a search saw
 * them side by side before, which no snapshot has. */
static void flush_sides(void **state)
{
    (void)state;
    dem_polyhedron_config config;
    dem_polyhedron *shape = NULL;
    static const uint32_t facets[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                           {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                           {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    double x[8][3];
    for (int k = 0; k < 8; ++k) {
        x[k][0] = (k & 1) != 0 ? 0.05 : -0.05;
        x[k][1] = (k & 2) != 0 ? 0.04 : -0.04;
        x[k][2] = (k & 4) != 0 ? 0.03 : -0.03;
    }
    dem_mesh *mesh = mesh_of(x, 8, facets, 12);
    OK(dem_polyhedron_config_init(&config));
    config.axes = DEM_POLYHEDRON_AXES_MESH;
    OK(dem_polyhedron_create(&config, mesh, &shape, NULL));
    dem_world *whole = world_of(0.0, 1, DEM_ISA_AUTO), *split = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(whole, PLAIN, 0.0, 1.0);
    add_pairs(whole, shape, flush);
    run(whole, 1e-5, 1);
    uint64_t size;
    unsigned char *bytes = snapshot_of(whole, &size);
    if (dem_world_restore(split, bytes, size) != DEM_OK)
        fail_msg("%s", dem_world_error(split));
    for (int n = 0; n < 20; ++n) {
        run(whole, 1e-5, 1);
        run(split, 1e-5, 1);
        assert_true(scene_hash(whole) == scene_hash(split));
    }
    dem_world_destroy(whole);
    dem_world_destroy(split);
    dem_mesh_destroy(mesh);
    dem_polyhedron_destroy(shape);
    free(bytes);
}

/* V and A of such a pair are round-off, and so is 2V/A, which may be anything: no deep overlap. */
static void edges_that_coincide(void **state)
{
    (void)state;
    dem_polyhedron *shape = box_shape();
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, PLAIN, 0.0, 1.0);
    add_pairs(world, shape, edge_on_edge);
    run(world, 1e-5, 10);
    assert_true(scene_energies(world).kinetic_translation < 1e-20);
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
}

/* ------------------------------------------------------------------ memory */

/* Each allocation fails once: the call fails and changes nothing, and nothing is lost. */
static void short_of_memory(void **state)
{
    (void)state;
    dem_polyhedron *shape = ellipsoid_shape(3);
    int failed = 0;
    for (uint64_t fail_at = 0;; ++fail_at) {
        short_heap heap = {0, UINT64_MAX, 0};
        dem_world_config config;
        OK(dem_world_config_init(&config));
        config.allocator = short_allocator(&heap);
        config.overlap_limit = 1.0;
        dem_world *world = NULL;
        OK(dem_world_create(&config, &world, NULL));
        model_set(world, M1, 0.3, 0.8);
        dem_body body = body_at(shape, 0.0, 0.0, 0.0);
        (void)body_add(world, &body, shape);
        body.position[0] = 0.7; /* deep: more crossings than there is room for at first */
        body.position[1] = 0.1;
        (void)body_add(world, &body, shape);
        const uint64_t before = scene_hash(world);
        heap.fail_at = heap.calls + fail_at;
        dem_status status = dem_step(world, 1e-5, 1);
        const int done = status == DEM_OK;
        if (!done) {
            ++failed;
            assert_int_equal(status, DEM_ERROR_MEMORY);
            assert_true(scene_hash(world) == before);
            run(world, 1e-5, 1);
        }
        assert_int_equal(scene_counts(world).contacts, 1);
        dem_world_destroy(world);
        assert_int_equal(heap.held, 0);
        if (done)
            break;
    }
    assert_true(failed > 20);
    dem_polyhedron_destroy(shape);
}

/* ------------------------------------------------------------------ refusals */

static void refused(const dem_world *world, dem_status status, dem_status expected,
                    const char *words)
{
    if (status != expected || strstr(dem_world_error(world), words) == NULL)
        fail_msg("status %d, not %d: %s", (int)status, (int)expected, dem_world_error(world));
}

static void refusals(void **state)
{
    (void)state;
    dem_polyhedron *shape = box_shape();
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    model_set(world, PLAIN, 0.0, 1.0);
    const dem_body body = body_at(shape, 0.0, 0.0, 0.0);
    dem_body_part part;
    dem_wall wall;
    uint64_t id;
    OK(dem_body_part_init(&part));
    part.shape = shape;
    part.radius = 1.0;
    refused(world, dem_body_add(world, &body, 1, &part, NULL), DEM_ERROR_RANGE, "must be 0");
    const dem_body_handle handle = body_add(world, &body, shape);
    /* a ball is no plane */
    OK(dem_wall_init(&wall));
    wall.shape = DEM_SHAPE_BALL;
    wall.size[0] = 1.0;
    wall.point[0] = 5.0;
    OK(dem_wall_add(world, &wall, &id));
    refused(world, dem_step(world, 1e-4, 1), DEM_ERROR_STATE, "ball");
    OK(dem_wall_remove(world, id));
    dem_particle ball = scene_particle(9.0, 0.0, 0.0);
    dem_particle_handle of_ball;
    OK(dem_particle_add(world, &ball, &of_ball));
    OK(dem_step(world, 1e-4, 1));
    OK(dem_particle_remove(world, of_ball));
    OK(dem_step(world, 1e-4, 1));
    scene_model(world, 0, 0, 1000.0, 0.4, 0.7);
    OK(dem_body_remove(world, handle));
    OK(dem_step(world, 1e-4, 1)); /* nobody is there any more */
    (void)body_add(world, &body, shape);
    refused(world, dem_step(world, 1e-4, 1), DEM_ERROR_STATE, "hertz");
    model_set(world, PLAIN, 0.0, 1.0);
    /* behind a plane there is no force */
    OK(dem_wall_init(&wall));
    wall.point[2] = 0.6;
    OK(dem_wall_add(world, &wall, &id));
    refused(world, dem_step(world, 1e-4, 1), DEM_ERROR_OVERLAP, "wholly behind");
    dem_world_destroy(world);
    dem_polyhedron_destroy(shape);
}

/* A bar goes through a plate, another bar, a wall: the line where they cross has no area, exactly,
 * and no law pulls it out. */
static void piercing(void **state)
{
    (void)state;
    enum { BAR, PLATE, WALL, CASES };
    for (int k = 0; k < CASES; ++k)
        for (int shifted = 0; shifted < 2; ++shifted) {
            dem_polyhedron *bar = shape_of(solid_box(2.0, 0.125, 0.125)),
                           *other = shape_of(solid_box(0.125, 2.0, k == BAR ? 0.5 : 2.0));
            dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
            const double y = shifted ? 0.25 : 0.0;
            const dem_body through = body_at(bar, 0.0, 0.0, 0.0),
                           crossed = body_at(other, 0.0, y, 0.0);
            dem_wall wall;
            model_set(world, PLAIN, 0.0, 1.0);
            (void)body_add(world, &through, bar);
            OK(dem_wall_init(&wall));
            wall.shape = DEM_SHAPE_BOX;
            wall.size[0] = 0.25;
            wall.size[1] = wall.size[2] = 4.0;
            wall.point[1] = y;
            if (k == WALL)
                OK(dem_wall_add(world, &wall, NULL));
            else
                (void)body_add(world, &crossed, other);
            refused(world, dem_step(world, 1e-5, 1), DEM_ERROR_OVERLAP, "pierce");
            dem_world_destroy(world);
            dem_polyhedron_destroy(bar);
            dem_polyhedron_destroy(other);
        }
}

/* ------------------------------------------------------------------ stress */

static void part_add(dem_world *world, const dem_body *body, dem_polyhedron *shape, uint64_t id)
{
    dem_body_part part;
    OK(dem_body_part_init(&part));
    part.shape = shape;
    part.id = id;
    OK(dem_body_add(world, body, 1, &part, NULL));
}

/* Each contact adds the branch vector times the force: two boxes, also across a periodic boundary
 * and in either order of ids; a sphere on a box; a box on a plane, whose end has the contact
 * point's arm. */
static void stress_of_polyhedra(void **state)
{
    (void)state;
    test_random random = test_random_start("stress_of_polyhedra");
    uint64_t seen = 0;
    for (int k = 0; k < 60; ++k) {
        enum { PAIR, SPHERE, PLANE };
        const int kind = k % 3, periodic = k % 2;
        dem_world_config config;
        dem_world *world = NULL;
        dem_analysis_grid grid;
        dem_analysis_box box = {.struct_size = sizeof box};
        dem_polyhedron *shape = box_shape();
        dem_polyhedron_properties is = {.struct_size = sizeof is};
        OK(dem_polyhedron_properties_get(shape, &is));
        OK(dem_world_config_init(&config));
        config.overlap_limit = 1.0;
        config.boundary[0] = periodic ? DEM_BOUNDARY_PERIODIC : DEM_BOUNDARY_OPEN;
        config.box_high[0] = 10.0;
        OK(dem_world_create(&config, &world, NULL));
        model_set(world, PLAIN, 0.3, 0.5);
        const double x = periodic ? 9.9 : 5.0, away = kind == PLANE ? 0.0 : 0.8;
        dem_body first = body_at(shape, x, 0.1, 0.25), second = body_at(shape, x + away, 0.2, 0.3);
        if (periodic)
            second.position[0] -= 10.0;
        turn_at_random(&random, &first);
        const uint64_t id = k % 4 < 2 ? 10 : 30;
        part_add(world, &first, shape, id);
        double volume = is.volume;
        if (kind == PAIR) {
            part_add(world, &second, shape, 20);
            volume *= 2.0;
        } else if (kind == SPHERE) {
            dem_particle p;
            OK(dem_particle_init(&p));
            p.id = 20;
            p.radius = 0.4;
            memcpy(p.position, second.position, sizeof p.position);
            OK(dem_particle_add(world, &p, NULL));
            volume += 4.18879020478639098 * p.radius * p.radius * p.radius;
        } else {
            const double up[3] = {0.0, 0.0, 1.0};
            plane_add(world, up, 0.0);
        }
        run(world, 1e-6, 0);
        double expected[9] = {0.0}, point[4][3], scale = 0.0;
        dem_contact_arrays arrays;
        dem_contact contact = {.struct_size = sizeof contact};
        uint64_t cursor = 0, count = 0, next = 0;
        OK(dem_contact_arrays_init(&arrays));
        arrays.capacity = 4;
        arrays.point = point[0];
        OK(dem_world_contacts_read(world, &cursor, &arrays, &count));
        for (uint64_t n = 0; n < count; ++n) {
            OK(dem_world_contact_next(world, &next, &contact));
            /* the force on the first body acts at the end of its arm; that on the second body is
             * the opposite, so that the arms add up to the branch vector */
            const double sign = contact.key.id_i == id ? 1.0 : -1.0;
            double arm[3];
            for (int c = 0; c < 3; ++c)
                arm[c] = (kind == PLANE ? point[n][c] : second.position[c]) - first.position[c];
            if (kind != PLANE && periodic)
                arm[0] += 10.0;
            for (int m = 0; m < 9; ++m) {
                const double force = contact.force_normal[m % 3] + contact.force_tangential[m % 3];
                expected[m] += sign * arm[m / 3] * force;
                scale = fmax(scale, fabs(force));
            }
        }
        OK(dem_analysis_grid_init(&grid));
        OK(dem_world_boxes_analyse(world, &grid, 1, &box));
        seen += count;
        assert_true(fabs(box.solid_volume - volume) <= 1e-14 * volume);
        for (int n = 0; n < 9; ++n)
            if (!(fabs(box.moment[n] - expected[n]) <= 1e-13 * scale))
                fail_msg("kind %d, periodic %d: moment[%d] %.17g, not %.17g", kind, periodic, n,
                         box.moment[n], expected[n]);
        dem_world_destroy(world);
        dem_polyhedron_destroy(shape);
    }
    assert_true(seen > 40);
}

/* ------------------------------------------------------------------ other units */

enum { SCALED = 6 };

/** Where bodies are that hit each other and roll, with lengths in units of 2^-power and masses in
 * those of 8^-power. */
static void bodies_in_units(int32_t law, int power, dem_body out[SCALED])
{
    const double unit = ldexp(1.0, power);
    test_random random = {UINT64_C(0x5EED5)};
    dem_world_config config;
    dem_world *world = NULL;
    dem_contact_model model;
    dem_hertz hertz;
    dem_mindlin mindlin;
    const double up[3] = {0.0, 0.0, 1.0};
    dem_polyhedron *shape[2] = {
        shape_of(solid_box(0.11 * unit, 0.09 * unit, 0.07 * unit)),
        shape_of(solid_ellipsoid(2, 0.11 * unit, 0.09 * unit, 0.08 * unit))};
    OK(dem_world_config_init(&config));
    config.polyhedron_law = law;
    config.gravity[2] = -9.81 * unit;
    OK(dem_world_create(&config, &world, NULL));
    OK(dem_hertz_init(&hertz));
    hertz.young[0] = hertz.young[1] = 1e6 * unit * unit;
    hertz.restitution = 0.7;
    OK(dem_mindlin_init(&mindlin));
    mindlin.friction = 0.4;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_hertz(&model, &hertz));
    OK(dem_contact_model_add_mindlin(&model, &mindlin));
    OK(dem_contact_model_set(world, 0, 0, &model));
    plane_add(world, up, 0.0);
    for (int k = 0; k < SCALED; ++k) {
        dem_body body = body_at(shape[k % 2], (0.19 * (k % 2) + 0.01 * k) * unit, 0.013 * k * unit,
                                (0.12 + 0.21 * (k / 2)) * unit);
        turn_at_random(&random, &body);
        (void)body_add(world, &body, shape[k % 2]);
    }
    run(world, 2e-4, 2000);
    assert_true(scene_energies(world).dissipated_slip > 0.0);
    for (int k = 0; k < SCALED; ++k) {
        dem_body_handle handle;
        out[k].struct_size = sizeof(out[k]);
        OK(dem_body_find(world, (uint64_t)k + 1, &handle));
        OK(dem_body_get(world, handle, &out[k]));
    }
    dem_world_destroy(world);
    for (int k = 0; k < 2; ++k)
        dem_polyhedron_destroy(shape[k]);
}

/* In units that differ by powers of 16 bodies have the same bits. */
static void other_units(void **state)
{
    (void)state;
    static const int32_t laws[] = {DEM_POLYHEDRON_LAW_VOLUME, DEM_POLYHEDRON_LAW_LAYER};
    static const int powers[] = {4, -4, 8, -40, 40};
    for (size_t l = 0; l < 2; ++l) {
        dem_body one[SCALED], other[SCALED];
        bodies_in_units(laws[l], 0, one);
        for (size_t p = 0; p < sizeof(powers) / sizeof(powers[0]); ++p) {
            bodies_in_units(laws[l], powers[p], other);
            for (int k = 0; k < SCALED; ++k) {
                assert_memory_equal(one[k].orientation, other[k].orientation,
                                    sizeof(one[k].orientation));
                for (int c = 0; c < 3; ++c)
                    if (other[k].position[c] != ldexp(one[k].position[c], powers[p]) ||
                        other[k].velocity[c] != ldexp(one[k].velocity[c], powers[p]) ||
                        other[k].angular_velocity[c] != one[k].angular_velocity[c])
                        fail_msg("law %d, 2^%d: body %d at %a, not %a", (int)laws[l], powers[p], k,
                                 other[k].position[c], ldexp(one[k].position[c], powers[p]));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_level_1),    cmocka_unit_test(restitution),
        cmocka_unit_test(energy),        cmocka_unit_test(sticking),
        cmocka_unit_test(spinning),      cmocka_unit_test(through_a_boundary),
        cmocka_unit_test(moving_planes), cmocka_unit_test(elastic),
        cmocka_unit_test(momentum),      cmocka_unit_test(order_of_ids),
        cmocka_unit_test(same_bits),     cmocka_unit_test(same_bits_of_many),
        cmocka_unit_test(split_runs),    cmocka_unit_test(short_of_memory),
        cmocka_unit_test(refusals),      cmocka_unit_test(stress_of_polyhedra),
        cmocka_unit_test(other_units),   cmocka_unit_test(piercing),
        cmocka_unit_test(flush_sides),   cmocka_unit_test(edges_that_coincide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
