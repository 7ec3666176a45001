/* SPDX-License-Identifier: MIT */
/**
 * @file world_schemes.c
 * Worlds with one kick a step, leapfrog and symplectic Euler: what velocities, energies and writing
 * mean, changes of the time step, evaluations without a step, undone steps, and the same bits for
 * all threads and instructions.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/busy.h"
#include "../support/fields.h"
#include "../support/law.h"
#include "../support/near.h"

#include <math.h>
#include <string.h>

#define DT 1e-3

static const int32_t schemes[] = {DEM_INTEGRATOR_LEAPFROG, DEM_INTEGRATOR_SYMPLECTIC_EULER};

static dem_world_config config_of(int32_t scheme)
{
    dem_world_config config = scene_config();
    config.integrator = scheme;
    return config;
}

/** A world of one sphere that nothing touches, with speed 3 upwards. */
static dem_world *lone(int32_t scheme, dem_particle_handle *handle)
{
    const dem_world_config config = config_of(scheme);
    dem_world *world = scene_world(&config);
    dem_particle p = scene_particle(0.0, 0.0, 5.0);
    p.velocity[2] = 3.0;
    p.angular_velocity[1] = 2.0;
    OK(dem_particle_add(world, &p, handle));
    return world;
}

/* Gravity of -10, a force of 0.4 N on 0.1 kg and a torque, steps of 0.5, 0.25 and 0.25: numbers
 * without round-off. */
static void kicks_in_free_flight(void **state)
{
    (void)state;
    static const double dt[] = {0.5, 0.25, 0.25};
    static const double since[2][3] = {{0.25, 0.625, 0.875}, {0.5, 0.75, 1.0}};
    const double force[3] = {0.0, 0.0, 0.4}, torque[3] = {0.0, 0.01, 0.0}, a = -10.0 + 0.4 / 0.1;
    const double alpha = 0.01 / (0.4 * 0.1 * 0.25);
    for (int k = 0; k < 2; ++k) {
        dem_particle_handle handle;
        dem_particle p = {.struct_size = sizeof p};
        dem_world *world = lone(schemes[k], &handle);
        OK(dem_particle_set_force(world, handle, force, torque));
        double z = 5.0, turned = 0.0, time = 0.0;
        for (int n = 0; n < 3; ++n) {
            OK(dem_step(world, dt[n], 1));
            time += dt[n];
            z += (3.0 + a * since[k][n]) * dt[n];
            turned += (2.0 + alpha * since[k][n]) * dt[n];
            OK(dem_particle_get(world, handle, &p));
            near(p.velocity[2], 3.0 + a * since[k][n], 1e-14);
            near(p.angular_velocity[1], 2.0 + alpha * since[k][n], 1e-14);
            near(p.position[2], z, 1e-14);
            const dem_view velocity = view_of(world, DEM_FIELD_VELOCITY);
            assert_true(row_of(&velocity, 0)[2] == p.velocity[2]);
            /* energies are those of the positions' time, and nothing is lost */
            const dem_world_energies e = scene_energies(world);
            const double v = 3.0 + a * time, w = 2.0 + alpha * time;
            near(e.kinetic_translation, 0.05 * v * v, 1e-14);
            near(e.kinetic_rotation, 0.2 * 0.1 * 0.25 * w * w, 1e-14);
            near(e.work_external, 0.4 * (z - 5.0) + 0.01 * turned, 1e-14);
        }
        dem_world_destroy(world);
    }
}

/** Greatest difference of a field of two worlds, rows matched by id. */
static double differs(dem_world *a, dem_world *b, int32_t field)
{
    const dem_view va = view_of(a, field), vb = view_of(b, field);
    double worst = 0.0;
    assert_int_equal(va.count, vb.count);
    for (uint64_t row = 0; row < va.count; ++row) {
        assert_int_equal(va.id[row], vb.id[row]);
        for (int c = 0; c < 3 && va.id[row] != 0; ++c)
            worst = fmax(worst, fabs(row_of(&va, row)[c] - row_of(&vb, row)[c]));
    }
    return worst;
}

static void set_force_of_all(dem_world *world, double force)
{
    const dem_view view = view_of(world, DEM_FIELD_EXTERNAL_FORCE);
    for (uint64_t row = 0; row < view.count; ++row)
        row_of(&view, row)[0] = view.id[row] % 2 == 0 ? force : -force;
    OK(dem_world_written(world));
}

/* Collisions with friction and a floor: the path of synchronized Verlet to round-off, with a time
 * step that changes, and while the host removes, moves and pushes. */
static void leapfrog_is_verlet(void **state)
{
    (void)state;
    const dem_world_config first = config_of(DEM_INTEGRATOR_VERLET_SYNC),
                           second = config_of(DEM_INTEGRATOR_LEAPFROG);
    dem_world *world[2] = {scene_packing_config(6, 4, &first), scene_packing_config(6, 4, &second)};
    double late = 0.0;
    for (int turn = 0; turn < 6; ++turn) {
        for (int k = 0; k < 2; ++k) {
            dem_particle_handle handle;
            const double belt[3] = {0.3 * turn, 0.0, 0.0}, to[3] = {3.0, 3.0, 7.0 + turn};
            if (turn == 0)
                set_force_of_all(world[k], 0.05);
            if (turn == 1) {
                OK(dem_particle_find(world[k], 77, &handle));
                OK(dem_particle_remove(world[k], handle));
            }
            if (turn == 2)
                OK(dem_wall_set_velocity(world[k], 1, belt));
            if (turn == 3)
                scene_model(world[k], 0, 0, 1500.0, 0.3, 0.6);
            if (turn == 4) {
                OK(dem_particle_find(world[k], 30, &handle));
                OK(dem_particle_set_motion(world[k], handle, to, NULL, NULL));
            }
            OK(dem_step(world[k], DT * (1.0 + 0.3 * turn), 20));
            OK(dem_step(world[k], DT, 7));
        }
        near(differs(world[0], world[1], DEM_FIELD_POSITION), 0.0, 1e-11);
        late = fmax(late, differs(world[0], world[1], DEM_FIELD_VELOCITY));
        const dem_world_energies a = scene_energies(world[0]), b = scene_energies(world[1]);
        const double unit = a.kinetic_translation + a.elastic;
        near(b.kinetic_translation, a.kinetic_translation, 1e-10 * unit);
        near(b.kinetic_rotation, a.kinetic_rotation, 1e-10 * unit);
        near(b.dissipated_slip, a.dissipated_slip, 1e-10 * unit);
        near(b.dissipated_normal, a.dissipated_normal, 1e-10 * unit);
        near(b.work_external, a.work_external, 1e-10 * unit);
    }
    assert_true(scene_counts(world[1]).contacts > 50);
    assert_true(scene_energies(world[1]).dissipated_slip > 0.0);
    /* velocities are late, until an evaluation without a step */
    assert_true(late > 1e-3);
    for (int k = 0; k < 2; ++k) {
        dem_world *touched = world[k];
        (void)view_of(touched, DEM_FIELD_VELOCITY);
        OK(dem_world_written(touched));
        OK(dem_step(touched, DT, 0));
    }
    near(differs(world[0], world[1], DEM_FIELD_VELOCITY), 0.0, 1e-10);
    near(differs(world[0], world[1], DEM_FIELD_ANGULAR_VELOCITY), 0.0, 1e-10);
    near(differs(world[0], world[1], DEM_FIELD_FORCE), 0.0, 1e-8);
    for (int k = 0; k < 2; ++k)
        OK(dem_step(world[k], DT, 10));
    near(differs(world[0], world[1], DEM_FIELD_POSITION), 0.0, 1e-10);
    assert_true(differs(world[0], world[1], DEM_FIELD_VELOCITY) > 1e-3);
    dem_world_destroy(world[0]);
    dem_world_destroy(world[1]);
}

/* Forces of contacts as they are read agree with those that moved the particles, whose velocities
 * they take at the time of the positions. */
static void contacts_are_read_at_their_time(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        const dem_world_config config = config_of(schemes[k]);
        dem_world *world = scene_world(&config);
        dem_particle p = scene_particle(0.0, 0.0, 0.5);
        p.velocity[0] = 1.0;
        p.velocity[2] = -1.0;
        dem_wall wall;
        OK(dem_wall_init(&wall));
        OK(dem_wall_add(world, &wall, NULL));
        OK(dem_particle_add(world, &p, NULL));
        OK(dem_step(world, 2e-3, 5));
        uint64_t cursor = 0;
        dem_contact contact = {.struct_size = sizeof contact};
        OK(dem_world_contact_next(world, &cursor, &contact));
        const dem_view force = view_of(world, DEM_FIELD_FORCE);
        /* a dashpot that saw the velocity half a step before would be off by 1e-2 */
        near(fabs(contact.force_normal[2]), row_of(&force, 0)[2], 3e-3 * row_of(&force, 0)[2]);
        dem_world_destroy(world);
    }
}

/* What was read may be written back, which is what it is with synchronized Verlet. */
static void writing_back(void **state)
{
    (void)state;
    const dem_world_config config = config_of(DEM_INTEGRATOR_LEAPFROG);
    const dem_world_config verlet = config_of(DEM_INTEGRATOR_VERLET_SYNC);
    dem_world *world[4]; /* halved through a view, one by one; written back; that with Verlet */
    for (int k = 0; k < 4; ++k) {
        world[k] = scene_packing_config(5, 3, k < 3 ? &config : &verlet);
        OK(dem_step(world[k], DT, 40));
    }
    const dem_view view = view_of(world[0], DEM_FIELD_VELOCITY);
    for (uint64_t row = 0; row < view.count; ++row)
        for (int c = 0; c < 3; ++c)
            row_of(&view, row)[c] *= 0.5;
    OK(dem_world_written(world[0]));
    for (uint64_t row = 0; row < view.count; ++row) {
        dem_particle_handle handle;
        dem_particle p = {.struct_size = sizeof p};
        OK(dem_particle_find(world[1], view.id[row], &handle));
        OK(dem_particle_get(world[1], handle, &p));
        for (int c = 0; c < 3; ++c)
            p.velocity[c] *= 0.5;
        OK(dem_particle_set_motion(world[1], handle, NULL, p.velocity, NULL));
        for (int k = 2; k < 4; ++k) {
            OK(dem_particle_find(world[k], view.id[row], &handle));
            OK(dem_particle_get(world[k], handle, &p));
            OK(dem_particle_set_motion(world[k], handle, p.position, p.velocity,
                                       p.angular_velocity));
        }
    }
    for (int k = 0; k < 4; ++k)
        OK(dem_step(world[k], DT, 10));
    assert_int_equal(scene_hash(world[0]), scene_hash(world[1]));
    near(differs(world[2], world[3], DEM_FIELD_POSITION), 0.0, 1e-12);
    assert_true(scene_energies(world[0]).kinetic_translation <
                0.8 * scene_energies(world[2]).kinetic_translation);
    for (int k = 0; k < 4; ++k)
        dem_world_destroy(world[k]);
}

/* A particle that is added between steps moves with the velocity of t - dt/2 that it is given. */
static void added_between_steps(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        dem_particle_handle old, new_one;
        dem_world *world = lone(schemes[k], &old);
        OK(dem_step(world, 1.0 / 256.0, 4));
        dem_particle p = {.struct_size = sizeof p}, q = p;
        OK(dem_particle_get(world, old, &p));
        p.id = 0;
        p.position[0] += 3.0;
        OK(dem_particle_add(world, &p, &new_one));
        OK(dem_step(world, 1.0 / 256.0, 4));
        OK(dem_particle_get(world, old, &p));
        OK(dem_particle_get(world, new_one, &q));
        for (int c = 0; c < 3; ++c) {
            assert_true(p.velocity[c] == q.velocity[c]);
            assert_true(p.position[c] == q.position[c] - (c == 0 ? 3.0 : 0.0));
        }
        near(p.velocity[2], 3.0 - 10.0 * (k == 0 ? 7.5 : 8.0) / 256.0, 1e-14);
        dem_world_destroy(world);
    }
}

static void set_test_law(dem_world *world, test_law_control *control)
{
    const dem_law law = test_law(control);
    const test_spring spring = {1000.0};
    dem_contact_model model;
    OK(dem_world_law_register(world, &law));
    OK(dem_contact_model_init(&model));
    model.parts[0].law = "test-spring";
    model.parts[0].parameters = &spring;
    OK(dem_contact_model_set(world, 0, 0, &model));
}

/* An undone step leaves velocities as late as they were. */
static void undone(void **state)
{
    (void)state;
    for (int k = 0; k < 2; ++k) {
        const dem_world_config config = config_of(schemes[k]);
        dem_world *world = scene_packing_config(5, 3, &config);
        dem_world *twin = scene_packing_config(5, 3, &config);
        test_law_control one = {0, -1, 0.0}, two = {0, -1, 0.0};
        set_test_law(world, &one);
        set_test_law(twin, &two);
        OK(dem_step(world, DT, 30));
        OK(dem_step(twin, DT, 30));
        for (int n = 0; n < 2; ++n) {
            const dem_world_energies before = scene_energies(world);
            const uint64_t hash = scene_hash(world);
            /* so far in a step that spheres pass through each other */
            set_force_of_all(world, 4e4);
            assert_int_equal(dem_step(world, DT, 1), DEM_ERROR_OVERLAP);
            set_force_of_all(world, 0.0);
            const dem_world_energies after = scene_energies(world);
            assert_int_equal(scene_hash(world), hash);
            assert_memory_equal(&before, &after, sizeof before);
            /* an evaluation that fails, too */
            dem_particle_handle handle;
            dem_particle p = {.struct_size = sizeof p};
            OK(dem_particle_find(world, 40, &handle));
            OK(dem_particle_get(world, handle, &p));
            OK(dem_particle_set_motion(world, handle, NULL, p.velocity, NULL));
            one.fail_at = one.calls;
            assert_int_equal(dem_step(world, DT, 1), DEM_ERROR_CALLBACK);
            one.fail_at = -1;
            assert_int_equal(scene_hash(world), hash);
            OK(dem_particle_find(twin, 40, &handle));
            OK(dem_particle_set_motion(twin, handle, NULL, p.velocity, NULL));
            OK(dem_step(world, DT, 20));
            OK(dem_step(twin, DT, 20));
            assert_int_equal(scene_hash(world), scene_hash(twin));
        }
        dem_world_destroy(world);
        dem_world_destroy(twin);
    }
}

static void the_same_bits_everywhere(void **state)
{
    (void)state;
    static const int32_t isas[] = {DEM_ISA_BASELINE, DEM_ISA_X86_64_V2, DEM_ISA_AVX2,
                                   DEM_ISA_AVX512};
    for (int k = 0; k < 2; ++k) {
        uint64_t hash = 0;
        for (int n = 0; n < 6; ++n) {
            dem_world_config config = config_of(schemes[k]);
            config.threads = n % 2 == 0 ? 1 : 3;
            config.isa = isas[n / 2];
            dem_world *probe = NULL;
            if (dem_world_create(&config, &probe, NULL) == DEM_ERROR_UNKNOWN)
                continue; /* this machine does not have it */
            dem_world_destroy(probe);
            dem_world *world = busy_world(7, 8, &config);
            OK(dem_step(world, BUSY_DT, 150));
            OK(dem_step(world, 0.5 * BUSY_DT, 50));
            if (n == 0)
                hash = scene_hash(world);
            assert_int_equal(scene_hash(world), hash);
            assert_true(scene_counts(world).contacts > 100 && scene_counts(world).chunks > 1);
            /* and one call of many steps is many calls of one */
            if (n == 1) {
                dem_world *single = busy_world(7, 8, &config);
                for (int m = 0; m < 200; ++m)
                    OK(dem_step(single, m < 150 ? BUSY_DT : 0.5 * BUSY_DT, 1));
                busy_equal(single, world);
                dem_world_destroy(single);
            }
            dem_world_destroy(world);
        }
    }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kicks_in_free_flight),
        cmocka_unit_test(leapfrog_is_verlet),
        cmocka_unit_test(contacts_are_read_at_their_time),
        cmocka_unit_test(writing_back),
        cmocka_unit_test(added_between_steps),
        cmocka_unit_test(undone),
        cmocka_unit_test(the_same_bits_everywhere),
    };
    return cmocka_run_group_tests_name("world schemes", tests, NULL, NULL);
}
