/* SPDX-License-Identifier: MIT */
/**
 * @file bodies.c
 * Rigid bodies in a world: the bits of a sphere, conservation, marks and failed steps, boxes with
 * periodic axes, threads and instruction sets, and what is refused.
 */
#include "../support/cmocka.h"
#include "../support/emulated.h"

#include "../support/busy.h"
#include "../support/stream.h"

#include <math.h>
#include <string.h>

static dem_body_part part_of(double x, double y, double z, double radius)
{
    dem_body_part part;
    OK(dem_body_part_init(&part));
    part.centre[0] = x;
    part.centre[1] = y;
    part.centre[2] = z;
    part.radius = radius;
    return part;
}

/* A body of mass 0.1 with the moments of two spheres of radius 0.5 that are `length` apart along
 * axis 1, counted one by one. */
static dem_body dumbbell_of(double length, double x, double y, double z)
{
    dem_body body;
    OK(dem_body_init(&body));
    body.position[0] = x;
    body.position[1] = y;
    body.position[2] = z;
    body.mass = 0.1;
    body.inertia[0] = 0.4 * 0.1 * 0.25;
    body.inertia[1] = body.inertia[2] = body.inertia[0] + 0.1 * 0.25 * length * length;
    return body;
}

static dem_body_handle dumbbell(dem_world *world, const dem_body *body, double length)
{
    const dem_body_part parts[2] = {part_of(-0.5 * length, 0.0, 0.0, 0.5),
                                    part_of(0.5 * length, 0.0, 0.0, 0.5)};
    dem_body_handle handle;
    OK(dem_body_add(world, body, 2, parts, &handle));
    return handle;
}

static void turn(dem_body *body, test_random *random)
{
    double length = 0.0;
    for (int c = 0; c < 4; ++c) {
        body->orientation[c] = test_uniform(random, -1.0, 1.0);
        length += body->orientation[c] * body->orientation[c];
    }
    for (int c = 0; c < 4; ++c)
        body->orientation[c] /= sqrt(length);
}

static uint64_t hash_of(const dem_world *world)
{
    uint64_t hash;
    OK(dem_world_hash(world, &hash));
    return hash;
}

/* ------------------------------------------------------------------ a body of one part */

static dem_world *pile(int bodies, int32_t threads)
{
    dem_world_config config = scene_config();
    config.boundary[0] = config.boundary[1] = DEM_BOUNDARY_PERIODIC;
    config.box_high[0] = config.box_high[1] = 4.0;
    config.threads = threads;
    dem_world *world = scene_world(&config);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    wall.id = 1000;
    OK(dem_wall_add(world, &wall, NULL));
    test_random random = {UINT64_C(0x9E3779B97F4A7C15)};
    for (int k = 0; k < 48; ++k) {
        dem_particle p = scene_particle(k % 4 + test_uniform(&random, 0.0, 0.2),
                                        k / 4 % 4 + test_uniform(&random, 0.0, 0.2), 0.8 + k / 16);
        dem_body body;
        OK(dem_body_init(&body));
        body.mass = p.mass;
        for (int c = 0; c < 3; ++c) {
            p.velocity[c] = test_uniform(&random, -2.0, 2.0);
            p.angular_velocity[c] = test_uniform(&random, -2.0, 2.0);
            body.position[c] = p.position[c];
            body.velocity[c] = p.velocity[c];
            body.angular_velocity[c] = p.angular_velocity[c];
            body.inertia[c] = 0.4 * p.mass * p.radius * p.radius;
        }
        turn(&body, &random);
        const dem_body_part part = part_of(0.0, 0.0, 0.0, p.radius);
        if (bodies && k % 3 != 0)
            OK(dem_body_add(world, &body, 1, &part, NULL));
        else
            OK(dem_particle_add(world, &p, NULL));
    }
    return world;
}

static void sphere_bits(void **state)
{
    (void)state;
    dem_world *spheres = pile(0, 1), *bodies = pile(1, 1);
    for (int n = 0; n < 40; ++n) {
        OK(dem_step(spheres, 1e-3, 50));
        OK(dem_step(bodies, 1e-3, 50));
        assert_true(hash_of(spheres) == hash_of(bodies));
    }
    dem_world_energies a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
    OK(dem_world_energies_get(spheres, &a));
    OK(dem_world_energies_get(bodies, &b));
    assert_true(fabs(a.kinetic_rotation - b.kinetic_rotation) < 1e-14);
    assert_true(a.kinetic_translation == b.kinetic_translation && a.potential == b.potential);
    assert_true(a.work_boundary == b.work_boundary && a.dissipated_slip == b.dissipated_slip);
    dem_world_counts counts = {.struct_size = sizeof counts};
    OK(dem_world_counts_get(bodies, &counts));
    assert_true(counts.rebuilds > 3 && counts.contacts > 20);
    dem_world_destroy(spheres);
    dem_world_destroy(bodies);
}

/* ------------------------------------------------------------------ dumbbells */

/* Dumbbells in a box; without walls and gravity where it is periodic in all directions. */
static dem_world *dumbbells(double gravity, int32_t threads, int32_t isa, double restitution)
{
    dem_world_config config = scene_config();
    config.gravity[2] = gravity;
    for (int c = 0; c < 3; ++c) {
        config.boundary[c] = c == 2 && gravity != 0.0 ? 0 : DEM_BOUNDARY_PERIODIC;
        config.box_high[c] = 8.0;
    }
    config.threads = threads;
    config.isa = isa;
    dem_world *world = scene_world(&config);
    scene_model(world, 0, 0, 1000.0, 0.4, restitution);
    if (gravity != 0.0) {
        dem_wall wall;
        OK(dem_wall_init(&wall));
        OK(dem_wall_add(world, &wall, NULL));
    }
    test_random random = {UINT64_C(0xD1B54A32D192ED03)};
    for (int k = 0; k < 60; ++k) {
        dem_body body =
            dumbbell_of(0.7, 1.0 + 2.0 * (k % 4), 1.0 + 2.0 * (k / 4 % 4), 1.0 + 2.0 * (k / 16));
        turn(&body, &random);
        for (int c = 0; c < 3; ++c) {
            body.velocity[c] = test_uniform(&random, -3.0, 3.0);
            body.angular_velocity[c] = test_uniform(&random, -3.0, 3.0);
        }
        dumbbell(world, &body, 0.7);
    }
    return world;
}

static void momentum_of(const dem_world *world, double sum[3])
{
    double velocity[60][3];
    dem_body_arrays arrays;
    OK(dem_body_arrays_init(&arrays));
    arrays.capacity = 60;
    arrays.velocity = velocity[0];
    uint64_t cursor = 0, count;
    OK(dem_world_bodies_read(world, &cursor, &arrays, &count));
    sum[0] = sum[1] = sum[2] = 0.0;
    for (uint64_t k = 0; k < count; ++k)
        for (int c = 0; c < 3; ++c)
            sum[c] += 0.1 * velocity[k][c];
}

static double balance_of(const dem_world *world)
{
    dem_world_energies e = {.struct_size = sizeof e};
    OK(dem_world_energies_get(world, &e));
    return e.kinetic_translation + e.kinetic_rotation + e.potential + e.elastic +
           e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip - e.work_external -
           e.work_boundary;
}

/* What the balance of energies lacks after a time, over the energy of the beginning. */
static double lost(double dt, int steps)
{
    dem_world *world = dumbbells(0.0, 1, DEM_ISA_AUTO, 0.7);
    double before[3], after[3];
    momentum_of(world, before);
    const double e0 = balance_of(world);
    OK(dem_step(world, dt, (uint64_t)steps));
    momentum_of(world, after);
    for (int c = 0; c < 3; ++c)
        assert_true(fabs(after[c] - before[c]) < 1e-12);
    dem_world_energies e = {.struct_size = sizeof e};
    OK(dem_world_energies_get(world, &e));
    assert_true(e.dissipated_normal > 0.1 * e0 && e.dissipated_slip > 0.01 * e0);
    const double off = balance_of(world) / e0 - 1.0;
    dem_world_destroy(world);
    return off;
}

/* Momentum to round-off, energy to the second order: 5.3e-3, 1.3e-3. */
static void conservation(void **state)
{
    (void)state;
    const double coarse = lost(1e-3, 4000), fine = lost(5e-4, 8000);
    assert_true(fabs(coarse) < 6e-3 && fabs(coarse / fine - 4.0) < 0.3);
}

/* Elastic and without friction nothing is lost or gained. */
static void elastic(void **state)
{
    (void)state;
    test_long();
    dem_world *world = dumbbells(0.0, 1, DEM_ISA_AUTO, 1.0);
    scene_model(world, 0, 0, 1000.0, 0.0, 1.0);
    const double e0 = balance_of(world);
    double most = 0.0;
    for (int n = 0; n < 100; ++n) {
        OK(dem_step(world, 5e-4, 200));
        most = fmax(most, fabs(balance_of(world) / e0 - 1.0));
    }
    assert_true(most < 2e-3);
    dem_world_destroy(world);
}

static void same_bits(void **state)
{
    (void)state;
    dem_world *one = dumbbells(-10.0, 1, DEM_ISA_BASELINE, 0.7),
              *many = dumbbells(-10.0, 4, DEM_ISA_AUTO, 0.7);
    for (int n = 0; n < 10; ++n) {
        OK(dem_step(one, 1e-3, 100));
        for (int k = 0; k < 100; ++k)
            OK(dem_step(many, 1e-3, 1));
        assert_true(hash_of(one) == hash_of(many));
    }
    dem_world_destroy(one);
    dem_world_destroy(many);
}

/* Back to a mark, through rebuilds; and a step that fails changes nothing. */
static void marks(void **state)
{
    (void)state;
    dem_world *world = dumbbells(-10.0, 1, DEM_ISA_AUTO, 0.7);
    OK(dem_step(world, 1e-3, 300));
    OK(dem_world_mark(world));
    const uint64_t begin = hash_of(world);
    OK(dem_step(world, 1e-3, 1000));
    const uint64_t end = hash_of(world);
    OK(dem_world_rewind(world));
    assert_true(hash_of(world) == begin);
    OK(dem_step(world, 1e-3, 1000));
    assert_true(hash_of(world) == end);
    dem_world_destroy(world);
}

/** Another world from a snapshot of this one. */
static dem_world *restored(const dem_world *world)
{
    uint64_t size;
    unsigned char *bytes = busy_snapshot(world, &size);
    const dem_world_config config = scene_config();
    dem_world *other = scene_world(&config);
    OK(dem_world_restore(other, bytes, size));
    free(bytes);
    return other;
}

/* A run that goes through a snapshot has the bits of one that does not. */
static void snapshots(void **state)
{
    (void)state;
    dem_world *world = dumbbells(-10.0, 1, DEM_ISA_AUTO, 0.7);
    dem_body_handle gone;
    OK(dem_step(world, 1e-3, 200));
    OK(dem_body_find(world, 7, &gone));
    OK(dem_body_remove(world, gone));
    for (int n = 0; n < 6; ++n) {
        const double force[3] = {0.1, 0.0, 0.2 * n};
        dem_body_handle handle;
        OK(dem_body_find(world, 11, &handle));
        OK(dem_body_set_force(world, handle, force, force));
        dem_world *other = restored(world);
        assert_true(hash_of(other) == hash_of(world));
        OK(dem_step(world, 1e-3, 150));
        OK(dem_step(other, 1e-3, 150));
        assert_true(hash_of(other) == hash_of(world));
        dem_body a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
        OK(dem_body_get(world, handle, &a));
        OK(dem_body_get(other, handle, &b));
        assert_memory_equal(&a, &b, sizeof a);
        dem_world_destroy(world);
        world = other;
    }
    dem_world_destroy(world);
}

static void failed_step(void **state)
{
    (void)state;
    dem_world *world = dumbbells(-10.0, 1, DEM_ISA_AUTO, 0.7);
    OK(dem_step(world, 1e-3, 300));
    dem_body needle = dumbbell_of(0.7, 4.0, 4.0, 40.0);
    const double inertia[3] = {1e-3, 9e-3, 9.9e-3}, spin[3] = {500.0, 3000.0, 1500.0},
                 none[3] = {0.0, 0.0, 0.0};
    memcpy(needle.inertia, inertia, sizeof inertia);
    const dem_body_handle handle = dumbbell(world, &needle, 0.7);
    OK(dem_step(world, 1e-3, 1));
    OK(dem_body_set_motion(world, handle, NULL, NULL, NULL, spin));
    const uint64_t begin = hash_of(world);
    const dem_status turned = dem_step(world, 2e-3, 10);
    assert_int_equal(turned, DEM_ERROR_DIVERGED);
    assert_non_null(strstr(dem_world_error(world), "turns too far"));
    assert_true(hash_of(world) == begin);
    OK(dem_body_set_motion(world, handle, NULL, NULL, NULL, none));
    OK(dem_step(world, 1e-3, 100));
    dem_world_destroy(world);
}

/* An evaluation leaves bodies as they are, also where a force is beyond what a step can bear. */
static void evaluated_with_any_force(void **state)
{
    (void)state;
    const double huge[3] = {-1e308, 0.0, 0.0}, none[3] = {0.0, 0.0, 0.0};
    const dem_body body = dumbbell_of(0.7, 4.0, 4.0, 40.0);
    dem_world *worlds[2];
    for (int n = 0; n < 2; ++n) {
        dem_world *world = worlds[n] = dumbbells(-10.0, 1, DEM_ISA_AUTO, 0.7);
        const dem_body_handle lone = dumbbell(world, &body, 0.7);
        OK(dem_step(world, 1e-3, 50));
        for (int k = 0; k < 2; ++k) {
            const double v[3] = {0.1 * (k + 1), 0.0, 0.0};
            OK(dem_body_set_motion(world, lone, NULL, NULL, v, NULL));
            OK(dem_body_set_force(world, lone, k == 0 ? huge : none, k == 1 ? huge : none));
            if (n == 1)
                assert_int_equal(dem_step(world, 1e-3, 10), DEM_ERROR_DIVERGED);
            OK(dem_body_set_force(world, lone, none, none));
            OK(dem_step(world, 1e-3, 50));
        }
    }
    assert_true(hash_of(worlds[0]) == hash_of(worlds[1]));
    const dem_world_energies a = scene_energies(worlds[0]), b = scene_energies(worlds[1]);
    assert_memory_equal(&a, &b, sizeof a);
    dem_world_destroy(worlds[0]);
    dem_world_destroy(worlds[1]);
}

/* ------------------------------------------------------------------ bodies that are held */

static void held(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    dem_body body = dumbbell_of(2.0, 0.0, 0.0, 0.0);
    body.mobility = DEM_MOBILITY_KINEMATIC;
    body.angular_velocity[2] = 0.5;
    const dem_body_handle handle = dumbbell(world, &body, 2.0);
    dem_particle p = scene_particle(1.0, 0.0, 0.95);
    OK(dem_particle_add(world, &p, NULL));
    OK(dem_step(world, 1e-3, 0));
    const double e0 = balance_of(world);
    OK(dem_step(world, 2.5e-4, 8000));
    assert_true(fabs(balance_of(world) - e0) < 2e-3);
    OK(dem_body_get(world, handle, &body));
    /* 2 atan(w dt/2) a step */
    const double angle = 8000.0 * 2.0 * atan(0.5 * 0.5 * 2.5e-4);
    assert_true(fabs(body.orientation[0] - cos(0.5 * angle)) < 1e-12);
    assert_true(fabs(body.orientation[3] - sin(0.5 * angle)) < 1e-12);
    dem_particle_handle part;
    OK(dem_body_part_find(world, handle, 1, &part));
    OK(dem_particle_get(world, part, &p));
    assert_true(fabs(hypot(p.position[0], p.position[1]) - 1.0) < 1e-13);
    assert_int_equal(p.mobility, DEM_MOBILITY_KINEMATIC);
    assert_true(fabs(p.velocity[0] + 0.5 * p.position[1]) < 1e-13);
    dem_world_destroy(world);
}

/* Forces on the body, and on a part: the same as a force and its moment. */
static void external(void **state)
{
    (void)state;
    dem_world *worlds[2];
    dem_body out[2];
    for (int k = 0; k < 2; ++k) {
        dem_world_config config = scene_config();
        worlds[k] = scene_world(&config);
        const dem_body body = dumbbell_of(1.0, 0.0, 0.0, 9.0);
        const dem_body_handle handle = dumbbell(worlds[k], &body, 1.0);
        dem_particle_handle part;
        OK(dem_body_part_find(worlds[k], handle, 1, &part));
        const double force[3] = {0.3, 0.0, 1.0};
        const double e0 = balance_of(worlds[k]);
        if (k == 0) {
            OK(dem_particle_set_force(worlds[k], part, force, NULL));
            OK(dem_step(worlds[k], 1e-3, 300));
        }
        for (int n = 0; k == 1 && n < 300; ++n) {
            double moment[3] = {0.0, 0.0, 0.0};
            dem_body now = {.struct_size = sizeof now};
            dem_particle p = {.struct_size = sizeof p};
            OK(dem_body_get(worlds[k], handle, &now));
            OK(dem_particle_get(worlds[k], part, &p));
            for (int c = 0; c < 3; ++c) {
                const int a = (c + 1) % 3, b = (c + 2) % 3;
                moment[c] = (p.position[a] - now.position[a]) * force[b] -
                            (p.position[b] - now.position[b]) * force[a];
            }
            OK(dem_body_set_force(worlds[k], handle, force, moment));
            OK(dem_step(worlds[k], 1e-3, 1));
        }
        out[k].struct_size = sizeof out[k];
        OK(dem_body_get(worlds[k], handle, &out[k]));
        if (k == 0)
            assert_true(fabs(balance_of(worlds[k]) - e0) < 1e-5);
    }
    for (int c = 0; c < 3; ++c) {
        assert_true(fabs(out[0].velocity[c] - out[1].velocity[c]) < 1e-9);
        assert_true(fabs(out[0].angular_velocity[c] - out[1].angular_velocity[c]) < 2e-2);
    }
    assert_true(fabs(out[0].angular_velocity[1]) > 1.0);
    for (int k = 0; k < 2; ++k)
        dem_world_destroy(worlds[k]);
}

/* ------------------------------------------------------------------ what is refused */

static void bad_input(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    const dem_body good = dumbbell_of(1.0, 0.0, 0.0, 0.0);
    const dem_body_part parts[2] = {part_of(-0.5, 0.0, 0.0, 0.5), part_of(0.5, 0.0, 0.0, 0.5)};
    dem_body_handle handle = {7, 7};
    assert_int_equal(dem_body_add(world, NULL, 2, parts, &handle), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_body_add(world, &good, 2, NULL, &handle), DEM_ERROR_ARGUMENT);
    assert_int_equal(dem_body_add(world, &good, 0, parts, &handle), DEM_ERROR_RANGE);
    for (int k = 0; k < 13; ++k) {
        dem_body body = good;
        dem_body_part bad[2] = {parts[0], parts[1]};
        dem_status expected = DEM_ERROR_RANGE;
        switch (k) {
        case 0:
            body.inertia[1] = 2.1 * body.inertia[2];
            break; /* more than both others */
        case 1:
            body.inertia[0] = 0.0;
            break;
        case 2:
            body.mass = NAN;
            break;
        case 3:
            body.mass = 0.0;
            break;
        case 4:
            body.orientation[0] = 1.1;
            break;
        case 5:
            body.orientation[2] = NAN;
            break;
        case 6:
            body.velocity[1] = INFINITY;
            break;
        case 7:
            bad[0].centre[0] = NAN;
            break;
        case 8:
            bad[0].radius = -1.0;
            break;
        case 9:
            bad[1].material = 5;
            break;
        case 10:
            bad[0].centre[1] = bad[1].centre[1] = 0.6;
            break; /* all on one side */
        case 11:
            bad[1].reserved = 1;
            expected = DEM_ERROR_UNKNOWN;
            break;
        default:
            body.mobility = 4;
            expected = DEM_ERROR_UNKNOWN;
        }
        assert_int_equal(dem_body_add(world, &body, 2, bad, &handle), expected);
        assert_true(strlen(dem_world_error(world)) > 20);
    }
    dem_world_counts counts = {.struct_size = sizeof counts};
    OK(dem_world_counts_get(world, &counts));
    assert_true(counts.particles == 0 && handle.index == 7);
    handle = dumbbell(world, &good, 1.0);
    dem_body again = good;
    again.id = 1;
    assert_int_equal(dem_body_add(world, &again, 2, parts, NULL), DEM_ERROR_DUPLICATE);
    dem_particle_handle part;
    assert_int_equal(dem_body_part_find(world, handle, 2, &part), DEM_ERROR_RANGE);
    OK(dem_body_part_find(world, handle, 0, &part));
    const double to[3] = {0.0, 0.0, 1.0};
    assert_int_equal(dem_particle_remove(world, part), DEM_ERROR_STATE);
    assert_int_equal(dem_particle_set_motion(world, part, to, NULL, NULL), DEM_ERROR_STATE);
    dem_view view = {.struct_size = sizeof view};
    assert_int_equal(dem_world_view(world, DEM_FIELD_ADDED_MASS, &view), DEM_ERROR_STATE);
    OK(dem_body_remove(world, handle));
    assert_int_equal(dem_body_remove(world, handle), DEM_ERROR_HANDLE);
    assert_int_equal(dem_body_get(world, handle, &again), DEM_ERROR_HANDLE);
    assert_int_equal(dem_body_find(world, 1, &handle), DEM_ERROR_HANDLE);
    OK(dem_step(world, 1e-3, 10));
    dem_world_destroy(world);
    config.integrator = DEM_INTEGRATOR_LEAPFROG;
    world = scene_world(&config);
    assert_int_equal(dem_body_add(world, &good, 2, parts, NULL), DEM_ERROR_STATE);
    dem_world_destroy(world);
}

/* Parts of one body do not touch each other: they need no contact model, whatever their materials;
 * a second body does. */
static void lone_body(void **state)
{
    (void)state;
    for (int materials = 1; materials <= 2; ++materials) {
        dem_world_config config;
        OK(dem_world_config_init(&config));
        config.material_count = 2;
        dem_world *world = NULL;
        OK(dem_world_create(&config, &world, NULL));
        dem_body body = dumbbell_of(0.7, 0.0, 0.0, 0.0);
        dem_body_part parts[2] = {part_of(-0.35, 0.0, 0.0, 0.5), part_of(0.35, 0.0, 0.0, 0.5)};
        parts[1].material = materials - 1;
        dem_body_handle first, second;
        OK(dem_body_add(world, &body, 2, parts, &first));
        OK(dem_step(world, 1e-3, 3));
        body.position[1] = 5.0;
        OK(dem_body_add(world, &body, 2, parts, &second));
        assert_int_equal(dem_step(world, 1e-3, 3), DEM_ERROR_STATE);
        assert_non_null(strstr(dem_world_error(world), "have no contact model"));
        OK(dem_body_remove(world, first));
        OK(dem_step(world, 1e-3, 3));
        dem_particle p = scene_particle(9.0, 0.0, 0.0);
        p.material = materials - 1;
        OK(dem_particle_add(world, &p, NULL));
        assert_int_equal(dem_step(world, 1e-3, 3), DEM_ERROR_STATE);
        dem_world_destroy(world);
    }
}

/* Bodies come and go while others stay. */
static void come_and_go(void **state)
{
    (void)state;
    dem_world *world = dumbbells(-10.0, 1, DEM_ISA_AUTO, 0.7);
    dem_body_handle handle;
    for (uint64_t id = 2; id < 60; id += 3) {
        OK(dem_body_find(world, id, &handle));
        OK(dem_body_remove(world, handle));
        OK(dem_step(world, 1e-3, 20));
    }
    for (int k = 0; k < 5; ++k) {
        const dem_body body = dumbbell_of(0.7, 1.0, 4.0, 12.0 + 2.0 * k);
        handle = dumbbell(world, &body, 0.7);
        OK(dem_step(world, 1e-3, 20));
    }
    dem_world_counts counts = {.struct_size = sizeof counts};
    OK(dem_world_counts_get(world, &counts));
    assert_true(counts.particles == 2 * (60 - 20 + 5));
    dem_body body = {.struct_size = sizeof body};
    OK(dem_body_get(world, handle, &body));
    for (uint64_t k = 0; k < 2; ++k) {
        dem_particle_handle part;
        dem_particle p = {.struct_size = sizeof p};
        OK(dem_body_part_find(world, handle, k, &part));
        OK(dem_particle_get(world, part, &p));
        double square = 0.0;
        for (int c = 0; c < 3; ++c)
            square += (p.position[c] - body.position[c]) * (p.position[c] - body.position[c]);
        assert_true(fabs(sqrt(square) - 0.35) < 1e-12);
    }
    dem_world_destroy(world);
}

/** A row of bodies of 1 to 3 parts, which stand apart; the part q of body id is 10 id + q. */
static void row_add(dem_world *world, uint64_t id)
{
    dem_body body = dumbbell_of(1.0, 6.0 * (double)id, 0.0, 0.0);
    dem_body_part parts[3];
    body.id = id;
    for (uint64_t q = 0; q < 3; ++q) {
        parts[q] = part_of(q == 0 ? 0.0 : q == 1 ? 0.5 : -0.5, 0.0, 0.2 * (double)q, 0.5);
        parts[q].id = 1000000 + 10 * id + q;
    }
    OK(dem_body_add(world, &body, 1 + id % 3, parts, NULL));
}

static void row_look(const dem_world *world, uint64_t id)
{
    dem_body_handle handle;
    OK(dem_body_find(world, id, &handle));
    for (uint64_t q = 0; q < 1 + id % 3; ++q) {
        dem_particle_handle part;
        dem_particle p = {.struct_size = sizeof p};
        OK(dem_body_part_find(world, handle, q, &part));
        OK(dem_particle_get(world, part, &p));
        assert_int_equal(p.id, 1000000 + 10 * id + q);
    }
}

/* Whoever goes, in whatever order, those that stay keep their parts, and places are given again. */
static void removed_at_random(void **state)
{
    (void)state;
    enum { MOST = 120 };
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    scene_model(world, 0, 0, 1e4, 0.5, 0.9);
    test_random random = {77};
    int there[MOST + 1] = {0};
    uint32_t largest = 0;
    for (int turn = 0; turn < 3000; ++turn) {
        const uint64_t id = 1 + (uint64_t)test_uniform(&random, 0.0, MOST - 1e-9);
        /* waves of many and of few */
        const int wanted = test_uniform(&random, 0.0, 1.0) < (turn / 300 % 2 ? 0.2 : 0.8);
        dem_body_handle handle;
        if (wanted && !there[id]) {
            row_add(world, id);
            OK(dem_body_find(world, id, &handle));
            largest = handle.index > largest ? handle.index : largest;
        }
        if (!wanted && there[id]) {
            OK(dem_body_find(world, id, &handle));
            OK(dem_body_remove(world, handle));
            assert_int_equal(dem_body_find(world, id, &handle), DEM_ERROR_HANDLE);
        }
        there[id] = wanted;
        if (turn % 50 == 0)
            OK(dem_step(world, 1e-5, 1));
        for (uint64_t k = 1; turn % 10 == 0 && k <= MOST; ++k)
            if (there[k])
                row_look(world, k);
    }
    assert_true(largest < MOST);
    dem_world_destroy(world);
}

/* Added masses may come when the last body has left, and then a snapshot, too; drag may before. */
static void a_fluid_after_bodies(void **state)
{
    (void)state;
    const int32_t fields[] = {DEM_FIELD_DRAG_COEFFICIENT, DEM_FIELD_ADDED_MASS};
    for (int k = 0; k < 2; ++k) {
        const dem_world_config config = scene_config();
        dem_world *world = scene_world(&config);
        dem_view view = {.struct_size = sizeof view};
        const dem_body body = dumbbell_of(0.7, 1.0, 4.0, 2.0);
        dem_particle p = scene_particle(1.0, 1.0, 1.0);
        const dem_body_handle first = dumbbell(world, &body, 0.7);
        OK(dem_particle_add(world, &p, NULL));
        assert_int_equal(dem_world_view(world, fields[k], &view),
                         k == 0 ? DEM_OK : DEM_ERROR_STATE);
        assert_true(k == 0 || strstr(dem_world_error(world), "bodies have no added mass") != NULL);
        OK(dem_body_remove(world, first));
        OK(dem_world_view(world, fields[k], &view));
        for (uint64_t row = 0; row < view.count; ++row)
            *(double *)((char *)view.data + row * view.stride) = view.id[row] != 0 ? 0.1 : 0.0;
        OK(dem_world_written_field(world, fields[k]));
        OK(dem_step(world, 1e-3, 20));
        dem_world *other = restored(world);
        OK(dem_step(world, 1e-3, 20));
        OK(dem_step(other, 1e-3, 20));
        assert_true(hash_of(other) == hash_of(world));
        /* the place of the body that left keeps its number */
        dem_body gone = {.struct_size = sizeof gone};
        assert_int_equal(dem_body_get(other, first, &gone), DEM_ERROR_HANDLE);
        dem_world_destroy(world);
        dem_world_destroy(other);
    }
}

/* A forged snapshot with a body and a scheme that has none. */
static void no_body_in_another_scheme(void **state)
{
    (void)state;
    enum { BOUNDARY_AND_INTEGRATOR = 10 };
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config), *other = scene_world(&config);
    const dem_body body = dumbbell_of(0.7, 1.0, 4.0, 2.0);
    const dem_body_handle first = dumbbell(world, &body, 0.7);
    for (int there = 1; there >= 0; --there) {
        uint64_t size;
        unsigned char *bytes = busy_snapshot(world, &size);
        const uint64_t place = stream_section(bytes, size, "config  ") + BOUNDARY_AND_INTEGRATOR;
        assert_int_equal(stream_word(bytes, place) >> 32, DEM_INTEGRATOR_VERLET_SYNC);
        stream_word_set(bytes, place, (uint64_t)DEM_INTEGRATOR_VERLET_STANDARD << 32);
        stream_sign(bytes, size);
        assert_int_equal(dem_world_restore(other, bytes, size), there ? DEM_ERROR_FORMAT : DEM_OK);
        assert_int_equal(strstr(dem_world_error(other), "body 1 in a world whose scheme") != NULL,
                         there);
        free(bytes);
        OK(there ? dem_body_remove(world, first) : DEM_OK);
    }
    dem_world_destroy(world);
    dem_world_destroy(other);
}

/** An angle of which the square is no number would leave a body without an orientation, which no
 * snapshot may have. */
static void turns_beyond_all_numbers(void **state)
{
    (void)state;
    static const int32_t mobility[2] = {DEM_MOBILITY_FREE, DEM_MOBILITY_KINEMATIC};
    for (int k = 0; k < 2; ++k) {
        dem_world_config config;
        dem_world *world = NULL;
        dem_body body, after = {.struct_size = sizeof after};
        dem_body_handle handle;
        OK(dem_world_config_init(&config));
        OK(dem_world_create(&config, &world, NULL));
        dem_contact_model model;
        OK(dem_contact_model_init(&model));
        OK(dem_contact_model_set(world, 0, 0, &model));
        OK(dem_body_init(&body));
        body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        body.mobility = mobility[k];
        body.angular_velocity[1] = 1e6;
        const dem_body_part part = part_of(0.0, 0.0, 0.0, 0.1);
        OK(dem_body_add(world, &body, 1, &part, &handle));
        assert_int_equal(dem_step(world, 1e150, 1), DEM_ERROR_DIVERGED);
        assert_non_null(strstr(dem_world_error(world), "turns too far"));
        OK(dem_body_get(world, handle, &after));
        assert_true(after.orientation[0] == 1.0);
        OK(dem_step(world, 1e-9, 1));
        dem_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere_bits),
        cmocka_unit_test(turns_beyond_all_numbers),
        cmocka_unit_test(conservation),
        cmocka_unit_test(elastic),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(marks),
        cmocka_unit_test(failed_step),
        cmocka_unit_test(held),
        cmocka_unit_test(snapshots),
        cmocka_unit_test(external),
        cmocka_unit_test(bad_input),
        cmocka_unit_test(lone_body),
        cmocka_unit_test(come_and_go),
        cmocka_unit_test(removed_at_random),
        cmocka_unit_test(evaluated_with_any_force),
        cmocka_unit_test(a_fluid_after_bodies),
        cmocka_unit_test(no_body_in_another_scheme),
    };
    return cmocka_run_group_tests_name("bodies", tests, NULL, NULL);
}
