/* SPDX-License-Identifier: MIT */
/**
 * @file added_mass.c
 * Added mass: bits without it, closed forms of a bubble, collisions by the whole inertia, weight
 * without it, impulses that add up, and that it stays with its particle.
 */
#define _POSIX_C_SOURCE 200809L
#include "../support/cmocka.h"
#include "../support/emulated.h"
#include "../support/fields.h"
#include "../support/heap_short.h"
#include "../support/near.h"
#include "../support/scene.h"
#include "../support/schemes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static dem_particle particle_of(dem_world *world, uint64_t id)
{
    dem_particle p = {.struct_size = sizeof p};
    dem_particle_handle handle;
    OK(dem_particle_find(world, id, &handle));
    OK(dem_particle_get(world, handle, &p));
    return p;
}

/** The added mass of a particle by its id. */
static double mass_by_id(uint64_t id, double most)
{
    return most * (double)(id % 4) / 3.0;
}

static void added_set(dem_world *world, double most)
{
    const dem_view added = view_of(world, DEM_FIELD_ADDED_MASS);
    for (uint64_t row = 0; row < added.count; ++row)
        *row_of(&added, row) = mass_by_id(added.id[row], most);
    OK(dem_world_written_field(world, DEM_FIELD_ADDED_MASS));
}

static void drag_set(dem_world *world, double beta, double up)
{
    const dem_view drag = view_of(world, DEM_FIELD_DRAG_COEFFICIENT),
                   u = view_of(world, DEM_FIELD_FLUID_VELOCITY);
    for (uint64_t row = 0; row < drag.count; ++row) {
        *row_of(&drag, row) = beta;
        row_of(&u, row)[2] = up;
    }
    OK(dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT));
    OK(dem_world_written_field(world, DEM_FIELD_FLUID_VELOCITY));
}

/** One sphere of this mass; without gravity unless `g` is given. */
static dem_world *lone(int32_t scheme, double mass, double g)
{
    dem_world_config config = scene_config();
    config.integrator = scheme;
    config.gravity[2] = -g;
    dem_world *world = scene_world(&config);
    dem_particle p = scene_particle(0.0, 0.0, 1.0);
    p.mass = mass;
    OK(dem_particle_add(world, &p, NULL));
    return world;
}

/* A column of 0 leaves the bits of a packing. */
static void without_added_mass_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; ++k) {
        dem_world_config config = scene_config();
        config.integrator = schemes[k];
        dem_world *with = scene_packing_config(5, 3, &config),
                  *without = scene_packing_config(5, 3, &config);
        OK(dem_step(with, 1e-3, 3));
        OK(dem_step(without, 1e-3, 3));
        for (int n = 0; n < 4; ++n) {
            added_set(with, 0.0);
            OK(dem_step(with, 5e-4, 40));
            OK(dem_step(without, 5e-4, 40));
            assert_true(scene_hash(with) == scene_hash(without));
        }
        dem_world_destroy(with);
        dem_world_destroy(without);
    }
}

/* Bits are those of any thread count and instruction set. */
static void same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; ++k) {
        uint64_t hash = 0;
        for (int way = 0; way < 3; ++way) {
            dem_world_config config = scene_config();
            config.integrator = schemes[k];
            config.threads = way == 1 ? 3 : 1;
            config.isa = way == 2 ? DEM_ISA_BASELINE : DEM_ISA_AUTO;
            dem_world *world = scene_packing_config(5, 3, &config);
            added_set(world, 0.2);
            OK(dem_step(world, 5e-4, way == 0 ? 100 : 60));
            if (way != 0)
                OK(dem_step(world, 5e-4, 40));
            assert_true(way == 0 || hash == scene_hash(world));
            hash = scene_hash(world);
            assert_true(scene_counts(world).rebuilds > 1);
            dem_world_destroy(world);
        }
    }
}

/* A bubble, 400 times lighter than the fluid that it takes along, rises from rest:
 * v = v_t (1 - e^(-beta t/m')), v_t = (buoyancy - m g)/beta. Its velocity is of order 2 in dt; m v
 * is the impulse of the fluid, buoyancy and weight. */
static double bubble_error(int32_t scheme, uint64_t steps)
{
    const double mass = 1e-3, added = 0.4, g = 10.0, beta = 0.3, lift = 0.8, time = 1.0;
    dem_world *world = lone(scheme, mass, g);
    const double force[3] = {0.0, 0.0, lift};
    OK(dem_world_field_set(world, DEM_FIELD_EXTERNAL_FORCE, 1, force));
    OK(dem_world_field_set(world, DEM_FIELD_ADDED_MASS, 1, &added));
    drag_set(world, beta, 0.0);
    OK(dem_world_impulses_reset(world));
    OK(dem_step(world, time / (double)steps, steps));
    const dem_view given = view_of(world, DEM_FIELD_DRAG_IMPULSE),
                   v = view_of(world, DEM_FIELD_VELOCITY);
    const double stored = row_of(&v, 0)[2], late = scheme == DEM_INTEGRATOR_LEAPFROG
                                                       ? time - 0.5 * time / (double)steps
                                                       : time;
    near(row_of(&given, 0)[2] + (lift - mass * g) * late, mass * stored, 1e-14);
    const double whole = mass + added, end = (lift - mass * g) / beta,
                 want = end * (1.0 - exp(-beta * time / whole)),
                 energy = scene_energies(world).kinetic_translation,
                 now = sqrt(2.0 * energy / whole);
    dem_world_destroy(world);
    return fabs(now - want) / want;
}

static void bubble_rises(void **state)
{
    (void)state;
    const int32_t second[] = {DEM_INTEGRATOR_VERLET_SYNC, DEM_INTEGRATOR_LEAPFROG};
    for (int k = 0; k < 2; ++k) {
        const double coarse = bubble_error(second[k], 10), fine = bubble_error(second[k], 100);
        assert_true(coarse < 1e-3 && coarse > 1e-6);
        near(log10(coarse / fine), 2.0, 0.1);
    }
}

/* Without gravity a particle of mass m and added mass a moves with the bits of one of mass m + a:
 * through a collision with friction, and with drag. */
static void collides_by_the_whole_inertia(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; ++k) {
        uint64_t hash[2];
        for (int way = 0; way < 2; ++way) {
            dem_world *world = lone(schemes[k], way == 0 ? 0.125 : 0.5, 0.0);
            dem_particle other = scene_particle(0.0, 0.0, 2.05);
            other.velocity[2] = -1.0;
            OK(dem_particle_add(world, &other, NULL));
            drag_set(world, 0.02, 0.1);
            if (way == 0) {
                const dem_view added = view_of(world, DEM_FIELD_ADDED_MASS);
                for (uint64_t row = 0; row < 2; ++row)
                    *row_of(&added, row) = added.id[row] == 1 ? 0.375 : 0.0;
                OK(dem_world_written(world));
            }
            dem_timestep_advice advice = {.struct_size = sizeof advice};
            OK(dem_world_timestep_advise(world, NULL, &advice));
            OK(dem_step(world, 1e-3, 65));
            assert_true(scene_counts(world).contacts == 1);
            OK(dem_step(world, 1e-3, 300));
            assert_true(scene_counts(world).contacts == 0);
            hash[way] = scene_hash(world);
            static double contact;
            if (way == 1)
                assert_true(contact == advice.contact);
            contact = advice.contact;
            dem_world_destroy(world);
        }
        assert_true(hash[0] == hash[1]);
    }
}

/* Free fall: gravity m g accelerates m + a. At rest the floor carries m g. */
static void weighs_what_it_weighed(void **state)
{
    (void)state;
    test_long();
    for (int k = 0; k < SCHEMES; ++k) {
        dem_world *world = lone(schemes[k], 0.1, 10.0);
        const double added = 0.3, dt = 1e-3;
        dem_wall wall;
        OK(dem_wall_init(&wall));
        wall.point[2] = 0.3;
        uint64_t id;
        OK(dem_wall_add(world, &wall, &id));
        OK(dem_world_field_set(world, DEM_FIELD_ADDED_MASS, 1, &added));
        OK(dem_step(world, dt, 100));
        const dem_world_energies e = scene_energies(world);
        near(e.kinetic_translation, 0.5 * 0.4 * 0.25 * 0.25, 1e-14);
        OK(dem_step(world, dt, 60000));
        OK(dem_wall_get(world, id, &wall));
        near(wall.force[2], -1.0, 1e-9);
        dem_world_destroy(world);
    }
}

/* Dashpots see the effective mass at once. */
static void forces_follow(void **state)
{
    (void)state;
    dem_world *world = lone(DEM_INTEGRATOR_VERLET_SYNC, 0.1, 0.0);
    dem_particle other = scene_particle(0.0, 0.0, 1.99);
    other.velocity[2] = -1.0;
    OK(dem_particle_add(world, &other, NULL));
    OK(dem_step(world, 1e-4, 10));
    const dem_view before = view_of(world, DEM_FIELD_FORCE);
    const double force = row_of(&before, 0)[2], added[2] = {0.3, 0.3};
    OK(dem_world_field_set(world, DEM_FIELD_ADDED_MASS, 2, added));
    OK(dem_step(world, 1e-4, 0));
    const dem_view after = view_of(world, DEM_FIELD_FORCE);
    assert_true(fabs(row_of(&after, 0)[2]) > 1.01 * fabs(force));
    dem_world_destroy(world);
}

/* A lighter inertia needs shorter steps: a step that added mass allows is refused without it. */
static void limits_see_it(void **state)
{
    (void)state;
    dem_world *world = lone(DEM_INTEGRATOR_VERLET_SYNC, 0.001, 10.0);
    dem_wall wall;
    OK(dem_wall_init(&wall));
    OK(dem_wall_add(world, &wall, NULL));
    dem_timestep_advice light = {.struct_size = sizeof light}, heavy = light;
    OK(dem_world_timestep_advise(world, NULL, &light));
    const double none = 0.0, much = 0.099;
    OK(dem_world_field_set(world, DEM_FIELD_ADDED_MASS, 1, &much));
    OK(dem_world_timestep_advise(world, NULL, &heavy));
    near(heavy.stability / light.stability, 10.0, 1e-9);
    OK(dem_step(world, 2.0 * light.stability, 1));
    OK(dem_world_field_set(world, DEM_FIELD_ADDED_MASS, 1, &none));
    assert_int_equal(dem_step(world, 2.0 * light.stability, 1), DEM_ERROR_RANGE);
    dem_world_destroy(world);
}

static dem_status drag_anew(void *user, dem_world *world, double dt)
{
    (void)dt;
    const dem_view drag = view_of(world, DEM_FIELD_DRAG_COEFFICIENT);
    double *phase = user;
    *phase += 0.1;
    for (uint64_t row = 0; row < drag.count; ++row)
        *row_of(&drag, row) = 0.2 + 0.1 * sin(*phase);
    return dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT);
}

/** Late velocities are brought to the time of positions. */
static void catch_up(dem_world *world)
{
    OK(dem_world_written_field(world, DEM_FIELD_VELOCITY));
    OK(dem_step(world, 1e-4, 0));
}

/* In a packing m times the change of velocity is the sum of what fluid, contacts and weight gave,
 * without drag, with it, and with a hook; sums of particles and floor cancel. */
static void packing_adds_up(int32_t scheme, double beta, int hooked)
{
    enum { COUNT = 4 * 4 * 3 };
    const double dt = 5e-4;
    double phase = 0.0;
    dem_world_config config = scene_config();
    config.integrator = scheme;
    if (hooked) {
        config.before_forces = drag_anew;
        config.before_forces_user = &phase;
    }
    dem_world *world = scene_packing_config(4, 3, &config);
    drag_set(world, beta, 1.0);
    if (beta == 0.0 && !hooked) { /* and without the column of the fluid */
        dem_world_destroy(world);
        world = scene_packing_config(4, 3, &config);
    }
    added_set(world, 0.25);
    OK(dem_step(world, dt, 20));
    catch_up(world);
    OK(dem_world_impulses_reset(world));
    static dem_particle before[COUNT + 2];
    for (uint64_t id = 2; id < COUNT + 2; ++id)
        before[id] = particle_of(world, id);
    OK(dem_step(world, dt, 150));
    OK(dem_step(world, dt, 150));
    catch_up(world);
    const dem_view given = view_of(world, DEM_FIELD_DRAG_IMPULSE),
                   pushed = view_of(world, DEM_FIELD_CONTACT_IMPULSE),
                   added = view_of(world, DEM_FIELD_ADDED_MASS);
    double contacts = 0.0;
    for (uint64_t row = 0; row < given.count; ++row) {
        const dem_particle now = particle_of(world, given.id[row]);
        assert_true(*row_of(&added, row) == mass_by_id(given.id[row], 0.25));
        contacts += row_of(&pushed, row)[2];
        for (int c = 0; c < 3; ++c)
            near(row_of(&given, row)[c] + row_of(&pushed, row)[c] +
                     (c == 2 ? -10.0 * 0.1 * 300.0 * dt : 0.0),
                 0.1 * (now.velocity[c] - before[given.id[row]].velocity[c]), 2e-13);
    }
    dem_wall floor = {.struct_size = sizeof floor};
    OK(dem_wall_get(world, 1, &floor));
    near(floor.impulse[2], -contacts, 1e-13);
    assert_true(contacts > 0.1 && scene_counts(world).rebuilds > 1);
    dem_world_destroy(world);
}

static void packings_add_up(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; ++k) {
        packing_adds_up(schemes[k], 0.0, 0);
        packing_adds_up(schemes[k], 0.3, 0);
        packing_adds_up(schemes[k], 0.3, 1);
    }
}

/* Kinetic energy, that of the fluid that is taken along, too, potential and elastic energy, and
 * what was dissipated, keep their sum in a packing without drag. */
static void energies_balance(void **state)
{
    (void)state;
    test_long();
    dem_world_config config = scene_config();
    dem_world *world = scene_packing_config(4, 3, &config);
    added_set(world, 0.25);
    OK(dem_step(world, 1e-5, 1));
    double sum[2];
    for (int k = 0; k < 2; ++k) {
        const dem_world_energies e = scene_energies(world);
        sum[k] = e.kinetic_translation + e.kinetic_rotation + e.potential + e.elastic +
                 e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip;
        OK(dem_step(world, 1e-5, 20000));
    }
    near(sum[1], sum[0], 2e-5 * fabs(sum[0]));
    dem_world_destroy(world);
}

/** Takes a world over into another one. */
static void pass_on(dem_world *world, dem_world *to)
{
    uint64_t bytes;
    OK(dem_world_snapshot_size(world, &bytes));
    void *memory = malloc((size_t)bytes);
    assert_non_null(memory);
    OK(dem_world_snapshot(world, memory, bytes, NULL));
    OK(dem_world_restore(to, memory, bytes));
    free(memory);
}

/* A snapshot, also of a column that was written and not yet looked at, a mark, and a step that
 * fails have its bits. */
static void kept_and_restored(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; ++k) {
        dem_world_config config = scene_config();
        config.integrator = schemes[k];
        dem_world *world = scene_packing_config(5, 3, &config), *again = scene_world(&config);
        added_set(world, 0.3);
        OK(dem_step(world, 5e-4, 60));
        if (k % 2 == 0)
            added_set(world, 0.1);
        pass_on(world, again);
        OK(dem_world_mark(world));
        OK(dem_step(world, 5e-4, 100));
        const uint64_t hash = scene_hash(world);
        OK(dem_step(again, 5e-4, 100));
        assert_true(scene_hash(again) == hash);
        added_set(world, 1.0);
        OK(dem_step(world, 5e-4, 100));
        assert_true(scene_hash(world) != hash);
        OK(dem_world_rewind(world));
        OK(dem_step(world, 5e-4, 100));
        assert_true(scene_hash(world) == hash);
        dem_world_destroy(world);
        dem_world_destroy(again);
    }
}

/* What is read before the next step has what was written, as it has in a world that was restored,
 * be it the first added mass or not. */
static void read_as_written(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; ++k) {
        dem_world_config config = scene_config();
        config.integrator = schemes[k];
        dem_world *world = scene_packing_config(4, 2, &config), *again = scene_world(&config);
        for (int n = 0; n < 3; ++n) {
            OK(dem_step(world, 5e-4, 20));
            const double before = scene_energies(world).kinetic_translation;
            added_set(world, 0.1 * (n + 1));
            pass_on(world, again);
            const dem_world_energies a = scene_energies(world), b = scene_energies(again);
            assert_true(a.kinetic_translation > before);
            assert_memory_equal(&a, &b, sizeof a);
        }
        dem_world_destroy(world);
        dem_world_destroy(again);
    }
}

/* A mark made before the first use leaves no added mass behind. */
static void rewound_before_the_first_use(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    config.integrator = DEM_INTEGRATOR_LEAPFROG; /* late velocities are read with the weight */
    dem_world *world = scene_packing_config(4, 2, &config);
    OK(dem_step(world, 5e-4, 20));
    OK(dem_world_mark(world));
    const double energy = scene_energies(world).kinetic_translation;
    OK(dem_step(world, 5e-4, 50));
    const uint64_t hash = scene_hash(world);
    OK(dem_world_rewind(world));
    added_set(world, 0.5);
    OK(dem_step(world, 5e-4, 50));
    OK(dem_world_rewind(world));
    assert_true(scene_energies(world).kinetic_translation == energy);
    OK(dem_step(world, 5e-4, 50));
    assert_true(scene_hash(world) == hash);
    dem_world_destroy(world);
}

/* Particles that are added begin with none, fixed ones have no use of it. */
static void added_and_fixed_particles(void **state)
{
    (void)state;
    dem_world *world = lone(DEM_INTEGRATOR_VERLET_SYNC, 0.1, 10.0);
    const double much = 0.9;
    OK(dem_world_field_set(world, DEM_FIELD_ADDED_MASS, 1, &much));
    dem_particle p = scene_particle(10.0, 0.0, 0.0), fixed = scene_particle(20.0, 0.0, 0.0);
    fixed.mobility = DEM_MOBILITY_FIXED;
    fixed.contact_mass = 0.2;
    OK(dem_particle_add(world, &p, NULL));
    OK(dem_particle_add(world, &fixed, NULL));
    OK(dem_step(world, 1e-2, 1));
    near(particle_of(world, 1).velocity[2], -0.01, 1e-16);
    near(particle_of(world, 2).velocity[2], -0.1, 1e-16);
    const double all[3] = {0.3, 0.3, 0.3};
    OK(dem_world_field_set(world, DEM_FIELD_ADDED_MASS, 3, all));
    OK(dem_step(world, 1e-2, 1));
    near(particle_of(world, 1).velocity[2], -0.035, 1e-15);
    near(particle_of(world, 2).velocity[2], -0.125, 1e-15);
    assert_true(particle_of(world, 3).contact_mass == 0.2);
    dem_world_destroy(world);
}

#define REFUSE(call, status, words)                                                                \
    do {                                                                                           \
        assert_int_equal(call, status);                                                            \
        assert_non_null(strstr(dem_world_error(world), words));                                    \
    } while (0)

static dem_status added_anew(void *user, dem_world *world, double dt)
{
    (void)user;
    (void)dt;
    return dem_world_written_field(world, DEM_FIELD_ADDED_MASS);
}

static void refused(void **state)
{
    (void)state;
    dem_world *world = lone(DEM_INTEGRATOR_VERLET_SYNC, 0.1, 10.0);
    const double wrong[] = {-1.0, NAN, INFINITY, 2e150};
    for (int k = 0; k < 4; ++k) {
        REFUSE(dem_world_field_set(world, DEM_FIELD_ADDED_MASS, 1, &wrong[k]), DEM_ERROR_RANGE,
               "particle 1: added mass");
        const dem_view added = view_of(world, DEM_FIELD_ADDED_MASS);
        const uint64_t hash = scene_hash(world);
        *row_of(&added, 0) = wrong[k];
        OK(dem_world_written_field(world, DEM_FIELD_ADDED_MASS));
        REFUSE(dem_step(world, 1e-3, 1), DEM_ERROR_RANGE, "added mass written");
        assert_true(scene_hash(world) == hash);
        dem_timestep_advice advice = {.struct_size = sizeof advice};
        REFUSE(dem_world_timestep_advise(world, NULL, &advice), DEM_ERROR_RANGE, "added mass");
        *row_of(&added, 0) = 0.0;
        OK(dem_step(world, 1e-3, 1));
    }
    dem_world_destroy(world);
    dem_world_config config = scene_config();
    config.before_forces = added_anew;
    world = scene_world(&config);
    const dem_particle p = scene_particle(0.0, 0.0, 1.0);
    OK(dem_particle_add(world, &p, NULL));
    (void)view_of(world, DEM_FIELD_ADDED_MASS);
    REFUSE(dem_step(world, 1e-3, 1), DEM_ERROR_CALLBACK, "before_forces");
    dem_world_destroy(world);
}

/* Without memory for the column nothing changes. */
static void without_memory(void **state)
{
    (void)state;
    short_heap heap = {.fail_at = UINT64_MAX};
    const dem_allocator allocator = short_allocator(&heap);
    dem_world *world = scene_packing(3, 2, NULL, &allocator);
    OK(dem_step(world, 5e-4, 10));
    const uint64_t hash = scene_hash(world);
    dem_view view = {.struct_size = sizeof view};
    heap.fail_at = heap.calls;
    assert_int_equal(dem_world_view(world, DEM_FIELD_ADDED_MASS, &view), DEM_ERROR_MEMORY);
    assert_true(scene_hash(world) == hash);
    added_set(world, 0.1);
    OK(dem_step(world, 5e-4, 10));
    dem_world_destroy(world);
    assert_int_equal(heap.held, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_added_mass_same_bits),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(bubble_rises),
        cmocka_unit_test(collides_by_the_whole_inertia),
        cmocka_unit_test(weighs_what_it_weighed),
        cmocka_unit_test(forces_follow),
        cmocka_unit_test(limits_see_it),
        cmocka_unit_test(packings_add_up),
        cmocka_unit_test(energies_balance),
        cmocka_unit_test(kept_and_restored),
        cmocka_unit_test(read_as_written),
        cmocka_unit_test(rewound_before_the_first_use),
        cmocka_unit_test(added_and_fixed_particles),
        cmocka_unit_test(refused),
        cmocka_unit_test(without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
