/* SPDX-License-Identifier: MIT */
/**
 * @file first_evaluation.c
 * Spheres that touch before the first step: the work of springs and dashpots is booked from the
 * first half step on, so that the balance of energies closes to second order in dt.
 */
#include "../support/fpe.h"

#include "../support/cmocka.h"
#include "../support/law.h"
#include "../support/polyhedral.h"
#include "../support/scene.h"

enum { M1_PART, THREE_CASE_PART, ROW_PART, ROLLING_PART, PARTS };
static const char *const part_names[PARTS] = {"mindlin", "mindlin-three-case",
                                              "mindlin-deresiewicz", "rolling-csds"};

static void part_set(dem_world *world, int part, double restitution)
{
    dem_contact_model model;
    dem_hertz hertz;
    dem_mindlin mindlin;
    dem_rolling rolling;
    OK(dem_contact_model_init(&model));
    OK(dem_hertz_init(&hertz));
    OK(dem_mindlin_init(&mindlin));
    OK(dem_rolling_init(&rolling));
    hertz.young[0] = 1e6;
    hertz.poisson[0] = 0.25;
    hertz.restitution = restitution;
    mindlin.friction = 50.0;
    rolling.friction = 5.0;
    rolling.stiffness = 1e3;
    rolling.damping = 20.0;
    OK(dem_contact_model_add_hertz(&model, &hertz));
    if (part == M1_PART)
        OK(dem_contact_model_add_mindlin(&model, &mindlin));
    else if (part == THREE_CASE_PART)
        OK(dem_contact_model_add_mindlin_three_case(&model, &mindlin));
    else if (part == ROW_PART)
        OK(dem_contact_model_add_mindlin_deresiewicz(&model, &mindlin));
    else
        OK(dem_contact_model_add_rolling_csds(&model, &rolling));
    OK(dem_contact_model_set(world, 0, 0, &model));
}

/** By how much the balance is off at most; `written`: velocities are written on the way, and the
 * forces are evaluated once more. */
static double off(int part, double restitution, int written, double dt)
{
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    dem_particle_handle handle;
    double worst = 0.0;
    part_set(world, part, restitution);
    for (int k = 0; k < 2; ++k) {
        dem_particle p = scene_particle(0.0, 0.0, 0.98 * k);
        p.radius = 0.5;
        p.mass = 523.6;
        p.velocity[0] = k ? 0.4 : -0.4;
        p.velocity[2] = k ? -0.3 : 0.3;
        p.angular_velocity[1] = k ? 1.0 : 0.3;
        OK(dem_particle_add(world, &p, &handle));
    }
    if (written) {
        const double velocity[3] = {0.6, 0.3, 0.0};
        run(world, dt, (uint64_t)(2e-3 / dt + 0.5));
        OK(dem_particle_set_motion(world, handle, NULL, velocity, NULL));
    }
    run(world, dt, 0);
    const double before = balance_of(world);
    assert_int_equal(scene_counts(world).contacts, 1);
    for (int n = 0; n < 10; ++n) {
        run(world, dt, (uint64_t)(1e-3 / dt + 0.5));
        worst = fmax(worst, fabs(balance_of(world) - before) / before);
    }
    dem_world_destroy(world);
    return worst;
}

static void second_order(void **state)
{
    (void)state;
    for (int part = 0; part < PARTS; ++part)
        for (int written = 0; written < 2; ++written)
            for (double restitution = 1.0; restitution > 0.5; restitution -= 0.4) {
                const double coarse = off(part, restitution, written, 2e-4),
                             fine = off(part, restitution, written, 1e-4);
                printf("# %s, e %g%s: %g, %g\n", part_names[part], restitution,
                       written ? ", written" : "", coarse, fine);
                if (!(fine < 5e-7 && coarse > 3.0 * fine))
                    fail_msg("balance of energy %g, at half of dt %g", coarse, fine);
            }
}

/** What the dashpot of two spheres takes in one step in which their normal crosses that of an
 * axis: the directions of a row of springs are made anew there. */
static double dashpot_of_a_step(int turned)
{
    static const double x[2][3] = {{0.9, 0.0, 1e-6}, {0.0, 0.0, 0.0}};
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    dem_particle_handle handle;
    part_set(world, ROW_PART, 0.5);
    for (int k = 0; k < 2; ++k) {
        dem_particle p = scene_particle(0.0, 0.0, 0.0);
        p.radius = 0.5;
        p.mass = 2.0;
        for (int c = 0; c < 3; ++c)
            p.position[c] = x[k][(c + turned) % 3];
        p.velocity[(5 - turned) % 3] = k ? 0.0 : -1.0;
        OK(dem_particle_add(world, &p, &handle));
    }
    run(world, 1e-4, 1);
    const double taken = scene_energies(world).dissipated_dashpot;
    dem_world_destroy(world);
    return taken;
}

static void any_axes(void **state)
{
    (void)state;
    const double taken = dashpot_of_a_step(0);
    assert_true(taken > 1e-6);
    for (int turned = 1; turned < 3; ++turned)
        assert_true(fabs(dashpot_of_a_step(turned) - taken) < 1e-9 * taken);
}

/** By how much the balance of a pair at level 1 is off after a step, of which the host gives an
 * overlap at its beginning. */
static double off_at_level_1(const char *law, double work, double dt)
{
    double x[2][3] = {{0.0, 0.0, 0.0}, {0.95, 0.0, 0.0}},
           v[2][3] = {{1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}}, f[2][3] = {{0.0}};
    const double radius[2] = {0.5, 0.5}, mass[2] = {0.5, 0.5};
    const uint32_t pair[2] = {0, 1};
    dem_contact_history_config config;
    dem_contact_history *history;
    dem_integrator_config scheme;
    dem_integrator *integrator;
    dem_integrator_arrays arrays;
    dem_contacts_input input;
    dem_contact_totals totals = {.struct_size = sizeof totals};
    dem_contact_model model;
    dem_hertz hertz;
    dem_adhesion adhesion;
    OK(dem_contact_history_config_init(&config));
    OK(dem_contact_history_create(&config, &history, NULL));
    OK(dem_integrator_config_init(&scheme));
    OK(dem_integrator_create(&scheme, &integrator, NULL));
    OK(dem_hertz_init(&hertz));
    OK(dem_adhesion_init(&adhesion));
    hertz.young[0] = adhesion.young[0] = 2e5;
    hertz.restitution = adhesion.restitution = 1.0;
    adhesion.work_of_adhesion = work;
    OK(dem_contact_model_init(&model));
    OK(dem_contact_model_add(&model, law,
                             strcmp(law, DEM_LAW_HERTZ) == 0 ? (const void *)&hertz
                                                             : (const void *)&adhesion));
    OK(dem_contact_history_model_set(history, 0, 0, &model));
    OK(dem_contacts_input_init(&input));
    input.particle_count = 2;
    input.position = x[0];
    input.velocity = v[0];
    input.radius = radius;
    input.mass = mass;
    input.pair_count = 1;
    input.pairs = pair;
    input.force = f[0];
    input.forces_only = 1;
    OK(dem_contacts_evaluate(history, &input, &totals));
    const double before = totals.elastic_energy + 0.25 * (v[0][0] * v[0][0] + v[1][0] * v[1][0]);
    OK(dem_integrator_arrays_init(&arrays));
    arrays.count = 2;
    arrays.position = x[0];
    arrays.velocity = v[0];
    arrays.force = f[0];
    arrays.mass = mass;
    input.forces_only = 0;
    OK(dem_integrator_begin(integrator, &arrays, dt));
    OK(dem_integrator_prepare(integrator, &input));
    f[0][0] = f[1][0] = 0.0;
    OK(dem_contacts_evaluate(history, &input, &totals));
    OK(dem_integrator_end(integrator, &arrays));
    dem_contact_history_destroy(history);
    dem_integrator_destroy(integrator);
    return 0.25 * (v[0][0] * v[0][0] + v[1][0] * v[1][0]) + totals.elastic_energy +
           totals.dissipated_normal - before;
}

static void level_1(void **state)
{
    static const struct {
        const char *law;
        double work;
    } laws[] = {{DEM_LAW_HERTZ, 0.0},
                {DEM_LAW_DMT, 0.0},
                {DEM_LAW_DMT, 20.0},
                {DEM_LAW_JKR, 0.0},
                {DEM_LAW_JKR, 20.0}};
    (void)state;
    for (size_t n = 0; n < sizeof laws / sizeof laws[0]; ++n) {
        const double coarse = off_at_level_1(laws[n].law, laws[n].work, 4e-5),
                     fine = off_at_level_1(laws[n].law, laws[n].work, 2e-5);
        printf("# %s, %g J/m2: %g, %g\n", laws[n].law, laws[n].work, coarse, fine);
        if (!(fabs(fine) < 1e-6 && fabs(coarse) > 6.0 * fabs(fine)))
            fail_msg("balance of energy %g, at half of dt %g", coarse, fine);
    }
}

/** Writes 1 to each double of its state. */
static dem_status ones_evaluate(void *user, uint64_t n, dem_contact_batch *batch,
                                const void *combined)
{
    const uint64_t doubles = *(const uint64_t *)user;
    (void)combined;
    for (uint64_t c = 0; c < doubles; ++c)
        for (uint64_t k = 0; k < n; ++k)
            batch->state[c * DEM_BATCH_SIZE + k] = 1.0;
    return DEM_OK;
}

static void slots_of_forces(void **state)
{
    static const dem_law_slot slots[] = {
        {"a", DEM_SLOT_SCALAR, 1},  {"b", DEM_SLOT_FORCE, -1},
        {"c", DEM_SLOT_AXIAL, 1},   {"d", DEM_SLOT_FORCE_COMPONENT, 1},
        {"e", DEM_SLOT_TANGENT, 1}, {"f", DEM_SLOT_DIRECTION, 1}};
    static const double evaluated[] = {0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1};
    uint64_t doubles = sizeof evaluated / sizeof evaluated[0];
    const test_spring spring = {1e5};
    test_law_control control = {0};
    dem_law law = test_law(&control);
    dem_contact_model model;
    dem_particle_handle handle;
    dem_world *world = world_of(0.0, 1, DEM_ISA_AUTO);
    (void)state;
    law.name = "ones";
    law.slots = slots;
    law.slot_count = sizeof slots / sizeof slots[0];
    law.user = &doubles;
    law.evaluate = ones_evaluate;
    OK(dem_world_law_register(world, &law));
    OK(dem_contact_model_init(&model));
    model.parts[0].law = "ones";
    model.parts[0].parameters = &spring;
    OK(dem_contact_model_set(world, 0, 0, &model));
    for (int k = 0; k < 2; ++k) {
        dem_particle p = scene_particle(0.0, 0.0, 0.98 * k);
        p.radius = 0.5;
        OK(dem_particle_add(world, &p, &handle));
    }
    for (uint64_t steps = 0; steps < 2; ++steps) {
        dem_contact contact = {.struct_size = sizeof contact};
        uint64_t cursor = 0;
        run(world, 1e-6, steps);
        OK(dem_world_contact_next(world, &cursor, &contact));
        assert_int_equal(contact.state_count, doubles);
        for (uint64_t c = 0; c < doubles; ++c)
            assert_true(contact.state[c] == (steps == 0 ? evaluated[c] : 1.0));
    }
    dem_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(second_order), cmocka_unit_test(any_axes),
                                       cmocka_unit_test(level_1),
                                       cmocka_unit_test(slots_of_forces)};
    return cmocka_run_group_tests_name("first_evaluation", tests, NULL, NULL);
}
