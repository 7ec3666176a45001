/* SPDX-License-Identifier: MIT */
/**
 * @file drag.c
 * Drag in worlds: bits without it, velocities at rest, closed forms, orders, energies, what is
 * refused, and that fields stay with their particles.
 */
#include "../support/cmocka.h"
#include "../support/fields.h"
#include "../support/near.h"
#include "../support/report.h"
#include "../support/scene.h"
#include "../support/schemes.h"

#include <float.h>
#include <math.h>
#include <string.h>

/** The same fluid for all particles. */
static void fluid_set(dem_world *world, double drag, const double u[3], double rotational,
                      const double turning[3])
{
    const dem_view beta = view_of(world, DEM_FIELD_DRAG_COEFFICIENT),
                   velocity = view_of(world, DEM_FIELD_FLUID_VELOCITY),
                   kappa = view_of(world, DEM_FIELD_ROTATIONAL_DRAG),
                   vorticity = view_of(world, DEM_FIELD_FLUID_ANGULAR_VELOCITY);
    for (uint64_t row = 0; row < beta.count; ++row) {
        *row_of(&beta, row) = drag;
        *row_of(&kappa, row) = rotational;
        memcpy(row_of(&velocity, row), u, 3 * sizeof *u);
        memcpy(row_of(&vorticity, row), turning, 3 * sizeof *turning);
    }
    for (int32_t field = DEM_FIELD_DRAG_COEFFICIENT; field <= DEM_FIELD_FLUID_ANGULAR_VELOCITY;
         ++field)
        OK(dem_world_written_field(world, field));
}

/** A world of one sphere that touches nothing. */
static dem_world *lone(int32_t scheme, const double velocity[3], const double angular_velocity[3])
{
    dem_world_config config = scene_config();
    config.integrator = scheme;
    dem_world *world = scene_world(&config);
    dem_particle p = scene_particle(0.0, 0.0, 5.0);
    memcpy(p.velocity, velocity, sizeof p.velocity);
    memcpy(p.angular_velocity, angular_velocity, sizeof p.angular_velocity);
    OK(dem_particle_add(world, &p, NULL));
    return world;
}

static dem_particle first_of(dem_world *world)
{
    dem_particle p = {.struct_size = sizeof p};
    dem_particle_handle handle;
    OK(dem_particle_find(world, 1, &handle));
    OK(dem_particle_get(world, handle, &p));
    return p;
}

/* Coefficients of 0 leave the bits of a packing, whatever the velocities of the fluid. */
static void without_coefficients_same_bits(void **state)
{
    (void)state;
    const double u[3] = {3.0, -2.0, 1.0};
    int differ = 0;
    for (int k = 0; k < SCHEMES; ++k) {
        dem_world_config config = scene_config();
        config.integrator = schemes[k];
        dem_world *with = scene_packing_config(6, 4, &config),
                  *without = scene_packing_config(6, 4, &config);
        OK(dem_step(with, 1e-3, 3));
        OK(dem_step(without, 1e-3, 3));
        fluid_set(with, 0.0, u, 0.0, u);
        for (int n = 0; n < 5; ++n) {
            OK(dem_step(with, 5e-4, 40));
            OK(dem_step(without, 5e-4, 40));
            differ += scene_hash(with) != scene_hash(without);
        }
        assert_true(scene_counts(with).rebuilds > 1);
        const dem_world_energies a = scene_energies(with), b = scene_energies(without);
        assert_memory_equal(&a, &b, sizeof a);
        dem_world_destroy(with);
        dem_world_destroy(without);
    }
    COUPLED("no_drag", "states_that_differ", differ, 0.0, 0.0, "library");
}

/* Drag makes the same bits for any thread count, instruction set and division into calls. */
static void same_bits(void **state)
{
    (void)state;
    const double u[3] = {0.5, -0.2, 1.0}, turning[3] = {1.0, 2.0, -3.0};
    for (int k = 0; k < SCHEMES; ++k) {
        uint64_t hash = 0;
        for (int way = 0; way < 3; ++way) {
            dem_world_config config = scene_config();
            config.integrator = schemes[k];
            config.threads = way == 1 ? 3 : 1;
            config.isa = way == 2 ? DEM_ISA_BASELINE : DEM_ISA_AUTO;
            dem_world *world = scene_packing_config(6, 4, &config);
            fluid_set(world, 0.4, u, 0.01, turning);
            if (way == 0)
                OK(dem_step(world, 1e-3, 120));
            for (int n = 0; way > 0 && n < 120; ++n)
                OK(dem_step(world, 1e-3, 1));
            if (way == 0)
                hash = scene_hash(world);
            assert_true(scene_hash(world) == hash);
            dem_world_destroy(world);
        }
    }
}

/* A velocity at which gravity and drag balance stays, at any z = dt beta/m; so does a particle that
 * moves and turns with the fluid along the other axes. */
static void terminal_velocity_stays(void **state)
{
    (void)state;
    const double still[3] = {0.7, 0.0, 0.0}, turning[3] = {0.0, 0.3, 0.0};
    double worst = 0.0;
    for (int k = 0; k < SCHEMES; ++k)
        for (double z = 1e-6; z < 2e6; z *= 10.0) {
            const double dt = 1e-3, drag = z * 0.1 / dt, want = -10.0 * dt / z;
            dem_world *world = lone(schemes[k], (const double[3]){0.7, 0.0, want}, turning);
            fluid_set(world, drag, still, drag, turning);
            OK(dem_step(world, dt, 1000));
            const dem_particle p = first_of(world);
            report_worst(&worst, fabs(p.velocity[2] / want - 1.0) / DBL_EPSILON);
            assert_true(p.velocity[0] == 0.7 && p.velocity[1] == 0.0);
            assert_true(p.angular_velocity[1] == 0.3);
            dem_world_destroy(world);
        }
    COUPLED("terminal_velocity", "ulp_off_dt_b_1e-6_to_1e6", worst, 0.0, 4.0, "closed_form");
}

/* From rest at z = 1e3, where held drag explodes: there after 40 steps. */
static void overdamped_from_rest(void **state)
{
    (void)state;
    const double none[3] = {0.0, 0.0, 0.0}, u[3] = {0.0, 2.0, 0.0};
    double worst = 0.0;
    for (int k = 0; k < SCHEMES; ++k) {
        const double dt = 1e-3, drag = 1e3 * 0.1 / dt;
        dem_world *world = lone(schemes[k], none, none);
        fluid_set(world, drag, u, drag, u);
        OK(dem_step(world, dt, 40));
        const dem_particle p = first_of(world);
        report_worst(&worst, fabs(p.velocity[2] / (-0.1 * 10.0 / drag) - 1.0));
        near(p.velocity[1], 2.0, 1e-15);
        near(p.angular_velocity[1], 2.0, 1e-15);
        dem_world_destroy(world);
    }
    COUPLED("terminal_velocity", "off_after_40_steps_of_dt_b_1e3", worst, 0.0, 4e-16,
            "closed_form");
}

/** Errors of velocity and angular velocity after the time 1 with rates of 1.5 and 2.5 1/s. */
static void relaxation_errors(int32_t scheme, uint64_t steps, double error[2])
{
    const double v0[3] = {1.0, 0.0, 0.0}, u[3] = {0.0, -2.0, 0.0};
    const double inertia = 0.4 * 0.1 * 0.25;
    dem_world *world = lone(scheme, v0, v0);
    OK(dem_world_gravity_set(world, (const double[3]){0.0, 0.0, 0.0}));
    fluid_set(world, 1.5 * 0.1, u, 2.5 * inertia, u);
    OK(dem_step(world, 1.0 / (double)steps, steps));
    OK(dem_particle_set_motion(world, (dem_particle_handle){0, 1}, (const double[3]){0.0, 0.0, 9.0},
                               NULL, NULL));
    OK(dem_step(world, 1.0, 0)); /* late velocities catch up */
    const dem_particle p = first_of(world);
    error[0] = fabs(p.velocity[0] - exp(-1.5)) + fabs(p.velocity[1] + 2.0 * (1.0 - exp(-1.5)));
    error[1] = fabs(p.angular_velocity[0] - exp(-2.5)) +
               fabs(p.angular_velocity[1] + 2.0 * (1.0 - exp(-2.5)));
    dem_world_destroy(world);
}

static void relaxation_of_order_two(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; ++k) {
        double coarse[2], fine[2];
        relaxation_errors(schemes[k], 50, coarse);
        relaxation_errors(schemes[k], 100, fine);
        for (int c = 0; c < 2; ++c)
            near(log2(coarse[c] / fine[c]), 2.0, 0.04);
    }
}

/** Where a sphere is that sticks to a floor, with spring, dashpot, friction and drag; the time step
 * alternates. */
static void floor_end(int32_t scheme, uint64_t steps, double uneven, double end[3])
{
    dem_world_config config = scene_config();
    config.integrator = scheme;
    dem_world *world = scene_world(&config);
    dem_particle p = scene_particle(0.0, 0.0, 0.499);
    p.velocity[2] = 0.05;
    p.velocity[0] = 0.004;
    OK(dem_particle_add(world, &p, NULL));
    dem_wall wall;
    OK(dem_wall_init(&wall));
    OK(dem_wall_add(world, &wall, NULL));
    fluid_set(world, 3.0, (const double[3]){0.001, 0.0, 0.02}, 0.02,
              (const double[3]){0.0, 0.1, 0.0});
    const double dt = 0.064 / (double)steps;
    for (uint64_t n = 0; n < steps; n += 2) {
        OK(dem_step(world, dt * (1.0 - uneven), 1));
        OK(dem_step(world, dt * (1.0 + uneven), 1));
    }
    assert_int_equal(scene_counts(world).contacts, 1);
    p = first_of(world);
    memcpy(end, p.position, sizeof p.position);
    dem_world_destroy(world);
}

/* With drag of 30 1/s and contacts; the velocities that dashpots see must know of drag. */
static void contacts_keep_the_order(void **state)
{
    (void)state;
    static const double order[SCHEMES] = {2.0, 1.0, 1.0, 2.0, 1.0};
    static const char *const names[SCHEMES] = {"verlet_sync", "verlet_improved", "verlet_standard",
                                               "leapfrog", "symplectic_euler"};
    for (int k = 0; k < SCHEMES; ++k)
        for (int way = 0; way < 2; ++way) {
            double end[3][3];
            for (int fine = 0; fine < 3; ++fine)
                floor_end(schemes[k], 128u << fine, 0.5 * way, end[fine]);
            const double first = fabs(end[1][2] - end[0][2]), second = fabs(end[2][2] - end[1][2]),
                         along = fabs(end[1][0] - end[0][0]), then = fabs(end[2][0] - end[1][0]);
            COUPLED(way ? "order_alternating" : "order_even", names[k], log2(first / second),
                    order[k], 0.08, "order");
            if (order[k] == 2.0)
                near(log2(along / then), order[k], 0.08);
        }
}

/* Leapfrog has the positions of synchronized Verlet, with contacts and a time step that changes. */
static void leapfrog_has_the_path_of_verlet(void **state)
{
    (void)state;
    double verlet[3], leapfrog[3];
    floor_end(DEM_INTEGRATOR_VERLET_SYNC, 64, 0.5, verlet);
    floor_end(DEM_INTEGRATOR_LEAPFROG, 64, 0.5, leapfrog);
    double worst = 0.0;
    for (int c = 0; c < 3; ++c)
        report_worst(&worst, fabs(leapfrog[c] - verlet[c]));
    COUPLED("leapfrog", "positions_off_verlets", worst, 0.0, 1e-14, "library");
}

/* Kinetic energies are those at the time of the positions, also where velocities are late. */
static void leapfrog_has_the_energies_of_verlet(void **state)
{
    (void)state;
    const double v0[3] = {1.0, -0.5, 0.25}, u[3] = {0.5, 2.0, -1.0};
    dem_world_energies e[2];
    for (int k = 0; k < 2; ++k) {
        dem_world *world =
            lone(k == 0 ? DEM_INTEGRATOR_VERLET_SYNC : DEM_INTEGRATOR_LEAPFROG, v0, u);
        fluid_set(world, 100.0, u, 3.0, v0);
        OK(dem_step(world, 1e-3, 3));
        e[k] = scene_energies(world);
        dem_world_destroy(world);
    }
    near(e[1].kinetic_translation, e[0].kinetic_translation, 1e-14);
    near(e[1].kinetic_rotation, e[0].kinetic_rotation, 1e-14);
}

static double balance(const dem_world *world)
{
    const dem_world_energies e = scene_energies(world);
    return e.kinetic_translation + e.kinetic_rotation + e.potential + e.elastic +
           e.dissipated_normal + e.dissipated_dashpot + e.dissipated_slip + e.dissipated_drag -
           e.work_external - e.work_boundary - e.work_fluid;
}

/* Free relaxation: the balance closes at any z. A packing: to the order of the scheme. */
static void energies_balance(void **state)
{
    (void)state;
    const double v0[3] = {1.0, -0.5, 0.25}, u[3] = {0.5, 2.0, -1.0};
    for (double z = 1e-3; z < 2e3; z *= 10.0) {
        dem_world *world = lone(DEM_INTEGRATOR_VERLET_SYNC, v0, u);
        OK(dem_world_gravity_set(world, (const double[3]){0.0, 0.0, 0.0}));
        fluid_set(world, z * 0.1 / 1e-3, u, z * 0.01 / 1e-3, v0);
        const double before = balance(world);
        OK(dem_step(world, 1e-3, 100));
        near(balance(world), before, 1e-13);
        assert_true(scene_energies(world).dissipated_drag > 0.0);
        dem_world_destroy(world);
    }
    double error[2];
    for (int fine = 0; fine < 2; ++fine) {
        dem_world *world = scene_packing(4, 3, NULL, NULL);
        fluid_set(world, 0.5, u, 0.02, v0);
        OK(dem_step(world, 1e-4, 0));
        const double before = balance(world);
        OK(dem_step(world, fine ? 1e-4 : 2e-4, fine ? 2000 : 1000));
        error[fine] = fabs(balance(world) - before);
        assert_true(error[fine] < 1e-3 * scene_energies(world).dissipated_drag);
        dem_world_destroy(world);
    }
    assert_true(error[1] < 0.6 * error[0]);
}

/* What is not free keeps its velocity; the fluid's work on it is what drag dissipates and what goes
 * to whoever drives it. */
static void held_particles(void **state)
{
    (void)state;
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    dem_particle p = scene_particle(0.0, 0.0, 1.0);
    p.mobility = DEM_MOBILITY_FIXED;
    OK(dem_particle_add(world, &p, NULL));
    p = scene_particle(4.0, 0.0, 1.0);
    p.mobility = DEM_MOBILITY_KINEMATIC;
    p.velocity[0] = 0.5;
    OK(dem_particle_add(world, &p, NULL));
    fluid_set(world, 2.0, (const double[3]){3.0, 0.0, 0.0}, 0.0, (const double[3]){0});
    OK(dem_step(world, 1e-3, 100));
    const dem_world_energies e = scene_energies(world);
    near(e.work_fluid, 0.1 * (6.0 * 3.0 + 5.0 * 3.0), 1e-13);
    near(e.dissipated_drag, 0.1 * (6.0 * 3.0 + 5.0 * 2.5), 1e-13);
    near(e.work_boundary, -0.1 * 5.0 * 0.5, 1e-13);
    const dem_view velocity = view_of(world, DEM_FIELD_VELOCITY);
    for (uint64_t row = 0; row < velocity.count; ++row)
        assert_true(row_of(&velocity, row)[0] == (velocity.id[row] == 1 ? 0.0 : 0.5));
    dem_world_destroy(world);
}

/* Fields stay with their particles while rows are sorted, added and removed; new particles have
 * none. */
static void fields_stay_with_particles(void **state)
{
    (void)state;
    dem_world *world = scene_packing(6, 4, NULL, NULL);
    OK(dem_step(world, 1e-3, 2));
    const dem_view beta = view_of(world, DEM_FIELD_DRAG_COEFFICIENT),
                   u = view_of(world, DEM_FIELD_FLUID_VELOCITY);
    for (uint64_t row = 0; row < beta.count; ++row) {
        *row_of(&beta, row) = 0.01 * (double)beta.id[row];
        row_of(&u, row)[1] = -0.001 * (double)beta.id[row];
    }
    OK(dem_world_written(world));
    OK(dem_step(world, 1e-3, 100));
    dem_particle_handle handle;
    OK(dem_particle_find(world, 17, &handle));
    OK(dem_particle_remove(world, handle));
    dem_particle p = scene_particle(2.0, 2.0, 12.0);
    p.id = 1000;
    OK(dem_particle_add(world, &p, NULL));
    OK(dem_step(world, 1e-3, 400));
    assert_true(scene_counts(world).rebuilds > 3);
    const dem_view after = view_of(world, DEM_FIELD_DRAG_COEFFICIENT),
                   then = view_of(world, DEM_FIELD_FLUID_VELOCITY);
    for (uint64_t row = 0; row < after.count; ++row) {
        const double id = after.id[row] < 1000 ? (double)after.id[row] : 0.0;
        assert_true(*row_of(&after, row) == 0.01 * id && row_of(&then, row)[1] == -0.001 * id);
    }
    dem_world_destroy(world);
}

/* A value that a field may not have is named, and nothing changes. */
static void refused_values(void **state)
{
    (void)state;
    static const struct {
        int32_t field;
        double value;
        const char *text;
    } wrong[] = {{DEM_FIELD_DRAG_COEFFICIENT, -1.0, "drag coefficient"},
                 {DEM_FIELD_DRAG_COEFFICIENT, NAN, "drag coefficient"},
                 {DEM_FIELD_DRAG_COEFFICIENT, 2e150, "drag coefficient"},
                 {DEM_FIELD_ROTATIONAL_DRAG, -1e-300, "rotational drag"},
                 {DEM_FIELD_FLUID_VELOCITY, INFINITY, "fluid velocity"},
                 {DEM_FIELD_FLUID_VELOCITY, -2e150, "fluid velocity"},
                 {DEM_FIELD_FLUID_ANGULAR_VELOCITY, NAN, "fluid angular velocity"}};
    const double none[3] = {0.0, 0.0, 0.0};
    dem_world *world = lone(DEM_INTEGRATOR_VERLET_SYNC, none, none);
    OK(dem_step(world, 1e-3, 2));
    const uint64_t hash = scene_hash(world);
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; ++k) {
        const double values[3] = {wrong[k].value, 0.0, 0.0};
        assert_int_equal(dem_world_field_set(world, wrong[k].field, 1, values), DEM_ERROR_RANGE);
        assert_non_null(strstr(dem_world_error(world), wrong[k].text));
        const dem_view view = view_of(world, wrong[k].field);
        row_of(&view, 0)[0] = wrong[k].value;
        OK(dem_world_written_field(world, wrong[k].field));
        assert_int_equal(dem_step(world, 1e-3, 1), DEM_ERROR_RANGE);
        assert_non_null(strstr(dem_world_error(world), wrong[k].text));
        assert_true(scene_hash(world) == hash);
        row_of(&view, 0)[0] = 0.0;
    }
    OK(dem_step(world, 1e-3, 1));
    dem_world_destroy(world);
}

/** The forces of contacts as they stand. */
static void evaluated(dem_world *world, uint64_t rows, double (*force)[3])
{
    (void)view_of(world, DEM_FIELD_VELOCITY);
    OK(dem_world_written_field(world, DEM_FIELD_VELOCITY));
    OK(dem_step(world, 1e-3, 0));
    const dem_view view = view_of(world, DEM_FIELD_FORCE);
    assert_int_equal(view.count, rows);
    for (uint64_t row = 0; row < rows; ++row)
        memcpy(force[row], row_of(&view, row), sizeof force[row]);
}

/* A force that is no number, which a step refuses, leaves nothing that an evaluation reads. */
static void a_refused_force_leaves_nothing(void **state)
{
    (void)state;
    enum { EDGE = 4, LAYERS = 3, ROWS = EDGE * EDGE * LAYERS };
    static double force[2][ROWS][3];
    const double u[3] = {0.1, -0.2, 0.3};
    dem_world *worlds[2];
    for (int n = 0; n < 2; ++n) {
        worlds[n] = scene_packing(EDGE, LAYERS, NULL, NULL);
        fluid_set(worlds[n], 0.5, u, 0.1, u);
        OK(dem_step(worlds[n], 1e-3, 100));
    }
    for (uint64_t row = 0; row < 2 * ROWS; ++row) {
        const int32_t field = row % 2 ? DEM_FIELD_EXTERNAL_FORCE : DEM_FIELD_EXTERNAL_TORQUE;
        const dem_view view = view_of(worlds[1], field);
        row_of(&view, row / 2)[row % 3] = NAN;
        OK(dem_world_written_field(worlds[1], field));
        assert_int_equal(dem_step(worlds[1], 1e-3, 1 + row % 20), DEM_ERROR_RANGE);
        row_of(&view, row / 2)[row % 3] = 0.0;
        for (int n = 0; n < 2; ++n)
            evaluated(worlds[n], ROWS, force[n]);
        assert_memory_equal(force[0], force[1], sizeof force[0]);
    }
    for (int n = 0; n < 2; ++n)
        OK(dem_step(worlds[n], 1e-3, 10));
    assert_int_equal(scene_hash(worlds[0]), scene_hash(worlds[1]));
    dem_world_destroy(worlds[0]);
    dem_world_destroy(worlds[1]);
}

/* The largest coefficients and the smallest masses have numbers still. */
static void extreme_coefficients(void **state)
{
    (void)state;
    const double u[3] = {1.0, -1.0, 1.0}, none[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < SCHEMES; ++k) {
        dem_world *world = lone(schemes[k], none, none);
        fluid_set(world, 1e150, u, 1e150, u);
        OK(dem_step(world, 1e-3, 3));
        const dem_particle p = first_of(world);
        for (int c = 0; c < 3; ++c) {
            near(p.velocity[c], u[c], 1e-15);
            near(p.angular_velocity[c], u[c], 1e-15);
        }
        dem_world_destroy(world);
    }
}

/** Six rows: every second one is dragged, and every second two are in turning. load: of the host,
 * in a field, or 0. calls: of one step, or one of all. */
static dem_world *groups_stepped(int32_t load, int calls)
{
    const double u[3] = {1.0, 2.0, 3.0}, turning[3] = {0.5, 0.0, 1.0};
    dem_world_config config = scene_config();
    dem_world *world = scene_world(&config);
    for (uint64_t k = 0; k < 6; ++k) {
        dem_particle p = scene_particle(10.0 * (double)k, 0.0, 50.0);
        p.id = k + 1;
        OK(dem_particle_add(world, &p, NULL));
    }
    fluid_set(world, 1.0, u, 1.0, turning);
    const dem_view beta = view_of(world, DEM_FIELD_DRAG_COEFFICIENT),
                   kappa = view_of(world, DEM_FIELD_ROTATIONAL_DRAG);
    for (uint64_t row = 0; row < 6; ++row) {
        const uint64_t k = beta.id[row] - 1;
        *row_of(&beta, row) = (double)(k & 1);
        *row_of(&kappa, row) = (double)(k >> 1 & 1);
    }
    OK(dem_world_written_field(world, DEM_FIELD_DRAG_COEFFICIENT));
    OK(dem_world_written_field(world, DEM_FIELD_ROTATIONAL_DRAG));
    const double loads[6][3] = {{100.0}, {100.0}, {100.0}, {100.0}, {100.0}, {100.0}};
    if (load != 0)
        OK(dem_world_field_set(world, load, 6, loads[0]));
    for (int n = 0; n < calls; ++n)
        OK(dem_step(world, 1e-4, (uint64_t)(10 / calls)));
    return world;
}

/** Four rows are computed together, and the others alone; most steps end while the next begins. All
 * ways have the bits of single steps, and drag and rotational drag do without each other. */
static void groups_have_the_bits_of_rows(void **state)
{
    (void)state;
    const int32_t loads[] = {0, DEM_FIELD_EXTERNAL_FORCE, DEM_FIELD_EXTERNAL_TORQUE};
    for (int k = 0; k < 3; ++k) {
        dem_world *once = groups_stepped(loads[k], 1), *by_steps = groups_stepped(loads[k], 10);
        assert_true(scene_hash(once) == scene_hash(by_steps));
        double motion[6][6];
        for (uint64_t id = 1; id <= 6; ++id) {
            dem_particle_handle handle;
            dem_particle p = {.struct_size = sizeof p};
            OK(dem_particle_find(once, id, &handle));
            OK(dem_particle_get(once, handle, &p));
            memcpy(motion[id - 1], p.velocity, 3 * sizeof(double));
            memcpy(motion[id - 1] + 3, p.angular_velocity, 3 * sizeof(double));
        }
        for (int n = 2; n < 6; ++n)
            assert_memory_equal(motion[n], motion[n & 1], 3 * sizeof(double));
        assert_memory_equal(motion[4] + 3, motion[0] + 3, 3 * sizeof(double));
        assert_memory_equal(motion[3] + 3, motion[2] + 3, 3 * sizeof(double));
        /* of second order: within the square of a step over the time of relaxation, 0.1 s */
        const double relaxed = -2.0 * expm1(-1e-3 / 0.1);
        near(motion[1][1], relaxed, 1e-6 * relaxed);
        assert_true(motion[0][1] == 0.0 && motion[0][5] == 0.0 && motion[2][5] > 0.0);
        dem_world_destroy(once);
        dem_world_destroy(by_steps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_coefficients_same_bits),
        cmocka_unit_test(same_bits),
        cmocka_unit_test(terminal_velocity_stays),
        cmocka_unit_test(overdamped_from_rest),
        cmocka_unit_test(relaxation_of_order_two),
        cmocka_unit_test(contacts_keep_the_order),
        cmocka_unit_test(leapfrog_has_the_path_of_verlet),
        cmocka_unit_test(leapfrog_has_the_energies_of_verlet),
        cmocka_unit_test(energies_balance),
        cmocka_unit_test(held_particles),
        cmocka_unit_test(fields_stay_with_particles),
        cmocka_unit_test(refused_values),
        cmocka_unit_test(a_refused_force_leaves_nothing),
        cmocka_unit_test(extreme_coefficients),
        cmocka_unit_test(groups_have_the_bits_of_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
