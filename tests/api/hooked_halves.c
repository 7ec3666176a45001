/* SPDX-License-Identifier: MIT */
/**
 * @file hooked_halves.c
 * Between the halves of a step whose hook wrote fields: what is read is of the last complete step.
 * And fluids that come with ghosts: into worlds that have bodies, and where memory runs out.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/heap_short.h"

#include <dem/dem.h>

#include <stdlib.h>
#include <string.h>

static dem_status gust_blows(void *user, dem_world *world, double dt)
{
    const double *gust = user;
    dem_view view = {.struct_size = sizeof view};
    const dem_status status = dem_world_view(world, DEM_FIELD_FLUID_VELOCITY, &view);
    (void)dt;
    for (uint64_t row = 0; status == DEM_OK && row < view.count; ++row)
        ((double *)(void *)((char *)view.data + row * view.stride))[0] = *gust;
    return status == DEM_OK ? dem_world_written_field(world, DEM_FIELD_FLUID_VELOCITY) : status;
}

/** A sphere with drag and a load, after some steps in halves. */
static dem_world *dragged(int32_t integrator, double *gust, dem_particle_handle *handle)
{
    static const double coefficient[2] = {3.0, 0.0}, load[3] = {5.0, 1.0, 0.0};
    dem_world_config config;
    dem_world *world;
    dem_linear linear;
    dem_contact_model model;
    dem_particle particle;
    dem_view view = {.struct_size = sizeof view};
    OK(dem_world_config_init(&config));
    config.integrator = integrator;
    config.before_forces = gust_blows;
    config.before_forces_user = gust;
    OK(dem_world_create(&config, &world, NULL));
    OK(dem_linear_init(&linear));
    linear.stiffness_normal = 1e4;
    linear.restitution = 0.5;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add_linear_csds(&model, &linear));
    OK(dem_contact_model_set(world, 0, 0, &model));
    OK(dem_particle_init(&particle));
    particle.radius = 0.5;
    particle.mass = 1.0;
    OK(dem_particle_add(world, &particle, handle));
    particle.position[0] = 0.98;
    particle.mobility = DEM_MOBILITY_FIXED;
    OK(dem_particle_add(world, &particle, NULL));
    OK(dem_world_view(world, DEM_FIELD_FLUID_VELOCITY, &view));
    OK(dem_world_field_set(world, DEM_FIELD_DRAG_COEFFICIENT, 2, coefficient));
    OK(dem_particle_set_force(world, *handle, load, NULL));
    OK(dem_ghosts_set(world, 0, NULL, 1e9, NULL));
    OK(dem_world_impulses_reset(world));
    for (int n = 0; n < 5; ++n) {
        OK(dem_step_begin(world, n > 0 ? 1e-3 : 0.0));
        OK(dem_step_end(world));
    }
    return world;
}

static void *snapshot_of(const dem_world *world, uint64_t *size)
{
    OK(dem_world_snapshot_size(world, size));
    void *bytes = malloc(*size);
    assert_non_null(bytes);
    OK(dem_world_snapshot(world, bytes, *size, NULL));
    return bytes;
}

static dem_analysis_box box_of(const dem_world *world)
{
    dem_analysis_grid grid;
    dem_analysis_box box;
    OK(dem_analysis_grid_init(&grid));
    grid.low[0] = grid.low[1] = grid.low[2] = -9.0;
    grid.high[0] = grid.high[1] = grid.high[2] = 9.0;
    memset(&box, 0, sizeof box);
    box.struct_size = sizeof box;
    OK(dem_world_boxes_analyse(world, &grid, 1, &box));
    return box;
}

typedef struct touch {
    double one[3], of_many[3], moment[2][9];
} touch;

/* Forces of the one contact, as all calls tell it that read contacts. */
static touch touch_of(const dem_world *world)
{
    touch t;
    dem_contact contact = {.struct_size = sizeof contact};
    dem_contact_arrays many;
    dem_analysis_particles rows;
    uint64_t cursor = 0, count;
    memset(&t, 0, sizeof t);
    OK(dem_world_contact_next(world, &cursor, &contact));
    memcpy(t.one, contact.force_normal, sizeof t.one);
    OK(dem_contact_arrays_init(&many));
    many.capacity = 1;
    many.force_normal = t.of_many;
    cursor = 0;
    OK(dem_world_contacts_read(world, &cursor, &many, &count));
    assert_int_equal(count, 1);
    OK(dem_analysis_particles_init(&rows));
    rows.capacity = 2;
    rows.moment = t.moment[0];
    OK(dem_world_particles_analyse(world, &rows, NULL));
    return t;
}

static void read_between_of(int32_t integrator)
{
    double gust = 1.0, impulse[2][3];
    uint64_t size, size_between;
    dem_particle_handle handle;
    dem_world *world = dragged(integrator, &gust, &handle);
    dem_world_energies before, between;
    memset(&before, 0, sizeof before);
    memset(&between, 0, sizeof between);
    before.struct_size = between.struct_size = sizeof before;
    OK(dem_world_energies_get(world, &before));
    OK(dem_particles_field_get(world, DEM_FIELD_DRAG_IMPULSE, 1, &handle, impulse[0]));
    unsigned char *bytes = snapshot_of(world, &size);
    const dem_analysis_box box_before = box_of(world);
    const touch touch_before = touch_of(world);
    gust = 7.0;
    OK(dem_step_begin(world, 1e-3));
    OK(dem_world_energies_get(world, &between));
    OK(dem_particles_field_get(world, DEM_FIELD_DRAG_IMPULSE, 1, &handle, impulse[1]));
    unsigned char *bytes_between = snapshot_of(world, &size_between);
    assert_true(before.work_fluid != 0.0 && impulse[0][0] != 0.0);
    assert_memory_equal(&before, &between, sizeof before);
    const dem_analysis_box box_between = box_of(world);
    assert_memory_equal(&box_before, &box_between, sizeof box_before);
    const touch touch_between = touch_of(world);
    assert_true(touch_before.one[0] != 0.0);
    assert_memory_equal(&touch_before, &touch_between, sizeof touch_before);
    assert_memory_equal(impulse[0], impulse[1], sizeof impulse[0]);
    assert_int_equal(size, size_between);
    assert_memory_equal(bytes, bytes_between, size);
    /* the step goes on with what the hook wrote */
    OK(dem_step_end(world));
    unsigned char *end = snapshot_of(world, &size);
    OK(dem_world_restore(world, bytes_between, size_between));
    OK(dem_ghosts_set(world, 0, NULL, 1e9, NULL));
    OK(dem_step_begin(world, 1e-3));
    OK(dem_step_end(world));
    unsigned char *again = snapshot_of(world, &size_between);
    assert_int_equal(size, size_between);
    assert_memory_equal(end, again, size);
    free(bytes);
    free(bytes_between);
    free(end);
    free(again);
    dem_world_destroy(world);
}

static void read_between(void **state)
{
    (void)state;
    read_between_of(DEM_INTEGRATOR_VERLET_SYNC);
    read_between_of(DEM_INTEGRATOR_VERLET_STANDARD);
    read_between_of(DEM_INTEGRATOR_LEAPFROG);
}

static dem_ghost ghost_of(uint64_t id, double drag, double added_mass)
{
    dem_ghost ghost;
    memset(&ghost, 0, sizeof ghost);
    ghost.struct_size = sizeof ghost;
    ghost.id = id;
    ghost.radius = 0.5;
    ghost.mass = 1.0;
    ghost.drag_coefficient = drag;
    ghost.added_mass = added_mass;
    return ghost;
}

/** Bodies have no added mass: ghosts bring none into a world that has some. Drag they bring, also
 * where bodies are ghosts. */
static void fluid_beside_bodies(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        dem_world_config config;
        dem_world *world;
        dem_body body;
        dem_body_part part;
        dem_body_handle handle;
        dem_particle_handle named;
        uint64_t before, after;
        OK(dem_world_config_init(&config));
        OK(dem_world_create(&config, &world, NULL));
        OK(dem_body_init(&body));
        OK(dem_body_part_init(&part));
        body.mass = 1.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        body.position[0] = 9.0;
        part.radius = 0.5;
        OK(dem_body_add(world, &body, 1, &part, &handle));
        if (k == 3)
            OK(dem_bodies_release(world, 1, &handle));
        const dem_ghost ghost = ghost_of(77, k % 2 == 1 ? 2.0 : 0.0, k == 2 ? 0.5 : 0.0);
        unsigned char *bytes = snapshot_of(world, &before);
        assert_int_equal(dem_ghosts_set(world, 1, &ghost, 0.1, &named),
                         k == 2 ? DEM_ERROR_STATE : DEM_OK);
        unsigned char *now = snapshot_of(world, &after);
        if (k == 2) {
            assert_int_equal(before, after);
            assert_memory_equal(bytes, now, before);
        }
        OK(dem_world_restore(world, now, after));
        body.id = 0;
        body.position[0] = 20.0;
        OK(dem_body_add(world, &body, 1, &part, &handle));
        free(bytes);
        free(now);
        dem_world_destroy(world);
    }
}

/** Where memory runs out, ghosts leave no fluid behind. */
static void fluid_without_memory(void **state)
{
    (void)state;
    int failed = 0;
    for (uint64_t at = 0;; ++at) {
        short_heap heap = {.fail_at = UINT64_MAX};
        dem_world_config config;
        dem_world *world;
        dem_ghost ghosts[40];
        dem_particle_handle named[40];
        dem_body body;
        dem_body_part part;
        dem_body_handle handle;
        OK(dem_world_config_init(&config));
        config.allocator = short_allocator(&heap);
        OK(dem_world_create(&config, &world, NULL));
        for (uint64_t k = 0; k < 40; ++k) {
            ghosts[k] = ghost_of(k + 1, 2.0, 0.5);
            ghosts[k].position[0] = 2.0 * (double)k;
        }
        heap.fail_at = heap.calls + at;
        const dem_status status = dem_ghosts_set(world, 40, ghosts, 0.1, named);
        heap.fail_at = UINT64_MAX;
        if (status == DEM_OK) {
            dem_world_destroy(world);
            break;
        }
        assert_int_equal(status, DEM_ERROR_MEMORY);
        OK(dem_body_init(&body));
        OK(dem_body_part_init(&part));
        body.mass = 1.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        part.radius = 0.5;
        OK(dem_body_add(world, &body, 1, &part, &handle));
        ++failed;
        dem_world_destroy(world);
    }
    assert_true(failed > 3);
}

/** Nor where they are refused for another reason. */
static void fluid_refused(void **state)
{
    (void)state;
    dem_world_config config;
    dem_world *world;
    dem_particle_handle named[2];
    uint64_t before, after;
    OK(dem_world_config_init(&config));
    OK(dem_world_create(&config, &world, NULL));
    unsigned char *bytes = snapshot_of(world, &before);
    const dem_ghost twice[2] = {ghost_of(5, 2.0, 0.0), ghost_of(5, 2.0, 0.5)};
    assert_int_equal(dem_ghosts_set(world, 2, twice, 0.1, named), DEM_ERROR_DUPLICATE);
    unsigned char *now = snapshot_of(world, &after);
    assert_int_equal(before, after);
    assert_memory_equal(bytes, now, before);
    free(bytes);
    free(now);
    dem_world_destroy(world);
}

int main(void)
{
    test_fpe();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_between),
        cmocka_unit_test(fluid_beside_bodies),
        cmocka_unit_test(fluid_without_memory),
        cmocka_unit_test(fluid_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
