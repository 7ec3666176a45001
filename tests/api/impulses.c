/* SPDX-License-Identifier: MIT */
/**
 * @file impulses.c
 * Impulses that a world sums: what the fluid and contacts gave is what particles have, what is
 * given to walls is what is taken from particles, undone steps are not in it, and sums stay with
 * their particles.
 */
#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/fields.h"
#include "../support/near.h"
#include "../support/report.h"
#include "../support/scene.h"
#include "../support/schemes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Sum of a field of three numbers. */
static void sum_of(dem_world *world, int32_t field, double sum[3])
{
    const dem_view view = view_of(world, field);
    memset(sum, 0, 3 * sizeof *sum);
    for (uint64_t row = 0; row < view.count; ++row)
        for (int c = 0; c < 3; ++c)
            sum[c] += row_of(&view, row)[c];
}

/** A fluid that moves with shear, and a drag that differs from particle to particle. */
static void fluid_set(dem_world *world, double drag)
{
    const dem_view x = view_of(world, DEM_FIELD_POSITION),
                   beta = view_of(world, DEM_FIELD_DRAG_COEFFICIENT),
                   u = view_of(world, DEM_FIELD_FLUID_VELOCITY),
                   kappa = view_of(world, DEM_FIELD_ROTATIONAL_DRAG),
                   turning = view_of(world, DEM_FIELD_FLUID_ANGULAR_VELOCITY);
    for (uint64_t row = 0; row < beta.count; ++row) {
        *row_of(&beta, row) = drag * (1.0 + 0.1 * (double)(beta.id[row] % 7));
        row_of(&u, row)[0] = 0.3 * row_of(&x, row)[2];
        row_of(&u, row)[2] = 1.0;
        *row_of(&kappa, row) = 0.02 * drag;
        row_of(&turning, row)[1] = 0.15;
    }
    OK(dem_world_written(world));
}

/** Momenta of a particle: m v, and the moment of inertia times the angular velocity. */
static void momenta_of(dem_world *world, uint64_t id, double linear[3], double angular[3])
{
    dem_particle p = {.struct_size = sizeof p};
    dem_particle_handle handle;
    OK(dem_particle_find(world, id, &handle));
    OK(dem_particle_get(world, handle, &p));
    for (int c = 0; c < 3; ++c) {
        linear[c] = p.mass * p.velocity[c];
        angular[c] = 0.4 * p.mass * p.radius * p.radius * p.angular_velocity[c];
    }
}

/* One sphere: the momentum that it has is the impulse of the fluid, to 1e-14 over 50 steps, to
 * 1e-12 over 50,000. */
static void momentum_is_the_impulse(void **state)
{
    (void)state;
    double worst[2] = {0.0, 0.0};
    for (int k = 0; k < SCHEMES; ++k) {
        dem_world_config config = scene_config();
        config.integrator = schemes[k];
        config.gravity[2] = 0.0;
        dem_world *world = scene_world(&config);
        const dem_particle p = scene_particle(0.0, 0.0, 3.0);
        OK(dem_particle_add(world, &p, NULL));
        fluid_set(world, 0.05);
        OK(dem_world_impulses_reset(world));
        double linear[3], angular[3];
        for (uint64_t steps = 50; steps <= 50000; steps += 50000 - 50) {
            OK(dem_step(world, 1e-3, steps == 50 ? 50 : 50000 - 50));
            momenta_of(world, 1, linear, angular);
            const dem_view given = view_of(world, DEM_FIELD_DRAG_IMPULSE),
                           turned = view_of(world, DEM_FIELD_DRAG_ANGULAR_IMPULSE);
            double *most = &worst[steps > 50];
            report_worst(most, fabs(row_of(&given, 0)[0] / linear[0] - 1.0));
            report_worst(most, fabs(row_of(&given, 0)[2] / linear[2] - 1.0));
            report_worst(most, fabs(row_of(&turned, 0)[1] / angular[1] - 1.0));
            assert_true(linear[0] > 1e-3 && angular[1] > 1e-6);
        }
        dem_world_destroy(world);
    }
    COUPLED("momentum", "off_the_impulse_50_steps", worst[0], 0.0, 1e-14, "conservation");
    COUPLED("momentum", "off_the_impulse_50000_steps", worst[1], 0.0, 1e-12, "conservation");
}

/** Late velocities are brought to the time of positions, by an evaluation after a change. */
static void catch_up(dem_world *world)
{
    dem_particle_handle handle;
    dem_particle p = {.struct_size = sizeof p};
    OK(dem_particle_find(world, 2, &handle));
    OK(dem_particle_get(world, handle, &p));
    p.position[0] += 1e-9;
    OK(dem_particle_set_motion(world, handle, p.position, NULL, NULL));
    OK(dem_step(world, 1e-4, 0));
}

/** One packing: each particle has what fluid, contacts and gravity gave, and walls what particles
 * gave to them. */
static void packing_adds_up(int32_t scheme, double drag, uint64_t calls)
{
    enum { COUNT = 4 * 4 * 3 };
    const double dt = 5e-4;
    dem_world_config config = scene_config();
    config.integrator = scheme;
    dem_world *world = scene_packing_config(4, 3, &config);
    OK(dem_step(world, dt, 20));
    catch_up(world);
    if (drag > 0.0)
        fluid_set(world, drag);
    OK(dem_world_impulses_reset(world));
    static double linear[COUNT + 2][3], angular[COUNT + 2][3], now[3], turning[3];
    for (uint64_t id = 2; id < COUNT + 2; ++id) /* the floor has the id 1 */
        momenta_of(world, id, linear[id], angular[id]);
    for (uint64_t n = 0; n < calls; ++n)
        OK(dem_step(world, dt, 300 / calls));
    catch_up(world);
    const dem_view mass_of = view_of(world, DEM_FIELD_RADIUS),
                   given = view_of(world, DEM_FIELD_DRAG_IMPULSE),
                   pushed = view_of(world, DEM_FIELD_CONTACT_IMPULSE),
                   turned = view_of(world, DEM_FIELD_DRAG_ANGULAR_IMPULSE),
                   rolled = view_of(world, DEM_FIELD_CONTACT_ANGULAR_IMPULSE);
    for (uint64_t row = 0; row < mass_of.count; ++row) {
        const uint64_t id = mass_of.id[row];
        momenta_of(world, id, now, turning);
        for (int c = 0; c < 3; ++c) {
            const double fall = c == 2 ? -10.0 * 0.1 * 300.0 * dt : 0.0;
            near(row_of(&given, row)[c] + row_of(&pushed, row)[c] + fall, now[c] - linear[id][c],
                 1e-13);
            near(row_of(&turned, row)[c] + row_of(&rolled, row)[c], turning[c] - angular[id][c],
                 1e-14);
            assert_true(drag > 0.0 || row_of(&given, row)[c] == 0.0);
        }
    }
    dem_wall floor = {.struct_size = sizeof floor};
    OK(dem_wall_get(world, 1, &floor));
    sum_of(world, DEM_FIELD_CONTACT_IMPULSE, now);
    for (int c = 0; c < 3; ++c)
        near(floor.impulse[c], -now[c], 1e-13);
    assert_true(floor.impulse[2] < -0.1 && scene_counts(world).rebuilds > 1);
    OK(dem_world_impulses_reset(world));
    OK(dem_wall_get(world, 1, &floor));
    sum_of(world, DEM_FIELD_CONTACT_IMPULSE, now);
    assert_true(now[2] == 0.0 && floor.impulse[2] == 0.0);
    dem_world_destroy(world);
}

static void packings_add_up(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; ++k) {
        packing_adds_up(schemes[k], 0.3, 1);
        packing_adds_up(schemes[k], 0.3, 300);
        packing_adds_up(schemes[k], 0.0, 5);
    }
}

/* A world that sums has the bits of one that does not. */
static void sums_change_no_bit(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; ++k) {
        dem_world_config config = scene_config();
        config.integrator = schemes[k];
        dem_world *with = scene_packing_config(5, 3, &config),
                  *without = scene_packing_config(5, 3, &config);
        OK(dem_world_impulses_reset(with));
        OK(dem_step(with, 5e-4, 200));
        OK(dem_step(without, 5e-4, 200));
        assert_true(scene_hash(with) == scene_hash(without));
        dem_world_destroy(with);
        dem_world_destroy(without);
    }
}

/* What is not free gets impulses, too: of contacts, and of the fluid that it stands in. */
static void held_particles_get_impulses(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    dem_particle p = scene_particle(0.0, 0.0, 0.0);
    p.mobility = DEM_MOBILITY_FIXED;
    OK(dem_particle_add(world, &p, NULL));
    p = scene_particle(0.0, 0.0, 0.99);
    OK(dem_particle_add(world, &p, NULL));
    fluid_set(world, 0.01);
    OK(dem_world_impulses_reset(world));
    OK(dem_step(world, 1e-3, 100));
    const dem_view given = view_of(world, DEM_FIELD_DRAG_IMPULSE),
                   pushed = view_of(world, DEM_FIELD_CONTACT_IMPULSE);
    const uint64_t held = given.id[0] == 1 ? 0 : 1;
    near(row_of(&given, held)[2], 0.01 * 1.1 * 0.1, 1e-16);
    assert_true(row_of(&pushed, held)[2] < -0.01);
    for (int c = 0; c < 3; ++c)
        near(row_of(&pushed, held)[c], -row_of(&pushed, 1 - held)[c], 1e-15);
    dem_world_destroy(world);
}

/** One drag and one velocity along z for all. */
static void flow_upward(dem_world *world, double drag, double velocity)
{
    const dem_view beta = view_of(world, DEM_FIELD_DRAG_COEFFICIENT),
                   u = view_of(world, DEM_FIELD_FLUID_VELOCITY),
                   kappa = view_of(world, DEM_FIELD_ROTATIONAL_DRAG);
    for (uint64_t row = 0; row < u.count; ++row) {
        *row_of(&beta, row) = drag;
        row_of(&u, row)[2] = velocity;
        *row_of(&kappa, row) = 0.05;
    }
    OK(dem_world_written(world));
}

/** Sum of component z of a field. */
static double sum_up(dem_world *world, int32_t field)
{
    double sum[3];
    sum_of(world, field, sum);
    return sum[2];
}

/* Impulses of a bed in a flow that carries half of its weight, also where dt is longer than the
 * relaxation time. The fluid lost beta (u - v), with the v that is (1 + z)/(2 + z) of the way
 * between the ends of a kick, z = beta dt/(2 m); velocities in the middle of steps are the way. The
 * floor has the rest. */
static void bed_in_upward_flow(void **state)
{
    (void)state;
    test_long();
    static const double ratio[] = {0.1, 1.0, 2.2};
    for (int k = 0; k < 3; ++k) {
        enum { EDGE = 4, LAYERS = 6, COUNT = EDGE * EDGE * LAYERS, STEPS = 500 };
        const double dt = 1e-3, beta = ratio[k] * 0.1 / dt, z = 0.5 * ratio[k], u = 0.5 / beta;
        const dem_world_config config = scene_config();
        dem_world *world = scene_packing_config(EDGE, LAYERS, &config);
        flow_upward(world, 1.0, 0.0); /* slows it down */
        OK(dem_step(world, dt, 1000));
        flow_upward(world, beta, u);
        OK(dem_step(world, dt, 50));
        OK(dem_world_impulses_reset(world));
        const double x0 = sum_up(world, DEM_FIELD_POSITION), v0 = sum_up(world, DEM_FIELD_VELOCITY);
        double velocities = 0.0;
        for (int n = 0; n < STEPS; ++n) {
            velocities += sum_up(world, DEM_FIELD_VELOCITY);
            OK(dem_step(world, dt, 1));
        }
        const double gained = sum_up(world, DEM_FIELD_VELOCITY) - v0,
                     way = 0.5 * (sum_up(world, DEM_FIELD_POSITION) - x0 + dt * velocities +
                                  dt * (1.0 + z) / (2.0 + z) * gained),
                     carried = beta * (COUNT * u * dt * STEPS - way),
                     weight = COUNT * 0.1 * 10.0 * dt * STEPS;
        dem_wall floor = {.struct_size = sizeof floor};
        OK(dem_wall_get(world, 1, &floor));
        near(sum_up(world, DEM_FIELD_DRAG_IMPULSE) / weight, carried / weight, 1e-12);
        near(-floor.impulse[2] / weight, (weight - carried + 0.1 * gained) / weight, 1e-12);
        dem_world_destroy(world);
    }
}

/* A step that is undone is not in the sums; views before the first reset are refused. */
static void undone_steps_are_not_summed(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    dem_view view = {.struct_size = sizeof(view)};
    assert_int_equal(dem_world_view(world, DEM_FIELD_CONTACT_IMPULSE, &view), DEM_ERROR_STATE);
    assert_non_null(strstr(dem_world_error(world), "dem_world_impulses_reset"));
    assert_int_equal(dem_world_impulses_reset(NULL), DEM_ERROR_ARGUMENT);
    OK(dem_world_impulses_reset(world)); /* before there are particles or walls */
    dem_particle p = scene_particle(0.0, 0.0, 0.499);
    p.velocity[2] = -1000.0;
    p.id = 9;
    OK(dem_particle_add(world, &p, NULL));
    dem_wall wall;
    OK(dem_wall_init(&wall));
    OK(dem_wall_add(world, &wall, NULL));
    fluid_set(world, 0.1);
    assert_int_equal(dem_step(world, 1e-4, 50), DEM_ERROR_OVERLAP);
    const uint64_t steps = scene_counts(world).steps;
    assert_true(steps > 0 && steps < 50);
    double linear[3], angular[3], given[3], pushed[3];
    momenta_of(world, 9, linear, angular);
    sum_of(world, DEM_FIELD_DRAG_IMPULSE, given);
    sum_of(world, DEM_FIELD_CONTACT_IMPULSE, pushed);
    near(given[2] + pushed[2] - 1e-4 * (double)steps, linear[2] + 100.0, 1e-12);
    assert_int_equal(dem_world_written_field(world, DEM_FIELD_DRAG_IMPULSE), DEM_ERROR_RANGE);
    dem_world_destroy(world);
}

static dem_world *restored_of(const dem_world *world, uint64_t *size, unsigned char **bytes)
{
    const dem_world_config config = scene_config();
    dem_world *restored = scene_world(&config);
    uint64_t written = 0;
    OK(dem_world_snapshot_size(world, size));
    *bytes = malloc(*size);
    assert_non_null(*bytes);
    OK(dem_world_snapshot(world, *bytes, *size, &written));
    if (dem_world_restore(restored, *bytes, *size) != DEM_OK)
        fail_msg("%s", dem_world_error(restored));
    return restored;
}

/** Motion, energies and sums have the same bits, and so has what the floor got. */
static void expect_same(dem_world *one, dem_world *other)
{
    assert_true(scene_hash(one) == scene_hash(other));
    const dem_world_energies a = scene_energies(one), b = scene_energies(other);
    assert_memory_equal(&a, &b, sizeof a);
    for (int32_t f = DEM_FIELD_DRAG_IMPULSE; f <= DEM_FIELD_CONTACT_ANGULAR_IMPULSE; ++f) {
        const dem_view x = view_of(one, f), y = view_of(other, f);
        for (uint64_t row = 0; row < x.count; ++row)
            assert_memory_equal(row_of(&x, row), row_of(&y, row), 3 * sizeof(double));
    }
    dem_wall floors[2] = {{.struct_size = sizeof(dem_wall)}, {.struct_size = sizeof(dem_wall)}};
    OK(dem_wall_get(one, 1, &floors[0]));
    OK(dem_wall_get(other, 1, &floors[1]));
    assert_memory_equal(&floors[0], &floors[1], sizeof floors[0]);
}

/* A run in two parts, with a snapshot between, has the bits of a run in one: motion, energies and
 * sums; and a snapshot of the restored world has the same bytes. */
static void snapshots_keep_drag_and_impulses(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; ++k) {
        dem_world_config config = scene_config();
        config.integrator = schemes[k];
        dem_world *world = scene_packing_config(4, 3, &config);
        fluid_set(world, 0.3);
        OK(dem_world_impulses_reset(world));
        OK(dem_step(world, 5e-4, 100));
        uint64_t size, again;
        unsigned char *bytes, *more;
        dem_world *second = restored_of(world, &size, &bytes);
        dem_world *third = restored_of(second, &again, &more);
        assert_true(size == again);
        assert_memory_equal(bytes, more, size);
        OK(dem_step(world, 5e-4, 100));
        OK(dem_step(second, 5e-4, 100));
        expect_same(world, second);
        dem_world_destroy(world);
        dem_world_destroy(second);
        dem_world_destroy(third);
        free(bytes);
        free(more);
    }
}

enum { DRAG_ALONE = -1, DRIVEN = -2 };

/** A packing in a fluid, with a sphere that is held and some that the fluid does not reach; a
 * bullet comes from above. more: a field that has a value besides, or DRAG_ALONE, or DRIVEN: of two
 * more spheres one moves as it is told, and one turns. */
static dem_world *packing_in_fluid(int32_t scheme, int32_t more, dem_particle_handle *bullet)
{
    dem_world_config config = scene_config();
    config.integrator = scheme;
    config.overlap_limit = 0.3;
    dem_world *world = scene_packing_config(5, 3, &config);
    dem_particle p = scene_particle(1.0, 2.0, 3.7);
    p.mobility = DEM_MOBILITY_FIXED;
    OK(dem_particle_add(world, &p, NULL));
    p = scene_particle(2.5, 2.5, 7.0);
    OK(dem_particle_add(world, &p, bullet));
    for (int turns = 0; more == DRIVEN && turns < 2; ++turns) {
        p = scene_particle(3.5, turns ? 1.0 : 3.0, 3.7);
        p.mobility = DEM_MOBILITY_KINEMATIC;
        p.velocity[2] = turns ? 0.0 : -0.3;
        p.angular_velocity[0] = turns ? 2.0 : 0.0;
        OK(dem_particle_add(world, &p, NULL));
    }
    fluid_set(world, 0.3);
    const dem_view beta = view_of(world, DEM_FIELD_DRAG_COEFFICIENT);
    for (uint64_t row = 0; row < beta.count; row += 9)
        *row_of(&beta, row) = 0.0;
    if (more >= 0) {
        const dem_view field = view_of(world, more);
        for (uint64_t row = 0; row < field.count; row += 2)
            *row_of(&field, row) = 0.02;
    }
    OK(dem_world_written(world));
    OK(dem_world_impulses_reset(world));
    return world;
}

static void many_steps(int32_t scheme, int32_t more)
{
    static const uint64_t calls[] = {9, 64, 66, 67, 131, 200};
    const double dt = 1e-4, fast[3] = {0.0, 0.0, -60.0};
    dem_particle_handle h, t;
    dem_world *world = packing_in_fluid(scheme, more, &h),
              *twin = packing_in_fluid(scheme, more, &t);
    for (size_t c = 0; c < sizeof calls / sizeof calls[0]; ++c) {
        OK(dem_step(world, dt, calls[c]));
        for (uint64_t n = 0; n < calls[c]; ++n)
            OK(dem_step(twin, dt, 1));
        expect_same(world, twin);
    }
    OK(dem_particle_set_motion(world, h, NULL, fast, NULL));
    OK(dem_particle_set_motion(twin, t, NULL, fast, NULL));
    const uint64_t before = scene_counts(world).steps;
    assert_int_equal(dem_step(world, dt, 5000), DEM_ERROR_OVERLAP);
    while (dem_step(twin, dt, 1) == DEM_OK)
        ;
    assert_true(scene_counts(world).steps > before + 100);
    assert_string_equal(dem_world_error(world), dem_world_error(twin));
    expect_same(world, twin);
    OK(dem_particle_remove(world, h));
    OK(dem_particle_remove(twin, t));
    OK(dem_step(world, dt, 100));
    for (int n = 0; n < 100; ++n)
        OK(dem_step(twin, dt, 1));
    expect_same(world, twin);
    assert_true(scene_counts(world).contacts > 0);
    dem_world_destroy(world);
    dem_world_destroy(twin);
}

/* Many steps of a call end as single steps do: motion, energies, sums; also where one of them
 * fails, and after that. */
static void many_steps_sum_as_single_ones(void **state)
{
    (void)state;
    static const int32_t more[] = {DRAG_ALONE, DRIVEN, DEM_FIELD_ADDED_MASS,
                                   DEM_FIELD_EXTERNAL_FORCE, DEM_FIELD_EXTERNAL_TORQUE};
    /* each scheme with each field, or with one of them where that takes long */
    for (int k = 0; k < SCHEMES; ++k)
        for (size_t m = 0; m < sizeof more / sizeof more[0]; ++m)
            if (!test_slow() || (size_t)k == m % SCHEMES)
                many_steps(schemes[k], more[m]);
}

/* A world without particles keeps that it sums. */
static void empty_worlds_keep_sums(void **state)
{
    (void)state;
    const dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    OK(dem_world_impulses_reset(world));
    uint64_t size;
    unsigned char *bytes;
    dem_world *second = restored_of(world, &size, &bytes);
    const dem_particle p = scene_particle(0.0, 0.0, 0.0);
    OK(dem_particle_add(second, &p, NULL));
    OK(dem_step(second, 1e-3, 1));
    view_of(second, DEM_FIELD_CONTACT_IMPULSE);
    dem_world_destroy(world);
    dem_world_destroy(second);
    free(bytes);
}

/* A rewind takes sums and drag back to the mark, also where the world had neither then. */
static void marks_keep_drag_and_impulses(void **state)
{
    (void)state;
    for (int late = 0; late < 2; ++late) {
        dem_world *world = scene_packing(4, 3, NULL, NULL);
        if (!late) {
            fluid_set(world, 0.3);
            OK(dem_world_impulses_reset(world));
        }
        OK(dem_step(world, 5e-4, 50));
        dem_wall marked = {.struct_size = sizeof marked};
        OK(dem_wall_get(world, 1, &marked));
        OK(dem_world_mark(world));
        uint64_t hash[2];
        double sum[2][3];
        dem_wall floors[2] = {{.struct_size = sizeof(dem_wall)}, {.struct_size = sizeof(dem_wall)}};
        dem_world_energies energies[2];
        for (int way = 0; way < 2; ++way) {
            if (late) {
                fluid_set(world, 0.3);
                OK(dem_world_impulses_reset(world));
            }
            OK(dem_step(world, 5e-4, 250));
            hash[way] = scene_hash(world);
            sum_of(world, DEM_FIELD_CONTACT_IMPULSE, sum[way]);
            OK(dem_wall_get(world, 1, &floors[way]));
            energies[way] = scene_energies(world);
            OK(dem_world_rewind(world));
            dem_view view = {.struct_size = sizeof view};
            assert_int_equal(dem_world_view(world, DEM_FIELD_DRAG_IMPULSE, &view),
                             late ? DEM_ERROR_STATE : DEM_OK);
            dem_wall floor = {.struct_size = sizeof floor};
            OK(dem_wall_get(world, 1, &floor));
            assert_memory_equal(&floor, &marked, sizeof floor);
            assert_true(floors[way].impulse[2] != marked.impulse[2]);
        }
        assert_true(hash[0] == hash[1]);
        assert_memory_equal(sum[0], sum[1], sizeof sum[0]);
        assert_memory_equal(&floors[0], &floors[1], sizeof floors[0]);
        assert_memory_equal(&energies[0], &energies[1], sizeof energies[0]);
        assert_true(scene_counts(world).rebuilds > 0);
        dem_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_the_impulse),
        cmocka_unit_test(packings_add_up),
        cmocka_unit_test(sums_change_no_bit),
        cmocka_unit_test(held_particles_get_impulses),
        cmocka_unit_test(bed_in_upward_flow),
        cmocka_unit_test(undone_steps_are_not_summed),
        cmocka_unit_test(snapshots_keep_drag_and_impulses),
        cmocka_unit_test(many_steps_sum_as_single_ones),
        cmocka_unit_test(empty_worlds_keep_sums),
        cmocka_unit_test(marks_keep_drag_and_impulses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
