/* SPDX-License-Identifier: MIT */
/**
 * @file written.c
 * What a host writes: back as it was, which changes nothing; new values, as single calls do; and
 * what must not be written, which is refused with the particle's id.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/scene.h"

#include <math.h>
#include <string.h>

#define DT 2e-4
enum { ROOM = 200 };
static const int32_t fields[] = {DEM_FIELD_VELOCITY, DEM_FIELD_ANGULAR_VELOCITY,
                                 DEM_FIELD_EXTERNAL_FORCE, DEM_FIELD_EXTERNAL_TORQUE};

static dem_world *packing(int32_t integrator)
{
    dem_world_config config = scene_config();
    config.integrator = integrator;
    dem_world *world = scene_packing_config(5, 3, &config);
    OK(dem_step(world, DT, 300));
    assert_true(scene_counts(world).contacts > 30);
    return world;
}

/** Copies a field, in the order of its view. */
static uint64_t copy(dem_world *world, int32_t field, double (*values)[3], const uint64_t **id)
{
    dem_view view = {.struct_size = sizeof(view)};
    OK(dem_world_view(world, field, &view));
    assert_true(view.count <= ROOM);
    for (uint64_t row = 0; row < view.count; ++row)
        memcpy(values[row], (const unsigned char *)view.data + row * view.stride,
               sizeof(values[row]));
    if (id != NULL)
        *id = view.id;
    return view.count;
}

/** A world whose columns are written back in each step goes where its twin does. */
static void what_is_written_back_changes_nothing(void **state)
{
    (void)state;
    double values[ROOM][3];
    for (int32_t scheme = DEM_INTEGRATOR_VERLET_SYNC; scheme <= DEM_INTEGRATOR_SYMPLECTIC_EULER;
         ++scheme)
        for (int f = 0; f < 5; ++f) {
            dem_world *world = packing(scheme), *twin = packing(scheme);
            for (int step = 0; step < 10; ++step) {
                for (int k = 0; k < 4; ++k)
                    if (f == k || f == 4) {
                        const uint64_t count = copy(world, fields[k], values, NULL);
                        OK(dem_world_field_set(world, fields[k], count, values[0]));
                    }
                dem_particle_handle handle;
                OK(dem_particle_find(world, 7, &handle));
                dem_particle p = {.struct_size = sizeof(p)};
                OK(dem_particle_get(world, handle, &p));
                OK(dem_particle_set_motion(world, handle, NULL, p.velocity, p.angular_velocity));
                OK(dem_step(world, DT, 1));
                OK(dem_step(twin, DT, 1));
                assert_int_equal(scene_hash(world), scene_hash(twin));
            }
            dem_world_destroy(world);
            dem_world_destroy(twin);
        }
}

/** What component 1 of a particle is in another world. */
static double saved_value(dem_world *world, uint64_t id, int angular)
{
    dem_particle_handle handle;
    dem_particle p = {.struct_size = sizeof p};
    OK(dem_particle_find(world, id, &handle));
    OK(dem_particle_get(world, handle, &p));
    return angular ? p.angular_velocity[1] : p.velocity[1];
}

/** Velocities that were named as written, or not named, and are as they were, change nothing: the
 * forces of dashpots stay. One that changes is as a call of dem_particle_set_motion. */
static void what_was_not_changed_is_not_evaluated(void **state)
{
    (void)state;
    for (int32_t scheme = DEM_INTEGRATOR_VERLET_SYNC; scheme <= DEM_INTEGRATOR_SYMPLECTIC_EULER;
         ++scheme) {
        dem_world *world = packing(scheme), *twin = packing(scheme);
        dem_view view = {.struct_size = sizeof view}, again = view;
        for (int step = 0; step < 20; ++step) {
            OK(dem_world_view(world, fields[step % 2], &view));
            double *value =
                (double *)(void *)((unsigned char *)view.data + view.stride * (uint64_t)step);
            value[1] += 1.0;
            value[1] -= 1.0;
            if (step % 5 == 4) {
                dem_particle_handle handle;
                OK(dem_particle_find(twin, view.id[step], &handle));
                value[1] = 0.25;
                const double values[3] = {value[0], value[1], value[2]};
                OK(dem_particle_set_motion(twin, handle, NULL, step % 2 == 0 ? values : NULL,
                                           step % 2 == 1 ? values : NULL));
                /* a later view shows what was written, and is nothing to compare with */
                OK(dem_world_view(world, DEM_FIELD_VELOCITY, &again));
            } else
                value[1] = saved_value(twin, view.id[step], step % 2);
            if (step % 3 == 0)
                OK(dem_world_written(world));
            else
                OK(dem_world_written_field(world, fields[step % 2]));
            OK(dem_step(world, DT, 1));
            OK(dem_step(twin, DT, 1));
            assert_int_equal(scene_hash(world), scene_hash(twin));
        }
        dem_world_destroy(world);
        dem_world_destroy(twin);
    }
}

/** What was written is evaluated once: after a step a call of none has nothing to evaluate. */
static void what_a_step_took_over_is_not_evaluated_again(void **state)
{
    (void)state;
    for (int32_t scheme = DEM_INTEGRATOR_VERLET_SYNC; scheme <= DEM_INTEGRATOR_SYMPLECTIC_EULER;
         ++scheme) {
        dem_world *world = packing(scheme);
        dem_view view = {.struct_size = sizeof view};
        OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
        *(double *)view.data += 0.25;
        OK(dem_world_written_field(world, DEM_FIELD_VELOCITY));
        OK(dem_step(world, DT, 3));
        const uint64_t before = scene_hash(world);
        OK(dem_step(world, DT, 0));
        assert_int_equal(scene_hash(world), before);
        dem_world_destroy(world);
    }
}

/** A view that was opened before a step has nothing to tell after it. */
static void a_view_of_before_a_step_tells_nothing(void **state)
{
    (void)state;
    for (int32_t scheme = DEM_INTEGRATOR_VERLET_SYNC; scheme <= DEM_INTEGRATOR_SYMPLECTIC_EULER;
         ++scheme) {
        dem_world *world = packing(scheme), *twin = packing(scheme);
        dem_view view = {.struct_size = sizeof view};
        OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
        OK(dem_step(world, DT, 3));
        OK(dem_step(twin, DT, 3));
        OK(dem_world_written(world));
        OK(dem_step(world, DT, 3));
        OK(dem_step(twin, DT, 3));
        assert_int_equal(scene_hash(world), scene_hash(twin));
        dem_world_destroy(world);
        dem_world_destroy(twin);
    }
}

/** After a step that fails there is nothing to compare with, and forces are evaluated. */
static void a_failed_step_forgets_what_was_shown(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    config.gravity[2] = 0.0;
    dem_world *world = scene_world(&config), *twin = scene_world(&config);
    dem_particle p = scene_particle(0.0, 0.0, 0.0), q = scene_particle(0.0, 0.0, 0.99);
    p.velocity[2] = 0.5;
    dem_world *const both[] = {world, twin};
    for (int k = 0; k < 2; ++k) {
        OK(dem_particle_add(both[k], &p, NULL));
        OK(dem_particle_add(both[k], &q, NULL));
        OK(dem_step(both[k], DT, 5));
    }
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_view(world, DEM_FIELD_VELOCITY, &view));
    assert_int_equal(dem_step(world, 1.0, 1), DEM_ERROR_RANGE);
    OK(dem_world_written_field(world, DEM_FIELD_VELOCITY));
    OK(dem_world_written_field(twin, DEM_FIELD_VELOCITY));
    OK(dem_step(world, DT, 5));
    OK(dem_step(twin, DT, 5));
    assert_int_equal(scene_hash(world), scene_hash(twin));
    dem_world_destroy(world);
    dem_world_destroy(twin);
}

/** New values by the column and one by one are the same. */
static void a_column_is_as_many_single_calls(void **state)
{
    (void)state;
    double values[ROOM][3];
    for (int f = 0; f < 4; ++f) {
        dem_world *world = packing(DEM_INTEGRATOR_VERLET_SYNC),
                  *twin = packing(DEM_INTEGRATOR_VERLET_SYNC);
        const uint64_t before = scene_hash(world);
        const uint64_t *id;
        const uint64_t count = copy(world, fields[f], values, &id);
        for (uint64_t row = 0; row < count; row += 3) {
            for (int c = 0; c < 3; ++c)
                values[row][c] += 0.125 * (double)(c + 1);
            dem_particle_handle handle;
            OK(dem_particle_find(twin, id[row], &handle));
            if (f < 2)
                OK(dem_particle_set_motion(twin, handle, NULL, f == 0 ? values[row] : NULL,
                                           f == 1 ? values[row] : NULL));
            else
                OK(dem_particle_set_force(twin, handle, f == 2 ? values[row] : NULL,
                                          f == 3 ? values[row] : NULL));
        }
        OK(dem_world_field_set(world, fields[f], count, values[0]));
        for (int step = 0; step < 10; ++step) {
            OK(dem_step(world, DT, 1));
            OK(dem_step(twin, DT, 1));
            assert_int_equal(scene_hash(world), scene_hash(twin));
        }
        assert_int_not_equal(scene_hash(world), before);
        dem_world_destroy(world);
        dem_world_destroy(twin);
    }
}

/** Three particles: free, fixed and kinematic. */
static dem_world *three(void)
{
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    for (int n = 0; n < 3; ++n) {
        dem_particle p = scene_particle(2.0 * n, 0.0, 0.0);
        p.id = (uint64_t)(11 + n);
        p.mobility = n;
        OK(dem_particle_add(world, &p, NULL));
    }
    return world;
}

static void columns_are_refused_whole(void **state)
{
    (void)state;
    dem_world *world = three();
    OK(dem_step(world, DT, 1));
    double values[ROOM][3];
    const uint64_t *id;
    for (int f = 0; f < 4; ++f) {
        const uint64_t count = copy(world, fields[f], values, &id), before = scene_hash(world);
        uint64_t fixed = 0;
        for (uint64_t row = 0; row < count; ++row)
            fixed = id[row] == 12 ? row : fixed;
        values[fixed == 0][1] = 5.0; /* must not be taken over */
        values[fixed][2] = NAN;
        assert_int_equal(dem_world_field_set(world, fields[f], count, values[0]), DEM_ERROR_RANGE);
        assert_non_null(strstr(dem_world_error(world), "particle 12"));
        values[fixed][2] = 1.0;
        if (f < 2) {
            assert_int_equal(dem_world_field_set(world, fields[f], count, values[0]),
                             DEM_ERROR_STATE);
            assert_non_null(strstr(dem_world_error(world), "particle 12"));
        }
        assert_int_equal(dem_world_field_set(world, fields[f], count - 1, values[0]),
                         DEM_ERROR_RANGE);
        assert_int_equal(dem_world_field_set(world, fields[f], count, NULL), DEM_ERROR_ARGUMENT);
        double now[ROOM][3];
        copy(world, fields[f], now, NULL);
        assert_true(now[fixed == 0][1] != 5.0);
        assert_int_equal(scene_hash(world), before);
    }
    assert_int_equal(dem_world_field_set(world, DEM_FIELD_POSITION, 3, values[0]), DEM_ERROR_RANGE);
    assert_int_equal(dem_world_field_set(world, 999, 3, values[0]), DEM_ERROR_UNKNOWN);
    assert_int_equal(dem_world_field_set(NULL, 1, 3, values[0]), DEM_ERROR_ARGUMENT);
    dem_world_destroy(world);
}

/** Forces that are not finite are refused on all that is there, also on what they do not move, and
 * before any step is made, and when nothing but forces is asked for. */
static void forces_through_views_are_looked_at(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (uint64_t id = 11; id < 14; ++id)
        for (int f = 2; f < 4; ++f)
            for (int k = 0; k < 6; ++k) {
                dem_world *world = three(), *twin = three();
                OK(dem_step(world, DT, (uint64_t)(k / 3)));
                OK(dem_step(twin, DT, (uint64_t)(k / 3)));
                const uint64_t before = scene_hash(world);
                dem_view view = {.struct_size = sizeof(view)};
                OK(dem_world_view(world, fields[f], &view));
                double *at = view.data;
                for (uint64_t row = 0; row < view.count; ++row)
                    if (view.id[row] == id)
                        at = (double *)(void *)((unsigned char *)view.data + row * view.stride);
                at[k % 2] = bad[k % 3];
                OK(dem_world_written_field(world, fields[f]));
                for (uint64_t steps = 0; steps < 3; ++steps) {
                    assert_int_equal(dem_step(world, DT, steps), DEM_ERROR_RANGE);
                    char name[32];
                    (void)snprintf(name, sizeof(name), "particle %d:", (int)id);
                    assert_non_null(strstr(dem_world_error(world), name));
                    assert_int_equal(scene_hash(world), before);
                }
                at[k % 2] = 0.0;
                OK(dem_step(world, DT, 3));
                OK(dem_step(twin, DT, 3));
                assert_int_equal(scene_hash(world), scene_hash(twin));
                dem_world_destroy(world);
                dem_world_destroy(twin);
            }
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_back_changes_nothing),
        cmocka_unit_test(what_was_not_changed_is_not_evaluated),
        cmocka_unit_test(what_a_step_took_over_is_not_evaluated_again),
        cmocka_unit_test(a_view_of_before_a_step_tells_nothing),
        cmocka_unit_test(a_failed_step_forgets_what_was_shown),
        cmocka_unit_test(a_column_is_as_many_single_calls),
        cmocka_unit_test(columns_are_refused_whole),
        cmocka_unit_test(forces_through_views_are_looked_at),
    };
    return cmocka_run_group_tests_name("written", tests, NULL, NULL);
}
